"""What was told by mistake at a companion table is taken back, as far as nothing hidden is known."""

from __future__ import annotations

import asyncio

from hexholm.host.wire import messages as m
from tests.host.halls import Faulty, Party, drain, hall, set_up

from .companion_party import (
    BLUE,
    ORANGE,
    RED,
    WHITE,
    asked,
    came,
    no_way_back,
    rob,
    seen,
    seven,
    stage,
    told,
    why_not,
)


def test_everybody_is_told_when_nothing_can_be_taken_back_and_why() -> None:
    async def run() -> None:
        async with hall() as party:
            await set_up(party, chance="dice", setup="fixed")
            await party.begin()
            await story(party)

    async def story(party: Party) -> None:
        everybody = (RED, BLUE, None)
        assert {no_way_back(party, eyes) for eyes in everybody} == {"nothing_to_take_back"}
        await came(party, RED, "dice 3 4")
        assert {no_way_back(party, eyes) for eyes in everybody} == {None}
        await party.send(BLUE, m.Resign(id="r"))
        assert [no_way_back(party, eyes) for eyes in everybody] == [None, "resigned", None]
        await rob(party)  # the host deals the stolen card
        assert [no_way_back(party, eyes) for eyes in everybody] == ["host_has_dealt", "resigned", "host_has_dealt"]
        words = party.table.projection(RED).refusals["take_back"]  # type: ignore[union-attr]
        assert (words["rule"], words["values"]) == ("INFO-06", {})
        assert "the host has dealt a card" in words["message"]

    asyncio.run(run())


def test_what_was_told_by_mistake_is_taken_back() -> None:
    async def story(party: Party) -> None:
        assert party.table.game is not None
        before = party.table.game.position()
        await party.did(RED, "roll")
        await came(party, RED, "dice 4 6")
        feed = party.feed(BLUE)
        drain(feed)
        answer = await party.send(BLUE, m.TakeBack(id="back", number=seen(party, BLUE)))
        assert isinstance(answer, m.Done), answer
        assert party.table.game.position() == before
        heard = drain(feed)
        assert [(one.what, one.by) for one in heard if isinstance(one, m.Changed)] == [("took_back", BLUE)]
        assert heard[-1].projection.view["dice"] is None
        await party.did(RED, "roll")
        await came(party, RED, "dice 1 1")
        assert party.table.projection(RED).view["dice"] == (1, 1)  # type: ignore[union-attr]

    told(story)


def test_two_who_take_back_the_same_mistake_take_it_back_once() -> None:
    async def story(party: Party) -> None:
        await party.did(RED, "roll")
        await came(party, RED, "dice 4 6")
        both = {who: seen(party, who) for who in (RED, BLUE)}
        await party.send(WHITE, m.Say(id="s", text="No, it was 5 and 6!"))
        first = await party.send(RED, m.TakeBack(id="1", number=both[RED]))
        second = await party.send(BLUE, m.TakeBack(id="2", number=both[BLUE]))
        assert isinstance(first, m.Done), first
        assert isinstance(second, m.Refused)
        assert second.why == "went_on"
        assert stage(party.table) == "roll"

    told(story)


def test_a_pause_gives_time_to_take_back_and_a_late_answer_to_what_was_taken_back_counts_for_nothing() -> None:
    async def story(party: Party) -> None:
        await party.did(RED, "roll")
        first = asked(party, RED)
        assert first is not None
        await came(party, RED, "dice 4 6")
        assert isinstance(await party.send(RED, m.Pause(id="p")), m.Done)
        assert party.table.paused
        assert isinstance(await party.send(RED, m.TakeBack(id="t", number=seen(party, RED))), m.Done)
        assert isinstance(await party.send(RED, m.Resume(id="r")), m.Done)
        await party.did(RED, "roll")
        assert await why_not(party, BLUE, "dice 4 6", first.number) == "told_already"
        await came(party, BLUE, "dice 5 6")

    told(story)


def test_what_the_host_dealt_a_stand_in_is_not_taken_back() -> None:
    async def run() -> None:
        async with hall() as party:
            await set_up(party, chance="people", setup="fixed")
            await party.begin()
            await seven(party)
            assert stage(party.table) == "theft"
            assert isinstance(await party.send(RED, m.Away(id="a")), m.Done)
            await party.until(lambda: stage(party.table) != "theft")
            assert isinstance(await party.send(RED, m.Back(id="b")), m.Done)
            for number in range(20):
                answer = await party.send(BLUE, m.TakeBack(id=f"t{number}", number=seen(party, BLUE)))
                if isinstance(answer, m.Refused):
                    assert answer.why == "host_has_dealt"
                    return
            raise AssertionError("the host's card was taken back")

    asyncio.run(run())


def test_what_the_host_has_dealt_is_not_taken_back_nor_what_nobody_did() -> None:
    async def run() -> None:
        async with hall() as party:
            await set_up(party, chance="dice", setup="fixed")
            await party.begin()
            first = await party.send(RED, m.TakeBack(id="1", number=seen(party, RED)))
            assert isinstance(first, m.Refused)
            assert first.why == "nothing_to_take_back"
            await party.did(RED, "roll")
            await came(party, RED, "dice 3 4")
            await rob(party)
            no = await party.send(RED, m.TakeBack(id="2", number=seen(party, RED)))
            assert isinstance(no, m.Refused)
            assert no.why == "host_has_dealt"

    asyncio.run(run())


def test_a_roll_for_the_start_told_by_mistake_is_taken_back_also_after_a_restart() -> None:
    async def back(party: Party) -> m.Done | m.Refused:
        party.count += 1
        return await party.send(RED, m.TakeBack(id=f"back {party.count}", number=seen(party, RED)))

    async def run() -> None:
        storage = await Faulty(":memory:").open()
        try:
            async with hall(storage) as party:
                await set_up(party, chance="people", first="roll", setup="variable")
                await party.begin()
                await came(party, RED, "dice 1 2", "dice 6 6", "dice 1 1", "dice 2 2")
                assert party.table.to_decide() == (BLUE,)
                assert isinstance(await back(party), m.Done)
                assert asked(party, RED) == m.Question(kind="dice", player=ORANGE, number=party.table.moves)
                name, tokens = party.id, party.tokens
            async with hall(storage) as party:
                party.id = name
                party.people = {RED: party.hall.find(name).identify(tokens[RED], "ann")}
                assert [isinstance(await back(party), m.Done) for _ in range(4)] == [True, True, True, False]
                assert asked(party, RED) == m.Question(kind="dice", player=RED, number=party.table.moves)
                await came(party, RED, "dice 6 5", "dice 1 1", "dice 1 1", "dice 2 2")
                assert party.table.to_decide() == (RED,)
        finally:
            await storage.close()

    asyncio.run(run())


def test_where_the_host_deals_nothing_is_told_or_taken_back() -> None:
    async def run() -> None:
        async with hall() as party:
            await set_up(party, setup="fixed")
            await party.begin()
            await party.did(RED, "roll")
            for command in (m.Deal(id="d", outcome="dice 1 1", number=0), m.TakeBack(id="t", number=99)):
                answer = await party.send(RED, command)
                assert isinstance(answer, m.Refused)
                assert answer.why == "host_deals"

    asyncio.run(run())
