"""What a seat says that it does: read in one place, so that what is counted is what is played."""

from __future__ import annotations

from hexholm.game.action import split_speaker
from hexholm.rules.colors import Color
from hexholm.rules.errors import BadInput
from hexholm.rules.notation import UnreadableAction, read_action

from ..wire.host_refusals import Declined


def read_own_action(text: str, color: Color, colors: tuple[Color, ...]) -> int:
    """The code of an action that a seat sent, with or without its color before it. Raises Declined.

    A color is taken off once: with another one after it, nobody would agree on what is left.
    """
    speaker, own_text = split_speaker(text) or (color, text)
    if speaker != color:
        raise Declined.because("not_your_seat", other=speaker)
    if (second := split_speaker(own_text)) is not None:
        detail = f"{second[0]} {second[1]}, by {color}: two players are named, and nobody acts for another; name one"
        raise Declined.because("two_meanings", detail=detail)
    try:
        return read_action(own_text, colors, colors.index(color))
    except UnreadableAction as error:
        raise Declined.because("unreadable_action", detail=str(error)) from error
    except BadInput as error:
        raise Declined.because("cannot_be_played", detail=str(error)) from error
