"""What assistants may use of the server they come to, and no more."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Literal, Protocol

from starlette.requests import HTTPConnection

from hexholm.rules.colors import Color

from ..storage import Storage
from ..tables.hall.hall import CreatedTable, Hall
from ..tables.running.runner import TableRunner
from ..tables.seats import Guest
from ..tables.table import Table
from ..tables.table_settings import TableSettings
from ..wire.host_refusals import Refusal
from ..wire.messages import Done, TableCommand, Why, WhyAnswer


class Setup(Protocol):
    """Where tables are set up and seats are taken."""

    async def set_up(self, guest_id: str, address: str, key: str | None, settings: TableSettings) -> CreatedTable:
        """A new table, or the one that was set up with the same key. Raises Declined."""
        ...

    async def take_seat(self, runner: TableRunner, color: Color, guest_id: str, name: str, address: str) -> str:
        """Sit down at a table: the token of the seat. Raises Declined."""
        ...


class Access(Protocol):
    """The server, as far as assistants know it."""

    hall: Hall
    storage: Storage
    stopping: bool

    @property
    def table_setup(self) -> Setup:
        """Where tables are set up and seats are taken."""
        ...

    @property
    def largest_body(self) -> int:
        """The most bytes that a request may bring."""
        ...

    def spend(self, bucket: Literal["writing", "records", "lookups", "guests"], key: str) -> None:
        """Count something against a limit. Raises Declined if it is one too many."""
        ...

    async def ask_almanac(self, address: str, make: Callable[..., str], *how: Any) -> str:
        """What comes from the almanac, one after another for all who ask. Raises Declined."""
        ...

    def identify(self, runner: TableRunner, token: str | None, guest_id: str, address: str) -> Guest:
        """Who asks at a table. Raises Declined for a wrong token, and for those an operator has banned."""
        ...

    def newcomer(self, key: str | None, address: str) -> str:
        """A new guest, the same one again for a key of its own. Raises Declined."""
        ...

    async def carry_out(
        self, runner: TableRunner, guest: Guest, command: TableCommand, *, sender_id: str, address: str, size: int
    ) -> Done:
        """Have a table carry out a command of so many bytes. Raises Declined."""
        ...

    async def why(self, runner: TableRunner, guest: Guest, question: Why, *, sender_id: str, address: str) -> WhyAnswer:
        """Whether a seat may play something. Raises Declined."""
        ...

    def of_waiting_call(
        self, runner: TableRunner, guest: Guest, address: str, dismiss: Callable[[Refusal], None]
    ) -> AbstractContextManager[None]:
        """While a call waits: it is counted like a socket, and `dismiss` ends it. Raises Declined."""
        ...

    async def table_runner(
        self, table_id: str, address: str, guest_id: str, token: str | None = None, share: str | None = None
    ) -> TableRunner:
        """A table for somebody, one that is over from storage if need be, which is counted. Raises Declined."""
        ...

    async def check_may_look(self, table: Table, guest: Guest, share: str | None = None) -> None:
        """Raises Declined if somebody may not look at a table."""
        ...

    def address(self, connection: HTTPConnection) -> str:
        """Where somebody asks from."""
        ...

    def base(self, connection: HTTPConnection) -> str:
        """How guests reach this server."""
        ...

    def log_failure(self, error: BaseException, path: str) -> None:
        """Log what nobody foresaw."""
        ...
