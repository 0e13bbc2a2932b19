"""Reading positions and views: lenient about spelling, strict about what is said (docs/formats/).

:class:`PositionReader` takes the words of a text apart, then reads rules, board, pieces, cards, turn and offers, and
notes every fault on its way. What follows from the rest is worked out by the core. Of a view the hidden cards are
filled in with any that fit, the core's own function for views strikes them out again, and no trace of them is left.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from hexholm.rules.boards import Layout
from hexholm.rules.colors import SeatNumber
from hexholm.rules.core.derived_fields import refresh_derived
from hexholm.rules.core.entry_points import do_view
from hexholm.rules.core.placement import lay_board
from hexholm.rules.encoding.lanes import N_KINDS, count, count_cards, covers, pack, single_card, unpack
from hexholm.rules.encoding.phases import BEFORE_ROLL, DISCARDING, MAIN, OVER, PLACE_ROAD, START_ROLL
from hexholm.rules.encoding.structs import (
    CARD_HANDS,
    NOBODY,
    RESOURCES,
    SEATS,
    VICTORY_POINT,
    WORLDS,
    Belief,
    OpenOffers,
    Scratch,
    State,
    View,
)
from hexholm.rules.errors import BadInput
from hexholm.rules.initial_state import rules_in_force
from hexholm.rules.places import CORNER_NAMES, HALF, SIDE_NAMES, read_corner, read_hex, read_side
from hexholm.rules.setup.options import Options

from ..cards import Cards, DevelopmentCards
from .position_check import (
    PHASE_WORDS,
    award_faults,
    bit_places,
    card_faults,
    flow_faults,
    full_discards,
    is_placement,
    offer_faults,
    piece_faults,
    placing_seat,
    rightful_army_holders,
    rightful_road_holder,
)
from .position_words import (
    CARD_LETTERS,
    OFFER_KEYS,
    POSITION_FORMAT,
    PUBLIC,
    RESOURCE_LETTERS,
    SEAT_VIEW_KEYS,
    VIEW_FORMAT,
    VIEW_KEYS,
    YES_NO,
    BadPosition,
    PositionWords,
    cite,
)

_MOST_TURNS: Final = 10**9


class PositionReader(PositionWords):
    """One text being read as a position or as a view."""

    observer: int | None = None
    """Of a view: a seat, or SEATS for the public."""

    # --- a position or a view --------------------------------------------------------------------------------

    def position(self) -> tuple[Options, Layout, State, OpenOffers]:
        if VIEW_FORMAT in self.formats or "seen-by" in self.words or self.unknown:
            seen_by = self.words.get("seen-by", "").lower()[:40]
            whose = "the public sees" if seen_by == PUBLIC else f"{seen_by} sees" if seen_by else "somebody sees"
            reason = "what is hidden from a view cannot be played on (INFO-01)"
            raise BadPosition([f"this is what {whose}, not a full position: {reason}; read it with read_view"])
        keys = {*self.words, *(key for words in self.seat_words.values() for key in words)}
        for key in sorted(keys.intersection((*VIEW_KEYS, *SEAT_VIEW_KEYS))):
            self.report(f"{key} belongs to a view, which begins with {VIEW_FORMAT}")
        options, layout = self.rules_and_board()
        state, open_offers = self.table(options, layout)
        return options, layout, state, open_offers

    def view(self) -> tuple[Options, Layout, View]:
        if VIEW_FORMAT not in self.formats and "seen-by" not in self.words and not self.unknown:
            raise BadPosition(
                ["this is a full position, not a view: nothing in it is hidden; read it with read_position"]
            )
        if POSITION_FORMAT in self.formats:
            self.report(f"{POSITION_FORMAT} is for a full position; a view begins with {VIEW_FORMAT}")
        options, layout = self.rules_and_board()
        seen_by = self.words.get("seen-by")
        if seen_by is None:
            self.report(f"seen-by is missing: say whose view it is, one of {', '.join(self.colors)} or {PUBLIC}")
        elif seen_by.lower() == PUBLIC:
            self.observer = SEATS
        else:
            self.observer = self.read_seat("seen-by", seen_by)
        self.raise_faults()
        assert self.observer is not None
        state, open_offers = self.table(options, layout)
        belief = self.read_belief(state)
        self.raise_faults()
        view = View()
        do_view(state.buffer, open_offers.buffer, belief.buffer, Scratch().buffer, view.buffer, self.observer)
        return options, layout, view

    # --- rules and board -------------------------------------------------------------------------------------

    def rules_and_board(self) -> tuple[Options, Layout]:
        """The options and the board; stops if one of them cannot be had."""
        options = self.read_options()
        layout = self.read_board()
        if options is None or layout is None:
            raise BadPosition(self.faults)
        self.colors = options.colors
        for color in self.seat_words:
            if color not in self.colors:
                self.report(f"nobody plays {cite(color)}; the players are {', '.join(self.colors)} (SETUP-02)")
        return options, layout

    # --- the table -------------------------------------------------------------------------------------------

    def table(self, options: Options, layout: Layout) -> tuple[State, OpenOffers]:
        """State and offers; of a view with hidden cards filled in. Stops if anything is wrong."""
        s = rules_in_force(options)
        box_supply, box_deck = s.supply, s.deck
        lay_board(s, layout.board)
        stars = self.read_pieces(s)
        self.read_turn(s, options)
        self.read_cards(s)
        open_offers = self.read_offers()
        self.report(*piece_faults(s, self.colors))
        self.report(*card_faults(s, self.colors, box_supply, box_deck))
        self.raise_faults()  # what follows needs sound pieces and cards
        self.follow_placement(s, stars)
        scratch = Scratch()
        refresh_derived(s, scratch)
        self.read_awards(s, scratch)
        refresh_derived(s, scratch)
        if s.phase == DISCARDING:
            for seat, owed in enumerate(full_discards(s)):
                s.owed[seat] = max(owed - count_cards(s.discards[seat]), 0)
        if s.phase == OVER:
            s.winner = s.active
        hidden = set() if self.observer is None else set(range(s.players)) - {self.observer}
        self.report(*award_faults(s, scratch, self.colors))
        self.report(*flow_faults(s, options, hidden))
        self.report(*offer_faults(s, open_offers, options, box_supply))
        self.raise_faults()
        return s, open_offers

    def read_pieces(self, s: State) -> list[int]:
        """Buildings, roads and the robber; returns each seat's corner with a star, or -1."""
        stars = []
        for seat, color in enumerate(self.colors):
            words = self.seat_words.get(color, {})
            buildings = [
                self.read_places(f"{color}:{key}", words.get(key, ""), read_corner, CORNER_NAMES)
                for key in ("settlements", "cities")
            ]
            road_bits, road_star = self.read_places(f"{color}:roads", words.get("roads", ""), read_side, SIDE_NAMES)
            (s.settlements[seat], star), (s.cities[seat], city_star) = buildings
            s.roads_lo[seat], s.roads_hi[seat] = road_bits & (1 << HALF) - 1, road_bits >> HALF
            if road_star >= 0 or min(star, city_star) >= 0:
                self.report(f"{color}: only one star, at the second start settlement (SETUP-16)")
            stars.append(max(star, city_star))
        if "robber" in self.words:
            try:
                s.robber = read_hex(self.words["robber"])
            except BadInput as error:
                self.report(f"robber: {error}")
        return stars

    def read_turn(self, s: State, options: Options) -> None:
        """Whose turn it is, the phase, and what belongs to the phase."""
        default_phase = MAIN if "dice" in self.words else BEFORE_ROLL
        word = self.words.get("phase", PHASE_WORDS[default_phase]).lower()
        if word not in PHASE_WORDS:
            self.report(f"phase={cite(word)} is unknown; the phases are {', '.join(PHASE_WORDS)}")
            return
        s.phase = PHASE_WORDS.index(word)
        self.read_dice(s)
        s.card_played = bool(self.read_flag("card-played"))
        trading = self.words.get("trading", "open").lower()
        if trading not in ("open", "closed"):
            self.report(f"trading={cite(trading)}: it is open or closed (PHASE-05)")
        s.trading_closed = trading == "closed"
        s.free_roads = self.read_number("free-roads", 0, 2) or 0
        s.free_placed = self.read_number("free-placed", 0, 2) or 0
        victim = self.seat_at("victim")
        s.victim = NOBODY if victim is None else victim
        s.rollers, s.tied = self.seats_at("to-roll"), self.seats_at("best-rollers")
        s.best_roll = self.read_number("best-roll", 2, 12) or 0
        if s.phase == START_ROLL and "to-roll" not in self.words:
            s.rollers = sum(1 << seat for seat in options.rollers())
        self.read_order(s, options)

    def read_dice(self, s: State) -> None:
        """The dice of the turn, and those that are out of the bag."""
        if "dice" in self.words:
            match = re.fullmatch("([1-6])[+,-]?([1-6])", self.words["dice"])
            if match:
                s.rolled, s.die_a, s.die_b = 1, int(match[1]), int(match[2])
            else:
                self.report(f"dice={cite(self.words['dice'])}: write them like dice=3+4")
        if "dice-gone" in self.words:
            for pair in self.words["dice-gone"].split(","):
                match = re.fullmatch(r"([1-6])\+?([1-6])", pair)
                if not match:
                    self.report(f"dice-gone: {cite(pair)} is no pair of dice; write them like dice-gone=34,66")
                    continue
                bit = 1 << 6 * (int(match[1]) - 1) + int(match[2]) - 1
                if s.balanced_dice and not s.dice_bag & bit:
                    self.report(f"dice-gone names {cite(pair)} twice")
                s.dice_bag &= ~bit
            if not s.balanced_dice:
                self.report("dice-gone belongs to the house rule balanced-dice=yes (EDN-02)")

    def read_order(self, s: State, options: Options) -> None:
        """Who began, whose turn it is and which turn: what is left out follows from the rest (PHASE-01)."""
        n = s.players
        first, active = self.seat_at("first"), self.seat_at("turn")
        number = self.read_number("turn-number", 0, _MOST_TURNS)
        for key, value in (("first", first), ("turn", active)):
            if value == NOBODY and self.words[key].lower() == "nobody":
                self.report(f"{key}=nobody: name a player (PHASE-01)")
        if NOBODY in (first, active):
            return
        if s.phase == START_ROLL:
            if first is not None:
                self.report("first: in phase=start-roll nobody knows yet who begins (SETUP-06)")
            s.active = active if active is not None else min(bit_places(s.rollers), default=0)
            s.turn_number = number or 0
            return
        starter = options.starter()
        if first is None:
            first = starter
        elif starter is not None and starter != first:
            self.report(f"first={self.colors[first]}, but {options.who_begins()} begins (SETUP-05)")
        if first is None:
            first = (active - number + 1) % n if active is not None and number else 0
        s.first = first
        if is_placement(s.phase):
            placed = sum(s.settlements[seat].bit_count() for seat in range(n)) - (s.phase == PLACE_ROAD)
            s.active = (
                active if active is not None else placing_seat(n, first, placed) if 0 <= placed < 2 * n else first
            )
            s.turn_number = number or 0
            return
        if active is None:
            active = (first + number - 1) % n if number else first
        s.active = active
        s.turn_number = (active - first) % n + 1 if number is None else number

    def follow_placement(self, s: State, stars: list[int]) -> None:
        """The facts that the placement rounds leave behind: how many were placed, the last and the second ones."""
        n = s.players
        starred = [star >= 0 for star in stars]
        for seat, star in enumerate(stars):
            s.second_corner[seat] = max(star, 0)
        if is_placement(s.phase):
            due = [s.settlements[seat].bit_count() > 1 for seat in range(n)]
            s.placed = sum(s.settlements[seat].bit_count() for seat in range(n)) - (s.phase == PLACE_ROAD)
            last = s.placed if s.phase == PLACE_ROAD else s.placed - 1
            if 0 <= last < 2 * n:
                seat = placing_seat(n, s.first, last)
                s.last_corner = s.second_corner[seat] if last >= n else min(bit_places(s.settlements[seat]), default=0)
        elif s.phase == START_ROLL and not s.fixed_start:
            due = [False] * n
        else:
            due = [any(starred)] * n
            if all(starred) and not s.fixed_start:
                s.placed, s.last_corner = 2 * n, s.second_corner[s.first]
        for color, needed, has_star in zip(self.colors, due, starred, strict=True):
            if needed != has_star:
                advice = "mark the second start settlement, like B2n*" if needed else "no second settlement stands yet"
                self.report(f"{color}: {advice}; every player has one star, or nobody (SETUP-16)")

    def read_awards(self, s: State, scratch: Scratch) -> None:
        """Who holds the awards; left out: who must hold them by the rules, if that is plain."""
        road, army = self.seat_at("longest-road"), self.seat_at("largest-army")
        s.longest_road = rightful_road_holder(s, scratch) if road is None else road
        if army is None:
            holders = rightful_army_holders(s)
            army = holders.pop() if len(holders) == 1 else NOBODY
        s.largest_army = army

    # --- cards -----------------------------------------------------------------------------------------------

    def read_cards(self, s: State) -> None:
        """Hands, development cards, supply and deck; of a view the hidden ones are filled in."""
        fault_count = len(self.faults)
        hands, cards = [0] * len(self.colors), [0] * len(self.colors)  # hidden ones
        new_count = 0
        for seat, color in enumerate(self.colors):
            words = self.seat_words.get(color, {})
            hands[seat], s.hand[seat] = self.read_counts(f"{color}:hand", words.get("hand", ""), Cards)
            cards[seat], s.development[seat] = self.read_counts(
                f"{color}:cards", words.get("cards", ""), DevelopmentCards
            )
            unknown_discards, s.discards[seat] = self.read_counts(f"{color}:chosen", words.get("chosen", ""), Cards)
            unknown_played, s.played[seat] = self.read_counts(
                f"{color}:played", words.get("played", ""), DevelopmentCards
            )
            if unknown_discards or unknown_played:
                self.report(f"{color}: chosen discards are known or not told, and played cards are public (INFO-05)")
            if words.get("new"):
                new_count = self.read_new(s, seat, words["new"])
            if self.observer is not None:
                self.check_sight(s, seat, hands[seat], cards[seat])
        if len(self.faults) > fault_count:
            return
        self.share_out(s, hands)
        self.share_out_cards(s, cards)
        if new_count and len(self.faults) == fault_count:
            if new_count > count_cards(s.development[s.active]):
                self.report(
                    f"{self.colors[s.active]}:new=?{new_count}: more than {self.colors[s.active]}:cards (DEV-04)"
                )
            else:
                s.new_cards = _take_up_to(s.development[s.active], new_count, range(N_KINDS))

    def read_new(self, s: State, seat: SeatNumber, text: str) -> int:
        """The cards bought in this turn; returns the number of unknown ones."""
        color = self.colors[seat]
        hidden, known = self.read_counts(f"{color}:new", text, DevelopmentCards)
        if seat != s.active and (hidden or known):
            self.report(
                f"{color}:new: only {self.colors[s.active]}, whose turn it is, can have bought cards in it (BUILD-05)"
            )
        elif self.observer is not None and (hidden if seat == self.observer else known):
            advice = "names its cards" if seat == self.observer else f"has a number, like {color}:new=?1"
            self.report(f"{color}:new: in this view it {advice} (INFO-03)")
        else:
            s.new_cards = known
        return hidden

    def check_sight(self, s: State, seat: SeatNumber, hand: int, cards: int) -> None:
        """A view tells an observer's own cards, and of the others how many there are."""
        color = self.colors[seat]
        if seat == self.observer:
            if hand or cards:
                self.report(f"{color}: the observer's own cards are known; name them instead of ? (INFO-01)")
            return
        if s.hand[seat] or s.discards[seat]:
            self.report(f"{color}: a view tells only how many cards others hold, like {color}:hand=?5 (INFO-01)")
        points_shown = count(s.development[seat], VICTORY_POINT) * single_card(VICTORY_POINT) if s.phase == OVER else 0
        if s.development[seat] != points_shown:
            self.report(
                f"{color}: a view tells only how many development cards others hold, like {color}:cards=?2; when the "
                "game is over, victory-point cards are shown too (INFO-03, WIN-07)"
            )

    def share_out(self, s: State, hidden: list[int]) -> None:
        """The supply is what the players do not hold (COMP-03); hidden hands get any cards that are left."""
        box_counts, remaining = unpack(s.supply), list(unpack(s.supply))
        for seat in range(s.players):
            remaining = [n - n_held for n, n_held in zip(remaining, unpack(s.hand[seat]), strict=True)]
        if min(remaining) < 0:
            s.supply = 0
            return  # card_faults tells
        if "bank" in self.words:
            unknown, supply = self.read_counts("bank", self.words["bank"], Cards)
            remaining_text = " ".join(f"{n}{name}" for n, name in zip(remaining, RESOURCES, strict=True))
            if unknown or not covers(pack(remaining), supply) or sum(remaining) - count_cards(supply) != sum(hidden):
                self.report(
                    f"bank={cite(self.words['bank'])}: with the cards of the players there must be {box_counts[0]} "
                    f"of each kind; {'at most ' if any(hidden) else ''}{remaining_text.replace(' ', ',')} are left "
                    "(COMP-03)"
                )
                return
            s.supply = supply
        elif any(hidden):
            self.report("bank is missing: in a view it says what the hidden hands can hold (INFO-06)")
            return
        else:
            s.supply = pack(remaining)
        undealt = pack(remaining) - s.supply
        for seat, n in enumerate(hidden):
            s.hand[seat] += (hidden_hand := _take_up_to(undealt, n, range(N_KINDS)))
            undealt -= hidden_hand

    def share_out_cards(self, s: State, hidden: list[int]) -> None:
        """The deck is what nobody has drawn (COMP-04); hidden cards are any that are left, victory points last."""
        remaining = list(unpack(s.deck))
        for seat in range(s.players):
            for cards in (s.development[seat], s.played[seat]):
                remaining = [n - n_held for n, n_held in zip(remaining, unpack(cards), strict=True)]
        if min(remaining) < 0:
            s.deck = 0
            return
        undealt = pack(remaining)
        kinds = (0, 2, 3, 4) if s.phase == OVER else (0, 2, 3, 4, VICTORY_POINT)  # WIN-07: all of these are shown
        for seat, n in enumerate(hidden):
            s.development[seat] += (hidden_hand := _take_up_to(undealt, n, kinds))
            undealt -= hidden_hand
            if count_cards(hidden_hand) < n:
                self.report(
                    f"{self.colors[seat]}:cards: so many cannot be hidden, {sum(remaining)} are not known (COMP-04)"
                )
                return
        s.deck = undealt
        if "deck" in self.words:
            unknown, deck = self.read_counts("deck", self.words["deck"], DevelopmentCards)
            fits = re.fullmatch(r"\?[0-9]{1,2}", self.words["deck"]) and unknown == count_cards(undealt)
            if not (fits if self.observer is not None else deck == undealt and not unknown):
                expected = (
                    f"?{count_cards(undealt)}" if self.observer is not None else str(DevelopmentCards.of_lanes(undealt))
                )
                self.report(f"deck={cite(self.words['deck'])}: with the cards drawn it is {expected} (COMP-04)")

    # --- offers and beliefs ----------------------------------------------------------------------------------

    def read_offers(self) -> OpenOffers:
        """The open offers, `offer1=red:1brick,2ore:1wool:blue+,white-`."""
        open_offers = OpenOffers()
        for slot, key in enumerate(OFFER_KEYS):
            if key not in self.words:
                continue
            parts = self.words[key].lower().split(":")
            if len(parts) != 4:
                self.report(
                    f"{key}={cite(self.words[key])}: write maker:give:want:to, like red:1brick:1ore:blue,white+"
                )
                continue
            maker = self.read_seat(key, parts[0])
            sides = [self.read_counts(key, part, Cards)[1] for part in parts[1:3]]
            open_offers.maker[slot], (open_offers.give[slot], open_offers.want[slot]) = max(maker, 0), sides
            if not all(sides):
                self.report(f"{key}: both sides must give at least one card (TRADE-05)")
            for word in parts[3].split(","):
                seat = self.read_seat(key, word.rstrip("+-"))
                if len(word) - len(word.rstrip("+-")) > 1:
                    self.report(f"{key}: {cite(word)}; write + for a yes, - for a no, nothing for no answer yet")
                if seat >= 0:
                    if open_offers.to[slot] >> seat & 1:
                        self.report(f"{key} names {self.colors[seat]} twice")
                    open_offers.to[slot] |= 1 << seat
                    open_offers.yes[slot] |= word.endswith("+") << seat
                    open_offers.no[slot] |= word.endswith("-") << seat
        return open_offers

    def read_belief(self, s: State) -> Belief:
        """What the observer infers; without worlds nothing is told, and the counts stay 0."""
        belief, observer = Belief(), self.observer
        assert observer is not None
        card_hands = {color: words.get("card-hands") for color, words in self.seat_words.items()}
        if "worlds" not in self.words:
            if any(card_hands.values()):
                self.report("card-hands is there without worlds: what can be inferred is told whole or not at all")
            return belief
        hands = [count_cards(s.hand[seat]) for seat in range(s.players)]
        for i, (weight, cards) in enumerate(self.read_weighted_hands("worlds", RESOURCE_LETTERS, s.players, WORLDS)):
            if [count_cards(hand) for hand in cards] != hands or (
                observer < SEATS and cards[observer] != s.hand[observer]
            ):
                self.report(f"worlds, number {i + 1}: it does not fit the hands, which have {hands} cards (INFO-02)")
            belief.weight[observer, i], belief.worlds[observer] = weight, i + 1
            for seat, hand in enumerate(cards):
                belief.hand[observer, i, seat] = hand
        belief.capped[observer] = bool(self.read_flag("worlds-capped"))
        for seat in range(SEATS):
            color = self.colors[seat] if seat < s.players else ""
            words = self.seat_words.get(color, {})
            new_count = count_cards(s.new_cards) if seat == s.active else 0
            text = words.get("card-hands", "1:-/-")
            sizes = [count_cards(s.development[seat]) - new_count, new_count]
            for i, (ways, cards) in enumerate(
                self.read_weighted_hands(f"{color}:card-hands", CARD_LETTERS, 2, CARD_HANDS, text)
            ):
                if [count_cards(part) for part in cards] != sizes:
                    self.report(
                        f"{color}:card-hands, number {i + 1}: not {sizes[0]} old and {sizes[1]} new cards (INFO-03)"
                    )
                belief.card_ways[seat, i], belief.card_hands[seat] = ways, i + 1
                belief.card_old[seat, i], belief.card_new[seat, i] = cards
            capped = words.get("card-hands-capped", "no").lower()
            if capped not in YES_NO:
                self.report(f"{color}:card-hands-capped={cite(capped)}: it is yes or no")
            belief.card_capped[seat] = YES_NO.get(capped, False)
        return belief


def _take_up_to(cards: int, n: int, kinds: Iterable[int]) -> int:
    """Up to `n` cards out of `cards` (lanes), kind after kind."""
    hand = 0
    for kind in kinds:
        amount = min(n, count(cards, kind))
        hand += amount * single_card(kind)
        n -= amount
    return hand
