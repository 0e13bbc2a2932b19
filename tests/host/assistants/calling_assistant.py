"""An assistant for tests: it calls as a model would, and plays by a simple plan."""

from __future__ import annotations

import contextlib
import random
import re
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters

from hexholm.host.assistants.tools import Caller, Tools
from hexholm.host.local_server import local_server
from hexholm.host.web.admission.identity import Identity
from hexholm.host.web.context import Context
from hexholm.host.web.operations.metrics import Metrics
from hexholm.host.web.operations.server_log import new_logger
from hexholm.host.web.operations.settings import Settings
from tests.host.halls import Party

SHORT = {"points_to_win": 3, "first": 0}
HERE = Caller("here", "http://127.0.0.1:8000")
LIKED = ("city", "settlement", "buy", "road", "roll", "robber", "steal", "discard", "reject", "end")


class Refused(AssertionError):
    """A call that was answered with an error."""


@dataclass
class Assistant:
    """One who calls; after `sit` it has a table and a token."""

    client: Client
    seat: dict[str, Any] = field(default_factory=dict)
    looks: list[str] = field(default_factory=list)

    async def call(self, tool: str, **arguments: Any) -> str:
        """The text of an answer; an error raises."""
        answer = await self.client.call_tool(tool, arguments)
        text = "\n".join(part.text for part in answer.content if part.type == "text")
        if answer.is_error:
            raise Refused(text)
        return text

    async def at(self, tool: str, **arguments: Any) -> str:
        """A call at the own seat."""
        return await self.call(tool, **{**self.seat, **arguments})

    async def no(self, tool: str, **arguments: Any) -> str:
        """What is said to a call that must be refused."""
        try:
            answer = await self.at(tool, **arguments)
        except Refused as error:
            return str(error)
        raise AssertionError(f"{tool} was not refused: {answer}")

    async def sit(self, **how: Any) -> str:
        """Set up a table and sit down there."""
        answer = await self.call("create_table", **{"edition": "fifth", "options": SHORT, **how})
        match = re.match(r"You are (\w+) at table (\w+)\. .*: (\S+)\n", answer)
        assert match, answer
        self.seat = {"table": match[2], "token": match[3]}
        return answer

    async def question(self) -> tuple[int, dict[int, str]]:
        """What is asked: its number and the actions by theirs."""
        text = await self.at("legal_actions")
        match = re.match(r"Question (\d+): ", text)
        assert match, text
        return int(match[1]), {
            int(n): action for n, action in re.findall(r"^(\d+)\. (.*?)(?:  \(|$)", text, re.MULTILINE)
        }

    async def play(self, seed: int = 1, calls: int = 2000) -> str:
        """Play to the end; what has happened till then."""
        pick = random.Random(seed)
        for _ in range(calls):
            text = await self.at("wait_for_turn", seconds=30)
            if "The game is over" in text:
                return await self.at("look", since=0)
            number, actions = await self.question()
            best = next((kind for kind in LIKED if any(a.startswith(kind) for a in actions.values())), "")
            action_number = pick.choice([n for n, action in actions.items() if action.startswith(best)])
            answer = await self.at("act", question=number, number=action_number)
            assert answer.startswith("Done.")
            self.looks.append(await self.at("look"))
        raise AssertionError("the game did not end")


@contextlib.asynccontextmanager
async def over_http(**how: Any) -> AsyncIterator[tuple[Assistant, str]]:
    """An assistant at a server of its own, and the URL of that."""
    async with local_server(**how) as url, Client(f"{url}/mcp") as client:
        yield Assistant(client), url


@contextlib.asynccontextmanager
async def over_stdio(*arguments: str) -> AsyncIterator[Assistant]:
    """An assistant that starts `hexholm mcp`."""
    command = ["-W", "error", "-m", "hexholm", "mcp", *arguments]
    async with Client(StdioServerParameters(command=sys.executable, args=command, cwd=Path.cwd())) as client:
        yield Assistant(client)


def tools_of(party: Party) -> Tools:
    return Tools(Context(party.hall, Settings(), Identity(), Metrics(), new_logger(level=50)))
