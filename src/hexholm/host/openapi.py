"""What can be done over REST, as an OpenAPI 3.1 document. The shapes come from the types in :mod:`.api`."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from hexholm import __version__

from . import api

TEMPLATE: Final = "#/components/schemas/{name}"
TYPES: Final = (
    api.NewTable,
    api.TakeSeat,
    api.SeatTaken,
    api.TableList,
    api.TableAnswer,
    api.EditionList,
    api.Statistics,
    api.Health,
    api.Failure,
)
Json = dict[str, Any]


def document() -> Json:
    """The whole document."""
    _, components = msgspec.json.schema_components(TYPES, ref_template=TEMPLATE)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Hexholm",
            "version": __version__,
            "description": "Tables of the island-settling board game of five rule books. Play itself goes over the "
            "socket /ws/tables/{table}; its messages are in docs/reference/protocol.schema.json.",
        },
        "paths": _paths(),
        "components": {
            "schemas": components,
            "securitySchemes": {
                "seat": {"type": "http", "scheme": "bearer", "description": "The token of a seat."},
                "guest": {"type": "apiKey", "in": "cookie", "name": api.COOKIE, "description": "Set by the server."},
            },
        },
    }


def _paths() -> Json:
    table = _parameter("table", "path", {"type": "string"}, "The id of a table.")
    color = _parameter("color", "path", {"type": "string"}, "The colour of a seat.")
    status = _parameter("status", "query", {"enum": ["open", "playing", "over"]}, "Only tables of this status.")
    limit = _parameter("limit", "query", {"type": "integer", "minimum": 1, "maximum": 500}, "At most so many.")
    form = _parameter("form", "query", {"enum": ["text", "json"]}, "How it is written. [default: text]")
    return {
        "/healthz": {"get": _get("Whether the process is alive.", api.Health)},
        "/readyz": {"get": _get("Whether commands are taken.", api.Health, 503)},
        "/metrics": {
            "get": {"summary": "Figures for Prometheus.", "responses": {"200": _content("The figures.", "text/plain")}}
        },
        "/openapi.json": {"get": _get("This document.", None)},
        "/api/editions": {"get": _get("The editions one can play.", api.EditionList, 429)},
        "/api/statistics": {"get": _get("How much is going on.", api.Statistics, 429)},
        "/api/tables": {
            "get": {
                **_get("The lobby: tables, newest first.", api.TableList, 400, 429),
                "parameters": [status, limit],
            },
            "post": _post(
                "Set up a table and sit down at it.", api.NewTable, api.SeatTaken, 400, 403, 409, 413, 415, 429
            ),
        },
        "/api/tables/{table}": {
            "get": {
                **_get("A table through the eyes of the one who asks.", api.TableAnswer, 400, 403, 404, 429),
                "parameters": [table],
                "security": [{}, {"seat": []}],
            }
        },
        "/api/tables/{table}/seats/{color}": {
            "post": {
                **_post("Sit down on a free seat.", api.TakeSeat, api.SeatTaken, 400, 403, 404, 409, 413, 415, 429),
                "parameters": [table, color],
            }
        },
        "/api/tables/{table}/record": {
            "get": {
                "summary": "The record: of a finished game whole, of a running one what the asker has seen.",
                "parameters": [table, form],
                "security": [{}, {"seat": []}],
                "responses": {
                    "200": {
                        "description": "docs/formats/record.md",
                        "content": {"text/plain": {"schema": {"type": "string"}}, "application/json": {"schema": {}}},
                    },
                    **_failures(400, 403, 404, 409, 429),
                },
            }
        },
    }


def _get(summary: str, answer: type[msgspec.Struct] | None, *failures: int) -> Json:
    return {"summary": summary, "responses": {"200": _json(summary, answer), **_failures(*failures)}}


def _post(summary: str, asked: type[msgspec.Struct], answer: type[msgspec.Struct], *failures: int) -> Json:
    body = {"required": True, "content": {"application/json": {"schema": _reference(asked)}}}
    responses = {"201": _json("Done.", answer), **_failures(*failures)}
    return {"summary": summary, "requestBody": body, "responses": responses, "security": [{}, {"guest": []}]}


def _failures(*statuses: int) -> Json:
    """Statuses of refusals; those of the door (403, 421) and of accidents (500) can come anywhere."""
    words = {
        400: "It cannot be read.",
        403: "Not allowed.",
        404: "There is no such thing.",
        409: "Not now.",
        413: "Too large.",
        415: "Not JSON.",
        429: "Too much at once.",
        503: "Not ready.",
    }
    found: Json = {str(status): _json(words[status], api.Failure) for status in statuses}
    found["default"] = _json("Anything else that went wrong.", api.Failure)
    return found


def _json(description: str, answer: type[msgspec.Struct] | None) -> Json:
    schema = {"type": "object"} if answer is None else _reference(answer)
    return {"description": description, "content": {"application/json": {"schema": schema}}}


def _content(description: str, kind: str) -> Json:
    return {"description": description, "content": {kind: {"schema": {"type": "string"}}}}


def _reference(kind: type[msgspec.Struct]) -> Json:
    return {"$ref": TEMPLATE.format(name=kind.__name__)}


def _parameter(name: str, where: str, schema: Json, text: str) -> Json:
    return {"name": name, "in": where, "required": where == "path", "schema": schema, "description": text}
