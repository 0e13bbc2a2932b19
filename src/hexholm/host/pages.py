"""The pages a browser gets: what this is, which tables there are. Plain HTML without a script; all text is escaped."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from html import escape
from typing import Final

from hexholm import __version__

from .doors import CONTENT_POLICY
from .messages import SeatLine, TableLine

STYLE: Final = (
    "body{font:1rem/1.5 system-ui,sans-serif;max-width:42rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}"
    "li{margin:.5rem 0}code{overflow-wrap:anywhere}"
)
_HASH: Final = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
POLICY: Final = f"{CONTENT_POLICY}; script-src 'none'; style-src 'sha256-{_HASH}'"
"""The content policy of these pages: no script at all, and this one style."""
SHOWN: Final = 100


def index(tables: Sequence[TableLine], base: str) -> str:
    """The first page: what this is, and the tables that wait or play."""
    rows = "".join(f'<li><a href="/t/{escape(one.id)}">{_name(one)}</a>: {_facts(one)}</li>' for one in tables[:SHOWN])
    more = f"<p>and {len(tables) - SHOWN} more</p>" if len(tables) > SHOWN else ""
    listed = f"<ul>{rows}</ul>{more}" if rows else "<p>No table is open yet.</p>"
    return _page(
        "Hexholm",
        "<p>A host for the island-settling board game of five rule books. Games here are played by programs and in the "
        "terminal: <code>hexholm watch</code> follows a table, <code>hexholm.host.client</code> plays at one.</p>"
        f"<h2>Tables</h2>{listed}"
        '<h2>For programs</h2><ul><li><a href="/openapi.json">REST, as OpenAPI</a></li>'
        '<li><a href="/api/tables">The tables as JSON</a></li><li><a href="/api/editions">The editions</a></li></ul>'
        f"<p>Hexholm {escape(__version__)} at {escape(base)}</p>",
    )


def table_page(table: TableLine, link: str) -> str:
    """One table: who sits there, and how to watch."""
    seats = "".join(f"<li>{_seat(seat)}</li>" for seat in table.seats)
    return _page(
        _name(table),
        f"<p>{_facts(table)}</p><ul>{seats}</ul>"
        f"<p>To watch in a terminal: <code>hexholm watch {escape(link)}</code></p>"
        f'<p><a href="/api/tables/{escape(table.id)}">The table as JSON</a>, '
        f'<a href="/api/tables/{escape(table.id)}/record">its record</a>, <a href="/">all tables</a></p>',
    )


def error_page(message: str) -> str:
    """Something is not there."""
    return _page("Not here", f'<p>{escape(message)}</p><p><a href="/">All tables</a></p>')


def _page(title: str, body: str) -> str:
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{STYLE}</style></head><body><main><h1>{title}</h1>{body}</main></body></html>"
    )


def _name(table: TableLine) -> str:
    return escape(table.title) or f"Table {escape(table.id)}"


def _facts(table: TableLine) -> str:
    taken = sum(seat.kind != "empty" for seat in table.seats)
    how = {"open": f"{taken} of {len(table.seats)} seats are taken", "playing": "the game is on", "over": "over"}
    return f"{escape(table.edition)}, {how[table.status]}"


def _seat(seat: SeatLine) -> str:
    who = {"person": escape(seat.name), "bot": f"the player {escape(seat.player or '')}", "empty": "free"}[seat.kind]
    return f"{escape(seat.color)}: {who}" + (" (away)" if seat.away else "")
