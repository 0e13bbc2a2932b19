"""Speed and memory in one run: `python -m bench.run` or `make bench`.

All that is compared is measured in turns, a short run each, several rounds; the best of each counts, because whatever
else the machine does only ever slows a run down. One-core figures are given per second of wall time and per second of
the core's own time; on a shared machine the latter is the steadier.

Peers are optional. Name their commands in the environment; each must print JSON lines with `games_per_second` and
`steps_per_second` or `ticks_per_second`, the same with `_cpu` appended if it can, and `mode` if there are several:

    HEXHOLM_BENCH_CATANATRON="python bench_catanatron.py 30"
    HEXHOLM_BENCH_FASTCATAN="./fc_bench 2000000"
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import hexholm.rules.simulate  # noqa: F401  # registers the kernels
from hexholm.rules.compilation.kernels import all_kernels_digest

PEERS = {"catanatron": "HEXHOLM_BENCH_CATANATRON", "fastcatan": "HEXHOLM_BENCH_FASTCATAN"}
HEXHOLM = [sys.executable, "-m", "hexholm"]
Best = dict[str, float]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5, help="rounds of short runs (default 5)")
    parser.add_argument("--games", type=int, default=6000, help="games of one short run (default 6000)")
    parser.add_argument("--quick", action="store_true", help="leave out the cold compilation")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of lines")
    arguments = parser.parse_args()
    figures: dict[str, Any] = {"machine": machine_text(), "kernels": all_kernels_digest()}
    if not arguments.quick:
        figures |= cold_start_figures()
    figures |= warm_start_figures()
    figures |= contest_figures(arguments.rounds, arguments.games)
    if arguments.json:
        print(json.dumps(figures))
        return
    for name, value in figures.items():
        print(f"{name:<46} {f'{value:,.4g}' if isinstance(value, float) and value < 1000 else _plain_number(value)}")


def _plain_number(value: Any) -> str:
    return f"{value:,.0f}" if isinstance(value, int | float) else str(value)


def machine_text() -> str:
    """Processor, cores, Python, and how busy it was."""
    name = platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [line.partition(":")[2].strip() for line in cpuinfo.read_text().splitlines() if "model name" in line]
        name = names[0] if names else name
    return f"{name}, {os.cpu_count()} cores, Python {platform.python_version()}, load {os.getloadavg()[0]:.1f}"


# --- starting ---------------------------------------------------------------------------------------------------------


def time_command(command: list[str], **environment: str) -> tuple[float, float]:
    """Wall and processor seconds of a command on one core."""
    usage_before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started_at = time.perf_counter()
    subprocess.run(
        command,
        env={**os.environ, **environment},
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=_one_core,
    )
    wall = time.perf_counter() - started_at
    usage_after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, usage_after.ru_utime + usage_after.ru_stime - usage_before.ru_utime - usage_before.ru_stime


def _one_core() -> None:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def cold_start_figures() -> dict[str, float]:
    """A first `hexholm simulate` with an empty cache."""
    folder = tempfile.mkdtemp(prefix="hexholm-bench-")
    try:
        wall, cpu = time_command([*HEXHOLM, "simulate", "--games", "1", "--json"], HEXHOLM_CACHE=folder)
    finally:
        shutil.rmtree(folder)
    return {"cold start, one core, s": wall, "cold start, s of processor time": cpu}


def warm_start_figures() -> dict[str, float]:
    """Starts with a warm cache, and the bare import."""
    command = [*HEXHOLM, "simulate", "--games", "10", "--json"]
    time_command(command)  # warms the cache
    starts = [time_command(command) for _ in range(5)]
    clock = "import time; t = time.perf_counter(); import hexholm; print(time.perf_counter() - t)"
    imports = [float(subprocess.check_output([sys.executable, "-c", clock])) for _ in range(5)]
    return {
        "warm start of simulate --games 10, s": min(wall for wall, _ in starts),
        "warm start, s of processor time": min(cpu for _, cpu in starts),
        "import hexholm, s": min(imports),
    }


# --- playing ----------------------------------------------------------------------------------------------------------


def contest_figures(n: int, games: int) -> dict[str, Any]:
    """All that is compared, in turns."""
    import numpy as np

    from hexholm.rules.compilation.kernels import fast
    from hexholm.rules.encoding.structs import State
    from hexholm.rules.setup.options import check_options
    from hexholm.rules.simulate import simulate

    from . import kernels

    options = check_options(edition="sixth", setup="variable")
    fast_kernels = fast()
    a, b = np.zeros(kernels.SIZE, np.uint8), np.zeros(kernels.SIZE, np.uint8)
    copies = 1_000_000
    best: Best = {}

    def one_core() -> Best:
        cpu = time.thread_time()
        result = simulate(options, games=games, seed=1)
        cpu = time.thread_time() - cpu
        return {
            "games/s": result.games_per_second,
            "actions/s": result.actions_per_second,
            "games/s of processor time": result.games / cpu,
            "actions/s of processor time": result.decisions / cpu,
        }

    def two_cores() -> Best:
        cpu = time.process_time()
        result = simulate(options, games=2 * games, seed=1, jobs=2)
        cpu = time.process_time() - cpu
        return {
            "games/s, two cores": result.games_per_second,
            "games/s of processor time, two cores": 2 * result.games / cpu,
        }

    def interpreted() -> Best:
        return {"actions/s, interpreted": simulate(options, games=2, seed=1, compiled=False).actions_per_second}

    def copying() -> Best:
        started_at = time.perf_counter()
        fast_kernels.copy_back_and_forth(a, b, copies // 2)
        return {"state copies/s": copies / (time.perf_counter() - started_at)}

    contests: list[Callable[[], Best]] = [one_core, two_cores, interpreted, copying]
    if batch := stepping_contest():
        contests.append(batch)
    contests += [
        peer_contest(name, os.environ[variable]) for name, variable in PEERS.items() if os.environ.get(variable)
    ]
    simulate(options, games=256, seed=0)  # warm up
    copying()
    for number in range(n):
        for contest in contests:
            for name, value in contest().items():
                best[name] = max(value, best.get(name, 0.0))
        print(f"round {number + 1} of {n}", file=sys.stderr)
    figures: dict[str, Any] = {"state size, bytes": State.size, "state copy, ns": 1e9 / best.pop("state copies/s")}
    figures |= best
    for clock in ("games/s", "games/s of processor time"):  # processor time does not see one core waiting for the other
        figures[f"two cores against one, {clock}"] = best[f"{clock}, two cores"] / best[clock]
    return figures | speed_ratios(best)


def stepping_contest() -> Callable[[], Best] | None:
    """Batch stepping: random legal numbers chosen from the masks, then one step in every game."""
    try:
        import hexholm.rules.core.drivers.batch_steps  # noqa: F401 - registers its kernels
        from hexholm.rules.batch import Batch
    except ImportError:
        return None
    import numpy as np

    n, steps = 1024, 300
    batch = Batch(n, seed=1, edition="sixth", setup="variable")
    actions = np.zeros(n, np.int32)
    counter = 0

    def contest() -> Best:
        nonlocal counter
        step_seconds = 0.0
        started_at = time.perf_counter()
        for _ in range(steps):
            batch.choose_random(actions, counter)
            step_started_at = time.perf_counter()
            batch.step(actions)
            step_seconds += time.perf_counter() - step_started_at
            counter += 1
        seconds = time.perf_counter() - started_at
        return {"batch steps/s": n * steps / step_seconds, "batch steps/s, choosing included": n * steps / seconds}

    return contest


def peer_contest(name: str, command: str) -> Callable[[], Best]:
    """A peer's command as one of the contests."""

    def contest() -> Best:
        process = subprocess.run(shlex.split(command), check=True, capture_output=True, text=True, preexec_fn=_one_core)
        figures: Best = {}
        for line in process.stdout.splitlines():
            if line.startswith("{"):
                data = json.loads(line)
                label = f"{name} {data['mode']}" if "mode" in data else name
                for key_suffix, suffix in (("", ""), ("_cpu", " of processor time")):
                    steps = data.get(f"steps_per_second{key_suffix}", data.get(f"ticks_per_second{key_suffix}"))
                    games = data.get(f"games_per_second{key_suffix}")
                    if steps:
                        figures[f"{label}: actions/s{suffix}"] = steps
                    if games:
                        figures[f"{label}: games/s{suffix}"] = games
        return figures

    return contest


def speed_ratios(best: Best) -> dict[str, float]:
    """Ours against each peer's, like with like."""
    figures = {}
    for name, value in best.items():
        label, colon, figure = name.partition(": ")
        if colon and figure in best:
            figures[f"RATIO to {label}, {figure}"] = best[figure] / value
    return figures


if __name__ == "__main__":
    main()
