"""`hexholm play --level`: who one plays against, and against whom a game goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from hexholm.bots.shipped.compiled import Hard, Medium
from hexholm.bots.shipped.easy import Easy
from hexholm.bots.shipped.random_player import Random
from hexholm.cli.at_table.bot_game import text_sections
from hexholm.cli.at_table.saved_games import (
    EASIEST,
    LEVEL_NAMES,
    level_in,
    level_of,
    new_terminal_game,
    resume_game,
    write_whole,
)
from hexholm.cli.at_table.terminal_game import TerminalGame
from hexholm.cli.shared.files import BadCall
from hexholm.game.game import Game


def table(tmp_path: Path, level: str) -> TerminalGame:
    game, me = new_terminal_game(None, 3, None, "Ada", None, level, setup="fixed")
    return TerminalGame(game, me, tmp_path / "game", 3, ask=lambda _: "quit", say=lambda _: None)


@pytest.mark.parametrize(("level", "kind"), [("easy", Easy), ("medium", Medium), ("hard", Hard), ("random", Random)])
def test_the_others_play_at_the_level_that_was_chosen(tmp_path: Path, level: str, kind: type) -> None:
    begun_table = table(tmp_path, level)
    assert {type(player) for player in begun_table.bots.values()} == {kind}
    assert f"against three {LEVEL_NAMES[level]}s: " in begun_table.who_plays()


@pytest.mark.parametrize("level", ["medium", "random"])
def test_a_game_that_is_taken_up_again_goes_on_at_its_level(tmp_path: Path, level: str) -> None:
    begun_table = table(tmp_path, level)
    write_whole(tmp_path / "kept", begun_table.game.record().text())
    game, me = resume_game(str(tmp_path / "kept"), 4, None)
    assert (me, level_in(game)) == (begun_table.me, level)
    assert game.names[game.colors.index(me)] == "Ada"


def test_a_level_that_is_none_is_refused_with_those_there_are() -> None:
    assert level_of(None) == EASIEST == "easy"
    assert level_of(" Hard ") == "hard"
    with pytest.raises(BadCall, match="--level strong: choose one of easy, medium, hard, expert, random"):
        level_of("strong")


def test_medium_players_can_be_watched() -> None:
    game = Game(seed=2, names=[LEVEL_NAMES["medium"]] * 4, points_to_win=4)
    text = "".join(text_sections(game, 2))
    assert "wins" in text
    assert game.over
