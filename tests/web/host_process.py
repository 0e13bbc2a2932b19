"""A server in a process of its own, as people run it: it can be killed and started again. And a line to cut."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

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
        first_line = self._process.stdout.readline()
        match = re.search(r"http://\S+", first_line)
        if match is None:
            self.stop()
            raise AssertionError(f"the server did not start; it said {first_line!r}")
        self.url = match[0]

    def kill(self) -> None:
        """End it at once, as a power cut would."""
        self._end(signal.SIGKILL if os.name != "nt" else signal.SIGTERM)

    def stop(self) -> None:
        """End it in order."""
        self._end(signal.SIGTERM)

    def _end(self, signal_number: signal.Signals) -> None:
        if self._process is None:
            return
        self._process.send_signal(signal_number)
        try:
            self._process.wait(STARTS)
        finally:
            if self._process.poll() is None:
                self._process.kill()
            if self._process.stdout is not None:
                self._process.stdout.close()
            self._process = None


class Line:
    """A line between a browser and a server, with an address of its own: it can be cut, and mended.

    `delay` is how many seconds everything takes from one end to the other.
    """

    def __init__(self, url: str, delay: float = 0) -> None:
        self._to, self._delay = urlsplit(url), delay
        self._door = socket.create_server(("127.0.0.1", 0))
        self._ends: list[socket.socket] = []
        self._is_cut = False
        self.url = f"http://127.0.0.1:{self._door.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.cut()
        self._door.close()

    def cut(self) -> None:
        """Nothing comes through, and what was under way is lost."""
        self._is_cut = True
        for end in self._ends:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
        self._ends.clear()

    def mend(self) -> None:
        """All is well again."""
        self._is_cut = False

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client_end, _ = self._door.accept()
                if self._is_cut:
                    client_end.close()
                    continue
                server_end = socket.create_connection((self._to.hostname or "", self._to.port or 80))
                self._ends += (client_end, server_end)
                for pair in ((client_end, server_end), (server_end, client_end)):
                    threading.Thread(target=self._pass, args=pair, daemon=True).start()

    def _pass(self, source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                time.sleep(self._delay)
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)
