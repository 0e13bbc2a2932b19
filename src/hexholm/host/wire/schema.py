"""The messages as JSON Schema and as TypeScript, made from the Python types; the places of the island for browsers.

    python -m hexholm.host.wire.schema --write

writes protocol.schema.json and host-refusals.md in docs/reference, protocol.d.ts and places.json in web/src/generated;
a test fails when they are out of date. Without `--write` it says whether they are.
"""

from __future__ import annotations

import argparse
import math
import re
import sys
from pathlib import Path
from typing import Any, Final

import msgspec

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
from .messages import PROTOCOL
from .openapi import TYPES
from .refusals import SAID

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
Json = dict[str, Any]


def schema() -> Json:
    """All messages of sockets and all shapes of REST as one JSON Schema."""
    kinds = [kind for kind, _ in UNIONS.values()]
    unions, definitions = msgspec.json.schema_components([*kinds, *TYPES], ref_template="#/$defs/{name}")
    named = {name: union for name, union in zip(UNIONS, unions, strict=False) if name not in definitions}
    for name, union in named.items():
        union["description"] = UNIONS[name][1]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Hexholm protocol {PROTOCOL}",
        "description": "Made from the Python types by python -m hexholm.host.wire.schema --write.",
        "$defs": {**named, **dict(sorted(definitions.items()))},
    }


def schema_text() -> str:
    """The schema as it is kept."""
    return msgspec.json.format(msgspec.json.encode(schema()), indent=2).decode() + "\n"


# --- TypeScript -------------------------------------------------------------------------------------------------------


def typescript() -> str:
    """The same as TypeScript types."""
    parts = [
        f"// Hexholm protocol {PROTOCOL}. Made from the Python types by python -m hexholm.host.wire.schema --write.",
        f"export const PROTOCOL: {PROTOCOL};",
    ]
    for name, what in schema()["$defs"].items():
        comment = f"/** {_safe(what['description'])} */\n" if what.get("description") else ""
        if what.get("type") == "object" and "properties" in what:
            parts.append(f"{comment}export interface {name} {_interface(what)}")
        else:
            parts.append(f"{comment}export type {name} = {_type(what)};")
    return "\n\n".join(parts) + "\n"


def _interface(what: Json, indent: str = "") -> str:
    required = set(what.get("required", ()))
    rows = []
    for name, of in what["properties"].items():
        key = name if _WORD.fullmatch(name) else msgspec.json.encode(name).decode()
        default = ""
        if name not in required and of.get("default") not in (None, {}, [], (), ""):
            default = f"  // default: {msgspec.json.encode(of['default']).decode()}"
        rows.append(f"{indent}  {key}{'' if name in required else '?'}: {_type(of)};{default}")
    return "{\n" + "\n".join(rows) + f"\n{indent}}}"


def _type(of: Json) -> str:
    """A schema as the text of a type."""
    if "$ref" in of:
        return str(of["$ref"]).rpartition("/")[2]
    if "anyOf" in of:
        return " | ".join(dict.fromkeys(_type(one) for one in of["anyOf"]))
    if "enum" in of:
        return " | ".join(msgspec.json.encode(one).decode() for one in of["enum"])
    if "const" in of:
        return msgspec.json.encode(of["const"]).decode()
    kind = of.get("type")
    if kind == "array":
        if "prefixItems" in of:
            return f"[{', '.join(_type(one) for one in of['prefixItems'])}]"
        inner = _type(of.get("items", {}))
        return f"({inner})[]" if " | " in inner else f"{inner}[]"
    if kind == "object":
        if "properties" in of:
            return _interface(of)
        return f"Record<string, {_type(of.get('additionalProperties', {}))}>"
    return _SIMPLE.get(str(kind), "unknown")


def _safe(text: str) -> str:
    return " ".join(text.replace("*/", "* /").split())


# --- places -----------------------------------------------------------------------------------------------------------


def places() -> Json:
    """Where hexes, corners and sides are, in radii of a hex (pointy top, x right, y down), and what touches what."""
    corners = [_at(x, y) for x, y in CORNER_POINT]
    return {
        "hexes": {
            name: {**_at(2 * q + r, 3 * r), "corners": [CORNER_NAMES[c] for c in HEX_CORNERS[i]]}
            for i, (name, (q, r)) in enumerate(zip(HEX_NAMES, HEXES, strict=True))
        },
        "corners": {
            name: {
                **corners[i],
                "hexes": [HEX_NAMES[h] for h in CORNER_HEXES[i]],
                "neighbours": [CORNER_NAMES[c] for c in CORNER_NEIGHBOURS[i]],
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


def _at(x: float, y: float) -> dict[str, float]:
    """A point of the grid, on which a corner is two steps below a hex's middle and one step beside it."""
    return {"x": round(x * math.sqrt(3) / 2, 6) + 0.0, "y": round(y / 2, 6) + 0.0}  # + 0.0: no minus before a zero


def _middle(one: tuple[int, int], other: tuple[int, int]) -> dict[str, float]:
    return _at((one[0] + other[0]) / 2, (one[1] + other[1]) / 2)


# --- refusals ---------------------------------------------------------------------------------------------------------


def refusals_page() -> str:
    """The page of the host's own refusals."""
    rows = [f"| `{why}` | `{said.code}` | {said.text} | {said.rule} |" for why, said in SAID.items()]
    return "\n".join(
        [
            "# Refusals of the host",
            "",
            "What the host itself refuses, as `why` of `refused`, `because` and the errors of REST; `values` fills the",
            "{slots}. What the rules refuse is on [a page of its own](refusals.md). From `hexholm.host.wire.refusals`.",
            "",
            "| why | code | words | rule that explains it |",
            "| --- | --- | --- | --- |",
            *rows,
            "",
        ]
    )


# --- the files --------------------------------------------------------------------------------------------------------


def files() -> dict[Path, str]:
    """The files and what they should hold."""
    return {
        REFERENCE / "protocol.schema.json": schema_text(),
        REFERENCE / "host-refusals.md": refusals_page(),
        GENERATED / "protocol.d.ts": typescript(),
        GENERATED / "places.json": msgspec.json.format(msgspec.json.encode(places()), indent=1).decode() + "\n",
    }


def stale() -> list[Path]:
    """The files that are out of date."""
    return [path for path, text in files().items() if not path.exists() or path.read_text(encoding="utf-8") != text]


def main(arguments: list[str] | None = None) -> int:
    """Write the files, or say which are out of date."""
    parser = argparse.ArgumentParser(
        prog="python -m hexholm.host.wire.schema", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--write", action="store_true", help="write the files")
    if parser.parse_args(arguments).write:
        for path, text in files().items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return 0
    for path in (old := stale()):
        print(f"{path.name} is out of date: python -m hexholm.host.wire.schema --write", file=sys.stderr)
    return 1 if old else 0


if __name__ == "__main__":
    sys.exit(main())
