"""The games of the golden playthroughs are still told word for word."""

from __future__ import annotations

import difflib
import re

from hexholm.rules.setup.editions import EDITIONS
from tests.helpers.marks import all_editions
from tools.playthroughs import kept_text, text_of


@all_editions
def test_the_playthrough_of_an_edition_has_not_changed(edition: str) -> None:
    old, new = kept_text(edition).splitlines(), text_of(edition).splitlines()
    assert old, f"there is no playthrough of {edition}: python -m tools.playthroughs --write"
    difference = list(difflib.unified_diff(old, new, "kept", "now", lineterm=""))
    assert not difference, "\n".join(difference[:60])


def test_the_playthroughs_show_every_phase_and_most_kinds_of_action() -> None:
    text = "\n".join(kept_text(edition) for edition in EDITIONS)
    for phase in ("settlement", "road", "roll", "discard", "robber", "victim", "main", "free road", "over"):
        assert f": {phase} ---" in text
    verbs = (
        "offer counter accept reject confirm withdraw knight monopoly city supply discard steal waive road-building buy"
    )
    for verb in verbs.split():
        assert re.search(rf"^ *[0-9]+ [a-z]+: {verb}( |$)", text, re.MULTILINE), verb
