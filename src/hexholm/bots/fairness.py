"""How fair a board is, and the fairest of many.

    >>> from hexholm.bots.fairness import fairest, fairness
    >>> from hexholm.rules.boards import layout_for
    >>> from hexholm.rules.options import check_options
    >>> chosen = check_options(edition="sixth", setup="variable")
    >>> found = fairest(chosen, seed=3, tries=20)
    >>> found.fairness.score > fairness(layout_for(chosen, 3)).score
    True

Four questions are asked of a board, each answered by 0 to 100 points:

- *seats*: everybody opens in turn as `easy` would, who likes dots, new resources and harbors
  (:data:`~.easy.player.LIKED`). How far is the worst opening behind the best?
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

from hexholm.rules.boards import RED_NUMBERS, Layout, dots, layout_for
from hexholm.rules.core.draws import key_for
from hexholm.rules.core.encoding.structs import GENERIC_HARBOR, HARBOR_KINDS, RESOURCES
from hexholm.rules.editions import FIXED
from hexholm.rules.errors import BadInput
from hexholm.rules.options import Options
from hexholm.rules.places import (
    CORNER_HEXES,
    CORNER_NAMES,
    CORNER_NEIGHBOURS,
    HEX_NEIGHBOURS,
    N_CORNERS,
    N_HEXES,
    SIDE_CORNERS,
)

from .easy.player import ANY_HARBOR, LIKED, NEW_KIND, OWN_HARBOR

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
class Found:
    """The fairest of some boards, with the seed that gives it to a game."""

    layout: Layout
    seed: int
    fairness: Fairness
    tried: int
    """How many different boards there were."""


def fairest(chosen: Options, seed: int, tries: int = USUAL_TRIES) -> Found:
    """The fairest of `tries` boards that a game with these options could have; the same seed, the same board.

    The boards are those of seeds drawn from `seed`; :func:`~hexholm.rules.boards.layout_for` with the seed that was
    found gives the board again.
    """
    if not 1 <= tries <= MOST_BOARDS_TRIED:
        raise BadInput(f"tries {tries}: from 1 to {MOST_BOARDS_TRIED:,} boards")
    if chosen.setup == FIXED or chosen.map is not None:
        one = f"map {chosen.map} is" if chosen.map is not None else "the fixed set-up has"
        raise BadInput(f"{one} one board; the fairest of many needs the variable set-up")
    best: Found | None = None
    seen: set[Layout] = set()
    for number in range(tries):
        this = key_for(seed, "fair board", number) % LARGEST_SEED
        layout = layout_for(chosen, this)
        if layout in seen:
            continue
        seen.add(layout)
        found = fairness(layout, chosen.players, chosen.edition_data.words)
        if best is None or found.score > best.fairness.score:
            best = Found(layout, this, found, 0)
    assert best is not None
    return Found(best.layout, best.seed, best.fairness, len(seen))


def fairness(layout: Layout, players: int = 4, words: Mapping[str, str] | None = None) -> Fairness:
    """How fair a board is for so many players; `words` names the resources as an edition does.

    On a board with start pieces the openings are those that are drawn on it.
    """
    land = _Land(layout, words or {})
    openings = land.started() or land.opened(players)
    worths = tuple(round(land.worth_of(opening), 2) for opening in openings)
    parts = (land.seats(openings, worths), land.resources(), land.corners(), land.regions())
    score = round(sum(WEIGHTS[part.name] * part.points for part in parts) / sum(WEIGHTS.values()))
    return Fairness(score, parts, worths)


class _Land:
    """A board in numbers."""

    def __init__(self, layout: Layout, words: Mapping[str, str]) -> None:
        board = layout.board
        self.layout = layout
        self.words = [words.get(kind, kind) for kind in RESOURCES]
        self.terrain = [board.terrain[h] for h in range(N_HEXES)]
        self.number = [board.number[h] for h in range(N_HEXES)]
        self.dots = [dots(number) if number else 0 for number in self.number]
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

    def worth_of(self, corners: Sequence[int]) -> float:
        """What buildings on these corners are worth together: dots, kinds of resources, harbors."""
        made = [sum(self.yields[corner][kind] for corner in corners) for kind in range(len(RESOURCES))]
        worth = sum(liked * n for liked, n in zip(LIKED, made, strict=True))
        worth += NEW_KIND * sum(n > 0 for n in made)
        for corner in corners:
            kind = self.harbor[corner]
            if kind >= 0:
                worth += ANY_HARBOR if kind == GENERIC_HARBOR else OWN_HARBOR * made[kind]
        return worth

    def opened(self, players: int) -> list[list[int]]:
        """Everybody takes what is best for them, forth and back as in the set-up (SETUP-11, SETUP-13)."""
        taken: list[list[int]] = [[] for _ in range(players)]
        alone = {corner: self.worth_of([corner]) for corner in range(N_CORNERS)}
        for seat in (*range(players), *reversed(range(players))):
            own = taken[seat]
            worths = {corner: self.worth_of([*own, corner]) for corner in alone} if own else alone
            best = max(worths, key=worths.__getitem__)
            own.append(best)
            for corner in (best, *CORNER_NEIGHBOURS[best]):
                alone.pop(corner, None)
        return taken

    def started(self) -> list[list[int]]:
        """The openings of a fixed set-up, by colour."""
        colors = dict.fromkeys(piece.color for piece in self.layout.start)
        return [[piece.corner for piece in self.layout.start if piece.color == color] for color in colors]

    # --- the four questions -----------------------------------------------------------------------------------------

    def seats(self, openings: Sequence[Sequence[int]], worths: Sequence[float]) -> FairnessPart:
        """How far the worst opening is behind the best."""
        best, worst = max(worths), min(worths)
        behind = 1 - worst / best if best else 0.0
        dots_of = [sum(sum(self.yields[corner]) for corner in opening) for opening in openings]
        places = [" ".join(CORNER_NAMES[corner] for corner in opening) for opening in openings]
        high, low = worths.index(best), worths.index(worst)
        why = (
            f"openings are worth {', '.join(f'{worth:.0f}' for worth in worths)} by seat; the worst ({places[low]},"
            f" {dots_of[low]} dots) is {_percent(behind)} below the best ({places[high]}, {dots_of[high]} dots)"
        )
        values = {
            "behind": round(100 * behind),
            "worst": places[low],
            "worst_dots": dots_of[low],
            "best": places[high],
            "best_dots": dots_of[high],
        }
        return FairnessPart("seats", _points("seats", behind), why, values)

    def resources(self) -> FairnessPart:
        """How far dots are from being shared as the hexes are."""
        hexes = [self.terrain.count(kind) for kind in range(len(RESOURCES))]
        made = [sum(n for n, t in zip(self.dots, self.terrain, strict=True) if t == kind) for kind in range(len(hexes))]
        even = sum(made) / max(1, sum(hexes))
        shares = {kind: made[kind] / (n * even) if even else 0.0 for kind, n in enumerate(hexes) if n}
        scarce, plenty = min(shares, key=shares.__getitem__), max(shares, key=shares.__getitem__)
        gap = max(1 - shares[scarce], shares[plenty] - 1)
        why = (
            f"{self.words[scarce]} is scarcest: {made[scarce]} dots on {hexes[scarce]} hexes, {_off(shares[scarce])};"
            f" {self.words[plenty]} most plentiful: {made[plenty]} on {hexes[plenty]}, {_off(shares[plenty])}"
        )
        values = {
            "scarce": RESOURCES[scarce],
            "scarce_off": round(100 * (1 - shares[scarce])),
            "plenty": RESOURCES[plenty],
            "plenty_off": round(100 * (shares[plenty] - 1)),
        }
        return FairnessPart("resources", _points("resources", gap), why, values)

    def corners(self) -> FairnessPart:
        """How much the dots of corners inland differ from their mean."""
        made = {corner: sum(self.yields[corner]) for corner in _INLAND}
        mean = sum(made.values()) / len(made)
        spread = (sum((n - mean) ** 2 for n in made.values()) / len(made)) ** 0.5
        rich, poor = max(made, key=made.__getitem__), min(made, key=made.__getitem__)
        why = (
            f"corners between three hexes have {made[poor]} ({CORNER_NAMES[poor]}) to {made[rich]} dots"
            f" ({CORNER_NAMES[rich]}), off their mean of {mean:.1f} by {spread:.1f}"
        )
        values = {
            "low": made[poor],
            "low_at": CORNER_NAMES[poor],
            "high": made[rich],
            "high_at": CORNER_NAMES[rich],
            "mean": round(mean, 1),
        }
        return FairnessPart("corners", _points("corners", spread), why, values)

    def regions(self) -> FairnessPart:
        """How much lies together that should lie apart."""
        pairs = [(h, near) for h in range(N_HEXES) for near in HEX_NEIGHBOURS[h] if near > h]
        same = sum(self.terrain[h] == self.terrain[near] for h, near in pairs)
        red = sum(self.number[h] in RED_NUMBERS and self.number[near] in RED_NUMBERS for h, near in pairs)
        why = f"{same} pairs of neighbours share a terrain; {red or 'no'} pairs of red numbers lie side by side"
        return FairnessPart("regions", _points("regions", same + 3 * red), why, {"same": same, "red": red})


def _points(name: str, off: float) -> int:
    """Points for being so far off."""
    best, worst = _SPANS[name]
    return round(100 * min(1.0, max(0.0, (worst - off) / (worst - best))))


def _percent(share: float) -> str:
    return f"{round(100 * share)}%"


def _off(share: float) -> str:
    """How far from an even share."""
    return f"{_percent(abs(share - 1))} {'below' if share < 1 else 'above'} an even share"
