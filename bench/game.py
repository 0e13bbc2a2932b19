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
from hexholm.rules.compiled import source_hash
from hexholm.rules.core.encoding.structs import NATURE
from hexholm.rules.simulate import replay_game

SEED, NUMBER = 1, 7  # a game of 2,384 steps


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=7, help="rounds, of which the best counts (default 7)")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of lines")
    chosen = parser.parse_args()
    figures = measure(chosen.rounds)
    if chosen.json:
        print(json.dumps(figures))
        return
    print(f"{'sources':<46} {source_hash()}")
    for name, value in figures.items():
        print(f"{name:<46} {value:,.1f}")


def measure(rounds: int) -> dict[str, float]:
    """All figures, in microseconds."""
    found = replay_game(hexholm.options(edition="fifth", setup="variable"), SEED, NUMBER, compiled=True)
    decisions = [(seat, code) for seat, code in found.steps if seat != NATURE]
    colors = found.referee.colors
    texts = [(colors[seat], found.referee.say(code)) for seat, code in decisions]
    actions = [hexholm.Action.of(text, by) for by, text in texts]

    def begin() -> hexholm.Game:
        own = found.referee.options.as_dict()
        return hexholm.Game(board=found.referee.layout, dealer=hexholm.Seeded(SEED, NUMBER), compiled=True, **own)

    def through(moves: list[Any], play: Callable[[hexholm.Game, Any], Any]) -> float:
        game = begin()
        started = time.perf_counter()
        for move in moves:
            play(game, move)
        return (time.perf_counter() - started) / len(moves) * 1e6

    def views(moves: list[Any]) -> float:
        game, spent = begin(), 0.0
        for at, move in enumerate(moves):
            game.play(move[1], by=move[0])
            if at % 5 == 0:
                started = time.perf_counter()
                for color in colors:
                    game.view(color)
                spent += time.perf_counter() - started
        return spent / (len(moves) / 5 * len(colors)) * 1e6

    def best(measured: Callable[[], float]) -> float:
        return min(measured() for _ in range(rounds))

    def each(call: Callable[[], Any], times: int = 200) -> float:
        def once() -> float:
            started = time.perf_counter()
            for _ in range(times):
                call()
            return (time.perf_counter() - started) / times * 1e6

        return best(once)

    end = begin()
    for seat, code in decisions[: len(decisions) // 2]:
        end.play(code, by=seat)
    view = end.view(colors[0])
    return {
        "play, an action as text (limit 25)": best(lambda: through(texts, lambda g, m: g.play(m[1], by=m[0]))),
        "play, an Action": best(lambda: through(actions, lambda g, m: g.play(m))),
        "play, a code": best(lambda: through(decisions, lambda g, m: g.play(m[1], by=m[0]))),
        "play, and its events looked at": best(lambda: through(decisions, lambda g, m: len(g.play(m[1], by=m[0])))),
        "view (limit 50)": best(lambda: views(decisions)),
        "legal_actions": each(lambda: end.legal_actions),
        "copy": each(end.copy),
        "undo and play again": each(lambda: end.play(end.undo() or "")),
        "view.legal_actions": each(lambda: len(end.view(colors[0]).legal_actions)),
        "view.odds of a hand": each(lambda: end.view(colors[0]).odds(colors[1])),
        "view.card_odds": each(lambda: end.view(colors[0]).card_odds(colors[1])),
        "view.sample": each(lambda: view.sample(1)),
        "position": each(end.position),
        "from_position": each(lambda: hexholm.Game.from_position(end.position()), 20),
        "record as text, half a game": each(lambda: end.record().text(), 3),
        "svg": each(end.svg, 5),
    }


if __name__ == "__main__":
    main()
