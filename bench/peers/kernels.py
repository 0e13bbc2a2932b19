"""Entry points to two kernels that have none: games of another engine are read, not stepped."""

from __future__ import annotations

from typing import Any

from hexholm.rules.compiled import entry, struct_at
from hexholm.rules.core.belief import observe
from hexholm.rules.core.encoding.structs import Belief, State, Work
from hexholm.rules.core.legal import refresh_derived


@entry
def do_observe(belief: Any, work: Any, before: Any, after: Any, seat: int, code: int) -> None:
    """Tell all observers about an action of `seat` that led from one state to another."""
    observe(
        struct_at(belief, Belief),
        struct_at(work, Work),
        struct_at(before, State),
        struct_at(after, State),
        seat,
        code,
        0,
    )


@entry
def do_refresh(state: Any, work: Any) -> None:
    """Derive what follows from the pieces."""
    refresh_derived(struct_at(state, State), struct_at(work, Work))
