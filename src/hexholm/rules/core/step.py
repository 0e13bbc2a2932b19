"""What an action does. `apply_action` is deterministic: chance enters as an action of Nature.

Only the way to the rule stands here: what a kind of action does is found in the file of its subject. All of them take
for granted that the action is legal; :mod:`.verdict` is asked first wherever that is not known.
"""

from __future__ import annotations

from ..compiled import inline
from .building import build_city, build_road, build_settlement
from .development_cards import buy_card, draw_card, play_card, waive_roads
from .dice import take_turn_roll
from .encoding import actions as act
from .encoding.actions import kind_of, parameter_of
from .encoding.lanes import lane, widen
from .encoding.structs import State, Work
from .phases import DICE_FALL, START_ROLL
from .placement import take_start_roll
from .robber import discard_cards, move_robber, rob_seat, steal_card
from .supply import trade_with_supply
from .turn import end_turn


@inline
def apply_action(s: State, w: Work, seat: int, code: int) -> None:
    """Carry out a legal action of `seat`; Nature's actions concern the active seat, whatever is passed."""
    kind = kind_of(code)
    x = parameter_of(code)
    if kind == act.END:
        end_turn(s)
    elif kind == act.ROLL:
        s.phase = DICE_FALL
    elif kind == act.DICE:
        if s.phase == START_ROLL:
            take_start_roll(s, (x & 7) + (x >> 3))
        else:
            take_turn_roll(s, x & 7, x >> 3)
    elif kind == act.SUPPLY:
        trade_with_supply(s, seat, x)
    elif kind == act.ROBBER:
        move_robber(s, seat, x)
    elif kind == act.STOLEN:
        steal_card(s, x)
    elif kind == act.ROAD:
        build_road(s, w, seat, x)
    elif kind == act.DISCARD:
        discard_cards(s, seat, widen(x))
    elif kind == act.DISCARD_CARD:
        discard_cards(s, seat, lane(x))
    elif kind == act.BUY:
        buy_card(s, seat)
    elif kind == act.DRAWN:
        draw_card(s, x)
    elif kind == act.SETTLEMENT:
        build_settlement(s, w, seat, x)
    elif kind == act.CITY:
        build_city(s, seat, x)
    elif kind == act.STEAL:
        rob_seat(s, x)
    elif kind == act.WAIVE:
        waive_roads(s)
    else:
        play_card(s, seat, kind, x)
