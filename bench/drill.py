"""A drill for the day a database is lost: `python -m bench.drill`, on a PostgreSQL server of its own too: `--postgres`.

A database with many games is backed up while games go on in it; then it is destroyed and brought back with
`hexholm restore`, and opened again. Every move that was acknowledged before the backup began must be there, every log
must be a beginning of what was stored, and no table may be broken. It says how many seconds each step took.

It plays at tables that the tests of the host set up (`tests/host/halls.py`): they are those of a whole server, and
what a lost move looks like is known there.

Most games are copies of one that was played here, under ids of their own. Backup and restore run in processes of their
own, as an operator starts them, and so do their figures include the start of a program.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final

from hexholm.game.dice_proof import new_key
from hexholm.host.storage import EntryRow, Storage, Writes
from hexholm.host.table_literals import TableStatus
from hexholm.host.tables.hall.hall import Hall, new_id
from hexholm.host.tables.seats import Guest
from hexholm.host.wire import messages
from hexholm.host.wire.host_refusals import Declined
from tests.host.halls import PEOPLE, Party, open_party, set_up
from tests.host.postgres import running_cluster

UNFINISHED: Final = 5
"""One game in so many goes on."""
LIVE: Final = 8
"""Games in which somebody plays during the backup."""
AT_ONCE: Final = 20
"""Games that are copied in one go."""
Destroy = Callable[[], str]
"""Loses the database; the one to restore into."""


@dataclass
class Drill:
    """What was done, and how long it took."""

    games: int = 0
    entries: int = 0
    backup_bytes: int = 0
    acknowledged: int = 0
    """Moves that were acknowledged while the drill ran, before the database was destroyed."""
    seconds: dict[str, float] = field(default_factory=dict)
    after_backup: int = 0
    """Entries stored after the backup began that it does not hold: what is lost with the database."""

    @contextlib.contextmanager
    def timed(self, what: str) -> Iterator[None]:
        began = time.perf_counter()
        yield
        self.seconds[what] = round(time.perf_counter() - began, 2)

    def __str__(self) -> str:
        steps = ", ".join(f"{what} {seconds:.2f} s" for what, seconds in self.seconds.items())
        return (
            f"{self.games:,} games, {self.entries:,} entries, backup {self.backup_bytes / 1e6:.1f} MB; "
            f"{self.acknowledged:,} moves acknowledged meanwhile\n{steps}\n"
            f"nothing acknowledged before the backup was lost; {self.after_backup:,} later entries are gone with the "
            "database"
        )


async def run_drill(database: str, backup: Path, games: int, destroy: Destroy) -> Drill:
    """All of it. Raises AssertionError where something was lost."""
    drill = Drill()
    async with Storage(database) as storage:
        with drill.timed("fill"):
            live = await fill(storage, games)
        promised = await play_and_back_up(storage, live, ("backup", str(backup), "--db", database), drill)
        stored = await all_logs(storage)
    drill.games, drill.entries = len(stored), sum(map(len, stored.values()))
    restored = destroy()
    with drill.timed("restore"):
        await run_hexholm("restore", str(backup), "--db", restored)
    async with Storage(restored) as storage:
        compare(promised, stored, await all_logs(storage), drill)
        with drill.timed("open"):
            hall = await Hall.open(storage)
        try:
            with drill.timed("read every game"):
                for table_id in stored:
                    await hall.load(table_id)
            assert not hall.loaded_tables.broken, hall.loaded_tables.broken
        finally:
            await hall.close()
    return drill


async def all_logs(storage: Storage) -> dict[str, list[EntryRow]]:
    """What is stored of every table."""
    return {row.id: await storage.entries(row.id) for row in await storage.tables(limit=10**6)}


async def fill(storage: Storage, games: int) -> list[str]:
    """So many games, most of them over; the ids of some that go on."""
    async with open_party(storage) as party:
        await set_up(party, people=len(PEOPLE))
        await party.begin()
        await play(party.hall, party.id, 80)
        running = await storage.entries(party.id)
        for color in party.people:
            with contextlib.suppress(Declined):
                await party.hall.loaded(party.id).carry_out(party.people[color], messages.End(id=f"end {color}"))
        assert party.table.status == "over"
        over = await storage.entries(party.id)
        summaries = await _summaries(party)
    ids = [new_id() for _ in range(games - 1)]
    for start in range(0, len(ids), AT_ONCE):
        await asyncio.gather(
            *(
                _copy_game(storage, table_id, running if number % UNFINISHED == 0 else over, summaries)
                for number, table_id in enumerate(ids[start : start + AT_ONCE], start)
            )
        )
    return ids[::UNFINISHED][:LIVE]


async def _summaries(party: Party) -> str:
    row = await party.hall.services.storage.table(party.id)
    assert row is not None
    return row.summary


async def _copy_game(storage: Storage, table_id: str, rows: list[EntryRow], summary: str) -> None:
    status: TableStatus = "over" if any(row.tag in ("ended", "over") for row in rows) else "playing"
    await storage.append(Writes(table_id, rows, status=status, summary=summary, dice_key=new_key()))


async def play(hall: Hall, table_id: str, actions: int) -> int:
    """Random legal actions of whoever is asked; how many were acknowledged."""
    runner, pick = hall.loaded(table_id), random.Random(table_id)
    for number in range(actions):
        colors = runner.table.asked_colors()
        if not colors:
            return number
        seat, view = runner.table.seats[colors[0]], runner.table.view(colors[0])
        assert view is not None
        command = messages.Act(id=f"{runner.table.seq}", action=pick.choice(view.legal_actions.texts))
        await runner.carry_out(Guest(seat.guest_id, colors[0]), command)
    return actions


async def play_and_back_up(storage: Storage, live: list[str], command: tuple[str, ...], drill: Drill) -> dict[str, int]:
    """Back up while games go on; how far each of them was acknowledged when the backup began."""
    async with open_party(storage) as party:
        hall, calm = party.hall, asyncio.Event()
        acknowledged = dict.fromkeys(live, 0)

        async def play_on(table_id: str) -> None:
            while not calm.is_set() and (count := await play(hall, table_id, 5)):
                drill.acknowledged += count
                acknowledged[table_id] = hall.loaded(table_id).table.seq

        async with asyncio.TaskGroup() as group:
            for table_id in live:
                group.create_task(play_on(table_id))
            while not all(acknowledged.values()):  # noqa: ASYNC110  # nobody tells us
                await asyncio.sleep(0.01)
            promised = dict(acknowledged)
            with drill.timed("backup under load"):
                await run_hexholm(*command)
            calm.set()
    return promised


def compare(
    promised: dict[str, int], stored: dict[str, list[EntryRow]], there: dict[str, list[EntryRow]], drill: Drill
) -> None:
    """Raises AssertionError unless every log is a beginning of what was stored, with all that was promised."""
    assert there.keys() == stored.keys(), "a game is lost"
    for table_id, rows in stored.items():
        kept = there[table_id]
        assert kept == rows[: len(kept)], f"table {table_id}: the log is another one"
        assert len(kept) >= promised.get(table_id, 1), f"table {table_id}: an acknowledged move is lost"
        drill.after_backup += len(rows) - len(kept)


async def run_hexholm(*arguments: str) -> None:
    """A command of hexholm, in a process of its own."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "hexholm", *arguments, stderr=asyncio.subprocess.PIPE
    )
    _, told = await process.communicate()
    assert process.returncode == 0, told.decode()


def drill_file(folder: Path, games: int) -> Drill:
    """With an SQLite file, which is deleted with all that lies beside it."""
    database = folder / "drill.db"

    def destroy() -> str:
        for path in folder.glob("drill.db*"):
            path.unlink()
        return str(database)

    return _run(str(database), folder / "backup.db", games, destroy)


def drill_server(address: str, other: str, drop: Callable[[str], None], folder: Path, games: int) -> Drill:
    """With a PostgreSQL database, which is dropped; `other` is an empty one."""

    def destroy() -> str:
        drop(address)
        return other

    return _run(address, folder / "backup.dump", games, destroy)


def _run(database: str, backup: Path, games: int, destroy: Destroy) -> Drill:
    drill = asyncio.run(run_drill(database, backup, games, destroy))
    drill.backup_bytes = backup.stat().st_size
    return drill


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=500, help="so many games (default 500)")
    parser.add_argument("--postgres", action="store_true", help="with a PostgreSQL server too")
    parser.add_argument("--folder", help="where to make the databases (default: a temporary folder)")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of lines")
    arguments = parser.parse_args()
    drills: dict[str, Drill] = {}
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=arguments.folder)))
        drills["SQLite"] = drill_file(folder, arguments.games)
        if arguments.postgres:
            cluster = stack.enter_context(running_cluster())
            databases = cluster.new_database(), cluster.new_database()
            drills["PostgreSQL"] = drill_server(*databases, cluster.drop, folder, arguments.games)
    if arguments.json:
        print(json.dumps({name: asdict(drill) for name, drill in drills.items()}))
        return
    for name, drill in drills.items():
        print(f"{name}: {drill}")


if __name__ == "__main__":
    main()
