"""`hexholm board` and `hexholm perft`."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hexholm.rules.boards import beginner_layout, layout_for, read_board, zip_map
from hexholm.rules.setup.options import check_options

from .conftest import CommandResult
from .terminal import run_in_terminal


def test_a_board_is_drawn(hexholm: Callable[[str], CommandResult]) -> None:
    code, out, err = hexholm("board --edition threed --numbers random --seed 4")
    assert (code, err) == (0, "")
    assert out.startswith("3D Edition (2021), harbor shuffle, random numbers, seed 4\n")
    assert "C3" in out
    assert "ROBBER" in out
    assert "\x1b" not in out
    assert max(map(len, out.splitlines())) <= 80
    assert out == hexholm("board --edition threed --numbers random --seed 4")[1]
    assert out != hexholm("board --edition threed --numbers random --seed 5")[1]


def test_the_fixed_board_shows_the_start_pieces(hexholm: Callable[[str], CommandResult]) -> None:
    out = hexholm("board --edition fifth --setup beginner")[1]
    assert "(r)" in out
    assert "(o)" in out


def test_toml_is_read_back(hexholm: Callable[[str], CommandResult], tmp_path: Path) -> None:
    out = hexholm("board --edition fifth --seed 3 --toml")[1]
    layout = layout_for(check_options(edition="fifth", setup="variable"), 3)
    assert read_board(out) == layout
    file = tmp_path / "own.toml"
    file.write_text(out, encoding="utf-8")
    picture = hexholm(f"board --file {file} --edition fifth")[1]
    assert picture == hexholm("board --edition fifth --seed 3")[1]


def test_all_faults_of_a_file_are_told(hexholm: Callable[[str], CommandResult], tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    text = hexholm("board --toml")[1]
    file.write_text(text.replace("desert", "swamp").replace('"any"', '"gold"', 1), encoding="utf-8")
    code, out, err = hexholm(f"board --file {file}")
    assert (code, out) == (2, "")
    assert "2 faults" in err
    assert "swamp" in err
    assert "gold" in err
    assert "more may show" in err
    assert max(map(len, err.splitlines()[1:])) <= 80
    file.write_text(text.replace("desert", "desert 4"), encoding="utf-8")
    err = hexholm(f"board --file {file}")[2]
    assert "1 fault\n" in err
    assert "more may show" not in err


def test_a_missing_file_is_one_line(hexholm: Callable[[str], CommandResult], tmp_path: Path) -> None:
    code, _, err = hexholm(f"board --file {tmp_path / 'none.toml'}")
    assert (code, err.count("\n")) == (2, 1)
    assert "cannot read" in err
    (tmp_path / "latin.toml").write_bytes(b"name = '\xff'")
    assert "not UTF-8" in hexholm(f"board --file {tmp_path / 'latin.toml'}")[2]
    assert hexholm("board --file=")[::2] == (2, "hexholm: --file '': name a file, or - for standard input\n")


def test_standard_input_is_called_by_its_name(
    hexholm: Callable[[str], CommandResult], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("hexes = 1"))
    code, _, err = hexholm("board --file -")
    assert code == 2
    assert err.startswith("hexholm: standard input: 2 faults\n")
    monkeypatch.setattr(sys, "stdin", io.StringIO(beginner_layout().to_toml()))
    assert hexholm("board --file -")[1].startswith("Beginners' board\n")


def test_a_file_and_options_that_say_what_lies_where(hexholm: Callable[[str], CommandResult], tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(beginner_layout().to_toml(), encoding="utf-8")
    for command in ("board", "perft", "play --plain", "simulate"):
        code, _, err = hexholm(f"{command} --edition fifth --file {tmp_path / 'own.toml'} --numbers random")
        assert code == 2
        assert "--file and --numbers" in err


@pytest.mark.parametrize(
    "arguments, words",
    [
        ("board --setup beginner --seed 4", "--seed 4: the fixed board is one board"),
        ("perft --setup beginner --seed 4", "--seed 4: the fixed board is one board"),
        ("board --edition zip --map 3 --seed 4", "--seed 4: --map 3 says which board it is"),
        ("board --file {own} --seed 4", "--file and --seed"),
        ("perft --file {own} --seed 4", "--file and --seed"),
        ("board --file {own} --setup variable", "--file and --setup"),
        ("board --file {own} --edition fifth --toml", "--file and --edition: TOML is the same in all editions"),
        ("board --theme dark", "--theme is for SVG and PNG"),
        ("board --force", "--force is for files"),
    ],
)
def test_an_option_without_effect_is_refused(
    hexholm: Callable[[str], CommandResult], tmp_path: Path, arguments: str, words: str
) -> None:
    own = tmp_path / "own.toml"
    own.write_text(zip_map(9).to_toml(), encoding="utf-8")
    code, out, err = hexholm(arguments.format(own=own))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert words in err


def test_with_a_file_the_edition_says_what_things_are_called(
    hexholm: Callable[[str], CommandResult], tmp_path: Path
) -> None:
    own = tmp_path / "own.toml"
    own.write_text(beginner_layout().to_toml(), encoding="utf-8")
    assert "wood" in hexholm(f"board --file {own} --edition sixth")[1]
    assert "lumber" in hexholm(f"board --file {own} --edition fifth")[1]
    assert hexholm(f"board --file {own} --toml")[1] == beginner_layout().to_toml()


def test_a_board_of_ones_own_is_not_replaced_without_force(
    hexholm: Callable[[str], CommandResult], tmp_path: Path
) -> None:
    own, svg = tmp_path / "own.toml", tmp_path / "own.svg"
    own.write_text("# many hours of work", encoding="utf-8")
    svg.write_text("an older picture", encoding="utf-8")
    code, out, err = hexholm(f"board --out {svg} --out {own}")
    assert (code, out) == (2, "")
    assert err == f"hexholm: cannot write {own}: it already exists; name another, or add --force to replace it\n"
    assert own.read_text(encoding="utf-8") == "# many hours of work"
    assert svg.read_text(encoding="utf-8") == "an older picture"  # nothing is written if something is refused
    assert hexholm(f"board --out {svg}")[0] == 0
    assert hexholm(f"board --out {own} --force")[0] == 0
    assert read_board(own.read_text(encoding="utf-8")) == layout_for(
        check_options(edition="sixth", setup="variable"), 0
    )


def test_small_pictures_do_without_what_cannot_be_read(hexholm: Callable[[str], CommandResult], tmp_path: Path) -> None:
    large, small = hexholm("board --svg - --width 600")[1], hexholm("board --svg - --width 599")[1]
    assert len(small) < len(large) - 1000
    code, _, err = hexholm("board --svg - --names --width 799")
    assert (code, err) == (0, "note: --width 799 is too small to read --names; take 800 or more\n")
    assert hexholm("board --svg - --names --width 800")[2] == ""
    assert hexholm("board --svg - --names")[2] == ""


def test_the_title_of_a_picture_is_readable(hexholm: Callable[[str], CommandResult]) -> None:
    assert (
        ">Sixth Edition (2025), frame shuffle, spiral numbers, seed 3</title>" in hexholm("board --svg - --seed 3")[1]
    )


def test_the_picture_has_a_legend(hexholm: Callable[[str], CommandResult]) -> None:
    lines = hexholm("board")[1].splitlines()
    assert lines[-2].startswith("  + corner, # corner with a port; *8*")
    assert lines[-1].startswith("  (r) settlement, [R] city, rrr road")
    assert "with a harbor" in hexholm("board --edition fifth")[1]
    assert max(map(len, lines)) <= 80


# --- pictures and files -----------------------------------------------------------------------------------------------


def test_a_board_is_saved_as_svg_and_png(hexholm: Callable[[str], CommandResult], tmp_path: Path) -> None:
    svg, png = tmp_path / "board.svg", tmp_path / "board.png"
    code, out, err = hexholm(f"board --edition fifth --setup beginner --svg {svg} --png {png} --width 300")
    assert (code, out) == (0, "")
    assert err == f"wrote {svg}\nwrote {png}\n"
    text = svg.read_text(encoding="utf-8")
    assert text.startswith("<svg ")
    assert 'data-place="C3"' in text
    raw = png.read_bytes()
    assert raw.startswith(b"\x89PNG\r\n")
    assert int.from_bytes(raw[16:20]) == 300


def test_the_ending_says_what_is_saved(hexholm: Callable[[str], CommandResult], tmp_path: Path) -> None:
    names = {ending: tmp_path / f"own.{ending}" for ending in ("toml", "txt", "svg")}
    assert hexholm("board --seed 3 " + " ".join(f"--out {name}" for name in names.values()))[:2] == (0, "")
    layout = layout_for(check_options(edition="sixth", setup="variable"), 3)
    assert read_board(names["toml"].read_text(encoding="utf-8")) == layout
    assert names["txt"].read_text(encoding="utf-8") == hexholm("board --seed 3")[1]
    assert names["svg"].read_text(encoding="utf-8").startswith("<svg ")


def test_standard_output_takes_one_form(hexholm: Callable[[str], CommandResult]) -> None:
    assert hexholm("board --svg -")[1].startswith("<svg ")
    assert "one form at a time" in hexholm("board --svg - --toml")[2]


def test_places_are_marked_and_named(hexholm: Callable[[str], CommandResult]) -> None:
    plain_svg, named_svg = hexholm("board --svg -")[1], hexholm("board --svg - --names")[1]
    marked = hexholm("board --svg - --highlight 'C3n, C3/ne'")[1]
    assert len(plain_svg) < len(marked) < len(named_svg)
    assert hexholm("board --svg - --theme dark")[1] != plain_svg


@pytest.mark.parametrize(
    "arguments, words",
    [
        ("--svg nowhere/board.svg", "cannot write nowhere/board.svg: there is no folder nowhere"),
        ("--svg .", "it is a folder; name a file in it"),
        ("--svg ''", "--svg '': name a file, or - for standard output"),
        ("--out board.gif", "end it with .toml, .txt, .svg, .png"),
        ("--names", "add --svg FILE or --png FILE"),
        ("--highlight C3", "add --svg FILE or --png FILE"),
        ("--svg - --highlight Z9", "Z9"),
        ("--svg - --theme pink", "the themes are light and dark"),
    ],
)
def test_what_cannot_be_drawn_is_one_line(hexholm: Callable[[str], CommandResult], arguments: str, words: str) -> None:
    code, out, err = hexholm(f"board {arguments}")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert words in err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a disk that is always full")
def test_a_full_disk_is_no_fault_of_the_caller(hexholm: Callable[[str], CommandResult]) -> None:
    code, _, err = hexholm("board --svg /dev/full")
    assert (code, err) == (1, "hexholm: No space left on device\n")


def test_a_png_is_nothing_for_a_terminal() -> None:
    assert "name a file" in run_in_terminal(["board", "--png", "-"], code=2)


def test_colors_only_in_a_terminal_that_wants_them() -> None:
    assert "\x1b[" in run_in_terminal(["board"], NO_COLOR="")
    assert "\x1b" not in run_in_terminal(["board"], NO_COLOR="1")


def test_who_begins_can_be_named_by_color(hexholm: Callable[[str], CommandResult]) -> None:
    data = json.loads(hexholm("perft --first Blue --depth 1 --json")[1])
    assert data["options"]["first"] == 1
    assert "name one of red, blue, white, orange, a seat from 0, or" in hexholm("perft --first black")[2]


def test_a_board_is_told_as_data(hexholm: Callable[[str], CommandResult]) -> None:
    code, out, err = hexholm("board --edition fifth --setup beginner --json")
    assert (code, err) == (0, "")
    data = json.loads(out)
    assert data["hexes"]["C3"] == ["desert", None]
    assert len(data["harbors"]) == 9
