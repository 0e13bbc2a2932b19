"""Friends at one table, each with a browser of their own, and dice that fall as a test wants them to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import hexholm
from hexholm.game.dealers import Scripted
from tests.host.houses import ask, running

from .browsing import DESKTOP, Visitor
from .people import Person

NAMES = {"red": "Ann", "blue": "Bob", "white": "Cid", "orange": "Dan"}
OPTIONS = {"edition": "fifth", "setup": "fixed", "first": 0}
"""The beginners' set-up: everybody's first pieces stand, red begins, and who gets what for a roll is known."""
QUIET = "dice 3 3"


def dealer(*outcomes: str) -> Callable[[], Scripted]:
    """Dice, stolen and drawn cards in this order; sixes ever after."""
    return lambda: hexholm.Scripted([*outcomes, *[QUIET] * 400])


@dataclass
class Table:
    """A table on a server that runs meanwhile; `tokens` open its seats."""

    url: str
    id: str
    tokens: dict[str, str]

    def link(self, color: str | None = None) -> str:
        """The link of a seat, or of the table."""
        return f"/t/{self.id}" + (f"#seat={self.tokens[color]}" if color else "")

    def sit(self, invite: Callable[..., Visitor], color: str, how: str = "mouse", **context: Any) -> Friend:
        """Somebody opens the link of their seat."""
        visitor = invite(self.url, context.pop("size", DESKTOP), **context)
        visitor.page.goto(self.link(color))
        friend = Friend(visitor.page, how, visitor=visitor, color=color)
        friend.page.get_by_test_id("sentence").wait_for()
        return friend


@dataclass
class Friend(Person):
    """A person at a table with others."""

    visitor: Visitor = None  # type: ignore[assignment]  # always given; dataclass order
    color: str = ""

    def holds(self, **cards: int) -> None:
        """Wait until the own hand is exactly this."""
        wanted = {kind: cards.get(kind, 0) for kind in ("brick", "lumber", "wool", "grain", "ore")}
        self.until(lambda sight: sight.hand == wanted)

    def does(self, *names: str) -> None:
        """Press buttons one after another, each as soon as it can be pressed; pressed again if it came too early."""
        for name in names:
            self.until(lambda sight, name=name: sight.can(name))  # type: ignore[misc]
            before = self.see()
            self.press(name)
            self.until(lambda sight, before=before: sight != before)  # type: ignore[misc]


@contextmanager
def table(
    *outcomes: str, people: tuple[str, ...] = tuple(NAMES), database: str = ":memory:", hall: dict[str, Any] | None = None, **options: Any
) -> Iterator[Table]:
    """A table with friends that has begun; bots on the other seats. `hall` goes to the hall, the rest to the game."""
    with running(database, dealer=dealer(*outcomes), **(hall or {})) as url:
        yield begun(url, people, **options)


def begun(url: str, people: tuple[str, ...] = tuple(NAMES), **options: Any) -> Table:
    """A table on a server, with these people, that has begun."""
    bots = {color: "easy" for color in NAMES if color not in people}
    first, *others = people
    wanted = {"name": NAMES[first], "options": {**OPTIONS, **options}, "seats": bots, "seat": first}
    made = ask(url, "POST", "/api/tables", {**wanted, "begin": not others})
    assert made.status == 201, made.body
    found = Table(url, made.json["table"]["id"], {first: made.json["token"]})
    for color in others:
        taken = ask(url, "POST", f"/api/tables/{found.id}/seats/{color}", {"name": NAMES[color]})
        assert taken.status in (200, 201), taken.body
        found.tokens[color] = taken.json["token"]
    return found
