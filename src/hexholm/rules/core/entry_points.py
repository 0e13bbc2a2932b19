"""The entry points from Python into the compiled core: byte buffers in, numbers out."""

from __future__ import annotations

from typing import Any, Final, Protocol

from ..compilation.kernels import entry, kernel, struct_at
from ..encoding import action_codes as act
from ..encoding.action_codes import confirm_action, simple_action
from ..encoding.structs import NATURE, OFFERS, Belief, OpenOffers, Scratch, Sight, State, View
from .actors import to_act
from .all_actions import apply_with_offers, is_open_to, judge_for_seat, judge_with_offers
from .belief import cards_shown_by_yes, observe, start_belief
from .legal import nth_action, survey
from .view import fill_sight, fill_view


@kernel
def answer_candidate(i: int) -> int:
    """Candidate number `i` of the answers, confirmations and withdrawals there can be."""
    if i < OFFERS:
        return simple_action(act.ACCEPT, i)
    if i < 2 * OFFERS:
        return simple_action(act.REJECT, i - OFFERS)
    if i < 3 * OFFERS:
        return simple_action(act.WITHDRAW, i - 2 * OFFERS)
    i -= 3 * OFFERS
    return confirm_action(i % OFFERS, i // OFFERS)


ANSWER_CANDIDATES = 7 * OFFERS


@kernel
def carry_out(state: Any, before: Any, offers: OpenOffers, b: Belief, scratch: Scratch, seat: int, code: int) -> None:
    """Carry out a legal action and update the belief of all observers; `before` becomes the state before it."""
    s = struct_at(state, State)
    s_before = struct_at(before, State)
    for i in range(len(state)):
        before[i] = state[i]
    shown_cards = cards_shown_by_yes(offers, code)
    apply_with_offers(s, offers, scratch, seat, code)
    observe(b, scratch, s_before, s, seat, code, shown_cards)


@entry
def do_step(state: Any, open_offers: Any, belief: Any, before: Any, scratch: Any, seat: int, code: int) -> int:
    """Judge an action and, if it is legal, carry it out and tell all observers; returns the verdict."""
    s = struct_at(state, State)
    offers = struct_at(open_offers, OpenOffers)
    verdict = judge_with_offers(s, offers, seat, code)
    if verdict == 0:
        actor = s.active + 0 if seat == NATURE else seat
        carry_out(state, before, offers, struct_at(belief, Belief), struct_at(scratch, Scratch), actor, code)
    return verdict


@entry
def do_judge(state: Any, open_offers: Any, seat: int, code: int) -> int:
    """The verdict on an action, by the full truth: 0 if it is legal, else a refusal."""
    return judge_with_offers(struct_at(state, State), struct_at(open_offers, OpenOffers), seat, code)


@entry
def do_judge_for_seat(state: Any, open_offers: Any, seat: int, code: int) -> int:
    """The verdict on an action as far as the seat may know it before trying."""
    return judge_for_seat(struct_at(state, State), struct_at(open_offers, OpenOffers), seat, code)


@entry
def do_list(state: Any, open_offers: Any, scratch: Any, seat: int, codes: Any) -> int:
    """Write the legal actions of `seat` into `codes`, as many as fit; returns how many there are."""
    s = struct_at(state, State)
    offers = struct_at(open_offers, OpenOffers)
    w = struct_at(scratch, Scratch)
    n = survey(s, w, seat)
    for i in range(min(n, len(codes))):
        codes[i] = nth_action(s, w, seat, i)
    for i in range(ANSWER_CANDIDATES):
        code = answer_candidate(i)
        if is_open_to(s, offers, seat, code):
            if n < len(codes):
                codes[n] = code
            n += 1
    return n


@entry
def do_to_act(state: Any, open_offers: Any) -> int:
    """Seats that are asked to act, as bits."""
    return to_act(struct_at(state, State), struct_at(open_offers, OpenOffers))


@entry
def do_start_belief(belief: Any, state: Any) -> None:
    """Start the belief from what is on the table."""
    start_belief(struct_at(belief, Belief), struct_at(state, State))


@entry
def do_view(state: Any, open_offers: Any, belief: Any, scratch: Any, view: Any, observer: int) -> None:
    """Write the view of `observer` into the buffer `view`."""
    for i in range(len(state)):
        view[i] = state[i]
    fill_view(
        struct_at(view, View),
        struct_at(state, State),
        struct_at(open_offers, OpenOffers),
        struct_at(belief, Belief),
        struct_at(scratch, Scratch),
        observer,
    )


@entry
def do_sight(state: Any, open_offers: Any, scratch: Any, sight: Any, observer: int) -> None:
    """Write what `observer` sees into the buffer `sight`: a view without what can be inferred."""
    for i in range(len(state)):
        sight[i] = state[i]
    fill_sight(
        struct_at(sight, Sight),
        struct_at(state, State),
        struct_at(open_offers, OpenOffers),
        struct_at(scratch, Scratch),
        observer,
    )


class RuleEntryPoints(Protocol):
    """What games call of the rules, as this module has it and :func:`..compilation.kernels.fast` compiled."""

    def do_start_belief(self, belief: Any, state: Any, /) -> None: ...
    def do_to_act(self, state: Any, open_offers: Any, /) -> int: ...
    def do_list(self, state: Any, open_offers: Any, scratch: Any, seat: int, codes: Any, /) -> int: ...
    def do_judge(self, state: Any, open_offers: Any, seat: int, code: int, /) -> int: ...
    def do_judge_for_seat(self, state: Any, open_offers: Any, seat: int, code: int, /) -> int: ...
    def do_step(
        self, state: Any, open_offers: Any, belief: Any, before: Any, scratch: Any, seat: int, code: int, /
    ) -> int: ...
    def do_view(self, state: Any, open_offers: Any, belief: Any, scratch: Any, view: Any, observer: int, /) -> None: ...
    def do_sight(self, state: Any, open_offers: Any, scratch: Any, sight: Any, observer: int, /) -> None: ...


ENTRY_NAMES: Final = tuple(name for name in vars(RuleEntryPoints) if name.startswith("do_"))
"""The names of these kernels."""
