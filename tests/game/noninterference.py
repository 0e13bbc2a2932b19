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
from hexholm.game.language.action_parser import parse_action
from hexholm.game.language.words import Words
from hexholm.rules.core.encoding import actions as act
from hexholm.rules.editions import EDITIONS
from tests.rules.noninterference import Leak, Pair, Parted, start

ENGLISH = Words("en")
Sent = Callable[["Table", str | None], str]


class Table:
    """A game with the look of the referee that `Pair` plays with."""

    def __init__(self, game: hexholm.Game, observer: int) -> None:
        self.game = game
        self.told: dict[str | None, list[str]] = {game.colors[observer]: [], None: []}  # events, by who is told

    def __getattr__(self, name: str) -> Any:
        return getattr(self.game.referee, name)

    def play(self, who: int, code: int) -> None:
        """An action; those are told who listen."""
        self.tell(self.game.play(code, by=who))

    def deal(self, code: int) -> None:
        """An outcome of chance; those are told who listen."""
        self.tell(self.game.deal(code))

    def tell(self, past: Any) -> None:
        """Send the events to the observer and to the public."""
        for who, told in self.told.items():
            for face in past.seen_by(who):
                told.append(json.dumps(face.as_dict()) + ENGLISH.say(face, self.game.options, to=who))


# --- what is sent ---------------------------------------------------------------------------------------------------


def events(table: Table, who: str | None) -> str:
    """All events so far, as data and in words."""
    return "\n".join(table.told[who])


def refusals(table: Table, who: str | None) -> str:
    """What a seat is told before it tries something, for many things it could try."""
    if who is None:
        return ""
    view = table.game.view(who)
    kinds = [act.simple(kind, x) for kind in range(1, act.DISCARD) for x in range(0, 6, 2)]
    trades = [act.offer(1 << 8 * a, 1 << 8 * b, 15 & ~(1 << table.seat(who))) for a in range(5) for b in range(5)]
    answers = [act.simple(kind, slot) for kind in (act.ACCEPT, act.REJECT, act.WITHDRAW) for slot in range(3)]
    return "\n".join(f"{code} {view.why_not(code)}" for code in (*kinds, *trades, *answers))


def errors(table: Table, who: str | None) -> str:
    """The errors of things the seat knows it may not do, when it tries them all the same."""
    if who is None:
        return ""
    view, said = table.game.view(who), []
    for text in ("roll", "end", "road C3/ne", "city C3n", "buy", "knight", "robber C3", "discard 1 ore"):
        if view.why_not(text) is not None:
            try:
                table.game.copy().play(text, by=who)
            except hexholm.BadInput as no:
                said.append(str(no))
    for text in ("accept #1", "reject #1", "counter #1 1 ore : 1 wool"):  # whom these can be meant by is public
        try:
            parse_action(table.game.referee, text)
        except hexholm.AmbiguousAction as no:
            said.append(str(no))
    return "\n".join(said)


def looks(table: Table, who: str | None) -> str:
    """The view in words and as text, its list of legal actions, the sentence of what is asked."""
    view = table.game.view(who)
    return "\n".join([str(view), repr(view), view.text(), repr(view.legal_actions), view.prompt()])


def pictures(table: Table, who: str | None) -> str:
    """The picture of the view."""
    return table.game.view(who).svg()


def odds(table: Table, who: str | None) -> str:
    """What a seat can infer, and a world it may imagine."""
    view = table.game.view(who)
    found = [f"{view.ranges(c)} {view.odds(c)} {view.card_odds(c)}" for c in table.game.colors]
    return "\n".join([*found, view.sample(7).position()])


def records(table: Table, who: str | None) -> str:
    """The record so far, as this seat may have it, as text and as data."""
    copy = table.game.record().seen_by(who or "public")
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
        one, two = self.games
        for channel in (*channels, *([self.planted] if self.planted else [])):
            for who in (one.colors[self.observer], None):
                first, second = channel(one, who), channel(two, who)  # type: ignore[arg-type]
                if first != second:
                    raise Leak(f"{channel.__name__} of {who}, phase {one.phase}: {differing(first, second)}")


def differing(first: str, second: str) -> str:
    """The first line that differs."""
    for a, b in zip(first.splitlines(), second.splitlines(), strict=False):
        if a != b:
            return f"{a[:300]!r} / {b[:300]!r}"
    return f"{len(first)} / {len(second)} characters"


def table_of(scene: Any, observer: int) -> Table:
    """A game in the position of a scene."""
    game = hexholm.Game.at(scene.options, scene.layout, scene.state, scene.talk, dealer=hexholm.ByHand())
    return Table(game, observer)


def play_pair(edition: str, players: int, seed: int, steps: int = 40, planted: Sent | None = None) -> WholePair:
    """Play one pair to its end and compare everything there."""
    begun = start(edition, players, seed)
    tables: Any = tuple(table_of(scene, begun.observer) for scene in begun.games)
    pair = WholePair(tables, begun.observer, random.Random(seed), planted=planted)
    try:
        pair.compare()
        for _ in range(steps):
            pair.step()
            one, two = pair.games
            others = [seat for seat in range(one.state.players) if seat != pair.observer]
            hands = any(one.state.hand[seat] != two.state.hand[seat] for seat in others)
            cards = any(one.state.cards[seat] != two.state.cards[seat] for seat in others)
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
    asked = parser.parse_args()
    whole = Count()
    for edition in EDITIONS:
        for players in (3, 4):
            count = run(edition, players, -(-asked.pairs // 10))
            print(f"{edition}, {players} players: {count}")
            whole = Count(whole.pairs + count.pairs, whole.hands + count.hands, whole.cards + count.cards)
    print(whole)
    return 0


if __name__ == "__main__":
    sys.exit(main())
