"""Schemathesis against REST: requests made from the server's own OpenAPI document, right ones and wrong ones.

    python -m tests.host.fuzz.rest --examples 100 --seed 1

One pass knows nothing but the document and what it is answered. Tables have names that nobody guesses, so the others
are told of a real one: one that is open, one that is played, one that is over, one that is rated; with the token of a
seat, with that of another table, with the secret of a game that is shown, and without. Any finding of Schemathesis
fails the run, any error in the server's log, and a path on which no request was ever accepted: then it was not tested.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import msgspec

from hexholm.host.client import Client, read_share_link
from hexholm.host.storage.repositories.guest_data import GuestData
from hexholm.host.web.admission.recovery_text import read_recovery_text
from hexholm.host.wire import messages
from hexholm.host.wire.api import COOKIE
from hexholm.host.wire.guest_api import EXAMPLE_TEXT

from ..open_server import OpenServer, open_server

SECONDS: Final = 900
"""For one pass."""
STATEFUL: Final = "examples,coverage,fuzzing,stateful"
CONFIG: Final = """
[checks.negative_data_rejection]
expected-statuses = ["400", "401", "403", "404", "405", "409", "413", "415", "429"]
[[operations]]
include-path-regex = "/api/boards/preview|/replay|/api/me/recover$|/reports$"
[operations.checks.positive_data_acceptance]
expected-statuses = ["2xx", "400", "403", "404", "409", "413"]
"""
"""What is too long may make the whole request too large. Which colors, steps and options go together only the game
knows, and which text recovers somebody, or what words there are to report, only the storage: there, what fits the
document may be refused."""
KNOWN: Final = "examples,coverage,fuzzing"
"""Where the table is given, following what an answer says leads nowhere else."""
LONGEST: Final = 500
"""So much of a line is shown: what it sends can be very long."""


class Failed(AssertionError):
    """Something was found; the message is the report."""


@dataclass(frozen=True)
class Pass:
    """One run of Schemathesis."""

    name: str
    table: str | None = None
    color: str = "blue"
    token: str | None = None
    cookie: str | None = None
    share: str | None = None
    """The secret of a link that shows a finished game."""
    paths: str = ""
    """The paths that are asked, as a pattern; empty: those with a table, or all where no table is known."""


@dataclass
class Outcome:
    """How many cases each pass had, and how many requests of each path were accepted."""

    cases: Counter[str] = field(default_factory=Counter)
    accepted: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        lines = [f"{name}: {n} cases" for name, n in self.cases.items()]
        return "\n".join([*lines, f"{self.cases.total()} cases, no findings"])


async def make_tables(server: OpenServer) -> list[Pass]:
    """Tables in every state, and who asks for them."""
    client = Client(server.url)
    bots = {"blue": "easy", "white": "easy", "orange": "easy"}
    short: dict[str, Any] = {"options": {"edition": "fifth", "points_to_win": 3}, "board_seed": 7}
    waiting = await client.create("Ann", title="Come all", seats={"white": "easy"}, **short)
    played = await client.create("Ann", seats=bots, **short)
    finished = await client.create("Ann", seats=bots, **short)
    for created in (played, finished):
        async with client.join(created.table.id, created.token) as joined:
            await joined.begin()
            await joined.until(lambda joined: joined.projection is not None and joined.projection.asked)
            if created is finished:
                await joined.send(messages.End(id="end"))
    _, _, shown = read_share_link(await client.show(finished.table.id))
    rated = await client.create("Ann", rated=True, clock=600, seats={"white": "easy"}, options={"edition": "fifth"})
    keeping, leaving = Client(server.url), Client(server.url)
    for guest in (keeping, leaving):
        await guest.create("Bob", seats=bots, **short)
    guest_id = server.app.context.identity.guest_id_of_cookie(keeping.cookie)
    assert guest_id is not None
    guest_rows = GuestData(server.hall.services.storage)
    await guest_rows.add_recovery(guest_id, read_recovery_text(EXAMPLE_TEXT), server.hall.services.now(), None)
    return [
        Pass("nothing is known"),
        Pass("open", waiting.table.id),
        Pass("words of others", waiting.table.id, paths=r"/reports$"),
        Pass("open, own seat", waiting.table.id, "red", waiting.token, client.cookie),
        Pass("played, own seat", played.table.id, token=played.token, cookie=client.cookie),
        Pass("played, token of another table", played.table.id, token=waiting.token),
        Pass("over", finished.table.id),
        Pass("over, shown by a link", finished.table.id, share=shown),
        Pass("rated, own seat", rated.table.id, "red", rated.token, client.cookie),
        Pass("over, own table", finished.table.id, cookie=client.cookie),
        Pass("what is kept of a guest", cookie=keeping.cookie, paths=r"/api/me/(export|recover|recoveries)$"),
        Pass("a guest who is deleted", cookie=leaving.cookie, paths=r"/api/me$"),
    ]


def schemathesis_command(url: str, schema_pass: Pass, examples: int, seed: int) -> list[str]:
    """How Schemathesis is called; its report is `report.json` in the folder it runs in."""
    words = [sys.executable, "-m", "schemathesis.cli", "--config-file", "config.toml"]
    words += ["run", f"{url}/openapi.json", "--checks", "all", "--no-color", "--generation-database", "none"]
    words += ["--max-examples", str(examples), "--seed", str(seed), "--report-json-path", "report.json"]
    words += ["--phases", KNOWN if schema_pass.table or schema_pass.paths else STATEFUL]
    paths = schema_pass.paths or (r"\{table\}" if schema_pass.table is not None else "")
    if paths:
        words += ["--include-path-regex", paths]
    if schema_pass.token is not None:
        words += ["--header", f"Authorization: Bearer {schema_pass.token}"]
    if schema_pass.share is not None:
        words += ["--header", f"Authorization: Share {schema_pass.share}"]
    if schema_pass.cookie is not None:
        words += ["--header", f"Cookie: {COOKIE}={schema_pass.cookie}"]
    return words


def run_pass(url: str, schema_pass: Pass, examples: int, seed: int, outcome: Outcome) -> None:
    """One pass in a folder of its own; raises Failed with what Schemathesis says."""
    with tempfile.TemporaryDirectory() as folder:
        known_parameters = (
            ""
            if schema_pass.table is None
            else f'"path.table" = "{schema_pass.table}"\n"path.color" = "{schema_pass.color}"\n'
        )
        Path(folder, "config.toml").write_text(f"[parameters]\n{known_parameters}{CONFIG}", encoding="utf-8")
        process = subprocess.run(
            schemathesis_command(url, schema_pass, examples, seed),
            cwd=folder,
            env={**os.environ, "NO_PROXY": "127.0.0.1"},
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        if process.returncode != 0:
            lines = [line[:LONGEST] for line in f"{process.stdout}\n{process.stderr}".splitlines()]
            raise Failed("\n".join([f"{schema_pass.name}:", *lines]))
        report = msgspec.json.decode(Path(folder, "report.json").read_bytes())
    outcome.cases[schema_pass.name] += report["test_cases"]["generated"]
    for path, phases in report["valid_rates"].items():
        outcome.accepted[path] += sum(phase["accepted"] for phase in phases.values())


async def run(examples: int, seed: int, is_chosen: Callable[[Pass], bool] = lambda _schema_pass: True) -> Outcome:
    """All passes, or those that are chosen; raises Failed."""
    outcome, names = Outcome(), (f"table{n}" for n in itertools.count())
    async with open_server(ids=lambda: next(names)) as server:
        for schema_pass in await make_tables(server):
            if is_chosen(schema_pass):
                await asyncio.to_thread(run_pass, server.url, schema_pass, examples, seed, outcome)
        if server.hall.services.figures["errors"] or server.hall.services.figures["failures"]:
            raise Failed(f"figures: {dict(server.hall.services.figures)}")
    if server.journal.trouble:
        raise Failed(f"the log tells of trouble: {server.journal.trouble[:3]}")
    never = [path for path, n in outcome.accepted.items() if not n]
    if never:
        raise Failed(f"nothing was ever accepted at {never}; the passes have to be told how")
    return outcome


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Schemathesis against REST.")
    parser.add_argument("--examples", type=int, default=100, help="the most for each path and phase")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    try:
        print(asyncio.run(run(arguments.examples, arguments.seed)))
    except Failed as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
