"""Who has no seat and has not set up the table holds up nobody who plays, whatever is sent, and however often."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from hexholm.host.storage import Storage
from hexholm.host.tables.running.work_queue import PLACES_OF_SEAT, PLACES_OF_STRANGERS
from hexholm.host.tables.seats import Guest
from hexholm.host.wire import messages
from hexholm.host.wire.host_refusals import Declined

from ...halls import Party, in_hall, scripted_dealer, send, set_up

pytestmark = pytest.mark.waits

IN_VAIN: dict[str, tuple[messages.TableCommand, ...]] = {
    "watching": (messages.Act(id="1", action="roll"), messages.Deal(id="2", outcome="dice 3 4", number=1)),
    "creator_only": (messages.Pace(id="3", pace="fast"), messages.Kick(id="4", color="blue")),
    "no_seat_of_yours": (messages.Resign(id="5"), messages.OpenWord(id="6", word="w" * 16)),
    "only_seated": (messages.Pause(id="7"), messages.End(id="8")),
    "watchers_are_silent": (messages.Say(id="9", text="hello"),),
    "bad_id": (messages.Act(id="", action="roll"),),
}


async def held_up(party: Party) -> tuple[asyncio.Event, asyncio.Task[None]]:
    """Something takes long at the table: until the event, what is sent waits."""
    done, begun = asyncio.Event(), asyncio.Event()

    async def job() -> None:
        begun.set()
        await done.wait()

    task = asyncio.create_task(party.hall.loaded(party.id).run_in_turn(job))
    await begun.wait()
    return done, task


def test_what_strangers_may_not_do_waits_in_no_line_and_reads_no_storage(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = 0
    stored_answer = Storage.answer

    async def count(self: Storage, *how: Any) -> str | None:
        nonlocal asked
        asked += 1
        return await stored_answer(self, *how)

    monkeypatch.setattr(Storage, "answer", count)

    async def story(party: Party) -> None:
        await set_up(party, setup="fixed")
        await party.begin()
        done, task = await held_up(party)
        runner = party.hall.loaded(party.id)
        for number in range(300):
            for why, commands in IN_VAIN.items():
                for command in commands:
                    async with asyncio.timeout(5):
                        answer = await send(party.hall, party.id, Guest(f"stranger {number}"), command)
                    assert isinstance(answer, messages.Refused)
                    assert answer.why == why
            with pytest.raises(Declined, match="watching"):
                await runner.why(Guest(f"stranger {number}"), messages.Why(id="w", action="roll"))
        assert len(runner._queue) == 0
        assert asked == 0
        done.set()
        await task
        await party.play_actions("red", "roll")

    in_hall(story, make_dealer=scripted_dealer())


def test_each_seat_has_places_in_the_line_and_those_who_watch_have_few_together() -> None:
    async def story(party: Party) -> None:
        await set_up(party, setup="fixed", visibility="open", spectators_speak=True)
        await party.begin()
        done, task = await held_up(party)

        async def waiting(number: int, guest: Guest, command: messages.TableCommand) -> list[asyncio.Task[Any]]:
            tasks = [asyncio.create_task(send(party.hall, party.id, guest, command)) for _ in range(number)]
            await asyncio.sleep(0)
            return tasks

        def refused(tasks: list[asyncio.Task[Any]]) -> list[str]:
            return [task.result().why for task in tasks if task.done()]

        remark, rename = messages.Say(id="hi", text="hello"), messages.Rename(id="r", name="Bobby")
        remarks = [await waiting(1, Guest(f"stranger {n}"), remark) for n in range(PLACES_OF_STRANGERS + 5)]
        assert [why for tasks in remarks for why in refused(tasks)] == ["table_busy"] * 5
        renaming = await waiting(PLACES_OF_SEAT + 5, party.people["blue"], rename)
        assert refused(renaming) == ["table_busy"] * 5
        moving = await waiting(1, party.people["red"], messages.Act(id="roll", action="roll"))
        assert not refused(moving)
        done.set()
        await task
        assert isinstance(await moving[0], messages.Done)
        await asyncio.gather(*renaming, *(task for tasks in remarks for task in tasks))
        again = await waiting(5, Guest("stranger"), remark)
        assert not refused(again), "when they had their turn there is room again"
        await asyncio.gather(*again)

    in_hall(story, make_dealer=scripted_dealer())
