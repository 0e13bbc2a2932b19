"""Everywhere that words of the game are shown: every text of an edition, made from all that is there, by surface.

Nothing is listed here by hand: a new message, page text, entry, table, rule, command or literal is found by itself.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from hexholm import Game
from hexholm.almanac import Almanac
from hexholm.almanac.drafts import read_almanac_data
from hexholm.almanac.edition_tables import TABLES, edition_table
from hexholm.almanac.vocabulary import Vocabulary
from hexholm.cli.commands import COMMANDS, load, load_subcommands
from hexholm.cli.reports.rule_text import CHAPTERS, chapter_lines, chapters_lines, explained_lines, rule_lines
from hexholm.game.pictures import draw_position, svg_of
from hexholm.game.pictures.plan import plan_of
from hexholm.host.assistants import briefing, lookups, mcp_server
from hexholm.rules.catalogue import Rule, catalogue_rules
from hexholm.rules.language.languages import word_catalogue
from hexholm.rules.language.sentences import WORD_SLOT, edition_terms
from hexholm.rules.setup.editions import VARIABLE, edition
from hexholm.rules.setup.options import PAD_EDITION, check_options
from tests.almanac.almanacs import almanac_of, entry_texts
from tests.helpers.page_texts import page_texts
from tools.playthroughs import kept_text

from . import foreign_words_in

SOURCES: Final = Path(__file__).parents[2] / "src" / "hexholm"
HOUSE: Final[dict[str, Any]] = {"points_to_win": 12, "hand_limit": 9, "friendly_robber": True, "balanced_dice": True}


class Shown(NamedTuple):
    """A text, and where it stands."""

    where: str
    text: str


# --- what is translated -----------------------------------------------------------------------------------------------


def messages(edition_name: str, language: str) -> Iterator[Shown]:
    """All events, prompts and refusals, of the rules and of the host, and the parts they are made of."""
    catalogue, terms = word_catalogue(language), edition_terms(language, edition_name)

    def fill(text: str) -> str:
        return WORD_SLOT.sub(lambda slot: fill(terms[slot[1]]) if slot[1] in terms else slot[0], text)

    for part in set(catalogue) - {"terms"}:
        for where, text in leaves(catalogue[part], part):
            if ".when." not in where and not where.endswith(".subject"):
                yield Shown(where, fill(text))


def leaves(data: Any, where: str) -> Iterator[Shown]:
    """All texts in some data."""
    if isinstance(data, str):
        yield Shown(where, data)
    elif isinstance(data, Mapping):
        for key, inner in data.items():
            yield from leaves(inner, f"{where}.{key}")
    elif isinstance(data, list):
        for number, inner in enumerate(data):
            yield from leaves(inner, f"{where}.{number}")


def pages(edition_name: str, language: str) -> Iterator[Shown]:
    """All texts of the browser's pages."""
    yield from (Shown(name, text) for name, text in page_texts(language, edition_name).items())


def entries(edition_name: str, language: str) -> Iterator[Shown]:
    """All entries of the almanac, as a book has them and beside a table with house rules."""
    options = check_options(edition=edition_name, setup=VARIABLE, **HOUSE)
    for almanac in (almanac_of(edition_name, language), Almanac(edition_name, language, options)):
        yield Shown("title", almanac.title)
        yield from (Shown("group", title) for title in almanac.groups())
        for entry in almanac.entries():
            yield from (Shown(entry.name, text) for text in entry_texts(entry))


def tables(edition_name: str, language: str) -> Iterator[Shown]:
    """All tables of the almanac, those too that no entry of this edition shows."""
    vocabulary = Vocabulary(edition(edition_name), language, check_options(edition=edition_name, **HOUSE))
    for name in TABLES:
        table = edition_table(name, vocabulary)
        yield from (Shown(f"table {name}", cell) for row in (table.head, *table.rows) for cell in row)


def export(edition_name: str, language: str) -> Iterator[Shown]:
    """All rules in one document."""
    for line in almanac_of(edition_name, language).export("markdown").splitlines():
        yield Shown("heading" if line.startswith("#") else "line", line)


def comparison(edition_name: str, language: str) -> Iterator[Shown]:
    """The editions side by side: the column of this edition, and the labels, which stand beside all of them."""
    for row in almanac_of(edition_name, language).compare():
        yield from (Shown(row.key, text) for text in (row.label, row.values[edition_name]))


def printed_maps(edition_name: str, language: str) -> Iterator[Shown]:
    """What is written on the sheets of the pad of maps."""
    if edition_name == PAD_EDITION:
        vocabulary = Vocabulary(edition(edition_name), language)
        told_by_the_sheet = dict.fromkeys(("map", "n", "bag", "hand", "terrain", "yields"), "...")
        for where, text in leaves(read_almanac_data(f"{language}/pad"), "pad"):
            yield Shown(where, vocabulary.fill(text, told_by_the_sheet))


TRANSLATED: Final[dict[str, Callable[[str, str], Iterator[Shown]]]] = {
    "messages": messages,
    "pages": pages,
    "entries": entries,
    "tables": tables,
    "export": export,
    "comparison": comparison,
    "printed maps": printed_maps,
}


# --- what is in English alone -----------------------------------------------------------------------------------------


def rules_by_id(edition_name: str) -> Iterator[tuple[Rule, str]]:
    """All rules of the catalogue as `hexholm rules` tells them in this edition, and their chapters."""
    almanac, rules = almanac_of(edition_name), catalogue_rules(edition_name)
    by_chapter = {chapter: [rule for rule in rules if rule.chapter == chapter] for chapter in CHAPTERS}
    for rule in rules:
        told = [*rule_lines(rule, edition_name), *explained_lines(almanac, almanac.rule(rule.id), edition_name)]
        yield from ((rule, line) for line in told)
    for chapter, in_it in by_chapter.items():
        yield from ((in_it[0], line) for line in chapter_lines(chapter, in_it[:1], edition_name)[:1])
    for line, in_it in zip(chapters_lines(by_chapter, edition_name), by_chapter.values(), strict=False):
        yield in_it[0], line


def pictures(edition_name: str) -> Iterator[Shown]:
    """What is written on pictures, and what they are called for those who do not see them."""
    game = late_game(edition_name)
    words = edition(edition_name).words
    plan = plan_of(game.layout, None, game.colors, start=True, names=True)
    for picture in (
        draw_position(game.options, game.layout, game.referee.state, names=True),
        svg_of(plan, words=words),
    ):
        yield from (
            Shown("picture", text)
            for text in re.findall(r"<(?:title|desc|text)[^>]*>([^<]+)<", picture)
            if text.strip()
        )
        yield from (Shown("picture", text) for text in re.findall(r'aria-label="([^"]+)"', picture))
    yield Shown("characters", str(game))


def assistants(edition_name: str) -> Iterator[Shown]:
    """What an assistant reads of a game, and of the rules."""
    game = late_game(edition_name)
    for seat in (*game.colors, None):
        yield Shown("look", briefing.briefing_text(game.view(seat), ranges=True))
    view = game.view(game.active)
    yield Shown("actions", briefing.numbered_actions(view, [str(action) for action in view.legal_actions]))
    for line in lookups.list_rules(edition_name).splitlines():
        yield Shown("rules", re.sub(r"[\w-]+ \(", "(", line))  # a name and its title
    yield from (
        Shown("rules of a group", line) for line in lookups.list_rules(edition_name, group="SEVEN").splitlines()
    )


def playthrough(edition_name: str) -> Iterator[Shown]:
    """A game as it is told, with all there is to see; positions and actions keep their spelling."""
    for line in kept_text(edition_name).splitlines()[14:]:
        if line.startswith(("      ", "  *")) and not re.match(r" +(first=|harbors=|spiral=|\d+ )", line):
            yield Shown("playthrough", line)


@cache
def late_game(edition_name: str) -> Game:
    """A game in which something of everything lies on the table."""
    game = Game(edition=edition_name, seed=8, setup="fixed", first=0, compiled=False)
    for _ in range(60):
        legal = [action for action in game.legal_actions if action.kind not in ("end", "supply")]
        game.play(legal[len(legal) // 2] if legal else game.legal_actions[0])
        if game.over:
            break
    return game


IN_ENGLISH: Final[dict[str, Callable[[str], Iterator[Shown]]]] = {
    "pictures": pictures,
    "assistants": assistants,
    "playthrough": playthrough,
}


# --- what is written in the code --------------------------------------------------------------------------------------


@cache
def suspicious_literals() -> tuple[Shown, ...]:
    """All sentences in the code with a word of some edition, by file and line: of commands, hosts, pictures, errors."""
    found = []
    for file in sorted(SOURCES.rglob("*.py")):
        source, path = file.read_text(encoding="utf-8"), file.relative_to(SOURCES).as_posix()
        if foreign_words_in(source, None):
            for line, text in _literals_in(ast.parse(source)):
                if (" " in text.strip() or re.fullmatch(r"[A-Z][a-z]+:", text)) and foreign_words_in(text, None):
                    found.append(Shown(f"{path}:{line}", text))
    return tuple(found)


def _literals_in(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Texts with their lines; docstrings are none, and of an f-string only what is not filled in."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.JoinedStr):
            yield node.lineno, "".join(str(v.value) if isinstance(v, ast.Constant) else "{x}" for v in node.values)
            for value in node.values:
                yield from () if isinstance(value, ast.Constant) else _literals_in(value)
        elif isinstance(node, ast.Constant):
            if isinstance(node.value, str):
                yield node.lineno, node.value
        elif not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            yield from _literals_in(node)


def help_texts() -> Iterator[Shown]:
    """What the help of each command begins with, and what an assistant is told of each tool."""
    for name in COMMANDS:
        functions = {name: load(name)[0], **{f"{name} {sub}": it for sub, it in load_subcommands(name).items()}}
        yield from (Shown(f"hexholm {full} --help", inspect.getdoc(it) or "") for full, it in functions.items())
    tree = ast.parse(inspect.getsource(mcp_server))
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield Shown(f"assistants: {node.name}", ast.get_docstring(node) or "")
