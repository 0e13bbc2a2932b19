"""`hexholm backup`, `upgrade` and `prune`."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from hexholm.host.storage import EntryRow, GuestRow, HoldingRow, Storage, Writes

from .conftest import CommandResult


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """A database with an old finished game and one that goes on."""
    file = tmp_path / "h.db"

    async def fill() -> None:
        async with Storage(str(file)) as storage:
            for table, time_stamp, status in (("old", 1000.0, "over"), ("new", time.time(), "playing")):
                entry = EntryRow(seq=1, time=time_stamp, tag="opened", body="{}")
                await storage.append(Writes(table, entries=[entry], status=status, summary="{}"))  # type: ignore[arg-type]

    asyncio.run(fill())
    return file


def tables(file: Path) -> set[str]:
    """The tables in a database."""

    async def read() -> set[str]:
        async with Storage(str(file)) as storage:
            return {row.id for row in await storage.tables()}

    return asyncio.run(read())


def test_a_backup_is_a_new_file_with_everything(
    hexholm: Callable[[str], CommandResult], db: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.db"
    assert hexholm(f"backup {copy} --db {db}") == (0, "", f"copied {db} to {copy}\n")
    assert tables(copy) == {"old", "new"}
    code, _, err = hexholm(f"backup {copy} --db {db}")
    assert (code, err) == (2, f"hexholm: {copy} is there already; name a new file\n")


def test_old_games_are_cleared_away_and_running_ones_are_not(hexholm: Callable[[str], CommandResult], db: Path) -> None:
    assert hexholm(f"prune --days 30 --keep-records --db {db}")[0] == 0
    assert tables(db) == {"old", "new"}
    assert hexholm(f"prune --days 30 --db {db}")[2] == "1 game cleared away; their logs are gone\n"
    assert tables(db) == {"new"}


def test_guests_of_long_ago_without_a_table_are_forgotten(hexholm: Callable[[str], CommandResult], db: Path) -> None:
    async def come() -> None:
        async with Storage(str(db)) as storage:
            for guest, time_stamp in (("ann", 1000.0), ("bob", 1000.0), ("cid", time.time())):
                await storage.add_guest(GuestRow(guest, time_stamp, guest.title()))
            await storage.append(Writes("new", people=[HoldingRow("ann", "red", True)]))

    asyncio.run(come())
    assert hexholm(f"prune --days 30 --db {db}")[2].endswith("1 guest without a table forgotten\n")
    assert "forgotten" not in hexholm(f"prune --days 30 --db {db}")[2]


@pytest.mark.parametrize("command", ["upgrade {}", "upgrade --db {}"])
def test_an_upgrade_of_what_is_up_to_date_changes_nothing(
    hexholm: Callable[[str], CommandResult], db: Path, command: str
) -> None:
    assert hexholm(command.format(db)) == (0, "", f"{db} is up to date\n")
    assert tables(db) == {"old", "new"}


def test_a_database_to_upgrade_is_named_once(hexholm: Callable[[str], CommandResult], db: Path) -> None:
    code, _, err = hexholm(f"upgrade {db} --db {db}")
    assert (code, "name the database once" in err) == (2, True)


@pytest.mark.parametrize("command", ["backup copy.db", "upgrade", "prune --days 1"])
def test_no_database_is_made_by_the_way(hexholm: Callable[[str], CommandResult], tmp_path: Path, command: str) -> None:
    missing = tmp_path / "missing.db"
    code, _, err = hexholm(f"{command} --db {missing}")
    assert (code, err) == (2, f"hexholm: {missing}: there is no such database; name one that is there\n")
    assert not missing.exists()
