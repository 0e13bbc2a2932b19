"""Building in general: prices, stock, when and where (BUILD-01 to BUILD-07)."""

from __future__ import annotations

import pytest

from hexholm.rules.compilation.kernels import popcount
from hexholm.rules.core.actors import next_without_trade
from hexholm.rules.core.legal import nth_action, survey
from hexholm.rules.core.nature import decide_outcome
from hexholm.rules.core.step import apply_action
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.encoding.phases import OVER, is_chance_phase
from hexholm.rules.encoding.structs import Scratch
from hexholm.rules.notation import UnreadableAction
from hexholm.rules.places import CORNER_NAMES, SIDE_NAMES
from hexholm.rules.random_numbers import STREAM_POLICY, draw_below, key_for
from hexholm.rules.referee import Referee
from tests.helpers.edition_table import editions_with
from tests.helpers.marks import all_editions

from ..scenes import Scene, chain, hand_text, roads_along, scene
from ..turns import PLENTY

PRICES = {
    "road C3/ne": "1 brick 1 lumber",
    "settlement C3n": "1 brick 1 lumber 1 wool 1 grain",
    "city C2n": "2 grain 3 ore",
    "buy": "1 wool 1 grain 1 ore",
}
every_build_action = pytest.mark.parametrize("build_action", PRICES)
FIFTEEN_ROADS = f"{chain('BC', 10)} {roads_along('C5ne C5se C5s C5sw C4s C4sw')}"


def village(edition: str = "fifth", hand: str = "", **scene_options: object) -> Scene:
    """Red has a settlement on C2n and two roads from there to C3n."""
    return scene(
        edition,
        turn="red",
        hands={"red": hand},
        settlements={"red": "C2n"},
        roads={"red": roads_along("C2n C2ne C3n")},
        **scene_options,  # type: ignore[arg-type]
    )


def card_counts(text: str) -> dict[str, int]:
    words = text.split()
    return {kind: int(n) for n, kind in zip(words[::2], words[1::2], strict=True)}


def build(game: Scene, build_action: str) -> None:
    """Red builds or buys; a purchase draws a knight."""
    game.play("red", build_action)
    if build_action == "buy":
        game.deal("drawn knight")


# --- BUILD-01: the prices ---------------------------------------------------------------------------------------------


@all_editions
@every_build_action
@pytest.mark.rule("BUILD-01", "BUILD-01.e1")
def test_one_card_short_of_the_price_is_refused(edition: str, build_action: str) -> None:
    price = card_counts(PRICES[build_action])
    for missing in price:
        hand = {kind: n - (kind == missing) for kind, n in price.items()}
        other_cards = {kind: 5 for kind in ("brick", "lumber", "wool", "grain", "ore") if kind not in price}
        game = village(edition, " ".join(f"{n} {kind}" for kind, n in (hand | other_cards).items()))
        game.refused("red", build_action, "BUILD-01")
        assert not game.allowed("red", build_action)


@all_editions
@every_build_action
@pytest.mark.rule("BUILD-01", "BUILD-01.e2")
def test_the_exact_price_leaves_an_empty_hand(edition: str, build_action: str) -> None:
    game = village(edition, PRICES[build_action])
    assert game.allowed("red", build_action)
    build(game, build_action)
    assert game.size("red") == 0


@every_build_action
@pytest.mark.rule("BUILD-01", "BUILD-01.e2")
def test_only_the_price_is_paid_from_a_larger_hand(build_action: str) -> None:
    game = village(hand=PLENTY)
    build(game, build_action)
    price = card_counts(PRICES[build_action])
    assert game.hand("red") == {kind: 9 - price.get(kind, 0) for kind in game.hand("red")}


# --- BUILD-02: to the supply ------------------------------------------------------------------------------------------


@all_editions
@every_build_action
@pytest.mark.rule("BUILD-02", "BUILD-02.e1")
def test_the_price_goes_back_to_the_supply(edition: str, build_action: str) -> None:
    game = village(edition, PLENTY)
    before = game.supply()
    build(game, build_action)
    price = card_counts(PRICES[build_action])
    assert game.supply() == {kind: n + price.get(kind, 0) for kind, n in before.items()}
    assert all(game.supply()[kind] + game.hand("red")[kind] == 19 for kind in before)


# --- BUILD-03: as much as one can pay ---------------------------------------------------------------------------------


@all_editions
@pytest.mark.rule("BUILD-03", "BUILD-03.e1")
def test_road_settlement_its_upgrade_and_a_card_in_one_turn(edition: str) -> None:
    game = village(edition, "2 brick 2 lumber 2 wool 4 grain 4 ore")
    for build_action in ("road C3/ne", "settlement C3n", "city C3n", "buy"):
        build(game, build_action)
    assert game.size("red") == 0
    assert game.points("red") == 3
    assert game.development("red")["knight"] == 1


@all_editions
@pytest.mark.rule("BUILD-03")
def test_several_of_the_same_thing_in_one_turn(edition: str) -> None:
    game = village(edition, "3 brick 3 lumber 3 wool 3 grain 3 ore")
    for build_action in ("buy", "road C3/ne", "buy", "road C4/nw", "buy", "road C4/ne"):
        build(game, build_action)
    assert game.development("red")["knight"] == 3
    assert game.length("red") == 5
    assert game.size("red") == 0


# --- BUILD-04: the stock ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", editions_with(road_limit=15))
@pytest.mark.rule("BUILD-04", "BUILD-04.e1", "BUILD-04.e2")
def test_a_sixteenth_road_is_refused_and_costs_nothing(edition: str) -> None:
    game = scene(edition, turn="red", hands={"red": PLENTY}, roads={"red": FIFTEEN_ROADS})
    game.refused("red", "road C4/w", "ROAD-06")
    assert not game.allowed("red", "road C4/w")


@pytest.mark.rule("BUILD-04")
def test_the_stock_of_drawn_roads_is_endless() -> None:
    game = scene("zip", turn="red", hands={"red": PLENTY}, roads={"red": FIFTEEN_ROADS})
    game.play("red", "road C4/w")
    assert hand_text(game, "red") == "8 brick 8 lumber 9 wool 9 grain 9 ore"


@all_editions
@pytest.mark.rule("BUILD-04", "BUILD-04.e1", "BUILD-04.e2")
def test_a_sixth_settlement_is_refused_and_costs_nothing(edition: str) -> None:
    settlements = {"red": "C1n C2n C3n C4n C5n"}
    game = scene(edition, turn="red", hands={"red": PLENTY}, settlements=settlements, roads={"red": FIFTEEN_ROADS})
    game.refused("red", "settlement C5s", "SETTLE-05")
    assert not game.allowed("red", "settlement C5s")


@all_editions
@pytest.mark.rule("BUILD-04", "BUILD-04.e1", "BUILD-04.e2")
def test_a_fifth_city_is_refused_and_costs_nothing(edition: str) -> None:
    game = scene(
        edition, turn="red", hands={"red": PLENTY}, settlements={"red": "C5n"}, cities={"red": "C1n C2n C3n C4n"}
    )
    game.refused("red", "city C5n", "CITY-04")
    assert not game.allowed("red", "city C5n")


# --- BUILD-05: when ---------------------------------------------------------------------------------------------------


@all_editions
@every_build_action
@pytest.mark.rule("BUILD-05")
def test_nothing_is_built_before_the_roll(edition: str, build_action: str) -> None:
    game = village(edition, PRICES[build_action], phase="roll")
    game.refused("red", build_action, "PHASE-09")
    assert not game.allowed("red", build_action)
    game.roll(2)
    assert game.allowed("red", build_action)
    build(game, build_action)
    assert game.size("red") == 0


@all_editions
@every_build_action
@pytest.mark.rule("BUILD-05")
def test_nothing_is_built_on_the_turn_of_another(edition: str, build_action: str) -> None:
    game = scene(
        edition,
        turn="blue",
        hands={"red": PRICES[build_action]},
        settlements={"red": "C2n"},
        roads={"red": roads_along("C2n C2ne C3n")},
    )
    game.refused("red", build_action, "PHASE-12")
    game.next_turn_of("red")
    game.refused("red", build_action, "PHASE-09")
    game.roll(2)
    build(game, build_action)


@every_build_action
@pytest.mark.rule("BUILD-05")
def test_nothing_is_built_while_the_robber_is_to_be_moved(build_action: str) -> None:
    game = village(hand=PRICES[build_action], phase="roll")
    game.roll(7)
    game.refused("red", build_action, "PHASE-11")
    game.play("red", "robber A1")
    assert game.allowed("red", build_action)


# --- BUILD-06: pieces stay --------------------------------------------------------------------------------------------


@all_editions
@pytest.mark.rule("BUILD-06", "BUILD-06.e1")
def test_pieces_stay_for_a_whole_game(edition: str) -> None:
    """Of all actions that random play finds, none takes a road or city away; a settlement goes only for a city."""
    game = Referee.new(edition=edition, setup="fixed", first=0, board_seed=1, compiled=False)
    s, scratch, key = game.state, Scratch(), key_for(6, "pieces")
    upgrades = 0
    for k in range(1500):
        if s.phase == OVER:
            break
        pieces = [(s.roads_lo[seat] | s.roads_hi[seat] << 36, s.cities[seat], s.settlements[seat]) for seat in range(4)]
        if is_chance_phase(s.phase):
            seat, code = s.active, decide_outcome(s, key, k)
        else:
            seat = next_without_trade(s)
            code = nth_action(s, scratch, seat, draw_below(survey(s, scratch, seat), key, STREAM_POLICY, k))
        apply_action(s, scratch, seat, code)
        for other_seat, (roads, cities, settlements) in enumerate(pieces):
            assert roads & ~(s.roads_lo[other_seat] | s.roads_hi[other_seat] << 36) == 0
            assert cities & ~s.cities[other_seat] == 0
            removed = settlements & ~s.settlements[other_seat]
            assert removed == s.cities[other_seat] & ~cities
            upgrades += popcount(removed)
    assert upgrades


@pytest.mark.parametrize("word", ["move", "remove", "take-back", "demolish", "sell"])
@pytest.mark.rule("BUILD-06", "BUILD-06.e1")
def test_there_is_no_word_for_moving_or_removing(word: str) -> None:
    game = village(hand=PLENTY)
    for place in ("C2/ne", "C2n"):
        with pytest.raises(UnreadableAction):
            game.play("red", f"{word} {place}")


# --- BUILD-07: where --------------------------------------------------------------------------------------------------


@all_editions
@pytest.mark.rule("BUILD-07")
def test_buildings_belong_on_corners_and_roads_on_sides(edition: str) -> None:
    game = village(edition, PLENTY)
    for text in ("settlement C3/ne", "city C3/ne", "road C3n", "settlement C3", "road C3"):
        with pytest.raises(UnreadableAction):
            game.play("red", text)
    for kind, places in ((act.SETTLEMENT, CORNER_NAMES), (act.CITY, CORNER_NAMES), (act.ROAD, SIDE_NAMES)):
        for beyond in (len(places), len(places) + 1, 1000):
            reason = game.why_not("red", act.simple_action(kind, beyond))
            assert reason is not None
            assert reason.rule == "PHASE-13"


@all_editions
@pytest.mark.rule("BUILD-07")
def test_one_piece_per_place(edition: str) -> None:
    game = scene(
        edition,
        turn="red",
        hands={"red": PLENTY},
        settlements={"red": "C2n", "blue": "C3n"},
        cities={"red": "C4n"},
        roads={"red": roads_along("C2n C2ne C3n"), "blue": roads_along("C3n C3ne")},
    )
    game.refused("red", "road C2/ne", "ROAD-02")
    game.refused("red", "road C3/ne", "ROAD-02")
    game.refused("red", "settlement C2n", "SETTLE-02")
    game.refused("red", "settlement C3n", "SETTLE-02")
    game.refused("red", "settlement C4n", "SETTLE-02")
    game.refused("red", "city C4n", "CITY-01")
    game.refused("red", "city C3n", "CITY-01")
