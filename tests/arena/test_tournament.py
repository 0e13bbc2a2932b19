"""Tournaments: sequential tests that end early, and players that take turns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from hexholm.arena import tournament
from hexholm.arena.intervals import BlockScore, Sprt
from hexholm.arena.match import FinishedGame, TournamentJob
from hexholm.arena.runners.base import Games, Serial
from tests.arena import players as odd
from tests.arena.scenes import TO_THREE_POINTS, made_up


def test_a_sequential_test_ends_early_and_at_the_same_block_whoever_plays() -> None:
    class Backwards(Serial):
        """Plays the games of some blocks in reverse order."""

        def run(self, job: TournamentJob, numbers: Any) -> Any:
            numbers_left = list(numbers)
            while numbers_left:
                numbers_now, numbers_left = numbers_left[:40], numbers_left[40:]
                for number in reversed(numbers_now):
                    yield job.play(number)

    players = ["easy", "random", "random", "random"]
    first = tournament(players, games=400, sprt=(0.25, 0.5), **TO_THREE_POINTS)
    backwards = tournament(players, games=400, sprt=(0.25, 0.5), runner=Backwards(), **TO_THREE_POINTS)
    assert first.conclusion == backwards.conclusion == "high"
    assert first.games == backwards.games < 120
    assert backwards.played >= first.played
    assert first.as_dict()["sprt"]["player"] == "easy"
    assert [row.wins for row in first.players] == [row.wins for row in backwards.players]


class MadeUp(Serial):
    """Has these games without playing them, and then Ctrl-C is pressed."""

    def __init__(self, games: Iterable[FinishedGame]) -> None:
        self.games = games

    def run(self, job: TournamentJob, numbers: Iterable[int]) -> Games:  # noqa: ARG002
        yield from self.games
        raise KeyboardInterrupt


TABLE = ["easy", "random", "random", "random"]


def test_an_interrupted_sequential_test_says_what_whole_blocks_without_a_gap_show() -> None:
    _, games = made_up(["a"] * 80, ["a", "b", "b", "b"])
    test: dict[str, Any] = {"games": 400, "sprt": (0.25, 0.5)}
    first = tournament(TABLE, runner=MadeUp(games[::4]), **test)  # one of each of twenty blocks
    assert (first.games, first.interrupted, first.ratio, first.conclusion) == (20, True, 0.0, "open")
    later = tournament(TABLE, runner=MadeUp(games[:4] + games[5:]), **test)
    (after_one,) = Sprt(0.25, 0.5).log_ratios([BlockScore(4, 4, 4)])
    assert (later.games, later.ratio, later.conclusion) == (79, after_one, "open")
    whole_result = tournament(TABLE, runner=MadeUp(games), **test)
    assert (whole_result.interrupted, whole_result.conclusion) == (False, "high")


def test_a_sequential_test_takes_every_block_once(monkeypatch: pytest.MonkeyPatch) -> None:
    n_taken, ratios = 0, Sprt.log_ratios

    def counted(test: Sprt, blocks: Iterable[BlockScore]) -> Iterator[float]:
        def counting() -> Iterator[BlockScore]:
            nonlocal n_taken
            for block in blocks:
                n_taken += 1
                yield block

        return ratios(test, counting())

    monkeypatch.setattr(Sprt, "log_ratios", counted)
    _, games = made_up(["a", "b", "b", ""] * 30, ["a", "b", "b", "b"])
    result = tournament(TABLE, games=200, sprt=(0.24, 0.26), runner=MadeUp(games))
    assert (result.games, result.conclusion, n_taken) == (120, "open", 30)


def test_more_players_than_seats_take_turns() -> None:
    result = tournament(["easy", "random", odd.Cheeky, "random", "random"], games=20, seats=4, **TO_THREE_POINTS)
    assert sum(row.seat_games for row in result.players) == 80
    assert result.row("easy").seat_games == 16
