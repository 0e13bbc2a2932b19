"""What an action does. `apply_action` is deterministic: chance enters as an action of Nature.

Only the way to the rule stands here: what a kind of action does is found in the file of its subject. All of them take
for granted that the action is legal; :mod:`.verdict` is asked first wherever that is not known.
"""

from __future__ import annotations

from ..compilation.kernels import inline
from ..encoding import action_codes as act
from ..encoding.action_codes import first_die_of, kind_of, parameter_of, second_die_of
from ..encoding.lanes import single_card, widen
from ..encoding.phases import DICE_FALL, START_ROLL
from ..encoding.structs import Scratch, State
from .building import build_city, build_road, build_settlement
from .development_cards import buy_card, draw_card, play_card, waive_roads
from .dice import take_turn_roll
from .placement import take_start_roll
from .robber import discard_cards, move_robber, rob_seat, steal_card
from .supply import trade_with_supply
from .turn import end_turn


@inline
def apply_action(s: State, scratch: Scratch, seat: int, code: int) -> None:
    """Carry out a legal action of `seat`; Nature's actions concern the active seat, whatever is passed."""
    kind = kind_of(code)
    parameter = parameter_of(code)
    if kind == act.END:
        end_turn(s)
    elif kind == act.ROLL:
        s.phase = DICE_FALL
    elif kind == act.DICE:
        if s.phase == START_ROLL:
            take_start_roll(s, first_die_of(code) + second_die_of(code))
        else:
            take_turn_roll(s, first_die_of(code), second_die_of(code))
    elif kind == act.SUPPLY:
        trade_with_supply(s, seat, code)
    elif kind == act.ROBBER:
        move_robber(s, seat, parameter)
    elif kind == act.STOLEN:
        steal_card(s, parameter)
    elif kind == act.ROAD:
        build_road(s, scratch, seat, parameter)
    elif kind == act.DISCARD:
        discard_cards(s, seat, widen(parameter))
    elif kind == act.DISCARD_CARD:
        discard_cards(s, seat, single_card(parameter))
    elif kind == act.BUY:
        buy_card(s, seat)
    elif kind == act.DRAWN:
        draw_card(s, parameter)
    elif kind == act.SETTLEMENT:
        build_settlement(s, scratch, seat, parameter)
    elif kind == act.CITY:
        build_city(s, seat, parameter)
    elif kind == act.STEAL:
        rob_seat(s, parameter)
    elif kind == act.WAIVE:
        waive_roads(s)
    else:
        play_card(s, seat, code)
