"""How long the log of a table may become: what is said first, then what goes beside the game, then the game itself.

A whole game of four has some 150 KiB. Who only talks, offers or wishes may not fill the disk, and a game that goes
round for ever is stopped at last, as one among bots is after so many turns. Each seat has its share of what goes beside
the game: nobody brings a game to its end alone by filling the log.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from hexholm.rules.colors import Color

from ...storage import EntryRow
from ...wire import messages
from ...wire.host_refusals import Declined
from .. import log

BESIDE_TEXT: Final = 200
"""Bytes of an entry beside its body: its key, its time, the answer to the command."""
WISH_MEMORY: Final = 5 * 1024
"""Bytes of memory, for as long as the table is there, of a command that moves no game: every seat is told in its own
message. A new name has a sixteenth of that in the log."""
TABLE_SIZE: Final = 8 * 1024
"""Bytes in the database of a table at which a game begins, apart from a board of its own."""
SEAT_SIZE: Final = 400
"""Those of somebody who sits down, apart from the name: a token, a line of the list of tables."""
MOST_REMARK_SIZE: Final = 256 * 1024
"""Bytes of remarks at a table."""
MOST_BESIDE_GAME: Final = 2 * 1024 * 1024
"""Bytes of a log to which offers and wishes are still added; each seat has its share, and the creator one more."""
MOST_LOGGED: Final = 4 * 1024 * 1024
"""Bytes of a log at which the game is stopped."""


ALWAYS_HAS_ROOM: Final = (messages.Resign, messages.End, messages.Resume, messages.Back, messages.OpenWord)
"""Commands that end something, or without which nothing would go on."""


class LogSize:
    """The bytes of one log."""

    def __init__(self) -> None:
        self.total = 0
        self.remarks: Counter[Color] = Counter()
        """By the seat they come from; "": of those who watch."""
        self.beside_game: Counter[Color] = Counter()
        """Offers and wishes, by the seat they come from; "": of a creator without one."""

    def add(self, row: EntryRow, body: log.EntryBody) -> None:
        """One more entry is stored."""
        size = BESIDE_TEXT + len(row.body) + sum(len(text.text.encode()) for text in row.texts)
        self.total += size
        if isinstance(body, log.Said):
            self.remarks[body.color] += size
        elif isinstance(body, log.Seated):
            del self.beside_game[body.color]  # whoever sits there now has a share of their own
        elif (color := body.share_color) is not None:
            self.beside_game[color] += size

    def check(self, command: messages.TableCommand, color: Color, colors: Sequence[Color]) -> None:
        """Raises Declined for a command of those that are counted, where the log has no room for it any more.

        Each seat has a share of what may be said, and those who watch have one together (`color` is "" then).
        """
        if isinstance(command, messages.Say) and self.remarks[color] >= MOST_REMARK_SIZE // (len(colors) + 1):
            raise Declined.because("enough_said")
        if self.total >= MOST_BESIDE_GAME and not isinstance(command, ALWAYS_HAS_ROOM):
            raise Declined.because("log_full")

    def check_shares(self, bodies: Iterable[log.EntryBody], colors: Sequence[Color]) -> None:
        """Raises Declined where a seat has used up its share for what would be stored of it."""
        most = MOST_BESIDE_GAME // (len(colors) + 1)
        if any(self.beside_game[color] >= most for body in bodies if (color := body.share_color) is not None):
            raise Declined.because("log_full")

    @property
    def is_full(self) -> bool:
        """Whether the game must come to its end."""
        return self.total >= MOST_LOGGED
