"""Checks the dice of a record: did every roll, theft and draw come from the committed key?

    >>> import dataclasses, hexholm
    >>> from hexholm.game.records.verify_dice import verify_dice
    >>> from hexholm.game.dice_proof import DiceProof, PROOF_TAG, commitment
    >>> key = bytes(range(32))
    >>> proof = DiceProof("table7", commitment("table7", key), key=key)
    >>> game = hexholm.Game(edition="fifth", first="red", setup="fixed", dealer=proof.dealer())
    >>> events = game.play("roll")
    >>> record = dataclasses.replace(game.record(), tags={PROOF_TAG: proof.text()})
    >>> verification = verify_dice(record)
    >>> verification.ok, verification.draws
    (True, {'dice': 1})

The record is replayed by its own steps, and at each outcome the dealer of the proof says what it would have
dealt.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from hexholm.older_names import with_older_names
from hexholm.rules.colors import Color
from hexholm.rules.encoding.structs import NATURE
from hexholm.rules.errors import BadInput
from hexholm.rules.queries import draws_used, outcome_at

from ..dealers import Chance
from ..dice_proof import PROOF_TAG, BadProof, DiceProof, DrawStream, ProvableDealer, ProvableDraw, locate_draw
from ..game import Record
from ..record_format.record_base import RecordBase
from ..record_format.steps import BadRecord
from ..record_format.turn_tracker import TURNS, CheckedTurnTracker


@dataclass(frozen=True, slots=True)
class RecordedDraw:
    """An outcome of a record: where it stands among the draws, and which numbers below the chances lead to it."""

    step: int
    turn: int
    """0: before the first turn."""
    player: Color
    """Who rolls, steals or draws."""
    outcome: str
    stream: DrawStream
    count: int
    chances: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class CheckedDraw:
    """An outcome of a record and the draw that should have led to it."""

    step: int
    turn: str
    outcome: str
    expected: str
    draw: ProvableDraw

    @property
    def ok(self) -> bool:
        """Whether the outcome is the one that the key decides."""
        return self.outcome == self.expected


@with_older_names(checked="checked_draws")
@dataclass(frozen=True, slots=True)
class DiceVerification:
    """The result of checking the dice of a record."""

    proof: DiceProof
    checked_draws: tuple[CheckedDraw, ...]
    problems: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems

    @property
    def draws(self) -> dict[str, int]:
        """How many outcomes were checked, by stream."""
        return dict(Counter(checked_draw.draw.stream for checked_draw in self.checked_draws))


def proof_of(record: RecordBase) -> DiceProof:
    """The proof in a record; raises BadProof if it has none."""
    text = record.tags.get(PROOF_TAG)
    if text is None:
        raise BadProof(
            f"this record carries no proof of its dice (no tag {PROOF_TAG}): a game that is not over yet and a seat's "
            "copy leave it out; games at a companion table, lessons, games with a dealer of one's own and those of "
            "older versions have none"
        )
    return DiceProof.read(text)


def verify_dice(record: Record | str) -> DiceVerification:
    """Check every outcome of a record against its proof; raises BadInput if there is nothing to check."""
    if isinstance(record, str):
        record = Record.read(record)
    proof = proof_of(record)
    dealer = proof.dealer()
    problems = []
    if not proof.check_commitment():
        problems.append("the key is not the one that was committed to before the game")
    problems += [f"the word of {color} is not the one that {color} promised" for color in proof.broken_promises()]
    checked_draws, obstacle = _check_draws(record, dealer)
    problems += [
        f"{draw.turn}: the key decides {draw.expected}, the record says {draw.outcome}"
        for draw in checked_draws
        if not draw.ok
    ]
    if obstacle:
        problems.append(f"the game cannot have gone on like that: {obstacle}")
    return DiceVerification(proof, checked_draws, tuple(problems))


def recorded_draws(record: Record) -> tuple[RecordedDraw, ...]:
    """All outcomes of a record as draws, for those who have the key and check the numbers themselves.

    Raises BadInput for a record that begins in the middle, or that the rules do not allow.
    """
    return tuple(_recorded_draw(due) for due in _outcomes(record))


class _DueOutcome(NamedTuple):
    """An outcome of a record, before it is played."""

    step: int
    tracker: CheckedTurnTracker
    chance: Chance
    code: int


def _outcomes(record: Record) -> Iterator[_DueOutcome]:
    """The outcomes of a record, each while the game waits for it; raises BadRecord where it cannot be played on."""
    if record.start is not None:
        raise BadInput("this game began in the middle: its dice cannot be counted from the beginning")
    tracker = record.checked_tracker()
    referee = tracker.referee
    outcomes = thefts_and_starts = 0
    for number, (seat, code) in enumerate(record.steps, 1):
        state = referee.state
        if seat == NATURE and referee.chance():
            draw_uses = draws_used(state.phase)
            yield _DueOutcome(number, tracker, Chance(state, record.colors, outcomes, thefts_and_starts), code)
            outcomes, thefts_and_starts = outcomes + 1, thefts_and_starts + draw_uses
        tracker.play(seat, code)


def _recorded_draw(due: _DueOutcome) -> RecordedDraw:
    chance, tracker = due.chance, due.tracker
    stream, count, chances = locate_draw(chance)
    numbers = [number for number in range(chances) if outcome_at(chance.state, number) == due.code]
    if not numbers:
        raise BadRecord(f"{tracker.turn_label}: {tracker.referee.action_text(due.code)} cannot come out there")
    return RecordedDraw(
        step=due.step,
        turn=tracker.turn if tracker.part == TURNS else 0,
        player=chance.player,
        outcome=tracker.referee.action_text(due.code),
        stream=stream,
        count=count,
        chances=chances,
        first=numbers[0],
        last=numbers[-1],
    )


def _check_draws(record: Record, dealer: ProvableDealer) -> tuple[tuple[CheckedDraw, ...], str]:
    """All outcomes with the draws they should come from, as far as the record can be played, and why no further."""
    checked_draws: list[CheckedDraw] = []
    try:
        for number, tracker, chance, code in _outcomes(record):
            text = tracker.referee.action_text
            draw, expected = dealer.draw(chance), text(dealer.deal(chance))
            checked_draws.append(CheckedDraw(number, tracker.turn_label, text(code), expected, draw))
    except BadRecord as error:  # as after an outcome that was changed
        return tuple(checked_draws), str(error)
    return tuple(checked_draws), ""
