"""What may be hidden: a whole state that fits what a seat has seen, drawn by the exact odds (docs/decisions/0004).

Resource hands are drawn from the view's joint hands by their weights. Development cards hang together through the pool
of cards that the seat has not seen: every seat's hand is drawn alone, by its draw histories and the ways to take it
from the pool, and all are kept with the chance (ways to take them together) / (product of the ways to take them alone),
which is at most 1. That gives the exact joint odds without ever listing joint hands.
"""

from __future__ import annotations

from typing import Any, Final

from hexholm.rules.compiled import kernel, struct_in
from hexholm.rules.core.draws import draw_below, draw_bits
from hexholm.rules.core.encoding.lanes import count, covers, lane, total
from hexholm.rules.core.encoding.structs import SEATS, VICTORY_POINT, State, View
from hexholm.rules.core.nature import pick_kind

STREAM_HANDS: Final = 50
STREAM_HELD_CARDS: Final = 60
STREAM_SPARE: Final = 70
MOST_DRAWS: Final = 200
"""So often a joint hand of development cards is drawn before the next best is taken."""
FULL: Final = 4294967296.0


@kernel
def ways_from(pool: int, cards: int) -> float:
    """In how many ways these cards can be taken from the pool, one after the other (lanes)."""
    ways = 1.0
    for kind in range(5):
        for i in range(count(cards, kind)):
            ways *= max(0, count(pool, kind) - i)
    return ways


@kernel
def draw_hands(v: View, s: State, key: int, k: int) -> None:
    """Fill in the resource hands of a joint hand, by weight."""
    whole = 0.0
    for i in range(v.worlds):
        whole += v.world_weight[i]
    left = whole * draw_bits(key, STREAM_HANDS, k) / FULL
    chosen = 0
    for i in range(v.worlds):
        chosen = i
        left -= v.world_weight[i]
        if left < 0.0:
            break
    for seat in range(v.players):
        if seat != v.observer:
            s.hand[seat] = v.world_hand[chosen, seat]


@kernel
def draw_cards_of(v: View, pool: int, seat: int, key: int, n: int) -> int:
    """Which of a seat's hidden hands it holds, drawn as if nobody else held any; below 0: none fits."""
    whole = 0.0
    for i in range(v.card_hands[seat]):
        held = v.card_old[seat, i] + v.card_new[seat, i]
        if covers(pool, held):
            whole += v.card_ways[seat, i] * ways_from(pool, held)
    left = whole * draw_bits(key, STREAM_HELD_CARDS + seat, n) / FULL
    chosen = -1
    for i in range(v.card_hands[seat]):
        held = v.card_old[seat, i] + v.card_new[seat, i]
        if covers(pool, held):
            chosen = i
            left -= v.card_ways[seat, i] * ways_from(pool, held)
            if left < 0.0:
                break
    return chosen


@kernel
def draw_cards(v: View, s: State, pool: int, key: int, k: int) -> int:
    """Fill in the development cards of the others; returns what is left of the pool (lanes)."""
    rest = pool
    for attempt in range(MOST_DRAWS):
        rest = pool
        taken = 0
        alone = 1.0
        fits = True
        for seat in range(v.players):
            if seat == v.observer or v.card_count[seat] == 0:
                continue
            i = draw_cards_of(v, pool, seat, key, MOST_DRAWS * k + attempt)
            if i < 0:
                fits = False
                break
            old = v.card_old[seat, i]
            new = v.card_new[seat, i]
            s.cards[seat] = old + new
            if seat == v.active:
                s.new_cards = new
            alone *= ways_from(pool, old + new)
            taken += old + new
            if not covers(rest, old + new):
                fits = False
                break
            rest -= old + new
        if fits and draw_bits(key, STREAM_HELD_CARDS + SEATS, MOST_DRAWS * k + attempt) / FULL * alone <= ways_from(
            pool, taken
        ):
            return rest
    return fill_any_cards(v, s, pool)


@kernel
def fill_any_cards(v: View, s: State, pool: int) -> int:
    """Hidden cards of the right number, whichever fit, points last; for views that dropped all hands that would fit."""
    rest = pool
    for seat in range(v.players):
        if seat == v.observer:
            continue
        missing = v.card_count[seat] + 0
        cards = 0
        for i in range(5):
            kind = (i + VICTORY_POINT + 1) % 5
            n = min(missing, count(rest, kind))
            cards += n * lane(kind)
            rest -= n * lane(kind)
            missing -= n
        s.cards[seat] = cards
        if seat == v.active:
            s.new_cards = 0
    return rest


@kernel
def draw_world(v: View, copies: Any, r: int, key: int, k: int, box: int) -> None:
    """Make copy `r` world number `k`: a whole state that the observer of `v` cannot tell from the real one."""
    for i in range(copies.shape[1]):
        copies[r, i] = copies[0, i]
    s = struct_in(copies, r, State)
    pool = box - v.cards[v.observer]
    for seat in range(SEATS):
        pool -= v.played[seat]
    draw_hands(v, s, key, k)
    rest = draw_cards(v, s, pool, key, k)
    spare = total(rest) - v.deck_size
    for i in range(spare):  # a position that was set up with a smaller deck
        rest -= lane(pick_kind(rest, draw_below(total(rest), key, STREAM_SPARE + i, k)))
    s.deck = rest
