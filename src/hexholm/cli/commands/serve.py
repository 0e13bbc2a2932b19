"""`hexholm serve`: tables for others."""

from __future__ import annotations

import asyncio
import contextlib
import io
import os
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Final

import typer

from hexholm.game.language.phrases import count_noun
from hexholm.host.tables.services.durations import DAY, HOUR, USUAL_DURATIONS, bot_delay_from
from hexholm.host.web.admission.limits import Limits
from hexholm.host.web.operations.settings import LOCAL, PORT

from ..shared.common_options import BotDelayOption, complete_from
from ..shared.files import named_database, shown_database

if TYPE_CHECKING:
    from hexholm.host.web.operations.settings import Address

EXAMPLE: Final = "hexholm serve --port 8123 --db h.db"
LOG_WARNINGS: Final = 30  # the level of warnings
_LIMITS: Final = Limits()


def serve(
    host: Annotated[
        str, typer.Option(help="The address to listen on: 0.0.0.0 opens it to your network.", metavar="ADDRESS")
    ] = LOCAL,
    port: Annotated[
        int | None,
        typer.Option(help=f"[default: {PORT}, or the next free one]", min=0, max=65535, show_default=False),
    ] = None,
    db: Annotated[
        str | None,
        typer.Option(
            help="The database: a file, or postgresql://... [default: a standard file]",
            metavar="DATABASE",
            show_default=False,
        ),
    ] = None,
    durability: Annotated[
        str,
        typer.Option(
            help="normal: moves survive a crash; full: they also survive a power failure.",
            autocompletion=complete_from("normal", "full"),
        ),
    ] = "normal",
    public_url: Annotated[
        str | None,
        typer.Option(
            help="Behind a proxy: the address that guests type, such as https://play.example.org.", show_default=False
        ),
    ] = None,
    allow_origin: Annotated[
        list[str] | None,
        typer.Option(
            help="Let pages from this site use the server. Can be repeated.", metavar="URL", show_default=False
        ),
    ] = None,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(help="Another name of this server. Can be repeated.", metavar="NAME", show_default=False),
    ] = None,
    proxy: Annotated[
        list[str] | None,
        typer.Option(
            help="Trust this proxy's X-Forwarded-For. [default: this machine, with --public-url]",
            metavar="ADDRESS",
            show_default=False,
        ),
    ] = None,
    bot_delay: BotDelayOption = None,
    tables_per_guest: Annotated[
        int | None,
        typer.Option(
            help=f"Unfinished tables per guest. [default: {_LIMITS.tables_per_guest}]", min=1, show_default=False
        ),
    ] = None,
    tables_per_address: Annotated[
        int | None,
        typer.Option(
            help=f"Unfinished tables per address. [default: {_LIMITS.tables_per_address}]", min=1, show_default=False
        ),
    ] = None,
    clear_open: Annotated[
        float | None,
        typer.Option(
            help="Remove tables whose game has not begun and that nobody has looked at for this many hours."
            f" [default: {USUAL_DURATIONS.clear_after / HOUR:g}]",
            metavar="HOURS",
            min=0.1,
            show_default=False,
        ),
    ] = None,
    end_left: Annotated[
        float | None,
        typer.Option(
            help="End games, without a winner, that nobody has played or looked at for this many days."
            f" [default: {USUAL_DURATIONS.end_after / DAY:g}]",
            metavar="DAYS",
            min=0.01,
            show_default=False,
        ),
    ] = None,
    no_limits: Annotated[
        bool, typer.Option("--no-limits", help="No rate limits; use only on your own machine.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Log warnings only.")] = False,
    open_: Annotated[bool, typer.Option("--open", help="Open a browser, where there is one.")] = False,
) -> int:
    """Host tables for people and programs, and play in the browser.

    Prints the link, for a local network also as a QR code. Ctrl-C stops the server; every game continues at the next
    start. docs/how-to/host.md explains proxies, backups and running it as a service.
    """
    from hexholm.host.web import server
    from hexholm.host.web.admission.limits import Limits
    from hexholm.host.web.operations.server_log import new_logger
    from hexholm.host.web.operations.settings import PORT, Settings

    limits = Limits.none() if no_limits else Limits()
    if tables_per_guest is not None:
        limits = replace(limits, tables_per_guest=tables_per_guest)
    if tables_per_address is not None:
        limits = replace(limits, tables_per_address=tables_per_address)
    settings = Settings(
        host=host,
        port=PORT if port is None else port,
        public_url=public_url,
        origins=tuple(allow_origin or ()),
        hosts=tuple(allow_host or ()),
        proxies=tuple(proxy or ()),
        limits=limits,
    )
    database = named_database(db)
    logger = new_logger(level=LOG_WARNINGS) if quiet else new_logger()

    def restoring(count: int) -> None:
        typer.echo(f"Restoring {count_noun(count, 'game')} ...", err=True)

    def ready(address: Address) -> None:
        typer.echo(greeting_text(address, shown_database(database)), nl=False)
        sys.stdout.flush()
        if open_:
            open_browser(address.here)

    durations = USUAL_DURATIONS
    if bot_delay is not None:
        durations = replace(durations, bot_delay=bot_delay_from(bot_delay))
    if clear_open is not None:
        durations = replace(durations, clear_after=HOUR * clear_open)
    if end_left is not None:
        durations = replace(durations, end_after=DAY * end_left)
    serving = server.serve_until_stopped(
        database,
        settings,
        durability=durability,  # type: ignore[arg-type]  # storage looks at it
        exactly=port is not None,
        restoring=restoring,
        ready=ready,
        logger=logger,
        durations=durations,
    )
    asyncio.run(serving)
    typer.echo("Stopped. All games are kept.", err=True)
    return 0


def open_browser(link: str) -> None:
    """Open a link in a browser if this machine has a screen and one; whatever goes wrong, the link has been printed."""
    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return  # a browser for terminals would take this one away
    import threading
    import webbrowser

    def work() -> None:
        with contextlib.suppress(Exception):
            webbrowser.open(link)

    threading.Thread(target=work, daemon=True).start()  # some browsers come back only when they are closed


def greeting_text(address: Address, database: str) -> str:
    """What is said when the server is up: the link, for a local network also as a QR code."""
    lines = [f"Hexholm is at {address.here}"]
    if address.public is not None:
        lines.append(f"Guests come to {address.public}")
    elif address.network is not None:
        lines += [f"On your network: {address.network}", qr_text(address.network)]
    else:
        lines[0] += "  (only this machine; --host 0.0.0.0 opens it to your network)"
    lines.append(f"Games are kept in {database}. Ctrl-C stops, nothing is lost.")
    return "\n".join(line for line in lines if line) + "\n"


def qr_text(link: str) -> str:
    """A link as a picture of half blocks, where the terminal can show them."""
    try:
        import segno

        "▀▄█".encode(sys.stdout.encoding or "ascii")
    except (ImportError, UnicodeEncodeError):
        return ""
    picture = io.StringIO()
    segno.make(link, error="l", micro=False).terminal(picture, border=2, compact=True)
    return picture.getvalue().rstrip("\n")
