"""The command line of the tool."""

from __future__ import annotations

import argparse
import ast
import fnmatch
import importlib
import importlib.util
import math
import os
import sys
import tempfile
import time
from pathlib import Path

from . import __doc__ as package_doc
from .mutation_sites import sample_of
from .run import Run
from .scope import CONTROL, FILES, ROOT, TESTS, NoHypothesis, read_equivalent


def prepare() -> None:
    """Import, before any fork, all that tests need except the core itself."""
    os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", PYTEST_DISABLE_PLUGIN_AUTOLOAD="1")
    for name in ("numpy", "pytest", "yaml"):
        importlib.import_module(name)
    if importlib.util.find_spec("hypothesis") is None:
        sys.modules["hypothesis"] = NoHypothesis("hypothesis")
    else:
        importlib.import_module("hypothesis.strategies")
    assert "hexholm" not in sys.modules


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutants", description=(package_doc or "").splitlines()[0])
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="mutants at a time (all processors)")
    parser.add_argument("--resume", type=Path, default=ROOT / ".mutants", metavar="FOLDER", help="results (.mutants)")
    parser.add_argument("--sample", type=int, default=320, metavar="N", help="mutants to try (320)")
    parser.add_argument("--seed", type=int, default=1, help="of the sample (1)")
    parser.add_argument(
        "--only", metavar="PATTERN", help="only mutants whose name matches, such as 'core/roads.py:12?:*'"
    )
    parser.add_argument(
        "--tests", nargs="+", default=TESTS, metavar="PATH", help="only rule tests in these files and folders"
    )
    parser.add_argument("--minutes", type=float, default=math.inf, help="begin no further mutant after this time")
    parser.add_argument("--list", action="store_true", help="print the sample and end")
    arguments = parser.parse_args()
    deadline = time.monotonic() + 60 * arguments.minutes
    equivalent = read_equivalent()
    with tempfile.TemporaryDirectory(prefix="hexholm-mutants-") as scratch:
        prepare()
        run = Run(arguments.resume, max(1, arguments.jobs), Path(scratch), arguments.tests)
        matching = [
            mutant for mutant in run.population if not arguments.only or fnmatch.fnmatchcase(mutant.id, arguments.only)
        ]
        mutants = sample_of(matching, arguments.sample, arguments.seed)
        print(f"{len(mutants)} of {len(run.population)} mutants in {len(FILES)} files, seed {arguments.seed}")
        for mutant in mutants:
            ast.parse(run.finders[mutant.file].with_fault(mutant))  # a text that is not Python would count as killed
        if arguments.list:
            for mutant in sorted(mutants, key=lambda mutant: (mutant.file, mutant.start)):
                print(f"{mutant.id}\n    {run.difference(mutant)}")
            return 0
        try:
            if any(mutant.id not in run.results for mutant in mutants):
                run.map_tests()
                if not arguments.only and not any(name.startswith(CONTROL) for name in run.results):
                    run.slots.run(run.control())
                run.slots.run(run.jobs_for(mutants, deadline))
        except KeyboardInterrupt:
            print("\nstopped; the same command goes on")
            return 130
        finally:
            run.slots.close()
        return run.report(mutants, equivalent)


if __name__ == "__main__":
    sys.exit(main())
