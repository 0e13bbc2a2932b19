"""The editions one can play, with all that is to be chosen for a new table: options, house rules, bots, who deals.

GET /api/editions
"""

from __future__ import annotations

import gzip
from functools import cache
from typing import Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hexholm.bots import TABLE_BOTS, bot_kind
from hexholm.rules.names import CARD_KINDS, RESOURCES
from hexholm.rules.setup.editions import EDITIONS, SETUPS, VARIABLE, Edition, edition
from hexholm.rules.setup.house_rules import HAND_LIMIT, HOUSE_SWITCHES, POINTS_TO_WIN
from hexholm.rules.setup.options import ZIP_MAPS

from ...tables.companion import CHANCE_LINES
from ...tables.lessons import lessons_of_edition
from ...wire import api
from ..static_files import accepts_gzip
from .responses import JSON
from .rest_routes import RestRoutes

ELSEWHERE: Final = frozenset({"edition", "players", "setup", "colors", "ages"})
"""Options that have no line of their own: an edition has its players, set-ups and colors; ages are for the table at
home."""
WORTH: Final = ("settlement", "city", "longest-road", "largest-army")


def option_lines(edition_data: Edition) -> tuple[api.OptionLine, ...]:
    """What an edition leaves to choose, what its books offer first."""
    lines = [
        _choice_line("phases", "trade and build in turn (separate), or mixed", edition_data.phases_options),
        _choice_line(
            "harbors", "where trading places on the coast come to lie", edition_data.variable_harbors, setup=VARIABLE
        ),
        _choice_line("numbers", "how numbers come to lie", edition_data.number_placement, setup=VARIABLE),
        api.OptionLine(
            name="map",
            kind="int",
            help="a map of the printed pad; one is drawn if none is named",
            low=2,
            high=ZIP_MAPS,
            setup=VARIABLE,
        )
        if edition_data.has_printed_maps
        else None,
        api.OptionLine(
            name="first",
            kind="int",
            help='the seat that begins, counted from 0, or "roll"; if nothing is said, as the edition has it',
            low=0,
            high=edition_data.max_players - 1,
            choices=("roll",),
        ),
        _house_number_line("points_to_win", "points to win", POINTS_TO_WIN, edition_data.victory_points),
        _house_number_line(
            "hand_limit",
            "players who hold more than this discard half on a seven",
            HAND_LIMIT,
            edition_data.hand_limit_on_seven,
        ),
        *(_house_rule_line(option, f"{name}: {text}") for option, (name, text) in HOUSE_SWITCHES.items()),
        _house_rule_line("two_players", "two may play", player_count=2),
    ]
    return tuple(line for line in lines if line is not None)


def _choice_line(name: str, text: str, choices: tuple[str, ...], setup: str | None = None) -> api.OptionLine | None:
    """None if there is nothing to choose."""
    if len(choices) < 2:
        return None
    return api.OptionLine(name=name, kind="choice", help=text, choices=choices, default=choices[0], setup=setup)


def _house_number_line(name: str, text: str, span: tuple[int, int], usual: int) -> api.OptionLine:
    return api.OptionLine(name=name, kind="int", help=text, low=span[0], high=span[1], default=usual, house_rule=True)


def _house_rule_line(name: str, text: str, player_count: int | None = None) -> api.OptionLine:
    return api.OptionLine(name=name, kind="bool", help=text, default=False, house_rule=True, player_count=player_count)


def edition_line(edition_data: Edition) -> api.EditionLine:
    """All that a form for a new table needs to know of an edition."""
    costs = {"card" if piece == "development" else piece: dict(cost) for piece, cost in edition_data.costs.items()}
    return api.EditionLine(
        name=edition_data.name,
        title=edition_data.title,
        players=(edition_data.min_players, edition_data.max_players),
        colors=edition_data.colors,
        points=edition_data.victory_points,
        setup=edition_data.default_setup,
        words=dict(edition_data.words),
        setups=SETUPS,
        costs=costs,
        worth={piece: edition_data.points[piece.replace("-", "_")] for piece in WORTH},
        hand_limit=edition_data.hand_limit_on_seven,
        supply=dict.fromkeys(RESOURCES, edition_data.bank_per_resource),
        deck={kind: edition_data.dev_deck[kind.replace("-", "_")] for kind in CARD_KINDS},
        pieces={
            "road": edition_data.road_limit,
            "settlement": edition_data.settlement_limit,
            "city": edition_data.city_limit,
        },
        options=option_lines(edition_data),
        lessons=lessons_of_edition(edition_data.name),
    )


@cache
def _editions_json() -> bytes:
    lines = tuple(edition_line(edition(name)) for name in EDITIONS)
    bots = tuple(api.BotLine(name=name, line=bot_kind(name).summary) for name in TABLE_BOTS)
    return msgspec.json.encode(api.EditionList(editions=lines, bots=bots, chances=CHANCE_LINES))


@cache
def _packed_editions_json() -> bytes:
    """A seventh of it: every page asks for them first."""
    return gzip.compress(_editions_json(), mtime=0)


class Editions(RestRoutes):
    """The part of REST that lists the editions."""

    def routes(self) -> list[Route]:
        """What an edition is and what can be chosen in it."""
        return [Route("/api/editions", self.guarded(self.editions))]

    async def editions(self, request: Request) -> Response:
        """The editions one can play."""
        if not accepts_gzip(request.headers.get("accept-encoding", "")):
            return Response(_editions_json(), headers={"Vary": "Accept-Encoding"}, media_type=JSON)
        headers = {"Vary": "Accept-Encoding", "Content-Encoding": "gzip"}
        return Response(_packed_editions_json(), headers=headers, media_type=JSON)
