"""`hexholm play`: a game of simple players, in a terminal only."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from hexholm.cli.asking import game_options
from hexholm.cli.show import NO_TERMINAL, SimplePlayer, show
from hexholm.rules.boards import layout_for
from hexholm.rules.core import actions as act
from hexholm.rules.editions import EDITIONS
from hexholm.rules.referee import Referee

PLAY = [sys.executable, "-m", "hexholm", "play", "--speed", "0", "--seed", "1", "--points-to-win", "4"]


def game(seed: int, **given: object) -> Referee:
    chosen = game_options(points_to_win=5, **given)
    return Referee.new(layout_for(chosen, seed), compiled=False, **chosen.as_dict())


def test_without_a_terminal_it_is_one_line_and_no_error() -> None:
    done = subprocess.run(PLAY, stdin=subprocess.DEVNULL, check=True, capture_output=True, text=True)
    assert done.stdout == NO_TERMINAL + "\n"
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
    assert "wins with" in told
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


def test_a_simple_player_chooses_by_weight() -> None:
    referee = game(1, edition="sixth", first=0)
    player = SimplePlayer(referee.state, key=5)
    assert {player.pick([0, 3, 0, 1]) for _ in range(50)} == {1, 3}
    first = player.choose(0, referee.legal(0))
    assert first & 31 == act.SETTLEMENT
    assert first in referee.legal(0)
