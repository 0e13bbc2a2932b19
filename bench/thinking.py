"""How long a player thinks about a decision, in processor time: `python -m bench.thinking hard --games 4`.

Four of the player, or as many as sit there, play whole games of several kinds; the goal of `hard` is at most 100 ms for
99 of 100 decisions on an idle core. Processor time counts, so other programs disturb it less than a clock.
"""

from __future__ import annotations

import argparse
import time
from typing import Any, Final

import numpy as np

from hexholm.bots.protocol import choice_code
from hexholm.bots.registry import bot_kind, part_of
from hexholm.game.action import Action
from hexholm.game.game import Game
from hexholm.rules.compilation import mode
from hexholm.rules.encoding.action_codes import decline_instead
from hexholm.rules.reasons import IllegalAction

KINDS: Final[tuple[dict[str, Any], ...]] = (
    {"edition": "fifth", "setup": "variable", "players": 4},
    {"edition": "sixth", "setup": "variable", "players": 3},
    {"edition": "threed", "setup": "variable", "players": 4},
    {"edition": "summary", "setup": "variable", "players": 4},
    {"edition": "zip", "players": 4},
    {"edition": "fifth", "setup": "variable", "players": 2, "two_players": True},
    {"edition": "fifth", "setup": "variable", "players": 4, "points_to_win": 14},
)
MOST_TURNS: Final = 1_000


def decision_times(name: str, games: int, seed: int, options: dict[str, Any]) -> list[float]:
    """Processor time of every decision, in ms."""
    spent = []
    for number in range(seed, seed + games):
        game = Game(seed=number, compiled=True, **options)
        bots = {color: bot_kind(name).make(f"{number} {color}", None) for color in game.colors}
        while not game.over and game.turn <= MOST_TURNS:
            color = game.to_act[0]
            view = game.view(color)
            started_at = time.process_time()
            answer = bots[color].choose(view)
            spent.append(1000 * (time.process_time() - started_at))
            code = choice_code(answer, game.colors, game.colors.index(color))
            try:
                game.play(Action.of_code(code, game.colors), by=color)
            except IllegalAction:  # a trade whose cards are gone, which the seat could not know
                game.play(Action.of_code(decline_instead(code), game.colors), by=color)
    return spent


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m bench.thinking", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("player", nargs="?", default="hard")
    parser.add_argument("--games", type=int, default=4, help="of each kind")
    parser.add_argument("--seed", type=int, default=900)
    arguments = parser.parse_args()
    mode.use_once([part_of(arguments.player)], compiled=True)  # nothing is compiled while the clock runs
    for kind in KINDS:
        spent = np.array(decision_times(arguments.player, arguments.games, arguments.seed, kind))
        median, percentile_99, longest = np.percentile(spent, [50, 99, 100])
        kind_text = " ".join(f"{key}={value}" for key, value in kind.items())
        figures = f"mean {spent.mean():.1f} ms, median {median:.1f}, 99 % {percentile_99:.1f}, most {longest:.1f}"
        print(f"{kind_text}: {len(spent)} decisions, {figures}", flush=True)


if __name__ == "__main__":
    main()
