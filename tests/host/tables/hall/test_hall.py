"""The hall: seats and tokens, commands once and only once, feeds, storage that fails, bots, restarts."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import msgspec
import pytest

import hexholm
from hexholm.host.storage import Storage
from hexholm.host.tables import lessons, log
from hexholm.host.tables import table as table_module
from hexholm.host.tables.audience.feeds import Feed
from hexholm.host.tables.hall import opening
from hexholm.host.tables.hall.loaded_tables import NoTable
from hexholm.host.tables.log import read_row
from hexholm.host.tables.running import command_limits
from hexholm.host.tables.seats import Guest
from hexholm.host.tables.table import Table
from hexholm.host.web.rest.drawings import BoardKey, packed_board
from hexholm.host.wire import messages
from hexholm.host.wire.host_refusals import Declined
from hexholm.rules.boards import Layout, layout_for
from hexholm.rules.boards.board_reader import LONGEST_BOARD
from tests.host.halls import (
    Party,
    carry_out,
    drain,
    in_hall,
    open_party,
    refusal_code,
    set_up,
    table_lines,
    table_settings,
)

from ..stories import play

pytestmark = pytest.mark.waits

# --- setting up, coming and going -------------------------------------------------------------------------------------


def test_a_token_opens_its_seat_and_nothing_else() -> None:
    async def run(p: Party) -> None:
        await set_up(p)
        token = p.tokens["red"]
        assert p.hall.loaded(p.id).seat_access.identify(token, "ann") == Guest("ann", "red")
        assert p.hall.loaded(p.id).seat_access.identify(token, "anns-telephone") == Guest("ann", "red")
        assert p.hall.loaded(p.id).seat_access.identify(None, "ann") == Guest("ann", None)
        for wrong in ("", "x", token + "x", token[:-1], p.id, "\ud800"):
            with pytest.raises(Declined, match="does not open a seat"):
                p.hall.loaded(p.id).seat_access.identify(wrong, "ann")
        other_table = await p.hall.create("ann", table_settings(options={}))
        with pytest.raises(Declined):
            p.hall.loaded(other_table.id).seat_access.identify(token, "ann")
        stored = await p.hall.services.storage.entries(p.id)
        assert all(token not in line.body for line in stored)

    in_hall(run)


def test_a_token_can_be_had_anew_and_then_the_old_one_is_void() -> None:
    async def run(p: Party) -> None:
        await set_up(p)
        await p.begin()
        seq, old_token = p.table.seq, p.tokens["blue"]
        second_token = await p.hall.loaded(p.id).seat_access.take_seat("blue", "bob", "Bob")
        assert p.table.seq == seq
        assert p.hall.loaded(p.id).seat_access.identify(second_token, "bob").color == "blue"
        with pytest.raises(Declined):
            p.hall.loaded(p.id).seat_access.identify(old_token, "bob")

    in_hall(run)


def test_what_cannot_be_set_up_is_refused_with_the_reason() -> None:
    async def run(p: Party) -> None:
        wrong: list[tuple[dict[str, Any], str]] = [
            ({"options": {"edition": "tenth"}}, "tenth"),
            ({"options": {"edition": []}}, "unhashable|edition"),
            ({"options": {"nonsense": 1}}, "nonsense"),
            ({"options": {}, "board": "no board"}, "TOML"),
            ({"options": {}, "clock": 0}, "clock"),
            ({"options": {}, "seats": {"red": "hal"}}, "hal"),
            ({"options": {}, "seats": {"mauve": None}}, "mauve"),
            ({"options": {}, "color": "mauve"}, "mauve"),
        ]
        for how, word in wrong:
            with pytest.raises(Declined, match=word) as error:
                await p.hall.create("ann", table_settings(**how))
            assert error.value.refusal.code == "not_readable"
        assert table_lines(p.hall) == []
        with pytest.raises(NoTable):
            p.hall.loaded("nowhere")

    in_hall(run)


def test_a_board_of_ones_own_is_played_and_no_seed_is_told() -> None:
    async def run(p: Party) -> None:
        layout = hexholm.Game(edition="fifth", seed=3).layout
        created_table = await p.hall.create("ann", table_settings(options={"edition": "fifth"}, board=layout.to_toml()))
        seeded = await p.hall.create("ann", table_settings(options={"edition": "fifth"}, board_seed=987654))
        assert p.hall.loaded(created_table.id).table.board == layout
        for line in await p.hall.services.storage.entries(seeded.id):
            assert "987654" not in line.body

    in_hall(run)


def test_the_name_of_a_board_of_ones_own_is_not_kept() -> None:
    """A stranger with the link read it, and nobody could report or delete it."""
    layout = hexholm.Game(edition="fifth", seed=3).layout
    named = Layout(layout.board, layout.start, "an insult")

    async def run(p: Party) -> None:
        settings = table_settings(options={}, board=named.to_toml())
        created_table = await p.hall.create("ann", settings)
        assert p.hall.loaded(created_table.id).table.board.name == ""
        for line in await p.hall.services.storage.entries(created_table.id):
            assert "an insult" not in line.body
        with pytest.raises(Declined, match="too long"):
            await p.hall.create("ann", replace(settings, board=Layout(layout.board, layout.start, '"' * 80_000)))
        assert len(table_lines(p.hall)) == 1

    in_hall(run)


def test_a_board_whose_name_grew_when_it_was_stored_is_read_all_the_same() -> None:
    """Before names were short, a table with one could not be read again."""

    async def run(p: Party) -> None:
        layout = hexholm.Game(edition="fifth", seed=3).layout
        text = Layout(layout.board, layout.start, '"' * 15_000).to_toml()
        assert len(text) > LONGEST_BOARD
        opened = log.Opened(title="", creator_id="ann", options=hexholm.options("fifth").as_dict(), board=text)
        table = Table("old")
        table.enter(log.LogEntry(seq=1, time=0.0, body=opened))
        assert table.board == layout
        assert packed_board(BoardKey(table.board.to_toml(), "fifth", "light", "en"))

    in_hall(run)


@pytest.mark.parametrize(
    "how",
    [
        {"options": {"edition": "fifth"}},
        {"options": {"edition": "fifth", "setup": "fixed", "first": "blue"}},
        {"options": {"edition": "sixth"}, "board_seed": 7, "color": "red", "seats": {"blue": "easy"}},
        {"options": {}, "board": layout_for(hexholm.options("fifth", setup="fixed"), 1).to_toml()},
        {"options": {"edition": "zip", "map": 3}},
        {"options": {"edition": "fifth"}, "lesson": "first-game", "sit": True},
    ],
)
def test_a_new_table_is_the_one_that_its_log_leads_to(how: dict[str, Any]) -> None:
    """It is not read from its first entry, but takes what was decided."""

    async def run(p: Party) -> None:
        created_table = await p.hall.create("ann", table_settings(**how))
        table, storage = p.hall.loaded(created_table.id).table, p.hall.services.storage
        read_table = Table(table.id)
        for row in await storage.entries(table.id):
            read_table.enter(read_row(row))
        assert read_table.line() == table.line()
        assert read_table.options == table.options
        assert (read_table.board.to_toml(), read_table.board.standard) == (table.board.to_toml(), table.board.standard)
        stored = await storage.table(table.id)
        assert stored is not None
        assert msgspec.json.decode(stored.summary, type=messages.TableLine) == table.line()

    in_hall(run)


def test_the_options_of_a_new_table_are_worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[dict[str, Any]] = []

    def counted(**values: Any) -> Any:
        calls.append(values)
        return hexholm.options(**values)

    async def run(p: Party) -> None:
        for module in (opening, lessons, table_module):
            monkeypatch.setattr(module, "game_options", counted)
        await p.hall.create("ann", table_settings(options={"edition": "fifth"}, color="red", seats={"blue": "easy"}))
        assert calls == [{"edition": "fifth"}]

    in_hall(run)


def test_nobody_controls_two_colors_and_a_bots_seat_is_the_creators_to_give() -> None:
    async def run(p: Party) -> None:
        created_table = await p.hall.create("ann", table_settings(options={}, color="red", seats={"blue": "easy"}))
        await p.hall.loaded(created_table.id).seat_access.take_seat("white", "bob", "Bob")
        for color, guest in (("orange", "bob"), ("orange", "ann"), ("red", "cid"), ("white", "cid"), ("blue", "cid")):
            with pytest.raises(Declined):
                await p.hall.loaded(created_table.id).seat_access.take_seat(color, guest, "x")
        with pytest.raises(Declined, match="mauve"):
            await p.hall.loaded(created_table.id).seat_access.take_seat("mauve", "cid", "Cid")
        kinds = {color.color: color.sitter for color in p.hall.loaded(created_table.id).table.seats.values()}
        assert kinds == {"red": "person", "blue": "bot", "white": "person", "orange": "empty"}

    in_hall(run)


def test_guests_do_not_change_what_is_the_creators() -> None:
    async def run(p: Party) -> None:
        await set_up(p)
        commands: list[messages.TableCommand] = [
            messages.Begin(id="1"),
            messages.SeatBot(id="2", color="orange", bot_name=None),
            messages.Kick(id="3", color="white"),
            messages.Pause(id="4"),
            messages.End(id="5"),
        ]
        before = p.table.seq
        for command in commands:
            for color in ("blue", None):
                assert refusal_code(await p.send(color, command)) == "not_allowed"
        assert p.table.seq == before
        assert (
            refusal_code(await p.send("red", messages.SeatBot(id="6", color="orange", bot_name="hal")))
            == "not_readable"
        )
        await p.begin()
        for command in (messages.Pause(id="7"), messages.End(id="8"), messages.Resume(id="9")):
            assert refusal_code(await p.send(None, command)) == "not_allowed"
        assert isinstance(await p.send("blue", messages.End(id="10")), messages.Done)
        assert p.table.status == "playing"

    in_hall(run)


def test_who_is_kicked_sees_and_does_nothing_more() -> None:
    async def run(p: Party) -> None:
        await set_up(p)
        await p.begin()
        feed, bob = p.feed("blue"), p.people["blue"]
        drain(feed)
        for color in ("red", "white", "orange"):
            assert feed.reason is None
            await carry_out(p, color, messages.Kick(id="k", color="blue"))
        assert feed.reason == "kicked"
        assert [message async for message in feed] == []
        with pytest.raises(Declined):
            p.hall.loaded(p.id).seat_access.identify(p.tokens["blue"], "bob")
        with pytest.raises(Declined):
            p.hall.loaded(p.id).feed(bob)
        assert refusal_code(await p.act("blue", "roll")) == "not_allowed"
        assert p.table.seats["blue"].bot_name == "easy"

    in_hall(run)


def test_nobody_can_fill_the_log_with_wishes() -> None:
    async def run(p: Party) -> None:
        await set_up(p)
        answers = [await p.send("blue", messages.Mute(id=str(i), color="white", on=i % 2 == 0)) for i in range(80)]
        assert sum(isinstance(answer, messages.Done) for answer in answers) == command_limits.WISH_RATE[0]
        assert refusal_code(answers[-1]) == "too_much"
        await p.after(command_limits.WISH_RATE[1])
        assert isinstance(await p.send("blue", messages.Mute(id="later", color="white")), messages.Done)

    in_hall(run)


def test_offers_have_a_limit_in_time_and_the_game_itself_has_none() -> None:
    async def run(p: Party) -> None:
        await set_up(p)
        answers = [await p.act("red", "offer 1 ore : 1 wool to all") for _ in range(command_limits.OFFER_RATE[0] + 1)]
        assert "too_much" not in {refusal_code(answer) for answer in answers[:-1]}
        assert refusal_code(answers[-1]) == "too_much"
        assert "too_much" not in {refusal_code(await p.act("red", "end")) for _ in range(80)}

    in_hall(run)


def test_chat_has_a_limit_in_time() -> None:
    async def run(p: Party) -> None:
        await set_up(p)
        answers = [await p.send("blue", messages.Say(id=str(i), text="hello")) for i in range(20)]
        remarks = sum(isinstance(answer, messages.Done) for answer in answers)
        assert remarks == command_limits.REMARK_RATE[0]
        assert refusal_code(answers[-1]) == "too_much"
        assert isinstance(await p.send("white", messages.Say(id="w", text="hello")), messages.Done)
        await p.after(command_limits.REMARK_RATE[1])
        assert isinstance(await p.send("blue", messages.Say(id="later", text="hello")), messages.Done)

    in_hall(run)


def test_a_remark_has_a_limit_in_length() -> None:
    async def run(p: Party) -> None:
        await set_up(p)
        feed = p.feed("red")
        assert isinstance(await p.send("blue", messages.Say(id="1", text="x" * messages.LONGEST_TEXT)), messages.Done)
        answer = await p.send("blue", messages.Say(id="2", text="x" * (messages.LONGEST_TEXT + 1)))
        assert isinstance(answer, messages.Refused)
        assert (answer.why, answer.values) == ("said_too_much", {"most": messages.LONGEST_TEXT})
        assert [len(message.text) for message in drain(feed) if isinstance(message, messages.Chatted)] == [
            messages.LONGEST_TEXT
        ]

    in_hall(run)


@pytest.mark.parametrize("ranges", [True, False])
def test_what_can_be_inferred_of_the_other_hands_is_shown_to_all_or_to_nobody(ranges: bool) -> None:
    async def run(p: Party) -> None:
        await set_up(p, ranges=ranges, setup="fixed")
        await p.begin()
        for eyes in p.table.eyes:
            projection = p.table.projection(eyes)
            assert projection is not None
            colors_shown = [player["color"] for player in projection.view["players"] if "ranges" in player]
            assert colors_shown == ([color for color in p.table.colors if color != eyes] if ranges else [])

    in_hall(run)


# --- commands, once and only once -------------------------------------------------------------------------------------


def test_a_repeat_gets_the_same_answer_and_happens_once() -> None:
    async def run(p: Party) -> None:
        await set_up(p)
        await p.begin()
        feed = p.feed("blue")
        act = messages.Act(id="one", action="settlement C3n")
        both = await asyncio.gather(p.send("red", act), p.send("red", act))
        assert both[0] == both[1] == await p.send("red", act)
        assert isinstance(both[0], messages.Done)
        assert both[0].number == len(p.table.by_eyes["red"].stream)
        assert [type(message) for message in drain(feed)] == [messages.Hello, messages.Told, messages.Now]
        wrong = messages.Act(id="two", action="roll")
        first = await p.send("red", wrong)
        await p.play_actions("red", "road C3/ne")
        assert await p.send("red", wrong) == first
        assert isinstance(await p.send("blue", messages.Say(id="one", text="my own one")), messages.Done)
        assert refusal_code(await p.send("red", messages.Say(id="", text="x"))) == "not_readable"
        assert refusal_code(await p.send("red", messages.Say(id="x" * 65, text="x"))) == "not_readable"

    in_hall(run)


def test_a_repeat_after_a_restart_gets_the_same_answer() -> None:
    async def run() -> None:
        async with Storage(":memory:") as storage:
            remark = messages.Say(id="say", text="hello")  # could be done again at any time
            act = messages.Act(id="act", action="settlement C3n")  # could not
            async with open_party(storage) as p:
                await set_up(p)
                await p.begin()
                answers = [await p.send("red", command) for command in (remark, act)]
            async with open_party(storage) as reopened:
                reopened.id, reopened.people = p.id, p.people
                seq = reopened.table.seq
                assert [await reopened.send("red", command) for command in (remark, act)] == answers
                assert reopened.table.seq == seq
                assert reopened.hall.loaded(p.id).seat_access.identify(p.tokens["blue"], "bob").color == "blue"

    asyncio.run(run())


# --- feeds ------------------------------------------------------------------------------------------------------------


def test_a_feed_can_be_taken_up_at_every_message_and_nothing_is_missing_or_double() -> None:
    async def run(p: Party) -> None:
        await set_up(p, 1, points_to_win=3)
        p.people[None] = Guest("ann")  # who set it up may still look when it is over
        whole, watching = p.feed("red"), p.feed(None)
        whole.longest = watching.longest = 10**6
        await p.begin()
        await play(p, "red", 60)
        for color, feed in (("red", whole), (None, watching)):
            heard = drain(feed)
            numbered = [message for message in heard[1:] if not isinstance(message, messages.Now | messages.Present)]
            assert [message.number for message in numbered] == list(
                range(heard[0].number + 1, heard[0].number + len(numbered) + 1)
            )
            last = [message for message in heard if isinstance(message, messages.Now)][-1]
            assert last.projection == p.table.projection(color)
            stream = p.table.by_eyes[color].stream
            for since in range(len(stream) + 1):
                with_past = p.feed(color, since)
                hello, *missed = drain(with_past)
                assert hello.number == len(stream)
                assert hello.projection == last.projection
                assert missed == stream[since:]
                with_past.close()
            assert len(drain(p.feed(color))) == 1
            assert len(drain(p.feed(color, 10**9))) == 1

    in_hall(run)


def test_the_game_is_shown_again_only_when_it_looks_different() -> None:
    async def run(p: Party) -> None:
        await set_up(p)
        feed = p.feed("blue")
        await p.begin()
        assert [type(message) for message in drain(feed)] == [
            messages.Hello,
            messages.Told,
            messages.Changed,
            messages.Now,
        ]
        await p.send("red", messages.Say(id="1", text="hello"))
        assert [type(message) for message in drain(feed)] == [messages.Chatted]
        await p.play_actions("red", "settlement C3n")
        assert [type(message) for message in drain(feed)] == [messages.Told, messages.Now]

    in_hall(run)


def test_a_slow_reader_is_dropped_alone_and_can_come_back() -> None:
    async def run(p: Party) -> None:
        await set_up(p)
        slow, quick = p.feed("white"), p.feed("blue")
        first_messages = [await anext(slow)]
        heard = 0
        for i in range(300):
            p.clock.time += 2
            await p.send(("red", "orange")[i % 2], messages.Say(id=str(i), text=f"line {i}"))
            heard += sum(not isinstance(message, messages.Present) for message in drain(quick))
        assert (slow.reason, quick.reason) == ("slow", None)
        assert [message async for message in slow] == []
        assert heard == 301
        assert p.hall.services.figures["slow"] == 1
        assert isinstance(first_messages[0], messages.Hello)
        back = p.feed("white", first_messages[0].number)
        assert len(drain(back)) == 301

    in_hall(run)


def test_a_feed_waits_for_news_and_ends_when_it_is_closed_or_the_host_stops() -> None:
    async def run() -> None:
        async with open_party() as p:
            await set_up(p)
            feed, closed = p.feed("blue"), p.feed("white")

            async def read(feed: Feed) -> int:
                return len([message async for message in feed])

            reading = [asyncio.create_task(read(some_feed)) for some_feed in (feed, closed)]
            await p.send("red", messages.Say(id="1", text="hello"))
            await asyncio.sleep(0.01)
            closed.close()
            assert await reading[1] == 2
            assert not reading[0].done()
        assert await reading[0] == 2
        assert (feed.reason, closed.reason) == ("stopped", "closed")

    asyncio.run(run())
