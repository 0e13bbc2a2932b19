"""Checking records: games that were played pass, also as copies; games that cannot have been played do not."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from hexholm.game.dealers import ByHand
from hexholm.game.game import Game, Record
from hexholm.game.records.verify import Verification, verify
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.names import NATURE
from hexholm.rules.referee import Step
from tests.helpers.marks import all_editions

from .sample_records import random_game, simulated_record

SHORT = {"zip": (17, 2), "sixth": (34, 2)}
"""Seeds and numbers of short games in which many cards are drawn and stolen; (28, 2) in the other editions."""
PLACES = "red:settlements=C3n,A1n blue:settlements=D4n,B4n white:settlements=D1n,E1s"
START = f"setup=variable players=red,blue,white {PLACES}"


@cache
def short_record(edition: str) -> Record:
    """A game of random players to its end."""
    return simulated_record(*SHORT.get(edition, (28, 2)), edition=edition, setup="variable", points_to_win=5)


def game_at(text: str) -> Game:
    """A game from a position in which chance is decided by hand."""
    return Game.from_position(f"{START} {text}", dealer=ByHand())


def copy_of(game: Game, eyes: str, old: str = "", new: str = "") -> Verification:
    """The verification on a copy, perhaps tampered with."""
    text = game.record().seen_by(eyes).text()
    assert verify(text).ok, verify(text)
    assert text.count(old) >= 1
    return verify(text.replace(old, new, 1) if old else text)


# --- full records ----------------------------------------------------------------------------------------------------


@all_editions
def test_a_game_that_was_played_is_right(edition: str) -> None:
    verification = verify(short_record(edition))
    assert verification
    assert (verification.problems, verification.witness, str(verification)) == ((), None, "all right")


def test_a_game_that_was_tampered_with_is_not() -> None:
    record = short_record("fifth")
    at = next(n for n, (_, code) in enumerate(record.steps) if act.kind_of(code) == act.DICE)
    other = next(
        act.dice_outcome(a, b) for a in (1, 2) for b in (2, 5) if act.dice_outcome(a, b) != record.steps[at].code
    )
    changed = replace(record, steps=(*record.steps[:at], Step(NATURE, other), *record.steps[at + 1 :]))
    assert not verify(changed)
    assert not verify(replace(record, steps=record.steps[:-1]))
    verification = verify(replace(record, final="0" * 16))
    assert verification.problems == (
        f"the game ends in another position than it says: Final is {record.final}, not {'0' * 16}",
    )
    assert record.result is not None
    points = replace(record.result, points=tuple(n + 1 for n in record.result.points))
    assert "the result is" in str(verify(replace(record, result=points)))
    assert "not '*'" in str(verify(replace(record, result=None)))


def test_a_text_that_cannot_be_read_is_a_problem_and_no_crash() -> None:
    verification = verify('[Edition "fifth"]\n[Setup "fixed"]\n[First "red"]\n\n1. red: end')
    assert not verification.ok
    assert verification.problems[0].startswith("line 5: turn 1: red end: ")


# --- copies ----------------------------------------------------------------------------------------------------------


@all_editions
def test_every_copy_of_a_game_has_a_world_that_fits(edition: str) -> None:
    record = short_record(edition)
    for eyes in (record.colors[0], record.colors[-1], "public"):
        copy = record.seen_by(eyes)
        verification = verify(copy.text())
        assert verification.ok, f"{eyes}: {verification}"
        assert verification.witness is not None
        assert verify(verification.witness).ok
        assert verification.witness.seen_by(eyes) == copy


def test_copies_of_games_with_offers_have_a_world_that_fits() -> None:
    differ = 0
    for number, steps in ((12, 260), (13, 200), (15, 240), (16, 150)):
        record = Record.of(random_game(number, steps))
        for eyes in (record.colors[0], "public"):
            verification = verify(record.seen_by(eyes))
            assert verification.ok, f"{number} {eyes}: {verification}"
            assert verification.witness is not None
            differ += verification.witness.steps != record.steps
    assert differ  # the search did not look at the truth


# --- nothing is lost -------------------------------------------------------------------------------------------------


def looks_the_same(game: Game, eyes: str | None, copy: Record | None = None) -> bool:
    """Whether the game that is found for a copy is, to that seat, the one that was played.

    The same events, and the same view byte by byte: hands, sizes, points, what was revealed, offers; and also all that
    the seat can infer, for it was shown the same.
    """
    verification = verify((copy or game.record().seen_by(eyes)).text())
    assert verification.witness is not None, verification
    witness = verification.witness.game()
    return witness.events.seen_by(eyes) == game.events.seen_by(eyes) and witness.view(eyes) == game.view(eyes)


@pytest.mark.rule("INFO-01", "INFO-02", "INFO-09")
@all_editions
def test_a_copy_of_a_whole_game_loses_nothing_that_its_reader_saw(edition: str) -> None:
    game = short_record(edition).game()
    for eyes in (*game.colors, None):
        assert looks_the_same(game, eyes), eyes


@pytest.mark.rule("INFO-01", "INFO-02", "INFO-09", "SEVEN-05")
def test_copies_of_games_with_offers_lose_nothing_that_their_readers_saw() -> None:
    seen: set[str] = set()
    for number, steps in ((39, 420), (42, 420), (57, 420), (82, 420), (88, 420)):
        game = random_game(number, steps)
        seen |= {event.name for event in game.events}
        for eyes in (*game.colors, None):
            assert looks_the_same(game, eyes), (number, eyes)
    assert seen >= {"monopolised", "chose_discard", "discarded", "stole", "found_nothing", "victim_chosen", "traded"}


def test_a_copy_without_the_cards_of_a_monopoly_would_lose_something() -> None:
    """That the test above could fail: without the amounts the search takes hands that all saw to be others."""
    game = game_at("turn=red phase=roll red:hand=1brick blue:hand=2wool,2ore white:cards=1monopoly")
    game.play("roll")
    game.deal("dice 3 4")
    game.play("robber D4")
    game.deal("stolen ore")
    for _ in range(2):
        game.play("end")
        if game.active == "blue":
            game.play("roll")
            game.deal("dice 1 1")
    game.play("monopoly ore")
    copies = [game.record().seen_by(eyes) for eyes in (None, "white")]
    assert [looks_the_same(game, eyes) for eyes in (None, "white")] == [True, True]
    older = [Record.read(copy.text().replace(" =1 red 1 blue", "")) for copy in copies]
    assert not all(looks_the_same(game, eyes, copy) for eyes, copy in zip((None, "white"), older, strict=True))


@pytest.mark.rule("DEV-04", "WIN-05")
def test_played_cards_are_drawn_before_and_points_are_held_back() -> None:
    game = game_at("turn=red dice=2+2 points-to-win=4 red:hand=3wool,3grain,3ore")
    for card in ("knight", "victory-point"):
        game.play("buy")
        game.deal(f"drawn {card}")
    for _ in range(3):
        game.play("end")
        game.play("roll") if game.active != "red" else game.play("knight")
        if game.active != "red":
            game.deal("dice 1 1")
    game.play("robber A2")
    game.play("roll")
    game.deal("dice 1 1")
    game.play("buy")
    game.deal("drawn victory-point")
    assert game.winner == "red"
    witness = copy_of(game, "blue").witness
    assert witness is not None
    drawn = [action.card for action in witness.outcomes if action.card]
    assert drawn == ["knight", "victory-point", "victory-point"]
    assert "no game looks like this" in str(copy_of(game, "blue", '[Revealed "2 0 0"]', '[Revealed "3 0 0"]'))
    assert not copy_of(game, "blue", '[Revealed "2 0 0"]', '[Revealed "1 0 0"]')
    assert not copy_of(game, "blue", '[Result "red won 4 2 2"]', '[Result "red won 4 2 3"]')
    for part in ('[Result "red won 4 2 2"]', '[Revealed "2 0 0"]'):
        assert not copy_of(game, "blue", part)


def test_a_card_that_was_never_bought_cannot_be_played() -> None:
    game = game_at("turn=red dice=2+2 red:hand=1wool,1grain,1ore")
    game.play("buy")
    game.deal("drawn knight")
    verification = copy_of(game, "blue", "buy =?", "buy =?; knight; robber A2")
    assert "red plays knight, but bought no such card before this turn (DEV-04)" in str(verification)
    assert "cannot know which card red draws" in str(copy_of(game, "blue", "buy =?", "buy =knight"))
    assert "red knows which card it draws itself" in str(copy_of(game, "red", "buy =knight", "buy =?"))


def test_there_are_only_fourteen_knights() -> None:
    used = "red:played=7knight blue:played=6knight largest-army=red"
    game = game_at(f"turn=red dice=2+2 red:hand=2wool,2grain,2ore {used}")
    for card in ("knight", "monopoly"):
        game.play("buy")
        game.deal(f"drawn {card}")
    for _ in range(3):
        game.play("end")
        if game.active != "red":
            game.play("roll")
            game.deal("dice 1 1")
    game.play("knight")
    game.play("robber A2")
    for _ in range(3):
        if game.active == "red":
            game.play("roll")
            game.deal("dice 1 1")
        game.play("end")
        if game.active != "red":
            game.play("roll")
            game.deal("dice 1 1")
    game.play("monopoly ore")
    assert copy_of(game, "blue").ok
    assert "more knight cards than there are in the box" in str(
        copy_of(game, "blue", "monopoly ore =nothing", "knight")
    )


def test_victory_points_are_drawn_when_the_box_holds_nothing_else() -> None:
    played_cards = "red:played=14knight,2monopoly,2road-building,1year-of-plenty largest-army=red"
    game = game_at(f"turn=blue dice=2+2 blue:hand=3wool,3grain,3ore {played_cards}")
    for card in ("year-of-plenty", "victory-point", "victory-point"):
        game.play("buy")
        game.deal(f"drawn {card}")
    witness = copy_of(game, "white").witness
    assert witness is not None
    assert sum(action.card == "victory-point" for action in witness.outcomes) == 2
    tampered = game.record().seen_by("white").text().replace("edition=fifth", "edition=fifth points-to-win=3")
    tampered = tampered.replace("[Players", '[PointsToWin "3"]\n[Players')
    assert "with which somebody would have won (WIN-02)" in str(verify(tampered))


@pytest.mark.rule("ROBBER-09", "INFO-03")
def test_a_stolen_card_must_have_been_there() -> None:
    game = game_at("turn=red phase=roll red:hand=1brick blue:hand=1wool,1ore white:hand=1lumber")
    game.play("roll")
    game.deal("dice 3 4")
    game.play("robber D4")
    game.deal("stolen wool")
    assert copy_of(game, "red", "=wool", "=ore")  # red might have drawn that
    assert "stolen grain: that outcome is not possible now" in str(copy_of(game, "red", "=wool", "=grain"))
    assert "white cannot know this card" in str(copy_of(game, "white", "=?", "=wool"))
    assert "no theft between others can be hidden here" in str(copy_of(game, "blue", "=wool", "=?"))


def test_nobody_pays_with_cards_that_cannot_be_there() -> None:
    game = game_at("turn=red phase=roll red:hand=1brick blue:hand=1lumber,1ore white:hand=1grain red:roads=C3/ne")
    game.play("roll")
    game.deal("dice 3 4")
    game.play("robber D4")
    game.deal("stolen lumber")
    game.play("road B2/se")
    text = copy_of(game, "white")
    assert text.witness is not None
    assert "stolen lumber" in text.witness.texts  # only so can red have paid
    assert "you cannot pay for that" in str(copy_of(game, "white", "road B2/se", "road B2/se; road B2/e"))
    assert "you cannot pay for that" in str(copy_of(game, "white", "road B2/se", "city C3n"))
    offer = copy_of(game, "white", "road B2/se", "offer 1 lumber 1 ore : 1 wool to white")
    assert "you can offer only cards that you hold" in str(offer)


@pytest.mark.rule("DEV-22")
def test_a_monopoly_may_have_brought_more_or_less() -> None:
    """An older copy does not say how many cards a Monopoly brought; then later on hands of several sizes fit."""
    hands = "red:hand=4brick,2ore blue:hand=2wool,2ore white:hand=2grain"
    game = game_at(f"turn=red phase=roll {hands} blue:cards=1monopoly")
    game.play("roll")
    game.deal("dice 3 4")
    game.play("robber D4")
    game.deal("stolen ore")
    game.play("end")
    game.play("monopoly ore")  # three from red, of what white takes for two or three
    game.play("roll")
    game.deal("dice 3 4")
    game.play("robber A2")
    game.play("end")
    game.play("roll")
    game.deal("dice 3 4")
    game.play("robber C3")
    game.deal("stolen brick")
    for eyes in ("white", "public"):
        assert copy_of(game, eyes).ok
        older = copy_of(game, eyes, " =3 red")
        assert older.ok, older
        assert "no hands fit that hand over 1 red to this Monopoly" in str(copy_of(game, eyes, "=3 red", "=1 red"))
        other = copy_of(game, eyes, "=3 red", "=2 red").witness  # if wool was stolen before
        assert other is not None
        assert "stolen wool" in other.texts[: other.texts.index("blue monopoly ore")]


@pytest.mark.rule("SEVEN-05")
def test_discards_out_of_order_or_too_early_are_no_copy() -> None:
    game = game_at("turn=red phase=roll red:hand=8ore blue:hand=8wool")
    game.play("roll")
    game.deal("dice 3 4")
    game.play("discard 4 wool", by="blue")
    line = "roll =3+4"
    assert not copy_of(game, "red", line, f"{line}; blue discard 4 wool")
    game.play("discard 4 ore", by="red")
    swapped = copy_of(game, "white", "discard 4 ore; blue discard 4 wool", "blue discard 4 wool; red discard 4 ore")
    assert "would not see" in str(swapped)
    assert not copy_of(game, "white", "blue discard 4 wool", "blue discard 4 ore")
