"""The players there are, by name: those that come with Hexholm, and those of installed packages.

    >>> from hexholm.bots import registry
    >>> registry.player("easy").line
    'sensible, with the oversights of a casual player'

A package brings its own under the entry point group `hexholm.bots`: a name, and a factory (:mod:`.protocol`).

    [project.entry-points."hexholm.bots"]
    mine = "my_package.players:Mine"

Programs in other languages are not here but in :mod:`.program`: they come from the command line or a local file alone,
so no table on the web can ever start one.
"""

from __future__ import annotations

import contextlib
import difflib
import sys
import traceback
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module, metadata
from pathlib import Path
from typing import Any, Final, cast

from hexholm.rules.errors import BadInput

from .protocol import Bot, Effort, Factory, from_outside, takes_effort, usual_effort

GROUP: Final = "hexholm.bots"
SHIPPED: Final = {
    "random": ("random_player:Random", "any kind of action, then any of that kind: the floor of every ladder"),
    "easy": ("easy.player:Easy", "sensible, with the oversights of a casual player"),
    "medium": ("compiled.players:Medium", "judges every action by the position after it"),
    "hard": ("compiled.players:Hard", "plays on in its mind with its best ideas, in worlds that fit what it has seen"),
    "expert": (
        "compiled.players:Expert",
        "as hard, a bolder trader, thinks as long as you let it: a second by default",
    ),
}
"""Name: where it is made, and what it is in a line; from the weakest to the strongest."""
NAMES: Final = (*(name for name in SHIPPED if name != "random"), "random")
"""The players that a table offers, the default first; `random`, which is for trying things out, last."""


class NoSuchPlayer(BadInput):
    """A name that no player has."""


@dataclass(frozen=True)
class Player:
    """A player by name: what it is, and how one is made."""

    name: str
    line: str
    """What it is, in one line."""
    origin: str = ""
    """The package it comes with; "" for Hexholm itself."""
    broken: str = ""
    """Why it cannot be used, if so."""
    factory: Factory | None = field(default=None, repr=False)

    @property
    def takes_effort(self) -> bool:
        """Whether its effort can be chosen."""
        return self.factory is not None and takes_effort(self.factory)

    @property
    def usual(self) -> Effort | None:
        """The effort it makes where nobody chooses one, as at a table: what its factory has as default."""
        return None if self.factory is None else usual_effort(self.factory)

    def make(self, seed: int | str = 0, effort: Effort | None = None) -> Bot:
        """A new one, for one seat of one game; the same seed plays the same way."""
        if self.factory is None:
            raise BadInput(f"{self.name} cannot be used: {self.broken}")
        return made(self.factory, self.name, seed, effort)


def made(factory: Factory, name: str, seed: int | str, effort: Effort | None) -> Bot:
    """What a factory makes, if that can play."""
    if effort is not None and not takes_effort(factory):
        raise BadInput(f"{name} has no effort to choose; leave @{effort} out")
    try:
        with aside():
            new = cast("object", factory(seed) if effort is None else factory(seed, effort=effort))
    except BaseException as wrong:  # whatever a foreign factory does
        if from_outside(wrong):
            raise
        call = f"{getattr(factory, '__name__', name)}(seed={seed!r})"
        line = place(wrong)
        hint = f" ({line})" if line else "; a player is made with a seed" if isinstance(wrong, TypeError) else ""
        raise BadInput(f"{name} cannot be made: {call} raised {told(wrong)}{hint}") from wrong
    if callable(getattr(new, "choose", None)):
        return cast("Bot", new)
    if isinstance(factory, type):
        raise BadInput(f"{name} has no method choose(view)")
    what = repr(new) if type(new).__module__ == "builtins" else f"a {type(new).__name__}"
    raise BadInput(f"{name} made {what}, which cannot play: it has no method choose(view)")


def closed(bot: Bot) -> BaseException | None:
    """Tell a player that its game is over, if it wants to know; what it raised at that, if anything."""
    try:
        close = getattr(bot, "close", None)
        if close is not None:
            close()
    except BaseException as wrong:
        if from_outside(wrong):
            raise
        return wrong
    return None


def aside() -> contextlib.redirect_stdout[Any]:
    """What a player prints meanwhile goes to stderr: standard output is for results."""
    return contextlib.redirect_stdout(sys.stderr)


def told(wrong: BaseException) -> str:
    """An exception in one line; not all have a message, and some cannot say what they are about."""
    try:
        return " ".join(f"{type(wrong).__name__}: {wrong}".split()).removesuffix(":")
    except BaseException as worse:
        if from_outside(worse):
            raise
        return type(wrong).__name__


def place(wrong: BaseException) -> str:
    """Where in a player's own files an exception came from, as `my_bot.py, line 9`; "" if from nowhere in them.

    Its own are the first that Hexholm has called, and those beside it: where in a library it ended helps nobody.
    """
    foreign = [
        (Path(frame.f_code.co_filename), line)
        for frame, line in traceback.walk_tb(wrong.__traceback__)
        if frame.f_globals.get("__name__", "").partition(".")[0] not in ("hexholm", "importlib", "contextlib")
        and not frame.f_code.co_filename.startswith("<")
    ]
    own = [(file.name, line) for file, line in foreign if file.parent == foreign[0][0].parent]
    return f"{own[-1][0]}, line {own[-1][1]}" if own else ""


def near(name: str, known: Iterable[str]) -> str:
    """Advice on a name that nobody has, to put behind a sentence."""
    found = difflib.get_close_matches(name.lower(), list(known), n=1)
    return f"; did you mean {found[0]}?" if found else ""


def player(name: str) -> Player:
    """A player by name; a package is loaded only for a player that does not come with Hexholm."""
    if name in SHIPPED:
        return _shipped(name)
    found = players().get(name)
    if found is None:
        raise NoSuchPlayer(f"there is no player {name!r}; there are {', '.join(players())}{near(name, players())}")
    return found


@cache
def players() -> dict[str, Player]:
    """All players by name: shipped ones from weak to strong, then those of packages."""
    found = {name: _shipped(name) for name in SHIPPED}
    for entry in sorted(metadata.entry_points(group=GROUP), key=lambda one: one.name):
        if entry.name not in found:  # what a name means does not change with what is installed
            found[entry.name] = _installed(entry)
    return found


@cache
def _shipped(name: str) -> Player:
    where, line = SHIPPED[name]
    module, _, attribute = where.partition(":")
    return Player(name, line, factory=getattr(import_module(f".{module}", __package__), attribute))


def _installed(entry: metadata.EntryPoint) -> Player:
    origin = entry.dist.name if entry.dist is not None else "a package"
    try:
        with aside():
            factory = entry.load()
    except BaseException as wrong:  # whatever a foreign package does must not take the others along
        if from_outside(wrong):
            raise
        return Player(entry.name, "", origin, broken=f"{entry.value} of {origin}: {told(wrong)}")
    if not callable(factory):
        return Player(entry.name, "", origin, broken=f"{entry.value} of {origin} is no class or function")
    return Player(entry.name, line_of(factory), origin, factory=factory)


def line_of(factory: object) -> str:
    """What a player is, in one line: the first of its docstring."""
    said = (getattr(factory, "__doc__", None) or "").strip()
    return said.splitlines()[0].rstrip(".") if said else ""
