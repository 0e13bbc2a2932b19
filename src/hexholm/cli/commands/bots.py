"""`hexholm bots`: the players there are, or one of them proved."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Final

import typer

from hexholm.game.language.phrases import fold

from ..shared.common_options import JsonOption, ProgramOption, ProgramsOption, named_programs
from ..shared.files import BadCall

if TYPE_CHECKING:
    from hexholm.bots.program import ProgramKind

EXAMPLE: Final = "hexholm bots --check my_bot.py:MyBot"


def bots(
    check: Annotated[
        str | None,
        typer.Option(help="Check a player, by name or as my_bot.py:MyBot.", metavar="PLAYER", show_default=False),
    ] = None,
    limit: Annotated[
        float | None,
        typer.Option(
            help="With --check: seconds for each answer. [default: 120; a program's own limit]",
            metavar="SECONDS",
            show_default=False,
        ),
    ] = None,
    program: ProgramOption = None,
    programs: ProgramsOption = None,
    as_json: JsonOption = False,
) -> int:
    """List the players, one per line, or check one.

    docs/how-to/write-a-bot.md says how to write your own: in Python, or in any language as a program.
    """
    program_kinds = named_programs(programs, program or [])
    if check is not None:
        return _prove(check, program_kinds, limit, as_json)
    if limit is not None:
        raise BadCall("--limit: it is for --check; name a player to check")
    from hexholm.bots import bot_kinds

    rows = [
        {"name": kind.name, "line": kind.summary, "from": kind.origin or "hexholm", "broken": kind.broken or None}
        for kind in bot_kinds().values()
    ]
    rows += [
        {"name": kind.name, "line": kind.summary or " ".join(kind.command), "from": "program", "broken": None}
        for kind in program_kinds.values()
    ]
    if as_json:
        typer.echo(json.dumps(rows))
        return 0
    width = max(len(str(row["name"])) for row in rows) + 2
    for row in rows:
        line = f"cannot be used: {row['broken']}" if row["broken"] else str(row["line"])
        origin = "" if row["from"] in ("hexholm", "program") else f" (from {row['from']})"
        typer.echo(fold(f"{row['name']:<{width}}{line}{origin}", " " * width))
    return 0


def _prove(player: str, programs: Mapping[str, ProgramKind], limit: float | None, as_json: bool) -> int:
    from hexholm.arena import entrant
    from hexholm.bots.program import ProgramKind, program_kind
    from hexholm.testing import ANSWER_LIMIT, check_apart, check_bot

    contestant = entrant(player, programs)
    seconds = ANSWER_LIMIT if limit is None else limit
    if not 0 < seconds < float("inf"):
        raise BadCall(f"--limit {seconds:g}: give a number of seconds above 0")
    if limit is not None and isinstance(kind := contestant.source, ProgramKind):
        contestant = replace(contestant, source=program_kind(kind.name, kind.command, limit, kind.summary))
    report = (
        check_apart(contestant, limit=seconds)
        if contestant.foreign
        else check_bot(contestant, limit=seconds, raises=False)
    )
    if as_json:
        typer.echo(json.dumps(report.as_dict()))
    else:
        typer.echo(str(report))
    return 0 if report.ok else 1
