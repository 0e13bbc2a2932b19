"""Small pieces of plain English text: a number of things, words in a row, a line folded to the width of a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Final

TEXT_WIDTH: Final = 79
"""Columns of plain text."""


def count_noun(n: int, one: str, more: str = "") -> str:
    """`1 city`, `1,000 cities`."""
    return f"{n:,} {one if n == 1 else more or one + 's'}"


def join_words(words: Sequence[str], last: str = " or ") -> str:
    """`zip, sixth or fifth`."""
    return last.join(filter(None, [", ".join(words[:-1]), words[-1]]))


def fold(text: str, rest: str = "", first: str = "", width: int = TEXT_WIDTH) -> str:
    """A text in as many lines as it takes, the first begun with `first`, the others with `rest`."""
    return textwrap.fill(
        text, width, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False
    )
