"""Intervals against known figures and against simulated games whose truth is known; the sequential test's errors."""

from __future__ import annotations

import random

import pytest

from hexholm.arena.intervals import LEAST_BLOCKS, Block, Sprt, independent, interval, student
from hexholm.rules.errors import BadInput


def alone(wins: list[int], games: int = 4) -> list[Block]:
    """Blocks of a player with one seat."""
    return [Block(won, games, games) for won in wins]


def test_independent_games_have_the_interval_of_wilson() -> None:
    """Blocks of one game: 250 of 1,000 is 22.4 % to 27.8 % in any table of Wilson's intervals."""
    share, low, high = interval(alone([1] * 250 + [0] * 750, games=1))
    assert share == 0.25
    assert (round(low, 3), round(high, 3)) == (0.224, 0.278)


def test_games_that_always_end_alike_on_a_board_count_once() -> None:
    """If all four games of a board have one winner, 400 games say as much as 100."""
    blocks = alone([4] * 25 + [0] * 75)
    assert independent(blocks, 0.25) == pytest.approx(99, rel=0.01)
    assert interval(blocks)[1:] == pytest.approx(interval(alone([1] * 25 + [0] * 75, games=1))[1:], abs=0.004)


def test_a_worked_example_of_the_clustered_variance() -> None:
    """Wins 0, 1, 2, 3 of 4: the share is 6/16, the variance 4/3 * 5 / 16**2, that of independent games 15/64 / 16."""
    blocks = alone([0, 1, 2, 3])
    spread = 4 / 3 * (1.5**2 + 0.5**2 + 0.5**2 + 1.5**2) / 16**2
    assert independent(blocks, 6 / 16) == pytest.approx((6 / 16) * (10 / 16) / spread)


def test_boards_that_all_look_alike_do_not_make_a_player_certain() -> None:
    share, low, high = interval(alone([1] * 10))
    assert share == 0.25
    assert low < 0.15
    assert high > 0.38


def test_a_player_on_all_seats_has_exactly_its_share() -> None:
    share, low, high = interval([Block(4, 4, 16)] * 50)
    assert (share, high) == (0.25, 0.25)
    assert 0.24 < low < 0.25


def test_a_player_on_three_seats_is_judged_by_the_games_and_not_by_the_seats() -> None:
    """That one of three wins is as sure as that the fourth does not."""
    rng = random.Random(1)
    wins = [sum(rng.random() < 0.4 for _ in range(4)) for _ in range(200)]
    one, three = interval(alone(wins)), interval([Block(4 - won, 4, 12) for won in wins])
    assert three[0] == pytest.approx((1 - one[0]) / 3)
    assert (three[1], three[2]) == pytest.approx(((1 - one[2]) / 3, (1 - one[1]) / 3))


def test_everything_won_leaves_some_doubt_and_nothing_played_all_of_it() -> None:
    assert interval([]) == (0.0, 0.0, 1.0)
    share, low, high = interval(alone([4] * 5))
    assert (share, high) == (1.0, 1.0)
    assert 0.8 < low < 0.9
    assert interval(alone([1]))[2] - interval(alone([1]))[1] > 0.8  # one board says little


@pytest.mark.parametrize("blocks", [25, 100])
def test_nineteen_of_twenty_intervals_hold_the_truth_also_when_boards_differ(blocks: int) -> None:
    """On each board the chance to win is another, 0.05 or 0.55; the mean is 0.3."""
    rng, runs, held = random.Random(blocks), 1000, 0
    for _ in range(runs):
        boards = [0.05 if rng.random() < 0.5 else 0.55 for _ in range(blocks)]
        wins = [sum(rng.random() < chance for _ in range(4)) for chance in boards]
        _, low, high = interval(alone(wins))
        held += low <= 0.3 <= high
    assert 0.93 <= held / runs <= 0.98


def test_students_quantiles_are_those_of_the_tables() -> None:
    known = {1: 12.706, 2: 4.303, 3: 3.182, 5: 2.571, 10: 2.228, 30: 2.042, 100: 1.984}
    for freedom, value in known.items():
        assert student(0.975, freedom) == pytest.approx(value, rel=2e-3)


def a_trial(share: float, seed: int, most: int = 1000) -> tuple[str, int]:
    """A sequential test of 0.25 against 0.35 when the truth is `share`: its verdict, and after how many blocks."""
    rng, test, blocks = random.Random(seed), Sprt(0.25, 0.35), list[Block]()
    for k in range(1, most + 1):
        blocks.append(Block(sum(rng.random() < share for _ in range(4)), 4, 4))
        if test.verdict(blocks) != "open":
            return test.verdict(blocks), k
    return "open", most


@pytest.mark.parametrize("share, right", [(0.25, "low"), (0.35, "high")])
def test_a_sequential_test_is_seldom_wrong_and_stops_early(share: float, right: str) -> None:
    found = [a_trial(share, seed) for seed in range(150)]
    wrong = sum(verdict != right for verdict, _ in found)
    assert wrong <= 15  # 5 % is what it promises; 7 or 8 are expected, and 15 are one chance in a hundred
    assert sum(k for _, k in found) / len(found) < 120
    assert min(k for _, k in found) >= LEAST_BLOCKS


@pytest.mark.parametrize("low, high", [(0.3, 0.3), (0.4, 0.3), (0.0, 0.3), (0.3, 1.0)])
def test_a_sequential_test_needs_two_shares_in_order(low: float, high: float) -> None:
    with pytest.raises(BadInput, match=r"the lower one first, as in 0\.25 0\.3"):
        Sprt(low, high)
