"""What a person at the table is shown: the board, the hand, the question, the list of what may be done.

All of it comes from the person's own view. It is as wide as the terminal, up to 100 columns; colors only
where they are wanted.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from hexholm.game.action import Action
from hexholm.game.cards import Cards, DevelopmentCards
from hexholm.game.game import SeatView
from hexholm.game.language.phrases import TEXT_WIDTH, count_noun, join_words
from hexholm.game.language.words import Words
from hexholm.game.pictures import characters_of
from hexholm.rules.boards import COLOR_LETTERS
from hexholm.rules.colors import Color
from hexholm.rules.language.sentences import edition_terms
from hexholm.rules.notation import action_in_words
from hexholm.rules.setup.editions import PRICED
from hexholm.rules.setup.options import Options

from ..shared.plain_text import fold_glued, glue, in_columns, legend_text
from ..shared.terminal import TALL_LINES, text_width
from .action_examples import (
    KIND_MEANINGS,
    action_example,
    counter_example,
    offer_example,
    opponents_of,
    unanswered_offers,
)
from .story import Story

PRICE_KEYS: Final = {"buy" if name == "development" else name: name for name in PRICED}
"""What an action pays for."""
LABEL_WIDTH: Final = 16
MOST_CHOICES: Final = 60
"""More actions of one kind than this are not listed."""
ALIASES: Final = "A place has a name from each hex that it touches: C3n is also B2se and B3sw."


class Screen:
    """Says things to one player in the words of the edition."""

    def __init__(self, options: Options, me: Color, *, in_color: bool = False) -> None:
        self.options, self.me, self.in_color = options, me, in_color
        self.edition, self.terms = options.edition_data, edition_terms("en", options.edition)
        self.story = Story(options, me, in_color=in_color)
        self.width = TEXT_WIDTH
        self.low = False
        """Whether the window is so low that board and story do not fit into it together."""
        self._words = Words()
        self._legend_shown = False

    def fit(self, columns: int, lines: int) -> None:
        """Fit what is shown to a window of this size."""
        self.width, self.low = text_width(columns), lines < TALL_LINES
        self.story.width = self.width

    # --- the table -------------------------------------------------------------------------------------------

    def table_text(self, view: SeatView) -> str:
        """The board, the first time with what its signs mean, and a line for each player."""
        lines = [board_text(view, in_color=self.in_color)]
        if not self._legend_shown:
            lines += [legend_text(self.terms, COLOR_LETTERS[self.me]), f"  {ALIASES}"]
            self._legend_shown = True
        if self.low and not view.turn:  # nobody has anything yet, and the window is low
            return "\n".join(lines)
        return "\n".join([*lines, "", self.players_text(view)])

    def players_text(self, view: SeatView) -> str:
        """Everybody's points, cards, knights and longest road."""
        lines = [f"           points  {self.terms['item'] + 's':>5}  {'dev.':>5}  knights  road"]
        for color in view.colors:
            notes = ["you"] * (color == self.me)
            notes += [self.terms["longest_road"]] * (view.longest_road == color)
            notes += [self.terms["largest_army"]] * (view.largest_army == color)
            turn = "*" if color == view.active else " "
            numbers = f"{view.points(color):>6}  {view.hand_size(color):>5}  {view.development_count(color):>5}"
            numbers += f"  {view.played(color)['knight']:>7}  {view.road_length(color):>4}"
            lines.append(f" {turn} {color:<8}{numbers}  {', '.join(notes)}".rstrip())
        return self.story.paint("\n".join(lines))

    def known_cards(self, view: SeatView) -> str:
        """What is known of the others: which cards they may hold, how they trade."""
        lines, rates = [self.players_text(view), ""], self.edition.trade_rates
        for color in view.colors:
            if color == self.me:
                continue
            ranges = [
                f"{least if least == most else f'{least} to {most}'} {self.terms[kind]}"
                for kind, (least, most) in view.ranges(color).items()
                if most
            ]
            hand_text = ", ".join(ranges) or f"no {self.terms['item']}s"
            harbors = [
                f"{rates['generic']}:1" if kind == "any" else f"{rates['special']}:1 {self.terms[kind]}"
                for kind in view.harbors(color)
            ]
            trade = f"; {self.terms['harbor']}s {', '.join(harbors)}" if harbors else ""
            lines.append(self._fold(f"{hand_text}{trade}", f"   {color:<8}"))
        supply_text = ", ".join(f"{n} {self.terms[kind]}" for kind, n in view.supply.items())
        lines.append(
            self._fold(f"{supply_text}; {count_noun(view.deck_size, self.terms['development_card'])}", "   supply  ")
        )
        return self.story.paint("\n".join(lines))

    def offers_text(self, view: SeatView) -> str:
        """The open offers."""
        if not view.offers:
            return "   No offer is open."
        lines = []
        for offer in view.offers:
            to = join_words(["you" if color == self.me else color for color in offer.to], "and")
            by = "you offer" if offer.by == self.me else f"{offer.by} offers"
            answers = [
                f"{word}: {', '.join(colors)}" for word, colors in (("yes", offer.yes), ("no", offer.no)) if colors
            ]
            answers_note = f" ({'; '.join(answers)})" if answers else ""
            line = f"{by} {self.cards_text(offer.give)} for {self.cards_text(offer.want)} to {to}{answers_note}"
            lines.append(self._fold(line, f"   #{offer.number} "))
        return self.story.paint("\n".join(lines))

    # --- the question ----------------------------------------------------------------------------------------

    def question_text(self, view: SeatView) -> str:
        """The one plain sentence, and the hand."""
        prompt = view.current_prompt
        sentence = self._words.ask(prompt, self.options)
        lines = [self.in_bold(fold_glued(sentence, self.width))]
        if prompt.ask == "offers":
            lines.append(self.offers_text(view))
        elif prompt.ask == "confirm":
            partners = [f"confirm #{prompt.number} {color}" for color in prompt.players]
            lines.append(self.in_gray(in_columns(partners, "   ", self.width)))
        if prompt.ask in ("offer", "offers"):
            number = unanswered_offers(view)[0].number
            answers = "yes, no" if prompt.ask == "offer" else f"accept #{number}, reject #{number}"
            counter = counter_example(view)
            answers += f", or another offer, as in: {glue(self.in_words(counter))}" if counter else ""
            lines.append(self.in_gray(fold_glued(answers, self.width, "   ", "   ")))
        return "\n".join([*lines, self.hand_text(view)] if view.turn or view.hand else lines)

    def hand_text(self, view: SeatView) -> str:
        """The own cards in one line or two."""
        parts = [f"{self.terms['hand'].capitalize()}: {self.cards_text(view.hand)}"]
        if view.development:
            parts.append(f"{self.terms['development_card']}s: {self._development_text(view)}")
        if view.turn:
            parts.append(count_noun(view.points(), "point"))
        return self._fold("; ".join(parts), "   ")

    def costs_text(self) -> str:
        """What building costs."""
        pieces = (("road", "road"), ("settlement", "settlement"), ("city", "city"))
        rows = [*pieces, (self.terms["development_card"], "development")]
        return "\n".join(f"   {name:<18}{self.cards_text(Cards(self.edition.costs[key]))}" for name, key in rows)

    def _development_text(self, view: SeatView) -> str:
        def card_texts(cards: DevelopmentCards) -> list[str]:
            words = {kind: self.terms[kind.replace("-", "_")] for kind in cards}
            return [words[kind] if n == 1 else f"{n} {words[kind]}" for kind, n in cards.items() if n]

        old = view.development - view.new_development
        return ", ".join([*card_texts(old), *(f"{name} (new)" for name in card_texts(view.new_development))])

    # --- what may be done ------------------------------------------------------------------------------------

    def choices_text(self, view: SeatView, kind: str = "") -> str:
        """The legal actions by kind, each with the number to type; of one kind only, with how to write it."""
        lines = [self.explain_kind(view, kind)] if kind else []
        groups: dict[str, list[tuple[int, str]]] = {}
        for number, action in enumerate(view.legal_actions, 1):
            if kind in ("", action.kind):
                groups.setdefault(action.kind, []).append((number, self.in_words(action.text.partition(" ")[2])))
        for name, numbered in groups.items():
            label, digits = f"   {name:<{LABEL_WIDTH}}", len(str(numbered[-1][0]))
            if name == "supply":
                numbered.sort(key=lambda numbered_text: numbered_text[1].split()[0])  # the best rate first
            if len(numbered) > MOST_CHOICES:
                example_text = (
                    f"in {len(numbered)} ways; write it as in: {glue(self.in_words(action_example(view, name)))}"
                )
                lines.append(self._fold(example_text, label))
            else:
                means = KIND_MEANINGS[name].format_map(self.terms)
                lines.append(in_columns([f"{n:>{digits}}) {text or means}" for n, text in numbered], label, self.width))
        if not kind and view.trade_open and view.hand:
            lines += self._offer_lines(view)
        return "\n".join(lines)

    def _offer_lines(self, view: SeatView) -> list[str]:
        """How to make offers, which are too many to be listed."""
        lines = [self._fold(f"as in: {glue(self.in_words(offer_example(view)))}", f"   {'offer':<{LABEL_WIDTH}}")]
        if (counter := counter_example(view)) is not None:
            lines.append(self._fold(f"as in: {glue(self.in_words(counter))}", f"   {'counter':<{LABEL_WIDTH}}"))
        return lines

    def explain_kind(self, view: SeatView, kind: str) -> str:
        """How an action of a kind is written, what it means and what it costs."""
        has_price = kind in PRICE_KEYS and view.phase not in ("settlement", "road", "free road")
        price = f"; it costs {self.cards_text(Cards(self.edition.costs[PRICE_KEYS[kind]]))}" if has_price else ""
        means = KIND_MEANINGS[kind].format_map(self.terms)
        if kind == "offer" and view.active == view.seat and len(opponents_of(view)) > 1:
            means += f": to all, or as in: to {' '.join(opponents_of(view)[:2])}"
        if kind == "discard" and view.owed():
            means = f"give {count_noun(view.owed(), self.terms['item'])} back"
        return self._fold(f"{glue(self.in_words(action_example(view, kind)))}: {means}{price}.", "   ")

    # --- words -----------------------------------------------------------------------------------------------

    def cards_text(self, cards: Cards) -> str:
        """Cards in the words of the edition: `2 wood, 1 ore`."""
        return ", ".join(f"{n} {self.terms[kind]}" for kind, n in cards.items() if n) or "nothing"

    def in_words(self, action_text: str) -> str:
        """An action as the edition calls the resources: `supply 4 wood : 1 wheat`."""
        return action_in_words(action_text, self.terms)

    def first_few(self, actions: Iterable[Action], most: int = 6) -> str:
        """The first few of many actions."""
        texts = [glue(self.in_words(action.text)) for action in actions]
        return ", ".join(texts[:most]) + (f", and {len(texts) - most} more" if len(texts) > most else "")

    def in_bold(self, text: str) -> str:
        """Bold, where the terminal can."""
        return f"\x1b[1m{text}\x1b[0m" if self.in_color else text

    def in_gray(self, text: str) -> str:
        """Quiet, where the terminal can."""
        return f"\x1b[2m{text}\x1b[0m" if self.in_color else text

    def _fold(self, text: str, label: str) -> str:
        return fold_glued(text, self.width, label, " " * len(label) if label.strip() else "   ")


def board_text(view: SeatView, *, in_color: bool = False) -> str:
    """The board in characters with all pieces."""
    terms = view.options.edition_data.words
    return characters_of(view.layout, view.seen, view.colors, in_color=in_color, words=terms)
