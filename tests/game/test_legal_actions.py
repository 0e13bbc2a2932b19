"""LegalActions: a sequence that reads well."""

from __future__ import annotations

import pickle
import random

import pytest

from hexholm.game.action import Action
from hexholm.game.legal_actions import LegalActions
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.errors import BadInput
from hexholm.rules.notation import UnreadableAction
from hexholm.rules.referee import Referee

COLORS = ("red", "blue", "white")


def opening() -> LegalActions:
    game = Referee.new(edition="fifth", setup="variable", first=0)
    return LegalActions(game.colors, {0: game.legal(0)})


def answers() -> LegalActions:
    accept, reject = act.simple_action(act.ACCEPT, 0), act.simple_action(act.REJECT, 0)
    return LegalActions(COLORS, {1: [accept, reject], 0: [act.END], 2: []})


def test_it_shows_the_first_ones_and_the_last() -> None:
    assert repr(opening()) == "<54 actions: settlement A1n, settlement A1ne, settlement A1se, ... settlement E3s>"
    assert repr(answers()) == "<3 actions: red: end; blue: accept #1, reject #1>"
    assert repr(LegalActions(COLORS, {2: [act.ROLL]})) == "<1 action: roll>"
    assert repr(LegalActions(COLORS, {2: []})) == "<no actions>"


@pytest.mark.parametrize("n", [3, 4, 5])
def test_nothing_is_said_to_be_left_out_that_is_shown(n: int) -> None:
    text = repr(LegalActions(COLORS, {0: [act.simple_action(act.MONOPOLY_CARD, kind) for kind in range(n)]}))
    assert text.count("monopoly") == min(n, 4)
    assert ("..." in text) == (n > 4)


def test_it_is_a_sequence_of_actions() -> None:
    actions = opening()
    assert len(actions) == len(list(actions)) == 54
    assert actions[0] == Action.of("red settlement A1n")
    assert actions[-1].text == "settlement E3s"
    assert [str(action) for action in actions[2:4]] == ["settlement A1se", "settlement A1s"]
    assert random.Random(1).choice(actions) in actions
    assert [action.code(COLORS) for action in actions] == actions.codes
    with pytest.raises(IndexError):
        actions[54]
    assert not LegalActions(COLORS, {})


def test_seats_come_in_their_order_and_can_be_told_apart() -> None:
    actions = answers()
    assert [(action.by, action.text) for action in actions] == [
        ("red", "end"),
        ("blue", "accept #1"),
        ("blue", "reject #1"),
    ]
    assert actions.players == ("red", "blue")
    assert actions.of("blue").texts == ["accept #1", "reject #1"]
    assert actions.of("white").codes == []
    assert actions.pairs[0] == (0, act.END)
    assert {action.by for action in actions[1:]} == {"blue"}
    with pytest.raises(BadInput, match="nobody plays 'pink'; the players are red, blue, white"):
        actions.of("pink")


def test_an_action_a_text_or_a_code_can_be_looked_up() -> None:
    actions = answers()
    for listed in ("end", "END", "red end", "red: end", "accept #1", "blue accept 1", act.END, Action.of("end")):
        assert listed in actions
    for other in ("roll", "blue end", "red: accept #1", act.ROLL, Action.of("blue end"), None, 1.5):
        assert other not in actions
    assert Action.of("steal green") not in actions  # nobody here


def test_a_slip_of_the_pen_is_not_an_action_that_is_not_legal() -> None:
    with pytest.raises(UnreadableAction, match="setlement"):
        _ = "setlement A1n" in opening()


def test_equal_lists_are_equal() -> None:
    assert opening() == opening()
    assert hash(opening()) == hash(opening())
    assert opening() != opening()[:53]
    assert opening() != opening().codes
    assert pickle.loads(pickle.dumps(answers())) == answers()  # noqa: S301  # our own bytes
