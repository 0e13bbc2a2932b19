"""Jobs side by side, each in a forked process with its own copy of src/."""

from __future__ import annotations

import compileall
import contextlib
import hashlib
import json
import os
import shutil
import signal
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .process import fork
from .scope import FILES, HELPERS, ROOT, RULES, SRC, TESTS


@dataclass
class Job:
    """Something to do in a forked process, and what to do with its answer (None: it died or was stopped)."""

    name: str
    begin: Callable[[Path], Callable[[], dict[str, Any]]]  # prepares a copy of src; returns what to run
    done: Callable[[dict[str, Any] | None, float], None]
    limit: float


class Slots:
    """Runs jobs side by side, each in a copy of src/ of its own."""

    def __init__(self, folder: Path, jobs: int) -> None:
        self.folder = folder
        self.free = list(range(jobs))
        self.running: dict[int, tuple[int, Job, float]] = {}  # process: slot, job, begun
        ignored = shutil.ignore_patterns("__pycache__", "*.orig")
        first = folder / "0" / "src"
        shutil.copytree(SRC, first, ignore=ignored)
        self.snapshot = digest(first, sorted((first / "hexholm" / "rules").rglob("*")))
        self.texts = {file: (first / RULES / file).read_text(encoding="utf-8") for file in FILES}
        self.times = {file: (first / RULES / file).stat().st_mtime_ns for file in FILES}
        compileall.compile_dir(first, quiet=2)
        for name in TESTS + HELPERS:
            path = ROOT / name
            (compileall.compile_dir if path.is_dir() else compileall.compile_file)(str(path), quiet=2)
        for slot in range(1, jobs):
            shutil.copytree(first, folder / str(slot) / "src")

    def run(self, jobs: Iterable[Job]) -> None:
        """Do all jobs."""
        queue = iter(jobs)
        has_more = True
        while has_more or self.running:
            while has_more and self.free:
                job = next(queue, None)
                if job is None:
                    has_more = False
                else:
                    self._start(job)
            self._collect()
            time.sleep(0.01)

    def _start(self, job: Job) -> None:
        slot = self.free.pop(0)
        home = self.folder / str(slot)
        for name in ("answer.json", "log"):
            (home / name).unlink(missing_ok=True)
        work = job.begin(home / "src")
        self.running[fork(work, home / "answer.json", home / "log")] = (slot, job, time.monotonic())

    def _collect(self) -> None:
        for process, (slot, job, started_at) in list(self.running.items()):
            seconds = time.monotonic() - started_at
            ended_process, _ = os.waitpid(process, os.WNOHANG)
            if not ended_process:
                if seconds < job.limit:
                    continue
                self._stop(process)
            del self.running[process]
            self.free.append(slot)
            answer = self.folder / str(slot) / "answer.json"
            job.done(json.loads(answer.read_text(encoding="utf-8")) if answer.exists() else None, seconds)

    def _stop(self, process: int) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process, signal.SIGKILL)  # it leads a group of its own, see forked()
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)

    def close(self) -> None:
        """Stop what still runs."""
        for process in list(self.running):
            self._stop(process)
            del self.running[process]


def digest(root: Path, files: Iterable[Path]) -> str:
    """A short hash of names and contents."""
    hasher = hashlib.blake2b(digest_size=10)
    for file in files:
        if file.is_file() and "__pycache__" not in file.parts and file.suffix not in (".orig", ".pyc"):
            hasher.update(f"{file.relative_to(root)}\0".encode() + file.read_bytes() + b"\0")
    return hasher.hexdigest()
