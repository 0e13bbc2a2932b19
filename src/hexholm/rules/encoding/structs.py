"""The structs of the core: what a game is, byte by byte.

Cards are counted in *lanes*: one 64-bit integer holds five counts of 8 bits each, brick in the lowest (for development
cards: knight in the lowest). So a payment is one subtraction, and "can pay" one subtraction and one test of the guard
bits (:mod:`.lanes`). Corners and sides are sets of bits (:mod:`..places`).
"""

from __future__ import annotations

from typing import Final, Protocol

from ..compilation.kernels import FloatArray, IntArray, Struct, array_field, scalar_field

SEATS: Final = 4
RESOURCES: Final = ("brick", "lumber", "wool", "grain", "ore")
BRICK, LUMBER, WOOL, GRAIN, ORE = range(5)
TERRAINS: Final = ("hills", "forest", "pasture", "fields", "mountains", "desert")
DESERT: Final = 5
HARBOR_KINDS: Final = (*RESOURCES, "any")
GENERIC_HARBOR: Final = 5
GENERIC_HARBOR_BIT: Final = 1 << 40  # in `usable_harbors`
CARD_KINDS: Final = ("knight", "victory-point", "road-building", "year-of-plenty", "monopoly")
KNIGHT, VICTORY_POINT, ROAD_BUILDING, YEAR_OF_PLENTY, MONOPOLY = range(5)
N_PURCHASES: Final = 4
COST_ROAD, COST_SETTLEMENT, COST_CITY, COST_CARD = range(N_PURCHASES)
NOBODY: Final = -1
NATURE: Final = -1  # in place of a seat: chance decides

# start_timing: when the second settlement pays (SETUP-16)
AFTER_SETTLEMENT, AFTER_ROAD, AFTER_ROUND_TWO = range(3)


class Board(Struct):
    """A board as data: what lies where. Hexes by id, harbors by place on the coast walk."""

    terrain: IntArray = array_field("i1", 19)  # index into TERRAINS
    number: IntArray = array_field("i1", 19)  # 0 on the desert
    harbor: IntArray = array_field("i1", 30)  # by coast index: -1 none, else index into HARBOR_KINDS
    start_corner: int = scalar_field("i1")  # of the number spiral, -1 if none
    frame: IntArray = array_field("i1", 6)  # order of the frame pieces


class State(Struct):
    """The whole game but the open offers: public and hidden facts, the board and the rules in force."""

    # Cards, in lanes
    hand: IntArray = array_field("i8", SEATS)
    supply: int = scalar_field("i8")
    development: IntArray = array_field("i8", SEATS)  # development cards held, all of them
    new_cards: int = scalar_field("i8")  # those of the active seat bought this turn (DEV-04)
    played: IntArray = array_field("i8", SEATS)  # development cards played
    deck: int = scalar_field("i8")
    discards: IntArray = array_field("i8", SEATS)  # discards chosen and not yet carried out (SEVEN-05)
    # Pieces, as sets of corners and sides
    settlements: IntArray = array_field("i8", SEATS)
    cities: IntArray = array_field("i8", SEATS)
    roads_lo: IntArray = array_field("i8", SEATS)
    roads_hi: IntArray = array_field("i8", SEATS)
    # Derived from the pieces, kept up to date (derived_fields.refresh_derived rebuilds them)
    reach: IntArray = array_field("i8", SEATS)  # corners at the end of an own road
    paths_lo: IntArray = array_field("i8", SEATS)  # free sides that connect to an own piece
    paths_hi: IntArray = array_field("i8", SEATS)
    sites: int = scalar_field("i8")  # corners that keep the distance rule
    buildings: int = scalar_field("i8")  # corners with any building
    usable_harbors: IntArray = array_field("i8", SEATS)  # guard bits of kinds at 2:1, and GENERIC_HARBOR_BIT
    # Board
    harbors: IntArray = array_field("i8", 6)  # corners of each harbor kind
    # Rules in force
    costs: IntArray = array_field("i8", N_PURCHASES)
    dice_bag: int = scalar_field("i8")  # balanced dice: the ordered pairs left, bit 6*(a-1)+(b-1)
    hexes_of: IntArray = array_field("i4", 13)  # hexes with each number
    turn_number: int = scalar_field("i4")
    # Flow
    phase: int = scalar_field()
    active: int = scalar_field()  # whose turn it is
    players: int = scalar_field()
    first: int = scalar_field()
    rolled: int = scalar_field()
    card_played: int = scalar_field()
    trading_closed: int = scalar_field()  # separate phases: a paid build or purchase was made (PHASE-05)
    free_roads: int = scalar_field()  # free roads still to place
    free_placed: int = scalar_field()  # free roads placed with the card in play
    die_a: int = scalar_field()
    die_b: int = scalar_field()
    robber: int = scalar_field()
    victim: int = scalar_field()
    placed: int = scalar_field()  # placement rounds: settlements placed so far
    last_corner: int = scalar_field()  # placement rounds: the settlement the road must touch
    second_corner: IntArray = array_field("i1", SEATS)  # placement rounds: each seat's second settlement
    fixed_start: int = scalar_field()  # the fixed set-up: no placement rounds
    winner: int = scalar_field()
    longest_road: int = scalar_field()
    largest_army: int = scalar_field()
    rollers: int = scalar_field()  # start roll: seats still to roll, as bits
    tied: int = scalar_field()  # start roll: seats with the best roll of this round
    best_roll: int = scalar_field()
    road_record: int = (
        scalar_field()
    )  # length of the longest road of all, if it is long enough for the award; else one less
    rings: IntArray = array_field("i1", SEATS)  # 1: the roads of the seat close a ring somewhere
    points: IntArray = array_field("i1", SEATS)  # public points
    owed: IntArray = array_field("i1", SEATS)  # cards to discard
    terrain: IntArray = array_field("i1", 19)
    number: IntArray = array_field("i1", 19)
    color: IntArray = array_field("i1", SEATS)  # index into the edition's colors
    # Rules in force
    edition: int = scalar_field()
    points_to_win: int = scalar_field()
    hand_limit: int = scalar_field()
    road_limit: int = scalar_field()
    settlement_limit: int = scalar_field()
    city_limit: int = scalar_field()
    longest_road_min: int = scalar_field()
    largest_army_min: int = scalar_field()
    separate: int = scalar_field()
    second_road_optional: int = scalar_field()
    start_timing: int = scalar_field()
    friendly_robber: int = scalar_field()
    balanced_dice: int = scalar_field()
    limit_tiles: int = scalar_field()
    points_settlement: int = scalar_field()
    points_city: int = scalar_field()
    points_road: int = scalar_field()
    points_army: int = scalar_field()
    points_card: int = scalar_field()
    yield_settlement: int = scalar_field()
    yield_city: int = scalar_field()
    rate_supply: int = scalar_field()
    rate_generic: int = scalar_field()
    rate_special: int = scalar_field()


WORLDS: Final = 192  # joint hands an observer can keep apart
CARD_HANDS: Final = 512  # hidden development hands of a seat that can be kept apart


CHAINS: Final = 72  # road search: chains of roads between forks and ends
ROAD_NODES: Final = 144  # and those forks and ends


class Scratch(Struct):
    """Scratch of one thread: what is legal now (filled by legal.survey) and room for the road search."""

    settlement: int = scalar_field("i8")
    city: int = scalar_field("i8")
    road_lo: int = scalar_field("i8")
    road_hi: int = scalar_field("i8")
    hexes: int = scalar_field("i8")
    give: IntArray = array_field("i8", 3)  # guard bits of kinds payable at 4:1, 3:1, 2:1
    want: int = scalar_field("i8")  # guard bits of kinds in the supply
    plenty: int = scalar_field("i8")  # bits of PLENTY choices
    victims: int = scalar_field("i1")  # seats, as bits
    buy: int = scalar_field("i1")
    knight: int = scalar_field("i1")
    road_building: int = scalar_field("i1")
    monopoly: int = scalar_field("i1")
    # road search
    component_lo: int = scalar_field("i8")
    component_hi: int = scalar_field("i8")
    marks: int = scalar_field("i8")
    node_of: IntArray = array_field("i2", 54)
    node_ends: IntArray = array_field("i2", ROAD_NODES)
    node_chain: IntArray = array_field("i2", ROAD_NODES, 3)
    node_mark: IntArray = array_field("i8", ROAD_NODES)
    chain_sum: IntArray = array_field("i2", CHAINS)
    chain_length: IntArray = array_field("i2", CHAINS)
    chain_used: IntArray = array_field("i2", CHAINS)
    stack_node: IntArray = array_field("i2", ROAD_NODES)
    stack_chain: IntArray = array_field("i2", ROAD_NODES)
    stack_branch: IntArray = array_field("i2", ROAD_NODES)
    queue: IntArray = array_field("i2", ROAD_NODES)
    ways: IntArray = array_field("i8", 6, 100)  # discards: number of multisets per kinds and size
    # beliefs: what was known before
    old_weight: FloatArray = array_field("f8", CARD_HANDS)
    old_hand: IntArray = array_field("i8", CARD_HANDS, SEATS)


class TradeFields(Protocol):
    """The fields of a state that say who may trade with whom, and at what rates; facts of a view have them too."""

    @property
    def phase(self) -> int: ...
    @property
    def trading_closed(self) -> int: ...
    @property
    def players(self) -> int: ...
    @property
    def active(self) -> int: ...
    @property
    def rate_supply(self) -> int: ...
    @property
    def rate_generic(self) -> int: ...
    @property
    def rate_special(self) -> int: ...


class Column(Protocol):
    """A number for each seat, to be read: a field of a struct, or a tuple."""

    def __getitem__(self, at: int, /) -> int: ...


class PieceFields(Protocol):
    """The fields of a state that say what stands on the board, and what a seat has of it; facts of a view have them."""

    @property
    def roads_lo(self) -> Column: ...
    @property
    def roads_hi(self) -> Column: ...
    @property
    def settlements(self) -> Column: ...
    @property
    def cities(self) -> Column: ...
    @property
    def road_limit(self) -> int: ...
    @property
    def settlement_limit(self) -> int: ...
    @property
    def city_limit(self) -> int: ...


OFFERS: Final = 8


class OpenOffers(Struct):
    """The open offers of a turn (docs/decisions/0003). Slot n-1 holds offer #n."""

    give: IntArray = array_field("i8", OFFERS)  # lanes; 0 = the slot is free
    want: IntArray = array_field("i8", OFFERS)
    maker: IntArray = array_field("i1", OFFERS)
    to: IntArray = array_field("i1", OFFERS)  # seats, as bits
    yes: IntArray = array_field("i1", OFFERS)
    no: IntArray = array_field("i1", OFFERS)


OBSERVERS: Final = SEATS + 1  # each seat, and the public


class Belief(Struct):
    """What each observer can infer about hidden cards (docs/decisions/0004); see :mod:`..core.belief`."""

    weight: FloatArray = array_field("f8", OBSERVERS, WORLDS)
    hand: IntArray = array_field("i8", OBSERVERS, WORLDS, SEATS)
    card_old: IntArray = array_field("i8", SEATS, CARD_HANDS)  # development cards held since before this turn, lanes
    card_new: IntArray = array_field("i8", SEATS, CARD_HANDS)
    card_ways: FloatArray = array_field("f8", SEATS, CARD_HANDS)  # ordered draw histories that lead there
    worlds: IntArray = array_field("i4", OBSERVERS)
    card_hands: IntArray = array_field("i4", SEATS)
    capped: IntArray = array_field("i1", OBSERVERS)  # 1: worlds were dropped, the weights are approximate
    card_capped: IntArray = array_field("i1", SEATS)


class Sight(State):
    """What one observer sees: a State with everything hidden struck out, and what follows from being seated there.

    Its first bytes are that State, so that kernels for states work on what is seen of them.
    """

    offer_give: IntArray = array_field("i8", OFFERS)
    offer_want: IntArray = array_field("i8", OFFERS)
    offer_maker: IntArray = array_field("i1", OFFERS)
    offer_to: IntArray = array_field("i1", OFFERS)
    offer_yes: IntArray = array_field("i1", OFFERS)
    offer_no: IntArray = array_field("i1", OFFERS)
    observer: int = scalar_field()  # a seat, or SEATS for the public
    to_act: int = scalar_field()  # seats that are asked to act, as this observer may know, as bits
    hand_size: IntArray = array_field("i1", SEATS)
    card_count: IntArray = array_field("i1", SEATS)
    new_count: int = scalar_field()  # development cards bought this turn
    deck_size: int = scalar_field()
    own_points: int = scalar_field()  # with hidden points; -1 for the public
    revealed: IntArray = array_field("i1", SEATS)  # victory point cards, shown when the game is over (WIN-07); else -1
    road_length: IntArray = array_field("i1", SEATS)
    limit_tile: IntArray = array_field("i1", SEATS)  # ZIP-06, ZIP-07
    track: IntArray = array_field("i1", SEATS)  # ZIP-08


class View(Sight):
    """All that one observer may know: what it sees, and what it can infer about hidden cards.

    The inferences are fifty times as large as the rest; whoever does not need them takes a Sight.
    """

    world_weight: FloatArray = array_field("f8", WORLDS)
    world_hand: IntArray = array_field("i8", WORLDS, SEATS)
    card_old: IntArray = array_field("i8", SEATS, CARD_HANDS)
    card_new: IntArray = array_field("i8", SEATS, CARD_HANDS)
    card_ways: FloatArray = array_field("f8", SEATS, CARD_HANDS)
    worlds: int = scalar_field("i4")
    card_hands: IntArray = array_field("i4", SEATS)
    capped: int = scalar_field()
    card_capped: IntArray = array_field("i1", SEATS)
