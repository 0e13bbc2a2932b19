r"""Making people's own words fit to be written down: names, comments, notes.

Whatever a program hands in must come back the same from a record, so it is cleaned when it comes in, not when it is
written:

    >>> from hexholm.game.cleaning import clean
    >>> clean("  good\n game ")
    'good game'
    >>> clean(clean("a\x00b")) == clean("a\x00b") == "a?b"
    True
"""

from __future__ import annotations

import unicodedata
from typing import Final

MOST_CHARACTERS: Final = 1000
"""No name, comment or note is longer; the rest of it is cut off."""
MOST_QUOTED: Final = 80
"""No error message quotes more of what was said."""
_UNWRITABLE: Final = frozenset(("Cc", "Cs"))  # control characters, lone halves of surrogate pairs
_LOOKED_AT: Final = 16 * MOST_CHARACTERS


def clean(text: object) -> str:
    """A text on one line that can be written to a file; cleaning it again changes nothing.

    White space of any length becomes one blank, control characters and lone surrogates become `?`, and what is longer
    than MOST_CHARACTERS is cut.
    """
    words = str(text)[:_LOOKED_AT].split()
    written = "".join("?" if unicodedata.category(sign) in _UNWRITABLE else sign for sign in " ".join(words))
    return written[:MOST_CHARACTERS].rstrip()


def quoted(text: object, most: int = MOST_QUOTED) -> str:
    """What was said, as an error message quotes it: in quotation marks, cut where it gets long.

    >>> quoted("ore"), quoted("ore" * 99, 12)
    ("'ore'", "'oreoreoreor'...")
    """
    said = str(text)
    return repr(said) if len(said) < most else f"{said[: most - 1]!r}..."
