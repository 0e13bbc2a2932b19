"""Counting: how many sequences of actions and outcomes there are from a position.

A ply is a decision of the seat to act (seats clockwise from the active one, offers left out, a discard is one
multiset) or an outcome of chance. The counts of depth d: sequences of d plies whose last one is a decision, and
those whose last one is chance.
"""

from __future__ import annotations

from typing import Any

from ...compilation.kernels import entry, kernel, struct_at, struct_in
from ...encoding import action_codes as act
from ...encoding.action_codes import dice_outcome, simple_action
from ...encoding.lanes import N_KINDS
from ...encoding.phases import OVER, is_chance_phase
from ...encoding.structs import Scratch, State
from ..actors import next_without_trade
from ..legal import nth_action, survey
from ..nature import odds_of_outcome
from ..step import apply_action

TOO_MANY = -1


@kernel
def list_outcomes(s: State, codes: Any, row: int) -> int:
    """Write the outcomes of chance that are open into row `row`; returns how many."""
    n = 0
    for a in range(1, 7):
        for b in range(1, 7):
            if odds_of_outcome(s, dice_outcome(a, b)):
                codes[row, n] = dice_outcome(a, b)
                n += 1
    for kind in (act.STOLEN, act.DRAWN):
        for card in range(N_KINDS):
            if odds_of_outcome(s, simple_action(kind, card)):
                codes[row, n] = simple_action(kind, card)
                n += 1
    return n


@kernel
def list_plies(s: State, scratch: Scratch, codes: Any, row: int) -> int:
    """Write all plies into row `row`; returns how many, TOO_MANY if they do not fit."""
    if s.phase == OVER:
        return 0
    if is_chance_phase(s.phase):
        return list_outcomes(s, codes, row)
    seat = next_without_trade(s)
    n = survey(s, scratch, seat)
    if n > codes.shape[1]:
        return TOO_MANY
    for i in range(n):
        codes[row, i] = nth_action(s, scratch, seat, i)
    return n


@entry
def count_plies(stack: Any, codes: Any, plies_left: Any, scratch: Any, depth: int, counts: Any) -> int:
    """Count from the state in stack[0]: uint8[depth + 1, State.size].

    codes int64[depth + 1, many] and plies_left int64[depth + 1] are room; counts int64[2] takes decisions and outcomes.
    Returns 0, or TOO_MANY if a position had more plies than there is room for.
    """
    w = struct_at(scratch, Scratch)
    counts[0] = 0
    counts[1] = 0
    level = 0
    plies_left[0] = list_plies(struct_in(stack, 0, State), w, codes, 0)
    while level >= 0:
        if plies_left[level] == TOO_MANY:
            return TOO_MANY
        s = struct_in(stack, level, State)
        is_chance = is_chance_phase(s.phase)
        if level == depth - 1:
            counts[1 if is_chance else 0] += plies_left[level]
            level -= 1
            continue
        if plies_left[level] == 0:
            level -= 1
            continue
        plies_left[level] -= 1
        seat = s.active if is_chance else next_without_trade(s)
        code = int(codes[level, plies_left[level]])  # a plain integer, also when interpreted
        for j in range(stack.shape[1]):
            stack[level + 1, j] = stack[level, j]
        level += 1
        child = struct_in(stack, level, State)
        apply_action(child, w, seat, code)
        plies_left[level] = list_plies(child, w, codes, level)
    return 0
