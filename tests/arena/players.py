"""Players for the tests of the arena; workers find them here by name."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

from hexholm.bots.random_player import Random
from hexholm.game.action import Action
from hexholm.game.seat_view import SeatView


class Raising(Random):
    """Raises an exception on every turn of its own."""

    def choose(self, view: SeatView) -> int:
        if view.active == view.seat and view.phase == "main":
            raise ArithmeticError("seven is not eight")
        return super().choose(view)


class Cheeky:
    """Wants what it may not have, and then what nobody can read."""

    def __init__(self, seed: int | str = 0) -> None:  # noqa: ARG002
        self._calls = 0

    def choose(self, view: SeatView) -> str:  # noqa: ARG002
        self._calls += 1
        return "city A1n" if self._calls % 2 else "please"


class Chatty(Random):
    """Offers the same again and again."""

    def choose(self, view: SeatView) -> int | Action:  # type: ignore[override]
        if view.phase == "main" and view.active == view.seat:
            give = next((kind for kind, n in view.hand.items() if n), None)
            take = "ore" if give != "ore" else "wool"
            if give is not None and not view.offers:
                others = tuple(color for color in view.colors if color != view.seat)
                offer = Action.of(f"offer 1 {give} : 1 {take} to {' '.join(others)}")
                if view.why_not(offer) is None:
                    return offer
            return next(action for action in view.legal_actions if action.kind in ("end", "withdraw"))
        return super().choose(view)


class Deadly(Random):
    """Ends its process once, as a crash would: the file named by an environment variable says that it has."""

    def choose(self, view: SeatView) -> int:
        mark = Path(os.environ["HEXHOLM_TEST_MARK"])
        if view.turn == 3 and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().choose(view)


class AlwaysDeadly(Random):
    """Ends its process in every game."""

    def choose(self, view: SeatView) -> int:  # noqa: ARG002
        os._exit(7)


class Leaving(Random):
    """Wants to end the program, and talks."""

    def choose(self, view: SeatView) -> int:
        print("a word to standard output")
        if 3 <= view.turn < 7 and view.active == view.seat:
            sys.exit(4)
        return super().choose(view)


class Loud(Random):
    """Talks past Python."""

    def choose(self, view: SeatView) -> int:
        os.write(1, b"a word to standard output\n")
        return super().choose(view)


class Slow(Random):
    """Takes its time."""

    def choose(self, view: SeatView) -> int:
        time.sleep(0.002)
        return super().choose(view)


class Noting(Slow):
    """Notes in a file on which node of a cluster it was made."""

    def __init__(self, seed: int | str = 0) -> None:
        super().__init__(seed)
        if "HEXHOLM_TEST_NOTES" in os.environ:
            import ray

            with Path(os.environ["HEXHOLM_TEST_NOTES"]).open("a") as file:
                file.write(f"{ray.get_runtime_context().get_node_id() if ray.is_initialized() else ''} {seed}\n")
            time.sleep(0.3)  # long enough for the node to be lost in the middle of a game


class Impossible:
    """Cannot be made."""

    def __init__(self, seed: int | str = 0) -> None:
        raise ZeroDivisionError(seed)
