"""Imagine the worlds that fit what a seat has seen: the ground of every honest search.

`view.sample(rng)` gives a whole game, with hidden hands by their true odds and dice of its own.

    python examples/07_imagine_worlds.py
"""

import random
from collections import Counter

import hexholm

game = hexholm.Game(edition="sixth", seed=35)
pick = random.Random(35)
for _ in range(300):
    game.play(pick.choice(game.legal_actions))

view, rng = game.view("blue"), random.Random(0)
opponent = max((c for c in view.colors if c != "blue"), key=view.development_count)
worlds = [view.sample(rng) for _ in range(400)]
assert all(world.view("blue") == view for world in worlds)  # blue cannot tell them apart

counts = Counter("knight" if world.referee.development(opponent)["knight"] else "no knight" for world in worlds)
print(
    f"{opponent} has {view.development_count(opponent)} hidden development cards; in {len(worlds)} worlds:",
    dict(counts),
)
print(f"exactly: a knight with probability {view.development_probability(opponent, 'knight'):.3f}")

# Play one of them on: nothing of it touches the real game.
world, unchanged = worlds[0], game.copy()
while not world.over:
    world.play(rng.choice(world.legal_actions))
print("in that world", world.winner, "wins; the game itself goes on at turn", game.turn)
assert game == unchanged
