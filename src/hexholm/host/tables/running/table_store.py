"""Stores the log of a table, and keeps the replica in step with it: what was decided is stored, then entered.

If storing fails nothing has changed, and nobody is told. Whether it was stored nevertheless is found out before
anything else is done here: what is stored counts.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Iterable, Sequence
from enum import Enum

from hexholm.rules.colors import Color

from ...storage import AnswerRow, Conflict, EntryRow, LogDamaged, PlayerRatings, Seal, StorageError, Writes
from ...wire.host_refusals import Declined
from .. import log
from ..audience.feeds import FeedEnd
from ..rated_games import rate_people, rated_game_of
from ..seats import Guest
from ..services.services import Services
from ..table import EntryOutcome, Table
from ..table_decision import Decision
from .listing import listing_writes
from .log_size import LogSize
from .seat_tokens import Tokens
from .table_replica import EntryUnread, Follow, TableReplica

logger = logging.getLogger("hexholm.host")


class LogSync(Enum):
    """How a table in memory stands to its log."""

    IN_STEP = "in step"
    BEHIND = "behind"
    """Entries may be stored that it has not entered."""
    UNSOUND = "unsound"
    """Half of an entry may have been entered: it is read again whole."""
    BROKEN = "broken"
    """What is stored cannot be entered: nothing is done here any more."""


class TableStore:
    """The log of one table, its tokens, and the replica that memory holds of it.

    `on_list_change` is called when lists say something else of the table than before, such as that it is over, and
    `follow` after each entry that was entered. When all of the log is read again, those who look must come
    again: `end_feeds` sends them away, and when the new table has taken the place of the old one, `on_reread` is told
    which entries nobody has followed.
    """

    def __init__(
        self,
        table: Table,
        services: Services,
        *,
        follow: Follow,
        on_list_change: Callable[[], None],
        end_feeds: Callable[[FeedEnd], None],
        on_reread: Callable[[Sequence[log.LogEntry]], None],
    ) -> None:
        self.replica = TableReplica(table)
        self.services = services
        self.tokens = Tokens()
        self.is_listed = False
        """Whether storage's list of tables has it as it is."""
        self._sync = LogSync.IN_STEP
        self._down_since: float | None = None
        """Since when the host was down, as long as that is not stored; until then nothing is done here."""
        self._followed = 0  # the last entry that those who follow know of
        self._follow, self._end_feeds, self._on_reread = follow, end_feeds, on_reread
        self._on_list_change = on_list_change

    @property
    def table(self) -> Table:
        return self.replica.table

    @property
    def log_size(self) -> LogSize:
        """How long its log is."""
        return self.replica.size

    @property
    def is_broken(self) -> bool:
        """Whether its log cannot be read: nothing is done here any more."""
        return self._sync is LogSync.BROKEN

    @property
    def is_in_step(self) -> bool:
        """Whether all that is stored was entered, as far as is known."""
        return self._sync is LogSync.IN_STEP

    @property
    def is_to_be_listed(self) -> bool:
        """Whether the game is over and the list of tables does not know it: that could not be stored."""
        return self.table.status == "over" and not self.is_listed

    # --- reading -------------------------------------------------------------------------------------------------

    async def load(self, *, is_listed: bool) -> None:
        """Read it from its log for the first time; `is_listed`: the list of tables has it as it is.

        Raises EntryUnread, StorageError.
        """
        storage, table_id = self.services.storage, self.table.id
        self.tokens = Tokens(await storage.seals(table_id))
        rows = await storage.entries(table_id)
        if not rows:
            raise LogDamaged(f"table {table_id}: its log is empty")
        await self.replica.read(rows, self._entered)
        self.is_listed = is_listed

    def fall_behind(self) -> None:
        """Storing has failed: whether it was stored nevertheless is looked up before anything else is done."""
        if self.is_in_step:
            self._sync = LogSync.BEHIND

    async def catch_up(self) -> None:
        """After a failure: what is stored counts, whether or not that was reported. Raises Declined."""
        if self._sync is LogSync.BEHIND:
            await self._read_on()
        elif self._sync is LogSync.UNSOUND:
            await self._read_anew("restarted")
        if not self.is_broken and self._down_since is not None:
            try:
                await self.write_restart(self._down_since)
            except Conflict as error:
                self._sync = LogSync.BROKEN
                logger.error("table %s cannot go on and is left alone: %s", self.table.id, error)
        if self.is_broken:
            raise Declined.because("log_broken", table=self.table.id)

    async def read_again(self) -> None:
        """Words were removed from the log: read it again, so that nothing here has them any more. Raises Declined.

        The game is the same, and so are all numbers of messages and questions.
        """
        self._sync = LogSync.UNSOUND  # as long as they are there: whatever goes wrong, the next step reads again
        await self._read_anew("reset")
        if self.is_broken:
            raise Declined.because("log_broken", table=self.table.id)
        with contextlib.suppress(StorageError):  # then the next time
            await self.update_listing()  # what was listed meanwhile may have had the words

    async def _read_on(self) -> None:
        storage, table = self.services.storage, self.table
        rows = await storage.entries(table.id, table.seq)
        self.tokens = Tokens(await storage.seals(table.id))
        self._sync = LogSync.UNSOUND
        if rows:  # a restart was stored although a failure was reported
            self._down_since = None
        try:
            await self.replica.read(rows, self._entered)
        except EntryUnread as error:
            self._give_up(error)
        else:
            self._sync = LogSync.IN_STEP

    async def _read_anew(self, reason: FeedEnd) -> None:
        """A new table from the whole log takes the place of this one; what waits in feeds is from before."""
        storage, before = self.services.storage, self.table
        if reason != "reset":  # where words were removed they go when the words are gone, and not twice
            self._end_feeds(reason)
        rows = await storage.entries(before.id)
        tokens = Tokens(await storage.seals(before.id))
        entries: list[log.LogEntry] = []
        anew = self.replica.anew()
        try:
            await anew.read(rows, lambda entry, _: entries.append(entry))
        except EntryUnread as error:
            self._end_feeds("restarted")
            self._give_up(error)
            return
        if len(rows) > before.seq:
            self._down_since = None
        self._end_feeds(reason)  # also those who came meanwhile
        self.replica, self.tokens, self._sync = anew, tokens, LogSync.IN_STEP
        self._change_lists()
        news, self._followed = entries[self._followed :], len(entries)
        self._on_reread(news)

    def _give_up(self, error: EntryUnread) -> None:
        if not error.is_log_broken:
            raise error  # another try may work
        self._sync = LogSync.BROKEN
        logger.error("table %s cannot be read again and is left alone: %s", self.table.id, error)

    # --- writing -------------------------------------------------------------------------------------------------

    async def write(
        self, decision: Decision, *, answers: Iterable[AnswerRow] = (), tokens: Iterable[Seal] = ()
    ) -> None:
        """Store a decision; after the commit enter it."""
        entries = self.table.new_entries(decision, self.services.now())
        batch = Writes(
            self.table.id,
            [log.entry_row(entry) for entry in entries],
            answers=tuple(answers),
            tokens=tuple(tokens),
            revoked=[color for body in decision.bodies if (color := body.revoked_color) is not None],
            dice_key=self.table.dice_key if self.table.seq == 0 else None,
            visibility=next((body.visibility for body in decision.bodies if isinstance(body, log.Opened)), None),
        )
        await self.services.storage.append(batch)
        self._enter_all(entries, batch.entries, decision)
        for color in batch.revoked:
            self.tokens.renew(color, [seal for seal in batch.tokens if seal.color == color])
        if not self.is_listed:  # not in the same batch: what the table will be is known only now
            with contextlib.suppress(StorageError):  # then the next time
                await self.update_listing()

    async def write_restart(self, down_since: float) -> None:
        """Store that the host was down since then, with what the list of tables says of this one, then enter it.

        If storing fails, it is the first thing that is done when it works again. A table that is over is only listed:
        it was stored, and the list does not know it yet.
        """
        entries: list[log.LogEntry] = []
        if self.table.status != "over":
            self._down_since = down_since
            seconds = max(0.0, self.services.now() - down_since)
            entries = self.table.new_entries(self.table.decide_restart(seconds), self.services.now())
        rows = [log.entry_row(entry) for entry in entries]
        await self._rate()
        await self.services.storage.append(
            listing_writes(self.table, self.services.forgotten, rows)
        )  # which a restart leaves as it is
        self._down_since = None
        self._enter_all(entries, rows)
        self.is_listed = True

    async def update_listing(self) -> None:
        """Bring storage's list of tables up to date.

        A rated game is rated before it is listed as over: whatever happens in between, the next start finds the table
        among those that are not, and does both.
        """
        await self._rate()
        await self.services.storage.append(listing_writes(self.table, self.services.forgotten))
        self.is_listed = True

    async def _rate(self) -> None:
        if (game := rated_game_of(self.table)) is not None and await PlayerRatings(self.services.storage).write(
            game, rate_people
        ):
            self.services.figures["rated"] += 1

    def _entered(self, entry: log.LogEntry, outcome: EntryOutcome) -> None:
        if self.table.status == "over" or entry.body.changes_lists:
            self._change_lists()
        self._followed = entry.seq
        self._follow(entry, outcome)

    def _change_lists(self) -> None:
        self.is_listed = False
        self._on_list_change()

    def _enter_all(
        self, entries: Iterable[log.LogEntry], rows: Iterable[EntryRow], decision: Decision | None = None
    ) -> None:
        try:
            for entry, row in zip(entries, rows, strict=True):
                self._entered(entry, self.replica.enter(entry, row, decision))
        except Exception:
            self._sync = LogSync.UNSOUND
            raise

    # --- tokens --------------------------------------------------------------------------------------------------

    def check_seat(self, guest: Guest) -> None:
        """Raises Declined if a guest does not speak for its seat, or no longer: looked at when its turn comes."""
        if guest.color is None:
            return
        if not self.table.sits(guest.id, guest.color):
            raise Declined.because("seat_lost")
        if guest.token_hash and self.tokens.color_of(guest.token_hash) != guest.color:
            raise Declined.because("wrong_token")

    async def renew_token(self, seal: Seal) -> None:
        """From now on this token opens its seat, and no other does."""
        await self.services.storage.append(Writes(self.table.id, tokens=(seal,), revoked=(seal.color,)))
        self.tokens.renew(seal.color, (seal,))

    async def add_token(self, seal: Seal) -> Sequence[str]:
        """One more token of a seat; the hashes of those that are void for it: if there are too many, the oldest."""
        voided = self.tokens.surplus(seal.color)
        await self.services.storage.append(Writes(self.table.id, tokens=(seal,), voided=voided))
        self.tokens.void(voided)
        self.tokens.add(seal)
        return voided

    async def revoke_tokens(self, colors: Sequence[Color]) -> None:
        """Nothing opens these seats any more."""
        await self.services.storage.append(Writes(self.table.id, revoked=colors))
        for color in colors:
            self.tokens.renew(color, ())
