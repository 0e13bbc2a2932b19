"""Simulations: repeatable, the same at both speeds and on any number of cores, fair, without allocation."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from hexholm.rules import simulate as module
from hexholm.rules.random_numbers import key_for
from hexholm.rules.setup.editions import EDITIONS
from hexholm.rules.setup.options import Options, check_options
from hexholm.rules.simulate import (
    GAMES_IN_BLOCK,
    BadSimulation,
    Simulation,
    SimulationResult,
    keys_for,
    replay_game,
    simulate,
)
from tests.helpers.speed import COMPILED

needs_compiler = pytest.mark.skipif(not COMPILED, reason="thousands of games, and the compiler is off")
SIXTH = check_options(edition="sixth", setup="variable")


def outcome(result: SimulationResult) -> dict[str, Any]:
    """All of a result but its speed."""
    data = dataclasses.asdict(result)
    return {key: data[key] for key in data if key not in ("seconds", "jobs", "interrupted")}


def rows(options: Options, seed: int, start: int, n: int, compiled: bool) -> list[list[int]]:
    simulation = Simulation(options, seed, compiled=compiled)
    results: list[list[int]] = simulation.play(simulation.buffers(), start, n).tolist()
    return results


@pytest.mark.parametrize("seed", [0, 7, -3, 10**30])
def test_keys_are_those_of_key_for(seed: int) -> None:
    start = 95
    keys = keys_for(seed, start, 10)
    assert keys.dtype == np.int64
    assert keys.flags.c_contiguous
    assert keys.tolist() == [[key_for(seed, "board", i), key_for(seed, "play", i)] for i in range(start, start + 10)]
    assert keys_for(seed, 0, 0).shape == (0, 2)


@needs_compiler
def test_the_number_of_jobs_changes_nothing() -> None:
    games = 2 * GAMES_IN_BLOCK + 10
    single = simulate(SIXTH, games=games, seed=5, jobs=1)
    double = simulate(SIXTH, games=games, seed=5, jobs=2)
    assert outcome(single) == outcome(double)
    assert (single.jobs, double.jobs, single.games) == (1, 2, games)
    assert outcome(single) != outcome(simulate(SIXTH, games=games, seed=6))


@needs_compiler
def test_interpreted_and_compiled_play_the_same_games() -> None:
    slow = rows(SIXTH, 1, 0, 3, compiled=False)
    assert slow == rows(SIXTH, 1, 0, 3, compiled=True)
    assert [row[3] for row in slow] == [0, 1, 2]
    assert all(row[0] >= 0 and row[1] > row[2] > 4 for row in slow)


@needs_compiler
def test_winners_are_within_two_percent_of_their_fair_share() -> None:
    result = simulate(SIXTH, games=50_000, seed=1, jobs=2)
    assert result.games == 50_000
    assert sum(result.wins) + result.capped == 50_000
    assert sum(result.wins_by_order) == sum(result.wins)
    for wins in result.wins:
        assert abs(wins - 12_500) <= 0.02 * 12_500, result.wins


GAMES: list[dict[str, Any]] = [
    *({"edition": name, "setup": setup} for name in EDITIONS for setup in ("fixed", "variable")),
    {"edition": "zip", "setup": "variable", "map": 17, "players": 3},
    {"edition": "threed", "setup": "variable", "numbers": "random", "players": 3},
    {"edition": "sixth", "setup": "variable", "first": "roll", "balanced_dice": True},
    {"edition": "fifth", "setup": "variable", "first": 2, "friendly_robber": True, "points_to_win": 5},
    {"edition": "fifth", "ages": [30, 41, 41, 7]},
    {"edition": "summary", "setup": "variable", "players": 2, "two_players": True, "hand_limit": 9},
]


@pytest.mark.parametrize("values", GAMES, ids=lambda values: "-".join(map(str, values.values())))
def test_a_game_of_a_simulation_can_be_replayed(values: dict[str, Any]) -> None:
    options = check_options(**values)
    row = rows(options, 11, 6, 1, compiled=False)[0]
    replay = replay_game(options, 11, 6, compiled=False)
    state = replay.referee.state
    decisions = sum(seat >= 0 for seat, _ in replay.steps)
    assert row == [state.winner, decisions, state.turn_number, state.first]


def test_every_game_has_a_map_of_its_own() -> None:
    options = check_options(edition="zip", setup="variable", players=3, points_to_win=3)
    names = {replay_game(options, 3, game, compiled=False).referee.layout.name for game in range(3)}
    assert len(names) == 3
    assert all(name.startswith("Zip! map") and not name.startswith("Zip! map 1 ") for name in names)


def test_the_right_to_begin_goes_round_unless_told() -> None:
    assert [row[3] for row in rows(check_options(edition="fifth"), 0, 1, 4, compiled=False)] == [1, 2, 3, 0]
    named = check_options(edition="fifth", first=2)
    assert [row[3] for row in rows(named, 0, 0, 3, compiled=False)] == [2, 2, 2]


def test_an_interrupted_run_is_the_beginning_of_the_longer_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SLOW_BLOCK", 2)
    calls: list[tuple[int, int]] = []

    def interrupt(done: int, games: int) -> None:
        calls.append((done, games))
        if len(calls) == 2:
            raise KeyboardInterrupt

    result = simulate(SIXTH, games=9, seed=2, on_progress=interrupt, compiled=False)
    assert calls == [(2, 9), (4, 9)]
    assert result.interrupted
    assert result.games == 4
    assert outcome(result) == outcome(simulate(SIXTH, games=4, seed=2, compiled=False))


def test_a_fault_in_a_helper_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    def play(_self: Simulation, _scratch: object, start: int, n: int) -> Any:
        if start:
            raise RuntimeError("broken")
        return np.zeros((n, 4), np.int64)

    monkeypatch.setattr(Simulation, "play", play)
    with pytest.raises(RuntimeError, match="broken"):
        simulate(SIXTH, games=100, jobs=2, compiled=False)


def test_what_cannot_be_simulated_is_refused() -> None:
    for arguments, words in (
        ({"players": ["random", "clever", "random", "random"]}, "no player 'clever'; simulate knows random"),
        ({"players": ["random"]}, "1 players are named for a game of 4"),
        ({"games": 0}, "games 0: choose 1 or more"),
        ({"jobs": -1}, "jobs -1: choose 1 or more"),
    ):
        with pytest.raises(BadSimulation, match=words):
            simulate(SIXTH, **arguments)


def test_a_result_is_plain_data() -> None:
    result = simulate(SIXTH, games=2, seed=9, compiled=False)
    data = json.loads(json.dumps(result.as_dict()))
    assert data["games"] == sum(data["wins"]) == sum(data["wins_by_order"]) == 2
    assert data["mean_actions"] == result.decisions / 2
    assert data["games_per_second"] > 0
    assert check_options(**data["options"]) == SIXTH


COUNT_ALLOCATIONS = """
import json, numpy as np
from hexholm.rules.setup.options import check_options
from hexholm.rules.compilation.kernels import fast
from hexholm.rules.simulate import MAX_ACTIONS, Simulation, keys_for
from numba.core.runtime import rtsys

def allocations(options, n):
    simulation = Simulation(options, 1)
    arguments = (*simulation.buffers(), keys_for(1, 0, n), np.zeros((n, 4), np.int64), simulation.modes, 0, MAX_ACTIONS)
    fast().simulate_block(*arguments)
    before = rtsys.get_allocation_stats()
    fast().simulate_block(*arguments)
    after = rtsys.get_allocation_stats()
    return [b - a for a, b in zip(before, after)], arguments[5][:, 1].sum().item()

sixth, pad = check_options(edition="sixth", setup="variable"), check_options(edition="zip", setup="variable", players=3)
print(json.dumps([allocations(sixth, 0), allocations(sixth, 2000), allocations(pad, 20)]))
"""


@needs_compiler
def test_a_playout_allocates_nothing() -> None:
    """Calling the kernel wraps its seven buffers; two thousand games must count no allocation more than none at all."""
    environment = {**os.environ, "NUMBA_NRT_STATS": "1"}
    process = subprocess.run(
        [sys.executable, "-c", COUNT_ALLOCATIONS], env=environment, check=True, capture_output=True, text=True
    )
    (no_games, _), (many, decisions), (pad, _) = json.loads(process.stdout)
    assert decisions > 1_000_000
    assert no_games[0] > 0, "the counters do not count"
    assert no_games == many == pad
