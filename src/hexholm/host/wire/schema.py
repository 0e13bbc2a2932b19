"""The messages as JSON Schema and as TypeScript, made from the Python types; the places of the island for browsers.

    python -m hexholm.host.wire.schema --write

writes protocol.schema.json and host-refusals.md in docs/reference, protocol.d.ts, names.ts and places.json in
web/src/generated;
a test fails when they are out of date. Without `--write` it says whether they are.
"""

from __future__ import annotations

import argparse
import math
import re
import sys
from pathlib import Path
from typing import Final, get_args

import msgspec

from hexholm.game.language.languages import LANGUAGES
from hexholm.game.pictures import PAINTS
from hexholm.game.records.summary import GAINED, LOST
from hexholm.rules.editions import DEFAULT_EDITION
from hexholm.rules.names import CARD_KINDS, RESOURCES
from hexholm.rules.places import (
    CORNER_HEXES,
    CORNER_NAMES,
    CORNER_NEIGHBOURS,
    CORNER_POINT,
    HEX_CORNERS,
    HEX_NAMES,
    HEXES,
    SIDE_CORNERS,
    SIDE_HEXES,
    SIDE_NAMES,
)

from . import api
from .components import schema_components
from .host_refusals import HOST_REFUSALS
from .messages import PROTOCOL_VERSION, BotPace, Wish
from .openapi import TYPES
from .shapes import JsonObject

ROOT: Final = Path(__file__).parents[4]
REFERENCE: Final = ROOT / "docs" / "reference"
GENERATED: Final = ROOT / "web" / "src" / "generated"
UNIONS: Final = {
    "Greeting": (api.Greeting, "The first thing a guest says on a socket."),
    "Incoming": (api.Incoming, "What a guest says after its greeting: commands, and pings."),
    "Outgoing": (api.Outgoing, "What the table says."),
}
_SIMPLE: Final = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}
_WORD: Final = re.compile(r"[A-Za-z_]\w*")
ACTION_EXAMPLES: Final = (
    "roll", "road C3/ne", "settlement C3n", "city C3n", "buy", "knight", "road-building", "year-of-plenty ore wool",
    "monopoly grain", "supply 4 wool : 1 ore", "offer 1 wool : 1 ore to blue white", "counter #2 1 brick : 1 ore",
    "accept #2", "reject #2", "confirm #2 blue", "withdraw #2", "discard 2 wool 1 ore", "robber B2", "steal blue",
    "waive", "end",
)  # fmt: skip
"""One action of each kind that a player writes, for those who do not know how."""


def protocol_schema() -> JsonObject:
    """All messages of sockets and all shapes of REST as one JSON Schema."""
    kinds = [kind for kind, _ in UNIONS.values()]
    unions, definitions = schema_components([*kinds, *TYPES], "#/$defs/{name}")
    unnamed_unions = {name: union for name, union in zip(UNIONS, unions, strict=False) if name not in definitions}
    for name, union in unnamed_unions.items():
        union["description"] = UNIONS[name][1]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Hexholm protocol {PROTOCOL_VERSION}",
        "description": "Made from the Python types by python -m hexholm.host.wire.schema --write.",
        "$defs": {**unnamed_unions, **dict(sorted(definitions.items()))},
    }


def schema_text() -> str:
    """The schema as it is kept."""
    return msgspec.json.format(msgspec.json.encode(protocol_schema()), indent=2).decode() + "\n"


# --- TypeScript -------------------------------------------------------------------------------------------------------


def typescript_types() -> str:
    """The same as TypeScript types."""
    parts = [
        (
            f"// Hexholm protocol {PROTOCOL_VERSION}. "
            "Made from the Python types by python -m hexholm.host.wire.schema --write."
        ),
    ]
    for name, definition in protocol_schema()["$defs"].items():
        comment = f"/** {_comment_text(definition['description'])} */\n" if definition.get("description") else ""
        shape = (
            _object_type(definition)
            if definition.get("type") == "object" and "properties" in definition
            else _type_text(definition)
        )
        parts.append(f"{comment}export type {name} = {shape};")  # no interface: a type alias fits `Record<string, ...>`
    return "\n\n".join(parts) + "\n"


def _object_type(definition: JsonObject, indent: str = "") -> str:
    required = set(definition.get("required", ()))
    rows = []
    for name, part in definition["properties"].items():
        key = name if _WORD.fullmatch(name) else _json_literal(name)
        default = ""
        if name not in required and part.get("default") not in (None, {}, [], (), ""):
            default = f"  // default: {_json_literal(part['default'])}"
        rows.append(f"{indent}  {key}{'' if name in required else '?'}: {_type_text(part)};{default}")
    return "{\n" + "\n".join(rows) + f"\n{indent}}}"


def _type_text(part: JsonObject) -> str:
    """A schema as the text of a type."""
    if "$ref" in part:
        return str(part["$ref"]).rpartition("/")[2]
    if "anyOf" in part:
        return " | ".join(dict.fromkeys(_type_text(member) for member in part["anyOf"]))
    if "enum" in part:
        return " | ".join(_json_literal(member) for member in part["enum"])
    if "const" in part:
        return _json_literal(part["const"])
    kind = part.get("type")
    if kind == "array":
        if "prefixItems" in part:
            return f"[{', '.join(_type_text(member) for member in part['prefixItems'])}]"
        inner = _type_text(part.get("items", {}))
        return f"({inner})[]" if " | " in inner else f"{inner}[]"
    if kind == "object":
        if "properties" in part:
            return _object_type(part)
        return f"Record<string, {_type_text(part.get('additionalProperties', {}))}>"
    return _SIMPLE.get(str(kind), "unknown")


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
        f"export const {name} = {_json_literal(list(items))} as const satisfies readonly ({kind})[];"
        for name, (kind, items) in lists.items()
    ]
    types = ("ActionKind", "CardKind", "Color", "GainedCards", "LostCards", "Pace", "Resource", "Wishes")
    examples = {text.partition(" ")[0]: text for text in ACTION_EXAMPLES}
    return "\n".join(
        [
            "// Made from the Python lists by python -m hexholm.host.wire.schema --write.",
            f'import type {{ {", ".join(types)} }} from "./protocol";',
            "",
            "/** The version of the protocol that is spoken here. */",
            f"export const PROTOCOL = {PROTOCOL_VERSION};",
            *rows,
            "/** The edition one plays if nothing is said, as on the command line. */",
            f"export const DEFAULT_EDITION = {_json_literal(DEFAULT_EDITION)};",
            "/** How each kind of action is written. */",
            f"export const ACTION_EXAMPLES: Readonly<Record<ActionKind, string>> = {_json_literal(examples)};",
            "",
        ]
    )


def _json_literal(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _comment_text(text: str) -> str:
    return " ".join(text.replace("*/", "* /").split())


# --- places -----------------------------------------------------------------------------------------------------------


def places_data() -> JsonObject:
    """Where hexes, corners and sides are, in radii of a hex (pointy top, x right, y down), and what touches what."""
    corners = [_grid_point(x, y) for x, y in CORNER_POINT]
    return {
        "hexes": {
            name: {**_grid_point(2 * q + r, 3 * r), "corners": [CORNER_NAMES[c] for c in HEX_CORNERS[i]]}
            for i, (name, (q, r)) in enumerate(zip(HEX_NAMES, HEXES, strict=True))
        },
        "corners": {
            name: {
                **corners[i],
                "hexes": [HEX_NAMES[h] for h in CORNER_HEXES[i]],
                "neighbors": [CORNER_NAMES[c] for c in CORNER_NEIGHBOURS[i]],
            }
            for i, name in enumerate(CORNER_NAMES)
        },
        "sides": {
            name: {
                **_middle(*(CORNER_POINT[c] for c in SIDE_CORNERS[i])),
                "corners": [CORNER_NAMES[c] for c in SIDE_CORNERS[i]],
                "hexes": [HEX_NAMES[h] for h in SIDE_HEXES[i]],
            }
            for i, name in enumerate(SIDE_NAMES)
        },
    }


def _grid_point(x: float, y: float) -> dict[str, float]:
    """A point of the grid, on which a corner is two steps below a hex's middle and one step beside it."""
    return {"x": round(x * math.sqrt(3) / 2, 6) + 0.0, "y": round(y / 2, 6) + 0.0}  # + 0.0: no minus before a zero


def _middle(start: tuple[int, int], end: tuple[int, int]) -> dict[str, float]:
    return _grid_point((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)


# --- refusals ---------------------------------------------------------------------------------------------------------


def refusals_page() -> str:
    """The page of the host's own refusals."""
    rows = [
        f"| `{why}` | `{refusal.code}` | {refusal.text} | {refusal.rule} |" for why, refusal in HOST_REFUSALS.items()
    ]
    return "\n".join(
        [
            "# Refusals of the host",
            "",
            "What the host itself refuses, as `why` of `refused`, `because` and the errors of REST; `values` fills the",
            "{slots}. What the rules refuse is on [a page of its own](refusals.md). From",
            "`hexholm.host.wire.host_refusals`.",
            "",
            "| why | code | words | rule that explains it |",
            "| --- | --- | --- | --- |",
            *rows,
            "",
        ]
    )


# --- the files --------------------------------------------------------------------------------------------------------


def generated_files() -> dict[Path, str]:
    """The files and what they should hold."""
    return {
        REFERENCE / "protocol.schema.json": schema_text(),
        REFERENCE / "host-refusals.md": refusals_page(),
        GENERATED / "protocol.d.ts": typescript_types(),
        GENERATED / "names.ts": names_text(),
        GENERATED / "places.json": msgspec.json.format(msgspec.json.encode(places_data()), indent=1).decode() + "\n",
    }


def stale_files() -> list[Path]:
    """The files that are out of date."""
    return [
        path
        for path, text in generated_files().items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]


def check_or_write(arguments: list[str] | None = None) -> int:
    """Write the files, or say which are out of date."""
    parser = argparse.ArgumentParser(
        prog="python -m hexholm.host.wire.schema", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--write", action="store_true", help="write the files")
    if parser.parse_args(arguments).write:
        for path, text in generated_files().items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return 0
    for path in (stale := stale_files()):
        print(f"{path.name} is out of date: python -m hexholm.host.wire.schema --write", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(check_or_write())
