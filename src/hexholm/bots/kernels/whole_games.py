"""Whole games among compiled players, in one call: the very decisions of the players, and the core's rules between.

A game is the one that a tournament plays with the same seeds (docs/decisions/0007): the same order of who is asked, the
same views, the same memory of what was said.
"""

from __future__ import annotations

from typing import Any, Final

from hexholm.rules.compiled import entry, kernel, struct_at, struct_in
from hexholm.rules.core.belief import start_belief
from hexholm.rules.core.draws import STREAM_POLICY, draw_below, draw_bits
from hexholm.rules.core.drivers.entry_points import carry_out
from hexholm.rules.core.encoding import actions as act
from hexholm.rules.core.encoding.actions import decline_instead, give_of, offer, parameter_of, to_of, want_of
from hexholm.rules.core.encoding.lanes import count, total
from hexholm.rules.core.encoding.structs import SEATS, Belief, State, Talk, Work
from hexholm.rules.core.nature import decide_outcome, moves_counter
from hexholm.rules.core.offers import judge_all, more_than_one
from hexholm.rules.core.phases import CHANCE_PHASES, OVER
from hexholm.rules.core.roads import measure_road
from hexholm.rules.core.view import next_seat

from .choice import make_choice
from .features import fill_features, note_board
from .lookahead import count_actions, find_action
from .mind import FEATURES, MOST_REFUSED, OWN_OFFERS, Mind
from .trade_offers import revise_choice

NEARLY: Final = 0.04
"""So much less likely to win one may be by something else that is tried now and then."""
STREAM_SAMPLES: Final = 40
TRADER: Final = 8
"""From this bit on, `which` says how a seat trades: PLAIN, SHREWD or DARING."""
TURN, N_SAID, COUNTERED, N_REFUSED, FIRST_SAID = range(5)
"""Where the memory of a seat keeps what: the compiled twin of :class:`..memory.Memory`."""
FIRST_REFUSED: Final = FIRST_SAID + OWN_OFFERS
MEMORY_SIZE: Final = FIRST_REFUSED + MOST_REFUSED
"""Numbers that a seat remembers."""


@kernel
def take_in_state(copies: Any, state: Any, b: Belief, m: Mind, seat: int, box: int) -> None:
    """What :func:`.choice.take_in_view` makes of the seat's view, without making the view: that is large.

    A test holds the games of both ways to be the same.
    """
    for i in range(len(state)):
        copies[0, i] = state[i]
    s = struct_at(state, State)
    mine = struct_in(copies, 0, State)
    heaviest = 0
    for i in range(b.worlds[seat]):
        if b.weight[seat, i] > b.weight[seat, heaviest]:
            heaviest = i
    m.unseen = box - s.cards[seat]
    for other in range(SEATS):
        m.unseen -= s.played[other]
        m.amount[other] = total(s.hand[other])
        m.held[other] = total(s.cards[other])
        m.likely[other] = b.hand[seat, heaviest, other]
        for kind in range(5):
            m.mean[other, kind] = 0.0
        if other != seat:
            mine.hand[other] = 0
            mine.cards[other] = 0
            mine.owed[other] = s.owed[other] + total(s.chosen[other])
            mine.chosen[other] = 0
    for i in range(b.worlds[seat]):
        for other in range(s.players):
            for kind in range(5):
                m.mean[other, kind] += b.weight[seat, i] * count(b.hand[seat, i, other], kind)
    if s.active != seat:
        mine.new_cards = 0
    mine.deck = m.unseen if s.deck else 0


@kernel
def keep_lengths(s: State, w: Work, m: Mind, seat: int, code: int) -> None:
    """Keep the lengths of roads up to date after an action."""
    if code & 31 == act.ROAD:
        m.length[seat] = measure_road(s, w, seat)
    elif code & 31 == act.SETTLEMENT:
        for other in range(s.players):
            m.length[other] = measure_road(s, w, other)


@kernel
def load_memory(m: Mind, memory: Any, seat: int, turn: int) -> None:
    """What `seat` has said, from its row of `memory`; its numbers are named by TURN and its kin."""
    row = memory[seat]
    if row[TURN] != turn:
        row[TURN] = turn
        row[N_SAID] = 0
        row[COUNTERED] = 0
    m.n_said = int(row[N_SAID])
    m.countered = int(row[COUNTERED])
    m.n_refused = int(row[N_REFUSED])
    for i in range(OWN_OFFERS):
        m.said[i] = int(row[FIRST_SAID + i])
    for i in range(m.n_refused):
        m.refused[i] = int(row[FIRST_REFUSED + i])


@kernel
def store_memory(m: Mind, memory: Any, seat: int, turn: int) -> None:
    """The other way round: what the mind holds of what `seat` has said goes into its row of `memory`."""
    row = memory[seat]
    row[TURN] = turn
    row[N_SAID] = m.n_said
    row[COUNTERED] = m.countered
    row[N_REFUSED] = m.n_refused
    for i in range(m.n_said):
        row[FIRST_SAID + i] = m.said[i]
    for i in range(m.n_refused):
        row[FIRST_REFUSED + i] = m.refused[i]


@kernel
def note_said(s: State, t: Talk, memory: Any, seat: int, code: int) -> None:
    """Keep in mind what `seat` says now, before it is carried out."""
    kind = code & 31
    if kind == act.OFFER or kind == act.COUNTER:
        row = memory[seat]
        terms = offer(give_of(code), want_of(code), 0)
        if kind == act.OFFER:
            row[FIRST_SAID + row[N_SAID]] = terms
            row[N_SAID] += 1
        else:
            row[COUNTERED] |= 1 << t.maker[to_of(code)]
        forget_terms(row, terms if row[N_REFUSED] < MOST_REFUSED else row[FIRST_REFUSED])
        row[FIRST_REFUSED + row[N_REFUSED]] = terms
        row[N_REFUSED] += 1
    elif kind == act.CONFIRM or kind == act.ACCEPT:
        slot = parameter_of(code) & 7
        at_once = kind == act.CONFIRM or not more_than_one(t.to[slot])
        if at_once and t.maker[slot] == s.active:  # an offer of the active one is carried out
            forget_terms(memory[s.active], offer(t.give[slot], t.want[slot], 0))


@kernel
def forget_terms(row: Any, terms: int) -> None:
    """Take an offer out of those that came to nothing, if it is among them."""
    kept = 0
    for i in range(row[N_REFUSED]):
        if row[FIRST_REFUSED + i] != terms:
            row[FIRST_REFUSED + kept] = row[FIRST_REFUSED + i]
            kept += 1
    row[N_REFUSED] = kept


@kernel
def vary_choice(m: Mind, chosen: int, heat: int, key: int, k: int) -> int:
    """Now and then something else that is nearly as good: in `heat` of 1000 decisions."""
    if m.n < 2 or draw_below(1000, key, STREAM_POLICY, 2 * k) >= heat:
        return chosen
    best = m.value[0]
    for i in range(1, m.n):
        best = max(best, m.value[i])
    near = 0
    for i in range(m.n):
        if m.value[i] >= best - NEARLY:
            m.order[near] = m.code[i]
            near += 1
    return m.order[draw_below(near, key, STREAM_POLICY, 2 * k + 1)]


@kernel
def keep_position(s: State, m: Mind, me: int, rows: Any, kept: int) -> None:
    """Write the features of all seats, as `me` sees them, into rows[kept] (float32[n, SEATS, FEATURES])."""
    for seat in range(s.players):
        own = 1 if seat == me else 0
        fill_features(s, m, seat, own, s.hand[seat])
        for i in range(FEATURES):
            rows[kept, seat, i] = m.x[i]


@kernel
def note_sizes(s: State, m: Mind) -> None:
    """What the features need to know beside the state."""
    for seat in range(s.players):
        m.amount[seat] = total(s.hand[seat])
        m.held[seat] = total(s.cards[seat])


@entry
def bot_game(
    state: Any, talk: Any, belief: Any, before: Any, work: Any, copies: Any, mind: Any, nets: Any, which: Any,
    memory: Any, steps: Any, rows: Any, eyes: Any, key: int, box: int, cap: int, heat: int, samples: int, counts: Any,
) -> int:  # fmt: skip
    """Play a game to its end; returns the number of steps, which `steps` (int64[n, 2]: seat, code) takes.

    `which[seat]`: the row of `nets` that judges for it, and from bit TRADER on how it trades. `rows`, `eyes`:
    positions for fitting, taken after `samples` of 1000 decisions, and whose eyes they are seen with. `counts`:
    positions kept, decisions, decisions that were not legal.
    """
    s = struct_at(state, State)
    t = struct_at(talk, Talk)
    b = struct_at(belief, Belief)
    w = struct_at(work, Work)
    m = struct_at(mind, Mind)
    start_belief(b, s)
    note_board(s, m)
    for seat in range(s.players):
        m.length[seat] = measure_road(s, w, seat)
    n = 0
    drawn = 0
    decisions = 0
    kept = 0
    faults = 0
    while s.phase != OVER and s.turn_number <= cap and n < len(steps):
        if (CHANCE_PHASES >> s.phase) & 1:
            code = decide_outcome(s, key, drawn)
            drawn += moves_counter(s.phase)
            seat = s.active + 0
            steps[n, 0] = -1
        else:
            seat = next_seat(s, t)
            m.trader = which[seat] >> TRADER
            net = nets[which[seat] & (1 << TRADER) - 1]
            code = ask_player(state, copies, t, b, w, m, memory, net, seat, box)
            if heat:
                code = vary_choice(m, code, heat, key, decisions)
            done = make_legal(s, t, w, memory, seat, code)
            faults += done != code and code & 31 != act.ACCEPT and code & 31 != act.CONFIRM
            code = done
            decisions += 1
            steps[n, 0] = seat
        steps[n, 1] = code
        n += 1
        carry_out(state, before, t, b, w, seat, code)
        keep_lengths(s, w, m, seat, code)
        if samples and kept < len(rows) and not (CHANCE_PHASES >> s.phase) & 1 and s.phase != OVER:
            if draw_below(1000, key, STREAM_SAMPLES, n) < samples:
                eye = (
                    seat
                    if draw_bits(key, STREAM_SAMPLES + 1, n) & 1
                    else draw_below(s.players, key, STREAM_SAMPLES + 2, n)
                )
                note_sizes(s, m)
                keep_position(s, m, eye, rows, kept)
                eyes[kept] = eye
                kept += 1
    counts[0] = kept
    counts[1] = decisions
    counts[2] = faults
    return n


@kernel
def ask_player(
    state: Any, copies: Any, t: Talk, b: Belief, w: Work, m: Mind, memory: Any, net: Any, seat: int, box: int
) -> int:
    """What `seat` wants to do, with its own eyes, its memory and its manners."""
    take_in_state(copies, state, b, m, seat, box)
    load_memory(m, memory, seat, struct_at(state, State).turn_number)
    code = make_choice(copies, t, w, m, net, seat)
    return revise_choice(struct_in(copies, 0, State), t, m, net, seat, code)


@kernel
def make_legal(s: State, t: Talk, w: Work, memory: Any, seat: int, code: int) -> int:
    """What `seat` does when it wants to do `code`; it keeps in mind what it says."""
    if judge_all(s, t, seat, code) != 0:
        code = choose_substitute(s, w, seat, code)
    note_said(s, t, memory, seat, code)
    return code


@kernel
def forget_talk(talk: Any, memory: Any) -> None:
    """No offer is open, and nobody has said anything."""
    for i in range(len(talk)):
        talk[i] = 0
    for seat in range(memory.shape[0]):
        for i in range(memory.shape[1]):
            memory[seat, i] = 0
        memory[seat, TURN] = -1


@kernel
def choose_substitute(s: State, w: Work, seat: int, code: int) -> int:
    """What is done when an action turns out not to be legal: a partner has given the cards away, or a fault."""
    other = decline_instead(code)
    if other != act.NOTHING:
        return other
    count_actions(s, w, seat)
    return find_action(s, w, seat, 0)
