"""A seven and the robber: discards (SEVEN-01 to SEVEN-06), the move, the victim, the theft (ROBBER-05 to ROBBER-12).

Where the robber may go is a question of legality: :func:`.legal.robber_targets`.
"""

from __future__ import annotations

from ..compilation.kernels import inline, kernel, lowest_set_bit
from ..encoding.lanes import count_cards, single_card
from ..encoding.phases import CHOOSE_VICTIM, DISCARDING, MOVE_ROBBER, THEFT
from ..encoding.structs import State
from .legal import hand_size, victims_at
from .turn import resume_turn


@inline
def roll_seven(s: State) -> None:
    """Who holds too many cards owes half of them (SEVEN-02, SEVEN-06); then the robber is moved."""
    waiting = 0
    for seat in range(s.players):
        size = hand_size(s, seat)
        if size > s.hand_limit:
            s.owed[seat] = size // 2
            waiting = 1
    s.phase = DISCARDING if waiting else MOVE_ROBBER


@kernel
def discard_cards(s: State, seat: int, cards: int) -> None:
    """Note discards; when the last are in, carry all out together (SEVEN-05)."""
    s.discards[seat] += cards
    s.owed[seat] -= count_cards(cards)
    for each_seat in range(s.players):
        if s.owed[each_seat]:
            return
    for each_seat in range(s.players):
        s.hand[each_seat] -= s.discards[each_seat]
        s.supply += s.discards[each_seat]
        s.discards[each_seat] = 0
    s.phase = MOVE_ROBBER


@kernel
def move_robber(s: State, seat: int, h: int) -> None:
    """Move the robber; a single candidate is robbed without a question (ROBBER-12)."""
    s.robber = h
    victims = victims_at(s, seat, h)
    if victims == 0:
        resume_turn(s)  # ROBBER-08
    elif victims & (victims - 1):
        s.phase = CHOOSE_VICTIM
    else:
        rob_seat(s, lowest_set_bit(victims))


@kernel
def rob_seat(s: State, victim: int) -> None:
    """Steal from `victim`, if there is anything (ROBBER-07)."""
    if s.hand[victim] == 0:
        resume_turn(s)
    else:
        s.victim = victim
        s.phase = THEFT


@inline
def steal_card(s: State, kind: int) -> None:
    """The card that chance drew changes hands (ROBBER-05)."""
    s.hand[s.victim] -= single_card(kind)
    s.hand[s.active] += single_card(kind)
    resume_turn(s)
