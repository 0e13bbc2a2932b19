"""What a player remembers of its own offers: those of this turn, and all of the game that came to nothing.

Nobody likes to be asked again what they have refused, so a player never makes an offer twice that came to nothing: the
same cards for the same cards, whoever is asked. One that was carried out may be made again on a later turn.

Whether an offer was carried out is seen by the own hand: on the own turn nothing else changes it between two decisions.
What comes of a counter-offer on the turn of another is not always seen, and so none is ever made twice.

:class:`Memory` is what a player keeps for itself. For players that are made anew in mid-game, and so have none,
:class:`OfferLog` keeps the same for all seats of a game that is seen in full, and :class:`OfferHistory` for one seat,
by its views alone; :func:`remind_player` tells a new player. Whole games in one call have a compiled twin
(:func:`.kernels.whole_games.note_said`); a test holds all of them to agree.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from hexholm.game.action import Action
from hexholm.game.events import Event, OfferMade, Traded, TurnBegan
from hexholm.rules.core.encoding import actions as act
from hexholm.rules.errors import BadInput

from .kernels.mind import MOST_REFUSED
from .protocol import choice_code

if TYPE_CHECKING:
    from hexholm.game.cards import Cards
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
        kind, known = act.kind_of(code), view.facts
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
        if len(self.refused) > MOST_REFUSED:
            del self.refused[next(iter(self.refused))]


@dataclass(frozen=True, slots=True)
class PastOffer:
    """An offer or counter-offer that a seat has made."""

    turn: int
    text: str
    to: str = ""
    """Of a counter-offer: whose offer it answers."""
    done: bool = False
    """Whether it was carried out, on the turn of the one who made it."""


class OfferLog:
    """What every seat of a game has offered: all of this turn, and of earlier ones what came to nothing."""

    def __init__(self) -> None:
        self._offers: dict[str, list[PastOffer]] = {}
        self._turn, self._active = 0, ""
        self._makers: dict[int | None, str] = {}
        """Whose offer has which number."""

    def _offered(self, by: str, text: str, to: str) -> None:
        """A seat makes an offer, or a counter-offer to that of `to`; of very many the latest are kept."""
        turn = self._turn
        before = [said for said in self.remembered(by, turn) if said.text != text or said.turn == turn]
        self._offers[by] = [*before, PastOffer(turn, text, to)][-MOST_REFUSED:]

    def _traded(self, by: str, give: Cards, take: Cards) -> None:
        """An offer of `by` leads to an exchange: it may be made again on another turn.

        But for one on the turn of another: players that are not made anew do not see what comes of these.
        """
        if by != self._active:
            return
        for i, said in enumerate(self._offers.get(by, ())):
            action = Action.of(said.text)
            if (action.give, action.take) == (give, take):
                self._offers[by][i] = replace(said, done=True)

    def remembered(self, color: str, now: int) -> list[PastOffer]:
        """What a player of this seat is to remember on turn `now`, oldest first."""
        return [one for one in self._offers.get(color, ()) if one.turn == now or (one.turn < now and not one.done)]

    def follow(self, events: Iterable[Event]) -> None:
        """Take in what happens in a game, from its beginning, all at once or bit by bit."""
        for event in events:
            match event:
                case TurnBegan():
                    self._turn, self._active = event.number, event.player
                case OfferMade():
                    if event.answers is None:
                        action = Action("offer", give=event.give, take=event.want, to=event.to)
                    else:
                        action = Action("counter", offer=event.answers, give=event.give, take=event.want)
                    self._offered(event.player, action.text, self._makers.get(event.answers, ""))
                    self._makers[event.number] = event.player
                case Traded():
                    self._traded(event.player, event.give, event.take)

    def go_back(self, turn: int, active: str) -> None:
        """Something was taken back, and the game goes on from this turn."""
        self._turn, self._active = turn, active


class OfferHistory:
    """What one player has offered, by the views on which it decided: the same of one seat as an :class:`OfferLog`."""

    def __init__(self) -> None:
        self._memory = Memory()
        self.told: list[PastOffer] = []

    def look(self, view: SeatView) -> None:
        """Take in what has become of the last offer; to be called before every decision."""
        self._memory.look(view)
        refused = self._memory.refused
        self.told = [one for one in self.told if one.turn == view.turn or terms_of(Action.of(one.text)) in refused]

    def note(self, view: SeatView, choice: object) -> None:
        """Keep in mind what was answered on a view, if it can be done; whoever runs the game says so if not."""
        try:
            code = choice_code(choice, view.colors, view.facts.observer)
        except BadInput:
            return
        if view.why_not(code) is not None:
            return
        action = Action.of_code(code, view.colors)
        if action.kind in _SPEECH:
            to = next((offer.by for offer in view.offers if offer.number == action.offer), "")
            self.told.append(PastOffer(view.turn, action.text, to))
        self._memory.note(view, code)


def remind_player(player: object, offers: Iterable[PastOffer], turns: Iterable[int] = ()) -> None:
    """Tell a player, turn by turn, what its seat has offered, if it can be reminded.

    `turns`: also where nothing was said, so that it forgets what it knows otherwise.
    """
    remind = getattr(player, "remind", None)
    if remind is None:
        return
    said = list(offers)
    for turn in sorted({*turns, *(one.turn for one in said)}):
        then = [one for one in said if one.turn == turn]
        remind(turn, [Action.of(one.text) for one in then], {one.to for one in then if one.to})


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
