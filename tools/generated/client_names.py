"""Names that the browser client goes through, as TypeScript; what the editions call things, as JSON."""

from __future__ import annotations

import json
from typing import Final, get_args

from hexholm.game.pictures import PAINTS
from hexholm.game.records.summary import GAINED, LOST
from hexholm.host.table_literals import BotPace, Wish
from hexholm.host.wire.messages import PROTOCOL_VERSION
from hexholm.rules.language.languages import LANGUAGES
from hexholm.rules.names import CARD_KINDS, RESOURCES
from hexholm.rules.setup.editions import DEFAULT_EDITION, EDITIONS, edition

from .protocol import json_literal, protocol_schema

ACTION_EXAMPLES: Final = (
    "roll", "road C3/ne", "settlement C3n", "city C3n", "buy", "knight", "road-building", "year-of-plenty ore wool",
    "monopoly grain", "supply 4 wool : 1 ore", "offer 1 wool : 1 ore to blue white", "counter #2 1 brick : 1 ore",
    "accept #2", "reject #2", "confirm #2 blue", "withdraw #2", "discard 2 wool 1 ore", "robber B2", "steal blue",
    "waive", "end",
)  # fmt: skip
"""One action of each kind that a player writes, for those who do not know how."""


def names_text() -> str:
    """Lists of names that the client goes through, as TypeScript; their types are in protocol.d.ts."""
    lists = {
        "RESOURCES": ("Resource", RESOURCES),
        "CARD_KINDS": ("CardKind", CARD_KINDS),
        "GAINED": ("keyof GainedCards", GAINED),
        "LOST": ("keyof LostCards", LOST),
        "COLORS": ("Color", PAINTS),
        "PACES": ('Pace["pace"]', get_args(BotPace)),
        "WISHES": ("keyof Wishes", get_args(Wish)),
        "LANGUAGES": ("string", LANGUAGES),
    }
    rows = [
        f"export const {name} = {json_literal(list(items))} as const satisfies readonly ({kind})[];"
        for name, (kind, items) in lists.items()
    ]
    types = ("ActionKind", "CardKind", "Color", "GainedCards", "LostCards", "Pace", "Resource", "Wishes")
    examples = {text.partition(" ")[0]: text for text in ACTION_EXAMPLES}
    return "\n".join(
        [
            "// Made from the Python lists by python -m tools.generated --write.",
            f'import type {{ {", ".join(types)} }} from "./protocol";',
            "",
            "/** The version of the protocol that is spoken here. */",
            f"export const PROTOCOL = {PROTOCOL_VERSION};",
            *rows,
            "/** The edition one plays if nothing is said, as on the command line. */",
            f"export const DEFAULT_EDITION = {json_literal(DEFAULT_EDITION)};",
            "/** How each kind of action is written. */",
            f"export const ACTION_EXAMPLES: Readonly<Record<ActionKind, string>> = {json_literal(examples)};",
            "",
        ]
    )


DEFAULTS: Final = {
    "TABLE_DEFAULTS": "TableLine",
    "SEAT_DEFAULTS": "SeatLine",
    "HELLO_DEFAULTS": "Hello",
    "CHANGED_DEFAULTS": "Changed",
    "CHANCE_DEFAULTS": "ChanceLine",
    "STATISTICS_DEFAULTS": "Statistics",
}
"""Lists of defaults, and the messages whose they are."""


def defaults_text() -> str:
    """What the host leaves out of its messages because it goes without saying."""
    definitions = protocol_schema()["$defs"]
    rows = []
    for name, message in DEFAULTS.items():
        fields = {key: part["default"] for key, part in definitions[message]["properties"].items() if "default" in part}
        keys = " | ".join(map(json_literal, fields))
        rows.append(f"export const {name}: Required<Pick<{message}, {keys}>> = {json_literal(fields)};")
    return "\n".join(
        [
            "// Made from the Python messages by python -m tools.generated --write.",
            f'import type {{ {", ".join(sorted(DEFAULTS.values()))} }} from "./protocol";',
            "",
            "// What the host leaves out because it goes without saying; net/received.ts puts it back.",
            *rows,
            "",
        ]
    )


def vocabulary_text() -> str:
    """What the editions call things in English: the browser cannot read the rules' own data."""
    vocabulary = {name: {"title": edition(name).title, **edition(name).words} for name in EDITIONS}
    return json.dumps(vocabulary, ensure_ascii=False, indent=1) + "\n"
