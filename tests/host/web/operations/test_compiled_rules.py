"""How many compilers a server starts beside itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from hexholm.host.web.operations.compiled_rules import COMPILER_MEMORY, compilers_at_once


@pytest.mark.parametrize("kib, count", [(8 * COMPILER_MEMORY, 2), (2 * COMPILER_MEMORY, 2), (COMPILER_MEMORY, 1)])
def test_where_little_memory_is_left_one_compiles_and_not_two(tmp_path: Path, kib: int, count: int) -> None:
    memory = tmp_path / "meminfo"
    memory.write_text(f"MemTotal:       16308432 kB\nMemAvailable:    {kib} kB\nBuffers: 1 kB\n", encoding="ascii")
    assert compilers_at_once(memory) == count


def test_where_nobody_tells_there_are_two(tmp_path: Path) -> None:
    assert compilers_at_once(tmp_path / "nothing") == 2
