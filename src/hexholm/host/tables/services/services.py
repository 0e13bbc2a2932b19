"""What all tables of a hall share: storage, bots, the clock, and how long things take."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from hexholm.game.dealers import Dealer
from hexholm.game.language.clean_text import clean_name

from ...bot_pool.bot_pool import Bots
from ...storage import GuestRow, Storage, StorageError
from ...storage.forgotten_guests import ForgottenGuests
from ...wire.host_refusals import Declined
from .census import Census
from .durations import Durations

Figure = Literal[
    "commands", "refusals", "failures", "errors", "slow", "stuck", "cleared", "lost", "bot", "clock", "rated"
]
"""What is counted: commands that were carried out or refused, storage that failed, errors of the program, readers too
slow, seats for which nothing could be played, tables cleared away, tables that storage gave back shorter than guests
have seen them, actions that a bot chose for itself or because time was up, and games that were rated."""


@dataclass(slots=True)
class Services:
    """Given to every table of a hall."""

    storage: Storage
    bots: Bots
    now: Callable[[], float]
    durations: Durations
    forgotten: ForgottenGuests = field(default_factory=ForgottenGuests)
    """The guests who were deleted: they are nobody here, and nothing is written down of them any more."""
    make_dealer: Callable[[], Dealer] | None = None
    """Who deals, for tests; None: whoever draws from a key that is committed to, or the system."""
    figures: Counter[Figure] = field(default_factory=Counter)
    """How often each thing happened."""
    census: Census = field(default_factory=Census)
    """The tables that are not over: `hall/loaded_tables.py` enters and removes them."""

    def check_known(self, guest_id: str) -> None:
        """Raises Declined for a guest who was deleted: nothing that it sent before is written down any more."""
        if guest_id in self.forgotten:
            raise Declined.because("no_cookie")

    async def remember_guest(self, guest_id: str, name: str) -> None:
        """The name of a guest, for the next time; if that cannot be stored, nothing is lost."""
        if guest_id not in self.forgotten:
            with contextlib.suppress(StorageError):
                await self.storage.add_guest(GuestRow(guest_id, self.now(), clean_name(name)))
