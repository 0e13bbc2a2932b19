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
        wanted = [action for action in view.legal_actions if action.kind == kind]
        if wanted:
            return max(wanted, key=lambda action: view.layout.pips(action.place) if action.place else 0)
    return rng.choice(view.legal_actions)


def anything(view: hexholm.SeatView, rng: random.Random) -> hexholm.Action:
    """Any legal action."""
    return rng.choice(view.legal_actions)


def play(seed: int) -> str | None:
    """One game, the builder in a seat that changes; the winner's name."""
    game, rng = hexholm.Game(seed=seed), random.Random(seed)
    mine = game.colors[seed % 4]
    while not game.over:
        seat = game.to_act[0]
        player = builder if seat == mine else anything
        game.play(player(game.view(seat), rng))
    return "builder" if game.winner == mine else "anything"


if __name__ == "__main__":
    won = Counter(play(seed) for seed in range(8))
    print(f"one builder against three others: it won {won['builder']} of {won.total()} games")
