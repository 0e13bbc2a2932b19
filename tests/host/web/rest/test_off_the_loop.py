"""Costly work leaves the event loop, and whoever waits for it waits in a line that has an end."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest

from hexholm.host.tables.seats import Guest
from hexholm.host.web.admission.costly_queue import MOST_QUEUED
from hexholm.host.web.rest import board_preview, drawings, replays, tables
from hexholm.host.wire import messages

from ...halls import send
from ...open_server import OpenServer, in_server

pytestmark = pytest.mark.waits

SEATS = dict.fromkeys(("blue", "white", "orange"), "easy")
NEW = {"name": "Ann", "options": {"edition": "fifth", "first": 0}, "seats": SEATS, "begin": True}
PREVIEW = "/api/boards/preview?edition=zip&seed=7"
COSTLY: dict[str, tuple[Any, str]] = {
    "/api/tables/{}/replay": (replays, "replay_answer"),
    "/api/tables/{}/replay/views": (replays, "replay_views"),
    "/api/tables/{}/summary": (replays, "named_summary"),
    "/api/tables/{}/dice": (replays, "dice_answer"),
    "/api/tables/{}/record": (tables, "record_writer"),
    "/api/tables/{}/board.svg": (drawings, "packed_board"),
    "/api/boards/preview.svg?edition=zip&seed=7": (drawings, "preview_layout"),
    PREVIEW: (board_preview, "preview_layout"),
    f"{PREVIEW}&fair=true": (board_preview, "fair_board"),
}
"""What is asked for, and what is then called that takes its time."""


def noting_threads(function: Callable[..., Any], threads: list[threading.Thread]) -> Callable[..., Any]:
    """The same, noting in which thread it is carried out."""

    def noted(*how: Any) -> Any:
        threads.append(threading.current_thread())
        return function(*how)

    return noted


@pytest.mark.parametrize("path", COSTLY)
def test_costly_work_is_done_in_a_thread(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[threading.Thread] = []
    (module, name), maker = COSTLY[path], tables.record_writer
    if name == "record_writer":  # which only makes what is to be carried out
        monkeypatch.setattr(module, name, lambda *how: noting_threads(maker(*how), threads))
    else:
        monkeypatch.setattr(module, name, noting_threads(getattr(module, name), threads))

    async def story(server: OpenServer) -> None:
        cookie = (await server.ask("POST", "/api/tables", NEW)).cookie
        (table,) = server.hall.tables
        await send(server.hall, table.id, Guest(table.creator_id, "red"), messages.End(id="e"))
        answer = await server.ask("GET", path.format(table.id), Cookie=cookie)
        assert answer.status == 200, answer.body

    in_server(story)
    assert threads
    assert threading.main_thread() not in threads


@pytest.mark.parametrize("path", [PREVIEW, *(path for path in COSTLY if "{}" in path)])
def test_so_many_wait_for_what_is_costly_and_no_more(path: str) -> None:
    async def story(server: OpenServer) -> None:
        cookie = (await server.ask("POST", "/api/tables", NEW)).cookie
        (table,) = server.hall.tables
        await send(server.hall, table.id, Guest(table.creator_id, "red"), messages.End(id="e"))
        asked, context = path.format(table.id), server.app.context
        line = context.preview_queue if path == PREVIEW else context.records_queue
        async with line.turn("elsewhere"):
            calls = [asyncio.create_task(server.ask("GET", asked, Cookie=cookie)) for _ in range(MOST_QUEUED + 3)]
            while sum(call.done() for call in calls) < 3:
                await asyncio.wait([call for call in calls if not call.done()], return_when="FIRST_COMPLETED")
            assert {call.result().status for call in calls if call.done()} == {503}
        answers = await asyncio.gather(*calls)
        assert sum(answer.status == 200 for answer in answers) == MOST_QUEUED

    in_server(story)
