"""What tests of tournaments share: who plays, how short, games made up, and what of a result never differs."""

from __future__ import annotations

from typing import Any

from hexholm.arena.decision_times import Times
from hexholm.arena.entrants import entrants
from hexholm.arena.match import FinishedGame, TournamentJob
from hexholm.arena.results import TournamentResult
from hexholm.arena.schedule import Schedule
from hexholm.rules.setup.options import check_options

QUICK: dict[str, Any] = {"games": 8, "seed": 7, "points_to_win": 3}
TO_THREE_POINTS: dict[str, Any] = {"seed": 7, "points_to_win": 3}
LEVELS = ["hard@2", "medium", "expert@2", "easy"]
"""All that think, at an effort that is the same on any machine."""


def without_times(result: TournamentResult) -> dict[str, Any]:
    """What must be the same whoever played when."""
    data = result.as_dict()
    for key in ("runner", "workers", "seconds", "played", "games_per_second"):
        del data[key]
    for row in data["players"]:
        del row["median_ms"], row["p99_ms"]
    return data


def made_up(winners: list[str], labels: list[str]) -> tuple[TournamentJob, list[FinishedGame]]:
    """Games that these labels won; "" is a capped game."""
    job = TournamentJob(
        entrants(["easy" if label == "a" else "random" for label in labels]), check_options(setup="variable"), seed=1
    )
    games = []
    for planned in map(Schedule(len(labels), 4, seed=1).game, range(len(winners))):
        labels_by_seat = [labels[entrant_index] for entrant_index in planned.entrants_by_seat]
        winner = labels_by_seat.index(winners[planned.number]) if winners[planned.number] else -1
        points = tuple(10 if seat == winner else 4 for seat in range(4))
        times = tuple(Times({320: 3}) for _ in labels_by_seat)
        games.append(
            FinishedGame(planned.number, planned.entrants_by_seat, planned.starter, winner, points, 60, times, {})
        )
    return job, games
