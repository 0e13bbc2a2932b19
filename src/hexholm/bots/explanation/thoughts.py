"""What a player says about a choice: the best few actions, with the chances they give and a reason in plain words.

Every player explains itself by one judgment of positions (docs/decisions/0008): its own if it has one, else that of
`medium`. All actions that are legal are weighed one action ahead, as `medium` does it. An exchange between players is
weighed for both sides, an offer or a counter-offer as if it were agreed to, and a refusal leaves everything as it is.
What decides is not always that chance: manners go before it, and an answer before the rest of the turn. Reasons say so.

Only the view is looked at and nothing is drawn by lot, so two worlds that look alike are thoughts alike. Nothing is
worked out before somebody asks.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hexholm.game.action import Action, AnyAction
from hexholm.rules.compilation import mode
from hexholm.rules.compilation.kernels import fast
from hexholm.rules.encoding.structs import OpenOffers, Scratch, State
from hexholm.rules.initial_state import full_deck

from ..judgment import shipped_judgment
from ..kernels.choice import bot_weigh
from ..kernels.lookahead import COPIES
from ..kernels.mind import Mind
from ..protocol import Thought, choice_code
from .reasons import Weighing, reason_against, reason_for

if TYPE_CHECKING:
    from hexholm.game.game import SeatView

MOST_EXPLAINED: Final = 5
"""So many actions are thoughts."""
WEIGHING_KERNELS: Final = frozenset({"bot_weigh"})


def explain_choice(
    view: SeatView,
    choice: AnyAction,
    *,
    judges_by: str = "medium",
    compiled: bool | None = None,
    decided: str = "",
) -> list[Thought]:
    """The action that was chosen on a view, as `choose` may answer, and the best of all others that are legal.

    `compiled`: whether compiled code weighs them; None: if it lies ready. `decided`: how a player has chosen that does
    not go by this judgment; said where another action looks better.
    """
    code = choice_code(choice, view.colors, view.raw.observer)
    codes = list(dict.fromkeys((code, *view.legal_actions.codes)))
    probabilities, weighing = _weigh(view, codes, judges_by, compiled)
    return make_thoughts(view, code, zip(codes, probabilities, strict=True), None if decided else weighing, decided)


def make_thoughts(
    view: SeatView,
    chosen_code: int,
    probabilities: Iterable[tuple[int, float]],
    weighing: Weighing | None = None,
    decided: str = "",
) -> list[Thought]:
    """Actions with their chances as thoughts: what was chosen first, then the best of the others.

    `weighing` says why an exchange is not agreed to; `decided` as for `explain_choice`.
    """
    order = sorted((code != chosen_code, -probability, code) for code, probability in probabilities)
    thoughts = [
        Thought(Action.of_code(code, view.colors, view.seat), -negated, reason_for(view, code, weighing))
        for _, negated, code in order[:MOST_EXPLAINED]
    ]
    if len(thoughts) > 1 and thoughts[1].win_probability > thoughts[0].win_probability:
        objection = f"; chosen {decided}" if decided else reason_against(view, chosen_code, order[1][2], weighing)
        thoughts[0] = replace(thoughts[0], reason=thoughts[0].reason + objection)
    return thoughts


def _weigh(view: SeatView, codes: list[int], judges_by: str, compiled: bool | None) -> tuple[list[float], Weighing]:
    """The own chance after each of these actions, and what was left of weighing them."""
    weigh: Any = fast().bot_weigh if (mode.are_ready(WEIGHING_KERNELS) if compiled is None else compiled) else bot_weigh
    copies, probabilities = np.zeros((COPIES, State.size), np.uint8), np.zeros(len(codes))
    mind, net, deck = Mind(), shipped_judgment(judges_by).rows, full_deck(view.options.edition_data)
    buffers = [struct.buffer for struct in (OpenOffers(), Scratch(), mind)]
    weigh(view.raw.buffer, copies, *buffers, net, deck, np.array(codes, np.int64), probabilities)
    return [float(probability) for probability in probabilities], Weighing(State(copies[0]), mind, net)
