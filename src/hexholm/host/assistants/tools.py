"""What an assistant can do at tables, as plain calls that take and give text; :mod:`.mcp_server` offers them over MCP.

A call names its table and the token of its seat. Whoever has a token is that seat, as with a link; without one an
assistant sees what the public sees. Nothing here knows a rule or a secret: the hall decides, and its refusals come back
as they are, with what would be right. A call that changes something may have an `id`: the same id again does nothing a
second time.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from hexholm.game.language.clean_text import quoted
from hexholm.game.new_game import options as game_options
from hexholm.rules.editions import EDITIONS
from hexholm.rules.errors import BadInput
from hexholm.rules.options import Options

from ..storage import StorageError
from ..tables.hall import Created, Hall, HallRefusal, NoTable, id_from
from ..tables.table import Guest, Table
from ..web.context import LONGEST_ID, Desk
from ..web.identity import seat_link, short, watch_link
from ..web.limits import Buckets
from ..wire import messages as m
from ..wire.api import LONGEST_TITLE, Declined
from ..wire.sentences import quote, seats
from .briefing import MOST_ACTIONS, briefing, listed
from .news import LONG, SHORT, news
from .refusals import Refusal, refusal, refused

LONGEST_WAIT: Final = 55.0
"""Seconds; most clients give up on a call after a minute."""
BLINK: Final = 1.0
"""Seconds after which a waiting call looks whether the server stops."""
LONGEST_LOOK: Final = 2400
"""Characters of a look, but for one that asks for old news."""
HEADING: Final = 120
"""Of them for the line above the news."""
LONGEST_NOTE: Final = 4000
FEW_ACTIONS: Final = 30
"""So many are listed without being asked for."""
LISTED_TABLES: Final = 30
SHORTEST_KEY: Final = 16
"""Characters of the id of a call that makes a new guest: it says who that is, so nobody may guess it."""
NO_OPTIONS: Final = ("edition", "players")
NO_ACTION: Final = "(none)"
ANSWERS: Final = ("accept", "reject", "counter", "confirm", "withdraw")


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls: where from, and how this server is reached."""

    address: str
    base: str


class Tools:
    """All calls of assistants at one server."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self._read: dict[tuple[str, str], int] = {}
        """How many messages the assistant of a seat has been told, by table and colour."""

    @property
    def hall(self) -> Hall:
        """All tables."""
        return self.desk.hall

    # --- tables --------------------------------------------------------------------------------------------------

    def tables(self) -> str:
        """The tables where somebody can sit down, and those where a game goes on (but no lesson); newest first."""
        running = [table for table in self.hall.every if table.status != "over" and not table.lesson]
        running.sort(key=lambda table: (table.status != "open", -table.created))
        lines = []
        for line in (table.line() for table in running[:LISTED_TABLES]):
            free = [seat.color for seat in line.seats if seat.kind == "empty"]
            what = f"free seats: {', '.join(free)}" if line.status == "open" and free else line.status
            title = f", called {quote(line.title)}" if line.title else ""
            lines.append(f"{line.id}: {line.edition}, {what}{title}; {seats(line)}")
        if len(running) > LISTED_TABLES:
            lines.append(f"... and {len(running) - LISTED_TABLES} more")
        return "\n".join(lines) or "There are no tables; create_table makes one."

    async def create(
        self,
        caller: Caller,
        name: str,
        edition: str,
        opponents: Sequence[str],
        people: int,
        options: dict[str, Any],
        title: str,
        ranges: bool,
        id: str | None,  # noqa: A002
    ) -> str:
        """A new table with bots and with free seats for people; it begins at once if no seat is free."""
        if edition not in EDITIONS:
            raise Refusal(f"there is no edition {quoted(edition)}; there are {', '.join(EDITIONS)}")
        if own := [key for key in NO_OPTIONS if key in options]:
            raise Refusal(f"{own[0]} is no option here: name the edition, the opponents and the number of people")
        guest = self._newcomer(id)
        try:
            self.desk.spend(self.desk.writing, caller.address)
            chosen = {**options, "edition": edition, "players": 1 + len(opponents) + people}
            colors = game_options(**chosen).colors
            bots: dict[str, str | None] = dict(zip(colors[1:], opponents, strict=False))
            made = await self._set_up(
                caller,
                guest,
                id,
                name=_named(name),
                title=title[:LONGEST_TITLE],
                options=chosen,
                ranges=ranges,
                seats=bots,
                seat=colors[0],
            )
            if not people and self.hall.table(made.table).status == "open":
                await self._done(made.table, Guest(guest, made.seat), m.Begin(id="at once"))
        except (HallRefusal, Declined, BadInput, TypeError, ValueError) as no:
            raise refusal(no) from no
        return self._welcome(caller, made, begun=not people)

    async def _set_up(self, caller: Caller, guest: str, id: str | None, **wanted: Any) -> Created:  # noqa: A002
        """The new table, or the one that a call with the same id has made."""
        name = None if id is None else id_from(self.desk.identity.derived("table", guest, id))
        async with self.desk.setting_up:
            if name is not None:
                try:
                    found = await self.hall.recall(name)
                    return Created(found.id, *await self.hall.another_token(found.id, guest))
                except NoTable:
                    pass
            self.desk.room_for_a_table(guest, caller.address)
            made = await self.hall.create(guest, id=name, **wanted)
            self.desk.made_from[made.table] = caller.address
            self.desk.log.info("table set up", table=made.table, guest=short(guest))
            return made

    async def join(self, caller: Caller, table: str, seat: str, name: str, id: str | None) -> str:  # noqa: A002
        """Sit down on a free seat."""
        guest = self._newcomer(id)
        try:
            self.desk.spend(self.desk.writing, caller.address)
            found = await self._table(caller, table)
            if seat not in found.seats:
                raise Refusal(f"there is no seat {quoted(seat)} here; they are {', '.join(found.colors)}")
            if found.chance == "people":
                raise Refusal("people with real cards play here, and an assistant cannot draw them")
            token = await self.hall.take(found.id, seat, guest, _named(name))
        except (HallRefusal, Declined) as no:
            raise refusal(no) from no
        self.desk.log.info("seat taken", table=found.id, seat=seat, guest=short(guest))
        return self._welcome(caller, Created(found.id, seat, token), begun=found.status != "open")

    def _newcomer(self, id: str | None) -> str:  # noqa: A002
        """A new guest: the same one for the same id, which therefore must be long."""
        if id is None:
            return self.desk.identity.new_guest()
        if not SHORTEST_KEY <= len(id) <= m.LONGEST_ID:
            raise Refusal(f"here an id has {SHORTEST_KEY} to {m.LONGEST_ID} random characters: it says who you are")
        return self.desk.identity.guest_of(id)

    def _welcome(self, caller: Caller, made: Created, *, begun: bool) -> str:
        assert made.token is not None
        watch = watch_link(caller.base, made.table)
        found = self.hall.table(made.table)
        free = [seat.color for seat in found.seats.values() if seat.kind == "empty"]
        if begun:
            step = "The game has begun: call look, then legal_actions."
        elif found.creator == found.seats[made.seat or ""].guest:
            step = f"Free seats: {', '.join(free)}. People sit down at {watch}; then call begin_game."
        else:
            step = "The one who set up the table begins the game: call wait_for_turn."
        return (
            f"You are {made.seat} at table {made.table}. Your token, which only you should know: {made.token}\n"
            f"In a browser your seat is {seat_link(caller.base, made.table, made.token)}\n"
            f"Everybody may watch at {watch}\n{step}"
        )

    async def begin(self, caller: Caller, table: str, token: str) -> str:
        """Begin the game; for the one who set up the table."""
        found, who = await self._seat(caller, table, token)
        await self._done(found.id, who, m.Begin(id=_new_id()))
        return f"The game has begun.\n{self._question(found, who)}"

    async def played_by(self, caller: Caller, table: str) -> Options:
        """What a table plays by."""
        return (await self._table(caller, table)).options

    # --- looking -------------------------------------------------------------------------------------------------

    async def look(self, caller: Caller, table: str, token: str | None, since: int | None) -> str:
        """Where the game stands, and what has happened since the last look, or since a message."""
        found = await self._table(caller, table)
        who = self._who(found, token)
        view = found.view(who.seat)
        if view is None:
            return f"{self._news(found, who, since)}\n\nThe game has not begun. At the table: {seats(found.line())}."
        text = briefing(view, ranges=found.ranges) + self._clock(found, who)
        found.look_away()
        return f"{self._news(found, who, since, LONGEST_LOOK - HEADING - len(text))}\n\n{text}"

    async def actions(self, caller: Caller, table: str, token: str) -> str:
        """What the seat may do now, numbered."""
        found, who = await self._seat(caller, table, token)
        return self._question(found, who, most=MOST_ACTIONS)

    async def why(self, caller: Caller, table: str, token: str, action: str) -> str:
        """Whether the seat may play an action, and if not why not."""
        found, who = await self._seat(caller, table, token)
        answer = await self.hall.why(found.id, who, m.Why(id=_new_id(), action=action))
        if isinstance(answer, m.Refused):
            raise refused(answer)
        rule = f" ({answer.rule}: look_up_rule tells more)" if answer.rule else ""
        return f"{quoted(action)} is legal now." if answer.legal else f"Not legal now: {answer.message}{rule}"

    async def wait(self, caller: Caller, table: str, token: str, seconds: float, question: int | None) -> str:
        """Until the seat is asked (something else than `question`), or the game is over; or so many seconds."""
        found, who = await self._seat(caller, table, token)
        try:
            feed = self.hall.feed(found.id, who)
        except HallRefusal as no:
            raise refusal(no) from no
        end = asyncio.get_running_loop().time() + min(max(seconds, 0.0), LONGEST_WAIT)
        try:
            while not (ready := self._due(found, who, question)) and feed.reason is None and not self.desk.stopping:
                left = end - asyncio.get_running_loop().time()
                if left <= 0:
                    break
                try:
                    async with asyncio.timeout(min(left, BLINK)):
                        await feed.bundle()
                except TimeoutError:
                    continue
        finally:
            feed.close()
        if feed.reason == "kicked":
            raise Refusal("that seat is not yours any more")
        found = self.hall.table(found.id)  # it may have been read again from its log
        told = self._news(found, who, None)
        if found.status == "over":
            return f"{told}\n\nThe game is over; look shows how it ended."
        if not ready:
            return f"{told}\n\nNothing is asked of you yet; call wait_for_turn again."
        return f"{told}\n\n{self._question(found, who)}"

    # --- doing ---------------------------------------------------------------------------------------------------

    async def act(
        self,
        caller: Caller,
        table: str,
        token: str,
        action: str | None,
        number: int | None,
        question: int | None,
        id: str | None,  # noqa: A002
    ) -> str:
        """Play an action: by its text, or by its number in the list of a question."""
        found, who = await self._seat(caller, table, token)
        if (action is None) == (number is None):
            raise Refusal("say the action, or its number together with the number of the question; not both")
        if number is not None:
            if question is None:
                raise Refusal("name the question too: its number stands above the list of legal actions")
            action = self._numbered(found, who, number, question)
        assert action is not None
        return await self._played(found, who, m.Act(id=id or _new_id(), action=action, request=question))

    def _numbered(self, table: Table, who: Guest, number: int, question: int) -> str:
        """The action of that number. Where the question is another one, the table says so, or that it was done."""
        if table.requests.get(who.seat, 0) != question:
            return NO_ACTION
        view = table.view(who.seat)
        texts = [] if view is None else view.legal_actions.texts
        if not 0 < number <= len(texts):
            raise Refusal(f"there is no action {number}; question {question} has {len(texts)}, numbered from 1")
        return texts[number - 1]

    async def trade(self, caller: Caller, table: str, token: str, what: str, id: str | None) -> str:  # noqa: A002
        """An offer or an answer to one, as the text of the action."""
        found, who = await self._seat(caller, table, token)
        return await self._played(found, who, m.Act(id=id or _new_id(), action=what))

    async def _played(self, table: Table, who: Guest, command: m.Act) -> str:
        await self._done(table.id, who, command)
        table = self.hall.table(table.id)
        return f"Done.\n{self._news(table, who, None)}\n\n{self._question(table, who)}"

    async def say(self, caller: Caller, table: str, token: str, text: str, id: str | None) -> str:  # noqa: A002
        """Say something to everybody at the table."""
        found, who = await self._seat(caller, table, token)
        await self._done(found.id, who, m.Say(id=id or _new_id(), text=text))
        return "Said."

    # --- notes ---------------------------------------------------------------------------------------------------

    async def notes(self, caller: Caller, table: str, token: str) -> str:
        """What the seat has noted for itself."""
        found, who = await self._seat(caller, table, token)
        try:
            return await self.hall.storage.note(found.id, who.id) or "There are no notes yet; write_notes makes some."
        except StorageError as no:
            raise Refusal("the notes cannot be read; try again soon") from no

    async def note(self, caller: Caller, table: str, token: str, text: str) -> str:
        """Put notes in place of those that were there."""
        found, who = await self._seat(caller, table, token)
        if len(text) > LONGEST_NOTE:
            raise Refusal(f"notes have at most {LONGEST_NOTE} characters, not {len(text)}; nothing has changed")
        self._spend(self.desk.guests, who.id)
        try:
            await self.hall.storage.set_note(found.id, who.id, text.encode(errors="replace").decode())
        except StorageError as no:
            raise Refusal("the notes cannot be stored; try again soon") from no
        return f"Noted, {len(text)} characters."

    # --- small parts ---------------------------------------------------------------------------------------------

    async def _table(self, caller: Caller, table: str) -> Table:
        """A table, one that is over from storage if need be, which is counted."""
        if len(table) > LONGEST_ID:
            raise refusal(NoTable(table))
        if not self.hall.has(table):
            self._spend(self.desk.records, caller.address)
        try:
            return await self.hall.recall(table)
        except HallRefusal as no:
            raise refusal(no) from no

    async def _seat(self, caller: Caller, table: str, token: str) -> tuple[Table, Guest]:
        """A table and who asks there: somebody with a seat."""
        found = await self._table(caller, table)
        return found, self._who(found, token)

    def _who(self, table: Table, token: str | None) -> Guest:
        """Who asks: the holder of the token, or the public."""
        try:
            return self.hall.who(table.id, token, self.desk.identity.new_guest())
        except HallRefusal as no:
            raise refusal(no) from no

    def _spend(self, buckets: Buckets, key: str) -> None:
        try:
            self.desk.spend(buckets, key)
        except Declined as no:
            raise refusal(no) from no

    async def _done(self, table: str, who: Guest, command: m.Commands) -> None:
        """Have a command carried out; raises the refusal."""
        self._spend(self.desk.guests, who.id)
        answer = await self.hall.send(table, who, command)
        if isinstance(answer, m.Refused):
            raise refused(answer)

    def _due(self, table: Table, who: Guest, question: int | None) -> bool:
        """Whether there is something to do for the seat, apart from a question that it knows."""
        if self.hall.table(table.id) is not table:
            return True
        known = question is not None and table.requests.get(who.seat) == question
        return table.status == "over" or (who.seat in table.to_decide() and not known)

    def _question(self, table: Table, who: Guest, most: int = FEW_ACTIONS) -> str:
        """What is asked of the seat, with its number and the legal actions if they are few."""
        view = table.view(who.seat)
        if view is None:
            return "The game has not begun."
        texts = view.legal_actions.texts
        lines = [f"Question {table.requests.get(who.seat, 0)}: {view.prompt()}{self._clock(table, who)}"]
        lines.append(listed(view, texts) if len(texts) <= most or most >= MOST_ACTIONS else _many(texts))
        if not view.over and "offer" not in view.hindrances:
            lines.append(f"You may also offer a trade to {', '.join(view.partners)}: offer_trade.")
        table.look_away()
        return "\n".join(lines)

    def _clock(self, table: Table, who: Guest) -> str:
        deadline = table.deadline(who.seat)
        return "" if deadline is None else f" ({max(0, round(deadline - self.hall.setting.now()))} s left for it)"

    def _news(self, table: Table, who: Guest, since: int | None, most: int = SHORT) -> str:
        """What the seat has not been told yet, as far as there is room for it; or all since a message."""
        stream = table.streams.get(who.seat, [])
        if since is not None:
            return news(table, who.seat, min(max(since, 0), len(stream)), LONG)
        if who.seat is None:  # the public is many
            return news(table, None, 0, min(most, SHORT))
        if len(self._read) > 2 * len(self.hall.every) * 6:
            self._read = {key: read for key, read in self._read.items() if self.hall.has(key[0])}
        before = min(self._read.get((table.id, who.seat), 0), len(stream))
        self._read[table.id, who.seat] = len(stream)
        return news(table, who.seat, before, min(most, SHORT))


def offer_text(give: str, want: str, to: Sequence[str]) -> str:
    """An offer as the text of an action; to nobody in particular is to all."""
    return f"offer {give} : {want} to {' '.join(to) or 'all'}"


def answer_text(offer: int, answer: str, player: str, give: str, want: str) -> str:
    """An answer to an offer as the text of an action."""
    match answer:
        case "accept" | "reject" | "withdraw":
            return f"{answer} #{offer}"
        case "confirm":
            if not player:
                raise Refusal("say with whom: player is the colour of one who has accepted")
            return f"confirm #{offer} {player}"
        case "counter":
            if not (give and want):
                raise Refusal("a counter-offer needs give (what you give) and want (what you get)")
            return f"counter #{offer} {give} : {want}"
    raise Refusal(f"{quoted(answer)} is no answer; choose {', '.join(ANSWERS)}")


def _named(name: str) -> str:
    if not 0 < len(name) <= m.LONGEST_NAME:
        raise Refusal(f"a name has 1 to {m.LONGEST_NAME} characters")
    return name


def _many(texts: Sequence[str]) -> str:
    return f"{len(texts)} actions are legal: legal_actions lists them with numbers."


def _new_id() -> str:
    return secrets.token_urlsafe(12)
