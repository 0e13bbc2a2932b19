"""The page and the drawings of the host show the same chart: where both have a color, it is the same one."""

from __future__ import annotations

import re

import pytest

from hexholm.game.pictures.drawing.palette import DARK, LIGHT, PAINTS

from .visitor import ROOT

_TOKENS = (ROOT / "web/src/styles/tokens.css").read_text(encoding="utf-8")
_DAY, _DUSK = _TOKENS.split(':root[data-theme="dark"] {', 1)
_TERRAIN = {"brick": "hills", "lumber": "forest", "wool": "pasture", "grain": "fields", "ore": "mountains"}


@pytest.mark.parametrize(
    ("styles", "expected"),
    [
        (
            _DAY,
            {
                **{f"player-{color}": paint.fill for color, paint in PAINTS.items()},
                **{f"kind-{kind}": LIGHT.grounds[terrain].base for kind, terrain in _TERRAIN.items()},
                "sea-deep": LIGHT.sea[0],
                "sea": LIGHT.sea[3],
                "sea-shallow": LIGHT.sea[4],
                "panel": LIGHT.panel,
                "ink": LIGHT.ink,
                "card": LIGHT.disc,
                "card-ink": LIGHT.ink,
                "board-halo": LIGHT.halo,
                "disc-robbed": LIGHT.gray,
                "disc-robbed-ink": LIGHT.quiet,
            },
        ),
        (_DUSK, {"sea": DARK.sea[0], "sea-shallow": DARK.sea[1], "panel": DARK.panel, "disc-robbed": DARK.gray}),
    ],
    ids=["day", "dusk"],
)
def test_tokens_of_the_page_are_the_colors_of_the_palette(styles: str, expected: dict[str, str]) -> None:
    tokens = dict(re.findall(r"^ +--([\w-]+): ([^;]+);", styles, re.MULTILINE)[::-1])  # the first of a name counts
    assert {name: tokens[name] for name in expected} == {name: color.lower() for name, color in expected.items()}
