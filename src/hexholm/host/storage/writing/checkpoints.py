"""From the write-ahead log into the database, beside the writing and not within it.

SQLite by itself does this within some commit or other, which then waits until the disk has it all: a third of a second
now and then, and everybody's commands with it. Here a thread of its own does it, which neither waits for the writer nor
lets it wait. As long as commits come without a pause the log never gets empty that way; once it is long, the writer is
asked to begin it anew, which takes little after all but the last few pages are in the database.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final

from sqlalchemy import Engine

from .commit import DATABASE_ERRORS, Committer, cause_text

PAUSE: Final = 2.0
"""Seconds between two of them, while something is written."""
LONG_WRITE_AHEAD_LOG: Final = 16_384
"""Pages in the log, of 4 KiB, with which it is begun anew."""

logger = logging.getLogger("hexholm.host")


class Checkpoints:
    """Keeps the log short; `wake` it after a commit."""

    def __init__(self, engine: Engine, committer: Committer, writing: ThreadPoolExecutor) -> None:
        self._engine = engine
        self._committer = committer
        self._writing = writing
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="storage-checkpoint")
        self._written = asyncio.Event()
        self._must_truncate = False
        self._task = asyncio.create_task(self._run(), name="storage checkpoints")

    def wake(self) -> None:
        """Something was committed."""
        self._written.set()

    def truncate_wal(self) -> None:
        """Something was deleted: leave nothing of it in the log, as soon as that is possible."""
        self._must_truncate = True
        self._written.set()

    async def close(self) -> None:
        """Stop; the last connection that is closed empties the log."""
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task
        await asyncio.to_thread(self._thread.shutdown)

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await self._written.wait()
            self._written.clear()
            try:
                pages = await loop.run_in_executor(self._thread, self._pages)
                if self._must_truncate:
                    truncated = await loop.run_in_executor(
                        self._writing, partial(self._committer.restart_wal, truncate=True)
                    )
                    self._must_truncate = not truncated
                elif pages > LONG_WRITE_AHEAD_LOG:
                    await loop.run_in_executor(self._writing, self._committer.restart_wal)
            except DATABASE_ERRORS as error:  # nothing is lost: the log keeps it, and the next one may succeed
                logger.warning("the write-ahead log could not be shortened: %s", cause_text(error))
            await asyncio.sleep(PAUSE)
            if self._must_truncate:
                self._written.set()

    def _pages(self) -> int:
        """Move what can be moved without anybody waiting; how many pages the log has."""
        with contextlib.closing(self._engine.raw_connection()) as connection:
            return int(connection.cursor().execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()[1])
