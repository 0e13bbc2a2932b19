"""The odds of hidden cards, from what a seat's view holds (docs/decisions/0004).

*Resource hands* (:class:`HandOdds`): the view lists every joint hand that fits what the observer has seen, with its
weight. The weights are floating point numbers; every sum below is as exact as they are.

*Development cards* (:class:`DevelopmentOdds`): the view lists for each seat every hidden hand with the number of
ordered draws that lead there. What one seat drew the others cannot have drawn, so the hands hang together through the
pool of cards the observer has not seen: of U cards of a kind, n were drawn in U (U - 1) ... (U - n + 1) ways. All
joint hands weigh

    product over seats of ways(hand)  x  product over kinds of U (U - 1) ... (n factors, n of that kind in all hands)

These are whole numbers, and everything is computed in whole numbers: the odds are exact, as fractions, as long as no
hidden hand had to be dropped for lack of room. Sizes of hands are public and the box has few cards of most kinds, so a
seat has at most 162 hidden hands that differ in what they hold; sums over the other seats are made once.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import accumulate, product
from math import factorial, fsum, perm, prod
from typing import Final

from hexholm.rules.colors import SeatNumber
from hexholm.rules.encoding.lanes import N_KINDS, count_cards, covers, pack, single_card, unpack
from hexholm.rules.encoding.phases import OVER
from hexholm.rules.encoding.structs import SEATS, VICTORY_POINT, View
from hexholm.rules.errors import BadInput
from hexholm.rules.initial_state import full_deck
from hexholm.rules.queries import add_card_points
from hexholm.rules.setup.editions import Edition

OldNew = tuple[int, int]
"""Development cards held since before this turn, and those bought on it (lanes)."""
Ways = dict[int, int]
"""Cards (lanes), and the number of ways they may have been drawn."""

NO_BELIEF: Final = "this text does not carry what the seat has inferred; take the view from a game, or from its record"


class HandOdds:
    """The joint resource hands an observer thinks possible ("worlds"), with their weights."""

    __slots__ = ("_sums", "hands", "weights")

    def __init__(self, view: View) -> None:
        n = view.worlds
        if n == 0:
            raise BadInput(NO_BELIEF)
        fields = view.buffer.view(View.dtype)
        self.weights: list[float] = fields["world_weight"][0, :n].tolist()
        self.hands: list[list[int]] = fields["world_hand"][0, :n].tolist()
        """By world, then by seat, in lanes."""
        self._sums = list(accumulate(self.weights))

    def ranges(self, seat: SeatNumber) -> list[tuple[int, int]]:
        """The least and the most of each kind that a seat may hold."""
        counts = [unpack(hands[seat]) for hands in self.hands]
        return [(min(kind), max(kind)) for kind in zip(*counts, strict=True)]

    def odds(self, seat: SeatNumber) -> list[dict[int, float]]:
        """For each kind how likely every number of cards is that a seat may hold."""
        weights_by_count: list[dict[int, list[float]]] = [{} for _ in range(N_KINDS)]
        for weight, hands in zip(self.weights, self.hands, strict=True):
            for kind, n in enumerate(unpack(hands[seat])):
                weights_by_count[kind].setdefault(n, []).append(weight)
        return [{n: fsum(weights) for n, weights in sorted(kind.items())} for kind in weights_by_count]

    def probability_of(self, seat: SeatNumber, cards: int) -> float:
        """How likely it is that a seat holds at least these cards."""
        fit = [covers(hands[seat], cards) for hands in self.hands]
        if all(fit):
            return 1.0  # whatever the rounding of the weights
        return fsum(weight for weight, fits in zip(self.weights, fit, strict=True) if fits)

    def draw(self, rng: random.Random) -> list[int]:
        """The hands of one world, taken by its weight."""
        index = bisect_right(self._sums, rng.random() * self._sums[-1])
        return self.hands[min(index, len(self.hands) - 1)]


class DevelopmentOdds:
    """The joint hidden development hands of some seats that draw from one pool."""

    __slots__ = ("_choices", "_joint", "_splits", "_ways_to_draw", "_weights", "pool", "ways")

    def __init__(self, pool: int, hands: Mapping[int, Mapping[OldNew, int]]) -> None:
        self.pool = pool
        """All cards in hidden hands and in the deck, in lanes."""
        self.ways: dict[int, Ways] = {}
        """For each seat its hidden hands with their ways, old and new cards thrown together."""
        self._splits: dict[int, dict[int, list[tuple[OldNew, int]]]] = {}
        for seat, seat_hands in hands.items():
            self.ways[seat] = {}
            self._splits[seat] = {}
            for (old, new), ways in seat_hands.items():
                self.ways[seat][old + new] = self.ways[seat].get(old + new, 0) + ways
                self._splits[seat].setdefault(old + new, []).append(((old, new), ways))
        self._ways_to_draw: Ways = {}
        self._joint: dict[tuple[int, ...], Ways] = {(): {0: 1}}
        self._weights: dict[tuple[tuple[int, ...], int], Ways] = {}
        self._choices: dict[tuple[tuple[int, ...], int], tuple[list[int], list[int]]] = {}

    def ways_to_draw(self, cards: int) -> int:
        """In how many ways these cards can come from the pool, one after the other in a given order of kinds."""
        if cards not in self._ways_to_draw:
            self._ways_to_draw[cards] = prod(
                perm(in_pool, n) for in_pool, n in zip(unpack(self.pool), unpack(cards), strict=True)
            )
        return self._ways_to_draw[cards]

    def weights(self, seat: SeatNumber) -> Ways:
        """The hidden hands of a seat that are possible, with their weights: whole numbers, not normalized."""
        return self._seat_weights((seat, *(other_seat for other_seat in self.ways if other_seat != seat)), 0)

    def odds(self, seat: SeatNumber) -> dict[int, Fraction]:
        """The hidden hands of a seat with their chances, exact."""
        weights = self.weights(seat)
        total_weight = sum(weights.values())
        return {cards: Fraction(weight, total_weight) for cards, weight in weights.items()}

    @property
    def possible(self) -> bool:
        """Whether there is any joint hand at all."""
        return not self.ways or bool(self.weights(next(iter(self.ways))))

    def draw(self, rng: random.Random) -> dict[int, OldNew]:
        """Hidden hands of all seats, taken together by their joint weights."""
        seats = tuple(self.ways)
        cards_before, hands = 0, {}
        for i, seat in enumerate(seats):
            cards = self._choose_hand(rng, seats[i:], cards_before)
            cards_before += cards
            splits = self._splits[seat][cards]
            hands[seat] = splits[0][0] if len(splits) == 1 else _pick(rng, splits)
        return hands

    def _choose_hand(self, rng: random.Random, seats: tuple[int, ...], cards_before: int) -> int:
        """The hand of the first of `seats`, when those before it hold `cards_before`."""
        key = seats, cards_before
        if key not in self._choices:
            weights = self._seat_weights(seats, cards_before)
            self._choices[key] = list(weights), list(accumulate(weights.values()))
        hands, sums = self._choices[key]
        return hands[bisect_right(sums, rng.randrange(sums[-1]))]

    def _seat_weights(self, seats: tuple[int, ...], cards_before: int) -> Ways:
        """The hands of the first of `seats` with their weights, when seats not among them hold `cards_before`."""
        if (seats, cards_before) not in self._weights:
            weights, ways_to_draw, other_ways = {}, self._ways_to_draw, self._joint_ways(seats[1:])
            for cards, ways in self.ways[seats[0]].items():
                weight, cards_so_far = 0, cards_before + cards
                for other_cards, n in other_ways.items():
                    all_cards = cards_so_far + other_cards
                    weight += n * (
                        ways_to_draw[all_cards] if all_cards in ways_to_draw else self.ways_to_draw(all_cards)
                    )  # the innermost loop of all
                if weight:
                    weights[cards] = ways * weight
            self._weights[seats, cards_before] = weights
        return self._weights[seats, cards_before]

    def _joint_ways(self, seats: tuple[int, ...]) -> Ways:
        """What these seats may hold together, with its ways; sums that the pool cannot give are left out."""
        if seats not in self._joint:
            sums: Ways = {}
            for cards, ways in self._joint_ways(seats[1:]).items():
                for own_cards, n in self.ways[seats[0]].items():
                    sums[cards + own_cards] = sums.get(cards + own_cards, 0) + ways * n
            self._joint[seats] = {cards: ways for cards, ways in sums.items() if covers(self.pool, cards)}
        return self._joint[seats]


def development_odds(view: View, edition: Edition) -> DevelopmentOdds:
    """The hidden development hands as the observer of a view must see them: its own cards it knows.

    When the game is over the victory point cards of all lie open (WIN-07), and only hands with just these are left.
    """
    seats = [seat for seat in range(view.players) if seat != view.observer]
    if not all(view.card_hands[seat] for seat in seats):
        raise BadInput(NO_BELIEF)
    pool = full_deck(edition) - sum(view.played[seat] for seat in range(SEATS))
    if view.observer < SEATS:
        pool -= view.development[view.observer]
    fields = view.buffer.view(View.dtype)
    hands: dict[int, dict[OldNew, int]] = {}
    for seat in seats:
        n, points_shown = view.card_hands[seat], view.revealed[seat]
        old, new, ways = (fields[name][0, seat, :n].tolist() for name in ("card_old", "card_new", "card_ways"))
        hands[seat] = {
            (o, m): int(w)
            for o, m, w in zip(old, new, ways, strict=True)
            if points_shown < 0 or _points(o) + _points(m) == points_shown
        }
    odds = DevelopmentOdds(pool, hands)
    if odds.possible:
        return odds
    # All that would fit was dropped for lack of room: for those seats take every hand that can be, all draws alike.
    for seat in seats:
        if view.card_capped[seat]:
            hands[seat] = dict(_possible_hands(view, pool, seat))
    odds = DevelopmentOdds(pool, hands)
    if not odds.possible:
        raise BadInput("the development cards of this view cannot all come from one box; a card is counted twice")
    return odds


def _possible_hands(view: View, pool: int, seat: SeatNumber) -> Iterator[tuple[OldNew, int]]:
    """Every hidden hand of the right size that would not have won and agrees with what is revealed."""
    n_new = view.new_count if seat == view.active else 0
    points_shown = view.revealed[seat]
    for old in _multisets(pool, view.card_count[seat] - n_new):
        for new in _multisets(pool - old, n_new):
            points = _points(old) + _points(new)
            enough = add_card_points(view.points[seat], points, view.points_card) >= view.points_to_win
            won = enough and seat == view.active and view.phase != OVER
            if not won and points_shown in (-1, points):
                yield (old, new), _orders(old) * _orders(new)


def _multisets(pool: int, size: int) -> Iterator[int]:
    """All hands of that size from the pool."""
    most = unpack(pool)
    for counts in product(*(range(n + 1) for n in most[1:])):
        first = size - sum(counts)
        if 0 <= first <= most[0]:
            yield pack((first, *counts))


def sample_cards(rng: random.Random, cards: int, n: int) -> int:
    """`n` of these cards (lanes); as a rule all of them. Fewer, where a position was set up with a smaller deck."""
    spare = count_cards(cards) - n
    if spare < 0:
        raise BadInput(f"{n} development cards in the deck, but only {count_cards(cards)} of the box are not elsewhere")
    kinds = [kind for kind, count in enumerate(unpack(cards)) for _ in range(count)] if spare else []
    return cards - sum(single_card(kind) for kind in rng.sample(kinds, spare))


def _orders(cards: int) -> int:
    """In how many orders of kinds a hand may have been drawn."""
    return factorial(count_cards(cards)) // prod(map(factorial, unpack(cards)))


def _points(cards: int) -> int:
    return unpack(cards)[VICTORY_POINT]


def _pick(rng: random.Random, weighted: Iterable[tuple[OldNew, int]]) -> OldNew:
    """One of several, by weight."""
    items, weights = zip(*weighted, strict=True)
    sums = list(accumulate(weights))
    return items[bisect_right(sums, rng.randrange(sums[-1]))]  # type: ignore[no-any-return]
