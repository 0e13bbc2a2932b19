"""A decision by playing on with trade: as :mod:`.world_search`, but in the worlds everybody offers and answers, too.

A seat in a playout knows its own cards and what lies on the table. What the others hold it guesses from the hands that
the deciding seat thinks possible, as far as they agree with its own, and it counts from there; of development cards it
knows how many each holds. It decides with the picture that :func:`.whole_games.take_in_state` makes of that, so nobody
decides on the cards that others were dealt in a world. That all have counted the hand of the deciding seat is taken for
granted. What the others have said before the playout is forgotten.
"""

from __future__ import annotations

from typing import Any, Final

from hexholm.rules.compilation.kernels import entry, kernel, struct_at, struct_in
from hexholm.rules.core.actors import next_seat
from hexholm.rules.core.belief import normalize_weights, restart_worlds, start_belief
from hexholm.rules.core.entry_points import carry_out
from hexholm.rules.core.nature import draws_used
from hexholm.rules.encoding.phases import DICE_FALL, OVER, PLACE_ROAD, is_chance_phase
from hexholm.rules.encoding.structs import SEATS, Belief, OpenOffers, Scratch, State, View

from .mind import SHREWD, Mind
from .whole_games import ask_player, drop_offers, make_legal, store_memory, update_lengths
from .world_search import WORLD_COPY, choose_outcome, copy_board, evaluate_end, key_of_world, last_turn, next_roll
from .worlds import draw_world

MOST_PLAYOUT_STEPS: Final = 4000
"""Steps of a playout."""
GUESSES: Final = 8
"""So many hands a seat keeps apart, when a playout begins."""


@kernel
def is_likelier(v: View, i: int, j: int) -> bool:
    """Whether hands `i` come before hands `j`."""
    return v.world_weight[i] > v.world_weight[j] or (v.world_weight[i] == v.world_weight[j] and i < j)


@kernel
def guess_hands_of_all(v: View, b: Belief, s: State, seat: int) -> None:
    """What a seat thinks the hands are: the likeliest in which it holds its own, whichever the others were dealt.

    Should all of them turn out to be wrong, the belief begins again (:func:`hexholm.rules.core.belief.restart_worlds`).
    """
    n = 0
    previous = -1
    while n < GUESSES:
        likeliest = -1
        for i in range(v.worlds):
            if v.world_hand[i, seat] != s.hand[seat] or (previous >= 0 and not is_likelier(v, previous, i)):
                continue
            if likeliest < 0 or is_likelier(v, i, likeliest):
                likeliest = i
        if likeliest < 0:
            break
        b.weight[seat, n] = v.world_weight[likeliest]
        for other_seat in range(SEATS):
            b.hand[seat, n, other_seat] = v.world_hand[likeliest, other_seat]
        previous = likeliest
        n += 1
    b.worlds[seat] = n
    if n == 0:
        restart_worlds(b, s, seat, seat, 0)
    normalize_weights(b, seat)


@kernel
def play_on_with_trade(
    state: Any, previous: Any, copies: Any, offers: OpenOffers, b: Belief, scratch: Scratch, m: Mind, memory: Any,
    net: Any, me: int, deck: int, key: int, roll: int, turn_limit: int,
) -> float:  # fmt: skip
    """Play on until `me` begins a turn with number `turn_limit` or later; its chance there."""
    s = struct_at(state, State)
    draws = 0
    for _ in range(MOST_PLAYOUT_STEPS):
        if s.phase == OVER:
            break
        if is_chance_phase(s.phase):
            seat = s.active + 0
            code = choose_outcome(s, key, draws, roll)
            draws += draws_used(s.phase)
            if s.phase == DICE_FALL:
                roll = -1
        elif s.turn_number >= turn_limit and s.phase > PLACE_ROAD:
            break
        else:
            seat = next_seat(s, offers)
            wish = ask_player(state, copies, offers, b, scratch, m, memory, net, seat, deck)
            code = make_legal(s, offers, scratch, memory, seat, wish)
            m.total_weighed += m.n_choices
        carry_out(state, previous, offers, b, scratch, seat, code)
        update_lengths(s, scratch, m, seat, code)
    return evaluate_end(s, m, net, me)


@entry
def bot_try_with_trade(
    view: Any, copies: Any, scratch: Any, mind: Any, world_mind: Any, net: Any, deck: int, key: int, world: int,
    rounds: int, codes: Any, sums: Any, state: Any, previous: Any, seat_copies: Any, open_offers: Any, belief: Any,
    memory: Any,
) -> None:  # fmt: skip
    """As :func:`.world_search.bot_try`, with trade.

    In `seat_copies` stands what a seat that decides takes the position to be. Whatever comes after `sums` is scratch.
    """
    v = struct_at(view, View)
    m = struct_at(mind, Mind)
    world_m = struct_at(world_mind, Mind)
    w = struct_at(scratch, Scratch)
    offers = struct_at(open_offers, OpenOffers)
    b = struct_at(belief, Belief)
    s = struct_at(state, State)
    me = v.observer + 0
    world_key = key_of_world(key, world)
    draw_world(v, copies, WORLD_COPY, key, world, deck)
    turn_limit = last_turn(struct_in(copies, WORLD_COPY, State), me, rounds)
    copy_board(m, world_m)
    world_m.trader = SHREWD
    for i in range(len(codes)):
        if codes[i] == 0:
            continue
        for j in range(len(state)):
            state[j] = copies[WORLD_COPY, j]
        for seat in range(v.players):
            world_m.length[seat] = m.length[seat]
        start_belief(b, s)
        for seat in range(v.players):
            guess_hands_of_all(v, b, s, seat)
        drop_offers(open_offers, memory)
        store_memory(m, memory, me, s.turn_number + 0)
        code = int(codes[i])
        carry_out(state, previous, offers, b, w, me, code)
        update_lengths(s, w, world_m, me, code)
        roll = next_roll(key, world)
        sums[i] += play_on_with_trade(
            state, previous, seat_copies, offers, b, w, world_m, memory, net, me, deck, world_key, roll, turn_limit
        )
