"""A decision by playing on: the best few actions are tried in many worlds, with the same dice for all of them.

In each world everybody plays on by looking one action ahead, with the own eyes of each seat, until the seat that
decides begins a turn some rounds later; there its chance is judged. The chances are averaged over the worlds before
they are compared. The next roll is not left to luck: of 36 worlds in a row each has another of the 36 rolls, so that
the average takes them as often as real dice do. The game's own chance is never touched: worlds and dice come from a key
of the player.
"""

from __future__ import annotations

from typing import Any, Final

from hexholm.rules.compiled import entry, kernel, lowest, plus, record_at, record_in, times
from hexholm.rules.core.chance import below, draw
from hexholm.rules.core.drivers.playout import seat_to_act
from hexholm.rules.core.encoding import actions as act
from hexholm.rules.core.encoding.actions import dice, kind_of
from hexholm.rules.core.encoding.lanes import count, total
from hexholm.rules.core.encoding.structs import DESERT, KNIGHT, MONOPOLY, State, View, Work
from hexholm.rules.core.nature import counted, outcome
from hexholm.rules.core.phases import CHANCE, CHOOSE_VICTIM, DICE_FALL, MOVE_ROBBER, OVER, PLACE_ROAD
from hexholm.rules.core.roads import measure
from hexholm.rules.places import HEXES_AT

from .features import DOTS
from .lookahead import carry, choose, copy_room
from .mind import Mind
from .value_network import chance, judge_all_seats
from .worlds import imagine

WORLD: Final = 6
"""The room of the world at hand; a playout uses those from HERE on."""
HERE: Final = 7
STREAM_WORLD, STREAM_ROLL = 100, 101
STRIDE: Final = 23
"""From world to world, in the row of 36 rolls: prime to 36, and few worlds have high and low rolls too."""
MOST: Final = 400
"""Decisions of a playout."""


@kernel
def nature(s: State, key: int, drawn: int, roll: int) -> int:
    """What the key decides; the first roll is given by its number, unless the dice are dealt without repeats."""
    if s.phase == DICE_FALL and roll >= 0 and not s.balanced_dice:
        return dice(roll // 6 + 1, roll % 6 + 1)
    return outcome(s, key, drawn)


@kernel
def next_roll(key: int, k: int) -> int:
    """The number of the roll, 0 to 35, that comes first in world `k`."""
    return (below(36, key, STREAM_ROLL, 0) + STRIDE * k) % 36


@kernel
def who_decides(s: State) -> int:
    """The one seat that acts next; the core's function, expanded once."""
    return seat_to_act(s)


@kernel
def guess_hands(s: State, m: Mind) -> None:
    """What everybody may expect the others to hold, by what they make: in a playout nobody counts cards."""
    for seat in range(s.players):
        for kind in range(5):
            m.mean[seat, kind] = 0.2
        for half in range(2):
            corners = s.settlements[seat] if half == 0 else s.cities[seat]
            cards = s.yield_settlement + 0.0 if half == 0 else s.yield_city + 0.0
            while corners:
                corner = lowest(corners)
                corners &= corners - 1
                for i in range(3):
                    h = HEXES_AT[corner, i]
                    if h >= 0 and s.terrain[h] != DESERT:
                        m.mean[seat, s.terrain[h]] += DOTS[s.number[h]] * cards
        whole = 0.0
        for kind in range(5):
            whole += m.mean[seat, kind]
        for kind in range(5):
            m.mean[seat, kind] *= m.amount[seat] / whole


@kernel
def know(s: State, m: Mind, me: int) -> None:
    """What `me` may know in a world: sizes of hands, and the development cards that nobody has shown."""
    m.unseen = s.deck
    for seat in range(s.players):
        m.amount[seat] = total(s.hand[seat])
        m.held[seat] = total(s.cards[seat])
        if seat != me:
            m.unseen += s.cards[seat]
    held = s.cards[me] - (s.new_cards if s.turn == me else 0)
    if s.phase == MOVE_ROBBER or s.phase == CHOOSE_VICTIM or count(held, KNIGHT) or count(held, MONOPOLY):
        guess_hands(s, m)


@kernel
def after(s: State, w: Work, m: Mind, seat: int, code: int) -> None:
    """Carry out an action and keep the lengths of roads up to date."""
    carry(s, w, seat, code)
    kind = kind_of(code)
    if kind == act.ROAD:
        m.length[seat] = measure(s, w, seat)
    elif kind == act.SETTLEMENT:
        for other in range(s.players):
            if other != seat:
                m.length[other] = measure(s, w, other)


@kernel
def outlook(s: State, m: Mind, net: Any, me: int) -> float:
    """The chance of `me` where a playout ends."""
    if s.phase == OVER:
        return 1.0 if s.winner == me else 0.0
    know(s, m, me)
    judge_all_seats(s, m, net, me)
    return chance(s, m.strength, me)


@kernel
def play_on(rooms: Any, w: Work, m: Mind, net: Any, me: int, key: int, roll: int, until: int) -> float:
    """Play on in room HERE until `me` begins a turn with number `until` or later; its chance there."""
    s = record_in(rooms, HERE, State)
    drawn = 0
    for _ in range(MOST):
        if s.phase == OVER:
            break
        if (CHANCE >> s.phase) & 1:
            code = nature(s, key, drawn, roll)
            drawn += counted(s.phase)
            if s.phase == DICE_FALL:
                roll = -1
            carry(s, w, s.turn + 0, code)
            continue
        if s.turn_number >= until and s.phase > PLACE_ROAD:
            break
        seat = who_decides(s)
        know(s, m, seat)
        code = choose(rooms, HERE, w, m, net, seat)
        m.weighed += m.n
        after(s, w, m, seat, code)
    return outlook(s, m, net, me)


@kernel
def horizon(s: State, me: int, rounds: int) -> int:
    """The number of the turn at whose beginning a playout is judged."""
    if s.phase <= PLACE_ROAD:
        first = (me - s.first) % s.players
        return 1 + first + s.players * (rounds - 1)
    away = (me - s.turn) % s.players
    return s.turn_number + (away if away else s.players) + s.players * (rounds - 1)


@kernel
def luck_of(key: int, k: int) -> int:
    """The key of all chance in world `k`."""
    return plus(times(draw(key, STREAM_WORLD, 2 * k), 1 << 32), draw(key, STREAM_WORLD, 2 * k + 1))


@kernel
def copy_board(m: Mind, d: Mind) -> None:
    """What was learnt about the board is the same in every world."""
    for corner in range(54):
        d.dots[corner] = m.dots[corner]
        for kind in range(5):
            d.made[corner, kind] = m.made[corner, kind]


@entry
def bot_try(
    view: Any, rooms: Any, work: Any, mind: Any, dream: Any, net: Any, box: int, key: int, k: int, rounds: int,
    tried: Any, sums: Any,
) -> None:  # fmt: skip
    """Try actions in world `k`: adds to sums[i] the chance after tried[i], for every action that is not 0.

    Room 0 and `mind` are as :func:`.decision.bot_decide` has left them; `dream.weighed` counts on: what it has cost.
    """
    v = record_at(view, View)
    m = record_at(mind, Mind)
    d = record_at(dream, Mind)
    w = record_at(work, Work)
    imagine(v, rooms, WORLD, key, k, box)
    me = v.observer + 0
    luck = luck_of(key, k)
    until = horizon(record_in(rooms, WORLD, State), me, rounds)
    copy_board(m, d)
    for i in range(len(tried)):
        if tried[i] == 0:
            continue
        copy_room(rooms, WORLD, HERE)
        for seat in range(v.players):
            d.length[seat] = m.length[seat]
        after(record_in(rooms, HERE, State), w, d, me, int(tried[i]))
        sums[i] += play_on(rooms, w, d, net, me, luck, next_roll(key, k), until)
