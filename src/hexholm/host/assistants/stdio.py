"""MCP over stdin and stdout, for assistants that start a program: every call is passed on to a server's `/mcp`.

So there is one seat for assistants and not two: over stdio they get what everybody gets over HTTP. Each call is a
connection of its own; a server that was away for a while is simply there again.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

import httpx2
import mcp_types as types
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from hexholm import __version__
from hexholm.rules.errors import BadInput

NEWEST: Final = "2026-07-28"
"""The version of the protocol that our servers speak."""
CALL_PATIENCE: Final = 90.0
"""Seconds for an answer: longer than the longest call that waits."""
PageParams = types.PaginatedRequestParams | None


class Unreachable(BadInput):
    """There is no such server, or it has no seat for assistants."""


async def forward(url: str) -> None:
    """Pass on what comes over stdin until it ends. Raises Unreachable if there is no seat for assistants."""
    async with httpx2.AsyncClient(timeout=CALL_PATIENCE) as http:
        remote = _RemoteServer(url, http)
        try:
            server = await remote.server()
        except MCPError as error:
            raise Unreachable(f"{url}: no assistant gets a seat there: {error.message}") from error
        async with stdio_server() as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())


class _RemoteServer:
    """The server that calls are passed on to."""

    def __init__(self, url: str, http: httpx2.AsyncClient) -> None:
        self.url, self.http = url, http

    async def server(self) -> Server[Any]:
        """A server here that offers what the one there does."""
        async with self._connect("auto") as remote:
            instructions = remote.instructions
        return Server(
            "hexholm",
            version=__version__,
            instructions=instructions,
            on_list_tools=self._tools,
            on_call_tool=self._call,
            on_list_resources=self._resources,
            on_list_resource_templates=self._templates,
            on_read_resource=self._read,
        )

    @asynccontextmanager
    async def _connect(self, mode: str = NEWEST) -> AsyncIterator[Client]:
        """The server there, for one call; whatever goes wrong on the way is told in one sentence."""
        try:
            async with Client(streamable_http_client(self.url, http_client=self.http), mode=mode, cache=None) as client:
                yield client
        except Exception as error:
            first = _first_error(error)
            if isinstance(first, MCPError):
                raise first from None
            if isinstance(first, httpx2.HTTPError | OSError):
                raise MCPError(
                    types.INTERNAL_ERROR, f"the server at {self.url} does not answer; try again soon"
                ) from None
            raise

    async def _tools(self, _: Any, page: PageParams) -> types.ListToolsResult:
        async with self._connect() as remote:
            return await remote.list_tools(cursor=page.cursor if page else None)

    async def _call(self, _: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        async with self._connect() as remote:
            return await remote.call_tool(params.name, params.arguments)

    async def _resources(self, _: Any, page: PageParams) -> types.ListResourcesResult:
        async with self._connect() as remote:
            return await remote.list_resources(cursor=page.cursor if page else None)

    async def _templates(self, _: Any, page: PageParams) -> types.ListResourceTemplatesResult:
        async with self._connect() as remote:
            return await remote.list_resource_templates(cursor=page.cursor if page else None)

    async def _read(self, _: Any, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        async with self._connect() as remote:
            return await remote.read_resource(params.uri)


def _first_error(error: BaseException) -> BaseException:
    """The first error in a group of them."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
