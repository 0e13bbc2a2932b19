"""Runners: this process and a pool of processes give the same games; a process that dies costs nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hexholm.arena import Listeners, run_job, tournament
from hexholm.arena.entrants import entrants
from hexholm.arena.match import BotFailed, TournamentJob
from hexholm.arena.results import TournamentResult
from hexholm.arena.runners import GameBroke, Serial, runner
from hexholm.arena.runners.base import Games
from hexholm.arena.runners.cluster import RayRunner
from hexholm.arena.runners.processes import Pool
from hexholm.rules.errors import BadInput
from hexholm.rules.setup.options import check_options

from .scenes import LEVELS, QUICK, without_times

pytestmark = pytest.mark.waits

HERE = "tests.arena.players"


def played(*players: str, workers: int = 2, **options: Any) -> TournamentResult:
    return tournament(players, runner=Pool(workers), **{**QUICK, **options})


def test_a_pool_plays_the_same_games_as_this_process() -> None:
    assert without_times(played(*LEVELS, games=4)) == without_times(tournament(LEVELS, **{**QUICK, "games": 4}))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a process ends itself by a signal")
def test_the_games_of_a_process_that_dies_are_played_by_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark = tmp_path / "died"
    monkeypatch.setenv("HEXHOLM_TEST_MARK", str(mark))
    result = played(f"{HERE}:Deadly", "random", "random", "random")
    assert mark.exists()
    assert result.games == 8
    names = [row.name for row in result.players]
    plain = tournament([f"{HERE}:Deadly", "random", "random", "random"], **QUICK)  # now it lives
    assert sorted(names) == ["Deadly", "random"]
    assert without_times(plain) == without_times(result)


def test_a_game_that_ends_every_process_is_given_up() -> None:
    player = f"{HERE}:AlwaysDeadly"
    message = f"game 1 has ended 3 processes, the last with code 7; {player} ends its process"
    with pytest.raises(GameBroke, match=f"^{message}$"):
        played(player, "random", "random", "random", workers=1)
    message = f"processes, the last with code 7; one of {HERE}:Slow, {player} ends its process"
    with pytest.raises(GameBroke, match=f"{message}$"):
        played(f"{HERE}:Slow", player, "random", "random", workers=1)


def test_a_script_that_begins_its_tournament_outright_is_told_what_it_lacks(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "from hexholm.arena import tournament\nfrom hexholm.arena.runners.processes import Pool\n"
        "tournament(['random'] * 4, games=2, points_to_win=3, runner=Pool(2))\n"
    )
    process = subprocess.run([sys.executable, str(script)], check=False, capture_output=True, text=True)
    assert "GameBroke: 3 processes have ended before they were ready, the last with code 1; a script" in process.stderr


def test_what_was_played_until_a_game_broke_is_told() -> None:
    heard: list[TournamentResult] = []
    names = [f"{HERE}:Cheeky", "random", "random", "random"]
    job = TournamentJob(entrants(names), check_options(setup="variable", points_to_win=3), seed=1, strict=True, cap=9)
    with pytest.raises(BotFailed):
        run_job(job, 2, listeners=Listeners(broken=heard.append))
    assert not heard, "nothing was played"
    with pytest.raises(BotFailed):
        run_job(job, 2, runner=FromTheSecond(), listeners=Listeners(broken=heard.append))
    assert [(result.games, result.interrupted) for result in heard] == [(1, True)]


class FromTheSecond(Serial):
    """Is strict from the second game on."""

    def run(self, job: TournamentJob, numbers: Iterable[int]) -> Games:
        for number in numbers:
            yield replace(job, strict=number > 0).play(number)


def test_what_goes_wrong_in_a_process_is_told_here() -> None:
    with pytest.raises(BotFailed, match=r"Cheeky, game \d, turn 0: illegal"):
        played(f"{HERE}:Cheeky", "random", "random", "random", strict=True)


def test_a_tournament_that_is_left_leaves_no_process() -> None:
    pool = Pool(2)
    job = TournamentJob(
        entrants([f"{HERE}:Slow", "random", "random", "random"]), check_options(setup="variable"), seed=1
    )
    games = pool.run(job, range(100))
    import multiprocessing

    next(games)
    assert len(multiprocessing.active_children()) == 2
    games.close()
    assert multiprocessing.active_children() == []


def test_a_cluster_says_how_many_workers_it_has() -> None:
    class TwoMachines:
        def cluster_resources(self) -> dict[str, float]:
            return {"CPU": 12.0}

    ray_runner = RayRunner()
    assert ray_runner.workers == 0, "not known yet"
    assert ray_runner._batch_room(TwoMachines()) == 18
    assert ray_runner.workers == 12
    few = RayRunner(None, 3)
    few._batch_room(TwoMachines())
    assert few.workers == 3


def test_runners_have_names() -> None:
    assert isinstance(runner("serial"), Serial)
    assert isinstance(runner("pool", 1), Serial)  # one process more would only cost
    pool = runner("pool", 3)
    assert isinstance(pool, Pool)
    assert pool.workers == 3
    with pytest.raises(BadInput, match="there is no runner 'cloud'; there are serial, pool, ray"):
        runner("cloud")
    with pytest.raises(BadInput, match="only the runner ray has one"):
        runner("pool", address="auto")
    with pytest.raises(BadInput, match="jobs -1"):
        runner("pool", -1)
