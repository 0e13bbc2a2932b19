"""The commands for many games among bots: `simulate`, `tournament`, `bots`.

Each is a thin function as in :mod:`hexholm.cli`: it declares its options and imports what does the work when called.
"""

from __future__ import annotations

from typing import Annotated, Any

import typer

from .shared import game_options as asking

commands = typer.Typer()

Program = Annotated[
    list[str] | None,
    typer.Option(help="A program as a player. Can be repeated.", metavar="NAME=COMMAND", show_default=False),
]
Programs = Annotated[
    str | None, typer.Option(help="A TOML file that names programs.", metavar="FILE", show_default=False)
]


@commands.command(epilog="Example: hexholm simulate --games 3 --seed 9 --records games.jsonl")
@asking.shared(*asking.GAME)
def simulate(
    players: Annotated[
        str, typer.Option(help="One name for each seat; it knows random alone, tournament all players.")
    ] = ",".join(["random"] * 4),
    games: Annotated[int, typer.Option(help="How many games.")] = 1000,
    seed: Annotated[int, typer.Option(help="Names the run: the same seed plays the same games.")] = 0,
    jobs: Annotated[int, typer.Option(help="Cores to use; 0: all.")] = 1,
    records: Annotated[
        str | None,
        typer.Option(
            help="Save all games: .jsonl, .hexholm (text) or .parquet (two tables); plays on one core.",
            show_default=False,
        ),
    ] = None,
    as_json: asking.Json = False,
    **given: Any,
) -> None:
    """Play many games of random players and count who wins.

    The right to begin goes from seat to seat unless --first says otherwise. Players choose uniformly among all legal
    actions, without offers to each other. A game takes about a thousand actions; one without a winner after 100,000 is
    stopped and counted as such. Ctrl-C prints what was played so far.
    """
    from .commands import simulate as simulation

    raise typer.Exit(simulation.run(players, games, seed, jobs, as_json, records, **given))


@commands.command(epilog="Example: hexholm tournament easy random random random --games 200 --seed 5")
@asking.shared(*(name for name in asking.GAME if name != "first"))
def tournament(
    players: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PLAYER",
            help="A name for each seat: hexholm bots lists them. name@400 or name@2s sets the effort; my_bot.py:MyBot"
            " is one of your own. More names than seats take turns.",
            show_default=False,
            autocompletion=asking.bot_names,
        ),
    ] = None,
    games: Annotated[int | None, typer.Option(help="How many games. [default: 400]", show_default=False)] = None,
    seed: Annotated[
        int | None, typer.Option(help="Names boards, dice, cards and players' seeds. [default: 0]", show_default=False)
    ] = None,
    seats: Annotated[
        int | None, typer.Option(help="Seats of a table. [default: as many as players, up to 4]", show_default=False)
    ] = None,
    runner: Annotated[
        str,
        typer.Option(
            help="Who plays: pool (processes), serial, or ray (a cluster).",
            autocompletion=asking.choices("pool", "serial", "ray"),
        ),
    ] = "pool",
    jobs: Annotated[int, typer.Option(help="Games at a time; 0: one for each core.")] = 0,
    address: Annotated[
        str | None, typer.Option(help="Of a Ray cluster. [default: one of its own]", show_default=False)
    ] = None,
    cap: Annotated[
        int | None, typer.Option(help="Turns after which a game ends; 0: none. [default: 1000]", show_default=False)
    ] = None,
    sprt: Annotated[
        tuple[float, float] | None,
        typer.Option(
            metavar="LOW HIGH",
            help="Stop when it is clear whether the first player's share of wins is at most LOW or at least HIGH.",
            show_default=False,
        ),
    ] = None,
    records: Annotated[
        str | None, typer.Option(help="Save all games, whole: a .jsonl file.", metavar="FILE", show_default=False)
    ] = None,
    resume: Annotated[
        str | None,
        typer.Option(
            help="Keep finished games in this file; if it holds some, go on with them.",
            metavar="FILE",
            show_default=False,
        ),
    ] = None,
    plot: Annotated[
        str | None,
        typer.Option(help="Draw ladder and win matrix: .png, .svg or .pdf.", metavar="FILE", show_default=False),
    ] = None,
    program: Program = None,
    programs: Programs = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Stop at the first answer of a player that is no legal action.")
    ] = False,
    as_json: asking.Json = False,
    **given: Any,
) -> None:
    """Find out which players are stronger, and how sure that is.

    Every board is played as often as there are seats, with the same dice, everybody once in every seat; intervals are
    clustered by board. The same seed plays the same games, whoever plays them. Ctrl-C prints what was played so far
    and how to go on. docs/how-to/tournament.md explains the figures.
    """
    from .commands import tournament as contest

    code = contest.run(
        players or [],
        games=games,
        seed=seed,
        seats=seats,
        runner=runner,
        jobs=jobs,
        address=address,
        cap=cap,
        sprt=sprt,
        records=records,
        resume=resume,
        plot=plot,
        programs=programs,
        program=program or [],
        strict=strict,
        as_json=as_json,
        **given,
    )
    raise typer.Exit(code)


@commands.command(epilog="Example: hexholm bots --check my_bot.py:MyBot")
def bots(
    check: Annotated[
        str | None,
        typer.Option(help="Prove a player, by name or as my_bot.py:MyBot.", metavar="PLAYER", show_default=False),
    ] = None,
    limit: Annotated[
        float | None,
        typer.Option(
            help="With --check: seconds for anything it is asked. [default: 120; a program's own]",
            metavar="SECONDS",
            show_default=False,
        ),
    ] = None,
    program: Program = None,
    programs: Programs = None,
    as_json: asking.Json = False,
) -> None:
    """List the players there are, with a line each, or prove one.

    docs/how-to/write-a-bot.md says how to write your own: in Python, or in any language as a program.
    """
    from .commands import tournament as contest

    raise typer.Exit(contest.list_bots(programs, program or [], check, limit, as_json))
