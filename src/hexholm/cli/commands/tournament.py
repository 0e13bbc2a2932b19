"""`hexholm tournament`: progress on stderr, the result on stdout."""

from __future__ import annotations

import datetime as dt
import json
import os
import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from hexholm.game.language.phrases import count_noun, fold
from hexholm.rules.setup.editions import EDITIONS

from ..reports.tournament_result import result_lines
from ..shared.common_options import JsonOption, ProgramOption, ProgramsOption, named_programs, with_options
from ..shared.files import BadCall, check_writable, data_folder, write_error
from ..shared.game_options import GAME_OPTIONS, is_default, options_and_board, with_flag_names
from ..shared.progress import PatientBar
from ..shared.terminal import program_command

if TYPE_CHECKING:
    from hexholm.arena import Listeners, Score, TournamentJob, TournamentResult
    from hexholm.bots.program import ProgramKind

# What defaults are is written out in the help: the arena takes long to load. A test holds the numbers.
EXAMPLE: Final = "hexholm tournament easy random random random --games 200 --seed 5"


def bot_names() -> list[str]:
    """What a shell offers for a player."""
    from hexholm.bots import bot_kinds

    return list(bot_kinds())


def runner_names() -> list[str]:
    """What a shell offers for --runner."""
    from hexholm.arena.runners import RUNNERS

    return list(RUNNERS)


# without --first: the schedule says who begins
@with_options({name: option for name, option in GAME_OPTIONS.items() if name != "first"})
def tournament(
    players: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PLAYER",
            help="A name for each seat; hexholm bots lists them. name@400 or name@2s sets the effort; my_bot.py:MyBot"
            " is your own player. More names than seats take turns.",
            show_default=False,
            autocompletion=bot_names,
        ),
    ] = None,
    games: Annotated[int | None, typer.Option(help="How many games. [default: 400]", show_default=False)] = None,
    seed: Annotated[
        int | None,
        typer.Option(help="Determines boards, dice, draws and players' seeds. [default: 0]", show_default=False),
    ] = None,
    seats: Annotated[
        int | None, typer.Option(help="Seats of a table. [default: as many as players, up to 4]", show_default=False)
    ] = None,
    runner: Annotated[
        str,
        typer.Option(
            help="Who plays: pool (processes), serial, or ray (a cluster).",
            autocompletion=runner_names,
        ),
    ] = "pool",
    jobs: Annotated[int, typer.Option(help="Games at a time; 0 plays one on each core.")] = 0,
    address: Annotated[
        str | None, typer.Option(help="Address of a Ray cluster. [default: a new local one]", show_default=False)
    ] = None,
    cap: Annotated[
        int | None,
        typer.Option(help="Turns after which a game ends; 0 sets no limit. [default: 1000]", show_default=False),
    ] = None,
    sprt: Annotated[
        tuple[float, float] | None,
        typer.Option(
            metavar="LOW HIGH",
            help="Stop when it is clear whether the first player's share of wins is at most LOW or at least HIGH.",
            show_default=False,
        ),
    ] = None,
    records: Annotated[
        str | None, typer.Option(help="Save all complete games: a .jsonl file.", metavar="FILE", show_default=False)
    ] = None,
    resume: Annotated[
        str | None,
        typer.Option(
            help="Keep finished games in this file; if it has some already, continue from them.",
            metavar="FILE",
            show_default=False,
        ),
    ] = None,
    plot: Annotated[
        str | None,
        typer.Option(help="Draw ladder and win matrix: .png, .svg or .pdf.", metavar="FILE", show_default=False),
    ] = None,
    program: ProgramOption = None,
    programs: ProgramsOption = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Stop at the first answer of a player that is not a legal action.")
    ] = False,
    as_json: JsonOption = False,
    **flags: Any,
) -> int:
    """Find out which players are stronger, and how sure that is.

    Every board is played once for each seat, with the same dice, so that everybody takes every seat; intervals are
    clustered by board. The same seed plays the same games, whatever --runner is used. Ctrl-C prints the results so far
    and how to continue. docs/how-to/tournament.md explains the figures.
    """
    from hexholm import arena
    from hexholm.arena import runners
    from hexholm.arena.journal import Journal
    from hexholm.rules.errors import BadInput

    file = flags.pop("file")
    resuming = resume is not None and Path(resume).is_file() and Path(resume).stat().st_size > 0
    if not players and not resuming:
        exists = resume is not None and Path(resume).exists()
        reason = f"--resume {resume}: there is {'nothing in it' if exists else 'no such file'}; " if resume else ""
        raise BadCall(f"{reason}name the players, as in: hexholm tournament easy random random random")
    _check_files(records, resume, plot)
    taken_up: Journal | None = None
    if players:
        program_kinds = named_programs(programs, program or [])
        job = _new_job(players, program_kinds, seats, 0 if seed is None else seed, cap, file, flags)
        _warn_of_idle_programs(named_programs(None, program or []), job)
    else:
        _refuse_with_resume({"seed": seed, "seats": seats, "cap": cap, "file": file, **flags})
        assert resume is not None
        taken_up = Journal.take_up(resume)
        job, goal = taken_up.job, taken_up.goal
        games = goal["games"] if games is None else games
        if sprt is None and (kept_test := goal.get("sprt")):
            low, high = kept_test
            sprt = low, high
    count = arena.DEFAULT_GAMES if games is None else games
    journal = Path(resume) if resume is not None else _own_journal()
    run_flags = _run_flags(runner, jobs, address, strict)
    report = _ProgressReport(job, count, PatientBar(), resumed=resuming)
    try:
        with report.bar, taken_up or nullcontext():
            result = arena.run_job(
                replace(job, strict=strict),
                count,
                runner=runners.runner(runner, jobs, address),
                sprt=sprt,
                resume=taken_up or journal,
                records=records,
                listeners=report.make_listeners(),
                tidy=resume is None,
            )
    except (BadInput, arena.BotFailed, runners.GameBroke) as error:
        if isinstance(error, BadInput) and not report.any_played:  # nothing was played: the call was wrong, or the file
            raise BadInput(with_flag_names(error.args[0])) if type(error) is BadInput else error from None
        typer.echo(f"hexholm: {error}", err=True)
        _show_kept(report.partial, journal, run_flags, as_json, file)
        return 1
    except Exception:  # a fault of ours, its traceback follows
        _show_kept(report.partial, journal, run_flags, as_json, file)
        raise
    if result.interrupted and not result.games:
        if as_json:
            _show(result, as_json, file)
        typer.echo(
            f"Stopped before the first game was over. To go on:\n  {_resume_command(journal, run_flags)}", err=True
        )
        return 130
    _show(result, as_json, file)
    _print_remarks(result, job, journal, count, run_flags)
    if plot is not None:
        from hexholm.arena.plot import draw

        draw(result, plot)
        typer.echo(f"wrote {plot}", err=True)
    return 130 if result.interrupted else 0


@dataclass
class _ProgressReport:
    """What is told on stderr while games are played, and what is needed of it afterwards."""

    job: TournamentJob
    count: int
    bar: PatientBar
    resumed: bool
    any_played: bool = False
    """Whether a game was played."""
    partial: list[TournamentResult] = field(default_factory=list)
    """How it stood when something broke."""

    def make_listeners(self) -> Listeners:
        from hexholm import arena

        return arena.Listeners(
            self._start, self._show_progress, self._warn_of_changed, self._warn_of_unknown, self.partial.append
        )

    def _start(self, score: Score) -> None:
        if self.resumed and score.done:
            line = f"{count_noun(score.done, 'game')} of {self.count:,} {_is_or_are(score.done)} played already"
            typer.echo(line, err=True)
        if self.bar.enabled:
            typer.echo(fold(_opening_line(self.job, self.count), "  "), err=True)
            self.bar.begin(score.done, score.planned)

    def _show_progress(self, score: Score) -> None:
        self.any_played = True
        self.bar.update(score.done, score.planned, standing_text(score))

    def _warn_of_changed(self, changed: dict[str, int]) -> None:
        from hexholm.arena.fingerprints import change_lines

        for line in change_lines(changed):
            typer.echo(f"hexholm: {line}", err=True)

    def _warn_of_unknown(self, labels: list[str]) -> None:
        from hexholm.arena.fingerprints import unknown_line

        typer.echo(f"hexholm: {unknown_line(labels)}", err=True)


def _check_files(records: str | None, resume: str | None, plot: str | None) -> None:
    """Refuse before many games what could not be written after them."""
    for option, name in (("--records", records), ("--resume", resume), ("--plot", plot)):
        if name is not None:
            if name == "-":
                raise BadCall(f"{option} -: the result goes to standard output; name a file")
            check_writable(name, option)
    if plot is not None:
        from hexholm.arena.plot import check_drawable, import_matplotlib

        check_drawable(plot)
        import_matplotlib()
        _check_plot_writable(plot)


def _new_job(
    players: Sequence[str],
    programs: Mapping[str, ProgramKind],
    seats: int | None,
    seed: int,
    cap: int | None,
    file: str | None,
    flags: dict[str, Any],
) -> TournamentJob:
    from hexholm import arena

    edition = flags["edition"].strip().lower()
    return arena.tournament_job(
        players,
        lambda chosen_seats: options_and_board(file, players=chosen_seats, **flags),
        seed,
        seats=seats,
        edition=edition if edition in EDITIONS else None,  # another is refused with the options
        programs=programs,
        cap=arena.DEFAULT_CAP if cap is None else cap,
    )


def _refuse_with_resume(flags: Mapping[str, Any]) -> None:
    """Refuse options that say what is played beside a file that does."""
    for option, value in flags.items():
        if not is_default(option, value):
            flag = f"--{option.replace('_', '-')}"
            raise BadCall(f"--resume and {flag}: the file says what is played; leave it out, or name the players too")


def _check_plot_writable(file: str) -> None:
    """Refuse before many games what could not be written after them; leaves all as it was."""
    path = Path(file)
    existed = path.exists()
    if existed and not path.is_file():  # a device or a pipe: only writing shows it
        return
    try:
        path.open("ab").close()
        if not existed:
            path.unlink()
    except OSError as error:
        raise write_error(file, error) from None


def _own_journal() -> Path:
    """Where a tournament is kept until it is over, if nobody says where."""
    timestamp = dt.datetime.now().astimezone().strftime("%Y-%m-%d-%H%M%S")
    return data_folder("tournaments") / f"{timestamp}-{os.getpid()}.jsonl"


def _show(result: TournamentResult, as_json: bool, file: str | None) -> None:
    if as_json:
        typer.echo(json.dumps(result.as_dict()))
    else:
        for line in result_lines(result, file):
            typer.echo(line)


def _show_kept(
    partial: Sequence[TournamentResult], journal: Path, run_flags: str, as_json: bool, file: str | None
) -> None:
    """After something broke: how it stood by then, if anything was played, and on stderr where the games are."""
    for result in partial:
        _show(result, as_json, file)
        typer.echo(
            f"What was played is kept. To go on after fixing this:\n  {_resume_command(journal, run_flags)}", err=True
        )


def _run_flags(runner: str, jobs: int, address: str | None, strict: bool) -> str:
    """The options that the file of a tournament does not keep, as they are typed; "" if none was."""
    flags = f" --runner {runner}" if runner != "pool" else ""
    flags += f" --address {shlex.quote(address)}" if address is not None else ""
    return flags + (f" --jobs {jobs}" if jobs else "") + " --strict" * strict


def _resume_command(journal: Path, run_flags: str) -> str:
    """What one types to go on with a tournament."""
    return f"{program_command()} tournament --resume {shlex.quote(str(journal))}{run_flags}"


def _warn_of_idle_programs(programs: Mapping[str, ProgramKind], job: TournamentJob) -> None:
    """Say which programs of --program options nobody asked to play."""
    sources = [entrant.source for entrant in job.entrants]
    for name, kind in programs.items():
        if kind not in sources:
            typer.echo(f"--program {name}: no seat uses it; name {name} among the players", err=True)


def _print_remarks(result: TournamentResult, job: TournamentJob, journal: Path, count: int, run_flags: str) -> None:
    """What one wants to know beside the result, on stderr."""
    if result.records is not None and result.played:
        typer.echo(f"wrote {count_noun(result.games, 'game')} to {result.records}", err=True)
    if result.interrupted:
        progress = f"{result.games} of {count_noun(count, 'game')}"
        typer.echo(f"Interrupted after {progress}. To go on:\n  {_resume_command(journal, run_flags)}", err=True)
    elif result.left_out:
        games_left_out = count_noun(result.left_out, "more game")
        typer.echo(
            f"{games_left_out} {_is_or_are(result.left_out)} kept in {journal}: a larger --games counts them too",
            err=True,
        )
    seats, names, meeting = result.options.players, len(job.entrants), job.schedule.meeting
    if names > seats and result.games % meeting and not result.interrupted:
        remark = f"{names} players for {seats} seats: all groups meet equally often in {meeting:,} games"
        typer.echo(f"{remark}, or a multiple of them; in {result.games:,} they do not", err=True)
    elif result.games % seats and not result.interrupted:
        whole = "no whole block" if result.games == 1 else "not whole blocks"
        remark = f"{count_noun(result.games, 'game')} {_is_or_are(result.games)} {whole} of {seats}"
        typer.echo(f"{remark}: not everyone had each seat equally often", err=True)
    for fault in result.faults[:5]:
        typer.echo(fold(f"lost decision: {fault}", "  "), err=True)


def standing_text(score: Score) -> str:
    """How it stands, in a few words for the progress bar."""
    shares = "  ".join(f"{name} {100 * share:.1f} %" for name, share in list(score.shares().items())[:4])
    return shares + (f"  {score.capped} capped" if score.capped else "")


def _opening_line(job: TournamentJob, count: int) -> str:
    """What is played, in a line for those who wait."""
    names = Counter(entrant.label for entrant in job.entrants)
    players = ", ".join(name if n == 1 else f"{n} {name}" for name, n in names.items())
    return f"{count_noun(count, 'game')} of {players}; seed {job.seed}"


def _is_or_are(n: int) -> str:
    return "is" if n == 1 else "are"
