"""What the players decide on kept views, compared and written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hexholm.bots import shipped_bots
from hexholm.bots.shipped_bots import SHIPPED, kept_decisions
from tools import decisions


def test_a_changed_decision_is_told_and_kept_anew(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    request: pytest.FixtureRequest,
) -> None:
    file = tmp_path / "decisions.json"
    monkeypatch.setattr(shipped_bots, "KEPT_DECISIONS", file)
    monkeypatch.setattr(decisions, "SHIPPED", {"easy": SHIPPED["easy"]})
    kept_decisions.cache_clear()
    request.addfinalizer(kept_decisions.cache_clear)
    assert decisions.main(["--write"]) == 0
    assert (decisions.main([]), capsys.readouterr().out) == (0, "all decide as before\n")
    stored_decisions = json.loads(file.read_text())
    was, stored_decisions["easy"][2] = stored_decisions["easy"][2], "end"
    file.write_text(json.dumps(stored_decisions))
    kept_decisions.cache_clear()
    assert (decisions.main([]), capsys.readouterr().out) == (1, f"easy, view 3: end before, {was} now\n")
