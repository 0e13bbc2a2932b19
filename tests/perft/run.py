"""Check or make perft counts.

python -m tests.perft.run                  # every count of every file, by the compiled core
python -m tests.perft.run --twin 2         # the counts up to depth 2 again, by the naive twin
python -m tests.perft.run --make 5         # print counts up to depth 5 for every position
python -m tests.perft.run --make 3 --only club --write    # and keep them in place of those that the files have
"""

from __future__ import annotations

import argparse
import sys
import time

from hexholm.rules.perft import perft
from tests.perft.positions import every_position, keep, twin_perft


def main() -> int:
    """Compare or print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--twin", type=int, default=0, metavar="DEPTH")
    parser.add_argument("--make", type=int, default=0, metavar="DEPTH")
    parser.add_argument("--only", default="", help="positions whose id holds this")
    parser.add_argument("--write", action="store_true", help="with --make: keep the counts")
    arguments = parser.parse_args()
    made: dict[str, list[str]] = {}
    wrong = checked = 0
    for position in every_position():
        if arguments.only not in position.id:
            continue
        state = position.referee().state
        depths = range(1, arguments.make + 1) if arguments.make else sorted(position.counts)
        for depth in depths:
            started = time.perf_counter()
            counts = perft(state, depth)
            seconds = time.perf_counter() - started
            if depth <= arguments.twin and (twin_counts := twin_perft(position.twin(), depth)) != counts:
                print(f"{position.id} depth {depth}: core {counts}, twin {twin_counts}")
                wrong += 1
            checked += 1
            if arguments.make:
                made.setdefault(position.id, []).append(f"perft    {depth} {counts[0]} {counts[1]}")
                print(f"{position.id:32} perft {depth} {counts[0]} {counts[1]}    # {seconds:.2f} s")
            elif counts != position.counts[depth]:
                print(f"{position.id} depth {depth}: counted {counts}, the file says {position.counts[depth]}")
                wrong += 1
    if arguments.write and not wrong:
        keep(made)
    print(f"{checked - wrong} passed, {wrong} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
