"""What happens in a game, as data: one event after another, each with its face for every seat.

    >>> from hexholm.game.events import Stole
    >>> event = Stole(player="red", victim="blue", card="ore")
    >>> event.seen_by("blue")
    Stole(player='red', victim='blue', card='ore')
    >>> event.seen_by("white")
    Stole(player='red', victim='blue', card=None)

An event has no words; :mod:`hexholm.game.language.words` has. :mod:`.kinds` are the kinds of events,
:mod:`.consequences` finds out what an action has done, :mod:`.prompts` what is asked of a seat. All that stands above
may import what is listed here, and `prompts.py`.
"""

from __future__ import annotations

from .consequences import events_of, opening_events
from .event_reader import BadEvent, event_from_dict
from .kinds import (
    EVENTS,
    AwardMoved,
    Bought,
    Built,
    ChoseDiscard,
    DiceBagFilled,
    Discarded,
    Drew,
    Event,
    FoundNothing,
    FreeRoads,
    GameBegan,
    LimitTile,
    Monopolised,
    MustDiscard,
    NoPlaceForRoad,
    OfferAnswered,
    OfferClosed,
    OfferMade,
    OfferWithdrawn,
    PlacementTurn,
    PlayedCard,
    Produced,
    RobberMoved,
    Rolled,
    RollForStart,
    StartCards,
    StarterChosen,
    StartRolled,
    Stole,
    Stopped,
    SupplyShort,
    SupplyTraded,
    TookFromSupply,
    Traded,
    TradingEnded,
    TurnBegan,
    TurnEnded,
    VictimChosen,
    Waived,
    Won,
)
from .prompts import Prompt, prompt_of

__all__ = [
    "EVENTS",
    "AwardMoved",
    "BadEvent",
    "Bought",
    "Built",
    "ChoseDiscard",
    "DiceBagFilled",
    "Discarded",
    "Drew",
    "Event",
    "FoundNothing",
    "FreeRoads",
    "GameBegan",
    "LimitTile",
    "Monopolised",
    "MustDiscard",
    "NoPlaceForRoad",
    "OfferAnswered",
    "OfferClosed",
    "OfferMade",
    "OfferWithdrawn",
    "PlacementTurn",
    "PlayedCard",
    "Produced",
    "Prompt",
    "RobberMoved",
    "RollForStart",
    "Rolled",
    "StartCards",
    "StartRolled",
    "StarterChosen",
    "Stole",
    "Stopped",
    "SupplyShort",
    "SupplyTraded",
    "TookFromSupply",
    "Traded",
    "TradingEnded",
    "TurnBegan",
    "TurnEnded",
    "VictimChosen",
    "Waived",
    "Won",
    "event_from_dict",
    "events_of",
    "opening_events",
    "prompt_of",
]
