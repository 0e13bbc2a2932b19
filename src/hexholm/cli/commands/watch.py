"""`hexholm watch`: a table of a server, followed in the terminal."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from ..shared.files import BadCall
from ..shared.plain_text import title_lines
from ..shared.terminal import wants_color

if TYPE_CHECKING:
    from hexholm.host.client import Joined
    from hexholm.host.wire import messages

    from ..at_table.story import Story

NEEDS_SEAT: Final = ("not_watchable", "not_shown")
"""Why everybody else may not look."""
EXAMPLE: Final = "hexholm watch http://127.0.0.1:8000/t/ID"


def watch(
    link: Annotated[str, typer.Argument(metavar="URL", help="The link of a table.")],
    from_start: Annotated[bool, typer.Option("--from-start", help="Tell the game from its beginning.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print all messages, one line of JSON each.")] = False,
) -> int:
    """Follow a table in the terminal until its game is over.

    You see what everybody may see. If only players may watch, or the game is over, give the link to a seat; you then
    see what that seat sees. A lost connection is restored.
    """
    from hexholm.host.client import Client, Declined, Lost, read_link

    base, table, token = read_link(link)

    async def follow() -> int:
        client, seat = Client(base), None
        try:
            answer = await client.table(table)
        except Declined as error:
            if token is None or error.refusal.why not in NEEDS_SEAT:
                raise
            seat = token
            answer = await client.table(table, seat)
        if token is not None:
            what = (
                "what the seat of this link sees" if seat else "what everybody may; the seat of this link is not used"
            )
            typer.echo(f"You see {what}.", err=True)
        async with client.join(table, seat, since=0 if from_start or as_json else None) as connection:
            if as_json:
                return await _print_messages(connection)
            return await Spectator(connection, answer.board).run()

    try:
        return asyncio.run(follow())
    except Declined as error:
        raise BadCall(f"{base}: {error}") from error
    except Lost as error:
        typer.echo(f"hexholm: {error}", err=True)
        return 1


async def _print_messages(connection: Joined) -> int:
    """All messages, one a line."""
    import msgspec

    while not (connection.over and not connection.behind):
        typer.echo(msgspec.json.encode(await anext(connection)).decode())
    return 0


class Spectator:
    """Follows one table and tells it in words."""

    def __init__(self, connection: Joined, board: str) -> None:
        from hexholm.rules.boards import read_board

        self.connection, self.layout = connection, read_board(board)
        self._reconnections = self._turn = 0

    async def run(self) -> int:
        """Tell what happens until the game is over."""
        from ..at_table.story import Story

        story = Story(self._game_options(), in_color=wants_color())
        self._say(self.heading_text())
        if self.connection.projection is not None and not self.connection.behind:
            self._say(self.picture_text(self.connection.projection))
        while not (self.connection.over and not self.connection.behind):
            message = await anext(self.connection)
            if self.connection.reconnected > self._reconnections:
                self._reconnections = self.connection.reconnected
                typer.echo("(the connection was lost and is back)", err=True)
            if text := self.message_text(message, story):
                self._say(text)
        if self.connection.projection is not None:  # else the table was ended before the game
            self._say(self.picture_text(self.connection.projection))
        return 0

    def _game_options(self) -> Any:
        from hexholm.game.new_game import game_options

        return game_options(**self.connection.table.options)

    def heading_text(self) -> str:
        """The table and who sits there."""
        from hexholm.game.language.clean_text import clean
        from hexholm.host.wire.table_sentences import seat_text

        line = self.connection.table
        seats = [f"  {seat.color:<7}{seat_text(seat)}" for seat in line.seats]
        return "\n".join(
            [clean(line.title) or f"Table {line.id}", *title_lines(self._game_options(), self.layout), *seats]
        )

    def message_text(
        self, message: messages.Told | messages.Chatted | messages.Changed | messages.Now, story: Story
    ) -> str:
        """A message in words; "" if it says nothing new."""
        from hexholm.game.events import TurnBegan, event_from_dict
        from hexholm.game.language.clean_text import clean
        from hexholm.host.wire import messages
        from hexholm.host.wire.table_sentences import change_sentence, speaker_text

        match message:
            case messages.Told():
                events = [event_from_dict(event) for event in message.events]
                text, self._turn = story.tell(events, turn=self._turn), 0
                if events and isinstance(events[-1], TurnBegan):  # its number stands before what comes next
                    self._turn = events[-1].number
                return text
            case messages.Chatted():
                return story.paint(f"    {clean(speaker_text(message))} says: {clean(message.text)}")
            case messages.Changed():
                return story.paint(f"    {change_sentence(message)}")
            case _:
                return ""

    def picture_text(self, projection: messages.Projection) -> str:
        """The board with all pieces, and the points in view."""
        from hexholm.rules.boards import draw_text, piece_letter

        pieces = {
            place: piece_letter(player["color"], kind)
            for player in projection.view["players"]
            for kind, places in (
                ("road", player["roads"]),
                ("settlement", player["settlements"]),
                ("city", player["cities"]),
            )
            for place in places
        }
        words = self._game_options().edition_data.words
        board = draw_text(self.layout, pieces, robber=projection.view["robber"], in_color=wants_color(), words=words)
        points = ", ".join(f"{player['color']} {player['points']}" for player in projection.view["players"])
        return f"{board}\n  Visible points: {points}"

    @staticmethod
    def _say(text: str) -> None:
        typer.echo(text)
        with contextlib.suppress(OSError):
            sys.stdout.flush()
