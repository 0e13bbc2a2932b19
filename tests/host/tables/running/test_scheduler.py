"""What time brings at a table: clocks that run out, people who leave and come back, bots that take their time.

Many of these went wrong elsewhere and were paid for with somebody's game.
"""

from __future__ import annotations

import asyncio

import pytest

import hexholm
from hexholm.host.storage import Storage
from hexholm.host.tables import log
from hexholm.host.tables.log import read_row
from hexholm.host.wire import messages
from hexholm.rules.encoding.structs import DESERT
from hexholm.rules.places import CORNER_HEXES, CORNER_ID, HEX_ID, HEX_NAMES
from tests.host.halls import Gate, Party, agree, drain, in_hall, open_party, refusal_code, scripted_dealer, set_up

pytestmark = pytest.mark.waits


async def played(p: Party) -> list[log.Played]:
    """All moves of the log."""
    bodies = [read_row(row).body for row in await p.hall.services.storage.entries(p.id)]
    return [body for body in bodies if isinstance(body, log.Played)]


# --- the clock --------------------------------------------------------------------------------------------------------


def test_when_time_is_up_the_clock_rolls_and_ends_the_turn() -> None:
    async def run(p: Party) -> None:
        await set_up(p, clock=30, setup="fixed")
        await p.begin()
        feeds = [p.feed(color) for color in p.table.colors]
        await p.after(29.9)
        assert p.table.asked_colors() == ("red",)
        assert await played(p) == []
        await p.after(0.2)
        assert p.table.asked_colors() == ("red",)  # the roll is made; what to do with it is a decision of its own
        await p.after(29.9)
        assert len(await played(p)) == 1
        await p.after(0.2)
        assert p.table.asked_colors() == ("blue",)
        assert [(move.steps[0], move.chooser) for move in await played(p)] == [
            ("red roll", "clock"),
            ("red end", "clock"),
        ]
        assert p.table.deadline("blue") == p.clock.time + 30
        assert all(feed.reason is None for feed in feeds)

    in_hall(run, make_dealer=scripted_dealer())


def test_without_a_clock_a_person_who_is_there_is_waited_for() -> None:
    async def run(p: Party) -> None:
        await set_up(p, setup="fixed")
        await p.begin()
        feeds = [p.feed(color) for color in p.table.colors]
        await p.after(10**6)
        assert await played(p) == []
        assert not any(seat.away for seat in p.table.seats.values())
        assert len(feeds) == 4

    in_hall(run, make_dealer=scripted_dealer())


@pytest.mark.rule("SETUP-22")
def test_a_placement_by_the_clock_brings_its_starting_resources() -> None:
    async def run(p: Party) -> None:
        await set_up(p, clock=30)
        await p.begin()
        for color in p.table.colors:
            p.feed(color)
        while p.table.game is None or p.table.game.turn == 0:
            await p.after(31)
        moves = [move for move in await played(p) if move.steps[0].split()[1] in ("settlement", "road")]
        assert sum(move.steps[0].split()[1] == "settlement" for move in moves) == 8
        assert {move.chooser for move in moves} == {"clock"}
        game = p.table.game
        assert game is not None
        for color in p.table.colors:
            second = [move.steps[0].split()[2] for move in moves if move.steps[0].startswith(f"{color} settlement")][1]
            land = game.layout.pips(second)
            assert land > 4  # a sensible place
            hexes = [h for h in hexes_at(second) if game.view(None).raw.terrain[HEX_ID[h]] != DESERT]
            assert game.view(color).hand.total >= len(hexes) >= 2

    in_hall(run, make_dealer=scripted_dealer())


def test_actions_back_and_forth_bring_no_more_time() -> None:
    async def run(p: Party) -> None:
        await set_up(p, clock=30, setup="fixed")
        await p.begin()
        feed = p.feed("white")
        deadline = p.table.deadline("red")
        await p.play_actions("red", "roll")
        for _ in range(5):
            await p.after(4)
            await p.play_actions("red", "offer 1 lumber : 1 ore to blue white")
            await p.play_actions("blue", "reject #1")
            await p.play_actions("red", "withdraw #1")
            assert p.table.deadline("red") == deadline
            p.feed("red").close()
        assert refusal_code(await p.act("red", "dance")) == "not_readable"
        assert p.table.deadline("red") == deadline
        await p.after(11)
        assert p.table.asked_colors() == ("blue",)
        assert feed.reason is None

    in_hall(run, make_dealer=scripted_dealer())


def test_when_the_time_of_the_one_on_turn_is_up_the_turn_passes_on_and_its_offer_is_gone() -> None:
    async def run(p: Party) -> None:
        await set_up(p, clock=30, setup="fixed")
        await p.begin()
        p.feed("white")
        await p.play_actions("red", "roll")
        await p.after(10)
        await p.play_actions("red", "offer 1 lumber : 1 ore to blue")
        assert set(p.table.asked_colors()) == {"red", "blue"}
        await p.after(20)
        assert p.table.asked_colors() == ("blue",)
        assert p.table.game is not None
        assert p.table.game.active == "blue"
        assert p.table.game.view("blue").offers == ()
        assert p.table.game.phase == "roll"

    in_hall(run, make_dealer=scripted_dealer())


@pytest.mark.rule("SEVEN-02")
def test_a_discard_by_the_clock_is_a_whole_one_and_the_robber_moves_on() -> None:
    async def run(p: Party) -> None:
        await set_up(p, clock=30, setup="fixed", hand_limit=2)
        await p.begin()
        p.feed("white")
        await p.play_actions("red", "roll")
        game = p.table.game
        assert game is not None
        assert game.phase == "discard"
        owing, sizes = p.table.asked_colors(), {c: game.view(None).hand_size(c) for c in p.table.colors}
        assert owing
        await p.after(30)
        moves = await played(p)
        assert {move.color for move in moves if "discard" in move.steps[0]} == set(owing)
        game = p.table.game
        assert game is not None
        assert any(move.steps[0].startswith("red robber") for move in moves) or game.phase == "robber"
        for color in owing:
            assert game.view(None).hand_size(color) <= sizes[color] - sizes[color] // 2 + 1
        await p.after(31)
        game = p.table.game
        assert game is not None
        assert game.phase not in ("discard", "robber")

    in_hall(run, make_dealer=scripted_dealer("dice 3 4"))


def test_the_friendly_robber_is_friendly_when_time_is_up_too() -> None:
    async def run(p: Party) -> None:
        await set_up(p, clock=30, friendly_robber=True)
        await p.begin()
        for color in p.table.colors:
            p.feed(color)
        while p.table.game is None or p.table.game.turn == 0:
            await p.after(31)
        for _ in range(18):  # sevens: nobody has three points, so no hex with a building may be chosen
            await p.after(31)
            view = p.table.game.view(None)
            near = {h for c in p.table.colors for s in view.settlements(c) for h in hexes_at(s)}
            assert view.robber not in near
        assert sum("robber" in step for move in await played(p) for step in move.steps) >= 5

    in_hall(run, make_dealer=lambda: hexholm.Scripted(["dice 3 4"] * 99))


def hexes_at(corner: str) -> set[str]:
    """The hexes around a corner."""
    return {HEX_NAMES[h] for h in CORNER_HEXES[CORNER_ID[corner]]}


def test_clocks_stand_still_in_a_pause_and_run_on_from_where_they_were() -> None:
    async def run(p: Party) -> None:
        await set_up(p, clock=30, setup="fixed")
        await p.begin()
        feeds = [p.feed(color) for color in p.table.colors]
        await p.after(20)
        await agree(p, messages.Pause)
        assert p.table.deadline("red") is None
        assert p.table.projection("red").deadline is None  # type: ignore[union-attr]
        await p.after(10_000)
        assert await played(p) == []
        await p.send("red", messages.Resume(id="r"))
        assert p.table.deadline("red") == p.clock.time + 10
        assert drain(feeds[0])[-1].projection.deadline == p.clock.time + 10
        await p.after(9.9)
        assert await played(p) == []
        await p.after(0.2)
        assert [(move.steps[0], move.chooser) for move in await played(p)] == [("red roll", "clock")]

    in_hall(run, make_dealer=scripted_dealer())


def test_a_clock_of_the_machine_that_is_set_back_harms_no_game() -> None:
    async def run(p: Party) -> None:
        await set_up(p, clock=30, setup="fixed")
        await p.begin()
        feeds = [p.feed(color) for color in p.table.colors]
        await p.after(10)
        await p.play_actions("red", "roll")
        last, deadline = p.table.time, p.table.deadline("red")
        await p.after(-3600)
        await p.play_actions("red", "end")
        assert p.table.time == last  # time does not run backwards in the log
        assert p.table.deadline("blue") == last + 30 == deadline
        await p.after(3600 + 29.9)
        assert p.table.asked_colors() == ("blue",)
        await p.after(0.2)
        assert [(move.steps[0], move.chooser) for move in await played(p)][-1] == ("blue roll", "clock")
        assert all(feed.reason is None for feed in feeds)

    in_hall(run, make_dealer=scripted_dealer())


# --- away and back ----------------------------------------------------------------------------------------------------


def test_a_bot_stands_in_for_one_who_is_long_gone_and_the_person_returns_with_a_feed() -> None:
    async def run(p: Party) -> None:
        await set_up(p, setup="fixed")
        await p.begin()
        feeds = {color: p.feed(color) for color in p.table.colors}
        feeds["red"].close()
        await p.after(119)
        assert not p.table.seats["red"].away
        assert await played(p) == []
        await p.after(2)
        assert p.table.line().seats[0].away
        moves = await played(p)
        assert (moves[0].steps[0], {move.chooser for move in moves}) == ("red roll", {"bot"})
        assert any(isinstance(message, messages.Changed) and message.what == "left" for message in drain(feeds["blue"]))
        second_feed = p.feed("red")
        await p.settle_down()
        assert not p.table.seats["red"].away
        assert [message.what for message in drain(second_feed) if isinstance(message, messages.Changed)] == ["left"]
        assert not any(seat.away for seat in p.table.seats.values())

    in_hall(run, make_dealer=scripted_dealer())


def test_who_is_away_returns_with_any_action() -> None:
    async def run(p: Party) -> None:
        await set_up(p, setup="fixed")
        await p.begin()
        p.feed("red"), p.feed("blue")
        await p.send("blue", messages.Away(id="away"))
        assert p.table.line().seats[1].away
        await p.play_actions("red", "roll", "offer 1 lumber : 1 ore to white")
        answer = await p.act("blue", "roll")
        assert refusal_code(answer) == "not_legal"
        assert not p.table.seats["blue"].away
        await p.play_actions("red", "end")
        await p.settle_down()
        assert "blue" in p.table.asked_colors()

    in_hall(run, make_dealer=scripted_dealer())


def test_a_command_counts_as_being_there() -> None:
    async def run(p: Party) -> None:
        await set_up(p, setup="fixed")
        await p.begin()
        for _ in range(5):
            await p.after(100)
            for color in p.table.colors:
                p.count += 1
                await p.send(color, messages.Say(id=f"here {p.count}", text="here"))
        assert not any(seat.away for seat in p.table.seats.values())

    in_hall(run, make_dealer=scripted_dealer())


def test_a_short_break_costs_neither_turn_nor_offer() -> None:
    async def run(p: Party) -> None:
        await set_up(p, setup="fixed")
        await p.begin()
        feeds = {color: p.feed(color) for color in p.table.colors}
        await p.play_actions("red", "roll", "offer 1 lumber : 1 ore to blue white")
        number = len(p.table.by_eyes["red"].stream)
        feeds["red"].close("slow")
        await p.play_actions("blue", "reject #1")
        await p.after(60)
        await p.play_actions("white", "counter #1 1 ore : 2 lumber")
        back = p.feed("red", number)
        await p.settle_down()
        hello, *missed = drain(back)
        assert [type(message) for message in missed] == [messages.Told, messages.Told]
        assert hello.projection.view["active"] == "red"
        assert [offer["by"] for offer in hello.projection.view["offers"]] == ["white"]
        assert "end" in hello.projection.legal
        number = hello.projection.view["offers"][0]["number"]
        await p.play_actions("red", f"reject #{number}", "end")

    in_hall(run, make_dealer=scripted_dealer())


def test_a_discard_is_not_stuck_when_its_player_is_gone() -> None:
    async def run(p: Party) -> None:
        await set_up(p, setup="fixed", hand_limit=2)
        await p.begin()
        feeds = {color: p.feed(color) for color in p.table.colors}
        await p.play_actions("red", "roll")
        owing = p.table.asked_colors()
        absent_color = owing[-1]
        feeds[absent_color].close()
        for color in owing[:-1]:
            projection = p.table.projection(color)
            assert projection is not None
            await p.play_actions(color, projection.legal[0])
        assert p.table.asked_colors() == (absent_color,)
        await p.after(121)
        assert p.table.game is not None
        assert p.table.game.phase != "discard"
        assert next(move.chooser for move in await played(p) if move.color == absent_color) == "bot"

    in_hall(run, make_dealer=scripted_dealer("dice 3 4"))


def test_no_bot_moves_the_robber_for_a_player_who_is_there() -> None:
    async def run(p: Party) -> None:
        await set_up(p, 1, setup="fixed")
        feed = p.feed("red")
        await p.begin()
        await p.play_actions("red", "roll")
        await p.after(10**5)
        assert p.table.asked_colors() == ("red",)
        assert p.table.game is not None
        assert p.table.game.phase == "robber"
        assert feed.reason is None
        assert {move.chooser for move in await played(p)} == {"person"}

    in_hall(run, make_dealer=scripted_dealer("dice 3 4"))


def test_what_a_bot_was_thinking_for_somebody_is_forgotten_when_they_return() -> None:
    async def main() -> None:
        gate = Gate()
        async with open_party(bots=gate, make_dealer=scripted_dealer()) as p:
            await set_up(p, setup="fixed")
            await p.begin()
            await p.send("red", messages.Away(id="a"))
            await p.until(lambda: len(gate.questions) == 1)
            await p.send("red", messages.Back(id="b"))
            gate.open.set()
            await p.settle_down()
            assert p.table.asked_colors() == ("red",)
            assert await played(p) == []
            await p.play_actions("red", "roll")
            await p.send("red", messages.Away(id="again"))
            await p.until(lambda: len(gate.questions) > 1)  # another question: what was thought before is no answer
            assert gate.questions[1].view.phase == "main"

    asyncio.run(main())


def test_who_resigns_is_played_for_to_the_end() -> None:
    async def run(p: Party) -> None:
        await set_up(p, 1, points_to_win=3)
        await p.begin()
        await p.send("red", messages.Resign(id="r"))
        p.feed("red")
        assert refusal_code(await p.act("red", "settlement C3n")) == "not_allowed"
        await p.until(lambda: p.table.status == "over")

    in_hall(run, make_dealer=lambda: hexholm.Seeded(2))


def test_nobody_is_taken_for_gone_during_a_pause_or_before_the_beginning() -> None:
    async def run(p: Party) -> None:
        await set_up(p, clock=30, setup="fixed")
        await p.after(1000)
        await p.begin()
        assert not any(seat.away for seat in p.table.seats.values())
        await agree(p, messages.Pause)
        await p.after(1000)
        assert await played(p) == []
        assert not any(seat.away for seat in p.table.seats.values())
        feeds = {color: p.feed(color) for color in p.table.colors}
        await p.send("blue", messages.Resume(id="r"))
        feeds["red"].close()
        await p.after(29)
        assert p.table.asked_colors() == ("red",)
        assert not any(seat.away for seat in p.table.seats.values())

    in_hall(run, make_dealer=scripted_dealer())


def test_after_a_restart_people_have_time_to_come_back() -> None:
    async def main() -> None:
        async with Storage(":memory:") as storage:
            async with open_party(storage, make_dealer=scripted_dealer()) as p:
                await set_up(p, clock=300, setup="fixed")
                await p.begin()
            p.clock.time += 10**6
            async with open_party(storage, now=p.clock, make_dealer=scripted_dealer()) as reopened:
                reopened.id, reopened.people = p.id, p.people
                reopened.feed("blue")
                await reopened.after(119)
                assert not any(seat.away for seat in reopened.table.seats.values())
                await reopened.after(2)
                away = [seat.color for seat in reopened.table.seats.values() if seat.away]
                assert away == ["red"]  # nobody waits for white and orange

    asyncio.run(main())
