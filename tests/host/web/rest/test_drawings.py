"""The pictures a server gives: the bare board and the kit, both public and without anything that could act."""

from __future__ import annotations

import gzip
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

from hexholm.game.pictures.kit import bare_board, kit_svg
from hexholm.host.web.admission.limits import Limits, Rate
from hexholm.host.web.operations.settings import Settings
from hexholm.rules.boards import beginner_layout

from ...servers import ask, new_table, run_server

pytestmark = pytest.mark.waits


def ids(text: str) -> set[str]:
    return {name for element in ET.fromstring(text).iter() if (name := element.get("id"))}  # noqa: S314  # our own


def test_the_kit_has_a_drawing_for_every_piece_sign_and_die() -> None:
    expected_ids = {f"piece-{kind}-{color}" for kind in ("road", "settlement", "city") for color in ("red", "green")}
    expected_ids |= {
        "mark-red",
        "robber",
        "sign-ore",
        "sign-any",
        "die-1",
        "die-6",
        "card",
        "longest-road",
        "largest-army",
    }
    assert expected_ids <= ids(kit_svg(("red", "green"), "dark"))
    assert "piece-city-blue" not in ids(kit_svg(("red", "green")))


def test_the_bare_board_shows_every_hex_and_neither_pieces_nor_the_robber() -> None:
    root = ET.fromstring(bare_board(beginner_layout()))  # noqa: S314  # our own
    classes = [element.get("class") or "" for element in root.iter()]
    assert sum(name.startswith("hex ") for name in classes) == 19
    assert not [name for name in classes if name.startswith("piece ") or name == "robber"]


def test_a_table_gives_its_board_in_the_words_of_the_edition_and_language() -> None:
    with run_server() as url:
        table = new_table(url, options={"edition": "sixth"}).json["table"]["id"]
        path = f"/api/tables/{table}/board.svg"
        english, german = (ask(url, "GET", path + how) for how in ("?theme=light", "?theme=dark&language=de"))
    assert english.headers["Content-Type"].startswith("image/svg+xml")
    assert b"wheat" in english.body
    assert b"wheat" not in german.body
    assert b'data-theme="dark"' in german.body


def test_to_draw_a_board_is_counted_and_what_is_drawn_already_is_not() -> None:
    settings = Settings(limits=replace(Limits.none(), records=Rate(2, 0)))
    with run_server(settings=settings) as url:
        paths = [f"/api/tables/{new_table(url).json['table']['id']}/board.svg" for _ in range(3)]
        answers = [ask(url, "GET", paths[number]) for number in (0, 1, 2, 0, 1)]
    assert [answer.status for answer in answers] == [200, 200, 429, 200, 200]
    assert answers[3].body == answers[0].body


def test_a_drawing_comes_compressed_to_whoever_can_read_that() -> None:
    with run_server() as url:
        plain = ask(url, "GET", "/api/drawings/kit.svg")
        packed = ask(url, "GET", "/api/drawings/kit.svg", Accept_Encoding="br, gzip")
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert packed.headers["Vary"] == "Accept-Encoding"
    assert gzip.decompress(packed.body) == plain.body
    assert len(packed.body) < len(plain.body) / 2


@pytest.mark.parametrize(
    "path",
    [
        "drawings/kit.svg?theme=neon",
        "drawings/kit.svg?colors=red.mauve",
        "boards/preview.svg?edition=fifth",
        "boards/preview.svg?seed=1&edition=tenth",
    ],
)
def test_a_wish_for_a_drawing_that_cannot_be_is_refused_in_the_one_shape(path: str) -> None:
    with run_server() as url:
        assert ask(url, "GET", f"/api/{path}").code == "not_readable"


def test_boards_to_look_at_are_drawn_for_nobody_without_end() -> None:
    few = Settings(port=0, limits=replace(Limits.none(), records=Rate(2, 0.001)))
    with run_server(settings=few) as url:
        answers = [ask(url, "GET", f"/api/boards/preview.svg?seed={seed}") for seed in range(3)]
        assert [answer.status for answer in answers] == [200, 200, 429]
        assert answers[2].code == "too_much"
