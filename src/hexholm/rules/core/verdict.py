"""May `seat` do this now? 0, or a refusal that says why not (:mod:`..encoding.refusals`).

`judge` accepts any action code from any seat at any time and never changes anything (PHASE-13). It shares its
conditions with `legal.survey`: what must be left, held or paid, and the places, stand once, in :mod:`.legal`.
"""

from __future__ import annotations

from ..compilation.kernels import kernel
from ..encoding import action_codes as act
from ..encoding.action_codes import (
    first_taken_of,
    kind_of,
    parameter_of,
    second_taken_of,
    supply_give_of,
    supply_rate_of,
    supply_want_of,
)
from ..encoding.lanes import N_KINDS, count, count_cards, covers, guard_of, single_card, widen
from ..encoding.phases import (
    ALLOWED_KINDS,
    BEFORE_ROLL,
    CHOOSE_VICTIM,
    DISCARDING,
    MAIN,
    OVER,
    PLACE_ROAD,
    PLACE_SETTLEMENT,
    START_ROLL,
    is_chance_phase,
)
from ..encoding.refusals import (
    BEFORE_THE_ROLL,
    CANNOT_END,
    CANNOT_PAY,
    CARD_NOT_HELD,
    CARD_PLAYED_ALREADY,
    CARD_TOO_NEW,
    CHANCE_DECIDES,
    CHANCE_PENDING,
    CORNER_TAKEN,
    DECK_EMPTY,
    DISCARDS_FIRST,
    GAME_OVER,
    LEGAL,
    LIKE_FOR_LIKE,
    NAME_VICTIM,
    NO_CITIES_LEFT,
    NO_DISCARD,
    NO_FREE_ROAD,
    NO_ROAD_THERE,
    NO_ROADS_LEFT,
    NO_ROBBER_MOVE,
    NO_SETTLEMENTS_LEFT,
    NO_STEAL,
    NO_SUCH_CHANCE,
    NO_VICTIM,
    NOT_YOUR_SETTLEMENT,
    NOT_YOUR_SUPPLY_TRADE,
    NOT_YOUR_TURN,
    NOTHING_TAKEN,
    NOTHING_TO_WAIVE,
    ONLY_PLACEMENT,
    PATH_BLOCKED,
    PATH_TAKEN,
    PATH_UNCONNECTED,
    PENDING,
    PLENTY_NOT_THERE,
    RATE_GENERIC,
    RATE_SPECIAL,
    RATE_SUPPLY,
    ROAD_AT_SECOND,
    ROAD_AT_SETTLEMENT,
    ROLL_FIRST,
    ROLLED_ALREADY,
    SAME_HEX,
    SETTLEMENT_FIRST,
    SPARED_HEX,
    SUPPLY_BEFORE_ROLL,
    SUPPLY_SHORT,
    TOO_CLOSE,
    TRADING_CLOSED,
    UNKNOWN,
    WRONG_DISCARD,
    refuse_with,
)
from ..encoding.structs import (
    COST_CARD,
    COST_CITY,
    COST_ROAD,
    COST_SETTLEMENT,
    KNIGHT,
    MONOPOLY,
    NATURE,
    ROAD_BUILDING,
    YEAR_OF_PLENTY,
    State,
)
from ..places import BOTH_ENDS, CORNERS_NEAR, HALF, N_CORNERS, N_HEXES, N_SIDES
from .legal import (
    can_add_road,
    has_city_left,
    has_road_left,
    has_settlement_left,
    holds_price,
    kinds_at,
    may_waive,
    old_cards,
    plenty_choices,
    robber_targets,
    settlement_sites,
    victims_at,
)
from .nature import odds_of_outcome
from .roads import is_road_built


@kernel
def judge(s: State, seat: int, code: int) -> int:
    """The verdict on an action of `seat` (NATURE: an outcome of chance); offers are judged in :mod:`.offers`."""
    kind = kind_of(code)
    if code <= 0 or kind == act.NOTHING or kind > act.DRAWN or seat < NATURE or seat >= s.players:
        return UNKNOWN
    if s.phase == OVER:
        return GAME_OVER
    if kind >= act.DICE:
        if seat != NATURE:
            return CHANCE_DECIDES
        return LEGAL if odds_of_outcome(s, code) else NO_SUCH_CHANCE
    if seat == NATURE:
        return UNKNOWN
    if kind == act.DISCARD or kind == act.DISCARD_CARD:
        return judge_discard(s, seat, code)
    if s.phase == START_ROLL:
        return refuse_with(ONLY_PLACEMENT, s.phase)
    if seat != s.active:
        return refuse_with(NOT_YOUR_SUPPLY_TRADE if kind == act.SUPPLY else NOT_YOUR_TURN, s.active)
    if is_chance_phase(s.phase):
        return CHANCE_PENDING
    if not (ALLOWED_KINDS[s.phase] >> kind) & 1:
        return judge_phase(s, kind)
    parameter = parameter_of(code)
    if kind == act.ROLL or kind == act.END:
        return UNKNOWN if parameter else LEGAL
    if kind == act.ROAD:
        return judge_road(s, seat, parameter)
    if kind == act.SETTLEMENT:
        return judge_settlement(s, seat, parameter)
    if kind == act.CITY:
        return judge_city(s, seat, parameter)
    if kind == act.BUY:
        return judge_buy(s, seat, parameter)
    if kind == act.SUPPLY:
        return judge_supply(s, seat, code)
    if kind == act.ROBBER:
        return judge_robber(s, seat, parameter)
    if kind == act.STEAL:
        if parameter >= s.players:
            return UNKNOWN
        return LEGAL if (victims_at(s, seat, s.robber) >> parameter) & 1 else NO_VICTIM
    if kind == act.WAIVE:
        if parameter:
            return UNKNOWN
        return LEGAL if may_waive(s) else NOTHING_TO_WAIVE
    return judge_card(s, seat, code)


@kernel
def judge_phase(s: State, kind: int) -> int:
    """Why an action of the active seat does not belong to the phase."""
    phase = s.phase
    if phase == PLACE_SETTLEMENT or phase == PLACE_ROAD:
        if kind == act.ROAD:
            return SETTLEMENT_FIRST
        return refuse_with(ONLY_PLACEMENT, phase)
    if phase == BEFORE_ROLL or phase == MAIN:
        if kind == act.ROLL:
            return ROLLED_ALREADY
        if kind == act.END:
            return ROLL_FIRST
        if kind == act.SUPPLY:
            return SUPPLY_BEFORE_ROLL
        if kind == act.ROBBER:
            return NO_ROBBER_MOVE
        if kind == act.STEAL:
            return NO_STEAL
        if kind == act.WAIVE:
            return NOTHING_TO_WAIVE
        return BEFORE_THE_ROLL
    if kind == act.END:
        return refuse_with(CANNOT_END, phase)
    if phase == DISCARDING and kind == act.ROBBER:
        return DISCARDS_FIRST
    if phase == CHOOSE_VICTIM:
        return NAME_VICTIM
    return refuse_with(PENDING, phase)


@kernel
def judge_discard(s: State, seat: int, code: int) -> int:
    """Who owes discards, and of which cards (SEVEN-02, SEVEN-04)."""
    if s.phase != DISCARDING or s.owed[seat] == 0:
        return NO_DISCARD
    parameter = parameter_of(code)
    if kind_of(code) == act.DISCARD_CARD:
        if parameter >= N_KINDS:
            return UNKNOWN
        cards = single_card(parameter)
    else:
        if parameter >= 1 << 25:
            return UNKNOWN
        cards = widen(parameter)
        if count_cards(cards) != s.owed[seat]:
            return refuse_with(WRONG_DISCARD, s.owed[seat])
    return LEGAL if covers(s.hand[seat] - s.discards[seat], cards) else refuse_with(WRONG_DISCARD, s.owed[seat])


@kernel
def judge_road(s: State, seat: int, side: int) -> int:
    """ROAD-02 to ROAD-06; in placement SETUP-11 and SETUP-14."""
    if side >= N_SIDES:
        return UNKNOWN
    if is_road_built(s, side):
        return PATH_TAKEN
    if s.phase == PLACE_ROAD:
        if (BOTH_ENDS[side] >> s.last_corner) & 1:
            return LEGAL
        return ROAD_AT_SECOND if BOTH_ENDS[side] & s.settlements[seat] else ROAD_AT_SETTLEMENT
    connected = (s.paths_lo[seat] >> side) & 1 if side < HALF else (s.paths_hi[seat] >> (side - HALF)) & 1
    if not connected:
        return PATH_BLOCKED if BOTH_ENDS[side] & s.reach[seat] else PATH_UNCONNECTED
    if not has_road_left(s, seat):
        return refuse_with(NO_ROADS_LEFT, s.road_limit)
    if s.phase == MAIN and not holds_price(s, seat, COST_ROAD):
        return refuse_with(CANNOT_PAY, COST_ROAD)
    return LEGAL


@kernel
def judge_settlement(s: State, seat: int, corner: int) -> int:
    """SETTLE-01 to SETTLE-05; in placement SETUP-11 and SETUP-13."""
    if corner >= N_CORNERS:
        return UNKNOWN
    if (s.buildings >> corner) & 1:
        return CORNER_TAKEN
    if CORNERS_NEAR[corner] & s.buildings:
        return TOO_CLOSE
    if not (settlement_sites(s, seat) >> corner) & 1:
        return NO_ROAD_THERE
    if s.phase == PLACE_SETTLEMENT:
        return LEGAL
    if not has_settlement_left(s, seat):
        return refuse_with(NO_SETTLEMENTS_LEFT, s.settlement_limit)
    return LEGAL if holds_price(s, seat, COST_SETTLEMENT) else refuse_with(CANNOT_PAY, COST_SETTLEMENT)


@kernel
def judge_city(s: State, seat: int, corner: int) -> int:
    """A settlement of its own, stock and price (CITY-01, CITY-02, CITY-04)."""
    if corner >= N_CORNERS:
        return UNKNOWN
    if not (s.settlements[seat] >> corner) & 1:
        return NOT_YOUR_SETTLEMENT
    if not has_city_left(s, seat):
        return refuse_with(NO_CITIES_LEFT, s.city_limit)
    return LEGAL if holds_price(s, seat, COST_CITY) else refuse_with(CANNOT_PAY, COST_CITY)


@kernel
def judge_buy(s: State, seat: int, parameter: int) -> int:
    """Deck and price (DEV-01, DEV-08)."""
    if parameter:
        return UNKNOWN
    if s.deck == 0:
        return DECK_EMPTY
    return LEGAL if holds_price(s, seat, COST_CARD) else refuse_with(CANNOT_PAY, COST_CARD)


@kernel
def judge_supply(s: State, seat: int, code: int) -> int:
    """PORT-01 to PORT-11. Several cards taken at once count as several trades at one rate (PORT-09)."""
    kind = supply_give_of(code)
    rate = supply_rate_of(code)
    size = 31 if rate else 36  # of an uneven trade the number given stands above
    if kind >= N_KINDS or parameter_of(code) >> size:
        return UNKNOWN
    if s.trading_closed:
        return TRADING_CLOSED
    want = supply_want_of(code)
    if want == 0:
        return NOTHING_TAKEN
    if count(want, kind):
        return LIKE_FOR_LIKE
    enough = count(s.hand[seat], kind) >= rate * count_cards(want)
    if rate == s.rate_supply:
        if not enough:
            return RATE_SUPPLY
    elif rate == s.rate_generic:
        if not enough or not kinds_at(s, seat, 1) & guard_of(kind):
            return RATE_GENERIC
    elif rate == s.rate_special:
        if not enough or not kinds_at(s, seat, 2) & guard_of(kind):
            return RATE_SPECIAL
    else:
        return RATE_SUPPLY
    return LEGAL if covers(s.supply, want) else SUPPLY_SHORT


@kernel
def judge_robber(s: State, seat: int, h: int) -> int:
    """Another hex, and none that the house rule spares (ROBBER-02, ROBBER-03)."""
    if h >= N_HEXES:
        return UNKNOWN
    if h == s.robber:
        return SAME_HEX
    return LEGAL if (robber_targets(s, seat) >> h) & 1 else SPARED_HEX


@kernel
def judge_card(s: State, seat: int, code: int) -> int:
    """One old card a turn, and what each kind asks for (DEV-03, DEV-04, DEV-18, DEV-19, DEV-21, DEV-22)."""
    kind = kind_of(code)
    parameter = parameter_of(code)
    if kind == act.KNIGHT_CARD:
        card = KNIGHT
    elif kind == act.ROAD_BUILDING_CARD:
        card = ROAD_BUILDING
    elif kind == act.MONOPOLY_CARD:
        card = MONOPOLY
    else:
        card = YEAR_OF_PLENTY
    if s.card_played:
        return CARD_PLAYED_ALREADY
    if count(s.development[seat], card) == 0:
        return CARD_NOT_HELD
    if count(old_cards(s, seat), card) == 0:
        return CARD_TOO_NEW
    if card == MONOPOLY:
        return LEGAL if parameter < N_KINDS else UNKNOWN
    if card == YEAR_OF_PLENTY:
        return judge_plenty(s, code)
    if parameter:
        return UNKNOWN
    if card == ROAD_BUILDING and not can_add_road(s, seat):
        return NO_FREE_ROAD
    return LEGAL


@kernel
def judge_plenty(s: State, code: int) -> int:
    """DEV-19, DEV-21: two cards that are there, one only if there is no second."""
    first = first_taken_of(code)
    second = second_taken_of(code)
    if first >= N_KINDS or second > act.NO_SECOND or N_KINDS <= second < act.NO_SECOND:
        return UNKNOWN
    if second == act.NO_SECOND:
        choice = act.PLENTY_PAIRS + first
    else:
        low = min(first, second)
        choice = low * N_KINDS - low * (low - 1) // 2 + max(first, second) - low
    return LEGAL if (plenty_choices(s.supply) >> choice) & 1 else refuse_with(PLENTY_NOT_THERE, s.supply)
