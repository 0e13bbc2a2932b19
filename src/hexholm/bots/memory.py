"""What a player remembers of its own offers: those of this turn, and all of the game that came to nothing.

Nobody likes to be asked again what they have refused, so a player never makes an offer twice that came to nothing: the
same cards for the same cards, whoever is asked. One that was carried out may be made again on a later turn.

Whether an offer was carried out is seen by the own hand: on the own turn nothing else changes it between two decisions.
What comes of a counter-offer on the turn of another is not always seen, and so none is ever made twice.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from hexholm.rules.core.encoding import actions as act

from .kernels.mind import REFUSED

if TYPE_CHECKING:
    from hexholm.game.action import Action
    from hexholm.game.game import SeatView

_SPEECH: Final = ("offer", "counter")


class Memory:
    """The memory of one player in one game."""

    def __init__(self) -> None:
        self.turn = -1
        self.said: list[int] = []
        """What was offered on this turn (:func:`terms`)."""
        self.countered: set[str] = set()
        """Whose offers were countered on this turn."""
        self.refused: dict[int, int] = {}
        """What came to nothing, or may still do so, and on which turn it was said; the oldest first."""
        self._hoped: tuple[int, int] | None = None
        """What was offered last, and the hand at that time."""

    def look(self, view: SeatView) -> None:
        """Take in what has become of the last offer; to be called before every decision."""
        if self._hoped is not None:
            offered, hand = self._hoped
            if _hand(view) == hand + act.want_of(offered) - act.give_of(offered):
                self.refused.pop(offered, None)
            if not _is_open(view, offered):
                self._hoped = None
        if view.turn < self.turn:  # something was taken back, or another game has begun
            self.refused = {offered: when for offered, when in self.refused.items() if when < view.turn}
        if view.turn != self.turn:
            self.turn, self.said, self.countered, self._hoped = view.turn, [], set(), None

    def note(self, view: SeatView, code: int) -> None:
        """Keep in mind what was decided on a view."""
        kind, known = code & 31, view.facts
        if kind in (act.OFFER, act.COUNTER):
            offered = terms(act.give_of(code), act.want_of(code))
            self._keep(offered, view.turn)
            if kind == act.OFFER:
                self.said.append(offered)
            else:
                self.countered.add(view.colors[known.offer_maker[act.to_of(code)]])
        elif kind == act.CONFIRM:
            slot = act.parameter_of(code) & 7
            offered = terms(known.offer_give[slot], known.offer_want[slot])
        else:
            return
        if view.active == view.seat:
            self._hoped = offered, _hand(view)

    def remind(self, turn: int, said: Iterable[Action], countered: Iterable[str] = ()) -> None:
        """Forget what was said from `turn` on but for this: a game was taken back, or resumed."""
        self.refused = {offered: when for offered, when in self.refused.items() if when < turn}
        spoken = [action for action in said if action.kind in _SPEECH]
        for action in spoken:
            self._keep(terms_of(action), turn)
        self.turn, self._hoped = turn, None
        self.said = [terms_of(action) for action in spoken if action.kind == "offer"]
        self.countered = set(countered)

    def _keep(self, offered: int, turn: int) -> None:
        self.refused.setdefault(offered, turn)
        if len(self.refused) > REFUSED:
            del self.refused[next(iter(self.refused))]


def terms(give: int, want: int) -> int:
    """What is given for what (lanes), as the code of an offer to nobody."""
    return act.offer(give, want, 0)


def terms_of(action: Action) -> int:
    """What an offer or counter-offer gives for what."""
    assert action.give is not None
    assert action.take is not None
    return terms(action.give.lanes, action.take.lanes)


def _is_open(view: SeatView, offered: int) -> bool:
    """Whether an own offer of these cards still waits for an answer."""
    known = view.facts
    told = zip(known.offer_maker, known.offer_give, known.offer_want, strict=True)
    return any(give and maker == known.observer and terms(give, want) == offered for maker, give, want in told)


def _hand(view: SeatView) -> int:
    """The own resource cards (lanes)."""
    known = view.facts
    return known.hand[known.observer]
