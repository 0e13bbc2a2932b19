"""Trade between players: who, when, what for what (TRADE). How offers live and end is in test_offers.py."""

from __future__ import annotations

import pytest

from hexholm.rules.notation import UnreadableAction
from hexholm.rules.reasons import IllegalAction
from tests.helpers.legal_texts import legal_texts
from tests.helpers.marks import all_editions, three_or_four

from ..scenes import Scene, by_seat, hand_text, offer, scene, traders


def hands(game: Scene) -> list[str]:
    return [hand_text(game, seat) for seat in range(game.state.players)]


def trade(game: Scene, maker: int, terms: str, partner: int) -> None:
    """One offer to one player, and the yes; no other offers are open."""
    game.play(maker, offer(game, terms, partner))
    game.play(partner, "accept #1")


# --- when ------------------------------------------------


@pytest.mark.rule("TRADE-01", "TRADE-01.e1")
@all_editions
def test_no_offer_before_the_roll(edition: str) -> None:
    game = traders(edition, "1 brick", "1 wool", phase="roll")
    game.refused(0, offer(game, "1 brick : 1 wool", 1), "TRADE-01")
    game.refused(1, offer(game, "1 wool : 1 brick", 0), "TRADE-01")
    game.roll(2)
    assert game.allowed(0, offer(game, "1 brick : 1 wool", 1))
    assert game.allowed(1, offer(game, "1 wool : 1 brick", 0))


@pytest.mark.rule("TRADE-01")
@all_editions
def test_trade_follows_the_turn(edition: str) -> None:
    game = traders(edition, "1 brick", "1 wool", "1 grain")
    game.pass_turn()
    game.refused(0, offer(game, "1 brick : 1 wool", 1), "TRADE-01")
    game.roll(2)
    game.refused(0, offer(game, "1 brick : 1 grain", 2), "TRADE-02")  # no longer the turn of seat 0
    trade(game, 1, "1 wool : 1 grain", 2)
    assert hands(game)[:3] == ["1 brick", "1 grain", "1 wool"]


@pytest.mark.rule("TRADE-01.e2")
@all_editions
def test_no_offer_while_a_seven_is_pending(edition: str) -> None:
    game = traders(edition, "8 ore", "1 wool", phase="roll", settlements=by_seat(edition, "", "B2n"))
    ask, propose = offer(game, "1 ore : 1 wool", 1), offer(game, "1 wool : 1 ore", 0)
    game.play(0, "roll")
    game.refused(0, ask, "PHASE-11")  # the dice are in the air
    game.deal("dice 3 4")
    for phase in ("discard", "robber", "theft"):
        assert game.phase == phase
        game.refused(0, ask, "PHASE-11")
        game.refused(1, propose, "PHASE-11")
        match phase:
            case "discard":
                game.play(0, "discard 4 ore")
            case "robber":
                game.play(0, "robber B2")
            case "theft":
                game.deal("stolen wool")
    assert game.phase == "main"
    assert game.allowed(0, ask)


@pytest.mark.rule("TRADE-01")
@all_editions
def test_no_offer_during_placement(edition: str) -> None:
    game = traders(edition, "1 brick", "1 wool", phase="settlement")
    game.refused(0, offer(game, "1 brick : 1 wool", 1), "SETUP-21")
    game.refused(1, offer(game, "1 wool : 1 brick", 0), "SETUP-21")


# --- who ------------------------------------------------


@pytest.mark.rule("TRADE-02", "TRADE-02.x1")
def test_zip_example_blue_trades_with_green_and_black_goes_away_empty() -> None:
    game = scene("zip", turn="blue", hands={"blue": "1 wool", "green": "1 grain", "black": "1 ore"})
    game.play("green", "offer 1 wheat : 1 wool to blue")
    game.play("black", "offer 1 ore : 1 wool to blue")
    game.play("blue", "accept #1")
    assert (hand_text(game, "blue"), hand_text(game, "green")) == ("1 grain", "1 wool")
    game.refused("blue", "accept #2", "TRADE-10")  # blue has no wool any more
    game.refused("black", "offer 1 ore : 1 wool to green", "TRADE-02")


@pytest.mark.rule("TRADE-02", "TRADE-02.x2")
def test_sixth_example_blue_trades_with_orange_and_white_goes_away_empty() -> None:
    game = scene("sixth", turn="blue", hands={"blue": "1 wool", "orange": "1 grain", "white": "1 ore"})
    game.play("orange", "offer 1 grain : 1 wool to blue")
    game.play("white", "offer 1 ore : 1 wool to blue")
    game.play("blue", "accept #1")
    assert (hand_text(game, "blue"), hand_text(game, "orange"), hand_text(game, "white")) == (
        "1 grain",
        "1 wool",
        "1 ore",
    )
    game.refused("blue", "accept #2", "TRADE-10")
    game.refused("white", "offer 1 ore : 1 wool to orange", "TRADE-02")


@pytest.mark.parametrize(
    "edition",
    [
        pytest.param("fifth", marks=pytest.mark.rule("TRADE-02", "TRADE-02.x3", "TRADE-15", "TRADE-15.x1", "TRADE-03")),
        pytest.param("threed", marks=pytest.mark.rule("TRADE-02", "TRADE-02.x4", "TRADE-15", "TRADE-03")),
    ],
)
def test_pete_takes_the_second_answer(edition: str) -> None:
    pete, beth, cooper = "red", "blue", "white"
    game = scene(edition, hands={pete: "2 lumber 3 ore", beth: "1 brick", cooper: "1 brick"})
    game.play(pete, "offer 1 ore : 1 brick to blue white")
    game.play(beth, "counter #1 1 brick : 3 ore")
    game.play(cooper, "counter #1 1 brick : 1 lumber 1 ore")
    game.play(pete, "accept #3")
    assert hand_text(game, pete) == "1 brick 1 lumber 2 ore"
    assert hand_text(game, cooper) == "1 lumber 1 ore"
    assert hand_text(game, beth) == "1 brick"  # was first and has no claim
    game.refused(beth, "offer 1 brick : 1 ore to white", "TRADE-02")
    game.refused(cooper, "offer 1 ore : 1 brick to blue", "TRADE-02")


@pytest.mark.rule("TRADE-02")
@all_editions
@three_or_four
def test_waiting_players_never_trade_among_themselves(edition: str, players: int) -> None:
    game = traders(edition, *("1 ore", "1 brick", "1 wool", "1 grain")[:players], players=players, turn=1)
    for maker in (0, 2, 3)[: players - 1]:
        card = hand_text(game, maker)
        for partner in range(players):
            terms = offer(game, f"{card} : 1 lumber", partner)
            if partner == 1:
                assert game.allowed(maker, terms)
            else:
                game.refused(maker, terms, "TRADE-02")


@pytest.mark.rule("TRADE-02", "TRADE-02.e1")
@all_editions
def test_an_exchange_has_two_sides_never_three(edition: str) -> None:
    game = traders(edition, "2 ore", "1 brick", "1 brick")
    _, second, third = game.colors[:3]
    game.refused(1, offer(game, "1 brick : 1 ore", 0, 2), "TRADE-02")
    game.play(0, offer(game, "1 ore : 1 brick", 1, 2))
    game.play(1, "accept #1")
    game.play(2, "accept #1")
    with pytest.raises(UnreadableAction):
        game.play(0, f"confirm #1 {second} {third}")
    game.play(0, f"confirm #1 {second}")
    assert hands(game)[:3] == ["1 brick 1 ore", "1 ore", "1 brick"]  # the third has not been part of it
    game.refused(0, f"confirm #1 {third}", "TRADE-03")
    with pytest.raises(UnreadableAction):
        game.play(0, f"offer 1 ore : 1 brick : 1 wool to {second} {third}")


@pytest.mark.rule("TRADE-11")
@all_editions
def test_if_the_active_player_does_not_trade_nobody_trades(edition: str) -> None:
    game = traders(edition, "4 ore", "4 brick", "4 wool", "4 grain", settlements=by_seat(edition, "", "A1n"))
    before = hands(game)
    game.refused(1, offer(game, "1 brick : 1 wool", 2), "TRADE-02")
    game.refused(2, offer(game, "1 wool : 1 grain", 3), "TRADE-02")
    game.refused(1, "supply 4 brick : 1 wool", "TRADE-09")
    game.play(1, offer(game, "1 brick : 1 ore", 0))
    for seat in (2, 3):
        game.refused(seat, "accept #1", "TRADE-15")  # nobody can step in for the active player
    game.play(0, "end")
    assert hands(game) == before
    assert not any(game.open_offers.give[i] for i in range(8))


@pytest.mark.rule("TRADE-12", "TRADE-12.e1")
@all_editions
def test_nobody_is_forced_into_a_trade(edition: str) -> None:
    game = traders(edition, "1 ore", "1 brick", "1 wool")
    before = hands(game)
    game.play(1, offer(game, "1 brick : 1 ore", 0))
    game.refused(1, "accept #1", "TRADE-15")  # the maker cannot say yes for the active player
    game.refused(1, f"confirm #1 {game.colors[0]}", "TRADE-15")
    game.play(0, "reject #1")
    assert hands(game) == before
    game.play(0, offer(game, "1 ore : 1 wool", 2))
    game.refused(0, "accept #1", "TRADE-15")
    game.play(2, "reject #1")
    assert hands(game) == before


@pytest.mark.rule("TRADE-09")
@all_editions
@pytest.mark.parametrize("waiting_seat", [1, 2, 3])
def test_waiting_players_do_not_trade_with_the_supply(edition: str, waiting_seat: int) -> None:
    game = traders(edition, "4 ore", "4 ore", "4 ore", "4 ore", settlements=by_seat(edition, "", "A3se", "A1n", "C5ne"))
    game.refused(waiting_seat, "supply 4 ore : 1 wool", "TRADE-09")
    assert not [text for text in legal_texts(game, waiting_seat) if text.startswith("supply")]
    assert game.allowed(0, "supply 4 ore : 1 wool")


# --- what ------------------------------------------------


@pytest.mark.rule("TRADE-04", "TRADE-04.e1")
@all_editions
@pytest.mark.parametrize(
    ("terms", "maker", "partner"),
    [
        ("1 brick 1 lumber : 1 ore", "4 brick 4 wool 5 grain 1 ore", "1 brick 1 lumber 4 ore"),
        ("1 wool : 3 ore", "5 brick 1 lumber 3 wool 5 grain 3 ore", "1 wool 2 ore"),
        (
            "1 brick 1 lumber 1 wool 1 grain : 1 ore",
            "4 brick 3 wool 4 grain 1 ore",
            "1 brick 1 lumber 1 wool 1 grain 4 ore",
        ),
        ("5 brick 4 wool 5 grain : 5 ore", "1 lumber 5 ore", "5 brick 4 wool 5 grain"),
    ],
)
def test_any_quantities_and_several_kinds(edition: str, terms: str, maker: str, partner: str) -> None:
    game = traders(edition, "5 brick 1 lumber 4 wool 5 grain", "5 ore")
    trade(game, 0, terms, 1)
    assert hands(game)[:2] == [maker, partner]


@pytest.mark.rule("TRADE-05", "TRADE-05.e1")
@all_editions
def test_nothing_is_given_away(edition: str) -> None:
    game = traders(edition, "1 brick", "1 ore")
    game.refused(0, offer(game, "nothing : 1 ore", 1), "TRADE-05")
    game.refused(0, offer(game, "1 brick : nothing", 1), "TRADE-05")
    game.refused(0, offer(game, "0 brick : 1 ore", 1), "TRADE-05")
    game.refused(1, offer(game, "1 ore : nothing", 0), "TRADE-05")
    game.play(0, offer(game, "1 brick : 1 ore", 1))
    game.refused(1, "counter #1 nothing : 1 brick", "TRADE-05")
    game.refused(1, "counter #1 1 ore : nothing", "TRADE-05")


@pytest.mark.rule("TRADE-05.e2")
@all_editions
def test_promises_cannot_be_part_of_a_trade(edition: str) -> None:
    game = traders(edition, "1 brick", "1 ore")
    for words in ("1 brick : 1 ore later", "1 brick promise : 1 ore", "1 brick : 1 favor", "1 brick : 1 ore 1 turn"):
        with pytest.raises(UnreadableAction):
            game.play(0, offer(game, words, 1))
    game.refused(0, offer(game, "2 brick : 1 ore", 1), "TRADE-14")  # one now, one after the next harvest
    game.play(0, offer(game, "1 brick : 2 ore", 1))
    game.refused(1, "accept #1", "TRADE-10")


@pytest.mark.rule("TRADE-06", "TRADE-06.x1", "TRADE-06.x2", "TRADE-06.e1")
@all_editions
@pytest.mark.parametrize("terms", ["3 ore : 1 ore", "2 wool : 1 wool", "2 ore 1 wool : 1 ore", "1 ore : 1 wool 1 ore"])
def test_like_for_like_is_no_trade(edition: str, terms: str) -> None:
    game = traders(edition, "4 wool 4 ore", "4 wool 4 ore")
    game.refused(0, offer(game, terms, 1), "TRADE-06")
    game.refused(1, offer(game, terms, 0), "TRADE-06")
    game.play(1, offer(game, "1 wool : 1 ore", 0))
    game.refused(0, f"counter #1 {terms}", "TRADE-06")


@pytest.mark.rule("TRADE-06", "TRADE-06.e2")
@all_editions
def test_two_kinds_for_a_third_is_a_trade(edition: str) -> None:
    game = traders(edition, "1 ore 1 wool", "1 grain")
    trade(game, 0, "1 ore 1 wool : 1 grain", 1)
    assert hands(game)[:2] == ["1 grain", "1 wool 1 ore"]


@pytest.mark.rule("TRADE-07", "TRADE-07.e1")
@all_editions
@pytest.mark.parametrize("card", ["knight", "victory-point", "road-building", "year-of-plenty", "monopoly"])
def test_development_cards_are_no_goods(edition: str, card: str) -> None:
    game = traders(edition, "1 brick", "1 ore", dev=by_seat(edition, f"1 {card}", f"1 {card}"))
    before = game.all_bytes()
    for terms in (f"1 {card} : 1 ore", f"1 brick 1 {card} : 1 ore", f"1 brick : 1 {card}"):
        with pytest.raises(UnreadableAction):
            game.play(0, offer(game, terms, 1))
        with pytest.raises(UnreadableAction):
            game.play(1, f"counter #1 {terms}")
    with pytest.raises(UnreadableAction):
        game.play(0, f"supply 4 {card} : 1 ore")
    assert game.all_bytes() == before


@pytest.mark.rule("TRADE-13")
@all_editions
@pytest.mark.parametrize(
    "goods", ["road", "settlement", "city", "longest-road", "largest-army", "point", "robber", "turn"]
)
def test_awards_pieces_and_points_are_no_goods(edition: str, goods: str) -> None:
    game = traders(edition, "1 brick", "1 ore", settlements=by_seat(edition, "C3n"))
    before = game.all_bytes()
    for terms in (f"1 {goods} : 1 ore", f"1 brick : 1 {goods}", f"1 brick : 1 ore 1 {goods}"):
        with pytest.raises(UnreadableAction):
            game.play(0, offer(game, terms, 1))
    assert game.all_bytes() == before


@pytest.mark.rule("TRADE-13.e1", "INFO-09")
@all_editions
def test_executed_trades_are_public_in_content(edition: str) -> None:
    game = traders(edition, "2 brick", "1 wool 1 ore", "1 grain")
    trade(game, 0, "2 brick : 1 wool 1 ore", 1)
    for observer in (2, 3, None):
        view = game.view(observer)
        assert view.worlds == 1
        assert [view.world_hand[0, seat] for seat in range(4)] == [game.state.hand[seat] for seat in range(4)]


@pytest.mark.rule("TRADE-08", "TRADE-08.e1")
@all_editions
def test_ten_trades_in_one_turn(edition: str) -> None:
    game = traders(edition, "10 ore", "10 wool")
    for trades_made in range(10):
        assert hand_text(game, 1) == (f"{10 - trades_made} wool {trades_made} ore" if trades_made else "10 wool")
        trade(game, 0, "1 ore : 1 wool", 1)
    assert hands(game)[:2] == ["10 wool", "10 ore"]
    game.refused(0, offer(game, "1 ore : 1 wool", 1), "TRADE-14")  # no cards of that kind, no trade
    trade(game, 0, "1 wool : 1 ore", 1)


# --- the moment of the exchange ------------------------------------------------


@pytest.mark.rule("TRADE-10", "TRADE-10.e1", "TRADE-14.e1")
@pytest.mark.parametrize("edition", ["zip", "sixth"])
def test_a_maker_who_has_spent_the_cards_cannot_deliver(edition: str) -> None:
    game = traders(edition, "1 brick 1 lumber", "1 ore", settlements=by_seat(edition, "C3n"))
    game.play(0, offer(game, "1 brick : 1 ore", 1))
    game.play(0, "road C3/ne")
    game.refused(1, "accept #1", "TRADE-10")


@pytest.mark.rule("TRADE-10", "TRADE-10.e1", "TRADE-14.e1")
@all_editions
def test_a_maker_who_has_traded_the_cards_to_the_supply_cannot_deliver(edition: str) -> None:
    game = traders(edition, "4 brick", "1 ore", "1 ore")
    game.play(0, offer(game, "1 brick : 1 ore", 1))
    game.play(0, offer(game, "1 brick : 1 ore", 1, 2))
    game.play(2, "accept #2")
    game.play(0, "supply 4 brick : 1 wool")
    game.refused(1, "accept #1", "TRADE-10")
    game.refused(0, f"confirm #2 {game.colors[2]}", "TRADE-10")


@pytest.mark.rule("TRADE-10", "TRADE-10.e2", "TRADE-14.e1")
@all_editions
def test_cards_taken_by_monopoly_cannot_be_delivered(edition: str) -> None:
    game = traders(edition, "1 wool", "1 ore", "1 ore", dev=by_seat(edition, "1 monopoly"))
    game.play(1, offer(game, "1 ore : 1 wool", 0))
    game.play(0, offer(game, "1 wool : 1 ore", 1, 2))
    game.play(2, "accept #2")
    game.play(0, "monopoly ore")
    game.refused(0, "accept #1", "TRADE-10")  # the maker has lost the cards
    game.refused(0, f"confirm #2 {game.colors[2]}", "TRADE-10")  # the one who said yes has lost them
    game.refused(1, "accept #2", "TRADE-10")


@pytest.mark.rule("TRADE-10", "TRADE-10.e2", "TRADE-14.e1")
@all_editions
def test_cards_taken_by_the_robber_cannot_be_delivered(edition: str) -> None:
    game = traders(
        edition, "1 wool", "1 ore", dev=by_seat(edition, "1 knight"), settlements=by_seat(edition, "", "B2n")
    )
    game.play(1, offer(game, "1 ore : 1 wool", 0))
    game.play(0, "knight")
    game.play(0, "robber B2")
    game.deal("stolen ore")
    game.refused(0, "accept #1", "TRADE-10")


@pytest.mark.rule("TRADE-10", "TRADE-10.e3", "TRADE-15")
@all_editions
def test_a_single_card_goes_to_one_of_two_takers(edition: str) -> None:
    game = traders(edition, "1 ore", "1 brick", "1 wool")
    game.play(0, offer(game, "1 ore : 1 brick", 1))
    game.play(0, offer(game, "1 ore : 1 wool", 2))
    game.play(2, "accept #2")
    game.refused(1, "accept #1", "TRADE-10")
    assert hands(game)[:3] == ["1 wool", "1 brick", "1 ore"]


@pytest.mark.rule("TRADE-10")
@all_editions
def test_one_who_has_not_the_cards_cannot_accept(edition: str) -> None:
    game = traders(edition, "1 ore", "1 brick")
    game.play(0, offer(game, "1 ore : 2 brick", 1))
    game.refused(1, "accept #1", "TRADE-10")
    with pytest.raises(IllegalAction, match="TRADE-10"):
        game.play(1, "accept #1")
