"""The Game: asking, acting, chance, taking back, sameness."""

from __future__ import annotations

import copy
import pickle
import random
from typing import Any

import pytest

import hexholm
from hexholm import Action, Game
from hexholm.game.events import Stopped
from hexholm.game.game import simulated
from hexholm.rules import simulate
from hexholm.rules.boards import beginner_layout, layout_for
from hexholm.rules.core import entry_points
from hexholm.rules.core.belief import observe
from hexholm.rules.encoding.structs import NATURE
from hexholm.rules.initial_state import new_state
from hexholm.rules.referee import Referee
from hexholm.rules.setup.options import check_options
from hexholm.rules.simulate import replay_game
from tests.helpers.marks import all_editions
from tests.helpers.random_play import play_randomly
from tests.rules.scenes import traders


def fixed(seed: int = 7, **more: object) -> Game:
    """A game on the beginners' board, red to roll."""
    return Game(edition="fifth", setup="fixed", seed=seed, **more)  # type: ignore[arg-type]


def by_hand(**more: object) -> Game:
    """The same with chance decided by the test."""
    return Game(edition="fifth", setup="fixed", dealer=hexholm.ByHand(), **more)  # type: ignore[arg-type]


def trading() -> Game:
    """Red may trade; all hold some cards."""
    scene = traders("fifth", "2 brick 2 ore", "2 wool 1 ore", "2 wool 2 grain", "1 wool")
    return Game.at(scene.options, scene.layout, scene.state, scene.open_offers, dealer=hexholm.ByHand())


# --- beginning ------------------------------------------------------------------------------------------------------


def test_a_game_without_words_is_the_sixth_edition_on_a_new_board() -> None:
    game = Game(seed=7)
    assert (game.edition, game.options.setup, len(game.colors)) == ("sixth", "variable", 4)
    assert game.layout == layout_for(game.options, 7)
    assert len(game.legal_actions) == 54
    assert game.to_act == (game.first,)


def test_without_a_seed_no_two_games_are_the_same() -> None:
    assert len({Game().position() for _ in range(3)}) == 3


@pytest.mark.rule("INFO-06")
def test_the_name_of_the_board_does_not_give_the_dice_away() -> None:
    board = layout_for(hexholm.options(), 7)
    assert "seed 7" in board.name
    for game in (
        Game(seed=7),
        Game(board=board),
        Game.at(hexholm.options(first=0), board, Game(first=0).referee.state),
    ):
        assert "7" not in game.layout.name
        assert "7" not in game.view("red").layout.name


@pytest.mark.rule("SETUP-05.e1")
def test_first_names_the_starter_and_without_it_the_edition_decides() -> None:
    assert fixed(first="white").first == "white"
    assert fixed(first=1).first == "blue"
    assert fixed().first == "red"
    assert "seat 1" in fixed().options.who_begins()
    rolled = Game(edition="sixth", seed=3)
    assert rolled.steps[0][0] == NATURE
    assert rolled.first in rolled.colors
    with pytest.raises(hexholm.BadInput, match="name one of red, blue, white, orange"):
        fixed(first="green")


def test_options_and_games_have_the_same_defaults() -> None:
    assert hexholm.options() == Game().options
    assert hexholm.options(first="blue").first == 1


def test_what_is_no_action_at_all_is_told_so() -> None:
    game = fixed()
    nothings: list[Any] = [None, 1.5, True, [], 2**70]
    for nothing in nothings:
        with pytest.raises(hexholm.BadInput, match=r"no action|no code"):
            game.play(nothing)
        with pytest.raises(hexholm.BadInput):
            game.why_not(nothing)
    for garbage in (-1, 0, 31, 2**63 - 1, -(2**63)):
        with pytest.raises(hexholm.IllegalAction):
            game.play(garbage)


def test_what_is_no_text_is_told_so() -> None:
    nothing: Any = None
    for call in (Game.from_position, Game.from_record, hexholm.SeatView.from_text, Action.of, hexholm.Scripted):
        with pytest.raises(hexholm.BadInput):
            call(nothing)
    view = fixed().view("red")
    with pytest.raises(hexholm.BadInput):
        view.probability_of("blue", nothing)
    assert fixed().legal_actions.of(0) == fixed().legal_actions.of("red")


def test_bad_beginnings_are_told_clearly() -> None:
    with pytest.raises(hexholm.BadInput, match="there is no edition 'seventh'"):
        Game(edition="seventh")
    with pytest.raises(hexholm.BadInput, match="give 4 names"):
        Game(names=["Ann"])
    wrong_values: list[dict[str, Any]] = [{"seed": "7"}, {"seed": True}, {"names": 3}, {"board": "x"}, {"dealer": 3}]
    for arguments in [*wrong_values, {"edition": ""}, {"players": ("red", "blue")}]:
        with pytest.raises(hexholm.BadInput):
            Game(**arguments)
    with pytest.raises(hexholm.BadInput, match="whole number"):
        simulated(hexholm.options(), 1, None)  # type: ignore[arg-type]
    with pytest.raises(hexholm.BadInput, match="its seed"):
        fixed().view("red").sample(None)  # type: ignore[arg-type]
    with pytest.raises(hexholm.BadInput, match="nobody plays 'pink'"):
        fixed().events.seen_by("pink")


def test_a_board_of_ones_own_is_played_on() -> None:
    assert Game(board=beginner_layout(), edition="fifth").options.setup == "fixed"
    assert Game(board=beginner_layout(), edition="fifth", setup="variable").options.setup == "variable"


# --- acting ---------------------------------------------------------------------------------------------------------


def test_an_action_is_played_as_text_as_action_and_as_code() -> None:
    games = [fixed() for _ in range(4)]
    games[0].play("ROLL")
    games[1].play(Action.of("red roll"))
    games[2].play(games[2].legal_actions.codes[0])
    games[3].play("red: roll")
    assert all(game == games[0] for game in games)


def test_a_refusal_says_what_was_said_why_not_and_what_is_legal() -> None:
    game = fixed()
    before = game.copy()
    with pytest.raises(hexholm.IllegalAction) as error:
        game.play("city C3n")
    assert error.value.action_text == "city B2se"
    assert error.value.reason.rule == "PHASE-09"
    assert list(error.value.legal) == [Action.of("red roll")]
    assert "legal now: roll" in str(error.value)
    assert game == before
    assert str(game.why_not("end")) == "you must roll the dice before you can end your turn (PHASE-03)"
    assert game.why_not("roll") is None
    assert pickle.loads(pickle.dumps(error.value)).reason == error.value.reason  # noqa: S301


def test_what_cannot_be_read_is_told_so_and_changes_nothing() -> None:
    game = fixed()
    before = game.copy()
    with pytest.raises(hexholm.UnreadableAction, match="'dance' is no action"):
        game.play("dance")
    with pytest.raises(hexholm.UnreadableAction):
        game.why_not("road nowhere")
    with pytest.raises(hexholm.BadInput, match="nobody plays 'green'"):
        game.play("roll", by="green")
    assert game == before


def test_an_action_that_several_may_mean_needs_a_name() -> None:
    game = trading()
    game.play("offer 1 brick : 1 wool to all")
    with pytest.raises(hexholm.AmbiguousAction, match=r"blue and white and orange could mean that; say who"):
        game.play("accept #1")
    for action in ("blue accept #1", Action.of("blue accept #1")):
        with pytest.raises(hexholm.AmbiguousAction, match="two players are named"):
            game.play(action, by="white")
        assert game.why_not(action, by=1) is None
    assert game.to_act == ("red", "blue", "white", "orange")
    game.play("blue accept #1")
    game.play("accept #1", by="white")
    game.play("orange reject #1")
    game.play("confirm #1 white")
    assert game.referee.hand("red")["wool"] == 1
    assert game.referee.hand("white")["brick"] == 1


def test_who_is_meant_does_not_depend_on_who_holds_the_cards() -> None:
    hands = [("2 brick", "1 ore", "1 ore", "1 wool"), ("2 brick", "1 wool", "1 wool", "1 ore")]
    for held in hands:
        scene = traders("fifth", *held)
        game = Game.at(scene.options, scene.layout, scene.state, scene.open_offers, dealer=hexholm.ByHand())
        game.play("offer 1 brick : 1 ore to all")
        with pytest.raises(hexholm.AmbiguousAction, match="blue and white and orange could mean that"):
            game.play("accept #1")


def test_the_list_of_a_seat_is_the_list_of_its_view_also_when_it_is_not_asked() -> None:
    game = trading()
    game.play("offer 1 brick : 1 wool to blue white")
    game.play("blue accept #1")
    assert "blue" not in game.to_act
    assert game.legal_actions.of("blue").texts == ["reject #1"]
    for color in game.colors:
        assert game.legal_actions.of(color) == game.view(color).legal_actions


def test_an_interruption_in_the_middle_of_an_action_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    game = play_randomly(fixed(compiled=False), 40)
    before, views = game.copy(), [game.view(color) for color in game.colors]

    def interrupted(*_: object) -> None:
        monkeypatch.undo()
        raise KeyboardInterrupt

    monkeypatch.setattr(entry_points, "observe", interrupted)
    with pytest.raises(KeyboardInterrupt):
        game.play(game.legal_actions[0])
    assert game == before
    assert [game.view(color) for color in game.colors] == views
    with pytest.raises(hexholm.BadInput, match="nobody plays True"):
        game.play("roll", by=True)
    assert game == before


def test_an_answer_that_only_one_can_give_needs_no_name() -> None:
    game = trading()
    game.play("offer 1 brick : 1 wool to white")
    game.play("accept #1")
    assert game.referee.hand("white")["brick"] == 1
    game.play("offer 1 brick : 1 wool to white")
    game.play("counter #1 1 grain : 1 brick")
    game.play("reject #2")
    assert game.to_act == ("red",)


def test_discards_of_several_need_names() -> None:
    scene = traders("fifth", "4 brick 4 ore", "4 wool 4 grain", phase="roll")
    game = Game.at(scene.options, scene.layout, scene.state, scene.open_offers, dealer=hexholm.Scripted(["dice 3 4"]))
    game.play("roll")
    assert game.to_act == ("red", "blue")
    with pytest.raises(hexholm.AmbiguousAction, match="red and blue"):
        game.play("discard 4 brick")
    game.play("blue discard 4 wool")
    with pytest.raises(hexholm.AmbiguousAction, match="red and blue"):  # that blue has chosen is a secret still
        game.play("discard 4 brick")
    game.play("red discard 4 brick")
    assert game.phase == "robber"


def test_legal_actions_can_be_counted_asked_and_chosen_from() -> None:
    game = Game(edition="fifth", setup="variable", seed=7, first="red")
    legal = game.legal_actions
    assert len(legal) == len(list(legal)) == 54
    assert "settlement C3n" in legal
    assert Action.of("red settlement C3n") in legal
    assert Action.of("blue settlement C3n") not in legal
    assert "end" not in legal
    assert repr(legal).startswith("<54 actions: settlement A1n, ")
    assert list(legal[::-1]) == list(legal)[::-1]
    game.play(random.Random(1).choice(legal))
    assert game.phase == "road"


# --- chance ---------------------------------------------------------------------------------------------------------


def test_a_scripted_dealer_deals_its_script_and_says_when_it_is_out() -> None:
    game = Game(edition="fifth", setup="fixed", dealer=hexholm.Scripted(["dice 4 6"]))
    game.play("roll")
    assert game.referee.hand("red")["ore"] == 1
    game.play("end")
    with pytest.raises(hexholm.NoOutcome, match=r"only 1 outcomes. What does blue roll"):
        game.play("roll")
    assert game.chance is not None
    assert not game.to_act
    game.deal("dice 1 1")
    assert game.to_act == ("blue",)


def test_a_physical_dealer_asks_and_wrong_answers_are_refused() -> None:
    questions: list[str] = []
    answers = iter(["dice 7 1", "stolen ore", "DICE 2 3"])

    def ask(chance: hexholm.Chance) -> str:
        questions.append(chance.question_text)
        return next(answers)

    game = Game(edition="fifth", setup="fixed", dealer=hexholm.Physical(ask))
    with pytest.raises(hexholm.NoOutcome, match="a die shows 1 to 6"):
        game.play("roll")
    with pytest.raises(hexholm.NoOutcome, match="stolen ore cannot come out now"):
        game.deal()
    game.deal()
    assert game.phase == "main"
    assert questions == ["What does red roll? Answer like: dice 3 4"] * 3


def test_by_hand_the_game_waits_and_knows_the_odds() -> None:
    game = by_hand()
    game.play("roll")
    chance = game.chance
    assert chance is not None
    assert (chance.kind, chance.player, len(chance.odds)) == ("dice", "red", 36)
    assert sum(chance.odds.values()) == 1
    game.deal(Action.of("dice 4 6"))
    assert game.chance is None
    with pytest.raises(hexholm.NoOutcome, match="nothing is left to chance now; red may act"):
        game.deal("dice 1 1")


def test_thefts_and_draws_are_dealt_too() -> None:
    scene = traders("fifth", "2 wool 2 grain 2 ore", "1 brick", settlements={"red": "B2n", "blue": "C4n"})
    game = Game.at(scene.options, scene.layout, scene.state, scene.open_offers, dealer=hexholm.ByHand())
    game.play("buy")
    assert game.chance is not None
    assert game.chance.kind == "drawn"
    assert game.chance.odds[Action.of("drawn knight")].limit_denominator(100) == pytest.approx(14 / 25)
    game.deal("drawn knight")
    game.play("end")
    for _ in range(3):
        game.play("roll")
        game.deal("dice 1 1")
        game.play("end")
    game.play("knight")
    game.play("robber C4")
    assert game.chance is not None
    assert (game.chance.kind, game.chance.player, game.chance.victim) == ("stolen", "red", "blue")
    game.deal("stolen brick")
    assert game.referee.hand("red")["brick"] == 1


@all_editions
def test_a_game_of_a_simulation_is_the_game_of_its_seed(edition: str) -> None:
    options = check_options(edition=edition, setup="variable", points_to_win=5)
    replay = replay_game(options, seed=11, game=2)
    own = replay.referee
    game = Game(board=own.layout, dealer=hexholm.Seeded(11, game=2), **own.options.as_dict())
    for seat, code in replay.steps:
        if seat != NATURE:
            game.play(code, by=seat)
    assert game.steps == replay.steps
    assert game.referee.state == own.state
    assert simulated(options, 11, 2) == game


def test_a_game_of_a_simulation_that_has_no_end_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulate, "MAX_ACTIONS", 20)
    game = simulated(check_options(edition="sixth", setup="variable"), 1, compiled=False)
    assert game.result is not None
    assert game.result.how == "capped"
    assert sum(seat != NATURE for seat, _ in game.steps) == 20


# --- time -----------------------------------------------------------------------------------------------------------


@all_editions
def test_taking_back_restores_every_byte_and_playing_again_deals_the_same(edition: str) -> None:
    game, pick = Game(edition=edition, seed=5), random.Random(3)
    for _ in range(110):
        if game.over:
            break
        before = [game.referee.state.copy(), game.referee.open_offers.copy(), *(game.view(c) for c in game.colors)]
        action = pick.choice(game.legal_actions)
        game.play(action)
        after = game.copy()
        assert game.undo() == action
        assert [game.referee.state, game.referee.open_offers, *(game.view(c) for c in game.colors)] == before
        game.play(action)
        assert game == after
        assert [game.view(c) for c in game.colors] == [after.view(c) for c in game.colors]


def test_an_interrupted_undo_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    game = play_randomly(fixed(compiled=False), 45)
    before, views = game.copy(), [game.view(color) for color in game.colors]
    calls = iter(range(100))

    def interrupted(*arguments: Any) -> None:
        if next(calls) == 3:
            raise KeyboardInterrupt
        observe(*arguments)

    monkeypatch.setattr(entry_points, "observe", interrupted)
    with pytest.raises(KeyboardInterrupt):
        game.undo()
    monkeypatch.undo()
    assert game == before
    assert [game.view(color) for color in game.colors] == views


def test_everything_can_be_taken_back_to_the_beginning() -> None:
    game, fresh = play_randomly(fixed(), 80), fixed()
    while game.steps:
        game.undo()
    assert game == fresh
    assert game.view("red") == fresh.view("red")
    with pytest.raises(hexholm.BadInput, match="nothing to take back"):
        game.undo()


def test_a_copy_goes_its_own_way() -> None:
    game = fixed()
    twins = [game.copy(), copy.copy(game), copy.deepcopy(game)]
    game.play("roll")
    for twin in twins:
        assert twin != game
        twin.play("roll")
        assert twin == game
        assert hash(twin) == hash(game)


def test_a_pickled_game_goes_on_as_if_nothing_had_happened() -> None:
    game = play_randomly(Game(edition="fifth", seed=9, names=["Ann", "Bob", "Cid", "Dan"]), 60)
    game.comment("here")
    twin = pickle.loads(pickle.dumps(game))  # noqa: S301
    assert twin == game
    assert (twin.names, twin.comments, twin.seed) == (game.names, game.comments, 9)
    assert [twin.view(c) for c in game.colors] == [game.view(c) for c in game.colors]
    play_randomly(game, 30, seed=1)
    play_randomly(twin, 30, seed=1)
    assert twin == game
    assert twin.undo() == game.undo()


def test_games_differ_when_what_the_seats_knew_differs() -> None:
    scene = traders("fifth", "2 brick", "1 ore 1 wool", phase="robber", settlements={"blue": "B2n"})
    scene.play("red", "robber A2")
    scene.deal("stolen wool")
    parts = scene.options, scene.layout, scene.state, scene.open_offers
    assert Game.at(*parts, scene.belief) == Game.at(*parts, scene.belief)
    assert Game.at(*parts, scene.belief) != Game.at(*parts)


def test_a_pickled_position_keeps_where_it_began() -> None:
    game = trading()
    game.play("offer 1 brick : 1 wool to white")
    twin = pickle.loads(pickle.dumps(game))  # noqa: S301
    assert twin == game
    twin.undo()
    game.undo()
    assert twin == game


# --- the end --------------------------------------------------------------------------------------------------------


def test_a_won_game_says_who_won_and_refuses_more() -> None:
    game = play_randomly(Game(edition="fifth", seed=2, points_to_win=4), 5000)
    assert game.over
    assert game.result is not None
    assert game.result.how == "won"
    assert game.winner == game.result.winner
    assert max(game.result.points) >= 4
    assert game.to_act == ()
    assert len(game.legal_actions) == 0
    with pytest.raises(hexholm.IllegalAction, match="WIN-02"):
        game.play("roll")


def test_a_game_can_be_cut_and_the_cut_taken_back() -> None:
    game = play_randomly(fixed(), 20)
    result = game.stop("abandoned", "dinner")
    assert (result.how, result.winner, result.note) == ("abandoned", None, "dinner")
    assert game.result == result
    assert not game.to_act
    with pytest.raises(hexholm.GameStopped, match=r"abandoned \(dinner\)"):
        game.play("roll")
    with pytest.raises(hexholm.GameStopped):
        game.stop("agreed")
    assert str(game.why_not("roll")) == "the game has ended without a winner (WIN-02)"
    assert game.events[-1] == Stopped("abandoned", "dinner")
    for view in map(game.view, (*game.colors, None)):
        assert view.over
        assert view.to_act == ()
        assert len(view.legal_actions) == 0
        assert view.prompt_text() == "The game has ended without a winner."
        assert pickle.loads(pickle.dumps(view)) == view  # noqa: S301
        assert hexholm.SeatView.from_text(view.text()) == view
        assert view.sample(1).view(view.seat) == view
    steps = game.steps
    assert game.undo() is None
    assert game.steps == steps
    assert game.to_act == game.view("red").to_act != ()
    unplayed = fixed()
    unplayed.stop("agreed")
    unplayed.undo()
    assert unplayed == fixed()
    with pytest.raises(hexholm.BadInput, match="agreed, abandoned, capped"):
        game.stop("lost")  # type: ignore[arg-type]


# --- looking --------------------------------------------------------------------------------------------------------


def test_a_game_prints_its_board_and_its_players_in_80_columns() -> None:
    text = str(play_randomly(Game(seed=4), 200))
    assert all(len(line) <= 80 for line in text.splitlines())
    for word in ("A1", "E3", "ROBBER", "red", "blue", "white", "orange", "points", "hand"):
        assert word in text
    assert repr(fixed()) == "<Game fifth, 4 players, turn 1, red: roll>"
    game = trading()
    game.play("offer 1 brick : 1 wool to all")
    assert all(len(line) <= 80 for line in str(game).splitlines())
    assert "blue, white, orange: answer an offer" in " ".join(str(game).split())


def test_a_position_with_a_building_on_the_first_corner_reads_back() -> None:
    game = Game.from_position("red:settlements=A1n")
    assert Game.from_position(game.position()).position() == game.position()
    assert hexholm.SeatView.from_text(game.view("red").text()) == game.view("red")
    assert Game.from_record(game.record().text()) == game


def test_a_notebook_gets_a_picture() -> None:
    assert fixed()._repr_svg_().startswith("<svg")
    assert fixed().view("red")._repr_svg_().startswith("<svg")


def test_a_game_that_has_only_begun_tells_its_beginning() -> None:
    assert type(fixed().events[0]).__name__ == "GameBegan"
    assert len(trading().events) == 0


def test_what_happened_comes_as_events() -> None:
    game = Game(edition="fifth", setup="fixed", dealer=hexholm.Scripted(["dice 4 6"]))
    past = game.play("roll")
    assert [type(event).__name__ for event in past] == ["Rolled", "Produced"]
    game.play("end")
    names = [type(event).__name__ for event in game.events]
    assert names[0] == "GameBegan"
    assert names[-4:] == ["Rolled", "Produced", "TurnEnded", "TurnBegan"]
    assert len(past) == 2  # what was told stays told


@pytest.mark.parametrize("compiled", [False, True])
def test_both_modes_play_the_same_game(compiled: bool) -> None:
    own = new = Game(edition="zip", seed=3, compiled=compiled)
    play_randomly(own, 150)
    other = Game(edition="zip", seed=3, compiled=False)
    play_randomly(other, 150)
    assert new == other
    assert [new.view(c) for c in new.colors] == [other.view(c) for c in new.colors]


def test_a_game_from_parts_begins_there() -> None:
    options = check_options(edition="fifth", setup="fixed")
    state = new_state(options, beginner_layout())
    game = Game.at(options, beginner_layout(), state, dealer=hexholm.ByHand())
    assert game.referee.state == Referee.new(edition="fifth", setup="fixed").state
    assert game.referee.state is not state


def test_options_that_were_checked_begin_the_same_game() -> None:
    named = Game(edition="sixth", setup="variable", players=3, seed=5, friendly_robber=True, names=("a", "b", "c"))
    again = Game.with_options(named.options, 5, names=named.names)
    assert (again.options, again.layout, again.names, again.seed) == (named.options, named.layout, named.names, 5)
    for game in (named, again):
        play_randomly(game, 40)
    assert again == named
