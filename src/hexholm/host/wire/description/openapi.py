"""What can be done over REST, as an OpenAPI 3.1 document. The shapes come from the types in :mod:`..api`."""

from __future__ import annotations

from typing import Final

import msgspec

from hexholm import __version__
from hexholm.game.pictures import THEMES
from hexholm.rules.language.languages import LANGUAGES
from hexholm.rules.setup.editions import DEFAULT_EDITION, DEFAULT_SETUP, EDITIONS, SETUPS
from hexholm.rules.setup.options import ZIP_MAPS

from .. import api, guest_api
from ..shapes import JsonObject
from .schemas import schema_components

TEMPLATE: Final = "#/components/schemas/{name}"
TYPES: Final = (
    api.NewTable,
    api.TakeSeat,
    api.SeatTaken,
    api.TableList,
    api.TableAnswer,
    api.EditionList,
    api.BoardAnswer,
    api.RuleContents,
    api.RuleEntry,
    api.RuleHits,
    api.RuleComparison,
    api.Me,
    guest_api.RecoveryWish,
    guest_api.NewRecovery,
    guest_api.Recoveries,
    guest_api.Recover,
    guest_api.Recovered,
    guest_api.GuestDeleted,
    api.NewReport,
    api.ReportTaken,
    api.RatingList,
    api.MyRatings,
    api.Introduction,
    api.NewToken,
    api.RematchAnswer,
    api.ShareAnswer,
    api.ReplayAnswer,
    api.ReplayViews,
    api.DiceAnswer,
    api.Statistics,
    api.Health,
    api.Failure,
)


OWNERS: Final[list[JsonObject]] = [{}, {"guest": []}, {"seat": []}]
"""Who sat there or has set up the table says so by one of these; nobody else is let in, but for an answer why not."""
LOOKERS: Final[list[JsonObject]] = [*OWNERS, {"share": []}]
"""Who looks; without any of these as far as everybody with the link may."""


def openapi_document() -> JsonObject:
    _, schemas = schema_components(TYPES, TEMPLATE)
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
            "schemas": schemas,
            "securitySchemes": {
                "seat": {"type": "http", "scheme": "bearer", "description": "The token of a seat."},
                "share": {
                    "type": "apiKey",
                    "in": "header",
                    "name": "Authorization",
                    "description": "`Share SECRET`: the secret behind the # of a link that shows a finished game.",
                },
                "guest": {"type": "apiKey", "in": "cookie", "name": api.COOKIE, "description": "Set by the server."},
            },
        },
    }


def _paths() -> JsonObject:
    table = _parameter("table", "path", {"type": "string"}, "The id of a table.")
    color = _parameter("color", "path", {"type": "string"}, "The color of a seat.")
    status = _parameter("status", "query", {"enum": ["open", "playing", "over"]}, "Only tables of this status.")
    limit = _parameter("limit", "query", {"type": "integer", "minimum": 1, "maximum": 100}, "At most so many.")
    before = _parameter("before", "query", {"type": "number", "minimum": 0}, "Only tables made before that time.")
    fair = _parameter("fair", "query", {"type": "boolean"}, "The fairest of many boards. [default: false]")
    several = "^({0})(,({0}))*$".format("|".join(EDITIONS))
    edition = _parameter("edition", "query", {"enum": list(EDITIONS)}, f"[default: {DEFAULT_EDITION}]")
    language = _parameter("language", "query", {"enum": list(LANGUAGES)}, "[default: en]")
    rules_of_table = _parameter("table", "query", {"type": "string"}, "A table: its edition, and what it plays by.")
    theme = _parameter("theme", "query", {"enum": list(THEMES)}, "[default: light]")
    form = _parameter("form", "query", {"enum": ["text", "json"]}, "How it is written. [default: text]")
    return {
        "/healthz": {"get": _get("Whether the process is alive.", api.Health)},
        "/readyz": {"get": _get("Whether commands are taken.", api.Health, 503)},
        "/metrics": {
            "get": {
                "summary": "Figures for Prometheus.",
                "responses": {"200": _text_content("The figures.", "text/plain")},
            }
        },
        "/openapi.json": {"get": _get("This document.", None)},
        "/api/editions": {"get": _get("The editions one can play.", api.EditionList, 429)},
        "/api/statistics": {"get": _get("How much is going on.", api.Statistics, 429)},
        "/api/boards/preview": {
            "get": {
                **_get("A board that a table with these options could have.", api.BoardAnswer, 400, 429),
                "parameters": [*_preview(), fair],
            }
        },
        "/api/boards/preview.svg": {"get": {**_drawing("The same as a picture.", 400, 429), "parameters": _preview()}},
        "/api/drawings/kit.svg": {"get": _drawing("Pieces and signs.", 400, 429)},
        "/api/rules": {
            "get": {
                **_get("The almanac: its entries, and what leads to them.", api.RuleContents, 400, 404, 429),
                "parameters": [edition, language, rules_of_table],
            }
        },
        "/api/rules/entries/{entry}": {
            "get": {
                **_get("An entry by its name, a title, or what else it is called.", api.RuleEntry, 400, 404, 429),
                "parameters": [
                    _parameter("entry", "path", {"type": "string", "examples": ["longest-road"]}, "Its name."),
                    edition,
                    language,
                    rules_of_table,
                ],
            }
        },
        "/api/rules/search": {
            "get": {
                **_get("The entries that fit a text, best first.", api.RuleHits, 400, 404, 429),
                "parameters": [
                    _parameter("text", "query", {"type": "string"}, "Words, or the id of a rule."),
                    _parameter("limit", "query", {"type": "integer", "minimum": 1, "maximum": 50}, "[default: 12]"),
                    edition,
                    language,
                    rules_of_table,
                ],
            }
        },
        "/api/rules/compare": {
            "get": {
                **_get("Editions side by side.", api.RuleComparison, 400, 429),
                "parameters": [
                    _parameter(
                        "editions", "query", {"type": "string", "pattern": several}, "As in fifth,sixth. [default: all]"
                    ),
                    language,
                ],
            }
        },
        "/api/rules/examples/{example}.svg": {
            "get": {
                **_drawing("A worked example of an entry.", 400, 404, 429),
                "parameters": [
                    _parameter("example", "path", {"type": "string", "examples": ["broken"]}, "Its name in the entry."),
                    edition,
                    language,
                    rules_of_table,
                    theme,
                ],
            }
        },
        "/api/me": {
            "get": {
                **_get("The tables of the guest who asks, newest first.", api.Me, 400, 429),
                "parameters": [limit, before],
                "security": [{}, {"guest": []}],
            },
            "post": _post(
                "Say what one wants to be called; who was a stranger is known by a cookie then.",
                api.Introduction,
                api.Me,
                400,
                413,
                415,
                429,
            ),
            "delete": {
                **_get("Delete all that is kept of the guest who asks.", guest_api.GuestDeleted, 400, 403, 429),
                "parameters": [{**_parameter("confirm", "query", {"enum": ["delete"]}, "Yes, all."), "required": True}],
                "security": [{}, {"guest": []}],
            },
        },
        "/api/me/export": {
            "get": {
                **_get("All that is kept of the guest who asks.", None, 403, 429),
                "security": [{}, {"guest": []}],
            }
        },
        "/api/me/recoveries": {
            "get": {
                **_get("When was made what recovers the guest who asks.", guest_api.Recoveries, 403, 429),
                "security": [{}, {"guest": []}],
            },
            "post": _post(
                "Make something that recovers the guest who asks.",
                guest_api.RecoveryWish,
                guest_api.NewRecovery,
                *(400, 403, 413, 415, 429),
            ),
            "delete": {
                **_get("Nothing recovers the guest who asks any more.", guest_api.Recoveries, 403, 429),
                "security": [{}, {"guest": []}],
            },
        },
        "/api/me/recover": {
            "post": _post(
                "Be the guest that a text recovers.",
                guest_api.Recover,
                guest_api.Recovered,
                *(400, 403, 409, 413, 415, 429),
            )
        },
        "/api/me/ratings": {
            "get": {
                **_get("The rating of the guest who asks, and the games it came from.", api.MyRatings, 400, 429),
                "parameters": [
                    _page_size(),
                    _parameter("before", "query", _number_from(1), "Only games with smaller numbers."),
                ],
                "security": [{}, {"guest": []}],
            }
        },
        "/api/ratings": {
            "get": {
                **_get("People by their ratings, the best first.", api.RatingList, 400, 429),
                "parameters": [
                    _page_size(),
                    _parameter("skip", "query", _number_from(0, 10_000), "Begin so far down."),
                ],
                "security": [{}, {"guest": []}],
            }
        },
        "/api/me/tables/{table}/token": {
            "post": {
                **_post("One more token of the seat one holds.", None, api.NewToken, 403, 404, 429),
                "parameters": [table],
            }
        },
        "/api/tables": {
            "get": {
                **_get("The lobby: open tables that are not over, newest first.", api.TableList, 400, 429),
                "parameters": [status, limit, before],
            },
            "post": _post(
                "Set up a table and sit down at it.", api.NewTable, api.SeatTaken, 400, 403, 409, 413, 415, 429
            ),
        },
        "/api/tables/{table}": {
            "get": {
                **_get("A table through the eyes of the one who asks.", api.TableAnswer, 400, 403, 404, 429),
                "parameters": [table],
                "security": LOOKERS,
            }
        },
        "/api/tables/{table}/seats/{color}": {
            "post": {
                **_post("Sit down on a free seat.", api.TakeSeat, api.SeatTaken, 400, 403, 404, 409, 413, 415, 429),
                "parameters": [table, color],
            }
        },
        "/api/tables/{table}/reports": {
            "post": {
                **_post(
                    "Report a name, a remark or the title of a table.",
                    api.NewReport,
                    api.ReportTaken,
                    *(400, 403, 404, 413, 415, 429),
                ),
                "parameters": [table],
                "security": [{}, {"guest": []}],
            }
        },
        "/api/tables/{table}/rematch": {
            "post": {
                **_post("The table that follows a finished one.", None, api.RematchAnswer, 403, 404, 409, 429),
                "parameters": [table],
            }
        },
        "/api/tables/{table}/share": {
            "get": {
                **_get("Whether the one who asks shows a finished game.", api.ShareAnswer, 400, 403, 404, 409, 429),
                "parameters": [table],
                "security": OWNERS,
            },
            "post": {
                **_post("A link that shows a finished game.", None, api.ShareAnswer, 400, 403, 404, 409, 429),
                "parameters": [table],
                "security": OWNERS,
            },
            "delete": {
                **_get("Take that link back.", api.ShareAnswer, 400, 403, 404, 409, 429),
                "parameters": [table],
                "security": OWNERS,
            },
        },
        "/api/tables/{table}/board.svg": {
            "get": {
                **_drawing("The bare board.", 400, 403, 404, 429),
                "parameters": [table],
                "security": LOOKERS,
            }
        },
        "/api/tables/{table}/replay": {
            "get": {
                **_get("A finished game, step by step.", api.ReplayAnswer, 400, 403, 404, 409, 429),
                "parameters": [table, _eyes()],
                "security": LOOKERS,
            }
        },
        "/api/tables/{table}/replay/views": {
            "get": {
                **_get("How a finished game looked after some steps.", api.ReplayViews, 400, 403, 404, 409, 413, 429),
                "parameters": [table, _eyes(), _step("from"), _step("to")],
                "security": LOOKERS,
            }
        },
        "/api/tables/{table}/dice": {
            "get": {
                **_get(
                    "All that is needed to check the dice of a finished game.", api.DiceAnswer, 400, 403, 404, 409, 429
                ),
                "parameters": [table],
                "security": LOOKERS,
            }
        },
        "/api/tables/{table}/summary": {
            "get": {
                **_get("A finished game in numbers.", None, 400, 403, 404, 409, 429),
                "parameters": [table],
                "security": LOOKERS,
            }
        },
        "/api/tables/{table}/record": {
            "get": {
                "summary": "The record: of a finished game whole, of a running one what the asker has seen.",
                "parameters": [table, form],
                "security": LOOKERS,
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


def _preview() -> list[JsonObject]:
    """The options that a board depends on; all others are understood too."""
    seed: JsonObject = {"type": "integer", "minimum": 0, "maximum": api.LARGEST_BOARD_SEED}
    small: JsonObject = {"type": "string", "maxLength": 40}
    return [
        _parameter("edition", "query", {"enum": list(EDITIONS)}, f"[default: {DEFAULT_EDITION}]"),
        _parameter("players", "query", {"type": "integer", "minimum": 2, "maximum": 4}, "How many play."),
        _parameter("setup", "query", {"enum": list(SETUPS)}, f"[default: {DEFAULT_SETUP}]"),
        _parameter("numbers", "query", small, "How numbers come to lie."),
        _parameter("harbors", "query", small, "How harbors come to lie."),
        _parameter("map", "query", {"type": "integer", "minimum": 1, "maximum": ZIP_MAPS}, "A printed map."),
        _parameter("seed", "query", seed, "[default: a new one]"),
    ]


def _page_size() -> JsonObject:
    return _parameter("limit", "query", _number_from(1, 100), "At most so many. [default: 50]")


def _number_from(least: int, most: int = 10**9 - 1) -> JsonObject:
    return {"type": "integer", "minimum": least, "maximum": most}


def _eyes() -> JsonObject:
    return _parameter("eyes", "query", {"type": "string"}, "A color, public or referee. [default: public]")


def _step(name: str) -> JsonObject:
    return _parameter(name, "query", {"type": "integer", "minimum": 0}, "A step; 0 is before the first one.")


def _drawing(summary: str, *failures: int) -> JsonObject:
    return {"summary": summary, "responses": {"200": _text_content(summary, "image/svg+xml"), **_failures(*failures)}}


def _get(summary: str, answer: type[msgspec.Struct] | None, *failures: int) -> JsonObject:
    return {"summary": summary, "responses": {"200": _json_content(summary, answer), **_failures(*failures)}}


def _post(summary: str, body: type[msgspec.Struct] | None, answer: type[msgspec.Struct], *failures: int) -> JsonObject:
    responses = {"201": _json_content("Done.", answer), **_failures(*failures)}
    operation: JsonObject = {"summary": summary, "responses": responses, "security": [{}, {"guest": []}]}
    if body is not None:
        operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": _reference(body)}}}
    return operation


def _failures(*statuses: int) -> JsonObject:
    """Statuses of refusals; those of the middleware (403, 421) and of accidents (500) can come anywhere."""
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
    responses: JsonObject = {str(status): _json_content(words[status], api.Failure) for status in statuses}
    responses["default"] = _json_content("Anything else that went wrong.", api.Failure)
    return responses


def _json_content(description: str, answer: type[msgspec.Struct] | None) -> JsonObject:
    schema = {"type": "object"} if answer is None else _reference(answer)
    return {"description": description, "content": {"application/json": {"schema": schema}}}


def _text_content(description: str, media_type: str) -> JsonObject:
    return {"description": description, "content": {media_type: {"schema": {"type": "string"}}}}


def _reference(struct: type[msgspec.Struct]) -> JsonObject:
    return {"$ref": TEMPLATE.format(name=struct.__name__)}


def _parameter(name: str, where: str, schema: JsonObject, text: str) -> JsonObject:
    return {"name": name, "in": where, "required": where == "path", "schema": schema, "description": text}
