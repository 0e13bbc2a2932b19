"""The command line of the tool."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from . import __doc__ as package_doc
from .files import ROOT, stale_files


def main(argv: Sequence[str] | None = None, root: Path = ROOT) -> int:
    """Say which files are out of date, or write them; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.generated", description=(package_doc or "").splitlines()[0])
    parser.add_argument("--write", action="store_true", help="write what is out of date")
    arguments = parser.parse_args(argv)
    stale = stale_files(root)
    for name, text in stale.items():
        if arguments.write:
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, encoding="utf-8")
        print(f"{name} {'is written' if arguments.write else 'is out of date'}")
    if stale and not arguments.write:
        print("python -m tools.generated --write brings them up to date", file=sys.stderr)
    return int(bool(stale) and not arguments.write)


if __name__ == "__main__":
    sys.exit(main())
