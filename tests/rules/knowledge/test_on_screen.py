"""What a screen shows: pieces to tell apart, a sign for each point, the scores at the end.

The pictures and the small drawings of the browser come from the same hand (`hexholm.game.pictures`); that the pages use
them is tried in tests/web.
"""

from __future__ import annotations

import itertools
import re
from xml.etree import ElementTree as ET

import pytest

import hexholm
from hexholm.game.game import simulated
from hexholm.game.pictures import THEMES, StripLine, plan_of, position_svg, seat_lines, svg_of
from hexholm.game.pictures.kit import kit_svg
from hexholm.rules.boards import beginner_layout, number_dots
from hexholm.rules.setup.editions import EDITIONS, edition
from tests.helpers.marks import all_editions
from tests.helpers.svg import parse_svg

SVG = "{http://www.w3.org/2000/svg}"
PIECES = ("road", "settlement", "city")


def drawings(theme: str) -> dict[str, ET.Element]:
    root = parse_svg(kit_svg(edition("zip").colors, theme))
    return {name: group for group in root.iter(f"{SVG}g") if (name := group.get("id")) is not None}


def outline(group: ET.Element) -> list[tuple[str, tuple[tuple[str, str], ...]]]:
    """The shapes of a drawing, whatever their colors."""
    shape = ("d", "points", "x", "y", "width", "height", "r", "cx", "cy", "transform")
    return [
        (element.tag, tuple((name, element.attrib[name]) for name in shape if name in element.attrib))
        for element in group.iter()
    ]


@pytest.mark.rule("ZIP-03", "ZIP-03.s1")
@pytest.mark.parametrize("theme", THEMES)
def test_a_color_has_three_different_drawings_for_its_pieces(theme: str) -> None:
    shapes_by_color = drawings(theme)
    for color in edition("zip").colors:
        shapes = [outline(shapes_by_color[f"piece-{kind}-{color}"]) for kind in PIECES]
        assert all(shapes)
        assert all(shapes.count(shape) == 1 for shape in shapes), f"{color}: two pieces have the same outline"
    for kind in PIECES:
        looks = {ET.tostring(shapes_by_color[f"piece-{kind}-{color}"]) for color in edition("zip").colors}
        assert len(looks) == len(edition("zip").colors), f"two colors have the same {kind}"


@pytest.mark.rule("ALM-08.e1")
@pytest.mark.parametrize("name", EDITIONS)
def test_an_award_carries_a_sign_for_each_of_its_points(name: str) -> None:
    worth = edition(name).points
    seats = [
        StripLine(color="red", points=2),
        StripLine(color="blue", points=4, longest_road=worth["longest_road"]),
        StripLine(color="white", points=7, longest_road=1, largest_army=worth["largest_army"]),
    ]
    root = parse_svg(position_svg(plan_of(beginner_layout()), seats))
    cells = [cell for cell in root.iter(f"{SVG}g") if cell.get("class") == "seat"]
    stars = [sum(group.get("class") == "point" for group in cell.iter(f"{SVG}g")) for cell in cells]
    assert stars == [0, 2, 3]


@pytest.mark.rule("ALM-08.e1")
@pytest.mark.parametrize("name", EDITIONS)
def test_the_awards_in_a_game_are_drawn_with_the_points_they_count(name: str) -> None:
    game = next(
        played_game
        for number in range(50)
        if (played_game := simulated(hexholm.options(edition=name), number, 1)).view(None).longest_road is not None
    )
    view = game.view(None)
    lines = {line.color: line for line in seat_lines(game.options, view.raw)}
    assert view.longest_road is not None
    assert lines[view.longest_road].longest_road == edition(name).points["longest_road"]
    assert [color for color, line in lines.items() if line.longest_road] == [view.longest_road]


@pytest.mark.rule("ALM-08.e1")
@pytest.mark.parametrize("theme", THEMES)
def test_the_sign_for_a_point_is_in_the_kit_and_like_no_other(theme: str) -> None:
    shapes_by_color = drawings(theme)
    assert [
        name for name, group in shapes_by_color.items() if outline(group)[1:] == outline(shapes_by_color["point"])[1:]
    ] == ["point"]


@pytest.mark.rule("WIN-07.s1")
@all_editions
def test_at_the_end_everybody_sees_the_full_scores_of_all(edition: str) -> None:
    hidden = 0
    for number in range(6):
        game = simulated(hexholm.options(edition=edition), number, 1)
        assert game.result is not None
        for observer in (*game.options.colors, None):
            view = game.view(observer)
            assert tuple(view.points(color) for color in game.options.colors) == game.result.points
        revealed = game.view(None).raw.revealed
        hidden += sum(revealed[seat] for seat, color in enumerate(game.options.colors) if color != game.winner)
        if hidden:
            break
    assert hidden, "no loser held a victory point card in any of these games"


@pytest.mark.rule("MAP-07.e2")
def test_the_likelier_a_number_the_larger_its_digits() -> None:
    heights = {}
    for group in parse_svg(svg_of(plan_of(beginner_layout()))).iter(f"{SVG}g"):
        if group.get("class", "").startswith("hex ") and "data-number" in group.attrib:
            scale = next(m for e in group.iter() if (m := re.search(r"scale\((\d\.\d+)\)", e.get("transform", ""))))
            heights[int(group.attrib["data-number"])] = float(scale[1])
    assert set(heights) == {2, 3, 4, 5, 6, 8, 9, 10, 11, 12}
    for height, other_height in itertools.product(heights, heights):
        assert (heights[height] > heights[other_height]) == (number_dots(height) > number_dots(other_height))
