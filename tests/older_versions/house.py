"""A server with its guests and tables, and what its users can know of it: when data is written, and when it is read."""

from __future__ import annotations

import contextlib
import json
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from .guests import PATIENCE, Guest, Seat

LIKED = (
    "city",
    "settlement",
    "buy",
    "roll",
    "robber",
    "steal",
    "discard",
    "road",
    "knight",
    "confirm",
    "reject",
    "end",
)
"""What people do first, if they may."""
SUMMARY = ("--summary", "--json")


def choose_action(legal: Sequence[str], pick: random.Random) -> str:
    """What somebody does who is asked."""

    def rank(text: str) -> int:
        kind = text.split(maxsplit=1)[0]
        return LIKED.index(kind) if kind in LIKED else len(LIKED)

    return min(legal, key=lambda text: (rank(text), pick.random()))


@dataclass
class House:
    """A server, its guests and its tables by title."""

    url: str
    people: dict[str, Guest] = field(default_factory=dict)
    tables: dict[str, dict[str, Any]] = field(default_factory=dict)
    pick: random.Random = field(default_factory=lambda: random.Random(17))

    def guest(self, name: str) -> Guest:
        return self.people.setdefault(name, Guest(self.url, name))

    def new(self, title: str, name: str = "Ann", **settings: Any) -> str:
        answer = self.guest(name).post("/api/tables", name=name, title=title, **settings)
        seats = {answer["seat"]: name} if answer["seat"] else {}
        tokens = {answer["seat"]: answer["token"]} if answer["seat"] else {}
        self.tables[title] = {"id": answer["table"]["id"], "creator": name, "seats": seats, "tokens": tokens}
        return title

    def take(self, title: str, color: str, name: str) -> None:
        table = self.tables[title]
        answer = self.guest(name).post(f"/api/tables/{table['id']}/seats/{color}", name=name)
        table["seats"][color], table["tokens"][color] = name, answer["token"]

    def join(self, title: str, color: str | None) -> Seat:
        """A seat; None: the screen of the creator, who has none."""
        table = self.tables[title]
        name = table["creator"] if color is None else table["seats"][color]
        return Seat(self.guest(name), table["id"], None if color is None else table["tokens"][color])

    @contextlib.contextmanager
    def join_all(self, title: str, *colors: str | None) -> Any:
        with contextlib.ExitStack() as stack:
            yield [stack.enter_context(self.join(title, color)) for color in colors]

    def next_seat(self, *seats: Seat) -> Seat:
        """Who is asked next; at the end of the game anybody."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            for seat in seats:
                seat.catch_up()
                if seat.asked or seat.over:
                    return seat
            time.sleep(0.02)
        raise AssertionError("nobody is asked anything")

    def play(self, *seats: Seat, turns: int = 1000) -> Seat:
        """People play until one is in the middle of their turn after so many turns, or the game is over."""
        while True:
            seat = self.next_seat(*seats)
            if seat.over:
                return seat
            is_own_turn = seat.view["active"] == seat.hello["seat"] and seat.view["phase"] == "main"
            if seat.view["turn"] > turns and is_own_turn and seat.view["hand"]:
                return seat
            seat.send("act", action=choose_action(seat.legal, self.pick))


def table_facts(house: House) -> dict[str, Any]:
    """What is known of every table, through all eyes whose token is known."""
    facts_by_title = {}
    for title, table in house.tables.items():
        onlooker, path = house.guest(table["creator"]), f"/api/tables/{table['id']}"
        answer = onlooker.get(path)
        facts: dict[str, Any] = {"table": answer["table"], "board": answer["board"], "eyes": {}}
        for color in ("public", *table["tokens"]):
            token = table["tokens"].get(color)
            projection = onlooker.get(path, token)["projection"]
            with Seat(onlooker, table["id"], token) as seat:
                messages = [lasting_fields(message) for message in seat.messages]
            facts["eyes"][color] = {"view": shown_fields(projection), "messages": len(messages)}
            if title != "finished" and color in ("red", "blue", "black"):  # the rest would only make it long
                facts["eyes"][color]["heard"] = messages
        if answer["table"]["status"] == "over":
            replay = onlooker.get(f"{path}/replay?eyes=referee")
            facts["replay"] = {key: replay[key] for key in ("colors", "names", "steps", "turns", "points", "result")}
            facts["summary"] = onlooker.get(f"{path}/summary")
        facts_by_title[title] = facts
    return facts_by_title


def shown_fields(projection: dict[str, Any] | None) -> dict[str, Any] | None:
    """What a seat sees, and what it is asked."""
    keys = ("seat", "view", "request", "asked", "legal", "chance")
    return None if projection is None else {key: projection[key] for key in keys if key in projection}


def lasting_fields(message: dict[str, Any]) -> dict[str, Any]:
    """A numbered message without its time, and without the table as it was then."""
    return {key: value for key, value in message.items() if key not in ("time", "table")}


def summary_facts(output: str) -> list[dict[str, Any]]:
    """What came of the games of a file, of all that `replay --summary --json` tells."""
    keys = ("edition", "how", "winner", "length", "steps", "decisions")
    return [
        {key: summary[key] for key in keys}
        | {"points": {color: row["points"] for color, row in summary["players"].items()}}
        for summary in map(json.loads, output.splitlines())
    ]
