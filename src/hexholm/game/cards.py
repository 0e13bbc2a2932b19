"""Cards as people count them: how many of each kind.

    >>> from hexholm.game.cards import Cards
    >>> hand = Cards("2 ore 1 grain")
    >>> hand["ore"], hand.total, hand + Cards("1 wool") - Cards("1 ore")
    (2, 3, Cards('1 wool 1 grain 1 ore'))
    >>> Cards("1 ore") <= hand, Cards(ore=2, grain=1) == hand
    (True, True)

Inside the core they are *lanes*, one integer for all five kinds (:mod:`hexholm.rules.encoding.lanes`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import ClassVar, Self

from hexholm.rules.encoding.lanes import N_KINDS, count, pack, unpack
from hexholm.rules.encoding.structs import CARD_KINDS, RESOURCES
from hexholm.rules.errors import BadInput

MOST_CARDS = 127  # what a lane holds


class _Bag(Mapping[str, int]):
    """A multiset of cards that cannot be changed: a mapping of all five kinds to numbers."""

    __slots__ = ("lanes",)
    kinds: ClassVar[tuple[str, ...]]
    numbers: ClassVar[Mapping[str, int]]
    other_names: ClassVar[Mapping[str, str]]
    lanes: int

    def __init__(self, cards: str | Mapping[str, int] | Iterable[str] = (), /, **counted: int) -> None:
        if isinstance(cards, _Bag) and not counted:
            if not isinstance(cards, type(self)):
                raise BadInput(f"{cards!r} are cards of another sort than {type(self).__name__}")
            object.__setattr__(self, "lanes", cards.lanes)
            return
        if isinstance(cards, str):
            cards = self._read(cards)
        if not isinstance(cards, Iterable):
            raise BadInput(f"{cards!r} are no cards; give a text such as '2 ore', or numbers by name")
        pairs = cards.items() if isinstance(cards, Mapping) else ((name, 1) for name in cards)
        counts = [0] * N_KINDS
        for name, n in (*pairs, *counted.items()):
            if type(n) is not int:
                raise BadInput(f"{name} {n!r}: cards are counted in whole numbers")
            counts[self._kind_number(name)] += n
        if min(counts) < 0 or max(counts) > MOST_CARDS:
            raise BadInput(f"{counts}: a number of cards is 0 to {MOST_CARDS}")
        object.__setattr__(self, "lanes", pack(counts))

    @classmethod
    def of_lanes(cls, lanes: int) -> Self:
        """Cards from the core's packed integer."""
        bag = cls.__new__(cls)
        object.__setattr__(bag, "lanes", int(lanes))
        return bag

    @classmethod
    def _kind_number(cls, name: object) -> int:
        spelling = str(name).strip().lower().replace(" ", "-").replace("_", "-")
        spelling = cls.other_names.get(spelling, spelling)
        if spelling not in cls.kinds:
            raise BadInput(f"{name!r} is no such card; there are {', '.join(cls.kinds)}")
        return cls.kinds.index(spelling)

    @classmethod
    def _read(cls, text: str) -> dict[str, int]:
        words = text.replace(",", " ").split()
        if words in (["nothing"], []):
            return {}
        cards: dict[str, int] = {}
        amount: int | None = None
        for word in words:
            match = re.fullmatch(r"(\d{0,3})x?([A-Za-z_-]*)", word)
            if not match or (match[1] and amount is not None):
                raise BadInput(f"cannot read the cards {text!r}; write them like 2 {cls.kinds[4]} 1 {cls.kinds[3]}")
            if match[1]:
                amount = int(match[1])
            if match[2]:
                kind = cls.kinds[cls._kind_number(match[2])]
                cards[kind] = cards.get(kind, 0) + (1 if amount is None else amount)
                amount = None
        if amount is not None:
            raise BadInput(f"cannot read the cards {text!r}; write them like 2 {cls.kinds[4]} 1 {cls.kinds[3]}")
        return cards

    @property
    def total(self) -> int:
        """How many cards there are."""
        return sum(unpack(self.lanes))

    def __getitem__(self, name: str) -> int:
        number = self.numbers.get(name)
        return count(self.lanes, self._kind_number(name) if number is None else number)

    def __iter__(self) -> Iterator[str]:
        return iter(self.kinds)

    def __len__(self) -> int:
        return len(self.kinds)

    def __bool__(self) -> bool:
        return self.lanes != 0

    def __add__(self, other: Self) -> Self:
        return type(self)({name: n + other[name] for name, n in self.items()})

    def __sub__(self, other: Self) -> Self:
        if not other <= self:
            raise BadInput(f"{other} cannot be taken from {self}")
        return self.of_lanes(self.lanes - other.lanes)

    def __le__(self, other: Self) -> bool:
        return all(n <= other[name] for name, n in self.items())

    def __ge__(self, other: Self) -> bool:
        return other <= self

    def __eq__(self, other: object) -> bool:
        if isinstance(other, _Bag):
            return type(other) is type(self) and other.lanes == self.lanes
        return dict(self) == other if isinstance(other, Mapping) else NotImplemented

    def __hash__(self) -> int:
        return hash((type(self).__name__, self.lanes))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"cards cannot be changed: {name}")

    def __reduce__(self) -> tuple[object, ...]:
        return _restore, (type(self), self.lanes)

    def __str__(self) -> str:
        return self.in_words({})

    def in_words(self, words: Mapping[str, str]) -> str:
        """The text in an edition's words (`options.edition_data.words`): `2 wood 1 wheat`."""
        counted_names = ((n, words.get(name.replace("-", "_"), name)) for name, n in self.items() if n)
        return " ".join(f"{n} {name}" for n, name in counted_names) or "nothing"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({'' if not self else repr(str(self))})"


class Cards(_Bag):
    """Resource cards: brick, lumber, wool, grain, ore."""

    __slots__ = ()
    kinds = RESOURCES
    numbers: ClassVar[Mapping[str, int]] = {name: i for i, name in enumerate(RESOURCES)}
    other_names: ClassVar[Mapping[str, str]] = {"wood": "lumber", "wheat": "grain", "sheep": "wool"}


class DevelopmentCards(_Bag):
    """Development cards: knight, victory-point, road-building, year-of-plenty, monopoly."""

    __slots__ = ()
    kinds = CARD_KINDS
    numbers: ClassVar[Mapping[str, int]] = {name: i for i, name in enumerate(CARD_KINDS)}
    other_names: ClassVar[Mapping[str, str]] = {"invention": "year-of-plenty", "knights": "knight"}


def cards_data(cards: Mapping[str, int]) -> dict[str, int]:
    """Cards by kind as plain data: only the kinds there are."""
    return {kind: n for kind, n in cards.items() if n}


def _restore(cls: type[_Bag], lanes: int) -> _Bag:
    return cls.of_lanes(lanes)
