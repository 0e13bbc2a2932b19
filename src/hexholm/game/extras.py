"""What is not installed with the rest: packages that only some people need."""

from __future__ import annotations

from hexholm.rules.errors import BadInput


class MissingExtra(BadInput):
    """A part of Hexholm that was not installed; the message says how to get it."""
