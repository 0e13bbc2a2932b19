"""A server in a process of its own, as people run it: it can be killed and started again."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Self

STARTS = 60
"""Seconds that a start may take."""


class Host:
    """`hexholm serve` with a database, on a port that stays the same once it was chosen."""

    def __init__(
        self,
        database: Path,
        *words: str,
        python: str | Path = sys.executable,
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
    ) -> None:
        self.database, self.words, self.python = database, words, python
        self.env, self.cwd = {**(env or os.environ), "PYTHONUNBUFFERED": "1"}, cwd
        self.url = ""
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def port(self) -> str:
        """Its port; 0 stands for any before the first start."""
        return self.url.rpartition(":")[2] or "0"

    def start(self) -> None:
        """Start it and wait until it answers."""
        command = [str(self.python), "-m", "hexholm", "serve", "--port", self.port, "--db", str(self.database)]
        extra = ["--quiet", "--no-limits", "--bot-delay", "0", *self.words]
        self._process = subprocess.Popen(
            [*command, *extra], stdout=subprocess.PIPE, text=True, env=self.env, cwd=self.cwd
        )
        assert self._process.stdout is not None
        said = self._process.stdout.readline()
        found = re.search(r"http://\S+", said)
        if found is None:
            self.stop()
            raise AssertionError(f"the server did not start; it said {said!r}")
        self.url = found[0]

    def kill(self) -> None:
        """End it at once, as a power cut would."""
        self._end(signal.SIGKILL if os.name != "nt" else signal.SIGTERM)

    def stop(self) -> None:
        """End it in order."""
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        if self._process is None:
            return
        self._process.send_signal(how)
        try:
            self._process.wait(STARTS)
        finally:
            if self._process.poll() is None:
                self._process.kill()
            if self._process.stdout is not None:
                self._process.stdout.close()
            self._process = None
