"""What holds in every edition from the first act to the last: the contents of the box, the rules in force, saves."""

from __future__ import annotations

import json
import pickle
import random
from collections.abc import Iterator

import pytest

from hexholm.rules.encoding.lanes import unpack
from hexholm.rules.encoding.structs import CARD_KINDS, RESOURCES, Belief, OpenOffers, State
from hexholm.rules.initial_state import rules_in_force
from hexholm.rules.places import CORNER_NAMES, HALF, read_corner
from hexholm.rules.setup.editions import EDITIONS, edition
from hexholm.rules.setup.options import check_options
from tests.helpers.legal_texts import legal_texts
from tests.helpers.marks import all_editions
from tests.helpers.random_play import carry_out, choose
from tests.helpers.speed import COMPILED

from ..scenes import Scene, by_seat, opening, scene

DECK = {"knight": 14, "victory-point": 5, "road-building": 2, "year-of-plenty": 2, "monopoly": 2}
FIELDS = list(State.fields)
IN_FORCE = (*FIELDS[FIELDS.index("edition") :], "costs", "players", "color")


def games(name: str) -> Iterator[tuple[Scene, random.Random]]:
    """Openings of an edition in both set-ups, with three and four players and each way to divide a turn."""
    kinds = list(enumerate([("fixed", 3), ("fixed", 4), ("variable", 3), ("variable", 4)]))
    for seed, (setup, players) in kinds if COMPILED else kinds[::3]:
        edition_data = edition(name)
        phases = edition_data.phases_options[seed % len(edition_data.phases_options)]
        game = opening(edition=name, setup=setup, players=players, phases=phases, first="roll", board_seed=seed)
        yield game, random.Random(f"{name} {seed}")


def plain(state: State, names: tuple[str, ...]) -> list[object]:
    """Some fields of a state as plain numbers."""
    return [
        memoryview(value).tolist() if state.fields[name].shape else value
        for name in names
        if (value := getattr(state, name)) is not None
    ]


def on_board(state: State, seat: int) -> tuple[int, int, int]:
    roads = state.roads_lo[seat] | state.roads_hi[seat] << HALF
    return state.settlements[seat].bit_count(), state.cities[seat].bit_count(), roads.bit_count()


def assert_contents(game: Scene) -> None:
    """Cards, awards, robber and pieces of the box, all where they belong."""
    state, edition_data = game.state, edition(game.options.edition)
    seats = range(state.players)
    for kind in RESOURCES:  # COMP-03
        assert game.supply()[kind] + sum(game.hand(seat)[kind] for seat in seats) == 19
        assert min(game.supply()[kind], *(game.hand(seat)[kind] for seat in seats)) >= 0
    for i, card in enumerate(CARD_KINDS):  # COMP-04
        held_count = sum(unpack(state.development[seat])[i] + unpack(state.played[seat])[i] for seat in seats)
        assert unpack(state.deck)[i] + held_count == DECK[card]
        assert unpack(state.new_cards)[i] <= unpack(state.development[state.active])[i]
        assert card != "victory-point" or not any(unpack(state.played[seat])[i] for seat in seats)
    lengths = [game.length(seat) for seat in seats]
    knights = [unpack(state.played[seat])[0] for seat in seats]
    for holder, counts, least in ((state.longest_road, lengths, 5), (state.largest_army, knights, 3)):  # COMP-06
        assert holder in (-1, *seats)
        assert holder < 0 or counts[holder] == max(counts) >= least
    assert state.longest_road >= 0 or max(lengths) < 5 or lengths.count(max(lengths)) > 1
    assert state.largest_army >= 0 or max(knights) < 3
    for seat in seats:
        settlements, cities, roads = on_board(state, seat)
        awards = 2 * (state.longest_road == seat) + 2 * (state.largest_army == seat)
        assert game.points(seat) == settlements + 2 * cities + awards
        assert settlements <= edition_data.settlement_limit
        assert cities <= edition_data.city_limit
        assert edition_data.road_limit is None or roads <= edition_data.road_limit
    assert 0 <= state.robber < 19  # COMP-07
    for seat in range(state.players, 4):  # nobody sits there
        assert state.hand[seat] == state.development[seat] == state.played[seat] == sum(on_board(state, seat)) == 0


# --- the box ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule(
    "COMP-03", "COMP-03.e1", "COMP-04", "COMP-04.e1", "COMP-06", "COMP-06.e1", "COMP-07", "COMP-07.e1", "EDN-01"
)
@all_editions
def test_the_box_keeps_its_contents_and_the_rules_stay_through_whole_games(edition: str) -> None:
    for game, rng in games(edition):
        in_force = plain(game.state, IN_FORCE)
        board = plain(game.state, ("terrain", "number", "harbors"))
        assert_contents(game)
        while game.phase != "over":
            carry_out(game, *choose(game, rng))
            assert_contents(game)
            assert plain(game.state, IN_FORCE) == in_force
        assert plain(game.state, ("terrain", "number", "harbors")) == board
        assert game.winner is not None
        assert game.total(game.winner) >= 10


@pytest.mark.rule("COMP-03.e2", "COMP-03")
@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("setup", ["fixed", "variable"])
@all_editions
def test_start_resources_are_taken_from_the_nineteen(edition: str, setup: str, players: int) -> None:
    for seed in range(3):
        rng = random.Random(seed)
        game = opening(edition=edition, setup=setup, players=players, first=0, board_seed=seed)
        while game.phase != "roll":
            carry_out(game, *choose(game, rng))
            assert_contents(game)
        assert 0 < sum(game.size(seat) for seat in range(players)) == 95 - sum(game.supply().values())


@pytest.mark.rule("COMP-07", "COMP-07.e1")
@all_editions
def test_two_dice_and_one_robber_that_only_a_move_displaces(edition: str) -> None:
    for game, rng in games(edition):
        moves = 0
        for _ in range(300):
            if game.phase == "over":
                break
            before, (seat, code) = game.state.robber, choose(game, rng)
            if game.phase == "dice":
                pairs = [tuple(map(int, game.action_text(outcome).split()[1:])) for outcome in game.chance()]
                assert sorted(pairs) == [(a, b) for a in range(1, 7) for b in range(1, 7)]
            verb = game.action_text(code).split()[0]
            carry_out(game, seat, code)
            assert (game.state.robber != before) == (verb == "robber")
            moves += verb == "robber"
        assert moves > 0


# --- one edition, for good --------------------------------------------------------------------------------------------


@pytest.mark.rule("EDN-01", "EDN-01.e1")
@pytest.mark.parametrize("name", EDITIONS)
def test_the_engine_plays_by_the_values_of_the_edition(name: str) -> None:
    edition_data, state = edition(name), rules_in_force(check_options(edition=name))
    assert EDITIONS[state.edition] == name
    assert (state.points_to_win, state.hand_limit) == (edition_data.victory_points, edition_data.hand_limit_on_seven)
    assert (state.settlement_limit, state.city_limit) == (edition_data.settlement_limit, edition_data.city_limit)
    assert state.road_limit == (72 if edition_data.road_limit is None else edition_data.road_limit)
    assert (state.longest_road_min, state.largest_army_min) == (
        edition_data.longest_road_min,
        edition_data.largest_army_min,
    )
    assert state.separate == (edition_data.phases == "separate")
    assert state.second_road_optional == edition_data.road_building_optional
    timing = ("after_settlement", "after_road", "after_round_two")
    assert timing[state.start_timing] == edition_data.start_resources_timing
    assert state.limit_tiles == edition_data.limit_tiles
    assert [state.points_settlement, state.points_city, state.points_road, state.points_army, state.points_card] == [
        edition_data.points[key] for key in ("settlement", "city", "longest_road", "largest_army", "victory_point_card")
    ]
    assert (state.yield_settlement, state.yield_city) == (
        edition_data.yields["settlement"],
        edition_data.yields["city"],
    )
    assert [state.rate_supply, state.rate_generic, state.rate_special] == list(edition_data.trade_rates.values())
    assert set(unpack(state.supply)) == {edition_data.bank_per_resource}
    assert list(unpack(state.deck)) == list(edition_data.dev_deck.values())
    for i, price_key in enumerate(("road", "settlement", "city", "development")):
        price = dict(zip(RESOURCES, unpack(state.costs[i]), strict=True))
        assert {kind: n for kind, n in price.items() if n} == edition_data.costs[price_key]
    assert (state.friendly_robber, state.balanced_dice) == (0, 0)


@pytest.mark.rule("EDN-01", "EDN-01.e2")
@all_editions
def test_a_saved_game_reloads_with_its_edition_and_goes_on_alike(edition: str) -> None:
    for game, rng in games(edition):
        for _ in range(250):
            carry_out(game, *choose(game, rng))
        text = json.dumps({"options": game.options.as_dict(), "board": game.layout.as_dict()})
        records = pickle.dumps((game.state, game.open_offers, game.belief))
        saved_data = json.loads(text)
        options = check_options(**saved_data["options"])
        assert options == game.options
        assert options.edition == edition
        state, open_offers, belief = pickle.loads(records)  # noqa: S301
        assert (type(state), type(open_offers), type(belief)) == (State, OpenOffers, Belief)
        assert EDITIONS[state.edition] == edition
        restored = Scene(options, game.layout, state)
        restored.open_offers, restored.belief = open_offers, belief
        assert restored.layout.as_dict() == saved_data["board"]
        assert restored.all_bytes() == game.all_bytes()
        game_rng, twin_rng = random.Random(1), random.Random(1)
        for _ in range(60):
            if game.phase == "over":
                break
            carry_out(game, *choose(game, game_rng))
            carry_out(restored, *choose(restored, twin_rng))
            assert restored.all_bytes() == game.all_bytes()


@pytest.mark.rule("EDN-01")
def test_a_state_belongs_to_exactly_one_edition() -> None:
    states = {name: rules_in_force(check_options(edition=name, setup="variable")) for name in EDITIONS}
    assert [states[name].edition for name in EDITIONS] == list(range(len(EDITIONS)))
    assert len({bytes(state.buffer) for state in states.values()}) == len(EDITIONS)
    with pytest.raises(AttributeError):
        check_options(edition="zip").edition = "sixth"  # type: ignore[misc]


# --- open points of the map, in each edition --------------------------------------------------------------------------


@pytest.mark.rule("MAP-01", "MAP-02", "EDN-03")
@all_editions
def test_all_54_corners_and_72_paths_of_the_19_hexes_are_in_play(edition: str) -> None:
    start = opening(edition=edition, setup="variable", first=0)
    assert [sum(hexagon[0] == row for hexagon in start.layout.as_dict()["hexes"]) for row in "ABCDE"] == [3, 4, 5, 4, 3]
    corners = [text for text in legal_texts(start, 0) if text.startswith("settlement ")]
    assert len(corners) == len(start.legal(0)) == 54  # also the 30 at the sea
    paths = set()
    for corner in corners:
        game = start.copy()
        game.play(0, corner)
        paths |= {*legal_texts(game, 0)}
    assert len(paths) == 72
    robber = scene(edition, phase="robber")
    assert len(robber.legal(0)) == 18


@pytest.mark.rule("MAP-11", "MAP-20", "ZIP-02", "EDN-03")
@all_editions
def test_each_harbor_of_the_fixed_board_serves_its_two_corners(edition: str) -> None:
    harbors = {
        "any": "A1nw A1n C5ne C5se E2se E2s E1s E1sw",
        "grain": "A2n A2ne",
        "ore": "B4n B4ne",
        "wool": "D4se D4s",
        "brick": "D1sw D1nw",
        "lumber": "B1sw B1nw",
    }
    rates = {read_corner(place): kind for kind, places in harbors.items() for place in places.split()}
    assert len(rates) == 18
    board = opening(edition=edition).layout
    for corner in range(54):
        four_each = "4 brick 4 lumber 4 wool 4 grain 4 ore"
        game = scene(
            edition, board=board, settlements=by_seat(edition, CORNER_NAMES[corner]), hands=by_seat(edition, four_each)
        )
        better = {text.split(" : ")[0] for text in legal_texts(game, 0) if text.startswith(("supply 3 ", "supply 2 "))}
        kind = rates.get(corner)
        if kind == "any":
            assert better == {f"supply 3 {given_kind}" for given_kind in RESOURCES}
        else:
            assert better == ({f"supply 2 {kind}"} if kind else set())
