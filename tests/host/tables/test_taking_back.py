"""What was told by mistake at a companion table is taken back, as far as nothing hidden is known."""

from __future__ import annotations

import asyncio

import pytest

from hexholm.host.wire import messages
from tests.host.halls import Faulty, Party, agree, drain, open_party, set_up

from .companion_party import (
    BLUE,
    ORANGE,
    RED,
    WHITE,
    no_way_back,
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


def test_everybody_is_told_when_nothing_can_be_taken_back_and_why() -> None:
    async def run() -> None:
        async with open_party() as party:
            await set_up(party, chance_source="dice", setup="fixed")
            await party.begin()
            await story(party)

    async def story(party: Party) -> None:
        everybody = (RED, BLUE, None)
        assert {no_way_back(party, eyes) for eyes in everybody} == {"nothing_to_take_back"}
        await tell_outcomes(party, RED, "dice 3 4")
        assert {no_way_back(party, eyes) for eyes in everybody} == {None}
        await party.send(BLUE, messages.Resign(id="r"))
        assert [no_way_back(party, eyes) for eyes in everybody] == [None, "resigned", None]
        await rob(party)  # the host deals the stolen card
        assert [no_way_back(party, eyes) for eyes in everybody] == ["host_has_dealt", "resigned", "host_has_dealt"]
        words = party.table.projection(RED).refusals["take_back"]  # type: ignore[union-attr]
        assert (words["rule"], words["values"]) == ("INFO-06", {})
        assert "the host has drawn something" in words["message"]

    asyncio.run(run())


def test_what_was_told_by_mistake_is_taken_back() -> None:
    async def story(party: Party) -> None:
        assert party.table.game is not None
        before = party.table.game.position()
        await party.play_actions(RED, "roll")
        await tell_outcomes(party, RED, "dice 4 6")
        feed = party.feed(BLUE)
        drain(feed)
        answer = await party.send(BLUE, messages.TakeBack(id="back", number=seen_number(party, BLUE)))
        assert isinstance(answer, messages.Done), answer
        assert party.table.game.position() == before
        heard = drain(feed)
        assert [(message.what, message.by) for message in heard if isinstance(message, messages.Changed)] == [
            ("took_back", BLUE)
        ]
        assert heard[-1].projection.view["dice"] is None
        await party.play_actions(RED, "roll")
        await tell_outcomes(party, RED, "dice 1 1")
        assert party.table.projection(RED).view["dice"] == (1, 1)  # type: ignore[union-attr]

    tell_story(story)


def test_two_who_take_back_the_same_mistake_take_it_back_once() -> None:
    async def story(party: Party) -> None:
        await party.play_actions(RED, "roll")
        await tell_outcomes(party, RED, "dice 4 6")
        both = {color: seen_number(party, color) for color in (RED, BLUE)}
        await party.send(WHITE, messages.Say(id="s", text="No, it was 5 and 6!"))
        first = await party.send(RED, messages.TakeBack(id="1", number=both[RED]))
        second = await party.send(BLUE, messages.TakeBack(id="2", number=both[BLUE]))
        assert isinstance(first, messages.Done), first
        assert isinstance(second, messages.Refused)
        assert second.why == "went_on"
        assert phase_of(party.table) == "roll"

    tell_story(story)


def test_a_pause_gives_time_to_take_back_and_a_late_answer_to_what_was_taken_back_counts_for_nothing() -> None:
    async def story(party: Party) -> None:
        await party.play_actions(RED, "roll")
        first = question_to(party, RED)
        assert first is not None
        await tell_outcomes(party, RED, "dice 4 6")
        await agree(party, messages.Pause)
        assert party.table.paused
        assert isinstance(
            await party.send(RED, messages.TakeBack(id="t", number=seen_number(party, RED))), messages.Done
        )
        assert isinstance(await party.send(RED, messages.Resume(id="r")), messages.Done)
        await party.play_actions(RED, "roll")
        assert await why_not(party, BLUE, "dice 4 6", first.number) == "told_already"
        await tell_outcomes(party, BLUE, "dice 5 6")

    tell_story(story)


def test_what_the_host_dealt_a_stand_in_is_not_taken_back() -> None:
    async def run() -> None:
        async with open_party() as party:
            await set_up(party, chance_source="people", setup="fixed")
            await party.begin()
            await roll_seven(party)
            assert phase_of(party.table) == "theft"
            assert isinstance(await party.send(RED, messages.Away(id="a")), messages.Done)
            await party.until(lambda: phase_of(party.table) != "theft")
            assert isinstance(await party.send(RED, messages.Back(id="b")), messages.Done)
            for number in range(20):
                answer = await party.send(BLUE, messages.TakeBack(id=f"t{number}", number=seen_number(party, BLUE)))
                if isinstance(answer, messages.Refused):
                    assert answer.why == "host_has_dealt"
                    return
            raise AssertionError("the host's card was taken back")

    asyncio.run(run())


def test_what_the_host_has_dealt_is_not_taken_back_nor_what_nobody_did() -> None:
    async def run() -> None:
        async with open_party() as party:
            await set_up(party, chance_source="dice", setup="fixed")
            await party.begin()
            first = await party.send(RED, messages.TakeBack(id="1", number=seen_number(party, RED)))
            assert isinstance(first, messages.Refused)
            assert first.why == "nothing_to_take_back"
            await party.play_actions(RED, "roll")
            await tell_outcomes(party, RED, "dice 3 4")
            await rob(party)
            refused = await party.send(RED, messages.TakeBack(id="2", number=seen_number(party, RED)))
            assert isinstance(refused, messages.Refused)
            assert refused.why == "host_has_dealt"

    asyncio.run(run())


def test_a_roll_for_the_start_told_by_mistake_is_taken_back_also_after_a_restart() -> None:
    async def back(party: Party) -> messages.Done | messages.Refused:
        party.count += 1
        return await party.send(RED, messages.TakeBack(id=f"back {party.count}", number=seen_number(party, RED)))

    async def run() -> None:
        storage = await Faulty(":memory:").open()
        try:
            async with open_party(storage) as party:
                await set_up(party, chance_source="people", first="roll", setup="variable")
                await party.begin()
                await tell_outcomes(party, RED, "dice 1 2", "dice 6 6", "dice 1 1", "dice 2 2")
                assert party.table.asked_colors() == (BLUE,)
                assert isinstance(await back(party), messages.Done)
                assert question_to(party, RED) == messages.ChanceQuestion(
                    kind="dice", player=ORANGE, number=party.table.moves
                )
                name, tokens = party.id, party.tokens
            async with open_party(storage) as party:
                party.id = name
                party.people = {RED: party.hall.loaded(name).seat_access.identify(tokens[RED], "ann")}
                assert [isinstance(await back(party), messages.Done) for _ in range(4)] == [True, True, True, False]
                assert question_to(party, RED) == messages.ChanceQuestion(
                    kind="dice", player=RED, number=party.table.moves
                )
                await tell_outcomes(party, RED, "dice 6 5", "dice 1 1", "dice 1 1", "dice 2 2")
                assert party.table.asked_colors() == (RED,)
        finally:
            await storage.close()

    asyncio.run(run())


def test_where_the_host_deals_nothing_is_told_or_taken_back() -> None:
    async def run() -> None:
        async with open_party() as party:
            await set_up(party, setup="fixed")
            await party.begin()
            await party.play_actions(RED, "roll")
            for command in (messages.Deal(id="d", outcome="dice 1 1", number=0), messages.TakeBack(id="t", number=99)):
                answer = await party.send(RED, command)
                assert isinstance(answer, messages.Refused)
                assert answer.why == "host_deals"

    asyncio.run(run())
