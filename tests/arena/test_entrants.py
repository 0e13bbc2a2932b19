"""Entrants: who can take part, in words, in files, and who is refused."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from hexholm.arena import tournament
from hexholm.arena.entrants import entrant, entrants, load_factory
from hexholm.arena.runners.base import Serial
from hexholm.arena.runners.processes import Pool
from hexholm.bots.program import ProgramKind
from hexholm.bots.protocol import Effort
from hexholm.rules.errors import BadInput
from tests.arena import players as odd
from tests.arena.scenes import TO_THREE_POINTS


def test_entrants_are_said_in_words() -> None:
    assert entrant("easy").label == "easy"
    mine = entrant("tests.arena.players:Slow")
    assert mine.label == "Slow"
    assert entrant("easy@400").effort == Effort(steps=400)
    assert entrant("easy@1.5s").label == "easy@1.5s"
    names = [entry.label for entry in entrants([odd.Slow, "tests.arena.players:Slow", odd.Slow])]
    assert names == ["Slow", "Slow-2", "Slow"]


def test_entrants_that_cannot_play_are_refused_with_a_word(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="there is no player 'grandma'; there are random, easy"):
        entrant("grandma")
    with pytest.raises(BadInput, match=r"did you mean medium\?$"):
        entrant("Meduim@2s")
    with pytest.raises(BadInput, match="easy has no effort to choose; leave @400 out"):
        tournament(["easy@400", "random", "random"], games=1, **TO_THREE_POINTS)
    with pytest.raises(BadInput, match=r"there is no file nowhere\.py"):
        tournament(["nowhere.py:Mine", "random", "random"], games=1, **TO_THREE_POINTS)
    with pytest.raises(BadInput, match="there is no module 'nowhere_at_all'"):
        tournament(["nowhere_at_all:Mine", "random", "random"], games=1, **TO_THREE_POINTS)
    with pytest.raises(BadInput, match="no class or function 'Nobody' in tests"):
        tournament(["tests.arena.players:Nobody", "random", "random"], games=1, **TO_THREE_POINTS)
    broken = tmp_path / "broken.py"
    broken.write_text("1 / 0\n")
    with pytest.raises(BadInput, match=r"cannot be loaded: ZeroDivisionError: .* \(broken\.py, line 1\)$"):
        tournament([f"{broken}:Mine", "random", "random"], games=1, **TO_THREE_POINTS)
    broken.write_text("raise GeneratorExit\n")
    load_factory.cache_clear()
    with pytest.raises(BadInput, match=r"cannot be loaded: GeneratorExit \(broken\.py, line 1\)$"):
        tournament([f"{broken}:Mine", "random", "random"], games=1, **TO_THREE_POINTS)
    with pytest.raises(BadInput, match="it has no method choose"):
        tournament([lambda seed: seed, "random", "random"], games=1, **TO_THREE_POINTS)
    with pytest.raises(
        BadInput,
        match=r"Impossible cannot be made: Impossible\(seed=0\) raised ZeroDivisionError: 0 \(players.py, line",
    ):
        tournament([odd.Impossible, "random", "random"], games=1, **TO_THREE_POINTS)  # type: ignore[list-item]
    with pytest.raises(
        BadInput, match=r"Elusive cannot be made: Elusive\(seed=0\) raised CancelledError \(players.py, line"
    ):
        tournament([odd.Elusive, "random", "random"], games=1, **TO_THREE_POINTS)  # type: ignore[list-item]
    with pytest.raises(BadInput, match="the schedule says who begins"):
        tournament(["easy", "random", "random"], games=1, first=0)
    for games in (0, -1):
        with pytest.raises(BadInput, match=f"games {games}: choose 1 to"):
            tournament(["easy", "random", "random"], games=games)


def test_a_player_in_a_file_takes_part(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "class Mine:\n    def __init__(self, seed): pass\n    def choose(self, view): return view.legal_actions[0]\n"
    )
    result = tournament([f"{file}:Mine", "random", "random"], games=3, **TO_THREE_POINTS)
    assert result.row("Mine").seat_games == 3
    assert result.row("Mine").faults == {}


def test_a_file_is_the_same_by_whichever_path_from_here() -> None:
    assert [entry.label for entry in entrants(["./mine.py:Mine", "mine.py:Mine", "x.py:Mine"])] == [
        "Mine",
        "Mine",
        "Mine-2",
    ]


def test_names_are_read_in_any_letters() -> None:
    assert entrant("Hard@2s") == entrant("hard@2s")
    mine = ProgramKind("Mine", ("mine",))
    assert entrant("MINE", {"Mine": mine}) == entrant("Mine", {"Mine": mine})


@pytest.mark.parametrize("runner", [Serial(), Pool(2)], ids=["serial", "pool"])
def test_a_player_in_a_file_can_import_what_stands_beside_it_but_hides_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, runner: Serial | Pool
) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])
    beside = f"beside_{runner.name}"
    (tmp_path / f"{beside}.py").write_text(
        "class Mine:\n    def __init__(self, seed): pass\n    def choose(self, view): return view.legal_actions[0]\n"
    )
    for name in ("colorsys", "hexholm"):
        (tmp_path / f"{name}.py").write_text("raise ImportError('the wrong one')\n")
    file = tmp_path / "other.py"
    file.write_text(f"import colorsys\nimport hexholm.rules\nfrom {beside} import Mine\nclass Other(Mine): pass\n")
    result = tournament([f"{file}:Other", "random", "random"], games=3, runner=runner, **TO_THREE_POINTS)
    assert result.row("Other").faults == {}
