"""`hexholm simulate`: progress on stderr, the result on stdout."""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

import typer

from ..shared.game_options import as_flags, asked, many, title

if TYPE_CHECKING:
    from hexholm.rules.simulate import Result

PATIENCE: Final = 0.5  # seconds before a progress bar is worth its while


def run(
    players: str,
    games: int,
    seed: int,
    jobs: int,
    as_json: bool,
    records: str | None,
    *,
    file: str | None,
    **given: Any,
) -> int:
    """Simulate, write the games down if that is asked for, and print; returns the exit code."""
    names = [name.strip() for name in players.split(",")]
    chosen, own = asked(file, players=len(names), **given)
    from hexholm.rules.simulate import PLAYERS, BadSimulation, simulate

    if jobs < 0:
        raise BadSimulation(f"--jobs {jobs}: choose 1 or more, or 0 for all cores")
    written = ""
    try:
        with Bar() as bar:
            if records is None:
                result = simulate(chosen, names, games, seed, jobs or _cores(), bar.update, board=own)
            else:
                from ..recording import record_games

                if jobs != 1:
                    typer.echo(f"--jobs {jobs} is left aside: games are recorded on one core", err=True)
                result, written = record_games(records, chosen, names, games, seed, bar.update, board=own)
    except BadSimulation as wrong:
        others = "; hexholm tournament knows all players" if {*names} - {*PLAYERS} else ""
        raise BadSimulation(f"{as_flags(str(wrong))}{others}") from None
    if file is not None:
        result = replace(result, board=file)
    if as_json:
        import json

        told = result.as_dict()
        if records is not None:
            told["records"] = records
        typer.echo(json.dumps(told))
    else:
        for line in describe(result):
            typer.echo(line)
    if records is not None:
        typer.echo(f"wrote {many(result.games, 'game')} to {written}", err=True)
    return 130 if result.interrupted else 0


def describe(result: Result) -> list[str]:
    """The result in words, at most 80 columns wide."""
    n, players = max(result.games, 1), result.options.players
    lines = [*title(result.options, file=result.board), ""]
    if result.interrupted:
        lines.append("Interrupted; what was played until then:")
    lines += [
        f"{many(result.games, 'game')} in {result.seconds:.2f} s on {many(result.jobs, 'core')}, seed {result.seed}:",
        f"{result.games_per_second:,.0f} games/s, {result.actions_per_second / 1e6:.2f} million actions/s",
        f"a game has {result.turns / n:.1f} turns and {result.decisions / n:.1f} actions",
    ]
    if result.capped:
        from hexholm.rules.simulate import MAX_ACTIONS

        were = "game was" if result.capped == 1 else "games were"
        lines.append(f"{result.capped:,} {were} stopped without a winner after {MAX_ACTIONS:,} actions")
    lines += ["", f"wins (a fair share is {100 / players:.2f} %)"]
    order = ["starter", "second", "third", "fourth"]
    for seat in range(players):
        color, late = result.options.colors[seat], order[seat]
        by_seat, by_order = result.wins[seat], result.wins_by_order[seat]
        lines.append(
            f"  seat {seat} {color:<8}{by_seat:>10,} {100 * by_seat / n:6.2f} %"
            f"      {late:<8}{by_order:>10,} {100 * by_order / n:6.2f} %"
        )
    return lines


def _cores() -> int:
    import os

    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Bar:
    """A progress bar on stderr, if that is a terminal and the wait is long enough to want one."""

    def __init__(self) -> None:
        self.begun = 0.0
        self.bar: Any = None
        self.task: Any = None
        self.wanted = sys.stderr.isatty()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.bar is not None:
            self.bar.stop()

    def update(self, done: int, whole: int, words: str = "games") -> None:
        """Show that `done` of `whole` games are over, with a few words beside it."""
        if not self.wanted:
            return
        now = time.perf_counter()
        if not self.begun:
            self.begun = now
        if self.bar is None and now - self.begun > PATIENCE and done < whole:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

            columns = TextColumn("{task.description}"), BarColumn(20), MofNCompleteColumn(), TimeRemainingColumn()
            self.bar = Progress(*columns, console=Console(stderr=True), transient=True)
            self.task = self.bar.add_task("", total=whole)
            self.bar.start()
        if self.bar is not None:
            self.bar.update(self.task, completed=done, description=words)
