"""A Ray on this machine alone: the same games as in one process, and no end of processes for one that ends them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from hexholm.arena import tournament
from hexholm.arena.entrants import entrants
from hexholm.arena.runners import GameBroke, cluster
from hexholm.arena.runners.cluster import RayRunner, library
from hexholm.arena.table import Job, Played
from hexholm.rules.options import options
from tests.arena.test_journal import told
from tests.arena.test_runners import LEVELS, QUICK

pytestmark = pytest.mark.filterwarnings("default")  # Ray has warnings of its own
DEADLY = 5


@pytest.fixture(scope="module", autouse=True)
def own_ray() -> Iterator[None]:
    """One Ray for all these tests: it takes seconds to start."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    ray: Any = library()
    ray.init(address="local", num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    yield
    ray.shutdown()


@dataclass(frozen=True)
class Deadly(Job):
    """One of its games ends the process: until the file `mark` is there, or always."""

    mark: Path | None = None

    def play(self, number: int) -> Played:
        if number == DEADLY and not (self.mark and self.mark.exists()):
            if self.mark:
                self.mark.touch()
            os._exit(7)
        return super().play(number)


def deadly(mark: Path | None = None) -> Deadly:
    rules = options(setup="variable", points_to_win=3)
    return Deadly(entrants(["random"] * 4), rules, seed=1, compiled=False, mark=mark)


@pytest.fixture
def batches_of_three(monkeypatch: pytest.MonkeyPatch) -> None:
    """After the first ones, which have one game each: with room for three of them, the next has games 3 to 5."""
    monkeypatch.setattr(cluster, "_next_size", lambda *_: 3)


def test_ray_plays_the_same_games_as_this_process() -> None:
    few = {**QUICK, "games": 4}
    assert told(tournament(LEVELS, runner=RayRunner(), **few)) == told(tournament(LEVELS, **few))


@pytest.mark.usefixtures("batches_of_three")
def test_a_game_that_ends_every_process_is_given_up_and_not_those_that_travel_with_it() -> None:
    with pytest.raises(GameBroke, match=f"game {DEADLY + 1} has ended 3 processes; Ray says: The worker died"):
        list(RayRunner().run(deadly(), range(9)))


@pytest.mark.usefixtures("batches_of_three")
def test_the_games_of_a_process_that_dies_are_played_by_another(tmp_path: Path) -> None:
    mark = tmp_path / "died"
    seen = [played.number for played in RayRunner().run(deadly(mark), range(9))]
    assert mark.exists()
    assert sorted(seen) == list(range(9))
