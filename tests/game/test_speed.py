"""When games change from interpreted to compiled rules."""

from __future__ import annotations

from contextlib import nullcontext

import pytest

from hexholm.game import speed
from hexholm.game.game import Game
from hexholm.rules.core import view
from hexholm.rules.core.drivers import entry_points as entries


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """How often the rules were compiled; after thirty interpreted actions that pays."""
    times: list[str] = []
    monkeypatch.delenv("HEXHOLM_INTERPRETED", raising=False)
    monkeypatch.setattr(speed, "PATIENCE", 30)
    for name, value in {"_interpreted": 0, "_ready": False, "_elsewhere": False}.items():
        monkeypatch.setattr(speed, name, value)
    monkeypatch.setattr(speed, "announced", nullcontext)
    monkeypatch.setattr(speed, "fast", lambda: times.append("now"))
    return times


def play(steps: int) -> None:
    game = Game(seed=3, compiled=False)
    for _ in range(steps):
        game.play(game.legal_actions.texts[0])


def test_after_many_interpreted_actions_the_rules_are_compiled_once(compiled: list[str]) -> None:
    play(2)
    assert compiled == []
    play(40)
    assert compiled == ["now"]


def test_a_process_that_others_wait_for_never_stops_to_compile(compiled: list[str]) -> None:
    speed.compile_elsewhere()
    play(40)
    assert compiled == []


def test_rules_that_are_compiled_half_way_are_not_taken_for_ready(
    compiled: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A compiler was stopped: whoever comes next must not compile the rest while people wait."""
    assert all(callable(getattr(entries, name, None) or getattr(view, name, None)) for name in speed.ENTRIES)
    for missing in speed.ENTRIES:
        monkeypatch.setattr(speed, "is_warm", lambda name, missing=missing: name != missing)
        speed.look_again()
        assert not speed.mode(None)
    monkeypatch.setattr(speed, "is_warm", lambda _: True)
    speed.look_again()
    assert speed.mode(None)
