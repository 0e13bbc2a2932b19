"""Batch stepping: the same games as one by one, restarts, refusals, caller-owned buffers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hexholm.rules.batch import Batch
from hexholm.rules.core.actors import next_without_trade
from hexholm.rules.core.drivers import batch_steps as plain
from hexholm.rules.core.drivers.action_mask import write_mask
from hexholm.rules.core.drivers.batch_steps import key_of_game
from hexholm.rules.core.nature import decide_outcome, draws_used
from hexholm.rules.core.step import apply_action
from hexholm.rules.encoding.action_numbers import SOLO_ACTIONS, code_of_number
from hexholm.rules.encoding.phases import OVER, is_chance_phase
from hexholm.rules.encoding.structs import Scratch, State
from tests.helpers.speed import COMPILED


def play(batch: Batch, steps: int) -> int:
    actions = np.zeros(len(batch.seats), np.int32)
    ended = 0
    for step in range(steps):
        batch.choose_random(actions, step)
        ended += batch.step(actions)
        assert not (batch.ended == plain.ILLEGAL).any()
    return ended


def test_a_batch_plays_the_games_that_single_steps_play() -> None:
    size = 6 if COMPILED else 2
    batch = Batch(size, seed=3, edition="sixth", setup="variable", points_to_win=10 if COMPILED else 3)
    singles = [State(batch.states[i].copy()) for i in range(size)]
    draws, games = [0] * size, [0] * size
    actions, mask = np.zeros(size, np.int32), np.zeros((1, SOLO_ACTIONS), np.uint8)
    ends = 0
    for step in range(900):
        batch.choose_random(actions, step)
        batch.step(actions)
        for i, s in enumerate(singles):
            seat = next_without_trade(s)
            apply_action(s, Scratch(), seat, code_of_number(s, seat, int(actions[i])))
            while is_chance_phase(s.phase):
                code = decide_outcome(s, key_of_game(int(batch.keys[i]), games[i], 0), draws[i])
                draws[i] += draws_used(s.phase)
                apply_action(s, Scratch(), s.active, code)
            if s.phase == OVER:
                assert batch.ended[i] == s.winner
                singles[i] = State(batch.states[i].copy())  # restarted there: a new game from its first decision
                assert singles[i].turn_number == 0
                draws[i], games[i] = 0, games[i] + 1
                ends += 1
            else:
                assert batch.ended[i] == plain.RUNNING
                assert (batch.states[i] == s.buffer).all()
                assert batch.seats[i] == next_without_trade(s)
                write_mask(s, Scratch(), next_without_trade(s), mask, 0)
                assert (batch.masks[i] == mask[0]).all()
        if ends >= 2 and not COMPILED:  # a new game was begun, and that takes long
            break
    assert ends >= 2


def test_interpreted_and_compiled_batches_agree() -> None:
    batch = Batch(3, seed=5, edition="threed", setup="variable", numbers="random")
    states, masks, counts = batch.states.copy(), batch.masks.copy(), batch.counts.copy()
    seats, ended, actions = batch.seats.copy(), batch.ended.copy(), np.zeros(3, np.int32)
    boards, scratch = batch._buffers[0]
    for step in range(120):
        batch.choose_random(actions, step)
        batch.step(actions)
        chance_buffers = (batch.keys, counts, batch.modes, batch.first)
        plain.batch_step(states, batch.template, boards, scratch, *chance_buffers, actions, masks, seats, ended, 0, 3)
        assert (states == batch.states).all()
        assert (masks == batch.masks).all()


@pytest.mark.parametrize(
    "options", [{"edition": "fifth", "setup": "fixed"}, {"edition": "zip", "setup": "variable", "map": 9}]
)
def test_fixed_and_printed_boards_restart_too(options: dict[str, Any]) -> None:
    batch = Batch(64, seed=1, first=0, points_to_win=4, **options)
    assert play(batch, 1500) > 20


@pytest.mark.parametrize("edition", ["sixth", "zip"])
def test_the_starter_is_rotated_named_or_rolled_for(edition: str) -> None:
    rotated = Batch(1, seed=1, edition=edition, setup="variable")
    for game in range(4):
        assert rotated.seats[0] == game % 4
        rotated.step(np.array([-1], np.int32))
    named = Batch(3, seed=1, edition=edition, setup="variable", first=2)
    assert (named.seats == 2).all()
    rolled = Batch(60, seed=1, edition=edition, setup="variable", first="roll")
    assert set(rolled.seats.tolist()) == {0, 1, 2, 3}


def test_each_game_of_a_zip_batch_chooses_its_map() -> None:
    batch = Batch(40, seed=1, edition="zip", setup="variable")
    assert len({State(row.copy()).robber for row in batch.states}) > 5


def test_threads_change_nothing() -> None:
    single, threaded = Batch(50, seed=9, jobs=1), Batch(50, seed=9, jobs=2)
    play(single, 300)
    play(threaded, 300)
    assert (single.states == threaded.states).all()


def test_an_illegal_number_is_refused_and_changes_nothing() -> None:
    batch = Batch(2, seed=1, edition="sixth", setup="variable")
    before = batch.states.copy()
    batch.step(np.array([0, 0], np.int32))  # roll, in the placement rounds
    assert (batch.ended == plain.ILLEGAL).all()
    assert (batch.states == before).all()


def test_bad_input_is_told() -> None:
    batch = Batch(2, seed=1)
    with pytest.raises(ValueError, match=r"int32\[2\]"):
        batch.step(np.zeros(3, np.int32))
    with pytest.raises(ValueError, match="0 to 298"):
        batch.step(np.array([0, 299], np.int32))
    with pytest.raises(ValueError, match="at least one"):
        Batch(0)
