"""When games change from interpreted to compiled rules."""

from __future__ import annotations

from contextlib import nullcontext

import pytest

from hexholm.game import speed
from hexholm.game.game import Game


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
