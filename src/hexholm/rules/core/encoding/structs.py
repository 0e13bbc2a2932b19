"""The structs of the core: what a game is, byte by byte.

Cards are counted in *lanes*: one 64-bit integer holds five counts of 8 bits each, brick in the lowest (for development
cards: knight in the lowest). So a payment is one subtraction, and "can pay" one subtraction and one test of the guard
bits (:mod:`.lanes`). Corners and sides are sets of bits (:mod:`...places`).
"""

from __future__ import annotations

from typing import Final

from ...compiled import FloatArray, IntArray, Struct, array, scalar

SEATS: Final = 4
RESOURCES: Final = ("brick", "lumber", "wool", "grain", "ore")
BRICK, LUMBER, WOOL, GRAIN, ORE = range(5)
TERRAINS: Final = ("hills", "forest", "pasture", "fields", "mountains", "desert")
DESERT: Final = 5
HARBOR_KINDS: Final = (*RESOURCES, "any")
GENERIC_HARBOR: Final = 5
CARD_KINDS: Final = ("knight", "victory-point", "road-building", "year-of-plenty", "monopoly")
KNIGHT, VICTORY_POINT, ROAD_BUILDING, YEAR_OF_PLENTY, MONOPOLY = range(5)
COST_ROAD, COST_SETTLEMENT, COST_CITY, COST_CARD = range(4)
NOBODY: Final = -1
NATURE: Final = -1  # in place of a seat: chance decides

# start_timing: when the second settlement pays (SETUP-16)
AFTER_SETTLEMENT, AFTER_ROAD, AFTER_ROUND_TWO = range(3)


class Board(Struct):
    """A board as data: what lies where. Hexes by id, harbors by place on the coast walk."""

    terrain: IntArray = array("i1", 19)  # index into TERRAINS
    number: IntArray = array("i1", 19)  # 0 on the desert
    harbor: IntArray = array("i1", 30)  # by coast index: -1 none, else index into HARBOR_KINDS
    start_corner: int = scalar("i1")  # of the number spiral, -1 if none
    frame: IntArray = array("i1", 6)  # order of the frame pieces


class State(Struct):
    """The whole game but the open offers: public and hidden facts, the board and the rules in force."""

    # Cards, in lanes
    hand: IntArray = array("i8", SEATS)
    bank: int = scalar("i8")
    cards: IntArray = array("i8", SEATS)  # development cards held, all of them
    new_cards: int = scalar("i8")  # those of the active seat bought this turn (DEV-04)
    played: IntArray = array("i8", SEATS)  # development cards played
    deck: int = scalar("i8")
    chosen: IntArray = array("i8", SEATS)  # discards chosen and not yet carried out (SEVEN-05)
    # Pieces, as sets of corners and sides
    settlements: IntArray = array("i8", SEATS)
    cities: IntArray = array("i8", SEATS)
    roads_lo: IntArray = array("i8", SEATS)
    roads_hi: IntArray = array("i8", SEATS)
    # Derived from the pieces, kept up to date (legal.refresh rebuilds them)
    reach: IntArray = array("i8", SEATS)  # corners at the end of an own road
    paths_lo: IntArray = array("i8", SEATS)  # free sides that connect to an own piece
    paths_hi: IntArray = array("i8", SEATS)
    sites: int = scalar("i8")  # corners that keep the distance rule
    built: int = scalar("i8")  # corners with any building
    ports: IntArray = array("i8", SEATS)  # guard bit of each kind with a special harbor; bit 40: a generic one
    # Board
    harbors: IntArray = array("i8", 6)  # corners of each harbor kind
    # Rules in force
    costs: IntArray = array("i8", 4)
    dice_bag: int = scalar("i8")  # balanced dice: the ordered pairs left, bit 6*(a-1)+(b-1)
    hexes_of: IntArray = array("i4", 13)  # hexes with each number
    turn_number: int = scalar("i4")
    # Flow
    phase: int = scalar()
    active: int = scalar()  # whose turn it is
    players: int = scalar()
    first: int = scalar()
    rolled: int = scalar()
    card_played: int = scalar()
    trading_closed: int = scalar()  # separate phases: a paid build or purchase was made (PHASE-05)
    free_roads: int = scalar()  # free roads still to place
    free_placed: int = scalar()  # free roads placed with the card in play
    die_a: int = scalar()
    die_b: int = scalar()
    robber: int = scalar()
    victim: int = scalar()
    placed: int = scalar()  # placement rounds: settlements placed so far
    last_corner: int = scalar()  # placement rounds: the settlement the road must touch
    second: IntArray = array("i1", SEATS)  # placement rounds: each seat's second settlement
    fixed_start: int = scalar()  # the fixed set-up: no placement rounds
    winner: int = scalar()
    longest_road: int = scalar()
    largest_army: int = scalar()
    rollers: int = scalar()  # start roll: seats still to roll, as bits
    tied: int = scalar()  # start roll: seats with the best roll of this round
    best_roll: int = scalar()
    road_record: int = scalar()  # length of the longest road of all, if it is long enough for the award; else one less
    rings: IntArray = array("i1", SEATS)  # 1: the roads of the seat close a ring somewhere
    points: IntArray = array("i1", SEATS)  # public points
    owed: IntArray = array("i1", SEATS)  # cards to discard
    terrain: IntArray = array("i1", 19)
    number: IntArray = array("i1", 19)
    color: IntArray = array("i1", SEATS)  # index into the edition's colours
    # Rules in force
    edition: int = scalar()
    points_to_win: int = scalar()
    hand_limit: int = scalar()
    road_limit: int = scalar()
    settlement_limit: int = scalar()
    city_limit: int = scalar()
    longest_road_min: int = scalar()
    largest_army_min: int = scalar()
    separate: int = scalar()
    second_road_optional: int = scalar()
    start_timing: int = scalar()
    friendly_robber: int = scalar()
    balanced_dice: int = scalar()
    limit_tiles: int = scalar()
    points_settlement: int = scalar()
    points_city: int = scalar()
    points_road: int = scalar()
    points_army: int = scalar()
    points_card: int = scalar()
    yield_settlement: int = scalar()
    yield_city: int = scalar()
    rate_supply: int = scalar()
    rate_generic: int = scalar()
    rate_special: int = scalar()


WORLDS: Final = 192  # joint hands an observer can keep apart
CARD_HANDS: Final = 512  # hidden development hands of a seat that can be kept apart


CHAINS: Final = 72  # road search: chains of roads between forks and ends
ROAD_NODES: Final = 144  # and those forks and ends


class Work(Struct):
    """Scratch of one thread: what is legal now (filled by legal.survey) and room for the road search."""

    settlement: int = scalar("i8")
    city: int = scalar("i8")
    road_lo: int = scalar("i8")
    road_hi: int = scalar("i8")
    hexes: int = scalar("i8")
    give: IntArray = array("i8", 3)  # guard bits of kinds payable at 4:1, 3:1, 2:1
    take: int = scalar("i8")  # guard bits of kinds in the supply
    plenty: int = scalar("i8")  # bits of PLENTY choices
    victims: int = scalar("i1")  # seats, as bits
    buy: int = scalar("i1")
    knight: int = scalar("i1")
    road_building: int = scalar("i1")
    monopoly: int = scalar("i1")
    # road search
    used_lo: int = scalar("i8")
    used_hi: int = scalar("i8")
    marks: int = scalar("i8")
    node_of: IntArray = array("i2", 54)
    node_ends: IntArray = array("i2", ROAD_NODES)
    node_chain: IntArray = array("i2", ROAD_NODES, 3)
    node_mark: IntArray = array("i8", ROAD_NODES)
    chain_sum: IntArray = array("i2", CHAINS)
    chain_length: IntArray = array("i2", CHAINS)
    chain_used: IntArray = array("i2", CHAINS)
    at: IntArray = array("i2", ROAD_NODES)
    via: IntArray = array("i2", ROAD_NODES)
    next: IntArray = array("i2", ROAD_NODES)
    queue: IntArray = array("i2", ROAD_NODES)
    ways: IntArray = array("i8", 6, 100)  # discards: number of multisets per kinds and size
    # beliefs: what was known before
    was_weight: FloatArray = array("f8", CARD_HANDS)
    was_hand: IntArray = array("i8", CARD_HANDS, SEATS)


OFFERS: Final = 8


class Talk(Struct):
    """The open offers of a turn (docs/decisions/0003). Slot n-1 holds offer #n."""

    give: IntArray = array("i8", OFFERS)  # lanes; 0 = the slot is free
    want: IntArray = array("i8", OFFERS)
    maker: IntArray = array("i1", OFFERS)
    to: IntArray = array("i1", OFFERS)  # seats, as bits
    yes: IntArray = array("i1", OFFERS)
    no: IntArray = array("i1", OFFERS)


OBSERVERS: Final = SEATS + 1  # each seat, and the public


class Belief(Struct):
    """What each observer can infer about hidden cards (docs/decisions/0004); see :mod:`..belief`."""

    weight: FloatArray = array("f8", OBSERVERS, WORLDS)
    hand: IntArray = array("i8", OBSERVERS, WORLDS, SEATS)
    card_old: IntArray = array("i8", SEATS, CARD_HANDS)  # development cards held since before this turn, lanes
    card_new: IntArray = array("i8", SEATS, CARD_HANDS)
    card_ways: FloatArray = array("f8", SEATS, CARD_HANDS)  # ordered draw histories that lead there
    worlds: IntArray = array("i4", OBSERVERS)
    card_hands: IntArray = array("i4", SEATS)
    capped: IntArray = array("i1", OBSERVERS)  # 1: worlds were dropped, the weights are approximate
    card_capped: IntArray = array("i1", SEATS)


class Sight(State):
    """What one observer sees: a State with everything hidden struck out, and what follows from being seated there.

    Its first bytes are that State, so that kernels for states work on what is seen of them.
    """

    offer_give: IntArray = array("i8", OFFERS)
    offer_want: IntArray = array("i8", OFFERS)
    offer_maker: IntArray = array("i1", OFFERS)
    offer_to: IntArray = array("i1", OFFERS)
    offer_yes: IntArray = array("i1", OFFERS)
    offer_no: IntArray = array("i1", OFFERS)
    observer: int = scalar()  # a seat, or SEATS for the public
    to_act: int = scalar()  # seats that are asked to act, as this observer may know, as bits
    hand_size: IntArray = array("i1", SEATS)
    card_count: IntArray = array("i1", SEATS)
    new_count: int = scalar()  # development cards bought this turn
    deck_size: int = scalar()
    own_points: int = scalar()  # with hidden points; -1 for the public
    revealed: IntArray = array("i1", SEATS)  # victory point cards, shown when the game is over (WIN-07); else -1
    road_length: IntArray = array("i1", SEATS)
    limit_tile: IntArray = array("i1", SEATS)  # ZIP-06, ZIP-07
    track: IntArray = array("i1", SEATS)  # ZIP-08


class View(Sight):
    """All that one observer may know: what it sees, and what it can infer about hidden cards.

    The inferences are fifty times as large as the rest; whoever does not need them takes a Sight.
    """

    world_weight: FloatArray = array("f8", WORLDS)
    world_hand: IntArray = array("i8", WORLDS, SEATS)
    card_old: IntArray = array("i8", SEATS, CARD_HANDS)
    card_new: IntArray = array("i8", SEATS, CARD_HANDS)
    card_ways: FloatArray = array("f8", SEATS, CARD_HANDS)
    worlds: int = scalar("i4")
    card_hands: IntArray = array("i4", SEATS)
    capped: int = scalar()
    card_capped: IntArray = array("i1", SEATS)
