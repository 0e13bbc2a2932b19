"""Every way to say no: a position for each refusal there is; the rule is named, nothing at all changes (PHASE-13)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from hexholm.rules.catalogue import rule_by_id
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.encoding.refusals import REFUSALS
from hexholm.rules.errors import BadInput
from hexholm.rules.reasons import IllegalAction
from hexholm.rules.setup.editions import EDITIONS
from tests.helpers.edition_table import EDITION_TABLE, WITH_A_ROAD_LIMIT
from tests.helpers.marks import all_editions

from ..scenes import Scene, by_seat, opening, scene
from ..turns import BY_SEAT, COMBINED, EARLY, PIECES, RICH, SEPARATE, Position, do

ROADS = (
    "C3/ne C3/e C3/se C3/sw C3/w C3/nw B2/ne B2/nw B2/w B2/sw A1/e A1/ne A1/nw A1/w A1/sw E1/e E1/se E1/sw E1/w E1/nw"
)
ALL = "as many of them as the edition has"


@dataclass
class Case:
    """One refusal. Acts are a seat and a text, "!" is Nature; @1 stands for the color of seat 1."""

    name: str
    act: str
    position: Position | str = ""  # over PIECES, by seat; or "placement", "start roll"
    before: str = ""  # what leads there, with semicolons
    editions: tuple[str, ...] = EDITIONS


PLACING, ROLLING = "placement", "start roll"
POOR: Position = {"hands": ("1 wool",)}
WEALTH: Position = {"hands": (RICH, RICH, "1 brick 1 lumber")}
EARLY_WEALTH: Position = WEALTH | EARLY
NEARLY_WON: Position = WEALTH | {"dev": ("5 victory-point",), "points_to_win": 7}
EIGHT: Position = EARLY | {"hands": ("4 lumber 4 ore", "4 brick 4 wool", "2 wool", "2 grain")}
KNIGHT: Position = {"dev": ("1 knight",)}
TWO_CARDS: Position = {"dev": ("1 year-of-plenty 1 monopoly",)}
SHORT: Position = {"dev": ("1 year-of-plenty",), "bank": "1 ore 3 wool"}
FREE_ROADS: Position = {"dev": ("1 road-building",)}
NOWHERE: Position = FREE_ROADS | {"settlements": (), "roads": ()}
ALL_ROADS: Position = WEALTH | FREE_ROADS | {"roads": (ALL,)}
AROUND: Position = WEALTH | {"roads": ("C3/ne C3/e C3/se",)}
FIVE: Position = WEALTH | {"settlements": ("C3n A1n A3n E1s E3s",), "roads": ("C5/ne C5/e",)}
FOUR: Position = WEALTH | {"cities": ("A1n A3n E1s C1nw",), "points_to_win": 12}
ONE_EACH: Position = {"hands": ("1 ore 1 wool", "1 brick", "1 lumber")}
SEVEN = "0 roll; ! dice 3 4"
DISCARDED = f"{SEVEN}; 0 discard 4 lumber; 1 discard 4 wool"
CHOOSING = f"{DISCARDED}; 0 robber D3"
TO_ONE = "0 offer 1 ore : 1 brick to @1"
TO_TWO = "0 offer 1 ore : 1 brick to @1 @2"
ROUND_ONE = (
    "0 settlement A1n; 0 road A1/nw; 1 settlement A3n; 1 road A3/ne; 2 settlement C5ne; 2 road C5/ne; 2 settlement E3s"
)

CASES = [
    Case("game_over", "1 roll", NEARLY_WON, "0 city C3n"),
    Case("game_over", "0 offer 1 ore : 1 wool to @1", NEARLY_WON, "0 city C3n"),
    Case("not_your_turn", "1 end", WEALTH),
    Case("not_your_supply_trade", "1 supply 4 ore : 1 wool", WEALTH),
    Case("chance_pending", "0 end", EARLY, "0 roll"),
    Case("chance_pending", "0 end", WEALTH, "0 buy"),
    Case("chance_decides", "0 dice 3 4", EARLY, "0 roll"),
    Case("only_placement", "0 roll", PLACING),
    Case("only_placement", "0 settlement C3n", ROLLING),
    Case("settlement_first", "0 road C3/ne", PLACING),
    Case("road_at_settlement", "0 road C3/se", PLACING, "0 settlement C3n"),
    Case("road_at_second", "2 road C5/e", PLACING, ROUND_ONE),
    Case("pending", "0 buy", EIGHT, DISCARDED),
    Case("pending", "1 offer 1 wool : 1 ore to @0", EIGHT, SEVEN),
    Case("cannot_end", "0 end", EIGHT, DISCARDED),
    Case("discards_first", "0 robber A1", EIGHT, SEVEN),
    Case("name_victim", "0 robber A1", EIGHT, CHOOSING),
    Case("roll_first", "0 end", EARLY),
    Case("rolled_already", "0 roll"),
    Case("before_roll", "0 road C3/e", EARLY_WEALTH),
    Case("supply_before_roll", "0 supply 4 ore : 1 wool", EARLY_WEALTH),
    Case("no_robber_move", "0 robber A1"),
    Case("no_steal", "0 steal @1"),
    Case("nothing_to_waive", "0 waive"),
    Case("nothing_to_waive", "0 waive", FREE_ROADS, "0 road-building"),
    Case("nothing_to_waive", "0 waive", FREE_ROADS, "0 road-building; 0 road C3/e", COMBINED),
    Case("no_discard", "2 discard 1 wool", EIGHT, SEVEN),
    Case("no_discard", "0 discard 1 wool", POOR),
    Case("wrong_discard", "1 discard 3 wool", EIGHT, SEVEN),
    Case("wrong_discard", "1 discard 4 ore", EIGHT, SEVEN),
    Case("path_taken", "0 road C3/sw", WEALTH),
    Case("path_unconnected", "0 road A1/nw", WEALTH),
    Case("path_blocked", "0 road C3/sw", AROUND),
    Case("no_roads_left", "0 road C4/nw", ALL_ROADS, editions=WITH_A_ROAD_LIMIT),
    Case("corner_taken", "0 settlement C3n", WEALTH),
    Case("too_close", "0 settlement C3ne", WEALTH),
    Case("no_road_there", "0 settlement A1n", WEALTH),
    Case("no_settlements_left", "0 settlement C5ne", FIVE),
    Case("not_your_settlement", "0 city C3s", WEALTH),
    Case("no_cities_left", "0 city C3n", FOUR),
    Case("cannot_pay", "0 road C3/e", POOR),
    Case("cannot_pay", "0 settlement B4ne", POOR),
    Case("cannot_pay", "0 city C3n", POOR),
    Case("cannot_pay", "0 buy", POOR),
    Case("deck_empty", "0 buy", WEALTH | {"deck": ""}),
    Case("card_played_already", "0 monopoly ore", TWO_CARDS, "0 year-of-plenty ore ore"),
    Case("card_not_held", "0 knight"),
    Case("card_too_new", "0 knight", WEALTH, "0 buy; ! drawn knight"),
    Case("no_free_road", "0 road-building", ALL_ROADS, editions=WITH_A_ROAD_LIMIT),
    Case("no_free_road", "0 road-building", NOWHERE),
    Case("plenty_not_there", "0 year-of-plenty ore ore", SHORT),
    Case("plenty_not_there", "0 year-of-plenty ore", SHORT),
    Case("same_hex", "0 robber C3", KNIGHT, "0 knight"),
    Case("spared_hex", "0 robber D3", KNIGHT | {"friendly_robber": True}, "0 knight"),
    Case("no_victim", "0 steal @2", EIGHT, CHOOSING),
    Case("no_victim", "0 steal @0", EIGHT, CHOOSING),
    Case("trading_closed", "0 supply 4 ore : 1 wool", WEALTH, "0 road C3/e", SEPARATE),
    Case("trading_closed", "1 accept #1", WEALTH, f"{TO_ONE}; 0 road C3/e", SEPARATE),
    Case("like_for_like", "0 supply 4 ore : 1 ore", WEALTH),
    Case("nothing_taken", "0 supply 4 ore : nothing", WEALTH),
    Case("rate_supply", "0 supply 4 wool : 1 ore", POOR),
    Case("rate_supply", "0 supply 5 wool : 1 ore", WEALTH),
    Case("rate_generic", "0 supply 3 ore : 1 wool", WEALTH),
    Case("rate_special", "0 supply 2 ore : 1 wool", WEALTH),
    Case("supply_short", "0 supply 4 ore : 1 wool", {"hands": ("4 ore",), "bank": "3 ore"}),
    Case("trade_before_roll", "0 offer 1 ore : 1 wool to @1", EARLY_WEALTH),
    Case("wrong_partner", "1 offer 1 ore : 1 wool to @2", WEALTH),
    Case("wrong_partner", "0 offer 1 ore : 1 wool to @0", WEALTH),
    Case("gift", "0 offer 1 ore : nothing to @1", WEALTH),
    Case("like_on_both_sides", "0 offer 1 ore : 2 ore to @1", WEALTH),
    Case("wants_too_much", "0 offer 1 ore : 20 wool to @1", WEALTH),
    Case("offers_what_is_not_there", "0 offer 1 ore : 1 wool to @1", POOR),
    Case("too_many_offers", TO_ONE, WEALTH, "; ".join([TO_ONE] * 8)),
    Case("no_such_offer", "1 accept #3", WEALTH),
    Case("not_addressed", "2 accept #1", WEALTH, TO_ONE),
    Case("answered_already", "1 accept #1", WEALTH, f"{TO_TWO}; 1 accept #1"),
    Case("answered_already", "1 reject #1", WEALTH, f"{TO_TWO}; 1 reject #1"),
    Case("accepter_lacks", "1 accept #1", {"hands": ("1 ore",)}, TO_ONE),
    Case("maker_lacks", "1 accept #1", ONE_EACH, f"{TO_ONE}; 0 offer 1 ore : 1 lumber to @2; 2 accept #2"),
    Case(
        "partner_lacks",
        "0 confirm #1 @1",
        ONE_EACH,
        f"{TO_TWO}; 1 accept #1; 0 offer 1 wool : 1 brick to @1; 1 accept #2",
    ),
    Case("not_your_offer", "1 withdraw #1", WEALTH, TO_ONE),
    Case("not_your_offer", "1 confirm #1 @2", WEALTH, TO_TWO),
    Case("no_yes", "0 confirm #1 @1", WEALTH, TO_TWO),
    Case("nothing_to_confirm", "0 confirm #1 @1", WEALTH, TO_ONE),
    # Nature's outcomes that cannot happen now
    Case("no_such_chance", "! dice 3 4"),
    Case("no_such_chance", "! drawn knight", WEALTH),
    Case("no_such_chance", "! stolen ore", EIGHT, f"{CHOOSING}; 0 steal @3"),
    Case("no_such_chance", "! drawn monopoly", WEALTH | {"deck": "3 knight"}, "0 buy"),
    Case("game_over", "! dice 1 1", NEARLY_WON, "0 city C3n"),
]
HOLDING = Case("unknown", "", WEALTH | {"dev": ("1 knight 1 monopoly 1 year-of-plenty",)})
UNKNOWN = [  # codes that are no action, or name no place, seat or kind
    (act.NOTHING, HOLDING),
    (-1, HOLDING),
    (31, HOLDING),
    (act.simple_action(act.END, 7), HOLDING),
    (act.simple_action(act.SETTLEMENT, 54), HOLDING),
    (act.simple_action(act.CITY, 60), HOLDING),
    (act.simple_action(act.ROAD, 72), HOLDING),
    (act.simple_action(act.BUY, 2), HOLDING),
    (act.simple_action(act.KNIGHT_CARD, 1), HOLDING),
    (act.simple_action(act.MONOPOLY_CARD, 5), HOLDING),
    (act.plenty_action(5, 0), HOLDING),
    (act.supply_action(6, 4, 1), HOLDING),
    (act.simple_action(act.ROBBER, 19), Case("unknown", "", EIGHT, DISCARDED)),
    (act.simple_action(act.STEAL, 4), Case("unknown", "", EIGHT, CHOOSING)),
]


def arrive(case: Case, name: str) -> Scene:
    """The position of a case in an edition."""
    if isinstance(case.position, dict) or not case.position:
        pieces: Position = PIECES | (case.position or {})
        position: Position = {key: by_seat(name, *value) if key in BY_SEAT else value for key, value in pieces.items()}
        if pieces["roads"] == (ALL,):
            position["roads"] = by_seat(name, " ".join(ROADS.split()[: EDITION_TABLE[name]["road_limit"]]))
        game = scene(name, **position)
    else:
        game = opening(edition=name, setup="variable", players=3, first=0 if case.position == PLACING else None)
    for text in case.before.split("; ") if case.before else []:
        do(game, text)
    return game


def everything_seen(game: Scene) -> tuple[object, ...]:
    """State, hands, supply, open offers, what is asked of whom, the open outcomes of chance, and every view."""
    return (
        game.all_bytes(),
        [game.hand(seat) for seat in range(game.state.players)],
        game.supply(),
        game.to_act(),
        [game.legal(seat) for seat in range(game.state.players)],
        game.chance(),
        [game.view(observer).buffer.tobytes() for observer in (*range(game.state.players), None)],
    )


def assert_refused(game: Scene, name: str, attempt: Callable[[], None]) -> None:
    before = everything_seen(game)
    with pytest.raises(IllegalAction) as error:
        attempt()
    assert everything_seen(game) == before
    reason = error.value.reason
    assert (reason.name, reason.rule) == (name, next(r.rule for r in REFUSALS if r.name == name))
    assert rule_by_id(reason.rule).id == reason.rule  # the id stands in the catalogue
    assert f"({reason.rule})" in str(error.value)
    assert "{" not in reason.text


@pytest.mark.rule("PHASE-13", "PHASE-13.e1", "PHASE-13.e2", "EDN-03")
@pytest.mark.parametrize(
    ("name", "case"),
    [pytest.param(name, case, id=f"{name}: {case.act}") for case in CASES for name in case.editions],
)
def test_a_refusal_names_its_rule_and_changes_nothing(name: str, case: Case) -> None:
    game = arrive(case, name)
    assert_refused(game, case.name, lambda: do(game, case.act))


@pytest.mark.rule("PHASE-13", "PHASE-13.e1", "PHASE-13.e2")
@pytest.mark.parametrize(("code", "case"), UNKNOWN, ids=lambda value: value if isinstance(value, int) else "")
def test_a_code_that_is_no_action_is_refused(code: int, case: Case) -> None:
    game = arrive(case, "fifth")
    reason = game.why_not(0, code)
    assert reason is not None
    assert (reason.name, reason.rule) == ("unknown", "PHASE-13")
    assert_refused(game, "unknown", lambda: game.play(0, code))


@pytest.mark.rule("PHASE-13", "PHASE-13.e1")
@all_editions
def test_the_table_has_a_position_for_every_refusal(edition: str) -> None:
    shown_names = {case.name for case in CASES if edition in case.editions} | {"unknown"}
    due = {refusal.name for refusal in REFUSALS[1:]}
    if edition not in WITH_A_ROAD_LIMIT:
        due.remove("no_roads_left")
    if edition in COMBINED:
        due.remove("trading_closed")
    assert shown_names == due


@pytest.mark.rule("PHASE-13", "PHASE-13.e1")
def test_a_seat_that_is_not_at_the_table_is_refused() -> None:
    game = scene(players=3)
    before = everything_seen(game)
    for seat in (3, 4, -1):
        with pytest.raises(BadInput, match="nobody plays"):
            game.play(seat, "end")
    assert everything_seen(game) == before


@pytest.mark.rule("PHASE-13", "PHASE-13.e1")
def test_a_player_cannot_act_for_nature_nor_nature_for_a_player() -> None:
    game = scene(phase="roll")
    before = everything_seen(game)
    with pytest.raises(IllegalAction, match="chance decides that"):
        game.play(0, "dice 3 4")
    with pytest.raises(ValueError, match="player's"):
        game.deal("roll")
    with pytest.raises(ValueError, match="cannot read"):
        game.play(0, "rol the dice")
    assert everything_seen(game) == before
