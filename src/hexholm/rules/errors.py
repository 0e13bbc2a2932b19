"""The root of all errors that bad input raises; the command line shows them as one line."""

from __future__ import annotations

import reprlib
from dataclasses import dataclass
from typing import Final, Self

LONGEST_SAID: Final = 80
"""Characters of what was said that a message repeats."""
_QUOTE: Final = reprlib.Repr()
_QUOTE.maxstring = _QUOTE.maxother = LONGEST_SAID
_QUOTE.maxlist = _QUOTE.maxtuple = _QUOTE.maxset = _QUOTE.maxdict = 8


def quoted(value: object) -> str:
    """A value as a message repeats it: like `repr`, but of a long one only the beginning."""
    return _QUOTE.repr(value)


class BadInput(ValueError):
    """Bad input; the message says what is wrong and what would be right."""


class MissingExtra(BadInput):
    """A part of Hexholm that was not installed, for only some people need it; the message says how to get it."""


@dataclass(frozen=True, slots=True)
class OptionMention:
    """An option and its value in a message, and how Python says it: a command line names its own flag instead."""

    option: str
    value: object
    spelling: str

    @classmethod
    def given(cls, option: str, value: object, name: str | None = None) -> OptionMention:
        """What was given, at the beginning of a message: `map 60`."""
        return cls(option, value, f"{name or option} {str(value)[:LONGEST_SAID]}")

    @classmethod
    def given_quoted(cls, option: str, value: object, name: str | None = None) -> OptionMention:
        """The same with a text in quotes: `phases 'odd'`."""
        return cls(option, value, f"{name or option} {quoted(value)}")

    @classmethod
    def advised(cls, option: str, value: object) -> OptionMention:
        """What would help: `setup='variable'`."""
        return cls(option, value, f"{option}={quoted(value)}")

    @classmethod
    def player_count(cls, value: object) -> OptionMention:
        """How many players were given: `5 players`."""
        return cls("players", value, f"{quoted(value)} players")

    def __str__(self) -> str:
        return self.spelling


class OptionMessage(str):
    """A message that knows where it mentions options."""

    __slots__ = ("pieces",)
    pieces: tuple[str | OptionMention, ...]

    def __new__(cls, *pieces: str | OptionMention) -> Self:
        message = super().__new__(cls, "".join(map(str, pieces)))
        message.pieces = pieces
        return message
