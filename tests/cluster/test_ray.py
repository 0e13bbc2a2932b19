"""A tournament on a real Ray cluster of two nodes, one of which is lost in the middle (`make cluster`)."""

from __future__ import annotations

import os
import time
from collections import Counter
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from hexholm.arena import tournament
from hexholm.arena.results import TournamentResult
from hexholm.arena.runners.cluster import RayRunner, import_ray
from tests.arena.scenes import without_times

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
os.environ["RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO"] = "0"

pytestmark = [pytest.mark.waits, pytest.mark.filterwarnings("default")]  # Ray has warnings of its own
PLAYERS = ["easy", "tests.arena.players:Noting", "random", "random"]
QUICK: dict[str, Any] = {"games": 48, "seed": 11, "points_to_win": 4}


def wait_for(awaited: str, is_done: Any, seconds: float = 300.0) -> None:
    """Wait until something is so."""
    end = time.monotonic() + seconds
    while not is_done():
        assert time.monotonic() < end, f"{awaited} has not come about within {seconds:.0f} s"
        time.sleep(0.1)


def begun_on(notes: Path, node: str) -> int:
    """How many games were begun there."""
    return notes.read_text().count(f"{node} ") if notes.exists() else 0


def test_a_node_that_is_lost_costs_no_game_and_none_counts_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ray.cluster_utils import Cluster

    ray = import_ray()
    notes = tmp_path / "notes"
    monkeypatch.setenv("HEXHOLM_TEST_NOTES", str(notes))
    cluster: Any = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    journal = tmp_path / "t.jsonl"
    nodes: list[int] = []
    try:
        second_node = cluster.add_node(num_cpus=1)
        ray.init(address=cluster.address, log_to_driver=False, logging_level="ERROR")
        wait_for("a cluster of two nodes", lambda: ray.cluster_resources().get("CPU") == 2)

        def lose_a_node() -> None:
            """In the middle of a game: when the other node has just begun one."""
            wait_for("some games on the other node", lambda: begun_on(notes, second_node.node_id) >= 3)
            before = begun_on(notes, second_node.node_id)
            wait_for("one more", lambda: begun_on(notes, second_node.node_id) > before)
            nodes.append(sum(node["Alive"] for node in ray.nodes()))
            cluster.remove_node(second_node, allow_graceful=False)

        loss = Thread(target=lose_a_node)
        loss.start()
        result: TournamentResult = tournament(PLAYERS, runner=RayRunner(cluster.address), resume=journal, **QUICK)
        loss.join()
        wait_for("the loss of a node", lambda: sum(node["Alive"] for node in ray.nodes()) == 1)
    finally:
        ray.shutdown()
        cluster.shutdown()
    monkeypatch.delenv("HEXHOLM_TEST_NOTES")
    names = [line.split(" ")[0] for line in notes.read_text().splitlines()]
    assert nodes == [2], "both nodes were there when one was lost"
    assert len(set(names)) >= 2, "both have played"
    assert len(names) > 48 + 1, "and what was under way on the lost one was begun again"
    assert result.games == result.played == 48
    lines = journal.read_text().splitlines()[1:]
    assert Counter(line.partition('"game":')[2].partition(",")[0] for line in lines) == Counter(map(str, range(48)))
    assert without_times(result) == without_times(tournament(PLAYERS, **QUICK)), "the same games as in one process"
