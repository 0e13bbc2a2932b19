"""Hidden cards by Bayes' rule, one event after the other, in whole numbers: slow, plain, and made for comparison.

Every joint state that can be is followed with its weight: who holds what, and what is left in the deck. Nothing here
counts draw histories or knows of pools.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction

from hexholm.rules.encoding.structs import CARD_KINDS, RESOURCES

Hand = tuple[str, ...]
"""Cards, sorted."""
Joint = tuple[Hand, ...]
"""A hand for each seat."""
BOX = {"knight": 14, "victory-point": 5, "road-building": 2, "year-of-plenty": 2, "monopoly": 2}


def plus(hand: Hand, card: str) -> Hand:
    """The hand with a card more."""
    return tuple(sorted((*hand, card)))


def less(hand: Hand, card: str) -> Hand:
    """The hand with a card less."""
    index = hand.index(card)
    return hand[:index] + hand[index + 1 :]


def with_hand(joint: Joint, seat: int, hand: Hand) -> Joint:
    """The joint hands with one of them replaced."""
    return (*joint[:seat], hand, *joint[seat + 1 :])


def fractions(weights: dict[Joint, int]) -> dict[Joint, Fraction]:
    """Weights as chances."""
    total = sum(weights.values())
    return {joint: Fraction(weight, total) for joint, weight in weights.items()}


class CardsByBayes:
    """The development cards as one observer sees them. Seats 0 to n-1 are old cards, n to 2n-1 the new ones."""

    def __init__(self, players: int, observer: int | None) -> None:
        self.players, self.observer = players, observer
        self.weights: dict[Joint, int] = {((),) * (2 * players): 1}
        self.cards_played: Counter[str] = Counter()

    def _cards_left(self, joint: Joint, kind: str) -> int:
        return BOX[kind] - self.cards_played[kind] - sum(hand.count(kind) for hand in joint)

    def _keep(self, fits: Callable[[Joint], bool]) -> None:
        self.weights = {joint: weight for joint, weight in self.weights.items() if fits(joint)}
        assert self.weights

    def note_purchase(self, seat: int, kind: str) -> None:
        """A card was drawn; only the buyer sees which."""
        weights: dict[Joint, int] = {}
        new = self.players + seat
        for joint, weight in self.weights.items():
            for k in [kind] if seat == self.observer else CARD_KINDS:
                if n := self._cards_left(joint, k):
                    new_joint = with_hand(joint, new, plus(joint[new], k))
                    weights[new_joint] = weights.get(new_joint, 0) + weight * n
        self.weights = weights

    def note_play(self, seat: int, kind: str) -> None:
        """A card that is not new was laid open."""
        self._keep(lambda joint: kind in joint[seat])
        self.cards_played[kind] += 1
        self.weights = {with_hand(j, seat, less(j[seat], kind)): weight for j, weight in self.weights.items()}

    def note_turn_end(self, seat: int) -> None:
        """The turn is over: new cards grow old."""
        weights: dict[Joint, int] = {}
        new = self.players + seat
        for joint, weight in self.weights.items():
            new_joint = with_hand(with_hand(joint, seat, tuple(sorted(joint[seat] + joint[new]))), new, ())
            weights[new_joint] = weights.get(new_joint, 0) + weight
        self.weights = weights

    def note_no_win(self, seat: int, most: int) -> None:
        """The game goes on, so the seat on turn has at most so many victory points hidden."""
        self._keep(lambda joint: (joint[seat] + joint[self.players + seat]).count("victory-point") <= most)

    def note_revealed(self, points: Iterable[int]) -> None:
        """The game is over and all victory points lie open."""
        for seat, n in enumerate(points):
            self._keep(lambda joint, s=seat, n=n: (joint[s] + joint[self.players + s]).count("victory-point") == n)  # type: ignore[misc]

    def odds_of(self, seat: int) -> dict[Hand, Fraction]:
        """The odds of what a seat holds."""
        odds: dict[Hand, Fraction] = {}
        for joint, chance in fractions(self.weights).items():
            hand = tuple(sorted(joint[seat] + joint[self.players + seat]))
            odds[hand] = odds.get(hand, Fraction(0)) + chance
        return odds


class HandsByBayes:
    """The resource hands as one observer sees them, when nothing but thefts is hidden."""

    def __init__(self, observer: int | None, hands: Iterable[Hand]) -> None:
        self.observer = observer
        self.odds: dict[Joint, Fraction] = {tuple(tuple(sorted(hand)) for hand in hands): Fraction(1)}

    def note_theft(self, thief: int, victim: int, kind: str) -> None:
        """A card moved face down; thief and victim see it."""
        odds: dict[Joint, Fraction] = {}
        for joint, chance in self.odds.items():
            for k in [kind] if self.observer in (thief, victim) else RESOURCES:
                if n := joint[victim].count(k):
                    new_joint = with_hand(joint, victim, less(joint[victim], k))
                    new_joint = with_hand(new_joint, thief, plus(new_joint[thief], k))
                    odds[new_joint] = odds.get(new_joint, Fraction(0)) + chance * n / len(joint[victim])
        total = sum(odds.values())
        self.odds = {joint: chance / total for joint, chance in odds.items()}

    def note_holding(self, seat: int, cards: Hand) -> None:
        """A seat has shown that it holds these."""
        fitting = {joint: chance for joint, chance in self.odds.items() if not Counter(cards) - Counter(joint[seat])}
        total = sum(fitting.values())
        self.odds = {joint: chance / total for joint, chance in fitting.items()}
