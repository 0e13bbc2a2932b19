"""Links to tables and seats.

The token of a seat travels in the part of a link behind the #, which no browser sends to a server and no server can
log.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from hexholm.rules.errors import BadInput


def watch_link(base: str, table_id: str) -> str:
    """Where a table is watched."""
    return f"{base.rstrip('/')}/t/{table_id}"


def seat_link(base: str, table_id: str, token: str) -> str:
    """Where a seat is played."""
    return f"{watch_link(base, table_id)}#seat={token}"


def recovery_link(base: str, text: str) -> str:
    """Where a guest is recovered."""
    return f"{base.rstrip('/')}/me#recover={text}"


def read_link(link: str) -> tuple[str, str, str | None]:
    """The server, the table and the token of a link such as http://host:8000/t/ID#seat=TOKEN."""
    parts = urlsplit(link.strip() if "://" in link else f"http://{link.strip()}")
    scheme = {"ws": "http", "wss": "https"}.get(parts.scheme, parts.scheme)
    where = [part for part in parts.path.split("/") if part]
    token = parts.fragment.removeprefix("seat=") if parts.fragment.startswith("seat=") else None
    if scheme not in ("http", "https") or not parts.hostname or len(where) < 2 or where[-2] not in ("t", "tables"):
        raise BadInput(f"{link.partition('#')[0]}: this is no link to a table; one looks like http://host:8000/t/ID")
    return f"{scheme}://{parts.netloc}", where[-1], token
