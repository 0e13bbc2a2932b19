"""The editions as data: one frozen :class:`Edition` each, read from the TOML files in `data/editions`.

`base.toml` holds what all share; an edition's own file is laid over it. `null` of the catalogue is a key left out.
Nothing here decides play: the core copies the values it needs into a game when the game is made (EDN-01).
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from types import MappingProxyType, UnionType
from typing import Any, Final, get_args, get_origin, get_type_hints

from ..colors import Color
from ..errors import BadInput

EDITIONS: Final[tuple[str, ...]] = ("zip", "sixth", "fifth", "threed", "summary")
"""Their names, in the order of the documents 000 to 004; a new one comes last, as a state keeps the number."""
DEFAULT_EDITION: Final = "sixth"
"""What people play, and read about, if they name none: the newest edition of the box."""
SETUPS: Final = ("fixed", "variable")
FIXED, VARIABLE = SETUPS
DEFAULT_SETUP: Final = VARIABLE
"""How people set up a game if they do not say: a new board every time."""
PRINTED: Final = "printed"
"""How numbers and harbors lie where they are on the board already."""
PRICED: Final = ("road", "settlement", "city", "development")
"""What has a price, in the order of the core's numbers."""
FALLBACK_EDITION: Final = "fifth"
"""What :func:`hexholm.rules.setup.options.check_options` takes if none is named: so says the format of positions
(docs/formats/position.md), and batches and referees made without one have always been of it."""


@dataclass(frozen=True, eq=False, kw_only=True, slots=True)
class Edition:
    """The values of one edition, under the names of the catalogue. One object per edition, compared by identity."""

    name: str
    title: str
    # Box (COMP-*)
    min_players: int
    max_players: int
    dice: int
    colors: tuple[Color, ...]
    terrain_counts: Mapping[str, int]
    number_counts: Mapping[int, int]
    bank_per_resource: int
    harbors: Mapping[str, int]
    dev_deck: Mapping[str, int]
    settlement_limit: int
    city_limit: int
    road_limit: int | None
    limit_tiles: int
    vp_track: bool
    dev_source: str
    box: Mapping[str, int]
    # Board and set-up (MAP-*, SETUP-*)
    terrain_resource: Mapping[str, str | None]
    default_setup: str
    fixed_board: str
    variable_harbors: tuple[str, ...]
    number_placement: tuple[str, ...]
    random_no_red_neighbours: bool | None
    random_no_equal_neighbours: bool | None
    spiral_red_check: bool
    first_player_fixed: str
    first_player_variable: str
    color_choice: Mapping[str, str]
    three_player_removed_color: str | None
    start_resources_timing: str
    # Turn
    phases: str
    phases_options: tuple[str, ...]
    yields: Mapping[str, int]
    trade_rates: Mapping[str, int]
    hand_limit_on_seven: int
    costs: Mapping[str, Mapping[str, int]]
    dev_window: tuple[str, ...]
    played_progress: str
    road_building_optional: bool
    # End
    victory_points: int
    points: Mapping[str, int]
    longest_road_min: int
    largest_army_min: int
    # Words (NAME-*); a word the edition lacks is not in the mapping
    words: Mapping[str, str]
    turn_parts: tuple[str, ...]

    def __reduce__(self) -> tuple[Any, ...]:
        return edition, (self.name,)  # one object per edition, also after a copy or a pickle

    def __repr__(self) -> str:
        return f"edition({self.name!r})"

    @property
    def has_printed_maps(self) -> bool:
        """Whether it is played on printed maps instead of a board made of tiles (ZIP-01)."""
        return PRINTED in self.number_placement

    def playing_colors(self, setup: str, players: int) -> tuple[str, ...]:
        """The colors to choose from: with fewer than four players, the fixed board leaves one out (SETUP-09)."""
        removed = self.three_player_removed_color if setup == FIXED and players < 4 else None
        return tuple(color for color in self.colors if color != removed)


class BadEdition(BadInput):
    """Edition data that cannot be used; `faults` says all that is wrong with it."""

    def __init__(self, name: str, faults: list[str]) -> None:
        super().__init__(f"edition {name!r}: " + "; ".join(faults))
        self.faults = faults


@cache
def edition(name: str) -> Edition:
    """The edition of that name, one of `EDITIONS`."""
    if name not in EDITIONS:
        raise BadInput(f"there is no edition {name!r}; the editions are {', '.join(EDITIONS)}")
    folder = resources.files("hexholm.rules") / "data" / "editions"
    texts = [(folder / f"{part}.toml").read_text(encoding="utf-8") for part in ("base", name)]
    return read_edition(name, *texts)


def read_edition(name: str, base: str, own: str) -> Edition:
    """An edition from the two TOML texts; raises :class:`BadEdition` with every fault found."""
    data = tomllib.loads(base)
    for key, value in tomllib.loads(own).items():
        data[key] = {**data[key], **value} if isinstance(value, dict) and isinstance(data.get(key), dict) else value
    data["name"] = name
    words = data.get("words")
    if isinstance(words, dict):
        data["turn_parts"] = words.pop("turn_parts", None)
        data["words"] = {key: word for key, word in words.items() if word != ""}
    terrain = data.get("terrain_resource")
    if isinstance(terrain, dict):
        terrain.setdefault("desert", None)  # TOML has no null

    faults = [f"unknown key {key!r}" for key in data if key not in _HINTS]
    values: dict[str, Any] = {}
    for key, hint in _HINTS.items():
        if data.get(key) is None:
            values[key] = None
            if type(None) not in get_args(hint):
                faults.append(f"{key} is missing")
            continue
        try:
            values[key] = _as_type(data[key], hint)
        except TypeError as error:
            faults.append(f"{key}: {error}")
    if not faults:
        faults.extend(_contradictions(values))
    if faults:
        raise BadEdition(name, faults)
    return Edition(**values)


_HINTS: Final = get_type_hints(Edition)


def _as_type(value: Any, hint: Any) -> Any:
    """`value` as the type `hint`, with lists as tuples and tables read-only; TypeError if it is something else."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is UnionType:
        return None if value is None else _as_type(value, inner[0])
    if origin is tuple and isinstance(value, list):
        return tuple(_as_type(item, inner[0]) for item in value)
    if origin is Mapping and isinstance(value, dict):
        keys = [int(key) if inner[0] is int and key.isdigit() else key for key in value]
        return MappingProxyType(
            {_as_type(key, inner[0]): _as_type(item, inner[1]) for key, item in zip(keys, value.values(), strict=True)}
        )
    if origin is None and type(value) is hint:
        return value
    raise TypeError(f"{value!r} should be {getattr(hint, '__name__', hint)}")


_CHOICES: Final = {
    "default_setup": SETUPS,
    "fixed_board": ("beginner", "zip_first"),
    "variable_harbors": (PRINTED, "harbor_shuffle", "frame_shuffle", "harbor_and_frame_shuffle"),
    "number_placement": (PRINTED, "spiral", "random"),
    "first_player_fixed": ("highest_roll", "oldest"),
    "first_player_variable": ("highest_roll",),
    "start_resources_timing": ("after_settlement", "after_road", "after_round_two"),
    "phases": ("separate", "combined"),
    "phases_options": ("separate", "combined"),
    "dev_source": ("deck", "bag"),
    "dev_window": ("before_roll", "after_roll", "action"),
    "played_progress": ("removed", "face_up"),
}

_TABLES: Final = {
    "terrain_counts": {"hills", "forest", "pasture", "fields", "mountains", "desert"},
    "terrain_resource": {"hills", "forest", "pasture", "fields", "mountains", "desert"},
    "harbors": {"any", "brick", "lumber", "wool", "grain", "ore"},
    "dev_deck": {"knight", "victory_point", "road_building", "year_of_plenty", "monopoly"},
    "costs": set(PRICED),
    "points": {"settlement", "city", "longest_road", "largest_army", "victory_point_card"},
    "yields": {"settlement", "city"},
    "trade_rates": {"supply", "generic", "special"},
    "color_choice": set(SETUPS),
}


def _contradictions(values: dict[str, Any]) -> Iterator[str]:
    """What is well-formed and yet cannot be an edition."""
    for key, allowed in _CHOICES.items():
        choices = values[key] if isinstance(values[key], tuple) else (values[key],)
        for word in choices:
            if word not in allowed:
                yield f"{key}: {word!r} is none of {', '.join(allowed)}"
    for key, names in _TABLES.items():
        if set(values[key]) != names:
            yield f"{key} must name exactly {', '.join(sorted(names))}"
    if values["phases"] not in values["phases_options"]:
        yield f"phases {values['phases']!r} is not among phases_options"
    if values["three_player_removed_color"] not in (None, *values["colors"]):
        yield f"three_player_removed_color {values['three_player_removed_color']!r} is not among the colors"
    if len(set(values["colors"])) != len(values["colors"]) or len(values["colors"]) < values["max_players"]:
        yield "colors must be different and enough for max_players"
    producing = sum(values["terrain_counts"].values()) - values["terrain_counts"].get("desert", 0)
    if sum(values["number_counts"].values()) != producing or not set(values["number_counts"]) <= {*range(2, 13)} - {7}:
        yield f"number_counts must give {producing} numbers from 2 to 12 without 7"
    if ("random" in values["number_placement"]) != (values["random_no_red_neighbours"] is not None):
        yield "random_no_red_neighbours belongs to number_placement random"
    if (values["random_no_red_neighbours"] is None) != (values["random_no_equal_neighbours"] is None):
        yield "random_no_red_neighbours and random_no_equal_neighbours go together"
