"""Who acts: the seats that are asked now, and whose decision is next."""

from __future__ import annotations

from ..compilation.kernels import inline, kernel
from ..encoding.phases import ACTIVE_ACTS, ACTORS, DISCARDING, OWING_ACT, TRADERS_ACT
from ..encoding.structs import OpenOffers, State
from .offers import seats_asked


@kernel
def to_act(s: State, offers: OpenOffers) -> int:
    """Seats that are asked to act now, as bits."""
    actors = ACTORS[s.phase]
    if actors == ACTIVE_ACTS:
        return 1 << s.active
    if actors == TRADERS_ACT:
        return 1 << s.active | seats_asked(s, offers)
    seats = 0
    if actors == OWING_ACT:
        for seat in range(s.players):
            if s.owed[seat]:
                seats |= 1 << seat
    return seats


@kernel
def next_seat(s: State, offers: OpenOffers) -> int:
    """Who decides: those who are asked for an answer or a discard, clockwise from the active one, then that one."""
    waiting_seats = to_act(s, offers)
    for i in range(1, s.players + 1):
        seat = (s.active + i) % s.players
        if (waiting_seats >> seat) & 1:
            return seat
    return s.active + 0


@inline
def next_without_trade(s: State) -> int:
    """Who decides where nobody trades: clockwise, the active one first. Kept runs of simulations hold that order."""
    seat = s.active + 0  # a 64-bit number all the way, or the rules would be compiled once for each width
    if s.phase == DISCARDING:
        while s.owed[seat] == 0:
            seat = seat + 1 if seat + 1 < s.players else 0
    return seat
