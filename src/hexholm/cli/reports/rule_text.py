"""The catalogue of rules as text and as data: its chapters, a chapter, a rule with what the editions differ in.

A chapter has a name in capitals (`LROAD`), a rule its id (`LROAD-08`). The entries of the almanac, which have names in
small letters (`longest-road`), are in :mod:`.almanac_text`.
"""

from __future__ import annotations

import contextlib
import difflib
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, Literal

import typer

from hexholm.game.language.phrases import count_noun, fold
from hexholm.rules.setup.editions import DEFAULT_EDITION, EDITIONS

from ..shared.files import BadCall
from ..shared.terminal import wants_color
from .almanac_text import language_flag

if TYPE_CHECKING:
    from hexholm.almanac import Almanac, Entry, ExplainedRule
    from hexholm.rules.catalogue import Rule

QueryKind = Literal["contents", "chapters", "chapter", "rule", "entry"]
CHAPTERS: Final = {
    "COMP": "What is in the box",
    "NAME": "What things are called",
    "MAP": "The island and its boards",
    "SETUP": "Setting up",
    "PHASE": "The turn and its parts",
    "PROD": "The roll and what it yields",
    "SEVEN": "A seven is rolled",
    "ROBBER": "The robber",
    "TRADE": "Trading with players",
    "PORT": "Trading with the {stock}",
    "BUILD": "Building in general",
    "ROAD": "Roads",
    "LROAD": "{longest_road}",
    "SETTLE": "Settlements",
    "CITY": "Cities",
    "DEV": "{Development_card}s",
    "ARMY": "{largest_army}",
    "WIN": "Winning",
    "INFO": "Who knows what",
    "ZIP": "The edition for pens",
    "ALM": "The almanac",
    "EDN": "Editions",
    "EXP": "Rules for assistants",
}
"""The chapters of the catalogue and what they are about, with words of an edition in braces."""
RULES_COMMAND: Final = "hexholm rules"
"""What is typed in a shell to read the rules; at the table another word does it."""
PLAY_KINDS: Final = ("play", "data")
"""The kinds of rule that decide how a game goes; the others are about words and about what a screen shows."""
_DOCUMENT: Final = re.compile(rf"\b00([0-{len(EDITIONS) - 1}])\b")
_RULE: Final = re.compile(r"([A-Z]+)-0*(\d{1,4})(?:\.([A-Z]\d+))?")
NOT_TRANSLATED: Final = (
    "(Rules by their ids are kept in English alone; the entries of the almanac are in both languages.)"
)


# --- what is meant ----------------------------------------------------------------------------------------------------


def chapter_of(rule: Rule) -> str:
    """The first part of a rule's id."""
    return rule.id.partition("-")[0]


def chapter_title(chapter: str, edition: str | None) -> str:
    """What a chapter is about, in the words of an edition."""
    from hexholm.rules.language.sentences import fill_words

    return fill_words(CHAPTERS[chapter], edition or DEFAULT_EDITION)


def rules_of_chapter(chapter: str, edition: str | None) -> list[Rule]:
    """The rules of a chapter, in the order of the catalogue and in the words of an edition."""
    from hexholm.rules.catalogue import catalogue_rules

    return [rule for rule in catalogue_rules(edition) if chapter_of(rule) == chapter]


def query_kind(almanac: Almanac, query: str) -> QueryKind:
    """What somebody asks for: the list of entries, that of chapters, a chapter, a rule or an entry."""
    query = query.strip()
    if not query:
        return "contents"
    if query.lower() == "chapters":
        return "chapters"
    if _is_chapter(almanac, query):
        return "chapter"
    return "rule" if _RULE.fullmatch(query.upper().strip("()")) else "entry"


def _is_chapter(almanac: Almanac, query: str) -> bool:
    """Whether a chapter is meant: in capitals always, in small letters if no entry goes by that name."""
    from hexholm.almanac import UnknownEntry

    if query.upper() not in CHAPTERS:
        return False
    if query != query.upper():
        with contextlib.suppress(UnknownEntry):
            almanac.entry(query)
            return False
    return True


def find_entry(almanac: Almanac, query: str, command: str = RULES_COMMAND) -> Entry:
    """The entry by its name or title; raises BadCall, which names what is near, or the `command` that lists them."""
    from hexholm.almanac import UnknownEntry
    from hexholm.rules.catalogue import catalogue_rules

    try:
        return almanac.entry(query)
    except UnknownEntry as error:
        ids = [*CHAPTERS, *(rule.id for rule in catalogue_rules())]
        near = [*error.near, *difflib.get_close_matches(query.strip().upper(), ids, n=3, cutoff=0.7)]
        hint = f"near: {', '.join(near)}" if near else f"{command} lists all entries"
        raise BadCall(f"the almanac has no entry or rule {query!r}; {hint}") from None


def find_rule(query: str, edition: str | None, command: str = RULES_COMMAND) -> Rule:
    """The rule that is meant, in the words of an edition: `seven-2` and `SEVEN-02.e1` are SEVEN-02.

    Raises BadCall, which names what is near.
    """
    from hexholm.rules.catalogue import catalogue_rules, rule_by_id

    rule_id = query.strip().upper().strip("()")
    if match := _RULE.fullmatch(rule_id):
        chapter, number, part = match.groups()
        rule_id = f"{chapter}-{int(number):02}"
        ids = {each_rule.id for each_rule in catalogue_rules()}
        if rule_id in ids:
            rule_found = rule_by_id(rule_id, edition)
            if part and f"{rule_id}.{part.lower()}" not in rule_found.names:
                raise BadCall(
                    f"{rule_id} has no {part.lower()}; it has {', '.join(rule_found.names[1:]) or 'no parts'}"
                )
            return rule_found
        if chapter in CHAPTERS:
            chapter_ids = [id_ for id_ in ids if id_.startswith(chapter + "-")]
            raise BadCall(
                f"no rule has the id {query!r}; chapter {chapter} goes from {min(chapter_ids)} to {max(chapter_ids)}"
            )
    near = difflib.get_close_matches(rule_id, [*CHAPTERS, *(each_rule.id for each_rule in catalogue_rules())], n=3)
    hint = f"near: {', '.join(near)}" if near else f"{command} chapters lists what there is"
    raise BadCall(f"no rule or chapter has the id {query!r}; {hint}")


# --- in words ---------------------------------------------------------------------------------------------------------


def chapters_lines(rules_by_chapter: dict[str, list[Rule]], edition: str | None) -> list[str]:
    """A line for each chapter, with the number of its rules and of those that the edition states."""
    lines = []
    for chapter, rules in rules_by_chapter.items():
        stated = f"  {sum(edition in rule.editions for rule in rules):>3} in {edition}" if edition else ""
        lines.append(f"{in_bold(f'{chapter:<7}')} {len(rules):>3}{stated}  {chapter_title(chapter, edition)}")
    all_rules = [rule for rules in rules_by_chapter.values() for rule in rules]
    play_count = sum(rule.kind in PLAY_KINDS for rule in all_rules)
    return [
        *lines,
        "",
        (
            f"{count_noun(len(all_rules), 'rule')}: {play_count} of play,"
            f" {len(all_rules) - play_count} on what things are called and shown."
        ),
        f"A chapter: {RULES_COMMAND} SEVEN; a rule: {RULES_COMMAND} SEVEN-02",
    ]


def chapter_lines(chapter: str, rules: list[Rule], edition: str | None, command: str = RULES_COMMAND) -> list[str]:
    """All rules of a chapter, without their examples; a star marks those that the edition does not state."""
    lines = [in_bold(f"{chapter}: {chapter_title(chapter, edition)}, {count_noun(len(rules), 'rule')}")]
    silent = [rule for rule in rules if edition is not None and edition not in rule.editions]
    for rule in rules:
        lines += labelled_lines(rule.text, f"{rule.id + '*' * (rule in silent):<11}", label=rule.id)
    if silent:
        lines += ["", f"* {edition} does not state it, or states it differently: {command} {silent[0].id}"]
    return lines


def rule_lines(rule: Rule, edition: str | None) -> Iterator[str]:
    """A rule with all that the catalogue knows of it, or all that concerns one edition."""
    from hexholm.rules.catalogue import book_of

    yield f"{in_bold(rule.id)}  {chapter_title(chapter_of(rule), edition)}"
    yield from labelled_lines(rule.text, "  ")
    yield ""
    if edition is None:
        yield from labelled_lines(", ".join(rule.editions) or "none of the books; it is ours", "  Stated by  ")
    else:
        yield f"  Edition    {edition} {'states it' if edition in rule.editions else 'does not state it as such'}"
    for name, differs in rule.differs.items():
        if edition in (None, name):
            yield from labelled_lines(with_edition_names(differs), f"  {name:<11}")
    yield from _value_lines(rule, edition)
    examples = [
        (name, example) for name, example in rule.examples.items() if edition in (None, book_of(example.source))
    ]
    if examples:
        yield ""
        yield in_bold("Examples")
    for name, example in examples:
        text = f"{example.given}; {example.when}: {example.then}"
        yield from labelled_lines(f"{text} ({with_edition_names(example.source)})", f"  {name:<4}")
    if rule.edges:
        yield ""
        yield in_bold("Edge cases")
    for name, edge in rule.edges.items():
        yield from labelled_lines(with_edition_names(edge), f"  {name:<4}")
    if rule.open is not None:
        yield ""
        yield in_bold("Where the books are unclear")
        yield from labelled_lines(with_edition_names(rule.open.issue), "  ")
        yield from labelled_lines(with_edition_names(rule.open.adopt), "  We read: ", hang=4)
        yield from labelled_lines(with_edition_names(rule.open.why), "  Because: ", hang=4)


def explained_lines(
    almanac: Almanac, explained_rule: ExplainedRule, edition: str | None, command: str = RULES_COMMAND
) -> Iterator[str]:
    """The entries that explain a rule, and in what it reads the editions differ."""
    from hexholm.almanac.comparison import value_label

    differing = {
        key: by_edition for key, by_edition in explained_rule.values.items() if len(set(by_edition.values())) > 1
    }
    if edition is None and differing:
        yield ""
        yield in_bold("By edition")
        for key, by_edition in differing.items():
            yield f"  {value_label(key, almanac.vocabulary)}"
            for name, value in by_edition.items():
                yield from labelled_lines(value, f"    {name:<9}")
    if explained_rule.entries:
        yield ""
        yield in_bold("In the almanac")
        for name in explained_rule.entries:
            yield from labelled_lines(f"{almanac.entry(name).title}: {command} {name}{language_flag(almanac)}", "  ")
    if almanac.language != "en":
        yield ""
        yield NOT_TRANSLATED


def _value_lines(rule: Rule, edition: str | None) -> Iterator[str]:
    """The numbers and words of an edition that the rule reads."""
    if edition is None:
        return
    from hexholm.almanac.comparison import edition_value, value_label
    from hexholm.almanac.vocabulary import Vocabulary
    from hexholm.rules.setup.editions import edition as edition_data

    vocabulary = Vocabulary(edition_data(edition), "en")
    for key in rule.keys:
        yield from labelled_lines(f"{value_label(key, vocabulary)}: {edition_value(key, vocabulary)}", "  Value      ")


def rule_values(rule: Rule, edition: str) -> dict[str, Any]:
    """The values of the edition data that the rule reads."""
    from hexholm.rules.setup.editions import edition as edition_data

    return {key: json_data(getattr(edition_data(edition), key)) for key in rule.keys}


def json_data(value: Any) -> Any:
    """Mappings and tuples as JSON has them."""
    if hasattr(value, "items"):
        return {str(key): json_data(inner) for key, inner in value.items()}
    return [json_data(inner) for inner in value] if isinstance(value, (tuple, list, frozenset)) else value


def labelled_lines(text: str, begin: str, *, label: str = "", hang: int | None = None) -> list[str]:
    """A text folded behind its label."""
    indent = " " * (len(begin) if hang is None else hang)
    lines = fold(text, indent, begin).splitlines()
    if label and lines:
        lines[0] = lines[0].replace(label, in_bold(label), 1)
    return lines


def in_bold(text: str) -> str:
    """Bold, where the terminal can."""
    return typer.style(text, bold=True) if wants_color() else text


def with_edition_names(text: str) -> str:
    """The catalogue's text with the names of the editions for its numbers of documents."""
    return _DOCUMENT.sub(lambda match: EDITIONS[int(match[1])], text)


# --- as data ----------------------------------------------------------------------------------------------------------


def chapters_data(rules_by_chapter: dict[str, list[Rule]], edition: str | None) -> list[dict[str, Any]]:
    """The chapters as data; with an edition, also those rules that it states."""
    rows: list[dict[str, Any]] = [
        {"chapter": chapter, "title": chapter_title(chapter, edition), "rules": [rule.id for rule in rules]}
        for chapter, rules in rules_by_chapter.items()
    ]
    if edition is not None:
        for chapter in rows:
            chapter["stated"] = [rule.id for rule in rules_by_chapter[chapter["chapter"]] if edition in rule.editions]
    return rows


def rule_data(rule: Rule, edition: str | None) -> dict[str, Any]:
    """A rule as data; with an edition, the values it reads."""
    data: dict[str, Any] = {
        "id": rule.id,
        "chapter": chapter_title(chapter_of(rule), edition),
        "kind": rule.kind,
        "rule": rule.text,
        "editions": list(rule.editions),
        "differs": {name: with_edition_names(text) for name, text in rule.differs.items()},
        "examples": {
            name: {
                "source": with_edition_names(example.source),
                "given": example.given,
                "when": example.when,
                "then": example.then,
            }
            for name, example in rule.examples.items()
        },
        "edges": {name: with_edition_names(text) for name, text in rule.edges.items()},
        "open": None
        if rule.open is None
        else {
            "issue": with_edition_names(rule.open.issue),
            "adopt": with_edition_names(rule.open.adopt),
            "why": with_edition_names(rule.open.why),
        },
        "keys": list(rule.keys),
    }
    if edition is not None:
        data["values"] = rule_values(rule, edition)
    return data
