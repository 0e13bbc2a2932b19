"""What a person types at the table: a command, a number from the list, or an action, however short.

Anything that can mean one thing only is understood: `ro` for `roll` as long as nothing else that begins so is possible,
`yes` for `accept #1` when one offer lies open, `C3n` for what can be built there, `offer 1 ore for 1 wool` for an offer
to all. The canonical spelling is docs/formats/actions.md. What is not understood is spoken of as it was typed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from hexholm.game.action import PLAYER_ACTIONS, split_speaker
from hexholm.game.game import SeatView
from hexholm.game.views.offer import Offer
from hexholm.rules import notation
from hexholm.rules.errors import BadInput
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

from ..shared.plain_text import glued
from .action_examples import LACKING, action_example, others, waiting

TABLE_COMMANDS: Final = {
    "?": "what you may do now; ? road: the same for roads, and how to write it",
    "why": "why not: why city C3n",
    "board": "the board and everybody's points and cards",
    "hand": "your cards and what building costs",
    "players": "what is known of everybody",
    "offers": "the open offers",
    "log": "what happened lately; log all: everything",
    "undo": "take back your last action, and all that came of it",
    "save": "a copy of the game so far: save FILE",
    "rules": "the rule quoted last; also: rules longest road, rules ROAD-03",
    "help": "this list",
    "quit": "leave; the game is kept and can be resumed",
}

_OTHER_WORDS: Final = {
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


class Typed(NamedTuple):
    """What was typed."""

    what: str
    """A command, "number" or "do"."""
    rest: str
    """What follows the command, the number, or the text of the action."""
    said: str = ""
    """An action as messages call it: as it was typed."""
    alias: str = ""
    """A place as it was typed, if the game calls it otherwise: `C3n is also called B2se`."""


def parse(line: str, view: SeatView) -> Typed:
    """What a line means to the player whose view it is; raises :class:`Unclear`."""
    line = " ".join(line.split())
    if line.startswith("?"):
        return Typed("?", line[1:].strip())
    if re.fullmatch(r"\d+[.)]?", line):
        return Typed("number", line.rstrip(".)"))
    if re.fullmatch(r"\d+([ ,]+\d+)+", line):
        raise Unclear("One number at a time, please: what you may do then is another list.")
    said = split_speaker(line)
    if said is not None:
        if said[0] != view.seat:
            raise Unclear(f"You play {view.seat}, not {said[0]}.")
        line = said[1]
    if not line.strip():
        raise Unclear("Say what you do. ? shows what you may do now.")
    if (kind := _for_a_place(line, view)) is not None:
        line = f"{kind} {line}"
    first, rest = _first_word(line)
    word = whole_word(first, possible_kinds(view))
    if word in TABLE_COMMANDS:
        return Typed(word, rest)
    return _action(first, word, rest, view)


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


def whole_word(first: str, now: list[str]) -> str:
    """The command or kind of action that a word, or its beginning, stands for."""
    if first in TABLE_COMMANDS or first in PLAYER_ACTIONS:
        return first
    if first in _OTHER_WORDS:
        return _OTHER_WORDS[first]
    commands = [word for word in TABLE_COMMANDS if word != "rules"]  # so that r is free for roll
    for words in ([*now, *commands], [*PLAYER_ACTIONS, *TABLE_COMMANDS]):
        found = [word for word in dict.fromkeys(words) if word.startswith(first)]
        if len(found) == 1:
            return found[0]
        if found:
            raise Unclear(f"{first!r} could be {' or '.join(found)}: write a little more.")
    said = first if len(first) <= 40 else f"{first[:36]} ..."
    raise Unclear(f"I do not understand {said!r}. ? shows what you may do now, help what else there is.")


def _for_a_place(line: str, view: SeatView) -> str | None:
    """What alone can be put on a place of this name; None if it is no name of a place."""
    for kind in ("robber", "road", "settlement"):
        try:
            place = _PLACES[kind][0](line)
        except UnknownPlace:
            continue
        mine = kind == "settlement" and place in [CORNER_ID[name] for name in view.settlements()]
        return "city" if mine else kind
    return None


# --- actions ---------------------------------------------------------------------------------------------------------


def _action(first: str, kind: str, rest: str, view: SeatView) -> Typed:
    """An action that can be read, whether legal or not; `first` is the word that was typed for its kind."""
    rest = " ".join(word for word in rest.split() if word.lower() not in _NOISE.get(kind, ()))
    said = f"{first if first in _OTHER_WORDS else kind} {rest}".strip()
    if not rest and kind in LACKING:
        return _complete_kind(said, kind, view)
    if kind in _PLACES:
        return _action_at_place(kind, rest)
    text = complete_action(kind, rest.lower(), view)
    seat = None if view.seat is None else view.colors.index(view.seat)
    try:
        notation.read(text, view.colors, seat)
    except notation.UnreadableAction as problem:
        wrong = str(problem).removeprefix(f"cannot read {text!r}: ")
        wrong = re.sub(r"(?<=write it like ).*", glued(action_example(view, kind)), wrong)
        raise Unclear(f"{said}: {wrong}") from None
    return Typed("do", text, said)


def _complete_kind(said: str, kind: str, view: SeatView) -> Typed:
    """A kind of action without the rest of it: the only one there is, or advice."""
    legal = [action.text for action in view.legal_actions if action.kind == kind]
    if len(legal) == 1:
        return Typed("do", legal[0], legal[0])
    if kind == "counter" and not waiting(view):
        raise Unclear("No offer is open that you could answer.")
    shown = action_example(view, kind)
    reason = None if legal else view.why_not(shown)
    if reason is not None and (kind not in ("supply", "offer", "counter") or view.phase != "main" or not view.hand):
        raise Unclear(f"{said}: {reason}")
    more = (
        f"; with players: {action_example(view, 'offer')}"
        if said in ("trade", "swap") and "offer" in possible_kinds(view)
        else ""
    )
    raise Unclear(f"{said}: {LACKING[kind]}, as in: {glued(shown)}{more}")


def _action_at_place(kind: str, rest: str) -> Typed:
    """An action at a place, which may be called by any of its names."""
    read, names = _PLACES[kind]
    place = "".join(rest.split())
    try:
        name = names[read(place)]
    except UnknownPlace as problem:
        raise Unclear(f"{kind} {rest}: {problem}") from None
    spelled = place[:2].upper() + place[2:].lower()
    text = f"{kind} {name}"
    return Typed("do", text, text) if spelled == name else Typed("do", text, f"{kind} {spelled} ({name})", spelled)


def complete_action(kind: str, rest: str, view: SeatView) -> str:
    """The text of an action, with what goes without saying put in."""
    if kind in ("offer", "counter", "supply", "discard", "year-of-plenty"):
        rest = " ".join(":" if word == "for" else word for word in rest.split() if word != "and")
    if kind == "offer":
        return f"offer {_with_addressee(rest, view)}"
    if kind in ("accept", "reject", "counter"):
        return f"{kind} {_with_number(rest, waiting(view), kind)}"
    if kind == "withdraw":
        return f"{kind} {_with_number(rest, [offer for offer in view.offers if offer.by == view.seat], kind)}"
    if kind == "confirm":
        return f"{kind} {_with_partner(rest, view)}"
    return f"{kind} {rest}".strip()


def _with_addressee(rest: str, view: SeatView) -> str:
    """An offer without an addressee goes to all; a waiting player can only mean the active one (TRADE-02)."""
    all_of_them = "all" if view.active == view.seat else view.active
    terms, to, whom = rest.partition(" to ")
    if not to or whom.strip() == "all":
        return f"{terms} to {all_of_them}"
    return rest


def _with_number(rest: str, offers: list[Offer], kind: str) -> str:
    if re.match(r"#?\d(\s|$)", rest) and (kind != "counter" or rest.startswith("#")):
        return rest
    if len(offers) == 1:
        return f"#{offers[0].number} {rest}".strip()
    if not offers:
        raise Unclear("No offer is open that you could answer." if kind != "withdraw" else "You have no open offer.")
    numbers = " or ".join(f"#{offer.number}" for offer in offers)
    raise Unclear(f"Say which offer you mean: {kind} {numbers}.")


def _with_partner(rest: str, view: SeatView) -> str:
    """`confirm` and `confirm blue` where only one offer, only one partner can be meant."""
    if rest.startswith("#") or rest[:1].isdigit():
        number, _, whom = rest.partition(" ")
        yes = [color for offer in view.offers if f"#{offer.number}" == f"#{number.lstrip('#')}" for color in offer.yes]
        return f"{number} {yes[0]}" if not whom and len(yes) == 1 else rest
    yes_to = [(offer.number, color) for offer in view.offers if offer.by == view.seat for color in offer.yes]
    meant = [(number, color) for number, color in yes_to if rest in ("", color)]
    if len(meant) == 1:
        return f"#{meant[0][0]} {meant[0][1]}"
    if not meant and rest and rest not in others(view):
        raise Unclear(f"{rest!r} is nobody you could trade with; there are {', '.join(others(view))}")
    if not meant:
        raise Unclear(f"{rest.capitalize()} has not said yes to an offer of yours." if rest else "Nobody has said yes.")
    raise Unclear("Say with whom: " + " or ".join(glued(f"confirm #{number} {color}") for number, color in meant) + ".")
