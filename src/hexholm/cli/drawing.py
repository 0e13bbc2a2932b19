"""`hexholm board`: a board made, checked, drawn in characters, saved as TOML, SVG or PNG."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from .asking import folded, game_options, legend, only_the_file, own_board
from .files import BadCall, ending, save, writable

if TYPE_CHECKING:
    from hexholm.game.pictures import Plan
    from hexholm.rules.boards import Layout
    from hexholm.rules.options import Options

FORMS: Final = ("toml", "txt", "svg", "png")


def run(seed: int, file: str | None, as_toml: bool, out: list[str], **given: Any) -> int:
    """Draw, write or save a board; returns the exit code."""
    picture = Picture.asked(given)
    for name in out:
        if ending(name) not in FORMS:
            raise BadCall(f"--out {name}: end it with {', '.join('.' + form for form in FORMS)}")
        picture.add(ending(name), name)
    if as_toml:
        picture.add("toml", "-")
    picture.check()
    chosen = game_options(**given)
    if file is None:
        from hexholm.rules.boards import layout_for

        layout, colors = layout_for(chosen, seed), chosen.colors
    else:
        only_the_file(given)
        layout = own_board(file)
        colors = tuple(dict.fromkeys(piece.color for piece in layout.start))
    if not picture.files:
        picture.files.append(("txt", "-"))

    def plan(**how: Any) -> Plan:
        from hexholm.game.pictures import plan_of

        return plan_of(layout, None, colors, start=True, **how)

    def svg(**how: Any) -> str:
        from hexholm.game.pictures import svg_of

        return svg_of(plan(names=picture.names, highlight=picture.places), **how, words=chosen.edition_data.words)

    picture.save(
        {
            "toml": lambda _: layout.to_toml(),
            "txt": lambda file: in_characters(layout, chosen, colors, color=file == "-" and colored()),
        },
        svg,
    )
    return 0


def in_characters(layout: Layout, chosen: Options, colors: tuple[str, ...], *, color: bool) -> str:
    """The name, the board and what its signs mean."""
    from hexholm.rules.boards import draw_text, start_pieces

    words = chosen.edition_data.words
    lines = [folded(layout.name)] if layout.name else []
    lines += [draw_text(layout, start_pieces(layout, colors), color=color, words=words), legend(words)]
    return "\n".join(lines)


@dataclass
class Picture:
    """The pictures that a command is asked for: (form, file) each, and how they look."""

    files: list[tuple[str, str]]
    names: bool
    highlight: str | None
    theme: str
    width: int | None

    @classmethod
    def asked(cls, given: dict[str, Any]) -> Picture:
        """Take the options of a picture out of those of a command."""
        files = [(form, file) for form in ("svg", "png") if (file := given.pop(form)) is not None]
        looks = {name: given.pop(name) for name in ("names", "highlight", "theme", "width")}
        return cls(files, **looks)

    def add(self, form: str, file: str) -> None:
        """One more file to write."""
        self.files.append((form, file))

    @property
    def places(self) -> list[str]:
        """The names of the places to mark."""
        return (self.highlight or "").replace(",", " ").split()

    def check(self) -> None:
        """Refuse what cannot be done before anything is written."""
        if sum(file == "-" for _, file in self.files) > 1:
            raise BadCall("standard output takes one form at a time; name a file for the others")
        for form, file in self.files:
            if file != "-":
                writable(file, f"--{form}")
            elif form == "png" and sys.stdout.isatty():
                raise BadCall("--png -: a PNG is nothing for a terminal; name a file, or send it on with > or |")
        if not any(form in ("svg", "png") for form, _ in self.files):
            for said, name in ((self.names, "names"), (self.highlight, "highlight"), (self.width, "width")):
                if said:
                    raise BadCall(f"--{name} is for SVG and PNG: add --svg FILE or --png FILE")

    def save(self, texts: dict[str, Callable[[str], str]], svg: Callable[..., str]) -> None:
        """Write all files; `texts` makes the forms that are text (given the file), `svg` the picture."""
        for form, file in self.files:
            if form == "png":
                from hexholm.game.pictures import png_of

                save(file, png_of(svg(theme=self.theme), width=self.width), f"--{form}")
            elif form == "svg":
                save(file, svg(theme=self.theme, width=self.width), f"--{form}")
            else:
                save(file, texts[form](file), f"--{form}")


def colored() -> bool:
    """Whether stdout wants colours: a terminal, and NO_COLOR is not set (no-color.org)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
