"""Rules that are ready before the first guest comes.

Loading compiled rules takes a second and compiling them, once for a machine, half a minute. A server that did so when
the first table is set up would keep everybody waiting. So it loads them before it opens; and where they are not
compiled yet it opens at once with interpreted rules, while a process of its own compiles them for later.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections.abc import AsyncIterator

from hexholm.bots import NAMES
from hexholm.bots.readiness import use_once
from hexholm.game import speed
from hexholm.game.game import Game
from hexholm.host.wire.projection import project


def compile_all() -> None:
    """Compile the rules and the players."""
    load(compiled=True)
    use_once(NAMES, compiled=True)


def load(compiled: bool | None = None) -> None:
    """Use every kind of rule once, so that it is loaded (or compiled)."""
    game = Game(seed=0, compiled=compiled)
    for _ in range(4 * game.options.players):
        game.play(game.legal_actions.texts[0])
    view = game.copy().view(game.to_act[0])
    project(view, 1, ranges=True)
    project(game.glance(None), 1)
    game.why_not("offer 1 ore : 1 wool to all")
    game.position()


def is_warming() -> bool:
    """Whether the compiled rules are wanted and not ready yet."""
    return not os.environ.get("HEXHOLM_INTERPRETED") and not speed.mode(None)


@contextlib.asynccontextmanager
async def warm() -> AsyncIterator[None]:
    """Load compiled rules if they are there; if not, have them compiled meanwhile."""
    if speed.mode(None) or os.environ.get("HEXHOLM_INTERPRETED"):
        await asyncio.to_thread(load)
        yield
        return
    speed.compile_elsewhere()
    nothing = asyncio.subprocess.DEVNULL
    command = (sys.executable, "-m", __name__)
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
        await asyncio.to_thread(load, compiled=True)
        speed.look_again()


if __name__ == "__main__":
    compile_all()
