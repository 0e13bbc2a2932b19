"""`hexholm board --print`: a pad of maps to draw on, as a PDF file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from .shared.files import BadCall, save, writable

if TYPE_CHECKING:
    import typer

OWN: Final = ("printed", "maps", "paper", "language")
"""The options of a pad, as the command calls them."""
FLAGS: Final = {"printed": "print", "as_toml": "toml", "as_json": "json"}
"""Options that are said otherwise than the command calls them."""
EDITION: Final = "zip"


def run(context: typer.Context, file: str, maps: str | None, paper: str | None, language: str | None) -> int:
    """Write a pad of maps; returns the exit code."""
    from hexholm.almanac.pad import pad, read_maps
    from hexholm.game.pictures.paper import size_of

    said = said_in(context)
    edition = str(said.pop("edition", EDITION)).strip().lower()
    if edition != EDITION:
        raise BadCall(
            f"--print and --edition {edition}: only edition zip is played on printed maps; leave --edition out"
        )
    if "map" in said:
        raise BadCall(f"--print and --map: the pad takes --maps {said['map']}")
    for name in said:
        if name not in OWN:
            raise BadCall(
                f"--print and --{FLAGS.get(name, name).replace('_', '-')}: a pad has its maps from --maps alone"
            )
    chosen = read_maps(maps or "1-50", "--maps")
    kind, spoken = (paper or "a4").strip().lower(), (language or "en").strip().lower()
    size_of(kind)
    if file == "-" and sys.stdout.isatty():
        raise BadCall("--print -: a PDF is nothing for a terminal; name a file, or send it on with > or |")
    if file != "-":
        if Path(file).suffix.lower() not in ("", ".pdf"):
            raise BadCall(f"--print {file}: a pad is a PDF file; call it {Path(file).stem}.pdf")
        writable(file, "--print")
    save(file, pad(chosen, paper=kind, language=spoken), "--print")
    return 0


def without(**given: Any) -> None:
    """Refuse options of a pad where none is printed."""
    for name, value in given.items():
        if value is not None:
            raise BadCall(f"--{name} is for maps on paper: add --print FILE")


def said_in(context: typer.Context) -> dict[str, Any]:
    """The options that were given on the command line."""
    sources = {name: context.get_parameter_source(name) for name in context.params}
    return {
        name: context.params[name]
        for name, source in sources.items()
        if source is not None and source.name == "COMMANDLINE"
    }
