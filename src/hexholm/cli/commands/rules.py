"""`hexholm rules`: the almanac, and the catalogue of rules behind it, to read in a terminal.

An entry has a name in small letters (`longest-road`), a chapter of the catalogue one in capitals (`LROAD`), a rule its
id (`LROAD-08`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from hexholm.game.language.languages import LANGUAGES
from hexholm.game.language.phrases import join_words
from hexholm.rules.editions import DEFAULT_EDITION, EDITIONS

from ..reports import almanac_text, rule_text
from ..reports.rule_text import CHAPTERS
from ..shared.common_options import JsonOption, choices
from ..shared.files import BadCall

if TYPE_CHECKING:
    from hexholm.almanac import Almanac

EXAMPLE: Final = 'hexholm rules longest-road --edition sixth; hexholm rules --search "tied road"'
OTHERS: Final = join_words([name for name in EDITIONS if name != DEFAULT_EDITION])
HOW: Final = f"""\
An entry: hexholm rules longest-road    by words: hexholm rules --search "tied road"
A rule:   hexholm rules LROAD-08        all rules: hexholm rules chapters
Other editions: --edition {OTHERS}; --compare; --language {join_words(LANGUAGES[1:])}"""


def rule_ids() -> list[str]:
    """What a shell offers for a rule: the entries of the almanac and all ids."""
    from hexholm.almanac.drafts import drafts
    from hexholm.rules.catalogue import rules

    return [*drafts(LANGUAGES[0]), *(rule.id for rule in rules())]


def rules(
    wanted: Annotated[
        str | None,
        typer.Argument(
            metavar="ENTRY",
            help="An entry of the almanac as in longest-road, a rule as in SEVEN-02, a chapter of rules as in SEVEN.",
            show_default=False,
            autocompletion=rule_ids,
        ),
    ] = None,
    edition: Annotated[
        str | None,
        typer.Option(
            help=f"In the words of this edition: {join_words(EDITIONS)}. [default: {DEFAULT_EDITION}]",
            show_default=False,
            autocompletion=choices(*EDITIONS),
        ),
    ] = None,
    language: Annotated[
        str, typer.Option(help=f"{join_words(LANGUAGES)}.", autocompletion=choices(*LANGUAGES))
    ] = LANGUAGES[0],
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
            autocompletion=choices("markdown", "json"),
        ),
    ] = None,
    as_json: JsonOption = False,
) -> int:
    """Look up the rules: the almanac of an edition.

    Without an entry they are all listed. A rule is shown as the catalogue has it, with what the editions differ in and
    the entries that explain it; hexholm rules chapters lists the catalogue.
    """
    from hexholm.almanac import Almanac
    from hexholm.rules.editions import edition as edition_data

    asked = [name for name, on in (("--search", search), ("--compare", compare), ("--export", export)) if on]
    if len(asked) > 1 or (asked and wanted is not None):
        both = " and ".join([*asked, *([repr(wanted)] if wanted is not None else [])])
        raise BadCall(f"{both}: ask for one thing at a time")
    if edition is not None:
        edition = edition_data(edition.strip().lower()).name
    book = Almanac(edition or DEFAULT_EDITION, language.strip().lower())
    if export is not None:
        typer.echo(book.export(export.strip().lower()), nl=False)
    elif search is not None:
        _search(book, search, as_json)
    elif compare:
        _compare(book, edition, as_json)
    else:
        _look_up(book, wanted, edition, as_json)
    return 0


def _look_up(book: Almanac, wanted: str | None, edition: str | None, as_json: bool) -> None:
    """The list of entries, an entry, the chapters, a chapter or a rule."""
    from hexholm.rules.catalogue import rules as catalogue

    found = {chapter: [rule for rule in catalogue() if rule_text.chapter_of(rule) == chapter] for chapter in CHAPTERS}
    if wanted is None:
        if not _print([_line(book, name) for name in book.names], as_json):
            almanac_text.print_parts(almanac_text.contents(book))
            typer.echo(f"\n{HOW}")
    elif wanted.strip().lower() == "chapters":
        if not _print(rule_text.chapters_data(found, edition), as_json):
            _echo(rule_text.chapters_lines(found, edition))
    elif (chapter := rule_text.chapter_meant(book, wanted.strip())) is not None:
        rows = [rule_text.rule_data(rule, edition) for rule in found[chapter]]
        if not _print(rows, as_json):
            _echo(rule_text.chapter_lines(chapter, found[chapter], edition))
    elif rule_text.is_rule(wanted):
        one = rule_text.rule_meant(wanted)
        explained = book.rule(one.id)
        data = {**rule_text.rule_data(one, edition), "entries": list(explained.entries)}
        if not _print(data, as_json):
            _echo([*rule_text.rule_lines(one, edition), *rule_text.explained_lines(book, one.id, edition)])
    else:
        _entry(book, wanted, as_json)


def _entry(book: Almanac, wanted: str, as_json: bool) -> None:
    entry = rule_text.entry_meant(book, wanted)
    if not _print(entry.as_dict(), as_json):
        almanac_text.print_parts(almanac_text.entry_parts(book, entry))


def _search(book: Almanac, text: str, as_json: bool) -> None:
    """What fits a text, best first."""
    hits = book.search(text)
    if not hits and not as_json:
        raise BadCall(f"nothing in the almanac fits {text!r}; hexholm rules lists all entries")
    if not _print([hit.as_dict() for hit in hits], as_json):
        almanac_text.print_parts(almanac_text.hit_parts(book, hits))


def _compare(book: Almanac, edition: str | None, as_json: bool) -> None:
    """All editions side by side, the one that was asked for first."""
    names = list(EDITIONS) if edition is None else [edition, *(name for name in EDITIONS if name != edition)]
    rows = book.compare(names)
    if not _print([row.as_dict() for row in rows], as_json):
        almanac_text.print_parts(almanac_text.comparison_parts(rows, names), width=almanac_text.compare_width())


def _line(book: Almanac, name: str) -> dict[str, str]:
    entry = book.entry(name)
    return {"name": name, "title": entry.title, "short": entry.short, "group": entry.group}


def _print(data: Any, as_json: bool) -> bool:
    """Print data as JSON if that is wanted; whether it was."""
    if as_json:
        typer.echo(json.dumps(data, ensure_ascii=False))
    return as_json


def _echo(lines: Iterable[str]) -> None:
    typer.echo("\n".join(lines))
