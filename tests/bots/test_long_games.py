"""Games to more points than the books have: judgments, fitted to games to ten points, hold there too."""

from __future__ import annotations

import pytest

from hexholm.arena.tournament import tournament
from hexholm.bots.kernels.features import FITTED_POINTS, points_needed
from hexholm.rules.encoding.structs import State
from hexholm.rules.setup.house_rules import POINTS_TO_WIN


def way(points_to_win: int) -> list[int]:
    """How far somebody with 0 points and more is from winning, as a judgment sees it."""
    state = State()
    state.points_to_win = points_to_win
    return [points_needed(state, points) for points in range(points_to_win + 2)]


@pytest.mark.parametrize("points_to_win", range(POINTS_TO_WIN[0], FITTED_POINTS + 1))
def test_to_ten_points_or_fewer_it_is_what_is_needed(points_to_win: int) -> None:
    assert way(points_to_win) == [*range(points_to_win, -1, -1), 0]


@pytest.mark.parametrize("points_to_win", range(FITTED_POINTS + 1, POINTS_TO_WIN[1] + 1))
def test_in_longer_games_nobody_is_further_away_than_after_the_set_up(points_to_win: int) -> None:
    needs = way(points_to_win)
    assert needs[:3] == [10, 9, 8]
    assert needs[2:-9] == [8] * (points_to_win - FITTED_POINTS + 1)
    assert needs[-10:] == [8, 7, 6, 5, 4, 3, 2, 1, 0, 0]


@pytest.mark.parametrize("points", [12, 14])
def test_medium_builds_and_wins_in_long_games_too(points: int) -> None:
    """When building looked like a loss it ended with two to four points and won none of 16."""
    result = tournament(["medium", "easy", "easy", "easy"], 24, seed=72, edition="fifth", points_to_win=points)
    medium = next(row for row in result.players if row.name == "medium")
    assert medium.mean_points > 8
    assert medium.wins >= 6  # more than a fair share of the games that were won
