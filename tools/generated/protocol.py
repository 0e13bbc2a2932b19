"""The messages as JSON Schema and as TypeScript, made from the Python types."""

from __future__ import annotations

import re
from typing import Final

import msgspec

from hexholm.host.wire import api
from hexholm.host.wire.description.openapi import TYPES
from hexholm.host.wire.description.schemas import schema_components
from hexholm.host.wire.messages import PROTOCOL_VERSION
from hexholm.host.wire.shapes import JsonObject

UNIONS: Final = {
    "Greeting": (api.Greeting, "The first thing a guest says on a socket."),
    "Incoming": (api.Incoming, "What a guest says after its greeting: commands, and pings."),
    "Outgoing": (api.Outgoing, "What the table says."),
}
_SIMPLE: Final = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}
_WORD: Final = re.compile(r"[A-Za-z_]\w*")


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
        "description": "Made from the Python types by python -m tools.generated --write.",
        "$defs": {**unnamed_unions, **dict(sorted(definitions.items()))},
    }


def schema_text() -> str:
    """The schema as it is kept."""
    return msgspec.json.format(msgspec.json.encode(protocol_schema()), indent=2).decode() + "\n"


# --- TypeScript -------------------------------------------------------------------------------------------------------


def typescript_types() -> str:
    """The same as TypeScript types."""
    parts = [
        (f"// Hexholm protocol {PROTOCOL_VERSION}. Made from the Python types by python -m tools.generated --write."),
    ]
    for name, definition in protocol_schema()["$defs"].items():
        comment = f"/** {_comment_text(definition['description'])} */\n" if definition.get("description") else ""
        parts.append(
            f"{comment}export type {name} = {_type_text(definition)};"
        )  # no interface: a type alias fits `Record<string, ...>`
    return "\n\n".join(parts) + "\n"


def _object_type(definition: JsonObject, indent: str = "") -> str:
    required = set(definition.get("required", ()))
    rows = []
    for name, part in definition["properties"].items():
        key = name if _WORD.fullmatch(name) else json_literal(name)
        default = ""
        if name not in required and part.get("default") not in (None, {}, [], (), ""):
            default = f"  // default: {json_literal(part['default'])}"
        text = _type_text(part, f"{indent}  ")
        rows.append(f"{indent}  {key}{'' if name in required else '?'}: {text};{default}")
    return "{\n" + "\n".join(rows) + f"\n{indent}}}"


def _type_text(part: JsonObject, indent: str = "") -> str:
    """A schema as the text of a type."""
    if "$ref" in part:
        return str(part["$ref"]).rpartition("/")[2]
    if "anyOf" in part:
        return " | ".join(dict.fromkeys(_type_text(member, indent) for member in part["anyOf"]))
    if "enum" in part:
        return " | ".join(json_literal(member) for member in part["enum"])
    if "const" in part:
        return json_literal(part["const"])
    kind = part.get("type")
    if kind == "array":
        if "prefixItems" in part:
            return f"[{', '.join(_type_text(member) for member in part['prefixItems'])}]"
        inner = _type_text(part.get("items", {}))
        return f"({inner})[]" if " | " in inner else f"{inner}[]"
    if kind == "object":
        if "properties" in part:
            return " & ".join([_object_type(part, indent), *map(_type_text, part.get("allOf", ()))])
        values = part.get("additionalProperties", {})
        value = "never" if values is False else _type_text(values)
        if "propertyNames" in part:
            return f"Partial<Record<{_type_text(part['propertyNames'])}, {value}>>"
        return f"Record<string, {value}>"
    return _SIMPLE.get(str(kind), "unknown")


def json_literal(value: object) -> str:
    """A value as JavaScript writes it."""
    return msgspec.json.encode(value).decode()


def _comment_text(text: str) -> str:
    return " ".join(text.replace("*/", "* /").split())
