"""Everything that lies on the table and in the hands, with the plain facts that follow from it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from .actions import Resources
from .belief import CardBelief, HandBelief, as_hand
from .editions import (
    BANK_PER_RESOURCE,
    CITY_LIMIT,
    DECK,
    EDITIONS,
    HAND_LIMIT,
    KINDS,
    LARGEST_ARMY_MIN,
    LONGEST_ROAD_MIN,
    RESOURCES,
    SETTLEMENT_LIMIT,
    TERRAIN_RESOURCE,
    VICTORY_POINTS,
)
from .geometry import ENDS, HEX_CORNERS, HEXES_AT, NEIGHBORS, SIDES_AT
from .roads import longest_trail

PAIRS = [(a, b) for a in range(1, 7) for b in range(1, 7)]


@dataclass
class Offer:
    """An open offer (TRADE-03)."""

    maker: int
    to: list[int]
    give: Resources
    want: Resources
    answers: dict[int, str] = field(default_factory=dict)


class Table:
    """The state of one game."""

    def __init__(self, config: dict[str, Any]) -> None:
        self.edition = EDITIONS[config["edition"]]  # EDN-01
        self.players: int = config["players"]
        if not (2 if config.get("two_players") else 3) <= self.players <= 4:
            raise ValueError("COMP-12")
        self.colors: list[str] = list(config["colors"])
        if len(self.colors) != self.players or len(set(self.colors)) != self.players:
            raise ValueError("SETUP-02")
        self.setup: str = config["setup"]
        phases = config.get("phases") or self.edition.phases
        if phases not in self.edition.phases_options:
            raise ValueError("EDN-02")
        self.separate = phases == "separate"

        house = config.get("house") or {}
        self.target: int = house.get("points_to_win") or VICTORY_POINTS
        limit = house.get("hand_limit")
        self.hand_limit: int = HAND_LIMIT if limit is None else limit
        self.friendly_robber = bool(house.get("friendly_robber"))
        self.bag: list[tuple[int, int]] | None = list(PAIRS) if house.get("balanced_dice") else None

        board = config["board"]
        self.terrain: dict[str, str] = {name: pair[0] for name, pair in board["hexes"].items()}
        self.number: dict[str, int | None] = {name: pair[1] for name, pair in board["hexes"].items()}
        self.harbor_at: dict[str, str] = {}
        for side, kind in board["harbors"]:
            for corner in ENDS[side]:  # MAP-20
                self.harbor_at[corner] = kind
        self.robber = next(name for name in self.terrain if self.terrain[name] == "desert")  # SETUP-04

        seats = range(self.players)
        self.supply: Resources = dict.fromkeys(RESOURCES, BANK_PER_RESOURCE)  # COMP-03
        self.hands: list[Resources] = [dict.fromkeys(RESOURCES, 0) for _ in seats]
        self.deck: dict[str, int] = dict(DECK)  # COMP-04
        self.development: list[dict[str, int]] = [dict.fromkeys(KINDS, 0) for _ in seats]
        self.new_cards: dict[str, int] = dict.fromkeys(KINDS, 0)  # those of the active seat bought this turn
        self.played: list[dict[str, int]] = [dict.fromkeys(KINDS, 0) for _ in seats]
        self.settlements: list[set[str]] = [set() for _ in seats]
        self.cities: list[set[str]] = [set() for _ in seats]
        self.roads: list[set[str]] = [set() for _ in seats]
        self.road_owner: dict[str, int] = {}
        self.building_owner: dict[str, int] = {}
        self.lengths: list[int] = [0 for _ in seats]
        self.longest_road: int | None = None
        self.largest_army: int | None = None
        self.road_set_aside = False

        self.phase = "start roll"
        self.turn = 0
        self.first: int | None = None
        self.turn_number = 0
        self.rolled = False
        self.dice: tuple[int, int] | None = None
        self.card_played = False
        self.trading_closed = False
        self.free_roads = 0
        self.free_road_placed = False
        self.victim: int | None = None
        self.owed: list[int] = [0 for _ in seats]  # as announced, until the last discard is in
        self.discards: list[Resources | None] = [None for _ in seats]
        self.offers: dict[int, Offer] = {}
        self.winner: int | None = None

        self.contenders: list[int] = []  # start roll: seats that still have to be compared
        self.start_rolls: dict[int, int] = {}
        self.placements: list[int] = []  # seats in the order of the placement rounds
        self.placed = 0  # placements finished
        self.last_settlement = ""
        self.second_settlements: dict[int, str] = {}

        self.beliefs: dict[int | None, HandBelief] = {o: HandBelief(o, self.players) for o in [*seats, None]}
        self.card_belief = CardBelief(self.players)
        self.events: Counter[str] = Counter()

    # plain facts

    def seat_of(self, color: str) -> int | None:
        """The seat with that color, if it is in play."""
        return self.colors.index(color) if color in self.colors else None

    def holds(self, seat: int, cards: Resources) -> bool:
        """Whether a seat has these cards in hand."""
        return all(self.hands[seat][kind] >= count for kind, count in cards.items())

    def size(self, seat: int) -> int:
        """Number of resource cards in hand (INFO-02)."""
        return sum(self.hands[seat].values())

    def points(self, seat: int) -> int:
        """Public points (WIN-04, INFO-04)."""
        points = len(self.settlements[seat]) + 2 * len(self.cities[seat])
        points += 2 * (self.longest_road == seat)  # LROAD-02
        return points + 2 * (self.largest_army == seat)  # ARMY-03

    def total(self, seat: int) -> int:
        """Points with hidden victory point cards, also those bought this turn (DEV-05, DEV-25)."""
        return self.points(seat) + self.development[seat]["victory-point"]

    def roads_left(self, seat: int) -> int | None:
        """Roads in stock; None: no limit (ROAD-06, ZIP-09)."""
        limit = self.edition.road_limit
        return None if limit is None else limit - len(self.roads[seat])

    def clockwise(self, seat: int) -> int:
        """The next seat (PHASE-01)."""
        return (seat + 1) % self.players

    def opponents_at(self, name: str, mover: int) -> list[int]:
        """Opponents of the mover with a building at a hex, each once (ROBBER-05, ROBBER-06.e1)."""
        owners = {self.building_owner.get(corner) for corner in HEX_CORNERS[name].values()}
        return sorted(seat for seat in owners if seat is not None and seat != mover)

    def trading_open(self) -> bool:
        """Whether offers can be made and answered (TRADE-01, PHASE-05)."""
        return self.phase == "main" and not self.trading_closed

    # cards that move over the open table

    def move_cards(self, changes: dict[int, Resources]) -> None:
        """Hands change openly; what is missing comes from the supply, what is left over goes there (INFO-09)."""
        for seat, change in changes.items():
            for kind, count in change.items():
                self.hands[seat][kind] += count
                self.supply[kind] -= count
                assert self.hands[seat][kind] >= 0
        assert min(self.supply.values()) >= 0
        public = {seat: as_hand(change) for seat, change in changes.items() if any(change.values())}
        if public:
            for belief in self.beliefs.values():
                belief.note_change(public)

    def pay(self, seat: int, cost: Resources) -> None:
        """The price goes back to the supply (BUILD-02)."""
        self.move_cards({seat: {kind: -count for kind, count in cost.items()}})

    def show_held(self, seat: int, cards: Resources) -> None:
        """Everybody learns that a seat holds these cards."""
        for belief in self.beliefs.values():
            belief.show_cards(seat, as_hand(cards))

    def start_resources(self, seat: int, corner: str) -> None:
        """One card for each producing hex at a start settlement (SETUP-10, SETUP-16)."""
        gain: Resources = {}
        for name in HEXES_AT[corner]:
            kind = TERRAIN_RESOURCE[self.terrain[name]]
            if kind is not None:
                gain[kind] = gain.get(kind, 0) + 1
        self.move_cards({seat: gain})

    # pieces

    def put_road(self, seat: int, side: str) -> None:
        """A road on a path; awards follow at once (LROAD-12, LROAD-13)."""
        self.roads[seat].add(side)
        self.road_owner[side] = seat
        if self.roads_left(seat) == 0:
            self.events["last_road"] += 1
        self.reassign_longest_road(seat)

    def put_settlement(self, seat: int, corner: str) -> None:
        """A settlement on an intersection; it may break a foreign chain (LROAD-07)."""
        self.settlements[seat].add(corner)
        self.building_owner[corner] = seat
        if len(self.settlements[seat]) == SETTLEMENT_LIMIT:
            self.events["last_settlement"] += 1
        self.reassign_longest_road(seat)

    def put_city(self, seat: int, corner: str) -> None:
        """A city replaces an own settlement, which returns to the stock (CITY-01, CITY-03)."""
        self.settlements[seat].remove(corner)
        self.cities[seat].add(corner)
        if len(self.cities[seat]) == CITY_LIMIT:
            self.events["last_city"] += 1

    def why_no_settlement(self, corner: str) -> str | None:
        """Empty intersection and distance rule (SETTLE-02, SETTLE-03, SETUP-13)."""
        if corner in self.building_owner:
            return "SETTLE-02"
        if any(neighbor in self.building_owner for neighbor in NEIGHBORS[corner]):
            return "SETTLE-03"
        return None

    def why_no_road(self, seat: int, side: str) -> str | None:
        """Empty path, connected to an own piece, not through an opponent's building, still in stock."""
        if side in self.road_owner:
            return "ROAD-02"
        refusal = "ROAD-03"
        for end in ENDS[side]:
            owner = self.building_owner.get(end)
            if owner == seat:
                break  # ROAD-03.e2
            if any(self.road_owner.get(near_side) == seat for near_side in SIDES_AT[end]):
                if owner is None:
                    break  # ROAD-03.e1
                refusal = "ROAD-04"
        else:
            return refusal
        return "ROAD-06" if self.roads_left(seat) == 0 else None

    def reassign_longest_road(self, builder: int) -> None:
        """Measure all chains again and settle the award (LROAD-01 to LROAD-12)."""
        before = list(self.lengths)
        for seat in range(self.players):
            cut = {corner for corner, owner in self.building_owner.items() if owner != seat}  # LROAD-06
            touched = {end for side in self.roads[seat] for end in ENDS[side]}
            self.lengths[seat], ring = longest_trail(frozenset(self.roads[seat]), frozenset(cut & touched))
            if ring and seat == builder and self.lengths[seat] > before[seat]:
                self.events["ring_counted"] += 1
        best = max(self.lengths)
        leaders = [seat for seat in range(self.players) if self.lengths[seat] == best]
        holder = self.longest_road
        if holder is not None and best >= LONGEST_ROAD_MIN and holder in leaders:  # LROAD-03.e1, LROAD-08
            if self.lengths[holder] < before[holder] and len(leaders) > 1:
                self.events["road_award_tied_kept"] += 1
            return
        # LROAD-01, LROAD-03, LROAD-09, LROAD-11: one sole leader takes it; LROAD-10: otherwise it lies aside
        taker = leaders[0] if best >= LONGEST_ROAD_MIN and len(leaders) == 1 else None
        self.longest_road = taker
        if holder is not None:
            self.events["award_moved" if taker is not None else "award_set_aside"] += 1
            if self.lengths[holder] < before[holder]:
                self.events["award_broken"] += 1
            self.road_set_aside = taker is None
        elif taker is not None and self.road_set_aside:
            self.events["award_returned"] += 1
            self.road_set_aside = False

    def reassign_largest_army(self, seat: int) -> None:
        """At least three played knights, and strictly more than the holder (ARMY-01, ARMY-02, ARMY-04)."""
        knights = self.played[seat]["knight"]
        holder = self.largest_army
        if holder == seat or knights < LARGEST_ARMY_MIN:
            return
        if holder is None or knights > self.played[holder]["knight"]:
            self.largest_army = seat
            if holder is not None:
                self.events["army_moved"] += 1
