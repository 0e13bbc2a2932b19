"""`hexholm perft`: count the sequences of actions and outcomes from the beginning of a game."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import typer

from ..shared.game_options import asked, board_seed, title

if TYPE_CHECKING:
    from hexholm.rules.core.encoding.structs import State

COMPILE_FROM: Final = 4  # below this depth the interpreted rules are done before a cold compiler would be
PIECE: Final = 500_000  # positions counted in one compiled call: a fraction of a second, then Ctrl-C is heard


def run(depth: int, seed: int | None, as_json: bool, *, file: str | None, **given: Any) -> int:
    """Count and print, one line for each depth; returns the exit code."""
    chosen, own = asked(file, **given)
    named = board_seed(seed, chosen, file)
    from hexholm.rules.boards import layout_for
    from hexholm.rules.compiled import announced, is_warm
    from hexholm.rules.perft import perft
    from hexholm.rules.referee import Referee

    layout = own or layout_for(chosen, named)
    state = Referee.new(layout, compiled=False, **chosen.as_dict()).state
    compiled = depth >= COMPILE_FROM or is_warm("count_plies")
    if compiled:
        with announced():
            perft(state, 1)
    if not as_json:
        for line in title(chosen, layout, file):
            typer.echo(line)
        typer.echo(f"{'depth':>5} {'decisions':>16} {'chance':>16} {'seconds':>9}")
    counts: list[dict[str, int]] = []
    interrupted = False
    try:
        for plies in range(1, depth + 1):
            begun = time.perf_counter()
            sizes = [1, *(line["decisions"] + line["chance"] for line in counts)]
            decisions, chance = count(state, sizes, compiled)
            counts.append({"depth": plies, "decisions": decisions, "chance": chance})
            if not as_json:
                typer.echo(f"{plies:>5} {decisions:>16,} {chance:>16,} {time.perf_counter() - begun:>9.3f}")
    except KeyboardInterrupt:
        interrupted = True
    if as_json:
        import json

        told = {"seed": named, "board": file, "options": chosen.as_dict(), "counts": counts, "interrupted": interrupted}
        typer.echo(json.dumps(told))
    elif interrupted:
        typer.echo(f"Interrupted while counting depth {len(counts) + 1}.")
    return 130 if interrupted else 0


def count(state: State, sizes: list[int], compiled: bool) -> tuple[int, int]:
    """Decisions and chance at the depth after those whose `sizes` are known, the position itself being the first.

    A compiled call hears Ctrl-C only at its end, so a long count is split after so many plies that the parts are short.
    """
    from hexholm.rules.perft import perft

    depth = len(sizes)
    split = next(k for k in range(depth) if not compiled or sizes[-1] <= PIECE * sizes[k])
    decisions = chance = 0
    for part in after(state, split):
        more = perft(part, depth - split, compiled)
        decisions, chance = decisions + more[0], chance + more[1]
    return decisions, chance


def after(state: State, plies: int) -> Iterator[State]:
    """All positions after so many plies, one for each sequence."""
    if plies == 0:
        yield state
        return
    import numpy as np

    from hexholm.rules.core.drivers.perft import TOO_MANY, choices
    from hexholm.rules.core.drivers.playout import seat_to_act
    from hexholm.rules.core.encoding.structs import Work
    from hexholm.rules.core.phases import CHANCE
    from hexholm.rules.core.step import apply

    work, room = Work(), 1024
    while (n := choices(state, work, codes := np.zeros((1, room), np.int64), 0)) == TOO_MANY:
        room *= 4
    seat = state.turn if CHANCE >> state.phase & 1 or not n else seat_to_act(state)
    for code in codes[0, :n].tolist():
        then = state.copy()
        apply(then, work, seat, code)
        yield from after(then, plies - 1)
