"""How fair a board is, and the fairest of many.

    >>> from hexholm.bots.fairness import fairest, fairness
    >>> from hexholm.rules.boards import layout_for
    >>> from hexholm.rules.setup.options import check_options
    >>> options = check_options(edition="sixth", setup="variable")
    >>> fair_board = fairest(options, seed=3, tries=20)
    >>> fair_board.fairness.score > fairness(layout_for(options, 3)).score
    True

Four questions are asked of a board, each answered by 0 to 100 points:

- *seats*: everybody opens in turn as `easy` would, who likes dots, new resources and harbors
  (:data:`~.shipped.easy.DOT_VALUES`). How far is the worst opening behind the best?
- *resources*: how far is the scarcest resource below, and the most plentiful one above, its share of all dots?
- *corners*: how uneven are the dots on the corners between three hexes, where people want to build?
- *regions*: how many hexes lie beside one of the same terrain, how many red numbers beside each other?

The score is their mean, the seats counting most. It compares boards; it does not foretell who wins. Everything is
reckoned from the layout alone, so that the same board has the same score everywhere, however strong players become.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from hexholm.rules.boards import RED_NUMBERS, Layout, layout_for, number_dots
from hexholm.rules.encoding.structs import GENERIC_HARBOR, HARBOR_KINDS, RESOURCES
from hexholm.rules.errors import BadInput
from hexholm.rules.places import (
    CORNER_HEXES,
    CORNER_NAMES,
    CORNER_NEIGHBORS,
    HEX_NEIGHBORS,
    N_CORNERS,
    N_HEXES,
    SIDE_CORNERS,
)
from hexholm.rules.random_numbers import key_for
from hexholm.rules.setup.editions import FIXED
from hexholm.rules.setup.options import Options

from .shipped.easy import ANY_HARBOR, DOT_VALUES, NEW_KIND, OWN_HARBOR

USUAL_TRIES: Final = 200
"""So many boards are tried if nothing is said."""
MOST_BOARDS_TRIED: Final = 10_000
LARGEST_SEED: Final = 10**9
"""The seeds of the boards that are tried lie below: short enough to be read out across a table."""
WEIGHTS: Final = {"seats": 4, "resources": 3, "corners": 2, "regions": 1}

_SPANS: Final = {"seats": (0.0, 0.17), "resources": (0.0, 0.6), "corners": (1.0, 3.0), "regions": (0.0, 12.0)}
"""How far off earns all points, and how far none: about the best and the worst of a thousand random boards."""
_INLAND: Final = tuple(corner for corner in range(N_CORNERS) if len(CORNER_HEXES[corner]) == 3)


@dataclass(frozen=True, slots=True)
class FairnessPart:
    """The answer to one question: its points from 0 to 100, and why."""

    name: str
    points: int
    why: str
    values: Mapping[str, Any] = field(default_factory=dict)
    """What the words are made of, for those who say it in other words: shares in percent, resources by their names."""


@dataclass(frozen=True, slots=True)
class Fairness:
    """How fair a board is, from 0 to 100, and why."""

    score: int
    parts: tuple[FairnessPart, ...]
    openings: tuple[float, ...]
    """What the opening of each seat is worth, in the order of the seats."""

    def lines(self) -> list[str]:
        """In plain words, a line for each part."""
        wide = max(len(part.name) for part in self.parts)
        return [
            f"fairness {self.score} of 100",
            *(f"  {part.name:<{wide}} {part.points:>3}  {part.why}" for part in self.parts),
        ]


@dataclass(frozen=True, slots=True)
class FairBoard:
    """The fairest of some boards, with the seed that gives it to a game."""

    layout: Layout
    seed: int
    fairness: Fairness
    tried: int
    """How many different boards there were."""


def fairest(options: Options, seed: int, tries: int = USUAL_TRIES) -> FairBoard:
    """The fairest of `tries` boards that a game with these options could have; the same seed, the same board.

    The boards are those of seeds drawn from `seed`; :func:`~hexholm.rules.boards.layout_for` with the seed that was
    found gives the board again.
    """
    if not 1 <= tries <= MOST_BOARDS_TRIED:
        raise BadInput(f"tries {tries}: from 1 to {MOST_BOARDS_TRIED:,} boards")
    if options.setup == FIXED or options.map is not None:
        origin = f"map {options.map} is" if options.map is not None else "the fixed board is"
        raise BadInput(f"{origin} one board; the fairest of many needs a variable one")
    best: FairBoard | None = None
    layouts: set[Layout] = set()
    for number in range(tries):
        tried_seed = key_for(seed, "fair board", number) % LARGEST_SEED
        layout = layout_for(options, tried_seed)
        if layout in layouts:
            continue
        layouts.add(layout)
        layout_fairness = fairness(layout, options.players, options.edition_data.words)
        if best is None or layout_fairness.score > best.fairness.score:
            best = FairBoard(layout, tried_seed, layout_fairness, 0)
    assert best is not None
    return FairBoard(best.layout, best.seed, best.fairness, len(layouts))


def fairness(layout: Layout, players: int = 4, words: Mapping[str, str] | None = None) -> Fairness:
    """How fair a board is for so many players; `words` names the resources as an edition does.

    On a board with start pieces the openings are those that are drawn on it.
    """
    land = _Land(layout, words or {})
    openings = land.start_openings() or land.best_openings(players)
    opening_values = tuple(round(land.value_of(opening), 2) for opening in openings)
    parts = (land.seats_part(openings, opening_values), land.resources_part(), land.corners_part(), land.regions_part())
    score = round(sum(WEIGHTS[part.name] * part.points for part in parts) / sum(WEIGHTS.values()))
    return Fairness(score, parts, opening_values)


class _Land:
    """A board in numbers."""

    def __init__(self, layout: Layout, words: Mapping[str, str]) -> None:
        board = layout.board
        self.layout = layout
        self.words = [words.get(kind, kind) for kind in RESOURCES]
        self.terrain = [board.terrain[h] for h in range(N_HEXES)]
        self.number = [board.number[h] for h in range(N_HEXES)]
        self.dots = [number_dots(number) if number else 0 for number in self.number]
        self.yields = [[0] * len(RESOURCES) for _ in range(N_CORNERS)]
        """Dots by corner and resource."""
        for corner in range(N_CORNERS):
            for h in CORNER_HEXES[corner]:
                if self.number[h]:
                    self.yields[corner][self.terrain[h]] += self.dots[h]
        self.harbor = dict.fromkeys(range(N_CORNERS), -1)
        for side, kind in layout.harbors():
            for corner in SIDE_CORNERS[side]:
                self.harbor[corner] = HARBOR_KINDS.index(kind)

    # --- openings ---------------------------------------------------------------------------------------------------

    def value_of(self, corners: Sequence[int]) -> float:
        """What buildings on these corners are worth together: dots, kinds of resources, harbors."""
        kind_dots = [sum(self.yields[corner][kind] for corner in corners) for kind in range(len(RESOURCES))]
        value = sum(dot_value * n for dot_value, n in zip(DOT_VALUES, kind_dots, strict=True))
        value += NEW_KIND * sum(n > 0 for n in kind_dots)
        for corner in corners:
            kind = self.harbor[corner]
            if kind >= 0:
                value += ANY_HARBOR if kind == GENERIC_HARBOR else OWN_HARBOR * kind_dots[kind]
        return value

    def best_openings(self, player_count: int) -> list[list[int]]:
        """Everybody takes what is best for them, forth and back as in the set-up (SETUP-11, SETUP-13)."""
        openings: list[list[int]] = [[] for _ in range(player_count)]
        free_corners = {corner: self.value_of([corner]) for corner in range(N_CORNERS)}
        for seat in (*range(player_count), *reversed(range(player_count))):
            own = openings[seat]
            corner_values = {corner: self.value_of([*own, corner]) for corner in free_corners} if own else free_corners
            best = max(corner_values, key=corner_values.__getitem__)
            own.append(best)
            for corner in (best, *CORNER_NEIGHBORS[best]):
                free_corners.pop(corner, None)
        return openings

    def start_openings(self) -> list[list[int]]:
        """The openings of a fixed set-up, by color."""
        colors = dict.fromkeys(piece.color for piece in self.layout.start)
        return [[piece.corner for piece in self.layout.start if piece.color == color] for color in colors]

    # --- the four questions -----------------------------------------------------------------------------------------

    def seats_part(self, openings: Sequence[Sequence[int]], opening_values: Sequence[float]) -> FairnessPart:
        """How far the worst opening is behind the best."""
        best, worst = max(opening_values), min(opening_values)
        behind = 1 - worst / best if best else 0.0
        opening_dots = [sum(sum(self.yields[corner]) for corner in opening) for opening in openings]
        places = [" ".join(CORNER_NAMES[corner] for corner in opening) for opening in openings]
        high, low = opening_values.index(best), opening_values.index(worst)
        explanation = (
            f"openings are worth {', '.join(f'{value:.0f}' for value in opening_values)} by seat;"
            f" the worst ({places[low]}, {opening_dots[low]} dots) is {_percent_text(behind)} below"
            f" the best ({places[high]}, {opening_dots[high]} dots)"
        )
        values = {
            "behind": round(100 * behind),
            "worst": places[low],
            "worst_dots": opening_dots[low],
            "best": places[high],
            "best_dots": opening_dots[high],
        }
        return FairnessPart("seats", _points_for("seats", behind), explanation, values)

    def resources_part(self) -> FairnessPart:
        """How far dots are from being shared as the hexes are."""
        hexes = [self.terrain.count(kind) for kind in range(len(RESOURCES))]
        kind_dots = [
            sum(n for n, t in zip(self.dots, self.terrain, strict=True) if t == kind) for kind in range(len(hexes))
        ]
        even = sum(kind_dots) / max(1, sum(hexes))
        shares = {kind: kind_dots[kind] / (n * even) if even else 0.0 for kind, n in enumerate(hexes) if n}
        scarce, plenty = min(shares, key=shares.__getitem__), max(shares, key=shares.__getitem__)
        gap = max(1 - shares[scarce], shares[plenty] - 1)
        explanation = (
            f"{self.words[scarce]} is scarcest: {kind_dots[scarce]} dots on {hexes[scarce]} hexes,"
            f" {_distance_text(shares[scarce])};"
            f" {self.words[plenty]} most plentiful: {kind_dots[plenty]} on {hexes[plenty]},"
            f" {_distance_text(shares[plenty])}"
        )
        values = {
            "scarce": RESOURCES[scarce],
            "scarce_off": round(100 * (1 - shares[scarce])),
            "plenty": RESOURCES[plenty],
            "plenty_off": round(100 * (shares[plenty] - 1)),
        }
        return FairnessPart("resources", _points_for("resources", gap), explanation, values)

    def corners_part(self) -> FairnessPart:
        """How much the dots of corners inland differ from their mean."""
        dots_by_corner = {corner: sum(self.yields[corner]) for corner in _INLAND}
        mean = sum(dots_by_corner.values()) / len(dots_by_corner)
        spread = (sum((n - mean) ** 2 for n in dots_by_corner.values()) / len(dots_by_corner)) ** 0.5
        rich = max(dots_by_corner, key=dots_by_corner.__getitem__)
        poor = min(dots_by_corner, key=dots_by_corner.__getitem__)
        explanation = (
            f"corners between three hexes have {dots_by_corner[poor]} ({CORNER_NAMES[poor]})"
            f" to {dots_by_corner[rich]} dots"
            f" ({CORNER_NAMES[rich]}), off their mean of {mean:.1f} by {spread:.1f}"
        )
        values = {
            "low": dots_by_corner[poor],
            "low_at": CORNER_NAMES[poor],
            "high": dots_by_corner[rich],
            "high_at": CORNER_NAMES[rich],
            "mean": round(mean, 1),
        }
        return FairnessPart("corners", _points_for("corners", spread), explanation, values)

    def regions_part(self) -> FairnessPart:
        """How much lies together that should lie apart."""
        pairs = [(h, near) for h in range(N_HEXES) for near in HEX_NEIGHBORS[h] if near > h]
        same = sum(self.terrain[h] == self.terrain[near] for h, near in pairs)
        red = sum(self.number[h] in RED_NUMBERS and self.number[near] in RED_NUMBERS for h, near in pairs)
        explanation = f"{same} pairs of neighbours share a terrain; {red or 'no'} pairs of red numbers lie side by side"
        return FairnessPart("regions", _points_for("regions", same + 3 * red), explanation, {"same": same, "red": red})


def _points_for(name: str, off: float) -> int:
    """Points for being so far off."""
    best, worst = _SPANS[name]
    return round(100 * min(1.0, max(0.0, (worst - off) / (worst - best))))


def _percent_text(share: float) -> str:
    return f"{round(100 * share)}%"


def _distance_text(share: float) -> str:
    """How far from an even share."""
    return f"{_percent_text(abs(share - 1))} {'below' if share < 1 else 'above'} an even share"
