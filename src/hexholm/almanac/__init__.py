"""The rules in words: an almanac for each edition, in its own vocabulary, in English and German.

    >>> from hexholm.almanac import Almanac
    >>> book = Almanac("sixth")
    >>> book.entry("longest-road").title
    'Longest Route'
    >>> [hit.entry for hit in book.search("tied road")][:1]
    ['longest-road']

Begin with `almanac.py`. The texts lie in `data` and hold no number: numbers, prices, tables and names come from the
edition data, so that the almanac says what the engine does. Everything that comes out is plain data (`as_dict`), for
the terminal, a browser and assistants alike; the host and the command line import it.
"""

from __future__ import annotations

from typing import Any

from .almanac import Almanac, ExplainedRule, UnknownEntry
from .blocks import Entry
from .comparison import ComparisonRow
from .search import Hit

__all__ = ["Almanac", "ComparisonRow", "Entry", "ExplainedRule", "Hit", "UnknownEntry"]
_OLDER_CLASSES = {"Explained": "ExplainedRule"}  # older_names.py


def __getattr__(name: str) -> Any:
    name_now = _OLDER_CLASSES.get(name)
    if name_now in __all__:
        return globals()[name_now]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
