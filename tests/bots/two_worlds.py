"""In how many worlds that look alike to a seat its player chose the same: `python -m tests.bots.two_worlds`.

Every shipped player plays whole games of all editions, against `easy` and against itself by turns, under the eyes of
`check_bot`. At each of its decisions the hidden cards are dealt anew, so that its view stays the same; a player made
with the same seed must choose the same. Counted are worlds in which hidden cards truly lay otherwise.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from itertools import count
from typing import Any

from hexholm.rules.setup.editions import EDITIONS
from hexholm.testing import Report, check_bot
from tests.bots.scenes import LABELS


def check_worlds(label: str, worlds: int, **options: Any) -> Report:
    """At least so many other worlds, from as many games of each edition as of any other; ends early with a fault."""
    total = Report(label)
    for number in count():
        opponent = label if number % 2 else "easy"
        for edition in EDITIONS:
            report = check_bot(
                label, editions=[edition], games=1, seed=number, opponent=opponent, raises=False, **options
            )
            total.games += report.games
            total.worlds += report.worlds
            total.times += report.times
            for check, lines in report.faults.items():
                for line in lines:
                    total.note_fault(check, line)
        if total.worlds >= worlds or not total.ok:
            break
    return total


def main(words: Sequence[str] | None = None, **options: Any) -> int:
    """A line for each player; 1 if any of them chose otherwise somewhere, or could not be proved at all."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("players", nargs="*", default=LABELS, help=f"(default {' '.join(LABELS)})")
    parser.add_argument("--worlds", type=int, default=200, help="at least so many for each player (default 200)")
    arguments = parser.parse_args(words)
    bad = 0
    for label in arguments.players:
        report = check_worlds(label, arguments.worlds, **options)
        differences = len(report.faults.get("honest", ()))
        games_text = f"{report.decisions} decisions in {report.games} games of {len(EDITIONS)} editions"
        print(f"{label}: {report.worlds} worlds, {games_text}, {differences} differences", flush=True)
        if not report.ok:
            print(report, file=sys.stderr, flush=True)
            bad = 1
    return bad


if __name__ == "__main__":
    sys.exit(main())
