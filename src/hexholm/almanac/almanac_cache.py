"""The almanacs that were lately asked for: of an edition, or of a table with what it plays by."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Final, NamedTuple

from hexholm.rules.setup.options import Options

from .almanac import Almanac

MOST_ALMANACS: Final = 64
"""Almanacs that are kept: the plain ones, and those of some tables."""


class AlmanacKey(NamedTuple):
    """Which almanac: of an edition, or with `options` of a table."""

    edition: str
    language: str
    options: Options | None = None

    @classmethod
    def of_table(cls, options: Options, language: str) -> AlmanacKey:
        """The almanac of a table; what no text speaks of is left out, so that many tables share one."""
        return cls(options.edition, language, replace(options, first=None, ages=None, map=None))


@lru_cache(maxsize=MOST_ALMANACS)
def cached_almanac(key: AlmanacKey) -> Almanac:
    """The almanac of an edition or a table in a language."""
    return Almanac(*key)
