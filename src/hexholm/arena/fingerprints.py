"""Who an entrant is, as a short digest: so a tournament that goes on can say who has changed since.

A shipped player is known by its numbers and by what it decides on a kept set of views
(:mod:`hexholm.bots.decisions`), a player of your own by the code of its file, a program by those words of its command
that are files. So moved files and comments make nobody another player. What the files import is not looked into.

A digest begins with the version of this scheme; those of another version, which older journals hold, say nothing about
who has changed.
"""

from __future__ import annotations

import ast
import contextlib
import inspect
import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, partial
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

from hexholm.bots import decisions, registry
from hexholm.bots.judgement import judgement
from hexholm.bots.program import ProgramKind
from hexholm.bots.protocol import Factory
from hexholm.bots.shipped_bots import SHIPPED

from .entrants import Entrant, load_factory

SCHEME: Final = "d1:"


def fingerprints(entrants: Iterable[Entrant]) -> dict[str, str]:
    """Digests by label; who cannot be looked into, or is not there any more, is left out."""
    found = {}
    for one in dict.fromkeys(entrants):
        with contextlib.suppress(Exception):  # what is wrong with a player is told when it is to play
            if isinstance(one.source, str) and one.source in SHIPPED:
                found[one.label] = _shipped_digest(one.source)
            elif files := _files(one):
                found[one.label] = _digest(*map(_content, files))
    return found


def comparable(one: str, other: str) -> bool:
    """Whether two digests are of one version, so that they can tell whether a player has changed."""
    return _version(one) == _version(other)


def change_lines(changed: Mapping[str, int]) -> list[str]:
    """A line for each player that has changed, after how many games of the tournament."""
    return [
        f"{label} has changed since the tournament began: {f'{n} games were' if n != 1 else '1 game was'} played before"
        for label, n in changed.items()
    ]


def unknown_line(labels: Iterable[str]) -> str:
    """A line on players of whom another version of Hexholm has noted who they are."""
    return f"another version of Hexholm began this tournament: whether {', '.join(labels)} changed cannot be told"


def _version(digest: str) -> str:
    return digest.rpartition(":")[0]


def _digest(*parts: bytes) -> str:
    whole = blake2b(digest_size=8)
    for part in parts:
        whole.update(len(part).to_bytes(8, "little") + part)
    return SCHEME + whole.hexdigest()


@cache  # what a process has loaded stays as it is
def _shipped_digest(name: str) -> str:
    one = registry.bot_kind(name)
    numbers = getattr(one.factory, "judges_by", None)
    net = b"" if numbers is None else judgement(numbers).net.astype("<f8").tobytes()
    return _digest(json.dumps([name, str(one.usual), decisions.kept_decisions()[name]]).encode(), net)


def _files(one: Entrant) -> list[Path]:
    source = one.source
    if isinstance(source, ProgramKind):
        return [path for path in map(Path, source.command) if path.is_file()]
    if not isinstance(source, str):
        return _file_of(source)
    place, colon, _ = source.rpartition(":")
    if colon:
        return [Path(place)] if place.endswith(".py") else _file_of(load_factory(source))
    factory = registry.bot_kind(source).factory
    return [] if factory is None else _file_of(factory)


def _file_of(factory: Factory) -> list[Path]:
    while isinstance(factory, partial):
        factory = factory.func
    module = inspect.getmodule(factory)
    return [] if module is None or module.__file__ is None else [Path(module.__file__)]


def _content(path: Path) -> bytes:
    """What a file holds; of Python, the code without its comments."""
    held = path.read_bytes()
    if path.suffix == ".py":
        with contextlib.suppress(SyntaxError, ValueError):
            return " ".join(_code(ast.parse(held))).encode(errors="surrogatepass")
    return held


def _code(node: Any) -> Iterator[str]:
    """A syntax tree in words, without docstrings; what is empty is left out, so that new versions of Python agree."""
    if isinstance(node, ast.AST):
        yield f"({type(node).__name__}"
        for field, value in ast.iter_fields(node):
            if value is not None and value != []:
                yield field
                yield from _code(value)
        yield ")"
    elif isinstance(node, list):
        for one in node:
            if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant)):
                yield from _code(one)
    else:
        yield repr(node)
