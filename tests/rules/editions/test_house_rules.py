"""House rules that a game may be created with, and the odds of chance."""

from __future__ import annotations

from fractions import Fraction
from importlib import resources
from typing import Any

import pytest

from hexholm.rules.encoding.phases import OVER, START_ROLL, THEFT
from hexholm.rules.places import CORNER_HEXES, HEX_NAMES, read_corner
from hexholm.rules.queries import decide_outcome, draws_used
from hexholm.rules.setup.house_rules import SPARED_BELOW
from hexholm.rules.setup.options import check_options
from tests.helpers.legal_texts import legal_texts
from tests.helpers.marks import all_editions, all_languages, three_or_four

from ..scenes import Scene, Start, after_knight, both_ways, by_seat, colors_of, opening, scene
from ..turns import hand_of

pytestmark = pytest.mark.rule("EDN-02")  # house options: set by name, on top of any edition
PAIRS = [(a, b) for a in range(1, 7) for b in range(1, 7)]
# Six corners that together touch every hex but the desert, each exactly once.
AROUND = ("A1se A3s", "B1s C4se", "D1se D3s")


def odds(game: Scene) -> dict[str, Fraction]:
    return {game.action_text(code): chance for code, chance in game.chance().items()}


# --- hand limit -------------------------------------------------------------------------------------------------------


@all_editions
@pytest.mark.parametrize(
    ("limit", "size", "due"),
    [
        (9, 8, 0),
        (9, 9, 0),
        (9, 10, 5),
        (9, 11, 5),
        (4, 4, 0),
        (4, 5, 2),
        (2, 2, 0),
        (2, 3, 1),
        (20, 20, 0),
        (20, 21, 10),
    ],
)
def test_a_hand_limit_moves_the_line_but_not_the_half(edition: str, limit: int, size: int, due: int) -> None:
    game = scene(edition, phase="roll", hands=by_seat(edition, "", hand_of(size)), hand_limit=limit)
    game.roll(7)
    assert game.state.owed[1] == due
    assert game.to_act() == ([1] if due else [0])
    if due:
        assert all(sum(map(int, text.split()[1::2])) == due for text in legal_texts(game, 1))
        game.play(1, game.legal(1)[0])
    assert game.size(1) == size - due
    assert game.phase == "robber"


@all_editions
def test_a_hand_limit_matters_only_on_a_seven(edition: str) -> None:
    game = scene(
        edition, dev=by_seat(edition, "1 knight"), hands=by_seat(edition, hand_of(9), hand_of(9)), hand_limit=3
    )
    game.play(0, "knight")
    assert game.phase == "robber"
    game.play(0, "robber A1")
    game.pass_turn(8)
    assert (game.size(0), game.size(1)) == (9, 9)


# --- friendly robber --------------------------------------------------------------------------------------------------


@all_languages
def test_the_words_about_the_friendly_robber_name_the_points_it_looks_at(language: str) -> None:
    words = resources.files("hexholm.rules.language").joinpath("data", f"{language}.toml").read_text("utf-8")
    (line,) = (line for line in words.splitlines() if line.startswith("spared_hex"))
    assert f" {SPARED_BELOW} " in line
    (option,) = (line for line in check_options(friendly_robber=True).house_rules() if "friendly" in line)
    assert f" {SPARED_BELOW} " in option


def friendly(start: Start, edition: str, **scene_options: Any) -> Scene:
    return start(edition, friendly_robber=True, **scene_options)


def targets(game: Scene) -> set[str]:
    """Legal targets; verdict and list agree on every hex."""
    hexes = {text.split()[1] for text in legal_texts(game, 0)}
    assert hexes == {name for name in HEX_NAMES if game.why_not(0, f"robber {name}") is None}
    return hexes


def at(corners: str) -> set[str]:
    """The hexes at these corners."""
    return {HEX_NAMES[h] for name in corners.split() for h in CORNER_HEXES[read_corner(name)]}


@all_editions
@both_ways
@three_or_four
def test_the_friendly_robber_spares_hexes_of_opponents_below_three_points(
    edition: str, start: Start, players: int
) -> None:
    first, second, third, *_ = colors_of(edition)
    poor, rich = "C5s A1n", "D1n D3s E1s"  # two and three points
    game = friendly(start, edition, settlements={second: poor, third: rich}, players=players)
    assert targets(game) == set(HEX_NAMES) - {"C3"} - at(poor)
    game.refused(first, "robber C5", "EDN-02")
    game.refused(first, "robber A1", "EDN-02")
    game.refused(first, "robber C3", "ROBBER-02")
    game.play(first, "robber D1")
    usual = start(edition, settlements={second: poor, third: rich}, players=players)
    assert targets(usual) == set(HEX_NAMES) - {"C3"}  # off unless asked for


@all_editions
@both_ways
def test_a_hex_of_a_rich_and_a_poor_opponent_is_spared(edition: str, start: Start) -> None:
    first, second, third, _ = colors_of(edition)
    game = friendly(start, edition, settlements={second: "C5n", third: "C5se"}, cities={third: "A1n"})
    game.refused(first, "robber C5", "EDN-02")
    assert game.allowed(first, "robber A1")
    assert game.allowed(first, "robber D4")


@all_editions
@both_ways
def test_the_desert_is_spared_like_any_hex(edition: str, start: Start) -> None:
    first, second, *_ = colors_of(edition)
    game = friendly(start, edition, robber="A1", settlements={second: "C3n"})
    game.refused(first, "robber C3", "EDN-02")
    assert targets(game) == set(HEX_NAMES) - {"A1", "B2", "B3", "C3"}


@all_editions
@both_ways
def test_the_movers_own_buildings_are_not_spared(edition: str, start: Start) -> None:
    first = colors_of(edition)[0]
    game = friendly(start, edition, settlements={first: "C5s"})
    assert targets(game) == set(HEX_NAMES) - {"C3"}
    game.play(first, "robber C5")
    assert game.phase == "main"


@all_editions
@both_ways
def test_hidden_points_do_not_lift_the_protection(edition: str, start: Start) -> None:
    first, second, *_ = colors_of(edition)
    cards = {second: "4 victory-point"}
    game = friendly(start, edition, settlements={second: "C5n C5se"}, dev=cards)
    assert (game.points(second), game.total(second)) == (2, 6)
    game.refused(first, "robber C5", "EDN-02")
    third = friendly(start, edition, settlements={second: "C5n C5se A1n"}, dev=cards)
    assert third.allowed(first, "robber C5")


@all_editions
@both_ways
def test_points_of_awards_and_cities_are_public_and_count(edition: str, start: Start) -> None:
    first, second, *_ = colors_of(edition)
    army = friendly(start, edition, settlements={second: "C5n"}, played={second: "3 knight"})
    assert army.points(second) == 3
    assert army.allowed(first, "robber C5")
    roads = {second: "C5/ne C5/e C5/se C5/sw C5/w"}
    road = friendly(start, edition, settlements={second: "C5n"}, roads=roads)
    assert road.holder("longest_road") == second
    assert road.allowed(first, "robber C5")
    city = friendly(start, edition, cities={second: "C5n"})
    city.refused(first, "robber C5", "EDN-02")  # two points
    friendly_game = friendly(start, edition, cities={second: "C5n"}, settlements={second: "A1n"})
    assert friendly_game.allowed(first, "robber C5")


@all_editions
@both_ways
def test_the_friendly_robber_is_void_for_a_move_that_it_would_leave_no_hex(edition: str, start: Start) -> None:
    first, second, third, fourth = colors_of(edition)
    everywhere = dict(zip((second, third, fourth), AROUND, strict=True))
    game = friendly(start, edition, settlements=everywhere, hands=dict.fromkeys((second, third, fourth), "1 ore"))
    assert set().union(*(at(corners) for corners in AROUND)) == set(HEX_NAMES) - {"C3"}
    assert targets(game) == set(HEX_NAMES) - {"C3"}
    game.refused(first, "robber C3", "ROBBER-02")
    game.play(first, "robber A1")
    assert game.phase == "theft"  # it steals as ever


@all_editions
@both_ways
def test_one_free_hex_is_enough_to_keep_the_friendly_robber_in_force(edition: str, start: Start) -> None:
    _, two, three, four = colors_of(edition)
    everywhere = dict(zip((two, three, four), AROUND, strict=True))
    game = friendly(start, edition, robber="A1", settlements=everywhere)
    assert targets(game) == {"C3"}  # the desert is nobody's
    richer = friendly(start, edition, settlements={**everywhere, four: "D1se D3s C3n"})
    assert targets(richer) == at("D1se D3s C3n") - {"C3"} - at(" ".join(AROUND[:2]))


# --- balanced dice ----------------------------------------------------------------------------------------------------


def bag(game: Scene) -> set[tuple[int, int]]:
    """The pairs that can fall now, all with the same odds."""
    chances = game.chance()
    assert set(chances.values()) == {Fraction(1, len(chances))}
    pairs = set()
    for text in odds(game):
        name, a, b = text.split()
        assert name == "dice"
        pairs.add((int(a), int(b)))
    return pairs


@all_editions
def test_plain_dice_forget_what_fell(edition: str) -> None:
    game = scene(edition, phase="roll")
    for _ in range(40):
        assert game.chance() == {}
        game.play(game.active(), "roll")
        assert bag(game) == set(PAIRS)
        game.deal("dice 1 1")
        assert game.chance() == {}
        game.play(game.active(), "end")


@all_editions
def test_balanced_dice_leave_out_the_ordered_pairs_that_fell(edition: str) -> None:
    game = scene(edition, phase="roll", balanced_dice=True)
    game.play(0, "roll")
    assert bag(game) == set(PAIRS)
    game.deal("dice 2 6")
    game.play(0, "end")
    game.play(1, "roll")
    assert bag(game) == set(PAIRS) - {(2, 6)}  # six and two is another pair
    with pytest.raises(ValueError, match="not possible"):
        game.deal("dice 2 6")
    game.deal("dice 6 2")
    game.play(1, "end")
    game.play(2, "roll")
    assert bag(game) == set(PAIRS) - {(2, 6), (6, 2)}


@all_editions
@three_or_four
def test_the_bag_is_filled_before_a_roll_that_finds_twelve_or_fewer(edition: str, players: int) -> None:
    game = scene(edition, phase="roll", balanced_dice=True, players=players)
    order = [pair for pair in PAIRS if sum(pair) != 7]
    for _ in range(3):
        pairs_left = set(PAIRS)
        for a, b in order[:24]:
            game.play(game.active(), "roll")
            assert bag(game) == pairs_left
            assert len(pairs_left) > 12
            game.deal(f"dice {a} {b}")
            pairs_left -= {(a, b)}
            game.play(game.active(), "end")
        assert len(pairs_left) == 12  # so the next roll finds all thirty-six again


def test_sevens_leave_the_bag_too() -> None:
    game = scene("fifth", phase="roll", balanced_dice=True)
    for a in range(1, 7):
        game.play(game.active(), "roll")
        assert sum(x + y == 7 for x, y in bag(game)) == 7 - a
        game.deal(f"dice {a} {7 - a}")
        game.play(game.active(), game.legal(game.active())[0])
        game.play(game.active(), "end")
    game.play(game.active(), "roll")
    assert len(bag(game)) == 30
    with pytest.raises(ValueError, match="not possible"):
        game.deal("dice 3 4")


def test_dice_drawn_with_a_key_come_from_what_is_left_in_the_bag() -> None:
    game = scene("fifth", phase="roll", balanced_dice=True)
    for a, b in [pair for pair in PAIRS if sum(pair) != 7][:23]:
        game.play(game.active(), "roll")
        game.deal(f"dice {a} {b}")
        game.play(game.active(), "end")
    game.play(game.active(), "roll")
    assert len(bag(game)) == 13
    drawn = {game.action_text(decide_outcome(game.state, key, 0)) for key in range(500)}
    assert drawn == {f"dice {a} {b}" for a, b in bag(game)}


@all_editions
def test_starting_rolls_are_plain_and_leave_the_bag_full(edition: str) -> None:
    game = opening(edition=edition, setup="fixed", first="roll", balanced_dice=True)
    for outcome in ("dice 6 6", "dice 6 6", "dice 1 1", "dice 6 6", "dice 5 5", "dice 5 5", "dice 5 5"):  # ties
        assert game.phase == "start roll"
        assert bag(game) == set(PAIRS)
        game.deal(outcome)
    for outcome in ("dice 4 4", "dice 4 4", "dice 4 5"):
        assert bag(game) == set(PAIRS)
        game.deal(outcome)
    assert game.phase == "roll"
    game.play(game.active(), "roll")
    assert bag(game) == set(PAIRS)


# --- odds of the other outcomes ---------------------------------------------------------------------------------------


@pytest.mark.rule("ROBBER-05.e1")
@all_editions
@pytest.mark.parametrize(
    ("hand", "chances"),
    [
        ("1 ore", {"stolen ore": Fraction(1)}),
        ("6 brick 1 ore", {"stolen brick": Fraction(6, 7), "stolen ore": Fraction(1, 7)}),
        (
            "1 brick 2 lumber 3 wool 4 grain 5 ore",
            {
                "stolen brick": Fraction(1, 15),
                "stolen lumber": Fraction(2, 15),
                "stolen wool": Fraction(3, 15),
                "stolen grain": Fraction(4, 15),
                "stolen ore": Fraction(5, 15),
            },
        ),
    ],
)
def test_a_stolen_card_by_the_victims_cards(edition: str, hand: str, chances: dict[str, Fraction]) -> None:
    first, second, *_ = colors_of(edition)
    game = after_knight(edition, settlements={second: "C5n"}, hands={first: "3 wool", second: hand})
    assert game.chance() == {}
    game.play(first, "robber C5")
    assert odds(game) == chances
    game.deal("stolen ore")
    assert game.chance() == {}


@pytest.mark.rule("DEV-01")
@all_editions
def test_a_drawn_card_by_the_cards_left_in_the_deck(edition: str) -> None:
    game = scene(edition, hands=by_seat(edition, "2 wool 2 grain 2 ore"))
    game.play(0, "buy")
    full = {"knight": 14, "victory-point": 5, "road-building": 2, "year-of-plenty": 2, "monopoly": 2}
    assert odds(game) == {f"drawn {card}": Fraction(n, 25) for card, n in full.items()}
    game.deal("drawn monopoly")
    assert game.chance() == {}
    game.play(0, "buy")
    assert odds(game) == {f"drawn {card}": Fraction(n - (card == "monopoly"), 24) for card, n in full.items()}


@pytest.mark.rule("ROBBER-05.e1")
def test_thefts_and_starting_rolls_are_counted_for_the_next_draw() -> None:
    assert {phase for phase in range(OVER + 1) if draws_used(phase)} == {THEFT, START_ROLL}
