"""A seat's copy of a game: the same record, with `?` for what that seat may not know (INFO-01 to INFO-09).

Two games that look the same to a seat give the same copy, byte by byte. So a copy has no hash of the last position (on
which guesses could be tried), no remarks and no tags of other people's making. The order in which others chose their
discards is hidden (SEVEN-05): all discards of a seven stand in the order of the seats, and nothing of those that are
not yet carried out is told but one's own. What a Monopoly brought was open to all (INFO-09) and could not be worked
out again from a copy, so it is written behind the card.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from hexholm.rules.core.encoding import actions as act
from hexholm.rules.core.encoding.lanes import total
from hexholm.rules.core.encoding.structs import NATURE, SEATS, State
from hexholm.rules.core.phases import DISCARDING, DRAW, THEFT
from hexholm.rules.queries import total_points

from ..language.clean_text import quoted
from ..positions.position_words import PUBLIC
from ..result import Result
from .record_data import AnyRecord, RecordData
from .walk import DRAWN_HIDDEN, STOLEN_HIDDEN, BadRecord, encode_handed, is_handed

OPEN_TAGS: Final = ("Event", "Site", "Date", "Round")
"""Tags of others' making that a copy keeps."""
RecordStep = tuple[int, int]


def copy_for(record: AnyRecord, eyes: str) -> AnyRecord:
    """The copy of a record for a colour, or "public"."""
    if record.eyes == eyes:
        return record
    if record.eyes is not None:
        raise BadRecord(
            f"this is the copy for {record.eyes}; a copy for {quoted(eyes)} can only be made of the full record"
        )
    if eyes not in (PUBLIC, *record.colors):
        raise BadRecord(f"a copy for {quoted(eyes)}: the players are {', '.join(record.colors)}, or {PUBLIC}")
    seat = SEATS if eyes == PUBLIC else record.colors.index(eyes)
    guide = record.guide()
    state = guide.referee.state
    if record.start_hidden or any(state.chosen[other] for other in range(SEATS)):
        raise BadRecord("no copy can be made: the game began in a position in which cards were hidden")
    copier = _Copier(seat)
    for who, code in record.steps:
        before = state.copy()
        guide.play(who, code)
        copier.take(before, state, who, code)
    copier.finish()
    seen = guide.referee.view(None)
    open_to_all = [seen.revealed[other] >= 0 for other in range(state.players)]
    points = tuple(
        total_points(state, other) if shown or other == seat else state.points[other]
        for other, shown in enumerate(open_to_all)
    )
    result = record.result and Result(record.result.how, record.result.winner, points, record.result.note)
    return replace(
        record,
        steps=tuple(copier.steps),
        comments={},
        taken_back={},
        result=result,
        eyes=eyes,
        final=None,
        revealed=tuple(seen.revealed[other] for other in range(state.players)) if all(open_to_all) else None,
        tags={name: text for name, text in record.tags.items() if name in OPEN_TAGS},
    )


def without_amounts(copy: AnyRecord, like: RecordData) -> AnyRecord:
    """A copy without what those Monopolies brought of which `like` does not tell it: older copies told of none."""
    following = [*(code for _, code in like.steps[1:]), act.NOTHING]
    told = iter([is_handed(after) for (_, code), after in zip(like.steps, following, strict=True) if _monopoly(code)])
    keep, steps = True, []
    for seat, code in copy.steps:
        if _monopoly(code):
            keep = next(told, True)
        if keep or not is_handed(code):
            steps.append((seat, code))
    return replace(copy, steps=tuple(steps))


def _monopoly(code: int) -> bool:
    return act.kind_of(code) == act.MONOPOLY_CARD and not is_handed(code)


class _Copier:
    """The steps of a game as one seat saw them."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.steps: list[RecordStep] = []
        self.own: list[RecordStep] = []
        """The seat's own discards of the seven in hand, as they were chosen."""

    def take(self, before: State, after: State, who: int, code: int) -> None:
        """A step that led from one position to another."""
        if before.phase == DISCARDING:
            self.discard(before, after, who, code)
        elif before.phase == THEFT and self.seat not in (before.active, before.victim):
            self.steps.append((NATURE, STOLEN_HIDDEN))
        elif before.phase == DRAW and self.seat != before.active:
            self.steps.append((NATURE, DRAWN_HIDDEN))
        else:
            self.steps.append((who, code))
            if act.kind_of(code) == act.MONOPOLY_CARD:
                given = (total(before.hand[seat]) - total(after.hand[seat]) for seat in range(before.players))
                self.steps.append((NATURE, encode_handed(max(n, 0) for n in given)))

    def discard(self, before: State, after: State, who: int, code: int) -> None:
        """A discard is chosen in secret; when the last is in, all are carried out together and lie open (SEVEN-05)."""
        if who == self.seat:
            self.own.append((who, code))
        if after.phase == DISCARDING:
            return
        for other in range(before.players):
            cards = before.hand[other] - after.hand[other]
            if other == self.seat:
                self.steps += self.own
            elif cards:
                self.steps.append((other, act.discard(cards)))
        self.own = []

    def finish(self) -> None:
        """The record ends here: of discards that are not all in, only one's own."""
        self.steps += self.own
