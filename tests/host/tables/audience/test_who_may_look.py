"""Who may look at a table in a hall, who hears what is said there, and who may speak."""

from __future__ import annotations

from typing import Any

import pytest

from hexholm.host.storage import GuestRow
from hexholm.host.tables.running.command_limits import SPECTATOR_RATE, SPECTATORS_RATE
from hexholm.host.tables.seat_commands import MOST_SPECTATOR_REMARKS
from hexholm.host.tables.seats import Guest
from hexholm.host.wire import messages
from hexholm.host.wire.host_refusals import Declined

from ...halls import Party, carry_out, drain, in_hall, send, table_settings

pytestmark = pytest.mark.waits

STRANGER = Guest("eve")
OPEN: dict[str, Any] = {"visibility": "open", "spectators_speak": True}


async def set_up(party: Party, **how: Any) -> Party:
    """A table of Ann's with Bob and two bots."""
    seats = {"white": "easy", "orange": "easy"}
    options = {"edition": "fifth", "first": 0}
    created_table = await party.hall.create("ann", table_settings(options=options, seats=seats, color="red", **how))
    party.id = created_table.id
    runner = party.hall.loaded(party.id)
    party.tokens["blue"] = await runner.seat_access.take_seat("blue", "bob", "Bob")
    party.people = {"red": Guest("ann", "red"), "blue": runner.seat_access.identify(party.tokens["blue"], "")}
    return party


def texts(feed: Any) -> list[tuple[str, str, str]]:
    return [(m.by, m.spectator, m.text) for m in drain(feed) if isinstance(m, messages.Chatted)]


def test_before_the_game_everybody_with_the_link_finds_a_seat_but_no_chat() -> None:
    async def story(party: Party) -> None:
        await set_up(party, watchable=False)
        await carry_out(party, "red", messages.Say(id="1", text="secret"))
        hello, *missed = drain(party.hall.loaded(party.id).feed(STRANGER, 0))
        assert hello.table.title == ""
        assert hello.projection is None
        assert not [message for message in missed if isinstance(message, messages.Chatted)]

    in_hall(story)


def test_when_a_game_begins_that_cannot_be_watched_strangers_are_told_why_and_nothing_else() -> None:
    async def story(party: Party) -> None:
        await set_up(party, watchable=False)
        runner = party.hall.loaded(party.id)
        strange, screen, own = runner.feed(STRANGER), runner.feed(Guest("ann")), runner.feed(Guest("bob"))
        for feed in (strange, screen, own):
            drain(feed)
        await party.begin()
        (refused,) = drain(strange)
        assert (refused.why, refused.id, strange.reason) == ("not_watchable", None, "private")
        for feed in (screen, own):  # the guests of the cookies, without a token
            assert feed.reason is None
            assert [message.what for message in drain(feed) if isinstance(message, messages.Changed)] == ["began"]
        with pytest.raises(Declined, match="only its players can watch"):
            runner.feed(STRANGER, 0)
        assert drain(runner.feed(Guest("bob"), 0))

    in_hall(story)


def test_who_watches_sees_how_it_ends_and_then_no_more() -> None:
    async def story(party: Party) -> None:
        await set_up(party)
        await party.begin()
        runner = party.hall.loaded(party.id)
        strange, seat = runner.feed(STRANGER), runner.feed(party.people["blue"])
        for feed in (strange, seat):
            drain(feed)
        await carry_out(party, "blue", messages.End(id="1"))
        await carry_out(party, "red", messages.End(id="2"))
        heard = drain(strange)
        assert [message.what for message in heard if isinstance(message, messages.Changed)][-1] == "ended"
        assert heard[-1].why == "not_shown"
        assert (strange.reason, seat.reason) == ("private", None)
        await carry_out(party, "red", messages.Say(id="3", text="good game"))
        assert texts(seat) == [("red", "", "good game")]
        assert drain(strange) == []
        with pytest.raises(Declined, match="belongs to its players"):
            runner.feed(STRANGER)
        assert runner.feed(Guest("bob")).reason is None

    in_hall(story)


def test_what_seats_say_does_not_change_a_byte_for_those_who_watch() -> None:
    streams: list[Any] = []

    async def story(party: Party) -> None:
        await set_up(party)
        words = ["one", "two", "three"] if streams else []
        for number, word in enumerate(words):
            await carry_out(party, "red", messages.Say(id=f"s{number}", text=word))
        await party.begin()
        for number, word in enumerate(words):
            await carry_out(party, "blue", messages.Say(id=f"t{number}", text=word))
        for color in party.people:  # all must agree
            await carry_out(party, color, messages.Pause(id="p"))
        await carry_out(party, "red", messages.Resume(id="r"))
        numbered = party.table.by_eyes[None].stream
        streams.append([(type(message).__name__, message.number, getattr(message, "what", "")) for message in numbered])

    for _ in range(2):
        in_hall(story)
    assert streams[0] == streams[1]


def test_those_who_watch_an_open_table_speak_by_their_name_and_all_hear_it() -> None:
    async def story(party: Party) -> None:
        await set_up(party, **OPEN)
        await party.begin()
        runner = party.hall.loaded(party.id)
        refused = await send(party.hall, party.id, STRANGER, messages.Say(id="1", text="hello"))
        assert isinstance(refused, messages.Refused)
        assert refused.why == "spectator_without_name"
        for guest_id, name in (("eve", "Eve"), ("bo", "bob")):
            await party.hall.services.storage.add_guest(GuestRow(guest_id, 1.0, name))
        feeds = [runner.feed(guest) for guest in (party.people["red"], STRANGER)]
        assert isinstance(await send(party.hall, party.id, STRANGER, messages.Say(id="2", text="hello")), messages.Done)
        assert isinstance(
            await send(party.hall, party.id, Guest("bo"), messages.Say(id="3", text="I am Bob")), messages.Done
        )
        for feed in feeds:  # nobody passes for one who sits there
            assert texts(feed) == [("", "Eve", "hello"), ("", "bob 2", "I am Bob")]
        entries = await party.hall.services.storage.entries(party.id)
        said = [entry for entry in entries if entry.tag == "said"]
        assert [[(text.slot, text.guest_id, text.text) for text in entry.texts] for entry in said] == [
            [("name", "eve", "Eve"), ("text", "eve", "hello")],
            [("name", "bo", "bob 2"), ("text", "bo", "I am Bob")],
        ]
        assert "hello" not in "".join(entry.body for entry in said)
        await party.hall.load(party.id)
        assert party.table.spectator_remarks == 2

    in_hall(story)


def test_a_seat_mutes_those_who_watch_and_the_creator_silences_them() -> None:
    async def story(party: Party) -> None:
        await set_up(party, **OPEN)
        await party.hall.services.storage.add_guest(GuestRow("eve", 1.0, "Eve"))
        runner = party.hall.loaded(party.id)
        await carry_out(party, "blue", messages.Mute(id="1", color=""))
        feeds = {color: runner.feed(party.people[color]) for color in ("red", "blue")}
        assert drain(feeds["blue"])[0].muted == ("",)
        assert isinstance(await send(party.hall, party.id, STRANGER, messages.Say(id="2", text="hello")), messages.Done)
        assert [texts(feeds[color]) for color in ("red", "blue")] == [[("", "Eve", "hello")], []]
        await carry_out(party, "red", messages.Silence(id="3", color=""))
        refused = await send(party.hall, party.id, STRANGER, messages.Say(id="4", text="still here"))
        assert isinstance(refused, messages.Refused)
        assert refused.why == "silenced"
        assert party.table.line().spectators_silenced
        await carry_out(party, "red", messages.Silence(id="5", color="", on=False))
        assert isinstance(await send(party.hall, party.id, STRANGER, messages.Say(id="6", text="again")), messages.Done)

    in_hall(story)


def test_those_who_watch_elsewhere_are_silent() -> None:
    async def story(party: Party) -> None:
        await set_up(party, visibility="open")
        await party.hall.services.storage.add_guest(GuestRow("eve", 1.0, "Eve"))
        refused = await send(party.hall, party.id, STRANGER, messages.Say(id="1", text="hello"))
        assert isinstance(refused, messages.Refused)
        assert refused.why == "watchers_are_silent"
        refused = await party.send("blue", messages.Mute(id="2", color=""))
        assert isinstance(refused, messages.Refused)
        assert refused.why == "no_such_seat"

    in_hall(story)


def test_those_who_watch_say_only_so_much_each_and_together_and_nothing_of_them_stays_in_memory() -> None:
    async def story(party: Party) -> None:
        await set_up(party, **OPEN)
        storage, runner = party.hall.services.storage, party.hall.loaded(party.id)

        async def says(guest_id: str, count: int) -> str:
            answer = await send(party.hall, party.id, Guest(guest_id), messages.Say(id=f"s{count}", text="x"))
            return answer.why if isinstance(answer, messages.Refused) else ""

        for number in range(SPECTATORS_RATE[0] + 1):
            await storage.add_guest(GuestRow(f"g{number}", 1.0, f"G{number}"))
        own = [await says("g0", count) for count in range(SPECTATOR_RATE[0] + 1)]
        assert own == [""] * SPECTATOR_RATE[0] + ["said_too_often"]
        others = [await says(f"g{number}", 0) for number in range(1, SPECTATORS_RATE[0] - SPECTATOR_RATE[0] + 2)]
        assert others == [""] * (SPECTATORS_RATE[0] - SPECTATOR_RATE[0]) + ["said_too_often"]
        party.clock.time += SPECTATORS_RATE[1] + 1
        assert await says("g1", 1) == ""
        assert len(runner.handler._limits._spectators) == 1
        party.table.spectator_remarks = MOST_SPECTATOR_REMARKS
        assert await says("g2", 1) == "spectators_said_enough"
        await carry_out(party, "red", messages.Say(id="red", text="seats go on"))

    in_hall(story)


@pytest.mark.parametrize("how", [{"spectators_speak": True}, {**OPEN, "watchable": False}])
def test_a_table_where_nobody_may_watch_lets_nobody_speak_there_either(how: dict[str, Any]) -> None:
    async def story(party: Party) -> None:
        with pytest.raises(Declined, match="that everybody can find and watch"):
            await set_up(party, **how)

    in_hall(story)


def test_a_rematch_is_found_watched_and_talked_at_as_the_game_before() -> None:
    async def story(party: Party) -> None:
        await set_up(party, **OPEN)
        await party.begin()
        await carry_out(party, "blue", messages.End(id="1"))
        await carry_out(party, "red", messages.End(id="2"))
        line = party.hall.loaded(await party.hall.rematch(party.id, "bob")).table.line()
        assert (line.visibility, line.watchable, line.spectators_speak) == ("open", True, True)
        listed = await party.hall.services.storage.tables("open", visibility="open")
        assert [row.id for row in listed] == [line.id]

    in_hall(story)
