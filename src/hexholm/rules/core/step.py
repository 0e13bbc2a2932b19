"""What an action does. `apply` is deterministic: chance enters as an action of Nature.

Every function here takes for granted that the action is legal; :mod:`.verdict` is asked first wherever that is not
known.
"""

from __future__ import annotations

from ..compiled import inline, kernel, lowest, popcount
from ..places import (
    BOTH_ENDS,
    COAST_SIDES,
    CORNERS_NEAR,
    CORNERS_OF_HEX,
    ENDS,
    HALF,
    HEXES_AT,
    SIDES_HI,
    SIDES_LO,
)
from .encoding import actions as act
from .encoding.actions import kind_of, what
from .encoding.lanes import count, covers, lane, total, widen
from .encoding.structs import (
    AFTER_ROAD,
    AFTER_ROUND_TWO,
    AFTER_SETTLEMENT,
    COST_CARD,
    COST_CITY,
    COST_ROAD,
    COST_SETTLEMENT,
    DESERT,
    KNIGHT,
    MONOPOLY,
    NOBODY,
    ROAD_BUILDING,
    VICTORY_POINT,
    YEAR_OF_PLENTY,
    Board,
    State,
    Work,
)
from .legal import army_record, can_add_road, hand_size, ports_of, victims_at
from .phases import (
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
from .roads import blocked_for, closes_ring, measure, measure_with, open_paths, road_count

ALL_PAIRS = (1 << 36) - 1  # balanced dice: every ordered pair is in the bag
TIE = -2  # several others share the longest road
BAG_FLOOR = 12  # balanced dice: filled up when no more than this many are left


@inline
def apply(s: State, w: Work, seat: int, code: int) -> None:
    """Carry out a legal action of `seat`; Nature's actions concern the active seat, whatever is passed."""
    kind = kind_of(code)
    x = what(code)
    if kind == act.END:
        end_turn(s)
    elif kind == act.ROLL:
        s.phase = DICE_FALL
    elif kind == act.DICE:
        if s.phase == START_ROLL:
            starting_roll(s, (x & 7) + (x >> 3))
        else:
            turn_roll(s, x & 7, x >> 3)
    elif kind == act.SUPPLY:
        taken = widen(x >> 6)
        paid = total(taken) * ((x >> 3) & 7) * lane(x & 7)
        s.hand[seat] += taken - paid
        s.bank += paid - taken
    elif kind == act.ROBBER:
        move_robber(s, seat, x)
    elif kind == act.STOLEN:
        s.hand[s.victim] -= lane(x)
        s.hand[s.turn] += lane(x)
        resume(s)
    elif kind == act.ROAD:
        build_road(s, w, seat, x)
    elif kind == act.DISCARD:
        discard_cards(s, seat, widen(x))
    elif kind == act.DISCARD_CARD:
        discard_cards(s, seat, lane(x))
    elif kind == act.BUY:
        pay(s, seat, s.costs[COST_CARD])
        s.phase = DRAW
    elif kind == act.DRAWN:
        s.deck -= lane(x)
        s.cards[s.turn] += lane(x)
        s.new_cards += lane(x)
        s.phase = MAIN
        examine_victory(s)
    elif kind == act.SETTLEMENT:
        build_settlement(s, w, seat, x)
    elif kind == act.CITY:
        pay(s, seat, s.costs[COST_CITY])
        s.settlements[seat] &= ~(1 << x)  # CITY-03: back into the stock
        s.cities[seat] |= 1 << x
        s.points[seat] += s.points_city - s.points_settlement
        examine_victory(s)
    elif kind == act.STEAL:
        rob(s, x)
    elif kind == act.WAIVE:
        s.free_roads = 0
        resume(s)
    else:
        play_card(s, seat, kind, x)


# --- turns ---------------------------------------------------------------------------------------------------


@inline
def end_turn(s: State) -> None:
    """Pass the dice to the left (PHASE-08)."""
    s.new_cards = 0
    begin_turn(s, s.turn + 1 if s.turn + 1 < s.players else 0)


@inline
def begin_turn(s: State, seat: int) -> None:
    """Start the turn of `seat`; one who has enough points wins before rolling (WIN-08)."""
    s.turn = seat
    s.rolled = 0
    s.card_played = 0
    s.trading_closed = 0
    s.die_a = 0
    s.die_b = 0
    s.turn_number += 1
    s.phase = BEFORE_ROLL
    examine_victory(s)


@inline
def resume(s: State) -> None:
    """Go on with the turn after the robber or free roads (PHASE-10)."""
    s.victim = NOBODY
    s.free_placed = 0
    s.phase = MAIN if s.rolled else BEFORE_ROLL


@inline
def total_points(s: State, seat: int) -> int:
    """Points with the hidden ones (WIN-05, DEV-05)."""
    return s.points[seat] + count(s.cards[seat], VICTORY_POINT) * s.points_card


@inline
def examine_victory(s: State) -> None:
    """End the game if the active seat has enough points (WIN-01, WIN-02, WIN-10)."""
    if total_points(s, s.turn) >= s.points_to_win:
        s.phase = OVER
        s.winner = s.turn
        s.free_roads = 0
        s.free_placed = 0


@inline
def pay(s: State, seat: int, price: int) -> None:
    """Pay the supply for a build or purchase; with separate phases that ends trading (PHASE-05, BUILD-02)."""
    s.hand[seat] -= price
    s.bank += price
    s.trading_closed = s.separate


# --- dice ----------------------------------------------------------------------------------------------------


@inline
def turn_roll(s: State, a: int, b: int) -> None:
    """The dice of a turn: production, or a seven."""
    s.rolled = 1
    s.die_a = a
    s.die_b = b
    if s.balanced_dice:
        s.dice_bag &= ~(1 << (6 * (a - 1) + b - 1))
        if popcount(s.dice_bag) <= BAG_FLOOR:
            s.dice_bag = ALL_PAIRS  # at once, so that what is left in the bag are the odds of the next roll
    s.phase = MAIN
    if a + b != 7:
        produce(s, a + b)
        return
    waiting = 0
    for seat in range(s.players):
        held = hand_size(s, seat)
        if held > s.hand_limit:
            s.owed[seat] = held // 2  # SEVEN-02
            waiting = 1
    s.phase = DISCARDING if waiting else MOVE_ROBBER


@kernel
def produce(s: State, number: int) -> None:
    """Pay every hex with `number` (PROD-01 to PROD-10)."""
    hexes = s.hexes_of[number] & ~(1 << s.robber)
    gain_0 = 0
    gain_1 = 0
    gain_2 = 0
    gain_3 = 0
    while hexes:
        h = lowest(hexes)
        hexes &= hexes - 1
        corners = CORNERS_OF_HEX[h]
        if not corners & s.built:
            continue
        one = lane(s.terrain[h])
        gain_0 += building_yield(s, 0, corners) * one
        gain_1 += building_yield(s, 1, corners) * one
        gain_2 += building_yield(s, 2, corners) * one
        gain_3 += building_yield(s, 3, corners) * one
    claims = gain_0 + gain_1 + gain_2 + gain_3
    if claims == 0:
        return
    if not covers(s.bank, claims):
        for kind in range(5):
            claimed = count(claims, kind)
            left = count(s.bank, kind)
            if claimed > left:
                mine = 0x7F << (8 * kind)
                takers = 0
                takers += 1 if gain_0 & mine else 0
                takers += 1 if gain_1 & mine else 0
                takers += 1 if gain_2 & mine else 0
                takers += 1 if gain_3 & mine else 0
                paid = left * lane(kind) if takers == 1 else 0  # PROD-08: nobody; PROD-09: a single taker gets the rest
                gain_0 = gain_0 & ~mine | (paid if gain_0 & mine else 0)
                gain_1 = gain_1 & ~mine | (paid if gain_1 & mine else 0)
                gain_2 = gain_2 & ~mine | (paid if gain_2 & mine else 0)
                gain_3 = gain_3 & ~mine | (paid if gain_3 & mine else 0)
        claims = gain_0 + gain_1 + gain_2 + gain_3
    s.bank -= claims
    s.hand[0] += gain_0
    s.hand[1] += gain_1
    s.hand[2] += gain_2
    s.hand[3] += gain_3


@inline
def building_yield(s: State, seat: int, corners: int) -> int:
    """Cards one hex with these corners pays to `seat` (PROD-02 to PROD-04)."""
    return (
        popcount(s.settlements[seat] & corners) * s.yield_settlement + popcount(s.cities[seat] & corners) * s.yield_city
    )


@kernel
def starting_roll(s: State, rolled: int) -> None:
    """One roll for the right to begin; ties among the highest roll again (SETUP-06, SETUP-07)."""
    bit = 1 << s.turn
    if rolled > s.best_roll:
        s.best_roll = rolled
        s.tied = bit
    elif rolled == s.best_roll:
        s.tied |= bit
    s.rollers &= ~bit
    if s.rollers == 0:
        if popcount(s.tied) == 1:
            start_play(s, lowest(s.tied))
            return
        s.rollers = s.tied
        s.best_roll = 0
    s.turn = lowest(s.rollers)


# --- robber --------------------------------------------------------------------------------------------------


@kernel
def discard_cards(s: State, seat: int, cards: int) -> None:
    """Note discards; when the last are in, carry all out together (SEVEN-05)."""
    s.chosen[seat] += cards
    s.owed[seat] -= total(cards)
    for other in range(s.players):
        if s.owed[other]:
            return
    for other in range(s.players):
        s.hand[other] -= s.chosen[other]
        s.bank += s.chosen[other]
        s.chosen[other] = 0
    s.phase = MOVE_ROBBER


@kernel
def move_robber(s: State, seat: int, h: int) -> None:
    """Move the robber; a single candidate is robbed without a question (ROBBER-12)."""
    s.robber = h
    victims = victims_at(s, seat, h)
    if victims == 0:
        resume(s)  # ROBBER-08
    elif victims & (victims - 1):
        s.phase = CHOOSE_VICTIM
    else:
        rob(s, lowest(victims))


@kernel
def rob(s: State, victim: int) -> None:
    """Steal from `victim`, if there is anything (ROBBER-07)."""
    if s.hand[victim] == 0:
        resume(s)
    else:
        s.victim = victim
        s.phase = THEFT


# --- building ------------------------------------------------------------------------------------------------


@kernel
def put_road(s: State, w: Work, seat: int, side: int) -> None:
    """Lay a road and settle all that follows (LROAD-12, LROAD-13)."""
    if side < HALF:
        bit = 1 << side
        s.roads_lo[seat] |= bit
        for other in range(s.players):
            s.paths_lo[other] &= ~bit
    else:
        bit = 1 << (side - HALF)
        s.roads_hi[seat] |= bit
        for other in range(s.players):
            s.paths_hi[other] &= ~bit
    reached = s.reach[seat]
    s.reach[seat] |= BOTH_ENDS[side]
    blocked = blocked_for(s, seat)
    for i in range(2):
        corner = ENDS[side, i]
        if not (blocked >> corner) & 1:
            add_paths(s, seat, corner)
    length = measure_with(s, w, seat, side, reached)
    if length > s.road_record:  # LROAD-01, LROAD-03, LROAD-11: the only longest one
        s.road_record = length
        award_longest_road(s, seat)


@kernel
def add_paths(s: State, seat: int, corner: int) -> None:
    """The free sides at `corner` become legal for roads of `seat`."""
    s.paths_lo[seat] |= SIDES_LO[corner] & ~(s.roads_lo[0] | s.roads_lo[1] | s.roads_lo[2] | s.roads_lo[3])
    s.paths_hi[seat] |= SIDES_HI[corner] & ~(s.roads_hi[0] | s.roads_hi[1] | s.roads_hi[2] | s.roads_hi[3])


@kernel
def build_road(s: State, w: Work, seat: int, side: int) -> None:
    """A road: start piece, free by a card, or paid."""
    phase = s.phase
    if phase == MAIN:
        pay(s, seat, s.costs[COST_ROAD])
    put_road(s, w, seat, side)
    if phase == PLACE_ROAD:
        if s.start_timing == AFTER_ROAD and s.placed >= s.players:
            grant(s, seat)
        next_placement(s)
        return
    examine_victory(s)
    if phase == FREE_ROAD and s.phase != OVER:
        s.free_roads -= 1
        s.free_placed += 1
        if s.free_roads == 0 or not can_add_road(s, seat):  # DEV-18: as many as possible
            s.free_roads = 0
            resume(s)


@kernel
def put_settlement(s: State, w: Work, seat: int, corner: int) -> None:
    """Set a settlement and settle all that follows: points, harbors, other people's roads (LROAD-07, LROAD-13)."""
    bit = 1 << corner
    s.settlements[seat] |= bit
    s.built |= bit
    s.sites &= ~CORNERS_NEAR[corner]
    s.ports[seat] = ports_of(s, seat)
    s.points[seat] += s.points_settlement
    add_paths(s, seat, corner)
    cut = 0
    for other in range(s.players):
        if other != seat and s.reach[other] & bit:
            open_paths(s, other)
            if popcount(SIDES_LO[corner] & s.roads_lo[other]) + popcount(SIDES_HI[corner] & s.roads_hi[other]) > 1:
                cut = 1
                if s.rings[other]:
                    s.rings[other] = closes_ring(s, w, other)
    if cut:
        settle_longest_road(s, w)


@kernel
def build_settlement(s: State, w: Work, seat: int, corner: int) -> None:
    """A settlement: start piece or paid."""
    if s.phase == MAIN:
        pay(s, seat, s.costs[COST_SETTLEMENT])
        put_settlement(s, w, seat, corner)
        examine_victory(s)
        return
    put_settlement(s, w, seat, corner)
    s.last_corner = corner
    s.phase = PLACE_ROAD
    if s.placed >= s.players:
        s.second[seat] = corner
        if s.start_timing == AFTER_SETTLEMENT:
            grant(s, seat)


@kernel
def settle_longest_road(s: State, w: Work) -> None:
    """Who holds the award after a road was cut (LROAD-08 to LROAD-11)."""
    longest = s.longest_road_min - 1
    leader = NOBODY
    holder = s.longest_road
    for seat in range(s.players):
        length = measure(s, w, seat)
        if length > longest:
            longest = length
            leader = seat
        elif length == longest and leader != NOBODY and leader != holder:
            leader = seat if seat == holder else TIE  # LROAD-08: a tied holder keeps it; LROAD-10: a tie of others
    s.road_record = longest
    award_longest_road(s, NOBODY if leader == TIE else leader)


@kernel
def award_longest_road(s: State, seat: int) -> None:
    """Give the award to `seat`, or set it aside for NOBODY."""
    holder = s.longest_road
    if holder == seat:
        return
    if holder != NOBODY:
        s.points[holder] -= s.points_road
    if seat != NOBODY:
        s.points[seat] += s.points_road
    s.longest_road = seat


# --- development cards ---------------------------------------------------------------------------------------


@kernel
def play_card(s: State, seat: int, kind: int, x: int) -> None:
    """Lay a development card open and do what it says (DEV-28: spent when announced)."""
    s.card_played = 1
    if kind == act.KNIGHT_CARD:
        spend(s, seat, KNIGHT)
        settle_largest_army(s, seat)
        examine_victory(s)  # DEV-14: before the robber is moved
        if s.phase != OVER:
            s.phase = MOVE_ROBBER
    elif kind == act.ROAD_BUILDING_CARD:
        spend(s, seat, ROAD_BUILDING)
        s.free_roads = min(2, s.road_limit - road_count(s, seat))
        s.free_placed = 0
        s.phase = FREE_ROAD
    elif kind == act.YEAR_OF_PLENTY_CARD:
        spend(s, seat, YEAR_OF_PLENTY)
        cards = lane(x & 7)
        if x >> 3 != act.NO_SECOND:
            cards += lane(x >> 3)
        s.hand[seat] += cards
        s.bank -= cards
    elif kind == act.MONOPOLY_CARD:
        spend(s, seat, MONOPOLY)
        for other in range(s.players):
            if other != seat:
                cards = s.hand[other] & (0x7F << (8 * x))
                s.hand[other] -= cards
                s.hand[seat] += cards


@kernel
def spend(s: State, seat: int, card: int) -> None:
    """Move a development card from the hand to the played ones."""
    s.cards[seat] -= lane(card)
    s.played[seat] += lane(card)


@kernel
def settle_largest_army(s: State, seat: int) -> None:
    """Largest Army after a knight of `seat` (ARMY-01, ARMY-02)."""
    holder = s.largest_army
    if holder == seat or count(s.played[seat], KNIGHT) < army_record(s):
        return
    if holder != NOBODY:
        s.points[holder] -= s.points_army
    s.largest_army = seat
    s.points[seat] += s.points_army


# --- set-up --------------------------------------------------------------------------------------------------


@kernel
def grant(s: State, seat: int) -> None:
    """Start resources: one card per hex at the second settlement (SETUP-16)."""
    for i in range(3):
        h = HEXES_AT[s.second[seat], i]
        if h >= 0 and s.terrain[h] != DESERT:
            s.hand[seat] += lane(s.terrain[h])
            s.bank -= lane(s.terrain[h])


@kernel
def next_placement(s: State) -> None:
    """On to the next start settlement, or to the first turn (SETUP-11, SETUP-12, SETUP-17)."""
    s.placed += 1
    n = s.players
    if s.placed == 2 * n:
        if s.start_timing == AFTER_ROUND_TWO:
            for seat in range(n):
                grant(s, seat)
        begin_turn(s, s.first)
        return
    order = s.placed if s.placed < n else 2 * n - 1 - s.placed
    s.turn = (s.first + order) % n
    s.phase = PLACE_SETTLEMENT


@kernel
def start_play(s: State, first: int) -> None:
    """The first player is known: placement rounds, or the first turn on a fixed set-up."""
    s.first = first
    s.rollers = 0
    s.tied = 0
    s.best_roll = 0
    if s.fixed_start:
        begin_turn(s, first)
    else:
        s.turn = first
        s.placed = 0
        s.phase = PLACE_SETTLEMENT


@kernel
def start_roll(s: State, rollers: int) -> None:
    """Let the seats in `rollers` roll for the right to begin."""
    s.phase = START_ROLL
    s.rollers = rollers
    s.tied = 0
    s.best_roll = 0
    s.turn = lowest(rollers)


@kernel
def lay_board(s: State, b: Board) -> None:
    """Put a board under a game that has no pieces yet; the robber starts on the desert (SETUP-04)."""
    for number in range(13):
        s.hexes_of[number] = 0
    for h in range(19):
        s.terrain[h] = b.terrain[h]
        s.number[h] = b.number[h]
        if b.terrain[h] == DESERT:
            s.robber = h
        else:
            s.hexes_of[b.number[h]] |= 1 << h
    for kind in range(6):
        s.harbors[kind] = 0
    for i in range(30):
        if b.harbor[i] >= 0:
            s.harbors[b.harbor[i]] |= BOTH_ENDS[COAST_SIDES[i]]
