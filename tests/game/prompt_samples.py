"""Every form of a prompt, and every refusal with the values it can have."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hexholm.game.cards import Cards
from hexholm.game.events import Prompt
from hexholm.rules.encoding.phases import PHASES
from hexholm.rules.encoding.refusals import REFUSALS

ONE_WOOL, TWO_ORE = Cards("1 wool"), Cards("2 ore 1 grain")
PROMPTS: tuple[Prompt, ...] = (
    Prompt("settlement", "red", number=1, active=True),
    Prompt("settlement", "red", number=2, active=True),
    Prompt("road", "red", active=True),
    Prompt("roll", "red", active=True),
    Prompt("roll", "red", cards=("knight",), active=True),
    Prompt("roll", "red", cards=("knight", "road-building", "year-of-plenty", "monopoly"), active=True),
    Prompt("discard", "red", number=4),
    Prompt("discard", "red", number=1, begun=True),
    Prompt("robber", "red", active=True),
    Prompt("victim", "red", players=("blue", "white"), active=True),
    Prompt("free_road", "red", number=2, active=True),
    Prompt("free_road", "red", number=1, optional=True, active=True),
    Prompt("main", "red", parts=("end",), active=True),
    Prompt("main", "red", parts=("trade", "build", "play", "end"), active=True),
    Prompt("main", "red", parts=("buy", "end"), active=True),
    Prompt("offer", "red", "blue", number=1, give=ONE_WOOL, want=TWO_ORE),
    Prompt("offer", "red", "blue", number=1, give=ONE_WOOL, want=TWO_ORE, active=True),
    Prompt("offer", "red", "blue", number=1, give=ONE_WOOL, want=TWO_ORE, able=True),
    Prompt("offer", "red", "blue", number=1, give=ONE_WOOL, want=TWO_ORE, able=True, active=True),
    Prompt("offers", "red", number=2),
    Prompt("offers", "red", number=3, active=True),
    Prompt("confirm", "red", players=("blue", "white"), number=1, active=True),
    Prompt("wait", "red", players=("blue",)),
    Prompt("wait", None, players=("red", "blue", "white")),
    Prompt("start_roll", "red", "red"),
    Prompt("start_roll", "red", "blue"),
    Prompt("dice", None, "blue"),
    Prompt("dice", "red", "red"),
    Prompt("theft", "red", "blue", ("red",)),
    Prompt("theft", "red", "red", ("blue",)),
    Prompt("draw", "red", "red"),
    Prompt("draw", "red", "blue"),
    Prompt("over", "red", "red"),
    Prompt("over", None, "red"),
    Prompt("stopped", None),
)


def refusals() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every refusal of the rules, with the values it can have; a phase with every phase."""
    for refusal in REFUSALS[1:]:
        match refusal.parameter:
            case "":
                yield refusal.name, {}
            case "seat":
                yield refusal.name, {"seat": "blue"}
            case "phase" if refusal.name == "pending":
                yield from ((refusal.name, {"phase": phase.name}) for phase in PHASES)
            case "phase":
                yield refusal.name, {"phase": "settlement"}
            case "price":
                yield refusal.name, {"price": {"brick": 1, "lumber": 1}}
                yield refusal.name, {"price": {"grain": 2, "ore": 3}}
            case "supply":
                yield refusal.name, {"supply": {"ore": 1, "wool": 3}}
                yield refusal.name, {"supply": {}}
            case parameter:
                yield refusal.name, {parameter: 4}
    yield "wrong_discard", {"number": 1}
    yield "game_stopped", {}
