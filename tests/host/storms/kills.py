"""kill -9 of the server, again and again, while games are played; then look whether anything was lost or doubled.

    python -m tests.host.storms.kills --kills 200 --games 10 --seed 1

The server is the real one in a process of its own, on one database and one port. So many games run at all times, each
with people on real sockets and in some of them bots. A kill comes at a random moment, some while the server still
starts; then it is started again at once and the clients find it by themselves. When the kills are used up all games
are played to their end, the server is stopped, and everything is held against the log (`note_check.py`).
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from hexholm.host.client import Client
from hexholm.host.web.server import listen

from .note_check import check
from .people import Played, play_game

EARLY = 0.12
"""The share of kills that come while the server starts."""
LIFE = 1.6
"""Seconds that a server lives on the average once it is up; some live four times as long."""
LONGEST_START = 120.0
LONGEST_END = 900.0
"""Seconds for the games to end after the last kill."""


class Server:
    """`hexholm serve` in a process of its own, again and again on the same database and port."""

    def __init__(self, folder: Path, database: str | None = None) -> None:
        self.folder = folder
        self.database = database or str(folder / "storm.db")
        with contextlib.closing(listen("127.0.0.1", 0)) as listening:
            self.port = int(listening.getsockname()[1])
        self.url = f"http://127.0.0.1:{self.port}"
        self.starts: list[float] = []
        """Seconds from the start of the process until guests could come."""
        self._groups: list[int] = []
        self._process: asyncio.subprocess.Process | None = None
        self._began = 0.0

    async def start(self) -> None:
        """Start it; do not wait until it is up."""
        command = [sys.executable, "-m", "hexholm", "serve", "--no-limits", "--bot-delay", "0", "--quiet"]
        with self.log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *command,
                *("--port", str(self.port), "--db", self.database),
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
                start_new_session=True,  # so that what it leaves behind can be found
            )
        self._began = time.monotonic()
        self._groups = [group for group in self._groups if _alive(group)]
        self._groups.append(self._process.pid)

    async def up(self) -> None:
        """Wait until guests can come."""
        assert self._process is not None
        assert self._process.stdout is not None
        async with asyncio.timeout(LONGEST_START):
            line = await self._process.stdout.readline()
        assert self.url.encode() in line, f"the server did not come up: {self.log_end()}"
        self.starts.append(time.monotonic() - self._began)

    async def kill(self) -> None:
        """kill -9: the server alone; the processes of its bots must find out by themselves."""
        await self._end(signal.SIGKILL)

    async def stop(self) -> None:
        """End it in good order."""
        await self._end(signal.SIGTERM)

    async def _end(self, how: signal.Signals) -> None:
        process = self._process
        assert process is not None
        assert process.returncode is None, f"the server ended by itself: {self.log_end()}"
        process.send_signal(how)
        code = await process.wait()
        assert code == (-how if how is signal.SIGKILL else 0), self.log_end()
        self._process = None

    @property
    def log(self) -> Path:
        return self.folder / "server.log"

    def log_end(self) -> str:
        """The end of its log."""
        return self.log.read_text(errors="replace")[-2000:]

    def errors(self) -> list[str]:
        """What it logged as an error."""
        lines = [line for line in self.log.read_text(errors="replace").splitlines() if line.startswith("{")]
        return [line for line in lines if json.loads(line).get("level") in ("error", "critical")]

    async def left_behind(self, seconds: float = 30) -> list[int]:
        """The process groups that still have a process, after a while in which they may end."""
        end = time.monotonic() + seconds
        while (living_groups := [group for group in self._groups if _alive(group)]) and time.monotonic() < end:  # noqa: ASYNC110  # nobody tells us
            await asyncio.sleep(0.2)
        return living_groups

    def sweep(self) -> None:
        """End whatever is left of it."""
        for group in self._groups:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(group, signal.SIGKILL)


def _alive(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except (ProcessLookupError, PermissionError):
        return False
    return True


@dataclass(frozen=True)
class Plan:
    """How much of a storm."""

    kills: int
    games: int
    seed: int
    points: int = 6
    """To win: the more, the longer the games."""
    life: float = LIFE
    database: str | None = None
    """An address; None: a file."""


async def storm(plan: Plan, folder: Path, say: Callable[[str], None] = print) -> Counter[str]:
    """All of it; figures of what happened. Raises AssertionError."""
    server, began = Server(folder, plan.database), time.monotonic()
    try:
        games = await rage(plan, server, say)
        groups = await server.left_behind()
        assert not groups, f"processes were left behind: {groups}"
    finally:
        server.sweep()
    assert not server.errors(), server.errors()[:5]
    say("the storm is over; comparing")
    figures = Counter(kills=plan.kills) + await check(server.database, games)
    figures["repeated sends"] = sum(game.total(lambda person: person.line.repeated) for game in games)
    figures["connections lost"] = sum(game.total(lambda person: person.line.reconnected) for game in games)
    figures["refused"] = sum(game.total(lambda person: person.refused) for game in games)
    figures["kills before it was up"] = plan.kills + 1 - len(server.starts)
    figures["milliseconds to start, mean"] = round(1000 * sum(server.starts) / len(server.starts))
    figures["seconds"] = round(time.monotonic() - began)
    return figures


async def rage(plan: Plan, server: Server, say: Callable[[str], None]) -> list[Played]:
    """Play and kill; then play on until all games have ended."""
    games: list[Played] = []
    options = {"edition": "fifth", "points_to_win": plan.points}
    calm, rng, numbers = asyncio.Event(), random.Random(plan.seed), itertools.count()

    async def one_after_another() -> None:
        guests = [Client(server.url) for _ in range(4)]
        while not calm.is_set():
            number = next(numbers)
            games.append(await play_game(guests, options, f"{plan.seed} {number}", bots=number % 3))

    async with asyncio.timeout(None) as limit, asyncio.TaskGroup() as group:
        for _ in range(plan.games):
            group.create_task(one_after_another())
        for number in range(1, plan.kills + 1):
            await server.start()
            if rng.random() < EARLY:
                await asyncio.sleep(rng.uniform(0, server.starts[-1] if server.starts else 2))
            else:
                await server.up()
                await asyncio.sleep(min(rng.expovariate(1 / plan.life), 4 * plan.life))
            await server.kill()
            if number % 10 == 0:
                say(f"{number} kills, {len(games)} games ended; the last start took {server.starts[-1]:.1f} s")
        calm.set()
        await server.start()
        await server.up()
        limit.reschedule(asyncio.get_running_loop().time() + LONGEST_END)
    await server.stop()
    return games


def main() -> int:
    """Run, report, and say whether all is well."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--games", type=int, default=10, help="games at the same time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--points", type=int, default=Plan.points, help="points to win")
    parser.add_argument("--db", help="an empty PostgreSQL database (default: a file)")
    arguments = parser.parse_args()
    plan = Plan(arguments.kills, arguments.games, arguments.seed, arguments.points, database=arguments.db)
    folder = Path(tempfile.mkdtemp(prefix="hexholm-storm-"))
    began = time.monotonic()
    try:
        figures = asyncio.run(
            storm(plan, folder, lambda text: print(f"{time.monotonic() - began:6.0f} s  {text}", flush=True))
        )
    except BaseException:
        print(f"what is left of it is in {folder}", flush=True)
        raise
    shutil.rmtree(folder)
    for name, count in figures.items():
        print(f"{count:9,}  {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
