"""What a player says about a choice: the best few actions, with the chances they give and a reason in plain words.

Every player explains itself by one judgement of positions (docs/decisions/0008): its own if it has one, else that of
`medium`. All actions that are legal are weighed one action ahead, as `medium` does it. An exchange between players is
weighed for both sides, an offer or a counter-offer as if it were agreed to, and a refusal leaves everything as it is.

Only the view is looked at and nothing is drawn by lot, so two worlds that look alike are explained alike. Nothing is
worked out before somebody asks.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hexholm.game.action import Action
from hexholm.game.odds import box_of
from hexholm.rules.compiled import fast, is_warm
from hexholm.rules.core.layout import State, Talk, Work

from .judgement import judgement
from .kernels.choosing import ROOMS
from .kernels.deciding import bot_weigh
from .kernels.layout import Mind
from .protocol import Thought
from .reasons import reason_for

if TYPE_CHECKING:
    from hexholm.game.seat_view import SeatView

EXPLAINED: Final = 5
"""So many actions are explained."""


def explained(view: SeatView, chosen: int, *, judges_by: str = "medium", compiled: bool | None = None) -> list[Thought]:
    """The action that was chosen on a view, by its code, and the best of all others that are legal.

    `compiled`: whether compiled code weighs them; None: if it lies ready.
    """
    codes = list(dict.fromkeys((chosen, *view.legal_actions.codes)))
    return thoughts(view, chosen, zip(codes, _weighed(view, codes, judges_by, compiled), strict=True))


def thoughts(view: SeatView, chosen: int, weighed: Iterable[tuple[int, float]]) -> list[Thought]:
    """Actions with their chances as thoughts: what was chosen first, then the best of the others."""
    order = sorted((code != chosen, -value, code) for code, value in weighed)
    return [
        Thought(Action.of_code(code, view.colors, view.seat), -value, reason_for(view, code))
        for _, value, code in order[:EXPLAINED]
    ]


def _weighed(view: SeatView, codes: list[int], judges_by: str, compiled: bool | None) -> list[float]:
    """The own chance after each of these actions."""
    weigh: Any = fast().bot_weigh if compiled or (compiled is None and is_warm("bot_weigh")) else bot_weigh
    rooms, values = np.zeros((ROOMS, State.size), np.uint8), np.zeros(len(codes))
    scratch = [record.buffer for record in (Talk(), Work(), Mind())]
    net, box = judgement(judges_by).rows, box_of(view.options.edition_data)
    weigh(view.raw.buffer, rooms, *scratch, net, box, np.array(codes, np.int64), values)
    return [float(value) for value in values]
