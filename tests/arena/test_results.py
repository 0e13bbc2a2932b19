"""Results: who won what, ratings, who beats whom, times, early ends, entrants, pictures."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hexholm.arena import tournament
from hexholm.arena.entrants import entrant, entrants, load_factory
from hexholm.arena.intervals import BlockScore, Sprt
from hexholm.arena.match import FinishedGame, TournamentJob
from hexholm.arena.plot import draw
from hexholm.arena.ratings import ratings
from hexholm.arena.results import blocks_of, head_to_head, result_of
from hexholm.arena.runners.base import Games, Serial
from hexholm.arena.runners.processes import Pool
from hexholm.arena.schedule import Schedule
from hexholm.arena.times import Times
from hexholm.bots.program import ProgramKind
from hexholm.bots.protocol import Effort
from hexholm.rules.errors import BadInput
from hexholm.rules.options import check_options
from tests.arena import players as odd

TO_THREE_POINTS: dict[str, Any] = {"seed": 7, "points_to_win": 3}


def made_up(winners: list[str], labels: list[str]) -> tuple[TournamentJob, list[FinishedGame]]:
    """Games that these labels won; "" is a capped game."""
    job = TournamentJob(
        entrants(["easy" if label == "a" else "random" for label in labels]), check_options(setup="variable"), seed=1
    )
    games = []
    for planned in map(Schedule(len(labels), 4, seed=1).game, range(len(winners))):
        seats = [labels[who] for who in planned.seats]
        winner = seats.index(winners[planned.number]) if winners[planned.number] else -1
        points = tuple(10 if seat == winner else 4 for seat in range(4))
        times = tuple(Times({320: 3}) for _ in seats)
        games.append(FinishedGame(planned.number, planned.seats, planned.starter, winner, points, 60, times, {}))
    return job, games


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
    wanted = {"name", "seat_games", "wins", "win_share", "low", "high", "rating", "median_ms", "p99_ms"}
    assert all(wanted <= set(row) for row in data["players"])
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


def test_ratings_rise_with_wins_and_losers_are_tied() -> None:
    found = ratings(["a", "b", "c"], [(("a", "b", "c", "c"), 0)] * 20)
    assert found["a"].mu > 30
    assert found["b"].mu == pytest.approx(found["c"].mu, abs=1.5)
    assert found["a"].sigma < 25 / 3
    level = ratings(["a", "b"], [(("a", "b"), -1)] * 5)
    assert level["a"].mu == pytest.approx(level["b"].mu)
    alone = ratings(["a"], [(("a", "a", "a"), seat % 3) for seat in range(30)])
    assert alone["a"].mu == pytest.approx(25, abs=1.0)


def test_a_sequential_test_ends_early_and_at_the_same_block_whoever_plays() -> None:
    class Backwards(Serial):
        """Plays the games of some blocks in reverse order."""

        def run(self, job: TournamentJob, numbers: Any) -> Any:
            left = list(numbers)
            while left:
                some, left = left[:40], left[40:]
                for number in reversed(some):
                    yield job.play(number)

    players = ["easy", "random", "random", "random"]
    first = tournament(players, games=400, sprt=(0.25, 0.5), **TO_THREE_POINTS)
    other = tournament(players, games=400, sprt=(0.25, 0.5), runner=Backwards(), **TO_THREE_POINTS)
    assert first.verdict == other.verdict == "high"
    assert first.games == other.games < 120
    assert other.played >= first.played
    assert first.as_dict()["sprt"]["player"] == "easy"
    assert [row.wins for row in first.players] == [row.wins for row in other.players]


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
    assert (first.games, first.interrupted, first.ratio, first.verdict) == (20, True, 0.0, "open")
    later = tournament(TABLE, runner=MadeUp(games[:4] + games[5:]), **test)
    (after_one,) = Sprt(0.25, 0.5).ratios([BlockScore(4, 4, 4)])
    assert (later.games, later.ratio, later.verdict) == (79, after_one, "open")
    whole = tournament(TABLE, runner=MadeUp(games), **test)
    assert (whole.interrupted, whole.verdict) == (False, "high")


def test_a_sequential_test_takes_every_block_once(monkeypatch: pytest.MonkeyPatch) -> None:
    taken, ratios = 0, Sprt.ratios

    def counted(test: Sprt, blocks: Iterable[BlockScore]) -> Iterator[float]:
        def counting() -> Iterator[BlockScore]:
            nonlocal taken
            for block in blocks:
                taken += 1
                yield block

        return ratios(test, counting())

    monkeypatch.setattr(Sprt, "ratios", counted)
    _, games = made_up(["a", "b", "b", ""] * 30, ["a", "b", "b", "b"])
    result = tournament(TABLE, games=200, sprt=(0.24, 0.26), runner=MadeUp(games))
    assert (result.games, result.verdict, taken) == (120, "open", 30)


def test_more_players_than_seats_take_turns() -> None:
    result = tournament(["easy", "random", odd.Cheeky, "random", "random"], games=20, seats=4, **TO_THREE_POINTS)
    assert sum(row.seat_games for row in result.players) == 80
    assert result.row("easy").seat_games == 16


def test_entrants_are_said_in_words() -> None:
    assert entrant("easy").label == "easy"
    mine = entrant("tests.arena.players:Slow")
    assert mine.label == "Slow"
    assert entrant("easy@400").effort == Effort(steps=400)
    assert entrant("easy@1.5s").label == "easy@1.5s"
    names = [one.label for one in entrants([odd.Slow, "tests.arena.players:Slow", odd.Slow])]
    assert names == ["Slow", "Slow-2", "Slow"]


def test_entrants_that_cannot_play_are_refused_with_a_word(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="there is no player 'grandma'; there are random, easy"):
        entrant("grandma")
    with pytest.raises(BadInput, match=r"did you mean medium\?$"):
        entrant("Meduim@2s")
    with pytest.raises(BadInput, match="easy has no effort to choose; leave @400 out"):
        tournament(["easy@400", "random", "random"], games=1, **TO_THREE_POINTS)
    with pytest.raises(BadInput, match=r"there is no file nowhere\.py"):
        tournament(["nowhere.py:Mine", "random", "random"], games=1, **TO_THREE_POINTS)
    with pytest.raises(BadInput, match="there is no module 'nowhere_at_all'"):
        tournament(["nowhere_at_all:Mine", "random", "random"], games=1, **TO_THREE_POINTS)
    with pytest.raises(BadInput, match="no class or function 'Nobody' in tests"):
        tournament(["tests.arena.players:Nobody", "random", "random"], games=1, **TO_THREE_POINTS)
    broken = tmp_path / "broken.py"
    broken.write_text("1 / 0\n")
    with pytest.raises(BadInput, match=r"cannot be loaded: ZeroDivisionError: .* \(broken\.py, line 1\)$"):
        tournament([f"{broken}:Mine", "random", "random"], games=1, **TO_THREE_POINTS)
    broken.write_text("raise GeneratorExit\n")
    load_factory.cache_clear()
    with pytest.raises(BadInput, match=r"cannot be loaded: GeneratorExit \(broken\.py, line 1\)$"):
        tournament([f"{broken}:Mine", "random", "random"], games=1, **TO_THREE_POINTS)
    with pytest.raises(BadInput, match="it has no method choose"):
        tournament([lambda seed: seed, "random", "random"], games=1, **TO_THREE_POINTS)
    with pytest.raises(
        BadInput,
        match=r"Impossible cannot be made: Impossible\(seed=0\) raised ZeroDivisionError: 0 \(players.py, line",
    ):
        tournament([odd.Impossible, "random", "random"], games=1, **TO_THREE_POINTS)  # type: ignore[list-item]
    with pytest.raises(
        BadInput, match=r"Elusive cannot be made: Elusive\(seed=0\) raised CancelledError \(players.py, line"
    ):
        tournament([odd.Elusive, "random", "random"], games=1, **TO_THREE_POINTS)  # type: ignore[list-item]
    with pytest.raises(BadInput, match="the schedule says who begins"):
        tournament(["easy", "random", "random"], games=1, first=0)
    for games in (0, -1):
        with pytest.raises(BadInput, match=f"games {games}: choose 1 to"):
            tournament(["easy", "random", "random"], games=games)


def test_a_player_in_a_file_takes_part(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "class Mine:\n    def __init__(self, seed): pass\n    def choose(self, view): return view.legal_actions[0]\n"
    )
    result = tournament([f"{file}:Mine", "random", "random"], games=3, **TO_THREE_POINTS)
    assert result.row("Mine").seat_games == 3
    assert result.row("Mine").faults == {}


def test_a_file_is_the_same_by_whichever_path_from_here() -> None:
    assert [one.label for one in entrants(["./mine.py:Mine", "mine.py:Mine", "x.py:Mine"])] == [
        "Mine",
        "Mine",
        "Mine-2",
    ]


def test_names_are_read_in_any_letters() -> None:
    assert entrant("Hard@2s") == entrant("hard@2s")
    mine = ProgramKind("Mine", ("mine",))
    assert entrant("MINE", {"Mine": mine}) == entrant("Mine", {"Mine": mine})


@pytest.mark.parametrize("runner", [Serial(), Pool(2)], ids=["serial", "pool"])
def test_a_player_in_a_file_can_import_what_stands_beside_it_but_hides_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, runner: Serial | Pool
) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])
    beside = f"beside_{runner.name}"
    (tmp_path / f"{beside}.py").write_text(
        "class Mine:\n    def __init__(self, seed): pass\n    def choose(self, view): return view.legal_actions[0]\n"
    )
    for name in ("colorsys", "hexholm"):
        (tmp_path / f"{name}.py").write_text("raise ImportError('the wrong one')\n")
    file = tmp_path / "other.py"
    file.write_text(f"import colorsys\nimport hexholm.rules\nfrom {beside} import Mine\nclass Other(Mine): pass\n")
    result = tournament([f"{file}:Other", "random", "random"], games=3, runner=runner, **TO_THREE_POINTS)
    assert result.row("Other").faults == {}


def test_a_picture_that_cannot_be_written_is_told_with_its_file(tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no full disk at hand")
    (tmp_path / "t.svg").symlink_to("/dev/full")
    result = tournament(["easy", "random", "random", "random"], games=1, **TO_THREE_POINTS)
    with pytest.raises(OSError, match=r"t\.svg"):
        draw(result, tmp_path / "t.svg")


def test_ladder_and_matrix_are_drawn(tmp_path: Path) -> None:
    result = tournament(["easy", "random", "random", "random"], games=4, **TO_THREE_POINTS)
    for ending, begins in ((".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF")):
        draw(result, tmp_path / f"t{ending}")
        assert (tmp_path / f"t{ending}").read_bytes().startswith(begins)
    assert "share of wins (in brackets: rating)" in (tmp_path / "t.svg").read_text()
    with pytest.raises(BadInput, match=r"end it with \.png, \.svg, \.pdf"):
        draw(result, tmp_path / "t.jpeg")


def test_times_add_up_and_know_their_quantiles() -> None:
    times = Times()
    for milliseconds in range(1, 1001):
        times.add(milliseconds * 1_000_000)
    for share in (0.01, 0.5, 0.99, 1.0):
        assert times.quantile(share) == pytest.approx(1000 * share, rel=0.05)
    both = Times.of_list(times.as_list())
    assert both == times
    both.update(times)
    assert both.total == 2000
    assert both.quantile(0.5) == times.quantile(0.5)
    assert Times().quantile(0.5) is None
