"""How strong players are thought to be: openskill's Plackett-Luce model, of one game after another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any


@dataclass(frozen=True, slots=True)
class Rating:
    """How strong a player is thought to be; a beginner has 25 ± 8.33."""

    mu: float = 25.0
    sigma: float = 25.0 / 3


def rate_seats(ratings: Sequence[Rating], ranks: Sequence[int]) -> list[Rating]:
    """The ratings of the seats of one game after it; ranks begin with 1, and equal ones are a tie."""
    teams = [[_model().rating(mu=rating.mu, sigma=rating.sigma)] for rating in ratings]
    rated = _model().rate(teams, ranks=[float(rank) for rank in ranks])
    return [Rating(rating.mu, rating.sigma) for (rating,) in rated]


@cache
def _model() -> Any:
    from openskill.models import PlackettLuce

    return PlackettLuce()
