"""`hexholm board`: a board made, checked, drawn in characters, saved as TOML, SVG or PNG; a pad of maps as PDF."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from hexholm.game.language.phrases import count_noun, fold, join_words
from hexholm.rules.colors import Color
from hexholm.rules.language.languages import LANGUAGES
from hexholm.rules.setup.editions import FIXED
from hexholm.rules.setup.options import PAD_EDITION, ZIP_MAPS

from ..shared.common_options import complete_from, with_options
from ..shared.files import BadCall, check_writable, ending_of, save
from ..shared.game_options import BOARD_OPTIONS, board_seed, own_board, read_game_options, refuse_with_file
from ..shared.picture_options import PICTURE_OPTIONS, PictureRequest
from ..shared.plain_text import board_title, legend_text
from ..shared.terminal import wants_color

if TYPE_CHECKING:
    from hexholm.bots.fairness import Fairness
    from hexholm.game.pictures import Plan
    from hexholm.rules.boards import Layout
    from hexholm.rules.setup.options import Options

EXAMPLE: Final = "hexholm board --edition fifth --setup beginner --svg board.svg"
FEWEST_PLAYERS: Final = 2
"""Players that the books do not have; a board is judged for them all the same."""
BOARD_FORMS: Final = ("toml", "txt", "svg", "png")
PAD_FLAGS: Final = ("pad_file", "maps", "paper", "language")
"""The options of a pad, as the command calls them."""
ALL_MAPS: Final = f"1-{ZIP_MAPS}"
FLAG_NAMES: Final = {"pad_file": "print", "as_toml": "toml", "as_json": "json"}
"""Options that are said otherwise than the command calls them."""


@with_options(BOARD_OPTIONS, PICTURE_OPTIONS)
def board(
    context: typer.Context,
    seed: Annotated[
        int | None, typer.Option(help="Seed of the board, where there are several. [default: 0]", show_default=False)
    ] = None,
    file: Annotated[
        str | None,
        typer.Option(
            help="Read and check your own board (docs/formats/board.md); - is standard input.", show_default=False
        ),
    ] = None,
    as_toml: Annotated[bool, typer.Option("--toml", help="Print it as TOML, for editing and reading back.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print it as one line of JSON.")] = False,
    out: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE",
            help="Save it in the format of the file name: .toml, .txt, .svg or .png. Can be repeated.",
            show_default=False,
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing .toml file.")] = False,
    fair: Annotated[
        bool,
        typer.Option(
            "--fair",
            help="The fairest of many boards, with its score and the reasons; for a given board only the score.",
        ),
    ] = False,
    tries: Annotated[
        int | None, typer.Option(help="With --fair: how many boards, 1 to 10000. [default: 200]", show_default=False)
    ] = None,
    players: Annotated[
        int | None, typer.Option(help="With --fair: for how many players, 2 to 4. [default: 4]", show_default=False)
    ] = None,
    pad_file: Annotated[
        str | None,
        typer.Option("--print", metavar="FILE", help="Save a pad of Zip! maps to draw on, as PDF.", show_default=False),
    ] = None,
    maps: Annotated[
        str | None,
        typer.Option(
            help=f"With --print: which maps, as in {ALL_MAPS} or 1,7,20-22. [default: {ALL_MAPS}]", show_default=False
        ),
    ] = None,
    paper: Annotated[
        str | None,
        typer.Option(
            help="With --print: a4 or letter. [default: a4]",
            show_default=False,
            autocompletion=complete_from("a4", "letter"),
        ),
    ] = None,
    language: Annotated[
        str | None,
        typer.Option(
            help=f"With --print: {join_words(LANGUAGES)}. [default: {LANGUAGES[0]}]",
            show_default=False,
            autocompletion=complete_from(*LANGUAGES),
        ),
    ] = None,
    **flags: Any,
) -> int:
    """Make a board, or check your own; draw and save it.

    Without an option that saves or prints it, the board is drawn in characters. Pictures replace an existing file; a
    .toml file is replaced only with --force. With --file, the edition only decides what things are called.
    """
    if pad_file is not None:
        return _print_pad(_typed_options(context), pad_file, maps, paper, language)
    for name, value in (("maps", maps), ("paper", paper), ("language", language)):
        if value is not None:
            raise BadCall(f"--{name} is for maps on paper: add --print FILE")
    if tries is not None and not fair:
        raise BadCall("--tries goes with --fair: it says how many boards to try")
    if players is not None:
        if not fair:
            raise BadCall("--players is for --fair: so many seats are judged")
        flags |= {"players": players, "two_players": players == FEWEST_PLAYERS}
    picture = PictureRequest.of_flags(flags)
    picture.force = force
    for name in out or []:
        if ending_of(name) not in BOARD_FORMS:
            raise BadCall(f"--out {name}: end it with {', '.join('.' + form for form in BOARD_FORMS)}")
        picture.add(ending_of(name), name)
    if as_toml:
        picture.add("toml", "-")
    if as_json:
        picture.add("json", "-")
    picture.check()
    if file is not None:
        refuse_with_file({**flags, "seed": seed}, "setup", "seed")
        edition_typed = "edition" in _typed_options(context)
        if edition_typed and picture.files and all(form == "toml" for form, _ in picture.files):
            raise BadCall("--file and --edition: TOML is the same in all editions; leave --edition out")
    options = read_game_options(**flags)
    scored_board: ScoredBoard | None = None
    if file is None:
        from hexholm.rules.boards import layout_for

        layout, colors = layout_for(options, board_seed(seed, options, None)), options.colors
        if fair and options.setup != FIXED and options.map is None:
            scored_board = fairest_board(options, seed or 0, tries)
            layout = scored_board.layout
    else:
        layout = own_board(file)
        colors = tuple(dict.fromkeys(piece.color for piece in layout.start))
        if colors and players not in (None, len(colors)):
            pieces_note = f"this board has starting positions for {count_noun(len(colors), 'player')}"
            raise BadCall(f"--players {players}: {pieces_note}, which are judged; leave --players out")
    if fair and scored_board is None:
        scored_board = score_board(layout, options, colors, tries)
    _show(layout, options, colors, scored_board, picture)
    return 0


def _show(
    layout: Layout,
    options: Options,
    colors: tuple[Color, ...],
    scored_board: ScoredBoard | None,
    picture: PictureRequest,
) -> None:
    """Print or save a board in the forms that are asked for; in characters if none is."""
    if not picture.files:
        picture.add("txt", "-")
    fairness_lines = [] if scored_board is None else scored_board.lines

    def make_plan(**style: Any) -> Plan:
        from hexholm.game.pictures import plan_of

        return plan_of(layout, None, colors, start=True, **style)

    def make_svg(**style: Any) -> str:
        from hexholm.game.pictures import svg_of

        terms, title = options.edition_data.words, board_title(layout) or None
        return svg_of(make_plan(names=picture.names, highlight=picture.places), **style, words=terms, title=title)

    data = {"name": layout.name, "standard": layout.standard, **layout.as_dict()}
    if scored_board is not None:
        data["fairness"] = scored_board.data
    picture.save(
        {
            "toml": lambda _: layout.to_toml(),
            "json": lambda _: json.dumps(data),
            "txt": lambda file: "\n".join(
                [describe_board(layout, options, colors, in_color=file == "-" and wants_color()), *fairness_lines]
            ),
        },
        make_svg,
    )
    if fairness_lines and not any(form in ("txt", "json") and file == "-" for form, file in picture.files):
        typer.echo("\n".join(fairness_lines), err=True)


def describe_board(layout: Layout, options: Options, colors: tuple[Color, ...], *, in_color: bool) -> str:
    """The name, the board and what its signs mean."""
    from hexholm.rules.boards import draw_text, start_pieces

    terms = options.edition_data.words
    lines = [fold(board_title(layout))] if layout.name else []
    lines += [draw_text(layout, start_pieces(layout, colors), in_color=in_color, words=terms), legend_text(terms)]
    return "\n".join(lines)


def _typed_options(context: typer.Context) -> dict[str, Any]:
    """The options that were given on the command line."""
    sources = {name: context.get_parameter_source(name) for name in context.params}
    return {
        name: context.params[name]
        for name, source in sources.items()
        if source is not None and source.name == "COMMANDLINE"
    }


# --- how fair it is ---------------------------------------------------------------------------------------------------


@dataclass
class ScoredBoard:
    """A board with its fairness, in words and as data."""

    layout: Layout
    lines: list[str]
    data: dict[str, Any]

    @classmethod
    def of(cls, layout: Layout, fairness: Fairness, among: str = "", **extra_data: Any) -> ScoredBoard:
        """A board with what was found; `among` tells what else was judged, `extra_data` goes into the data."""
        head, *parts = fairness.lines()
        lines = [head + among, *(fold(line, " " * 17) for line in parts)]
        part_data = {part.name: {"points": part.points, "why": part.why} for part in fairness.parts}
        return cls(
            layout, lines, {"score": fairness.score, "parts": part_data, "openings": fairness.openings, **extra_data}
        )


def fairest_board(options: Options, seed: int, tries: int | None) -> ScoredBoard:
    """The fairest of many boards."""
    from hexholm.bots.fairness import MOST_BOARDS_TRIED, USUAL_TRIES, fairest

    if tries is not None and not 1 <= tries <= MOST_BOARDS_TRIED:
        raise BadCall(f"--tries {tries}: take 1 to {MOST_BOARDS_TRIED}")
    best = fairest(options, seed, USUAL_TRIES if tries is None else tries)
    among = f", the best of {count_noun(best.tried, 'board')}"
    return ScoredBoard.of(best.layout, best.fairness, among, seed=best.seed, tried=best.tried)


def score_board(layout: Layout, options: Options, colors: tuple[Color, ...], tries: int | None) -> ScoredBoard:
    """A board that there is no choice of, judged; of start pieces those of `colors`."""
    from hexholm.bots.fairness import fairness
    from hexholm.rules.boards import Layout

    if tries is not None:
        raise BadCall(f"--tries {tries}: there is only this one board to judge; leave --tries out")
    start = tuple(piece for piece in layout.start if piece.color in colors)
    played_layout = Layout(layout.board, start, layout.name, standard=layout.standard, origin=layout.origin)
    return ScoredBoard.of(layout, fairness(played_layout, options.players, options.edition_data.words))


# --- a pad of maps ----------------------------------------------------------------------------------------------------


def _print_pad(
    typed_options: dict[str, Any], file: str, maps: str | None, paper: str | None, language: str | None
) -> int:
    """Write a pad of maps to draw on, as PDF; returns the exit code."""
    from hexholm.almanac.pad import pad, read_maps
    from hexholm.game.pictures.paper import size_of

    edition = str(typed_options.pop("edition", PAD_EDITION)).strip().lower()
    if edition != PAD_EDITION:
        only = f"only edition {PAD_EDITION} is played on printed maps"
        raise BadCall(f"--print and --edition {edition}: {only}; leave --edition out")
    if "map" in typed_options:
        raise BadCall(f"--print and --map: the pad takes --maps {typed_options['map']}")
    for name in typed_options:
        if name not in PAD_FLAGS:
            raise BadCall(
                f"--print and --{FLAG_NAMES.get(name, name).replace('_', '-')}: a pad has its maps from --maps alone"
            )
    map_numbers = read_maps(maps or ALL_MAPS, "--maps")
    paper_name, language_name = (paper or "a4").strip().lower(), (language or LANGUAGES[0]).strip().lower()
    size_of(paper_name)
    if file == "-" and sys.stdout.isatty():
        raise BadCall("--print -: a terminal cannot show a PDF; name a file, or redirect it with > or |")
    if file != "-":
        if Path(file).suffix.lower() not in ("", ".pdf"):
            raise BadCall(f"--print {file}: a pad is a PDF file; call it {Path(file).stem}.pdf")
        check_writable(file, "--print")
    save(file, pad(map_numbers, paper=paper_name, language=language_name), "--print")
    return 0
