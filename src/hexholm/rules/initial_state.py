"""From options and a board to a game that can begin."""

from __future__ import annotations

from .boards import BadBoard, Layout
from .core.derived_fields import refresh_derived
from .core.dice import ALL_PAIRS
from .core.placement import begin_start_roll, grant_start_cards, lay_board, start_play
from .encoding.lanes import pack_named
from .encoding.structs import (
    AFTER_ROAD,
    AFTER_ROUND_TWO,
    AFTER_SETTLEMENT,
    CARD_KINDS,
    NOBODY,
    RESOURCES,
    Scratch,
    State,
)
from .places import HALF
from .setup.editions import EDITIONS, FIXED, PRICED, Edition
from .setup.house_rules import HOUSE_SWITCHES
from .setup.options import Options

_TIMING = {"after_settlement": AFTER_SETTLEMENT, "after_road": AFTER_ROAD, "after_round_two": AFTER_ROUND_TWO}
NO_LIMIT = 72  # more roads than sides: no limit (ZIP-09)


def full_deck(edition: Edition) -> int:
    """All development cards of the box, in lanes."""
    return pack_named({kind.replace("_", "-"): n for kind, n in edition.dev_deck.items()}, CARD_KINDS)


def rules_in_force(options: Options) -> State:
    """A state with the rules of `options`, full supply and deck, no board and nobody's pieces."""
    edition = options.edition_data
    s = State()
    s.players = options.players
    s.edition = EDITIONS.index(edition.name)
    s.supply = pack_named(dict.fromkeys(RESOURCES, edition.bank_per_resource), RESOURCES)
    s.deck = full_deck(edition)
    for i, item in enumerate(PRICED):
        s.costs[i] = pack_named(edition.costs[item], RESOURCES)
    s.points_to_win = edition.victory_points if options.points_to_win is None else options.points_to_win
    s.hand_limit = edition.hand_limit_on_seven if options.hand_limit is None else options.hand_limit
    s.road_limit = NO_LIMIT if edition.road_limit is None else edition.road_limit
    s.settlement_limit = edition.settlement_limit
    s.city_limit = edition.city_limit
    s.longest_road_min = edition.longest_road_min
    s.largest_army_min = edition.largest_army_min
    s.separate = options.phases == "separate"
    s.second_road_optional = edition.road_building_optional
    s.start_timing = _TIMING[edition.start_resources_timing]
    for name in HOUSE_SWITCHES:
        setattr(s, name, getattr(options, name))
    s.limit_tiles = edition.limit_tiles
    s.points_settlement = edition.points["settlement"]
    s.points_city = edition.points["city"]
    s.points_road = edition.points["longest_road"]
    s.points_army = edition.points["largest_army"]
    s.points_card = edition.points["victory_point_card"]
    s.yield_settlement = edition.yields["settlement"]
    s.yield_city = edition.yields["city"]
    s.rate_supply = edition.trade_rates["supply"]
    s.rate_generic = edition.trade_rates["generic"]
    s.rate_special = edition.trade_rates["special"]
    for seat, color in enumerate(options.colors):
        s.color[seat] = edition.colors.index(color)
    for name in ("first", "victim", "winner", "longest_road", "largest_army"):
        setattr(s, name, NOBODY)
    if options.balanced_dice:
        s.dice_bag = ALL_PAIRS
    s.fixed_start = options.setup == FIXED
    return s


def new_state(options: Options, layout: Layout) -> State:
    """A game at its very beginning: start pieces laid out, the starter known or about to be rolled for."""
    s, scratch = rules_in_force(options), Scratch()
    lay_board(s, layout.board)
    if s.fixed_start:
        lay_start_pieces(s, scratch, options, layout)
    else:
        refresh_derived(s, scratch)
    starter = options.starter()
    if starter is None:
        begin_start_roll(s, sum(1 << seat for seat in options.rollers()))
    else:
        start_play(s, starter)
    return s


def lay_start_pieces(s: State, scratch: Scratch, options: Options, layout: Layout) -> None:
    """The prescribed pieces and start resources of a fixed set-up (SETUP-08, SETUP-10)."""
    missing = [color for color in options.colors if color not in {piece.color for piece in layout.start if piece.paid}]
    if missing:
        raise BadBoard(
            [("SETUP-08", f"this board has no starting positions for {', '.join(missing)}; use it as a variable board")]
        )
    for piece in layout.start:
        if piece.color not in options.colors:
            continue
        seat = options.colors.index(piece.color)
        s.settlements[seat] |= 1 << piece.corner
        if piece.road < HALF:
            s.roads_lo[seat] |= 1 << piece.road
        else:
            s.roads_hi[seat] |= 1 << (piece.road - HALF)
        if piece.paid:
            s.second_corner[seat] = piece.corner
    for seat in range(s.players):
        grant_start_cards(s, seat)
    refresh_derived(s, scratch)
