"""Positions and views as text: they come back byte by byte, however they are spelled, and a view hides what it must."""

from __future__ import annotations

import random
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from hexholm.game.positions.position import BadPosition, position_hash, read_position, read_view, view_text
from hexholm.game.positions.position_words import POSITION_KEYS, SEAT_KEYS, SEAT_VIEW_KEYS, VIEW_KEYS
from hexholm.rules.boards import Layout, layout_for
from hexholm.rules.encoding.phases import PHASES
from hexholm.rules.encoding.structs import SEATS
from hexholm.rules.initial_state import new_state
from hexholm.rules.referee import Referee
from hexholm.rules.setup.editions import EDITIONS
from hexholm.rules.setup.options import check_options
from hexholm.rules.simulate import replay_game
from tests.helpers.marks import all_editions
from tests.helpers.random_play import walk
from tests.rules.scenes import chain, changed_board, roads_along, scene

from .position_checks import COMMON, check, check_views, corpus, position_line, steps, text_of

PAGES = Path(__file__).parents[3] / "docs" / "formats"


# --- there and back --------------------------------------------------------------------------------------------------


@all_editions
def test_every_position_of_a_whole_game_comes_back(edition: str) -> None:
    house = {"points_to_win": 6, "balanced_dice": edition == "threed", "friendly_robber": edition == "zip"}
    replay = replay_game(
        check_options(edition=edition, setup="variable", **house), seed=4, game=EDITIONS.index(edition)
    )
    own, layout = replay.referee.options, replay.referee.layout
    game = Referee(own, layout, new_state(own, layout))
    check(game)
    for number in steps(game, replay.steps):
        if number % 9 == 0 or game.phase in ("discard", "victim", "free road", "over"):
            check(game)
        if number % 60 == 0:
            check_views(game)
    assert game.phase == "over"
    assert game.state == replay.referee.state


def test_positions_of_all_phases_come_back_with_offers_and_house_rules() -> None:
    seen: Counter[str] = Counter()
    for number in (*range(15), 20):  # which ends within these steps
        for k, game in enumerate(duel.referee for duel in walk(number, 330, compiled=False)):
            offers = any(game.open_offers.give[slot] for slot in range(8))
            if k % 20 == 0 or (k % 5 == 0 and (offers or game.phase not in COMMON)) or game.phase in ("over", "victim"):
                check(game)
                seen.update([game.phase, f"{game.state.players} players", game.options.edition, game.options.setup])
                seen.update({"offers": offers, "bag": game.state.dice_bag.bit_count() in range(1, 36)})
            if k % 90 == 40 or (game.phase in ("discard", "over", "victim") and k % 4 == 0):
                check_views(game)
                seen["views of " + game.phase] += 1
    marks = {phase.name for phase in PHASES} | {"2 players", "3 players", "4 players", "offers", "bag", *EDITIONS}
    assert not [what for what in (*marks, "fixed", "variable", "views of discard") if not seen[what]]


@pytest.mark.parametrize(
    "options",
    [
        {"edition": "zip", "setup": "variable"},
        {"edition": "zip", "map": 1},
        {"edition": "zip", "map": 31},
        {"edition": "threed", "setup": "variable", "numbers": "random", "harbors": "harbor_and_frame_shuffle"},
        {"edition": "fifth", "setup": "variable", "harbors": "frame_shuffle", "phases": "combined"},
        {"edition": "summary", "ages": [31, 64, 20, 64]},
        {"edition": "fifth", "ages": [31, 64, 20, 65]},
        {"edition": "sixth", "first": "roll", "players": 3, "colors": ["orange", "red", "blue"]},
        {"edition": "fifth", "first": 2, "two_players": True, "players": 4},
        {"edition": "fifth", "two_players": True, "players": 2, "points_to_win": 14, "hand_limit": 9},
        {"edition": "fifth", "friendly_robber": True, "balanced_dice": True, "first": "roll"},
    ],
)
def test_options_of_every_kind_come_back(options: dict[str, Any]) -> None:
    settled = check_options(**options)
    layout = layout_for(settled, 77)
    game = Referee(settled, layout, new_state(settled, layout))
    text = check(game)
    check_views(game)
    assert check_options(**read_position(text).options.as_dict()) == settled
    assert "77" not in text  # the seed of the board is nobody's business


def test_a_board_of_ones_own_comes_back() -> None:
    game = scene(board=changed_board(A1="hills 3", E3="desert", C3="pasture 12"), first=0)
    assert " standard=no " in check(game)


@pytest.mark.rule("SETUP-07")
def test_a_second_round_of_start_rolls_comes_back() -> None:
    game = Referee.new(edition="sixth", players=3, first="roll")
    for outcome in ("dice 1 2", "dice 4 4", "dice 2 6"):
        game.deal(outcome)
        check(game)
    assert "to-roll=blue,orange best-rollers=blue,orange" in text_of(game)
    game.deal("dice 6 6")
    assert "to-roll=orange best-roll=12 best-rollers=blue" in check(game)


def test_a_position_set_up_by_hand_comes_back_without_placement_rounds_behind_it() -> None:
    game = scene(
        turn="blue",
        first=1,
        hands={"blue": "3 ore 2 grain", "red": "19 brick"},
        settlements={"blue": "C3n", "white": "B1nw"},
        cities={"red": "E1s"},
        roads={"white": chain("AB", 5), "blue": roads_along("C3n C3ne")},
        dev={"blue": "2 knight 1 victory-point"},
        played={"red": "3 knight"},
    )
    assert "*" not in check(game)
    game.play("blue", "offer 1 ore : 1 brick to red white")
    game.play("white", "reject #1")
    assert " offer1=blue:1ore:1brick:red,white-" in check(game)


def test_the_cards_of_a_box_that_lacks_some_are_not_hidden_by_the_text() -> None:
    game = scene(bank="1 ore", first=0)
    assert " bank=1ore" in text_of(game)
    with pytest.raises(BadPosition, match="COMP-03"):
        read_position(text_of(game))


def test_equal_positions_have_equal_hashes_and_others_other_ones() -> None:
    hashes = {position_hash(text) for text in corpus()[0]}
    assert len(hashes) == len(set(corpus()[0]))
    assert position_hash("hexholm-position-1") == "52caed304ed4d585"
    assert all(re.fullmatch("[0-9a-f]{16}", digest) for digest in hashes)


# --- views -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("INFO-01", "INFO-03", "INFO-06", "INFO-07")
def test_a_view_tells_nothing_that_is_hidden_from_its_observer() -> None:
    hands = {"red": "1 wool", "blue": "2 ore", "white": "2 lumber"}
    dev = {"red": "1 knight", "blue": "1 victory-point", "white": "1 monopoly"}
    first = scene(hands=hands, dev=dev, first=0)
    swapped = {"red": "1 wool", "blue": "2 lumber", "white": "2 ore"}
    other = scene(hands=swapped, dev={**dev, "blue": "1 monopoly", "white": "1 victory-point"}, first=0)
    for color in ("red", "orange", None):
        texts = [view_text(game.options, game.layout, game.view(color), belief=False) for game in (first, other)]
        assert texts[0] == texts[1]
        assert "blue:hand=?2 blue:cards=?1 white:hand=?2" in texts[0]
        assert "monopoly" not in texts[0]
    assert text_of(first) != text_of(other)
    assert "white:cards=1monopoly" in view_text(first.options, first.layout, first.view("white"))


def test_a_view_has_neither_name_nor_seed_of_its_board() -> None:
    game = scene(first=0)
    named = Layout(game.layout.board, name="board seed 4711")
    assert "4711" not in view_text(game.options, named, game.view("red"))


@pytest.mark.rule("WIN-07")
def test_victory_points_that_were_shown_are_in_the_view_of_a_finished_game() -> None:
    game = scene(
        hands={"red": "3 ore 2 grain"},
        settlements={"red": "C3n"},
        dev={"red": "1 victory-point", "blue": "2 victory-point 1 knight"},
        points_to_win=3,
        first=0,
    )
    assert " blue:cards=?3 " in view_text(game.options, game.layout, game.view("white"))
    game.play("red", "city C3n")
    text = view_text(game.options, game.layout, game.view("white"))
    assert " red:cards=1victory-point " in text
    assert " blue:cards=?1,2victory-point " in text
    assert read_view(text)[2] == game.view("white")


def test_a_view_is_no_position_and_a_position_no_view() -> None:
    game = scene(hands={"blue": "2 ore"}, first=0)
    for color, sight_text in (("red", "what red sees"), (None, "what the public sees")):
        seen = view_text(game.options, game.layout, game.view(color))
        for text in (seen, seen.replace("hexholm-view-1 ", "")):
            with pytest.raises(BadPosition, match=f"{sight_text}.*read_view"):
                read_position(text)
            assert read_view(text)[2].observer == (0 if color else SEATS)
    with pytest.raises(BadPosition, match="read_view"):
        read_position("blue:hand=?2")
    with pytest.raises(BadPosition, match=r"full position.*read_position"):
        read_view(text_of(game))
    with pytest.raises(BadPosition, match="hexholm-view-1"):
        read_view("hexholm-position-1 seen-by=red")


# --- lenient reading -------------------------------------------------------------------------------------------------


def test_a_short_line_by_hand_is_a_position() -> None:
    position = read_position("turn=blue blue:settlements=C3n blue:roads=C3/ne blue:hand=1brick")
    assert position.options == check_options(edition="fifth")
    assert (position.state.active, position.state.turn_number, position.state.first) == (1, 2, 0)
    assert PHASES[position.state.phase].name == "roll"
    assert position.state.robber == position.layout.desert
    game = Referee(position.options, position.layout, position.state)
    game.play("blue", "roll")
    game.deal("dice 3 3")
    assert read_position("").state.active == 0


def test_spelling_does_not_matter() -> None:
    plain_text = read_position(
        "players=blue,white,orange turn=white phase=main dice=3+4 friendly-robber=yes "
        "hexes=m10p2f9/g12h6p4h10/g9f11df3m8/f8m3g4p5/h5g6p11 "
        "blue:hand=2lumber,1grain blue:settlements=B2se white:cards=1year-of-plenty blue:roads=B3/sw"
    )
    free = read_position(
        "BLUE:Roads=c3/NE\n blue:hand=wheat,2xWOOD\tBlue:settlement=C3N friendly_robber=True white:cards=Invention "
        "dice=34 hexes=MOUNTAINS10wool2Lumber9/grain12hills6p4h10/g9,f11,desert,f3,m8/f8m3g4p5/h5g6p11 "
        "turn=WHITE players=Blue,White,ORANGE phase=Main HEXHOLM-position-1"
    )
    assert free.state == plain_text.state
    assert free.options == plain_text.options
    assert position_line(free) == position_line(plain_text)


def test_the_words_of_a_text_may_stand_in_any_order() -> None:
    rng = random.Random(1)
    for text in (*corpus()[0][:12], *corpus()[1][:12]):
        words = text.split()
        rng.shuffle(words)
        shuffled = "\n".join(words)
        if "seen-by" in text:
            assert view_text(*read_view(shuffled)) == text
        else:
            assert position_line(read_position(shuffled)) == text


def test_who_begins_may_be_named_without_saying_how() -> None:
    position = read_position("first=white")
    assert (position.options.first, position.state.first, position.state.active) == (2, 2, 2)
    assert (
        read_position("edition=sixth first=white").options.first is None
    )  # there the highest roll may have been white's


def test_awards_follow_from_the_pieces_if_there_is_no_doubt() -> None:
    roads = ",".join(chain("BC", 6).split())
    position = read_position(f"red:settlements=C1nw red:roads={roads} blue:played=4knight red:played=3knight")
    assert (position.state.longest_road, position.state.largest_army) == (0, 1)
    assert (position.state.points[0], position.state.points[1]) == (3, 2)
    with pytest.raises(BadPosition, match="LROAD-01"):
        read_position(f"red:settlements=C1nw red:roads={roads} longest-road=nobody")


@pytest.mark.rule("LROAD-08", "LROAD-10", "ARMY-02")
def test_roads_that_tie_may_be_nobodys_and_knights_that_tie_may_not() -> None:
    roads = f"red:settlements=C1nw red:roads={','.join(chain('BC', 5).split())}"
    tie = f"{roads} blue:settlements=D1sw blue:roads={','.join(chain('DE', 5).split())}"
    unnamed, nobodys, reds = (
        read_position(f"{tie} {word}".strip()) for word in ("", "longest-road=nobody", "longest-road=red")
    )
    assert unnamed.state.longest_road == nobodys.state.longest_road == -1
    assert position_line(unnamed) == position_line(nobodys)
    assert "longest-road" not in position_line(unnamed)
    assert reds.state.longest_road == 0
    with pytest.raises(BadPosition, match=r"say who was first \(ARMY-02\)"):
        read_position("blue:played=3knight red:played=3knight")


# --- the page --------------------------------------------------------------------------------------------------------


def test_the_pages_name_every_key_and_their_examples_are_canonical() -> None:
    pages = [(PAGES / name).read_text(encoding="utf-8") for name in ("position.md", "view.md")]
    of_views = {*VIEW_KEYS, *SEAT_VIEW_KEYS}
    for page, keys in zip(pages, ({*POSITION_KEYS, *SEAT_KEYS} - of_views, of_views), strict=True):
        assert not [key for key in keys if f"`{key}`" not in page and not re.fullmatch("offer[2-7]", key)]
    examples = [re.findall(r"```\n(hexholm-.*?)```", page, flags=re.DOTALL) for page in pages]
    position, view = (" ".join(block.split()) for blocks in examples for block in blocks)
    assert position_line(read_position(position)) == position
    assert view_text(*read_view(view)) == view
