"""What a seat may know, what it can infer, and the odds of what it cannot see.

python examples/02_through_the_eyes_of_a_seat.py
"""

import random

import hexholm

game = hexholm.Game(edition="sixth", seed=33)
pick = random.Random(33)
for _ in range(300):
    game.play(pick.choice(game.legal_actions))

view = game.view("blue")  # holds only what blue may know
print(view)
print()
for color in view.colors:
    if color != view.seat:
        unsure = {kind: span for kind, span in view.ranges(color).items() if span[0] < span[1]}
        print(f"{color:<7} has a hand of {view.hand_size(color)}; not sure about", unsure or "nothing")
        print(f"        a wool: {view.probability_of(color, '1 wool'):.0%}", end="")
        print(f"   a knight among the hidden cards: {view.development_probability(color, 'knight'):.0%}")

# The public sees less than any seat: nobody's hand.
assert game.view(None).hand.total == 0
