"""`hexholm play`: a person against bots in the terminal, or bots alone to watch.

The table of a person is :mod:`..at_table.terminal_game`, that of bots :mod:`..at_table.bot_game`. The record holds no
seed: who resumes without `--seed` gets fresh dice.
"""

from __future__ import annotations

import contextlib
import secrets
import sys
from typing import Annotated, Any, Final

import typer

from hexholm.bots.shipped_bots import TABLE_BOTS
from hexholm.game.language.phrases import join_words
from hexholm.rules.errors import BadInput

from ..shared import terminal
from ..shared.common_options import choices, seat_names, shared
from ..shared.files import BadCall
from ..shared.game_options import GAME_OPTIONS, options_and_board
from ..shared.interrupts import tell_if_compiling
from ..shared.plain_text import title

SPEED: Final = 4.0
"""Turns in a second, for those who watch."""


@shared(GAME_OPTIONS)
def play(
    players: Annotated[int | None, typer.Option(help="How many. [default: 4]", show_default=False)] = None,
    seed: Annotated[
        int | None, typer.Option(help="Names the game: board, dice and cards. [default: fresh]", show_default=False)
    ] = None,
    seat: Annotated[
        str | None,
        typer.Option(help="Your colour. [default: the first]", show_default=False, autocompletion=seat_names),
    ] = None,
    name: Annotated[str | None, typer.Option(help="Your name, for the record.", show_default=False)] = None,
    record: Annotated[
        str | None, typer.Option(help="Keep the game in this new file. [default: one of its own]", show_default=False)
    ] = None,
    resume: Annotated[str | None, typer.Option(help="Go on with the game in this file.", show_default=False)] = None,
    level: Annotated[
        str | None,
        typer.Option(
            help=f"How strong the others are: {join_words(TABLE_BOTS)}. [default: {TABLE_BOTS[0]}]",
            show_default=False,
            autocompletion=choices(*TABLE_BOTS),
        ),
    ] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Watch bots instead.")] = False,
    speed: Annotated[
        float | None,
        typer.Option(
            help=f"Turns a second when watching; 0: no waiting. [default: {SPEED:g}]", min=0, show_default=False
        ),
    ] = None,
    plain: Annotated[
        bool, typer.Option("--plain", help="Watch a whole game as text at once, also into a file or a pipe.")
    ] = False,
    **given: Any,
) -> int:
    """Play a game against bots in the terminal.

    Type ? at the table for what you may do. The game is kept in a file after every action; quit or Ctrl-C says how to
    go on with it. The file does not hold the seed: dice and cards of a resumed game are fresh unless --seed is given
    again. With --watch or --plain only bots play; --resume then shows the rest of a game, and --record keeps
    the game at its end.
    """
    if watch or plain:
        for option, value in (("seat", seat), ("name", name)):
            if value is not None:
                flag = "--plain" if plain else "--watch"
                raise BadCall(f"{flag} and --{option}: you only watch, no seat is yours; leave --{option} out")
        return _watch(players, seed, record, resume, level, SPEED if speed is None else speed, plain, **given)
    if speed is not None:
        raise BadInput("--speed is for watching: add --watch")
    if not terminal.is_there():
        raise _no_terminal()
    luck = secrets.randbits(62) if seed is None else seed
    file = given.pop("file")
    for option, value in (("file", file), ("resume", resume)):
        if value == "-":
            raise BadCall(f"--{option} -: standard input is what you type at the table; name a file, or add --watch")
    from hexholm.rules.mode import hurry

    from ..at_table.saved_games import (
        file_of_game,
        level_of,
        new_terminal_game,
        only_the_record,
        resume_command,
        resume_game,
    )
    from ..at_table.terminal_game import PersonLeft, TerminalGame

    if resume is not None:
        only_the_record(**given, players=players, file=file, level=level)
        game, me = resume_game(resume, luck, seat, name)
    else:
        game, me = new_terminal_game(players, luck, seat, name, file, level_of(level), **given)
    path = file_of_game(record, resume)
    table = TerminalGame(game, me, path, luck, ask=_ask, say=typer.echo, color=terminal.colored(), size=terminal.size)
    again = resume_command(path, seat, seed)
    typer.echo("\n".join([*title(game.options, game.layout, file), table.who_plays()]))
    if resume is not None and (last := table.last_lines()):
        typer.echo(f"\n{last}")
    hurry()
    try:
        table.play()
    except (PersonLeft, KeyboardInterrupt) as end:
        code = end.code if isinstance(end, PersonLeft) else 130
        tell_if_compiling(end)
        typer.echo(f"\nTo go on with this game:\n  {again}" if table.saved else "\nThis game could not be kept.")
        return code
    except Exception:
        typer.echo(f"\nThis should not have happened. The game is kept:\n  {again}", err=True)
        raise
    return 0


def _watch(
    players: int | None,
    seed: int | None,
    record: str | None,
    resume: str | None,
    level: str | None,
    speed: float,
    plain: bool,
    file: str | None,
    **given: Any,
) -> int:
    """Show a game of bots; returns the exit code."""
    luck = secrets.randbelow(1_000_000) if seed is None else seed
    if "-" in (file, resume) and sys.stdin is None:
        raise BadCall("-: standard input is closed; name a file")
    from hexholm.game.game import Game
    from hexholm.rules.mode import hurry

    from ..at_table.bot_game import show_game
    from ..at_table.saved_games import LEVELS, file_of_game, level_of, only_the_record, take_up_game

    if resume is not None:
        only_the_record(**given, players=players, file=file, level=level)
        game = take_up_game(resume, luck, compiled=None)
    else:
        chosen, own = options_and_board(file, players=4 if players is None else players, **given)
        game = Game(seed=luck, board=own, names=[LEVELS[level_of(level)]] * chosen.players, **chosen.as_dict())
    hurry()
    path = None if record is None else file_of_game(record, resume)
    if not plain and not terminal.is_there():
        raise _no_terminal()
    return show_game(game, luck, path, speed=speed, plain=plain, file=file)


def _no_terminal() -> BadCall:
    """What is said where nobody can type: what would work."""
    return BadCall(
        "play is for a terminal, and this is none: start it in one, or play in the browser (make play); "
        "to watch a game as text: "
        f"{terminal.program_called()} play --plain"
    )


def _ask(prompt: str) -> str:
    """A line from the terminal; with a history of lines where Python has one."""
    with contextlib.suppress(ImportError):
        import readline

        readline.parse_and_bind("set enable-bracketed-paste off")  # no control sequences that nobody asked for
    return input(prompt)
