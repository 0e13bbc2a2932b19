"""Whole games a second, in one run: a table of one of our players in our engine, and of one of its in its engine.

All play in turns in this one process, about a second each, so that whatever else the machine does slows all down
alike. Construction of a game, its board included, is part of the time. `medium` plays twice: as in a tournament, one
decision at a time, and in whole games of compiled code, which are the same games.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from hexholm.arena.entrants import Entrant
from hexholm.arena.match import TournamentJob
from hexholm.arena.schedule import derive_seed
from hexholm.rules.setup.options import Options, check_options

from .library import load_library, make_opponent

TURN_SECONDS: Final = 1.0
"""Seconds that a side plays before it is the other's turn; a game that has begun is played to its end."""


class Side:
    """Games of one side, and what they took."""

    def __init__(self, play: Callable[[int], object]) -> None:
        self.play = play
        self.games, self.wall, self.cpu = 0, 0.0, 0.0

    def go_on(self) -> None:
        """Play for a second."""
        wall, cpu, started_at = time.perf_counter(), time.process_time(), time.perf_counter()
        while time.perf_counter() - started_at < TURN_SECONDS:
            self.play(self.games)
            self.games += 1
        self.wall += time.perf_counter() - wall
        self.cpu += time.process_time() - cpu


def compare_speed(ours: Entrant, theirs: str, player_count: int, seconds: float, seed: int) -> dict[str, Any]:
    """Games a second of both, and how many times one is the other."""
    peer = load_library()
    rules = check_options(
        edition="fifth", setup="variable", phases="combined", players=player_count, two_players=player_count == 2
    )
    job = TournamentJob((ours,) * player_count, rules, seed, compiled=True)

    def play_theirs(number: int) -> object:
        table = [make_opponent(theirs, color) for color in list(peer.Color)[:player_count]]
        return peer.Game(table, seed=seed + number).play()

    sides = {"ours": Side(job.play), "theirs": Side(play_theirs)}
    if ours.source == "medium":
        sides["ours, compiled"] = Side(whole_games(rules, seed))
    for name in [name for name in sides if name != "theirs"]:
        sides[name].play(0)  # compiles what it needs
    started_at = time.perf_counter()
    while time.perf_counter() - started_at < seconds:
        for side in sides.values():
            side.go_on()
    figures: dict[str, Any] = {
        "ours": f"{player_count} {ours.label}",
        "theirs": f"{player_count} {theirs}, catanatron {peer.version}",
    }
    for name, side in sides.items():
        figures[f"{name}: games"] = side.games
        figures[f"{name}: games/s"] = side.games / side.wall
        figures[f"{name}: games/s of processor time"] = side.games / side.cpu
    for name in [name for name in sides if name != "theirs"]:
        for clock in ("games/s", "games/s of processor time"):
            figures[f"RATIO of {name}, {clock}"] = figures[f"{name}: {clock}"] / figures[f"theirs: {clock}"]
    return figures


def whole_games(rules: Options, seed: int) -> Callable[[int], object]:
    """Tables of `medium` in compiled code."""
    from hexholm.bots.judgment import shipped_judgment
    from hexholm.bots.shipped.compiled_games import WholeGames

    games, net = WholeGames(), shipped_judgment("medium").net[None]
    options = replace(rules, first=0)

    def play(number: int) -> object:
        return games.play(options, derive_seed(seed, "mirror", number), net, (0,) * rules.players)

    return play
