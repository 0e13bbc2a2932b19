"""Bots at a table: they take their time, cannot be foretold, wait for people, and do not play for ever."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import msgspec
import pytest

import hexholm
from hexholm.game.events import OfferMade, Traded, TurnBegan
from hexholm.host.bot_pool.bot_pool import BotChoice, BotQuestion, BotsAtOnce
from hexholm.host.storage import Storage
from hexholm.host.table_literals import BotPace
from hexholm.host.tables import log
from hexholm.host.tables.running import scheduler
from hexholm.host.tables.seats import Guest
from hexholm.host.tables.table import Table
from hexholm.host.wire import messages
from tests.host.halls import (
    Clock,
    Gate,
    Party,
    in_hall,
    open_party,
    scripted_dealer,
    send,
    set_up,
    table_lines,
    table_settings,
)

pytestmark = pytest.mark.waits

BOARD = hexholm.Game(edition="fifth", setup="fixed").layout.to_toml()


def test_a_bot_answers_after_a_while_that_is_drawn_when_it_is_asked() -> None:
    async def run(p: Party) -> None:
        await set_up(p, 1, setup="fixed")
        p.feed("red")
        await p.begin()
        await p.play_actions("red", "roll", "end")
        await p.settle_down()
        before = p.table.seq
        await p.after(2.9)
        assert p.table.seq == before
        await p.after(0.2)
        assert p.table.seq == before + 1  # blue has rolled; the next thing takes its own while
        await p.after(3.1)
        assert p.table.seq == before + 2

    in_hall(run, make_dealer=scripted_dealer(), bot_delay=(3, 3))


@pytest.mark.parametrize(("pace", "seconds"), [("fast", 1.0), ("normal", 4.0), ("slow", 10.0)])
def test_a_bot_keeps_the_pace_of_the_table(pace: BotPace, seconds: float) -> None:
    async def run(p: Party) -> None:
        await set_up(p, 1, setup="fixed")
        p.feed("red")
        await p.begin()
        assert isinstance(await p.send("red", messages.Pace(id="pace", pace=pace)), messages.Done)
        await p.play_actions("red", "roll", "end")
        await p.settle_down()
        before = p.table.seq
        await p.after(seconds - 0.1)
        assert p.table.seq == before
        await p.after(0.2)
        assert p.table.seq == before + 1

    in_hall(run, make_dealer=scripted_dealer(), bot_delay=(4, 4))


def answered_after(seconds: float) -> Callable[[Party], Awaitable[None]]:
    """A story: the bot after red acts so many seconds after red's turn, neither before nor later."""

    async def story(p: Party) -> None:
        await set_up(p, 1, setup="fixed")
        p.feed("red")
        await p.begin()
        await p.play_actions("red", "roll", "end")
        await p.settle_down()
        before = p.table.seq
        await p.after(seconds - 0.1)
        assert p.table.seq == before
        await p.after(0.2)
        assert p.table.seq == before + 1

    return story


def test_a_bot_that_thinks_for_long_does_not_answer_in_the_moment_it_is_ready() -> None:
    """Else all could see how long it thought, which tells of its hand."""

    class Slow(BotsAtOnce):
        """Bots for ten seconds by the clock of the hall."""

        async def answer(self, question: BotQuestion) -> BotChoice:
            clock.time += 10
            return await super().answer(question)

    clock = Clock()
    in_hall(answered_after(3), make_dealer=scripted_dealer(), bot_delay=(3, 3), bots=Slow(), now=clock)


def test_a_bot_waits_for_people_to_answer_its_offer() -> None:
    async def main() -> None:
        for seed in range(40):
            async with open_party(make_dealer=lambda: hexholm.Seeded(seed), bot_patience=20) as p:  # noqa: B023
                await set_up(p, 1, setup="fixed")
                p.feed("red")
                await p.begin()
                for _ in range(12):
                    await p.settle_down()
                    view = p.table.view("red")
                    assert view is not None
                    mine = [offer for offer in view.offers if "red" in offer.to and "red" in p.table.asked_colors()]
                    if mine and view.active != "red":
                        seq = p.table.seq
                        await p.after(19)
                        assert p.table.seq == seq
                        await p.after(2)
                        assert p.table.seq > seq
                        return
                    projection = p.table.projection("red")
                    assert projection is not None
                    if "red" not in p.table.asked_colors():
                        break
                    kinds = ("roll", "end", "reject", "discard", "robber", "steal")
                    preferred = [text for kind in kinds for text in projection.legal if text.startswith(kind)]
                    await p.act("red", preferred[0])
        pytest.fail("no bot has offered anything to red")

    asyncio.run(main())


def test_a_bot_is_told_all_it_offered_on_this_turn_and_before_what_came_to_nothing() -> None:
    class Listening(BotsAtOnce):
        """Compares what a bot is told with what has happened at the table."""

        table: Table
        refused = carried_out = 0

        def __init__(self) -> None:
            super().__init__()
            self.wrong: list[object] = []

        async def answer(self, question: BotQuestion) -> BotChoice:
            game, own_color = self.table.game, question.view.seat
            assert game is not None
            now, turn, active = [], 0, ""
            before: dict[tuple[object, object], int] = {}
            for event in game.events:
                if isinstance(event, TurnBegan):
                    turn, active = event.number, event.player
                elif isinstance(event, OfferMade) and event.player == own_color:
                    before[event.give, event.want] = turn
                    now += [(event.give, event.want)] * (turn == question.view.turn)
                elif isinstance(event, Traded) and event.player == own_color and turn < question.view.turn:
                    if (
                        active == own_color
                    ):  # what comes of an offer on the turn of another, a player does not always see
                        before.pop((event.give, event.take), None)
                    self.carried_out += 1
            offers_made = [(remark.turn, hexholm.Action.of(remark.text)) for remark in question.offers]
            today = [(a.give, a.want) for when, a in offers_made if when == question.view.turn]
            earlier = {(a.give, a.want): when for when, a in offers_made if when < question.view.turn}
            if today != now or earlier != {terms: when for terms, when in before.items() if when < question.view.turn}:
                self.wrong.append((question.offers, now, before))
            self.refused += len(earlier)
            return await super().answer(question)

    async def run() -> None:
        thinker = Listening()
        async with open_party(bots=thinker, make_dealer=lambda: hexholm.Seeded(4)) as p:
            await set_up(p, 0, setup="fixed", points_to_win=7)
            thinker.table = p.table
            await send(p.hall, p.id, Guest("ann"), messages.Begin(id="b"))
            await p.until(lambda: p.table.status == "over", seconds=120)
        assert thinker.refused > 50
        assert thinker.carried_out > 5
        assert thinker.wrong == []
        assert thinker.errors == {}

    asyncio.run(run())


def test_nobody_can_tell_from_a_table_how_its_bots_decide_and_a_restart_changes_nothing_about_it() -> None:
    async def run() -> None:
        async with Storage(":memory:") as storage:
            before, after = Gate(), Gate()
            async with open_party(storage, bots=before) as p:
                for _ in range(2):
                    await set_up(p, 0)
                    await send(p.hall, p.id, Guest("ann"), messages.Begin(id="b"))
                await p.until(lambda: len(before.questions) == 2)
                everything_sent = [
                    table_lines(p.hall),
                    *(table.projection(eyes) for table in p.hall.tables for eyes in table.eyes),
                ]
                tables = [table.id for table in p.hall.tables]
            async with open_party(storage, bots=after) as p:
                await p.until(lambda: len(after.questions) == 2)
            seeds = sorted(question.seed for question in before.questions)
            assert seeds == sorted(question.seed for question in after.questions)
            of_tables = {seed.partition(" ")[0] for seed in seeds}
            assert len(of_tables) == 2
            assert all(
                len(table) == 32 and table not in msgspec.json.encode(everything_sent).decode() for table in of_tables
            )
            assert not any(table in seed for seed in seeds for table in tables)

    asyncio.run(run())


def test_a_table_without_a_bot_seed_of_its_own_plays_as_before() -> None:
    """Logs from before there was one."""
    old_opening = log.Opened(title="", creator_id="ann", options=hexholm.options("fifth").as_dict(), board=BOARD)
    table = Table("old")
    table.enter(log.LogEntry(seq=1, time=0.0, body=old_opening))
    assert table.bot_seed == "old"


def test_a_bot_that_is_given_time_answers_after_that_and_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the time it takes would tell how much there is to think about."""
    monkeypatch.setattr(scheduler, "thinking_seconds", lambda name: {"easy": 7.0}[name])
    in_hall(answered_after(10), make_dealer=scripted_dealer(), bot_delay=(3, 3))


def test_bots_do_nothing_in_a_pause() -> None:
    async def run(p: Party) -> None:
        await set_up(p, 1, setup="fixed")
        p.feed("red")
        await p.begin()
        await p.play_actions("red", "roll")
        await p.play_actions("red", "end")
        await p.send("red", messages.Pause(id="p"))
        seq = p.table.seq
        await p.after(100)
        assert p.table.seq == seq
        await p.send("red", messages.Resume(id="r"))
        await p.after(3)
        assert p.table.seq > seq

    in_hall(run, make_dealer=scripted_dealer(), bot_delay=(2, 2))


def test_a_game_of_bots_that_does_not_end_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduler, "MOST_BOT_TURNS", 10)

    async def run(p: Party) -> None:
        await set_up(p, 0)
        await send(p.hall, p.id, Guest("ann"), messages.Begin(id="b"))
        await p.until(lambda: p.table.status == "over")
        assert p.table.game is not None
        assert p.table.game.result is not None
        assert p.table.game.result.how == "capped"
        assert p.table.game.turn == 11  # the tenth was played

    in_hall(run, make_dealer=lambda: hexholm.Seeded(2))


def test_one_among_bots_is_waited_for_for_weeks() -> None:
    async def run(p: Party) -> None:
        bots: dict[str, str | None] = dict.fromkeys(("blue", "white", "orange"), "easy")
        created_table = await p.hall.create(
            "ann", table_settings(options={"edition": "fifth", "first": 0}, color="red", seats=bots)
        )
        p.id, p.people = (
            created_table.id,
            {"red": p.hall.loaded(created_table.id).seat_access.identify(created_table.token, "ann")},
        )
        await p.begin()
        for _ in range(29):
            await p.after(86_400)
        assert not p.table.seats["red"].away
        assert p.table.asked_colors() == ("red",)

    in_hall(run)
