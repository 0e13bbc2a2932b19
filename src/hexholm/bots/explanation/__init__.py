"""Why a player does what it does: its choice first, then the best other actions, each with a chance and a reason.

`thoughts.py` is the place to begin, `reasons.py` has the words. The players import this.
"""

from __future__ import annotations

from .thoughts import explain_choice

__all__ = ["explain_choice"]
