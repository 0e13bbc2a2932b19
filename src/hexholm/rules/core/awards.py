"""Points, victory and the two awards: WIN-01 to WIN-10, LROAD-01, LROAD-03, LROAD-08 to LROAD-11, ARMY-01, ARMY-02.

What a seat is worth, who has won, and who takes Longest Road or Largest Army from whom. How long a road is stands in
:mod:`.roads`.
"""

from __future__ import annotations

from ..compilation.kernels import inline, kernel, popcount
from ..encoding.lanes import count
from ..encoding.phases import OVER
from ..encoding.structs import KNIGHT, NOBODY, VICTORY_POINT, Scratch, State
from .roads import measure_road

TIE = -2  # several others share the longest road


# --- points and victory --------------------------------------------------------------------------------------


@kernel
def public_points(s: State, seat: int) -> int:
    """Points everybody can see (WIN-04, INFO-04)."""
    points = popcount(s.settlements[seat]) * s.points_settlement + popcount(s.cities[seat]) * s.points_city
    if s.longest_road == seat:
        points += s.points_road
    if s.largest_army == seat:
        points += s.points_army
    return points


@inline
def add_card_points(visible_points: int, cards: int, worth: int) -> int:
    """Points in view with those of so many victory point cards, each of this worth (WIN-04, DEV-25)."""
    return visible_points + cards * worth


@inline
def total_points(s: State, seat: int) -> int:
    """Points with the hidden ones (WIN-05, DEV-05)."""
    return add_card_points(s.points[seat], count(s.development[seat], VICTORY_POINT), s.points_card)


@inline
def examine_victory(s: State) -> None:
    """End the game if the active seat has enough points (WIN-01, WIN-02, WIN-10)."""
    if total_points(s, s.active) >= s.points_to_win:
        s.phase = OVER
        s.winner = s.active
        s.free_roads = 0
        s.free_placed = 0


# --- Longest Road --------------------------------------------------------------------------------------------


@kernel
def reassign_longest_road(s: State, scratch: Scratch) -> None:
    """Who holds the award after a road was cut (LROAD-08 to LROAD-11)."""
    longest = s.longest_road_min - 1
    leader = NOBODY
    holder = s.longest_road
    for seat in range(s.players):
        length = measure_road(s, scratch, seat)
        if length > longest:
            longest = length
            leader = seat
        elif length == longest and leader != NOBODY and leader != holder:
            leader = seat if seat == holder else TIE  # LROAD-08: a tied holder keeps it; LROAD-10: a tie of others
    s.road_record = longest
    award_longest_road(s, NOBODY if leader == TIE else leader)


@kernel
def award_longest_road(s: State, seat: int) -> None:
    """Give the award to `seat`, or set it aside for NOBODY."""
    holder = s.longest_road
    if holder == seat:
        return
    if holder != NOBODY:
        s.points[holder] -= s.points_road
    if seat != NOBODY:
        s.points[seat] += s.points_road
    s.longest_road = seat


# --- Largest Army --------------------------------------------------------------------------------------------


@kernel
def army_record(s: State) -> int:
    """Knights with which somebody else takes Largest Army (ARMY-01, ARMY-02)."""
    if s.largest_army == NOBODY:
        return s.largest_army_min + 0
    return max(s.largest_army_min, count(s.played[s.largest_army], KNIGHT) + 1)


@kernel
def reassign_largest_army(s: State, seat: int) -> None:
    """Largest Army after a knight of `seat` (ARMY-01, ARMY-02)."""
    holder = s.largest_army
    if holder == seat or count(s.played[seat], KNIGHT) < army_record(s):
        return
    if holder != NOBODY:
        s.points[holder] -= s.points_army
    s.largest_army = seat
    s.points[seat] += s.points_army
