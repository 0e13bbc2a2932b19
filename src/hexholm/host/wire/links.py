"""Links to tables, seats and finished games.

The token of a seat and the secret that shows a game travel in the part of a link behind the #, which no browser sends
to a server and no server can log.
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


def share_link(base: str, table_id: str, secret: str) -> str:
    """Where a finished game is shown to whoever has the link."""
    return f"{base.rstrip('/')}/replay/{table_id}#share={secret}"


def read_link(link: str) -> tuple[str, str, str | None]:
    """The server, the table and the token of a link such as http://host:8000/t/ID#seat=TOKEN."""
    server, table_id, token = _read(link, ("t", "tables"), "seat=")
    if server is None:
        raise BadInput(f"{link.partition('#')[0]}: this is no link to a table; one looks like http://host:8000/t/ID")
    return server, table_id, token


def read_share_link(link: str) -> tuple[str, str, str | None]:
    """The server, the table and the secret of a link such as http://host:8000/replay/ID#share=SECRET."""
    server, table_id, secret = _read(link, ("replay",), "share=")
    if server is None:
        shown = link.partition("#")[0]
        raise BadInput(f"{shown}: this is no link to a finished game; one looks like http://host:8000/replay/ID")
    return server, table_id, secret


def _read(link: str, places: tuple[str, ...], mark: str) -> tuple[str | None, str, str | None]:
    """The server (None: it is no such link), the table, and what stands behind the mark in the last part."""
    parts = urlsplit(link.strip() if "://" in link else f"http://{link.strip()}")
    scheme = {"ws": "http", "wss": "https"}.get(parts.scheme, parts.scheme)
    where = [part for part in parts.path.split("/") if part]
    if scheme not in ("http", "https") or not parts.hostname or len(where) < 2 or where[-2] not in places:
        return None, "", None
    secret = parts.fragment.removeprefix(mark) if parts.fragment.startswith(mark) else None
    return f"{scheme}://{parts.netloc}", where[-1], secret
