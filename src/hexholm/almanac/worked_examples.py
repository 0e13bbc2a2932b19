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

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from string import ascii_uppercase
from typing import TYPE_CHECKING, Any, Final

from .drafts import read_almanac_data
from .vocabulary import Vocabulary

if TYPE_CHECKING:
    from hexholm.game.pictures import Plan
    from hexholm.game.positions.position import Position

START_SCENE: Final = "start"
"""Stands for the fixed set-up of the edition."""
PAYING: Final = "paying"
"""Stands for a mark on each settlement of the fixed set-up that pays the start resources (SETUP-10)."""


@dataclass(frozen=True, slots=True)
class WorkedExample:
    """A position with a caption. `marks` are letters by place; `check` is what the engine must say of it."""

    name: str
    title: str
    caption: str
    position_words: str
    """Its position as text, or START."""
    marks: dict[str, str]
    edition: str
    terms: Mapping[str, str] = field(repr=False)
    check: Mapping[str, Any] = field(repr=False)

    @property
    def position(self) -> str:
        """The position as text (docs/formats/position.md)."""
        return _start_position(self.edition) if self.position_words == START_SCENE else self.position_words

    def picture(self, *, in_color: bool = False) -> str:
        """The board in characters, at most 80 columns wide."""
        from hexholm.game.pictures.characters import letters_of
        from hexholm.rules.boards import draw_text

        position, plan = self._read_position(), self.plan()
        pieces = letters_of(plan)
        for letter, place in self.marks.items():
            piece_text = pieces.get(place)
            if "/" in place:
                pieces[place] = letter
            else:
                pieces[place] = f"{letter}:{piece_text}" if piece_text else f"<{letter}>"
        return draw_text(position.layout, pieces, robber=plan.robber, in_color=in_color, words=self.terms)

    def svg(self, *, theme: str = "light", width: int | None = None) -> str:
        """The board as an SVG document, with the marks as letters."""
        from hexholm.game.pictures.svg import board_group, sheet_for, svg_document

        plan = self.plan()
        sheet = sheet_for(plan, theme, self.terms, width, self.title, sorted(self.marks.items()))
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

        position = self._read_position()
        return plan_of(position.layout, position.state, position.options.colors, highlight=self.marks.values())

    def _read_position(self) -> Position:
        from hexholm.game.positions.position import read_position

        return read_position(self.position)

    def as_dict(self) -> dict[str, Any]:
        fields = {"name": self.name, "title": self.title, "caption": self.caption, "position": self.position}
        return {**fields, "marks": dict(self.marks)}


def worked_example(name: str, vocabulary: Vocabulary) -> WorkedExample:
    """The example of that name in the words and colors of an edition."""
    facts, texts = read_almanac_data("examples")[name], read_almanac_data(f"{vocabulary.language}/examples")[name]
    colors = {f"c{number}": color for number, color in enumerate(vocabulary.edition_data.colors, 1)}
    edition_values = {**colors, "edition": vocabulary.edition_data.name}
    return WorkedExample(
        name=name,
        title=vocabulary.fill(texts["title"]),
        caption=vocabulary.fill(texts["caption"]),
        position_words=vocabulary.fill(" ".join(facts["position"].split()), edition_values),
        marks=_paying_marks(vocabulary) if facts["marks"] == PAYING else _canonical_marks(facts["marks"]),
        edition=vocabulary.edition_data.name,
        terms={**vocabulary.terms, "any": read_almanac_data(f"{vocabulary.language}/compare")["value"]["any"]},
        check=_fill_values(facts.get("check", {}), vocabulary, edition_values),
    )


@cache
def _start_position(edition: str) -> str:
    """The fixed set-up of an edition, before the first roll."""
    from hexholm.game.game import Game

    return Game(edition, setup="fixed", first=0, seed=0, compiled=False).position()


def _paying_marks(vocabulary: Vocabulary) -> dict[str, str]:
    """A letter for the settlement of each color that pays, in the order of the colors."""
    from hexholm.rules.places import CORNER_NAMES

    paying_pieces = [
        piece for color in vocabulary.edition_data.colors for piece in vocabulary.start_of(color) if piece.paid
    ]
    return {letter: CORNER_NAMES[piece.corner] for letter, piece in zip(ascii_uppercase, paying_pieces, strict=False)}


def _canonical_marks(marks: Mapping[str, str]) -> dict[str, str]:
    from hexholm.rules.places import CORNER_NAMES, SIDE_NAMES, read_corner, read_side

    return {
        letter: SIDE_NAMES[read_side(place)] if "/" in place else CORNER_NAMES[read_corner(place)]
        for letter, place in marks.items()
    }


def _fill_values(value: Any, vocabulary: Vocabulary, edition_values: Mapping[str, str]) -> Any:
    """What is to be checked, with the colors of the edition."""
    if isinstance(value, str):
        return vocabulary.fill(value, edition_values)
    if isinstance(value, Mapping):
        return {
            vocabulary.fill(key, edition_values): _fill_values(inner, vocabulary, edition_values)
            for key, inner in value.items()
        }
    return [_fill_values(inner, vocabulary, edition_values) for inner in value] if isinstance(value, list) else value
