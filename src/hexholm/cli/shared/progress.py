"""Progress bars on stderr, for commands that play or check many games."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any, Final, Self

BAR_AFTER: Final = 0.5  # seconds before a progress bar is worth its while
LONG_SILENCE: Final = 15.0
"""After so many seconds without the end of a game the patient bar says so."""


class ProgressBar:
    """A progress bar on stderr, if that is a terminal and the wait is long enough to want one."""

    def __init__(self) -> None:
        self.started_at = 0.0
        self.bar: Any = None
        self.task: Any = None
        self.enabled = sys.stderr.isatty()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, error_type: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.bar is not None:
            self.bar.stop()

    def update(self, games_done: int, total: int, description: str = "games") -> None:
        """Show that `games_done` of `total` games are over, with a few words beside it."""
        if not self.enabled:
            return
        now = time.perf_counter()
        if not self.started_at:
            self.started_at = now
        if self.bar is None and now - self.started_at > BAR_AFTER and games_done < total:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

            columns = TextColumn("{task.description}"), BarColumn(20), MofNCompleteColumn(), TimeRemainingColumn()
            self.bar = Progress(*columns, console=Console(stderr=True), transient=True)
            self.task = self.bar.add_task("", total=total)
            self.bar.start()
        if self.bar is not None:
            self.bar.update(self.task, completed=games_done, description=description)


class PatientBar(ProgressBar):
    """A progress bar from the first moment on, which says when no game has ended for a while."""

    def __init__(self) -> None:
        super().__init__()
        self.last_update = 0.0
        self.before_first = True

    def begin(self, games_done: int, total: int) -> None:
        """Show the bar, with those games that were played before."""
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TimeRemainingColumn
        from rich.text import Text

        class Description(ProgressColumn):
            def render(_, task: Task) -> Text:  # noqa: N805  # `self` is the bar
                return Text(self.idle_text(time.monotonic()) or task.description)

        self.last_update = time.monotonic()
        columns = Description(), BarColumn(20), MofNCompleteColumn(), TimeRemainingColumn()
        self.bar = Progress(*columns, console=Console(stderr=True), transient=True)
        self.task = self.bar.add_task("games", total=total, completed=games_done)
        self.bar.start()

    def update(self, games_done: int, total: int, description: str = "games") -> None:
        """A game has ended."""
        self.last_update, self.before_first = time.monotonic(), False
        super().update(games_done, total, description)

    def idle_text(self, now: float) -> str:
        """For how long nothing has happened, if that is long."""
        idle = now - self.last_update
        if idle < LONG_SILENCE:
            return ""
        duration = f"{idle:.0f} s" if idle < 120 else f"{idle / 60:.0f} min"
        return (
            f"the first game is still being played: {duration}"
            if self.before_first
            else f"no game has ended for {duration}"
        )
