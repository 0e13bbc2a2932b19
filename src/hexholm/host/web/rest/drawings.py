"""Drawings for the browser: the bare board of a table, and the kit of pieces and signs that is laid over it.

    GET /api/tables/{id}/board.svg?theme=dark&language=de
    GET /api/boards/preview.svg?edition=fifth&setup=variable&seed=7
    GET /api/drawings/kit.svg?theme=dark&colors=red.blue.white

They show public facts alone and stay the same for ever, so a browser may keep them. To draw a board takes long enough
to keep others waiting, so it is done in a thread.
"""

from __future__ import annotations

import asyncio
import gzip
from functools import lru_cache
from typing import Final, NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hexholm.game.language.words import LANGUAGES, resource_words
from hexholm.game.pictures import PAINTS, THEMES
from hexholm.game.pictures.kit import bare, kit
from hexholm.rules.boards import Layout, read_board

from ...wire.api import Declined
from ..context import Desk
from ..static_files import takes_gzip
from .new_table import laid_out
from .tables import Rest, choice

SVG: Final = "image/svg+xml"
MOST_COLORS: Final = 8


class Drawings:
    """The pictures a server gives."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def routes(self) -> list[Route]:
        """All paths."""
        guarded = Rest(self.desk).guarded
        return [
            Route("/api/drawings/kit.svg", guarded(self.kit)),
            Route("/api/tables/{table:str}/board.svg", guarded(self.board)),
            Route("/api/boards/preview.svg", guarded(self.preview)),
        ]

    async def kit(self, request: Request) -> Response:
        """Pieces and signs."""
        colors = tuple(request.query_params.get("colors", "red.blue.white.orange").split("."))[:MOST_COLORS]
        unknown = [color for color in colors if color not in PAINTS]
        if unknown:
            raise Declined.because("no_such_pieces", color=unknown[0][:20], colors=tuple(PAINTS))
        return _svg(request, _kit(colors, choice(request, "theme", tuple(THEMES)) or "light"))

    async def board(self, request: Request) -> Response:
        """The bare board of a table."""
        table = await self.desk.table(request.path_params["table"], request)
        theme, language = _how(request)
        return _svg(request, await asyncio.to_thread(board_svg, table.board, table.edition, theme, language))

    async def preview(self, request: Request) -> Response:
        """A board that a table with these options could have: asked as /api/boards/preview is, with its seed."""
        theme, language = _how(request)
        query = {name: said for name, said in request.query_params.items() if name not in ("theme", "language")}
        if "seed" not in query:
            raise Declined.because("board_needs_seed")
        chosen, layout, _ = laid_out(query)
        self.desk.spend(self.desk.records, self.desk.address(request))
        return _svg(request, await asyncio.to_thread(board_svg, layout, chosen.edition, theme, language))


def _how(request: Request) -> tuple[str, str]:
    """Theme and language of a picture."""
    return choice(request, "theme", tuple(THEMES)) or "light", choice(request, "language", LANGUAGES) or "en"


class Drawing(NamedTuple):
    """A drawing as it is sent; it holds no secret, so that compressing it betrays nothing."""

    plain: bytes
    packed: bytes

    @classmethod
    def of(cls, text: str) -> Drawing:
        """A drawing, ready for all who ask for it."""
        plain = text.encode()
        return cls(plain, gzip.compress(plain, mtime=0))


def board_svg(layout: Layout, edition: str, theme: str, language: str) -> Drawing:
    """The bare board in an edition's words."""
    return _board(layout.to_toml(), edition, theme, language)


@lru_cache(maxsize=128)
def _board(toml: str, edition: str, theme: str, language: str) -> Drawing:
    return Drawing.of(bare(read_board(toml), theme=theme, words=resource_words(language, edition)))


@lru_cache(maxsize=64)
def _kit(colors: tuple[str, ...], theme: str) -> Drawing:
    return Drawing.of(kit(colors, theme))


def _svg(request: Request, drawing: Drawing) -> Response:
    return sent(request, drawing, SVG)


def sent(request: Request, drawing: Drawing, kind: str) -> Response:
    """What stays the same and is the same for everybody, compressed for those who can read that."""
    headers = {"Content-Type": kind, "Cache-Control": "public, max-age=86400", "Vary": "Accept-Encoding"}
    if not takes_gzip(request.headers.get("accept-encoding", "")):
        return Response(drawing.plain, headers=headers)
    return Response(drawing.packed, headers={**headers, "Content-Encoding": "gzip"})
