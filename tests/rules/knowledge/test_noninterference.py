"""Non-interference: what is hidden from a seat makes no difference to a single byte that it gets (INFO-01 to INFO-09).

Two games are played side by side, with one observer. All that it may see is the same in both; all that it may not see
is made different wherever that can be: cards stolen between others, cards drawn by others, the order in which others
choose their discards. After every action the observer's view, the public view and the observer's list of legal actions
must be the same in both.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hexholm.rules.core import entry_points
from hexholm.rules.core import view as core_view
from hexholm.rules.core.actors import to_act
from hexholm.rules.encoding.structs import Belief, OpenOffers, Scratch, State, View
from hexholm.rules.setup.editions import EDITIONS
from tests.helpers.speed import COMPILED

from ..noninterference import Leak, new_pair, play_pair

FILL_VIEW = core_view.fill_view


RUNS = [
    *((edition, 4, 220 if COMPILED else 40) for edition in EDITIONS),
    *((edition, 3, 60 if COMPILED else 20) for edition in EDITIONS),
]
USUAL = {"offer", "accept", "reject", "buy", "supply", "robber", "end"}


@pytest.mark.rule("INFO-01", "INFO-03", "INFO-06", "INFO-06.e1", "INFO-07", "INFO-09.e2")
@pytest.mark.parametrize("edition, players, least", RUNS)
def test_hidden_cards_make_no_difference_to_what_a_seat_gets(edition: str, players: int, least: int) -> None:
    """In all compiled runs together the hidden hands differ in 1,400 comparisons or more, the hidden cards too."""
    compared = hands = cards = pairs = 0
    acts: set[str] = set()
    expected_acts = USUAL if players == 3 else USUAL | {"counter", "confirm", "withdraw", "discard"}
    while min(hands, cards) < least or not expected_acts <= acts:
        pair = play_pair(new_pair(edition, players, 1000 * EDITIONS.index(edition) + pairs))
        compared, hands, cards = compared + pair.compared, hands + pair.other_hands, cards + pair.other_cards
        acts |= pair.acts
        pairs += 1
        assert pairs < 60, (
            f"{compared} comparisons, hands differ in {hands}, cards in {cards}; none of {expected_acts - acts}"
        )
    print(f"{edition}, {players} players: {compared} comparisons, hands differed in {hands}, cards in {cards}")


@pytest.mark.skipif(not COMPILED, reason="fewer are played when the compiler is off")
def test_the_runs_are_large_enough() -> None:
    assert sum(least for _, _, least in RUNS) >= 1000


# --- planted leaks ------------------------------------------------------------------------------------------------


def next_seat(s: State, observer: int) -> int:
    """A seat that the observer must not look at."""
    return (observer + 1) % s.players


def leak_hand(v: View, s: State, offers: OpenOffers, b: Belief, observer: int) -> None:
    v.hand[next_seat(s, observer)] = s.hand[next_seat(s, observer)]


def leak_cards(v: View, s: State, offers: OpenOffers, b: Belief, observer: int) -> None:
    v.development[next_seat(s, observer)] = s.development[next_seat(s, observer)]


def leak_new_cards(v: View, s: State, offers: OpenOffers, b: Belief, observer: int) -> None:
    v.new_cards = s.new_cards


def leak_deck(v: View, s: State, offers: OpenOffers, b: Belief, observer: int) -> None:
    v.deck = s.deck


def leak_chosen(v: View, s: State, offers: OpenOffers, b: Belief, observer: int) -> None:
    v.discards[next_seat(s, observer)] = s.discards[next_seat(s, observer)]


def leak_who_has_chosen(v: View, s: State, offers: OpenOffers, b: Belief, observer: int) -> None:
    v.owed[next_seat(s, observer)] = s.owed[next_seat(s, observer)]


def leak_to_act(v: View, s: State, offers: OpenOffers, b: Belief, observer: int) -> None:
    v.to_act = to_act(s, offers)


def leak_points(v: View, s: State, offers: OpenOffers, b: Belief, observer: int) -> None:
    v.points[next_seat(s, observer)] += s.development[next_seat(s, observer)] >> 8 & 127


def leak_revealed(v: View, s: State, offers: OpenOffers, b: Belief, observer: int) -> None:
    v.revealed[next_seat(s, observer)] = s.development[next_seat(s, observer)] >> 8 & 127


def leak_belief(v: View, s: State, offers: OpenOffers, b: Belief, observer: int) -> None:
    core_view.copy_belief(v, b, next_seat(s, observer))


LEAKS = (
    leak_hand,
    leak_cards,
    leak_new_cards,
    leak_deck,
    leak_chosen,
    leak_who_has_chosen,
    leak_to_act,
    leak_points,
    leak_revealed,
    leak_belief,
)


@pytest.mark.rule("INFO-01", "INFO-03")
@pytest.mark.parametrize("leak", LEAKS)
def test_a_planted_leak_is_caught(
    leak: Callable[[View, State, OpenOffers, Belief, int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def leaky(v: View, s: State, offers: OpenOffers, b: Belief, scratch: Scratch, observer: int) -> None:
        FILL_VIEW(v, s, offers, b, scratch, observer)
        leak(v, s, offers, b, observer)

    monkeypatch.setattr(entry_points, "fill_view", leaky)
    with pytest.raises(Leak, match="in the view of"):
        play_interpreted(40)


def play_interpreted(pairs: int) -> int:
    """Pairs in plain Python, where a planted function is used; how many comparisons."""
    compared = 0
    for seed in range(pairs):
        pair = new_pair("fifth", 4, seed)
        for game in pair.games:
            game.compiled = False
        compared += play_pair(pair).compared
    return compared


def test_without_a_leak_the_same_games_pass() -> None:
    assert play_interpreted(3) > 100
