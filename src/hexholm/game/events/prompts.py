"""What is asked of a seat now: one prompt, a code with its parameters (the words: :mod:`hexholm.game.language.words`).

It is computed from the seat's own view and the list of what it may do, so it tells nothing that the seat may not know.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any, Final, Literal

from hexholm.rules.colors import Color, SeatNumber, colors_in
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.encoding.lanes import covers
from hexholm.rules.encoding.phases import (
    BEFORE_ROLL,
    CHOOSE_VICTIM,
    DICE_FALL,
    DISCARDING,
    DRAW,
    FREE_ROAD,
    MAIN,
    MOVE_ROBBER,
    OVER,
    PLACE_ROAD,
    PLACE_SETTLEMENT,
    START_ROLL,
    THEFT,
)
from hexholm.rules.encoding.structs import CARD_KINDS, OFFERS, SEATS, Sight
from hexholm.rules.errors import BadInput
from hexholm.rules.queries import may_waive, seats_silent, victims_at
from hexholm.rules.setup.options import Options

from ..cards import Cards, cards_data
from ..facts import Facts, facts_of, placement_round

Ask = Literal[
    "settlement", "road", "roll", "discard", "robber", "victim", "free_road", "main", "offer", "offers", "confirm",
    "wait", "start_roll", "dice", "theft", "draw", "over", "stopped",
]  # fmt: skip
"""What can be asked; from "wait" on nothing is asked of the seat."""
_CHANCE_ASKS: Final[dict[int, Ask]] = {START_ROLL: "start_roll", DICE_FALL: "dice", THEFT: "theft", DRAW: "draw"}
_PLAYABLE: Final = {
    act.KNIGHT_CARD: "knight",
    act.ROAD_BUILDING_CARD: "road-building",
    act.YEAR_OF_PLENTY_CARD: "year-of-plenty",
    act.MONOPOLY_CARD: "monopoly",
}
assert set(_PLAYABLE.values()) < set(CARD_KINDS)


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is asked of a seat, or whom it waits for. Only the fields that belong to `ask` are set."""

    ask: Ask
    to: Color | None
    """The color of the one who is asked or told; None: the public."""
    player: Color | None = None
    """Whose dice or cards chance decides; who offers; who has won."""
    players: tuple[Color, ...] = ()
    """wait: for whom; victim: of whom one may steal; confirm: who said yes."""
    number: int | None = None
    """discard, free_road: how many; settlement: the first or second; offer, confirm: its number; offers: how many."""
    cards: tuple[str, ...] = ()
    """roll: the development cards that may be played first."""
    parts: tuple[str, ...] = ()
    """main: what there is to do, of "trade", "build", "buy", "play", "end"."""
    give: Cards | None = None
    """offer: what its maker gives."""
    want: Cards | None = None
    """offer: what its maker wants."""
    begun: bool = False
    """discard: some cards are chosen already."""
    optional: bool = False
    """free_road: it may be left out."""
    able: bool = False
    """offer: the seat holds what is wanted."""
    active: bool = False
    """Whether it is the turn of the seat."""

    def as_dict(self) -> dict[str, Any]:
        """Plain data, fit for JSON, without the fields that say nothing."""
        data: dict[str, Any] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, Cards):
                data[field.name] = cards_data(value)
            elif value or field.name == "to":
                data[field.name] = list(value) if isinstance(value, tuple) else value
        return data


def prompt_of(
    options: Options, view: Sight, seat: SeatNumber | None, legal: Sequence[int] = (), facts: Facts | None = None
) -> Prompt:
    """What is asked of `seat` (None: the public), by its own view; `legal` are the codes of what it may do now.

    `facts` are those of the view, where they have been read already.
    """
    facts = facts or facts_of(view)
    if facts.observer != (SEATS if seat is None else seat):
        raise BadInput(f"a prompt for seat {seat} needs that seat's view, not the view of seat {facts.observer}")
    colors, phase = options.colors, facts.phase
    color = None if seat is None else colors[seat]
    active = colors[facts.active]
    if phase == OVER:
        return Prompt("over", color, colors[facts.winner])
    if phase == THEFT:
        return Prompt("theft", color, active, (colors[facts.victim],))
    if phase in _CHANCE_ASKS:
        return Prompt(_CHANCE_ASKS[phase], color, active)
    if seat is not None and (facts.to_act >> seat) & 1:
        if phase == MAIN:
            return _main_prompt(colors, facts, seat, legal)
        return _phase_prompt(colors, view, facts, seat, legal)
    return _waiting_prompt(tuple(colors), color, facts.to_act)


@lru_cache(maxsize=1024)
def _waiting_prompt(colors: tuple[Color, ...], color: Color | None, bits: int) -> Prompt:
    """What most seats are told most of the time: whom they wait for."""
    return Prompt("wait", color, players=colors_in(bits, colors))


def _phase_prompt(colors: Sequence[Color], view: Sight, facts: Facts, seat: SeatNumber, legal: Sequence[int]) -> Prompt:
    """In every phase but the main one."""
    color, active = colors[seat], seat == facts.active
    phase = facts.phase
    if phase == PLACE_SETTLEMENT:
        return Prompt("settlement", color, number=placement_round(facts), active=True)
    if phase == PLACE_ROAD:
        return Prompt("road", color, active=True)
    if phase == BEFORE_ROLL:
        playable = {_PLAYABLE[kind] for kind in map(act.kind_of, legal) if kind in _PLAYABLE}
        return Prompt("roll", color, cards=tuple(kind for kind in CARD_KINDS if kind in playable), active=True)
    if phase == DISCARDING:
        return Prompt("discard", color, number=facts.owed[seat], begun=facts.discards[seat] != 0, active=active)
    if phase == MOVE_ROBBER:
        return Prompt("robber", color, active=True)
    if phase == CHOOSE_VICTIM:
        return Prompt("victim", color, players=colors_in(victims_at(view, seat, facts.robber), colors), active=True)
    assert phase == FREE_ROAD
    return Prompt("free_road", color, number=facts.free_roads, optional=bool(may_waive(view)), active=True)


def _main_prompt(colors: Sequence[Color], facts: Facts, seat: SeatNumber, legal: Sequence[int]) -> Prompt:
    """The main phase: an offer to answer, a partner to choose, or the turn itself."""
    color, active = colors[seat], seat == facts.active
    open_slots = [
        slot
        for slot in range(OFFERS)
        if seats_silent(facts.offer_to[slot], facts.offer_yes[slot], facts.offer_no[slot]) >> seat & 1
    ]
    if open_slots and facts.trade_open:
        if len(open_slots) > 1:
            return Prompt("offers", color, number=len(open_slots), active=active)
        slot = open_slots[0]
        return Prompt(
            "offer",
            color,
            colors[facts.offer_maker[slot]],
            number=slot + 1,
            give=Cards.of_lanes(facts.offer_give[slot]),
            want=Cards.of_lanes(facts.offer_want[slot]),
            able=bool(covers(facts.hand[seat], facts.offer_want[slot])),
            active=active,
        )
    confirmations = [code for code in legal if act.kind_of(code) == act.CONFIRM]
    if confirmations:
        slot = min(map(act.slot_of, confirmations))
        partners = sum(1 << act.partner_of(code) for code in confirmations if act.slot_of(code) == slot)
        return Prompt("confirm", color, players=colors_in(partners, colors), number=slot + 1, active=True)
    legal_kinds = set(map(act.kind_of, legal))
    parts = []
    if act.SUPPLY in legal_kinds or (facts.trade_open and facts.hand[seat]):
        parts.append("trade")
    if legal_kinds & {act.ROAD, act.SETTLEMENT, act.CITY}:
        parts.append("build")
    elif act.BUY in legal_kinds:
        parts.append("buy")
    if legal_kinds & _PLAYABLE.keys():
        parts.append("play")
    return Prompt("main", color, parts=(*parts, "end"), active=True)
