"""`hexholm play --watch` and `--plain`: a game of simple players, told turn by turn."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from hexholm.cli.asking import game_options
from hexholm.cli.story import Story, joined
from hexholm.cli.watch import show
from hexholm.game import events as ev
from hexholm.game.cards import Cards
from hexholm.game.game import Game
from hexholm.rules.boards import beginner
from hexholm.rules.editions import EDITIONS
from hexholm.rules.options import options

WATCH = [sys.executable, "-m", "hexholm", "play", "--watch", "--speed", "0", "--seed", "1", "--points-to-win", "4"]


def game(seed: int, **given: object) -> Game:
    chosen = game_options(points_to_win=5, **given)
    return Game(seed=seed, **chosen.as_dict())


def in_a_terminal(**environment: str) -> str:
    pty = pytest.importorskip("pty", reason="no pseudo-terminals here")
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        WATCH, stdin=theirs, stdout=theirs, stderr=theirs, env={**os.environ, "TERM": "xterm", **environment}
    )
    os.close(theirs)
    told = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        told += part
    os.close(ours)
    assert process.wait() == 0
    return told.decode()


def test_in_a_terminal_it_shows_a_game() -> None:
    told = in_a_terminal(NO_COLOR="1")
    assert "wins with" in " ".join(told.split())
    assert "\x1b" not in told
    assert "\x1b[" in in_a_terminal(NO_COLOR="")


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("setup", ["fixed", "variable"])
def test_every_edition_can_be_shown(edition: str, setup: str) -> None:
    shown = game(3, edition=edition, setup=setup)
    told = list(show(shown, 3))
    assert shown.winner is not None
    lines = "\n".join(told).splitlines()
    assert max(map(len, lines)) <= 80
    assert shown.options.edition_data.title in lines[0]
    assert "house rule: 5 points to win" in "\n".join(lines)
    assert any(re.match(rf"  {shown.winner} +[5-7] wins ", line) for line in lines)
    assert told == list(show(game(3, edition=edition, setup=setup), 3))


def test_what_happens_is_told_in_the_words_of_the_edition() -> None:
    told = "\n".join("\n".join(show(game(seed, edition="zip", players=3), seed)) for seed in range(3))
    told = " ".join(told.split())
    for words in ("draws a settlement at", "builds a road at", "rolls 7", "moves the robber from", "1 wood", "tile"):
        assert words in told
    assert "lumber" not in told
    assert "for the start" in told


def test_without_a_terminal_the_whole_game_can_be_had_as_text() -> None:
    done = subprocess.run([*WATCH, "--plain"], stdin=subprocess.DEVNULL, check=True, capture_output=True, text=True)
    assert "wins with" in " ".join(done.stdout.split())
    assert "\x1b" not in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("setup", ["fixed", "variable"])
def test_the_start_cards_of_all_are_told(edition: str, setup: str) -> None:
    """The set-ups pay after a settlement, a road or round two; whatever the edition, everybody is told."""
    shown = game(2, edition=edition, setup=setup)
    told = " ".join(" ".join(show(shown, 2)).split()).partition(" 1 ")[0]
    told = " ".join(" ".join(show(game(2, edition=edition, setup=setup), 2)).split())
    assert {color.lower() for color in re.findall(r"(\w+) starts with \d", told)} == set(shown.colors)


def test_the_map_of_the_pad_and_the_legend_are_shown() -> None:
    told = list(show(game(1, edition="zip", players=3), 1))
    assert "(map 18)" in told[0]
    first = next(text for text in told if "Points in view" in text)
    assert "# corner with a port" in first
    assert "(k) settlement, [K] city, kkk road" in first
    assert "".join(told).count("# corner with") == 1


def test_a_board_of_ones_own_is_shown(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text(beginner().to_toml(), encoding="utf-8")
    done = subprocess.run(
        [*WATCH, "--plain", "--file", str(file)], stdin=subprocess.DEVNULL, check=True, capture_output=True, text=True
    )
    assert f"fixed set-up (board {file})" in " ".join(done.stdout.split())
    assert "Red starts with" in done.stdout


# --- the story -------------------------------------------------------------------------------------------------------

RULES = options(edition="sixth")
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
    assert joined([(event, story.sentence(event)) for event in events]) == [
        "Red builds a settlement at A1n, a road at A1/ne and a development card (2 times).",
        "Blue moves the robber from B2 to C3 and steals a card from red.",
    ]


def test_a_turn_has_its_number_in_the_margin() -> None:
    events = [ev.TurnBegan("red", 12), ev.Rolled("red", (3, 4), 7), ev.TurnEnded("red"), ev.TurnBegan("blue", 13)]
    assert Story(RULES).tell(events) == " 12 Red rolls 7 (3 and 4)."


def test_offers_that_came_to_nothing_are_left_out_unless_they_concern_the_reader() -> None:
    offer = ev.OfferMade(1, "blue", Cards("1 ore"), Cards("1 wool"), ("red", "white"), None)
    no = [ev.OfferAnswered(1, "red", accepts=False), ev.OfferAnswered(1, "white", accepts=False)]
    events = [offer, *no, ev.OfferClosed(1, "declined")]
    assert Story(RULES, "orange").tell(events) == ""
    assert Story(RULES).tell(events) == ""
    assert "offers 1 ore for 1 wool" in Story(RULES, "red").tell(events)
    assert Story(RULES, "red").tell(events[:1], asked={1}) == ""
    assert "nobody accepts it" in " ".join(Story(RULES, "blue").tell(events).split())
    assert "nobody accepts it" not in Story(RULES, "red").tell(events)


def test_a_number_that_is_used_again_belongs_to_the_new_offer() -> None:
    mine = ev.OfferMade(1, "red", Cards("1 ore"), Cards("1 wool"), ("blue",), None)
    other = ev.OfferMade(1, "blue", Cards("1 ore"), Cards("1 wool"), ("red",), None)
    story = Story(RULES, "red")
    assert "nobody accepts it" in " ".join(story.tell([mine, ev.OfferClosed(1, "declined")]).split())
    assert story.tell([other], asked={1}) == ""
    assert story.tell([ev.OfferClosed(1, "declined")]) == ""
