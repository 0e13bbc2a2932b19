"""Tables that nobody begins are cleared away."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from hexholm.host.storage import StorageFailed
from hexholm.host.tables.hall.opening import read_settings
from hexholm.host.wire import messages
from hexholm.host.wire.api import NewTable
from hexholm.host.wire.host_refusals import Declined
from tests.host.halls import Faulty, Party, carry_out, open_party, set_up, table_lines

from ..stories import RED, tell_story

pytestmark = pytest.mark.waits

# --- tables that nobody begins ----------------------------------------------------------------------------------------


def test_a_table_that_nobody_begins_and_nobody_looks_at_is_cleared_away() -> None:
    async def story(party: Party) -> None:
        feed = party.feed(None)
        await pass_time(party, 5000)
        assert table_lines(party.hall, "open")  # somebody is there
        feed.close()
        await pass_time(party, 900)
        assert table_lines(party.hall, "open")
        await carry_out(party, RED, messages.Say(id="1", text="is nobody here?"))
        await pass_time(party, 900)
        assert table_lines(party.hall, "open")  # something was said meanwhile
        await pass_time(party, 101)
        assert table_lines(party.hall) == []
        assert await party.hall.services.storage.table(party.id) is None
        assert party.hall.services.figures["cleared"] == 1

    tell_story(story, people=1, clear_after=1000.0)


def test_a_table_whose_game_goes_on_or_is_over_is_never_cleared_away() -> None:
    async def story(party: Party) -> None:
        await party.begin()
        await carry_out(party, RED, messages.Pause(id="p"))
        await pass_time(party, 10_000)
        assert len(table_lines(party.hall, "playing")) == 1
        await carry_out(party, RED, messages.End(id="e"))
        await pass_time(party, 10_000)
        assert await party.hall.services.storage.table(party.id) is not None

    tell_story(story, clear_after=1000.0)


def test_after_a_restart_people_have_time_to_come_back_to_an_open_table() -> None:
    async def run() -> None:
        storage = await Faulty(":memory:").open()
        try:
            async with open_party(storage, clear_after=5000.0) as party:
                await set_up(party, 1)
                later = party.clock
            later.time += 100_000
            async with open_party(storage, now=later, clear_after=5000.0) as party:
                await pass_time(party, 500)
                assert len(table_lines(party.hall, "open")) == 1
                await pass_time(party, 101)
                assert table_lines(party.hall) == []
            async with open_party(storage, now=later) as party:
                assert table_lines(party.hall) == []
        finally:
            await storage.close()

    asyncio.run(run())


def test_a_table_that_cannot_be_deleted_now_is_there_again_after_the_next_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def full(_storage: object, _table: str) -> None:
        raise StorageFailed("the disk is full")

    async def story(party: Party) -> None:
        with monkeypatch.context() as broken:
            broken.setattr(Faulty, "delete_table", full)
            await pass_time(party, 2000)
        assert party.hall.services.figures["cleared"] == 0
        assert await party.hall.services.storage.table(party.id) is not None

    tell_story(story, people=1, clear_after=1000.0)


async def pass_time(party: Party, seconds: float) -> None:
    """Let time pass and the hall clear up."""
    party.clock.time += seconds
    await party.hall.cleanup.clear()


def test_an_option_of_lists_in_lists_is_refused() -> None:
    """It cannot even be shown: `repr` has an end."""
    deep: Any = []
    for _ in range(50_000):
        deep = [deep]
    for options in ({"points_to_win": deep}, {"edition": deep}, {"unknown": deep}):
        with pytest.raises(Declined) as caught:
            read_settings(NewTable(name="Ann", options=options))
        assert caught.value.refusal.why == "cannot_be_set_up"
