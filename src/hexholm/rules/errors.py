"""The root of all errors that bad input raises; the command line shows them as one line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self


class BadInput(ValueError):
    """What was said cannot be done; the message says what is wrong and what would be right."""


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
        return cls(option, value, f"{name or option} {value}")

    @classmethod
    def given_quoted(cls, option: str, value: object, name: str | None = None) -> OptionMention:
        """The same with a text in quotes: `phases 'odd'`."""
        return cls(option, value, f"{name or option} {value!r}")

    @classmethod
    def advised(cls, option: str, value: object) -> OptionMention:
        """What would help: `setup='variable'`."""
        return cls(option, value, f"{option}={value!r}")

    @classmethod
    def player_count(cls, value: object) -> OptionMention:
        """How many players were given: `5 players`."""
        return cls("players", value, f"{value!r} players")

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
