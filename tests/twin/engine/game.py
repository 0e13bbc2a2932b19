"""The twin itself: what each action does, chance, and the course of a turn."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

from . import trade
from .actions import CARD_PLAYS, TRADES, Action, Resources, read
from .editions import COSTS, KINDS, RESOURCES, TERRAIN_RESOURCE
from .geometry import HEX_CORNERS
from .legal import legal
from .refusals import free_road_places, why_not
from .table import PAIRS, Table
from .view import full_state, to_act, view


class Twin:
    """One game, played by texts."""

    def __init__(self, config: dict[str, Any]) -> None:
        self.table = Table(config)
        self.events: Counter[str] = self.table.events
        table = self.table
        if table.setup == "fixed":
            self._lay_out(config["board"]["start"])  # SETUP-08: before the start roll
        first = config.get("first")
        if first is None and table.setup == "fixed" and not table.edition.fixed_first_by_roll:
            first = 0  # SETUP-05.e1
        if first is None or first == "roll":
            table.contenders = list(range(table.players))
        else:
            self._begin(first)
            self._after_step(set())

    # the five questions

    def legal(self, seat: int) -> set[str]:
        """All legal actions of a seat, without offers and counter-offers."""
        return legal(self.table, seat)

    def why_not(self, seat: int, text: str) -> str | None:
        """None if the action is legal, else the rule id of the refusal."""
        action = read(text)
        refusal = why_not(self.table, seat, action)
        if refusal is not None:
            self._note_refusal(seat, action, refusal)
        return refusal

    def to_act(self) -> list[int]:
        """The seats that are asked."""
        return to_act(self.table)

    def state(self) -> dict[str, Any]:
        """Everything, as a canonical dict."""
        return full_state(self.table)

    def view(self, seat: int | None) -> dict[str, Any]:
        """What a seat, or the public, may know."""
        return view(self.table, seat)

    def chance(self) -> dict[str, Fraction]:
        """The odds of Nature's actions; empty when no chance is pending."""
        table = self.table
        if table.phase in ("start roll", "dice"):
            pairs = table.bag if table.phase == "dice" and table.bag is not None else PAIRS
            return {f"dice {a} {b}": Fraction(1, len(pairs)) for a, b in pairs}
        if table.phase == "theft":
            assert table.victim is not None
            hand, size = table.hands[table.victim], table.size(table.victim)
            return {f"stolen {kind}": Fraction(n, size) for kind, n in hand.items() if n}  # ROBBER-05.e1
        if table.phase == "draw":
            cards_left = sum(table.deck.values())
            return {f"drawn {kind}": Fraction(n, cards_left) for kind, n in table.deck.items() if n}  # ZIP-10.e1
        return {}

    # the two ways on

    def act(self, seat: int, text: str) -> None:
        """A player's action; ValueError with the rule id if it is refused."""
        refusal = self.why_not(seat, text)
        if refusal is not None:
            raise ValueError(refusal)
        before = self._waiting_at_target()
        self._do(seat, read(text))
        self._after_step(before)

    def deal(self, text: str) -> None:
        """Nature's action."""
        if text not in self.chance():
            raise ValueError(f"not possible now: {text}")
        before = self._waiting_at_target()
        words = text.split()
        if words[0] == "dice":
            pair = (int(words[1]), int(words[2]))
            if self.table.phase == "start roll":
                self._start_roll(sum(pair))
            else:
                self._dice(pair)
        elif words[0] == "stolen":
            self._stolen(words[1])
        else:
            self._drawn(words[1])
        self._after_step(before)

    def _after_step(self, waiting_before: set[int]) -> None:
        """Victory is looked at after each step, for the active seat only (WIN-10, LROAD-13)."""
        table = self.table
        if table.turn_number == 0 or table.phase == "over":
            return
        self.events["target_points_on_others_turn"] += len(self._waiting_at_target() - waiting_before)  # WIN-03
        active = table.turn
        if table.total(active) >= table.target:  # WIN-01, WIN-02
            if table.points(active) < table.target:
                self.events["win_by_hidden_points"] += 1
            table.phase = "over"
            table.winner = active
            table.free_roads = 0
            table.offers.clear()
        else:
            table.card_belief.drop_winners(active, table.target - 1 - table.points(active))

    def _waiting_at_target(self) -> set[int]:
        table = self.table
        return {s for s in range(table.players) if s != table.turn and table.total(s) >= table.target}

    def _note_refusal(self, seat: int, action: Action, refusal: str) -> None:
        """Count the rare refusals."""
        if action.verb in ("accept", "confirm") and refusal == "TRADE-10":
            self.events["accept_after_cards_gone"] += trade.cards_gone(self.table, seat, action)
        if action.verb in ("offer", "counter") and refusal == "TRADE-03" and len(self.table.offers) == 8:
            self.events["ninth_offer_refused"] += 1
        if refusal == "DEV-08":
            self.events["empty_deck_refused"] += 1

    # set-up

    def _lay_out(self, start: dict[str, list[dict[str, Any]]]) -> None:
        """The fixed board: prescribed pieces and start hands of the playing colors (SETUP-08, SETUP-09, SETUP-10)."""
        for seat, color in enumerate(self.table.colors):
            for piece in start[color]:
                self.table.put_settlement(seat, piece["settlement"])
                self.table.put_road(seat, piece["road"])
                if piece["paid"]:
                    self.table.start_resources(seat, piece["settlement"])

    def _start_roll(self, total: int) -> None:
        """The highest total begins; the tied roll again in seat order (SETUP-06, SETUP-07)."""
        table = self.table
        table.start_rolls[table.turn] = total
        waiting = [seat for seat in table.contenders if seat not in table.start_rolls]
        if waiting:
            table.turn = waiting[0]
            return
        best = max(table.start_rolls.values())
        table.contenders = [seat for seat in table.contenders if table.start_rolls[seat] == best]
        table.start_rolls = {}
        table.turn = table.contenders[0]
        if len(table.contenders) == 1:
            self._begin(table.turn)
        else:
            self.events["start_roll_tie"] += 1

    def _begin(self, first: int) -> None:
        """The first player is known: placement rounds, or the first turn."""
        table = self.table
        table.first = first
        if table.setup == "fixed":
            self._start_turn(first)
            return
        round_one = [(first + i) % table.players for i in range(table.players)]
        table.placements = round_one + round_one[::-1]  # SETUP-11, SETUP-12
        table.turn = first
        table.phase = "settlement"

    def _place(self, seat: int, action: Action) -> None:
        """One piece of the placement rounds."""
        table = self.table
        timing = table.edition.start_resources
        second = table.placed >= table.players
        if action.verb == "settlement":
            table.put_settlement(seat, action.place)
            table.last_settlement = action.place
            table.phase = "road"
            if second:
                table.second_settlements[seat] = action.place
                if timing == "settlement":  # SETUP-16
                    table.start_resources(seat, action.place)
            return
        table.put_road(seat, action.place)
        if second and timing == "road":
            table.start_resources(seat, table.last_settlement)
        table.placed += 1
        if table.placed < len(table.placements):
            table.turn = table.placements[table.placed]
            table.phase = "settlement"
            return
        if timing == "round two":
            for owner, corner in sorted(table.second_settlements.items()):
                table.start_resources(owner, corner)
        assert table.first is not None
        self._start_turn(table.first)  # SETUP-17

    # a turn

    def _start_turn(self, seat: int) -> None:
        table = self.table
        table.turn = seat
        table.turn_number += 1
        table.phase = "roll"
        table.rolled = False
        table.dice = None
        table.card_played = False
        table.trading_closed = False
        if table.total(seat) >= table.target:  # WIN-08; the step ends with the check
            self.events["won_at_turn_start"] += 1

    def _do(self, seat: int, action: Action) -> None:
        """Carry out an action that is not refused."""
        table = self.table
        verb = action.verb
        if table.turn_number == 0:
            self._place(seat, action)
        elif verb in TRADES:
            trade.do_trade(table, seat, action)
        elif verb == "supply":
            trade.do_supply(table, seat, action)
        elif verb == "discard":
            self._discard(seat, action.give)
        elif verb == "robber":
            self._move_robber(action.place)
        elif verb == "steal":
            victim = table.seat_of(action.color)
            assert victim is not None
            self._rob(victim)
        elif verb in CARD_PLAYS:
            self._play_card(seat, action)
        elif verb == "waive":
            table.free_roads = 0
            self._go_on()
        elif verb == "roll":
            table.phase = "dice"
        elif verb == "end":
            self._end_turn(seat)
        elif table.phase == "free road":
            self._free_road(seat, action.place)
        else:
            self._build(seat, action)

    def _go_on(self) -> None:
        """Back to where the turn was (PHASE-10)."""
        self.table.phase = "main" if self.table.rolled else "roll"

    def _end_turn(self, seat: int) -> None:
        """The dice go to the left neighbor (PHASE-08); offers end, new cards become old (TRADE-03.e2, DEV-04.e2)."""
        table = self.table
        if table.offers:
            self.events["offer_open_at_turn_end"] += 1
        table.offers.clear()
        table.new_cards = dict.fromkeys(KINDS, 0)
        table.card_belief.age_cards(seat)
        self._start_turn(table.clockwise(seat))

    def _build(self, seat: int, action: Action) -> None:
        """A paid build or purchase (BUILD-01); with separate phases it ends trading (PHASE-05)."""
        table = self.table
        table.pay(seat, COSTS["development" if action.verb == "buy" else action.verb])
        if table.separate:
            table.trading_closed = True
            table.offers.clear()
        if action.verb == "road":
            table.put_road(seat, action.place)
        elif action.verb == "settlement":
            table.put_settlement(seat, action.place)
        elif action.verb == "city":
            table.put_city(seat, action.place)
        else:
            table.phase = "draw"

    def _drawn(self, kind: str) -> None:
        """The bought card (DEV-01)."""
        table = self.table
        table.deck[kind] -= 1
        table.development[table.turn][kind] += 1
        table.new_cards[kind] += 1
        table.card_belief.note_purchase(table.turn)
        self._limit_card_belief()
        if not sum(table.deck.values()):
            self.events["deck_emptied"] += 1
        table.phase = "main"

    def _limit_card_belief(self) -> None:
        played = tuple(sum(seat[kind] for seat in self.table.played) for kind in KINDS)
        self.table.card_belief.drop_too_many(played)

    # the roll

    def _dice(self, pair: tuple[int, int]) -> None:
        """Production, or a seven (PROD-01, SEVEN-01)."""
        table = self.table
        if table.bag is not None:  # balanced-1
            table.bag.remove(pair)
            if len(table.bag) <= 12:
                table.bag = list(PAIRS)
        table.dice = pair
        table.rolled = True
        if sum(pair) != 7:
            table.phase = "main"
            self._produce(sum(pair))
            return
        sizes = [table.size(seat) for seat in range(table.players)]
        table.owed = [size // 2 if size > table.hand_limit else 0 for size in sizes]  # SEVEN-02, SEVEN-06
        owing = sum(1 for owed in table.owed if owed)
        table.phase = "discard" if owing else "robber"
        if owing >= 2:
            self.events["discards_simultaneous"] += 1

    def _produce(self, number: int) -> None:
        """Every hex with that number, but not under the robber (PROD-01 to PROD-10)."""
        table = self.table
        claims: dict[str, Counter[int]] = {kind: Counter() for kind in RESOURCES}
        for name, terrain in table.terrain.items():
            kind = TERRAIN_RESOURCE[terrain]
            if table.number[name] != number or name == table.robber or kind is None:  # PROD-07, MAP-06
                continue
            for corner in HEX_CORNERS[name].values():
                owner = table.building_owner.get(corner)
                if owner is not None:
                    claims[kind][owner] += 2 if corner in table.cities[owner] else 1  # PROD-02, PROD-04
        gains: dict[int, Resources] = {}
        for kind, claim in claims.items():
            if claim.total() > table.supply[kind]:
                if len(claim) > 1:  # PROD-08: nobody gets any
                    self.events["shortage_several"] += 1
                    continue
                self.events["shortage_one_taker"] += 1
                for seat in claim:  # PROD-09: the only claimant gets what is left
                    claim[seat] = table.supply[kind]
            for seat, count in claim.items():
                gains.setdefault(seat, {})[kind] = count
        table.move_cards(gains)

    def _discard(self, seat: int, cards: Resources) -> None:
        """Choices stay hidden; all change hands when the last is in (SEVEN-05.e2, INFO-08)."""
        table = self.table
        table.discards[seat] = {kind: cards.get(kind, 0) for kind in RESOURCES}
        if any(owed and discard is None for owed, discard in zip(table.owed, table.discards, strict=True)):
            return
        table.move_cards({s: {k: -n for k, n in c.items()} for s, c in enumerate(table.discards) if c is not None})
        table.owed = [0] * table.players
        table.discards = [None] * table.players
        table.phase = "robber"

    # the robber

    def _move_robber(self, name: str) -> None:
        """Move, then steal from one opponent there (ROBBER-02, ROBBER-05 to ROBBER-12)."""
        table = self.table
        table.robber = name
        candidates = table.opponents_at(name, table.turn)
        if len(candidates) > 1:
            self.events["victim_choice"] += 1
            table.phase = "victim"  # ROBBER-06
        elif candidates:
            self._rob(candidates[0])  # ROBBER-12.e1
        else:
            self.events["robber_without_victim"] += 1  # ROBBER-08
            self._go_on()

    def _rob(self, victim: int) -> None:
        if self.table.size(victim):
            self.table.victim = victim
            self.table.phase = "theft"
        else:
            self.events["theft_from_empty_hand"] += 1  # ROBBER-07
            self._go_on()

    def _stolen(self, kind: str) -> None:
        """One card moves face down (ROBBER-11, INFO-07)."""
        table = self.table
        victim = table.victim
        assert victim is not None
        table.hands[victim][kind] -= 1
        table.hands[table.turn][kind] += 1
        for belief in table.beliefs.values():
            belief.note_theft(table.turn, victim, RESOURCES.index(kind))
        table.victim = None
        self._go_on()

    # development cards

    def _play_card(self, seat: int, action: Action) -> None:
        """The card is spent when announced (DEV-28)."""
        table = self.table
        kind = action.verb
        table.development[seat][kind] -= 1
        table.played[seat][kind] += 1
        table.card_played = True
        table.card_belief.note_play(seat, kind)
        self._limit_card_belief()
        if kind == "knight":
            table.reassign_largest_army(seat)  # DEV-14.e1: before the robber moves
            table.phase = "robber"
        elif kind == "road-building":
            roads_left = table.roads_left(seat)
            table.free_roads = 2 if roads_left is None else min(2, roads_left)  # DEV-18.e1
            table.free_road_placed = False
            table.phase = "free road"
        elif kind == "year-of-plenty":
            if min(table.supply.values()) < 2:
                self.events["year_of_plenty_short"] += 1
            table.move_cards({seat: {k: action.kinds.count(k) for k in action.kinds}})  # DEV-19
        else:
            self._monopoly(seat, action.kinds[0])

    def _free_road(self, seat: int, side: str) -> None:
        """A road without paying; the second follows if there is a place for it (DEV-16, DEV-18)."""
        table = self.table
        first = not table.free_road_placed
        table.put_road(seat, side)
        table.free_roads -= 1
        table.free_road_placed = True
        if not table.free_roads or not free_road_places(table, seat):
            if first:
                self.events["road_building_one_road"] += 1
            table.free_roads = 0
            self._go_on()

    def _monopoly(self, seat: int, kind: str) -> None:
        """Every other player hands over all cards of one kind (DEV-22); the amounts are public (DEV-24.e2)."""
        table = self.table
        if table.offers:
            self.events["monopoly_under_open_offer"] += 1
        opponents = [s for s in range(table.players) if s != seat]
        amounts = {s: table.hands[s][kind] for s in opponents}
        for belief in table.beliefs.values():
            for s in opponents:
                belief.show_amount(s, RESOURCES.index(kind), amounts[s])
        changes: dict[int, Resources] = {s: {kind: -amount} for s, amount in amounts.items()}
        changes[seat] = {kind: sum(amounts.values())}
        table.move_cards(changes)
