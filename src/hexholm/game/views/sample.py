"""One way it may be: a position that a seat cannot tell from the real one, taken by the odds of what is hidden."""

from __future__ import annotations

import random
from typing import Final

from hexholm.rules.encoding.structs import OBSERVERS, Belief, State, View

from .odds import sample_cards
from .seat_view_base import SeatViewBase

_CARD_BELIEF: Final = ("card_old", "card_new", "card_ways", "card_hands", "card_capped")


def sample_position(view: SeatViewBase, rng: random.Random) -> tuple[State, Belief]:
    """A full state, its hidden cards taken by the odds, and what the seats know in it."""
    hands = view.hand_odds.draw(rng)
    return _sample_state(view, rng, hands), _shared_belief(view, hands)


def _sample_state(view: SeatViewBase, rng: random.Random, hands: list[int]) -> State:
    """A full state: the hidden hands filled in, the rest of the unseen cards in the deck."""
    state, raw = view.raw_state(), view.raw
    unseen = view.hidden_odds.pool
    for seat, (old, new) in view.hidden_odds.draw(rng).items():
        state.hand[seat] = hands[seat]
        state.development[seat] = old + new
        unseen -= old + new
        if seat == raw.active:
            state.new_cards = new
    state.deck = sample_cards(rng, unseen, raw.deck_size)
    return state


def _shared_belief(view: SeatViewBase, hands: list[int]) -> Belief:
    """What all observers of a sampled game know, when `hands` are the resource hands in it."""
    belief, raw = Belief(), view.raw
    target, source = belief.buffer.view(Belief.dtype), raw.buffer.view(View.dtype)
    for name in _CARD_BELIEF:
        target[name] = source[name]
    target["capped"] = raw.capped
    weights, worlds = source["world_weight"][0, : raw.worlds], source["world_hand"][0, : raw.worlds]
    for observer in range(OBSERVERS):
        w, h = weights, worlds
        if observer < raw.players and observer != raw.observer:
            fits = worlds[:, observer] == hands[observer]
            w, h = weights[fits] / weights[fits].sum(), worlds[fits]
        target["worlds"][0, observer] = len(w)
        target["weight"][0, observer, : len(w)] = w
        target["hand"][0, observer, : len(w)] = h
    return belief
