"""A turn begins, goes on after an interruption, ends (PHASE-01, PHASE-08, PHASE-10, WIN-08)."""

from __future__ import annotations

from ..compilation.kernels import inline
from ..encoding.phases import BEFORE_ROLL, MAIN
from ..encoding.structs import NOBODY, State
from .awards import examine_victory


@inline
def begin_turn(s: State, seat: int) -> None:
    """Start the turn of `seat`; one who has enough points wins before rolling (WIN-08)."""
    s.active = seat
    s.rolled = 0
    s.card_played = 0
    s.trading_closed = 0
    s.die_a = 0
    s.die_b = 0
    s.turn_number += 1
    s.phase = BEFORE_ROLL
    examine_victory(s)


@inline
def resume_turn(s: State) -> None:
    """Go on with the turn after the robber or free roads (PHASE-10)."""
    s.victim = NOBODY
    s.free_placed = 0
    s.phase = MAIN if s.rolled else BEFORE_ROLL


@inline
def end_turn(s: State) -> None:
    """Pass the dice to the left (PHASE-08)."""
    s.new_cards = 0
    begin_turn(s, s.active + 1 if s.active + 1 < s.players else 0)
