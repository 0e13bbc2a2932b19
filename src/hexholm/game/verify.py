"""Checking records: was this game played by the rules, and did it end as it says?

    >>> from hexholm.game.verify import verify
    >>> verdict = verify(record)                              # doctest: +SKIP
    >>> verdict.ok, verdict.problems                          # doctest: +SKIP
    (True, ())

A full record is played again: every action must be legal, every outcome possible, the result and the hash of the last
position right. A seat's copy has outcomes that its reader may not know. It is right if there is a world in which all
of it can have happened: one is looked for (:mod:`.verify_copy`), checked like any full record, and handed back as
`verdict.witness`; its own copy for that seat is the same text, byte by byte.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest

from hexholm.rules.core.lanes import count
from hexholm.rules.core.layout import VICTORY_POINT, State
from hexholm.rules.core.phases import OVER
from hexholm.rules.errors import BadInput

from .game import Result
from .record import Record, final_hash
from .record_text import result_text
from .record_walk import BadRecord


@dataclass(frozen=True)
class Verdict:
    """What came of checking a record."""

    ok: bool
    problems: tuple[str, ...] = ()
    witness: Record | None = None
    """For a copy that is right: a full record that looks just like it to that seat."""

    def __bool__(self) -> bool:
        return self.ok

    def __str__(self) -> str:
        return "; ".join(self.problems) or "all right"


def verify(record: Record | str) -> Verdict:
    """Check a record, or the text of one."""
    try:
        if isinstance(record, str):
            record = Record.read(record)
        if record.eyes is not None:
            return _verify_copy(record)
        problems = _problems(record)
    except BadInput as no:
        return Verdict(False, (str(no),))
    return Verdict(not problems, tuple(problems))


def _problems(record: Record) -> list[str]:
    """All that is wrong with a full record whose actions are legal; raises BadRecord if they are not."""
    guide = record.guide()
    guide.replay(record.steps)
    problems = []
    true = true_result(record, guide.referee.state)
    if true != record.result:
        problems.append(f"the result is {result_text(true)!r}, not {result_text(record.result)!r}")
    if record.final is not None and (final := final_hash(guide.referee)) != record.final:
        problems.append(f"the game ends in another position than it says: Final is {final}, not {record.final}")
    return problems


def true_result(record: Record, state: State) -> Result | None:
    """The result of a game that came to `state`: who has won, or else how the record says it was cut."""
    points = tuple(
        state.points[seat] + count(state.cards[seat], VICTORY_POINT) * state.points_card
        for seat in range(state.players)
    )
    said = record.result
    if state.phase == OVER:
        note = said.note if said is not None and said.how == "won" else ""
        return Result("won", record.colors[state.winner], points, note)
    if said is None or said.how == "won":
        return None
    return Result(said.how, None, points, said.note)


def _verify_copy(record: Record) -> Verdict:
    from .verify_copy import find_world

    try:
        witness = find_world(record)
    except BadRecord as no:
        return Verdict(False, (f"no game looks like this to {record.eyes}: {no}",))
    said, seen = record.text().splitlines(), witness.seen_by(record.eyes).text().splitlines()
    for line, true in zip_longest(said, seen, fillvalue="nothing more"):
        if line != true:
            return Verdict(False, (f"{record.eyes} would not see {line.strip()!r} but {true.strip()!r}",))
    return Verdict(True, (), witness)
