"""Ctrl-C while the rules are being compiled: that takes long and looks as if nothing happened, so a line is said."""

from __future__ import annotations

import sys
import traceback
from typing import Final

import typer

COMPILING: Final = "hexholm: interrupted while compiling; the next start goes on with what is compiled already"


def tell_if_compiling(interrupt: BaseException) -> None:
    """Say so on stderr if the compiler was at work; what it leaves half-built is torn down without a word."""
    if is_compiling(interrupt):
        sys.unraisablehook = lambda _: None
        typer.echo(COMPILING, err=True)


def is_compiling(interrupt: BaseException) -> bool:
    """Whether this came out of the compiler, after it was announced: loading what is compiled goes through it too."""
    module = sys.modules.get("hexholm.rules.compilation.mode")
    if module is None or not module.compile_notices.has_spoken:
        return False
    frames = (frame for frame, _ in traceback.walk_tb(interrupt.__traceback__))
    return any(str(frame.f_globals.get("__name__")).startswith("numba.") for frame in frames)
