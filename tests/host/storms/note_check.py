"""What people noted, held against the log: nothing acknowledged is lost or doubled, and the log leads to what they saw.

Everything is read from the database again, as a new server would read it.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from hexholm.game.positions.position import position_hash
from hexholm.host.bot_pool.bot_pool import BotsAtOnce
from hexholm.host.storage import Storage
from hexholm.host.tables import log
from hexholm.host.tables.hall.hall import Hall
from hexholm.host.tables.log import read_row
from hexholm.host.tables.seats import Eyes
from hexholm.host.tables.table import Table
from hexholm.host.wire import messages

from ..halls import table_lines
from .people import Person, Played


async def check(database: str | Path, games: Sequence[Played]) -> Counter[str]:
    """Compare everything; figures of what was found. Raises AssertionError."""
    if "://" not in str(database):
        with contextlib.closing(sqlite3.connect(database)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    figures: Counter[str] = Counter()
    async with Storage(database) as storage:
        for game in games:
            figures += await check_game(storage, game)
        hall = await Hall.open(storage, bots=BotsAtOnce())  # what a server does
        try:
            assert not hall.loaded_tables.broken
            figures["never begun"] = len(table_lines(hall, "open"))
            assert not table_lines(hall, "playing"), "every game has ended"
            for game in games:
                table = (await hall.load(game.table)).table
                for eyes, person in game.people.items():
                    same_streams(person, table, eyes)
        finally:
            await hall.close()
    return figures


async def check_game(storage: Storage, game: Played) -> Counter[str]:
    """One game: replay its log, and look for every command in it."""
    dice_key = await storage.dice_key(game.table)  # as the hall does; it is told at the end
    table, numbers = Table(game.table, dice_key=dice_key), [dict[Eyes, int]()]
    entries = [read_row(row) for row in await storage.entries(game.table)]
    figures: Counter[str] = Counter(entries=len(entries), games=1)
    for entry in entries:
        table.enter(entry)
        if entry.position_hash is not None:
            assert table.game is not None
            assert position_hash(table.game.position()) == entry.position_hash, f"{game.table}, entry {entry.seq}"
            figures["hashes"] += 1
        numbers.append({eyes: len(table.by_eyes[eyes].stream) for eyes in table.eyes})
    assert table.status == "over"

    by_people = {entry.seq for entry in entries if is_by_a_person(entry.body)}
    accounted: dict[int, str] = {}
    for eyes, person in game.people.items():
        for command, answer in person.acknowledged:
            assert eyes is not None
            text = await storage.answer(game.table, f"{table.seats[eyes].guest_id} {eyes}", command.id)
            assert text is not None, f"{game.table}: {command} of {eyes} was acknowledged and is lost"
            seq = msgspec.json.decode(text)["done"]
            assert seq not in accounted, f"{game.table}, entry {seq}: for {accounted[seq]} and {command.id}"
            accounted[seq] = command.id
            assert carries_out(entries[seq - 1].body, command, eyes), f"{entries[seq - 1]} for {command} of {eyes}"
            assert answer.number == numbers[seq][eyes], f"{game.table}, {command} of {eyes}"
            figures["acknowledged"] += 1
            figures[type(command).__name__.lower()] += 1
    doubled = sorted(by_people - set(accounted))
    assert not doubled, f"{game.table}: nobody was told that entries {doubled} are theirs"
    figures["moves of bots"] = sum(
        isinstance(entry.body, log.Played) and entry.body.chooser == "bot" for entry in entries
    )
    figures["restarts in logs"] = sum(isinstance(entry.body, log.Restarted) for entry in entries)
    for eyes, person in game.people.items():
        same_streams(person, table, eyes)
        figures["messages"] += len(person.heard)
    return figures


def is_by_a_person(body: log.EntryBody) -> bool:
    """Whether a command of a person during the game led to this entry."""
    return isinstance(body, log.Began | log.Said) or (isinstance(body, log.Played) and body.chooser == "person")


def carries_out(body: log.EntryBody, command: messages.TableCommand, eyes: str) -> bool:
    """Whether an entry is what a command asked for."""
    match body, command:
        case log.Played(), messages.Act():
            return body.color == eyes and body.steps[0] == f"{eyes} {command.action}"
        case log.Said(), messages.Say():
            return body.color == eyes and body.text == command.text
        case log.Began(), messages.Begin():
            return True
        case _:
            return False


def same_streams(person: Person, table: Table, eyes: Eyes) -> None:
    """What somebody was told, one by one, and saw in the end is what the log gives these eyes."""
    stream = table.by_eyes[eyes].stream
    assert [message.number for message in person.heard] == list(range(1, len(stream) + 1)), (table.id, eyes)
    for message, sent_message in zip(person.heard, stream, strict=True):
        assert encode_message(message) == encode_message(sent_message), (table.id, eyes)
    assert encode_message(person.line.projection) == encode_message(table.projection(eyes)), (table.id, eyes)


def encode_message(message: Any) -> bytes:
    """As it is sent: on the wire a tuple and a list are the same."""
    return msgspec.json.encode(message)
