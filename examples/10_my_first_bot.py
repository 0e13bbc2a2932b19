"""A player of your own in fifteen lines, in a tournament against those that come with Hexholm.

It can also be named on the command line, and be proved:

    python examples/10_my_first_bot.py
    hexholm tournament examples/10_my_first_bot.py:Builder random random random --games 40
    hexholm bots --check examples/10_my_first_bot.py:Builder

More in docs/how-to/write-a-bot.md.
"""

import random

import hexholm
from hexholm.arena import tournament


class Builder:
    """Builds whatever is worth most, and trades with nobody."""

    likes = ("city", "settlement", "buy", "knight", "road", "roll", "reject")

    def __init__(self, seed: int | str = 0) -> None:
        self.rng = random.Random(seed)

    def choose(self, view: hexholm.SeatView) -> hexholm.Action:
        """The best of what it likes most, else anything."""
        for kind in self.likes:
            if candidates := [action for action in view.legal_actions if action.kind == kind]:
                return max(candidates, key=lambda action: view.layout.pips(action.place) if action.place else 0)
        return self.rng.choice(view.legal_actions)


if __name__ == "__main__":
    result = tournament([Builder, "random", "random", "random"], games=20, seed=5)
    for row in result.players:
        share = f"{row.win_share:.0%}, 95 % interval {row.low:.0%} to {row.high:.0%}"
        print(f"{row.name:<8} won {row.wins} of {row.seat_games}: {share}")
    print(f"{result.games} games say little, hence the wide intervals; 400 are good for a first look.")
