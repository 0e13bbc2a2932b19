"""Intervals against known figures and against simulated games whose truth is known; the sequential test's errors."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice

import pytest

from hexholm.arena.intervals import BlockScore, Sprt, SprtConclusion, independent_games, student_quantile, win_interval
from hexholm.rules.errors import BadInput


def alone(wins: list[int], games: int = 4) -> list[BlockScore]:
    """Blocks of a player with one seat."""
    return [BlockScore(won, games, games) for won in wins]


def test_independent_games_have_the_interval_of_wilson() -> None:
    """Blocks of one game: 250 of 1,000 is 22.4 % to 27.8 % in any table of Wilson's intervals."""
    share, low, high = win_interval(alone([1] * 250 + [0] * 750, games=1))
    assert share == 0.25
    assert (round(low, 3), round(high, 3)) == (0.224, 0.278)


def test_games_that_always_end_alike_on_a_board_count_once() -> None:
    """If all four games of a board have one winner, 400 games say as much as 100."""
    blocks = alone([4] * 25 + [0] * 75)
    assert independent_games(blocks, 0.25) == pytest.approx(99, rel=0.01)
    assert win_interval(blocks)[1:] == pytest.approx(win_interval(alone([1] * 25 + [0] * 75, games=1))[1:], abs=0.004)


def test_a_worked_example_of_the_clustered_variance() -> None:
    """Wins 0, 1, 2, 3 of 4: the share is 6/16, the variance 4/3 * 5 / 16**2, that of independent games 15/64 / 16."""
    blocks = alone([0, 1, 2, 3])
    spread = 4 / 3 * (1.5**2 + 0.5**2 + 0.5**2 + 1.5**2) / 16**2
    assert independent_games(blocks, 6 / 16) == pytest.approx((6 / 16) * (10 / 16) / spread)


def test_boards_that_all_look_alike_do_not_make_a_player_certain() -> None:
    share, low, high = win_interval(alone([1] * 10))
    assert share == 0.25
    assert low < 0.15
    assert high > 0.38


def test_a_player_on_all_seats_has_exactly_its_share() -> None:
    share, low, high = win_interval([BlockScore(4, 4, 16)] * 50)
    assert (share, high) == (0.25, 0.25)
    assert 0.24 < low < 0.25


def test_a_player_on_three_seats_is_judged_by_the_games_and_not_by_the_seats() -> None:
    """That one of three wins is as sure as that the fourth does not."""
    rng = random.Random(1)
    wins = [sum(rng.random() < 0.4 for _ in range(4)) for _ in range(200)]
    one_seat, three_seats = win_interval(alone(wins)), win_interval([BlockScore(4 - won, 4, 12) for won in wins])
    assert three_seats[0] == pytest.approx((1 - one_seat[0]) / 3)
    assert (three_seats[1], three_seats[2]) == pytest.approx(((1 - one_seat[2]) / 3, (1 - one_seat[1]) / 3))


def test_everything_won_leaves_some_doubt_and_nothing_played_all_of_it() -> None:
    assert win_interval([]) == (0.0, 0.0, 1.0)
    share, low, high = win_interval(alone([4] * 5))
    assert (share, high) == (1.0, 1.0)
    assert 0.8 < low < 0.9
    assert win_interval(alone([1]))[2] - win_interval(alone([1]))[1] > 0.8  # one board says little


@pytest.mark.parametrize("blocks", [25, 100])
def test_nineteen_of_twenty_intervals_hold_the_truth_also_when_boards_differ(blocks: int) -> None:
    """On each board the chance to win is another, 0.05 or 0.55; the mean is 0.3."""
    rng, runs, n_right = random.Random(blocks), 1000, 0
    for _ in range(runs):
        boards = [0.05 if rng.random() < 0.5 else 0.55 for _ in range(blocks)]
        wins = [sum(rng.random() < probability for _ in range(4)) for probability in boards]
        _, low, high = win_interval(alone(wins))
        n_right += low <= 0.3 <= high
    assert 0.93 <= n_right / runs <= 0.98


def test_students_quantiles_are_those_of_the_tables() -> None:
    quantiles = {1: 12.706, 2: 4.303, 3: 3.182, 5: 2.571, 10: 2.228, 30: 2.042, 100: 1.984}
    for freedom, value in quantiles.items():
        assert student_quantile(0.975, freedom) == pytest.approx(value, rel=2e-3)


# --- the sequential test ---------------------------------------------------------------------------------------------

RUNS = 1000
MOST_WRONG = 64
"""5 % of 1,000 is promised at most; two standard errors above that are 64."""


def blocks_of_four(share: float, alike: float, rng: random.Random) -> Iterator[BlockScore]:
    """Boards without end; `alike` is the correlation of the games of one, whose chance is drawn from a beta."""
    both = 1 / alike - 1 if alike else 0.0
    while True:
        probability = rng.betavariate(share * both, (1 - share) * both) if alike else share
        yield BlockScore(sum(rng.random() < probability for _ in range(4)), 4, 4)


def a_trial(test: Sprt, share: float, alike: float, seed: int) -> tuple[SprtConclusion, int]:
    """The conclusion of a sequential test when the truth is `share`, and after how many blocks."""
    blocks = blocks_of_four(share, alike, random.Random(seed))
    return next(
        (test.conclude(ratio), k)
        for k, ratio in enumerate(test.log_ratios(blocks), 1)
        if test.conclude(ratio) != "open"
    )


@pytest.mark.parametrize("alike", [0.0, 0.3])
@pytest.mark.parametrize("low, high, most", [(0.25, 0.3, 300), (0.25, 0.35, 100), (0.05, 0.1, 120), (0.9, 0.95, 120)])
def test_both_errors_of_a_sequential_test_are_those_it_promises(
    low: float, high: float, most: int, alike: float
) -> None:
    """Also where the share is far from a half, and where a board makes its games alike; `most`: blocks on average."""
    test = Sprt(low, high)
    for share, right in ((low, "low"), (high, "high")):
        trials = [a_trial(test, share, alike, seed) for seed in range(RUNS)]
        assert sum(conclusion != right for conclusion, _ in trials) <= MOST_WRONG, (
            f"{share} was thought not to be {right}"
        )
        assert sum(k for _, k in trials) / RUNS < most * (1 if alike else 0.7)


def test_a_sequential_test_does_not_take_long_where_it_is_clear() -> None:
    """Nor does it decide by a block or two."""
    block_counts = [a_trial(Sprt(0.25, 0.5), 0.7, 0.0, seed)[1] for seed in range(100)]
    assert min(block_counts) >= 3
    assert max(block_counts) <= 12


def test_what_the_ratio_after_the_last_block_decides() -> None:
    test = Sprt(0.25, 0.35)
    assert test.conclude(list(test.log_ratios(alone([1, 2, 3, 1, 2] * 10)))[-1]) == "high"
    assert test.conclude(list(test.log_ratios(alone([0, 1, 1, 0, 0] * 10)))[-1]) == "low"
    assert list(test.log_ratios([BlockScore(0, 0, 0)] * 50)) == []  # it was not at the table


def test_a_sequential_test_of_a_player_on_several_seats_counts_its_seats() -> None:
    """Three of four seats: a share of a quarter is three games of four."""
    for probability, right in ((0.6, "low"), (0.75, "high")):
        games, test = islice(blocks_of_four(probability, 0, random.Random(1)), 200), Sprt(0.2, 0.25)
        assert test.conclude(list(test.log_ratios(BlockScore(block.wins, 4, 12) for block in games))[-1]) == right


@pytest.mark.parametrize("low, high", [(0.3, 0.3), (0.4, 0.3), (0.0, 0.3), (0.3, 1.0)])
def test_a_sequential_test_needs_two_shares_in_order(low: float, high: float) -> None:
    with pytest.raises(BadInput, match=r"the lower one first, as in 0\.25 0\.3"):
        Sprt(low, high)
