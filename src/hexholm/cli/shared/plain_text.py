"""Plain text at most 79 columns wide: counted, folded, set in columns; what a game and a board are called."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from hexholm.game.language.phrases import TEXT_WIDTH, count_noun, fold

from .files import display_name

if TYPE_CHECKING:
    from hexholm.rules.boards import Layout
    from hexholm.rules.setup.options import Options

GLUE: Final = "\xa0"
"""A blank at which no line is broken; it is shown as a blank."""
GAP: Final = "   "


# --- folded -----------------------------------------------------------------------------------------------------------


def fold_glued(text: str, width: int = TEXT_WIDTH, label: str = "", indent: str = "") -> str:
    """As :func:`fold`, but `2 ore` and `(3 and 4)` stay together, and whatever else has GLUE for its blanks."""
    text = re.sub(r"(?<=\d) (?=[a-z])|(?<=\d and) (?=\d)", GLUE, text)
    return fold(text, indent, label, width).replace(GLUE, " ")


def glue(text: str) -> str:
    """A text that is not to be broken into two lines."""
    return text.replace(" ", GLUE)


def in_columns(items: Sequence[str], label: str, width: int = TEXT_WIDTH) -> str:
    """Items in columns behind a label; none is ever broken, all of a column are as wide."""
    widest = max(map(len, items), default=0)
    across = max(1, (width - len(label) + len(GAP)) // (widest + len(GAP)))
    rows = [items[at : at + across] for at in range(0, len(items), across)]
    lines = [GAP.join(f"{item:<{widest}}" for item in row).rstrip() for row in rows]
    return "\n".join(f"{' ' * len(label) if at else label}{line}" for at, line in enumerate(lines)) or label.rstrip()


# --- a game and its board ---------------------------------------------------------------------------------------------


def board_title(layout: Layout) -> str:
    """The name of a board; of one that was generated, how: edition, harbors, numbers and seed."""
    from hexholm.rules.setup.editions import EDITIONS, edition

    origin = layout.origin
    if origin is None or origin.seed is None or origin.edition not in EDITIONS:
        return layout.name
    parts = [edition(origin.edition).title, origin.harbors.replace("_", " "), f"{origin.numbers} numbers"]
    parts += [f"seed {origin.seed}", *([f"game {origin.game}"] if origin.game else [])]
    return ", ".join(parts)


def title_lines(options: Options, layout: Layout | None = None, file: str | None = None) -> list[str]:
    """What is played, and the house rules."""
    from hexholm.rules.language.sentences import edition_terms
    from hexholm.rules.setup.editions import VARIABLE

    board_note = ""
    if file is not None:
        board_note = f"board {display_name(file)}"
    elif options.edition_data.has_printed_maps:
        map_name = re.search(r"map \d+", "" if layout is None else layout.name)
        board_note = f"map {options.map}" if options.map else map_name[0] if map_name else "a map of the pad"
    elif options.setup == VARIABLE:
        board_note = f"{options.harbors.replace('_', ' ')}, {options.numbers} numbers"
    parts = [
        options.edition_data.title,
        count_noun(options.players, "player"),
        f"{options.setup} {edition_terms('en', options.edition)['setup']}" + (f" ({board_note})" if board_note else ""),
        f"{options.phases} trade and build",
    ]
    return [fold(", ".join(parts)), *(fold(line, "  ") for line in options.house_rules())]


def legend_text(terms: Any, letter: str = "r") -> str:
    """What the signs of a picture mean, in two lines; `letter` is that of a color."""
    port = terms["harbor"]
    return (
        f"  + corner, # corner with a {port}; *8* red number, • one way to roll a number\n"
        f"  ({letter}) settlement, [{letter.upper()}] city, {letter * 3} road; C3 hex, C3n its north corner,"
        " C3/ne side"
    )
