"""The terms of a table: what is asked for, stored, shown in lists and taken over by a rematch is one value."""

from __future__ import annotations

from typing import Any

from msgspec import structs

from hexholm.host.storage.forgotten_guests import ForgottenGuests
from hexholm.host.table_literals import USUAL_ABSENCE
from hexholm.host.tables.hall.opening import decide_opening
from hexholm.host.tables.hall.rematch import rematch_settings
from hexholm.host.tables.log import Opened
from hexholm.host.tables.table import Table
from hexholm.host.tables.table_terms import TableTerms
from hexholm.host.wire.messages import TableLine

from ...halls import table_settings

ASKED: dict[str, Any] = {
    "title": "Friday",
    "clock": 45.0,
    "absence": 300.0,
    "plays_on": True,
    "ranges": True,
    "pace": "slow",
    "rated": True,
    "visibility": "open",
    "watchable": True,
    "spectators_speak": True,
}
"""All at one table; `chance_source` and `lesson` allow no clock."""
NOT_SHOWN = {"title_by", "ranges"}


def opened_table(**asked: Any) -> Table:
    """A table before its game, as Ann has asked for it."""
    table = Table("t")
    decision = decide_opening("ann", table_settings(**asked), USUAL_ABSENCE)
    for entry in table.new_entries(decision, 0.0):
        table.enter(entry, decision)
    return table


def test_what_is_asked_for_is_stored_and_shown() -> None:
    table = opened_table(**ASKED)
    line = table.line()
    assert {name: getattr(table.opening, name) for name in ASKED} == ASKED
    assert {name: getattr(line, name) for name in ASKED.keys() - NOT_SHOWN} == {
        name: value for name, value in ASKED.items() if name not in NOT_SHOWN
    }
    assert opened_table(watchable=False).line().watchable is False
    assert opened_table(chance_source="dice").line().chance_source == "dice"
    assert opened_table(lesson="first-game", sit=True).line().lesson == "first-game"


def test_no_term_is_left_out() -> None:
    terms = set(TableTerms.__struct_fields__)
    assert terms - {"title_by"} == {*ASKED, "chance_source", "lesson"}
    assert terms <= set(Opened.__struct_fields__)
    assert terms - NOT_SHOWN <= set(TableLine.__struct_fields__)


def test_a_rematch_is_played_by_the_same_terms() -> None:
    table = opened_table(**ASKED)
    creator, settings = rematch_settings(table, "bob", ForgottenGuests(), 0.0)
    assert creator == "bob"
    assert settings.terms == TableTerms(**structs.asdict(settings.terms) | ASKED | {"title_by": "ann"})
    assert settings.options == table.options
    _, waiting = rematch_settings(opened_table(absence="wait"), "ann", ForgottenGuests(), 0.0)
    assert waiting.terms.absence == "wait"
    _, learned = rematch_settings(opened_table(lesson="first-game", sit=True), "ann", ForgottenGuests(), 0.0)
    assert learned.terms.lesson == ""


def test_an_absence_that_nobody_chose_is_decided_when_the_table_is_set_up() -> None:
    settings = table_settings()
    assert settings.terms.absence is None
    opened = decide_opening("ann", settings, usual_absence=77.0).bodies[0]
    assert isinstance(opened, Opened)
    assert opened.absence == 77.0
