"""Non-interference of events: what is hidden from a seat makes no difference to what it is told, nor to the words.

The pairs of games of tests/rules/knowledge/test_noninterference.py are played: they look alike to one observer, and
differ in what it may not see. After every action the faces for the observer and for the public must be the same in
both.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from hexholm.game import events as e
from hexholm.game.cards import Cards
from hexholm.game.events import Event, events_of
from hexholm.game.language.words import Words
from hexholm.rules.setup.editions import EDITIONS
from tests.rules.noninterference import Leak, Pair, Parted, new_pair, play_pair
from tests.rules.scenes import Scene

WORDS = Words()


class EventLog:
    """All events of a game, noted as it is played."""

    def __init__(self, game: Scene) -> None:
        self.game, self.events = game, list[Event]()
        self.step = game.step
        game.step = self.note  # type: ignore[method-assign]

    def note(self, seat: int, code: int) -> None:
        """Carry out an action and note what happened."""
        before, open_offers = self.game.state.copy(), self.game.open_offers.copy()
        self.step(seat, code)
        self.events += events_of(
            self.game.options, before, self.game.state, open_offers, self.game.open_offers, seat, code
        )

    def faces_told(self, color: str | None) -> tuple[list[Event], list[str]]:
        """The faces for a seat or the public, and their words."""
        faces = [face for event in self.events if (face := event.seen_by(color)) is not None]
        return faces, [WORDS.say(face, self.game.options, color) for face in faces]


@dataclass
class EventPair(Pair):
    """Two games of which the observer must be told the same."""

    logs: tuple[EventLog, ...] = ()
    secrets: Counter[str] = field(default_factory=Counter)
    """How often events were different in truth, by kind."""

    def compare(self) -> None:
        """Compare what was told since the last look."""
        game, other_game = self.games
        if game.phase != other_game.phase or game.phase == "over":
            raise Parted
        log, other_log = self.logs
        for color in (game.colors[self.observer], None):
            if log.faces_told(color) != other_log.faces_told(color):
                raise Leak(f"{color} is told {log.faces_told(color)} or {other_log.faces_told(color)}")
        for a, b in zip(log.events, other_log.events, strict=False):
            self.secrets[a.name] += a != b
        self.compared += 1
        other_seats = [seat for seat in range(game.state.players) if seat != self.observer]
        self.other_hands += any(game.state.hand[seat] != other_game.state.hand[seat] for seat in other_seats)
        for event_log in self.logs:
            event_log.events.clear()


def pair_of(edition: str, seed: int) -> EventPair:
    """A pair of games at its start."""
    pair = new_pair(edition, 4, seed)
    for game in pair.games:
        game.compiled = False
    return EventPair(pair.games, pair.observer, random.Random(seed), logs=tuple(EventLog(game) for game in pair.games))


def run(editions: tuple[str, ...], pairs: int) -> Counter[str]:
    """Play pairs; how often what truly happened differed, by kind of event."""
    secrets: Counter[str] = Counter()
    for number, edition in enumerate(editions):
        for seed in range(pairs):
            pair = pair_of(edition, 1000 * number + seed)
            play_pair(pair)
            assert pair.compared > 1
            secrets += pair.secrets
    return secrets


@pytest.mark.rule("INFO-01", "INFO-03", "INFO-07", "INFO-09.e2", "SEVEN-05")
def test_hidden_cards_make_no_difference_to_what_a_seat_is_told() -> None:
    secrets = run(EDITIONS, 12)
    assert secrets["stole"] > 30, secrets
    assert secrets["drew"] > 40, secrets
    assert secrets["chose_discard"] > 15, secrets
    assert set(secrets) == {"stole", "drew", "chose_discard"}, "all else is public, so it is the same in both games"


def tell_all(event: Event, color: str | None) -> Event | None:
    return event


def tell_that_it_happened(event: Event, color: str | None) -> Event | None:
    return e.ChoseDiscard(event.player, Cards()) if isinstance(event, e.ChoseDiscard) else event


@pytest.mark.rule("INFO-01", "INFO-03")
@pytest.mark.parametrize(
    "kind, leak",
    [
        (e.Stole, tell_all),
        (e.Drew, tell_all),
        (e.ChoseDiscard, tell_all),
        (e.ChoseDiscard, tell_that_it_happened),
    ],
)
def test_a_planted_leak_is_caught(
    kind: type[Event], leak: Callable[[Event, str | None], Event | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kind, "seen_by", leak)
    with pytest.raises(Leak, match="is told"):
        run(("fifth",), 40)


def test_the_face_of_a_face_tells_no_more() -> None:
    theft = e.Stole("red", "blue", "ore")
    hidden = theft.seen_by(None)
    assert hidden is not None
    assert hidden.seen_by("red") == hidden
    assert theft.seen_by("purple") == hidden, "whoever does not play is the public"
