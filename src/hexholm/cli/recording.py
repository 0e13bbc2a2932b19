"""`hexholm simulate --records`: the games of a simulation, played under a referee and written down.

Game `i` is the same as in the fast run, which is checked: who wins, after how many actions and turns.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from hexholm.game.game import Game
from hexholm.game.simulated_game import simulated
from hexholm.rules.boards import Layout
from hexholm.rules.simulate import BadSimulation, Result, Simulation, check_players

from .shared.files import REPLACED, BadCall
from .shared.record_file import Store

if TYPE_CHECKING:
    from hexholm.rules.options import Options


def record_games(
    file: str,
    chosen: Options,
    players: Sequence[str],
    games: int,
    seed: int,
    on_progress: Callable[[int, int], None],
    *,
    board: Layout | None = None,
) -> tuple[Result, str]:
    """Play games one after another and keep each in the file; Ctrl-C ends early, with whole games only.

    Returns the result, and what was written where: Parquet is two files.
    """
    if file == "-":
        raise BadCall("--records -: the result goes to standard output; name a file for the games")
    names = check_players(players)
    if games < 1:
        raise BadSimulation(f"games {games}: choose 1 or more")
    shared = Simulation(chosen, seed, board=board)
    played_so_far = [np.zeros((0, 4), np.int64)]
    interrupted = False
    with Store(file, "--records") as store:
        shared.warm_up()
        scratch, begun = shared.scratch(), time.perf_counter()
        try:
            for number in range(games):
                game = simulated(chosen, seed, number, names=names, board=board, compiled=shared.compiled)
                row = shared.play(scratch, number, 1)
                check(game, row[0].tolist(), number)
                played_so_far.append(row)
                store.keep(game.record())
                on_progress(number + 1, games)
        except KeyboardInterrupt:
            interrupted = True
        seconds = time.perf_counter() - begun
    rows = np.concatenate(played_so_far[: 1 + store.kept])
    won = rows[rows[:, 0] >= 0]
    by_seat = np.bincount(won[:, 0], minlength=chosen.players)
    by_order = np.bincount((won[:, 0] - won[:, 3]) % chosen.players, minlength=chosen.players)
    result = Result(
        options=chosen,
        players=names,
        seed=seed,
        jobs=1,
        games=len(rows),
        seconds=seconds,
        decisions=int(rows[:, 1].sum()),
        turns=int(rows[:, 2].sum()),
        wins=tuple(by_seat.tolist()),
        wins_by_order=tuple(by_order.tolist()),
        capped=len(rows) - len(won),
        interrupted=interrupted,
        board=None if board is None else board.name,
    )
    return result, f"{' and '.join(store.files)}{REPLACED if store.replaced else ''}"


def check(game: Game, row: list[int], number: int) -> None:
    """Whether the game went as in the fast run; if not, one of the two is wrong, and that is a fault of ours."""
    winner = -1 if game.referee.winner is None else game.referee.winner
    decisions = sum(seat >= 0 for seat, _ in game.steps)
    found = [winner, decisions, game.turn, game.referee.state.first]
    if found != row:
        raise AssertionError(f"game {number + 1}: {found} under the referee, {row} in the simulation")
