"""Who an entrant is, as a short digest: so a tournament that goes on can say who has changed since.

A shipped player is known by its numbers and by what it decides on a kept set of views
(:func:`hexholm.bots.shipped_bots.kept_decisions`), a player of your own by the code of its file, a program by those
words of its command that are files. So moved files and comments make nobody another player. What the files import is
not looked into.

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

from hexholm.bots import registry
from hexholm.bots.judgment import shipped_judgment
from hexholm.bots.program import ProgramKind
from hexholm.bots.protocol import Factory
from hexholm.bots.shipped_bots import SHIPPED, kept_decisions

from .entrants import Entrant, load_factory

SCHEME: Final = "d1:"


def fingerprints_of(entrants: Iterable[Entrant]) -> dict[str, str]:
    """Digests by label; who cannot be looked into, or is not there any more, is left out."""
    digests = {}
    for entrant in dict.fromkeys(entrants):
        with contextlib.suppress(Exception):  # what is wrong with a player is told when it is to play
            if isinstance(entrant.source, str) and entrant.source in SHIPPED:
                digests[entrant.label] = _shipped_digest(entrant.source)
            elif files := _files_of(entrant):
                digests[entrant.label] = _digest_of(*map(_content_of, files))
    return digests


def are_comparable(digest: str, other_digest: str) -> bool:
    """Whether two digests are of one version, so that they can tell whether a player has changed."""
    return _version_of(digest) == _version_of(other_digest)


def change_lines(changed: Mapping[str, int]) -> list[str]:
    """A line for each player that has changed, after how many games of the tournament."""
    return [
        f"{label} has changed since the tournament began: {f'{n} games were' if n != 1 else '1 game was'} played before"
        for label, n in changed.items()
    ]


def unknown_line(labels: Iterable[str]) -> str:
    """A line on players of whom another version of Hexholm has noted who they are."""
    return f"another version of Hexholm began this tournament: whether {', '.join(labels)} changed cannot be told"


def _version_of(digest: str) -> str:
    return digest.rpartition(":")[0]


def _digest_of(*parts: bytes) -> str:
    hasher = blake2b(digest_size=8)
    for part in parts:
        hasher.update(len(part).to_bytes(8, "little") + part)
    return SCHEME + hasher.hexdigest()


@cache  # what a process has loaded stays as it is
def _shipped_digest(name: str) -> str:
    kind = registry.bot_kind(name)
    judgment_name = getattr(kind.factory, "judges_by", None)
    net = b"" if judgment_name is None else shipped_judgment(judgment_name).net.astype("<f8").tobytes()
    return _digest_of(json.dumps([name, str(kind.usual), kept_decisions()[name]]).encode(), net)


def _files_of(entrant: Entrant) -> list[Path]:
    source = entrant.source
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


def _content_of(path: Path) -> bytes:
    """What a file holds; of Python, the code without its comments."""
    content = path.read_bytes()
    if path.suffix == ".py":
        with contextlib.suppress(SyntaxError, ValueError):
            return " ".join(_code_words(ast.parse(content))).encode(errors="surrogatepass")
    return content


def _code_words(node: Any) -> Iterator[str]:
    """A syntax tree in words, without docstrings; what is empty is left out, so that new versions of Python agree."""
    if isinstance(node, ast.AST):
        yield f"({type(node).__name__}"
        for field, value in ast.iter_fields(node):
            if value is not None and value != []:
                yield field
                yield from _code_words(value)
        yield ")"
    elif isinstance(node, list):
        for child in node:
            if not (isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)):
                yield from _code_words(child)
    else:
        yield repr(node)
