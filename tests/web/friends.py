"""Friends at one table, each with a browser of their own, and dice that fall as a test wants them to."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import hexholm
from hexholm.host.wire import messages
from tests.host.servers import ask, hear, open_socket, run_server, say

from .page_players import RESOURCES, PageSight, Person
from .visitor import DESKTOP, Visitor

NAMES = {"red": "Ann", "blue": "Bob", "white": "Cid", "orange": "Dan", "black": "Eve", "green": "Fay"}
FOUR = ("red", "blue", "white", "orange")
COLORS = {"zip": ("black", "blue", "green", "red")}
"""The seats of editions with other colors."""
OPTIONS = {"edition": "fifth", "setup": "fixed", "first": 0}
"""The beginners' set-up: everybody's first pieces stand, red begins, and who gets what for a roll is known."""
QUIET = "dice 3 3"


class Friend(Person):
    """A person at a table with others."""

    def __init__(self, visitor: Visitor, color: str, hand_kind: str = "mouse") -> None:
        super().__init__(visitor.page, hand_kind)
        self.visitor, self.color = visitor, color

    def holds(self, **cards: int) -> None:
        """Wait until the own hand is exactly this."""
        whole_hand = {kind: cards.get(kind, 0) for kind in RESOURCES}
        self.until(lambda sight: sight.hand == whole_hand)

    def does(self, *names: str) -> None:
        """Press buttons one after another, each as soon as that can be done and until it shows."""
        for name in names:
            self._insist(lambda sight, name=name: sight.can(name), lambda name=name: self.press(name))  # type: ignore[misc]

    def builds(self, action: str) -> None:
        """Choose a place as soon as it is offered and until it is taken."""
        self._insist(
            lambda sight: action in [target["action"] for target in sight.targets], lambda: self.choose(action)
        )

    def _insist(self, possible: Callable[[PageSight], bool], act: Callable[[], None]) -> None:
        """Do something; again, if the page took it for a press that was meant for the question before."""
        sight = self.until(possible)
        while possible(sight) and not self.attempt(sight, act):
            sight = self.see()

    def sees(self, text: str) -> None:
        """Wait until the log says something."""
        self.page.get_by_test_id("log").get_by_text(text).last.wait_for()

    def status(self, color: str) -> str:
        """What is said of a player: away, not connected."""
        return self.page.get_by_test_id(f"player-{color}").locator(".last").inner_text()


AUDIENCE: Final = ("visibility", "watchable", "spectators_speak")


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
            self.send(color, messages.Act(id=secrets.token_hex(8), action=text))

    def send(self, color: str, command: messages.TableCommand) -> None:
        """What a seat sends without a page, and must be accepted."""
        with open_socket(self.url, self.id, self.tokens[color]) as line:
            answer = say(line, command)
            assert isinstance(answer, messages.Done), (command, answer)

    def link(self, color: str | None = None) -> str:
        """The link of a seat, or of the table."""
        return f"/t/{self.id}" + (f"#seat={self.tokens[color]}" if color else "")

    def sit(
        self,
        invite: Callable[..., Visitor],
        color: str,
        hand_kind: str = "mouse",
        size: tuple[int, int] = DESKTOP,
        **context: Any,
    ) -> Friend:
        """Somebody opens the link of their seat."""
        friend = Friend(invite(self.url, size, **context), color, hand_kind)
        friend.page.goto(self.link(color))
        friend.page.locator("[data-testid=sentence], .lobby").first.wait_for()
        return friend


@contextmanager
def run_friends_table(
    *outcomes: str, people: tuple[str, ...] = FOUR, begin: bool = True, **settings: Any
) -> Iterator[Table]:
    """A table that has begun, on a server of its own; the dice fall in this order, and sixes ever after.

    What `open_table` knows goes there, the rest to the hall.
    """
    options = {
        name: settings.pop(name)
        for name in list(settings)
        if name in ("edition", "first", "hand_limit", "setup", "clock", "ranges", *AUDIENCE)
    }
    script = [*outcomes, *[QUIET] * 400]
    with run_server(make_dealer=lambda: hexholm.Scripted(script), **settings) as url:
        yield (begin_table if begin else open_table)(url, people, **options)


def begin_table(url: str, people: tuple[str, ...] = FOUR, **options: Any) -> Table:
    """A table that has begun; the arguments are those of `open_table`."""
    opened_table = open_table(url, people, **options)
    with open_socket(url, opened_table.id, opened_table.tokens[people[0]]) as line:
        hear(line, messages.Hello)
        assert isinstance(say(line, messages.Begin(id="begin")), messages.Done)
    return opened_table


def open_table(
    url: str,
    people: tuple[str, ...] = FOUR,
    *,
    clock: float | None = None,
    ranges: bool = False,
    chance: str = "host",
    **settings: Any,
) -> Table:
    """A table with these people, and bots on the other seats, that has not begun."""
    audience: dict[str, Any] = {name: settings.pop(name) for name in AUDIENCE if name in settings}
    choices = {**OPTIONS, **settings}
    bots = {color: "easy" for color in COLORS.get(choices["edition"], FOUR) if color not in people}
    first_color, *other_colors = people
    how: dict[str, Any] = {"options": choices, "clock": clock, "ranges": ranges, "chance": chance, **audience}
    body = {**how, "name": NAMES[first_color], "seats": bots, "seat": first_color}
    answer = ask(url, "POST", "/api/tables", body)
    assert answer.status == 201, answer.body
    opened_table = Table(url, answer.json["table"]["id"], {first_color: answer.json["token"]})
    for color in other_colors:
        seat_answer = ask(url, "POST", f"/api/tables/{opened_table.id}/seats/{color}", {"name": NAMES[color]})
        assert seat_answer.status in (200, 201), seat_answer.body
        opened_table.tokens[color] = seat_answer.json["token"]
    return opened_table
