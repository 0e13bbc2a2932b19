"""A seat's copy of a game: the same record, with `?` for what that seat may not know (INFO-01 to INFO-09).

Two games that look the same to a seat give the same copy, byte by byte. So a copy has no hash of the last position (on
which guesses could be tried), no remarks and no tags of other people's making. The order in which others chose their
discards is hidden (SEVEN-05): all discards of a seven stand in the order of the seats, and nothing of those that are
not yet carried out is told but one's own.
"""

from __future__ import annotations

from typing import Final

from hexholm.rules.core import actions as act
from hexholm.rules.core.lanes import count, lane, widen
from hexholm.rules.core.layout import NATURE, SEATS, VICTORY_POINT, State
from hexholm.rules.core.phases import DISCARDING, DRAW, OVER, THEFT

from .game import Result
from .record import PUBLIC, Record
from .record_walk import DRAWN_HIDDEN, STOLEN_HIDDEN, BadRecord

OPEN_TAGS: Final = ("Event", "Site", "Date", "Round")
"""Tags of others' making that a copy keeps."""
Step = tuple[int, int]


def copy_for(record: Record, eyes: str) -> Record:
    """The copy of a record for a colour, or "public"."""
    if record.eyes == eyes:
        return record
    if record.eyes is not None:
        raise BadRecord(f"this is the copy for {record.eyes}; a copy for {eyes} can only be made of the full record")
    if eyes not in (PUBLIC, *record.colors):
        raise BadRecord(f"a copy for {eyes!r}: the players are {', '.join(record.colors)}, or {PUBLIC}")
    seat = SEATS if eyes == PUBLIC else record.colors.index(eyes)
    guide = record.guide()
    state = guide.referee.state
    if record.start_hidden or any(state.chosen[other] for other in range(SEATS)):
        raise BadRecord("no copy can be made: the game began in a position in which cards were hidden")
    copier = _Copier(seat)
    for who, code in record.steps:
        copier.take(state, who, code)
        guide.play(who, code)
        copier.settle(state)
    copier.finish()
    over = state.phase == OVER
    points = tuple(
        state.points[other] + (count(state.cards[other], VICTORY_POINT) * state.points_card) * (over or other == seat)
        for other in range(state.players)
    )
    result = record.result and Result(record.result.how, record.result.winner, points, record.result.note)
    return Record(
        options=record.options,
        layout=record.layout,
        names=record.names,
        steps=tuple(copier.steps),
        result=result,
        start=record.start,
        eyes=eyes,
        revealed=tuple(count(state.cards[other], VICTORY_POINT) for other in range(state.players)) if over else None,
        tags={name: text for name, text in record.tags.items() if name in OPEN_TAGS},
    )


class _Copier:
    """The steps of a game as one seat saw them."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.steps: list[Step] = []
        self.own: list[Step] = []
        self.chosen: dict[int, int] = {}
        """The discards of the seven in hand: the seat's own steps, and what each seat has chosen (lanes)."""

    def take(self, before: State, who: int, code: int) -> None:
        """A step that is about to be made in the position `before`."""
        if before.phase == DISCARDING:
            cards = lane(code >> 5) if code & 31 == act.DISCARD_CARD else widen(code >> 5)
            self.chosen[who] = self.chosen.get(who, 0) + cards
            if who == self.seat:
                done = before.owed[who] == (1 if code & 31 == act.DISCARD_CARD else before.owed[who])
                self.own = [(who, act.discard(self.chosen[who]))] if done else [*self.own, (who, code)]
        elif before.phase == THEFT and self.seat not in (before.turn, before.victim):
            self.steps.append((NATURE, STOLEN_HIDDEN))
        elif before.phase == DRAW and self.seat != before.turn:
            self.steps.append((NATURE, DRAWN_HIDDEN))
        else:
            self.steps.append((who, code))

    def settle(self, after: State) -> None:
        """When the last discards are in, all are carried out together."""
        if self.chosen and after.phase != DISCARDING:
            self.steps += [(who, act.discard(cards)) for who, cards in sorted(self.chosen.items())]
            self.chosen, self.own = {}, []

    def finish(self) -> None:
        """The record ends here: of discards that are not all in, only one's own."""
        self.steps += self.own
