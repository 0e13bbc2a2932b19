"""One way it may be: a position that a seat cannot tell from the real one, taken by the odds of what is hidden."""

from __future__ import annotations

import random
from typing import Final

from hexholm.rules.core.encoding.structs import OBSERVERS, Belief, State, View

from .odds import sample_cards
from .seat_knowledge import SeatKnowledge

_CARD_BELIEF: Final = ("card_old", "card_new", "card_ways", "card_hands", "card_capped")


def hidden_filled_in(view: SeatKnowledge, rng: random.Random) -> tuple[State, Belief]:
    """A full state, its hidden cards taken by the odds, and what the seats know in it."""
    hands = view.hand_odds.draw(rng)
    return _guess(view, rng, hands), _shared_belief(view, hands)


def _guess(view: SeatKnowledge, rng: random.Random, hands: list[int]) -> State:
    """A full state: the hidden hands filled in, the rest of the unseen cards in the deck."""
    state, r = view.raw_state(), view.raw
    rest = view.hidden_odds.pool
    for seat, (old, new) in view.hidden_odds.draw(rng).items():
        state.hand[seat] = hands[seat]
        state.cards[seat] = old + new
        rest -= old + new
        if seat == r.active:
            state.new_cards = new
    state.deck = sample_cards(rng, rest, r.deck_size)
    return state


def _shared_belief(view: SeatKnowledge, hands: list[int]) -> Belief:
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
