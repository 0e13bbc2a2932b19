"""Dice that anybody can check, at the tables of a host: who brings what when, and what is told to whom."""

from __future__ import annotations

import asyncio
import random

import msgspec
import pytest

from hexholm.game.dice_proof import DiceProof, word_promise
from hexholm.game.game import Record
from hexholm.game.records.verify_dice import verify_dice
from hexholm.host.bot_pool.bot_pool import SUBSTITUTE_BOT
from hexholm.host.storage import Storage
from hexholm.host.tables import log
from hexholm.host.tables.fair_dice import DICE_WORDS_PATIENCE
from hexholm.host.tables.table_decision import Decision
from hexholm.host.web.rest.tables import record_writer
from hexholm.host.wire import messages
from tests.game.records.sample_records import new_word
from tests.host.halls import (
    Party,
    carry_out,
    drain,
    in_hall,
    open_party,
    scripted_dealer,
    set_up,
    table_settings,
    why_refused,
)

pytestmark = pytest.mark.waits


async def promise(p: Party, color: str, word: str) -> None:
    await carry_out(p, color, messages.PromiseWord(id=f"promise {color}", promise=word_promise(p.id, color, word)))


async def open_word(p: Party, color: str, word: str) -> None:
    await carry_out(p, color, messages.OpenWord(id=f"open {color}", word=word))


async def play_on(p: Party, steps: int, seed: int = 1) -> None:
    """Random legal actions of whoever is asked."""
    pick = random.Random(seed)
    for number in range(steps):
        if p.table.status == "over":
            return
        color = p.table.asked_colors()[0]
        view = p.table.view(color)
        assert view is not None
        await carry_out(p, color, messages.Act(id=f"{seed} {number}", action=pick.choice(view.legal_actions.texts)))


async def end_agreed(p: Party) -> None:
    for color in p.people:
        if p.table.status != "over" and color is not None:
            await p.send(color, messages.End(id=f"end {color}"))
    assert p.table.status == "over"


def dice(p: Party) -> messages.DiceLine:
    line = p.table.dice_line("red")
    assert line is not None
    return line


def test_a_game_in_which_two_seats_bring_words_is_proved_to_its_end() -> None:
    async def run(p: Party) -> None:
        await set_up(p, people=4)
        commitment = dice(p).commitment
        words = {color: new_word() for color in ("red", "blue")}
        for color, word in words.items():
            await promise(p, color, word)
        await p.begin()
        assert p.table.status == "open"
        assert dice(p).opening
        assert dice(p).words == {}
        for color, word in words.items():
            await open_word(p, color, word)
        await p.until(lambda: p.table.status == "playing")
        await play_on(p, 60)
        assert dice(p).key is None
        await end_agreed(p)
        proof = p.table.fair_dice.proof(p.id, show_key=True)
        assert proof is not None
        assert proof.commitment == commitment
        assert proof.words == words
        verdict = verify_dice(record_writer(p.table, None, "text")())
        assert verdict.ok, verdict.problems
        assert verdict.draws["dice"] > 3

    in_hall(run)


def test_a_word_that_is_not_opened_in_time_counts_as_empty() -> None:
    async def run(p: Party) -> None:
        await set_up(p, people=4)
        words = {color: new_word() for color in ("red", "blue")}
        for color, word in words.items():
            await promise(p, color, word)
        await p.begin()
        await open_word(p, "blue", words["blue"])
        await p.after(DICE_WORDS_PATIENCE - 0.1)
        assert dice(p).words.keys() == {"blue"}
        assert p.table.game is None
        await p.after(0.2)
        assert p.table.status == "playing"
        await play_on(p, 10)
        await end_agreed(p)
        verdict = verify_dice(Record.from_json(record_writer(p.table, None, "json")()))
        assert verdict.ok, verdict.problems
        assert verdict.proof.promises.keys() == {"red", "blue"}
        assert verdict.proof.words == {"blue": words["blue"]}

    in_hall(run)


def test_a_game_without_words_begins_at_once_and_has_its_proof() -> None:
    async def run(p: Party) -> None:
        await set_up(p, people=4)
        await p.begin()
        assert p.table.status == "playing"
        await play_on(p, 10)
        await end_agreed(p)
        verdict = verify_dice(record_writer(p.table, None, "text")())
        assert verdict.ok, verdict.problems
        assert verdict.proof.words == {}

    in_hall(run)


def test_the_key_is_nowhere_before_the_end() -> None:
    """Not in the log, not in what anybody is told, not in lists, not in a record of the running game."""

    async def run(p: Party) -> None:
        await set_up(p, people=4)
        feeds = [p.feed(color, since=0) for color in (*p.table.colors, None)]
        await promise(p, "red", new_word())
        await p.begin()
        await p.after(DICE_WORDS_PATIENCE + 1)
        await play_on(p, 20)
        key = p.table.fair_dice.key
        assert key is not None
        secrets = [key.hex(), repr(key), p.table.fair_dice.dealer(p.id).draw_key.hex()]  # type: ignore[union-attr]
        storage = p.hall.services.storage
        rows = await storage.entries(p.id)
        assert rows[0].tag == "opened"
        assert dice(p).commitment in rows[0].body
        told = [msgspec.json.encode(message).decode() for feed in feeds for message in drain(feed)]
        assert any("commitment" in text for text in told)
        table_row = await storage.table(p.id)
        assert table_row is not None
        written = [
            record_writer(p.table, color, form)() for color in (*p.table.colors, None) for form in ("text", "json")
        ]
        for text in (*told, *(row.body for row in rows), table_row.summary, *written, repr(p.table)):
            for secret in secrets:
                assert secret not in text
        await end_agreed(p)
        *seats, public = (b"".join(msgspec.json.encode(message) for message in drain(feed)) for feed in feeds)
        assert all(key.hex().encode() in ending for ending in seats)
        assert b'"status":"over"' in public
        assert key.hex().encode() not in public, "finished games belong to those who sat there"

    in_hall(run)


def test_the_key_of_an_abandoned_game_is_never_shown() -> None:
    async def run(p: Party) -> None:
        await set_up(p, people=4)
        await p.begin()
        await play_on(p, 10)
        runner = p.hall.loaded(p.id)
        await runner.run_in_turn(lambda: runner.write(p.table.decide_stop("abandoned", "nobody came")))
        assert p.table.status == "over"
        assert dice(p).key is None
        proof = DiceProof.read(p.table.fair_dice.proof(p.id, show_key=p.table.shows_dice_key).text())  # type: ignore[union-attr]
        assert proof.key is None

    in_hall(run)


def test_a_crash_keeps_the_key_and_the_words() -> None:
    async def run() -> None:
        async with Storage(":memory:") as storage:
            async with open_party(storage) as p:
                await set_up(p, people=4)
                word = new_word()
                await promise(p, "red", word)
                await p.begin()
                await open_word(p, "red", word)
                await p.until(lambda: p.table.status == "playing")
                await play_on(p, 12)
                before, key, people = dice(p), p.table.fair_dice.key, p.people
            async with open_party(storage) as again:
                again.id, again.people = p.id, people
                assert dice(again) == before
                assert again.table.fair_dice.key == key
                await play_on(again, 20, seed=2)
                await end_agreed(again)
                verdict = verify_dice(record_writer(again.table, None, "text")())
                assert verdict.ok, verdict.problems
                assert verdict.proof.words == {"red": word}

    asyncio.run(run())


def test_who_leaves_takes_the_promise_along_and_a_begin_is_off() -> None:
    async def run(p: Party) -> None:
        await set_up(p, people=4)
        words = {color: new_word() for color in ("red", "blue")}
        for color, word in words.items():
            await promise(p, color, word)
        await carry_out(p, "blue", messages.Leave(id="leave"))
        assert dice(p).promises.keys() == {"red"}
        p.tokens["blue"] = await p.hall.loaded(p.id).seat_access.take_seat("blue", "bob", "Bob")
        p.people["blue"] = p.hall.loaded(p.id).seat_access.identify(p.tokens["blue"], "bob")
        await p.begin()
        await open_word(p, "red", words["red"])
        await p.until(lambda: p.table.status == "playing")

    in_hall(run)


def test_no_seat_changes_while_words_are_opened_so_that_nobody_can_try_again() -> None:
    """With new words under the same key, whoever knows it could go on until the dice suit."""

    async def run(p: Party) -> None:
        await set_up(p, people=3)
        await carry_out(p, "red", messages.SeatBot(id="bot", color="orange", bot_name="random"))
        for color in ("red", "blue"):
            await promise(p, color, new_word())
        await p.begin()
        before = dice(p)
        for color, command in (
            ("blue", messages.Leave(id="leave")),
            ("red", messages.Kick(id="kick", color="white")),
            ("red", messages.SeatBot(id="none", color="orange", bot_name=None)),
            ("red", messages.SeatBot(id="other", color="orange", bot_name="easy")),
        ):
            assert await why_refused(p, color, command) == "words_opening"
        await carry_out(p, "white", messages.Rename(id="name", name="Wendy"))
        assert dice(p) == before
        await p.after(DICE_WORDS_PATIENCE + 1)
        assert p.table.status == "playing"

    in_hall(run)


def test_whoever_is_deleted_while_words_are_opened_changes_nothing_about_them() -> None:
    async def run(p: Party) -> None:
        await set_up(p, people=4)
        words = {color: new_word() for color in ("red", "blue")}
        for color, word in words.items():
            await promise(p, color, word)
        await p.begin()
        await open_word(p, "red", words["red"])
        guest = p.people["blue"]
        await p.hall.loaded(p.id).seat_access.forget_guest(guest.id)
        assert p.table.seats["blue"].bot_name == SUBSTITUTE_BOT
        assert dice(p).promises.keys() == {"red", "blue"}
        assert dice(p).words == {"red": words["red"]}
        await p.after(DICE_WORDS_PATIENCE + 1)
        assert p.table.status == "playing"

    in_hall(run)


def test_an_older_log_in_which_a_seat_changed_while_words_were_opened_is_read_as_it_was() -> None:
    async def run(p: Party) -> None:
        await set_up(p, people=4)
        await promise(p, "red", new_word())
        await p.begin()
        assert dice(p).opening
        runner = p.hall.loaded(p.id)
        left = Decision((log.Seated(color="white", sitter="empty"),))
        await runner.run_in_turn(lambda: runner.write(left))
        assert dice(p).promises == {}
        assert not dice(p).opening
        await p.after(DICE_WORDS_PATIENCE + 1)
        assert p.table.status == "open"

    in_hall(run)


def test_what_cannot_be_is_refused_by_name() -> None:
    async def run(p: Party) -> None:
        await set_up(p, people=4)
        word = new_word()
        await promise(p, "red", word)
        assert await why_refused(p, "red", messages.OpenWord(id="1", word=word)) == "words_not_asked"
        assert await why_refused(p, None, messages.PromiseWord(id="2", promise="0" * 64)) == "no_seat_of_yours"
        assert await why_refused(p, "blue", messages.PromiseWord(id="3", promise="short")) == "bad_call"
        await p.begin()
        assert await why_refused(p, "red", messages.Begin(id="4")) == "begun_already"
        late = messages.PromiseWord(id="5", promise=word_promise(p.id, "blue", word))
        assert await why_refused(p, "blue", late) == "words_closed"
        assert await why_refused(p, "red", messages.OpenWord(id="6", word=new_word())) == "word_not_promised"
        assert await why_refused(p, "blue", messages.OpenWord(id="7", word=word)) == "word_not_promised"

    in_hall(run)


@pytest.mark.parametrize("word", ["C" * 400, "with blanks key=" + "0" * 64, "x " * 15_000, "short", ""])
def test_what_is_no_word_is_not_opened_although_it_was_promised(word: str) -> None:
    """A record with it could not be checked, and everybody would be sent it."""

    async def run(p: Party) -> None:
        await set_up(p, people=4)
        await promise(p, "blue", word)
        await p.begin()
        assert await why_refused(p, "blue", messages.OpenWord(id="1", word=word)) == "bad_call"
        await p.after(DICE_WORDS_PATIENCE + 0.1)
        assert p.table.status == "playing"
        assert dice(p).words == {}
        await play_on(p, 20)
        await end_agreed(p)
        verdict = verify_dice(record_writer(p.table, None, "text")())
        assert verdict.ok, verdict.problems

    in_hall(run)


def test_real_cards_lessons_and_dealers_of_ones_own_have_no_proof_and_say_so() -> None:
    async def companion(p: Party) -> None:
        await set_up(p, people=4, chance_source="dice")
        assert p.table.dice_line(None) is None
        answer = messages.PromiseWord(id="1", promise="0" * 64)
        assert await why_refused(p, "red", answer) == "no_dice_proof"
        created = await p.hall.create("ann", table_settings(lesson="first-game", name="Ann", sit=True))
        assert p.hall.loaded(created.id).table.dice_line(None) is None

    async def own_dealer(p: Party) -> None:
        await set_up(p, people=4)
        assert p.table.dice_line(None) is None

    in_hall(companion)
    in_hall(own_dealer, make_dealer=scripted_dealer())


def test_a_table_of_before_goes_on_without_a_proof() -> None:
    opened = log.Opened(title="", creator_id="ann", options={}, board="")
    assert opened.dice_commitment == ""
    assert b"dice" not in msgspec.json.encode(opened)
