"""What tests of views and odds share: views of scenes, games with hidden cards, and how well odds fit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from hexholm.game.cards import Cards
from hexholm.game.game import Game, SeatView
from hexholm.rules.encoding.lanes import pack_named, unpack
from hexholm.rules.encoding.structs import CARD_KINDS, RESOURCES
from hexholm.rules.referee import Referee
from tests.rules.scenes import Scene, by_seat, traders

from .views.bayes import CardsByBayes, HandsByBayes

PRICE = "4 wool 4 grain 4 ore"


def seat_view(game: Referee, seat: int | str | None) -> SeatView:
    """The view of a seat, or of the public, as a game gives it."""
    return SeatView(game.options, game.layout, game.view(seat), game.compiled)


def buyers(edition_name: str = "fifth", **more: Any) -> Scene:
    """Three players who can each buy four development cards."""
    more.setdefault("settlements", by_seat(edition_name, "C3n", "B2n", "D2s"))
    return traders(edition_name, PRICE, PRICE, PRICE, players=3, phases="combined", hand_limit=20, **more)


def contradicted_view(capped: int) -> SeatView:
    """Blue holds both monopolies; of red's two hidden cards only the guess is left that they are the monopolies."""
    game = buyers(dev=by_seat("fifth", "", "2 monopoly"))
    game.buy(0, "knight")
    game.buy(0, "knight")
    belief = game.belief
    belief.card_hands[0], belief.card_capped[0] = 1, capped
    belief.card_old[0, 0], belief.card_new[0, 0] = 0, 2 << 32
    return seat_view(game, "blue")


def short_game() -> tuple[Scene, CardsByBayes, HandsByBayes]:
    """Two thefts and five purchases with two plays among them, as orange has seen it."""
    game = traders(
        "fifth",
        "2 wool 3 grain 2 ore",
        "1 brick 2 lumber 2 wool 2 grain 2 ore",
        "1 wool 1 grain 1 ore",
        "1 wool 1 grain 1 ore",
        settlements=by_seat("fifth", "E3n", "B2n"),
        phases="combined",
        hand_limit=20,
    )
    cards = CardsByBayes(4, 3)

    def buy(seat: int, kind: str) -> None:
        game.buy(seat, kind)
        cards.note_purchase(seat, kind)

    def end(seat: int) -> None:
        game.pass_turn()
        cards.note_turn_end(seat)

    buy(0, "knight")
    buy(0, "monopoly")
    end(0)
    game.roll(12)
    buy(1, "knight")
    buy(1, "victory-point")
    end(1)
    game.roll(12)
    buy(2, "knight")
    end(2)
    game.roll(12)
    buy(3, "year-of-plenty")
    end(3)
    hands = HandsByBayes(3, [tuple(k for k, n in game.hand(seat).items() for _ in range(n)) for seat in range(4)])
    game.play(0, "knight")
    cards.note_play(0, "knight")
    game.play(0, "robber A2")
    game.deal("stolen brick")
    hands.note_theft(0, 1, "brick")
    game.roll(12)
    end(0)
    game.play(1, "knight")
    cards.note_play(1, "knight")
    game.play(1, "robber E3")
    game.deal("stolen brick")
    hands.note_theft(1, 0, "brick")
    return game, cards, hands


def card_names(lanes: int, kinds: tuple[str, ...] = CARD_KINDS) -> tuple[str, ...]:
    """Cards as a sorted row of names."""
    return tuple(sorted(kind for kind, n in zip(kinds, unpack(lanes), strict=True) for _ in range(n)))


def misfit(counts: Counter[Any], expected: Mapping[Any, Fraction]) -> tuple[float, int]:
    """Chi-square and its degrees of freedom; what is expected fewer than five times is thrown together."""
    total = sum(counts.values())
    rare_expected = rare_found = misfits = 0.0
    cells = 0
    for outcome, chance in expected.items():
        due = float(chance) * total
        if due < 5:
            rare_expected += due
            rare_found += counts[outcome]
        else:
            misfits += (counts[outcome] - due) ** 2 / due
            cells += 1
    if rare_expected:
        misfits += (rare_found - rare_expected) ** 2 / rare_expected
        cells += 1
    return misfits, cells - 1


def set_hands(game: Game, hands: dict[str, str]) -> None:
    """Give the seats these hands, which all know."""
    state = game.referee.state
    for color, text in hands.items():
        state.hand[game.colors.index(color)] = pack_named(dict(Cards(text)), RESOURCES)
    hands_held = [Cards.of_lanes(state.hand[seat]) for seat in range(4)]
    supply = {kind: 19 - sum(hand[kind] for hand in hands_held) for kind in RESOURCES}
    state.supply = pack_named(supply, RESOURCES)
    game.referee.start_belief()
