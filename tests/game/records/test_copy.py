"""A seat's copy of a game tells what that seat may know, and nothing more."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable

import pytest

from hexholm.game.dealers import ByHand
from hexholm.game.game import Game, Record
from hexholm.game.record_format.steps import BadRecord
from hexholm.rules.referee import Step
from tests.helpers.marks import all_editions
from tests.rules.noninterference import Pair, Parted, new_pair

from .sample_records import SHORT, random_game


@pytest.mark.rule("INFO-01", "INFO-03")
def test_a_copy_hides_cards_stolen_between_others_and_drawn_by_others() -> None:
    hands = "red:hand=1wool,1grain,1ore blue:hand=1brick white:hand=1lumber"
    place = "red:settlements=C3n,A1n white:settlements=D4n blue:settlements=B4n,D1n"
    game = Game.from_position(
        f"setup=variable players=red,blue,white turn=red dice=2+2 {hands} {place}", dealer=ByHand()
    )
    game.play("buy")
    game.deal("drawn monopoly")
    game.play("end")
    game.play("roll")
    game.deal("dice 3 4")
    game.play("robber D4")
    game.deal("stolen lumber")
    copies = {eyes: game.record().seen_by(eyes).text() for eyes in ("red", "blue", "white", "public")}
    assert ("buy =monopoly" in copies["red"], "robber D4 =?" in copies["red"]) == (True, True)
    for eyes in ("blue", "white"):
        assert "buy =?" in copies[eyes]
        assert "robber D4 =lumber" in copies[eyes]
    assert "buy =?" in copies["public"]
    assert "robber D4 =?" in copies["public"]
    assert game.record("blue") == game.record().seen_by("blue")


@pytest.mark.rule("SEVEN-05")
def test_discards_of_a_copy_stand_in_the_order_of_the_seats_and_only_when_all_are_in() -> None:
    hands = "red:hand=8ore blue:hand=4wool,5grain white:hand=8brick"
    game = Game.from_position(f"setup=variable players=red,blue,white turn=red phase=roll {hands}", dealer=ByHand())
    game.play("roll")
    game.deal("dice 3 4")
    game.play("discard 4 brick", by="white")
    game.play("discard-card wool", by="blue")
    game.play("discard-card grain", by="blue")
    turn = game.turn
    lines = {eyes: game.record().seen_by(eyes).text().splitlines()[-1] for eyes in ("red", "blue", "white", "public")}
    assert lines["red"] == lines["public"] == f"  {turn}. red: roll =3+4"
    assert lines["blue"] == f"  {turn}. red: roll =3+4; blue discard-card wool; blue discard-card grain"
    assert lines["white"] == f"  {turn}. red: roll =3+4; white discard 4 brick"
    game.play("discard 2 wool", by="blue")
    own = "blue discard-card wool; blue discard-card grain; blue discard 2 wool"
    assert game.record("blue").text().endswith(f"roll =3+4; {own}\n")
    game.play("discard 4 ore", by="red")
    last_lines = {game.record().seen_by(eyes).text().splitlines()[-1] for eyes in ("red", "white", "public")}
    assert last_lines == {
        f"  {turn}. red: roll =3+4; discard 4 ore; blue discard 3 wool 1 grain; white discard 4 brick"
    }
    both = game.record("blue").text().splitlines()[-2:]
    assert " ".join(line.strip() for line in both).endswith(f"discard 4 ore; {own}; white discard 4 brick")


@pytest.mark.rule("INFO-09")
def test_a_copy_tells_what_a_monopoly_brought_and_a_full_record_does_not() -> None:
    hands = "red:cards=2monopoly red:hand=1ore blue:hand=3ore,1wool white:hand=2ore"
    game = Game.from_position(f"setup=variable players=red,blue,white turn=red dice=2+2 {hands}", dealer=ByHand())
    game.play("monopoly ore")
    for _ in range(3):
        game.play("end")
        if game.active != "red":
            game.play("roll")
            game.deal("dice 1 1")
    game.play("monopoly brick")
    assert "monopoly ore; end" in game.record().text()
    for eyes in ("red", "blue", "public"):
        copy = game.record().seen_by(eyes)
        assert "monopoly ore =3 blue 2 white; end" in copy.text()
        assert copy.text().endswith("monopoly brick =nothing\n")
        assert "handed 3 blue 2 white" in copy.texts
        assert "handed nothing" in copy.texts
        assert Record.read(copy.text()) == copy
        assert Record.from_json(copy.to_json()) == copy
        for other in ("=2 from white, 3 from blue", "; handed 3 Blue 2 WHITE", "\n= 3 blue\n2 white"):
            assert Record.read(copy.text().replace("=3 blue 2 white", other)) == copy


@pytest.mark.parametrize(
    "old, new, words",
    [
        ("=3 blue", "=blue 3", "write how many cards came from whom, like =3 red 1 blue, or =nothing"),
        ("=3 blue", "=3 blue 1 blue", "write how many"),
        ("=3 blue", "=3 green", "write how many"),
        ("=3 blue", "=3", "write how many"),
        ("=3 blue", "=", "write how many"),
        ("=3 blue", "=?", "write how many"),
        ("=3 blue", "=3 red", "only the other players hand cards over (DEV-22)"),
        ("=3 blue", "; end; handed 3 blue", "this stands right behind a Monopoly (DEV-22)"),
        ('[SeenBy "public"]\n', "", "only a copy tells what a Monopoly brought; here it follows from the hands"),
    ],
)
def test_what_a_monopoly_brought_must_make_sense(old: str, new: str, words: str) -> None:
    start = "setup=variable players=red,blue,white turn=red dice=2+2 red:cards=1monopoly blue:hand=3ore"
    game = Game.from_position(start)
    game.play("monopoly ore")
    text = game.record().seen_by("public").text()
    with pytest.raises(BadRecord, match=re.escape(words)):
        Record.read(text.replace(old, new))


@pytest.mark.rule("WIN-07")
def test_a_copy_shows_hidden_points_only_when_the_game_was_won() -> None:
    place = "red:settlements=C3n,A1n blue:settlements=D1n red:cards=1victory-point blue:cards=1victory-point"
    begun = (
        f"setup=variable players=red,blue,white turn=red dice=2+2 points-to-win=4 {place} red:hand=1wool,1grain,1ore"
    )
    game = Game.from_position(begun, dealer=ByHand())
    cut = game.copy()
    cut.stop("agreed", "late")
    assert '[Result "agreed 3 2 0: late"]' in cut.record().text()
    assert '[Result "agreed 3 1 0: late"]' in cut.record("red").text()
    assert '[Result "agreed 2 2 0: late"]' in cut.record("blue").text()
    assert '[Result "agreed 2 1 0: late"]' in cut.record().seen_by(None).text()
    assert "Revealed" not in cut.record("red").text()
    game.play("buy")
    game.deal("drawn victory-point")
    for eyes in ("red", "blue", "public"):
        text = game.record().seen_by(eyes).text()
        assert '[Result "red won 4 2 0"]' in text
        assert '[Revealed "2 1 0"]' in text


def test_a_copy_has_no_hash_no_remarks_and_no_tags_of_others() -> None:
    text = SHORT.replace("\n\n", '\n[Final "0123456789abcdef"]\n[Event "Club"]\n[Analysis "white holds ore"]\n\n', 1)
    copy = Record.read(text).seen_by("white")
    assert (copy.final, copy.comments, copy.taken_back, copy.tags) == (None, {}, {}, {"Event": "Club"})
    assert not {"Final", "Analysis", "fair", "robber C4"} & set(re.findall(r"\w+|robber C4", copy.text()))
    assert copy.names == ("Ada", "white", "orange")
    with pytest.raises(BadRecord, match="a copy must not have it"):
        Record.read(copy.text().replace("\n\n", '\n[Final "0123456789abcdef"]\n\n', 1))


def test_a_copy_cannot_be_played_or_copied_for_others() -> None:
    copy = Record.of(random_game(2, 200)).seen_by("public")
    assert copy.seen_by("public") is copy
    assert Record.read(copy.text()) == copy
    assert Record.from_json(copy.to_json()) == copy
    for forbidden in (copy.game, lambda: copy.outcomes, lambda: copy.actions, lambda: copy.seen_by(copy.colors[0])):
        with pytest.raises(BadRecord, match="this is the copy for public"):
            forbidden()
    with pytest.raises(BadRecord, match="a copy for 'green'"):
        Record.read(SHORT).seen_by("green")
    with pytest.raises(BadRecord, match="an outcome is hidden"):
        Record.read(copy.text().replace('[SeenBy "public"]\n', ""), check=False)


def test_no_copy_is_made_of_a_game_that_began_with_hidden_cards() -> None:
    referee = random_game(3, 260).referee
    open_game = Game.at(referee.options, referee.layout, referee.state, referee.open_offers)
    game = Game.at(referee.options, referee.layout, referee.state, referee.open_offers, referee.belief)
    assert open_game.referee.belief != referee.belief
    assert (open_game.record().start_hidden, game.record().start_hidden) == (False, True)
    hidden = Record.read(game.record().text())
    assert hidden == game.record()
    assert open_game.record().seen_by("public").start == open_game.record().start
    with pytest.raises(BadRecord, match="cards were hidden"):
        hidden.seen_by("public")


def test_a_game_that_began_with_hidden_cards_is_not_played_as_if_they_were_known() -> None:
    referee = random_game(3, 260).referee
    game = Game.at(referee.options, referee.layout, referee.state, referee.open_offers, referee.belief)
    record = Record.read(game.record().text())
    with pytest.raises(BadRecord, match="this game began in a position with something hidden"):
        record.game()
    again = record.game(known=True)
    assert again.referee.state == game.referee.state
    assert again.referee.belief != game.referee.belief
    assert not again.record().start_hidden
    assert Record.read(again.record().text()).game() == again  # all were known in that one


@pytest.mark.rule("INFO-01", "INFO-03", "INFO-07", "SEVEN-05")
@all_editions
def test_two_games_that_look_the_same_to_a_seat_give_the_same_copy(edition: str) -> None:
    """That the seat's views are the same is looked at after every action, elsewhere; here it is the copies."""
    differed = 0
    for seed in range(4):
        pair = new_pair(edition, 4, seed)
        twins = [Game.at(scene.options, scene.layout, scene.state, scene.open_offers) for scene in pair.games]
        for game, steps in zip(twins, played_together(pair), strict=True):
            game.repeat(steps)
        record, other_record = (game.record() for game in twins)
        differed += twins[0] != twins[1]
        for eyes in (record.colors[pair.observer], "public"):
            assert record.seen_by(eyes).text() == other_record.seen_by(eyes).text()
            assert record.seen_by(eyes).to_json() == other_record.seen_by(eyes).to_json()
    assert differed >= 2


def played_together(pair: Pair, most: int = 40) -> list[list[Step]]:
    """Play a pair on as long as both games look the same to the observer; returns the steps of each."""
    done: list[list[Step]] = [[], []]
    for scene, steps in zip(pair.games, done, strict=True):
        scene.step = noting(scene.step, steps)  # type: ignore[assignment, method-assign]
    sizes = [0, 0]
    with contextlib.suppress(Parted):
        for _ in range(most):
            pair.step()
            sizes = [len(steps) for steps in done]
    return [steps[:size] for steps, size in zip(done, sizes, strict=True)]


def noting(step: Callable[[int, int], None], steps: list[Step]) -> Callable[[int, int], None]:
    """A step that is written down when it was legal."""

    def noted(seat: int, code: int) -> None:
        step(seat, code)
        steps.append(Step(seat, code))

    return noted
