"""`hexholm board`: a board made, checked, drawn in characters, saved as TOML, SVG or PNG."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import typer

from ..shared.files import BadCall, ending, not_there, save, writable
from ..shared.game_options import board_seed, board_title, folded, game_options, legend, many, only_the_file, own_board

if TYPE_CHECKING:
    from hexholm.bots.fairness import Fairness
    from hexholm.game.pictures import Plan
    from hexholm.rules.boards import Layout
    from hexholm.rules.options import Options

TWO: Final = 2
"""Players that the books do not have; a board is judged for them all the same."""
FORMS: Final = ("toml", "txt", "svg", "png")
LEGIBLE: Final = 800
"""In a picture that is not so wide, the names of the places are too small to be read."""


def run(
    seed: int | None,
    file: str | None,
    as_toml: bool,
    as_json: bool,
    out: list[str],
    *,
    force: bool,
    edition_said: bool,
    fair: bool = False,
    tries: int | None = None,
    players: int | None = None,
    **given: Any,
) -> int:
    """Draw, write or save a board; returns the exit code. `edition_said`: the edition was asked for."""
    if tries is not None and not fair:
        raise BadCall("--tries is for --fair: so many boards are tried")
    if players is not None:
        if not fair:
            raise BadCall("--players is for --fair: so many seats are judged")
        given |= {"players": players, "two_players": players == TWO}
    picture = Picture.asked(given)
    picture.force = force
    for name in out:
        if ending(name) not in FORMS:
            raise BadCall(f"--out {name}: end it with {', '.join('.' + form for form in FORMS)}")
        picture.add(ending(name), name)
    if as_toml:
        picture.add("toml", "-")
    if as_json:
        picture.add("json", "-")
    picture.check()
    if file is not None:
        only_the_file({**given, "seed": seed}, "setup", "seed")
        if edition_said and picture.files and all(form == "toml" for form, _ in picture.files):
            raise BadCall("--file and --edition: TOML is the same in all editions; leave --edition out")
    chosen = game_options(**given)
    judged: Judged | None = None
    if file is None:
        from hexholm.rules.boards import layout_for

        layout, colors = layout_for(chosen, board_seed(seed, chosen, None)), chosen.colors
        if fair and chosen.setup != "fixed" and chosen.map is None:
            judged = fairest_board(chosen, seed or 0, tries)
            layout = judged.layout
    else:
        layout = own_board(file)
        colors = tuple(dict.fromkeys(piece.color for piece in layout.start))
        if colors and players not in (None, len(colors)):
            drawn = f"this board has start pieces for {many(len(colors), 'player')}"
            raise BadCall(f"--players {players}: {drawn}, which are judged; leave --players out")
    if fair and judged is None:
        judged = one_board(layout, chosen, colors, tries)
    if not picture.files:
        picture.files.append(("txt", "-"))
    told = [] if judged is None else judged.lines

    def plan(**how: Any) -> Plan:
        from hexholm.game.pictures import plan_of

        return plan_of(layout, None, colors, start=True, **how)

    def svg(**how: Any) -> str:
        from hexholm.game.pictures import svg_of

        words, title = chosen.edition_data.words, board_title(layout) or None
        return svg_of(plan(names=picture.names, highlight=picture.places), **how, words=words, title=title)

    data = {"name": layout.name, "standard": layout.standard, **layout.as_dict()}
    if judged is not None:
        data["fairness"] = judged.data
    picture.save(
        {
            "toml": lambda _: layout.to_toml(),
            "json": lambda _: json.dumps(data),
            "txt": lambda file: "\n".join(
                [in_characters(layout, chosen, colors, color=file == "-" and colored()), *told]
            ),
        },
        svg,
    )
    if told and not any(form in ("txt", "json") and file == "-" for form, file in picture.files):
        typer.echo("\n".join(told), err=True)
    return 0


@dataclass
class Judged:
    """A board with its fairness, in words and as data."""

    layout: Layout
    lines: list[str]
    data: dict[str, Any]

    @classmethod
    def of(cls, layout: Layout, fairness: Fairness, among: str = "", **more: Any) -> Judged:
        """`among`: what else was judged."""
        head, *parts = fairness.lines()
        lines = [head + among, *(folded(line, " " * 17) for line in parts)]
        said = {part.name: {"points": part.points, "why": part.why} for part in fairness.parts}
        return cls(layout, lines, {"score": fairness.score, "parts": said, "openings": fairness.openings, **more})


def fairest_board(chosen: Options, seed: int, tries: int | None) -> Judged:
    """The fairest of many boards."""
    from hexholm.bots.fairness import MOST_TRIES, TRIES, fairest

    if tries is not None and not 1 <= tries <= MOST_TRIES:
        raise BadCall(f"--tries {tries}: take 1 to {MOST_TRIES}")
    found = fairest(chosen, seed, TRIES if tries is None else tries)
    among = f", the best of {many(found.tried, 'board')}"
    return Judged.of(found.layout, found.fairness, among, seed=found.seed, tried=found.tried)


def one_board(layout: Layout, chosen: Options, colors: tuple[str, ...], tries: int | None) -> Judged:
    """A board that there is no choice of, judged; of start pieces those of `colors`."""
    from hexholm.bots.fairness import fairness
    from hexholm.rules.boards import Layout

    if tries is not None:
        raise BadCall(f"--tries {tries}: this board is the only one, and is judged; leave --tries out")
    start = tuple(piece for piece in layout.start if piece.color in colors)
    played = Layout(layout.board, start, layout.name, standard=layout.standard)
    return Judged.of(layout, fairness(played, chosen.players, chosen.edition_data.words))


def in_characters(layout: Layout, chosen: Options, colors: tuple[str, ...], *, color: bool) -> str:
    """The name, the board and what its signs mean."""
    from hexholm.rules.boards import draw_text, start_pieces

    words = chosen.edition_data.words
    lines = [folded(board_title(layout))] if layout.name else []
    lines += [draw_text(layout, start_pieces(layout, colors), color=color, words=words), legend(words)]
    return "\n".join(lines)


@dataclass
class Picture:
    """The pictures that a command is asked for: (form, file) each, and how they look."""

    files: list[tuple[str, str]]
    names: bool
    highlight: str | None
    theme: str | None
    width: int | None
    force: bool = False
    """Whether another board may be replaced; another picture always may."""

    @classmethod
    def asked(cls, given: dict[str, Any]) -> Picture:
        """Take the options of a picture out of those of a command."""
        files = [(form, file) for form in ("svg", "png") if (file := given.pop(form)) is not None]
        looks = {name: given.pop(name) for name in ("names", "highlight", "theme", "width")}
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
                writable(file, f"--{form}")
                if form == "toml" and not self.force:
                    not_there(file)
            elif form == "png" and sys.stdout.isatty():
                raise BadCall("--png -: a PNG is nothing for a terminal; name a file, or send it on with > or |")
        if not any(form in ("svg", "png") for form, _ in self.files):
            for name in ("names", "highlight", "theme", "width"):
                if getattr(self, name):
                    raise BadCall(f"--{name} is for SVG and PNG: add --svg FILE or --png FILE")

    def save(self, texts: dict[str, Callable[[str], str]], svg: Callable[..., str]) -> None:
        """Write all files; `texts` makes the forms that are text (given the file), `svg` the picture."""
        look = {"theme": self.theme or "light", "width": self.width}
        if self.names and self.width is not None and self.width < LEGIBLE:
            typer.echo(f"note: --width {self.width} is too small to read --names; take {LEGIBLE} or more", err=True)
        for form, file in self.files:
            if form == "png":
                from hexholm.game.pictures import png_of

                save(file, png_of(svg(**look), width=self.width), f"--{form}")
            elif form == "svg":
                save(file, svg(**look), f"--{form}")
            else:
                save(file, texts[form](file), f"--{form}")


def colored() -> bool:
    """Whether stdout wants colours: a terminal, and NO_COLOR is not set (no-color.org)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
