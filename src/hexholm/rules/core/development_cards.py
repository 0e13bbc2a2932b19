"""Development cards, bought and played: DEV-01 to DEV-28.

Which card may be played when is a question of legality: :mod:`.legal` and :mod:`.verdict`.
"""

from __future__ import annotations

from ..compilation.kernels import inline, kernel
from ..encoding import action_codes as act
from ..encoding.action_codes import first_taken_of, kind_of, parameter_of, second_taken_of
from ..encoding.lanes import lane_of, single_card
from ..encoding.phases import DRAW, FREE_ROAD, MAIN, MOVE_ROBBER, OVER
from ..encoding.structs import COST_CARD, KNIGHT, MONOPOLY, ROAD_BUILDING, YEAR_OF_PLENTY, State
from .awards import examine_victory, reassign_largest_army
from .legal import roads_left
from .supply import pay_supply
from .turn import resume_turn


@inline
def buy_card(s: State, seat: int) -> None:
    """Pay for a card; chance draws it (DEV-01)."""
    pay_supply(s, seat, s.costs[COST_CARD])
    s.phase = DRAW


@inline
def draw_card(s: State, card_kind: int) -> None:
    """The card that chance drew: a victory point counts at once, the others wait for the next turn (DEV-04, DEV-05)."""
    s.deck -= single_card(card_kind)
    s.development[s.active] += single_card(card_kind)
    s.new_cards += single_card(card_kind)
    s.phase = MAIN
    examine_victory(s)


@kernel
def play_card(s: State, seat: int, code: int) -> None:
    """Lay a development card open and do what it says (DEV-28: spent when announced)."""
    kind = kind_of(code)
    s.card_played = 1
    if kind == act.KNIGHT_CARD:
        spend_card(s, seat, KNIGHT)
        reassign_largest_army(s, seat)
        examine_victory(s)  # DEV-14: before the robber is moved
        if s.phase != OVER:
            s.phase = MOVE_ROBBER
    elif kind == act.ROAD_BUILDING_CARD:
        spend_card(s, seat, ROAD_BUILDING)
        s.free_roads = min(2, roads_left(s, seat))
        s.free_placed = 0
        s.phase = FREE_ROAD
    elif kind == act.YEAR_OF_PLENTY_CARD:
        spend_card(s, seat, YEAR_OF_PLENTY)
        cards = single_card(first_taken_of(code))
        if second_taken_of(code) != act.NO_SECOND:
            cards += single_card(second_taken_of(code))
        s.hand[seat] += cards
        s.supply -= cards
    elif kind == act.MONOPOLY_CARD:
        spend_card(s, seat, MONOPOLY)
        for opponent in range(s.players):
            if opponent != seat:
                cards = s.hand[opponent] & lane_of(parameter_of(code))
                s.hand[opponent] -= cards
                s.hand[seat] += cards


@kernel
def spend_card(s: State, seat: int, card_kind: int) -> None:
    """Move a development card from the hand to the played ones."""
    s.development[seat] -= single_card(card_kind)
    s.played[seat] += single_card(card_kind)


@inline
def waive_roads(s: State) -> None:
    """Go on without the free roads that are left (DEV-18)."""
    s.free_roads = 0
    resume_turn(s)
