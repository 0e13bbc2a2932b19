"""Production: what a roll pays to whom (PROD-*)."""

from __future__ import annotations

import pytest

from tests.helpers.marks import all_editions, three_or_four

from ..scenes import Scene, changed_board, colors_of, hand_text, scene, supply_text

# Fifteen corners, no two of them neighbors, that touch every land hex exactly once; the desert is touched three times.
EVERY_HEX = ("C3n C3se C3sw A1n A2n", "A3n B1nw B4ne C1nw C5ne", "D1sw D4se E1s E2s E3s")
PAID = {
    2: "1 wool",
    3: "1 lumber 1 ore",
    4: "1 wool 1 grain",
    5: "1 brick 1 wool",
    6: "1 brick 1 grain",
    8: "1 lumber 1 ore",
    9: "1 lumber 1 grain",
    10: "1 brick 1 ore",
    11: "1 lumber 1 wool",
    12: "1 grain",
}


def spread(edition: str, players: int = 3) -> Scene:
    """A game before the roll in which every land hex has exactly one settlement, of the first three seats."""
    settlements = dict(zip(colors_of(edition), EVERY_HEX, strict=False))
    return scene(edition, phase="roll", settlements=settlements, players=players)


def given_out(game: Scene) -> str:
    """All cards in hands together."""
    hands = [game.hand(seat) for seat in range(game.state.players)]
    counts = {kind: sum(hand[kind] for hand in hands) for kind in hands[0]}
    assert all(counts[kind] + n == 19 for kind, n in game.supply().items())
    return " ".join(f"{n} {kind}" for kind, n in counts.items() if n) or "nothing"


# --- which hexes, which players ---------------------------------------------------------------------------------------


@pytest.mark.rule("PROD-01", "PROD-02", "PROD-05")
@all_editions
@pytest.mark.parametrize("players", [3, 4])
def test_the_sum_of_both_dice_decides_and_every_hex_with_it_pays(edition: str, players: int) -> None:
    for a in range(1, 7):
        for b in range(1, 7):
            if a + b != 7:
                game = spread(edition, players)
                game.play(0, "roll")
                game.deal(f"dice {a} {b}")
                assert given_out(game) == PAID[a + b], (a, b)


@pytest.mark.rule("PROD-05")
@all_editions
def test_everybody_collects_whoever_rolls(edition: str) -> None:
    first, second, third, _ = colors_of(edition)
    for roller in colors_of(edition):
        game = scene(edition, phase="roll", turn=roller, settlements={first: "C5n", second: "C5se", third: "D1s"})
        game.roll(8, roller)
        assert [hand_text(game, color) for color in colors_of(edition)] == ["1 ore", "1 ore", "1 lumber", "nothing"]


@pytest.mark.rule("PROD-11")
@all_editions
def test_a_seven_produces_nothing(edition: str) -> None:
    for a in range(1, 7):
        game = spread(edition)
        game.play(0, "roll")
        game.deal(f"dice {a} {7 - a}")
        assert given_out(game) == "nothing"
        assert game.phase == "robber"


# --- amounts ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PROD-02", "PROD-02.x1", "PROD-04")
def test_zip_black_rolls_8() -> None:
    game = scene("zip", turn="black", phase="roll", settlements={"blue": "C5n"}, cities={"green": "C5se"})
    game.roll(8, "black")
    assert hand_text(game, "blue") == "1 ore"
    assert hand_text(game, "green") == "2 ore"
    assert hand_text(game, "black") == "nothing"
    assert game.supply()["ore"] == 16


@pytest.mark.rule("PROD-02", "PROD-02.x2", "PROD-04")
def test_sixth_white_rolls_8() -> None:
    game = scene("sixth", turn="white", phase="roll", settlements={"blue": "C5n"}, cities={"orange": "C5se"})
    game.roll(8, "white")
    assert hand_text(game, "blue") == "1 ore"
    assert hand_text(game, "orange") == "2 ore"
    assert hand_text(game, "white") == "nothing"
    assert game.supply()["ore"] == 16


@pytest.mark.rule("PROD-02", "PROD-02.x3", "PROD-06")
@pytest.mark.parametrize("as_city", [False, True])
def test_fifth_illustration_j(as_city: bool) -> None:
    board = changed_board(B2="hills 4", B3="pasture 4", D3="fields 6")
    a, b = "B2sw", "C3n"  # C3n: hills 4, pasture 4 and the desert
    settlements, cities = ({"red": b}, {"blue": a}) if as_city else ({"red": b, "blue": a}, {})
    game = scene("fifth", phase="roll", turn="blue", board=board, settlements=settlements, cities=cities)
    game.roll(4, "blue")
    assert hand_text(game, "blue") == ("2 brick" if as_city else "1 brick")
    assert hand_text(game, "red") == "1 brick 1 wool"


@pytest.mark.rule("PROD-02", "PROD-02.x4", "PROD-03", "PROD-04")
@pytest.mark.parametrize(
    ("total", "red", "white"), [(8, "3 ore", "1 ore"), (10, "nothing", "1 wool"), (9, "nothing", "nothing")]
)
def test_threed_resource_production(total: int, red: str, white: str) -> None:
    board = changed_board(D4="pasture 10", B4="hills 5")
    game = scene(
        "threed", phase="roll", board=board, settlements={"red": "C5ne", "white": "C5s"}, cities={"red": "C5nw"}
    )
    game.roll(total)
    assert hand_text(game, "red") == red
    assert hand_text(game, "white") == white


@pytest.mark.rule("PROD-02.e1")
@all_editions
def test_collecting_is_automatic_and_cannot_be_refused(edition: str) -> None:
    first, second, *_ = colors_of(edition)
    game = scene(edition, phase="roll", settlements={first: "D1s", second: "C5n"})
    game.play(first, "roll")
    assert game.to_act() == []
    game.deal("dice 3 5")
    assert hand_text(game, second) == "1 ore"
    assert game.phase == "main"
    assert game.to_act() == [0]
    assert game.legal(second) == []
    game.refused(second, "reject #1", "TRADE-03")


@pytest.mark.rule("PROD-03")
@all_editions
@pytest.mark.parametrize(("corners", "hand"), [("C5n", "1 ore"), ("C5n C5se", "2 ore"), ("C5n C5se C5sw", "3 ore")])
def test_each_of_several_settlements_at_a_hex_gives_a_card(edition: str, corners: str, hand: str) -> None:
    owner = colors_of(edition)[1]
    game = scene(edition, phase="roll", settlements={owner: corners})
    game.roll(8)
    assert hand_text(game, owner) == hand


@pytest.mark.rule("PROD-03.e1")
@pytest.mark.parametrize("corners", ["C5n C5se C5sw", "C5ne C5s C5nw"])
def test_three_buildings_are_the_most_around_one_hex(corners: str) -> None:
    occupied = corners.split()
    game = scene(
        settlements={"red": corners},
        roads={"red": " ".join(f"C5/{direction}" for direction in ("ne", "e", "se", "sw", "w", "nw"))},
        hands={"red": "1 brick 1 lumber 1 wool 1 grain"},
    )
    for direction in ("n", "ne", "se", "s", "sw", "nw"):
        game.refused("red", f"settlement C5{direction}", "SETTLE-02" if f"C5{direction}" in occupied else "SETTLE-03")


@pytest.mark.rule("PROD-04")
@pytest.mark.parametrize(
    "edition",
    [
        "zip",
        "sixth",
        pytest.param("fifth", marks=pytest.mark.rule("PROD-04.x1")),
        pytest.param("threed", marks=pytest.mark.rule("PROD-04.x2")),
        "summary",
    ],
)
def test_illustration_e_blue_rolls_8(edition: str) -> None:
    game = scene(edition, turn="blue", phase="roll", settlements={"blue": "C5n"}, cities={"blue": "C5se", "red": "D1s"})
    game.roll(8, "blue")
    assert hand_text(game, "blue") == "3 ore"
    assert hand_text(game, "red") == "2 lumber"


@pytest.mark.rule("PROD-04", "PROD-04.e1")
@all_editions
def test_a_city_replaces_the_card_of_its_settlement(edition: str) -> None:
    first = colors_of(edition)[0]
    game = scene(edition, settlements={first: "C5n"}, hands={first: "2 grain 3 ore"})
    game.play(first, "city C5n")
    game.pass_turn(8)
    assert hand_text(game, first) == "2 ore"


@pytest.mark.rule("PROD-03", "PROD-04")
@pytest.mark.parametrize(("corners", "city"), [("C5n C5se", "C5sw"), ("C5n", "C5se C5sw")])
def test_settlements_and_cities_at_one_hex_add_up(corners: str, city: str) -> None:
    game = scene(phase="roll", settlements={"red": corners}, cities={"red": city})
    game.roll(8)
    assert hand_text(game, "red") == f"{len(corners.split()) + 2 * len(city.split())} ore"


@pytest.mark.rule("PROD-06")
@all_editions
def test_a_building_collects_from_both_hexes_with_the_number(edition: str) -> None:
    first, second, *_ = colors_of(edition)
    board = changed_board(B2="hills 9", B3="pasture 9")
    game = scene(edition, phase="roll", board=board, settlements={first: "C3n"})
    game.roll(9)
    assert hand_text(game, first) == "1 brick 1 wool"
    city = scene(edition, phase="roll", board=board, cities={second: "C3n"})
    city.roll(9)
    assert hand_text(city, second) == "2 brick 2 wool"


@pytest.mark.rule("PROD-06", "PROD-06.e1")
@all_editions
def test_the_same_terrain_twice_gives_two_of_a_kind(edition: str) -> None:
    first, second, *_ = colors_of(edition)
    board = changed_board(B2="hills 9", B3="hills 9")
    game = scene(edition, phase="roll", board=board, settlements={first: "C3n"}, cities={second: "B3ne"})
    game.roll(9)
    assert hand_text(game, first) == "2 brick"
    assert hand_text(game, second) == "2 brick 2 lumber"  # the other 9 beside B3ne is the forest A3


# --- the robber -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PROD-07", "PROD-07.e1")
@all_editions
def test_only_the_robbers_hex_of_two_with_the_number_is_blocked(edition: str) -> None:
    first, second, third, _ = colors_of(edition)
    settlements = {first: "C5n", second: "D1s", third: "C5se"}
    for robber, hands in (
        ("C5", ["nothing", "1 lumber", "nothing"]),
        ("D1", ["1 ore", "nothing", "1 ore"]),
        ("E2", ["1 ore", "1 lumber", "1 ore"]),
    ):
        game = scene(edition, phase="roll", settlements=settlements, robber=robber)
        game.roll(8)
        assert [hand_text(game, color) for color in (first, second, third)] == hands


# --- shortage ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PROD-08", "PROD-08.e1")
@all_editions
@three_or_four
def test_claims_of_two_and_two_against_three_pay_nobody(edition: str, players: int) -> None:
    first, second, *_ = colors_of(edition)
    game = scene(edition, phase="roll", cities={first: "C5n", second: "C5se"}, bank="3 ore", players=players)
    game.roll(8)
    assert (hand_text(game, first), hand_text(game, second)) == ("nothing", "nothing")
    assert supply_text(game) == "3 ore"


@pytest.mark.rule("PROD-08", "PROD-08.e2")
@all_editions
def test_a_supply_equal_to_the_claims_pays_all(edition: str) -> None:
    first, second, *_ = colors_of(edition)
    game = scene(edition, phase="roll", cities={first: "C5n", second: "C5se"}, bank="4 ore")
    game.roll(8)
    assert (hand_text(game, first), hand_text(game, second)) == ("2 ore", "2 ore")
    assert supply_text(game) == "nothing"


@pytest.mark.rule("PROD-08", "PROD-08.e3")
@all_editions
def test_an_empty_supply_with_claims_changes_nothing(edition: str) -> None:
    first, second, *_ = colors_of(edition)
    game = scene(edition, phase="roll", cities={first: "C5n", second: "C5se"}, bank="5 wool")
    game.roll(8)
    assert (hand_text(game, first), hand_text(game, second)) == ("nothing", "nothing")
    assert supply_text(game) == "5 wool"
    assert game.phase == "main"


@pytest.mark.rule("PROD-08")
def test_three_claimants_from_two_hexes_of_one_resource_are_counted_together() -> None:
    board = changed_board(D1="mountains 8")
    settlements, cities = {"red": "C5n", "white": "D1s"}, {"blue": "D1nw"}
    for ore, hands in ((3, ["nothing"] * 3), (4, ["1 ore", "2 ore", "1 ore"])):
        game = scene("fifth", phase="roll", board=board, bank=f"{ore} ore", settlements=settlements, cities=cities)
        game.roll(8)
        assert [hand_text(game, color) for color in ("red", "blue", "white")] == hands


@pytest.mark.rule("PROD-09", "PROD-09.e1")
@all_editions
@three_or_four
def test_a_single_claimant_of_four_gets_the_three_that_are_left(edition: str, players: int) -> None:
    for owner in colors_of(edition)[:players]:
        game = scene(edition, phase="roll", cities={owner: "C5n C5se"}, bank="3 ore", players=players)
        game.roll(8)
        assert hand_text(game, owner) == "3 ore"
        assert supply_text(game) == "nothing"
        game.next_turn_of(owner)
        assert hand_text(game, owner) == "3 ore"  # the rest is lost, not owed


@pytest.mark.rule("PROD-09", "PROD-09.e2")
@all_editions
def test_a_single_claimant_of_two_gets_nothing_from_an_empty_supply(edition: str) -> None:
    first = colors_of(edition)[0]
    game = scene(edition, phase="roll", cities={first: "C5n"}, bank="1 wool")
    game.roll(8)
    assert hand_text(game, first) == "nothing"
    assert supply_text(game) == "1 wool"


@pytest.mark.rule("PROD-09", "PROD-09.e3", "EDN-03")
@all_editions
@pytest.mark.parametrize("ore", [1, 2])
def test_with_two_claimants_nobody_gets_what_would_do_for_one(edition: str, ore: int) -> None:
    first, second, *_ = colors_of(edition)
    game = scene(edition, phase="roll", cities={first: "C5n"}, settlements={second: "C5se"}, bank=f"{ore} ore")
    game.roll(8)
    assert (hand_text(game, first), hand_text(game, second)) == ("nothing", "nothing")
    assert supply_text(game) == f"{ore} ore"


@pytest.mark.rule("PROD-09", "PROD-09.e4", "EDN-03")
@all_editions
def test_a_building_at_the_robbers_hex_is_no_claimant(edition: str) -> None:
    first, second, *_ = colors_of(edition)
    board = changed_board(D1="mountains 8")
    game = scene(edition, phase="roll", board=board, cities={first: "C5n", second: "D1s"}, bank="1 ore", robber="D1")
    game.roll(8)
    assert hand_text(game, first) == "1 ore"
    assert hand_text(game, second) == "nothing"
    free = scene(edition, phase="roll", board=board, cities={first: "C5n", second: "D1s"}, bank="1 ore")
    free.roll(8)
    assert (hand_text(free, first), hand_text(free, second)) == ("nothing", "nothing")  # both claim: nobody


@pytest.mark.rule("PROD-10", "PROD-10.e1")
@all_editions
def test_a_shortage_of_ore_does_not_touch_grain(edition: str) -> None:
    first, second, *_ = colors_of(edition)
    board = changed_board(D1="fields 8")
    game = scene(
        edition,
        phase="roll",
        board=board,
        cities={first: "C5n D1s", second: "C5se"},
        settlements={second: "D1nw"},
        bank="3 ore 3 grain",
    )
    game.roll(8)
    assert hand_text(game, first) == "2 grain"
    assert hand_text(game, second) == "1 grain"
    assert supply_text(game) == "3 ore"


@pytest.mark.rule("PROD-09", "PROD-10")
def test_one_short_resource_has_one_claimant_the_other_two() -> None:
    board = changed_board(D1="fields 8")
    game = scene("fifth", phase="roll", board=board, bank="1 ore 3 grain", cities={"red": "C5n D1s", "blue": "D1nw"})
    game.roll(8)
    assert hand_text(game, "red") == "1 ore"  # alone with ore: the rest; grain is claimed by two: nobody
    assert hand_text(game, "blue") == "nothing"
    assert supply_text(game) == "3 grain"


@pytest.mark.rule("PROD-09", "PROD-10", "PROD-10.e1")
@pytest.mark.parametrize(("ore", "paid"), [(1, 1), (5, 2)])
@pytest.mark.parametrize("claimant", range(4))
def test_who_gets_only_grain_is_no_claimant_of_ore(claimant: int, ore: int, paid: int) -> None:
    colors = colors_of("fifth")
    owner = colors[claimant]
    corners = dict(zip([color for color in colors if color != owner], ("D1s", "D1nw", "D1ne"), strict=True))
    game = scene(
        "fifth",
        phase="roll",
        board=changed_board(D1="fields 8", B1="fields 8"),
        settlements=corners | {owner: "B1nw"},
        cities={owner: "C5n"},
        bank=f"{ore} ore 19 grain",
    )
    game.roll(8)
    for color in colors:
        assert hand_text(game, color) == (f"1 grain {paid} ore" if color == owner else "1 grain")
    assert game.supply() | {"grain": 15, "ore": ore - paid} == game.supply()


@pytest.mark.rule("PROD-08", "PROD-09")
def test_a_claim_of_eight_cards_is_a_claim() -> None:
    board, cities = changed_board(D1="mountains 8"), {"red": "C5n C5se C5sw D1s"}
    alone = scene(phase="roll", board=board, cities=cities, bank="3 ore")
    alone.roll(8)
    assert hand_text(alone, "red") == "3 ore"
    assert supply_text(alone) == "nothing"
    both = scene(phase="roll", board=board, cities=cities, settlements={"blue": "D1nw"}, bank="8 ore")
    both.roll(8)
    assert (hand_text(both, "red"), hand_text(both, "blue")) == ("nothing", "nothing")
    assert supply_text(both) == "8 ore"


# --- when -------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PROD-12")
@all_editions
def test_production_is_complete_before_trade_or_build(edition: str) -> None:
    first, second, *_ = colors_of(edition)
    game = scene(
        edition,
        phase="roll",
        settlements={first: "C5n", second: "C5se"},
        roads={first: "C5/ne"},
        hands={first: "4 brick 1 lumber", second: "1 wool"},
    )
    for act, rule in (
        ("road C5/e", "PHASE-09"),
        ("supply 4 brick : 1 ore", "PORT-11"),
        (f"offer 1 brick : 1 wool to {second}", "TRADE-01"),
    ):
        game.refused(first, act, rule)
    game.play(first, "roll")
    for act in ("road C5/e", "supply 4 brick : 1 ore", f"offer 1 brick : 1 wool to {second}"):
        game.refused(first, act, "PHASE-11")
    game.deal("dice 4 4")
    assert (hand_text(game, first), hand_text(game, second)) == ("4 brick 1 lumber 1 ore", "1 wool 1 ore")
    assert game.allowed(first, "road C5/e")


@pytest.mark.rule("PROD-12.e1")
@all_editions
def test_cards_just_produced_can_be_spent_at_once(edition: str) -> None:
    first = colors_of(edition)[0]
    game = scene(edition, phase="roll", settlements={first: "D1s"}, hands={first: "1 brick"})
    game.roll(8)
    game.play(first, "road E1/nw")
    assert hand_text(game, first) == "nothing"
