"""Another game: the same rules, seats kept for the same people."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from hexholm.host.table_literals import Visibility
from hexholm.host.tables.seats import Guest
from hexholm.host.wire import messages
from hexholm.host.wire.host_refusals import Declined
from hexholm.rules.boards import read_board
from tests.host.halls import Faulty, Party, agree, drain, in_hall, open_party, send, set_up, table_lines, table_settings

from ..stories import BLUE, ORANGE, RED, WHITE, tell_story

pytestmark = pytest.mark.waits

# --- another game -----------------------------------------------------------------------------------------------------


async def finished(party: Party) -> None:
    await party.begin()
    await agree(party, messages.End)
    assert party.table.status == "over"


def test_a_rematch_has_the_same_rules_a_new_board_the_same_bots_and_seats_kept_for_the_same_people() -> None:
    async def story(party: Party) -> None:
        with pytest.raises(Declined, match="not over"):
            await party.hall.rematch(party.id, "ann")
        await finished(party)
        with pytest.raises(Declined, match="only the players and"):
            await party.hall.rematch(party.id, "eve")
        feed = party.feed(RED)
        drain(feed)
        next_id = await party.hall.rematch(party.id, "bob")
        changed = [message for message in drain(feed) if isinstance(message, messages.Changed)]
        assert [(message.what, message.table.rematch) for message in changed] == [("rematch", next_id)]
        assert await party.hall.rematch(party.id, "ann") == next_id
        old_table, next_table = party.table, party.hall.loaded(next_id).table
        assert next_table.line().options == old_table.line().options
        assert (next_table.opening.clock, next_table.opening.ranges, next_table.creator_id) == (
            old_table.opening.clock,
            old_table.opening.ranges,
            "bob",
        )
        assert next_table.board != old_table.board
        line = next_table.line()
        assert [(seat.kind, seat.bot_name, seat.reserved) for seat in line.seats] == [
            ("empty", None, "Ann"),
            ("empty", None, "Bob"),
            ("bot", "easy", ""),
            ("bot", "easy", ""),
        ]
        with pytest.raises(Declined, match="reserved for Ann"):
            await party.hall.loaded(next_id).seat_access.take_seat(RED, "eve", "Eve")
        await party.hall.loaded(next_id).seat_access.take_seat(RED, "ann", "Ann")
        assert next_table.line().seats[0].reserved == ""
        party.id = next_id
        await party.after(601)
        assert [seat.reserved for seat in party.table.line().seats] == [""] * 4
        await party.hall.loaded(next_id).seat_access.take_seat(BLUE, "eve", "Eve")

    tell_story(story, people=2, setup="variable", clock=30.0)


@pytest.mark.parametrize("visibility", ["unlisted", "open"])
def test_what_follows_an_unlisted_game_is_known_to_those_who_sat_there_alone(visibility: Visibility) -> None:
    """A shown game would give away the next table, which its players have shown to nobody."""

    async def story(party: Party) -> None:
        await set_up(party, visibility=visibility)
        await party.begin()
        seat, public = party.feed(BLUE), party.feed(None)
        await agree(party, messages.End)
        next_id = await party.hall.rematch(party.id, "bob")
        told = next_id if visibility == "open" else None
        assert next_id in str(drain(seat))
        assert visibility == "open" or next_id not in str(drain(public))
        assert party.table.line_for(BLUE).rematch == next_id
        assert party.table.line_for(None).rematch == told
        for guest_id in ("ann", "bob"):  # without the token of a seat
            hello = drain(party.hall.loaded(party.id).feed(Guest(guest_id), None))[0]
            assert isinstance(hello, messages.Hello)
            assert hello.table.rematch == next_id

    in_hall(story)


def test_a_rematch_on_a_board_of_ones_own_is_on_that_board() -> None:
    async def run() -> None:
        async with open_party() as party:
            await set_up(party, setup="variable")
            board = party.table.board.to_toml()
            created_table = await party.hall.create("ann", table_settings(options={}, board=board, color="red"))
            table = party.hall.loaded(created_table.id).table
            people = [table.seats[color] for color in table.colors[1:]]
            for seat in people:
                await send(
                    party.hall,
                    created_table.id,
                    Guest("ann"),
                    messages.SeatBot(id=seat.color, color=seat.color, bot_name="easy"),
                )
            assert isinstance(
                await send(party.hall, created_table.id, Guest("ann"), messages.Begin(id="b")), messages.Done
            )
            assert isinstance(
                await send(party.hall, created_table.id, Guest("ann", "red"), messages.End(id="e")), messages.Done
            )
            next_id = await party.hall.rematch(created_table.id, "ann")
            assert party.hall.loaded(next_id).table.board == read_board(board)

    asyncio.run(run())


def test_two_who_ask_for_a_rematch_at_once_get_the_same_table() -> None:
    async def story(party: Party) -> None:
        await finished(party)
        names = await asyncio.gather(*(party.hall.rematch(party.id, guest) for guest in ("ann", "bob", "cid")))
        assert len(set(names)) == 1
        assert len(table_lines(party.hall, "open")) == 1

    tell_story(story)


def test_a_rematch_that_cannot_be_stored_is_refused_and_can_be_asked_for_again() -> None:
    async def run() -> None:
        storage = await Faulty(":memory:").open()
        try:
            async with open_party(storage) as party:
                await set_up(party)
                await finished(party)
                storage.fault = "refuses"
                with pytest.raises(Declined, match="could not be stored"):
                    await party.hall.rematch(party.id, "ann")
                storage.fault = None
                assert party.table.rematch is None
                assert await party.hall.rematch(party.id, "ann") in {
                    line.id for line in table_lines(party.hall, "open")
                }
        finally:
            await storage.close()

    asyncio.run(run())


def test_the_line_of_a_finished_table_tells_when_and_how_it_ended() -> None:
    async def story(party: Party) -> None:
        begun = party.clock.time
        assert party.table.line().created == begun
        await party.begin()
        playing = party.table.line()
        assert (playing.ended, playing.winner, playing.scores) == (None, None, None)
        party.clock.time += 60
        await agree(party, messages.End)
        over = party.table.line()
        assert (over.ended, over.winner) == (begun + 60, None)
        assert over.scores == {RED: 2, BLUE: 2, WHITE: 2, ORANGE: 2}
        stored = await party.hall.services.storage.table(party.id)
        assert stored is not None
        assert msgspec.json.decode(stored.summary, type=messages.TableLine) == over

    tell_story(story, setup="fixed")
