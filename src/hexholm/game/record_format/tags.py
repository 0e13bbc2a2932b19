"""The tags of a record: what is said of a game before its turns, read into options, board, start and result."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from typing import Any, Final

from hexholm.rules.boards import Layout, layout_for, read_board_data
from hexholm.rules.colors import Color
from hexholm.rules.errors import BadInput
from hexholm.rules.setup.editions import FIXED
from hexholm.rules.setup.options import HOUSE_NUMBERS, SWITCHES, Options, check_options

from ..action import COLORS
from ..language.clean_text import first_words, one_line, quoted_text
from ..positions.position import Position, position_text, read_position
from ..positions.position_words import PUBLIC
from ..result import STOPS, Result
from .record_base import RECORD_FORMAT
from .steps import BadRecord
from .text_form import BOARD_TAGS, OPTION_TAGS, TAGS
from .turn_tracker import TurnTracker

MOST_POINTS: Final = 127
TAG_LINE: Final = re.compile(r"\s*\[\s*[A-Za-z]")
_TAG: Final = re.compile(r'\s*\[\s*([A-Za-z][\w-]*)\s*"([^"\\]*(?:\\.[^"\\]*)*)"\s*\]', re.DOTALL)
_MOST_WORD: Final = 40  # longer ones are nothing that the rules know, and need not be quoted in full
_MOST_AGES: Final = 12
_MOST_VALUE: Final = 4000  # characters in a tag with a meaning, but for a position
_YES: Final = {**dict.fromkeys(("yes", "true", "on", "1"), True), **dict.fromkeys(("no", "false", "off", "0"), False)}


class Tags:
    """The tags of one game, in a text that begins in line `line` of a file; `offset` is how far it is read."""

    def __init__(self, text: str, line: int) -> None:
        self.text, self.first_line = text, line
        self.offset = 0
        self.tags: dict[str, str] = {}
        self.lines: dict[str, int] = {}
        self.extra: dict[str, str] = {}
        self.colors: tuple[Color, ...] = ()
        self.tracker: TurnTracker
        self._line_mark = 0, line

    def line(self, offset: int) -> int:
        """The number of the line with that place of the text."""
        start, line = self._line_mark
        if offset < start:
            start, line = 0, self.first_line
        self._line_mark = offset, line + self.text.count("\n", start, offset)
        return self._line_mark[1]

    def fault(self, message: str, offset: int | str | None = None) -> BadRecord:
        """A fault at a place of the text or in a tag."""
        if isinstance(offset, str):
            return BadRecord(message, self.lines.get(offset, self.first_line))
        return BadRecord(message, self.line(self.offset if offset is None else offset))

    def read_tags(self) -> None:
        """All tags before the turns."""
        tag_names = {name.lower(): name for name in TAGS}
        while match := _TAG.match(self.text, self.offset):
            name, value = match[1], one_line(re.sub(r"\\(.)", r"\1", match[2], flags=re.DOTALL))
            tag = tag_names.get(name.lower().replace("_", "").replace("-", ""))
            if tag is None and name.lower() in COLORS:
                tag = name.capitalize()
            if (tag or name) in self.lines:
                raise self.fault(f"the tag {tag or name[:_MOST_WORD]} is there twice", match.end())
            self.lines[tag or name] = self.line(match.start(1))
            if len(value) > _MOST_VALUE and tag not in (None, "Start"):
                raise self.fault(f"{tag} {quoted_text(value)} has {len(value)} characters; that is too long", tag)
            if tag is None:
                self.extra[name] = value
            else:
                self.tags[tag] = value
            self.offset = match.end()
        if TAG_LINE.match(self.text, self.offset):
            offset = self.offset + len(self.text[self.offset :]) - len(self.text[self.offset :].lstrip())
            line = self.text[offset:].partition("\n")[0]
            raise self.fault(f'cannot read the tag {quoted_text(line)}; write it like [Edition "sixth"]', offset)
        version = self.tags.get("Format", RECORD_FORMAT)
        if version.lower() != RECORD_FORMAT:
            raise self.fault(f"the format {quoted_text(version)} is unknown; this is for {RECORD_FORMAT}", "Format")

    def read_start(self) -> Position | None:
        """The position in which the game begins, if it does not begin at the beginning."""
        if "Start" not in self.tags:
            return None
        try:
            return read_position(self.tags["Start"])
        except BadInput as error:
            raise self.fault(f"Start: {error}", "Start") from None

    def read_number(self, tag: str, least: int, most: int) -> int:
        value = self.tags[tag]
        if not re.fullmatch("[0-9]{1,6}", value) or not least <= int(value) <= most:
            raise self.fault(f"{tag} {quoted_text(value)}: write a number from {least} to {most}", tag)
        return int(value)

    def read_numbers(self, tag: str, text: str) -> tuple[int, ...]:
        words = text.replace(",", " ").split()
        if not all(re.fullmatch("[0-9]{1,3}", word) and int(word) <= MOST_POINTS * 2 for word in words):
            raise self.fault(f"{tag} {quoted_text(text)}: write numbers with blanks between", tag)
        return tuple(map(int, words))

    def word(self, tag: str) -> str:
        return self.tags[tag].lower()[:_MOST_WORD]

    def read_flag(self, tag: str) -> bool | None:
        value = self.tags.get(tag)
        if value is None:
            return None
        if value.lower() not in _YES:
            raise self.fault(f"{tag} {quoted_text(value)}: it is yes or no", tag)
        return _YES[value.lower()]

    def read_options(self, position: Position | None) -> Options:
        if "Edition" not in self.tags:
            if position is not None:
                return self.position_options(position.options)
            raise self.fault('the edition is missing; write it like [Edition "sixth"]', self.first_line and "Format")
        values: dict[str, Any] = {"edition": self.word("Edition")}
        for tag, name in {"Setup": "setup", **OPTION_TAGS}.items():
            if tag not in self.tags:
                continue
            if name in SWITCHES:
                values[name] = self.read_flag(tag)
            elif name in ("map", *HOUSE_NUMBERS):
                values[name] = self.read_number(tag, 0, MOST_POINTS)
            else:
                values[name] = self.word(tag)
        if "Players" in self.tags:
            colors = self.tags["Players"].lower().replace(",", " ").split()
            values["colors"] = tuple(first_words(colors))
            values["players"] = len(values["colors"])
        if "Ages" in self.tags:
            values["ages"] = self.read_numbers("Ages", self.tags["Ages"])[:_MOST_AGES]
        try:
            values["first"] = self.read_first(check_options(**{**values, "ages": None}).colors)
            options = check_options(**values)
        except BadRecord:
            raise
        except BadInput as error:
            raise self.fault(str(error), "Edition") from None
        return options

    def position_options(self, options: Options) -> Options:
        """The options of a position; what the tags say of the players must be the same."""
        for tag in ("Setup", *OPTION_TAGS, "Players", "Ages", "First"):
            if tag in self.tags:
                raise self.fault(f"{tag}: say the edition too, or leave it to the Start", tag)
        return options

    def read_first(self, colors: tuple[Color, ...]) -> int | str | None:
        """The option `first` from `red, named`, `blue, highest roll`, ..."""
        first_tag = self.tags.get("First", "").lower()
        color, _, method = (part.strip() for part in first_tag.partition(","))
        if "highest roll" in first_tag or first_tag == "roll":
            return "roll" if "by choice" in first_tag or first_tag == "roll" else None
        if color in colors and (not method or method.startswith("named")):
            return colors.index(color)
        if not first_tag or "oldest" in first_tag or "seat 1" in first_tag:
            return None
        forms = ", ".join((f"{colors[0]}, named", f"{colors[0]}, highest roll", f"{colors[0]}, oldest"))
        raise self.fault(f"First {quoted_text(first_tag)}: write it like one of: {forms} (SETUP-05)", "First")

    def check_first(self) -> None:
        """Whether the one who is said to begin did."""
        color = self.tags.get("First", "").lower().partition(",")[0].strip()
        if color in self.colors:
            first = None if self.tracker.first is None else self.colors[self.tracker.first]
            if first != color:
                first_text = f"{first} begins" if first else "the starting rolls are not finished"
                raise self.fault(f"First says that {color} begins, but {first_text} (SETUP-06)", "First")
        elif color in COLORS:
            raise self.fault(f"First: {color} does not play; the players are {', '.join(self.colors)}", "First")

    def read_layout(self, options: Options, position: Position | None) -> Layout:
        """The board; one that the rules in force name need not be told."""
        words = {key: "".join(self.tags[tag].split()) for tag, key in BOARD_TAGS.items() if tag in self.tags}
        try:
            if "hexes" in words:
                layout = read_position(" ".join(f"{key}={value}" for key, value in words.items())).layout
            elif words:
                raise BadInput("the hexes are missing")
            elif position is not None:
                layout = position.layout
            elif options.setup == FIXED or options.map is not None:
                layout = layout_for(options, 0)
                layout = Layout(layout.board, layout.start, standard=layout.standard)
            else:
                raise BadInput("the hexes and harbors are missing; they are different in every game of this set-up")
            if "Pieces" in self.tags:
                layout = self.with_pieces(layout)
        except BadRecord:
            raise
        except BadInput as error:
            raise self.fault(f"the board: {error}", "Hexes") from None
        return layout

    def with_pieces(self, layout: Layout) -> Layout:
        """A board with the start pieces of a fixed set-up."""
        data = tomllib.loads(layout.to_toml())
        data["start"] = start = {}
        for part in filter(None, map(str.strip, self.tags["Pieces"].split(";"))):
            color, _, pairs_text = part.partition(" ")
            pairs = [pair.split() for pair in pairs_text.split(",")]
            if color.lower() not in COLORS or color.lower() in start or not all(map(_is_piece, pairs)):
                raise self.fault(
                    f"Pieces: cannot read {quoted_text(part)}; write them like red B2n B2/ne, D1n* D1/ne", "Pieces"
                )
            start[color.lower()] = [
                {"settlement": corner.rstrip("*"), "road": side, "paid": corner.endswith("*")} for corner, side in pairs
            ]
        return read_board_data(data)

    def read_eyes(self, options: Options) -> str | None:
        eyes = self.tags.get("SeenBy", "").lower()
        if eyes not in ("", PUBLIC, *options.colors):
            raise self.fault(
                f"SeenBy {quoted_text(eyes)}: the players are {', '.join(options.colors)}, or write {PUBLIC}", "SeenBy"
            )
        return eyes or None

    def read_result(self) -> Result | None:
        result_text, _, note = self.tags.get("Result", "*").partition(":")
        words = result_text.lower().split()
        if words in ([], ["*"]) and not note:
            return None
        points = [word for word in words if word.isdecimal()]
        ending = " ".join(words[: len(words) - len(points)])
        winner = ending.removesuffix(" won")
        valid = (ending in STOPS) or (winner != ending and winner in self.colors)
        if not valid or words[len(words) - len(points) :] != points or len(points) != len(self.colors):
            example = f"{self.colors[0]} won {' '.join(['10', '7', '6', '4'][: len(self.colors)])}"
            forms = f"{example!r}, 'agreed ...', 'abandoned ...', 'capped ...' with the points of all, or '*'"
            raise self.fault(f"Result {quoted_text(result_text)}: write it like {forms}", "Result")
        numbers = self.read_numbers("Result", " ".join(points))
        if ending in STOPS:
            return Result(ending, None, numbers, note)  # type: ignore[arg-type]  # one of STOPS
        return Result("won", winner, numbers, note)

    def read_revealed(self, eyes: Color | None) -> tuple[int, ...] | None:
        """The victory point cards that were shown at the end."""
        if "Revealed" not in self.tags:
            return None
        counts = self.read_numbers("Revealed", self.tags["Revealed"])
        if eyes is None or len(counts) != len(self.colors):
            reason = "only a copy has it" if eyes is None else f"write {len(self.colors)} numbers, by seat"
            raise self.fault(f"Revealed: {reason} (WIN-07)", "Revealed")
        return counts

    def read_final(self, eyes: Color | None) -> str | None:
        """The hash of the last position."""
        final = self.tags.get("Final", "").lower()
        if final and (eyes is not None or not re.fullmatch("[0-9a-f]{16}", final)):
            reason = "a copy must not have it: guesses could be tried on it" if eyes else "it is 16 hexadecimal digits"
            raise self.fault(f"Final {quoted_text(final)}: {reason}", "Final")
        return final or None


def _is_piece(words: list[str]) -> bool:
    """Whether this may be a corner and a side."""
    return len(words) == 2 and all(len(word) < _MOST_WORD for word in words)


def canonical_start(position: Position, options: Options, layout: Layout) -> str:
    """The text of a start position; its rules (but for how it was decided who begins) and its board must be those."""
    if replace(options, first=None, ages=None) != replace(position.options, first=None, ages=None):
        raise BadRecord("the position at the start has other rules or players than the rest says")
    if position.layout.board != layout.board:
        raise BadRecord("the position at the start has another board than the rest says")
    return position_text(options, layout, position.state, position.open_offers)
