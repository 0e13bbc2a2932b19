"""The compiled rules and players, ready before the first guest comes.

Loading compiled rules takes a second and compiling them, once for a machine, ten or more. A server that did so when the
first table is set up would keep everybody waiting. So it loads them before it opens; and where they are not compiled
yet it opens at once with interpreted rules, while two processes of their own compile rules and players for later: one
begins with the rules, the other with the strongest player, and each takes what the other has compiled already. Where
the machine has little memory left there is only the first of them.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import sys
from asyncio.subprocess import DEVNULL, Process
from collections.abc import AsyncIterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Final

from hexholm.bots.registry import part_of
from hexholm.bots.shipped_bots import TABLE_BOTS
from hexholm.rules.compilation import mode

LOADED: Final = ("rules", "game", "wire")
"""The parts that this process uses; players think in others."""
COMPILED: Final = (*LOADED, *map(part_of, TABLE_BOTS))
COMPILER_MEMORY: Final = 600 * 1024
"""KiB that a compiler may take: 400 MiB were measured, and it must not be all there is."""
MEMORY: Final = Path("/proc/meminfo")
PROGRESS_EVERY: Final = 1.0
"""Seconds between two looks at how far the compilers are."""
_done = False


def share_compiled() -> float:
    """How much of rules and players lies compiled, from 0 to 1; 1 where nothing is to be compiled."""
    global _done
    if not _done and not mode.wants_interpreted():
        import_module("hexholm.bots.shipped.compiled")  # its kernels count
        share = mode.share_kept(COMPILED)
        _done = share == 1
        return share
    return 1.0


@contextlib.asynccontextmanager
async def load_or_compile() -> AsyncIterator[None]:
    """Load compiled rules if they are there; if not, have them and the players compiled meanwhile."""
    share = await asyncio.to_thread(share_compiled)
    if mode.wants_interpreted() or mode.runs_compiled(None):
        await asyncio.to_thread(mode.use_once, LOADED)
    if share == 1:
        yield
        return
    mode.compile_elsewhere()
    orders = (COMPILED, COMPILED[::-1])[: compilers_at_once()]
    compilers = [await _start_compiler(parts) for parts in orders]
    changing = asyncio.create_task(_load_when_compiled(compilers))
    try:
        yield
    finally:
        for compiler in compilers:
            with contextlib.suppress(ProcessLookupError):
                compiler.terminate()
        await asyncio.gather(changing, return_exceptions=True)


def compilers_at_once(memory: Path = MEMORY) -> int:
    """How many compilers there is memory for: two, or one where the machine has little left."""
    try:
        match = re.search(r"^MemAvailable: +(\d+) kB", memory.read_text(encoding="ascii"), re.MULTILINE)
    except OSError:  # no Linux
        match = None
    return 1 if match is not None and int(match[1]) < 2 * COMPILER_MEMORY else 2


async def _start_compiler(parts: Sequence[str]) -> Process:
    command = (sys.executable, "-m", "hexholm.warm", *parts)
    return await asyncio.create_subprocess_exec(*command, stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL)


async def _load_when_compiled(compilers: Sequence[Process]) -> None:
    """Load the rules when they are compiled; from then on games that are going on use them too."""
    running = [asyncio.create_task(compiler.wait()) for compiler in compilers]
    loaded = mode.runs_compiled(None)
    while running and not loaded:
        _, still = await asyncio.wait(running, timeout=PROGRESS_EVERY)
        running = list(still)
        if mode.share_kept([mode.RULES_PART]) == 1:
            await asyncio.to_thread(mode.use_once, LOADED, compiled=True)
            loaded = True
    await asyncio.gather(*running)
    mode.end_compiling_elsewhere()
