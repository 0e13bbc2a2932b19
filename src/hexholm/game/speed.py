"""Compiled or interpreted: which is better for a game right now.

Compiling takes half a minute, once for a machine. So a game runs compiled when the compiled rules lie ready, and else
interpreted, at once, until it is clear that somebody plays many games: then the rules are compiled, with a word on
stderr. Both give the same bytes after every action, so a game may change over in the middle.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Final

from hexholm.rules.compiled import announced, fast, is_warm
from hexholm.rules.referee import Referee

PATIENCE: Final = 5_000
"""Interpreted actions in this process after which compiling pays."""
ENTRIES: Final = ("do_forget", "do_to_act", "do_list", "do_judge", "do_tell", "do_step", "do_view", "do_sight")
"""What games call of the rules. A compiler that was stopped half-way has left some of them: that is not ready, or
whoever starts next would compile the rest while people wait."""

_ready: bool | None = None
_interpreted = 0
_elsewhere = False
_hurried = False
_usable: set[frozenset[str]] = set()


def mode(wanted: bool | None) -> bool:
    """Whether to run compiled: as wanted, or as is best now."""
    global _ready
    if wanted is not None:
        return wanted
    if os.environ.get("HEXHOLM_INTERPRETED"):
        return False
    if _ready is None:
        _ready = all(map(is_warm, ENTRIES))
    return _ready


def look_again() -> None:
    """Something has compiled the rules meanwhile: use them from now on."""
    global _ready
    _ready = None


def compile_elsewhere() -> None:
    """Never compile in this process: others wait for it, and somebody else compiles."""
    global _elsewhere
    _elsewhere = True


def hurry() -> None:
    """People wait for the players of this process: without compiled kernels, quick answers go before good ones."""
    global _hurried
    _hurried = True


def hurried() -> bool:
    """Whether people wait. A tournament does not hurry: there a player plays as it is, or the result would lie."""
    return _hurried


def usable(kernels: frozenset[str], use: Callable[[], object]) -> bool:
    """Whether to run compiled kernels of a player: if they lie ready, or may be compiled here, by using them."""
    if os.environ.get("HEXHOLM_INTERPRETED"):
        return False
    if kernels not in _usable:
        if not all(map(is_warm, kernels)):
            if _elsewhere:
                return False
            with announced():
                use()
        _usable.add(kernels)
    return True


def count(referee: Referee) -> None:
    """One more action; when many ran interpreted, compile."""
    global _interpreted, _ready
    if referee.compiled or _elsewhere or os.environ.get("HEXHOLM_INTERPRETED"):
        return
    _interpreted += 1
    if _interpreted == PATIENCE and not _ready:
        with announced():
            fast()
            warm = referee.copy()
            warm.compiled = True
            warm.view(0), warm.sight(0)  # each is compiled on first use
            warm.to_act(), warm.legal(0), warm.why_not(0, 0), warm.told(0, 0)
            warm.start_belief()
        _ready = True
