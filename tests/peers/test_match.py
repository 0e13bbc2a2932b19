"""A match as figures: seats, shares, what is kept, and what is said where the other engine is not installed."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from bench.peers import library, match
from bench.peers.match import (
    MISS,
    OFFER_REFUSED,
    OURS,
    THEIRS,
    PeerJob,
    count_wins,
    make_bot_without_trade,
    seat_order,
    sum_up,
    win_share,
)
from hexholm.arena.decision_times import Times
from hexholm.arena.entrants import entrant
from hexholm.arena.match import FaultKey, FinishedGame
from hexholm.rules.errors import BadInput


def played(number: int, winner: int, faults: dict[FaultKey, int] | None = None) -> FinishedGame:
    entrants_by_seat = tuple(OURS if seat == number % 4 else THEIRS for seat in range(4))
    times = tuple(Times() for _ in entrants_by_seat)
    times[number % 4].add(2_000_000)
    return FinishedGame(number, entrants_by_seat, 0, winner, (10, 5, 5, 5), 80, times, dict(faults or {}))


def test_players_are_listed_so_that_the_shuffle_puts_them_where_they_belong() -> None:
    for seed in range(50):
        for seat in range(4):
            listed = ["theirs"] * 4
            listed[seat_order(seed, 4)[seat]] = "ours"
            random.seed(seed)  # as its engine does before it shuffles
            assert random.sample(listed, 4).index("ours") == seat


class Talker:
    """A player with a switch."""

    def __init__(self, seed: int, *, trades: bool = True) -> None:
        self.seed, self.trades = seed, trades

    def choose(self, view: object) -> str:
        return f"end {view}"


def test_a_player_with_a_switch_is_told_that_nobody_trades() -> None:
    bot = make_bot_without_trade(entrant(f"{__name__}:Talker"), 7)
    assert isinstance(bot, Talker)
    assert (bot.seed, bot.trades) == (7, False)
    assert type(make_bot_without_trade(entrant("easy"), 7)).__name__ == "Easy"


def test_wins_are_those_of_our_seat() -> None:
    games = [played(0, 0), played(1, 0), played(2, 2), played(3, -1)]
    assert count_wins(games) == 2


def test_the_interval_is_wilsons() -> None:
    middle, low, high = win_share(
        [played(number, number % 4 if number % 2 else 3 - number % 4) for number in range(400)]
    )
    assert middle == 0.5
    assert [round(low, 3), round(high, 3)] == [0.451, 0.549]


def test_misses_and_refused_offers_are_counted_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match, "load_library", lambda: library.Library(None, None, "9.9", 1000))
    games = [played(0, 0, {(MISS, "robber"): 2, OFFER_REFUSED: 3}), played(1, 2, {(MISS, "robber"): 1})]
    figures = sum_up(PeerJob(entrant("easy"), "ValueFunction", 4, 1), games, 0.5)
    assert (figures["misses"], figures["offers refused"]) == ({"robber": 3}, 3)
    assert (figures["wins"], figures["games"], figures["wins by seat"][:2]) == (1, 2, ["1 of 1", "0 of 1"])
    assert figures["median ms"] == pytest.approx(2, rel=0.05)
    assert figures["engine"] == "catanatron 9.9"


class Unplayed:
    """A pool that says of every game that we won it."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs

    def run(self, _job: PeerJob, numbers: Iterable[int]) -> Iterator[FinishedGame]:
        return (played(number, number % 4) for number in numbers)


def test_a_match_that_goes_on_with_another_version_of_our_player_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(match, "load_library", lambda: library.Library(None, None, "9.9", 1000))
    monkeypatch.setattr(match, "Pool", Unplayed)
    monkeypatch.setattr(match, "warm_up", lambda _: None)
    mine, journal_file = tmp_path / "mine.py", str(tmp_path / "t.jsonl")
    job = PeerJob(entrant(f"{mine}:Mine"), "ValueFunction", 4, 1)
    runs = []
    for version, games in (("a", 4), ("a", 6), ("b", 8)):
        mine.write_text(version)
        runs.append(sum_up(job, *match.play(job, games, 1, journal_file)))
    assert [(figures["games"], figures["changed"]) for figures in runs] == [(4, []), (6, []), (8, ["Mine"])]
    assert capsys.readouterr().err == "Mine has changed since the tournament began: 6 games were played before\n"
    assert '{"games":8,"sprt":null}' in Path(journal_file).read_text().splitlines()  # as many as were asked for last


def test_without_the_other_engine_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("catanatron", "catanatron.game"):
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setattr(sys, "argv", ["match", "easy", "--games", "4"])
    with pytest.raises(SystemExit) as ended:
        match.main()
    assert "pip install" in str(ended.value.code)
    assert "PYTHONPATH" in str(ended.value.code)


@pytest.mark.parametrize(
    "words, message",
    [
        (["nobody"], "there is no player 'nobody'"),
        (["easy", "--effort", "100ms"], "easy has no effort to choose"),
        (["easy", "--effort", "fast"], "effort 'fast'"),
        (["easy", "--games", "0"], "both are 1 or more"),
    ],
)
def test_what_cannot_be_played_is_refused_with_a_word(
    words: list[str], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["match", *words])
    with pytest.raises(SystemExit) as ended:
        match.main()
    assert message in str(ended.value.code)


def test_an_unknown_opponent_is_refused() -> None:
    with pytest.raises(BadInput, match="there is no opponent 'Nobody'; there are Random"):
        library.make_opponent("Nobody", None)
