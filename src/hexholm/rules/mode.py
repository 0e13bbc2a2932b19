"""Compiled or interpreted, what lies compiled in the cache, what is to be compiled: decided here and nowhere else.

Compiling takes half a minute for the rules and minutes for the players, once for a machine. Compiled and interpreted
kernels give the same bytes after every action, so a game may change over in the middle. There are three questions:

- :func:`may_compile`: many games are to be played, so it pays to compile first;
- :func:`if_ready`: somebody waits for this one game, so it runs compiled if nothing has to be compiled first, and else
  interpreted until it is clear that many are played (:func:`count_action`);
- :func:`usable`: the same for the kernels of a player.

HEXHOLM_INTERPRETED in the environment answers no to all of them, unless the caller has said what it wants.

A kernel is compiled, or loaded from the cache, when it is first used. Rooms with kernels therefore register *parts*: a
name, and a function that uses all kernels of the part once. :func:`use_once` gets parts ready before anybody waits for
them; `python -m hexholm.warm` does so for all.
"""

from __future__ import annotations

import contextlib
import functools
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from .compiled import RULES, cache_folder, guest_folder, homes_of, watch_compiling

INTERPRETED_VARIABLE: Final = "HEXHOLM_INTERPRETED"
RULES_PART: Final = "rules"
"""The part that every game needs: the referee's."""
COMPILE_AFTER: Final = 5_000
"""Interpreted actions in this process after which compiling pays."""
TOLD_EVERY: Final = 15.0
"""Seconds between two words on a compilation that goes on."""


# --- parts: what is used once ----------------------------------------------------------------------------------------

Use = Callable[[bool | None], object]


@dataclass(frozen=True)
class Part:
    """Kernels that get ready together."""

    use: Use
    """Uses all of them: compiled, interpreted, or (None) as its room runs them by itself."""
    kernels: tuple[str, ...] = ()
    """Those that Python calls. A compiler that was stopped half-way has left some of them: that is not ready, or
    whoever starts next would compile the rest while people wait."""


_parts: dict[str, Part] = {}


def register(name: str, use: Use, kernels: Iterable[str] = ()) -> None:
    """Note a part that can be used once."""
    _parts[name] = Part(use, tuple(kernels))


def parts() -> tuple[str, ...]:
    """The names of all parts whose rooms were imported, in the order in which they were registered."""
    return tuple(_parts)


def use_once(
    names: Iterable[str], compiled: bool | None = None, tell: Callable[[str, float], object] | None = None
) -> None:
    """Use these parts, so that they are loaded, or compiled; `tell(name, seconds)` after each."""
    for name in names:
        begun = time.perf_counter()
        _parts[name].use(compiled)
        if tell is not None:
            tell(name, time.perf_counter() - begun)
    if compiled:
        look_again()


# --- compiled or interpreted -----------------------------------------------------------------------------------------

_ready: bool | None = None
_interpreted = 0
_elsewhere = False
_hurried = False
_usable: set[frozenset[str]] = set()


def interpreted() -> bool:
    """Whether the user wants nothing compiled."""
    return bool(os.environ.get(INTERPRETED_VARIABLE))


def may_compile(wanted: bool | None) -> bool:
    """Whether to run compiled where many games pay for compiling: as wanted, else yes."""
    return not interpreted() if wanted is None else wanted


def if_ready(wanted: bool | None) -> bool:
    """Whether a game runs compiled: as wanted, else if the compiled rules lie ready."""
    global _ready
    if wanted is not None:
        return wanted
    if interpreted():
        return False
    if _ready is None:
        _ready = all(map(is_warm, _parts[RULES_PART].kernels))
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


def ready(kernels: frozenset[str]) -> bool:
    """Whether to run these kernels compiled: if they lie ready."""
    if interpreted():
        return False
    if kernels not in _usable and all(map(is_warm, kernels)):
        _usable.add(kernels)
    return kernels in _usable


def usable(kernels: frozenset[str], use: Callable[[], object]) -> bool:
    """Whether to run compiled kernels of a player: if they lie ready, or may be compiled here, by using them."""
    if not ready(kernels):
        if _elsewhere or interpreted():
            return False
        with announced():
            use()
        _usable.add(kernels)
    return True


def count_action(compiled: bool) -> None:
    """One more action of a game; when many ran interpreted, compile."""
    global _interpreted, _ready
    if compiled or _elsewhere or interpreted():
        return
    _interpreted += 1
    if _interpreted == COMPILE_AFTER and not _ready:
        with announced():
            use_once([RULES_PART], compiled=True)
        _ready = True


# --- what is warm ----------------------------------------------------------------------------------------------------


def is_warm(name: str = "") -> bool:
    """Whether the cache holds compiled code for the present sources: any, or that of the kernel of this name.

    A kernel from outside the rules must have been imported.
    """
    folder = cache_folder()
    guests = [guest_folder(folder, home) for home in homes_of(name) if not home.is_relative_to(RULES)]
    if guests:
        return any(any(guest.glob(f"**/*.{name}-*.nbc")) for guest in guests)
    return any(folder.glob(f"**/*.{name}-*.nbc" if name else "**/*.nbc"))


@functools.cache
def compile_notice() -> None:
    """Say once, on stderr, that compiling takes a moment."""
    print(
        "hexholm: compiling for this machine, once: the rules take half a minute, the players one or two more ...",
        file=sys.stderr,
        flush=True,
    )


_announcing = False


@contextlib.contextmanager
def announced() -> Iterator[None]:
    """Within this context a cold compilation says so on stderr, and now and then that it goes on; once is enough."""
    global _announcing
    if _announcing:
        yield
        return
    begun = told = time.perf_counter()

    def step(name: str, _depth: int, _seconds: float) -> None:
        nonlocal told
        compile_notice()
        if time.perf_counter() - told >= TOLD_EVERY:
            told = time.perf_counter()
            print(f"hexholm:   {told - begun:.0f} s, still compiling ({name})", file=sys.stderr, flush=True)

    _announcing = True
    try:
        with watch_compiling(step):
            yield
    finally:
        _announcing = False
