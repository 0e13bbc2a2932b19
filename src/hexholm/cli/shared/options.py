"""Options that several commands take, and how a command gets them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Annotated, Any

import typer

OptionGroup = Mapping[str, tuple[Any, Any]]
"""Options by name: how it is said and explained, and what it is if not given."""


def choices(*words: str) -> Callable[[], list[str]]:
    """What a shell offers to complete a value with."""
    return lambda: list(words)


def seat_names() -> list[str]:
    """What a shell offers for a seat: the colours of all editions."""
    from hexholm.rules.editions import EDITIONS, edition

    return list(dict.fromkeys(color for name in EDITIONS for color in edition(name).colors))


SeatOption = Annotated[
    str | None, typer.Option(help="As this player saw it: a colour.", show_default=False, autocompletion=seat_names)
]
PublicOption = Annotated[bool, typer.Option("--public", help="As an onlooker saw it, who knows no hidden card.")]
GameNumberOption = Annotated[
    int | None, typer.Option("--game", help="Which game of the file, from 1.", show_default=False)
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print the result as one line of JSON.")]


def shared(*groups: OptionGroup) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Give a command the options of these groups; it gets their values in its `**` argument.

    Typer reads the signature of a function; this writes the options into it.
    """

    def give(command: Callable[..., int]) -> Callable[..., int]:
        own = inspect.signature(command, eval_str=True)
        kept = [one for one in own.parameters.values() if one.kind is not inspect.Parameter.VAR_KEYWORD]
        more = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=kind, default=default)
            for group in groups
            for name, (kind, default) in group.items()
        ]
        command.__dict__["__signature__"] = own.replace(parameters=[*kept, *more])
        return command

    return give
