"""What a command leads to."""

from __future__ import annotations

from dataclasses import dataclass

from hexholm.game.game import Game
from hexholm.game.positions.position import position_hash
from hexholm.rules.colors import Color

from ..wire.host_refusals import HostReason, Refusal
from . import log


@dataclass(frozen=True, slots=True)
class Decision:
    """What a command leads to: entries to store. Whoever decides against a command raises Declined instead."""

    bodies: tuple[log.EntryBody, ...]
    after: Game | None = None
    """The game that the one entry leads to, if it touches the game: it takes its place once the entry is stored."""
    unplayed: Game | None = None
    """The game of a table that is set up, before its first step: with the options and the board of the first entry."""

    def __post_init__(self) -> None:
        """A game follows from one entry."""
        assert self.after is None or len(self.bodies) == 1, "entries beside the one that leads to the game"

    @property
    def position_hash(self) -> str | None:
        """Of the position after the one entry, to be stored with it; None: the game is not touched."""
        return None if self.after is None else position_hash(self.after.position())


def why_first_of(*reasons: tuple[HostReason, bool]) -> Refusal | None:
    """The refusal for the first of some reasons that holds; None: none does."""
    return next((Refusal.because(why) for why, holds in reasons if holds), None)


def play_decision(before: Game, after: Game, color: Color, chooser: log.Chooser = "person") -> Decision:
    """What is written down when a seat does what leads from one game to another."""
    steps = tuple(log.log_step(after, seat, code) for seat, code in after.steps_since(before.step_count))
    body = log.Played(color=color, steps=steps, chooser=chooser)
    return Decision((body,), after=after)
