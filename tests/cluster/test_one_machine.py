"""A Ray on this machine alone: the same games as in one process, and no end of processes for one that ends them.

The command line joins it by its address, as it would join a cluster.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from hexholm.arena import tournament
from hexholm.arena.entrants import entrants
from hexholm.arena.match import FinishedGame, TournamentJob
from hexholm.arena.runners import GameBroke, cluster
from hexholm.arena.runners.cluster import RayRunner, import_ray
from hexholm.rules.setup.options import check_options
from tests.arena.scenes import LEVELS, QUICK, without_times

pytestmark = [pytest.mark.waits, pytest.mark.filterwarnings("default")]  # Ray has warnings of its own
DEADLY = 5


@pytest.fixture(scope="module", autouse=True)
def notes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """One Ray for all these tests: it takes seconds to start. The file in which its processes note who they are."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    file = tmp_path_factory.mktemp("cluster") / "notes"
    ray: Any = import_ray()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HEXHOLM_TEST_NOTES", str(file))  # processes have the environment that Ray was started in
        ray.init(address="local", num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    yield file
    ray.shutdown()


@dataclass(frozen=True)
class Deadly(TournamentJob):
    """One of its games ends the process: until the file `mark` is there, or always."""

    mark: Path | None = None

    def play(self, number: int) -> FinishedGame:
        if number == DEADLY and not (self.mark and self.mark.exists()):
            if self.mark:
                self.mark.touch()
            os._exit(7)
        return super().play(number)


def deadly(mark: Path | None = None) -> Deadly:
    rules = check_options(setup="variable", points_to_win=3)
    return Deadly(entrants(["random"] * 4), rules, seed=1, compiled=False, mark=mark)


@pytest.fixture
def batches_of_three(monkeypatch: pytest.MonkeyPatch) -> None:
    """After the first ones, which have one game each: with room for three of them, the next has games 3 to 5."""
    monkeypatch.setattr(cluster, "_next_size", lambda *_: 3)


def test_ray_plays_the_same_games_as_this_process() -> None:
    few_games = {**QUICK, "games": 4}
    assert without_times(tournament(LEVELS, runner=RayRunner(), **few_games)) == without_times(
        tournament(LEVELS, **few_games)
    )


@pytest.mark.usefixtures("batches_of_three")
def test_a_game_that_ends_every_process_is_given_up_and_not_those_that_travel_with_it() -> None:
    with pytest.raises(GameBroke, match=f"game {DEADLY + 1} has ended 3 processes; Ray says: The worker died"):
        list(RayRunner().run(deadly(), range(9)))


@pytest.mark.usefixtures("batches_of_three")
def test_the_games_of_a_process_that_dies_are_played_by_another(tmp_path: Path) -> None:
    mark = tmp_path / "died"
    numbers = [game.number for game in RayRunner().run(deadly(mark), range(9))]
    assert mark.exists()
    assert sorted(numbers) == list(range(9))


# --- from the command line --------------------------------------------------------------------------------------------


def hexholm(*words: str, data: Path) -> subprocess.CompletedProcess[str]:
    """A tournament in a process of its own: this one has joined Ray already."""
    call = [sys.executable, "-m", "hexholm", "tournament", *words, "--runner", "ray"]
    own = os.environ | {"HEXHOLM_DATA": str(data)}
    return subprocess.run(call, env=own, capture_output=True, text=True, timeout=100, check=False)


def test_the_command_line_plays_on_the_cluster_at_an_address(notes: Path, tmp_path: Path) -> None:
    context = import_ray().get_runtime_context()
    players = ["easy", "tests.arena.players:Noting", "random", "random"]
    rules = ["--games", "4", "--seed", "3", "--points-to-win", "3", "--json"]
    process = hexholm(*players, *rules, "--address", context.gcs_address, data=tmp_path)
    assert process.returncode == 0, process.stderr
    data = json.loads(process.stdout)
    assert (data["runner"], data["games"]) == ("ray", 4)
    alone = tournament(players, games=4, seed=3, points_to_win=3).as_dict()
    for key in ("mean_turns", "mean_decisions", "wins_by_order", "head_to_head"):
        assert data[key] == alone[key], "the same games as in one process"
    nodes = [line.split(" ")[0] for line in notes.read_text().splitlines()]
    assert nodes == [context.get_node_id()] * 4, "all of them on that cluster"


def test_an_address_where_nobody_answers_is_refused_at_once(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"  # bound, so nobody else gets it; and nobody listens there
        process = hexholm("random", "random", "random", "--games", "1", "--address", address, data=tmp_path)
    assert (process.returncode, process.stdout) == (2, "")
    assert process.stderr.splitlines()[-1].startswith(f"hexholm: no Ray cluster at {address}: ")
