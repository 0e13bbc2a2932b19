"""Feeds and the short way out of a socket: nothing is lost, doubled or out of order, whichever way it takes."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import msgspec
import pytest
from websockets.frames import Frame
from websockets.streams import StreamReader

from hexholm.host.tables.audience import feeds
from hexholm.host.tables.audience.feeds import MISSED_AT_ONCE, Bundle, Feed
from hexholm.host.tables.seats import Guest
from hexholm.host.web.admission.limits import Limits
from hexholm.host.web.operations.settings import Settings
from hexholm.host.web.sockets import CloseConnection, Connection
from hexholm.host.wire import messages
from hexholm.host.wire.frames import frame_messages
from tests.host.halls import open_party, set_up

pytestmark = pytest.mark.waits


def chat(number: int, text: str = "") -> messages.Chatted:
    return messages.Chatted(number=number, time=1.0, by="red", text=text)


async def hello() -> messages.Hello:
    """A true one."""
    async with open_party() as p:
        await set_up(p)
        message = await anext(p.feed("red"))
        assert isinstance(message, messages.Hello)
        return message


class Pipe:
    """The way out, that can be closed or blocked."""

    def __init__(self) -> None:
        self.open, self.free = True, asyncio.Event()
        self.free.set()
        self.written: list[bytes] = []

    @property
    def ready(self) -> bool:
        return self.open and self.free.is_set()

    def push(self, frames: bytes) -> bool:
        if self.open:
            self.written.append(frames)
        return self.open

    async def wait_until_drained(self) -> None:
        await self.free.wait()

    @property
    def numbers(self) -> list[int]:
        """The numbers of the messages that were written."""
        return [data["number"] for data in read(b"".join(self.written)) if data["type"] == "chatted"]


def read(raw: bytes) -> list[Any]:
    """Frames as another library reads them."""
    stream, received = StreamReader(), []
    stream.feed_data(raw)
    stream.feed_eof()
    while not next(_run(stream.at_eof())):
        frame = next(_run(Frame.parse(stream.read_exact, mask=False)))
        assert frame.fin
        received.append(msgspec.json.decode(frame.data))
    return received


def _run(steps: Any) -> Any:
    """What a generator that needs no more data returns."""
    try:
        next(steps)
    except StopIteration as error:
        yield error.value


class Context:
    """As much of one as a writer needs."""

    def __init__(self) -> None:
        class Count:
            def inc(self, _n: int = 1) -> None: ...
            def observe(self, _n: int) -> None: ...

        self.settings = Settings(limits=Limits(sending_seconds=0.05))
        self.metrics = type("Metrics", (), {"sent": Count(), "unread": Count()})()

    def address(self, _socket: object) -> str:
        return "nowhere"


@pytest.mark.parametrize("size", [0, 20, 100, 125, 126, 127, 1000, 65_000, 65_536, 70_000])
def test_frames_are_read_by_others_as_they_were_meant(size: int) -> None:
    sent = (chat(1, "x" * size), chat(2), chat(3, "é" * size))
    assert [data["text"] for data in read(frame_messages(sent))] == ["x" * size, "", "é" * size]


def test_messages_told_together_are_encoded_once_for_all_feeds() -> None:
    bundle = Bundle((chat(1), chat(2)))
    assert bundle.frames is bundle.frames
    assert [data["number"] for data in read(bundle.frames)] == [1, 2]


def test_what_was_missed_is_encoded_some_at_a_time_and_many_of_it_beside_the_event_loop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    encoded: list[tuple[int, bool]] = []

    def note(sent: tuple[Any, ...]) -> bytes:
        encoded.append((len(sent), threading.current_thread() is threading.main_thread()))
        return frame_messages(sent)

    monkeypatch.setattr(feeds, "frame_messages", note)

    async def run() -> None:
        pipe, missed = Pipe(), [chat(number) for number in range(1, 10 * MISSED_AT_ONCE + 6)]
        feed = Feed(Guest("ann", "red"), await hello(), missed)
        writing = asyncio.create_task(Connection(Context(), None, "ann", pipe)._write(feed))  # type: ignore[arg-type]
        for _ in range(5000):
            if len(pipe.numbers) == len(missed):
                break
            await asyncio.sleep(0.001)
        assert pipe.numbers == list(range(1, len(missed) + 1))
        writing.cancel()

    asyncio.run(run())
    assert encoded == [*[(MISSED_AT_ONCE, False)] * 10, (6, True)]


def test_a_reader_gets_everything_in_order_whether_it_keeps_up_or_not() -> None:
    async def run() -> None:
        pipe = Pipe()
        missed = [chat(number) for number in range(1, 2 * MISSED_AT_ONCE + 6)]
        feed = Feed(Guest("ann", "red"), await hello(), missed)
        line = Connection(Context(), None, "ann", pipe)  # type: ignore[arg-type]
        line.limits = Limits(sending_seconds=5)
        told_count = len(missed)

        def tell() -> None:
            nonlocal told_count
            told_count += 1
            feed.tell(Bundle((chat(told_count),)))

        tell()  # while the reader has not even begun
        writing = asyncio.create_task(line._write(feed))
        for step in range(200):
            if step % 40 == 10:
                pipe.free.clear()
            if step % 40 == 25:
                pipe.free.set()
                tell()  # when it is free again, and the writer has not woken yet
            if step % 3 == 0:
                await asyncio.sleep(0)
            tell()
        pipe.free.set()
        await asyncio.sleep(0.01)
        assert pipe.numbers == list(range(1, told_count + 1))
        assert feed.unread == 0
        tell()
        assert pipe.numbers[-1] == told_count, "who has everything is told at once"
        feed.close("kicked")
        with pytest.raises(CloseConnection):
            await writing

    asyncio.run(run())


def test_what_is_told_in_the_moment_when_the_way_is_free_again_does_not_overtake() -> None:
    async def run() -> None:
        pipe = Pipe()
        feed = Feed(Guest("ann", "red"), await hello(), [chat(1), chat(2)])
        pipe.free.clear()
        writing = asyncio.create_task(Connection(Context(), None, "ann", pipe)._write(feed))  # type: ignore[arg-type]
        for number in (3, 4, 5):
            await asyncio.sleep(0.001)  # the writer has taken all there was, and waits
            pipe.free.set()
            feed.tell([chat(number)])
            await asyncio.sleep(0.001)
            pipe.free.clear()
            feed.tell([chat(number * 10)])
        pipe.free.set()
        await asyncio.sleep(0.001)
        assert pipe.numbers == [1, 2, 3, 30, 4, 40, 5, 50]
        writing.cancel()

    asyncio.run(run())


def test_an_answer_goes_out_in_one_piece_with_what_was_told_before_it() -> None:
    async def run() -> None:
        pipe, feed = Pipe(), Feed(Guest("ann", "red"), await hello())
        line = Connection(Context(), None, "ann", pipe)  # type: ignore[arg-type]
        writing = asyncio.create_task(line._write(feed))
        await asyncio.sleep(0.001)
        pipe.written.clear()
        line._held_frames = []  # a command has come
        feed.tell([chat(1)])
        feed.tell([chat(2)])
        assert pipe.written == []
        await line._send(messages.Done(id="1", number=2))
        feed.tell([chat(3)])
        kinds = [[data["type"] for data in read(frames)] for frames in pipe.written]
        assert kinds == [["chatted", "chatted", "done"], ["chatted"]]
        assert pipe.numbers == [1, 2, 3]
        writing.cancel()

    asyncio.run(run())


def test_a_reader_that_takes_nothing_is_given_up() -> None:
    async def run() -> None:
        pipe, feed = Pipe(), Feed(Guest("ann", "red"), await hello())
        writing = asyncio.create_task(Connection(Context(), None, "ann", pipe)._write(feed))  # type: ignore[arg-type]
        await asyncio.sleep(0)
        pipe.free.clear()
        feed.tell([chat(1)])
        with pytest.raises(CloseConnection) as error:
            await writing
        assert error.value.code == 1013
        assert pipe.numbers == []

    asyncio.run(run())


def test_a_connection_that_is_gone_harms_nobody_who_tells() -> None:
    async def run() -> None:
        pipe, feed = Pipe(), Feed(Guest("ann", "red"), await hello())
        writing = asyncio.create_task(Connection(Context(), None, "ann", pipe)._write(feed))  # type: ignore[arg-type]
        await asyncio.sleep(0.01)
        pipe.open = False
        feed.tell([chat(1)])
        (ended,) = await asyncio.gather(writing, return_exceptions=True)
        assert isinstance(ended, Exception)
        assert feed.reason is None, "its connection closes it"

    asyncio.run(run())
