"""Checks records: was this game played by the rules, and did it end as it says?

    >>> import hexholm
    >>> from hexholm.game.records.verify import verify
    >>> game = hexholm.Game(edition="fifth", setup="fixed", first="red", seed=7)
    >>> events = game.play("roll")
    >>> verification = verify(game.record())
    >>> verification.ok, verification.problems
    (True, ())
    >>> verify(game.record("blue").text()).witness == game.record()
    True
    >>> print(verify(game.record().text() + "; buy"))
    line 13: turn 1: red buy: you cannot pay for that: it costs 1 wool, 1 grain, and 1 ore (BUILD-01); legal now: ...

A full record is replayed: every action must be legal, every outcome possible, and the result and the hash of the last
position right. A seat's copy has outcomes that its reader may not know. It is right if there is a world in which all
of it could have happened. The check looks for one (:mod:`.verify_copy`), checks it like any full record, and returns it
as `verification.witness`; its copy for that seat is the same text, byte for byte. (Older copies do not say what a
Monopoly brought; then the witness's copy may say more in these places.)
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest

from hexholm.rules.errors import BadInput

from ..game import Record
from ..language.clean_text import quoted_text
from ..record_format.record_base import final_hash, true_result
from ..record_format.seat_copy import without_amounts
from ..record_format.steps import BadRecord
from ..record_format.text_form import result_text
from .verify_copy import find_world


@dataclass(frozen=True)
class Verification:
    """The result of checking a record."""

    ok: bool
    problems: tuple[str, ...] = ()
    witness: Record | None = None
    """For a copy that is right: a full record that looks just like it to that seat."""

    def __bool__(self) -> bool:
        return self.ok

    def __str__(self) -> str:
        return "; ".join(self.problems) or "all right"


def verify(record: Record | str) -> Verification:
    """Check a record, or the text of one."""
    try:
        if isinstance(record, str):
            record = Record.read(record)
        if record.eyes is not None:
            return _verify_copy(record)
        problems = _problems(record)
    except BadInput as error:
        return Verification(False, (str(error),))
    return Verification(not problems, tuple(problems))


def _problems(record: Record) -> list[str]:
    """All that is wrong with a full record whose actions are legal; raises BadRecord if they are not."""
    tracker = record.checked_tracker()
    tracker.replay(record.steps)
    problems = []
    result = true_result(record, tracker.referee.state)
    if result != record.result:
        problems.append(
            f"the result is {quoted_text(result_text(result))}, not {quoted_text(result_text(record.result))}"
        )
    if record.final is not None and (final := final_hash(tracker.referee)) != record.final:
        problems.append(f"the game ends in another position than it says: Final is {final}, not {record.final}")
    return problems


def _excerpt(line: str, column: int) -> str:
    """The part of a line in which it differs from another, in quotes."""
    start = max(column - 30, 0)
    return quoted_text("..." * (start > 0) + line[start:].strip())


def _verify_copy(record: Record) -> Verification:
    try:
        witness = find_world(record)
    except BadRecord as error:
        return Verification(False, (f"no game looks like this to {record.eyes}: {error}",))
    copy = without_amounts(witness.seen_by(record.eyes), model=record)
    for line, expected in zip_longest(record.text().splitlines(), copy.text().splitlines(), fillvalue="nothing more"):
        if line != expected:
            column = next(
                (n for n, (a, b) in enumerate(zip(line, expected, strict=False)) if a != b),
                min(len(line), len(expected)),
            )
            return Verification(
                False, (f"{record.eyes} would not see {_excerpt(line, column)} but {_excerpt(expected, column)}",)
            )
    return Verification(True, (), witness)
