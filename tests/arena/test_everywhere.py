"""The long run over all levels and editions: a few of its games, and that it would see a fault."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from hexholm.bots.shipped.compiled import Medium
from hexholm.rules.setup.editions import EDITIONS
from tests.arena import everywhere
from tests.bots.scenes import LABELS


def test_its_games_are_of_all_levels_and_editions() -> None:
    jobs = [everywhere.job(number) for number in range(200)]
    assert Counter(job.options.edition for job in jobs).keys() == set(EDITIONS)
    assert Counter(entrant.label for job in jobs for entrant in job.entrants).keys() == set(LABELS)
    assert {job.options.players for job in jobs} == {2, 3, 4}


@pytest.mark.parametrize("number", range(6))
def test_a_game_ends_without_a_complaint(number: int) -> None:
    *_, decisions, capped, complaint = everywhere.play(number)
    assert not complaint
    assert decisions > 50
    assert not capped


def test_a_player_that_errs_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    number = next(n for n in range(100) if "medium" in {entrant.label for entrant in everywhere.job(n).entrants})
    monkeypatch.setattr(Medium, "choose", lambda *_: "end turn and dance")
    assert "BotFailed" in everywhere.play(number)[-1]


def test_a_run_goes_on_only_with_the_same_rules_and_players(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = tmp_path / "run.json"
    figures = everywhere.earlier(place)
    assert figures["games"] == 0
    place.write_text(json.dumps(figures | {"games": 500, "broken": [7]}), encoding="utf-8")
    assert everywhere.earlier(place)["games"] == 500
    place.write_text(json.dumps(figures | {"games": 500, "broken": [7], "made_of": "another"}), encoding="utf-8")
    assert everywhere.earlier(place) == figures
    assert "from the first game again" in capsys.readouterr().out
