"""The command `hexholm`.

Each command is a thin function here: it declares its options and imports what does the work when it is called, so that
`hexholm --version` and `hexholm --help` load neither numpy nor the compiler. Those for many games among bots are in
:mod:`.contesting`, those for whoever hosts tables in :mod:`.commands.serve`.
"""

from __future__ import annotations

import atexit
import contextlib
import errno
import gc
import os
import sys
from typing import Annotated, Any, Final, NoReturn

import typer

import hexholm
from hexholm.rules.errors import BadInput

from . import contesting
from .commands import serve as hosting
from .shared import game_options as asking
from .shared import interrupts as stopping
from .shared import usage

EXAMPLES: Final = """\
  hexholm play                     a game against bots, easy to expert
  hexholm board --png board.png    a new board and its picture
  hexholm rules rolling-a-7        what a seven does
"""

app = typer.Typer(
    name="hexholm",
    cls=stopping.Commands,
    help="The island-settling board game of five rule books.",
    epilog=f"\b\nTry:\n{EXAMPLES}",
    no_args_is_help=False,
    add_completion=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"hexholm {hexholm.__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _options(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001 (its callback does it)
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        typer.echo(
            f"Hexholm {hexholm.__version__}, the island-settling board game of five rule books. Try:\n\n{EXAMPLES}\n"
            "hexholm --help names all commands, hexholm COMMAND --help explains one."
        )


@app.command()
@asking.shared(*asking.GAME)
def play(
    players: Annotated[int | None, typer.Option(help="How many. [default: 4]", show_default=False)] = None,
    seed: Annotated[
        int | None, typer.Option(help="Names the game: board, dice and cards. [default: fresh]", show_default=False)
    ] = None,
    seat: Annotated[
        str | None,
        typer.Option(help="Your colour. [default: the first]", show_default=False, autocompletion=asking.seat_names),
    ] = None,
    name: Annotated[str | None, typer.Option(help="Your name, for the record.", show_default=False)] = None,
    record: Annotated[
        str | None, typer.Option(help="Keep the game in this new file. [default: one of its own]", show_default=False)
    ] = None,
    resume: Annotated[str | None, typer.Option(help="Go on with the game in this file.", show_default=False)] = None,
    level: Annotated[
        str | None,
        typer.Option(
            help="How strong the others are: easy, medium, hard, expert or random. [default: easy]",
            show_default=False,
            autocompletion=asking.choices("easy", "medium", "hard", "expert", "random"),
        ),
    ] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Watch bots instead.")] = False,
    speed: Annotated[
        float | None,
        typer.Option(help="Turns a second when watching; 0: no waiting. [default: 4]", min=0, show_default=False),
    ] = None,
    plain: Annotated[
        bool, typer.Option("--plain", help="Watch a whole game as text at once, also into a file or a pipe.")
    ] = False,
    **given: Any,
) -> None:
    """Play a game against bots in the terminal.

    Type ? at the table for what you may do. The game is kept in a file after every action; quit or Ctrl-C says how to
    go on with it. The file does not hold the seed: dice and cards of a resumed game are fresh unless --seed is given
    again. With --watch or --plain only bots play; --resume then shows the rest of a game, and --record keeps
    the game at its end.
    """
    given |= {"players": players, "seed": seed, "seat": seat, "name": name, "record": record, "resume": resume}
    given["level"] = level
    if watch or plain:
        from .at_table.bot_game import SPEED
        from .at_table.bot_game import run as show

        raise typer.Exit(show(speed=SPEED if speed is None else speed, plain=plain, **given))
    if speed is not None:
        raise BadInput("--speed is for watching: add --watch")
    from .at_table.terminal_game import run

    raise typer.Exit(run(**given))


@app.command(epilog="Example: hexholm board --edition fifth --setup beginner --svg board.svg")
@asking.shared(*asking.BOARD, *asking.PICTURE)
def board(
    context: typer.Context,
    seed: Annotated[
        int | None, typer.Option(help="Names the board, where there are several. [default: 0]", show_default=False)
    ] = None,
    file: Annotated[
        str | None,
        typer.Option(
            help="Read and check a board of your own (docs/formats/board.md); - is standard input.", show_default=False
        ),
    ] = None,
    as_toml: Annotated[bool, typer.Option("--toml", help="Print it as TOML, to edit and to read back.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print it as one line of JSON.")] = False,
    out: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE",
            help="Save it as the ending says: .toml, .txt, .svg or .png. Can be repeated.",
            show_default=False,
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a board that is in the .toml file.")] = False,
    fair: Annotated[
        bool,
        typer.Option(
            "--fair", help="The fairest of many boards, with its score and why; of a board with no choice the score."
        ),
    ] = False,
    tries: Annotated[
        int | None, typer.Option(help="With --fair: how many boards, 1 to 10000. [default: 200]", show_default=False)
    ] = None,
    players: Annotated[
        int | None, typer.Option(help="With --fair: for how many players, 2 to 4. [default: 4]", show_default=False)
    ] = None,
    printed: Annotated[
        str | None,
        typer.Option("--print", metavar="FILE", help="Save a pad of Zip! maps to draw on, as PDF.", show_default=False),
    ] = None,
    maps: Annotated[
        str | None,
        typer.Option(help="With --print: which maps, as in 1-50 or 1,7,20-22. [default: 1-50]", show_default=False),
    ] = None,
    paper: Annotated[
        str | None,
        typer.Option(
            help="With --print: a4 or letter. [default: a4]",
            show_default=False,
            autocompletion=asking.choices("a4", "letter"),
        ),
    ] = None,
    language: Annotated[
        str | None,
        typer.Option(
            help="With --print: en or de. [default: en]", show_default=False, autocompletion=asking.choices("en", "de")
        ),
    ] = None,
    **given: Any,
) -> None:
    """Make a board, or check your own; draw and save it.

    Without an option that saves or prints it otherwise, the board is drawn in characters. Pictures replace an older
    file of that name, a .toml file is replaced with --force only. With --file the edition says no more than what things
    are called.
    """
    from . import printing
    from .commands import board as drawing

    if printed is not None:
        raise typer.Exit(printing.run(context, printed, maps, paper, language))
    printing.without(maps=maps, paper=paper, language=language)
    said = "edition" in printing.said_in(context)
    raise typer.Exit(
        drawing.run(
            seed,
            file,
            as_toml,
            as_json,
            out or [],
            force=force,
            edition_said=said,
            fair=fair,
            tries=tries,
            players=players,
            **given,
        )
    )


@app.command(epilog="Example: hexholm show games.jsonl --game 2 --turn 30 --png here.png")
@asking.shared(*asking.PICTURE)
def show(
    what: Annotated[
        str,
        typer.Argument(metavar="POSITION", help="A position, a view, or a file with one or with games; - is stdin."),
    ],
    game: asking.GameNumber = None,
    turn: Annotated[
        int | None, typer.Option(help="Not the end but the end of this turn; 0: of the set-up.", show_default=False)
    ] = None,
    seat: asking.Seat = None,
    public: asking.Public = False,
    as_json: asking.Json = False,
    **picture: Any,
) -> None:
    """Draw a position: the table, whose turn it is, what is legal.

    Of a file with games the last position is shown, of the last game unless --game says otherwise.
    """
    from .reports import position as showing

    raise typer.Exit(showing.run(what, game, turn, seat, public, as_json, **picture))


@app.command(epilog="Example: hexholm replay games.jsonl --game 2 --seat blue")
def replay(
    file: Annotated[str, typer.Argument(metavar="FILE", help="Games as text or JSON lines; - is standard input.")],
    game: asking.GameNumber = None,
    turn: asking.Turn = None,
    seat: asking.Seat = None,
    public: asking.Public = False,
    with_board: Annotated[bool, typer.Option("--board", help="Draw the board after every turn.")] = False,
    summary: Annotated[
        bool, typer.Option("--summary", help="The game in numbers: dice, cards, robber, trade, points, luck.")
    ] = False,
    verify: Annotated[bool, typer.Option("--verify", help="Check all games; 1 is returned if one fails.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print data: a line of JSON for each event or game.")] = False,
) -> None:
    """Tell recorded games in words, sum them up, or verify them.

    A file with several games is listed; --game chooses one. In a terminal enter or space shows the next turn, a all
    that is left, q leaves.
    """
    from .commands import replay as replaying

    raise typer.Exit(replaying.run(file, game, turn, seat, public, with_board, summary, verify, as_json))


@app.command(epilog="Example: hexholm convert games.jsonl --out games.hexholm --seat blue")
def convert(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="Games, a position, a view or a board; - is standard input.")
    ],
    to: Annotated[
        str | None,
        typer.Option(
            help="text, jsonl or parquet for games; text or json for a position; toml for a board."
            " [default: by the ending of --out]",
            show_default=False,
            autocompletion=asking.choices("text", "jsonl", "parquet", "json", "toml"),
        ),
    ] = None,
    out: Annotated[str, typer.Option(help="Where to; - is standard output.")] = "-",
    game: asking.GameNumber = None,
    seat: Annotated[
        str | None,
        typer.Option(
            help="Make the copy of this player: a colour.", show_default=False, autocompletion=asking.seat_names
        ),
    ] = None,
    public: Annotated[bool, typer.Option("--public", help="Make the copy of an onlooker.")] = False,
) -> None:
    """Write games, positions and boards in another form.

    What is read is checked: a file that cannot be true is refused. A position or a board is written in its one
    canonical spelling. Parquet can only be written: to games.parquet, a row a game, and to games.steps.parquet, a row a
    step.
    """
    from .commands import convert as converting

    raise typer.Exit(converting.run(file, to, out, game, seat, public))


app.registered_commands += contesting.commands.registered_commands


@app.command(epilog='Example: hexholm rules longest-road --edition sixth; hexholm rules --search "tied road"')
def rules(
    wanted: Annotated[
        str | None,
        typer.Argument(
            metavar="ENTRY",
            help="An entry of the almanac as in longest-road, a rule as in SEVEN-02, a chapter of rules as in SEVEN.",
            show_default=False,
            autocompletion=asking.rule_ids,
        ),
    ] = None,
    edition: Annotated[
        str | None,
        typer.Option(
            help="In the words of this edition: zip, sixth, fifth, threed or summary. [default: sixth]",
            show_default=False,
            autocompletion=asking.edition_names,
        ),
    ] = None,
    language: Annotated[str, typer.Option(help="en or de.", autocompletion=asking.choices("en", "de"))] = "en",
    search: Annotated[
        str | None, typer.Option(metavar="WORDS", help="Find entries by words.", show_default=False)
    ] = None,
    compare: Annotated[bool, typer.Option("--compare", help="The editions side by side.")] = False,
    export: Annotated[
        str | None,
        typer.Option(
            metavar="FORM",
            help="All rules in one document for an assistant: markdown or json.",
            show_default=False,
            autocompletion=asking.choices("markdown", "json"),
        ),
    ] = None,
    as_json: asking.Json = False,
) -> None:
    """Look up the rules: the almanac of an edition.

    Without an entry they are all listed. A rule is shown as the catalogue has it, with what the editions differ in and
    the entries that explain it; hexholm rules chapters lists the catalogue.
    """
    from .reports import rule_text as rulebook

    raise typer.Exit(
        rulebook.run(wanted, edition, as_json, language=language, search=search, compare=compare, export=export)
    )


@app.command()
@asking.shared(*asking.START)
def perft(
    depth: Annotated[int, typer.Option(help="How many plies.", min=1)] = 3,
    players: Annotated[int, typer.Option(help="How many.")] = 4,
    seed: Annotated[
        int | None, typer.Option(help="Names the board, where there are several. [default: 0]", show_default=False)
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the counts as one line of JSON.")] = False,
    **given: Any,
) -> None:
    """Count the ways a game can begin.

    A ply is a decision of a player or an outcome of chance. Told for each depth: the sequences of so many plies that
    end with a decision, and those that end with chance. Seats act clockwise, offers are left out, a discard is one
    multiset. Ctrl-C ends with the depths counted so far.
    """
    from .commands import perft as counting

    raise typer.Exit(counting.run(depth, seed, as_json, players=players, **given))


app.registered_commands += hosting.commands.registered_commands


@app.command()
def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="Print it as one line of JSON.")] = False,
) -> None:
    """Show versions, the cache and what is installed."""
    from .commands.doctor import report

    if as_json:
        import json

        typer.echo(json.dumps(dict(report())))
        return
    for label, value in report():
        typer.echo(asking.folded(f"{label:<12} {value}", " " * 13))


def main() -> NoReturn:
    """Run the command line.

    Bad input, that is a command line that cannot be read, a `BadInput` or another `ValueError` class of ours, ends in
    one line on stderr and exit code 2, a full disk in one line and 1, Ctrl-C in 130. `HEXHOLM_DEBUG=1` shows the whole
    traceback instead.
    """
    # The compiler makes many objects that stay. Looking for garbage among them, and once more at the end, takes a third
    # of the time of a short command.
    gc.set_threshold(100_000)
    atexit.register(gc.freeze)
    try:
        code = app(prog_name="hexholm", standalone_mode=False)
    except usage.UsageError as error:
        if os.environ.get("HEXHOLM_DEBUG"):
            raise
        commands = [command.callback.__name__ for command in app.registered_commands if command.callback is not None]
        typer.echo(usage.short(f"hexholm: {usage.line(error, sys.argv[1:], commands)}"), err=True)
        sys.exit(2)
    except typer.Abort:
        typer.echo("hexholm: the input ended before the answer", err=True)
        sys.exit(1)
    except ValueError as error:
        if not _is_ours(error) or os.environ.get("HEXHOLM_DEBUG"):
            raise
        if isinstance(error, asking.BadBoardFile):
            typer.echo("\n".join(error.lines), err=True)
        else:
            typer.echo(usage.short(f"hexholm: {' '.join(str(error).split())}"), err=True)
        sys.exit(2)
    except OSError as error:
        if os.environ.get("HEXHOLM_DEBUG"):
            raise
        _give_up_writing()
        named = f": {error.filename}" if error.filename else ""
        typer.echo(usage.short(f"hexholm: {error.strerror or error}{named}"), err=True)
        sys.exit(2 if error.errno == errno.ENAMETOOLONG else 1)
    except KeyboardInterrupt:
        sys.exit(130)
    sys.exit(code if isinstance(code, int) else 0)


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
