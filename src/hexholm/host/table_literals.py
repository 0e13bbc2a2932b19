"""The few values that say how a table is and how it is played: storage, tables and the wire share them."""

from __future__ import annotations

from typing import Final, Literal

BotPace = Literal["fast", "normal", "slow"]
"""How long bots wait before they play."""
ChanceSource = Literal["host", "dice", "people"]
"""Who decides what is left to chance: the host; people with real dice; people with real dice and cards."""
TableStatus = Literal["open", "playing", "over"]
"""People take seats, the game is on, the game has ended."""
Visibility = Literal["unlisted", "open"]
"""Who finds a table: whoever has its link; everybody, in the lobby."""
Sitter = Literal["person", "bot", "empty"]
"""Who sits on a seat."""
LessonName = Literal["", "first-game"]
"""The lesson that a game is; "": none."""
Wish = Literal["pause", "end"]
"""What seats can agree on."""
UnratedReason = Literal["", "no_winner", "few_people", "weak_bots"]
"""Why a rated game that is over changed no rating: nobody won, fewer than two people acted themselves, or a bot played
below its strength; "": it did, or it is not over, or was not to."""
Absence = float | Literal["wait"]
"""Seconds after which a bot stands in for somebody who is gone; "wait": none does, they are waited for."""
USUAL_ABSENCE: Final = 120.0
"""Where neither a table nor an operator says anything else."""
