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
    outcomes_told: int = 0
    """What came out of real dice and cards."""
    taken_back: int = 0
    won: int = 0

    def __add__(self, other: Checked) -> Checked:
        return Checked(*(getattr(self, field.name) + getattr(other, field.name) for field in fields(self)))

    def __str__(self) -> str:
        played = f"{self.by_people} moves by people, {self.by_bots} by bots, {self.by_clocks} by clocks, all legal"
        real = f"{self.outcomes_told} outcomes told by people, {self.taken_back} taken back"
        return f"logs: {self.tables} tables, {self.entries} entries, {played}; {real}; {self.won} games won"


async def check_logs(database: Path, acts: Acts | None = None) -> Checked:
    """Replay every log of a database; raises LogBroken where a position is not the stored one, Wrong for a wrong move.

    With `acts`, every move by a person must be answered under an id that was sent with the token of that seat.
    """
    checked = Checked()
    answers = commands_by_entry(database)
    async with Storage(database) as storage:
        for (name,) in _rows(database, "SELECT id FROM game_table"):
            entries = [read_row(row) for row in await storage.entries(str(name))]
            checked += replay(str(name), entries, answers.get(str(name), {}), acts)
    return checked


def commands_by_entry(database: Path) -> dict[str, dict[int, tuple[str, str, str]]]:
    """By table and entry: the guest, seat and id of the command that led to it."""
    commands: dict[str, dict[int, tuple[str, str, str]]] = {}
    for table, sender, name, answer in _rows(database, "SELECT table_id, who, id, answer FROM command"):
        guest, _, color = str(sender).partition(" ")
        entry = int(msgspec.json.decode(str(answer))["done"])
        if entry in commands.setdefault(str(table), {}):
            raise Wrong(f"table {table}, entry {entry}: two commands led to it")
        commands[str(table)][entry] = (guest, color, str(name))
    return commands


def _rows(database: Path, query: str) -> list[tuple[object, ...]]:
    with contextlib.closing(sqlite3.connect(database)) as connection:
        return connection.execute(query).fetchall()


def replay(
    name: str, entries: list[log.LogEntry], answers: dict[int, tuple[str, str, str]], acts: Acts | None = None
) -> Checked:
    """One table from its log, every move looked at before it is taken."""
    checked, table = Checked(tables=1, entries=len(entries)), Table(name, make_dealer=hexholm.ByHand)
    for entry in entries:
        body = entry.body
        if isinstance(body, log.Played):
            why = why_wrong(table, entry, body)
            if why is None and body.chooser == "person":
                why = why_foreign(table, body, answers.get(entry.seq), acts)
            if why is not None:
                raise Wrong(f"table {name}, entry {entry.seq}, {body.steps}: {why}")
            checked.by_people += body.chooser == "person"
            checked.by_bots += body.chooser == "bot"
            checked.by_clocks += body.chooser == "clock"
            checked.outcomes_told += body.chooser == "person" and outcome_told(table, body) is not None
        if isinstance(body, log.TookBack):
            if (
                table.opening.chance_source == "host"
                or table.status != "playing"
                or body.steps_left < table.dealt_until
            ):
                raise Wrong(
                    f"table {name}, entry {entry.seq}: taken back at {table.opening.chance_source}, {table.status}"
                )
            checked.taken_back += 1
        table.enter(entry)
    checked.won += table.game is not None and table.game.winner is not None
    return checked


def why_wrong(table: Table, entry: log.LogEntry, body: log.Played) -> str | None:
    """What is wrong with a move, if anything is: by the rules of the game, and by who may move now."""
    game, seat = table.game, table.seats[body.color]
    if game is None or table.status != "playing" or table.paused:
        return f"the game does not go on: {table.status}, paused {table.paused}"
    outcome = outcome_told(table, body)
    if outcome is not None:
        return why_not_told(table, body, outcome)
    speaker, _, action = body.steps[0].partition(" ")
    if speaker != body.color or not all(step.startswith("chance ") for step in body.steps[1:]):
        return "the steps are not those of the seat"
    reason = game.why_not(action, by=body.color)
    if reason is not None:
        return f"not legal: {reason}"
    if (body.chooser == "person") != (seat.bot_name is None) and body.chooser != "clock":
        return f"played by a {body.chooser} on a seat of {seat}"
    if body.chooser == "person" and seat.sitter != "person":
        return f"nobody sits there: {seat}"
    if body.chooser == "clock" and not (table.deadline(body.color) or entry.time + 1) <= entry.time:
        return f"the clock has not run out: {table.deadline(body.color)} at {entry.time}"
    return None


def outcome_told(table: Table, body: log.Played) -> str | None:
    """The outcome that was told, if that is what was done; dice may be told together with the roll they are of.

    Who rolls without telling leaves the dice to whoever tells them: with real dice that is an entry of its own.
    """
    first, *more = body.steps
    if first.startswith(f"{CHANCE} "):
        return first.partition(" ")[2]
    rolled = (
        table.opening.chance_source != "host"
        and first.endswith(" roll")
        and bool(more)
        and more[0].startswith(f"{CHANCE} ")
    )
    return more[0].partition(" ")[2] if rolled else None


def why_not_told(table: Table, body: log.Played, outcome: str) -> str | None:
    """What is wrong with an outcome that people told, or that the host dealt for one who is gone."""
    game = None if table.game is None or table.opening.chance_source == "host" else table.game.copy()
    if game is not None and game.chance is None:
        roller, _, action = body.steps[0].partition(" ")
        if (
            roller != game.active
            or table.seats[roller].bot_name is not None
            or game.why_not(action, by=roller) is not None
        ):
            return f"{roller} does not roll"
        game.play(action, by=roller)
    pending = None if game is None else game.chance
    if pending is None:
        return "nothing was to be told"
    if outcome not in {action.text for action in pending.odds}:
        return f"it cannot come out: {pending}"
    if pending.kind != "dice" and body.color != pending.player:
        return f"it is for {pending.player} to tell"
    if body.chooser != ("person" if pending.kind == "dice" or table.seats[body.color].bot_name is None else "bot"):
        return f"told by a {body.chooser} on a seat of {table.seats[body.color]}"
    return None


def why_foreign(table: Table, body: log.Played, answer: tuple[str, str, str] | None, acts: Acts | None) -> str | None:
    """Whether a person's move was not sent by the one who holds the seat."""
    if answer is None:
        return "nobody was answered for it"
    guest, color, name = answer
    outcome = outcome_told(table, body) or ""
    if outcome.startswith("dice ") and not color and guest == table.creator_id:
        return None  # the one who set up a table tells the dice also without a seat
    if (guest, color) != (table.seats[body.color].guest_id, body.color):
        return f"it was sent by {color or 'one who watches'}"
    if acts is not None and name not in acts.get((table.id, color), ()):
        return f"no act {name} was sent with the token of {color}"
    return None
