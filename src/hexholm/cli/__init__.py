"""The command `hexholm`.

Each command is a thin function here: it declares its options and imports what does the work when it is called, so that
`hexholm --version` and `hexholm --help` load neither numpy nor the compiler.
"""

from __future__ import annotations

import os
import sys
from typing import Annotated, NoReturn

import typer

import hexholm

app = typer.Typer(
    name="hexholm",
    help="The island-settling board game of five rule books.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"hexholm {hexholm.__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    pass


@app.command()
def doctor() -> None:
    """Show versions, the cache of compiled rules and what is installed."""
    from .checkup import report

    for label, value in report():
        typer.echo(f"{label:<12} {value}")


def main() -> NoReturn:
    """Run the command line.

    Bad input, that is a `ValueError` class of ours, ends in one line on stderr and exit code 2; Ctrl-C ends in 130.
    `HEXHOLM_DEBUG=1` shows the whole traceback instead.
    """
    try:
        app(prog_name="hexholm")
    except ValueError as error:
        if not _is_ours(error) or os.environ.get("HEXHOLM_DEBUG"):
            raise
        typer.echo(f"hexholm: {' '.join(str(error).split())}", err=True)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
    sys.exit(0)


def _is_ours(error: ValueError) -> bool:
    """Whether Hexholm raised this on purpose: a plain `ValueError` is a fault of ours and shows its traceback."""
    return type(error).__module__.partition(".")[0] == "hexholm"
