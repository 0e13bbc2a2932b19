"""Many games of random players, as fast as the machine allows, on as many cores as one likes.

    >>> from hexholm.rules.setup.options import check_options
    >>> from hexholm.rules.simulate import simulate
    >>> result = simulate(check_options(edition="sixth", setup="variable", points_to_win=3), games=2, seed=1)
    >>> result.games, sum(result.wins)
    (2, 2)

The players choose uniformly among all legal actions: every rate of the supply, no offers to other players. Game `i` has
keys of its own for its board and for everything else, so the result depends on options, seed and number of games alone:
not on the number of jobs, and a run that was interrupted is the beginning of the longer one. :func:`replay_game` plays
game `i` again, step by step.
"""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from hexholm.version import __version__

from .boards import Layout, beginner_layout, board_modes, layout_for, zip_map
from .compilation import mode
from .compilation.kernels import fast
from .core.actors import next_without_trade
from .core.drivers.playout import (
    AS_TEMPLATE,
    NEW_BOARD,
    PRINTED_BOARD,
    RESULTS,
    TEMPLATE_BOARD,
    simulate_block,
)
from .core.nature import decide_outcome, draws_used
from .encoding.structs import NATURE, Board, Scratch, State
from .errors import BadInput, OptionMention, OptionMessage
from .initial_state import new_state
from .random_numbers import STREAM_POLICY, draw_below, key_bytes, key_for
from .referee import Referee, Step
from .setup.editions import FIXED
from .setup.options import ZIP_MAPS, Options, check_options

PLAYERS: Final = ("random",)
"""The players that can be simulated."""
MAX_ACTIONS: Final = 100_000
"""A game with more decisions is stopped and counted as capped; a random game takes about a thousand."""
MAX_GAMES: Final = 10**9
"""More would take half a day and more; seeds are there to run parts."""
GAMES_IN_BLOCK: Final = 256
SLOW_BLOCK: Final = 4  # interpreted

IntegerArray = npt.NDArray[np.int64]
SimulationProgress = Callable[[int, int], None]


class BadSimulation(BadInput):
    """Players, games or jobs with which no simulation can be run."""


@dataclass(frozen=True, kw_only=True)
class SimulationResult:
    """What came of a simulation; seats and the starting order count from 0."""

    options: Options
    players: tuple[str, ...]
    seed: int
    jobs: int
    games: int
    """Games played to their end or their cap; fewer than asked for if the run was interrupted."""
    seconds: float
    """From the first game's beginning to the last one's end; compiling comes before."""
    decisions: int
    """Actions of players; Nature's are not counted."""
    turns: int
    wins: tuple[int, ...]
    """By seat."""
    wins_by_order: tuple[int, ...]
    """By place in the order of play: the starter, the one on the starter's left, ..."""
    capped: int
    """Games stopped after MAX_ACTIONS decisions, without a winner."""
    interrupted: bool = False
    board: str | None = None
    """The name of the board all games were played on, if it was given; None: boards by the options."""

    @property
    def games_per_second(self) -> float:
        """Games per second of wall time; 0 if no time has passed."""
        return self.games / self.seconds if self.seconds else 0.0

    @property
    def actions_per_second(self) -> float:
        """Players' actions per second of wall time; 0 if no time has passed."""
        return self.decisions / self.seconds if self.seconds else 0.0

    def as_dict(self) -> dict[str, Any]:
        """Plain data, fit for JSON."""
        n = max(self.games, 1)
        return {
            "games": self.games,
            "seconds": round(self.seconds, 6),
            "games_per_second": round(self.games_per_second, 1),
            "actions_per_second": round(self.actions_per_second, 1),
            "wins": list(self.wins),
            "wins_by_order": list(self.wins_by_order),
            "capped": self.capped,
            "seed": self.seed,
            "edition": self.options.edition,
            "board": self.board,
            "players": list(self.players),
            "mean_turns": round(self.turns / n, 3),
            "mean_actions": round(self.decisions / n, 3),
            "jobs": self.jobs,
            "interrupted": self.interrupted,
            "options": self.options.as_dict(),
            "version": __version__,
        }


def check_players(players: Sequence[str]) -> tuple[str, ...]:
    """The players' names, if all can be simulated."""
    unknown = sorted({name for name in players if name not in PLAYERS})
    if unknown:
        unknown_names = ", ".join(map(repr, unknown))
        raise BadSimulation(f"there is no player {unknown_names}; simulate knows {', '.join(PLAYERS)}")
    return tuple(players)


def keys_for(seed: int, start: int, n: int) -> IntegerArray:
    """The keys of games `start` to `start + n - 1`: for "board" and "play" in each row."""
    columns = [np.frombuffer(key_bytes(seed, purpose, start, n), "<i8") for purpose in ("board", "play")]
    return np.ascontiguousarray(np.stack(columns, axis=1), dtype=np.int64)


class Simulation:
    """What all games of a simulation share: the game before its first action, the boards, who begins.

    `options.first` says who begins. None rotates the seats: game `i` is begun by seat `i % players`. `board` is the
    board of all games; None: as the options say.
    """

    def __init__(
        self, options: Options, seed: int, *, compiled: bool | None = None, board: Layout | None = None
    ) -> None:
        self.options, self.seed, self.board = options, seed, board
        self.compiled = mode.may_compile(compiled)
        self.rotates = options.first is None and options.ages is None
        self.modes, self.boards = _boards_for(options, board)
        layout = board or (beginner_layout() if self.modes[0] == NEW_BOARD else layout_for(options, seed))
        template_options = (
            replace(options, first="roll") if self.rotates else options
        )  # nobody's turn has begun in the template
        self.template = new_state(template_options, layout).buffer

    def buffers(self) -> tuple[Any, ...]:
        """The buffers of one thread."""
        return self.template, np.zeros(State.size, np.uint8), self.boards.copy(), np.zeros(Scratch.size, np.uint8)

    def first(self, game: int) -> int:
        """Who begins, in the code of the kernel."""
        return game % self.options.players if self.rotates else AS_TEMPLATE

    def warm_up(self) -> None:
        """Compile, or load what was compiled before."""
        if self.compiled:
            mode.compile_notices.announce(["simulate_block"])  # before the compiler is loaded, which takes a while
            self.play(self.buffers(), 0, 0)

    def play(self, buffers: tuple[Any, ...], start: int, n: int) -> IntegerArray:
        """Games `start` to `start + n - 1`, a row each: winner or -1, decisions, turns, starter."""
        rows = np.zeros((n, RESULTS), np.int64)
        run: Any = fast().simulate_block if self.compiled else simulate_block
        run(*buffers, keys_for(self.seed, start, n), rows, self.modes, self.first(start), MAX_ACTIONS)
        return rows

    def result(
        self, sums: Iterable[IntegerArray], players: tuple[str, ...], *, jobs: int, seconds: float, interrupted: bool
    ) -> SimulationResult:
        """What came of the games that :func:`sum_games` has summed up."""
        games, decisions, turns, capped, *wins = sum(sums, np.zeros(4 + 8, np.int64)).tolist()
        return SimulationResult(
            options=self.options,
            players=players,
            seed=self.seed,
            jobs=jobs,
            games=games,
            seconds=seconds,
            decisions=decisions,
            turns=turns,
            wins=tuple(wins[: self.options.players]),
            wins_by_order=tuple(wins[4 : 4 + self.options.players]),
            capped=capped,
            interrupted=interrupted,
            board=None if self.board is None else self.board.name,
        )

    def options_of(self, game: int) -> Options:
        """The options of one game, with its starter."""
        return replace(self.options, first=game % self.options.players) if self.rotates else self.options


def _boards_for(options: Options, board: Layout | None) -> tuple[IntegerArray, npt.NDArray[np.uint8]]:
    """The arguments `modes` and `boards` of :func:`.core.drivers.playout.simulate_block`."""
    modes = np.array([TEMPLATE_BOARD, 0, 0, 0, 0], np.int64)
    boards = np.zeros(Board.size, np.uint8)
    if board is not None:
        return modes, boards
    if options.edition_data.has_printed_maps:
        if options.map is None:
            maps = [zip_map(number).board.buffer for number in range(2, ZIP_MAPS + 1)]
            modes[:2] = PRINTED_BOARD, len(maps)
            boards = np.concatenate(maps)
    elif options.setup != FIXED:
        modes[:] = NEW_BOARD, *board_modes(options)
    return modes, boards


def simulate(
    options: Options,
    players: Sequence[str] | None = None,
    games: int = 1000,
    seed: int = 0,
    jobs: int = 1,
    on_progress: SimulationProgress | None = None,
    *,
    compiled: bool | None = None,
    board: Layout | None = None,
) -> SimulationResult:
    """Play `games` games on `jobs` cores; Ctrl-C ends early with the games played so far.

    `on_progress(done, games)` is called now and then from the calling thread. `compiled` as for a referee. `board` is
    played on in all games instead of the boards that the options name.
    """
    names = check_players(["random"] * options.players if players is None else players)
    if len(names) != options.players:
        raise BadSimulation(f"{len(names)} players are named for a game of {options.players}")
    for name, value in (("games", games), ("jobs", jobs)):
        if value < 1:
            raise BadSimulation(OptionMessage(OptionMention.given(name, value), ": choose 1 or more"))
    if games > MAX_GAMES:
        advice = f": choose at most {MAX_GAMES:,}, and other seeds for more"
        raise BadSimulation(OptionMessage(OptionMention.given("games", games), advice))
    simulation = Simulation(options, seed, compiled=compiled, board=board)
    simulation.warm_up()
    size = GAMES_IN_BLOCK if simulation.compiled else SLOW_BLOCK
    jobs = min(jobs, -(-games // size))
    sums: dict[int, IntegerArray] = {}
    numbers = itertools.count()
    stop = threading.Event()
    errors: list[BaseException] = []

    def work(on_block: SimulationProgress | None) -> None:
        buffers = simulation.buffers()
        while not stop.is_set():
            block = next(numbers)
            start = block * size
            if start >= games:
                break
            n = min(size, games - start)
            sums[block] = sum_games(simulation.play(buffers, start, n), options.players)
            if on_block:
                on_block(min(len(sums) * size, games), games)

    def work_as_helper() -> None:
        try:
            work(None)
        except BaseException as error:  # carried over to the calling thread
            errors.append(error)
            stop.set()

    helpers = [threading.Thread(target=work_as_helper, name=f"simulate-{i}", daemon=True) for i in range(1, jobs)]
    interrupted = False
    start_time = time.perf_counter()
    try:
        for helper in helpers:
            helper.start()
        work(on_progress)
    except KeyboardInterrupt:
        interrupted = True
    finally:
        stop.set()  # a block once begun is finished
        for helper in helpers:
            if helper.ident is not None:
                helper.join()
    seconds = time.perf_counter() - start_time
    if errors:
        raise errors[0]
    finished_blocks = list(itertools.takewhile(sums.__contains__, itertools.count()))  # only the beginning without gaps
    return simulation.result(
        (sums[block] for block in finished_blocks), names, jobs=jobs, seconds=seconds, interrupted=interrupted
    )


def sum_games(rows: IntegerArray, player_count: int) -> IntegerArray:
    """Rows of :meth:`Simulation.play` in sums: games, decisions, turns, capped, four wins by seat, four by order."""
    finished = rows[rows[:, 0] >= 0]
    by_seat = np.bincount(finished[:, 0], minlength=4)
    by_order = np.bincount((finished[:, 0] - finished[:, 3]) % player_count, minlength=4)
    totals = np.array([len(rows), rows[:, 1].sum(), rows[:, 2].sum(), len(rows) - len(finished)], np.int64)
    return np.concatenate([totals, by_seat, by_order])


@dataclass(frozen=True)
class SimulatedGame:
    """One game of a simulation, played again: the referee at its end, and every action with its seat (Nature's: -1)."""

    referee: Referee
    steps: tuple[Step, ...]


def replay_game(
    options: Options, seed: int, game: int, *, compiled: bool | None = None, board: Layout | None = None
) -> SimulatedGame:
    """Game number `game` of the simulation, under a referee who judges every action."""
    simulation = Simulation(options, seed, compiled=compiled, board=board)
    game_options, layout = simulation.options_of(game), board or layout_for(options, seed, game)
    referee = Referee(game_options, layout, new_state(game_options, layout), simulation.compiled)
    key, state = key_for(seed, "play", game), referee.state
    steps: list[Step] = []
    decisions = draws = 0
    while referee.phase != "over" and decisions < MAX_ACTIONS:
        if referee.chance():
            code = decide_outcome(state, key, draws)
            draws += draws_used(state.phase)
            referee.deal(code)
            steps.append(Step(NATURE, code))
            continue
        seat = next_without_trade(state)
        legal = referee.legal(seat)
        code = legal[draw_below(len(legal), key, STREAM_POLICY, decisions) if len(legal) > 1 else 0]
        decisions += 1
        referee.play(seat, code)
        steps.append(Step(seat, code))
    return SimulatedGame(referee, tuple(steps))


def _use_once(compiled: bool | None) -> None:
    simulation = Simulation(check_options(setup="variable"), 0, compiled=compiled)
    simulation.play(simulation.buffers(), 0, 0)


mode.register("simulation", _use_once, ["simulate_block"])
