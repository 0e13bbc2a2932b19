"""What is made from the types and tables of the code is up to date, and the command that writes it."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from hexholm.host.wire import api, messages
from hexholm.rules.encoding.action_codes import kind_of
from hexholm.rules.encoding.phases import PHASES
from hexholm.rules.encoding.refusals import REFUSALS
from hexholm.rules.names import KIND_NAMES
from hexholm.rules.notation import read_action
from tools.generated.__main__ import main
from tools.generated.client_names import ACTION_EXAMPLES, defaults_text
from tools.generated.files import MAKERS, ROOT
from tools.generated.pages import phases_page, refusals_page
from tools.generated.protocol import typescript_types


@pytest.mark.parametrize("name", MAKERS)
def test_the_file_is_up_to_date(name: str) -> None:
    assert (ROOT / name).read_text(encoding="utf-8") == MAKERS[name](), "run python -m tools.generated --write"


def test_what_is_stale_or_missing_is_named_and_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--write"], tmp_path) == 0
    assert capsys.readouterr().out.count("is written") == len(MAKERS)
    phases, places = tmp_path / "docs/reference/phases.md", tmp_path / "web/src/generated/places.json"
    kept = phases.read_text(encoding="utf-8")
    phases.write_text("older", encoding="utf-8")
    places.unlink()
    assert main([], tmp_path) == 1
    assert capsys.readouterr().out.splitlines() == [
        "docs/reference/phases.md is out of date",
        "web/src/generated/places.json is out of date",
    ]
    assert phases.read_text(encoding="utf-8") == "older"
    assert main(["--write"], tmp_path) == 0
    assert phases.read_text(encoding="utf-8") == kept
    assert places.exists()
    assert main([], tmp_path) == 0


def test_players_are_colors_in_the_types_of_the_client() -> None:
    types = typescript_types()
    texts = re.findall(r"^  (?:by|victim|partner|winner|loser|seat|to|active|creator)\??: string", types, re.MULTILINE)
    assert texts == ["  to?: string"], "the entry that a word of the almanac leads to"
    assert "  muted?: Speaker[];" in types
    assert "  gains: Partial<Record<Color, Cards>>;" in types
    assert "  hexes: Record<string, Partial<Record<Color, Cards>>>;" in types
    assert "  seats?: Partial<Record<Color, string | null>>;" in types


def test_a_color_that_nobody_has_is_read_and_then_refused_by_the_table() -> None:
    kick = msgspec.json.decode(b'{"type": "kick", "id": "1", "seat": "pink"}', type=api.Incoming)
    assert kick == messages.Kick(id="1", color="pink")
    wanted = msgspec.json.decode(b'{"name": "Ann", "seat": "pink", "seats": {"gray": "easy"}}', type=api.NewTable)
    assert (wanted.color, wanted.seats) == ("pink", {"gray": "easy"})


def test_the_client_knows_what_the_host_leaves_out() -> None:
    text = defaults_text()
    assert '"chance":"host"' in text
    assert '"absence":120.0' in text
    assert '"wishes":{}' in text
    assert '"creator"' not in text, "whoever set up a table may have no seat"


def test_every_refusal_and_phase_has_a_row() -> None:
    assert refusals_page().count("\n| `") == len(REFUSALS) - 1
    assert all(phase.name in phases_page() for phase in PHASES)


def test_every_kind_of_action_that_a_player_writes_has_an_example() -> None:
    colors = ("red", "blue", "white", "orange")
    kinds = [KIND_NAMES[kind_of(read_action(text, colors))] for text in ACTION_EXAMPLES]
    assert kinds == [text.partition(" ")[0] for text in ACTION_EXAMPLES]
    natures = {"nothing", "discard-card", "dice", "stolen", "drawn"}
    assert set(kinds) == set(KIND_NAMES) - natures
