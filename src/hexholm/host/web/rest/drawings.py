"""Drawings for the browser: the bare board of a table, and the kit of pieces and signs that is laid over it.

    GET /api/tables/{id}/board.svg?theme=dark&language=de
    GET /api/boards/preview.svg?edition=fifth&setup=variable&seed=7
    GET /api/drawings/kit.svg?theme=dark&colors=red.blue.white

They show public facts alone and stay the same for ever, so a browser may keep them; a proxy keeps no table's board. To
draw a board takes long enough to keep others waiting, so it is done in a thread.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hexholm.game.pictures import PAINTS, THEMES
from hexholm.game.pictures.kit import bare_board, kit_svg
from hexholm.rules.boards import read_written_board
from hexholm.rules.colors import Color
from hexholm.rules.language.languages import LANGUAGES
from hexholm.rules.language.sentences import resource_words
from hexholm.rules.setup.options import Options

from ...wire.host_refusals import Declined
from ..admission.counted_origin import counted_network
from ..context import Context
from .board_preview import preview_layout, queried_options
from .query_parameters import query_choice
from .responses import SVG, PackedText, lasting_response
from .rest_routes import RestRoutes

MOST_COLORS: Final = 8
BOARDS_KEPT: Final = 128
"""Boards of tables, as they were drawn: what is kept costs nobody anything."""


class BoardKey(NamedTuple):
    """A board and how it is drawn."""

    toml: str
    edition: str
    theme: str
    language: str


class Drawings(RestRoutes):
    """The pictures a server gives."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._boards: dict[BoardKey, PackedText] = {}

    def routes(self) -> list[Route]:
        """Boards, and the kit."""
        return [
            Route("/api/drawings/kit.svg", self.guarded(self.kit)),
            Route("/api/tables/{table:str}/board.svg", self.guarded(self.board)),
            Route("/api/boards/preview.svg", self.guarded(self.preview)),
        ]

    async def kit(self, request: Request) -> Response:
        """Pieces and signs."""
        colors = tuple(request.query_params.get("colors", "red.blue.white.orange").split("."))[:MOST_COLORS]
        unknown = [color for color in colors if color not in PAINTS]
        if unknown:
            raise Declined.because("no_such_pieces", color=unknown[0][:20], colors=tuple(PAINTS))
        return _svg_response(request, _draw_kit(colors, query_choice(request, "theme", tuple(THEMES)) or "light"))

    async def board(self, request: Request) -> Response:
        """The bare board of a table."""
        table = (await self.visible_table(request))[0].table
        theme, language = _theme_and_language(request)
        key = BoardKey(table.board.to_toml(), table.edition, theme, language)
        if key not in self._boards:
            self.context.spend("records", self.context.address(request))
            self._keep(key, await self.make_record(request, packed_board, key))
        return lasting_response(request, self._boards[key], SVG, for_all=False)

    async def preview(self, request: Request) -> Response:
        """A board that a table with these options could have: asked as /api/boards/preview is, with its seed."""
        theme, language = _theme_and_language(request)
        query = {name: value for name, value in request.query_params.items() if name not in ("theme", "language")}
        if "seed" not in query:
            raise Declined.because("board_needs_seed")
        options, seed = queried_options(query)
        self.context.spend("records", self.context.address(request))
        make, network = self.context.preview_queue.make, counted_network(self.context.address(request))
        return _svg_response(request, await make(network, packed_preview, options, seed, theme, language))

    def _keep(self, key: BoardKey, drawing: PackedText) -> None:
        self._boards[key] = drawing
        while len(self._boards) > BOARDS_KEPT:
            del self._boards[next(iter(self._boards))]


def _theme_and_language(request: Request) -> tuple[str, str]:
    return query_choice(request, "theme", tuple(THEMES)) or "light", query_choice(
        request, "language", LANGUAGES
    ) or "en"


def packed_preview(options: Options, seed: int, theme: str, language: str) -> PackedText:
    """The board of a seed."""
    return packed_board(BoardKey(preview_layout(options, seed).to_toml(), options.edition, theme, language))


def packed_board(key: BoardKey) -> PackedText:
    """The bare board in an edition's words."""
    words = resource_words(key.language, key.edition)
    return PackedText.of(bare_board(read_written_board(key.toml), theme=key.theme, words=words))


@lru_cache(maxsize=64)
def _draw_kit(colors: tuple[Color, ...], theme: str) -> PackedText:
    return PackedText.of(kit_svg(colors, theme))


def _svg_response(request: Request, drawing: PackedText) -> Response:
    return lasting_response(request, drawing, SVG)
