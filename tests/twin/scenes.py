"""The naive twin at a given moment, and random moves for it."""

from __future__ import annotations

import random
from typing import Any

from .engine.boards import beginner
from .engine.editions import EDITIONS, RESOURCES
from .engine.game import Twin

Config = dict[str, Any]


def config(edition: str = "fifth", **changes: Any) -> Config:
    """A game on the beginners' board, seat 0 begins."""
    colors = list(EDITIONS[edition].colors)
    base: Config = {"edition": edition, "players": 4, "colors": colors, "setup": "fixed", "phases": None, "first": 0}
    base |= {"two_players": False, "board": beginner(edition), "house": {}}
    return base | changes


def random_offer(twin: Twin, rng: random.Random) -> tuple[int, str]:
    """A random offer or counter by somebody, perhaps nonsense."""
    table = twin.table
    seat = rng.randrange(table.players)
    give_kind, want_kind = rng.sample(RESOURCES, 2)
    body = f"{rng.randint(1, 2)} {give_kind} : 1 {want_kind}"
    if table.offers and rng.random() < 0.4:
        return seat, f"counter #{rng.choice(list(table.offers))} {body}"
    other_colors = [c for s, c in enumerate(table.colors) if s != seat]
    to = (
        rng.sample(other_colors, rng.randint(1, len(other_colors)))
        if seat == table.turn
        else [table.colors[table.turn]]
    )
    return seat, f"offer {body} to {' '.join(to)}"


def random_move(twin: Twin, rng: random.Random) -> tuple[int, str]:
    """A random move that is asked for, builds preferred; now and then an offer."""
    if twin.table.phase == "main" and rng.random() < 0.15:
        return random_offer(twin, rng)
    seat = rng.choice(twin.to_act())
    texts = sorted(twin.legal(seat))
    builds = [t for t in texts if t.split()[0] in ("settlement", "city", "buy", "knight")]
    return seat, rng.choice(builds if builds and rng.random() < 0.7 else texts)
