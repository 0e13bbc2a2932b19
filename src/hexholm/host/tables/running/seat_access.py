"""Who may act for a seat of a table: whoever has one of its tokens, sits down, or gives it up for good."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar

from hexholm.rules.colors import Color

from ...wire.host_refusals import Declined
from .. import seat_commands
from ..seats import Guest
from ..services.services import Services
from .seat_tokens import new_token
from .table_store import TableStore
from .work_queue import HOST_ITSELF, NEWCOMERS, SenderGroup

SeatAnswer = TypeVar("SeatAnswer")


class RunInTurn(Protocol):
    """Does something after what waits at the table already."""

    async def __call__(self, job: Callable[[], Awaitable[SeatAnswer]], group: SenderGroup = HOST_ITSELF) -> SeatAnswer:
        """Raises Declined."""
        ...


class SeatAccess:
    """The ways to the seats of one table. `dismiss` ends the feeds of those who have lost theirs."""

    def __init__(
        self,
        store: TableStore,
        services: Services,
        run_in_turn: RunInTurn,
        dismiss: Callable[[Callable[[Guest], bool]], None],
    ) -> None:
        self._store, self.services = store, services
        self._run_in_turn, self._dismiss = run_in_turn, dismiss

    def identify(self, token: str | None, guest_id: str) -> Guest:
        """Who somebody is here: whose token it is, or one who watches. Raises Declined for a wrong token.

        The token decides, not the guest: a link opened on another device is still the same person.
        """
        if token is None:
            return Guest(guest_id)
        hashed, color = self._store.tokens.find(token)
        seat = self._store.table.seats.get(color or "")
        if seat is None or seat.sitter != "person":
            raise Declined.because("wrong_token")
        return Guest(seat.guest_id, seat.color, hashed)

    async def take_seat(self, color: Color, guest_id: str, name: str) -> str:
        """Sit down; the token of the seat, told once. One's own seat again: a new token, and no other works.

        Raises Declined.
        """
        token, seal = new_token(color, self.services.now())

        async def job() -> None:
            table = self._store.table
            if table.sits(guest_id, color):
                await self._store.renew_token(seal)
                self._dismiss(lambda guest: guest.color == color)  # their tokens open nothing any more
                return
            self.services.check_known(guest_id)
            decision = seat_commands.decide_taking_seat(table, color, guest_id, name)
            await self._store.write(decision, tokens=(seal,))

        await self._run_in_turn(job, NEWCOMERS)
        await self.services.remember_guest(guest_id, name)
        return token

    async def another_token(self, guest_id: str) -> tuple[Color, str]:
        """One more token for the seat that a guest holds, beside those it has: the seat and the token. Raises Declined.

        If there are too many, the oldest is void.
        """
        color = self._store.table.seat_of(guest_id) or ""
        token, seal = new_token(color, self.services.now())

        async def job() -> None:
            if not self._store.table.sits(guest_id, color):
                raise Declined.because("no_seat_of_yours")
            voided = await self._store.add_token(seal)
            self._dismiss(lambda guest: guest.token_hash in voided)

        await self._run_in_turn(job)
        return color, token

    async def forget_guest(self, guest_id: str) -> None:
        """A guest who is about to be deleted gives up its seat, and is told nothing more. Raises Declined."""

        async def job() -> None:
            table = self._store.table
            colors = tuple(seat.color for seat in table.seats.values() if seat.guest_id == guest_id)
            decision = seat_commands.decide_forgetting(table, guest_id)
            if decision is not None:
                await self._store.write(decision)
            await self._store.revoke_tokens(colors)
            self._dismiss(lambda guest: guest.id == guest_id)

        await self._run_in_turn(job)
