"""The kept decisions of the shipped players: they are those of today, on views that ask for everything."""

from __future__ import annotations

import pytest

from hexholm.bots.registry import bot_kind
from hexholm.bots.shipped_bots import SHIPPED, kept_decisions
from hexholm.game.game import SeatView
from hexholm.rules.setup.editions import EDITIONS
from tools.decisions import decisions_of, kept_views


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_players_decide_as_is_kept(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """If they are meant to decide otherwise: `python -m tools.decisions --write`, and a line in CHANGELOG.md."""
    monkeypatch.delenv("HEXHOLM_INTERPRETED", raising=False)
    assert decisions_of(name) == kept_decisions()[name]


@pytest.mark.parametrize("name", [name for name in SHIPPED if not bot_kind(name).takes_effort])
def test_interpreted_they_decide_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that play on take too long for that; tests/bots/test_both_speeds.py compares them step by step."""
    monkeypatch.setenv("HEXHOLM_INTERPRETED", "1")
    numbers = range(0, len(kept_decisions()[name]), 5)
    assert decisions_of(name, numbers) == [kept_decisions()[name][number] for number in numbers]


def test_the_views_are_of_all_editions_and_ask_for_every_kind_of_decision() -> None:
    views = [SeatView.from_text(line) for line in kept_views()]
    assert {view.options.edition for view in views} == set(EDITIONS)
    assert {len(view.colors) for view in views} == {2, 3, 4}
    assert any(view.options.friendly_robber and view.options.balanced_dice for view in views)
    kinds = {
        name: {choice.split()[0] for line in lines for choice in line.split("; ")}
        for name, lines in kept_decisions().items()
    }
    assert kinds.keys() == SHIPPED.keys()
    common = {"settlement", "city", "road", "robber", "steal", "discard", "supply", "buy", "knight", "monopoly", "end"}
    trade = {"offer", "accept", "reject", "confirm"}
    for name in SHIPPED:
        assert kinds[name] >= (common | trade) - ({"buy"} if name == "expert" else set()), name
        assert name == "random" or "counter" in kinds[name], name
    assert set.union(*kinds.values()) >= {"year-of-plenty", "road-building", "withdraw", "roll"}
