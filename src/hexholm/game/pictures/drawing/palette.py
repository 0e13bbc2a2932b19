"""The colors of the pictures: two themes of one chart, and the players' colors with their outlines.

No color says anything alone: terrains differ by pattern, pieces by shape and mark, red numbers by weight.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hexholm.rules.errors import BadInput


@dataclass(frozen=True, slots=True)
class Ground:
    """A terrain: its base, a lighter and a darker wash of it, the ink of its pattern, and a spot of contrast."""

    base: str
    light: str
    dark: str
    ink: str
    spot: str


@dataclass(frozen=True, slots=True)
class Theme:
    """All colors of a picture but the players'."""

    name: str
    sea: tuple[str, ...]
    """From the deep to the shallows."""
    depth: str
    """Depth lines, rhumb lines, compass rose and frame."""
    coast: str
    paper: str
    """The gap between the hexes, and the beach."""
    disc: str
    disc_rim: str
    ink: str
    quiet: str
    """Ink for what matters less: labels, a disc under the robber."""
    red: str
    gray: str
    """The disc under the robber."""
    wood: str
    wood_dark: str
    stone: str
    stone_light: str
    accent: str
    """The one color of "you can act here"; charts print what matters to the helmsman in magenta."""
    halo: str
    panel: str
    """The cells of the seats' strip, its ink and its fine lines."""
    panel_ink: str
    panel_line: str
    grounds: dict[str, Ground]


@dataclass(frozen=True, slots=True)
class Paint:
    """A player's color: the piece, its outline, its mark and its shaded side."""

    fill: str
    line: str
    mark: str
    shade: str


_DARK, _CREAM = "#1E1712", "#FBF5E6"

PAINTS: Final[dict[str, Paint]] = {
    "red": Paint("#C8372D", _DARK, _CREAM, "#9E241C"),
    "blue": Paint("#2B6CB0", _DARK, _CREAM, "#1D4F87"),
    "white": Paint("#F5F1E6", _DARK, _DARK, "#CFC7B2"),
    "orange": Paint("#E08A1E", _DARK, _DARK, "#B96C0E"),
    "black": Paint("#2A2A2A", "#0B0A09", _CREAM, "#454341"),
    "green": Paint("#7BC8A4", _DARK, _DARK, "#54A37E"),
}
"""By color name. Around every outline runs a light halo, so that pieces stand out from light and dark ground alike."""

LIGHT: Final = Theme(
    name="light",
    sea=("#9CC1CC", "#A9CAD2", "#B6D3D8", "#C3DCDE", "#D0E5E4"),
    depth="#4F8192",
    coast="#4A5F63",
    paper="#F3E8CC",
    disc="#FBF4E0",
    disc_rim="#8A7550",
    ink="#2A2119",
    quiet="#6A6256",
    red="#B3231B",
    gray="#CFCAC0",
    wood="#B98D5B",
    wood_dark="#5B3F22",
    stone="#38363A",
    stone_light="#77737A",
    accent="#C2187E",
    halo="#FDF9EC",
    panel="#FBF4E0",
    panel_ink="#2A2119",
    panel_line="#A8946B",
    grounds={
        "fields": Ground("#E9C35C", "#F2D680", "#DDAE3D", "#9A6F14", "#FBEDB8"),
        "forest": Ground("#6F9F6A", "#83B07C", "#4C7F53", "#1F4630", "#2F6242"),
        "pasture": Ground("#B4D07A", "#C6DC93", "#9DBE60", "#56782B", "#FBF8EC"),
        "hills": Ground("#D08A5E", "#DFA27A", "#BA6C42", "#7A3518", "#E9B793"),
        "mountains": Ground("#AEB4B9", "#C9CED1", "#878F96", "#3C444B", "#F7F8F6"),
        "desert": Ground("#EBD9AC", "#F4E7C6", "#DCC488", "#A07F3F", "#F9F1DA"),
    },
)

DARK: Final = Theme(
    name="dark",
    sea=("#16242F", "#1A2B38", "#1F3341", "#253C4B", "#2C4656"),
    depth="#6E93A3",
    coast="#0C151C",
    paper="#A5936C",
    disc="#E9DCBB",
    disc_rim="#4A3C24",
    ink="#1D1711",
    quiet="#5E574B",
    red="#A81E17",
    gray="#8F8A80",
    wood="#8C6A43",
    wood_dark="#2C1E10",
    stone="#1B1A1D",
    stone_light="#6A666D",
    accent="#E8379B",
    halo="#F2E7CB",
    panel="#1F3341",
    panel_ink="#E9DCBB",
    panel_line="#5A7C8C",
    grounds={
        "fields": Ground("#B58F35", "#C9A54C", "#9C7826", "#5A400A", "#E0C984"),
        "forest": Ground("#3F6B47", "#4E7C55", "#2A5135", "#10291B", "#1C4029"),
        "pasture": Ground("#7F9A4C", "#91AC5E", "#6A853A", "#33491A", "#E6E2D0"),
        "hills": Ground("#9C5C39", "#B1734E", "#834627", "#451B0A", "#C58D68"),
        "mountains": Ground("#737B83", "#8D959B", "#555D66", "#1F252B", "#D9DCDC"),
        "desert": Ground("#BBA46F", "#CDB986", "#A48C56", "#65501F", "#DDCDA0"),
    },
)

THEMES: Final = {"light": LIGHT, "dark": DARK}


def theme_of(name: str) -> Theme:
    """A theme by name: light, or dark as dusk on the water."""
    if name not in THEMES:
        raise BadInput(f"there is no theme {name!r}; the themes are {' and '.join(THEMES)}")
    return THEMES[name]
