"""Ctrl-C while the rules are being compiled: what is said, and that it is true."""

from __future__ import annotations

import contextlib
import io
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType

import pytest

from hexholm.cli.at_table import bot_game
from hexholm.cli.commands import rules
from hexholm.cli.shared.interrupts import COMPILING
from hexholm.rules.compilation import mode

from .conftest import CommandResult

pytestmark = pytest.mark.waits

Run = Callable[[str], CommandResult]
HEAR = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
"""A process that a test starts in the background may have been told not to hear it."""


def cached_files(cache: Path) -> dict[Path, int]:
    """Compiled kernels on the disk, each with a number that changes when it is written again."""
    return {file: file.stat().st_ino for file in cache.rglob("*.kernel")}


def interrupted(cache: Path, files: int) -> tuple[int, str]:
    """Start a command and interrupt it when so many further kernels are compiled: exit code and stderr."""
    environment = {**os.environ, "HEXHOLM_CACHE": str(cache)}
    environment.pop("HEXHOLM_INTERPRETED", None)
    call = [sys.executable, "-c", f"{HEAR}; from hexholm.cli import main; main()", "perft", "--depth", "4"]
    files_before, deadline = len(cached_files(cache)), time.monotonic() + 120
    process = subprocess.Popen(
        call, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        while len(cached_files(cache)) < files_before + files:
            assert time.monotonic() < deadline
            assert process.poll() is None, process.communicate()
            time.sleep(0.05)
        while process.poll() is None:  # again, should the compiler have swallowed it
            assert time.monotonic() < deadline
            process.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(3)
    finally:
        process.kill()
    return process.returncode, process.communicate()[1]


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_while_compiling_says_so_and_the_next_start_goes_on_with_what_is_compiled(tmp_path: Path) -> None:
    code, err = interrupted(tmp_path, 3)
    assert (code, err.splitlines()[-1]) == (130, COMPILING)
    first = cached_files(tmp_path)
    assert len(first) >= 3
    code, err = interrupted(tmp_path, 1)
    assert (code, err.splitlines()[-1]) == (130, COMPILING)
    second = cached_files(tmp_path)
    assert len(second) > len(first)
    assert {file: second[file] for file in first} == first  # not compiled again


def stop(*_: object, **__: object) -> Iterator[str]:
    """As Ctrl-C does it."""
    raise KeyboardInterrupt


@pytest.fixture
def in_compiler(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Iterator[str]]:
    """The same, while the compiler is at work and has been announced."""
    monkeypatch.setattr(mode.compile_notices, "has_spoken", True)
    return FunctionType(stop.__code__, {"__name__": "numba.core.compiler"})


def test_what_the_compiler_leaves_half_built_says_nothing_when_it_is_torn_down(
    hexholm: Run, monkeypatch: pytest.MonkeyPatch, in_compiler: Callable[..., Iterator[str]]
) -> None:
    class HalfBuilt:
        def __del__(self) -> None:
            raise AttributeError("no attribute '_ptr'")

    def interrupted(*_: object, **__: object) -> None:
        half_built.append(HalfBuilt())
        in_compiler()

    half_built: list[HalfBuilt] = []
    monkeypatch.setattr(sys, "unraisablehook", sys.__unraisablehook__)  # pytest's own keeps them for a warning
    monkeypatch.setattr(rules, "_look_up", interrupted)
    assert hexholm("rules") == (130, "", f"{COMPILING}\n")
    with contextlib.redirect_stderr(io.StringIO()) as stderr:
        half_built.clear()
    assert stderr.getvalue() == ""


def test_a_game_that_is_watched_says_so_too(
    hexholm: Run, monkeypatch: pytest.MonkeyPatch, in_compiler: Callable[..., Iterator[str]]
) -> None:
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)  # so that it is put back
    monkeypatch.setattr(bot_game, "text_sections", lambda *_, **__: (in_compiler() for _ in range(1)))
    code, _, err = hexholm("play --plain")
    assert (code, err.splitlines()[0]) == (130, COMPILING)
    assert "Stopped after 0 turns." in err


def test_ctrl_c_in_anything_else_is_silent(hexholm: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "_look_up", stop)
    assert hexholm("rules") == (130, "", "")
