"""The life of offers: numbers, answers, counter-offers, choice, withdrawal, end (TRADE-03, TRADE-14, TRADE-15)."""

from __future__ import annotations

from typing import Any

import pytest

from hexholm.rules.notation import UnreadableAction
from tests.helpers.legal_texts import legal_texts
from tests.helpers.marks import all_editions

from ..scenes import Scene, by_seat, hand_text, offer, scene, text_of, traders
from ..turns import SEPARATE

PLENTY = "5 brick 5 lumber 5 wool 5 grain 4 ore"


def terms_by_number(game: Scene) -> dict[int, tuple[int, str]]:
    """Maker and terms of the open offers, by number."""
    offers = game.open_offers
    return {
        i + 1: (offers.maker[i], f"{text_of(offers.give[i])} : {text_of(offers.want[i])}")
        for i in range(8)
        if offers.give[i]
    }


def answers(game: Scene, number: int) -> tuple[set[int], set[int]]:
    """Who has said yes and who no."""
    yes, no = game.open_offers.yes[number - 1], game.open_offers.no[number - 1]
    return {seat for seat in range(4) if yes >> seat & 1}, {seat for seat in range(4) if no >> seat & 1}


def trading(edition: str, *hands: str, **scene_options: Any) -> Scene:
    """Traders where trade and build are mixed, in every edition."""
    return traders(edition, *hands, phases="combined", **scene_options)


def offer_actions(game: Scene, seat: int) -> list[str]:
    words = ("offer", "counter", "accept", "reject", "confirm", "withdraw")
    return [text for text in legal_texts(game, seat) if text.startswith(words)]


# --- numbers ------------------------------------------------------------------------------------------


@pytest.mark.rule("TRADE-03")
@all_editions
def test_eight_offers_may_be_open_and_no_ninth(edition: str) -> None:
    game = traders(edition, "1 ore", "1 brick", "1 wool")
    for number in range(1, 9):
        maker = number % 2  # active and waiting makers share the numbers
        game.play(maker, offer(game, "1 brick : 1 ore" if maker else "1 ore : 1 brick", 1 - maker))
        assert terms_by_number(game)[number][0] == maker
    game.refused(0, offer(game, "1 ore : 1 wool", 2), "TRADE-03")
    game.refused(2, offer(game, "1 wool : 1 ore", 0), "TRADE-03")
    game.refused(1, "counter #2 1 brick : 1 ore", "TRADE-03")  # although a counter-offer would end #2
    game.play(1, "withdraw #5")
    game.play(2, offer(game, "1 wool : 1 ore", 0))
    assert terms_by_number(game)[5] == (2, "1 wool : 1 ore")


@pytest.mark.rule("TRADE-03")
@all_editions
def test_a_new_offer_takes_the_lowest_free_number(edition: str) -> None:
    game = traders(edition, "3 ore", "1 brick", "1 wool")
    for kind in ("brick", "wool", "grain", "lumber"):
        game.play(0, offer(game, f"1 ore : 1 {kind}", 1))
    game.play(0, "withdraw #3")
    game.play(1, "accept #1")
    assert sorted(terms_by_number(game)) == [2, 4]
    game.play(2, offer(game, "1 wool : 1 ore", 0))
    game.play(0, offer(game, "1 brick : 1 grain", 1, 2))
    game.play(0, offer(game, "2 ore : 1 grain", 3))
    assert terms_by_number(game) == {
        1: (2, "1 wool : 1 ore"),
        2: (0, "1 ore : 1 wool"),
        3: (0, "1 brick : 1 grain"),
        4: (0, "1 ore : 1 lumber"),
        5: (0, "2 ore : 1 grain"),
    }


@pytest.mark.rule("TRADE-03")
def test_numbers_that_are_not_open_are_refused() -> None:
    game = traders("fifth", "1 ore", "1 brick")
    game.play(0, offer(game, "1 ore : 1 brick", 1))
    for text in ("accept #2", "reject #2", "counter #2 1 brick : 1 ore"):
        game.refused(1, text, "TRADE-03")
    game.refused(0, "withdraw #2", "TRADE-03")
    game.refused(0, "confirm #2 blue", "TRADE-03")


# --- proposals, answers, counter-offers ------------------------------------------------------------------


@pytest.mark.rule("TRADE-03", "TRADE-03.e1", "TRADE-15.e3")
@all_editions
def test_a_waiting_player_proposes_to_the_active_one_only(edition: str) -> None:
    game = traders(edition, "1 ore", "1 brick", "1 wool")
    game.refused(1, offer(game, "1 brick : 1 wool", 2), "TRADE-02")
    game.refused(1, offer(game, "1 brick : 1 wool", 0, 2), "TRADE-02")
    game.play(1, offer(game, "1 brick : 1 ore", 0))
    game.play(0, "accept #1")
    assert (hand_text(game, 0), hand_text(game, 1), terms_by_number(game)) == ("1 brick", "1 ore", {})


@pytest.mark.rule("TRADE-15.e1")
@all_editions
def test_an_offer_to_one_player_is_executed_by_the_yes(edition: str) -> None:
    game = traders(edition, "1 ore", "1 brick")
    game.play(0, offer(game, "1 ore : 1 brick", 1))
    assert (hand_text(game, 0), hand_text(game, 1)) == ("1 ore", "1 brick")
    game.refused(0, f"confirm #1 {game.colors[1]}", "TRADE-15")
    game.play(1, "accept #1")
    assert (hand_text(game, 0), hand_text(game, 1), terms_by_number(game)) == ("1 brick", "1 ore", {})


@pytest.mark.rule("TRADE-15", "TRADE-15.e2", "TRADE-03")
@all_editions
def test_an_offer_to_several_is_executed_with_the_one_the_maker_picks(edition: str) -> None:
    game = traders(edition, "1 ore", "1 brick", "1 brick", "1 wool")
    game.play(0, offer(game, "1 ore : 1 brick", 1, 2, 3))
    game.play(1, "accept #1")
    game.play(2, "accept #1")
    game.play(3, "counter #1 1 wool : 1 ore")
    assert (answers(game, 1), terms_by_number(game)[2]) == (({1, 2}, {3}), (3, "1 wool : 1 ore"))
    assert [hand_text(game, seat) for seat in range(4)] == ["1 ore", "1 brick", "1 brick", "1 wool"]
    game.refused(0, f"confirm #1 {game.colors[3]}", "TRADE-15")  # has not said yes
    game.refused(1, f"confirm #1 {game.colors[1]}", "TRADE-14")  # not the maker
    game.play(0, f"confirm #1 {game.colors[2]}")  # answering first gives no right
    assert [hand_text(game, seat) for seat in range(4)] == ["1 brick", "1 brick", "1 ore", "1 wool"]
    assert list(terms_by_number(game)) == [2]  # the others stay
    game.refused(0, f"confirm #1 {game.colors[1]}", "TRADE-03")


@pytest.mark.rule("TRADE-15")
@all_editions
def test_the_maker_may_pick_nobody(edition: str) -> None:
    game = traders(edition, "1 ore", "1 brick", "1 brick")
    game.play(0, offer(game, "1 ore : 1 brick", 1, 2))
    game.play(1, "accept #1")
    game.play(2, "accept #1")
    game.play(0, "end")
    assert [hand_text(game, seat) for seat in range(3)] == ["1 ore", "1 brick", "1 brick"]


@pytest.mark.rule("TRADE-15.e2")
@all_editions
def test_an_answer_can_be_changed_but_not_repeated(edition: str) -> None:
    game = traders(edition, "1 ore", "1 brick", "1 brick")
    game.play(0, offer(game, "1 ore : 1 brick", 1, 2))
    game.play(1, "accept #1")
    game.refused(1, "accept #1", "TRADE-15")
    game.play(1, "reject #1")
    assert answers(game, 1) == (set(), {1})
    game.refused(1, "reject #1", "TRADE-15")
    game.refused(0, f"confirm #1 {game.colors[1]}", "TRADE-15")  # the yes is gone
    game.play(1, "accept #1")
    assert answers(game, 1) == ({1}, set())
    game.play(1, "counter #1 1 brick : 1 wool")  # a no as well
    assert answers(game, 1) == (set(), {1})
    game.play(1, "accept #1")
    game.play(0, f"confirm #1 {game.colors[1]}")
    assert (hand_text(game, 0), hand_text(game, 1)) == ("1 brick", "1 ore")


@pytest.mark.rule("TRADE-03", "TRADE-15.e2")
@all_editions
def test_an_offer_ends_when_all_have_said_no(edition: str) -> None:
    game = traders(edition, "2 ore", "1 brick", "1 brick", "1 brick")
    game.play(0, offer(game, "1 ore : 1 brick", 1, 2, 3))
    game.play(1, "reject #1")
    game.play(2, "accept #1")
    game.play(3, "counter #1 1 brick : 2 ore")
    assert sorted(terms_by_number(game)) == [1, 2]
    game.play(2, "reject #1")
    assert terms_by_number(game) == {2: (3, "1 brick : 2 ore")}
    game.play(0, "reject #2")
    assert terms_by_number(game) == {}


@pytest.mark.rule("TRADE-03", "TRADE-15.e3")
@all_editions
def test_a_counter_offer_is_a_new_offer_and_a_no(edition: str) -> None:
    game = traders(edition, "2 ore", "1 brick 1 wool")
    game.play(0, offer(game, "1 ore : 1 brick", 1))
    game.play(1, "counter #1 1 brick : 2 ore")
    assert terms_by_number(game) == {2: (1, "1 brick : 2 ore")}  # its number was taken before #1 ended
    assert game.open_offers.to[1] == 1 << 0
    game.play(0, "counter #2 2 ore : 1 brick 1 wool")
    assert terms_by_number(game) == {1: (0, "2 ore : 1 brick 1 wool")}
    assert game.open_offers.to[0] == 1 << 1
    game.play(1, "accept #1")
    assert (hand_text(game, 0), hand_text(game, 1)) == ("1 brick 1 wool", "2 ore")


@pytest.mark.rule("TRADE-03", "TRADE-15", "TRADE-15.e2")
@all_editions
@pytest.mark.parametrize("others", [(), (2,)], ids=["asked alone", "asked with another"])
def test_a_counter_offer_does_what_a_no_and_an_offer_do(edition: str, others: tuple[int, ...]) -> None:
    """One behavior: it declines, and what all have declined is over; whoever declined with others may still say yes."""
    countered, declined = (traders(edition, "2 ore", "1 brick 1 wool", "1 brick") for _ in range(2))
    for game in (countered, declined):
        game.play(0, offer(game, "1 ore : 1 brick", 1, *others))
    countered.play(1, "counter #1 1 brick : 2 ore")
    declined.play(1, offer(declined, "1 brick : 2 ore", 0))
    declined.play(1, "reject #1")
    assert countered.all_bytes() == declined.all_bytes()
    assert (1 in terms_by_number(countered)) == bool(others)
    assert countered.allowed(1, "accept #1") == bool(others)


@pytest.mark.rule("TRADE-03", "TRADE-15.e1")
@all_editions
def test_a_number_is_free_again_when_its_offer_is_withdrawn(edition: str) -> None:
    """Records name offers by number (docs/decisions/0003); over the wire `request` says which question is answered."""
    game = traders(edition, "2 ore", "2 brick")
    game.play(0, offer(game, "1 ore : 1 brick", 1))
    game.play(0, "withdraw #1")
    game.refused(1, "accept #1", "TRADE-03")
    game.play(0, offer(game, "1 ore : 2 brick", 1))
    assert terms_by_number(game) == {1: (0, "1 ore : 2 brick")}


@pytest.mark.rule("TRADE-02")
def test_an_offer_to_nobody_is_asked_whom_it_is_for() -> None:
    with pytest.raises(UnreadableAction, match="say to whom"):
        traders("fifth", "1 ore").play(0, "offer 1 ore : 1 wool to")


@pytest.mark.rule("TRADE-03", "TRADE-14.e4", "TRADE-15")
@all_editions
def test_counter_offers_follow_the_rules_of_offers(edition: str) -> None:
    game = traders(edition, "2 ore", "1 brick", "1 brick")
    game.play(0, offer(game, "1 ore : 1 brick", 1))
    game.refused(1, "counter #1 2 brick : 1 ore", "TRADE-14")
    game.refused(1, "counter #1 1 brick : 1 brick 1 ore", "TRADE-06")
    game.refused(1, "counter #1 1 brick : nothing", "TRADE-05")
    game.refused(1, "counter #1 1 brick : 20 ore", "COMP-03")
    game.refused(2, "counter #1 1 brick : 2 ore", "TRADE-15")  # not addressed
    game.refused(0, "counter #1 1 ore : 1 brick", "TRADE-15")  # its maker
    assert game.allowed(1, "counter #1 1 brick : 19 ore")


# --- who may do what with an offer ------------------------------------------------------------------------


@pytest.mark.rule("TRADE-14.e3", "TRADE-14")
@all_editions
def test_the_maker_withdraws_until_it_is_executed(edition: str) -> None:
    game = traders(edition, "1 ore", "1 brick", "1 brick")
    game.play(0, offer(game, "1 ore : 1 brick", 1, 2))
    game.play(1, "accept #1")
    game.refused(1, "withdraw #1", "TRADE-14")
    game.play(0, "withdraw #1")
    assert terms_by_number(game) == {}
    game.refused(1, "accept #1", "TRADE-03")
    game.play(1, offer(game, "1 brick : 1 ore", 0))
    game.refused(0, "withdraw #1", "TRADE-14")
    game.play(0, "accept #1")
    game.refused(1, "withdraw #1", "TRADE-03")  # an executed trade cannot be undone
    assert (hand_text(game, 0), hand_text(game, 1)) == ("1 brick", "1 ore")


@pytest.mark.rule("TRADE-14.e4")
@all_editions
def test_an_offer_of_cards_not_held_is_refused_when_made(edition: str) -> None:
    game = traders(edition, "2 ore", "1 brick")
    game.refused(0, offer(game, "3 ore : 1 brick", 1), "TRADE-14")
    game.refused(0, offer(game, "1 ore 1 wool : 1 brick", 1), "TRADE-14")
    game.refused(1, offer(game, "2 brick : 1 ore", 0), "TRADE-14")
    assert game.allowed(0, offer(game, "2 ore : 1 brick", 1))


@pytest.mark.rule("TRADE-14.e5")
@all_editions
def test_nothing_tells_the_maker_that_the_partner_lacks_the_cards(edition: str) -> None:
    views = []
    for stolen_kind in ("brick", "wool"):
        # seat 2 has robbed seat 1 of one of two cards, and only these two know which
        game = traders(
            edition, "1 ore", "1 brick 1 wool", "", phase="robber", turn=2, settlements=by_seat(edition, "", "B2n")
        )
        game.play(2, "robber B2")
        game.deal(f"stolen {stolen_kind}")
        game.next_turn_of(0)
        game.roll(2)
        text = offer(game, "1 ore : 1 brick", 1, 2)
        assert game.why_not(0, text) is None
        game.play(0, text)
        game.play(0, offer(game, "1 ore : 19 brick", 1))
        views.append((game.view(0).buffer.tobytes(), game.legal(0), game.to_act()))
    assert views[0] == views[1]


ACTS = {  # what may be done while offers are open, and whether it leaves the cards of an offer in the hand
    "monopoly wool": True,
    "knight, robber A1": True,
    "year-of-plenty ore ore": True,
    "road-building, road C3/ne, road C3/nw": True,
    "road C3/ne": False,
    "city C3n": False,
    "buy, drawn knight": False,
    "supply 4 wool : 1 ore": False,
}


@pytest.mark.rule("TRADE-14", "TRADE-14.e1")
@all_editions
@pytest.mark.parametrize("acts", ACTS)
def test_open_offers_bind_no_cards(edition: str, acts: str) -> None:
    cards = "1 knight 1 monopoly 1 year-of-plenty 1 road-building"
    hands = (PLENTY, "1 brick 1 ore", "1 wool")
    game = trading(edition, *hands, settlements=by_seat(edition, "C3n"), dev=by_seat(edition, cards))
    game.play(0, offer(game, f"{PLENTY.removesuffix(' 4 ore')} : 1 ore", 1))
    game.play(1, offer(game, "1 brick : 1 ore", 0))
    for action in acts.split(", "):
        if action.startswith("drawn"):
            game.deal(action)
        else:
            assert game.allowed(0, action)
            game.play(0, action)
    assert sorted(terms_by_number(game)) == [1, 2]
    game.play(0, "accept #2")
    if ACTS[acts]:
        game.play(1, "accept #1")
    else:
        game.refused(1, "accept #1", "TRADE-10")


@pytest.mark.rule("TRADE-14.e2")
@all_editions
@pytest.mark.parametrize("card", ["knight", "road-building"])
def test_while_something_is_pending_offers_rest(edition: str, card: str) -> None:
    game = traders(
        edition,
        "2 ore",
        "2 brick",
        "1 wool",
        dev=by_seat(edition, f"1 {card}"),
        settlements=by_seat(edition, "C3n", "B2n", "B2s"),
    )
    game.play(0, offer(game, "1 ore : 1 brick", 1, 2))
    game.play(1, "accept #1")
    game.play(0, offer(game, "1 ore : 1 brick", 1))
    standing = terms_by_number(game)

    def rests() -> None:
        for speaker, text in (
            (0, offer(game, "1 ore : 1 wool", 2)),
            (1, offer(game, "1 brick : 1 ore", 0)),
            (1, "accept #2"),
            (1, "reject #2"),
            (1, "counter #2 1 brick : 1 ore"),
            (0, f"confirm #1 {game.colors[1]}"),
            (0, "withdraw #2"),
        ):
            game.refused(speaker, text, "PHASE-11")
        assert [offer_actions(game, seat) for seat in range(4)] == [[], [], [], []]
        assert terms_by_number(game) == standing
        assert 1 not in game.to_act()

    game.play(0, card)
    if card == "knight":
        rests()  # robber to move
        game.play(0, "robber B2")
        assert game.phase == "victim"
        rests()
        game.play(0, f"steal {game.colors[1]}")
        assert game.phase == "theft"
        rests()
        game.deal("stolen brick")
    else:
        rests()
        game.play(0, "road C3/ne")
        rests()
        game.play(0, "road C3/nw")
    assert (game.phase, terms_by_number(game)) == ("main", standing)
    game.play(1, "accept #2")
    assert list(terms_by_number(game)) == [1]


@pytest.mark.rule("TRADE-14.e2")
@pytest.mark.parametrize("edition", ["zip", "sixth"])
def test_while_a_card_is_drawn_offers_rest(edition: str) -> None:
    game = traders(edition, "1 brick 1 wool 1 grain 1 ore", "1 lumber")
    game.play(0, offer(game, "1 brick : 1 lumber", 1))
    game.play(0, "buy")
    game.refused(1, "accept #1", "PHASE-11")
    game.deal("drawn knight")
    game.play(1, "accept #1")
    assert hand_text(game, 0) == "1 lumber"


# --- the end of offers ------------------------------------------------------------------------------------


@pytest.mark.rule("TRADE-03", "TRADE-03.e2")
@all_editions
def test_all_offers_end_with_the_turn(edition: str) -> None:
    game = traders(edition, "1 ore", "1 brick", "1 wool")
    game.play(0, offer(game, "1 ore : 1 brick", 1))
    game.play(2, offer(game, "1 wool : 1 ore", 0))
    game.play(0, "end")
    assert terms_by_number(game) == {}
    game.roll(2)
    game.refused(1, "accept #1", "TRADE-03")


BUILDS = ["road C3/ne", "city C3n", "buy", "settlement C2n"]


@pytest.mark.rule("TRADE-03", "TRADE-03.e2")
@pytest.mark.parametrize("edition", SEPARATE)
@pytest.mark.parametrize("build", BUILDS)
def test_with_separate_phases_the_first_build_or_purchase_ends_offers_and_trade(edition: str, build: str) -> None:
    place = {"settlements": by_seat(edition, "C3n"), "roads": by_seat(edition, "C3/nw B2/sw")}
    game = traders(edition, PLENTY, "1 brick", **place)
    game.play(0, offer(game, "1 ore : 1 brick", 1))
    game.play(1, offer(game, "1 brick : 1 ore", 0))
    game.play(0, build)
    assert terms_by_number(game) == {}
    if build == "buy":
        game.deal("drawn knight")
    game.refused(0, offer(game, "1 ore : 1 brick", 1), "PHASE-05")
    game.refused(1, offer(game, "1 brick : 1 ore", 0), "PHASE-05")
    game.refused(1, "accept #1", "PHASE-05")
    mixed = trading(edition, PLENTY, "1 brick", **place)
    mixed.play(0, offer(mixed, "1 ore : 1 brick", 1))
    mixed.play(0, build)
    assert list(terms_by_number(mixed)) == [1]


@pytest.mark.rule("TRADE-03.e2")
@pytest.mark.parametrize("edition", SEPARATE)
def test_with_separate_phases_free_roads_and_supply_trades_end_no_offer(edition: str) -> None:
    game = traders(
        edition, PLENTY, "1 brick", settlements=by_seat(edition, "C3n"), dev=by_seat(edition, "1 road-building")
    )
    game.play(0, offer(game, "1 ore : 1 brick", 1))
    for action in ("supply 4 wool : 1 ore", "road-building", "road C3/ne", "road C3/nw"):
        game.play(0, action)
    game.play(1, "accept #1")
    game.pass_turn()
    game.roll(2)
    assert game.allowed(1, offer(game, "1 ore : 1 brick", 0))  # trade is open again in the next turn


@pytest.mark.rule("TRADE-03")
@all_editions
def test_all_offers_end_with_the_game(edition: str) -> None:
    game = trading(
        edition,
        "2 grain 4 ore",
        "1 brick",
        settlements=by_seat(edition, "C3n"),
        cities=by_seat(edition, "A1n A3n C1nw"),
        played=by_seat(edition, "3 knight"),
        largest_army=scene(edition).colors[0],
    )
    assert game.points(0) == 9
    game.play(0, offer(game, "1 ore : 1 brick", 1))
    game.play(1, offer(game, "1 brick : 1 ore", 0))
    game.play(0, "city C3n")
    assert (game.phase, terms_by_number(game)) == ("over", {})
    for seat, text in ((1, "accept #1"), (0, offer(game, "1 ore : 1 brick", 1))):
        game.refused(seat, text, "WIN-02")
    assert game.view(None).offer_give[0] == 0
