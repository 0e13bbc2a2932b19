"""SeatView: what a seat may know, what it may do, and that there is no way from it to anything else."""

from __future__ import annotations

import copy
import gc
import pickle
import random
from collections import Counter
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import pytest

from hexholm.game.cards import Cards, DevelopmentCards
from hexholm.game.game import Game, SeatView
from hexholm.game.views.offer import Offer
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.encoding.phases import PHASES
from hexholm.rules.encoding.structs import Belief, OpenOffers, State, View
from hexholm.rules.errors import BadInput
from hexholm.rules.notation import UnreadableAction
from hexholm.rules.referee import Referee
from hexholm.rules.setup.editions import EDITIONS
from tests.helpers.random_play import random_code, walk
from tests.rules.scenes import Scene, chain, offer, scene

from ..scenes import seat_view


def table(**more: Any) -> Scene:
    """Red, on turn after a roll, and three others with something of everything."""
    expected: dict[str, Any] = {
        "hands": {"red": "2 brick 1 ore", "blue": "4 wool", "white": "1 grain"},
        "settlements": {"red": "C3n A1nw", "blue": "B2n"},
        "cities": {"white": "D2s"},
        "roads": {"red": chain("BC", 5), "blue": "B2/ne"},
        "dev": {"red": "1 knight 2 victory-point", "blue": "1 monopoly"},
        "played": {"blue": "3 knight", "white": "1 year-of-plenty"},
        "robber": "E1",
        **more,
    }
    return scene("fifth", **expected)


# --- what is there ------------------------------------------------


@pytest.mark.rule("INFO-01", "INFO-02")
def test_a_seat_sees_the_table_and_its_own_cards() -> None:
    view = seat_view(table(), "red")
    assert (view.seat, view.edition, view.colors) == ("red", "fifth", ("red", "blue", "white", "orange"))
    assert (view.phase, view.turn, view.active, view.to_act) == ("main", 1, "red", ("red",))
    assert (view.dice, view.robber, view.winner, view.over) == ((1, 1), "E1", None, False)
    assert view.hand == Cards("2 brick 1 ore")
    assert view.development == DevelopmentCards("1 knight 2 victory-point")
    assert not view.new_development
    assert [view.hand_size(color) for color in view.colors] == [3, 4, 1, 0]
    assert [view.development_count(color) for color in view.colors] == [3, 1, 0, 0]
    assert view.played("blue") == DevelopmentCards("3 knight")
    assert view.supply == Cards("17 brick 19 lumber 15 wool 18 grain 18 ore")
    assert view.deck_size == 25 - 3 - 1 - 3 - 1


def test_a_seat_sees_the_pieces_of_all() -> None:
    view = seat_view(table(), "white")
    assert (view.settlements("red"), view.cities("red")) == (("A1nw", "B2se"), ())
    assert (view.settlements(), view.cities()) == ((), ("D2s",))
    assert view.roads("blue") == ("A2/sw",)
    assert len(view.roads("red")) == view.road_length("red") == 5
    assert (view.longest_road, view.largest_army) == ("red", "blue")
    assert view.pieces_left("red") == {"road": 10, "settlement": 3, "city": 4}
    assert view.pieces_left(2) == {"road": 15, "settlement": 5, "city": 3}


def test_places_have_their_canonical_names() -> None:
    from hexholm.rules.places import CORNER_NAMES, SIDE_NAMES, read_corner, read_side

    view = seat_view(table(), None)
    assert view.settlements("red") == tuple(CORNER_NAMES[at] for at in sorted(map(read_corner, ("C3n", "A1nw"))))
    assert view.roads("blue") == (SIDE_NAMES[read_side("B2/ne")],)


def test_roads_without_number_have_no_count() -> None:
    assert seat_view(scene("zip"), 0).pieces_left()["road"] is None


@pytest.mark.rule("INFO-03", "INFO-04")
def test_only_the_owner_counts_hidden_points() -> None:
    game = table()
    assert [seat_view(game, "red").points(color) for color in game.colors] == [6, 3, 2, 0]
    assert [seat_view(game, "blue").points(color) for color in game.colors] == [4, 3, 2, 0]
    assert [seat_view(game, None).points(color) for color in game.colors] == [4, 3, 2, 0]
    assert seat_view(game, "red").public_points() == 4


@pytest.mark.rule("WIN-07")
def test_at_the_end_all_points_lie_open() -> None:
    game = table(cities={"red": "E1s E3s"}, dev={"red": "1 victory-point", "blue": "2 victory-point"}, hands={})
    game.state.hand[0] += Cards("1 wool 1 grain 1 ore").lanes
    game.state.supply -= Cards("1 wool 1 grain 1 ore").lanes
    game.start_belief()
    game.buy("red", "victory-point")
    view = seat_view(game, "white")
    assert (view.over, view.winner, view.to_act) == (True, "red", ())
    assert (view.points("red"), view.points("blue"), view.public_points("red")) == (10, 5, 8)
    assert not view.legal_actions
    assert view.why_not("end") == game.why_not_for_seat("white", "end") is not None
    assert repr(view) == "<SeatView of white: fifth, 4 players, over>"


@pytest.mark.rule("PORT-02", "PORT-03", "PORT-10")
def test_harbors_and_rates_are_those_of_the_player() -> None:
    game = table()
    harbor = {kind: side for side, kind in reversed(game.layout.harbors())}
    from hexholm.rules.places import CORNER_NAMES, SIDE_CORNERS

    corners = [CORNER_NAMES[SIDE_CORNERS[harbor[kind]][0]] for kind in ("any", "ore")]
    view = seat_view(table(settlements={"red": corners[0], "blue": " ".join(corners), "white": corners[1]}), "red")
    assert (view.harbors(), view.rates()) == (("any",), dict.fromkeys(Cards.kinds, 3))
    assert (view.harbors("blue"), view.rates("blue")) == (("ore", "any"), {**dict.fromkeys(Cards.kinds, 3), "ore": 2})
    assert (view.harbors("white"), view.rates("white")) == (("ore",), {**dict.fromkeys(Cards.kinds, 4), "ore": 2})
    assert (view.harbors("orange"), view.rates("orange")) == ((), dict.fromkeys(Cards.kinds, 4))


@pytest.mark.rule("DEV-04", "INFO-03")
def test_new_cards_are_known_to_their_owner_alone() -> None:
    game = table(hands={"red": "1 wool 1 grain 1 ore"})
    game.buy("red", "monopoly")
    assert seat_view(game, "red").new_development == DevelopmentCards("1 monopoly")
    assert not seat_view(game, "blue").new_development
    assert seat_view(game, "blue").development_count("red") == 4


def test_offers_are_seen_by_all() -> None:
    game = table()
    game.play("red", offer(game, "2 brick : 1 wool", "blue", "white"))
    game.play("blue", "accept #1")
    game.play("white", "counter #1 1 grain : 1 ore")
    first = Offer(1, "red", Cards("2 brick"), Cards("1 wool"), ("blue", "white"), ("blue",), ("white",))
    second = Offer(2, "white", Cards("1 grain"), Cards("1 ore"), ("red",))
    for color in (*game.colors, None):
        assert seat_view(game, color).offers == (first, second)
    assert str(first) == "#1 red gives 2 brick for 1 wool to blue, white (yes: blue; no: white)"
    assert str(second) == "#2 white gives 1 grain for 1 ore to red"


@pytest.mark.rule("SEVEN-05")
def test_who_has_chosen_a_discard_is_not_seen_before_all_have() -> None:
    game = table(hands={"red": "8 ore", "blue": "9 wool"}, phase="roll")
    game.roll(7)
    game.play("red", "discard 4 ore")
    assert seat_view(game, "blue").to_act == ("red", "blue")
    assert [seat_view(game, "blue").owed(color) for color in game.colors] == [4, 4, 0, 0]
    assert seat_view(game, "red").to_act == ("blue",)
    assert seat_view(game, "red").owed() == 0


def test_the_public_has_no_cards_and_does_nothing() -> None:
    view = seat_view(table(), None)
    assert (view.seat, view.hand, view.development) == (None, Cards(), DevelopmentCards())
    assert view.hand_size("red") == 3
    assert not view.legal_actions
    with pytest.raises(BadInput, match="say whose: the public has no seat"):
        view.hand_size()
    with pytest.raises(BadInput, match="the public cannot act"):
        view.why_not("end")


@pytest.mark.parametrize("player", ["pink", 4, -1, 1.5])
def test_a_player_who_is_not_there_is_named(player: Any) -> None:
    view = seat_view(table(), 0)
    for look in (view.hand_size, view.points, view.roads, view.odds, view.development_odds, view.rates):
        with pytest.raises(BadInput, match=r"nobody plays .*; the players are red, blue, white, orange"):
            look(player)


# --- what may be done ------------------------------------------------


@pytest.mark.rule("INFO-01", "TRADE-10", "PHASE-13")
def test_a_view_and_the_referee_agree_on_what_is_legal_and_why_not() -> None:
    """All seats, phases, editions; whole games with offers; any code at all."""
    phases: set[str] = set()
    editions: Counter[str] = Counter()
    judged: Counter[str] = Counter()
    listed = refused = silent = 0
    for number in (2, 5, 7, 16, 20, 22, 24, 26):
        rng = random.Random(number)
        for at, duel in enumerate(walk(number, 330)):
            game = duel.referee
            if at % 5 and game.phase in ("main", "roll", "dice"):
                continue
            phases.add(game.phase)
            editions[game.options.edition] += 1
            game_rng, duel.rng = duel.rng, rng  # what is asked must not change the game
            for seat in range(game.state.players):
                view, codes = seat_view(game, seat), game.legal(seat)
                assert view.legal_actions.pairs == [(seat, code) for code in codes]
                listed += len(codes)
                candidates = [game.action_code(duel.any_action(seat), seat), game.action_code(duel.offer(seat), seat)]
                candidates.append(
                    act.offer_action(1 << 8, rng.choice((19, 20)) << 32, 1 << (seat + 1) % game.state.players)
                )
                candidates += [random_code(rng, rng.randrange(32)), rng.choice(codes or [0]) ^ 1 << rng.randrange(63)]
                for code in (*candidates, *rng.sample(codes, min(2, len(codes)))):
                    reason = game.why_not_for_seat(seat, code)
                    assert view.why_not(code) == reason, (game.action_text(code), seat, number, at)
                    refused += reason is not None
                    judged["legal" if reason is None else reason.name] += 1
                    silent += reason is None and game.why_not(seat, code) is not None
            duel.rng = game_rng
    assert phases == {phase.name for phase in PHASES}
    assert set(editions) == set(EDITIONS)
    assert listed > 3000
    assert refused > 1000
    assert judged["wants_too_much"]
    assert judged["legal"] > 300
    assert silent  # a partner lacks the cards, and the seat is not told


@pytest.mark.rule("COMP-03")
def test_no_offer_may_want_more_than_there_is_and_the_seat_knows_the_sum() -> None:
    game = table(hands={"red": "1 ore", "blue": "18 wool", "white": "1 wool"})
    for text, name in (("1 ore : 19 wool", None), ("1 ore : 20 wool", "wants_too_much")):
        reason = seat_view(game, "red").why_not(offer(game, text, "blue"))
        assert (reason and reason.name) == name


@pytest.mark.rule("DEV-08")
@pytest.mark.parametrize("deck", ["1 monopoly", ""])
def test_a_seat_sees_whether_there_is_a_card_to_buy(deck: str) -> None:
    game = table(hands={"red": "1 wool 1 grain 1 ore"}, deck=deck)
    assert ("buy" in seat_view(game, "red").legal_actions) == bool(deck)


def test_a_refusal_gives_reason_and_rule() -> None:
    view = seat_view(table(), "red")
    assert "end" in view.legal_actions
    assert view.why_not("end") is None
    assert view.why_not("red: end") is None
    assert view.why_not(view.legal_actions[0]) is None
    reason = view.why_not("city A1n")
    assert reason is not None
    assert str(reason) == str(table().why_not_for_seat("red", "city A1n"))
    assert reason.rule == "CITY-01"
    with pytest.raises(BadInput, match="this is the view of red, who cannot act for blue"):
        view.why_not("blue accept #1")
    with pytest.raises(UnreadableAction):
        view.why_not("castle A1n")


# --- honest by type ------------------------------------------------

SKIPPED = (type, ModuleType, FunctionType, BuiltinFunctionType, CodeType)


def reached(thing: object) -> list[object]:
    """All objects that can be reached from one, code aside."""
    reachable: dict[int, object] = {id(thing): thing}
    todo = [thing]
    while todo:
        for other in gc.get_referents(todo.pop()):
            if id(other) not in reachable and not isinstance(other, SKIPPED):
                reachable[id(other)] = other
                todo.append(other)
    return list(reachable.values())


@pytest.mark.rule("INFO-01")
def test_nothing_leads_from_a_view_to_the_game() -> None:
    game = Game(edition="fifth", setup="fixed", seed=3)
    game.play("roll")
    view = game.view("blue")
    assert any(isinstance(thing, Referee) for thing in reached(game))  # the walk would find one

    def look() -> None:
        things = reached(view)
        assert len(things) > 20
        records = [thing for thing in things if isinstance(thing, (State, Belief, OpenOffers))]
        assert records == [view.raw]
        assert type(view.raw) is View
        assert view.raw.buffer.base is None  # no larger piece of memory behind it
        assert not [thing for thing in things if isinstance(thing, (Game, Referee, random.Random))]

    look()
    str(view), repr(view), hash(view)
    assert view.legal_actions is view.legal_actions
    view.why_not("roll")
    view.odds("red"), view.development_odds("red"), view.worlds
    view.sample(1)
    # Questions about legality are put to a stand-in. It holds what the view holds, nothing else: a copy makes the same.
    referee, copied_referee = view._referee, pickle.loads(pickle.dumps(view))._referee  # noqa: S301
    assert (referee.state, referee.open_offers) == (copied_referee.state, copied_referee.open_offers)
    assert not hasattr(referee, "belief")
    del view.__dict__["_referee"]
    look()


def test_the_board_of_a_view_does_not_name_a_seed() -> None:
    assert "seed" not in Game(seed=123456).view(None).layout.name


# --- a value ------------------------------------------------


def test_a_view_is_a_value() -> None:
    game = table()
    view = seat_view(game, "red")
    twins = [seat_view(game, "red"), copy.copy(view), copy.deepcopy(view), pickle.loads(pickle.dumps(view))]  # noqa: S301
    for twin in twins:
        assert twin == view
        assert hash(twin) == hash(view)
        assert twin.legal_actions == view.legal_actions
    assert seat_view(game, "blue") != view
    assert view != seat_view(table(players=3), "red")
    assert view != view.raw
    with pytest.raises(AttributeError, match="a view cannot be changed: hand"):
        view.hand = Cards()  # type: ignore[misc]


def test_a_view_does_not_follow_the_game() -> None:
    game = table()
    view = seat_view(game, "red")
    game.play("red", "end")
    assert (view.active, seat_view(game, "red").active) == ("red", "blue")


def test_both_speeds_see_the_same() -> None:
    game = table()
    quick = SeatView(game.options, game.layout, game.view("red"), compiled=True)
    slow = SeatView(game.options, game.layout, game.view("red"), compiled=False)
    assert quick.legal_actions == slow.legal_actions
    assert quick.why_not("city A1n") == slow.why_not("city A1n")
    assert quick == slow


# --- as text ------------------------------------------------


def test_a_view_reads_like_a_table() -> None:
    game = table(dev={"red": "1 knight", "blue": "1 monopoly"}, hand_limit=9)
    game.state.rolled = 1
    game.play("red", offer(game, "2 brick : 1 wool", "blue", "white"))
    assert str(seat_view(game, "red")).splitlines() == [
        "Fifth Edition (2015), seen by red: turn 1 of red, rolled 1 and 1",
        "house rule: hand limit of 9 cards on a seven (the books: 7)",
        "Trade, play a development card, or end your turn. Also to act: blue, white.",
        "Your hand: 2 brick 1 ore; development cards: 1 Knight",
        "* red    4 points; 3 cards; 1 development card; road 5; Longest Road",
        "  blue   3 points; 4 cards (4 wool); 1 development card; 3 knights played; road",
        "         1; Largest Army",
        "  white  2 points; 1 card (1 grain); road 0",
        "  orange 0 points; 0 cards; road 0",
        "Offer #1 red gives 2 brick for 1 wool to blue, white",
        "Supply: 17 brick 19 lumber 15 wool 18 grain 18 ore; 19 development cards",
        "Robber: E1",
    ]


def test_ranges_are_told_where_a_hand_is_not_known() -> None:
    game = table(phase="robber", hands={"red": "1 ore", "blue": "1 brick 1 wool"}, settlements={"blue": "B2n"})
    game.play("red", "robber A2")
    game.deal("stolen wool")
    assert "red    2 points; 2 cards (0-1 brick 0-1 wool 1 ore)" in str(seat_view(game, "white"))
    assert "Your hand" not in str(seat_view(game, None))
    assert str(seat_view(game, None)).startswith("Fifth Edition (2015), seen by everybody: turn 1 of red")


def test_no_line_is_wider_than_a_terminal() -> None:
    for number in (2, 5):
        for at, duel in enumerate(walk(number, 200)):
            if at % 20 == 0:
                for seat in (0, None):
                    assert max(map(len, str(seat_view(duel.referee, seat)).splitlines())) < 80


def test_a_text_without_beliefs_still_shows_the_table() -> None:
    game = table()
    game.belief = Belief()
    view = seat_view(game, "red")
    assert "blue   3 points; 4 cards; 1 development card" in str(view)
    assert "end" in view.legal_actions
    assert not view.exact
