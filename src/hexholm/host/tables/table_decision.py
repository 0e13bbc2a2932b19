"""What a command leads to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hexholm.game.game import Game
from hexholm.game.positions.position import position_hash

from ..wire.host_refusals import HostReason, Refusal
from ..wire.shapes import Color
from . import log


@dataclass(frozen=True, slots=True)
class Decision:
    """What a command leads to: entries to store, and the answer once they are; or a refusal and no entries."""

    bodies: tuple[log.EntryBody, ...] = ()
    refusal: Refusal | None = None
    after: Game | None = None
    """The game that the one entry leads to, if it touches the game: it takes its place once the entry is stored."""

    @property
    def position_hash(self) -> str | None:
        """Of the position after the one entry, to be stored with it; None: the game is not touched."""
        return None if self.after is None else position_hash(self.after.position())


def refuse(why: HostReason, **values: Any) -> Decision:
    """The decision against a command, for a reason of the host's own."""
    return Decision(refusal=Refusal.because(why, **values))


def play_decision(before: Game, after: Game, color: Color, chooser: log.Chooser = "person") -> Decision:
    """What is written down when a seat does what leads from one game to another."""
    steps = tuple(log.log_step(after, seat, code) for seat, code in after.steps_since(before.step_count))
    body = log.Played(color=color, steps=steps, chooser=chooser)
    return Decision((body,), after=after)
