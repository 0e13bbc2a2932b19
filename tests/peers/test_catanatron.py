"""In the real engine, where it is installed (bench/peers/README.md): both engines step by step, and hidden cards.

PYTHONPATH=.peers .venv/bin/python -m pytest tests/peers
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from bench.peers import catanatron_game
from bench.peers.audit import Audit, audit
from bench.peers.catanatron_game import Shadow
from bench.peers.library import load_library, make_opponent
from bench.peers.match import MISS, PeerJob
from bench.peers.player import HexholmPlayer
from hexholm.arena.entrants import entrant
from hexholm.bots import Bot, Effort, bot, registry
from hexholm.bots.protocol import choice_code
from hexholm.bots.shipped_bots import SHIPPED
from hexholm.rules.encoding.lanes import count_cards
from hexholm.rules.encoding.structs import State
from hexholm.rules.errors import BadInput

try:
    PEER = load_library()
except BadInput as error:
    pytest.skip(f"needs Catanatron: {error}", allow_module_level=True)


def new_game(seed: int, player_count: int = 4, by: str = "WeightedRandom") -> Any:
    return PEER.Game([make_opponent(by, color) for color in list(PEER.Color)[:player_count]], seed=seed)


def small(name: str) -> Bot:
    """A shipped player that does not think long."""
    player = registry.bot_kind(name)
    return player.make(5, Effort(steps=2) if player.takes_effort else None)


# --- both engines -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("player_count, by", [(4, "Random"), (3, "WeightedRandom"), (2, "WeightedRandom")])
def test_both_engines_agree_on_every_step_but_for_named_rulings(player_count: int, by: str) -> None:
    result = audit(range(1, 3), player_count, by, compiled=None)
    assert result.games == 2
    assert result.steps > 500
    assert result.faults == []


@pytest.mark.parametrize("swapped", ["WHEAT", "KNIGHT"])
def test_the_comparison_finds_a_reader_that_mixes_things_up(swapped: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name, other_card = ("RESOURCES", "ORE") if swapped == "WHEAT" else ("CARDS", "MONOPOLY")
    right = getattr(catanatron_game, name)
    wrong = tuple({swapped: other_card, other_card: swapped}.get(word, word) for word in right)
    monkeypatch.setattr(catanatron_game, name, wrong)
    comparison = Audit()
    comparison.watch(new_game(1))
    assert comparison.faults


# --- hidden cards -----------------------------------------------------------------------------------------------------


def other_luck(record: Any, game: Any, me: Any) -> Iterator[Any]:
    """The same action with another outcome that `me` would not see."""
    action = record.action
    match action.action_type.name:
        case "MOVE_ROBBER" if record.result is not None and me not in (action.color, action.value[1]):
            key = f"P{game.state.color_to_index[action.value[1]]}"
            for name in ("WOOD", "BRICK", "SHEEP", "WHEAT", "ORE"):
                if name != record.result and game.state.player_state[f"{key}_{name}_IN_HAND"]:
                    yield record._replace(result=name)
        case "BUY_DEVELOPMENT_CARD" if action.color is not me:
            for name in sorted(set(game.state.development_listdeck) - {record.result}):
                yield record._replace(result=name, action=action._replace(value=name))


def in_the_open(state: State, seat: int) -> tuple[Any, ...]:
    """What a seat sees for sure: if that differs, two histories are told apart, and rightly."""
    sizes = [count_cards(state.hand[other_seat]) for other_seat in range(4)] + [
        count_cards(state.development[other_seat]) for other_seat in range(4)
    ]
    cards_played = [state.played[other_seat] for other_seat in range(4)]
    return state.hand[seat], state.development[seat], state.supply, *sizes, *cards_played


def listed(game: Any, action: Any) -> bool:
    """Whether this could be done there, its luck aside."""
    plain = [(listed_action.action_type, listed_action.value) for listed_action in game.playable_actions]
    if action.action_type.name in ("ROLL", "BUY_DEVELOPMENT_CARD"):
        return (action.action_type, None) in plain
    return (action.action_type, action.value) in plain


def histories(seed: int, seat: int) -> Iterator[tuple[tuple[Shadow, State], tuple[Shadow, State]]]:
    """Two histories of a game at a time, step by step, as long as a seat cannot tell them apart."""
    random.seed(seed)
    new = new_game(seed)
    me, game = new.state.colors[seat], new.copy()
    game.play()
    records = game.state.action_records
    lucky = [
        i
        for i, record in enumerate(records)
        if record.action.action_type.name in ("MOVE_ROBBER", "BUY_DEVELOPMENT_CARD")
    ]
    for at in random.Random(seed).sample(lucky, min(len(lucky), 10)):
        shadow, other_shadow = Shadow(new), Shadow(new)
        for record in records[:at]:
            shadow.see(record)
            other_shadow.see(record)
        changed = next(other_luck(records[at], shadow._game, me), None)
        if changed is None:
            continue
        for own_record, other_record in zip(records[at:], [changed, *records[at + 1 :]], strict=True):
            if not listed(other_shadow._game, other_record.action):
                break
            shadow.see(own_record)
            try:
                other_shadow.see(other_record)
            except (AssertionError, ValueError):  # the card is not there in the other history
                break
            if shadow._game.winning_color() or other_shadow._game.winning_color():
                break
            states = shadow.state(), other_shadow.state()
            if in_the_open(states[0], seat) != in_the_open(states[1], seat):
                break
            yield (shadow, states[0]), (other_shadow, states[1])


def test_two_histories_that_agree_in_the_open_give_the_same_view_and_the_same_move() -> None:
    different = decisions = 0
    for seed in range(11, 15):
        seat = seed % 4
        for history, other_history in histories(seed, seat):
            views = [shadow.view(seat, state) for shadow, state in (history, other_history)]
            assert views[0].raw.buffer.tobytes() == views[1].raw.buffer.tobytes()
            different += history[1] != other_history[1]
            if history[0]._game.state.current_player_index == seat and len(views[0].legal_actions) > 1:
                decisions += 1
                if decisions % 4 == 0:
                    for name in SHIPPED:
                        assert len({choice_code(small(name).choose(view), view.colors, seat) for view in views}) == 1
    assert different >= 300
    assert decisions >= 12


# --- whole games ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("player_count, seat", [(2, 1), (4, 2)])
@pytest.mark.parametrize("name", SHIPPED)
def test_every_player_of_ours_plays_whole_games_from_the_seat_it_was_given(
    name: str, player_count: int, seat: int
) -> None:
    player = f"{name}@2" if registry.bot_kind(name).takes_effort else name
    game = PeerJob(entrant(player), "WeightedRandom", player_count, seed=3, compiled=None).play(player_count + seat)
    assert game.entrants_by_seat[seat] == 0
    assert sum(game.entrants_by_seat) == player_count - 1
    assert game.winner in range(player_count)
    assert not [key for key in game.faults if key[0] == MISS]
    assert game.times[seat].total > 20


def test_deciding_touches_neither_the_game_nor_its_luck() -> None:
    game = new_game(4)
    player = HexholmPlayer(game.state.colors[0], bot("easy", 1))
    for _ in range(250):
        if game.winning_color() is not None:
            break
        if game.state.current_color() is player.color:
            luck, before = random.getstate(), game.copy().state
            action = player.decide(game, game.playable_actions)
            assert random.getstate() == luck
            assert vars(before).keys() == vars(game.state).keys()
            assert before.player_state == game.state.player_state
            assert before.development_listdeck == game.state.development_listdeck
            assert before.action_records == game.state.action_records
            game.execute(action)
        else:
            game.play_tick()
    assert player.times.total > 10


def test_a_game_that_is_joined_late_is_refused() -> None:
    game = new_game(5)
    while game.state.is_initial_build_phase or len(game.playable_actions) == 1:
        game.play_tick()
    with pytest.raises(BadInput, match="from its set-up on"):
        HexholmPlayer(game.state.current_color(), bot("easy", 1)).decide(game, game.playable_actions)
