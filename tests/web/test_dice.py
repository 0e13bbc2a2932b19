"""Dice that anybody can check, in the browser: words that are brought by themselves, and the check at the end."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any
from urllib.parse import urlsplit

import msgspec
import pytest
from playwright.sync_api import Page, Route, expect

from hexholm.host.client import Client
from hexholm.host.web.admission.limits import Limits
from hexholm.host.web.operations.settings import Settings
from hexholm.host.wire import messages
from tests.host.servers import ask, hear, open_socket, run_server

from . import friends
from .conftest import Invite
from .visitor import PHONE, axe_faults

pytestmark = pytest.mark.waits

INSECURE = "island.test"
"""A name over plain http: there is no crypto.subtle."""


def play_and_end(table: friends.Table, actions: int = 24) -> None:
    """The people play at random for a while; then they agree to end the game."""

    async def run() -> None:
        pick, count = random.Random(5), 0
        seats = [Client(table.url).join(table.id, token) for token in table.tokens.values()]

        async def play(index: int) -> None:
            nonlocal count
            async with seats[index] as line:
                async for now in line.questions():
                    await line.act(pick.choice(now.legal))
                    count += 1
                    if count >= actions:
                        break

        playing = [asyncio.create_task(play(index)) for index in range(len(seats))]
        await asyncio.wait(playing, return_when=asyncio.FIRST_COMPLETED)
        for task in playing:
            task.cancel()
        await asyncio.wait(playing)

    with ThreadPoolExecutor(1) as thread:  # Playwright's loop runs in this one
        thread.submit(asyncio.run, run()).result()
    for token in table.tokens.values():
        with open_socket(table.url, table.id, token) as line:
            if hear(line, messages.Hello).table.status != "over":
                line.send(msgspec.json.encode(messages.End(id="end")).decode())
                hear(line, messages.Done, messages.Refused)


def dice_of(table: friends.Table) -> messages.DiceLine:
    """What everybody is told of the dice."""
    with open_socket(table.url, table.id) as line:
        hello: messages.Hello = hear(line, messages.Hello)
    assert hello.dice is not None
    return hello.dice


def wait_for(page: Page, holds: Callable[[], bool]) -> None:
    for _ in range(200):
        if holds():
            return
        page.wait_for_timeout(50)
    raise AssertionError("it did not happen")


def forge(change: Callable[[Any], None]) -> Callable[[Route], None]:
    """A host whose answer for the check of dice is changed."""

    def answer(route: Route) -> None:
        response = route.fetch()
        body = response.json()
        change(body)
        route.fulfill(response=response, json=body)

    return answer


def test_browsers_bring_words_and_check_the_dice(houses: ExitStack, invite: Invite) -> None:
    server = houses.enter_context(run_server(settings=Settings(port=0, limits=Limits.none(), hosts=(INSECURE,))))
    table = friends.open_table(server, ("red", "blue"), setup="variable")
    ann = invite(server).page
    bob = invite(f"http://{INSECURE}:{urlsplit(server).port}", PHONE, has_touch=True, locale="de").page
    ann.goto(table.link("red"))
    bob.goto(table.link("blue"))
    wait_for(bob, lambda: dice_of(table).promises.keys() == {"red", "blue"})
    assert bob.evaluate("window.crypto.subtle") is None
    promises = dice_of(table).promises
    bob.reload()  # what was promised is kept
    ann.get_by_text("Dice that anybody can check").click()
    expect(ann.get_by_test_id("dice-promise")).to_contain_text(dice_of(table).commitment)
    expect(bob.get_by_test_id("dice-promise")).to_contain_text("ein zufälliges Wort")
    assert dice_of(table).promises == promises
    ann.get_by_test_id("begin").click()
    for page in (ann, bob):
        page.get_by_test_id("sentence").wait_for()
    assert dice_of(table).words.keys() == {"red", "blue"}

    play_and_end(table)
    ann.get_by_test_id("check-dice").click()
    found = ann.get_by_test_id("dice-check")
    expect(found).to_contain_text(
        re.compile(r"\d+ rolls?.*follow from the key that the server promised before the game")
    )
    expect(found).to_contain_text("came from: Bob and Ann")
    expect(found).to_contain_text("noted when it first saw the table")
    ann.get_by_test_id("dice-list").click()
    token = f"Bearer {table.tokens['red']}"
    draws = ask(server, "GET", f"/api/tables/{table.id}/dice", Authorization=token).json["draws"]
    expect(found.locator("tbody tr")).to_have_count(len(draws))
    assert axe_faults(ann) == []

    bob.goto(f"/replay/{table.id}")
    bob.get_by_test_id("check-dice").click()
    expect(bob.get_by_test_id("dice-check")).to_contain_text("Schlüssel, auf den sich der Server vor dem Spiel")
    assert axe_faults(bob) == []


def test_what_was_forged_is_named(server: str, invite: Invite) -> None:
    table = friends.begin_table(server, ("red",), setup="variable")
    visitor = invite(server)
    page = visitor.page
    page.goto(table.link("red"))
    page.get_by_test_id("sentence").wait_for()
    play_and_end(table)
    path = f"**/api/tables/{table.id}/dice"
    check, found = page.get_by_test_id("check-dice"), page.get_by_test_id("dice-check")

    def see(change: Callable[[Any], None], *texts: str) -> None:
        page.route(path, forge(change))
        check.click()
        for text in texts:
            expect(found).to_contain_text(text)
        check.click()
        page.unroute(path)

    def other_roll(body: Any) -> None:
        roll = next(draw for draw in body["draws"] if draw["stream"] == "dice")
        number = (roll["first"] + 1) % 36
        roll.update(first=number, last=number, outcome=f"dice {number // 6 + 1} {number % 6 + 1}")

    def other_key(body: Any) -> None:
        body["dice"]["key"] = "0" * 64

    def other_promise(body: Any) -> None:
        body["dice"]["commitment"] = "0" * 64

    see(lambda _: None, "follow", "No seat added a word of its own")

    def other_count(body: Any) -> None:
        roll = next(draw for draw in body["draws"] if draw["stream"] == "dice")
        roll.update(count=roll["count"] + 1)

    see(other_roll, "The first one that does not follow from the key: Turn 1", "not the ones that this page has shown")
    see(other_count, "The first one that was not due then, or that the numbers do not stand for: Turn 1")
    see(other_key, "The key is not the one that was promised")
    see(other_promise, "promised a different key from the one this browser noted")

    def hidden(body: Any) -> None:
        body.update(draws=[])
        del body["dice"]["key"]

    see(hidden, "stays secret")


def test_a_table_without_a_proof_says_so_before_and_after(server: str, invite: Invite) -> None:
    table = friends.open_table(server, ("red",), chance="dice")
    page = invite(server).page
    page.goto(table.link("red"))
    expect(page.get_by_test_id("dice-promise")).to_have_text(
        "The dice of this game have no proof: you roll them yourselves."
    )
    page.goto("/")
    page.get_by_test_id("learn").click()
    page.get_by_test_id("sentence").wait_for()
    page.get_by_test_id("menu").click()
    expect(page.get_by_test_id("dice-promise")).to_contain_text("the lesson chose the first rolls")
    page.get_by_test_id("end").click()
    page.get_by_test_id("end").click()
    page.get_by_test_id("check-dice").click()
    expect(page.get_by_test_id("dice-check")).to_contain_text("the lesson chose the first rolls")
