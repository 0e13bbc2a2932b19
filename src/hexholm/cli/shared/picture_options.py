"""Pictures that a command is asked for: the options that say which and how they look, and the files they go to."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Final

import typer

from .common_options import OptionGroup, complete_from
from .files import BadCall, check_writable, refuse_replacing, save

LEGIBLE_WIDTH: Final = 800
"""In a picture that is not so wide, the names of the places are too small to be read."""
PICTURE_OPTIONS: Final[OptionGroup] = {
    "svg": (
        Annotated[str | None, typer.Option(help="Save the picture as SVG; - is standard output.", show_default=False)],
        None,
    ),
    "png": (
        Annotated[str | None, typer.Option(help="Save the picture as PNG; - is standard output.", show_default=False)],
        None,
    ),
    "names": (Annotated[bool, typer.Option("--names", help="Write the names of all places (SVG, PNG).")], False),
    "highlight": (
        Annotated[str | None, typer.Option(help="Mark places (SVG, PNG), as in 'C3 C3n C3/ne'.", show_default=False)],
        None,
    ),
    "theme": (
        Annotated[
            str | None,
            typer.Option(
                help="light or dark (SVG, PNG). [default: light]",
                show_default=False,
                autocompletion=complete_from("light", "dark"),
            ),
        ],
        None,
    ),
    "width": (
        Annotated[
            int | None,
            typer.Option(
                help="Width of the SVG or PNG in pixels; below 600 the words along the coast are left out.",
                show_default=False,
                min=1,
                max=10_000,
            ),
        ],
        None,
    ),
}
"""The options of a picture."""


@dataclass
class PictureRequest:
    """The pictures that a command is asked for: (form, file) each, and how they look."""

    files: list[tuple[str, str]]
    names: bool
    highlight: str | None
    theme: str | None
    width: int | None
    force: bool = False
    """Whether another board may be replaced; another picture always may."""

    @classmethod
    def of_flags(cls, flags: dict[str, Any]) -> PictureRequest:
        """From the options of a command, out of which it takes its own."""
        files = [(form, file) for form in ("svg", "png") if (file := flags.pop(form)) is not None]
        looks = {name: flags.pop(name) for name in ("names", "highlight", "theme", "width")}
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
        if self.force and all(file == "-" for _, file in self.files):
            raise BadCall("--force is for files: add --out FILE")
        for form, file in self.files:
            if file != "-":
                check_writable(file, f"--{form}")
                if form == "toml" and not self.force:
                    refuse_replacing(file)
            elif form == "png" and sys.stdout.isatty():
                raise BadCall("--png -: a terminal cannot show a PNG; name a file, or redirect it with > or |")
        if not any(form in ("svg", "png") for form, _ in self.files):
            for name in ("names", "highlight", "theme", "width"):
                if getattr(self, name):
                    raise BadCall(f"--{name} is for SVG and PNG: add --svg FILE or --png FILE")

    def save(self, texts: dict[str, Callable[[str], str]], svg: Callable[..., str]) -> None:
        """Write all files; `texts` makes the forms that are text (given the file), `svg` the picture."""
        style = {"theme": self.theme or "light", "width": self.width}
        if self.names and self.width is not None and self.width < LEGIBLE_WIDTH:
            typer.echo(
                f"note: --width {self.width} is too small to read --names; take {LEGIBLE_WIDTH} or more", err=True
            )
        for form, file in self.files:
            if form == "png":
                from hexholm.game.pictures import png_of

                save(file, png_of(svg(**style), width=self.width), f"--{form}")
            elif form == "svg":
                save(file, svg(**style), f"--{form}")
            else:
                save(file, texts[form](file), f"--{form}")
