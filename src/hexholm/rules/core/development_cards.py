"""Development cards, bought and played: DEV-01 to DEV-28.

Which card may be played when is a question of legality: :mod:`.legal` and :mod:`.verdict`.
"""

from __future__ import annotations

from ..compiled import inline, kernel
from .awards import examine_victory, settle_largest_army
from .encoding import actions as act
from .encoding.lanes import lane
from .encoding.structs import COST_CARD, KNIGHT, MONOPOLY, ROAD_BUILDING, YEAR_OF_PLENTY, State
from .phases import DRAW, FREE_ROAD, MAIN, MOVE_ROBBER, OVER
from .roads import road_count
from .supply import pay_supply
from .turn import resume_turn


@inline
def buy_card(s: State, seat: int) -> None:
    """Pay for a card; chance draws it (DEV-01)."""
    pay_supply(s, seat, s.costs[COST_CARD])
    s.phase = DRAW


@inline
def draw_card(s: State, card: int) -> None:
    """The card that chance drew: a victory point counts at once, the others wait for the next turn (DEV-04, DEV-05)."""
    s.deck -= lane(card)
    s.cards[s.active] += lane(card)
    s.new_cards += lane(card)
    s.phase = MAIN
    examine_victory(s)


@kernel
def play_card(s: State, seat: int, kind: int, x: int) -> None:
    """Lay a development card open and do what it says (DEV-28: spent when announced)."""
    s.card_played = 1
    if kind == act.KNIGHT_CARD:
        spend_card(s, seat, KNIGHT)
        settle_largest_army(s, seat)
        examine_victory(s)  # DEV-14: before the robber is moved
        if s.phase != OVER:
            s.phase = MOVE_ROBBER
    elif kind == act.ROAD_BUILDING_CARD:
        spend_card(s, seat, ROAD_BUILDING)
        s.free_roads = min(2, s.road_limit - road_count(s, seat))
        s.free_placed = 0
        s.phase = FREE_ROAD
    elif kind == act.YEAR_OF_PLENTY_CARD:
        spend_card(s, seat, YEAR_OF_PLENTY)
        cards = lane(x & 7)
        if x >> 3 != act.NO_SECOND:
            cards += lane(x >> 3)
        s.hand[seat] += cards
        s.bank -= cards
    elif kind == act.MONOPOLY_CARD:
        spend_card(s, seat, MONOPOLY)
        for other in range(s.players):
            if other != seat:
                cards = s.hand[other] & (0x7F << (8 * x))
                s.hand[other] -= cards
                s.hand[seat] += cards


@kernel
def spend_card(s: State, seat: int, card: int) -> None:
    """Move a development card from the hand to the played ones."""
    s.cards[seat] -= lane(card)
    s.played[seat] += lane(card)


@inline
def waive_roads(s: State) -> None:
    """Go on without the free roads that are left (DEV-18)."""
    s.free_roads = 0
    resume_turn(s)
