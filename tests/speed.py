"""Whether the rules of this run are compiled (`make fast`) or in plain Python, with coverage (`make unit`).

Whole games in plain Python are slow. Tests that play many of them play a few there and all of them compiled.
"""

from __future__ import annotations

import os
from typing import Final

COMPILED: Final = not os.environ.get("HEXHOLM_INTERPRETED")
