"""Who acts, and what, when somebody says something: `accept #1`, `blue: accept #1`, an Action, a code."""

from __future__ import annotations

from collections.abc import Iterable

from hexholm.rules import notation
from hexholm.rules.core.encoding import actions as act
from hexholm.rules.core.phases import DISCARDING, MAIN
from hexholm.rules.errors import BadInput
from hexholm.rules.referee import Referee

from ..action import Action, split_speaker


class AmbiguousAction(BadInput):
    """Several players could mean this action: say who."""


def parse_action(referee: Referee, action: Action | str | int, by: str | int | None = None) -> tuple[int, int]:
    """Who acts, and the code; the active player unless the action itself can only be another's."""
    colors = referee.colors
    speaker: str | None = None
    if isinstance(action, Action):
        speaker, action = action.by, action.text
    elif isinstance(action, str) and (said := split_speaker(action)) is not None:
        speaker, action = said
    if by is not None and speaker is not None and referee.seat(by) != referee.seat(speaker):
        raise AmbiguousAction(
            f"{speaker} {action}, by {by}: two players are named, and nobody acts for another; name one"
        )
    by = speaker if by is None else by
    state, seat = referee.state, None if by is None else referee.seat(by)
    if isinstance(action, str):
        code = notation.read(action, colors, state.active if seat is None else seat)
    else:
        code = _code(action)
    if seat is not None:
        return seat, code
    if state.phase == DISCARDING:
        # Who has chosen already is a secret until all have: so all who had to discard could mean it.
        owing = [at for at in range(len(colors)) if state.owed[at] or state.chosen[at]]
        if len(owing) > 1:
            raise _ambiguous(referee, code, owing)
        return owing[0], code
    if state.phase == MAIN and act.COUNTER <= act.kind_of(code) <= act.WITHDRAW:
        return _talker(referee, code), code
    return int(state.active), code


def _talker(referee: Referee, code: int) -> int:
    """Whose answer, confirmation or withdrawal this can be."""
    talk, kind = referee.talk, act.kind_of(code)
    slot = act.to_of(code) if kind == act.COUNTER else act.parameter_of(code) & 7
    if talk.give[slot] == 0:
        return int(referee.state.active)
    if kind in (act.CONFIRM, act.WITHDRAW):
        return int(talk.maker[slot])
    asked = [seat for seat in range(len(referee.colors)) if talk.to[slot] >> seat & 1]
    open_ = [seat for seat in asked if not (talk.yes[slot] | talk.no[slot]) >> seat & 1]
    able = open_ or asked  # public facts alone: who holds the cards must not decide who is meant
    if len(able) > 1:
        raise _ambiguous(referee, code, able)
    return able[0]


def _ambiguous(referee: Referee, code: int, seats: Iterable[int]) -> AmbiguousAction:
    names = [referee.colors[seat] for seat in seats]
    text = referee.say(code)
    example = f"{names[0]} {text}"
    return AmbiguousAction(
        f"{text}: {' and '.join(names)} could mean that; say who, as in {example!r} or by={names[0]!r}"
    )


def _code(action: object) -> int:
    """A code given as a number of any sort."""
    if isinstance(action, bool) or not hasattr(action, "__index__"):
        raise BadInput(f"{action!r} is no action: give a text, an Action or a code")
    code = int(action.__index__())
    if not -(2**63) <= code < 2**63:
        raise BadInput(f"{code} is no code of an action; codes have 63 bits")
    return code
