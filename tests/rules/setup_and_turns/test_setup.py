"""Before the first turn: colors, the supply, who begins, and the fixed set-up."""

from __future__ import annotations

import itertools

import pytest

from hexholm.rules.boards import BadBoard, beginner_layout, read_board_data, zip_map
from hexholm.rules.encoding.lanes import count_cards, unpack
from hexholm.rules.encoding.structs import CARD_KINDS, DESERT
from hexholm.rules.places import CORNER_ID, HALF, SIDE_ID
from hexholm.rules.setup.editions import EDITIONS, edition
from hexholm.rules.setup.options import BadOptions
from tests.helpers.edition_table import EDITION_TABLE, WITH_A_ROAD_LIMIT, editions_with
from tests.helpers.legal_texts import legal_texts
from tests.helpers.marks import all_editions

from ..scenes import Scene, by_seat, opening, scene, set_hand

BY_AGE, BY_ROLL = editions_with(first_player_fixed="oldest"), editions_with(first_player_fixed="highest_roll")
REMOVED = {name: removed for name, entry in EDITION_TABLE.items() if (removed := entry["three_player_removed_color"])}
# Start pieces of the beginners' board: settlement and road, then the marked settlement and its road.
START = {
    "red": ("B2n B2/ne", "D1n D1/ne"),
    "blue": ("E3n D3/e", "E1n E1/ne"),
    "orange": ("B3ne B3/ne", "E2n E2/ne"),
    "white": ("C2n C2/nw", "D4n C4/e"),
}
HANDS = {
    "red": {"brick": 0, "lumber": 2, "wool": 0, "grain": 1, "ore": 0},
    "blue": {"brick": 1, "lumber": 1, "wool": 0, "grain": 0, "ore": 1},
    "orange": {"brick": 0, "lumber": 0, "wool": 0, "grain": 2, "ore": 1},
    "white": {"brick": 0, "lumber": 1, "wool": 1, "grain": 0, "ore": 1},
}
AS_ZIP = {"green": "orange", "black": "white"}  # ZIP-02: the zip colors on the beginners' board


def classic(color: str) -> str:
    """The color whose places on the beginners' board a color has."""
    return AS_ZIP.get(color, color)


def pieces_of(game: Scene, seat: int) -> tuple[int, int]:
    """Settlements and roads of a seat as sets."""
    state = game.state
    return state.settlements[seat], state.roads_lo[seat] | state.roads_hi[seat] << HALF


def prescribed(color: str) -> tuple[int, int]:
    pairs = [text.split() for text in START[classic(color)]]
    return sum(1 << CORNER_ID[corner] for corner, _ in pairs), sum(1 << SIDE_ID[road] for _, road in pairs)


def roll_off(game: Scene, *totals: int) -> None:
    """Starting rolls, in the order in which they are asked for."""
    for number in totals:
        assert game.phase == "start roll"
        game.deal(f"dice {max(1, number - 6)} {number - max(1, number - 6)}")


# --- colors, supply, robber ------------------------------------------------------------------------------------------


@pytest.mark.rule("SETUP-02", "SETUP-02.e1")
@pytest.mark.parametrize("name", EDITIONS)
def test_each_player_has_a_color_of_the_own_with_its_pieces(name: str) -> None:
    for colors in itertools.permutations(edition(name).colors):
        game = opening(edition=name, colors=colors, first=0)
        assert game.colors == colors
        for seat, color in enumerate(colors):
            assert game.seat(color) == seat
            assert pieces_of(game, seat) == prescribed(color)
    first, second, third, _ = edition(name).colors
    with pytest.raises(BadOptions, match=r"chosen twice.*SETUP-02"):
        opening(edition=name, colors=[first, second, third, first])


@pytest.mark.rule("SETUP-02")
def test_when_colors_are_chosen() -> None:
    choice = {name: (edition(name).color_choice["fixed"], edition(name).color_choice["variable"]) for name in EDITIONS}
    before, after = "before_first_player", "after_first_player"
    assert choice.pop("zip") == (after, after)
    assert choice.pop("sixth") == (before, after)
    assert set(choice.values()) == {(before, before)}


@pytest.mark.rule("SETUP-03", "COMP-03", "COMP-04")
@pytest.mark.parametrize("players", [3, 4])
@all_editions
def test_the_supply_before_the_first_piece(edition: str, players: int) -> None:
    game = opening(edition=edition, setup="variable", players=players)
    assert set(game.supply().values()) == {19}
    assert dict(zip(CARD_KINDS, unpack(game.state.deck), strict=True)) == {
        "knight": 14,
        "victory-point": 5,
        "road-building": 2,
        "year-of-plenty": 2,
        "monopoly": 2,
    }
    assert game.holder("longest_road") is None
    assert game.holder("largest_army") is None
    assert [game.size(seat) + game.points(seat) for seat in range(players)] == [0] * players


@pytest.mark.rule("SETUP-03", "SETUP-03.e1")
@all_editions
def test_the_next_development_card_is_random_and_unknown_to_all(edition: str) -> None:
    game = scene(edition, hands=by_seat(edition, "1 wool 1 grain 1 ore"))
    for observer in (0, 1, 2, 3, None):
        view = game.view(observer)
        assert (view.deck, view.deck_size) == (0, 25)
    game.play(0, "buy")
    odds = {game.action_text(code): chance for code, chance in game.chance().items()}
    assert {text: 25 * chance for text, chance in odds.items()} == {
        "drawn knight": 14,
        "drawn victory-point": 5,
        "drawn road-building": 2,
        "drawn year-of-plenty": 2,
        "drawn monopoly": 2,
    }
    for text in odds:  # no order is fixed beforehand: each can be the next
        copy = game.copy()
        copy.deal(text)
        assert copy.development(0)[text.split()[1]] == 1


@pytest.mark.rule("SETUP-04")
@all_editions
def test_the_robber_starts_on_the_desert(edition: str) -> None:
    for seed in range(12):
        game = opening(board_seed=seed, edition=edition, setup="variable")
        assert game.state.terrain[game.state.robber] == DESERT
        assert game.state.robber == game.layout.desert
    game = opening(edition=edition, setup="fixed")
    assert game.state.terrain[game.state.robber] == DESERT


@pytest.mark.rule("SETUP-04.e1")
def test_a_zip_map_without_a_desert_is_invalid() -> None:
    data = zip_map(7).as_dict()
    desert = next(name for name, (terrain, _) in data["hexes"].items() if terrain == "desert")
    data["hexes"][desert] = ["hills", 5]
    with pytest.raises(BadBoard) as error:
        read_board_data(data)
    assert "SETUP-04" in [rule for rule, _ in error.value.faults]


# --- who begins -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("SETUP-05", "SETUP-05.e1", "EDN-03")
@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("name", BY_AGE)
def test_on_the_fixed_board_the_oldest_player_begins(name: str, players: int) -> None:
    for oldest in range(players):
        game = opening(edition=name, players=players, ages=[60 if seat == oldest else 20 for seat in range(players)])
        assert (game.phase, game.state.active, game.state.first) == ("roll", oldest, oldest)
        game.play(oldest, "roll")


@pytest.mark.rule("SETUP-05.e1", "SETUP-05")
@pytest.mark.parametrize("name", BY_AGE)
def test_without_ages_the_starter_is_named_rolled_for_or_seat_one(name: str) -> None:
    for first in range(4):
        assert opening(edition=name, first=first).state.active == first
    roll_game = opening(edition=name, first="roll")
    roll_off(roll_game, 4, 5, 9, 8)
    assert (roll_game.phase, roll_game.state.first) == ("roll", 2)
    silent = opening(edition=name)
    assert (silent.phase, silent.state.active) == ("roll", 0)
    record = silent.options.as_dict()
    assert (record["ages"], record["first"], silent.options.starter()) == (None, None, 0)
    assert silent.options.who_begins() == f"{silent.colors[0]}, in seat 1, because no ages are known"
    assert roll_game.options.who_begins() == f"highest roll of {', '.join(roll_game.colors)}"
    assert (
        opening(edition=name, first=2).options.who_begins() == f"{roll_game.colors[2]}, named when the game was created"
    )
    old = opening(edition=name, ages=[20, 60, 30, 10])
    assert old.options.who_begins() == f"{old.colors[1]}, the oldest"


@pytest.mark.rule("SETUP-05")
@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("name", BY_ROLL)
def test_on_the_fixed_board_of_zip_and_sixth_the_highest_roll_begins(name: str, players: int) -> None:
    game = opening(edition=name, players=players)
    assert (game.phase, game.to_act()) == ("start roll", [])
    assert [game.size(seat) for seat in range(players)] == [3] * players  # pieces and cards lie before the roll
    assert [game.points(seat) for seat in range(players)] == [2] * players
    roll_off(game, *[6, 11, 7, 3][:players])
    assert (game.phase, game.state.active, game.state.first) == ("roll", 1, 1)
    with pytest.raises(BadOptions, match="SETUP-05"):
        opening(edition=name, players=players, ages=[20] * players)


@pytest.mark.rule("SETUP-06")
@pytest.mark.parametrize("players", [3, 4])
@all_editions
def test_in_the_variable_setup_the_highest_roll_begins(edition: str, players: int) -> None:
    for best in range(players):
        game = opening(edition=edition, setup="variable", players=players)
        assert len(game.chance()) == 36
        roll_off(game, *[12 if seat == best else 3 + seat for seat in range(players)])
        assert (game.phase, game.state.active, game.state.first, game.to_act()) == ("settlement", best, best, [best])
    with pytest.raises(BadOptions, match="SETUP-06"):
        opening(edition=edition, setup="variable", ages=[20, 30, 40, 50])


@pytest.mark.rule("SETUP-06")
def test_every_player_rolls_both_dice_once() -> None:
    game = opening(edition="sixth", setup="variable")
    for seat, pair in enumerate(["6 5", "6 4", "1 1", "5 5"]):
        assert (game.phase, game.state.active) == ("start roll", seat)
        game.deal(f"dice {pair}")
    assert game.state.first == 0  # eleven; the later ten and the earlier die of six do not matter


@pytest.mark.rule("SETUP-07", "EDN-03")
@all_editions
def test_a_tie_for_the_highest_roll_is_rolled_again_among_the_tied(edition: str) -> None:
    game = opening(edition=edition, setup="variable")
    roll_off(game, 5, 9, 8, 9)
    assert (game.phase, game.state.active) == ("start roll", 1)
    roll_off(game, 4, 3)  # seats 1 and 3 only; lower than before, and still decides
    assert (game.phase, game.state.first) == ("settlement", 1)


@pytest.mark.rule("SETUP-07", "SETUP-07.e1")
@all_editions
def test_repeated_ties(edition: str) -> None:
    game = opening(edition=edition, setup="variable")
    roll_off(game, 10, 10, 2, 10)
    roll_off(game, 6, 6, 4)  # seats 0, 1 and 3: the last is out
    roll_off(game, 7, 7)
    roll_off(game, 2, 2)
    roll_off(game, 2, 3)
    assert (game.phase, game.state.first) == ("settlement", 1)


@pytest.mark.rule("SETUP-07.e2")
@pytest.mark.parametrize("players", [3, 4])
@all_editions
def test_all_players_tied(edition: str, players: int) -> None:
    game = opening(edition=edition, setup="variable", players=players)
    roll_off(game, *[7] * players)
    assert (game.phase, game.state.active) == ("start roll", 0)
    roll_off(game, *range(3, 3 + players))
    assert (game.phase, game.state.first) == ("settlement", players - 1)


@pytest.mark.rule("SETUP-07", "SETUP-05.e2", "EDN-03")
@pytest.mark.parametrize("name", BY_AGE)
def test_equally_old_players_roll(name: str) -> None:
    game = opening(edition=name, ages=[40, 71, 12, 71])
    assert (game.phase, game.state.active) == ("start roll", 1)
    roll_off(game, 8, 8)
    roll_off(game, 5, 6)
    assert (game.phase, game.state.active, game.state.first) == ("roll", 3, 3)


# --- the fixed set-up -------------------------------------------------------------------------------------------------


@pytest.mark.rule("SETUP-08")
@pytest.mark.parametrize("players", [3, 4])
@all_editions
def test_two_settlements_and_two_roads_of_every_playing_color(edition: str, players: int) -> None:
    game = opening(edition=edition, players=players, first=1)
    assert game.phase == "roll"
    for seat, color in enumerate(game.colors):
        assert pieces_of(game, seat) == prescribed(color)
        assert game.state.cities[seat] == 0
    for seat in range(players, 4):
        assert pieces_of(game, seat) == (0, 0)


@pytest.mark.rule("SETUP-08.e1", "COMP-05.e1")
@pytest.mark.parametrize("name", WITH_A_ROAD_LIMIT)
def test_all_roads_but_two_remain(name: str) -> None:
    game = opening(edition=name, first=0)
    game.roll(2)
    piece_count = 0
    while piece_count < EDITION_TABLE[name]["road_limit"] - 2:
        set_hand(game, 0, "1 brick 1 lumber")
        game.play(0, next(text for text in legal_texts(game, 0) if text.startswith("road ")))
        piece_count += 1
    set_hand(game, 0, "1 brick 1 lumber")
    assert not [text for text in legal_texts(game, 0) if text.startswith("road ")]
    free = next(side for side in range(72) if (game.state.paths_lo[0] | game.state.paths_hi[0] << HALF) >> side & 1)
    game.refused(0, f"road {next(text for text, side in SIDE_ID.items() if side == free)}", "ROAD-06")


@pytest.mark.rule("SETUP-08.e1", "COMP-05.e1")
@all_editions
def test_three_settlements_remain(edition: str) -> None:
    game = opening(edition=edition, first=0)
    game.roll(2)
    settlements = 0
    while settlements < 3:
        set_hand(game, 0, "1 brick 1 lumber 1 wool 1 grain")
        legal = legal_texts(game, 0)
        sites = [text for text in legal if text.startswith("settlement ")]
        game.play(0, sites[0] if sites else next(text for text in legal if text.startswith("road ")))
        settlements += bool(sites)
    while not (free := game.state.sites & game.state.reach[0]):
        set_hand(game, 0, "1 brick 1 lumber")
        game.play(0, next(text for text in legal_texts(game, 0) if text.startswith("road ")))
    set_hand(game, 0, "1 brick 1 lumber 1 wool 1 grain")
    site = next(text for text, corner in CORNER_ID.items() if free >> corner & 1)
    game.refused(0, f"settlement {site}", "SETTLE-05")


@pytest.mark.rule("SETUP-09", "SETUP-09.e1", "EDN-03")
@pytest.mark.parametrize("name", REMOVED)
def test_with_three_players_one_color_is_left_out(name: str) -> None:
    removed = REMOVED[name]
    seat_colors = [color for color in edition(name).colors if color != removed]
    for colors in itertools.permutations(seat_colors):
        game = opening(edition=name, players=3, first=0, colors=colors)
        assert game.state.buildings & prescribed(removed)[0] == 0
        assert game.state.buildings == sum(prescribed(color)[0] for color in seat_colors)
    for other_colors in itertools.combinations(seat_colors, 2):
        with pytest.raises(BadOptions, match=rf"{removed} is left out.*SETUP-09"):
            opening(edition=name, players=3, colors=[removed, *other_colors])


@pytest.mark.rule("SETUP-09", "EDN-03")
def test_with_three_players_in_zip_the_places_of_the_color_nobody_took_stay_empty() -> None:
    for colors in itertools.permutations(edition("zip").colors, 3):
        game = opening(edition="zip", players=3, first=0, colors=colors)
        (unused_color,) = set(edition("zip").colors) - set(colors)
        assert game.state.buildings == sum(prescribed(color)[0] for color in colors)
        assert game.state.buildings & prescribed(unused_color)[0] == 0


@pytest.mark.rule("SETUP-09.e2", "SETUP-09.e3")
@pytest.mark.parametrize("name", EDITIONS)
def test_four_players_and_the_variable_setup_leave_no_color_out(name: str) -> None:
    colors = edition(name).colors
    game = opening(edition=name, players=4, first=0)
    assert game.colors == colors
    assert game.state.buildings == sum(prescribed(color)[0] for color in colors)
    for seat_colors in itertools.permutations(colors, 3):
        assert opening(edition=name, setup="variable", players=3, colors=seat_colors).colors == seat_colors


@pytest.mark.rule("SETUP-10", "SETUP-10.x1", "SETUP-10.e1", "SETUP-10.e2", "COMP-03.e2", "EDN-03")
@all_editions
def test_start_resources_of_the_fixed_board(edition: str) -> None:
    game = opening(edition=edition, first=0)
    for seat, color in enumerate(game.colors):
        assert game.hand(seat) == HANDS[classic(color)]
    assert game.hand("blue") == {"brick": 1, "lumber": 1, "wool": 0, "grain": 0, "ore": 1}
    assert game.supply() == {"brick": 18, "lumber": 15, "wool": 18, "grain": 16, "ore": 16}


@pytest.mark.rule("SETUP-10", "SETUP-10.e3", "COMP-03.e2")
@pytest.mark.parametrize("name", BY_AGE)
def test_supply_after_dealing_to_three_without_red(name: str) -> None:
    game = opening(edition=name, players=3, first=0)
    assert all(game.hand(color) == HANDS[color] for color in ("blue", "white", "orange"))
    assert game.supply() == {"brick": 18, "lumber": 17, "wool": 18, "grain": 17, "ore": 16}


@pytest.mark.rule("SETUP-10", "SETUP-10.e4", "COMP-03.e2")
def test_supply_after_dealing_to_three_without_white() -> None:
    game = opening(edition="sixth", players=3, first=0)
    assert all(game.hand(color) == HANDS[color] for color in ("red", "blue", "orange"))
    assert game.supply() == {"brick": 18, "lumber": 16, "wool": 19, "grain": 16, "ore": 17}


# --- points and secrets -----------------------------------------------------------------------------------------------


@pytest.mark.rule("SETUP-18", "SETUP-18.e1", "EDN-03")
@pytest.mark.parametrize("name", EDITIONS)
def test_eight_points_beyond_the_two_start_settlements_are_needed(name: str) -> None:
    board = zip_map(1) if name == "zip" else beginner_layout()
    start = opening(edition=name, first=0)
    assert [start.points(seat) for seat in range(4)] == [2, 2, 2, 2]
    own_corners = [pair.split()[0] for pair in START[classic(edition(name).colors[0])]]
    game = scene(
        name,
        setup="fixed",
        board=board,
        hands=by_seat(name, "4 grain 6 ore"),
        dev=by_seat(name, "4 victory-point"),
        played=by_seat(name, "3 knight"),
    )
    assert game.total(0) == 2 + 6
    game.play(0, f"city {own_corners[0]}")
    assert (game.total(0), game.phase) == (9, "main")  # seven more are not enough
    game.play(0, f"city {own_corners[1]}")
    assert (game.total(0), game.phase, game.winner) == (10, "over", 0)


@pytest.mark.rule("SETUP-19", "SETUP-19.e1")
@all_editions
def test_start_resources_are_hidden_and_can_be_deduced(edition: str) -> None:
    game = opening(edition=edition, first=0)
    for observer in (0, 1, 2, 3, None):
        view = game.view(observer)
        for seat in range(4):
            assert view.hand[seat] == (game.state.hand[seat] if seat == observer else 0)
            assert view.hand_size[seat] == 3 == count_cards(game.state.hand[seat])
        assert view.worlds == 1
        assert [view.world_hand[0, seat] for seat in range(4)] == [game.state.hand[seat] for seat in range(4)]
