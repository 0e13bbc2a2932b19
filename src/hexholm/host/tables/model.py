"""Guests, seats, and what a command leads to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from hexholm.game.game import Game
from hexholm.game.positions.position import position_hash

from ..wire import messages as m
from ..wire.refusals import Refusal
from . import log

Eyes = str | None
"""Whose eyes: a colour, or None for the public."""


@dataclass(frozen=True, slots=True)
class Guest:
    """Who sends a command: a guest, and the seat it holds, if any."""

    id: str
    seat: Eyes = None
    seal: str = field(default="", compare=False, repr=False)
    """The hash of the token with which it came."""


@dataclass(slots=True)
class Seat:
    """Who sits there."""

    color: str
    kind: str = "empty"
    name: str = ""
    guest: str = ""
    player: str | None = None
    away: bool = False
    resigned: bool = False
    silenced: bool = False
    muted: set[str] = field(default_factory=set)
    """The seats whose remarks this one does not want to hear."""

    def line(self, reserved: str = "") -> m.SeatLine:
        """What everybody may know."""
        return m.SeatLine(
            color=self.color,
            kind=self.kind,  # type: ignore[arg-type]  # one of three words
            name=self.name,
            player=self.player,
            away=self.away,
            resigned=self.resigned,
            silenced=self.silenced,
            reserved=reserved if self.kind == "empty" else "",
        )

    @property
    def bot(self) -> str | None:
        """The bot that decides here now, if one does."""
        return self.player if self.kind == "bot" or self.away or self.resigned else None


@dataclass(frozen=True, slots=True)
class Decision:
    """What a command leads to: entries to store, and the answer once they are; or a refusal and no entries."""

    bodies: tuple[log.EntryBody, ...] = ()
    states: tuple[str | None, ...] = ()
    refusal: Refusal | None = None
    after: Game | None = None
    """The game that the one entry leads to, if it touches the game: it takes its place once the entry is stored."""


def refuse(why: str, **values: Any) -> Decision:
    """The decision against a command, for a reason of the host's own."""
    return Decision(refusal=Refusal.because(why, **values))


def play_decision(before: Game, after: Game, seat: str, by: str = "person") -> Decision:
    """What is written down when a seat does what leads from one game to another."""
    steps = tuple(log.log_step(after, actor, code) for actor, code in after.steps_since(before.step_count))
    body = log.Played(seat=seat, steps=steps, by=by)  # type: ignore[arg-type]  # one of three words
    return Decision((body,), (position_hash(after.position()),), after=after)
