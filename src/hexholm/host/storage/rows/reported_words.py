"""Words that somebody complained about, what an operator sees of a table, and the removing of words.

Plain functions within a transaction, as in :mod:`.operator_actions`.
"""

from __future__ import annotations

import json
from typing import Any, Final, Literal

import msgspec
from sqlalchemy import Connection, and_, delete, func, insert, select, update

from ..database_tables import game_table, guest, holding, personal_text, rating, report
from ..values import RESERVED_SLOT
from .database_notes import mark_rewrite_due
from .summary_words import blank_in_summary

ReportKind = Literal["name", "chat", "title"]
SLOT_BY_KIND: Final[dict[ReportKind, str]] = {"name": "name", "chat": "text", "title": "title"}
"""Where in an entry the words are that are reported."""
MOST_OPEN: Final = 10_000
"""Reports that nobody has looked at: more are not taken."""
ONE_DAY: Final = 86_400.0
MOST_A_DAY: Final = 20
"""Reports of one guest in a day."""


class ReportRow(msgspec.Struct, frozen=True):
    """A report."""

    id: int
    time: float
    table_id: str
    seq: int
    """The number of the entry in the log of the table that has the words."""
    reporter: str
    reported: str
    what: ReportKind
    text: str
    """The words, as they were when they were reported."""
    why: str
    closed: float | None


class WordsRow(msgspec.Struct, frozen=True):
    """Words at a table: what somebody said, a name, a title."""

    seq: int
    slot: str
    guest_id: str
    text: str


class SeatRow(msgspec.Struct, frozen=True):
    """Who sits at a table, or has set it up."""

    guest_id: str
    color: str | None
    is_creator: bool
    name: str


class TableOverview(msgspec.Struct, frozen=True):
    """A table as an operator sees it."""

    id: str
    created: float
    status: str
    title: str
    people: tuple[SeatRow, ...]
    words: tuple[WordsRow, ...]
    """The latest, in order."""


class GuestOverview(msgspec.Struct, frozen=True):
    """A guest as an operator sees it."""

    guest_id: str
    name: str
    created: float | None
    tables: tuple[tuple[str, str, float], ...]
    """The latest: id, status, when it was set up."""
    table_count: int
    rating: int | None
    rated_games: int
    reported: int
    reports: int
    """Those it made."""


class RemovedWords(msgspec.Struct, frozen=True):
    """What was removed from an entry."""

    texts: tuple[str, ...]
    guests: tuple[str, ...]


def add_report(
    connection: Connection,
    *,
    table_id: str,
    what: ReportKind,
    seq: int | None,
    reported: str | None,
    reporter: str,
    why: str,
    now: float,
) -> Literal["taken", "no_words", "full", "too_many", "own_words"]:
    """Take a report of what stands in an entry, or of the latest name of a guest at a table.

    A second report of the same by the same guest is taken, and nothing more is written.
    """
    t, r = personal_text.c, report.c
    query = select(t.seq, t.guest, t.text).where(t.table_id == table_id, t.slot == SLOT_BY_KIND[what])
    query = query.where(t.seq == seq) if seq is not None else query.where(t.guest == reported)
    words = connection.execute(query.order_by(t.seq.desc()).limit(1)).first()
    if words is None:
        return "no_words"
    words_seq, author, text = words
    if author == reporter:
        return "own_words"
    same = and_(
        r.reporter == reporter, r.table_id == table_id, r.entry == words_seq, r.what == what, r.closed.is_(None)
    )
    if connection.execute(select(r.id).where(same).limit(1)).first() is not None:
        return "taken"
    if _count(connection, r.closed.is_(None)) >= MOST_OPEN:
        return "full"
    # Those who only watch may have no cookie: of them the web counts networks.
    if reporter and _count(connection, and_(r.reporter == reporter, r.time > now - ONE_DAY)) >= MOST_A_DAY:
        return "too_many"
    row = {"time": now, "table_id": table_id, "entry": words_seq, "reporter": reporter, "reported": author}
    connection.execute(insert(report).values(**row, what=what, text=text, why=why))
    return "taken"


def reports(connection: Connection, limit: int, *, also_closed: bool = False) -> tuple[list[ReportRow], int]:
    """The oldest that are open, or the latest of all; and how many there are."""
    query = select(report).limit(limit)
    if also_closed:
        rows = [_report(row) for row in connection.execute(query.order_by(report.c.id.desc()))]
        return rows[::-1], _count(connection, report.c.id.is_not(None))
    is_open = report.c.closed.is_(None)
    rows = [_report(row) for row in connection.execute(query.where(is_open).order_by(report.c.id))]
    return rows, _count(connection, is_open)


def close_report(connection: Connection, number: int, now: float) -> ReportRow | None:
    """Close a report; None: there is no open one of that number."""
    is_own = and_(report.c.id == number, report.c.closed.is_(None))
    row = connection.execute(select(report).where(is_own)).first()
    if row is not None:
        connection.execute(update(report).where(is_own).values(closed=now))
    return None if row is None else _report(row)


def table_overview(connection: Connection, table_id: str, limit: int) -> TableOverview | None:
    """A table with its latest words; None: there is none."""
    table = connection.execute(select(game_table).where(game_table.c.id == table_id)).mappings().first()
    if table is None:
        return None
    t, h = personal_text.c, holding.c
    query = select(t.seq, t.slot, t.guest, t.text).where(t.table_id == table_id).order_by(t.seq.desc(), t.slot)
    words = [WordsRow(*row) for row in connection.execute(query.limit(limit))]
    seats = select(h.guest, h.seat, h.creator, func.coalesce(guest.c.name, "")).outerjoin(guest, guest.c.id == h.guest)
    people = [SeatRow(*row) for row in connection.execute(seats.where(h.table_id == table_id).order_by(h.seat))]
    title = json.loads(table["summary"]).get("title", "")
    return TableOverview(table_id, table["created"], table["status"], title, tuple(people), tuple(words[::-1]))


def guest_overview(connection: Connection, guest_id: str, limit: int) -> GuestOverview:
    """What is known of a guest."""
    h, g = holding.c, game_table.c
    guest_row = connection.execute(select(guest.c.name, guest.c.created).where(guest.c.id == guest_id)).first()
    query = select(g.id, g.status, g.created).join(holding, h.table_id == g.id).where(h.guest == guest_id)
    tables = [(row[0], row[1], row[2]) for row in connection.execute(query.order_by(g.created.desc()).limit(limit))]
    own_tables = select(func.count()).select_from(holding).where(h.guest == guest_id)
    rating_row = connection.execute(select(rating.c.shown, rating.c.games).where(rating.c.guest == guest_id)).first()
    return GuestOverview(
        guest_id,
        "" if guest_row is None else guest_row[0],
        None if guest_row is None else guest_row[1],
        tuple(tables),
        int(connection.execute(own_tables).scalar_one()),
        None if rating_row is None else rating_row[0],
        0 if rating_row is None else rating_row[1],
        _count(connection, report.c.reported == guest_id),
        _count(connection, report.c.reporter == guest_id),
    )


def remove_words(connection: Connection, table_id: str, seq: int) -> RemovedWords | None:
    """Remove what a guest wrote in an entry; None: there is nothing. Nothing else of the log changes.

    A name also goes where else that guest is shown by it: in lists of tables, in ratings, for its next table.
    """
    t = personal_text.c
    is_own = and_(t.table_id == table_id, t.seq == seq)
    rows = [WordsRow(*row) for row in connection.execute(select(t.seq, t.slot, t.guest, t.text).where(is_own))]
    if not rows:
        return None
    connection.execute(delete(personal_text).where(is_own))
    mark_rewrite_due(connection)
    for row in rows:
        blank_in_summary(connection, table_id, row.guest_id, {row.slot: row.text})
        if row.slot == "name" or row.slot.startswith(RESERVED_SLOT):
            for table, column in ((guest, guest.c.id), (rating, rating.c.guest)):
                named = and_(column == row.guest_id, table.c.name == row.text)
                connection.execute(update(table).where(named).values(name=""))
    return RemovedWords(tuple(row.text for row in rows), tuple(dict.fromkeys(row.guest_id for row in rows)))


def _count(connection: Connection, condition: Any) -> int:
    return int(connection.execute(select(func.count()).select_from(report).where(condition)).scalar_one())


def _report(row: object) -> ReportRow:
    return ReportRow(*row)  # type: ignore[misc]  # the columns of the table, in their order
