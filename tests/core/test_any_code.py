"""Any number at all as an action, from any seat, in any phase: a verdict, never a crash, and nothing changes."""

from __future__ import annotations

import random
from typing import Any

import pytest

from hexholm.rules.compilation.kernels import fast
from hexholm.rules.core import entry_points
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.encoding.action_numbers import ALL_ACTIONS, code_of_number
from hexholm.rules.encoding.phases import ALLOWED_KINDS, PHASES
from hexholm.rules.encoding.refusals import LEGAL, REFUSALS, refusal_of
from hexholm.rules.encoding.structs import OpenOffers
from hexholm.rules.errors import BadInput
from hexholm.rules.referee import Referee
from tests.helpers.random_play import random_code, walk
from tests.twin.duel import Duel

WALK = 420


@pytest.mark.rule("PHASE-13", "PHASE-13.e1")
@pytest.mark.parametrize("number", range(6))
def test_any_code_gets_the_same_verdict_at_both_speeds_and_changes_nothing(number: int) -> None:
    duel = Duel(number, compiled=True)
    game, rng = duel.referee, random.Random(number)
    quick = fast()
    legal = refused = 0
    for _ in range(WALK):
        if game.winner is not None:
            break
        # room behind the offers, so that a write beside them is seen
        open_offers = game.open_offers.buffer
        before = game.state.buffer.tobytes(), open_offers.tobytes()
        for _ in range(12):
            seat, code = rng.randint(-2, 5), random_code(rng, rng.randrange(32))
            if 0 <= seat < game.state.players and rng.random() < 0.4 and (codes := game.legal(seat)):
                code = rng.choice(codes) ^ rng.choice((0, 0, 1 << rng.randrange(63)))  # a legal one, or nearly
            verdicts = {core.do_judge(game.state.buffer, open_offers, seat, code) for core in (quick, entry_points)}
            assert len(verdicts) == 1
            verdict = verdicts.pop()
            assert 0 <= refusal_of(verdict) < len(REFUSALS)
            if verdict == LEGAL:
                legal += 1
                assert game.action_code(game.action_text(code)) == code  # every action has one code
                copy = game.copy()
                guard = OpenOffers()
                guard.buffer[:] = open_offers
                copy.open_offers = guard
                if seat >= 0:
                    copy.play(seat, code)
            else:
                refused += 1
        assert (game.state.buffer.tobytes(), open_offers.tobytes()) == before
        duel.step()
    assert legal > 20
    assert refused > 1000


@pytest.mark.rule("PHASE-13")
def test_an_offer_number_beyond_the_eighth_is_no_offer() -> None:
    game = Referee.new(edition="sixth", setup="fixed", first=0)
    game.play(0, "roll")
    game.deal("dice 1 1")
    for kind in (act.ACCEPT, act.REJECT, act.WITHDRAW):
        for slot in (8, 9, 40):
            reason = game.why_not(1, act.simple_action(kind, slot))
            assert reason is not None
            assert reason.name == "unknown"
    reason = game.why_not(1, act.counter_action(1, 1 << 8, 9))
    assert reason is not None
    assert reason.name == "unknown"


@pytest.mark.parametrize("seat", [-1, 4, 7, "pink", None, 1.5])
def test_a_seat_that_is_not_there_is_told(seat: Any) -> None:
    game = Referee.new(edition="fifth")
    for ask in (game.legal, game.hand, game.development, game.points):
        with pytest.raises(BadInput, match="nobody plays"):
            ask(seat)
    with pytest.raises(BadInput, match="nobody plays"):
        game.play(seat, "roll")


def test_three_seats_have_no_fourth_view() -> None:
    with pytest.raises(BadInput, match="nobody plays"):
        Referee.new(edition="fifth", players=3).view(3)


@pytest.mark.no_cover  # tracing made it the longest of all tests, and others trace the same lines
def test_the_list_holds_just_the_kinds_of_the_phase_table() -> None:
    """The list of legal actions is made by hand for speed; the table of phases is what it must follow."""
    listed_kinds: dict[int, set[int]] = {phase.id: set() for phase in PHASES}
    never_listed = {act.DICE, act.STOLEN, act.DRAWN, act.OFFER, act.COUNTER, act.DISCARD_CARD}
    table_kinds = {phase.id: set(phase.kinds) - never_listed for phase in PHASES}
    for number in range(60):
        for duel in walk(number, 900):
            game = duel.referee
            for seat in range(game.state.players):
                kinds = {act.kind_of(code) for code in game.legal(seat)}
                assert all((ALLOWED_KINDS[game.state.phase] >> kind) & 1 for kind in kinds), game.phase
                listed_kinds[game.state.phase] |= kinds
        if listed_kinds == table_kinds:
            break
    assert listed_kinds == table_kinds


def test_an_offer_to_some_is_not_the_menus_offer_to_all() -> None:
    game = Referee.new(edition="fifth", first=0)
    to_all = act.offer_action(1, 1 << 8, 0b1110)
    to_one = act.offer_action(1, 1 << 8, 0b0010)
    codes = {code_of_number(game.state, 0, number) for number in range(ALL_ACTIONS)}
    assert to_all in codes
    assert to_one not in codes
