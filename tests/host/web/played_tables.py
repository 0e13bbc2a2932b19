"""A table at which somebody has played for a while."""

from __future__ import annotations

import random
from typing import Any

import msgspec

from hexholm.host.wire import messages as m
from hexholm.host.wire.messages import Hello

from ..servers import ask, hear, new_table, socket


def playing(url: str, messages: int = 40) -> tuple[str, str, list[Any]]:
    """A game that Ann has played for a while: the table, her token, the numbered messages she was told."""
    mine = new_table(url, options={"edition": "fifth", "first": 0}).json
    table, token, told, pick = mine["table"]["id"], mine["token"], [], random.Random(1)
    with socket(url, table, token, since=0) as line:
        hello = hear(line, Hello)
        told += [hear(line) for _ in range(hello.number)]
        line.send(b'{"type":"begin","id":"b"}'.decode())
        legal: tuple[str, ...] = ()
        count = 0
        while len(told) < messages:
            message = hear(line)
            if isinstance(message, m.Now):
                legal = message.projection.legal if message.projection.asked else ()
            if isinstance(message, m.Now | m.Refused) and legal:
                count += 1
                act = m.Act(id=f"a{count}", action=pick.choice(legal))
                line.send(msgspec.json.encode(act).decode())
            elif isinstance(message, m.Told | m.Chatted | m.Changed):
                told.append(message)
    return table, token, told


def new_table_as(url: str, cookie: str) -> Any:
    return ask(url, "POST", "/api/tables", {"name": "Ann"}, Cookie=cookie)
