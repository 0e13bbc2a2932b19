"""A command in a pseudo-terminal: what it shows, and keys pressed when it asks for them; never longer than a while."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import Final

import pytest

PATIENCE: Final = 60.0  # seconds


def in_a_terminal(
    arguments: Sequence[str], keys: Sequence[tuple[str, str]] = (), code: int = 0, **environment: str
) -> str:
    """All that a command shows; `keys` are (text to wait for, keys to press then). Ends with the exit code `code`."""
    pty = pytest.importorskip("pty", reason="no pseudo-terminals here")
    ours, theirs = pty.openpty()
    # a test run in the background ignores Ctrl-C, and so would its children
    hear = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    process = subprocess.Popen(
        [sys.executable, "-c", f"{hear}; from hexholm.cli import main; main()", *arguments],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        preexec_fn=_own_terminal,  # noqa: PLW1509  # the only thread that matters here is this one
        env={**os.environ, "TERM": "xterm", "COLUMNS": "80", "HEXHOLM_INTERPRETED": "1", **environment},
    )
    os.close(theirs)
    try:
        told = _talk(ours, list(keys))
        assert process.wait(PATIENCE) == code, told
    finally:
        process.kill()
        process.wait()
        os.close(ours)
    return told.replace("\r\n", "\n")


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
