"""A game among bots alone (`hexholm play --watch`), told in the terminal or as text.

In a terminal that is high enough the board stands still at the top, with the last turns below it; in a lower one, and
as text, everything is told one below the other, with the board now and then.
"""

from __future__ import annotations

import os
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import typer

from hexholm.bots import bot
from hexholm.game.events import Event
from hexholm.game.game import Game
from hexholm.game.language.phrases import TEXT_WIDTH, count_noun
from hexholm.rules.boards import COLOR_LETTERS

from ..shared import terminal
from ..shared.interrupts import tell_if_compiling
from ..shared.plain_text import legend, title
from ..shared.terminal import colored
from .opponents import play_bot, remind_bots
from .saved_games import level_in, replay_command, write_whole
from .screen import board_text as board_picture
from .story import Story, seen_events

BOARD_EVERY: Final = 20
"""Turns from board to board, where nobody waits for it."""
LONGEST_PAUSE: Final = 60.0  # seconds
WATCHED_TURNS: Final = 2_000
"""Then a game without a winner is stopped; those who watch may end it sooner, so there is more time than elsewhere."""
HOME, LINE_END, BELOW, BLANK = "\x1b[H", "\x1b[K\n", "\x1b[J", "\x1b[2J"
"""What moves the cursor to the top, clears the rest of a line, all below, the whole window."""


def show_game(game: Game, luck: int, path: Path | None, *, speed: float, plain: bool, file: str | None) -> int:
    """Play and show a game, and keep it at `path`; `speed` is turns in a second. Returns the exit code."""
    pieces = text_pieces(game, luck, file=file) if plain else _in_a_terminal(game, luck, speed, file)
    try:
        for text in pieces:
            typer.echo(text)
            if speed > 0 and not plain:
                time.sleep(min(1 / speed, LONGEST_PAUSE))
    except KeyboardInterrupt as stopped:
        tell_if_compiling(stopped)
        typer.echo(f"\nStopped after {count_noun(game.turn, 'turn')}.", err=True)
        _keep(game, path)
        return 130
    _keep(game, path)
    return 0


def _in_a_terminal(game: Game, luck: int, speed: float, file: str | None) -> Iterator[str]:
    """The game as a person can follow it: a picture that stands still, or as many pictures as there is time for."""
    if speed > 0 and terminal.size()[1] >= terminal.TALL and os.environ.get("TERM") != "dumb":
        return frames(game, luck, color=colored(), file=file)
    every = len(game.colors) if speed > 0 else BOARD_EVERY
    return text_pieces(game, luck, color=colored(), file=file, every=every)


def _keep(game: Game, path: Path | None) -> None:
    if path is not None:
        write_whole(path, game.record().text())
        typer.echo(f"To read this game again:\n  {replay_command(path)}", err=True)


def text_pieces(
    game: Game, seed: int, *, color: bool = False, file: str | None = None, every: int = BOARD_EVERY
) -> Iterator[str]:
    """The game in words, piece by piece: the opening, every turn, boards now and then, the final scores."""
    words = game.options.edition_data.words
    yield "\n".join([*title(game.options, game.layout, file), _players(game, seed)])
    story = Story(game.options, color=color)
    if not any(action.by in game.colors for action in game.actions) and (begun := story.tell(seen_events(game, None))):
        yield begun
    drawn = False
    for turn, happened in bot_turns(game, seed):
        if turn and not drawn:
            drawn = True
            yield f"{board_with_points(game, color)}{legend(words, COLOR_LETTERS[game.colors[0]])}\n"
        if told := story.tell(happened, turn=turn):
            yield told
        if turn and turn % every == 0 and not game.over:
            yield board_with_points(game, color)
    yield board_with_points(game, color)
    yield scores(game)


def frames(game: Game, seed: int, *, color: bool = False, file: str | None = None) -> Iterator[str]:
    """The game as whole windows: the board, and the last turns below it; at the end the final scores."""
    signs = legend(game.options.edition_data.words, COLOR_LETTERS[game.colors[0]])
    told = "\n".join([signs, "", *title(game.options, game.layout, file), _players(game, seed)]).splitlines()
    story = Story(game.options, color=color)
    told += story.tell(seen_events(game, None)).splitlines() if not game.turn else []
    yield BLANK + _frame(game, told, color)
    for turn, happened in bot_turns(game, seed):
        columns, _ = terminal.size()
        story.width = terminal.text_width(columns)
        told += story.tell(happened, turn=turn).splitlines()
        yield _frame(game, told, color)
    yield f"\n{scores(game)}\n{_players(game, seed)}"


def _frame(game: Game, told: list[str], color: bool) -> str:
    """One window full, drawn over the one before."""
    above = board_with_points(game, color).splitlines()
    room = max(3, terminal.size()[1] - len(above) - 2)
    return HOME + LINE_END.join([*above, "", *told[-room:]]) + LINE_END.removesuffix("\n") + BELOW


def _players(game: Game, seed: int) -> str:
    return f"Players: {', '.join(game.colors)}; game seed {seed}."


def bot_turns(game: Game, seed: int) -> Iterator[tuple[int, list[Event]]]:
    """Play to the end; yields the number of the turn (0: a placement) and what happened, for each of them."""
    level = level_in(game)
    players = {color: bot(level, f"{seed} {color}") for color in game.colors}
    remind_bots(game, players)
    happened: list[Event] = []
    now = game.turn, game.active
    while not game.over:
        waiting = [color for color in game.to_act if color != game.active]  # by seat: kept seeds show the same games
        color = waiting[0] if waiting else game.active
        happened += play_bot(game, players[color], color)
        then = game.turn, game.active
        if then != now or game.winner is not None:
            yield now[0], happened
            happened, now = [], then
            if game.turn > WATCHED_TURNS:
                game.cut("capped", f"nobody had won after {WATCHED_TURNS:,} turns")


def board_with_points(game: Game, color: bool) -> str:
    """The board with all pieces and the points in view."""
    view = game.view(None)
    points = ", ".join(f"{name} {view.public_points(name)}" for name in game.colors)
    return f"{board_picture(view, color=color)}\n  Points in view: {points}\n"


def scores(game: Game) -> str:
    """The final scores, the winner first."""
    view, words, points = (
        game.view(None),
        game.options.edition_data.words,
        dict(zip(game.colors, game.points, strict=True)),
    )
    lines = [f"After {count_noun(game.turn, 'turn')}:"]
    for color in sorted(game.colors, key=lambda color: (color != game.winner, -points[color])):
        parts = [
            count_noun(len(view.settlements(color)), "settlement"),
            count_noun(len(view.cities(color)), "city", "cities"),
        ]
        parts += [words["longest_road"]] * (view.longest_road == color)
        parts += [words["largest_army"]] * (view.largest_army == color)
        if cards := points[color] - view.public_points(color):
            parts.append(count_noun(cards, "hidden point"))
        crown = "wins" if color == game.winner else ""
        label = f"  {color:<7}{points[color]:>3} {crown:<5}"
        lines.append(
            textwrap.fill(", ".join(parts), TEXT_WIDTH, initial_indent=label, subsequent_indent=" " * len(label))
        )
    return "\n".join(lines)
