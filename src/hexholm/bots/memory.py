"""What a player remembers of its own offers: those of this turn, and all of the game that came to nothing.

Nobody likes to be asked again what they have refused, so a player never makes an offer twice that came to nothing: the
same cards for the same cards, whoever is asked. One that was carried out may be made again on a later turn.

Whether an offer was carried out is seen by the own hand: on the own turn nothing else changes it between two decisions.
What comes of a counter-offer on the turn of another is not always seen, and so none is ever made twice.

:class:`Memory` is what a player keeps for itself. For players that are made anew in mid-game, and so have none,
:class:`OfferLog` keeps the same for all seats of a game that is seen in full, and :class:`OfferHistory` for one seat,
by its views alone; :func:`remind_bot` tells a new bot. Whole games in one call have a compiled twin
(:func:`.kernels.whole_games.remember_action`); a test holds all of them to agree.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from hexholm.game.action import Action
from hexholm.game.events import Event, OfferMade, Traded, TurnBegan
from hexholm.rules.colors import Color
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.errors import BadInput

from .kernels.mind import MOST_FAILED_OFFERS
from .protocol import choice_code

if TYPE_CHECKING:
    from hexholm.game.cards import Cards
    from hexholm.game.game import SeatView

_OFFER_KINDS: Final = ("offer", "counter")


class Memory:
    """The memory of one player in one game."""

    def __init__(self) -> None:
        self.turn = -1
        self.turn_offers: list[int] = []
        """What was offered on this turn (:func:`pack_terms`)."""
        self.countered: set[Color] = set()
        """Whose offers were countered on this turn."""
        self.failed_offers: dict[int, int] = {}
        """What came to nothing, or may still do so, and on which turn it was said; the oldest first."""
        self._last_offer: tuple[int, int] | None = None
        """What was offered last, and the hand at that time."""

    def observe(self, view: SeatView) -> None:
        """Take in what has become of the last offer; to be called before every decision."""
        if self._last_offer is not None:
            offer_terms, hand = self._last_offer
            if _hand_lanes(view) == hand + act.want_of(offer_terms) - act.give_of(offer_terms):
                self.failed_offers.pop(offer_terms, None)
            if not _is_open(view, offer_terms):
                self._last_offer = None
        if view.turn < self.turn:  # something was taken back, or another game has begun
            self.failed_offers = {
                offer_terms: offer_turn
                for offer_terms, offer_turn in self.failed_offers.items()
                if offer_turn < view.turn
            }
        if view.turn != self.turn:
            self.turn, self.turn_offers, self.countered, self._last_offer = view.turn, [], set(), None

    def remember_choice(self, view: SeatView, code: int) -> None:
        """Keep in mind what was decided on a view."""
        kind, facts = act.kind_of(code), view.facts
        if kind in (act.OFFER, act.COUNTER):
            offer_terms = pack_terms(act.give_of(code), act.want_of(code))
            self._remember_terms(offer_terms, view.turn)
            if kind == act.OFFER:
                self.turn_offers.append(offer_terms)
            else:
                self.countered.add(view.colors[facts.offer_maker[act.slot_of(code)]])
        elif kind == act.CONFIRM:
            slot = act.slot_of(code)
            offer_terms = pack_terms(facts.offer_give[slot], facts.offer_want[slot])
        else:
            return
        if view.active == view.seat:
            self._last_offer = offer_terms, _hand_lanes(view)

    def remind(self, turn: int, own_offers: Iterable[Action], countered: Iterable[Color] = ()) -> None:
        """Forget what was said from `turn` on but for this: a game was taken back, or resumed."""
        self.failed_offers = {
            offer_terms: offer_turn for offer_terms, offer_turn in self.failed_offers.items() if offer_turn < turn
        }
        offers = [action for action in own_offers if action.kind in _OFFER_KINDS]
        for action in offers:
            self._remember_terms(terms_of(action), turn)
        self.turn, self._last_offer = turn, None
        self.turn_offers = [terms_of(action) for action in offers if action.kind == "offer"]
        self.countered = set(countered)

    def _remember_terms(self, offer_terms: int, turn: int) -> None:
        self.failed_offers.setdefault(offer_terms, turn)
        if len(self.failed_offers) > MOST_FAILED_OFFERS:
            del self.failed_offers[next(iter(self.failed_offers))]


@dataclass(frozen=True, slots=True)
class PastOffer:
    """An offer or counter-offer that a seat has made."""

    turn: int
    text: str
    to: Color = ""
    """Of a counter-offer: whose offer it answers."""
    carried_out: bool = False
    """Whether it was carried out, on the turn of the one who made it."""


class OfferLog:
    """What every seat of a game has offered: all of this turn, and of earlier ones what came to nothing."""

    def __init__(self) -> None:
        self._offers: dict[Color, list[PastOffer]] = {}
        self._turn, self._active = 0, ""
        self._makers: dict[int | None, Color] = {}
        """Whose offer has which number."""

    def _remember_offer(self, color: Color, text: str, to: Color) -> None:
        """A seat makes an offer, or a counter-offer to that of `to`; of very many the latest are kept."""
        turn = self._turn
        earlier_offers = [offer for offer in self.past_offers(color, turn) if offer.text != text or offer.turn == turn]
        self._offers[color] = [*earlier_offers, PastOffer(turn, text, to)][-MOST_FAILED_OFFERS:]

    def _mark_carried_out(self, color: Color, give: Cards, want: Cards) -> None:
        """An offer of `color` leads to an exchange: it may be made again on another turn.

        But for one on the turn of another: players that are not made anew do not see what comes of these.
        """
        if color != self._active:
            return
        for i, offer in enumerate(self._offers.get(color, ())):
            action = Action.of(offer.text)
            if (action.give, action.want) == (give, want):
                self._offers[color][i] = replace(offer, carried_out=True)

    def past_offers(self, color: Color, turn: int) -> list[PastOffer]:
        """What a player of this seat is to remember on turn `turn`, oldest first."""
        return [
            offer
            for offer in self._offers.get(color, ())
            if offer.turn == turn or (offer.turn < turn and not offer.carried_out)
        ]

    def follow(self, events: Iterable[Event]) -> None:
        """Take in what happens in a game, from its beginning, all at once or bit by bit."""
        for event in events:
            match event:
                case TurnBegan():
                    self._turn, self._active = event.number, event.player
                case OfferMade():
                    if event.answers is None:
                        action = Action("offer", give=event.give, want=event.want, to=event.to)
                    else:
                        action = Action("counter", offer=event.answers, give=event.give, want=event.want)
                    self._remember_offer(event.player, action.text, self._makers.get(event.answers, ""))
                    self._makers[event.number] = event.player
                case Traded():
                    self._mark_carried_out(event.player, event.give, event.take)

    def go_back(self, turn: int, active: Color) -> None:
        """Something was taken back, and the game goes on from this turn."""
        self._turn, self._active = turn, active


class OfferHistory:
    """What one player has offered, by the views on which it decided: the same of one seat as an :class:`OfferLog`."""

    def __init__(self) -> None:
        self._memory = Memory()
        self.offers: list[PastOffer] = []

    def observe(self, view: SeatView) -> None:
        """Take in what has become of the last offer; to be called before every decision."""
        self._memory.observe(view)
        refused = self._memory.failed_offers
        self.offers = [
            offer for offer in self.offers if offer.turn == view.turn or terms_of(Action.of(offer.text)) in refused
        ]

    def remember_choice(self, view: SeatView, choice: object) -> None:
        """Keep in mind what was answered on a view, if it can be done; whoever runs the game says so if not."""
        try:
            code = choice_code(choice, view.colors, view.facts.observer)
        except BadInput:
            return
        if view.why_not(code) is not None:
            return
        action = Action.of_code(code, view.colors)
        if action.kind in _OFFER_KINDS:
            to = next((offer.by for offer in view.offers if offer.number == action.offer), "")
            self.offers.append(PastOffer(view.turn, action.text, to))
        self._memory.remember_choice(view, code)


def remind_bot(bot: object, offers: Iterable[PastOffer], turns: Iterable[int] = ()) -> None:
    """Tell a bot, turn by turn, what its seat has offered, if it can be reminded.

    `turns`: also where nothing was said, so that it forgets what it knows otherwise.
    """
    remind = getattr(bot, "remind", None)
    if remind is None:
        return
    offers_made = list(offers)
    for turn in sorted({*turns, *(offer.turn for offer in offers_made)}):
        turn_offers = [offer for offer in offers_made if offer.turn == turn]
        remind(turn, [Action.of(offer.text) for offer in turn_offers], {offer.to for offer in turn_offers if offer.to})


def pack_terms(give: int, want: int) -> int:
    """What is given for what (lanes), as the code of an offer to nobody."""
    return act.offer_action(give, want, 0)


def terms_of(action: Action) -> int:
    """What an offer or counter-offer gives for what."""
    assert action.give is not None
    assert action.want is not None
    return pack_terms(action.give.lanes, action.want.lanes)


def _is_open(view: SeatView, offer_terms: int) -> bool:
    """Whether an own offer of these cards still waits for an answer."""
    facts = view.facts
    offers = zip(facts.offer_maker, facts.offer_give, facts.offer_want, strict=True)
    return any(
        give and maker == facts.observer and pack_terms(give, want) == offer_terms for maker, give, want in offers
    )


def _hand_lanes(view: SeatView) -> int:
    """The own resource cards (lanes)."""
    facts = view.facts
    return facts.hand[facts.observer]
