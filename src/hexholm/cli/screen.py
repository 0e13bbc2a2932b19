"""What a person at the table is shown: the board, the hand, the question, the list of what may be done.

All of it comes from the person's own view. At most 80 columns; colours only where the terminal wants them.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable
from typing import Final

from hexholm.game.action import Action
from hexholm.game.cards import Cards, DevelopmentCards
from hexholm.game.events import Prompt, prompt_of
from hexholm.game.seat_view import SeatView
from hexholm.game.words import Words
from hexholm.rules.boards import COLOR_LETTERS, draw_text
from hexholm.rules.core.layout import RESOURCES
from hexholm.rules.options import Options
from hexholm.rules.places import CORNER_NAMES, HALF, SIDE_NAMES

from .asking import WIDTH, legend, many
from .story import Story

HOW: Final = {
    "roll": ("roll", "roll the dice"),
    "settlement": ("settlement C3n", "a settlement on a corner"),
    "city": ("city C3n", "a city in place of a settlement"),
    "road": ("road C3/ne", "a road on a side"),
    "buy": ("buy", "a {development_card}"),
    "knight": ("knight", "play a {knight}: move the robber"),
    "road-building": ("road-building", "play {road_building}: two free roads"),
    "year-of-plenty": ("year-of-plenty ore wool", "play {year_of_plenty}: take two cards"),
    "monopoly": ("monopoly ore", "play {monopoly}: take all cards of a kind"),
    "waive": ("waive", "do without the free roads that are left"),
    "robber": ("robber B2", "move the robber to a hex"),
    "steal": ("steal blue", "steal from a player"),
    "discard": ("discard 2 wool 1 ore", "give cards back"),
    "supply": ("supply 4 ore : 1 wool", "trade with the {stock}"),
    "offer": ("offer 1 ore : 1 wool to all", "offer your ore for wool to all, or: to blue white"),
    "counter": ("counter 1 ore : 1 wool", "answer with another offer: your ore for wool"),
    "accept": ("accept #1", "say yes; yes is enough if only one offer waits"),
    "reject": ("reject #1", "say no; no is enough if only one offer waits"),
    "confirm": ("confirm #1 blue", "trade with one who said yes"),
    "withdraw": ("withdraw #1", "take an offer back"),
    "end": ("end", "end your turn"),
}
"""Every kind of action: how to write it, and what it is."""
PRICED: Final = {"road": "road", "settlement": "settlement", "city": "city", "buy": "development"}
LABEL: Final = 16
MOST_LISTED: Final = 60
"""More actions of one kind than this are not listed."""


class Screen:
    """Says things to one player in the words of the edition."""

    def __init__(self, options: Options, me: str, *, color: bool = False) -> None:
        self.options, self.me, self.color = options, me, color
        self.book, self.terms = options.edition_data, options.edition_data.words
        self.story = Story(options, me, color=color)
        self._words = Words()
        self._explained = False

    # --- the table -------------------------------------------------------------------------------------------

    def board(self, view: SeatView) -> str:
        """The board, the first time with what its signs mean, and a line for each player."""
        lines = [picture(view, color=self.color)]
        if not self._explained:
            lines.append(legend(self.terms, COLOR_LETTERS[self.me]))
            self._explained = True
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
        lines.append(self._filled(f"{left}; {many(view.deck_size, self.terms['development_card'])}", "   supply  "))
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

    def asked(self, view: SeatView) -> Prompt:
        """What is asked of the person, as data."""
        return prompt_of(self.options, view.record, view.record.observer, view.legal_actions.codes)

    def question(self, view: SeatView) -> str:
        """The one plain sentence, and the hand."""
        prompt = self.asked(view)
        sentence = self._words.ask(prompt, self.options)
        lines = [self.strong(self._filled(sentence, ""))]
        if prompt.ask == "offers":
            lines.append(self.offers(view))
        elif prompt.ask == "confirm":
            lines.append(self.faint("   " + ", ".join(f"confirm {color}" for color in prompt.players)))
        elif prompt.give is not None and prompt.want is not None:
            more = f"{self.plain(prompt.want)} for {self.plain(prompt.give + _one_more(prompt.give))}"
            lines.append(self.faint(f"   yes, no, or another offer, such as: counter {more}"))
        return "\n".join([*lines, self.hand(view)] if view.turn or view.hand else lines)

    def hand(self, view: SeatView) -> str:
        """The own cards in one line or two."""
        parts = [f"{self.terms['hand'].capitalize()}: {self.cards(view.hand)}"]
        if view.cards:
            parts.append(f"{self.terms['development_card']}s: {self._development(view)}")
        if view.turn:
            parts.append(many(view.points(), "point"))
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
        lines = []
        if kind:
            how, what = HOW[kind]
            paid = kind in PRICED and view.phase not in ("settlement", "road", "free road")
            price = f"; it costs {self.cards(Cards(self.book.costs[PRICED[kind]]))}" if paid else ""
            lines.append(self._filled(self.words(f"{how}: {what.format_map(self.terms)}{price}."), "   "))
        groups: dict[str, list[str]] = {}
        for number, action in enumerate(view.legal_actions, 1):
            rest = self.words(action.text.partition(" ")[2])
            groups.setdefault(action.kind, []).append(f"{number}\xa0{rest}" if rest else str(number))
        for name, items in groups.items():
            if kind not in ("", name):
                continue
            shown = "   ".join(items)
            if len(items) > MOST_LISTED:
                shown = f"in {len(items)} ways; write it as in: {HOW[name][0]}"
            elif name in HOW and items[0].isdigit():
                shown = f"{items[0]}\xa0\xa0{HOW[name][1].format_map(self.terms)}"
            lines.append(self._filled(shown, f"   {name:<{LABEL}}", wide=True))
        if not kind and view.phase == "main" and not view.record.trading_closed and view.hand:
            lines.append(self._filled(self.words(f"write it as in: {HOW['offer'][0]}"), f"   {'offer':<{LABEL}}"))
        return "\n".join(lines).replace("\xa0", " ")

    def example(self, view: SeatView, kind: str) -> str:
        """An action of a kind that is not legal now, the most nearly legal one, to ask why not."""
        r, me = view.record, view.record.observer
        if kind == "city":
            return f"city {next(iter(view.settlements()), 'C3n')}"
        if kind == "settlement":
            sites = [name for i, name in enumerate(CORNER_NAMES) if (r.sites & r.reach[me]) >> i & 1]
            free = [name for i, name in enumerate(CORNER_NAMES) if r.sites >> i & 1]
            return f"settlement {(sites or free or CORNER_NAMES)[0]}"
        if kind == "road":
            paths = r.paths_lo[me] | r.paths_hi[me] << HALF
            return f"road {next((name for i, name in enumerate(SIDE_NAMES) if paths >> i & 1), SIDE_NAMES[0])}"
        if kind == "steal":
            return f"steal {next(color for color in view.colors if color != self.me)}"
        return HOW[kind][0].replace("blue", next(color for color in view.colors if color != self.me))

    # --- words -----------------------------------------------------------------------------------------------

    def cards(self, cards: Cards) -> str:
        """Cards in the words of the edition: `2 wood, 1 ore`."""
        return ", ".join(f"{n} {self.terms[kind]}" for kind, n in cards.items() if n) or "nothing"

    def plain(self, cards: Cards) -> str:
        """Cards as they are typed, in the words of the edition: `2 wood 1 ore`."""
        return self.cards(cards).replace(",", "")

    def words(self, text: str) -> str:
        """A text of the engine in the words of the edition: `1 wood` for `1 lumber`."""
        named = {kind: self.terms[kind] for kind in (*RESOURCES, "harbor", "intersection", "path")}
        named["development card"] = self.terms["development_card"]
        pattern = "|".join(rf"\b{re.escape(word)}(?=s?\b)" for word, mine in named.items() if word != mine)
        return re.sub(pattern, lambda found: named[found[0]], text) if pattern else text

    def some(self, actions: Iterable[Action], most: int = 6) -> str:
        """The first few of many actions."""
        texts = [self.words(action.text) for action in actions]
        return ", ".join(texts[:most]) + (f" and {len(texts) - most} more" if len(texts) > most else "")

    def strong(self, text: str) -> str:
        """Bold, where the terminal can."""
        return f"\x1b[1m{text}\x1b[0m" if self.color else text

    def faint(self, text: str) -> str:
        """Quiet, where the terminal can."""
        return f"\x1b[2m{text}\x1b[0m" if self.color else text

    @staticmethod
    def _filled(text: str, label: str, *, wide: bool = False) -> str:
        # a textwrap of "a   b   c" keeps the blanks between; those at the ends of lines go
        pieces = textwrap.wrap(
            text,
            WIDTH,
            initial_indent=label,
            subsequent_indent=" " * len(label) if wide or label.strip() else "   ",
            break_long_words=False,
            break_on_hyphens=False,
        )
        return "\n".join(pieces)


def picture(view: SeatView, *, color: bool = False) -> str:
    """The board in characters with all pieces."""
    pieces: dict[str, str] = {}
    for player in view.colors:
        letter = COLOR_LETTERS[player]
        pieces |= dict.fromkeys((*view.roads(player), *view.settlements(player)), letter)
        pieces |= dict.fromkeys(view.cities(player), letter.upper())
    words = view.options.edition_data.words
    return draw_text(view.layout, pieces, robber=view.robber, color=color, words=words)


def _one_more(cards: Cards) -> Cards:
    return Cards({next(kind for kind, n in cards.items() if n): 1})


def _row(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
