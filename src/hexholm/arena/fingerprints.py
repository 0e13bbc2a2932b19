"""What an entrant is made of, as a short digest: so a tournament that goes on can say who has changed since.

A digest covers what one edits: of a shipped player all sources and numbers of `hexholm.bots`, for they share most of
them; of a player of your own its file; of a program those words of its command that are files. What these import is
not looked into.
"""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Iterable, Mapping
from functools import cache, partial
from hashlib import blake2b, file_digest
from pathlib import Path

from hexholm.bots import registry
from hexholm.bots.program import ProgramPlayer
from hexholm.bots.protocol import Factory

from .entrants import Entrant, loaded

DIGEST = partial(blake2b, digest_size=8)


def fingerprints(entrants: Iterable[Entrant]) -> dict[str, str]:
    """Digests by label; who cannot be looked into, or is not there any more, is left out."""
    found = {}
    for one in dict.fromkeys(entrants):
        with contextlib.suppress(Exception):  # what is wrong with a player is told when it is to play
            if one.source in registry.SHIPPED:
                found[one.label] = _shipped()
            elif files := _files(one):
                found[one.label] = digest_of(files)
    return found


def changes_told(changed: Mapping[str, int]) -> list[str]:
    """A line for each player that has changed, after how many games of the tournament."""
    return [
        f"{label} has changed since the tournament began: {f'{n} games were' if n != 1 else '1 game was'} played before"
        for label, n in changed.items()
    ]


def _files(one: Entrant) -> list[Path]:
    source = one.source
    if isinstance(source, ProgramPlayer):
        return [path for path in map(Path, source.command) if path.is_file()]
    if not isinstance(source, str):
        return _file_of(source)
    place, colon, _ = source.rpartition(":")
    if colon:
        return [Path(place)] if place.endswith(".py") else _file_of(loaded(source))
    factory = registry.player(source).factory
    return [] if factory is None else _file_of(factory)


def _file_of(factory: Factory) -> list[Path]:
    """The file that a class or function stands in."""
    while isinstance(factory, partial):
        factory = factory.func
    module = inspect.getmodule(factory)
    return [] if module is None or module.__file__ is None else [Path(module.__file__)]


@cache  # what a process has loaded stays as it is
def _shipped() -> str:
    folder = Path(registry.__file__).parent
    return digest_of(sorted([*folder.rglob("*.py"), *folder.glob("data/*.json")]))


def digest_of(files: Iterable[Path]) -> str:
    """Of names and contents of files, in this order."""
    whole = DIGEST()
    for path in files:
        with path.open("rb") as stream:
            whole.update(path.name.encode() + file_digest(stream, DIGEST).digest())
    return whole.hexdigest()
