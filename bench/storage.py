"""How much the storage of the host can take: `python -m bench.storage`.

So many writers append one entry after another, each to its own table and with the answer to its command, as tables do;
each waits for its commit before the next. One writer shows what a commit costs, many show what committing together
brings. The state of the disk decides the figures of `full`: `--folder` says which disk.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
import time
from pathlib import Path
from typing import get_args

from hexholm.host.storage import AnswerRow, EntryRow, Storage, Writes
from hexholm.host.storage.values import Durability

BODY = json.dumps({"kind": "played", "seat": "red", "steps": ["red roll", "chance dice 3 4"], "by": "person"})
ANSWER = json.dumps({"type": "accepted", "seq": 1000, "request": 1000})


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=2.0, help="time for each figure (default 2)")
    parser.add_argument("--writers", default="1,10,50,200,800", help="how many tables write at once")
    parser.add_argument("--folder", help="where to make the database (default: a temporary folder)")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of lines")
    arguments = parser.parse_args()
    rows = []
    for durability in get_args(Durability):
        for writers in map(int, arguments.writers.split(",")):
            with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
                rows.append(asyncio.run(measure(Path(folder) / "bench.db", durability, writers, arguments.seconds)))
    if arguments.json:
        print(json.dumps(rows))
        return
    print(f"{'durability':<12}{'writers':>8}{'commits/s':>12}{'entries/s':>12}{'median ms':>12}{'99 % ms':>12}")
    for row in rows:
        print(
            f"{row['durability']:<12}{row['writers']:>8}{row['commits']:>12,.0f}{row['entries']:>12,.0f}"
            f"{row['median']:>12.2f}{row['late']:>12.2f}"
        )


async def measure(path: Path, durability: Durability, writers: int, seconds: float) -> dict[str, float | str]:
    """Figures of one run; `median` and `late` (the 99th percentile) are milliseconds from append to its commit."""
    waits: list[float] = []

    async def write(storage: Storage, table: str, end: float) -> None:
        seq = 1
        while (started_at := time.perf_counter()) < end:
            seq += 1
            row = EntryRow(seq, started_at, "played", BODY, "0123456789abcdef")
            await storage.append(Writes(table, [row], answers=[AnswerRow("red", str(seq), ANSWER)]))
            waits.append(time.perf_counter() - started_at)

    async with Storage(path, durability=durability) as storage:
        tables = [f"table{number}" for number in range(writers)]
        await asyncio.gather(*(storage.append(Writes(table, [EntryRow(1, 0.0, "opened", "{}")])) for table in tables))
        commits_before, started_at = storage.figures.commits, time.perf_counter()
        await asyncio.gather(*(write(storage, table, started_at + seconds) for table in tables))
        spent = time.perf_counter() - started_at
        commits = storage.figures.commits - commits_before
    waits.sort()
    return {
        "durability": durability,
        "writers": writers,
        "commits": commits / spent,
        "entries": len(waits) / spent,
        "median": waits[len(waits) // 2] * 1000,
        "late": waits[len(waits) * 99 // 100] * 1000,
    }


if __name__ == "__main__":
    main()
