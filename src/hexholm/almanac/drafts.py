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

from hexholm.game.language.languages import LANGUAGES
from hexholm.rules.errors import BadInput

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


def known_language(language: str) -> str:
    """The language, if there are texts in it."""
    if language not in LANGUAGES:
        raise BadInput(f"there is no almanac in {language!r}; the languages are {', '.join(LANGUAGES)}")
    return language


@cache
def data(name: str) -> Mapping[str, Any]:
    """A data file by its name: `examples`, `en/terms`."""
    path = resources.files(__package__).joinpath("data", *f"{name}.toml".split("/"))
    return tomllib.loads(path.read_text(encoding="utf-8"))


@cache
def drafts(language: str) -> Mapping[str, Draft]:
    """All entries of all editions in a language, in the order of the almanac."""
    made = data("entries")
    texts: dict[str, Any] = {}
    for file in TEXTS:
        texts |= data(f"{known_language(language)}/{file}")
    found = {}
    for group in made["group"]:
        for name in group["entries"]:
            facts, own = made["entry"][name], texts[name]
            found[name] = Draft(
                name=name,
                group=group["name"],
                when=facts.get("when", ""),
                topic=facts.get("topic"),
                see=tuple(facts.get("see", ())),
                title=own["title"],
                short=own["short"],
                also=tuple(own["also"]),
                link=tuple(own["link"]),
                templates=tuple(templates(own["text"])),
            )
    return found


def templates(text: str) -> Iterator[Template]:
    for block in re.split(r"\n\s*\n", text.strip()):
        if block.startswith("# "):
            yield Template("heading", block[2:].strip())
        elif re.match(r"- |\d+\. ", block):
            for item in re.split(r"\n(?=- |\d+\. )", block):
                bullet, _, rest = item.partition(" ")
                yield _template(rest, "item" if bullet == "-" else "step")
        else:
            yield _template(block, "text")


def _template(text: str, kind: str) -> Template:
    """A paragraph or an item, with what stands before and behind its words."""
    text, when, role, export = " ".join(text.split()), "", "", True
    while True:
        if found := _WHEN.match(text):
            when, text = found[1], text[found.end() :]
        elif text[:2] in ("> ", "% "):
            role, text = _ROLES[text[0]], text[2:]
        elif text.startswith("~ "):
            export, text = False, text[2:]
        else:
            break
    rules: tuple[str, ...] = ()
    if found := _RULES.search(text):
        rules, text = tuple(found[1].split(", ")), text[: found.start()]
    if text.startswith("!example "):
        kind, text = "example", text.removeprefix("!example ")
    elif text.startswith("!"):
        kind, text = "table", text[1:]
    return Template(kind, text, when, role, export and role != "hint", rules)
