"""Fuzz of the host in small, and that the fuzz would notice (tests/host/fuzz says how to run it in large)."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from hexholm.host.storage import Storage
from hexholm.host.tables import log
from hexholm.host.tables.log import read_row
from hexholm.host.tables.running.seat_access import SeatAccess
from hexholm.host.tables.seats import Guest
from hexholm.host.tables.table import Table
from hexholm.host.tables.table_decision import Decision
from hexholm.host.wire import messages

from ..halls import open_party, set_up
from . import protocol, rest
from .hostile_guests import Line, Spot, Tally
from .hostile_messages import SHAPES, Message, Words
from .log_check import Wrong, check_logs, replay

pytestmark = pytest.mark.waits

DECIDE, IDENTIFY = Table.decide, SeatAccess.identify


def test_thousands_of_wrong_messages_harm_nobody() -> None:
    outcome = asyncio.run(protocol.run(3000, seed=5))
    print(outcome)
    assert outcome.checked.by_people > 10
    assert outcome.checked.outcomes_told > 5
    assert outcome.checked.taken_back > 0
    assert outcome.heard["refused: too_much"]
    assert outcome.ended["4403"]
    assert outcome.ended["1009"] + outcome.ended["1007"]
    assert {name for name, n in outcome.sent.items() if n} >= {
        "again",
        "truncated",
        "noise",
        "take back",
        "wrong value",
        "handshake",
    }


def test_every_kind_of_command_is_among_the_messages() -> None:
    assert set(SHAPES) == {kind.__struct_config__.tag for kind in get_args(messages.TableCommand)}
    words = Words(random.Random(1))
    spot = Spot("x", "", ("red", "blue", "white"))
    for kind in SHAPES:
        raw = words._message("plain", words.command(spot.sight, kind)).raw
        assert msgspec.json.decode(raw, type=messages.TableCommand).__struct_config__.tag == kind


# --- the fuzz would notice --------------------------------------------------------------------------------------------


def any_token_opens_the_first_seat(access: SeatAccess, token: str | None, guest: str) -> Guest:
    first = next(iter(access._store.table.seats.values()))
    return IDENTIFY(access, token, guest) if token is None else Guest(first.guest_id, first.color)


def those_who_watch_may_act(table: Table, command: messages.TableCommand, guest: Guest, **how: Any) -> Decision:
    color = guest.color or (table.asked_colors() or (None,))[0]
    return DECIDE(table, command, Guest(guest.id, color) if isinstance(command, messages.Act) else guest, **how)


def every_seat_is_the_creators(table: Table, command: messages.TableCommand, guest: Guest, **how: Any) -> Decision:
    return DECIDE(table, command, replace(guest, id=table.creator_id), **how)


def an_accident_with_long_words(table: Table, command: messages.TableCommand, guest: Guest, **how: Any) -> Decision:
    if isinstance(command, messages.Say) and len(command.text) > 20:
        raise KeyError(command.text)
    return DECIDE(table, command, guest, **how)


@pytest.mark.parametrize(
    "owner, name, fault",
    [
        (SeatAccess, "identify", any_token_opens_the_first_seat),
        (Table, "decide", those_who_watch_may_act),
        (Table, "decide", every_seat_is_the_creators),
        (Table, "decide", an_accident_with_long_words),
    ],
)
def test_a_planted_fault_is_found(owner: type[Any], name: str, fault: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(owner, name, fault)
    with pytest.raises((protocol.Failed, Wrong)):
        asyncio.run(protocol.run(1500, seed=2))


def test_an_answer_of_no_known_shape_is_found() -> None:
    for raw, finding in (
        ('{"type":"done","id":"1","number":1,"hand":{"ore":1}}', "no known shape"),
        ('{"type":"done","id":"2","number":1}', "another id"),
        ('{"type":"pong"}', "was answered with"),
        ('{"type":"refused","id":"1","code":"failed","message":"x"}', "refused as 'failed'"),
        ('{"type":"done","id":"1","number":1}', "for one who may not"),
    ):
        tally = Tally()
        line = Line(tally, None, Spot("x", "", ("red",)), None, creator=False)  # type: ignore[arg-type]
        line.hello = messages.Refused(id=None, code="", message="")
        line.waiting.append(Message('{"type":"act","id":"1","action":"roll"}', "play"))
        line.kinds["1"] = {"act"}
        line.hear(raw)
        assert finding in " ".join(tally.findings)


async def a_game(path: Path) -> tuple[str, list[log.LogEntry]]:
    """A few moves of a game, and its log."""
    async with Storage(path) as storage, open_party(storage) as party:
        await set_up(party)
        await party.begin()
        for _ in range(12):
            game = party.table.game
            assert game is not None
            await party.play_actions(game.to_act[0], game.view(game.to_act[0]).legal_actions.texts[0])
        return party.id, [read_row(row) for row in await storage.entries(party.id)]


def test_a_log_with_a_wrong_move_is_found(tmp_path: Path) -> None:
    name, entries = asyncio.run(a_game(tmp_path / "h.db"))
    assert asyncio.run(check_logs(tmp_path / "h.db")).by_people == 12
    at = next(i for i, entry in enumerate(entries) if isinstance(entry.body, log.Played))
    body = entries[at].body
    assert isinstance(body, log.Played)
    answer = {entry.seq: ("ann", "red", "x") for entry in entries}
    for wrong, why in (
        (msgspec.structs.replace(body, color="blue"), "not those of the seat"),
        (msgspec.structs.replace(body, steps=("red roll",)), "not legal"),
        (msgspec.structs.replace(body, steps=(*body.steps, "blue roll")), "not those of the seat"),
        (msgspec.structs.replace(body, chooser="bot"), "played by a bot"),
        (msgspec.structs.replace(body, chooser="clock"), "the clock has not run out"),
    ):
        forged = [*entries[:at], msgspec.structs.replace(entries[at], body=wrong)]
        with pytest.raises(Wrong, match=why):
            replay(name, forged, answer)
    for answers, why in (({}, "nobody was answered"), ({entries[at].seq: ("ann", "", "x")}, "one who watches")):
        with pytest.raises(Wrong, match=why):
            replay(name, entries, answers)
    for acts in ({(name, "red"): {"y"}}, {(name, "blue"): {"x"}}, {}):
        with pytest.raises(Wrong, match="no act x was sent"):
            replay(name, entries, answer, acts)


async def a_told_roll(path: Path) -> tuple[str, list[log.LogEntry]]:
    """Red's turn with real dice, which white has told, and its log."""
    async with Storage(path) as storage, open_party(storage) as party:
        await set_up(party, chance_source="people", setup="fixed")
        await party.begin()
        answer = await party.send("white", messages.Deal(id="x", outcome="dice 4 6", number=party.table.moves))
        assert isinstance(answer, messages.Done), answer
        return party.id, [read_row(row) for row in await storage.entries(party.id)]


def test_a_log_with_a_wrongly_told_roll_is_found(tmp_path: Path) -> None:
    name, entries = asyncio.run(a_told_roll(tmp_path / "h.db"))
    checked = asyncio.run(check_logs(tmp_path / "h.db", {(name, "white"): {"x"}}))
    assert (checked.outcomes_told, checked.by_people) == (1, 1)
    *before, told_entry = entries
    body = told_entry.body
    assert isinstance(body, log.Played)
    answer = {told_entry.seq: ("cid", "white", "x")}
    for steps, why in (
        (("blue roll", "chance dice 4 6"), "blue does not roll"),
        (("red roll", "chance dice 7 1"), "cannot come out"),
        (("red roll", "chance stolen ore"), "cannot come out"),
        (("chance dice 4 6",), "does not roll"),
        (("red roll",), "not those of the seat"),
    ):
        wrong = msgspec.structs.replace(told_entry, body=msgspec.structs.replace(body, steps=steps))
        with pytest.raises(Wrong, match=why):
            replay(name, [*before, wrong], answer)
    with pytest.raises(Wrong, match="one who watches"):
        replay(name, entries, {told_entry.seq: ("eve", "", "x")})
    replay(name, entries, {told_entry.seq: ("ann", "", "x")})  # who set up the table tells dice without a seat


def test_a_fuzz_that_leaves_no_table_running_has_shown_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    async def never(*_: object) -> bool:
        return False

    monkeypatch.setattr(protocol, "went_on", never)
    with pytest.raises(protocol.Failed, match="still running"):
        asyncio.run(protocol.run(100, seed=2))


# --- REST -------------------------------------------------------------------------------------------------------------


def test_schemathesis_finds_nothing_wrong_with_rest() -> None:
    passes = (
        "nothing is known",
        "open, own seat",
        "over, shown by a link",
        "rated, own seat",
        "over, own table",
        "words of others",
    )
    outcome = asyncio.run(rest.run(3, seed=1, is_chosen=lambda schema_pass: schema_pass.name in passes))
    print(outcome)
    assert outcome.cases.total() > 300
    assert all(outcome.cases[name] for name in passes)
