"""A view as plain data, fit for JSON: what hosts send to browsers and what bots written in any language are asked with.

Most of it looks as it did before the last action, and the same to all. So the parts that follow from a few facts of the
view are made once for these facts and used again, whoever looks: nothing but the view decides what is in them. They are
shared; nobody may change them. What the fields mean is in docs/reference/protocol.md.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, Generic, TypeVar

from hexholm.rules.colors import SeatNumber
from hexholm.rules.encoding.phases import OVER, PHASES
from hexholm.rules.places import HEX_NAMES

from ..cards import cards_data
from .offer import Offer
from .seat_view_base import SeatViewBase
from .view_shapes import OfferViewShape, PlayerViewShape, ViewShape

PartT = TypeVar("PartT")


class DataCache(Generic[PartT]):
    """Parts that were made already, by all that they follow from."""

    MOST: Final = 4096

    def __init__(self) -> None:
        self._parts: dict[object, PartT] = {}

    def part(self, facts: object, make: Callable[[], PartT]) -> PartT:
        """The part that follows from these facts."""
        part = self._parts.get(facts)
        if part is None:
            if len(self._parts) >= self.MOST:
                self._parts.clear()
            part = self._parts[facts] = make()
        return part

    def clear(self) -> None:
        """Make everything anew."""
        self._parts.clear()


_players: Final = DataCache[list[PlayerViewShape]]()
_rows: Final = DataCache[PlayerViewShape]()
_cards: Final = DataCache[dict[str, int]]()
_rates: Final = DataCache[dict[str, int]]()
VIEW_CACHES: Final = (_players, _rows, _cards, _rates)


def view_data(view: SeatViewBase, *, ranges: bool = False) -> ViewShape:
    """What a view tells; with `ranges` also what can be inferred of the other hands."""
    facts, own_color, colors = view.facts, view.seat, view.colors
    players = _players_data(view)
    if ranges:
        players = list(players)
        for seat, color in enumerate(view.colors):
            if color != own_color and facts.hand_size[seat]:
                spans = {kind: span for kind, span in view.ranges(seat).items() if span[1]}
                players[seat] = {**players[seat], "ranges": spans}
    data: ViewShape = {
        "phase": PHASES[facts.phase].name,
        "turn": facts.turn_number,
        "active": colors[facts.active],
        "dice": view.dice,
        "robber": HEX_NAMES[facts.robber],
        "longest_road": None if facts.longest_road < 0 else colors[facts.longest_road],
        "largest_army": None if facts.largest_army < 0 else colors[facts.largest_army],
        "supply": _cards.part(("resource", facts.supply), lambda: cards_data(view.supply)),
        "deck": facts.deck_size,
        "players": players,
        "offers": [offer_data(offer) for offer in view.offers] if any(facts.offer_give) else [],
        "over": view.over,
        "winner": None if facts.winner < 0 else colors[facts.winner],
    }
    if own_color is not None:
        own_columns = facts.hand, facts.development, facts.usable_harbors
        hand, development_cards, usable_harbors = (column[facts.observer] for column in own_columns)
        rates = usable_harbors, facts.rate_supply, facts.rate_generic, facts.rate_special
        data["hand"] = _cards.part(("resource", hand), lambda: cards_data(view.hand))
        data["development"] = _cards.part(("development", development_cards), lambda: cards_data(view.development))
        data["new"] = _cards.part(("development", facts.new_cards), lambda: cards_data(view.new_development))
        data["rates"] = _rates.part(rates, view.rates)
        data["partners"] = view.partners
    return data


def _players_data(view: SeatViewBase) -> list[PlayerViewShape]:
    """What is seen of each player. Few rows change with an action, and most are the same to all who look."""
    facts = view.facts
    limits = facts.road_limit, facts.settlement_limit, facts.city_limit
    observer, points = facts.observer, facts.points[: facts.players]
    if facts.phase == OVER:  # victory point cards lie open
        points = tuple(map(view.points, range(facts.players)))
    elif observer < facts.players:
        points = (*points[:observer], facts.own_points, *points[observer + 1 :])
    pieces = facts.settlements, facts.cities, facts.roads_lo, facts.roads_hi
    columns = points, *pieces, facts.hand_size, facts.card_count, facts.played, facts.road_length, facts.owed

    def make() -> list[PlayerViewShape]:
        rows = zip(view.colors, *columns, strict=False)  # there is room for more players than play
        return [_rows.part((limits, row), partial(_player_data, view, seat)) for seat, row in enumerate(rows)]

    return _players.part((view.colors, limits, columns), make)


def _player_data(view: SeatViewBase, seat: SeatNumber) -> PlayerViewShape:
    row: PlayerViewShape = {
        "color": view.colors[seat],
        "points": view.points(seat),
        "hand": view.hand_size(seat),
        "cards": view.development_count(seat),
        "played": cards_data(view.played(seat)),
        "settlements": view.settlements(seat),
        "cities": view.cities(seat),
        "roads": view.roads(seat),
        "left": view.pieces_left(seat),
        "road_length": view.road_length(seat),
    }
    if view.owed(seat):
        row["owes"] = view.owed(seat)
    return row


def offer_data(offer: Offer) -> OfferViewShape:
    """An open offer."""
    return {
        "number": offer.number,
        "by": offer.by,
        "give": cards_data(offer.give),
        "take": cards_data(offer.want),
        "to": offer.to,
        "yes": offer.yes,
        "no": offer.no,
    }
