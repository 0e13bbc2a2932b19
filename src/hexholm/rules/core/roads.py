"""Roads: where they connect, and the longest road (LROAD-04 to LROAD-06).

The length is that of the longest trail: every segment at most once, intersections any number of times, no passage
through an opponent's building. A trail of maximal length ends where nothing is left to walk, so both its ends have
an odd number of segments (a component without odd corners is one closed ring and counts in full). In a network
without rings the answer is two depth-first walks from the new segment; with rings it is a search with a bound: of
the segments that are left, every two odd corners cost one.
"""

from __future__ import annotations

from ..compiled import kernel, lowest, popcount
from ..places import BOTH_ENDS, ENDS, HALF, SIDES_AT, SIDES_HI, SIDES_LO
from .layout import State, Work


@kernel
def has_road(s: State, seat: int, side: int) -> bool:
    """Whether `seat` has a road on `side`."""
    if side < HALF:
        return (s.roads_lo[seat] >> side) & 1 != 0
    return (s.roads_hi[seat] >> (side - HALF)) & 1 != 0


@kernel
def any_road(s: State, side: int) -> bool:
    """Whether anybody has a road on `side`."""
    if side < HALF:
        lo = s.roads_lo[0] | s.roads_lo[1] | s.roads_lo[2] | s.roads_lo[3]
        return (lo >> side) & 1 != 0
    hi = s.roads_hi[0] | s.roads_hi[1] | s.roads_hi[2] | s.roads_hi[3]
    return (hi >> (side - HALF)) & 1 != 0


@kernel
def road_count(s: State, seat: int) -> int:
    """Roads of `seat` on the board."""
    return popcount(s.roads_lo[seat]) + popcount(s.roads_hi[seat])


@kernel
def blocked_for(s: State, seat: int) -> int:
    """Corners with a building of somebody else: no road of `seat` leads through (ROAD-04)."""
    return s.built & ~(s.settlements[seat] | s.cities[seat])


@kernel
def open_paths(s: State, seat: int) -> None:
    """Recompute the free sides that connect to a piece of `seat` (ROAD-03, ROAD-04)."""
    corners = (s.reach[seat] | s.settlements[seat] | s.cities[seat]) & ~blocked_for(s, seat)
    lo = 0
    hi = 0
    while corners:
        corner = lowest(corners)
        corners &= corners - 1
        lo |= SIDES_LO[corner]
        hi |= SIDES_HI[corner]
    s.paths_lo[seat] = lo & ~(s.roads_lo[0] | s.roads_lo[1] | s.roads_lo[2] | s.roads_lo[3])
    s.paths_hi[seat] = hi & ~(s.roads_hi[0] | s.roads_hi[1] | s.roads_hi[2] | s.roads_hi[3])


@kernel
def depth_from(s: State, seat: int, corner: int, via: int) -> int:
    """Longest way from `corner` that does not start with `via`, in a network without rings."""
    blocked = blocked_for(s, seat)
    lo = s.roads_lo[seat]
    hi = s.roads_hi[seat]
    if via < HALF:
        lo &= ~(1 << via)
    else:
        hi &= ~(1 << (via - HALF))
    depth = 0
    front = 1 << corner & ~blocked
    while front:
        here_lo = 0
        here_hi = 0
        ends = front
        while ends:
            at = lowest(ends)
            ends &= ends - 1
            here_lo |= SIDES_LO[at]
            here_hi |= SIDES_HI[at]
        here_lo &= lo
        here_hi &= hi
        if here_lo | here_hi == 0:
            break
        lo &= ~here_lo
        hi &= ~here_hi
        depth += 1
        front = corners_of(here_lo, here_hi) & ~front & ~blocked
    return depth


@kernel
def component(s: State, w: Work, seat: int, side: int) -> int:
    """Mark in `w.used_lo/hi` the roads connected with `side`; returns segments - corners + 1 (0: no ring).

    A corner with an opponent's building separates: each segment that ends there has an end of its own.
    """
    blocked = blocked_for(s, seat)
    lo = 0
    hi = 0
    if side < HALF:
        lo = 1 << side
    else:
        hi = 1 << (side - HALF)
    seen = 0
    loose = popcount(BOTH_ENDS[side] & blocked)
    edges = 1
    todo = BOTH_ENDS[side] & ~blocked
    while todo:
        corner = lowest(todo)
        todo &= todo - 1
        seen |= 1 << corner
        new_lo = SIDES_LO[corner] & s.roads_lo[seat] & ~lo
        new_hi = SIDES_HI[corner] & s.roads_hi[seat] & ~hi
        lo |= new_lo
        hi |= new_hi
        while new_lo or new_hi:
            if new_lo:
                next_side = lowest(new_lo)
                new_lo &= new_lo - 1
            else:
                next_side = lowest(new_hi) + HALF
                new_hi &= new_hi - 1
            edges += 1
            far = BOTH_ENDS[next_side] & ~(1 << corner)
            if far & blocked:
                loose += 1
            else:
                todo |= far & ~seen
    w.used_lo = lo
    w.used_hi = hi
    return edges - popcount(seen) - loose + 1


@kernel
def degree(lo: int, hi: int, corner: int) -> int:
    """Segments of the set (lo, hi) at `corner`."""
    return popcount(SIDES_LO[corner] & lo) + popcount(SIDES_HI[corner] & hi)


@kernel
def corners_of(lo: int, hi: int) -> int:
    """Corners at the ends of a set of sides."""
    corners = 0
    while lo:
        corners |= BOTH_ENDS[lowest(lo)]
        lo &= lo - 1
    while hi:
        corners |= BOTH_ENDS[lowest(hi) + HALF]
        hi &= hi - 1
    return corners


@kernel
def bound(lo: int, hi: int, start: int, blocked: int) -> int:
    """At most this many of the segments (lo, hi) can be walked in one trail from `start`.

    Only what is connected with `start` counts. Except for `start` and one other end, every odd corner leaves out a
    segment.
    A blocked corner is the end of each of its segments, so each of them is an odd corner of its own.
    """
    seen = 0
    odd = 0
    edges = 0
    todo = 1 << start
    while todo:
        corner = lowest(todo)
        todo &= todo - 1
        seen |= 1 << corner
        here_lo = SIDES_LO[corner] & lo
        here_hi = SIDES_HI[corner] & hi
        n = popcount(here_lo) + popcount(here_hi)
        edges += n
        if corner != start:
            odd += n & 1
        elif not n & 1:
            odd += 1  # a walk from an even corner ends there too or leaves a segment
        while here_lo or here_hi:
            if here_lo:
                side = lowest(here_lo)
                here_lo &= here_lo - 1
            else:
                side = lowest(here_hi) + HALF
                here_hi &= here_hi - 1
            far = BOTH_ENDS[side] & ~(1 << corner)
            if far & blocked:
                odd += 1
                edges += 1
            else:
                todo |= far & ~seen
    return edges // 2 - odd // 2


@kernel
def search_from(w: Work, lo: int, hi: int, start: int, blocked: int, best: int) -> int:
    """Longest trail from `start` over the segments (lo, hi), if longer than `best`; else `best`."""
    top = 0
    w.at[0] = start
    w.next[0] = 0
    while top >= 0:
        here = w.at[top]
        step = w.next[top]
        if step == 0 and top + bound(lo, hi, here, blocked) <= best:
            step = 3
        if step == 3:
            if top > 0:
                side = w.via[top]
                if side < HALF:
                    lo |= 1 << side
                else:
                    hi |= 1 << (side - HALF)
            top -= 1
            continue
        w.next[top] = step + 1
        side = SIDES_AT[here, step]
        if side < 0:
            continue
        if side < HALF:
            if not (lo >> side) & 1:
                continue
            lo &= ~(1 << side)
        else:
            if not (hi >> (side - HALF)) & 1:
                continue
            hi &= ~(1 << (side - HALF))
        there = ENDS[side, 0] + ENDS[side, 1] - here
        top += 1
        if top > best:
            best = top
        w.at[top] = there
        w.via[top] = side
        w.next[top] = 3 if (blocked >> there) & 1 else 0
    return best


@kernel
def longest_in(s: State, w: Work, seat: int, best: int) -> int:
    """Longest trail in the component marked in `w.used_lo/hi`, if longer than `best`; else `best`."""
    lo = w.used_lo
    hi = w.used_hi
    blocked = blocked_for(s, seat)
    corners = corners_of(lo, hi)
    odd = 0
    left = corners
    while left:
        corner = lowest(left)
        left &= left - 1
        if (blocked >> corner) & 1 or degree(lo, hi, corner) & 1:
            odd |= 1 << corner
    if odd == 0:
        return max(best, popcount(lo) + popcount(hi))  # a closed ring
    while odd:
        start = lowest(odd)
        odd &= odd - 1
        if (blocked >> start) & 1:
            best = search_ends(w, lo, hi, start, blocked, best)
        else:
            best = search_from(w, lo, hi, start, blocked, best)
    return best


@kernel
def search_ends(w: Work, lo: int, hi: int, start: int, blocked: int, best: int) -> int:
    """Like :func:`search_from` from a blocked corner: each of its segments is a start of its own."""
    for i in range(3):
        side = SIDES_AT[start, i]
        if side < 0:
            continue
        rest_lo = lo
        rest_hi = hi
        if side < HALF:
            if not (lo >> side) & 1:
                continue
            rest_lo &= ~(1 << side)
        else:
            if not (hi >> (side - HALF)) & 1:
                continue
            rest_hi &= ~(1 << (side - HALF))
        there = ENDS[side, 0] + ENDS[side, 1] - start
        if (blocked >> there) & 1:
            best = max(best, 1)
        else:
            best = max(best, 1 + search_from(w, rest_lo, rest_hi, there, blocked, max(best - 1, 0)))
    return best


@kernel
def measure_with(s: State, w: Work, seat: int, side: int, reached: int) -> int:
    """Longest road of `seat` through the new road on `side`, 0 if it cannot exceed `s.road_record`.

    `reached`: the corners its roads touched before. A road with a fresh end closes no ring, so one walk is enough.
    """
    a = ENDS[side, 0]
    b = ENDS[side, 1]
    fresh = (reached >> a) & 1 == 0 or (reached >> b) & 1 == 0
    if not fresh and s.rings[seat] == 0 and component(s, w, seat, side):
        s.rings[seat] = 1
    if road_count(s, seat) <= s.road_record:
        return 0
    if s.rings[seat]:
        component(s, w, seat, side)
        return longest_in(s, w, seat, s.road_record)
    if fresh:
        return 1 + depth_from(s, seat, b if (reached >> b) & 1 else a, side)
    return 1 + depth_from(s, seat, a, side) + depth_from(s, seat, b, side)


@kernel
def measure(s: State, w: Work, seat: int) -> int:
    """Longest road of `seat`, from nothing."""
    best = 0
    lo = s.roads_lo[seat]
    hi = s.roads_hi[seat]
    while lo or hi:
        side = lowest(lo) if lo else lowest(hi) + HALF
        component(s, w, seat, side)
        lo &= ~w.used_lo
        hi &= ~w.used_hi
        best = longest_in(s, w, seat, best)
    return best


@kernel
def closes_ring(s: State, w: Work, seat: int) -> bool:
    """Whether the roads of `seat` close a ring somewhere."""
    lo = s.roads_lo[seat]
    hi = s.roads_hi[seat]
    while lo or hi:
        side = lowest(lo) if lo else lowest(hi) + HALF
        if component(s, w, seat, side):
            return True
        lo &= ~w.used_lo
        hi &= ~w.used_hi
    return False
