"""A game with people waits for people: nobody there, nothing moves, however long and over restarts."""

from __future__ import annotations

import asyncio

import pytest

import hexholm
from hexholm.host.storage import EntryRow, Storage
from hexholm.host.table_literals import Absence
from hexholm.host.tables import log
from hexholm.host.tables.log import read_row
from hexholm.host.tables.seats import Guest
from hexholm.host.wire import messages
from tests.host.halls import Clock, Gate, Party, carry_out, drain, in_hall, open_party, scripted_dealer, send, set_up

pytestmark = pytest.mark.waits

RED, BLUE = "red", "blue"
DAY = 86_400.0
GRACE = 30.0


async def kinds(p: Party, *kinds: str) -> list[str]:
    """The entries of these kinds, in order."""
    return [row.tag for row in await p.hall.services.storage.entries(p.id) if row.tag in kinds]


async def played(p: Party) -> list[tuple[str, str]]:
    """All moves of the log, and who chose them."""
    bodies = [read_row(row).body for row in await p.hall.services.storage.entries(p.id)]
    return [(body.steps[0], body.chooser) for body in bodies if isinstance(body, log.Played)]


def test_two_people_and_two_bots_who_all_leave_find_the_game_as_it_was_the_next_day() -> None:
    """On red's turn, with a clock: neither clock nor bots move anything, and red has its whole time again."""

    async def run(p: Party) -> None:
        await set_up(p, 2, clock=20, setup="fixed")
        await p.begin()
        feeds = [p.feed(RED), p.feed(BLUE)]
        await p.after(10)
        for feed in feeds:
            feed.close()
        await p.after(25)  # the clock would be up, and the game does not wait yet
        assert not p.table.line().waiting
        await p.after(6)
        assert p.table.line().waiting
        assert p.table.line().waiting
        for _ in range(3):
            await p.after(0.4 * DAY)
        assert p.table.asked_colors() == (RED,)
        assert p.table.deadline(RED) is None
        assert await played(p) == []
        assert await kinds(p, "left") == []
        feed = p.feed(RED)
        await p.settle_down()
        assert not p.table.line().waiting
        assert p.table.deadline(RED) == p.clock.time + 20
        assert [message.what for message in drain(feed) if isinstance(message, messages.Changed)] == ["waited"]
        await p.after(19)
        assert await played(p) == []
        await p.after(2)
        assert await played(p) == [("red roll", "clock")]

    in_hall(run, make_dealer=scripted_dealer())


def test_bots_do_not_play_on_when_the_last_person_has_left() -> None:
    async def run(p: Party) -> None:
        await set_up(p, 2, setup="fixed")
        await p.begin()
        feeds = [p.feed(RED), p.feed(BLUE)]
        await p.play_actions(RED, "roll", "end")
        await p.play_actions(BLUE, "roll")
        feeds[0].close()
        feeds[1].close()
        await p.after(GRACE)
        assert p.table.line().waiting
        await p.play_actions(BLUE, "end")  # by REST, say: who sends something is there
        await p.settle_down()
        assert not p.table.line().waiting
        assert ("white roll", "bot") in await played(p)

    in_hall(run, make_dealer=scripted_dealer())


@pytest.mark.parametrize("jump", [-3600.0, 0.0, 3600.0, 30 * DAY])
def test_a_restart_in_the_meantime_and_a_clock_that_was_set_change_nothing(jump: float) -> None:
    async def run() -> None:
        clock = Clock()
        how = {"now": clock, "make_dealer": scripted_dealer()}
        async with Storage(":memory:") as storage:
            async with open_party(storage, **how) as p:
                await set_up(p, 2, clock=60, setup="fixed")
                await p.begin()
                for feed in (p.feed(RED), p.feed(BLUE)):
                    feed.close()
                await p.after(GRACE + 1)
                assert p.table.line().waiting
            clock.time += jump
            for _ in range(2):
                async with open_party(storage, **how) as reopened:
                    reopened.id, reopened.people = p.id, p.people
                    await reopened.after(2 * DAY)
                    assert reopened.table.line().waiting
                    assert await played(reopened) == []
            async with open_party(storage, **how) as reopened:
                reopened.id, reopened.people = p.id, p.people
                reopened.feed(BLUE)
                await reopened.settle_down()
                assert not reopened.table.line().waiting
                assert reopened.table.asked_colors() == (RED,)
                deadline = reopened.table.deadline(RED)
                assert deadline is not None
                assert deadline == clock.time + 60
                await reopened.after(61)
                assert await played(reopened) == [("red roll", "clock")]  # somebody is there, so clocks run

    asyncio.run(run())


def test_a_host_that_dies_before_the_game_waits_has_it_wait_afterwards() -> None:
    async def run() -> None:
        clock = Clock()
        async with Storage(":memory:") as storage:
            async with open_party(storage, now=clock, make_dealer=scripted_dealer()) as p:
                await set_up(p, 2, clock=20, setup="fixed")
                await p.begin()
                for feed in (p.feed(RED), p.feed(BLUE)):
                    feed.close()
            clock.time += 5
            async with open_party(storage, now=clock, make_dealer=scripted_dealer()) as reopened:
                reopened.id, reopened.people = p.id, p.people
                await reopened.after(GRACE - 1)
                assert not reopened.table.line().waiting
                await reopened.after(2)
                assert reopened.table.line().waiting
                assert await played(reopened) == []

    asyncio.run(run())


def test_the_only_person_among_bots_is_waited_for_too_and_who_looks_on_changes_nothing() -> None:
    async def run(p: Party) -> None:
        await set_up(p, 1, setup="fixed")
        await p.begin()
        p.feed(RED).close()
        p.feed(None)
        await p.after(GRACE)
        assert p.table.line().waiting
        before = p.table.seq
        await p.after(DAY)
        assert p.table.seq == before

    in_hall(run, make_dealer=scripted_dealer())


def test_who_comes_back_within_the_grace_finds_a_game_that_never_waited() -> None:
    async def run(p: Party) -> None:
        await set_up(p, 2, clock=60, setup="fixed")
        await p.begin()
        deadline = p.table.deadline(RED)
        p.feed(RED).close()
        await p.after(GRACE - 1)
        p.feed(RED)
        await p.after(GRACE - 1)
        assert p.table.deadline(RED) == deadline
        assert await kinds(p, "waited") == []

    in_hall(run, make_dealer=scripted_dealer())


# --- bots alone -------------------------------------------------------------------------------------------------------


def test_a_game_of_bots_alone_goes_on_while_anybody_looks() -> None:
    async def run(p: Party) -> None:
        await set_up(p, 0)
        feed = p.feed(None)
        await send(p.hall, p.id, Guest("ann"), messages.Begin(id="b"))
        await p.after(100)
        before = p.table.seq
        await p.after(100)
        assert p.table.seq > before
        feed.close()
        await p.after(GRACE)
        assert p.table.line().waiting
        before = p.table.seq
        await p.after(100)
        await p.after(DAY)
        assert p.table.seq == before
        p.feed(None)
        await p.after(100)
        assert not p.table.line().waiting
        assert p.table.seq > before + 1

    in_hall(run, bot_delay=(50, 50), make_dealer=lambda: hexholm.Seeded(2))


def test_a_game_of_bots_that_is_to_play_on_does_so_unwatched() -> None:
    async def run(p: Party) -> None:
        await set_up(p, 0, plays_on=True, points_to_win=4)
        await send(p.hall, p.id, Guest("ann"), messages.Begin(id="b"))
        while p.table.status != "over":
            await p.after(1000)
        assert p.table.line().plays_on
        assert p.table.game is not None
        assert p.table.game.winner is not None

    in_hall(run, bot_delay=(50, 50), make_dealer=lambda: hexholm.Seeded(2))


def test_when_the_last_person_has_resigned_it_is_a_game_of_bots() -> None:
    async def run(p: Party) -> None:
        await set_up(p, 1)
        await p.begin()
        feed = p.feed(RED)
        await carry_out(p, RED, messages.Resign(id="r"))
        await p.after(100)
        assert not p.table.line().waiting
        feed.close()
        await p.after(GRACE)
        assert p.table.line().waiting

    in_hall(run, bot_delay=(50, 50), make_dealer=lambda: hexholm.Seeded(2))


# --- absence, as the table has it -------------------------------------------------------------------------------------


def test_a_bot_stands_in_only_for_one_who_keeps_others_waiting_who_are_there() -> None:
    async def run(p: Party) -> None:
        await set_up(p, 3, setup="fixed")
        await p.begin()
        feeds = {color: p.feed(color) for color in (RED, BLUE, "white")}
        feeds[BLUE].close()
        await p.after(1000)
        assert not p.table.seats[BLUE].away  # it is red's turn
        await p.play_actions(RED, "roll", "end")
        await p.after(119)
        feeds[RED].close()
        feeds["white"].close()
        await p.after(DAY)
        assert p.table.line().waiting
        assert not p.table.seats[BLUE].away
        p.feed(RED)
        await p.settle_down()
        await p.after(119)
        assert not p.table.seats[BLUE].away  # red has only just come
        assert p.table.asked_colors() == (BLUE,)
        await p.after(2)
        assert p.table.seats[BLUE].away
        assert ("blue roll", "bot") in await played(p)

    in_hall(run, make_dealer=scripted_dealer())


def test_a_table_may_wait_for_everybody_and_then_their_clock_stands_still() -> None:
    async def run(p: Party) -> None:
        await set_up(p, 2, clock=60, absence="wait", setup="fixed")
        await p.begin()
        feeds = {color: p.feed(color) for color in (RED, BLUE)}
        await p.after(50)
        feeds[RED].close()
        await p.after(29)
        assert not p.table.seats[RED].away
        await p.after(1)
        line = p.table.line().seats[0]
        assert (line.away, line.bot_name) == (True, None)
        assert p.table.deadline(RED) is None
        await p.after(10 * DAY)
        assert await played(p) == []
        p.feed(RED)
        await p.settle_down()
        assert not p.table.seats[RED].away
        assert p.table.deadline(RED) == p.clock.time + 60

    in_hall(run, make_dealer=scripted_dealer())


def test_a_table_that_plays_on_has_bots_stand_in_when_nobody_is_there() -> None:
    """A clock for absence, as its people chose it."""

    async def run(p: Party) -> None:
        await set_up(p, 2, absence=DAY, plays_on=True, setup="fixed")
        await p.begin()
        for feed in (p.feed(RED), p.feed(BLUE)):
            feed.close()
        await p.after(DAY - 1)
        assert await played(p) == []
        await p.after(1)
        assert p.table.seats[RED].away
        assert await played(p) != []
        for _ in range(9):  # red's offers to blue come to nothing, and it is blue's turn
            await p.after(20)
        assert BLUE in p.table.asked_colors()
        assert not p.table.seats[BLUE].away
        p.feed(BLUE)
        await p.after(2 * DAY)
        assert not p.table.seats[BLUE].away

    in_hall(run, make_dealer=scripted_dealer())


def test_what_a_table_says_of_absence_is_told_to_everybody_and_survives_a_restart() -> None:
    async def run() -> None:
        async with Storage(":memory:") as storage:
            async with open_party(storage, away_after=77.0) as p:
                for absence, plays_on in ((None, False), (600.0, True), ("wait", False)):
                    await set_up(p, absence=absence, plays_on=plays_on)  # type: ignore[arg-type]
                told = {table.id: (table.line().absence, table.line().plays_on) for table in p.hall.tables}
                assert sorted(told.values(), key=str) == [("wait", False), (600.0, True), (77.0, False)]
            async with open_party(storage) as p:
                assert {table.id: (table.line().absence, table.line().plays_on) for table in p.hall.tables} == told

    asyncio.run(run())


def test_a_log_from_before_says_two_minutes_and_that_the_game_waits() -> None:
    text = '{"kind":"opened","title":"","creator":"ann","options":{},"board":""}'
    body = read_row(EntryRow(1, 0.0, "opened", text, None)).body
    assert isinstance(body, log.Opened)
    assert (body.absence, body.plays_on) == (120.0, False)


def test_a_bot_that_stands_in_tells_nothing_of_a_discard_that_was_chosen_in_secret() -> None:
    """Blue leaves before or after it has discarded; as long as not all have, nobody can tell."""

    async def story(p: Party, *, discards: bool) -> list[object]:
        await set_up(p, setup="fixed", hand_limit=2)
        await p.begin()
        feeds = {color: p.feed(color) for color in p.table.colors}
        await p.play_actions(RED, "roll")
        game = p.table.game
        assert game is not None
        owing = [color for color in game.to_act if color != RED]
        assert len(owing) >= 2
        if discards:
            view = game.view(owing[0])
            await p.play_actions(owing[0], view.legal_actions.texts[0])
        drain(feeds[RED])
        feeds[owing[0]].close()
        await p.after(125)
        heard = [message for message in drain(feeds[RED]) if not isinstance(message, messages.Present)]
        assert any(isinstance(message, messages.Changed) and message.what == "left" for message in heard)
        return heard

    async def run() -> None:
        heard = []
        for discards in (False, True):
            async with open_party(make_dealer=scripted_dealer("dice 3 4"), ids=lambda: "t") as p:
                heard.append(await story(p, discards=discards))
        assert heard[0] == heard[1]

    asyncio.run(run())


@pytest.mark.rule("INFO-08")
@pytest.mark.parametrize("absence", [120.0, "wait"])
def test_who_discards_while_away_is_back_when_all_discards_are_in(absence: Absence) -> None:
    """Whether a bot stands in or all wait; before that nobody but the one who discards notices anything."""

    async def run(p: Party) -> None:
        await set_up(p, setup="fixed", hand_limit=2, absence=absence)
        await p.begin()
        feeds = {color: p.feed(color) for color in p.table.colors}
        await p.play_actions(RED, "roll")
        game = p.table.game
        assert game is not None
        first, *others = [color for color in game.to_act if color != RED]
        assert others
        feeds.pop(first).close()
        await p.after(125)
        assert p.table.seats[first].away
        for feed in feeds.values():
            drain(feed)
        own_view = game.view(first)
        await p.play_actions(first, own_view.legal_actions.texts[0])
        await p.settle_down()
        assert p.table.seats[first].away
        assert not p.table.begun_game.view(first).asked
        told = [message for feed in feeds.values() for message in drain(feed)]
        assert {type(message) for message in told} <= {messages.Present}, "that a socket was closed is told later"
        for color in list(p.table.asked_colors()):
            await p.play_actions(color, p.table.begun_game.view(color).legal_actions.texts[0])
        await p.settle_down()
        assert p.table.begun_game.phase != "discard"
        assert not p.table.seats[first].away
        changes = [message for message in drain(feeds[RED]) if isinstance(message, messages.Changed)]
        assert [change.what for change in changes] == ["left"]

    in_hall(run, make_dealer=scripted_dealer("dice 3 4"), bots=Gate())


def test_who_is_gone_when_one_alone_resumes_is_played_for_by_nobody_until_they_are_back() -> None:
    """Red, whose turn it is, leaves in an agreed pause; blue has the game go on at once."""

    async def run(p: Party) -> None:
        await set_up(p, 2, clock=5, setup="fixed", rated=True)
        await p.begin()
        feeds = [p.feed(RED), p.feed(BLUE)]
        for color in (RED, BLUE):
            await p.send(color, messages.Pause(id=f"pause {color}"))
        feeds[0].close()
        await p.send(BLUE, messages.Resume(id="r"))
        assert not p.table.paused
        assert p.table.deadline(RED) is None
        await p.after(1000)  # the clock, and the two minutes after which a bot stands in
        assert await played(p) == []
        assert p.table.seats[RED].bot_name is None
        p.feed(RED)
        await p.settle_down()
        assert not p.table.seats[RED].away
        assert p.table.deadline(RED) == p.clock.time + 5
        assert await kinds(p, "paused", "left") == ["paused", "paused", "left", "left"]

    in_hall(run)


def test_who_stays_away_after_a_pause_does_not_escape_a_rated_game() -> None:
    async def run(p: Party) -> None:
        await set_up(p, 2, clock=5, setup="fixed", rated=True)
        await p.begin()
        feeds = [p.feed(RED), p.feed(BLUE)]
        for color in (RED, BLUE):
            await p.send(color, messages.Pause(id=f"pause {color}"))
        feeds[0].close()
        await p.send(BLUE, messages.Resume(id="r"))
        kick = Guest("bob", BLUE), messages.Kick(id="early", color=RED)
        early = await send(p.hall, p.id, *kick)
        assert isinstance(early, messages.Refused)
        assert early.why == "rated_stays"
        await p.after(3 * DAY + 1)
        assert p.table.seats[RED].long_gone
        await p.send(BLUE, messages.Kick(id="late", color=RED))
        seat = p.table.seats[RED]
        assert (seat.sitter, seat.away, seat.bot_name is not None) == ("person", True, True)

    in_hall(run)
