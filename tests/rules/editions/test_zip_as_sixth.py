"""Everything else in Zip! equals the sixth edition: the same scenes and the same games go the same way (ZIP-14)."""

from __future__ import annotations

import random

import pytest

from hexholm.rules.boards import zip_map
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.encoding.structs import State
from hexholm.rules.initial_state import rules_in_force
from hexholm.rules.reasons import IllegalAction
from hexholm.rules.setup.editions import edition
from hexholm.rules.setup.options import check_options
from tests.helpers.random_play import carry_out, choose
from tests.helpers.speed import COMPILED

from ..scenes import Scene, by_seat, opening, scene
from ..turns import BY_SEAT, EARLY, PIECES, Position, do

BOTH = ("zip", "sixth")


def alike(state: State) -> bytes:
    """A state without the fields in which zip and sixth differ: name, colors, road limit, limit tiles."""
    copy = state.copy()
    copy.edition = copy.road_limit = copy.limit_tiles = 0
    for seat in range(4):
        copy.color[seat] = 0
    return bytes(copy.buffer)


def comparable(game: Scene) -> tuple[object, ...]:
    """All of a game that must be the same in both."""
    return alike(game.state), game.open_offers, game.belief, game.to_act(), [game.legal(seat) for seat in range(4)]


def roads(game: Scene, seat: int) -> int:
    return game.state.roads_lo[seat].bit_count() + game.state.roads_hi[seat].bit_count()


@pytest.mark.rule("ZIP-14", "EDN-01")
def test_the_rules_in_force_differ_in_the_road_limit_and_the_limit_tiles_only() -> None:
    zip_one, sixth_one = (rules_in_force(check_options(edition=name, setup="variable")) for name in BOTH)
    different = {
        name
        for name, field in State.fields.items()
        if not field.shape and getattr(zip_one, name) != getattr(sixth_one, name)
    }
    assert different == {"edition", "road_limit", "limit_tiles"}
    assert alike(zip_one) == alike(sixth_one)


# --- scenes -----------------------------------------------------------------------------------------------------------

# Acts as in turns.do; a minus sign before an act says that it is refused. Words are those of both books: wood, wheat,
# Invention. The last column is what must have come of it: `seat kind count`, `seat points n`, a phase, a holder.
AT_HARBORS: Position = {"settlements": ("B4ne A1n", "C3s", "D1n", "E3n"), "hands": ("2 ore 3 wool",)}
SEVEN = (
    "0 roll; ! dice 3 4; -2 discard 3 brick; -0 robber A1; 0 discard 4 ore; -1 discard 5 wool; 1 discard 4 wool;"
    " -0 robber C3"
)
BAD_OFFERS = "-0 offer 1 ore : nothing to @1; -0 offer 1 ore : 1 ore 1 wood to @1; -1 offer 1 wood : 1 ore to @2"
CHOICE = "0 offer 1 ore : 1 wood to @1 @2; 1 accept #1; 2 accept #1; 0 confirm #1 @2"
SCENES: dict[str, tuple[Position, str, str]] = {
    "production": (EARLY, "0 roll; ! dice 5 6", "0 lumber 0; 2 lumber 1; main"),
    "robbed hex": (EARLY | {"robber": "C2"}, "0 roll; ! dice 5 6", "2 lumber 0; main"),
    "city": (EARLY | {"cities": ("", "", "C1nw")}, "0 roll; ! dice 3 6", "2 grain 3"),
    "shortage for two": (
        EARLY | {"settlements": ("D3n", "D3s"), "bank": "1 grain"},
        "0 roll; ! dice 1 3",
        "0 grain 0; 1 grain 0",
    ),
    "shortage for one": (
        EARLY | {"settlements": ("D3n",), "cities": ("D3s",), "bank": "2 grain"},
        "0 roll; ! dice 1 3",
        "0 grain 2",
    ),
    "seven": (
        EARLY | {"hands": ("8 ore", "9 wool", "7 brick", "")},
        f"{SEVEN}; 0 robber D3; -0 end; 0 steal @1; ! stolen wool; 0 end",
        "0 ore 4; 0 wool 1; 1 wool 4; 2 brick 7; roll",
    ),
    "victim without cards": (EARLY, "0 roll; ! dice 3 4; 0 robber D3; 0 steal @3", "3 ore 0; main"),
    "no victim": (EARLY, "0 roll; ! dice 3 4; 0 robber A1; -0 steal @1", "main"),
    "knight before the roll": (
        EARLY | {"dev": ("2 knight",), "hands": ("", "", "1 ore")},
        "0 knight; -0 roll; 0 robber C1; ! stolen ore; -0 knight; 0 roll; ! dice 1 1; -0 knight",
        "0 ore 1; main",
    ),
    "largest army": (
        {"dev": ("1 knight",), "played": ("2 knight",)},
        "0 knight; 0 robber A1",
        "largest_army 0; 0 points 3",
    ),
    "road building without waiving": (
        {"dev": ("1 road-building",)},
        "0 road building; -0 waive; 0 road C3/e; -0 waive; -0 end; 0 road C3/se; 0 end",
        "roll",
    ),
    "invention": ({"dev": ("1 year-of-plenty",)}, "0 invention wood wheat", "0 lumber 1; 0 grain 1"),
    "invention with a short supply": (
        {"dev": ("1 year-of-plenty",), "bank": "1 lumber"},
        "-0 invention wood wheat; -0 invention wood wood; 0 invention wood",
        "0 lumber 1",
    ),
    "monopoly": (
        {"dev": ("1 monopoly",), "hands": ("1 grain", "2 grain 1 ore", "3 grain")},
        "0 monopoly wheat",
        "0 grain 6; 1 grain 0; 1 ore 1",
    ),
    "trade": (
        {"hands": ("1 ore 1 wool", "2 lumber", "1 lumber")},
        f"{BAD_OFFERS}; {CHOICE}; 1 offer 2 wood : 1 wool to @0; 0 accept #1",
        "0 lumber 3; 1 wool 1; 2 ore 1",
    ),
    "ports": (
        AT_HARBORS,
        "-0 supply 2 wool : 1 brick; -0 supply 2 ore : 1 ore; 0 supply 2 ore : 1 brick; 0 supply 3 wool : 1 wood",
        "0 brick 1; 0 lumber 1; 0 wool 0",
    ),
    "port in the turn it is built": (
        {"hands": ("1 brick 1 lumber 1 wool 1 grain 2 ore",)},
        "0 settlement B4ne; 0 supply 2 ore : 1 brick",
        "0 brick 1; 0 points 2",
    ),
    "build, trade, build": (
        {"hands": ("5 brick 1 lumber",)},
        "0 road C3/e; 0 supply 4 brick : 1 wood; -0 road C3/se; 0 end",
        "0 lumber 1; roll",
    ),
    "longest route cut": (
        {
            "turn": 1,
            "roads": ("C3/ne C3/e C3/se C3/sw C3/w", "D3/ne", "A1/nw A1/ne A2/nw A2/ne A3/nw"),
            "settlements": ("C3n", "D4se"),
            "longest_road": 0,
            "hands": ("", "1 brick 1 lumber 1 wool 1 grain"),
        },
        "-1 settlement A1n; 1 settlement C3se",
        "longest_road 2; 0 points 1; 2 points 2",
    ),
    "longest route cut and tied": (
        {
            "turn": 1,
            "roads": ("C3/ne C3/e C3/se C3/sw C3/w", "D3/ne"),
            "settlements": ("C3n", "D4se"),
            "hands": ("", "1 brick 1 lumber 1 wool 1 grain"),
        },
        "1 settlement C3se",
        "longest_road nobody; 0 points 1",
    ),
    "card bought this turn": (
        {"hands": ("2 wool 2 grain 2 ore",)},
        "0 buy; -0 end; ! drawn knight; -0 knight; 0 buy; ! drawn victory-point; 0 end",
        "0 points 1; roll",
    ),
    "win": (
        {"cities": ("A1n A3n E1s",), "dev": ("2 victory-point",), "hands": ("2 grain 3 ore",)},
        "0 city C3n; -0 end; -1 roll",
        "over; 0 points 8",
    ),
    "win before rolling": (
        {"turn": 3, "cities": ("A1n A3n E1s D4se",), "dev": ("1 victory-point",)},
        "3 end",
        "over; 0 points 9",
    ),
}


def outcome_of(game: Scene, claim: str) -> bool:
    """Whether a claim of the last column holds."""
    match claim.split():
        case [seat, "points", n]:
            return game.points(int(seat)) == int(n)
        case [seat, kind, n]:
            return game.hand(int(seat))[kind] == int(n)
        case [award, "nobody"]:
            return game.holder(award) is None
        case [award, seat]:
            return game.holder(award) == game.colors[int(seat)]
        case _:
            return game.phase == claim


@pytest.mark.rule("ZIP-14", "ZIP-14.e1")
@pytest.mark.parametrize("title", SCENES)
def test_a_scene_goes_the_same_way_in_zip_and_sixth(title: str) -> None:
    start_position, acts, claims = SCENES[title]
    games = []
    for name in BOTH:
        position: Position = {
            key: by_seat(name, *value) if key in BY_SEAT else value for key, value in (PIECES | start_position).items()
        }
        games.append(scene(name, **position))
    assert games[0].colors != games[1].colors
    for text in acts.split("; "):
        reasons = []
        for game in games:
            if text.startswith("-"):
                with pytest.raises(IllegalAction) as error:
                    do(game, text[1:])
                reasons.append(error.value.reason.name)
            else:
                do(game, text)
        assert len(set(reasons)) <= 1
        assert comparable(games[0]) == comparable(games[1])
    for claim in claims.split("; "):
        assert all(outcome_of(game, claim) for game in games), claim


@pytest.mark.rule("ZIP-14.e1")
def test_the_words_are_those_of_the_sixth_edition_but_for_tiles_trays_and_pens() -> None:
    zip_one, sixth_one = (dict(edition(name).words) for name in BOTH)
    assert {key for key in zip_one.keys() | sixth_one.keys() if zip_one.get(key) != sixth_one.get(key)} == {
        "development_card",
        "resource_card",
        "cost_reference",
        "fixed_setup",
        "variable_setup",
        "hand",
        "put",
    }
    assert edition("zip").turn_parts == edition("sixth").turn_parts


# --- whole games ------------------------------------------------------------------------------------------------------


def same_start(seed: int, players: int) -> tuple[Scene, Scene]:
    """A game of each edition with the same hexes and the same places for each seat."""
    if seed % 2 == 0:
        board = zip_map(seed + 2)
        zip_one, sixth_one = (opening(board, edition=name, setup="variable", players=players) for name in BOTH)
        return zip_one, sixth_one
    pens, pieces = ["black", "blue", "green", "red"], ["white", "blue", "orange", "red"]
    return (
        opening(edition="zip", players=players, colors=pens[-players:]),
        opening(edition="sixth", players=players, colors=pieces[-players:]),
    )


@pytest.mark.no_cover  # as in tests/conftest.py: tracing takes most of the time, and other tests trace these lines
@pytest.mark.rule("ZIP-14", "ZIP-14.e1", "ZIP-08.e2", "ZIP-06.e2")
@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("seed", range(8 if COMPILED else 2))
def test_a_random_game_goes_the_same_way_in_zip_and_sixth(seed: int, players: int) -> None:
    rng = random.Random(seed)
    zip_one, sixth_one = same_start(seed, players)
    highest = [0] * players
    while zip_one.phase != "over":
        assert alike(zip_one.state) == alike(sixth_one.state)
        assert zip_one.open_offers == sixth_one.open_offers
        for seat in zip_one.to_act():
            legal, their_legal = set(zip_one.legal(seat)), set(sixth_one.legal(seat))
            assert their_legal <= legal
            if roads(zip_one, seat) < 15:
                assert legal == their_legal
            assert {act.kind_of(code) for code in legal - their_legal} <= {act.ROAD, act.ROAD_BUILDING_CARD}
        view = zip_one.view(None)
        for seat in range(players):
            awards = 2 * (zip_one.state.longest_road == seat) + 2 * (zip_one.state.largest_army == seat)
            assert view.track[seat] + awards + zip_one.development(seat)["victory-point"] == zip_one.total(seat)
            assert view.track[seat] >= highest[seat]
            highest[seat] = view.track[seat]
            assert view.limit_tile[seat] in (0, 1)
        acting_seat, code = choose(sixth_one, rng)
        if acting_seat is not None and code == act.ROAD_BUILDING_CARD and roads(zip_one, acting_seat) >= 14:
            continue  # here the editions part: sixth has one road left at most
        carry_out(zip_one, acting_seat, code)
        carry_out(sixth_one, acting_seat, code)
    assert alike(zip_one.state) == alike(sixth_one.state)
    assert zip_one.belief == sixth_one.belief
    assert zip_one.winner == sixth_one.winner is not None
