r"""Making people's own words fit to be written down: names, comments, notes.

Whatever a program hands in must come back the same from a record, so it is cleaned when it comes in, not when it is
written:

    >>> from hexholm.game.language.clean_text import clean
    >>> clean("  good\n game ")
    'good game'
    >>> clean(clean("a\x00b")) == clean("a\x00b") == "a?b"
    True
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

MOST_CHARACTERS: Final = 1000
"""No name, comment or note is longer; the rest of it is cut off."""
MOST_QUOTED: Final = 80
"""No error message quotes more of what was said."""
_UNWRITABLE: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")  # control characters, lone surrogates
_UNSEEN: Final = re.compile("[\u200b\u2060\ufeff\u202a-\u202e\u2066-\u2069]")
"""Marks without a width, and those that turn the order of all that follows: `Ann` must not pass for another `Ann`, and
no name may rewrite the line it stands in. Those that letters need to join, or that mark one letter, stay."""


_BLANK: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200e\u200f\u2061-\u2065\u206a-\u206f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\ufff0-\ufffb\U00016fe4\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Signs that show nothing: in a name they would make another one that looks the same."""
_JOINERS: Final = re.compile("[\u200c\u200d]")
_LOOK_ALIKES: Final = str.maketrans(
    "авекмнорстухіјѕԁһѵԛԝ" + "αβεζηικμνορτυχ" + "ıɑɡ",  # noqa: RUF001  # that is the point
    "abekmhopctyxijsdhvqw" + "abezhikmnoptyx" + "iag",
)
"""Small letters that look like a Latin one, or whose capitals do: Cyrillic, Greek, and three rare Latin ones."""


def one_line(text: object) -> str:
    """A text on one line that can be written to a file: white space of any length becomes one blank.

    Control characters and lone surrogates become `?`, marks that nobody sees are left out. Doing it again changes
    nothing.
    """
    return _UNWRITABLE.sub("?", " ".join(_UNSEEN.sub("", str(text)).split()))


def clean(text: object) -> str:
    """As :func:`one_line`, and what is longer than MOST_CHARACTERS is cut."""
    return one_line(str(text)[: 16 * MOST_CHARACTERS])[:MOST_CHARACTERS].rstrip()


def clean_name(text: object) -> str:
    r"""What somebody wants to be called: as :func:`clean`, without signs that show nothing.

    >>> clean_name("An\u00adn\u3164")
    'Ann'
    """
    return clean(_BLANK.sub("", str(text)[: 16 * MOST_CHARACTERS]))


def name_key(name: str) -> str:
    r"""The same for names that can be taken for each other: case, blanks, joiners and widths of letters do not count.

    Letters of the Cyrillic and Greek alphabets count as the Latin ones that they look like.

    >>> name_key("ANN ") == name_key("\uff21nn") == name_key("A\u200dnn") == name_key("\u0410nn")
    True
    """
    small = _JOINERS.sub("", unicodedata.normalize("NFKC", clean_name(name))).casefold()
    return "".join(small.translate(_LOOK_ALIKES).split())


def first_words(words: Sequence[str], most: int = 6, letters: int = 12) -> list[str]:
    """The first words, the first letters of each: for a reader that quotes what it cannot read.

    Only for words that are wrong anyway when there are more of them, or when they are longer.
    """
    return [word[:letters] for word in words[:most]]


def quoted_text(text: object, most: int = MOST_QUOTED) -> str:
    """What was said, as an error message quotes it: in quotation marks, cut where it gets long.

    >>> quoted_text("ore"), quoted_text("ore" * 99, 12)
    ("'ore'", "'oreoreoreor'...")
    """
    string = str(text)
    return repr(string) if len(string) < most else f"{string[: most - 1]!r}..."
