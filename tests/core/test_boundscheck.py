"""Compiled code with every index checked: run with NUMBA_BOUNDSCHECK=1 (`make boundscheck`), else only a smoke test.

Without the check a wrong index silently writes beside the array; with it an IndexError stops the run.
"""

from __future__ import annotations

import os

import numpy as np
import pytest

from hexholm.rules.batch import Batch
from hexholm.rules.compilation.kernels import IntArray, Struct, array_field, entry, fast, struct_at
from hexholm.rules.perft import perft
from hexholm.rules.referee import Referee
from tests.helpers.marks import all_editions
from tests.twin.duel import Duel

CHECKED = os.environ.get("NUMBA_BOUNDSCHECK") == "1"
GAMES = 12 if CHECKED else 1


class Three(Struct):
    """Three numbers and a neighbor."""

    numbers: IntArray = array_field("i1", 3)
    neighbor: IntArray = array_field("i1", 1)


@entry
def write_number(buffer: np.ndarray[tuple[int], np.dtype[np.uint8]], i: int) -> None:
    """Write into the array, or beside it."""
    struct_at(buffer, Three).numbers[i] = 7


@pytest.mark.skipif(not CHECKED, reason="needs NUMBA_BOUNDSCHECK=1: this shows that the check is really on")
def test_the_check_is_on() -> None:
    struct = Three()
    with pytest.raises(IndexError):
        fast().write_number(struct.buffer, 3)


@pytest.mark.parametrize("number", range(GAMES))
def test_games_with_offers_and_views_stay_inside(number: int) -> None:
    assert Duel(1000 + number, compiled=True).run(400).steps > 0


@all_editions
def test_batches_and_counts_stay_inside(edition: str) -> None:
    batch = Batch(16, seed=1, edition=edition, setup="variable", first=0)
    actions = np.zeros(16, np.int32)
    for step in range(600 if CHECKED else 50):
        batch.choose_random(actions, step)
        batch.step(actions)
    assert (batch.counts[:, 1] >= 0).all()
    assert perft(Referee.new(edition=edition, setup="fixed", first=0).state, 3)[0] > 0
