"""What a player says about a choice: the best few actions, with the chances they give and a reason in plain words.

Every player explains itself by one judgement of positions (docs/decisions/0008): its own if it has one, else that of
`medium`. All actions that are legal are weighed one action ahead, as `medium` does it. An exchange between players is
weighed for both sides, an offer or a counter-offer as if it were agreed to, and a refusal leaves everything as it is.
What decides is not always that chance: manners go before it, and an answer before the rest of the turn. Reasons say so.

Only the view is looked at and nothing is drawn by lot, so two worlds that look alike are explained alike. Nothing is
worked out before somebody asks.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hexholm.game.action import Action
from hexholm.rules import mode
from hexholm.rules.compiled import fast
from hexholm.rules.core.encoding.structs import State, Talk, Work
from hexholm.rules.initial_state import box_of

from ..judgement import judgement
from ..kernels.choice import bot_weigh
from ..kernels.lookahead import COPIES
from ..kernels.mind import Mind
from ..protocol import Thought, choice_code
from .reasons import Weighed, reason_against, reason_for

if TYPE_CHECKING:
    from hexholm.game.game import SeatView

MOST_EXPLAINED: Final = 5
"""So many actions are explained."""
KERNELS: Final = frozenset({"bot_weigh"})


def explain_choice(
    view: SeatView,
    chosen: Action | str | int,
    *,
    judges_by: str = "medium",
    compiled: bool | None = None,
    decided: str = "",
) -> list[Thought]:
    """The action that was chosen on a view, as `choose` may answer, and the best of all others that are legal.

    `compiled`: whether compiled code weighs them; None: if it lies ready. `decided`: how a player has chosen that does
    not go by this judgement; said where another action looks better.
    """
    code = choice_code(chosen, view.colors, view.raw.observer)
    codes = list(dict.fromkeys((code, *view.legal_actions.codes)))
    values, left = _weigh(view, codes, judges_by, compiled)
    return thoughts(view, code, zip(codes, values, strict=True), None if decided else left, decided)


def thoughts(
    view: SeatView, chosen: int, weighed: Iterable[tuple[int, float]], left: Weighed | None = None, decided: str = ""
) -> list[Thought]:
    """Actions with their chances as thoughts: what was chosen first, then the best of the others.

    `left`: what was left of weighing them, to say why an exchange is not agreed to; `decided` as for `explain_choice`.
    """
    order = sorted((code != chosen, -value, code) for code, value in weighed)
    told = [
        Thought(Action.of_code(code, view.colors, view.seat), -value, reason_for(view, code, left))
        for _, value, code in order[:MOST_EXPLAINED]
    ]
    if len(told) > 1 and told[1].chance > told[0].chance:
        why = f"; chosen {decided}" if decided else reason_against(view, chosen, order[1][2], left)
        told[0] = replace(told[0], reason=told[0].reason + why)
    return told


def _weigh(view: SeatView, codes: list[int], judges_by: str, compiled: bool | None) -> tuple[list[float], Weighed]:
    """The own chance after each of these actions, and what was left of weighing them."""
    weigh: Any = fast().bot_weigh if (mode.ready(KERNELS) if compiled is None else compiled) else bot_weigh
    copies, values = np.zeros((COPIES, State.size), np.uint8), np.zeros(len(codes))
    mind, net, box = Mind(), judgement(judges_by).rows, box_of(view.options.edition_data)
    scratch = [struct.buffer for struct in (Talk(), Work(), mind)]
    weigh(view.raw.buffer, copies, *scratch, net, box, np.array(codes, np.int64), values)
    return [float(value) for value in values], Weighed(State(copies[0]), mind, net)
