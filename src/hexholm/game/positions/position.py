"""Positions and views as text: one line that holds everything on the table (docs/formats/position.md, view.md).

    >>> from hexholm.game.positions.position import position_text, read_position
    >>> found = read_position("turn=blue dice=3+3 blue:settlements=B2n blue:roads=B2/ne blue:hand=2brick,1ore")
    >>> found.options.colors[found.state.active], found.state.points[found.state.active]
    ('blue', 1)
    >>> text = position_text(found.options, found.layout, found.state, found.talk)
    >>> read_position(text).state == found.state
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

from hexholm.rules.boards import FRAME_JOINTS, FRAME_PIECES, Layout
from hexholm.rules.core.encoding.lanes import unpack
from hexholm.rules.core.encoding.structs import (
    CARD_KINDS,
    RESOURCES,
    SEATS,
    VICTORY_POINT,
    Board,
    Sight,
    State,
    Talk,
    View,
)
from hexholm.rules.core.phases import DISCARDING, OVER, START_ROLL
from hexholm.rules.initial_state import rules_in_force
from hexholm.rules.options import Options, check_options
from hexholm.rules.places import CORNER_NAMES, HALF, HEX_NAMES, N_HEXES, SIDE_NAMES, SPIRALS

from ..facts import OpenOffers, Standing, facts_of, open_offers_of, standing_of
from .position_check import PHASE_WORDS, members, placing
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


@dataclass(frozen=True)
class Position:
    """What a position says, ready to be played on. Its layout has no name and no start pieces: the state has them."""

    options: Options
    layout: Layout
    state: State
    talk: Talk


def position_text(options: Options, layout: Layout, state: State, talk: Talk) -> str:
    """The canonical text of a position; :func:`read_position` gives back the same state, byte by byte."""
    settings, bank, deck = _settings(options)
    s = standing_of(state)
    words = [POSITION_FORMAT, settings, *_flow(options, s), _board(layout.board.buffer.tobytes(), layout.standard)]
    words.append(f"robber={HEX_NAMES[s.robber]}")
    seconds = _seconds(s)
    for seat, color in enumerate(options.colors):
        words.append(_seat(color, s, seat, _resources(s.hand[seat]), _cards(s.cards[seat]), seconds))
        bank -= s.hand[seat]
        deck -= s.cards[seat] + s.played[seat]
    if s.new_cards:
        words.append(f"{options.colors[s.active]}:new={_cards(s.new_cards)}")
    if bank != s.bank:  # only in a position set up by hand, against COMP-03: the text must not hide it
        words.append(f"bank={_resources(s.bank) or 'nothing'}")
    if deck != s.deck:
        words.append(f"deck={_cards(s.deck) or 'nothing'}")
    words += _offers(options.colors, open_offers_of(talk))
    return " ".join(word for word in words if word)


def view_text(options: Options, layout: Layout, view: Sight, *, belief: bool = True) -> str:
    """The canonical text of a view; :func:`read_view` gives back the same view, byte by byte.

    `belief`: with all that the observer can infer about hidden cards. Without it the text is short, and the view that
    is read from it has no worlds.
    """
    colors, own, s = options.colors, view.observer, standing_of(view)
    words = [VIEW_FORMAT, f"seen-by={colors[own] if own < SEATS else PUBLIC}", _settings(options)[0]]
    words += [*_flow(options, s), _board(layout.board.buffer.tobytes(), layout.standard)]
    words.append(f"robber={HEX_NAMES[view.robber]}")
    seconds = _seconds(s)
    for seat, color in enumerate(colors):
        if seat == own:
            hand, cards = _resources(view.hand[seat]), _cards(view.cards[seat])
        else:
            hand = f"?{view.hand_size[seat]}" if view.hand_size[seat] else ""
            shown = view.revealed[seat] if view.phase == OVER else 0  # WIN-07
            hidden = view.card_count[seat] - shown
            known = f"{shown}{CARD_KINDS[VICTORY_POINT]}" if shown else ""
            cards = ",".join(part for part in (f"?{hidden}" if hidden else "", known) if part)
        words.append(_seat(color, s, seat, hand, cards, seconds))
    if view.new_count:
        words.append(
            f"{colors[view.active]}:new={_cards(view.new_cards) if view.active == own else f'?{view.new_count}'}"
        )
    words += [f"bank={_resources(view.bank) or 'nothing'}", f"deck=?{view.deck_size}"]
    facts = facts_of(view)
    words += _offers(colors, OpenOffers._make(getattr(facts, f"offer_{name}") for name in OpenOffers._fields))
    if belief and isinstance(view, View) and view.worlds:
        words += _belief(colors, view)
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


_resources: Final = _lanes_writer(RESOURCES)
_cards: Final = _lanes_writer(CARD_KINDS)


@lru_cache(maxsize=256)
def _settings(chosen: Options) -> tuple[str, int, int]:
    """The rules in force, as far as they are not the edition's own; and all cards of the box (lanes)."""
    usual = check_options(
        edition=chosen.edition, players=chosen.players, setup=chosen.setup, two_players=chosen.two_players
    ).as_dict()
    words = [f"edition={chosen.edition}", f"players={','.join(chosen.colors)}"]
    if chosen.setup != chosen.edition_data.default_setup:
        words.append(f"setup={chosen.setup}")
    for name, key in (("phases", "phases"), ("harbors", "harbors-by"), ("numbers", "numbers-by"), ("map", "map")):
        if (value := getattr(chosen, name)) != usual[name]:
            words.append(f"{key}={value}")
    if chosen.first is not None:
        words.append(f"first-by={'roll' if chosen.first == 'roll' else 'named'}")
    if chosen.ages is not None:
        words.append(f"ages={','.join(map(str, chosen.ages))}")
    words += [
        f"{name.replace('_', '-')}={'yes' if value is True else value}"
        for name in ("points_to_win", "hand_limit", "two_players", "friendly_robber", "balanced_dice")
        if (value := getattr(chosen, name)) is not None and value is not False
    ]
    box = rules_in_force(chosen)
    return " ".join(words), box.bank, box.deck


@lru_cache(maxsize=256)
def _board(buffer: bytes, standard: bool) -> str:
    """The contents of a board: never its name, which may tell a seed."""
    board = Board(np.frombuffer(buffer, np.uint8).copy())
    rows: dict[str, str] = {}
    for h in range(N_HEXES):
        row = HEX_NAMES[h][0]
        rows[row] = rows.get(row, "") + TERRAIN_LETTERS[board.terrain[h]] + (str(board.number[h] or ""))
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


def _flow(options: Options, s: Standing) -> Iterator[str]:
    """Whose turn it is and what is open in it."""
    colors = options.colors
    if s.first >= 0:
        yield f"first={colors[s.first]}"
    yield f"turn={colors[s.active]}"
    if s.turn_number:
        yield f"turn-number={s.turn_number}"
    yield f"phase={PHASE_WORDS[s.phase]}"
    if s.rolled:
        yield f"dice={s.die_a}+{s.die_b}"
    if s.card_played:
        yield "card-played=yes"
    if s.trading_closed:
        yield "trading=closed"
    if s.free_roads or s.free_placed:
        yield f"free-roads={s.free_roads}"
    if s.free_placed:
        yield f"free-placed={s.free_placed}"
    if s.victim >= 0:
        yield f"victim={colors[s.victim]}"
    if s.phase == START_ROLL:
        yield f"to-roll={','.join(colors[seat] for seat in members(s.rollers))}"
        if s.best_roll:
            yield f"best-roll={s.best_roll}"
        if s.tied:  # without a best roll: those who tied and roll again (SETUP-07)
            yield f"best-rollers={','.join(colors[seat] for seat in members(s.tied))}"
    if s.longest_road >= 0:
        yield f"longest-road={colors[s.longest_road]}"
    if s.largest_army >= 0:
        yield f"largest-army={colors[s.largest_army]}"
    if s.balanced_dice:
        gone = [f"{pair // 6 + 1}{pair % 6 + 1}" for pair in range(36) if not (s.dice_bag >> pair) & 1]
        if gone:
            yield f"dice-gone={','.join(gone)}"


def _seat(color: str, s: Standing, seat: int, hand: str, cards: str, seconds: int) -> str:
    """Cards and pieces of one seat; the second start settlement has a star."""
    chosen = s.chosen[seat] if s.phase == DISCARDING else 0
    starred = s.second[seat] if seconds >> seat & 1 else -1
    pieces = s.settlements[seat], s.cities[seat], s.roads_lo[seat] | s.roads_hi[seat] << HALF
    return _owned(color, hand, chosen, cards, s.played[seat], starred, *pieces)


@lru_cache(maxsize=4096)
def _owned(
    color: str,
    hand: str,
    chosen: int,
    cards: str,
    played: int,
    starred: int,
    settlements: int,
    cities: int,
    roads: int,
) -> str:
    parts = {
        "hand": hand,
        "chosen": _resources(chosen),
        "cards": cards,
        "played": _cards(played),
        "settlements": _buildings(settlements, starred),
        "cities": _buildings(cities, starred),
        "roads": _roads(roads),
    }
    return " ".join(f"{color}:{what}={text}" for what, text in parts.items() if text)


@lru_cache(maxsize=4096)
def _buildings(corners: int, starred: int) -> str:
    return ",".join(CORNER_NAMES[corner] + ("*" if corner == starred else "") for corner in members(corners))


@lru_cache(maxsize=4096)
def _roads(sides: int) -> str:
    return ",".join(SIDE_NAMES[side] for side in members(sides))


def _seconds(s: Standing) -> int:
    """The seats whose second start settlement stands and is known, a bit for each."""
    seats = range(s.players)
    if s.fixed_start or s.placed == 2 * s.players:
        # Not known (a position by hand) is corner 0 for all, and only one of them can have built there.
        known = all((s.settlements[i] | s.cities[i]) >> s.second[i] & 1 for i in seats)
        return (1 << s.players) - 1 if known else 0
    return sum(1 << i for i in seats if s.settlements[i].bit_count() == 2) if placing(s.phase) else 0


def _offers(colors: tuple[str, ...], open_now: OpenOffers) -> Iterator[str]:
    """The open offers: maker, what is given, what is wanted, to whom; `+` behind those who said yes, `-` for no."""
    for slot, (give, want, maker, to, yes, no) in enumerate(zip(*open_now, strict=True), 1):
        if give:
            asked = [
                colors[seat] + ("+" if (yes >> seat) & 1 else "-" if (no >> seat) & 1 else "") for seat in members(to)
            ]
            yield f"offer{slot}={colors[maker]}:{_resources(give)}:{_resources(want)}:{','.join(asked)}"


def _belief(colors: tuple[str, ...], view: View) -> Iterator[str]:
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
