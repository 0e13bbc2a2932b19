"""`hexholm admin`: reports, looks, mutes, bans, removed words and the log of it all."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from hexholm.host.storage import EntryRow, GuestRow, HoldingRow, PersonalText, Storage, Writes
from hexholm.host.storage.admin_connection import admin_connection
from hexholm.host.storage.rows.operator_actions import running_sanctions
from hexholm.host.storage.rows.reported_words import add_report
from hexholm.host.storage.values import ALIVE, ALIVE_BY_DAY, guest_mark

from .conftest import CommandResult

BOB, ANN = guest_mark("bob"), guest_mark("ann")
Command = Callable[[str], CommandResult]
TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d")


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """A database with a table at which Bob was rude, and Ann's report of it."""
    file = tmp_path / "h.db"

    async def fill() -> None:
        async with Storage(str(file)) as storage:
            entries = [
                EntryRow(1, time.time(), "seated", "{}", None, (PersonalText("name", "bob", "Bob"),)),
                EntryRow(2, time.time(), "said", "{}", None, (PersonalText("text", "bob", "you \x1b[31mfool"),)),
            ]
            people = [HoldingRow("ann", "red", is_creator=True), HoldingRow("bob", "blue", is_creator=False)]
            summary = json.dumps({"title": "Evening"})
            await storage.append(Writes("table2table", entries, status="playing", summary=summary, people=people))
            await storage.add_guest(GuestRow("ann", time.time(), "Ann"))
            await storage.add_guest(GuestRow("bob", time.time(), "Bob"))
            how = {"table_id": "table2table", "what": "chat", "seq": 2, "reported": None, "reporter": "ann"}
            await storage.write(partial(add_report, **how, why="rude", now=time.time()))  # type: ignore[arg-type]

    asyncio.run(fill())
    return file


def lines_of(result: CommandResult) -> list[str]:
    """What a command that went well printed, with times as `TIME`."""
    assert result[0] == 0, result
    return TIME.sub("TIME", result[1]).splitlines()


def test_reports_are_listed_with_the_words_and_closed(hexholm: Command, db: Path) -> None:
    head, line = lines_of(hexholm(f"admin reports --db {db}"))
    assert head.split() == ["no.", "when", "table", "entry", "what", "of", "by", "words", "why"]
    assert line.split()[:7] == ["1", "TIME", "table2table", "2", "chat", BOB, ANN]
    assert re.search(r'"you .*fool"  +"rude"$', line)
    assert "\x1b" not in line
    assert hexholm(f"admin reports --close 1 --db {db}") == (0, "", "report 1 is closed\n")
    assert lines_of(hexholm(f"admin reports --db {db}")) == ["No reports."]
    assert lines_of(hexholm(f"admin reports --all --db {db}"))[1].endswith("(closed)")
    code, _, err = hexholm(f"admin reports --close 1 --db {db}")
    assert (code, err) == (2, "hexholm: --close 1: there is no open report of that number\n")
    did = [re.split(r"\s+", line)[2] for line in lines_of(hexholm(f"admin log --db {db}"))[1:]]
    assert did == ["reports", "close", "reports", "reports"]  # whoever reads people's words is logged


def test_a_table_and_a_guest_are_looked_at_and_that_is_logged(hexholm: Command, db: Path) -> None:
    lines = lines_of(hexholm(f"admin look table2table --db {db}"))
    assert lines[0] == 'table table2table, "Evening": playing, set up TIME'
    assert [line.split() for line in lines[2:5]] == [
        ["guest", "seat", "latest", "name"],
        [BOB, "blue", '"Bob"'],
        [ANN, "red", '"Ann"', "set", "it", "up"],
    ]
    assert [line.split()[:3] for line in lines[6:]] == [
        ["entry", "what", "guest"],
        ["1", "name", BOB],
        ["2", "said", BOB],
    ]
    lines = lines_of(hexholm(f"admin look {BOB} --db {db}"))
    assert lines[:2] == [f'guest {BOB} "Bob", known since TIME', "reported 1 time, made 0 reports"]
    assert lines[3:] == ["1 table, the latest:", "table2table  playing  TIME"]
    assert [line.split()[2:5] for line in lines_of(hexholm(f"admin log --db {db}"))[1:]] == [
        ["look", "table2table"],
        ["look", BOB],
    ]
    code, _, err = hexholm(f"admin look 00000000 --db {db}")
    assert (code, "there is no guest '00000000'" in err) == (2, True)


def test_a_guest_is_muted_and_banned_for_a_time_and_let_in_again(hexholm: Command, db: Path) -> None:
    code, out, err = hexholm(f"admin mute {BOB} --for 7d --why 'rude words' --db {db}")
    assert (code, out, TIME.sub("TIME", err)) == (
        0, "", f"{BOB} is muted until TIME; running servers notice within seconds\n"
    )  # fmt: skip
    assert hexholm(f"admin ban {BOB} --for 12h --why again --network --db {db}")[0] == 0
    assert hexholm(f"admin ban 203.0.113.0/24 --for 4w --why spam --db {db}")[0] == 0
    lines = lines_of(hexholm(f"admin sanctions --db {db}"))
    assert [line.split() for line in lines[1:]] == [
        ["ban", "203.0.113.0/24", "until", "TIME", "spam"],
        ["ban", BOB, "(network", "not", "known", "yet)", "until", "TIME", "again"],
        ["mute", BOB, "until", "TIME", "rude", "words"],
    ]
    assert any("until TIME" in line for line in lines_of(hexholm(f"admin look {BOB} --db {db}")))
    assert hexholm(f"admin unmute {BOB} --db {db}")[2].startswith(f"{BOB} is no longer muted")
    assert hexholm(f"admin unban 203.0.113.0/24 --db {db}")[2].startswith("203.0.113.0/24 is no longer banned")
    assert len(lines_of(hexholm(f"admin sanctions --db {db}"))) == 2
    code, _, err = hexholm(f"admin unmute {BOB} --db {db}")
    assert (code, err) == (2, f"hexholm: {BOB} is not muted\n")
    did = [re.split(r"\s+", line)[2] for line in lines_of(hexholm(f"admin log --db {db}"))[1:]]
    assert did == ["mute", "ban", "ban", "sanctions", "look", "unmute", "unban", "sanctions"]


def test_a_ban_runs_by_the_clock_of_the_server_where_that_of_the_machine_was_set_back(
    hexholm: Command, db: Path
) -> None:
    ahead = time.time() + 30 * 86_400

    async def live() -> None:
        async with Storage(str(db)) as storage:
            await storage.set_meta(ALIVE, str(ahead))

    asyncio.run(live())
    assert hexholm(f"admin ban {BOB} --for 12h --why again --db {db}")[0] == 0
    with admin_connection(str(db)) as connection:
        (row,) = running_sanctions(connection, ahead)
    assert row.until == pytest.approx(ahead + 12 * 3600)


@pytest.mark.parametrize("jump", [3600.0, -3600.0])
def test_a_ban_runs_by_the_clock_of_a_server_that_runs_wherever_that_of_the_machine_was_set(
    hexholm: Command, db: Path, monkeypatch: pytest.MonkeyPatch, jump: float
) -> None:
    day = time.time()
    monkeypatch.setattr(time, "time", lambda: day + jump)

    async def run() -> None:
        async with Storage(str(db)) as storage:
            await storage.set_meta(ALIVE, str(day))
            await storage.set_meta(ALIVE_BY_DAY, str(day + jump))
            result = await asyncio.to_thread(hexholm, f"admin mute {BOB} --for 30m --why rude --db {db}")
            assert result[0] == 0, result
            (row,) = await storage.read(lambda connection: running_sanctions(connection, day))
            assert row.until == pytest.approx(day + 1800)

    asyncio.run(run())


@pytest.mark.parametrize(
    "command, message",
    [
        ("mute {bob} --for 7 --why x", "--for 7: give a time as in 30m, 12h, 7d or 4w, ten years at most"),
        ("mute {bob} --for 0d --why x", "--for 0d: give a time as in 30m, 12h, 7d or 4w, ten years at most"),
        ("mute {bob} --for 9999w --why x", "--for 9999w: give a time as in 30m, 12h, 7d or 4w, ten years at most"),
        ("mute {bob} --for 7d --why ''", "--why: say in 1 to 200 characters what they are to be told"),
        ("mute 203.0.113.0/24 --for 7d --why x", "203.0.113.0/24: a guest can be muted, a network only banned"),
        (
            "ban 203.0.113.0/24 --network --for 7d --why x",
            "--network: it is for a guest; a prefix is a network already",
        ),
        ("ban 0.0.0.0/0 --for 7d --why x", "0.0.0.0/0: that is too wide; a prefix has at least /8"),
        ("mute {bob} --why x", "admin mute: --for is missing (hexholm admin mute --help)"),
        (
            "remove table2table 9",
            "table2table 9: nobody has written anything there; hexholm admin look table2table shows it",
        ),
        ("", "admin: name one of its commands (hexholm admin --help)"),
        ("sing", "admin: sing: there is no such command (hexholm admin --help)"),
    ],
)
def test_what_cannot_be_done_is_one_line(hexholm: Command, db: Path, command: str, message: str) -> None:
    where = f" --db {db}" if command not in ("", "sing") else ""
    assert hexholm(f"admin {command.format(bob=BOB)}{where}") == (2, "", f"hexholm: {message}\n")


def test_words_are_removed_and_the_log_of_the_game_stays(hexholm: Command, db: Path) -> None:
    assert (
        hexholm(f"admin remove table2table 2 --db {db}")[2] == "1 text removed; running servers notice within seconds\n"
    )

    async def read() -> list[tuple[int, str]]:
        async with Storage(str(db)) as storage:
            return [(row.seq, text.text) for row in await storage.entries("table2table") for text in row.texts]

    assert asyncio.run(read()) == [(1, "Bob")]
    assert lines_of(hexholm(f"admin log --db {db}"))[1].split()[2:] == ["remove", "table2table", "2", BOB, "1", "text"]


def test_a_command_is_carried_out_beside_a_storage_that_is_in_use(hexholm: Command, db: Path) -> None:
    async def story() -> None:
        async with Storage(str(db)) as storage:  # holds the lock that keeps a second server away
            result = await asyncio.to_thread(hexholm, f"admin mute {BOB} --for 1h --why x --db {db}")
            assert result[0] == 0
            await storage.set_meta("still", "writing")

    asyncio.run(story())


@pytest.mark.parametrize("command", ["reports", "log", "sanctions", f"look {BOB}"])
def test_no_database_is_made_by_the_way(hexholm: Command, tmp_path: Path, command: str) -> None:
    missing = tmp_path / "missing.db"
    code, _, err = hexholm(f"admin {command} --db {missing}")
    assert (code, err) == (2, f"hexholm: {missing}: there is no such database; name one that is there\n")
    assert not missing.exists()
