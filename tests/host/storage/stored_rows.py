"""What the tests of storage share: rows to append, a storage for a story."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import textwrap
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from hexholm.host.storage import (
    EntryRow,
    Storage,
    Writes,
)


def entry_row_of(seq: int, body: str = "{}", time: float | None = None) -> EntryRow:
    return EntryRow(seq, float(seq) if time is None else time, "played", body, f"hash{seq}")


def entries_batch(table: str, *numbers: int, **more: Any) -> Writes:
    return Writes(table, [entry_row_of(seq) for seq in numbers], **more)


def run_with_storage(path: Path | str, story: Callable[[Storage], Awaitable[None]], **options: Any) -> None:
    """Tell a story with an open storage."""

    async def run() -> None:
        async with Storage(path, **options) as storage:
            await story(storage)

    asyncio.run(run())


def run_script(script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a script in another process."""
    command = [sys.executable, "-W", "error", "-c", textwrap.dedent(script), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
