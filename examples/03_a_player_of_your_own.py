"""A player in fifteen lines, and a table of four to try it at.

A player looks through a view and chooses an action. It is not given the game itself; one that looks
for it all the same, in the memory of the process, is found by `hexholm.testing.check_bot`.

    python examples/03_a_player_of_your_own.py
"""

import random
from collections import Counter

import hexholm

LIKES = ("city", "settlement", "buy", "knight", "road")  # best first; all else by chance


def builder(view: hexholm.SeatView, rng: random.Random) -> hexholm.Action:
    """Build what is worth most, if anything can be built."""
    for kind in LIKES:
        candidates = [action for action in view.legal_actions if action.kind == kind]
        if candidates:
            return max(candidates, key=lambda action: view.layout.pips(action.place) if action.place else 0)
    return rng.choice(view.legal_actions)


def choose_any(view: hexholm.SeatView, rng: random.Random) -> hexholm.Action:
    """Any legal action."""
    return rng.choice(view.legal_actions)


def play(seed: int) -> str | None:
    """One game, the builder in a seat that changes; the winner's name."""
    game, rng = hexholm.Game(seed=seed), random.Random(seed)
    builder_color = game.colors[seed % 4]
    while not game.over:
        color = game.to_act[0]
        player = builder if color == builder_color else choose_any
        game.play(player(game.view(color), rng))
    return "builder" if game.winner == builder_color else "anything"


if __name__ == "__main__":
    wins = Counter(play(seed) for seed in range(8))
    print(f"one builder against three others: it won {wins['builder']} of {wins.total()} games")
