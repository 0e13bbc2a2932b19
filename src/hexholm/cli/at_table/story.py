"""What happened, told turn by turn: the events in the edition's words, in the gutter the number of the turn.

      5 Blue rolls 8 (3 and 5). You get 1 ore, red gets 2 wool. Blue builds a road at C3/ne and buys a
        development card.

What goes without saying is left out: that a turn ends, what a road costs, offers between
others that came to nothing, and who said no.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Sequence
from typing import Final

from hexholm.game import events as ev
from hexholm.game.game import Game
from hexholm.game.language.phrases import TEXT_WIDTH
from hexholm.game.language.words import Words
from hexholm.rules.colors import Color
from hexholm.rules.setup.options import Options

from ..shared.plain_text import fold_glued

GUTTER: Final = 4
LONG_PART: Final = 40
"""After a part of a sentence that is longer than this a comma stands, also before `and`."""
ANSI: Final = {
    "red": "91",
    "blue": "94",
    "white": "1",
    "orange": "38;5;208",
    "black": "90",
    "green": "38;5;35",
}
"""The colors of the players in a terminal, as in the picture of the board. White is bold, so that it can be read on
light and on dark."""

_UNTOLD: Final = (
    ev.GameBegan,
    ev.TurnEnded,
    ev.MustDiscard,
    ev.ChoseDiscard,
    ev.VictimChosen,
    ev.FreeRoads,
)
_DEEDS: Final = (
    ev.Built,
    ev.Bought,
    ev.Drew,
    ev.PlayedCard,
    ev.TookFromSupply,
    ev.RobberMoved,
    ev.Stole,
    ev.FoundNothing,
    ev.Discarded,
    ev.SupplyTraded,
)
"""Sentences about one player that can become one."""


class Story:
    """Tells events to one player, or (`me` is None) to somebody who only watches."""

    def __init__(self, options: Options, me: Color | None = None, *, in_color: bool = False) -> None:
        self.options, self.me, self.in_color = options, me, in_color
        self.width = TEXT_WIDTH
        self._words = Words()
        self._makers: dict[int, str] = {}

    def tell(
        self, events: Sequence[ev.Event], *, turn: int = 0, open_offers: Collection[int] = (), whole: bool = False
    ) -> str:
        """The events as paragraphs, one for each turn; "" if there is nothing to say.

        `turn` is the turn they begin in, to be said first. `open_offers` are the numbers of offers that still wait for
        an answer: the question that follows will say them. `whole` leaves nothing out.
        """
        latest = {event.number: i for i, event in enumerate(events) if isinstance(event, ev.OfferMade)}
        deferred = {i for number, i in latest.items() if number in open_offers}
        paragraphs: list[tuple[str, list[tuple[ev.Event, str]]]] = [(str(turn or ""), [])]
        for i, event in enumerate(events):
            if isinstance(event, ev.OfferMade):
                self._makers[event.number] = event.player
            if isinstance(event, ev.TurnBegan):
                paragraphs.append((str(event.number), []))
            elif isinstance(event, ev.PlacementTurn):
                paragraphs.append(("", []))
            elif whole or (i not in deferred and self._is_worth_saying(event)):
                paragraphs[-1][1].append((event, self.sentence_of(event)))
        return "\n".join(self._paragraph_text(label, sentences) for label, sentences in paragraphs if sentences)

    def sentence_of(self, event: ev.Event) -> str:
        """One event in words; prices are known and not told."""
        return self._words.say(event, self.options, self.me)

    def _is_worth_saying(self, event: ev.Event) -> bool:
        match event:
            case ev.Drew():
                return event.card is not None
            case ev.OfferMade():
                return self.me in (event.player, *event.to)
            case ev.OfferAnswered():
                return event.accepts and self._makers.get(event.number) == self.me != event.player
            case ev.OfferClosed():
                return event.why == "declined" and self._makers.get(event.number) == self.me
            case ev.OfferWithdrawn():
                return self.me is not None and self.me == event.player
            case ev.TradingEnded():
                return event.player == self.me
        return not isinstance(event, _UNTOLD)

    def _paragraph_text(self, label: str, sentences: list[tuple[ev.Event, str]]) -> str:
        text = fold_glued(" ".join(join_deeds(sentences)), self.width, f"{label:>{GUTTER - 1}} ", " " * GUTTER)
        return self.paint(text)

    def paint(self, text: str) -> str:
        """The names of the colors in their colors, on a terminal that wants that."""
        if not self.in_color:
            return text
        names = "|".join(self.options.colors)
        return re.sub(
            rf"\b({names})\b", lambda name: f"\x1b[{ANSI[name[0].lower()]}m{name[0]}\x1b[0m", text, flags=re.IGNORECASE
        )


def join_deeds(event_sentences: list[tuple[ev.Event, str]]) -> list[str]:
    """The sentences; deeds of one player in a row become one, as in `Red builds a city at C3n and buys a card.`."""
    sentences: list[str] = []
    deeds: list[str] = []
    doer = None
    for event, text in [*event_sentences, (ev.DiceBagFilled(), "")]:
        player = getattr(event, "player", None)
        if isinstance(event, _DEEDS) and doer == player and deeds:
            deeds.append(text.rstrip("."))
            continue
        if deeds:
            sentences.append(_deeds_sentence(deeds) + ".")
            deeds, doer = [], None
        if isinstance(event, _DEEDS):
            deeds, doer = [text.rstrip(".")], player
        elif text:
            sentences.append(text)
    return sentences


def _deeds_sentence(deeds: list[str]) -> str:
    """Deeds of one player in one sentence; who does it and a verb that stays the same are said once."""
    clauses: list[str] = []
    verb = ""
    for deed, repeats in itertools.groupby(deeds):
        n = len(list(repeats))
        subject, next_verb, complement = deed.split(" ", 2)
        text = complement if next_verb == verb else f"{next_verb} {complement}"
        text += f" ({n} times)" if n > 1 else ""
        clauses.append(text if clauses else f"{subject} {text}")
        verb = next_verb
    if len(clauses) == 1:
        return clauses[0]
    # a comma before the last and: where there are three, or where without it one could not see what belongs together
    comma = (
        len(clauses) > 2
        or any(" and " in clause for clause in clauses)
        or any(clause.endswith(")") or len(clause) > LONG_PART for clause in clauses[:-1])
    )
    return f"{', '.join(clauses[:-1])}{',' * comma} and {clauses[-1]}"


def seen_events(game: Game, me: Color | None) -> list[ev.Event]:
    """All that happened, as one seat saw it (None: the public); the start pieces of a fixed set-up need no words."""
    events = list(game.events)
    began = next((i for i, event in enumerate(events) if isinstance(event, ev.RollForStart | ev.StarterChosen)), 0)
    told_events = [event for event in events[:began] if not isinstance(event, ev.Built)] + events[began:]
    return [face for event in told_events if (face := event.seen_by(me)) is not None]
