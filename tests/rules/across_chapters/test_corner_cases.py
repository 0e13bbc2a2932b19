"""Corner cases that a wrong line in the core would slip through: last places, last seats, fields seldom looked at."""

from __future__ import annotations

import pytest

from hexholm.rules.boards import board_modes, layout_for
from hexholm.rules.core.belief import (
    add_hidden_hand,
    age_new_cards,
    observe_purchase,
    restart_hidden_hands,
    restart_worlds,
    start_belief,
)
from hexholm.rules.core.derived_fields import refresh_derived
from hexholm.rules.core.drivers.action_mask import write_mask
from hexholm.rules.core.variable_setup import generate_board
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.encoding.action_numbers import SOLO_ACTIONS
from hexholm.rules.encoding.lanes import count_cards, pack, single_card, unpack
from hexholm.rules.encoding.phases import DISCARDING
from hexholm.rules.encoding.structs import CARD_HANDS, Belief, Board, Scratch, State
from hexholm.rules.places import SIDE_NAMES
from hexholm.rules.random_numbers import draw_bits
from hexholm.rules.setup.options import check_options
from tests.helpers.legal_texts import legal_texts
from tests.helpers.marks import all_editions

from ..scenes import after_seven, by_seat, offer, scene, traders

RICH = "4 brick 4 lumber 4 wool 4 grain 4 ore"


@pytest.mark.rule("ROAD-02", "ROAD-02.e1")
@pytest.mark.parametrize("owner", range(4))
@pytest.mark.parametrize("side", ["A2/ne", "E2/se"])
def test_a_road_of_any_seat_anywhere_keeps_others_out(owner: int, side: str) -> None:
    other_seat = (owner + 1) % 4
    colors = ("red", "blue", "white", "orange")
    assert side in SIDE_NAMES
    game = scene(turn=other_seat, hands={colors[other_seat]: RICH}, roads={colors[owner]: side})
    game.refused(other_seat, f"road {side}", "ROAD-02")


@pytest.mark.rule("DEV-08", "DEV-08.e1")
@all_editions
def test_an_empty_deck_takes_buying_off_the_list(edition: str) -> None:
    game = scene(edition, hands=by_seat(edition, RICH), deck="")
    assert "buy" not in legal_texts(game, 0)
    game.refused(0, "buy", "DEV-08")
    one_card = scene(edition, hands=by_seat(edition, RICH), deck="1 knight")
    assert "buy" in legal_texts(one_card, 0)


@pytest.mark.rule("DEV-21", "DEV-21.e2")
@all_editions
@pytest.mark.parametrize("kind", ["brick", "lumber", "wool", "grain", "ore"])
def test_the_last_card_of_the_supply_is_one_choice_and_one_card(edition: str, kind: str) -> None:
    game = scene(edition, dev=by_seat(edition, "1 year-of-plenty"), bank=f"1 {kind}")
    assert [text for text in legal_texts(game, 0) if text.startswith("year")] == [f"year-of-plenty {kind}"]
    game.play(0, f"year-of-plenty {kind}")
    assert game.hand(0) == {name: int(name == kind) for name in game.hand(0)}
    assert count_cards(game.state.supply) == 0
    assert game.state.supply == 0
    assert game.state.hand[0] >> 40 == 0
    assert game.state.card_played == 1


@pytest.mark.rule("DEV-28", "DEV-03")
@all_editions
def test_a_played_card_is_noted_once(edition: str) -> None:
    game = scene(edition, dev=by_seat(edition, "1 knight"))
    assert game.state.card_played == 0
    game.play(0, "knight")
    assert game.state.card_played == 1


@pytest.mark.rule("PHASE-08", "PHASE-01")
@all_editions
def test_a_new_turn_begins_with_nothing_rolled(edition: str) -> None:
    game = scene(edition, phase="roll")
    game.roll(9)
    assert game.state.die_a + game.state.die_b == 9
    game.pass_turn()
    assert (game.state.die_a, game.state.die_b, game.state.rolled) == (0, 0, 0)


@pytest.mark.rule("ROBBER-05", "PHASE-10")
@all_editions
def test_after_the_theft_nobody_is_a_victim_any_more(edition: str) -> None:
    game = after_seven(edition, hands=by_seat(edition, "", "2 ore"), settlements=by_seat(edition, "", "C3n"))
    game.play(0, "robber B2")
    assert game.state.victim == 1
    game.deal("stolen ore")
    assert game.state.victim == -1


@pytest.mark.rule("WIN-02", "WIN-02.e3")
@all_editions
def test_a_win_by_a_free_road_leaves_no_road_to_place(edition: str) -> None:
    roads = by_seat(edition, "C3/ne C3/e C3/se C3/sw")
    game = scene(
        edition,
        dev=by_seat(edition, "1 road-building"),
        roads=roads,
        points_to_win=3,
        settlements=by_seat(edition, "C3n"),
    )
    game.play(0, "road-building")
    game.play(0, "road C3/w")
    assert (game.phase, game.state.free_roads, game.state.free_placed) == ("over", 0, 0)


@pytest.mark.rule("TRADE-14", "TRADE-14.e2", "PHASE-11")
@all_editions
def test_no_offer_while_a_card_is_being_drawn(edition: str) -> None:
    game = traders(edition, RICH, RICH)
    game.play(0, "buy")
    reason = game.why_not(0, offer(game, "1 ore : 1 wool", 1))
    assert reason is not None
    assert reason.name == "chance_pending"


@pytest.mark.rule("TRADE-03", "TRADE-15", "TRADE-15.e2")
@all_editions
def test_the_eighth_offer_is_asked_about_too(edition: str) -> None:
    game = traders(edition, RICH, RICH, RICH, RICH)
    for _ in range(7):
        game.play(0, offer(game, "1 ore : 1 wool", 1))
    game.play(0, offer(game, "1 ore : 1 wool", 3))
    assert game.to_act() == [0, 1, 3]
    for observer in (0, 1, 2, 3, None):
        assert game.view(observer).to_act == 0b1011
    game.play(3, "accept #8")
    assert game.to_act() == [0, 1]


@pytest.mark.rule("SEVEN-04", "SEVEN-04.e1")
@all_editions
def test_a_discard_card_by_card_knows_five_kinds(edition: str) -> None:
    game = traders(edition, "8 ore", phase="roll")
    game.roll(7)
    assert game.state.phase == DISCARDING
    for beyond in (5, 6, 31):
        reason = game.why_not(0, act.simple_action(act.DISCARD_CARD, beyond))
        assert reason is not None
        assert reason.name == "unknown"
    for cards_left in (3, 2, 1):
        game.play(0, act.simple_action(act.DISCARD_CARD, 4))
        assert game.state.owed[0] == cards_left
    game.play(0, act.simple_action(act.DISCARD_CARD, 4))
    assert game.phase == "robber"


@pytest.mark.rule("PORT-01", "PHASE-13")
def test_a_supply_trade_with_more_than_its_parameters_is_no_action() -> None:
    game = traders("fifth", "4 ore")
    code = game.action_code("supply 4 ore : 1 wool")
    assert game.why_not(0, code) is None
    for extra in range(36, 62):
        reason = game.why_not(0, code | 1 << extra)
        assert reason is not None
        assert reason.name == "unknown", extra


@pytest.mark.rule("DEV-19", "DEV-22")
@all_editions
def test_the_mask_of_a_seat_without_cards_holds_no_card_play(edition: str) -> None:
    import numpy as np

    game = traders(edition, RICH)
    mask = np.zeros((1, SOLO_ACTIONS), np.uint8)
    write_mask(game.state, Scratch(), 0, mask, 0)
    assert not mask[0, 3:31].any()


@pytest.mark.rule("BUILD-07")
def test_refreshing_forgets_buildings_that_are_gone() -> None:
    game = scene(settlements={"red": "C3n"})
    state = game.state
    state.settlements[0] = 0
    refresh_derived(state, Scratch())
    assert state.buildings == 0
    assert state.sites == (1 << 54) - 1


@pytest.mark.rule("DEV-26", "INFO-03")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_the_last_seat_cannot_hold_is_ruled_out_too(players: int) -> None:
    colors = ("red", "blue", "white", "orange")[:players]
    last = players - 1
    game = scene(
        "fifth", players=players, turn=last, hands={colors[last]: "1 wool 1 grain 1 ore"}, points_to_win=3,
        settlements={colors[last]: "C3n E1s"}, colors=colors, two_players=players == 2,
    )  # fmt: skip
    game.buy(last, "knight")
    view = game.view(None)
    hands = {view.card_new[last, i] for i in range(view.card_hands[last])}
    assert single_card(1) not in hands  # a victory point would have won
    assert len(hands) == 4


@pytest.mark.rule("INFO-03")
def test_more_hidden_hands_than_fit_keep_the_likeliest() -> None:
    belief, scratch, state = Belief(), Scratch(), State()
    state.players, state.points_to_win = 4, 100
    state.deck = 14 * single_card(0) + 5 * single_card(1) + 2 * single_card(2) + 2 * single_card(3) + 2 * single_card(4)
    start_belief(belief, state)
    for n in range(1, 9):
        observe_purchase(belief, scratch, state, 0)
        if n == 4:
            age_new_cards(belief, scratch, 0)
    assert belief.card_hands[0] == CARD_HANDS
    assert belief.card_capped[0] == 1
    hands = [(belief.card_old[0, i], belief.card_new[0, i]) for i in range(CARD_HANDS)]
    assert len(set(hands)) == CARD_HANDS
    assert all(count_cards(old) == 4 and count_cards(new) == 4 for old, new in hands)
    lightest = min(belief.card_ways[0, i] for i in range(CARD_HANDS))
    before = belief.buffer.tobytes()
    add_hidden_hand(belief, 0, 20 * single_card(0), 0, lightest)  # not likelier than any: dropped
    assert belief.buffer.tobytes() == before
    add_hidden_hand(belief, 0, 20 * single_card(0), 0, lightest + 1)
    assert 20 * single_card(0) in {belief.card_old[0, i] for i in range(CARD_HANDS)}
    assert belief.card_hands[0] == CARD_HANDS


@pytest.mark.rule("MAP-21")
def test_draws_are_those_of_splitmix64() -> None:
    """The first numbers of the published generator for the seed 1234567."""
    published = [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]
    assert [draw_bits(1234567, 0, k + 1) for k in range(5)] == [number >> 32 for number in published]


@pytest.mark.rule("MAP-13", "MAP-15", "MAP-21")
@pytest.mark.parametrize(
    ("edition", "harbors", "draws"), [("sixth", None, 24), ("fifth", "harbor_shuffle", 27), ("summary", None, 27)]
)
def test_a_board_takes_as_many_draws_as_it_has_choices(edition: str, harbors: str | None, draws: int) -> None:
    modes = board_modes(check_options(edition=edition, setup="variable", harbors=harbors))
    for key in range(20):
        assert generate_board(Board(), *modes, key) == draws


@pytest.mark.rule("MAP-18", "MAP-18.e3", "MAP-21.e1")
@pytest.mark.parametrize(
    ("edition", "seed", "board"),
    [
        (
            "threed",
            4,
            "mo11 pa4 fo5 mo4 pa3 fi8 hi11 pa5 de pa9 hi10 fo8 fi6 fo10 fi2 mo12 hi9 fi3 fo6",
        ),
        (
            "fifth",
            9,
            "hi5 pa8 fo2 hi11 pa10 fi3 fi8 pa3 mo9 fo6 mo11 fo4 de fi4 fo5 pa10 mo12 fi9 hi6",
        ),
    ],
)
def test_a_board_seed_names_one_board_for_ever(edition: str, seed: int, board: str) -> None:
    hexes = layout_for(check_options(edition=edition, setup="variable", numbers="random"), seed).as_dict()["hexes"]
    assert " ".join(f"{terrain[:2]}{number or ''}" for terrain, number in hexes.values()) == board


@pytest.mark.rule("TRADE-03", "TRADE-03.e2")
@all_editions
def test_all_eight_offers_end_with_the_turn(edition: str) -> None:
    game = traders(edition, RICH, RICH)
    for _ in range(8):
        game.play(0, offer(game, "1 ore : 1 wool", 1))
    assert [bool(game.open_offers.give[slot]) for slot in range(8)] == [True] * 8
    game.play(0, "end")
    assert not game.open_offers.buffer.any()


@pytest.mark.rule("DEV-16")
@all_editions
def test_a_playable_road_building_card_is_one_in_the_mask(edition: str) -> None:
    import numpy as np

    cards = by_seat(edition, "1 road-building 1 knight 1 monopoly 1 year-of-plenty")
    game = scene(edition, dev=cards, settlements=by_seat(edition, "C3n"), roads=by_seat(edition, "C3/ne"))
    mask = np.zeros((1, SOLO_ACTIONS), np.uint8)
    count = write_mask(game.state, Scratch(), 0, mask, 0)
    assert mask[0, 4] == 1
    assert set(mask[0].tolist()) == {0, 1}
    assert int(mask.sum()) == count == len(game.legal(0))


@pytest.mark.rule("INFO-01", "INFO-09")
@pytest.mark.parametrize("observer", range(5))
@pytest.mark.parametrize("seat", range(4))
def test_a_belief_begun_again_fits_all_that_is_public(observer: int, seat: int) -> None:
    hands = ("3 brick 1 ore", "2 lumber 2 wool", "1 grain 4 ore", "5 wool 1 brick")
    game = traders("fifth", *hands)
    state, belief = game.state, Belief()
    belief.buffer[:] = 1  # whatever was there before
    public_hand = state.hand[seat] & 0x7F7F7F7F7F if seat != 3 else pack([0, 0, 5, 0, 0])
    restart_worlds(belief, state, observer, seat, public_hand)
    world = [belief.hand[observer, 0, other_seat] for other_seat in range(4)]
    assert belief.worlds[observer] == 1
    assert belief.weight[observer, 0] == 1.0
    assert [count_cards(hand) for hand in world] == [count_cards(state.hand[other_seat]) for other_seat in range(4)]
    assert [sum(kind) for kind in zip(*map(unpack, world), strict=True)] == [19 - n for n in unpack(state.supply)]
    if observer < 4:
        assert world[observer] == state.hand[observer]
    assert all(held >= due for held, due in zip(unpack(world[seat]), unpack(public_hand), strict=True))


@pytest.mark.rule("DEV-04", "INFO-03")
def test_a_belief_begun_in_mid_turn_tells_new_cards_from_old() -> None:
    game = scene(dev={"red": "1 knight", "blue": "1 knight"}, hands={"red": "1 wool 1 grain 1 ore"})
    game.buy("red", "monopoly")
    knight = single_card(0)
    new = game.state.new_cards
    assert new not in (0, knight)
    start_belief(game.belief, game.state)
    held = [(game.belief.card_old[seat, 0], game.belief.card_new[seat, 0]) for seat in range(2)]
    assert held == [(knight, new), (knight, 0)]
    for seat in range(2):
        restart_hidden_hands(game.belief, game.state, seat)
    sizes = [(count_cards(game.belief.card_old[s, 0]), count_cards(game.belief.card_new[s, 0])) for s in range(2)]
    assert sizes == [(1, 1), (1, 0)]


@pytest.mark.rule("MAP-18", "MAP-21")
@pytest.mark.parametrize(("edition", "draws"), [("fifth", 31633), ("threed", 95550)])
def test_random_numbers_take_these_draws_for_ever(edition: str, draws: int) -> None:
    """Seventeen draws a shuffle, fewer when it is given up early: one draw more or less would name other boards."""
    modes = board_modes(check_options(edition=edition, setup="variable", numbers="random"))
    assert sum(generate_board(Board(), *modes, key) for key in range(300)) == draws


@pytest.mark.rule("TRADE-10")
@pytest.mark.parametrize("slot", [0, 7])
def test_a_yes_whose_cards_are_gone_becomes_a_no_and_a_confirmation_takes_the_offer_back(slot: int) -> None:
    instead = {
        act.simple_action(act.ACCEPT, slot): act.simple_action(act.REJECT, slot),
        act.confirm_action(slot, 1): act.simple_action(act.WITHDRAW, slot),
        act.simple_action(act.WITHDRAW, slot): act.NOTHING,
    }
    assert {code: act.decline_instead(code) for code in instead} == instead


@pytest.mark.rule("TRADE-10", "TRADE-10.e2", "TRADE-14", "TRADE-14.e5")
@all_editions
def test_before_trying_a_seat_is_not_told_what_its_partner_lacks(edition: str) -> None:
    """Two worlds that seat 0 cannot tell apart: after the theft seat 1 still has the wool it proposed, or not."""
    reasons = []
    for stolen_kind in ("ore", "wool"):
        pieces = {"settlements": by_seat(edition, "", "C3n"), "dev": by_seat(edition, "", "", "1 knight")}
        game = traders(edition, "1 brick", "1 wool 1 ore", "", turn=2, **pieces)
        game.play(1, offer(game, "1 wool : 1 lumber", 2))
        game.play(2, "knight")
        game.play(2, "robber B2")
        game.deal(f"stolen {stolen_kind}")
        kept_reason = game.why_not(2, "accept #1")
        assert kept_reason is not None  # seat 2 holds no lumber: its own lack may be told
        assert game.why_not_for_seat(2, "accept #1") == kept_reason
        reasons.append(game.why_not_for_seat(0, "accept #1"))
        assert reasons[-1] is not None
        assert reasons[-1].name == "not_addressed"
    assert reasons[0] == reasons[1]
    game_after = traders(edition, "1 brick", "1 wool", dev=by_seat(edition, "1 monopoly"))
    game_after.play(1, offer(game_after, "1 wool : 1 brick", 0))
    game_after.play(0, "monopoly wool")
    refusal = game_after.why_not(0, "accept #1")
    assert refusal is not None
    assert refusal.rule == "TRADE-10"
    assert game_after.why_not_for_seat(0, "accept #1") is None  # the hand of seat 1 is not for seat 0 to know
    assert "accept #1" in legal_texts(game_after, 0)
    game_after.refused(0, "accept #1", "TRADE-10")
