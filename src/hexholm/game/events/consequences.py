"""What one action has done: `events_of` compares the game before and after it.

All that changes in a game is told, in the order in which it happens: first what was done, then what follows from it
(cards, awards, offers that close, the next turn, the end). Nothing here decides a rule: hands, awards and what the
supply has paid are read off the two states.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from hexholm.rules.colors import Color, SeatNumber, colors_in
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.encoding.lanes import count, count_cards, single_card, widen
from hexholm.rules.encoding.phases import (
    BEFORE_ROLL,
    FREE_ROAD,
    MAIN,
    OVER,
    PLACE_ROAD,
    PLACE_SETTLEMENT,
    START_ROLL,
    THEFT,
)
from hexholm.rules.encoding.structs import (
    CARD_KINDS,
    COST_CARD,
    COST_CITY,
    COST_ROAD,
    COST_SETTLEMENT,
    KNIGHT,
    NATURE,
    OFFERS,
    RESOURCES,
    VICTORY_POINT,
    OpenOffers,
    State,
)
from hexholm.rules.names import PieceKind
from hexholm.rules.places import CORNER_NAMES, HALF, HEX_NAMES, N_CORNERS, N_SIDES, SIDE_NAMES
from hexholm.rules.queries import (
    ALL_PAIRS,
    claims_of_roll,
    free_slot,
    has_city_tile,
    has_settlement_tile,
    has_several,
    total_points,
    victims_at,
)
from hexholm.rules.setup.options import Options

from ..cards import Cards
from ..facts import placement_round
from . import kinds

NO_CARDS: Final = Cards()
_LIMIT_TILES: Final[tuple[tuple[PieceKind, Callable[[State, int], bool]], ...]] = (
    ("settlement", has_settlement_tile),
    ("city", has_city_tile),
)


class PlayedStep:
    """One action that was carried out: the game before and after it, and the events found so far."""

    __slots__ = (
        "after",
        "before",
        "code",
        "colors",
        "events",
        "offers_after",
        "offers_before",
        "parameter",
        "player",
        "seat",
    )

    def __init__(
        self, options: Options, before: State, after: State, offers_before: OpenOffers, offers_after: OpenOffers
    ) -> None:
        self.colors, self.before, self.after = options.colors, before, after
        self.offers_before, self.offers_after = offers_before, offers_after
        self.events: list[kinds.Event] = []

    def set_actor(self, seat: SeatNumber, code: int) -> None:
        """Who acted (Nature acts for the active seat) and how."""
        self.seat = self.before.active if seat == NATURE else seat
        self.player = self.colors[self.seat]
        self.code, self.parameter = code, act.parameter_of(code)


def events_of(
    options: Options,
    before: State,
    after: State,
    offers_before: OpenOffers,
    offers_after: OpenOffers,
    seat: SeatNumber,
    code: int,
) -> tuple[kinds.Event, ...]:
    """What happened when `seat` (Nature: -1) carried out the legal action `code`, in order."""
    step = PlayedStep(options, before, after, offers_before, offers_after)
    step.set_actor(seat, code)
    _TELL[act.kind_of(code)](step)
    if after.phase == OVER:
        tell_win(step)
    return tuple(step.events)


def opening_events(options: Options, state: State) -> tuple[kinds.Event, ...]:
    """How a new game begins: the pieces and cards of a fixed set-up, and who begins or rolls for it.

    Of a player's two settlements the second, which brings the start resources, stands last.
    """
    step = PlayedStep(options, state, state, OpenOffers(), OpenOffers())
    events, colors = step.events, options.colors
    events.append(kinds.GameBegan(options.edition, options.setup, colors, HEX_NAMES[state.robber]))
    for seat, color in enumerate(colors):
        corner_bits, side_bits = state.settlements[seat], state.roads_lo[seat] | state.roads_hi[seat] << HALF
        corners = [corner for corner in range(N_CORNERS) if (corner_bits >> corner) & 1]
        corners.sort(key=lambda corner, second=state.second_corner[seat]: corner == second)  # type: ignore[misc]
        events += [kinds.Built(color, "settlement", CORNER_NAMES[corner], NO_CARDS) for corner in corners]
        events += [
            kinds.Built(color, "road", SIDE_NAMES[side], NO_CARDS) for side in range(N_SIDES) if (side_bits >> side) & 1
        ]
    for seat, color in enumerate(colors):
        if state.hand[seat]:
            events.append(kinds.StartCards(color, Cards.of_lanes(state.hand[seat])))
    if state.phase == START_ROLL:
        events.append(kinds.RollForStart(colors_in(state.rollers, colors), again=False))
        return tuple(events)
    reason: kinds.StarterReason = "named" if options.first is not None else "seat" if options.ages is None else "oldest"
    events.append(kinds.StarterChosen(colors[state.first], reason))
    tell_next_turn(step)
    return tuple(events)


# --- shared consequences ---------------------------------------------------------------------------------------------


def tell_next_turn(step: PlayedStep) -> None:
    """Somebody begins a turn or is next to place; said when the phase shows it."""
    after = step.after
    player = step.colors[after.active]
    if after.phase == PLACE_SETTLEMENT:
        step.events.append(kinds.PlacementTurn(player, placement_round(after)))
    elif after.phase in (BEFORE_ROLL, OVER):
        step.events.append(kinds.TurnBegan(player, after.turn_number))


def tell_award(step: PlayedStep, award: kinds.Award, old_holder: int, new_holder: int, size: int) -> None:
    """An award that has changed hands."""
    if old_holder != new_holder:
        holder, loser = (step.colors[seat] if seat >= 0 else None for seat in (new_holder, old_holder))
        step.events.append(kinds.AwardMoved(award, holder, loser, size if holder else 0))


def tell_longest_road(step: PlayedStep) -> None:
    """Longest Road after a road or settlement was built."""
    tell_award(step, "longest-road", step.before.longest_road, step.after.longest_road, step.after.road_record)


def tell_end_of_trading(step: PlayedStep) -> None:
    """What a paid build or purchase does to trading (PHASE-05)."""
    after = step.after
    if after.trading_closed and after.phase != OVER:
        if not step.before.trading_closed:
            step.events.append(kinds.TradingEnded(step.player))
        tell_closed_offers(step, "trading")


def tell_closed_offers(step: PlayedStep, reason: kinds.OfferClosedReason) -> None:
    """All offers that were open are closed."""
    give = step.offers_before.give
    for slot in range(OFFERS):
        if give[slot]:
            step.events.append(kinds.OfferClosed(slot + 1, reason))


def tell_win(step: PlayedStep) -> None:
    """The end of the game: final points, victory point cards turned over (WIN-05, WIN-07)."""
    after, colors = step.after, step.colors
    scores = {color: total_points(after, seat) for seat, color in enumerate(colors)}
    revealed = {color: n for seat, color in enumerate(colors) if (n := count(after.development[seat], VICTORY_POINT))}
    winner = colors[after.winner]
    step.events.append(kinds.Won(winner, scores[winner], scores, revealed))
    if act.kind_of(step.code) != act.END:  # with the turn they were closed already
        tell_closed_offers(step, "game")


# --- turns and dice --------------------------------------------------------------------------------------------------


def tell_nothing(step: PlayedStep) -> None:
    """Nothing has happened before the dice fall."""


def tell_end_of_turn(step: PlayedStep) -> None:
    """A turn ends, the next begins."""
    tell_closed_offers(step, "turn")
    step.events.append(kinds.TurnEnded(step.player))
    tell_next_turn(step)


def tell_dice(step: PlayedStep) -> None:
    """The dice: for the start, a seven, or production."""
    before, after, events = step.before, step.after, step.events
    pair = act.first_die_of(step.code), act.second_die_of(step.code)
    number = pair[0] + pair[1]
    if before.phase == START_ROLL:
        events.append(kinds.StartRolled(step.player, pair, number))
        if after.phase != START_ROLL:
            events.append(kinds.StarterChosen(step.colors[after.first], "roll"))
            tell_next_turn(step)
        elif before.rollers == 1 << step.seat:  # the last of this round
            events.append(kinds.RollForStart(colors_in(after.rollers, step.colors), again=True))
        return
    events.append(kinds.Rolled(step.player, pair, number))
    if before.balanced_dice and after.dice_bag == ALL_PAIRS:
        events.append(kinds.DiceBagFilled())
    if number == 7:
        owing = {color: n for seat, color in enumerate(step.colors) if (n := after.owed[seat])}
        if owing:
            events.append(kinds.MustDiscard(owing))
        return
    gains = {
        color: Cards.of_lanes(after.hand[seat] - before.hand[seat])
        for seat, color in enumerate(step.colors)
        if after.hand[seat] != before.hand[seat]
    }
    claims = claims_of_roll(before, number)
    events.append(kinds.Produced(gains, payments_by_hex(step, claims)))
    tell_shortages(step, claims)


def payments_by_hex(step: PlayedStep, claims: dict[int, list[int]]) -> dict[str, dict[str, Cards]]:
    """What was paid, by the hexes it comes from; what the supply could not pay is missing at the last of them."""
    before, payments = step.before, dict[str, dict[str, Cards]]()
    gains_left = [step.after.hand[seat] - before.hand[seat] for seat in range(len(step.colors))]
    for hexagon, hex_claims in claims.items():
        for seat, color in enumerate(step.colors):
            cards = single_card(before.terrain[hexagon]) * min(
                hex_claims[seat], count(gains_left[seat], before.terrain[hexagon])
            )
            if cards:
                gains_left[seat] -= cards
                payments.setdefault(HEX_NAMES[hexagon], {})[color] = Cards.of_lanes(cards)
    return payments


def tell_shortages(step: PlayedStep, claims: dict[int, list[int]]) -> None:
    """The kinds of which the supply has given fewer cards than were claimed, and who alone claimed them, if one did.

    What was given is read off the supply: the core has decided it (PROD-08, PROD-09).
    """
    before = step.before
    payment = before.supply - step.after.supply
    if count_cards(payment) == sum(map(sum, claims.values())):
        return
    for kind in range(len(RESOURCES)):
        rows = [hex_claims for hexagon, hex_claims in claims.items() if before.terrain[hexagon] == kind]
        claims_by_seat = [sum(column) for column in zip(*rows, strict=True)]
        n_claimed, n_paid = sum(claims_by_seat), count(payment, kind)
        if n_claimed > n_paid:
            claimants = [color for color, claim in zip(step.colors, claims_by_seat, strict=True) if claim]
            sole_claimant = claimants[0] if len(claimants) == 1 else None
            step.events.append(kinds.SupplyShort(RESOURCES[kind], n_claimed, n_paid, sole_claimant))


# --- a seven and the robber ------------------------------------------------------------------------------------------


def tell_discard(step: PlayedStep) -> None:
    """A choice that only its player sees; when the last is in, all discards lie open (SEVEN-05)."""
    before, events = step.before, step.events
    choice = widen(step.parameter) if act.kind_of(step.code) == act.DISCARD else single_card(step.parameter)
    events.append(kinds.ChoseDiscard(step.player, Cards.of_lanes(choice)))
    if step.after.phase == before.phase:
        return
    for seat, color in enumerate(step.colors):
        cards = before.discards[seat] + (choice if seat == step.seat else 0)
        if cards:
            events.append(kinds.Discarded(color, Cards.of_lanes(cards)))


def tell_robber(step: PlayedStep) -> None:
    """The robber moves; a single victim is robbed at once."""
    before, after = step.before, step.after
    victims = colors_in(victims_at(after, step.seat, after.robber), step.colors)
    step.events.append(kinds.RobberMoved(step.player, HEX_NAMES[step.parameter], HEX_NAMES[before.robber], victims))
    if len(victims) == 1 and after.phase != THEFT:
        step.events.append(kinds.FoundNothing(step.player, victims[0]))


def tell_victim(step: PlayedStep) -> None:
    """One of several victims is chosen."""
    victim = step.colors[step.parameter]
    step.events.append(kinds.VictimChosen(step.player, victim))
    if step.after.phase != THEFT:
        step.events.append(kinds.FoundNothing(step.player, victim))


def tell_theft(step: PlayedStep) -> None:
    """The card that is stolen."""
    step.events.append(kinds.Stole(step.player, step.colors[step.before.victim], RESOURCES[step.parameter]))


# --- building --------------------------------------------------------------------------------------------------------


def tell_piece(step: PlayedStep, piece: PieceKind, place: str, cost: int) -> None:
    """A piece stands; only the main phase asks for its price."""
    price = Cards.of_lanes(step.before.costs[cost]) if step.before.phase == MAIN else NO_CARDS
    step.events.append(kinds.Built(step.player, piece, place, price))


def tell_road(step: PlayedStep) -> None:
    """A road: start piece, free, or paid."""
    before, after = step.before, step.after
    phase = before.phase
    tell_piece(step, "road", SIDE_NAMES[step.parameter], COST_ROAD)
    tell_longest_road(step)
    if phase == PLACE_ROAD:
        tell_start_cards(step)
        tell_next_turn(step)
    elif phase == MAIN:
        tell_end_of_trading(step)
    elif before.free_roads > 1 and after.phase not in (FREE_ROAD, OVER):
        step.events.append(kinds.NoPlaceForRoad(step.player, before.free_roads - 1))


def tell_settlement(step: PlayedStep) -> None:
    """A settlement: start piece or paid."""
    tell_piece(step, "settlement", CORNER_NAMES[step.parameter], COST_SETTLEMENT)
    tell_longest_road(step)
    tell_limit_tiles(step)
    if step.before.phase == MAIN:
        tell_end_of_trading(step)
    else:
        tell_start_cards(step)


def tell_city(step: PlayedStep) -> None:
    """A city takes the place of a settlement."""
    tell_piece(step, "city", CORNER_NAMES[step.parameter], COST_CITY)
    tell_limit_tiles(step)
    tell_end_of_trading(step)


def tell_limit_tiles(step: PlayedStep) -> None:
    """The limit tiles that the player has received or gives back (ZIP-06, ZIP-07)."""
    for piece, has_tile in _LIMIT_TILES:
        received = has_tile(step.after, step.seat)
        if received != has_tile(step.before, step.seat):
            step.events.append(kinds.LimitTile(step.player, piece, received=received))


def tell_start_cards(step: PlayedStep) -> None:
    """Start resources, whenever the edition pays them: nothing else changes hands in the set-up (SETUP-16)."""
    for seat, color in enumerate(step.colors):
        gain = step.after.hand[seat] - step.before.hand[seat]
        if gain:
            step.events.append(kinds.StartCards(color, Cards.of_lanes(gain)))


# --- development cards -----------------------------------------------------------------------------------------------


def tell_purchase(step: PlayedStep) -> None:
    """A development card is paid for."""
    step.events.append(kinds.Bought(step.player, Cards.of_lanes(step.before.costs[COST_CARD])))
    tell_end_of_trading(step)


def tell_draw(step: PlayedStep) -> None:
    """The development card that was bought."""
    step.events.append(kinds.Drew(step.player, CARD_KINDS[step.parameter]))


def tell_knight(step: PlayedStep) -> None:
    """A knight; the robber is moved next."""
    after = step.after
    step.events.append(kinds.PlayedCard(step.player, "knight"))
    army = count(after.played[step.seat], KNIGHT)
    tell_award(step, "largest-army", step.before.largest_army, after.largest_army, army)


def tell_road_building(step: PlayedStep) -> None:
    """Road Building; the roads are placed next."""
    step.events.append(kinds.PlayedCard(step.player, "road-building"))
    step.events.append(kinds.FreeRoads(step.player, step.after.free_roads))


def tell_year_of_plenty(step: PlayedStep) -> None:
    """Year of Plenty, and what was taken."""
    step.events.append(kinds.PlayedCard(step.player, "year-of-plenty"))
    step.events.append(kinds.TookFromSupply(step.player, Cards.of_lanes(step.before.supply - step.after.supply)))


def tell_monopoly(step: PlayedStep) -> None:
    """Monopoly, and what came from whom."""
    before, after = step.before, step.after
    step.events.append(kinds.PlayedCard(step.player, "monopoly"))
    losses = {
        color: count_cards(before.hand[seat] - after.hand[seat])
        for seat, color in enumerate(step.colors)
        if seat != step.seat and before.hand[seat] != after.hand[seat]
    }
    step.events.append(kinds.Monopolised(step.player, RESOURCES[step.parameter], losses))


def tell_waived_roads(step: PlayedStep) -> None:
    """Free roads that are not placed."""
    step.events.append(kinds.Waived(step.player, step.before.free_roads))


# --- trade -----------------------------------------------------------------------------------------------------------


def tell_supply_trade(step: PlayedStep) -> None:
    """A trade with the supply."""
    rate, take = act.supply_rate_of(step.code), act.supply_want_of(step.code)
    give = Cards.of_lanes(count_cards(take) * rate * single_card(act.supply_give_of(step.code)))
    step.events.append(kinds.SupplyTraded(step.player, give, Cards.of_lanes(take), rate))


def tell_offer(step: PlayedStep) -> None:
    """An offer lies open."""
    tell_new_offer(step, colors_in(act.to_of(step.code), step.colors), None)


def tell_new_offer(step: PlayedStep, to: tuple[str, ...], answers: int | None) -> None:
    """An offer or counter-offer, in the lowest free slot."""
    give, want = Cards.of_lanes(act.give_of(step.code)), Cards.of_lanes(act.want_of(step.code))
    step.events.append(kinds.OfferMade(free_slot(step.offers_before) + 1, step.player, give, want, to, answers))


def tell_counter_offer(step: PlayedStep) -> None:
    """A counter-offer; it says no to the offer that it answers."""
    slot = act.slot_of(step.code)
    tell_new_offer(step, (step.colors[step.offers_before.maker[slot]],), slot + 1)
    tell_if_declined(step, slot)


def tell_if_declined(step: PlayedStep, slot: int) -> None:
    """An offer to which all have said no is closed."""
    if step.offers_after.give[slot] == 0:
        step.events.append(kinds.OfferClosed(slot + 1, "declined"))


def tell_yes(step: PlayedStep) -> None:
    """A yes: the exchange, or word to the maker if several were asked."""
    slot = act.slot_of(step.code)
    if has_several(step.offers_before.to[slot]):
        step.events.append(kinds.OfferAnswered(slot + 1, step.player, accepts=True))
    else:
        tell_trade(step, slot, step.player)


def tell_no(step: PlayedStep) -> None:
    slot = act.slot_of(step.code)
    step.events.append(kinds.OfferAnswered(slot + 1, step.player, accepts=False))
    tell_if_declined(step, slot)


def tell_confirmation(step: PlayedStep) -> None:
    """The exchange with one who said yes."""
    tell_trade(step, act.slot_of(step.code), step.colors[act.partner_of(step.code)])


def tell_trade(step: PlayedStep, slot: int, partner: Color) -> None:
    """The exchange of an offer."""
    offers_before = step.offers_before
    give, take = Cards.of_lanes(offers_before.give[slot]), Cards.of_lanes(offers_before.want[slot])
    step.events.append(kinds.Traded(slot + 1, step.colors[offers_before.maker[slot]], partner, give, take))


def tell_withdrawal(step: PlayedStep) -> None:
    """An offer is taken back."""
    step.events.append(kinds.OfferWithdrawn(act.slot_of(step.code) + 1, step.player))


_TELL: Final[dict[int, Callable[[PlayedStep], None]]] = {
    act.ROLL: tell_nothing,
    act.END: tell_end_of_turn,
    act.SETTLEMENT: tell_settlement,
    act.CITY: tell_city,
    act.ROAD: tell_road,
    act.BUY: tell_purchase,
    act.KNIGHT_CARD: tell_knight,
    act.ROAD_BUILDING_CARD: tell_road_building,
    act.YEAR_OF_PLENTY_CARD: tell_year_of_plenty,
    act.MONOPOLY_CARD: tell_monopoly,
    act.WAIVE: tell_waived_roads,
    act.ROBBER: tell_robber,
    act.STEAL: tell_victim,
    act.DISCARD: tell_discard,
    act.DISCARD_CARD: tell_discard,
    act.SUPPLY: tell_supply_trade,
    act.OFFER: tell_offer,
    act.COUNTER: tell_counter_offer,
    act.ACCEPT: tell_yes,
    act.REJECT: tell_no,
    act.CONFIRM: tell_confirmation,
    act.WITHDRAW: tell_withdrawal,
    act.DICE: tell_dice,
    act.STOLEN: tell_theft,
    act.DRAWN: tell_draw,
}
