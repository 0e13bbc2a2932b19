"""The command `hexholm`.

Each command is a thin function here: it declares its options and imports what does the work when it is called, so that
`hexholm --version` and `hexholm --help` load neither numpy nor the compiler.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import os
import sys
from typing import Annotated, NoReturn

import typer

import hexholm
from hexholm.rules.errors import BadInput

from . import asking

app = typer.Typer(
    name="hexholm",
    help="The island-settling board game of five rule books.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"hexholm {hexholm.__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    pass


@app.command()
def simulate(
    players: Annotated[str, typer.Option(help="One name for each seat; random is the only player yet.")] = ",".join(
        ["random"] * 4
    ),
    games: Annotated[int, typer.Option(help="How many games.")] = 1000,
    seed: Annotated[int, typer.Option(help="Names the run: the same seed plays the same games.")] = 0,
    jobs: Annotated[int, typer.Option(help="Cores to use; 0: all.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as one line of JSON.")] = False,
    edition: asking.Edition = asking.DEFAULT_EDITION,
    setup: asking.Setup = None,
    phases: asking.Phases = None,
    numbers: asking.Numbers = None,
    harbors: asking.Harbors = None,
    printed_map: asking.Map = None,
    file: asking.File = None,
    first: asking.First = None,
    two_players: asking.TwoPlayers = False,
    points_to_win: asking.PointsToWin = None,
    hand_limit: asking.HandLimit = None,
    friendly_robber: asking.FriendlyRobber = False,
    balanced_dice: asking.BalancedDice = False,
) -> None:
    """Play many games of random players and count who wins.

    The right to begin goes from seat to seat unless --first says otherwise. Players choose uniformly among all legal
    actions, without offers to each other. A game takes about a thousand actions; one without a winner after 100,000 is
    stopped and counted as such. Ctrl-C prints what was played so far.
    """
    from . import simulation

    code = simulation.run(
        players,
        games,
        seed,
        jobs,
        as_json,
        file,
        edition=edition,
        setup=setup,
        phases=phases,
        numbers=numbers,
        harbors=harbors,
        map=printed_map,
        first=first,
        two_players=two_players,
        points_to_win=points_to_win,
        hand_limit=hand_limit,
        friendly_robber=friendly_robber,
        balanced_dice=balanced_dice,
    )
    raise typer.Exit(code)


@app.command()
def board(
    seed: Annotated[int, typer.Option(help="Names the board.")] = 0,
    edition: asking.Edition = asking.DEFAULT_EDITION,
    setup: asking.Setup = None,
    numbers: asking.Numbers = None,
    harbors: asking.Harbors = None,
    printed_map: asking.Map = None,
    file: Annotated[
        str | None,
        typer.Option(
            help="Read and check a board of your own (docs/formats/board.md); - is standard input.", show_default=False
        ),
    ] = None,
    as_toml: Annotated[bool, typer.Option("--toml", help="Print it as TOML, to edit and to read back.")] = False,
) -> None:
    """Draw a board in characters."""
    from . import drawing

    code = drawing.run(
        seed, file, as_toml, edition=edition, setup=setup, numbers=numbers, harbors=harbors, map=printed_map
    )
    raise typer.Exit(code)


@app.command()
def perft(
    depth: Annotated[int, typer.Option(help="How many plies.", min=1)] = 3,
    players: Annotated[int, typer.Option(help="How many.")] = 4,
    seed: Annotated[int, typer.Option(help="Names the board.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print the counts as one line of JSON.")] = False,
    edition: asking.Edition = asking.DEFAULT_EDITION,
    setup: asking.Setup = None,
    phases: asking.Phases = None,
    numbers: asking.Numbers = None,
    harbors: asking.Harbors = None,
    printed_map: asking.Map = None,
    file: asking.File = None,
    first: asking.First = None,
    two_players: asking.TwoPlayers = False,
) -> None:
    """Count the ways a game can begin.

    A ply is a decision of a player or an outcome of chance. Told for each depth: the sequences of so many plies that
    end with a decision, and those that end with chance. Seats act clockwise, offers are left out, a discard is one
    multiset. Ctrl-C ends with the depths counted so far.
    """
    from . import counting

    code = counting.run(
        depth,
        seed,
        as_json,
        file,
        players=players,
        edition=edition,
        setup=setup,
        phases=phases,
        numbers=numbers,
        harbors=harbors,
        map=printed_map,
        first=first,
        two_players=two_players,
    )
    raise typer.Exit(code)


@app.command()
def play(
    players: Annotated[int, typer.Option(help="How many.")] = 4,
    seed: Annotated[int, typer.Option(help="Names the game.")] = 0,
    speed: Annotated[float, typer.Option(help="Turns a second; 0: no waiting.", min=0)] = 4,
    plain: Annotated[
        bool, typer.Option("--plain", help="The whole game as text at once, also into a file or a pipe.")
    ] = False,
    edition: asking.Edition = asking.DEFAULT_EDITION,
    setup: asking.Setup = None,
    phases: asking.Phases = None,
    numbers: asking.Numbers = None,
    harbors: asking.Harbors = None,
    printed_map: asking.Map = None,
    file: asking.File = None,
    first: asking.First = None,
    two_players: asking.TwoPlayers = False,
    points_to_win: asking.PointsToWin = None,
    hand_limit: asking.HandLimit = None,
    friendly_robber: asking.FriendlyRobber = False,
    balanced_dice: asking.BalancedDice = False,
) -> None:
    """Watch simple players play a game in the terminal."""
    from . import show

    code = show.run(
        players,
        seed,
        0 if plain else speed,
        plain,
        file,
        edition=edition,
        setup=setup,
        phases=phases,
        numbers=numbers,
        harbors=harbors,
        map=printed_map,
        first=first,
        two_players=two_players,
        points_to_win=points_to_win,
        hand_limit=hand_limit,
        friendly_robber=friendly_robber,
        balanced_dice=balanced_dice,
    )
    raise typer.Exit(code)


@app.command()
def doctor() -> None:
    """Show versions, the cache and what is installed."""
    from .checkup import report

    for label, value in report():
        typer.echo(asking.folded(f"{label:<12} {value}", " " * 13))


def main() -> NoReturn:
    """Run the command line.

    Bad input, that is a `BadInput` or another `ValueError` class of ours, ends in one line on stderr and exit code 2,
    a full disk in one line and 1, Ctrl-C in 130. `HEXHOLM_DEBUG=1` shows the whole traceback instead.
    """
    # The compiler makes many objects that stay. Looking for garbage among them, and once more at the end, takes a third
    # of the time of a short command.
    gc.set_threshold(100_000)
    atexit.register(gc.freeze)
    try:
        app(prog_name="hexholm")
    except ValueError as error:
        if not _is_ours(error) or os.environ.get("HEXHOLM_DEBUG"):
            raise
        if isinstance(error, asking.BadBoardFile):
            typer.echo("\n".join(error.lines), err=True)
        else:
            typer.echo(f"hexholm: {' '.join(str(error).split())}", err=True)
        sys.exit(2)
    except OSError as error:
        if os.environ.get("HEXHOLM_DEBUG"):
            raise
        _give_up_writing()
        named = f": {error.filename}" if error.filename else ""
        typer.echo(f"hexholm: {error.strerror or error}{named}", err=True)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
    sys.exit(0)


def _give_up_writing() -> None:
    """What stdout could not take is dropped; else Python would try again at its end, and complain."""
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
        return
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _is_ours(error: ValueError) -> bool:
    """Whether Hexholm raised this on purpose: a plain `ValueError` is a fault of ours and shows its traceback."""
    return isinstance(error, BadInput) or type(error).__module__.partition(".")[0] == "hexholm"
