"""A PostgreSQL server for the tests; `python -m tests.host.postgres` installs the programs where that is allowed.

A cluster of its own in a temporary folder, reached by a socket in that folder and nothing else. It runs as an
unprivileged user, as PostgreSQL asks for. It does not wait for the disk: what the tests kill is programs, not the
machine.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import psycopg

from tests.helpers import debian

PACKAGE: Final = "postgresql"
MISSING: Final = (
    "The tests of storage need PostgreSQL's programs. On Debian or Ubuntu:\n"
    f"  sudo apt-get update && sudo apt-get install --no-install-recommends {PACKAGE}\n"
    "Elsewhere install PostgreSQL and have initdb in the PATH, or name its folder: POSTGRES=/path/to/bin make face"
)
LONGEST: Final = 60.0
USERS: Final = ("postgres", "nobody")
"""As whom root runs it: the first of them that there is."""


def find() -> Path | None:
    """The folder of PostgreSQL's programs, if there is one; of several versions the newest."""
    if folder := os.environ.get("POSTGRES"):
        return Path(folder) if shutil.which("initdb", path=folder) else None
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[-3]))
    program = debian[-1] if debian else shutil.which("initdb")
    return None if program is None else Path(program).resolve().parent


class Cluster:
    """A server with databases for tests; it can be killed and started again."""

    def __init__(self, folder: Path) -> None:
        programs = find()
        assert programs is not None, MISSING
        self._programs, self._folder, self._numbers = programs, folder, itertools.count(1)
        self._process: subprocess.Popen[bytes] | None = None
        self._user: dict[str, Any] = {}
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            name = next(name for name in USERS if _user_exists(name))
            shutil.chown(folder, name)
            self._user = {"user": name, "extra_groups": []}
        command = ["--no-sync", "--encoding=UTF8", "--locale=C", "--auth=trust", "--username=hexholm"]
        subprocess.run(
            [self._programs / "initdb", *command, f"--pgdata={folder / 'data'}"],
            check=True,
            stdout=subprocess.DEVNULL,
            cwd=folder,
            **self._user,
        )
        self.start()

    def start(self) -> None:
        """Start it, and wait until it takes connections; what a kill left behind may be in the way at first."""
        end = time.monotonic() + LONGEST
        while not self._is_up():
            if self._process is None or self._process.poll() is not None:
                self._process = self._start_process()
            assert time.monotonic() < end, (self._folder / "log").read_text(errors="replace")[-2000:]
            time.sleep(0.05)

    def _start_process(self) -> subprocess.Popen[bytes]:
        settings = {
            "listen_addresses": "",
            "unix_socket_directories": str(self._folder),
            "fsync": "off",
            "max_connections": "40",
            "shared_buffers": "16MB",
        }
        options = [f"--{name}={value}" for name, value in settings.items()]
        with (self._folder / "log").open("ab") as log:
            return subprocess.Popen(
                [self._programs / "postgres", "-D", self._folder / "data", *options],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self._folder,
                **self._user,
            )

    def _is_up(self) -> bool:
        with contextlib.suppress(psycopg.OperationalError), psycopg.connect(self.address("postgres")):
            return self._process is not None and self._process.poll() is None
        return False

    def kill(self) -> None:
        """kill -9: its processes end as soon as they notice."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def stop(self) -> None:
        """End it at once."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGQUIT)
            self._process.wait(LONGEST)

    def address(self, name: str) -> str:
        """Of one of its databases."""
        return f"postgresql:///{name}?host={self._folder}&user=hexholm"

    def new_database(self, how: str = "") -> str:
        """The address of a new, empty one."""
        name = f"hexholm_{next(self._numbers)}"
        self._order(f"CREATE DATABASE {name} {how}")
        return self.address(name)

    def drop(self, address: str) -> None:
        """Delete one of its databases, whoever looks into it."""
        self._order(f"DROP DATABASE {address.partition('///')[2].partition('?')[0]} WITH (FORCE)")

    def _order(self, statement: str) -> None:
        with psycopg.connect(self.address("postgres"), autocommit=True) as connection:
            connection.execute(statement.encode())


@contextlib.contextmanager
def running_cluster() -> Iterator[Cluster]:
    """A server, stopped and gone at the end."""
    folder = Path(tempfile.mkdtemp(prefix="hexholm-pg-"))
    cluster: Cluster | None = None
    try:
        cluster = Cluster(folder)
        yield cluster
    finally:
        if cluster is not None:
            cluster.stop()
        shutil.rmtree(folder, ignore_errors=True)


def _user_exists(name: str) -> bool:
    import pwd

    return any(user.pw_name == name for user in pwd.getpwall())


def main() -> int:
    """Make sure that there are the programs; returns the exit code."""
    choices = [] if os.environ.get("POSTGRES") else [(PACKAGE,)]
    if debian.install("PostgreSQL for the tests of storage", choices, lambda: find() is not None):
        return 0
    print(MISSING, file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
