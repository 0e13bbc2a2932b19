"""`hexholm rules`: the almanac in a terminal."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable

import pytest

from hexholm.almanac import Almanac
from hexholm.rules.setup.editions import EDITIONS
from tests.helpers.edition_table import EDITION_TABLE
from tests.helpers.marks import all_editions

from .conftest import CommandResult
from .terminal import run_in_terminal

pytestmark = pytest.mark.waits


def flat(text: str) -> str:
    """A text without its line breaks."""
    return " ".join(text.split())


def test_without_a_name_all_entries_are_listed(hexholm: Callable[[str], CommandResult]) -> None:
    code, out, err = hexholm("rules")
    assert (code, err) == (0, "")
    assert out.startswith("Sixth Edition (2025)\n")
    for entry in Almanac("sixth").entries():
        assert f"{entry.name} " in out
        assert f"{entry.title}: {entry.short}" in flat(out)
    assert max(map(len, out.splitlines())) <= 84
    assert "hexholm rules chapters" in out


def test_an_entry_is_told_in_the_words_of_the_edition(hexholm: Callable[[str], CommandResult]) -> None:
    code, out, err = hexholm("rules longest-road --edition sixth")
    assert (code, err) == (0, "")
    assert out.startswith("Longest Route  Sixth Edition (2025)\n")
    text = flat(out)
    assert "takes the bonus VP tile Longest Route, worth 2 points." in text
    assert "Our reading: The book does not say whether a holder who is tied after a break keeps the award." in text
    assert "Example (A road is broken):" in text
    assert "<A>" in out
    assert "See also: " in text
    assert "LROAD-08" in text
    assert "\x1b" not in out
    assert max(map(len, out.splitlines())) <= 80
    assert not any(line != line.rstrip() for line in out.splitlines())


def test_an_entry_in_german(hexholm: Callable[[str], CommandResult]) -> None:
    out = hexholm("rules longest-road --edition fifth --language de")[1]
    assert out.startswith("Längste Handelsstraße  Fünfte Ausgabe (2015)\n")
    assert "Siehe auch: " in out


def test_tables_are_drawn_plainly_in_a_pipe(hexholm: Callable[[str], CommandResult]) -> None:
    out = hexholm("rules building-costs --edition zip")[1]
    assert "| City             | 3 ore and 2 wheat                    | 2      |" in out


def test_a_title_or_a_chapter_will_do(hexholm: Callable[[str], CommandResult]) -> None:
    assert hexholm("rules 'Longest Road'")[1] == hexholm("rules longest-road")[1]
    assert hexholm("rules robber")[1].startswith("Robber  Sixth")
    assert hexholm("rules ROBBER")[1].startswith("ROBBER: The robber, 12 rules")
    assert hexholm("rules seven")[1].startswith("Rolling a 7  Sixth")
    assert hexholm("rules port")[1].startswith("Ports  Sixth")
    assert hexholm("rules phase")[1].startswith("PHASE: The turn and its parts")


def test_a_rule_comes_with_its_entry_and_what_the_editions_differ_in(hexholm: Callable[[str], CommandResult]) -> None:
    out = hexholm("rules LROAD-08")[1]
    assert "In the almanac\n  Longest Route: hexholm rules longest-road\n" in out
    assert "Longest Road: hexholm rules longest-road\n" in hexholm("rules LROAD-08 --edition fifth")[1]
    german = hexholm("rules LROAD-08 --edition fifth --language de")[1]
    assert "Längste Handelsstraße: hexholm rules longest-road --language de\n" in german
    assert "Rules by their ids are kept in English alone" in german
    assert "English alone" not in out
    hits = hexholm('rules --search "gleich lang" --edition fifth --language de')[1]
    assert hits.endswith("hexholm rules longest-road --edition fifth --language de\n")
    out = hexholm("rules road-6")[1]
    assert "By edition\n  Most roads\n    zip      no limit\n    sixth    15\n" in out
    assert "By edition" not in hexholm("rules ROAD-06 --edition zip")[1]


def test_a_search_finds_the_tie_first(hexholm: Callable[[str], CommandResult]) -> None:
    code, out, err = hexholm('rules --search "tied road" --edition fifth')
    assert (code, err) == (0, "")
    assert out.startswith("longest-road  Longest Road  LROAD-08\n   The holder keeps the award")
    data = json.loads(hexholm('rules --search "tied road" --edition fifth --json')[1])
    assert data[0]["entry"] == "longest-road"
    assert data[0]["score"] >= data[1]["score"]


def test_editions_stand_side_by_side(hexholm: Callable[[str], CommandResult]) -> None:
    code, out, err = hexholm("rules --compare")
    assert (code, err) == (0, "")
    head = out.split("\n", 1)[0]
    assert [cell.strip() for cell in head.strip("| ").split("|")] == list(EDITIONS)
    roads = next(line for line in out.splitlines() if "Most roads" in line)
    limits = [str(EDITION_TABLE[name]["road_limit"] or "no limit") for name in EDITIONS]
    assert [cell.strip() for cell in roads.strip("|").split("|")][1:] == limits
    assert "\n\n\n" not in out
    rows = json.loads(hexholm("rules --compare --edition threed --json")[1])
    assert next(iter(rows[0]["values"])) == "threed"


@pytest.mark.rule("EXP-01.e1", "EXP-04")
@all_editions
def test_the_export_goes_to_stdout(hexholm: Callable[[str], CommandResult], edition: str) -> None:
    code, out, err = hexholm(f"rules --export markdown --edition {edition}")
    assert (code, err) == (0, "")
    assert out == Almanac(edition).export("markdown")
    assert len(out) <= 28_000
    data = json.loads(hexholm(f"rules --export JSON --edition {edition} --language de")[1])
    assert (data["edition"], data["language"]) == (edition, "de")


@pytest.mark.parametrize(
    "query, words",
    [
        ("rules longest-rode", "no entry or rule 'longest-rode'; near: longest-road"),
        ("rules SEVEN-22", "chapter SEVEN goes from"),
        ("rules soldier-cards --edition zip", "no entry or rule 'soldier-cards'"),
        ("rules --search xyzzy", "nothing in the almanac fits 'xyzzy'"),
        ("rules --language xx", "no almanac in 'xx'; the languages are en, de"),
        ("rules --export pdf", "no export as 'pdf'; it is markdown or json"),
        ("rules robber --compare", "--compare and 'robber': ask for one thing at a time"),
        ("rules --compare --export json", "--compare and --export: ask for one thing at a time"),
        ("rules --edition seventh", "the editions are zip"),
    ],
)
def test_what_is_unknown_is_refused_in_one_line(
    hexholm: Callable[[str], CommandResult], query: str, words: str
) -> None:
    code, out, err = hexholm(query)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert words in err


def test_entries_as_data(hexholm: Callable[[str], CommandResult]) -> None:
    entries = json.loads(hexholm("rules --json")[1])
    assert {"name", "title", "short", "group"} == set(entries[0])
    data = json.loads(hexholm("rules cities --edition fifth --json")[1])
    assert data == Almanac("fifth").entry("cities").as_dict()
    assert json.loads(hexholm("rules LROAD-08 --json")[1])["entries"] == ["longest-road"]


def test_a_terminal_gets_bold_and_colors_if_it_wants_them() -> None:
    output = run_in_terminal(["rules", "cities"], NO_COLOR="")
    assert "\x1b[1mCities" in output
    assert "\x1b[4m" in output  # a word that leads to another entry
    assert "\x1b" not in run_in_terminal(["rules", "cities"], NO_COLOR="1")


def test_the_almanac_loads_neither_compiler_nor_server() -> None:
    program = (
        "import sys; from hexholm.almanac import Almanac; Almanac('fifth').search('tied road');"
        "print([name for name in ('numba', 'rich', 'typer', 'starlette', 'hexholm.game.game') if name in sys.modules])"
    )
    process = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert process.stdout == "[]\n"
