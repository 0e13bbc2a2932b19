"""Trade with the supply, with and without harbors (PORT).

Harbors of the beginners' board: generic A1n, C5ne, E2se, E1s; grain A2n, ore A3se, wool D4se, brick C1s, lumber B1sw.
"""

from __future__ import annotations

import pytest

import hexholm
from hexholm.rules.encoding.structs import RESOURCES
from hexholm.rules.notation import UnreadableAction
from hexholm.rules.queries import best_rate
from tests.helpers.legal_texts import legal_texts
from tests.helpers.marks import all_editions

from ..scenes import Scene, by_seat, hand_text, offer, scene, traders
from ..turns import SEPARATE

GENERIC = "A1n"
SPECIAL = {"brick": "C1s", "lumber": "B1sw", "wool": "D4se", "grain": "A2n", "ore": "A3se"}
OTHER = {"brick": "lumber", "lumber": "wool", "wool": "grain", "grain": "ore", "ore": "brick"}


def at(edition: str, corners: str, hand: str, **scene_options: object) -> Scene:
    """Seat 0 on turn with settlements at these corners and this hand."""
    return traders(edition, hand, settlements=by_seat(edition, corners), **scene_options)


def supply(game: Scene, seat: int = 0) -> set[str]:
    """The listed trades with the supply."""
    return {text for text in legal_texts(game, seat) if text.startswith("supply")}


def trades(game: Scene, text: str) -> bool:
    """Whether a single trade is legal; list and verdict must agree."""
    legal = game.why_not(0, text) is None
    assert (text in supply(game)) == legal, f"{text}: verdict {legal}, but listed {not legal}"
    return legal


# --- the rates ------------------------------------------------


@pytest.mark.rule("PORT-01", "PORT-02", "PORT-03")
@pytest.mark.parametrize(
    ("corners", "rates"),
    [
        ("", [4] * 5),
        (GENERIC, [3] * 5),
        (SPECIAL["wool"], [4, 4, 2, 4, 4]),
        (f"{GENERIC} {SPECIAL['ore']}", [3, 3, 3, 3, 2]),
    ],
)
def test_the_best_rate_of_each_kind(corners: str, rates: list[int]) -> None:
    state = at("fifth", corners, "").state
    assert [best_rate(state, state.usable_harbors[0], kind) for kind in range(5)] == rates


@pytest.mark.rule("PORT-01", "PORT-01.x1")
@pytest.mark.parametrize("edition", ["zip", "sixth"])
def test_four_lumber_for_one_ore(edition: str) -> None:
    game = scene(edition, turn="blue", hands={"blue": "4 lumber"})
    assert (game.supply()["lumber"], game.supply()["ore"]) == (15, 19)
    game.play("blue", "supply 4 wood : 1 ore")
    assert hand_text(game, "blue") == "1 ore"
    assert game.supply() == {"brick": 19, "lumber": 19, "wool": 19, "grain": 19, "ore": 18}


@pytest.mark.rule("PORT-01", "PORT-01.x2")
@pytest.mark.parametrize("edition", ["fifth", "threed"])
def test_benny_gives_four_ore_for_one_lumber(edition: str) -> None:
    game = scene(edition, hands={"red": "4 ore"})
    game.play("red", "supply 4 ore : 1 lumber")
    assert hand_text(game, "red") == "1 lumber"
    assert game.supply() == {"brick": 19, "lumber": 18, "wool": 19, "grain": 19, "ore": 19}


@pytest.mark.rule("PORT-01", "PORT-01.e2")
@all_editions
@pytest.mark.parametrize("kind", RESOURCES)
def test_four_for_one_works_without_any_harbor(edition: str, kind: str) -> None:
    game = traders(edition, f"5 {kind}")
    assert supply(game) == {f"supply 4 {kind} : 1 {other_kind}" for other_kind in RESOURCES if other_kind != kind}
    game.play(0, f"supply 4 {kind} : 1 {OTHER[kind]}")
    assert game.hand(0) == dict.fromkeys(RESOURCES, 0) | {kind: 1, OTHER[kind]: 1}


@pytest.mark.rule("PORT-01", "PORT-01.e1")
@all_editions
def test_three_cards_are_too_few_without_a_harbor(edition: str) -> None:
    game = traders(edition, "3 ore 3 wool")
    assert supply(game) == set()
    game.refused(0, "supply 4 ore : 1 brick", "PORT-01")
    game.refused(0, "supply 3 ore : 1 brick", "PORT-02")
    game.refused(0, "supply 2 ore : 1 brick", "PORT-03")
    game.refused(0, "supply 1 ore : 1 brick", "PORT-01")


@pytest.mark.rule("PORT-01")
@all_editions
@pytest.mark.parametrize(
    "terms", ["5 ore : 1 wool", "6 ore : 1 wool", "7 ore : 1 wool", "8 ore : 1 wool", "5 ore : 2 wool"]
)
def test_there_are_no_other_rates(edition: str, terms: str) -> None:
    game = at(edition, f"{GENERIC} {SPECIAL['ore']}", "9 ore")
    game.refused(0, f"supply {terms}", "PORT-01")
    game.refused(0, "supply 4 ore : nothing", "PORT-01")


@pytest.mark.rule("PORT-01", "PORT-09")
@pytest.mark.parametrize(
    "text",
    ["supply 7 wool : 2 grain", "supply 5 wool : 1 brick 1 lumber", "supply 9 wool : 1 ore", "supply 4 wool : nothing"],
)
def test_a_trade_at_no_rate_is_refused_as_it_was_said(text: str) -> None:
    game = hexholm.Game.from_position("turn=red dice=6+6 red:settlements=B4ne,A1n red:hand=7wool")
    with pytest.raises(hexholm.IllegalAction) as error:
        game.play(text)
    assert (error.value.action_text, error.value.reason.rule) == (text, "PORT-01")
    action = hexholm.Action.of(f"red {text}")
    assert (action.text, action.code(game.colors)) == (text, game.referee.action_code(text))
    assert action.give == hexholm.Cards(text.split(" : ", maxsplit=1)[0].removeprefix("supply "))


@pytest.mark.rule("PORT-01", "PORT-08")
@pytest.mark.parametrize(
    ("text", "why"),
    [("supply nothing : 1 ore", "say what you give"), ("supply 4 wool 1 ore : 1 brick", "of one kind (PORT-08)")],
)
def test_a_trade_that_gives_nothing_or_two_kinds_is_told_apart(text: str, why: str) -> None:
    with pytest.raises(hexholm.UnreadableAction) as error:
        hexholm.Game(seed=1).play(text)
    assert why in str(error.value)
    assert "supply 4 ore : 1 wool" in str(error.value)


@pytest.mark.rule("PORT-02", "PORT-02.x1")
def test_zip_example_black_at_a_generic_port() -> None:
    game = scene("zip", turn="black", hands={"black": "2 grain 3 lumber"}, settlements={"black": GENERIC})
    game.refused("black", "supply 2 wheat : 1 ore", "PORT-03")
    game.play("black", "supply 3 wood : 1 ore")
    assert hand_text(game, "black") == "2 grain 1 ore"


@pytest.mark.rule("PORT-02", "PORT-02.x2")
def test_sixth_example_white_at_a_generic_port() -> None:
    game = scene("sixth", turn="white", hands={"white": "2 grain 3 lumber"}, settlements={"white": GENERIC})
    game.refused("white", "supply 2 grain : 1 ore", "PORT-03")
    game.play("white", "supply 3 lumber : 1 ore")
    assert hand_text(game, "white") == "2 grain 1 ore"


@pytest.mark.rule("PORT-02", "PORT-02.x3")
@pytest.mark.parametrize("edition", ["fifth", "threed"])
def test_brad_gives_three_lumber_for_one_wool(edition: str) -> None:
    game = scene(edition, turn="orange", hands={"orange": "3 lumber"}, settlements={"orange": GENERIC})
    game.play("orange", "supply 3 lumber : 1 wool")
    assert hand_text(game, "orange") == "1 wool"
    assert (game.supply()["lumber"], game.supply()["wool"]) == (19, 18)


@pytest.mark.rule("PORT-02")
@all_editions
@pytest.mark.parametrize("corner", ["A1n", "A1nw", "C5ne", "C5se", "E2se", "E2s", "E1s", "E1sw"])
def test_a_generic_harbor_serves_every_kind_from_both_its_corners(edition: str, corner: str) -> None:
    game = at(edition, corner, "3 brick 3 lumber 3 wool 3 grain 3 ore")
    rated = {
        f"supply 3 {kind} : 1 {other_kind}" for kind in RESOURCES for other_kind in RESOURCES if other_kind != kind
    }
    assert supply(game) == rated


@pytest.mark.rule("PORT-03", "PORT-03.x1")
@pytest.mark.parametrize("edition", ["fifth", "threed"])
@pytest.mark.parametrize("kind", ["brick", "lumber", "wool", "grain"])
def test_ron_gives_two_ore_for_one_other(edition: str, kind: str) -> None:
    game = scene(edition, turn="blue", hands={"blue": "2 ore"}, settlements={"blue": SPECIAL["ore"]})
    game.play("blue", f"supply 2 ore : 1 {kind}")
    assert hand_text(game, "blue") == f"1 {kind}"


@pytest.mark.rule("PORT-03", "PORT-04")
@all_editions
@pytest.mark.parametrize("kind", RESOURCES)
def test_a_special_harbor_serves_its_own_kind_only(edition: str, kind: str) -> None:
    game = at(edition, SPECIAL[kind], "3 brick 3 lumber 3 wool 3 grain 3 ore")
    assert supply(game) == {f"supply 2 {kind} : 1 {other_kind}" for other_kind in RESOURCES if other_kind != kind}
    for other_kind in RESOURCES:
        if other_kind != kind:
            game.refused(0, f"supply 2 {other_kind} : 1 {kind}", "PORT-03")
            game.refused(0, f"supply 3 {other_kind} : 1 {kind}", "PORT-02")


@pytest.mark.rule("PORT-03")
@all_editions
def test_one_card_is_too_few_at_a_special_harbor(edition: str) -> None:
    game = at(edition, SPECIAL["ore"], "1 ore")
    game.refused(0, "supply 2 ore : 1 wool", "PORT-03")
    game.refused(0, "supply 1 ore : 1 wool", "PORT-01")


@pytest.mark.rule("PORT-04", "PORT-04.x1")
@all_editions
def test_ron_gets_one_card_for_four_wool(edition: str) -> None:
    game = at(edition, SPECIAL["ore"], "4 wool")
    game.refused(0, "supply 3 wool : 1 brick", "PORT-02")
    game.refused(0, "supply 4 wool : 2 brick", "PORT-03")
    game.play(0, "supply 4 wool : 1 brick")
    assert hand_text(game, 0) == "1 brick"


@pytest.mark.rule("PORT-04", "PORT-04.e1")
@all_editions
def test_ore_harbor_and_generic_harbor_together(edition: str) -> None:
    game = at(edition, f"{GENERIC} {SPECIAL['ore']}", "3 brick 3 lumber 3 wool 3 grain 3 ore")
    assert trades(game, "supply 2 ore : 1 brick")
    for kind in ("brick", "lumber", "wool", "grain"):
        assert trades(game, f"supply 3 {kind} : 1 ore")
        game.refused(0, f"supply 2 {kind} : 1 ore", "PORT-03")


# --- whose harbor ------------------------------------------------


@pytest.mark.rule("PORT-05")
@all_editions
def test_harbors_of_others_are_of_no_use(edition: str) -> None:
    game = traders(edition, "3 ore", "3 ore", settlements=by_seat(edition, "C3n", f"{GENERIC} {SPECIAL['ore']}"))
    assert supply(game) == set()
    game.refused(0, "supply 3 ore : 1 wool", "PORT-02")
    game.refused(0, "supply 2 ore : 1 wool", "PORT-03")
    game.pass_turn(2)
    assert game.why_not(1, "supply 3 ore : 1 wool") is None
    assert game.why_not(1, "supply 2 ore : 1 wool") is None


@pytest.mark.rule("PORT-05", "PORT-05.e1")
@all_editions
def test_a_road_alone_opens_no_harbor(edition: str) -> None:
    game = at(edition, "", "3 ore", roads=by_seat(edition, "A1/nw A1/ne A3/e B4/ne"))
    assert supply(game) == set()
    game.refused(0, "supply 3 ore : 1 wool", "PORT-02")
    game.refused(0, "supply 2 ore : 1 wool", "PORT-03")


@pytest.mark.rule("PORT-05", "PORT-05.e2")
@all_editions
@pytest.mark.parametrize("corner, rate", [(GENERIC, 3), (SPECIAL["wool"], 2)])
def test_a_city_keeps_the_harbor(edition: str, corner: str, rate: int) -> None:
    hand = "1 brick 1 lumber 4 wool 3 grain 3 ore"
    game = at(edition, corner, hand, phases="combined", roads=by_seat(edition, "C3/nw"))
    for build in (f"city {corner}", "settlement C3n"):
        assert trades(game, f"supply {rate} wool : 1 ore")
        game.play(0, build)
    assert game.hand(0)["wool"] == 3
    game.play(0, f"supply {rate} wool : 1 ore")
    assert game.hand(0)["wool"] == 3 - rate


@pytest.mark.rule("PORT-05", "PORT-05.e3")
@all_editions
@pytest.mark.parametrize(
    "corner, hexes, rate", [(GENERIC, "A1", 3), (SPECIAL["ore"], "A3", 2), (SPECIAL["ore"], "B4", 2)]
)
def test_the_robber_closes_no_harbor(edition: str, corner: str, hexes: str, rate: int) -> None:
    game = at(edition, corner, "3 ore", robber=hexes)
    game.play(0, f"supply {rate} ore : 1 brick")
    assert game.hand(0)["brick"] == 1


# --- what for what ------------------------------------------------


@pytest.mark.rule("PORT-06", "PORT-06.e1")
@all_editions
@pytest.mark.parametrize(
    "corners, terms", [("", "4 ore : 1 ore"), (GENERIC, "3 ore : 1 ore"), (SPECIAL["ore"], "2 ore : 1 ore")]
)
def test_another_kind_must_be_taken(edition: str, corners: str, terms: str) -> None:
    game = at(edition, corners, "8 ore")
    game.refused(0, f"supply {terms}", "PORT-06")
    assert not [text for text in supply(game) if text.endswith(": 1 ore")]
    game.refused(0, "supply 8 ore : 1 ore 1 wool", "PORT-06")


@pytest.mark.rule("PORT-07", "PORT-07.e1", "PORT-07.e3")
@all_editions
@pytest.mark.parametrize("corners, rate", [("", 4), (GENERIC, 3), (SPECIAL["ore"], 2)])
def test_an_empty_stack_gives_nothing_and_the_others_do(edition: str, corners: str, rate: int) -> None:
    game = at(edition, corners, "4 ore", bank="5 brick 5 lumber 0 wool 5 grain 5 ore")
    game.refused(0, f"supply {rate} ore : 1 wool", "PORT-07")
    takes = {text.split()[-1] for text in supply(game) if text.startswith(f"supply {rate} ")}
    assert takes == {"brick", "lumber", "grain"}
    game.play(0, f"supply {rate} ore : 1 grain")
    assert game.supply() == {"brick": 5, "lumber": 5, "wool": 0, "grain": 4, "ore": 5 + rate}


@pytest.mark.rule("PORT-07", "PORT-07.e2")
@all_editions
def test_a_double_trade_needs_two_cards_in_the_supply(edition: str) -> None:
    game = traders(edition, "8 ore", bank="5 brick 5 lumber 1 wool 5 grain 5 ore")
    game.refused(0, "supply 8 ore : 2 wool", "PORT-07")
    game.play(0, "supply 8 ore : 1 brick 1 wool")
    assert (hand_text(game, 0), game.supply()["wool"], game.supply()["ore"]) == ("1 brick 1 wool", 0, 13)


@pytest.mark.rule("PORT-08", "PORT-08.e1")
@all_editions
def test_the_cards_given_are_of_one_kind(edition: str) -> None:
    game = at(edition, f"{GENERIC} {SPECIAL['ore']}", "2 wool 2 ore")
    before = game.all_bytes()
    for terms in ("2 ore 2 wool : 1 brick", "2 ore 1 wool : 1 brick", "1 ore 1 wool : 1 brick"):
        with pytest.raises(UnreadableAction, match="PORT-08"):
            game.play(0, f"supply {terms}")
    assert game.all_bytes() == before
    assert supply(game) == {f"supply 2 ore : 1 {kind}" for kind in ("brick", "lumber", "wool", "grain")}


@pytest.mark.rule("PORT-09", "PORT-09.x1")
@all_editions
@pytest.mark.parametrize("kinds", ["1 brick 1 wool", "2 grain", "1 lumber 1 grain"])
def test_ron_gets_two_cards_for_four_ore(edition: str, kinds: str) -> None:
    game = at(edition, SPECIAL["ore"], "4 ore")
    copy = game.copy()
    game.play(0, f"supply 4 ore : {kinds}")
    assert hand_text(game, 0) == kinds
    words = kinds.split()
    for n, kind in zip(words[::2], words[1::2], strict=True):
        for _ in range(int(n)):
            copy.play(0, f"supply 2 ore : 1 {kind}")
    assert copy.state == game.state  # the same as two trades


@pytest.mark.rule("PORT-09", "PORT-09.e1")
@all_editions
def test_eight_lumber_give_two_cards(edition: str) -> None:
    game = traders(edition, "8 lumber")
    game.refused(0, "supply 8 lumber : 1 ore", "PORT-01")
    game.play(0, "supply 8 lumber : 2 ore")
    assert (hand_text(game, 0), game.supply()["lumber"], game.supply()["ore"]) == ("2 ore", 19, 17)


@pytest.mark.rule("PORT-09")
@all_editions
def test_a_multiple_is_paid_in_full(edition: str) -> None:
    game = at(edition, GENERIC, "7 lumber")
    game.refused(0, "supply 8 lumber : 2 ore", "PORT-01")
    game.refused(0, "supply 9 lumber : 3 ore", "PORT-02")
    game.play(0, "supply 6 lumber : 1 wool 1 ore")
    assert hand_text(game, 0) == "1 lumber 1 wool 1 ore"


@pytest.mark.rule("PORT-09")
@all_editions
def test_supply_trades_may_be_repeated(edition: str) -> None:
    game = traders(edition, "16 ore")
    for trades_made in range(4):
        assert hand_text(game, 0) == (f"{trades_made} wool {16 - 4 * trades_made} ore" if trades_made else "16 ore")
        game.play(0, "supply 4 ore : 1 wool")
    game.play(0, "supply 4 wool : 1 grain")
    assert hand_text(game, 0) == "1 grain"


@pytest.mark.rule("PORT-10", "PORT-10.e1")
@all_editions
def test_the_owner_of_an_ore_harbor_may_give_four(edition: str) -> None:
    game = at(edition, SPECIAL["ore"], "4 ore")
    assert trades(game, "supply 2 ore : 1 wool")
    assert not trades(game, "supply 3 ore : 1 wool")  # no generic harbor, no 3:1
    game.play(0, "supply 4 ore : 1 wool")
    assert hand_text(game, 0) == "1 wool"


@pytest.mark.rule("PORT-10", "PORT-10.e2")
@all_editions
def test_the_owner_of_a_generic_harbor_may_give_four(edition: str) -> None:
    game = at(edition, GENERIC, "4 lumber")
    assert trades(game, "supply 3 lumber : 1 wool")
    game.play(0, "supply 4 lumber : 1 wool")
    assert hand_text(game, 0) == "1 wool"


# --- when ------------------------------------------------


@pytest.mark.rule("PORT-11", "PORT-11.e1")
@all_editions
def test_no_supply_trade_before_the_roll(edition: str) -> None:
    game = at(edition, SPECIAL["ore"], "4 ore", phase="roll")
    game.refused(0, "supply 4 ore : 1 wool", "PORT-11")
    game.refused(0, "supply 2 ore : 1 wool", "PORT-11")
    game.roll(2)
    assert trades(game, "supply 2 ore : 1 wool")


@pytest.mark.rule("PORT-11")
@all_editions
def test_supply_trade_is_for_the_player_on_turn(edition: str) -> None:
    game = traders(edition, "4 ore", "4 ore")
    game.refused(1, "supply 4 ore : 1 wool", "TRADE-09")
    game.pass_turn(2)
    game.play(1, "supply 4 ore : 1 wool")
    game.refused(0, "supply 4 ore : 1 wool", "TRADE-09")


@pytest.mark.rule("PORT-11")
@all_editions
def test_no_supply_trade_while_something_is_pending(edition: str) -> None:
    game = at(edition, "C3n", "4 ore", dev=by_seat(edition, "1 knight"))
    game.play(0, "knight")
    game.refused(0, "supply 4 ore : 1 wool", "PHASE-11")
    game.play(0, "robber A1")
    assert trades(game, "supply 4 ore : 1 wool")


@pytest.mark.rule("PORT-11", "PORT-11.e2")
@pytest.mark.parametrize("edition", SEPARATE)
@pytest.mark.parametrize("build", ["road C3/ne", "city C3n", "buy"])
def test_with_separate_phases_no_supply_trade_after_the_first_build(edition: str, build: str) -> None:
    hand = "1 brick 1 lumber 5 wool 3 grain 4 ore"
    game = at(edition, "C3n", hand)
    assert trades(game, "supply 4 wool : 1 ore")
    game.play(0, build)
    if build == "buy":
        game.deal("drawn knight")
    assert supply(game) == set()
    game.refused(0, "supply 4 wool : 1 ore", "PHASE-05")
    mixed = at(edition, "C3n", hand, phases="combined")
    mixed.play(0, build)
    if build == "buy":
        mixed.deal("drawn knight")
    assert trades(mixed, "supply 4 wool : 1 ore")


@pytest.mark.rule("PORT-11")
@pytest.mark.parametrize("edition", ["zip", "sixth"])
def test_with_mixed_phases_supply_trade_follows_a_build(edition: str) -> None:
    game = at(edition, "C3n", "1 brick 1 lumber 4 wool")
    game.play(0, "road C3/ne")
    game.play(0, "supply 4 wool : 1 ore")
    assert hand_text(game, 0) == "1 ore"


@pytest.mark.rule("PORT-01")
def test_supply_trades_do_not_touch_offers() -> None:
    game = traders("fifth", "5 ore", "1 wool")
    game.play(0, offer(game, "1 ore : 1 wool", 1))
    game.play(0, "supply 4 ore : 1 wool")
    game.play(1, "accept #1")
    assert hand_text(game, 0) == "2 wool"
