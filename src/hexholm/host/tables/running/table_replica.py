"""The copy of a table that memory holds, made from its log: what is stored is entered here; nothing else changes it.

A table comes from its log in one way, :meth:`TableReplica.read`: when the host starts, when a table that is over is
looked at again, when entries may be stored that it has not entered, and when words were removed from the log.
"""

from __future__ import annotations

import asyncio
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable
from time import perf_counter
from typing import Final

from hexholm.bots.memory import OfferLog
from hexholm.game.events import OfferMade
from hexholm.rules.colors import Color

from ...storage import EntryRow
from .. import log
from ..seats import Eyes
from ..table import EntryOutcome, LogBroken, Table
from ..table_decision import Decision
from .log_size import LogSize

LONGEST_TURN: Final = 0.005
"""Seconds for which entries are read before others have their turn."""
Follow = Callable[[log.LogEntry, EntryOutcome], None]
"""What is done after each entry by those who follow the table."""


class EntryUnread(Exception):
    """An entry of a log that cannot be entered; the cause says more, but not to everybody: it could name cards."""

    def __init__(self, table: Table, seq: int, why: Exception) -> None:
        self.is_log_broken = isinstance(why, LogBroken)
        """Whether the log itself is wrong, as far as the program can tell."""
        words = str(why) if self.is_log_broken else type(why).__name__
        super().__init__(f"entry {seq}, written by version {table.version or '(not noted)'}: {words}")


class TableReplica:
    """One table, how long its log is, which message came of which entry, and what its seats have offered."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.size = LogSize()
        self.offers = OfferLog()
        """A bot must not offer the same again and again."""
        self.offered_at: dict[Color, float] = {}
        self._numbers = array("I")  # after each entry: the latest number of each pair of eyes

    def anew(self) -> TableReplica:
        """The same table before its first entry."""
        before = self.table
        return TableReplica(Table(before.id, make_dealer=before.make_dealer, dice_key=before.dice_key))

    async def read(self, rows: Iterable[EntryRow], follow: Follow) -> None:
        """Enter what is stored, as storage gives it back. Raises EntryUnread."""
        turn_ends = perf_counter() + LONGEST_TURN
        for row in rows:
            try:
                entry = log.read_row(row)
                # It holds the views that the next entry finds again, if that leaves the game as it is.
                entered = self.enter(entry, row)
                follow(entry, entered)
            except Exception as error:
                raise EntryUnread(self.table, row.seq, error) from error
            if perf_counter() >= turn_ends:
                await asyncio.sleep(0)
                turn_ends = perf_counter() + LONGEST_TURN

    def enter(self, entry: log.LogEntry, row: EntryRow, decision: Decision | None = None) -> EntryOutcome:
        """Take an entry that is stored as this row, with the decision that it comes from."""
        self.size.add(row, entry.body)
        outcome = self.table.enter(entry, decision)
        self._numbers.extend(len(eyes_state.stream) for eyes_state in self.table.by_eyes.values())
        self.offers.follow(self.table.latest_events)
        for event in self.table.latest_events:
            if isinstance(event, OfferMade):
                self.offered_at[event.player] = entry.time
        if isinstance(entry.body, log.TookBack):
            self.offers.go_back(self.table.begun_game.turn, self.table.begun_game.active)
        return outcome

    def number_after(self, seq: int, eyes: Eyes) -> int:
        """The number of the latest message of a pair of eyes after an entry."""
        return self._numbers[(seq - 1) * len(self.table.eyes) + self.table.eyes.index(eyes)]

    def entry_of_message(self, eyes: Eyes, number: int) -> int | None:
        """The entry of the log that led to a numbered message of these eyes; None: there is no such message."""
        if not 0 < number <= len(self.table.by_eyes[eyes].stream):
            return None
        entries = range(1, len(self._numbers) // len(self.table.eyes) + 1)
        return bisect_left(entries, number, key=lambda seq: self.number_after(seq, eyes)) + 1
