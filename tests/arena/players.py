"""Players for the tests of the arena; workers find them here by name."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from hexholm.bots.shipped.random_player import Random
from hexholm.game.action import Action
from hexholm.game.cards import Cards
from hexholm.game.game import SeatView


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


class Unfathomable:
    """Raises whatever is done with it."""

    def __index__(self) -> int:
        raise ZeroDivisionError

    def __repr__(self) -> str:
        raise ZeroDivisionError


class Leaver(Unfathomable):
    """Ends the program when it is looked at."""

    def __index__(self) -> int:
        raise SystemExit(3)

    def __repr__(self) -> str:
        raise SystemExit(3)


class Canceller(Unfathomable):
    """Raises what is no Exception."""

    def __index__(self) -> int:
        raise asyncio.CancelledError

    def __repr__(self) -> str:
        raise GeneratorExit


class Veiled(type):
    """A class of such classes has not even a name to show."""

    @property
    def __name__(cls) -> str:  # type: ignore[override]
        raise ZeroDivisionError


class Nameless(Unfathomable, metaclass=Veiled):
    """Nothing at all can be said about it."""


ANSWERS: tuple[tuple[Any, str], ...] = (
    (Action("offer", give=Cards("1 ore"), want=Cards("1 wool"), to=["blue"]), "an Action with to=['blue'], which has"),  # type: ignore[arg-type]
    (Action("settlement", place=["C3n"]), "an Action with place=['C3n'], which has to be of type str"),  # type: ignore[arg-type]
    (Action("year-of-plenty", want="ore wool"), "an Action with want='ore wool', which has to be of type Cards"),  # type: ignore[arg-type]
    (Action("roll", by=np.array([1, 2])), "an Action with by=array([1, 2]), which has to be of type str"),  # type: ignore[arg-type]
    (np.array([1, 2]), "array([1, 2]) is no action: answer with an Action, a text or a code"),
    (int, "<class 'int'> is no action: answer with an Action, a text or a code"),
    (Unfathomable(), "a Unfathomable that cannot be shown is no action"),
    (Leaver(), "a Leaver that cannot be shown is no action"),
    (Canceller(), "a Canceller that cannot be shown is no action"),
)
"""Answers that are none, and what is said to them."""


class Wrong(Random):
    """Gives one wrong answer after the other."""

    def __init__(self, seed: int | str = 0) -> None:
        super().__init__(seed)
        self._answers = iter([*(answer for answer, _ in ANSWERS), Nameless()])

    def choose(self, view: SeatView) -> Any:
        for answer in self._answers:
            return answer
        return super().choose(view)


class Speechless(Exception):
    """An exception that cannot say what it is about."""

    def __str__(self) -> str:
        raise ZeroDivisionError


class Mute(Random):
    """Raises that once, and once something that cannot be printed."""

    def choose(self, view: SeatView) -> int:
        if view.turn == 0:
            raise Speechless
        if view.turn < 5:
            raise ArithmeticError("half a character: \ud800")
        return super().choose(view)


class Sudden(BaseException):
    """No Exception, and it cannot say what it is about."""

    def __str__(self) -> str:
        raise SystemExit(6)


class Cancelled(Random):
    """Raises what no `except Exception` catches."""

    def choose(self, view: SeatView) -> int:
        if view.turn < 3:
            raise (asyncio.CancelledError, GeneratorExit, Sudden)[view.turn]
        return super().choose(view)


class Spoiling(Random):
    """Spoils its view and then answers with nothing."""

    def choose(self, view: SeatView) -> Any:
        view.raw.buffer[:] = 0
        view.legal_actions.codes[:] = []
        return None


class Clinging(Random):
    """Fails when its game is over."""

    def close(self) -> None:
        raise OSError("the notebook is gone")


class Storming(Random):
    """Ends the program when its game is over."""

    def close(self) -> None:
        sys.exit(5)


class Torn(Random):
    """Raises what is no Exception when its game is over."""

    def close(self) -> None:
        raise asyncio.CancelledError


class Closing(Random):
    """Counts how often it was made, and closed."""

    made = 0
    closed = 0

    def __init__(self, seed: int | str = 0) -> None:
        super().__init__(seed)
        type(self).made += 1

    def close(self) -> None:
        type(self).closed += 1


class Chatty(Random):
    """Offers the same again and again."""

    def choose(self, view: SeatView) -> int | Action:  # type: ignore[override]
        if view.phase == "main" and view.active == view.seat:
            give = next((kind for kind, n in view.hand.items() if n), None)
            take = "ore" if give != "ore" else "wool"
            if give is not None and not view.offers:
                opponents = tuple(color for color in view.colors if color != view.seat)
                offer = Action.of(f"offer 1 {give} : 1 {take} to {' '.join(opponents)}")
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


class Elusive:
    """Cannot be made, and raises no Exception."""

    def __init__(self, seed: int | str = 0) -> None:  # noqa: ARG002
        raise asyncio.CancelledError
