"""`hexholm serve`: tables for others; `hexholm watch`: follow one of them in the terminal."""

from __future__ import annotations

import asyncio
import contextlib
import io
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import typer

from hexholm.rules.errors import BadInput

from ..shared.files import BadCall

if TYPE_CHECKING:
    from hexholm.host.client import Joined
    from hexholm.host.web.operations.settings import Address
    from hexholm.host.wire import messages as m

    from ..at_table.story import Story

DATABASE: Final = "tables.db"
QUIET: Final = 30  # the level of warnings


def needs_host(command: str, error: ImportError) -> BadInput:
    """A polite word where the extra is missing."""
    return BadCall(f"hexholm {command} needs {error.name}: pip install 'hexholm[host]'")


# --- serve ------------------------------------------------------------------------------------------------------------


def serve(
    *,
    host: str,
    port: int | None,
    database: str | None,
    durability: str,
    public_url: str | None,
    origins: list[str],
    hosts: list[str],
    proxies: list[str],
    bot_delay: float | None,
    tables_per_guest: int | None,
    tables_per_address: int | None,
    clear_open: float | None,
    end_left: float | None,
    no_limits: bool,
    quiet: bool,
    browse: bool = False,
) -> int:
    """Serve until Ctrl-C or SIGTERM; returns the exit code."""
    try:
        from hexholm.host.web import server
        from hexholm.host.web.limits import Limits
        from hexholm.host.web.operations.logging import journal
        from hexholm.host.web.operations.settings import PORT, Settings
    except ImportError as error:
        raise needs_host("serve", error) from error
    from dataclasses import replace

    limits = Limits.none() if no_limits else Limits()
    if tables_per_guest is not None:
        limits = replace(limits, tables_per_guest=tables_per_guest)
    if tables_per_address is not None:
        limits = replace(limits, tables_per_address=tables_per_address)
    settings = Settings(
        host=host,
        port=PORT if port is None else port,
        public_url=public_url,
        origins=tuple(origins),
        hosts=tuple(hosts),
        proxies=tuple(proxies),
        limits=limits,
    )
    file = database_file(database)
    log = journal(level=QUIET) if quiet else journal()

    def ready(where: Address) -> None:
        typer.echo(greeting(where, file), nl=False)
        sys.stdout.flush()
        if browse:
            open_browser(where.here)

    more: dict[str, Any] = {} if bot_delay is None else {"bot_delay": (bot_delay, 3 * bot_delay)}
    if clear_open is not None:
        more["clear_after"] = 3600 * clear_open
    if end_left is not None:
        more["end_after"] = 86_400 * end_left
    run = server.serve(
        file,
        settings,
        durability=durability,  # type: ignore[arg-type]  # storage looks at it
        exactly=port is not None,
        ready=ready,
        log=log,
        **more,
    )
    asyncio.run(run)
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


def database_file(asked: str | None) -> Path:
    """The file of the database: the one asked for, or the one of this user."""
    if asked is not None:
        return Path(asked)
    import platformdirs

    folder = Path(os.environ.get("HEXHOLM_DATA") or platformdirs.user_data_dir("hexholm"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder / DATABASE


def greeting(where: Address, file: Path) -> str:
    """What is said when the server is up: the link, for a local network also as a QR code."""
    lines = [f"Hexholm is at {where.here}"]
    if where.public is not None:
        lines.append(f"Guests come to {where.public}")
    elif where.network is not None:
        lines += [f"On your network: {where.network}", qr(where.network)]
    else:
        lines[0] += "  (only this machine; --host 0.0.0.0 opens it to your network)"
    lines.append(f"Games are kept in {file}. Ctrl-C stops, nothing is lost.")
    return "\n".join(line for line in lines if line) + "\n"


def qr(link: str) -> str:
    """A link as a picture of half blocks, where the terminal can show them."""
    try:
        import segno

        "▀▄█".encode(sys.stdout.encoding or "ascii")
    except (ImportError, UnicodeEncodeError):
        return ""
    picture = io.StringIO()
    segno.make(link, error="l", micro=False).terminal(picture, border=2, compact=True)
    return picture.getvalue().rstrip("\n")


# --- watch ------------------------------------------------------------------------------------------------------------


def watch(link: str, *, from_start: bool, as_json: bool) -> int:
    """Follow a table until its game is over; returns the exit code."""
    try:
        from hexholm.host.client import Client, Lost, Refusal, read_link
    except ImportError as error:
        raise needs_host("watch", error) from error
    base, table, token = read_link(link)
    if token is not None:
        typer.echo("You watch as everybody may; the seat of this link is not used.", err=True)

    async def follow() -> int:
        client = Client(base)
        answer = await client.table(table)
        async with client.join(table, since=0 if from_start or as_json else None) as joined:
            if as_json:
                return await _as_json(joined)
            return await Watching(joined, answer.board).run()

    try:
        return asyncio.run(follow())
    except Refusal as no:
        raise BadCall(f"{base}: {no.message}") from no
    except Lost as lost:
        typer.echo(f"hexholm: {lost}", err=True)
        return 1


async def _as_json(joined: Joined) -> int:
    """All messages, one a line."""
    import msgspec

    while not (joined.over and not joined.behind):
        typer.echo(msgspec.json.encode(await anext(joined)).decode())
    return 0


class Watching:
    """One table, told in words."""

    def __init__(self, joined: Joined, board: str) -> None:
        from hexholm.rules.boards import read_board

        self.joined, self.layout = joined, read_board(board)
        self._lost = self._turn = 0

    async def run(self) -> int:
        """Tell what happens until the game is over."""
        from ..at_table.story import Story

        story = Story(self._options(), color=_colored())
        self._say(self.heading())
        if self.joined.projection is not None and not self.joined.behind:
            self._say(self.picture(self.joined.projection))
        while not (self.joined.over and not self.joined.behind):
            message = await anext(self.joined)
            if self.joined.reconnected > self._lost:
                self._lost = self.joined.reconnected
                typer.echo("(the connection was lost; here we are again)", err=True)
            if told := self.told(message, story):
                self._say(told)
        if self.joined.projection is not None:  # else the table was ended before the game
            self._say(self.picture(self.joined.projection))
        return 0

    def _options(self) -> Any:
        from hexholm.game.new_game import options

        return options(**self.joined.table.options)

    def heading(self) -> str:
        """The table and who sits there."""
        from hexholm.game.language.clean_text import clean
        from hexholm.host.wire.sentences import sitting

        from ..shared.game_options import title

        line = self.joined.table
        seats = [f"  {seat.color:<7}{sitting(seat)}" for seat in line.seats]
        return "\n".join([clean(line.title) or f"Table {line.id}", *title(self._options(), self.layout), *seats])

    def told(self, message: m.Told | m.Chatted | m.Changed | m.Now, story: Story) -> str:
        """A message in words; "" if it says nothing new."""
        from hexholm.game.events import TurnBegan, event_from_dict
        from hexholm.game.language.clean_text import clean
        from hexholm.host.wire import messages as m
        from hexholm.host.wire.sentences import changed

        match message:
            case m.Told():
                events = [event_from_dict(event) for event in message.events]
                told, self._turn = story.tell(events, turn=self._turn), 0
                if events and isinstance(events[-1], TurnBegan):  # its number stands before what comes next
                    self._turn = events[-1].number
                return told
            case m.Chatted():
                return story.painted(f"    {clean(message.by)} says: {clean(message.text)}")
            case m.Changed():
                return story.painted(f"    {changed(message)}")
            case _:
                return ""

    def picture(self, now: m.Projection) -> str:
        """The board with all pieces, and the points in view."""
        from hexholm.rules.boards import COLOR_LETTERS, draw_text

        pieces: dict[str, str] = {}
        for player in now.view["players"]:
            letter = COLOR_LETTERS[player["color"]]
            pieces |= dict.fromkeys((*player["roads"], *player["settlements"]), letter)
            pieces |= dict.fromkeys(player["cities"], letter.upper())
        words = self._options().edition_data.words
        board = draw_text(self.layout, pieces, robber=now.view["robber"], color=_colored(), words=words)
        points = ", ".join(f"{player['color']} {player['points']}" for player in now.view["players"])
        return f"{board}\n  Points in view: {points}"

    @staticmethod
    def _say(text: str) -> None:
        typer.echo(text)
        with contextlib.suppress(OSError):
            sys.stdout.flush()


def _colored() -> bool:
    from .board import colored

    return colored()
