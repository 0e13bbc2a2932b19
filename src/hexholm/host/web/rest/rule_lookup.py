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

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hexholm.almanac import Entry, UnknownEntry
from hexholm.almanac.almanac_cache import MOST_ALMANACS, AlmanacKey, cached_almanac
from hexholm.almanac.blocks import ExampleBlock
from hexholm.game.pictures import THEMES
from hexholm.rules.language.languages import LANGUAGES
from hexholm.rules.setup.editions import DEFAULT_EDITION, EDITIONS

from ...wire import api
from ...wire.host_refusals import Declined
from ..context import LookedUp
from .query_parameters import query_choice, query_number
from .responses import JSON, SVG, PackedText, lasting_response
from .rest_routes import RestRoutes

LONGEST_SEARCH: Final = 200
"""Characters of a search at most; what comes after them is left out."""
MOST_HITS: Final = 50
HITS: Final = 12
MOST_ENTRIES: Final = 2000


class RuleLookup(RestRoutes):
    """The part of REST for those who look rules up."""

    def routes(self) -> list[Route]:
        """The almanac and its pictures."""
        return [
            Route("/api/rules", self.guarded(self.contents)),
            Route("/api/rules/search", self.guarded(self.search)),
            Route("/api/rules/compare", self.guarded(self.compare)),
            Route("/api/rules/entries/{entry:str}", self.guarded(self.entry)),
            Route("/api/rules/examples/{example:str}.svg", self.guarded(self.example)),
        ]

    async def contents(self, request: Request) -> Response:
        """The entries by group, what leads to them, and the editions there are."""
        return self._answer(request, await self._ask(request, _contents_json, await self._almanac_key(request)), JSON)

    async def entry(self, request: Request) -> Response:
        """An entry by its name, its title in any edition, or what else it is called."""
        key, name = await self._almanac_key(request), request.path_params["entry"][:LONGEST_SEARCH]
        if not await self._ask(request, _has_entry, key, name):  # then it is searched for
            self.context.spend("lookups", self.context.address(request))
        try:
            entry_json = await self._ask(request, _find_entry_json, key, name)
        except UnknownEntry as error:
            near = error.near or ("overview",)
            raise Declined.because("no_such_entry", entry=error.name[:40], near=near) from error
        return self._answer(request, entry_json, JSON)

    async def search(self, request: Request) -> Response:
        """The entries that fit a text, best first."""
        text, limit = (
            request.query_params.get("text", "")[:LONGEST_SEARCH],
            query_number(request, "limit", HITS, 1, MOST_HITS),
        )
        self.context.spend("lookups", self.context.address(request))
        return self._answer(
            request, await self._ask(request, _hits_json, await self._almanac_key(request), text, limit), JSON
        )

    async def compare(self, request: Request) -> Response:
        """Two editions or more side by side."""
        language = query_choice(request, "language", LANGUAGES) or LANGUAGES[0]
        text = request.query_params.get("editions", ",".join(EDITIONS))
        names = tuple(dict.fromkeys(text.split(",")))
        if not set(names) <= set(EDITIONS):
            raise Declined.because("bad_choice", name="editions", said=text[:40], choices=EDITIONS)
        return self._answer(request, await self._ask(request, _comparison_json, names, language), JSON)

    async def example(self, request: Request) -> Response:
        """A worked example as a picture."""
        key = await self._almanac_key(request)
        name, theme = request.path_params["example"], query_choice(request, "theme", tuple(THEMES)) or "light"
        if name not in await self._ask(request, _example_names, key):
            raise Declined.because("no_such_address")
        return self._answer(request, await self._ask(request, _draw_example, key, name, theme), SVG)

    async def _ask(self, request: Request, make: Callable[..., LookedUp], *how: Any) -> LookedUp:
        return await self.context.ask_almanac(self.context.address(request), make, *how)

    def _answer(self, request: Request, text: PackedText, media_type: str) -> Response:
        """What a table plays by is for those who may look at it, and for no proxy."""
        return lasting_response(request, text, media_type, for_all="table" not in request.query_params)

    async def _almanac_key(self, request: Request) -> AlmanacKey:
        """The almanac that a request names."""
        edition = query_choice(request, "edition", EDITIONS) or DEFAULT_EDITION
        language = query_choice(request, "language", LANGUAGES) or LANGUAGES[0]
        table = request.query_params.get("table")
        if table is None:
            return AlmanacKey(edition, language)
        runner, _ = await self.visible_table(request, table)
        return AlmanacKey.of_table(runner.table.options, language)


@cache
def _edition_titles(language: str) -> dict[str, str]:
    return {name: cached_almanac(AlmanacKey(name, language)).title for name in EDITIONS}


@lru_cache(maxsize=MOST_ALMANACS)
def _contents_json(key: AlmanacKey) -> PackedText:
    almanac = cached_almanac(key)
    groups = tuple(
        api.RuleGroup(title=title, entries=tuple(_topic_line(almanac.entry(name)) for name in names))
        for title, names in almanac.groups().items()
    )
    return _pack_json(
        api.RuleContents(
            edition=key.edition,
            language=key.language,
            editions=_edition_titles(key.language),
            groups=groups,
            rules=almanac.entries_by_rule(),
            words=dict(almanac.link_targets),
        )
    )


def _topic_line(entry: Entry) -> api.RuleTopic:
    return api.RuleTopic(name=entry.name, title=entry.title, short=entry.short)


def _has_entry(key: AlmanacKey, name: str) -> bool:
    return name in cached_almanac(key).names


def _find_entry_json(key: AlmanacKey, name: str) -> PackedText:
    return _entry_json(key, cached_almanac(key).entry(name).name)


@lru_cache(maxsize=MOST_ENTRIES)
def _entry_json(key: AlmanacKey, name: str) -> PackedText:
    return _pack_json(msgspec.convert(cached_almanac(key).entry(name).as_dict(), api.RuleEntry))


def _hits_json(key: AlmanacKey, text: str, limit: int) -> PackedText:
    hits = cached_almanac(key).search(text, limit)
    return _pack_json(api.RuleHits(hits=tuple(msgspec.convert(hit.as_dict(), api.RuleHit) for hit in hits)))


@lru_cache(maxsize=64)
def _comparison_json(editions: tuple[str, ...], language: str) -> PackedText:
    titles = {name: _edition_titles(language)[name] for name in editions}
    rows = cached_almanac(AlmanacKey(editions[0], language)).compare(editions)
    return _pack_json(
        api.RuleComparison(editions=titles, rows=tuple(msgspec.convert(row.as_dict(), api.RuleRow) for row in rows))
    )


@lru_cache(maxsize=MOST_ALMANACS)
def _example_names(key: AlmanacKey) -> frozenset[str]:
    """The names of the examples in the entries of an almanac."""
    entries = cached_almanac(key).entries()
    return frozenset(
        block.example.name for entry in entries for block in entry.blocks if isinstance(block, ExampleBlock)
    )


@lru_cache(maxsize=128)
def _draw_example(key: AlmanacKey, name: str, theme: str) -> PackedText:
    return PackedText.of(cached_almanac(key).example(name).svg(theme=theme))


def _pack_json(data: Any) -> PackedText:
    return PackedText.of(msgspec.json.encode(data).decode())
