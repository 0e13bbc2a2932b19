"""What a person at the table is shown: the board, the hand, the question, the list of what may be done.

All of it comes from the person's own view. It is as wide as the terminal, up to 100 columns; colours only
where they are wanted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from hexholm.game.action import Action
from hexholm.game.cards import Cards, DevelopmentCards
from hexholm.game.game import SeatView
from hexholm.game.language.phrases import TEXT_WIDTH, count_noun
from hexholm.game.language.words import Words
from hexholm.rules.boards import COLOR_LETTERS, draw_text
from hexholm.rules.editions import PRICED
from hexholm.rules.names import RESOURCES
from hexholm.rules.options import Options

from ..shared.plain_text import fold_glued, glued, in_columns, legend
from ..shared.terminal import TALL, text_width
from .action_examples import MEANS, action_example, counter_example, offer_example, others, waiting
from .story import Story

PRICE_OF: Final = {"buy" if what == "development" else what: what for what in PRICED}
"""What an action pays for."""
LABEL: Final = 16
MOST_CHOICES: Final = 60
"""More actions of one kind than this are not listed."""
ALIASES: Final = "A place has a name from each hex that it touches: C3n is also B2se and B3sw."


class Screen:
    """Says things to one player in the words of the edition."""

    def __init__(self, options: Options, me: str, *, color: bool = False) -> None:
        self.options, self.me, self.color = options, me, color
        self.book, self.terms = options.edition_data, options.edition_data.words
        self.story = Story(options, me, color=color)
        self.width = TEXT_WIDTH
        self.short = False
        """Whether the window is so low that board and story do not fit into it together."""
        self._words = Words()
        self._explained = False

    def fit(self, columns: int, lines: int) -> None:
        """Fit what is shown to a window of this size."""
        self.width, self.short = text_width(columns), lines < TALL
        self.story.width = self.width

    # --- the table -------------------------------------------------------------------------------------------

    def board(self, view: SeatView) -> str:
        """The board, the first time with what its signs mean, and a line for each player."""
        lines = [board_text(view, color=self.color)]
        if not self._explained:
            lines += [legend(self.terms, COLOR_LETTERS[self.me]), f"  {ALIASES}"]
            self._explained = True
        if self.short and not view.turn:  # nobody has anything yet, and the window is low
            return "\n".join(lines)
        return "\n".join([*lines, "", self.players(view)])

    def players(self, view: SeatView) -> str:
        """Everybody's points, cards, knights and longest road."""
        lines = [f"           points  cards  {'tiles' if self.options.edition == 'zip' else 'dev.':>5}  knights  road"]
        for color in view.colors:
            notes = ["you"] * (color == self.me)
            notes += [self.terms["longest_road"]] * (view.longest_road == color)
            notes += [self.terms["largest_army"]] * (view.largest_army == color)
            turn = "*" if color == view.active else " "
            numbers = f"{view.points(color):>6}  {view.hand_size(color):>5}  {view.card_count(color):>5}"
            numbers += f"  {view.played(color)['knight']:>7}  {view.road_length(color):>4}"
            lines.append(f" {turn} {color:<8}{numbers}  {', '.join(notes)}".rstrip())
        return self.story.painted("\n".join(lines))

    def known(self, view: SeatView) -> str:
        """What is known of the others: which cards they may hold, how they trade."""
        lines = [self.players(view), ""]
        for color in view.colors:
            if color == self.me:
                continue
            ranges = [
                f"{least if least == most else f'{least} to {most}'} {self.terms[kind]}"
                for kind, (least, most) in view.ranges(color).items()
                if most
            ]
            held = ", ".join(ranges) or "no cards"
            harbors = ["3:1" if kind == "any" else f"2:1 {self.terms[kind]}" for kind in view.harbors(color)]
            trade = f"; {self.terms['harbor']}s {', '.join(harbors)}" if harbors else ""
            lines.append(self._filled(f"{held}{trade}", f"   {color:<8}"))
        left = ", ".join(f"{n} {self.terms[kind]}" for kind, n in view.bank.items())
        lines.append(
            self._filled(f"{left}; {count_noun(view.deck_size, self.terms['development_card'])}", "   supply  ")
        )
        return self.story.painted("\n".join(lines))

    def offers(self, view: SeatView) -> str:
        """The open offers."""
        if not view.offers:
            return "   No offer is open."
        lines = []
        for offer in view.offers:
            to = _row(["you" if color == self.me else color for color in offer.to])
            by = "you offer" if offer.by == self.me else f"{offer.by} offers"
            said = [f"{word}: {', '.join(who)}" for word, who in (("yes", offer.yes), ("no", offer.no)) if who]
            answers = f" ({'; '.join(said)})" if said else ""
            line = f"{by} {self.cards(offer.give)} for {self.cards(offer.take)} to {to}{answers}"
            lines.append(self._filled(line, f"   #{offer.number} "))
        return self.story.painted("\n".join(lines))

    # --- the question ----------------------------------------------------------------------------------------

    def question(self, view: SeatView) -> str:
        """The one plain sentence, and the hand."""
        prompt = view.question
        sentence = self._words.ask(prompt, self.options)
        lines = [self.strong(fold_glued(sentence, self.width))]
        if prompt.ask == "offers":
            lines.append(self.offers(view))
        elif prompt.ask == "confirm":
            partners = [f"confirm #{prompt.number} {color}" for color in prompt.players]
            lines.append(self.faint(in_columns(partners, "   ", self.width)))
        if prompt.ask in ("offer", "offers"):
            number = waiting(view)[0].number
            answers = "yes, no" if prompt.ask == "offer" else f"accept #{number}, reject #{number}"
            more = counter_example(view)
            answers += f", or another offer, as in: {glued(self.words(more))}" if more else ""
            lines.append(self.faint(fold_glued(answers, self.width, "   ", "   ")))
        return "\n".join([*lines, self.hand(view)] if view.turn or view.hand else lines)

    def hand(self, view: SeatView) -> str:
        """The own cards in one line or two."""
        parts = [f"{self.terms['hand'].capitalize()}: {self.cards(view.hand)}"]
        if view.cards:
            parts.append(f"{self.terms['development_card']}s: {self._development(view)}")
        if view.turn:
            parts.append(count_noun(view.points(), "point"))
        return self._filled("; ".join(parts), "   ")

    def costs(self) -> str:
        """What building costs."""
        named = (("road", "road"), ("settlement", "settlement"), ("city", "city"))
        rows = [*named, (self.terms["development_card"], "development")]
        return "\n".join(f"   {name:<18}{self.cards(Cards(self.book.costs[key]))}" for name, key in rows)

    def _development(self, view: SeatView) -> str:
        def named(cards: DevelopmentCards) -> list[str]:
            words = {kind: self.terms[kind.replace("-", "_")] for kind in cards}
            return [words[kind] if n == 1 else f"{n} {words[kind]}" for kind, n in cards.items() if n]

        old = view.cards - view.new_cards
        return ", ".join([*named(old), *(f"{name} (new)" for name in named(view.new_cards))])

    # --- what may be done ------------------------------------------------------------------------------------

    def choices(self, view: SeatView, kind: str = "") -> str:
        """The legal actions by kind, each with the number to type; of one kind only, with how to write it."""
        lines = [self.how(view, kind)] if kind else []
        groups: dict[str, list[tuple[int, str]]] = {}
        for number, action in enumerate(view.legal_actions, 1):
            if kind in ("", action.kind):
                groups.setdefault(action.kind, []).append((number, self.words(action.text.partition(" ")[2])))
        for name, items in groups.items():
            label, digits = f"   {name:<{LABEL}}", len(str(items[-1][0]))
            if name == "supply":
                items.sort(key=lambda item: item[1].split()[0])  # the best rate first
            if len(items) > MOST_CHOICES:
                shown = f"in {len(items)} ways; write it as in: {glued(self.words(action_example(view, name)))}"
                lines.append(self._filled(shown, label))
            else:
                means = MEANS[name].format_map(self.terms)
                lines.append(in_columns([f"{n:>{digits}}) {text or means}" for n, text in items], label, self.width))
        if not kind and view.trade_open and view.hand:
            lines += self._talk(view)
        return "\n".join(lines)

    def _talk(self, view: SeatView) -> list[str]:
        """How to make offers, which are too many to be listed."""
        lines = [self._filled(f"as in: {glued(self.words(offer_example(view)))}", f"   {'offer':<{LABEL}}")]
        if (more := counter_example(view)) is not None:
            lines.append(self._filled(f"as in: {glued(self.words(more))}", f"   {'counter':<{LABEL}}"))
        return lines

    def how(self, view: SeatView, kind: str) -> str:
        """How an action of a kind is written, what it means and what it costs."""
        paid = kind in PRICE_OF and view.phase not in ("settlement", "road", "free road")
        price = f"; it costs {self.cards(Cards(self.book.costs[PRICE_OF[kind]]))}" if paid else ""
        means = MEANS[kind].format_map(self.terms)
        if kind == "offer" and view.active == view.seat and len(others(view)) > 1:
            means += f": to all, or as in: to {' '.join(others(view)[:2])}"
        if kind == "discard" and view.owed():
            means = f"give {count_noun(view.owed(), 'card')} back"
        return self._filled(f"{glued(self.words(action_example(view, kind)))}: {means}{price}.", "   ")

    # --- words -----------------------------------------------------------------------------------------------

    def cards(self, cards: Cards) -> str:
        """Cards in the words of the edition: `2 wood, 1 ore`."""
        return ", ".join(f"{n} {self.terms[kind]}" for kind, n in cards.items() if n) or "nothing"

    def words(self, text: str) -> str:
        """A text of the engine in the words of the edition: `1 wood` for `1 lumber`."""
        named = {kind: self.terms[kind] for kind in (*RESOURCES, "harbor", "intersection", "path")}
        named["development card"] = self.terms["development_card"]
        pattern = "|".join(rf"\b{re.escape(word)}(?=s?\b)" for word, mine in named.items() if word != mine)
        return re.sub(pattern, lambda found: named[found[0]], text) if pattern else text

    def some(self, actions: Iterable[Action], most: int = 6) -> str:
        """The first few of many actions."""
        texts = [glued(self.words(action.text)) for action in actions]
        return ", ".join(texts[:most]) + (f" and {len(texts) - most} more" if len(texts) > most else "")

    def strong(self, text: str) -> str:
        """Bold, where the terminal can."""
        return f"\x1b[1m{text}\x1b[0m" if self.color else text

    def faint(self, text: str) -> str:
        """Quiet, where the terminal can."""
        return f"\x1b[2m{text}\x1b[0m" if self.color else text

    def _filled(self, text: str, label: str) -> str:
        return fold_glued(text, self.width, label, " " * len(label) if label.strip() else "   ")


def board_text(view: SeatView, *, color: bool = False) -> str:
    """The board in characters with all pieces."""
    pieces: dict[str, str] = {}
    for player in view.colors:
        letter = COLOR_LETTERS[player]
        pieces |= dict.fromkeys((*view.roads(player), *view.settlements(player)), letter)
        pieces |= dict.fromkeys(view.cities(player), letter.upper())
    words = view.options.edition_data.words
    return draw_text(view.layout, pieces, robber=view.robber, color=color, words=words)


def _row(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
