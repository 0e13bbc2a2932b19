"""Play a game by text: ask what is legal, act, be refused, take back.

python examples/01_play_a_game.py
"""

import hexholm

game = hexholm.Game(edition="fifth", setup="variable", seed=7, first="red")
print(game)
print("To act:", *game.to_act)
print("Legal: ", game.legal_actions)

# Place settlements and roads in the order of the rules, the first that is legal each time.
while game.phase in ("settlement", "road"):
    game.play(game.legal_actions[0])

# The first turn. Dice and cards are decided by the game's dealer, here by the seed.
for event in game.play("roll"):
    print("Event: ", event)
print("Hand:  ", game.view("red").hand)

# What is not allowed says so: what was said, why not, by which rule, and what is legal instead.
try:
    game.play("city C3n")
except hexholm.IllegalAction as error:
    print("Refused:", error)
    print("Rule:   ", error.reason.rule)
print("Why not end?", game.why_not("end"))  # None: it is legal

undone = game.undo()
print("Taken back:", undone)
assert game.phase == "roll"
