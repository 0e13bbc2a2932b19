"""A bad line: messages come late, twice, or in another order, and now and then the connection is cut.

It stands between clients and a server and carries whole messages, both ways. Everything it does is drawn from a seed.
Only the very first message of a guest keeps its place: a connection on which something else comes first is none.
What is to arrive before the message with which a connection is cut does so; that message and the rest do not. Only what
was on its way to the server still arrives there, half of the time: then a command comes from a guest who has long sent
it again over another connection.
"""

from __future__ import annotations

import asyncio
import contextlib
import heapq
import itertools
import math
import random
from collections import Counter
from dataclasses import dataclass
from typing import Any

from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed


@dataclass(frozen=True)
class Weather:
    """How bad it is: the chance of each mishap for one message, and the seconds that it takes at most."""

    slow: float = 0.2
    """It waits, and all behind it too."""
    late: float = 0.04
    """It waits, and others overtake it."""
    twice: float = 0.1
    """It comes once more, later."""
    cut: float = 0.004
    """The connection ends with it."""
    window: float = 0.03


class Way:
    """One direction of a connection: what is on its way, by the time at which it arrives."""

    def __init__(self, source: Any, target: Any, rng: random.Random, proxy: Proxy, *, ordered: int) -> None:
        self.source, self.target, self.rng, self.weather, self.events = source, target, rng, proxy.weather, proxy.events
        self.ordered = ordered  # so many messages at the beginning are not overtaken
        self._loop = asyncio.get_running_loop()
        self._under_way: list[tuple[float, int, str | bytes]] = []
        self._count, self._news = itertools.count(), asyncio.Event()
        self._last = 0.0  # when the last message arrives that was not overtaken

    async def carry(self) -> None:
        """Carry messages until the connection ends, or is cut."""
        delivering = asyncio.create_task(self._deliver())
        try:
            async for raw in self.source:
                if cut := self._accept(raw):
                    await self._send_before(cut)
                    return
            await asyncio.sleep(self.weather.window)  # the last ones arrive too
        finally:
            delivering.cancel()
            await asyncio.gather(delivering, return_exceptions=True)

    def _accept(self, raw: str | bytes) -> tuple[float, int] | None:
        """Take a message; its place on the way if the connection is cut with it."""
        weather, rng, number = self.weather, self.rng, next(self._count)
        wait = rng.uniform(0, weather.window) if rng.random() < weather.slow else 0
        due = max(self._last, self._loop.time() + wait)
        if number >= self.ordered and rng.random() < weather.late:
            due += rng.uniform(weather.window / 4, weather.window)
            self.events["late"] += 1
        else:
            self._last = due
        heapq.heappush(self._under_way, (due, number, raw))
        if rng.random() < weather.twice:
            heapq.heappush(self._under_way, (due + rng.uniform(0, weather.window), number, raw))
            self.events["twice"] += 1
        self._news.set()
        cut = number > 0 and rng.random() < weather.cut
        self.events["cut"] += cut
        return (due, number) if cut else None

    async def _deliver(self) -> None:
        while True:
            pause = self._under_way[0][0] - self._loop.time() if self._under_way else None
            if pause is not None and pause <= 0:
                await self._send()
                continue
            self._news.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await self._news.wait()

    async def _send_before(self, place: tuple[float, int]) -> None:
        """Deliver at once what would arrive before.

        Else nobody who has missed much would ever get on: all of it is taken in one go, and cut before any is sent.
        """
        while self._under_way and self._under_way[0][:2] < place:
            await self._send()

    async def deliver_rest(self) -> None:
        """Deliver what is still under way, at once."""
        await self._send_before((math.inf, 0))

    async def _send(self) -> None:
        *_, raw = heapq.heappop(self._under_way)
        self.events["messages"] += 1
        with contextlib.suppress(ConnectionClosed):
            await self.target.send(raw)


class Proxy:
    """A bad line to a server: `async with Proxy(url, seed) as bad`, where `bad` is the URL for its sockets."""

    def __init__(self, url: str, seed: str, weather: Weather | None = None) -> None:
        self.url, self.seed, self.weather = url.replace("http", "ws", 1), seed, weather or Weather()
        self.events: Counter[str] = Counter()
        """What happened: messages, late, twice, cut, connections."""

    async def __aenter__(self) -> str:
        self._server = await serve(self._guest, "127.0.0.1", 0, compression=None, max_size=None)
        port = next(iter(self._server.sockets)).getsockname()[1]
        return f"http://127.0.0.1:{port}"

    async def __aexit__(self, *_error: object) -> None:
        self._server.close()
        await self._server.wait_closed()

    async def _guest(self, guest: ServerConnection) -> None:
        assert guest.request is not None
        self.events["connections"] += 1
        rng = random.Random(f"{self.seed} {self.events['connections']}")
        cookie = guest.request.headers.get("Cookie")
        headers = {"Cookie": cookie} if cookie else {}
        connection = connect(
            self.url + guest.request.path, additional_headers=headers, compression=None, max_size=None, proxy=None
        )
        async with connection as host:
            up, down = Way(guest, host, rng, self, ordered=1), Way(host, guest, rng, self, ordered=0)
            ways = [asyncio.create_task(way.carry()) for way in (up, down)]
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            for task in ways:
                task.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            if host.close_code is not None:  # it has said why
                await guest.close(host.close_code, host.close_reason or "")
                return
            guest.transport.abort()
            if rng.random() < 0.5:
                await asyncio.sleep(rng.uniform(0, self.weather.window))
                await up.deliver_rest()
