"""Positions and views as text: one line that holds everything on the table (docs/formats/position.md, view.md).

    >>> from hexholm.game.positions.position import position_text, read_position
    >>> position = read_position("turn=blue dice=3+3 blue:settlements=B2n blue:roads=B2/ne blue:hand=2brick,1ore")
    >>> position.options.colors[position.state.active], position.state.points[position.state.active]
    ('blue', 1)
    >>> text = position_text(position.options, position.layout, position.state, position.open_offers)
    >>> read_position(text).state == position.state
    True

A position holds the rules in force, the board, all cards, all pieces, whose turn it is and what is open; what follows
from these is worked out anew when it is read. It holds no past: what players may infer starts afresh from it. A view
is the same with `?` for what its observer does not know; it is written from the view's struct alone, so nothing hidden
can get into it. Reading is in :mod:`.position_reader`, what makes a position unsound in :mod:`.position_check`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from hexholm.older_names import with_older_names
from hexholm.rules.boards import FRAME_JOINTS, FRAME_PIECES, Layout
from hexholm.rules.colors import Color, SeatNumber
from hexholm.rules.encoding.lanes import unpack
from hexholm.rules.encoding.phases import DISCARDING, OVER, START_ROLL
from hexholm.rules.encoding.structs import (
    CARD_KINDS,
    RESOURCES,
    SEATS,
    VICTORY_POINT,
    Board,
    OpenOffers,
    Sight,
    State,
    View,
)
from hexholm.rules.initial_state import rules_in_force
from hexholm.rules.places import CORNER_NAMES, HALF, HEX_NAMES, N_HEXES, SIDE_NAMES, SPIRALS
from hexholm.rules.setup.options import HOUSE_NUMBERS, SWITCHES, Options, check_options

from ..facts import OfferFacts, PositionFacts, facts_of, offer_facts_of, position_facts_of
from .position_check import PHASE_WORDS, bit_places, is_placement
from .position_reader import PositionReader
from .position_words import (
    CARD_LETTERS,
    POSITION_FORMAT,
    PUBLIC,
    RESOURCE_LETTERS,
    TERRAIN_LETTERS,
    VIEW_FORMAT,
    BadPosition,
)

__all__ = [
    "POSITION_FORMAT",
    "VIEW_FORMAT",
    "BadPosition",
    "Position",
    "position_hash",
    "position_text",
    "read_position",
    "read_view",
    "view_text",
]


@with_older_names(talk="open_offers")
@dataclass(frozen=True)
class Position:
    """What a position says, ready to be played on. Its layout has no name and no start pieces: the state has them."""

    options: Options
    layout: Layout
    state: State
    open_offers: OpenOffers


def position_text(options: Options, layout: Layout, state: State, open_offers: OpenOffers) -> str:
    """The canonical text of a position; :func:`read_position` gives back the same state, byte by byte."""
    settings, supply, deck = _settings(options)
    standing = position_facts_of(state)
    words = [
        POSITION_FORMAT,
        settings,
        *_turn_words(options, standing),
        _board_text(layout.board.buffer.tobytes(), layout.standard),
    ]
    words.append(f"robber={HEX_NAMES[standing.robber]}")
    second_settlements = _second_settlements(standing)
    for seat, color in enumerate(options.colors):
        words.append(
            _seat_text(
                color,
                standing,
                seat,
                _resources_text(standing.hand[seat]),
                _cards_text(standing.development[seat]),
                second_settlements,
            )
        )
        supply -= standing.hand[seat]
        deck -= standing.development[seat] + standing.played[seat]
    if standing.new_cards:
        words.append(f"{options.colors[standing.active]}:new={_cards_text(standing.new_cards)}")
    if supply != standing.supply:  # only in a position set up by hand, against COMP-03: the text must not hide it
        words.append(f"bank={_resources_text(standing.supply) or 'nothing'}")
    if deck != standing.deck:
        words.append(f"deck={_cards_text(standing.deck) or 'nothing'}")
    words += _offer_words(options.colors, offer_facts_of(open_offers))
    return " ".join(word for word in words if word)


def view_text(options: Options, layout: Layout, view: Sight, *, belief: bool = True) -> str:
    """The canonical text of a view; :func:`read_view` gives back the same view, byte by byte.

    `belief`: with all that the observer can infer about hidden cards. Without it the text is short, and the view that
    is read from it has no worlds.
    """
    colors, observer, standing = options.colors, view.observer, position_facts_of(view)
    words = [VIEW_FORMAT, f"seen-by={colors[observer] if observer < SEATS else PUBLIC}", _settings(options)[0]]
    words += [*_turn_words(options, standing), _board_text(layout.board.buffer.tobytes(), layout.standard)]
    words.append(f"robber={HEX_NAMES[view.robber]}")
    second_settlements = _second_settlements(standing)
    for seat, color in enumerate(colors):
        if seat == observer:
            hand, cards = _resources_text(view.hand[seat]), _cards_text(view.development[seat])
        else:
            hand = f"?{view.hand_size[seat]}" if view.hand_size[seat] else ""
            points_shown = view.revealed[seat] if view.phase == OVER else 0  # WIN-07
            hidden = view.card_count[seat] - points_shown
            points_text = f"{points_shown}{CARD_KINDS[VICTORY_POINT]}" if points_shown else ""
            cards = ",".join(part for part in (f"?{hidden}" if hidden else "", points_text) if part)
        words.append(_seat_text(color, standing, seat, hand, cards, second_settlements))
    if view.new_count:
        new_cards = _cards_text(view.new_cards) if view.active == observer else f"?{view.new_count}"
        words.append(f"{colors[view.active]}:new={new_cards}")
    words += [f"bank={_resources_text(view.supply) or 'nothing'}", f"deck=?{view.deck_size}"]
    facts = facts_of(view)
    words += _offer_words(colors, OfferFacts._make(getattr(facts, f"offer_{name}") for name in OfferFacts._fields))
    if belief and isinstance(view, View) and view.worlds:
        words += _belief_words(colors, view)
    return " ".join(word for word in words if word)


def read_position(text: str) -> Position:
    """A position from its text; raises :class:`BadPosition` with all faults that can be told at once."""
    return Position(*PositionReader(text).position())


def read_view(text: str) -> tuple[Options, Layout, View]:
    """A view from its text, with the rules in force and the board; raises :class:`BadPosition`."""
    return PositionReader(text).view()


def position_hash(text: str) -> str:
    """16 hexadecimal digits that stand for a canonical text: equal positions have equal ones."""
    return hashlib.blake2b(text.encode()).hexdigest()[:16]


# --- the parts of a text -------------------------------------------------------------------------------------


def _lanes_writer(kinds: tuple[str, ...]) -> Callable[[int], str]:
    """A function that writes lanes as `2brick,1ore`, and as nothing at all if there are none."""

    @lru_cache(maxsize=4096)
    def spell(cards: int) -> str:
        return ",".join(f"{n}{kind}" for n, kind in zip(unpack(cards), kinds, strict=True) if n)

    return spell


_resources_text: Final = _lanes_writer(RESOURCES)
_cards_text: Final = _lanes_writer(CARD_KINDS)


@lru_cache(maxsize=256)
def _settings(options: Options) -> tuple[str, int, int]:
    """The rules in force, as far as they are not the edition's own; and all cards of the box (lanes)."""
    defaults = check_options(
        edition=options.edition, players=options.players, setup=options.setup, two_players=options.two_players
    ).as_dict()
    words = [f"edition={options.edition}", f"players={','.join(options.colors)}"]
    if options.setup != options.edition_data.default_setup:
        words.append(f"setup={options.setup}")
    for name, key in (("phases", "phases"), ("harbors", "harbors-by"), ("numbers", "numbers-by"), ("map", "map")):
        if (value := getattr(options, name)) != defaults[name]:
            words.append(f"{key}={value}")
    if options.first is not None:
        words.append(f"first-by={'roll' if options.first == 'roll' else 'named'}")
    if options.ages is not None:
        words.append(f"ages={','.join(map(str, options.ages))}")
    words += [
        f"{name.replace('_', '-')}={'yes' if value is True else value}"
        for name in (*HOUSE_NUMBERS, *SWITCHES)
        if (value := getattr(options, name)) is not None and value is not False
    ]
    fresh_state = rules_in_force(options)
    return " ".join(words), fresh_state.supply, fresh_state.deck


@lru_cache(maxsize=256)
def _board_text(buffer: bytes, standard: bool) -> str:
    """The contents of a board: never its name, which may tell a seed."""
    board = Board(np.frombuffer(buffer, np.uint8).copy())
    rows: dict[str, str] = {}
    for hexagon in range(N_HEXES):
        row = HEX_NAMES[hexagon][0]
        rows[row] = rows.get(row, "") + TERRAIN_LETTERS[board.terrain[hexagon]] + (str(board.number[hexagon] or ""))
    harbors = [f"{SIDE_NAMES[side]}:{kind}" for side, kind in Layout(board).harbors()]
    words = [f"hexes={'/'.join(rows.values())}", f"harbors={','.join(harbors) or 'none'}"]
    if board.start_corner >= 0:
        words.append(f"spiral={HEX_NAMES[SPIRALS[board.start_corner][0]]}")
    frame = [board.frame[slot] for slot in range(FRAME_PIECES)]
    if frame != list(range(FRAME_PIECES)):
        words.append(f"frame={','.join(FRAME_JOINTS[piece] for piece in frame)}")
    if not standard:
        words.append("standard=no")
    return " ".join(words)


def _turn_words(options: Options, standing: PositionFacts) -> Iterator[str]:
    """Whose turn it is and what is open in it."""
    colors = options.colors
    if standing.first >= 0:
        yield f"first={colors[standing.first]}"
    yield f"turn={colors[standing.active]}"
    if standing.turn_number:
        yield f"turn-number={standing.turn_number}"
    yield f"phase={PHASE_WORDS[standing.phase]}"
    if standing.rolled:
        yield f"dice={standing.die_a}+{standing.die_b}"
    if standing.card_played:
        yield "card-played=yes"
    if standing.trading_closed:
        yield "trading=closed"
    if standing.free_roads or standing.free_placed:
        yield f"free-roads={standing.free_roads}"
    if standing.free_placed:
        yield f"free-placed={standing.free_placed}"
    if standing.victim >= 0:
        yield f"victim={colors[standing.victim]}"
    if standing.phase == START_ROLL:
        yield f"to-roll={','.join(colors[seat] for seat in bit_places(standing.rollers))}"
        if standing.best_roll:
            yield f"best-roll={standing.best_roll}"
        if standing.tied:  # without a best roll: those who tied and roll again (SETUP-07)
            yield f"best-rollers={','.join(colors[seat] for seat in bit_places(standing.tied))}"
    if standing.longest_road >= 0:
        yield f"longest-road={colors[standing.longest_road]}"
    if standing.largest_army >= 0:
        yield f"largest-army={colors[standing.largest_army]}"
    if standing.balanced_dice:
        pairs_gone = [f"{pair // 6 + 1}{pair % 6 + 1}" for pair in range(36) if not (standing.dice_bag >> pair) & 1]
        if pairs_gone:
            yield f"dice-gone={','.join(pairs_gone)}"


def _seat_text(
    color: Color, standing: PositionFacts, seat: SeatNumber, hand: str, cards: str, second_settlements: int
) -> str:
    """Cards and pieces of one seat; the second start settlement has a star."""
    discards = standing.discards[seat] if standing.phase == DISCARDING else 0
    second = standing.second_corner[seat] if second_settlements >> seat & 1 else -1
    pieces = (
        standing.settlements[seat],
        standing.cities[seat],
        standing.roads_lo[seat] | standing.roads_hi[seat] << HALF,
    )
    return _holdings_text(color, hand, discards, cards, standing.played[seat], second, *pieces)


@lru_cache(maxsize=4096)
def _holdings_text(
    color: Color,
    hand: str,
    discards: int,
    cards: str,
    played: int,
    second: int,
    settlements: int,
    cities: int,
    roads: int,
) -> str:
    parts = {
        "hand": hand,
        "chosen": _resources_text(discards),
        "cards": cards,
        "played": _cards_text(played),
        "settlements": _buildings_text(settlements, second),
        "cities": _buildings_text(cities, second),
        "roads": _roads_text(roads),
    }
    return " ".join(f"{color}:{key}={text}" for key, text in parts.items() if text)


@lru_cache(maxsize=4096)
def _buildings_text(corners: int, second: int) -> str:
    return ",".join(CORNER_NAMES[corner] + ("*" if corner == second else "") for corner in bit_places(corners))


@lru_cache(maxsize=4096)
def _roads_text(sides: int) -> str:
    return ",".join(SIDE_NAMES[side] for side in bit_places(sides))


def _second_settlements(standing: PositionFacts) -> int:
    """The seats whose second start settlement stands and is known, a bit for each."""
    seats = range(standing.players)
    if standing.fixed_start or standing.placed == 2 * standing.players:
        # Not known (a position by hand) is corner 0 for all, and only one of them can have built there.
        known = all((standing.settlements[i] | standing.cities[i]) >> standing.second_corner[i] & 1 for i in seats)
        return (1 << standing.players) - 1 if known else 0
    return sum(1 << i for i in seats if standing.settlements[i].bit_count() == 2) if is_placement(standing.phase) else 0


def _offer_words(colors: tuple[Color, ...], offers: OfferFacts) -> Iterator[str]:
    """The open offers: maker, what is given, what is wanted, to whom; `+` behind those who said yes, `-` for no."""
    for slot, (give, want, maker, to, yes, no) in enumerate(zip(*offers, strict=True), 1):
        if give:
            addressees = [
                colors[seat] + ("+" if (yes >> seat) & 1 else "-" if (no >> seat) & 1 else "")
                for seat in bit_places(to)
            ]
            yield f"offer{slot}={colors[maker]}:{_resources_text(give)}:{_resources_text(want)}:{','.join(addressees)}"


def _belief_words(colors: tuple[Color, ...], view: View) -> Iterator[str]:
    """What the observer can infer: joint hands with their weights, hidden development cards with the ways to them."""
    worlds = [
        f"{_number(view.world_weight[i])}:"
        + "/".join(_lane_letters(view.world_hand[i, seat], RESOURCE_LETTERS) for seat in range(len(colors)))
        for i in range(view.worlds)
    ]
    yield f"worlds={';'.join(worlds)}"
    if view.capped:
        yield "worlds-capped=yes"
    for seat, color in enumerate(colors):
        hands = [
            f"{_number(view.card_ways[seat, i])}:{_lane_letters(view.card_old[seat, i], CARD_LETTERS)}"
            f"/{_lane_letters(view.card_new[seat, i], CARD_LETTERS)}"
            for i in range(view.card_hands[seat])
        ]
        if hands != ["1:-/-"]:
            yield f"{color}:card-hands={';'.join(hands)}"
        if view.card_capped[seat]:
            yield f"{color}:card-hands-capped=yes"


def _lane_letters(cards: int, letters: str) -> str:
    """Lanes as numbers and letters, `2B1O`; `-` if there are none."""
    return "".join(f"{n}{letter}" for n, letter in zip(unpack(cards), letters, strict=True) if n) or "-"


def _number(value: float) -> str:
    """A float that reads back exactly."""
    return repr(value).removesuffix(".0")
