"""Beyond what can be done: who is let in, who comes back later, and how clients do so. No machine is measured here."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from hexholm.host import client as client_module
from hexholm.host.client import Client
from hexholm.host.local_server import local_server
from hexholm.host.web import context as context_module
from hexholm.host.web.admission.limits import Limits
from hexholm.host.web.admission.load_shedding import (
    LONGEST,
    LOOP_TURNS,
    MEASURED_EVERY,
    MEASUREMENTS,
    MOST_OF_TABLE,
    PATIENCE_BY_URGENCY,
    STORED_LATE,
    USUAL,
    Shedding,
    Urgency,
)
from hexholm.host.web.operations.settings import Settings
from hexholm.host.wire import messages
from hexholm.host.wire.host_refusals import Declined

from ...open_server import open_server
from ...servers import hear, new_table, open_socket, read_to_close_code, run_server, say

FIRST = 0.15
EVERYBODY: tuple[Urgency, ...] = ("playing", "new", "watching")


def late(shedding: Shedding, seconds: float, measurements: int = MEASUREMENTS) -> None:
    """The loop is so late for some measurements."""
    for _ in range(measurements):
        shedding.observe(MEASURED_EVERY + seconds, seconds)


def refused(shedding: Shedding) -> list[Urgency]:
    """Whom it refuses for certain."""
    return [urgency for urgency in EVERYBODY if shedding.refused_fraction(urgency) == 1]


def touched(shedding: Shedding) -> list[Urgency]:
    """Of whom it refuses any."""
    return [urgency for urgency in EVERYBODY if shedding.refused_fraction(urgency) > 0]


def test_spectators_come_back_later_first_then_who_begins_a_table_and_players_last() -> None:
    shedding = Shedding(FIRST)
    seen: list[list[Urgency]] = []
    for percent in range(0, 300, 5):
        late(shedding, percent / 100 * FIRST / LOOP_TURNS)
        if touched(shedding) not in seen:
            seen.append(touched(shedding))
    assert seen == [[], ["watching"], ["new", "watching"], ["playing", "new", "watching"]]
    late(shedding, 0.4 * 2 * FIRST / LOOP_TURNS)
    assert refused(shedding) == ["watching"]
    assert "playing" not in touched(shedding)
    late(shedding, 2 * FIRST / LOOP_TURNS)
    assert refused(shedding) == list(EVERYBODY)
    late(shedding, 0.0, 1)
    assert touched(shedding) == []  # as soon as there is rest


def test_the_share_grows_with_the_wait_and_is_drawn() -> None:
    draws = iter((0.49, 0.51))
    shedding = Shedding(FIRST, draw=lambda: next(draws))
    late(shedding, 1.5 * FIRST / LOOP_TURNS)
    assert shedding.refused_fraction("playing") == pytest.approx(0.5)
    with pytest.raises(Declined) as error:
        shedding.check("playing")
    assert (error.value.refusal.code, error.value.refusal.values) == ("busy", {"retry_after": 1})
    shedding.check("playing")
    assert shedding.refused == {"playing": 1, "new": 0, "watching": 0}


def test_each_is_told_when_to_come_back_players_soonest() -> None:
    shedding = Shedding(FIRST)
    late(shedding, 10.0)
    seconds = []
    for urgency in EVERYBODY:
        with pytest.raises(Declined) as error:
            shedding.check(urgency)
        seconds.append(error.value.refusal.values["retry_after"])
    assert seconds == sorted(seconds)
    assert seconds == [PATIENCE_BY_URGENCY[urgency].retry_after for urgency in EVERYBODY]


def test_one_pause_is_no_load() -> None:
    shedding = Shedding(FIRST)
    late(shedding, 5.0, MEASUREMENTS - 1)
    assert touched(shedding) == []
    late(shedding, 5.0, 1)
    assert refused(shedding) == list(EVERYBODY)


def test_a_queue_that_would_take_too_long_is_known_before_the_loop_is_late() -> None:
    shedding = Shedding(FIRST)
    waiting = [shedding.under_way_at(f"table {number}") for number in range(round(2 * FIRST / USUAL) + 1)]
    for command in waiting:
        command.__enter__()
    assert refused(shedding) == list(EVERYBODY)
    for command in waiting:
        command.__exit__(None, None, None)
    assert (shedding.under_way, shedding.expected_wait) == (0, 0.0)


def test_a_long_queue_at_one_table_makes_nobody_else_wait() -> None:
    shedding = Shedding(FIRST)
    commands = [shedding.under_way_at("mine") for _ in range(900)]
    for command in commands:
        command.__enter__()
    assert shedding.under_way == MOST_OF_TABLE
    assert touched(shedding) == []
    for command in commands:
        command.__exit__(None, None, None)
    assert shedding.under_way == 0
    assert not shedding._by_table


def test_what_a_command_takes_is_measured_where_the_loop_has_no_rest_and_forgotten_slowly() -> None:
    shedding = Shedding(FIRST)

    def measure(done: int, seconds: float, lateness: float) -> None:
        for _ in range(done):
            with shedding.under_way_at("a"):
                pass
        shedding.observe(seconds, lateness)

    for _ in range(50):
        measure(10, 0.05, 0.03)
    assert shedding.seconds_for_one == pytest.approx(0.005, rel=0.01)
    measure(10, 0.05, 0.0)  # it had rest: the time says nothing
    assert shedding.seconds_for_one == pytest.approx(0.005, rel=0.02)
    for _ in range(100):
        measure(5, 1e6, 1e6)
    assert shedding.seconds_for_one <= LONGEST
    for _ in range(10_000):
        measure(0, MEASURED_EVERY, 0.0)
    assert shedding.seconds_for_one == pytest.approx(USUAL, rel=0.01)


def test_a_disk_that_is_slow_counts_too() -> None:
    waiting = 0.0
    shedding = Shedding(FIRST, lambda: waiting)
    assert touched(shedding) == []
    waiting = 2 * FIRST / STORED_LATE
    assert refused(shedding) == list(EVERYBODY)


# --- a server that is busy --------------------------------------------------------------------------------------------


@pytest.fixture
def lateness(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Sets how long one more command would take at every server here."""
    wait = [0.0]

    class Set(Shedding):
        def __init__(self, wait_from: float, storing: Callable[[], float]) -> None:
            super().__init__(wait_from, storing, lambda: 0.999)  # no luck: only where all are refused somebody is

        @property
        def expected_wait(self) -> float:
            return wait[0]

    monkeypatch.setattr(context_module, "Shedding", Set)

    def set_wait(seconds: float) -> None:
        wait[0] = seconds

    return set_wait


SHEDDING = Settings(port=0, limits=replace(Limits.none(), wait_from=FIRST))


@pytest.mark.waits
def test_a_busy_server_answers_busy_with_a_time_over_rest(lateness: Callable[[float], None]) -> None:
    async def run() -> None:
        async with open_server(settings=SHEDDING) as server:
            new: dict[str, Any] = {"name": "Ann", "seats": dict.fromkeys(("blue", "white", "orange"), "easy")}
            mine = await server.ask("POST", "/api/tables", {**new, "begin": True})
            lateness(0.6 * 2 * FIRST)
            for method, path, body in (("GET", "/api/tables", None), ("POST", "/api/tables", new)):
                answer = await server.ask(method, path, body)
                assert (answer.status, answer.code) == (503, "busy")
                assert answer.headers["Retry-After"] == str(answer.json["error"]["values"]["retry_after"])
            table = f"/api/tables/{mine.json['table']['id']}"
            assert (await server.ask("GET", table)).status == 503  # a spectator's
            assert (await server.ask("GET", table, Cookie=mine.cookie)).status == 200  # of one who plays
            for path in ("/healthz", "/readyz", "/metrics", "/api/statistics", "/"):
                assert (await server.ask("GET", path)).status == 200  # those who run it look all the same
            assert b'hexholm_busy_total{urgency="new"} 1.0' in (await server.ask("GET", "/metrics")).body
            lateness(3 * FIRST)
            assert (await server.ask("GET", table, Cookie=mine.cookie)).code == "busy"
            lateness(0.0)
            assert (await server.ask("GET", "/api/tables")).status == 200
            assert len(server.hall.tables) == 1

    asyncio.run(asyncio.wait_for(run(), 30))


@pytest.mark.waits
def test_a_busy_server_answers_busy_on_sockets_players_last(lateness: Callable[[float], None]) -> None:
    with run_server(settings=SHEDDING) as url:
        mine = new_table(url, begin=True).json
        table = mine["table"]["id"]
        with open_socket(url, table, mine["token"]) as line:
            hear(line, messages.Hello)
            lateness(0.6 * 2 * FIRST)
            assert isinstance(say(line, messages.Say(id="1", text="a")), messages.Done)
            with open_socket(url, table) as watcher:
                refusal = hear(watcher)
                assert (refusal.code, refusal.values) == (
                    "busy",
                    {"retry_after": PATIENCE_BY_URGENCY["watching"].retry_after},
                )
                assert read_to_close_code(watcher) == 4503
            with open_socket(url, table, mine["token"]) as again:
                hear(again, messages.Hello)
            lateness(3 * FIRST)
            answer = say(line, messages.Say(id="2", text="b"))
            assert isinstance(answer, messages.Refused)
            assert (answer.code, answer.values) == ("busy", {"retry_after": 1})
            lateness(0.0)
            assert isinstance(say(line, messages.Say(id="2", text="b")), messages.Done)  # nothing of it was remembered


@pytest.mark.waits
def test_the_client_comes_back_by_itself(lateness: Callable[[float], None], monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []

    def pause_of(refusal: Any) -> float:
        pauses.append(float(refusal.values["retry_after"]))
        if len(pauses) % 2 == 0:
            lateness(0.0)
        return 0.01

    async def run() -> None:
        async with local_server(settings=SHEDDING) as url:
            client = Client(url)
            lateness(3 * FIRST)
            mine = await client.create("Ann", seats=dict.fromkeys(("blue", "white", "orange"), "easy"))
            assert pauses == [5.0, 5.0]
            lateness(3 * FIRST)
            async with client.join(mine.table.id, mine.token) as table:
                assert pauses[2:] == [5.0, 5.0]
                lateness(3 * FIRST)
                await table.begin()
                assert pauses[4:] == [5.0, 5.0]
                lateness(3 * FIRST)
                await table.say("once")
                assert pauses[6:] == [1.0, 1.0]
            monkeypatch.setattr(client_module, "_pause_of", lambda _refusal: 0.0)
            lateness(3 * FIRST)
            with pytest.raises(Declined) as error:  # for ever it does not
                await client.tables()
            assert error.value.refusal.code == "busy"

    monkeypatch.setattr(client_module, "_pause_of", pause_of)
    asyncio.run(asyncio.wait_for(run(), 30))
