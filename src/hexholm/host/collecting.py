"""Fewer pauses for collecting garbage.

Python looks now and then through everything there is for things that only hold each other. A host holds much that lives
as long as it does: the libraries, the tables and all they ever told. To look through that took a tenth of a second with
a few hundred tables, in which nobody is answered. So what is there when the doors open is left out of it, and later
things are looked through less often. Almost everything goes without it, when nobody needs it any more.
"""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator
from typing import Final

THRESHOLDS: Final = (10_000, 20, 100)
"""New things until the young are looked through; how often these, until the older ones; these, until all."""


@contextlib.contextmanager
def seldom() -> Iterator[None]:
    """Within this context garbage is collected seldom."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
