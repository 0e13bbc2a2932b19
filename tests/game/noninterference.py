"""Non-interference of everything a seat gets: views, events, prompts, refusals, errors, records, texts, pictures.

DESIGN: take two worlds consistent with all that a seat has seen, replay the same public actions in both, compare every
byte sent to that seat. The worlds are played by :class:`tests.rules.noninterference.Pair`, here on whole games,
and everything the room `game` makes for the observer, and for the public, is compared. A pair counts when the hidden
hands, or the hidden development cards, truly differ while everything looks alike.

    python -m tests.game.noninterference --pairs 1000        how many pairs differed; fails when they are few
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import hexholm
from hexholm.game.language.action_parser import read_typed_action
from hexholm.game.language.words import Words
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.setup.editions import EDITIONS
from tests.rules.noninterference import Leak, Pair, Parted, new_pair

ENGLISH = Words("en")
Sent = Callable[["Table", str | None], str]


class Table:
    """A game with the look of the referee that `Pair` plays with."""

    def __init__(self, game: hexholm.Game, observer: int) -> None:
        self.game = game
        self.sent: dict[str | None, list[str]] = {game.colors[observer]: [], None: []}  # events, by who is told

    def __getattr__(self, name: str) -> Any:
        return getattr(self.game.referee, name)

    def play(self, seat: int, code: int) -> None:
        """An action; those are told who listen."""
        self.tell(self.game.play(code, by=seat))

    def deal(self, code: int) -> None:
        """An outcome of chance; those are told who listen."""
        self.tell(self.game.deal(code))

    def tell(self, past: Any) -> None:
        """Send the events to the observer and to the public."""
        for color, messages in self.sent.items():
            for face in past.seen_by(color):
                messages.append(json.dumps(face.as_dict()) + ENGLISH.say(face, self.game.options, to=color))


# --- what is sent ---------------------------------------------------------------------------------------------------


def events(table: Table, color: str | None) -> str:
    """All events so far, as data and in words."""
    return "\n".join(table.sent[color])


def refusals(table: Table, color: str | None) -> str:
    """What a seat is told before it tries something, for many things it could try."""
    if color is None:
        return ""
    view = table.game.view(color)
    kinds = [act.simple_action(kind, x) for kind in range(1, act.DISCARD) for x in range(0, 6, 2)]
    trades = [
        act.offer_action(1 << 8 * a, 1 << 8 * b, 15 & ~(1 << table.seat(color))) for a in range(5) for b in range(5)
    ]
    answers = [act.simple_action(kind, slot) for kind in (act.ACCEPT, act.REJECT, act.WITHDRAW) for slot in range(3)]
    return "\n".join(f"{code} {view.why_not(code)}" for code in (*kinds, *trades, *answers))


def errors(table: Table, color: str | None) -> str:
    """The errors of things the seat knows it may not do, when it tries them all the same."""
    if color is None:
        return ""
    view, messages = table.game.view(color), []
    for text in ("roll", "end", "road C3/ne", "city C3n", "buy", "knight", "robber C3", "discard 1 ore"):
        if view.why_not(text) is not None:
            try:
                table.game.copy().play(text, by=color)
            except hexholm.BadInput as error:
                messages.append(str(error))
    for text in ("accept #1", "reject #1", "counter #1 1 ore : 1 wool"):  # whom these can be meant by is public
        try:
            read_typed_action(table.game.referee, text)
        except hexholm.AmbiguousAction as error:
            messages.append(str(error))
    return "\n".join(messages)


def looks(table: Table, color: str | None) -> str:
    """The view in words and as text, its list of legal actions, the sentence of what is asked."""
    view = table.game.view(color)
    return "\n".join([str(view), repr(view), view.text(), repr(view.legal_actions), view.prompt_text()])


def pictures(table: Table, color: str | None) -> str:
    """The picture of the view."""
    return table.game.view(color).svg()


def odds(table: Table, color: str | None) -> str:
    """What a seat can infer, and a world it may imagine."""
    view = table.game.view(color)
    odds_texts = [f"{view.ranges(c)} {view.odds(c)} {view.development_odds(c)}" for c in table.game.colors]
    return "\n".join([*odds_texts, view.sample(7).position()])


def records(table: Table, color: str | None) -> str:
    """The record so far, as this seat may have it, as text and as data."""
    copy = table.game.record().seen_by(color or "public")
    return copy.text() + copy.to_json()


OFTEN: tuple[Sent, ...] = (events,)
NOW_AND_THEN: tuple[Sent, ...] = (refusals, errors, looks, odds)
AT_THE_END: tuple[Sent, ...] = (*NOW_AND_THEN, records)  # a record holds all that was before
SELDOM: tuple[Sent, ...] = (pictures,)  # each takes as long as all others together


# --- pairs ----------------------------------------------------------------------------------------------------------


@dataclass
class WholePair(Pair):
    """Two games that look the same to `observer`, compared in everything it is sent."""

    planted: Sent | None = None

    def compare(self) -> None:
        """The views byte by byte, and what has been sent."""
        super().compare()
        self.compare_sent(OFTEN)

    def compare_sent(self, channels: tuple[Sent, ...]) -> None:
        """Compare what two games send to the observer and to the public."""
        game, other_game = self.games
        for channel in (*channels, *([self.planted] if self.planted else [])):
            for color in (game.colors[self.observer], None):
                first, second = channel(game, color), channel(other_game, color)  # type: ignore[arg-type]
                if first != second:
                    raise Leak(f"{channel.__name__} of {color}, phase {game.phase}: {first_difference(first, second)}")


def first_difference(first: str, second: str) -> str:
    """The first line that differs."""
    for a, b in zip(first.splitlines(), second.splitlines(), strict=False):
        if a != b:
            return f"{a[:300]!r} / {b[:300]!r}"
    return f"{len(first)} / {len(second)} characters"


def table_of(scene: Any, observer: int) -> Table:
    """A game in the position of a scene."""
    game = hexholm.Game.at(scene.options, scene.layout, scene.state, scene.open_offers, dealer=hexholm.ByHand())
    return Table(game, observer)


def play_pair(edition: str, players: int, seed: int, steps: int = 40, planted: Sent | None = None) -> WholePair:
    """Play one pair to its end and compare everything there."""
    new = new_pair(edition, players, seed)
    tables: Any = tuple(table_of(scene, new.observer) for scene in new.games)
    pair = WholePair(tables, new.observer, random.Random(seed), planted=planted)
    try:
        pair.compare()
        for _ in range(steps):
            pair.step()
            game, other_game = pair.games
            other_seats = [seat for seat in range(game.state.players) if seat != pair.observer]
            hands = any(game.state.hand[seat] != other_game.state.hand[seat] for seat in other_seats)
            cards = any(game.state.development[seat] != other_game.state.development[seat] for seat in other_seats)
            if (hands or cards) and pair.pick.random() < 0.03:
                pair.compare_sent(NOW_AND_THEN)
        pair.compare_sent(AT_THE_END)
        if seed % 10 == 0:
            pair.compare_sent(SELDOM)
    except Parted:
        pass
    return pair


@dataclass
class Count:
    """How many pairs truly differed."""

    pairs: int = 0
    hands: int = 0
    cards: int = 0

    def add(self, pair: WholePair) -> None:
        """One more pair."""
        self.pairs += 1
        self.hands += pair.other_hands > 0
        self.cards += pair.other_cards > 0

    def __str__(self) -> str:
        return f"{self.pairs} pairs alike to an observer: hands differed in {self.hands}, cards in {self.cards}"


def run(edition: str, players: int, least: int) -> Count:
    """Play pairs until hands and cards have each differed in `least` of them; fails when too few do."""
    count = Count()
    while min(count.hands, count.cards) < least:
        assert count.pairs < 4 * least + 20, f"too few differ: {count}"
        count.add(play_pair(edition, players, 1000 * EDITIONS.index(edition) + 100_000 * players + count.pairs))
    return count


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Non-interference of everything a seat gets.")
    parser.add_argument("--pairs", type=int, default=1000, help="pairs that must differ, in hands and in cards")
    arguments = parser.parse_args()
    total_count = Count()
    for edition in EDITIONS:
        for players in (3, 4):
            count = run(edition, players, -(-arguments.pairs // 10))
            print(f"{edition}, {players} players: {count}")
            total_count = Count(
                total_count.pairs + count.pairs, total_count.hands + count.hands, total_count.cards + count.cards
            )
    print(total_count)
    return 0


if __name__ == "__main__":
    sys.exit(main())
