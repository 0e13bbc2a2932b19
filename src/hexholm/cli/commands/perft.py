"""`hexholm perft`: count the sequences of actions and outcomes from the beginning of a game."""

from __future__ import annotations

import json
import time
from typing import Annotated, Any, Final

import typer

from ..shared.common_options import with_options
from ..shared.game_options import START_OPTIONS, board_seed, options_and_board
from ..shared.plain_text import title_lines

COMPILE_FROM: Final = 4  # below this depth the interpreted rules are done before a cold compiler would be


@with_options(START_OPTIONS)
def perft(
    depth: Annotated[int, typer.Option(help="How many plies to count.", min=1)] = 3,
    players: Annotated[int, typer.Option(help="How many players.")] = 4,
    seed: Annotated[
        int | None, typer.Option(help="Seed of the board, where there are several. [default: 0]", show_default=False)
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the counts as one line of JSON.")] = False,
    **flags: Any,
) -> int:
    """Count the ways a game can begin.

    A ply is a player's decision or an outcome of chance. For each depth, it prints how many sequences of so many plies
    end with a decision, and how many end with chance. Seats act clockwise, offers are left out, a discard is one
    multiset. Ctrl-C prints the depths counted so far.
    """
    file = flags.pop("file")
    options, own_layout = options_and_board(file, players=players, **flags)
    layout_seed = board_seed(seed, options, file)
    from hexholm.rules.boards import layout_for
    from hexholm.rules.compilation import mode
    from hexholm.rules.initial_state import new_state
    from hexholm.rules.perft import perft as count_plies
    from hexholm.rules.perft import perft_in_parts

    layout = own_layout or layout_for(options, layout_seed)
    state = new_state(options, layout)
    compiled = mode.may_compile(None) and (depth >= COMPILE_FROM or mode.is_warm("count_plies"))
    if compiled:
        count_plies(state, 1)
    if not as_json:
        for line in title_lines(options, layout, file):
            typer.echo(line)
        typer.echo(f"{'depth':>5} {'decisions':>16} {'chance':>16} {'seconds':>9}")
    counts: list[dict[str, int]] = []
    interrupted = False
    try:
        for plies in range(1, depth + 1):
            started_at = time.perf_counter()
            sizes = [1, *(line["decisions"] + line["chance"] for line in counts)]
            decisions, outcomes = perft_in_parts(state, sizes, compiled)
            counts.append({"depth": plies, "decisions": decisions, "chance": outcomes})
            if not as_json:
                typer.echo(f"{plies:>5} {decisions:>16,} {outcomes:>16,} {time.perf_counter() - started_at:>9.3f}")
    except KeyboardInterrupt:
        interrupted = True
    if as_json:
        data = {
            "seed": layout_seed,
            "board": file,
            "options": options.as_dict(),
            "counts": counts,
            "interrupted": interrupted,
        }
        typer.echo(json.dumps(data))
    elif interrupted:
        typer.echo(f"Interrupted while counting depth {len(counts) + 1}.")
    return 130 if interrupted else 0
