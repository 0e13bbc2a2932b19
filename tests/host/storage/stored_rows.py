"""What the tests of storage share: rows to append, a storage for a story."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import subprocess
import sys
import textwrap
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg

from hexholm.host.storage import (
    EntryRow,
    Storage,
    Writes,
)


def entry_row_of(seq: int, body: str = "{}", time: float | None = None) -> EntryRow:
    return EntryRow(seq, float(seq) if time is None else time, "played", body, f"hash{seq}")


def entries_batch(table: str, *numbers: int, **more: Any) -> Writes:
    return Writes(table, [entry_row_of(seq) for seq in numbers], **more)


def run_with_storage(path: Path | str, story: Callable[[Storage], Awaitable[None]], **options: Any) -> None:
    """Tell a story with an open storage."""

    async def run() -> None:
        async with Storage(path, **options) as storage:
            await story(storage)

    asyncio.run(run())


def run_script(script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a script in another process."""
    command = [sys.executable, "-W", "error", "-c", textwrap.dedent(script), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def is_address(database: str) -> bool:
    """Whether it is on a server, and no file."""
    return "://" in database


@contextlib.contextmanager
def connected(database: str) -> Iterator[Any]:
    """A connection beside the storage."""
    connection: Any = psycopg.connect(database) if is_address(database) else sqlite3.connect(database)
    with contextlib.closing(connection):
        yield connection


def carry_out(database: str, *statements: str) -> list[tuple[Any, ...]]:
    """The rows of the last of some statements, carried out beside the storage."""
    with connected(database) as connection:
        cursor = connection.cursor()
        for statement in statements:
            cursor.execute(statement)
        rows = list(cursor.fetchall()) if cursor.description else []
        connection.commit()
    return rows


def columns(database: str, table: str) -> list[str]:
    """The names of the columns of a table."""
    with connected(database) as connection:
        return [column[0] for column in connection.execute(f"SELECT * FROM {table}").description]  # noqa: S608  # ours
