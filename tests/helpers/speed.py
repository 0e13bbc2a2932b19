"""Whether the rules of this run are compiled (`make fast`) or in plain Python, with coverage (`make unit`).

Whole games in plain Python are slow. Tests that play many of them play a few there and all of them compiled.
"""

from __future__ import annotations

from typing import Final

from hexholm.rules.compilation import mode

COMPILED: Final = not mode.wants_interpreted()
