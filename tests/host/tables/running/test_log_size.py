"""A log has an end: remarks first, then offers and wishes, and at last the game."""

from __future__ import annotations

import pytest

from hexholm.host.storage import EntryRow
from hexholm.host.storage.values import PersonalText
from hexholm.host.tables import log
from hexholm.host.tables.running import command_limits, log_size
from hexholm.host.tables.running.log_size import LogSize
from hexholm.host.wire import messages

from ...halls import QUIET, Party, carry_out, in_hall, refusal_code, scripted_dealer, set_up, why_refused

pytestmark = pytest.mark.waits


def test_what_people_write_counts_with_its_bytes() -> None:
    size = LogSize()
    size.add(EntryRow(1, 0.0, "played", "{}"), log.Played(color="red", steps=("red roll",)))
    row = EntryRow(2, 0.0, "said", '{"seat":"red"}', None, (PersonalText("text", "ann", "ü" * 100),))
    size.add(row, log.Said(color="red", text=""))
    assert size.total == 2 * log_size.BESIDE_TEXT + len('{}{"seat":"red"}') + 200
    assert not size.beside_game
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
            stored_size.add(row, log.read_row(row).body)
        assert vars(runner.store.log_size) == vars(stored_size)  # as it is after a restart
        runner.store.log_size.total = log_size.MOST_LOGGED - 1
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


async def trading(party: Party) -> None:
    """A game in which red may offer lumber."""
    await set_up(party, setup="fixed")
    await party.begin()
    await party.play_actions("red", "roll")


async def many_offers(party: Party, before: str, most: int) -> str:
    """Why one of many offers that red makes and takes back is refused."""
    for _ in range(most):
        for action in ("offer 1 lumber : 1 ore to all", "withdraw #1"):
            answer = await party.act("red", before + action)
            if isinstance(answer, messages.Refused):
                return answer.why
    raise AssertionError("offers without end")


@pytest.mark.parametrize("before", ["", "red ", "Red: "])
def test_offers_are_counted_however_they_are_written(before: str) -> None:
    async def story(party: Party) -> None:
        await trading(party)
        assert await many_offers(party, before, 40) == "offered_too_often"

    in_hall(story, make_dealer=scripted_dealer(QUIET))


@pytest.mark.parametrize("before", ["red red ", "red: Red: ", "red blue "])
def test_a_color_that_stands_there_twice_is_no_action(before: str) -> None:
    async def story(party: Party) -> None:
        await trading(party)
        answer = await party.act("red", f"{before}offer 1 lumber : 1 ore to all")
        assert refusal_code(answer) == "two_meanings"
        assert refusal_code(await party.act("red", f"{before}end")) == "two_meanings"

    in_hall(story, make_dealer=scripted_dealer(QUIET))


def test_offers_are_bounded_by_the_turn_also_by_a_patient_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command_limits, "MOST_OFFERS_A_TURN", 10)

    async def story(party: Party) -> None:
        await trading(party)
        for number in range(10):
            party.clock.time += 60
            await party.play_actions("red", ("offer 1 lumber : 1 ore to all", "withdraw #1")[number % 2])
        party.clock.time += 60
        assert await many_offers(party, "", 1) == "offered_enough"
        await party.play_actions("red", "end")
        await party.play_actions("blue", "roll", "offer 1 brick : 1 grain to all")

    in_hall(story, make_dealer=scripted_dealer(QUIET))


def test_answers_are_counted_by_the_minute_and_by_the_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    async def refused_after(party: Party, most: int) -> str:
        for number in range(most):
            answer = await party.act("blue", ("accept #1", "reject #1")[number % 2])
            if isinstance(answer, messages.Refused):
                return answer.why
        return ""

    async def story(party: Party) -> None:
        await trading(party)
        await party.play_actions("red", "offer 1 lumber : 1 ore to blue white")
        monkeypatch.setattr(command_limits, "ANSWER_RATE", (8, 60.0))
        assert await refused_after(party, 8) == ""
        assert await refused_after(party, 1) == "offered_too_often"
        party.clock.time += 61
        monkeypatch.setattr(command_limits, "MOST_ANSWERS_A_TURN", 10)
        assert await refused_after(party, 2) == ""
        assert await refused_after(party, 1) == "offered_enough"

    in_hall(story, make_dealer=scripted_dealer(QUIET))


def test_one_seat_alone_never_fills_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_size, "MOST_BESIDE_GAME", 40_000)
    for name in ("OFFER_RATE", "WISH_RATE"):
        monkeypatch.setattr(command_limits, name, (10_000, 1.0))
    monkeypatch.setattr(command_limits, "MOST_OFFERS_A_TURN", 10_000)

    async def story(party: Party) -> None:
        await trading(party)
        assert await many_offers(party, "", 100) == "log_full"
        size = party.hall.loaded(party.id).store.log_size
        assert 8_000 <= size.beside_game["red"] < 9_000
        assert size.total < 20_000
        for wish in (messages.Rename(id="1", name="Ann II"), messages.Pause(id="2"), messages.Away(id="3")):
            assert await why_refused(party, "red", wish) == "log_full"
        await carry_out(party, "red", messages.End(id="4"))  # to ask for the end there is room, to toggle it is not
        assert await why_refused(party, "red", messages.End(id="5", on=False)) == "log_full"
        await party.play_actions("red", "end")
        await party.play_actions("blue", "roll", "offer 1 brick : 1 grain to all")  # the others have their share
        await carry_out(party, "blue", messages.Rename(id="6", name="Bob II"))

    in_hall(story, make_dealer=scripted_dealer(QUIET))
