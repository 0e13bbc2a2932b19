"""What a game is created with: the edition, the set-up, the options its books offer, and house rules by name.

    >>> from hexholm.rules.setup.options import check_options
    >>> check_options(edition="threed", setup="variable", numbers="random").harbors
    'harbor_shuffle'

:func:`check_options` fills in the edition's defaults and reports every fault at once. What no book offers cannot be set
by accident: two players and the house rules are off unless named, and :meth:`Options.house_rules` says which are on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Final, Literal

from ..colors import Color
from ..errors import BadInput, OptionMention, OptionMessage, quoted
from .editions import EDITIONS, FALLBACK_EDITION, FIXED, PRINTED, SETUPS, VARIABLE, Edition, edition
from .house_rules import HAND_LIMIT, HOUSE_SWITCHES, POINTS_TO_WIN

ZIP_MAPS: Final = 50  # ZIP-01: the pad has fifty sheets
PAD_EDITION: Final = next(name for name in EDITIONS if edition(name).has_printed_maps)
"""The edition whose boards are printed on a pad (ZIP-01)."""

OptionFaults = list[tuple[str, str]]
"""What is wrong, each with the id of the rule."""
OptionsRequest = dict[str, Any]
"""The options that are asked for, by name."""


class BadOptions(BadInput):
    """Options that no game can be made with. `faults` lists (rule id, what is wrong and what would be right)."""

    def __init__(self, faults: OptionFaults) -> None:
        super().__init__("; ".join(f"{message} ({rule})" for rule, message in faults))
        self.faults = faults

    def __reduce__(self) -> tuple[Any, ...]:
        return BadOptions, (self.faults,)


@dataclass(frozen=True, kw_only=True, slots=True)
class Options:
    """Checked options of a game; make them with :func:`check_options`."""

    edition: str
    players: int
    setup: str
    """"fixed" or "variable"."""
    phases: str
    """"separate" or "combined" trade and build (PHASE-05, PHASE-06)."""
    harbors: str
    """How harbors come to lie: "fixed", "printed" (zip) or one of the edition's `variable_harbors` (MAP-14)."""
    numbers: str
    """How numbers come to lie: "fixed", "printed" (zip) or one of the edition's `number_placement` (MAP-15, MAP-18)."""
    map: int | None
    """Zip! only: number of the printed map. None in the variable set-up: the board seed picks one of 2 to 50."""
    first: int | Literal["roll"] | None
    """The seat that begins, or "roll" to ask for the start roll; None: as the edition says (SETUP-05, SETUP-06)."""
    ages: tuple[int, ...] | None
    colors: tuple[Color, ...]
    """By seat."""
    two_players: bool
    points_to_win: int | None
    hand_limit: int | None
    friendly_robber: bool
    balanced_dice: bool

    @property
    def edition_data(self) -> Edition:
        """The values of the edition in force."""
        return edition(self.edition)

    def rollers(self) -> tuple[int, ...]:
        """The seats that roll for the start; () if the first player is known."""
        everybody = tuple(range(self.players))
        if self.first == "roll":
            return everybody
        if self.first is not None:
            return ()
        if self.ages is not None:
            oldest = tuple(seat for seat in everybody if self.ages[seat] == max(self.ages))
            return oldest if len(oldest) > 1 else ()  # equal ages: these roll (SETUP-07)
        return () if _lets_oldest_begin(self.edition_data, self.setup) else everybody

    def starter(self) -> int | None:
        """The first player's seat, or None if a start roll decides (SETUP-05, SETUP-06)."""
        if self.rollers():
            return None
        if self.first is not None:
            assert self.first != "roll"
            return self.first
        return self.ages.index(max(self.ages)) if self.ages is not None else 0  # no ages known: seat 0 (SETUP-05.e1)

    def who_begins(self) -> str:
        """The first player and why, in words, for the record of a game (SETUP-05.e1)."""
        starter = self.starter()
        if starter is None:
            roller_colors = ", ".join(self.colors[seat] for seat in self.rollers())
            return f"highest roll of {roller_colors}"
        if self.first is not None:
            return f"{self.colors[starter]}, named when the game was created"
        if self.ages is not None:
            return f"{self.colors[starter]}, the oldest"
        return f"{self.colors[starter]}, in seat 1, because no ages are known"

    def house_rules(self) -> list[str]:
        """The house rules in force, one line each; always show them with the game."""
        edition_data = self.edition_data
        lines = []
        if self.players < edition_data.min_players:
            range_text = f"{edition_data.min_players} to {edition_data.max_players}"
            lines.append(f"unofficial: {self.players} players (the books: {range_text})")
        if self.points_to_win is not None:
            lines.append(f"house rule: {self.points_to_win} points to win (the books: {edition_data.victory_points})")
        if self.hand_limit is not None:
            usual = edition_data.hand_limit_on_seven
            lines.append(f"house rule: hand limit of {self.hand_limit} cards on a seven (the books: {usual})")
        called = [f"{name}, {text}" for option, (name, text) in HOUSE_SWITCHES.items() if getattr(self, option)]
        return lines + [f"house rule: {rule}" for rule in called]

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON; `check_options(**o.as_dict()) == o`."""
        data = asdict(self)
        return {key: list(value) if isinstance(value, tuple) else value for key, value in data.items()}


_OPTION_NAMES: Final = tuple(field.name for field in fields(Options))
SWITCHES: Final = ("two_players", *HOUSE_SWITCHES)
HOUSE_NUMBERS: Final = ("points_to_win", "hand_limit")
HOUSE_RULES: Final = tuple(name for name in _OPTION_NAMES if name in (*SWITCHES, *HOUSE_NUMBERS))
"""Options that no book offers: those that are on or off, and those with a number."""
MOST_UNKNOWN_TOLD: Final = 10
"""Names that are no options and are told: strangers may send thousands, each of which would be answered at length."""
LONGEST_NAME_TOLD: Final = 40


def check_options(**options: Any) -> Options:
    """Options with the edition's defaults filled in; raises :class:`BadOptions` naming every fault.

    Without an edition they are of FALLBACK_EDITION; whoever asks people fills in DEFAULT_EDITION before.
    """
    unknown_names = [name for name in options if name not in _OPTION_NAMES]
    faults: OptionFaults = [
        ("EDN-02", f"there is no option {name[:LONGEST_NAME_TOLD]!r}; the options are {', '.join(_OPTION_NAMES)}")
        for name in unknown_names[:MOST_UNKNOWN_TOLD]
    ]
    if len(unknown_names) > MOST_UNKNOWN_TOLD:
        faults.append(("EDN-02", f"there are {len(unknown_names) - MOST_UNKNOWN_TOLD} more options that are unknown"))
    request = {name: value for name in _OPTION_NAMES if (value := options.get(name)) is not None}
    name = request.get("edition", FALLBACK_EDITION)
    if name not in EDITIONS:
        faults.append(("EDN-01", f"there is no edition {name!r}; the editions are {', '.join(EDITIONS)}"))
        raise BadOptions(faults)  # the other checks need an edition
    edition_data = edition(name)
    setup = _read_setup(edition_data, request, faults)
    player_count = _read_player_count(edition_data, request, faults)
    values: dict[str, Any] = {
        "edition": name,
        "players": player_count,
        "setup": setup,
        "phases": _read_phases(edition_data, request, faults),
        "harbors": _read_placement("harbors", edition_data.variable_harbors, setup, edition_data, request, faults),
        "numbers": _read_placement("numbers", edition_data.number_placement, setup, edition_data, request, faults),
        "map": _read_map(edition_data, setup, request, faults),
        **_read_first_player(edition_data, setup, player_count, request, faults),
        "colors": _read_colors(edition_data, setup, player_count, request, faults),
        "points_to_win": _read_house_number(
            "points_to_win", POINTS_TO_WIN, "WIN-01", edition_data.victory_points, request, faults
        ),
        "hand_limit": _read_house_number(
            "hand_limit", HAND_LIMIT, "SEVEN-02", edition_data.hand_limit_on_seven, request, faults
        ),
        **{name: _read_switch(name, request, faults) for name in SWITCHES},
    }
    if faults:
        raise BadOptions(faults)
    return Options(**values)


def _wrong(option: str, value: object, advice: str, name: str | None = None) -> OptionMessage:
    """What is wrong with the value of an option; `name`: what Python calls it, if not by its own name."""
    return OptionMessage(OptionMention.given_quoted(option, value, name), advice)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _lets_oldest_begin(edition_data: Edition, setup: str) -> bool:
    return setup == FIXED and edition_data.first_player_fixed == "oldest"


def _read_setup(edition_data: Edition, request: OptionsRequest, faults: OptionFaults) -> str:
    setup = request.get("setup")
    if setup == "beginner":
        setup = FIXED
    if setup is None:
        # In Zip! the map says which set-up it is.
        map_number = request.get("map") if edition_data.has_printed_maps else None
        setup = edition_data.default_setup if map_number is None else FIXED if map_number == 1 else VARIABLE
    if setup not in SETUPS:
        faults.append(
            ("SETUP-01", _wrong("setup", setup, " is unknown; it is fixed (also: beginner) or variable", "set-up"))
        )
        return edition_data.default_setup
    return str(setup)


def _read_player_count(edition_data: Edition, request: OptionsRequest, faults: OptionFaults) -> int:
    player_count = request.get("players", 2 if request.get("two_players") is True else edition_data.max_players)
    two_players = request.get("two_players") is True
    range_text = f"{edition_data.min_players} to {edition_data.max_players}"
    if not _is_whole(player_count):
        faults.append(
            ("COMP-12", f"players {player_count!r}: say how many, {range_text}; colors are named by colors=...")
        )
        return edition_data.max_players
    given, limits = OptionMention.player_count(player_count), f": the game is for {range_text}"
    if not 2 <= player_count <= edition_data.max_players:
        faults.append(("COMP-12", OptionMessage(given, limits)))
        return edition_data.max_players
    if player_count < edition_data.min_players and not two_players:
        advice = f"{limits}; two can play only with the unofficial option "
        faults.append(("COMP-12", OptionMessage(given, advice, OptionMention.advised("two_players", True))))
    return int(player_count)


def _read_phases(edition_data: Edition, request: OptionsRequest, faults: OptionFaults) -> str:
    phases = request.get("phases", edition_data.phases)
    if phases not in edition_data.phases_options:
        advice = f": edition {edition_data.name} offers {_join_words(edition_data.phases_options)}"
        faults.append(("EDN-02", _wrong("phases", phases, advice)))
        return edition_data.phases
    return str(phases)


def _read_placement(
    option: str,
    offered: tuple[str, ...],
    setup: str,
    edition_data: Edition,
    request: OptionsRequest,
    faults: OptionFaults,
) -> str:
    """How harbors or numbers are placed; only the variable set-up leaves a choice (MAP-10, MAP-14, MAP-15)."""
    if setup == FIXED and PRINTED not in offered:
        offered, why = (FIXED,), "on the fixed board"
    else:
        why = f"in edition {edition_data.name}"
    placement = request.get(option, offered[0])
    if placement not in offered:
        hint = ("; a choice needs ", OptionMention.advised("setup", VARIABLE)) if offered == (FIXED,) else ()
        given = OptionMention.given_quoted(option, placement)
        faults.append(("EDN-02", OptionMessage(given, f": {why} they are {_join_words(offered)}", *hint)))
        return offered[0]
    return str(placement)


def _read_map(edition_data: Edition, setup: str, request: OptionsRequest, faults: OptionFaults) -> int | None:
    number = request.get("map")
    if not edition_data.has_printed_maps:
        if number is not None:
            advice = f": only edition {PAD_EDITION} has printed maps, {edition_data.name} has none"
            faults.append(("ZIP-01", _wrong("map", number, advice)))
        return None
    if number is None:
        return 1 if setup == FIXED else None
    if not _is_whole(number) or not 1 <= number <= ZIP_MAPS:
        faults.append(("ZIP-01", _wrong("map", number, f" is not on the pad; the maps are 1 to {ZIP_MAPS}")))
        return None
    if (number == 1) != (setup == FIXED):
        right = f"map 1 has start positions and is the fixed set-up, maps 2 to {ZIP_MAPS} are the variable one"
        faults.append(("ZIP-02", _wrong("map", number, f" with the {setup} set-up: {right}")))
    return int(number)


def _read_first_player(
    edition_data: Edition, setup: str, player_count: int, request: OptionsRequest, faults: OptionFaults
) -> dict[str, Any]:
    first, ages = request.get("first"), request.get("ages")
    if first is not None and first != "roll" and not (_is_whole(first) and 0 <= first < player_count):
        faults.append(("SETUP-05", _wrong("first", first, f": name a seat from 0 to {player_count - 1}, or 'roll'")))
        first = None
    if ages is None:
        return {"first": first, "ages": None}
    if not _lets_oldest_begin(edition_data, setup):
        rule = "SETUP-05" if setup == FIXED else "SETUP-06"
        where = f"in the {setup} set-up of edition {edition_data.name}"
        faults.append((rule, f"ages: {where} the highest roll begins, not age"))
    if first is not None:
        faults.append(("SETUP-05", "ages and first both say who begins; give one of them"))
    numbers = list(ages) if isinstance(ages, Sequence) and not isinstance(ages, str) else []
    if len(numbers) != player_count or not all(_is_whole(age) and 0 < age < 200 for age in numbers):
        faults.append(
            ("SETUP-05", f"ages {quoted(ages)}: give {player_count} ages in years, in the order of the seats")
        )
        return {"first": first, "ages": None}
    return {"first": first, "ages": tuple(numbers)}


def _read_colors(
    edition_data: Edition, setup: str, player_count: int, request: OptionsRequest, faults: OptionFaults
) -> tuple[str, ...]:
    free_colors = edition_data.playing_colors(setup, player_count)
    value = request.get("colors")
    if value is None:
        return free_colors[:player_count]
    colors = tuple(value) if isinstance(value, Sequence) and not isinstance(value, str) else ()
    if len(colors) != player_count:
        faults.append(("SETUP-02", f"colors {quoted(value)}: give {player_count} colors, one for each seat"))
        if len(colors) > len(edition_data.colors):  # of thousands nobody wants to read a fault each
            return ()
    for color in colors:
        if color not in edition_data.colors:
            its_colors = _join_words(edition_data.colors, "and")
            faults.append(("COMP-08", f"edition {edition_data.name} has no color {quoted(color)}; it has {its_colors}"))
        elif color not in free_colors:
            free_text = _join_words(free_colors)
            fault = f"{color} is left out on the fixed board with {player_count} players; take {free_text}"
            faults.append(("SETUP-09", fault))
    doubles = sorted({str(color) for color in colors if colors.count(color) > 1})
    if doubles:
        faults.append(
            ("SETUP-02", f"{_join_words(doubles, 'and')} chosen twice; every player takes a color of their own")
        )
    return colors


def _read_switch(name: str, request: OptionsRequest, faults: OptionFaults) -> bool:
    value = request.get(name, False)
    if not isinstance(value, bool):
        faults.append(("COMP-12" if name == "two_players" else "EDN-02", _wrong(name, value, ": it is true or false")))
        return False
    return value


def _read_house_number(
    name: str, limits: tuple[int, int], rule: str, usual: int, request: OptionsRequest, faults: OptionFaults
) -> int | None:
    value = request.get(name)
    if value is None:
        return None
    if not _is_whole(value) or not limits[0] <= value <= limits[1]:
        faults.append((rule, _wrong(name, value, f": choose a number from {limits[0]} to {limits[1]}")))
        return None
    return None if value == usual else int(value)  # the edition's own value is no house rule


def _join_words(words: Sequence[str], joint: str = "or") -> str:
    return f" {joint} ".join(words) if len(words) < 3 else f"{', '.join(words[:-1])}, {joint} {words[-1]}"
