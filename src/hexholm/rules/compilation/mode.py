"""Compiled or interpreted, what lies compiled in the cache, what is to be compiled: decided here and nowhere else.

Compiling takes some ten seconds for the rules and half a minute for the players, once for a machine. Compiled and
interpreted kernels give the same bytes after every action, so a game may change over in the middle. There are two
questions, and two deeds beside them:

- :func:`may_compile`: many games are to be played, so it pays to compile first;
- :func:`runs_compiled`: somebody waits for this one game, so it runs compiled if nothing has to be compiled first, and
  else interpreted until it is clear that many are played;
- :func:`count_toward_compiling` counts what was played interpreted, and compiles the rules when it was much;
- :func:`make_ready` has the kernels of a player compiled if they may be, and says whether they are ready.

HEXHOLM_INTERPRETED in the environment means that nothing is compiled, unless the caller has said what it wants.

A kernel is compiled, or loaded from the cache, when it is first used. Rooms with kernels therefore register *parts*: a
name, and a function that uses all kernels of the part once. :func:`use_once` gets parts ready before anybody waits for
them; `python -m hexholm.warm` does so for all.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from types import FunctionType
from typing import Final

from .kernel_cache import kept_kernels
from .kernels import compile_listeners, kernel_digest, kernels_named, kernels_within

INTERPRETED_VARIABLE: Final = "HEXHOLM_INTERPRETED"
RULES_PART: Final = "rules"
"""The part that every game needs: the referee's."""
COMPILE_AFTER: Final = 5_000
"""Interpreted actions in this process after which compiling pays."""

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


def part_names() -> tuple[str, ...]:
    """The names of all parts whose rooms were imported, in the order in which they were registered."""
    return tuple(_parts)


def use_once(
    names: Iterable[str], compiled: bool | None = None, tell: Callable[[str, float], object] | None = None
) -> None:
    """Use these parts, so that they are loaded, or compiled; `tell(name, seconds)` after each."""
    names = list(names)
    if compiled:
        compile_notices.announce(kernel for name in names for kernel in _parts[name].kernels)
    for name in names:
        start = time.perf_counter()
        _parts[name].use(compiled)
        if tell is not None:
            tell(name, time.perf_counter() - start)
    if compiled:
        reset_readiness()


# --- compiled or interpreted -----------------------------------------------------------------------------------------


def wants_interpreted() -> bool:
    """Whether the user wants nothing compiled."""
    return bool(os.environ.get(INTERPRETED_VARIABLE))


def may_compile(compiled: bool | None) -> bool:
    """Whether to run compiled where many games pay for compiling: as `compiled` says, else yes."""
    return not wants_interpreted() if compiled is None else compiled


@dataclass
class Mode:
    """What a process has found and decided so far; there is one in each, and the module's functions are its own."""

    rules_ready: bool | None = None
    """Whether the compiled rules lie ready; None: nobody has looked since something was compiled."""
    interpreted_actions: int = 0
    compiles_elsewhere: bool = False
    compilers_at_work: bool = False
    people_wait: bool = False
    ready_kernels: set[frozenset[str]] = field(default_factory=set)
    """The kernels of players that were made ready, as they were asked for."""

    def runs_compiled(self, compiled: bool | None) -> bool:
        """Whether a game runs compiled: as `compiled` says, else if the compiled rules lie ready."""
        if compiled is not None:
            return compiled
        if wants_interpreted():
            return False
        if self.rules_ready is None:
            self.rules_ready = all(map(is_warm, _parts[RULES_PART].kernels))
        return self.rules_ready

    def reset_readiness(self) -> None:
        """Something has compiled the rules meanwhile: use them from now on."""
        self.rules_ready = None

    def compile_elsewhere(self) -> None:
        """Never compile in this process: others wait for it, and somebody else compiles."""
        self.compiles_elsewhere = self.compilers_at_work = True

    def end_compiling_elsewhere(self) -> None:
        """Somebody else has compiled what there is to compile, or has given up."""
        self.compilers_at_work = False

    def waits_for_compiler(self) -> bool:
        """Whether somebody else compiles for this process now."""
        return self.compilers_at_work

    def hurry(self) -> None:
        """People wait for the players of this process: without compiled kernels, quick answers go before good ones."""
        self.people_wait = True

    def is_hurried(self) -> bool:
        """Whether people wait. A tournament does not hurry: there a player plays as it is, or the result would lie."""
        return self.people_wait

    def are_ready(self, kernels: frozenset[str]) -> bool:
        """Whether to run these kernels compiled: if they lie ready."""
        return not wants_interpreted() and (kernels in self.ready_kernels or all(map(is_warm, kernels)))

    def make_ready(self, kernels: frozenset[str], use: Callable[[], object]) -> bool:
        """Have kernels of a player compiled by using them, if that may be done here; whether they are ready now."""
        if wants_interpreted():
            return False
        if kernels not in self.ready_kernels:
            if not self.are_ready(kernels):
                if self.compiles_elsewhere:
                    return False
                compile_notices.announce(kernels)
                use()
            self.ready_kernels.add(kernels)
        return True

    def count_toward_compiling(self, compiled: bool) -> None:
        """One more action of a game; when many ran interpreted, compile."""
        if compiled or self.compiles_elsewhere or wants_interpreted():
            return
        self.interpreted_actions += 1
        if self.interpreted_actions == COMPILE_AFTER and not self.rules_ready:
            use_once([RULES_PART], compiled=True)
            self.rules_ready = True


process_mode: Final = Mode()
runs_compiled: Final = process_mode.runs_compiled
reset_readiness: Final = process_mode.reset_readiness
compile_elsewhere: Final = process_mode.compile_elsewhere
end_compiling_elsewhere: Final = process_mode.end_compiling_elsewhere
waits_for_compiler: Final = process_mode.waits_for_compiler
hurry: Final = process_mode.hurry
is_hurried: Final = process_mode.is_hurried
are_ready: Final = process_mode.are_ready
make_ready: Final = process_mode.make_ready
count_toward_compiling: Final = process_mode.count_toward_compiling


# --- what is warm ----------------------------------------------------------------------------------------------------


def is_warm(name: str) -> bool:
    """Whether the kernel of this name lies in the cache as its code is now; it must have been imported."""
    kernels = kernels_named(name)
    kept_names = kept_kernels()
    return bool(kernels) and all((name, kernel_digest(kernel)) in kept_names for kernel in kernels)


def kernels_to_compile(names: Iterable[str]) -> list[FunctionType]:
    """The kernels that are to be compiled before the kernels of these names can be used."""
    kernels = {kernel for name in names for function in kernels_named(name) for kernel in kernels_within(function)}
    kept_names = kept_kernels()
    return [kernel for kernel in kernels if (kernel.__name__, kernel_digest(kernel)) not in kept_names]


def share_kept(names: Iterable[str]) -> float:
    """How much of what these parts need lies compiled, from 0 to 1; their kernels must have been imported."""
    entries = {name for part in names for name in _parts[part].kernels}
    kernels = {kernel for name in entries for function in kernels_named(name) for kernel in kernels_within(function)}
    return 1 - len(kernels_to_compile(entries)) / max(1, len(kernels))


# --- whoever waits is told -------------------------------------------------------------------------------------------

WORTH_TELLING: Final = 1.0
"""Seconds that are worth a word."""
WORTH_TELLING_MORE: Final = 5.0
"""The same for more of what was told of already."""
NOTICE_EVERY: Final = 15.0
"""Seconds between two words on a compilation that goes on."""
SUBJECTS: Final = {"hexholm.rules": ("the rules", 0.06), "hexholm.bots": ("the players", 0.13)}
"""The rooms that have kernels: what these are, and about how many seconds one takes to compile."""


class CompileNotices:
    """Says on stderr what is being compiled and about how long that takes, and now and then how far it is."""

    def __init__(self) -> None:
        self.has_spoken = False
        """Whether anything was announced."""
        self._announced: set[str] = set()
        self._subjects: set[str] = set()
        self._start = self._last = 0.0
        self._awaited: set[str] = set()
        """The names of the kernels that are to be compiled, told of or too few to be."""
        self._done: set[str] = set()

    def announce(self, names: Iterable[str]) -> None:
        """These kernels are about to be used: tell what is to be compiled for them, if that takes a while."""
        entries = set(names) - self._announced
        if not entries:
            return
        kernels = kernels_to_compile(entries)
        self._announced |= entries
        if self._awaited <= self._done:  # what was awaited before is over
            self._start, self._awaited, self._done = time.perf_counter(), set(), set()
        self._awaited |= {kernel.__name__ for kernel in kernels}
        subjects: set[str] = set()
        seconds = 0.0
        for room, (subject, seconds_for_one) in SUBJECTS.items():
            in_room = [kernel for kernel in kernels if kernel.__module__.startswith(room)]
            if in_room:
                subjects.add(subject)
                seconds += len(in_room) * seconds_for_one
        if seconds < (WORTH_TELLING_MORE if subjects <= self._subjects else WORTH_TELLING):
            return
        self._subjects |= subjects
        what = " and ".join(sorted(subjects, reverse=True))
        self._say(f"compiling {what} for this machine, once: about {max(seconds, 1):.0f} s ...")

    def __call__(self, name: str, depth: int, done: bool) -> None:
        """One step of the compiler (:data:`.kernels.CompileListener`)."""
        if depth == 0 and not done:
            self.announce([name])
        if done:
            self._done.add(name)
        now = time.perf_counter()
        if self.has_spoken and now - self._last >= NOTICE_EVERY:
            done_of_these = len(self._done & self._awaited)
            self._say(f"  {now - self._start:.0f} s, {done_of_these} of about {len(self._awaited)} functions")

    def _say(self, line: str) -> None:
        self.has_spoken, self._last = True, time.perf_counter()
        print(f"hexholm: {line}", file=sys.stderr, flush=True)


compile_notices: Final = CompileNotices()
compile_listeners.append(compile_notices)
