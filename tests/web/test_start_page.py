"""The page loads: at every address of the client, without a complaint, and without a word to strangers."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from .conftest import Invite
from .visitor import Visitor, axe_faults, overflow_pixels

pytestmark = pytest.mark.waits

SIZES = [(320, 640), (390, 844), (820, 1180), (1440, 900), (3840, 2160)]


def test_the_start_page_loads_and_names_the_game(page: Page) -> None:
    page.goto("/")
    expect(page).to_have_title("Hexholm")
    expect(page.get_by_role("heading", level=1)).to_be_visible()


@pytest.mark.parametrize("address", ["/new", "/t/nosuchtable", "/replay/nosuchtable", "/no/such/page"])
def test_every_address_leads_to_the_client(visitor: Visitor, address: str) -> None:
    visitor.expect("status of 404")  # what is not there is not there
    visitor.page.goto(address)
    expect(visitor.page.get_by_role("main")).to_be_visible()


@pytest.mark.parametrize("size", SIZES)
def test_the_start_page_fits_every_screen(server: str, invite: Invite, size: tuple[int, int]) -> None:
    page = invite(server, size).page
    page.goto("/")
    expect(page.get_by_role("main")).to_be_visible()
    assert overflow_pixels(page) <= 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_on_the_start_page(server: str, invite: Invite, scheme: str) -> None:
    page = invite(server, color_scheme=scheme).page
    page.goto("/")
    expect(page.get_by_role("main")).to_be_visible()
    assert axe_faults(page) == []


def test_the_fixtures_notice_complaints_and_foreign_requests(server: str, invite: Invite) -> None:
    guest = invite(server)
    guest.page.goto("/")
    assert guest.faults == []
    guest.page.evaluate("console.error('a complaint')")
    guest.page.evaluate("setTimeout(() => { throw new Error('a crash') })")
    guest.page.evaluate("fetch('http://127.0.0.2:9/').catch(() => 0)")
    guest.page.evaluate("new Promise((done) => setTimeout(done, 100))")
    faults = "\n".join(guest.faults)
    assert "a complaint" in faults
    assert "a crash" in faults
    assert "violates the following Content Security Policy" in faults  # it never left the page
    guest.expect("a complaint|a crash|Content Security Policy|127.0.0.2")
    assert guest.faults == []
