"""What an operator reads: reports, tables, guests, sanctions and the log, as lines in columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final

from hexholm.game.language.clean_text import clean
from hexholm.game.language.phrases import count_noun

if TYPE_CHECKING:
    from hexholm.host.storage.rows.operator_actions import ActionRow, SanctionRow
    from hexholm.host.storage.rows.reported_words import GuestOverview, ReportRow, TableOverview

WIDEST_WORDS: Final = 60
KINDS: Final = {"text": "said", "name": "name", "title": "title"}


def shown_local_time(seconds: float) -> str:
    """A time of this place, as in 2026-11-19 14:03."""
    return datetime.fromtimestamp(seconds).astimezone().strftime("%Y-%m-%d %H:%M")


def reports_text(rows: Sequence[ReportRow], total: int) -> str:
    """Reports, and how many there are."""
    if not rows:
        return "No reports.\n"
    lines = [
        (
            str(row.id),
            shown_local_time(row.time),
            row.table_id,
            str(row.seq),
            row.what,
            _mark(row.reported),
            _mark(row.reporter) if row.reporter else "(no cookie)",
            _quoted(row.text),
            _quoted(row.why) + (" (closed)" if row.closed is not None else ""),
        )
        for row in rows
    ]
    head = ("no.", "when", "table", "entry", "what", "of", "by", "words", "why")
    more = f"{len(rows)} of {total}; --most {total} shows all\n" if total > len(rows) else ""
    return _columns([head, *lines]) + more


def table_text(table: TableOverview) -> str:
    """A table, its people and its latest words."""
    title = f", {_quoted(table.title)}" if table.title else ""
    text = f"table {table.id}{title}: {table.status}, set up {shown_local_time(table.created)}\n\n"
    people = [
        (_mark(seat.guest_id), seat.color or "(no seat)", _quoted(seat.name), seat.is_creator) for seat in table.people
    ]
    head = ("guest", "seat", "latest name", "")
    rows = [(guest, seat, name, "set it up" if is_creator else "") for guest, seat, name, is_creator in people]
    text += _columns([head, *rows])
    if table.words:
        words = [
            (str(row.seq), KINDS.get(row.slot, row.slot), _mark(row.guest_id), _quoted(row.text)) for row in table.words
        ]
        text += "\n" + _columns([("entry", "what", "guest", "words"), *words])
    return text


def guest_text(overview: GuestOverview, sanctions: Sequence[SanctionRow], now: float) -> str:
    """What is known of a guest."""
    known = "" if overview.created is None else f", known since {shown_local_time(overview.created)}"
    name = f" {_quoted(overview.name)}" if overview.name else ""
    text = f"guest {_mark(overview.guest_id)}{name}{known}\n"
    if overview.rating is not None:
        text += f"rating {overview.rating} after {count_noun(overview.rated_games, 'game')}\n"
    text += f"reported {count_noun(overview.reported, 'time')}, made {count_noun(overview.reports, 'report')}\n"
    if overview.tables:
        rows = [(table_id, status, shown_local_time(created)) for table_id, status, created in overview.tables]
        text += f"\n{count_noun(overview.table_count, 'table')}, the latest:\n" + _columns(rows)
    if sanctions:
        text += "\n" + _sanction_columns(sanctions, now)
    return text


def sanctions_text(rows: Sequence[SanctionRow]) -> str:
    """Who is muted or banned now."""
    return _sanction_columns(rows, None) if rows else "Nobody is muted or banned.\n"


def actions_text(rows: Sequence[ActionRow]) -> str:
    """What operators did."""
    if not rows:
        return "Nothing was done yet.\n"
    lines = [
        (
            shown_local_time(row.time),
            row.operator,
            row.what,
            " ".join(filter(None, (row.table_id, "" if row.seq is None else str(row.seq)))),
            _mark(row.guest_id) if row.guest_id else "",
            clean(row.text),
        )
        for row in rows
    ]
    return _columns([("when", "by", "did", "table", "guest", "more"), *lines])


def _sanction_columns(rows: Iterable[SanctionRow], now: float | None) -> str:
    """`now`: those that have ended are marked."""
    lines = []
    for row in rows:
        network = row.network or ("(network not known yet)" if row.with_network else "")
        ended = "ended " if now is not None and row.until <= now else "until "
        guest = _mark(row.guest_id) if row.guest_id else ""
        lines.append((row.what, guest, network, ended + shown_local_time(row.until), clean(row.why)))
    return _columns([("what", "guest", "network", "", "why"), *lines])


def _mark(guest_id: str) -> str:
    from hexholm.host.storage.values import guest_mark

    return guest_mark(guest_id)


def _quoted(words: str) -> str:
    """Other people's words, in quotation marks, on one line and not too long; nothing in them controls a terminal."""
    words = clean(words)
    return f'"{words if len(words) <= WIDEST_WORDS else words[: WIDEST_WORDS - 4] + " ..."}"'


def _columns(rows: Sequence[Sequence[str]]) -> str:
    """Rows as lines, each column as wide as it must be."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows)
    return "".join(line + "\n" for line in lines)
