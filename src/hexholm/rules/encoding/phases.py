"""The one table of phases: who acts, what may be done, which rule says so.

Legality, refusals, prompts and the docs page all read this table; a new phase is one row here, what leads into it
(:mod:`..core.step` and the rule's own file), and its question in `game/events/prompts.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ..compilation.kernels import constant_table, inline
from . import action_codes as act

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
NATURE_ACTS, ACTIVE_ACTS, OWING_ACT, TRADERS_ACT, NO_ONE_ACTS = range(5)


@dataclass(frozen=True)
class Phase:
    """One row: its name, who acts, the kinds of action that belong here, the rule that closes it to others."""

    id: int
    name: str
    actors: int
    kinds: tuple[int, ...]
    rule: str


_CARDS = (act.KNIGHT_CARD, act.ROAD_BUILDING_CARD, act.YEAR_OF_PLENTY_CARD, act.MONOPOLY_CARD)
_OFFERS = (act.OFFER, act.COUNTER, act.ACCEPT, act.REJECT, act.CONFIRM, act.WITHDRAW)
_BUILD = (act.ROAD, act.SETTLEMENT, act.CITY, act.BUY)

PHASES: Final = (
    Phase(START_ROLL, "start roll", NATURE_ACTS, (act.DICE,), "SETUP-06"),
    Phase(PLACE_SETTLEMENT, "settlement", ACTIVE_ACTS, (act.SETTLEMENT,), "SETUP-21"),
    Phase(PLACE_ROAD, "road", ACTIVE_ACTS, (act.ROAD,), "SETUP-21"),
    Phase(
        BEFORE_ROLL,
        "roll",
        ACTIVE_ACTS,
        (act.ROLL, *_CARDS),
        "PHASE-09",
    ),
    Phase(DICE_FALL, "dice", NATURE_ACTS, (act.DICE,), "PHASE-03"),
    Phase(DISCARDING, "discard", OWING_ACT, (act.DISCARD, act.DISCARD_CARD), "PHASE-11"),
    Phase(MOVE_ROBBER, "robber", ACTIVE_ACTS, (act.ROBBER,), "PHASE-11"),
    Phase(CHOOSE_VICTIM, "victim", ACTIVE_ACTS, (act.STEAL,), "ROBBER-12"),
    Phase(THEFT, "theft", NATURE_ACTS, (act.STOLEN,), "PHASE-11"),
    Phase(
        MAIN,
        "main",
        TRADERS_ACT,
        (act.END, *_BUILD, *_CARDS, act.SUPPLY, *_OFFERS),
        "PHASE-02",
    ),
    Phase(FREE_ROAD, "free road", ACTIVE_ACTS, (act.ROAD, act.WAIVE), "PHASE-11"),
    Phase(DRAW, "draw", NATURE_ACTS, (act.DRAWN,), "DEV-01"),
    Phase(OVER, "over", NO_ONE_ACTS, (), "WIN-02"),
)

ALLOWED_KINDS = constant_table([sum(1 << kind for kind in phase.kinds) for phase in PHASES])
ACTORS = constant_table([phase.actors for phase in PHASES], "i1")
CHANCE_PHASES: Final = sum(1 << phase.id for phase in PHASES if phase.actors == NATURE_ACTS)
"""Bit set of the phases in which Nature acts."""
FORCED_PHASES: Final = frozenset(
    phase.name
    for phase in PHASES
    if phase.actors in (ACTIVE_ACTS, OWING_ACT, TRADERS_ACT) and not {act.ROLL, act.END} & {*phase.kinds}
)
"""Names of the phases in which a seat has to choose something: it can neither just roll nor just end its turn."""


@inline
def is_chance_phase(phase: int) -> bool:
    """Whether Nature acts in a phase, and no seat."""
    return (CHANCE_PHASES >> phase) & 1 != 0
