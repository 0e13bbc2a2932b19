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
from hexholm.rules.options import check_options
from tests.bots.scenes import LABELS
from tests.twin.duel import choose_options

TOLD_EVERY: Final = 500
MADE_OF: Final = ("rules", "game", "bots", "arena")
"""The rooms whose files decide how a game goes."""


def job(number: int) -> TournamentJob:
    """Who plays what in game `number`."""
    rng = random.Random(f"everywhere {number}")
    chosen = check_options(**(choose_options(rng, "") | {"first": None}))  # who begins is the schedule's to say
    return TournamentJob(entrants(rng.choices(LABELS, k=chosen.players)), chosen, seed=number, strict=True)


def play(number: int) -> tuple[int, str, tuple[str, ...], int, bool, str]:
    """One game: number, edition, levels, decisions, capped, complaint."""
    one = job(number)
    levels = tuple(entrant.label for entrant in one.entrants)
    try:
        played = one.play(number % one.options.players)
    except Exception:
        return number, one.options.edition, levels, 0, False, traceback.format_exc(limit=6)
    return number, one.options.edition, levels, played.decisions, played.winner < 0, ""


def made_of() -> str:
    """A digest of rules and players: sources, numbers and data."""
    home = Path(hexholm.__file__).parent
    files = (path for room in MADE_OF for path in (home / room).rglob("*") if path.is_file())
    whole = blake2b(digest_size=8)
    for path in sorted(path for path in files if "__pycache__" not in path.parts):
        whole.update(path.name.encode() + blake2b(path.read_bytes()).digest())
    return whole.hexdigest()


def earlier(place: Path | None) -> dict[str, Any]:
    """How far a run of the same rules and players came."""
    fresh = {"made_of": made_of(), "games": 0, "decisions": 0, "capped": 0, "seats": {}, "editions": {}, "broken": []}
    if place is None or not place.exists():
        return fresh
    kept: dict[str, Any] = json.loads(place.read_text(encoding="utf-8"))
    if kept.get("made_of") != fresh["made_of"]:
        print("rules or players have changed since the last run: from the first game again", flush=True)
        return fresh
    print(f"going on after {kept['games']} games", flush=True)
    return kept


def main() -> int:
    """Play, tell, and say whether all is well."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--resume", type=Path, help="a file that keeps how far an earlier run came")
    chosen = parser.parse_args()
    kept = earlier(chosen.resume)
    seats, editions = Counter(kept["seats"]), Counter(kept["editions"])
    begun = time.monotonic()
    play(0)  # compiled once, before others need it
    with multiprocessing.get_context("spawn").Pool(chosen.jobs) as pool:
        numbers = range(kept["games"], chosen.games)
        for number, edition, levels, decisions, capped, complaint in pool.imap(play, numbers, chunksize=4):
            seats.update(levels)
            editions[edition] += 1
            kept["games"], kept["capped"] = number + 1, kept["capped"] + capped
            kept["decisions"] += decisions
            if complaint:
                kept["broken"].append(number)
                print(f"game {number}, {edition}, {', '.join(levels)}:\n{complaint}", flush=True)
            if (number + 1) % TOLD_EVERY == 0 or number + 1 == chosen.games:
                kept |= {"seats": dict(seats), "editions": dict(editions)}
                if chosen.resume:
                    chosen.resume.parent.mkdir(parents=True, exist_ok=True)
                    chosen.resume.write_text(json.dumps(kept), encoding="utf-8")
                seconds = time.monotonic() - begun
                print(
                    f"{kept['games']} games, {kept['decisions']:,} decisions, {kept['capped']} capped,"
                    f" {len(kept['broken'])} broken, {seconds:.0f} s",
                    flush=True,
                )
    print(f"seats {dict(seats)}, editions {dict(editions)}")
    return 1 if kept["broken"] else 0


if __name__ == "__main__":
    sys.exit(main())
