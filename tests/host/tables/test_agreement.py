"""Nobody decides alone what is everybody's: pauses, ends, and who loses a seat in a running game."""

from __future__ import annotations

import asyncio

import pytest

from hexholm.host.storage import Storage
from hexholm.host.table_literals import ChanceSource
from hexholm.host.tables import log
from hexholm.host.tables.log import read_row
from hexholm.host.tables.seats import Guest
from hexholm.host.wire import messages
from tests.host.halls import Clock, Party, agree, carry_out, drain, in_hall, open_party, scripted_dealer, set_up
from tests.host.halls import why_refused as why

from .stories import BLUE, ORANGE, RED, WHITE, tell_story

pytestmark = pytest.mark.waits

DAY = 86_400.0


def kick(color: str, *, on: bool = True) -> messages.Kick:
    kick.count += 1  # type: ignore[attr-defined]
    return messages.Kick(id=f"kick {kick.count}", color=color, on=on)  # type: ignore[attr-defined]


kick.count = 0  # type: ignore[attr-defined]


def seat(p: Party, color: str) -> messages.SeatLine:
    return next(line for line in p.table.line().seats if line.color == color)


# --- pauses and ends --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", [messages.Pause, messages.End])
def test_whoever_set_up_the_table_neither_pauses_nor_ends_the_game_of_others_alone(
    command: type[messages.Pause | messages.End],
) -> None:
    async def story(p: Party) -> None:
        await p.begin()
        wish = "pause" if command is messages.Pause else "end"
        await carry_out(p, RED, command(id="1"))
        line = p.table.line()
        assert (line.status, line.paused) == ("playing", False)
        assert (line.wishes, line.missing) == ({wish: (RED,)}, {wish: (BLUE, WHITE, ORANGE)})
        assert await why(p, RED, command(id="2")) == "asked_already"
        await agree_but_red(p, command)
        line = p.table.line()
        assert (line.status, line.paused) == (("playing", True) if wish == "pause" else ("over", False))

    tell_story(story)


async def agree_but_red(p: Party, command: type[messages.Pause | messages.End]) -> None:
    for color in (BLUE, WHITE, ORANGE):
        assert not p.table.line().paused
        assert p.table.line().status == "playing"
        await carry_out(p, color, command(id=f"too {color}"))


def test_one_who_set_up_the_table_for_others_and_has_no_seat_decides_nothing_for_them() -> None:
    async def story(p: Party) -> None:
        await carry_out(p, RED, messages.Leave(id="l"))
        token = await p.hall.loaded(p.id).seat_access.take_seat(RED, "eve", "Eve")
        p.people[RED], p.people[None] = p.hall.loaded(p.id).seat_access.identify(token, "eve"), Guest("ann")
        await carry_out(p, None, messages.Begin(id="begin"))
        for command in (messages.Pause(id="1"), messages.End(id="2"), kick(BLUE)):
            assert await why(p, None, command) == "only_seated"

    tell_story(story)


def test_who_has_been_away_for_three_days_need_not_agree_to_an_end() -> None:
    async def run() -> None:
        clock = Clock()
        async with Storage(":memory:") as storage:
            async with open_party(storage, now=clock, make_dealer=scripted_dealer()) as p:
                await set_up(p, 2, setup="fixed")
                await p.begin()
                feeds = [p.feed(RED), p.feed(BLUE)]
                feeds[0].close()
                await p.after(121)
                assert seat(p, RED).away
                await carry_out(p, BLUE, messages.End(id="1"))
                await p.after(DAY)
                assert p.table.line().status == "playing"
            clock.time += 5 * DAY  # the host is down: that does not count
            async with open_party(storage, now=clock, make_dealer=scripted_dealer()) as reopened:
                reopened.id, reopened.people = p.id, p.people
                await reopened.after(2 * DAY - 60)
                assert reopened.table.line().status == "playing"
                assert reopened.table.line().missing == {"end": (RED,)}
                await reopened.after(61)
                assert reopened.table.line().status == "over"  # blue had asked for it
                bodies = [read_row(row).body for row in await storage.entries(p.id)]
                assert bodies[-2:] == [log.LongGone(color=RED), log.Ended(how="agreed")]

    asyncio.run(run())


def test_who_comes_back_after_days_must_be_asked_again() -> None:
    async def run(p: Party) -> None:
        await set_up(p, 2, setup="fixed")
        await p.begin()
        feeds = [p.feed(RED), p.feed(BLUE)]
        feeds[0].close()
        await p.after(121)
        await p.after(3 * DAY)
        assert seat(p, RED).long_gone
        p.feed(RED)
        await p.settle_down()
        assert not seat(p, RED).long_gone
        await carry_out(p, BLUE, messages.End(id="1"))
        assert p.table.line().missing == {"end": (RED,)}

    in_hall(run, make_dealer=scripted_dealer())


def test_a_pause_that_all_but_one_want_begins_when_that_one_is_away() -> None:
    async def story(p: Party) -> None:
        await p.begin()
        for color in (RED, BLUE, WHITE):
            await carry_out(p, color, messages.Pause(id=color))
        await carry_out(p, ORANGE, messages.Away(id="a"))
        assert p.table.line().paused

    tell_story(story)


def test_a_paused_game_of_an_older_log_goes_on_as_before() -> None:
    """The creator alone had paused it, and ended another: entries are entered as they are."""

    async def story(p: Party) -> None:
        await p.begin()
        await p.hall.loaded(p.id).run_in_turn(lambda: p.hall.loaded(p.id).write(paused))
        assert p.table.line().paused
        await carry_out(p, BLUE, messages.Resume(id="r"))
        assert not p.table.line().paused

    from hexholm.host.tables.table_decision import Decision

    paused = Decision((log.Paused(on=True, by=RED),))
    tell_story(story)


# --- seats ------------------------------------------------------------------------------------------------------------


def test_before_the_game_the_creator_alone_decides_who_sits_there() -> None:
    async def story(p: Party) -> None:
        assert await why(p, BLUE, kick(WHITE)) == "creator_only"
        await carry_out(p, RED, kick(BLUE))
        assert seat(p, BLUE).kind == "empty"

    tell_story(story)


def test_who_is_there_loses_the_seat_only_if_all_others_want_it_and_they_are_two() -> None:
    async def story(p: Party) -> None:
        await p.begin()
        feed = p.feed(BLUE)

        def closed() -> str | None:
            return feed.reason

        assert await why(p, RED, kick(BLUE, on=False)) == "not_asked"
        await carry_out(p, RED, kick(BLUE))
        line = seat(p, BLUE)
        assert (line.kind, line.kick_wishes, line.kick_missing) == ("person", (RED,), (WHITE,))
        assert await why(p, RED, kick(BLUE)) == "asked_already"
        await carry_out(p, RED, kick(BLUE, on=False))
        assert seat(p, BLUE).kick_wishes == ()
        await carry_out(p, WHITE, kick(BLUE))
        assert await why(p, BLUE, kick(BLUE)) == "nobody_to_kick"
        assert closed() is None
        await carry_out(p, RED, kick(BLUE))
        assert closed() == "kicked"
        assert seat(p, BLUE).kind == "bot"
        assert [message.what for message in drain(p.feed(RED, 0)) if isinstance(message, messages.Changed)][-4:] == [
            "kick_wished",
            "kick_wished",
            "kick_wished",
            "seated",
        ]

    tell_story(story, people=3)


def test_one_network_alone_takes_nobodys_seat_in_another() -> None:
    """A second cookie makes two of one person."""

    async def story(p: Party) -> None:
        await p.begin()
        census = p.hall.services.census
        for color, network in ((RED, "1.2.3.0/24"), (WHITE, "1.2.3.0/24"), (BLUE, "4.5.6.0/24")):
            census.record_look(p.id, color, network)
        assert await why(p, RED, kick(BLUE)) == "too_few_to_kick"
        assert await why(p, WHITE, kick(BLUE)) == "too_few_to_kick"
        census.record_move(p.id, BLUE, "1.2.3.0/24")  # all live together
        await carry_out(p, RED, kick(BLUE))
        census.record_move(p.id, BLUE, "4.5.6.0/24")
        assert await why(p, WHITE, kick(BLUE)) == "too_few_to_kick"
        census.record_move(p.id, WHITE, "7.8.9.0/24")  # from where somebody moves counts more
        await carry_out(p, WHITE, kick(BLUE))
        assert seat(p, BLUE).kind == "bot"

    tell_story(story, people=3)


def test_of_two_neither_takes_the_others_seat_away() -> None:
    async def story(p: Party) -> None:
        await p.begin()
        assert await why(p, RED, kick(BLUE)) == "too_few_to_kick"
        await carry_out(p, BLUE, messages.Away(id="a"))
        assert await why(p, RED, kick(BLUE)) == "bot_plays_there"

    tell_story(story, people=2)


def test_the_wishes_of_those_who_resign_or_lose_the_seat_count_no_more() -> None:
    async def story(p: Party) -> None:
        await p.begin()
        await carry_out(p, WHITE, kick(BLUE))
        await carry_out(p, WHITE, messages.End(id="e"))
        await carry_out(p, WHITE, messages.Resign(id="r"))
        assert seat(p, BLUE).kick_wishes == ()
        assert p.table.line().wishes == {}
        assert await why(p, WHITE, kick(BLUE)) == "resigned"

    tell_story(story)


def test_where_everybody_is_waited_for_one_alone_has_a_bot_stand_in_only_after_days() -> None:
    async def run(p: Party) -> None:
        await set_up(p, 2, absence="wait", setup="fixed")
        await p.begin()
        feeds = [p.feed(RED), p.feed(BLUE)]
        feeds[0].close()
        await p.after(31)
        assert seat(p, RED).away
        assert await why(p, BLUE, kick(RED)) == "too_few_to_kick"
        await p.after(3 * DAY)
        await carry_out(p, BLUE, kick(RED))
        line = seat(p, RED)
        assert (line.kind, line.away, line.bot_name) == ("person", True, "easy")
        await p.until(lambda: BLUE in p.table.asked_colors())
        p.feed(RED)
        await p.settle_down()
        assert seat(p, RED).bot_name is None

    in_hall(run, make_dealer=scripted_dealer())


@pytest.mark.parametrize("chance_source", ["dice", "people"])
def test_around_a_real_board_they_agree_too(chance_source: ChanceSource) -> None:
    """The word of the one who set up the table was enough: it could end a game that another was winning."""

    async def story(p: Party) -> None:
        await p.begin()
        await carry_out(p, RED, kick(BLUE))
        await carry_out(p, RED, messages.Pause(id="p"))
        await carry_out(p, RED, messages.End(id="e"))
        line = p.table.line()
        assert (line.status, line.paused, seat(p, BLUE).kind) == ("playing", False, "person")
        assert line.missing == {"pause": (BLUE, WHITE, ORANGE), "end": (BLUE, WHITE, ORANGE)}
        for color in (WHITE, ORANGE):
            await carry_out(p, color, kick(BLUE))
        assert seat(p, BLUE).kind == "bot"
        for color in (WHITE, ORANGE):
            await carry_out(p, color, messages.Pause(id=f"pause {color}"))
        assert p.table.line().paused
        for color in (WHITE, ORANGE):
            await carry_out(p, color, messages.End(id=f"end {color}"))
        assert p.table.line().status == "over"

    tell_story(story, chance_source=chance_source)


def test_a_screen_for_all_at_a_real_board_decides_nothing_for_those_who_play() -> None:
    async def story(p: Party) -> None:
        await carry_out(p, RED, messages.Leave(id="l"))
        token = await p.hall.loaded(p.id).seat_access.take_seat(RED, "eve", "Eve")
        p.people[RED], p.people[None] = p.hall.loaded(p.id).seat_access.identify(token, "eve"), Guest("ann")
        await carry_out(p, None, messages.Begin(id="begin"))
        for command in (messages.Pause(id="1"), messages.End(id="2"), kick(BLUE)):
            assert await why(p, None, command) == "only_seated"

    tell_story(story, chance_source="people")


def test_one_person_at_a_real_board_agrees_with_nobody_else() -> None:
    async def story(p: Party) -> None:
        await p.begin()
        await carry_out(p, RED, messages.Pause(id="p"))
        assert p.table.line().paused
        await carry_out(p, RED, messages.End(id="e"))
        assert p.table.line().status == "over"

    tell_story(story, people=1, chance_source="dice")


def test_who_went_home_from_a_real_board_is_away_then_long_gone_and_no_bot_plays_for_them() -> None:
    async def run(p: Party) -> None:
        await set_up(p, 2, setup="fixed", chance_source="dice")
        await p.begin()
        feeds = [p.feed(RED), p.feed(BLUE)]
        feeds[0].close()
        await p.after(599)
        assert not seat(p, RED).away
        await p.after(2)
        assert (seat(p, RED).away, seat(p, RED).bot_name) == (True, None)
        await carry_out(p, BLUE, messages.End(id="1"))
        assert p.table.line().missing == {"end": (RED,)}
        await p.after(3 * DAY)
        assert p.table.line().status == "over"

    in_hall(run, make_dealer=scripted_dealer())


def test_around_a_real_board_nobody_is_away_while_no_screen_is_open() -> None:
    async def run(p: Party) -> None:
        await set_up(p, 2, setup="fixed", chance_source="dice")
        await p.begin()
        await p.after(3600)
        assert not any(line.away for line in p.table.line().seats)

    in_hall(run, make_dealer=scripted_dealer())


def test_one_among_bots_agrees_with_nobody_else() -> None:
    async def story(p: Party) -> None:
        await p.begin()
        await agree(p, messages.Pause)
        assert p.table.line().paused
        await agree(p, messages.End)
        assert p.table.line().status == "over"

    tell_story(story, people=1)
