"""Stepping through a game: every moment is the game as it was then, for all eyes, in any order."""

from __future__ import annotations

import json
import random

import pytest

from hexholm.game import events as e
from hexholm.game.dealers import ByHand, Seeded
from hexholm.game.game import Game, Record
from hexholm.game.record_format.steps import BadRecord
from hexholm.game.records.timeline import REFEREE, Timeline, Turn
from hexholm.rules.encoding.structs import NATURE
from hexholm.rules.errors import BadInput
from tests.helpers.speed import COMPILED

from .sample_records import random_game, simulated_record

START = "setup=variable players=red,blue,white turn=red phase=main turn-number=4 dice=2+2 red:hand=2brick,2lumber"


def game_of(kind: str) -> Game:
    """A game of each kind: how it begins, whether there are offers and discards, how it ends."""
    match kind:
        case "rolled for, with offers":
            return random_game(16, 400)
        case "stopped while discarding":
            return next(game for steps in range(150, 400) if (game := random_game(3, steps)).phase == "discard")
        case "fixed and won":
            game = simulated_record(3, edition="fifth", setup="fixed", points_to_win=4).game(compiled=COMPILED)
            assert game.winner is not None
            return game
        case "two players and cut":
            game = random_game(2, 300)
            game.comment("the last word")
            game.stop("agreed", "it is late")
            return game
        case "zip":
            return simulated_record(5, edition="zip", setup="variable", points_to_win=5).game(compiled=COMPILED)
        case "set up by hand":
            game = Game.from_position(f"{START} blue:settlements=B2n", dealer=Seeded(4), compiled=COMPILED)
            for action in ("red offer 1 brick : 1 ore to blue", "end", "roll"):
                game.play(action)
            return game
        case _:
            return Game("sixth", setup="variable", first="red", seed=1, compiled=COMPILED)


KINDS = (
    *("rolled for, with offers", "stopped while discarding", "fixed and won", "two players and cut", "zip"),
    *("set up by hand", "only begun"),
)


def step_by_step(game: Game) -> list[Game]:
    """The same game played again by itself, at every moment."""
    start = game.history.start
    if start is None:
        again = Game.unplayed(game.options, game.layout, names=game.names, compiled=COMPILED)
    else:
        again = Game.from_position(START + " blue:settlements=B2n", compiled=COMPILED)
    moments = [again.copy()]
    for at, step in enumerate(game.steps, 1):
        again.repeat([step])
        for remark in game.comments.get(at, ()):
            again.comment(remark)
        moments.append(again.copy())
    if game.result is not None and game.result.how != "won":
        moments[-1].stop(game.result.how, game.result.note)
    return moments


@pytest.mark.parametrize("kind", KINDS)
def test_every_moment_is_the_game_as_it_was_then(kind: str) -> None:
    game = game_of(kind)
    timeline, moments = Timeline(game), step_by_step(game)
    assert timeline.count == len(game.steps) == len(moments) - 1
    order = list(range(timeline.count + 1))
    random.Random(kind).shuffle(order)
    for step in order if COMPILED else [*order[:12], 0, timeline.count]:
        recorded, game_at_step = moments[step], timeline.at(step)
        assert game_at_step == recorded
        assert game_at_step.comments == recorded.comments
        assert game_at_step.referee.belief.worlds[0] == recorded.referee.belief.worlds[0]
        for eyes in (*game.colors, None):
            assert timeline.view(step, eyes) == recorded.view(eyes), (step, eyes)
        truth = timeline.truth(step)
        for seat, color in enumerate(game.colors):
            holding = truth.players[color]
            assert dict(holding.hand) == recorded.referee.hand(seat)
            assert dict(holding.development) == recorded.referee.development(seat)
            assert holding.points == recorded.points[seat]
            assert holding.new_development.lanes == (
                recorded.referee.state.new_cards if color == recorded.active else 0
            )
            assert holding.chosen_discard.lanes == recorded.referee.state.discards[seat]
        assert dict(truth.supply) == recorded.referee.supply()
        assert truth.deck.lanes == recorded.referee.state.deck
    for step, recorded in enumerate(moments):
        assert tuple(points[step] for points in timeline.points.values()) == recorded.points
        seen = tuple(recorded.referee.points(seat) for seat in range(len(game.colors)))
        assert tuple(points[step] for points in timeline.visible.values()) == seen


@pytest.mark.parametrize("kind", KINDS)
def test_the_faces_of_all_steps_are_the_faces_of_the_game(kind: str) -> None:
    game = game_of(kind)
    timeline = Timeline(game)
    for eyes in (*game.colors, None):
        faces = [face for step in range(timeline.count + 1) for face in timeline.faces(step, eyes)]
        assert faces == game.events.seen_by(eyes)
    assert [event for step in range(timeline.count + 1) for event in timeline.faces(step, REFEREE)] == list(game.events)
    for step, then in enumerate(step_by_step(game)[1:-1], 1):
        assert timeline.faces(step, REFEREE) == then.events_since(step - 1).events


def test_the_beginning_and_the_cut_have_their_step() -> None:
    cut, begun, by_hand = (Timeline(game_of(kind)) for kind in (KINDS[3], KINDS[6], KINDS[5]))
    assert cut.faces(cut.count, None)[-1] == e.Stopped("agreed", "it is late")
    assert cut.view(cut.count, "blue" if "blue" in cut.colors else cut.colors[0]).stopped == "agreed"
    assert cut.view(cut.count - 1, None).stopped is None
    assert cut.at(cut.count - 1).result is None
    assert begun.count == 0
    assert isinstance(begun.faces(0, "red")[0], e.GameBegan)
    assert by_hand.faces(0, REFEREE) == ()


@pytest.mark.parametrize("kind", KINDS)
def test_turns_begin_where_the_events_say_so(kind: str) -> None:
    timeline = Timeline(game_of(kind))
    lines = [
        Turn(event.number, step, event.player)
        for step in range(timeline.count + 1)
        for event in timeline.faces(step, None)
        if isinstance(event, e.TurnBegan)
    ]
    turns = list(timeline.turns)
    if kind == "set up by hand":
        assert turns.pop(0) == Turn(4, 0, "red")
    elif timeline.options.setup == "variable":
        assert turns.pop(0) == Turn(0, 0, None)
    assert turns == lines
    assert all(timeline.at(turn.step).turn == turn.turn for turn in timeline.turns[:5])


def test_a_record_opens_as_its_game() -> None:
    game = game_of(KINDS[0])
    record = Record.read(game.record().text(), check=False)
    timeline, other_timeline = Timeline(record, compiled=COMPILED), Timeline(game)
    assert (timeline.count, timeline.points, timeline.turns, timeline.names) == (
        other_timeline.count,
        other_timeline.points,
        other_timeline.turns,
        other_timeline.names,
    )
    assert timeline.view(77, "red") == other_timeline.view(77, "red")
    assert timeline.at(200) == other_timeline.at(200)


def test_a_replay_stays_as_it_was_made() -> None:
    game = Game("fifth", setup="fixed", seed=7, compiled=COMPILED)
    timeline = Timeline(game)
    game.play("roll")
    assert timeline.count == 0
    again = Timeline(game)
    branch = again.at(1)
    branch.deal("dice 1 1")
    branch.comment("another way")
    assert again.faces(2, None)[0] == e.Rolled("red", (3, 3), 6)
    assert again.at(2) == game
    assert again.at(2).comments == {}


def test_a_moment_can_be_played_on_with_the_dice_of_the_game() -> None:
    game = Game("fifth", setup="fixed", seed=7, compiled=COMPILED)
    for _ in range(40):
        game.play(game.legal_actions[-1])
    timeline = Timeline(game)
    for step in range(0, timeline.count, 7):
        seat, code = game.steps[step]
        if seat == NATURE:
            continue
        branch = timeline.at(step)
        branch.play(code, by=seat)
        assert branch.steps == game.steps[: len(branch.steps)]


@pytest.mark.rule("INFO-07", "INFO-03")
def test_a_seat_sees_in_a_replay_no_more_than_it_saw_then() -> None:
    game = Game.from_position(
        "setup=variable players=red,blue,white turn=red phase=main dice=2+2"
        " red:hand=1wool,1grain,1ore red:settlements=A1n blue:settlements=C3n",
        dealer=ByHand(),
        compiled=COMPILED,
    )
    game.play("buy")
    game.deal("drawn knight")
    timeline = Timeline(game)
    assert timeline.faces(2, "red") == timeline.faces(2, REFEREE) == (e.Drew("red", "knight"),)
    assert timeline.faces(2, "blue") == timeline.faces(2, None) == (e.Drew("red", None),)
    assert timeline.view(2, "blue").development_count("red") == 1
    assert not timeline.view(2, "blue").development
    truth = timeline.truth(2).as_dict()
    assert truth["players"]["red"] == {
        "hand": {},
        "cards": {"knight": 1},
        "new": {"knight": 1},
        "chosen": {},
        "points": 1,
    }
    assert json.loads(json.dumps(truth)) == truth


def test_what_is_asked_wrongly_is_said() -> None:
    game = Game("fifth", setup="fixed", seed=7, compiled=COMPILED)
    game.play("roll")
    timeline = Timeline(game)
    for step in (-1, 3, True, 1.0, "2"):
        for ask in (timeline.at, timeline.truth, timeline.state):
            with pytest.raises(BadInput, match="give a whole number from 0 to 2"):
                ask(step)  # type: ignore[arg-type]
        with pytest.raises(BadInput, match="give a whole number from 0 to 2"):
            timeline.view(step, None)  # type: ignore[arg-type]
        with pytest.raises(BadInput, match="give a whole number from 0 to 2"):
            timeline.faces(step, None)  # type: ignore[arg-type]
    for look in (timeline.view, timeline.faces):
        with pytest.raises(BadInput, match="nobody plays 'black'; the players are red, blue, white, orange; None"):
            look(0, "black")
    with pytest.raises(BadInput, match=r"the referee has no view: truth\(step\) has all cards"):
        timeline.view(0, REFEREE)
    with pytest.raises(BadInput, match="give a game or the record of one"):
        Timeline("a text")  # type: ignore[arg-type]
    with pytest.raises(BadRecord, match="this is the copy for red"):
        Timeline(game.record("red"))
    assert timeline
    assert "2 steps" in repr(timeline)
