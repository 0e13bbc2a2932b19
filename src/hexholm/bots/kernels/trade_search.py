"""A decision by playing on with trade: as :mod:`.search`, but in the worlds everybody offers and answers, too.

A seat in a playout knows its own cards and what lies on the table. What the others hold it guesses from the hands that
the deciding seat thinks possible, as far as they agree with its own, and it counts from there; of development cards it
knows how many each holds. It decides with the picture that :func:`.whole_games.glance` makes of that, so nobody
decides on the cards that others were dealt in a world. That all have counted the hand of the deciding seat is taken
for granted. What the others have said before the playout is forgotten.
"""

from __future__ import annotations

from typing import Any, Final

from hexholm.rules.compiled import entry, kernel, record_at, record_in
from hexholm.rules.core.belief import forget, normalise, start_again
from hexholm.rules.core.encoding.structs import SEATS, Belief, State, Talk, View, Work
from hexholm.rules.core.nature import counted
from hexholm.rules.core.phases import CHANCE, DICE_FALL, OVER, PLACE_ROAD

from .mind import SHREWD, Mind
from .search import WORLD, copy_board, horizon, luck_of, nature, next_roll, outlook
from .whole_games import ask, carry_out, forget_talk, keep_in_mind, keep_lengths, legally, next_seat
from .worlds import imagine

MOST: Final = 4000
"""Steps of a playout."""
GUESSES: Final = 8
"""So many hands a seat keeps apart, when a playout begins."""


@kernel
def likelier(v: View, i: int, j: int) -> bool:
    """Whether hands `i` come before hands `j`."""
    return v.world_weight[i] > v.world_weight[j] or (v.world_weight[i] == v.world_weight[j] and i < j)


@kernel
def guess(v: View, b: Belief, s: State, seat: int) -> None:
    """What a seat thinks the hands are: the likeliest in which it holds its own, whichever the others were dealt.

    Should all of them turn out to be wrong, the belief begins again (:func:`hexholm.rules.core.belief.start_again`).
    """
    n = 0
    last = -1
    while n < GUESSES:
        found = -1
        for i in range(v.worlds):
            if v.world_hand[i, seat] != s.hand[seat] or (last >= 0 and not likelier(v, last, i)):
                continue
            if found < 0 or likelier(v, i, found):
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
        start_again(b, s, seat, seat, 0)
    normalise(b, seat)


@kernel
def haggle_on(
    state: Any, before: Any, rooms: Any, t: Talk, b: Belief, w: Work, m: Mind, memory: Any, net: Any, me: int,
    box: int, key: int, roll: int, until: int,
) -> float:  # fmt: skip
    """Play on until `me` begins a turn with number `until` or later; its chance there."""
    s = record_at(state, State)
    drawn = 0
    for _ in range(MOST):
        if s.phase == OVER:
            break
        if (CHANCE >> s.phase) & 1:
            seat = s.turn + 0
            code = nature(s, key, drawn, roll)
            drawn += counted(s.phase)
            if s.phase == DICE_FALL:
                roll = -1
        elif s.turn_number >= until and s.phase > PLACE_ROAD:
            break
        else:
            seat = next_seat(s, t)
            code = legally(s, t, w, memory, seat, ask(state, rooms, t, b, w, m, memory, net, seat, box))
            m.weighed += m.n
        carry_out(state, before, t, b, w, seat, code)
        keep_lengths(s, w, m, seat, code)
    return outlook(s, m, net, me)


@entry
def bot_haggle(
    view: Any, rooms: Any, work: Any, mind: Any, dream: Any, net: Any, box: int, key: int, k: int, rounds: int,
    tried: Any, sums: Any, state: Any, before: Any, pictures: Any, talk: Any, belief: Any, memory: Any,
) -> None:  # fmt: skip
    """As :func:`.search.bot_try`, with trade: everybody's picture is made in `pictures`.

    Whatever comes after `sums` is scratch.
    """
    v = record_at(view, View)
    m = record_at(mind, Mind)
    d = record_at(dream, Mind)
    w = record_at(work, Work)
    t = record_at(talk, Talk)
    b = record_at(belief, Belief)
    s = record_at(state, State)
    me = v.observer + 0
    luck = luck_of(key, k)
    imagine(v, rooms, WORLD, key, k, box)
    until = horizon(record_in(rooms, WORLD, State), me, rounds)
    copy_board(m, d)
    d.trader = SHREWD
    for i in range(len(tried)):
        if tried[i] == 0:
            continue
        for j in range(len(state)):
            state[j] = rooms[WORLD, j]
        for seat in range(v.players):
            d.length[seat] = m.length[seat]
        forget(b, s)
        for seat in range(v.players):
            guess(v, b, s, seat)
        forget_talk(talk, memory)
        keep_in_mind(m, memory, me, s.turn_number + 0)
        code = int(tried[i])
        carry_out(state, before, t, b, w, me, code)
        keep_lengths(s, w, d, me, code)
        roll = next_roll(key, k)
        sums[i] += haggle_on(state, before, pictures, t, b, w, d, memory, net, me, box, luck, roll, until)
