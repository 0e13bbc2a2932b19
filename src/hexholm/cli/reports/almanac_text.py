"""The almanac in a terminal: its list of entries, an entry, what a search found, editions side by side.

Rich draws it, as wide as the terminal up to 100 columns; into a file or a pipe the same goes as plain text.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

import typer

from ..shared.terminal import colored, text_width

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table as RichTable
    from rich.text import Text

    from hexholm.almanac import Almanac, ComparisonRow, Entry, Hit
    from hexholm.almanac.blocks import Block, Paragraph, TableBlock

PIPE_WIDTH: Final = 80
COMPARE_WIDTH: Final = 150
_STYLES: Final = {"hint": "green", "reading": "italic"}
_INDENT: Final = "   "


def print_parts(parts: Iterable[RenderableType], *, width: int | None = None) -> None:
    """Print parts to stdout, with an empty line between them."""
    typer.echo(as_text(parts, width=width))


def as_text(parts: Iterable[RenderableType], *, width: int | None = None) -> str:
    """Parts as text, with an empty line between them."""
    console = _console(width)
    with console.capture() as kept:
        for number, part in enumerate(parts):
            if number:
                console.print()
            console.print(part)
    text = "\n".join(line.rstrip() for line in kept.get().split("\n"))
    return re.sub(r"\n{3,}", "\n\n", text.strip("\n"))  # tables have empty lines around them


def _console(width: int | None) -> Console:
    from rich.console import Console

    live = sys.stdout.isatty()
    measured = Console(file=sys.stdout)
    return Console(
        file=sys.stdout,
        width=width or (text_width(measured.width) if live else PIPE_WIDTH),
        color_system="auto" if colored() else None,
        no_color=not colored(),
        force_terminal=colored(),
        highlight=False,
        markup=False,
        emoji=False,
    )


# --- the list, an entry -----------------------------------------------------------------------------------------------


def contents(book: Almanac) -> Iterable[RenderableType]:
    """All entries by group, with a line each."""
    from rich.text import Text

    yield Text(f"{book.title}", style="bold")
    longest = max(map(len, book.names))
    for title, names in book.groups().items():
        table = _grid()
        for name in names:
            entry = book.entry(name)
            line = Text(entry.title, style="bold")
            line.append(f": {entry.short}", style="not bold")
            table.add_row(Text(name.ljust(longest), style="cyan"), line)
        yield _stacked([Text(title, style="bold underline"), table])


def entry_parts(book: Almanac, entry: Entry) -> Iterable[RenderableType]:
    """An entry with all its parts."""
    from rich.text import Text

    roles = book.words.own["role"]
    head = Text(entry.title, style="bold")
    head.append(f"  {book.title}", style="not bold dim")
    yield head
    for block in entry.blocks:
        yield _block(book, block)
    tail = []
    if entry.links:
        tail.append(_labelled(roles["see"], ", ".join(entry.links), "cyan"))
    if entry.rules:
        tail.append(_labelled(roles["rules"], ", ".join(entry.rules), "dim"))
    if tail:
        yield _stacked(tail)


def _block(book: Almanac, block: Block) -> RenderableType:
    from rich.text import Text

    from hexholm.almanac.blocks import ExampleBlock, Heading, Listing, TableBlock

    if isinstance(block, Heading):
        return Text(block.text, style="bold")
    if isinstance(block, TableBlock):
        return _almanac_table(block)
    if isinstance(block, ExampleBlock):
        shown, roles = block.example, book.words.own["role"]
        picture = Text.from_ansi(shown.picture(color=colored()), no_wrap=True, overflow="crop")
        told = _labelled(f"{roles['example']}: {shown.title}", shown.caption, "bold")
        marks = ", ".join(f"{letter} {place}" for letter, place in shown.marks.items())
        return _stacked([told, *([_labelled(roles["marks"], marks, "dim")] if marks else []), picture])
    if isinstance(block, Listing):
        grid = _grid()
        for number, item in enumerate(block.items, 1):
            grid.add_row(Text(f"{number}." if block.ordered else "-"), _paragraph(book, item))
        return grid
    return _paragraph(book, block)


def _paragraph(book: Almanac, paragraph: Paragraph) -> Text:
    from rich.text import Text

    text = Text(style=_STYLES.get(paragraph.role, ""))
    if paragraph.role:
        text.append(f"{book.words.own['role'][paragraph.role]}: ", style="bold")
    for span in paragraph.spans:
        text.append(span.text, style="underline" if span.to else "")
    return text


def _almanac_table(table: TableBlock) -> RichTable:
    drawn = _table(table.head)
    for row in table.rows:
        drawn.add_row(*row)
    return drawn


# --- search and comparison --------------------------------------------------------------------------------------------


def language_flag(book: Almanac) -> str:
    """What a command takes to go on in the language of the book."""
    return "" if book.language == "en" else f" --language {book.language}"


def hit_parts(book: Almanac, hits: Sequence[Hit]) -> Iterable[RenderableType]:
    """What a search found, best first."""
    from rich.text import Text

    for hit in hits:
        head = Text(hit.entry, style="cyan")
        head.append(f"  {hit.title}", style="bold not cyan")
        if hit.rules:
            head.append(f"  {', '.join(hit.rules)}", style="not bold dim")
        body = Text(hit.excerpt)
        yield _stacked([head, _indented(body)])
    yield Text(f"hexholm rules {hits[0].entry} --edition {book.book.name}{language_flag(book)}", style="dim")


def comparison_parts(rows: Sequence[ComparisonRow], editions: Sequence[str]) -> Iterable[RenderableType]:
    """Editions side by side: first what differs, then what is the same."""
    from rich.text import Text

    differing = [row for row in rows if not row.same]
    for word in (False, True):
        table = _table(("", *editions))
        for row in differing:
            if row.word == word:
                table.add_row(row.label, *(row.values[name] for name in editions))
        if table.row_count:
            yield table
    table = _table(("", Text(" = ".join(editions))))
    for row in rows:
        if row.same and not row.word:
            table.add_row(row.label, row.values[editions[0]])
    if table.row_count:
        yield table


def compare_width() -> int | None:
    """Five columns need room; in a pipe they get it."""
    return None if sys.stdout.isatty() else COMPARE_WIDTH


# --- parts ------------------------------------------------------------------------------------------------------------


def _grid() -> RichTable:
    """Two columns, the first as narrow as it can be."""
    from rich.table import Table as RichTable

    grid = RichTable.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    return grid


def _table(head: Sequence[str | Text]) -> RichTable:
    from rich import box
    from rich.table import Table as RichTable

    table = RichTable(box=box.SIMPLE_HEAD if colored() else box.MARKDOWN, pad_edge=True, show_edge=not colored())
    for title in head:
        table.add_column(title, overflow="fold", vertical="top")
    return table


def _labelled(label: str, text: str, style: str) -> Text:
    from rich.text import Text

    told = Text(f"{label}: ", style="bold")
    told.append(text, style=f"not bold {style}" if style != "bold" else "not bold")
    return told


def _indented(body: RenderableType) -> RenderableType:
    from rich.padding import Padding

    return Padding(body, (0, 0, 0, len(_INDENT)))


def _stacked(parts: Sequence[RenderableType]) -> RenderableType:
    from rich.console import Group

    return Group(*parts)
