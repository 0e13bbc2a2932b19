"""Every page in WebKit and in Firefox, and a few turns by mouse."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import pytest
from playwright.sync_api import Page

from . import engines, friends
from .page_players import Person
from .situations import SITUATIONS, run_situations_server
from .visitor import DESKTOP, PHONE

pytestmark = [pytest.mark.waits, pytest.mark.usefixtures("built")]


@pytest.fixture(scope="module", params=engines.ENGINES)
def page(request: pytest.FixtureRequest, built: None) -> Iterator[engines.EnginePage]:
    """A page of an engine, on a server on which situations can be made."""
    if not engines.are_there():
        pytest.fail(engines.MISSING, pytrace=False)
    with run_situations_server() as url, engines.ENGINES[request.param](url) as opened:
        opened.resize(*DESKTOP)
        yield opened


@pytest.mark.parametrize("situation", SITUATIONS)
def test_every_page_comes_whole(page: engines.EnginePage, situation: str) -> None:
    scene = SITUATIONS[situation](page.url)
    page.goto(scene.address)
    page.locator(scene.ready).wait_for()
    assert page.complaints() == []


def test_a_few_turns_are_played(page: engines.EnginePage) -> None:
    page.goto(friends.begin_table(page.url, ("red",), setup="variable").link("red"))
    person = Person(cast("Page", page))
    person.play(is_done=lambda sight: person.story.count("end-turn") >= 3 or sight.over)
    assert page.complaints() == []
    assert person.story.count("roll") >= 2


def test_a_phone_sees_the_whole_table(page: engines.EnginePage) -> None:
    page.resize(*PHONE)
    page.goto(friends.begin_table(page.url, ("red",)).link("red"))
    page.locator("[data-testid=roll]").wait_for()
    assert page.run("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    page.resize(*DESKTOP)
