"""A decision by playing on with trade: as :mod:`.world_search`, but in the worlds everybody offers and answers, too.

A seat in a playout knows its own cards and what lies on the table. What the others hold it guesses from the hands that
the deciding seat thinks possible, as far as they agree with its own, and it counts from there; of development cards it
knows how many each holds. It decides with the picture that :func:`.whole_games.take_in_state` makes of that, so nobody
decides on the cards that others were dealt in a world. That all have counted the hand of the deciding seat is taken for
granted. What the others have said before the playout is forgotten.
"""

from __future__ import annotations

from typing import Any, Final

from hexholm.rules.compiled import entry, kernel, struct_at, struct_in
from hexholm.rules.core.belief import normalise_weights, restart_worlds, start_belief
from hexholm.rules.core.drivers.entry_points import carry_out
from hexholm.rules.core.encoding.structs import SEATS, Belief, State, Talk, View, Work
from hexholm.rules.core.nature import moves_counter
from hexholm.rules.core.phases import CHANCE_PHASES, DICE_FALL, OVER, PLACE_ROAD
from hexholm.rules.core.view import next_seat

from .mind import SHREWD, Mind
from .whole_games import ask_player, forget_talk, keep_lengths, make_legal, store_memory
from .world_search import WORLD, choose_outcome, copy_board, judge_end, key_of_world, last_turn, next_roll
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
    last = -1
    while n < GUESSES:
        found = -1
        for i in range(v.worlds):
            if v.world_hand[i, seat] != s.hand[seat] or (last >= 0 and not is_likelier(v, last, i)):
                continue
            if found < 0 or is_likelier(v, i, found):
                found = i
        if found < 0:
            break
        b.weight[seat, n] = v.world_weight[found]
        for other in range(SEATS):
            b.hand[seat, n, other] = v.world_hand[found, other]
        last = found
        n += 1
    b.worlds[seat] = n
    if n == 0:
        restart_worlds(b, s, seat, seat, 0)
    normalise_weights(b, seat)


@kernel
def play_on_with_trade(
    state: Any, before: Any, copies: Any, t: Talk, b: Belief, w: Work, m: Mind, memory: Any, net: Any, me: int,
    box: int, key: int, roll: int, until: int,
) -> float:  # fmt: skip
    """Play on until `me` begins a turn with number `until` or later; its chance there."""
    s = struct_at(state, State)
    drawn = 0
    for _ in range(MOST_PLAYOUT_STEPS):
        if s.phase == OVER:
            break
        if (CHANCE_PHASES >> s.phase) & 1:
            seat = s.active + 0
            code = choose_outcome(s, key, drawn, roll)
            drawn += moves_counter(s.phase)
            if s.phase == DICE_FALL:
                roll = -1
        elif s.turn_number >= until and s.phase > PLACE_ROAD:
            break
        else:
            seat = next_seat(s, t)
            code = make_legal(s, t, w, memory, seat, ask_player(state, copies, t, b, w, m, memory, net, seat, box))
            m.weighed += m.n
        carry_out(state, before, t, b, w, seat, code)
        keep_lengths(s, w, m, seat, code)
    return judge_end(s, m, net, me)


@entry
def bot_try_with_trade(
    view: Any, copies: Any, work: Any, mind: Any, world_mind: Any, net: Any, box: int, key: int, k: int, rounds: int,
    tried: Any, sums: Any, state: Any, before: Any, pictures: Any, talk: Any, belief: Any, memory: Any,
) -> None:  # fmt: skip
    """As :func:`.world_search.bot_try`, with trade: everybody's picture is made in `pictures`.

    Whatever comes after `sums` is scratch.
    """
    v = struct_at(view, View)
    m = struct_at(mind, Mind)
    d = struct_at(world_mind, Mind)
    w = struct_at(work, Work)
    t = struct_at(talk, Talk)
    b = struct_at(belief, Belief)
    s = struct_at(state, State)
    me = v.observer + 0
    luck = key_of_world(key, k)
    draw_world(v, copies, WORLD, key, k, box)
    until = last_turn(struct_in(copies, WORLD, State), me, rounds)
    copy_board(m, d)
    d.trader = SHREWD
    for i in range(len(tried)):
        if tried[i] == 0:
            continue
        for j in range(len(state)):
            state[j] = copies[WORLD, j]
        for seat in range(v.players):
            d.length[seat] = m.length[seat]
        start_belief(b, s)
        for seat in range(v.players):
            guess_hands_of_all(v, b, s, seat)
        forget_talk(talk, memory)
        store_memory(m, memory, me, s.turn_number + 0)
        code = int(tried[i])
        carry_out(state, before, t, b, w, me, code)
        keep_lengths(s, w, d, me, code)
        roll = next_roll(key, k)
        sums[i] += play_on_with_trade(state, before, pictures, t, b, w, d, memory, net, me, box, luck, roll, until)
