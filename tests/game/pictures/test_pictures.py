"""Pictures show every public fact, read in grey, need no font, and stay the same."""

from __future__ import annotations

import doctest
import importlib
import itertools
import json
import re
import struct
import zlib
from collections import Counter
from functools import cache
from xml.etree import ElementTree as ET

import numpy as np
import numpy.typing as npt
import pytest

import hexholm
from hexholm.game.game import simulated
from hexholm.game.pictures import (
    MARKS,
    PAINTS,
    THEMES,
    Plan,
    StripLine,
    characters_of,
    plan_of,
    png_of,
    position_svg,
    seat_lines,
    svg_of,
)
from hexholm.game.pictures.drawing.terrain import terrain_art
from hexholm.rules.boards import COLOR_LETTERS, beginner_layout, layout_for, zip_map
from hexholm.rules.encoding.structs import TERRAINS
from hexholm.rules.errors import BadInput
from hexholm.rules.places import CORNER_NAMES, HEX_NAMES, SIDE_NAMES, UnknownPlace
from hexholm.rules.referee import Referee
from hexholm.rules.setup.options import check_options
from hexholm.rules.simulate import replay_game
from tests.helpers.svg import parse_svg

SVG = "{http://www.w3.org/2000/svg}"


@cache
def played() -> Referee:
    """A game at its end: many pieces of all kinds."""
    return replay_game(check_options(edition="fifth", setup="variable"), seed=1, game=7, compiled=False).referee


def played_plan(**more: object) -> Plan:
    game = played()
    return plan_of(game.layout, game.state, game.colors, **more)  # type: ignore[arg-type]


def places(root: ET.Element, kind: str) -> list[str]:
    """The `data-place` of all elements of a class."""
    return [e.attrib["data-place"] for e in root.iter() if kind in e.get("class", "").split()]


def pixels(png: bytes) -> npt.NDArray[np.uint8]:
    """Height x width x 4, read by hand."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    width, height, depth, kind = struct.unpack(">IIBB", png[16:26])
    assert (depth, kind) == (8, 6)
    data, at = b"", 8
    while at < len(png):
        length, name = struct.unpack(">I4s", png[at : at + 8])
        data += png[at + 8 : at + 8 + length] if name == b"IDAT" else b""
        at += 12 + length
    raw = np.frombuffer(zlib.decompress(data), np.uint8).reshape(height, 1 + 4 * width)
    out = np.zeros((height, width, 4), np.int64)
    above = np.zeros((width, 4), np.int64)
    for y in range(height):
        row = raw[y, 1:].reshape(width, 4).astype(np.int64)
        how = int(raw[y, 0])
        if how == 2:
            row = (row + above) % 256
        elif how == 1:
            row = np.cumsum(row, axis=0) % 256
        elif how:
            row = _unfiltered(row, above, how)
        out[y] = above = row
    return out.astype(np.uint8)


def _unfiltered(row: npt.NDArray[np.int64], above: npt.NDArray[np.int64], how: int) -> npt.NDArray[np.int64]:
    rows, ups = row.tolist(), above.tolist()
    left, corner = [0] * 4, [0] * 4
    for pixel, up in zip(rows, ups, strict=True):
        for i in range(4):
            if how == 3:
                guess = (left[i] + up[i]) // 2
            else:
                sums = left[i] + up[i] - corner[i]
                guess = min((left[i], up[i], corner[i]), key=lambda near: abs(sums - near))
            pixel[i] = (pixel[i] + guess) % 256
        left, corner = pixel, up
    return np.array(rows, np.int64)


@cache
def board_pixels() -> npt.NDArray[np.uint8]:
    """The beginners' board, a pixel for two units of the plan."""
    return pixels(png_of(svg_of(plan_of(beginner_layout())), width=570))


# --- the plan -------------------------------------------------------------------------------------------------------


def test_a_plan_is_complete() -> None:
    plan = plan_of(beginner_layout())
    assert [hexagon.name for hexagon in plan.hexes] == HEX_NAMES
    assert [corner.name for corner in plan.corners] == CORNER_NAMES
    assert [side.name for side in plan.sides] == SIDE_NAMES
    assert Counter(hexagon.terrain for hexagon in plan.hexes) == {
        "forest": 4,
        "pasture": 4,
        "fields": 4,
        "hills": 3,
        "mountains": 3,
        "desert": 1,
    }
    assert len(plan.harbors) == 9
    assert len(set(plan.coast)) == 30
    assert plan.pieces == ()
    assert plan.robber == "C3"
    assert {hexagon.name for hexagon in plan.hexes if hexagon.red} == {"B2", "C5", "D1", "E2"}
    assert all(hexagon.dots == 6 - abs(7 - hexagon.number) for hexagon in plan.hexes if hexagon.number)


def test_everything_lies_on_the_sheet_and_where_it_should() -> None:
    plan = played_plan()
    points = [*(c.at for c in plan.corners), *(h.at for h in plan.harbors), *(p.at for p in plan.pieces)]
    assert all(20 < x < plan.width - 20 and 20 < y < plan.height - 20 for x, y in points)
    at = {corner.name: corner.at for corner in plan.corners}
    middle = {hexagon.name: hexagon.center for hexagon in plan.hexes}
    for side in plan.sides:
        assert side.ends == (at[side.corners[0]], at[side.corners[1]])
        assert np.hypot(*np.subtract(*side.ends)) == pytest.approx(plan.radius, abs=0.1)
        assert side.angle in {-30, 30, 90}
    for harbor in plan.harbors:
        for (_, end), corner in zip(harbor.jetties, harbor.corners, strict=True):
            assert np.hypot(*np.subtract(end, at[corner])) == pytest.approx(15, abs=0.1)
        assert min(np.hypot(*np.subtract(harbor.at, center)) for center in middle.values()) > 150  # in the sea


def test_a_plan_is_plain_data_for_json() -> None:
    plan = played_plan(highlight=["C3"], names=True)
    data = plan.as_dict()
    assert json.loads(json.dumps(data)) == data
    assert data["format"] == "hexholm-plan-1"
    assert {*data} == {*(name for name in Plan.__slots__), "format"}
    assert len(data["pieces"]) == len(plan.pieces)
    assert data["pieces"][0].keys() == {"kind", "place", "seat", "color", "mark", "at", "angle"}


def test_a_plan_holds_public_facts_only() -> None:
    game = played()
    public = game.state.copy()
    for seat in range(4):
        public.hand[seat] = public.development[seat] = 0
    public.supply = public.deck = 0
    assert plan_of(game.layout, public, game.colors) == played_plan()


def test_a_view_is_drawn_like_the_state() -> None:
    game = played()
    assert plan_of(game.layout, game.view(0), game.colors) == played_plan()


def test_every_piece_of_a_position_is_in_the_plan() -> None:
    game, plan = played(), played_plan()
    for seat, color in enumerate(game.colors):
        piece_counts = Counter(piece.kind for piece in plan.pieces if piece.color == color)
        assert piece_counts["settlement"] == game.state.settlements[seat].bit_count()
        assert piece_counts["city"] == game.state.cities[seat].bit_count()
        assert piece_counts["road"] == game.state.roads_lo[seat].bit_count() + game.state.roads_hi[seat].bit_count()
        assert {piece.mark for piece in plan.pieces if piece.seat == seat} == {MARKS[seat]}
    assert plan.robber == HEX_NAMES[game.state.robber]
    kinds = [piece.kind == "road" for piece in plan.pieces]
    assert kinds == sorted(kinds, reverse=True)  # buildings stand on roads


def test_start_pieces_are_drawn_when_asked_for() -> None:
    everybody = plan_of(beginner_layout(), start=True).pieces
    assert Counter(piece.kind for piece in everybody) == {"road": 8, "settlement": 8}
    assert {(piece.color, piece.mark) for piece in everybody} == {
        ("red", "dot"),
        ("blue", "bar"),
        ("white", "ring"),
        ("orange", "cross"),
    }
    two = plan_of(beginner_layout(), colors=("white", "blue"), start=True).pieces
    assert {(piece.color, piece.seat) for piece in two} == {("white", 0), ("blue", 1)}


def test_places_to_highlight_are_read_in_any_spelling() -> None:
    plan = plan_of(beginner_layout(), highlight=["c3", " C3 N", "c3/NE", "B2se", "D3/e"])
    assert [(mark.kind, mark.place) for mark in plan.highlights] == [
        ("hex", "C3"),
        ("corner", "B2se"),
        ("side", "B3/sw"),
        ("side", "D3/e"),
    ]


@pytest.mark.parametrize("text", ["", "Z9", "C3x", "C3/n", "C9", "/", "C3 n e w"])
def test_what_is_no_place_is_said_so(text: str) -> None:
    with pytest.raises(UnknownPlace):
        plan_of(beginner_layout(), highlight=[text])


def test_colors_are_checked() -> None:
    game = played()
    with pytest.raises(BadInput, match="no color 'pink'; the colors are red, blue"):
        plan_of(game.layout, game.state, ("red", "blue", "pink", "white"))
    with pytest.raises(BadInput, match="4 players need 4 colors"):
        plan_of(game.layout, game.state, ("red", "blue"))


# --- SVG ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", [*THEMES])
def test_the_svg_shows_every_hex_harbor_and_piece(theme: str) -> None:
    plan = played_plan()
    root = parse_svg(svg_of(plan, theme=theme))
    assert places(root, "hex") == HEX_NAMES
    assert places(root, "harbor") == [harbor.side for harbor in plan.harbors]
    assert places(root, "piece") == [piece.place for piece in plan.pieces]
    assert places(root, "robber") == [plan.robber]
    assert len(root.findall(f".//{SVG}g[@class='disc']")) == 18
    for part in ("circle[@class='face']", "circle[@class='rim']", "g[@class='numeral']", "g[@class='dots']"):
        assert len(root.findall(f".//{SVG}g[@class='disc']/{SVG}{part}")) == 18, "the page styles them by these names"


def test_every_reference_of_the_svg_leads_somewhere() -> None:
    svg = svg_of(played_plan(names=True, highlight=["C3", "C3n", "C3/e"]))
    ids = re.findall(r' id="([^"]+)"', svg)
    assert len(ids) == len(set(ids))
    used = set(re.findall(r'href="#([^"]+)"', svg)) | set(re.findall(r"url\(#([^)]+)\)", svg))
    assert used <= set(ids)


def test_the_svg_stands_alone_and_speaks() -> None:
    plan = played_plan()
    svg = svg_of(plan, title="After <the> game & more", words={"lumber": "wood", "grain": "wheat"})
    root = parse_svg(svg)
    assert root.get("role") == "img"
    title, desc = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title is not None
    assert desc is not None
    assert title.text == "After <the> game & more"
    assert root.get("aria-labelledby") == f"{title.get('id')} {desc.get('id')}"
    description = desc.text or ""
    for word in ("A1 mountains 6", "2:1 wood", "2:1 wheat", f"robber is on {plan.robber}", "Blue: ", "city ", "roads "):
        assert word in description
    assert "lumber" not in description
    assert not re.search(r"<script|<style|<text|font|https?://(?!www\.w3\.org/2000/svg)", svg)


def test_strange_words_are_escaped_and_still_drawn() -> None:
    svg = svg_of(plan_of(beginner_layout()), title="\x00<b>\ud800", words={"wool": "Wölle<&>\x07", "ore": "Rüda"})
    root = parse_svg(svg)
    title = root.find(f"{SVG}title")
    assert title is not None
    assert title.text == "<b>"
    assert {text.text for text in root.iter(f"{SVG}text")} == {"WÖLLE<&>", "RÜDA"}  # letters we do not draw


def test_terrains_differ_by_pattern_not_by_color_alone() -> None:
    theme = THEMES["light"]
    shapes = {name: re.sub(r"#[0-9A-Fa-f]{6}", "", terrain_art(name, theme, "p")) for name in TERRAINS}
    assert len(set(shapes.values())) == len(TERRAINS)
    grey = {}
    for name in TERRAINS:
        board = plan_of(beginner_layout())
        (place,) = [hexagon.center for hexagon in board.hexes if hexagon.terrain == name][:1]
        pixels = board_pixels()[int(place[1] / 2) - 40 : int(place[1] / 2) + 40]
        part = pixels[:, int(place[0] / 2) - 36 : int(place[0] / 2) + 36, :3].mean(axis=2)
        grey[name] = np.histogram(part, bins=16, range=(0, 256))[0] / part.size
    for terrain, other_terrain in itertools.combinations(TERRAINS, 2):
        assert np.abs(grey[terrain] - grey[other_terrain]).sum() > 0.2, (terrain, other_terrain)


def test_names_are_shown_when_asked_for() -> None:
    assert places(parse_svg(svg_of(played_plan())), "name") == []
    names_shown = places(parse_svg(svg_of(played_plan(names=True))), "name")
    assert names_shown == [*HEX_NAMES, *CORNER_NAMES, *SIDE_NAMES]


def test_names_keep_off_the_discs() -> None:
    root = parse_svg(svg_of(played_plan(names=True)))
    middles = [hexagon.center for hexagon in played_plan().hexes]
    for group in root.iter(f"{SVG}g"):
        if group.get("class") != "name":
            continue
        x, y = map(float, re.findall(r"-?[\d.]+", group[0].attrib["transform"])[:2])
        assert min(np.hypot(x - a, y - b) for a, b in middles) > 45


def test_highlights_glow_in_one_color() -> None:
    for theme in THEMES.values():
        plan = played_plan(highlight=["C3", "C3n", "C3/ne", "D1"])
        svg = svg_of(plan, theme=theme.name)
        assert sorted(places(parse_svg(svg), "highlight")) == ["B2se", "B3/sw", "C3", "D1"]
        assert theme.accent in svg
        assert theme.accent not in svg_of(played_plan(), theme=theme.name)


def test_a_robbed_disc_is_grey() -> None:
    game = played()
    robbed = next(hexagon for hexagon in played_plan().hexes if hexagon.robbed)
    assert robbed.number
    root = parse_svg(svg_of(plan_of(game.layout, game.state, game.colors)))
    fills = {
        group.attrib["data-place"]: {e.get("fill") for e in group.iter(f"{SVG}circle")}
        for group in root.iter(f"{SVG}g")
        if group.get("class", "").startswith("hex ")
    }
    grey = [place for place, colors in fills.items() if THEMES["light"].gray in colors]
    assert grey == [robbed.name]


def test_width_and_themes() -> None:
    plan = plan_of(beginner_layout())
    light, dark = svg_of(plan, width=570), svg_of(plan, theme="dark")
    assert parse_svg(light).get("width") == "570"
    assert parse_svg(light).get("height") == str(round(570 * plan.height / plan.width))
    assert parse_svg(dark).get("width") is None
    assert parse_svg(dark).get("data-theme") == "dark"
    assert THEMES["light"].paper not in dark
    with pytest.raises(BadInput, match="no theme 'sepia'; the themes are light and dark"):
        svg_of(plan, theme="sepia")


def test_pictures_are_the_same_every_time_and_do_not_clash_on_a_page() -> None:
    plan, second_ids = plan_of(beginner_layout(), start=True), plan_of(zip_map(2))
    assert svg_of(plan) == svg_of(plan_of(beginner_layout(), start=True))
    variants = [
        svg_of(plan),
        svg_of(second_ids),
        svg_of(plan, theme="dark"),
        svg_of(plan, words={"ore": "iron"}),
        svg_of(plan_of(beginner_layout(), start=True, names=True)),
        position_svg(plan, [StripLine(color="red", points=2)]),
        position_svg(plan, [StripLine(color="red", points=3)]),
    ]
    ids = [set(re.findall(r' id="([^"]+)"', svg)) for svg in variants]
    assert all(first_ids.isdisjoint(second_ids) for first_ids, second_ids in itertools.combinations(ids, 2))


@pytest.mark.parametrize("number", [1, 2, 17])
def test_all_colors_and_boards_can_be_drawn(number: int) -> None:
    layout = zip_map(number)
    root = parse_svg(svg_of(plan_of(layout, start=True), theme="dark"))
    assert len(places(root, "harbor")) == len(layout.harbors())
    assert len(places(root, "piece")) == 2 * len(layout.start)


# --- the strip ------------------------------------------------------------------------------------------------------


def test_the_strip_shows_every_seat() -> None:
    seats = [
        StripLine(color="red", points=9, resource_cards=12, development_cards=1, knights=3, largest_army=2),
        StripLine(color="blue", points=4, name="Ada", longest_road=2, turn=True),
    ]
    plan = plan_of(beginner_layout(), start=True)
    root = parse_svg(position_svg(plan, seats, words={"longest_road": "Longest Route"}))
    cells = [e for e in root.iter(f"{SVG}g") if e.get("class") == "seat"]
    assert [e.get("data-seat") for e in cells] == ["0", "1"]
    description = "".join(root.find(f"{SVG}desc").itertext())  # type: ignore[union-attr]
    assert "Red: 9 points, 12 resource cards, 1 development card, 3 knights played, Largest Army." in description
    assert "Ada: 4 points" in description
    assert "Longest Route, to move." in description
    assert float(root.attrib["viewBox"].split()[3]) > plan.height


def test_the_strip_marks_whose_turn_it_is_and_shows_the_dice() -> None:
    plan, accent = plan_of(beginner_layout()), THEMES["light"].accent
    others = [StripLine(color=color, points=2) for color in ("red", "white")]
    quiet = position_svg(plan, [*others, StripLine(color="blue", points=2)])
    assert accent not in quiet
    assert places_of(quiet, "turn") == []
    svg = position_svg(plan, [*others, StripLine(color="blue", points=2, turn=True, dice=(2, 6))])
    assert places_of(svg, "turn") == ["2"]
    assert "rolled 2 and 6, to move." in svg
    assert [len(pips) for pips in parse_svg(svg).iter(f"{SVG}g") if pips.get("class") == "pips"] == [2, 6]
    won = position_svg(plan, [*others, StripLine(color="blue", points=10, won=True)])
    assert places_of(won, "turn") == ["2"]
    assert "0 knights played, the winner." in won


def places_of(svg: str, kind: str) -> list[str | None]:
    """The seats whose cells have a part of this class."""
    cells = [e for e in parse_svg(svg).iter(f"{SVG}g") if e.get("class") == "seat"]
    return [cell.get("data-seat") for cell in cells if any(e.get("class") == kind for e in cell.iter())]


def test_the_lines_of_the_seats_know_turn_winner_and_dice() -> None:
    game = played()
    over = seat_lines(game.options, game.state)
    assert [line.won for line in over] == [seat == game.winner for seat in range(4)]
    assert not any(line.turn for line in over)
    assert [line.dice for line in over if line.won] == [(game.state.die_a, game.state.die_b)]
    begun = Referee.new(edition="fifth", setup="fixed", first=1, compiled=False)
    assert [(line.turn, line.won, line.dice) for line in seat_lines(begun.options, begun.state)] == [
        (seat == 1, False, None) for seat in range(4)
    ]


def test_small_pictures_have_no_words_at_the_harbors() -> None:
    plan = played_plan()

    def letters(width: int | None = None) -> list[int]:
        root = parse_svg(svg_of(plan, width=width))
        return [len(list(e.iter(f"{SVG}use"))) for e in root.iter(f"{SVG}g") if e.get("class") == "harbor"]

    signs = [len(harbor.rate) for harbor in plan.harbors]
    assert letters(599) == signs
    assert letters(600) == letters() != signs
    seats = [StripLine(color="red", points=2)]
    assert len(position_svg(plan, seats, width=599)) < len(position_svg(plan, seats, width=600)) - 1000


def test_the_strip_refuses_what_it_cannot_show() -> None:
    plan = plan_of(beginner_layout())
    with pytest.raises(BadInput, match="room for 1 to 4 seats, not 0"):
        position_svg(plan, [])
    with pytest.raises(BadInput, match="no color 'pink'"):
        position_svg(plan, [StripLine(color="pink", points=1)])


def test_a_long_name_is_cut_before_the_points() -> None:
    seats = [StripLine(color=color, points=10, name="Maximiliane von der Hohen Pforte") for color in PAINTS][:4]
    root = parse_svg(position_svg(plan_of(beginner_layout()), seats))
    assert "MAXIMILIANE" not in "".join(root.itertext())
    assert "Maximiliane von der hohen pforte: 10 points" in "".join(root.itertext())


# --- contrast -------------------------------------------------------------------------------------------------------


def luminance(color: str) -> float:
    """The relative luminance of `#RRGGBB`, from 0 for black to 1 for white (WCAG 2)."""
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(color: str, other_color: str) -> float:
    """The contrast of two colors, from 1 (none) to 21 (black on white) (WCAG 2)."""
    darker, lighter = sorted((luminance(color), luminance(other_color)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("theme", [*THEMES])
@pytest.mark.parametrize("color", [*PAINTS])
def test_pieces_stand_out_from_every_terrain(color: str, theme: str) -> None:
    """A piece has an outline within a halo: one of them is far from any ground, and they from each other."""
    paint, colors = PAINTS[color], THEMES[theme]
    assert contrast(paint.line, colors.halo) > 10
    assert contrast(paint.mark, paint.fill) >= 4
    for ground in colors.grounds.values():
        best = max(contrast(edge, ground.base) for edge in (paint.fill, paint.line, colors.halo))
        assert best >= 3, (color, ground)
    for surface in (colors.paper, *colors.sea):
        assert max(contrast(paint.line, surface), contrast(colors.halo, surface)) >= 3


def test_all_colors_of_all_editions_have_a_paint() -> None:
    assert {*PAINTS} == {*COLOR_LETTERS}


@pytest.mark.parametrize("theme", [*THEMES])
def test_numbers_read_well_on_their_discs(theme: str) -> None:
    colors = THEMES[theme]
    assert contrast(colors.ink, colors.disc) >= 7
    assert contrast(colors.red, colors.disc) >= 4.5
    assert contrast(colors.quiet, colors.gray) >= 2  # under the robber: greyed, still to be read
    assert contrast(colors.panel_ink, colors.panel) >= 7
    assert contrast(colors.accent, colors.halo) >= 3  # a highlight is a light core within the accent color


def test_contrast_is_measured_as_the_guidelines_say() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#777777", "#777777") == 1


# --- PNG ------------------------------------------------------------------------------------------------------------


def test_a_png_has_the_size_asked_for_and_many_colors() -> None:
    pixels = board_pixels()
    assert pixels.shape == (528, 570, 4)
    seen = {tuple(pixel) for pixel in pixels[::2, ::2, :3].reshape(-1, 3).tolist()}
    assert len(seen) > 1000
    for ground in THEMES["light"].grounds.values():
        base = tuple(int(ground.base[i : i + 2], 16) for i in (1, 3, 5))
        light = tuple(int(ground.light[i : i + 2], 16) for i in (1, 3, 5))
        away = [sum(abs(a - b) for a, b in zip(p, c, strict=True)) for p in seen for c in (base, light)]
        assert min(away) <= 6, ground


def test_numerals_are_drawn_without_any_font() -> None:
    plan = plan_of(beginner_layout())
    pixels = board_pixels()
    for hexagon in plan.hexes:
        if hexagon.number and not hexagon.red:
            x, y = int(hexagon.center[0] / 2), int(hexagon.center[1] / 2)
            assert pixels[y - 10 : y + 6, x - 10 : x + 10, :3].max(axis=2).min() < 90, hexagon  # ink
            assert pixels[y - 10 : y + 6, x - 10 : x + 10, :3].min(axis=2).max() > 200, hexagon  # paper


def test_a_png_takes_the_width_of_the_svg() -> None:
    png = png_of(svg_of(plan_of(beginner_layout()), width=390))
    assert struct.unpack(">I", png[16:20]) == (390,)


@pytest.mark.parametrize("width", [0, -3, 10_001])
def test_widths_that_make_no_picture_are_refused(width: int) -> None:
    with pytest.raises(BadInput, match="choose 1 to 10000"):
        png_of("<svg/>", width=width)


def test_what_is_no_svg_makes_no_png() -> None:
    with pytest.raises(BadInput, match="no picture in SVG"):
        png_of("<html>")


# --- text -----------------------------------------------------------------------------------------------------------


def test_the_text_shows_every_piece_within_80_columns() -> None:
    game = played()
    text = characters_of(game.layout, game.state, game.colors)
    assert max(map(len, text.splitlines())) <= 80
    assert "\x1b" not in text
    for seat, color in enumerate(game.colors):
        letter = COLOR_LETTERS[color]
        assert text.count(f"({letter})") == game.state.settlements[seat].bit_count()
        assert text.count(f"[{letter.upper()}]") == game.state.cities[seat].bit_count()
    assert f"{HEX_NAMES[game.state.robber]} ROBBER" in text


def test_the_text_in_color_is_the_same_text() -> None:
    game = played()
    plain, colored = (
        characters_of(game.layout, game.state, game.colors, in_color=in_color) for in_color in (False, True)
    )
    assert colored != plain
    assert re.sub(r"\x1b\[[\d;]*m", "", colored) == plain


def test_the_text_of_a_bare_board_and_of_its_start() -> None:
    assert "(r)" not in characters_of(beginner_layout())
    assert characters_of(beginner_layout(), start=True).count("(r)") == 2
    options = check_options(edition="sixth", setup="variable")
    assert "wood" in characters_of(layout_for(options, 3), words=options.edition_data.words)


@pytest.mark.parametrize("name", ["hexholm.game.pictures", "hexholm.game.pictures.plan", "hexholm.game.pictures.svg"])
def test_the_examples_run(name: str) -> None:
    results = doctest.testmod(importlib.import_module(name))
    assert results.attempted > 0
    assert results.failed == 0


@pytest.mark.rule("WIN-07")
def test_the_strip_of_a_finished_game_shows_the_final_scores() -> None:
    game = simulated(hexholm.options(edition="zip"), 9, 1)
    assert game.result is not None
    for state in (game.referee.state, game.view("black").raw, game.view(None).raw):
        assert tuple(line.points for line in seat_lines(game.options, state)) == game.result.points
