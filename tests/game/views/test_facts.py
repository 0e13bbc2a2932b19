"""Facts that are read at one go are those of the struct, and short cuts lead where the long way does."""

from __future__ import annotations

import pytest

import hexholm
from hexholm.game.facts import Facts, OfferFacts, PositionFacts, facts_of, offer_facts_of, position_facts_of
from hexholm.game.views.cached_property import cached_property
from hexholm.rules.compilation.kernels import Struct
from hexholm.rules.encoding.structs import Sight
from hexholm.rules.errors import BadInput
from tests.helpers.marks import all_editions
from tests.helpers.random_play import trading_game

RESOURCES = ("brick", "lumber", "wool", "grain", "ore")


def same(facts: Facts | PositionFacts | OfferFacts, struct: Struct) -> None:
    for name, value in facts._asdict().items():
        field = getattr(struct, name)
        assert value == (field if isinstance(field, int) else tuple(field)), name


@pytest.mark.parametrize("edition", ["zip", "sixth", "fifth"])
def test_all_facts_are_those_of_the_struct(edition: str) -> None:
    for game in trading_game(edition, 4, 150):
        same(position_facts_of(game.referee.state), game.referee.state)
        same(offer_facts_of(game.referee.open_offers), game.referee.open_offers)
        for eyes in (*game.colors, None):
            view = game.view(eyes)
            same(facts_of(view.raw), view.raw)
            same(position_facts_of(view.raw), view.raw)
            assert view.raw_open_offers() == game.referee.open_offers


@pytest.mark.rule("INFO-01")
@pytest.mark.parametrize("compiled", [True, False])
def test_a_glance_is_the_beginning_of_a_view_and_no_more(compiled: bool) -> None:
    for game in trading_game("sixth", 5, 150 if compiled else 20):
        game.referee.compiled = compiled
        for eyes in (*game.colors, None):
            view, glance = game.view(eyes), game.glance(eyes)
            assert glance.seen.buffer.tobytes() == view.raw.buffer[: Sight.size].tobytes()
            assert glance.legal_actions.texts == view.legal_actions.texts
            assert (glance.current_prompt, glance.hindrances) == (view.current_prompt, view.hindrances)


def test_a_glance_says_that_it_knows_no_odds() -> None:
    game = hexholm.Game(seed=1)
    glance = game.glance("red")
    assert glance.svg() == game.view("red").svg()
    assert glance.text(belief=False) == game.view("red").text(belief=False)
    for ask in (lambda: glance.ranges("blue"), lambda: glance.exact, lambda: glance.sample(1), lambda: str(glance.raw)):
        with pytest.raises(BadInput, match="a glance knows no odds: ask"):
            ask()


@all_editions
def test_who_is_asked_nothing_and_offered_nothing_has_nothing_to_do(edition: str) -> None:
    empty = 0
    for game in trading_game(edition, 9, 250):
        for seat, color in enumerate(game.colors):
            view = game.view(color)
            assert view.legal_actions.codes == view._referee.legal(seat)
            empty += not view.legal_actions
    assert empty


def test_equal_options_are_one_object() -> None:
    assert hexholm.options(edition="fifth", hand_limit=9) is hexholm.options(edition="fifth", hand_limit=9)
    assert hexholm.options(edition="fifth") is not hexholm.options(edition="fifth", hand_limit=9)


def test_what_is_worked_out_once_is_worked_out_once() -> None:
    class Thing:
        calls = 0

        @cached_property
        def value(self) -> int:
            """A number."""
            self.calls += 1
            return 7

    thing = Thing()
    assert (thing.value, thing.value, thing.calls) == (7, 7, 1)
    assert Thing.value.__doc__ == "A number."
