"""The shapes of what is sent as plain data: views, events, prompts, reasons, summaries.

The host makes these dictionaries once and shares them (:mod:`.projection`), so they are no message classes.
`ReasonShape` and its like say what is in one; those of views stand beside what makes views
(:mod:`hexholm.game.views.view_shapes`). A field that holds one is annotated `ViewData`, `EventData` and so on: that
names the shape, and :mod:`.description.schemas` puts it into the JSON Schema, the OpenAPI document and the
TypeScript types.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, NotRequired, TypedDict

from msgspec import Meta

from hexholm.game.result import GameEnding
from hexholm.game.views.view_shapes import ViewShape
from hexholm.rules.colors import Color

JsonObject = dict[str, Any]
MARK: Final = "x-shape"
"""Under this key a schema names the shape that it stands for."""
ENDING: Final = "Shape"
"""Of the classes here; in the schema and in TypeScript they are called without it."""


def named_shape(name: str) -> Meta:
    """An annotation: what is sent here has the shape of this name.

    After `=` it is the name itself; after `&` it is a part of that shape, whose fields stand among those beside it.
    """
    return Meta(extra_json_schema={MARK: name})


ColorData = Annotated[Color, named_shape("Color")]
SpeakerData = Annotated[Color, named_shape("Speaker")]
"""The color of whoever says something; "": those who watch."""
BY_COLOR: Final = Meta(extra_json_schema={"propertyNames": {MARK: "Color"}})
"""An annotation: the keys of a dictionary are colors, as many of them as there is something to say of."""
ResourceData = Annotated[str, named_shape("Resource")]
CardKindData = Annotated[str, named_shape("CardKind")]
TerrainData = Annotated[str, named_shape("Terrain")]
PhaseData = Annotated[str, named_shape("Phase")]
ReasonNameData = Annotated[str, named_shape("&NamedReason")]
ReasonValuesData = Annotated[JsonObject, named_shape("&NamedReason")]
"""The two that make a `NamedReason`: which values there are follows from the name."""
RefusalCodeData = Annotated[str, named_shape("RefusalCode")]
TableChangeData = Annotated[str, named_shape("TableChange")]
WishesData = Annotated[dict[str, tuple[str, ...]], named_shape("Wishes")]
CardsData = Annotated[dict[str, int], named_shape("Cards")]
CardCountsData = Annotated[dict[str, int], named_shape("CardCounts")]
ViewData = Annotated[JsonObject, named_shape("View")]
ReplayViewData = Annotated[JsonObject, named_shape("ReplayView")]
EventData = Annotated[JsonObject, named_shape("GameEvent")]
PromptData = Annotated[JsonObject, named_shape("Prompt")]
OptionsData = Annotated[JsonObject, named_shape("TableOptions")]
RefusalsData = Annotated[dict[str, JsonObject], named_shape("Refusals")]
ResultData = Annotated[JsonObject, named_shape("ReplayResult")]


class HoldingShape(TypedDict):
    """What a player held at a moment of a finished game, for the eyes of the referee."""

    hand: CardsData
    cards: CardCountsData
    new: CardCountsData
    chosen: CardsData
    points: int


class TruthShape(TypedDict):
    """All cards at a moment of a finished game."""

    players: Annotated[dict[ColorData, HoldingShape], BY_COLOR]
    supply: CardsData
    deck: CardCountsData


class ReplayViewShape(ViewShape):
    """A moment of a finished game; `truth` is there for the eyes of the referee."""

    truth: NotRequired[TruthShape]


class ReplayResultShape(TypedDict, total=False):
    """How a finished game ended; empty where nothing is known of it."""

    how: GameEnding
    winner: ColorData | None
    points: Annotated[dict[ColorData, int], BY_COLOR]
    note: str


class ReasonShape(TypedDict):
    """Why a kind of action is not possible: a name and values for the catalogue, and the English sentence."""

    rule: str
    message: str
    why: ReasonNameData
    values: ReasonValuesData
