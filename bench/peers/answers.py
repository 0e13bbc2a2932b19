"""Actions there and here: one key for both, so that an answer of ours finds its action in its list.

A key is a tuple of the kind of action, by its name there, and of our numbers. Where the engines cut a decision
differently, a key says what can be compared: the robber's move is a hex alone (the victim is asked for apart), a trade
with the supply what is given and taken (its list has the best rate only), a discard a single card.
"""

from __future__ import annotations

from typing import Any, Final

from hexholm.rules.encoding import action_codes as act
from hexholm.rules.encoding.lanes import unpack, widen

from .island import KIND, Island

Key = tuple[Any, ...]

PLAIN: Final = {
    act.ROLL: "ROLL",
    act.END: "END_TURN",
    act.BUY: "BUY_DEVELOPMENT_CARD",
    act.KNIGHT_CARD: "PLAY_KNIGHT_CARD",
    act.ROAD_BUILDING_CARD: "PLAY_ROAD_BUILDING",
}
PLACED: Final = {
    act.SETTLEMENT: "BUILD_SETTLEMENT",
    act.CITY: "BUILD_CITY",
    act.ROAD: "BUILD_ROAD",
    act.ROBBER: "MOVE_ROBBER",
    act.MONOPOLY_CARD: "PLAY_MONOPOLY",
    act.DISCARD_CARD: "DISCARD_RESOURCE",
}


def key_of_action(action: Any, island: Island) -> Key:
    """The key of one of its actions."""
    kind, value = action.action_type.name, action.value
    match kind:
        case "BUILD_SETTLEMENT" | "BUILD_CITY":
            return kind, island.corner_of[value]
        case "BUILD_ROAD":
            return kind, island.side(value)
        case "MOVE_ROBBER":
            return kind, island.hex_of[value[0]]
        case "PLAY_MONOPOLY" | "DISCARD_RESOURCE":
            return kind, KIND[value]
        case "PLAY_YEAR_OF_PLENTY":
            return kind, *sorted(KIND[name] for name in value)
        case "MARITIME_TRADE":
            return kind, KIND[value[0]], KIND[value[4]]
    return (kind,)


def key_of_code(code: int) -> Key:
    """The key of one of our actions; one that its engine does not know has a key that is in no list of it."""
    kind, parameter = act.kind_of(code), act.parameter_of(code)
    if kind in PLAIN:
        return (PLAIN[kind],)
    if kind in PLACED:
        return PLACED[kind], parameter
    if kind == act.YEAR_OF_PLENTY_CARD:
        second = () if act.second_taken_of(code) == act.NO_SECOND else (act.second_taken_of(code),)
        return "PLAY_YEAR_OF_PLENTY", *sorted((act.first_taken_of(code), *second))
    if kind == act.SUPPLY:
        want = next(kind for kind, n in enumerate(unpack(act.supply_want_of(code))) if n)  # of several, the first
        return "MARITIME_TRADE", act.supply_give_of(code), want
    return act.KIND_NAMES[kind], parameter


def discard_keys(code: int) -> list[Key]:
    """The keys of a whole discard, card by card, as its engine asks for it."""
    if act.kind_of(code) == act.DISCARD_CARD:
        return [key_of_code(code)]
    return [
        ("DISCARD_RESOURCE", kind) for kind, n in enumerate(unpack(widen(act.parameter_of(code)))) for _ in range(n)
    ]
