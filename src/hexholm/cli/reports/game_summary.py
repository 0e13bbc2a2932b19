"""A game in numbers (`hexholm replay --summary`), as tables at most 80 columns wide."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from hexholm.game.language.phrases import TEXT_WIDTH, count_noun, fold

from ..shared.plain_text import title_lines
from ..shared.terminal import wants_color

if TYPE_CHECKING:
    from rich.table import Table

    from hexholm.game.game import Record
    from hexholm.game.records.summary import Summary

BAR_WIDTH: Final = 36
"""The longest bar of the dice."""
POINTS_COLUMNS: Final = 10
"""Turns at which points are told."""
SOURCE_NAMES: Final = {
    "start": "start",
    "production": "production",
    "stolen": "stolen",
    "players": "trade with players",
    "supply": "trade with the {stock}",
    "spent": "spent",
    "discarded": "discarded",
}


def summary_lines(record: Record, summary: Summary) -> Iterator[str]:
    """A game in numbers, part after part."""
    yield from title_lines(record.options, record.layout)
    length = f"{count_noun(summary.length, 'turn')} and {count_noun(summary.dice.rolls, 'roll')} of the dice"
    yield fold(f"{_outcome_line(summary)} after {length}.")
    yield ""
    yield from _table_lines(_dice_table(summary))
    if any(not line.usual for line in summary.dice.sums):
        yield "  * outside the range that fair dice keep 95 times in 100"
    yield ""
    yield from _table_lines(_players_table(record, summary))
    yield ""
    yield from _table_lines(_points_table(summary))
    for line in _award_lines(record, summary):
        yield fold(line, "  ")


def _outcome_line(summary: Summary) -> str:
    """Who won, or how the game was cut short."""
    if summary.winner is not None:
        points = summary.players[summary.winner].points
        return f"{summary.winner.capitalize()} won with {count_noun(points, 'point')}"
    ending = {None: "not finished", "agreed": "ended by agreement"}.get(summary.how, summary.how)
    return f"The game was {ending}"


def _dice_table(summary: Summary) -> Table:
    """The dice as bars; the mark in a bar is what fair dice roll on average."""
    table = _new_table("dice", "", "rolled", "expected", "usual", "")
    most = max(1.0, *(max(line.rolled, line.expected) for line in summary.dice.sums))
    for line in summary.dice.sums:
        length, mark = round(BAR_WIDTH * line.rolled / most), round(BAR_WIDTH * line.expected / most)
        bar = "#" * length + " " * (BAR_WIDTH - length)
        if mark:
            bar = bar[: mark - 1] + "|" + bar[mark:]
        star = "" if line.usual else "*"
        table.add_row(str(line.total), bar, str(line.rolled), f"{line.expected:.1f}", f"{line.low}-{line.high}", star)
    return table


def _players_table(record: Record, summary: Summary) -> Table:
    """A column for each player."""
    from hexholm.rules.language.sentences import edition_terms, fill_words

    terms = edition_terms("en", record.options.edition)
    table = _new_table("players", *summary.players)
    players = list(summary.players.values())
    source_names = SOURCE_NAMES | {"year-of-plenty": terms["year_of_plenty"], "monopoly": terms["monopoly"]}

    def add_row(name: str, values: Iterator[Any] | list[Any]) -> None:
        cells = [str(value) for value in values]
        if any(value not in {"0", ""} for value in cells):
            table.add_row(name, *cells)

    add_row("points", [player.points for player in players])
    add_row("  hidden", [player.points - player.visible for player in players])
    for name, side in (("gained", "gained"), ("lost", "lost")):
        tables: list[dict[str, dict[str, int]]] = [getattr(player, side) for player in players]
        add_row(f"{terms['item']}s {name}", [sum(map(_sum_cards, table.values())) for table in tables])
        for source in tables[0]:
            add_row(
                f"  {fill_words(source_names[source], record.options.edition)}",
                [_sum_cards(table[source]) for table in tables],
            )
            if source == "production":
                for kind in tables[0][source]:
                    add_row(f"    {terms[kind]}", [table[source][kind] for table in tables])
    add_row(f"{terms['item']}s in {terms['hand']}", [_sum_cards(player.hand) for player in players])
    add_row("luck (over expected)", [f"{player.luck.difference:+.1f}" for player in players])
    add_row("blocked by the robber", [_sum_cards(player.blocked) for player in players])
    add_row(f"not paid by the {terms['stock']}", [_sum_cards(player.unpaid) for player in players])
    for piece, name in (("road", "roads"), ("settlement", "settlements"), ("city", "cities")):
        add_row(f"{name} built", [player.built[piece] for player in players])
    add_row(f"{terms['development_card']}s", [player.bought for player in players])
    add_row("knights played", [player.knights for player in players])
    add_row(f"trades with the {terms['stock']}", [player.supply_trades for player in players])
    for partner in summary.players:
        add_row(f"trades with {partner}", [player.trades.get(partner, "") for player in players])
    return table


def _points_table(summary: Summary) -> Table:
    """The points of all players, at some turns from the first to the last."""
    last_index = len(summary.turns) - 1
    indexes = sorted({round(last_index * column / (POINTS_COLUMNS - 1)) for column in range(POINTS_COLUMNS)})
    table = _new_table("points after turn", *(str(summary.turns[at].turn) for at in indexes))
    for color, course in summary.points.items():
        table.add_row(color, *(str(course[at]) for at in indexes))
    return table


def _award_lines(record: Record, summary: Summary) -> Iterator[str]:
    """Who had the awards, from which turn on."""
    terms = record.options.edition_data.words
    for award in ("longest-road", "largest-army"):
        changes = [
            f"{change.player or 'nobody'}{f' ({change.size})' if change.player else ''} from turn {change.turn}"
            for change in summary.awards
            if change.award == award
        ]
        if changes:
            yield f"{terms[award.replace('-', '_')]}: {', '.join(changes)}"


def _sum_cards(kinds: dict[str, int]) -> int:
    return sum(kinds.values())


def _new_table(*heads: str) -> Table:
    """A table with a wide first column and numbers behind it."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for at, head in enumerate(heads):
        table.add_column(head, justify="left" if at == 0 or not head else "right", no_wrap=True)
    return table


def _table_lines(table: Table) -> list[str]:
    """A table in lines, in colors if they are wanted."""
    from rich.console import Console

    console = Console(
        width=TEXT_WIDTH, force_terminal=wants_color(), color_system="standard" if wants_color() else None
    )
    with console.capture() as capture:
        console.print(table, highlight=False, markup=False)
    return [line.rstrip() for line in capture.get().splitlines()]
