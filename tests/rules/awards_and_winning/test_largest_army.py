"""Largest Army (ARMY-*)."""

from __future__ import annotations

import pytest

from hexholm.rules.editions import EDITIONS, edition
from tests.marks import all_editions, three_or_four

from ..scenes import Scene, colors_of, scene


def fresh_turn(game: Scene, who: str) -> None:
    """Go on to a turn of `who` in which no card was played yet."""
    if game.active() == who and game.state.card_played:
        if game.phase == "roll":
            game.roll(2)
        game.pass_turn()
    while game.active() != who:
        if game.phase == "roll":
            game.roll(2)
        game.pass_turn()


def play_knight(game: Scene, who: str) -> None:
    """Play a knight in the next turn of `who` that allows it, and send the robber away."""
    fresh_turn(game, who)
    game.play(who, "knight")
    game.play(who, game.legal(who)[0])


@pytest.mark.rule("ARMY-01", "ARMY-01.e1", "ARMY-03")
@pytest.mark.parametrize("name", EDITIONS)
@three_or_four
def test_the_third_knight_takes_the_award_at_once(name: str, players: int) -> None:
    assert edition(name).largest_army_min == 3
    one = colors_of(name)[0]
    game = scene(name, dev={one: "3 knight"}, settlements={one: "C5n"}, players=players)
    for _ in range(2):
        play_knight(game, one)
        assert game.holder("largest_army") is None
        assert game.points(one) == 1
    fresh_turn(game, one)
    game.play(one, "knight")  # before the robber is moved
    assert game.holder("largest_army") == one
    assert game.points(one) == 3


@pytest.mark.rule("ARMY-01")
@all_editions
def test_the_first_with_three_takes_it_whatever_the_seat(edition: str) -> None:
    one, two, three, four = colors_of(edition)
    game = scene(
        edition,
        turn=three,
        dev={three: "1 knight", four: "1 knight"},
        played=dict.fromkeys((one, two, three, four), "2 knight"),
    )
    assert game.holder("largest_army") is None
    play_knight(game, three)
    assert game.holder("largest_army") == three
    play_knight(game, four)
    assert game.holder("largest_army") == three


@pytest.mark.rule("ARMY-02", "ARMY-02.e1", "ARMY-03")
@all_editions
def test_three_against_three_changes_nothing_four_against_three_swings_four_points(edition: str) -> None:
    one, two, *_ = colors_of(edition)
    game = scene(
        edition,
        turn=two,
        dev={two: "2 knight"},
        played={one: "3 knight", two: "2 knight"},
        settlements={one: "C5n", two: "D1s"},
    )
    assert (game.points(one), game.points(two)) == (3, 1)
    play_knight(game, two)
    assert game.holder("largest_army") == one
    assert (game.points(one), game.points(two)) == (3, 1)
    fresh_turn(game, two)
    game.play(two, "knight")
    assert game.phase == "robber"
    assert game.holder("largest_army") == two  # immediately
    assert (game.points(one), game.points(two)) == (1, 3)


@pytest.mark.rule("ARMY-02")
@all_editions
def test_the_holder_keeps_it_with_more_knights(edition: str) -> None:
    one, two, *_ = colors_of(edition)
    game = scene(
        edition, dev={one: "1 knight", two: "1 knight"}, played={one: "3 knight", two: "3 knight"}, largest_army=one
    )
    play_knight(game, one)
    assert game.holder("largest_army") == one
    assert game.points(one) == 2  # once, not twice
    play_knight(game, two)
    assert game.holder("largest_army") == one  # four against four


@pytest.mark.rule("ARMY-02")
@all_editions
def test_more_than_the_holder_is_needed_not_more_than_three(edition: str) -> None:
    one, two, *_ = colors_of(edition)
    game = scene(edition, dev={two: "2 knight"}, turn=two, played={one: "5 knight", two: "4 knight"})
    play_knight(game, two)
    assert game.holder("largest_army") == one
    play_knight(game, two)
    assert game.holder("largest_army") == two


@pytest.mark.rule("ARMY-03")
@pytest.mark.parametrize("name", EDITIONS)
def test_it_is_worth_two_points(name: str) -> None:
    assert edition(name).points["largest_army"] == 2
    one = colors_of(name)[0]
    game = scene(name, dev={one: "1 knight"}, played={one: "2 knight"}, cities={one: "A1n A2n A3n C1nw"})
    assert game.points(one) == 8
    game.play(one, "knight")
    assert game.points(one) == 10
    assert game.winner == 0
    short = scene(
        name, dev={one: "1 knight"}, played={one: "2 knight"}, cities={one: "A1n A2n A3n"}, settlements={one: "E1s"}
    )
    short.play(one, "knight")
    assert short.points(one) == 9
    assert short.winner is None


@pytest.mark.rule("ARMY-04", "ARMY-04.e1")
@all_editions
def test_knights_in_hand_do_not_count(edition: str) -> None:
    one, two, *_ = colors_of(edition)
    game = scene(
        edition,
        dev={one: "5 knight", two: "1 knight"},
        played={one: "2 knight", two: "2 knight"},
        settlements={one: "C5n"},
    )
    assert game.holder("largest_army") is None
    game.pass_turn(2)
    assert game.holder("largest_army") is None
    assert game.points(one) == 1
    play_knight(game, two)
    assert game.holder("largest_army") == two  # three played beat two played and five in hand


@pytest.mark.rule("ARMY-04.e2")
@all_editions
@three_or_four
def test_once_taken_the_award_never_returns_to_the_supply(edition: str, players: int) -> None:
    names = colors_of(edition)[:players]
    game = scene(
        edition,
        dev=dict.fromkeys(names, "4 knight") if players == 3 else dict.fromkeys(names, "3 knight"),
        players=players,
    )
    holders: list[str | None] = []
    for _ in range(3):
        for who in names:
            play_knight(game, who)
            holders.append(game.holder("largest_army"))
    taken = next(i for i, holder in enumerate(holders) if holder)
    assert taken == 2 * players  # the first seat's third knight
    assert holders[taken:] == [names[0]] * (len(holders) - taken)  # ties leave it there
    if players == 3:
        play_knight(game, names[1])
        assert game.holder("largest_army") == names[1]
        play_knight(game, names[2])
        assert game.holder("largest_army") == names[1]
    assert sum(game.points(who) for who in names) == 2
