"""For all tests of storage: where a database may be."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """The file of an SQLite database, for tests of what only a file has."""
    return tmp_path / "h.db"


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
