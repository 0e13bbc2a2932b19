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
from ..shared.common_options import complete_from, seat_names, with_options
from ..shared.files import BadCall
from ..shared.game_options import GAME_OPTIONS, options_and_board
from ..shared.interrupts import tell_if_compiling
from ..shared.plain_text import title_lines

SPEED: Final = 4.0
"""Turns in a second, for those who watch."""


@with_options(GAME_OPTIONS)
def play(
    players: Annotated[int | None, typer.Option(help="How many players. [default: 4]", show_default=False)] = None,
    seed: Annotated[
        int | None,
        typer.Option(help="Determines the game: board, dice and draws. [default: fresh]", show_default=False),
    ] = None,
    seat: Annotated[
        str | None,
        typer.Option(help="Your color. [default: the first]", show_default=False, autocompletion=seat_names),
    ] = None,
    name: Annotated[str | None, typer.Option(help="Your name, for the record.", show_default=False)] = None,
    record: Annotated[
        str | None, typer.Option(help="Save the game to this new file. [default: a new one]", show_default=False)
    ] = None,
    resume: Annotated[str | None, typer.Option(help="Continue the game in this file.", show_default=False)] = None,
    level: Annotated[
        str | None,
        typer.Option(
            help=f"How strong the bots are: {join_words(TABLE_BOTS)}. [default: {TABLE_BOTS[0]}]",
            show_default=False,
            autocompletion=complete_from(*TABLE_BOTS),
        ),
    ] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Watch bots instead.")] = False,
    speed: Annotated[
        float | None,
        typer.Option(
            help=f"Turns per second when watching; 0 does not wait. [default: {SPEED:g}]", min=0, show_default=False
        ),
    ] = None,
    plain: Annotated[
        bool, typer.Option("--plain", help="Print a whole game as text at once, also to a file or a pipe.")
    ] = False,
    **flags: Any,
) -> int:
    """Play a game against bots in the terminal.

    Type ? at the table for what you may do. The game is saved to a file after every action; quit or Ctrl-C says how to
    continue it. The file does not contain the seed: a resumed game has new dice and draws unless you give --seed again.
    With --watch or --plain only bots play; --resume then shows the rest of a game, and --record saves the game when
    it ends.
    """
    if watch or plain:
        for option, value in (("seat", seat), ("name", name)):
            if value is not None:
                flag = "--plain" if plain else "--watch"
                raise BadCall(f"{flag} and --{option}: you only watch and have no seat; leave --{option} out")
        return _watch(players, seed, record, resume, level, SPEED if speed is None else speed, plain, **flags)
    if speed is not None:
        raise BadInput("--speed is for watching: add --watch")
    if not terminal.is_interactive():
        raise _no_terminal()
    game_seed = secrets.randbits(62) if seed is None else seed
    file = flags.pop("file")
    for option, value in (("file", file), ("resume", resume)):
        if value == "-":
            raise BadCall(f"--{option} -: standard input is what you type at the table; name a file, or add --watch")
    from hexholm.rules.compilation.mode import hurry

    from ..at_table.saved_games import (
        file_of_game,
        level_of,
        new_terminal_game,
        refuse_with_record,
        resume_command,
        resume_game,
    )
    from ..at_table.terminal_game import PersonLeft, TerminalGame

    if resume is not None:
        refuse_with_record(**flags, players=players, file=file, level=level)
        game, me = resume_game(resume, game_seed, seat, name)
    else:
        game, me = new_terminal_game(players, game_seed, seat, name, file, level_of(level), **flags)
    path = file_of_game(record, resume)
    terminal_game = TerminalGame(
        game, me, path, game_seed, ask=_ask, say=typer.echo, in_color=terminal.wants_color(), size=terminal.window_size
    )
    command = resume_command(path, seat, seed)
    typer.echo("\n".join([*title_lines(game.options, game.layout, file), terminal_game.who_plays()]))
    if resume is not None and (recap := terminal_game.last_lines()):
        typer.echo(f"\n{recap}")
    hurry()
    try:
        terminal_game.play()
    except (PersonLeft, KeyboardInterrupt) as interrupt:
        code = interrupt.code if isinstance(interrupt, PersonLeft) else 130
        tell_if_compiling(interrupt)
        typer.echo(
            f"\nTo go on with this game:\n  {command}" if terminal_game.saved else "\nThis game could not be kept."
        )
        return code
    except Exception:
        typer.echo(f"\nThis should not have happened. The game is kept:\n  {command}", err=True)
        raise
    return 0


def _watch(
    player_count: int | None,
    seed: int | None,
    record: str | None,
    resume: str | None,
    level: str | None,
    speed: float,
    plain: bool,
    file: str | None,
    **flags: Any,
) -> int:
    """Show a game of bots; returns the exit code."""
    game_seed = secrets.randbelow(1_000_000) if seed is None else seed
    if "-" in (file, resume) and sys.stdin is None:
        raise BadCall("-: standard input is closed; name a file")
    from hexholm.game.game import Game
    from hexholm.rules.compilation.mode import hurry

    from ..at_table.bot_game import show_game
    from ..at_table.saved_games import LEVEL_NAMES, file_of_game, level_of, refuse_with_record, take_up_game

    if resume is not None:
        refuse_with_record(**flags, players=player_count, file=file, level=level)
        game = take_up_game(resume, game_seed)
    else:
        options, layout = options_and_board(file, players=4 if player_count is None else player_count, **flags)
        names = [LEVEL_NAMES[level_of(level)]] * options.players
        game = Game.with_options(options, game_seed, board=layout, names=names)
    hurry()
    path = None if record is None else file_of_game(record, resume)
    if not plain and not terminal.is_interactive():
        raise _no_terminal()
    return show_game(game, game_seed, path, speed=speed, plain=plain, file=file)


def _no_terminal() -> BadCall:
    """What is said where nobody can type: what would work."""
    return BadCall(
        "play needs a terminal, and this is not one: start it in one, or play in the browser (make play); "
        "to watch a game as text: "
        f"{terminal.program_command()} play --plain"
    )


def _ask(prompt: str) -> str:
    """A line from the terminal; with a history of lines where Python has one."""
    with contextlib.suppress(ImportError):
        import readline

        readline.parse_and_bind("set enable-bracketed-paste off")  # no control sequences that nobody asked for
    return input(prompt)
