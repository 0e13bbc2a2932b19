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
from hexholm.rules import mode
from hexholm.rules.boards import Layout
from hexholm.rules.editions import FALLBACK_EDITION
from hexholm.rules.editions import edition as edition_data
from hexholm.rules.errors import BadInput
from hexholm.rules.options import Options

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

    whole: int
    done: int = 0
    wins: dict[str, int] = field(default_factory=dict)
    seat_games: dict[str, int] = field(default_factory=dict)
    capped: int = 0

    def add(self, labels: Sequence[str], played: FinishedGame) -> None:
        """One more game."""
        self.done += 1
        self.capped += played.winner < 0
        for seat, who in enumerate(played.seats):
            label = labels[who]
            self.seat_games[label] = self.seat_games.get(label, 0) + 1
            self.wins[label] = self.wins.get(label, 0) + (seat == played.winner)

    def shares(self) -> dict[str, float]:
        """Wins by seat-games, best first."""
        found = {label: self.wins[label] / n for label, n in self.seat_games.items()}
        return dict(sorted(found.items(), key=lambda one: -one[1]))


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
    **given: Any,
) -> TournamentResult:
    """Play a tournament and sum it up. Ctrl-C ends it early, with the games played so far.

    `players` are names, programs or factories (:mod:`.entrants`); a name that is repeated takes several seats. `given`
    are the options of the games, as for :func:`hexholm.options`. `resume` is a file that every finished game is kept
    in: one that holds games of this tournament already is gone on with. `runner`: this process, unless told otherwise.
    Programs play game after game, and are ended with the tournament.
    """
    job = tournament_job(
        players,
        lambda chosen_seats: (table_options(chosen_seats, board=board, **given), board),
        seed,
        seats=seats,
        edition=given.get("edition"),
        programs=programs,
        cap=cap,
        strict=strict,
    )
    heard = Listeners() if on_progress is None else Listeners(progress=on_progress)
    return run_job(job, games, runner=runner, sprt=sprt, resume=resume, records=records, listeners=heard)


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
    found = entrants(players, programs)
    options, board = options_for(seats_for(len(found), edition) if seats is None else seats)
    return TournamentJob(found, options, seed, board=board, cap=cap, strict=strict)


def table_options(seats: int, **given: Any) -> Options:
    """The options of the games."""
    if given.get("first") is not None or given.get("ages") is not None:
        raise BadInput("first, ages: in a tournament the schedule says who begins")
    return game_options(players=seats, **given)


def seats_for(names: int, edition: str | None = None) -> int:
    """The seats of a table if nobody says: one for everybody, as far as the edition allows."""
    return min(names, edition_data(edition or FALLBACK_EDITION).max_players)


def run_job(
    job: TournamentJob,
    games: int,
    *,
    runner: Runner | None = None,
    sprt: tuple[float, float] | None = None,
    resume: str | Path | None = None,
    records: str | Path | None = None,
    listeners: Listeners | None = None,
    tidy: bool = False,
) -> TournamentResult:
    """Play the first `games` games of a job, as :func:`tournament` does.

    `tidy`: remove the journal when nothing is left to play. One that was begun here is removed when something broke
    before the first game was over. That of an interrupted tournament is kept, even without a game: its first line is
    enough to go on.
    """
    if not 1 <= games <= MOST_GAMES:
        raise BadInput(f"games {games}: choose 1 to {MOST_GAMES:,}")
    if job.cap < 0:
        raise BadInput(f"cap {job.cap}: choose a number of turns, or 0 for none")
    if records is not None and resume is None:
        raise BadInput("records need a file to resume from beside them: name one")
    test = None if sprt is None else Sprt(*sprt)
    job.schedule.game(0)  # refused here rather than by every worker
    if records is not None:
        _must_end_with_jsonl(records)
    journal = None
    if resume is not None:
        journal = Journal(resume, manifest_of(job, games, sprt, None if records is None else str(records)))
        job = replace(job, records=journal.manifest["records"] is not None)
    result = None
    try:
        result = _play(job, games, runner or Serial(), test, journal, listeners or Listeners())
        return result
    finally:
        if journal is not None:
            if result is None:
                journal.forget()
            journal.close()
            if tidy and result is not None and not result.interrupted:
                journal.remove()
        end_idle({one.source for one in job.entrants if isinstance(one.source, ProgramKind)})


def _play(
    job: TournamentJob,
    games: int,
    runner: Runner,
    test: Sprt | None,
    journal: Journal | None,
    listeners: Listeners,
) -> TournamentResult:
    labels, per_block = [one.label for one in job.entrants], job.options.players
    done = {} if journal is None else {number: one for number, one in journal.games.items() if number < games}
    already, score = len(done), Score(games)
    for played in done.values():
        score.add(labels, played)
    prefix = None if test is None else _Prefix(test, labels, per_block, games)
    stopped = prefix is not None and prefix.grow(done)
    begun = time.perf_counter()

    def summed_up(interrupted: bool) -> TournamentResult:
        last = None if prefix is None else prefix.blocks_needed
        counted = [n for n in sorted(done) if last is None or n < last * per_block]
        return result_of(
            job,
            [done[n] for n in counted],
            planned=games,
            runner=runner.name,
            workers=runner.workers,
            seconds=time.perf_counter() - begun,
            played=len(done) - already,
            interrupted=interrupted,
            sprt=test,
            ratio=0.0 if prefix is None else prefix.ratio,
            changed=None if journal is None else journal.changed_within(counted),
            left_out=0 if journal is None else len(journal.games) - len(done),
        )

    if len(done) < games and not stopped:
        if journal is not None and journal.changing():
            listeners.changed(journal.changing())
        if journal is not None and journal.unknown():
            listeners.unknown(journal.unknown())
        _check(job, journal)
        warm_up(job)
        if journal is not None:
            journal.go_on()
        begun = time.perf_counter()
        listeners.begun(score)
        try:
            with closing(runner.run(job, (n for n in range(games) if n not in done))) as playing:
                for played in playing:
                    if journal is not None:
                        journal.add(played)
                    done[played.number] = played
                    score.add(labels, played)
                    listeners.progress(score)
                    if prefix is not None and prefix.grow(done):
                        break
        except KeyboardInterrupt:
            return summed_up(interrupted=True)
        except Exception as wrong:
            if done:
                listeners.broken(summed_up(interrupted=True))
            if isinstance(wrong, ProcessEnded):
                raise GameBroke(f"{wrong}{_suspects(job, wrong.game)}") from wrong
            raise
    return summed_up(interrupted=False)


def _check(job: TournamentJob, journal: Journal | None) -> None:
    """Refuse players that cannot take part before the first game."""
    for one in dict.fromkeys(job.entrants):
        try:
            one.check()
        except BadInput as no:
            if journal is None or not journal.elsewhere():
                raise
            raise BadInput(f"{no}{journal.elsewhere()}") from no


def _suspects(job: TournamentJob, game: int) -> str:
    """Who may have ended the processes of a game: those who think in them and do not come with Hexholm."""
    seated = [job.entrants[who] for who in job.schedule.game(game).seats]
    names = [one.source if isinstance(one.source, str) else one.label for one in seated if one.foreign]
    own = list(dict.fromkeys(names))
    if not own:
        return ""
    return f"; {own[0]} ends its process" if len(own) == 1 else f"; one of {', '.join(own)} ends its process"


def _must_end_with_jsonl(records: str | Path) -> None:
    if Path(records).suffix.lower() != ".jsonl":
        raise BadInput(f"records {records}: end it with .jsonl; hexholm convert makes other forms of it")


class _Prefix:
    """The blocks that are whole, from the first on without a gap: a sequential test may look at nothing else.

    Else it would depend on which games happened to end first, and so on the machine.
    """

    def __init__(self, test: Sprt, labels: Sequence[str], per_block: int, games: int) -> None:
        self.test, self.labels, self.per_block, self.games = test, labels, per_block, games
        self._next = 0
        self._new: deque[BlockScore] = deque()
        self._ratios = test.ratios(iter(self._new.popleft, None))  # goes on with each block that comes
        self.ratio = 0.0
        """How far the test has come."""
        self.blocks_needed: int | None = None
        """After so many blocks the test had decided."""

    def grow(self, done: Mapping[int, FinishedGame]) -> bool:
        """Take the blocks that are whole by now; whether the test has decided."""
        while self.blocks_needed is None:
            numbers = range(self._next * self.per_block, (self._next + 1) * self.per_block)
            if numbers[-1] >= self.games or not all(number in done for number in numbers):
                break
            self._next += 1
            found = blocks_of(self.labels[0], self.labels, [done[number] for number in numbers], self.per_block)
            for block in found.values():  # none, if the first player did not sit there
                self._new.append(block)
                self.ratio = next(self._ratios)
            if self.test.says(self.ratio) != "open":
                self.blocks_needed = self._next
        return self.blocks_needed is not None


def kernels_of(one: Entrant) -> str | None:
    """The shipped player whose compiled kernels an entrant uses, if it is one or a class made of one."""
    if isinstance(one.source, ProgramKind) or one.source in SHIPPED:
        return one.source if isinstance(one.source, str) else None
    factory = one.source
    if isinstance(factory, str):
        if ":" not in factory:
            return None
        factory = load_factory(factory)
    from hexholm.bots.compiled_players.players import Expert, Medium  # what they need takes a while to load

    if not isinstance(factory, type) or not issubclass(factory, Medium):
        return None
    return "expert" if issubclass(factory, Expert) else "hard"


def warm_up(job: TournamentJob) -> None:
    """Compile rules and players now, with a word on stderr, where they are not ready: many games pay for it."""
    if mode.may_compile(job.compiled):
        players = {part_of(name) for one in job.entrants if (name := kernels_of(one))}
        with mode.announced():
            mode.use_once([mode.RULES_PART, *sorted(players)], compiled=True)
