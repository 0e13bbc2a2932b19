"""Tables for people with the real board: they tell what came out, secrets on their own screens alone."""

from __future__ import annotations

import asyncio
import itertools
from typing import Any

import msgspec
import pytest

from hexholm.host.tables.seats import Guest
from hexholm.host.wire import messages as m
from hexholm.host.wire.api import TableSettings
from hexholm.host.wire.host_refusals import Declined
from hexholm.rules.core.encoding.structs import RESOURCES
from tests.host.halls import Faulty, Gate, Party, drain, hall, send, set_up

from .companion_party import (
    BLUE,
    ORANGE,
    RED,
    WHITE,
    asked,
    came,
    rob,
    seen,
    seven,
    stage,
    told,
    why_not,
)


def test_the_game_waits_for_the_dice_which_anybody_at_the_table_may_tell() -> None:
    async def story(party: Party) -> None:
        await party.did(RED, "roll")
        assert stage(party.table) == "dice"
        assert party.table.to_decide() == ()
        for eyes in (RED, BLUE, WHITE, ORANGE, None):
            question = asked(party, eyes)
            assert question is not None
            assert (question.kind, question.player, question.outcomes) == ("dice", RED, ())
        await came(party, WHITE, "dice 4 6")
        assert stage(party.table) == "main"
        assert party.table.projection(RED).view["dice"] == (4, 6)  # type: ignore[union-attr]
        assert asked(party, RED) is None

    told(story)


@pytest.mark.parametrize("who", [RED, WHITE, None], ids=["the one on turn", "another", "the screen for all"])
@pytest.mark.parametrize("chance", ["dice", "people"])
def test_the_dice_are_told_without_anybody_saying_first_that_they_roll(who: str | None, chance: m.ChanceSource) -> None:
    async def story(party: Party) -> None:
        if who is None:
            party.people[None] = Guest(party.table.creator, None)
        assert party.table.game is not None
        before, steps = party.table.game.position(), party.table.game.step_count
        for eyes in (RED, BLUE, WHITE, ORANGE, None):
            assert asked(party, eyes) == m.Question(kind="dice", player=RED, number=party.table.moves)
        shown = party.table.projection(RED)
        assert shown is not None
        assert shown.asked
        assert "roll" in shown.legal  # who is on turn keeps all rights
        entries = party.table.seq
        await came(party, who, "dice 4 6")
        assert (stage(party.table), party.table.game.active) == ("main", RED)
        assert [(action.by, action.text) for action in party.table.game.actions[steps:]] == [
            ("red", "roll"),
            ("chance", "dice 4 6"),
        ]
        assert party.table.seq == entries + 1
        assert asked(party, RED) is None
        answer = await party.send(BLUE, m.TakeBack(id="back", number=seen(party, BLUE)))
        assert isinstance(answer, m.Done), answer
        assert party.table.game.position() == before
        assert asked(party, BLUE) == m.Question(kind="dice", player=RED, number=party.table.moves)

    told(story, chance=chance)


def test_a_card_is_played_before_the_roll_and_the_dice_are_asked_again_after_it() -> None:
    async def story(party: Party) -> None:
        dice = itertools.cycle(["dice 4 6", "dice 2 3", "dice 3 3", "dice 4 4", "dice 4 5", "dice 1 3", "dice 5 6"])
        while "knight" not in party.table.projection(party.table.to_decide()[0]).legal:  # type: ignore[union-attr]
            who = party.table.to_decide()[0]
            await came(party, WHITE, next(dice))
            if "buy" in party.table.projection(who).legal:  # type: ignore[union-attr]
                await party.did(who, "buy")
                await came(party, who, "drawn knight")
            await party.did(who, "end")
            assert party.table.seq < 200
        knight = party.table.to_decide()[0]
        early = asked(party, None)
        assert early is not None
        await party.did(knight, "knight")
        assert asked(party, None) is None  # first the robber moves
        assert await why_not(party, WHITE, "dice 4 6", early.number) == "nothing_to_tell"
        robber = party.table.projection(knight)
        assert robber is not None
        away = next(text for text in robber.legal if text.startswith("robber"))
        await party.did(knight, away)
        if stage(party.table) == "victim":
            await party.did(knight, party.table.projection(knight).legal[0])  # type: ignore[union-attr]
        if stage(party.table) == "theft":
            for kind in RESOURCES:
                if stage(party.table) == "theft":
                    await came(party, knight, f"stolen {kind}")
        assert await why_not(party, WHITE, "dice 4 6", early.number) == "went_on"
        await came(party, WHITE, "dice 4 6")
        assert stage(party.table) == "main"

    told(story)


def test_what_cannot_be_rolled_is_refused_before_the_roll_too_and_nobody_has_rolled() -> None:
    async def story(party: Party) -> None:
        before = party.table.seq
        for outcome in ("dice 7 1", "stolen ore", "roll", ""):
            assert await why_not(party, BLUE, outcome) == "cannot_come_out"
        assert (party.table.seq, stage(party.table)) == (before, "roll")

    told(story)


@pytest.mark.parametrize("how", ["bot", "away"])
def test_where_a_bot_is_on_turn_the_dice_are_asked_when_it_has_rolled(how: str) -> None:
    async def run() -> None:
        slow = Gate()
        async with hall(bots=slow) as party:
            await set_up(party, 1 if how == "bot" else 4, chance="dice", setup="fixed")
            await party.begin()
            await came(party, RED, "dice 4 6")
            if how == "away":
                assert isinstance(await party.send(BLUE, m.Away(id="a")), m.Done)
            await party.did(RED, "end")
            assert stage(party.table) == "roll"
            assert party.table.game is not None
            assert party.table.game.active == BLUE
            assert asked(party, RED) is None
            assert await why_not(party, RED, "dice 4 6") == "nothing_to_tell"
            slow.open.set()
            await party.until(lambda: stage(party.table) == "dice")
            assert asked(party, RED) == m.Question(kind="dice", player=BLUE, number=party.table.moves)

    asyncio.run(run())


def test_two_who_tell_the_same_roll_count_once() -> None:
    async def story(party: Party) -> None:
        await party.did(RED, "roll")
        question = asked(party, RED)
        assert question is not None
        await came(party, RED, "dice 4 6")
        assert await why_not(party, BLUE, "dice 4 6", question.number) == "nothing_to_tell"
        await party.did(RED, "end")
        await party.did(BLUE, "roll")
        assert await why_not(party, WHITE, "dice 4 6", question.number) == "told_already"
        assert stage(party.table) == "dice"

    told(story)


@pytest.mark.parametrize("outcome", ["dice 7 1", "stolen ore", "drawn knight", "roll", "", "dice", "x" * 500])
def test_what_cannot_come_out_is_refused_and_nothing_changes(outcome: str) -> None:
    async def story(party: Party) -> None:
        await party.did(RED, "roll")
        before = party.table.seq
        assert await why_not(party, RED, outcome) == "cannot_come_out"
        assert (party.table.seq, stage(party.table)) == (before, "dice")

    told(story)


def test_a_stolen_card_is_asked_of_the_thief_alone_and_told_to_nobody_else() -> None:
    async def story(party: Party) -> None:
        await seven(party)
        assert stage(party.table) == "theft"
        question = asked(party, RED)
        assert question is not None
        assert question.outcomes == ("stolen brick", "stolen lumber", "stolen wool", "stolen grain", "stolen ore")
        for eyes in (BLUE, WHITE, ORANGE, None):
            assert asked(party, eyes) is None
        assert party.table.game is not None
        victim = party.table.game.chance
        assert victim is not None
        held = party.table.game.referee.hand(victim.victim or "")
        kind = next(kind for kind, n in held.items() if n)
        missing = next(kind for kind, n in held.items() if not n)
        for other in (BLUE, WHITE, ORANGE):
            assert await why_not(party, other, f"stolen {kind}") == "others_tell"
        feeds = {eyes: party.feed(eyes) for eyes in (RED, ORANGE, None)}
        for feed in feeds.values():
            drain(feed)
        await came(party, RED, f"stolen {missing}")  # which tells the thief what is not there: so all hear of it
        assert stage(party.table) == "theft"
        for feed in feeds.values():
            (heard,) = [one for one in drain(feed) if isinstance(one, m.Changed)]
            assert (heard.what, heard.by) == ("mistold", RED)
            assert missing not in msgspec.json.encode(heard).decode().partition('"options"')[0]
        await came(party, RED, f"stolen {kind}")
        said = {eyes: msgspec.json.encode(drain(feed)).decode() for eyes, feed in feeds.items()}
        assert all("stole" in text for text in said.values())
        assert f'"card":"{kind}"' in said[RED]
        assert all(f'"card":"{kind}"' not in said[eyes] for eyes in (None, *({ORANGE} - {victim.victim})))

    told(story)


def test_a_drawn_card_is_asked_of_the_buyer_alone() -> None:
    async def story(party: Party) -> None:
        dice = itertools.cycle(["dice 4 6", "dice 2 3", "dice 3 3", "dice 4 4", "dice 4 5", "dice 1 3", "dice 5 6"])
        while True:
            who = party.table.to_decide()[0]
            await party.did(who, "roll")
            await came(party, who, next(dice))
            if "buy" in party.table.projection(who).legal:  # type: ignore[union-attr]
                break
            await party.did(who, "end")
            assert party.table.seq < 200
        buyer = party.table.to_decide()[0]
        await party.did(buyer, "buy")
        assert stage(party.table) == "draw"
        others = [eyes for eyes in (RED, BLUE, WHITE, ORANGE, None) if eyes != buyer]
        assert [asked(party, eyes) for eyes in others] == [None] * 4
        assert await why_not(party, next(eyes for eyes in others if eyes), "drawn knight") == "others_tell"
        await came(party, buyer, "drawn monopoly")
        shown = party.table.projection(buyer)
        assert shown is not None
        assert shown.view["development"] == {"monopoly": 1}

    told(story)


def test_the_host_keeps_cards_and_thefts_where_only_the_dice_are_real() -> None:
    async def story(party: Party) -> None:
        await party.did(RED, "roll")
        assert stage(party.table) == "dice"
        await came(party, BLUE, "dice 3 4")
        await rob(party)
        assert stage(party.table) == "main"

    async def run() -> None:
        async with hall() as party:
            await set_up(party, chance="dice", setup="fixed")
            await party.begin()
            await story(party)

    asyncio.run(run())


def test_a_screen_for_all_tells_the_dice_and_is_never_asked_for_a_card() -> None:
    async def run() -> None:
        async with hall() as party:
            made = await party.hall.create(
                "ann",
                TableSettings(name="Ann", options={"edition": "fifth", "setup": "fixed", "first": 0}, chance="people"),
            )
            party.id = made.table
            party.people = {None: Guest("ann", None)}
            for color in (RED, BLUE, WHITE, ORANGE):
                token = await party.hall.find(party.id).take(color, color, color.title())
                party.people[color] = party.hall.find(party.id).identify(token, color)
            await party.begin()
            await party.did(RED, "roll")
            stranger = await send(party.hall, party.id, Guest("eve"), m.Deal(id="x", outcome="dice 1 1", number=0))
            assert isinstance(stranger, m.Refused)
            assert stranger.why == "watching"
            await came(party, None, "dice 3 4")
            await rob(party)
            assert asked(party, None) is None
            assert await why_not(party, None, "stolen ore") == "others_tell"

    asyncio.run(run())


def test_who_has_resigned_tells_and_takes_back_nothing() -> None:
    async def story(party: Party) -> None:
        await party.did(RED, "roll")
        assert isinstance(await party.send(BLUE, m.Resign(id="r")), m.Done)
        assert await why_not(party, BLUE, "dice 1 1") == "resigned"
        no = await party.send(BLUE, m.TakeBack(id="t", number=seen(party, BLUE)))
        assert isinstance(no, m.Refused)
        assert no.why == "resigned"

    told(story)


@pytest.mark.parametrize("rolled", [False, True], ids=["before the roll", "after it"])
@pytest.mark.parametrize("chance", ["dice", "people"])
def test_who_has_resigned_is_asked_for_no_dice_and_all_others_are(rolled: bool, chance: m.ChanceSource) -> None:
    async def story(party: Party) -> None:
        if rolled:
            await party.did(RED, "roll")
        feed = party.feed(BLUE)
        drain(feed)
        assert asked(party, BLUE) is not None
        assert isinstance(await party.send(BLUE, m.Resign(id="r")), m.Done)
        assert drain(feed)[-1].projection.chance is None  # their phone stops asking at once
        for eyes in (RED, WHITE, ORANGE, None):
            question = asked(party, eyes)
            assert question is not None
            assert (question.kind, question.player) == ("dice", RED)
        await came(party, WHITE, "dice 4 6")
        assert stage(party.table) == "main"

    told(story, chance=chance)


def test_another_game_with_a_real_board_keeps_its_creator_and_has_no_bots() -> None:
    async def run() -> None:
        async with hall() as party:
            await set_up(party, chance="people", setup="fixed")
            await party.begin()
            assert isinstance(await party.send(RED, m.Kick(id="k", seat=BLUE)), m.Done)
            assert isinstance(await party.send(RED, m.End(id="e")), m.Done)
            following = party.hall.find(await party.hall.rematch(party.id, "cid")).table
            assert (following.creator, following.chance_source) == ("ann", "people")
            assert following.seats[BLUE].kind == "empty"

    asyncio.run(run())


@pytest.mark.parametrize("how", ["away", "kicked"])
def test_the_host_deals_for_a_bot_that_takes_over_from_the_one_who_was_asked(how: str) -> None:
    async def run() -> None:
        async with hall() as party:
            await set_up(party, chance="people", setup="fixed")
            await party.begin()
            await party.did(RED, "roll")
            await came(party, RED, "dice 4 6")
            await party.did(RED, "end")
            await party.did(BLUE, "roll")
            await came(party, BLUE, "dice 3 4")
            await party.did(BLUE, "robber D2")
            shown = party.table.projection(BLUE)
            assert shown is not None
            if stage(party.table) == "victim":
                await party.did(BLUE, shown.legal[0])
            assert stage(party.table) == "theft"
            gone: m.TableCommand = m.Away(id="a") if how == "away" else m.Kick(id="k", seat=BLUE)
            answer = await party.send(BLUE if how == "away" else RED, gone)
            assert isinstance(answer, m.Done), answer
            await party.settled()
            assert stage(party.table) != "theft"

    asyncio.run(run())


def test_a_companion_table_is_there_again_after_a_restart_with_its_question() -> None:
    async def run() -> None:
        storage = await Faulty(":memory:").open()
        try:
            async with hall(storage) as party:
                await set_up(party, chance="people", setup="fixed")
                await party.begin()
                await party.did(RED, "roll")
                await came(party, RED, "dice 2 2")
                await party.send(RED, m.TakeBack(id="back", number=seen(party, RED)))
                await party.did(RED, "roll")
                name, tokens = party.id, party.tokens
                assert party.table.game is not None
                before = party.table.game.position()
            async with hall(storage) as party:
                party.id = name
                party.people = {RED: party.hall.find(name).identify(tokens[RED], "ann")}
                assert party.table.game is not None
                assert party.table.game.position() == before
                assert asked(party, RED) == m.Question(kind="dice", player=RED, number=party.table.moves)
                await came(party, RED, "dice 4 6")
                assert stage(party.table) == "main"
        finally:
            await storage.close()

    asyncio.run(run())


def test_the_roll_for_the_start_is_told_too() -> None:
    async def run() -> None:
        async with hall() as party:
            await set_up(party, chance="people", first="roll", setup="variable")
            await party.begin()
            for color, dice in ((RED, "dice 1 2"), (BLUE, "dice 6 6"), (WHITE, "dice 1 1"), (ORANGE, "dice 2 2")):
                question = asked(party, WHITE)
                assert question is not None
                assert question.player == color
                await came(party, WHITE, dice)
            assert party.table.to_decide() == (BLUE,)

    asyncio.run(run())


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ({"options": {"edition": "fifth", "balanced_dice": True}}, "balanced dice"),
        ({"options": {"edition": "fifth"}, "clock": 30.0}, "no clock"),
        ({"options": {"edition": "fifth"}, "seats": {"blue": "easy"}}, "for a bot"),
    ],
)
def test_what_does_not_go_with_real_dice_and_cards_is_refused(how: dict[str, Any], says: str) -> None:
    async def run() -> None:
        async with hall() as party:
            with pytest.raises(Declined, match=says):
                await party.hall.create("ann", TableSettings(name="Ann", chance="people", **how))

    asyncio.run(run())


def test_bots_sit_down_only_where_the_host_keeps_the_cards() -> None:
    async def run() -> None:
        async with hall() as party:
            await set_up(party, 3, chance="dice", setup="fixed")
            await party.begin()
            assert party.table.seats[ORANGE].kind == "bot"
        async with hall() as party:
            made = await party.hall.create(
                "ann", TableSettings(name="Ann", options={"edition": "fifth"}, chance="people", seat=RED)
            )
            party.id = made.table
            party.people = {RED: Guest("ann", RED)}
            answer = await party.send(RED, m.Put(id="p", seat=BLUE, bot="easy"))
            assert isinstance(answer, m.Refused)
            assert answer.why == "no_bots_here"

    asyncio.run(run())


def test_people_who_look_at_the_real_board_are_not_taken_for_away() -> None:
    async def story(party: Party) -> None:
        await party.after(86_400)
        assert not any(seat.away for seat in party.table.seats.values())

    told(story)
