"""One of our players against its players, in its engine: `python -m bench.peers.match hard --against ValueFunction`.

Every game has a board, dice and cards of its own, and our player moves up one seat from game to game. Its engine
shuffles the seats by the seed of the game; the players are handed over in the order that the shuffle turns into the
wanted one. A game is a pure function of the seed and its number as far as its engine allows: hashes of Python decide
there, too. They are fixed in the processes that play, which is enough from Python 3.12 on.

With `--resume FILE` every finished game is kept, and a run goes on where it was stopped; if our player has changed
since, it says so, and `changed` in the figures too. `--mirror` compares speed.
"""

from __future__ import annotations

import argparse
import inspect
import json
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, cast

import hexholm
from hexholm.arena.decision_times import Times
from hexholm.arena.entrants import Entrant, ManifestEntrant, entrant, load_factory
from hexholm.arena.fingerprints import change_lines, fingerprints_of, unknown_line
from hexholm.arena.intervals import BlockScore, win_interval
from hexholm.arena.journal import JOURNAL_FORMAT, Journal, JournalManifest
from hexholm.arena.match import FinishedGame, TournamentJob
from hexholm.arena.runners.processes import Pool
from hexholm.arena.schedule import derive_seed
from hexholm.bots import registry
from hexholm.bots.protocol import Bot, Effort, Factory, takes_effort
from hexholm.rules.errors import BadInput

from .library import PLAYERS, load_library, make_opponent
from .mirror import compare_speed
from .player import HexholmPlayer

OURS, THEIRS = 0, 1
MISS: Final = "miss:"
"""Stands before what our player missed, among the faults of a game."""
OFFER_REFUSED: Final = ("offer", "refused")
PROGRESS_SECONDS: Final = 15.0
"""Seconds between two lines of progress."""


class PeerManifest(JournalManifest):
    """The first line of the file of a match."""

    engine: str


@dataclass(frozen=True)
class PeerJob:
    """All that is needed to play any game of a match, in any process."""

    ours: Entrant
    against: str
    player_count: int
    seed: int
    compiled: bool | None = True

    def play(self, number: int) -> FinishedGame:
        """Game `number`, from 0."""
        peer = load_library()
        seat, seed = number % self.player_count, derive_seed(self.seed, "peers", number)
        bot = make_bot_without_trade(self.ours, derive_seed(self.seed, "player", number))
        colors = list(peer.Color)[: self.player_count]
        places = seat_order(seed, self.player_count)
        player = HexholmPlayer(colors[places[seat]], bot, self.compiled)
        seated_players = [player if color is player.color else make_opponent(self.against, color) for color in colors]
        game = peer.Game(seated_players, seed=seed)
        if game.state.colors[seat] is not player.color:
            raise BadInput("its engine shuffles seats in another way than 3.3.0: is this another version?")
        times = [Times() for _ in colors]

        def timed(player_asked: Any, its_game: Any, playable: Any) -> Any:
            started_at = time.perf_counter_ns()
            action = player_asked.decide(its_game, playable)
            times[its_game.state.color_to_index[player_asked.color]].add(time.perf_counter_ns() - started_at)
            return action

        winner = game.play(decide_fn=timed)
        times[seat] = player.times
        player_state = game.state.player_state
        miss_counts = {(MISS, kind): n for kind, n in player.misses.items()}
        return FinishedGame(
            number=number,
            entrants_by_seat=tuple(OURS if other_seat == seat else THEIRS for other_seat in range(self.player_count)),
            starter=0,
            winner=-1 if winner is None else game.state.color_to_index[winner],
            points=tuple(
                player_state[f"P{other_seat}_ACTUAL_VICTORY_POINTS"] for other_seat in range(self.player_count)
            ),
            turns=game.state.num_turns,
            times=tuple(times),
            faults=miss_counts | ({OFFER_REFUSED: player.offers} if player.offers else {}),
        )


def factory_of(ours: Entrant) -> Factory | None:
    """What makes this player, unless it is a program."""
    if isinstance(ours.source, str):
        return load_factory(ours.source) if ":" in ours.source else registry.bot_kind(ours.source).factory
    return None


def make_bot_without_trade(ours: Entrant, seed: int) -> Bot:
    """A new player; one whose factory has a switch `trades` is told that nobody trades there."""
    factory = factory_of(ours)
    if factory is not None and "trades" in inspect.signature(factory).parameters:
        return registry.make_bot(partial(factory, trades=False), ours.label, seed, ours.effort)
    return ours.make(seed)


def seat_order(seed: int, player_count: int) -> list[int]:
    """Which place of the list of players its engine puts into each seat: its first draw from its seeded generator."""
    return random.Random(seed).sample(range(player_count), player_count)


# --- the match ------------------------------------------------------------------------------------------------------


def play(job: PeerJob, games: int, jobs: int, file: str | None) -> tuple[list[FinishedGame], float, list[str]]:
    """All games of a match that are not in the file yet; all of them, how many a second were played, who changed."""
    os.environ.setdefault("PYTHONHASHSEED", "0")  # for the processes
    their_entry: ManifestEntrant = {"label": f"catanatron {job.against}"}
    manifest: PeerManifest = {
        "format": JOURNAL_FORMAT,
        "hexholm": hexholm.__version__,
        "engine": f"catanatron {load_library().version}",
        "players": [job.ours.as_manifest(), *[their_entry] * (job.player_count - 1)],
        "made_of": fingerprints_of([job.ours]),
        "games": games,
        "seed": job.seed,
        "records": None,
    }
    with nullcontext() if file is None else Journal(file, manifest) as journal:
        finished_games = {} if journal is None else dict(journal.games)
        numbers = [number for number in range(games) if number not in finished_games]
        if numbers:
            if journal is not None:
                unknown = journal.unknown_labels()
                for line_text in [
                    *change_lines(journal.coming_changes()),
                    *([unknown_line(unknown)] if unknown else []),
                ]:
                    print(line_text, file=sys.stderr, flush=True)
                journal.go_on()
            warm_up(job)
        started_at = told_at = time.monotonic()
        n_played = 0
        try:
            with closing(Pool(min(jobs, len(numbers) or 1)).run(cast("TournamentJob", job), numbers)) as games_played:
                for game in games_played:
                    finished_games[game.number] = game
                    n_played += 1
                    if journal is not None:
                        journal.add(game)
                    if time.monotonic() - told_at > PROGRESS_SECONDS:
                        told_at = time.monotonic()
                        print(score_line(job, list(finished_games.values())), file=sys.stderr, flush=True)
        except KeyboardInterrupt:
            print("stopped", file=sys.stderr)
        changed = [] if journal is None else list(journal.changed)
    return (
        [finished_games[number] for number in sorted(finished_games) if number < games],
        n_played / (time.monotonic() - started_at),
        changed,
    )


def warm_up(job: PeerJob) -> None:
    """Compile all that a game needs once, before many processes do it at the same time."""
    factory = factory_of(job.ours)
    quick = factory is not None and takes_effort(factory)
    ours = replace(job.ours, effort=Effort(steps=1)) if quick else job.ours
    replace(job, ours=ours, against="Random").play(0)


def count_wins(games: Iterable[FinishedGame]) -> int:
    """Games that our player won."""
    return sum(game.winner >= 0 and game.entrants_by_seat[game.winner] == OURS for game in games)


def win_share(games: Sequence[FinishedGame]) -> tuple[float, float, float]:
    """Our share of wins with its 95 % interval (Wilson's): games are independent."""
    return win_interval([BlockScore(count_wins([game]), 1, 1) for game in games])


def score_line(job: PeerJob, games: Sequence[FinishedGame]) -> str:
    """The score in a line."""
    middle, low, high = win_share(games)
    score = f"{count_wins(games)} of {len(games)} games won, {middle:.1%} ({low:.1%} to {high:.1%})"
    return f"{job.ours.label} against {job.player_count - 1} {job.against}: {score}"


def sum_up(job: PeerJob, games: Sequence[FinishedGame], speed: float, changed: Sequence[str] = ()) -> dict[str, Any]:
    """All figures of a match."""
    middle, low, high = win_share(games)
    own_times, their_times, fault_counts = Times(), Times(), Counter[str]()
    for game in games:
        fault_counts.update({" ".join(key): n for key, n in game.faults.items()})  # as games in a file have them
        for seat, entrant_index in enumerate(game.entrants_by_seat):
            (own_times if entrant_index == OURS else their_times).update(game.times[seat])
    games_by_seat = [
        [game for game in games if game.entrants_by_seat[seat] == OURS] for seat in range(job.player_count)
    ]
    return {
        "ours": job.ours.label,
        "against": f"{job.player_count - 1} {job.against}",
        "engine": f"catanatron {load_library().version}",
        "games": len(games),
        "seed": job.seed,
        "wins": count_wins(games),
        "share": middle,
        "low": low,
        "high": high,
        "wins by seat": [f"{count_wins(seat_games)} of {len(seat_games)}" for seat_games in games_by_seat],
        "no winner": sum(game.winner < 0 for game in games),
        "turns, mean": sum(game.turns for game in games) / max(1, len(games)),
        "decisions": own_times.total,
        "median ms": own_times.quantile(0.5),
        "p99 ms": own_times.quantile(0.99),
        "their median ms": their_times.quantile(0.5),
        "their p99 ms": their_times.quantile(0.99),
        "misses": {name.removeprefix(f"{MISS} "): n for name, n in fault_counts.items() if name.startswith(f"{MISS} ")},
        "offers refused": fault_counts[" ".join(OFFER_REFUSED)],
        "games/s": speed,
        "changed": list(changed),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("player", help="one of ours, as a tournament takes it: easy, hard, hard@100ms, my_bot.py:Mine")
    parser.add_argument("--against", default="ValueFunction", choices=PLAYERS, help="its player in all other seats")
    parser.add_argument("--players", type=int, default=4, choices=(2, 3, 4), help="seats at the table (default 4)")
    parser.add_argument("--games", type=int, default=400, help="games (default 400)")
    parser.add_argument("--seed", type=int, default=1, help="of the match (default 1)")
    parser.add_argument("--effort", help="steps, or a time for a decision, as in 100ms")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default 2)")
    parser.add_argument("--resume", metavar="FILE", help="keep the games there, and go on with those in it")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of lines")
    parser.add_argument("--mirror", action="store_true", help="whole games a second: tables of each, in one run")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long --mirror measures (default 60)")
    arguments = parser.parse_args()
    try:
        if arguments.games < 1 or arguments.jobs < 1:
            raise BadInput(f"games {arguments.games}, jobs {arguments.jobs}: both are 1 or more")
        ours = entrant(f"{arguments.player}@{arguments.effort}" if arguments.effort else arguments.player)
        ours.check()
        if arguments.mirror:
            figures = compare_speed(ours, arguments.against, arguments.players, arguments.seconds, arguments.seed)
        else:
            job = PeerJob(ours, arguments.against, arguments.players, arguments.seed)
            figures = sum_up(job, *play(job, arguments.games, arguments.jobs, arguments.resume))
    except BadInput as error:
        sys.exit(str(error))
    if arguments.json:
        print(json.dumps(figures))
        return
    for name, value in figures.items():
        print(f"{name:<42} {f'{value:.4g}' if isinstance(value, float) else value}")


if __name__ == "__main__":
    main()
