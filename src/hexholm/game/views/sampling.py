"""One way it may be: a whole game that a seat cannot tell from the real one, taken by the odds of what is hidden."""

from __future__ import annotations

import random
from typing import Final

from hexholm.rules.core.encoding.structs import OBSERVERS, Belief, State, View

from ..dealers import Seeded
from ..game import Game
from .odds import some_of
from .seat_knowledge import SeatView

_CARD_BELIEF: Final = ("card_old", "card_new", "card_ways", "card_hands", "card_capped")


def sample(view: SeatView, rng: random.Random) -> Game:
    """See :meth:`SeatView.sample`."""
    hands = view.hand_odds.draw(rng)
    state = _guess(view, rng, hands)
    dealer = Seeded(rng.getrandbits(63))
    belief = _shared_belief(view, hands)
    game = Game.at(view.options, view.layout, state, view.raw_talk(), belief, dealer=dealer, compiled=view.compiled)
    if view.stopped is not None:
        game.cut(view.stopped)
    return game


def _guess(view: SeatView, rng: random.Random, hands: list[int]) -> State:
    """A full state: the hidden hands filled in, the rest of the unseen cards in the deck."""
    state, r = view.raw_state(), view.raw
    rest = view.hidden_odds.pool
    for seat, (old, new) in view.hidden_odds.draw(rng).items():
        state.hand[seat] = hands[seat]
        state.cards[seat] = old + new
        rest -= old + new
        if seat == r.turn:
            state.new_cards = new
    state.deck = some_of(rng, rest, r.deck_size)
    return state


def _shared_belief(view: SeatView, hands: list[int]) -> Belief:
    """What all observers of a sampled game know, when `hands` are the resource hands in it."""
    belief, r = Belief(), view.raw
    to, source = belief.buffer.view(Belief.dtype), r.buffer.view(View.dtype)
    for name in _CARD_BELIEF:
        to[name] = source[name]
    to["capped"] = r.capped
    weights, worlds = source["world_weight"][0, : r.worlds], source["world_hand"][0, : r.worlds]
    for observer in range(OBSERVERS):
        w, h = weights, worlds
        if observer < r.players and observer != r.observer:
            fits = worlds[:, observer] == hands[observer]
            w, h = weights[fits] / weights[fits].sum(), worlds[fits]
        to["worlds"][0, observer] = len(w)
        to["weight"][0, observer, : len(w)] = w
        to["hand"][0, observer, : len(w)] = h
    return belief
