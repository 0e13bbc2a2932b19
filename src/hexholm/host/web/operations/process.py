"""What the server changes in its own process: how many files it may open, and how long its pauses are.

Open files: sockets are open files, and systems let a process open few unless it asks for more: often 1,024.

Collecting garbage: Python looks now and then through everything there is for things that only hold each other. A host
holds much that lives as long as it does: the libraries, the tables and all they ever told. To look through that took a
tenth of a second with a few hundred tables. So what is there when guests may come is left out of it, and later things
are looked through less often. Almost everything goes without it, when nobody needs it any more: of what two hundred
games told, there was one thing in a thousand to collect. While much is asked of the host nothing is looked through at
all, and what came in that time is left out later too. Lest that fill the memory, everything is looked through when the
memory has grown by half since the last time and the host has a moment to spare, or has grown to three times as much.

Taking turns: a thread that wants to go on waits until the one that runs has had its turn, and the writer of the storage
wants that several times in a commit. With Python's turns of 5 ms a busy event loop made a commit last 30 ms and longer.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final

MOST_SOCKETS: Final = 60_000
"""Sockets that are thought of where no number limits them."""
OTHER_FILES: Final = 200
"""Files beside the sockets: the database, bots, the log, those who are just being turned away."""
THRESHOLDS: Final = (10_000, 20, 100)
"""New things until the young are looked through; how often these, until the older ones; these, until all."""
BUSY: Final = 0.4
"""Share of a core that the event loop takes when much is asked of it."""
SECOND: Final = 1.0
MEMORY_STATUS: Final = Path("/proc/self/statm")
THREAD_TURN: Final = 0.001
"""Seconds a thread runs while another one waits."""
GROWN: Final = {False: 1.5, True: 3.0}
"""How many times as much memory there is when everything is looked through: with little to do, and with much."""


def allow_open_files(sockets: int, logger: Any) -> int | None:
    """Let this process open as many files as so many sockets need, or as many as it may; if few, the log says so.

    Returns how many it may open now; None where there is no such limit.
    """
    try:
        import resource
    except ImportError:  # Windows
        return None
    needed = min(sockets, MOST_SOCKETS) + OTHER_FILES
    allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    endless = resource.RLIM_INFINITY
    if allowed == endless or allowed >= needed:
        return None if allowed == endless else allowed
    raised = needed if most == endless else min(needed, most)
    if raised > allowed:
        with contextlib.suppress(OSError, ValueError):  # some systems allow less than they say
            resource.setrlimit(resource.RLIMIT_NOFILE, (raised, most))
            allowed = raised
    if allowed < needed:
        logger.warning("few open files", allowed=allowed, wanted=needed, help="raise it with ulimit -n, or LimitNOFILE")
    return allowed


@contextlib.asynccontextmanager
async def short_pauses() -> AsyncIterator[None]:
    """Within this context garbage is collected seldom, not at all while the event loop is busy, and turns are short."""
    before, turn = gc.get_threshold(), sys.getswitchinterval()
    sys.setswitchinterval(THREAD_TURN)
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
    watching = asyncio.create_task(_watch_memory(), name="garbage")
    try:
        yield
    finally:
        watching.cancel()
        sys.setswitchinterval(turn)
        gc.set_threshold(*before)
        gc.enable()
        gc.unfreeze()


async def _watch_memory() -> None:
    usual, spent, at = memory_pages(), time.thread_time(), time.monotonic()
    while True:
        await asyncio.sleep(SECOND)
        before, spent, since, at = spent, time.thread_time(), at, time.monotonic()
        busy = spent - before > BUSY * (at - since)
        pause_collection(busy=busy)
        if memory_pages() > GROWN[busy] * usual:
            collect_all()
            usual = memory_pages()


def pause_collection(*, busy: bool) -> None:
    """Look through nothing while the host is busy; afterwards only through what comes then."""
    if busy:
        gc.disable()
    elif not gc.isenabled():
        gc.freeze()
        gc.enable()


def collect_all() -> None:
    """Look through all there is; what is left is left out from now on."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def memory_pages() -> int:
    """The pages of memory this process has; where that is not told, the most it has had, or 0."""
    try:
        return int(MEMORY_STATUS.read_text(encoding="ascii").split()[1])
    except OSError:  # no Linux
        pass
    try:
        import resource
    except ImportError:  # Windows
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
