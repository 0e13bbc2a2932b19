"""Every way to say no: a number for the core, a name for programs, the id of the rule.

A verdict is 0 (legal) or a refusal: its number in the lowest byte, one parameter above it. The words are in the
catalogues of `language/data/`; :mod:`..reasons` makes a reason of a verdict.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ..compilation.kernels import inline


@dataclass(frozen=True)
class RuleRefusal:
    """One kind of refusal."""

    name: str
    rule: str
    parameter: str = ""  # what the parameter is: "seat", "price", "supply", "number", "offer", "phase"


REFUSALS: Final = (
    RuleRefusal("legal", ""),
    RuleRefusal("unknown", "PHASE-13"),
    RuleRefusal("game_over", "WIN-02"),
    RuleRefusal("not_your_turn", "PHASE-12", "seat"),
    RuleRefusal("not_your_supply_trade", "TRADE-09", "seat"),
    RuleRefusal("chance_pending", "PHASE-11"),
    RuleRefusal("no_such_chance", "PHASE-11"),
    RuleRefusal("chance_decides", "PHASE-12"),
    RuleRefusal("only_placement", "SETUP-21", "phase"),
    RuleRefusal("settlement_first", "SETUP-11"),
    RuleRefusal("road_at_settlement", "SETUP-11"),
    RuleRefusal("road_at_second", "SETUP-14"),
    RuleRefusal("pending", "PHASE-11", "phase"),
    RuleRefusal("cannot_end", "PHASE-08", "phase"),
    RuleRefusal("discards_first", "SEVEN-05"),
    RuleRefusal("name_victim", "ROBBER-12"),
    RuleRefusal("roll_first", "PHASE-03"),
    RuleRefusal("rolled_already", "PHASE-03"),
    RuleRefusal("before_roll", "PHASE-09"),
    RuleRefusal("supply_before_roll", "PORT-11"),
    RuleRefusal("no_robber_move", "ROBBER-01"),
    RuleRefusal("no_steal", "ROBBER-05"),
    RuleRefusal("nothing_to_waive", "DEV-18"),
    RuleRefusal("no_discard", "SEVEN-02"),
    RuleRefusal("wrong_discard", "SEVEN-04", "number"),
    RuleRefusal("path_taken", "ROAD-02"),
    RuleRefusal("path_unconnected", "ROAD-03"),
    RuleRefusal("path_blocked", "ROAD-04"),
    RuleRefusal("no_roads_left", "ROAD-06", "number"),
    RuleRefusal("corner_taken", "SETTLE-02"),
    RuleRefusal("too_close", "SETTLE-03"),
    RuleRefusal("no_road_there", "SETTLE-04"),
    RuleRefusal("no_settlements_left", "SETTLE-05", "number"),
    RuleRefusal("not_your_settlement", "CITY-01"),
    RuleRefusal("no_cities_left", "CITY-04", "number"),
    RuleRefusal("cannot_pay", "BUILD-01", "price"),
    RuleRefusal("deck_empty", "DEV-08"),
    RuleRefusal("card_played_already", "DEV-03"),
    RuleRefusal("card_not_held", "DEV-01"),
    RuleRefusal("card_too_new", "DEV-04"),
    RuleRefusal("no_free_road", "DEV-18"),
    RuleRefusal("plenty_not_there", "DEV-21", "supply"),
    RuleRefusal("same_hex", "ROBBER-02"),
    RuleRefusal("spared_hex", "EDN-02"),
    RuleRefusal("no_victim", "ROBBER-06"),
    RuleRefusal("trading_closed", "PHASE-05"),
    RuleRefusal("like_for_like", "PORT-06"),
    RuleRefusal("nothing_taken", "PORT-01"),
    RuleRefusal("rate_supply", "PORT-01"),
    RuleRefusal("rate_generic", "PORT-02"),
    RuleRefusal("rate_special", "PORT-03"),
    RuleRefusal("supply_short", "PORT-07"),
    RuleRefusal("trade_before_roll", "TRADE-01"),
    RuleRefusal("wrong_partner", "TRADE-02"),
    RuleRefusal("gift", "TRADE-05"),
    RuleRefusal("like_on_both_sides", "TRADE-06"),
    RuleRefusal("wants_too_much", "COMP-03"),
    RuleRefusal("offers_what_is_not_there", "TRADE-14"),
    RuleRefusal("too_many_offers", "TRADE-03"),
    RuleRefusal("no_such_offer", "TRADE-03", "offer"),
    RuleRefusal("not_addressed", "TRADE-15", "offer"),
    RuleRefusal("answered_already", "TRADE-15", "offer"),
    RuleRefusal("accepter_lacks", "TRADE-10", "offer"),
    RuleRefusal("maker_lacks", "TRADE-10", "offer"),
    RuleRefusal("partner_lacks", "TRADE-10", "offer"),
    RuleRefusal("not_your_offer", "TRADE-14", "offer"),
    RuleRefusal("no_yes", "TRADE-15", "offer"),
    RuleRefusal("nothing_to_confirm", "TRADE-15", "offer"),
)  # fmt: skip


(
    LEGAL, UNKNOWN, GAME_OVER, NOT_YOUR_TURN, NOT_YOUR_SUPPLY_TRADE, CHANCE_PENDING, NO_SUCH_CHANCE, CHANCE_DECIDES, ONLY_PLACEMENT,
    SETTLEMENT_FIRST, ROAD_AT_SETTLEMENT, ROAD_AT_SECOND, PENDING, CANNOT_END, DISCARDS_FIRST, NAME_VICTIM, ROLL_FIRST,
    ROLLED_ALREADY, BEFORE_THE_ROLL, SUPPLY_BEFORE_ROLL, NO_ROBBER_MOVE, NO_STEAL, NOTHING_TO_WAIVE, NO_DISCARD, WRONG_DISCARD,
    PATH_TAKEN, PATH_UNCONNECTED, PATH_BLOCKED, NO_ROADS_LEFT, CORNER_TAKEN, TOO_CLOSE, NO_ROAD_THERE, NO_SETTLEMENTS_LEFT,
    NOT_YOUR_SETTLEMENT, NO_CITIES_LEFT, CANNOT_PAY, DECK_EMPTY, CARD_PLAYED_ALREADY, CARD_NOT_HELD, CARD_TOO_NEW, NO_FREE_ROAD,
    PLENTY_NOT_THERE, SAME_HEX, SPARED_HEX, NO_VICTIM, TRADING_CLOSED, LIKE_FOR_LIKE, NOTHING_TAKEN, RATE_SUPPLY, RATE_GENERIC,
    RATE_SPECIAL, SUPPLY_SHORT, TRADE_BEFORE_ROLL, WRONG_PARTNER, GIFT, LIKE_ON_BOTH_SIDES, WANTS_TOO_MUCH,
    OFFERS_WHAT_IS_NOT_THERE, TOO_MANY_OFFERS, NO_SUCH_OFFER, NOT_ADDRESSED, ANSWERED_ALREADY, ACCEPTER_LACKS, MAKER_LACKS,
    PARTNER_LACKS, NOT_YOUR_OFFER, NO_YES, NOTHING_TO_CONFIRM,
) = range(len(REFUSALS))  # fmt: skip


# --- verdicts --------------------------------------------------------------------------------------------------------


@inline
def refuse_with(refusal: int, parameter: int) -> int:
    """A verdict: the number of a refusal, its parameter above the lowest byte."""
    return refusal | parameter << 8


@inline
def refusal_of(verdict: int) -> int:
    """The number of the refusal, or LEGAL."""
    return verdict & 255


@inline
def refusal_parameter_of(verdict: int) -> int:
    """What the refusal is about: a seat, phase, offer, price or number."""
    return verdict >> 8
