"""Longest Road, second part: cutting a road, and who holds the award then (LROAD-07 to LROAD-11).

Red's road runs between the rows B and C. Blue comes down to it from above with the last of its roads. The road of white
(black in Zip!) runs between C and D, that of the fourth color between D and E.
"""

from __future__ import annotations

import pytest

from hexholm.rules.places import CORNER_NAMES, CORNER_SIDES, SIDE_CORNERS, SIDE_NAMES
from tests.helpers.marks import all_editions

from ..scenes import Scene, chain, red_first, roads_along, scene

SETTLEMENT = "1 brick 1 lumber 1 wool 1 grain"
FROM_ABOVE = {
    "C2n": "C2n B1ne B2n B2ne B3n B3ne B4n B4ne B4se",
    "C3n": "C3n B2ne B3n B3ne B4n B4ne B4se",
}


def down_to(corner: str, n: int) -> str:
    """A road of `n` segments that ends at a corner of red's road."""
    return roads_along(" ".join(FROM_ABOVE[corner].split()[: n + 1]))


def before_the_cut(
    edition: str = "fifth",
    corner: str = "C3n",
    *,
    red: int = 7,
    blue: int = 2,
    white: int = 0,
    orange: int = 0,
    holder: str | None = "red",
    hand: str = "",
    players: int = 4,
) -> Scene:
    """Blue's turn; it can pay a settlement on `corner`, and `hand` besides. Numbers are the lengths of the roads."""
    colors = red_first(edition)[:players]
    roads = {"red": chain("BC", red), "blue": down_to(corner, blue), colors[2]: chain("CD", white)}
    if players == 4:
        roads[colors[3]] = chain("DE", orange)
    game = scene(
        edition,
        players=players,
        colors=colors,
        turn="blue",
        hands={"blue": f"{SETTLEMENT} {hand}"},
        roads=roads,
        longest_road=holder,
    )
    assert game.holder("longest_road") == holder
    assert [game.length(seat) for seat in range(players)] == [red, blue, white, orange][:players]
    return game


# --- LROAD-07: the cut ------------------------------------------------------------------------------------------------


@pytest.mark.rule("LROAD-07", "LROAD-07.x1")
def test_black_splits_red_into_five_and_two() -> None:
    roads = {"red": chain("BC", 7), "black": down_to("C3n", 6)}
    game = scene("zip", turn="black", hands={"black": SETTLEMENT}, roads=roads)
    assert (game.length("red"), game.length("black"), game.holder("longest_road")) == (7, 6, "red")
    game.play("black", "settlement C3n")
    assert (game.length("red"), game.length("black"), game.holder("longest_road")) == (5, 6, "black")


@pytest.mark.rule("LROAD-07", "LROAD-07.x2")
def test_white_splits_red_into_four_and_three() -> None:
    roads = {"red": chain("BC", 7), "white": roads_along("C2ne C2se C3s C3se C4s C4se C5s")}
    game = scene("sixth", turn="white", hands={"white": SETTLEMENT}, roads=roads)
    assert (game.length("red"), game.length("white"), game.holder("longest_road")) == (7, 6, "red")
    game.play("white", "settlement C2ne")
    assert (game.length("red"), game.length("white"), game.holder("longest_road")) == (4, 6, "white")


@pytest.mark.parametrize("length", [5, 6])
@pytest.mark.rule("LROAD-07", "LROAD-07.x3")
def test_coleman_breaks_emilys_road(length: int) -> None:
    branch = roads_along("C1ne C1se")
    roads = {"red": f"{chain('BC', 7)} {branch}", "blue": down_to("C2n", length), "white": chain("CD", 4, start=3)}
    game = scene("fifth", turn="blue", hands={"blue": SETTLEMENT}, roads=roads, longest_road="red")
    assert (game.length("red"), game.points("red"), game.points("blue")) == (7, 2, 0)
    game.play("blue", "settlement C2n")
    assert game.length("red") == 4
    assert game.holder("longest_road") == "blue"
    assert (game.points("red"), game.points("blue")) == (0, 3)


@pytest.mark.rule("LROAD-07", "LROAD-07.x4")
def test_red_splits_orange_into_two_and_five() -> None:
    roads = {"orange": chain("BC", 7), "red": roads_along("C1ne C1se C2s C2se C3s C3se C4s")}
    game = scene("threed", turn="red", hands={"red": SETTLEMENT}, roads=roads)
    assert (game.length("orange"), game.length("red"), game.holder("longest_road")) == (7, 6, "orange")
    game.play("red", "settlement C1ne")
    assert (game.length("orange"), game.length("red"), game.holder("longest_road")) == (5, 6, "red")


@all_editions
@pytest.mark.rule("LROAD-07", "LROAD-07.e1", "LROAD-09")
def test_the_breaker_may_give_the_award_to_a_third_player(edition: str) -> None:
    game = before_the_cut(edition, blue=2, white=6)
    game.play("blue", "settlement C3n")
    third = game.colors[2]
    assert game.holder("longest_road") == third
    assert (game.points("red"), game.points("blue"), game.points(third)) == (0, 1, 2)


@all_editions
@pytest.mark.rule("LROAD-07", "LROAD-07.e2")
def test_an_upgrade_breaks_nothing_new(edition: str) -> None:
    game = scene(
        edition,
        turn="blue",
        hands={"blue": "2 grain 3 ore"},
        settlements={"blue": "C3n"},
        roads={"red": chain("BC", 7), "blue": roads_along("C3n B2ne")},
    )
    assert (game.length("red"), game.holder("longest_road"), game.points("red")) == (5, "red", 2)
    game.play("blue", "city C3n")
    assert (game.length("red"), game.holder("longest_road"), game.points("red")) == (5, "red", 2)


@all_editions
@pytest.mark.rule("LROAD-07", "LROAD-07.e3", "SETTLE-03", "SETTLE-04")
def test_a_cut_needs_an_own_road_and_the_distance(edition: str) -> None:
    roads = {"red": chain("BC", 7), "blue": roads_along("B2n B2ne")}
    far = scene(edition, turn="blue", hands={"blue": SETTLEMENT}, roads=roads)
    far.refused("blue", "settlement C3n", "SETTLE-04")
    roads = {"red": chain("BC", 7), "blue": roads_along("B2n B2ne C3n")}
    for neighbor in ("C2ne", "C3ne", "B2ne"):
        near = scene(edition, turn="blue", hands={"blue": SETTLEMENT}, roads=roads, settlements={"red": neighbor})
        near.refused("blue", "settlement C3n", "SETTLE-03")
    assert far.length("red") == 7


@all_editions
@pytest.mark.rule("LROAD-07", "LROAD-07.e4")
def test_where_two_opponents_meet_none_is_cut(edition: str) -> None:
    third = red_first(edition)[2]
    roads = {"red": chain("BC", 5), third: chain("BC", 5, start=5), "blue": roads_along("B2ne C3n")}
    game = scene(edition, turn="blue", hands={"blue": SETTLEMENT}, roads=roads, longest_road="red")
    assert (game.length("red"), game.length(third)) == (5, 5)
    game.play("blue", "settlement C3n")
    assert (game.length("red"), game.length(third)) == (5, 5)
    assert game.holder("longest_road") == "red"


@pytest.mark.rule("LROAD-07", "LROAD-07.e4")
def test_at_every_corner_a_settlement_cuts_at_most_one_opponent() -> None:
    """Blue, red and white share the three paths at a corner in every way; whoever has two loses length, nobody else."""
    for corner in (c for c in range(54) if len(CORNER_SIDES[c]) == 3):
        own, second, third = (SIDE_NAMES[side] for side in CORNER_SIDES[corner])
        for red, white, roads_left in ((f"{second} {third}", "", (1, 0)), (second, third, (1, 1)), ("", third, (0, 1))):
            roads = {"blue": own, "red": red, "white": white}
            game = scene(turn="blue", hands={"blue": SETTLEMENT}, roads=roads)
            game.play("blue", f"settlement {CORNER_NAMES[corner]}")
            assert (game.length("red"), game.length("white")) == roads_left


@pytest.mark.rule("LROAD-07", "LROAD-07.e5")
def test_nothing_is_cut_at_a_coastal_corner_with_two_paths() -> None:
    corners = [c for c in range(54) if len(CORNER_SIDES[c]) == 2]
    assert len(corners) == 18
    for corner in corners:
        corner_name = CORNER_NAMES[corner]
        for own, other_side in (CORNER_SIDES[corner], CORNER_SIDES[corner][::-1]):
            beyond = sum(SIDE_CORNERS[other_side]) - corner
            red = " ".join(SIDE_NAMES[side] for side in {other_side, *CORNER_SIDES[beyond]} - {own})
            roads = {"blue": SIDE_NAMES[own], "red": red}
            game = scene(turn="blue", hands={"blue": SETTLEMENT}, roads=roads)
            before = game.length("red")
            assert before == 2
            game.play("blue", f"settlement {corner_name}")
            assert game.length("red") == before
        corner_roads = " ".join(SIDE_NAMES[side] for side in CORNER_SIDES[corner])
        game = scene(turn="blue", hands={"blue": SETTLEMENT}, roads={"red": corner_roads})
        game.refused("blue", f"settlement {corner_name}", "SETTLE-04")


# --- LROAD-08: the holder keeps it ------------------------------------------------------------------------------------


@all_editions
@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.rule("LROAD-08", "LROAD-08.e1")
def test_a_holder_cut_to_five_keeps_it_against_one_other_with_five(edition: str, players: int) -> None:
    game = before_the_cut(edition, blue=5, players=players)
    game.play("blue", "settlement C3n")
    assert (game.length("red"), game.length("blue")) == (5, 5)
    assert (game.holder("longest_road"), game.points("red"), game.points("blue")) == ("red", 2, 1)


@all_editions
@pytest.mark.parametrize("other_lengths", [{"blue": 5, "white": 5}, {"white": 5, "orange": 5}])
@pytest.mark.rule("LROAD-08", "LROAD-08.e2")
def test_a_holder_cut_to_five_keeps_it_against_two_others_with_five(
    edition: str, other_lengths: dict[str, int]
) -> None:
    game = before_the_cut(edition, **other_lengths)  # type: ignore[arg-type]
    game.play("blue", "settlement C3n")
    assert game.length("red") == 5
    assert (game.holder("longest_road"), game.points("red")) == ("red", 2)


@all_editions
@pytest.mark.rule("LROAD-08")
def test_a_holder_on_the_last_seat_keeps_it_too(edition: str) -> None:
    """The seats before the holder have as many as the holder is left with."""
    colors = (*red_first(edition)[1:], "red")
    game = scene(
        edition,
        colors=colors,
        turn="blue",
        hands={"blue": SETTLEMENT},
        roads={"red": chain("BC", 7), "blue": down_to("C3n", 5), colors[1]: chain("CD", 5)},
    )
    game.play("blue", "settlement C3n")
    assert game.length("red") == 5
    assert game.holder("longest_road") == "red"


@all_editions
@pytest.mark.rule("LROAD-08")
def test_a_cut_holder_who_is_still_longest_keeps_it(edition: str) -> None:
    game = before_the_cut(edition, red=8, white=4, orange=4)
    game.play("blue", "settlement C3n")
    assert (game.length("red"), game.holder("longest_road")) == (5, "red")


# --- LROAD-09: exactly one other --------------------------------------------------------------------------------------


@all_editions
@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.rule("LROAD-09", "LROAD-09.e1")
def test_a_holder_cut_to_four_loses_it_to_the_only_one_with_five(edition: str, players: int) -> None:
    game = before_the_cut(edition, "C2n", blue=2, white=5, players=players)
    third = game.colors[2]
    game.play("blue", "settlement C2n")
    assert (game.length("red"), game.holder("longest_road")) == (4, third)
    assert (game.points("red"), game.points(third)) == (0, 2)


@all_editions
@pytest.mark.rule("LROAD-09")
def test_the_longest_of_the_others_takes_it(edition: str) -> None:
    game = before_the_cut(edition, "C2n", blue=5, white=7, orange=6)
    game.play("blue", "settlement C2n")
    assert game.holder("longest_road") == game.colors[2]


# --- LROAD-10: set aside ----------------------------------------------------------------------------------------------


@all_editions
@pytest.mark.rule("LROAD-10", "LROAD-10.e1", "LROAD-10.e2")
def test_set_aside_when_the_others_tie(edition: str) -> None:
    game = before_the_cut(edition, "C2n", red=6, blue=5, white=5)
    assert game.points("red") == 2
    game.play("blue", "settlement C2n")
    assert (game.length("red"), game.holder("longest_road")) == (3, None)
    assert [game.points(seat) for seat in range(4)] == [0, 1, 0, 0]


@all_editions
@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.rule("LROAD-10", "LROAD-10.e1", "LROAD-10.e2")
def test_set_aside_when_nobody_has_five(edition: str, players: int) -> None:
    game = before_the_cut(edition, "C2n", blue=4, white=3, players=players)
    assert game.points("red") == 2
    game.play("blue", "settlement C2n")
    assert (game.length("red"), game.holder("longest_road")) == (4, None)
    assert [game.points(seat) for seat in range(players)] == [0, 1, 0, 0][:players]


@all_editions
@pytest.mark.rule("LROAD-10", "LROAD-10.e3")
def test_set_aside_when_others_tie_above_a_holder_who_still_has_five(edition: str) -> None:
    game = before_the_cut(edition, blue=6, white=6)
    game.play("blue", "settlement C3n")
    assert (game.length("red"), game.holder("longest_road"), game.points("red")) == (5, None, 0)


# --- LROAD-11: taken again --------------------------------------------------------------------------------------------


def build(game: Scene, color: str, *roads: str) -> None:
    """On the next turn of a player, after the roll, build roads."""
    game.next_turn_of(color)
    game.roll(2)
    for road in roads:
        game.play(color, f"road {road}")


@all_editions
@pytest.mark.rule("LROAD-11", "LROAD-11.e1")
def test_one_of_two_tied_takes_it_with_the_sixth(edition: str) -> None:
    game = before_the_cut(edition, "C2n", red=6, blue=5, white=5, hand="1 brick 1 lumber")
    game.play("blue", "settlement C2n")
    assert game.holder("longest_road") is None
    game.play("blue", "road B4/nw")
    assert (game.length("blue"), game.holder("longest_road"), game.points("blue")) == (6, "blue", 3)


@all_editions
@pytest.mark.rule("LROAD-11", "LROAD-11.e2")
def test_the_former_holder_can_regain_it(edition: str) -> None:
    colors = red_first(edition)
    game = scene(
        edition,
        colors=colors,
        turn="blue",
        hands={"blue": SETTLEMENT, "red": "2 brick 2 lumber"},
        roads={"red": chain("BC", 7), "blue": down_to("C3n", 6), colors[2]: chain("DE", 6)},
    )
    game.play("blue", "settlement C3n")
    assert game.holder("longest_road") is None
    build(game, "red", "C1/w")
    assert (game.length("red"), game.holder("longest_road")) == (6, None)
    game.play("red", "road C1/sw")
    assert (game.length("red"), game.holder("longest_road"), game.points("red")) == (7, "red", 2)


@all_editions
@pytest.mark.rule("LROAD-11", "LROAD-11.e3")
def test_cutting_one_of_two_tied_gives_it_to_the_other(edition: str) -> None:
    game = before_the_cut(edition, "C2n", red=5, blue=3, white=5, holder=None)
    game.play("blue", "settlement C2n")
    third = game.colors[2]
    assert (game.length("red"), game.holder("longest_road"), game.points(third)) == (3, third, 2)


@all_editions
@pytest.mark.rule("LROAD-11", "LROAD-11.e4")
def test_a_third_player_needs_six_against_two_with_five(edition: str) -> None:
    game = before_the_cut(edition, "C2n", red=5, blue=4, white=5, holder=None, hand="1 brick 1 lumber")
    game.play("blue", "road B3/ne")
    assert (game.length("blue"), game.holder("longest_road")) == (5, None)
    game.play("blue", "road B4/nw")
    assert (game.length("blue"), game.holder("longest_road"), game.points("blue")) == (6, "blue", 2)


@all_editions
@pytest.mark.rule("LROAD-11", "LROAD-11.e5")
def test_after_nobody_had_five_the_next_to_reach_five_takes_it(edition: str) -> None:
    game = before_the_cut(edition, "C2n", blue=3, white=3, hand="2 brick 2 lumber")
    game.play("blue", "settlement C2n")
    assert game.holder("longest_road") is None
    game.play("blue", "road B3/nw")
    assert (game.length("blue"), game.holder("longest_road")) == (4, None)
    game.play("blue", "road B3/ne")
    assert (game.length("blue"), game.holder("longest_road"), game.points("blue")) == (5, "blue", 3)


@all_editions
@pytest.mark.rule("LROAD-11", "LROAD-10")
def test_cutting_one_of_three_tied_keeps_it_aside(edition: str) -> None:
    game = before_the_cut(edition, "C2n", red=5, blue=3, white=5, orange=5, holder=None)
    game.play("blue", "settlement C2n")
    assert (game.length("red"), game.holder("longest_road")) == (3, None)
    assert [game.points(seat) for seat in range(4)] == [0, 1, 0, 0]
