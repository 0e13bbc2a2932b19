"""`hexholm tournament`: progress on stderr, the result on stdout."""

from __future__ import annotations

import datetime as dt
import json
import os
import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from hexholm.game.language.phrases import count_noun, fold
from hexholm.rules.editions import EDITIONS

from ..reports.tournament_result import result_lines
from ..shared.common_options import JsonOption, ProgramOption, ProgramsOption, named_programs, shared
from ..shared.files import BadCall, data_folder, unwritable, writable
from ..shared.game_options import GAME_OPTIONS, as_flags, is_default, options_and_board
from ..shared.progress import PatientBar
from ..shared.terminal import program_called

if TYPE_CHECKING:
    from hexholm.arena import Listeners, Score, TournamentJob, TournamentResult
    from hexholm.bots.program import ProgramKind

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
@shared({name: option for name, option in GAME_OPTIONS.items() if name != "first"})
def tournament(
    players: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PLAYER",
            help="A name for each seat: hexholm bots lists them. name@400 or name@2s sets the effort; my_bot.py:MyBot"
            " is one of your own. More names than seats take turns.",
            show_default=False,
            autocompletion=bot_names,
        ),
    ] = None,
    games: Annotated[int | None, typer.Option(help="How many games. [default: 400]", show_default=False)] = None,
    seed: Annotated[
        int | None, typer.Option(help="Names boards, dice, cards and players' seeds. [default: 0]", show_default=False)
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
    jobs: Annotated[int, typer.Option(help="Games at a time; 0: one for each core.")] = 0,
    address: Annotated[
        str | None, typer.Option(help="Of a Ray cluster. [default: one of its own]", show_default=False)
    ] = None,
    cap: Annotated[
        int | None, typer.Option(help="Turns after which a game ends; 0: none. [default: 1000]", show_default=False)
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
        str | None, typer.Option(help="Save all games, whole: a .jsonl file.", metavar="FILE", show_default=False)
    ] = None,
    resume: Annotated[
        str | None,
        typer.Option(
            help="Keep finished games in this file; if it holds some, go on with them.",
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
        bool, typer.Option("--strict", help="Stop at the first answer of a player that is no legal action.")
    ] = False,
    as_json: JsonOption = False,
    **given: Any,
) -> int:
    """Find out which players are stronger, and how sure that is.

    Every board is played as often as there are seats, with the same dice, everybody once in every seat; intervals are
    clustered by board. The same seed plays the same games, whoever plays them. Ctrl-C prints what was played so far
    and how to go on. docs/how-to/tournament.md explains the figures.
    """
    from hexholm import arena
    from hexholm.arena import runners
    from hexholm.rules.errors import BadInput

    file = given.pop("file")
    begun = resume is not None and Path(resume).is_file() and Path(resume).stat().st_size > 0
    if not players and not begun:
        there = resume is not None and Path(resume).exists()
        why = f"--resume {resume}: there is {'nothing in it' if there else 'no such file'}; " if resume else ""
        raise BadCall(f"{why}name the players, as in: hexholm tournament easy random random random")
    _check_files(records, resume, plot)
    if players:
        own = named_programs(programs, program or [])
        job = _new_job(players, own, seats, 0 if seed is None else seed, cap, file, given)
        _tell_idle(named_programs(None, program or []), job)
    else:
        _only_the_file({"seed": seed, "seats": seats, "cap": cap, "file": file, **given})
        assert resume is not None
        job, manifest = _read_journal(resume)
        games = manifest["games"] if games is None else games
        sprt = (tuple(manifest["sprt"]) if manifest["sprt"] else None) if sprt is None else sprt
    count = arena.DEFAULT_GAMES if games is None else games
    journal = Path(resume) if resume is not None else _own_journal()
    how = _how_it_is_played(runner, jobs, address, strict)
    report = _ProgressReport(job, count, PatientBar(), resumed=begun)
    try:
        with report.bar:
            result = arena.run_job(
                replace(job, strict=strict),
                count,
                runner=runners.runner(runner, jobs, address),
                sprt=sprt,
                resume=journal,
                records=records,
                listeners=report.listeners(),
                tidy=resume is None,
            )
    except (BadInput, arena.PlayerFailed, runners.GameBroke) as wrong:
        if isinstance(wrong, BadInput) and not report.moved:  # nothing was played: the call was wrong, or the file
            raise BadInput(as_flags(str(wrong))) if type(wrong) is BadInput else wrong from None
        typer.echo(f"hexholm: {wrong}", err=True)
        _show_kept(report.partial, journal, how, as_json, file)
        return 1
    except Exception:  # a fault of ours, its traceback follows
        _show_kept(report.partial, journal, how, as_json, file)
        raise
    if result.interrupted and not result.games:
        if as_json:
            _show(result, as_json, file)
        typer.echo(f"Stopped before the first game was over. To go on:\n  {_resume_command(journal, how)}", err=True)
        return 130
    _show(result, as_json, file)
    _tell(result, job, journal, records or _kept_records(journal, result), count, how)
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
    moved: bool = False
    """Whether a game was played."""
    partial: list[TournamentResult] = field(default_factory=list)
    """How it stood when something broke."""

    def listeners(self) -> Listeners:
        from hexholm import arena

        return arena.Listeners(self._begun, self._progress, self._changed, self._unknown, self.partial.append)

    def _begun(self, score: Score) -> None:
        if self.resumed and score.done:
            played = f"{count_noun(score.done, 'game')} of {self.count:,} {_is_or_are(score.done)} played already"
            typer.echo(played, err=True)
        if self.bar.wanted:
            typer.echo(fold(_opening(self.job, self.count), "  "), err=True)
            self.bar.begin(score.done, score.whole)

    def _progress(self, score: Score) -> None:
        self.moved = True
        self.bar.update(score.done, score.whole, standing_text(score))

    def _changed(self, changed: dict[str, int]) -> None:
        from hexholm.arena.fingerprints import change_lines

        for line in change_lines(changed):
            typer.echo(f"hexholm: {line}", err=True)

    def _unknown(self, labels: list[str]) -> None:
        from hexholm.arena.fingerprints import unknown_line

        typer.echo(f"hexholm: {unknown_line(labels)}", err=True)


def _check_files(records: str | None, resume: str | None, plot: str | None) -> None:
    """Refuse before many games what could not be written after them."""
    for option, name in (("--records", records), ("--resume", resume), ("--plot", plot)):
        if name is not None:
            if name == "-":
                raise BadCall(f"{option} -: the result goes to standard output; name a file")
            writable(name, option)
    if plot is not None:
        from hexholm.arena.plot import check_drawable, import_matplotlib

        check_drawable(plot)
        import_matplotlib()
        _can_be_written(plot)


def _new_job(
    players: Sequence[str],
    programs: Mapping[str, ProgramKind],
    seats: int | None,
    seed: int,
    cap: int | None,
    file: str | None,
    given: dict[str, Any],
) -> TournamentJob:
    from hexholm import arena

    edition = given["edition"].strip().lower()
    return arena.tournament_job(
        players,
        lambda chosen_seats: options_and_board(file, players=chosen_seats, **given),
        seed,
        seats=seats,
        edition=edition if edition in EDITIONS else None,  # another is refused with the options
        programs=programs,
        cap=arena.DEFAULT_CAP if cap is None else cap,
    )


def _read_journal(resume: str) -> tuple[TournamentJob, dict[str, Any]]:
    from hexholm.arena.journal import job_of, read_manifest

    manifest = read_manifest(resume)
    return job_of(manifest), manifest


def _only_the_file(given: Mapping[str, Any]) -> None:
    """Refuse options that say what is played beside a file that does."""
    for option, value in given.items():
        if not is_default(option, value):
            flag = f"--{option.replace('_', '-')}"
            raise BadCall(f"--resume and {flag}: the file says what is played; leave it out, or name the players too")


def _can_be_written(file: str) -> None:
    """Refuse before many games what could not be written after them; leaves all as it was."""
    path = Path(file)
    there = path.exists()
    if there and not path.is_file():  # a device or a pipe: only writing shows it
        return
    try:
        path.open("ab").close()
        if not there:
            path.unlink()
    except OSError as wrong:
        raise unwritable(file, wrong) from None


def _own_journal() -> Path:
    """Where a tournament is kept until it is over, if nobody says where."""
    now = dt.datetime.now().astimezone().strftime("%Y-%m-%d-%H%M%S")
    return data_folder("tournaments") / f"{now}-{os.getpid()}.jsonl"


def _show(result: TournamentResult, as_json: bool, file: str | None) -> None:
    if as_json:
        typer.echo(json.dumps(result.as_dict()))
    else:
        for line in result_lines(result, file):
            typer.echo(line)


def _show_kept(partial: Sequence[TournamentResult], journal: Path, how: str, as_json: bool, file: str | None) -> None:
    """After something broke: how it stood by then, if anything was played, and on stderr where the games are."""
    for result in partial:
        _show(result, as_json, file)
        typer.echo(
            f"What was played is kept. To go on when this is mended:\n  {_resume_command(journal, how)}", err=True
        )


def _how_it_is_played(runner: str, jobs: int, address: str | None, strict: bool) -> str:
    """The options that the file of a tournament does not keep, as they are typed; "" if none was."""
    said = f" --runner {runner}" if runner != "pool" else ""
    said += f" --address {shlex.quote(address)}" if address is not None else ""
    return said + (f" --jobs {jobs}" if jobs else "") + " --strict" * strict


def _resume_command(journal: Path, how: str) -> str:
    """What one types to go on with a tournament."""
    return f"{program_called()} tournament --resume {shlex.quote(str(journal))}{how}"


def _kept_records(journal: Path, result: TournamentResult) -> str | None:
    """The file of whole games that a tournament which goes on has written to, if it was begun with one."""
    if not result.played or not journal.is_file():
        return None
    from hexholm.arena.journal import read_manifest

    found: str | None = read_manifest(journal).get("records")
    return found


def _tell_idle(programs: Mapping[str, ProgramKind], job: TournamentJob) -> None:
    """Say which programs of --program options nobody asked to play."""
    playing = [one.source for one in job.entrants]
    for name, one in programs.items():
        if one not in playing:
            typer.echo(f"--program {name}: no seat is taken by it; name {name} among the players", err=True)


def _tell(
    result: TournamentResult, job: TournamentJob, journal: Path, records: str | None, count: int, how: str
) -> None:
    """What one wants to know beside the result, on stderr."""
    if records is not None:
        typer.echo(f"wrote {count_noun(result.games, 'game')} to {records}", err=True)
    if result.interrupted:
        done = f"{result.games} of {count_noun(count, 'game')}"
        typer.echo(f"Interrupted after {done}. To go on:\n  {_resume_command(journal, how)}", err=True)
    elif result.left_out:
        more = count_noun(result.left_out, "more game")
        typer.echo(
            f"{more} {_is_or_are(result.left_out)} kept in {journal}: a larger --games counts them too", err=True
        )
    seats, names, meeting = result.options.players, len(job.entrants), job.schedule.meeting
    if names > seats and result.games % meeting and not result.interrupted:
        said = f"{names} players for {seats} seats: all groups meet equally often in {meeting:,} games"
        typer.echo(f"{said}, or a multiple of them; in {result.games:,} they do not", err=True)
    elif result.games % seats and not result.interrupted:
        whole = "no whole block" if result.games == 1 else "not whole blocks"
        said = f"{count_noun(result.games, 'game')} {_is_or_are(result.games)} {whole} of {seats}"
        typer.echo(f"{said}: not everybody sat everywhere equally often", err=True)
    for fault in result.faults[:5]:
        typer.echo(fold(f"lost decision: {fault}", "  "), err=True)


def standing_text(score: Score) -> str:
    """How it stands, in a few words for the progress bar."""
    shares = "  ".join(f"{name} {100 * share:.1f} %" for name, share in list(score.shares().items())[:4])
    return shares + (f"  {score.capped} capped" if score.capped else "")


def _opening(job: TournamentJob, count: int) -> str:
    """What is played, in a line for those who wait."""
    names = Counter(one.label for one in job.entrants)
    who = ", ".join(name if n == 1 else f"{n} {name}" for name, n in names.items())
    return f"{count_noun(count, 'game')} of {who}; seed {job.seed}"


def _is_or_are(n: int) -> str:
    return "is" if n == 1 else "are"
