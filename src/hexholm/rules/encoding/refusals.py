"""Every way to say no: a number for the core, a rule id and words for people.

A verdict is 0 (legal) or a refusal: its number in the lowest byte, one parameter above it. The words here are the plain English
of the engine; front ends may say it in an edition's words, from number and parameter alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ..compilation.kernels import inline
from ..house_rules import SPARED_BELOW


@dataclass(frozen=True)
class RuleRefusal:
    """One kind of refusal. `text` may use {0}: the parameter, spelled by `parameter`."""

    name: str
    rule: str
    text: str
    parameter: str = ""  # what the parameter is: "seat", "price", "number", "offer", "phase", "rate"


_NUMBER_WORDS: Final = ("no", "one", "two", "three", "four", "five")
REFUSALS: Final = (
    RuleRefusal("legal", "", "legal"),
    RuleRefusal("unknown", "PHASE-13", "there is no such action or place"),
    RuleRefusal("game_over", "WIN-02", "the game is over"),
    RuleRefusal("not_your_turn", "PHASE-12", "it is {0}'s turn; you may only answer or propose trades, and discard on a seven", "seat"),
    RuleRefusal("not_your_supply_trade", "TRADE-09", "only {0}, whose turn it is, may trade with the supply", "seat"),
    RuleRefusal("chance_pending", "PHASE-11", "the outcome of chance comes first"),
    RuleRefusal("no_such_chance", "PHASE-11", "this outcome is not possible now"),
    RuleRefusal("chance_decides", "PHASE-12", "that is for chance to decide, not for a player"),
    RuleRefusal("only_placement", "SETUP-21", "during placement only this is possible: {0}", "phase"),
    RuleRefusal("settlement_first", "SETUP-11", "first place the settlement, then the road beside it"),
    RuleRefusal("road_at_settlement", "SETUP-11", "the road must touch the settlement just placed"),
    RuleRefusal("road_at_second", "SETUP-14", "the second road must touch the second settlement"),
    RuleRefusal("pending", "PHASE-11", "first this: {0}", "phase"),
    RuleRefusal("cannot_end", "PHASE-08", "the turn cannot end yet; first this: {0}", "phase"),
    RuleRefusal("discards_first", "SEVEN-05", "the robber moves when all discards are in"),
    RuleRefusal("name_victim", "ROBBER-12", "first choose whom to steal from"),
    RuleRefusal("roll_first", "PHASE-03", "the turn cannot end before the roll"),
    RuleRefusal("rolled_already", "PHASE-03", "the dice were rolled already this turn"),
    RuleRefusal("before_roll", "PHASE-09", "before the roll only a development card may be played"),
    RuleRefusal("supply_before_roll", "PORT-11", "trade with the supply comes after the roll"),
    RuleRefusal("no_robber_move", "ROBBER-01", "the robber moves only on a seven or by a knight"),
    RuleRefusal("no_steal", "ROBBER-05", "there is nobody to steal from now"),
    RuleRefusal("nothing_to_waive", "DEV-18", "only a second free road may be left out, and only where the edition says so"),
    RuleRefusal("no_discard", "SEVEN-02", "you have nothing to discard"),
    RuleRefusal("wrong_discard", "SEVEN-04", "discard exactly {0} of the cards you hold", "number"),
    RuleRefusal("path_taken", "ROAD-02", "there is a road already"),
    RuleRefusal("path_unconnected", "ROAD-03", "none of your roads, settlements or cities touches it"),
    RuleRefusal("path_blocked", "ROAD-04", "the way there leads through an opponent's building"),
    RuleRefusal("no_roads_left", "ROAD-06", "all your {0} roads are on the board", "number"),
    RuleRefusal("corner_taken", "SETTLE-02", "there is a building already"),
    RuleRefusal("too_close", "SETTLE-03", "a neighbouring intersection has a building"),
    RuleRefusal("no_road_there", "SETTLE-04", "none of your roads leads there"),
    RuleRefusal("no_settlements_left", "SETTLE-05", "all your {0} settlements are on the board; make one a city first", "number"),
    RuleRefusal("not_your_settlement", "CITY-01", "a city can only replace a settlement of yours"),
    RuleRefusal("no_cities_left", "CITY-04", "all your {0} cities are on the board", "number"),
    RuleRefusal("cannot_pay", "BUILD-01", "you cannot pay for it: it costs {0}", "price"),
    RuleRefusal("deck_empty", "DEV-08", "no development cards are left"),
    RuleRefusal("card_played_already", "DEV-03", "one development card a turn, and you have played it"),
    RuleRefusal("card_not_held", "DEV-01", "you hold no such development card"),
    RuleRefusal("card_too_new", "DEV-04", "a development card cannot be played in the turn it was bought"),
    RuleRefusal("no_free_road", "DEV-18", "you can place no road now, so the card cannot be played"),
    RuleRefusal("plenty_not_there", "DEV-21", "the supply does not hold that; two cards must be named, one if it holds only one"),
    RuleRefusal("same_hex", "ROBBER-02", "the robber must move to another hex"),
    RuleRefusal("spared_hex", "EDN-02", f"house rule: the robber spares opponents with fewer than {_NUMBER_WORDS[SPARED_BELOW]} visible points"),
    RuleRefusal("no_victim", "ROBBER-06", "that player has no building at the robber's hex"),
    RuleRefusal("trading_closed", "PHASE-05", "trading ended with the first build or purchase of this turn"),
    RuleRefusal("like_for_like", "PORT-06", "take another kind than you give"),
    RuleRefusal("nothing_taken", "PORT-01", "a trade with the supply takes at least one card"),
    RuleRefusal("rate_supply", "PORT-01", "four equal cards for one; you hold too few, or that is not a rate"),
    RuleRefusal("rate_generic", "PORT-02", "three for one needs a building at a generic harbor and three equal cards for each card taken"),
    RuleRefusal("rate_special", "PORT-03", "two for one needs a building at that resource's harbor and two of it for each card taken"),
    RuleRefusal("supply_short", "PORT-07", "the supply does not hold the card you want"),
    RuleRefusal("trade_before_roll", "TRADE-01", "trade with players comes after the roll"),
    RuleRefusal("wrong_partner", "TRADE-02", "every trade has the player on turn as one side; address others, not yourself"),
    RuleRefusal("gift", "TRADE-05", "both sides must give at least one card"),
    RuleRefusal("like_on_both_sides", "TRADE-06", "a kind of card may stand on one side only"),
    RuleRefusal("wants_too_much", "COMP-03", "there are not that many cards of a kind in the game"),
    RuleRefusal("offers_what_is_not_there", "TRADE-14", "you can only offer cards you hold"),
    RuleRefusal("too_many_offers", "TRADE-03", "eight offers are open; one must end before another begins"),
    RuleRefusal("no_such_offer", "TRADE-03", "offer #{0} is not open", "offer"),
    RuleRefusal("not_addressed", "TRADE-15", "offer #{0} is not addressed to you", "offer"),
    RuleRefusal("answered_already", "TRADE-15", "you gave that answer to offer #{0} already", "offer"),
    RuleRefusal("accepter_lacks", "TRADE-10", "you do not hold what offer #{0} asks for", "offer"),
    RuleRefusal("maker_lacks", "TRADE-10", "the cards of offer #{0} are gone", "offer"),
    RuleRefusal("partner_lacks", "TRADE-10", "the partner no longer holds what offer #{0} asks for", "offer"),
    RuleRefusal("not_your_offer", "TRADE-14", "offer #{0} is not yours", "offer"),
    RuleRefusal("no_yes", "TRADE-15", "that player has not said yes to offer #{0}", "offer"),
    RuleRefusal("nothing_to_confirm", "TRADE-15", "offer #{0} needs no choice: it is done when the partner says yes", "offer"),
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
