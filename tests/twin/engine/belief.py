"""What an observer can know of hidden cards (contract, "Views"; INFO-01, INFO-03, INFO-07, INFO-09)."""

from __future__ import annotations

from fractions import Fraction
from math import gcd

from .editions import DECK, KINDS, RESOURCES

Hand = tuple[int, ...]  # counts in the order of RESOURCES (or KINDS)
World = tuple[Hand, ...]  # one hand for each seat
OldNew = tuple[Hand, Hand]

_TOTALS = tuple(DECK[kind] for kind in KINDS)
_VICTORY = KINDS.index("victory-point")


def as_hand(cards: dict[str, int]) -> Hand:
    """A dict of resources as a tuple of counts."""
    return tuple(cards.get(kind, 0) for kind in RESOURCES)


def add(hand: Hand, change: Hand) -> Hand:
    """The hand after a change."""
    return tuple(a + b for a, b in zip(hand, change, strict=True))


def single_card(index: int) -> Hand:
    """A single card."""
    return tuple(int(i == index) for i in range(5))


class HandBelief:
    """All joint hands consistent with what one observer (a seat, or None for the public) has seen, with weights.

    A weight is the product of the odds of all thefts that lead to that world. Each theft divides every world by the
    same public size of the victim's hand, so whole numbers are enough; they are normalized when asked for.
    """

    def __init__(self, observer: int | None, players: int) -> None:
        self.observer = observer
        self.worlds: dict[World, int] = {((0,) * 5,) * players: 1}
        self.cached_worlds: list[tuple[Fraction, World]] | None = None

    def _set_worlds(self, worlds: dict[World, int]) -> None:
        assert worlds, "the true world must never be ruled out"
        self.worlds = worlds
        self.cached_worlds = None

    def note_change(self, changes: dict[int, Hand]) -> None:
        """Cards that pass over the open table (INFO-09); worlds in which they were not there drop out."""
        worlds: dict[World, int] = {}
        for world, weight in self.worlds.items():
            hands = list(world)
            for seat, change in changes.items():
                hands[seat] = add(hands[seat], change)
            if all(min(hands[seat]) >= 0 for seat in changes):
                worlds[tuple(hands)] = weight
        self._set_worlds(worlds)

    def show_cards(self, seat: int, cards: Hand) -> None:
        """A seat has shown that it holds at least these cards (by an offer or a yes)."""
        worlds = {
            world: weight
            for world, weight in self.worlds.items()
            if all(have >= need for have, need in zip(world[seat], cards, strict=True))
        }
        if len(worlds) < len(self.worlds):
            self._set_worlds(worlds)

    def show_amount(self, seat: int, kind: int, amount: int) -> None:
        """A seat has shown exactly how many cards of a kind it holds (Monopoly, DEV-24.e2)."""
        worlds = {world: weight for world, weight in self.worlds.items() if world[seat][kind] == amount}
        if len(worlds) < len(self.worlds):
            self._set_worlds(worlds)

    def note_theft(self, thief: int, victim: int, kind: int) -> None:
        """A card moved face down: thief and victim see its kind, for the others each kind is possible (INFO-07)."""
        is_seen = self.observer in (thief, victim)
        worlds: dict[World, int] = {}
        for world, weight in self.worlds.items():
            for k in [kind] if is_seen else range(5):
                count = world[victim][k]
                if count:
                    hands = list(world)
                    hands[victim] = add(hands[victim], tuple(-n for n in single_card(k)))
                    hands[thief] = add(hands[thief], single_card(k))
                    hands_after = tuple(hands)
                    worlds[hands_after] = worlds.get(hands_after, 0) + weight * count
        common = gcd(*worlds.values())
        self._set_worlds({world: weight // common for world, weight in worlds.items()})

    def weighted_worlds(self) -> list[tuple[Fraction, World]]:
        """The worlds with weights that sum to 1, sorted by weight, then by hands."""
        if self.cached_worlds is None:
            total = sum(self.worlds.values())
            pairs = sorted((weight, world) for world, weight in self.worlds.items())
            self.cached_worlds = [(Fraction(weight, total), world) for weight, world in pairs]
        return list(self.cached_worlds)


class CardBelief:
    """For each seat every hidden development hand (old, bought this turn) with its number of draw histories."""

    def __init__(self, players: int) -> None:
        nothing = (0,) * 5
        self.hands: list[dict[OldNew, int]] = [{(nothing, nothing): 1} for _ in range(players)]

    def note_purchase(self, seat: int) -> None:
        """One card of any kind."""
        hands_after: dict[OldNew, int] = {}
        for (old, new), count in self.hands[seat].items():
            for k in range(5):
                key = (old, add(new, single_card(k)))
                hands_after[key] = hands_after.get(key, 0) + count
        self.hands[seat] = hands_after

    def note_play(self, seat: int, kind: str) -> None:
        """A card bought on an earlier turn was laid open (DEV-04)."""
        k = KINDS.index(kind)
        minus = tuple(-n for n in single_card(k))
        self.hands[seat] = {(add(o, minus), n): count for (o, n), count in self.hands[seat].items() if o[k]}

    def age_cards(self, seat: int) -> None:
        """New cards become old ones."""
        hands_after: dict[OldNew, int] = {}
        for (old, new), count in self.hands[seat].items():
            key = (add(old, new), (0,) * 5)
            hands_after[key] = hands_after.get(key, 0) + count
        self.hands[seat] = hands_after

    def drop_too_many(self, all_played: Hand) -> None:
        """No hand has more of a kind than the deck had, less all that were played of it."""
        most = tuple(total - played for total, played in zip(_TOTALS, all_played, strict=True))
        for seat, hands in enumerate(self.hands):
            self.hands[seat] = {
                (old, new): count
                for (old, new), count in hands.items()
                if all(n <= m for n, m in zip(add(old, new), most, strict=True))
            }

    def drop_winners(self, seat: int, most: int) -> None:
        """The game goes on, so the active seat has at most that many victory point cards (WIN-05)."""
        self.hands[seat] = {
            (old, new): count for (old, new), count in self.hands[seat].items() if old[_VICTORY] + new[_VICTORY] <= most
        }
