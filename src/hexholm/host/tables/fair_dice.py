"""How host and seats make the key of the dice together, so that nobody can steer a roll (docs/decisions/0010).

The host has committed to a key of its own when the table was set up. Until the game begins each seat may promise a
word. Then the promised words are opened, for which there is a little time, and the first draw is made.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from hexholm.game.dice_proof import BadProof, DiceProof, ProvableDealer, check_promise, check_word, word_promise
from hexholm.rules.colors import Color

from ..wire import messages
from ..wire.host_refusals import Declined
from . import log
from .seats import Guest
from .table_decision import Decision

DICE_WORDS_PATIENCE: Final = 10.0
"""Seconds for the seats to open their words; one that is not open by then counts as empty."""


@dataclass(slots=True)
class FairDice:
    """What a table knows of its dice: changed by :meth:`.table.Table.enter` alone."""

    commitment: str
    """Of the host's key; "": the dice of this table have no proof."""
    key: bytes | None = field(repr=False)
    """A secret until the game is over; None: there is none."""
    promises: dict[Color, str] = field(default_factory=dict)
    dice_words: dict[Color, str] = field(default_factory=dict)
    open_until: float | None = None
    """Until when words may be opened; None: not yet."""

    @property
    def are_dice_words_open(self) -> bool:
        """Whether every promised word is open."""
        return self.dice_words.keys() == self.promises.keys()

    def drop_dice_words(self) -> None:
        """Who sits at the table has changed: what was opened is no secret any more, and all may promise anew."""
        self.promises, self.dice_words, self.open_until = {}, {}, None

    def dealer(self, table_id: str) -> ProvableDealer | None:
        """The dealer of the game; None: there is no key."""
        return None if self.key is None or not self.commitment else self._proof(table_id, self.key).dealer()

    def proof(self, table_id: str, *, show_key: bool) -> DiceProof | None:
        """What everybody may know; None: there is no proof."""
        return self._proof(table_id, self.key if show_key else None) if self.commitment else None

    def line(self, *, show_key: bool) -> messages.DiceLine | None:
        """The same as it is told."""
        if not self.commitment:
            return None
        return messages.DiceLine(
            commitment=self.commitment,
            promises=dict(self.promises),
            words=dict(self.dice_words),
            opening=self.open_until is not None,
            key=self.key.hex() if show_key and self.key is not None else None,
        )

    def _proof(self, table_id: str, key: bytes | None) -> DiceProof:
        return DiceProof(table_id, self.commitment, dict(self.promises), dict(self.dice_words), key)


def decide_promise(dice: FairDice, command: messages.PromiseWord, guest: Guest, *, is_open: bool) -> Decision:
    """What it leads to that a seat promises a word. Raises Declined."""
    _check_dice(dice, guest)
    if not is_open or dice.open_until is not None:
        raise Declined.because("words_closed")
    try:
        check_promise(command.promise)
    except BadProof as error:
        raise Declined.because("bad_call", detail=str(error)) from error
    assert guest.color is not None
    return Decision((log.Promised(color=guest.color, promise=command.promise),))


def decide_word(dice: FairDice, command: messages.OpenWord, guest: Guest, table_id: str, *, is_open: bool) -> Decision:
    """What it leads to that a seat opens its word. Raises Declined."""
    _check_dice(dice, guest)
    color = guest.color
    assert color is not None
    if not is_open or dice.open_until is None:
        raise Declined.because("words_not_asked")
    if dice.promises.get(color) != word_promise(table_id, color, command.word):
        raise Declined.because("word_not_promised")
    try:
        check_word(command.word)
    except BadProof as error:  # whoever promised what is no word has none: a record with it could not be checked
        raise Declined.because("bad_call", detail=str(error)) from error
    return Decision((log.WordOpened(color=color, word=command.word),))


def _check_dice(dice: FairDice, guest: Guest) -> None:
    if guest.color is None:
        raise Declined.because("no_seat_of_yours")
    if not dice.commitment:
        raise Declined.because("no_dice_proof")
