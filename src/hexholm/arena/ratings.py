"""Ratings: openskill's Plackett-Luce model, fed with games in their order.

In a tournament who wins has beaten all others; these are tied, for points at the end are not what is played for. A game
that was capped is a tie of all. A player on several seats of a table is rated on each, and takes the mean of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any


@dataclass(frozen=True, slots=True)
class Rating:
    """How strong a player is thought to be; a beginner has 25 ± 8.33."""

    mu: float = 25.0
    sigma: float = 25.0 / 3


def rate_players(labels: Iterable[str], games: Iterable[tuple[tuple[str, ...], int]]) -> dict[str, Rating]:
    """The ratings after these games: (who sat in each seat, which seat won or -1)."""
    current = dict.fromkeys(labels, Rating())
    for labels_by_seat, winner in games:
        new_ratings: dict[str, list[Rating]] = {}
        places = [2 if winner >= 0 and seat != winner else 1 for seat in range(len(labels_by_seat))]
        rated = rate_seats([current[label] for label in labels_by_seat], places)
        for label, rating in zip(labels_by_seat, rated, strict=True):
            new_ratings.setdefault(label, []).append(rating)
        for label, seat_ratings in new_ratings.items():
            mu, sigma = (
                sum(values) / len(seat_ratings)
                for values in zip(*((rating.mu, rating.sigma) for rating in seat_ratings), strict=True)
            )
            current[label] = Rating(mu, sigma)
    return current


def rate_seats(ratings: Sequence[Rating], places: Sequence[int]) -> list[Rating]:
    """The ratings of the seats of one game after it; places begin with 1, and equal ones are a tie."""
    teams = [[_model().rating(mu=rating.mu, sigma=rating.sigma)] for rating in ratings]
    rated = _model().rate(teams, ranks=[float(place) for place in places])
    return [Rating(rating.mu, rating.sigma) for (rating,) in rated]


@cache
def _model() -> Any:
    from openskill.models import PlackettLuce

    return PlackettLuce()
