"""The commands for whoever hosts tables: `serve`, `mcp`, `watch`, `backup`, `upgrade`, `prune`.

Each is a thin function as in :mod:`hexholm.cli`: it declares its options and imports what does the work when called.
"""

from __future__ import annotations

from typing import Annotated

import typer

from ..shared import game_options as asking

commands = typer.Typer()


@commands.command(epilog="Example: hexholm serve --port 8123 --db h.db")
def serve(
    host: Annotated[
        str, typer.Option(help="Where to listen: 0.0.0.0 opens it to your network.", metavar="ADDRESS")
    ] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option(help="[default: 8000, or the next free one]", min=0, max=65535, show_default=False),
    ] = None,
    db: Annotated[
        str | None, typer.Option(help="The database. [default: one of its own]", metavar="FILE", show_default=False)
    ] = None,
    durability: Annotated[
        str,
        typer.Option(
            help="normal: moves survive a crash; full: also a power cut.",
            autocompletion=asking.choices("normal", "full"),
        ),
    ] = "normal",
    public_url: Annotated[
        str | None,
        typer.Option(help="Behind a proxy: what guests type, as in https://play.example.org.", show_default=False),
    ] = None,
    allow_origin: Annotated[
        list[str] | None,
        typer.Option(help="Pages of this site may use the server. Can be repeated.", metavar="URL", show_default=False),
    ] = None,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(help="Another name of this server. Can be repeated.", metavar="NAME", show_default=False),
    ] = None,
    proxy: Annotated[
        list[str] | None,
        typer.Option(
            help="Believe this proxy when it says for whom it asks. [default: this machine, with --public-url]",
            metavar="ADDRESS",
            show_default=False,
        ),
    ] = None,
    bot_delay: asking.BotDelay = None,
    tables_per_guest: Annotated[
        int | None, typer.Option(help="Tables of one guest at a time. [default: 10]", min=1, show_default=False)
    ] = None,
    tables_per_address: Annotated[
        int | None, typer.Option(help="Tables of one address at a time. [default: 100]", min=1, show_default=False)
    ] = None,
    clear_open: Annotated[
        float | None,
        typer.Option(
            help="Clear tables away that nobody begins or looks at for so many hours. [default: 24]",
            metavar="HOURS",
            min=0.1,
            show_default=False,
        ),
    ] = None,
    end_left: Annotated[
        float | None,
        typer.Option(
            help="End games without a winner that nobody plays or looks at for so many days. [default: 30]",
            metavar="DAYS",
            min=0.01,
            show_default=False,
        ),
    ] = None,
    no_limits: Annotated[bool, typer.Option("--no-limits", help="Count nobody's requests: for your own use.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Log warnings only.")] = False,
    open_: Annotated[bool, typer.Option("--open", help="Open a browser, where there is one.")] = False,
) -> None:
    """Host tables for people and programs, and play in the browser.

    Prints the link, for a local network also as a QR code. Ctrl-C stops; every game is there again at the next start.
    docs/how-to/host.md tells of proxies, backups and running it as a service.
    """
    from . import watch as serving

    code = serving.serve(
        host=host,
        port=port,
        database=db,
        durability=durability,
        public_url=public_url,
        origins=allow_origin or [],
        hosts=allow_host or [],
        proxies=proxy or [],
        bot_delay=bot_delay,
        tables_per_guest=tables_per_guest,
        tables_per_address=tables_per_address,
        clear_open=clear_open,
        end_left=end_left,
        no_limits=no_limits,
        quiet=quiet,
        browse=open_,
    )
    raise typer.Exit(code)


@commands.command(epilog="Example: hexholm mcp; hexholm mcp --server http://127.0.0.1:8000")
def mcp(
    server: Annotated[
        str | None,
        typer.Option(
            help="Play at the tables of this server. [default: tables of one's own]", metavar="URL", show_default=False
        ),
    ] = None,
    db: Annotated[
        str | None,
        typer.Option(
            help="The database of one's own tables. [default: one of its own]", metavar="FILE", show_default=False
        ),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(
            help="Where people watch. [default: 8000, or the next free one]", min=0, max=65535, show_default=False
        ),
    ] = None,
    bot_delay: asking.BotDelay = None,
) -> None:
    """Give an AI assistant a seat: MCP over stdin and stdout.

    The assistant's program starts it. Without --server it opens tables on this machine alone, where the assistant plays
    against bots; the link to watch goes to stderr. docs/how-to/assistants.md shows the settings of common assistants.
    """
    from . import mcp as assistants

    raise typer.Exit(assistants.run(server, db, port, bot_delay))


@commands.command(epilog="Example: hexholm watch http://127.0.0.1:8000/t/ID")
def watch(
    link: Annotated[str, typer.Argument(metavar="URL", help="The link of a table.")],
    from_start: Annotated[bool, typer.Option("--from-start", help="Tell the game from its beginning.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print all messages, a line of JSON each.")] = False,
) -> None:
    """Follow a table in the terminal until its game is over.

    You see what everybody may see. A lost connection is taken up again.
    """
    from . import watch as serving

    raise typer.Exit(serving.watch(link, from_start=from_start, as_json=as_json))


Database = Annotated[
    str | None, typer.Option(help="The database. [default: that of serve]", metavar="FILE", show_default=False)
]


@commands.command(epilog="Example: hexholm backup copy.db --db h.db")
def backup(
    target: Annotated[str, typer.Argument(metavar="FILE", help="The new file.")],
    db: Database = None,
) -> None:
    """Copy the database of a server, also while it runs."""
    from .. import database

    raise typer.Exit(database.backup(target, db))


@commands.command()
def upgrade(db: Database = None) -> None:
    """Bring the database of a server up to date.

    The server must be stopped. A copy from before stays beside it. serve does the same when it starts.
    """
    from .. import database

    raise typer.Exit(database.upgrade(db))


@commands.command(epilog="Example: hexholm prune --days 90 --db h.db")
def prune(
    days: Annotated[float, typer.Option(help="Games that have been over for longer.", min=0)],
    keep_records: Annotated[
        bool, typer.Option("--keep-records", help="Keep what happened; delete only tokens and answers.")
    ] = False,
    db: Database = None,
) -> None:
    """Delete old finished games from a server's database.

    Guests of long ago who have no table go too. The server must be stopped.
    """
    from .. import database

    raise typer.Exit(database.prune(db, days, keep_records))
