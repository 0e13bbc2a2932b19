"""Seats and tokens of a live table, and the table that follows it: what guests ask for over REST."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Final

from ..storage import Batch, Holding, Seal
from ..wire import messages as m
from ..wire.refusals import refused
from . import log
from .model import Decision, Guest
from .seat_commands import sit

if TYPE_CHECKING:
    from .runner import Live
    from .table import Table

MOST_TOKENS: Final = 5
"""Tokens of a seat that work at the same time."""
DONE: Final = m.Done(id="", number=0)


async def take(live: Live, seat: str, guest: str, name: str, seal: Seal) -> m.Done | m.Refused:
    """Give a seat to a guest, with a new token; a guest who has it already gets the token alone, and no other works."""

    async def job() -> m.Done | m.Refused:
        found = live.table.seats.get(seat)
        if found is not None and found.kind == "person" and found.guest == guest:
            await live.setting.storage.append(Batch(live.table.id, tokens=(seal,), revoked=(seat,)))
            live.seal(seat, (seal,))
            for feed in [feed for feed in live.feeds if feed.guest.seat == seat]:
                feed.close("kicked")  # opened with a token that opens nothing any more
            return DONE
        if found is not None and found.kind == "bot" and live.table.status == "open" and guest != live.table.creator:
            return refused(None, "bot_was_put")
        decision = sit(live.table, seat, guest, name)
        if decision.refusal is not None:
            return decision.refusal
        await live.write(decision, tokens=(seal,))
        live.seen[seat] = live.setting.now()
        return DONE

    return await live.ask(job, None)


async def add_token(live: Live, seat: str, guest: str, seal: Seal) -> m.Done | m.Refused:
    """One more token for a seat, by the guest who holds it; if there are too many, the oldest is void."""

    async def job() -> m.Done | m.Refused:
        if not live.holds(Guest(guest, seat)):
            return refused(None, "no_seat_of_yours")
        own = [hashed for hashed, whose in live.seals.items() if whose == seat]
        voided = own[: max(0, len(own) + 1 - MOST_TOKENS)]
        await live.setting.storage.append(Batch(live.table.id, tokens=(seal,), voided=voided))
        live.seals = {hashed: whose for hashed, whose in live.seals.items() if hashed not in voided}
        live.seals[seal.hash] = seat
        for feed in [feed for feed in live.feeds if feed.guest.seal in voided]:
            feed.close("kicked")  # as above
        return DONE

    return await live.ask(job, None)


async def follow(live: Live, guest: str, set_up: Callable[[], Awaitable[str | m.Refused]]) -> str | m.Refused:
    """The table that follows a finished one: the one there is, or a new one."""

    async def job() -> str | m.Refused:
        table, storage = live.table, live.setting.storage
        if table.status != "over":
            return refused(None, "not_over")
        if table.game is None:
            return refused(None, "never_begun")
        if guest != table.creator and all(seat.guest != guest for seat in table.seats.values()):
            return refused(None, "rematch_needs_seat")
        if table.rematch is not None and await storage.table(table.rematch) is not None:
            return table.rematch
        name = await set_up()
        if isinstance(name, str):
            await live.write(Decision((log.Followed(table=name),), (None,)))
        return name

    return await live.ask(job, None)


def holdings(table: Table) -> list[Holding]:
    """Who sits at a table, and who has set it up."""
    found = {
        seat.guest: Holding(seat.guest, seat.color, seat.guest == table.creator)
        for seat in table.seats.values()
        if seat.kind == "person"
    }
    found.setdefault(table.creator, Holding(table.creator, None, True))
    return list(found.values())
