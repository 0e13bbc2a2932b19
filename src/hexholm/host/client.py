"""A client in Python for bots, tests and tools. It needs msgspec and websockets, but nothing of the server.

    client = Client("http://127.0.0.1:8000")
    mine = await client.create("Ann", seats={"blue": "easy", "white": "easy", "orange": "easy"})
    async with client.join(mine.table.id, mine.token) as table:
        await table.begin()
        async for now in table.questions():
            await table.act(now.legal[0])

It reconnects by itself: it sends unanswered commands again under their old ids, and messages continue after the last
one seen, so nothing is lost, doubled or out of order.
"""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import itertools
import random
import secrets
from collections import deque
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any, Final, Self, TypeVar
from urllib.parse import quote, urlsplit

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from hexholm.rules.colors import Color
from hexholm.rules.errors import BadInput

from .wire import api, messages
from .wire.host_refusals import Declined, Refusal, RefusalCode
from .wire.links import read_link, read_share_link

__all__ = ["Client", "Declined", "Joined", "Lost", "Refusal", "read_link", "read_share_link"]

ANSWER_PATIENCE: Final = 60.0
"""Seconds without the server before a client gives up."""
RESEND_AFTER: Final = 3.0
"""Seconds without an answer before a command is sent again."""
SLOW_DOWN: Final = 0.5
"""Seconds to wait after a refusal for too many requests."""
MOST_SENDINGS: Final = 20
MOST_REQUESTS: Final = 5
"""How often a request is made while the server is busy."""
LARGEST_ANSWER: Final = 8 * 1024 * 1024
FINAL_CODES: Final[dict[int, RefusalCode]] = {
    4400: "not_readable",
    4403: "not_allowed",
    4404: "not_found",
    1009: "too_large",
}
"""Codes after which coming back would not help, and what they say."""
TURNED_AWAY: Final = 4000
"""Codes above are those of a server that does not let us in; it has said why before."""
PASSING_CODES: Final = ("too_much", "busy", "failed", "not_ready")
"""Why one is turned away who may well come back later."""
Decoded = TypeVar("Decoded")
_outgoing = msgspec.json.Decoder(api.Outgoing).decode
_NEW_TABLE_FIELDS: Final = dict(zip(api.NewTable.__struct_encode_fields__, api.NewTable.__struct_fields__, strict=True))


class Lost(ConnectionError):
    """The server cannot be reached, or refuses the connection for good."""


class _TurnedAway(ConnectionRefusedError):
    """The server lets us in later."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal


def _pause_of(refusal: Refusal) -> float:
    """Seconds until one comes back: not all at the same moment."""
    return float(refusal.values.get("retry_after", 2 * SLOW_DOWN)) * (0.5 + random.random())


class Client:
    """A guest of one server. Keep `cookie` to be the same guest next time."""

    def __init__(self, url: str, *, cookie: str | None = None, timeout: float = 30.0) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise BadInput(f"{url}: name a server as in http://127.0.0.1:8000")
        self.url = f"{parts.scheme}://{parts.netloc}"
        self.cookie = cookie
        self._cookie_name = api.HOST_COOKIE if url.startswith("https") else api.COOKIE
        """Over TLS it is taken from this host alone; a server behind that says so by the name it gives."""
        self.timeout = timeout

    async def create(self, name: str, **how: Any) -> api.SeatTaken:
        """Set up a table and sit down at it; keywords are the keys of `api.NewTable` on the wire."""
        fields = {_NEW_TABLE_FIELDS.get(key, key): value for key, value in how.items()}
        return await self._call("POST", "/api/tables", api.SeatTaken, body=api.NewTable(name=name, **fields))

    async def take(self, table: str, seat: Color, name: str) -> api.SeatTaken:
        """Sit down on a free seat, named by its color."""
        path = f"/api/tables/{quote(table)}/seats/{quote(seat)}"
        return await self._call("POST", path, api.SeatTaken, body=api.TakeSeat(name=name))

    async def tables(self, status: str | None = None) -> tuple[messages.TableLine, ...]:
        """The lobby: open tables that are not over. Unlisted tables can be found only by their link."""
        answer = await self._call("GET", "/api/tables" + (f"?status={status}" if status else ""), api.TableList)
        return answer.tables

    async def table(self, table: str, token: str | None = None, *, share: str | None = None) -> api.TableAnswer:
        """A table and its board, as a seat or the public sees it.

        `share`: the secret in a link that shows a finished game, as `read_share_link` reads it.
        """
        return await self._call("GET", f"/api/tables/{quote(table)}", api.TableAnswer, token=token, share=share)

    async def record(self, table: str, token: str | None = None, *, share: str | None = None) -> str:
        """The record of a game as text; a finished game's only for its players and those to whom they show it."""
        raw = await self._request("GET", f"/api/tables/{quote(table)}/record", token=token, share=share)
        return raw.decode()

    async def show(self, table: str, token: str | None = None) -> str:
        """A link that shows a finished game of this guest to others; an earlier link stops working."""
        answer = await self._call("POST", f"/api/tables/{quote(table)}/share", api.ShareAnswer, token=token)
        return answer.link or ""

    async def take_back(self, table: str, token: str | None = None) -> None:
        """Stop showing a finished game to others."""
        await self._call("DELETE", f"/api/tables/{quote(table)}/share", api.ShareAnswer, token=token)

    def join(self, table: str, token: str | None = None, *, since: int | None = None, **how: Any) -> Joined:
        """A seat's connection to its table; without a token, a spectator's connection."""
        return Joined(self, table, token, since, **how)

    async def _call(
        self,
        method: str,
        path: str,
        answer_type: type[Decoded],
        *,
        body: Any = None,
        token: str | None = None,
        share: str | None = None,
    ) -> Decoded:
        raw = await self._request(method, path, body=body, token=token, share=share)
        return msgspec.json.decode(raw, type=answer_type)

    async def _request(
        self, method: str, path: str, *, body: Any = None, token: str | None = None, share: str | None = None
    ) -> bytes:
        credentials = f"Bearer {token}" if token is not None else None if share is None else f"Share {share}"
        for tries in itertools.count(1):
            status, raw = await asyncio.to_thread(self._http, method, path, body, credentials)
            if status < 400:
                return raw
            try:
                refusal = Refusal.of_wire(msgspec.json.decode(raw, type=api.Failure).error)
            except msgspec.MsgspecError:
                raise Lost(f"{self.url} answered with status {status}") from None
            if refusal.code != "busy" or tries >= MOST_REQUESTS:
                raise Declined(refusal)
            await asyncio.sleep(_pause_of(refusal))  # nothing was done
        raise AssertionError("unreachable")

    @property
    def cookie_header(self) -> dict[str, str]:
        """The header that identifies this guest."""
        return {"Cookie": f"{self._cookie_name}={self.cookie}"} if self.cookie else {}

    def _http(self, method: str, path: str, body: Any, credentials: str | None) -> tuple[int, bytes]:
        """One request; runs in a thread."""
        parts = urlsplit(self.url)
        connection_type = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        headers = self.cookie_header
        if credentials is not None:
            headers["Authorization"] = credentials
        data = None
        if body is not None:
            data, headers["Content-Type"] = msgspec.json.encode(body), "application/json"
        with contextlib.closing(connection_type(parts.netloc, timeout=self.timeout)) as line:
            try:
                line.request(method, path, data, headers)
                answer = line.getresponse()
                for cookie in answer.headers.get_all("Set-Cookie", []):
                    name, _, value = cookie.partition(";")[0].partition("=")
                    if name in (api.COOKIE, api.HOST_COOKIE):
                        self._cookie_name, self.cookie = name, value
                raw = answer.read(LARGEST_ANSWER)
                if answer.length:  # what is left; `read` with a limit does not mind
                    raise http.client.IncompleteRead(raw, answer.length)
                return answer.status, raw
            except (OSError, http.client.HTTPException) as error:
                raise Lost(f"{self.url} cannot be reached: {error}") from error


@dataclass(slots=True)
class _PendingCommand:
    """A command without an answer yet."""

    text: str
    answer: asyncio.Future[Any]
    times_sent: int = 0


class Joined:
    """A connection to a table, for `async with`: what is known about the table, and what you can do there.

    `table` and `projection` are always current. `async for message in joined` yields the numbered messages, each once
    and in order, and the newest `Now` when all are read; `questions` yields the projection whenever the seat must
    decide something. One task may read while another answers.
    """

    def __init__(
        self, client: Client, table: str, token: str | None, since: int | None, *, patience: float = ANSWER_PATIENCE
    ) -> None:
        self.client, self.id, self.token, self.patience = client, table, token, patience
        self.number = 0 if since is None else since
        """The number of the last message seen."""
        self.reconnected = 0
        """How often the connection was lost and found again."""
        self.lost = 0
        """How many messages were seen that the server knows no more: its storage was damaged."""
        self.repeated = 0
        """How often a command was sent once more."""
        self._since = since
        self._greeting_at = 0  # the latest number as the greeting said
        self.present = messages.Present(seats=(), watching=0)
        """Who is there."""
        self._table: messages.TableLine | None = None
        self.projection: messages.Projection | None = None
        self._seen_number = 0  # the latest number that the newest projection contains
        self._answered_number = 0  # the number of the last answer
        self._fresh = False  # the projection was not given as a question yet
        self._unread = False  # nor to a reader of messages
        self._news: deque[messages.Numbered] = deque()
        self._waiting: dict[str, _PendingCommand] = {}
        self._changed = asyncio.Condition()
        self._socket: ClientConnection | None = None
        self._task: asyncio.Task[None] | None = None
        self._error: Exception | None = None
        self._ids, self._count = secrets.token_hex(6), 0

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._run())
        try:
            await self._until(lambda: self._table is not None)
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Disconnect. The seat stays taken; return with the token."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    # --- looking -------------------------------------------------------------------------------------------------

    @property
    def table(self) -> messages.TableLine:
        """Who sits there, and what everybody may know."""
        assert self._table is not None, "use it within `async with`"
        return self._table

    @property
    def over(self) -> bool:
        """Whether the game has ended, or the table before it began."""
        if self.projection is None:
            return self._table is not None and self._table.status == "over"
        return bool(self.projection.view["over"])

    @property
    def behind(self) -> bool:
        """Whether there are numbered messages that are unread or must still be on their way."""
        return bool(self._news) or self.number < self._seen_number

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> messages.Told | messages.Chatted | messages.Changed | messages.Now:
        await self._until(lambda: bool(self._news) or (self._unread and not self.behind))
        if self._news:
            return self._news.popleft()
        assert self.projection is not None
        self._unread = False
        return messages.Now(projection=self.projection, number=self._seen_number)

    async def questions(self) -> AsyncIterator[messages.Projection]:
        """What the seat sees and may do, whenever it must decide something. Ends with the game.

        After a refused action, the question comes again.
        """
        while True:
            await self._until(self._has_question_or_is_over)
            if self.over or self.projection is None:
                return
            self._fresh = False
            yield self.projection

    def _has_question_or_is_over(self) -> bool:
        projection = self.projection
        is_asked = (
            projection is not None and projection.asked and self._fresh and self._seen_number >= self._answered_number
        )
        return is_asked or self.over

    async def until(self, true: Callable[[Joined], bool]) -> None:
        """Wait until a condition is true for this table."""
        await self._until(lambda: true(self))

    async def _until(self, true: Callable[[], bool]) -> None:
        async with self._changed:
            await self._changed.wait_for(lambda: self._error is not None or true())
        if self._error is not None and not true():
            raise self._error

    # --- doing ---------------------------------------------------------------------------------------------------

    async def act(self, action: str, question_number: int | None = None) -> messages.Done:
        """Play an action; by default it answers the current question. Raises Declined."""
        if question_number is None and self.projection is not None:
            question_number = self.projection.question_number
        return await self.send(messages.Act(id=self.new_id(), action=action, question_number=question_number))

    async def say(self, text: str) -> messages.Done:
        """Write in the table's chat."""
        return await self.send(messages.Say(id=self.new_id(), text=text))

    async def begin(self) -> messages.Done:
        """Begin the game."""
        return await self.send(messages.Begin(id=self.new_id()))

    async def put(self, seat: Color, bot: str | None) -> messages.Done:
        """Put a bot on a seat, or (None) empty the seat."""
        return await self.send(messages.SeatBot(id=self.new_id(), color=seat, bot_name=bot))

    async def deal(self, outcome: str, number: int | None = None) -> messages.Done:
        """Enter what came out at the real table, such as `dice 3 4`, to answer the question. Raises Declined."""
        if number is None:
            question = None if self.projection is None else self.projection.chance_question
            number = 0 if question is None else question.number  # the server says that nothing is asked
        return await self.send(messages.Deal(id=self.new_id(), outcome=outcome, number=number))

    async def take_back(self) -> messages.Done:
        """Take back the last action, with its outcome. Raises Declined."""
        return await self.send(messages.TakeBack(id=self.new_id(), number=max(self.number, self._seen_number)))

    async def why(self, action: str) -> messages.WhyAnswer:
        """Whether the seat may play an action, and if not, why. Raises Declined for a text that is not an action."""
        answer: messages.WhyAnswer = await self._send(messages.Why(id=self.new_id(), action=action))
        return answer

    def new_id(self) -> str:
        """An id for a command, never used before."""
        self._count += 1
        return f"{self._ids}-{self._count}"

    async def send(self, command: messages.TableCommand) -> messages.Done:
        """Send any command and wait for the answer, even if the connection breaks meanwhile. Raises Declined."""
        for tries in itertools.count():
            try:
                done: messages.Done = await self._send(command)
            except Declined as error:
                code = error.refusal.code
                may_repeat = code == "busy" or (code == "too_much" and not isinstance(command, messages.Say))
                if may_repeat and tries < MOST_SENDINGS:
                    await asyncio.sleep(_pause_of(error.refusal))
                    continue
                self._fresh = True
                raise
            if isinstance(
                command, messages.Act | messages.Deal | messages.TakeBack
            ):  # what is seen next has its effect in it
                self._answered_number = done.number
            return done
        raise AssertionError("unreachable")

    async def _send(self, command: messages.TableCommand | messages.Why) -> Any:
        pending = _PendingCommand(msgspec.json.encode(command).decode(), asyncio.get_running_loop().create_future())
        self._waiting[command.id] = pending
        try:
            while True:
                if self._error is not None:
                    raise self._error
                if self._socket is not None:  # else it is sent when there is one
                    with contextlib.suppress(ConnectionClosed):
                        await self._transmit(pending, self._socket)
                with contextlib.suppress(TimeoutError):
                    return await asyncio.wait_for(asyncio.shield(pending.answer), RESEND_AFTER)
        finally:
            self._waiting.pop(command.id, None)

    async def _transmit(self, pending: _PendingCommand, socket: ClientConnection) -> None:
        self.repeated += pending.times_sent > 0
        pending.times_sent += 1
        await socket.send(pending.text)

    # --- the connection ------------------------------------------------------------------------------------------

    async def _run(self) -> None:
        """Connect, listen, connect again; until nobody wants it or the server does not want us."""
        loop = asyncio.get_running_loop()
        tries, lost_since = 0, loop.time()
        try:
            while True:
                try:
                    await self._listen()
                except (ConnectionClosed, InvalidHandshake, OSError, TimeoutError) as error:
                    self._raise_if_final(error)
                    if self._socket is not None:
                        tries, lost_since = 0, loop.time()
                        self.reconnected += 1
                    if isinstance(error, _TurnedAway):
                        await asyncio.sleep(_pause_of(error.refusal))
                finally:
                    self._socket = None
                if loop.time() - lost_since > self.patience:
                    raise Lost(f"{self.client.url} cannot be reached")
                await asyncio.sleep(min(2.0, 0.05 * 2**tries) * (0.5 + random.random()))
                tries += 1
        except Exception as error:  # whoever waits for something is told
            await self._fail(error)

    async def _listen(self) -> None:
        url = self.client.url.replace("http", "ws", 1) + f"/ws/tables/{quote(self.id)}"
        headers = self.client.cookie_header
        async with connect(
            url, additional_headers=headers, max_size=LARGEST_ANSWER, compression=None, proxy=None, open_timeout=10
        ) as socket:
            since = self._since if self._table is None else self.number
            greeting = api.Greeting(protocol=messages.PROTOCOL_VERSION, token=self.token, since=since)
            await socket.send(msgspec.json.encode(greeting).decode())
            refused: messages.Refused | None = None
            try:
                async for raw in socket:
                    message = _outgoing(raw)
                    if isinstance(message, messages.Refused) and (self._socket is None or message.id is None):
                        refused = message  # if it turns us away, it closes the connection now
                    elif self._socket is None:
                        self._read_greeting(message)
                        self._socket = socket
                        for pending in list(self._waiting.values()):
                            await self._transmit(pending, socket)
                    elif not self._read_message(message):
                        raise ConnectionResetError("a message is missing")  # coming back brings it
                    async with self._changed:
                        self._changed.notify_all()
            except ConnectionClosed as error:
                if refused is not None and error.rcvd is not None and error.rcvd.code > TURNED_AWAY:
                    raise self._rejection(refused) from error
                raise
            except asyncio.CancelledError:
                await socket.close()  # we leave; else the library says that something went wrong here
                raise
            raise ConnectionResetError("the server ended the connection")

    def _rejection(self, refused: messages.Refused) -> Exception:
        """What it means: who was here before waits where that may help."""
        refusal = Refusal.of_wire(refused)
        if refusal.code == "busy" or (self._table is not None and refusal.code in PASSING_CODES):
            return _TurnedAway(refusal)
        return Declined(refusal)

    def _read_greeting(self, message: api.Outgoing) -> None:
        if not isinstance(message, messages.Hello):
            raise ConnectionResetError("the server did not say hello")
        if self._table is None and self._since is None:
            self.number = message.number
        elif message.number < self.number:
            self.lost += self.number - message.number
            self.number = message.number
        self._table, self._greeting_at, self.present = message.table, message.number, message.present
        self.projection, self._seen_number = message.projection, message.number  # what is told of the past is older
        self._fresh = True
        self._unread = message.projection is not None

    def _read_message(self, message: api.Outgoing) -> bool:
        """Take a message in; False: one before it is missing."""
        match message:
            case messages.Told() | messages.Chatted() | messages.Changed():
                if message.number <= self.number:
                    return True
                if message.number > self.number + 1:
                    return False
                self.number = message.number
                if isinstance(message, messages.Changed) and message.number > self._greeting_at:
                    self._table = message.table
                self._news.append(message)
            case messages.Now():
                seen_question = 0 if self.projection is None else self.projection.question_number
                at, question_number = message.number or self.number, message.projection.question_number
                if (at, question_number) >= (self._seen_number, seen_question):  # else an old one that comes late
                    self.projection, self._seen_number = message.projection, at
                    self._fresh = self._unread = True
            case messages.Present():
                self.present = message
            case messages.Done() | messages.WhyAnswer():
                self._answer(message.id, message, None)
            case messages.Refused():
                self._answer(message.id, None, Declined(Refusal.of_wire(message)))
            case _:
                pass
        return True

    def _answer(
        self, command_id: str | None, answer: messages.Done | messages.WhyAnswer | None, declined: Declined | None
    ) -> None:
        pending = self._waiting.get(command_id or "")
        if pending is None or pending.answer.done():
            return
        if answer is not None:
            pending.answer.set_result(answer)
        elif declined is not None:
            pending.answer.set_exception(declined)

    def _raise_if_final(self, error: Exception) -> None:
        """Whether coming back would help; if not, raise."""
        if isinstance(error, InvalidStatus) and error.response.status_code in (403, 404, 421):
            try:
                problem = msgspec.json.decode(error.response.body or b"", type=api.Failure).error
            except msgspec.MsgspecError:
                raise Lost(f"{self.client.url} refuses the connection") from error
            raise Declined(Refusal.of_wire(problem)) from error
        if isinstance(error, ConnectionClosed) and error.rcvd is not None and error.rcvd.code in FINAL_CODES:
            raise Declined(Refusal(FINAL_CODES[error.rcvd.code], error.rcvd.reason)) from error

    async def _fail(self, error: Exception) -> None:
        self._error = error
        for pending in self._waiting.values():
            if not pending.answer.done():
                pending.answer.set_exception(error)
                pending.answer.exception()  # whoever waits gets it; if nobody does, that is no accident
        async with self._changed:
            self._changed.notify_all()
