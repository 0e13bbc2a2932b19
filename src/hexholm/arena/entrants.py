"""Who takes part in a tournament, in a form that travels to other processes and machines.

An entrant is said in a word:

    easy               a player by name
    hard@400           with a fixed effort: repeatable on any machine
    expert@2s          with a time for each decision
    my_bot.py:Mine     a class or function in a file of yours
    my_package:Mine    the same in a module that can be imported
    mine               a program, if `programs` has one of that name

In Python it can also be a factory itself, `tournament([Mine, "easy", ...])`.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import inspect
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import NotRequired, Self, TypedDict

from hexholm.bots import registry
from hexholm.bots.faults import close_bot, fault_line, fault_location, is_from_outside, prints_aside
from hexholm.bots.program import ProgramKind
from hexholm.bots.protocol import Bot, Effort, Factory
from hexholm.bots.shipped_bots import SHIPPED
from hexholm.rules.errors import BadInput


class ManifestEntrant(TypedDict):
    """An entrant as the manifest of a tournament has it; of a factory only the label can be written."""

    label: str
    program: NotRequired[list[str]]
    limit: NotRequired[float]
    player: NotRequired[str]
    effort: NotRequired[str]


@dataclass(frozen=True)
class Entrant:
    """One who takes part. Entrants with the same label are the same player on several seats."""

    label: str
    """What results and records call it."""
    source: str | ProgramKind | Factory
    """A name, `file.py:Name` or `module:Name`; a program; or a factory itself."""
    effort: Effort | None = None

    def make(self, seed: int | str) -> Bot:
        """A new bot for one seat of one game."""
        if isinstance(self.source, ProgramKind):
            return self.source.make(seed, self.effort)
        if not isinstance(self.source, str):
            return registry.make_bot(self.source, self.label, seed, self.effort)
        if ":" in self.source:
            return registry.make_bot(load_factory(self.source), self.source, seed, self.effort)
        return registry.bot_kind(self.source).make(seed, self.effort)

    @property
    def foreign(self) -> bool:
        """Whether it thinks in the process of its game, by code that does not come with Hexholm."""
        return not isinstance(self.source, ProgramKind) and self.source not in SHIPPED

    def as_manifest(self) -> ManifestEntrant:
        """How it is written in the manifest of a tournament."""
        written: ManifestEntrant = {"label": self.label}
        if isinstance(self.source, ProgramKind):
            written["program"], written["limit"] = list(self.source.command), self.source.limit
        elif isinstance(self.source, str):
            written["player"] = self.source
        if self.effort is not None:
            written["effort"] = str(self.effort)
        return written

    @classmethod
    def from_manifest(cls, written: ManifestEntrant) -> Self:
        """From what :meth:`as_manifest` wrote."""
        label, effort = written["label"], Effort.of(written["effort"]) if "effort" in written else None
        if "program" in written:
            return cls(label, ProgramKind(label.partition("@")[0], tuple(written["program"]), written["limit"]), effort)
        if "player" not in written:
            raise BadInput(f"{label} was a class or function of a program; go on with the tournament there")
        return cls(label, written["player"], effort)

    def check(self) -> None:
        """Raise BadInput, with a word on what is wrong, if it cannot take part."""
        if isinstance(self.source, ProgramKind):
            self.source.try_out()
        else:
            close_bot(self.make(0))  # one that fails at that is told after its games


def entrant(
    player: str | Entrant | ProgramKind | Factory, programs: Mapping[str, ProgramKind] | None = None
) -> Entrant:
    """The entrant that is meant by a word, a program or a factory."""
    if isinstance(player, Entrant):
        return player
    if isinstance(player, ProgramKind):
        return Entrant(player.name, player)
    if not isinstance(player, str):
        if not callable(player):
            raise BadInput(f"{player!r} is no player: give a name, or a class or function that makes one")
        return Entrant(getattr(player, "__name__", type(player).__name__), player)
    name, at_sign, effort_text = player.strip().rpartition("@") if "@" in player else (player.strip(), "", "")
    effort = Effort.of(effort_text) if at_sign else None
    label = name.rpartition(":")[2] if ":" in name else name
    if effort is not None:
        label = f"{label}@{effort}"
    if programs and name in programs:
        return Entrant(label, programs[name], effort)
    if ":" in name:
        if not label or name.startswith(":"):
            raise BadInput(f"{name} names no player: write a file and a class or function in it, as in my_bot.py:MyBot")
        place, _, attribute = name.rpartition(":")
        return Entrant(label, f"{Path(place)}:{attribute}" if place.endswith(".py") else name, effort)
    if name.endswith(".py") and Path(name).is_file():
        raise BadInput(f"{name}: name the class or function too, as in {name}:MyBot")
    if name not in SHIPPED and name not in registry.bot_kinds():
        names = [*registry.bot_kinds(), *(programs or ())]
        same_names = [known_name for known_name in names if known_name.lower() == name.lower()]
        if len(same_names) == 1:  # in other letters, small or large
            return entrant(f"{same_names[0]}{at_sign}{effort_text}", programs)
        raise registry.NoSuchBot(
            f"there is no player {name!r}; there are {', '.join(names)}, and your own as in my_bot.py:MyBot"
            f"{registry.did_you_mean(name, names)}"
        )
    return Entrant(label, name, effort)


def entrants(
    players: Sequence[str | Entrant | ProgramKind | Factory], programs: Mapping[str, ProgramKind] | None = None
) -> tuple[Entrant, ...]:
    """All who take part; two different players of one name are told apart by numbers."""
    numbered: list[Entrant] = []
    for each in (entrant(word, programs) for word in players):
        label, n = each.label, 1
        while any(earlier.label == label and earlier != replace(each, label=label) for earlier in numbered):
            n += 1
            label = f"{each.label}-{n}"
        numbered.append(replace(each, label=label))
    return tuple(numbered)


@lru_cache(maxsize=64)
def load_factory(source: str) -> Factory:
    """What `file.py:Name` or `module:Name` names."""
    place, _, name = source.rpartition(":")
    try:
        with prints_aside():
            module = _from_file(place) if place.endswith(".py") else _from_module(place)
    except BadInput:
        raise
    except BaseException as error:  # whatever the file does when it is read
        if is_from_outside(error):
            raise
        line = fault_location(error)
        raise BadInput(f"{source}: {place} cannot be loaded: {fault_line(error)}{line and f' ({line})'}") from error
    factory = getattr(module, name, None)
    if not callable(factory):
        makers = [key for key, value in vars(module).items() if _may_make(value, module)]
        hint = f"; it has {', '.join(makers)}" if makers else ""
        raise BadInput(f"{source}: there is no class or function {name!r} in {place}{hint}")
    loaded: Factory = factory
    return loaded


def _may_make(value: object, module: ModuleType) -> bool:
    """Whether this looks like a player's class, or like a function of the module that could make one from a seed."""
    if isinstance(value, FunctionType):
        with contextlib.suppress(TypeError):
            inspect.signature(value).bind(0)
            return value.__module__ == module.__name__
        return False
    return hasattr(value, "choose")


def _from_module(name: str) -> ModuleType:
    folder = str(Path.cwd())
    if folder not in sys.path:  # as `python -m` would
        sys.path.insert(0, folder)
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name.partition(".")[0] and error.name != name:
            raise
        raise BadInput(
            f"there is no module {name!r} here; a file is named with its ending, as in my_bot.py:MyBot"
        ) from None


def _from_file(file: str) -> ModuleType:
    path = Path(file).resolve()
    if not path.is_file():
        folder_note = "" if Path(file).is_absolute() else f" in {Path.cwd()}, the folder in which it is run"
        raise BadInput(f"there is no file {file}{folder_note}")
    if str(path.parent) not in sys.path:  # for what stands beside it; last, so that it is in nobody's way
        sys.path.append(str(path.parent))
    name = f"hexholm_player_{abs(hash(path)):x}_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and pickle look a class's module up there
    try:
        spec.loader.exec_module(module)
    except BaseException:
        sys.modules.pop(name, None)
        raise
    return module
