"""Reports, sanctions, removed words and the log of operators, in both kinds of databases, beside a storage in use."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import pytest

from hexholm.host.storage import CannotOpen, EntryRow, GuestRow, HoldingRow, PersonalText, Storage, Writes
from hexholm.host.storage.admin_connection import admin_connection, host_time
from hexholm.host.storage.repositories.guest_data import GuestData
from hexholm.host.storage.rows.operator_actions import (
    BadGuest,
    actions,
    actions_after,
    count_admin_actions,
    find_guest,
    impose,
    lift,
    log_action,
    read_network,
    record_network,
    running_sanctions,
)
from hexholm.host.storage.rows.reported_words import (
    MOST_A_DAY,
    add_report,
    close_report,
    guest_overview,
    remove_words,
    reports,
    table_overview,
)
from hexholm.host.storage.values import ALIVE, ALIVE_BY_DAY, guest_mark

from .stored_rows import run_with_storage

ResultT = TypeVar("ResultT")
SUMMARY = {"title": "Come all", "seats": [{"color": "red", "name": "Ann"}, {"color": "blue", "name": "Rude"}]}


async def write_table(storage: Storage) -> None:
    entries = [
        EntryRow(1, 1.0, "opened", '{"title":""}', None, (PersonalText("title", "ann", "Come all"),)),
        EntryRow(2, 2.0, "seated", '{"seat":"blue","name":""}', None, (PersonalText("name", "bob", "Rude"),)),
        EntryRow(3, 3.0, "said", '{"seat":"blue","text":""}', None, (PersonalText("text", "bob", "you fool"),)),
        EntryRow(4, 4.0, "said", '{"seat":"red","text":""}', None, (PersonalText("text", "ann", "please"),)),
    ]
    people = [HoldingRow("ann", "red", is_creator=True), HoldingRow("bob", "blue", is_creator=False)]
    await storage.append(Writes("t", entries, status="playing", summary=json.dumps(SUMMARY), people=people))
    await storage.add_guest(GuestRow("ann", 0.5, "Ann"))
    await storage.add_guest(GuestRow("bob", 0.5, "Rude"))


def story_of(database: str, story: Callable[[Storage, Callable[[Callable[..., Any]], Any]], Any]) -> None:
    """A story at a storage that has the table; it is also given a way to do something beside it, as operators do."""

    def beside(job: Callable[..., ResultT]) -> ResultT:
        with admin_connection(database) as connection:
            return job(connection)

    async def run(storage: Storage) -> None:
        await write_table(storage)
        await story(storage, lambda job: asyncio.to_thread(beside, job))

    run_with_storage(database, run)


def report(what: str = "chat", entry: int | None = 3, **how: Any) -> Callable[..., str]:
    usual = {"table_id": "t", "reported": None, "reporter": "ann", "why": "rude", "now": 10.0}
    return partial(add_report, what=what, seq=entry, **{**usual, **how})  # type: ignore[arg-type]


def test_a_report_has_the_words_and_is_written_once(database: str) -> None:
    async def story(storage: Storage, beside: Any) -> None:
        assert [await storage.write(report()) for _ in range(2)] == ["taken", "taken"]
        assert await storage.write(report("name", None, reported="bob")) == "taken"
        assert await storage.write(report("title", 1, reporter="bob")) == "taken"
        rows, total = await beside(lambda connection: reports(connection, 9))
        assert [(row.what, row.seq, row.reporter, row.reported, row.text) for row in rows] == [
            ("chat", 3, "ann", "bob", "you fool"),
            ("name", 2, "ann", "bob", "Rude"),
            ("title", 1, "bob", "ann", "Come all"),
        ]
        assert total == 3
        closed = await beside(lambda connection: close_report(connection, rows[0].id, 11.0))
        assert closed.text == "you fool"
        assert await beside(lambda connection: close_report(connection, rows[0].id, 11.0)) is None
        assert len((await beside(lambda connection: reports(connection, 9)))[0]) == 2
        assert len((await beside(lambda connection: reports(connection, 9, also_closed=True)))[0]) == 3

    story_of(database, story)


def test_what_is_no_word_of_others_cannot_be_reported_and_nobody_reports_without_end(database: str) -> None:
    async def story(storage: Storage, _beside: Any) -> None:
        assert await storage.write(report(entry=9)) == "no_words"
        assert await storage.write(report("name", 3)) == "no_words"
        assert await storage.write(report(entry=4)) == "own_words"
        for i in range(MOST_A_DAY):
            entry = EntryRow(5 + i, 5.0, "said", "{}", None, (PersonalText("text", "bob", f"no {i}"),))
            await storage.append(Writes("t", [entry]))
            assert await storage.write(report(entry=5 + i)) == "taken"
        assert await storage.write(report()) == "too_many"
        assert await storage.write(report(reporter="")) == "taken"  # strangers do not use up each other's
        assert await storage.write(report(now=10.0 + 86_401)) == "taken"

    story_of(database, story)


def test_a_guest_who_is_deleted_takes_the_reports_along(database: str) -> None:
    async def story(storage: Storage, beside: Any) -> None:
        await storage.write(report())
        await storage.write(report("title", 1, reporter="bob"))
        await GuestData(storage).forget("bob")
        assert (await beside(lambda connection: reports(connection, 9, also_closed=True)))[1] == 0

    story_of(database, story)


def test_of_two_with_the_same_name_only_one_loses_it(database: str) -> None:
    """The line of a table says names by color: whose a name is follows from the seat, and not from its text."""

    async def story(storage: Storage, beside: Any) -> None:
        seats = [{"color": "red", "name": "Rude"}, {"color": "blue", "name": "Rude"}]
        await storage.append(Writes("t", summary=json.dumps({"title": "Come all", "seats": seats})))
        await beside(lambda connection: remove_words(connection, "t", 2))
        row = await storage.table("t")
        assert row is not None
        assert json.loads(row.summary)["seats"] == [{"color": "red", "name": "Rude"}, {"color": "blue"}]
        seats = [{"color": "red", "name": "Ann"}, {"color": "blue", "name": "Nice"}]
        entry = EntryRow(5, 5.0, "seated", "{}", None, (PersonalText("name", "bob", "Rude"),))
        await storage.append(Writes("t", [entry], summary=json.dumps({"title": "Come all", "seats": seats})))
        await beside(lambda connection: remove_words(connection, "t", 5))
        row = await storage.table("t")
        assert row is not None
        assert json.loads(row.summary)["seats"] == seats, "it has another name now"

    story_of(database, story)


def test_removed_words_are_gone_everywhere_and_the_log_stays(database: str) -> None:
    async def story(storage: Storage, beside: Any) -> None:
        bodies = [row.body for row in await storage.entries("t")]
        removed = await beside(lambda connection: remove_words(connection, "t", 3))
        assert (removed.texts, removed.guests) == (("you fool",), ("bob",))
        await beside(lambda connection: remove_words(connection, "t", 2))
        await beside(lambda connection: remove_words(connection, "t", 1))
        assert await beside(lambda connection: remove_words(connection, "t", 3)) is None
        rows = await storage.entries("t")
        assert [row.body for row in rows] == bodies
        assert [text.text for row in rows for text in row.texts] == ["please"]
        row = await storage.table("t")
        assert row is not None
        assert json.loads(row.summary) == {"title": "", "seats": [{"color": "red", "name": "Ann"}, {"color": "blue"}]}
        bob = await storage.guest("bob")
        assert bob is not None
        assert bob.name == ""

    story_of(database, story)


def test_a_sanction_runs_until_its_time_or_until_it_is_lifted(database: str) -> None:
    async def story(_storage: Storage, beside: Any) -> None:
        how: dict[str, Any] = {"now": 10.0, "until": 100.0, "why": "rude"}
        await beside(partial(impose, what="mute", guest_id="bob", **how))
        await beside(partial(impose, what="ban", guest_id="bob", **how))
        await beside(partial(impose, what="ban", network="203.0.113.0/24", **{**how, "until": 50.0}))
        await beside(partial(impose, what="ban", guest_id="bob", **{**how, "until": 70.0}))  # in place of the first
        for now, kinds in ((10.0, {"mute", "ban"}), (60.0, {"mute", "ban"}), (80.0, {"mute"}), (100.0, set[str]())):
            rows = await beside(partial(running_sanctions, now=now))
            assert {row.what for row in rows} == kinds
        assert len(await beside(partial(running_sanctions, now=10.0))) == 3
        assert await beside(partial(lift, what="ban", network="203.0.113.0/24", now=20.0)) == 1
        assert await beside(partial(lift, what="ban", network="203.0.113.0/24", now=20.0)) == 0
        assert await beside(partial(lift, what="mute", guest_id="bob", now=20.0)) == 1
        assert [row.what for row in await beside(partial(running_sanctions, now=20.0))] == ["ban"]

    story_of(database, story)


def test_the_network_of_a_banned_guest_is_noted_only_where_that_is_wished(database: str) -> None:
    async def story(storage: Storage, beside: Any) -> None:
        how: dict[str, Any] = {"now": 10.0, "until": 100.0, "why": "rude"}
        await beside(partial(impose, what="ban", guest_id="bob", **how))
        assert await storage.write(partial(record_network, guest_id="bob", network="192.0.2.7/32", now=20.0)) == 0
        await beside(partial(impose, what="ban", guest_id="bob", with_network=True, **how))
        for count in (1, 0):
            noted = partial(record_network, guest_id="bob", network="192.0.2.7/32", now=20.0)
            assert await storage.write(noted) == count
        (row,) = await beside(partial(running_sanctions, now=20.0))
        assert (row.guest_id, row.network) == ("bob", "192.0.2.7/32")
        assert [(action.what, action.operator) for action in await beside(partial(actions, limit=9))] == [
            ("network", "(server)")
        ]

    story_of(database, story)


def test_what_operators_did_is_counted_and_read_in_order(database: str) -> None:
    async def story(storage: Storage, beside: Any) -> None:
        assert await storage.read(count_admin_actions) == (0, 0)
        for number, what in enumerate(("look", "remove", "ban"), 1):
            await beside(partial(log_action, what=what, now=float(number), operator="olga", table_id="t", seq=number))
            assert await storage.read(count_admin_actions) == (number, number)
        assert [row.seq for row in await beside(partial(actions_after, number=0, whats=["remove"]))] == [2]
        assert [row.what for row in await beside(partial(actions, limit=2))] == ["remove", "ban"]

    story_of(database, story)


def test_an_operator_sees_a_table_with_its_words_and_a_guest_by_its_mark(database: str) -> None:
    async def story(storage: Storage, beside: Any) -> None:
        await storage.write(report())
        table = await beside(partial(table_overview, table_id="t", limit=3))
        assert (table.title, table.status) == ("Come all", "playing")
        assert [(seat.color, seat.name, seat.is_creator) for seat in table.people] == [
            ("blue", "Rude", False),
            ("red", "Ann", True),
        ]
        assert [(words.seq, words.text) for words in table.words] == [(2, "Rude"), (3, "you fool"), (4, "please")]
        assert await beside(partial(table_overview, table_id="none", limit=3)) is None
        assert await beside(partial(find_guest, text=guest_mark("bob"))) == "bob"
        assert await beside(partial(find_guest, text="bob")) == "bob"
        with pytest.raises(BadGuest, match="there is no guest"):
            await beside(partial(find_guest, text="00000000"))
        look = await beside(partial(guest_overview, guest_id="bob", limit=9))
        assert (look.name, look.table_count, look.reported, look.reports) == ("Rude", 1, 1, 0)

    story_of(database, story)


@pytest.mark.parametrize(
    "text, network",
    [
        ("203.0.113.7", "203.0.113.7/32"),
        ("203.0.113.7/24", "203.0.113.0/24"),
        ("2001:db8:1:2::7", "2001:db8:1:2::/64"),
        ("2001:db8::/32", "2001:db8::/32"),
        ("3fa9c2d1", None),
        ("bob", None),
    ],
)
def test_a_network_is_read_from_an_address_or_a_prefix(text: str, network: str | None) -> None:
    assert read_network(text) == network


@pytest.mark.parametrize("text", ["0.0.0.0/0", "10.0.0.0/7", "::/0"])
def test_nobody_bans_half_the_world_by_accident(text: str) -> None:
    with pytest.raises(BadGuest, match="too wide"):
        read_network(text)


def test_a_visitor_neither_makes_nor_upgrades_a_database(tmp_path: Path, database: str) -> None:
    missing = tmp_path / "missing.db"
    with pytest.raises(CannotOpen, match="no such database"), admin_connection(str(missing)):
        pass
    assert not missing.exists()

    async def age(storage: Storage) -> None:
        await storage.write(
            lambda connection: connection.exec_driver_sql("UPDATE alembic_version SET version_num = '0006'")
        )

    run_with_storage(database, age)
    with pytest.raises(CannotOpen, match="hexholm upgrade"), admin_connection(database):
        pass


@pytest.mark.parametrize("jump", [3600.0, -3600.0])
def test_the_time_of_a_host_that_runs_is_its_own(database: str, jump: float) -> None:
    async def run(storage: Storage) -> None:
        await storage.set_meta(ALIVE, "50000")
        await storage.set_meta(ALIVE_BY_DAY, str(50_000 + jump))
        assert await asyncio.to_thread(_host_time, database, 50_002 + jump) == 50_002

    run_with_storage(database, run)
    # Nobody serves it now: the next host takes the time of its machine, but none before the last was alive.
    assert _host_time(database, 50_002 + jump) == max(50_000, 50_002 + jump)


def _host_time(database: str, day: float) -> float:
    with admin_connection(database) as connection:
        return host_time(database, connection, day)
