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
from hexholm.bots.protocol import is_capped
from hexholm.game.events import Event
from hexholm.game.game import Game
from hexholm.game.language.phrases import TEXT_WIDTH, count_noun
from hexholm.rules.boards import COLOR_LETTERS

from ..shared import terminal
from ..shared.interrupts import tell_if_compiling
from ..shared.plain_text import legend_text, title_lines
from ..shared.terminal import wants_color
from .opponents import next_to_decide, play_bot, remind_bots
from .saved_games import level_in, replay_command, write_whole
from .screen import board_text as board_picture
from .story import Story, seen_events

BOARD_EVERY: Final = 20
"""Turns from board to board, where nobody waits for it."""
LONGEST_PAUSE: Final = 60.0  # seconds
WATCHED_TURNS: Final = 2_000
"""Then a game without a winner is cut short; who watches may end it sooner, so there is more time than elsewhere."""
HOME, LINE_END, BELOW, BLANK = "\x1b[H", "\x1b[K\n", "\x1b[J", "\x1b[2J"
"""What moves the cursor to the top, clears the rest of a line, all below, the whole window."""


def show_game(game: Game, seed: int, path: Path | None, *, speed: float, plain: bool, file: str | None) -> int:
    """Play and show a game, and keep it at `path`; `speed` is turns in a second. Returns the exit code."""
    sections = text_sections(game, seed, file=file) if plain else _terminal_sections(game, seed, speed, file)
    try:
        for section in sections:
            typer.echo(section)
            if speed > 0 and not plain:
                time.sleep(min(1 / speed, LONGEST_PAUSE))
    except KeyboardInterrupt as interrupt:
        tell_if_compiling(interrupt)
        typer.echo(f"\nStopped after {count_noun(game.turn, 'turn')}.", err=True)
        _keep_record(game, path)
        return 130
    _keep_record(game, path)
    return 0


def _terminal_sections(game: Game, seed: int, speed: float, file: str | None) -> Iterator[str]:
    """The game as a person can follow it: a picture that stands still, or as many pictures as there is time for."""
    if speed > 0 and terminal.window_size()[1] >= terminal.TALL_LINES and os.environ.get("TERM") != "dumb":
        return draw_frames(game, seed, in_color=wants_color(), file=file)
    board_every = len(game.colors) if speed > 0 else BOARD_EVERY
    return text_sections(game, seed, in_color=wants_color(), file=file, board_every=board_every)


def _keep_record(game: Game, path: Path | None) -> None:
    if path is not None:
        write_whole(path, game.record().text())
        typer.echo(f"To read this game again:\n  {replay_command(path)}", err=True)


def text_sections(
    game: Game, seed: int, *, in_color: bool = False, file: str | None = None, board_every: int = BOARD_EVERY
) -> Iterator[str]:
    """The game in words, section by section: the opening, every turn, boards now and then, the final scores."""
    terms = game.options.edition_data.words
    yield "\n".join([*title_lines(game.options, game.layout, file), _players_line(game, seed)])
    story = Story(game.options, in_color=in_color)
    if not any(action.by in game.colors for action in game.actions) and (
        opening := story.tell(seen_events(game, None))
    ):
        yield opening
    board_shown = False
    for turn, events in bot_turns(game, seed):
        if turn and not board_shown:
            board_shown = True
            yield f"{board_with_points(game, in_color)}{legend_text(terms, COLOR_LETTERS[game.colors[0]])}\n"
        if text := story.tell(events, turn=turn):
            yield text
        if turn and turn % board_every == 0 and not game.over:
            yield board_with_points(game, in_color)
    yield board_with_points(game, in_color)
    yield scores_text(game)


def draw_frames(game: Game, seed: int, *, in_color: bool = False, file: str | None = None) -> Iterator[str]:
    """The game as whole windows: the board, and the last turns below it; at the end the final scores."""
    signs = legend_text(game.options.edition_data.words, COLOR_LETTERS[game.colors[0]])
    lines = "\n".join(
        [signs, "", *title_lines(game.options, game.layout, file), _players_line(game, seed)]
    ).splitlines()
    story = Story(game.options, in_color=in_color)
    lines += story.tell(seen_events(game, None)).splitlines() if not game.turn else []
    yield BLANK + _draw_frame(game, lines, in_color)
    for turn, events in bot_turns(game, seed):
        columns, _ = terminal.window_size()
        story.width = terminal.text_width(columns)
        lines += story.tell(events, turn=turn).splitlines()
        yield _draw_frame(game, lines, in_color)
    yield f"\n{scores_text(game)}\n{_players_line(game, seed)}"


def _draw_frame(game: Game, lines: list[str], in_color: bool) -> str:
    """One window full, drawn over the one before."""
    board_lines = board_with_points(game, in_color).splitlines()
    room = max(3, terminal.window_size()[1] - len(board_lines) - 2)
    return HOME + LINE_END.join([*board_lines, "", *lines[-room:]]) + LINE_END.removesuffix("\n") + BELOW


def _players_line(game: Game, seed: int) -> str:
    return f"Players: {', '.join(game.colors)}; game seed {seed}."


def bot_turns(game: Game, seed: int) -> Iterator[tuple[int, list[Event]]]:
    """Play to the end; yields the number of the turn (0: a placement) and what happened, for each of them."""
    level = level_in(game)
    bots = {color: bot(level, f"{seed} {color}") for color in game.colors}
    remind_bots(game, bots)
    events: list[Event] = []
    turn_before = game.turn, game.active
    while not game.over:
        color = next_to_decide(game)
        events += play_bot(game, bots[color], color)
        turn_now = game.turn, game.active
        if turn_now != turn_before or game.winner is not None:
            yield turn_before[0], events
            events, turn_before = [], turn_now
            if is_capped(game.turn, WATCHED_TURNS):
                game.stop("capped", f"nobody had won after {WATCHED_TURNS:,} turns")


def board_with_points(game: Game, in_color: bool) -> str:
    """The board with all pieces and the points in view."""
    view = game.view(None)
    points = ", ".join(f"{name} {view.public_points(name)}" for name in game.colors)
    return f"{board_picture(view, in_color=in_color)}\n  Visible points: {points}\n"


def scores_text(game: Game) -> str:
    """The final scores, the winner first."""
    view, terms, points = (
        game.view(None),
        game.options.edition_data.words,
        dict(zip(game.colors, game.points, strict=True)),
    )
    lines = [f"After {count_noun(game.turn, 'turn')}:"]
    for color in sorted(game.colors, key=lambda color: (color != game.winner, -points[color])):
        items = [
            count_noun(len(view.settlements(color)), "settlement"),
            count_noun(len(view.cities(color)), "city", "cities"),
        ]
        items += [terms["longest_road"]] * (view.longest_road == color)
        items += [terms["largest_army"]] * (view.largest_army == color)
        if cards := points[color] - view.public_points(color):
            items.append(count_noun(cards, "hidden point"))
        crown = "wins" if color == game.winner else ""
        label = f"  {color:<7}{points[color]:>3} {crown:<5}"
        lines.append(
            textwrap.fill(", ".join(items), TEXT_WIDTH, initial_indent=label, subsequent_indent=" " * len(label))
        )
    return "\n".join(lines)
