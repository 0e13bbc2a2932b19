"""Stand-ins for a casual player: `hexholm tournament bench/casual.py:Casual easy easy easy --games 1000 --seed 9006`.

Who plays now and then sees as much as `medium` in one decision, and overlooks as much as `easy` in the next. How often
such a player beats three of a level says which level to offer first: about one game in three is wanted. How often
people see as much is not known, so there are three stand-ins: never, in one decision of four, in one of two.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import TYPE_CHECKING

from hexholm.bots.shipped.compiled import Medium
from hexholm.bots.shipped.easy import Easy

if TYPE_CHECKING:
    from hexholm.game.action import Action
    from hexholm.game.game import SeatView


class Casual:
    """`medium` in every second decision, by the toss of a coin; `easy` in the others."""

    def __init__(self, seed: int | str = 0) -> None:
        self._coin = random.Random(f"casual {seed}")
        easy, medium = Easy(seed), Medium(seed)
        medium._memory = easy._memory  # one head: what one of them has offered, the other does not offer again
        self._players = easy, medium

    def choose(self, view: SeatView) -> Action | int | str:
        """What one of the two would do."""
        return self._deciding_player().choose(view)

    def remind(self, turn: int, own_offers: Iterable[Action], countered: Iterable[str] = ()) -> None:
        """What was offered on this turn; they share a memory, so to tell one is enough."""
        self._players[0].remind(turn, own_offers, countered)

    def _deciding_player(self) -> Easy | Medium:
        """Who decides now."""
        return self._coin.choice(self._players)


class Casual25(Casual):
    """`medium` in one decision of four."""

    medium_share = 0.25

    def _deciding_player(self) -> Easy | Medium:
        easy, medium = self._players
        return medium if self._coin.random() < self.medium_share else easy


class Casual0(Casual25):
    """`easy` in all of them: it should win a quarter of its games against three of its kind."""

    medium_share = 0.0
