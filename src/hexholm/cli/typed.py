"""What a person types at the table: a command, a number from the list, or an action, however short.

Anything that can mean one thing only is understood: `ro` for `roll` as long as nothing else that begins so is possible,
`yes` for `accept #1` when one offer lies open, `offer 1 ore for 1 wool` for an offer to all. The canonical spelling is
docs/formats/actions.md.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from hexholm.game.action import KINDS, OUTCOMES, spoken
from hexholm.game.seat_view import Offer, SeatView
from hexholm.rules.core.actions import KIND_NAMES
from hexholm.rules.errors import BadInput

COMMANDS: Final = {
    "?": "what you may do now; ? road: the same for roads, and how to write it",
    "why": "why not: why city C3n",
    "board": "the board and everybody's points and cards",
    "hand": "your cards and what building costs",
    "players": "what is known of everybody",
    "offers": "the open offers",
    "log": "what happened lately; log all: everything",
    "undo": "take back your last action, and all that came of it",
    "save": "a copy of the game so far: save FILE",
    "rules": "a rule by its number: rules ROAD-03",
    "help": "this list",
    "quit": "leave; the game is kept and can be resumed",
}
DEEDS: Final = tuple(kind for kind in KINDS if kind not in (*OUTCOMES, "discard-card"))
"""The kinds of action of a player."""

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
_FILLERS: Final = ("build", "place", "play", "move", "buy", "a", "the", "to", "card")


class Unclear(BadInput):
    """Something typed that means nothing, or several things."""


class Typed(NamedTuple):
    """What was typed: `what` is a command, "number" or "do"; `rest` is what follows, or the text of the action."""

    what: str
    rest: str


def understood(line: str, view: SeatView) -> Typed:
    """What a line means to the player whose view it is; raises :class:`Unclear`."""
    line = line.strip()
    if line.startswith("?"):
        return Typed("?", line[1:].strip())
    if re.fullmatch(r"\d+\.?", line):
        return Typed("number", line.rstrip("."))
    said = spoken(line)
    if said is not None:
        if said[0] != view.seat:
            raise Unclear(f"You play {view.seat}, not {said[0]}.")
        line = said[1]
    if not line.strip():
        raise Unclear("Say what you do. ? shows what you may do now.")
    first, rest = _first_word(line)
    word = _whole_word(first, possible(view))
    if word in COMMANDS:
        return Typed(word, rest)
    return Typed("do", completed(word, rest, view))


def possible(view: SeatView) -> list[str]:
    """The kinds of action that could be meant now: those that are legal, and offers while there is trade."""
    kinds = dict.fromkeys(KIND_NAMES[code & 31] for code in view.legal_actions.codes)
    if view.phase == "main" and not view.record.trading_closed:
        kinds["offer"] = None
        if any(view.seat in offer.to for offer in view.offers):
            kinds["counter"] = None
    return list(kinds)


def _first_word(line: str) -> tuple[str, str]:
    """The word that says what is meant, without `build`, `play` and the like before it, and the rest."""
    words = line.lower().split()
    if words[:2] in (["road", "building"], ["year", "of"]):
        words[:] = ["road-building", *words[2:]] if words[0] == "road" else ["year-of-plenty", *words[3:]]
    while len(words) > 1 and words[0] in _FILLERS and any(_starts(words[1], kind) for kind in (*DEEDS, *_FILLERS)):
        if words[0] == "buy" and words[1] in ("a", "card"):
            return "buy", ""
        words = words[1:]
    return words[0], " ".join(words[1:])


def _starts(word: str, kind: str) -> bool:
    return kind.startswith(word)


def _whole_word(first: str, now: list[str]) -> str:
    """The command or kind of action that a word, or its beginning, stands for."""
    if first in COMMANDS or first in DEEDS:
        return first
    if first in _OTHER_WORDS:
        return _OTHER_WORDS[first]
    commands = [word for word in COMMANDS if word != "rules"]  # so that r is free for roll
    for words in ([*now, *commands], [*DEEDS, *COMMANDS]):
        found = [word for word in dict.fromkeys(words) if word.startswith(first)]
        if len(found) == 1:
            return found[0]
        if found:
            raise Unclear(f"{first!r} could be {' or '.join(found)}: write a little more.")
    raise Unclear(f"I do not understand {first!r}. ? shows what you may do now, help what else there is.")


# --- actions ---------------------------------------------------------------------------------------------------------


def completed(kind: str, rest: str, view: SeatView) -> str:
    """The text of an action, with what goes without saying put in."""
    if kind in ("offer", "counter", "supply"):
        rest = re.sub(r"\s+for\s+", " : ", rest)
    if kind == "offer":
        return f"offer {_addressed(rest, view)}"
    if kind in ("accept", "reject", "counter"):
        open_offers = [offer for offer in view.offers if view.seat in offer.to]
        unanswered = [offer for offer in open_offers if view.seat not in (*offer.yes, *offer.no)]
        return f"{kind} {_numbered(rest, unanswered or open_offers, kind)}"
    if kind == "withdraw":
        return f"{kind} {_numbered(rest, [offer for offer in view.offers if offer.by == view.seat], kind)}"
    if kind == "confirm":
        return f"{kind} {_partnered(rest, view)}"
    return f"{kind} {rest}".strip()


def _addressed(rest: str, view: SeatView) -> str:
    """An offer without an addressee goes to all; a waiting player can only mean the active one (TRADE-02)."""
    all_of_them = "all" if view.active == view.seat else view.active
    terms, to, whom = rest.partition(" to ")
    if not to or whom.strip() == "all":
        return f"{terms} to {all_of_them}"
    return rest


def _numbered(rest: str, offers: list[Offer], kind: str) -> str:
    if re.match(r"#?\d(\s|$)", rest) and (kind != "counter" or rest.startswith("#")):
        return rest
    if len(offers) == 1:
        return f"#{offers[0].number} {rest}".strip()
    if not offers:
        raise Unclear("No offer is open that you could answer." if kind != "withdraw" else "You have no open offer.")
    numbers = " or ".join(f"#{offer.number}" for offer in offers)
    raise Unclear(f"Say which offer you mean: {kind} {numbers}.")


def _partnered(rest: str, view: SeatView) -> str:
    """`confirm` and `confirm blue` where only one offer, only one partner can be meant."""
    if rest.startswith("#") or rest[:1].isdigit():
        return rest
    yes = [(offer.number, color) for offer in view.offers if offer.by == view.seat for color in offer.yes]
    meant = [(number, color) for number, color in yes if rest in ("", color)]
    if len(meant) == 1:
        return f"#{meant[0][0]} {meant[0][1]}"
    if not meant:
        raise Unclear(f"{rest or 'Nobody'} has not said yes to an offer of yours." if rest else "Nobody has said yes.")
    raise Unclear("Say with whom: " + " or ".join(f"confirm #{number} {color}" for number, color in meant) + ".")
