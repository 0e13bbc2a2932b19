"""Tables of non-interference with a proof of their dice: commitment, key, promises and words are all there.

The two worlds differ in the key, which nobody may see before the end. What is public must be the same in both, so it
is staged: both hosts publish the same commitment, and what comes out is dealt as at other tables, not by the key.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final, TypeVar
from unittest.mock import patch

from hexholm.game.dealers import Dealer
from hexholm.game.dice_proof import word_promise
from hexholm.host.tables.fair_dice import DICE_WORDS_PATIENCE, FairDice
from hexholm.host.tables.hall import hall as hall_module
from hexholm.host.tables.hall.hall import Hall
from hexholm.host.wire import messages

from ..halls import Party

T = TypeVar("T")
STAGED_COMMITMENT: Final = "c0" * 32
STAGED_KEYS: Final = (bytes(range(32)), bytes(range(200, 232)))
"""Of the two worlds."""


@dataclass(slots=True)
class StagedDice(FairDice):
    """All that a table has of its proof, but for what the key decides."""

    staged: Dealer | None = None

    def dealer(self, table_id: str) -> Any:
        """Whoever deals the game."""
        assert self.key is not None
        assert self._proof(table_id, self.key).dealer().draw_key, "with a key and words that are real"
        return self.staged


async def set_up_proved(
    party: Party, second: bool, make_dealer: Callable[[], Dealer], set_up: Callable[[], Awaitable[T]]
) -> T:
    """Set up a table as a host does that proves its dice."""
    key, open_hall = STAGED_KEYS[second], party.hall
    open_hall.services.make_dealer = None
    with (
        patch.object(hall_module, "new_key", lambda: key),
        patch.object(hall_module, "commitment", lambda _table, _key: STAGED_COMMITMENT),
    ):
        answer = await set_up()
    dice = party.table.fair_dice
    assert dice.key == key
    assert dice.commitment == STAGED_COMMITMENT
    party.table.fair_dice = StagedDice(dice.commitment, dice.key, staged=make_dealer())
    return answer


def promises_and_words(
    table_id: str, colors: tuple[str, ...]
) -> tuple[dict[str, messages.PromiseWord], dict[str, messages.OpenWord]]:
    """What seats say to bring words."""
    words = {color: f"the-word-that-is-{color}s" for color in colors}
    promises = {
        color: messages.PromiseWord(id=f"promise {color}", promise=word_promise(table_id, color, word))
        for color, word in words.items()
    }
    return promises, {color: messages.OpenWord(id=f"open {color}", word=word) for color, word in words.items()}


async def until_words_are_in(party: Party, *, late: bool) -> None:
    """Until the game has begun; `late`: a word is not opened, and the time for it passes."""
    await party.after(DICE_WORDS_PATIENCE + 1 if late else 0)
    await party.until(lambda: party.table.status == "playing")


def own_key(hall: Hall, table_id: str) -> bytes:
    """The key of a table as it would be written."""
    key = hall.loaded(table_id).table.fair_dice.key
    return b"" if key is None else key.hex().encode()
