"""A table whose log is read again whole: nobody sees half of it, and it is the table that a restart would read."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest

from hexholm.host.tables.running import table_replica
from hexholm.host.tables.running.table_store import LogSync
from hexholm.host.wire import messages
from tests.host.halls import Party, carry_out, drain, in_hall, set_up

pytestmark = pytest.mark.waits


async def begin_game(party: Party) -> None:
    """Ten entries and more, some of them remarks."""
    await set_up(party, 2, setup="fixed")
    await party.begin()
    for number in range(6):
        await carry_out(party, "blue", messages.Say(id=f"say {number}", text="hello"))
    await party.play_actions("red", "roll")


def told(party: Party) -> list[list[bytes]]:
    """What each pair of eyes was told."""
    return [[msgspec.json.encode(message) for message in state.stream] for state in party.table.by_eyes.values()]


def test_meanwhile_the_table_is_there_as_it_was_and_who_comes_must_come_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_replica, "LONGEST_TURN", 0.0)  # others have their turn after each entry

    async def story(party: Party) -> None:
        await begin_game(party)
        before, old_table = told(party), party.table
        early = party.feed("red")
        reading = asyncio.create_task(party.hall.loaded(party.id).read_again())
        meanwhile = 0
        late: Any = None
        while not reading.done():
            if party.table is old_table:
                assert told(party) == before
                meanwhile += 1
                if meanwhile == 3:
                    late = party.feed("blue")
            await asyncio.sleep(0)
        await reading
        assert party.table is not old_table
        assert meanwhile > len(before[0]), "others had their turns"
        assert (early.reason, late.reason) == ("reset", "reset")
        assert told(party) == before
        hello, *missed = drain(party.feed("blue", 0))
        assert isinstance(hello, messages.Hello)
        assert [msgspec.json.encode(message) for message in missed] == before[party.table.eyes.index("blue")]

    in_hall(story)


@pytest.mark.parametrize("sync", [LogSync.BEHIND, LogSync.UNSOUND])
def test_whatever_was_lost_a_table_goes_on_where_its_log_is(sync: LogSync) -> None:
    async def story(party: Party) -> None:
        await begin_game(party)
        store, before, seq = party.hall.loaded(party.id).store, told(party), party.table.seq
        store._sync = sync
        await carry_out(party, "blue", messages.Say(id="after", text="still here"))
        assert store.is_in_step
        assert party.table.seq == seq + 1
        assert [stream[: len(own_before)] for stream, own_before in zip(told(party), before, strict=True)] == before
        assert store.replica.entry_of_message("blue", len(party.table.by_eyes["blue"].stream)) == seq + 1
        rows = await party.hall.services.storage.entries(party.id)
        anew = store.replica.anew()
        await anew.read(rows, lambda _entry, _entered: None)
        assert (anew.size.total, anew.table.seq) == (store.log_size.total, len(rows))

    in_hall(story)
