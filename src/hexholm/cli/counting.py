"""`hexholm perft`: count the sequences of actions and outcomes from the beginning of a game."""

from __future__ import annotations

import time
from typing import Any, Final

import typer

from .asking import game_options, title

COMPILE_FROM: Final = 4  # below this depth the interpreted rules are done before a cold compiler would be


def run(depth: int, seed: int, as_json: bool, **given: Any) -> int:
    """Count and print, one line for each depth; returns the exit code."""
    chosen = game_options(**given)
    from hexholm.rules.boards import layout_for
    from hexholm.rules.compiled import announced, is_warm
    from hexholm.rules.perft import perft
    from hexholm.rules.referee import Referee

    state = Referee.new(layout_for(chosen, seed), compiled=False, **chosen.as_dict()).state
    compiled = depth >= COMPILE_FROM or is_warm("count_plies")
    if compiled:
        with announced():
            perft(state, 1)
    if not as_json:
        for line in title(chosen):
            typer.echo(line)
        typer.echo(f"{'depth':>5} {'decisions':>16} {'chance':>16} {'seconds':>9}")
    counts = []
    for plies in range(1, depth + 1):
        begun = time.perf_counter()
        decisions, chance = perft(state, plies, compiled)
        counts.append({"depth": plies, "decisions": decisions, "chance": chance})
        if not as_json:
            typer.echo(f"{plies:>5} {decisions:>16,} {chance:>16,} {time.perf_counter() - begun:>9.3f}")
    if as_json:
        import json

        typer.echo(json.dumps({"seed": seed, "options": chosen.as_dict(), "counts": counts}))
    return 0
