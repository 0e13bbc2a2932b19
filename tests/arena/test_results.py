"""Results: who won what, by seats and boards, and who beats whom."""

from __future__ import annotations

import pytest

from hexholm.arena import tournament
from hexholm.arena.intervals import BlockScore
from hexholm.arena.results import blocks_of, head_to_head, result_of
from tests.arena.scenes import TO_THREE_POINTS, made_up


def test_rows_count_seats_wins_points_and_capped_games() -> None:
    job, games = made_up(["a"] * 5 + ["b"] * 2 + [""], ["a", "b", "b", "b"])
    result = result_of(
        job, games, planned=8, runner="serial", workers=1, seconds=2.0, played=8, interrupted=False, sprt=None
    )
    strong, weak = result.row("easy"), result.row("random")
    assert (strong.seat_games, strong.wins, weak.seat_games, weak.wins) == (8, 5, 24, 2)
    assert (strong.win_share, weak.win_share) == (5 / 8, 2 / 24)
    assert (result.games, result.capped, sum(result.wins_by_order)) == (8, 1, 7)
    assert strong.mean_points == (5 * 10 + 3 * 4) / 8
    assert strong.median_ms == pytest.approx(2**20 / 1e6, rel=0.05)
    assert strong.low < strong.win_share < strong.high
    assert result.players[0] is strong
    assert result.games_per_second == 4


def test_the_json_has_what_it_promises() -> None:
    result = tournament(["easy", "random", "random", "random"], games=4, **TO_THREE_POINTS)
    data = result.as_dict()
    assert {"games", "seed", "capped", "players"} <= set(data)
    keys = {"name", "seat_games", "wins", "win_share", "low", "high", "rating", "median_ms", "p99_ms"}
    assert all(keys <= set(row) for row in data["players"])
    assert (data["games"], data["seed"]) == (4, 7)
    assert [row["seat_games"] for row in data["players"]] == [4, 12]


def test_blocks_are_counted_by_board() -> None:
    _, games = made_up(["a", "a", "b", "", "b", "b", "b", "a"], ["a", "b", "b", "b"])
    assert blocks_of("a", ["a", "b", "b", "b"], games, 4) == {0: BlockScore(2, 4, 4), 1: BlockScore(1, 4, 4)}
    assert blocks_of("b", ["a", "b", "b", "b"], games, 4) == {0: BlockScore(1, 4, 12), 1: BlockScore(3, 4, 12)}


def test_who_beats_whom_is_fair_to_a_player_with_more_seats() -> None:
    """One against three of the same strength wins one of four, and beats each of them half of the time."""
    games = [(("a", "b", "b", "b"), winner) for winner in (0, 1, 2, 3)]
    assert head_to_head(["a", "b"], games) == {"a": {"b": 0.5}, "b": {"a": 0.5}}
    assert head_to_head(["a", "b", "c"], games[:1]) == {
        "a": {"b": 1.0, "c": None},
        "b": {"a": 0.0, "c": None},
        "c": {"a": None, "b": None},
    }
