"""What only a database on a PostgreSQL server has: addresses, its lock, connections that are lost, dumps."""

from __future__ import annotations

import asyncio
import os
import stat
import subprocess
import sys
from functools import partial
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import Connection

from hexholm.host.storage import (
    CannotOpen,
    DatabaseInUse,
    EntryRow,
    Storage,
    StorageFailed,
    Writes,
    database_of,
    shown_address,
)
from hexholm.host.storage.databases import postgres_database
from hexholm.host.web.admission.identity import KEY_BYTES, read_key
from tests.host import postgres
from tests.host.postgres import Cluster, find

from .stored_rows import carry_out, entries_batch, run_script, run_with_storage

pytestmark = pytest.mark.waits


def test_where_nothing_may_be_installed_the_command_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(postgres, "find", lambda: None)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert postgres.main() == 1
    assert (
        f"sudo apt-get update && sudo apt-get install --no-install-recommends {postgres.PACKAGE}"
        in capsys.readouterr().err
    )


@pytest.mark.parametrize(
    "address, shown",
    [
        ("postgresql:///hexholm", "postgresql:///hexholm"),
        ("postgres://ann:s3cret@db.example.org:5433/h", "postgres://ann@db.example.org:5433/h"),
        ("postgresql://a,b:5433/h?target_session_attrs=any&password=s3cret", "postgresql://a,b:5433/h"),
        ("postgresql:///h?host=/run/postgresql&sslpassword=s3cret", "postgresql:///h?host=/run/postgresql"),
    ],
)
def test_an_address_is_shown_without_its_secrets(address: str, shown: str) -> None:
    assert shown_address(address) == shown
    assert Storage(address).name == shown


def test_an_address_that_cannot_be_read_is_refused_without_its_password() -> None:
    with pytest.raises(CannotOpen, match=r"^postgresql://ann@.../db: this is no address of a PostgreSQL database$"):
        Storage("postgresql://ann:s3cret@h:[]x/db?port")
    assert shown_address("postgresql://ann:s3cret") == "postgresql://..."
    with pytest.raises(CannotOpen, match=r'invalid URI query parameter: "colour"'):
        Storage("postgresql:///h?colour=red")


def test_who_asks_for_postgresql_without_its_library_is_told_what_to_install() -> None:
    process = run_script(
        """
        import sys
        from hexholm.host.storage import Storage

        assert "psycopg" not in sys.modules
        sys.modules["psycopg"] = None
        from hexholm.rules.errors import MissingExtra

        Storage("h.db")
        try:
            Storage("postgresql:///h")
        except MissingExtra as error:
            print(error)
        """
    )
    assert (process.stdout, process.stderr) == (
        "PostgreSQL needs one more package: pip install 'hexholm[postgres]'\n",
        "",
    )


def test_a_server_or_database_that_is_not_there_is_named(cluster: Cluster, tmp_path: Path) -> None:
    with pytest.raises(CannotOpen, match=r'"nowhere" does not exist'):
        asyncio.run(Storage(cluster.address("nowhere")).open())
    with pytest.raises(CannotOpen, match="cannot be opened as a database") as refused:
        asyncio.run(Storage(f"postgresql://ann:s3cret@/h?host={tmp_path}").open())
    assert "s3cret" not in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_database_with_something_else_or_another_encoding_is_left_alone(cluster: Cluster) -> None:
    database = cluster.new_database()
    carry_out(database, "CREATE TABLE recipes (name text)")
    with pytest.raises(CannotOpen, match=r"something else \(recipes\)"):
        asyncio.run(Storage(database).open())
    latin = cluster.new_database("ENCODING LATIN1 TEMPLATE template0")
    with pytest.raises(CannotOpen, match=r"its encoding is LATIN1, UTF8 is needed: createdb"):
        asyncio.run(Storage(latin).open())


def test_the_key_of_the_cookies_is_kept_in_the_database(cluster: Cluster) -> None:
    database = cluster.new_database()
    keys = []

    async def story(storage: Storage) -> None:
        keys.append(await read_key(storage))

    run_with_storage(database, story)
    run_with_storage(database, story)
    assert keys[0] == keys[1]
    assert len(keys[0]) == KEY_BYTES


def setting_of(name: str, connection: Connection) -> object:
    return connection.exec_driver_sql(f"SHOW {name}").scalar()


def test_commits_last_though_the_server_is_told_not_to_wait(cluster: Cluster) -> None:
    database = cluster.new_database()
    name = database.partition("///")[2].partition("?")[0]
    for setting in ("synchronous_commit = off", "idle_session_timeout = 1000"):
        carry_out(database, f"ALTER DATABASE {name} SET {setting}")

    async def story(storage: Storage) -> None:
        assert storage._writing is not None
        assert await storage.write(partial(setting_of, "synchronous_commit")) == "on"
        assert await storage.write(partial(setting_of, "idle_session_timeout")) == "0"

    run_with_storage(database, story)


def test_a_lost_connection_fails_those_who_wait_and_the_next_one_has_the_lock(cluster: Cluster) -> None:
    database = cluster.new_database()
    others = "pid <> pg_backend_pid() AND datname = current_database()"
    end_all = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}"  # noqa: S608  # no value

    async def story(storage: Storage) -> None:
        await storage.append(entries_batch("t", 1))
        assert len(await storage.entries("t")) == 1
        carry_out(database, end_all)
        with pytest.raises(StorageFailed, match="could not be stored"):
            await storage.append(entries_batch("t", 2))
        assert len(await storage.entries("t")) == 1
        await storage.append(entries_batch("t", 2))
        with pytest.raises(DatabaseInUse, match="is in use by hexholm, process"):
            await Storage(database).open()

    run_with_storage(database, story)


def test_who_has_lost_its_database_to_another_server_writes_no_more(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = cluster.new_database()
    monkeypatch.setattr(postgres_database, "PATIENCE", 0.0)
    lock = postgres_database.OWNER_LOCK

    async def story(storage: Storage) -> None:
        await storage.append(entries_batch("t", 1))
        with psycopg.connect(database, autocommit=True) as other:
            ours = "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted"
            other.execute(ours)
            other.execute("SELECT pg_advisory_lock(%s)", (lock,))
            for _ in range(3):
                with pytest.raises(StorageFailed):
                    await storage.append(entries_batch("t", 2))
        await storage.append(entries_batch("t", 2))

    run_with_storage(database, story)


def test_a_dump_holds_all_and_is_its_owners_alone(cluster: Cluster, tmp_path: Path) -> None:
    database, target, programs = cluster.new_database(), tmp_path / "copy.dump", find()
    assert programs is not None

    async def story(storage: Storage) -> None:
        await storage.append(Writes("t", [EntryRow(1, 1.5, "opened", '{"ä": "€"}')]))
        assert await storage.backup(target) == target
        with pytest.raises(CannotOpen, match="is there already"):
            await storage.backup(target)

    run_with_storage(database, story)
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["copy.dump"]
    other = cluster.new_database()
    subprocess.run([str(programs / "pg_restore"), "--no-owner", f"--dbname={other}", str(target)], check=True)

    async def look(storage: Storage) -> None:
        assert await storage.entries("t") == [EntryRow(1, 1.5, "opened", '{"ä": "€"}')]

    run_with_storage(other, look)


def test_without_pg_dump_a_backup_says_the_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CannotOpen, match=r"pg_dump --format=custom .*--file=\S+copy 'postgresql://ann@h/db'"):
        database_of("postgresql://ann:s3cret@h/db").copy_to(tmp_path / "copy")


def test_a_dump_that_fails_leaves_no_file(cluster: Cluster, tmp_path: Path) -> None:
    with pytest.raises(StorageFailed, match="cannot be copied to"):
        database_of(cluster.address("nowhere")).copy_to(tmp_path / "copy")
    assert not list(tmp_path.iterdir())


def test_the_command_line_takes_an_address(cluster: Cluster, tmp_path: Path) -> None:
    database = cluster.new_database()
    run_with_storage(database, lambda storage: storage.append(entries_batch("t", 1, status="over")))

    def said(*arguments: str) -> str:
        command = [sys.executable, "-m", "hexholm", *arguments]
        process = subprocess.run(command, capture_output=True, text=True, check=False)
        assert process.returncode == 0, process.stderr
        return process.stderr

    shown = shown_address(database)
    assert said("upgrade", "--db", database) == f"{shown} is up to date\n"
    copy = str(tmp_path / "copy")
    assert said("backup", copy, "--db", database) == f"copied {shown} to {copy}\n"
    assert said("prune", "--days", "0", "--db", database) == "1 game cleared away; their logs are gone\n"
    assert carry_out(database, "SELECT id FROM game_table") == []
