"""The words of a position or view, taken apart: keys and values, rules and board (docs/formats/).

Any order, any case, any name of a place, resources in the words of any edition. What lies on the table, and what the
words mean together, is read in :mod:`.position_reader`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from typing import Any, Final

from hexholm.rules.boards import BadBoard, Layout, beginner_layout, read_board_data
from hexholm.rules.colors import Color
from hexholm.rules.encoding.lanes import pack
from hexholm.rules.encoding.structs import NOBODY, OFFERS, RESOURCES, TERRAINS
from hexholm.rules.errors import BadInput
from hexholm.rules.places import HEX_NAMES
from hexholm.rules.setup.options import HOUSE_NUMBERS, SWITCHES, BadOptions, Options, check_options

from ..cards import Cards, DevelopmentCards
from ..language.clean_text import first_words, quoted_text

POSITION_FORMAT: Final = "hexholm-position-1"
VIEW_FORMAT: Final = "hexholm-view-1"
"""The version words of the two texts."""
PUBLIC: Final = "public"
"""Whose view or copy it is when it is for everybody."""
TERRAIN_LETTERS: Final = "hfpgmd"  # as the rule catalogue has them: hills, forest, pasture, grain, mountains, desert
RESOURCE_LETTERS: Final = "BLWGO"
CARD_LETTERS: Final = "KVRYM"

_SETTINGS: Final = (
    *("edition", "players", "setup", "phases", "harbors-by", "numbers-by", "map", "first-by", "ages"),
    *(name.replace("_", "-") for name in (*HOUSE_NUMBERS, *SWITCHES)),
)
_BOARD: Final = ("hexes", "harbors", "spiral", "frame", "standard")
_FLOW: Final = (
    *("first", "turn", "turn-number", "phase", "dice", "card-played", "trading", "free-roads", "free-placed", "victim"),
    *("to-roll", "best-roll", "best-rollers", "longest-road", "largest-army", "dice-gone", "robber", "bank", "deck"),
)
OFFER_KEYS: Final = tuple(f"offer{slot + 1}" for slot in range(OFFERS))
VIEW_KEYS: Final = ("seen-by", "worlds", "worlds-capped")
POSITION_KEYS: Final = (*VIEW_KEYS, *_SETTINGS, *_BOARD, *_FLOW, *OFFER_KEYS)
SEAT_VIEW_KEYS: Final = ("card-hands", "card-hands-capped")
SEAT_KEYS: Final = ("hand", "chosen", "cards", "new", "played", "settlements", "cities", "roads", *SEAT_VIEW_KEYS)
_SEAT_ALIASES: Final = {"settlement": "settlements", "city": "cities", "road": "roads", "card": "cards"}
YES_NO: Final = {**dict.fromkeys(("yes", "true", "on"), True), **dict.fromkeys(("no", "false", "off"), False)}

_TERRAIN_WORDS: Final = {
    **dict(zip(TERRAINS, TERRAINS, strict=True)),
    **dict(zip(RESOURCES, TERRAINS, strict=False)),
    **{other: TERRAINS[RESOURCES.index(name)] for other, name in Cards.other_names.items()},
    **dict(zip(TERRAIN_LETTERS, TERRAINS, strict=True)),
}
_HEX: Final = re.compile(f"({'|'.join(sorted(_TERRAIN_WORDS, key=len, reverse=True))})([0-9]{{0,2}}),?")
MOST_TEXT: Final = 200_000
"""Characters; no position is nearly so long, and no view either."""
MOST_FAULTS: Final = 20
"""When so many are found, reading stops."""
_MOST_ADVICE: Final = 3  # words for which near ones are looked for
_MOST_VALUE: Final = 4000  # characters, but for what an observer infers
_MOST_WORD: Final = 40  # a longer one is nothing that the rules know, and need not be quoted in full
_MOST_HARBORS: Final = 40
_LIKE: Final = "2brick,1ore, or 2knight,1monopoly"
_NUMBER: Final = re.compile(r"[0-9]{1,24}(\.[0-9]{1,40})?(e[+-]?[0-9]{1,3})?")


class BadPosition(BadInput):
    """A text that is no sound position or view; `faults` says all that is wrong and what would be right."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("; ".join(faults))
        self.faults = faults

    def __reduce__(self) -> tuple[Any, ...]:
        return BadPosition, (self.faults,)


def cite(text: str) -> str:
    """A piece of the text in quotes, not too long."""
    return quoted_text(text, 48)


def spelling_advice(word: str, choices: Iterable[str]) -> str:
    """Advice on a word that is unknown."""
    choices = list(choices)
    close_matches = get_close_matches(word[:40], choices, 3, 0.5)
    return f"did you mean {' or '.join(close_matches)}?" if close_matches else f"there are {', '.join(choices)}"


class PositionWords:
    """The words of one text by key, and the faults found so far."""

    def __init__(self, text: str) -> None:
        self.faults: list[str] = []
        self.words: dict[str, str] = {}
        self.seat_words: dict[str, dict[str, str]] = {}
        self.unknown = "?" in text  # something in it is not known to its writer
        self.formats: list[str] = []
        self.colors: tuple[Color, ...] = ()
        if len(text) > MOST_TEXT:
            raise BadPosition([f"a text of {len(text)} characters; no position or view has more than {MOST_TEXT}"])
        words = text.split()
        for number, word in enumerate(words):
            if len(self.faults) == MOST_FAULTS:
                raise BadPosition([*self.faults, f"the other {len(words) - number} words were not looked at"])
            self.sort_word(word)

    def report(self, *faults: str) -> None:
        """Note faults; raises if there are too many."""
        for fault in faults:
            if len(self.faults) == MOST_FAULTS:
                raise BadPosition([*self.faults, "and more: these are the first of many faults"])
            self.faults.append(fault)

    def raise_faults(self) -> None:
        """Raise if there are faults."""
        if self.faults:
            raise BadPosition(self.faults)

    def sort_word(self, word: str) -> None:
        """Sort one word of the text."""
        if re.fullmatch(r"hexholm-\w+-\w+", word.lower()):
            if word.lower() not in (POSITION_FORMAT, VIEW_FORMAT):
                self.report(f"the format {cite(word)} is unknown; this is for {POSITION_FORMAT} and {VIEW_FORMAT}")
            elif self.formats:
                self.report("the version word is there twice")
            self.formats.append(word.lower())
            return
        key, equals, value = word.partition("=")
        key = key.lower().replace("_", "-")
        if not equals or not key:
            self.report(f"{cite(word)} is no key=value; write it like turn=red or red:hand=2brick,1ore, without blanks")
            return
        color, colon, name = key.partition(":")
        if colon:
            name = _SEAT_ALIASES.get(name, name)
            if name not in SEAT_KEYS:
                self.report(f"{cite(key)}: a player has no {cite(name)}{self.advice(name, SEAT_KEYS)}")
                return
            words, key = self.seat_words.setdefault(color, {}), name
        else:
            words = self.words
            if key not in POSITION_KEYS:
                self.report(f"there is no key {cite(key)}{self.advice(key, POSITION_KEYS)}")
                return
        if len(value) > _MOST_VALUE and key not in ("worlds", "card-hands"):
            self.report(f"{cite(word.partition('=')[0])}: {cite(value)} has {len(value)} characters; that is too long")
            return
        if key in words:
            self.report(f"{cite(word.partition('=')[0])} is there twice")
        words.setdefault(key, value)

    def advice(self, word: str, choices: Iterable[str]) -> str:
        """Advice on an unknown word; only on the first of them, for it takes its time."""
        return f"; {spelling_advice(word, choices)}" if len(self.faults) < _MOST_ADVICE else ""

    # --- single values ---------------------------------------------------------------------------------------

    def read_flag(self, key: str) -> bool | None:
        """A word that is yes or no; None if it is left out."""
        value = self.words.get(key)
        if value is None:
            return None
        if value.lower() not in YES_NO:
            self.report(f"{key}={cite(value)}: it is yes or no")
        return YES_NO.get(value.lower(), False)

    def read_number(self, key: str, least: int, most: int) -> int | None:
        """A whole number; None if it is left out or cannot be read."""
        value = self.words.get(key)
        if value is None:
            return None
        if not re.fullmatch("[0-9]{1,10}", value) or not least <= int(value) <= most:
            self.report(f"{key}={cite(value)}: write a number from {least} to {most}")
            return None
        return int(value)

    def read_seat(self, key: str, value: str) -> int:
        """A seat by its color, NOBODY if there is none."""
        if value.lower() in self.colors:
            return self.colors.index(value.lower())
        self.report(
            f"{key}={cite(value)}: nobody plays that color; the players are {', '.join(self.colors)} (SETUP-02)"
        )
        return NOBODY

    def seat_at(self, key: str) -> int | None:
        """The seat that a word names; None if it is left out, NOBODY for `nobody`."""
        value = self.words.get(key)
        if value is None:
            return None
        return NOBODY if value.lower() == "nobody" else self.read_seat(key, value)

    def seats_at(self, key: str) -> int:
        """The seats that a word names, as bits."""
        value = self.words.get(key, "")
        seats = [self.read_seat(key, color) for color in value.split(",") if color]
        if len(set(seats)) < len(seats):
            self.report(f"{key} names a player twice")
        return sum(1 << seat for seat in set(seats) if seat >= 0)

    def read_counts(self, key: str, text: str, kinds: type[Cards | DevelopmentCards]) -> tuple[int, int]:
        """How many unknown cards, and the known ones (lanes), from `?2,1knight`."""
        hidden, known_parts = 0, []
        for part in text.split(","):
            if re.fullmatch(r"\?[0-9]{1,2}", part):
                hidden += int(part[1:])
            elif part:
                known_parts.append(part)
        try:
            return hidden, kinds(" ".join(known_parts)).lanes
        except BadInput as error:
            short = len(text) <= _MOST_WORD
            self.report(
                f"{key}={cite(text)}: {error if short else f'cannot read these cards; write them like {_LIKE}'}"
            )
            return 0, 0

    def read_places(self, key: str, text: str, read: Callable[[str], int], names: list[str]) -> tuple[int, int]:
        """The places in a list, as bits, and the one with a star or -1."""
        bits, star = 0, -1
        for part in text.split(",") if text.lower() not in ("none", "") else ():
            try:
                place = read(part.removesuffix("*"))
            except BadInput as error:
                self.report(f"{key}: {error}")
                continue
            if bits >> place & 1:
                self.report(f"{key} names {names[place]} twice")
            if part.endswith("*"):
                if star >= 0:
                    self.report(f"{key}: two stars; only the second start settlement has one (SETUP-16)")
                star = place
            bits |= 1 << place
        return bits, star

    def read_weighted_hands(
        self, key: str, letters: str, parts: int, most: int, text: str | None = None
    ) -> list[tuple[float, list[int]]]:
        """Numbers with hands, `0.5:2B1O/-/1W;0.5:...`, `parts` hands each."""
        weighted_hands: list[tuple[float, list[int]]] = []
        items = (self.words[key] if text is None else text).split(";")
        if len(items) > most:
            self.report(f"{key}: {len(items)} are told; there is room for {most}")
            return []
        for item in items:
            number, _, hands_text = item.partition(":")
            hands = hands_text.upper().split("/")
            fits = all(re.fullmatch(f"-|([0-9]{{1,2}}[{letters}])+", hand) for hand in hands)
            if not _NUMBER.fullmatch(number) or not math.isfinite(float(number)) or not fits or len(hands) != parts:
                example = "/".join(f"2{letters[0]}1{letters[4]}" for _ in range(parts))
                self.report(
                    f"{key}: cannot read {cite(item)}; write a number and hands, like 0.5:{example}, - for none"
                )
                return []
            counts = [
                pack([sum(int(n) for n in re.findall(f"([0-9]+){letter}", hand)) for letter in letters])
                for hand in hands
            ]
            weighted_hands.append((float(number), counts))
        return weighted_hands

    # --- rules and board -------------------------------------------------------------------------------------------

    def read_options(self) -> Options | None:
        """The options, None if they contradict each other."""
        values: dict[str, Any] = {}
        for key, name in (("edition", "edition"), ("setup", "setup"), ("phases", "phases")):
            if key in self.words:
                values[name] = self.words[key].lower()[:_MOST_WORD]
        for key, name in (("harbors-by", "harbors"), ("numbers-by", "numbers")):
            if key in self.words:
                values[name] = self.words[key].lower().replace("-", "_")[:_MOST_WORD]
        for name in ("map", *HOUSE_NUMBERS):
            values[name] = self.read_number(name.replace("_", "-"), 0, 999)
        for name in SWITCHES:
            values[name] = self.read_flag(name.replace("_", "-"))
        if "players" in self.words:
            players = self.words["players"].lower()
            if players in ("2", "3", "4"):
                values["players"] = int(players)  # the edition's first colors
            else:
                values["colors"] = tuple(first_words(players.split(",")))
                values["players"] = len(values["colors"])
        if "ages" in self.words:
            ages = self.words["ages"].split(",")
            if all(re.fullmatch("[0-9]{1,3}", age) for age in ages):
                values["ages"] = tuple(map(int, first_words(ages)))
            else:
                self.report(f"ages={cite(self.words['ages'])}: write them in years, like ages=34,21,50 (SETUP-05)")
        values["first"] = self.read_first(values)
        try:
            options = check_options(**values)
        except BadOptions as error:
            self.report(*(f"{message} ({rule})" for rule, message in error.faults))
            return None
        first = self.words.get("first", "").lower()
        if options.first is None and options.ages is None and first in options.colors:
            if options.starter() not in (None, options.colors.index(first)):
                values["first"] = options.colors.index(first)  # somebody named who begins
        return check_options(**values)

    def read_first(self, values: dict[str, Any]) -> int | str | None:
        """The option `first`: a seat that was named, "roll", or None."""
        first_by = self.words.get("first-by", "").lower()
        if first_by not in ("named", "roll", ""):
            self.report(
                f"first-by={cite(first_by)}: it is named or roll; leave it out if the edition decides (SETUP-05)"
            )
        if first_by == "roll":
            return "roll"
        if first_by != "named":
            return None
        first = self.words.get("first", "").lower()
        try:
            colors = check_options(**{**values, "first": None}).colors
        except BadOptions:
            return None  # told where the options are made
        if first not in colors:
            self.report(f"first-by=named: say who begins, like first={colors[0]} (SETUP-05)")
            return None
        return colors.index(first)

    def read_board(self) -> Layout | None:
        """The board; what is left out is as on the beginners' board."""
        default_board, fault_count = beginner_layout().as_dict(), len(self.faults)
        data: dict[str, Any] = {"hexes": default_board["hexes"], "harbors": default_board["harbors"]}
        if "harbors" in self.words:
            data["harbors"] = self.read_harbors(self.words["harbors"].lower())
        if "spiral" in self.words:
            data["spiral"] = self.words["spiral"].upper()[:_MOST_WORD]
        if "frame" in self.words:
            data["frame"] = first_words(self.words["frame"].split(","), 7, 7)
        standard = self.read_flag("standard")
        data["standard"] = standard is not False
        if "hexes" in self.words:
            hexes = self.read_hexes(self.words["hexes"].lower())
            if hexes is None:
                data.pop("spiral", None)  # it cannot be compared
            else:
                data["hexes"] = hexes
        try:
            layout = read_board_data(data)
        except BadBoard as error:
            self.report(*(f"{message} ({rule})" for rule, message in error.faults))
            return None
        return layout if len(self.faults) == fault_count else None

    def read_hexes(self, text: str) -> dict[str, list[Any]] | None:
        """Five rows of terrain and numbers, `m10p2f9/g12h6p4h10/...`; None if they cannot be read."""
        rows, hexes = text.split("/"), dict[str, list[Any]]()
        sizes = [sum(1 for name in HEX_NAMES if name[0] == row) for row in "ABCDE"]
        for row, size, content in zip("ABCDE", sizes, rows, strict=False):
            offset = number = 0
            while offset < len(content) and (match := _HEX.match(content, offset)):
                number, offset = number + 1, match.end()
                hexes[f"{row}{number}"] = [_TERRAIN_WORDS[match[1]], int(match[2]) if match[2] else None]
            if offset < len(content):
                letters = ", ".join(map("{} for {}".format, TERRAIN_LETTERS, TERRAINS))
                self.report(
                    f"hexes, row {row}: cannot read {cite(content[offset:])}; write a letter, {letters}, and a number"
                )
                return None
            if number != size:
                self.report(f"hexes, row {row}: {number} hexes, not {size} (MAP-01)")
        if len(rows) != len(sizes):
            self.report(f"hexes: {len(rows)} rows, not 5 with a slash between (MAP-01)")
        return hexes if list(hexes) == HEX_NAMES else None

    def read_harbors(self, text: str) -> list[list[str]]:
        """Sides with kinds, `A1/nw:any,A2/ne:grain`."""
        if text in ("none", ""):
            return []
        pairs = [part[:_MOST_WORD].partition(":")[::2] for part in text.split(",")[:_MOST_HARBORS]]
        kinds = {**Cards.other_names, "3:1": "any"}
        return [[side, kinds.get(kind, kind)] for side, kind in pairs]
