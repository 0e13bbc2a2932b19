"""Which files are made from the code, and what each should hold."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from .client_names import defaults_text, names_text, vocabulary_text
from .pages import host_refusals_page, numbering_page, phases_page, refusals_page
from .place_names import places_text
from .protocol import schema_text, typescript_types
from .words_cases import cases_text

ROOT: Final = Path(__file__).parents[2]
MAKERS: Final = {
    "docs/reference/phases.md": phases_page,
    "docs/reference/refusals.md": refusals_page,
    "docs/reference/act_v1.md": numbering_page,
    "docs/reference/host-refusals.md": host_refusals_page,
    "docs/reference/protocol.schema.json": schema_text,
    "web/src/generated/protocol.d.ts": typescript_types,
    "web/src/generated/names.ts": names_text,
    "web/src/generated/defaults.ts": defaults_text,
    "web/src/generated/places.json": places_text,
    "web/src/generated/vocabulary.json": vocabulary_text,
    "tests/game/data/words_cases.json": cases_text,
}
"""Each file, and what makes its text."""


def stale_files(root: Path = ROOT) -> dict[str, str]:
    """The files below a folder that are missing or out of date, with what they should hold."""
    texts = {name: make() for name, make in MAKERS.items()}
    return {
        name: text
        for name, text in texts.items()
        if not (root / name).exists() or (root / name).read_text(encoding="utf-8") != text
    }
