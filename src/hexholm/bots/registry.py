"""The players there are, by name: those that come with Hexholm, and those of installed packages.

    >>> from hexholm.bots import registry
    >>> registry.bot_kind("easy").summary
    'sensible, but overlooks things like a casual player'

A package brings its own under the entry point group `hexholm.bots`: a name, and a factory (:mod:`.protocol`).

    [project.entry-points."hexholm.bots"]
    mine = "my_package.players:Mine"

Programs in other languages are not here but in :mod:`.program`: they come from the command line or a local file alone,
so no table on the web can ever start one.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache, partial
from importlib import import_module, metadata
from typing import Final, cast

from hexholm.rules.compilation import mode
from hexholm.rules.errors import BadInput

from .faults import fault_line, fault_location, is_from_outside, prints_aside
from .protocol import Bot, Effort, Factory, takes_effort, usual_effort
from .shipped_bots import KERNELS, SHIPPED

ENTRY_POINTS: Final = "hexholm.bots"


class NoSuchBot(BadInput):
    """A name that no bot kind has."""


@dataclass(frozen=True)
class BotKind:
    """Bots of one name: what they are, and how one is made; people are told of a player."""

    name: str
    summary: str
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
        return make_bot(self.factory, self.name, seed, effort)


def make_bot(factory: Factory, name: str, seed: int | str, effort: Effort | None) -> Bot:
    """What a factory makes, if that can play."""
    if effort is not None and not takes_effort(factory):
        raise BadInput(f"{name} has no effort to choose; leave @{effort} out")
    try:
        with prints_aside():
            bot = cast("object", factory(seed) if effort is None else factory(seed, effort=effort))
    except BaseException as error:  # whatever a foreign factory does
        if is_from_outside(error):
            raise
        call = f"{getattr(factory, '__name__', name)}(seed={seed!r})"
        line = fault_location(error)
        hint = f" ({line})" if line else "; a player is made with a seed" if isinstance(error, TypeError) else ""
        raise BadInput(f"{name} cannot be made: {call} raised {fault_line(error)}{hint}") from error
    if callable(getattr(bot, "choose", None)):
        return cast("Bot", bot)
    if isinstance(factory, type):
        raise BadInput(f"{name} has no method choose(view)")
    product = repr(bot) if type(bot).__module__ == "builtins" else f"a {type(bot).__name__}"
    raise BadInput(f"{name} made {product}, which cannot play: it has no method choose(view)")


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """Advice on a name that nobody has, to put behind a sentence."""
    close_names = difflib.get_close_matches(name.lower(), list(names), n=1)
    return f"; did you mean {close_names[0]}?" if close_names else ""


def bot_kind(name: str) -> BotKind:
    """Bots by name; a package is loaded only for those that do not come with Hexholm."""
    if name in SHIPPED:
        return _shipped_kind(name)
    kind = bot_kinds().get(name)
    if kind is None:
        raise NoSuchBot(
            f"there is no player {name!r}; there are {', '.join(bot_kinds())}{did_you_mean(name, bot_kinds())}"
        )
    return kind


@cache
def bot_kinds() -> dict[str, BotKind]:
    """All kinds by name: shipped ones from weak to strong, then those of packages."""
    kinds = {name: _shipped_kind(name) for name in SHIPPED}
    for entry_point in sorted(metadata.entry_points(group=ENTRY_POINTS), key=lambda entry_point: entry_point.name):
        if entry_point.name not in kinds:  # what a name means does not change with what is installed
            kinds[entry_point.name] = _installed_kind(entry_point)
    return kinds


@cache
def _shipped_kind(name: str) -> BotKind:
    location, summary = SHIPPED[name]
    module, _, attribute = location.partition(":")
    return BotKind(name, summary, factory=getattr(import_module(f".{module}", __package__), attribute))


def _installed_kind(entry_point: metadata.EntryPoint) -> BotKind:
    origin = entry_point.dist.name if entry_point.dist is not None else "a package"
    try:
        with prints_aside():
            factory = entry_point.load()
    except BaseException as error:  # whatever a foreign package does must not take the others along
        if is_from_outside(error):
            raise
        return BotKind(entry_point.name, "", origin, broken=f"{entry_point.value} of {origin}: {fault_line(error)}")
    if not callable(factory):
        return BotKind(entry_point.name, "", origin, broken=f"{entry_point.value} of {origin} is no class or function")
    return BotKind(entry_point.name, first_doc_line(factory), origin, factory=factory)


def first_doc_line(factory: object) -> str:
    """What a kind is, in one line: the first of its docstring."""
    docstring = (getattr(factory, "__doc__", None) or "").strip()
    return docstring.splitlines()[0].rstrip(".") if docstring else ""


# --- ready before anybody waits for them -----------------------------------------------------------------------------


def part_of(name: str) -> str:
    """The part of the compiled code (:mod:`hexholm.rules.compilation.mode`) that a shipped player is."""
    return f"player:{name}"


def _use_once(name: str, compiled: bool | None) -> None:
    """Let a bot make one decision that gives it something to think about."""
    from hexholm.game.game import Game

    view = Game(edition="fifth", setup="variable", seed=0, first=0, compiled=compiled).view(0)
    kind = bot_kind(name)
    kind.make(0, Effort(steps=1) if kind.takes_effort else None).choose(view)


for _name in SHIPPED:
    mode.register(part_of(_name), partial(_use_once, _name), KERNELS.get(_name, ()))
