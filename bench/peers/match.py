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
from hexholm.arena.entrants import Entrant, entrant, load_factory
from hexholm.arena.fingerprints import change_lines, fingerprints, unknown_line
from hexholm.arena.intervals import BlockScore, interval
from hexholm.arena.journal import JOURNAL_FORMAT, Journal
from hexholm.arena.match import FinishedGame, TournamentJob
from hexholm.arena.runners.processes import Pool
from hexholm.arena.schedule import derive_seed
from hexholm.arena.times import Times
from hexholm.bots import registry
from hexholm.bots.protocol import Bot, Effort, Factory, takes_effort
from hexholm.rules.errors import BadInput
from hexholm.rules.mode import announced

from .library import PLAYERS, library, opponents
from .mirror import mirror
from .player import HexholmPlayer

OURS, THEIRS = 0, 1
TOLD_EVERY: Final = 15.0
"""Seconds between two lines of progress."""


@dataclass(frozen=True)
class PeerJob:
    """All that is needed to play any game of a match, in any process."""

    ours: Entrant
    against: str
    players: int
    seed: int
    compiled: bool | None = True

    def play(self, number: int) -> FinishedGame:
        """Game `number`, from 0."""
        peer = library()
        seat, seed = number % self.players, derive_seed(self.seed, "peers", number)
        bot = at_a_table_without_trade(self.ours, derive_seed(self.seed, "player", number))
        colors = list(peer.Color)[: self.players]
        places = seating(seed, self.players)
        player = HexholmPlayer(colors[places[seat]], bot, self.compiled)
        table = [player if color is player.color else opponents(self.against, color) for color in colors]
        game = peer.Game(table, seed=seed)
        if game.state.colors[seat] is not player.color:
            raise BadInput("its engine shuffles seats in another way than 3.3.0: is this another version?")
        times = [Times() for _ in colors]

        def timed(who: Any, at: Any, playable: Any) -> Any:
            begun = time.perf_counter_ns()
            action = who.decide(at, playable)
            times[at.state.color_to_index[who.color]].add(time.perf_counter_ns() - begun)
            return action

        winner = game.play(decide_fn=timed)
        times[seat] = player.times
        known = game.state.player_state
        counted = {f"miss: {kind}": n for kind, n in player.misses.items()}
        return FinishedGame(
            number=number,
            seats=tuple(OURS if other == seat else THEIRS for other in range(self.players)),
            starter=0,
            winner=-1 if winner is None else game.state.color_to_index[winner],
            points=tuple(known[f"P{other}_ACTUAL_VICTORY_POINTS"] for other in range(self.players)),
            turns=game.state.num_turns,
            times=tuple(times),
            faults=counted | ({"offer refused": player.offers} if player.offers else {}),
        )


def factory_of(who: Entrant) -> Factory | None:
    """What makes this player, unless it is a program."""
    if isinstance(who.source, str):
        return load_factory(who.source) if ":" in who.source else registry.bot_kind(who.source).factory
    return None


def at_a_table_without_trade(who: Entrant, seed: int) -> Bot:
    """A new player; one whose factory has a switch `trades` is told that nobody trades there."""
    factory = factory_of(who)
    if factory is not None and "trades" in inspect.signature(factory).parameters:
        return registry.make_bot(partial(factory, trades=False), who.label, seed, who.effort)
    return who.make(seed)


def seating(seed: int, players: int) -> list[int]:
    """Which place of the list of players its engine puts into each seat: its first draw from its seeded generator."""
    return random.Random(seed).sample(range(players), players)


# --- the match ------------------------------------------------------------------------------------------------------


def play(job: PeerJob, games: int, jobs: int, file: str | None) -> tuple[list[FinishedGame], float, list[str]]:
    """All games of a match that are not in the file yet; all of them, how many a second were played, who changed."""
    os.environ.setdefault("PYTHONHASHSEED", "0")  # for the processes
    manifest = {
        "format": JOURNAL_FORMAT,
        "hexholm": hexholm.__version__,
        "engine": f"catanatron {library().version}",
        "players": [job.ours.words, *[{"label": f"catanatron {job.against}"}] * (job.players - 1)],
        "made_of": fingerprints([job.ours]),
        "games": games,
        "seed": job.seed,
        "records": None,
    }
    with nullcontext() if file is None else Journal(file, manifest) as journal:
        done = {} if journal is None else dict(journal.games)
        missing = [number for number in range(games) if number not in done]
        if missing:
            if journal is not None:
                unknown = journal.unknown()
                for said in [*change_lines(journal.changing()), *([unknown_line(unknown)] if unknown else [])]:
                    print(said, file=sys.stderr, flush=True)
                journal.go_on()
            warm_up(job)
        begun = told = time.monotonic()
        new = 0
        try:
            with closing(Pool(min(jobs, len(missing) or 1)).run(cast("TournamentJob", job), missing)) as finished:
                for played in finished:
                    done[played.number] = played
                    new += 1
                    if journal is not None:
                        journal.add(played)
                    if time.monotonic() - told > TOLD_EVERY:
                        told = time.monotonic()
                        print(line(job, list(done.values())), file=sys.stderr, flush=True)
        except KeyboardInterrupt:
            print("stopped", file=sys.stderr)
        changed = [] if journal is None else list(journal.changed)
    return [done[number] for number in sorted(done) if number < games], new / (time.monotonic() - begun), changed


def warm_up(job: PeerJob) -> None:
    """Compile all that a game needs once, before many processes do it at the same time."""
    factory = factory_of(job.ours)
    quick = factory is not None and takes_effort(factory)
    ours = replace(job.ours, effort=Effort(steps=1)) if quick else job.ours
    with announced():
        replace(job, ours=ours, against="Random").play(0)


def wins(played: Iterable[FinishedGame]) -> int:
    """Games that our player won."""
    return sum(game.winner >= 0 and game.seats[game.winner] == OURS for game in played)


def share(played: Sequence[FinishedGame]) -> tuple[float, float, float]:
    """Our share of wins with its 95 % interval (Wilson's): games are independent."""
    return interval([BlockScore(wins([game]), 1, 1) for game in played])


def line(job: PeerJob, played: Sequence[FinishedGame]) -> str:
    """The score in a line."""
    middle, low, high = share(played)
    score = f"{wins(played)} of {len(played)} games won, {middle:.1%} ({low:.1%} to {high:.1%})"
    return f"{job.ours.label} against {job.players - 1} {job.against}: {score}"


def summary(job: PeerJob, played: Sequence[FinishedGame], speed: float, changed: Sequence[str] = ()) -> dict[str, Any]:
    """All figures of a match."""
    middle, low, high = share(played)
    times, others, counted = Times(), Times(), Counter[str]()
    for game in played:
        counted.update(game.faults)
        for seat, who in enumerate(game.seats):
            (times if who == OURS else others).update(game.times[seat])
    seats = [[game for game in played if game.seats[seat] == OURS] for seat in range(job.players)]
    return {
        "ours": job.ours.label,
        "against": f"{job.players - 1} {job.against}",
        "engine": f"catanatron {library().version}",
        "games": len(played),
        "seed": job.seed,
        "wins": wins(played),
        "share": middle,
        "low": low,
        "high": high,
        "wins by seat": [f"{wins(games)} of {len(games)}" for games in seats],
        "no winner": sum(game.winner < 0 for game in played),
        "turns, mean": sum(game.turns for game in played) / max(1, len(played)),
        "decisions": times.total,
        "median ms": times.quantile(0.5),
        "p99 ms": times.quantile(0.99),
        "their median ms": others.quantile(0.5),
        "their p99 ms": others.quantile(0.99),
        "misses": {name.removeprefix("miss: "): n for name, n in counted.items() if name.startswith("miss: ")},
        "offers refused": counted["offer refused"],
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
    chosen = parser.parse_args()
    try:
        if chosen.games < 1 or chosen.jobs < 1:
            raise BadInput(f"games {chosen.games}, jobs {chosen.jobs}: both are 1 or more")
        ours = entrant(f"{chosen.player}@{chosen.effort}" if chosen.effort else chosen.player)
        ours.check()
        if chosen.mirror:
            figures = mirror(ours, chosen.against, chosen.players, chosen.seconds, chosen.seed)
        else:
            job = PeerJob(ours, chosen.against, chosen.players, chosen.seed)
            figures = summary(job, *play(job, chosen.games, chosen.jobs, chosen.resume))
    except BadInput as wrong:
        sys.exit(str(wrong))
    if chosen.json:
        print(json.dumps(figures))
        return
    for name, value in figures.items():
        print(f"{name:<42} {f'{value:.4g}' if isinstance(value, float) else value}")


if __name__ == "__main__":
    main()
