"""The terminal: whether there is one, how large it is, how text is folded for it, and how this program was started."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import shutil
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from .game_options import WIDTH

NEEDED: Final = 80
"""Columns that the picture of the board takes."""
WIDEST: Final = 100
"""Longer lines than this are hard to read, however wide the window is."""
TALL: Final = 40
"""From so many lines on the board and what happened fit into the window together."""
GLUE: Final = "\xa0"
"""A blank at which no line is broken; it is shown as a blank."""
GAP: Final = "   "


def is_there() -> bool:
    """Whether a person can read and type here. A closed stream is no stream at all in Python."""
    return all(stream is not None and not stream.closed and stream.isatty() for stream in (sys.stdin, sys.stdout))


def size() -> tuple[int, int]:
    """Columns and lines of the window."""
    columns, lines = shutil.get_terminal_size()
    return columns, lines


def text_width(columns: int) -> int:
    """How wide text is folded in a window of so many columns."""
    return max(WIDTH // 2, min(columns - 1, WIDEST))


def filled(text: str, width: int = WIDTH, first: str = "", rest: str = "") -> str:
    """A text in as many lines as it takes, the first begun with `first`, the others with `rest`.

    `2 ore` and `(3 and 4)` stay together, and whatever else has GLUE for its blanks.
    """
    text = re.sub(r"(?<=\d) (?=[a-z])|(?<=\d and) (?=\d)", GLUE, text)
    lines = textwrap.wrap(
        text, width, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False
    )
    return "\n".join(lines).replace(GLUE, " ")


def glued(text: str) -> str:
    """A text that is not to be broken into two lines."""
    return text.replace(" ", GLUE)


def in_columns(items: Sequence[str], label: str, width: int = WIDTH) -> str:
    """Items in columns behind a label; none is ever broken, all of a column are as wide."""
    widest = max(map(len, items), default=0)
    across = max(1, (width - len(label) + len(GAP)) // (widest + len(GAP)))
    rows = [items[at : at + across] for at in range(0, len(items), across)]
    lines = [GAP.join(f"{item:<{widest}}" for item in row).rstrip() for row in rows]
    return "\n".join(f"{' ' * len(label) if at else label}{line}" for at, line in enumerate(lines)) or label.rstrip()


def program() -> str:
    """How this program can be called again from here: by its name, if a shell finds it so, else by a path."""
    script = Path(sys.argv[0])
    if script.stem != "hexholm" or not script.is_file():  # python -m hexholm, or a test
        script = Path(sys.executable).with_name("hexholm" + script.suffix * (os.name == "nt"))
    if not script.is_file():
        return f"{shlex.quote(_shortest(Path(sys.executable)))} -m hexholm"
    found = shutil.which("hexholm")
    if found is not None and Path(found).resolve() == script.resolve():
        return "hexholm"
    return shlex.quote(_shortest(script))


def _shortest(path: Path) -> str:
    """A path as seen from here, or the whole one if that is shorter; always with a folder, so that a shell takes it."""
    whole = str(path.absolute())
    with contextlib.suppress(ValueError):  # on another drive
        near = os.path.relpath(whole)
        near = near if os.sep in near else os.curdir + os.sep + near
        return min(near, whole, key=len)
    return whole
