"""An SVG picture as PNG, for places that show no SVG. The drawing is done by resvg."""

from __future__ import annotations

from typing import Final

from hexholm.rules.errors import BadInput

_LARGEST_SIDE: Final = 10_000
"""The widest picture in pixels."""


def png_of(svg: str, *, width: int | None = None) -> bytes:
    """The bytes of a PNG file; `width` in pixels, by default as the picture says of itself.

    Our pictures carry their lettering, so that a PNG is the same everywhere; fonts of the machine are read only for
    texts in letters that we do not draw.
    """
    from resvg_py import svg_to_bytes

    if width is not None and not 1 <= width <= _LARGEST_SIDE:
        raise BadInput(f"a picture {width} pixels wide: choose 1 to {_LARGEST_SIDE}")
    try:
        return bytes(svg_to_bytes(svg_string=svg, width=width, skip_system_fonts="<text" not in svg))
    except ValueError as error:
        raise BadInput(f"this is no picture in SVG: {error}") from error
