"""A decision by looking one action ahead: every legal action is tried on a copy and the position after it judged.

What hangs on chance is weighed by its odds: a card that is bought by the cards nobody has seen, a stolen one by what
the victim may hold. Cards of others that are filled in, in a world that is only imagined, are not looked at.

`copies` are states to try things on, one a row; `row` is the row of the position at hand, and higher rows are free.
"""

from __future__ import annotations

from typing import Any, Final

from hexholm.rules.compilation.kernels import kernel, lowest_set_bit, struct_in
from hexholm.rules.core.awards import total_points
from hexholm.rules.core.development_cards import spend_card
from hexholm.rules.core.legal import nth_action, robber_targets, survey, victims_at
from hexholm.rules.core.production import hex_yield
from hexholm.rules.core.roads import measure_road
from hexholm.rules.core.step import apply_action
from hexholm.rules.core.turn import resume_turn
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.encoding.action_codes import discard_action, kind_of, parameter_of, supply_give_of, supply_rate_of
from hexholm.rules.encoding.lanes import N_KINDS, count, count_cards, covers, single_card
from hexholm.rules.encoding.phases import CHOOSE_VICTIM, DISCARDING, FREE_ROAD, MAIN, MOVE_ROBBER, PLACE_SETTLEMENT
from hexholm.rules.encoding.structs import MONOPOLY, VICTORY_POINT, Scratch, State
from hexholm.rules.places import CORNERS_OF_HEX, N_CORNERS, N_HEXES

from .features import DOTS, rate_for
from .mind import CHOICES, MOST_PLAN_ROADS, POSITION, TRIAL, Mind
from .value_network import (
    evaluate_seats,
    evaluate_trial,
    probability_at_end,
    strength_with,
    study_seat,
    win_probability,
)

DOTS_TOO_FEW: Final = 4
"""A start settlement is not looked at where so many dots are lacking to the best corner."""
PLANS: Final = 14
"""From here on rows belong to plans for a turn; before come those of the own position, then those of a playout."""
COPIES: Final = PLANS + MOST_PLAN_ROADS + 1
"""Rows that a player needs."""


@kernel
def carry_out_action(s: State, scratch: Scratch, seat: int, code: int) -> None:
    """Carry out a legal action. The core expands `apply_action` in place wherever it is called; once is enough here."""
    apply_action(s, scratch, seat, code)


@kernel
def count_actions(s: State, scratch: Scratch, seat: int) -> int:
    """How many actions are legal; as :func:`carry_out_action`, expanded once."""
    return survey(s, scratch, seat)


@kernel
def find_action(s: State, scratch: Scratch, seat: int, i: int) -> int:
    """Legal action number `i`; as :func:`carry_out_action`, expanded once."""
    return nth_action(s, scratch, seat, i)


@kernel
def copy_state(copies: Any, source: int, target: int) -> None:
    """Copy row `source` to row `target`, byte by byte."""
    for i in range(copies.shape[1]):
        copies[target, i] = copies[source, i]


@kernel
def probability_with_cards(s: State, m: Mind, net: Any, cache: int, me: int) -> float:
    """The own chance when only the own cards differ from what `cache` knows."""
    old_hand_size = m.hand_size[me]
    old_card_count = m.card_count[me]
    m.hand_size[me] = count_cards(s.hand[me])
    m.card_count[me] = count_cards(s.development[me])
    for seat in range(s.players):
        m.trial[seat] = m.strength[seat]
    m.trial[me] = strength_with(s, m, net, cache, me, 1, s.hand[me])
    m.hand_size[me] = old_hand_size
    m.card_count[me] = old_card_count
    return win_probability(s, m.trial, me)


@kernel
def probability_after(s: State, scratch: Scratch, m: Mind, net: Any, me: int, roads: int) -> float:
    """The own chance after an action; `roads`: seats whose longest roads may have changed, as bits."""
    old_hand_size = m.hand_size[me]
    old_card_count = m.card_count[me]
    m.hand_size[me] = count_cards(s.hand[me])
    m.card_count[me] = count_cards(s.development[me])
    for seat in range(s.players):
        m.old_length[seat] = m.length[seat]
        if (roads >> seat) & 1:
            m.length[seat] = measure_road(s, scratch, seat)
    evaluate_trial(s, m, net, me)
    for seat in range(s.players):
        m.length[seat] = m.old_length[seat]
    m.hand_size[me] = old_hand_size
    m.card_count[me] = old_card_count
    return win_probability(s, m.trial, me)


@kernel
def gain_of_card(s: State, m: Mind, net: Any, cache: int, me: int, kind: int) -> float:
    """What one more card of a kind adds to the own strength, which `m.trial` holds."""
    m.hand_size[me] += 1
    gain = strength_with(s, m, net, cache, me, 1, s.hand[me] + single_card(kind)) - m.trial[me]
    m.hand_size[me] -= 1
    return float(gain)


@kernel
def weigh_theft(s: State, m: Mind, net: Any, cache: int, me: int, victim: int) -> float:
    """The own chance after stealing from `victim`; `m.trial` holds the strengths before, and is left as it was."""
    if m.hand_size[victim] == 0:
        return win_probability(s, m.trial, me)
    total_weight = 0.0
    gain = 0.0
    for kind in range(N_KINDS):
        weight = m.mean[victim, kind]
        if weight > 0.0:
            total_weight += weight
            gain += weight * gain_of_card(s, m, net, cache, me, kind)
    own_strength = m.trial[me]
    victim_strength = m.trial[victim]
    if total_weight > 0.0:
        m.trial[me] += gain / total_weight
    m.hand_size[victim] -= 1
    m.trial[victim] = strength_with(s, m, net, cache, victim, 0, 0)
    m.hand_size[victim] += 1
    probability = win_probability(s, m.trial, me)
    m.trial[me] = own_strength
    m.trial[victim] = victim_strength
    return probability


@kernel
def weigh_robber(copies: Any, row: int, scratch: Scratch, m: Mind, net: Any, me: int, h: int) -> float:
    """The own chance with the robber at `h` and a card of the best victim."""
    copy_state(copies, row, row + 1)
    s = struct_in(copies, row + 1, State)
    s.robber = h
    resume_turn(s)
    victims = victims_with_cards(s, m, me, h)
    best = probability_after(s, scratch, m, net, me, 0)
    if victims == 0:
        return best
    best = -1.0
    while victims:
        victim = lowest_set_bit(victims)
        victims &= victims - 1
        best = max(best, weigh_theft(s, m, net, TRIAL, me, victim))
    return best


@kernel
def is_worth_robbing(s: State, me: int, h: int) -> bool:
    """Whether somebody else builds there and the seat itself does not, so that it is worth a look."""
    own_buildings = s.settlements[me] | s.cities[me]
    return CORNERS_OF_HEX[h] & s.buildings & ~own_buildings != 0 and CORNERS_OF_HEX[h] & own_buildings == 0


@kernel
def cards_kept_back(s: State, h: int, seat: int) -> int:
    """What the robber at `h` keeps back from a seat: cards by dots."""
    return DOTS[s.number[h]] * hex_yield(s, seat, h)


@kernel
def victims_with_cards(s: State, m: Mind, me: int, h: int) -> int:
    """Seats that have a card to be stolen at `h`, as bits."""
    seats = victims_at(s, me, h)
    for seat in range(s.players):
        if m.hand_size[seat] == 0:
            seats &= ~(1 << seat)
    return seats


@kernel
def is_outdone(s: State, m: Mind, me: int, h: int, other_hex: int) -> bool:
    """Whether the robber is better at `other_hex` than at `h` for everybody to see.

    The victims are the same and make less there, or the seat itself makes more.
    """
    if victims_with_cards(s, m, me, h) != victims_with_cards(s, m, me, other_hex):
        return False
    better = False
    for seat in range(s.players):
        more_kept_back = cards_kept_back(s, other_hex, seat) - cards_kept_back(s, h, seat)
        if seat == me:
            more_kept_back = -more_kept_back
        if more_kept_back < 0:
            return False
        better = better or more_kept_back > 0
    return better


@kernel
def robber_choices(s: State, m: Mind, me: int) -> int:
    """Hexes to which the robber may go, as bits, but for those that are not worth it or outdone by another."""
    legal = robber_targets(s, me)
    promising = 0
    for h in range(N_HEXES):
        if (legal >> h) & 1 and is_worth_robbing(s, me, h):
            promising |= 1 << h
    if promising == 0:
        promising = legal
    choices = promising
    for h in range(N_HEXES):
        if (promising >> h) & 1:
            for other_hex in range(N_HEXES):
                if (promising >> other_hex) & 1 and is_outdone(s, m, me, h, other_hex):
                    choices &= ~(1 << h)
                    break
    return choices


@kernel
def weigh_knight(copies: Any, row: int, scratch: Scratch, m: Mind, net: Any, me: int) -> float:
    """The own chance after a knight and the best move of the robber."""
    copy_state(copies, row, row + 2)
    s = struct_in(copies, row + 2, State)
    carry_out_action(s, scratch, me, act.KNIGHT_CARD)
    if s.winner == me:
        return 1.0
    best = -1.0
    m.card_count[me] -= 1
    evaluate_seats(s, m, net, me)  # all that the card itself changes, once for all hexes
    hexes = robber_choices(s, m, me)
    while hexes:
        best = max(best, weigh_robber(copies, row + 2, scratch, m, net, me, lowest_set_bit(hexes)))
        hexes &= hexes - 1
    m.card_count[me] += 1
    evaluate_seats(struct_in(copies, row, State), m, net, me)
    return best


@kernel
def weigh_buying(copies: Any, row: int, scratch: Scratch, m: Mind, net: Any, me: int) -> float:
    """The own chance after buying a development card, over all that it may be."""
    copy_state(copies, row, row + 1)
    s = struct_in(copies, row + 1, State)
    carry_out_action(s, scratch, me, act.BUY)
    s.phase = MAIN
    cards_before = s.development[me]
    n_unseen = 0
    probability_sum = 0.0
    for kind in range(N_KINDS):
        n = count(m.unseen_cards, kind)
        if n == 0:
            continue
        n_unseen += n
        s.development[me] = cards_before + single_card(kind)
        if total_points(s, me) >= s.points_to_win:
            probability_sum += n
        elif kind == VICTORY_POINT:
            study_seat(s, m, net, TRIAL, me, 1)
            probability_sum += n * probability_with_cards(s, m, net, TRIAL, me)
        else:
            probability_sum += n * probability_with_cards(s, m, net, POSITION, me)
    return probability_sum / n_unseen if n_unseen else win_probability(s, m.strength, me)


@kernel
def weigh_monopoly(copies: Any, row: int, scratch: Scratch, m: Mind, net: Any, me: int, kind: int) -> float:
    """The own chance after a monopoly, by what the others are expected to hold."""
    copy_state(copies, row, row + 1)
    s = struct_in(copies, row + 1, State)
    spend_card(s, me, MONOPOLY)
    s.card_played = 1
    for seat in range(s.players):
        if seat != me:
            n = int(m.mean[seat, kind] + 0.5)
            m.hand_size[seat] -= n
            s.hand[me] += n * single_card(kind)
    probability = probability_after(s, scratch, m, net, me, 0)
    for seat in range(s.players):
        if seat != me:
            m.hand_size[seat] += int(m.mean[seat, kind] + 0.5)
    return probability


@kernel
def weigh_road_building(copies: Any, row: int, scratch: Scratch, m: Mind, net: Any, me: int) -> float:
    """The own chance after two free roads, each where it helps most."""
    copy_state(copies, row, row + 3)
    s = struct_in(copies, row + 3, State)
    carry_out_action(s, scratch, me, act.ROAD_BUILDING_CARD)
    while s.phase == FREE_ROAD:
        n = count_actions(s, scratch, me)
        best = -1.0
        best_code = find_action(s, scratch, me, 0)
        for i in range(n):
            count_actions(s, scratch, me)  # judging has used the same scratch
            code = find_action(s, scratch, me, i)
            if kind_of(code) == act.ROAD:
                probability = weigh_place(copies, row + 3, scratch, m, net, me, code)
                if probability > best:
                    best = probability
                    best_code = code
        carry_out_action(s, scratch, me, best_code)
    end_probability = probability_at_end(s, me)
    return end_probability if end_probability >= 0.0 else probability_after(s, scratch, m, net, me, 1 << me)


@kernel
def weigh_place(copies: Any, row: int, scratch: Scratch, m: Mind, net: Any, me: int, code: int) -> float:
    """The own chance after a building or a road."""
    copy_state(copies, row, row + 1)
    s = struct_in(copies, row + 1, State)
    carry_out_action(s, scratch, me, code)
    end_probability = probability_at_end(s, me)
    if end_probability >= 0.0:
        return end_probability
    roads = 0
    if kind_of(code) == act.ROAD:
        roads = 1 << me
    elif kind_of(code) == act.SETTLEMENT:
        for other_seat in range(s.players):
            if other_seat != me and (s.reach[other_seat] >> parameter_of(code)) & 1:
                roads |= 1 << other_seat
    return probability_after(s, scratch, m, net, me, roads)


@kernel
def weigh_action(copies: Any, row: int, scratch: Scratch, m: Mind, net: Any, me: int, code: int) -> float:
    """The own chance after a legal action; not for discards and trades between players."""
    kind = kind_of(code)
    s = struct_in(copies, row, State)
    if kind == act.ROLL:
        return win_probability(s, m.strength, me)
    if kind == act.SETTLEMENT or kind == act.CITY or kind == act.ROAD:
        return weigh_place(copies, row, scratch, m, net, me, code)
    if kind == act.ROBBER:
        return weigh_robber(copies, row, scratch, m, net, me, parameter_of(code))
    if kind == act.STEAL:
        for seat in range(s.players):
            m.trial[seat] = m.strength[seat]
        return weigh_theft(s, m, net, POSITION, me, parameter_of(code))
    if kind == act.KNIGHT_CARD:
        return weigh_knight(copies, row, scratch, m, net, me)
    if kind == act.BUY:
        return weigh_buying(copies, row, scratch, m, net, me)
    if kind == act.MONOPOLY_CARD:
        return weigh_monopoly(copies, row, scratch, m, net, me, parameter_of(code))
    if kind == act.ROAD_BUILDING_CARD:
        return weigh_road_building(copies, row, scratch, m, net, me)
    copy_state(copies, row, row + 1)
    next_state = struct_in(copies, row + 1, State)
    if kind == act.END:  # the next one may have won with cards that only a playout's world knows, not this seat
        for seat in range(s.players):
            if seat != me:
                next_state.development[seat] = 0
    carry_out_action(next_state, scratch, me, code)
    end_probability = probability_at_end(next_state, me)
    if end_probability >= 0.0:
        return end_probability
    if kind == act.END:
        return probability_after(next_state, scratch, m, net, me, 0)
    return probability_with_cards(next_state, m, net, POSITION, me)  # supply, year of plenty, waive


@kernel
def choose_discard(copies: Any, row: int, m: Mind, net: Any, me: int) -> int:
    """Card by card what the own strength misses least; then other cards instead, as long as that is better."""
    s = struct_in(copies, row, State)
    hand = s.hand[me] - s.discards[me]
    discarded = 0
    old_hand_size = m.hand_size[me]
    study_seat(s, m, net, POSITION, me, 1)
    for _ in range(s.owed[me]):
        best = -1.0e9
        best_kind = 0
        m.hand_size[me] -= 1
        for kind in range(N_KINDS):
            if count(hand, kind):
                strength = strength_with(s, m, net, POSITION, me, 1, hand - single_card(kind))
                if strength > best:
                    best = strength
                    best_kind = kind
        hand -= single_card(best_kind)
        discarded += single_card(best_kind)
    best = strength_with(s, m, net, POSITION, me, 1, hand)
    pair = 0
    # one card more is kept and one of another kind less; after a change all are looked at again
    while pair < N_KINDS * N_KINDS:
        card_kept = single_card(pair // N_KINDS)
        card_given = single_card(pair % N_KINDS)
        pair += 1
        if card_kept == card_given or not covers(discarded, card_kept) or not covers(hand, card_given):
            continue
        strength = strength_with(s, m, net, POSITION, me, 1, hand + card_kept - card_given)
        if strength > best:
            best = strength
            hand += card_kept - card_given
            discarded += card_given - card_kept
            pair = 0
    m.hand_size[me] = old_hand_size
    return discard_action(discarded)


@kernel
def list_choices(s: State, scratch: Scratch, m: Mind, me: int) -> None:
    """Fill `m.code` with the legal actions, as many as fit, but for places that are clearly worse than others.

    The robber goes only where nothing else does more and steals from one who has cards if anybody has, the supply is
    paid by the own best rate, and a start settlement comes not where far less is made than elsewhere.
    """
    n = count_actions(s, scratch, me)
    m.n_choices = 0
    least = 0
    hexes = robber_choices(s, m, me) if s.phase == MOVE_ROBBER else 0
    robbed = victims_with_cards(s, m, me, s.robber) if s.phase == CHOOSE_VICTIM else 0
    if s.phase == PLACE_SETTLEMENT:
        for corner in range(N_CORNERS):
            if (s.sites >> corner) & 1:
                least = max(least, m.dots[corner] + 1 - DOTS_TOO_FEW)
    for i in range(n):
        code = find_action(s, scratch, me, i)
        if kind_of(code) == act.ROBBER and not (hexes >> parameter_of(code)) & 1:
            continue
        if robbed and not (robbed >> parameter_of(code)) & 1:
            continue
        if kind_of(code) == act.SUPPLY and supply_rate_of(code) > rate_for(s, me, supply_give_of(code)):
            continue
        if least and m.dots[parameter_of(code)] < least:
            continue
        if m.n_choices < CHOICES:
            m.code[m.n_choices] = code
            m.n_choices += 1


@kernel
def choose_action(copies: Any, row: int, scratch: Scratch, m: Mind, net: Any, me: int) -> int:
    """The best action of `me` by its judgment, trades between players aside; all are left in `m.code`, `m.value`."""
    s = struct_in(copies, row, State)
    if s.phase == DISCARDING:
        m.n_choices = 1
        m.code[0] = choose_discard(copies, row, m, net, me)
        m.value[0] = 0.0
        return m.code[0]
    list_choices(s, scratch, m, me)
    if m.n_choices == 1:
        m.value[0] = 0.0
        return m.code[0]
    evaluate_seats(s, m, net, me)
    best = -1.0
    best_code = m.code[0]
    for i in range(m.n_choices):
        value = weigh_action(copies, row, scratch, m, net, me, m.code[i])
        m.value[i] = value
        if value > best:
            best = value
            best_code = m.code[i]
    return best_code
