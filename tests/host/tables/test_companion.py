"""Tables for people with the real board: they tell what came out, secrets on their own screens alone."""

from __future__ import annotations

import asyncio
import itertools
from typing import Any

import msgspec
import pytest

from hexholm.host.table_literals import ChanceSource
from hexholm.host.tables.seats import Guest
from hexholm.host.wire import messages
from hexholm.host.wire.host_refusals import Declined
from hexholm.rules.encoding.structs import RESOURCES
from tests.host.halls import Faulty, Gate, Party, drain, open_party, send, set_up, table_settings

from .companion_party import (
    BLUE,
    ORANGE,
    RED,
    WHITE,
    phase_of,
    question_to,
    rob,
    roll_seven,
    seen_number,
    tell_outcomes,
    tell_story,
    why_not,
)

pytestmark = pytest.mark.waits


def test_the_game_waits_for_the_dice_which_anybody_at_the_table_may_tell() -> None:
    async def story(party: Party) -> None:
        await party.play_actions(RED, "roll")
        assert phase_of(party.table) == "dice"
        assert party.table.asked_colors() == ()
        for eyes in (RED, BLUE, WHITE, ORANGE, None):
            question = question_to(party, eyes)
            assert question is not None
            assert (question.kind, question.player, question.outcomes) == ("dice", RED, ())
        await tell_outcomes(party, WHITE, "dice 4 6")
        assert phase_of(party.table) == "main"
        assert party.table.projection(RED).view["dice"] == (4, 6)  # type: ignore[union-attr]
        assert question_to(party, RED) is None

    tell_story(story)


@pytest.mark.parametrize("color", [RED, WHITE, None], ids=["the one on turn", "another", "the screen for all"])
@pytest.mark.parametrize("chance_source", ["dice", "people"])
def test_the_dice_are_told_without_anybody_saying_first_that_they_roll(
    color: str | None, chance_source: ChanceSource
) -> None:
    async def story(party: Party) -> None:
        if color is None:
            party.people[None] = Guest(party.table.creator_id, None)
        assert party.table.game is not None
        before, steps = party.table.game.position(), party.table.game.step_count
        for eyes in (RED, BLUE, WHITE, ORANGE, None):
            assert question_to(party, eyes) == messages.ChanceQuestion(
                kind="dice", player=RED, number=party.table.moves
            )
        projection = party.table.projection(RED)
        assert projection is not None
        assert projection.asked
        assert "roll" in projection.legal  # who is on turn keeps all rights
        entries = party.table.seq
        await tell_outcomes(party, color, "dice 4 6")
        assert (phase_of(party.table), party.table.game.active) == ("main", RED)
        assert [(action.by, action.text) for action in party.table.game.actions[steps:]] == [
            ("red", "roll"),
            ("chance", "dice 4 6"),
        ]
        assert party.table.seq == entries + 1
        assert question_to(party, RED) is None
        answer = await party.send(BLUE, messages.TakeBack(id="back", number=seen_number(party, BLUE)))
        assert isinstance(answer, messages.Done), answer
        assert party.table.game.position() == before
        assert question_to(party, BLUE) == messages.ChanceQuestion(kind="dice", player=RED, number=party.table.moves)

    tell_story(story, chance_source=chance_source)


def test_a_card_is_played_before_the_roll_and_the_dice_are_asked_again_after_it() -> None:
    async def story(party: Party) -> None:
        dice = itertools.cycle(["dice 4 6", "dice 2 3", "dice 3 3", "dice 4 4", "dice 4 5", "dice 1 3", "dice 5 6"])
        while "knight" not in party.table.projection(party.table.asked_colors()[0]).legal:  # type: ignore[union-attr]
            color = party.table.asked_colors()[0]
            await tell_outcomes(party, WHITE, next(dice))
            if "buy" in party.table.projection(color).legal:  # type: ignore[union-attr]
                await party.play_actions(color, "buy")
                await tell_outcomes(party, color, "drawn knight")
            await party.play_actions(color, "end")
            assert party.table.seq < 200
        knight = party.table.asked_colors()[0]
        early = question_to(party, None)
        assert early is not None
        await party.play_actions(knight, "knight")
        assert question_to(party, None) is None  # first the robber moves
        assert await why_not(party, WHITE, "dice 4 6", early.number) == "nothing_to_tell"
        robber = party.table.projection(knight)
        assert robber is not None
        away = next(text for text in robber.legal if text.startswith("robber"))
        await party.play_actions(knight, away)
        if phase_of(party.table) == "victim":
            await party.play_actions(knight, party.table.projection(knight).legal[0])  # type: ignore[union-attr]
        if phase_of(party.table) == "theft":
            for kind in RESOURCES:
                if phase_of(party.table) == "theft":
                    await tell_outcomes(party, knight, f"stolen {kind}")
        assert await why_not(party, WHITE, "dice 4 6", early.number) == "went_on"
        await tell_outcomes(party, WHITE, "dice 4 6")
        assert phase_of(party.table) == "main"

    tell_story(story)


def test_what_cannot_be_rolled_is_refused_before_the_roll_too_and_nobody_has_rolled() -> None:
    async def story(party: Party) -> None:
        before = party.table.seq
        for outcome in ("dice 7 1", "stolen ore", "roll", ""):
            assert await why_not(party, BLUE, outcome) == "cannot_come_out"
        assert (party.table.seq, phase_of(party.table)) == (before, "roll")

    tell_story(story)


@pytest.mark.parametrize("how", ["bot", "away"])
def test_where_a_bot_is_on_turn_the_dice_are_asked_when_it_has_rolled(how: str) -> None:
    async def run() -> None:
        slow = Gate()
        async with open_party(bots=slow) as party:
            await set_up(party, 1 if how == "bot" else 4, chance_source="dice", setup="fixed")
            await party.begin()
            await tell_outcomes(party, RED, "dice 4 6")
            if how == "away":
                assert isinstance(await party.send(BLUE, messages.Away(id="a")), messages.Done)
            await party.play_actions(RED, "end")
            assert phase_of(party.table) == "roll"
            assert party.table.game is not None
            assert party.table.game.active == BLUE
            assert question_to(party, RED) is None
            assert await why_not(party, RED, "dice 4 6") == "nothing_to_tell"
            slow.open.set()
            await party.until(lambda: phase_of(party.table) == "dice")
            assert question_to(party, RED) == messages.ChanceQuestion(
                kind="dice", player=BLUE, number=party.table.moves
            )

    asyncio.run(run())


def test_two_who_tell_the_same_roll_count_once() -> None:
    async def story(party: Party) -> None:
        await party.play_actions(RED, "roll")
        question = question_to(party, RED)
        assert question is not None
        await tell_outcomes(party, RED, "dice 4 6")
        assert await why_not(party, BLUE, "dice 4 6", question.number) == "nothing_to_tell"
        await party.play_actions(RED, "end")
        await party.play_actions(BLUE, "roll")
        assert await why_not(party, WHITE, "dice 4 6", question.number) == "told_already"
        assert phase_of(party.table) == "dice"

    tell_story(story)


@pytest.mark.parametrize("outcome", ["dice 7 1", "stolen ore", "drawn knight", "roll", "", "dice", "x" * 500])
def test_what_cannot_come_out_is_refused_and_nothing_changes(outcome: str) -> None:
    async def story(party: Party) -> None:
        await party.play_actions(RED, "roll")
        before = party.table.seq
        assert await why_not(party, RED, outcome) == "cannot_come_out"
        assert (party.table.seq, phase_of(party.table)) == (before, "dice")

    tell_story(story)


def test_a_stolen_card_is_asked_of_the_thief_alone_and_told_to_nobody_else() -> None:
    async def story(party: Party) -> None:
        await roll_seven(party)
        assert phase_of(party.table) == "theft"
        question = question_to(party, RED)
        assert question is not None
        assert question.outcomes == ("stolen brick", "stolen lumber", "stolen wool", "stolen grain", "stolen ore")
        for eyes in (BLUE, WHITE, ORANGE, None):
            assert question_to(party, eyes) is None
        assert party.table.game is not None
        victim = party.table.game.chance
        assert victim is not None
        held = party.table.game.referee.hand(victim.victim or "")
        kind = next(kind for kind, n in held.items() if n)
        missing = next(kind for kind, n in held.items() if not n)
        for other_color in (BLUE, WHITE, ORANGE):
            assert await why_not(party, other_color, f"stolen {kind}") == "others_tell"
        feeds = {eyes: party.feed(eyes) for eyes in (RED, ORANGE, None)}
        for feed in feeds.values():
            drain(feed)
        await tell_outcomes(
            party, RED, f"stolen {missing}"
        )  # which tells the thief what is not there: so all hear of it
        assert phase_of(party.table) == "theft"
        for feed in feeds.values():
            (heard,) = [message for message in drain(feed) if isinstance(message, messages.Changed)]
            assert (heard.what, heard.by) == ("mistold", RED)
            assert missing not in msgspec.json.encode(heard).decode().partition('"options"')[0]
        party.clock.time += 60  # the own attempts of one seat are counted, what can be is not
        for _ in range(60):
            await tell_outcomes(party, RED, f"stolen {missing}")
        assert await why_not(party, RED, f"stolen {missing}") == "asked_too_often"
        for feed in feeds.values():
            drain(feed)
        await tell_outcomes(party, RED, f"stolen {kind}")
        text_by_eyes = {eyes: msgspec.json.encode(drain(feed)).decode() for eyes, feed in feeds.items()}
        assert all("stole" in text for text in text_by_eyes.values())
        assert f'"card":"{kind}"' in text_by_eyes[RED]
        assert all(f'"card":"{kind}"' not in text_by_eyes[eyes] for eyes in (None, *({ORANGE} - {victim.victim})))

    tell_story(story)


def test_a_drawn_card_is_asked_of_the_buyer_alone() -> None:
    async def story(party: Party) -> None:
        dice = itertools.cycle(["dice 4 6", "dice 2 3", "dice 3 3", "dice 4 4", "dice 4 5", "dice 1 3", "dice 5 6"])
        while True:
            color = party.table.asked_colors()[0]
            await party.play_actions(color, "roll")
            await tell_outcomes(party, color, next(dice))
            if "buy" in party.table.projection(color).legal:  # type: ignore[union-attr]
                break
            await party.play_actions(color, "end")
            assert party.table.seq < 200
        buyer = party.table.asked_colors()[0]
        await party.play_actions(buyer, "buy")
        assert phase_of(party.table) == "draw"
        other_eyes = [eyes for eyes in (RED, BLUE, WHITE, ORANGE, None) if eyes != buyer]
        assert [question_to(party, eyes) for eyes in other_eyes] == [None] * 4
        assert await why_not(party, next(eyes for eyes in other_eyes if eyes), "drawn knight") == "others_tell"
        await tell_outcomes(party, buyer, "drawn monopoly")
        projection = party.table.projection(buyer)
        assert projection is not None
        assert projection.view["development"] == {"monopoly": 1}

    tell_story(story)


def test_the_host_keeps_cards_and_thefts_where_only_the_dice_are_real() -> None:
    async def story(party: Party) -> None:
        await party.play_actions(RED, "roll")
        assert phase_of(party.table) == "dice"
        await tell_outcomes(party, BLUE, "dice 3 4")
        await rob(party)
        assert phase_of(party.table) == "main"

    async def run() -> None:
        async with open_party() as party:
            await set_up(party, chance_source="dice", setup="fixed")
            await party.begin()
            await story(party)

    asyncio.run(run())


def test_a_screen_for_all_tells_the_dice_and_is_never_asked_for_a_card() -> None:
    async def run() -> None:
        async with open_party() as party:
            created_table = await party.hall.create(
                "ann",
                table_settings(options={"edition": "fifth", "setup": "fixed", "first": 0}, chance_source="people"),
            )
            party.id = created_table.id
            party.people = {None: Guest("ann", None)}
            for color in (RED, BLUE, WHITE, ORANGE):
                token = await party.hall.loaded(party.id).seat_access.take_seat(color, color, color.title())
                party.people[color] = party.hall.loaded(party.id).seat_access.identify(token, color)
            await party.begin()
            await party.play_actions(RED, "roll")
            stranger = await send(
                party.hall, party.id, Guest("eve"), messages.Deal(id="x", outcome="dice 1 1", number=0)
            )
            assert isinstance(stranger, messages.Refused)
            assert stranger.why == "watching"
            await tell_outcomes(party, None, "dice 3 4")
            await rob(party)
            assert question_to(party, None) is None
            assert await why_not(party, None, "stolen ore") == "others_tell"

    asyncio.run(run())


def test_who_has_resigned_tells_and_takes_back_nothing() -> None:
    async def story(party: Party) -> None:
        await party.play_actions(RED, "roll")
        assert isinstance(await party.send(BLUE, messages.Resign(id="r")), messages.Done)
        assert await why_not(party, BLUE, "dice 1 1") == "resigned"
        refused = await party.send(BLUE, messages.TakeBack(id="t", number=seen_number(party, BLUE)))
        assert isinstance(refused, messages.Refused)
        assert refused.why == "resigned"

    tell_story(story)


@pytest.mark.parametrize("rolled", [False, True], ids=["before the roll", "after it"])
@pytest.mark.parametrize("chance_source", ["dice", "people"])
def test_who_has_resigned_is_asked_for_no_dice_and_all_others_are(rolled: bool, chance_source: ChanceSource) -> None:
    async def story(party: Party) -> None:
        if rolled:
            await party.play_actions(RED, "roll")
        feed = party.feed(BLUE)
        drain(feed)
        assert question_to(party, BLUE) is not None
        assert isinstance(await party.send(BLUE, messages.Resign(id="r")), messages.Done)
        assert drain(feed)[-1].projection.chance_question is None  # their phone stops asking at once
        for eyes in (RED, WHITE, ORANGE, None):
            question = question_to(party, eyes)
            assert question is not None
            assert (question.kind, question.player) == ("dice", RED)
        await tell_outcomes(party, WHITE, "dice 4 6")
        assert phase_of(party.table) == "main"

    tell_story(story, chance_source=chance_source)


def test_another_game_with_a_real_board_keeps_its_creator_and_has_no_bots() -> None:
    async def run() -> None:
        async with open_party() as party:
            await set_up(party, chance_source="people", setup="fixed")
            await party.begin()
            for color in (RED, WHITE, ORANGE):
                assert isinstance(await party.send(color, messages.Kick(id="k", color=BLUE)), messages.Done)
            for color in (RED, WHITE, ORANGE):
                assert isinstance(await party.send(color, messages.End(id="e")), messages.Done)
            following = party.hall.loaded(await party.hall.rematch(party.id, "cid")).table
            assert (following.creator_id, following.opening.chance_source) == ("ann", "people")
            assert following.seats[BLUE].sitter == "empty"

    asyncio.run(run())


@pytest.mark.parametrize("how", ["away", "kicked"])
def test_the_host_deals_for_a_bot_that_takes_over_from_the_one_who_was_asked(how: str) -> None:
    async def run() -> None:
        async with open_party() as party:
            await set_up(party, chance_source="people", setup="fixed")
            await party.begin()
            await party.play_actions(RED, "roll")
            await tell_outcomes(party, RED, "dice 4 6")
            await party.play_actions(RED, "end")
            await party.play_actions(BLUE, "roll")
            await tell_outcomes(party, BLUE, "dice 3 4")
            await party.play_actions(BLUE, "robber D2")
            projection = party.table.projection(BLUE)
            assert projection is not None
            if phase_of(party.table) == "victim":
                await party.play_actions(BLUE, projection.legal[0])
            assert phase_of(party.table) == "theft"
            leaving: messages.TableCommand = (
                messages.Away(id="a") if how == "away" else messages.Kick(id="k", color=BLUE)
            )
            for color in (BLUE,) if how == "away" else (RED, WHITE, ORANGE):
                answer = await party.send(color, leaving)
                assert isinstance(answer, messages.Done), answer
            await party.settle_down()
            assert phase_of(party.table) != "theft"

    asyncio.run(run())


def test_a_companion_table_is_there_again_after_a_restart_with_its_question() -> None:
    async def run() -> None:
        storage = await Faulty(":memory:").open()
        try:
            async with open_party(storage) as party:
                await set_up(party, chance_source="people", setup="fixed")
                await party.begin()
                await party.play_actions(RED, "roll")
                await tell_outcomes(party, RED, "dice 2 2")
                await party.send(RED, messages.TakeBack(id="back", number=seen_number(party, RED)))
                await party.play_actions(RED, "roll")
                name, tokens = party.id, party.tokens
                assert party.table.game is not None
                before = party.table.game.position()
            async with open_party(storage) as party:
                party.id = name
                party.people = {RED: party.hall.loaded(name).seat_access.identify(tokens[RED], "ann")}
                assert party.table.game is not None
                assert party.table.game.position() == before
                assert question_to(party, RED) == messages.ChanceQuestion(
                    kind="dice", player=RED, number=party.table.moves
                )
                await tell_outcomes(party, RED, "dice 4 6")
                assert phase_of(party.table) == "main"
        finally:
            await storage.close()

    asyncio.run(run())


def test_the_roll_for_the_start_is_told_too() -> None:
    async def run() -> None:
        async with open_party() as party:
            await set_up(party, chance_source="people", first="roll", setup="variable")
            await party.begin()
            for color, dice in ((RED, "dice 1 2"), (BLUE, "dice 6 6"), (WHITE, "dice 1 1"), (ORANGE, "dice 2 2")):
                question = question_to(party, WHITE)
                assert question is not None
                assert question.player == color
                await tell_outcomes(party, WHITE, dice)
            assert party.table.asked_colors() == (BLUE,)

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
        async with open_party() as party:
            with pytest.raises(Declined, match=says):
                await party.hall.create("ann", table_settings(chance_source="people", **how))

    asyncio.run(run())


def test_bots_sit_down_only_where_the_host_keeps_the_cards() -> None:
    async def run() -> None:
        async with open_party() as party:
            await set_up(party, 3, chance_source="dice", setup="fixed")
            await party.begin()
            assert party.table.seats[ORANGE].sitter == "bot"
        async with open_party() as party:
            created_table = await party.hall.create(
                "ann", table_settings(options={"edition": "fifth"}, chance_source="people", color=RED)
            )
            party.id = created_table.id
            party.people = {RED: Guest("ann", RED)}
            answer = await party.send(RED, messages.SeatBot(id="p", color=BLUE, bot_name="easy"))
            assert isinstance(answer, messages.Refused)
            assert answer.why == "no_bots_here"

    asyncio.run(run())


def test_people_who_look_at_the_real_board_are_not_taken_for_away() -> None:
    async def story(party: Party) -> None:
        await party.after(86_400)
        assert not any(seat.away for seat in party.table.seats.values())

    tell_story(story)
