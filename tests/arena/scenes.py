"""What tests of tournaments share: who plays, how short, and what of a result must be the same whoever played when."""

from __future__ import annotations

from typing import Any

from hexholm.arena.results import TournamentResult

QUICK: dict[str, Any] = {"games": 8, "seed": 7, "points_to_win": 3}
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
