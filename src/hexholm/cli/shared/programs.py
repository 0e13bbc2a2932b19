"""Programs in any language that take part as players: the options that name them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from .files import BadCall

if TYPE_CHECKING:
    from hexholm.bots.program import ProgramPlayer

ProgramOption = Annotated[
    list[str] | None,
    typer.Option(help="A program as a player. Can be repeated.", metavar="NAME=COMMAND", show_default=False),
]
ProgramsOption = Annotated[
    str | None, typer.Option(help="A TOML file that names programs.", metavar="FILE", show_default=False)
]


def named_programs(file: str | None, given: Sequence[str]) -> dict[str, ProgramPlayer]:
    """The programs of a file and of --program options, by name."""
    from hexholm.bots import players
    from hexholm.bots.program import program, read_programs

    found = {} if file is None else read_programs(file)
    for one in given:
        name, equals, command = one.partition("=")
        if not equals:
            raise BadCall(f"--program {one}: write it as name=command, as in --program 'mine=node bot.js'")
        found[name.strip()] = program(name.strip(), command)
    for name in found:
        if name in players():
            raise BadCall(f"program {name}: there is a player of that name already; choose another")
    return found
