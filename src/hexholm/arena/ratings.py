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


def ratings(labels: Iterable[str], games: Iterable[tuple[tuple[str, ...], int]]) -> dict[str, Rating]:
    """The ratings after these games: (who sat in each seat, which seat won or -1)."""
    from openskill.models import PlackettLuce

    model: Any = PlackettLuce()
    found = {label: model.rating(name=label) for label in labels}
    for seats, winner in games:
        ranks = [2.0 if winner >= 0 and seat != winner else 1.0 for seat in range(len(seats))]
        teams = [[model.rating(mu=found[label].mu, sigma=found[label].sigma)] for label in seats]
        after: dict[str, list[Any]] = {}
        for label, (new,) in zip(seats, model.rate(teams, ranks=ranks), strict=True):
            after.setdefault(label, []).append(new)
        for label, new in after.items():
            mu, sigma = (sum(values) / len(new) for values in zip(*((one.mu, one.sigma) for one in new), strict=True))
            found[label] = model.rating(mu=mu, sigma=sigma, name=label)
    return {label: Rating(one.mu, one.sigma) for label, one in found.items()}
