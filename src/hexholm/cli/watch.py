"""`hexholm play --watch`: simple players play a game among themselves, told in the terminal or as text."""

from __future__ import annotations

import secrets
import sys
import textwrap
import time
from collections.abc import Iterator
from typing import Any, Final

import typer

from hexholm.game.events import Event
from hexholm.game.game import Game
from hexholm.rules.boards import COLOR_LETTERS

from .asking import WIDTH, asked, legend, many, title
from .drawing import colored
from .play import NO_TERMINAL, OPPONENT, so_far
from .screen import picture as board_picture
from .simple_player import SimplePlayer
from .story import Story

BOARD_EVERY: Final = 20  # turns
LONGEST_PAUSE: Final = 60.0  # seconds
MOST_TURNS: Final = 2_000
"""Then a game without a winner is stopped."""


def run(players: int | None, seed: int | None, speed: float, plain: bool, file: str | None, **given: Any) -> int:
    """Show a game; returns the exit code."""
    chosen, own = asked(file, players=4 if players is None else players, **given)
    if not plain and not (sys.stdin.isatty() and sys.stdout.isatty()):
        typer.echo(NO_TERMINAL)
        return 0
    luck = secrets.randbelow(1_000_000) if seed is None else seed
    game = Game(seed=luck, board=own, names=[OPPONENT] * chosen.players, **chosen.as_dict())
    for text in show(game, luck, color=colored() and not plain, file=file):
        typer.echo(text)
        if speed > 0:
            time.sleep(min(1 / speed, LONGEST_PAUSE))
    return 0


def show(game: Game, seed: int, *, color: bool = False, file: str | None = None) -> Iterator[str]:
    """The game in words, piece by piece: the opening, every turn, boards now and then, the final scores."""
    words = game.options.edition_data.words
    yield "\n".join([*title(game.options, game.layout, file), f"Players: {', '.join(game.colors)}; game seed {seed}."])
    story = Story(game.options, color=color)
    if begun := story.tell(so_far(game, None)):
        yield begun
    first_turn = True
    for turn, happened in turns(game, seed):
        if first_turn and turn:
            first_turn = False
            yield f"{picture(game, color)}{legend(words, COLOR_LETTERS[game.colors[0]])}\n"
        if told := story.tell(happened, turn=turn):
            yield told
        if turn and turn % BOARD_EVERY == 0 and not game.over:
            yield picture(game, color)
    yield picture(game, color)
    yield scores(game)


def turns(game: Game, seed: int) -> Iterator[tuple[int, list[Event]]]:
    """Play to the end; yields the number of the turn (0: a placement) and what happened, for each of them."""
    players = {color: SimplePlayer(f"{seed} {color}") for color in game.colors}
    happened: list[Event] = []
    now = game.turn, game.active
    while not game.over:
        waiting = [color for color in game.to_act if color != game.active]
        color = waiting[0] if waiting else game.active
        happened += game.play(players[color].choose(game.view(color)), by=color)
        then = game.turn, game.active
        if then != now or game.winner is not None:
            yield now[0], happened
            happened, now = [], then
            if game.turn > MOST_TURNS:
                game.cut("capped", f"nobody had won after {MOST_TURNS} turns")


def picture(game: Game, color: bool) -> str:
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
    lines = [f"After {many(game.turn, 'turn')}:"]
    for color in sorted(game.colors, key=lambda color: (color != game.winner, -points[color])):
        parts = [
            many(len(view.settlements(color)), "settlement"),
            many(len(view.cities(color)), "city", "cities"),
        ]
        parts += [words["longest_road"]] * (view.longest_road == color)
        parts += [words["largest_army"]] * (view.largest_army == color)
        if cards := points[color] - view.public_points(color):
            parts.append(many(cards, "hidden point"))
        crown = "wins" if color == game.winner else ""
        label = f"  {color:<7}{points[color]:>3} {crown:<5}"
        lines.append(textwrap.fill(", ".join(parts), WIDTH, initial_indent=label, subsequent_indent=" " * len(label)))
    return "\n".join(lines)
