"""Options that several commands take, how a command gets them, and the programs that some of them name."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hexholm.host.tables.services.durations import USUAL_DURATIONS

from .files import BadCall

if TYPE_CHECKING:
    from hexholm.bots.program import ProgramKind

OptionGroup = Mapping[str, tuple[Any, Any]]
"""Options by name: how it is said and explained, and what it is if not given."""


def complete_from(*words: str) -> Callable[[], list[str]]:
    """What a shell offers to complete a value with."""
    return lambda: list(words)


def seat_names() -> list[str]:
    """What a shell offers for a seat: the colors of all editions."""
    from hexholm.rules.setup.editions import EDITIONS, edition

    return list(dict.fromkeys(color for name in EDITIONS for color in edition(name).colors))


SeatOption = Annotated[
    str | None,
    typer.Option(help="Show it as the player of this color saw it.", show_default=False, autocompletion=seat_names),
]
PublicOption = Annotated[bool, typer.Option("--public", help="Show it as a spectator saw it, without what was hidden.")]
GameNumberOption = Annotated[
    int | None, typer.Option("--game", help="Which game in the file, counting from 1.", show_default=False)
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print the result as one line of JSON.")]
ProgramOption = Annotated[
    list[str] | None,
    typer.Option(help="A program as a player. Can be repeated.", metavar="NAME=COMMAND", show_default=False),
]
ProgramsOption = Annotated[
    str | None, typer.Option(help="A TOML file that names programs.", metavar="FILE", show_default=False)
]
DatabaseOption = Annotated[
    str | None, typer.Option(help="The database. [default: the one serve uses]", metavar="DATABASE", show_default=False)
]
BotDelayOption = Annotated[
    float | None,
    typer.Option(
        help="Seconds before a bot answers; it takes up to three times as long."
        f" [default: {USUAL_DURATIONS.bot_delay[0]:g}]",
        min=0,
        max=60,
        show_default=False,
    ),
]


def with_options(*groups: OptionGroup) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Give a command the options of these groups; it gets their values in its `**` argument.

    Typer reads the signature of a function; this writes the options into it.
    """

    def add_options(command: Callable[..., int]) -> Callable[..., int]:
        signature = inspect.signature(command, eval_str=True)
        own_parameters = [
            parameter
            for parameter in signature.parameters.values()
            if parameter.kind is not inspect.Parameter.VAR_KEYWORD
        ]
        added = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=kind, default=default)
            for group in groups
            for name, (kind, default) in group.items()
        ]
        command.__dict__["__signature__"] = signature.replace(parameters=[*own_parameters, *added])
        return command

    return add_options


def named_programs(file: str | None, texts: Sequence[str]) -> dict[str, ProgramKind]:
    """The programs of a file and of --program options, by name."""
    from hexholm.bots import bot_kinds
    from hexholm.bots.program import program_kind, read_programs

    programs = {} if file is None else read_programs(file)
    for text in texts:
        name, equals, command = text.partition("=")
        if not equals:
            raise BadCall(f"--program {text}: write it as name=command, as in --program 'mine=node bot.js'")
        programs[name.strip()] = program_kind(name.strip(), command)
    for name in programs:
        if name in bot_kinds():
            raise BadCall(f"program {name}: there is a player of that name already; choose another")
    return programs
