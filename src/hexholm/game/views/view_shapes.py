"""What is in a view as plain data, which :mod:`.view_data` makes; docs/reference/protocol.md says what it means."""

from __future__ import annotations

from typing import NotRequired, TypedDict


class PlayerViewShape(TypedDict):
    """What is seen of one player."""

    color: str
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
    by: str
    give: dict[str, int]
    take: dict[str, int]
    to: tuple[str, ...]
    yes: tuple[str, ...]
    no: tuple[str, ...]


class ViewShape(TypedDict):
    """The game through one pair of eyes. The last five are there for a seat, of its own cards."""

    phase: str
    turn: int
    active: str
    dice: tuple[int, int] | None
    robber: str
    longest_road: str | None
    largest_army: str | None
    supply: dict[str, int]
    deck: int
    players: list[PlayerViewShape]
    offers: list[OfferViewShape]
    over: bool
    winner: str | None
    hand: NotRequired[dict[str, int]]
    development: NotRequired[dict[str, int]]
    new: NotRequired[dict[str, int]]
    rates: NotRequired[dict[str, int]]
    partners: NotRequired[tuple[str, ...]]
