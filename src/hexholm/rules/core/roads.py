"""Roads: where they connect, and the longest road (LROAD-04 to LROAD-06).

The length is that of the longest trail: every segment at most once, intersections any number of times, no passage
through an opponent's building. Only a new road can make a longer trail, and it must be part of it: most roads need one
walk from their loose end. Where roads close rings, the network is shrunk to its forks and ends with chains of roads
between them, and searched with a bound: a trail of maximal length starts and ends at a fork or end, and every other
fork with three chains leaves one of them out.
"""

from __future__ import annotations

from ..compilation.kernels import inline, kernel, lowest_set_bit, popcount
from ..encoding.structs import PieceFields, Scratch, State
from ..places import BOTH_ENDS, CORNERS_OF_SIDE, HALF, SIDES_AT, SIDES_HI, SIDES_LO


@kernel
def is_road_built(s: State, side: int) -> bool:
    """Whether anybody has a road on `side`."""
    if side < HALF:
        lo = s.roads_lo[0] | s.roads_lo[1] | s.roads_lo[2] | s.roads_lo[3]
        return (lo >> side) & 1 != 0
    hi = s.roads_hi[0] | s.roads_hi[1] | s.roads_hi[2] | s.roads_hi[3]
    return (hi >> (side - HALF)) & 1 != 0


@kernel
def road_count(s: PieceFields, seat: int) -> int:
    """Roads of `seat` on the board."""
    return popcount(s.roads_lo[seat]) + popcount(s.roads_hi[seat])


@kernel
def blocked_for(s: State, seat: int) -> int:
    """Corners with a building of somebody else: no road of `seat` leads through (ROAD-04)."""
    return s.buildings & ~(s.settlements[seat] | s.cities[seat])


@kernel
def open_paths(s: State, seat: int) -> None:
    """Recompute the free sides that connect to a piece of `seat` (ROAD-03, ROAD-04)."""
    corners = (s.reach[seat] | s.settlements[seat] | s.cities[seat]) & ~blocked_for(s, seat)
    lo = 0
    hi = 0
    while corners:
        corner = lowest_set_bit(corners)
        corners &= corners - 1
        lo |= SIDES_LO[corner]
        hi |= SIDES_HI[corner]
    s.paths_lo[seat] = lo & ~(s.roads_lo[0] | s.roads_lo[1] | s.roads_lo[2] | s.roads_lo[3])
    s.paths_hi[seat] = hi & ~(s.roads_hi[0] | s.roads_hi[1] | s.roads_hi[2] | s.roads_hi[3])


@kernel
def depth_from(s: State, seat: int, corner: int, via: int) -> int:
    """Longest way from `corner` that does not start with `stack_chain`, in a network without rings."""
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
        front_lo = 0
        front_hi = 0
        ends = front
        while ends:
            end = lowest_set_bit(ends)
            ends &= ends - 1
            front_lo |= SIDES_LO[end]
            front_hi |= SIDES_HI[end]
        front_lo &= lo
        front_hi &= hi
        if front_lo | front_hi == 0:
            break
        lo &= ~front_lo
        hi &= ~front_hi
        depth += 1
        front = corners_of(front_lo, front_hi) & ~front & ~blocked
    return depth


@kernel
def mark_component(s: State, scratch: Scratch, seat: int, side: int) -> int:
    """Mark in `scratch.component_lo/hi` the roads connected with `side`; returns segments - corners + 1 (0: no ring).

    A corner with an opponent's building separates: each segment that ends there has an end of its own.
    """
    blocked = blocked_for(s, seat)
    lo = 0
    hi = 0
    if side < HALF:
        lo = 1 << side
    else:
        hi = 1 << (side - HALF)
    seen_corners = 0
    loose_ends = popcount(BOTH_ENDS[side] & blocked)
    edges = 1
    todo = BOTH_ENDS[side] & ~blocked
    while todo:
        corner = lowest_set_bit(todo)
        todo &= todo - 1
        seen_corners |= 1 << corner
        new_lo = SIDES_LO[corner] & s.roads_lo[seat] & ~lo
        new_hi = SIDES_HI[corner] & s.roads_hi[seat] & ~hi
        lo |= new_lo
        hi |= new_hi
        while new_lo or new_hi:
            if new_lo:
                next_side = lowest_set_bit(new_lo)
                new_lo &= new_lo - 1
            else:
                next_side = lowest_set_bit(new_hi) + HALF
                new_hi &= new_hi - 1
            edges += 1
            far_end = BOTH_ENDS[next_side] & ~(1 << corner)
            if far_end & blocked:
                loose_ends += 1
            else:
                todo |= far_end & ~seen_corners
    scratch.component_lo = lo
    scratch.component_hi = hi
    return edges - popcount(seen_corners) - loose_ends + 1


@kernel
def corner_degree(lo: int, hi: int, corner: int) -> int:
    """Segments of the set (lo, hi) at `corner`."""
    return popcount(SIDES_LO[corner] & lo) + popcount(SIDES_HI[corner] & hi)


@kernel
def corners_of(lo: int, hi: int) -> int:
    """Corners at the ends of a set of sides."""
    corners = 0
    while lo:
        corners |= BOTH_ENDS[lowest_set_bit(lo)]
        lo &= lo - 1
    while hi:
        corners |= BOTH_ENDS[lowest_set_bit(hi) + HALF]
        hi &= hi - 1
    return corners


@kernel
def longest_trail_in(s: State, scratch: Scratch, seat: int, best: int) -> int:
    """Longest trail in the component marked in `scratch.component_lo/hi`, if longer than `best`; else `best`."""
    bound = popcount(scratch.component_lo) + popcount(scratch.component_hi)
    if bound <= best:
        return best
    nodes = contract_component(scratch, blocked_for(s, seat))
    if nodes == 0:
        return bound  # a closed ring, or a single chain
    ends = 0
    for node in range(nodes):
        ends += scratch.node_ends[node] & 1
    if ends > 2:
        bound -= (ends - 2) // 2  # of the forks and ends that are neither start nor goal, two share a chain left out
    for node in range(nodes):
        if best >= bound:
            break
        best = search_trail_from(scratch, node, best)
    return best


@kernel
def contract_component(scratch: Scratch, blocked: int) -> int:
    """Shrink the marked component to its forks and ends, with chains of roads between; returns how many there are.

    Every segment that ends at an opponent's building has an end of its own there.
    """
    lo = scratch.component_lo
    hi = scratch.component_hi
    nodes = 0
    corners = corners_of(lo, hi)
    remaining = corners & ~blocked
    while remaining:
        corner = lowest_set_bit(remaining)
        remaining &= remaining - 1
        scratch.node_of[corner] = -1
        if corner_degree(lo, hi, corner) != 2:
            scratch.node_of[corner] = nodes
            scratch.node_ends[nodes] = 0
            nodes += 1
    forks = nodes
    chains = 0
    todo_lo = lo
    todo_hi = hi
    remaining = corners & ~blocked
    while remaining:
        corner = lowest_set_bit(remaining)
        remaining &= remaining - 1
        if scratch.node_of[corner] < 0:
            continue
        for i in range(3):
            side = SIDES_AT[corner, i]
            if side < 0 or not has_side(todo_lo, todo_hi, side):
                continue
            length = 0
            end = corner
            while side >= 0:
                length += 1
                if side < HALF:
                    todo_lo &= ~(1 << side)
                else:
                    todo_hi &= ~(1 << (side - HALF))
                end = CORNERS_OF_SIDE[side, 0] + CORNERS_OF_SIDE[side, 1] - end
                side = -1
                if not (blocked >> end) & 1 and scratch.node_of[end] < 0:
                    for k in range(3):
                        next_side = SIDES_AT[end, k]
                        if next_side >= 0 and has_side(todo_lo, todo_hi, next_side):
                            side = next_side
            if (blocked >> end) & 1:
                goal = nodes
                scratch.node_ends[nodes] = 0
                nodes += 1
            else:
                goal = scratch.node_of[end]
            start = scratch.node_of[corner]
            scratch.chain_sum[chains] = start + goal
            scratch.chain_length[chains] = length
            scratch.chain_used[chains] = 0
            scratch.node_chain[start, scratch.node_ends[start]] = chains
            scratch.node_ends[start] += 1
            scratch.node_chain[goal, scratch.node_ends[goal]] = chains
            scratch.node_ends[goal] += 1
            chains += 1
    scratch.marks = 0
    for node in range(nodes):
        scratch.node_mark[node] = 0
    return nodes if forks else 0


@inline
def has_side(lo: int, hi: int, side: int) -> bool:
    """Whether a side is in the set (lo, hi)."""
    if side < HALF:
        return (lo >> side) & 1 != 0
    return (hi >> (side - HALF)) & 1 != 0


@kernel
def bound_length(scratch: Scratch, start: int) -> int:
    """At most this many segments can be walked from `start` over the chains that are left.

    Only what is connected counts. Every fork with an odd number of chains left, except the start and one goal, leaves
    one of them out, at least its shortest; a chain left out serves two forks.
    """
    scratch.marks += 1
    scratch.node_mark[start] = scratch.marks
    scratch.queue[0] = start
    queue_length = 1
    double_length = 0
    left_out = 0
    most_left_out = 0
    start_left_out = 0
    i = 0
    while i < queue_length:
        node = scratch.queue[i]
        i += 1
        n = 0
        shortest = 127
        for k in range(scratch.node_ends[node]):
            chain = scratch.node_chain[node, k]
            if scratch.chain_used[chain]:
                continue
            n += 1
            double_length += scratch.chain_length[chain]
            shortest = min(shortest, scratch.chain_length[chain])
            neighbor = scratch.chain_sum[chain] - node
            if scratch.node_mark[neighbor] != scratch.marks:
                scratch.node_mark[neighbor] = scratch.marks
                scratch.queue[queue_length] = neighbor
                queue_length += 1
        if node == start:
            start_left_out = 0 if n & 1 else shortest
        elif n & 1:
            left_out += shortest
            most_left_out = max(most_left_out, shortest)
    if most_left_out > start_left_out:
        left_out -= most_left_out - start_left_out
    return (double_length - left_out) // 2


@kernel
def search_trail_from(scratch: Scratch, start: int, best: int) -> int:
    """Longest trail from a fork or end, if longer than `best`; else `best`."""
    top = 0
    length = 0
    scratch.stack_node[0] = start
    scratch.stack_branch[0] = 0
    while top >= 0:
        node = scratch.stack_node[top]
        branch = scratch.stack_branch[top]
        if branch == 0 and length + bound_length(scratch, node) <= best:
            branch = scratch.node_ends[node]
        if branch >= scratch.node_ends[node]:
            if top > 0:
                chain = scratch.stack_chain[top]
                scratch.chain_used[chain] = 0
                length -= scratch.chain_length[chain]
            top -= 1
            continue
        scratch.stack_branch[top] = branch + 1
        chain = scratch.node_chain[node, branch]
        if scratch.chain_used[chain]:
            continue
        scratch.chain_used[chain] = 1
        length += scratch.chain_length[chain]
        best = max(best, length)
        top += 1
        scratch.stack_node[top] = scratch.chain_sum[chain] - node
        scratch.stack_chain[top] = chain
        scratch.stack_branch[top] = 0
    return best


@kernel
def measure_road_through(s: State, scratch: Scratch, seat: int, side: int, old_reach: int) -> int:
    """Longest road of `seat` through the new road on `side`, 0 if it cannot exceed `s.road_record`.

    `old_reach`: the corners its roads touched before. A road with a fresh end closes no ring, so one walk is enough.
    """
    a = CORNERS_OF_SIDE[side, 0]
    b = CORNERS_OF_SIDE[side, 1]
    fresh = (old_reach >> a) & 1 == 0 or (old_reach >> b) & 1 == 0
    if not fresh and s.rings[seat] == 0 and mark_component(s, scratch, seat, side):
        s.rings[seat] = 1
    if road_count(s, seat) <= s.road_record:
        return 0
    if s.rings[seat]:
        mark_component(s, scratch, seat, side)
        return longest_trail_in(s, scratch, seat, s.road_record)
    if fresh:
        return 1 + depth_from(s, seat, b if (old_reach >> b) & 1 else a, side)
    return 1 + depth_from(s, seat, a, side) + depth_from(s, seat, b, side)


@kernel
def measure_road(s: State, scratch: Scratch, seat: int) -> int:
    """Longest road of `seat`, from nothing."""
    best = 0
    lo = s.roads_lo[seat]
    hi = s.roads_hi[seat]
    while lo or hi:
        side = lowest_set_bit(lo) if lo else lowest_set_bit(hi) + HALF
        mark_component(s, scratch, seat, side)
        lo &= ~scratch.component_lo
        hi &= ~scratch.component_hi
        best = longest_trail_in(s, scratch, seat, best)
    return best


@kernel
def closes_ring(s: State, scratch: Scratch, seat: int) -> bool:
    """Whether the roads of `seat` close a ring somewhere."""
    lo = s.roads_lo[seat]
    hi = s.roads_hi[seat]
    while lo or hi:
        side = lowest_set_bit(lo) if lo else lowest_set_bit(hi) + HALF
        if mark_component(s, scratch, seat, side):
            return True
        lo &= ~scratch.component_lo
        hi &= ~scratch.component_hi
    return False
