"""All levels over all editions and options: nobody may choose what is not legal, and nothing may break.

    python -m tests.arena.everywhere --games 10000 --resume .fuzz/everywhere.json      # what `make fuzz` does, too

A game is a pure function of its number: edition, options, number of players, levels and seats. Exits 1 when a player
lost a decision or a game broke; games that reached the cap are counted, not blamed. A run goes on where it was left
as long as rules and players are the same; when they have changed it begins anew.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
import sys
import time
import traceback
from collections import Counter
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

import hexholm
from hexholm.arena.entrants import entrants
from hexholm.arena.match import TournamentJob
from hexholm.rules.setup.options import check_options
from tests.bots.scenes import LABELS
from tests.twin.duel import choose_options

TOLD_EVERY: Final = 500
MADE_OF: Final = ("rules", "game", "bots", "arena")
"""The rooms whose files decide how a game goes."""


def job(number: int) -> TournamentJob:
    """Who plays what in game `number`."""
    rng = random.Random(f"everywhere {number}")
    options = check_options(**(choose_options(rng, "") | {"first": None}))  # who begins is the schedule's to say
    return TournamentJob(entrants(rng.choices(LABELS, k=options.players)), options, seed=number, strict=True)


def play(number: int) -> tuple[int, str, tuple[str, ...], int, bool, str]:
    """One game: number, edition, levels, decisions, capped, complaint."""
    game_job = job(number)
    levels = tuple(entrant.label for entrant in game_job.entrants)
    try:
        game = game_job.play(number % game_job.options.players)
    except Exception:
        return number, game_job.options.edition, levels, 0, False, traceback.format_exc(limit=6)
    return number, game_job.options.edition, levels, game.decisions, game.winner < 0, ""


def made_of() -> str:
    """A digest of rules and players: sources, numbers and data."""
    home = Path(hexholm.__file__).parent
    files = (path for room in MADE_OF for path in (home / room).rglob("*") if path.is_file())
    hasher = blake2b(digest_size=8)
    for path in sorted(path for path in files if "__pycache__" not in path.parts):
        hasher.update(path.name.encode() + blake2b(path.read_bytes()).digest())
    return hasher.hexdigest()


def earlier(place: Path | None) -> dict[str, Any]:
    """How far a run of the same rules and players came."""
    fresh = {"made_of": made_of(), "games": 0, "decisions": 0, "capped": 0, "seats": {}, "editions": {}, "broken": []}
    if place is None or not place.exists():
        return fresh
    figures: dict[str, Any] = json.loads(place.read_text(encoding="utf-8"))
    if figures.get("made_of") != fresh["made_of"]:
        print("rules or players have changed since the last run: from the first game again", flush=True)
        return fresh
    print(f"going on after {figures['games']} games", flush=True)
    return figures


def main() -> int:
    """Play, tell, and say whether all is well."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--resume", type=Path, help="a file that keeps how far an earlier run came")
    arguments = parser.parse_args()
    figures = earlier(arguments.resume)
    seats, editions = Counter(figures["seats"]), Counter(figures["editions"])
    started_at = time.monotonic()
    play(0)  # compiled once, before others need it
    with multiprocessing.get_context("spawn").Pool(arguments.jobs) as pool:
        numbers = range(figures["games"], arguments.games)
        for number, edition, levels, decisions, capped, complaint in pool.imap(play, numbers, chunksize=4):
            seats.update(levels)
            editions[edition] += 1
            figures["games"], figures["capped"] = number + 1, figures["capped"] + capped
            figures["decisions"] += decisions
            if complaint:
                figures["broken"].append(number)
                print(f"game {number}, {edition}, {', '.join(levels)}:\n{complaint}", flush=True)
            if (number + 1) % TOLD_EVERY == 0 or number + 1 == arguments.games:
                figures |= {"seats": dict(seats), "editions": dict(editions)}
                if arguments.resume:
                    arguments.resume.parent.mkdir(parents=True, exist_ok=True)
                    arguments.resume.write_text(json.dumps(figures), encoding="utf-8")
                seconds = time.monotonic() - started_at
                print(
                    f"{figures['games']} games, {figures['decisions']:,} decisions, {figures['capped']} capped,"
                    f" {len(figures['broken'])} broken, {seconds:.0f} s",
                    flush=True,
                )
    print(f"seats {dict(seats)}, editions {dict(editions)}")
    return 1 if figures["broken"] else 0


if __name__ == "__main__":
    sys.exit(main())
