"""Progress bars on stderr, for commands that play or check many games."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any, Final, Self

BAR_AFTER: Final = 0.5  # seconds before a progress bar is worth its while
SILENCE_TOLD: Final = 15.0
"""After so many seconds without the end of a game the patient bar says so."""


class ProgressBar:
    """A progress bar on stderr, if that is a terminal and the wait is long enough to want one."""

    def __init__(self) -> None:
        self.begun = 0.0
        self.bar: Any = None
        self.task: Any = None
        self.wanted = sys.stderr.isatty()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.bar is not None:
            self.bar.stop()

    def update(self, done: int, whole: int, words: str = "games") -> None:
        """Show that `done` of `whole` games are over, with a few words beside it."""
        if not self.wanted:
            return
        now = time.perf_counter()
        if not self.begun:
            self.begun = now
        if self.bar is None and now - self.begun > BAR_AFTER and done < whole:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

            columns = TextColumn("{task.description}"), BarColumn(20), MofNCompleteColumn(), TimeRemainingColumn()
            self.bar = Progress(*columns, console=Console(stderr=True), transient=True)
            self.task = self.bar.add_task("", total=whole)
            self.bar.start()
        if self.bar is not None:
            self.bar.update(self.task, completed=done, description=words)


class PatientBar(ProgressBar):
    """A progress bar from the first moment on, which says when no game has ended for a while."""

    def __init__(self) -> None:
        super().__init__()
        self.last = 0.0
        self.none_yet = True

    def begin(self, done: int, whole: int) -> None:
        """Show the bar, with those games that were played before."""
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TimeRemainingColumn
        from rich.text import Text

        class Description(ProgressColumn):
            def render(_, task: Task) -> Text:  # noqa: N805  # `self` is the bar
                return Text(self.waiting(time.monotonic()) or task.description)

        self.last = time.monotonic()
        columns = Description(), BarColumn(20), MofNCompleteColumn(), TimeRemainingColumn()
        self.bar = Progress(*columns, console=Console(stderr=True), transient=True)
        self.task = self.bar.add_task("games", total=whole, completed=done)
        self.bar.start()

    def update(self, done: int, whole: int, words: str = "games") -> None:
        """A game has ended."""
        self.last, self.none_yet = time.monotonic(), False
        super().update(done, whole, words)

    def waiting(self, now: float) -> str:
        """For how long nothing has happened, if that is long."""
        idle = now - self.last
        if idle < SILENCE_TOLD:
            return ""
        said = f"{idle:.0f} s" if idle < 120 else f"{idle / 60:.0f} min"
        return f"the first game is still being played: {said}" if self.none_yet else f"no game has ended for {said}"
