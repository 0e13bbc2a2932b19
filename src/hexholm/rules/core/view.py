"""The one place that decides what a seat may know (INFO-01 to INFO-09).

`fill_view` turns a copy of the state into what an observer sees; `hide_from` strikes out what is hidden from it, here
and in the pictures that players think with. Nothing that is hidden is read for anything that is kept: the test is
non-interference.
"""

from __future__ import annotations

from ..compilation.kernels import inline, kernel
from ..encoding.lanes import count, count_cards
from ..encoding.phases import DISCARDING, OVER
from ..encoding.structs import (
    CARD_HANDS,
    OFFERS,
    SEATS,
    VICTORY_POINT,
    WORLDS,
    Belief,
    OpenOffers,
    Scratch,
    Sight,
    State,
    View,
)
from .actors import to_act
from .awards import total_points
from .limit_tiles import tiles_of, track_of
from .roads import measure_road


@inline
def hide_from(picture: State, s: State, observer: int) -> None:
    """Strike out of `picture`, a copy of `s`, what `observer` (a seat, or SEATS) may not know (INFO-01 to INFO-09)."""
    for seat in range(SEATS):
        if seat != observer:
            picture.hand[seat] = 0
            picture.development[seat] = 0
            # as long as not all are in, nobody seems to have chosen
            picture.owed[seat] = s.owed[seat] + count_cards(s.discards[seat])
            picture.discards[seat] = 0
    if s.active != observer:
        picture.new_cards = 0
    picture.deck = 0


@kernel
def fill_view(v: View, s: State, offers: OpenOffers, b: Belief, scratch: Scratch, observer: int) -> None:
    """Make `v`, whose first bytes are a copy of `s`, the view of `observer` (a seat, or SEATS for the public)."""
    fill_sight(v, s, offers, scratch, observer)
    copy_belief(v, b, observer)


@kernel
def fill_sight(v: Sight, s: State, offers: OpenOffers, scratch: Scratch, observer: int) -> None:
    """Make `v`, whose first bytes are a copy of `s`, what `observer` sees."""
    v.observer = observer
    for seat in range(SEATS):
        v.hand_size[seat] = count_cards(s.hand[seat])
        v.card_count[seat] = count_cards(s.development[seat])
        v.road_length[seat] = measure_road(s, scratch, seat) if seat < s.players else 0
        v.limit_tile[seat] = tiles_of(s, seat)
        v.track[seat] = track_of(s, seat)
        v.revealed[seat] = count(s.development[seat], VICTORY_POINT) if s.phase == OVER else -1
    v.new_count = count_cards(s.new_cards)
    v.deck_size = count_cards(s.deck)
    hide_from(v, s, observer)
    v.own_points = total_points(s, observer) if observer < SEATS else -1
    v.to_act = to_act(s, offers)
    if s.phase == DISCARDING:
        v.to_act = 0
        for seat in range(s.players):
            if v.owed[seat]:
                v.to_act |= 1 << seat
    for slot in range(OFFERS):
        v.offer_give[slot] = offers.give[slot]
        v.offer_want[slot] = offers.want[slot]
        v.offer_maker[slot] = offers.maker[slot]
        v.offer_to[slot] = offers.to[slot]
        v.offer_yes[slot] = offers.yes[slot]
        v.offer_no[slot] = offers.no[slot]


@kernel
def copy_belief(v: View, b: Belief, observer: int) -> None:
    """The observer's worlds, and the public's knowledge of development cards."""
    v.worlds = b.worlds[observer]
    v.capped = b.capped[observer]
    for i in range(WORLDS):
        used = i < v.worlds
        v.world_weight[i] = b.weight[observer, i] if used else 0.0
        for seat in range(SEATS):
            v.world_hand[i, seat] = b.hand[observer, i, seat] if used else 0
    for seat in range(SEATS):
        v.card_hands[seat] = b.card_hands[seat]
        v.card_capped[seat] = b.card_capped[seat]
        for i in range(CARD_HANDS):
            used = i < b.card_hands[seat]
            v.card_old[seat, i] = b.card_old[seat, i] if used else 0
            v.card_new[seat, i] = b.card_new[seat, i] if used else 0
            v.card_ways[seat, i] = b.card_ways[seat, i] if used else 0.0
