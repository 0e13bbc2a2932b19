"""One writer for all tables: what waits while a commit runs goes into the next one, together.

A commit costs nearly the same for one batch as for fifty, so the busier the host, the more each commit carries. A
commit is made in a thread of its own, in one go: with every statement sent from the event loop, as readers do, a lone
commit took four times as long, and most of that was time the loop had not got for others.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from typing import Any, Final, NamedTuple, overload

from sqlalchemy import Engine

from ..storage_errors import Conflict, StorageFailed
from ..values import StorageFigures, Writes
from .checkpoints import Checkpoints
from .commit import Committer, JobResultT, WriteJob, storage_failure

MOST_AT_ONCE: Final = 500
"""Batches in a commit: more would let the first wait for the last."""
NewCheckpoints = Callable[[Engine, Committer, ThreadPoolExecutor], Checkpoints | None]
"""Makes what keeps the write-ahead log short, for databases that need it."""


class _WaitingWork(NamedTuple):
    """What no commit has taken up yet."""

    work: Writes | WriteJob[Any]
    future: asyncio.Future[Any]
    since: float


class Writer:
    """Takes batches and jobs, commits them in groups."""

    def __init__(self, engine: Engine, new_checkpoints: NewCheckpoints) -> None:
        self.figures = StorageFigures()
        self._committer = Committer(engine)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="storage-writer")
        self._checkpoints = new_checkpoints(engine, self._committer, self._thread)
        self._waiting: deque[_WaitingWork] = deque()
        self._wake = asyncio.Event()
        self._closing = False
        self.is_failing = False
        """Whether the last commit failed."""
        self._task = asyncio.create_task(self._run(), name="storage writer")

    @property
    def queue_length(self) -> int:
        """Batches and jobs that no commit has taken up yet."""
        return len(self._waiting)

    @property
    def queue_seconds(self) -> float:
        """For how long the first of them has waited."""
        return monotonic() - self._waiting[0].since if self._waiting else 0.0

    @overload
    async def write(self, work: Writes) -> None: ...
    @overload
    async def write(self, work: WriteJob[JobResultT]) -> JobResultT: ...
    async def write(self, work: Writes | WriteJob[Any]) -> Any:
        """Return what a job returned (a batch: None) after the commit. To stop waiting does not stop the writing."""
        if self._closing or self._task.done():
            raise StorageFailed("the storage is closed")
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting.append(_WaitingWork(work, future, monotonic()))
        self._wake.set()
        return await future

    def truncate_wal(self) -> None:
        """Leave nothing in the write-ahead log, as soon as that is possible."""
        if self._checkpoints is not None:
            self._checkpoints.truncate_wal()

    async def close(self) -> None:
        """Commit what waits, then stop."""
        self._closing = True
        self._wake.set()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task
        if self._checkpoints is not None:
            await self._checkpoints.close()
        await asyncio.get_running_loop().run_in_executor(self._thread, self._committer.disconnect)
        self._thread.shutdown()

    async def _run(self) -> None:
        group: list[_WaitingWork] = []
        try:
            while True:
                await self._wake.wait()
                self._wake.clear()
                while self._waiting:
                    group = [self._waiting.popleft() for _ in range(min(MOST_AT_ONCE, len(self._waiting)))]
                    await self._commit(group)
                if self._closing:
                    return
        finally:  # also where the task is cancelled: nobody waits for ever
            for _, future, _since in (*group, *self._waiting):
                _resolve(future, StorageFailed("the storage was closed before this was surely written"))
            self._waiting.clear()

    async def _commit(self, group: list[_WaitingWork]) -> None:
        """Write a group and answer everybody in it."""
        loop = asyncio.get_running_loop()
        try:
            outcomes = await loop.run_in_executor(
                self._thread, self._committer.commit, [waiting.work for waiting in group]
            )
        except Exception as error:  # the writer goes on whatever happened, and those who wait are told
            self.figures.failures += 1
            self.is_failing = True
            for _, future, _since in group:
                _resolve(future, storage_failure(error))
            return
        self.figures.commits += 1
        self.is_failing = False
        if self._checkpoints is not None:
            self._checkpoints.wake()
        for (work, future, _since), outcome in zip(group, outcomes, strict=True):
            if isinstance(outcome, Conflict):
                self.figures.conflicts += 1
            elif isinstance(work, Writes) and outcome is None:
                self.figures.batches += 1
                self.figures.entries += len(work.entries)
            _resolve(future, outcome)


def _resolve(future: asyncio.Future[Any], outcome: Any) -> None:
    """Wake the one who waits, if still there."""
    if future.done():
        return
    if isinstance(outcome, Exception):
        future.set_exception(outcome)
    else:
        future.set_result(outcome)
