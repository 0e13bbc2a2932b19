"""How a game ended: won by somebody, or stopped before that."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, get_args

from hexholm.rules.colors import Color
from hexholm.rules.errors import BadInput
from hexholm.rules.reasons import Reason
from hexholm.rules.setup.options import Options

Stop = Literal["agreed", "abandoned", "capped"]
"""How a game can end without a winner."""
STOPS: Final = get_args(Stop)
GameEnding = Literal["won", Stop]
"""How a game can end."""
STOPPED_REASON: Final = "game_stopped"
"""The name of the reason why nothing can be done in a game that ended without a winner."""


class GameStopped(BadInput):
    """The game was stopped before anybody won, so nothing more can be played."""


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended: "won" by somebody, or stopped before that."""

    how: GameEnding
    winner: Color | None
    points: tuple[int, ...]
    """By seat, hidden ones included."""
    note: str = ""


def stop_text(ending: GameEnding) -> str:
    """What was done with a game that ended without a winner, in words."""
    return "ended by agreement" if ending == "agreed" else ending


def stop_reason(options: Options) -> Reason:
    """Why nothing can be done in a game that ended without a winner."""
    return Reason(STOPPED_REASON, "WIN-02", edition=options.edition)
