"""The schema of everything that is sent: message classes by msgspec, and the shapes of plain data beside them.

Events, prompts and summaries are described by the fields of their own classes; the lists of names come from the
rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Annotated, Any, Final, Literal, NotRequired, TypedDict, get_args, get_origin, get_type_hints

import msgspec

from hexholm.game.action import PLAYER_ACTIONS
from hexholm.game.cards import Cards
from hexholm.game.events import EVENTS
from hexholm.game.events.kinds import AWARDS
from hexholm.game.events.prompts import Ask, Prompt
from hexholm.game.pictures import PAINTS
from hexholm.game.records.summary import GAINED, LOST, Summary
from hexholm.game.views.view_shapes import ViewShape
from hexholm.rules.colors import Color
from hexholm.rules.names import CARD_KINDS, PHASES, PIECE_KINDS, RESOURCES, TERRAINS

from ...table_literals import Wish
from ..host_refusals import HTTP_STATUS
from ..messages import TABLE_CHANGES
from ..reason_values import REASON_VALUES
from ..shapes import (
    BY_COLOR,
    ENDING,
    MARK,
    CardCountsData,
    CardKindData,
    CardsData,
    ColorData,
    JsonObject,
    PhaseData,
    ReasonShape,
    ReplayResultShape,
    ReplayViewShape,
    ResourceData,
    named_shape,
)

_PIECE = Annotated[str, named_shape("PieceKind")]
_AWARD = Annotated[str, named_shape("Award")]
_RESOURCE_COUNTS = Annotated[dict[str, int], named_shape("ResourceCounts")]
_CARDS = Annotated[dict[str, int], named_shape("AllCardCounts")]
_NARROWED_TYPES: Final[dict[tuple[str, str], Any]] = {
    ("Built", "piece"): _PIECE,
    ("LimitTile", "piece"): _PIECE,
    ("AwardMoved", "award"): _AWARD,
    ("AwardChange", "award"): _AWARD,
    ("SupplyShort", "resource"): ResourceData,
    ("Monopolised", "resource"): ResourceData,
    ("Stole", "card"): ResourceData | None,
    ("Drew", "card"): CardKindData | None,
    ("PlayedCard", "card"): CardKindData,
    ("Prompt", "parts"): tuple[Literal["trade", "build", "buy", "play", "end"], ...],
    ("Prompt", "player"): ColorData,
    ("Prompt", "number"): int,
    ("Prompt", "give"): CardsData,
    ("Prompt", "want"): CardsData,
    ("Prompt", "cards"): tuple[CardKindData, ...],
    ("PlayerViewShape", "points"): Annotated[
        int, msgspec.Meta(description="What everybody sees; one's own with hidden points.")
    ],
    ("PlayerViewShape", "played"): CardCountsData,
    ("PlayerViewShape", "left"): Annotated[dict[str, int | None], named_shape("PiecesLeft")],
    ("PlayerViewShape", "ranges"): Annotated[dict[str, tuple[int, int]], named_shape("CardRanges")],
    ("OfferViewShape", "give"): CardsData,
    ("OfferViewShape", "take"): CardsData,
    ("ViewShape", "phase"): PhaseData,
    ("ViewShape", "supply"): CardsData,
    ("ViewShape", "hand"): CardsData,
    ("ViewShape", "development"): CardCountsData,
    ("ViewShape", "new"): CardCountsData,
    ("ViewShape", "rates"): _RESOURCE_COUNTS,
    ("PlayerSummary", "gained"): Annotated[JsonObject, named_shape("GainedCards")],
    ("PlayerSummary", "lost"): Annotated[JsonObject, named_shape("LostCards")],
    ("PlayerSummary", "hand"): _RESOURCE_COUNTS,
    ("PlayerSummary", "blocked"): _RESOURCE_COUNTS,
    ("PlayerSummary", "unpaid"): _RESOURCE_COUNTS,
    ("PlayerSummary", "built"): Annotated[dict[str, int], named_shape("BuiltPieces")],
    ("PlayerSummary", "played"): _CARDS,
    ("PlayerSummary", "unplayed"): _CARDS,
}
"""Fields whose class says less than is true: any text, any key."""
_PROMPTS: Final[dict[Ask, str]] = {
    "settlement": "number active",
    "road": "active",
    "roll": "cards? active",
    "discard": "number begun? active?",
    "robber": "active",
    "victim": "players active",
    "free_road": "number optional? active",
    "main": "parts active",
    "offer": "player number give want able? active?",
    "offers": "number active?",
    "confirm": "players number active",
    "wait": "players?",
    "start_roll": "player",
    "dice": "player",
    "theft": "player players",
    "draw": "player",
    "over": "player",
    "stopped": "",
}
"""The fields of each prompt beside `ask` and `to`. With a `?` those that are left out where they say nothing."""
_RENAMED: Final = {"Dice": "DiceSummary", "Luck": "LuckSummary"}
"""Names that would say too little among all others."""


def _literals(names: Iterable[str]) -> JsonObject:
    return {"enum": list(names)}


def _counts(names: Iterable[str], value_schema: JsonObject | None = None, *, required: bool = True) -> JsonObject:
    """An object with a number, or what else `of` says, for each name."""
    keys = list(names)
    schema: JsonObject = {"type": "object", "properties": {key: value_schema or {"type": "integer"} for key in keys}}
    return {**schema, "required": keys} if required else schema


def _fields_of(cls: Any) -> Any:
    """The TypedDict of a dataclass."""
    hints = get_type_hints(cls, include_extras=True)
    types = {
        field.name: _sent_type(_NARROWED_TYPES.get((cls.__name__, field.name), hints[field.name]))
        for field in fields(cls)
    }
    return _typed_dict(_RENAMED.get(cls.__name__, cls.__name__), cls.__doc__, types)


@cache
def _narrowed_shape(cls: Any, alias: str = "") -> Any:
    """A TypedDict with what is known of its fields (:data:`_NARROWED_TYPES`), and of those of the shapes in it."""
    types = {}
    for name, hint in get_type_hints(cls, include_extras=True).items():
        optional = get_origin(hint) is NotRequired
        field_type = get_args(hint)[0] if optional else hint
        if get_origin(field_type) is list:
            field_type = list.__class_getitem__(_narrowed_shape(get_args(field_type)[0]))
        field_type = _sent_type(_NARROWED_TYPES.get((alias or cls.__name__, name), field_type))
        types[name] = NotRequired.__getitem__(field_type) if optional else field_type
    return _typed_dict(cls.__name__, cls.__doc__, types)


def _typed_dict(name: str, doc: str | None, types: Mapping[str, Any]) -> Any:
    make: Any = TypedDict
    typed_dict = make(name, dict(types))
    typed_dict.__doc__ = doc
    return typed_dict


def _sent_type(hint: Any) -> Any:
    """The type of a field as it is sent."""
    if hint is Cards:
        return CardsData
    if hint == Color:
        return ColorData
    if hint == Color | None:
        return ColorData | None
    if get_origin(hint) is dict:
        key, value = get_args(hint)
        sent = dict.__class_getitem__((str, _sent_type(value)))
        return Annotated[sent, BY_COLOR] if key == Color else sent
    if get_origin(hint) is tuple and get_args(hint)[-1] is Ellipsis:
        return tuple.__class_getitem__((_sent_type(get_args(hint)[0]), ...))
    if Cards in get_args(hint):
        return CardsData | None
    return _fields_of(hint) if is_dataclass(hint) and isinstance(hint, type) else hint


def _event_shape(name: str, cls: type) -> Any:
    tag = {"event": Annotated[str, named_shape(f"={name}")]}
    return _typed_dict(f"{cls.__name__}Event", cls.__doc__, tag | _fields_of(cls).__annotations__)


def _prompt_shape(ask: str, field_names: str) -> Any:
    prompt_types = _fields_of(Prompt).__annotations__
    types = {"ask": Annotated[str, named_shape(f"={ask}")], "to": prompt_types["to"]}
    for name in field_names.split():
        field_type = prompt_types[name.rstrip("?")]
        types[name.rstrip("?")] = NotRequired[field_type] if name.endswith("?") else field_type
    return _typed_dict(f"{ask.title().replace('_', '')}Prompt", "", types)


def _reason_variants() -> list[JsonObject]:
    """The reasons, those with the same values together; without any both fields may be left out."""
    variants: dict[bytes, JsonObject] = {}
    for why, types in REASON_VALUES.items():
        values: JsonObject = {"type": "object", "additionalProperties": False}
        if types:
            values["properties"] = {name: msgspec.json.schema(kind) for name, kind in types.items()}
            values["required"] = list(types)
        properties: JsonObject = {"why": _literals([]), "values": values}
        variant: JsonObject = {
            "type": "object",
            "properties": properties,
            "required": list(properties) if types else [],
        }
        variants.setdefault(msgspec.json.encode(values), variant)["properties"]["why"]["enum"].append(why)
    return list(variants.values())


def _definitions() -> tuple[list[Any], JsonObject]:
    """Types for msgspec to describe, and schemas that are made here."""
    events = [_event_shape(name, cls) for name, cls in EVENTS.items()]
    prompts = [_prompt_shape(ask, field_names) for ask, field_names in _PROMPTS.items()]
    own = {
        "ActionKind": {
            "description": "The word that an action of a player begins with (docs/formats/actions.md).",
            **_literals(PLAYER_ACTIONS),
        },
        "Color": _literals(PAINTS),
        "Speaker": {
            "description": "The color of whoever says something. Empty: those who watch.",
            "anyOf": [{MARK: "Color"}, {"const": ""}],
        },
        "Resource": _literals(RESOURCES),
        "CardKind": _literals(CARD_KINDS),
        "PieceKind": _literals(PIECE_KINDS),
        "Award": _literals(AWARDS),
        "Terrain": _literals(TERRAINS),
        "Phase": _literals(phase.name for phase in PHASES),
        "TableChange": _literals(TABLE_CHANGES),
        "RefusalCode": _literals(HTTP_STATUS),
        "NamedReason": {
            "description": "A reason by its name, of the rules or of the host, with what its sentence is made with. "
            "Empty: it has none.",
            "anyOf": _reason_variants(),
        },
        "TableOptions": {
            "description": "What is played, by the name of the option.",
            "type": "object",
            "additionalProperties": {
                "anyOf": [
                    {"type": "string"},
                    {"type": "integer"},
                    {"type": "boolean"},
                    {"type": "null"},
                    {"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "integer"}]}},
                ]
            },
        },
        "Wishes": {
            "description": "Who asks for what.",
            "type": "object",
            "properties": {wish: {"type": "array", "items": {MARK: "Color"}} for wish in get_args(Wish)},
        },
        "Cards": _counts(RESOURCES, required=False),
        "CardCounts": _counts(CARD_KINDS, required=False),
        "AllCardCounts": _counts(CARD_KINDS),
        "ResourceCounts": _counts(RESOURCES),
        "BuiltPieces": _counts(PIECE_KINDS),
        "PiecesLeft": {
            "description": "Pieces in hand; null: as many as one wants.",
            **_counts(PIECE_KINDS, {"anyOf": [{"type": "integer"}, {"type": "null"}]}),
        },
        "Costs": _counts((*PIECE_KINDS, "card"), {MARK: "Cards"}),
        "Worth": _counts(("settlement", "city", *AWARDS)),
        "Refusals": {
            "description": "Why not, by kind of action.",
            **_counts((*PLAYER_ACTIONS, "take_back"), {MARK: "Reason"}, required=False),
        },
        "CardRanges": _counts(
            RESOURCES,
            {"type": "array", "prefixItems": [{"type": "integer"}] * 2, "minItems": 2, "maxItems": 2},
            required=False,
        ),
        "GainedCards": _counts(GAINED, {MARK: "ResourceCounts"}),
        "LostCards": _counts(LOST, {MARK: "ResourceCounts"}),
        "GameEvent": {
            "description": "What happened, by its `event` (docs/formats/events.md).",
            "anyOf": [{MARK: variant.__name__} for variant in events],
        },
        "Prompt": {
            "description": f"{Prompt.__doc__}".partition(" Only")[0] + " By its `ask`.",
            "anyOf": [{MARK: variant.__name__} for variant in prompts],
        },
    }
    views = [_narrowed_shape(ViewShape), _narrowed_shape(ReplayViewShape, ViewShape.__name__)]
    return [*views, ReplayResultShape, ReasonShape, _fields_of(Summary), *events, *prompts], own


def schema_components(types: Iterable[Any], template: str) -> tuple[tuple[JsonObject, ...], JsonObject]:
    """As `msgspec.json.schema_components`, with the shapes that fields name."""
    root_types = list(types)
    shapes, own = _definitions()
    root_schemas, definitions = msgspec.json.schema_components([*root_types, *shapes], ref_template=template)
    all_definitions = {_outside_name(name): schema for name, schema in definitions.items()} | own
    resolved: Any = _resolve_names([list(root_schemas[: len(root_types)]), all_definitions], template)
    return tuple(resolved[0]), resolved[1]


def _outside_name(name: str) -> str:
    """What a type is called in the schema: a shape without the ending that it has in Python."""
    return name.removesuffix(ENDING)


def _resolve_names(schema: Any, template: str) -> Any:
    """The schema with references in place of marks, and all types by their names outside."""
    if isinstance(schema, list):
        return [_resolve_names(part, template) for part in schema]
    if not isinstance(schema, Mapping):
        return schema
    mark = schema.get(MARK)
    if mark is None:
        return {
            key: _outside_name(value)
            if key in ("$ref", "title") and isinstance(value, str)
            else _resolve_names(value, template)
            for key, value in _mixed_in(schema).items()
        }
    if mark.startswith("="):
        return {"const": mark[1:]}
    named = {"$ref": template.format(name=mark)}
    no_name = schema.get("default", "") == ""  # an empty text is no name of the list
    return named if no_name else {**named, "default": schema["default"]}


def _mixed_in(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schema with the shapes as a whole of which it has the fields (`&`)."""
    properties = schema.get("properties", {})
    marks = {name: str(part.get(MARK, "")) for name, part in properties.items() if isinstance(part, Mapping)}
    mixed = sorted({mark[1:] for mark in marks.values() if mark.startswith("&")})
    if not mixed:
        return schema
    own = {name: part for name, part in properties.items() if not marks[name].startswith("&")}
    kept = {key: value for key, value in schema.items() if key != "additionalProperties"}
    return {**kept, "properties": own, "unevaluatedProperties": False, "allOf": [{MARK: name} for name in mixed]}
