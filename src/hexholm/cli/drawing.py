"""`hexholm board`: a board drawn in characters or written as TOML; a file of one's own checked."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import typer

from .asking import game_options


class NoSuchFile(ValueError):
    """A file that cannot be read."""


def run(seed: int, file: str | None, as_toml: bool, **given: Any) -> int:
    """Draw or write a board; returns the exit code."""
    from hexholm.rules.boards import BadBoard, draw_text, layout_for, read_board, start_pieces

    chosen = game_options(**given)
    if file is None:
        layout = layout_for(chosen, seed)
        colors = chosen.colors
    else:
        try:
            layout = read_board(_text(file))
        except BadBoard as wrong:
            count = len(wrong.faults)
            typer.echo(f"hexholm: {file}: {count} fault{'s' if count > 1 else ''}", err=True)
            for rule, message in wrong.faults:
                typer.echo(f"  {rule}: {message}", err=True)
            return 2
        colors = tuple(dict.fromkeys(piece.color for piece in layout.start))
    if as_toml:
        typer.echo(layout.to_toml(), nl=False)
        return 0
    typer.echo(layout.name)
    pieces = start_pieces(layout, colors)
    typer.echo(draw_text(layout, pieces, color=colored(), words=chosen.edition_data.words))
    return 0


def _text(file: str) -> str:
    try:
        return sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
    except OSError as wrong:
        raise NoSuchFile(f"cannot read {file}: {wrong.strerror}") from None
    except UnicodeDecodeError:
        raise NoSuchFile(f"cannot read {file}: it is no UTF-8 text") from None


def colored() -> bool:
    """Whether stdout wants colours: a terminal, and NO_COLOR is not set (no-color.org)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
