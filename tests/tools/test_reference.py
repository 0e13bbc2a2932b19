"""The reference pages say what the tables in the code say."""

from __future__ import annotations

import pytest

from hexholm.rules.encoding.phases import PHASES
from hexholm.rules.encoding.refusals import REFUSALS
from tests.tools import reference


@pytest.mark.parametrize("name", reference.PAGES)
def test_the_page_is_up_to_date(name: str) -> None:
    page = (reference.FOLDER / name).read_text(encoding="utf-8")
    assert page == reference.PAGES[name](), "run python -m tests.tools.reference --write"


def test_every_refusal_and_phase_has_a_row() -> None:
    assert reference.refusals_page().count("\n| `") == len(REFUSALS) - 1
    assert all(phase.name in reference.phases_page() for phase in PHASES)
