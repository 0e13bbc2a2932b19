"""Programs that play, badly in one way or another (`odd_program.py`), and whether they have ended."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

from hexholm.bots import program as programs
from hexholm.bots.program import ProgramKind, program_kind

ODD = str(Path(__file__).with_name("odd_program.py"))


def odd(mode: str, *more: str, limit: float = 10.0) -> ProgramKind:
    return program_kind(mode, [sys.executable, "-S", ODD, mode, *more], limit)


def gone(pids: set[int]) -> bool:
    """Whether none of these processes runs any more."""
    assert pids
    if sys.platform == "win32":
        return not programs._running
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, 0)
            return False
    return True
