"""Entry points to two kernels that have none: games of another engine are read, not stepped."""

from __future__ import annotations

from typing import Any

from hexholm.rules.compilation.kernels import entry, struct_at
from hexholm.rules.core.belief import observe
from hexholm.rules.core.derived_fields import refresh_derived
from hexholm.rules.encoding.structs import Belief, Scratch, State


@entry
def do_observe(belief: Any, scratch: Any, state_before: Any, state_after: Any, seat: int, code: int) -> None:
    """Tell all observers about an action of `seat` that led from one state to another."""
    observe(
        struct_at(belief, Belief),
        struct_at(scratch, Scratch),
        struct_at(state_before, State),
        struct_at(state_after, State),
        seat,
        code,
        0,
    )


@entry
def do_refresh(state: Any, scratch: Any) -> None:
    """Derive what follows from the pieces."""
    refresh_derived(struct_at(state, State), struct_at(scratch, Scratch))
