"""`hexholm simulate`: progress on stderr, the result on stdout, the games into a file if that is asked for."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from hexholm.game.language.phrases import count_noun

from ..shared.common_options import JsonOption, with_options
from ..shared.files import REPLACED, BadCall
from ..shared.game_options import GAME_OPTIONS, options_and_board, with_flag_names
from ..shared.plain_text import title_lines
from ..shared.progress import ProgressBar
from ..shared.record_file import RecordFile

if TYPE_CHECKING:
    from hexholm.game.game import Game
    from hexholm.rules.boards import Layout
    from hexholm.rules.setup.options import Options
    from hexholm.rules.simulate import SimulationResult

EXAMPLE: Final = "hexholm simulate --games 3 --seed 9 --records games.jsonl"


@with_options(GAME_OPTIONS)
def simulate(
    players: Annotated[
        str, typer.Option(help="One name for each seat. Only random can play here; tournament takes all players.")
    ] = ",".join(["random"] * 4),
    games: Annotated[int, typer.Option(help="How many games.")] = 1000,
    seed: Annotated[int, typer.Option(help="Determines the run: the same seed plays the same games.")] = 0,
    jobs: Annotated[int, typer.Option(help="Cores to use; 0 uses all.")] = 1,
    records: Annotated[
        str | None,
        typer.Option(
            help="Save all games: .jsonl, .hexholm (text) or .parquet (two tables); plays on one core.",
            show_default=False,
        ),
    ] = None,
    as_json: JsonOption = False,
    **flags: Any,
) -> int:
    """Play many games of random players and count who wins.

    The seats take turns going first unless --first says otherwise. Players choose randomly among all legal actions,
    with equal probability, and make no offers to each other. A game takes about a thousand actions; a game without a
    winner after 100,000 is stopped and counted as such. Ctrl-C prints the results so far.
    """
    file = flags.pop("file")
    names = [name.strip() for name in players.split(",")]
    options, layout = options_and_board(file, players=len(names), **flags)
    from hexholm.arena.runners import count_cores
    from hexholm.rules.simulate import PLAYERS, BadSimulation
    from hexholm.rules.simulate import simulate as play_many

    if jobs < 0:
        raise BadSimulation(f"--jobs {jobs}: choose 1 or more, or 0 for all cores")
    target = ""
    try:
        with ProgressBar() as bar:
            if records is None:
                result = play_many(options, names, games, seed, jobs or count_cores(), bar.update, board=layout)
            else:
                if jobs != 1:
                    typer.echo(f"--jobs {jobs} is ignored: games are recorded on one core", err=True)
                result, target = record_games(records, options, names, games, seed, bar.update, board=layout)
    except BadSimulation as error:
        hint = "; hexholm tournament knows all players" if {*names} - {*PLAYERS} else ""
        raise BadSimulation(f"{with_flag_names(error.args[0])}{hint}") from None
    if file is not None:
        result = replace(result, board=file)
    if as_json:
        data = result.as_dict()
        if records is not None:
            data["records"] = records
        typer.echo(json.dumps(data))
    else:
        for line in simulation_lines(result):
            typer.echo(line)
    if records is not None:
        typer.echo(f"wrote {count_noun(result.games, 'game')} to {target}", err=True)
    return 130 if result.interrupted else 0


def simulation_lines(result: SimulationResult) -> list[str]:
    """The result in words, at most 80 columns wide."""
    games, player_count = max(result.games, 1), result.options.players
    lines = [*title_lines(result.options, file=result.board), ""]
    if result.interrupted:
        lines.append("Interrupted. Results so far:")
    lines += [
        (
            f"{count_noun(result.games, 'game')} in {result.seconds:.2f} s on {count_noun(result.jobs, 'core')},"
            f" seed {result.seed}:"
        ),
        f"{result.games_per_second:,.0f} games/s, {result.actions_per_second / 1e6:.2f} million actions/s",
        f"a game has {result.turns / games:.1f} turns and {result.decisions / games:.1f} actions",
    ]
    if result.capped:
        from hexholm.rules.simulate import MAX_ACTIONS

        were = "game was" if result.capped == 1 else "games were"
        lines.append(f"{result.capped:,} {were} stopped without a winner after {MAX_ACTIONS:,} actions")
    lines += ["", f"wins (a fair share is {100 / player_count:.2f} %)"]
    order = ["starter", "second", "third", "fourth"]
    for seat in range(player_count):
        color, order_name = result.options.colors[seat], order[seat]
        seat_wins, order_wins = result.wins[seat], result.wins_by_order[seat]
        lines.append(
            f"  seat {seat} {color:<8}{seat_wins:>10,} {100 * seat_wins / games:6.2f} %"
            f"      {order_name:<8}{order_wins:>10,} {100 * order_wins / games:6.2f} %"
        )
    return lines


# --- with records -----------------------------------------------------------------------------------------------------


def record_games(
    file: str,
    options: Options,
    players: Sequence[str],
    games: int,
    seed: int,
    on_progress: Callable[[int, int], None],
    *,
    board: Layout | None = None,
) -> tuple[SimulationResult, str]:
    """Play games under a referee and keep each in the file; Ctrl-C ends early, with whole games only.

    Game `i` is the same as in the fast run, which is checked: who wins, after how many actions and turns. Returns the
    result, and what was written where: Parquet is two files.
    """
    from hexholm.game.game import simulated
    from hexholm.rules.simulate import BadSimulation, Simulation, check_players, sum_games

    if file == "-":
        raise BadCall("--records -: the result goes to standard output; name a file for the games")
    names = check_players(players)
    if games < 1:
        raise BadSimulation(f"--games {games}: choose 1 or more")
    simulation = Simulation(options, seed, board=board)
    sums = []
    interrupted = False
    with RecordFile(file, "--records") as record_file:
        simulation.warm_up()
        buffers, started_at = simulation.buffers(), time.perf_counter()
        try:
            for number in range(games):
                game = simulated(options, seed, number, names=names, board=board, compiled=simulation.compiled)
                row = simulation.play(buffers, number, 1)
                check_game(game, row[0].tolist(), number)
                sums.append(sum_games(row, options.players))
                record_file.add(game.record())
                on_progress(number + 1, games)
        except KeyboardInterrupt:
            interrupted = True
        seconds = time.perf_counter() - started_at
    result = simulation.result(
        sums[: record_file.games_written], names, jobs=1, seconds=seconds, interrupted=interrupted
    )
    return result, f"{' and '.join(record_file.files)}{REPLACED if record_file.replaced else ''}"


def check_game(game: Game, simulated_row: list[int], number: int) -> None:
    """Whether the game went as in the fast run; if not, one of the two is wrong, and that is a fault of ours."""
    winner = -1 if game.referee.winner is None else game.referee.winner
    decisions = sum(seat >= 0 for seat, _ in game.steps)
    refereed_row = [winner, decisions, game.turn, game.referee.state.first]
    if refereed_row != simulated_row:
        raise AssertionError(f"game {number + 1}: {refereed_row} under the referee, {simulated_row} in the simulation")
