"""What the shipped players decide on a kept set of views, compared with what they decided when it was kept.

    python -m tools.decisions             # who decides otherwise than is kept, and where
    python -m tools.decisions --write     # keep what they decide now

`data/views.txt` holds views of games in all editions, with house rules and for two, chosen so that every player does
every kind of thing on some of them; `src/hexholm/bots/data/decisions.json` what each did, by which
tournaments know a player (:mod:`hexholm.arena.fingerprints`). Moved files, new names and comments change none of it. A
test decides anew, so no change of a decision goes unseen.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from hexholm.bots import shipped_bots
from hexholm.bots.protocol import Bot, Effort, choice_code
from hexholm.bots.registry import bot_kind
from hexholm.bots.shipped_bots import SHIPPED, kept_decisions
from hexholm.game.game import SeatView
from hexholm.rules.notation import action_text

VIEWS: Final = Path(__file__).parent / "data" / "views.txt"
FEW_STEPS: Final = Effort(steps=3)
"""How hard a player thinks whose effort can be chosen; in steps, or it could not be repeated."""
MORE_STEPS: Final = Effort(steps=18)
"""The same on every eighth view: `expert` leaves out what is clear after so many steps."""


def decisions_of(name: str, numbers: Sequence[int] | None = None) -> list[str]:
    """What a player does on the kept views, or on those with these numbers.

    After an offer it is asked again on the same view: nobody has agreed, and it remembers what it said.
    """
    kind, views, choices = bot_kind(name), kept_views(), []
    for number in range(len(views)) if numbers is None else numbers:
        view = SeatView.from_text(views[number])
        bot = kind.make(number, None if not kind.takes_effort else FEW_STEPS if number % 8 else MORE_STEPS)
        choice = _answer_text(bot, view)
        choices.append(f"{choice}; {_answer_text(bot, view)}" if choice.startswith(("offer", "counter")) else choice)
    return choices


def _answer_text(bot: Bot, view: SeatView) -> str:
    return action_text(choice_code(bot.choose(view), view.colors, view.facts.observer), view.colors)


def find_differences() -> Iterator[str]:
    """Who decides otherwise than is kept, and where, in lines."""
    for name in SHIPPED:
        kept = kept_decisions().get(name, [])
        for number, choice in enumerate(decisions_of(name)):
            kept_choice = kept[number] if number < len(kept) else "nothing"
            if choice != kept_choice:
                yield f"{name}, view {number + 1}: {kept_choice} before, {choice} now"


def keep_decisions() -> None:
    """Keep what the players decide now."""
    shipped_bots.KEPT_DECISIONS.write_text(
        json.dumps({name: decisions_of(name) for name in SHIPPED}, indent=1) + "\n", encoding="utf-8"
    )
    kept_decisions.cache_clear()


@cache
def kept_views() -> tuple[str, ...]:
    """The views on which they decide, as texts."""
    return tuple(VIEWS.read_text(encoding="utf-8").splitlines())


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare, or write; 1: somebody decides otherwise."""
    parser = argparse.ArgumentParser(prog="python -m tools.decisions", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--write", action="store_true", help="keep what the players decide now")
    if parser.parse_args(arguments).write:
        keep_decisions()
        return 0
    lines = list(find_differences())
    print("\n".join(lines) if lines else "all decide as before")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
