"""Actions as text, and back.

One canonical spelling, lenient reading: any case, extra blanks, any name of a place, resources in any order and in
the words of any edition. Seats are named by color; the seat that acts is not part of the text.

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

from hexholm.older_names import with_older_names

from .colors import Color, SeatNumber, colors_in
from .encoding import action_codes as act
from .encoding.lanes import N_KINDS, count_cards, pack, unpack, widen
from .encoding.structs import CARD_KINDS, OFFERS, RESOURCES
from .errors import BadInput
from .places import CORNER_NAMES, HEX_NAMES, SIDE_NAMES, UnknownPlace, read_corner, read_hex, read_side


@with_older_names(said="text")
class UnreadableAction(BadInput):
    """A text that is not an action; the message quotes it and says how to write it.

    `reason`: what is wrong, `example`: how to write it, if known. `text`: the whole text.
    """

    def __init__(self, reason: str, example: str = "", *, text: str | None = None) -> None:
        self.reason, self.example, self.text = reason, example, text
        where = "" if text is None else f"cannot read {_quote_start(text)!r}: "
        super().__init__(where + "; ".join(filter(None, [reason, example and f"write it like {example}"])))

    def reason_in(self, words: Mapping[str, str]) -> str:  # noqa: ARG002  # most name nothing that has two names
        """What is wrong, with an edition's words for the resources (`options.edition_data.words`)."""
        return self.reason


class UnknownResource(UnreadableAction):
    """A word that is no resource."""

    def __init__(self, word: str, *, text: str | None = None) -> None:
        self.word = word
        super().__init__(self.reason_in({}), text=text)

    def reason_in(self, words: Mapping[str, str]) -> str:
        names = ", ".join(words.get(name, name) for name in RESOURCES)
        return f"{_quote_start(self.word)!r} is no resource; there are {names}"


_RESOURCE: Final = {name: i for i, name in enumerate(RESOURCES)} | {"wood": 1, "wheat": 3}
_CARD: Final = {name: i for i, name in enumerate(CARD_KINDS)} | {
    "invention": 3,
    "year of plenty": 3,
    "road building": 2,
    "victory point": 1,
}
_PLAIN: Final = {"roll": act.ROLL, "end": act.END, "buy": act.BUY, "waive": act.WAIVE, "knight": act.KNIGHT_CARD}
LONGEST_QUOTE: Final = 80  # characters of what was said that an error repeats
NEVER_PLAYED: Final = "victory points are never played: they count as soon as you have them (DEV-25)"
_MOST_OF_A_KIND: Final = 31  # more of a kind than this cannot be written in an action code


def cards_text(cards: int, words: Mapping[str, str] | None = None) -> str:
    """Lanes as text: `2 brick 1 ore`; `nothing` if there are none. `words` names the resources as an edition does."""
    names = words or {}
    parts = [f"{n} {names.get(name, name)}" for n, name in zip(unpack(cards), RESOURCES, strict=True) if n]
    return " ".join(parts) or "nothing"


def action_text(code: int, colors: Sequence[Color]) -> str:
    """The canonical text of an action code; for a code that names no action or place, words that say so."""
    try:
        return _text_of(code, colors)
    except IndexError:
        return f"code {code}"


def action_in_words(text: str, words: Mapping[str, str]) -> str:
    """The text of an action with the resources as an edition calls them, which is read as well: `monopoly wheat`."""
    return " ".join(words.get(word, word) if word in RESOURCES else word for word in text.split(" "))


def _text_of(code: int, colors: Sequence[Color]) -> str:
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
            return f"{name} {act.first_die_of(code)} {act.second_die_of(code)}"
        case act.YEAR_OF_PLENTY_CARD:
            kinds = sorted(k for k in (act.first_taken_of(code), act.second_taken_of(code)) if k != act.NO_SECOND)
            return " ".join([name, *(RESOURCES[k] for k in kinds)])
        case act.DISCARD:
            return f"{name} {cards_text(widen(x))}"
        case act.SUPPLY:
            give = RESOURCES[act.supply_give_of(code)]
            return f"{name} {act.supply_given_of(code)} {give} : {cards_text(act.supply_want_of(code))}"
        case act.OFFER:
            to = " ".join(colors_in(act.to_of(code), colors))
            return f"{name} {cards_text(act.give_of(code))} : {cards_text(act.want_of(code))} to {to}"
        case act.COUNTER:
            return f"{name} #{act.slot_of(code) + 1} {cards_text(act.give_of(code))} : {cards_text(act.want_of(code))}"
        case act.ACCEPT | act.REJECT | act.WITHDRAW:
            return f"{name} #{act.slot_of(code) + 1}"
        case act.CONFIRM:
            return f"{name} #{act.slot_of(code) + 1} {colors[act.partner_of(code)]}"
    return name


def read_action(text: str, colors: Sequence[Color], speaker: SeatNumber | None = None) -> int:
    """The action code of a text; raises UnreadableAction with advice. `to all`: all but the speaker."""
    words = text.replace(":", " : ").replace(",", " ").lower().split()
    if not words:
        raise UnreadableAction("nothing to read; write an action such as: roll, road C3/ne, end")
    if words[:2] in (["road", "building"], ["year", "of"]):
        words[:] = ["road-building", *words[2:]] if words[0] == "road" else ["year-of-plenty", *words[3:]]
    verb, arguments = words[0], words[1:]
    if verb == "invention":
        verb = "year-of-plenty"
    try:
        return _read_verb(verb, arguments, colors, speaker)
    except UnknownResource as error:
        raise UnknownResource(error.word, text=text) from None
    except UnreadableAction as error:
        raise UnreadableAction(error.reason, error.example, text=text) from None
    except UnknownPlace as error:
        raise UnreadableAction(str(error), text=text) from None


def _quote_start(text: str) -> str:
    """What an error quotes of a text."""
    return text if len(text) <= LONGEST_QUOTE else f"{text[: LONGEST_QUOTE - 4]} ..."


def _read_verb(verb: str, arguments: list[str], colors: Sequence[Color], speaker: SeatNumber | None) -> int:
    if verb in _PLAIN or verb == "road-building":
        _expect_words(arguments, 0, verb)
        return _PLAIN.get(verb, act.ROAD_BUILDING_CARD)
    if verb in ("settlement", "city", "road", "robber"):
        place = "".join(arguments)
        if verb == "robber":
            return act.simple_action(act.ROBBER, read_hex(place))
        if verb == "road":
            return act.simple_action(act.ROAD, read_side(place))
        return act.simple_action(act.SETTLEMENT if verb == "settlement" else act.CITY, read_corner(place))
    if verb == "steal":
        _expect_words(arguments, 1, "steal blue")
        return act.simple_action(act.STEAL, _read_seat(arguments[0], colors))
    if verb in ("monopoly", "stolen", "discard-card"):
        _expect_words(arguments, 1, f"{verb} ore")
        kind = {"monopoly": act.MONOPOLY_CARD, "stolen": act.STOLEN, "discard-card": act.DISCARD_CARD}[verb]
        return act.simple_action(kind, _read_resource(arguments[0]))
    if verb == "drawn":
        name = " ".join(arguments)
        if name not in _CARD:
            raise UnreadableAction(f"{_quote_start(name)!r} is no development card; there are {', '.join(CARD_KINDS)}")
        return act.simple_action(act.DRAWN, _CARD[name])
    if verb == "dice":
        _expect_words(arguments, 2, "dice 3 4")
        if not all(word in "123456" and len(word) == 1 for word in arguments):
            raise UnreadableAction("a die shows 1 to 6", "dice 3 4")
        return act.dice_outcome(int(arguments[0]), int(arguments[1]))
    if verb == "year-of-plenty":
        if len(arguments) == 2 and arguments[0] == "2":
            arguments = [arguments[1], arguments[1]]
        arguments = [word for word in arguments if word != "1"]
        if len(arguments) not in (1, 2):
            raise UnreadableAction("name two resources, or one if only one is left", "year-of-plenty ore wool")
        kinds = sorted(_read_resource(word) for word in arguments)
        return act.plenty_action(kinds[0], kinds[1] if len(kinds) == 2 else act.NO_SECOND)
    if verb == "discard":
        return act.discard_action(_read_cards(arguments, "discard 2 wool 1 ore"))
    if verb == "supply":
        return _read_supply(arguments)
    if verb == "offer":
        return _read_offer(arguments, colors, speaker)
    if verb == "counter":
        if not arguments or not arguments[0].startswith("#"):
            raise UnreadableAction("say which offer is answered", "counter #2 1 brick : 1 ore")
        give, want = _read_sides(arguments[1:], "counter #2 1 brick : 1 ore")
        return act.counter_action(give, want, _read_slot(arguments, "counter #2 1 brick : 1 ore"))
    if verb in ("accept", "reject", "withdraw"):
        _expect_words(arguments, 1, f"{verb} #1")
        kind = {"accept": act.ACCEPT, "reject": act.REJECT, "withdraw": act.WITHDRAW}[verb]
        return act.simple_action(kind, _read_slot(arguments, f"{verb} #1"))
    if verb == "confirm":
        _expect_words(arguments, 2, "confirm #1 blue")
        return act.confirm_action(_read_slot(arguments, "confirm #1 blue"), _read_seat(arguments[1], colors))
    if verb in ("victory-point", "victory"):
        raise UnreadableAction(NEVER_PLAYED)
    raise UnreadableAction(f"{_quote_start(verb)!r} is no action; there are {', '.join(act.KIND_NAMES[1:])}")


def _read_supply(arguments: list[str]) -> int:
    example = "supply 4 ore : 1 wool"
    give, want = _read_sides(arguments, example)
    kinds = [kind for kind, n in enumerate(unpack(give)) if n]
    if not kinds:
        raise UnreadableAction("say what you give; the supply gives nothing away (PORT-01)", example)
    if len(kinds) > 1:
        raise UnreadableAction("what you give is all of one kind (PORT-08)", example)
    give_count, want_count = unpack(give)[kinds[0]], count_cards(want)
    rate, left = divmod(give_count, want_count) if want_count else (0, 1)
    if left or rate > act.HIGHEST_RATE:
        return act.uneven_supply_action(kinds[0], give_count, want)
    return act.supply_action(kinds[0], rate, want)


def _read_offer(arguments: list[str], colors: Sequence[Color], speaker: SeatNumber | None) -> int:
    example = "offer 1 brick : 1 ore to blue"
    if "to" not in arguments:
        raise UnreadableAction("say to whom", example)
    index = arguments.index("to")
    give, want = _read_sides(arguments[:index], example)
    seats = 0
    for word in arguments[index + 1 :]:
        if word == "all":
            seats |= sum(1 << seat for seat in range(len(colors)) if seat != speaker)
        else:
            seats |= 1 << _read_seat(word, colors)
    if not seats:
        raise UnreadableAction("say to whom", example)
    return act.offer_action(give, want, seats)


def _read_sides(words: list[str], example: str) -> tuple[int, int]:
    if words.count(":") != 1:
        raise UnreadableAction("put a colon between the two sides", example)
    index = words.index(":")
    return _read_cards(words[:index], example), _read_cards(words[index + 1 :], example)


def _read_cards(words: list[str], example: str) -> int:
    if words == ["nothing"]:
        return 0
    counts = [0] * N_KINDS
    amount: int | None = None
    for word in words:
        match = re.fullmatch(r"(\d{1,3})x?([a-z]*)", word)
        if match:
            if amount is not None:
                raise UnreadableAction("two numbers in a row", example)
            amount = int(match[1])
        name = match[2] if match else word
        if name:
            kind = _read_resource(name)
            counts[kind] += 1 if amount is None else amount
            amount = None
    if amount is not None or not words:
        raise UnreadableAction("write a number and a resource for each", example)
    if max(counts) > _MOST_OF_A_KIND:
        raise UnreadableAction("there are only 19 of each kind")
    return pack(counts)


def _read_resource(word: str) -> int:
    if word not in _RESOURCE:
        raise UnknownResource(word)
    return _RESOURCE[word]


def _read_seat(word: str, colors: Sequence[Color]) -> int:
    if word not in colors:
        raise UnreadableAction(f"{_quote_start(word)!r} is nobody's color here; the players are {', '.join(colors)}")
    return list(colors).index(word)


def _read_slot(arguments: list[str], example: str) -> int:
    match = re.fullmatch(r"#?([1-9])", arguments[0]) if arguments else None
    if not match or int(match[1]) > OFFERS:
        raise UnreadableAction(f"name an offer by its number, #1 to #{OFFERS}", example)
    return int(match[1]) - 1


def _expect_words(arguments: list[str], n: int, example: str) -> None:
    if len(arguments) != n:
        raise UnreadableAction("", example)


read, say = read_action, action_text
"""As docs/formats/actions.md has them."""

__all__ = ["UnknownResource", "UnreadableAction", "action_in_words", "action_text", "cards_text", "read_action"]
