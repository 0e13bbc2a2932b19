"""The five editions as far as play depends on them (editions.md, section D; EDN-01)."""

from __future__ import annotations

from dataclasses import dataclass

RESOURCES = ["brick", "lumber", "wool", "grain", "ore"]
KINDS = ["knight", "victory-point", "road-building", "year-of-plenty", "monopoly"]

BANK_PER_RESOURCE = 19  # COMP-03
DECK = {"knight": 14, "victory-point": 5, "road-building": 2, "year-of-plenty": 2, "monopoly": 2}  # COMP-04
COSTS = {  # BUILD-01
    "road": {"brick": 1, "lumber": 1},
    "settlement": {"brick": 1, "lumber": 1, "wool": 1, "grain": 1},
    "city": {"grain": 2, "ore": 3},
    "development": {"wool": 1, "grain": 1, "ore": 1},
}
TERRAIN_RESOURCE = {  # MAP-05
    "hills": "brick",
    "forest": "lumber",
    "pasture": "wool",
    "fields": "grain",
    "mountains": "ore",
    "desert": None,
}
SETTLEMENT_LIMIT = 5  # SETTLE-05, ZIP-04
CITY_LIMIT = 4  # CITY-04, ZIP-05
HAND_LIMIT = 7  # SEVEN-02
LONGEST_ROAD_MIN = 5  # LROAD-01
LARGEST_ARMY_MIN = 3  # ARMY-01
VICTORY_POINTS = 10  # WIN-01
OPEN_OFFERS = 8  # design decision 6


@dataclass(frozen=True)
class Edition:
    """What differs between the editions in play."""

    name: str
    colors: tuple[str, ...]  # COMP-08
    road_limit: int | None  # ROAD-06, ZIP-09
    phases: str  # PHASE-02
    phases_options: tuple[str, ...]  # EDN-02
    fixed_first_by_roll: bool  # SETUP-05
    start_resources: str  # SETUP-16: "settlement", "road" or "round two"
    waive_second_road: bool  # DEV-18
    removed_color: str | None  # SETUP-09
    limit_tiles: bool  # ZIP-06, ZIP-07
    track: bool  # ZIP-08


_CLASSIC = ("red", "blue", "white", "orange")
_ZIP = ("black", "blue", "green", "red")
_BOTH = ("separate", "combined")

EDITIONS = {
    "zip": Edition("zip", _ZIP, None, "combined", ("combined",), True, "round two", False, None, True, True),
    "sixth": Edition("sixth", _CLASSIC, 15, "combined", ("combined",), True, "round two", False, "white", False, False),
    "fifth": Edition("fifth", _CLASSIC, 15, "separate", _BOTH, False, "settlement", True, "red", False, False),
    "threed": Edition("threed", _CLASSIC, 15, "separate", _BOTH, False, "road", True, "red", False, False),
    "summary": Edition("summary", _CLASSIC, 15, "separate", _BOTH, False, "settlement", True, "red", False, False),
}
