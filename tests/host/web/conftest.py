"""For all tests of the web server: one that runs while a module is tested."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ..servers import run_server


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with run_server() as server_url:
        yield server_url
