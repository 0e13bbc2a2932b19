"""The root of all errors that bad input raises; the command line shows them as one line."""

from __future__ import annotations


class BadInput(ValueError):
    """What was said cannot be done; the message says what is wrong and what would be right."""


class MissingExtra(BadInput):
    """A part of Hexholm that was not installed, for only some people need it; the message says how to get it."""
