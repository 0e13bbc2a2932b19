"""The messages as JSON Schema and as TypeScript, made from the Python types.

    python -m hexholm.host.schema --write

writes docs/reference/protocol.schema.json and docs/reference/protocol.d.ts; a test fails when they are out of date.
Without `--write` it says whether they are.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import Any, Final

import msgspec

from . import api
from .messages import PROTOCOL
from .openapi import TYPES

REFERENCE: Final = Path(__file__).parents[3] / "docs" / "reference"
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
        "description": "Made from the Python types by python -m hexholm.host.schema --write.",
        "$defs": {**named, **dict(sorted(definitions.items()))},
    }


def schema_text() -> str:
    """The schema as it is kept."""
    return msgspec.json.format(msgspec.json.encode(schema()), indent=2).decode() + "\n"


# --- TypeScript -------------------------------------------------------------------------------------------------------


def typescript() -> str:
    """The same as TypeScript types."""
    parts = [
        f"// Hexholm protocol {PROTOCOL}. Made from the Python types by python -m hexholm.host.schema --write.",
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


# --- the files --------------------------------------------------------------------------------------------------------


def files() -> dict[Path, str]:
    """The files and what they should hold."""
    return {REFERENCE / "protocol.schema.json": schema_text(), REFERENCE / "protocol.d.ts": typescript()}


def stale() -> list[Path]:
    """The files that are out of date."""
    return [path for path, text in files().items() if not path.exists() or path.read_text(encoding="utf-8") != text]


def main(arguments: list[str] | None = None) -> int:
    """Write the files, or say which are out of date."""
    parser = argparse.ArgumentParser(
        prog="python -m hexholm.host.schema", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--write", action="store_true", help="write the files")
    if parser.parse_args(arguments).write:
        for path, text in files().items():
            path.write_text(text, encoding="utf-8")
        return 0
    for path in (old := stale()):
        print(f"{path.name} is out of date: python -m hexholm.host.schema --write", file=sys.stderr)
    return 1 if old else 0


if __name__ == "__main__":
    sys.exit(main())
