"""The road search of the core against plain search, and derived facts kept up to date against rebuilt ones."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable

import pytest

from hexholm.rules.boards import beginner_layout, layout_for
from hexholm.rules.core.actors import next_without_trade
from hexholm.rules.core.building import put_road, put_settlement
from hexholm.rules.core.derived_fields import refresh_derived
from hexholm.rules.core.legal import nth_action, survey
from hexholm.rules.core.nature import decide_outcome
from hexholm.rules.core.roads import closes_ring, measure_road
from hexholm.rules.core.step import apply_action
from hexholm.rules.encoding.phases import MAIN, OVER, is_chance_phase
from hexholm.rules.encoding.structs import Scratch, State
from hexholm.rules.initial_state import new_state
from hexholm.rules.places import CORNER_NAMES, CORNER_SIDES, HALF, HEX_NEIGHBORS, HEX_SIDES, SIDE_CORNERS, SIDE_NAMES
from hexholm.rules.random_numbers import STREAM_POLICY, draw_below, key_for
from hexholm.rules.setup.editions import EDITIONS
from hexholm.rules.setup.options import check_options
from tests.helpers.marks import all_editions
from tests.twin.engine.roads import longest_trail

Sides = Collection[int]
Corners = Collection[int]
SEEDS = 24


# --- plain search -----------------------------------------------------------------------------------------------------


def brute_length(roads: Sides, blocked: Corners) -> int:
    """The longest trail, by trying every one from every corner; blocked corners can only be its ends."""

    def walk(corner: int, used: frozenset[int]) -> int:
        best = len(used)
        for side in CORNER_SIDES[corner]:
            if side in roads and side not in used:
                far_corner = sum(SIDE_CORNERS[side]) - corner
                best = max(best, len(used) + 1 if far_corner in blocked else walk(far_corner, used | {side}))
        return best

    return max((walk(corner, frozenset()) for side in roads for corner in SIDE_CORNERS[side]), default=0)


def brute_ring(roads: Sides, blocked: Corners) -> bool:
    """Whether some road joins corners that hang together without it. Blocked corners join nothing."""
    ends = [[(corner, side if corner in blocked else -1) for corner in SIDE_CORNERS[side]] for side in roads]
    group = {end: end for pair in ends for end in pair}
    for a, b in ends:
        if group[a] == group[b]:
            return True
        lost_group = group[b]
        group = {end: group[a] if old_group == lost_group else old_group for end, old_group in group.items()}
    return False


def brute_holder(holder: int, lengths: list[int]) -> int:
    """Who holds the award, by LROAD-01, LROAD-03 and LROAD-08 to LROAD-11; -1: nobody."""
    longest = max(lengths)
    leaders = [seat for seat, length in enumerate(lengths) if length == longest]
    if longest < 5:
        return -1
    if holder in leaders:
        return holder
    return leaders[0] if len(leaders) == 1 else -1


# --- networks ---------------------------------------------------------------------------------------------------------


def grown_network(n: int, rng: random.Random, within: Iterable[int] = range(72)) -> set[int]:
    """A connected network of `n` sides, or of as many as there are."""
    allowed = set(within)
    roads = {rng.choice(sorted(allowed))}
    while len(roads) < n:
        edge = {s for road in roads for corner in SIDE_CORNERS[road] for s in CORNER_SIDES[corner]} & allowed - roads
        if not edge:
            break
        roads.add(rng.choice(sorted(edge)))
    return roads


def crowded_network(n: int, rng: random.Random) -> set[int]:
    """A network with many rings: sides of a hex and some of its neighbors."""
    centre = rng.randrange(19)
    hexes = [centre, *rng.sample(HEX_NEIGHBORS[centre], 2)]
    return grown_network(n, rng, {side for h in hexes for side in HEX_SIDES[h]})


def scattered_networks(n: int, rng: random.Random) -> set[int]:
    """Two or three networks side by side."""
    return set().union(*(grown_network(max(1, n // 3), rng) for _ in range(3)))


def network(roads: Sides, blocked: Corners = ()) -> State:
    """A state in which seat 0 has these roads and seat 1 settlements on the blocked corners."""
    s = State()
    s.players, s.longest_road_min, s.longest_road = 4, 5, -1
    for side in roads:
        if side < HALF:
            s.roads_lo[0] |= 1 << side
        else:
            s.roads_hi[0] |= 1 << (side - HALF)
    for corner in blocked:
        s.settlements[1] |= 1 << corner
    refresh_derived(s, Scratch())
    return s


@pytest.mark.parametrize("shape", [grown_network, crowded_network, scattered_networks])
@pytest.mark.parametrize("n", range(1, 16))
def test_measure_finds_the_longest_trail(shape: type, n: int) -> None:
    rng = random.Random(f"{shape.__name__} {n}")
    for _ in range(12):
        roads = shape(n, rng)
        corners = sorted({corner for side in roads for corner in SIDE_CORNERS[side]})
        for blocked in ([], rng.sample(corners, min(len(corners), rng.randint(1, 4)))):
            s = network(roads, blocked)
            described = f"{[SIDE_NAMES[x] for x in roads]} cut at {[CORNER_NAMES[c] for c in blocked]}"
            assert measure_road(s, Scratch(), 0) == brute_length(roads, blocked), described
            assert closes_ring(s, Scratch(), 0) == brute_ring(roads, blocked), described
            assert s.road_record == max(4, brute_length(roads, blocked)), described


def test_plain_search_knows_the_simple_cases() -> None:
    ring = set(HEX_SIDES[9])
    assert (brute_length(ring, []), brute_ring(ring, [])) == (6, True)
    corner = SIDE_CORNERS[HEX_SIDES[9][0]][0]
    assert (brute_length(ring, [corner]), brute_ring(ring, [corner])) == (6, False)
    assert (brute_length(set(CORNER_SIDES[corner]), []), brute_length(set(CORNER_SIDES[corner]), [corner])) == (2, 1)
    assert brute_length(set(), []) == 0


# --- upkeep while pieces are placed -----------------------------------------------------------------------------------


class Island:
    """Four seats that place legal roads and settlements at random, and what plain search says about them."""

    def __init__(self, seed: str, edition: str) -> None:
        self.rng = random.Random(seed)
        options = check_options(edition=edition, setup="variable", first=0, map=2 if edition == "zip" else None)
        self.s, self.scratch = new_state(options, beginner_layout()), Scratch()
        self.roads: list[list[int]] = [[], [], [], []]
        self.buildings: list[set[int]] = [set(), set(), set(), set()]
        self.lengths, self.holder = [0] * 4, -1
        self.changes_seen: set[str] = set()  # kinds of change
        self.s.phase = MAIN

    def blocked(self, seat: int) -> set[int]:
        return set().union(*(own for each_seat, own in enumerate(self.buildings) if each_seat != seat))

    def play(self) -> None:
        for seat in (0, 1, 2, 3, 3, 2, 1, 0):
            self.settle(seat, self.s.sites)
            self.extend(seat)
        for turn in range(72):
            seat = turn % 4
            if self.rng.random() < 0.3:
                self.settle(seat, self.s.reach[seat])
            self.extend(seat)

    def settle(self, seat: int, corners: int) -> None:
        sites = [corner for corner in range(54) if (corners & self.s.sites) >> corner & 1]
        if sites:
            corner = self.rng.choice(sites)
            holder, rings = self.holder, [self.s.rings[each_seat] for each_seat in range(4)]
            put_settlement(self.s, self.scratch, seat, corner)
            self.buildings[seat].add(corner)
            self.check(range(4))
            if holder >= 0 and self.holder != holder:
                self.changes_seen.add("set aside" if self.holder < 0 else "moved by a cut")
            if any(rings[each_seat] and not self.s.rings[each_seat] for each_seat in range(4)):
                self.changes_seen.add("ring opened")

    def extend(self, seat: int) -> None:
        s = self.s
        open_sides = s.paths_lo[seat] | s.paths_hi[seat] << HALF
        paths = [side for side in range(72) if open_sides >> side & 1]
        if paths and len(self.roads[seat]) < 15:
            side, holder = self.rng.choice(paths), self.holder
            put_road(s, self.scratch, seat, side)
            self.roads[seat].append(side)
            self.check([seat])
            if self.holder != holder:
                self.changes_seen.add("taken" if holder < 0 else "overtaken")

    def check(self, seats: Iterable[int]) -> None:
        s = self.s
        for seat in seats:
            self.lengths[seat] = brute_length(self.roads[seat], self.blocked(seat))
            assert s.rings[seat] == brute_ring(self.roads[seat], self.blocked(seat))
        self.holder = brute_holder(self.holder, self.lengths)
        assert s.road_record == max(4, *self.lengths)
        assert s.longest_road == self.holder
        rebuilt = s.copy()
        refresh_derived(rebuilt, Scratch())
        assert rebuilt == s


@pytest.mark.rule("LROAD-03", "LROAD-08", "LROAD-09", "LROAD-10", "LROAD-11", "LROAD-12")
def test_record_rings_and_holder_follow_every_piece() -> None:
    """Every step is checked; over all the islands the award is taken, overtaken, moved and set aside by cuts."""
    changes: set[str] = set()
    for seed in range(SEEDS):
        island = Island(f"pieces {seed}", EDITIONS[seed % len(EDITIONS)])
        island.play()
        changes |= island.changes_seen
    assert changes == {"taken", "overtaken", "set aside", "moved by a cut", "ring opened"}


# --- whole games ------------------------------------------------------------------------------------------------------


@all_editions
@pytest.mark.parametrize("players", [3, 4])
def test_refresh_changes_no_byte_after_any_action(edition: str, players: int) -> None:
    options = check_options(edition=edition, players=players, setup="variable")
    s, scratch, fresh = new_state(options, layout_for(options, players)), Scratch(), Scratch()
    key = key_for(players, f"refresh {edition}")
    k = 0
    while s.phase != OVER and k < 2500:
        if is_chance_phase(s.phase):
            apply_action(s, scratch, s.active, decide_outcome(s, key, k))
        else:
            seat = next_without_trade(s)
            apply_action(
                s,
                scratch,
                seat,
                nth_action(s, scratch, seat, draw_below(survey(s, scratch, seat), key, STREAM_POLICY, k)),
            )
        rebuilt = s.copy()
        refresh_derived(rebuilt, fresh)
        assert rebuilt == s, k
        k += 1
    assert k > 100


# --- more roads than fifteen ------------------------------------------------------------------------------------------


def twin_length(roads: Sides, blocked: Corners = ()) -> int:
    """The same by a sweep over the board, which does not walk."""
    return longest_trail(frozenset(SIDE_NAMES[x] for x in roads), frozenset(CORNER_NAMES[c] for c in blocked))[0]


@pytest.mark.rule("ZIP-09", "LROAD-05")
def test_all_seventy_two_roads_are_measured() -> None:
    """36 corners have three roads; a trail serves two of them, and every road left out two more: 72 - 17."""
    assert sum(len(sides) == 3 for sides in CORNER_SIDES) == 36
    assert network(range(72)).road_record == 55


@pytest.mark.rule("ZIP-09", "LROAD-05")
@pytest.mark.parametrize("n", [20, 30, 40, 50])
def test_large_networks_are_measured(n: int) -> None:
    rng = random.Random(f"large {n}")
    for _ in range(2):
        roads = grown_network(n, rng)
        for blocked in ([], rng.sample(range(54), 3)):
            assert network(roads, blocked).road_record == twin_length(roads, blocked)


@pytest.mark.rule("ZIP-09", "LROAD-05", "LROAD-12")
def test_fifty_roads_laid_one_by_one_are_measured_at_each_step() -> None:
    s, scratch = network([]), Scratch()
    roads: list[int] = []
    rng = random.Random("fifty")
    while len(roads) < 50:
        near = {side for road in roads for corner in SIDE_CORNERS[road] for side in CORNER_SIDES[corner]} - set(roads)
        side = rng.choice(sorted(near or range(72)))
        put_road(s, scratch, 0, side)
        roads.append(side)
        if len(roads) % 5 == 0:
            assert s.road_record == max(4, twin_length(roads))
    assert s.longest_road == 0
