"""Hours of the host under kills, noise and storms: `python -m tests.host.soak`, which is `make soak`.

500 kills, half of them on SQLite and half on PostgreSQL; a million fuzzed messages; generated REST requests; pairs of
games compared on the wire; the drill. All of it comes in rounds, each a command of its own with a seed of its own, so
that memory and time of each are bounded. What is done is kept (`--resume`), and the next call goes on with the round
that failed or was cut off, as long as the program is the same; when all are done the next call begins anew.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final

from .postgres import Cluster, running_cluster

ROOT: Final = Path(__file__).parents[2]
KILLS: Final = 50
"""In a round."""
MESSAGES: Final = 50_000
"""In a round."""
FIGURE: Final = re.compile(r"^\s*([\d,]+) {2}([a-z][a-z ,]*)$")
"""A line of a round that can be added up."""
FUZZED: Final = re.compile(r"^(\d+) messages in ")


@dataclass(frozen=True)
class Plan:
    """How much of everything."""

    kills: int = 500
    messages: int = 1_000_000
    examples: int = 200
    pairs: int = 1000
    games: int = 500


@dataclass(frozen=True)
class Round:
    """A command with a name that says it all; `on_server`: it gets a PostgreSQL database of its own."""

    name: str
    words: tuple[str, ...]
    on_server: bool = False


@dataclass
class Progress:
    """What was done, of which plan and which program."""

    plan: dict[str, int]
    program: str
    done: dict[str, float] = field(default_factory=dict)
    """Seconds that each round took, by its name."""
    figures: Counter[str] = field(default_factory=Counter)


def rounds(plan: Plan) -> Iterator[Round]:
    """All that is to be done, the kinds by turns: what is broken shows early."""
    kills = list(_parts(plan.kills, KILLS))
    noise = list(_parts(plan.messages, MESSAGES))
    for number in range(max(len(kills), len(noise))):
        if number < len(kills):
            words = ("tests.host.storms.kills", "--kills", str(kills[number]), "--seed", str(number + 1))
            kind = "PostgreSQL" if number % 2 else "SQLite"
            yield Round(f"kills {number + 1}, {kind}", words, on_server=bool(number % 2))
        if number < len(noise):
            words = ("tests.host.fuzz.protocol", "--messages", str(noise[number]), "--seed", str(number + 1))
            yield Round(f"messages {number + 1}", words)
    if plan.examples:
        yield Round("REST", ("tests.host.fuzz.rest", "--examples", str(plan.examples)))
    if plan.pairs:
        yield Round("pairs", ("tests.host.noninterference.on_wire", "--pairs", str(plan.pairs)))
    if plan.games:
        yield Round("drill", ("bench.drill", "--games", str(plan.games), "--postgres"))


def _parts(count: int, most: int) -> Iterator[int]:
    while count > 0:
        yield min(count, most)
        count -= most


def program_digest() -> str:
    """Of the sources that are under test, and of the tests."""
    digest = hashlib.sha256()
    for folder in ("src/hexholm", "tests/host", "bench"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            digest.update(f"{path.relative_to(ROOT)}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def read_progress(file: Path | None, plan: Plan, program: str) -> Progress:
    """What an earlier call has done, of the same plan and program; else nothing."""
    fresh = Progress(asdict(plan), program)
    if file is None or not file.exists():
        return fresh
    kept = json.loads(file.read_text(encoding="utf-8"))
    if (kept["plan"], kept["program"]) != (fresh.plan, program):
        return fresh
    return Progress(fresh.plan, program, kept["done"], Counter(kept["figures"]))


def soak(
    plan: Plan, file: Path | None, run: Callable[[Round], tuple[int, str]], say: Callable[[str], None] = print
) -> int:
    """Every round that is not done yet; 1 where one fails, which ends it."""
    progress = read_progress(file, plan, program_digest())
    if progress.done:
        say(f"going on after {len(progress.done)} rounds")
    for one in rounds(plan):
        if one.name in progress.done:
            continue
        say(f"--- {one.name}: {' '.join(one.words)}")
        began = time.monotonic()
        code, output = run(one)
        if code:
            say(f"{one.name} failed with {code}; the next call begins with it")
            return 1
        progress.done[one.name] = round(time.monotonic() - began, 1)
        for line in output.splitlines():
            if found := FIGURE.match(line):
                progress.figures[found[2]] += int(found[1].replace(",", ""))
            elif found := FUZZED.match(line):
                progress.figures["fuzzed messages"] += int(found[1])
        if file is not None:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(vars(progress)), encoding="utf-8")
    say(f"all {len(progress.done)} rounds are done, in {sum(progress.done.values()):,.0f} s")
    for name, count in progress.figures.items():
        if not name.startswith("milliseconds"):
            say(f"{count:13,}  {name}")
    if file is not None:
        file.unlink(missing_ok=True)
    return 0


def run_round(one: Round, cluster: Callable[[], Cluster]) -> tuple[int, str]:
    """Run it, and show what it says meanwhile; its exit status and all it said."""
    words = [*one.words, *(("--db", cluster().new_database()) if one.on_server else ())]
    said = []
    with subprocess.Popen(
        [sys.executable, "-m", *words], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            print(line, end="", flush=True)
            said.append(line)
    return process.returncode, "".join(said)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, most in asdict(Plan()).items():
        parser.add_argument(f"--{name}", type=int, default=most, help=f"(default {most:,})")
    parser.add_argument("--resume", type=Path, help="a file that keeps what is done")
    arguments = vars(parser.parse_args())
    resume = arguments.pop("resume")
    clusters: list[Cluster] = []
    with ExitStack() as stack:

        def cluster() -> Cluster:
            if not clusters:
                clusters.append(stack.enter_context(running_cluster()))
            return clusters[0]

        return soak(Plan(**arguments), resume, lambda one: run_round(one, cluster))


if __name__ == "__main__":
    sys.exit(main())
