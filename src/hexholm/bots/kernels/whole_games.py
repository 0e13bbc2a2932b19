"""Whole games among compiled players, in one call: the very decisions of the players, and the core's rules between.

A game is the one that a tournament plays with the same seeds (docs/decisions/0007): the same order of who is asked, the
same views, the same memory of what was said.
"""

from __future__ import annotations

from typing import Any, Final

from hexholm.rules.compilation.kernels import entry, kernel, struct_at, struct_in
from hexholm.rules.core.actors import next_seat
from hexholm.rules.core.all_actions import judge_with_offers
from hexholm.rules.core.belief import start_belief
from hexholm.rules.core.entry_points import carry_out
from hexholm.rules.core.nature import decide_outcome, draws_used
from hexholm.rules.core.offers import has_several
from hexholm.rules.core.roads import measure_road
from hexholm.rules.core.view import hide_from
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.encoding.action_codes import decline_instead, give_of, kind_of, offer_action, slot_of, want_of
from hexholm.rules.encoding.lanes import N_KINDS, count, count_cards
from hexholm.rules.encoding.phases import OVER, is_chance_phase
from hexholm.rules.encoding.structs import SEATS, Belief, OpenOffers, Scratch, State
from hexholm.rules.random_numbers import STREAM_POLICY, draw_below, draw_bits

from .choice import make_choice
from .feature_numbers import FEATURES
from .features import fill_dots, fill_features
from .lookahead import count_actions, find_action
from .mind import MOST_FAILED_OFFERS, OWN_OFFERS, Mind
from .trade_offers import revise_choice

NEARLY_AS_GOOD: Final = 0.04
"""So much less likely to win one may be by something else that is tried now and then."""
STREAM_SAMPLES: Final = 40
TRADER_BIT: Final = 8
"""From this bit on, `seat_settings` says how a seat trades: PLAIN, SHREWD or DARING."""
TURN, N_TURN_OFFERS, COUNTERED, N_FAILED_OFFERS, FIRST_TURN_OFFER = range(5)
"""Where the memory of a seat keeps what: the compiled twin of :class:`..memory.Memory`."""
FIRST_FAILED_OFFER: Final = FIRST_TURN_OFFER + OWN_OFFERS
MEMORY_SIZE: Final = FIRST_FAILED_OFFER + MOST_FAILED_OFFERS
"""Numbers that a seat remembers."""


@kernel
def take_in_state(copies: Any, state: Any, b: Belief, m: Mind, seat: int, deck: int) -> None:
    """What :func:`.choice.take_in_view` makes of the seat's view, without making the view: that is large.

    A test holds the games of both ways to be the same.
    """
    for i in range(len(state)):
        copies[0, i] = state[i]
    s = struct_at(state, State)
    picture = struct_in(copies, 0, State)
    heaviest = 0
    for i in range(b.worlds[seat]):
        if b.weight[seat, i] > b.weight[seat, heaviest]:
            heaviest = i
    m.unseen_cards = deck - s.development[seat]
    for other_seat in range(SEATS):
        m.unseen_cards -= s.played[other_seat]
        m.hand_size[other_seat] = count_cards(s.hand[other_seat])
        m.card_count[other_seat] = count_cards(s.development[other_seat])
        m.likely[other_seat] = b.hand[seat, heaviest, other_seat]
        for kind in range(N_KINDS):
            m.mean[other_seat, kind] = 0.0
    for i in range(b.worlds[seat]):
        for other_seat in range(s.players):
            for kind in range(N_KINDS):
                m.mean[other_seat, kind] += b.weight[seat, i] * count(b.hand[seat, i, other_seat], kind)
    hide_from(picture, s, seat)
    picture.deck = m.unseen_cards if s.deck else 0  # so that a card can be bought


@kernel
def update_lengths(s: State, scratch: Scratch, m: Mind, seat: int, code: int) -> None:
    """Keep the lengths of roads up to date after an action."""
    if kind_of(code) == act.ROAD:
        m.length[seat] = measure_road(s, scratch, seat)
    elif kind_of(code) == act.SETTLEMENT:
        for other_seat in range(s.players):
            m.length[other_seat] = measure_road(s, scratch, other_seat)


@kernel
def load_memory(m: Mind, memory: Any, seat: int, turn: int) -> None:
    """What `seat` has said, from its row of `memory`; its numbers are named by TURN and its kin."""
    row = memory[seat]
    if row[TURN] != turn:
        row[TURN] = turn
        row[N_TURN_OFFERS] = 0
        row[COUNTERED] = 0
    m.n_turn_offers = int(row[N_TURN_OFFERS])
    m.countered = int(row[COUNTERED])
    m.n_failed_offers = int(row[N_FAILED_OFFERS])
    for i in range(OWN_OFFERS):
        m.turn_offers[i] = int(row[FIRST_TURN_OFFER + i])
    for i in range(m.n_failed_offers):
        m.failed_offers[i] = int(row[FIRST_FAILED_OFFER + i])


@kernel
def store_memory(m: Mind, memory: Any, seat: int, turn: int) -> None:
    """The other way round: what the mind holds of what `seat` has said goes into its row of `memory`."""
    row = memory[seat]
    row[TURN] = turn
    row[N_TURN_OFFERS] = m.n_turn_offers
    row[COUNTERED] = m.countered
    row[N_FAILED_OFFERS] = m.n_failed_offers
    for i in range(m.n_turn_offers):
        row[FIRST_TURN_OFFER + i] = m.turn_offers[i]
    for i in range(m.n_failed_offers):
        row[FIRST_FAILED_OFFER + i] = m.failed_offers[i]


@kernel
def remember_action(s: State, offers: OpenOffers, memory: Any, seat: int, code: int) -> None:
    """Keep in mind what `seat` says now, before it is carried out."""
    kind = kind_of(code)
    if kind == act.OFFER or kind == act.COUNTER:
        row = memory[seat]
        offer_terms = offer_action(give_of(code), want_of(code), 0)
        if kind == act.OFFER:
            row[FIRST_TURN_OFFER + row[N_TURN_OFFERS]] = offer_terms
            row[N_TURN_OFFERS] += 1
        else:
            row[COUNTERED] |= 1 << offers.maker[slot_of(code)]
        drop_failed_offer(row, offer_terms if row[N_FAILED_OFFERS] < MOST_FAILED_OFFERS else row[FIRST_FAILED_OFFER])
        row[FIRST_FAILED_OFFER + row[N_FAILED_OFFERS]] = offer_terms
        row[N_FAILED_OFFERS] += 1
    elif kind == act.CONFIRM or kind == act.ACCEPT:
        slot = slot_of(code)
        at_once = kind == act.CONFIRM or not has_several(offers.to[slot])
        if at_once and offers.maker[slot] == s.active:  # an offer of the active one is carried out
            drop_failed_offer(memory[s.active], offer_action(offers.give[slot], offers.want[slot], 0))


@kernel
def drop_failed_offer(row: Any, offer_terms: int) -> None:
    """Take an offer out of those that came to nothing, if it is among them."""
    n_kept = 0
    for i in range(row[N_FAILED_OFFERS]):
        if row[FIRST_FAILED_OFFER + i] != offer_terms:
            row[FIRST_FAILED_OFFER + n_kept] = row[FIRST_FAILED_OFFER + i]
            n_kept += 1
    row[N_FAILED_OFFERS] = n_kept


@kernel
def vary_choice(m: Mind, code: int, heat: int, key: int, decision: int) -> int:
    """Now and then something else that is nearly as good: in `heat` of 1000 decisions."""
    if m.n_choices < 2 or draw_below(1000, key, STREAM_POLICY, 2 * decision) >= heat:
        return code
    best = m.value[0]
    for i in range(1, m.n_choices):
        best = max(best, m.value[i])
    n_near = 0
    for i in range(m.n_choices):
        if m.value[i] >= best - NEARLY_AS_GOOD:
            m.candidates[n_near] = m.code[i]
            n_near += 1
    return m.candidates[draw_below(n_near, key, STREAM_POLICY, 2 * decision + 1)]


@kernel
def store_position(s: State, m: Mind, me: int, rows: Any, position: int) -> None:
    """Write the features of all seats, as `me` sees them, into rows[kept] (float32[n, SEATS, FEATURES])."""
    for seat in range(s.players):
        own = 1 if seat == me else 0
        fill_features(s, m, seat, own, s.hand[seat])
        for i in range(FEATURES):
            rows[position, seat, i] = m.x[i]


@kernel
def fill_card_counts(s: State, m: Mind) -> None:
    """What the features need to know beside the state."""
    for seat in range(s.players):
        m.hand_size[seat] = count_cards(s.hand[seat])
        m.card_count[seat] = count_cards(s.development[seat])


@entry
def bot_game(
    state: Any, open_offers: Any, belief: Any, previous: Any, scratch: Any, copies: Any, mind: Any, nets: Any,
    seat_settings: Any, memory: Any, steps: Any, rows: Any, eyes: Any, key: int, deck: int, cap: int, heat: int,
    samples: int, counts: Any,
) -> int:  # fmt: skip
    """Play a game to its end; returns the number of steps, which `steps` (int64[n, 2]: seat, code) takes.

    `seat_settings[seat]`: the row of `nets` that judges for it, and from bit TRADER_BIT on how it trades. `rows`,
    `eyes`: positions for fitting, taken after `samples` of 1000 decisions, and whose eyes they are seen with.
    `counts`: positions kept, decisions, decisions that were not legal.
    """
    s = struct_at(state, State)
    offers = struct_at(open_offers, OpenOffers)
    b = struct_at(belief, Belief)
    w = struct_at(scratch, Scratch)
    m = struct_at(mind, Mind)
    start_belief(b, s)
    fill_dots(s, m)
    for seat in range(s.players):
        m.length[seat] = measure_road(s, w, seat)
    n = 0
    draws = 0
    decisions = 0
    n_positions = 0
    faults = 0
    while s.phase != OVER and s.turn_number <= cap and n < len(steps):
        if is_chance_phase(s.phase):
            code = decide_outcome(s, key, draws)
            draws += draws_used(s.phase)
            seat = s.active + 0
            steps[n, 0] = -1
        else:
            seat = next_seat(s, offers)
            m.trader = seat_settings[seat] >> TRADER_BIT
            net = nets[seat_settings[seat] & (1 << TRADER_BIT) - 1]
            code = ask_player(state, copies, offers, b, w, m, memory, net, seat, deck)
            if heat:
                code = vary_choice(m, code, heat, key, decisions)
            legal_code = make_legal(s, offers, w, memory, seat, code)
            faults += legal_code != code and kind_of(code) != act.ACCEPT and kind_of(code) != act.CONFIRM
            code = legal_code
            decisions += 1
            steps[n, 0] = seat
        steps[n, 1] = code
        n += 1
        carry_out(state, previous, offers, b, w, seat, code)
        update_lengths(s, w, m, seat, code)
        if samples and n_positions < len(rows) and not is_chance_phase(s.phase) and s.phase != OVER:
            if draw_below(1000, key, STREAM_SAMPLES, n) < samples:
                observer = (
                    seat
                    if draw_bits(key, STREAM_SAMPLES + 1, n) & 1
                    else draw_below(s.players, key, STREAM_SAMPLES + 2, n)
                )
                fill_card_counts(s, m)
                store_position(s, m, observer, rows, n_positions)
                eyes[n_positions] = observer
                n_positions += 1
    counts[0] = n_positions
    counts[1] = decisions
    counts[2] = faults
    return n


@kernel
def ask_player(
    state: Any, copies: Any, offers: OpenOffers, b: Belief, scratch: Scratch, m: Mind, memory: Any,
    net: Any, seat: int, deck: int,
) -> int:  # fmt: skip
    """What `seat` wants to do, with its own eyes, its memory and its manners."""
    take_in_state(copies, state, b, m, seat, deck)
    load_memory(m, memory, seat, struct_at(state, State).turn_number)
    code = make_choice(copies, offers, scratch, m, net, seat)
    return revise_choice(struct_in(copies, 0, State), offers, m, net, seat, code)


@kernel
def make_legal(s: State, offers: OpenOffers, scratch: Scratch, memory: Any, seat: int, code: int) -> int:
    """What `seat` does when it wants to do `code`; it keeps in mind what it says."""
    if judge_with_offers(s, offers, seat, code) != 0:
        code = choose_substitute(s, scratch, seat, code)
    remember_action(s, offers, memory, seat, code)
    return code


@kernel
def drop_offers(open_offers: Any, memory: Any) -> None:
    """No offer is open, and nobody has said anything."""
    for i in range(len(open_offers)):
        open_offers[i] = 0
    for seat in range(memory.shape[0]):
        for i in range(memory.shape[1]):
            memory[seat, i] = 0
        memory[seat, TURN] = -1


@kernel
def choose_substitute(s: State, scratch: Scratch, seat: int, code: int) -> int:
    """What is done when an action turns out not to be legal: a partner has given the cards away, or a fault."""
    refusal = decline_instead(code)
    if refusal != act.NOTHING:
        return refusal
    count_actions(s, scratch, seat)
    return find_action(s, scratch, seat, 0)
