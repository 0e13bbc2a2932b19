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

from hexholm.rules.editions import EDITIONS
from hexholm.testing import Report, check_bot
from tests.bots.scenes import LABELS


def counted(who: str, worlds: int, **given: Any) -> Report:
    """At least so many other worlds, from as many games of each edition as of any other; ends early with a fault."""
    whole = Report(who)
    for number in count():
        others = who if number % 2 else "easy"
        for edition in EDITIONS:
            one = check_bot(who, editions=[edition], games=1, seed=number, opponent=others, raises=False, **given)
            whole.games += one.games
            whole.worlds += one.worlds
            whole.times += one.times
            for check, lines in one.faults.items():
                for line in lines:
                    whole.fault(check, line)
        if whole.worlds >= worlds or not whole.ok:
            break
    return whole


def main(words: Sequence[str] | None = None, **given: Any) -> int:
    """A line for each player; 1 if any of them chose otherwise somewhere, or could not be proved at all."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("players", nargs="*", default=LABELS, help=f"(default {' '.join(LABELS)})")
    parser.add_argument("--worlds", type=int, default=200, help="at least so many for each player (default 200)")
    chosen = parser.parse_args(words)
    bad = 0
    for who in chosen.players:
        found = counted(who, chosen.worlds, **given)
        differences = len(found.faults.get("honest", ()))
        played = f"{found.decisions} decisions in {found.games} games of {len(EDITIONS)} editions"
        print(f"{who}: {found.worlds} worlds, {played}, {differences} differences", flush=True)
        if not found.ok:
            print(found, file=sys.stderr, flush=True)
            bad = 1
    return bad


if __name__ == "__main__":
    sys.exit(main())
