"""For all tests of the host: bots of tables in this process play alike in every run.

What makes them play as they do is drawn for each table. Whether a game has enough of what a test looks for would depend
on that.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hexholm.host.tables.hall import opening

if TYPE_CHECKING:
    from .postgres import Cluster


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """A PostgreSQL server, one for all tests of a process."""
    from .postgres import running_cluster  # most tests of the host need no driver of PostgreSQL

    with running_cluster() as cluster:
        yield cluster


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A database of either kind, as `--db` names it."""
    if request.param == "sqlite":
        yield str(tmp_path / "h.db")
    else:
        cluster = request.getfixturevalue("cluster")
        address = cluster.new_database()
        yield address
        cluster.drop(address)


@pytest.fixture(autouse=True)
def _the_same_bot_seeds(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    count = itertools.count()

    def bot_seed() -> str:
        return blake2b(f"{request.node.name} {next(count)}".encode(), digest_size=16).hexdigest()

    monkeypatch.setattr(opening, "new_bot_seed", bot_seed)
