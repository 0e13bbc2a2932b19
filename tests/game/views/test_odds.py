"""The odds of hidden cards, against Bayes' rule carried out step by step, and against fractions worked out by hand."""

from __future__ import annotations

import random
from fractions import Fraction
from math import comb, isclose

import pytest

from hexholm.game.cards import Cards, DevelopmentCards
from hexholm.game.game import SeatView
from hexholm.game.views.odds import development_odds
from hexholm.rules.encoding.action_codes import parameter_of
from hexholm.rules.encoding.lanes import unpack
from hexholm.rules.encoding.structs import CARD_KINDS, Belief
from hexholm.rules.errors import BadInput
from hexholm.rules.initial_state import full_deck
from hexholm.rules.referee import Referee
from hexholm.rules.setup.editions import EDITIONS, edition
from tests.rules.scenes import Scene, by_seat, offer, robbed_often, scene

from ..scenes import buyers, card_names, contradicted_view, seat_view
from .bayes import BOX, CardsByBayes, Hand, HandsByBayes

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)


def exact(view: SeatView, seat: int) -> dict[Hand, Fraction]:
    """The odds of a hidden hand as fractions."""
    return {
        card_names(cards): chance
        for cards, chance in development_odds(view.raw, edition(view.edition)).odds(seat).items()
    }


# --- development cards, by hand ------------------------------------------------


@pytest.mark.rule("INFO-03")
def test_one_card_out_of_a_full_box() -> None:
    game = buyers()
    game.buy(0, "knight")
    view = seat_view(game, None)
    assert exact(view, 0) == {(kind,): Fraction(n, 25) for kind, n in BOX.items()}
    assert view.development_odds(0)[DevelopmentCards("knight")] == 14 / 25
    assert next(iter(view.development_odds("red"))) == DevelopmentCards("knight")  # the likeliest first
    assert view.development_probability("red", "monopoly") == 2 / 25
    assert view.development_odds("blue") == {DevelopmentCards(): 1.0}
    assert view.exact


@pytest.mark.rule("INFO-03")
def test_the_own_cards_are_known_and_count_out_of_the_box() -> None:
    game = buyers(dev=by_seat("fifth", "", "1 knight 2 monopoly"))
    game.buy(0, "knight")
    view = seat_view(game, "blue")
    assert exact(view, 0) == {("knight",): Fraction(13, 22)} | {
        (kind,): Fraction(BOX[kind], 22) for kind in ("victory-point", "road-building", "year-of-plenty")
    }
    assert view.development_odds() == {DevelopmentCards("1 knight 2 monopoly"): 1.0}
    assert view.development_probability("blue", "2 monopoly") == 1.0
    assert view.development_probability(None, {"victory-point": 1}) == 0.0


@pytest.mark.rule("INFO-03", "INFO-05")
def test_a_played_knight_says_more_than_that_one_was_a_knight() -> None:
    game = buyers()
    game.buy(0, "knight")
    game.buy(0, "victory-point")
    game.next_turn_of(0)
    game.play(0, "knight")
    # a second knight: one order of 14 x 13; another kind: two orders of 14 x what the box has of it
    weights = {"knight": 13, "victory-point": 10, "road-building": 4, "year-of-plenty": 4, "monopoly": 4}
    assert exact(seat_view(game, 1), 0) == {(kind,): Fraction(n, 35) for kind, n in weights.items()}
    assert seat_view(game, 1).development_probability(0, "knight") == 13 / 35 != 13 / 24


@pytest.mark.rule("INFO-03")
def test_what_one_may_hold_another_cannot_hold() -> None:
    # both of them have one card; the second monopoly is known to the one who looks
    game = buyers(dev=by_seat("fifth", "", "", "1 monopoly"))
    game.buy(0, "knight")
    game.pass_turn(12)
    game.buy(1, "knight")
    view = seat_view(game, 2)
    assert view.development_probability(0, "monopoly") == view.development_probability(1, "monopoly") == 1 / 24
    together = development_odds(view.raw, edition("fifth"))
    both = {together.draw(random.Random(seed))[0][0] for seed in range(300)}
    assert 1 << 32 in both  # seat 0 may have it
    for seed in range(300):
        drawn = together.draw(random.Random(seed))
        assert sum(unpack(old + new)[4] for old, new in drawn.values()) <= 1


@pytest.mark.rule("WIN-07")
def test_at_the_end_shown_points_leave_only_hands_that_have_them() -> None:
    game = buyers(cities=by_seat("fifth", "A1n A3n C1nw C5ne"))  # nine points with the settlement
    game.pass_turn(12)
    game.buy(1, "victory-point")
    game.buy(1, "knight")
    game.next_turn_of(0, 12)
    game.roll(12)
    game.buy(0, "victory-point")
    view = seat_view(game, 2)
    assert view.over
    assert exact(view, 0) == {("victory-point",): 1}
    assert all(hand.count("victory-point") == 1 for hand in exact(view, 1))
    # five points less the one of red: four and then one of twenty others, in two orders; the points are shown
    assert exact(view, 1)[("knight", "victory-point")] == Fraction(14, 20)
    assert view.points("blue") == 2


# --- development cards, by Bayes ------------------------------------------------


class Story:
    """A game of purchases and plays, followed by Bayes' rule for every observer."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        edition_name = self.rng.choice(EDITIONS)
        cities = by_seat(edition_name, *(" ".join("A1n A3n C1nw C5ne".split()[: self.rng.choice((0, 0, 4))]),))
        self.game = buyers(edition_name, cities=cities)
        self.players = 3
        self.minds = {observer: CardsByBayes(3, observer) for observer in (0, 1, 2, None)}
        self.old: list[list[str]] = [[], [], []]
        self.compared = 0

    def tell(self) -> None:
        for _ in range(6):
            self.turn()
            if self.game.phase == "over":
                return
            self.game.pass_turn()
            for mind in self.minds.values():
                mind.note_turn_end((self.game.state.active - 1) % 3)
            self.rule_out()
            self.game.roll(12)

    def turn(self) -> None:
        seat, new = self.game.state.active, []
        for _ in range(self.rng.choice((0, 1, 1, 2))):
            chance = self.deal_one(seat)
            new.append(chance)
            if self.game.phase == "over":
                self.compare()
                return
        playable = [kind for kind in self.old[seat] if kind != "victory-point"]
        if playable and self.rng.random() < 0.7:
            self.lay_open(seat, self.rng.choice(playable))
        self.old[seat] += new

    def deal_one(self, seat: int) -> str:
        self.game.play(seat, "buy")
        outcomes = self.game.chance()
        code = self.rng.choices(list(outcomes), [float(n) for n in outcomes.values()])[0]
        kind = CARD_KINDS[parameter_of(code)]
        self.game.deal(code)
        for mind in self.minds.values():
            mind.note_purchase(seat, kind)
        if self.game.phase == "over":
            points = [card_names(self.game.state.development[seat]).count("victory-point") for seat in range(3)]
            for mind in self.minds.values():
                mind.note_revealed(points)
        else:
            self.rule_out()
        return kind

    def lay_open(self, seat: int, kind: str) -> None:
        what = {"monopoly": " brick", "year-of-plenty": " brick brick"}.get(kind, "")
        self.game.play(seat, kind + what)
        while self.game.phase in ("robber", "free road"):
            self.game.play(seat, self.rng.choice([c for c in self.game.legal(seat) if self.harmless(c)]))
        self.old[seat].remove(kind)
        for mind in self.minds.values():
            mind.note_play(seat, kind)
        self.rule_out()

    def harmless(self, code: int) -> bool:
        text = self.game.action_text(code)
        return not text.startswith("robber") or text in ("robber B1", "robber E3")  # nobody lives there

    def rule_out(self) -> None:
        seat = self.game.state.active
        for mind in self.minds.values():
            mind.note_no_win(seat, self.game.state.points_to_win - 1 - self.game.points(seat))
        self.compare()

    def compare(self) -> None:
        for observer, mind in self.minds.items():
            view = seat_view(self.game, observer)
            for seat in range(3):
                if seat != observer:
                    assert exact(view, seat) == mind.odds_of(seat)
                    self.compared += len(mind.odds_of(seat)) > 1
                chances = {card_names(cards.lanes): n for cards, n in view.development_odds(seat).items()}
                assert chances == {hand: float(n) for hand, n in mind.odds_of(seat).items()}
                knight = sum(n for hand, n in mind.odds_of(seat).items() if "knight" in hand)
                assert isclose(view.development_probability(seat, "knight"), knight, abs_tol=1e-15)


@pytest.mark.rule("INFO-03", "INFO-04", "INFO-05")
@pytest.mark.parametrize("seed", [*range(8), 14, 26])  # the last two are won
def test_hidden_development_cards_follow_bayes_rule_exactly(seed: int) -> None:
    story = Story(seed)
    story.tell()
    assert story.compared > 20


def test_every_box_has_the_cards_that_bayes_reckons_with() -> None:
    for edition_name in EDITIONS:
        assert unpack(full_deck(edition(edition_name))) == tuple(BOX.values())


# --- development cards, more than there is room for ------------------------------------------------


@pytest.mark.rule("INFO-03")
def test_when_all_that_fits_was_dropped_the_unseen_cards_are_equally_likely() -> None:
    view = contradicted_view(capped=1)
    assert not view.exact
    assert exact(view, 0)[("knight", "knight")] == Fraction(comb(14, 2), comb(23, 2))
    assert exact(view, 0)[("knight", "victory-point")] == Fraction(14 * 5, comb(23, 2))
    assert sum(exact(view, 0).values()) == 1


def test_cards_counted_twice_are_told() -> None:
    with pytest.raises(BadInput, match="a card is counted twice"):
        contradicted_view(capped=0).development_odds("red")


def test_a_hand_that_would_have_won_is_not_made_up_either() -> None:
    game = buyers(cities=by_seat("fifth", "A1n A3n C1nw C5ne"), dev=by_seat("fifth", "", "2 monopoly"))
    game.buy(0, "knight")
    game.belief.card_capped[0], game.belief.card_hands[0], game.belief.card_new[0, 0] = 1, 1, 1 << 32
    assert ("victory-point",) not in exact(seat_view(game, "blue"), 0)
    assert ("knight",) in exact(seat_view(game, "blue"), 0)


# --- resource hands ------------------------------------------------


def robbed() -> Scene:
    """Red has stolen from blue, who had one brick and two wool; white from red, who had that card and an ore."""
    game = scene(
        "fifth",
        phase="robber",
        hands={"red": "1 ore", "blue": "1 brick 2 wool"},
        settlements={"red": "E3n", "blue": "B2n"},
        hand_limit=20,
    )
    game.state.rolled = 1
    game.play("red", "robber A2")
    game.deal("stolen wool")
    game.next_turn_of("white")
    game.roll(7)
    game.play("white", "robber E3")
    game.deal("stolen ore")
    return game


@pytest.mark.rule("INFO-07", "INFO-09")
def test_odds_of_hands_are_sums_over_the_worlds() -> None:
    view = seat_view(robbed(), "orange")
    assert view.ranges("red") == {"brick": (0, 1), "lumber": (0, 0), "wool": (0, 1), "grain": (0, 0), "ore": (0, 1)}
    # red stole wool (2/3) or the brick (1/3); white took that card or the ore (1/2 each)
    assert view.odds("red")["wool"] == pytest.approx({0: 2 * THIRD, 1: THIRD})
    assert view.odds("red")["brick"] == pytest.approx({0: 5 * THIRD / 2, 1: THIRD / 2})
    assert view.odds("white")["ore"] == pytest.approx({0: HALF, 1: HALF})
    assert view.odds("red")["grain"] == {0: pytest.approx(1)}
    assert view.probability_of("blue", "2 wool") == pytest.approx(float(THIRD))
    assert view.probability_of("blue", "1 wool") == 1.0
    assert view.probability_of("blue", Cards("3 wool")) == 0.0
    assert view.probability_of("red", {"wool": 1}) + view.probability_of("red", "brick") == pytest.approx(0.5)
    assert view.odds()["ore"] == {0: pytest.approx(1)}
    assert view.exact


@pytest.mark.rule("INFO-07")
def test_worlds_are_sorted_and_name_the_players() -> None:
    view = seat_view(robbed(), None)
    chances = [chance for chance, _ in view.worlds]
    assert chances == sorted(chances, reverse=True)
    assert sum(chances) == pytest.approx(1)
    assert len(chances) == 4
    likeliest = {"red": Cards("1 ore"), "blue": Cards("1 brick 1 wool"), "white": Cards("1 wool"), "orange": Cards()}
    assert dict(enumerate(chances)) == pytest.approx({0: THIRD, 1: THIRD, 2: THIRD / 2, 3: THIRD / 2})
    assert likeliest in [hands for _, hands in view.worlds[:2]]


@pytest.mark.rule("INFO-07")
@pytest.mark.parametrize("observer", [0, 1, 2, 3, None])
def test_worlds_follow_bayes_rule(observer: int | None) -> None:
    mind = HandsByBayes(observer, (("ore",), ("brick", "wool", "wool"), (), ()))
    mind.note_theft(0, 1, "wool")
    mind.note_theft(2, 0, "ore")
    game = robbed()
    compare_worlds(game, observer, mind)
    game.next_turn_of("red", 12)  # 12 pays nobody
    game.roll(12)
    game.play("red", offer(game, "1 wool : 1 ore", "white"))
    mind.note_holding(0, ("wool",))
    compare_worlds(game, observer, mind)


def compare_worlds(game: Referee, observer: int | None, mind: HandsByBayes) -> None:
    odds = {
        tuple(tuple(sorted(k for k, n in hand.items() for _ in range(n))) for hand in hands.values()): chance
        for chance, hands in seat_view(game, observer).worlds
    }
    assert odds == pytest.approx({joint: float(chance) for joint, chance in mind.odds.items()})


def test_dropped_worlds_are_told() -> None:
    game = robbed_often("fifth", "brick lumber wool grain ore brick lumber")
    assert not seat_view(game, 2).exact
    assert seat_view(game, 0).exact
    assert "perhaps" in str(seat_view(game, 2))


# --- views without beliefs ------------------------------------------------


def test_a_text_that_says_nothing_of_beliefs_has_no_odds() -> None:
    game = buyers()
    game.belief = Belief()
    view = seat_view(game, 0)
    for ask in (view.odds, view.ranges, view.development_odds):
        with pytest.raises(BadInput, match="this text does not carry what the seat has inferred"):
            ask("blue")
    with pytest.raises(BadInput, match="does not carry"):
        _ = view.worlds
    with pytest.raises(BadInput, match="does not carry"):
        view.probability_of("blue", "1 ore")
    with pytest.raises(BadInput, match="does not carry"):
        view.sample(1)
    assert view.development_odds("red") == {DevelopmentCards(): 1.0}  # the own ones need no inference
