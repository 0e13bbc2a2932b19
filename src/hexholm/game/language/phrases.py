"""Small pieces of plain English text: a number of things, words in a row, a line folded to the width of a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Final

TEXT_WIDTH: Final = 79
"""Columns of plain text."""


def count_noun(n: int, singular: str, plural: str = "") -> str:
    """`1 city`, `1,000 cities`."""
    return f"{n:,} {singular if n == 1 else plural or singular + 's'}"


def join_words(words: Sequence[str], last: str = "or") -> str:
    """`zip or sixth`; `zip, sixth, or fifth`."""
    if len(words) < 3:
        return f" {last} ".join(words)
    return f"{', '.join(words[:-1])}, {last} {words[-1]}"


def fold(text: str, indent: str = "", first_indent: str = "", width: int = TEXT_WIDTH) -> str:
    """A text in as many lines as it takes, the first begun with `first_indent`, the others with `indent`."""
    return textwrap.fill(
        text,
        width,
        initial_indent=first_indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
