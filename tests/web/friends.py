"""Friends at one table, each with a browser of their own, and dice that fall as a test wants them to."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import hexholm
from hexholm.host.wire import messages as m
from tests.host.servers import ask, hear, running, say, socket

from .browsing import DESKTOP, Visitor
from .people import RESOURCES, Person, Sight

NAMES = {"red": "Ann", "blue": "Bob", "white": "Cid", "orange": "Dan", "black": "Eve", "green": "Fay"}
FOUR = ("red", "blue", "white", "orange")
COLORS = {"zip": ("black", "blue", "green", "red")}
"""The seats of editions with other colours."""
OPTIONS = {"edition": "fifth", "setup": "fixed", "first": 0}
"""The beginners' set-up: everybody's first pieces stand, red begins, and who gets what for a roll is known."""
QUIET = "dice 3 3"


class Friend(Person):
    """A person at a table with others."""

    def __init__(self, visitor: Visitor, color: str, how: str = "mouse") -> None:
        super().__init__(visitor.page, how)
        self.visitor, self.color = visitor, color

    def holds(self, **cards: int) -> None:
        """Wait until the own hand is exactly this."""
        wanted = {kind: cards.get(kind, 0) for kind in RESOURCES}
        self.until(lambda sight: sight.hand == wanted)

    def does(self, *names: str) -> None:
        """Press buttons one after another, each as soon as that can be done and until it shows."""
        for name in names:
            self._insist(lambda sight, name=name: sight.can(name), lambda name=name: self.press(name))  # type: ignore[misc]

    def builds(self, action: str) -> None:
        """Choose a place as soon as it is offered and until it is taken."""
        self._insist(lambda sight: action in [one["action"] for one in sight.targets], lambda: self.choose(action))

    def _insist(self, possible: Callable[[Sight], bool], what: Callable[[], None]) -> None:
        """Do something; again, if the page took it for a press that was meant for the question before."""
        sight = self.until(possible)
        while possible(sight) and not self.attempt(sight, what):
            sight = self.see()

    def sees(self, text: str) -> None:
        """Wait until the log says something."""
        self.page.get_by_test_id("log").get_by_text(text).last.wait_for()

    def status(self, color: str) -> str:
        """What is said of a player: away, not connected."""
        return self.page.get_by_test_id(f"player-{color}").locator(".last").inner_text()


@dataclass
class Table:
    """A table on a server that runs meanwhile; `tokens` open its seats."""

    url: str
    id: str
    tokens: dict[str, str]

    def act(self, *moves: str) -> None:
        """Play moves without a page: "red: roll"."""
        for move in moves:
            color, _, text = move.partition(": ")
            with socket(self.url, self.id, self.tokens[color]) as line:
                answer = say(line, m.Act(id=secrets.token_hex(8), action=text))
                assert isinstance(answer, m.Done), (move, answer)

    def link(self, color: str | None = None) -> str:
        """The link of a seat, or of the table."""
        return f"/t/{self.id}" + (f"#seat={self.tokens[color]}" if color else "")

    def sit(
        self,
        invite: Callable[..., Visitor],
        color: str,
        how: str = "mouse",
        size: tuple[int, int] = DESKTOP,
        **context: Any,
    ) -> Friend:
        """Somebody opens the link of their seat."""
        friend = Friend(invite(self.url, size, **context), color, how)
        friend.page.goto(self.link(color))
        friend.page.locator("[data-testid=sentence], .lobby").first.wait_for()
        return friend


@contextmanager
def table(*outcomes: str, people: tuple[str, ...] = FOUR, begin: bool = True, **more: Any) -> Iterator[Table]:
    """A table that has begun, on a server of its own; the dice fall in this order, and sixes ever after.

    What `opened` knows goes there, the rest to the hall.
    """
    options = {
        name: more.pop(name)
        for name in list(more)
        if name in ("edition", "first", "hand_limit", "setup", "clock", "ranges")
    }
    script = [*outcomes, *[QUIET] * 400]
    with running(dealer=lambda: hexholm.Scripted(script), **more) as url:
        yield (begun if begin else opened)(url, people, **options)


def begun(url: str, people: tuple[str, ...] = FOUR, **how: Any) -> Table:
    """A table that has begun; the arguments are those of `opened`."""
    found = opened(url, people, **how)
    with socket(url, found.id, found.tokens[people[0]]) as line:
        hear(line, m.Hello)
        assert isinstance(say(line, m.Begin(id="begin")), m.Done)
    return found


def opened(
    url: str,
    people: tuple[str, ...] = FOUR,
    *,
    clock: float | None = None,
    ranges: bool = False,
    chance: str = "host",
    **options: Any,
) -> Table:
    """A table with these people, and bots on the other seats, that has not begun."""
    wishes = {**OPTIONS, **options}
    bots = {color: "easy" for color in COLORS.get(wishes["edition"], FOUR) if color not in people}
    first, *others = people
    chosen = {"options": wishes, "clock": clock, "ranges": ranges, "chance": chance}
    wanted = {**chosen, "name": NAMES[first], "seats": bots, "seat": first}
    made = ask(url, "POST", "/api/tables", wanted)
    assert made.status == 201, made.body
    found = Table(url, made.json["table"]["id"], {first: made.json["token"]})
    for color in others:
        taken = ask(url, "POST", f"/api/tables/{found.id}/seats/{color}", {"name": NAMES[color]})
        assert taken.status in (200, 201), taken.body
        found.tokens[color] = taken.json["token"]
    return found
