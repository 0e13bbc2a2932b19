"""Ratings of a tournament, from its games in their order.

Who wins has beaten all others; these are tied, for points at the end are not what is played for. A game that was
capped is a tie of all. A player on several seats of a table is rated on each, and takes the mean of them.
"""

from __future__ import annotations

from collections.abc import Iterable

from hexholm.bots.rating_model import Rating, rate_seats


def rate_players(labels: Iterable[str], games: Iterable[tuple[tuple[str, ...], int]]) -> dict[str, Rating]:
    """The ratings after these games: (who sat in each seat, which seat won or -1)."""
    current = dict.fromkeys(labels, Rating())
    for labels_by_seat, winner in games:
        new_ratings: dict[str, list[Rating]] = {}
        ranks = [2 if winner >= 0 and seat != winner else 1 for seat in range(len(labels_by_seat))]
        rated = rate_seats([current[label] for label in labels_by_seat], ranks)
        for label, rating in zip(labels_by_seat, rated, strict=True):
            new_ratings.setdefault(label, []).append(rating)
        for label, seat_ratings in new_ratings.items():
            mu, sigma = (
                sum(values) / len(seat_ratings)
                for values in zip(*((rating.mu, rating.sigma) for rating in seat_ratings), strict=True)
            )
            current[label] = Rating(mu, sigma)
    return current
