"""What is hidden from a guest changes no byte that a server sends (tests/host/noninterference/on_wire.py says how)."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from hexholm.game.events.kinds import Drew, Event, Stole
from hexholm.game.game import Record
from hexholm.host.tables import log
from hexholm.host.tables.audience import who_may_look
from hexholm.host.tables.audience.feeds import Feed
from hexholm.host.tables.running.command_handler import CommandHandler
from hexholm.host.tables.running.runner import TableRunner
from hexholm.host.tables.seats import Eyes, Guest
from hexholm.host.tables.table import Table
from hexholm.host.tables.table_decision import Decision
from hexholm.host.web import context
from hexholm.host.web.rest import tables as rest
from hexholm.host.web.sockets import Connection
from hexholm.host.wire import messages
from hexholm.host.wire.host_refusals import Declined, Refusal
from tests.rules.noninterference import Leak

from ..servers import ask, hear, new_table, open_socket, read_to_close_code, run_server
from .on_wire import run
from .table_life import Life
from .transcript_scan import Secret, Transcript, check_projection, check_unnamed, scan

pytestmark = pytest.mark.waits

EVERYTHING_FROM = 14
"""The first of a few pairs in which all happens that can; each is drawn from its number."""
ANSWER, DECIDE, DONE, FEED = Connection._answer, Table.decide, CommandHandler._done_message, TableRunner.feed
PROJECTION, RECORD = Table.projection, rest.visible_record
LINE, WHY_NOT_LOOK = Table.line, who_may_look.why_not_look


@pytest.mark.rule("INFO-01", "INFO-03", "INFO-06", "INFO-07")
def test_hidden_cards_change_no_byte_that_a_server_sends() -> None:
    count = asyncio.run(run(6, EVERYTHING_FROM))
    print(count)
    assert count.ranges >= 1
    assert count.companion >= 2
    assert count.typed >= 1
    assert count.proved >= 1
    assert count.finished >= 2
    assert count.compared > 300
    assert count.greeted >= 5
    assert count.asked >= 20
    assert count.sought >= 50
    never = [name for name in Life.names() if getattr(count.life, name) < 1]
    assert not never, f"never happened: {never}"
    assert count.life.returned >= 5


# --- planted leaks ----------------------------------------------------------------------------------------------------


def hidden(table: Table) -> int:
    """Something only the referee knows."""
    assert table.game is not None
    state = table.game.referee.state
    return int(sum(state.hand[seat] * (seat + 1) for seat in range(len(table.colors))) % 9973 + state.deck % 9967)


def leak_in_the_projection(table: Table, eyes: Eyes) -> messages.Projection | None:
    original = PROJECTION(table, eyes)
    return original and msgspec.structs.replace(original, prompt={**original.prompt, "mood": hidden(table)})


def leak_in_the_ranges(table: Table, eyes: Eyes) -> messages.Projection | None:
    """What can be inferred, and a little more than that."""
    original = PROJECTION(table, eyes)
    if original is None or table.game is None:
        return original
    players = [
        {**player, "ranges": {kind: (n, n) for kind, n in table.game.referee.hand(player["color"]).items()}}
        if "ranges" in player
        else player
        for player in original.view["players"]
    ]
    return msgspec.structs.replace(original, view={**original.view, "players": players})


def leak_in_the_events(event: Event, _eyes: Eyes) -> Event:
    return event


def leak_in_the_refusals(table: Table, command: messages.TableCommand, guest: Guest, **how: Any) -> Decision:
    try:
        return DECIDE(table, command, guest, **how)
    except Declined as error:
        if table.game is None:
            raise
        leak = replace(error.refusal, message=f"{error.refusal.message} {hidden(table)}")
        raise Declined(leak) from error


def leak_in_the_number_of_an_answer(
    handler: CommandHandler, command: messages.TableCommand, guest: Guest, entry: int
) -> messages.Done:
    table = handler._store.table
    return msgspec.structs.replace(DONE(handler, command, guest, entry), number=hidden(table) if table.game else 0)


def leak_in_the_greeting(runner: TableRunner, guest: Guest, since: int | None) -> Feed:
    feed = FEED(runner, guest, since)
    if runner.table.game is not None:
        hello, *missed = feed._before
        assert isinstance(hello, messages.Hello)
        feed._before = iter((msgspec.structs.replace(hello, number=hidden(runner.table)), *missed))
    return feed


async def leak_in_the_log(line: Connection, runner: TableRunner, guest: Guest, raw: str | bytes) -> Any:
    if runner.table.game is not None:
        line.context.logger.info("a message", load=hidden(runner.table))
    return await ANSWER(line, runner, guest, raw)


def leak_in_the_record(record: Record, eyes: Eyes, _is_over: bool) -> Record:
    return RECORD(record, eyes, True)


@pytest.mark.parametrize(
    "owner, name, leak, told",
    [
        (Table, "projection", leak_in_the_projection, "to "),
        (Table, "projection", leak_in_the_ranges, "to "),
        (Stole, "seen_by", leak_in_the_events, "stole"),
        (Drew, "seen_by", leak_in_the_events, "drew"),
        (Table, "decide", leak_in_the_refusals, "Refused"),
        (CommandHandler, "_done_message", leak_in_the_number_of_an_answer, "Done"),
        (TableRunner, "feed", leak_in_the_greeting, "a greeting"),
        (Connection, "_answer", leak_in_the_log, "the log"),
        (rest, "visible_record", leak_in_the_record, "record"),
    ],
)
def test_a_planted_leak_is_caught(owner: Any, name: str, leak: Any, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(owner, name, leak)
    with pytest.raises((Leak, Secret), match=told):
        asyncio.run(run(8))


def leak_in_the_line_of(kind: str) -> Any:
    """The line of a table that is rated, that waits, or where a guest was deleted, tells of hidden cards."""

    def leak(table: Table) -> messages.TableLine:
        line = LINE(table)
        leaks = {
            "rated": table.opening.rated,
            "waiting": table.waiting,
            "deleted": any(seat.resigned for seat in table.seats.values()),
            "wished": bool(line.wishes),
            "spoken": table.spectator_remarks > 0,
        }
        if table.game is None or table.status == "over" or not leaks[kind]:
            return line
        return msgspec.structs.replace(line, title=f"table {hidden(table)}")

    return leak


def leak_to_those_who_return(runner: TableRunner, guest: Guest, since: int | None) -> Feed:
    """Who comes again after its last socket was closed is told more than the others."""
    returns = bool(since) and guest.color not in runner.attendance.looking
    feed = FEED(runner, guest, since)
    if runner.table.game is not None and returns:
        hello, *missed = feed._before
        assert isinstance(hello, messages.Hello)
        feed._before = iter((msgspec.structs.replace(hello, number=hidden(runner.table)), *missed))
    return feed


def leak_to_strangers(table: Table, guest: Guest) -> Refusal | None:
    """Who may not look at a finished game is told something of it."""
    refusal = WHY_NOT_LOOK(table, guest)
    if refusal is None or table.game is None or table.status != "over":
        return refusal
    return replace(refusal, message=f"{refusal.message} {hidden(table)}")


def leak_of_who_is_back(_table: Table) -> bool:
    """Who discards while away is back at once."""
    return False


@pytest.mark.parametrize(
    "owner, name, leak, told",
    [
        (Table, "line", leak_in_the_line_of("rated"), "to "),
        (Table, "line", leak_in_the_line_of("waiting"), "to "),
        (Table, "line", leak_in_the_line_of("deleted"), "to "),
        (Table, "line", leak_in_the_line_of("wished"), "to "),
        (Table, "line", leak_in_the_line_of("spoken"), "to "),
        (TableRunner, "feed", leak_to_those_who_return, "to "),
        (context, "why_not_look", leak_to_strangers, "a finished game to a stranger"),
        (Table, "is_discarding", property(leak_of_who_is_back), "to "),
    ],
    ids=["rated", "waiting", "deleted", "wished", "spoken", "returned", "shown", "back"],
)
def test_a_leak_around_the_game_is_caught(
    owner: Any, name: str, leak: Any, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(owner, name, leak)
    with pytest.raises(Leak, match=told):
        asyncio.run(run(6, EVERYTHING_FROM))


def test_a_socket_is_told_nothing_more_once_its_token_is_void() -> None:
    with run_server() as url:
        response = new_table(url)
        table, path = response.json["table"]["id"], f"/api/tables/{response.json['table']['id']}/seats/red"
        with open_socket(url, table, response.json["token"]) as line:
            hear(line, messages.Hello)
            assert ask(url, "POST", path, {"name": "Ann"}, Cookie=response.cookie).status == 201
            assert read_to_close_code(line) == 4403


# --- the plain scan ---------------------------------------------------------------------------------------------------

VIEW = {"over": False, "deck": 20, "players": [{"color": "red", "hand": 3, "cards": 1}]}
TOLD = {"type": "told", "number": 3, "time": 1.0, "events": [{"event": "stole", "player": "red", "from": "blue"}]}


@pytest.mark.parametrize(
    "eyes, view",
    [
        (None, {**VIEW, "deck": {"knight": 14}}),
        (None, {**VIEW, "hand": {"ore": 1}}),
        ("blue", {**VIEW, "players": [{"color": "red", "hand": {"ore": 3}, "cards": 1}]}),
        ("blue", {**VIEW, "players": [{"color": "red", "hand": 3, "cards": {"knight": 1}}]}),
    ],
)
def test_the_scan_finds_cards_in_a_projection(eyes: str | None, view: dict[str, Any]) -> None:
    check_projection({"seat": eyes, "view": VIEW}, eyes)
    with pytest.raises(Secret):
        check_projection({"seat": eyes, "view": view}, eyes)


def test_the_scan_finds_the_kind_of_a_stolen_or_drawn_card() -> None:
    stolen = log.Played(color="red", steps=("red steal blue", "chance stolen ore"))
    drawn_entry = log.Played(color="red", steps=("red buy", "chance drawn knight"))
    assert check_unnamed(stolen, [TOLD], "white") == 1
    with pytest.raises(Secret):
        check_unnamed(stolen, [{**TOLD, "events": [{"event": "stole", "card": "ore"}]}], None)
    with pytest.raises(Secret):
        check_unnamed(drawn_entry, [{**TOLD, "events": [{"event": "drew", "card": "knight"}]}], "blue")
    assert check_unnamed(drawn_entry, [{**TOLD, "events": [{"event": "drew", "card": "knight"}]}], "red") == 0


def test_the_scan_finds_seeds_tokens_and_positions() -> None:
    entry = log.LogEntry(seq=1, time=1.0, body=log.Played(color="red", steps=("red roll",)), position_hash="abcdef")
    heard = Transcript(None, [b'200 [] {"x":"abcdef"}'])
    with pytest.raises(Secret):
        scan(heard, [entry], [])
    heard = Transcript(None, [b'{"type":"pong","x":77777}'])
    assert scan(heard, [entry], []) == 0
    with pytest.raises(Secret):
        scan(heard, [entry], ["77777"])
