"""The length of the longest road (LROAD-04, LROAD-05, LROAD-06).

The longest road is the longest trail: every road at most once, corners any number of times. An opponent's building on a
corner interrupts there, so such a corner is cut into one loose end for each road that reaches it.
"""

from __future__ import annotations

from functools import lru_cache

from .geometry import ENDS, SIDES

Link = tuple[str, str]
Memory = tuple[tuple[tuple[str, str, bool], ...], int]  # of sweeping: points in front, odd points behind
WALK_UP_TO = 16  # larger networks (only Zip! has them) are measured by sweeping


@lru_cache(maxsize=20000)
def longest_trail(roads: frozenset[str], cut: frozenset[str]) -> tuple[int, bool]:
    """Length of the longest trail over these roads, interrupted at the cut corners; and whether it has a ring."""
    links = []
    for road in SIDES:
        if road in roads:
            a, b = (f"{end}|{road}" if end in cut else end for end in ENDS[road])
            links.append((a, b))
    best = (0, False)
    for network in _networks(links):
        trail = walk_trails(network) if len(network) <= WALK_UP_TO else (sweep_trails(network), False)
        if trail[0] > best[0]:
            best = trail
    return best


def _networks(links: list[Link]) -> list[list[Link]]:
    """The connected parts."""
    parts: list[list[Link]] = []
    remaining = list(links)
    while remaining:
        part = [remaining.pop(0)]
        points = set(part[0])
        growing = True
        while growing:
            growing = False
            for link in list(remaining):
                if link[0] in points or link[1] in points:
                    points.update(link)
                    part.append(link)
                    remaining.remove(link)
                    growing = True
        parts.append([link for link in links if link in part])
    return parts


def walk_trails(network: list[Link]) -> tuple[int, bool]:
    """Try every trail of a connected network, from every point with an odd number of roads.

    A longest trail uses up all roads at its two ends, or else it could go on; so it starts at an odd point, unless
    there is none, and then the whole network is one round trip.
    Of the odd points a trail can serve two; a road left out serves at most two more. That is the bound.
    """
    at: dict[str, list[int]] = {}
    for i, (a, b) in enumerate(network):
        at.setdefault(a, []).append(i)
        at.setdefault(b, []).append(i)
    odd = [point for point, roads in at.items() if len(roads) % 2]
    bound = len(network) - max(0, len(odd) - 2) // 2
    best = 0
    ring = False

    def walk(point: str, used: set[int], points_seen: list[str]) -> None:
        nonlocal best, ring
        if len(used) > best:
            best, ring = len(used), len(set(points_seen)) < len(points_seen)
        for i in at[point]:
            if i not in used and best < bound:
                a, b = network[i]
                to = b if point == a else a
                walk(to, used | {i}, [*points_seen, to])

    for start in odd or list(at)[:1]:
        walk(start, set(), [start])
    return best, ring


def sweep_trails(network: list[Link]) -> int:
    """The same length for large networks, without walking.

    A set of roads can be walked in one go exactly if it is connected and at most two of its points are odd (Euler).
    Go through the roads in board order, take or leave each, and remember of the choices so far only what matters for
    the rest: for each point that later roads still touch, the group it hangs together with and whether it is odd;
    and how many odd points lie behind. Of equal memories only the one with most roads is kept.
    """
    last = {point: i for i, link in enumerate(network) for point in link}
    memories: dict[Memory, int] = {((), 0): 0}
    best = 0
    for i, link in enumerate(network):
        next_memories: dict[Memory, int] = {}
        for (front, behind), size in memories.items():
            for take_road in (False, True):
                groups = {point: group for point, group, _ in front}
                odd = {point: is_odd for point, _, is_odd in front}
                if take_road:
                    for point in link:
                        groups.setdefault(point, point)
                        odd[point] = not odd.get(point, False)
                    old, new = groups[link[0]], groups[link[1]]
                    groups = {point: new if group == old else group for point, group in groups.items()}
                odd_behind, alone, finished = behind, True, False
                for point in link:
                    if last[point] == i and point in groups:
                        group = groups.pop(point)
                        odd_behind += odd.pop(point)
                        if group not in groups.values():  # nothing can be added to this group any more
                            finished = True
                            alone = alone and not groups
                if odd_behind > 2 or not alone:
                    continue
                if finished:
                    best = max(best, size + take_road)
                    continue
                name = {group: min(p for p in groups if groups[p] == group) for group in set(groups.values())}
                memory = (tuple((p, name[groups[p]], odd[p]) for p in sorted(groups)), odd_behind)
                next_memories[memory] = max(next_memories.get(memory, -1), size + take_road)
        memories = next_memories
    return best
