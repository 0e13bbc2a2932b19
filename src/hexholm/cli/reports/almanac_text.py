"""The almanac in a terminal: its list of entries, an entry, what a search found, editions side by side.

Rich draws it, as wide as the terminal up to 100 columns; into a file or a pipe the same goes as plain text.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

import typer

from ..shared.terminal import text_width, wants_color

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
    console = _make_console(width)
    with console.capture() as capture:
        for number, part in enumerate(parts):
            if number:
                console.print()
            console.print(part)
    text = "\n".join(line.rstrip() for line in capture.get().split("\n"))
    return re.sub(r"\n{3,}", "\n\n", text.strip("\n"))  # tables have empty lines around them


def _make_console(width: int | None) -> Console:
    from rich.console import Console

    live = sys.stdout.isatty()
    measured = Console(file=sys.stdout)
    return Console(
        file=sys.stdout,
        width=width or (text_width(measured.width) if live else PIPE_WIDTH),
        color_system="auto" if wants_color() else None,
        no_color=not wants_color(),
        force_terminal=wants_color(),
        highlight=False,
        markup=False,
        emoji=False,
    )


# --- the list, an entry -----------------------------------------------------------------------------------------------


def contents_parts(almanac: Almanac) -> Iterable[RenderableType]:
    """All entries by group, with a line each."""
    from rich.text import Text

    yield Text(f"{almanac.title}", style="bold")
    longest = max(map(len, almanac.names))
    for title, names in almanac.groups().items():
        table = _make_grid()
        for name in names:
            entry = almanac.entry(name)
            line = Text(entry.title, style="bold")
            line.append(f": {entry.short}", style="not bold")
            table.add_row(Text(name.ljust(longest), style="cyan"), line)
        yield _stack([Text(title, style="bold underline"), table])


def entry_parts(almanac: Almanac, entry: Entry) -> Iterable[RenderableType]:
    """An entry with all its parts."""
    from rich.text import Text

    roles = almanac.vocabulary.texts["role"]
    head = Text(entry.title, style="bold")
    head.append(f"  {almanac.title}", style="not bold dim")
    yield head
    for block in entry.blocks:
        yield _render_block(almanac, block)
    tail = []
    if entry.links:
        tail.append(_label_text(roles["see"], ", ".join(entry.links), "cyan"))
    if entry.rules:
        tail.append(_label_text(roles["rules"], ", ".join(entry.rules), "dim"))
    if tail:
        yield _stack(tail)


def _render_block(almanac: Almanac, block: Block) -> RenderableType:
    from rich.text import Text

    from hexholm.almanac.blocks import ExampleBlock, Heading, Listing, TableBlock

    if isinstance(block, Heading):
        return Text(block.text, style="bold")
    if isinstance(block, TableBlock):
        return _almanac_table(block)
    if isinstance(block, ExampleBlock):
        example, roles = block.example, almanac.vocabulary.texts["role"]
        picture = Text.from_ansi(example.picture(in_color=wants_color()), no_wrap=True, overflow="crop")
        caption = _label_text(f"{roles['example']} ({example.title})", example.caption, "bold")
        marks = ", ".join(f"{letter} {place}" for letter, place in example.marks.items())
        return _stack([caption, *([_label_text(roles["marks"], marks, "dim")] if marks else []), picture])
    if isinstance(block, Listing):
        grid = _make_grid(apart=1)
        for number, item in enumerate(block.items, 1):
            grid.add_row(Text(f"{number}." if block.ordered else "-"), _render_paragraph(almanac, item))
        return grid
    return _render_paragraph(almanac, block)


def _render_paragraph(almanac: Almanac, paragraph: Paragraph) -> Text:
    from rich.text import Text

    text = Text(style=_STYLES.get(paragraph.role, ""))
    if paragraph.role:
        text.append(f"{almanac.vocabulary.texts['role'][paragraph.role]}: ", style="bold")
    for span in paragraph.spans:
        text.append(span.text, style="underline" if span.to else "")
    return text


def _almanac_table(table: TableBlock) -> RichTable:
    rich_table = _new_table(table.head)
    for row in table.rows:
        rich_table.add_row(*row)
    return rich_table


# --- search and comparison --------------------------------------------------------------------------------------------


def language_flag(almanac: Almanac) -> str:
    """What a command takes to go on in the language of the book."""
    return "" if almanac.language == "en" else f" --language {almanac.language}"


def hit_parts(almanac: Almanac, hits: Sequence[Hit]) -> Iterable[RenderableType]:
    """What a search found, best first."""
    from rich.text import Text

    for hit in hits:
        head = Text(hit.entry, style="cyan")
        head.append(f"  {hit.title}", style="bold not cyan")
        if hit.rules:
            head.append(f"  {', '.join(hit.rules)}", style="not bold dim")
        body = Text(hit.excerpt)
        yield _stack([head, _indent(body)])
    yield Text(
        f"hexholm rules {hits[0].entry} --edition {almanac.edition_data.name}{language_flag(almanac)}", style="dim"
    )


def comparison_parts(rows: Sequence[ComparisonRow], editions: Sequence[str]) -> Iterable[RenderableType]:
    """Editions side by side: first what differs, then what is the same."""
    from rich.text import Text

    differing = [row for row in rows if not row.same]
    for word in (False, True):
        table = _new_table(("", *editions))
        for row in differing:
            if row.word == word:
                table.add_row(row.label, *(row.values[name] for name in editions))
        if table.row_count:
            yield table
    table = _new_table(("", Text(" = ".join(editions))))
    for row in rows:
        if row.same and not row.word:
            table.add_row(row.label, row.values[editions[0]])
    if table.row_count:
        yield table


def compare_width() -> int | None:
    """Five columns need room; in a pipe they get it."""
    return None if sys.stdout.isatty() else COMPARE_WIDTH


# --- parts ------------------------------------------------------------------------------------------------------------


def _make_grid(apart: int = 2) -> RichTable:
    """Two columns, the first as narrow as it can be."""
    from rich.table import Table as RichTable

    grid = RichTable.grid(padding=(0, apart, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    return grid


def _new_table(head: Sequence[str | Text]) -> RichTable:
    from rich import box
    from rich.table import Table as RichTable

    table = RichTable(
        box=box.SIMPLE_HEAD if wants_color() else box.MARKDOWN, pad_edge=True, show_edge=not wants_color()
    )
    for title in head:
        table.add_column(title, overflow="fold", vertical="top")
    return table


def _label_text(label: str, text: str, style: str) -> Text:
    from rich.text import Text

    line = Text(f"{label}: ", style="bold")
    line.append(text, style=f"not bold {style}" if style != "bold" else "not bold")
    return line


def _indent(body: RenderableType) -> RenderableType:
    from rich.padding import Padding

    return Padding(body, (0, 0, 0, len(_INDENT)))


def _stack(parts: Sequence[RenderableType]) -> RenderableType:
    from rich.console import Group

    return Group(*parts)
