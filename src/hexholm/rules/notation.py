"""Actions as text, and back.

One canonical spelling, lenient reading: any case, extra blanks, any name of a place, resources in any order and in
the words of any edition. Seats are named by colour; the seat that acts is not part of the text.

    roll   end   settlement C3n   city C3n   road C3/ne   buy   robber B2   steal blue   waive
    knight   road-building   year-of-plenty ore wool   monopoly ore   discard 2 wool 1 ore   supply 4 ore : 1 wool
    offer 1 brick 2 ore : 1 wool to red blue   counter #2 1 brick : 1 ore
    accept #1   reject #1   confirm #1 blue   withdraw #1
    dice 3 4   stolen ore   drawn knight                                          (Nature's)
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from .core.encoding import actions as act
from .core.encoding.lanes import pack, total, unpack, widen
from .core.encoding.structs import CARD_KINDS, OFFERS, RESOURCES
from .errors import BadInput
from .places import CORNER_NAMES, HEX_NAMES, SIDE_NAMES, UnknownPlace, read_corner, read_hex, read_side


class UnreadableAction(BadInput):
    """A text that is no action; the message says what was read and how to write it."""


_RESOURCE: Final = {name: i for i, name in enumerate(RESOURCES)} | {"wood": 1, "wheat": 3}
_CARD: Final = {name: i for i, name in enumerate(CARD_KINDS)} | {
    "invention": 3,
    "year of plenty": 3,
    "road building": 2,
    "victory point": 1,
}
_PLAIN: Final = {"roll": act.ROLL, "end": act.END, "buy": act.BUY, "waive": act.WAIVE, "knight": act.KNIGHT_CARD}
LONGEST_QUOTE: Final = 80  # characters of what was said that an error repeats
_MOST: Final = 31  # more of a kind than this cannot be written in an action code


def cards_text(cards: int, words: Mapping[str, str] | None = None) -> str:
    """Lanes as text: `2 brick 1 ore`; `nothing` if there are none. `words` names the resources as an edition does."""
    named = words or {}
    found = [f"{n} {named.get(name, name)}" for n, name in zip(unpack(cards), RESOURCES, strict=True) if n]
    return " ".join(found) or "nothing"


def say(code: int, colors: Sequence[str]) -> str:
    """The canonical text of an action code; for a code that names no action or place, words that say so."""
    try:
        return _text_of(code, colors)
    except IndexError:
        return f"code {code}"


def _text_of(code: int, colors: Sequence[str]) -> str:
    kind, x = act.kind_of(code), act.parameter_of(code)
    name = act.KIND_NAMES[kind]
    match kind:
        case act.SETTLEMENT | act.CITY:
            return f"{name} {CORNER_NAMES[x]}"
        case act.ROAD:
            return f"{name} {SIDE_NAMES[x]}"
        case act.ROBBER:
            return f"{name} {HEX_NAMES[x]}"
        case act.STEAL:
            return f"{name} {colors[x]}"
        case act.MONOPOLY_CARD | act.STOLEN | act.DISCARD_CARD:
            return f"{name} {RESOURCES[x]}"
        case act.DRAWN:
            return f"{name} {CARD_KINDS[x]}"
        case act.DICE:
            return f"{name} {x & 7} {x >> 3}"
        case act.YEAR_OF_PLENTY_CARD:
            kinds = sorted(k for k in (x & 7, x >> 3) if k != act.NO_SECOND)
            return " ".join([name, *(RESOURCES[k] for k in kinds)])
        case act.DISCARD:
            return f"{name} {cards_text(widen(x))}"
        case act.SUPPLY:
            taken = widen(x >> 6)
            return f"{name} {total(taken) * ((x >> 3) & 7)} {RESOURCES[x & 7]} : {cards_text(taken)}"
        case act.OFFER:
            to = [color for seat, color in enumerate(colors) if (act.to_of(code) >> seat) & 1]
            return f"{name} {cards_text(act.give_of(code))} : {cards_text(act.want_of(code))} to {' '.join(to)}"
        case act.COUNTER:
            return f"{name} #{act.to_of(code) + 1} {cards_text(act.give_of(code))} : {cards_text(act.want_of(code))}"
        case act.ACCEPT | act.REJECT | act.WITHDRAW:
            return f"{name} #{(x & 7) + 1}"
        case act.CONFIRM:
            return f"{name} #{(x & 7) + 1} {colors[x >> 3]}"
    return name


def read(text: str, colors: Sequence[str], speaker: int | None = None) -> int:
    """The action code of a text; raises UnreadableAction with advice. `to all`: all but the speaker."""
    words = text.replace(":", " : ").replace(",", " ").lower().split()
    if not words:
        raise UnreadableAction("nothing to read; write an action such as: roll, road C3/ne, end")
    if words[:2] in (["road", "building"], ["year", "of"]):
        words[:] = ["road-building", *words[2:]] if words[0] == "road" else ["year-of-plenty", *words[3:]]
    verb, rest = words[0], words[1:]
    if verb == "invention":
        verb = "year-of-plenty"
    try:
        return _read_verb(verb, rest, colors, speaker)
    except UnreadableAction as problem:
        raise UnreadableAction(f"cannot read {_quote_start(text)!r}: {problem}") from None
    except UnknownPlace as problem:
        raise UnreadableAction(f"cannot read {_quote_start(text)!r}: {problem}") from None


def _quote_start(text: str) -> str:
    """What an error quotes of a text."""
    return text if len(text) <= LONGEST_QUOTE else f"{text[: LONGEST_QUOTE - 4]} ..."


def _read_verb(verb: str, rest: list[str], colors: Sequence[str], speaker: int | None) -> int:
    if verb in _PLAIN or verb == "road-building":
        _expect_words(rest, 0, verb)
        return _PLAIN.get(verb, act.ROAD_BUILDING_CARD)
    if verb in ("settlement", "city", "road", "robber"):
        place = "".join(rest)
        if verb == "robber":
            return act.simple(act.ROBBER, read_hex(place))
        if verb == "road":
            return act.simple(act.ROAD, read_side(place))
        return act.simple(act.SETTLEMENT if verb == "settlement" else act.CITY, read_corner(place))
    if verb == "steal":
        _expect_words(rest, 1, "steal blue")
        return act.simple(act.STEAL, _read_seat(rest[0], colors))
    if verb in ("monopoly", "stolen", "discard-card"):
        _expect_words(rest, 1, f"{verb} ore")
        kind = {"monopoly": act.MONOPOLY_CARD, "stolen": act.STOLEN, "discard-card": act.DISCARD_CARD}[verb]
        return act.simple(kind, _read_resource(rest[0]))
    if verb == "drawn":
        name = " ".join(rest)
        if name not in _CARD:
            raise UnreadableAction(f"{_quote_start(name)!r} is no development card; there are {', '.join(CARD_KINDS)}")
        return act.simple(act.DRAWN, _CARD[name])
    if verb == "dice":
        _expect_words(rest, 2, "dice 3 4")
        if not all(word in "123456" and len(word) == 1 for word in rest):
            raise UnreadableAction("a die shows 1 to 6; write it like dice 3 4")
        return act.dice(int(rest[0]), int(rest[1]))
    if verb == "year-of-plenty":
        if len(rest) == 2 and rest[0] == "2":
            rest = [rest[1], rest[1]]
        rest = [word for word in rest if word != "1"]
        if len(rest) not in (1, 2):
            raise UnreadableAction("name two cards, like year-of-plenty ore wool (one only if the supply holds one)")
        kinds = sorted(_read_resource(word) for word in rest)
        return act.plenty(kinds[0], kinds[1] if len(kinds) == 2 else act.NO_SECOND)
    if verb == "discard":
        return act.discard(_read_cards(rest, "discard 2 wool 1 ore"))
    if verb == "supply":
        return _read_supply(rest)
    if verb == "offer":
        return _read_offer(rest, colors, speaker)
    if verb == "counter":
        if not rest or not rest[0].startswith("#"):
            raise UnreadableAction("say which offer is answered; write it like counter #2 1 brick : 1 ore")
        give, want = _read_sides(rest[1:], "counter #2 1 brick : 1 ore")
        return act.counter(give, want, _read_slot(rest, "counter #2 1 brick : 1 ore"))
    if verb in ("accept", "reject", "withdraw"):
        _expect_words(rest, 1, f"{verb} #1")
        kind = {"accept": act.ACCEPT, "reject": act.REJECT, "withdraw": act.WITHDRAW}[verb]
        return act.simple(kind, _read_slot(rest, f"{verb} #1"))
    if verb == "confirm":
        _expect_words(rest, 2, "confirm #1 blue")
        return act.simple(act.CONFIRM, _read_slot(rest, "confirm #1 blue") | _read_seat(rest[1], colors) << 3)
    raise UnreadableAction(f"{_quote_start(verb)!r} is no action; there are {', '.join(act.KIND_NAMES[1:])}")


def _read_supply(rest: list[str]) -> int:
    example = "supply 4 ore : 1 wool"
    give, taken = _read_sides(rest, example)
    kinds = [kind for kind, n in enumerate(unpack(give)) if n]
    if len(kinds) != 1:
        raise UnreadableAction(f"the cards given to the supply are all of one kind (PORT-08); write it like {example}")
    given, cards = unpack(give)[kinds[0]], total(taken)
    rate = given // cards if cards and given % cards == 0 else 0
    return act.supply(kinds[0], min(rate, 7), taken)


def _read_offer(rest: list[str], colors: Sequence[str], speaker: int | None) -> int:
    example = "offer 1 brick : 1 ore to blue"
    if "to" not in rest:
        raise UnreadableAction(f"say to whom; write it like {example}")
    at = rest.index("to")
    give, want = _read_sides(rest[:at], example)
    seats = 0
    for word in rest[at + 1 :]:
        if word == "all":
            seats |= sum(1 << seat for seat in range(len(colors)) if seat != speaker)
        else:
            seats |= 1 << _read_seat(word, colors)
    return act.offer(give, want, seats)


def _read_sides(words: list[str], example: str) -> tuple[int, int]:
    if words.count(":") != 1:
        raise UnreadableAction(f"two sides with a colon between; write it like {example}")
    at = words.index(":")
    return _read_cards(words[:at], example), _read_cards(words[at + 1 :], example)


def _read_cards(words: list[str], example: str) -> int:
    if words == ["nothing"]:
        return 0
    counts = [0] * 5
    amount: int | None = None
    for word in words:
        joined = re.fullmatch(r"(\d{1,3})x?([a-z]*)", word)
        if joined:
            if amount is not None:
                raise UnreadableAction(f"two numbers in a row; write it like {example}")
            amount = int(joined[1])
        name = joined[2] if joined else word
        if name:
            kind = _read_resource(name)
            counts[kind] += 1 if amount is None else amount
            amount = None
    if amount is not None or not words:
        raise UnreadableAction(f"a number and a resource each; write it like {example}")
    if max(counts) > _MOST:
        raise UnreadableAction("there are only 19 cards of a kind")
    return pack(counts)


def _read_resource(word: str) -> int:
    if word not in _RESOURCE:
        raise UnreadableAction(f"{_quote_start(word)!r} is no resource; there are {', '.join(RESOURCES)}")
    return _RESOURCE[word]


def _read_seat(word: str, colors: Sequence[str]) -> int:
    if word not in colors:
        raise UnreadableAction(f"{_quote_start(word)!r} is nobody's colour here; the players are {', '.join(colors)}")
    return list(colors).index(word)


def _read_slot(rest: list[str], example: str) -> int:
    found = re.fullmatch(r"#?([1-9])", rest[0]) if rest else None
    if not found or int(found[1]) > OFFERS:
        raise UnreadableAction(f"name an offer by its number, #1 to #{OFFERS}; write it like {example}")
    return int(found[1]) - 1


def _expect_words(rest: list[str], n: int, example: str) -> None:
    if len(rest) != n:
        raise UnreadableAction(f"write it like {example}")


__all__ = ["UnreadableAction", "cards_text", "read", "say"]
