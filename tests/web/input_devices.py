"""Three ways to use a page: with a mouse, with a finger, with keys alone. Each presses buttons and chooses places.

A hand does what a person's hand does, no more: it never calls into the page's own code, and `Keys` never points.
"""

from __future__ import annotations

import time
from typing import Protocol

from playwright.sync_api import Error, Locator, Page

from .visitor import PATIENCE_MS

SETTLES_MS = 3000
"""So long a button or a place may take to come to rest, before it is looked at again."""
TOO_EARLY_MS = 400
"""So long after a question presses are not believed."""
MOST_PRESSES = 120
"""So many presses of a key, before something is called out of reach."""


class OutOfReach(AssertionError):
    """Something on the page cannot be reached with this hand."""


class Hand(Protocol):
    """Presses what can be pressed."""

    def press(self, target: Locator) -> None:
        """Press a button or follow a link."""
        ...

    def choose(self, target: Locator) -> None:
        """Choose a place on the board, for good."""
        ...


class Mouse:
    """Points and clicks."""

    def press(self, target: Locator) -> None:
        """One click."""
        target.click(timeout=SETTLES_MS)

    def choose(self, target: Locator) -> None:
        """One click."""
        target.click(timeout=SETTLES_MS)


class Finger:
    """Taps. On the board the first tap shows what would be done, and the second does it."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, target: Locator) -> None:
        """One tap."""
        target.tap(timeout=SETTLES_MS)

    def choose(self, target: Locator) -> None:
        """Two taps, and between them a look whether the page shows what is about to be done.

        Right after a question the second is not believed: then there is a third.
        """
        sure = self.page.locator(".sure")
        target.tap(timeout=SETTLES_MS)
        sure.wait_for(timeout=SETTLES_MS)
        target.tap(timeout=SETTLES_MS)
        try:
            sure.wait_for(state="detached", timeout=TOO_EARLY_MS)
        except Error:
            target.tap(timeout=SETTLES_MS)


class Keys:
    """Tab, Shift, Enter and the arrows."""

    TABS = """wanted => {
        const open = [...document.querySelectorAll("dialog:modal")].at(-1) ?? document;
        const stops = [...open.querySelectorAll("a[href], button, input, select, summary, [tabindex]")]
            .filter(one => one.tabIndex >= 0 && !one.disabled && one.checkVisibility());
        return [stops.indexOf(document.activeElement), stops.indexOf(wanted)];
    }"""
    """Where among the tab stops the focus is, and where it should be: to know which way is shorter."""
    HERE = "wanted => wanted === document.activeElement"
    SEEN = "wanted => wanted.matches(':focus-visible')"
    WAY = """wanted => {
        const [from, to] = [document.activeElement, wanted].map(one => one.getBoundingClientRect());
        return [to.x + to.width / 2 - from.x - from.width / 2, to.y + to.height / 2 - from.y - from.height / 2];
    }"""

    SOMEWHERE = "document.activeElement !== document.body"

    def __init__(self, page: Page) -> None:
        self.page = page
        self.began = False

    def go(self, target: Locator) -> None:
        """Go to something with Tab, from where the keys are; one sees where one is."""
        if self.began:
            self.somewhere()
        self.began = True
        target.wait_for(timeout=SETTLES_MS)
        focus_index, target_index = target.evaluate(self.TABS)
        if target_index < 0:
            raise OutOfReach(f"{target} is no tab stop")
        key = "Shift+Tab" if 0 <= target_index < focus_index else "Tab"
        for presses in range(MOST_PRESSES):
            if target.evaluate(self.HERE):
                assert not presses or target.evaluate(self.SEEN), f"{target} has the focus and does not show it"
                return
            self.page.keyboard.press(key)
        raise OutOfReach(f"{target} cannot be reached with {key}")

    def somewhere(self) -> None:
        """The keys are never nowhere: what they stood on may go, but then they stand on something else."""
        end = time.monotonic() + PATIENCE_MS / 1000
        while not self.page.evaluate(self.SOMEWHERE):
            if time.monotonic() > end:
                raise OutOfReach("the focus is lost: Tab would begin at the top of the page")
            self.page.wait_for_timeout(20)

    def press(self, target: Locator) -> None:
        """Go there and press Enter."""
        self.go(target)
        self.page.keyboard.press("Enter")

    def choose(self, target: Locator) -> None:
        """Go to the board, to the place with the arrows, and press Enter."""
        self.walk(target)
        self.page.keyboard.press("Enter")

    def walk(self, target: Locator) -> None:
        """Go to a place of the board: straight with the arrows while they lead there, else one place after another."""
        self.go(self.page.locator(".spot[tabindex='0']"))
        for _ in range(12):
            if target.evaluate(self.HERE):
                return
            right, down = target.evaluate(self.WAY)
            if abs(right) > abs(down):
                self.page.keyboard.press("ArrowRight" if right > 0 else "ArrowLeft")
            else:
                self.page.keyboard.press("ArrowDown" if down > 0 else "ArrowUp")
        self.page.keyboard.press("Home")
        for _ in range(MOST_PRESSES):
            if target.evaluate(self.HERE):
                return
            self.page.keyboard.press("PageDown")
        raise OutOfReach(f"{target} cannot be reached on the board")


def make_hand(page: Page, kind: str) -> Hand:
    """A hand by its name: mouse, finger or keys."""
    if kind == "mouse":
        return Mouse()
    return Keys(page) if kind == "keys" else Finger(page)
