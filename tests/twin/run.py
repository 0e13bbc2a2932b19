"""Play the compiled core against the naive twin, many games, and count the rare events that occurred.

    python -m tests.twin.run --games 300                      # what `make test` does
    python -m tests.twin.run --games 5000 --resume .fuzz      # what `make fuzz` does: goes on where it stopped

Exits 1 on any disagreement, and when 300 games or more have not shown every rare event that must be seen. The games of
corpus.txt beside this file are played first, always.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
import time
import traceback
from collections import Counter
from pathlib import Path

from tests.twin.duel import Disagreement, Duel

CORPUS = Path(__file__).with_name("corpus.txt")
MUST_SEE = (
    "award_broken", "road_award_tied_kept", "award_set_aside", "award_returned", "award_moved", "army_moved",
    "shortage_one_taker", "shortage_several", "empty_deck_refused", "deck_emptied", "last_road", "last_settlement",
    "last_city", "monopoly_under_open_offer", "accept_after_cards_gone", "target_points_on_others_turn",
    "won_at_turn_start", "road_building_one_road", "year_of_plenty_short", "theft_from_empty_hand", "victim_choice",
    "robber_without_victim", "discards_simultaneous", "offer_open_at_turn_end", "counter_offer", "exchange_by_confirm",
    "exchange_by_accept", "ninth_offer_refused", "start_roll_tie", "win_by_hidden_points", "ring_counted",
)  # fmt: skip


def corpus() -> list[int]:
    """Games that are played first."""
    lines = CORPUS.read_text(encoding="utf-8").splitlines() if CORPUS.exists() else []
    return [int(line.split("#")[0]) for line in lines if line.split("#")[0].strip()]


def play(number: int) -> tuple[int, int, bool, dict[str, int], str]:
    """One game: number, steps, over, rare events, complaint."""
    try:
        result = Duel(number).run()
        return number, result.steps, result.over, dict(result.events), ""
    except Disagreement as error:
        return number, 0, False, {}, str(error)
    except Exception:
        return number, 0, False, {}, f"game {number} broke:\n{traceback.format_exc(limit=6)}"


def main() -> int:
    """Run, report, and say whether all is well."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=300, help="games to play in all")
    parser.add_argument("--minutes", type=float, default=0, help="stop after this time, if not 0")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--resume", type=Path, help="folder that keeps how far an earlier run came")
    arguments = parser.parse_args()
    start = time.monotonic()
    event_counts: Counter[str] = Counter()
    game_by_event: dict[str, int] = {}
    complaints: list[int] = []
    done, steps, over = 0, 0, 0
    state_file = arguments.resume / "state.json" if arguments.resume else None
    if state_file and state_file.exists():
        saved = json.loads(state_file.read_text(encoding="utf-8"))
        done, steps, over, event_counts = saved["done"], saved["steps"], saved["over"], Counter(saved["events"])
        complaints = saved["bad"]
        print(f"going on after {done} games" + (f", of which {complaints} disagree" if complaints else ""))
    Duel(0).run(3)  # compile once, before the workers start
    corpus_games = corpus()
    numbers = corpus_games + list(range(done, arguments.games))
    with multiprocessing.get_context("spawn").Pool(arguments.jobs) as pool:
        for i, (number, n, ended, events, complaint) in enumerate(pool.imap(play, numbers, chunksize=2)):
            event_counts.update(events)
            game_by_event = {event: number for event, n in events.items() if n} | game_by_event
            steps, over, done = steps + n, over + ended, done + (i >= len(corpus_games))
            if complaint:
                complaints.append(number)
                print(complaint, flush=True)
            if state_file and (done % 20 == 0 or complaint or done == arguments.games):
                state_file.parent.mkdir(parents=True, exist_ok=True)
                saved = {"done": done, "steps": steps, "over": over, "events": dict(event_counts), "bad": complaints}
                state_file.write_text(json.dumps(saved, indent=1), encoding="utf-8")
            if arguments.minutes and time.monotonic() - start > 60 * arguments.minutes:
                print(f"stopped after {arguments.minutes} minutes")
                pool.terminate()
                break
            if len(complaints) >= 5:
                pool.terminate()
                break
    print(f"{done} games, {over} of them to the end, {steps} steps, {time.monotonic() - start:.0f} s")
    for event in MUST_SEE:
        print(
            f"  {event_counts[event]:7d}  {event}"
            + (f" (game {game_by_event[event]})" if event in game_by_event else "")
        )
    # a few games, to look at one change, cannot show everything
    missing = [event for event in MUST_SEE if not event_counts[event]] if arguments.games >= 300 else []
    if missing:
        print("never seen:", ", ".join(missing))
    if complaints:
        print("core and twin disagree in games", complaints)
    if done < arguments.games:
        print(f"only {done} of {arguments.games} games were played")
    failed = len(complaints) + len(missing) + (done < arguments.games)
    print(f"{len(corpus_games) + done - len(complaints)} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
