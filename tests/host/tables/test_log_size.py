"""A log has an end: remarks first, then offers and wishes, and at last the game."""

from __future__ import annotations

import pytest

from hexholm.host.storage import EntryRow
from hexholm.host.storage.values import PersonalText
from hexholm.host.tables import log_size
from hexholm.host.tables.log_size import LogSize
from hexholm.host.tables.seating import command_limits
from hexholm.host.wire import messages

from ..halls import Party, carry_out, in_hall, set_up, why_refused

pytestmark = pytest.mark.waits


def test_what_people_write_counts_with_its_bytes() -> None:
    size = LogSize()
    size.add(EntryRow(1, 0.0, "played", "{}"))
    size.add(EntryRow(2, 0.0, "said", '{"seat":"red"}', None, (PersonalText("text", "ann", "ü" * 100),)))
    assert size.total == 2 * log_size.BESIDE_TEXT + len('{}{"seat":"red"}') + 200
    assert size.remarks == {"red": log_size.BESIDE_TEXT + len('{"seat":"red"}') + 200}


@pytest.fixture
def short_logs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_size, "MOST_REMARK_SIZE", 5 * 8_000)
    monkeypatch.setattr(log_size, "MOST_BESIDE_GAME", 30_000)
    monkeypatch.setattr(log_size, "MOST_LOGGED", 60_000)
    for name in ("REMARK_RATE", "WISH_RATE"):
        monkeypatch.setattr(command_limits, name, (10_000, 1.0))


@pytest.mark.usefixtures("short_logs")
def test_remarks_have_room_of_their_own_and_the_game_goes_on() -> None:
    async def story(party: Party) -> None:
        await set_up(party)
        await party.begin()
        said = 0
        while isinstance(await party.send("blue", messages.Say(id=f"s{said}", text="ö" * 500)), messages.Done):
            said += 1
        assert 3 < said < 8
        assert await why_refused(party, "blue", messages.Say(id="more", text="a")) == "enough_said"
        await carry_out(party, "red", messages.Say(id="more", text="the others have their share"))
        await party.play_actions("red", party.table.view("red").legal_actions.texts[0])  # type: ignore[union-attr]
        for number in range(300):
            renaming = messages.Rename(id=f"r{number}", name=f"Ann {number}")
            if isinstance(await party.send("red", renaming), messages.Refused):
                break
        assert await why_refused(party, "red", messages.Rename(id="r", name="A")) == "log_full"
        assert party.table.status == "playing"
        asked = party.table.asked_colors()[0]
        view = party.table.view(asked)
        assert view is not None
        await party.play_actions(asked, view.legal_actions.texts[0])
        await carry_out(party, "red", messages.Resign(id="enough"))

    in_hall(story)


@pytest.mark.usefixtures("short_logs")
def test_a_game_whose_log_is_full_is_stopped_also_after_it_was_read_again() -> None:
    async def story(party: Party) -> None:
        await set_up(party)
        await party.begin()
        runner = party.hall.loaded(party.id)
        stored_size = LogSize()
        for row in await party.hall.services.storage.entries(party.id):
            stored_size.add(row)
        assert runner.stored.log_size.total == stored_size.total  # as it is after a restart
        runner.stored.log_size.total = log_size.MOST_LOGGED - 1
        await party.settle_down()
        assert party.table.status == "playing"
        asked = party.table.asked_colors()[0]
        view = party.table.view(asked)
        assert view is not None
        await party.play_actions(asked, view.legal_actions.texts[0])
        await party.settle_down()
        result = party.table.begun_game.result
        assert result is not None
        assert (result.how, result.note) == ("capped", "its log is full")

    in_hall(story)
