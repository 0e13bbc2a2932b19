"""The command line as a whole: what it offers, how it loads and how it ends."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import hexholm
from hexholm import cli
from hexholm.cli.commands import COMMANDS, doctor, load
from hexholm.rules.catalogue import rule_by_id
from hexholm.rules.errors import BadInput
from hexholm.rules.setup.editions import EDITIONS

pytestmark = pytest.mark.waits


def ending(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int | str | None:
    """Run the command in this process; its exit code."""
    monkeypatch.setattr(sys, "argv", ["hexholm", *arguments])
    with pytest.raises(SystemExit) as exit_info:
        cli.main()
    return exit_info.value.code


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> list[BaseException]:
    """`hexholm doctor` raises what a test puts into this list."""
    errors: list[BaseException] = []

    def report() -> None:
        raise errors[0]

    monkeypatch.setattr(doctor, "report_rows", report)
    return errors


def test_help_names_the_commands(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert ending(monkeypatch, "--help") == 0
    assert "doctor" in capsys.readouterr().out


def test_the_bare_command_shows_three_examples(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ending(monkeypatch) == 0
    output = capsys.readouterr()
    assert output.err == ""
    assert len(output.out.splitlines()) < 10
    examples = [line.split("   ")[0].split() for line in output.out.splitlines() if line.startswith("  hexholm ")]
    assert len(examples) == 3
    assert {example[1] for example in examples} <= {*COMMANDS}


def test_the_list_of_commands_says_what_their_docstrings_say() -> None:
    folder = Path(cli.__file__).parent / "commands"
    assert {file.stem for file in folder.glob("*.py")} - {"__init__"} == {name.replace("-", "_") for name in COMMANDS}
    for name, line in COMMANDS.items():
        function, example = load(name)
        assert (function.__doc__ or "").splitlines()[0] == line
        assert example is None or example.startswith((f"hexholm {name} ", f"hexholm {name};"))


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself_within_80_columns(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert ending(monkeypatch, command, "--help") == 0
    out = capsys.readouterr().out
    assert out.startswith(f"Usage: hexholm {command} ")
    assert max(map(len, out.splitlines())) <= 80


def test_explaining_a_command_loads_neither_numpy_nor_the_compiler() -> None:
    """What makes `hexholm COMMAND --help` quick: the modules of all commands are light, and so is what they import."""
    code = """
import sys
from hexholm import cli
assert not [name for name in sys.modules if name.startswith("hexholm.cli.commands.")]
print([cli.load_command(name).name for name in cli.COMMANDS])
print(sorted({"numpy", "numba", "rich", "yaml"} & set(sys.modules)))
"""
    process = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert process.stdout == f"{list(COMMANDS)}\n[]\n"


@pytest.mark.parametrize(
    "typed_words, offers",
    [
        ("hexholm r", {"replay", "restore", "rules"}),
        ("hexholm board --edition ", set(EDITIONS)),
        ("hexholm board --theme d", {"dark"}),
        ("hexholm replay games.jsonl --seat b", {"blue", "black"}),
        ("hexholm rules SEVEN-0", {f"SEVEN-0{i}" for i in range(1, 7)}),
        ("hexholm simulate --friendly", {"--friendly-robber"}),
    ],
)
def test_a_shell_can_complete(typed_words: str, offers: set[str]) -> None:
    words = typed_words.split()
    completions = {
        "_HEXHOLM_COMPLETE": "complete_bash",
        "COMP_WORDS": typed_words,
        "COMP_CWORD": str(len(words) if typed_words.endswith(" ") else len(words) - 1),
    }
    process = subprocess.run(
        [sys.executable, "-m", "hexholm"], check=True, capture_output=True, text=True, env={**os.environ, **completions}
    )
    assert set(process.stdout.split()) == offers


@pytest.mark.parametrize(
    "command, message",
    [
        ("dance", "dance: there is no such command (hexholm --help)"),
        ("rlpay", "rlpay: there is no such command; did you mean replay or play? (hexholm --help)"),
        ("--foo", "--foo: there is no such option (hexholm --help)"),
        ("board --widht 3", "board: --widht: there is no such option; did you mean --width? (hexholm board --help)"),
        ("board -x", "board: -x: there is no such option (hexholm board --help)"),
        ("show", "show: POSITION is missing (hexholm show --help)"),
        ("replay", "replay: FILE is missing (hexholm replay --help)"),
        ("simulate --seed abc", "simulate: --seed abc: give a whole number (hexholm simulate --help)"),
        ("simulate --seed=3.5", "simulate: --seed 3.5: give a whole number (hexholm simulate --help)"),
        ("simulate --seed=", "simulate: --seed '': give a whole number (hexholm simulate --help)"),
        ("simulate --games", "simulate: --games needs a value (hexholm simulate --help)"),
        ("board --toml=3", "board: --toml takes no value (hexholm board --help)"),
        ("board --width 0", "board: --width 0: give a whole number from 1 to 10000 (hexholm board --help)"),
        ("board --width x", "board: --width x: give a whole number from 1 to 10000 (hexholm board --help)"),
        ("perft --depth 0", "perft: --depth 0: give a whole number, 1 or more (hexholm perft --help)"),
        ("play --speed -1", "play: --speed -1: give a number, 0 or more (hexholm play --help)"),
        ("play --speed fast", "play: --speed fast: give a number, 0 or more (hexholm play --help)"),
        ("rules SEVEN ROBBER", "rules: ROBBER: that is more than the command takes (hexholm rules --help)"),
        ("doctor a b", "doctor: a b: that is more than the command takes (hexholm doctor --help)"),
    ],
)
def test_what_the_parser_refuses_is_one_line_and_2(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: str, message: str
) -> None:
    assert ending(monkeypatch, *command.split()) == 2
    assert capsys.readouterr() == ("", f"hexholm: {message}\n")


def test_the_version_is_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert ending(monkeypatch, "--version") == 0
    assert capsys.readouterr() == (f"hexholm {hexholm.__version__}\n", "")


def test_bad_input_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], failing: list[BaseException]
) -> None:
    with pytest.raises(ValueError, match="SEVEN-99") as error:
        rule_by_id("SEVEN-99")
    failing.append(error.value)
    assert ending(monkeypatch, "doctor") == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith("hexholm: no rule has the id 'SEVEN-99'")
    assert output.err.count("\n") == 1


def test_a_fault_of_ours_shows_its_traceback(monkeypatch: pytest.MonkeyPatch, failing: list[BaseException]) -> None:
    failing.append(ValueError("not enough values to unpack"))
    monkeypatch.setattr(sys, "argv", ["hexholm", "doctor"])
    with pytest.raises(ValueError, match="unpack"):
        cli.main()


def test_input_that_ends_too_early_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], failing: list[BaseException]
) -> None:
    failing.append(EOFError())
    assert ending(monkeypatch, "doctor") == 1
    assert capsys.readouterr().err.strip() == "hexholm: the input ended before the answer"


def test_interrupting_ends_with_130(monkeypatch: pytest.MonkeyPatch, failing: list[BaseException]) -> None:
    failing.append(KeyboardInterrupt())
    assert ending(monkeypatch, "doctor") == 130


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a disk that is always full")
@pytest.mark.parametrize("arguments", ["board", "--help", "doctor", "play --plain --points-to-win 3"])
def test_a_full_disk_is_one_line_and_no_traceback(arguments: str) -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        process = subprocess.run(
            [sys.executable, "-m", "hexholm", *arguments.split()], check=False, stdout=full, stderr=subprocess.PIPE
        )
    assert process.returncode == 1
    assert process.stderr == b"hexholm: No space left on device\n"


def test_the_first_lines_of_the_commands_are_short(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert ending(monkeypatch, "--help") == 0
    out = capsys.readouterr().out
    assert "..." not in out.partition("Commands:")[2]
    assert max(map(len, out.splitlines())) <= 80


def test_any_class_of_bad_input_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], failing: list[BaseException]
) -> None:
    class OfAnother(BadInput):
        pass

    failing.append(OfAnother("so not"))
    assert ending(monkeypatch, "doctor") == 2
    assert capsys.readouterr().err == "hexholm: so not\n"


@pytest.mark.parametrize(
    "arguments", ["show {}", "board --edition {}", "simulate --seed {}", "rules {}", "{}", "board --{}"]
)
def test_an_error_does_not_repeat_a_long_word(
    arguments: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ending(monkeypatch, *arguments.format("z" * 3000).split()) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert len(err) < 700
