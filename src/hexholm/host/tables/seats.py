"""Guests and seats: who sends a command, and who sits where."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from hexholm.rules.colors import Color

from ..table_literals import Sitter
from ..wire import messages
from ..wire.host_refusals import Declined, HostReason

Eyes = Color | None
"""Whose eyes: a color, or None for the public."""


@dataclass(frozen=True, slots=True)
class Guest:
    """Who sends a command: a guest, and the seat it holds, if any."""

    id: str
    color: Color | None = None
    token_hash: str = field(default="", compare=False, repr=False)
    """Of the token with which it came."""
    name: str = field(default="", compare=False)
    """What one without a seat is called here, where that matters."""


@dataclass(slots=True)
class Seat:
    """A seat of a table: who sits there, and how they stand to the game."""

    color: Color
    sitter: Sitter = "empty"
    name: str = ""
    guest_id: str = ""
    bot_name: str | None = None
    """The bot that decides here now; None: a person does, or nobody."""
    away: bool = False
    resigned: bool = False
    silenced: bool = False
    muted: set[Color] = field(default_factory=set)
    """The seats whose remarks this one does not want to hear."""
    away_since: float = 0.0
    """Since when it is away, without the time in which the host did not run."""
    long_gone: bool = False
    """It has been away for so long that an end no longer needs its word."""
    kick_wishes: set[Color] = field(default_factory=set)
    """Who asks that it be taken away in the running game."""

    @property
    def plays(self) -> bool:
        """Whether a person plays here, be it that a bot stands in for them."""
        return self.sitter == "person" and not self.resigned

    @property
    def is_away_without_bot(self) -> bool:
        """Whether its person is away and no bot stands in."""
        return self.away and self.bot_name is None

    def line(self, reserved: str = "", kick_missing: tuple[Color, ...] = ()) -> messages.SeatLine:
        """What everybody may know."""
        return messages.SeatLine(
            color=self.color,
            kind=self.sitter,
            name=self.name,
            bot_name=self.bot_name,
            away=self.away,
            resigned=self.resigned,
            silenced=self.silenced,
            reserved=reserved if self.sitter == "empty" else "",
            long_gone=self.long_gone,
            kick_wishes=tuple(sorted(self.kick_wishes)),
            kick_missing=kick_missing,
        )


def free_seats(seats: Iterable[Seat]) -> tuple[Color, ...]:
    """Where nobody sits, by color; a game cannot begin while there are any."""
    return tuple(seat.color for seat in seats if seat.sitter == "empty")


def check_color(color: Color, colors: tuple[Color, ...], why_not: HostReason = "no_such_seat") -> None:
    """Raises Declined, by one of two reasons, for a color that somebody named and no seat has."""
    if color not in colors:
        raise Declined.because(why_not, seat=color[:20], seats=colors)
