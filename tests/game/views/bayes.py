"""Hidden cards by Bayes' rule, one event after the other, in whole numbers: slow, plain, and made for comparison.

Every joint state that can be is followed with its weight: who holds what, and what is left in the deck. Nothing here
counts draw histories or knows of pools.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction

from hexholm.rules.core.encoding.structs import CARD_KINDS, RESOURCES

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
    at = hand.index(card)
    return hand[:at] + hand[at + 1 :]


def with_hand(joint: Joint, seat: int, hand: Hand) -> Joint:
    """The joint hands with one of them replaced."""
    return (*joint[:seat], hand, *joint[seat + 1 :])


def fractions(weights: dict[Joint, int]) -> dict[Joint, Fraction]:
    """Weights as chances."""
    whole = sum(weights.values())
    return {joint: Fraction(weight, whole) for joint, weight in weights.items()}


class Drawn:
    """The development cards as one observer sees them. Seats 0 to n-1 are old cards, n to 2n-1 the new ones."""

    def __init__(self, players: int, observer: int | None) -> None:
        self.players, self.observer = players, observer
        self.weights: dict[Joint, int] = {((),) * (2 * players): 1}
        self.gone: Counter[str] = Counter()

    def _left(self, joint: Joint, kind: str) -> int:
        return BOX[kind] - self.gone[kind] - sum(hand.count(kind) for hand in joint)

    def _keep(self, fits: Callable[[Joint], bool]) -> None:
        self.weights = {joint: weight for joint, weight in self.weights.items() if fits(joint)}
        assert self.weights

    def bought(self, seat: int, kind: str) -> None:
        """A card was drawn; only the buyer sees which."""
        after: dict[Joint, int] = {}
        new = self.players + seat
        for joint, weight in self.weights.items():
            for k in [kind] if seat == self.observer else CARD_KINDS:
                if n := self._left(joint, k):
                    joined = with_hand(joint, new, plus(joint[new], k))
                    after[joined] = after.get(joined, 0) + weight * n
        self.weights = after

    def played(self, seat: int, kind: str) -> None:
        """A card that is not new was laid open."""
        self._keep(lambda joint: kind in joint[seat])
        self.gone[kind] += 1
        self.weights = {with_hand(j, seat, less(j[seat], kind)): weight for j, weight in self.weights.items()}

    def ended(self, seat: int) -> None:
        """The turn is over: new cards grow old."""
        after: dict[Joint, int] = {}
        new = self.players + seat
        for joint, weight in self.weights.items():
            joined = with_hand(with_hand(joint, seat, tuple(sorted(joint[seat] + joint[new]))), new, ())
            after[joined] = after.get(joined, 0) + weight
        self.weights = after

    def not_won(self, seat: int, most: int) -> None:
        """The game goes on, so the seat on turn has at most so many victory points hidden."""
        self._keep(lambda joint: (joint[seat] + joint[self.players + seat]).count("victory-point") <= most)

    def shown(self, points: Iterable[int]) -> None:
        """The game is over and all victory points lie open."""
        for seat, n in enumerate(points):
            self._keep(lambda joint, s=seat, n=n: (joint[s] + joint[self.players + s]).count("victory-point") == n)  # type: ignore[misc]

    def of(self, seat: int) -> dict[Hand, Fraction]:
        """The odds of what a seat holds."""
        odds: dict[Hand, Fraction] = {}
        for joint, chance in fractions(self.weights).items():
            hand = tuple(sorted(joint[seat] + joint[self.players + seat]))
            odds[hand] = odds.get(hand, Fraction(0)) + chance
        return odds


class Stolen:
    """The resource hands as one observer sees them, when nothing but thefts is hidden."""

    def __init__(self, observer: int | None, hands: Iterable[Hand]) -> None:
        self.observer = observer
        self.odds: dict[Joint, Fraction] = {tuple(tuple(sorted(hand)) for hand in hands): Fraction(1)}

    def theft(self, thief: int, victim: int, kind: str) -> None:
        """A card moved face down; thief and victim see it."""
        after: dict[Joint, Fraction] = {}
        for joint, chance in self.odds.items():
            for k in [kind] if self.observer in (thief, victim) else RESOURCES:
                if n := joint[victim].count(k):
                    moved = with_hand(joint, victim, less(joint[victim], k))
                    moved = with_hand(moved, thief, plus(moved[thief], k))
                    after[moved] = after.get(moved, Fraction(0)) + chance * n / len(joint[victim])
        whole = sum(after.values())
        self.odds = {joint: chance / whole for joint, chance in after.items()}

    def holds(self, seat: int, cards: Hand) -> None:
        """A seat has shown that it holds these."""
        kept = {joint: chance for joint, chance in self.odds.items() if not Counter(cards) - Counter(joint[seat])}
        whole = sum(kept.values())
        self.odds = {joint: chance / whole for joint, chance in kept.items()}
