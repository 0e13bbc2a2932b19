"""`hexholm admin`: what an operator does about people and their words, beside a server that runs.

Each command is a function here, in `SUBCOMMANDS` by the name that is typed. What changes something is written to the
database together with a line of the log of operators, and running servers find both there.
"""

from __future__ import annotations

import getpass
import os
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, Any, Final, Literal

import typer

from hexholm.game.language.phrases import count_noun

from ..shared.common_options import DatabaseOption
from ..shared.files import BadCall, existing_database

EXAMPLE: Final = "hexholm admin reports --db h.db"
SECONDS: Final = {"m": 60, "h": 3600, "d": 86_400, "w": 7 * 86_400}
LONGEST_SANCTION: Final = 3660.0
"""Days for which somebody can be muted or banned."""
LONGEST_WHY: Final = 200
NOTICED: Final = "running servers notice within seconds"

WhyOption = Annotated[str, typer.Option("--why", help="What they are told.", metavar="TEXT")]
ForOption = Annotated[str, typer.Option("--for", help="For how long: 30m, 12h, 7d, 4w.", metavar="TIME")]
GuestArgument = Annotated[str, typer.Argument(metavar="GUEST", help="The mark of a guest, as in reports and logs.")]
MostOption = Annotated[int, typer.Option("--most", help="Show at most this many.", min=1, max=10_000)]


def admin() -> None:
    """Look after people and words: reports, mutes, bans.

    This works beside a running server, which notices within seconds. Everything is logged: hexholm admin log.
    docs/how-to/moderate.md explains how to use it.
    """


def _reports(
    close: Annotated[int | None, typer.Option(help="Close a report, by its number.", show_default=False)] = None,
    all_: Annotated[bool, typer.Option("--all", help="Also show closed reports.")] = False,
    most: MostOption = 50,
    db: DatabaseOption = None,
) -> int:
    """List what people have reported, or close a report."""
    from hexholm.cli.reports.moderation_text import reports_text
    from hexholm.host.storage.rows.reported_words import close_report, reports

    with _open_database(db) as database:
        if close is not None:
            row = close_report(database.connection, close, database.now)
            if row is None:
                raise BadCall(f"--close {close}: there is no open report of that number")
            database.log("close", table_id=row.table_id, seq=row.seq, guest_id=row.reported, text=f"report {close}")
            typer.echo(f"report {close} is closed", err=True)
            return 0
        rows, total = reports(database.connection, most, also_closed=all_)
        database.log("reports", text=count_noun(len(rows), "report"))
    typer.echo(reports_text(rows, total), nl=False)
    return 0


def _look(
    what: Annotated[str, typer.Argument(metavar="TABLE|GUEST", help="The id of a table, or the mark of a guest.")],
    most: MostOption = 50,
    db: DatabaseOption = None,
) -> int:
    """Show a table and its words, or a guest."""
    from hexholm.cli.reports.moderation_text import guest_text, table_text
    from hexholm.host.storage.rows.operator_actions import find_guest, sanctions_of
    from hexholm.host.storage.rows.reported_words import guest_overview, table_overview

    with _open_database(db) as database:
        table = table_overview(database.connection, what, most)
        if table is not None:
            database.log("look", table_id=what)
            text = table_text(table)
        else:
            guest_id = find_guest(database.connection, what)
            database.log("look", guest_id=guest_id)
            overview = guest_overview(database.connection, guest_id, most)
            text = guest_text(overview, sanctions_of(database.connection, guest_id), database.now)
    typer.echo(text, nl=False)
    return 0


def _mute(guest: GuestArgument, duration: ForOption, why: WhyOption, db: DatabaseOption = None) -> int:
    """Mute a guest: no messages, no names, no titles."""
    return _impose("mute", guest, duration, why, db)


def _ban(
    who: Annotated[
        str, typer.Argument(metavar="GUEST|PREFIX", help="The mark of a guest, or a network such as 203.0.113.0/24.")
    ],
    duration: ForOption,
    why: WhyOption,
    network: Annotated[
        bool, typer.Option("--network", help="Also ban the guest's network, as soon as the guest connects again.")
    ] = False,
    db: DatabaseOption = None,
) -> int:
    """Ban a guest, or everyone in a network."""
    return _impose("ban", who, duration, why, db, with_network=network)


def _unmute(guest: GuestArgument, db: DatabaseOption = None) -> int:
    """Let a guest write again."""
    return _lift("mute", guest, db)


def _unban(
    who: Annotated[str, typer.Argument(metavar="GUEST|PREFIX", help="As it was banned.")], db: DatabaseOption = None
) -> int:
    """Let a guest or a network come in again."""
    return _lift("ban", who, db)


def _sanctions(db: DatabaseOption = None) -> int:
    """List who is muted or banned now."""
    from hexholm.cli.reports.moderation_text import sanctions_text
    from hexholm.host.storage.rows.operator_actions import running_sanctions

    with _open_database(db) as database:
        rows = running_sanctions(database.connection, database.now)
        database.log("sanctions", text=count_noun(len(rows), "sanction"))
    typer.echo(sanctions_text(rows), nl=False)
    return 0


def _remove(
    table: Annotated[str, typer.Argument(metavar="TABLE", help="The id of the table.")],
    entry: Annotated[int, typer.Argument(metavar="ENTRY", help="The number of the words, as in look and reports.")],
    db: DatabaseOption = None,
) -> int:
    """Remove what somebody wrote: a remark, a name, a title."""
    from hexholm.host.storage.rows.reported_words import remove_words

    with _open_database(db) as database:
        removed = remove_words(database.connection, table, entry)
        if removed is None:
            raise BadCall(f"{table} {entry}: nobody has written anything there; hexholm admin look {table} shows it")
        for guest_id in removed.guests:
            database.log(
                "remove", table_id=table, seq=entry, guest_id=guest_id, text=count_noun(len(removed.texts), "text")
            )
    typer.echo(f"{count_noun(len(removed.texts), 'text')} removed; {NOTICED}", err=True)
    return 0


def _log(most: MostOption = 50, db: DatabaseOption = None) -> int:
    """Show what operators did, the most recent last."""
    from hexholm.cli.reports.moderation_text import actions_text
    from hexholm.host.storage.rows.operator_actions import actions

    with _open_database(db) as database:
        rows = actions(database.connection, most)
    typer.echo(actions_text(rows), nl=False)
    return 0


SUBCOMMANDS: Final[dict[str, Callable[..., int]]] = {
    "reports": _reports,
    "look": _look,
    "mute": _mute,
    "unmute": _unmute,
    "ban": _ban,
    "unban": _unban,
    "sanctions": _sanctions,
    "remove": _remove,
    "log": _log,
}
"""In the order of `hexholm admin --help`."""


class _OperatorDatabase:
    """A database that an operator works on: one transaction, at one time."""

    def __init__(self, connection: Any, now: float) -> None:
        self.connection = connection
        self.now = now
        """By the clock of its server."""

    def log(self, what: str, **how: Any) -> None:
        """Write down what was done."""
        from hexholm.host.storage.rows.operator_actions import log_action

        log_action(self.connection, what, now=self.now, operator=_operator(), **how)


@contextmanager
def _open_database(db: str | None) -> Iterator[_OperatorDatabase]:
    from hexholm.host.storage.admin_connection import admin_connection, host_time

    name = existing_database(db)
    with admin_connection(name) as connection:
        yield _OperatorDatabase(connection, host_time(name, connection, time.time()))


def _impose(
    sanction: Literal["mute", "ban"], who: str, duration: str, why: str, db: str | None, *, with_network: bool = False
) -> int:
    from hexholm.cli.reports.moderation_text import shown_local_time
    from hexholm.host.storage.rows.operator_actions import impose
    from hexholm.host.storage.values import guest_mark

    seconds = read_duration(duration)
    if not why.strip() or len(why) > LONGEST_WHY:
        raise BadCall(f"--why: say in 1 to {LONGEST_WHY} characters what they are to be told")
    with _open_database(db) as database:
        guest_id, network = _guest_or_network(database, who, sanction)
        if with_network and guest_id is None:
            raise BadCall("--network: it is for a guest; a prefix is a network already")
        until = database.now + seconds
        impose(
            database.connection,
            sanction,
            guest_id=guest_id,
            network=network,
            with_network=with_network,
            now=database.now,
            until=until,
            why=why.strip(),
        )
        ends = f"until {shown_local_time(until)}"
        database.log(sanction, guest_id=guest_id, text=" ".join(filter(None, (network, ends + ":", why.strip()))))
    name = network or guest_mark(guest_id or "")
    typer.echo(f"{name} is {'muted' if sanction == 'mute' else 'banned'} {ends}; {NOTICED}", err=True)
    return 0


def _lift(sanction: Literal["mute", "ban"], who: str, db: str | None) -> int:
    from hexholm.host.storage.rows.operator_actions import lift
    from hexholm.host.storage.values import guest_mark

    with _open_database(db) as database:
        guest_id, network = _guest_or_network(database, who, sanction)
        name, done = network or guest_mark(guest_id or ""), "muted" if sanction == "mute" else "banned"
        if not lift(database.connection, sanction, guest_id=guest_id, network=network, now=database.now):
            raise BadCall(f"{name} is not {done}")
        database.log(f"un{sanction}", guest_id=guest_id, text=network or "")
    typer.echo(f"{name} is no longer {done}; {NOTICED}", err=True)
    return 0


def _guest_or_network(database: _OperatorDatabase, who: str, sanction: str) -> tuple[str | None, str | None]:
    from hexholm.host.storage.rows.operator_actions import find_guest, read_network

    network = read_network(who)
    if network is None:
        return find_guest(database.connection, who), None
    if sanction == "mute":
        raise BadCall(f"{who}: a guest can be muted, a network only banned")
    return None, network


def read_duration(text: str) -> float:
    """Seconds, from 30m, 12h, 7d or 4w."""
    match = re.fullmatch(r"(\d{1,6}(?:\.\d{1,3})?)([mhdw])", text.strip().lower())
    seconds = float(match[1]) * SECONDS[match[2]] if match else 0.0
    if not 0 < seconds <= LONGEST_SANCTION * SECONDS["d"]:
        raise BadCall(f"--for {text}: give a time as in 30m, 12h, 7d or 4w, ten years at most")
    return seconds


def _operator() -> str:
    """Who gives this command, as the system knows them."""
    try:
        return os.environ.get("SUDO_USER") or getpass.getuser()
    except (OSError, KeyError):  # a user without a name
        return "(unknown)"
