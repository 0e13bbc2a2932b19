"""Roads: where they connect, and the longest road (LROAD-04 to LROAD-06).

The length is that of the longest trail: every segment at most once, intersections any number of times, no passage
through an opponent's building. Only a new road can make a longer trail, and it must be part of it: most roads need one
walk from their loose end. Where roads close rings, the network is shrunk to its forks and ends with chains of roads
between them, and searched with a bound: a trail of maximal length starts and ends at a fork or end, and every other
fork with three chains leaves one of them out.
"""

from __future__ import annotations

from ..compiled import inline, kernel, lowest, popcount
from ..places import BOTH_ENDS, CORNERS_OF_SIDE, HALF, SIDES_AT, SIDES_HI, SIDES_LO
from .encoding.structs import State, Work


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
def mark_component(s: State, w: Work, seat: int, side: int) -> int:
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
def longest_in(s: State, w: Work, seat: int, best: int) -> int:
    """Longest trail in the component marked in `w.used_lo/hi`, if longer than `best`; else `best`."""
    most = popcount(w.used_lo) + popcount(w.used_hi)
    if most <= best:
        return best
    nodes = contract_component(w, blocked_for(s, seat))
    if nodes == 0:
        return most  # a closed ring, or a single chain
    ends = 0
    for node in range(nodes):
        ends += w.node_ends[node] & 1
    if ends > 2:
        most -= (ends - 2) // 2  # of the forks and ends that are neither start nor goal, two share a chain left out
    for node in range(nodes):
        if best >= most:
            break
        best = search_trail_from(w, node, best)
    return best


@kernel
def contract_component(w: Work, blocked: int) -> int:
    """Shrink the marked component to its forks and ends, with chains of roads between; returns how many there are.

    Every segment that ends at an opponent's building has an end of its own there.
    """
    lo = w.used_lo
    hi = w.used_hi
    nodes = 0
    corners = corners_of(lo, hi)
    left = corners & ~blocked
    while left:
        corner = lowest(left)
        left &= left - 1
        w.node_of[corner] = -1
        if degree(lo, hi, corner) != 2:
            w.node_of[corner] = nodes
            w.node_ends[nodes] = 0
            nodes += 1
    forks = nodes
    chains = 0
    todo_lo = lo
    todo_hi = hi
    left = corners & ~blocked
    while left:
        corner = lowest(left)
        left &= left - 1
        if w.node_of[corner] < 0:
            continue
        for i in range(3):
            side = SIDES_AT[corner, i]
            if side < 0 or not has_side(todo_lo, todo_hi, side):
                continue
            length = 0
            here = corner
            while side >= 0:
                length += 1
                if side < HALF:
                    todo_lo &= ~(1 << side)
                else:
                    todo_hi &= ~(1 << (side - HALF))
                here = CORNERS_OF_SIDE[side, 0] + CORNERS_OF_SIDE[side, 1] - here
                side = -1
                if not (blocked >> here) & 1 and w.node_of[here] < 0:
                    for k in range(3):
                        further = SIDES_AT[here, k]
                        if further >= 0 and has_side(todo_lo, todo_hi, further):
                            side = further
            if (blocked >> here) & 1:
                goal = nodes
                w.node_ends[nodes] = 0
                nodes += 1
            else:
                goal = w.node_of[here]
            start = w.node_of[corner]
            w.chain_sum[chains] = start + goal
            w.chain_length[chains] = length
            w.chain_used[chains] = 0
            w.node_chain[start, w.node_ends[start]] = chains
            w.node_ends[start] += 1
            w.node_chain[goal, w.node_ends[goal]] = chains
            w.node_ends[goal] += 1
            chains += 1
    w.marks = 0
    for node in range(nodes):
        w.node_mark[node] = 0
    return nodes if forks else 0


@inline
def has_side(lo: int, hi: int, side: int) -> bool:
    """Whether a side is in the set (lo, hi)."""
    if side < HALF:
        return (lo >> side) & 1 != 0
    return (hi >> (side - HALF)) & 1 != 0


@kernel
def bound_length(w: Work, start: int) -> int:
    """At most this many segments can be walked from `start` over the chains that are left.

    Only what is connected counts. Every fork with an odd number of chains left, except the start and one goal, leaves
    one of them out, at least its shortest; a chain left out serves two forks.
    """
    w.marks += 1
    w.node_mark[start] = w.marks
    w.queue[0] = start
    length = 1
    twice = 0
    spared = 0
    largest = 0
    own = 0
    i = 0
    while i < length:
        node = w.queue[i]
        i += 1
        n = 0
        shortest = 127
        for k in range(w.node_ends[node]):
            chain = w.node_chain[node, k]
            if w.chain_used[chain]:
                continue
            n += 1
            twice += w.chain_length[chain]
            shortest = min(shortest, w.chain_length[chain])
            other = w.chain_sum[chain] - node
            if w.node_mark[other] != w.marks:
                w.node_mark[other] = w.marks
                w.queue[length] = other
                length += 1
        if node == start:
            own = 0 if n & 1 else shortest
        elif n & 1:
            spared += shortest
            largest = max(largest, shortest)
    if largest > own:
        spared -= largest - own
    return (twice - spared) // 2


@kernel
def search_trail_from(w: Work, start: int, best: int) -> int:
    """Longest trail from a fork or end, if longer than `best`; else `best`."""
    top = 0
    walked = 0
    w.at[0] = start
    w.next[0] = 0
    while top >= 0:
        here = w.at[top]
        k = w.next[top]
        if k == 0 and walked + bound_length(w, here) <= best:
            k = w.node_ends[here]
        if k >= w.node_ends[here]:
            if top > 0:
                chain = w.via[top]
                w.chain_used[chain] = 0
                walked -= w.chain_length[chain]
            top -= 1
            continue
        w.next[top] = k + 1
        chain = w.node_chain[here, k]
        if w.chain_used[chain]:
            continue
        w.chain_used[chain] = 1
        walked += w.chain_length[chain]
        best = max(best, walked)
        top += 1
        w.at[top] = w.chain_sum[chain] - here
        w.via[top] = chain
        w.next[top] = 0
    return best


@kernel
def measure_road_with(s: State, w: Work, seat: int, side: int, reached: int) -> int:
    """Longest road of `seat` through the new road on `side`, 0 if it cannot exceed `s.road_record`.

    `reached`: the corners its roads touched before. A road with a fresh end closes no ring, so one walk is enough.
    """
    a = CORNERS_OF_SIDE[side, 0]
    b = CORNERS_OF_SIDE[side, 1]
    fresh = (reached >> a) & 1 == 0 or (reached >> b) & 1 == 0
    if not fresh and s.rings[seat] == 0 and mark_component(s, w, seat, side):
        s.rings[seat] = 1
    if road_count(s, seat) <= s.road_record:
        return 0
    if s.rings[seat]:
        mark_component(s, w, seat, side)
        return longest_in(s, w, seat, s.road_record)
    if fresh:
        return 1 + depth_from(s, seat, b if (reached >> b) & 1 else a, side)
    return 1 + depth_from(s, seat, a, side) + depth_from(s, seat, b, side)


@kernel
def measure_road(s: State, w: Work, seat: int) -> int:
    """Longest road of `seat`, from nothing."""
    best = 0
    lo = s.roads_lo[seat]
    hi = s.roads_hi[seat]
    while lo or hi:
        side = lowest(lo) if lo else lowest(hi) + HALF
        mark_component(s, w, seat, side)
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
        if mark_component(s, w, seat, side):
            return True
        lo &= ~w.used_lo
        hi &= ~w.used_hi
    return False
