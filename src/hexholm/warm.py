"""`python -m hexholm.warm`: compile the rules and the players for this machine now, and say how long each part took.

With names of parts, only those. What is compiled already is only loaded. Where the libraries of the server are not
installed, its part is left out.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from importlib import import_module
from typing import Final

from hexholm.rules import mode

REGISTER: Final = (
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
    for module in REGISTER:
        try:
            import_module(f"hexholm.{module}")
        except ModuleNotFoundError as missing:
            if (missing.name or "hexholm").startswith("hexholm"):
                raise
    return mode.parts()


def main(given: Sequence[str] | None = None) -> None:
    every = every_part()
    parser = argparse.ArgumentParser(prog="python -m hexholm.warm", description="Compile for this machine now.")
    parser.add_argument("part", nargs="*", metavar="part", help=f"only these parts of {', '.join(every)}")
    chosen = parser.parse_args(given).part or every
    unknown = [name for name in chosen if name not in every]
    if unknown:
        parser.error(f"there is no part {', '.join(unknown)}; there are {', '.join(every)}")
    begun = time.perf_counter()
    with mode.announced():
        mode.use_once(chosen, compiled=True, tell=_tell)
    _tell("all", time.perf_counter() - begun)


def _tell(name: str, seconds: float) -> None:
    print(f"{name:<16} {seconds:7.1f} s", flush=True)


if __name__ == "__main__":
    main()
