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

import msgspec

from hexholm.game.language.clean_text import quoted_text
from hexholm.game.new_game import game_options
from hexholm.rules.colors import Color
from hexholm.rules.errors import BadInput
from hexholm.rules.setup.editions import EDITIONS
from hexholm.rules.setup.options import Options

from ..storage import StorageError
from ..storage.repositories.assistant_notes import AssistantNotes
from ..table_literals import Visibility
from ..tables.hall.hall import CreatedTable, Hall
from ..tables.running.runner import TableRunner
from ..tables.seats import Guest
from ..tables.table import Table
from ..tables.table_settings import TableSettings
from ..tables.table_terms import TableTerms
from ..wire import messages
from ..wire.api import LONGEST_TITLE
from ..wire.host_refusals import Declined, Refusal
from ..wire.links import seat_link, watch_link
from ..wire.table_sentences import quote, seats_text
from .access import Access
from .briefing import MOST_ACTIONS, briefing_text, numbered_actions
from .news import LONG_NEWS, SHORT_NEWS, news_since
from .refusal_texts import bad_call, table_refusal_text

LONGEST_WAIT: Final = 55.0
"""Seconds; most clients give up on a call after a minute."""
BLINK: Final = 1.0
"""Seconds after which a waiting call looks whether the server stops."""
LONGEST_LOOK: Final = 2400
"""Characters of a look, but for one that asks for old news."""
HEADING: Final = 120
"""Of them for the line above the news."""
LONGEST_NOTES: Final = 4000
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

    def __init__(self, access: Access) -> None:
        self.access = access
        self._read: dict[tuple[str, str], int] = {}
        """How many messages the assistant of a seat has been told, by table and color."""

    @property
    def hall(self) -> Hall:
        """All tables."""
        return self.access.hall

    # --- tables --------------------------------------------------------------------------------------------------

    def tables(self) -> str:
        """The open tables where somebody can sit down, and those where a game goes on; newest first."""
        running = [table for table in self.hall.tables if table.status != "over" and table.opening.visibility == "open"]
        running.sort(key=lambda table: (table.status != "open", -table.created))
        lines = []
        for table in running[:LISTED_TABLES]:
            line, free = table.line(), table.free_seats
            state = f"free seats: {', '.join(free)}" if line.status == "open" and free else line.status
            title = f", called {quote(line.title)}" if line.title else ""
            lines.append(f"{line.id}: {line.edition}, {state}{title}; {seats_text(line)}")
        if len(running) > LISTED_TABLES:
            lines.append(f"... and {len(running) - LISTED_TABLES} more")
        return "\n".join(lines) or "No table is open to everybody; create_table makes one."

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
        visibility: Visibility,
        id: str | None,  # noqa: A002
    ) -> str:
        """A new table with bots and with free seats for people; it begins at once if no seat is free."""
        if edition not in EDITIONS:
            raise bad_call(f"there is no edition {quoted_text(edition)}; there are {', '.join(EDITIONS)}")
        if reserved := [key for key in NO_OPTIONS if key in options]:
            raise bad_call(
                f"{reserved[0]} is not an option here: name the edition, the opponents and the number of people"
            )
        guest_id = self._newcomer(caller, id)
        try:
            self.access.spend("writing", caller.address)
            all_options = {**options, "edition": edition, "players": 1 + len(opponents) + people}
            table_options = game_options(**all_options)
            colors = table_options.colors
            settings = TableSettings(
                creator_name=_check_name(name),
                terms=TableTerms(
                    title=title[:LONGEST_TITLE],
                    ranges=ranges,
                    visibility=visibility,
                ),
                options=table_options,
                bots=dict(zip(colors[1:], opponents, strict=False)),
                creator_color=colors[0],
                begin=not people,
            )
            created_table = await self.access.table_setup.set_up(guest_id, caller.address, id, settings)
            if created_table.token is None:
                raise Declined.because("no_seat_of_yours")
        except (BadInput, TypeError, ValueError) as error:
            raise bad_call(str(error)) from error
        return self._welcome_text(caller, created_table, begun=not people)

    async def join(self, caller: Caller, table_id: str, color: Color, name: str, id: str | None) -> str:  # noqa: A002
        """Sit down on a free seat."""
        guest_id = self._newcomer(caller, id)
        self.access.spend("writing", caller.address)
        runner = await self.access.table_runner(table_id, caller.address, guest_id)
        table = runner.table
        await self.access.check_may_look(table, Guest(guest_id))
        _check_name(name)
        if color not in table.seats:
            raise bad_call(f"there is no seat {quoted_text(color)} here; they are {', '.join(table.colors)}")
        if table.opening.chance_source == "people":
            raise bad_call("people draw for themselves here, and an assistant cannot")
        token = await self.access.table_setup.take_seat(runner, color, guest_id, name, caller.address)
        return self._welcome_text(caller, CreatedTable(table.id, color, token), begun=table.status != "open")

    def _newcomer(self, caller: Caller, id: str | None) -> str:  # noqa: A002
        """A new guest: the same one for the same id, which therefore must be long."""
        if id is not None and not SHORTEST_KEY <= len(id) <= messages.LONGEST_ID:
            raise bad_call(
                f"here an id has {SHORTEST_KEY} to {messages.LONGEST_ID} random characters: it says who you are"
            )
        return self.access.newcomer(id, caller.address)

    def _welcome_text(self, caller: Caller, created_table: CreatedTable, *, begun: bool) -> str:
        assert created_table.token is not None
        watch = watch_link(caller.base, created_table.id)
        table = self.hall.loaded(created_table.id).table
        if begun:
            next_step = "The game has begun: call look, then legal_actions."
        elif table.creator_id == table.seats[created_table.color or ""].guest_id:
            next_step = f"Free seats: {', '.join(table.free_seats)}. People sit down at {watch}; then call begin_game."
        else:
            next_step = "The table's creator begins the game: call wait_for_turn."
        return (
            f"You are {created_table.color} at table {created_table.id}. "
            f"Your token, which only you should know: {created_table.token}\n"
            f"Your seat in a browser: {seat_link(caller.base, created_table.id, created_table.token)}\n"
            f"Anyone with this link can find the table: {watch}\n{next_step}"
        )

    async def begin(self, caller: Caller, table_id: str, token: str) -> str:
        """Begin the game; for the one who set up the table."""
        runner, guest = await self._find_seat(caller, table_id, token)
        await self._carry_out(caller, runner, guest, messages.Begin(id=_new_call_id()))
        return f"The game has begun.\n{self._question_text(runner.table, guest)}"

    async def options_of(self, caller: Caller, table_id: str, token: str | None) -> Options:
        """What a table plays by, for those who may look at it."""
        runner = await self._find_table(caller, table_id, token)
        await self.access.check_may_look(runner.table, self._identify(caller, runner, token))
        return runner.table.options

    # --- looking -------------------------------------------------------------------------------------------------

    async def look(self, caller: Caller, table_id: str, token: str | None, since: int | None) -> str:
        """Where the game stands, and what has happened since the last look, or since a message."""
        runner = await self._find_table(caller, table_id, token)
        table, guest = runner.table, self._identify(caller, runner, token)
        await self.access.check_may_look(table, guest)
        view = table.view(guest.color)
        if view is None:
            news_text = self._news_text(table, guest, since)
            return f"{news_text}\n\nThe game has not begun. At the table: {seats_text(table.line())}."
        text = briefing_text(view, ranges=table.opening.ranges) + self._clock_text(table, guest)
        return f"{self._news_text(table, guest, since, LONGEST_LOOK - HEADING - len(text))}\n\n{text}"

    async def actions(self, caller: Caller, table_id: str, token: str) -> str:
        """What the seat may do now, numbered."""
        runner, guest = await self._find_seat(caller, table_id, token)
        return self._question_text(runner.table, guest, most=MOST_ACTIONS)

    async def why(self, caller: Caller, table_id: str, token: str, action: str) -> str:
        """Whether the seat may play an action, and if not why not."""
        runner, guest = await self._find_seat(caller, table_id, token)
        try:
            question = messages.Why(id=_new_call_id(), action=action)
            answer = await self.access.why(runner, guest, question, sender_id=guest.id, address=caller.address)
        except Declined as error:
            raise bad_call(table_refusal_text(error.refusal)) from error
        rule = f" ({answer.rule}: look_up_rule tells more)" if answer.rule else ""
        return f"{quoted_text(action)} is legal now." if answer.legal else f"Not legal now: {answer.message}{rule}"

    async def wait(self, caller: Caller, table_id: str, token: str, seconds: float, question: int | None) -> str:
        """Until the seat is asked (something else than `question`), or the game is over; or so many seconds."""
        runner, guest = await self._find_seat(caller, table_id, token)
        dismissals: list[Refusal] = []
        with self.access.of_waiting_call(runner, guest, caller.address, dismissals.append):
            end, ready = asyncio.get_running_loop().time() + min(max(seconds, 0.0), LONGEST_WAIT), False
            table, feed = runner.table, runner.feed(guest)
            try:
                while (
                    not (ready := self._has_something_to_do(runner, table, guest, question))
                    and feed.reason is None
                    and not (self.access.stopping or dismissals)
                ):
                    seconds_left = end - asyncio.get_running_loop().time()
                    if seconds_left <= 0:
                        break
                    try:
                        async with asyncio.timeout(min(seconds_left, BLINK)):
                            await feed.bundle()
                    except TimeoutError:
                        continue
            finally:
                feed.close()
        if feed.reason == "kicked":
            raise bad_call("that seat is no longer yours")
        if dismissals and not ready:
            raise Declined(dismissals[0])
        table = runner.table  # it may have been read again from its log
        news_text = self._news_text(table, guest, None)
        if table.status == "over":
            return f"{news_text}\n\nThe game is over; look shows how it ended."
        if not ready:
            return f"{news_text}\n\nNothing is asked of you yet; call wait_for_turn again."
        return f"{news_text}\n\n{self._question_text(table, guest)}"

    # --- doing ---------------------------------------------------------------------------------------------------

    async def act(
        self,
        caller: Caller,
        table_id: str,
        token: str,
        action: str | None,
        number: int | None,
        question: int | None,
        id: str | None,  # noqa: A002
    ) -> str:
        """Play an action: by its text, or by its number in the list of a question."""
        runner, guest = await self._find_seat(caller, table_id, token)
        if (action is None) == (number is None):
            raise bad_call("say the action, or its number together with the number of the question; not both")
        if number is not None:
            if question is None:
                raise bad_call("name the question too: its number stands above the list of legal actions")
            action = self._action_of_number(runner.table, guest, number, question)
        assert action is not None
        return await self._play(
            caller, runner, guest, messages.Act(id=id or _new_call_id(), action=action, question_number=question)
        )

    def _action_of_number(self, table: Table, guest: Guest, number: int, question: int) -> str:
        """The action of that number. Where the question is another one, the table says so, or that it was done."""
        if table.by_eyes[guest.color].question_number != question:
            return NO_ACTION
        view = table.view(guest.color)
        texts = [] if view is None else view.legal_actions.texts
        if not 0 < number <= len(texts):
            raise bad_call(f"there is no action {number}; question {question} has {len(texts)}, numbered from 1")
        return texts[number - 1]

    async def trade(self, caller: Caller, table_id: str, token: str, action: str, id: str | None) -> str:  # noqa: A002
        """An offer or an answer to one, as the text of the action."""
        runner, guest = await self._find_seat(caller, table_id, token)
        return await self._play(caller, runner, guest, messages.Act(id=id or _new_call_id(), action=action))

    async def _play(self, caller: Caller, runner: TableRunner, guest: Guest, command: messages.Act) -> str:
        await self._carry_out(caller, runner, guest, command)
        table = runner.table
        return f"Done.\n{self._news_text(table, guest, None)}\n\n{self._question_text(table, guest)}"

    async def say(self, caller: Caller, table_id: str, token: str, text: str, id: str | None) -> str:  # noqa: A002
        """Say something to everybody at the table."""
        runner, guest = await self._find_seat(caller, table_id, token)
        await self._carry_out(caller, runner, guest, messages.Say(id=id or _new_call_id(), text=text))
        return "Said."

    # --- notes ---------------------------------------------------------------------------------------------------

    async def read_notes(self, caller: Caller, table_id: str, token: str) -> str:
        """What the seat has noted for itself."""
        runner, guest = await self._find_seat(caller, table_id, token)
        try:
            return (
                await AssistantNotes(self.access.storage).read(runner.table.id, guest.id)
                or "There are no notes yet; write_notes makes some."
            )
        except StorageError as error:
            raise bad_call("the notes cannot be read; try again soon") from error

    async def write_notes(self, caller: Caller, table_id: str, token: str, text: str) -> str:
        """Put notes in place of those that were there."""
        runner, guest = await self._find_seat(caller, table_id, token)
        if len(text) > LONGEST_NOTES:
            raise bad_call(f"notes have at most {LONGEST_NOTES} characters, not {len(text)}; nothing has changed")
        self.access.spend("guests", guest.id)
        try:
            await AssistantNotes(self.access.storage).write(
                runner.table.id, guest.id, text.encode(errors="replace").decode().replace("\0", "?")
            )
        except StorageError as error:
            raise bad_call("the notes cannot be stored; try again soon") from error
        return f"Noted, {len(text)} characters."

    # --- small parts ---------------------------------------------------------------------------------------------

    async def _find_table(self, caller: Caller, table_id: str, token: str | None) -> TableRunner:
        """A table for the holder of the token, or for the public."""
        return await self.access.table_runner(
            table_id, caller.address, self.access.newcomer(None, caller.address), token
        )

    async def _find_seat(self, caller: Caller, table_id: str, token: str) -> tuple[TableRunner, Guest]:
        """A table and who asks there: somebody with a seat."""
        runner = await self._find_table(caller, table_id, token)
        return runner, self._identify(caller, runner, token)

    def _identify(self, caller: Caller, runner: TableRunner, token: str | None) -> Guest:
        """Who asks: the holder of the token, or the public."""
        return self.access.identify(runner, token, self.access.newcomer(None, caller.address), caller.address)

    async def _carry_out(
        self, caller: Caller, runner: TableRunner, guest: Guest, command: messages.TableCommand
    ) -> None:
        """Have a command carried out; raises the refusal."""
        size = len(msgspec.json.encode(command))
        try:
            await self.access.carry_out(runner, guest, command, sender_id=guest.id, address=caller.address, size=size)
        except Declined as error:
            raise bad_call(table_refusal_text(error.refusal)) from error

    def _has_something_to_do(self, runner: TableRunner, table: Table, guest: Guest, question: int | None) -> bool:
        """Whether there is something to do for the seat, apart from a question that it knows."""
        if runner.table is not table:
            return True
        already_known = question is not None and table.by_eyes[guest.color].question_number == question
        return table.status == "over" or (guest.color in table.asked_colors() and not already_known)

    def _question_text(self, table: Table, guest: Guest, most: int = FEW_ACTIONS) -> str:
        """What is asked of the seat, with its number and the legal actions if they are few."""
        view = table.view(guest.color)
        if view is None:
            return "The game has not begun."
        texts = view.legal_actions.texts
        number = table.by_eyes[guest.color].question_number
        lines = [f"Question {number}: {view.prompt_text()}{self._clock_text(table, guest)}"]
        lines.append(
            numbered_actions(view, texts) if len(texts) <= most or most >= MOST_ACTIONS else _count_text(texts)
        )
        if not view.over and "offer" not in view.hindrances:
            lines.append(f"You may also offer a trade to {', '.join(view.partners)}: offer_trade.")
        return "\n".join(lines)

    def _clock_text(self, table: Table, guest: Guest) -> str:
        deadline = table.deadline(guest.color)
        return "" if deadline is None else f" ({max(0, round(deadline - self.hall.services.now()))} s left for it)"

    def _news_text(self, table: Table, guest: Guest, since: int | None, most: int = SHORT_NEWS) -> str:
        """What the seat has not been told yet, as far as there is room for it; or all since a message."""
        stream = table.by_eyes[guest.color].stream
        if since is not None:
            return news_since(table, guest.color, min(max(since, 0), len(stream)), LONG_NEWS)
        if guest.color is None:  # the public is many
            return news_since(table, None, 0, min(most, SHORT_NEWS))
        if len(self._read) > 2 * len(self.hall.tables) * 6:
            self._read = {key: read for key, read in self._read.items() if self.hall.has(key[0])}
        read_before = min(self._read.get((table.id, guest.color), 0), len(stream))
        self._read[table.id, guest.color] = len(stream)
        return news_since(table, guest.color, read_before, min(most, SHORT_NEWS))


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
                raise bad_call("say whom to trade with: player is the color of somebody who has accepted")
            return f"confirm #{offer} {player}"
        case "counter":
            if not (give and want):
                raise bad_call("a counteroffer needs give (what you give) and want (what you get)")
            return f"counter #{offer} {give} : {want}"
    raise bad_call(f"{quoted_text(answer)} is not an answer; choose {', '.join(ANSWERS)}")


def _check_name(name: str) -> str:
    if not 0 < len(name) <= messages.LONGEST_NAME:
        raise bad_call(f"a name has 1 to {messages.LONGEST_NAME} characters")
    return name


def _count_text(texts: Sequence[str]) -> str:
    return f"{len(texts)} actions are legal: legal_actions lists them with numbers."


def _new_call_id() -> str:
    return secrets.token_urlsafe(12)
