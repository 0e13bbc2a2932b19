"""What those who play agree on: a pause, an end, that somebody's seat is taken away. Nobody decides it alone.

- A *pause* needs all who play and are not away.
- An *end* needs all who play, but for those who have been away for days: who is away may return at any moment, and
  must find the game that was left.
- A *seat* is taken away if all others want it who play and are not away, and they are at least two: one alone would be
  no agreement. Of somebody who has been away for days one is enough, for then a bot only stands in until they are back.

The same holds around a real board: whoever set up the table for all has no more to say than the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from typing import Final

from hexholm.rules.colors import Color

from ..bot_pool.bot_pool import SUBSTITUTE_BOT
from ..table_literals import Wish
from . import log
from .seats import Seat

KICKERS: Final = 2
"""So many must want it that somebody who is there loses the seat."""
Wishes = Mapping[Wish, AbstractSet[Color]]


def asked_to_agree(wish: Wish, seats: Iterable[Seat]) -> set[Color]:
    """Whose word a wish needs."""
    return {seat.color for seat in seats if seat.plays and not (seat.away if wish == "pause" else seat.long_gone)}


def asked_to_kick(target: Seat, seats: Iterable[Seat]) -> set[Color]:
    """Whose word it needs that a seat is taken away."""
    return {seat.color for seat in seats if seat.plays and not seat.away and seat.color != target.color}


def can_be_kicked(target: Seat, seats: Iterable[Seat]) -> bool:
    """Whether there are enough to agree on it."""
    return len(asked_to_kick(target, seats)) >= (1 if target.long_gone else KICKERS)


def kick_outcome(target: Seat, seats: Iterable[Seat], wishing: AbstractSet[Color]) -> log.EntryBody | None:
    """What comes of it if those want that a seat be taken away; None: not all have agreed."""
    all_seats = tuple(seats)
    if not can_be_kicked(target, all_seats) or not asked_to_kick(target, all_seats) <= wishing:
        return None
    return stand_in(target) if target.away else bot_takes(target)


def stand_in(seat: Seat) -> log.AwayChanged:
    """That a bot plays a seat until its person is back."""
    return log.AwayChanged(color=seat.color, away=True, bot_name=SUBSTITUTE_BOT)


def bot_takes(seat: Seat) -> log.Seated:
    """That a bot sits on a seat from now on, in place of the person."""
    bot_name = seat.bot_name or SUBSTITUTE_BOT
    return log.Seated(color=seat.color, sitter="bot", name=bot_name, bot_name=bot_name)


def agreed_outcome(seats: Iterable[Seat], wishes: Wishes, *, paused: bool) -> log.EntryBody | None:
    """What all those have agreed on who are asked; None: nothing. An end comes before a pause."""
    all_seats = tuple(seats)
    playing = {seat.color for seat in all_seats if seat.plays}
    for wish in ("end", "pause"):
        wishing = wishes[wish] & playing
        if not wishing or (wish == "pause" and paused) or not asked_to_agree(wish, all_seats) <= wishing:
            continue
        return log.Ended(how="agreed") if wish == "end" else log.Paused(on=True, by=min(wishing))
    return None
