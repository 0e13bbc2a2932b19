"""The legal list and the verdict agree on every action without free amounts, for every seat, all through a game."""

from __future__ import annotations

import random
from itertools import combinations_with_replacement

import pytest

from .engine.boards import spiral
from .engine.editions import EDITIONS, OPEN_OFFERS, RESOURCES
from .engine.game import Twin
from .engine.geometry import CORNERS, HEXES, SIDES
from .scenes import config, random_move

COLORS = ["red", "blue", "white", "orange", "black", "green"]
NUMBERS = range(1, OPEN_OFFERS + 1)

EVERYTHING = {"roll", "end", "buy", "knight", "road-building", "waive"}
EVERYTHING |= {f"{verb} {corner}" for verb in ("settlement", "city") for corner in CORNERS}
EVERYTHING |= {f"road {side}" for side in SIDES} | {f"robber {name}" for name in HEXES}
EVERYTHING |= {f"steal {color}" for color in COLORS} | {f"monopoly {kind}" for kind in RESOURCES}
EVERYTHING |= {f"year-of-plenty {' '.join(k)}" for n in (1, 2) for k in combinations_with_replacement(RESOURCES, n)}
EVERYTHING |= {f"supply {n} {a} : 1 {b}" for n in range(1, 6) for a in RESOURCES for b in RESOURCES}
EVERYTHING |= {"supply 2 ore 2 wool : 1 brick", "supply : 1 ore", "supply 4 ore :"}
EVERYTHING |= {f"{verb} #{n}" for verb in ("accept", "reject", "withdraw") for n in NUMBERS}
EVERYTHING |= {f"confirm #{n} {color}" for n in NUMBERS for color in COLORS}


def compare(twin: Twin) -> None:
    """Listed means allowed and allowed means listed; a hidden hand may still refuse an exchange (TRADE-10)."""
    before = twin.state()
    for seat in range(twin.table.players):
        listed = twin.legal(seat)
        for text in EVERYTHING | listed:
            refusal = twin.why_not(seat, text)
            hidden = refusal == "TRADE-10" and text.split()[0] in ("accept", "confirm")
            assert (refusal is None) == (text in listed) or hidden, (seat, text, refusal)
        assert all(text.startswith("discard ") for text in listed - EVERYTHING)
    assert twin.state() == before


@pytest.mark.parametrize("edition", list(EDITIONS))
def test_listed_is_allowed(edition: str) -> None:
    rng = random.Random(f"legal {edition}")
    twin = Twin(config(edition, setup="variable", board=spiral(rng), first=None))
    for step in range(1500):
        if step % 11 == 0 or twin.table.phase in ("victim", "free road"):
            compare(twin)
        if twin.table.phase == "over":
            break
        odds = twin.chance()
        if odds:
            twin.deal(rng.choices(list(odds), [float(p) for p in odds.values()])[0])
            continue
        seat, text = random_move(twin, rng)
        if twin.why_not(seat, text) is None:
            twin.act(seat, text)
    compare(twin)
