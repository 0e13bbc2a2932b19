"""Quick checks of the twin by itself."""

from __future__ import annotations

import copy
import random
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from .engine import roads
from .engine.boards import LETTERS, beginner, spiral
from .engine.editions import DECK, EDITIONS, RESOURCES
from .engine.game import Twin
from .engine.geometry import (
    CORNERS,
    ENDS,
    HEX_CORNERS,
    HEX_NEIGHBORS,
    HEX_SIDES,
    HEXES,
    HEXES_AT,
    HEXES_BESIDE,
    NEIGHBORS,
    SIDES,
)
from .engine.trade import offer_text
from .scenes import config, random_move


def cards(**counts: int) -> dict[str, int]:
    return {kind: counts.get(kind, 0) for kind in RESOURCES}


def give(twin: Twin, seat: int, **counts: int) -> None:
    """Cards from the supply, in the open."""
    twin.table.move_cards({seat: dict(counts)})


def roll(twin: Twin, a: int = 1, b: int = 1) -> None:
    twin.act(twin.table.turn, "roll")
    twin.deal(f"dice {a} {b}")


# geometry


def test_counts() -> None:  # MAP-01.e1
    assert (len(HEXES), len(CORNERS), len(SIDES)) == (19, 54, 72)
    assert sum(len(h) == 1 for h in HEXES_BESIDE.values()) == 30
    coastal = [c for c in CORNERS if len(HEXES_AT[c]) < 3]
    assert len(coastal) == 30
    assert Counter(len(NEIGHBORS[c]) for c in coastal) == {2: 18, 3: 12}
    assert sum(len(n) for n in HEX_NEIGHBORS.values()) == 2 * 42
    assert CORNERS[:7] == ["A1n", "A1ne", "A1se", "A1s", "A1sw", "A1nw", "A2n"]
    assert SIDES[:7] == ["A1/ne", "A1/e", "A1/se", "A1/sw", "A1/w", "A1/nw", "A2/ne"]


def test_spiral_boards() -> None:  # MAP-15.e1
    for seed in range(20):
        board = spiral(random.Random(seed))
        numbers = {name: pair[1] for name, pair in board["hexes"].items()}
        assert sorted(n for n in numbers.values() if n) == sorted(LETTERS)
        for name, number in numbers.items():
            for neighbor in HEX_NEIGHBORS[name]:
                assert number is None or numbers[neighbor] != number
                assert not {number, numbers[neighbor]} <= {6, 8}
        assert len({c for side, _ in board["harbors"] for c in ENDS[side]}) == 18


def test_beginner_board() -> None:  # SETUP-10, MAP-10.x1
    twin = Twin(config())
    state = twin.state()
    assert state["hands"] == [
        cards(lumber=2, grain=1),
        cards(brick=1, lumber=1, ore=1),
        cards(lumber=1, ore=1, wool=1),
        cards(grain=2, ore=1),
    ]
    assert state["supply"] == cards(brick=18, lumber=15, wool=18, grain=16, ore=16)
    assert state["points"] == [2, 2, 2, 2]
    roll(twin, 4, 6)
    after = twin.state()["hands"]
    assert after[0] == cards(lumber=2, grain=1, ore=1)
    assert after[3] == cards(grain=2, ore=1, brick=1)
    assert after[1:3] == state["hands"][1:3]


def test_three_players_and_zip() -> None:  # SETUP-10.e3, ZIP-02, ZIP-08
    three = Twin(config(players=3, colors=["blue", "white", "orange"]))
    assert three.state()["supply"] == cards(brick=18, lumber=17, wool=18, grain=17, ore=16)
    zipped = Twin(config("zip", first=None))
    assert zipped.state()["phase"] == "start roll"
    for text in ("dice 3 3", "dice 1 5", "dice 2 1", "dice 1 1", "dice 1 1", "dice 1 2"):
        assert zipped.to_act() == []
        zipped.deal(text)
    state = zipped.state()
    assert (state["phase"], state["turn"], state["track"], zipped.events["start_roll_tie"]) == ("roll", 1, [2] * 4, 1)


# longest road


def ring(*names: str) -> set[str]:
    return {side for name in names for side in HEX_SIDES[name].values()}


def length(sides: set[str], *cut: str) -> int:
    return roads.longest_trail(frozenset(sides), frozenset(cut))[0]


def test_lengths() -> None:  # LROAD-04, LROAD-05, LROAD-06
    assert length(ring("C3")) == 6
    assert {length(ring("C3"), corner) for corner in HEX_CORNERS["C3"].values()} == {6}  # LROAD-06.e3
    assert length(ring("C3", "C4")) == 11
    assert length(ring("B2", "B3", "C3")) == 14
    assert length(ring("C3") - set(path(HEX_CORNERS["C3"]["n"], 2, set(SIDES) - ring("C3")))) == 4
    around = HEX_CORNERS["B2"]
    first = HEX_SIDES["A1"]["e"]  # leads away from the ring of B2 at its north corner
    assert around["n"] in ENDS[first]
    loop = ring("B2") | {first, HEX_SIDES["A1"]["ne"]}
    assert length(loop) == 8
    assert [length(loop, around[way]) for way in ("ne", "nw")] == [7, 7]  # LROAD-06.e4
    assert [length(loop, around[way]) for way in ("se", "s", "sw")] == [6, 6, 6]
    coast = {s for s in SIDES if len(HEXES_BESIDE[s]) == 1}
    assert length(coast) == 30  # MAP-04.e2


def every_trail(links: list[tuple[str, str]]) -> int:
    """The longest trail by trying everything, without any thought."""

    def walk(point: str, remaining: list[tuple[str, str]]) -> int:
        best = 0
        for i, (a, b) in enumerate(remaining):
            if point in (a, b):
                best = max(best, 1 + walk(b if point == a else a, remaining[:i] + remaining[i + 1 :]))
        return best

    return max(walk(point, links) for link in links for point in link)


def test_walking_equals_sweeping() -> None:
    rng = random.Random(5)
    for _ in range(150):
        sides = {rng.choice(SIDES)}
        for _ in range(rng.randrange(4, 15)):
            near = [s for s in SIDES if s not in sides and any(set(ENDS[s]) & set(ENDS[o]) for o in sides)]
            sides.add(rng.choice(near))
        touched = sorted({end for side in sides for end in ENDS[side]})
        cut = set(rng.sample(touched, rng.choice([0, 0, 1, 2])))
        links = []
        for side in SIDES:
            if side in sides:
                a, b = (f"{end} {side}" if end in cut else end for end in ENDS[side])
                links.append((a, b))
        expected = every_trail(links)
        assert length(sides, *cut) == expected
        assert roads.sweep_trails(links) == expected


def path(start: str, count: int, avoid: set[str]) -> list[str]:
    """A simple chain of free sides from a corner."""

    def grow(corner: str, seen: list[str], sides: list[str]) -> list[str] | None:
        if len(sides) == count:
            return sides
        for side in SIDES:
            if corner in ENDS[side] and side not in avoid:
                (to,) = [e for e in ENDS[side] if e != corner]
                if to not in seen:
                    chain = grow(to, [*seen, to], [*sides, side])
                    if chain:
                        return chain
        return None

    chain = grow(start, [start], [])
    assert chain is not None
    return chain


def test_award() -> None:  # LROAD-01, LROAD-03, LROAD-08, LROAD-10, LROAD-11
    twin = Twin(config(setup="variable"))
    table = twin.table
    chains = {0: "A1n", 1: "E1s", 2: "C5ne"}
    roads_by_seat: dict[int, list[str]] = {}
    sides_used: set[str] = set()
    for seat, start in chains.items():
        roads_by_seat[seat] = path(start, 7, sides_used)
        sides_used |= {s for o in roads_by_seat[seat] for s in SIDES if set(ENDS[s]) & set(ENDS[o])}
    for side in roads_by_seat[0][:4]:
        table.put_road(0, side)
    assert twin.state()["longest_road"] is None
    table.put_road(0, roads_by_seat[0][4])
    assert twin.state()["longest_road"] == 0
    for side in roads_by_seat[1][:5]:
        table.put_road(1, side)
    assert twin.state()["longest_road"] == 0  # equal: the holder keeps it
    for side in roads_by_seat[0][5:7]:
        table.put_road(0, side)
    assert table.lengths[:2] == [7, 5]
    (cut_at,) = set(ENDS[roads_by_seat[0][4]]) & set(ENDS[roads_by_seat[0][5]])
    table.put_settlement(3, cut_at)
    assert (table.lengths[0], twin.state()["longest_road"], twin.events["road_award_tied_kept"]) == (5, 0, 1)
    for side in roads_by_seat[2][:5]:
        table.put_road(2, side)
    (cut_at,) = set(ENDS[roads_by_seat[0][1]]) & set(ENDS[roads_by_seat[0][2]])
    table.put_settlement(3, cut_at)
    assert (table.lengths[0], twin.state()["longest_road"]) == (3, None)
    assert (twin.events["award_set_aside"], twin.events["award_broken"]) == (1, 1)
    table.put_road(2, roads_by_seat[2][5])
    assert (twin.state()["longest_road"], twin.events["award_returned"]) == (2, 1)


# production and the seven


def test_shortage() -> None:  # PROD-08, PROD-09
    twin = Twin(config())
    give(twin, 3, ore=16)
    roll(twin, 4, 6)  # red alone claims ore
    assert twin.state()["hands"][0] == cards(lumber=2, grain=1)
    assert twin.events["shortage_one_taker"] == 1
    twin = Twin(config())
    give(twin, 3, lumber=14)  # one left; forest 8 and forest 3 at f8.N: only red and blue touch forest 8
    roll(twin, 4, 4)
    assert twin.state()["supply"]["lumber"] == 1
    assert twin.events["shortage_several"] == 1


def test_discards_stay_hidden() -> None:  # SEVEN-02, SEVEN-05
    twin = Twin(config())
    give(twin, 0, brick=5)
    give(twin, 1, wool=8)
    roll(twin, 3, 4)
    assert twin.state()["owed"] == [4, 5, 0, 0]
    assert "discard 4 brick" in twin.legal(0)
    before = twin.view(2)
    twin.act(0, "discard 4 brick")
    assert twin.view(2) == before
    assert twin.view(0)["to_act"] == [1]
    assert twin.view(1)["to_act"] == [0, 1]
    assert twin.why_not(0, "robber A1") == "SEVEN-05"
    assert twin.why_not(1, "discard 4 wool") == "SEVEN-04"
    twin.act(1, "discard 5 wool")
    assert twin.state()["phase"] == "robber"
    assert twin.state()["supply"]["wool"] == 18 - 8 + 5


def test_belief_after_theft() -> None:  # INFO-07
    twin = Twin(config())
    roll(twin, 3, 4)
    twin.act(0, "robber C5")  # m8: only white (lumber, wool, ore)
    assert twin.chance() == {f"stolen {k}": Fraction(1, 3) for k in ("lumber", "wool", "ore")}
    twin.deal("stolen ore")
    assert [len(twin.view(o)["belief"]) for o in (0, 1, 2, 3, None)] == [1, 3, 1, 3, 3]
    assert {weight for weight, _ in twin.view(None)["belief"]} == {Fraction(1, 3)}
    give(twin, 0, ore=2, wool=2, grain=1)
    twin.act(0, offer_text({"ore": 3}, {"wool": 1}, ["blue"]))  # shows three ore
    assert len(twin.view(None)["belief"]) == 1


# trading


def test_offers() -> None:  # TRADE-03, TRADE-10, TRADE-15
    twin = Twin(config())
    assert twin.why_not(0, "offer 1 grain : 1 ore to blue") == "TRADE-01"
    roll(twin)
    assert twin.why_not(1, "offer 1 brick : 1 ore to white") == "TRADE-02"
    assert twin.why_not(0, "offer 1 ore : 1 brick to blue") == "TRADE-14"
    assert twin.why_not(0, "offer 1 grain : 1 grain to blue") == "TRADE-06"
    twin.act(0, "offer 1 grain : 1 ore to blue white")
    assert twin.to_act() == [0, 1, 2]
    twin.act(1, "accept #1")
    assert twin.why_not(1, "accept #1") == "TRADE-15"
    twin.act(2, "counter #1 1 wool : 2 lumber")
    assert twin.state()["offers"][1]["answers"] == {1: "yes", 2: "no"}
    assert twin.to_act() == [0]  # active anyway
    assert {"confirm #1 blue", "withdraw #1", "accept #2", "reject #2"} <= twin.legal(0)
    twin.act(0, "confirm #1 blue")
    assert twin.state()["hands"][:2] == [cards(lumber=2, wool=1, ore=1), cards(brick=1, lumber=1, grain=1)]
    twin.act(0, "accept #2")
    assert twin.state()["hands"][0] == cards(wool=2, ore=1)
    assert twin.state()["offers"] == {}
    for _ in range(8):
        twin.act(1, "offer 1 brick : 1 ore to red")
    assert twin.why_not(1, "offer 1 brick : 1 ore to red") == "TRADE-03"
    give(twin, 1, brick=-1)
    assert "accept #1" in twin.legal(0)
    assert twin.why_not(0, "accept #1") == "TRADE-10"
    assert twin.events["accept_after_cards_gone"] == 1
    twin.act(0, "end")
    assert twin.state()["offers"] == {}


def test_separate_phases() -> None:  # PHASE-05, DEV-08
    twin = Twin(config())
    give(twin, 0, brick=5, ore=1, wool=1, grain=1)
    roll(twin)
    assert "supply 4 brick : 1 ore" in twin.legal(0)
    twin.act(0, "buy")
    assert twin.to_act() == []
    twin.deal("drawn victory-point")
    assert twin.why_not(0, "supply 4 brick : 1 ore") == "PHASE-05"
    assert twin.state()["points"][0] == 2
    assert twin.state()["total"][0] == 3
    assert len(twin.view(1)["card_belief"][0]) == 5
    assert twin.why_not(0, "knight") == "DEV-01"


def test_free_roads() -> None:  # DEV-18
    for edition, waived in (("fifth", None), ("sixth", "DEV-18")):
        twin = Twin(config(edition))
        twin.table.deck["road-building"] -= 1
        twin.table.development[0]["road-building"] += 1
        twin.table.card_belief.note_purchase(0)
        twin.table.card_belief.age_cards(0)
        twin.act(0, "road-building")
        assert twin.why_not(0, "waive") == "DEV-18"
        assert twin.why_not(0, "roll") == "PHASE-11"
        twin.act(0, min(twin.legal(0)))
        assert twin.why_not(0, "waive") == waived
        twin.act(0, min(t for t in twin.legal(0) if t != "waive"))
        assert twin.state()["phase"] == "roll"


# random games


def play(twin: Twin, rng: random.Random, most: int = 4000, views: bool = True) -> int:
    """Play at random, builds preferred, and check what must always hold."""
    for step in range(most):
        state = twin.state()
        for kind in RESOURCES:  # COMP-03.e1
            assert state["supply"][kind] + sum(hand[kind] for hand in state["hands"]) == 19
        for kind, count in DECK.items():  # COMP-04.e1
            cards_out = sum(c[kind] for c in state["development"]) + sum(p[kind] for p in state["played"])
            assert state["deck"][kind] + cards_out == count
        if views:
            views_now = [twin.view(o) for o in [*range(twin.table.players), None]]
            truth = tuple(tuple(hand.values()) for hand in state["hands"])
            for view in views_now:
                assert sum(weight for weight, _ in view["belief"]) == 1
                assert truth in [world for _, world in view["belief"]]
                seat_seen = view["seat"]
                assert seat_seen is None or {world[seat_seen] for _, world in view["belief"]} == {truth[seat_seen]}
        if state["phase"] == "over":
            assert not any(twin.legal(s) for s in range(twin.table.players))
            return step
        odds = twin.chance()
        lists = {s: twin.legal(s) for s in range(twin.table.players)}
        if odds:
            assert sum(odds.values()) == 1
            assert not state["to_act"]
            assert not any(lists.values())
            twin.deal(rng.choices(list(odds), [float(p) for p in odds.values()])[0])
            continue
        for seat in state["to_act"]:
            assert lists[seat]
        seat, text = random_move(twin, rng)
        refusal = twin.why_not(seat, text)
        if refusal is None:
            twin.act(seat, text)
        else:
            assert text not in lists[seat] or (text.split()[0] in ("accept", "confirm") and refusal == "TRADE-10")
            with pytest.raises(ValueError, match=refusal):
                twin.act(seat, text)
            assert twin.state() == state  # PHASE-13
    return most


def without_belief(twin: Twin, seat: int | None) -> dict[str, Any]:
    return {key: value for key, value in twin.view(seat).items() if key != "belief"}


@pytest.mark.parametrize("observer", [0, 2, None])
def test_belief_by_replay(observer: int | None) -> None:
    """The belief equals: replay the game with every other outcome of unseen thefts, keep what looks the same."""
    rng = random.Random(f"replay {observer}")
    for game in range(3):
        edition = ["sixth", "fifth", "zip"][game]
        twin = Twin(config(edition, setup="variable", board=spiral(rng)))
        worlds: list[tuple[Fraction, Twin]] = [(Fraction(1), copy.deepcopy(twin))]
        compared = 0
        while twin.state()["phase"] != "over" and len(worlds) < 60:
            odds = twin.chance()
            if odds:
                text = rng.choices(list(odds), [float(p) for p in odds.values()])[0]
                unseen = text.startswith("stolen") and observer not in (twin.table.turn, twin.table.victim)
                next_worlds = []
                for weight, world in worlds:
                    for outcome, odd in world.chance().items():
                        if outcome == text or unseen:
                            branch = copy.deepcopy(world) if unseen else world
                            branch.deal(outcome)
                            next_worlds.append((weight * odd, branch))
                            if not unseen:
                                break
                worlds = next_worlds
                twin.deal(text)
            else:
                seat, text = random_move(twin, rng)
                if twin.why_not(seat, text) is not None:
                    continue
                worlds = [(weight, world) for weight, world in worlds if world.why_not(seat, text) is None]
                for _, world in worlds:
                    world.act(seat, text)
                twin.act(seat, text)
            view = without_belief(twin, observer)
            worlds = [(weight, world) for weight, world in worlds if without_belief(world, observer) == view]
            if twin.table.phase != "discard":  # choices of others count when the last is in
                expected: dict[Any, Fraction] = {}
                for weight, world in worlds:
                    hands = tuple(tuple(hand.values()) for hand in world.table.hands)
                    expected[hands] = expected.get(hands, Fraction(0)) + weight
                total = sum(expected.values())
                belief = twin.view(observer)["belief"]
                assert {hands: weight for weight, hands in belief} == {h: w / total for h, w in expected.items()}
                compared += len(belief) > 1
        assert compared > 10


@pytest.mark.parametrize("edition", list(EDITIONS))
@pytest.mark.parametrize("setup", ["fixed", "variable"])
def test_random_games(edition: str, setup: str) -> None:
    rng = random.Random(f"{edition} {setup}")
    players = rng.choice([3, 4])
    rules = EDITIONS[edition]
    colors = [c for c in rules.colors if players == 4 or c != (rules.removed_color or "red")]
    board = beginner(edition) if setup == "fixed" else spiral(rng)
    house = {"friendly_robber": setup == "fixed", "balanced_dice": setup == "variable"}
    twin = Twin(config(edition, players=players, colors=colors, setup=setup, board=board, first="roll", house=house))
    assert play(twin, rng) > 100
    assert twin.state()["winner"] is not None
