"""Records and positions: a whole game as text, what one seat saw of it, and back again.

python examples/05_write_it_down.py
"""

import random

import hexholm

game = hexholm.Game(edition="zip", players=3, seed=4, points_to_win=5, names=["Ann", "Bob", "a bot"])
pick = random.Random(4)
while not game.over:
    game.play(pick.choice(game.legal_actions))
game.comment("well played")

record = game.record()
text = record.text()
print(text[:900], "...\n")

replayed = hexholm.Game.from_record(text)
assert replayed == game
print("Played again to the same position:", replayed.position() == game.position())

# A seat's own copy hides what that seat could not see: `?`.
print("What the last player saw of it:", record.seen_by(game.colors[2]).text().count("?"), "things are hidden")

# A position is one line; a game can go on from it.
continued = hexholm.Game.from_position(game.position())
print(continued.position()[:100], "...")
