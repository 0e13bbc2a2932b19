"""What a game is created with: the edition, the set-up, the options its books offer, and house rules by name.

    >>> from hexholm.rules.options import check_options
    >>> check_options(edition="threed", setup="variable", numbers="random").harbors
    'harbor_shuffle'

:func:`check_options` fills in the edition's defaults and reports every fault at once. What no book offers cannot be set
by accident: two players and the house rules are off unless named, and :meth:`Options.house_rules` says which are on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Final, Literal

from .editions import EDITIONS, FALLBACK_EDITION, FIXED, SETUPS, VARIABLE, Edition, edition
from .errors import BadInput
from .house_rules import HAND_LIMIT, POINTS_TO_WIN, SPARED_BELOW

ZIP_MAPS: Final = 50  # ZIP-01: the pad has fifty sheets
PRINTED: Final = "printed"
PAD_EDITION: Final = next(name for name in EDITIONS if PRINTED in edition(name).number_placement)
"""The edition whose boards are printed on a pad (ZIP-01)."""

OptionFaults = list[tuple[str, str]]
"""What is wrong, each with the id of the rule."""
AskedOptions = dict[str, Any]
"""The options that were given, by name."""


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
    colors: tuple[str, ...]
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
        """The seats that roll for the start; () if the starter is known."""
        everybody = tuple(range(self.players))
        if self.first == "roll":
            return everybody
        if self.first is not None:
            return ()
        if self.ages is not None:
            oldest = tuple(seat for seat in everybody if self.ages[seat] == max(self.ages))
            return oldest if len(oldest) > 1 else ()  # equal ages: these roll (SETUP-07)
        return () if _oldest_begins(self.edition_data, self.setup) else everybody

    def starter(self) -> int | None:
        """The seat that begins, or None if a start roll decides (SETUP-05, SETUP-06)."""
        if self.rollers():
            return None
        if self.first is not None:
            assert self.first != "roll"
            return self.first
        return self.ages.index(max(self.ages)) if self.ages is not None else 0  # no ages known: seat 0 (SETUP-05.e1)

    def who_begins(self) -> str:
        """Who begins and why, in words, for the record of a game (SETUP-05.e1)."""
        starter = self.starter()
        if starter is None:
            rolling = ", ".join(self.colors[seat] for seat in self.rollers())
            return f"highest roll of {rolling}"
        if self.first is not None:
            return f"{self.colors[starter]}, named when the game was created"
        if self.ages is not None:
            return f"{self.colors[starter]}, the oldest"
        return f"{self.colors[starter]}, in seat 1, because no ages are known"

    def house_rules(self) -> list[str]:
        """What is in force that no rule book offers, one line each; to be shown with the game, always."""
        book = self.edition_data
        lines = []
        if self.players < book.min_players:
            lines.append(f"unofficial: {self.players} players (the books: {book.min_players} to {book.max_players})")
        if self.points_to_win is not None:
            lines.append(f"house rule: {self.points_to_win} points to win (the books: {book.victory_points})")
        if self.hand_limit is not None:
            lines.append(
                f"house rule: on a seven, hands over {self.hand_limit} cards are halved"
                f" (the books: over {book.hand_limit_on_seven})"
            )
        if self.friendly_robber:
            lines.append(
                f"house rule: friendly robber, it spares opponents with fewer than {SPARED_BELOW} points in view"
            )
        if self.balanced_dice:
            lines.append(f"house rule: balanced dice ({BALANCED_DICE}), drawn from a bag of the 36 pairs")
        return lines

    def as_dict(self) -> dict[str, Any]:
        """Plain data, fit for JSON; `check_options(**o.as_dict()) == o`."""
        data = asdict(self)
        return {key: list(value) if isinstance(value, tuple) else value for key, value in data.items()}


BALANCED_DICE: Final = "balanced-1"
"""The published algorithm of the house rule (docs/decisions/0002); another one would have another name."""

_OPTION_NAMES: Final = tuple(field.name for field in fields(Options))


def check_options(**given: Any) -> Options:
    """Options with the edition's defaults filled in; raises :class:`BadOptions` naming every fault.

    Without an edition they are of FALLBACK_EDITION; whoever asks people fills in DEFAULT_EDITION before.
    """
    faults: OptionFaults = [
        ("EDN-02", f"there is no option {name!r}; the options are {', '.join(_OPTION_NAMES)}")
        for name in given
        if name not in _OPTION_NAMES
    ]
    asked = {name: value for name in _OPTION_NAMES if (value := given.get(name)) is not None}
    name = asked.get("edition", FALLBACK_EDITION)
    if name not in EDITIONS:
        faults.append(("EDN-01", f"there is no edition {name!r}; the editions are {', '.join(EDITIONS)}"))
        raise BadOptions(faults)  # the other checks need an edition
    book = edition(name)
    setup = _read_setup(book, asked, faults)
    players = _read_players(book, asked, faults)
    values: dict[str, Any] = {
        "edition": name,
        "players": players,
        "setup": setup,
        "phases": _read_phases(book, asked, faults),
        "harbors": _read_placement("harbors", book.variable_harbors, setup, book, asked, faults),
        "numbers": _read_placement("numbers", book.number_placement, setup, book, asked, faults),
        "map": _read_map(book, setup, asked, faults),
        **_read_first_player(book, setup, players, asked, faults),
        "colors": _read_colors(book, setup, players, asked, faults),
        "two_players": _read_switch("two_players", "COMP-12", asked, faults),
        "points_to_win": _read_house_number(
            "points_to_win", POINTS_TO_WIN, "WIN-01", book.victory_points, asked, faults
        ),
        "hand_limit": _read_house_number("hand_limit", HAND_LIMIT, "SEVEN-02", book.hand_limit_on_seven, asked, faults),
        "friendly_robber": _read_switch("friendly_robber", "EDN-02", asked, faults),
        "balanced_dice": _read_switch("balanced_dice", "EDN-02", asked, faults),
    }
    if faults:
        raise BadOptions(faults)
    return Options(**values)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _oldest_begins(book: Edition, setup: str) -> bool:
    return setup == FIXED and book.first_player_fixed == "oldest"


def _read_setup(book: Edition, asked: AskedOptions, faults: OptionFaults) -> str:
    setup = asked.get("setup")
    if setup == "beginner":
        setup = FIXED
    if setup is None:
        # In Zip! the map says which set-up it is.
        chosen = asked.get("map") if PRINTED in book.number_placement else None
        setup = book.default_setup if chosen is None else FIXED if chosen == 1 else VARIABLE
    if setup not in SETUPS:
        faults.append(("SETUP-01", f"set-up {setup!r} is unknown; it is fixed (also: beginner) or variable"))
        return book.default_setup
    return str(setup)


def _read_players(book: Edition, asked: AskedOptions, faults: OptionFaults) -> int:
    players = asked.get("players", 2 if asked.get("two_players") is True else book.max_players)
    two = asked.get("two_players") is True
    if not _is_whole(players):
        many = f"{book.min_players} to {book.max_players}"
        faults.append(("COMP-12", f"players {players!r}: say how many, {many}; colours are named by colors=..."))
        return book.max_players
    if not 2 <= players <= book.max_players:
        faults.append(("COMP-12", f"{players!r} players: the game is for {book.min_players} to {book.max_players}"))
        return book.max_players
    if players < book.min_players and not two:
        fault = f"{players} players: the game is for {book.min_players} to {book.max_players}"
        faults.append(("COMP-12", f"{fault}; two can play only with the unofficial option two_players=True"))
    return int(players)


def _read_phases(book: Edition, asked: AskedOptions, faults: OptionFaults) -> str:
    phases = asked.get("phases", book.phases)
    if phases not in book.phases_options:
        faults.append(("EDN-02", f"phases {phases!r}: edition {book.name} offers {_join_words(book.phases_options)}"))
        return book.phases
    return str(phases)


def _read_placement(
    what: str, offered: tuple[str, ...], setup: str, book: Edition, asked: AskedOptions, faults: OptionFaults
) -> str:
    """How harbors or numbers are placed; only the variable set-up leaves a choice (MAP-10, MAP-14, MAP-15)."""
    if setup == FIXED and PRINTED not in offered:
        offered, why = (FIXED,), "on the fixed board"
    else:
        why = f"in edition {book.name}"
    chosen = asked.get(what, offered[0])
    if chosen not in offered:
        hint = "; a choice needs setup='variable'" if offered == (FIXED,) else ""
        faults.append(("EDN-02", f"{what} {chosen!r}: {why} they are {_join_words(offered)}{hint}"))
        return offered[0]
    return str(chosen)


def _read_map(book: Edition, setup: str, asked: AskedOptions, faults: OptionFaults) -> int | None:
    chosen = asked.get("map")
    if PRINTED not in book.number_placement:
        if chosen is not None:
            faults.append(
                ("ZIP-01", f"map {chosen!r}: only edition {PAD_EDITION} has printed maps, {book.name} has none")
            )
        return None
    if chosen is None:
        return 1 if setup == FIXED else None
    if not _is_whole(chosen) or not 1 <= chosen <= ZIP_MAPS:
        faults.append(("ZIP-01", f"map {chosen!r} is not on the pad; the maps are 1 to {ZIP_MAPS}"))
        return None
    if (chosen == 1) != (setup == FIXED):
        right = f"map 1 has start positions and is the fixed set-up, maps 2 to {ZIP_MAPS} are the variable one"
        faults.append(("ZIP-02", f"map {chosen} with the {setup} set-up: {right}"))
    return int(chosen)


def _read_first_player(
    book: Edition, setup: str, players: int, asked: AskedOptions, faults: OptionFaults
) -> dict[str, Any]:
    first, ages = asked.get("first"), asked.get("ages")
    if first is not None and first != "roll" and not (_is_whole(first) and 0 <= first < players):
        faults.append(("SETUP-05", f"first {first!r}: name a seat from 0 to {players - 1}, or 'roll'"))
        first = None
    if ages is None:
        return {"first": first, "ages": None}
    if not _oldest_begins(book, setup):
        rule = "SETUP-05" if setup == FIXED else "SETUP-06"
        faults.append((rule, f"ages: in the {setup} set-up of edition {book.name} the highest roll begins, not age"))
    if first is not None:
        faults.append(("SETUP-05", "ages and first both say who begins; give one of them"))
    numbers = list(ages) if isinstance(ages, Sequence) and not isinstance(ages, str) else []
    if len(numbers) != players or not all(_is_whole(age) and 0 < age < 200 for age in numbers):
        faults.append(("SETUP-05", f"ages {ages!r}: give {players} ages in years, in the order of the seats"))
        return {"first": first, "ages": None}
    return {"first": first, "ages": tuple(numbers)}


def _read_colors(book: Edition, setup: str, players: int, asked: AskedOptions, faults: OptionFaults) -> tuple[str, ...]:
    free = book.playing_colors(setup, players)
    given = asked.get("colors")
    if given is None:
        return free[:players]
    colors = tuple(given) if isinstance(given, Sequence) and not isinstance(given, str) else ()
    if len(colors) != players:
        faults.append(("SETUP-02", f"colors {given!r}: give {players} colours, one for each seat"))
    for color in colors:
        if color not in book.colors:
            faults.append(
                ("COMP-08", f"edition {book.name} has no colour {color!r}; it has {_join_words(book.colors, 'and')}")
            )
        elif color not in free:
            faults.append(
                ("SETUP-09", f"{color} is left out on the fixed board with {players} players; take {_join_words(free)}")
            )
    twice = sorted({str(color) for color in colors if colors.count(color) > 1})
    if twice:
        faults.append(
            ("SETUP-02", f"{_join_words(twice, 'and')} chosen twice; every player takes a colour of their own")
        )
    return colors


def _read_switch(name: str, rule: str, asked: AskedOptions, faults: OptionFaults) -> bool:
    value = asked.get(name, False)
    if not isinstance(value, bool):
        faults.append((rule, f"{name} {value!r}: it is true or false"))
        return False
    return value


def _read_house_number(
    name: str, limits: tuple[int, int], rule: str, usual: int, asked: AskedOptions, faults: OptionFaults
) -> int | None:
    value = asked.get(name)
    if value is None:
        return None
    if not _is_whole(value) or not limits[0] <= value <= limits[1]:
        faults.append((rule, f"{name} {value!r}: choose a number from {limits[0]} to {limits[1]}"))
        return None
    return None if value == usual else int(value)  # the edition's own value is no house rule


def _join_words(words: Sequence[str], joint: str = "or") -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {joint} {words[-1]}"
