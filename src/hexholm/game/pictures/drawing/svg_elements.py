"""Small helpers for writing SVG: numbers, elements, escapes. Nothing here knows the game."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final
from xml.sax.saxutils import escape, quoteattr

FONTS: Final = "Georgia, 'Iowan Old Style', 'Palatino Linotype', 'DejaVu Serif', serif"
"""The system's own serif, for the few texts that our lettering cannot write."""


_NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def escape_text(text: str) -> str:
    """A text as the inside of an element: escaped, without characters that XML cannot hold."""
    return escape(_NOT_XML.sub("", text))


def num(value: float) -> str:
    """A number as short as it gets: two decimals at most, no minus zero."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def nums(points: Iterable[tuple[float, float]]) -> str:
    """Points for the `points` of a polygon."""
    return " ".join(f"{num(x)},{num(y)}" for x, y in points)


def svg_tag(name: str, inner: str | None = None, /, **attributes: object) -> str:
    """An element; `stroke_width` becomes `stroke-width`, `class_` becomes `class`, None leaves an attribute out."""
    attribute_text = "".join(
        f" {key.rstrip('_').replace('_', '-')}={quoteattr(num(value) if isinstance(value, float) else str(value))}"
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{attribute_text}/>" if inner is None else f"<{name}{attribute_text}>{inner}</{name}>"


def svg_path(d: str, **attributes: object) -> str:
    """A path; not filled unless said so."""
    return svg_tag("path", d=d, **{"fill": "none", **attributes})


def svg_transform(x: float, y: float, angle: float = 0.0, size: float = 1.0) -> str:
    """A transform: to a point, turned by degrees, in another size."""
    parts = [f"translate({num(x)} {num(y)})"]
    if angle:
        parts.append(f"rotate({num(angle)})")
    if size != 1.0:
        parts.append(f"scale({size:.4g})")
    return " ".join(parts)
