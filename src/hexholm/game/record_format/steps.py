"""The steps of a record: outcomes that only copies have, steps as texts, and the exception for what is no game."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from hexholm.rules.colors import Color, SeatNumber
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.encoding.structs import NATURE, SEATS
from hexholm.rules.errors import BadInput
from hexholm.rules.notation import action_text

HIDDEN_CARD: Final = 7
"""In place of the kind of a card: it was stolen or drawn, and the reader may not know which."""
STOLEN_HIDDEN: Final = act.simple_action(act.STOLEN, HIDDEN_CARD)
DRAWN_HIDDEN: Final = act.simple_action(act.DRAWN, HIDDEN_CARD)
HANDED: Final = "handed"
"""The word before what a Monopoly brought, in a step that is written as one text."""
_COUNT_BITS: Final = 7
_MOST_HANDED: Final = (1 << _COUNT_BITS) - 1


class BadRecord(BadInput):
    """A text that is no game, or a game that cannot have been played. `line` and `game` count from 1, if known."""

    def __init__(self, message: str, line: int | None = None, game: int | None = None) -> None:
        prefixes = [f"game {game}"] * (game is not None) + [f"line {line}"] * (line is not None)
        super().__init__(": ".join([*prefixes, message]))
        self.message, self.line, self.game = message, line, game

    def __reduce__(self) -> tuple[Any, ...]:
        return BadRecord, (self.message, self.line, self.game)


# --- outcomes that only copies have ----------------------------------------------------------------------------------


def is_hidden(code: int) -> bool:
    """Whether an action of chance is not told."""
    return code in (STOLEN_HIDDEN, DRAWN_HIDDEN)


def encode_handed(amounts: Iterable[int]) -> int:
    """The outcome of a Monopoly: how many cards each seat handed over, which all could see (INFO-09).

    A full record does not have it, for there it follows from the hands. As an outcome it has the seat of chance.
    """
    code = act.simple_action(act.MONOPOLY_CARD, HIDDEN_CARD)
    for seat, n in enumerate(amounts):
        if not 0 <= n <= _MOST_HANDED or seat >= SEATS:
            raise BadRecord(f"{n} cards cannot be handed over")
        code |= n << 8 + _COUNT_BITS * seat
    return code


def is_handed(code: int) -> bool:
    """Whether this is the outcome of a Monopoly."""
    return code & 255 == act.simple_action(act.MONOPOLY_CARD, HIDDEN_CARD)


def amounts_of(code: int) -> tuple[int, ...]:
    """How many cards each seat handed over."""
    return tuple(code >> 8 + _COUNT_BITS * seat & _MOST_HANDED for seat in range(SEATS))


# --- steps as texts --------------------------------------------------------------------------------------------------


def nature_text(code: int, colors: tuple[Color, ...] = ()) -> str:
    """An outcome, as it stands behind `=`: `3+4`, `ore`, `knight`, `?`; of a Monopoly `3 red 1 blue`, or `nothing`.

    Without colors the cards that were handed over are counted by seat: `3 1 0 0`.
    """
    if is_hidden(code):
        return "?"
    if is_handed(code):
        if not colors:
            return " ".join(map(str, amounts_of(code)))
        amounts = zip(amounts_of(code), colors, strict=False)
        return " ".join(f"{n} {color}" for n, color in amounts if n) or "nothing"
    words = action_text(code, ()).split()[1:]
    return "+".join(words)


def step_text(seat: SeatNumber, code: int, colors: tuple[Color, ...]) -> str:
    """A step as one text: `red road B2/e`, `dice 3 4`, `stolen ?`, `handed 3 red 1 blue`."""
    if is_hidden(code):
        return f"{act.KIND_NAMES[act.kind_of(code)]} ?"
    if is_handed(code):
        return f"{HANDED} {nature_text(code, colors)}"
    text = action_text(code, colors)
    return text if seat == NATURE else f"{colors[seat]} {text}"
