"""What goes wrong with bots: none of it may take a game, or the other bots, along.

Whatever a bot's code raises costs it that decision, or its place, and is told in a line; only what was not its own
doing (:func:`is_from_outside`) is raised on.
"""

from __future__ import annotations

import contextlib
import signal
import sys
import traceback
from pathlib import Path
from typing import Any


class BotFault(Exception):
    """A bot gave no answer that can be used. `kind`: "slow", "died", "nonsense"."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind

    def __reduce__(self) -> tuple[Any, ...]:
        return BotFault, (self.kind, str(self))


def is_from_outside(error: BaseException) -> bool:
    """Whether what was raised in a bot's code is none of its own: Ctrl-C, or what a signal's handler raised there.

    Limits of time are such. It is raised on; anything else costs the bot its decision, or its place, and no more.
    """
    if isinstance(error, KeyboardInterrupt):
        return True
    if isinstance(error, Exception):
        return False
    handlers = {getattr(signal.getsignal(number), "__code__", None) for number in signal.valid_signals()}
    return any(frame.f_code in handlers for frame, _ in traceback.walk_tb(error.__traceback__))


def close_bot(bot: object) -> BaseException | None:
    """Tell a bot that its game is over, if it wants to know; what it raised at that, if anything."""
    try:
        closing = getattr(bot, "close", None)
        if closing is not None:
            closing()
    except BaseException as error:
        if is_from_outside(error):
            raise
        return error
    return None


def prints_aside() -> contextlib.redirect_stdout[Any]:
    """What a bot prints meanwhile goes to stderr: standard output is for results."""
    return contextlib.redirect_stdout(sys.stderr)


def fault_line(error: BaseException) -> str:
    """An exception in one line; not all have a message, and some cannot say what they are about."""
    try:
        return " ".join(f"{type(error).__name__}: {error}".split()).removesuffix(":")
    except BaseException as worse:
        if is_from_outside(worse):
            raise
        return type(error).__name__


def fault_location(error: BaseException) -> str:
    """Where in a bot's own files an exception came from, as `my_bot.py, line 9`; "" if from nowhere in them.

    Its own are the first that Hexholm has called, and those beside it: where in a library it ended helps nobody.
    """
    foreign = [
        (Path(frame.f_code.co_filename), line)
        for frame, line in traceback.walk_tb(error.__traceback__)
        if frame.f_globals.get("__name__", "").partition(".")[0] not in ("hexholm", "importlib", "contextlib")
        and not frame.f_code.co_filename.startswith("<")
    ]
    own = [(file.name, line) for file, line in foreign if file.parent == foreign[0][0].parent]
    return f"{own[-1][0]}, line {own[-1][1]}" if own else ""
