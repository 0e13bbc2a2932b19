"""The numbers behind the compiled players' judgment, as data files with their provenance.

    >>> from hexholm.bots.judgment import shipped_judgment
    >>> shipped_judgment("hard").about["games"] > 0
    True

They are fitted to games played to their end by `python -m tools.fitting`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from .kernels.feature_numbers import FEATURES
from .kernels.mind import HIDDEN_UNITS, NET_SIZE

JUDGMENT_DATA: Final = Path(__file__).parent / "data"
DIGITS: Final = 5


@dataclass(frozen=True, eq=False)
class Judgment:
    """A judgment: its numbers, and where they come from."""

    net: npt.NDArray[np.float64]
    about: dict[str, Any]
    """What it was fitted to, how, and by which command."""

    @property
    def rows(self) -> npt.NDArray[np.float64]:
        """The numbers in rows of HIDDEN_UNITS, as the kernels take them."""
        return self.net.reshape(-1, HIDDEN_UNITS)

    def write(self, path: Path) -> None:
        """Keep it as a file."""
        numbers = [round(float(x), DIGITS) for x in self.net]
        shape = {"features": FEATURES, "hidden": HIDDEN_UNITS}
        rows = ",\n".join(
            json.dumps(numbers[i : i + HIDDEN_UNITS], separators=(",", ":"))
            for i in range(0, len(numbers), HIDDEN_UNITS)
        )
        about = json.dumps({"about": self.about, "shape": shape}, indent=1)
        path.write_text(f'{about[:-2]},\n "net": [\n{rows}\n]}}\n', encoding="utf-8")

    @classmethod
    def read(cls, path: Path) -> Judgment:
        """From a file; raises ValueError if it is for other features than those of this version."""
        data = json.loads(path.read_text(encoding="utf-8"))
        if not {"net", "shape", "about"} <= data.keys():
            raise ValueError(f"{path.name} holds no judgment: it lacks net, shape or about")
        net = np.array([x for row in data["net"] for x in row], np.float64)
        if data["shape"] != {"features": FEATURES, "hidden": HIDDEN_UNITS} or net.shape != (NET_SIZE,):
            raise ValueError(f"{path.name} was fitted for other features ({data['shape']}); fit it anew")
        return cls(net, data["about"])


@cache
def shipped_judgment(name: str) -> Judgment:
    """One that comes with Hexholm."""
    return Judgment.read(JUDGMENT_DATA / f"{name}.json")
