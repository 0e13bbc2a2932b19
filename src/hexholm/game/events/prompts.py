"""What is asked of a seat now: one prompt, a code with its parameters (the words: :mod:`hexholm.game.language.words`).

It is computed from the seat's own view and the list of what it may do, so it tells nothing that the seat may not know.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any, Final, Literal

from hexholm.rules.core.encoding import actions as act
from hexholm.rules.core.encoding.lanes import covers
from hexholm.rules.core.encoding.structs import CARD_KINDS, OFFERS, SEATS, Sight
from hexholm.rules.core.phases import (
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
from hexholm.rules.errors import BadInput
from hexholm.rules.options import Options
from hexholm.rules.queries import may_waive, seats_silent, victims_at

from ..cards import Cards
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
    to: str | None
    """The colour of the one who is asked or told; None: the public."""
    player: str | None = None
    """Whose dice or cards chance decides; who offers; who has won."""
    players: tuple[str, ...] = ()
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
                data[field.name] = {kind: n for kind, n in value.items() if n}
            elif value or field.name == "to":
                data[field.name] = list(value) if isinstance(value, tuple) else value
        return data


def prompt_of(
    options: Options, view: Sight, seat: int | None, legal: Sequence[int] = (), facts: Facts | None = None
) -> Prompt:
    """What is asked of `seat` (None: the public), by its own view; `legal` are the codes of what it may do now.

    `facts` are those of the view, where they have been read already.
    """
    facts = facts or facts_of(view)
    if facts.observer != (SEATS if seat is None else seat):
        raise BadInput(f"a prompt for seat {seat} needs that seat's view, not the view of seat {facts.observer}")
    colors, phase = options.colors, facts.phase
    me = None if seat is None else colors[seat]
    turn = colors[facts.active]
    if phase == OVER:
        return Prompt("over", me, colors[facts.winner])
    if phase == THEFT:
        return Prompt("theft", me, turn, (colors[facts.victim],))
    if phase in _CHANCE_ASKS:
        return Prompt(_CHANCE_ASKS[phase], me, turn)
    if seat is not None and (facts.to_act >> seat) & 1:
        if phase == MAIN:
            return _main_prompt(colors, facts, seat, legal)
        return _phase_prompt(colors, view, facts, seat, legal)
    return _waiting_prompt(tuple(colors), me, facts.to_act)


@lru_cache(maxsize=1024)
def _waiting_prompt(colors: tuple[str, ...], me: str | None, bits: int) -> Prompt:
    """What most seats are told most of the time: whom they wait for."""
    return Prompt("wait", me, players=_colors(colors, bits))


def _colors(colors: Sequence[str], bits: int) -> tuple[str, ...]:
    return tuple(color for seat, color in enumerate(colors) if (bits >> seat) & 1)


def _phase_prompt(colors: Sequence[str], view: Sight, facts: Facts, seat: int, legal: Sequence[int]) -> Prompt:
    """In every phase but the main one."""
    me, active = colors[seat], seat == facts.active
    phase = facts.phase
    if phase == PLACE_SETTLEMENT:
        return Prompt("settlement", me, number=placement_round(facts), active=True)
    if phase == PLACE_ROAD:
        return Prompt("road", me, active=True)
    if phase == BEFORE_ROLL:
        playable = {_PLAYABLE[kind] for kind in map(act.kind_of, legal) if kind in _PLAYABLE}
        return Prompt("roll", me, cards=tuple(kind for kind in CARD_KINDS if kind in playable), active=True)
    if phase == DISCARDING:
        return Prompt("discard", me, number=facts.owed[seat], begun=facts.chosen[seat] != 0, active=active)
    if phase == MOVE_ROBBER:
        return Prompt("robber", me, active=True)
    if phase == CHOOSE_VICTIM:
        return Prompt("victim", me, players=_colors(colors, victims_at(view, seat, facts.robber)), active=True)
    assert phase == FREE_ROAD
    return Prompt("free_road", me, number=facts.free_roads, optional=bool(may_waive(view)), active=True)


def _main_prompt(colors: Sequence[str], facts: Facts, seat: int, legal: Sequence[int]) -> Prompt:
    """The main phase: an offer to answer, a partner to choose, or the turn itself."""
    me, active = colors[seat], seat == facts.active
    waiting = [
        slot
        for slot in range(OFFERS)
        if seats_silent(facts.offer_to[slot], facts.offer_yes[slot], facts.offer_no[slot]) >> seat & 1
    ]
    if waiting and facts.trade_open:
        if len(waiting) > 1:
            return Prompt("offers", me, number=len(waiting), active=active)
        slot = waiting[0]
        return Prompt(
            "offer",
            me,
            colors[facts.offer_maker[slot]],
            number=slot + 1,
            give=Cards.of_lanes(facts.offer_give[slot]),
            want=Cards.of_lanes(facts.offer_want[slot]),
            able=bool(covers(facts.hand[seat], facts.offer_want[slot])),
            active=active,
        )
    said_yes = [act.parameter_of(code) for code in legal if act.kind_of(code) == act.CONFIRM]
    if said_yes:
        slot = min(x & 7 for x in said_yes)
        partners = sum(1 << (x >> 3) for x in said_yes if x & 7 == slot)
        return Prompt("confirm", me, players=_colors(colors, partners), number=slot + 1, active=True)
    done = set(map(act.kind_of, legal))
    parts = []
    if act.SUPPLY in done or (facts.trade_open and facts.hand[seat]):
        parts.append("trade")
    if done & {act.ROAD, act.SETTLEMENT, act.CITY}:
        parts.append("build")
    elif act.BUY in done:
        parts.append("buy")
    if done & _PLAYABLE.keys():
        parts.append("play")
    return Prompt("main", me, parts=(*parts, "end"), active=True)
