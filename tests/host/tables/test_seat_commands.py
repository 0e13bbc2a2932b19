"""People at tables: who is there, why not, leaving, muting, silencing, tokens, another game, tables nobody begins."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from hexholm.game.dealers import Scripted
from hexholm.host.tables.audience import presence
from hexholm.host.tables.running.command_handler import ANSWERS_REMEMBERED
from hexholm.host.tables.running.command_limits import WISH_RATE
from hexholm.host.tables.seats import Guest
from hexholm.host.wire import messages
from hexholm.host.wire.host_refusals import Declined
from hexholm.rules.places import CORNER_NAMES
from tests.host.halls import Faulty, Party, agree, ask_why, carry_out, drain, open_party, send, set_up, why_refused

from .stories import BLUE, ORANGE, RED, WHITE, tell_story

pytestmark = pytest.mark.waits


def test_any_number_of_strangers_who_watch_leaves_nothing_behind_in_memory() -> None:
    async def story(party: Party) -> None:
        runner = party.hall.loaded(party.id)
        for i in range(3_000):
            guest = Guest(f"stranger {i}")
            feed = party.hall.loaded(party.id).feed(guest, None)
            for command in (
                messages.Say(id="s", text="hi"),
                messages.Pause(id="p"),
                messages.Act(id="a", action="offer wool for ore"),
            ):
                assert isinstance(await send(party.hall, party.id, guest, command), messages.Refused)
            feed.close()
        assert not runner.attendance.feeds
        assert len(runner.handler._limits._lately) <= 3 * (len(party.table.seats) + 1)
        assert len(runner.handler._answers) <= ANSWERS_REMEMBERED

    tell_story(story)


def test_a_creator_who_has_no_seat_is_limited_too() -> None:
    async def story(party: Party) -> None:
        whys = {await why_refused(party, None, messages.Kick(id=f"k{i}", color=RED)) for i in range(WISH_RATE[0])}
        assert whys == {"nobody_to_kick"}
        assert await why_refused(party, None, messages.Kick(id="once more", color=RED)) == "asked_too_often"

    tell_story(story, people=0)


# --- the greeting -----------------------------------------------------------------------------------------------------


def test_the_greeting_shows_the_board_before_the_game_begins() -> None:
    async def story(party: Party) -> None:
        hello = drain(party.feed(RED))[0]
        assert hello.projection is None
        layout = party.table.board
        assert {line.at: (line.terrain, line.number) for line in hello.board.hexes} == {
            line.at: (layout.terrain(line.at), layout.number(line.at)) for line in hello.board.hexes
        }
        assert len(hello.board.hexes) == 19
        assert len(hello.board.harbors) == 9
        for harbor in hello.board.harbors:
            assert set(harbor.corners) <= set(CORNER_NAMES)
            kinds = {layout.harbor(corner) for corner in harbor.corners}
            assert kinds == {harbor.kind or "any"}
            assert harbor.rate == (3 if harbor.kind is None else 2)

    tell_story(story, setup="variable")


def test_everybody_is_told_who_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence, "PRESENCE_DELAY", 0.01)

    async def story(party: Party) -> None:
        red = party.feed(RED)
        assert drain(red)[0].present == messages.Present(seats=(RED,), watching=0)
        blue, watcher = party.feed(BLUE), party.feed(None)
        assert drain(watcher)[0].present == messages.Present(seats=(RED, BLUE), watching=1)
        twice = party.feed(BLUE)
        await party.until(lambda: red.unread > 0)
        assert drain(red) == [messages.Present(seats=(RED, BLUE), watching=1)]
        blue.close()
        await asyncio.sleep(0.05)
        assert drain(red) == []  # blue still looks through another window
        twice.close()
        watcher.close()
        await party.until(lambda: red.unread > 0)
        assert drain(red) == [messages.Present(seats=(RED,), watching=0)]
        assert all(not isinstance(message, messages.Present) for message in party.table.by_eyes[RED].stream)

    tell_story(story)


def test_many_who_come_at_once_make_few_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence, "PRESENCE_DELAY", 0.01)

    async def story(party: Party) -> None:
        red = party.feed(RED)
        drain(red)
        feeds = [party.hall.loaded(party.id).feed(Guest(f"guest {i}")) for i in range(50)]
        await party.until(lambda: red.unread > 0)
        await asyncio.sleep(0.15)
        assert drain(red) == [messages.Present(seats=(RED,), watching=50)]
        assert len(feeds) == 50

    tell_story(story)


# --- why not ----------------------------------------------------------------------------------------------------------


def request_numbers(party: Party) -> dict[str | None, int]:
    return {eyes: eyes_state.question_number for eyes, eyes_state in party.table.by_eyes.items()}


def test_why_not_is_answered_with_its_name_and_its_values_and_changes_nothing() -> None:
    async def story(party: Party) -> None:
        async def ask(color: str | None, action: str) -> messages.WhyAnswer | messages.Refused:
            guest = party.people.get(color, Guest("eve"))
            return await ask_why(party.hall, party.id, guest, messages.Why(id="q", action=action))

        early = await ask(RED, "roll")
        assert early == messages.WhyAnswer(id="q", legal=False, message="the game has not begun", why="not_begun")
        await party.begin()
        before, requests = party.table.seq, request_numbers(party)
        assert await ask(RED, "roll") == messages.WhyAnswer(id="q", legal=True)
        answer = await ask(BLUE, "roll")
        assert isinstance(answer, messages.WhyAnswer)
        assert (answer.legal, answer.why, answer.values, answer.rule) == (
            False,
            "not_your_turn",
            {"seat": RED},
            "PHASE-12",
        )
        road = await ask(RED, "road A1/nw")
        assert isinstance(road, messages.WhyAnswer)
        assert road.why == "before_roll"
        assert request_numbers(party) == requests
        await party.play_actions(RED, "roll")
        offer = await ask(RED, "offer 1 ore : 1 wool to all")
        assert isinstance(offer, messages.WhyAnswer)
        assert offer.legal == (party.table.view(RED).hand["ore"] > 0)  # type: ignore[union-attr]
        city = await ask(RED, "buy")
        assert isinstance(city, messages.WhyAnswer)
        assert (city.why, city.values) == ("cannot_pay", {"price": {"ore": 1, "wool": 1, "grain": 1}})
        unreadable = await ask(RED, "fly away")
        assert isinstance(unreadable, messages.Refused)
        assert (unreadable.code, unreadable.why) == ("not_readable", "unreadable_action")
        foreign = await ask(RED, "blue roll")
        assert isinstance(foreign, messages.Refused)
        watcher = await ask(None, "roll")
        assert isinstance(watcher, messages.Refused)
        assert watcher.why == "watching"
        assert party.table.seq == before + 1
        assert await party.hall.services.storage.answer(party.id, "ann red", "q") is None

    tell_story(story, setup="fixed", make_dealer=lambda: Scripted(["dice 1 1", *["dice 3 3"] * 50]))


def test_why_not_says_nothing_of_what_a_partner_holds() -> None:
    async def story(party: Party) -> None:
        await party.begin()
        await party.play_actions(RED, "roll")
        table = party.table
        for color in (BLUE, WHITE, ORANGE):
            hand = table.view(color).hand  # type: ignore[union-attr]
            for kind in ("brick", "lumber", "wool", "grain", "ore"):
                mine = next(k for k, n in table.view(RED).hand.items() if n)  # type: ignore[union-attr]
                if kind == mine:
                    continue
                answer = await ask_why(
                    party.hall,
                    party.id,
                    party.people[RED],
                    messages.Why(id="q", action=f"offer 1 {mine} : 1 {kind} to {color}"),
                )
                assert isinstance(answer, messages.WhyAnswer)
                assert answer.legal, (kind, hand)

    tell_story(story, setup="fixed", make_dealer=lambda: Scripted(["dice 1 1", *["dice 3 3"] * 50]))


def test_a_refused_action_names_its_reason_as_data() -> None:
    async def story(party: Party) -> None:
        await party.begin()
        answer = await party.act(BLUE, "roll")
        assert isinstance(answer, messages.Refused)
        assert (answer.code, answer.why, answer.values) == ("not_legal", "not_your_turn", {"seat": RED})
        closed = await party.send(RED, messages.Act(id="x", action="roll", question_number=77))
        assert isinstance(closed, messages.Refused)
        assert (closed.why, closed.values) == ("question_closed", {"asked": 77, "now": 1})

    tell_story(story, setup="fixed")


@pytest.mark.rule("TRADE-03")
def test_a_late_yes_does_not_take_the_next_offer_of_the_same_number() -> None:
    async def story(party: Party) -> None:
        await party.begin()
        await party.play_actions(RED, "roll")
        mine = next(kind for kind, n in party.table.view(RED).hand.items() if n)  # type: ignore[union-attr]
        theirs = next(kind for kind, n in party.table.view(BLUE).hand.items() if n and kind != mine)  # type: ignore[union-attr]
        await party.play_actions(RED, f"offer 1 {mine} : 1 {theirs} to {BLUE}")
        asked = request_numbers(party)[BLUE]
        await party.play_actions(RED, "withdraw #1", f"offer 1 {mine} : 2 {theirs} to {BLUE}")
        late = await party.send(BLUE, messages.Act(id="late", action="accept #1", question_number=asked))
        assert isinstance(late, messages.Refused)
        assert (late.why, late.values["asked"]) == ("question_closed", asked)

    tell_story(story, setup="fixed", make_dealer=lambda: Scripted(["dice 1 1", *["dice 3 3"] * 50]))


# --- leaving ----------------------------------------------------------------------------------------------------------


def test_who_leaves_before_the_game_frees_the_seat_and_its_token_is_void() -> None:
    async def story(party: Party) -> None:
        feed = party.feed(BLUE)
        await carry_out(party, BLUE, messages.Leave(id="1"))
        assert party.table.seats[BLUE].sitter == "empty"
        assert feed.reason == "kicked"
        with pytest.raises(Declined, match="does not open a seat"):
            party.hall.loaded(party.id).seat_access.identify(party.tokens[BLUE], "bob")
        assert await why_refused(party, BLUE, messages.Say(id="2", text="still here?")) == "seat_lost"
        await party.hall.loaded(party.id).seat_access.take_seat(BLUE, "eve", "Eve")
        assert [seat.name for seat in party.table.line().seats] == ["Ann", "Eve", "Cid", "Dan"]

    tell_story(story)


def test_a_creator_who_leaves_is_still_the_creator() -> None:
    async def story(party: Party) -> None:
        await carry_out(party, RED, messages.Leave(id="1"))
        creator = Guest("ann")
        assert isinstance(
            await send(party.hall, party.id, creator, messages.SeatBot(id="2", color=RED, bot_name="easy")),
            messages.Done,
        )
        assert isinstance(await send(party.hall, party.id, creator, messages.Begin(id="3")), messages.Done)

    tell_story(story)


def test_nobody_leaves_a_game_that_has_begun_nor_a_seat_that_is_not_theirs() -> None:
    async def story(party: Party) -> None:
        assert await why_refused(party, None, messages.Leave(id="1")) == "no_seat_of_yours"
        await party.begin()
        assert await why_refused(party, BLUE, messages.Leave(id="2")) == "leave_too_late"

    tell_story(story)


# --- muting and silencing ---------------------------------------------------------------------------------------------


def heard(feed: Any) -> list[tuple[int, str]]:
    return [(message.number, message.text) for message in drain(feed) if isinstance(message, messages.Chatted)]


def test_a_muted_seat_is_heard_by_all_others_and_numbers_have_no_gap() -> None:
    async def story(party: Party) -> None:
        await carry_out(party, RED, messages.Mute(id="1", color=BLUE))
        other_streams = {color: list(party.table.by_eyes[color].stream) for color in (BLUE, WHITE, None)}
        feeds = {color: party.feed(color, 0) for color in (RED, BLUE, WHITE, None)}
        assert drain(feeds[RED])[0].muted == (BLUE,)
        for color in (BLUE, WHITE, None):
            assert drain(feeds[color])[1:] == other_streams[color]
            assert all(getattr(message, "what", "") != "muted" for message in other_streams[color])
        for number, (color, text) in enumerate([(BLUE, "one"), (WHITE, "two"), (BLUE, "three")]):
            await carry_out(party, color, messages.Say(id=f"say {number}", text=text))
        assert [text for _, text in heard(feeds[RED])] == ["two"]
        assert [text for _, text in heard(feeds[WHITE])] == ["one", "two", "three"]
        assert heard(feeds[None]) == []  # what is said is for those who sit there
        for eyes_state in party.table.by_eyes.values():
            numbers = [message.number for message in eyes_state.stream]
            assert numbers == list(range(1, len(numbers) + 1))
        await carry_out(party, RED, messages.Mute(id="2", color=BLUE, on=False))
        await carry_out(party, BLUE, messages.Say(id="4", text="four"))
        news = drain(feeds[RED])
        assert [message.muted for message in news if isinstance(message, messages.Changed)] == [()]
        assert [message.text for message in news if isinstance(message, messages.Chatted)] == ["four"]

    tell_story(story)


def test_what_is_muted_stays_muted_after_a_restart() -> None:
    async def run() -> None:
        storage = await Faulty(":memory:").open()
        try:
            async with open_party(storage) as party:
                await set_up(party)
                await carry_out(party, RED, messages.Mute(id="1", color=BLUE))
                await carry_out(party, BLUE, messages.Say(id="2", text="psst"))
                await carry_out(party, RED, messages.Silence(id="3", color=WHITE))
                name, people, before = party.id, party.people, party.table.by_eyes
            async with open_party(storage) as party:
                party.id, party.people = name, people
                assert party.table.muted(RED) == (BLUE,)
                for eyes, eyes_state in party.table.by_eyes.items():
                    assert eyes_state.stream[: len(before[eyes].stream)] == before[eyes].stream
                assert await why_refused(party, WHITE, messages.Say(id="4", text="and me?")) == "silenced"
        finally:
            await storage.close()

    asyncio.run(run())


def test_who_is_kicked_before_the_game_does_not_sit_down_again_and_who_leaves_may() -> None:
    async def run() -> None:
        async def kicked(party: Party, color: str) -> None:
            with pytest.raises(Declined) as error:
                await party.hall.loaded(party.id).seat_access.take_seat(color, "bob", "Bob")
            assert error.value.refusal.why == "kicked"

        storage = await Faulty(":memory:").open()
        try:
            async with open_party(storage) as party:
                await set_up(party)
                await carry_out(party, WHITE, messages.Leave(id="1"))
                await carry_out(party, RED, messages.Kick(id="2", color=BLUE))
                await kicked(party, BLUE)
                await kicked(party, WHITE)
                name = party.id
            async with open_party(storage) as party:
                party.id = name
                await kicked(party, BLUE)
                await party.hall.loaded(name).seat_access.take_seat(WHITE, "cid", "Cid")
                await party.hall.loaded(name).seat_access.take_seat(BLUE, "eve", "Eve")
        finally:
            await storage.close()

    asyncio.run(run())


def test_who_sits_down_on_a_muted_seat_is_heard() -> None:
    async def story(party: Party) -> None:
        await carry_out(party, RED, messages.Mute(id="1", color=BLUE))
        await carry_out(party, RED, messages.Silence(id="2", color=BLUE))
        await carry_out(party, BLUE, messages.Leave(id="3"))
        token = await party.hall.loaded(party.id).seat_access.take_seat(BLUE, "eve", "Eve")
        assert party.table.muted(RED) == ()
        eve = party.hall.loaded(party.id).seat_access.identify(token, "eve")
        assert isinstance(await send(party.hall, party.id, eve, messages.Say(id="4", text="hello")), messages.Done)

    tell_story(story)


def test_the_creator_silences_a_seat_for_everybody_and_lets_it_speak_again() -> None:
    async def story(party: Party) -> None:
        assert await why_refused(party, BLUE, messages.Silence(id="1", color=WHITE)) == "creator_only"
        assert await why_refused(party, RED, messages.Silence(id="2", color=RED)) == "not_yourself"
        assert await why_refused(party, RED, messages.Silence(id="3", color="pink")) == "no_such_seat"
        watcher = party.feed(None)
        drain(watcher)
        await carry_out(party, RED, messages.Silence(id="4", color=WHITE))
        assert [seat.silenced for seat in drain(watcher)[0].table.seats] == [False, False, True, False]
        assert await why_refused(party, WHITE, messages.Say(id="5", text="but")) == "silenced"
        await party.begin()
        await carry_out(party, RED, messages.Silence(id="6", color=WHITE, on=False))
        await carry_out(party, WHITE, messages.Say(id="7", text="thanks"))

    tell_story(story)


def test_a_person_is_called_by_another_name_when_they_say_so() -> None:
    async def story(party: Party) -> None:
        watcher = party.feed(None)
        drain(watcher)
        await carry_out(party, BLUE, messages.Rename(id="1", name="  Benjamin \n of Hill "))
        changed = drain(watcher)[0]
        assert (changed.what, changed.table.seats[1].name) == ("renamed", "Benjamin of Hill")
        await party.begin()
        await carry_out(party, BLUE, messages.Rename(id="2", name="Ben"))
        assert party.table.seats[BLUE].name == "Ben"
        assert await why_refused(party, BLUE, messages.Rename(id="3", name=" \t")) == "nothing_said"
        assert await why_refused(party, BLUE, messages.Rename(id="4", name="b" * 41)) == "said_too_much"
        assert await why_refused(party, None, messages.Rename(id="5", name="Eve")) == "no_seat_of_yours"
        assert party.table.seats[BLUE].name == "Ben"

    tell_story(story)


def test_nobody_is_called_as_somebody_else_at_the_table_is() -> None:
    """Not by case, blanks, joiners, wide letters or signs that show nothing either."""

    async def story(party: Party) -> None:
        name = party.table.seats[RED].name
        spellings = (
            name,
            f" {name.upper()} ",
            f"{name[0]}\u200d{name[1:]}",
            f"{name}\u3164",
            f"{name[0]}\u00ad{name[1:]}",
        )
        for number, spelling in enumerate(spellings):
            assert await why_refused(party, BLUE, messages.Rename(id=f"{number}", name=spelling)) == "name_taken"
        await carry_out(party, RED, messages.Rename(id="own", name=name.upper()))  # one's own in another spelling
        await carry_out(party, BLUE, messages.Leave(id="leave"))
        await party.hall.loaded(party.id).seat_access.take_seat(BLUE, "eve", f"{name}\u2800")  # with a number behind it
        assert party.table.seats[BLUE].name == f"{name} 2"

    tell_story(story)


def test_another_name_outlives_a_restart_and_stays_with_whom_one_mutes() -> None:
    async def run() -> None:
        storage = await Faulty(":memory:").open()
        async with open_party(storage) as party:
            await set_up(party)
            await carry_out(party, BLUE, messages.Mute(id="1", color=WHITE))
            await carry_out(party, BLUE, messages.Rename(id="2", name="Benny"))
            await carry_out(party, RED, messages.Pace(id="3", pace="slow"))
            table = party.id
        async with open_party(storage) as party:
            table_again = party.hall.loaded(table).table
            assert table_again.seats[BLUE].name == "Benny"
            assert table_again.muted(BLUE) == (WHITE,)
            assert table_again.line().pace == "slow"
        await storage.close()

    asyncio.run(run())


def test_the_creator_says_how_fast_the_bots_play() -> None:
    async def story(party: Party) -> None:
        assert await why_refused(party, BLUE, messages.Pace(id="1", pace="fast")) == "creator_only"
        watcher = party.feed(None)
        assert drain(watcher)[0].table.pace == "normal"
        await carry_out(party, RED, messages.Pace(id="2", pace="fast"))
        changed = drain(watcher)[0]
        assert (changed.what, changed.table.pace) == ("paced", "fast")
        await party.begin()
        await agree(party, messages.End)
        assert await why_refused(party, RED, messages.Pace(id="4", pace="slow")) == "over"
        follows = await party.hall.rematch(party.id, "ann")
        assert party.hall.loaded(follows).table.pace == "fast"

    tell_story(story)


def test_those_who_watch_mute_nobody_and_nobody_mutes_themselves() -> None:
    async def story(party: Party) -> None:
        assert await why_refused(party, None, messages.Mute(id="1", color=BLUE)) == "mute_needs_seat"
        assert await why_refused(party, RED, messages.Mute(id="2", color=RED)) == "not_yourself"
        assert await why_refused(party, RED, messages.Mute(id="3", color="pink")) == "no_such_seat"

    tell_story(story)


# --- tokens -----------------------------------------------------------------------------------------------------------


def test_a_lost_link_is_no_lost_seat_and_other_windows_stay() -> None:
    async def story(party: Party) -> None:
        first = party.tokens[BLUE]
        tokens = [first]
        for _ in range(4):
            color, token = await party.hall.loaded(party.id).seat_access.another_token("bob")
            assert color == BLUE
            party.clock.time += 1
            tokens.append(token)
        assert len(set(tokens)) == 5
        assert all(party.hall.loaded(party.id).seat_access.identify(token, "bob").color == BLUE for token in tokens)
        _, sixth = await party.hall.loaded(party.id).seat_access.another_token("bob")
        with pytest.raises(Declined, match="does not open a seat"):
            party.hall.loaded(party.id).seat_access.identify(first, "bob")
        assert all(
            party.hall.loaded(party.id).seat_access.identify(token, "x").color == BLUE for token in (*tokens[1:], sixth)
        )
        assert len([seal for seal in await party.hall.services.storage.seals(party.id) if seal.color == BLUE]) == 5
        with pytest.raises(Declined, match="you have no seat here"):
            await party.hall.loaded(party.id).seat_access.another_token("eve")
        await carry_out(party, RED, messages.Kick(id="kick", color=BLUE))
        with pytest.raises(Declined, match="you have no seat here"):
            await party.hall.loaded(party.id).seat_access.another_token("bob")
        with pytest.raises(Declined, match="does not open a seat"):
            party.hall.loaded(party.id).seat_access.identify(sixth, "bob")

    tell_story(story)


def test_a_window_whose_token_is_void_is_told_nothing_more_and_the_others_are() -> None:
    async def story(party: Party) -> None:
        hall = party.hall
        first = hall.loaded(party.id).feed(hall.loaded(party.id).seat_access.identify(party.tokens[BLUE], "bob"))
        _, second = await hall.loaded(party.id).seat_access.another_token("bob")
        second_feed = hall.loaded(party.id).feed(hall.loaded(party.id).seat_access.identify(second, "bob"))
        watching = party.feed(None)
        for _ in range(3):
            await hall.loaded(party.id).seat_access.another_token("bob")
        assert not first.reason  # five work
        await hall.loaded(party.id).seat_access.another_token("bob")
        assert [feed.reason for feed in (first, second_feed, watching)] == ["kicked", None, None]

    tell_story(story)
