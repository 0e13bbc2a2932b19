"""What refusals are made with is what is declared of them: where they are made, and as they are sent."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hexholm
from hexholm.host.wire import messages
from hexholm.host.wire.host_refusals import HOST_REFUSALS, Refusal
from hexholm.host.wire.projection import refusals_data
from hexholm.host.wire.reason_values import REASON_VALUES
from hexholm.host.wire.shapes import ColorData
from hexholm.rules.encoding.refusals import REFUSALS, refuse_with
from hexholm.rules.reasons import reason_of
from tests.host.sent_reasons import misfits

HOST = Path(hexholm.__file__).parent / "host"


def made() -> Iterator[tuple[str, set[str]]]:
    """The refusals that the host makes by name, with the names of the values it gives them."""
    for path in sorted(HOST.rglob("*.py")):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match call:
                case ast.Call(func=ast.Attribute(attr="because"), args=[ast.Constant(value=str(why))], keywords=given):
                    yield why, {str(keyword.arg) for keyword in given}


def test_whoever_refuses_gives_the_values_that_are_declared() -> None:
    found = list(made())
    assert len(found) > 60
    assert [(why, given) for why, given in found if given != REASON_VALUES[why].keys()] == []


def test_a_value_is_declared_for_every_reason_there_is() -> None:
    names = {"", "game_stopped", *HOST_REFUSALS, *(refusal.name for refusal in REFUSALS)}
    assert REASON_VALUES.keys() == names


def test_every_refusal_of_the_rules_is_sent_as_declared() -> None:
    options = hexholm.options("fifth")
    for number in range(1, len(REFUSALS)):
        refusal = Refusal.of_rules(reason_of(refuse_with(number, 1), options))
        assert misfits("Refused", refusal.as_wire("1")) == []
        assert misfits("WhyAnswer", refusal.as_why_answer("1")) == []
        assert misfits("Problem", refusal.as_rest().error) == []
        assert misfits("Reason", refusal.as_reason()) == []


def test_every_refusal_of_the_host_is_sent_as_declared() -> None:
    samples: dict[Any, Any] = {
        int: 3, str: "x", tuple[str, ...]: ("easy", "quick"), tuple[ColorData, ...]: ("red", "blue"),
    }  # fmt: skip
    for why in HOST_REFUSALS:
        refusal = Refusal.because(why, **{name: samples[kind] for name, kind in REASON_VALUES[why].items()})
        assert misfits("Refused", refusal.as_wire("1")) == []
        assert misfits("Problem", refusal.as_rest().error) == []


def test_a_reason_with_other_values_does_not_fit() -> None:
    for values in ({}, {"seat": 1}, {"seat": "red", "more": 1}, {"number": 1}):
        assert misfits(
            "Refused", messages.Refused(id=None, code="not_legal", message="no", why="not_your_turn", values=values)
        )
    assert misfits(
        "Refused", messages.Refused(id=None, code="stopped", message="no", why="paused", values={"seat": "red"})
    )
    assert misfits("Refused", messages.Refused(id=None, code="stopped", message="no", why="no_such_reason"))
    assert misfits("Reason", {"rule": "", "message": "no", "why": "paused"})  # a projection says all four


def test_a_game_that_was_stopped_says_so() -> None:
    game = hexholm.Game(seed=1)
    game.stop("agreed")
    reasons = refusals_data(game.view("red"))
    assert reasons["roll"]["why"] == "game_stopped"
    assert misfits("Refusals", reasons) == []
