"""Boards to look at before a table is set up: one with the options that a query names, or the fairest of many.

GET /api/boards/preview?edition=fifth&setup=variable&numbers=random&seed=7
GET /api/boards/preview?edition=fifth&fair=true

Boards are made in a thread, one at a time for all who ask: the maps of a printed pad are read when they are first
asked for, and the fairest board is looked for among a fixed number.
"""

from __future__ import annotations

import secrets
from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hexholm.bots.fairness import FairBoard, fairest
from hexholm.game.new_game import game_options
from hexholm.rules.boards import Layout, layout_for, zip_map
from hexholm.rules.errors import BadInput
from hexholm.rules.setup.options import ZIP_MAPS, Options

from ...wire import api
from ...wire.boards import board_line
from ...wire.host_refusals import Declined, Refusal
from ..admission.counted_origin import counted_network
from .responses import json_response
from .rest_routes import RestRoutes

FAIR_TRIES: Final = 100
"""So many boards are tried for a fair one: about half a second's work."""


class BoardPreviews(RestRoutes):
    """The part of REST that shows boards which a table could have."""

    def routes(self) -> list[Route]:
        """A board by its options, or the fairest of many."""
        return [Route("/api/boards/preview", self.guarded(self.preview))]

    async def preview(self, request: Request) -> Response:
        """A board that a table with these options could have; with `fair=true` the fairest of many."""
        query = dict(request.query_params)
        fair = query.pop("fair", "false")
        if fair not in ("true", "false"):
            raise Declined(Refusal.of_input(BadInput(f"fair {fair[:40]!r}: true or false")))
        options, seed = queried_options(query)
        if fair == "true":
            self.context.spend("records", self.context.address(request))
        make = fair_answer if fair == "true" else preview_answer
        return json_response(
            await self.context.preview_queue.make(counted_network(self.context.address(request)), make, options, seed)
        )


def preview_answer(options: Options, seed: int) -> api.BoardAnswer:
    """The board of a seed."""
    return _board_answer(options, preview_layout(options, seed), seed)


def fair_answer(options: Options, seed: int) -> api.BoardAnswer:
    """The fairest of many boards. Raises Declined."""
    fairest_board = fair_board(options, seed)
    answer = _board_answer(options, fairest_board.layout.without_seed(), fairest_board.seed)
    return msgspec.structs.replace(answer, fairness=fair_line(fairest_board))


def _board_answer(options: Options, layout: Layout, seed: int) -> api.BoardAnswer:
    return api.BoardAnswer(
        board=board_line(layout, options.edition),
        colors=options.colors,
        toml=layout.to_toml(),
        seed=seed,
        map=map_number(options, layout),
    )


def preview_layout(options: Options, seed: int) -> Layout:
    """The board of a seed, which does not tell it."""
    return layout_for(options, seed).without_seed()


def queried_options(query: dict[str, str]) -> tuple[Options, int]:
    """The options and the seed that a query names, a new seed if none. Raises Declined."""
    values = {name: _read_value(text) for name, text in query.items()}
    try:
        seed = values.pop("seed", None)
        if seed is None:
            seed = secrets.randbelow(api.LARGEST_BOARD_SEED + 1)
        if type(seed) is not int or not 0 <= seed <= api.LARGEST_BOARD_SEED:
            raise BadInput(f"seed {str(seed)[:40]!r}: a number from 0 to {api.LARGEST_BOARD_SEED}")
        return game_options(**values), seed
    except (BadInput, TypeError, ValueError) as error:
        raise Declined(Refusal.of_input(error)) from error


def fair_board(options: Options, seed: int) -> FairBoard:
    """The fairest board for these options. Raises Declined."""
    try:
        return fairest(options, seed, FAIR_TRIES)
    except BadInput as error:
        raise Declined(Refusal.of_input(error)) from error


def map_number(options: Options, layout: Layout) -> int | None:
    """The number of a board on the printed pad; None if the edition has no pad."""
    if not options.edition_data.has_printed_maps:
        return None
    return next((number for number in range(1, ZIP_MAPS + 1) if zip_map(number) == layout), None)


def fair_line(fairest_board: FairBoard) -> api.FairLine:
    """How fair a board is, as it is sent."""
    parts = tuple(
        api.FairPart(name=part.name, points=part.points, why=part.why, values=dict(part.values))
        for part in fairest_board.fairness.parts
    )
    return api.FairLine(score=fairest_board.fairness.score, tried=fairest_board.tried, parts=parts)


def _read_value(text: str) -> Any:
    """A value of a query as the options know it."""
    if text in ("true", "false"):
        return text == "true"
    if text.isascii() and text.isdigit() and len(text) <= 16:
        return int(text)
    return text.split(",") if "," in text else text
