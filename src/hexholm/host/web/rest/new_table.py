"""What one can choose for a new table: editions with their options and house rules, and boards to look at first.

GET /api/editions
GET /api/boards/preview?edition=fifth&setup=variable&numbers=random&seed=7
GET /api/boards/preview?edition=fifth&fair=true

The fairest board is looked for in a thread, one search at a time, among a fixed number of boards.
"""

from __future__ import annotations

import asyncio
import gzip
import secrets
from functools import cache
from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hexholm.bots import TABLE_BOTS, bot_kind
from hexholm.bots.fairness import Found, fairest
from hexholm.game.new_game import game_options, without_seed
from hexholm.rules.boards import Layout, layout_for, zip_map
from hexholm.rules.editions import EDITIONS, SETUPS, VARIABLE, Edition, edition
from hexholm.rules.errors import BadInput
from hexholm.rules.house_rules import HAND_LIMIT, POINTS_TO_WIN, SPARED_BELOW
from hexholm.rules.names import CARD_KINDS, RESOURCES
from hexholm.rules.options import PRINTED, ZIP_MAPS, Options

from ...tables.special.companion import CHANCE_LINES
from ...tables.special.lessons import lessons_of_edition
from ...wire import api
from ...wire.boards import board_line
from ...wire.host_refusals import Declined, Refusal
from ..context import Context
from ..static_files import accepts_gzip
from .responses import JSON, json_response
from .rest_routes import RestRoutes

FAIR_TRIES: Final = 100
"""So many boards are tried for a fair one: about half a second's work."""
ELSEWHERE: Final = frozenset({"edition", "players", "setup", "colors", "ages"})
"""Options that have no line of their own: an edition has its players, set-ups and colours; ages are for the table at
home."""


WORTH: Final = ("settlement", "city", "longest-road", "largest-army")


def option_lines(book: Edition) -> tuple[api.OptionLine, ...]:
    """What an edition leaves to choose, what its books offer first."""
    lines = [
        _choice_line("phases", "trade and build in turn (separate), or mixed", book.phases_options),
        _choice_line("harbors", "how harbors come to lie", book.variable_harbors, setup=VARIABLE),
        _choice_line("numbers", "how numbers come to lie", book.number_placement, setup=VARIABLE),
        api.OptionLine(
            name="map",
            kind="int",
            help="a map of the printed pad; one is drawn if none is named",
            low=2,
            high=ZIP_MAPS,
            setup=VARIABLE,
        )
        if PRINTED in book.number_placement
        else None,
        api.OptionLine(
            name="first",
            kind="int",
            help='the seat that begins, counted from 0, or "roll"; if nothing is said, as the edition has it',
            low=0,
            high=book.max_players - 1,
            choices=("roll",),
        ),
        _house_number_line("points_to_win", "points to win", POINTS_TO_WIN, book.victory_points),
        _house_number_line(
            "hand_limit", "hands over so many are halved on a seven", HAND_LIMIT, book.hand_limit_on_seven
        ),
        _house_rule_line(
            "friendly_robber", f"the robber spares opponents with fewer than {SPARED_BELOW} points in view"
        ),
        _house_rule_line("balanced_dice", "dice are drawn from a bag of the 36 pairs"),
        _house_rule_line("two_players", "two may play", players=2),
    ]
    return tuple(line for line in lines if line is not None)


def _choice_line(name: str, text: str, choices: tuple[str, ...], setup: str | None = None) -> api.OptionLine | None:
    """None if there is nothing to choose."""
    if len(choices) < 2:
        return None
    return api.OptionLine(name=name, kind="choice", help=text, choices=choices, default=choices[0], setup=setup)


def _house_number_line(name: str, text: str, span: tuple[int, int], usual: int) -> api.OptionLine:
    return api.OptionLine(name=name, kind="int", help=text, low=span[0], high=span[1], default=usual, house_rule=True)


def _house_rule_line(name: str, text: str, players: int | None = None) -> api.OptionLine:
    return api.OptionLine(name=name, kind="bool", help=text, default=False, house_rule=True, players=players)


def edition_line(book: Edition) -> api.EditionLine:
    """All that a form for a new table needs to know of an edition."""
    costs = {"card" if what == "development" else what: dict(cost) for what, cost in book.costs.items()}
    return api.EditionLine(
        name=book.name,
        title=book.title,
        players=(book.min_players, book.max_players),
        colors=book.colors,
        points=book.victory_points,
        setup=book.default_setup,
        words=dict(book.words),
        setups=SETUPS,
        costs=costs,
        worth={what: book.points[what.replace("-", "_")] for what in WORTH},
        hand_limit=book.hand_limit_on_seven,
        supply=dict.fromkeys(RESOURCES, book.bank_per_resource),
        deck={kind: book.dev_deck[kind.replace("-", "_")] for kind in CARD_KINDS},
        pieces={"road": book.road_limit, "settlement": book.settlement_limit, "city": book.city_limit},
        options=option_lines(book),
        lessons=lessons_of_edition(book.name),
    )


@cache
def _editions_json() -> bytes:
    lines = tuple(edition_line(edition(name)) for name in EDITIONS)
    bots = tuple(api.BotLine(name=name, line=bot_kind(name).line) for name in TABLE_BOTS)
    return msgspec.json.encode(api.EditionList(editions=lines, bots=bots, chances=CHANCE_LINES))


@cache
def _packed_editions_json() -> bytes:
    """A seventh of it: every page asks for them first."""
    return gzip.compress(_editions_json(), mtime=0)


class NewTablePage(RestRoutes):
    """The part of REST for the page of a new table."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.searching = asyncio.Lock()

    def routes(self) -> list[Route]:
        """What the page of a new table asks for."""
        return [
            Route("/api/editions", self.guarded(self.editions)),
            Route("/api/boards/preview", self.guarded(self.preview)),
        ]

    async def editions(self, request: Request) -> Response:
        """The editions one can play."""
        if not accepts_gzip(request.headers.get("accept-encoding", "")):
            return Response(_editions_json(), headers={"Vary": "Accept-Encoding"}, media_type=JSON)
        headers = {"Vary": "Accept-Encoding", "Content-Encoding": "gzip"}
        return Response(_packed_editions_json(), headers=headers, media_type=JSON)

    async def preview(self, request: Request) -> Response:
        """A board that a table with these options could have; with `fair=true` the fairest of many."""
        query = dict(request.query_params)
        fair = query.pop("fair", "false")
        if fair not in ("true", "false"):
            raise Declined(Refusal.of_input(BadInput(f"fair {fair[:40]!r}: true or false")))
        found: Found | None = None
        if fair == "true":
            chosen, seed = queried_options(query)
            self.context.spend("records", self.context.address(request))
            async with self.searching:
                found = await asyncio.to_thread(fair_board, chosen, seed)
            layout, seed = without_seed(found.layout), found.seed
        else:
            chosen, layout, seed = queried_board(query)
        answer = api.BoardAnswer(
            board=board_line(layout, chosen.edition),
            colors=chosen.colors,
            toml=layout.to_toml(),
            seed=seed,
            map=map_number(chosen, layout),
            fairness=None if found is None else fair_line(found),
        )
        return json_response(answer)


def queried_board(query: dict[str, str]) -> tuple[Options, Layout, int]:
    """The options, the board and its seed that a query names. Raises Declined."""
    chosen, seed = queried_options(query)
    return chosen, without_seed(layout_for(chosen, seed)), seed


def queried_options(query: dict[str, str]) -> tuple[Options, int]:
    """The options and the seed that a query names, a new seed if none. Raises Declined."""
    given = {name: _read_value(text) for name, text in query.items()}
    try:
        seed = given.pop("seed", None)
        if seed is None:
            seed = secrets.randbelow(api.LARGEST_BOARD_SEED + 1)
        if type(seed) is not int or not 0 <= seed <= api.LARGEST_BOARD_SEED:
            raise BadInput(f"seed {str(seed)[:40]!r}: a number from 0 to {api.LARGEST_BOARD_SEED}")
        return game_options(**given), seed
    except (BadInput, TypeError, ValueError) as no:
        raise Declined(Refusal.of_input(no)) from no


def fair_board(chosen: Options, seed: int) -> Found:
    """The fairest board for these options. Raises Declined."""
    try:
        return fairest(chosen, seed, FAIR_TRIES)
    except BadInput as no:
        raise Declined(Refusal.of_input(no)) from no


def map_number(chosen: Options, layout: Layout) -> int | None:
    """The number of a board on the printed pad; None if the edition has no pad."""
    if PRINTED not in chosen.edition_data.number_placement:
        return None
    return next((number for number in range(1, ZIP_MAPS + 1) if zip_map(number) == layout), None)


def fair_line(found: Found) -> api.FairLine:
    """How fair a board is, as it is sent."""
    parts = tuple(
        api.FairPart(name=part.name, points=part.points, why=part.why, values=dict(part.values))
        for part in found.fairness.parts
    )
    return api.FairLine(score=found.fairness.score, tried=found.tried, parts=parts)


def _read_value(text: str) -> Any:
    """A value of a query as the options know it."""
    if text in ("true", "false"):
        return text == "true"
    if text.isascii() and text.isdigit() and len(text) <= 16:
        return int(text)
    return text.split(",") if "," in text else text
