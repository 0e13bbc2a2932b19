"""A decision by playing on: the best few actions are tried in many worlds, with the same dice for all of them.

In each world everybody plays on by looking one action ahead, with the own eyes of each seat, until the seat that
decides begins a turn some rounds later; there its chance is judged. The chances are averaged over the worlds before
they are compared. The next roll is not left to luck: of 36 worlds in a row each has another of the 36 rolls, so that
the average takes them as often as real dice do. The game's own chance is never touched: worlds and dice come from a key
of the player.
"""

from __future__ import annotations

from typing import Any, Final

from hexholm.rules.compilation.kernels import (
    entry,
    kernel,
    lowest_set_bit,
    struct_at,
    struct_in,
    wrapping_plus,
    wrapping_times,
)
from hexholm.rules.core.actors import next_without_trade
from hexholm.rules.core.legal import old_cards
from hexholm.rules.core.nature import decide_outcome, draws_used
from hexholm.rules.core.roads import measure_road
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.encoding.action_codes import dice_outcome, kind_of
from hexholm.rules.encoding.lanes import N_KINDS, count, count_cards
from hexholm.rules.encoding.phases import CHOOSE_VICTIM, DICE_FALL, MOVE_ROBBER, OVER, PLACE_ROAD, is_chance_phase
from hexholm.rules.encoding.structs import DESERT, KNIGHT, MONOPOLY, Scratch, State, View
from hexholm.rules.places import HEXES_AT, N_CORNERS
from hexholm.rules.random_numbers import draw_below, draw_bits

from .features import DOTS
from .lookahead import carry_out_action, choose_action, copy_state
from .mind import Mind
from .value_network import evaluate_seats, win_probability
from .worlds import draw_world

WORLD_COPY: Final = 6
"""The copy for the world at hand; a playout uses those from PLAYOUT_COPY on."""
PLAYOUT_COPY: Final = 7
STREAM_WORLD, STREAM_ROLL = 100, 101
STRIDE: Final = 23
"""From world to world, in the row of 36 rolls: prime to 36, and few worlds have high and low rolls too."""
MOST_DECISIONS: Final = 400
"""Decisions of a playout."""


@kernel
def choose_outcome(s: State, key: int, draws: int, roll: int) -> int:
    """What the key decides; the first roll is given by its number, unless the dice are dealt without repeats."""
    if s.phase == DICE_FALL and roll >= 0 and not s.balanced_dice:
        return dice_outcome(roll // 6 + 1, roll % 6 + 1)
    return decide_outcome(s, key, draws)


@kernel
def next_roll(key: int, world: int) -> int:
    """The number of the roll, 0 to 35, that comes first in a world."""
    return (draw_below(36, key, STREAM_ROLL, 0) + STRIDE * world) % 36


@kernel
def deciding_seat(s: State) -> int:
    """The one seat that acts next; the core's function, expanded once."""
    return next_without_trade(s)


@kernel
def guess_hands(s: State, m: Mind) -> None:
    """What everybody may expect the others to hold, by what they make: in a playout nobody counts cards."""
    for seat in range(s.players):
        for kind in range(N_KINDS):
            m.mean[seat, kind] = 0.2
        for half in range(2):
            corners = s.settlements[seat] if half == 0 else s.cities[seat]
            cards = s.yield_settlement + 0.0 if half == 0 else s.yield_city + 0.0
            while corners:
                corner = lowest_set_bit(corners)
                corners &= corners - 1
                for i in range(3):
                    h = HEXES_AT[corner, i]
                    if h >= 0 and s.terrain[h] != DESERT:
                        m.mean[seat, s.terrain[h]] += DOTS[s.number[h]] * cards
        weight_sum = 0.0
        for kind in range(N_KINDS):
            weight_sum += m.mean[seat, kind]
        for kind in range(N_KINDS):
            m.mean[seat, kind] *= m.hand_size[seat] / weight_sum


@kernel
def fill_known_cards(s: State, m: Mind, me: int) -> None:
    """What `me` may know in a world: sizes of hands, and the development cards that nobody has shown."""
    m.unseen_cards = s.deck
    for seat in range(s.players):
        m.hand_size[seat] = count_cards(s.hand[seat])
        m.card_count[seat] = count_cards(s.development[seat])
        if seat != me:
            m.unseen_cards += s.development[seat]
    playable_cards = old_cards(s, me) if s.active == me else s.development[me]
    if (
        s.phase == MOVE_ROBBER
        or s.phase == CHOOSE_VICTIM
        or count(playable_cards, KNIGHT)
        or count(playable_cards, MONOPOLY)
    ):
        guess_hands(s, m)


@kernel
def carry_and_measure(s: State, scratch: Scratch, m: Mind, seat: int, code: int) -> None:
    """Carry out an action and keep the lengths of roads up to date."""
    carry_out_action(s, scratch, seat, code)
    kind = kind_of(code)
    if kind == act.ROAD:
        m.length[seat] = measure_road(s, scratch, seat)
    elif kind == act.SETTLEMENT:
        for other_seat in range(s.players):
            if other_seat != seat:
                m.length[other_seat] = measure_road(s, scratch, other_seat)


@kernel
def evaluate_end(s: State, m: Mind, net: Any, me: int) -> float:
    """The chance of `me` where a playout ends."""
    if s.phase == OVER:
        return 1.0 if s.winner == me else 0.0
    fill_known_cards(s, m, me)
    evaluate_seats(s, m, net, me)
    return win_probability(s, m.strength, me)


@kernel
def play_on(copies: Any, scratch: Scratch, m: Mind, net: Any, me: int, key: int, roll: int, turn_limit: int) -> float:
    """Play on in copy PLAYOUT_COPY until `me` begins a turn with number `turn_limit` or later; its chance there."""
    s = struct_in(copies, PLAYOUT_COPY, State)
    draws = 0
    for _ in range(MOST_DECISIONS):
        if s.phase == OVER:
            break
        if is_chance_phase(s.phase):
            code = choose_outcome(s, key, draws, roll)
            draws += draws_used(s.phase)
            if s.phase == DICE_FALL:
                roll = -1
            carry_out_action(s, scratch, s.active + 0, code)
            continue
        if s.turn_number >= turn_limit and s.phase > PLACE_ROAD:
            break
        seat = deciding_seat(s)
        fill_known_cards(s, m, seat)
        code = choose_action(copies, PLAYOUT_COPY, scratch, m, net, seat)
        m.total_weighed += m.n_choices
        carry_and_measure(s, scratch, m, seat, code)
    return evaluate_end(s, m, net, me)


@kernel
def last_turn(s: State, me: int, rounds: int) -> int:
    """The number of the turn at whose beginning a playout is judged."""
    if s.phase <= PLACE_ROAD:
        place_in_order = (me - s.first) % s.players
        return 1 + place_in_order + s.players * (rounds - 1)
    turns_away = (me - s.active) % s.players
    return s.turn_number + (turns_away if turns_away else s.players) + s.players * (rounds - 1)


@kernel
def key_of_world(key: int, world: int) -> int:
    """The key of all chance in a world."""
    return wrapping_plus(
        wrapping_times(draw_bits(key, STREAM_WORLD, 2 * world), 1 << 32), draw_bits(key, STREAM_WORLD, 2 * world + 1)
    )


@kernel
def copy_board(m: Mind, world_m: Mind) -> None:
    """What was learnt about the board is the same in every world."""
    for corner in range(N_CORNERS):
        world_m.dots[corner] = m.dots[corner]
        for kind in range(N_KINDS):
            world_m.dots_by_kind[corner, kind] = m.dots_by_kind[corner, kind]


@entry
def bot_try(
    view: Any, copies: Any, scratch: Any, mind: Any, world_mind: Any, net: Any, deck: int, key: int, world: int,
    rounds: int, codes: Any, sums: Any,
) -> None:  # fmt: skip
    """Try actions in one world: adds to sums[i] the chance after codes[i], for every action that is not 0.

    Copy 0 and `mind` are as :func:`.choice.bot_decide` has left them; `world_mind.total_weighed` counts on: the cost.
    """
    v = struct_at(view, View)
    m = struct_at(mind, Mind)
    world_m = struct_at(world_mind, Mind)
    w = struct_at(scratch, Scratch)
    draw_world(v, copies, WORLD_COPY, key, world, deck)
    me = v.observer + 0
    world_key = key_of_world(key, world)
    turn_limit = last_turn(struct_in(copies, WORLD_COPY, State), me, rounds)
    copy_board(m, world_m)
    for i in range(len(codes)):
        if codes[i] == 0:
            continue
        copy_state(copies, WORLD_COPY, PLAYOUT_COPY)
        for seat in range(v.players):
            world_m.length[seat] = m.length[seat]
        carry_and_measure(struct_in(copies, PLAYOUT_COPY, State), w, world_m, me, int(codes[i]))
        sums[i] += play_on(copies, w, world_m, net, me, world_key, next_roll(key, world), turn_limit)
