"""Largest Army (ARMY-*)."""

from __future__ import annotations

import pytest

from hexholm.rules.setup.editions import EDITIONS, edition
from tests.helpers.marks import all_editions, three_or_four

from ..scenes import Scene, colors_of, scene


def fresh_turn(game: Scene, color: str) -> None:
    """Go on to a turn of `color` in which no card was played yet."""
    if game.active() == color and game.state.card_played:
        if game.phase == "roll":
            game.roll(2)
        game.pass_turn()
    while game.active() != color:
        if game.phase == "roll":
            game.roll(2)
        game.pass_turn()


def play_knight(game: Scene, color: str) -> None:
    """Play a knight in the next turn of `color` that allows it, and send the robber away."""
    fresh_turn(game, color)
    game.play(color, "knight")
    game.play(color, game.legal(color)[0])


@pytest.mark.rule("ARMY-01", "ARMY-01.e1", "ARMY-03")
@pytest.mark.parametrize("name", EDITIONS)
@three_or_four
def test_the_third_knight_takes_the_award_at_once(name: str, players: int) -> None:
    assert edition(name).largest_army_min == 3
    first = colors_of(name)[0]
    game = scene(name, dev={first: "3 knight"}, settlements={first: "C5n"}, players=players)
    for _ in range(2):
        play_knight(game, first)
        assert game.holder("largest_army") is None
        assert game.points(first) == 1
    fresh_turn(game, first)
    game.play(first, "knight")  # before the robber is moved
    assert game.holder("largest_army") == first
    assert game.points(first) == 3


@pytest.mark.rule("ARMY-01")
@all_editions
def test_the_first_with_three_takes_it_whatever_the_seat(edition: str) -> None:
    first, second, third, fourth = colors_of(edition)
    game = scene(
        edition,
        turn=third,
        dev={third: "1 knight", fourth: "1 knight"},
        played=dict.fromkeys((first, second, third, fourth), "2 knight"),
    )
    assert game.holder("largest_army") is None
    play_knight(game, third)
    assert game.holder("largest_army") == third
    play_knight(game, fourth)
    assert game.holder("largest_army") == third


@pytest.mark.rule("ARMY-02", "ARMY-02.e1", "ARMY-03")
@all_editions
def test_three_against_three_changes_nothing_four_against_three_swings_four_points(edition: str) -> None:
    first, second, *_ = colors_of(edition)
    game = scene(
        edition,
        turn=second,
        dev={second: "2 knight"},
        played={first: "3 knight", second: "2 knight"},
        settlements={first: "C5n", second: "D1s"},
    )
    assert (game.points(first), game.points(second)) == (3, 1)
    play_knight(game, second)
    assert game.holder("largest_army") == first
    assert (game.points(first), game.points(second)) == (3, 1)
    fresh_turn(game, second)
    game.play(second, "knight")
    assert game.phase == "robber"
    assert game.holder("largest_army") == second  # immediately
    assert (game.points(first), game.points(second)) == (1, 3)


@pytest.mark.rule("ARMY-02")
@all_editions
def test_the_holder_keeps_it_with_more_knights(edition: str) -> None:
    first, second, *_ = colors_of(edition)
    game = scene(
        edition,
        dev={first: "1 knight", second: "1 knight"},
        played={first: "3 knight", second: "3 knight"},
        largest_army=first,
    )
    play_knight(game, first)
    assert game.holder("largest_army") == first
    assert game.points(first) == 2  # once, not twice
    play_knight(game, second)
    assert game.holder("largest_army") == first  # four against four


@pytest.mark.rule("ARMY-02")
@all_editions
def test_more_than_the_holder_is_needed_not_more_than_three(edition: str) -> None:
    first, second, *_ = colors_of(edition)
    game = scene(edition, dev={second: "2 knight"}, turn=second, played={first: "5 knight", second: "4 knight"})
    play_knight(game, second)
    assert game.holder("largest_army") == first
    play_knight(game, second)
    assert game.holder("largest_army") == second


@pytest.mark.rule("ARMY-03")
@pytest.mark.parametrize("name", EDITIONS)
def test_it_is_worth_two_points(name: str) -> None:
    assert edition(name).points["largest_army"] == 2
    first = colors_of(name)[0]
    game = scene(name, dev={first: "1 knight"}, played={first: "2 knight"}, cities={first: "A1n A2n A3n C1nw"})
    assert game.points(first) == 8
    game.play(first, "knight")
    assert game.points(first) == 10
    assert game.winner == 0
    short = scene(
        name,
        dev={first: "1 knight"},
        played={first: "2 knight"},
        cities={first: "A1n A2n A3n"},
        settlements={first: "E1s"},
    )
    short.play(first, "knight")
    assert short.points(first) == 9
    assert short.winner is None


@pytest.mark.rule("ARMY-04", "ARMY-04.e1")
@all_editions
def test_knights_in_hand_do_not_count(edition: str) -> None:
    first, second, *_ = colors_of(edition)
    game = scene(
        edition,
        dev={first: "5 knight", second: "1 knight"},
        played={first: "2 knight", second: "2 knight"},
        settlements={first: "C5n"},
    )
    assert game.holder("largest_army") is None
    game.pass_turn(2)
    assert game.holder("largest_army") is None
    assert game.points(first) == 1
    play_knight(game, second)
    assert game.holder("largest_army") == second  # three played beat two played and five in hand


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
        for color in names:
            play_knight(game, color)
            holders.append(game.holder("largest_army"))
    taken_at = next(i for i, holder in enumerate(holders) if holder)
    assert taken_at == 2 * players  # the first seat's third knight
    assert holders[taken_at:] == [names[0]] * (len(holders) - taken_at)  # ties leave it there
    if players == 3:
        play_knight(game, names[1])
        assert game.holder("largest_army") == names[1]
        play_knight(game, names[2])
        assert game.holder("largest_army") == names[1]
    assert sum(game.points(color) for color in names) == 2
