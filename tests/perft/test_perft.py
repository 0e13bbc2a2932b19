"""The perft files hold for the core, and at small depth for the twin."""

from __future__ import annotations

import pytest

from hexholm.rules.perft import perft
from hexholm.rules.referee import Referee
from hexholm.rules.setup.editions import EDITIONS
from tests.perft.positions import Position, every_position, twin_perft

POSITIONS = every_position()


def test_there_are_several_positions_per_edition() -> None:
    editions = [position.new["edition"] for position in POSITIONS]
    assert min(editions.count(name) for name in EDITIONS) >= 5
    assert all(max(position.counts) >= 3 for position in POSITIONS)


@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: str(position.id))
def test_the_core_counts_what_the_file_says(position: Position) -> None:
    state = position.referee().state
    assert {depth: perft(state, depth, compiled=True) for depth in position.counts} == position.counts


@pytest.mark.parametrize("position", POSITIONS[::6], ids=lambda position: str(position.id))
def test_the_twin_counts_the_same_at_depth_two(position: Position) -> None:
    assert twin_perft(position.twin(), 2) == position.counts[2]


def test_interpreted_and_compiled_count_the_same() -> None:
    for position in POSITIONS[::9]:
        state = position.referee(compiled=False).state
        assert perft(state, 2, compiled=False) == position.counts[2]


def test_a_depth_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="1 or more"):
        perft(Referee.new(edition="fifth").state, 0)
