"""A listener who knows the rules in force and the board, hears nothing but events, and keeps the whole game in mind.

What it says of a game must be what the game's records say: then events lose nothing. Given public faces only, it must
still know all that is public.
"""

from __future__ import annotations

from typing import Any

from hexholm.game.cards import Cards
from hexholm.game.events import Event
from hexholm.rules.core.dice import ALL_PAIRS
from hexholm.rules.encoding.lanes import count_cards, pack_named, single_card
from hexholm.rules.encoding.phases import PHASES
from hexholm.rules.encoding.structs import CARD_KINDS, OFFERS, RESOURCES, OpenOffers, State
from hexholm.rules.places import HALF, read_corner, read_hex, read_side
from hexholm.rules.setup.house_rules import HOUSE_SWITCHES
from hexholm.rules.setup.options import Options

HIDDEN = ("hand", "development", "new_cards", "deck", "discards", "owed")
"""What the public knows only the size of, or, of discards that are being chosen, nothing."""
SETTLED = (
    *("harbors", "costs", "hexes_of", "players", "fixed_start", "terrain", "number", "color", "edition"),
    *("points_to_win", "hand_limit", "road_limit", "settlement_limit", "city_limit", "longest_road_min"),
    *("largest_army_min", "separate", "second_road_optional", "start_timing", *HOUSE_SWITCHES),
    *("limit_tiles", "points_settlement", "points_city", "points_road", "points_army", "points_card"),
    *("yield_settlement", "yield_city", "rate_supply", "rate_generic", "rate_special"),
)
"""The rules and the board: they never change. A house rule that is a number stands here by its name."""
DERIVED = (
    "reach",
    "paths_lo",
    "paths_hi",
    "sites",
    "buildings",
    "usable_harbors",
    "rings",
    "road_record",
    "tied",
    "best_roll",
)
"""What follows from the pieces, or from the start rolls."""


class Tracker:
    """The game as told."""

    def __init__(self, options: Options, public: bool = False) -> None:
        edition_data = options.edition_data
        self.options, self.colors, self.public = options, options.colors, public
        n = len(self.colors)
        self.supply = pack_named(dict.fromkeys(RESOURCES, edition_data.bank_per_resource), RESOURCES)
        self.deck = pack_named({kind: edition_data.dev_deck[kind.replace("-", "_")] for kind in CARD_KINDS}, CARD_KINDS)
        self.deck_size = count_cards(self.deck)
        self.hand, self.development, self.discards, self.played = [0] * n, [0] * n, [0] * n, [0] * n
        self.size, self.card_count = [0] * n, [0] * n
        self.new_cards = self.new_count = 0
        self.owed = [0] * n
        self.settlements, self.cities, self.roads = [0] * n, [0] * n, [0] * n
        self.second_corner = [0] * n
        self.longest_road = self.largest_army = self.winner = self.victim = self.first = -1
        self.phase, self.active, self.turn_number, self.robber, self.placed, self.last_corner = "", 0, 0, 0, 0, 0
        self.rolled = self.card_played = self.trading_closed = self.free_roads = self.free_placed = 0
        self.dice = (0, 0)
        self.bag = ALL_PAIRS if options.balanced_dice else 0
        self.rollers: list[str] = []
        self.tiles: dict[str, set[str]] = {color: set() for color in self.colors}
        self.offers: dict[int, dict[str, Any]] = {}

    def hear(self, event: Event | None) -> None:
        """One more event; None: it was not for these ears."""
        if event is not None:
            getattr(self, f"on_{event.name}")(event)

    def seat(self, color: str) -> int:
        return self.colors.index(color)

    def gain(self, color: str, cards: Cards, sign: int = 1, supply: bool = True) -> None:
        """Cards come to a hand, from the supply or elsewhere."""
        seat = self.seat(color)
        self.hand[seat] += sign * cards.lanes
        self.size[seat] += sign * cards.total
        if supply:
            self.supply -= sign * cards.lanes

    def resume(self) -> None:
        self.victim, self.free_roads, self.free_placed = -1, 0, 0
        self.phase = "main" if self.rolled else "roll"

    # --- events ----------------------------------------------------------------------------------------------

    def on_game_began(self, e: Any) -> None:
        assert e.players == self.colors
        assert (e.edition, e.setup) == (self.options.edition, self.options.setup)
        self.robber = read_hex(e.robber)

    def on_roll_for_start(self, e: Any) -> None:
        self.phase, self.rollers, self.active = "start roll", list(e.players), self.seat(e.players[0])

    def on_start_rolled(self, e: Any) -> None:
        assert self.rollers.pop(0) == e.player
        assert e.total == sum(e.dice)
        self.active = self.seat(self.rollers[0]) if self.rollers else -1

    def on_starter_chosen(self, e: Any) -> None:
        self.first = self.active = self.seat(e.player)

    def on_placement_turn(self, e: Any) -> None:
        assert e.round == 1 + (self.placed >= len(self.colors))
        self.phase, self.active = "settlement", self.seat(e.player)

    def on_start_cards(self, e: Any) -> None:
        self.gain(e.player, e.cards)

    def on_turn_began(self, e: Any) -> None:
        self.phase, self.active, self.turn_number = "roll", self.seat(e.player), e.number
        self.rolled = self.card_played = self.trading_closed = 0
        self.dice = (0, 0)

    def on_rolled(self, e: Any) -> None:
        assert self.seat(e.player) == self.active
        self.rolled, self.dice = 1, e.dice
        self.phase = "robber" if e.total == 7 else "main"
        if self.bag:
            self.bag &= ~(1 << (6 * (e.dice[0] - 1) + e.dice[1] - 1))

    def on_dice_bag_filled(self, _: Any) -> None:
        self.bag = ALL_PAIRS

    def on_produced(self, e: Any) -> None:
        for color, cards in e.gains.items():
            self.gain(color, cards)

    def on_supply_short(self, e: Any) -> None:
        assert e.due > e.paid >= 0

    def on_turn_ended(self, e: Any) -> None:
        assert self.seat(e.player) == self.active
        self.new_cards = self.new_count = 0

    def on_must_discard(self, e: Any) -> None:
        self.phase = "discard"
        for color, n in e.owing.items():
            self.owed[self.seat(color)] = n

    def on_chose_discard(self, e: Any) -> None:
        self.discards[self.seat(e.player)] += e.cards.lanes
        self.owed[self.seat(e.player)] -= e.cards.total

    def on_discarded(self, e: Any) -> None:
        self.gain(e.player, e.cards, -1)
        self.discards[self.seat(e.player)] = 0
        self.owed = [0] * len(self.colors)
        self.phase = "robber"

    def on_robber_moved(self, e: Any) -> None:
        assert self.robber == read_hex(e.left)
        self.robber = read_hex(e.hex)
        self.resume()
        if len(e.victims) == 1:
            self.phase, self.victim = "theft", self.seat(e.victims[0])
        elif e.victims:
            self.phase = "victim"

    def on_victim_chosen(self, e: Any) -> None:
        self.phase, self.victim = "theft", self.seat(e.victim)

    def on_found_nothing(self, e: Any) -> None:
        assert self.size[self.seat(e.victim)] == 0
        assert self.victim == self.seat(e.victim)
        self.resume()

    def on_stole(self, e: Any) -> None:
        moved = 0 if e.card is None else single_card(RESOURCES.index(e.card))
        for seat, sign in ((self.seat(e.player), 1), (self.seat(e.victim), -1)):
            self.hand[seat] += sign * moved
            self.size[seat] += sign
        self.resume()

    def on_built(self, e: Any) -> None:
        seat = self.seat(e.player)
        self.gain(e.player, e.price, -1)
        if e.piece == "road":
            self.roads[seat] |= 1 << read_side(e.place)
            if self.phase == "road":
                self.placed += 1
            elif self.phase == "free road":
                self.free_roads, self.free_placed = self.free_roads - 1, self.free_placed + 1
                if self.free_roads == 0:
                    self.resume()
            return
        corner = read_corner(e.place)
        if e.piece == "city":
            self.settlements[seat] &= ~(1 << corner)
            self.cities[seat] |= 1 << corner
            return
        self.settlements[seat] |= 1 << corner
        if self.phase == "":  # laid out before the game
            self.second_corner[seat] = corner
        if self.phase == "settlement":
            self.phase, self.last_corner = "road", corner
            if self.placed >= len(self.colors):
                self.second_corner[seat] = corner

    def on_bought(self, e: Any) -> None:
        self.gain(e.player, e.price, -1)
        self.phase = "draw"

    def on_drew(self, e: Any) -> None:
        card = 0 if e.card is None else single_card(CARD_KINDS.index(e.card))
        self.development[self.seat(e.player)] += card
        self.card_count[self.seat(e.player)] += 1
        self.new_cards, self.new_count = self.new_cards + card, self.new_count + 1
        self.deck, self.deck_size = self.deck - card, self.deck_size - 1
        self.phase = "main"

    def on_played_card(self, e: Any) -> None:
        card = single_card(CARD_KINDS.index(e.card))
        self.development[self.seat(e.player)] -= card
        self.card_count[self.seat(e.player)] -= 1
        self.played[self.seat(e.player)] += card
        self.card_played = 1
        if e.card == "knight":
            self.phase = "robber"

    def on_free_roads(self, e: Any) -> None:
        self.phase, self.free_roads, self.free_placed = "free road", e.roads, 0

    def on_waived(self, e: Any) -> None:
        assert e.roads == self.free_roads
        self.resume()

    on_no_place_for_road = on_waived

    def on_took_from_supply(self, e: Any) -> None:
        self.gain(e.player, e.cards)

    def on_monopolised(self, e: Any) -> None:
        for color, n in e.taken.items():
            cards = Cards({e.resource: n})
            self.gain(color, cards, -1, supply=False)
            self.gain(e.player, cards, supply=False)

    def on_limit_tile(self, e: Any) -> None:
        tiles = self.tiles[e.player]
        assert (e.piece in tiles) != e.received
        tiles ^= {e.piece}

    def on_award_moved(self, e: Any) -> None:
        name = e.award.replace("-", "_")
        was = getattr(self, name)
        assert (e.loser and self.seat(e.loser)) == (was if was >= 0 else None)
        setattr(self, name, -1 if e.player is None else self.seat(e.player))

    def on_supply_traded(self, e: Any) -> None:
        assert e.give.total == e.rate * e.take.total
        self.gain(e.player, e.give, -1)
        self.gain(e.player, e.take)

    def on_offer_made(self, e: Any) -> None:
        assert e.number not in self.offers
        offer = {"give": e.give.lanes, "want": e.want.lanes, "maker": e.player, "to": e.to}
        self.offers[e.number] = {**offer, "yes": set(), "no": set()}
        if e.answers is not None:
            self.answer(e.answers, e.player, False)

    def on_offer_answered(self, e: Any) -> None:
        self.answer(e.number, e.player, e.accepts)

    def answer(self, number: int, color: str, accepts: bool) -> None:
        yes, no = ("yes", "no") if accepts else ("no", "yes")
        self.offers[number][yes].add(color)
        self.offers[number][no].discard(color)

    def on_offer_withdrawn(self, e: Any) -> None:
        assert self.offers.pop(e.number)["maker"] == e.player

    def on_offer_closed(self, e: Any) -> None:
        offer = self.offers.pop(e.number)
        assert (offer["no"] == set(offer["to"])) == (e.why == "declined")

    def on_traded(self, e: Any) -> None:
        offer = self.offers.pop(e.number)
        assert (offer["maker"], offer["give"], offer["want"]) == (e.player, e.give.lanes, e.take.lanes)
        for color, give, take in ((e.player, e.give, e.take), (e.partner, e.take, e.give)):
            self.gain(color, give, -1, supply=False)
            self.gain(color, take, supply=False)

    def on_trading_ended(self, _: Any) -> None:
        self.trading_closed = 1

    def on_won(self, e: Any) -> None:
        self.winner, self.phase = self.seat(e.player), "over"
        self.free_roads = self.free_placed = 0
        assert e.scores[e.player] == e.points
        cards = {color: e.revealed.get(color, 0) for color in self.colors}
        value = self.options.edition_data.points["victory_point_card"]
        assert e.scores == {color: self.points()[i] + value * cards[color] for i, color in enumerate(self.colors)}

    def points(self) -> list[int]:
        """Public points, from pieces and awards."""
        worth = self.options.edition_data.points
        points = []
        for seat in range(len(self.colors)):
            own = (
                worth["settlement"] * self.settlements[seat].bit_count() + worth["city"] * self.cities[seat].bit_count()
            )
            own += worth["longest_road"] * (self.longest_road == seat) + worth["largest_army"] * (
                self.largest_army == seat
            )
            points.append(own)
        return points

    # --- the comparison --------------------------------------------------------------------------------------

    def facts(self) -> dict[str, Any]:
        """All that this listener knows, under the names of the records."""
        low = (1 << HALF) - 1
        facts: dict[str, Any] = {name: getattr(self, name) for name in State.fields if hasattr(self, name)}
        facts["points"] = self.points()
        facts["phase"] = self.phase
        facts["roads_lo"] = [roads & low for roads in self.roads]
        facts["roads_hi"] = [roads >> HALF for roads in self.roads]
        facts["die_a"], facts["die_b"] = self.dice
        facts["dice_bag"] = self.bag
        facts["rollers"] = sum(1 << self.seat(color) for color in self.rollers)
        for name in HIDDEN if self.public else ():
            del facts[name]
        facts["sizes"] = self.size, self.card_count, self.new_count, self.deck_size
        facts["tiles"] = [len(self.tiles[color]) for color in self.colors]
        facts["offers"] = self.offers
        return facts


def facts_of(state: State, open_offers: OpenOffers, colors: tuple[str, ...], public: bool) -> dict[str, Any]:
    """The same facts from the records."""
    n = len(colors)
    facts: dict[str, Any] = {}
    for name in State.fields:
        if name in SETTLED or name in DERIVED or (public and name in HIDDEN):
            continue
        value: Any = getattr(state, name)
        facts[name] = value if isinstance(value, int) else list(value)[:n]
    phase = PHASES[state.phase].name
    facts["phase"] = "roll" if phase == "dice" else phase  # nothing has happened before the dice fall
    if phase == "over":
        facts["trading_closed"] = 0
    hands, cards = [count_cards(lanes) for lanes in facts_lanes(state, "hand", n)], facts_lanes(state, "development", n)
    facts["sizes"] = (
        hands,
        [count_cards(lanes) for lanes in cards],
        count_cards(state.new_cards),
        count_cards(state.deck),
    )
    facts["tiles"] = [tiles(state, seat) for seat in range(n)]
    facts["offers"] = {
        slot + 1: {
            "give": open_offers.give[slot],
            "want": open_offers.want[slot],
            "maker": colors[open_offers.maker[slot]],
            "to": tuple(color for seat, color in enumerate(colors) if open_offers.to[slot] >> seat & 1),
            "yes": {color for seat, color in enumerate(colors) if open_offers.yes[slot] >> seat & 1},
            "no": {color for seat, color in enumerate(colors) if open_offers.no[slot] >> seat & 1},
        }
        for slot in range(OFFERS)
        if open_offers.give[slot]
    }
    return facts


def facts_lanes(state: State, name: str, n: int) -> list[int]:
    return [getattr(state, name)[seat] for seat in range(n)]


def tiles(state: State, seat: int) -> int:
    """Zip!: the limit tiles before a seat (ZIP-06, ZIP-07)."""
    full = (state.settlements[seat].bit_count() >= state.settlement_limit) + (
        state.cities[seat].bit_count() >= state.city_limit
    )
    return full if state.limit_tiles else 0
