"""A decision by looking one action ahead: every legal action is tried on a copy and the position after it judged.

What hangs on chance is weighed by its odds: a card that is bought by the cards nobody has seen, a stolen one by what
the victim may hold. Cards of others that are filled in, in a world that is only imagined, are not looked at.

`copies` are states to try things on, one a row; `r` is the row of the position at hand, and higher rows are free.
"""

from __future__ import annotations

from typing import Any, Final

from hexholm.rules.compiled import general, kernel, lowest, struct_in
from hexholm.rules.core.awards import total_points
from hexholm.rules.core.development_cards import spend_card
from hexholm.rules.core.encoding import actions as act
from hexholm.rules.core.encoding.actions import discard, kind_of, parameter_of
from hexholm.rules.core.encoding.lanes import count, covers, lane, total
from hexholm.rules.core.encoding.structs import MONOPOLY, VICTORY_POINT, State, Work
from hexholm.rules.core.legal import nth_action, robber_targets, survey, victims_at
from hexholm.rules.core.phases import (
    CHOOSE_VICTIM,
    DISCARDING,
    FREE_ROAD,
    MAIN,
    MOVE_ROBBER,
    PLACE_SETTLEMENT,
)
from hexholm.rules.core.production import building_yield
from hexholm.rules.core.roads import measure_road
from hexholm.rules.core.step import apply_action
from hexholm.rules.core.turn import resume_turn
from hexholm.rules.places import CORNERS_OF_HEX

from .features import DOTS, rate_for
from .mind import CHOICES, DEEP, HERE, THERE, Mind
from .value_network import final_chance, judge_all_seats, judge_trial, strength_with, study_seat, win_chance

WORSE: Final = 4
"""A start settlement is not looked at where so many dots are lacking to the best corner."""
PLANS: Final = 14
"""From here on rows belong to plans for a turn; before come those of the own position, then those of a playout."""
COPIES: Final = PLANS + DEEP + 1
"""Rows that a player needs."""


@kernel
def carry_action(s: State, w: Work, seat: int, code: int) -> None:
    """Carry out a legal action. The core expands `apply_action` in place wherever it is called; once is enough here."""
    apply_action(s, w, seat, code)


@kernel
def count_actions(s: State, w: Work, seat: int) -> int:
    """How many actions are legal; as :func:`carry_action`, expanded once."""
    return survey(s, w, seat)


@kernel
def find_action(s: State, w: Work, seat: int, i: int) -> int:
    """Legal action number `i`; as :func:`carry_action`, expanded once."""
    return nth_action(s, w, seat, i)


@kernel
def copy_state(copies: Any, source: int, target: int) -> None:
    """Copy row `source` to row `target`, byte by byte."""
    for i in range(copies.shape[1]):
        copies[target, i] = copies[source, i]


@kernel
def own_chance(s: State, m: Mind, net: Any, bank: int, me: int) -> float:
    """The own chance when only the own cards differ from what `bank` knows."""
    size = m.amount[me]
    held = m.held[me]
    m.amount[me] = total(s.hand[me])
    m.held[me] = total(s.cards[me])
    for seat in range(s.players):
        m.trial[seat] = m.strength[seat]
    m.trial[me] = strength_with(s, m, net, bank, me, 1, s.hand[me])
    m.amount[me] = size
    m.held[me] = held
    return win_chance(s, m.trial, me)


@kernel
def whole_chance(s: State, w: Work, m: Mind, net: Any, me: int, roads: int) -> float:
    """The own chance after an action; `roads`: seats whose longest roads may have changed, as bits."""
    size = m.amount[me]
    held = m.held[me]
    m.amount[me] = total(s.hand[me])
    m.held[me] = total(s.cards[me])
    for seat in range(s.players):
        m.old_length[seat] = m.length[seat]
        if (roads >> seat) & 1:
            m.length[seat] = measure_road(s, w, seat)
    judge_trial(s, m, net, me)
    for seat in range(s.players):
        m.length[seat] = m.old_length[seat]
    m.amount[me] = size
    m.held[me] = held
    return win_chance(s, m.trial, me)


@kernel
def gain_of_card(s: State, m: Mind, net: Any, bank: int, me: int, kind: int) -> float:
    """What one more card of a kind adds to the own strength, which `m.trial` holds."""
    m.amount[me] += 1
    gain = strength_with(s, m, net, bank, me, 1, s.hand[me] + lane(kind)) - m.trial[me]
    m.amount[me] -= 1
    return float(gain)


@kernel
def weigh_theft(s: State, m: Mind, net: Any, bank: int, me: int, victim: int) -> float:
    """The own chance after stealing from `victim`; `m.trial` holds the strengths before, and is left as it was."""
    if m.amount[victim] == 0:
        return win_chance(s, m.trial, me)
    whole = 0.0
    gain = 0.0
    for kind in range(5):
        n = m.mean[victim, kind]
        if n > 0.0:
            whole += n
            gain += n * gain_of_card(s, m, net, bank, me, kind)
    mine = m.trial[me]
    theirs = m.trial[victim]
    if whole > 0.0:
        m.trial[me] += gain / whole
    m.amount[victim] -= 1
    m.trial[victim] = strength_with(s, m, net, bank, victim, 0, 0)
    m.amount[victim] += 1
    found = win_chance(s, m.trial, me)
    m.trial[me] = mine
    m.trial[victim] = theirs
    return found


@kernel
def weigh_robber(copies: Any, r: int, w: Work, m: Mind, net: Any, me: int, h: int) -> float:
    """The own chance with the robber at `h` and a card of the best victim."""
    copy_state(copies, r, r + 1)
    s = struct_in(copies, r + 1, State)
    s.robber = h
    resume_turn(s)
    victims = victims_with_cards(s, m, me, h)
    best = whole_chance(s, w, m, net, me, 0)
    if victims == 0:
        return best
    best = -1.0
    while victims:
        victim = lowest(victims)
        victims &= victims - 1
        best = max(best, weigh_theft(s, m, net, THERE, me, victim))
    return best


@kernel
def worth_robbing(s: State, me: int, h: int) -> bool:
    """Whether somebody else builds there and the seat itself does not, so that it is worth a look."""
    mine = s.settlements[me] | s.cities[me]
    return CORNERS_OF_HEX[h] & s.built & ~mine != 0 and CORNERS_OF_HEX[h] & mine == 0


@kernel
def cards_kept_back(s: State, h: int, seat: int) -> int:
    """What the robber at `h` keeps back from a seat: cards by dots."""
    return DOTS[s.number[h]] * building_yield(s, seat, CORNERS_OF_HEX[h])


@kernel
def victims_with_cards(s: State, m: Mind, me: int, h: int) -> int:
    """Seats that have a card to be stolen at `h`, as bits."""
    seats = victims_at(s, me, h)
    for seat in range(s.players):
        if m.amount[seat] == 0:
            seats &= ~(1 << seat)
    return seats


@kernel
def is_outdone(s: State, m: Mind, me: int, h: int, other: int) -> bool:
    """Whether the robber is better at `other` than at `h` for everybody to see: the same victims, who make less there.

    Or the seat itself makes more.
    """
    if victims_with_cards(s, m, me, h) != victims_with_cards(s, m, me, other):
        return False
    better = False
    for seat in range(s.players):
        more = cards_kept_back(s, other, seat) - cards_kept_back(s, h, seat)
        if seat == me:
            more = -more
        if more < 0:
            return False
        better = better or more > 0
    return better


@kernel
def robber_choices(s: State, m: Mind, me: int) -> int:
    """Hexes to which the robber may go, as bits, but for those that are not worth it or outdone by another."""
    legal = robber_targets(s, me)
    worth = 0
    for h in range(19):
        if (legal >> h) & 1 and worth_robbing(s, me, h):
            worth |= 1 << h
    if worth == 0:
        worth = legal
    choices = worth
    for h in range(19):
        if (worth >> h) & 1:
            for other in range(19):
                if (worth >> other) & 1 and is_outdone(s, m, me, h, other):
                    choices &= ~(1 << h)
                    break
    return choices


@kernel
def weigh_knight(copies: Any, r: int, w: Work, m: Mind, net: Any, me: int) -> float:
    """The own chance after a knight and the best move of the robber."""
    copy_state(copies, r, r + 2)
    s = struct_in(copies, r + 2, State)
    carry_action(s, w, me, act.KNIGHT_CARD)
    if s.winner == me:
        return 1.0
    best = -1.0
    m.held[me] -= 1
    judge_all_seats(s, m, net, me)  # all that the card itself changes, once for all hexes
    hexes = robber_choices(s, m, me)
    while hexes:
        best = max(best, weigh_robber(copies, r + 2, w, m, net, me, lowest(hexes)))
        hexes &= hexes - 1
    m.held[me] += 1
    judge_all_seats(struct_in(copies, r, State), m, net, me)
    return best


@kernel
def weigh_buying(copies: Any, r: int, w: Work, m: Mind, net: Any, me: int) -> float:
    """The own chance after buying a development card, over all that it may be."""
    copy_state(copies, r, r + 1)
    s = struct_in(copies, r + 1, State)
    carry_action(s, w, me, act.BUY)
    s.phase = MAIN
    before = s.cards[me]
    whole = 0
    found = 0.0
    for kind in range(5):
        n = count(m.unseen, kind)
        if n == 0:
            continue
        whole += n
        s.cards[me] = before + lane(kind)
        if total_points(s, me) >= s.points_to_win:
            found += n
        elif kind == VICTORY_POINT:
            study_seat(s, m, net, THERE, me, 1)
            found += n * own_chance(s, m, net, THERE, me)
        else:
            found += n * own_chance(s, m, net, HERE, me)
    return found / whole if whole else win_chance(s, m.strength, me)


@kernel
def weigh_monopoly(copies: Any, r: int, w: Work, m: Mind, net: Any, me: int, kind: int) -> float:
    """The own chance after a monopoly, by what the others are expected to hold."""
    copy_state(copies, r, r + 1)
    s = struct_in(copies, r + 1, State)
    spend_card(s, me, MONOPOLY)
    s.card_played = 1
    for seat in range(s.players):
        if seat != me:
            n = int(m.mean[seat, kind] + 0.5)
            m.amount[seat] -= n
            s.hand[me] += n * lane(kind)
    found = whole_chance(s, w, m, net, me, 0)
    for seat in range(s.players):
        if seat != me:
            m.amount[seat] += int(m.mean[seat, kind] + 0.5)
    return found


@kernel
def weigh_road_building(copies: Any, r: int, w: Work, m: Mind, net: Any, me: int) -> float:
    """The own chance after two free roads, each where it helps most."""
    copy_state(copies, r, r + 3)
    s = struct_in(copies, r + 3, State)
    carry_action(s, w, me, act.ROAD_BUILDING_CARD)
    while s.phase == FREE_ROAD:
        n = count_actions(s, w, me)
        best = -1.0
        chosen = find_action(s, w, me, 0)
        for i in range(n):
            count_actions(s, w, me)  # judging has used the same scratch
            code = find_action(s, w, me, i)
            if kind_of(code) == act.ROAD:
                value = weigh_place(copies, r + 3, w, m, net, me, code)
                if value > best:
                    best = value
                    chosen = code
        carry_action(s, w, me, chosen)
    over = final_chance(s, me)
    return over if over >= 0.0 else whole_chance(s, w, m, net, me, 1 << me)


@kernel
def weigh_place(copies: Any, r: int, w: Work, m: Mind, net: Any, me: int, code: int) -> float:
    """The own chance after a building or a road."""
    copy_state(copies, r, r + 1)
    s = struct_in(copies, r + 1, State)
    carry_action(s, w, me, code)
    over = final_chance(s, me)
    if over >= 0.0:
        return over
    roads = 0
    if kind_of(code) == act.ROAD:
        roads = 1 << me
    elif kind_of(code) == act.SETTLEMENT:
        for other in range(s.players):
            if other != me and (s.reach[other] >> parameter_of(code)) & 1:
                roads |= 1 << other
    return whole_chance(s, w, m, net, me, roads)


@general
def weigh_action(copies: Any, r: int, w: Work, m: Mind, net: Any, me: int, code: int) -> float:
    """The own chance after a legal action; not for discards and trades between players."""
    kind = kind_of(code)
    s = struct_in(copies, r, State)
    if kind == act.ROLL:
        return win_chance(s, m.strength, me)
    if kind == act.SETTLEMENT or kind == act.CITY or kind == act.ROAD:
        return weigh_place(copies, r, w, m, net, me, code)
    if kind == act.ROBBER:
        return weigh_robber(copies, r, w, m, net, me, parameter_of(code))
    if kind == act.STEAL:
        for seat in range(s.players):
            m.trial[seat] = m.strength[seat]
        return weigh_theft(s, m, net, HERE, me, parameter_of(code))
    if kind == act.KNIGHT_CARD:
        return weigh_knight(copies, r, w, m, net, me)
    if kind == act.BUY:
        return weigh_buying(copies, r, w, m, net, me)
    if kind == act.MONOPOLY_CARD:
        return weigh_monopoly(copies, r, w, m, net, me, parameter_of(code))
    if kind == act.ROAD_BUILDING_CARD:
        return weigh_road_building(copies, r, w, m, net, me)
    copy_state(copies, r, r + 1)
    t = struct_in(copies, r + 1, State)
    if kind == act.END:  # the next one may have won with cards that only a playout's world knows, not this seat
        for seat in range(s.players):
            if seat != me:
                t.cards[seat] = 0
    carry_action(t, w, me, code)
    over = final_chance(t, me)
    if over >= 0.0:
        return over
    if kind == act.END:
        return whole_chance(t, w, m, net, me, 0)
    return own_chance(t, m, net, HERE, me)  # supply, year of plenty, waive


@kernel
def choose_discard(copies: Any, r: int, m: Mind, net: Any, me: int) -> int:
    """Card by card what the own strength misses least; then other cards instead, as long as that is better."""
    s = struct_in(copies, r, State)
    hand = s.hand[me] - s.chosen[me]
    given = 0
    size = m.amount[me]
    study_seat(s, m, net, HERE, me, 1)
    for _ in range(s.owed[me]):
        best = -1.0e9
        chosen = 0
        m.amount[me] -= 1
        for kind in range(5):
            if count(hand, kind):
                value = strength_with(s, m, net, HERE, me, 1, hand - lane(kind))
                if value > best:
                    best = value
                    chosen = kind
        hand -= lane(chosen)
        given += lane(chosen)
    best = strength_with(s, m, net, HERE, me, 1, hand)
    pair = 0
    while pair < 25:  # one card more is kept and one of another kind less; after a change all are looked at again
        kept = lane(pair // 5)
        less = lane(pair % 5)
        pair += 1
        if kept == less or not covers(given, kept) or not covers(hand, less):
            continue
        value = strength_with(s, m, net, HERE, me, 1, hand + kept - less)
        if value > best:
            best = value
            hand += kept - less
            given += less - kept
            pair = 0
    m.amount[me] = size
    return discard(given)


@kernel
def rate_in(code: int) -> int:
    """How many cards a trade with the supply gives for one."""
    return parameter_of(code) >> 3 & 7


@kernel
def list_choices(s: State, w: Work, m: Mind, me: int) -> None:
    """Fill `m.code` with the legal actions, as many as fit, but for places that are clearly worse than others.

    The robber goes only where nothing else does more and steals from one who has cards if anybody has, the supply is
    paid by the own best rate, and a start settlement comes not where far less is made than elsewhere.
    """
    n = count_actions(s, w, me)
    m.n = 0
    least = 0
    hexes = robber_choices(s, m, me) if s.phase == MOVE_ROBBER else 0
    robbed = victims_with_cards(s, m, me, s.robber) if s.phase == CHOOSE_VICTIM else 0
    if s.phase == PLACE_SETTLEMENT:
        for corner in range(54):
            if (s.sites >> corner) & 1:
                least = max(least, m.dots[corner] + 1 - WORSE)
    for i in range(n):
        code = find_action(s, w, me, i)
        if kind_of(code) == act.ROBBER and not (hexes >> parameter_of(code)) & 1:
            continue
        if robbed and not (robbed >> parameter_of(code)) & 1:
            continue
        if kind_of(code) == act.SUPPLY and rate_in(code) > rate_for(s, me, parameter_of(code) & 7):
            continue
        if least and m.dots[parameter_of(code)] < least:
            continue
        if m.n < CHOICES:
            m.code[m.n] = code
            m.n += 1


@general
def choose_action(copies: Any, r: int, w: Work, m: Mind, net: Any, me: int) -> int:
    """The best action of `me` by its judgement, trades between players aside; all are left in `m.code`, `m.value`."""
    s = struct_in(copies, r, State)
    if s.phase == DISCARDING:
        m.n = 1
        m.code[0] = choose_discard(copies, r, m, net, me)
        m.value[0] = 0.0
        return m.code[0]
    list_choices(s, w, m, me)
    if m.n == 1:
        m.value[0] = 0.0
        return m.code[0]
    judge_all_seats(s, m, net, me)
    best = -1.0
    chosen = m.code[0]
    for i in range(m.n):
        value = weigh_action(copies, r, w, m, net, me, m.code[i])
        m.value[i] = value
        if value > best:
            best = value
            chosen = m.code[i]
    return chosen
