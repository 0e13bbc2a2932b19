"""Interpreted and compiled are one engine: switching in mid-game changes nothing, byte by byte."""

from __future__ import annotations

import pickle
import random

import pytest

from hexholm.rules.encoding.structs import Belief, OpenOffers, State, View
from hexholm.rules.reasons import IllegalAction
from hexholm.rules.referee import Referee
from hexholm.rules.setup.editions import EDITIONS
from tests.helpers.marks import all_editions
from tests.twin.duel import TEMPERS, Duel


def everything(referee: Referee) -> bytes:
    parts = [referee.state.buffer, referee.open_offers.buffer, referee.belief.buffer]
    parts += [referee.view(seat).buffer for seat in (*range(referee.state.players), None)]
    return b"".join(part.tobytes() for part in parts)


@pytest.mark.parametrize("number", range(8))
def test_switching_mode_in_mid_game_changes_no_byte(number: int) -> None:
    duel = Duel(number)  # only for its options and its policy
    duel.temper = TEMPERS[number]
    game, slow_game = duel.referee, duel.referee.copy()
    slow_game.compiled = False
    rng = random.Random(number)
    for _ in range(160):
        chance = game.chance()
        if chance:
            code = rng.choice(list(chance))
            game.deal(code)
            slow_game.deal(code)
        elif game.winner is None:
            seat = rng.choice(game.to_act())
            assert game.legal(seat) == slow_game.legal(seat)
            text = duel.choose(seat)
            verdicts = game.why_not(seat, text), slow_game.why_not(seat, text)
            assert verdicts[0] == verdicts[1]
            for referee in (game, slow_game):
                try:
                    referee.play(seat, text)
                except IllegalAction:
                    assert verdicts[0] is not None
        if rng.random() < 0.1:
            game.compiled, slow_game.compiled = slow_game.compiled, game.compiled
        assert everything(game) == everything(slow_game)


@pytest.mark.parametrize("struct", [State, OpenOffers, Belief, View])
def test_structs_copy_compare_and_pickle_by_bytes(struct: type[State]) -> None:
    game = Referee.new(edition="fifth")
    value = {State: game.state, OpenOffers: game.open_offers, Belief: game.belief, View: game.view(0)}[struct]
    twin = pickle.loads(pickle.dumps(value))  # noqa: S301  # bytes made one line above
    assert twin == value
    assert value.copy() == value
    twin.buffer[0] ^= 1
    assert twin != value


def test_a_state_is_small() -> None:
    assert State.size <= 1024


def test_a_value_that_does_not_fit_is_noticed_when_interpreted() -> None:
    state = State()
    with pytest.raises(ValueError, match=r"range|format"):
        state.phase = 300


@pytest.mark.rule("EDN-01.e2")
@all_editions
def test_a_state_reloads_with_its_edition(edition: str) -> None:
    state = Referee.new(edition=edition, first=0).state
    again = pickle.loads(pickle.dumps(state))  # noqa: S301  # bytes made here
    assert EDITIONS[again.edition] == edition
