"""What may be done now, as a sequence of actions that reads well and costs nothing until it is looked at.

>>> from hexholm.game.legal_actions import LegalActions
>>> actions = LegalActions(("red", "blue"), {0: [1, 6]})
>>> actions
<2 actions: roll, buy>
>>> "roll" in actions, actions[1], len(actions.of("blue"))
(True, Action.of('red buy'), 0)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Final, overload

from hexholm.rules import notation
from hexholm.rules.colors import AnySeat, Color, nobody_plays
from hexholm.rules.referee import Step

from .action import Action, split_speaker

_say: Final = lru_cache(maxsize=16_384)(notation.action_text)
_MOST_SPELLED: Final = 4  # so many actions of a seat are spelled out in a repr; of more, some are left out


class LegalActions(Sequence[Action]):
    """The legal actions of one or several seats, in the order of the seats and of the rules.

    Some actions are too many to list: offers and counter-offers, trades with the supply for several cards at
    once, and discarding card by card. `why_not` says whether one of these is legal.

    `x in actions` accepts an :class:`Action`, a text with or without a color before it, and a code. A text that
    is not an action raises :class:`~hexholm.rules.notation.UnreadableAction`, so that a typing error is not
    mistaken for an illegal action.
    """

    __slots__ = ("_codes", "_colors", "_flat")
    _colors: tuple[Color, ...]
    _codes: dict[int, tuple[int, ...]]
    _flat: tuple[int, ...]

    def __init__(self, colors: Sequence[Color], codes: Mapping[int, Sequence[int]]) -> None:
        self._colors = tuple(colors)
        self._codes = {seat: tuple(codes[seat]) for seat in sorted(codes) if codes[seat]}
        self._flat = tuple(chain.from_iterable(self._codes.values()))

    @property
    def codes(self) -> list[int]:
        """The core's integer codes, in the same order."""
        return list(self._flat)

    @property
    def texts(self) -> list[str]:
        """The texts in the same order, without the acting player."""
        return [_say(code, self._colors) for code in self._flat]

    @property
    def pairs(self) -> list[Step]:
        """The seat and code of each, in the same order."""
        return [Step(seat, code) for seat, codes in self._codes.items() for code in codes]

    @property
    def players(self) -> tuple[Color, ...]:
        """The colors of the players who have an action here."""
        return tuple(self._colors[seat] for seat in self._codes)

    def of(self, who: AnySeat) -> LegalActions:
        """The actions of one player, by color or seat number."""
        if type(who) is int and 0 <= who < len(self._colors):
            who = self._colors[who]
        if who not in self._colors:
            raise nobody_plays(who, self._colors)
        seat = self._colors.index(who)
        return LegalActions(self._colors, {seat: self._codes.get(seat, ())})

    def __len__(self) -> int:
        return len(self._flat)

    def __iter__(self) -> Iterator[Action]:
        for seat, code in self.pairs:
            yield Action.of_code(code, self._colors, self._colors[seat])

    @overload
    def __getitem__(self, index: int) -> Action: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Action, ...]: ...
    def __getitem__(self, index: int | slice) -> Action | tuple[Action, ...]:
        if isinstance(index, slice):
            return tuple(Action.of_code(code, self._colors, self._colors[seat]) for seat, code in self.pairs[index])
        seat, code = self.pairs[index]
        return Action.of_code(code, self._colors, self._colors[seat])

    def __contains__(self, action: object) -> bool:
        by: Color | None = None
        if isinstance(action, Action):
            try:
                code = action.code(self._colors)
            except notation.UnreadableAction:  # it names a player who is not here
                return False
            by = action.by
        elif isinstance(action, str):
            by, text = split_speaker(action) or (None, action)
            code = notation.read_action(text, self._colors)
        elif isinstance(action, int):
            code = action
        else:
            return False
        return any(code in codes and by in (None, self._colors[seat]) for seat, codes in self._codes.items())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LegalActions):
            return NotImplemented
        return (self._colors, self._codes) == (other._colors, other._codes)

    def __hash__(self) -> int:
        return hash((self._colors, tuple(self.pairs)))

    def __reduce__(self) -> tuple[object, ...]:
        return LegalActions, (self._colors, self._codes)

    def __repr__(self) -> str:
        if not self._codes:
            return "<no actions>"
        several = len(self._codes) > 1
        parts = [
            (f"{self._colors[seat]}: " if several else "") + self._shortened(codes)
            for seat, codes in self._codes.items()
        ]
        return f"<{len(self)} action{'s' if len(self) > 1 else ''}: {'; '.join(parts)}>"

    def _shortened(self, codes: tuple[int, ...]) -> str:
        texts = [
            notation.action_text(code, self._colors)
            for code in (*codes[: _MOST_SPELLED - 1], *codes[_MOST_SPELLED - 1 :][-1:])
        ]
        if len(codes) > _MOST_SPELLED:
            texts[-1] = f"... {texts[-1]}"
        return ", ".join(texts)


@lru_cache(maxsize=256)
def no_actions(colors: tuple[Color, ...]) -> LegalActions:
    """No actions at all; in a game most seats have none most of the time."""
    return LegalActions(colors, {})
