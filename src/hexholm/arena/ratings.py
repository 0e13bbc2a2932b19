"""Ratings: openskill's Plackett-Luce model, fed with games in their order.

Who wins has beaten all others; these are tied, for points at the end are not what is played for. A game that was capped
is a tie of all. A player on several seats of a table is rated on each, and takes the mean of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Rating:
    """How strong a player is thought to be; a beginner has 25 ± 8.33."""

    mu: float
    sigma: float


def rate_players(labels: Iterable[str], games: Iterable[tuple[tuple[str, ...], int]]) -> dict[str, Rating]:
    """The ratings after these games: (who sat in each seat, which seat won or -1)."""
    from openskill.models import PlackettLuce

    model: Any = PlackettLuce()
    current = {label: model.rating(name=label) for label in labels}
    for labels_by_seat, winner in games:
        ranks = [2.0 if winner >= 0 and seat != winner else 1.0 for seat in range(len(labels_by_seat))]
        teams = [[model.rating(mu=current[label].mu, sigma=current[label].sigma)] for label in labels_by_seat]
        new_ratings: dict[str, list[Any]] = {}
        for label, (seat_ratings,) in zip(labels_by_seat, model.rate(teams, ranks=ranks), strict=True):
            new_ratings.setdefault(label, []).append(seat_ratings)
        for label, seat_ratings in new_ratings.items():
            mu, sigma = (
                sum(values) / len(seat_ratings)
                for values in zip(*((rating.mu, rating.sigma) for rating in seat_ratings), strict=True)
            )
            current[label] = model.rating(mu=mu, sigma=sigma, name=label)
    return {label: Rating(rating.mu, rating.sigma) for label, rating in current.items()}
