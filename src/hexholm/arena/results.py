"""What came of a tournament: a row for every player, with its interval, rating and times; who beats whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import hexholm
from hexholm.older_names import with_older_names
from hexholm.rules.setup.options import Options

from .decision_times import Times
from .intervals import BlockScore, Sprt, SprtConclusion, win_interval
from .match import Fault, FinishedGame, TournamentJob, merge_faults
from .ratings import rate_players

FAULTS_TOLD = 20
"""So many different faults are told in words."""


@dataclass(frozen=True, kw_only=True)
class PlayerRow:
    """A player's line in the result of a tournament."""

    name: str
    seat_games: int
    """Games, counted once for each seat it had in them."""
    wins: int
    win_share: float
    """Wins by seat-games: a fair share is 1 by the number of seats."""
    low: float
    high: float
    """The 95 % interval around it, clustered by board."""
    rating: float
    rating_sigma: float
    mean_points: float
    decisions: int
    median_ms: float | None
    p99_ms: float | None
    faults: dict[str, int]
    """Decisions it lost, by kind."""


@with_older_names(verdict="conclusion")
@dataclass(frozen=True, kw_only=True)
class TournamentResult:
    """A tournament that is over, or was interrupted."""

    players: tuple[PlayerRow, ...]
    """Best share first."""
    games: int
    planned: int
    """As many games as were asked for; a sequential test may need fewer."""
    seed: int
    capped: int
    """Games that ended at the cap, without a winner; they count as games that nobody won."""
    cap: int
    options: Options
    board: str | None
    runner: str
    workers: int
    seconds: float
    """Of this run; games that were there already took none."""
    played: int
    """Games of this run."""
    mean_turns: float
    mean_decisions: float
    wins_by_order: tuple[int, ...]
    """By place in the order of play: the starter, the one on the starter's left, ..."""
    head_to_head: dict[str, dict[str, float | None]]
    """Of all pairs of seats of two players in which one of the two won: how often the first did."""
    faults: tuple[Fault, ...]
    """The first decisions that were lost, in words, each different one once; `PlayerRow.faults` counts all."""
    interrupted: bool
    changed: dict[str, int] = field(default_factory=dict)
    """Players that were not the same in all games, and after how many games they changed: see :mod:`.fingerprints`."""
    records: str | None = None
    """The file of whole games, where one was asked for, now or when the tournament was begun."""
    left_out: int = 0
    """Games that are kept beside these, but are more than were asked for."""
    sprt: Sprt | None = None
    ratio: float = 0.0
    """Of the sequential test: the logarithm of what the bet on `high` has made, less that of the bet on `low`.

    The test sees whole blocks, from the first on without a gap; of an interrupted tournament there may be other games.
    """
    conclusion: SprtConclusion = "open"

    @property
    def games_per_second(self) -> float:
        """Games of this run per second of wall time."""
        return self.played / self.seconds if self.seconds else 0.0

    def row(self, name: str) -> PlayerRow:
        """The row of a player."""
        return next(row for row in self.players if row.name == name)

    def as_dict(self) -> dict[str, Any]:
        """Plain data, fit for JSON."""
        test = self.sprt
        return {
            "games": self.games,
            "seed": self.seed,
            "capped": self.capped,
            "players": [
                {
                    "name": row.name,
                    "seat_games": row.seat_games,
                    "wins": row.wins,
                    "win_share": round(row.win_share, 6),
                    "low": round(row.low, 6),
                    "high": round(row.high, 6),
                    "rating": round(row.rating, 3),
                    "rating_sigma": round(row.rating_sigma, 3),
                    "mean_points": round(row.mean_points, 3),
                    "decisions": row.decisions,
                    "median_ms": None if row.median_ms is None else round(row.median_ms, 4),
                    "p99_ms": None if row.p99_ms is None else round(row.p99_ms, 4),
                    "faults": row.faults,
                }
                for row in self.players
            ],
            "head_to_head": {
                name: {opponent: None if share is None else round(share, 6) for opponent, share in row.items()}
                for name, row in self.head_to_head.items()
            },
            "wins_by_order": list(self.wins_by_order),
            "mean_turns": round(self.mean_turns, 3),
            "mean_decisions": round(self.mean_decisions, 3),
            "planned": self.planned,
            "cap": self.cap,
            "interrupted": self.interrupted,
            "changed": list(self.changed),
            "sprt": None
            if test is None
            else {
                "player": None if not self.head_to_head else next(iter(self.head_to_head)),
                "low": test.low,
                "high": test.high,
                "error": test.error,
                "ratio": round(self.ratio, 4),
                "verdict": self.conclusion,
            },
            "faults": [str(fault) for fault in self.faults],
            "runner": self.runner,
            "workers": self.workers,
            "seconds": round(self.seconds, 3),
            "played": self.played,
            "games_per_second": round(self.games_per_second, 3),
            "edition": self.options.edition,
            "board": self.board,
            "options": self.options.as_dict(),
            "version": hexholm.__version__,
        }


def blocks_of(label: str, labels: Sequence[str], games: Iterable[FinishedGame], seats: int) -> dict[int, BlockScore]:
    """What a player did in each block in which it played."""
    sums_by_block: dict[int, list[int]] = {}
    for game in games:
        own_seats = [seat for seat, entrant_index in enumerate(game.entrants_by_seat) if labels[entrant_index] == label]
        if own_seats:
            sums = sums_by_block.setdefault(game.number // seats, [0, 0, 0])
            sums[0] += game.winner in own_seats
            sums[1] += 1
            sums[2] += len(own_seats)
    return {block: BlockScore(*sums) for block, sums in sorted(sums_by_block.items())}


def result_of(
    job: TournamentJob,
    games: Sequence[FinishedGame],
    *,
    planned: int,
    runner: str,
    workers: int,
    seconds: float,
    played: int,
    interrupted: bool,
    sprt: Sprt | None,
    ratio: float = 0.0,
    changed: Mapping[str, int] | None = None,
    records: str | None = None,
    left_out: int = 0,
) -> TournamentResult:
    """The result of these games, which stand in the order of their numbers.

    `ratio`: how far a sequential test has come by the blocks that it may look at.
    """
    labels = [entrant.label for entrant in job.entrants]
    names, seats, n = list(dict.fromkeys(labels)), job.options.players, max(1, len(games))
    blocks = {name: blocks_of(name, labels, games, seats) for name in names}
    seatings = [
        (tuple(labels[entrant_index] for entrant_index in game.entrants_by_seat), game.winner) for game in games
    ]
    player_ratings = rate_players(names, seatings)
    rows = [_player_row(name, labels, games, list(blocks[name].values()), player_ratings[name]) for name in names]
    return TournamentResult(
        players=tuple(sorted(rows, key=lambda row: -row.win_share)),
        games=len(games),
        planned=planned,
        seed=job.seed,
        capped=sum(game.winner < 0 for game in games),
        cap=job.cap,
        options=job.options,
        board=None if job.board is None else job.board.name,
        runner=runner,
        workers=workers,
        seconds=seconds,
        played=played,
        mean_turns=sum(game.turns for game in games) / n,
        mean_decisions=sum(game.decisions for game in games) / n,
        wins_by_order=tuple(
            sum(game.winner >= 0 and (game.winner - game.starter) % seats == place for game in games)
            for place in range(seats)
        ),
        head_to_head=head_to_head(names, seatings),
        faults=tuple(merge_faults(fault for game in games for fault in game.fault_samples)[:FAULTS_TOLD]),
        interrupted=interrupted,
        changed=dict(changed or {}),
        records=records,
        left_out=left_out,
        sprt=sprt,
        ratio=ratio,
        conclusion="open" if sprt is None else sprt.conclude(ratio),
    )


def _player_row(
    name: str, labels: Sequence[str], games: Sequence[FinishedGame], blocks: Sequence[BlockScore], rating: Any
) -> PlayerRow:
    share, low, high = win_interval(blocks)
    seat_games, points, times, faults = 0, 0, Times(), Counter[str]()
    for game in games:
        for seat, entrant_index in enumerate(game.entrants_by_seat):
            if labels[entrant_index] == name:
                seat_games += 1
                points += game.points[seat]
                times.update(game.times[seat])
        for (label, kind), n in game.faults.items():
            if label == name:
                faults[kind] += n
    return PlayerRow(
        name=name,
        seat_games=seat_games,
        wins=sum(block.wins for block in blocks),
        win_share=share,
        low=low,
        high=high,
        rating=rating.mu,
        rating_sigma=rating.sigma,
        mean_points=points / max(1, seat_games),
        decisions=times.total,
        median_ms=times.quantile(0.5),
        p99_ms=times.quantile(0.99),
        faults=dict(faults),
    )


def head_to_head(
    names: Sequence[str], games: Iterable[tuple[tuple[str, ...], int]]
) -> dict[str, dict[str, float | None]]:
    """How often each player won against each other one, by pairs of seats; None: the pair never met, or neither won."""
    wins: Counter[tuple[str, str]] = Counter()
    for names_by_seat, winner in games:
        if winner >= 0:
            victor = names_by_seat[winner]
            wins.update((victor, opponent) for opponent in names_by_seat if opponent != victor)
    shares: dict[str, dict[str, float | None]] = {}
    for name in names:
        shares[name] = {}
        for opponent in names:
            decided = wins[name, opponent] + wins[opponent, name]
            if name != opponent:
                shares[name][opponent] = wins[name, opponent] / decided if decided else None
    return shares
