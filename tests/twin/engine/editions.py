"""The editions as far as play depends on them, by the table from the books (EDN-01)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.helpers.edition_table import EDITION_TABLE

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


_START = {"after_settlement": "settlement", "after_road": "road", "after_round_two": "round two"}


def _edition(name: str, values: dict[str, Any]) -> Edition:
    return Edition(
        name,
        colors=tuple(values["colors"]),
        road_limit=values["road_limit"],
        phases=values["phases"],
        phases_options=tuple(values["phases_options"]),
        fixed_first_by_roll=values["first_player_fixed"] == "highest_roll",
        start_resources=_START[values["start_resources_timing"]],
        waive_second_road=values["road_building_optional"],
        removed_color=values["three_player_removed_color"],
        limit_tiles=values["limit_tiles"] > 0,
        track=values["vp_track"],
    )


EDITIONS = {name: _edition(name, values) for name, values in EDITION_TABLE.items()}
