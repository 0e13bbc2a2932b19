"""A game through one pair of eyes, as it is sent: what is there, what is asked, what may be done and why the rest not.

All of it is made of a `SeatView` alone. What is asked and what is refused are shared as the parts of
:mod:`hexholm.game.views.view_data` are: nobody may change them.
"""

from __future__ import annotations

from typing import Final, cast

from hexholm.game.events.prompts import Prompt
from hexholm.game.game import Game, SeatView
from hexholm.game.views.view_data import DataCache, view_data
from hexholm.rules.compilation import mode

from .host_refusals import Refusal
from .messages import Projection
from .shapes import JsonObject, ReasonShape

_prompts: Final = DataCache[JsonObject]()
_refusals: Final = DataCache[dict[str, ReasonShape]]()
PROJECTION_CACHES: Final = (_prompts, _refusals)


def prompt_data(prompt: Prompt) -> JsonObject:
    """What is asked, as data."""
    return _prompts.part(prompt, prompt.as_dict)


def refusals_data(view: SeatView) -> dict[str, ReasonShape]:
    """Why the kinds of action that are not possible now are not: `rule`, `message`, `why` and `values` of each."""
    if view.seat is None:
        return {}
    return _refusals.part(
        (view.options, view.stopped or view.kind_verdicts),
        lambda: {kind: Refusal.of_rules(reason).as_reason() for kind, reason in view.hindrances.items()},
    )


def project(
    view: SeatView,
    question_number: int,
    *,
    ranges: bool = False,
    deadline: float | None = None,
) -> Projection:
    """The whole projection, but for what a table with a real board adds."""
    return Projection(
        color=view.seat,
        view=cast("JsonObject", view_data(view, ranges=ranges)),
        question_number=question_number,
        asked=view.asked,
        prompt=prompt_data(view.current_prompt),
        legal=tuple(view.legal_actions.texts),
        refusals=cast("dict[str, JsonObject]", refusals_data(view)),
        deadline=deadline,
    )


def _use_once(compiled: bool | None) -> None:
    game = Game(seed=0, compiled=compiled)
    project(game.view(game.to_act[0]), 1, ranges=True)
    project(game.glance(None), 1)


mode.register("wire", _use_once)
