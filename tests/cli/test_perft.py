"""`hexholm perft`: the counts, and what is left of them when they are interrupted."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hexholm.rules.boards import beginner_layout
from hexholm.rules.compilation import mode
from hexholm.rules.encoding.structs import State
from hexholm.rules.perft import perft_in_parts

from .conftest import CommandResult

pytestmark = pytest.mark.waits


def test_perft_counts_decisions_and_chance(hexholm: Callable[[str], CommandResult]) -> None:
    code, out, _ = hexholm("perft --edition fifth --setup beginner --depth 2")
    assert code == 0
    assert [line.split()[:3] for line in out.splitlines()[-2:]] == [["1", "1", "0"], ["2", "0", "36"]]
    assert "variable setup (map " in hexholm("perft --edition zip --depth 1")[1]
    data = json.loads(hexholm("perft --first 0 --depth 2 --json")[1])
    assert (data["board"], data["interrupted"]) == (None, False)
    assert data["counts"] == [
        {"depth": 1, "decisions": 54, "chance": 0},
        {"depth": 2, "decisions": 144, "chance": 0},
    ]


def test_perft_on_a_board_of_ones_own(hexholm: Callable[[str], CommandResult], tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text(beginner_layout().to_toml(), encoding="utf-8")
    data = json.loads(hexholm(f"perft --file {file} --edition fifth --depth 2 --json")[1])
    assert (data["board"], data["options"]["setup"]) == (str(file), "fixed")
    assert data["counts"][1] == {"depth": 2, "decisions": 0, "chance": 36}
    data = json.loads(hexholm(f"perft --file {file} --setup variable --first 1 --depth 1 --json")[1])
    assert data["counts"] == [{"depth": 1, "decisions": 54, "chance": 0}]
    code, _, err = hexholm(f"perft --file {file} --edition zip --setup fixed")
    assert (code, err.count("\n")) == (2, 1)
    assert "starting positions for 2 players of edition zip, not for 4; use --setup variable" in err


def test_an_interrupted_count_tells_the_depths_before(
    hexholm: Callable[[str], CommandResult], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = perft_in_parts

    def stop(state: State, sizes: list[int], compiled: bool) -> tuple[int, int]:
        if len(sizes) == 3:
            raise KeyboardInterrupt
        return whole(state, sizes, compiled)

    monkeypatch.setattr("hexholm.rules.perft.perft_in_parts", stop)
    code, out, _ = hexholm("perft --first 0 --depth 3 --json")
    data = json.loads(out)
    assert (code, data["interrupted"]) == (130, True)
    assert [line["decisions"] for line in data["counts"]] == [54, 144]
    code, out, _ = hexholm("perft --first 0 --depth 3")
    assert code == 130
    assert out.endswith("Interrupted while counting depth 3.\n")


def test_ctrl_c_is_heard_while_a_deep_count_runs() -> None:
    """Depth 12 would take days; the interrupt must be heard in the middle of a depth."""
    # a test run in the background ignores Ctrl-C, and so would its children
    set_up_interrupts = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    command = [
        sys.executable,
        "-c",
        f"{set_up_interrupts}; from hexholm.cli import main; main()",
        "perft",
        "--first",
        "0",
        "--depth",
        "12",
    ]
    environment = {
        name: value for name, value in os.environ.items() if name != mode.INTERPRETED_VARIABLE
    }  # compiled calls are deaf
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env=environment) as process:
        assert process.stdout is not None
        while not process.stdout.readline().startswith("    7"):
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        try:
            out, err = process.communicate(timeout=120)
        finally:
            process.kill()
    assert process.returncode == 130
    assert "Interrupted while counting depth 8" in out
    assert "Traceback" not in err
