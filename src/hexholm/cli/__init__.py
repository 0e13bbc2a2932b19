"""The command `hexholm`: builds the app and runs it.

Each command is a module of :mod:`.commands`, imported when it is called, so that `hexholm --version` and
`hexholm --help` load neither numpy nor the compiler. `at_table/` is the game in the terminal, `reports/` makes text of
results, `shared/` holds what several commands need. Nothing else imports this package.
"""

from __future__ import annotations

import atexit
import contextlib
import errno
import gc
import os
import sys
from typing import Annotated, Any, Final, NoReturn

import typer
from typer.core import TyperGroup

import hexholm
from hexholm.rules.errors import BadInput

from .commands import COMMANDS, load, load_subcommands
from .shared import usage_errors
from .shared.files import BadBoardFile
from .shared.interrupts import tell_if_compiling

EXAMPLES: Final = """\
  hexholm play                     a game against bots, easy to expert
  hexholm board --png board.png    a new board and its picture
  hexholm rules rolling-a-7        what a seven does
"""


class CommandGroup(TyperGroup):
    """All commands: a name and a line each, until one is called."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that is called, with its options."""
        name, command, remaining = super().resolve_command(ctx, args)
        return name, load_command(name) if name in COMMANDS else command, remaining

    def invoke(self, ctx: Any) -> Any:
        """Run a command; Typer itself ends silently with 130 when it is interrupted."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as interrupt:
            tell_if_compiling(interrupt)
            raise


def load_command(name: str) -> Any:
    """A command as Typer makes it of its function."""
    function, example = load(name)
    own = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    epilog = None if example is None else f"Example: {example}"
    subcommands = load_subcommands(name)
    if not subcommands:
        own.command(name, epilog=epilog)(function)
        return typer.main.get_command(own)
    own.callback(epilog=epilog)(function)
    for own_name, subcommand in subcommands.items():
        own.command(own_name)(subcommand)
    command = typer.main.get_command(own)
    command.name = name
    return command


app = typer.Typer(
    name="hexholm",
    cls=CommandGroup,
    help="The island-settling board game of five rule books.",
    epilog=f"\b\nTry:\n{EXAMPLES}",
    no_args_is_help=False,
    add_completion=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(requested: bool) -> None:
    if requested:
        typer.echo(f"hexholm {hexholm.__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _options(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001 (its callback does it)
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        typer.echo(
            f"Hexholm {hexholm.__version__}, the island-settling board game of five rule books. Try:\n\n{EXAMPLES}\n"
            "hexholm --help names all commands, hexholm COMMAND --help explains one."
        )


def _not_loaded() -> None:
    raise AssertionError("CommandGroup.resolve_command puts the command itself in place of this")


for _name, _line in COMMANDS.items():
    app.command(_name, help=_line)(_not_loaded)


def main() -> NoReturn:
    """Run the command line.

    Bad input, that is a command line that cannot be read, a `BadInput` or another `ValueError` class of ours, ends in
    one line on stderr and exit code 2, a full disk in one line and 1, Ctrl-C in 130. `HEXHOLM_DEBUG=1` shows the whole
    traceback instead.
    """
    # The compiler makes many objects that stay. Looking for garbage among them, and once more at the end, takes a third
    # of the time of a short command.
    gc.set_threshold(100_000)
    atexit.register(gc.freeze)
    try:
        code = app(prog_name="hexholm", standalone_mode=False)
    except usage_errors.UsageError as error:
        if os.environ.get("HEXHOLM_DEBUG"):
            raise
        typer.echo(
            usage_errors.shorten_long_words(f"hexholm: {usage_errors.refusal_line(error, sys.argv[1:], COMMANDS)}"),
            err=True,
        )
        sys.exit(2)
    except typer.Abort:
        typer.echo("hexholm: the input ended before the answer", err=True)
        sys.exit(1)
    except ValueError as error:
        if not _is_ours(error) or os.environ.get("HEXHOLM_DEBUG"):
            raise
        if isinstance(error, BadBoardFile):
            typer.echo("\n".join(error.lines), err=True)
        else:
            typer.echo(usage_errors.shorten_long_words(f"hexholm: {' '.join(str(error).split())}"), err=True)
        sys.exit(2)
    except OSError as error:
        if os.environ.get("HEXHOLM_DEBUG"):
            raise
        _give_up_writing()
        file_note = f": {error.filename}" if error.filename else ""
        typer.echo(usage_errors.shorten_long_words(f"hexholm: {error.strerror or error}{file_note}"), err=True)
        sys.exit(2 if error.errno == errno.ENAMETOOLONG else 1)
    except KeyboardInterrupt:
        sys.exit(130)
    sys.exit(code if isinstance(code, int) else 0)


def _give_up_writing() -> None:
    """What stdout could not take is dropped; else Python would try again at its end, and complain."""
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
        return
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _is_ours(error: ValueError) -> bool:
    """Whether Hexholm raised this on purpose: a plain `ValueError` is a fault of ours and shows its traceback."""
    return isinstance(error, BadInput) or type(error).__module__.partition(".")[0] == "hexholm"
