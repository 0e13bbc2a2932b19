"""What the friendly face costs: `python -m bench.game`.

A whole random game is played again through `Game`, compiled, in several rounds; the best round counts. Microseconds
for one call.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from typing import Any

import hexholm
from hexholm.rules.compilation.kernels import all_kernels_digest
from hexholm.rules.encoding.structs import NATURE
from hexholm.rules.simulate import replay_game

SEED, NUMBER = 1, 7  # a game of 2,384 steps


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=7, help="rounds, of which the best counts (default 7)")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of lines")
    arguments = parser.parse_args()
    figures = measure(arguments.rounds)
    if arguments.json:
        print(json.dumps(figures))
        return
    print(f"{'kernels':<46} {all_kernels_digest()}")
    for name, value in figures.items():
        print(f"{name:<46} {value:,.1f}")


def measure(rounds: int) -> dict[str, float]:
    """All figures, in microseconds."""
    replay = replay_game(hexholm.options(edition="fifth", setup="variable"), SEED, NUMBER, compiled=True)
    decisions = [(seat, code) for seat, code in replay.steps if seat != NATURE]
    colors = replay.referee.colors
    texts = [(colors[seat], replay.referee.action_text(code)) for seat, code in decisions]
    actions = [hexholm.Action.of(text, by) for by, text in texts]

    def begin() -> hexholm.Game:
        option_values = replay.referee.options.as_dict()
        return hexholm.Game(
            board=replay.referee.layout, dealer=hexholm.Seeded(SEED, NUMBER), compiled=True, **option_values
        )

    def time_moves(moves: list[Any], play: Callable[[hexholm.Game, Any], Any]) -> float:
        game = begin()
        started_at = time.perf_counter()
        for move in moves:
            play(game, move)
        return (time.perf_counter() - started_at) / len(moves) * 1e6

    def time_views(moves: list[Any]) -> float:
        game, spent = begin(), 0.0
        for move_number, move in enumerate(moves):
            game.play(move[1], by=move[0])
            if move_number % 5 == 0:
                started_at = time.perf_counter()
                for color in colors:
                    game.view(color)
                spent += time.perf_counter() - started_at
        return spent / (len(moves) / 5 * len(colors)) * 1e6

    def best(measurement: Callable[[], float]) -> float:
        return min(measurement() for _ in range(rounds))

    def time_call(call: Callable[[], Any], times: int = 200) -> float:
        def once() -> float:
            started_at = time.perf_counter()
            for _ in range(times):
                call()
            return (time.perf_counter() - started_at) / times * 1e6

        return best(once)

    midgame = begin()
    for seat, code in decisions[: len(decisions) // 2]:
        midgame.play(code, by=seat)
    view = midgame.view(colors[0])
    return {
        "play, an action as text (limit 25)": best(lambda: time_moves(texts, lambda g, m: g.play(m[1], by=m[0]))),
        "play, an Action": best(lambda: time_moves(actions, lambda g, m: g.play(m))),
        "play, a code": best(lambda: time_moves(decisions, lambda g, m: g.play(m[1], by=m[0]))),
        "play, and its events looked at": best(lambda: time_moves(decisions, lambda g, m: len(g.play(m[1], by=m[0])))),
        "view (limit 50)": best(lambda: time_views(decisions)),
        "legal_actions": time_call(lambda: midgame.legal_actions),
        "copy": time_call(midgame.copy),
        "undo and play again": time_call(lambda: midgame.play(midgame.undo() or "")),
        "view.legal_actions": time_call(lambda: len(midgame.view(colors[0]).legal_actions)),
        "view.odds of a hand": time_call(lambda: midgame.view(colors[0]).odds(colors[1])),
        "view.development_odds": time_call(lambda: midgame.view(colors[0]).development_odds(colors[1])),
        "view.sample": time_call(lambda: view.sample(1)),
        "position": time_call(midgame.position),
        "from_position": time_call(lambda: hexholm.Game.from_position(midgame.position()), 20),
        "record as text, half a game": time_call(lambda: midgame.record().text(), 3),
        "svg": time_call(midgame.svg, 5),
    }


if __name__ == "__main__":
    main()
