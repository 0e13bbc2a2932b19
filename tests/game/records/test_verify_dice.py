"""Dice that anybody can check: the key decides every outcome, and what was changed afterwards is found."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections import Counter
from dataclasses import replace

import pytest

from hexholm.game.dice_proof import (
    PROOF_TAG,
    BadProof,
    DiceProof,
    check_word,
    commitment,
    draw_number,
    word_promise,
)
from hexholm.game.game import Game, Record
from hexholm.game.records.verify_dice import recorded_draws, verify_dice
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.errors import BadInput
from hexholm.rules.names import NATURE
from hexholm.rules.referee import Step
from tests.helpers.marks import all_editions

from .checked_games import CHECKED_GAMES, what_the_browser_gets
from .sample_records import DICE_KEY, DICE_WORDS, dice_proof, new_word, proved_record


@all_editions
def test_every_roll_theft_and_draw_of_a_game_is_checked(edition: str) -> None:
    record = proved_record(edition)
    verification = verify_dice(Record.read(record.text()))
    assert verification.ok, verification.problems
    assert sum(verification.draws.values()) == sum(seat == NATURE for seat, _ in record.steps)
    assert set(verification.draws) >= {"dice", "theft", "card"}


@pytest.mark.parametrize("balanced", [False, True])
def test_whoever_has_the_key_and_the_draws_can_check_them_by_hand(balanced: bool) -> None:
    """What the browser does: it knows no rule, so it is told which numbers stand for an outcome."""
    record = proved_record("fifth", balanced_dice=balanced, setup="variable")
    draws = recorded_draws(record)
    verification = verify_dice(record)
    assert [(draw.step, draw.outcome) for draw in draws] == [
        (found.step, found.outcome) for found in verification.checked_draws
    ]
    draw_key = dice_proof().draw_key()
    for draw in draws:
        number = draw_number(draw_key, draw.stream, draw.count, draw.chances)
        assert draw.first <= number <= draw.last
        assert draw.last < draw.chances
        if draw.stream in ("start", "dice"):
            assert draw.first == draw.last, "a pair of dice is one of the chances"
    assert {draw.turn for draw in draws if draw.stream == "start"} == {0}
    assert [draw.count for draw in draws if draw.stream == "dice"] == [
        draw.turn for draw in draws if draw.stream == "dice"
    ]


def test_the_games_that_the_browser_is_tested_with_are_what_their_records_say() -> None:
    games = json.loads(CHECKED_GAMES.read_text(encoding="utf-8"))
    for game in games.values():
        record = Record.read(game.pop("record"))
        assert verify_dice(record).ok
        assert json.loads(json.dumps(what_the_browser_gets(record))) == game
        assert {"dice", "theft", "card"} <= {draw["stream"] for draw in game["draws"]}
        events = {event["event"] for event in game["events"]["public"]}
        assert events >= {"traded", "supply_traded", "discarded", "produced", "stole", "bought", "drew"}
    plain, balanced = games["plain"], games["balanced"]
    assert {draw["chances"] for draw in plain["draws"] if draw["stream"] in ("start", "dice")} == {36}
    assert sum(draw["chances"] == 36 for draw in balanced["draws"] if draw["stream"] == "dice") > 1, "a bag filled up"


def test_draws_of_a_game_from_the_middle_are_not_listed() -> None:
    game = Game.from_position(Game(edition="fifth", setup="fixed", first="red").position())
    with pytest.raises(BadInput, match="began in the middle"):
        recorded_draws(game.record())


def test_balanced_dice_and_starting_rolls_are_checked() -> None:
    verification = verify_dice(proved_record("fifth", balanced_dice=True, setup="variable"))
    assert verification.ok, verification.problems
    assert verification.draws["start"] >= 4


def test_json_keeps_the_proof() -> None:
    assert verify_dice(Record.from_json(proved_record().to_json())).ok


def test_a_copy_has_no_proof_as_it_would_tell_of_hidden_cards() -> None:
    copy = proved_record().seen_by("blue")
    assert DICE_KEY.hex() not in copy.text()
    with pytest.raises(BadProof, match="and a seat's copy leave it out"):
        verify_dice(copy)


def changed_outcomes(record: Record) -> list[tuple[int, int]]:
    """Steps of a record whose outcome can be another one without the game becoming illegal at once, with that one."""
    found = []
    referee = record.referee()
    for number, (seat, code) in enumerate(record.steps):
        if seat == NATURE and referee.phase != "start roll":
            others = [other for other in referee.chance() if other != code and _total(other) == _total(code)]
            found += [(number, others[0])] if others else []
        referee.step(seat, code)
    return found


def _total(code: int) -> tuple[int, int]:
    """What the game makes of an outcome: of dice only their total."""
    kind = act.kind_of(code)
    return kind, act.first_die_of(code) + act.second_die_of(code) if kind == act.DICE else 0


@pytest.mark.parametrize("stream", ["dice", "theft", "card"])
def test_one_outcome_that_was_changed_is_found(stream: str) -> None:
    record = proved_record()
    kinds = {"dice": act.DICE, "theft": act.STOLEN, "card": act.DRAWN}
    number, other = next(
        (number, other) for number, other in changed_outcomes(record) if act.kind_of(other) == kinds[stream]
    )
    steps = (*record.steps[:number], Step(NATURE, other))
    verification = verify_dice(replace(record, steps=steps, result=None, final=None, comments={}, taken_back={}))
    assert [draw.ok for draw in verification.checked_draws].count(False) == 1
    assert "the key decides" in verification.problems[0]
    assert verification.checked_draws[-1].draw.stream == stream


def test_a_key_other_than_the_one_committed_to_is_found() -> None:
    record = proved_record()
    proof = replace(dice_proof(), key=bytes(32))
    verification = verify_dice(replace(record, tags={PROOF_TAG: proof.text()}))
    assert verification.problems[0] == "the key is not the one that was committed to before the game"
    assert any(not draw.ok for draw in verification.checked_draws)


def test_a_word_that_was_not_promised_is_found() -> None:
    proof = replace(dice_proof(), words={**DICE_WORDS, "blue": "another-word-than-promised"})
    verification = verify_dice(replace(proved_record(), tags={PROOF_TAG: proof.text()}))
    assert verification.problems[0] == "the word of blue is not the one that blue promised"


def test_an_absent_word_counts_as_empty() -> None:
    promised = replace(dice_proof(), words={"red": DICE_WORDS["red"]})
    only_red = dice_proof(words={"red": DICE_WORDS["red"]})
    assert promised.draw_key() == only_red.draw_key() != dice_proof().draw_key()
    assert DiceProof.read(promised.text()) == promised


def test_a_key_that_is_not_shown_cannot_be_checked() -> None:
    hidden = replace(dice_proof(), key=None)
    assert "key=" not in hidden.text()
    assert not hidden.check_commitment()
    with pytest.raises(BadProof, match="unless the game was abandoned"):
        verify_dice(replace(proved_record(), tags={PROOF_TAG: hidden.text()}))


def test_taking_back_and_playing_again_gives_the_same_draw() -> None:
    game = Game(edition="fifth", setup="fixed", first="red", dealer=dice_proof().dealer())
    rolled = []
    for _ in range(3):
        rolled.append(str(game.play("roll")[0]))
        game.undo()
    assert len(set(rolled)) == 1


def test_the_commitment_can_be_made_with_sha256sum() -> None:
    assert (
        commitment("abc", DICE_KEY) == hashlib.sha256(f"hexholm-dice-1 key abc {DICE_KEY.hex()}".encode()).hexdigest()
    )
    assert (
        word_promise("abc", "red", "w" * 16)
        == hashlib.sha256(b"hexholm-dice-1 word abc red wwwwwwwwwwwwwwww").hexdigest()
    )


def test_a_draw_is_an_hmac_below_the_chances() -> None:
    """What docs/formats/dice-proof.md says, worked out here once more."""
    digest = int.from_bytes(hmac.new(DICE_KEY, b"dice 12 0", "sha256").digest(), "big")
    assert (
        draw_number(DICE_KEY, "dice", 12, 36) == digest % 36
    )  # 36 does not divide 2**256, but this digest is far below


def test_digests_that_would_favor_some_numbers_are_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    """The highest digests, which do not fill a whole round of the chances, are not used: the next attempt is."""
    answers = {b"theft 1 0": b"\xff" * 32, b"theft 1 1": (5).to_bytes(32)}
    monkeypatch.setattr(hmac, "digest", lambda _key, message, _name: answers[message])
    assert draw_number(DICE_KEY, "theft", 1, 7) == 5
    assert (1 << 256) % 7 != 0


def test_all_pairs_of_dice_come_up_equally_often() -> None:
    counts = Counter(draw_number(DICE_KEY, "dice", turn, 36) for turn in range(36_000))
    chi_square = sum((counts[pair] - 1000) ** 2 / 1000 for pair in range(36))
    assert chi_square < 66.6  # 35 degrees of freedom, one chance in a thousand; the key is fixed


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "begins with hexholm-dice-1"),
        ("hexholm-dice-2 table=a", "begins with hexholm-dice-1"),
        ("hexholm-dice-1 commitment=" + "0" * 64, "names its table"),
        ("hexholm-dice-1 table=a commitment=00", "a commitment of 64 digits"),
        (f"hexholm-dice-1 table=a commitment={'0' * 64} key=12", "the key in the proof"),
        (f"hexholm-dice-1 table=a commitment={'0' * 64} red", "name=value"),
        (f"hexholm-dice-1 table=a table=b commitment={'0' * 64}", "each name once"),
        (f"hexholm-dice-1 table=a commitment={'0' * 64} red={'0' * 63}:w", "the promise of a word is its SHA-256"),
        (f"hexholm-dice-1 table=a commitment={'0' * 64} red={'0' * 64}:short", "16 to 64 letters"),
    ],
)
def test_a_proof_that_cannot_be_read_says_why(text: str, message: str) -> None:
    with pytest.raises(BadProof, match=message):
        DiceProof.read(text)


def test_new_words_are_words() -> None:
    words = {new_word() for _ in range(100)}
    assert len(words) == 100
    for word in words:
        check_word(word)


def test_a_game_from_the_middle_cannot_be_checked() -> None:
    game = Game.from_position(Game(edition="fifth", setup="fixed", first="red").position())
    game.play("roll")
    record = replace(game.record(), tags={PROOF_TAG: dice_proof().text()})
    with pytest.raises(BadInput, match="began in the middle"):
        verify_dice(record)


def test_a_changed_outcome_that_makes_the_rest_illegal_is_named_before_that() -> None:
    """A forged roll often makes a later action illegal; what is told first is the roll."""
    record = proved_record()
    number = next(i for i, (seat, code) in enumerate(record.steps) if seat == NATURE and i > 20)
    seven = act.dice_outcome(3, 4)
    assert record.steps[number][1] != seven
    steps = (*record.steps[:number], Step(NATURE, seven), *record.steps[number + 1 :])
    verification = verify_dice(replace(record, steps=steps, result=None, final=None))
    assert "the key decides" in verification.problems[0]
    assert "dice 3 4" in verification.problems[0]
    assert verification.problems[-1].startswith("the game cannot have gone on like that: ")


def test_an_outcome_where_none_is_due_is_told() -> None:
    record = proved_record()
    number = next(i for i, (seat, _) in enumerate(record.steps) if seat != NATURE)
    steps = (*record.steps[:number], Step(NATURE, act.dice_outcome(1, 1)), *record.steps[number:])
    verification = verify_dice(replace(record, steps=steps, result=None, final=None))
    assert verification.problems[-1].startswith("the game cannot have gone on like that: ")


def test_digests_are_the_ones_that_the_browser_makes() -> None:
    """The same numbers stand in web/src/diceProof/diceVerdict.test.ts."""
    table, key, words = "k3m9q2x7ab", bytes(range(32)), {"red": "a-word-of-reds-own", "blue": "0123456789abcdef"}
    proof = DiceProof(table, commitment(table, key), words=words, key=key)
    assert proof.commitment == "5f5b1d3b7a9e51baac8f2f0593e288804dd197ef1b3e9ae41dc4ef7e8f9c70b7"
    assert word_promise(table, "red", words["red"]) == (
        "8c78ea9f74fa2ea19d798662fc066593f4928f7c1af19c18bb83823cf733a172"
    )
    draw_key = proof.draw_key()
    assert draw_key.hex() == "318244e44797cca80c855c79e146a8d416d8bc4e3b958cb9904041101c939587"
    places = [("start", 0, 36), ("dice", 1, 36), ("dice", 2, 36), ("theft", 3, 7), ("card", 25, 25)]
    assert [draw_number(draw_key, *place) for place in places] == [18, 31, 35, 5, 16]


def test_a_proof_is_never_cut_in_a_record() -> None:
    """Four seats with the longest words, and names of tables and colors as long as they can be, fit in any case."""
    record = proved_record("fifth")
    words = dict.fromkeys((*record.options.colors, "black", "green"), "w" * 64)
    promises = {color: word_promise("t" * 64, color, word) for color, word in words.items()}
    text = DiceProof("t" * 64, "0" * 64, promises, words, DICE_KEY).text()
    assert len(text) > 1000
    assert Record.read(replace(record, tags={PROOF_TAG: text}).text()).tags[PROOF_TAG] == text
