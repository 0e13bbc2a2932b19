"""kill -9 at any moment: what was acknowledged is there, and nothing is there by halves."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import random
import select
import sys
import time
from collections import Counter
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest
from psycopg import IsolationLevel

from hexholm.host.storage import AnswerRow, EntryRow, Storage, StorageError, Writes
from tests.host.postgres import Cluster

from .stored_rows import connected, is_address

pytestmark = pytest.mark.waits

TABLES = 8
KILLS = 25
CRASHES = 5
"""Of the database server."""
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="needs kill -9 and pipes that can be waited for")


def serve(path: str, pipe: Connection) -> None:
    """Append to all tables without end, from where each stands, and tell what was acknowledged."""

    async def write(storage: Storage, table: str) -> None:
        seq = len(await storage.entries(table))
        while True:
            lines = [EntryRow(seq + 1 + more, 0.0, "played", "{}") for more in range(1 + seq % 3)]
            seq = lines[-1].seq
            await storage.append(Writes(table, lines, summary=str(seq), answers=[AnswerRow("red", str(seq), str(seq))]))
            os.write(pipe.fileno(), f"{table} {seq}\n".encode())

    async def main() -> None:
        async with Storage(path) as storage:
            await asyncio.gather(*(write(storage, f"t{number}") for number in range(TABLES)))

    asyncio.run(main())


@POSIX
def test_no_acknowledged_entry_is_lost_when_the_process_is_killed(database: str) -> None:
    moments = random.Random(7)
    acknowledged: Counter[str] = Counter()
    busy = 0
    for _ in range(KILLS):
        process, pipe = start(database)
        news = listen(pipe, process, moments.uniform(0.0, 0.2))
        process.close()
        pipe.close()
        busy += bool(news)
        acknowledged |= news
        check(database, acknowledged)
    assert busy == KILLS
    assert sum(acknowledged.values()) > 100 * TABLES


@POSIX
def test_no_acknowledged_entry_is_lost_when_the_database_server_is_killed(cluster: Cluster) -> None:
    """The host lives on: who waits is told, finds what is stored and goes on."""
    database, acknowledged, moments = cluster.new_database(), Counter[str](), random.Random(13)
    failures = 0

    async def write(storage: Storage, table: str, stopped: asyncio.Event) -> None:
        nonlocal failures
        seq = 0
        while not stopped.is_set():
            line = EntryRow(seq + 1, 0.0, "played", "{}")
            batch = Writes(
                table, [line], summary=str(line.seq), answers=[AnswerRow("red", str(line.seq), str(line.seq))]
            )
            try:
                await storage.append(batch)
                seq = acknowledged[table] = line.seq
            except StorageError:
                failures += 1
                await asyncio.sleep(0.05)
                with contextlib.suppress(StorageError):
                    seq = len(await storage.entries(table))

    async def story() -> None:
        stopped = asyncio.Event()
        async with Storage(database) as storage, asyncio.TaskGroup() as group:
            for number in range(TABLES):
                group.create_task(write(storage, f"t{number}", stopped))
            for _ in range(CRASHES):
                before = acknowledged.copy()
                while any(acknowledged[f"t{number}"] < before[f"t{number}"] + 3 for number in range(TABLES)):  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
                await asyncio.sleep(moments.uniform(0.0, 0.1))
                cluster.kill()
                await asyncio.to_thread(cluster.start)
                check(database, acknowledged.copy())
            stopped.set()

    asyncio.run(asyncio.wait_for(story(), 120))
    check(database, acknowledged)
    assert failures >= CRASHES


@POSIX
def test_a_kill_while_a_database_is_made_or_opened_does_no_harm(tmp_path: Path) -> None:
    moments = random.Random(11)
    early, longest = 0, 30.0  # the first is left alone, to see how long it takes here
    for number in range(17):
        path = tmp_path / f"{number}.db"
        process, pipe = start(str(path))
        since = time.monotonic()
        begun = bool(select.select([pipe], [], [], moments.uniform(0.0, longest) if number else longest)[0])
        if begun:
            longest = min(longest, time.monotonic() - since)
        process.kill()
        process.join()
        process.close()
        pipe.close()
        early += not begun

        async def go_on(path: Path = path) -> None:
            async with Storage(path) as storage:
                await storage.append(Writes("after", [EntryRow(1, 0.0, "opened", "{}")]))

        asyncio.run(go_on())
    assert early > 4


def start(database: str) -> tuple[BaseProcess, Connection]:
    """A process that writes, and where it tells what was acknowledged."""
    context = multiprocessing.get_context("forkserver")  # it loads the modules once, for all the processes to come
    context.set_forkserver_preload(["hexholm.host.storage", "alembic.command", "aiosqlite", __name__])
    pipe, tell = context.Pipe(duplex=False)
    process = context.Process(target=serve, args=(database, tell), daemon=True)
    process.start()
    tell.close()
    return process, pipe


def listen(pipe: Connection, process: BaseProcess, moment: float) -> Counter[str]:
    """The last acknowledged entry of each table of a process that is killed `moment` seconds after the first."""
    heard, end = b"", time.monotonic() + 30
    while (seconds_left := end - time.monotonic()) > 0:
        if select.select([pipe], [], [], seconds_left)[0]:
            if not heard:
                end = time.monotonic() + moment
            piece = os.read(pipe.fileno(), 1 << 16)
            if not piece:
                break
            heard += piece
    process.kill()
    process.join()
    while piece := os.read(pipe.fileno(), 1 << 16):
        heard += piece
    news: Counter[str] = Counter()
    for line in heard.decode().splitlines():
        table, seq = line.split()
        assert int(seq) > news[table]
        news[table] = int(seq)
    return news


def check(database: str, acknowledged: Counter[str]) -> None:
    """Look into the database as the kill left it, journal and all."""
    with connected(database) as connection:
        if is_address(database):  # of one moment: somebody may go on writing
            connection.isolation_level = IsolationLevel.REPEATABLE_READ
        else:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        sign = "%s" if is_address(database) else "?"
        for table, seq in acknowledged.items():
            query = f"SELECT seq FROM entry WHERE table_id = {sign} ORDER BY seq"  # noqa: S608  # no value
            entries = [row[0] for row in connection.execute(query, [table])]
            assert entries == list(range(1, len(entries) + 1)), f"a hole in {table}"
            assert len(entries) >= seq, f"{table} was acknowledged up to {seq}"
            # What one batch wrote is there together: entries, the table's own row, the answer.
            query = f"SELECT last, summary FROM game_table WHERE id = {sign}"  # noqa: S608  # as above
            assert connection.execute(query, [table]).fetchone() == (len(entries), str(len(entries)))
            query = f"SELECT answer FROM command WHERE table_id = {sign} AND who = 'red' AND id = {sign}"  # noqa: S608  # as above
            for count in (seq, len(entries)):
                assert connection.execute(query, [table, str(count)]).fetchone() == (str(count),)
