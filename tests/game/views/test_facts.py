"""Facts that are read at one go are those of the record, and short cuts lead where the long way does."""

from __future__ import annotations

import contextlib
import pickle
import random
from collections.abc import Iterator

import pytest

import hexholm
from hexholm.game.views.cached_property import once
from hexholm.game.views.facts import Facts, Offered, Standing, facts_of, offered, standing
from hexholm.rules.compiled import Record
from hexholm.rules.core.encoding.structs import Sight
from hexholm.rules.errors import BadInput

RESOURCES = ("brick", "lumber", "wool", "grain", "ore")


def moments(edition: str, seed: int, steps: int) -> Iterator[hexholm.Game]:
    """A random game with many offers, after every step."""
    game, pick = hexholm.Game(edition=edition, seed=seed), random.Random(seed)
    for _ in range(steps):
        if game.over:
            return
        who = pick.choice(game.to_act)
        texts = game.view(who).legal_actions.texts
        give, want = pick.sample(RESOURCES, 2)
        others = [color for color in game.colors if color != who]
        offer = f"offer 1 {give} : 1 {want} to {' '.join(pick.sample(others, pick.randint(1, len(others))))}"
        if pick.random() < 0.4 and game.why_not(offer, by=who) is None:
            texts = [offer]
        with contextlib.suppress(hexholm.IllegalAction):  # the partner no longer holds the cards
            game.play(pick.choice(texts), by=who)
        yield game


def same(found: Facts | Standing | Offered, record: Record) -> None:
    for name, value in found._asdict().items():
        field = getattr(record, name)
        assert value == (field if isinstance(field, int) else tuple(field)), name


@pytest.mark.parametrize("edition", ["zip", "sixth", "fifth"])
def test_all_facts_are_those_of_the_record(edition: str) -> None:
    for game in moments(edition, 4, 150):
        same(standing(game.referee.state), game.referee.state)
        same(offered(game.referee.talk), game.referee.talk)
        for eyes in (*game.colors, None):
            view = game.view(eyes)
            same(facts_of(view.raw), view.raw)
            same(standing(view.raw), view.raw)
            assert view.raw_talk() == game.referee.talk


@pytest.mark.rule("INFO-01")
@pytest.mark.parametrize("compiled", [True, False])
def test_a_glance_is_the_beginning_of_a_view_and_no_more(compiled: bool) -> None:
    for game in moments("sixth", 5, 150 if compiled else 20):
        game.referee.compiled = compiled
        for eyes in (*game.colors, None):
            view, glance = game.view(eyes), game.glance(eyes)
            assert glance.seen.buffer.tobytes() == view.raw.buffer[: Sight.size].tobytes()
            assert glance.legal_actions.texts == view.legal_actions.texts
            assert (glance.question, glance.hindrances) == (view.question, view.hindrances)


def test_a_glance_says_that_it_knows_no_odds() -> None:
    game = hexholm.Game(seed=1)
    glance = game.glance("red")
    assert glance.svg() == game.view("red").svg()
    assert glance.text(belief=False) == game.view("red").text(belief=False)
    for ask in (lambda: glance.ranges("blue"), lambda: glance.exact, lambda: glance.sample(1), lambda: str(glance.raw)):
        with pytest.raises(BadInput, match="a glance knows no odds: ask"):
            ask()


@pytest.mark.parametrize("edition", ["zip", "sixth", "fifth", "threed", "summary"])
def test_who_is_asked_nothing_and_offered_nothing_has_nothing_to_do(edition: str) -> None:
    empty = 0
    for game in moments(edition, 9, 250):
        for seat, color in enumerate(game.colors):
            view = game.view(color)
            assert view.legal_actions.codes == view._stand_in.legal(seat)
            empty += not view.legal_actions
    assert empty


def test_a_copy_on_which_something_was_tried_can_become_the_game() -> None:
    game = hexholm.Game(edition="fifth", setup="fixed", seed=3)
    trial = game.copy()
    trial.play("roll")
    expected, before = pickle.loads(pickle.dumps(trial)), game.step_count  # noqa: S301
    game.become(trial)
    assert game == expected
    assert game.view("blue") == expected.view("blue")
    assert game.step_count == len(game.steps) > before
    game.undo()
    assert game.step_count == before


def test_what_was_tried_can_be_repeated_and_is_then_as_if_it_had_been_played() -> None:
    pick, game = random.Random(8), hexholm.Game(edition="fifth", seed=8)
    while game.step_count < 150:
        whole, before, trial = game.copy(), game.position(), game.trial()
        action = pick.choice(game.legal_actions)
        whole.play(action)
        trial.play(action)
        assert game.position() == before != trial.position() == whole.position()
        game.repeat(trial.steps)
        assert game == whole
        assert [game.view(eyes) for eyes in (*game.colors, None)] == [whole.view(eyes) for eyes in (*game.colors, None)]
    game.undo()


def test_what_cannot_be_done_leaves_a_trial_as_it_was() -> None:
    trial = hexholm.Game(edition="fifth", setup="fixed", seed=3).trial()
    before = trial.position()
    with pytest.raises(hexholm.IllegalAction):
        trial.play("city A1n")
    assert (trial.position(), trial.steps) == (before, ())


@pytest.mark.rule("INFO-01")
def test_nobody_looks_through_a_trial_at_the_cards_of_others() -> None:
    trial = hexholm.Game(edition="fifth", setup="fixed", seed=3).trial()
    trial.play("roll")
    for ask in (lambda: trial.view("red"), lambda: trial.copy().view("red"), trial.undo):
        with pytest.raises(BadInput, match="only a trial of an action; ask the game itself"):
            ask()


def test_equal_options_are_one_object() -> None:
    assert hexholm.options(edition="fifth", hand_limit=9) is hexholm.options(edition="fifth", hand_limit=9)
    assert hexholm.options(edition="fifth") is not hexholm.options(edition="fifth", hand_limit=9)


def test_what_is_worked_out_once_is_worked_out_once() -> None:
    class Thing:
        calls = 0

        @once
        def value(self) -> int:
            """A number."""
            self.calls += 1
            return 7

    thing = Thing()
    assert (thing.value, thing.value, thing.calls) == (7, 7, 1)
    assert Thing.value.__doc__ == "A number."
