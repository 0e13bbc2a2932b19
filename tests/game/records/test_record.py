"""Whole games as text: what is written is read back, and what is read can be trusted."""

from __future__ import annotations

import json
import os
import pickle
import random
import re
import subprocess
import sys
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hexholm.game.dealers import ByHand, Replay, Scripted
from hexholm.game.game import Game, Record
from hexholm.game.record_format.steps import BadRecord
from hexholm.game.records.export import read_records
from hexholm.game.result import Result
from hexholm.rules.encoding.structs import NATURE
from tests.helpers.marks import all_editions
from tests.helpers.speed import COMPILED

from .sample_records import SHORT, header, random_game, simulated_record


@cache
def games() -> list[Game]:
    """Games with offers, cut somewhere: in every phase there is."""
    return [random_game(number, steps) for number, steps in enumerate([40, 130, 200, 260, 310, 150, 90, 200, 170, 140])]


@cache
def short(edition: str, setup: str) -> Record:
    """A short game of random players, played to its end."""
    return simulated_record(3, 1, edition=edition, setup=setup, points_to_win=4)


# --- there and back --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("setup", ["fixed", "variable"])
@all_editions
def test_a_whole_game_is_read_back_as_it_was_written(edition: str, setup: str) -> None:
    record = short(edition, setup)
    text = record.text()
    assert record.result is not None
    assert record.result.how == "won"
    assert Record.read(text) == record
    assert Record.read(text).text() == text
    assert Record.from_json(record.to_json()) == record
    assert max(map(len, text.partition("\n\n")[2].splitlines())) <= 100


def test_games_with_offers_come_back_as_the_same_games() -> None:
    seen = set()
    for game in games():
        record = Record.of(game)
        seen |= {action.kind for action in record.actions}
        pickled = pickle.loads(pickle.dumps(record))  # noqa: S301  # our own
        for again in (Record.read(record.text()), Record.from_json(record.to_json()), pickled):
            assert again == record
            assert hash(again) == hash(record)
        twin = Game.from_record(record.text())
        assert twin == game
        assert twin.referee.open_offers == game.referee.open_offers
        assert twin.referee.belief == game.referee.belief
        assert twin.steps == game.steps
        assert Record.of(twin).text() == record.text()
    assert seen >= {"offer", "counter", "accept", "reject", "confirm", "discard", "discard-card", "stolen", "drawn"}


def test_the_text_is_as_the_page_shows_it() -> None:
    record = Record.read(SHORT)
    assert record.text() == SHORT
    assert record.names == ("Ada", "white", "orange")
    assert record.comments == {0: ("A game to read: {braces} and all.",), 6: ("a fair trade",)}
    assert record.taken_back == {10: ("robber C3; robber C4",)}
    assert record.result == Result("abandoned", None, (2, 2, 2), "dinner is ready")
    assert Record.from_json(record.to_json()) == record
    assert repr(record) == "<Record fifth, 3 players, 13 steps, abandoned>"
    assert len(record) == 13
    assert record.turns == 3
    assert record.first == "blue"


def test_a_game_of_a_record_goes_on_where_it_stopped() -> None:
    record = Record.read(SHORT.replace('[Result "abandoned 2 2 2: dinner is ready"]\n', ""))
    game = record.game(dealer=Scripted(["dice 1 1"] * 20))
    assert game.comments == {0: ("A game to read: {braces} and all.",), 6: ("a fair trade",)}
    game.play("end")
    game.play("roll")
    assert (game.turn, game.active) == (4, "blue")
    assert Record.of(game).text().endswith("  3. orange: roll =2+2; end\n  4. blue: roll =1+1\n")


def test_a_cut_is_part_of_the_record() -> None:
    game = random_game(3, 60)
    for how in ("agreed", "abandoned", "capped"):
        cut = game.copy()
        cut.stop(how, "after: a note")
        again = Game.from_record(cut.record().text())
        assert again == cut
        assert again.result == cut.result


def test_chance_that_is_pending_is_still_so_in_the_game_of_a_record() -> None:
    game = Game(edition="fifth", setup="fixed", first="red", dealer=ByHand())
    game.play("roll")
    game.comment("the dice roll under the table")
    text = game.record().text()
    assert text.endswith("  1. red: roll {the dice roll under the table}\n")
    game.deal("dice 3 1")
    assert game.record().text().endswith("  1. red: roll {the dice roll under the table} =3+1\n")
    for written in (text, game.record().text()):
        again = Record.read(written)
        assert again.text() == written
    assert Game.from_record(text).chance is not None


def test_starting_rolls_stand_before_the_set_up() -> None:
    rolls = ["dice 3 4", "dice 6 1", "dice 2 2", "dice 1 1", "dice 6 6", "dice 1 2"]
    game = Game(edition="sixth", setup="variable", first="roll", seed=4, dealer=Scripted(rolls))
    text = game.record().text()
    assert '[First "red, highest roll by choice"]' in text
    assert (
        "     red roll =3+4; blue roll =6+1; white roll =2+2; orange roll =1+1; red roll =6+6; blue roll =1+2\n" in text
    )
    assert Record.read(text).game() == game
    undecided = Record.read(text.replace("; blue roll =1+2", "").replace("red, highest", "highest"))
    assert undecided.first is None
    assert undecided.text().count("highest roll") == 1
    with pytest.raises(BadRecord, match="First says that red begins, but the starting rolls are not finished"):
        Record.read(text.replace("; blue roll =1+2", ""))
    with pytest.raises(BadRecord, match="red rolls now, not white"):
        Record.read(text.replace("red roll =6+6", "white roll =6+6"))


@pytest.mark.parametrize(
    "options, text",
    [
        ({"first": "blue"}, "blue, named"),
        ({"ages": (20, 30, 60, 10)}, "white, oldest"),
        ({}, "red, seat 1, as no ages are known"),
    ],
)
@pytest.mark.rule("SETUP-05.e1")
def test_the_record_says_who_begins_and_how_that_was_decided(options: dict[str, Any], text: str) -> None:
    game = Game(edition="fifth", setup="fixed", **options)
    assert f'[First "{text}"]' in game.record().text()
    assert Game.from_record(game.record().text()) == game


def test_a_record_may_begin_at_a_position() -> None:
    game = Game.from_position(
        "turn=blue phase=main dice=3+3 blue:settlements=C3n blue:roads=C3/ne blue:hand=3ore,2wool"
    )
    game.play("end")
    text = game.record().text()
    assert '[Start "hexholm-position-1 ' in text
    assert re.search(r"^  \d\. blue: end$", text, re.MULTILINE)
    assert Record.read(text) == game.record()
    assert Game.from_record(text) == game
    short_header = f'[Start "{game.record().start}"]\n\nend'
    assert Record.read(short_header).game() == game
    with pytest.raises(BadRecord, match="other rules or players"):
        Record.read(text.replace('[Players "red blue white orange"]', '[Players "blue red white orange"]'))


def test_tags_nobody_knows_are_kept() -> None:
    text = SHORT.replace("\n\n", '\n[Event "Club night"]\n[My_tag "a \\"quoted\\" \\\\ word"]\n\n', 1)
    record = Record.read(text)
    assert record.tags == {"Event": "Club night", "My_tag": 'a "quoted" \\ word'}
    assert record.text() == text
    assert Record.from_json(record.to_json()) == record


def test_boards_and_options_of_all_kinds_come_back() -> None:
    for options in (
        {"edition": "zip", "setup": "variable", "friendly_robber": True, "hand_limit": 9},
        {"edition": "zip", "map": 17, "players": 3, "balanced_dice": True},
        {
            "edition": "threed",
            "numbers": "random",
            "harbors": "harbor_and_frame_shuffle",
            "colors": ("blue", "red", "white"),
        },
        {"edition": "sixth", "players": 2, "two_players": True, "points_to_win": 12},
    ):
        players = {"players": 3} if "colors" in options else {}
        game = Game(seed=11, dealer=ByHand(), **options, **players)  # type: ignore[arg-type]
        again = Record.read(game.record().text())
        assert again.options == game.options
        assert again.layout == game.layout
        assert again.game() == game


@pytest.mark.rule("SETUP-06", "SETUP-07", "SETUP-11", "SETUP-12", "PHASE-08")
def test_a_walk_knows_whose_turn_it_is_in_every_game() -> None:
    """The order of play is the core's own, also where the rest of the game is not known."""
    rolls = ["dice 3 4", "dice 6 1", "dice 2 2", "dice 1 1", "dice 6 6", "dice 6 6", "dice 1 2", "dice 2 2"]
    tied = Game(edition="sixth", setup="variable", first="roll", seed=4, dealer=Scripted(rolls))
    begun = Game.from_position("turn=blue turn-number=6 dice=1+1", dealer=ByHand())
    begun.play("end")
    parts = set()
    for game in (*games(), tied, begun):
        record = game.record()
        walk, guide = record.turn_tracker(), record.checked_tracker()
        for step, (seat, code) in enumerate(record.steps):
            state = guide.referee.state
            assert (walk.seat, walk.turn) == (state.active, state.turn_number), step
            assert (walk.first, walk.part, walk.line) == (guide.first, guide.part, guide.line), step
            parts.add(walk.part)
            walk.step(code)
            guide.play(seat, code)
        assert (walk.seat, walk.turn, walk.first) == (guide.seat, guide.turn, guide.first)
    assert len(parts) == 3
    assert tied.record().first == "blue"


# --- no secrets ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("INFO-06")
def test_no_record_tells_the_seed() -> None:
    seed = 8_112_963_841_460_666
    game = Game(edition="sixth", seed=seed)
    record = game.record()
    assert str(seed) not in record.text() + record.to_json() + repr(record)
    assert record.game().seed is None


def test_the_same_seed_gives_the_same_record_in_every_process() -> None:
    program = (
        "import hexholm; g = hexholm.Game(edition='fifth', setup='fixed', seed=5); g.play('roll'); print(g.record())"
    )
    texts = [
        subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            check=True,
            text=True,
            env={**os.environ, "PYTHONHASHSEED": number},
        ).stdout
        for number in ("1", "2")
    ]
    assert texts[0] == texts[1]
    assert "=" in texts[0]


def test_compiled_and_interpreted_games_give_the_same_record() -> None:
    if not COMPILED:
        pytest.skip("needs the compiler; runs where the compiled rules are tested")
    record = Record.of(games()[2])
    assert Record.of(record.game(compiled=False)) == Record.of(record.game(compiled=True)) == record


def test_a_replay_deals_the_outcomes_of_the_record() -> None:
    record = short("fifth", "fixed")
    assert len(record.outcomes) == sum(seat == NATURE for seat, _ in record.steps)
    game = Game(edition="fifth", setup="fixed", first=record.first, points_to_win=4, dealer=Replay(record.text()))
    for action in record.actions:
        if action.by != "chance":
            game.play(action)
    assert game.steps == record.steps


# --- lenient reading -------------------------------------------------------------------------------------------------


def reflowed(text: str, seed: int) -> str:
    """The same game, its turns broken into lines anywhere between words."""
    rng = random.Random(seed)
    tags, _, turns = text.partition("\n\n")
    return tags + "\n\n" + re.sub(r"\s+", lambda _: rng.choice([" ", "\n", "   ", " \t"]), turns)


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n", "\r"),
        lambda text: "\ufeff\n\n" + text + "\n\n",
        lambda text: reflowed(text, 1),
        lambda text: reflowed(text, 2),
        lambda text: re.sub(r"(?m)^ *\d+\. \w+:", ";", text),
        lambda text: re.sub(r"(?m)^( *\d+)\. ", r"\1... ", text),
        lambda text: text.replace("roll =", "ROLL=").replace("settlement", "Settlement").replace("+", " + "),
        lambda text: text.replace("[Edition", "[ edition").replace("[First", "[FIRST"),
        lambda text: text + " *",
        lambda text: re.sub(r"roll =(\d)\+(\d)", r"roll; dice \1 \2", text),
    ],
)
def test_reading_is_lenient(change: Any) -> None:
    for record in (short("fifth", "variable"), Record.of(games()[4])):
        text = record.text()
        if "blue roll =" in text.partition(" 1. ")[0] or '"highest roll' in text:
            continue
        assert change(text) != text
        assert Record.read(change(text)) == record


def test_a_board_that_the_rules_name_need_not_be_told() -> None:
    record = Record.read(header() + "1. red: roll")
    assert record.layout == Game(edition="fifth", setup="fixed").layout
    assert record.game().chance is not None


# --- faults ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text, line, words",
    [
        ("", None, "there is no game here"),
        ('[Edition "tenth"]\n\nroll', 1, "there is no edition 'tenth'"),
        ('[Setup "fixed"]\n\nroll', 1, "the edition is missing"),
        ('[Format "hexholm-record-9"]\n', 1, "the format 'hexholm-record-9' is unknown"),
        ('[Edition "fifth"]\n[Setup "variable"]\n', 1, "the hexes and harbors are missing"),
        ('[Edition "fifth"]\n[Edition "sixth"]\n', 2, "Edition is there twice"),
        ('[Edition "fifth"]\n[Players red]\n', 2, "cannot read the tag '[Players red]'"),
        (header(First="red, tallest"), 4, "First 'red, tallest'"),
        (header(First="green"), 4, "First 'green'"),
        (header(PointsToWin="many"), 5, "PointsToWin 'many'"),
        (header(PointsToWin="99"), 2, "choose a number from 3 to 20 (WIN-01)"),
        (header(BalancedDice="perhaps"), 5, "it is yes or no"),
        (header(Result="red lost 3 3 3 3"), 5, "write it like 'red won 10 7 6 4'"),
        (header(Result="red won 3 3 3"), 5, "write it like"),
        (header(Final="abc"), 5, "16 hexadecimal digits"),
        (header(Revealed="0 0 0 0"), 5, "only a copy has it"),
        (header(SeenBy="green"), 5, "SeenBy 'green'"),
        (header(Start="turn=green"), 5, "Start: turn='green'"),
        (header(Pieces="red B2n"), 5, "Pieces: cannot read 'red B2n'"),
        (header(Hexes="m10"), 5, "the board: hexes, row A"),
        (header() + "1. red: rol =3+4", 6, "turn 1: cannot read 'rol'"),
        (header() + "1. red: roll =3+4; robber C3", 6, "turn 1: red robber C3: the robber must move"),
        (header() + "1. red: roll =6+5;\n\nroad A1/nw", 8, "turn 1: red road A1/nw: "),
        (header() + "1. red: roll =7+5", 6, "'7+5' is no outcome"),
        (header() + "1. red: roll =ore", 6, "stolen ore: that outcome is not possible now"),
        (header() + "1. red: roll; end", 6, "chance decides now, for example: dice 1 1"),
        (header() + "1. red: roll =?", 6, "stolen ?: "),
        (header() + "2. red: roll", 6, "turn 2 is written here, but this is turn 1; turn 1 has not ended"),
        (header() + "1. blue: roll", 6, "turn 1 is red's, not blue's (PHASE-08)"),
        (header() + "green roll", 6, "green does not play; the players are red, blue, white, orange"),
        (header() + "red {roll", 6, "the '{' here is never closed"),
        (header() + "1. red: (roll", 6, "the '(' here is never closed"),
        (header() + "1. red: roll)", 6, "there is a ')' here that nothing opens"),
    ],
)
def test_a_fault_is_told_with_its_line_and_what_would_be_right(text: str, line: int | None, words: str) -> None:
    with pytest.raises(BadRecord) as error:
        Record.read(text)
    assert words in str(error.value)
    assert error.value.line == line
    assert pickle.loads(pickle.dumps(error.value)).message == error.value.message  # noqa: S301  # our own


@pytest.mark.rule("DEV-04")
def test_an_illegal_action_is_told_with_turn_reason_rule_and_what_is_legal() -> None:
    with pytest.raises(BadRecord, match=r"line 6: turn 1: red knight: .*\([A-Z]+-\d+\); legal now: roll$"):
        Record.read(header() + "1. red: knight")
    unchecked = Record.read(header() + "1. red: knight", check=False)
    with pytest.raises(BadRecord, match="turn 1: red knight: "):
        unchecked.game()


def test_a_bad_game_does_not_stop_the_file() -> None:
    bad = header() + "1. red: roll =3+4; end\n"
    file = "\n".join([SHORT, bad, short("zip", "fixed").text(), header().strip(), "", SHORT])
    games = list(read_records(file))
    assert [isinstance(game, Record) for game in games] == [True, False, True, True, True]
    line = file.splitlines().index("1. red: roll =3+4; end") + 1
    assert str(games[1]).startswith(f"game 2: line {line}: turn 1: red end: ")
    assert games[0] == games[4] == Record.read(SHORT)
    with pytest.raises(BadRecord, match="there are 5 games here"):
        Record.read(file)


@pytest.mark.parametrize(
    "fault, words",
    [
        ("[]", "no record"),
        ("{", "the JSON is cut short after column 1"),
        ('{"format": "hexholm-rec', "the JSON is cut short after column 23; a game is one whole line"),
        ('{"format": 3,\n"names": [', "the JSON is cut short in line 2, column 11"),
        ("{3}", "this is no JSON from column 2 on"),
        ("{}", "format is missing; it is 'hexholm-record-1'"),
        ('{"format": "x"}', "the format 'x' is unknown"),
        ({"steps": ["roll"]}, "write who does it"),
        ({"steps": ["red fly"]}, "cannot read"),
        ({"steps": ["red end"]}, "turn 1: red end"),
        ({"steps": 3}, "steps: 3 should be a list"),
        ({"colour": 3}, "unknown key 'colour'"),
        ({"options": {"edition": "tenth"}}, "there is no edition"),
        ({"first": "white"}, "first is 'white', but red begins"),
        ({"result": {"how": "lost"}}, "result: how is 'lost'; it is won, agreed, abandoned, capped"),
        ({"result": {}}, "result: how is missing; it is won"),
        ({"result": {"how": "won"}}, "result: winner is missing; it is one of red, blue, white, orange"),
        ({"result": {"how": "won", "winner": []}}, "result: winner is []; it is one of red"),
        (
            {"result": {"how": "agreed", "winner": "red"}},
            "result: winner is 'red'; it is null in a game that was agreed",
        ),
        ({"result": {"how": "agreed"}}, "result: points is missing; it is a list of 4 numbers, by seat: red, blue"),
        ({"result": {"how": "agreed", "points": [1, 2, 3]}}, "result: points is [1, 2, 3]; it is a list of 4 numbers"),
        ({"result": {"how": "agreed", "points": [1, 2, 3, True]}}, "result: points is [1, 2, 3, True]"),
        ({"result": {"how": "agreed", "points": [2] * 4, "note": 3}}, "result: note is 3; it is a text"),
        ({"result": {"how": "agreed", "pts": []}}, "result: unknown key 'pts'; it has how, winner, points, note"),
        ({"tags": {"Final": "x"}}, "cannot be a tag of your own"),
        ({"tags": {"R e": "x"}}, "cannot be a tag of your own"),
        ({"taken_back": {"0": ["end)"]}}, "brackets"),
        ({"comments": {"5": ["late"]}}, "a remark after 5 steps"),
        ({"final": "abc"}, "16 hexadecimal"),
        ({"seen_by": "green"}, "a copy for 'green'"),
        ({"names": ["A"]}, "1 names are given"),
    ],
)
def test_faults_of_json_are_told(fault: str | dict[str, Any], words: str) -> None:
    if isinstance(fault, dict):
        data = json.loads(Game(edition="fifth", setup="fixed", first="red").record().to_json())
        fault = json.dumps({**data, "final": None, **fault})
    with pytest.raises(BadRecord, match=re.escape(words)):
        Record.from_json(fault)


# --- any text --------------------------------------------------------------------------------------------------------

PIECES = st.sampled_from(
    [
        *('[Edition "fifth"]\n', '[Setup "fixed"]\n', "\n\n", "1. red: ", "roll ", "=3+4", "; ", "{", "}", "(", ")"),
        *("\\", '"', "red ", "blue: ", "end", "robber B2 ", "=?", "=ore", "#1", "accept ", "[", "]", "*", "."),
        "offer 1 ore : 1 wool to all",
    ]
)


def faithful(text: str) -> None:
    """A text is refused, or what is read from it is written in one canonical way."""
    try:
        record = Record.read(text)
    except BadRecord:
        return
    written = record.text()
    again = Record.read(written)
    assert again == record
    assert again.text() == written
    assert Record.from_json(record.to_json()) == record


@given(st.text(max_size=60) | st.lists(PIECES | st.text(max_size=3), max_size=25).map("".join))
@settings(max_examples=300)
def test_any_text_is_a_record_or_refused(text: str) -> None:
    faithful(text)
    faithful(header() + text)


@given(st.data())
@settings(max_examples=150)
def test_a_mutilated_record_is_read_faithfully_or_refused(data: st.DataObject) -> None:
    text = data.draw(
        st.sampled_from([SHORT, Record.of(games()[0]).text(), Record.of(games()[0]).seen_by("public").text()])
    )
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text)))
        to = min(len(text), at + data.draw(st.integers(0, 12)))
        put = data.draw(st.sampled_from(["", "", text[at:to] * 2]) | PIECES | st.characters().map(str))
        text = text[:at] + put + text[to:]
    faithful(text)
