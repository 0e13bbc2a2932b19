"""A tournament: players, a schedule, a runner, a journal; and a result that says how sure it is.

>>> from hexholm.arena import tournament
>>> result = tournament(["easy", "random", "random", "random"], games=4, seed=5, points_to_win=4)
>>> result.games, result.row("easy").seat_games, result.row("random").seat_games
(4, 4, 12)
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from hexholm.bots.program import ProgramKind, end_idle
from hexholm.bots.protocol import Factory
from hexholm.bots.registry import part_of
from hexholm.bots.shipped_bots import SHIPPED
from hexholm.game.new_game import game_options
from hexholm.rules.boards import Layout
from hexholm.rules.compilation import mode
from hexholm.rules.errors import BadInput, OptionMention, OptionMessage
from hexholm.rules.setup.editions import FALLBACK_EDITION
from hexholm.rules.setup.editions import edition as edition_data
from hexholm.rules.setup.options import Options

from .entrants import Entrant, entrants, load_factory
from .intervals import BlockScore, Sprt
from .journal import Journal, manifest_of
from .match import DEFAULT_CAP, FinishedGame, TournamentJob
from .results import TournamentResult, blocks_of, result_of
from .runners import GameBroke, ProcessEnded, Runner, Serial

DEFAULT_GAMES: Final = 400
"""How many games a tournament has, unless said otherwise."""
MOST_GAMES: Final = 10_000_000
ScoreListener = Callable[["Score"], None]


@dataclass
class Score:
    """How a tournament stands."""

    planned: int
    done: int = 0
    wins: dict[str, int] = field(default_factory=dict)
    seat_games: dict[str, int] = field(default_factory=dict)
    capped: int = 0

    def add(self, labels: Sequence[str], game: FinishedGame) -> None:
        """One more game."""
        self.done += 1
        self.capped += game.winner < 0
        for seat, entrant_index in enumerate(game.entrants_by_seat):
            label = labels[entrant_index]
            self.seat_games[label] = self.seat_games.get(label, 0) + 1
            self.wins[label] = self.wins.get(label, 0) + (seat == game.winner)

    def shares(self) -> dict[str, float]:
        """Wins by seat-games, best first."""
        shares = {label: self.wins[label] / n for label, n in self.seat_games.items()}
        return dict(sorted(shares.items(), key=lambda item: -item[1]))


def _ignore(_: object) -> None:
    """Nobody listens."""


@dataclass(frozen=True)
class Listeners:
    """Who hears how a tournament goes on."""

    begun: ScoreListener = _ignore
    """When all is compiled and the first game begins."""
    progress: ScoreListener = _ignore
    """After every game."""
    changed: Callable[[dict[str, int]], None] = _ignore
    """Before the first game: who has changed since the journal was begun, after how many games. The result says it."""
    unknown: Callable[[list[str]], None] = _ignore
    """Likewise: of whom that cannot be told, for another version of Hexholm began the journal."""
    broken: Callable[[TournamentResult], None] = _ignore
    """When a game breaks: what was played until then, if anything was; then the exception is raised."""


def tournament(
    players: Sequence[str | Entrant | ProgramKind | Factory],
    games: int = DEFAULT_GAMES,
    seed: int = 0,
    *,
    seats: int | None = None,
    programs: Mapping[str, ProgramKind] | None = None,
    runner: Runner | None = None,
    cap: int = DEFAULT_CAP,
    sprt: tuple[float, float] | None = None,
    resume: str | Path | None = None,
    records: str | Path | None = None,
    strict: bool = False,
    on_progress: ScoreListener | None = None,
    board: Layout | None = None,
    **options: Any,
) -> TournamentResult:
    """Play a tournament and sum it up. Ctrl-C ends it early, with the games played so far.

    `players` are names, programs or factories (:mod:`.entrants`); a name that is repeated takes several seats.
    `options` are those of the games, as for :func:`hexholm.options`. `resume` is a file that every finished game is
    kept in: one that holds games of this tournament already is gone on with. `runner`: this process, unless told
    otherwise. Programs play game after game, and are ended with the tournament.
    """
    job = tournament_job(
        players,
        lambda chosen_seats: (table_options(chosen_seats, board=board, **options), board),
        seed,
        seats=seats,
        edition=options.get("edition"),
        programs=programs,
        cap=cap,
        strict=strict,
    )
    listeners = Listeners() if on_progress is None else Listeners(progress=on_progress)
    return run_job(job, games, runner=runner, sprt=sprt, resume=resume, records=records, listeners=listeners)


def tournament_job(
    players: Sequence[str | Entrant | ProgramKind | Factory],
    options_for: Callable[[int], tuple[Options, Layout | None]],
    seed: int = 0,
    *,
    seats: int | None = None,
    edition: str | None = None,
    programs: Mapping[str, ProgramKind] | None = None,
    cap: int = DEFAULT_CAP,
    strict: bool = False,
) -> TournamentJob:
    """A job as :func:`tournament` has it; `options_for` says by what and on which board so many seats play.

    `edition`: how many seats there can be, where `seats` does not say.
    """
    participants = entrants(players, programs)
    options, board = options_for(seats_for(len(participants), edition) if seats is None else seats)
    return TournamentJob(participants, options, seed, board=board, cap=cap, strict=strict)


def table_options(seats: int, **options: Any) -> Options:
    """The options of the games."""
    if options.get("first") is not None or options.get("ages") is not None:
        raise BadInput("first, ages: in a tournament the schedule says who begins")
    return game_options(players=seats, **options)


def seats_for(n_entrants: int, edition: str | None = None) -> int:
    """The seats of a table if nobody says: one for everybody, as far as the edition allows."""
    return min(n_entrants, edition_data(edition or FALLBACK_EDITION).max_players)


def run_job(
    job: TournamentJob,
    games: int,
    *,
    runner: Runner | None = None,
    sprt: tuple[float, float] | None = None,
    resume: str | Path | Journal | None = None,
    records: str | Path | None = None,
    listeners: Listeners | None = None,
    tidy: bool = False,
) -> TournamentResult:
    """Play the first `games` games of a job, as :func:`tournament` does.

    `resume`: the file, or the journal that was taken up there, which is closed here. `tidy`: remove the journal when
    nothing is left to play. One that was begun here is removed when something broke before the first game was over.
    That of an interrupted tournament is kept, even without a game: its first line is enough to go on.
    """
    journal = resume if isinstance(resume, Journal) else None
    result = None
    try:
        _check_call(job, games, resume, records)
        test = None if sprt is None else Sprt(*sprt)
        records_file = None if records is None else str(records)
        if isinstance(resume, Journal):
            resume.aim_at(games, sprt, records_file)
        elif resume is not None:
            journal = Journal(resume, manifest_of(job, games, sprt, records_file))
        job = replace(job, keeps_records=journal is not None and journal.records is not None)
        result = _play(job, games, runner or Serial(), test, journal, listeners or Listeners())
        return result
    finally:
        if journal is not None:
            if result is None:
                journal.discard()
            journal.close()
            if tidy and result is not None and not result.interrupted:
                journal.remove()
        end_idle({entrant.source for entrant in job.entrants if isinstance(entrant.source, ProgramKind)})


def _check_call(
    job: TournamentJob, games: int, resume: str | Path | Journal | None, records: str | Path | None
) -> None:
    """Refuse what cannot be played before a file is begun."""
    if not 1 <= games <= MOST_GAMES:
        raise BadInput(OptionMessage(OptionMention.given("games", games), f": choose 1 to {MOST_GAMES:,}"))
    if job.cap < 0:
        raise BadInput(OptionMessage(OptionMention.given("cap", job.cap), ": choose a number of turns, or 0 for none"))
    if records is not None and resume is None:
        raise BadInput("records need a file to resume from beside them: name one")
    job.schedule.game(0)  # refused here rather than by every worker
    if records is not None:
        _must_end_with_jsonl(records)


def _play(
    job: TournamentJob,
    games: int,
    runner: Runner,
    test: Sprt | None,
    journal: Journal | None,
    listeners: Listeners,
) -> TournamentResult:
    labels, per_block = [entrant.label for entrant in job.entrants], job.options.players
    finished_games = (
        {} if journal is None else {number: game for number, game in journal.games.items() if number < games}
    )
    n_before, score = len(finished_games), Score(games)
    for finished in finished_games.values():
        score.add(labels, finished)
    whole_blocks = None if test is None else _WholeBlocks(test, labels, per_block, games)
    decided = whole_blocks is not None and whole_blocks.grow(finished_games)
    started_at = time.perf_counter()

    def sum_up(interrupted: bool) -> TournamentResult:
        last_block = None if whole_blocks is None else whole_blocks.blocks_needed
        counted_numbers = [n for n in sorted(finished_games) if last_block is None or n < last_block * per_block]
        return result_of(
            job,
            [finished_games[n] for n in counted_numbers],
            planned=games,
            runner=runner.name,
            workers=runner.workers,
            seconds=time.perf_counter() - started_at,
            played=len(finished_games) - n_before,
            interrupted=interrupted,
            sprt=test,
            ratio=0.0 if whole_blocks is None else whole_blocks.ratio,
            changed=None if journal is None else journal.changed_within(counted_numbers),
            records=None if journal is None else journal.records,
            left_out=0 if journal is None else len(journal.games) - len(finished_games),
        )

    if len(finished_games) < games and not decided:
        if journal is not None and journal.coming_changes():
            listeners.changed(journal.coming_changes())
        if journal is not None and journal.unknown_labels():
            listeners.unknown(journal.unknown_labels())
        _check(job, journal)
        warm_up(job)
        if journal is not None:
            journal.go_on()
        started_at = time.perf_counter()
        listeners.begun(score)
        try:
            with closing(runner.run(job, (n for n in range(games) if n not in finished_games))) as playing:
                for finished in playing:
                    if journal is not None:
                        journal.add(finished)
                    finished_games[finished.number] = finished
                    score.add(labels, finished)
                    listeners.progress(score)
                    if whole_blocks is not None and whole_blocks.grow(finished_games):
                        break
        except KeyboardInterrupt:
            return sum_up(interrupted=True)
        except Exception as error:
            if finished_games:
                listeners.broken(sum_up(interrupted=True))
            if isinstance(error, ProcessEnded):
                raise GameBroke(f"{error}{_suspects_text(job, error.game)}") from error
            raise
    return sum_up(interrupted=False)


def _check(job: TournamentJob, journal: Journal | None) -> None:
    """Refuse players that cannot take part before the first game."""
    for entrant in dict.fromkeys(job.entrants):
        try:
            entrant.check()
        except BadInput as error:
            if journal is None or not journal.origin_note():
                raise
            raise BadInput(f"{error}{journal.origin_note()}") from error


def _suspects_text(job: TournamentJob, game_number: int) -> str:
    """Who may have ended the processes of a game: those who think in them and do not come with Hexholm."""
    at_table = [job.entrants[entrant_index] for entrant_index in job.schedule.game(game_number).entrants_by_seat]
    names = [each.source if isinstance(each.source, str) else each.label for each in at_table if each.foreign]
    foreign_names = list(dict.fromkeys(names))
    if not foreign_names:
        return ""
    return (
        f"; {foreign_names[0]} ends its process"
        if len(foreign_names) == 1
        else f"; one of {', '.join(foreign_names)} ends its process"
    )


def _must_end_with_jsonl(records: str | Path) -> None:
    if Path(records).suffix.lower() != ".jsonl":
        advice = ": end it with .jsonl; hexholm convert makes other forms of it"
        raise BadInput(OptionMessage(OptionMention.given("records", records), advice))


class _WholeBlocks:
    """The blocks that are whole, from the first on without a gap: a sequential test may look at nothing else.

    Else it would depend on which games happened to end first, and so on the machine.
    """

    def __init__(self, test: Sprt, labels: Sequence[str], per_block: int, games: int) -> None:
        self.test, self.labels, self.per_block, self.games = test, labels, per_block, games
        self._next_block = 0
        self._new_scores: deque[BlockScore] = deque()
        self._ratios = test.log_ratios(iter(self._new_scores.popleft, None))  # goes on with each block that comes
        self.ratio = 0.0
        """How far the test has come."""
        self.blocks_needed: int | None = None
        """After so many blocks the test had decided."""

    def grow(self, games_done: Mapping[int, FinishedGame]) -> bool:
        """Take the blocks that are whole by now; whether the test has decided."""
        while self.blocks_needed is None:
            numbers = range(self._next_block * self.per_block, (self._next_block + 1) * self.per_block)
            if numbers[-1] >= self.games or not all(number in games_done for number in numbers):
                break
            self._next_block += 1
            scores = blocks_of(self.labels[0], self.labels, [games_done[number] for number in numbers], self.per_block)
            for block in scores.values():  # none, if the first player did not sit there
                self._new_scores.append(block)
                self.ratio = next(self._ratios)
            if self.test.conclude(self.ratio) != "open":
                self.blocks_needed = self._next_block
        return self.blocks_needed is not None


def kernel_owner(entrant: Entrant) -> str | None:
    """The shipped player whose compiled kernels an entrant uses, if it is one or a class made of one."""
    if isinstance(entrant.source, ProgramKind) or entrant.source in SHIPPED:
        return entrant.source if isinstance(entrant.source, str) else None
    factory = entrant.source
    if isinstance(factory, str):
        if ":" not in factory:
            return None
        factory = load_factory(factory)
    return getattr(factory, "compiled_with", None) if isinstance(factory, type) else None


def warm_up(job: TournamentJob) -> None:
    """Compile rules and players now, with a word on stderr, where they are not ready: many games pay for it."""
    if mode.may_compile(job.compiled):
        players_parts = {part_of(name) for entrant in job.entrants if (name := kernel_owner(entrant))}
        mode.use_once([mode.RULES_PART, *sorted(players_parts)], compiled=True)
