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

from hexholm.rules.colors import Color, SeatNumber
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.encoding.lanes import count_cards
from hexholm.rules.encoding.phases import DISCARDING, DRAW, THEFT
from hexholm.rules.encoding.structs import NATURE, SEATS, State
from hexholm.rules.queries import total_points
from hexholm.rules.referee import Step

from ..language.clean_text import quoted_text
from ..positions.position_words import PUBLIC
from ..result import Result
from .record_base import AnyRecord, RecordBase
from .steps import DRAWN_HIDDEN, STOLEN_HIDDEN, BadRecord, encode_handed, is_handed

OPEN_TAGS: Final = ("Event", "Site", "Date", "Round")
"""Tags of others' making that a copy keeps."""


def copy_for(record: AnyRecord, eyes: Color) -> AnyRecord:
    """The copy of a record for a color, or "public"."""
    if record.eyes == eyes:
        return record
    if record.eyes is not None:
        raise BadRecord(
            f"this is the copy for {record.eyes}; a copy for {quoted_text(eyes)} can only be made of the full record"
        )
    if eyes not in (PUBLIC, *record.colors):
        raise BadRecord(f"a copy for {quoted_text(eyes)}: the players are {', '.join(record.colors)}, or {PUBLIC}")
    seat = SEATS if eyes == PUBLIC else record.colors.index(eyes)
    tracker = record.checked_tracker()
    state = tracker.referee.state
    if record.start_hidden or any(state.discards[other_seat] for other_seat in range(SEATS)):
        raise BadRecord("no copy can be made: the game began in a position in which cards were hidden")
    copier = _Copier(seat)
    for actor, code in record.steps:
        before = state.copy()
        tracker.play(actor, code)
        copier.add_step(before, state, actor, code)
    copier.finish()
    public_view = tracker.referee.view(None)
    revealed_seats = [public_view.revealed[other_seat] >= 0 for other_seat in range(state.players)]
    points = tuple(
        total_points(state, other_seat) if revealed or other_seat == seat else state.points[other_seat]
        for other_seat, revealed in enumerate(revealed_seats)
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
        revealed=tuple(public_view.revealed[other_seat] for other_seat in range(state.players))
        if all(revealed_seats)
        else None,
        tags={name: text for name, text in record.tags.items() if name in OPEN_TAGS},
    )


def without_amounts(copy: AnyRecord, model: RecordBase) -> AnyRecord:
    """A copy without what those Monopolies brought of which `model` does not tell it: older copies told of none."""
    next_codes = [*(code for _, code in model.steps[1:]), act.NOTHING]
    amounts_told = iter(
        [
            is_handed(next_code)
            for (_, code), next_code in zip(model.steps, next_codes, strict=True)
            if _is_monopoly(code)
        ]
    )
    keep, steps = True, []
    for seat, code in copy.steps:
        if _is_monopoly(code):
            keep = next(amounts_told, True)
        if keep or not is_handed(code):
            steps.append(Step(seat, code))
    return replace(copy, steps=tuple(steps))


def _is_monopoly(code: int) -> bool:
    return act.kind_of(code) == act.MONOPOLY_CARD and not is_handed(code)


class _Copier:
    """The steps of a game as one seat saw them."""

    def __init__(self, seat: SeatNumber) -> None:
        self.seat = seat
        self.steps: list[Step] = []
        self.own_discards: list[Step] = []
        """The seat's own discards of the seven in hand, as they were chosen."""

    def add_step(self, before: State, after: State, actor: SeatNumber, code: int) -> None:
        """A step that led from one position to another."""
        if before.phase == DISCARDING:
            self.discard(before, after, actor, code)
        elif before.phase == THEFT and self.seat not in (before.active, before.victim):
            self.steps.append(Step(NATURE, STOLEN_HIDDEN))
        elif before.phase == DRAW and self.seat != before.active:
            self.steps.append(Step(NATURE, DRAWN_HIDDEN))
        else:
            self.steps.append(Step(actor, code))
            if act.kind_of(code) == act.MONOPOLY_CARD:
                losses = (
                    count_cards(before.hand[seat]) - count_cards(after.hand[seat]) for seat in range(before.players)
                )
                self.steps.append(Step(NATURE, encode_handed(max(n, 0) for n in losses)))

    def discard(self, before: State, after: State, actor: SeatNumber, code: int) -> None:
        """A discard is chosen in secret; when the last is in, all are carried out together and lie open (SEVEN-05)."""
        if actor == self.seat:
            self.own_discards.append(Step(actor, code))
        if after.phase == DISCARDING:
            return
        for seat in range(before.players):
            cards = before.hand[seat] - after.hand[seat]
            if seat == self.seat:
                self.steps += self.own_discards
            elif cards:
                self.steps.append(Step(seat, act.discard_action(cards)))
        self.own_discards = []

    def finish(self) -> None:
        """The record ends here: of discards that are not all in, only one's own."""
        self.steps += self.own_discards
