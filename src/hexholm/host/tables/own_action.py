"""What a seat says that it does: read once, so that what is counted is what is played."""

from __future__ import annotations

from typing import NamedTuple

from hexholm.game.action import split_speaker
from hexholm.rules.colors import Color
from hexholm.rules.errors import BadInput
from hexholm.rules.notation import UnreadableAction, read_action

from ..wire.host_refusals import Declined, Refusal


class OwnAction(NamedTuple):
    """An action that a seat sent for itself."""

    code: int | None
    """None: it could not be read."""
    refusal: Refusal | None = None
    """Why not; what else stands against the action may be told first."""

    def checked_code(self) -> int:
        """The code. Raises Declined where there is none."""
        if self.refusal is not None:
            raise Declined(self.refusal)
        assert self.code is not None
        return self.code


def read_own_action(text: str, color: Color, colors: tuple[Color, ...]) -> OwnAction:
    """An action as a seat sent it, with or without its color before it.

    A color is taken off once: with another one after it, nobody would agree on what is left.
    """
    speaker, own_text = split_speaker(text) or (color, text)
    if speaker != color:
        return OwnAction(None, Refusal.because("not_your_seat", other=speaker))
    if (second := split_speaker(own_text)) is not None:
        detail = f"{second[0]} {second[1]}, by {color}: two players are named, and nobody acts for another; name one"
        return OwnAction(None, Refusal.because("two_meanings", detail=detail))
    try:
        return OwnAction(read_action(own_text, colors, colors.index(color)))
    except UnreadableAction as error:
        return OwnAction(None, Refusal.because("unreadable_action", detail=str(error)))
    except BadInput as error:
        return OwnAction(None, Refusal.because("cannot_be_played", detail=str(error)))
