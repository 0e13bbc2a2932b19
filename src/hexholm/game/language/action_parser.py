"""Who acts, and what, when somebody says something: `accept #1`, `blue: accept #1`, an Action, a code."""

from __future__ import annotations

from collections.abc import Iterable

from hexholm.rules import notation
from hexholm.rules.colors import AnySeat
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.encoding.phases import DISCARDING, MAIN
from hexholm.rules.errors import BadInput
from hexholm.rules.queries import seats_silent
from hexholm.rules.referee import Referee, Step

from ..action import AnyAction, speaker_and_action


class AmbiguousAction(BadInput):
    """Several players could do this; the action must say who."""


def read_typed_action(referee: Referee, action: AnyAction, by: AnySeat | None = None) -> Step:
    """Who acts, and the code; the active player unless the action itself can only be another's."""
    colors = referee.colors
    speaker, action = speaker_and_action(action)
    if by is not None and speaker is not None and referee.seat(by) != referee.seat(speaker):
        raise AmbiguousAction(
            f"{speaker} {action}, by {by}: two players are named, and nobody acts for another; name one"
        )
    by = speaker if by is None else by
    state, seat = referee.state, None if by is None else referee.seat(by)
    if isinstance(action, str):
        code = notation.read_action(action, colors, state.active if seat is None else seat)
    else:
        code = _code(action)
    if seat is not None:
        return Step(seat, code)
    if state.phase == DISCARDING:
        # Who has chosen already is a secret until all have: so all who had to discard could mean it.
        debtors = [debtor for debtor in range(len(colors)) if state.owed[debtor] or state.discards[debtor]]
        if len(debtors) > 1:
            raise _ambiguous(referee, code, debtors)
        return Step(debtors[0], code)
    if state.phase == MAIN and act.COUNTER <= act.kind_of(code) <= act.WITHDRAW:
        return Step(_answering_seat(referee, code), code)
    return Step(int(state.active), code)


def _answering_seat(referee: Referee, code: int) -> int:
    """Whose answer, confirmation or withdrawal this can be."""
    open_offers, kind = referee.open_offers, act.kind_of(code)
    slot = act.slot_of(code)
    if open_offers.give[slot] == 0:
        return int(referee.state.active)
    if kind in (act.CONFIRM, act.WITHDRAW):
        return int(open_offers.maker[slot])
    addressees = open_offers.to[slot]
    silent = seats_silent(addressees, open_offers.yes[slot], open_offers.no[slot])
    # public facts alone: who holds the cards must not decide who is meant
    candidates = [seat for seat in range(len(referee.colors)) if (silent or addressees) >> seat & 1]
    if len(candidates) > 1:
        raise _ambiguous(referee, code, candidates)
    return candidates[0]


def _ambiguous(referee: Referee, code: int, seats: Iterable[int]) -> AmbiguousAction:
    colors = [referee.colors[seat] for seat in seats]
    text = referee.action_text(code)
    example = f"{colors[0]} {text}"
    return AmbiguousAction(
        f"{text}: {' and '.join(colors)} could mean that; say who, as in {example!r} or by={colors[0]!r}"
    )


def _code(action: object) -> int:
    """A code given as a number of any sort."""
    if isinstance(action, bool) or not hasattr(action, "__index__"):
        raise BadInput(f"{action!r} is no action: give a text, an Action or a code")
    code = int(action.__index__())
    if not -(2**63) <= code < 2**63:
        raise BadInput(f"{code} is no code of an action; codes have 63 bits")
    return code
