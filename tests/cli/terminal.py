"""A command in a pseudo-terminal: what it shows, and keys pressed when it asks for them; never longer than a while."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import pytest

PATIENCE: Final = 60.0  # seconds, for everything that waits
PLAY: Final = (sys.executable, "-m", "hexholm", "play")


def in_a_terminal(
    arguments: Sequence[str], keys: Sequence[tuple[str, str]] = (), code: int = 0, **environment: str
) -> str:
    """All that a command shows; `keys` are (text to wait for, keys to press then). Ends with the exit code `code`."""
    # a test run in the background ignores Ctrl-C, and so would its children
    hear = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    command = [sys.executable, "-c", f"{hear}; from hexholm.cli import main; main()", *arguments]
    process, ours = _started(command, _own_terminal, {"COLUMNS": "80", "HEXHOLM_INTERPRETED": "1", **environment})
    try:
        told = _talk(ours, list(keys))
        assert process.wait(PATIENCE) == code, told
    finally:
        process.kill()
        process.wait()
        os.close(ours)
    return told.replace("\r\n", "\n")


def _started(
    command: Sequence[str], first: Callable[[], None], environment: Mapping[str, str]
) -> tuple[subprocess.Popen[bytes], int]:
    """A command in a pseudo-terminal, and our end of that; the new process does something `first`."""
    pty = pytest.importorskip("pty", reason="no pseudo-terminals here")
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        command,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        preexec_fn=first,  # noqa: PLW1509  # the only thread that matters here is this one
        env={**os.environ, "TERM": "xterm", **environment},
    )
    os.close(theirs)
    return process, ours


def _own_terminal() -> None:
    """Make the pseudo-terminal the one of the new session, so that Ctrl-C typed into it is a signal."""
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def _talk(ours: int, keys: list[tuple[str, str]]) -> str:
    told, seen, end = b"", 0, time.monotonic() + PATIENCE
    while True:
        ready, _, _ = select.select([ours], [], [], max(0, end - time.monotonic()))
        assert ready, f"nothing came for {PATIENCE:.0f} seconds after: {told[-500:].decode()}"
        try:
            part = os.read(ours, 65536)
        except OSError:  # the other end is closed
            part = b""
        if not part:
            return told.decode()
        told += part
        if keys and (at := told.find(keys[0][0].encode(), seen)) >= 0:
            seen = at + len(keys[0][0].encode())
            os.write(ours, keys.pop(0)[1].encode())


def _hear_ctrl_c() -> None:
    """As in a terminal, also when the tests themselves run in the background, where it is ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Terminal:
    """`hexholm play` in a pseudo-terminal, line by line; whatever waits ends after PATIENCE."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        self.process, self.ours = _started([*PLAY, *arguments], _hear_ctrl_c, {"NO_COLOR": "1", **environment})
        self.told = ""

    def until(self, pattern: str = r"\w+> $") -> str:
        """What is told until the pattern shows, or until the end."""
        end, start = time.monotonic() + PATIENCE, len(self.told)
        while not re.search(pattern, self.told[start:]):
            if time.monotonic() > end:
                self.process.kill()
                self.process.wait()
                pytest.fail(f"no {pattern!r} in: {self.told[-1000:]}")
            ready, _, _ = select.select([self.ours], [], [], 0.2)
            try:
                part = os.read(self.ours, 65536) if ready else b""
            except OSError:  # the other end is closed
                break
            self.told += part.decode(errors="replace").replace("\r\n", "\n")
            if not part and self.process.poll() is not None:
                break
        return self.told[start:]

    def type(self, line: str) -> str:
        os.write(self.ours, f"{line}\n".encode())
        return self.until(r"\w+> $|To go on with this game:\n.*\n")

    def end(self) -> int:
        self.until("there is no such text")
        code = self.process.wait(PATIENCE)
        os.close(self.ours)
        return code
