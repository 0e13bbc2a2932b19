"""After a fuzz: the logs of all tables, read back from the database as the truth they are."""

from __future__ import annotations

import contextlib
import sqlite3
from dataclasses import dataclass, fields
from pathlib import Path

import msgspec

import hexholm
from hexholm.game.action import CHANCE
from hexholm.host.storage import Storage
from hexholm.host.tables import log
from hexholm.host.tables.log import read_row
from hexholm.host.tables.table import Table

Acts = dict[tuple[str, str], set[str]]
"""The ids of all acts, and of all outcomes told, that were sent with the token of a seat, by table and seat."""


class Wrong(AssertionError):
    """A log holds what the rules of the game or of the table forbid."""


@dataclass
class Checked:
    """What the logs hold."""

    tables: int = 0
    entries: int = 0
    by_people: int = 0
    by_bots: int = 0
    by_clocks: int = 0
    told: int = 0
    """What came out of real dice and cards."""
    taken_back: int = 0
    won: int = 0

    def __add__(self, other: Checked) -> Checked:
        return Checked(*(getattr(self, one.name) + getattr(other, one.name) for one in fields(self)))

    def __str__(self) -> str:
        played = f"{self.by_people} moves by people, {self.by_bots} by bots, {self.by_clocks} by clocks, all legal"
        real = f"{self.told} outcomes told by people, {self.taken_back} taken back"
        return f"logs: {self.tables} tables, {self.entries} entries, {played}; {real}; {self.won} games won"


async def check_logs(database: Path, acts: Acts | None = None) -> Checked:
    """Replay every log of a database; raises LogBroken where a position is not the stored one, Wrong for a wrong move.

    With `acts`, every move by a person must be answered under an id that was sent with the token of that seat.
    """
    found = Checked()
    answers = answered(database)
    async with Storage(database) as storage:
        for (name,) in _rows(database, "SELECT id FROM game_table"):
            entries = [read_row(row) for row in await storage.entries(str(name))]
            found += replay(str(name), entries, answers.get(str(name), {}), acts)
    return found


def answered(database: Path) -> dict[str, dict[int, tuple[str, str, str]]]:
    """By table and entry: the guest, seat and id of the command that led to it."""
    found: dict[str, dict[int, tuple[str, str, str]]] = {}
    for table, who, name, answer in _rows(database, "SELECT table_id, who, id, answer FROM command"):
        guest, _, seat = str(who).partition(" ")
        entry = int(msgspec.json.decode(str(answer))["done"])
        if entry in found.setdefault(str(table), {}):
            raise Wrong(f"table {table}, entry {entry}: two commands led to it")
        found[str(table)][entry] = (guest, seat, str(name))
    return found


def _rows(database: Path, query: str) -> list[tuple[object, ...]]:
    with contextlib.closing(sqlite3.connect(database)) as connection:
        return connection.execute(query).fetchall()


def replay(
    name: str, entries: list[log.LogEntry], answers: dict[int, tuple[str, str, str]], acts: Acts | None = None
) -> Checked:
    """One table from its log, every move looked at before it is taken."""
    found, table = Checked(tables=1, entries=len(entries)), Table(name, dealer=hexholm.ByHand)
    for entry in entries:
        body = entry.body
        if isinstance(body, log.Played):
            why = why_wrong(table, entry, body)
            if why is None and body.by == "person":
                why = why_foreign(table, body, answers.get(entry.seq), acts)
            if why is not None:
                raise Wrong(f"table {name}, entry {entry.seq}, {body.steps}: {why}")
            found.by_people += body.by == "person"
            found.by_bots += body.by == "bot"
            found.by_clocks += body.by == "clock"
            found.told += body.by == "person" and outcome_told(table, body) is not None
        if isinstance(body, log.TookBack):
            if table.chance_source == "host" or table.status != "playing" or body.left < table.dealt_until:
                raise Wrong(f"table {name}, entry {entry.seq}: taken back at {table.chance_source}, {table.status}")
            found.taken_back += 1
        table.enter(entry)
    found.won += table.game is not None and table.game.winner is not None
    return found


def why_wrong(table: Table, entry: log.LogEntry, body: log.Played) -> str | None:
    """What is wrong with a move, if anything is: by the rules of the game, and by who may move now."""
    game, seat = table.game, table.seats[body.seat]
    if game is None or table.status != "playing" or table.paused:
        return f"the game does not go on: {table.status}, paused {table.paused}"
    outcome = outcome_told(table, body)
    if outcome is not None:
        return why_not_told(table, body, outcome)
    who, _, action = body.steps[0].partition(" ")
    if who != body.seat or not all(step.startswith("chance ") for step in body.steps[1:]):
        return "the steps are not those of the seat"
    reason = game.why_not(action, by=body.seat)
    if reason is not None:
        return f"not legal: {reason}"
    if (body.by == "person") != (seat.bot is None) and body.by != "clock":
        return f"played by a {body.by} on a seat of {seat}"
    if body.by == "person" and seat.kind != "person":
        return f"nobody sits there: {seat}"
    if body.by == "clock" and not (table.deadline(body.seat) or entry.time + 1) <= entry.time:
        return f"the clock has not run out: {table.deadline(body.seat)} at {entry.time}"
    return None


def outcome_told(table: Table, body: log.Played) -> str | None:
    """The outcome that was told, if that is what was done; dice may be told together with the roll they are of.

    Who rolls without telling leaves the dice to whoever tells them: with real dice that is an entry of its own.
    """
    first, *more = body.steps
    if first.startswith(f"{CHANCE} "):
        return first.partition(" ")[2]
    rolled = (
        table.chance_source != "host" and first.endswith(" roll") and bool(more) and more[0].startswith(f"{CHANCE} ")
    )
    return more[0].partition(" ")[2] if rolled else None


def why_not_told(table: Table, body: log.Played, outcome: str) -> str | None:
    """What is wrong with an outcome that people told, or that the host dealt for one who is gone."""
    game = None if table.game is None or table.chance_source == "host" else table.game.copy()
    if game is not None and game.chance is None:
        roller, _, action = body.steps[0].partition(" ")
        if roller != game.active or table.seats[roller].bot is not None or game.why_not(action, by=roller) is not None:
            return f"{roller} does not roll"
        game.play(action, by=roller)
    pending = None if game is None else game.chance
    if pending is None:
        return "nothing was to be told"
    if outcome not in {action.text for action in pending.odds}:
        return f"it cannot come out: {pending}"
    if pending.kind != "dice" and body.seat != pending.player:
        return f"it is for {pending.player} to tell"
    if body.by != ("person" if pending.kind == "dice" or table.seats[body.seat].bot is None else "bot"):
        return f"told by a {body.by} on a seat of {table.seats[body.seat]}"
    return None


def why_foreign(table: Table, body: log.Played, answer: tuple[str, str, str] | None, acts: Acts | None) -> str | None:
    """Whether a person's move was not sent by the one who holds the seat."""
    if answer is None:
        return "nobody was answered for it"
    guest, seat, name = answer
    told = outcome_told(table, body) or ""
    if told.startswith("dice ") and not seat and guest == table.creator:
        return None  # the one who set up a table tells the dice also without a seat
    if (guest, seat) != (table.seats[body.seat].guest, body.seat):
        return f"it was sent by {seat or 'one who watches'}"
    if acts is not None and name not in acts.get((table.id, seat), ()):
        return f"no act {name} was sent with the token of {seat}"
    return None
