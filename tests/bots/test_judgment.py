"""The judgment of a compiled player as a file: kept, refused where it does not fit, and where it comes from."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from hexholm.bots.judgment import DIGITS, Judgment, shipped_judgment
from hexholm.bots.kernels.feature_numbers import FEATURES
from hexholm.bots.kernels.mind import NET_SIZE
from tools.fitting import random_net

from .scenes import JUDGES


def test_a_judgment_written_and_read_is_the_same_but_for_the_rounding(tmp_path: Path) -> None:
    new_judgment = Judgment(random_net(2) * 3, {"command": "made up", "games": 3})
    path = tmp_path / "made-up.json"
    new_judgment.write(path)
    read_back = Judgment.read(path)
    assert read_back.about == new_judgment.about
    assert abs(read_back.net - new_judgment.net).max() <= 0.5 * 10**-DIGITS + 1e-12
    assert read_back.net.any()
    read_back.write(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == path.read_bytes()


@pytest.mark.parametrize(
    ("old", "new"), [(f'"features": {FEATURES}', '"features": 12'), ("[[", "[["), ("]}", ",[1]]}")]
)
def test_a_file_for_other_features_is_refused(tmp_path: Path, old: str, new: str) -> None:
    path = tmp_path / "older.json"
    Judgment(random_net(2), {}).write(path)
    text = path.read_text()
    if old == new:
        text = "\n".join(text.splitlines()[:-2])[:-1] + "\n]}"  # a row is missing
    else:
        assert text.count(old) == 1
        text = text.replace(old, new)
    path.write_text(text)
    with pytest.raises(ValueError, match=r"older\.json was fitted for other features"):
        Judgment.read(path)


@pytest.mark.parametrize("name", JUDGES)
def test_what_is_shipped_says_where_it_comes_from(name: str) -> None:
    shipped = shipped_judgment(name)
    assert shipped.net.shape == (NET_SIZE,)
    assert shipped.net.dtype == np.float64
    assert shipped.about["command"].startswith("python -m tools.fitting")
    assert shipped.about["games"] > 1000
