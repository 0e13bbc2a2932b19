"""What may be hidden: a whole state that fits what a seat has seen, drawn by the exact odds (docs/decisions/0004).

Resource hands are drawn from the view's joint hands by their weights. Development cards hang together through the pool
of cards that the seat has not seen: every seat's hand is drawn alone, by its draw histories and the ways to take it
from the pool, and all are kept with the chance (ways to take them together) / (product of the ways to take them alone),
which is at most 1. That gives the exact joint odds without ever listing joint hands.
"""

from __future__ import annotations

from typing import Any, Final

from hexholm.rules.compilation.kernels import kernel, struct_in
from hexholm.rules.core.nature import pick_kind
from hexholm.rules.encoding.lanes import N_KINDS, count, count_cards, covers, single_card
from hexholm.rules.encoding.structs import SEATS, VICTORY_POINT, State, View
from hexholm.rules.random_numbers import draw_below, draw_bits

STREAM_HANDS: Final = 50
STREAM_HELD_CARDS: Final = 60
STREAM_SPARE: Final = 70
MOST_DRAWS: Final = 200
"""So often a joint hand of development cards is drawn before the next best is taken."""
TWO_TO_32: Final = 4294967296.0


@kernel
def ways_from(pool: int, cards: int) -> float:
    """In how many ways these cards can be taken from the pool, one after the other (lanes)."""
    ways = 1.0
    for kind in range(N_KINDS):
        for i in range(count(cards, kind)):
            ways *= max(0, count(pool, kind) - i)
    return ways


@kernel
def draw_hands(v: View, s: State, key: int, world: int) -> None:
    """Fill in the resource hands of a joint hand, by weight."""
    weight_sum = 0.0
    for i in range(v.worlds):
        weight_sum += v.world_weight[i]
    weight_left = weight_sum * draw_bits(key, STREAM_HANDS, world) / TWO_TO_32
    drawn_world = 0
    for i in range(v.worlds):
        drawn_world = i
        weight_left -= v.world_weight[i]
        if weight_left < 0.0:
            break
    for seat in range(v.players):
        if seat != v.observer:
            s.hand[seat] = v.world_hand[drawn_world, seat]


@kernel
def draw_cards_of(v: View, pool: int, seat: int, key: int, draw: int) -> int:
    """Which of a seat's hidden hands it holds, drawn as if nobody else held any; below 0: none fits."""
    weight_sum = 0.0
    for i in range(v.card_hands[seat]):
        cards = v.card_old[seat, i] + v.card_new[seat, i]
        if covers(pool, cards):
            weight_sum += v.card_ways[seat, i] * ways_from(pool, cards)
    weight_left = weight_sum * draw_bits(key, STREAM_HELD_CARDS + seat, draw) / TWO_TO_32
    drawn_hand = -1
    for i in range(v.card_hands[seat]):
        cards = v.card_old[seat, i] + v.card_new[seat, i]
        if covers(pool, cards):
            drawn_hand = i
            weight_left -= v.card_ways[seat, i] * ways_from(pool, cards)
            if weight_left < 0.0:
                break
    return drawn_hand


@kernel
def draw_cards(v: View, s: State, pool: int, key: int, world: int) -> int:
    """Fill in the development cards of the others; returns what is left of the pool (lanes)."""
    pool_left = pool
    for attempt in range(MOST_DRAWS):
        pool_left = pool
        cards_drawn = 0
        ways_alone = 1.0
        fits = True
        for seat in range(v.players):
            if seat == v.observer or v.card_count[seat] == 0:
                continue
            i = draw_cards_of(v, pool, seat, key, MOST_DRAWS * world + attempt)
            if i < 0:
                fits = False
                break
            old = v.card_old[seat, i]
            new = v.card_new[seat, i]
            s.development[seat] = old + new
            if seat == v.active:
                s.new_cards = new
            ways_alone *= ways_from(pool, old + new)
            cards_drawn += old + new
            if not covers(pool_left, old + new):
                fits = False
                break
            pool_left -= old + new
        if fits and draw_bits(
            key, STREAM_HELD_CARDS + SEATS, MOST_DRAWS * world + attempt
        ) / TWO_TO_32 * ways_alone <= ways_from(pool, cards_drawn):
            return pool_left
    return fill_any_cards(v, s, pool)


@kernel
def fill_any_cards(v: View, s: State, pool: int) -> int:
    """Hidden cards of the right number, whichever fit, points last; for views that dropped all hands that would fit."""
    pool_left = pool
    for seat in range(v.players):
        if seat == v.observer:
            continue
        cards_missing = v.card_count[seat] + 0
        cards = 0
        for i in range(N_KINDS):
            kind = (i + VICTORY_POINT + 1) % N_KINDS
            n = min(cards_missing, count(pool_left, kind))
            cards += n * single_card(kind)
            pool_left -= n * single_card(kind)
            cards_missing -= n
        s.development[seat] = cards
        if seat == v.active:
            s.new_cards = 0
    return pool_left


@kernel
def draw_world(v: View, copies: Any, row: int, key: int, world: int, deck: int) -> None:
    """Make copy `row` world number `world`: a whole state that the observer of `v` cannot tell from the real one."""
    for i in range(copies.shape[1]):
        copies[row, i] = copies[0, i]
    s = struct_in(copies, row, State)
    pool = deck - v.development[v.observer]
    for seat in range(SEATS):
        pool -= v.played[seat]
    draw_hands(v, s, key, world)
    pool_left = draw_cards(v, s, pool, key, world)
    n_spare = count_cards(pool_left) - v.deck_size
    for i in range(n_spare):  # a position that was set up with a smaller deck
        pool_left -= single_card(pick_kind(pool_left, draw_below(count_cards(pool_left), key, STREAM_SPARE + i, world)))
    s.deck = pool_left
