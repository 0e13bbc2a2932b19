"""For all tests of the web server: one that runs while a module is tested."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ..servers import running


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with running() as found:
        yield found
