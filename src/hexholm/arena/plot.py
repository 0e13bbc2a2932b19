"""A tournament as a picture: the ladder with its intervals, and who beats whom (`pip install 'hexholm[plot]'`)."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from hexholm.rules.errors import BadInput, MissingExtra

from .results import TournamentResult

PLOT_ENDINGS: Final = (".png", ".svg", ".pdf")


def import_matplotlib() -> Any:
    """What draws; raises :class:`~hexholm.rules.errors.MissingExtra` if it is not there."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtra("plots need one more package: pip install 'hexholm[plot]'") from error
    return Figure


def check_drawable(file: str | Path) -> None:
    """Refuse a file whose ending does not say what to draw; also for who wants to know before many games."""
    if Path(file).suffix.lower() not in PLOT_ENDINGS:
        raise BadInput(f"{file}: the ending says what is drawn; end it with {', '.join(PLOT_ENDINGS)}")


def draw(result: TournamentResult, file: str | Path) -> None:
    """Draw ladder and win matrix into a file: PNG, SVG or PDF, as its ending says."""
    check_drawable(file)
    rows = result.players
    figure = import_matplotlib()(figsize=(11, 2 + 0.55 * max(4, len(rows))), layout="constrained")
    ladder, matrix = figure.subplots(1, 2)
    _draw_ladder(ladder, result)
    _draw_matrix(figure, matrix, result)
    title = f"{result.games} games, seed {result.seed}, {result.options.edition}, {result.options.players} seats"
    figure.suptitle(title + (f", {result.capped} capped" if result.capped else ""))
    try:
        figure.savefig(file, dpi=150)
    except OSError as error:  # a full disk does not say of itself which file it is about
        raise OSError(error.errno, error.strerror, str(file)) from error


def _draw_ladder(axes: Any, result: TournamentResult) -> None:
    rows, fair = result.players, 100 / result.options.players
    places = range(len(rows))
    shares = [100 * row.win_share for row in rows]
    below = [100 * (row.win_share - row.low) for row in rows]
    above = [100 * (row.high - row.win_share) for row in rows]
    axes.barh(places, shares, xerr=(below, above), color="#8fb4d9", edgecolor="#2b4a6b", capsize=4)
    axes.axvline(fair, color="#555555", linestyle="--", linewidth=1)
    axes.set_yticks(places, [f"{row.name}  ({row.rating:.1f})" for row in rows])
    axes.invert_yaxis()
    axes.set_xlim(left=0)
    axes.set_xlabel("share of wins by seat, %, with 95 % interval; dashed: a fair share")
    axes.set_title("share of wins (in brackets: rating)")


def _draw_matrix(figure: Any, axes: Any, result: TournamentResult) -> None:
    names = [row.name for row in result.players]
    cells = [
        [
            100 * share if (share := result.head_to_head[name].get(opponent)) is not None else float("nan")
            for opponent in names
        ]
        for name in names
    ]
    image = axes.imshow(cells, vmin=0, vmax=100, cmap="PuOr")
    for y, row in enumerate(cells):
        for x, share in enumerate(row):
            dark = not 25 <= share <= 75
            text = "" if share != share else f"{share:.0f}"  # noqa: PLR0124  # not a number
            axes.text(x, y, text, ha="center", va="center", color="white" if dark else "black")
    axes.set_xticks(range(len(names)), names, rotation=45, ha="right")
    axes.set_yticks(range(len(names)), names)
    axes.set_title("won against, % by pairs of seats")
    figure.colorbar(image, ax=axes, shrink=0.8)
