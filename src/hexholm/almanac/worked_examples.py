"""Worked examples: a position of our own with letters on the places that matter, drawn in characters or as SVG.

    >>> from hexholm.almanac import Almanac
    >>> broken = Almanac("fifth").example("broken")
    >>> broken.marks
    {'A': 'B2s'}
    >>> "(b)" in broken.picture()
    True

The positions lie in data/examples.toml, with what the engine must say of each; tests hold that.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from string import ascii_uppercase
from typing import TYPE_CHECKING, Any, Final

from .drafts import data
from .vocabulary import Vocabulary

if TYPE_CHECKING:
    from hexholm.game.pictures import Plan
    from hexholm.game.positions.position import Position

START_SCENE: Final = "start"
"""Stands for the fixed set-up of the edition."""
PAYING: Final = "paying"
"""Stands for a mark on each settlement of the fixed set-up that pays the start resources (SETUP-10)."""
_DRAWN: Final = re.compile(
    r"(?P<before> *)(?P<style>(?:\x1b\[[0-9;]*m)*)"
    r"(?P<word>(?:hills|forest|pasture|fields|mountains|desert|any|ROBBER)\b)"
    r"(?P<reset>(?:\x1b\[[0-9;]*m)*)(?P<after> *)"
)
"""A word that the drawing of a board writes in English, with the blanks around it."""


@dataclass(frozen=True, slots=True)
class WorkedExample:
    """A position with a caption. `marks` are letters by place; `check` is what the engine must say of it."""

    name: str
    title: str
    caption: str
    written: str
    """Its position as text, or START."""
    marks: dict[str, str]
    edition: str
    words: Mapping[str, str] = field(repr=False)
    check: Mapping[str, Any] = field(repr=False)

    @property
    def position(self) -> str:
        """The position as text (docs/formats/position.md)."""
        return _start(self.edition) if self.written == START_SCENE else self.written

    def picture(self, *, color: bool = False) -> str:
        """The board in characters, at most 80 columns wide."""
        from hexholm.rules.boards import COLOR_LETTERS, draw_text

        found, plan = self._read(), self.plan()
        pieces = {}
        for piece in plan.pieces:
            letter = COLOR_LETTERS[piece.color]
            pieces[piece.place] = letter.upper() if piece.kind == "city" else letter
        for letter, place in self.marks.items():
            standing = pieces.get(place)
            if "/" in place:
                pieces[place] = letter
            else:
                pieces[place] = f"{letter}:{standing}" if standing else f"<{letter}>"
        drawn = draw_text(found.layout, pieces, robber=plan.robber, color=color, words=self.words)
        return "\n".join(_in_words(line, self.words) for line in drawn.split("\n"))

    def svg(self, *, theme: str = "light", width: int | None = None) -> str:
        """The board as an SVG document, with the marks as letters."""
        from hexholm.game.pictures.svg import board_group, sheet_for, svg_document

        plan = self.plan()
        sheet = sheet_for(plan, theme, self.words, width, self.title, sorted(self.marks.items()))
        spots = {corner.name: corner.at for corner in plan.corners} | {side.name: side.at for side in plan.sides}
        ink = sheet.theme.ink
        letters = [
            sheet.label(letter, spots[place][0], spots[place][1] - 26, 26, ink, pen=26, halo=True)
            for letter, place in self.marks.items()
        ]
        body = board_group(plan, sheet) + "".join(letters)
        more = " " + " ".join(f"{letter}: {place}." for letter, place in self.marks.items())
        return svg_document(plan, sheet, body, height=plan.height, width=width, title=self.title, more=more)

    def plan(self) -> Plan:
        """The drawing data, for whoever draws it otherwise."""
        from hexholm.game.pictures import plan_of

        found = self._read()
        return plan_of(found.layout, found.state, found.options.colors, highlight=self.marks.values())

    def _read(self) -> Position:
        from hexholm.game.positions.position import read_position

        return read_position(self.position)

    def as_dict(self) -> dict[str, Any]:
        told = {"name": self.name, "title": self.title, "caption": self.caption, "position": self.position}
        return {**told, "marks": dict(self.marks)}


def _in_words(line: str, words: Mapping[str, str]) -> str:
    """A line of a drawing with the words for land, robber and trade in another language, everything else in its place.

    A longer word takes room from the blanks around it, a shorter one leaves some.
    """

    def said(found: re.Match[str]) -> str:
        before, style, word, after = found["before"], found["style"], found["word"], found["after"]
        other = words.get(word.lower(), word)
        other = other.upper() if word.isupper() else other
        grows = len(other) - len(word)
        right = grows if found.end() == len(line) else min((grows + 1) // 2, len(after) - 1)
        left = grows - right
        return " " * (len(before) - left) + style + other + found["reset"] + " " * (len(after) - right if after else 0)

    return _DRAWN.sub(said, line)


def worked_example(name: str, words: Vocabulary) -> WorkedExample:
    """The example of that name in the words and colours of an edition."""
    facts, told = data("examples")[name], data(f"{words.language}/examples")[name]
    colors = {f"c{number}": color for number, color in enumerate(words.book.colors, 1)}
    book = {**colors, "edition": words.book.name}
    return WorkedExample(
        name=name,
        title=words.fill(told["title"]),
        caption=words.fill(told["caption"]),
        written=words.fill(" ".join(facts["position"].split()), book),
        marks=_paying(words) if facts["marks"] == PAYING else _canonical(facts["marks"]),
        edition=words.book.name,
        words={**words.terms, "any": data(f"{words.language}/compare")["value"]["any"]},
        check=_fill_values(facts.get("check", {}), words, book),
    )


@cache
def _start(edition: str) -> str:
    """The fixed set-up of an edition, before the first roll."""
    from hexholm.game.game import Game

    return Game(edition, setup="fixed", first=0, seed=0, compiled=False).position()


def _paying(words: Vocabulary) -> dict[str, str]:
    """A letter for the settlement of each colour that pays, in the order of the colours."""
    from hexholm.rules.places import CORNER_NAMES

    paid = [piece for color in words.book.colors for piece in words.start_of(color) if piece.paid]
    return {letter: CORNER_NAMES[piece.corner] for letter, piece in zip(ascii_uppercase, paid, strict=False)}


def _canonical(marks: Mapping[str, str]) -> dict[str, str]:
    from hexholm.rules.places import CORNER_NAMES, SIDE_NAMES, read_corner, read_side

    return {
        letter: SIDE_NAMES[read_side(place)] if "/" in place else CORNER_NAMES[read_corner(place)]
        for letter, place in marks.items()
    }


def _fill_values(value: Any, words: Vocabulary, book: Mapping[str, str]) -> Any:
    """What is to be checked, with the colours of the edition."""
    if isinstance(value, str):
        return words.fill(value, book)
    if isinstance(value, Mapping):
        return {words.fill(key, book): _fill_values(inner, words, book) for key, inner in value.items()}
    return [_fill_values(inner, words, book) for inner in value] if isinstance(value, list) else value
