"""Which of its places is which of ours: its coordinates, nodes and edges, our hexes, corners and sides.

Both islands have pointy hexes. Its cube coordinate (x, y, z) is our axial (x, z), and a node or an edge is named by a
tile and a compass point as ours are. So the tables are read off the tiles of any of its maps, and checked to be one to
one: nothing of its numbering is written down here.
"""

from __future__ import annotations

from typing import Any, Final

from hexholm.rules.boards import Layout
from hexholm.rules.encoding.structs import DESERT, GENERIC_HARBOR, Board
from hexholm.rules.errors import BadInput
from hexholm.rules.places import (
    COAST,
    CORNER_ID,
    HEX_NAMES,
    HEXES,
    N_CORNERS,
    N_HEXES,
    N_SIDES,
    SIDE_CORNERS,
    SIDE_ID,
)

Coordinate = tuple[int, int, int]
Edge = tuple[int, int]

RESOURCES: Final = ("BRICK", "WOOD", "SHEEP", "WHEAT", "ORE")
"""Its names, in our order."""
CARDS: Final = ("KNIGHT", "VICTORY_POINT", "ROAD_BUILDING", "YEAR_OF_PLENTY", "MONOPOLY")
KIND: Final = {name: kind for kind, name in enumerate(RESOURCES)}
CARD: Final = {name: kind for kind, name in enumerate(CARDS)}
COMPASS: Final = {
    "NORTH": "n", "NORTHEAST": "ne", "EAST": "e", "SOUTHEAST": "se",
    "SOUTH": "s", "SOUTHWEST": "sw", "WEST": "w", "NORTHWEST": "nw",
}  # fmt: skip


class Island:
    """One of its maps, place by place, and the board that lies there."""

    def __init__(self, its_map: Any) -> None:
        tiles = its_map.land_tiles
        if len(tiles) != N_HEXES or any((x, z) not in HEXES for x, _, z in tiles):
            raise BadInput(f"a map of {len(tiles)} land tiles: only its base map, with 19, is the island of the books")
        self.hex_of: dict[Coordinate, int] = {
            coordinate: HEXES.index((coordinate[0], coordinate[2])) for coordinate in tiles
        }
        self.corner_of: dict[int, int] = {}
        self.side_of: dict[Edge, int] = {}
        for coordinate, tile in tiles.items():
            name = HEX_NAMES[self.hex_of[coordinate]]
            for ref, node in tile.nodes.items():
                _store_place(self.corner_of, node, CORNER_ID[name + COMPASS[ref.name]])
            for ref, (a, b) in tile.edges.items():
                _store_place(self.side_of, (min(a, b), max(a, b)), SIDE_ID[f"{name}/{COMPASS[ref.name]}"])
        self.check()
        self.coordinate_of = {h: coordinate for coordinate, h in self.hex_of.items()}
        self.node_of = {corner: node for node, corner in self.corner_of.items()}
        self.edge_of = {side: edge for edge, side in self.side_of.items()}
        self.layout = Layout(self._board(its_map), name="a board of Catanatron", standard=False)

    def side(self, edge: Edge) -> int:
        """The side of an edge, whichever end is named first."""
        a, b = edge
        return self.side_of[min(a, b), max(a, b)]

    def check(self) -> None:
        """Every place has one counterpart, and sides end at the same corners there and here."""
        for table, size in ((self.hex_of, N_HEXES), (self.corner_of, N_CORNERS), (self.side_of, N_SIDES)):
            if sorted(table.values()) != list(range(size)):
                raise BadInput("this map numbers its places in a way that cannot be read: is it another version?")
        for (a, b), side in self.side_of.items():
            if {self.corner_of[a], self.corner_of[b]} != set(SIDE_CORNERS[side]):
                raise BadInput(
                    f"the edge {(a, b)} of this map does not end where its tiles say: is it another version?"
                )

    def _board(self, its_map: Any) -> Board:
        board = Board()
        board.start_corner = -1
        for coordinate, tile in its_map.land_tiles.items():
            h = self.hex_of[coordinate]
            board.terrain[h] = DESERT if tile.resource is None else KIND[tile.resource]
            board.number[h] = tile.number or 0
        for i in range(len(COAST)):
            board.harbor[i] = -1
        for tile in its_map.tiles.values():
            if hasattr(tile, "direction"):  # a harbor looks at the land from the sea
                edge = next(edge for ref, edge in tile.edges.items() if ref.name == tile.direction.name)
                kind = GENERIC_HARBOR if tile.resource is None else KIND[tile.resource]
                board.harbor[COAST.index(self.side(edge))] = kind
        return board


def _store_place(places: dict[Any, int], key: Any, place: int) -> None:
    """Tiles that share a place must mean the same one."""
    if places.setdefault(key, place) != place:
        raise BadInput(f"the tiles of this map disagree about {key}: is it another version?")
