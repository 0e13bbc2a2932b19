"""A game in numbers (`hexholm replay --summary`), as tables at most 80 columns wide."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from hexholm.game.language.phrases import TEXT_WIDTH, count_noun, fold

from ..shared.plain_text import title
from ..shared.terminal import colored

if TYPE_CHECKING:
    from rich.table import Table

    from hexholm.game.game import Record
    from hexholm.game.records.summary import Summary

BAR: Final = 36
"""The longest bar of the dice."""
MOMENTS: Final = 10
"""Turns at which points are told."""
SOURCES_CALLED: Final = {
    "start": "start",
    "production": "production",
    "stolen": "stolen",
    "players": "trade with players",
    "supply": "trade with the supply",
    "spent": "spent",
    "discarded": "discarded",
}


def summary_lines(record: Record, summary: Summary) -> Iterator[str]:
    """A game in numbers, part after part."""
    yield from title(record.options, record.layout)
    length = f"{count_noun(summary.length, 'turn')} and {count_noun(summary.dice.rolls, 'roll')} of the dice"
    yield fold(f"{_outcome_line(summary)} after {length}.")
    yield ""
    yield from _lines(_dice(summary))
    if any(not line.usual for line in summary.dice.sums):
        yield "  * out of the range that it keeps 95 times in 100"
    yield ""
    yield from _lines(_players(record, summary))
    yield ""
    yield from _lines(_points(summary))
    for line in _awards(record, summary):
        yield fold(line, "  ")


def _outcome_line(summary: Summary) -> str:
    """Who won, or how the game was stopped."""
    if summary.winner is not None:
        points = summary.players[summary.winner].points
        return f"{summary.winner.capitalize()} won with {count_noun(points, 'point')}"
    how = {None: "not finished", "agreed": "ended by agreement"}.get(summary.how, summary.how)
    return f"The game was {how}"


def _dice(summary: Summary) -> Table:
    """The dice as bars; the mark in a bar is what fair dice roll on average."""
    table = _table("dice", "", "rolled", "expected", "usual", "")
    most = max(1.0, *(max(line.rolled, line.expected) for line in summary.dice.sums))
    for line in summary.dice.sums:
        length, mark = round(BAR * line.rolled / most), round(BAR * line.expected / most)
        bar = "#" * length + " " * (BAR - length)
        if mark:
            bar = bar[: mark - 1] + "|" + bar[mark:]
        out = "" if line.usual else "*"
        table.add_row(str(line.total), bar, str(line.rolled), f"{line.expected:.1f}", f"{line.low}-{line.high}", out)
    return table


def _players(record: Record, summary: Summary) -> Table:
    """A column for each player."""
    words = record.options.edition_data.words
    table = _table("players", *summary.players)
    every = list(summary.players.values())
    called = SOURCES_CALLED | {"year-of-plenty": words["year_of_plenty"], "monopoly": words["monopoly"]}

    def row(name: str, values: Iterator[Any] | list[Any]) -> None:
        shown = [str(value) for value in values]
        if any(value not in {"0", ""} for value in shown):
            table.add_row(name, *shown)

    row("points", [player.points for player in every])
    row("  hidden", [player.points - player.visible for player in every])
    for name, side in (("cards gained", "gained"), ("cards lost", "lost")):
        tables: list[dict[str, dict[str, int]]] = [getattr(player, side) for player in every]
        row(name, [sum(map(_total, table.values())) for table in tables])
        for source in tables[0]:
            row(f"  {called[source]}", [_total(table[source]) for table in tables])
            if source == "production":
                for kind in tables[0][source]:
                    row(f"    {words[kind]}", [table[source][kind] for table in tables])
    row("cards in hand", [_total(player.hand) for player in every])
    row("luck (over expected)", [f"{player.luck.difference:+.1f}" for player in every])
    row("kept back by the robber", [_total(player.blocked) for player in every])
    row("not paid by the supply", [_total(player.unpaid) for player in every])
    for piece, name in (("road", "roads"), ("settlement", "settlements"), ("city", "cities")):
        row(f"{name} built", [player.built[piece] for player in every])
    row("development cards", [player.bought for player in every])
    row("knights played", [player.knights for player in every])
    row("trades with the supply", [player.supply_trades for player in every])
    for other in summary.players:
        row(f"trades with {other}", [player.trades.get(other, "") for player in every])
    return table


def _points(summary: Summary) -> Table:
    """The points of all players, at some turns from the first to the last."""
    last = len(summary.turns) - 1
    some = sorted({round(last * part / (MOMENTS - 1)) for part in range(MOMENTS)})
    table = _table("points after turn", *(str(summary.turns[at].turn) for at in some))
    for color, course in summary.points.items():
        table.add_row(color, *(str(course[at]) for at in some))
    return table


def _awards(record: Record, summary: Summary) -> Iterator[str]:
    """Who had the awards, from which turn on."""
    words = record.options.edition_data.words
    for award in ("longest-road", "largest-army"):
        changes = [
            f"{change.player or 'nobody'}{f' ({change.size})' if change.player else ''} from turn {change.turn}"
            for change in summary.awards
            if change.award == award
        ]
        if changes:
            yield f"{words[award.replace('-', '_')]}: {', '.join(changes)}"


def _total(kinds: dict[str, int]) -> int:
    return sum(kinds.values())


def _table(*heads: str) -> Table:
    """A table with a wide first column and numbers behind it."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for at, head in enumerate(heads):
        table.add_column(head, justify="left" if at == 0 or not head else "right", no_wrap=True)
    return table


def _lines(table: Table) -> list[str]:
    """A table in lines, in colours if they are wanted."""
    from rich.console import Console

    console = Console(width=TEXT_WIDTH, force_terminal=colored(), color_system="standard" if colored() else None)
    with console.capture() as found:
        console.print(table, highlight=False, markup=False)
    return [line.rstrip() for line in found.get().splitlines()]
