"""How fair a board is, and the fairest of many."""

from __future__ import annotations

from typing import Any

import pytest

from hexholm.bots.fairness import WEIGHTS, fairest, fairness
from hexholm.rules.boards import Layout, beginner_layout, layout_for, read_board_data
from hexholm.rules.errors import BadInput
from hexholm.rules.setup.options import check_options
from tests.helpers.marks import all_editions

VARIABLE = check_options(edition="fifth", setup="variable")


def changed(layout: Layout, **hexes: tuple[str, int | None]) -> Layout:
    """A board with other hexes."""
    data: dict[str, Any] = layout.as_dict()
    data["hexes"] |= {name: list(content) for name, content in hexes.items()}
    return read_board_data({"hexes": data["hexes"], "harbors": dict(data["harbors"]), "standard": False})


def points(layout: Layout, part: str) -> int:
    return next(each.points for each in fairness(layout).parts if each.name == part)


@pytest.mark.rule("MAP-21")
@all_editions
def test_the_fairest_board_is_no_worse_than_any_that_was_tried_and_its_seed_gives_it_again(edition: str) -> None:
    options = check_options(edition=edition, setup="variable")
    fairest_board = fairest(options, 5, 12)
    assert layout_for(options, fairest_board.seed) == fairest_board.layout
    assert fairest_board == fairest(options, 5, 12)
    assert fairest_board.fairness == fairness(fairest_board.layout, options.players, options.edition_data.words)
    assert fairest_board.fairness.score >= fairest(options, 5, 4).fairness.score
    assert 1 <= fairest_board.tried <= 12


def test_other_seeds_find_other_boards_that_are_fairer_than_most() -> None:
    usual = sorted(fairness(layout_for(VARIABLE, seed)).score for seed in range(60))
    fair_boards = [fairest(VARIABLE, seed, 40) for seed in (1, 2)]
    assert fair_boards[0].layout != fair_boards[1].layout
    assert min(each.fairness.score for each in fair_boards) > usual[45]


def test_a_score_is_the_mean_of_its_parts_by_weight() -> None:
    board_fairness = fairness(layout_for(VARIABLE, 1))
    assert [part.name for part in board_fairness.parts] == list(WEIGHTS)
    assert all(0 <= part.points <= 100 for part in board_fairness.parts)
    total = sum(WEIGHTS[part.name] * part.points for part in board_fairness.parts)
    assert board_fairness.score == round(total / sum(WEIGHTS.values()))


def test_openings_keep_the_distance_and_there_is_one_for_each_player() -> None:
    for player_count in (2, 3, 4):
        board_fairness = fairness(layout_for(VARIABLE, 3), player_count)
        assert len(board_fairness.openings) == player_count
        assert min(board_fairness.openings) > 0


def test_a_resource_with_poor_numbers_costs_points_and_is_named() -> None:
    fair = beginner_layout()
    hills = [name for name, (terrain, _) in fair.as_dict()["hexes"].items() if terrain == "hills"]
    poor = changed(fair, **dict.fromkeys(hills, ("hills", 2)))
    assert points(poor, "resources") < points(fair, "resources")
    part = next(each for each in fairness(poor, words={"brick": "clay"}).parts if each.name == "resources")
    assert part.why.startswith("clay is scarcest: 3 dots on 3 hexes")
    assert part.values["scarce"] == "brick"
    assert f"{part.values['scarce_off']}% below" in part.why
    assert f"{part.values['plenty_off']}% above" in part.why


def test_whoever_says_why_in_other_words_has_what_the_words_are_made_of() -> None:
    seats, _, corners, regions = fairness(layout_for(VARIABLE, 2)).parts
    assert "the worst ({worst}, {worst_dots} dots) is {behind}% below".format(**seats.values) in seats.why
    assert "the best ({best}, {best_dots} dots)".format(**seats.values) in seats.why
    assert (
        "{low} ({low_at}) to {high} dots ({high_at}), off their mean of {mean}".format(**corners.values) in corners.why
    )
    assert regions.why.startswith("{same} pairs".format(**regions.values))


def test_neighbors_of_one_kind_and_red_numbers_side_by_side_cost_points() -> None:
    fair = beginner_layout()
    middle = {name: fair.terrain(name) for name in ("C2", "C4")}
    reds = changed(fair, C2=(middle["C2"], 6), B2=(fair.terrain("B2"), 8))
    assert points(reds, "regions") < points(fair, "regions")
    forest = changed(fair, **{name: ("forest", fair.number(name)) for name in ("C1", "C2", "B1", "B2", "D1")})
    assert points(forest, "regions") < points(fair, "regions")


def test_start_pieces_are_the_openings_where_there_are_some() -> None:
    bare = Layout(beginner_layout().board)
    assert fairness(beginner_layout()).openings != fairness(bare).openings
    assert fairness(beginner_layout()).parts[1:] == fairness(bare).parts[1:]


@pytest.mark.parametrize("tries", [0, -1, 10_001])
def test_tries_have_their_limits(tries: int) -> None:
    with pytest.raises(BadInput, match="from 1 to 10,000"):
        fairest(VARIABLE, 1, tries)


def test_where_there_is_one_board_there_is_none_to_choose() -> None:
    with pytest.raises(BadInput, match="the fixed board is one board"):
        fairest(check_options(edition="fifth", setup="fixed"), 1)
    with pytest.raises(BadInput, match="map 7 is one board"):
        fairest(check_options(edition="zip", map=7), 1)
