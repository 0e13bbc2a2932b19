"""What is mutated, which tests count, and which survivors are explained."""

from __future__ import annotations

import sys
import types
from collections.abc import Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
SRC: Final = ROOT / "src"
RULES: Final = Path("hexholm/rules")
FILES: Final = (
    "core/actors.py", "core/all_actions.py", "core/awards.py", "core/belief.py", "core/building.py",
    "core/derived_fields.py",
    "core/development_cards.py", "core/dice.py", "core/entry_points.py", "core/legal.py", "core/nature.py",
    "core/offers.py", "core/placement.py", "core/production.py", "core/roads.py", "core/robber.py", "core/step.py",
    "core/supply.py", "core/turn.py", "core/variable_setup.py", "core/verdict.py", "core/view.py",
    "encoding/action_codes.py", "encoding/lanes.py", "encoding/phases.py", "random_numbers.py",
)  # fmt: skip
"""The rules. Left out: structs and refusals (fields and texts), and the drivers that the rule tests do not use:
batch, masks of action numbers, perft, playout."""
TESTS: Final = ("tests/rules", "tests/core/test_roads.py")
HELPERS: Final = ("tests/conftest.py", "tests/twin")
EQUIVALENT: Final = Path(__file__).with_name("equivalent_mutants.txt")
ENOUGH: Final = 0.90
MEMORY: Final = 6 << 30
HITS: Final = "__hexholm_hits__"
CONTROL: Final = "control"
DEAD: Final = ("killed", "timed out")


class NoHypothesis(types.ModuleType):
    """Stands in for hypothesis on a machine without it: just enough for tests/conftest.py."""

    class settings:  # noqa: N801  # the name is theirs
        """Profiles of nothing."""

        register_profile = load_profile = staticmethod(lambda *_, **__: None)


def files_below(path: Path) -> list[Path]:
    return sorted(path.rglob("*")) if path.is_dir() else [path]


def test_files(tests: Sequence[str]) -> list[str]:
    """The files of tests in files and folders; without hypothesis, those that can do without."""
    files = [path for name in tests for path in files_below(ROOT / name) if path.name.startswith("test_")]
    files = [path for path in files if path.suffix == ".py"]
    if isinstance(sys.modules.get("hypothesis"), NoHypothesis):
        files = [path for path in files if "from hypothesis" not in path.read_text(encoding="utf-8")]
    return [str(path.relative_to(ROOT)) for path in files]


def read_equivalent() -> dict[str, str]:
    """The survivors that no test can tell from the original, and why."""
    reasons = {}
    if EQUIVALENT.exists():
        for number, line in enumerate(EQUIVALENT.read_text(encoding="utf-8").splitlines(), 1):
            name, _, reason = line.partition("#")
            if name.strip():
                if not reason.strip():
                    raise SystemExit(f"{EQUIVALENT.name}, line {number}: say after # why {name.strip()} is equivalent")
                reasons[name.strip()] = reason.strip()
    return reasons
