"""One of our players is asked by its engine: what it answers, what it is not shown, and what is counted."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from bench.peers.answers import discard_keys, key_of_action, key_of_code
from bench.peers.island import Island
from bench.peers.player import HexholmPlayer
from hexholm.bots import Thought
from hexholm.game.action import Action as Ours
from hexholm.game.game import SeatView
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.encoding.lanes import pack
from hexholm.rules.encoding.structs import BRICK, GRAIN, LUMBER, ORE, WOOL
from hexholm.rules.places import CORNER_ID, HEX_ID, N_CORNERS, SIDE_ID

from . import fake_engine
from .fake_engine import Action, Color, Game, Kind, Prompt

RED, BLUE = Color["RED"], Color["BLUE"]
HANDS = {"P1_WOOD_IN_HAND": 2, "P2_WOOD_IN_HAND": 1, "P3_ORE_IN_HAND": 1}


class Scripted:
    """Says what it is told to, and keeps what it was shown."""

    def __init__(self, *says: int | str | Callable[[SeatView], Any], thoughts: Iterable[str] = ()) -> None:
        self.says, self.thoughts = list(says), [Thought(Ours.of(text), 0.5) for text in thoughts]
        self.views: list[SeatView] = []

    def choose(self, view: SeatView) -> Any:
        self.views.append(view)
        answer = self.says.pop(0)
        return answer(view) if callable(answer) else answer

    def explain(self) -> list[Thought]:
        return self.thoughts


def seated(bot: Scripted, game: Game) -> HexholmPlayer:
    """Our player in seat 0, which has placed a settlement, as the set-up ends with three neighbors at E2."""
    player = HexholmPlayer(RED, bot, compiled=False)
    game.build(0, "C3n", "C3/ne")
    for seat, corner in ((1, "E2n"), (2, "E2se"), (3, "E2sw")):
        game.build(seat, corner)
    bot.says.insert(0, f"settlement {'A1n'}")
    where = [Action(RED, Kind.BUILD_SETTLEMENT, fake_engine.node(CORNER_ID[name])) for name in ("A1n", "A3n")]
    assert player.decide(game, where) == where[0]
    bot.views.clear()
    game.begin()
    return player


# --- words there and here ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "action, code",
    [
        (Action(RED, Kind.ROLL), act.ROLL),
        (Action(RED, Kind.END_TURN), act.END),
        (Action(RED, Kind.BUY_DEVELOPMENT_CARD), act.BUY),
        (Action(RED, Kind.PLAY_KNIGHT_CARD), act.KNIGHT_CARD),
        (Action(RED, Kind.PLAY_ROAD_BUILDING), act.ROAD_BUILDING_CARD),
        (Action(RED, Kind.BUILD_CITY, fake_engine.node(17)), act.simple_action(act.CITY, 17)),
        (Action(RED, Kind.BUILD_ROAD, fake_engine.edge(50)), act.simple_action(act.ROAD, 50)),
        (Action(RED, Kind.MOVE_ROBBER, (fake_engine.coordinate(4), BLUE)), act.simple_action(act.ROBBER, 4)),
        (Action(RED, Kind.PLAY_MONOPOLY, "SHEEP"), act.simple_action(act.MONOPOLY_CARD, WOOL)),
        (Action(RED, Kind.PLAY_YEAR_OF_PLENTY, ("WOOD", "BRICK")), act.plenty_action(BRICK, LUMBER)),
        (Action(RED, Kind.PLAY_YEAR_OF_PLENTY, ("ORE", "ORE")), act.plenty_action(ORE, ORE)),
        (Action(RED, Kind.PLAY_YEAR_OF_PLENTY, ("WHEAT",)), act.plenty_action(GRAIN, act.NO_SECOND)),
        (Action(RED, Kind.DISCARD_RESOURCE, "ORE"), act.simple_action(act.DISCARD_CARD, ORE)),
        (
            Action(RED, Kind.MARITIME_TRADE, ("ORE", "ORE", "ORE", None, "WOOD")),
            act.supply_action(ORE, 4, 1 << 8 * LUMBER),
        ),
    ],
)
def test_an_action_there_and_its_like_here_have_one_key(action: Action, code: int) -> None:
    assert key_of_action(action, Island(fake_engine.island())) == key_of_code(code)


def test_a_discard_is_told_card_by_card() -> None:
    code = act.discard_action(pack([1, 0, 0, 2, 0]))
    assert discard_keys(code) == [("DISCARD_RESOURCE", BRICK), ("DISCARD_RESOURCE", GRAIN), ("DISCARD_RESOURCE", GRAIN)]


def test_what_its_engine_does_not_know_is_in_none_of_its_lists() -> None:
    names = {kind.name for kind in Kind}
    codes = (act.WAIVE, act.simple_action(act.STEAL, 1), act.offer_action(1, 256, 14))
    assert not {key_of_code(code)[0] for code in codes} & names


# --- decisions --------------------------------------------------------------------------------------------------------


def test_a_corner_of_ours_is_its_node() -> None:
    game, bot = Game(), Scripted("settlement E3s")
    where = [Action(RED, Kind.BUILD_SETTLEMENT, fake_engine.node(corner)) for corner in range(N_CORNERS)]
    action = HexholmPlayer(RED, bot, compiled=False).decide(game, where)
    assert action.value == fake_engine.node(CORNER_ID["E3s"])
    assert len(bot.views[0].legal_actions) == N_CORNERS


def test_nobody_is_asked_when_there_is_one_thing_to_do() -> None:
    game, bot = Game(), Scripted()
    player = seated(bot, game)
    roll = Action(RED, Kind.ROLL)
    assert player.decide(game, [roll]) is roll
    assert bot.views == []


def test_the_seat_is_found_by_color_wherever_it_sits() -> None:
    game, bot = Game(), Scripted("settlement C3n")
    game.state.current_player_index = game.state.current_turn_index = 1
    where = [Action(BLUE, Kind.BUILD_SETTLEMENT, fake_engine.node(CORNER_ID[name])) for name in ("C3n", "A1n")]
    HexholmPlayer(BLUE, bot, compiled=False).decide(game, where)
    assert bot.views[0].seat == "blue"
    assert bot.views[0].colors == ("red", "blue", "orange", "white")


def robbing(game: Game) -> list[Action]:
    """Red is to move the robber; at E2 blue, orange and white may be robbed."""
    game.happen(Kind.ROLL, (3, 4), (3, 4), P0_HAS_ROLLED=True, current_prompt=Prompt.MOVE_ROBBER, **HANDS)
    at = fake_engine.coordinate(HEX_ID["E2"])
    moves = [Action(RED, Kind.MOVE_ROBBER, (at, color)) for color in tuple(Color)[1:]]
    return [*moves, Action(RED, Kind.MOVE_ROBBER, (fake_engine.coordinate(HEX_ID["B2"]), None))]


def test_robber_and_victim_are_two_questions_and_one_answer() -> None:
    game, bot = Game(), Scripted("robber E2", "steal orange")
    player = seated(bot, game)
    moves = robbing(game)
    assert player.decide(game, moves) is moves[1]
    assert [view.phase for view in bot.views] == ["robber", "victim"]
    assert bot.views[1].robber == "E2"
    assert not player.misses


def test_no_victim_is_asked_for_where_there_is_none() -> None:
    game, bot = Game(), Scripted("robber B2")
    player = seated(bot, game)
    moves = robbing(game)
    assert player.decide(game, moves) is moves[-1]
    assert len(bot.views) == 1


def test_a_victim_without_cards_is_a_miss_and_another_one_is_robbed() -> None:
    game, bot = Game(), Scripted("robber E2", "steal white")
    player = seated(bot, game)
    moves = [move for move in robbing(game) if move.value[1] is not Color["WHITE"]]
    assert player.decide(game, moves) in moves[:2]
    assert player.misses == {"steal": 1}


def test_a_discard_is_asked_for_once_and_given_card_by_card() -> None:
    game, bot = Game(), Scripted("discard 1 brick 3 ore")
    player = seated(bot, game)
    hand = {"P0_BRICK_IN_HAND": 2, "P0_ORE_IN_HAND": 6}
    prompt = Prompt.DISCARD
    game.happen(
        Kind.ROLL, (3, 4), (3, 4), P0_HAS_ROLLED=True, current_prompt=prompt, discard_counts=[4, 0, 0, 0], **hand
    )
    listed = [Action(RED, Kind.DISCARD_RESOURCE, name) for name in ("BRICK", "ORE")]
    discarded = []
    for cards_left in (3, 2, 1, 0):
        action = player.decide(game, listed)
        discarded.append(action.value)
        game.happen(action.action_type, action.value, action.value, discard_counts=[cards_left, 0, 0, 0])
    assert discarded == ["BRICK", "ORE", "ORE", "ORE"]
    assert len(bot.views) == 1
    assert (bot.views[0].phase, bot.views[0].owed()) == ("discard", 4)


def in_turn(bot: Scripted, **hand: int) -> tuple[HexholmPlayer, Game, list[Action]]:
    """Red has rolled and may build a road, trade or end the turn."""
    game = Game()
    player = seated(bot, game)
    game.happen(Kind.ROLL, (1, 1), (1, 1), P0_HAS_ROLLED=True, P0_WOOD_IN_HAND=5, P0_BRICK_IN_HAND=1, **HANDS, **hand)
    trade = Action(RED, Kind.MARITIME_TRADE, ("WOOD", "WOOD", "WOOD", "WOOD", "ORE"))
    return (
        player,
        game,
        [Action(RED, Kind.END_TURN), trade, Action(RED, Kind.BUILD_ROAD, fake_engine.edge(SIDE_ID["C3/nw"]))],
    )


def test_an_offer_is_refused_at_once_and_the_player_asked_again() -> None:
    bot = Scripted("offer 1 lumber : 1 ore to blue", "offer 2 lumber : 1 ore to blue", "supply 4 lumber : 1 ore")
    player, game, listed = in_turn(bot)
    assert player.decide(game, listed) is listed[1]
    assert (player.offers, player.misses) == (2, {})
    assert player.times.total == 3 + 1  # and the settlement


def test_one_who_only_offers_gets_its_next_best_or_ends_its_turn() -> None:
    bot = Scripted(*["offer 1 lumber : 1 ore to blue"] * 4, thoughts=["offer 1 lumber : 1 ore to blue", "road C3/nw"])
    player, game, listed = in_turn(bot)
    assert player.decide(game, listed) is listed[2]
    bot = Scripted(*["offer 1 lumber : 1 ore to blue"] * 4)
    player, game, listed = in_turn(bot)
    assert player.decide(game, listed) is listed[0]
    assert player.offers == 4


def test_an_answer_that_is_not_listed_is_a_miss_and_the_next_thought_is_taken() -> None:
    bot = Scripted("road C3/w", thoughts=["road C3/w", "supply 4 lumber : 1 ore", "end"])
    player, game, listed = in_turn(bot)
    assert player.decide(game, listed) is listed[1]
    assert player.misses == {"road": 1}


def test_a_player_that_fails_costs_a_plain_move() -> None:
    def fail(view: SeatView) -> Any:
        raise RuntimeError("no idea")

    player, game, listed = in_turn(Scripted(fail))
    assert player.decide(game, listed) is listed[0]
    assert player.misses == {"failed: RuntimeError: no idea": 1}


def test_an_offer_of_somebody_else_is_refused() -> None:
    player, game, _ = in_turn(Scripted())
    game.happen(Kind.END_TURN, current_prompt=Prompt.DECIDE_TRADE)
    listed = [Action(RED, Kind.ACCEPT_TRADE), Action(RED, Kind.REJECT_TRADE)]
    assert player.decide(game, listed) is listed[1]


def test_another_game_is_followed_from_its_own_beginning() -> None:
    bot = Scripted("settlement C3n", "settlement C3n")
    player = HexholmPlayer(RED, bot, compiled=False)
    for seed in (1, 2):
        game = Game(seed=seed)
        where = [Action(RED, Kind.BUILD_SETTLEMENT, fake_engine.node(CORNER_ID[name])) for name in ("C3n", "A1n")]
        game.state.player_state["P1_ORE_IN_HAND"] = seed
        player.decide(game, where)
    assert [view.hand_size("blue") for view in bot.views] == [1, 2]


# --- what it is not shown ---------------------------------------------------------------------------------------------


def theft(card: str, bought: str, deck: list[str]) -> SeatView:
    """What red sees after blue robbed orange of a card and bought another."""
    game, bot = Game(), Scripted("end")
    player = seated(bot, game)
    game.happen(
        Kind.ROLL, (3, 3), (3, 3), current_player_index=1, current_turn_index=1, P2_WOOD_IN_HAND=2, P2_ORE_IN_HAND=2
    )
    hand_keys = {f"P2_{card}_IN_HAND": 1, f"P1_{card}_IN_HAND": 1}
    game.happen(Kind.MOVE_ROBBER, (fake_engine.coordinate(HEX_ID["E2"]), Color["ORANGE"]), card, **hand_keys)
    game.happen(
        Kind.BUY_DEVELOPMENT_CARD, bought, bought, **{f"P1_{bought}_IN_HAND": 1}, development_listdeck=deck, num_turns=7
    )
    game.happen(Kind.END_TURN, current_player_index=0, current_turn_index=0, P0_HAS_ROLLED=True, P0_WOOD_IN_HAND=5)
    player.decide(game, [Action(RED, Kind.END_TURN), Action(RED, Kind.MARITIME_TRADE, ("WOOD",) * 4 + ("ORE",))])
    return bot.views[0]


def test_a_view_is_the_same_whatever_was_stolen_and_drawn_among_others() -> None:
    all_cards = Game().state.development_listdeck
    decks = {card: [*all_cards] for card in fake_engine.CARDS}
    for card, deck in decks.items():
        deck.remove(card)
    theft_view = theft("WOOD", "KNIGHT", decks["KNIGHT"])
    for card, bought in (("ORE", "KNIGHT"), ("WOOD", "VICTORY_POINT"), ("ORE", "MONOPOLY")):
        other_view = theft(card, bought, decks[bought][::-1])
        assert other_view.raw.buffer.tobytes() == theft_view.raw.buffer.tobytes()
        assert other_view == theft_view
    assert theft_view.odds("blue")["ore"] == {0: 0.5, 1: 0.5}
    assert (theft_view.development_count("blue"), theft_view.hand_size("orange")) == (1, 3)


def test_the_robbed_one_sees_what_was_taken() -> None:
    views = []
    for card in ("WOOD", "ORE"):
        game, bot = Game(), Scripted("end")
        player = seated(bot, game)
        game.happen(
            Kind.ROLL, (3, 3), (3, 3), current_player_index=1, current_turn_index=1, P0_WOOD_IN_HAND=5, P0_ORE_IN_HAND=1
        )
        hand_keys = {f"P0_{card}_IN_HAND": 4 if card == "WOOD" else 0, f"P1_{card}_IN_HAND": 1}
        game.happen(Kind.MOVE_ROBBER, (fake_engine.coordinate(HEX_ID["C3"]), RED), card, **hand_keys)
        game.happen(Kind.END_TURN, current_player_index=0, current_turn_index=0, P0_HAS_ROLLED=True)
        player.decide(
            game, [Action(RED, Kind.END_TURN), Action(RED, Kind.BUILD_ROAD, fake_engine.edge(SIDE_ID["C3/nw"]))]
        )
        views.append(bot.views[0].ranges("blue")["ore"])
    assert views == [(0, 0), (1, 1)]
