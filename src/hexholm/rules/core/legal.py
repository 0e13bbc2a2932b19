"""What is legal now.

`survey` fills a `Scratch` struct with sets (corners, sides, hexes, kinds) instead of a list: counting, picking the
k-th and writing a mask are cheap from there. It reads the phase table, and shares every condition with the verdicts
in :mod:`.verdict`. Offers and their answers are not here; they live beside the state (:mod:`.offers`).
"""

from __future__ import annotations

from ..compilation.kernels import inline, kernel, lowest_set_bit, popcount
from ..encoding import action_codes as act
from ..encoding.action_codes import (
    PLENTY_FIRST,
    PLENTY_PAIRS,
    PLENTY_SECOND,
    discard_action,
    plenty_action,
    simple_action,
    supply_action,
)
from ..encoding.lanes import GUARDS, N_KINDS, at_least, count, count_cards, covers, guard_of, single_card
from ..encoding.phases import (
    BEFORE_ROLL,
    CHOOSE_VICTIM,
    DISCARDING,
    FREE_ROAD,
    MAIN,
    MOVE_ROBBER,
    PLACE_ROAD,
    PLACE_SETTLEMENT,
)
from ..encoding.structs import (
    COST_CARD,
    COST_CITY,
    COST_ROAD,
    COST_SETTLEMENT,
    GENERIC_HARBOR_BIT,
    KNIGHT,
    MONOPOLY,
    ROAD_BUILDING,
    YEAR_OF_PLENTY,
    PieceFields,
    Scratch,
    State,
    TradeFields,
)
from ..places import ALL_HEXES, CORNERS_OF_HEX, HALF, SIDES_HI, SIDES_LO
from ..setup.house_rules import SPARED_BELOW
from .roads import road_count


@inline
def hand_size(s: State, seat: int) -> int:
    """Resource cards in a hand (INFO-02)."""
    return count_cards(s.hand[seat])


@inline
def holds_price(s: State, seat: int, price: int) -> bool:
    """Whether a seat holds the price of a piece or card (BUILD-01)."""
    return covers(s.hand[seat], s.costs[price])


@inline
def roads_left(s: PieceFields, seat: int) -> int:
    """Roads that a seat can still build (ROAD-06)."""
    return s.road_limit - road_count(s, seat)


@inline
def settlements_left(s: PieceFields, seat: int) -> int:
    """Settlements that a seat can still build; an upgraded one comes back (SETTLE-05, CITY-03)."""
    return s.settlement_limit - popcount(s.settlements[seat])


@inline
def cities_left(s: PieceFields, seat: int) -> int:
    """Cities that a seat can still build (CITY-04)."""
    return s.city_limit - popcount(s.cities[seat])


@inline
def has_road_left(s: PieceFields, seat: int) -> bool:
    """ROAD-06."""
    return roads_left(s, seat) > 0


@inline
def has_settlement_left(s: PieceFields, seat: int) -> bool:
    """SETTLE-05."""
    return settlements_left(s, seat) > 0


@inline
def has_city_left(s: PieceFields, seat: int) -> bool:
    """CITY-04."""
    return cities_left(s, seat) > 0


@inline
def old_cards(s: State, seat: int) -> int:
    """The development cards in the hand of the active seat that were not bought in this turn (DEV-04)."""
    return s.development[seat] - s.new_cards


@inline
def settlement_sites(s: State, seat: int) -> int:
    """Corners where `seat` may place a settlement now, price and stock aside."""
    if s.phase == PLACE_SETTLEMENT:
        return s.sites  # SETUP-11, SETUP-14, SETUP-15: any free corner that keeps the distance
    return s.sites & s.reach[seat]  # SETTLE-03, SETTLE-04


@kernel
def robber_targets(s: State, seat: int) -> int:
    """Hexes to which `seat` may move the robber (ROBBER-02, ROBBER-03, house rule friendly robber)."""
    hexes = ALL_HEXES & ~(1 << s.robber)
    if not s.friendly_robber:
        return hexes
    spared_corners = 0
    for opponent in range(s.players):
        if opponent != seat and s.points[opponent] < SPARED_BELOW:
            spared_corners |= s.settlements[opponent] | s.cities[opponent]
    friendly_hexes = 0
    remaining = hexes
    while remaining:
        h = lowest_set_bit(remaining)
        remaining &= remaining - 1
        if not CORNERS_OF_HEX[h] & spared_corners:
            friendly_hexes |= 1 << h
    return friendly_hexes if friendly_hexes else hexes


@kernel
def victims_at(s: State, seat: int, h: int) -> int:
    """Seats other than `seat` with a building at hex `h`, as bits (ROBBER-05)."""
    seats = 0
    corners = CORNERS_OF_HEX[h]
    for opponent in range(s.players):
        if opponent != seat and (s.settlements[opponent] | s.cities[opponent]) & corners:
            seats |= 1 << opponent
    return seats


@kernel
def can_add_road(s: State, seat: int) -> bool:
    """Whether a free road could be placed: stock and a legal side (DEV-18)."""
    return has_road_left(s, seat) and (s.paths_lo[seat] | s.paths_hi[seat]) != 0


@kernel
def plenty_choices(supply: int) -> int:
    """Bits of the choices of Year of Plenty that the supply allows (DEV-19, DEV-21)."""
    cards_left = count_cards(supply)
    choices = 0
    if cards_left == 1:
        for kind in range(N_KINDS):
            if count(supply, kind):
                choices |= 1 << (PLENTY_PAIRS + kind)
    elif cards_left > 1:
        for i in range(PLENTY_PAIRS):
            if covers(supply, single_card(PLENTY_FIRST[i]) + single_card(PLENTY_SECOND[i])):
                choices |= 1 << i
    return choices


@inline
def kinds_at(s: State, seat: int, tier: int) -> int:
    """Guard bits of the kinds `seat` may give at 4:1 (tier 0), 3:1 (1) or 2:1 (2) (PORT-01 to PORT-05, PORT-10)."""
    if tier == 0:
        return GUARDS
    if tier == 1:
        return GUARDS if s.usable_harbors[seat] & GENERIC_HARBOR_BIT else 0
    return s.usable_harbors[seat] & GUARDS


@inline
def payable_at(s: State, seat: int, tier: int) -> int:
    """Guard bits of the kinds of which `seat` holds enough for one card at this tier, and may give them at it."""
    return at_least(s.hand[seat], rate_of(s, tier)) & kinds_at(s, seat, tier)


@inline
def rate_of(s: State, tier: int) -> int:
    """Cards to pay per card at a tier."""
    if tier == 0:
        return s.rate_supply
    if tier == 1:
        return s.rate_generic
    return s.rate_special


@inline
def best_rate(s: TradeFields, usable_harbors: int, kind: int) -> int:
    """Cards of a kind to pay for one of the supply, by the harbors one may use (PORT-01 to PORT-03)."""
    if usable_harbors & guard_of(kind):
        return s.rate_special + 0
    return s.rate_generic + 0 if usable_harbors & GENERIC_HARBOR_BIT else s.rate_supply + 0


@kernel
def count_discards(scratch: Scratch, hand: int, size: int) -> int:
    """Number of multisets of `size` cards from `hand`; fills scratch.ways[k][n]: n cards of the last k kinds."""
    for n in range(size + 1):
        scratch.ways[0, n] = 0
    scratch.ways[0, 0] = 1
    for k in range(1, N_KINDS + 1):
        available = count(hand, N_KINDS - k)
        # running sum of a window of `available` + 1 entries
        window = 0
        for n in range(size + 1):
            window += scratch.ways[k - 1, n]
            if n > available:
                window -= scratch.ways[k - 1, n - available - 1]
            scratch.ways[k, n] = window
    return scratch.ways[N_KINDS, size]


@kernel
def nth_discard(scratch: Scratch, size: int, index: int) -> int:
    """The `index`-th multiset of `size` cards, after :func:`count_discards`."""
    cards = 0
    cards_left = size
    for kind in range(N_KINDS):
        n = 0
        while index >= scratch.ways[4 - kind, cards_left - n]:
            index -= scratch.ways[4 - kind, cards_left - n]
            n += 1
        cards += n * single_card(kind)
        cards_left -= n
    return cards


@inline
def survey(s: State, scratch: Scratch, seat: int) -> int:
    """Fill the part of `scratch` that belongs to the phase with what `seat` may do (offers aside); returns how many."""
    phase = s.phase
    if phase == MAIN:
        return survey_main(s, scratch, seat) if seat == s.active else 0
    if phase == BEFORE_ROLL:
        return 1 + survey_cards(s, scratch, seat) if seat == s.active else 0
    if phase == DISCARDING:
        if s.owed[seat] == 0:
            return 0
        return count_discards(scratch, s.hand[seat] - s.discards[seat], s.owed[seat])
    if seat != s.active:
        return 0
    if phase == MOVE_ROBBER:
        scratch.hexes = robber_targets(s, seat)
        return popcount(scratch.hexes)
    if phase == CHOOSE_VICTIM:
        scratch.victims = victims_at(s, seat, s.robber)
        return popcount(scratch.victims)
    if phase == PLACE_SETTLEMENT:
        scratch.settlement = settlement_sites(s, seat)
        return popcount(scratch.settlement)
    if phase == PLACE_ROAD:
        scratch.road_lo = SIDES_LO[s.last_corner]  # SETUP-11, SETUP-14; by the distance rule nobody has a road there
        scratch.road_hi = SIDES_HI[s.last_corner]
        return popcount(scratch.road_lo) + popcount(scratch.road_hi)
    if phase == FREE_ROAD:
        scratch.road_lo = s.paths_lo[seat]
        scratch.road_hi = s.paths_hi[seat]
        return popcount(scratch.road_lo) + popcount(scratch.road_hi) + (1 if may_waive(s) else 0)
    return 0


@kernel
def may_waive(s: State) -> bool:
    """Whether the free road that is due may be left out: only a second one, where the edition says may (DEV-18)."""
    return s.second_road_optional != 0 and s.free_placed > 0


@inline
def survey_cards(s: State, scratch: Scratch, seat: int) -> int:
    """The development cards the active seat may play."""
    scratch.knight = 0
    scratch.road_building = 0
    scratch.plenty = 0
    scratch.monopoly = 0
    playable = old_cards(s, seat)
    if s.card_played or playable == 0:
        return 0
    n = 0
    if count(playable, KNIGHT):
        scratch.knight = 1
        n += 1
    if count(playable, ROAD_BUILDING) and can_add_road(s, seat):
        scratch.road_building = 1
        n += 1
    if count(playable, YEAR_OF_PLENTY):
        scratch.plenty = plenty_choices(s.supply)
        n += popcount(scratch.plenty)
    if count(playable, MONOPOLY):
        scratch.monopoly = 1
        n += 5
    return n


@inline
def survey_main(s: State, scratch: Scratch, seat: int) -> int:
    """Ending the turn, builds, purchases, cards and supply trades of the active seat."""
    road_lo = 0
    road_hi = 0
    settlement = 0
    city = 0
    buy = 0
    give_0 = 0
    give_1 = 0
    give_2 = 0
    trades = 0
    if s.hand[seat] != 0:
        if holds_price(s, seat, COST_ROAD) and has_road_left(s, seat):
            road_lo = s.paths_lo[seat]
            road_hi = s.paths_hi[seat]
        if holds_price(s, seat, COST_SETTLEMENT) and has_settlement_left(s, seat):
            settlement = settlement_sites(s, seat)
        if holds_price(s, seat, COST_CITY) and has_city_left(s, seat):
            city = s.settlements[seat]
        if holds_price(s, seat, COST_CARD) and s.deck != 0:
            buy = 1
        if s.trading_closed == 0:
            want = at_least(s.supply, 1)  # PORT-07
            give_0 = payable_at(s, seat, 0)
            give_1 = payable_at(s, seat, 1)
            give_2 = payable_at(s, seat, 2)
            payable = popcount(give_0) + popcount(give_1) + popcount(give_2)
            if payable:
                scratch.want = want
                trades = payable * popcount(want)  # PORT-06: another kind than the one given
                trades -= popcount(give_0 & want) + popcount(give_1 & want) + popcount(give_2 & want)
    scratch.road_lo = road_lo
    scratch.road_hi = road_hi
    scratch.settlement = settlement
    scratch.city = city
    scratch.buy = buy
    scratch.give[0] = give_0
    scratch.give[1] = give_1
    scratch.give[2] = give_2
    n = 1 + buy + trades + popcount(road_lo) + popcount(road_hi) + popcount(settlement) + popcount(city)
    return n + survey_cards(s, scratch, seat)


@inline
def nth_bit(bits: int, index: int) -> int:
    """Position of the set bit with `index` set bits below it."""
    while index:
        bits &= bits - 1
        index -= 1
    return lowest_set_bit(bits)


@inline
def nth_action(s: State, scratch: Scratch, seat: int, index: int) -> int:
    """The code of action number `index` of the last survey, in canonical order."""
    phase = s.phase
    if phase == MAIN:
        if index == 0:
            return act.END
        return nth_main(s, scratch, index - 1)
    if phase == BEFORE_ROLL:
        if index == 0:
            return act.ROLL
        return nth_card(scratch, index - 1)
    if phase == MOVE_ROBBER:
        return simple_action(act.ROBBER, nth_bit(scratch.hexes, index))
    if phase == DISCARDING:
        return discard_action(nth_discard(scratch, s.owed[seat], index))
    if phase == CHOOSE_VICTIM:
        return simple_action(act.STEAL, nth_bit(scratch.victims, index))
    if phase == PLACE_SETTLEMENT:
        return simple_action(act.SETTLEMENT, nth_bit(scratch.settlement, index))
    if index < popcount(scratch.road_lo) + popcount(scratch.road_hi):
        return simple_action(act.ROAD, nth_side(scratch, index))
    return act.WAIVE


@kernel
def nth_side(scratch: Scratch, index: int) -> int:
    """Side number `index` of the surveyed roads."""
    n = popcount(scratch.road_lo)
    if index < n:
        return nth_bit(scratch.road_lo, index)
    return nth_bit(scratch.road_hi, index - n) + HALF


@kernel
def nth_main(s: State, scratch: Scratch, index: int) -> int:
    """Action number `index` of the main phase after ending the turn."""
    for tier in range(3):
        give = scratch.give[tier]
        while give:
            guard = give & -give
            give &= give - 1
            want = scratch.want & ~guard
            n = popcount(want)
            if index < n:
                return supply_action(
                    lowest_set_bit(guard) >> 3, rate_of(s, tier), single_card(nth_bit(want, index) >> 3)
                )
            index -= n
    n = popcount(scratch.road_lo) + popcount(scratch.road_hi)
    if index < n:
        return simple_action(act.ROAD, nth_side(scratch, index))
    index -= n
    n = popcount(scratch.settlement)
    if index < n:
        return simple_action(act.SETTLEMENT, nth_bit(scratch.settlement, index))
    index -= n
    n = popcount(scratch.city)
    if index < n:
        return simple_action(act.CITY, nth_bit(scratch.city, index))
    index -= n
    if scratch.buy:
        if index == 0:
            return act.BUY
        index -= 1
    return nth_card(scratch, index)


@kernel
def nth_card(scratch: Scratch, index: int) -> int:
    """Development card play number `index`."""
    if scratch.knight:
        if index == 0:
            return act.KNIGHT_CARD
        index -= 1
    if scratch.road_building:
        if index == 0:
            return act.ROAD_BUILDING_CARD
        index -= 1
    if scratch.monopoly:
        if index < N_KINDS:
            return simple_action(act.MONOPOLY_CARD, index)
        index -= N_KINDS
    choice = nth_bit(scratch.plenty, index)
    return plenty_action(PLENTY_FIRST[choice], PLENTY_SECOND[choice])
