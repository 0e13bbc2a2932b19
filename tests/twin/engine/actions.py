"""Actions as text: reading and writing (contract, "Actions as text")."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product

from .editions import RESOURCES

Resources = dict[str, int]

PLAIN = {"roll", "end", "buy", "knight", "road-building", "waive"}
PLACED = {"settlement", "city", "road", "robber"}
TRADES = {"offer", "counter", "accept", "reject", "confirm", "withdraw"}
CARD_PLAYS = {"knight", "road-building", "year-of-plenty", "monopoly"}


@dataclass
class Action:
    """A text taken apart; fields that a verb does not have stay empty."""

    verb: str
    place: str = ""
    color: str = ""
    number: int = 0
    give: Resources = field(default_factory=dict)
    want: Resources = field(default_factory=dict)
    to: list[str] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)


def read_cards(words: list[str]) -> Resources:
    """2 wool 1 ore -> {"wool": 2, "ore": 1}; zeros are dropped; "nothing" is an empty side."""
    if words == ["nothing"]:
        return {}
    if len(words) % 2:
        raise ValueError(f"cannot read cards: {words}")
    cards: Resources = {}
    for count, kind in zip(words[::2], words[1::2], strict=True):
        if kind not in RESOURCES or not count.isdigit():
            raise ValueError(f"cannot read cards: {words}")
        cards[kind] = cards.get(kind, 0) + int(count)
    return {kind: cards[kind] for kind in RESOURCES if cards.get(kind)}


def write_cards(cards: Resources) -> str:
    """The canonical spelling: resources in order, count then name."""
    return " ".join(f"{cards[kind]} {kind}" for kind in RESOURCES if cards.get(kind))


def read(text: str) -> Action:
    """Take a text apart; ValueError if it is no action of a player."""
    verb, *words = text.split()
    if verb in PLAIN and not words:
        return Action(verb)
    if verb in PLACED and len(words) == 1:
        return Action(verb, place=words[0])
    if verb == "steal" and len(words) == 1:
        return Action(verb, color=words[0])
    if verb in ("year-of-plenty", "monopoly") and all(word in RESOURCES for word in words):
        if len(words) == 1 or (len(words) == 2 and verb == "year-of-plenty"):
            return Action(verb, kinds=words)
    if verb == "discard":
        return Action(verb, give=read_cards(words))
    number = 0
    if verb in TRADES and verb != "offer":
        if not words or not words[0].startswith("#"):
            raise ValueError(f"cannot read: {text}")
        number = int(words.pop(0)[1:])
    if verb in ("accept", "reject", "withdraw") and not words:
        return Action(verb, number=number)
    if verb == "confirm" and len(words) == 1:
        return Action(verb, number=number, color=words[0])
    if verb in ("supply", "offer", "counter") and ":" in words:
        to: list[str] = []
        if verb == "offer" and "to" in words:
            at = words.index("to")
            words, to = words[:at], words[at + 1 :]
        at = words.index(":")
        return Action(verb, number=number, give=read_cards(words[:at]), want=read_cards(words[at + 1 :]), to=to)
    raise ValueError(f"cannot read: {text}")


def plenty_text(kinds: list[str]) -> str:
    """Year of Plenty with its kinds in the order of the resources."""
    return "year-of-plenty " + " ".join(sorted(kinds, key=RESOURCES.index))


def multisets(hand: Resources, size: int) -> list[Resources]:
    """Every way to take that many cards out of a hand."""
    ranges = [range(min(hand[kind], size) + 1) for kind in RESOURCES]
    return [dict(zip(RESOURCES, counts, strict=True)) for counts in product(*ranges) if sum(counts) == size]
