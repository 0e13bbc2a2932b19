"""`hexholm play --watch` and `--plain`: a game of simple players, told turn by turn."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hexholm.cli.at_table.bot_game import BELOW, BLANK, HOME, text_sections
from hexholm.cli.at_table.saved_games import OPPONENT
from hexholm.cli.at_table.story import ANSI, Story, join_deeds
from hexholm.game import events as ev
from hexholm.game.cards import Cards
from hexholm.game.game import Game
from hexholm.rules.boards import beginner_layout
from hexholm.rules.setup.options import check_options
from tests.helpers.marks import all_editions

from .terminal import run_in_terminal

pytestmark = pytest.mark.waits

WATCH_WORDS = ["play", "--watch", "--seed", "1", "--points-to-win", "4"]
WATCH = [sys.executable, "-m", "hexholm", "play", "--watch", "--speed", "0", "--seed", "1", "--points-to-win", "4"]


def game(seed: int, **options: Any) -> Game:
    return Game(seed=seed, points_to_win=5, **options)


def test_in_a_terminal_it_shows_a_game() -> None:
    output = run_in_terminal(WATCH[3:], NO_COLOR="1")
    assert "wins with" in " ".join(output.split())
    assert "\x1b" not in output
    assert "\x1b[" in run_in_terminal(WATCH[3:], NO_COLOR="")


def test_in_a_high_window_the_board_stands_still() -> None:
    output = run_in_terminal([*WATCH_WORDS, "--speed", "500"], NO_COLOR="1", LINES="50", COLUMNS="90")
    first, *frames = output.split(HOME)
    assert first == BLANK
    last = frames.pop().partition(BELOW)
    assert len(frames) > 10
    for frame in frames:
        lines = frame.splitlines()
        assert len(lines) < 50
        assert frame.count("ROBBER") == 1
        assert frame.rstrip().endswith(BELOW)
        assert max(len(re.sub(r"\x1b\[\w", "", line)) for line in lines) <= 90
    assert "Visible points: red" in last[0]
    assert re.search(r"  \w+ +\d+ wins ", last[2])
    assert "game seed 1." in last[2]


def test_in_a_low_window_the_board_comes_every_round() -> None:
    output = run_in_terminal([*WATCH_WORDS, "--speed", "500"], NO_COLOR="1", LINES="24")
    turns = int(re.findall(r"After (\d+) turns:", output)[0])
    assert output.count("Visible points:") == turns // 4 + 2 - (turns % 4 == 0)
    assert "\x1b" not in output


def test_ctrl_c_ends_it_cleanly(tmp_path: Path) -> None:
    record = tmp_path / "game"
    output = run_in_terminal([*WATCH_WORDS, "--speed", "1", "--record", str(record)], [("Visible points", "\x03")], 130)
    assert re.search(r"\nStopped after \d+ turns?\.\n", output)
    assert "Traceback" not in output
    assert Game.from_record(record.read_text(encoding="utf-8")).result is None
    assert f"hexholm replay {record}" in output


def test_a_watched_game_is_kept_and_the_rest_of_a_game_can_be_watched(tmp_path: Path) -> None:
    whole, part = tmp_path / "whole", tmp_path / "part"
    process = plain("--seed", "1", "--points-to-win", "4", "--edition", "fifth", "--record", str(whole))
    assert f"hexholm replay {whole}" in process.stderr
    assert "replay" not in process.stdout
    kept_game = Game.from_record(whole.read_text(encoding="utf-8"))
    assert kept_game.winner is not None
    assert set(kept_game.names) == {OPPONENT}
    for _ in range(12):
        kept_game.undo()
    turn = kept_game.turn
    part.write_text(kept_game.record().text(), encoding="utf-8")
    output = plain("--resume", str(part), "--seed", "1").stdout
    assert output.startswith("Fifth Edition")
    assert "roll for the start" not in output
    assert re.search(rf"^{turn + 1:>3} ", output, flags=re.MULTILINE)
    assert not re.search(rf"^{turn - 1:>3} ", output, flags=re.MULTILINE)
    assert " wins with " in " ".join(output.split())
    assert part.read_text(encoding="utf-8") == kept_game.record().text()  # only --record writes
    plain("--resume", str(part), "--seed", "1", "--record", str(part))
    assert Game.from_record(part.read_text(encoding="utf-8")).winner is not None


def plain(*arguments: str) -> subprocess.CompletedProcess[str]:
    """A game as text."""
    return subprocess.run(
        [*WATCH[:4], "--plain", *arguments], stdin=subprocess.DEVNULL, check=True, capture_output=True, text=True
    )


@all_editions
@pytest.mark.parametrize("setup", ["fixed", "variable"])
def test_every_edition_can_be_shown(edition: str, setup: str) -> None:
    watched = game(3, edition=edition, setup=setup)
    sections = list(text_sections(watched, 3))
    assert watched.winner is not None
    lines = "\n".join(sections).splitlines()
    assert max(map(len, lines)) <= 80
    assert watched.options.edition_data.title in lines[0]
    assert "house rule: 5 points to win" in "\n".join(lines)
    assert any(re.match(rf"  {watched.winner} +[5-7] wins ", line) for line in lines)
    assert sections == list(text_sections(game(3, edition=edition, setup=setup), 3))


def test_what_happens_is_told_in_the_words_of_the_edition() -> None:
    text = "\n".join("\n".join(text_sections(game(seed, edition="zip", players=3), seed)) for seed in range(3))
    text = " ".join(text.split())
    for words in ("draws a settlement at", "builds a road at", "rolls 7", "moves the robber from", "1 wood", "tile"):
        assert words in text
    assert "lumber" not in text
    assert "for the start" in text


def test_without_a_terminal_the_whole_game_can_be_had_as_text() -> None:
    process = subprocess.run([*WATCH, "--plain"], stdin=subprocess.DEVNULL, check=True, capture_output=True, text=True)
    assert "wins with" in " ".join(process.stdout.split())
    assert "\x1b" not in process.stdout
    assert max(map(len, process.stdout.splitlines())) <= 80


@all_editions
@pytest.mark.parametrize("setup", ["fixed", "variable"])
def test_the_start_cards_of_all_are_told(edition: str, setup: str) -> None:
    """The set-ups pay after a settlement, a road or round two; whatever the edition, everybody is told."""
    watched = game(2, edition=edition, setup=setup)
    text = " ".join(" ".join(text_sections(watched, 2)).split()).partition(" 1 ")[0]
    text = " ".join(" ".join(text_sections(game(2, edition=edition, setup=setup), 2)).split())
    assert {color.lower() for color in re.findall(r"(\w+) starts with \d", text)} == set(watched.colors)


def test_the_map_of_the_pad_and_the_legend_are_shown() -> None:
    sections = list(text_sections(game(1, edition="zip", players=3), 1))
    assert "(map 18)" in sections[0]
    first = next(text for text in sections if "Visible points" in text)
    assert "# corner with a port" in first
    assert "(k) settlement, [K] city, kkk road" in first
    assert "".join(sections).count("# corner with") == 1


def test_a_board_of_ones_own_is_shown(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text(beginner_layout().to_toml(), encoding="utf-8")
    process = subprocess.run(
        [*WATCH, "--plain", "--file", str(file)], stdin=subprocess.DEVNULL, check=True, capture_output=True, text=True
    )
    assert f"fixed setup (board {file})" in " ".join(process.stdout.split())
    assert "Red starts with" in process.stdout


# --- the story -------------------------------------------------------------------------------------------------------

RULES = check_options(edition="sixth")
FREE = Cards()


def test_deeds_of_one_player_become_one_sentence() -> None:
    story = Story(RULES)
    events = [
        ev.Built("red", "settlement", "A1n", Cards("1 brick")),
        ev.Built("red", "road", "A1/ne", Cards("1 brick")),
        ev.Bought("red", Cards("1 ore")),
        ev.Bought("red", Cards("1 ore")),
        ev.RobberMoved("blue", "C3", "B2", ("red",)),
        ev.Stole("blue", "red", None),
    ]
    assert join_deeds([(event, story.sentence_of(event)) for event in events]) == [
        "Red builds a settlement at A1n, a road at A1/ne, and a development card (2 times).",
        "Blue moves the robber from B2 to C3 and steals a card from red.",
    ]


def test_a_comma_parts_what_is_long_before_the_last_and() -> None:
    story = Story(RULES)
    trade = ev.SupplyTraded("red", Cards("2 ore"), Cards("1 lumber"), 2)
    robber = ev.RobberMoved("red", "C3", "B2", ())
    road_built = ev.Built("red", "road", "A1/ne", Cards("1 brick"))
    for events, sentence in (
        ([trade, road_built], "Red trades 2 ore for 1 wood with the supply (2:1), and builds a road at A1/ne."),
        ([road_built, trade], "Red builds a road at A1/ne and trades 2 ore for 1 wood with the supply (2:1)."),
        (
            [robber, road_built],
            "Red moves the robber from B2 to C3, where nobody can be robbed, and builds a road at A1/ne.",
        ),
    ):
        assert join_deeds([(event, story.sentence_of(event)) for event in events]) == [sentence]


def test_the_start_is_spoken_of_once() -> None:
    text = " ".join(" ".join(text_sections(game(3, first="roll"), 3)).split())
    assert text.count("for the start") == 1
    assert re.search(r"roll for the start\. Red rolls \d+ \(\d and \d\)\. Blue rolls", text)


def test_cards_are_not_torn_apart_at_the_end_of_a_line() -> None:
    for width in range(30, 60):
        story = Story(RULES)
        story.width = width
        text = story.tell([ev.TurnBegan("red", 2), ev.Rolled("red", (3, 4), 7), trade_of_many()])
        assert not re.search(r"(\d|\(\d and)$", text, flags=re.MULTILINE)


def trade_of_many() -> ev.Event:
    return ev.Traded(1, "red", "blue", Cards("2 ore 1 wool"), Cards("1 lumber 1 brick 1 grain"))


def test_no_color_of_a_player_vanishes_on_a_light_window() -> None:
    assert not {"97", "37", "93", "92"} & {code for style in ANSI.values() for code in style.split(";")}


def test_a_turn_has_its_number_in_the_margin() -> None:
    events = [ev.TurnBegan("red", 12), ev.Rolled("red", (3, 4), 7), ev.TurnEnded("red"), ev.TurnBegan("blue", 13)]
    assert Story(RULES).tell(events) == " 12 Red rolls 7 (3 and 4)."


def test_offers_that_came_to_nothing_are_left_out_unless_they_concern_the_reader() -> None:
    offer = ev.OfferMade(1, "blue", Cards("1 ore"), Cards("1 wool"), ("red", "white"), None)
    refusals = [ev.OfferAnswered(1, "red", accepts=False), ev.OfferAnswered(1, "white", accepts=False)]
    events = [offer, *refusals, ev.OfferClosed(1, "declined")]
    assert Story(RULES, "orange").tell(events) == ""
    assert Story(RULES).tell(events) == ""
    assert "offers 1 ore for 1 wool" in Story(RULES, "red").tell(events)
    assert Story(RULES, "red").tell(events[:1], open_offers={1}) == ""
    assert "nobody accepted it" in " ".join(Story(RULES, "blue").tell(events).split())
    assert "nobody accepted it" not in Story(RULES, "red").tell(events)


def test_a_number_that_is_used_again_belongs_to_the_new_offer() -> None:
    own_offer = ev.OfferMade(1, "red", Cards("1 ore"), Cards("1 wool"), ("blue",), None)
    offer_made = ev.OfferMade(1, "blue", Cards("1 ore"), Cards("1 wool"), ("red",), None)
    story = Story(RULES, "red")
    assert "nobody accepted it" in " ".join(story.tell([own_offer, ev.OfferClosed(1, "declined")]).split())
    assert story.tell([offer_made], open_offers={1}) == ""
    assert story.tell([ev.OfferClosed(1, "declined")]) == ""
