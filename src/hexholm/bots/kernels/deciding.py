"""From a view to a decision: what the compiled players do with what their seat may know."""

from __future__ import annotations

from typing import Any

from hexholm.rules.compiled import entry, kernel, record_at, record_in
from hexholm.rules.core import actions as act
from hexholm.rules.core.actions import kind_of
from hexholm.rules.core.lanes import count
from hexholm.rules.core.layout import OFFERS, SEATS, State, Talk, View, Work
from hexholm.rules.core.phases import MAIN

from .choosing import choose
from .judging import chance, judge_all_seats
from .layout import CHOICES, Mind
from .seeing import learn_board
from .trading import answer, choose_offer, close_deal, mind_manners


@kernel
def recall(v: View, m: Mind, box: int) -> None:
    """Note what the view tells about the seats; `box`: all development cards of the edition (lanes)."""
    heaviest = 0
    for i in range(v.worlds):
        if v.world_weight[i] > v.world_weight[heaviest]:
            heaviest = i
    m.unseen = box - v.cards[v.observer]
    for seat in range(SEATS):
        m.unseen -= v.played[seat]
        m.amount[seat] = v.hand_size[seat]
        m.held[seat] = v.card_count[seat]
        m.length[seat] = v.road_length[seat]
        m.likely[seat] = v.world_hand[heaviest, seat]
        for kind in range(5):
            m.mean[seat, kind] = 0.0
    for i in range(v.worlds):
        for seat in range(v.players):
            for kind in range(5):
                m.mean[seat, kind] += v.world_weight[i] * count(v.world_hand[i, seat], kind)


@kernel
def take_in(view: Any, rooms: Any, v: View, t: Talk, m: Mind) -> None:
    """Copy the seat's own picture of the state into room 0 and the open offers into `t`."""
    for i in range(rooms.shape[1]):
        rooms[0, i] = view[i]
    s = record_in(rooms, 0, State)
    s.deck = m.unseen if v.deck_size else 0  # so that a card can be bought
    for slot in range(OFFERS):
        t.give[slot] = v.offer_give[slot]
        t.want[slot] = v.offer_want[slot]
        t.maker[slot] = v.offer_maker[slot]
        t.to[slot] = v.offer_to[slot]
        t.yes[slot] = v.offer_yes[slot]
        t.no[slot] = v.offer_no[slot]


@kernel
def any_offer(t: Talk) -> bool:
    """Whether an offer is open."""
    for slot in range(OFFERS):
        if t.give[slot]:
            return True
    return False


@kernel
def decide(rooms: Any, t: Talk, w: Work, m: Mind, net: Any, me: int) -> int:
    """What `me` does in the position of room 0: answers, a plain action or an offer."""
    s = record_in(rooms, 0, State)
    if s.phase == MAIN and any_offer(t):
        judge_all_seats(s, m, net, me)
        code = answer(s, t, m, net, me)
        if code == 0 and s.turn == me:
            code = close_deal(s, t, m, net, me)
        if code or s.turn != me:
            m.n = 1
            m.code[0] = code
            m.value[0] = chance(s, m.strength, me)
            return code
    chosen = choose(rooms, 0, w, m, net, me)
    kind = kind_of(chosen)
    if s.phase != MAIN or kind == act.SETTLEMENT or kind == act.CITY or m.n_said < 0:
        return chosen
    if m.n == 1:
        judge_all_seats(s, m, net, me)
    best = chance(s, m.strength, me)
    made = choose_offer(s, t, m, net, me, best)
    return made if made else chosen


@entry
def bot_decide(view: Any, rooms: Any, talk: Any, work: Any, mind: Any, net: Any, box: int) -> int:
    """The decision of the seat whose view it is; what was weighed is left in `mind`."""
    v = record_at(view, View)
    m = record_at(mind, Mind)
    t = record_at(talk, Talk)
    recall(v, m, box)
    take_in(view, rooms, v, t, m)
    s = record_in(rooms, 0, State)
    learn_board(s, m)
    code = decide(rooms, t, record_at(work, Work), m, net, v.observer + 0)
    if m.n == 1:  # there was nothing to weigh
        judge_all_seats(s, m, net, v.observer + 0)
        m.value[0] = chance(s, m.strength, v.observer + 0)
    if kind_of(code) == act.OFFER:
        note_offer(m, code)
    return code


@kernel
def note_offer(m: Mind, code: int) -> None:
    """Put an offer beside the actions that were weighed."""
    if m.n < CHOICES:
        m.code[m.n] = code
        m.value[m.n] = m.worth[0]
        m.n += 1


@entry
def bot_settle(rooms: Any, talk: Any, mind: Any, net: Any, me: int, code: int) -> int:
    """What is done in the end when `code` was chosen; everything is as :func:`bot_decide` has left it."""
    m = record_at(mind, Mind)
    done = mind_manners(record_in(rooms, 0, State), record_at(talk, Talk), m, net, me, code)
    if done != code and kind_of(done) == act.OFFER:
        note_offer(m, done)
    return done
