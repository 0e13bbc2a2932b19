"""A program that plays, in the way its first argument says. Broken ones are broken on purpose."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from typing import Any

HELLO = {"type": "hello", "protocol": "hexholm-bot-1"}
mode = sys.argv[1]


def say(message: Any) -> None:
    print(json.dumps(message), flush=True)


def good(message: dict[str, Any]) -> str:
    """The last thing that can be done: ends turns, refuses offers."""
    return str(message["legal"][-1])


if mode == "dumb":  # never says anything
    time.sleep(600)
elif mode == "gone":  # ends at once
    print("no licence key found", file=sys.stderr)
    sys.exit(3)
elif mode == "stranger":  # speaks another protocol
    say({"type": "hello", "protocol": "uci"})
elif mode == "deaf":  # does not read, but talks without end
    say(HELLO)
    while True:
        say({"id": 10**9, "action": "roll", "much": "x" * 1000})

n_questions = 0
offers: list[dict[str, Any]] = []
for line in sys.stdin:
    heard = json.loads(line)
    if heard["type"] == "hello":
        say(HELLO)
    if heard["type"] == "game":
        offers = heard["said"]
    if heard["type"] != "choose":
        continue
    n_questions += 1
    answer = {"id": heard["id"], "action": good(heard)}
    if mode == "hangs" and n_questions == 3:
        time.sleep(600)
    if mode == "child" and n_questions == 3:  # leaves a child behind that holds its pipes
        subprocess.run(["sleep", "600"], check=False)  # noqa: S607
    if mode == "killed" and n_questions == 3:
        os.kill(os.getpid(), 9)
    if mode == "dies" and n_questions % 5 == 0:
        print("Segmentation fault", file=sys.stderr, flush=True)
        os._exit(139)
    if mode == "flood" and n_questions == 3:  # late answers without end
        much = json.dumps({"id": 0, "x": [7] * 20_000}).encode() + b"\n"  # faster said than read
        while True:
            sys.stdout.buffer.write(much)
    if mode == "offers" and not offers:  # offers something, dies at the next question
        if n_questions == 2:
            os._exit(1)
        answer["action"] = sys.argv[2]
    if mode == "offers" and offers:  # says what it has been told
        answer["action"] = json.dumps(offers)
    if mode == "late" and n_questions == 3:
        time.sleep(0.8)
    if mode == "chatty":
        print("thinking ...", flush=True)
    if mode == "cheat":
        answer["action"] = "city A1n"
    if mode == "riddle":
        answer["action"] = 42
    if mode == "list":
        say([1, 2, 3])
        continue
    if mode == "long":
        print("y" * 1_000_000, flush=True)
    if mode == "bytes":
        sys.stdout.buffer.write(b"\xff\xfe\n")
        sys.stdout.flush()
        continue
    if mode == "pid":
        with open(sys.argv[2], "a", encoding="utf-8") as file:  # noqa: PTH123
            file.write(f"{os.getpid()} {heard['id']}\n")
    say(answer)
