"""What a person types at the table: a command, a number from the list, or an action, however short.

Anything that can mean one thing only is understood: `ro` for `roll` as long as nothing else that begins so is possible,
`yes` for `accept #1` when one offer lies open, `C3n` for what can be built there, `offer 1 ore for 1 wool` for an offer
to all. The canonical spelling is docs/formats/actions.md. What is not understood is spoken of as it was typed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from hexholm.game.action import PLAYER_ACTIONS, split_speaker
from hexholm.game.game import SeatView
from hexholm.game.views.offer import Offer
from hexholm.rules import notation
from hexholm.rules.errors import BadInput
from hexholm.rules.language.sentences import edition_terms
from hexholm.rules.names import KIND_NAMES, kind_of
from hexholm.rules.places import (
    CORNER_ID,
    CORNER_NAMES,
    HEX_NAMES,
    SIDE_NAMES,
    UnknownPlace,
    read_corner,
    read_hex,
    read_side,
)

from ..shared.plain_text import glue
from .action_examples import DETAIL_NEEDED, action_example, opponents_of, unanswered_offers

TABLE_COMMANDS: Final = {
    "?": "what you may do now; ? road: the same for roads, and how to write it",
    "why": "why not: why city C3n",
    "board": "the board and what everybody has",
    "hand": "what you hold and what building costs",
    "players": "what is known of everybody",
    "offers": "the open offers",
    "log": "what has happened lately; log all: everything",
    "undo": "take back your last action and everything that followed from it",
    "save": "a copy of the game so far: save FILE",
    "rules": "the rule quoted last; also: rules robber, rules ROAD-03",
    "help": "this list",
    "quit": "leave; the game is kept and can be resumed",
}

_SYNONYMS: Final = {
    "y": "accept",
    "yes": "accept",
    "n": "reject",
    "no": "reject",
    "pass": "end",
    "done": "end",
    "bank": "supply",
    "trade": "supply",
    "swap": "supply",
    "settle": "settlement",
    "invention": "year-of-plenty",
    "plenty": "year-of-plenty",
    "exit": "quit",
}
_FILLERS: Final = ("build", "place", "draw", "play", "move", "buy", "a", "the", "to", "card")
_NOISE: Final = {
    **dict.fromkeys(("settlement", "city", "road", "robber"), ("at", "on", "to")),
    "steal": ("a", "card", "tile", "from"),
    "roll": ("the", "dice", "die"),
    "end": ("my", "the", "turn"),
    "buy": ("a", "one", "development", "card", "tile"),
    "knight": ("card", "tile"),
    "road-building": ("card", "tile"),
    "monopoly": ("on", "of", "all", "card", "tile"),
    "waive": ("the", "free", "road", "roads"),
}
"""Words that may follow a kind of action and say nothing; `and` says nothing in a list of cards."""
_PLACES: Final[dict[str, tuple[Callable[[str], int], list[str]]]] = {
    "settlement": (read_corner, CORNER_NAMES),
    "city": (read_corner, CORNER_NAMES),
    "road": (read_side, SIDE_NAMES),
    "robber": (read_hex, HEX_NAMES),
}


class Unclear(BadInput):
    """Something typed that means nothing, or several things."""


class TypedLine(NamedTuple):
    """What was typed."""

    command: str
    """A command, "number" or "do"."""
    argument: str
    """What follows the command, the number, or the text of the action."""
    spelling: str = ""
    """An action as messages call it: as it was typed."""
    alias: str = ""
    """A place as it was typed, if the game calls it otherwise: `C3n is also called B2se`."""


def read_typed_line(line: str, view: SeatView) -> TypedLine:
    """What a line means to the player whose view it is; raises :class:`Unclear`."""
    line = " ".join(line.split())
    if line.startswith("?"):
        return TypedLine("?", line[1:].strip())
    if re.fullmatch(r"\d+[.)]?", line):
        return TypedLine("number", line.rstrip(".)"))
    if re.fullmatch(r"\d+([ ,]+\d+)+", line):
        raise Unclear("One number at a time, please: after each one the list changes.")
    speech = split_speaker(line)
    if speech is not None:
        if speech[0] != view.seat:
            raise Unclear(f"You play {view.seat}, not {speech[0]}.")
        line = speech[1]
    if not line.strip():
        raise Unclear("Say what you do. ? shows what you may do now.")
    if (kind := _kind_for_place(line, view)) is not None:
        line = f"{kind} {line}"
    first_word, details = _first_word(line)
    word = whole_word(first_word, possible_kinds(view))
    if word in TABLE_COMMANDS:
        return TypedLine(word, details)
    return _read_typed_action(first_word, word, details, view)


def possible_kinds(view: SeatView) -> list[str]:
    """The kinds of action that could be meant now: those that are legal, and offers while there is trade."""
    kinds = dict.fromkeys(KIND_NAMES[kind_of(code)] for code in view.legal_actions.codes)
    if view.trade_open:
        kinds["offer"] = None
        if any(view.seat in offer.to for offer in view.offers):
            kinds["counter"] = None
    return list(kinds)


def _first_word(line: str) -> tuple[str, str]:
    """The word that says what is meant, without `build`, `play` and the like before it, and the rest."""
    words = line.split()
    low = [word.lower() for word in words]
    if low[:2] in (["road", "building"], ["year", "of"]):
        words = ["road-building", *words[2:]] if low[0] == "road" else ["year-of-plenty", *words[3:]]
        low = [word.lower() for word in words]
    while len(low) > 1 and low[0] in _FILLERS and any(kind.startswith(low[1]) for kind in (*PLAYER_ACTIONS, *_FILLERS)):
        if low[0] == "buy" and set(low[1:]) <= set(_NOISE["buy"]):
            break
        words, low = words[1:], low[1:]
    return low[0], " ".join(words[1:])


def whole_word(typed_word: str, likely_kinds: list[str]) -> str:
    """The command or kind of action that a word, or its beginning, stands for."""
    if typed_word in TABLE_COMMANDS or typed_word in PLAYER_ACTIONS:
        return typed_word
    if typed_word in _SYNONYMS:
        return _SYNONYMS[typed_word]
    commands = [word for word in TABLE_COMMANDS if word != "rules"]  # so that r is free for roll
    for words in ([*likely_kinds, *commands], [*PLAYER_ACTIONS, *TABLE_COMMANDS]):
        matches = [word for word in dict.fromkeys(words) if word.startswith(typed_word)]
        if len(matches) == 1:
            return matches[0]
        if matches:
            raise Unclear(f"{typed_word!r} could be {' or '.join(matches)}: write a little more.")
    if typed_word.startswith("victory"):
        raise Unclear(f"{notation.NEVER_PLAYED[:1].upper()}{notation.NEVER_PLAYED[1:]}.")
    quoted = typed_word if len(typed_word) <= 40 else f"{typed_word[:36]} ..."
    raise Unclear(f"I do not understand {quoted!r}. ? shows what you may do now, and help what else there is.")


def _kind_for_place(line: str, view: SeatView) -> str | None:
    """What alone can be put on a place of this name; None if it is no name of a place."""
    for kind in ("robber", "road", "settlement"):
        try:
            place = _PLACES[kind][0](line)
        except UnknownPlace:
            continue
        is_own_settlement = kind == "settlement" and place in [CORNER_ID[name] for name in view.settlements()]
        return "city" if is_own_settlement else kind
    return None


# --- actions ---------------------------------------------------------------------------------------------------------


def _read_typed_action(typed_word: str, kind: str, details: str, view: SeatView) -> TypedLine:
    """An action that can be read, whether legal or not; `typed_word` stands for its kind."""
    details = " ".join(word for word in details.split() if word.lower() not in _NOISE.get(kind, ()))
    spelling = f"{typed_word if typed_word in _SYNONYMS else kind} {details}".strip()
    if not details and kind in DETAIL_NEEDED:
        return _complete_kind(spelling, kind, view)
    if kind in _PLACES:
        return _action_at_place(kind, details)
    text = complete_action(kind, details.lower(), view)
    seat = None if view.seat is None else view.colors.index(view.seat)
    try:
        notation.read_action(text, view.colors, seat)
    except notation.UnreadableAction as error:
        terms = edition_words(view)
        advice = error.example and f"write it like {_glued_example(view, kind)}"
        raise Unclear(f"{spelling}: {'; '.join(filter(None, [error.reason_in(terms), advice]))}") from None
    return TypedLine("do", text, spelling)


def _complete_kind(spelling: str, kind: str, view: SeatView) -> TypedLine:
    """A kind of action without the rest of it: the only one there is, or advice."""
    legal = [action.text for action in view.legal_actions if action.kind == kind]
    if len(legal) == 1:
        return TypedLine("do", legal[0], notation.action_in_words(legal[0], edition_words(view)))
    if kind == "counter" and not unanswered_offers(view):
        raise Unclear("No offer is open that you could answer.")
    example = action_example(view, kind)
    reason = None if legal else view.why_not(example)
    if reason is not None and (kind not in ("supply", "offer", "counter") or view.phase != "main" or not view.hand):
        raise Unclear(f"{spelling}: {reason}")
    offer_hint = (
        f"; with players: {_glued_example(view, 'offer')}"
        if spelling in ("trade", "swap") and "offer" in possible_kinds(view)
        else ""
    )
    detail = DETAIL_NEEDED[kind].format_map(edition_words(view))
    raise Unclear(f"{spelling}: {detail}, as in: {_glued_example(view, kind)}{offer_hint}")


def edition_words(view: SeatView) -> Mapping[str, str]:
    """What the edition calls things."""
    return edition_terms("en", view.options.edition)


def _glued_example(view: SeatView, kind: str) -> str:
    return glue(notation.action_in_words(action_example(view, kind), edition_words(view)))


def _action_at_place(kind: str, details: str) -> TypedLine:
    """An action at a place, which may be called by any of its names."""
    read_name, names = _PLACES[kind]
    place = "".join(details.split())
    try:
        name = names[read_name(place)]
    except UnknownPlace as error:
        raise Unclear(f"{kind} {details}: {error}") from None
    spelling = place[:2].upper() + place[2:].lower()
    text = f"{kind} {name}"
    return (
        TypedLine("do", text, text)
        if spelling == name
        else TypedLine("do", text, f"{kind} {spelling} ({name})", spelling)
    )


def complete_action(kind: str, details: str, view: SeatView) -> str:
    """The text of an action, with what goes without saying put in."""
    if kind in ("offer", "counter", "supply", "discard", "year-of-plenty"):
        details = " ".join(":" if word == "for" else word for word in details.split() if word != "and")
    if kind == "offer":
        return f"offer {_with_addressee(details, view)}"
    if kind in ("accept", "reject", "counter"):
        return f"{kind} {_with_number(details, unanswered_offers(view), kind)}"
    if kind == "withdraw":
        return f"{kind} {_with_number(details, [offer for offer in view.offers if offer.by == view.seat], kind)}"
    if kind == "confirm":
        return f"{kind} {_with_partner(details, view)}"
    return f"{kind} {details}".strip()


def _with_addressee(details: str, view: SeatView) -> str:
    """An offer without an addressee goes to all; a waiting player can only mean the active one (TRADE-02)."""
    everybody_asked = "all" if view.active == view.seat else view.active
    terms, to, addressee = details.partition(" to ")
    if not to or addressee.strip() == "all":
        return f"{terms} to {everybody_asked}"
    return details


def _with_number(details: str, offers: list[Offer], kind: str) -> str:
    if re.match(r"#?\d(\s|$)", details) and (kind != "counter" or details.startswith("#")):
        return details
    if len(offers) == 1:
        return f"#{offers[0].number} {details}".strip()
    if not offers:
        raise Unclear("No offer is open that you could answer." if kind != "withdraw" else "You have no open offer.")
    numbers = " or ".join(f"#{offer.number}" for offer in offers)
    raise Unclear(f"Say which offer you mean: {kind} {numbers}.")


def _with_partner(details: str, view: SeatView) -> str:
    """`confirm` and `confirm blue` where only one offer, only one partner can be meant."""
    if details.startswith("#") or details[:1].isdigit():
        number, _, partner = details.partition(" ")
        accepting = [
            color for offer in view.offers if f"#{offer.number}" == f"#{number.lstrip('#')}" for color in offer.yes
        ]
        return f"{number} {accepting[0]}" if not partner and len(accepting) == 1 else details
    acceptances = [(offer.number, color) for offer in view.offers if offer.by == view.seat for color in offer.yes]
    candidates = [(number, color) for number, color in acceptances if details in ("", color)]
    if len(candidates) == 1:
        return f"#{candidates[0][0]} {candidates[0][1]}"
    if not candidates and details and details not in opponents_of(view):
        raise Unclear(f"{details!r} is nobody you could trade with; there are {', '.join(opponents_of(view))}")
    if not candidates:
        raise Unclear(
            f"{details.capitalize()} has not said yes to an offer of yours." if details else "Nobody has said yes."
        )
    raise Unclear(
        "Say with whom: " + " or ".join(glue(f"confirm #{number} {color}") for number, color in candidates) + "."
    )
