"""Zip!: limits and their tiles, the point track, roads without end, the bag, the tray, the beginning."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from hexholm.rules.boards import zip_map
from hexholm.rules.core.nature import decide_outcome
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.encoding.lanes import count_cards, unpack
from hexholm.rules.encoding.structs import CARD_KINDS, TERRAINS
from hexholm.rules.places import COAST, CORNER_HEXES, CORNER_NAMES, CORNER_NEIGHBORS, SIDE_CORNERS, SIDE_NAMES
from hexholm.rules.referee import Referee
from hexholm.rules.setup.editions import EDITIONS, edition
from tests.helpers.edition_table import EDITION_TABLE
from tests.helpers.legal_texts import legal_texts
from tests.helpers.marks import all_editions

from ..scenes import by_seat, opening, scene

RESOURCE = {"hills": "brick", "forest": "lumber", "pasture": "wool", "fields": "grain", "mountains": "ore"}
COAST_NAMES = [SIDE_NAMES[side] for side in COAST]
FIVE = "C3n A1n A3n E1s E3s"
SETTLEMENT_PRICE = "1 brick 1 lumber 1 wool 1 grain"
CITY_PRICE = "2 grain 3 ore"


def tiles(game: Referee) -> list[int]:
    """Who has a limit tile, as everybody sees it."""
    view = game.view(None)
    return [view.limit_tile[seat] for seat in range(game.state.players)]


def track(game: Referee, seat: int = 0) -> int:
    """The point track of a seat, as everybody sees it."""
    views = [game.view(observer) for observer in (0, 1, None)]
    assert len({view.track[seat] for view in views}) == 1
    return views[0].track[seat]


# --- limits -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("ZIP-04", "ZIP-04.e1")
def test_five_settlements_at_one_time_and_an_upgrade_frees_one() -> None:
    game = scene(
        "zip",
        settlements={"black": FIVE},
        roads={"black": "C5/ne"},
        hands={"black": "1 brick 1 lumber 1 wool 3 grain 3 ore"},
    )
    game.refused("black", "settlement C5ne", "SETTLE-05")
    game.play("black", "city A1n")
    game.play("black", "settlement C5ne")
    assert game.points("black") == 5 + 2


@pytest.mark.rule("ZIP-05")
def test_at_most_four_cities() -> None:
    game = scene(
        "zip", settlements={"black": "C3n C5ne"}, cities={"black": "A1n A3n E1s"}, hands={"black": "4 grain 6 ore"}
    )
    game.play("black", "city C3n")
    game.refused("black", "city C5ne", "CITY-04")
    assert "city C5ne" not in legal_texts(game, "black")


@pytest.mark.rule("ZIP-06", "ZIP-06.e1")
def test_the_limit_tile_comes_with_the_fifth_settlement_and_goes_with_an_upgrade() -> None:
    game = scene(
        "zip",
        settlements={"black": "C3n A1n A3n E1s", "blue": "C3s"},
        roads={"black": "C5/ne E3/se"},
        hands={"black": "2 brick 2 lumber 2 wool 4 grain 3 ore"},
    )
    assert tiles(game) == [0, 0, 0, 0]
    game.play("black", "settlement E3s")
    assert tiles(game) == [1, 0, 0, 0]
    game.play("black", "city A1n")
    assert tiles(game) == [0, 0, 0, 0]
    game.play("black", "settlement C5ne")
    assert tiles(game) == [1, 0, 0, 0]


@pytest.mark.rule("ZIP-06")
@pytest.mark.parametrize("name", EDITIONS[1:])
def test_other_editions_have_neither_limit_tiles_nor_a_track(name: str) -> None:
    game = scene(name, settlements=by_seat(name, FIVE), cities=by_seat(name, "", "C5ne C1nw D2n D4se"))
    assert tiles(game) == [0, 0, 0, 0]
    assert [track(game, seat) for seat in range(4)] == [0, 0, 0, 0]
    twin = scene("zip", settlements=by_seat("zip", FIVE), cities=by_seat("zip", "", "C5ne C1nw D2n D4se"))
    assert tiles(twin) == [1, 1, 0, 0]
    assert [track(twin, seat) for seat in range(4)] == [5, 8, 0, 0]


@pytest.mark.rule("ZIP-06.e2")
def test_nobody_can_need_two_tiles() -> None:
    with_cities = scene(
        "zip",
        cities={"black": "A1n A3n E1s E3s"},
        settlements={"black": "C3n"},
        roads={"black": "C5/ne"},
        hands={"black": SETTLEMENT_PRICE},
    )
    assert (with_cities.points("black"), tiles(with_cities)) == (9, [1, 0, 0, 0])
    with_cities.play("black", "settlement C5ne")  # the second settlement beside four cities wins already
    assert with_cities.phase == "over"
    with_settlements = scene(
        "zip", cities={"black": "C5ne C1nw"}, settlements={"black": FIVE}, hands={"black": CITY_PRICE}
    )
    assert (with_settlements.points("black"), tiles(with_settlements)) == (9, [1, 0, 0, 0])
    with_settlements.play("black", "city C3n")  # and so does the third city beside four settlements
    assert with_settlements.phase == "over"
    assert edition("zip").limit_tiles == len(edition("zip").colors)


@pytest.mark.rule("ZIP-07", "ZIP-07.e1")
def test_the_tile_of_the_fourth_city_is_kept_until_the_end() -> None:
    game = scene(
        "zip",
        cities={"black": "A1n A3n E1s"},
        settlements={"black": "E3s", "blue": "C3s"},
        roads={"black": "C3/ne C5/ne"},
        hands={"black": "2 brick 2 lumber 2 wool 4 grain 3 ore"},
    )
    assert tiles(game) == [0, 0, 0, 0]
    game.play("black", "city E3s")
    assert tiles(game) == [1, 0, 0, 0]
    game.play("black", "settlement C3n")
    assert (game.points("black"), tiles(game)) == (9, [1, 0, 0, 0])
    game.next_turn_of("black")
    game.roll(2)
    assert tiles(game) == [1, 0, 0, 0]
    game.play("black", "settlement C5ne")
    assert (game.phase, tiles(game)) == ("over", [1, 0, 0, 0])


# --- the track --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("ZIP-08", "ZIP-08.e1", "EDN-03")
def test_the_track_starts_at_two_and_counts_settlements_and_upgrades() -> None:
    first = opening(edition="zip", first=0)
    assert [track(first, seat) for seat in range(4)] == [2, 2, 2, 2]
    game = scene(
        "zip",
        settlements={"black": "A1n E1s"},
        roads={"black": "C3/ne"},
        hands={"black": "1 brick 1 lumber 1 wool 3 grain 3 ore"},
    )
    assert track(game) == 2
    game.play("black", "settlement C3n")
    assert track(game) == 3
    game.play("black", "city C3n")
    assert track(game) == 4


@pytest.mark.rule("ZIP-08", "ZIP-08.e2")
def test_awards_and_hidden_tiles_are_not_on_the_track_which_never_goes_down() -> None:
    game = scene(
        "zip",
        turn="blue",
        settlements={"black": "C3n A1n", "blue": "D4se"},
        roads={"black": "C3/ne C3/e C3/se C3/sw C3/w", "blue": "D3/ne"},
        played={"black": "3 knight"},
        dev={"black": "2 victory-point"},
        hands={"blue": SETTLEMENT_PRICE},
    )
    assert (game.holder("longest_road"), game.holder("largest_army")) == ("black", "black")
    assert (track(game), game.points("black"), game.total("black")) == (2, 2 + 2 + 2, 8)
    game.play("blue", "settlement D3n")  # the same corner as C3se: it cuts the road of black
    assert game.holder("longest_road") is None
    assert (track(game), game.points("black"), game.total("black")) == (2, 2 + 2, 6)


# --- roads ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("ZIP-09", "ZIP-09.e1", "EDN-03")
@all_editions
def test_the_road_after_the_last(edition: str) -> None:
    limit = EDITION_TABLE[edition]["road_limit"]
    built, more = COAST_NAMES[: limit or 15], COAST_NAMES[limit or 15 :]
    game = scene(edition, roads=by_seat(edition, " ".join(built)), hands=by_seat(edition, "2 brick 2 lumber"))
    if limit is None:
        game.play(0, f"road {more[0]}")
        game.play(0, f"road {more[1]}")
        assert game.length(0) == 17
    else:
        game.refused(0, f"road {more[0]}", "ROAD-06")
        assert not [text for text in legal_texts(game, 0) if text.startswith("road ")]


@pytest.mark.rule("ZIP-09", "ZIP-09.e2")
def test_road_building_fails_only_for_lack_of_a_path() -> None:
    ring = {"black": " ".join(COAST_NAMES)}  # thirty roads
    spokes = [
        SIDE_NAMES[side]
        for side in range(72)
        if side not in COAST and any(len(CORNER_HEXES[c]) < 3 for c in SIDE_CORNERS[side])
    ]
    assert len(spokes) == 12
    free = scene("zip", roads=ring, dev={"black": "1 road-building"})
    free.play("black", "road-building")
    free.play("black", f"road {spokes[0]}")
    free.play("black", f"road {spokes[1]}")
    assert free.phase == "main"
    closed_scene = scene("zip", roads={**ring, "blue": " ".join(spokes)}, dev={"black": "1 road-building"})
    closed_scene.refused("black", "road-building", "DEV-18")
    last = scene(
        "zip",
        roads={**ring, "blue": " ".join(spokes[1:])},
        settlements={"blue": end_inland(spokes[0])},
        dev={"black": "1 road-building"},
    )
    last.play("black", "road-building")
    last.play("black", f"road {spokes[0]}")  # the only path there is; then the card is done
    assert last.phase == "main"


def end_inland(spoke: str) -> str:
    """The inland end of a path from the coast."""
    (corner,) = [c for c in SIDE_CORNERS[SIDE_NAMES.index(spoke)] if len(CORNER_HEXES[c]) == 3]
    return CORNER_NAMES[corner]


@pytest.mark.rule("ZIP-09.e3")
def test_long_chains_count_in_full() -> None:
    for n in (16, 20, 30):
        game = scene("zip", roads={"black": " ".join(COAST_NAMES[:n]), "blue": "C3/ne"})
        assert (game.length("black"), game.holder("longest_road")) == (n, "black")
        assert game.view(None).road_length[0] == n
    rival = scene("zip", turn="blue", roads={"blue": " ".join(COAST_NAMES[:16])}, hands={"blue": "1 brick 1 lumber"})
    rival.play("blue", f"road {COAST_NAMES[16]}")
    assert rival.length("blue") == 17


# --- the bag and the tray ---------------------------------------------------------------------------------------------


@pytest.mark.rule("ZIP-10", "ZIP-10.e1")
def test_each_tile_left_in_the_bag_is_equally_likely() -> None:
    game = scene("zip", hands={"black": "1 wool 1 grain 1 ore"}, dev={"blue": "10 knight 1 monopoly"})
    game.play("black", "buy")
    odds = {game.action_text(code).removeprefix("drawn "): 14 * chance for code, chance in game.chance().items()}
    assert odds == {"knight": 4, "victory-point": 5, "road-building": 2, "year-of-plenty": 2, "monopoly": 1}
    card_counts = Counter(act.parameter_of(decide_outcome(game.state, key, 0)) for key in range(7000))
    for kind, name in enumerate(CARD_KINDS):
        assert abs(card_counts[kind] - 500 * odds[name]) < 130  # three standard deviations at most


@pytest.mark.rule("ZIP-10")
def test_drawn_tiles_never_go_back() -> None:
    game = scene("zip", dev={"black": "1 knight"}, hands={"black": "10 wool 10 grain 10 ore"})
    for tiles_left in range(23, 17, -1):
        game.buy("black", "knight")
        assert count_cards(game.state.deck) == tiles_left
    game.play("black", "knight")
    game.play("black", "robber A1")
    assert count_cards(game.state.deck) == 18
    game.next_turn_of("black")
    assert count_cards(game.state.deck) == 18
    last = scene("zip", dev={"black": "1 knight"}, deck="1 monopoly", hands={"black": "2 wool 2 grain 2 ore"})
    last.play("black", "knight")
    last.play("black", "robber A1")
    last.buy("black", "monopoly")
    last.refused("black", "buy", "DEV-08")  # the played knight is not in the bag again


@pytest.mark.rule("ZIP-11")
def test_resources_lie_hidden_in_the_tray() -> None:
    game = scene("zip", hands={"black": "2 ore 1 wool", "blue": "3 brick"})
    for observer in (1, 2, None):
        view = game.view(observer)
        assert (view.hand[0], view.hand_size[0]) == (0, 3)
    assert unpack(game.view(0).hand[0]) == (0, 0, 1, 0, 2)


@pytest.mark.rule("ZIP-11")
@pytest.mark.parametrize("resources", [7, 8])
def test_development_tiles_do_not_count_for_the_tray_on_a_seven(resources: int) -> None:
    game = scene(
        "zip",
        phase="roll",
        hands={"black": f"{resources} ore", "blue": "7 wool"},
        dev={"black": "5 knight", "blue": "9 knight"},
    )
    game.roll(7)
    if resources == 7:
        assert game.phase == "robber"
    else:
        assert (game.phase, game.to_act(), game.state.owed[0]) == ("discard", [0], 4)


# --- the beginning ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("ZIP-02", "ZIP-02.e1", "ZIP-02.e2", "EDN-03")
@pytest.mark.parametrize("players", [3, 4])
def test_on_the_first_map_play_begins_at_once(players: int) -> None:
    game = opening(edition="zip", players=players)
    assert game.options.map == 1
    for _ in range(players - 1):
        game.deal("dice 1 1")
    game.deal("dice 6 6")
    assert (game.phase, game.state.active) == ("roll", players - 1)  # no placement rounds
    listed_texts = {
        "black": {"brick": 0, "lumber": 1, "wool": 1, "grain": 0, "ore": 1},
        "blue": {"brick": 1, "lumber": 1, "wool": 0, "grain": 0, "ore": 1},
        "green": {"brick": 0, "lumber": 0, "wool": 0, "grain": 2, "ore": 1},
        "red": {"brick": 0, "lumber": 2, "wool": 0, "grain": 1, "ore": 0},
    }
    assert all(game.hand(color) == listed_texts[color] for color in game.colors)


@pytest.mark.rule("ZIP-12", "SETUP-02")
@pytest.mark.parametrize("map_number", [1, 9])
def test_the_highest_roll_of_a_seat_begins_whatever_color_it_takes(map_number: int) -> None:
    assert dict(edition("zip").color_choice) == {"fixed": "after_first_player", "variable": "after_first_player"}
    for colors in (("black", "blue", "green", "red"), ("red", "green", "black", "blue")):
        game = opening(edition="zip", map=map_number, colors=colors)
        for pair in ("2 3", "5 6", "5 5", "1 2"):
            assert game.phase == "start roll"
            game.deal(f"dice {pair}")
        assert game.state.first == game.state.active == 1
    with pytest.raises(ValueError, match="highest roll"):
        opening(edition="zip", map=map_number, ages=[10, 20, 30, 40])


@pytest.mark.rule("ZIP-13", "ZIP-01", "SETUP-11", "SETUP-12", "SETUP-13", "SETUP-16")
@pytest.mark.parametrize("map_number", range(2, 51))
def test_placement_on_the_other_maps(map_number: int) -> None:
    players = 3 + map_number % 2
    rng = random.Random(map_number)
    game = opening(edition="zip", map=map_number, players=players, first=0)
    assert game.layout is zip_map(map_number)
    order, corners = [], []
    while game.phase == "settlement":
        seat = game.state.active
        code = rng.choice(game.legal(seat))
        corner = act.parameter_of(code)
        assert not any(near in corners for near in (corner, *CORNER_NEIGHBORS[corner]))
        game.play(seat, code)
        order.append(seat)
        corners.append(corner)
        assert not any(game.size(each_seat) for each_seat in range(players))  # resources come after round two
        road = rng.choice(game.legal(seat))
        assert corner in SIDE_CORNERS[act.parameter_of(road)]
        game.play(seat, road)
    assert order == [*range(players), *reversed(range(players))]
    assert (game.phase, game.state.active) == ("roll", 0)
    for seat, corner in zip(order[players:], corners[players:], strict=True):
        terrains = [TERRAINS[game.layout.board.terrain[h]] for h in CORNER_HEXES[corner]]
        expected = Counter(RESOURCE[terrain] for terrain in terrains if terrain != "desert")
        assert {kind: n for kind, n in game.hand(seat).items() if n} == expected
