"""The arena: tournaments that tell the truth about players.

    from hexholm.arena import tournament

    print(tournament(["easy", "random", "random", "random"], games=40).row("easy").win_share)

`tournament.py` is the place to begin. `schedule.py` says who sits where, `match.py` plays one game, `runners/` play
many at once, `journal.py` loses none of them, `results.py` sums them up with the intervals of `intervals.py`.
Testing and the command line import it; the host does not.
"""

from __future__ import annotations

from typing import Any

from .entrants import Entrant, entrant
from .match import DEFAULT_CAP, BotFailed, Fault, FinishedGame, TournamentJob
from .results import PlayerRow, TournamentResult
from .runners import Runner, runner
from .schedule import Schedule, ScheduledGame
from .tournament import DEFAULT_GAMES, Listeners, Score, run_job, tournament, tournament_job

__all__ = [
    "DEFAULT_CAP",
    "DEFAULT_GAMES",
    "BotFailed",
    "Entrant",
    "Fault",
    "FinishedGame",
    "Listeners",
    "PlayerRow",
    "Runner",
    "Schedule",
    "ScheduledGame",
    "Score",
    "TournamentJob",
    "TournamentResult",
    "entrant",
    "run_job",
    "runner",
    "tournament",
    "tournament_job",
]
_OLDER_CLASSES = {"PlayerFailed": "BotFailed"}  # older_names.py


def __getattr__(name: str) -> Any:
    name_now = _OLDER_CLASSES.get(name)
    if name_now in __all__:
        return globals()[name_now]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
