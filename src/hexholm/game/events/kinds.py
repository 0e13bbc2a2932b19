"""Every kind of event, and what each seat is told of it (docs/formats/events.md).

An event is a frozen dataclass of plain data: colors, names of places, kinds of cards, numbers, `Cards`. Where one
player does it, that player is called `player` in every event. `event.seen_by(color)` is the face of an event for one
seat, `event.seen_by(None)` the one for the public: a hidden part is None in it, and a seat that is told nothing at all
gets None for an event. A face is made of the event and the seat alone. All but three kinds are wholly public: the
stolen card, the drawn card, and discards that are chosen while others still choose (INFO-03, INFO-07, INFO-08).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Any, ClassVar, Final, Literal, get_args

from hexholm.rules.colors import Color
from hexholm.rules.names import PieceKind

from ..cards import Cards, cards_data
from ..result import Stop

Award = Literal["longest-road", "largest-army"]
AWARDS: Final[tuple[Award, ...]] = get_args(Award)
StarterReason = Literal["roll", "named", "oldest", "seat"]
OfferClosedReason = Literal["declined", "turn", "trading", "game"]

EVENTS: Final[dict[str, type[Event]]] = {}
"""The kinds of events by name, in the order of the rule books: the set-up, a turn, the end."""


class Event:
    """Something that happened. `name` is its kind as written in data: "stole", "turn_began"."""

    __slots__ = ()
    name: ClassVar[str]

    def __init_subclass__(cls) -> None:
        cls.name = re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()
        EVENTS[cls.name] = cls

    @property
    def hidden(self) -> bool:
        """Whether somebody is told less than this."""
        return False

    def seen_by(self, color: Color | None) -> Event | None:  # noqa: ARG002  # most events are the same for all
        """The face for a seat (None: the public); None if it is not told at all."""
        return self

    def as_dict(self) -> dict[str, Any]:
        """Plain data, fit for JSON; :func:`hexholm.game.events.event_reader.event_from_dict` reads it."""
        data: dict[str, Any] = {"event": self.name}
        for name in _fields_of(self.name):
            data[name] = _field_data(getattr(self, name))
        return data


@cache
def _fields_of(kind: str) -> tuple[str, ...]:
    """The names of what a kind of event holds."""
    return tuple(field.name for field in fields(EVENTS[kind]))  # type: ignore[arg-type]  # all are dataclasses


def _field_data(value: Any) -> Any:
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, Cards):
        return cards_data(value)
    if isinstance(value, dict):
        return {key: _field_data(item) for key, item in value.items()}
    return list(value) if isinstance(value, tuple) else value


# --- set-up ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GameBegan(Event):
    """A game is laid out: players by seat, the robber on its hex."""

    edition: str
    setup: str
    players: tuple[Color, ...]
    robber: str


@dataclass(frozen=True, slots=True)
class RollForStart(Event):
    """These players roll for the right to begin; `again`: they tied (SETUP-06, SETUP-07)."""

    players: tuple[Color, ...]
    again: bool


@dataclass(frozen=True, slots=True)
class StartRolled(Event):
    """One roll for the right to begin."""

    player: Color
    dice: tuple[int, int]
    total: int


@dataclass(frozen=True, slots=True)
class StarterChosen(Event):
    """Who begins; `why`: "roll" (the highest), "named", "oldest", or "seat" (no ages are known: seat 0)."""

    player: Color
    why: StarterReason


@dataclass(frozen=True, slots=True)
class PlacementTurn(Event):
    """A player is next to place a settlement and a road, in round 1 or 2 (SETUP-11, SETUP-12)."""

    player: Color
    round: int


@dataclass(frozen=True, slots=True)
class StartCards(Event):
    """The start resources of a player (SETUP-16)."""

    player: Color
    cards: Cards


# --- turns and dice --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TurnBegan(Event):
    """The turn of a player, before the roll; turns are counted from 1."""

    player: Color
    number: int


@dataclass(frozen=True, slots=True)
class Rolled(Event):
    """The dice of a turn."""

    player: Color
    dice: tuple[int, int]
    total: int


@dataclass(frozen=True, slots=True)
class DiceBagFilled(Event):
    """Balanced dice, a house rule: all 36 pairs are in the bag again."""


@dataclass(frozen=True, slots=True)
class Produced(Event):
    """What a roll pays to whom; those who get nothing are left out. `hexes`: the same, hex by hex."""

    gains: dict[Color, Cards]
    hexes: dict[str, dict[Color, Cards]]


@dataclass(frozen=True, slots=True)
class SupplyShort(Event):
    """The supply had fewer cards of a kind than were due.

    A single taker, `player`, gets the rest (PROD-09); of several nobody gets any, and `player` is None (PROD-08).
    """

    resource: str
    due: int
    paid: int
    player: Color | None


@dataclass(frozen=True, slots=True)
class TurnEnded(Event):
    """The active player passes the dice on."""

    player: Color


# --- a seven and the robber ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MustDiscard(Event):
    """A seven: these players must discard so many cards (SEVEN-02)."""

    owing: dict[Color, int]


@dataclass(frozen=True, slots=True)
class ChoseDiscard(Event):
    """A player has chosen cards to discard, all or the next one; nobody else is told before all have chosen."""

    player: Color
    cards: Cards

    @property
    def hidden(self) -> bool:
        return True

    def seen_by(self, color: Color | None) -> Event | None:
        """Only the player itself is told."""
        return self if color == self.player else None


@dataclass(frozen=True, slots=True)
class Discarded(Event):
    """All discards of a seven are in and lie open, in the order of the seats (INFO-08)."""

    player: Color
    cards: Cards


@dataclass(frozen=True, slots=True)
class RobberMoved(Event):
    """The robber stands on `hex` and has left `left`.

    `victims` have a building there: of several the player chooses one, a single one is robbed at once (ROBBER-12).
    """

    player: Color
    hex: str
    left: str
    victims: tuple[Color, ...]


@dataclass(frozen=True, slots=True)
class VictimChosen(Event):
    """Of several victims the player robs this one."""

    player: Color
    victim: Color


@dataclass(frozen=True, slots=True)
class FoundNothing(Event):
    """The victim has no cards (ROBBER-07)."""

    player: Color
    victim: Color


@dataclass(frozen=True, slots=True)
class Stole(Event):
    """A card went from the victim to the player; only these two know its kind (INFO-07)."""

    player: Color
    victim: Color
    card: str | None

    @property
    def hidden(self) -> bool:
        """Whether the kind of the card is in it."""
        return self.card is not None

    def seen_by(self, color: Color | None) -> Event | None:
        """With the kind of the card for thief and victim."""
        return self if color in (self.player, self.victim) else replace(self, card=None)


# --- building and development cards ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Built(Event):
    """A "road", "settlement" or "city" stands; `price` is what was paid, nothing in the set-up and for a free road."""

    player: Color
    piece: PieceKind
    place: str
    price: Cards


@dataclass(frozen=True, slots=True)
class Bought(Event):
    """A development card is paid for; it is drawn next."""

    player: Color
    price: Cards


@dataclass(frozen=True, slots=True)
class Drew(Event):
    """The development card that was bought; only the player knows its kind (INFO-03)."""

    player: Color
    card: str | None

    @property
    def hidden(self) -> bool:
        """Whether the kind of the card is in it."""
        return self.card is not None

    def seen_by(self, color: Color | None) -> Event | None:
        """With the kind of the card for the player."""
        return self if color == self.player else replace(self, card=None)


@dataclass(frozen=True, slots=True)
class PlayedCard(Event):
    """A development card lies open; what it does follows."""

    player: Color
    card: str


@dataclass(frozen=True, slots=True)
class FreeRoads(Event):
    """Road Building: so many roads are placed free of charge next."""

    player: Color
    roads: int


@dataclass(frozen=True, slots=True)
class Waived(Event):
    """The player does without the free roads that are left (DEV-18)."""

    player: Color
    roads: int


@dataclass(frozen=True, slots=True)
class NoPlaceForRoad(Event):
    """There is no place for the free roads that are left (DEV-18)."""

    player: Color
    roads: int


@dataclass(frozen=True, slots=True)
class TookFromSupply(Event):
    """Year of Plenty: the cards taken."""

    player: Color
    cards: Cards


@dataclass(frozen=True, slots=True)
class Monopolised(Event):
    """Monopoly: so many cards of the kind came from whom; those who had none are left out."""

    player: Color
    resource: str
    taken: dict[Color, int]


@dataclass(frozen=True, slots=True)
class LimitTile(Event):
    """Zip!: the limit tile for all settlements or all cities is `received`, or else given back (ZIP-06, ZIP-07)."""

    player: Color
    piece: PieceKind
    received: bool


@dataclass(frozen=True, slots=True)
class AwardMoved(Event):
    """The "longest-road" or "largest-army" goes from `loser` to `player`.

    None: nobody had it, or has it now. `size` counts the holder's roads in a row, or knights; 0 if nobody holds it.
    """

    award: Award
    player: Color | None
    loser: Color | None
    size: int


# --- trade -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SupplyTraded(Event):
    """A trade with the supply, `rate` cards for one."""

    player: Color
    give: Cards
    take: Cards
    rate: int


@dataclass(frozen=True, slots=True)
class OfferMade(Event):
    """An open offer: what its maker gives and wants, to whom.

    `answers`: it is a counter-offer to the offer of that number, which its maker declines with it.
    """

    number: int
    player: Color
    give: Cards
    want: Cards
    to: tuple[Color, ...]
    answers: int | None


@dataclass(frozen=True, slots=True)
class OfferAnswered(Event):
    """A yes that waits for the choice of the maker, or a no. A later answer takes the place of an earlier one."""

    number: int
    player: Color
    accepts: bool


@dataclass(frozen=True, slots=True)
class OfferWithdrawn(Event):
    """The maker takes an offer back."""

    number: int
    player: Color


@dataclass(frozen=True, slots=True)
class Traded(Event):
    """An exchange; with it the offer is closed. `player`, who made the offer, gives `give` and gets `take`."""

    number: int
    player: Color
    partner: Color
    give: Cards
    take: Cards


@dataclass(frozen=True, slots=True)
class TradingEnded(Event):
    """Separate phases: the player has built or bought, so there is no more trade this turn (PHASE-05)."""

    player: Color


@dataclass(frozen=True, slots=True)
class OfferClosed(Event):
    """An offer is off: "declined" by all, or the "turn", the "trading" or the "game" is over (TRADE-03)."""

    number: int
    why: OfferClosedReason


# --- the end ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Won(Event):
    """The game is over. `scores` are the final points of all, `revealed` their victory point cards (WIN-05, WIN-07)."""

    player: Color
    points: int
    scores: dict[Color, int]
    revealed: dict[Color, int]


@dataclass(frozen=True, slots=True)
class Stopped(Event):
    """The game ended before anybody won: `how` is agreed, abandoned or capped, `note` what was said about it, or ""."""

    how: Stop
    note: str
