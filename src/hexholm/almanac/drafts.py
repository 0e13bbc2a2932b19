"""The data files of the almanac, read once: what entries there are, and their texts as templates.

How a text is written says data/en/terms.toml at its head. A template is not yet in the words of an edition;
:mod:`.entry_writer` makes it so.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final

from hexholm.rules.errors import BadInput
from hexholm.rules.language.languages import LANGUAGES

TEXTS: Final = ("start", "island", "setup", "turn", "trade", "building", "cards", "points")
"""The files with entries, in each language."""
_RULES: Final = re.compile(r"\s*\[([A-Z]+-\d\d(?:, [A-Z]+-\d\d)*)\]$")
_WHEN: Final = re.compile(r"\?([a-z_.]+!?=[\w|]+(?:&[a-z_.]+!?=[\w|]+)*): ")
_ROLES: Final = {">": "hint", "%": "reading"}


@dataclass(frozen=True, slots=True)
class Template:
    """A paragraph, an item of a list, a heading, a table or an example, before it is filled in."""

    kind: str
    """"text", "item", "step", "heading", "table" or "example"."""
    text: str
    when: str = ""
    role: str = ""
    export: bool = True
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Draft:
    """An entry before it is filled in."""

    name: str
    group: str
    when: str
    topic: str | None
    see: tuple[str, ...]
    title: str
    short: str
    also: tuple[str, ...]
    link: tuple[str, ...]
    templates: tuple[Template, ...]


def check_language(language: str) -> str:
    """The language, if there are texts in it."""
    if language not in LANGUAGES:
        raise BadInput(f"there is no almanac in {language!r}; the languages are {', '.join(LANGUAGES)}")
    return language


@cache
def read_almanac_data(name: str) -> Mapping[str, Any]:
    """A data file by its name: `examples`, `en/terms`."""
    path = resources.files(__package__).joinpath("data", *f"{name}.toml".split("/"))
    return tomllib.loads(path.read_text(encoding="utf-8"))


@cache
def read_drafts(language: str) -> Mapping[str, Draft]:
    """All entries of all editions in a language, in the order of the almanac."""
    listing = read_almanac_data("entries")
    texts: dict[str, Any] = {}
    for file in TEXTS:
        texts |= read_almanac_data(f"{check_language(language)}/{file}")
    drafts_by_name = {}
    for group in listing["group"]:
        for name in group["entries"]:
            facts, entry_texts = listing["entry"][name], texts[name]
            drafts_by_name[name] = Draft(
                name=name,
                group=group["name"],
                when=facts.get("when", ""),
                topic=facts.get("topic"),
                see=tuple(facts.get("see", ())),
                title=entry_texts["title"],
                short=entry_texts["short"],
                also=tuple(entry_texts["also"]),
                link=tuple(entry_texts["link"]),
                templates=tuple(read_templates(entry_texts["text"])),
            )
    return drafts_by_name


def read_templates(text: str) -> Iterator[Template]:
    for block in re.split(r"\n\s*\n", text.strip()):
        if block.startswith("# "):
            yield Template("heading", block[2:].strip())
        elif re.match(r"- |\d+\. ", block):
            for item in re.split(r"\n(?=- |\d+\. )", block):
                bullet, _, item_text = item.partition(" ")
                yield _template(item_text, "item" if bullet == "-" else "step")
        else:
            yield _template(block, "text")


def _template(text: str, kind: str) -> Template:
    """A paragraph or an item, with what stands before and behind its words."""
    text, when, role, export = " ".join(text.split()), "", "", True
    while True:
        if match := _WHEN.match(text):
            when, text = match[1], text[match.end() :]
        elif text[:2] in ("> ", "% "):
            role, text = _ROLES[text[0]], text[2:]
        elif text.startswith("~ "):
            export, text = False, text[2:]
        else:
            break
    rules: tuple[str, ...] = ()
    if match := _RULES.search(text):
        rules, text = tuple(match[1].split(", ")), text[: match.start()]
    if text.startswith("!example "):
        kind, text = "example", text.removeprefix("!example ")
    elif text.startswith("!"):
        kind, text = "table", text[1:]
    return Template(kind, text, when, role, export and role != "hint", rules)
