"""Names of before the first release that still work: each leads to what is called differently today.

All stand here but one: `Action(take=...)` is a parameter, in `game/action.py`. docs/reference/api.md lists them.
"""

from __future__ import annotations

from typing import Any, Final, TypeVar

OLDER_CLASSES: Final = {"Fresh": "SystemRandom", "NoSuchPlayer": "NoSuchBot", "PlayerFailed": "BotFailed"}
"""Classes, by their older names; a package gives those that are at home in it."""
OLDER_ATTRIBUTES: Final = {
    "PositionJudge": {
        "bank": "supply",
        "cards": "development",
        "read": "action_code",
        "say": "action_text",
        "talk": "open_offers",
    },
    "IllegalAction": {"said": "action_text"},
    "UnreadableAction": {"said": "text"},
    "Action": {"take": "want"},
    "Offer": {"take": "want"},
    "Chance": {"counted": "draws", "question": "question_text"},
    "GameBase": {"cut": "stop", "past": "events_since"},
    "PlayerTruth": {"cards": "development", "chosen": "chosen_discard", "new": "new_development"},
    "Position": {"talk": "open_offers"},
    "SeatViewBase": {
        "bank": "supply",
        "card_chance": "development_probability",
        "card_count": "development_count",
        "card_odds": "development_odds",
        "cards": "development",
        "chance_of": "probability_of",
        "hindered": "kind_verdicts",
        "new_cards": "new_development",
        "prompt": "prompt_text",
        "question": "current_prompt",
    },
    "TournamentResult": {"verdict": "conclusion"},
}
"""By class: what attributes were called, and what they are called today."""

AnyClass = TypeVar("AnyClass", bound=type)


class OlderName:
    """Another way to an attribute."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, owner: Any, owner_type: type) -> Any:
        return getattr(owner_type if owner is None else owner, self._name)


def with_older_names(cls: AnyClass) -> AnyClass:
    """Let attributes of a class be found by older names. Type checkers see those of today alone."""
    for older, name in OLDER_ATTRIBUTES[cls.__name__].items():
        setattr(cls, older, OlderName(name))
    return cls
