"""Before many games are played, everything that can be compiled is: workers never compile."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from pathlib import Path

import pytest

from hexholm.arena.entrants import entrants
from hexholm.arena.match import TournamentJob
from hexholm.bots.registry import part_of
from hexholm.rules.compilation import mode
from hexholm.rules.setup.options import check_options

MODULE = importlib.import_module("hexholm.arena.tournament")  # a function of that name hides it
BENCH = Path(__file__).parents[2] / "bench"


@pytest.mark.parametrize(
    ("names", "used"),
    [
        (["easy", "random", "random", "random"], {"easy", "random"}),
        (
            [f"{BENCH / 'silent.py'}:Silent", "easy", "easy", "easy"],
            {"hard", "easy"},
        ),  # made of `hard`, under its own name
        ([f"{BENCH / 'casual.py'}:Casual", "expert@2", "medium", "medium"], {"expert", "medium"}),
    ],
)
def test_shipped_players_and_what_is_made_of_them_are_used_once(
    names: list[str], used: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HEXHOLM_INTERPRETED", raising=False)
    parts_used: set[str] = set()

    def use_once(parts: Iterable[str], compiled: bool | None) -> None:
        assert compiled
        parts_used.update(parts)

    monkeypatch.setattr(mode, "use_once", use_once)
    MODULE.warm_up(TournamentJob(entrants(names), check_options(setup="variable"), seed=1))
    assert parts_used == {"rules", *map(part_of, used)}
