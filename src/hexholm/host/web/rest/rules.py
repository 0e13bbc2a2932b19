"""The almanac over REST: its list of entries, an entry, a search, editions side by side, pictures of worked examples.

    GET /api/rules?edition=sixth&language=de
    GET /api/rules/entries/longest-road?edition=sixth
    GET /api/rules/entries/ending-the-game?table=ab2cd3ef4g
    GET /api/rules/search?text=tied%20road&edition=fifth
    GET /api/rules/compare?editions=fifth,sixth
    GET /api/rules/examples/broken.svg?edition=zip&theme=dark

With `table` the almanac is that of a table: its edition, and what it plays by in place of what the book says. All of it
comes from :mod:`hexholm.almanac`, is the same for everybody and may be kept by a browser. An almanac is
written when it is first asked for, which takes a moment, so that this is done in a thread.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hexholm.almanac import Almanac, Entry, UnknownEntry
from hexholm.almanac.blocks import Shown
from hexholm.almanac.drafts import LANGUAGES
from hexholm.game.pictures import THEMES
from hexholm.rules.editions import EDITIONS
from hexholm.rules.options import Options

from ...wire import api
from ...wire.api import Declined
from .drawings import SVG, Drawing, sent
from .tables import JSON, Rest, choice, number

USUAL: Final = "sixth"
"""The edition if none is said, as in all commands."""
LONGEST: Final = 200
"""Characters of a search at most; what comes after them is left out."""
MOST_HITS: Final = 50
HITS: Final = 12
MOST_BOOKS: Final = 64
"""Almanacs that are kept: the plain ones, and those of some tables."""
MOST_ENTRIES: Final = 2000
T = TypeVar("T")


class Book(NamedTuple):
    """Which almanac: of an edition, or with `chosen` of a table."""

    edition: str
    language: str
    chosen: Options | None = None

    @classmethod
    def of_table(cls, chosen: Options, language: str) -> Book:
        """The almanac of a table; what no text speaks of is left out, so that many tables share one."""
        return cls(chosen.edition, language, replace(chosen, first=None, ages=None, map=None))


class Lookup:
    """The part of REST for those who look rules up."""

    def __init__(self, rest: Rest) -> None:
        self.guarded, self.rest = rest.guarded, rest
        self.writing = asyncio.Lock()

    def routes(self) -> list[Route]:
        """All paths."""
        return [
            Route("/api/rules", self.guarded(self.contents)),
            Route("/api/rules/search", self.guarded(self.search)),
            Route("/api/rules/compare", self.guarded(self.compare)),
            Route("/api/rules/entries/{entry:str}", self.guarded(self.entry)),
            Route("/api/rules/examples/{example:str}.svg", self.guarded(self.example)),
        ]

    async def contents(self, request: Request) -> Response:
        """The entries by group, what leads to them, and the editions there are."""
        return sent(request, await self._made(_contents, await self._book(request)), JSON)

    async def entry(self, request: Request) -> Response:
        """An entry by its name, its title in any edition, or what else it is called."""
        try:
            found = await self._made(_entry, await self._book(request), request.path_params["entry"][:LONGEST])
        except UnknownEntry as no:
            near = no.near or ("overview",)
            raise Declined.because("no_such_entry", entry=no.name[:40], near=near) from no
        return sent(request, found, JSON)

    async def search(self, request: Request) -> Response:
        """The entries that fit a text, best first."""
        text, limit = request.query_params.get("text", "")[:LONGEST], number(request, "limit", HITS, 1, MOST_HITS)
        return sent(request, await self._made(_found, await self._book(request), text, limit), JSON)

    async def compare(self, request: Request) -> Response:
        """Two editions or more side by side."""
        language = choice(request, "language", LANGUAGES) or LANGUAGES[0]
        said = request.query_params.get("editions", ",".join(EDITIONS))
        names = tuple(dict.fromkeys(said.split(",")))
        if not set(names) <= set(EDITIONS):
            raise Declined.because("bad_choice", name="editions", said=said[:40], choices=EDITIONS)
        return sent(request, await self._made(_compared, names, language), JSON)

    async def example(self, request: Request) -> Response:
        """A worked example as a picture."""
        book = await self._book(request)
        name, theme = request.path_params["example"], choice(request, "theme", tuple(THEMES)) or "light"
        if name not in await self._made(_examples, book):
            raise Declined.because("no_such_address")
        return sent(request, await self._made(_picture, book, name, theme), SVG)

    async def _book(self, request: Request) -> Book:
        """The almanac that a request names."""
        edition = choice(request, "edition", EDITIONS) or USUAL
        language = choice(request, "language", LANGUAGES) or LANGUAGES[0]
        table = request.query_params.get("table")
        if table is None:
            return Book(edition, language)
        return Book.of_table((await self.rest.desk.table(table, request)).options, language)

    async def _made(self, make: Callable[..., T], *how: Any) -> T:
        """What a function below makes, in a thread; one at a time, for most of it is kept."""
        async with self.writing:
            return await asyncio.to_thread(make, *how)


@lru_cache(maxsize=MOST_BOOKS)
def almanac(book: Book) -> Almanac:
    """The almanac of an edition or a table in a language."""
    return Almanac(*book)


@cache
def _titles(language: str) -> dict[str, str]:
    return {name: almanac(Book(name, language)).title for name in EDITIONS}


@lru_cache(maxsize=MOST_BOOKS)
def _contents(which: Book) -> Drawing:
    book = almanac(which)
    groups = tuple(
        api.RuleGroup(title=title, entries=tuple(_topic(book.entry(name)) for name in names))
        for title, names in book.groups().items()
    )
    return _json(
        api.RuleContents(
            edition=which.edition,
            language=which.language,
            editions=_titles(which.language),
            groups=groups,
            rules=book.explained(),
            words=dict(book.terms),
        )
    )


def _topic(entry: Entry) -> api.RuleTopic:
    return api.RuleTopic(name=entry.name, title=entry.title, short=entry.short)


def _entry(book: Book, name: str) -> Drawing:
    return _written(book, almanac(book).entry(name).name)


@lru_cache(maxsize=MOST_ENTRIES)
def _written(book: Book, name: str) -> Drawing:
    return _json(msgspec.convert(almanac(book).entry(name).as_dict(), api.RuleEntry))


def _found(book: Book, text: str, limit: int) -> Drawing:
    hits = almanac(book).search(text, limit)
    return _json(api.RuleHits(hits=tuple(msgspec.convert(hit.as_dict(), api.RuleHit) for hit in hits)))


@lru_cache(maxsize=64)
def _compared(editions: tuple[str, ...], language: str) -> Drawing:
    titles = {name: _titles(language)[name] for name in editions}
    rows = almanac(Book(editions[0], language)).compare(editions)
    return _json(
        api.RuleComparison(editions=titles, rows=tuple(msgspec.convert(row.as_dict(), api.RuleRow) for row in rows))
    )


@lru_cache(maxsize=MOST_BOOKS)
def _examples(book: Book) -> frozenset[str]:
    """The names of the examples in the entries of an almanac."""
    entries = almanac(book).entries()
    return frozenset(block.example.name for entry in entries for block in entry.blocks if isinstance(block, Shown))


@lru_cache(maxsize=128)
def _picture(book: Book, name: str, theme: str) -> Drawing:
    return Drawing.of(almanac(book).example(name).svg(theme=theme))


def _json(data: Any) -> Drawing:
    return Drawing.of(msgspec.json.encode(data).decode())
