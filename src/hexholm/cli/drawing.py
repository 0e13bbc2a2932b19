"""`hexholm board`: a board drawn in characters or written as TOML; a file of one's own checked."""

from __future__ import annotations

import os
import sys
from typing import Any

import typer

from .asking import folded, game_options, legend, only_the_file, own_board


def run(seed: int, file: str | None, as_toml: bool, **given: Any) -> int:
    """Draw or write a board; returns the exit code."""
    from hexholm.rules.boards import draw_text, layout_for, start_pieces

    chosen = game_options(**given)
    if file is None:
        layout = layout_for(chosen, seed)
        colors = chosen.colors
    else:
        only_the_file(given)
        layout = own_board(file)
        colors = tuple(dict.fromkeys(piece.color for piece in layout.start))
    if as_toml:
        typer.echo(layout.to_toml(), nl=False)
        return 0
    words = chosen.edition_data.words
    if layout.name:
        typer.echo(folded(layout.name))
    typer.echo(draw_text(layout, start_pieces(layout, colors), color=colored(), words=words))
    typer.echo(legend(words))
    return 0


def colored() -> bool:
    """Whether stdout wants colours: a terminal, and NO_COLOR is not set (no-color.org)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
