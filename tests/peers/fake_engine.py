"""A stand-in for the other engine, as far as the adapter looks at it: data, and actions that do what a test says.

Places are numbered in another way than ours and than the real one's, so that nothing can be right by chance.
"""

from __future__ import annotations

import copy
import enum
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, NamedTuple

from hexholm.rules.places import CORNER_ID, HEX_NAMES, HEXES, N_CORNERS, SIDE_CORNERS, SIDE_ID

Color = enum.Enum("Color", "RED BLUE ORANGE WHITE")
NodeRef = enum.Enum("NodeRef", "NORTH NORTHEAST SOUTHEAST SOUTH SOUTHWEST NORTHWEST")
EdgeRef = enum.Enum("EdgeRef", "EAST SOUTHEAST SOUTHWEST WEST NORTHWEST NORTHEAST")
Prompt = enum.Enum(
    "Prompt", "BUILD_INITIAL_SETTLEMENT BUILD_INITIAL_ROAD PLAY_TURN DISCARD MOVE_ROBBER DECIDE_TRADE DECIDE_ACCEPTEES"
)
Kind = enum.Enum(
    "Kind",
    "ROLL MOVE_ROBBER DISCARD_RESOURCE BUILD_ROAD BUILD_SETTLEMENT BUILD_CITY BUY_DEVELOPMENT_CARD PLAY_KNIGHT_CARD"
    " PLAY_YEAR_OF_PLENTY PLAY_MONOPOLY PLAY_ROAD_BUILDING MARITIME_TRADE END_TURN REJECT_TRADE ACCEPT_TRADE",
)
SHORT = dict(zip("n ne e se s sw w nw".split(), (
    "NORTH NORTHEAST EAST SOUTHEAST SOUTH SOUTHWEST WEST NORTHWEST".split()), strict=True))  # fmt: skip
CARDS = ("KNIGHT", "YEAR_OF_PLENTY", "MONOPOLY", "ROAD_BUILDING", "VICTORY_POINT")
RESOURCES = ("WOOD", "BRICK", "SHEEP", "WHEAT", "ORE")
TERRAIN = ["WOOD"] * 4 + ["BRICK"] * 3 + ["SHEEP"] * 4 + ["WHEAT"] * 4 + ["ORE"] * 3 + [None]
NUMBERS = [5, 2, 6, 3, 8, 10, 9, 12, 11, 4, 8, 10, 9, 4, 5, 6, 3, 11, None]


class Action(NamedTuple):
    """Who does what."""

    color: Color
    action_type: Kind
    value: Any = None


class Record(NamedTuple):
    """An action with its outcome, and what it does to a game here."""

    action: Action
    result: Any = None
    change: Callable[[Game], None] = lambda _: None


def node(corner: int) -> int:
    """Its number of one of our corners."""
    return (7 * corner + 3) % N_CORNERS


def edge(side: int) -> tuple[int, int]:
    """Its name of one of our sides: the two nodes, the smaller first."""
    a, b = (node(corner) for corner in SIDE_CORNERS[side])
    return min(a, b), max(a, b)


def coordinate(h: int) -> tuple[int, int, int]:
    """Its name of one of our hexes."""
    q, r = HEXES[h]
    return q, -q - r, r


def island() -> Any:
    """Its map: tiles in another order than ours, and two harbors."""
    tiles: dict[Any, Any] = {}
    for h in reversed(range(len(HEXES))):
        name = HEX_NAMES[h]
        nodes = {ref: node(CORNER_ID[name + _short(ref)]) for ref in NodeRef}
        edges = {ref: edge(SIDE_ID[f"{name}/{_short(ref)}"])[::-1] for ref in EdgeRef}
        tiles[coordinate(h)] = SimpleNamespace(resource=TERRAIN[h], number=NUMBERS[h], nodes=nodes, edges=edges)
    land = dict(tiles)
    for at, kind, side in (((3, -3, 0), None, "C5/e"), ((-3, 3, 0), "ORE", "C1/w")):
        direction = EdgeRef.WEST if at[0] > 0 else EdgeRef.EAST  # it looks at the land
        tiles[at] = SimpleNamespace(resource=kind, direction=direction, edges={direction: edge(SIDE_ID[side])})
    return SimpleNamespace(tiles=tiles, land_tiles=land)


def _short(ref: enum.Enum) -> str:
    return next(short for short, name in SHORT.items() if name == ref.name)


class Game:
    """A game at its beginning; tests set what they need in `state`."""

    def __init__(self, player_count: int = 4, seed: int = 0) -> None:
        colors = tuple(Color)[:player_count]
        player_state: dict[str, Any] = {}
        for seat in range(player_count):
            player_state |= {f"P{seat}_{name}_IN_HAND": 0 for name in (*RESOURCES, *CARDS)}
            player_state |= {f"P{seat}_PLAYED_{name}": 0 for name in CARDS}
            player_state |= {f"P{seat}_{name}": False for name in ("HAS_ROAD", "HAS_ARMY", "HAS_ROLLED")}
            player_state |= {f"P{seat}_HAS_PLAYED_DEVELOPMENT_CARD_IN_TURN": False}
            player_state |= {f"P{seat}_VICTORY_POINTS": 0, f"P{seat}_ROADS_AVAILABLE": 15}
        self.id, self.seed, self.vps_to_win = f"game {seed}", seed, 10
        self.playable_actions: list[Action] = []
        self.winner: Color | None = None
        self.state = SimpleNamespace(
            colors=colors,
            color_to_index={color: seat for seat, color in enumerate(colors)},
            player_state=player_state,
            resource_freqdeck=[19, 19, 19, 19, 19],
            development_listdeck=["KNIGHT"] * 14 + ["VICTORY_POINT"] * 5 + list(CARDS[1:4]) * 2,
            discard_limit=7,
            friendly_robber=False,
            discard_counts=[0] * player_count,
            current_turn_index=0,
            current_player_index=0,
            current_prompt=Prompt.BUILD_INITIAL_SETTLEMENT,
            is_initial_build_phase=True,
            is_road_building=False,
            free_roads_available=0,
            num_turns=0,
            action_records=[],
            board=SimpleNamespace(
                map=island(), buildings={}, roads={}, robber_coordinate=coordinate(18), road_length=0
            ),
        )

    def winning_color(self) -> Color | None:
        """Who has won."""
        return self.winner

    def copy(self) -> Game:
        """An independent game."""
        return copy.deepcopy(self)

    def execute(self, action: Action, validate_action: bool = False, action_record: Record | None = None) -> None:
        """Do what the record says; a test's word is not doubted."""
        assert not validate_action
        assert action_record is not None
        assert action is action_record.action
        action_record.change(self)
        self.state.action_records.append(action_record)

    def happen(self, kind: Kind, value: Any = None, result: Any = None, **changes: Any) -> None:
        """Something happens: an action of the one who is asked, after which these fields of the state are so.

        A name with `P` and a number at its start is a fact about a player.
        """
        color = self.state.colors[self.state.current_player_index]

        def change(game: Game) -> None:
            for name, new in changes.items():
                if name in game.state.player_state:
                    game.state.player_state[name] = new
                else:
                    setattr(game.state, name, copy.deepcopy(new))

        record = Record(Action(color, kind, value), result, change)
        self.execute(record.action, action_record=record)

    def begin(self) -> None:
        """Leave the set-up: the first player is to roll."""
        self.happen(Kind.END_TURN, current_prompt=Prompt.PLAY_TURN, is_initial_build_phase=False, num_turns=6)

    def build(self, seat: int, corner: str, *roads: str, city: bool = False) -> None:
        """Put pieces on the board, without an action."""
        color = self.state.colors[seat]
        self.state.board.buildings[node(CORNER_ID[corner])] = (color, "CITY" if city else "SETTLEMENT")
        for name in roads:
            a, b = edge(SIDE_ID[name])
            self.state.board.roads[a, b] = self.state.board.roads[b, a] = color
