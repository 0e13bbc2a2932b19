"""`hexholm play`: a game of simple players, in a terminal only."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from hexholm.cli.asking import game_options
from hexholm.cli.show import NO_TERMINAL, SimplePlayer, awards, in_words, repeated, show
from hexholm.rules.boards import beginner, layout_for
from hexholm.rules.core import actions as act
from hexholm.rules.core.apply import apply
from hexholm.rules.core.lanes import pack_named
from hexholm.rules.core.layout import RESOURCES, Work
from hexholm.rules.editions import EDITIONS
from hexholm.rules.editions import edition as edition_data
from hexholm.rules.referee import Referee

PLAY = [sys.executable, "-m", "hexholm", "play", "--speed", "0", "--seed", "1", "--points-to-win", "4"]


def game(seed: int, **given: object) -> Referee:
    chosen = game_options(points_to_win=5, **given)
    return Referee.new(layout_for(chosen, seed), compiled=False, **chosen.as_dict())


def test_without_a_terminal_it_says_so_and_that_is_no_error() -> None:
    done = subprocess.run(PLAY, stdin=subprocess.DEVNULL, check=True, capture_output=True, text=True)
    assert done.stdout == NO_TERMINAL + "\n"
    assert len(done.stdout.splitlines()) == 1
    assert done.stderr == ""


def in_a_terminal(**environment: str) -> str:
    pty = pytest.importorskip("pty", reason="no pseudo-terminals here")
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        PLAY, stdin=theirs, stdout=theirs, stderr=theirs, env={**os.environ, "TERM": "xterm", **environment}
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
    referee = game(3, edition=edition, setup=setup)
    told = list(show(referee, 3))
    assert referee.winner is not None
    lines = "\n".join(told).splitlines()
    assert max(map(len, lines)) <= 80
    assert referee.options.edition_data.title in lines[0]
    assert "house rule: 5 points to win" in "\n".join(lines)
    winner = referee.colors[referee.winner]
    assert any(line.split()[:3] == [winner, "5", "wins"] or line.split()[:3] == [winner, "6", "wins"] for line in lines)
    assert told == list(show(game(3, edition=edition, setup=setup), 3))


def test_what_happens_is_told_in_the_words_of_the_edition() -> None:
    told = "\n".join("\n".join(show(game(seed, edition="zip", players=3), seed)) for seed in range(4))
    for words in (
        "settles at",
        "builds a road at",
        "rolls 7",
        "moves the robber to",
        "wood",
        "buys a development tile",
    ):
        assert words in told
    assert "lumber" not in told
    assert "for the start" in told


def test_without_a_terminal_the_whole_game_can_be_had_as_text() -> None:
    done = subprocess.run([*PLAY, "--plain"], stdin=subprocess.DEVNULL, check=True, capture_output=True, text=True)
    assert "wins with" in " ".join(done.stdout.split())
    assert "\x1b" not in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_start_cards_of_all_are_told(edition: str) -> None:
    """The variable set-up pays after a settlement, a road or round two; whatever the edition, everybody is told."""
    referee = game(2, edition=edition, setup="variable")
    told = ""
    for text in show(referee, 2):
        if " rolls " in text and "for the start" not in text:
            break
        told += " " + " ".join(text.split())
    paid = re.findall(r"(\w+)((?: \d (?:brick|lumber|wood|wool|grain|wheat|ore))+)", told)
    assert {color for color, _ in paid} == set(referee.colors)


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_start_cards_of_a_fixed_set_up_are_told(edition: str) -> None:
    told = list(show(game(2, edition=edition, setup="fixed"), 2))[1]
    assert told.startswith("Start cards: ")
    assert all(f"{color} " in told for color in game(2, edition=edition, setup="fixed").colors)


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
        [*PLAY, "--plain", "--file", str(file)], stdin=subprocess.DEVNULL, check=True, capture_output=True, text=True
    )
    assert f"fixed set-up (board {file})" in " ".join(done.stdout.split())
    assert "Start cards: red" in done.stdout


def test_awards_are_told_when_they_change_hands() -> None:
    referee = game(1, edition="sixth", first=0)
    state = referee.state
    state.longest_road, state.largest_army = 1, 0
    assert awards(referee, 0, (-1, -1)) == ["blue takes Longest Route", "takes Largest Army"]
    assert awards(referee, 1, (0, 2)) == ["takes Longest Route from red", "red takes Largest Army from white"]
    assert awards(referee, 1, (1, 0)) == []
    state.longest_road = -1
    assert awards(referee, 0, (0, 0)) == ["loses Longest Route"]
    assert awards(referee, 2, (0, 0)) == ["red loses Longest Route"]
    told = " ".join(" ".join(" ".join(show(game(seed, edition="fifth"), seed)).split()) for seed in range(3))
    assert "takes Longest Road" in told or "takes Largest Army" in told


def test_repeated_actions_are_counted() -> None:
    words = edition_data("zip").words
    told = ["rolls 4", *["buys a development tile"] * 3, "swaps 4 ore for 1 wool", "swaps 4 ore for 1 wool"]
    assert repeated(told, words) == ["rolls 4", "buys 3 development tiles", "swaps 4 ore for 1 wool (2 times)"]


def test_a_monopoly_names_the_kind_and_who_paid() -> None:
    referee = game(1, edition="sixth", first=0)
    hands = {"red": "1 ore", "blue": "2 ore 1 wool", "white": "", "orange": "1 ore"}
    for seat, color in enumerate(referee.colors):
        cards = [int(n) for n in (hands[color].split()[::2])]
        kinds = hands[color].split()[1::2]
        referee.state.hand[seat] = pack_named(dict(zip(kinds, cards, strict=True)), RESOURCES)
    before = [referee.hand(color) for color in referee.colors]
    code = referee.read("monopoly ore")
    apply(referee.state, Work(), 0, code)
    assert in_words(referee, 0, code, before) == "plays Monopoly: takes ore, 2 from blue, 1 from orange"
    assert in_words(referee, 0, referee.read("monopoly brick"), before) == "plays Monopoly: nobody has brick"


def test_a_simple_player_chooses_by_weight() -> None:
    referee = game(1, edition="sixth", first=0)
    player = SimplePlayer(referee.state, key=5)
    assert {player.pick([0, 3, 0, 1]) for _ in range(50)} == {1, 3}
    first = player.choose(0, referee.legal(0))
    assert first & 31 == act.SETTLEMENT
    assert first in referee.legal(0)
