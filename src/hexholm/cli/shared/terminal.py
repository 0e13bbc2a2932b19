"""The terminal: whether there is one, its size, colors and keys, and how this program was started from it."""

from __future__ import annotations

import contextlib
import functools
import os
import select
import shlex
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from hexholm.game.language.phrases import TEXT_WIDTH

BOARD_COLUMNS: Final = 80
"""Columns that the picture of the board takes."""
WIDEST_TEXT: Final = 100
"""Longer lines than this are hard to read, however wide the window is."""
TALL_LINES: Final = 40
"""From so many lines on the board and what happened fit into the window together."""


def is_interactive() -> bool:
    """Whether a person can read and type here. A closed stream is no stream at all in Python."""
    return all(stream is not None and not stream.closed and stream.isatty() for stream in (sys.stdin, sys.stdout))


def window_size() -> tuple[int, int]:
    """Columns and lines of the window."""
    columns, lines = shutil.get_terminal_size()
    return columns, lines


def text_width(columns: int) -> int:
    """How wide text is folded in a window of so many columns."""
    return max(TEXT_WIDTH // 2, min(columns - 1, WIDEST_TEXT))


def wants_color() -> bool:
    """Whether stdout wants colors: a terminal, and NO_COLOR is not set (no-color.org)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def program_command() -> str:
    """How this program can be called again from here: by its name, if a shell finds it so, else by a path."""
    script = Path(sys.argv[0])
    if script.stem != "hexholm" or not script.is_file():  # python -m hexholm, or a test
        script = Path(sys.executable).with_name("hexholm" + script.suffix * (os.name == "nt"))
    if not script.is_file():
        return f"{shlex.quote(_shortest_path(Path(sys.executable)))} -m hexholm"
    path_found = shutil.which("hexholm")
    if path_found is not None and Path(path_found).resolve() == script.resolve():
        return "hexholm"
    return shlex.quote(_shortest_path(script))


def _shortest_path(path: Path) -> str:
    """A path as seen from here, or the whole one if that is shorter; always with a folder, so that a shell takes it."""
    whole = str(path.absolute())
    with contextlib.suppress(ValueError):  # on another drive
        near = os.path.relpath(whole)
        near = near if os.sep in near else os.curdir + os.sep + near
        return min(near, whole, key=len)
    return whole


# --- keys -------------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def read_keys() -> Iterator[Callable[[], str]]:
    """A function that returns the next key without waiting for enter; the terminal is put back afterwards."""
    try:
        import termios
        import tty
    except ImportError:  # Windows
        yield _windows_key
        return
    terminal = sys.stdin.fileno()
    attributes = termios.tcgetattr(terminal)
    try:
        tty.setcbreak(terminal, termios.TCSADRAIN)  # what was typed ahead stays
        yield functools.partial(_read_key, terminal)
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, attributes)


def _read_key(terminal: int) -> str:
    """One key; an arrow, or another key that sends several characters, is an escape."""
    pressed = os.read(terminal, 1)
    if pressed == b"\x1b" and _has_more_input(terminal) and os.read(terminal, 1) in b"[O":
        while _has_more_input(terminal) and not 0x40 <= ord(os.read(terminal, 1)) <= 0x7E:
            pass
    return pressed.decode("ascii", "replace")


def _has_more_input(terminal: int) -> bool:
    return bool(select.select([terminal], [], [], 0.01)[0])


def _windows_key() -> str:
    import msvcrt

    pressed: str = msvcrt.getwch()  # type: ignore[attr-defined,unused-ignore]
    if pressed == "\x03":
        raise KeyboardInterrupt
    return pressed
