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


def run_in_terminal(
    arguments: Sequence[str], keys: Sequence[tuple[str, str]] = (), code: int = 0, **environment: str
) -> str:
    """All that a command shows; `keys` are (text to wait for, keys to press then). Ends with the exit code `code`."""
    # a test run in the background ignores Ctrl-C, and so would its children
    restore = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    command = [sys.executable, "-c", f"{restore}; from hexholm.cli import main; main()", *arguments]
    process, our_end = _start(command, _take_terminal, {"COLUMNS": "80", "HEXHOLM_INTERPRETED": "1", **environment})
    try:
        output = _exchange(our_end, list(keys))
        assert process.wait(PATIENCE) == code, output
    finally:
        process.kill()
        process.wait()
        os.close(our_end)
    return output.replace("\r\n", "\n")


def _start(
    command: Sequence[str], prepare: Callable[[], None], environment: Mapping[str, str]
) -> tuple[subprocess.Popen[bytes], int]:
    """A command in a pseudo-terminal, and our end of that; the new process calls `prepare` first."""
    pty = pytest.importorskip("pty", reason="no pseudo-terminals here")
    our_end, their_end = pty.openpty()
    process = subprocess.Popen(
        command,
        stdin=their_end,
        stdout=their_end,
        stderr=their_end,
        start_new_session=True,
        preexec_fn=prepare,  # noqa: PLW1509  # the only thread that matters here is this one
        env={**os.environ, "TERM": "xterm", **environment},
    )
    os.close(their_end)
    return process, our_end


def _take_terminal() -> None:
    """Make the pseudo-terminal the one of the new session, so that Ctrl-C typed into it is a signal."""
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def _exchange(our_end: int, keys: list[tuple[str, str]]) -> str:
    output, searched_to, deadline = b"", 0, time.monotonic() + PATIENCE
    while True:
        ready, _, _ = select.select([our_end], [], [], max(0, deadline - time.monotonic()))
        assert ready, f"nothing came for {PATIENCE:.0f} seconds after: {output[-500:].decode()}"
        try:
            chunk = os.read(our_end, 65536)
        except OSError:  # the other end is closed
            chunk = b""
        if not chunk:
            return output.decode()
        output += chunk
        if keys and (at := output.find(keys[0][0].encode(), searched_to)) >= 0:
            searched_to = at + len(keys[0][0].encode())
            os.write(our_end, keys.pop(0)[1].encode())


def _restore_ctrl_c() -> None:
    """As in a terminal, also when the tests themselves run in the background, where it is ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Terminal:
    """`hexholm play` in a pseudo-terminal, line by line; whatever waits ends after PATIENCE."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        self.process, self.our_end = _start([*PLAY, *arguments], _restore_ctrl_c, {"NO_COLOR": "1", **environment})
        self.output = ""

    def until(self, pattern: str = r"\w+> $") -> str:
        """What is told until the pattern shows, or until the end."""
        deadline, start = time.monotonic() + PATIENCE, len(self.output)
        while not re.search(pattern, self.output[start:]):
            if time.monotonic() > deadline:
                self.process.kill()
                self.process.wait()
                pytest.fail(f"no {pattern!r} in: {self.output[-1000:]}")
            ready, _, _ = select.select([self.our_end], [], [], 0.2)
            try:
                chunk = os.read(self.our_end, 65536) if ready else b""
            except OSError:  # the other end is closed
                break
            self.output += chunk.decode(errors="replace").replace("\r\n", "\n")
            if not chunk and self.process.poll() is not None:
                break
        return self.output[start:]

    def type(self, line: str) -> str:
        os.write(self.our_end, f"{line}\n".encode())
        return self.until(r"\w+> $|To go on with this game:\n.*\n")

    def end(self) -> int:
        self.until("there is no such text")
        code = self.process.wait(PATIENCE)
        os.close(self.our_end)
        return code
