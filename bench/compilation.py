"""What it costs to compile rules and players with nothing in the cache: `python -m bench.compilation`.

Seconds of processor time by part and by kernel, on one core. A kernel's own time is without that of the kernels it
calls; an entry's has the optimization of all that is linked into it. `--write` keeps the table in compilation.md.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import Final

from hexholm import warm
from hexholm.rules.compilation import kernels, mode

KEPT: Final = Path(__file__).with_name("compilation.md")
ROWS: Final = 40
Times = dict[str, float]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.compilation", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="keep the table in bench/compilation.md")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if not arguments.here:  # in a process of its own, with a cache of its own
        with tempfile.TemporaryDirectory(prefix="hexholm-bench-") as cache:
            environment = {**os.environ, "HEXHOLM_CACHE": cache}
            command = [sys.executable, "-m", "bench.compilation", "--here", *["--write"] * arguments.write]
            sys.exit(subprocess.run(command, env=environment, check=False).returncode)
    parts, own_times = measure()
    table = "\n".join(lines(parts, own_times)) + "\n"
    print(table, end="")
    if arguments.write:
        KEPT.write_text(table, encoding="utf-8")


def measure() -> tuple[Times, Times]:
    """Compile everything: seconds by part, and by kernel."""
    own_times: Times = defaultdict(float)
    waiting: list[str] = []
    last = time.process_time()

    def tell(name: str, _depth: int, done: bool) -> None:
        nonlocal last
        now = time.process_time()
        if waiting:
            own_times[waiting[-1]] += now - last
        last = now
        if done:
            waiting.pop()
        else:
            waiting.append(name)

    kernels.compile_listeners.append(tell)
    parts: Times = {}
    for part in warm.every_part():
        start = time.process_time()
        mode.use_once([part], compiled=True)
        parts[part] = time.process_time() - start
    return parts, own_times


def lines(parts: Times, own_times: Times) -> list[str]:
    """The table, in Markdown."""
    slowest = sorted(own_times.items(), key=lambda kernel: -kernel[1])
    rest = slowest[ROWS:]
    return [
        "# What is compiled, and how long it takes",
        "",
        f"Made by `python -m bench.compilation --write` at {commit()}: nothing in the cache, one core, seconds of",
        "processor time.",
        "",
        "| part | seconds |",
        "|---|---|",
        *(f"| {part} | {seconds:.1f} |" for part, seconds in parts.items() if seconds >= 0.05),
        f"| all | {sum(parts.values()):.1f} |",
        "",
        f"The {len(own_times)} kernels, the slowest {ROWS} by name. An entry, which Python calls, is optimized with",
        "all it needs; the others are not.",
        "",
        "| kernel | seconds | |",
        "|---|---|---|",
        *(f"| `{name}` | {seconds:.2f} | {'entry' if is_entry(name) else ''} |" for name, seconds in slowest[:ROWS]),
        f"| {len(rest)} others | {sum(seconds for _, seconds in rest):.2f} | |",
    ]


def commit() -> str:
    """The commit that is measured, and whether anything was changed since."""
    described = subprocess.run(
        ["git", "describe", "--always", "--dirty", "--exclude=*"],  # noqa: S607  # the git of whoever measures
        cwd=KEPT.parent,
        check=True,
        capture_output=True,
        text=True,
    )
    return described.stdout.strip()


def is_entry(name: str) -> bool:
    """Whether Python calls the kernel of this name."""
    return any(kernels.is_entry(kernel) for kernel in kernels.kernels_named(name))


if __name__ == "__main__":
    main()
