"""`hexholm board --print` and `--fair`: maps on paper, and the fairest of many boards."""

from __future__ import annotations

import json
import re
import sys
import zlib
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from hexholm.almanac.pad import pad, read_maps
from hexholm.almanac.vocabulary import Vocabulary
from hexholm.bots.fairness import fairest, fairness
from hexholm.game.game import Game
from hexholm.rules.boards import layout_for, read_board, zip_map
from hexholm.rules.errors import BadInput
from hexholm.rules.setup.editions import edition
from hexholm.rules.setup.options import check_options
from tests.helpers.marks import all_languages

from .conftest import CommandResult

A4, LETTER = (595, 842), (612, 792)


def sheets(pdf: bytes) -> list[str]:
    """The drawing of each sheet, as the orders to the printer."""
    assert pdf.startswith(b"%PDF-")
    streams = []
    for number in re.findall(rb"/Type /Page\n.*?/Contents (\d+) 0 R|/Contents (\d+) 0 R", pdf, flags=re.DOTALL):
        at = number[0] or number[1]
        body = re.search(rb"\n" + at + rb" 0 obj\n.*?stream\n(.*?)\nendstream", pdf, flags=re.DOTALL)
        assert body is not None
        streams.append(zlib.decompress(body[1]).decode("latin-1"))
    return streams


def texts(sheet: str) -> list[str]:
    """What is written on a sheet, piece by piece."""
    return [re.sub(r"\\(.)", r"\1", text) for text in re.findall(r"\(((?:\\.|[^\\)])*)\) Tj", sheet)]


def size(pdf: bytes) -> tuple[int, int]:
    match = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf)
    assert match is not None
    return round(float(match[1])), round(float(match[2]))


@pytest.mark.rule("ZIP-01")
@pytest.mark.parametrize("paper, paper_size", [("a4", A4), ("letter", LETTER)])
def test_a_pad_has_a_sheet_for_every_map_with_its_number(
    hexholm: Callable[[str], CommandResult], tmp_path: Path, paper: str, paper_size: tuple[int, int]
) -> None:
    file = tmp_path / "pad.pdf"
    code, out, err = hexholm(f"board --print {file} --maps 1-3,50 --paper {paper}")
    assert (code, out, err) == (0, "", f"wrote {file}\n")
    pdf = file.read_bytes()
    assert size(pdf) == paper_size
    sheet_texts = [texts(sheet) for sheet in sheets(pdf)]
    assert [sheet for sheet in range(4) if f"Map {(1, 2, 3, 50)[sheet]}" in sheet_texts[sheet]] == [0, 1, 2, 3]
    assert len(sheet_texts) == 4
    assert "The same map on screen: hexholm play --edition zip --map 50" in sheet_texts[3]


@pytest.mark.rule("ZIP-01")
def test_a_sheet_shows_the_numbers_and_harbors_of_its_map() -> None:
    for number in (2, 17):
        (sheet,) = sheets(pad([number]))
        words, layout = texts(sheet), zip_map(number)
        track, rows, points = [str(n) for n in range(1, 11)] * 4, list("1234"), list("12221")
        placed_numbers = [str(layout.board.number[h]) for h in range(19) if layout.board.number[h]]
        assert sorted(text for text in words if text.isdecimal()) == sorted([*track, *rows, *points, *placed_numbers])
        kinds = [kind for _, kind in layout.harbors()]
        assert words.count("3:1") == kinds.count("any")
        assert words.count("2:1") == len(kinds) - kinds.count("any")


@pytest.mark.rule("ZIP-02.e2")
def test_the_first_map_has_marked_starts_and_the_hands_that_the_game_deals() -> None:
    first, second = (texts(sheet) for sheet in sheets(pad([1, 2])))
    game = Game(edition="zip", map=1, seed=1)
    words = Vocabulary(edition("zip"), "en")
    for seat, color in enumerate(edition("zip").colors):
        hand = {kind: n for kind, n in game.view(color).hand.items() if n}
        assert f"starts with {words.cards(hand)}" in first
        marks = first.count(str(seat + 1)) - second.count(str(seat + 1))
        numbers = [[board.board.number[h] for h in range(19)].count(seat + 1) for board in (zip_map(1), zip_map(2))]
        assert marks == 2 + numbers[0] - numbers[1]
    assert not any("starts with" in text for text in second)


@pytest.mark.rule("ZIP-08", "ZIP-04", "ZIP-05", "ZIP-09", "NAME-01", "NAME-03", "NAME-05")
def test_the_legend_tells_costs_terrains_and_what_to_tick_in_the_words_of_the_edition() -> None:
    words = " ".join(texts(sheets(pad([2]))[0]))
    for phrase in (
        "1 brick, 1 wood, 1 wool, and 1 wheat",
        "3 ore and 2 wheat",
        "Longest Route: at least 5 roads",
        "Development tile",
        "Pasture: wool",
        "None for bonus VP tiles or hidden tiles",
        "You may have at most 4, and at most 5 settlements at one time; roads have no limit",
        "14 Knight, 5 Victory Point, 2 Road Building, 2 Invention, and 2 Monopoly",
    ):
        assert phrase in words
    assert "{" not in words


def test_a_pad_can_be_in_german() -> None:
    words = " ".join(texts(sheets(pad([1], language="de"))[0]))
    assert "Karte 1" in words
    assert "3 Erz und 2 Weizen" in words
    assert "Gr\xf6\xdfte Rittermacht: ab 3 Rittern" in words
    assert "{" not in words


def test_sheets_are_lines_and_letters_in_black_and_grey_alone() -> None:
    pdf = pad([1, 30])
    assert b"/Subtype /Image" not in pdf
    for sheet in sheets(pdf):
        assert sheet.count(" l") > 500
        assert not re.search(r"(?:[\d.]+ ){3}(?:rg|RG|k|K)\b", re.sub(r"\(.*?\) Tj", "", sheet)), "a color"
    assert pad([1, 30]) == pdf, "the same maps give the same file"


def text_places(pdf: bytes, sheet: str) -> list[tuple[float, float, float, str]]:
    """Every piece of text with its base line, where it begins and where it ends by the widths that the file tells."""
    fonts = dict(re.findall(rb"/(F\d+) (\d+) 0 R", pdf))
    lines, widths, height = [], [0], 0.0
    for font, points, x, y, raw in re.findall(
        r"BT /(F\d+) ([\d.]+) Tf ET|BT ([\d.-]+) ([\d.-]+) Td \(((?:\\.|[^\\)])*)\) Tj", sheet
    ):
        if font:
            match = re.search(rb"\n" + fonts[font.encode()] + rb" 0 obj.*?/Widths \[(.*?)\]", pdf, flags=re.DOTALL)
            assert match is not None, "a reader with other letters would make the lines as wide as those are"
            widths, height = [int(width) for width in match[1].split()], float(points)
            assert len(widths) == 256 - 32
        else:
            text = re.sub(r"\\(.)", r"\1", raw)
            wide = sum(widths[ord(letter) - 32] for letter in text) * height / 1000
            lines.append((float(y), float(x), float(x) + wide, text))
    return lines


@pytest.mark.parametrize("paper, page", [("a4", A4), ("letter", LETTER)])
@all_languages
def test_nothing_is_written_beyond_the_margin_of_a_printer_or_over_something_else(
    paper: str, page: tuple[int, int], language: str
) -> None:
    pdf = pad([1, 2], paper=paper, language=language)
    for sheet in sheets(pdf):
        lines = sorted(text_places(pdf, sheet))
        assert len(lines) > 100
        for y, begin, end, text in lines:
            assert 25 <= begin < end <= page[0] - 25, text
            assert 25 <= y <= page[1] - 25, text
        for (y, _, end, text), (next_y, begin, _, next_text) in pairwise(lines):
            assert y != next_y or end < begin, (text, next_text)
        for x, y in re.findall(r"([\d.-]+) ([\d.-]+) [ml]\b", sheet):
            assert 25 <= float(x) <= page[0] - 25
            assert 25 <= float(y) <= page[1] - 25


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("--maps 0-60", "there is no map 0; the maps are 1 to 50"),
        ("--maps 1-60", "there is no map 60"),
        ("--maps 9-3", "write 3-9"),
        ("--maps first", "is no number or range"),
        ("--paper a3", "the papers are a4 and letter"),
        ("--language xx", "the languages are en, de"),
        ("--edition fifth", "only edition zip"),
        ("--map 3", "--maps 3"),
        ("--toml", "--print and --toml"),
        ("--fair", "--print and --fair"),
    ],
)
def test_a_pad_that_cannot_be_is_refused_in_one_line(
    hexholm: Callable[[str], CommandResult], tmp_path: Path, arguments: str, words: str
) -> None:
    file = tmp_path / "pad.pdf"
    code, out, err = hexholm(f"board --print {file} {arguments}")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert words in err
    assert not file.exists()


def test_a_pad_needs_a_place_and_its_options_need_a_pad(
    hexholm: Callable[[str], CommandResult], tmp_path: Path
) -> None:
    assert "there is no folder" in hexholm(f"board --print {tmp_path / 'no' / 'pad.pdf'}")[2]
    assert "it is a folder" in hexholm(f"board --print {tmp_path}")[2]
    assert "add --print FILE" in hexholm("board --maps 3")[2]


def test_without_the_extra_for_paper_it_is_said_how_to_get_it(
    hexholm: Callable[[str], CommandResult], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "fpdf", None)
    code, _, err = hexholm(f"board --print {tmp_path / 'pad.pdf'} --maps 1")
    assert (code, err.count("\n")) == (2, 1)
    assert "pip install 'hexholm[print]'" in err


def test_maps_are_read_in_order_and_once() -> None:
    assert read_maps("7, 1-3,2") == [1, 2, 3, 7]
    with pytest.raises(BadInput, match="999999999999"):
        read_maps("1-999999999999")


# --- the fairest board ------------------------------------------------------------------------------------------------


def test_the_fairest_board_is_shown_with_its_score_and_why(hexholm: Callable[[str], CommandResult]) -> None:
    code, out, err = hexholm("board --fair --seed 3 --tries 10")
    assert (code, err) == (0, "")
    best = fairest(check_options(edition="sixth", setup="variable"), 3, 10)
    assert f"fairness {best.fairness.score} of 100, the best of 10 boards" in out
    for part in best.fairness.parts:
        assert f"{part.name:<9} {part.points:>3}" in out
    assert max(map(len, out.splitlines())) <= 80
    assert out == hexholm("board --fair --seed 3 --tries 10")[1]
    same_board = hexholm(f"board --seed {best.seed}")[1]
    assert out.startswith(same_board.rstrip("\n"))


def test_the_fairest_board_is_saved_and_read_back_as_any_other(
    hexholm: Callable[[str], CommandResult], tmp_path: Path
) -> None:
    file = tmp_path / "fair.toml"
    code, out, err = hexholm(f"board --fair --tries 5 --edition fifth --out {file}")
    assert (code, out) == (0, "")
    assert "fairness " in err
    best = fairest(check_options(edition="fifth", setup="variable"), 0, 5)
    assert read_board(file.read_text(encoding="utf-8")) == best.layout
    data = json.loads(hexholm("board --fair --tries 5 --edition fifth --json")[1])
    assert data["fairness"]["score"] == best.fairness.score
    assert layout_for(check_options(edition="fifth", setup="variable"), data["fairness"]["seed"]) == best.layout


def test_a_board_without_a_choice_is_judged(hexholm: Callable[[str], CommandResult]) -> None:
    assert f"fairness {fairness(zip_map(7)).score} of 100\n" in hexholm("board --edition zip --map 7 --fair")[1]
    assert "leave --tries out" in hexholm("board --setup fixed --fair --tries 3")[2]
    assert "--tries goes with --fair" in hexholm("board --tries 3")[2]
    assert "1 to 10000" in hexholm("board --fair --tries 0")[2]


@pytest.mark.parametrize("player_count", [2, 3, 4])
def test_a_board_is_judged_for_those_who_play(hexholm: Callable[[str], CommandResult], player_count: int) -> None:
    options = check_options(edition="sixth", setup="variable", players=player_count, two_players=player_count == 2)
    best = fairest(options, 3, 10)
    judged = json.loads(hexholm(f"board --fair --seed 3 --tries 10 --players {player_count} --json")[1])["fairness"]
    assert (judged["seed"], judged["score"]) == (best.seed, best.fairness.score)
    assert len(judged["openings"]) == player_count
    alone = json.loads(hexholm(f"board --edition zip --map 7 --fair --players {player_count} --json")[1])["fairness"]
    assert alone["score"] == fairness(zip_map(7), player_count).score
    fixed = json.loads(hexholm(f"board --edition fifth --setup fixed --fair --players {player_count} --json")[1])[
        "fairness"
    ]
    four = json.loads(hexholm("board --edition fifth --setup fixed --fair --json")[1])["fairness"]
    assert len(fixed["openings"]) == player_count
    assert (fixed["openings"] == four["openings"]) == (player_count == 4)


def test_players_are_counted_only_where_a_board_is_judged_for_them(
    hexholm: Callable[[str], CommandResult], tmp_path: Path
) -> None:
    assert "--players is for --fair" in hexholm("board --players 3")[2]
    assert "7 players" in hexholm("board --fair --players 7")[2]
    file = tmp_path / "fixed.toml"
    hexholm(f"board --setup fixed --out {file}")
    assert "starting positions for 4 players, which are judged" in hexholm(f"board --file {file} --fair --players 3")[2]
