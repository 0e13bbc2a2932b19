"""`hexholm rules`: the almanac, and the catalogue of rules behind it, to read in a terminal.

An entry has a name in small letters (`longest-road`), a chapter of the catalogue one in capitals (`LROAD`), a rule its
id (`LROAD-08`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from hexholm.game.language.phrases import join_words
from hexholm.rules.language.languages import LANGUAGES
from hexholm.rules.setup.editions import DEFAULT_EDITION, EDITIONS

from ..reports import almanac_text, rule_text
from ..reports.rule_text import CHAPTERS
from ..shared.common_options import JsonOption, complete_from
from ..shared.files import BadCall

if TYPE_CHECKING:
    from hexholm.almanac import Almanac

EXAMPLE: Final = 'hexholm rules longest-road --edition sixth; hexholm rules --search "tied road"'
OTHER_EDITIONS: Final = join_words([name for name in EDITIONS if name != DEFAULT_EDITION])
RULES_USAGE: Final = f"""\
An entry: hexholm rules longest-road    by words: hexholm rules --search "tied road"
A rule:   hexholm rules LROAD-08        all rules: hexholm rules chapters
Other editions: --edition {OTHER_EDITIONS}
Side by side: --compare    in other words: --language {join_words(LANGUAGES[1:])}"""


def rule_ids() -> list[str]:
    """What a shell offers for a rule: the entries of the almanac and all ids."""
    from hexholm.almanac.drafts import read_drafts
    from hexholm.rules.catalogue import catalogue_rules

    return [*read_drafts(LANGUAGES[0]), *(rule.id for rule in catalogue_rules())]


def rules(
    query: Annotated[
        str | None,
        typer.Argument(
            metavar="ENTRY",
            help="An entry of the almanac (longest-road), a rule (SEVEN-02) or a chapter of rules (SEVEN).",
            show_default=False,
            autocompletion=rule_ids,
        ),
    ] = None,
    edition: Annotated[
        str | None,
        typer.Option(
            help=f"Use this edition's rules and words: {join_words(EDITIONS)}. [default: {DEFAULT_EDITION}]",
            show_default=False,
            autocompletion=complete_from(*EDITIONS),
        ),
    ] = None,
    language: Annotated[
        str, typer.Option(help=f"{join_words(LANGUAGES)}.", autocompletion=complete_from(*LANGUAGES))
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
            autocompletion=complete_from("markdown", "json"),
        ),
    ] = None,
    as_json: JsonOption = False,
) -> int:
    """Look up the rules: the almanac of an edition.

    Without an entry, all entries are listed. A rule is shown as in the catalogue, with the differences between editions
    and the entries that explain it; hexholm rules chapters lists the catalogue.
    """
    from hexholm.almanac import Almanac
    from hexholm.rules.setup.editions import edition as edition_data

    modes = [name for name, on in (("--search", search), ("--compare", compare), ("--export", export)) if on]
    if len(modes) > 1 or (modes and query is not None):
        conflict = " and ".join([*modes, *([repr(query)] if query is not None else [])])
        raise BadCall(f"{conflict}: ask for one thing at a time")
    if edition is not None:
        edition = edition_data(edition.strip().lower()).name
    almanac = Almanac(edition or DEFAULT_EDITION, language.strip().lower())
    if export is not None:
        typer.echo(almanac.export(export.strip().lower()), nl=False)
    elif search is not None:
        _search(almanac, search, as_json)
    elif compare:
        _compare(almanac, edition, as_json)
    else:
        _look_up(almanac, query, edition, as_json)
    return 0


def _look_up(almanac: Almanac, query: str | None, edition: str | None, as_json: bool) -> None:
    """The list of entries, an entry, the chapters, a chapter or a rule."""
    if query is None:
        if not _print_json([_entry_line(almanac, name) for name in almanac.names], as_json):
            almanac_text.print_parts(almanac_text.contents_parts(almanac))
            typer.echo(f"\n{RULES_USAGE}")
        return
    match rule_text.query_kind(almanac, query):
        case "chapters":
            rules_by_chapter = {chapter: rule_text.rules_of_chapter(chapter, edition) for chapter in CHAPTERS}
            if not _print_json(rule_text.chapters_data(rules_by_chapter, edition), as_json):
                _echo_lines(rule_text.chapters_lines(rules_by_chapter, edition))
        case "chapter":
            chapter = query.strip().upper()
            rules = rule_text.rules_of_chapter(chapter, edition)
            if not _print_json([rule_text.rule_data(rule, edition) for rule in rules], as_json):
                _echo_lines(rule_text.chapter_lines(chapter, rules, edition))
        case "rule":
            rule = rule_text.find_rule(query, edition)
            explained_rule = almanac.rule(rule.id)
            data = {**rule_text.rule_data(rule, edition), "entries": list(explained_rule.entries)}
            if not _print_json(data, as_json):
                explanation = rule_text.explained_lines(almanac, explained_rule, edition)
                _echo_lines([*rule_text.rule_lines(rule, edition), *explanation])
        case _:
            _show_entry(almanac, query, as_json)


def _show_entry(almanac: Almanac, query: str, as_json: bool) -> None:
    entry = rule_text.find_entry(almanac, query)
    if not _print_json(entry.as_dict(), as_json):
        almanac_text.print_parts(almanac_text.entry_parts(almanac, entry))


def _search(almanac: Almanac, text: str, as_json: bool) -> None:
    """What fits a text, best first."""
    hits = almanac.search(text)
    if not hits and not as_json:
        raise BadCall(f"nothing in the almanac fits {text!r}; hexholm rules lists all entries")
    if not _print_json([hit.as_dict() for hit in hits], as_json):
        almanac_text.print_parts(almanac_text.hit_parts(almanac, hits))


def _compare(almanac: Almanac, edition: str | None, as_json: bool) -> None:
    """All editions side by side, the one that was asked for first."""
    names = list(EDITIONS) if edition is None else [edition, *(name for name in EDITIONS if name != edition)]
    rows = almanac.compare(names)
    if not _print_json([row.as_dict() for row in rows], as_json):
        almanac_text.print_parts(almanac_text.comparison_parts(rows, names), width=almanac_text.compare_width())


def _entry_line(almanac: Almanac, name: str) -> dict[str, str]:
    entry = almanac.entry(name)
    return {"name": name, "title": entry.title, "short": entry.short, "group": entry.group}


def _print_json(data: Any, as_json: bool) -> bool:
    """Print data as JSON if that is wanted; whether it was."""
    if as_json:
        typer.echo(json.dumps(data, ensure_ascii=False))
    return as_json


def _echo_lines(lines: Iterable[str]) -> None:
    typer.echo("\n".join(lines))
