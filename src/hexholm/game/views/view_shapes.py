"""What is in a view as plain data, which :mod:`.view_data` makes; docs/reference/protocol.md says what it means."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from hexholm.rules.colors import Color


class PlayerViewShape(TypedDict):
    """What is seen of one player."""

    color: Color
    points: int
    hand: int
    cards: int
    played: dict[str, int]
    settlements: tuple[str, ...]
    cities: tuple[str, ...]
    roads: tuple[str, ...]
    left: dict[str, int | None]
    road_length: int
    owes: NotRequired[int]
    ranges: NotRequired[dict[str, tuple[int, int]]]


class OfferViewShape(TypedDict):
    """An open offer."""

    number: int
    by: Color
    give: dict[str, int]
    take: dict[str, int]
    to: tuple[Color, ...]
    yes: tuple[Color, ...]
    no: tuple[Color, ...]


class ViewShape(TypedDict):
    """The game through one pair of eyes. The last five are there for a seat, of its own cards."""

    phase: str
    turn: int
    active: Color
    dice: tuple[int, int] | None
    robber: str
    longest_road: Color | None
    largest_army: Color | None
    supply: dict[str, int]
    deck: int
    players: list[PlayerViewShape]
    offers: list[OfferViewShape]
    over: bool
    winner: Color | None
    hand: NotRequired[dict[str, int]]
    development: NotRequired[dict[str, int]]
    new: NotRequired[dict[str, int]]
    rates: NotRequired[dict[str, int]]
    partners: NotRequired[tuple[Color, ...]]
