"""The terms of a table: how it is played and who may see it, chosen when it is set up and never changed.

One value goes all the way: a request is read into it (:mod:`.hall.opening`), the first entry of the log has its
fields (:class:`.log.Opened`), a table reads them there as long as there is one, and a rematch takes them over. What
lists show is made of that (:mod:`.table_line`).
"""

from __future__ import annotations

from typing import Any

import msgspec

from ..table_literals import Absence, BotPace, ChanceSource, LessonName, Visibility


class Reservation(msgspec.Struct, frozen=True):
    """Whom a free seat is kept for."""

    guest_id: str = msgspec.field(name="guest")
    name: str


class TableTerms(msgspec.Struct, frozen=True, kw_only=True):
    """What a table is played by, beside the options of its game; explained in :class:`~..wire.api.NewTable`.

    The names and defaults are also those of the log, where what is usual is not written down.
    """

    title: str
    title_by: str = ""
    """The guest who wrote the title, at the first of several tables that followed each other; "": the creator."""
    clock: float | None = None
    absence: Absence | None = None
    """None: as is usual here, until the table is set up."""
    plays_on: bool = False
    ranges: bool = False
    pace: BotPace = "normal"
    """At the beginning."""
    chance_source: ChanceSource = msgspec.field(default="host", name="chance")
    rated: bool = False
    lesson: LessonName = ""
    """The lesson that the game is, by its name in :mod:`.lessons`."""
    visibility: Visibility = "unlisted"
    watchable: bool = True
    spectators_speak: bool = False

    @property
    def is_board_real(self) -> bool:
        """Whether people sit around a real board, and roll its dice."""
        return self.chance_source != "host"

    @property
    def waits_for_absent(self) -> bool:
        """Whether somebody who is gone is waited for; else a bot stands in."""
        return self.absence == "wait"

    def as_fields(self) -> dict[str, Any]:
        """The terms alone, by name; also of what has more fields."""
        return {name: getattr(self, name) for name in TableTerms.__struct_fields__}
