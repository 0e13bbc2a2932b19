"""The page "You": to another device and back, what is kept as a file, and deleting it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from .conftest import Invite
from .page_players import Person
from .situations import NEW_TABLE, become_known
from .visitor import PHONE

pytestmark = pytest.mark.waits

GROUPS = re.compile(r"^(?:[0-9A-Z]{4}-){6}[0-9A-Z]{4}$")


def known(page: Page) -> None:
    """A guest with a table, on the page "You"."""
    page.goto("/me")
    page.get_by_test_id("typed-recovery").wait_for()
    become_known(Person(page))


def own_tables(page: Page) -> int:
    return len(page.evaluate("() => fetch('/api/me').then((answer) => answer.json())")["tables"])


def test_a_stranger_is_told_so_and_a_guest_gets_a_text_that_is_shown_once(page: Page) -> None:
    page.goto("/")
    page.get_by_test_id("me").click()
    expect(page.get_by_test_id("unknown")).to_be_visible()
    expect(page.get_by_test_id("recovery-lasting")).to_have_count(0)
    become_known(Person(page))
    page.get_by_test_id("recovery-lasting").click()
    text = page.get_by_test_id("recovery-text")
    expect(text).to_have_text(GROUPS)
    expect(page.get_by_role("img", name="QR code")).to_be_visible()
    shown = text.inner_text()
    page.get_by_test_id("recovery-done").click()
    expect(text).to_have_count(0)
    expect(page.get_by_test_id("recoveries").locator("li")).to_have_text([re.compile("Recovery text, made on")])
    assert shown not in page.content()
    page.reload()
    expect(page.get_by_test_id("recoveries").locator("li")).to_have_count(1)


def test_the_phone_goes_on_with_the_tables_once_somebody_has_said_yes(page: Page, server: str, invite: Invite) -> None:
    known(page)
    page.get_by_test_id("recovery-once").click()
    link = page.get_by_label("The same, as a link").input_value()
    phone = invite(server, PHONE, has_touch=True).page
    phone.goto(link.replace(link.split("/me")[0], server))
    expect(phone.get_by_test_id("recover-yes")).to_be_visible()
    assert "recover" not in phone.url
    assert "recover=" not in phone.evaluate("() => JSON.stringify(history.state) + location.href")
    assert own_tables(phone) == 0, "a link alone changes nothing"
    phone.get_by_test_id("recover-yes").tap()
    expect(phone.get_by_role("main").get_by_text("Welcome back. 1 table came with you.")).to_be_visible()
    assert own_tables(phone) == 1
    phone.get_by_role("link", name=re.compile("Continue")).tap()
    expect(phone.get_by_test_id("seat-red")).to_contain_text(re.compile("Ann.*you"))
    visitor = invite(server)
    visitor.expect("403")
    second = visitor.page
    second.goto(link.replace(link.split("/me")[0], server))
    second.get_by_test_id("recover-yes").click()
    expect(second.get_by_role("alert")).to_contain_text("does not work")


def test_a_text_is_typed_on_a_device_with_tables_of_its_own(page: Page, server: str, invite: Invite) -> None:
    known(page)
    page.get_by_test_id("recovery-lasting").click()
    text = page.get_by_test_id("recovery-text").inner_text()
    visitor = invite(server)
    visitor.expect("40[09]")
    other = visitor.page
    known(other)
    typed = other.get_by_test_id("typed-recovery")
    typed.fill(text[:-1])
    other.get_by_test_id("recover").click()
    expect(other.get_by_role("alert")).to_contain_text("28 letters and digits")
    typed.fill(text.lower().replace("-", " "))
    other.get_by_test_id("recover").click()
    dialog = other.get_by_role("dialog", name="This browser has tables of its own")
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog).to_have_count(0)
    other.get_by_test_id("recover").click()
    other.get_by_test_id("replace-yes").click()
    expect(other.get_by_role("main").get_by_text("Welcome back")).to_be_visible()
    assert own_tables(other) == 1
    page.get_by_test_id("recovery-done").click()
    page.get_by_test_id("revoke").click()
    page.get_by_test_id("revoke").click()
    expect(page.get_by_test_id("recoveries")).to_have_count(0)
    visitor = invite(server)
    visitor.expect("403")
    third = visitor.page
    third.goto(f"/me#recover={text}")
    third.get_by_test_id("recover-yes").click()
    expect(third.get_by_role("alert")).to_contain_text("does not work")


def test_what_is_kept_is_saved_as_a_file(page: Page) -> None:
    known(page)
    with page.expect_download() as download:
        page.get_by_test_id("export").click()
    assert download.value.suggested_filename == "hexholm-me.json"
    kept = json.loads(Path(download.value.path()).read_text(encoding="utf-8"))
    assert (kept["name"], len(kept["tables"])) == ("Ann", 1)


def test_who_is_deleted_is_gone_from_the_pages_of_others_too(page: Page, server: str, invite: Invite) -> None:
    page.goto("/")
    made = page.evaluate(NEW_TABLE)
    address, said = f"/t/{made['table']['id']}", "mulberry marmalade"
    page.goto(address)
    bob = invite(server).page
    bob.goto(address)
    bob.get_by_test_id("name").fill("Bob")
    bob.get_by_test_id("sit-orange").click()
    page.get_by_test_id("begin").click()
    page.get_by_test_id("say").fill(said)
    page.get_by_test_id("say").press("Enter")
    expect(bob.get_by_test_id("chat")).to_contain_text(said)
    expect(bob.get_by_test_id("player-red")).to_contain_text("Ann")
    page.goto("/me")
    page.get_by_test_id("delete").click()
    page.get_by_role("dialog", name="Delete everything").get_by_role("button", name="Cancel").click()
    page.get_by_test_id("delete").click()
    page.get_by_test_id("delete-yes").click()
    expect(page.get_by_text("Everything that was kept about you has been deleted.")).to_be_visible()
    assert "hexholm.seats" not in page.evaluate("() => Object.keys(localStorage)")
    expect(bob.get_by_test_id("chat")).not_to_contain_text(said)
    expect(bob.get_by_test_id("player-red")).not_to_contain_text("Ann")
    assert own_tables(page) == 0
