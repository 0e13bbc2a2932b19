"""The perft files hold for the core, and at small depth for the twin."""

from __future__ import annotations

import pytest

from hexholm.rules.encoding.structs import State
from hexholm.rules.perft import perft, perft_in_parts
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


def test_counting_in_parts_gives_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """The interpreted count, split as a compiled one is; Python's own rules, so no compiler is needed here."""
    state = Referee.new(edition="sixth", setup="variable", first=0, compiled=False).state
    assert perft(state, 3, compiled=False) == (7236, 0)
    depths: list[int] = []

    def part(state: State, depth: int, compiled: bool) -> tuple[int, int]:
        assert compiled
        depths.append(depth)
        return perft(state, depth, compiled=False)

    monkeypatch.setattr("hexholm.rules.perft.perft", part)
    monkeypatch.setattr("hexholm.rules.perft.POSITIONS_PER_CALL", 3)
    assert perft_in_parts(state, [1, 54, 144], compiled=True) == (7236, 0)
    assert depths == [2] * 54
    fixed = Referee.new(edition="fifth", setup="fixed", compiled=False).state
    assert perft_in_parts(fixed, [1, 1, 36, 178], compiled=True) == (124, 192)
