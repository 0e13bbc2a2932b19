"""The words and numbers of one edition in one language: what the slots of the texts are filled with.

    >>> from hexholm.almanac.vocabulary import Vocabulary
    >>> from hexholm.rules.setup.editions import edition
    >>> Vocabulary(edition("zip"), "en").fill("A settlement costs {cost_settlement}; the {stock} never lends {item}s.")
    'A settlement costs 1 brick, 1 wood, 1 wool, and 1 wheat; the supply never lends tiles.'

Beside a table, what it plays by stands in place of what the book says: phases, points to win, house rules. A name is
looked for among the values below, then among the words: those of the edition, of the game's catalogue and of
the almanac. With a capital (`{Stock}`) the word begins with one, as a title (`{stock_title}`) each of its words does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from hexholm.rules.colors import Color
from hexholm.rules.errors import BadInput
from hexholm.rules.language.languages import word_catalogue
from hexholm.rules.setup.editions import Edition
from hexholm.rules.setup.house_rules import SPARED_BELOW
from hexholm.rules.setup.options import HOUSE_RULES, Options

from .drafts import check_language, read_almanac_data

if TYPE_CHECKING:
    from hexholm.rules.boards import Layout, StartPiece

_TERM_SLOT: Final = re.compile(r"\{(\w+)\}")
START_SETTLEMENTS: Final = 2
"""Everybody begins with two (SETUP-08, SETUP-11)."""
COMBINED: Final = "combined"
"""The part of a turn in which one trades and builds, where a table has put together what its book keeps apart."""


def edition_at_table(edition_data: Edition, options: Options) -> Edition:
    """The values of an edition as a table plays it."""
    parts = edition_data.turn_parts
    if options.phases == "combined" != edition_data.phases:
        parts = (parts[0], COMBINED)
    return replace(
        edition_data,
        phases=options.phases,
        turn_parts=parts,
        victory_points=options.points_to_win or edition_data.victory_points,
        hand_limit_on_seven=options.hand_limit or edition_data.hand_limit_on_seven,
    )


class Vocabulary:
    """The words and numbers of one edition in one language, as its book has them or as a table plays it."""

    def __init__(self, edition_data: Edition, language: str, options: Options | None = None) -> None:
        self.book_data, self.options, self.language = edition_data, options, check_language(language)
        self.edition_data = edition_data if options is None else edition_at_table(edition_data, options)
        self.texts = read_almanac_data(f"{language}/terms")
        self._game = word_catalogue(language)
        game_terms = self._game["terms"]
        self.terms: dict[str, str] = {"title": edition_data.title, **edition_data.words}
        for terms in (
            game_terms["every"],
            game_terms.get(edition_data.name, {}),
            self.texts["every"],
            self.texts.get(edition_data.name, {}),
        ):
            self.terms |= terms
        self.terms |= self.texts["terrain"]

    # --- texts ---------------------------------------------------------------------------------------------------

    def fill(self, text: str, more: Mapping[str, Any] | None = None) -> str:
        """A text with its slots filled; `more` goes before everything else."""

        def slot(match: re.Match[str]) -> str:
            return self.word(match[1], more)

        return _TERM_SLOT.sub(slot, text)

    def word(self, name: str, more: Mapping[str, Any] | None = None) -> str:
        """What a slot is filled with."""
        lower_name = name[:1].lower() + name[1:]
        for values in (more or {}, self.values, self.terms):
            for key in dict.fromkeys((name, lower_name)):
                if key in values:
                    text = self.fill(str(values[key]), more)
                    return text if key == name else text[:1].upper() + text[1:]
        if name.endswith("_title"):
            return " ".join(
                part[:1].upper() + part[1:] for part in self.word(name.removesuffix("_title"), more).split()
            )
        raise BadInput(f"edition {self.edition_data.name} has no word or value {name!r} in {self.language}")

    def holds(self, condition: str) -> bool:
        """Whether a condition of the texts holds in this edition: `phases=separate&edition!=summary`."""
        return all(self._is_met(part) for part in condition.split("&")) if condition else True

    def _is_met(self, condition: str) -> bool:
        key, _, allowed = condition.partition("=")
        holds = bool(self._condition_values(key.removesuffix("!")) & set(allowed.split("|")))
        return not holds if key.endswith("!") else holds

    def _condition_values(self, key: str) -> set[str]:
        """A value of the edition, or of the table, as the conditions write it."""
        if key == "edition":
            return {self.edition_data.name}
        first, _, inner = key.partition(".")
        if first == "word":
            return {"yes" if inner in self.edition_data.words else "no"}
        if first == "table":
            value = self.options is not None if self.options is None or not inner else getattr(self.options, inner)
        else:
            value = getattr(self.edition_data, first)
            value = value[inner] if inner else value
        if isinstance(value, tuple):
            return set(value)
        if value is None:
            return {"none"}
        return {("no", "yes")[value] if isinstance(value, bool) else str(value)}

    # --- words ---------------------------------------------------------------------------------------------------

    def join(self, parts: Iterable[str], joint: str = "and") -> str:
        """`a and b`; `a, b, and c` as the language joins three."""
        *most, last = parts
        joints = self.texts["joints"]
        return f"{', '.join(most)}{joints[joint if len(most) < 2 else f'last_{joint}']}{last}" if most else last

    def cards(self, cards: Mapping[str, int]) -> str:
        """Resources in words, in the order of the catalogue."""
        return self.join(f"{n} {self.terms[kind]}" for kind, n in cards.items() if n)

    def color(self, name: str) -> str:
        """A color as a name: Red, Rot."""
        text = str(self._game["values"][name])
        return text[:1].upper() + text[1:]

    def resource_of(self, terrain: str) -> str:
        """What a terrain yields."""
        resource = self.edition_data.terrain_resource[terrain]
        return self.terms["nothing"] if resource is None else self.terms[resource]

    # --- values --------------------------------------------------------------------------------------------------

    @cached_property
    def values(self) -> dict[str, Any]:
        """The numbers of the edition, and what follows from them."""
        edition_data, points = self.edition_data, self.edition_data.points
        start = START_SETTLEMENTS * points["settlement"]
        values: dict[str, Any] = {
            key: getattr(edition_data, key)
            for key in (
                "min_players", "max_players", "victory_points", "bank_per_resource", "settlement_limit", "city_limit",
                "road_limit", "hand_limit_on_seven", "longest_road_min", "largest_army_min",
            )
        }  # fmt: skip
        values |= {f"points_{key}": value for key, value in points.items()}
        values |= {f"yield_{key}": value for key, value in edition_data.yields.items()}
        values |= {f"rate_{key}": value for key, value in edition_data.trade_rates.items()}
        values |= {f"cost_{key}": self.cards(value) for key, value in edition_data.costs.items()}
        values |= {
            f"turn_part_{number}": self._turn_part(number) for number in range(1, len(edition_data.turn_parts) + 1)
        }
        values |= {f"c{number}": self.color(color) for number, color in enumerate(edition_data.colors, 1)}
        removed = edition_data.three_player_removed_color
        odd_hand = edition_data.hand_limit_on_seven + 1 + edition_data.hand_limit_on_seven % 2
        return values | {
            "over_limit": edition_data.hand_limit_on_seven + 1,
            "odd_hand": odd_hand,
            "odd_half": odd_hand // 2,
            "book_victory_points": self.book_data.victory_points,
            "book_hand_limit": self.book_data.hand_limit_on_seven,
            "friendly_points": SPARED_BELOW,
            "start_points": start,
            "points_to_go": edition_data.victory_points - start,
            "settlement_points": edition_data.settlement_limit * points["settlement"],
            "swing_longest_road": 2 * points["longest_road"],
            "n_hexes": sum(edition_data.terrain_counts.values()),
            "n_tokens": sum(edition_data.number_counts.values()),
            "n_frame_pieces": edition_data.box.get("frame_pieces", 0),
            "n_harbors": sum(edition_data.harbors.values()),
            "n_generic_harbors": edition_data.harbors["any"],
            "n_development": sum(edition_data.dev_deck.values()),
            "n_knights": edition_data.dev_deck["knight"],
            "n_victory_points": edition_data.dev_deck["victory_point"],
            "n_progress": sum(edition_data.dev_deck[kind] for kind in ("road_building", "year_of_plenty", "monopoly")),
            "n_each_progress": edition_data.dev_deck["monopoly"],
            "pad_sheets": edition_data.box.get("map_pad_sheets", 0),
            "color_list": self.join(map(self.color, edition_data.colors)),
            "removed_color": "" if removed is None else self.color(removed),
            "terrain_list": ", ".join(
                f"{self.terms[terrain]} ({self.resource_of(terrain)})"
                for terrain, resource in edition_data.terrain_resource.items()
                if resource
            ),
            "terrain_counts_list": self.join(
                f"{n} {self.terms[kind]}" for kind, n in edition_data.terrain_counts.items()
            ),
            "number_counts_list": self._number_counts(),
            **self._island(),
            **self._frame(),
            **self._table(),
            "spiral": self._spiral(),
            "start_pieces": self._start_pieces(),
            "fixed_hexes": self._fixed_hexes(),
            "fixed_harbors": self._fixed_harbors(),
        }

    def _turn_part(self, number: int) -> str:
        """The name of a part of a turn, in the language."""
        part = self.edition_data.turn_parts[number - 1]
        return (
            self.terms["combined_title"] if part == COMBINED else str(self.texts.get("turn_parts", {}).get(part, part))
        )

    def _number_counts(self) -> str:
        """Which numbers there are how often."""
        counts, times = self.edition_data.number_counts, self.texts["times"]
        parts = []
        for n in sorted(set(counts.values())):
            numbers = self.join(str(number) for number, count in counts.items() if count == n)
            parts.append(f"{numbers} {times.get(str(n), times['more'].replace('{n}', str(n)))}")
        return "; ".join(parts)

    def _island(self) -> dict[str, Any]:
        """How many hexes, corners and sides the island has."""
        from hexholm.rules.places import CORNER_HEXES, HEX_NAMES, SIDE_HEXES

        rows = [name[0] for name in HEX_NAMES]
        return {
            "row_list": self.join(str(rows.count(row)) for row in dict.fromkeys(rows)),
            "n_corners": len(CORNER_HEXES),
            "n_coast_corners": sum(len(hexes) < 3 for hexes in CORNER_HEXES),
            "n_sides": len(SIDE_HEXES),
            "n_coast_sides": sum(len(hexes) < 2 for hexes in SIDE_HEXES),
        }

    def _table(self) -> dict[str, Any]:
        """Who plays at the table, and by which house rules."""
        options = self.options
        if options is None:
            return {}
        texts = self.texts["house"]
        names = [name for name in HOUSE_RULES if getattr(options, name)]
        return {
            "table_players": options.players,
            "table_colors": self.join(map(self.color, options.colors)),
            "table_house_rules": self.join(texts[name] for name in names) if names else texts["none"],
        }

    def _spiral(self) -> str:
        from hexholm.rules.boards import LETTER_VALUES

        return " ".join(map(str, LETTER_VALUES))

    def start_of(self, color: Color) -> tuple[StartPiece, ...]:
        """The start pieces of a color on the fixed board, those that pay last."""
        return tuple(sorted((piece for piece in self._fixed_board.start if piece.color == color), key=lambda p: p.paid))

    def _start_pieces(self) -> str:
        """Where everybody starts on the fixed board, and with what: `Red A1se A2/sw, C1se C2/sw: 2 lumber`."""
        from hexholm.rules.names import RESOURCES
        from hexholm.rules.places import CORNER_HEXES, CORNER_NAMES, SIDE_NAMES

        terrain = self._fixed_board.board.terrain
        parts = []
        for color in self.edition_data.colors:
            pieces = self.start_of(color)
            places = ", ".join(f"{CORNER_NAMES[piece.corner]} {SIDE_NAMES[piece.road]}" for piece in pieces)
            terrains = [terrain[hexagon] for piece in pieces if piece.paid for hexagon in CORNER_HEXES[piece.corner]]
            hand = {kind: terrains.count(number) for number, kind in enumerate(RESOURCES) if number in terrains}
            parts.append(f"{self.color(color)} {places}: {self.cards(hand)}")
        return "; ".join(parts)

    def _frame(self) -> dict[str, Any]:
        """What lies on which of the sides of a frame piece, by its joints: `4-3 3:1 (1), grain (4)`; `4-3: 1, 4`."""
        from hexholm.rules.boards import FRAME_HARBORS, FRAME_JOINTS, PIECE_SIDES
        from hexholm.rules.names import HARBOR_KINDS

        generic = f"{self.edition_data.trade_rates['generic']}:1"
        harbors, places = [], []
        for joints, piece in zip(FRAME_JOINTS, FRAME_HARBORS, strict=True):
            harbor_texts = (f"{self.terms.get(HARBOR_KINDS[kind], generic)} ({place + 1})" for place, kind in piece)
            harbors.append(f"{joints} {', '.join(harbor_texts)}")
            places.append(f"{joints}: {', '.join(str(place + 1) for place, _ in piece)}")
        return {
            "n_piece_sides": PIECE_SIDES,
            "frame_harbors": "; ".join(harbors),
            "frame_places": "; ".join(places),
        }

    @cached_property
    def _fixed_board(self) -> Layout:
        """The board of a first game."""
        from hexholm.rules.boards import layout_for
        from hexholm.rules.setup.options import check_options

        return layout_for(check_options(edition=self.edition_data.name, setup="fixed"), 0)

    def _fixed_hexes(self) -> str:
        """Terrain and number of its hexes, with a slash between rows."""
        from hexholm.rules.names import TERRAINS
        from hexholm.rules.places import HEX_NAMES

        rows: dict[str, list[str]] = {}
        board = self._fixed_board.board
        for hexagon, name in enumerate(HEX_NAMES):
            number = board.number[hexagon]
            terrain = self.terms[TERRAINS[board.terrain[hexagon]]]
            rows.setdefault(name[0], []).append(f"{terrain} {number}" if number else terrain)
        return " / ".join(", ".join(row) for row in rows.values())

    def _fixed_harbors(self) -> str:
        """Its harbors with their places: `A2/ne grain`."""
        from hexholm.rules.places import SIDE_NAMES

        generic = f"{self.edition_data.trade_rates['generic']}:1"
        harbors = self._fixed_board.harbors()
        return ", ".join(f"{SIDE_NAMES[side]} {self.terms.get(kind, generic)}" for side, kind in harbors)
