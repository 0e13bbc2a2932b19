"""The pictures a server gives: the bare board and the kit, both public and without anything that could act."""

from __future__ import annotations

import asyncio
import xml.etree.ElementTree as ET
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from hexholm.game.pictures.kit import bare, kit
from hexholm.host.client import Client
from hexholm.host.testing import house
from hexholm.rules.boards import beginner

NAME = "{http://www.w3.org/2000/svg}"


def ids(text: str) -> set[str]:
    return {found for one in ET.fromstring(text).iter() if (found := one.get("id"))}


def test_the_kit_has_a_drawing_for_every_piece_sign_and_die() -> None:
    wanted = {f"piece-{kind}-{color}" for kind in ("road", "settlement", "city") for color in ("red", "green")}
    wanted |= {"mark-red", "robber", "sign-ore", "sign-any", "die-1", "die-6", "card", "longest-road", "largest-army"}
    assert wanted <= ids(kit(("red", "green"), "dark"))
    assert "piece-city-blue" not in ids(kit(("red", "green")))


def test_the_bare_board_shows_every_hex_and_neither_pieces_nor_the_robber() -> None:
    root = ET.fromstring(bare(beginner()))
    classes = [one.get("class") or "" for one in root.iter()]
    assert sum(name.startswith("hex ") for name in classes) == 19
    assert not [name for name in classes if name.startswith("piece ") or name == "robber"]


def fetched(url: str) -> tuple[str, str]:
    with urlopen(url) as answer:
        return answer.headers["Content-Type"], answer.read().decode()


def test_a_table_gives_its_board_in_the_words_of_the_edition_and_language() -> None:
    async def ask() -> list[tuple[str, str]]:
        async with house() as url:
            made = await Client(url).create("Ann", options={"edition": "sixth", "players": 3})
            path = f"{url}/api/tables/{made.table.id}/board.svg"
            return [
                await asyncio.to_thread(fetched, f"{path}?theme={theme}&language={language}")
                for theme, language in (("light", "en"), ("dark", "de"))
            ]

    (kind, english), (_, german) = asyncio.run(ask())
    assert kind.startswith("image/svg+xml")
    assert "wheat" in english and "wheat" not in german
    assert 'data-theme="dark"' in german


@pytest.mark.parametrize("query", ["theme=neon", "colors=red.mauve"])
def test_a_wish_for_a_drawing_that_cannot_be_is_refused_in_the_one_shape(query: str) -> None:
    async def ask() -> str:
        async with house() as url:
            try:
                await asyncio.to_thread(fetched, f"{url}/api/drawings/kit.svg?{query}")
            except HTTPError as no:
                return no.read().decode()
        return ""

    assert '"error":{"code":"not_readable"' in asyncio.run(ask())
