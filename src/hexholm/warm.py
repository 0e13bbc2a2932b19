"""`python -m hexholm.warm`: compile the rules and the players for this machine now, and say how long each part took.

With names of parts, only those. What is compiled already is only loaded.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from importlib import import_module
from typing import Final

from hexholm.rules.compilation import mode

PART_MODULES: Final = (
    "rules.referee",
    "rules.perft",
    "rules.batch",
    "game.game",
    "bots.registry",
    "host.wire.projection",
)
"""The modules that register parts, in the order in which these are compiled."""


def every_part() -> tuple[str, ...]:
    """The names of all parts, after the modules that have any were imported."""
    for module in PART_MODULES:
        import_module(f"hexholm.{module}")
    return mode.part_names()


def main(arguments: Sequence[str] | None = None) -> None:
    all_names = every_part()
    parser = argparse.ArgumentParser(prog="python -m hexholm.warm", description="Compile for this machine now.")
    parser.add_argument("part", nargs="*", metavar="part", help=f"only these parts of {', '.join(all_names)}")
    names = parser.parse_args(arguments).part or all_names
    unknown = [name for name in names if name not in all_names]
    if unknown:
        parser.error(f"there is no part {', '.join(unknown)}; there are {', '.join(all_names)}")
    start = time.perf_counter()
    mode.use_once(names, compiled=True, tell=_tell)
    _tell("all", time.perf_counter() - start)


def _tell(name: str, seconds: float) -> None:
    print(f"{name:<16} {seconds:7.1f} s", flush=True)


if __name__ == "__main__":
    main()
