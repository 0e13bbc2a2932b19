"""The hall: all tables of a host, and the doors to them. It knows no sockets; a server is one of its guests.

    hall = await Hall.open(storage)
    made = await hall.create("ann", name="Ann", options={"edition": "fifth"}, seat="red", seats={"blue": "easy"})
    ann = hall.who(made.table, made.token, "ann")
    feed = hall.feed(made.table, ann)              # async for message in feed: ...
    await hall.send(made.table, ann, Begin(id="1"))

On opening, every unfinished table is there again as its log has it. While the hall is open it notes now and then that
it lives, so that after a crash the clocks of all tables can be set right.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import logging
import secrets
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from hexholm import __version__
from hexholm.bots import NAMES
from hexholm.game.dealers import Dealer, Fresh
from hexholm.game.language.clean_text import clean
from hexholm.rules.errors import BadInput

from ..bot_pool.pool import Thinker, Thinks
from ..storage import Guest as Known
from ..storage import LogDamaged, Seal, Storage, StorageError, sealed
from ..wire import messages as m
from ..wire.refusals import refused, rule_of
from . import log
from . import tokens as seating
from .audience.feeds import Feed
from .opening import first_entry
from .runner import Live, Setting, entry_of
from .seat_commands import sit
from .table import Decision, Guest, LogBroken, Table

ALIVE: Final = "alive"
"""What storage calls the time at which the host was last alive."""
BEAT: Final = 5.0
RESERVED: Final = 600.0
"""Seconds for which a rematch keeps the seats for those who sat there."""
LINGER: Final = 900.0
"""Seconds that a finished table which nobody looks at stays in memory."""
MOST_FINISHED: Final = 200
"""Finished tables in memory, apart from those that somebody looks at."""
LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"  # none that look alike
ID_LENGTH: Final = 10

logger = logging.getLogger("hexholm.host")


class HallRefusal(BadInput):
    """The hall does not do that; `code` as in :class:`~hexholm.host.wire.messages.Refused`, or "not_found"."""

    def __init__(self, code: str, message: str, why: str = "", values: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.code, self.message, self.why, self.values = code, message, why, values or {}

    @classmethod
    def of(cls, no: m.Refused) -> HallRefusal:
        """What a table has refused."""
        return cls(no.code, no.message, no.why, no.values)

    @classmethod
    def because(cls, why: str, **values: Any) -> HallRefusal:
        """A refusal by its name in :mod:`..wire.refusals`."""
        return cls.of(refused(None, why, **values))

    @property
    def rule(self) -> str | None:
        """The rule that explains it, if one does."""
        return rule_of(self.why)

    def __reduce__(self) -> tuple[Any, ...]:
        return HallRefusal, (self.code, self.message, self.why, self.values)


class NoTable(HallRefusal, LookupError):
    """There is no such table in memory."""

    def __init__(self, table: str) -> None:
        no = refused(None, "no_such_table", table=table[:40])
        super().__init__(no.code, no.message, no.why, no.values)
        self.table = table

    def __reduce__(self) -> tuple[Any, ...]:
        return NoTable, (self.table,)


@dataclass(frozen=True, slots=True)
class Created:
    """A new table. The token opens the creator's seat; it is told once and kept only as a hash."""

    table: str
    seat: str | None = None
    token: str | None = None


def new_id() -> str:
    """A name for a table: short enough to be read out, too long to be guessed by chance."""
    return id_from(secrets.token_bytes(32))


def id_from(random: bytes) -> str:
    """The name that follows from random bytes, many more than it has letters."""
    number = int.from_bytes(random)
    return "".join(LETTERS[number // len(LETTERS) ** i % len(LETTERS)] for i in range(ID_LENGTH))


class Hall:
    """All tables. Make it with `open`, end it with `close`."""

    def __init__(self, setting: Setting, dealer: Callable[[], Dealer], ids: Callable[[], str]) -> None:
        self.setting = setting
        self.broken: dict[str, str] = {}
        """Tables whose log does not lead to the positions it names, with the reason. They are left as they are."""
        self.storing = True
        """Whether what was last to be written could be, some seconds ago at most."""
        self._dealer = dealer
        self._ids = ids
        self._live: dict[str, Live] = {}
        self._loading = asyncio.Lock()
        self._own_thinker = False
        self._beats: asyncio.Task[None] | None = None

    @classmethod
    async def open(
        cls,
        storage: Storage,
        *,
        now: Callable[[], float] = time.time,
        dealer: Callable[[], Dealer] = Fresh,
        thinker: Thinks | None = None,
        bot_delay: tuple[float, float] = (0.4, 1.2),
        bot_patience: float = 20.0,
        away_after: float = 120.0,
        clear_after: float = 86_400.0,
        end_after: float = 30 * 86_400.0,
        ids: Callable[[], str] = new_id,
    ) -> Hall:
        """Open the doors: all unfinished tables are there again, their clocks set right for the downtime.

        `thinker` decides for bots (a :class:`Thinker` of its own unless given); `bot_delay` are the least and the most
        seconds after which a bot answers, `bot_patience` how long it waits for people to answer its offers;
        `away_after` so many seconds without a feed or a command a bot stands in for a person; a table that nobody has
        begun and nobody looks at is cleared away after `clear_after` seconds, and a game in which nothing happens and
        nobody looks at is ended without a winner after `end_after` seconds.
        """
        own = thinker is None
        setting = Setting(
            storage, thinker or Thinker(), now, bot_delay, bot_patience, away_after, clear_after, end_after
        )
        hall = cls(setting, dealer, ids)
        hall._own_thinker = own
        try:
            await hall._load_all()
        except BaseException:
            await hall.close()
            raise
        hall._beats = asyncio.create_task(hall._beat(), name="hall")
        return hall

    async def close(self) -> None:
        """Carry out what waits, end all feeds and bots. The storage stays open: it is the caller's."""
        if self._beats is not None:
            self._beats.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._beats
        await asyncio.gather(*(live.stop() for live in self._live.values()))
        if self._beats is not None:
            await self._alive()
        if self._own_thinker:
            await self.setting.thinker.close()

    # --- loading -------------------------------------------------------------------------------------------------

    async def _load_all(self) -> None:
        storage, now = self.setting.storage, self.setting.now()
        alive = float(await storage.meta(ALIVE) or 0)
        for name in await storage.unfinished():
            live = await self._load(name)
            if live is None:
                continue
            entries = []
            if live.table.status != "over":  # else only the list of tables does not know it yet
                down = max(0.0, now - max(alive, live.table.time))
                at = max(now, live.table.time)
                body = log.Restarted(seconds=down, version=__version__)
                entries.append(log.Entry(seq=live.table.seq + 1, time=at, body=body))
            await storage.append(live.listing(entries))
            for entry in entries:
                live.enter(entry)
            live.listed = True
        for live in self._live.values():
            live.start()
        await self._alive()

    async def _load(self, name: str) -> Live | None:
        """A table from its log; None if that cannot be read: one table that is broken must not close the house."""
        storage, at = self.setting.storage, 0
        live = Live(Table(name, dealer=self._dealer), self.setting, await storage.seals(name))
        try:
            for line in await storage.entries(name):
                at = line.seq
                live.enter(entry_of(line))
                if at % 20 == 0:
                    await asyncio.sleep(0)
        except Exception as error:
            if isinstance(error, StorageError) and not isinstance(error, LogDamaged):
                raise  # a later try may work
            known = isinstance(error, LogBroken | LogDamaged)  # the words of others could name cards
            why, wrote = str(error) if known else type(error).__name__, live.table.version or "(not noted)"
            self.broken[name] = f"entry {at}, written by version {wrote}: {why}"
            logger.error("table %s cannot be read and is left alone: %s", name, self.broken[name])
            return None
        self._live[name] = live
        return live

    async def recall(self, table: str) -> Table:
        """A table by its name, read from storage if it is over and no longer in memory."""
        if table not in self._live:
            async with self._loading:
                if table not in self._live and table not in self.broken and await self.setting.storage.table(table):
                    await self._bring_back(table)
                    await self._forget()
        return self.table(table)

    async def _bring_back(self, table: str) -> None:
        live = await self._load(table)
        if live is not None:
            live.over_since = self.setting.now()
            live.listed = True
            live.start()

    async def _forget(self) -> None:
        """Let go of finished tables that nobody looks at."""
        idle = [live for live in self._live.values() if live.table.status == "over" and not live.feeds]
        idle.sort(key=lambda live: live.over_since, reverse=True)
        late = self.setting.now() - LINGER
        gone = [live for i, live in enumerate(idle) if i >= MOST_FINISHED or live.over_since < late]
        for live in gone:  # all at once: meanwhile somebody could come
            del self._live[live.table.id]
        for live in gone:
            await live.stop()

    async def clear(self) -> None:
        """Let go of tables at which no game was begun and nobody is any more, in storage too."""
        for name in list(self._live):
            async with self._loading:  # who asks for the table now gets it whole, or not at all
                live = self._live.get(name)
                if live is None or not self._is_left(live):
                    continue
                before = live.table.seq
                del self._live[name]
                await live.stop()
                if live.table.seq != before:  # somebody came at the very moment
                    await self._bring_back(name)
                    continue
                with contextlib.suppress(StorageError):  # then after the next start
                    await self.setting.storage.forget(name)
                    self.figures["cleared"] += 1

    def _is_left(self, live: Live) -> bool:
        """Whether no game was begun here, and the table was ended or nobody has been here for long."""
        if live.table.game is not None or live.feeds:
            return False
        late = self.setting.now() >= live.left_for(self.setting.clear_after, up=False)
        return late or live.table.status == "over"

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT)
            try:
                await self._alive()
                await self._forget()
                await self.clear()
            except Exception:  # it must go on: without it nothing is cleared away, and clocks are set wrong
                self.figures["errors"] += 1
                logger.exception("the hall: an error of the program")

    async def _alive(self) -> None:
        try:
            await self.setting.storage.set_meta(ALIVE, repr(self.setting.now()))
        except StorageError:
            self.storing = False
        else:
            self.storing = True

    # --- looking -------------------------------------------------------------------------------------------------

    @property
    def storage(self) -> Storage:
        """Where it is all written down."""
        return self.setting.storage

    @property
    def figures(self) -> Counter[str]:
        """What was counted since the opening: commands, refusals, failures, errors, moves by bots and clocks..."""
        return self.setting.figures

    @property
    def feeds(self) -> int:
        """How many feeds are open."""
        return sum(len(live.feeds) for live in self._live.values())

    @property
    def every(self) -> list[Table]:
        """The tables in memory, to be looked at only: all that are not over, and those that were lately."""
        return [live.table for live in self._live.values()]

    def tables(self, status: str | None = None) -> list[m.TableLine]:
        """What everybody may know of the tables in memory. To make it takes time: count them with `every`."""
        return [table.line() for table in self.every if status in (None, table.status)]

    def has(self, table: str) -> bool:
        """Whether a table is in memory: that and no more costs nothing."""
        return table in self._live or table in self.broken

    def table(self, id: str) -> Table:  # noqa: A002
        """A table; to be looked at only. Raises NoTable where there is none in memory: see :meth:`recall`."""
        return self._find(id).table

    def _find(self, table: str) -> Live:
        if table in self.broken:
            raise HallRefusal.because("log_broken", table=table)
        if table not in self._live:
            raise NoTable(table)
        return self._live[table]

    def who(self, table: str, token: str | None, guest: str) -> Guest:
        """Who somebody is at a table: whose token it is, or one who watches. Raises HallRefusal for a wrong token.

        The token decides, not the guest: a link opened on another device is still the same person.
        """
        live = self._find(table)
        if token is None:
            return Guest(guest)
        hashed, found = sealed(token.encode(errors="replace").decode()), None
        for known, seat in live.seals.items():
            if hmac.compare_digest(known, hashed):
                found = live.table.seats.get(seat)
        if found is None or found.kind != "person":
            raise HallRefusal.because("wrong_token")
        return Guest(found.guest, found.color, hashed)

    # --- doing ---------------------------------------------------------------------------------------------------

    async def create(
        self,
        guest: str,
        *,
        name: str,
        title: str = "",
        options: dict[str, Any],
        board_seed: int | None = None,
        board: str | None = None,
        clock: float | None = None,
        ranges: bool = False,
        pace: m.Speed = "normal",
        chance: m.Chance = "host",
        lesson: m.Teaches = "",
        seats: dict[str, str | None] | None = None,
        seat: str | None = None,
        id: str | None = None,  # noqa: A002
    ) -> Created:
        """Set up a table. `seats`: a bot's name by colour, None for a free seat; `seat`: where the creator sits down.

        `board` is a board of one's own as TOML, `board_seed` names one; dice and cards have nothing to do with it. `id`
        is the table's name, else a new one is drawn; a name that is taken is refused.
        Raises HallRefusal.
        """
        bots = any((seats or {}).values())
        try:
            ways = (clock, ranges, pace, chance)
            opened = first_entry(guest, title, options, board_seed, board, *ways, bots=bots, lesson=lesson)
        except (BadInput, TypeError, ValueError) as no:
            raise HallRefusal.because("cannot_be_set_up", detail=str(no)) from no
        made = await self._set_up(opened, seats or {}, seat, name, id)
        await self._remember(guest, name)
        return made

    async def _remember(self, guest: str, name: str) -> None:
        """The name of a guest, for the next time; if that cannot be stored, nothing is lost."""
        with contextlib.suppress(StorageError):
            await self.setting.storage.add_guest(Known(guest, self.setting.now(), clean(name)))

    async def _set_up(
        self,
        opened: log.Opened,
        seats: dict[str, str | None],
        seat: str | None = None,
        name: str = "",
        id: str | None = None,  # noqa: A002
    ) -> Created:
        """A table with its bots, and if it takes a seat its creator; stored, then there."""
        live, guest = Live(Table(id or self._ids(), dealer=self._dealer), self.setting), opened.creator
        entries: list[log.Entry] = []

        def enter(decision: Decision) -> None:
            if decision.refusal is not None:
                raise HallRefusal.of(decision.refusal)
            for body in decision.bodies:
                entries.append(log.Entry(seq=live.table.seq + 1, time=self.setting.now(), body=body))
                live.enter(entries[-1])

        try:
            enter(Decision((opened,), (None,)))
        except (BadInput, TypeError, ValueError) as no:
            raise HallRefusal.because("cannot_be_set_up", detail=str(no)) from no
        for color, player in seats.items():
            if player is not None and player not in NAMES:
                raise HallRefusal.because("no_such_player", player=player[:40], players=NAMES)
            if player is not None or color not in live.table.seats:  # a free one needs no word
                enter(live.table.decide(m.Put(id="", seat=color, player=player), Guest(guest)))
        token, tokens = None, []
        if seat is not None:
            enter(sit(live.table, seat, guest, name))
            token, seal = self._new_token(seat)
            tokens.append(seal)
            live.seals[seal.hash] = seat
        try:
            await self.setting.storage.append(live.listing(entries, tokens))
        except StorageError as no:
            raise HallRefusal.because("not_stored") from no
        live.listed = True
        self._live[live.table.id] = live
        live.start()
        return Created(live.table.id, seat, token)

    def _new_token(self, seat: str) -> tuple[str, Seal]:
        token = secrets.token_urlsafe(24)
        return token, Seal(sealed(token), seat, self.setting.now())

    async def take(self, table: str, seat: str, guest: str, name: str) -> str:
        """Sit down; the token of the seat, told once. One's own seat again: a new token, the old one is void."""
        token, seal = self._new_token(seat)
        answer = await seating.take(self._find(table), seat, guest, name, seal)
        if isinstance(answer, m.Refused):
            raise HallRefusal.of(answer)
        await self._remember(guest, name)
        return token

    async def another_token(self, table: str, guest: str) -> tuple[str, str]:
        """One more token for the seat that a guest holds, beside those it has: the seat and the token."""
        live = self._find(table)
        seat = next((one.color for one in live.table.seats.values() if one.guest == guest), "")
        token, seal = self._new_token(seat)
        answer = await seating.add_token(live, seat, guest, seal)
        if isinstance(answer, m.Refused):
            raise HallRefusal.of(answer)
        return seat, token

    async def rematch(self, table: str, guest: str) -> str:
        """The table that follows a finished one, set up anew if there is none: its id. Raises HallRefusal.

        The same rules and a new board of the same kind; bots sit where they sat, and seats of people are kept for them
        for some minutes. Whoever asks first is its creator; with a real board the creator stays the same.
        """
        live = self._find(table)

        async def set_up() -> str | m.Refused:
            old = live.table
            assert old.game is not None, "only a game can be over"
            board = old.board.to_toml() if old.own_board else None
            rules, ways = old.game.options.as_dict(), (old.clock, old.ranges, old.pace, old.chance)
            opened = first_entry(guest, old.title, rules, None, board, *ways, bots=False)
            kept = {seat.color: log.Kept(seat.guest, seat.name) for seat in old.seats.values() if seat.kind == "person"}
            opened = msgspec.structs.replace(opened, reserved=kept, reserved_until=self.setting.now() + RESERVED)
            bots = {seat.color: seat.player for seat in old.seats.values() if seat.kind == "bot"}
            if old.chance != "host":  # the screen for all stays that, and nobody draws cards for a bot
                opened = msgspec.structs.replace(opened, creator=old.creator)
                bots = bots if old.chance == "dice" else {}
            try:
                return (await self._set_up(opened, bots)).table
            except HallRefusal as no:
                return m.Refused(id=None, code=no.code, message=no.message, why=no.why, values=no.values, rule=no.rule)

        found = await seating.follow(live, guest, set_up)
        if isinstance(found, m.Refused):
            raise HallRefusal.of(found)
        return found

    async def send(self, table: str, guest: Guest, command: m.Commands) -> m.Done | m.Refused:
        """Give a command to a table and wait until it is stored, or refused."""
        return await self._find(table).send(command, guest)

    async def why(self, table: str, guest: Guest, question: m.Why) -> m.Because | m.Refused:
        """Whether a seat may play something; nothing is stored."""
        return await self._find(table).why(question, guest)

    def feed(self, table: str, guest: Guest, since: int | None = None) -> Feed:
        """What a guest is told: Hello, what it missed since message `since` (None: nothing, 0: all), what happens."""
        live = self._find(table)
        if not live.holds(guest):
            raise HallRefusal.because("seat_lost")
        return live.feed(guest, since)

    def tick(self) -> None:
        """Look at the time again at every table: for clocks that were set by hand."""
        for live in self._live.values():
            live.wake()
