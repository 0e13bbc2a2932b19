"""The one table of phases: who acts, what may be done, which rule says so.

Legality, refusals, prompts and the docs page all read this table; a new phase is one row here and one branch in
`apply`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ..compiled import table
from .encoding import actions as act

(
    START_ROLL,
    PLACE_SETTLEMENT,
    PLACE_ROAD,
    BEFORE_ROLL,
    DICE_FALL,
    DISCARDING,
    MOVE_ROBBER,
    CHOOSE_VICTIM,
    THEFT,
    MAIN,
    FREE_ROAD,
    DRAW,
    OVER,
) = range(13)

# Who acts
NATURE, ACTIVE, OWING, TRADERS, NO_ONE = range(5)


@dataclass(frozen=True)
class Phase:
    """One row: its name, who acts, the kinds of action that belong here, the rule that closes it to others."""

    id: int
    name: str
    who: int
    kinds: tuple[int, ...]
    rule: str
    asks: str


_CARDS = (act.KNIGHT_CARD, act.ROAD_BUILDING_CARD, act.YEAR_OF_PLENTY_CARD, act.MONOPOLY_CARD)
_TALK = (act.OFFER, act.COUNTER, act.ACCEPT, act.REJECT, act.CONFIRM, act.WITHDRAW)
_BUILD = (act.ROAD, act.SETTLEMENT, act.CITY, act.BUY)

PHASES: Final = (
    Phase(START_ROLL, "start roll", NATURE, (act.DICE,), "SETUP-06", "the dice say who begins"),
    Phase(PLACE_SETTLEMENT, "settlement", ACTIVE, (act.SETTLEMENT,), "SETUP-21", "place a settlement"),
    Phase(PLACE_ROAD, "road", ACTIVE, (act.ROAD,), "SETUP-21", "place a road at the new settlement"),
    Phase(
        BEFORE_ROLL,
        "roll",
        ACTIVE,
        (act.ROLL, *_CARDS),
        "PHASE-09",
        "roll the dice, or play one development card first",
    ),
    Phase(DICE_FALL, "dice", NATURE, (act.DICE,), "PHASE-03", "the dice fall"),
    Phase(DISCARDING, "discard", OWING, (act.DISCARD, act.DISCARD_CARD), "PHASE-11", "discard half of your cards"),
    Phase(MOVE_ROBBER, "robber", ACTIVE, (act.ROBBER,), "PHASE-11", "move the robber to another hex"),
    Phase(CHOOSE_VICTIM, "victim", ACTIVE, (act.STEAL,), "ROBBER-12", "choose whom to steal from"),
    Phase(THEFT, "theft", NATURE, (act.STOLEN,), "PHASE-11", "a card is drawn from the victim's hand"),
    Phase(
        MAIN,
        "main",
        TRADERS,
        (act.END, *_BUILD, *_CARDS, act.SUPPLY, *_TALK),
        "PHASE-02",
        "trade, build, or end the turn",
    ),
    Phase(FREE_ROAD, "free road", ACTIVE, (act.ROAD, act.WAIVE), "PHASE-11", "place a free road"),
    Phase(DRAW, "draw", NATURE, (act.DRAWN,), "DEV-01", "a development card is drawn"),
    Phase(OVER, "over", NO_ONE, (), "WIN-02", "the game is over"),
)

ALLOWED_KINDS = table([sum(1 << kind for kind in phase.kinds) for phase in PHASES])
WHO = table([phase.who for phase in PHASES], "i1")
CHANCE_PHASES: Final = 1 << START_ROLL | 1 << DICE_FALL | 1 << THEFT | 1 << DRAW
"""Bit set of the phases in which Nature acts."""
