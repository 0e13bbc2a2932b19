"""What one action has done: `events_of` compares the game before and after it.

All that changes in a game is told, in the order in which it happens: first what was done, then what follows from it
(cards, awards, offers that close, the next turn, the end). Nothing here decides a rule; hands and awards are read off
the two states. Only what is behind them is worked out again: which cards the supply could not pay.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from hexholm.rules.core.encoding import actions as act
from hexholm.rules.core.encoding.lanes import count, lane, total, widen
from hexholm.rules.core.encoding.structs import (
    CARD_KINDS,
    COST_CARD,
    COST_CITY,
    COST_ROAD,
    COST_SETTLEMENT,
    KNIGHT,
    NATURE,
    OFFERS,
    RESOURCES,
    VICTORY_POINT,
    State,
    Talk,
)
from hexholm.rules.core.legal import victims_at
from hexholm.rules.core.offers import free_slot, several
from hexholm.rules.core.phases import (
    BEFORE_ROLL,
    FREE_ROAD,
    MAIN,
    OVER,
    PLACE_ROAD,
    PLACE_SETTLEMENT,
    START_ROLL,
    THEFT,
)
from hexholm.rules.core.step import ALL_PAIRS, building_yield, total_points
from hexholm.rules.options import Options
from hexholm.rules.places import CORNER_NAMES, CORNERS_OF_HEX, HALF, HEX_NAMES, N_CORNERS, N_SIDES, SIDE_NAMES

from ..cards import Cards
from . import kinds as told

NO_CARDS: Final = Cards()


class Step:
    """One action that was carried out: the game before and after it, and the events found so far."""

    __slots__ = ("after", "before", "code", "colors", "events", "player", "seat", "talk", "talk_after", "x")

    def __init__(self, options: Options, before: State, after: State, talk: Talk, talk_after: Talk) -> None:
        self.colors, self.before, self.after = options.colors, before, after
        self.talk, self.talk_after = talk, talk_after
        self.events: list[told.Event] = []

    def of(self, seat: int, code: int) -> None:
        """Who acted (Nature acts for the active seat) and how."""
        self.seat = self.before.turn if seat == NATURE else seat
        self.player = self.colors[self.seat]
        self.code, self.x = code, code >> 5

    def seats(self, bits: int) -> tuple[str, ...]:
        """The colours of a set of seats."""
        return tuple(color for seat, color in enumerate(self.colors) if (bits >> seat) & 1)


def events_of(
    options: Options, before: State, after: State, talk_before: Talk, talk_after: Talk, seat: int, code: int
) -> tuple[told.Event, ...]:
    """What happened when `seat` (Nature: -1) carried out the legal action `code`, in order."""
    step = Step(options, before, after, talk_before, talk_after)
    step.of(seat, code)
    _TELL[code & 31](step)
    if after.phase == OVER:
        won(step)
    return tuple(step.events)


def opening(options: Options, state: State) -> tuple[told.Event, ...]:
    """How a new game begins: the pieces and cards of a fixed set-up, and who begins or rolls for it.

    Of a player's two settlements the second, which brings the start resources, stands last.
    """
    step = Step(options, state, state, Talk(), Talk())
    events, colors = step.events, options.colors
    events.append(told.GameBegan(options.edition, options.setup, colors, HEX_NAMES[state.robber]))
    for seat, color in enumerate(colors):
        corners, sides = state.settlements[seat], state.roads_lo[seat] | state.roads_hi[seat] << HALF
        held = [corner for corner in range(N_CORNERS) if (corners >> corner) & 1]
        held.sort(key=lambda corner, second=state.second[seat]: corner == second)  # type: ignore[misc]
        events += [told.Built(color, "settlement", CORNER_NAMES[corner], NO_CARDS) for corner in held]
        events += [told.Built(color, "road", SIDE_NAMES[i], NO_CARDS) for i in range(N_SIDES) if (sides >> i) & 1]
    for seat, color in enumerate(colors):
        if state.hand[seat]:
            events.append(told.StartCards(color, Cards.of_lanes(state.hand[seat])))
    if state.phase == START_ROLL:
        events.append(told.RollForStart(step.seats(state.rollers), again=False))
        return tuple(events)
    why = "named" if options.first is not None else "seat" if options.ages is None else "oldest"
    events.append(told.StarterChosen(colors[state.first], why))
    next_turn(step)
    return tuple(events)


# --- shared consequences ---------------------------------------------------------------------------------------------


def next_turn(step: Step) -> None:
    """Somebody begins a turn or is next to place; said when the phase shows it."""
    after = step.after
    player = step.colors[after.turn]
    if after.phase == PLACE_SETTLEMENT:
        step.events.append(told.PlacementTurn(player, 1 if after.placed < after.players else 2))
    elif after.phase in (BEFORE_ROLL, OVER):
        step.events.append(told.TurnBegan(player, after.turn_number))


def award(step: Step, name: str, was: int, now: int, size: int) -> None:
    """An award that has changed hands."""
    if was != now:
        holder, loser = (step.colors[seat] if seat >= 0 else None for seat in (now, was))
        step.events.append(told.AwardMoved(name, holder, loser, size if holder else 0))


def longest_road(step: Step) -> None:
    """Longest Road after a road or settlement was built."""
    award(step, "longest-road", step.before.longest_road, step.after.longest_road, step.after.road_record)


def paid(step: Step) -> None:
    """What a paid build or purchase does to trading (PHASE-05)."""
    after = step.after
    if after.trading_closed and after.phase != OVER:
        if not step.before.trading_closed:
            step.events.append(told.TradingEnded(step.player))
        close_offers(step, "trading")


def close_offers(step: Step, why: str) -> None:
    """All offers that were open are closed."""
    give = step.talk.give
    for slot in range(OFFERS):
        if give[slot]:
            step.events.append(told.OfferClosed(slot + 1, why))


def won(step: Step) -> None:
    """The end of the game: final points, victory point cards turned over (WIN-05, WIN-07)."""
    after, colors = step.after, step.colors
    scores = {color: total_points(after, seat) for seat, color in enumerate(colors)}
    revealed = {color: n for seat, color in enumerate(colors) if (n := count(after.cards[seat], VICTORY_POINT))}
    winner = colors[after.winner]
    step.events.append(told.Won(winner, scores[winner], scores, revealed))
    if step.code & 31 != act.END:  # with the turn they were closed already
        close_offers(step, "game")


# --- turns and dice --------------------------------------------------------------------------------------------------


def roll(step: Step) -> None:
    """Nothing has happened before the dice fall."""


def end(step: Step) -> None:
    """A turn ends, the next begins."""
    close_offers(step, "turn")
    step.events.append(told.TurnEnded(step.player))
    next_turn(step)


def dice(step: Step) -> None:
    """The dice: for the start, a seven, or production."""
    before, after, events = step.before, step.after, step.events
    pair = (step.x & 7, step.x >> 3)
    number = pair[0] + pair[1]
    if before.phase == START_ROLL:
        events.append(told.StartRolled(step.player, pair, number))
        if after.phase != START_ROLL:
            events.append(told.StarterChosen(step.colors[after.first], "roll"))
            next_turn(step)
        elif before.rollers == 1 << step.seat:  # the last of this round
            events.append(told.RollForStart(step.seats(after.rollers), again=True))
        return
    events.append(told.Rolled(step.player, pair, number))
    if before.balanced_dice and after.dice_bag == ALL_PAIRS:
        events.append(told.DiceBagFilled())
    if number == 7:
        owing = {color: n for seat, color in enumerate(step.colors) if (n := after.owed[seat])}
        if owing:
            events.append(told.MustDiscard(owing))
        return
    gains = {
        color: Cards.of_lanes(after.hand[seat] - before.hand[seat])
        for seat, color in enumerate(step.colors)
        if after.hand[seat] != before.hand[seat]
    }
    hexes = [h for h in range(19) if (before.hexes_of[number] & ~(1 << before.robber)) >> h & 1]
    events.append(told.Produced(gains, by_hex(step, hexes)))
    shortages(step, hexes)


def by_hex(step: Step, hexes: list[int]) -> dict[str, dict[str, Cards]]:
    """What was paid, by the hexes it comes from; what the supply could not pay is missing at the last of them."""
    s, paid = step.before, dict[str, dict[str, Cards]]()
    left = [step.after.hand[seat] - s.hand[seat] for seat in range(len(step.colors))]
    for h in hexes:
        one, corners = lane(s.terrain[h]), CORNERS_OF_HEX[h]
        for seat, color in enumerate(step.colors):
            cards = one * min(building_yield(s, seat, corners), count(left[seat], s.terrain[h]))
            if cards:
                left[seat] -= cards
                paid.setdefault(HEX_NAMES[h], {})[color] = Cards.of_lanes(cards)
    return paid


def shortages(step: Step, hexes: list[int]) -> None:
    """The kinds of cards of which the supply had fewer than were due (PROD-08, PROD-09)."""
    s = step.before
    enough = 3 * max(s.yield_settlement, s.yield_city) * len(hexes)  # no more than three buildings stand at a hex
    for kind in sorted({s.terrain[h] for h in hexes}):
        left = count(s.bank, kind)
        if left >= enough:
            continue
        corners = [CORNERS_OF_HEX[h] for h in hexes if s.terrain[h] == kind]
        claims = [sum(building_yield(s, seat, each) for each in corners) for seat in range(s.players)]
        if sum(claims) > left:
            takers = [color for color, claim in zip(step.colors, claims, strict=True) if claim]
            alone = len(takers) == 1
            given = left if alone else 0
            step.events.append(told.SupplyShort(RESOURCES[kind], sum(claims), given, takers[0] if alone else None))


# --- a seven and the robber ------------------------------------------------------------------------------------------


def discard(step: Step) -> None:
    """A choice that only its player sees; when the last is in, all discards lie open (SEVEN-05)."""
    before, events = step.before, step.events
    chosen = widen(step.x) if step.code & 31 == act.DISCARD else lane(step.x)
    events.append(told.ChoseDiscard(step.player, Cards.of_lanes(chosen)))
    if step.after.phase == before.phase:
        return
    for seat, color in enumerate(step.colors):
        cards = before.chosen[seat] + (chosen if seat == step.seat else 0)
        if cards:
            events.append(told.Discarded(color, Cards.of_lanes(cards)))


def robber(step: Step) -> None:
    """The robber moves; a single victim is robbed at once."""
    before, after = step.before, step.after
    victims = step.seats(victims_at(after, step.seat, after.robber))
    step.events.append(told.RobberMoved(step.player, HEX_NAMES[step.x], HEX_NAMES[before.robber], victims))
    if len(victims) == 1 and after.phase != THEFT:
        step.events.append(told.FoundNothing(step.player, victims[0]))


def steal(step: Step) -> None:
    """One of several victims is chosen."""
    victim = step.colors[step.x]
    step.events.append(told.VictimChosen(step.player, victim))
    if step.after.phase != THEFT:
        step.events.append(told.FoundNothing(step.player, victim))


def stolen(step: Step) -> None:
    """The card that is stolen."""
    step.events.append(told.Stole(step.player, step.colors[step.before.victim], RESOURCES[step.x]))


# --- building --------------------------------------------------------------------------------------------------------


def built(step: Step, piece: str, place: str, cost: int) -> None:
    """A piece stands; only the main phase asks for its price."""
    price = Cards.of_lanes(step.before.costs[cost]) if step.before.phase == MAIN else NO_CARDS
    step.events.append(told.Built(step.player, piece, place, price))


def road(step: Step) -> None:
    """A road: start piece, free, or paid."""
    before, after = step.before, step.after
    phase = before.phase
    built(step, "road", SIDE_NAMES[step.x], COST_ROAD)
    longest_road(step)
    if phase == PLACE_ROAD:
        start_cards(step)
        next_turn(step)
    elif phase == MAIN:
        paid(step)
    elif before.free_roads > 1 and after.phase not in (FREE_ROAD, OVER):
        step.events.append(told.NoPlaceForRoad(step.player, before.free_roads - 1))


def settlement(step: Step) -> None:
    """A settlement: start piece or paid."""
    before, after, seat = step.before, step.after, step.seat
    built(step, "settlement", CORNER_NAMES[step.x], COST_SETTLEMENT)
    longest_road(step)
    if before.limit_tiles and after.settlements[seat].bit_count() == before.settlement_limit:
        step.events.append(told.LimitTile(step.player, "settlement", received=True))
    if before.phase == MAIN:
        paid(step)
    else:
        start_cards(step)


def city(step: Step) -> None:
    """A city takes the place of a settlement."""
    before, after, seat = step.before, step.after, step.seat
    built(step, "city", CORNER_NAMES[step.x], COST_CITY)
    if before.limit_tiles:
        if before.settlements[seat].bit_count() == before.settlement_limit:
            step.events.append(told.LimitTile(step.player, "settlement", received=False))
        if after.cities[seat].bit_count() == before.city_limit:
            step.events.append(told.LimitTile(step.player, "city", received=True))
    paid(step)


def start_cards(step: Step) -> None:
    """Start resources, whenever the edition pays them: nothing else changes hands in the set-up (SETUP-16)."""
    for seat, color in enumerate(step.colors):
        gain = step.after.hand[seat] - step.before.hand[seat]
        if gain:
            step.events.append(told.StartCards(color, Cards.of_lanes(gain)))


# --- development cards -----------------------------------------------------------------------------------------------


def buy(step: Step) -> None:
    """A development card is paid for."""
    step.events.append(told.Bought(step.player, Cards.of_lanes(step.before.costs[COST_CARD])))
    paid(step)


def drawn(step: Step) -> None:
    """The development card that was bought."""
    step.events.append(told.Drew(step.player, CARD_KINDS[step.x]))


def knight(step: Step) -> None:
    """A knight; the robber is moved next."""
    after = step.after
    step.events.append(told.PlayedCard(step.player, "knight"))
    army = count(after.played[step.seat], KNIGHT)
    award(step, "largest-army", step.before.largest_army, after.largest_army, army)


def road_building(step: Step) -> None:
    """Road Building; the roads are placed next."""
    step.events.append(told.PlayedCard(step.player, "road-building"))
    step.events.append(told.FreeRoads(step.player, step.after.free_roads))


def year_of_plenty(step: Step) -> None:
    """Year of Plenty, and what was taken."""
    step.events.append(told.PlayedCard(step.player, "year-of-plenty"))
    step.events.append(told.TookFromSupply(step.player, Cards.of_lanes(step.before.bank - step.after.bank)))


def monopoly(step: Step) -> None:
    """Monopoly, and what came from whom."""
    before, after = step.before, step.after
    step.events.append(told.PlayedCard(step.player, "monopoly"))
    taken = {
        color: total(before.hand[seat] - after.hand[seat])
        for seat, color in enumerate(step.colors)
        if seat != step.seat and before.hand[seat] != after.hand[seat]
    }
    step.events.append(told.Monopolised(step.player, RESOURCES[step.x], taken))


def waive(step: Step) -> None:
    """Free roads that are not placed."""
    step.events.append(told.Waived(step.player, step.before.free_roads))


# --- trade -----------------------------------------------------------------------------------------------------------


def supply(step: Step) -> None:
    """A trade with the supply."""
    rate, taken = (step.x >> 3) & 7, widen(step.x >> 6)
    give = Cards.of_lanes(total(taken) * rate * lane(step.x & 7))
    step.events.append(told.SupplyTraded(step.player, give, Cards.of_lanes(taken), rate))


def offer(step: Step) -> None:
    """An offer lies open."""
    made(step, step.seats(act.to_of(step.code)), None)


def made(step: Step, to: tuple[str, ...], answers: int | None) -> None:
    """An offer or counter-offer, in the lowest free slot."""
    give, want = Cards.of_lanes(act.give_of(step.code)), Cards.of_lanes(act.want_of(step.code))
    step.events.append(told.OfferMade(free_slot(step.talk) + 1, step.player, give, want, to, answers))


def counter(step: Step) -> None:
    """A counter-offer; it says no to the offer that it answers."""
    slot = act.to_of(step.code)
    made(step, (step.colors[step.talk.maker[slot]],), slot + 1)
    declined(step, slot)


def declined(step: Step, slot: int) -> None:
    """An offer to which all have said no is closed."""
    if step.talk_after.give[slot] == 0:
        step.events.append(told.OfferClosed(slot + 1, "declined"))


def accept(step: Step) -> None:
    """A yes: the exchange, or word to the maker if several were asked."""
    if several(step.talk.to[step.x]):
        step.events.append(told.OfferAnswered(step.x + 1, step.player, accepts=True))
    else:
        traded(step, step.x, step.player)


def reject(step: Step) -> None:
    """A no."""
    step.events.append(told.OfferAnswered(step.x + 1, step.player, accepts=False))
    declined(step, step.x)


def confirm(step: Step) -> None:
    """The exchange with one who said yes."""
    traded(step, step.x & 7, step.colors[step.x >> 3])


def traded(step: Step, slot: int, partner: str) -> None:
    """The exchange of an offer."""
    talk = step.talk
    give, take = Cards.of_lanes(talk.give[slot]), Cards.of_lanes(talk.want[slot])
    step.events.append(told.Traded(slot + 1, step.colors[talk.maker[slot]], partner, give, take))


def withdraw(step: Step) -> None:
    """An offer is taken back."""
    step.events.append(told.OfferWithdrawn(step.x + 1, step.player))


_TELL: Final[dict[int, Callable[[Step], None]]] = {
    act.ROLL: roll,
    act.END: end,
    act.SETTLEMENT: settlement,
    act.CITY: city,
    act.ROAD: road,
    act.BUY: buy,
    act.KNIGHT_CARD: knight,
    act.ROAD_BUILDING_CARD: road_building,
    act.YEAR_OF_PLENTY_CARD: year_of_plenty,
    act.MONOPOLY_CARD: monopoly,
    act.WAIVE: waive,
    act.ROBBER: robber,
    act.STEAL: steal,
    act.DISCARD: discard,
    act.DISCARD_CARD: discard,
    act.SUPPLY: supply,
    act.OFFER: offer,
    act.COUNTER: counter,
    act.ACCEPT: accept,
    act.REJECT: reject,
    act.CONFIRM: confirm,
    act.WITHDRAW: withdraw,
    act.DICE: dice,
    act.STOLEN: stolen,
    act.DRAWN: drawn,
}
