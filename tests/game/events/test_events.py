"""Events as data: they lose nothing, they can be written and read, and their page is true."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from hexholm.game.cards import Cards
from hexholm.game.events import EVENTS, BadEvent, Event, Stole, event_from_dict, events_of, opening_events
from hexholm.game.language.words import Words
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.encoding.lanes import unpack
from hexholm.rules.encoding.structs import NATURE, State
from hexholm.rules.referee import Referee
from hexholm.rules.setup.editions import EDITIONS
from hexholm.rules.setup.options import check_options
from hexholm.rules.simulate import replay_game
from tests.helpers.marks import all_editions
from tests.helpers.random_play import carry_out, choose
from tests.twin.duel import road_board

from ..event_samples import SAMPLES
from ..event_tracker import DERIVED, HIDDEN, SETTLED, Tracker, facts_of

PAGE = Path(__file__).parents[3] / "docs" / "formats" / "events.md"


# --- nothing is lost -------------------------------------------------------------------------------------------------


def follow(game: Referee, steps: Iterator[tuple[int, int]], heard: Counter[str]) -> None:
    """Play on; after every action two listeners, one of whom hears only public faces, must know the game."""
    listeners = Tracker(game.options), Tracker(game.options, public=True)
    events = opening_events(game.options, game.state)
    settled = {name: part(game.state, name) for name in SETTLED}
    for seat, code in with_beginning(steps):
        if seat is not None:
            before, open_offers = game.state.copy(), game.open_offers.copy()
            carry_out(game, seat, code)
            events = events_of(game.options, before, game.state, open_offers, game.open_offers, seat, code)
        heard.update(event.name for event in events)
        for listener in listeners:
            for event in events:
                listener.hear(event.seen_by(None) if listener.public else event)
            tracked, truth = listener.facts(), facts_of(game.state, game.open_offers, game.colors, listener.public)
            if game.phase == "over":
                tracked["trading_closed"] = 0
            assert tracked.keys() == truth.keys()
            differences = {name: (tracked[name], truth[name]) for name in truth if tracked[name] != truth[name]}
            assert not differences, f"after {None if seat is None else game.action_text(code)}: {differences} {events}"
    assert {name: part(game.state, name) for name in SETTLED} == settled


def with_beginning(steps: Iterator[tuple[int, int]]) -> Iterator[tuple[int | None, int]]:
    yield None, 0
    yield from steps


def part(state: State, name: str) -> Any:
    value = getattr(state, name)
    return value if isinstance(value, int) else value.tolist()


def lively(game: Referee, rng: random.Random, most: int) -> Iterator[tuple[int, int]]:
    """Random play with offers, counter-offers and discards card by card."""
    for _ in range(most):
        if game.phase == "over":
            return
        seat, code = choose(game, rng)
        if game.phase == "discard" and rng.random() < 0.4 and seat is not None:
            hand_left = unpack(game.state.hand[seat] - game.state.discards[seat])
            code = act.simple_action(act.DISCARD_CARD, rng.choice([kind for kind in range(5) if hand_left[kind]]))
        elif game.phase == "main" and rng.random() < 0.3 and (answer := counter(game, rng)):
            seat, code = answer
        yield NATURE if seat is None else seat, code


def counter(game: Referee, rng: random.Random) -> tuple[int, int] | None:
    """A counter-offer to some open offer, if it is legal."""
    slots = [slot for slot in range(8) if game.open_offers.give[slot]]
    if not slots:
        return None
    slot = rng.choice(slots)
    seat = rng.choice([seat for seat in range(game.state.players) if game.open_offers.to[slot] >> seat & 1])
    code = act.counter_action(1 << 8 * rng.randrange(5), 1 << 8 * rng.randrange(5), slot)
    return (seat, code) if game.why_not(seat, code) is None else None


HOUSES: tuple[dict[str, Any], ...] = (
    {"setup": "fixed", "first": "roll"},
    {"setup": "variable", "players": 3, "balanced_dice": True, "friendly_robber": True},
    {"setup": "variable", "hand_limit": 4, "points_to_win": 5},
    {"setup": "variable", "players": 2, "two_players": True, "first": 1},
)


@pytest.mark.rule("INFO-05", "INFO-09")
def test_events_alone_tell_the_whole_game() -> None:
    heard: Counter[str] = Counter()
    for number, edition in enumerate(EDITIONS):
        for house, more in enumerate(HOUSES):
            game = Referee.new(board_seed=number, edition=edition, **more)
            follow(game, lively(game, random.Random(10 * number + house), 450), heard)
    rare = {"no_place_for_road", "supply_short", "waived", "stopped"}  # shown in test_event_scenes and test_game
    assert set(EVENTS) - set(heard) <= rare, f"never told: {sorted(set(EVENTS) - set(heard))}"


@pytest.mark.rule("LROAD-08", "LROAD-10", "PROD-08")
def test_events_tell_games_of_long_roads_and_an_empty_supply() -> None:
    heard: Counter[str] = Counter()
    for seed in range(4):
        rng = random.Random(seed)
        game = Referee.new(road_board(rng), edition="fifth", setup="variable", points_to_win=12, hand_limit=20)
        follow(game, lively(game, rng, 600), heard)
    assert heard["award_moved"] > 3
    assert heard["supply_short"] > 0


@all_editions
def test_events_tell_a_simulated_game(edition: str) -> None:
    played = replay_game(check_options(edition=edition), 5, 0)
    game = Referee(
        played.referee.options,
        played.referee.layout,
        Referee.new(played.referee.layout, **played.referee.options.as_dict()).state,
    )
    follow(game, iter(played.steps), Counter())
    assert game.phase == "over"


def test_every_part_of_a_state_is_told_or_settled_or_follows() -> None:
    facts = Tracker(check_options(edition="fifth")).facts()
    assert set(State.fields) <= set(facts) | set(SETTLED) | set(DERIVED)
    assert not set(SETTLED) & set(DERIVED)
    assert set(HIDDEN) <= set(facts)


def test_a_listener_notices_what_is_not_told() -> None:
    game = Referee.new(edition="fifth", setup="fixed", first=0)
    played = iter([(0, act.ROLL), (NATURE, act.dice_outcome(4, 6))])
    deaf = Tracker.hear
    try:
        Tracker.hear = lambda self, event: None if event and event.name == "produced" else deaf(self, event)  # type: ignore[method-assign]
        with pytest.raises(AssertionError, match="hand"):
            follow(game, played, Counter())
    finally:
        Tracker.hear = deaf  # type: ignore[method-assign]


# --- writing and reading ---------------------------------------------------------------------------------------------


def test_every_kind_of_event_has_a_sample() -> None:
    assert {event.name for event in SAMPLES} == set(EVENTS)


@pytest.mark.parametrize("event", SAMPLES, ids=lambda event: event.name)
def test_an_event_is_written_as_plain_data_and_read_again(event: Event) -> None:
    for face in (event, event.seen_by(None)):
        if face is not None:
            data = face.as_dict()
            assert data["event"] == event.name
            assert event_from_dict(json.loads(json.dumps(data))) == face
            assert event_from_dict(data) == face


@pytest.mark.parametrize(
    "data, message",
    [
        ({}, "there is no event None; the events are game_began, "),
        ({"event": "flew"}, "there is no event 'flew'"),
        ({"event": "stole", "player": "red"}, "event stole has player; its fields are player, victim, card"),
        ({"event": "stole", "player": "red", "victim": 3, "card": None}, "3 should be str"),
        ({"event": "rolled", "player": "red", "dice": [1, 2, 3], "total": 6}, "should be 2 values"),
        ({"event": "rolled", "player": "red", "dice": [1, 2], "total": True}, "True should be int"),
        ({"event": "start_cards", "player": "red", "cards": "ore"}, "'ore' should be Cards"),
        ({"event": "start_cards", "player": "red", "cards": {"gold": 1}}, "'gold' is no such card"),
        ({"event": "produced", "gains": {"red": 1}, "hexes": {}}, "1 should be Cards"),
    ],
)
def test_data_that_is_no_event_is_refused(data: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        event_from_dict(data)
    assert issubclass(BadEvent, ValueError)


def test_an_event_cannot_be_changed() -> None:
    event = Stole("red", "blue", "ore")
    with pytest.raises(AttributeError):
        event.card = "wool"  # type: ignore[misc]


# --- the page --------------------------------------------------------------------------------------------------------


def rows() -> dict[str, list[str]]:
    """The table of the page: name of the event, its fields, who sees what, an example."""
    lines = re.findall(r"^\| `(\w+)` \| (.*) \| (.*) \| (.*) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    return {name: cells for name, *cells in lines}


def test_the_page_has_every_event_with_its_fields_in_order() -> None:
    table = rows()
    assert list(table) == list(EVENTS)
    for name, (parts, _, _) in table.items():
        own = [field.name for field in fields(EVENTS[name])]  # type: ignore[arg-type]
        assert re.findall(r"`(\w+)`", parts) == own, name


def test_the_page_says_who_sees_what() -> None:
    secret = {event.name for event in SAMPLES if event.hidden}
    assert secret == {"chose_discard", "stole", "drew"}
    assert {name for name, (_, seen, _) in rows().items() if seen != "all"} == secret


def test_the_examples_of_the_page_are_the_words_of_the_fifth_edition() -> None:
    sentences = {event.name: Words().say(event, check_options(edition="fifth")) for event in reversed(SAMPLES)}
    assert {name: example for name, (_, _, example) in rows().items()} == sentences


def test_cards_in_an_event_are_cards() -> None:
    for event in SAMPLES:
        for field in fields(event):  # type: ignore[arg-type]
            value = getattr(event, field.name)
            assert value is None or isinstance(value, (str, int, tuple, dict, Cards)), (event, field.name)
