"""The compiled rules, ready before the first guest comes.

Loading compiled rules takes a second and compiling them, once for a machine, half a minute. A server that did so when
the first table is set up would keep everybody waiting. So it loads them before it opens; and where they are not
compiled yet it opens at once with interpreted rules, while a process of its own compiles them for later.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator
from typing import Final

from hexholm.bots.registry import part_of
from hexholm.bots.shipped_bots import TABLE_BOTS
from hexholm.rules import mode

LOADED: Final = ("rules", "game", "wire")
"""The parts that this process uses; players think in others."""
COMPILED: Final = (*LOADED, *map(part_of, TABLE_BOTS))


def is_warming() -> bool:
    """Whether the compiled rules are wanted and not ready yet."""
    return not mode.interpreted() and not mode.if_ready(None)


@contextlib.asynccontextmanager
async def load_or_compile() -> AsyncIterator[None]:
    """Load compiled rules if they are there; if not, have them compiled meanwhile."""
    if not is_warming():
        await asyncio.to_thread(mode.use_once, LOADED)
        yield
        return
    mode.compile_elsewhere()
    nothing = asyncio.subprocess.DEVNULL
    command = (sys.executable, "-m", "hexholm.warm", *COMPILED)
    compiler = await asyncio.create_subprocess_exec(*command, stdin=nothing, stdout=nothing, stderr=nothing)
    changing = asyncio.create_task(_change_over(compiler))
    try:
        yield
    finally:
        with contextlib.suppress(ProcessLookupError):
            compiler.terminate()
        await asyncio.gather(changing, return_exceptions=True)


async def _change_over(compiler: asyncio.subprocess.Process) -> None:
    """When all is compiled, load it; from then on games that are going on use it too."""
    if await compiler.wait() == 0:
        await asyncio.to_thread(mode.use_once, LOADED, compiled=True)
