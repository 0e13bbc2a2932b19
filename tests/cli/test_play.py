"""`hexholm play`: a person against simple players, typing what they do."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hexholm.bots.shipped.easy import Easy
from hexholm.cli.at_table.saved_games import OPPONENT
from hexholm.cli.at_table.terminal_game import PersonLeft, TerminalGame
from hexholm.cli.at_table.typed_line import read_typed_line
from hexholm.game.action import Action
from hexholm.game.dealers import Scripted
from hexholm.game.game import Game
from hexholm.rules.encoding.lanes import pack_named
from hexholm.rules.encoding.structs import RESOURCES
from hexholm.rules.errors import BadInput
from tests.helpers.marks import all_editions

from .typed_games import Person, at_main, new_game, offer_to_red, seat_person, type_lines

pytestmark = pytest.mark.waits

WORDS = (
    *(
        "? why board hand players offers log undo save rules help quit red blue yes no build play a card to all for 1 2"
    ).split(),
    *("#1 #9 : ore wool wood lumber b2 b3/se c3n road settlement city roll end offer counter accept confirm").split(),
    *("supply monopoly invention year of plenty knight discard steal waive withdraw road building r s e o w b").split(),
)
VIEWS = [
    new_game(setup="fixed").view("red"),
    new_game().view("red"),
    at_main({"red": "2 ore 1 wool", "blue": "1 brick"}).view("red"),
]


# --- what is shown and understood ------------------------------------------------------------------------------------


def test_the_board_the_question_and_the_hand_are_shown(tmp_path: Path) -> None:
    person = type_lines(tmp_path, new_game(setup="fixed"))
    assert "Roll the dice." in person.text
    assert "Hand: " in person.text
    assert "mountains" in person.text
    assert "# corner with a port" in person.words
    assert "   orange       2      3" in person.text
    assert max(map(len, person.text.splitlines())) <= 80
    assert "\x1b" not in person.text


def test_colors_are_used_only_when_they_are_wanted(tmp_path: Path) -> None:
    terminal_game, person = seat_person(tmp_path, new_game(setup="fixed"), [], in_color=True)
    with pytest.raises(PersonLeft):
        terminal_game.play()
    assert "\x1b[91mred\x1b[0m" in person.text
    assert "\x1b[1mRoll the dice.\x1b[0m" in person.text


def test_nothing_typed_does_nothing(tmp_path: Path) -> None:
    game = new_game(setup="fixed")
    steps = game.steps
    person = type_lines(tmp_path, game, "", "   ")
    assert game.steps == steps
    assert person.text.count("Roll the dice.") == 3


def test_what_others_did_is_told_before_the_next_question(tmp_path: Path) -> None:
    person = type_lines(tmp_path, new_game(setup="fixed", seed=6), "roll", "end", *["no"] * 9)
    assert re.search(r"You roll \d+ \(\d and \d\)\.", person.words)
    for turn, color in ((2, "Blue"), (3, "White"), (4, "Orange")):
        assert re.search(rf"\n  {turn} {color} rolls \d+", "\n" + person.text)


@pytest.mark.parametrize(
    "line", ["road B3/se", "ROAD b3/SE", "road  b3 / se", "build road b3/se", "ro B3/se", "red road B3/se"]
)
def test_an_action_is_understood_in_many_spellings(tmp_path: Path, line: str) -> None:
    game = new_game()
    person = type_lines(tmp_path, game, "settlement B3s", line)
    assert "You place a road at B3/se" in person.words


def test_a_number_picks_from_the_list_that_was_shown(tmp_path: Path) -> None:
    person = type_lines(tmp_path, new_game(), "settlement B3s", "2", "?", "9", "2")
    assert "type ? first" in person.text
    assert "The list goes from 1 to 3." in person.text
    assert "   road            1) B3/se   2) B3/sw   3) C3/e\n" in person.text
    assert "You place a road at B3/sw" in person.words


def test_a_question_mark_explains_a_kind_of_action_and_why_there_is_none(tmp_path: Path) -> None:
    game = at_main({"red": "1 brick 1 lumber"})
    person = type_lines(tmp_path, game, "? road", "? city", "? bank", "? board", "? nonsense", "?")
    road = next(action.text for action in game.legal_actions if action.kind == "road")
    assert f"{road}: a road on a side; it costs 1 brick, 1 wood." in person.words
    assert "Not now: you cannot pay for that: it costs 2 wheat and 3 ore (BUILD-01)." in person.words
    assert "supply 4 wood : 1 ore: trade with the supply" in person.words
    assert "board: the board and what everybody has" in person.words
    assert "I do not understand 'nonsense'" in person.words
    assert re.search(r"\n   end +\d+\) end your turn", person.text)


def test_why_says_why_not_with_the_rule(tmp_path: Path) -> None:
    game = at_main({"red": "3 ore 2 grain"})
    site = game.view("red").settlements()[0]
    person = type_lines(tmp_path, game, "why city C3n", f"why city {site}", "why", "why end")
    assert "only one of your own settlements can become a city (CITY-01)." in person.words
    assert "city C3n (B2se): " in person.words
    assert f"city {site}: nothing stands in the way; you may do that." in person.text
    assert "as in: why city C3n." in person.text


def test_a_refused_action_says_why_and_what_is_legal_and_loses_nothing(tmp_path: Path) -> None:
    game = new_game(setup="fixed")
    steps = game.steps
    person = type_lines(tmp_path, game, "end", "road C3/ne", "offer 1 ore : 1 wool", "city C3", "nonsense")
    assert "end: you must roll the dice before you can end your turn (PHASE-03). You may: roll" in person.words
    assert "you can trade with other players only after the roll (TRADE-01)" in person.words
    assert "city C3: 'C3' is no corner" in person.words
    assert "I do not understand 'nonsense'." in person.words
    assert game.steps == steps


def test_a_word_with_two_meanings_is_asked_back(tmp_path: Path) -> None:
    person = type_lines(tmp_path, new_game(setup="fixed"), "h", "blue roll")
    assert "'h' could be hand or help: write a little more." in person.text
    assert "You play red, not blue." in person.text


def test_commands_show_the_table(tmp_path: Path) -> None:
    lines = ["board", "hand", "players", "offers", "log", "log all", "help", "rules ROAD-03"]
    person = type_lines(tmp_path, at_main({"red": "2 ore", "blue": "1 brick 2 wool"}), *lines)
    assert person.text.count("mountains") >= 6
    assert "development card  1 wool, 1 wheat, 1 ore" in person.text
    assert "blue    1 brick, 2 wool" in person.text
    assert "No offer is open." in person.text
    assert "undo     take back your last action" in person.text
    assert "It must touch an own road, settlement or city." in person.words
    assert max(map(len, person.text.splitlines())) <= 80


def test_the_words_are_those_of_the_edition(tmp_path: Path) -> None:
    game = at_main({"black": "1 lumber 2 grain"}, edition="zip")
    person = Person(["?", "why road C3/ne", "supply 4 ore for 1 lumber", "supply 1 gold : 1 ore", "offer", "? supply"])
    terminal_game = TerminalGame(game, "black", tmp_path / "game", 1, ask=person.ask, say=person.transcript.append)
    with pytest.raises(PersonLeft):
        terminal_game.play()
    assert "Tray: 1 wood, 2 wheat" in person.text
    assert "lumber" not in person.text.replace("supply 4 ore for 1 lumber", "")
    assert "'gold' is no resource; there are brick, wood, wool, wheat, ore" in person.words
    assert "grain" not in person.text
    assert "points  tiles   dev." in person.text
    assert "card" not in person.text


def about_to_discard() -> Game:
    """Red holds nine cards and will roll a seven."""
    game = new_game(setup="fixed")
    state = game.referee.state
    state.supply += state.hand[0]
    state.hand[0] = pack_named({"wool": 6, "ore": 3}, RESOURCES)
    state.supply -= state.hand[0]
    return Game.at(game.options, game.layout, state, dealer=Scripted(["dice 3 4"]), names=game.names)


def test_a_discard_is_asked_for_with_its_size(tmp_path: Path) -> None:
    game = about_to_discard()
    person = type_lines(tmp_path, game, "roll", "discard 2 wool", "? discard", "discard 3 wool 1 ore")
    assert "Choose 4 cards to discard." in person.text
    assert "discard exactly 4 cards that you hold (SEVEN-04)" in person.words
    assert "You discard 3 wool and 1 ore" in person.words
    assert "Move the robber." in person.text


@pytest.mark.parametrize(
    "line, means",
    [
        ("roll dice", "roll"),
        ("roll the dice", "roll"),
        ("end turn", "end"),
        ("end my turn", "end"),
        ("pass", "end"),
        ("b3 s", "settlement B3s"),
        ("B3 / SE", "road B3/se"),
        ("B2", "robber B2"),
        ("build a road at C3/ne", "road B3/sw"),
        ("move the robber to B2", "robber B2"),
        ("steal from blue", "steal blue"),
        ("buy a development card", "buy"),
        ("monopoly on ore", "monopoly ore"),
        ("discard 1 ore and 2 wool", "discard 1 ore 2 wool"),
        ("offer 1 ore for 1 wool to blue and white", "offer 1 ore : 1 wool to blue white"),
        ("save Game.hexholm", "Game.hexholm"),
    ],
)
def test_words_that_say_nothing_may_be_said(line: str, means: str) -> None:
    assert read_typed_line(line, VIEWS[0]).argument == means


def test_a_place_alone_means_what_can_be_put_there(tmp_path: Path) -> None:
    game = at_main({"red": "3 ore 2 grain"})
    site = game.view("red").settlements()[0]
    assert read_typed_line(site, game.view("red")).argument == f"city {site}"
    person = type_lines(tmp_path, new_game(), "B3s", "B3/se")
    assert "You place a settlement at B3s" in person.words
    assert "You place a road at B3/se" in person.words


def test_a_place_called_by_another_name_is_told_by_both(tmp_path: Path) -> None:
    person = type_lines(tmp_path, new_game(), "settlement C3n", "settlement c3n")
    assert "C3n is also called B2se." in person.text
    assert "You place a settlement at B2se." in person.words
    assert "settlement C3n (B2se): " in person.words
    assert person.words.count("A place has a name from each hex that it touches") == 1  # below the board


def test_what_is_not_understood_is_spoken_of_as_it_was_typed(tmp_path: Path) -> None:
    game = at_main({"red": "2 grain", "blue": "1 ore"})
    lines = ["trade", "bank", "bank 1 ore", "robber", "counter", "1 2", "offer 2 wheat", "city nowhere", "confirm x"]
    person = type_lines(tmp_path, game, *lines)
    supply, offer = "supply 4 wheat : 1 ore", "offer 1 wheat : 1 ore to all"
    assert f"trade: say what you give and what you want, as in: {supply}; with players: {offer}." in person.words
    assert f"bank: say what you give and what you want, as in: {supply}." in person.words
    assert f"bank 1 ore: put a colon between the two sides; write it like {supply}." in person.words
    assert re.search(r"robber: [^'.]*\([A-Z]+-\d\d\)\.", person.words)
    assert "No offer is open that you could answer." in person.words
    assert "One number at a time" in person.words
    assert f"offer 2 wheat: put a colon between the two sides; write it like {offer}." in person.words
    assert "city nowhere: 'nowhere' is no corner" in person.words
    assert "'x' is nobody you could trade with; there are blue, white, orange." in person.words
    assert "Cannot read" not in person.text


def test_rules_tells_the_rule_that_was_quoted_last_and_says_what_works_here(tmp_path: Path) -> None:
    person = type_lines(tmp_path, new_game(setup="fixed"), "rules", "end", "rules", "rules chapters", "rules ROAD")
    assert "longest-road" in person.text
    assert "An entry: rules robber; a rule: rules ROBBER-05; all rules: rules chapters" in person.words
    assert "PHASE-03  The turn and its parts" in person.text
    assert "SEVEN    A seven is rolled" in person.text
    assert "ROAD: Roads" in person.text
    assert "hexholm rules" not in person.text


def test_rules_opens_the_almanac_in_the_words_of_the_edition(tmp_path: Path) -> None:
    lines = ("rules longest road", "rules longst road", "rules rod-03", "rules xyzzy")
    person = type_lines(tmp_path, new_game(edition="sixth"), *lines)
    assert "Longest Route  Sixth Edition" in person.text
    assert "bonus VP tile Longest Route, worth 2 points" in person.words
    assert "the almanac has no entry or rule 'longst road'; near: longest-road" in person.words
    assert "near: ROAD-03" in person.words
    assert "the almanac has no entry or rule 'xyzzy'; rules lists all entries." in person.words
    assert "Traceback" not in person.text


def test_the_best_rate_with_the_supply_is_listed_first(tmp_path: Path) -> None:
    inland = at_main({"red": "8 wool"})
    game = Game.from_position(inland.position().replace("A1se,C1se* red:roads=A2/sw", "D4se,C1se* red:roads=D4/e"))
    person = type_lines(tmp_path, game, "? supply")
    assert re.findall(r"\) (\d) wool : 1", person.text) == ["2"] * 4 + ["4"] * 4


# --- lists and windows -----------------------------------------------------------------------------------------------


def test_lists_stand_in_columns_and_break_between_items_only(tmp_path: Path) -> None:
    person = type_lines(tmp_path, at_main({"red": "4 grain 4 wool"}), "?", "supply 4 ore : 1 wool", size=(80, 50))
    after = person.text.partition("> ?\n")[2]
    rows = re.findall(r"^   supply +(\d\).*\n(?: {19}\S.*\n)+)", after, flags=re.MULTILINE)
    lines = [line.strip() for line in rows[0].splitlines()]
    items = [re.split(r" {2,}", line) for line in lines]
    assert len(lines) > 1
    assert all(re.fullmatch(r"\d+\) \d \w+ : \d \w+", item) for row in items for item in row)
    assert len({line.index(row[1]) for line, row in zip(lines, items, strict=True) if len(row) > 1}) == 1
    told_instead = after.partition("You may: ")[2].partition("and")[0]
    assert all(re.search(r"(,|: 1 \w+)$", line) for line in told_instead.splitlines()[:-1])


def test_text_is_as_wide_as_the_window_up_to_100_columns(tmp_path: Path) -> None:
    widths = {}
    for columns in (60, 80, 120):
        person = type_lines(tmp_path, new_game(), "?", "log", size=(columns, 50))
        widths[columns] = max(map(len, person.text.partition("> ?")[2].splitlines()))
        assert ("the board needs 80" in person.words) == (columns < 80)
    assert widths[60] < 60 < widths[80] < 80 < widths[120] <= 100


def test_what_one_must_know_stands_just_before_the_first_prompt(tmp_path: Path) -> None:
    for size in ((80, 24), (80, 50)):
        person = type_lines(tmp_path, new_game(setup="fixed"), "hand", size=size)
        before = person.text.partition("\nred> hand")[0]
        assert "Type an action" in "".join(before.splitlines()[-3:])
        assert person.text.count("Type an action") == 1


def test_a_low_window_is_not_filled_with_boards(tmp_path: Path) -> None:
    boards = {}
    for lines in (24, 50):
        game = new_game(setup="fixed", seed=6)
        person = type_lines(tmp_path, game, "roll", "end", *["no"] * 9, "board", size=(80, lines))
        assert game.turn > 4
        boards[lines] = person.text.count("ROBBER")
        assert person.text.count("points  cards") >= 2
        assert ("type board to see it again" in person.words) == (lines == 24)
    assert boards == {24: 2, 50: 3}  # the first, the one asked for; in a high window also that of the second turn


@given(st.text(max_size=40) | st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join))
@settings(max_examples=300, deadline=None)
def test_whatever_is_typed_is_understood_or_asked_back(line: str) -> None:
    for view in VIEWS:
        with contextlib.suppress(BadInput):
            typed_line = read_typed_line(line, view)
            if typed_line.command == "do":
                view.why_not(typed_line.argument)


# --- trade -----------------------------------------------------------------------------------------------------------


def test_an_offer_to_several_is_confirmed_with_one_who_said_yes(tmp_path: Path) -> None:
    hands = {"red": "2 grain", "blue": "3 ore 1 grain 1 wool", "white": "3 ore 1 grain 1 wool"}
    person = type_lines(tmp_path, at_main(hands), "offer 1 grain for 1 wool", "confirm", "confirm white", "hand")
    assert "Blue says yes to offer 1. White says yes to offer 1." in person.words
    assert "confirm #1 blue confirm #1 white" in person.words
    assert "Say with whom: confirm #1 blue or confirm #1 white." in person.text
    assert "You give white 1 wheat for 1 wool." in person.words
    assert "Hand: 1 wool, 1 wheat" in person.text


def test_an_offer_to_one_is_exchanged_at_once(tmp_path: Path) -> None:
    hands = {"red": "2 grain", "blue": "3 ore 1 grain 1 wool"}
    person = type_lines(tmp_path, at_main(hands), "offer 1 grain : 1 wool to blue")
    assert "You give blue 1 wheat for 1 wool." in person.words


def test_a_counter_offer_can_be_accepted_with_yes(tmp_path: Path) -> None:
    hands = {"red": "1 grain 1 brick", "blue": "3 ore 1 grain 2 wool"}
    person = type_lines(tmp_path, at_main(hands), "offer 1 brick : 1 wool to blue", "offers", "yes")
    assert "blue offers 1 wool for 1 wheat to you" in person.words
    assert "Blue offers 1 wool for your 1 wheat" in person.words
    assert "yes, no, or another offer, as in: counter #2 1 wheat : 2 wool" in person.text
    assert re.search(r"[Bb]lue gives you 1 wool for 1 wheat", person.words)


def test_a_refused_offer_and_a_withdrawn_one(tmp_path: Path) -> None:
    person = type_lines(
        tmp_path, at_main({"red": "1 brick"}), "offer 1 brick : 1 wool to blue white", "withdraw", "accept"
    )
    assert "nobody accepted it" in person.words
    assert "You have no open offer." in person.text
    assert "No offer is open that you could answer." in person.text


def test_the_person_is_asked_before_a_simple_player_goes_on(tmp_path: Path) -> None:
    game, person = offer_to_red(tmp_path, "yes")
    assert "Blue offers 1 wool for your 1 wheat." in person.words
    assert re.search(r"[Bb]lue gives you 1 wool for 1 wheat", person.words)
    assert Action.of("blue offer 1 wool : 1 grain to red") in game.actions


def test_the_person_can_counter_or_propose_when_asked(tmp_path: Path) -> None:
    game, person = offer_to_red(tmp_path, "counter 1 grain for 1 ore", *["no"] * 3)
    assert "You decline offer 1 and offer 1 wheat for 1 ore" in person.words.replace("you decline", "You decline")
    game, person = offer_to_red(tmp_path, "offer 1 grain for 2 ore", "no", *["no"] * 3)
    assert any(action.kind == "offer" and action.by == "red" and action.to == ("blue",) for action in game.actions)
    assert not any(action.kind == "offer" and action.by == "red" and len(action.to) > 1 for action in game.actions)


@all_editions
def test_examples_name_own_cards_and_players_who_are_here(tmp_path: Path, edition: str) -> None:
    game = at_main({}, edition=edition)
    me, *they = game.colors
    game = at_main({me: "2 wool 1 brick"}, edition=edition)
    person = type_lines(tmp_path, game, "?", "? offer", "? steal", "? confirm")
    assert "offer as in: offer 1 wool : 1 ore to all" in person.words
    assert f"to all, or as in: to {they[0]} {they[1]}." in person.words
    assert f"steal {they[0]}: steal from a player. Not now: " in person.words
    assert f"confirm #1 {they[0]}: " in person.words
    strangers = {"red", "blue", "white", "orange", "black", "green"} - set(game.colors)
    assert not strangers & set(re.findall(r"\w+", person.words.partition("> ?")[2]))


def test_without_cards_no_offer_is_proposed(tmp_path: Path) -> None:
    person = type_lines(tmp_path, at_main({"blue": "1 ore"}), "?", "? offer")
    assert "as in: offer" not in person.words
    assert re.search(r"Not now: .* \([A-Z]+-\d\d\)\.", person.words)


def test_the_example_of_a_discard_can_be_typed(tmp_path: Path) -> None:
    game = about_to_discard()
    person = type_lines(tmp_path, game, "roll", "discard", "? discard", "discard 4 wool")
    assert "discard: say which cards, as in: discard 4 wool." in person.words
    assert "discard 4 wool: give 4 cards back." in person.words
    assert "You discard 4 wool" in person.words


def test_one_who_said_yes_is_confirmed_as_shown(tmp_path: Path) -> None:
    hands = {"red": "2 grain", "blue": "3 ore 1 grain 1 wool"}
    person = type_lines(tmp_path, at_main(hands), "offer 1 grain : 1 wool to blue white", "confirm #1")
    assert "Blue said yes to your offer 1. Confirm it, or continue your turn. confirm #1 blue" in person.words
    assert "You give blue 1 wheat for 1 wool." in person.words


def test_whoever_is_asked_is_shown_how_to_counter(tmp_path: Path) -> None:
    game, person = offer_to_red(tmp_path, "?", "? offer", "counter", "counter #1 1 wheat : 2 wool", *["no"] * 3)
    assert "yes, no, or another offer, as in: counter #1 1 wheat : 2 wool" in person.words
    assert "counter as in: counter #1 1 wheat : 2 wool" in person.words
    assert "offer as in: offer 1 wheat : 1 ore to blue" in person.words
    assert "offer 1 wheat : 1 ore to blue: what you give, what you want, and whom to offer it to." in person.words
    assert "counter: say what you give and what you want, as in: counter #1 1 wheat : 2 wool." in person.words
    assert any(action.kind == "counter" and action.by == "red" for action in game.actions)


# --- undo -----------------------------------------------------------------------------------------------------------


def test_undo_goes_back_to_the_last_own_decision_and_the_dice_fall_the_same(tmp_path: Path) -> None:
    person = type_lines(tmp_path, new_game(setup="fixed", seed=9), "undo", "roll", "undo", "roll", "undo", "roll")
    assert "There is nothing to take back" in person.text
    assert person.text.count("Taken back: roll") == 2
    rolls = re.findall(r"You roll (\d+ \(\d and \d\))", person.words)
    assert len(rolls) == 3
    assert len(set(rolls)) == 1


def test_undo_takes_back_what_the_others_did_since(tmp_path: Path) -> None:
    game = new_game(setup="fixed", seed=6)
    terminal_game, person = seat_person(tmp_path, game, ["roll"])
    with pytest.raises(PersonLeft):
        terminal_game.play()
    before = game.copy()
    person.lines = iter(["end"])
    with pytest.raises(PersonLeft):
        terminal_game.play()
    assert game.turn > 1
    after = game.copy()
    person.lines = iter(["undo"])
    with pytest.raises(PersonLeft):
        terminal_game.play()
    assert game == before
    person.lines = iter(["end"])
    with pytest.raises(PersonLeft):
        terminal_game.play()
    assert game == after  # the same dice, and the others, reminded of what they had said, do the same


@all_editions
def test_a_whole_game_can_be_played(tmp_path: Path, edition: str) -> None:
    game = Game(edition=edition, seed=8, names=["person", *[OPPONENT] * 3], points_to_win=6)
    me = game.colors[0]
    person = Person()
    helper = Easy("me")
    person.next_line = lambda: helper.choose(game.view(me)).text
    TerminalGame(game, me, tmp_path / "game", 8, ask=person.ask, say=person.transcript.append).play()
    assert game.winner is not None
    assert ("You win with" if game.winner == me else f"{game.winner.capitalize()} wins with") in person.words
    assert re.search(
        rf"To read it again, and what decided it:\n  (.*hexholm replay {tmp_path}/game)\n  \1 --summary$", person.text
    )
    assert max(map(len, person.text.partition("To read it again")[0].splitlines())) <= 80
