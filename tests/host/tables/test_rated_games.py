"""Games that count for people's ratings: which do, what they change, and that they count exactly once."""

from __future__ import annotations

import asyncio
import math
import multiprocessing
import os
import random
import signal
import sys
from collections import Counter
from typing import Any

import pytest

from hexholm.bots.protocol import Effort
from hexholm.bots.rating_model import Rating, rate_seats
from hexholm.bots.shipped.compiled import Hard
from hexholm.bots.shipped_bots import SHIPPED
from hexholm.game.game import Game
from hexholm.host.bot_pool.bot_pool import BotChoice, BotQuestion, BotsAtOnce
from hexholm.host.storage import PlayerRatings, RatedGame, RatedSeat, Storage, StorageFailed
from hexholm.host.storage.writing.commit import WriteJob
from hexholm.host.tables import log
from hexholm.host.tables.hall import opening
from hexholm.host.tables.hall.rematch import rematch_settings
from hexholm.host.tables.rated_games import (
    BOT_RATINGS,
    BOT_SIGMA,
    RATED_REMATCH_CLOCK,
    ranks_of,
    rate_people,
    shown_rating,
)
from hexholm.host.wire import messages
from hexholm.host.wire.host_refusals import Declined
from hexholm.rules.compilation import mode
from tests.host.halls import Faulty, Party, in_hall, open_party, set_up, table_settings, why_refused

from .stories import BLUE, RED, play

pytestmark = pytest.mark.waits

SHORT: dict[str, Any] = {"setup": "fixed", "points_to_win": 4}


@pytest.fixture
def _short_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rated games to four points: by the book they would take too long here."""
    monkeypatch.setattr(opening, "check_can_be_rated", lambda _: None)


short_games = pytest.mark.usefixtures("_short_games")


async def play_to_the_end(p: Party, *colors: str) -> None:
    """Begin, and let these people play until the game is over and its list entry is written."""
    await p.begin()
    await asyncio.gather(*(play(p, color) for color in colors or p.people if color is not None))
    await p.until(lambda: p.table.status == "over" and p.hall.loaded(p.id).store.is_listed)


async def games_of(storage: Storage, *guests: str) -> list[int]:
    """How many rated games each of these has."""
    rows = [await PlayerRatings(storage).rating(guest) for guest in guests]
    return [0 if row is None else row.games for row in rows]


@short_games
def test_people_are_rated_at_the_end_and_bots_are_not() -> None:
    async def story(p: Party) -> None:
        await set_up(p, 2, rated=True, **SHORT)
        assert p.table.line().rated
        await play_to_the_end(p)
        line = p.table.line()
        assert (line.rated, line.unrated) == (True, "")
        rows = PlayerRatings(p.hall.services.storage)
        histories = {guest: await rows.history(guest, limit=9) for guest in ("ann", "bob")}
        scores = line.scores or {}
        ranks = {
            seat.name.lower(): 1 + sum(scores[seat.color] < other for other in scores.values()) for seat in line.seats
        }
        for guest, history in histories.items():
            assert [(row.table_id, row.rank, row.players, row.number) for row in history] == [
                (p.id, ranks[guest], 4, 1)
            ]
        assert await rows.rating("") is None
        assert p.hall.services.figures["rated"] == 1

    in_hall(story)


@short_games
def test_a_game_that_was_not_to_be_rated_changes_nothing() -> None:
    async def story(p: Party) -> None:
        await set_up(p, 2, **SHORT)
        await play_to_the_end(p)
        assert await games_of(p.hall.services.storage, "ann", "bob") == [0, 0]
        assert (p.table.line().rated, p.table.line().unrated) == (False, "")

    in_hall(story)


@short_games
def test_a_game_that_nobody_wins_changes_nothing() -> None:
    async def story(p: Party) -> None:
        await set_up(p, 2, rated=True, **SHORT)
        await p.begin()
        for color in p.people:
            await p.send(color, messages.End(id=f"end {color}"))
        await p.until(lambda: p.hall.loaded(p.id).store.is_listed)
        assert p.table.line().unrated == "no_winner"
        assert await games_of(p.hall.services.storage, "ann", "bob") == [0, 0]

    in_hall(story)


@short_games
def test_who_never_acts_is_nobody_to_play_with() -> None:
    async def story(p: Party) -> None:
        await set_up(p, 2, rated=True, **SHORT)
        await p.begin()
        await p.send(BLUE, messages.Resign(id="resign"))
        await play(p, RED)
        await p.until(lambda: p.hall.loaded(p.id).store.is_listed)
        assert p.table.line().unrated == "few_people"
        assert await games_of(p.hall.services.storage, "ann", "bob") == [0, 0]

    in_hall(story)


@short_games
def test_who_leaves_in_the_middle_has_the_result_of_the_seat() -> None:
    async def story(p: Party) -> None:
        await set_up(p, 2, rated=True, **SHORT)
        await p.begin()
        red = asyncio.create_task(play(p, RED))
        await play(p, BLUE, 2)
        await p.send(BLUE, messages.Resign(id="resign"))
        assert await why_refused(p, RED, messages.Kick(id="kick", color=BLUE)) == "rated_stays"
        await red
        await p.until(lambda: p.hall.loaded(p.id).store.is_listed)
        (row,) = await PlayerRatings(p.hall.services.storage).history("bob", limit=9)
        scores = p.table.line().scores or {}
        assert row.rank == 1 + sum(scores[BLUE] < other for other in scores.values())

    in_hall(story)


class SometimesWeak(BotsAtOnce):
    """Says of its first choice that it was below its strength."""

    async def answer(self, question: BotQuestion) -> BotChoice:
        choice = await super().answer(question)
        self.errors["asked"] += 1  # type: ignore[index]
        return choice._replace(weak=self.errors["asked"] == 1)  # type: ignore[index]


@short_games
def test_a_bot_below_its_strength_makes_a_game_unrated_and_nobody_learns_it_before_the_end() -> None:
    async def run() -> None:
        async with Faulty(":memory:") as storage:
            async with open_party(storage, bots=SometimesWeak()) as p:
                await set_up(p, 2, rated=True, **SHORT)
                await p.begin()
                playing = [asyncio.create_task(play(p, color)) for color in (RED, BLUE)]
                await p.until(lambda: p.table.has_weak_bots)
                for task in playing:
                    task.cancel()
                assert p.table.status == "playing"
                assert (p.table.line().rated, p.table.line().unrated) == (True, "")
            async with open_party(storage) as again:  # it is not forgotten
                again.id, again.people = p.id, p.people
                await asyncio.gather(play(again, RED), play(again, BLUE))
                await again.until(lambda: again.hall.loaded(p.id).store.is_listed)
                assert again.table.line().unrated == "weak_bots"
                assert await games_of(storage, "ann", "bob") == [0, 0]

    asyncio.run(run())


@short_games
def test_a_stand_in_for_a_person_may_be_as_weak_as_it_likes() -> None:
    async def story(p: Party) -> None:
        await set_up(p, 4, rated=True, **SHORT)
        await p.begin()
        for color in list(p.people)[2:]:
            await p.send(color, messages.Away(id=f"away {color}"))
        await asyncio.gather(play(p, RED), play(p, BLUE))
        await p.until(lambda: p.hall.loaded(p.id).store.is_listed)
        assert p.table.line().unrated == ""
        assert await games_of(p.hall.services.storage, "ann", "bob", "cid", "dan") == [1, 1, 1, 1]

    in_hall(story, bots=SometimesWeak())


# --- exactly once -----------------------------------------------------------------------------------------------------


class Killed(Storage):
    """A storage whose process is killed right before, or right after the commit of, the first rating."""

    when = ""

    async def write(self, job: WriteJob[Any]) -> Any:
        is_rating = "PlayerRatings" in job.__qualname__
        if is_rating and self.when == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        result = await super().write(job)
        if is_rating and self.when == "after":
            os.kill(os.getpid(), signal.SIGKILL)
        return result


def play_until_killed(database: str, when: str) -> None:
    """In a process of its own: a short rated game to its end, which the process does not outlive."""
    vars(opening)["check_can_be_rated"] = lambda _: None

    async def run() -> None:
        storage = Killed(database)
        storage.when = when
        async with storage, open_party(storage, ids=lambda: "rated") as p:
            await set_up(p, 2, rated=True, **SHORT)
            await play_to_the_end(p)

    asyncio.run(run())


@pytest.mark.skipif(sys.platform == "win32", reason="needs kill -9")
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_host_that_is_killed_around_the_rating_has_rated_the_game_once_after_the_next_start(
    database: str, when: str
) -> None:
    process = multiprocessing.get_context("spawn").Process(target=play_until_killed, args=(database, when))
    process.start()
    process.join(120)
    assert process.exitcode == -signal.SIGKILL

    async def run() -> None:
        async with Storage(database) as storage:
            row = await storage.table("rated")
            assert row is not None
            assert row.status == "playing"  # so the next start looks at it
            assert await games_of(storage, "ann", "bob") == ([0, 0] if when == "before" else [1, 1])
            for _ in range(2):
                async with open_party(storage) as reopened:
                    await reopened.hall.load("rated")
                    assert await games_of(storage, "ann", "bob") == [1, 1]
            row = await storage.table("rated")
            assert row is not None
            assert row.status == "over"

    asyncio.run(run())


@short_games
def test_a_rating_that_cannot_be_stored_is_tried_again_while_the_host_goes_on() -> None:
    async def story(p: Party) -> None:
        storage: Any = p.hall.services.storage
        tries = Counter[str]()
        write = storage.write

        async def fail_twice(job: Any) -> Any:
            if "PlayerRatings" in job.__qualname__:
                tries["rating"] += 1
                if tries["rating"] <= 2:
                    raise StorageFailed("the disk is full")
            return await write(job)

        storage.write = fail_twice
        await set_up(p, 2, rated=True, **SHORT)
        await play_to_the_end(p)
        assert tries["rating"] == 3
        assert await games_of(storage, "ann", "bob") == [1, 1]

    in_hall(story)


# --- which tables can be ----------------------------------------------------------------------------------------------

PLAIN: dict[str, Any] = {"rated": True, "clock": 60.0, "color": "red", "options": {"edition": "fifth"}}


@pytest.mark.parametrize(
    "how, why",
    [
        ({}, ""),
        ({"seats": {"blue": "easy", "white": "hard"}}, ""),
        ({"seats": {"blue": "easy", "white": "hard", "orange": "easy"}}, "rated_needs_people"),
        ({"options": {"edition": "fifth", "points_to_win": 5}}, "rated_needs_book_rules"),
        ({"options": {"edition": "fifth", "friendly_robber": True}}, "rated_needs_book_rules"),
        ({"chance_source": "dice", "clock": None}, "rated_needs_host_dice"),
        ({"absence": "wait"}, "rated_needs_stand_in"),
        ({"clock": None}, "rated_needs_clock"),
        ({"clock": 86_401.0}, "rated_needs_clock"),
        ({"clock": 86_400.0}, ""),
        ({"lesson": "first-game"}, "cannot_be_set_up"),
    ],
)
def test_a_rated_table_is_one_where_all_have_the_same_chances(how: dict[str, Any], why: str) -> None:
    async def story(p: Party) -> None:
        settings = {**PLAIN, **how}
        if not why:
            await p.hall.create("ann", table_settings(**settings))
            return
        with pytest.raises(Declined) as error:
            await p.hall.create("ann", table_settings(**settings))
        assert error.value.refusal.why == why

    in_hall(story)


def test_who_is_there_and_never_moves_holds_no_rated_game_for_ever() -> None:
    async def story(p: Party) -> None:
        await set_up(p, 2, rated=True, clock=60.0, setup="fixed")
        await p.begin()
        feeds = [p.feed(color) for color in (RED, BLUE)]
        for _ in range(4):
            seq = p.table.seq
            await p.after(61.0)
            assert p.table.seq > seq
        assert all(feed.reason is None for feed in feeds)

    in_hall(story)


def test_a_rated_table_from_before_clocks_goes_on_and_the_next_one_has_a_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(p: Party) -> None:
        monkeypatch.setattr("tests.host.halls.RATED_CLOCK", None)
        with monkeypatch.context() as patch:
            patch.setattr(opening, "check_can_be_rated", lambda _: None)
            await set_up(p, 2, rated=True, **SHORT)
        await play_to_the_end(p)
        assert p.table.opening.clock is None
        assert await games_of(p.hall.services.storage, "ann", "bob") == [1, 1]
        settings = rematch_settings(p.table, "ann", p.hall.services.forgotten, 0.0)[1]
        assert settings.terms.clock == RATED_REMATCH_CLOCK

    in_hall(story)


def test_a_board_of_ones_own_is_not_for_rated_games() -> None:
    async def story(p: Party) -> None:
        await set_up(p, setup="variable")
        board = p.table.board.to_toml()
        with pytest.raises(Declined, match="that the host generates"):
            await p.hall.create("ann", table_settings(**{**PLAIN, "options": {}, "board": board}))

    in_hall(story)


def test_a_rated_game_begins_with_two_people_at_least_and_the_next_one_is_rated_too() -> None:
    async def story(p: Party) -> None:
        await set_up(p, 2, rated=True, setup="variable")
        await p.send(BLUE, messages.Leave(id="leave"))
        await p.send(RED, messages.SeatBot(id="put", color=BLUE, bot_name="easy"))
        assert await why_refused(p, RED, messages.Begin(id="begin")) == "rated_needs_people"
        await p.send(RED, messages.SeatBot(id="free", color=BLUE))
        token = await p.hall.loaded(p.id).seat_access.take_seat(BLUE, "bob", "Bob")
        p.people[BLUE] = p.hall.loaded(p.id).seat_access.identify(token, "bob")
        assert isinstance(await p.send(RED, messages.Begin(id="begin again")), messages.Done)
        for color in (RED, BLUE):
            await p.send(color, messages.End(id=f"end {color}"))
        assert p.table.status == "over"
        next_id = await p.hall.rematch(p.id, "ann")
        assert p.hall.loaded(next_id).table.opening.rated

    in_hall(story)


def test_tables_of_before_are_not_rated() -> None:
    assert not log.Opened(title="", creator_id="ann", options={}, board="").rated


# --- the numbers ------------------------------------------------------------------------------------------------------

MEASURED = {"medium": ("easy", 0.520), "hard": ("medium", 0.496), "expert": ("hard", 0.385), "easy": ("random", 0.996)}
"""Who wins how often against three of the other, by bench/results.md."""


@pytest.mark.parametrize("level", MEASURED)
def test_levels_stand_as_far_apart_as_they_were_measured_to_be(level: str) -> None:
    other, share = MEASURED[level]
    scale = math.sqrt(
        4 * ((25 / 6) ** 2 + BOT_SIGMA**2)
    )  # by the model each place is drawn with odds of exp(mu / scale)
    odds = math.exp((BOT_RATINGS[level] - BOT_RATINGS[other]) / scale)
    assert odds / (odds + 3) == pytest.approx(share, abs=0.005)


def test_who_is_as_strong_as_a_level_has_its_rating_in_the_end() -> None:
    """Ratings do not grow by playing alone, whoever the opponents are: else bots would be a source of points."""
    pick, own, sums = random.Random(5), Rating(), 0.0
    opponents = [Rating(BOT_RATINGS[name], BOT_SIGMA) for name in ("easy", "hard", "hard")]
    for game in range(2000):
        mus = [BOT_RATINGS["easy"], *(opponent.mu for opponent in opponents)]
        order = sorted(range(4), key=lambda i: -mus[i] / (25 / 3) + math.log(-math.log(pick.random())))
        own = rate_seats([own, *opponents], [order.index(i) + 1 for i in range(4)])[0]
        sums += own.mu if game >= 500 else 0
    assert sums / 1500 == pytest.approx(BOT_RATINGS["easy"], abs=1.0)


@pytest.mark.parametrize(
    "points, winner, ranks", [((3, 10, 7, 7), 1, (4, 1, 2, 2)), ((10, 10, 2), 1, (2, 1, 3)), ((10, 4), 0, (1, 2))]
)
def test_places_go_by_points_after_the_winner(points: tuple[int, ...], winner: int, ranks: tuple[int, ...]) -> None:
    assert ranks_of(points, winner) == ranks


def test_every_shipped_player_has_its_place_in_the_order_of_strength() -> None:
    assert list(BOT_RATINGS) == list(SHIPPED)
    assert list(BOT_RATINGS.values()) == sorted(BOT_RATINGS.values())


def test_a_newcomer_is_shown_with_nothing_and_a_win_over_strong_bots_is_worth_more() -> None:
    assert shown_rating(Rating()) == 0
    people = (RatedSeat(guest_id="ann"), RatedSeat(guest_id="bob"))

    def gain(bot: str) -> float:
        game = RatedGame("t", 1.0, (1, 4, 2, 3), (*people, *[RatedSeat(fixed=BOT_RATINGS[bot])] * 2))
        changes = rate_people(game, [None, None, None, None])
        assert changes[0].change > 0 >= changes[1].change
        return changes[0].mu

    assert gain("random") < gain("easy") < gain("hard")


def test_a_player_that_cannot_search_yet_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    view = Game(edition="fifth", setup="variable", seed=0, first=0, compiled=False).view(0)
    monkeypatch.setattr(mode, "make_ready", lambda *_: False)
    for hurried in (True, False):
        monkeypatch.setattr(mode, "is_hurried", lambda: hurried)  # noqa: B023
        bot = Hard(0, Effort(steps=1))
        bot.choose(view)
        assert bot.held_back is hurried
