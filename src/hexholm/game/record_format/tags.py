"""The tags of a record: what is said of a game before its turns, read into options, board, start and result."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from typing import Any, Final

from hexholm.rules.boards import Layout, from_dict, layout_for
from hexholm.rules.editions import FIXED
from hexholm.rules.errors import BadInput
from hexholm.rules.options import Options, check_options

from ..action import COLORS
from ..language.clean_text import few, one_line, quoted
from ..positions.position import Position, position_text, read_position
from ..positions.position_words import PUBLIC
from ..result import CUTS, Result
from .record_data import RECORD_FORMAT
from .record_text import BOARD_TAGS, OPTION_TAGS, TAGS
from .walk import BadRecord, Walk

MOST_POINTS: Final = 127
TAG_LINE: Final = re.compile(r"\s*\[\s*[A-Za-z]")
_TAG: Final = re.compile(r'\s*\[\s*([A-Za-z][\w-]*)\s*"([^"\\]*(?:\\.[^"\\]*)*)"\s*\]', re.DOTALL)
_MOST_WORD: Final = 40  # longer ones are nothing that the rules know, and need not be quoted in full
_MOST_AGES: Final = 12
_MOST_VALUE: Final = 4000  # characters in a tag with a meaning, but for a position
_YES: Final = {**dict.fromkeys(("yes", "true", "on", "1"), True), **dict.fromkeys(("no", "false", "off", "0"), False)}


class Tags:
    """The tags of one game, in a text that begins in line `line` of a file; `at` is how far it is read."""

    def __init__(self, text: str, line: int) -> None:
        self.text, self.first_line = text, line
        self.at = 0
        self.tags: dict[str, str] = {}
        self.lines: dict[str, int] = {}
        self.extra: dict[str, str] = {}
        self.colors: tuple[str, ...] = ()
        self.walk: Walk
        self._counted = 0, line

    def line(self, at: int) -> int:
        """The number of the line with that place of the text."""
        place, line = self._counted
        if at < place:
            place, line = 0, self.first_line
        self._counted = at, line + self.text.count("\n", place, at)
        return self._counted[1]

    def no(self, message: str, at: int | str | None = None) -> BadRecord:
        """A fault at a place of the text or in a tag."""
        if isinstance(at, str):
            return BadRecord(message, self.lines.get(at, self.first_line))
        return BadRecord(message, self.line(self.at if at is None else at))

    def read_tags(self) -> None:
        """All tags before the turns."""
        known = {name.lower(): name for name in TAGS}
        while found := _TAG.match(self.text, self.at):
            name, value = found[1], one_line(re.sub(r"\\(.)", r"\1", found[2], flags=re.DOTALL))
            tag = known.get(name.lower().replace("_", "").replace("-", ""))
            if tag is None and name.lower() in COLORS:
                tag = name.capitalize()
            if (tag or name) in self.lines:
                raise self.no(f"the tag {tag or name[:_MOST_WORD]} is there twice", found.end())
            self.lines[tag or name] = self.line(found.start(1))
            if len(value) > _MOST_VALUE and tag not in (None, "Start"):
                raise self.no(f"{tag} {quoted(value)} has {len(value)} characters; that is too long", tag)
            if tag is None:
                self.extra[name] = value
            else:
                self.tags[tag] = value
            self.at = found.end()
        if TAG_LINE.match(self.text, self.at):
            at = self.at + len(self.text[self.at :]) - len(self.text[self.at :].lstrip())
            said = self.text[at:].partition("\n")[0]
            raise self.no(f'cannot read the tag {quoted(said)}; write it like [Edition "sixth"]', at)
        version = self.tags.get("Format", RECORD_FORMAT)
        if version.lower() != RECORD_FORMAT:
            raise self.no(f"the format {quoted(version)} is unknown; this is for {RECORD_FORMAT}", "Format")

    def read_start(self) -> Position | None:
        """The position in which the game begins, if it does not begin at the beginning."""
        if "Start" not in self.tags:
            return None
        try:
            return read_position(self.tags["Start"])
        except BadInput as no:
            raise self.no(f"Start: {no}", "Start") from None

    def whole(self, tag: str, least: int, most: int) -> int:
        value = self.tags[tag]
        if not re.fullmatch("[0-9]{1,6}", value) or not least <= int(value) <= most:
            raise self.no(f"{tag} {quoted(value)}: write a number from {least} to {most}", tag)
        return int(value)

    def numbers(self, tag: str, text: str) -> tuple[int, ...]:
        words = text.replace(",", " ").split()
        if not all(re.fullmatch("[0-9]{1,3}", word) and int(word) <= MOST_POINTS * 2 for word in words):
            raise self.no(f"{tag} {quoted(text)}: write numbers with blanks between", tag)
        return tuple(map(int, words))

    def word(self, tag: str) -> str:
        return self.tags[tag].lower()[:_MOST_WORD]

    def yes(self, tag: str) -> bool | None:
        value = self.tags.get(tag)
        if value is None:
            return None
        if value.lower() not in _YES:
            raise self.no(f"{tag} {quoted(value)}: it is yes or no", tag)
        return _YES[value.lower()]

    def read_options(self, position: Position | None) -> Options:
        if "Edition" not in self.tags:
            if position is not None:
                return self.with_seats(position.options)
            raise self.no('the edition is missing; write it like [Edition "sixth"]', self.first_line and "Format")
        given: dict[str, Any] = {"edition": self.word("Edition")}
        for tag, name in {"Setup": "setup", **OPTION_TAGS}.items():
            if tag not in self.tags:
                continue
            if name in ("two_players", "friendly_robber", "balanced_dice"):
                given[name] = self.yes(tag)
            elif name in ("map", "points_to_win", "hand_limit"):
                given[name] = self.whole(tag, 0, MOST_POINTS)
            else:
                given[name] = self.word(tag)
        if "Players" in self.tags:
            colors = self.tags["Players"].lower().replace(",", " ").split()
            given["colors"] = tuple(few(colors))
            given["players"] = len(given["colors"])
        if "Ages" in self.tags:
            given["ages"] = self.numbers("Ages", self.tags["Ages"])[:_MOST_AGES]
        try:
            given["first"] = self.read_first(check_options(**{**given, "ages": None}).colors)
            chosen = check_options(**given)
        except BadRecord:
            raise
        except BadInput as no:
            raise self.no(str(no), "Edition") from None
        return chosen

    def with_seats(self, chosen: Options) -> Options:
        """The options of a position; what the tags say of the players must be the same."""
        for tag in ("Setup", *OPTION_TAGS, "Players", "Ages", "First"):
            if tag in self.tags:
                raise self.no(f"{tag}: say the edition too, or leave it to the Start", tag)
        return chosen

    def read_first(self, colors: tuple[str, ...]) -> int | str | None:
        """The option `first` from `red, named`, `blue, highest roll`, ..."""
        said = self.tags.get("First", "").lower()
        color, _, way = (part.strip() for part in said.partition(","))
        if "highest roll" in said or said == "roll":
            return "roll" if "by choice" in said or said == "roll" else None
        if color in colors and (not way or way.startswith("named")):
            return colors.index(color)
        if not said or "oldest" in said or "seat 1" in said:
            return None
        forms = ", ".join((f"{colors[0]}, named", f"{colors[0]}, highest roll", f"{colors[0]}, oldest"))
        raise self.no(f"First {quoted(said)}: write it like one of: {forms} (SETUP-05)", "First")

    def check_first(self) -> None:
        """Whether the one who is said to begin did."""
        color = self.tags.get("First", "").lower().partition(",")[0].strip()
        if color in self.colors:
            first = None if self.walk.first is None else self.colors[self.walk.first]
            if first != color:
                began = f"{first} begins" if first else "the starting rolls are not finished"
                raise self.no(f"First says that {color} begins, but {began} (SETUP-06)", "First")
        elif color in COLORS:
            raise self.no(f"First: {color} does not play; the players are {', '.join(self.colors)}", "First")

    def read_layout(self, chosen: Options, position: Position | None) -> Layout:
        """The board; one that the rules in force name need not be told."""
        words = {key: "".join(self.tags[tag].split()) for tag, key in BOARD_TAGS.items() if tag in self.tags}
        try:
            if "hexes" in words:
                layout = read_position(" ".join(f"{key}={value}" for key, value in words.items())).layout
            elif words:
                raise BadInput("the hexes are missing")
            elif position is not None:
                layout = position.layout
            elif chosen.setup == FIXED or chosen.map is not None:
                layout = layout_for(chosen, 0)
                layout = Layout(layout.board, layout.start, standard=layout.standard)
            else:
                raise BadInput("the hexes and harbors are missing; they are different in every game of this set-up")
            if "Pieces" in self.tags:
                layout = self.with_pieces(layout)
        except BadRecord:
            raise
        except BadInput as no:
            raise self.no(f"the board: {no}", "Hexes") from None
        return layout

    def with_pieces(self, layout: Layout) -> Layout:
        """A board with the start pieces of a fixed set-up."""
        data = tomllib.loads(layout.to_toml())
        data["start"] = start = {}
        for part in filter(None, map(str.strip, self.tags["Pieces"].split(";"))):
            color, _, rest = part.partition(" ")
            pairs = [pair.split() for pair in rest.split(",")]
            if color.lower() not in COLORS or color.lower() in start or not all(map(_is_piece, pairs)):
                raise self.no(
                    f"Pieces: cannot read {quoted(part)}; write them like red B2n B2/ne, D1n* D1/ne", "Pieces"
                )
            start[color.lower()] = [
                {"settlement": corner.rstrip("*"), "road": side, "paid": corner.endswith("*")} for corner, side in pairs
            ]
        return from_dict(data)

    def read_eyes(self, chosen: Options) -> str | None:
        eyes = self.tags.get("SeenBy", "").lower()
        if eyes not in ("", PUBLIC, *chosen.colors):
            raise self.no(
                f"SeenBy {quoted(eyes)}: the players are {', '.join(chosen.colors)}, or write {PUBLIC}", "SeenBy"
            )
        return eyes or None

    def read_result(self) -> Result | None:
        said, _, note = self.tags.get("Result", "*").partition(":")
        words = said.lower().split()
        if words in ([], ["*"]) and not note:
            return None
        points = [word for word in words if word.isdecimal()]
        how = " ".join(words[: len(words) - len(points)])
        winner = how.removesuffix(" won")
        fits = (how in CUTS) or (winner != how and winner in self.colors)
        if not fits or words[len(words) - len(points) :] != points or len(points) != len(self.colors):
            example = f"{self.colors[0]} won {' '.join(['10', '7', '6', '4'][: len(self.colors)])}"
            ways = f"{example!r}, 'agreed ...', 'abandoned ...', 'capped ...' with the points of all, or '*'"
            raise self.no(f"Result {quoted(said)}: write it like {ways}", "Result")
        numbers = self.numbers("Result", " ".join(points))
        if how in CUTS:
            return Result(how, None, numbers, note)  # type: ignore[arg-type]  # one of CUTS
        return Result("won", winner, numbers, note)

    def read_revealed(self, eyes: str | None) -> tuple[int, ...] | None:
        """The victory point cards that were shown at the end."""
        if "Revealed" not in self.tags:
            return None
        shown = self.numbers("Revealed", self.tags["Revealed"])
        if eyes is None or len(shown) != len(self.colors):
            why = "only a copy has it" if eyes is None else f"write {len(self.colors)} numbers, by seat"
            raise self.no(f"Revealed: {why} (WIN-07)", "Revealed")
        return shown

    def read_final(self, eyes: str | None) -> str | None:
        """The hash of the last position."""
        final = self.tags.get("Final", "").lower()
        if final and (eyes is not None or not re.fullmatch("[0-9a-f]{16}", final)):
            why = "a copy must not have it: guesses could be tried on it" if eyes else "it is 16 hexadecimal digits"
            raise self.no(f"Final {quoted(final)}: {why}", "Final")
        return final or None


def _is_piece(words: list[str]) -> bool:
    """Whether this may be a corner and a side."""
    return len(words) == 2 and all(len(word) < _MOST_WORD for word in words)


def canonical_start(position: Position, chosen: Options, layout: Layout) -> str:
    """The text of a start position; its rules (but for how it was decided who begins) and its board must be those."""
    if replace(chosen, first=None, ages=None) != replace(position.options, first=None, ages=None):
        raise BadRecord("the position at the start has other rules or players than the rest says")
    if position.layout.board != layout.board:
        raise BadRecord("the position at the start has another board than the rest says")
    return position_text(chosen, layout, position.state, position.talk)
