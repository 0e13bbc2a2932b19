"""People who play through the page, and through nothing else: they see what it shows and press what it offers.

    Person(page).play()             # by mouse, until the game is over
    Person(page, "keys").step()     # one thing, by keyboard

They are no masters, but they build when they can, so their games end.
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Error, Locator, Page

from .input_devices import make_hand

RESOURCES = ("brick", "lumber", "wool", "grain", "ore")
PRICES = {
    "city": {"grain": 2, "ore": 3},
    "settlement": {"brick": 1, "lumber": 1, "wool": 1, "grain": 1},
    "card": {"wool": 1, "grain": 1, "ore": 1},
    "road": {"brick": 1, "lumber": 1},
}
PATIENCE = 20.0
"""Seconds in which something must happen at a table of bots."""
PRESS_AGAIN_AFTER = 0.25
"""Seconds after which one presses again: right after a question the page ignores presses."""

SEE = """() => {
    const shown = one => one.checkVisibility();
    const buttons = {};
    for (const one of document.querySelectorAll("button[data-testid]")) {
        const able = !one.disabled && one.getAttribute("aria-disabled") !== "true";
        const [pressed, text] = [one.ariaPressed === "true", one.textContent];
        buttons[one.dataset.testid] = { able, shown: shown(one), pressed, text };
    }
    const targets = [...document.querySelectorAll(".spot[data-action]")]
        .map(one => ({ action: one.dataset.action, name: one.ariaLabel }));
    const hand = {};
    for (const one of document.querySelectorAll("[data-testid^='hand-']")) {
        hand[one.dataset.testid.slice(5)] = Number(one.dataset.count);
    }
    const text = name => document.querySelector(`[data-testid='${name}']`)?.textContent ?? "";
    return {
        sentence: text("sentence"), trouble: text("trouble"), buttons, targets, hand,
        asked: document.querySelector(".sentence.asked") !== null,
        waiting: document.querySelector(".sure") !== null,
        points: [...document.querySelectorAll("[data-testid^='player-'] .points")].map(one => +one.firstChild.data),
        over: document.querySelector("[data-testid='open-end']") !== null,
    };
}"""


@dataclass(frozen=True)
class PageSight:
    """What a person sees on the page at one moment."""

    sentence: str
    trouble: str
    buttons: dict[str, dict[str, Any]]
    targets: list[dict[str, str]]
    hand: dict[str, int]
    asked: bool
    waiting: bool
    points: list[int]
    over: bool

    def can(self, name: str) -> bool:
        """Whether there is such a button, and it can be pressed."""
        return bool(self.buttons.get(name, {}).get("able"))

    def shows(self, name: str) -> bool:
        """Whether a button is in sight."""
        return bool(self.buttons.get(name, {}).get("shown"))

    def starting(self, prefix: str) -> list[str]:
        """The buttons of a kind that can be pressed."""
        return [name for name in self.buttons if name.startswith(prefix) and self.can(name)]


@dataclass
class Person:
    """Somebody at a table, with a mind of their own."""

    page: Page
    hand_kind: str = "mouse"
    seed: int = 7
    trades: int = 1
    """How many offers to make in a turn."""
    curious: bool = False
    """Does everything once as soon as it goes, whether that is wise or not, and builds nothing before."""
    story: list[str] = field(default_factory=list)
    """What was done; shown when something goes wrong."""
    _offered_in_turn: str = ""

    def __post_init__(self) -> None:
        self.hand = make_hand(self.page, self.hand_kind)
        self.random = random.Random(self.seed)

    # --- seeing ---

    def see(self) -> PageSight:
        """What the page shows now."""
        fields: dict[str, Any] = self.page.evaluate(SEE)
        return PageSight(**fields)

    def until(self, true: Callable[[PageSight], bool], seconds: float = PATIENCE) -> PageSight:
        """What the page shows as soon as something is so."""
        deadline = time.monotonic() + seconds
        while True:
            sight = self.see()
            if true(sight):
                return sight
            if time.monotonic() > deadline:
                deeds = "; ".join(self.story[-8:])
                raise AssertionError(
                    f"waited in vain; the page says {sight.sentence!r} {sight.trouble!r} after {deeds}"
                )
            self.page.wait_for_timeout(25)

    # --- doing ---

    def find(self, name: str) -> Locator:
        """A button by its name."""
        return self.page.get_by_test_id(name)

    def press(self, name: str) -> None:
        """Press a button; on a phone some are in a sheet that is opened first."""
        self.story.append(name)
        in_sheet = name.startswith(("build-", "card-", "name-"))
        opener = self.find("open-build" if name.startswith("build-") else "open-cards")
        if not in_sheet or not self.find(name).is_visible():
            self.put_away()
            if in_sheet and opener.is_visible():
                self.hand.press(opener)
        self.hand.press(self.find(name))

    def put_away(self) -> None:
        """Close a sheet that is still open: what it was opened for has happened already, say on a slow machine."""
        close = self.page.locator("dialog[open] .close")
        if self.hand_kind == "finger" and close.is_visible():
            self.hand.press(close)

    def choose(self, action: str) -> None:
        """Choose a place on the board by what is done there."""
        self.story.append(action)
        self.put_away()
        self.hand.choose(self.page.locator(f".spot[data-action='{action}']"))

    # --- playing ---

    def play(self, seconds: float = 120, is_done: Callable[[PageSight], bool] = lambda sight: sight.over) -> PageSight:
        """Play until the game is over, or `is_done`."""
        deadline = time.monotonic() + seconds
        while True:
            sight = self.until(lambda each: is_done(each) or each.asked or each.over)
            if is_done(sight):
                return sight
            assert time.monotonic() < deadline, f"not done in {seconds} s; points {sight.points}; {self.story[-30:]}"
            self.step(sight)

    def step(self, sight: PageSight | None = None) -> None:
        """Do one thing."""
        sight_before, story_length = sight or self.see(), len(self.story)
        if not self.attempt(sight_before, lambda: self.act(sight_before)):
            del self.story[story_length:]

    def attempt(self, sight_before: PageSight, act: Callable[[], None]) -> bool:
        """Do something, and wait until the page shows something else; False: the press came too early."""
        try:
            act()
        except Error:  # what was to be pressed has gone: somebody else was faster
            if self.see() == sight_before:
                raise
        deadline = time.monotonic() + PRESS_AGAIN_AFTER
        while self.see() == sight_before:
            if time.monotonic() > deadline:
                return False
            self.page.wait_for_timeout(15)
        return True

    def act(self, sight: PageSight) -> None:
        """What to do now."""
        if sight.can("discard") or "discard" in sight.buttons:
            self.give_back(sight)
        elif sight.targets:
            self.choose(self.best(sight.targets))
        elif sight.can("card-knight") and sight.shows("roll"):
            self.press("card-knight")
        elif name := next(
            (button for button in (*sight.starting("steal-"), *sight.starting("roll")) if sight.shows(button)), ""
        ):
            self.press(name)
        elif sight.starting("reject-"):
            self.answer(sight)
        elif sight.starting("confirm-"):
            self.press(sight.starting("confirm-")[0])
        elif sight.starting("name-"):
            self.press(self.random.choice(sight.starting("name-")))
        elif self.curious and self.something_new(sight):
            return
        elif name := self.build(sight):
            self.press(name)
        elif not self.trade(sight):
            self.finish(sight)

    def give_back(self, sight: PageSight) -> None:
        """Give cards back on a seven: of whatever there is."""
        if sight.can("discard"):
            self.press("discard")
        else:
            self.press(self.random.choice(sight.starting("discard-")))

    def best(self, targets: list[dict[str, str]]) -> str:
        """Where most is got, by the numbers in the places' names; the robber goes to others."""

        def worth(target: dict[str, str]) -> float:
            name = target["name"]
            if target["action"].startswith("robber"):
                return -9.0 if "your " in name else float(len(re.findall("settlement|city", name)))
            return sum(6 - abs(7 - int(number)) for number in re.findall(r"\b\d+\b", name)) + self.random.random()

        return max(targets, key=worth)["action"]

    def answer(self, sight: PageSight) -> None:
        """Answer the first open offer: yes, if one has plenty; else no."""
        name = sight.starting("reject-")[0]
        yes = name.replace("reject", "accept")
        plenty = max(sight.hand.values(), default=0) > 3
        self.press(yes if plenty and sight.can(yes) else name)

    def build(self, sight: PageSight) -> str:
        """The best thing that can be built or played; a road only while there is nothing better to save for."""
        if self.curious and not self.tried_all():
            return ""
        for name in ("build-city", "build-settlement", "card-road-building", "card-year-of-plenty", "card-monopoly"):
            if sight.can(name) and not sight.buttons[name]["pressed"]:
                return name
        if sight.can("build-card") and sum(sight.hand.values()) > 3:
            return "build-card"
        roads = sum(1 for deed in self.story if deed.startswith("road "))
        saving = min(sight.hand.get("brick", 0), sight.hand.get("lumber", 0)) < 2
        if sight.can("build-road") and not (saving and roads % 3 == 2 and self.random.random() < 0.5):
            return "build-road"
        return ""

    def something_new(self, sight: PageSight) -> bool:
        """Do something that was not done yet: a trade with the supply, an offer, a card."""
        bought = self.has("build-card")
        lacking = [kind for kind in PRICES["card"] if not bought and not sight.hand.get(kind)]
        if (lacking or not self.has("supply-")) and max(sight.hand.values(), default=0) >= 4:
            swaps = sight.starting("supply-")
            if not swaps and sight.buttons["trade"]["pressed"]:
                return False
            useful = [swap for swap in swaps if swap.rpartition("-")[2] in lacking]
            self.press((useful or swaps or ["trade"])[0])
        elif not self.has("send-offer") and sight.can("trade") and any(sight.hand.values()):
            much, little = (pick(sight.hand, key=lambda kind: sight.hand[kind]) for pick in (max, min))
            self.offer(much, little)
        elif not bought and sight.can("build-card"):
            self.press("build-card")
        else:
            return False
        return True

    def tried_all(self) -> bool:
        """Whether everything was done that a short game could do without."""
        return all(self.has(kind) for kind in ("supply-", "send-offer", "build-card", "card-"))

    def has(self, beginning: str) -> bool:
        """Whether something of this kind was done."""
        return any(deed.startswith(beginning) for deed in self.story)

    def trade(self, sight: PageSight) -> bool:
        """One trade for what is missing for the next piece: with the supply if that goes, else by an offer."""
        if not sight.can("trade") or not sight.hand:
            return False
        for price in (PRICES["city"], PRICES["settlement"], PRICES["card"]):
            lacking = [kind for kind, n in price.items() if sight.hand.get(kind, 0) < n]
            spare = [kind for kind in RESOURCES if sight.hand.get(kind, 0) > price.get(kind, 0) + 1]
            if len(lacking) != 1 or not spare:
                continue
            swaps = [f"supply-{kind_given}-{lacking[0]}" for kind_given in spare]
            if name := next((swap for swap in swaps if sight.can(swap)), ""):
                self.press(name)
                return True
            turn = str(self.story.count("end-turn"))
            if max(sight.hand.values()) >= 4 and not sight.buttons["trade"]["pressed"]:
                self.press("trade")
                return True
            if self.trades and self._offered_in_turn != turn:
                self._offered_in_turn = turn
                self.offer(spare[0], lacking[0])
                return True
        return False

    def offer(self, give: str, want: str) -> None:
        """Offer one card for one, to everybody."""
        if not self.see().buttons["trade"]["pressed"]:
            self.press("trade")
        self.press(f"give-{give}")
        self.press(f"want-{want}")
        self.press("send-offer")

    def finish(self, sight: PageSight) -> None:
        """End the turn."""
        if sight.can("end-turn"):
            self.press("end-turn")
        elif sight.can("waive"):
            self.press("waive")


PAGE_STATE = """() => ({
    pieces: [...document.querySelectorAll("[data-piece]")]
        .map(one => `${one.dataset.piece} ${one.getAttribute("href")}`).sort(),
    robber: document.querySelector(".raised.robbed")?.dataset.place ?? null,
    rolled: [...document.querySelectorAll(".raised.rolled")].map(one => one.dataset.place).sort(),
    players: [...document.querySelectorAll("[data-testid^='player-']")]
        .flatMap(one => [...one.querySelectorAll(".who, .facts, .last")])
        .map(one => one.textContent.replace(/\\s+/g, " ").trim()),
    supply: document.querySelector("[data-anchor=supply]")?.textContent.replace(/\\s+/g, " ").trim() ?? null,
    watching: document.querySelector(".watching")?.textContent ?? null,
    clock: document.querySelector("[role=timer]") !== null,
    cards: [...document.querySelectorAll("[data-testid^='card-']")].map(one => one.textContent.trim()),
    offers: [...document.querySelectorAll("[data-testid^='offer-']")].map(one => one.textContent.trim()),
    dice: document.querySelector(".dice")?.ariaLabel ?? null,
    log: [...document.querySelectorAll("[data-testid='log'] p")].map(one => one.textContent.trim()),
    chat: [...document.querySelectorAll("[data-testid='chat'] p")].map(one => one.textContent.trim()),
})"""


def page_state(person: Person) -> dict[str, Any]:
    """Everything of the game that a page shows, to compare two pages; but not an offer that is being written, nor how
    many seconds are left.
    """
    sight = person.see()
    question = {"sentence": sight.sentence, "hand": sight.hand, "targets": sight.targets, "asked": sight.asked}
    able = sorted(
        name for name in sight.buttons if sight.can(name) and not name.startswith(("give-", "want-", "send-"))
    )
    return {**person.page.evaluate(PAGE_STATE), **question, "able": able}
