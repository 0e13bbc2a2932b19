"""Every page, and the table in every situation worth a look: to test them all alike, and to take pictures of them.

    with house() as url:
        scene = SITUATIONS["discard"](url)
        page.goto(scene.address)
        scene.prepare(Person(page))

The people are played over sockets until the page takes over; dice and cards fall as SCRIPT says. The editions take
turns: no situation is made in all of them, and each is seen in some.
"""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from playwright.sync_api import Route

from hexholm.game.dealers import Chance, NoOutcome, Seeded
from hexholm.host.wire import messages
from tests.host.servers import ask, hear, open_socket, run_server, say

from . import friends
from .friends import Table
from .page_players import Person

SCRIPT = ("dice 4 4", "dice 3 4", "stolen lumber", "dice 2 2", "dice 3 3", "drawn year-of-plenty", *["dice 3 3"] * 4)
"""Turn 1 pays red, blue and white; turn 2 is a seven; in turn 4 orange can buy a card."""
ROBBER = re.compile("^(Robber|Räuber)$")
LONGEST = 60
"""Seconds in which bots play a game to its end."""


class Staged:
    """The script as far as it fits; then what a seed decides."""

    def deal(self, chance: Chance) -> int:
        """The next outcome."""
        if chance.number < len(SCRIPT):
            with contextlib.suppress(NoOutcome):
                return chance.check(SCRIPT[chance.number])
        return Seeded(5).deal(chance)


@contextlib.contextmanager
def run_situations_server() -> Iterator[str]:
    """A server on which situations can be made."""
    with run_server(make_dealer=Staged, away_after=3600) as url:
        yield url


@dataclass(frozen=True)
class Scene:
    """A page to look at, and what to do there first."""

    address: str
    ready: str = "[data-testid=sentence]"
    """What is there when the page is."""
    steps: Callable[[Person], None] = lambda _: None

    def show(self, person: Person) -> None:
        """Open it, and do what belongs to it."""
        person.page.goto(self.address)
        person.page.locator(self.ready).first.wait_for()
        person.page.wait_for_load_state("networkidle")
        self.steps(person)


def _table_answer(table: Table, color: str) -> dict[str, Any]:
    answer: dict[str, Any] = ask(
        table.url, "GET", f"/api/tables/{table.id}", Authorization=f"Bearer {table.tokens[color]}"
    ).json
    return answer


def _let_bot_play(table: Table, color: str, is_done: Callable[[dict[str, Any]], bool]) -> None:
    """Let a bot play for somebody until something is so."""
    with open_socket(table.url, table.id, table.tokens[color]) as line:
        hear(line, messages.Hello)
        assert isinstance(say(line, messages.Away(id="away")), messages.Done)
    deadline = time.monotonic() + LONGEST
    while not is_done(_table_answer(table, color)):
        assert time.monotonic() < deadline, "the bots have not come so far"
        time.sleep(0.02)
    with open_socket(table.url, table.id, table.tokens[color]) as line:
        hear(line, messages.Hello)  # who looks is back


def _start(url: str) -> Scene:
    friends.begin_table(url, ("red",))
    return Scene("/", "[data-testid=play-now]:enabled")


def _new(url: str) -> Scene:
    return Scene("/new", ".picture svg", lambda person: person.page.locator("summary").click())


def _lobby(url: str) -> Scene:
    options = {**friends.OPTIONS, "edition": "zip"}
    body = {"name": "Ann", "options": options, "seats": {"green": "easy"}, "seat": "red"}
    answer = ask(url, "POST", "/api/tables", body).json
    ask(url, "POST", f"/api/tables/{answer['table']['id']}/seats/blue", {"name": "Bob"})
    return Scene(f"/t/{answer['table']['id']}#seat={answer['token']}", "[data-testid=begin]")


def _setup(url: str) -> Scene:
    return Scene(
        friends.begin_table(url, ("black",), edition="zip", setup="variable").link("black"), ".spot[data-action]"
    )


def _roll(url: str) -> Scene:
    table = friends.begin_table(url, ("red",), edition="sixth", setup="variable", points_to_win=20)
    _let_bot_play(table, "red", lambda answer: answer["projection"]["view"]["turn"] >= 60)
    return Scene(table.link("red"))


def _build(url: str) -> Scene:
    table = friends.begin_table(url)
    table.act("red: roll", "red: offer 1 lumber : 1 brick to blue", "blue: accept #1")
    return Scene(table.link("red"), steps=lambda person: person.press("build-road"))


def _offer(url: str) -> Scene:
    table = friends.begin_table(url)
    table.act("red: roll", "red: offer 1 lumber : 1 ore to blue white orange", "white: accept #1", "orange: reject #1")
    return Scene(table.link("red"), "[data-testid=confirm-1-white]")


def _counter(url: str) -> Scene:
    table = friends.begin_table(url)
    table.act("red: roll", "red: offer 1 lumber : 1 brick to blue white orange")
    return Scene(table.link("blue"), "[data-testid=counter-1]", lambda person: person.press("counter-1"))


def _discard(url: str) -> Scene:
    table = friends.begin_table(url, hand_limit=2)
    table.act("red: roll", "red: end", "blue: roll")
    return Scene(table.link("red"), "[data-testid=discard]", lambda person: person.press("discard-lumber"))


def _robber(url: str) -> Scene:
    table = friends.begin_table(url, edition="sixth")
    table.act("red: roll", "red: end", "blue: roll")
    return Scene(table.link("blue"), ".spot[data-action]")


def _card(url: str) -> Scene:
    table = friends.begin_table(url)
    table.act("red: roll", "red: end", "blue: roll", "blue: robber A1", "blue: end", "white: roll", "white: end")
    table.act("orange: roll", "orange: buy", "orange: end")
    table.act(*(f"{color}: {text}" for color in ("red", "blue", "white") for text in ("roll", "end")), "orange: roll")
    return Scene(table.link("orange"), steps=lambda person: person.press("card-year-of-plenty"))


def _finished_table(url: str, edition: str) -> Table:
    table = friends.begin_table(url, ("red",), edition=edition, setup="variable", points_to_win=8)
    _let_bot_play(table, "red", lambda answer: answer["table"]["status"] == "over")
    return table


def _end(url: str) -> Scene:
    return Scene(_finished_table(url, "zip").link("red"), "dialog[open] figure")


def _replay(url: str) -> Scene:
    table = _finished_table(url, "sixth")
    token = f"Bearer {table.tokens['red']}"
    link = ask(url, "POST", f"/api/tables/{table.id}/share", Authorization=token).json["link"]
    return Scene(f"/replay/{table.id}?step=60#{link.partition('#')[2]}", "[data-testid=caption]")


def _rules(_: str) -> Scene:
    return Scene("/rules/development-cards?edition=zip", "[data-testid=rules-entry] table")


def _compare(_: str) -> Scene:
    return Scene("/rules/compare?edition=fifth&with=sixth", "[data-testid=rules-compare] tbody")


def _lookup(url: str) -> Scene:
    def steps(person: Person) -> None:
        person.page.keyboard.press("?")
        person.page.get_by_test_id("rules-panel").get_by_role("link", name=ROBBER).first.click()
        person.page.get_by_test_id("rules-entry").wait_for()

    return Scene(friends.begin_table(url, ("red",)).link("red"), steps=steps)


def _lesson(url: str) -> Scene:
    answer = ask(url, "POST", "/api/tables", {"name": "Ann", "lesson": "first-game"}).json
    return Scene(f"/t/{answer['table']['id']}#seat={answer['token']}", "[data-testid=tutorial]")


def _telling(url: str) -> Scene:
    table = friends.begin_table(url, chance="people")
    return Scene(table.link("red"), "[data-testid=telling]")


NEW_TABLE = """() => fetch("/api/tables", {
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify({ name: "Ann", options: { edition: "fifth" }, seats: { blue: "easy", white: "easy" } }),
}).then((answer) => answer.json())"""


def become_known(person: Person) -> None:
    """The host knows whoever looks at the page "You": a table was set up in this browser."""
    person.page.evaluate(NEW_TABLE)
    person.page.reload()
    person.page.get_by_test_id("recovery-lasting").wait_for()


def _me(_: str) -> Scene:
    return Scene("/me", "[data-testid=typed-recovery]", become_known)


def _recovery(_: str) -> Scene:
    def steps(person: Person) -> None:
        become_known(person)
        person.press("recovery-lasting")
        person.page.get_by_test_id("recovery-text").wait_for()

    return Scene("/me", "[data-testid=typed-recovery]", steps)


def _delete(_: str) -> Scene:
    def steps(person: Person) -> None:
        become_known(person)
        person.press("delete")
        person.page.get_by_test_id("delete-yes").wait_for()

    return Scene("/me", "[data-testid=typed-recovery]", steps)


RATINGS = {
    "/api/ratings": {
        "people": [
            {"rank": 1, "name": "Wilhelmina von und zu Hohenstein-Waldeck", "rating": 1204, "games": 131},
            {"rank": 2, "name": "Bob", "rating": 987, "games": 23},
            {"rank": 3, "name": "Ann", "rating": 640, "games": 7, "you": True},
            {"rank": 4, "name": "", "rating": 12, "games": 5},
        ],
        "total": 9,
        "least_games": 5,
    },
    "/api/me/ratings": {
        "rating": 640,
        "games": 7,
        "least_games": 5,
        "history": [
            {
                "table": f"table{number}",
                "number": number,
                "time": 1_795_000_000.0 + 9_000 * number,
                "place": 1 if change > 0 else 3,
                "players": 4,
                "rating": rating,
                "change": change,
            }
            for number, rating, change in ((7, 640, 133), (6, 507, -41), (5, 548, 0), (4, 548, 212))
        ],
    },
}
"""What a host tells of ratings; to have so many games played would take too long here."""


def _fulfill(answer: dict[str, Any], route: Route) -> None:
    route.fulfill(json=answer)


def _ratings(_: str) -> Scene:
    def steps(person: Person) -> None:
        for path, answer in RATINGS.items():
            person.page.route(re.compile(rf"{path}(\?|$)"), partial(_fulfill, answer))
        person.page.reload()
        person.page.get_by_test_id("leaders").wait_for()

    return Scene("/ratings", "[data-testid=no-rating]", steps)


def _report(url: str) -> Scene:
    table = friends.begin_table(url, ("red", "blue"))
    with open_socket(url, table.id, table.tokens["blue"]) as line:
        hear(line, messages.Hello)
        assert isinstance(say(line, messages.Say(id="rude", text="You fool!")), messages.Done)

    def steps(person: Person) -> None:
        person.press("menu")
        person.page.get_by_test_id("report-words").click()
        person.page.get_by_test_id("report-which").wait_for()

    return Scene(table.link("red"), steps=steps)


def _missing_table(_: str) -> Scene:
    return Scene("/t/nosuchtable", "[role=alert]")


SITUATIONS: dict[str, Callable[[str], Scene]] = {
    "start": _start,
    "new": _new,
    "lobby": _lobby,
    "setup": _setup,
    "roll": _roll,
    "build": _build,
    "offer": _offer,
    "counter": _counter,
    "discard": _discard,
    "robber": _robber,
    "card": _card,
    "end": _end,
    "replay": _replay,
    "rules": _rules,
    "compare": _compare,
    "lookup": _lookup,
    "lesson": _lesson,
    "telling": _telling,
    "me": _me,
    "recovery": _recovery,
    "delete": _delete,
    "ratings": _ratings,
    "report": _report,
    "missing": _missing_table,
}
"""Every page, and the table in its situations, by name."""
