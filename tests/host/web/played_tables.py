"""A table at which somebody has played for a while."""

from __future__ import annotations

import random
from typing import Any

import msgspec

from hexholm.host.wire import messages
from hexholm.host.wire.messages import Hello

from ..servers import ask, hear, new_table, open_socket


def play_for_a_while(url: str, most: int = 40) -> tuple[str, str, list[Any]]:
    """A game that Ann has played for a while: the table, her token, the numbered messages she was told."""
    created = new_table(url, options={"edition": "fifth", "first": 0}).json
    table, token, messages_told, pick = created["table"]["id"], created["token"], [], random.Random(1)
    with open_socket(url, table, token, since=0) as line:
        hello = hear(line, Hello)
        messages_told += [hear(line) for _ in range(hello.number)]
        line.send(b'{"type":"begin","id":"b"}'.decode())
        legal: tuple[str, ...] = ()
        count = 0
        while len(messages_told) < most:
            message = hear(line)
            if isinstance(message, messages.Now):
                legal = message.projection.legal if message.projection.asked else ()
            if isinstance(message, messages.Now | messages.Refused) and legal:
                count += 1
                act = messages.Act(id=f"a{count}", action=pick.choice(legal))
                line.send(msgspec.json.encode(act).decode())
            elif isinstance(message, messages.Told | messages.Chatted | messages.Changed):
                messages_told.append(message)
    return table, token, messages_told


def new_table_as(url: str, cookie: str) -> Any:
    return ask(url, "POST", "/api/tables", {"name": "Ann"}, Cookie=cookie)
