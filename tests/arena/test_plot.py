"""The result of a tournament as a picture."""

from __future__ import annotations

from pathlib import Path

import pytest

from hexholm.arena import tournament
from hexholm.arena.plot import draw
from hexholm.rules.errors import BadInput
from tests.arena.scenes import TO_THREE_POINTS


def test_a_picture_that_cannot_be_written_is_told_with_its_file(tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no full disk at hand")
    (tmp_path / "t.svg").symlink_to("/dev/full")
    result = tournament(["easy", "random", "random", "random"], games=1, **TO_THREE_POINTS)
    with pytest.raises(OSError, match=r"t\.svg"):
        draw(result, tmp_path / "t.svg")


def test_ladder_and_matrix_are_drawn(tmp_path: Path) -> None:
    result = tournament(["easy", "random", "random", "random"], games=4, **TO_THREE_POINTS)
    for ending, begins in ((".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF")):
        draw(result, tmp_path / f"t{ending}")
        assert (tmp_path / f"t{ending}").read_bytes().startswith(begins)
    assert "share of wins (in brackets: rating)" in (tmp_path / "t.svg").read_text()
    with pytest.raises(BadInput, match=r"end it with \.png, \.svg, \.pdf"):
        draw(result, tmp_path / "t.jpeg")
