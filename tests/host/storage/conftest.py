"""For the tests of storage: where a database may be."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """The file of an SQLite database, for tests of what only a file has."""
    return tmp_path / "h.db"
