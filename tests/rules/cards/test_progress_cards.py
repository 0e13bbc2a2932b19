"""Year of Plenty / Invention and Monopoly (DEV-19 to DEV-24)."""

from __future__ import annotations

from typing import Any

import pytest

from hexholm.rules.encoding.lanes import unpack
from hexholm.rules.encoding.structs import RESOURCES
from tests.helpers.legal_texts import legal_texts
from tests.helpers.marks import all_editions, three_or_four

from ..scenes import Scene, before_or_after, by_seat, colors_of, hand_text, scene, supply_text, view_bytes

# --- Year of Plenty / Invention ---------------------------------------------------------------------------------------


def plenty(edition: str, **scene_options: Any) -> Scene:
    """Seat 0 holds a Year of Plenty card."""
    return scene(edition, dev=by_seat(edition, "1 year-of-plenty"), **scene_options)


@pytest.mark.rule("DEV-19", "DEV-19.e1")
@all_editions
@before_or_after
def test_any_two_cards_equal_or_different(edition: str, phase: str) -> None:
    pairs = [(a, b) for i, a in enumerate(RESOURCES) for b in RESOURCES[i:]]
    assert ("ore", "ore") in pairs
    assert ("wool", "ore") in pairs
    for a, b in pairs:
        game = plenty(edition, phase=phase)
        game.play(0, f"year-of-plenty {a} {b}")
        assert hand_text(game, 0) == (f"2 {a}" if a == b else f"1 {a} 1 {b}")
        assert sum(game.supply().values()) == 93
        assert game.supply()[a] == (17 if a == b else 18)
        assert game.phase == phase
    listed_plays = {text for text in legal_texts(plenty(edition, phase=phase), 0) if text.startswith("year")}
    assert listed_plays == {f"year-of-plenty {a} {b}" for a, b in pairs}


@pytest.mark.rule("DEV-20", "DEV-20.e1")
@all_editions
def test_played_in_the_middle_of_building_to_finish_a_city(edition: str) -> None:
    first = colors_of(edition)[0]
    game = plenty(edition, settlements={first: "C3n"}, hands={first: "1 brick 1 lumber 2 grain 1 ore"})
    game.play(first, "road C3/ne")
    game.refused(first, "city C3n", "BUILD-01")
    game.play(first, "year-of-plenty ore ore")
    game.play(first, "city C3n")
    assert game.points(first) == 2
    assert hand_text(game, first) == "nothing"


@pytest.mark.rule("DEV-20", "DEV-20.e2")
@all_editions
def test_cards_taken_before_the_roll_count_on_a_seven(edition: str) -> None:
    game = plenty(edition, phase="roll", hands=by_seat(edition, "6 brick"))
    game.play(0, "year-of-plenty ore ore")
    game.roll(7)
    assert game.phase == "discard"
    assert game.state.owed[0] == 4
    without = plenty(edition, phase="roll", hands=by_seat(edition, "6 brick"))
    without.roll(7)
    assert without.phase == "robber"


@pytest.mark.rule("DEV-20.e2")
@all_editions
def test_cards_taken_before_the_roll_can_be_spent_only_after_it(edition: str) -> None:
    first, second, *_ = colors_of(edition)
    game = plenty(edition, phase="roll", settlements={first: "C3n"}, hands={first: "4 wool", second: "1 wool"})
    game.play(first, "year-of-plenty brick lumber")
    game.refused(first, "road C3/ne", "PHASE-09")
    game.refused(first, "supply 4 wool : 1 ore", "PORT-11")
    game.refused(first, f"offer 1 brick : 1 wool to {second}", "TRADE-01")
    game.roll(2)
    game.play(first, "road C3/ne")
    assert hand_text(game, first) == "4 wool"


@pytest.mark.rule("DEV-21", "DEV-21.e1", "EDN-03")
@all_editions
@before_or_after
def test_only_cards_that_are_there_can_be_taken(edition: str, phase: str) -> None:
    game = plenty(edition, phase=phase, bank="1 ore 5 wool")
    game.refused(0, "year-of-plenty ore ore", "DEV-21")
    game.refused(0, "year-of-plenty brick ore", "DEV-21")
    game.refused(0, "year-of-plenty brick brick", "DEV-21")
    plays = [text for text in legal_texts(game, 0) if text.startswith("year")]
    assert sorted(plays) == ["year-of-plenty wool ore", "year-of-plenty wool wool"]
    game.play(0, "year-of-plenty ore wool")
    assert supply_text(game) == "4 wool"


@pytest.mark.rule("DEV-21", "DEV-21.e2", "EDN-03")
@all_editions
def test_one_card_in_the_whole_supply_is_taken_alone(edition: str) -> None:
    game = plenty(edition, bank="1 grain")
    for bad_cards in ("ore", "grain grain", "ore grain", "ore ore"):
        game.refused(0, f"year-of-plenty {bad_cards}", "DEV-21")
    assert game.allowed(0, "year-of-plenty grain")
    game.play(0, "year-of-plenty grain")
    assert hand_text(game, 0) == "1 grain"
    assert supply_text(game) == "nothing"
    assert game.development(0)["year-of-plenty"] == 0


@pytest.mark.rule("DEV-21", "DEV-21.e2", "EDN-03")
@all_editions
@before_or_after
def test_with_an_empty_supply_the_card_cannot_be_played(edition: str, phase: str) -> None:
    game = plenty(edition, phase=phase, bank="")
    for first in RESOURCES:
        game.refused(0, f"year-of-plenty {first}", "DEV-21")
        for second in RESOURCES:
            game.refused(0, f"year-of-plenty {first} {second}", "DEV-21")
    assert not [text for text in legal_texts(game, 0) if text.startswith("year")]
    assert game.development(0)["year-of-plenty"] == 1


@pytest.mark.rule("DEV-21.e3", "EDN-03")
@all_editions
@pytest.mark.parametrize("bank", ["2 ore", "1 wool 1 ore", "19 brick 19 lumber 19 wool 19 grain 19 ore"])
def test_a_single_card_is_refused_while_the_supply_holds_two(edition: str, bank: str) -> None:
    game = plenty(edition, bank=bank)
    game.refused(0, "year-of-plenty ore", "DEV-21")
    assert game.development(0)["year-of-plenty"] == 1


# --- Monopoly ---------------------------------------------------------------------------------------------------------


def monopoly(edition: str, *hands: str, **scene_options: Any) -> Scene:
    """Seat 0 holds a Monopoly card; hands by seat."""
    return scene(edition, dev=by_seat(edition, "1 monopoly"), hands=by_seat(edition, *hands), **scene_options)


@pytest.mark.rule("DEV-22", "DEV-22.e1", "DEV-22.e2", "DEV-23", "DEV-24")
@all_editions
@before_or_after
def test_every_other_player_hands_over_all_cards_of_one_kind(edition: str, phase: str) -> None:
    game = monopoly(edition, "1 wool 1 ore", "3 brick 2 wool", "2 ore", "5 wool 1 ore", phase=phase)
    supply = supply_text(game)
    game.play(0, "monopoly wool")
    assert [hand_text(game, seat) for seat in range(4)] == ["8 wool 1 ore", "3 brick", "2 ore", "1 ore"]
    assert supply_text(game) == supply
    assert game.phase == phase


@pytest.mark.rule("DEV-22")
@all_editions
@pytest.mark.parametrize("kind", RESOURCES)
def test_three_players_and_every_kind(edition: str, kind: str) -> None:
    hand = "1 brick 1 lumber 1 wool 1 grain 1 ore"
    game = monopoly(edition, "", hand, hand, players=3)
    game.play(0, f"monopoly {kind}")
    assert hand_text(game, 0) == f"2 {kind}"
    other_cards = " ".join(f"1 {other_kind}" for other_kind in RESOURCES if other_kind != kind)
    assert (hand_text(game, 1), hand_text(game, 2)) == (other_cards, other_cards)


@pytest.mark.rule("DEV-22.e3")
@all_editions
def test_cards_traded_away_in_the_same_turn_can_be_taken_back(edition: str) -> None:
    two = colors_of(edition)[1]
    game = monopoly(edition, "2 ore", "1 wool", "1 ore")
    game.play(0, f"offer 2 ore : 1 wool to {two}")
    game.play(1, "accept #1")
    assert (hand_text(game, 0), hand_text(game, 1)) == ("1 wool", "2 ore")
    game.play(0, "monopoly ore")
    assert [hand_text(game, seat) for seat in range(3)] == ["1 wool 3 ore", "nothing", "nothing"]


@pytest.mark.rule("DEV-23")
@all_editions
def test_only_one_kind_can_be_named(edition: str) -> None:
    game = monopoly(edition, "", "2 wool", "2 ore")
    before = game.all_bytes()
    for action in ("monopoly", "monopoly wool ore", "monopoly 2 wool", "monopoly all"):
        with pytest.raises(ValueError, match="cannot read"):
            game.play(0, action)
    assert game.all_bytes() == before
    game.play(0, "monopoly wool")
    game.refused(0, "monopoly ore", "DEV-03")
    assert hand_text(game, 0) == "2 wool"


@pytest.mark.rule("DEV-24", "DEV-24.e1", "DEV-23.e1")
@all_editions
@three_or_four
def test_with_all_hands_empty_nothing_moves_and_the_card_is_spent(edition: str, players: int) -> None:
    game = monopoly(edition, "1 ore", players=players)
    game.play(0, "monopoly ore")
    assert [game.size(seat) for seat in range(players)] == [1, *[0] * (players - 1)]
    assert game.development(0)["monopoly"] == 0


@pytest.mark.rule("DEV-24.e2", "INFO-09")
@all_editions
def test_the_amounts_become_public_the_rest_of_the_hands_stays_hidden(edition: str) -> None:
    def after_theft(kind: str) -> Scene:
        """Seat 1 stole a card from seat 2; then seat 3 takes all ore."""
        game = scene(
            edition,
            turn=1,
            phase="roll",
            settlements=by_seat(edition, "", "", "C5n"),
            hands=by_seat(edition, "1 ore", "", "2 ore 1 wool 1 grain"),
            dev=by_seat(edition, "", "", "", "1 monopoly"),
        )
        game.roll(7)
        game.play(1, "robber C5")
        game.deal(f"stolen {kind}")
        game.pass_turn(2)
        game.pass_turn(2)
        game.play(3, "monopoly ore")
        return game

    wool, grain, ore = after_theft("wool"), after_theft("grain"), after_theft("ore")
    for observer in (None, 0, 3):
        assert view_bytes(wool, observer) == view_bytes(grain, observer)  # wool or grain: still hidden
        assert view_bytes(wool, observer) != view_bytes(ore, observer)  # one ore from each of two: that is seen
        view = wool.view(observer)
        assert [view.hand_size[seat] for seat in range(4)] == [0, 1, 1, 3]
        assert view.worlds == 2
        assert all(unpack(view.world_hand[i, seat])[4] == 0 for i in range(2) for seat in (0, 1, 2))
        assert ore.view(observer).worlds == 1


@pytest.mark.rule("DEV-24.e2")
@all_editions
def test_a_hand_that_gives_fewer_than_it_could_have_held_is_known_to_hold_no_more(edition: str) -> None:
    game = monopoly(edition, "", "2 ore 1 wool", phase="roll", settlements=by_seat(edition, "", "C5n"))
    game.roll(7)
    game.play(0, "robber C5")
    game.deal("stolen ore")
    assert game.view(None).worlds == 2
    game.play(0, "monopoly ore")  # one ore comes, so the other was stolen
    for observer in (None, 2, 3):
        view = game.view(observer)
        assert view.worlds == 1
        assert [unpack(view.world_hand[0, seat]) for seat in (0, 1)] == [(0, 0, 0, 0, 2), (0, 0, 1, 0, 0)]
