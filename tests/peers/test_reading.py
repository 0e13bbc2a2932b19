"""Its state as ours: a position set up by hand, field by field."""

from __future__ import annotations

from typing import Any

import pytest

from bench.peers.catanatron_game import Reader, Shadow
from hexholm.rules.encoding import phases
from hexholm.rules.encoding.lanes import unpack
from hexholm.rules.encoding.structs import CARD_KINDS, NOBODY, RESOURCES, Scratch, State
from hexholm.rules.errors import BadInput
from hexholm.rules.places import CORNER_ID, HALF, HEX_ID, SIDE_ID

from . import fake_engine
from .fake_engine import Game, Kind, Prompt


def read(game: Game) -> State:
    return Reader(game).whole_state(game, Scratch())


def named(lanes: int, kinds: tuple[str, ...] = RESOURCES) -> dict[str, int]:
    return {kind: n for kind, n in zip(kinds, unpack(lanes), strict=True) if n}


def test_cards_lie_where_it_says() -> None:
    game = Game()
    player_state: Any = game.state.player_state
    player_state.update(P0_WOOD_IN_HAND=1, P0_BRICK_IN_HAND=2, P0_SHEEP_IN_HAND=3, P0_WHEAT_IN_HAND=4, P0_ORE_IN_HAND=5)
    player_state.update(P2_KNIGHT_IN_HAND=1, P2_VICTORY_POINT_IN_HAND=2, P2_MONOPOLY_IN_HAND=1)
    player_state.update(P3_PLAYED_KNIGHT=2, P3_PLAYED_ROAD_BUILDING=1, P3_PLAYED_YEAR_OF_PLENTY=1)
    game.state.resource_freqdeck = [18, 17, 16, 15, 14]
    game.state.development_listdeck = ["KNIGHT", "MONOPOLY", "KNIGHT"]
    s = read(game)
    assert named(s.hand[0]) == {"lumber": 1, "brick": 2, "wool": 3, "grain": 4, "ore": 5}
    assert named(s.supply) == {"lumber": 18, "brick": 17, "wool": 16, "grain": 15, "ore": 14}
    assert named(s.development[2], CARD_KINDS) == {"knight": 1, "victory-point": 2, "monopoly": 1}
    assert named(s.played[3], CARD_KINDS) == {"knight": 2, "road-building": 1, "year-of-plenty": 1}
    assert named(s.deck, CARD_KINDS) == {"knight": 2, "monopoly": 1}


def test_pieces_awards_and_the_robber_are_as_it_has_them() -> None:
    game = Game()
    game.build(0, "C3n", "C3/ne")
    game.build(1, "E3s", "E3/se", city=True)
    game.state.board.robber_coordinate = fake_engine.coordinate(HEX_ID["B2"])
    game.state.player_state.update(P1_HAS_ROAD=True, P0_HAS_ARMY=True)
    game.state.board.road_length = 2  # by a wrong ruling
    s = read(game)
    assert s.settlements[0] == 1 << CORNER_ID["C3n"]
    assert s.cities[1] == 1 << CORNER_ID["E3s"]
    assert s.settlements[1] == 0
    assert s.roads_lo[0] | s.roads_hi[0] << HALF == 1 << SIDE_ID["C3/ne"]
    assert s.roads_lo[1] | s.roads_hi[1] << HALF == 1 << SIDE_ID["E3/se"]
    assert s.robber == HEX_ID["B2"]
    assert (s.longest_road, s.largest_army, s.road_record) == (1, 0, 4)
    assert [s.points[seat] for seat in range(4)] == [1 + 2, 2 + 2, 0, 0]


@pytest.mark.parametrize(
    "prompt, facts, phase",
    [
        (Prompt.BUILD_INITIAL_SETTLEMENT, {"is_initial_build_phase": True}, phases.PLACE_SETTLEMENT),
        (Prompt.BUILD_INITIAL_ROAD, {"is_initial_build_phase": True}, phases.PLACE_ROAD),
        (Prompt.PLAY_TURN, {}, phases.BEFORE_ROLL),
        (Prompt.PLAY_TURN, {"P1_HAS_ROLLED": True}, phases.MAIN),
        (Prompt.PLAY_TURN, {"is_road_building": True, "free_roads_available": 2}, phases.FREE_ROAD),
        (Prompt.MOVE_ROBBER, {}, phases.MOVE_ROBBER),
        (Prompt.DISCARD, {"P1_HAS_ROLLED": True, "discard_counts": [4, 0, 0, 0]}, phases.DISCARDING),
    ],
)
def test_what_it_asks_for_is_a_phase_of_ours(prompt: Prompt, facts: dict[str, Any], phase: int) -> None:
    game = Game()
    later = {"current_turn_index": 1, "num_turns": 9, "is_initial_build_phase": False}
    game.happen(Kind.END_TURN, current_prompt=prompt, **(later | facts))
    s = read(game)
    assert s.phase == phase
    assert s.turn_number == (0 if game.state.is_initial_build_phase else 4)
    assert s.owed[0] == (4 if prompt is Prompt.DISCARD else 0)
    assert (s.free_roads, s.free_placed) == ((2, 0) if s.phase == phases.FREE_ROAD else (0, 0))


def test_the_last_piece_limits_the_free_roads() -> None:
    game = Game()
    game.begin()
    game.state.is_road_building, game.state.free_roads_available = True, 2
    game.state.player_state["P0_ROADS_AVAILABLE"] = 1
    assert read(game).free_roads == 1


def test_dice_and_new_cards_are_those_of_this_turn() -> None:
    game = Game()
    game.begin()
    game.happen(Kind.ROLL, (1, 2), (1, 2))
    game.happen(Kind.BUY_DEVELOPMENT_CARD, "MONOPOLY", "MONOPOLY")
    game.happen(Kind.END_TURN)
    assert (read(game).die_a, read(game).new_cards) == (0, 0)
    game.happen(Kind.ROLL, (3, 5), (3, 5))
    game.happen(Kind.BUY_DEVELOPMENT_CARD, "KNIGHT", "KNIGHT")
    s = read(game)
    assert (s.die_a, s.die_b, named(s.new_cards, CARD_KINDS)) == (3, 5, {"knight": 1})


def test_start_settlements_are_kept_in_their_order() -> None:
    game = Game(player_count=2)
    for seat, corner in ((0, 10), (1, 20), (1, 30), (0, 40)):
        game.state.current_player_index = seat
        game.happen(Kind.BUILD_SETTLEMENT, fake_engine.node(corner), current_prompt=Prompt.BUILD_INITIAL_ROAD)
        assert read(game).last_corner == corner
        game.happen(Kind.BUILD_ROAD, fake_engine.edge(corner), current_prompt=Prompt.BUILD_INITIAL_SETTLEMENT)
    s = read(game)
    assert (s.second_corner[0], s.second_corner[1], s.placed) == (40, 30, 4)


def test_who_has_won_ends_the_game() -> None:
    game = Game()
    game.begin()
    assert read(game).winner == NOBODY
    game.winner = fake_engine.Color["ORANGE"]
    assert (read(game).winner, read(game).phase) == (2, phases.OVER)


def test_its_options_are_house_rules_of_ours() -> None:
    game = Game(player_count=2)
    game.vps_to_win, game.state.discard_limit, game.state.friendly_robber = 12, 9, True
    s = read(game)
    assert (s.players, s.points_to_win, s.hand_limit, s.friendly_robber) == (2, 12, 9, 1)


def test_a_game_cannot_be_taken_up_in_the_middle() -> None:
    game = Game()
    game.begin()
    with pytest.raises(BadInput, match="from its set-up on"):
        Shadow(game, compiled=False)
