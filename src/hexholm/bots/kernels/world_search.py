"""A decision by playing on: the best few actions are tried in many worlds, with the same dice for all of them.

In each world everybody plays on by looking one action ahead, with the own eyes of each seat, until the seat that
decides begins a turn some rounds later; there its chance is judged. The chances are averaged over the worlds before
they are compared. The next roll is not left to luck: of 36 worlds in a row each has another of the 36 rolls, so that
the average takes them as often as real dice do. The game's own chance is never touched: worlds and dice come from a key
of the player.
"""

from __future__ import annotations

from typing import Any, Final

from hexholm.rules.compiled import entry, kernel, lowest, struct_at, struct_in, wrapping_plus, wrapping_times
from hexholm.rules.core.draws import draw_below, draw_bits
from hexholm.rules.core.drivers.playout import seat_to_act
from hexholm.rules.core.encoding import actions as act
from hexholm.rules.core.encoding.actions import dice, kind_of
from hexholm.rules.core.encoding.lanes import count, total
from hexholm.rules.core.encoding.structs import DESERT, KNIGHT, MONOPOLY, State, View, Work
from hexholm.rules.core.nature import decide_outcome, moves_counter
from hexholm.rules.core.phases import CHANCE_PHASES, CHOOSE_VICTIM, DICE_FALL, MOVE_ROBBER, OVER, PLACE_ROAD
from hexholm.rules.core.roads import measure_road
from hexholm.rules.places import HEXES_AT

from .features import DOTS
from .lookahead import carry_action, choose_action, copy_state
from .mind import Mind
from .value_network import judge_all_seats, win_chance
from .worlds import draw_world

WORLD: Final = 6
"""The copy for the world at hand; a playout uses those from PLAYOUT_COPY on."""
PLAYOUT_COPY: Final = 7
STREAM_WORLD, STREAM_ROLL = 100, 101
STRIDE: Final = 23
"""From world to world, in the row of 36 rolls: prime to 36, and few worlds have high and low rolls too."""
MOST_DECISIONS: Final = 400
"""Decisions of a playout."""


@kernel
def choose_outcome(s: State, key: int, drawn: int, roll: int) -> int:
    """What the key decides; the first roll is given by its number, unless the dice are dealt without repeats."""
    if s.phase == DICE_FALL and roll >= 0 and not s.balanced_dice:
        return dice(roll // 6 + 1, roll % 6 + 1)
    return decide_outcome(s, key, drawn)


@kernel
def next_roll(key: int, k: int) -> int:
    """The number of the roll, 0 to 35, that comes first in world `k`."""
    return (draw_below(36, key, STREAM_ROLL, 0) + STRIDE * k) % 36


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
def note_hand_sizes(s: State, m: Mind, me: int) -> None:
    """What `me` may know in a world: sizes of hands, and the development cards that nobody has shown."""
    m.unseen = s.deck
    for seat in range(s.players):
        m.amount[seat] = total(s.hand[seat])
        m.held[seat] = total(s.cards[seat])
        if seat != me:
            m.unseen += s.cards[seat]
    held = s.cards[me] - (s.new_cards if s.active == me else 0)
    if s.phase == MOVE_ROBBER or s.phase == CHOOSE_VICTIM or count(held, KNIGHT) or count(held, MONOPOLY):
        guess_hands(s, m)


@kernel
def carry_and_measure(s: State, w: Work, m: Mind, seat: int, code: int) -> None:
    """Carry out an action and keep the lengths of roads up to date."""
    carry_action(s, w, seat, code)
    kind = kind_of(code)
    if kind == act.ROAD:
        m.length[seat] = measure_road(s, w, seat)
    elif kind == act.SETTLEMENT:
        for other in range(s.players):
            if other != seat:
                m.length[other] = measure_road(s, w, other)


@kernel
def judge_end(s: State, m: Mind, net: Any, me: int) -> float:
    """The chance of `me` where a playout ends."""
    if s.phase == OVER:
        return 1.0 if s.winner == me else 0.0
    note_hand_sizes(s, m, me)
    judge_all_seats(s, m, net, me)
    return win_chance(s, m.strength, me)


@kernel
def play_on(copies: Any, w: Work, m: Mind, net: Any, me: int, key: int, roll: int, until: int) -> float:
    """Play on in copy PLAYOUT_COPY until `me` begins a turn with number `until` or later; its chance there."""
    s = struct_in(copies, PLAYOUT_COPY, State)
    drawn = 0
    for _ in range(MOST_DECISIONS):
        if s.phase == OVER:
            break
        if (CHANCE_PHASES >> s.phase) & 1:
            code = choose_outcome(s, key, drawn, roll)
            drawn += moves_counter(s.phase)
            if s.phase == DICE_FALL:
                roll = -1
            carry_action(s, w, s.active + 0, code)
            continue
        if s.turn_number >= until and s.phase > PLACE_ROAD:
            break
        seat = who_decides(s)
        note_hand_sizes(s, m, seat)
        code = choose_action(copies, PLAYOUT_COPY, w, m, net, seat)
        m.weighed += m.n
        carry_and_measure(s, w, m, seat, code)
    return judge_end(s, m, net, me)


@kernel
def last_turn(s: State, me: int, rounds: int) -> int:
    """The number of the turn at whose beginning a playout is judged."""
    if s.phase <= PLACE_ROAD:
        first = (me - s.first) % s.players
        return 1 + first + s.players * (rounds - 1)
    away = (me - s.active) % s.players
    return s.turn_number + (away if away else s.players) + s.players * (rounds - 1)


@kernel
def key_of_world(key: int, k: int) -> int:
    """The key of all chance in world `k`."""
    return wrapping_plus(
        wrapping_times(draw_bits(key, STREAM_WORLD, 2 * k), 1 << 32), draw_bits(key, STREAM_WORLD, 2 * k + 1)
    )


@kernel
def copy_board(m: Mind, d: Mind) -> None:
    """What was learnt about the board is the same in every world."""
    for corner in range(54):
        d.dots[corner] = m.dots[corner]
        for kind in range(5):
            d.made[corner, kind] = m.made[corner, kind]


@entry
def bot_try(
    view: Any, copies: Any, work: Any, mind: Any, world_mind: Any, net: Any, box: int, key: int, k: int, rounds: int,
    tried: Any, sums: Any,
) -> None:  # fmt: skip
    """Try actions in world `k`: adds to sums[i] the chance after tried[i], for every action that is not 0.

    Copy 0 and `mind` are as :func:`.choice.bot_decide` has left them; `world_mind.weighed` counts on: the cost.
    """
    v = struct_at(view, View)
    m = struct_at(mind, Mind)
    d = struct_at(world_mind, Mind)
    w = struct_at(work, Work)
    draw_world(v, copies, WORLD, key, k, box)
    me = v.observer + 0
    luck = key_of_world(key, k)
    until = last_turn(struct_in(copies, WORLD, State), me, rounds)
    copy_board(m, d)
    for i in range(len(tried)):
        if tried[i] == 0:
            continue
        copy_state(copies, WORLD, PLAYOUT_COPY)
        for seat in range(v.players):
            d.length[seat] = m.length[seat]
        carry_and_measure(struct_in(copies, PLAYOUT_COPY, State), w, d, me, int(tried[i]))
        sums[i] += play_on(copies, w, d, net, me, luck, next_roll(key, k), until)
