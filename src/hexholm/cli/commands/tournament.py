"""`hexholm tournament` and `hexholm bots`: progress on stderr, the result on stdout."""

from __future__ import annotations

import datetime as dt
import os
import shlex
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import typer

from ..shared.files import BadCall, unwritable, writable
from ..shared.game_options import SHARED, as_flags, asked, folded, many, title
from ..shared.terminal import program as this_program
from .simulate import Bar

if TYPE_CHECKING:
    from hexholm.arena import Job, Result, Score
    from hexholm.arena.results import Row
    from hexholm.bots.program import ProgramPlayer

GAMES: Final = 400
NAMED: Final = 12
"""Columns for a player's name, at least."""
QUIET: Final = 15.0
"""After so many seconds without the end of a game the progress bar says so."""


# --- hexholm bots -----------------------------------------------------------------------------------------------------


def list_bots(programs: str | None, given: Sequence[str], check: str | None, limit: float | None, as_json: bool) -> int:
    """List all players, or check one; returns the exit code."""
    found = _programs(programs, given)
    if check is not None:
        return _check(check, found, limit, as_json)
    if limit is not None:
        raise BadCall("--limit: it is for --check; name a player to prove")
    from hexholm.bots import players

    rows = [
        {"name": one.name, "line": one.line, "from": one.origin or "hexholm", "broken": one.broken or None}
        for one in players().values()
    ]
    rows += [
        {"name": one.name, "line": one.line or " ".join(one.command), "from": "program", "broken": None}
        for one in found.values()
    ]
    if as_json:
        import json

        typer.echo(json.dumps(rows))
        return 0
    width = max(len(str(row["name"])) for row in rows) + 2
    for row in rows:
        line = f"cannot be used: {row['broken']}" if row["broken"] else str(row["line"])
        where = "" if row["from"] in ("hexholm", "program") else f" (from {row['from']})"
        typer.echo(folded(f"{row['name']:<{width}}{line}{where}", " " * width))
    return 0


def _check(said: str, programs: Mapping[str, ProgramPlayer], limit: float | None, as_json: bool) -> int:
    from hexholm.arena import entrant
    from hexholm.bots.program import ProgramPlayer, program
    from hexholm.testing import LIMIT, check_apart, check_bot

    who = entrant(said, programs)
    wanted = LIMIT if limit is None else limit
    if not 0 < wanted < float("inf"):
        raise BadCall(f"--limit {wanted:g}: give a number of seconds above 0")
    if limit is not None and isinstance(one := who.source, ProgramPlayer):
        who = replace(who, source=program(one.name, one.command, limit, one.line))
    report = check_apart(who, limit=wanted) if who.foreign else check_bot(who, limit=wanted, raises=False)
    if as_json:
        import json

        typer.echo(json.dumps(report.as_dict()))
    else:
        typer.echo(str(report))
    return 0 if report.ok else 1


def _programs(file: str | None, given: Sequence[str]) -> dict[str, ProgramPlayer]:
    """The programs of a file and of --program options, by name."""
    from hexholm.bots import players
    from hexholm.bots.program import program, read_programs

    found = {} if file is None else read_programs(file)
    for one in given:
        name, equals, command = one.partition("=")
        if not equals:
            raise BadCall(f"--program {one}: write it as name=command, as in --program 'mine=node bot.js'")
        found[name.strip()] = program(name.strip(), command)
    for name in found:
        if name in players():
            raise BadCall(f"program {name}: there is a player of that name already; choose another")
    return found


# --- hexholm tournament -----------------------------------------------------------------------------------------------


def run(
    players: Sequence[str],
    *,
    games: int | None,
    seed: int | None,
    seats: int | None,
    runner: str,
    jobs: int,
    address: str | None,
    cap: int | None,
    sprt: tuple[float, float] | None,
    records: str | None,
    resume: str | None,
    plot: str | None,
    programs: str | None,
    program: Sequence[str],
    strict: bool,
    as_json: bool,
    file: str | None,
    **given: Any,
) -> int:
    """Play a tournament, or the rest of one, and print its result; returns the exit code."""
    from hexholm import arena
    from hexholm.arena import runners
    from hexholm.arena.fingerprints import changes_told
    from hexholm.rules.errors import BadInput

    begun = resume is not None and Path(resume).is_file() and Path(resume).stat().st_size > 0
    if not players and not begun:
        there = resume is not None and Path(resume).exists()
        why = f"--resume {resume}: there is {'nothing in it' if there else 'no such file'}; " if resume else ""
        raise BadCall(f"{why}name the players, as in: hexholm tournament easy random random random")
    for option, name in (("--records", records), ("--resume", resume), ("--plot", plot)):
        if name is not None:
            if name == "-":
                raise BadCall(f"{option} -: the result goes to standard output; name a file")
            writable(name, option)
    if plot is not None:
        from hexholm.arena.plot import drawable, library

        drawable(plot)
        library()
        _can_be_written(plot)
    if players:
        own = _programs(programs, program)
        job = _job(players, own, seats, 0 if seed is None else seed, cap, file, given)
        _tell_idle(_programs(None, program), job)
    else:
        _only_the_file({"seed": seed, "seats": seats, "cap": cap, "file": file, **given})
        assert resume is not None
        job, manifest = _kept(resume)
        games = manifest["games"] if games is None else games
        sprt = (tuple(manifest["sprt"]) if manifest["sprt"] else None) if sprt is None else sprt
    count = GAMES if games is None else games
    journal = Path(resume) if resume is not None else _own_journal()
    how = _how_it_is_played(runner, jobs, address, strict)
    moved = False
    partial: list[Result] = []  # how it stood when something broke
    try:
        with PatientBar() as bar:

            def on_begun(score: Score) -> None:
                if begun and score.done:
                    typer.echo(f"{many(score.done, 'game')} of {count:,} {_are(score.done)} played already", err=True)
                if bar.wanted:
                    typer.echo(folded(_begun(job, count), "  "), err=True)
                    bar.begin(score.done, score.whole)

            def on_progress(score: Score) -> None:
                nonlocal moved
                moved = True
                bar.update(score.done, score.whole, standing(score))

            def on_changed(changed: dict[str, int]) -> None:
                for line in changes_told(changed):
                    typer.echo(f"hexholm: {line}", err=True)

            result = arena.run(
                replace(job, strict=strict),
                count,
                runner=runners.runner(runner, jobs, address),
                sprt=sprt,
                resume=journal,
                records=records,
                on_begun=on_begun,
                on_progress=on_progress,
                on_changed=on_changed,
                on_broken=partial.append,
                tidy=resume is None,
            )
    except (BadInput, arena.PlayerFailed, runners.GameBroke) as wrong:
        if isinstance(wrong, BadInput) and not moved:  # nothing was played: the call was wrong, or the file
            raise BadInput(as_flags(str(wrong))) if type(wrong) is BadInput else wrong from None
        typer.echo(f"hexholm: {wrong}", err=True)
        _show_kept(partial, journal, how, as_json, file)
        return 1
    except Exception:  # a fault of ours, its traceback follows
        _show_kept(partial, journal, how, as_json, file)
        raise
    if result.interrupted and not result.games:
        if as_json:
            _show(result, as_json, file)
        typer.echo(f"Stopped before the first game was over. To go on:\n  {_going_on(journal, how)}", err=True)
        return 130
    _show(result, as_json, file)
    _tell(result, job, journal, records or _kept_records(journal, result), count, how)
    if plot is not None:
        from hexholm.arena.plot import draw

        draw(result, plot)
        typer.echo(f"wrote {plot}", err=True)
    return 130 if result.interrupted else 0


def _job(
    players: Sequence[str],
    programs: Mapping[str, ProgramPlayer],
    seats: int | None,
    seed: int,
    cap: int | None,
    file: str | None,
    given: dict[str, Any],
) -> Job:
    from hexholm import arena
    from hexholm.arena.entrants import entrants

    found = entrants(players, programs)
    chosen, board = asked(file, players=min(len(found), 4) if seats is None else seats, **given)
    return arena.Job(found, chosen, seed, board=board, cap=arena.CAP if cap is None else cap)


def _kept(resume: str) -> tuple[Job, dict[str, Any]]:
    from hexholm.arena.journal import job_of, read_manifest

    manifest = read_manifest(resume)
    return job_of(manifest), manifest


def _only_the_file(given: Mapping[str, Any]) -> None:
    """Refuse options that say what is played beside a file that does."""
    for option, value in given.items():
        if value != (SHARED[option][1] if option in SHARED else None):
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
    import platformdirs

    folder = Path(os.environ.get("HEXHOLM_DATA") or platformdirs.user_data_dir("hexholm")) / "tournaments"
    folder.mkdir(parents=True, exist_ok=True)
    now = dt.datetime.now().astimezone().strftime("%Y-%m-%d-%H%M%S")
    return folder / f"{now}-{os.getpid()}.jsonl"


def _show(result: Result, as_json: bool, file: str | None) -> None:
    if as_json:
        import json

        typer.echo(json.dumps(result.as_dict()))
    else:
        for line in describe(result, file):
            typer.echo(line)


def _show_kept(partial: Sequence[Result], journal: Path, how: str, as_json: bool, file: str | None) -> None:
    """After something broke: how it stood by then, if anything was played, and on stderr where the games are."""
    for result in partial:
        _show(result, as_json, file)
        typer.echo(f"What was played is kept. To go on when this is mended:\n  {_going_on(journal, how)}", err=True)


def _how_it_is_played(runner: str, jobs: int, address: str | None, strict: bool) -> str:
    """The options that the file of a tournament does not keep, as they are typed; "" if none was."""
    said = f" --runner {runner}" if runner != "pool" else ""
    said += f" --address {shlex.quote(address)}" if address is not None else ""
    return said + (f" --jobs {jobs}" if jobs else "") + " --strict" * strict


def _going_on(journal: Path, how: str) -> str:
    """What one types to go on with a tournament."""
    return f"{this_program()} tournament --resume {shlex.quote(str(journal))}{how}"


def _kept_records(journal: Path, result: Result) -> str | None:
    """The file of whole games that a tournament which goes on has written to, if it was begun with one."""
    if not result.played or not journal.is_file():
        return None
    from hexholm.arena.journal import read_manifest

    found: str | None = read_manifest(journal).get("records")
    return found


def _tell_idle(programs: Mapping[str, ProgramPlayer], job: Job) -> None:
    """Say which programs of --program options nobody asked to play."""
    playing = [one.source for one in job.entrants]
    for name, one in programs.items():
        if one not in playing:
            typer.echo(f"--program {name}: no seat is taken by it; name {name} among the players", err=True)


def _tell(result: Result, job: Job, journal: Path, records: str | None, count: int, how: str) -> None:
    """What one wants to know beside the result, on stderr."""
    if records is not None:
        typer.echo(f"wrote {many(result.games, 'game')} to {records}", err=True)
    if result.interrupted:
        done = f"{result.games} of {many(count, 'game')}"
        typer.echo(f"Interrupted after {done}. To go on:\n  {_going_on(journal, how)}", err=True)
    elif result.left_out:
        more = many(result.left_out, "more game")
        typer.echo(f"{more} {_are(result.left_out)} kept in {journal}: a larger --games counts them too", err=True)
    seats, names, meeting = result.options.players, len(job.entrants), job.schedule.meeting
    if names > seats and result.games % meeting and not result.interrupted:
        said = f"{names} players for {seats} seats: all groups meet equally often in {meeting:,} games"
        typer.echo(f"{said}, or a multiple of them; in {result.games:,} they do not", err=True)
    elif result.games % seats and not result.interrupted:
        whole = "no whole block" if result.games == 1 else "not whole blocks"
        said = f"{many(result.games, 'game')} {_are(result.games)} {whole} of {seats}"
        typer.echo(f"{said}: not everybody sat everywhere equally often", err=True)
    for fault in result.faults[:5]:
        typer.echo(folded(f"lost decision: {fault}", "  "), err=True)


def _are(n: int) -> str:
    return "is" if n == 1 else "are"


def describe(result: Result, file: str | None = None) -> list[str]:
    """The result in words, about 80 columns wide."""
    from hexholm.arena.fingerprints import changes_told

    seats, n = result.options.players, max(1, result.games)
    lines = [*title(result.options, file=file or result.board), ""]
    if result.interrupted:
        lines.append("Interrupted; what was played until then:")
    boards = -(-result.games // seats)
    lines.append(f"{many(result.games, 'game')} on {many(boards, 'board')}, seed {result.seed}")
    if result.played:
        workers = f", {many(result.workers, 'worker')}" if result.workers else ""
        speed = f"{result.games_per_second:.3g} games/s ({result.runner}{workers})"
        lines.append(f"{many(result.played, 'game')} in {result.seconds:.1f} s: {speed}")
    lines.append(f"a game has {result.mean_turns:.1f} turns and {result.mean_decisions:.1f} decisions")
    if result.capped:
        were = "was" if result.capped == 1 else "were"
        lines.append(f"{many(result.capped, 'game')} {were} stopped without a winner after {many(result.cap, 'turn')}")
    lines += changes_told(result.changed)
    width = max(NAMED, *(len(row.name) + 1 for row in result.players))
    lines += ["", f"{'player':<{width}} games  wins   share  95 % interval  rating points  median     p99"]
    for row in result.players:
        span = f"{100 * row.low:.1f} - {100 * row.high:.1f} %"
        lines.append(
            f"{row.name:<{width}}{row.seat_games:>6,}{row.wins:>6,}{100 * row.win_share:>6.1f} %{span:>15}"
            f"{row.rating:>8.1f}{row.mean_points:>7.1f}{_time(row.median_ms):>8}{_time(row.p99_ms):>8}"
        )
    order = ", ".join(f"{100 * wins / n:.1f} %" for wins in result.wins_by_order)
    lines += ["", f"a fair share is {100 / seats:.1f} %; in the order of play, seats won {order}"]
    if result.sprt is not None:
        lines.append(folded(_tested(result), "  "))
    for row in result.players:
        if row.faults:
            kinds = ", ".join(f"{count:,} {kind}" for kind, count in row.faults.items())
            lines.append(folded(f"{row.name} lost {_lost(row)} to plain moves: {kinds}", "  "))
    return lines


def _lost(row: Row) -> str:
    """How many decisions a player lost, of how many; what it raised in close() is counted beside them."""
    lost = sum(row.faults.values())
    if lost > row.decisions:
        return many(lost, "decision")
    whole = many(row.decisions, "decision")
    return f"{'all of its ' if lost == row.decisions else f'{lost:,} of '}{whole}"


def _tested(result: Result) -> str:
    test = result.sprt
    assert test is not None
    player = next(iter(result.head_to_head))
    low, high = f"at most {100 * test.low:g} %", f"at least {100 * test.high:g} %"
    after = f"after {result.games:,} of at most {many(result.planned, 'game')}"
    if result.verdict == "open":
        return f"sequential test: not decided {after} whether {player} wins {low} or {high} of its games"
    said, other = (high, low) if result.verdict == "high" else (low, high)
    return f"sequential test: decided {after}: {player} wins {said} of its games rather than {other}"


def _time(milliseconds: float | None) -> str:
    if milliseconds is None:
        return "-"
    if milliseconds < 1:
        return f"{1000 * milliseconds:.0f} µs"
    return f"{milliseconds:.3g} ms" if milliseconds < 1000 else f"{milliseconds / 1000:.3g} s"


def standing(score: Score) -> str:
    """How it stands, in a few words for the progress bar."""
    shares = "  ".join(f"{name} {100 * share:.1f} %" for name, share in list(score.shares().items())[:4])
    return shares + (f"  {score.capped} capped" if score.capped else "")


def _begun(job: Job, count: int) -> str:
    """What is played, in a line for those who wait."""
    names = Counter(one.label for one in job.entrants)
    who = ", ".join(name if n == 1 else f"{n} {name}" for name, n in names.items())
    return f"{many(count, 'game')} of {who}; seed {job.seed}"


class PatientBar(Bar):
    """A progress bar from the first moment on, which says when no game has ended for a while."""

    def __init__(self) -> None:
        super().__init__()
        self.last = 0.0
        self.none_yet = True

    def begin(self, done: int, whole: int) -> None:
        """Show it."""
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TimeRemainingColumn
        from rich.text import Text

        class Words(ProgressColumn):
            def render(_, task: Task) -> Text:  # noqa: N805  # `self` is the bar
                return Text(self.waiting(time.monotonic()) or task.description)

        self.last = time.monotonic()
        columns = Words(), BarColumn(20), MofNCompleteColumn(), TimeRemainingColumn()
        self.bar = Progress(*columns, console=Console(stderr=True), transient=True)
        self.task = self.bar.add_task("games", total=whole, completed=done)
        self.bar.start()

    def update(self, done: int, whole: int, words: str = "games") -> None:
        """A game has ended."""
        self.last, self.none_yet = time.monotonic(), False
        super().update(done, whole, words)

    def waiting(self, now: float) -> str:
        """For how long nothing has happened, if that is long."""
        idle = now - self.last
        if idle < QUIET:
            return ""
        said = f"{idle:.0f} s" if idle < 120 else f"{idle / 60:.0f} min"
        return f"the first game is still being played: {said}" if self.none_yet else f"no game has ended for {said}"
