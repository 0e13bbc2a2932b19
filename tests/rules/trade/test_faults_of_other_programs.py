"""What other engines get wrong in trade between players and with the supply: one test each.

Also: who is asked, and what is listed.
"""

from __future__ import annotations

import pytest

from hexholm.rules.encoding import action_codes as act
from tests.helpers.legal_texts import legal_texts
from tests.helpers.marks import all_editions

from ..scenes import Scene, by_seat, hand_text, offer, traders

TALK = ("offer", "counter", "accept", "reject", "confirm", "withdraw")


def listed_texts(game: Scene, seat: int) -> set[str]:
    """The part of a legal list that concerns offers."""
    return {text for text in legal_texts(game, seat) if text.startswith(TALK)}


# --- faults of others ---------------------------------------------------------------------------------------


@pytest.mark.rule("TRADE-10", "TRADE-14.e4")
@all_editions
def test_no_hand_goes_below_nothing(edition: str) -> None:
    """Elsewhere: an offer of cards not held is taken, confirmed, and leaves a hand of minus three."""
    game = traders(edition, "3 brick 1 ore", "2 ore")
    game.refused(0, offer(game, "4 brick : 1 ore", 1), "TRADE-14")
    game.play(0, offer(game, "3 brick : 1 ore", 1))
    game.play(0, offer(game, "2 brick : 1 ore", 1))
    game.play(1, "accept #1")
    game.refused(1, "accept #2", "TRADE-10")
    assert (hand_text(game, 0), hand_text(game, 1)) == ("2 ore", "3 brick 1 ore")


@pytest.mark.rule("TRADE-10", "TRADE-15")
@all_editions
def test_the_maker_must_still_hold_the_cards_when_confirming(edition: str) -> None:
    """Elsewhere: nobody looks at the offerer's hand at the confirmation."""
    game = traders(edition, "1 brick", "1 ore", "1 wool")
    game.play(0, offer(game, "1 brick : 1 ore", 1, 2))
    game.play(0, offer(game, "1 brick : 1 wool", 2))
    game.play(1, "accept #1")
    game.play(2, "accept #2")
    game.refused(0, f"confirm #1 {game.colors[1]}", "TRADE-10")
    assert [hand_text(game, seat) for seat in range(3)] == ["1 wool", "1 ore", "1 brick"]


@pytest.mark.rule("TRADE-15", "TRADE-02")
@all_editions
@pytest.mark.parametrize("players", [3, 4])
def test_the_maker_is_never_asked_about_the_own_offer(edition: str, players: int) -> None:
    """Elsewhere: an offerer who does not sit in seat 0 must answer himself, and may trade with himself."""
    for maker in range(players):
        game = traders(edition, *["1 brick 1 ore"] * players, players=players, turn=maker)
        other_seats = [seat for seat in range(players) if seat != maker]
        game.refused(maker, offer(game, "1 brick : 1 ore", maker), "TRADE-02")
        game.refused(maker, offer(game, "1 brick : 1 ore", *range(players)), "TRADE-02")
        game.play(maker, offer(game, "1 brick : 1 ore", *other_seats))
        assert game.to_act() == list(range(players))
        assert listed_texts(game, maker) == {"withdraw #1"}
        for answer in ("accept #1", "reject #1", "counter #1 1 brick : 1 ore"):
            game.refused(maker, answer, "TRADE-15")
        game.refused(maker, f"confirm #1 {game.colors[maker]}", "TRADE-15")
        for seat in other_seats:
            game.play(seat, "accept #1")
        assert game.to_act() == [maker]  # now only because it is the maker's turn


@pytest.mark.rule("TRADE-03", "TRADE-15.e2")
@all_editions
def test_counter_offers_exist(edition: str) -> None:
    game = traders(edition, "1 brick 1 wool", "1 ore")
    game.play(0, offer(game, "1 brick : 1 ore", 1))
    game.play(1, "counter #1 1 ore : 1 brick 1 wool")
    game.play(0, "accept #2")
    assert (hand_text(game, 0), hand_text(game, 1)) == ("1 ore", "1 brick 1 wool")


@pytest.mark.rule("TRADE-15.e1", "TRADE-15")
@all_editions
@pytest.mark.parametrize("addressees", [(1,), (2,), (3,), (1, 3)])
def test_offers_to_named_players_are_for_them_alone(edition: str, addressees: tuple[int, ...]) -> None:
    """Elsewhere: every offer goes to all, or one who was not addressed may accept."""
    game = traders(edition, "1 brick", "1 ore", "1 ore", "1 ore")
    game.play(0, offer(game, "1 brick : 1 ore", *addressees))
    assert set(game.to_act()) == {0, *addressees}
    for seat in {1, 2, 3} - set(addressees):
        for answer in ("accept #1", "reject #1", "counter #1 1 ore : 1 brick"):
            game.refused(seat, answer, "TRADE-15")
        assert listed_texts(game, seat) == set()
    for seat in addressees:
        assert listed_texts(game, seat) == {"accept #1", "reject #1"}


@pytest.mark.rule("TRADE-03.e1")
@all_editions
def test_waiting_players_may_propose(edition: str) -> None:
    game = traders(edition, "1 ore", "1 brick", turn=0)
    game.play(1, offer(game, "1 brick : 1 ore", 0))
    assert listed_texts(game, 0) == {"accept #1", "reject #1"}
    game.play(0, "accept #1")
    assert (hand_text(game, 0), hand_text(game, 1)) == ("1 brick", "1 ore")


@pytest.mark.rule("TRADE-03")
@all_editions
def test_offers_cannot_pile_up_for_ever(edition: str) -> None:
    """Elsewhere: a bot can go on offering without end."""
    game = traders(edition, "1 brick", "1 ore")
    offer_count = 0
    while game.why_not(0, offer(game, "1 brick : 1 ore", 1)) is None:
        game.play(0, offer(game, "1 brick : 1 ore", 1))
        offer_count += 1
        assert offer_count <= 8
    assert offer_count == 8


@pytest.mark.rule("TRADE-15")
@all_editions
def test_the_first_to_say_yes_does_not_get_the_trade(edition: str) -> None:
    """Elsewhere: the first acceptor has it."""
    game = traders(edition, "1 brick", "1 ore", "1 ore")
    game.play(0, offer(game, "1 brick : 1 ore", 1, 2))
    game.play(1, "accept #1")
    assert hand_text(game, 1) == "1 ore"
    game.play(2, "accept #1")
    game.play(0, f"confirm #1 {game.colors[2]}")
    assert [hand_text(game, seat) for seat in range(3)] == ["1 ore", "1 ore", "1 brick"]


@pytest.mark.rule("PORT-10", "PORT-10.e1")
@all_editions
def test_every_rate_is_listed_not_only_the_best(edition: str) -> None:
    """Elsewhere: only the best rate for a resource is legal."""
    game = traders(edition, "4 ore", settlements=by_seat(edition, "A3se C5ne"))
    trades = {text for text in legal_texts(game, 0) if text.startswith("supply")}
    kinds = ("brick", "lumber", "wool", "grain")
    assert trades == {f"supply {rate} ore : 1 {kind}" for rate in (4, 3, 2) for kind in kinds}
    for text in trades:
        assert game.why_not(0, text) is None


@pytest.mark.rule("TRADE-03")
@all_editions
def test_whatever_is_listed_as_an_answer_can_be_judged_and_carried_out(edition: str) -> None:
    """Elsewhere: players that search ahead fall over when they are asked to answer an offer."""
    for answer in ("accept #1", "reject #1", "withdraw #1", "confirm #1"):
        game = traders(edition, "1 brick", "1 ore", "1 ore")
        game.play(0, offer(game, "1 brick : 1 ore", 1, 2))
        game.play(2, "accept #1")
        seat = 0 if answer.startswith(("withdraw", "confirm")) else 1
        code = next(code for code in game.legal(seat) if game.action_text(code).startswith(answer))
        assert game.action_code(game.action_text(code)) == code
        game.copy().play(seat, code)
        assert game.why_not(seat, code) is None


# --- who is asked, what is listed -----------------------------------------------------------------------------


@pytest.mark.rule("TRADE-15", "TRADE-03")
@all_editions
def test_asked_are_the_active_player_and_those_who_have_not_answered(edition: str) -> None:
    game = traders(edition, "1 brick", "1 ore", "1 ore", "1 ore")
    assert game.to_act() == [0]
    game.play(0, offer(game, "1 brick : 1 ore", 1, 2))
    assert game.to_act() == [0, 1, 2]
    game.play(1, "accept #1")
    assert game.to_act() == [0, 2]
    game.play(2, "reject #1")
    assert game.to_act() == [0]
    game.play(0, offer(game, "1 brick : 1 ore", 3))
    game.play(2, offer(game, "1 ore : 1 brick", 0))
    assert game.to_act() == [0, 3]
    game.play(3, "counter #2 1 ore : 1 brick")
    assert game.to_act() == [0]


@pytest.mark.rule("TRADE-14", "TRADE-14.e5", "TRADE-10")
@all_editions
def test_the_list_of_answers_follows_from_the_own_hand_and_what_all_know(edition: str) -> None:
    game = traders(edition, "4 brick 1 wool", "1 ore", "", "1 ore 1 lumber")
    game.play(0, offer(game, "1 brick : 1 ore", 1, 2, 3))
    game.play(0, offer(game, "1 wool : 1 lumber", 3))
    assert listed_texts(game, 0) == {"withdraw #1", "withdraw #2"}
    assert listed_texts(game, 1) == {"accept #1", "reject #1"}
    assert listed_texts(game, 2) == {"reject #1"}  # holds no ore
    assert listed_texts(game, 3) == {"accept #1", "reject #1", "accept #2", "reject #2"}
    game.play(1, "accept #1")
    assert listed_texts(game, 1) == {"reject #1"}
    confirm = f"confirm #1 {game.colors[1]}"
    assert listed_texts(game, 0) == {"withdraw #1", "withdraw #2", confirm}
    game.play(2, "reject #1")
    assert listed_texts(game, 2) == set()
    game.play(0, "supply 4 brick : 1 ore")
    assert listed_texts(game, 0) == {"withdraw #1", "withdraw #2"}  # the maker sees that the own bricks are gone
    assert "accept #1" in listed_texts(game, 3)  # the others need not know, and a yes is only noted
    game.play(3, "accept #1")
    game.refused(0, f"confirm #1 {game.colors[3]}", "TRADE-10")


@pytest.mark.rule("TRADE-14", "TRADE-10")
@all_editions
def test_lists_hold_what_the_partner_cannot_meet_any_more(edition: str) -> None:
    game = traders(edition, "1 brick", "1 ore", "1 ore 1 wool", dev=by_seat(edition, "1 monopoly"))
    game.play(1, offer(game, "1 ore : 1 brick", 0))
    game.play(0, offer(game, "1 brick : 1 ore", 1, 2))
    game.play(2, "accept #2")
    game.play(0, "monopoly ore")
    confirm = f"confirm #2 {game.colors[2]}"
    assert listed_texts(game, 0) == {"accept #1", "reject #1", "withdraw #2", confirm}
    game.refused(0, "accept #1", "TRADE-10")
    game.refused(0, confirm, "TRADE-10")


@pytest.mark.rule("TRADE-14")
@all_editions
def test_offers_never_stand_on_legal_lists(edition: str) -> None:
    game = traders(edition, "2 brick 2 ore", "1 brick")
    game.play(1, offer(game, "1 brick : 1 ore", 0))
    kinds = {act.kind_of(code) for seat in range(4) for code in game.legal(seat)}
    assert not kinds & {act.OFFER, act.COUNTER}
    assert {act.ACCEPT, act.REJECT, act.WITHDRAW} <= kinds
