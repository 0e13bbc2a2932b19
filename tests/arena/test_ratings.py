"""Ratings: they rise with wins, and losers are tied."""

from __future__ import annotations

import pytest

from hexholm.arena.ratings import rate_players


def test_ratings_rise_with_wins_and_losers_are_tied() -> None:
    player_ratings = rate_players(["a", "b", "c"], [(("a", "b", "c", "c"), 0)] * 20)
    assert player_ratings["a"].mu > 30
    assert player_ratings["b"].mu == pytest.approx(player_ratings["c"].mu, abs=1.5)
    assert player_ratings["a"].sigma < 25 / 3
    level = rate_players(["a", "b"], [(("a", "b"), -1)] * 5)
    assert level["a"].mu == pytest.approx(level["b"].mu)
    alone = rate_players(["a"], [(("a", "a", "a"), seat % 3) for seat in range(30)])
    assert alone["a"].mu == pytest.approx(25, abs=1.0)
