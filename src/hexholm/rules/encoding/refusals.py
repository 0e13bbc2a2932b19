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
    RuleRefusal("not_your_turn", "PHASE-12", "it is {0}'s turn; on another player's turn, you may only propose and answer trades after the roll, and discard on a 7", "seat"),
    RuleRefusal("not_your_supply_trade", "TRADE-09", "only {0}, whose turn it is, may trade with the supply", "seat"),
    RuleRefusal("chance_pending", "PHASE-11", "something has to be rolled or drawn first"),
    RuleRefusal("no_such_chance", "PHASE-11", "that outcome is not possible now"),
    RuleRefusal("chance_decides", "PHASE-12", "chance decides that, not a player"),
    RuleRefusal("only_placement", "SETUP-21", "before the first turn, only this is possible: {0}", "phase"),
    RuleRefusal("settlement_first", "SETUP-11", "first place the settlement, then the road next to it"),
    RuleRefusal("road_at_settlement", "SETUP-11", "the road must touch your new settlement"),
    RuleRefusal("road_at_second", "SETUP-14", "the second road must touch your second settlement"),
    RuleRefusal("pending", "PHASE-11", "this comes first: {0}", "phase"),
    RuleRefusal("cannot_end", "PHASE-08", "the turn cannot end yet; this comes first: {0}", "phase"),
    RuleRefusal("discards_first", "SEVEN-05", "the robber moves once everybody has discarded"),
    RuleRefusal("name_victim", "ROBBER-12", "first choose a player to steal from"),
    RuleRefusal("roll_first", "PHASE-03", "you must roll the dice before you can end your turn"),
    RuleRefusal("rolled_already", "PHASE-03", "the dice have already been rolled this turn"),
    RuleRefusal("before_roll", "PHASE-09", "before the roll, you can only play a development card"),
    RuleRefusal("supply_before_roll", "PORT-11", "you can trade with the supply only after the roll"),
    RuleRefusal("no_robber_move", "ROBBER-01", "the robber moves only when somebody rolls a 7 or plays a knight"),
    RuleRefusal("no_steal", "ROBBER-05", "there is nobody to steal from now"),
    RuleRefusal("nothing_to_waive", "DEV-18", "you can skip only the second free road, and only if the edition allows it"),
    RuleRefusal("no_discard", "SEVEN-02", "you have nothing to discard"),
    RuleRefusal("wrong_discard", "SEVEN-04", "discard exactly {0} cards that you hold", "number"),
    RuleRefusal("path_taken", "ROAD-02", "there is already a road there"),
    RuleRefusal("path_unconnected", "ROAD-03", "none of your roads, settlements or cities touches it"),
    RuleRefusal("path_blocked", "ROAD-04", "an opponent's building blocks the way there"),
    RuleRefusal("no_roads_left", "ROAD-06", "you already have {0} roads, the most allowed", "number"),
    RuleRefusal("corner_taken", "SETTLE-02", "there is already a building there"),
    RuleRefusal("too_close", "SETTLE-03", "there is a building on a neighboring intersection"),
    RuleRefusal("no_road_there", "SETTLE-04", "none of your roads leads there"),
    RuleRefusal("no_settlements_left", "SETTLE-05", "you already have {0} settlements, the most allowed; turn one into a city first", "number"),
    RuleRefusal("not_your_settlement", "CITY-01", "only one of your own settlements can become a city"),
    RuleRefusal("no_cities_left", "CITY-04", "you already have {0} cities, the most allowed", "number"),
    RuleRefusal("cannot_pay", "BUILD-01", "you cannot pay for that: it costs {0}", "price"),
    RuleRefusal("deck_empty", "DEV-08", "there are no development cards left"),
    RuleRefusal("card_played_already", "DEV-03", "you have already played a development card this turn"),
    RuleRefusal("card_not_held", "DEV-01", "you do not hold that development card"),
    RuleRefusal("card_too_new", "DEV-04", "you cannot play a development card on the turn you buy it"),
    RuleRefusal("no_free_road", "DEV-18", "you have no room for another road, so you cannot play this card"),
    RuleRefusal("plenty_not_there", "DEV-21", "the supply does not have that; name two cards that it has, or one if it has only one left"),
    RuleRefusal("same_hex", "ROBBER-02", "the robber must move to another hex"),
    RuleRefusal("spared_hex", "EDN-02", f"house rule: the robber spares opponents with fewer than {_NUMBER_WORDS[SPARED_BELOW]} visible points"),
    RuleRefusal("no_victim", "ROBBER-06", "that player has no building at the robber's hex"),
    RuleRefusal("trading_closed", "PHASE-05", "trading ended this turn as soon as you built or paid for something"),
    RuleRefusal("like_for_like", "PORT-06", "take a different kind from the one you give"),
    RuleRefusal("nothing_taken", "PORT-01", "take at least one card"),
    RuleRefusal("rate_supply", "PORT-01", "you cannot trade at that rate; without a harbor, you give 4 cards of one kind for each one you take, and you must hold them"),
    RuleRefusal("rate_generic", "PORT-02", "for 3:1, you need a building at a generic harbor and 3 cards of one kind for each one you take"),
    RuleRefusal("rate_special", "PORT-03", "for 2:1, you need a building at that resource's harbor and 2 cards of that resource for each one you take"),
    RuleRefusal("supply_short", "PORT-07", "the supply does not have the cards you want"),
    RuleRefusal("trade_before_roll", "TRADE-01", "you can trade with other players only after the roll"),
    RuleRefusal("wrong_partner", "TRADE-02", "the player whose turn it is must be part of every trade; make offers to other players, not to yourself"),
    RuleRefusal("gift", "TRADE-05", "both sides must give at least one card"),
    RuleRefusal("like_on_both_sides", "TRADE-06", "the same kind cannot be on both sides"),
    RuleRefusal("wants_too_much", "COMP-03", "the game does not have that many cards of one kind"),
    RuleRefusal("offers_what_is_not_there", "TRADE-14", "you can offer only cards that you hold"),
    RuleRefusal("too_many_offers", "TRADE-03", "eight offers are already open; one must close before you can make another"),
    RuleRefusal("no_such_offer", "TRADE-03", "offer #{0} is not open", "offer"),
    RuleRefusal("not_addressed", "TRADE-15", "offer #{0} is not for you", "offer"),
    RuleRefusal("answered_already", "TRADE-15", "you have already given that answer to offer #{0}", "offer"),
    RuleRefusal("accepter_lacks", "TRADE-10", "you do not hold what offer #{0} asks for", "offer"),
    RuleRefusal("maker_lacks", "TRADE-10", "what offer #{0} gives is no longer there", "offer"),
    RuleRefusal("partner_lacks", "TRADE-10", "the other player no longer holds what offer #{0} asks for", "offer"),
    RuleRefusal("not_your_offer", "TRADE-14", "offer #{0} is not yours", "offer"),
    RuleRefusal("no_yes", "TRADE-15", "that player has not said yes to offer #{0}", "offer"),
    RuleRefusal("nothing_to_confirm", "TRADE-15", "you do not have to confirm offer #{0}: it becomes a trade when the other player says yes", "offer"),
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
