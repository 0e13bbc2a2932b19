"""Compiled or interpreted: what decides it, when games change over, and what is made ready by using it once."""

from __future__ import annotations

import pytest

from hexholm.game.game import Game
from hexholm.rules.compilation import mode
from hexholm.rules.core import entry_points
from hexholm.rules.perft import perft
from hexholm.rules.referee import Referee
from hexholm.rules.simulate import Simulation

Used = list[tuple[str, bool | None]]


@pytest.fixture
def used(monkeypatch: pytest.MonkeyPatch) -> Used:
    """What was used once, and how, instead of the parts there are; thirty interpreted actions are many."""
    uses: Used = []
    monkeypatch.delenv(mode.INTERPRETED_VARIABLE, raising=False)
    monkeypatch.setattr(mode, "COMPILE_AFTER", 30)
    monkeypatch.setattr(mode, "_parts", {})
    for name, value in {
        "interpreted_actions": 0,
        "rules_ready": False,
        "compiles_elsewhere": False,
        "ready_kernels": set(),
    }.items():
        monkeypatch.setattr(mode.process_mode, name, value)
    for part in ("rules", "game", "player:hard"):
        mode.register(part, lambda compiled, part=part: uses.append((part, compiled)), entry_points.ENTRY_NAMES)  # type: ignore[misc]
    return uses


def play(steps: int) -> None:
    game = Game(seed=3, compiled=False)
    for _ in range(steps):
        game.play(game.legal_actions.texts[0])


# --- the questions ----------------------------------------------------------------------------------------------------


def test_the_variable_answers_for_everybody_who_has_not_said_what_it_wants(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(mode.INTERPRETED_VARIABLE, "1")
    monkeypatch.setattr(mode.process_mode, "rules_ready", True)
    monkeypatch.setattr(mode.process_mode, "ready_kernels", {frozenset({"bot_weigh"})})
    monkeypatch.setattr("hexholm.rules.perft.fast", None)  # nobody may ask for the compiler
    assert not mode.may_compile(None)
    assert not mode.runs_compiled(None)
    assert not mode.are_ready(frozenset({"bot_weigh"}))
    assert not mode.make_ready(frozenset({"bot_weigh"}), lambda: pytest.fail("it was compiled"))
    referee = Referee.new(edition="fifth", setup="fixed")
    assert not referee.compiled
    assert not Simulation(referee.options, 0).compiled
    assert perft(referee.state, 1) == (1, 0)
    assert mode.may_compile(True)
    assert mode.runs_compiled(True)


def test_where_many_games_are_played_the_rules_are_compiled_and_where_one_is_only_if_they_are_ready(used: Used) -> None:
    assert mode.may_compile(None)
    assert not mode.may_compile(False)
    assert not mode.runs_compiled(None)
    assert mode.runs_compiled(True)


def test_rules_that_are_compiled_half_way_are_not_taken_for_ready(used: Used, monkeypatch: pytest.MonkeyPatch) -> None:
    """A compiler was stopped: whoever comes next must not compile the rest while people wait."""
    assert all(callable(getattr(entry_points, name, None)) for name in entry_points.ENTRY_NAMES)
    for missing in entry_points.ENTRY_NAMES:
        monkeypatch.setattr(mode, "is_warm", lambda name, missing=missing: name != missing)
        mode.reset_readiness()
        assert not mode.runs_compiled(None)
        assert not mode.are_ready(frozenset(entry_points.ENTRY_NAMES))
    monkeypatch.setattr(mode, "is_warm", lambda _: True)
    mode.reset_readiness()
    assert mode.runs_compiled(None)
    assert mode.are_ready(frozenset(entry_points.ENTRY_NAMES))


def test_kernels_of_a_player_are_compiled_by_using_them_but_not_where_others_wait(
    used: Used, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mode, "is_warm", lambda _: False)
    kernels, times = frozenset({"bot_decide"}), list[str]()
    assert mode.make_ready(kernels, lambda: times.append("now"))
    assert mode.make_ready(kernels, lambda: times.append("again"))
    mode.compile_elsewhere()
    assert not mode.make_ready(frozenset({"bot_try_with_trade"}), lambda: times.append("here"))
    assert times == ["now"]


# --- patience ---------------------------------------------------------------------------------------------------------


def test_after_many_interpreted_actions_the_rules_are_compiled_once(used: Used) -> None:
    play(2)
    assert used == []
    play(40)
    assert used == [("rules", True)]


def test_a_process_that_others_wait_for_never_stops_to_compile(used: Used) -> None:
    mode.compile_elsewhere()
    play(40)
    assert used == []


# --- parts ------------------------------------------------------------------------------------------------------------


def test_parts_are_used_in_the_order_asked_for_and_each_is_told_with_its_time(used: Used) -> None:
    names: list[str] = []
    mode.use_once(["player:hard", "rules"], compiled=True, tell=lambda name, _: names.append(name))
    assert used == [("player:hard", True), ("rules", True)]
    assert names == ["player:hard", "rules"]
    assert mode.part_names() == ("rules", "game", "player:hard")


def test_what_was_compiled_is_looked_for_again_and_what_was_only_used_is_not(used: Used) -> None:
    mode.use_once(["game"])
    assert used == [("game", None)]
    assert mode.process_mode.rules_ready is False
    mode.use_once(["game"], compiled=True)
    assert mode.process_mode.rules_ready is None


def test_a_part_that_nobody_registered_is_no_part(used: Used) -> None:
    with pytest.raises(KeyError, match="player:nobody"):
        mode.use_once(["player:nobody"])
