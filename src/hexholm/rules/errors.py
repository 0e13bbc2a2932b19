"""The root of all errors that bad input raises; the command line shows them as one line."""

from __future__ import annotations


class BadInput(ValueError):
    """What was said cannot be done; the message says what is wrong and what would be right."""
