"""`hexholm serve` and `hexholm watch` as one starts them: real processes, real signals, real ports."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from hexholm import cli
from hexholm.cli.commands.serve import greeting_text
from hexholm.host.client import Client
from hexholm.host.web.operations.settings import Address, BadSettings, Settings, is_loopback, lan_address
from hexholm.host.web.server import listen
from hexholm.host.wire import messages

from ..servers import BOTS, OPTIONS, ask, new_table, play_on, run_server

pytestmark = pytest.mark.waits

HEXHOLM = [sys.executable, "-W", "error", "-m", "hexholm"]


@contextlib.contextmanager
def served(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server in a process of its own, and its URL; killed at the end if it still runs."""
    command = [*HEXHOLM, "serve", "--no-limits", "--bot-delay", "0", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        guard = threading.Timer(50, process.kill)
        guard.start()
        try:
            assert process.stdout is not None
            first = process.stdout.readline()
            match = re.search(r"http://\S+", first)
            if match is None:
                _, errors = process.communicate(timeout=20)
                pytest.fail(f"no link in {first!r}; {errors}")
            yield process, match[0]
        finally:
            guard.cancel()
            process.kill()
            process.communicate()


def free_port() -> int:
    with contextlib.closing(listen("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])


def test_a_server_is_stopped_in_good_order_and_killed_without_loss(tmp_path: Path) -> None:
    """SIGTERM ends it with 0. After kill -9 the table is there, and a client goes on where it was."""
    file, port = str(tmp_path / "h.db"), str(free_port())

    async def begin(url: str) -> tuple[str, str | None, str | None, int]:
        client = Client(url)
        mine = await client.create("Ann", options=OPTIONS, seats=BOTS)
        async with client.join(mine.table.id, mine.token, since=0) as table:
            await table.begin()
            async for now in table.questions():
                await table.act(now.legal[0])
                if table.number > 12:
                    break
            return mine.table.id, mine.token, client.cookie, table.number

    async def finish(url: str, id: str, token: str | None, cookie: str | None, number: int) -> None:  # noqa: A002
        rng = random.Random(1)
        async with Client(url, cookie=cookie).join(id, token, since=number) as table:
            assert table.number >= number
            async with asyncio.timeout(40):
                await play_on(table, rng)
            assert table.over

    with served("--port", port, "--db", file) as (process, url):
        assert url == f"http://127.0.0.1:{port}"
        game = asyncio.run(begin(url))
        second = subprocess.run(
            [*HEXHOLM, "serve", "--db", file], check=False, capture_output=True, text=True, timeout=40
        )
        assert second.returncode == 2
        assert f"in use by process {process.pid}" in second.stderr
        process.kill()
        process.wait()
    with served("--port", port, "--db", file) as (process, url):
        asyncio.run(finish(url, *game))
        process.send_signal(signal.SIGTERM)
        out, errors = process.communicate(timeout=20)
        assert process.returncode == 0, errors
        assert "Restoring 1 game ...\n" in errors
        assert "All games are kept" in errors
        lines = [json.loads(line) for line in errors.splitlines() if line.startswith("{")]
        assert lines[-1]["event"] == "stopped"
        assert not [line for line in lines if line["level"] in ("error", "critical")]
        assert str(game[1]) not in out + errors
    assert (tmp_path / "h.db.secret").stat().st_mode & 0o777 == 0o600


def test_the_next_free_port_is_taken_unless_one_was_asked_for() -> None:
    with contextlib.closing(listen("127.0.0.1", 0)) as listening:
        port = int(listening.getsockname()[1])
        with contextlib.closing(listen("127.0.0.1", port)) as next_one:
            assert int(next_one.getsockname()[1]) > port
        with pytest.raises(BadSettings, match="--port"):
            listen("127.0.0.1", port, exactly=True)
    with pytest.raises(BadSettings, match="no such address"):
        listen("not.an.address.invalid", 8000)
    with pytest.raises(BadSettings):
        listen("192.0.2.1", 8000)


def test_who_serves_the_network_is_shown_a_link_and_a_code_to_scan() -> None:
    local_url = "http://127.0.0.1:8000"
    alone = greeting_text(Address(local_url, None, None), "h.db")
    assert alone.startswith(f"Hexholm is at {local_url}")
    assert "only this machine" in alone
    network = greeting_text(Address(local_url, "http://192.168.1.7:8000", None), "h.db")
    assert "http://192.168.1.7:8000" in network
    assert len(network.splitlines()) > 12  # the code
    public = greeting_text(Address(local_url, "http://192.168.1.7:8000", "https://play.example.org"), "h.db")
    assert "https://play.example.org" in public
    assert len(public.splitlines()) == 3


def test_only_this_machine_is_served_unless_told_otherwise() -> None:
    assert Settings().host == "127.0.0.1"
    assert Settings().local
    assert not Settings(host="0.0.0.0").local  # noqa: S104
    assert socket.gethostname().lower() in Settings(host="0.0.0.0").known_hosts()  # noqa: S104
    address = lan_address()
    assert address is None or not is_loopback(address)


def command(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int | str | None:
    monkeypatch.setattr(sys, "argv", ["hexholm", *arguments])
    with pytest.raises(SystemExit) as error:
        cli.main()
    return error.value.code


Capture = pytest.CaptureFixture[str]


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["serve", "--public-url", "play.example.org"], "https://play.example.org"),
        (["serve", "--allow-origin", "evil"], "allowed origin"),
        (["serve", "--durability", "some", "--port", "0"], "durability"),
        (["serve", "--db", "/nowhere/at/all/h.db", "--port", "0"], "no folder"),
        (["watch", "http://127.0.0.1:8000/"], "no link to a table"),
        (["watch", "http://127.0.0.1:9/t/abc"], "cannot be reached"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    arguments: list[str], words: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    assert command(monkeypatch, *arguments) in (1, 2)
    errors = capsys.readouterr().err
    assert words in errors
    assert len(errors.splitlines()) == 1


def finished(url: str) -> tuple[str, str]:
    """A table whose game has been played to its end: the links to watch, and of the seat."""
    mine = new_table(url).json

    async def play() -> None:
        client, rng = Client(url), random.Random(3)
        async with client.join(mine["table"]["id"], mine["token"]) as table:
            await table.begin()
            await table.say("good\x1b[2J luck")
            await play_on(table, rng)

    asyncio.run(play())
    return str(mine["watch"]), str(mine["link"])


def test_a_finished_game_is_told_from_its_start_to_whose_it_is(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    with run_server() as url:
        watch_link, link = finished(url)
        assert command(monkeypatch, "watch", watch_link) == 2
        assert "belongs to its players" in capsys.readouterr().err
        assert command(monkeypatch, "watch", link, "--from-start") == 0
        output = capsys.readouterr()
        assert "The game begins." in output.out
        assert "rolls" in output.out
        assert "red says: good?[2J luck" in output.out
        assert "\x1b" not in output.out
        assert "Visible points: red" in output.out
        assert "You see what the seat of this link sees." in output.err
        assert command(monkeypatch, "watch", link, "--json") == 0
        lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        numbers = [line["number"] for line in lines if "number" in line]
        assert numbers == list(range(1, len(numbers) + 1))
        assert command(monkeypatch, "watch", f"{url}/t/nosuchtable") == 2
        assert "no table" in capsys.readouterr().err


def test_whoever_watches_is_told_what_was_taken_back(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    async def play(url: str, table: str, token: str) -> None:
        async with Client(url).join(table, token) as red:
            await red.begin()
            await red.act("roll")
            await red.until(
                lambda joined: joined.projection is not None and joined.projection.chance_question is not None
            )
            await red.deal("dice 2 3")
            await red.take_back()
            await red.send(messages.End(id=red.new_id()))

    with run_server() as url:
        mine = new_table(url, chance="dice", options={"edition": "fifth", "setup": "fixed", "first": 0}).json
        asyncio.run(play(url, mine["table"]["id"], mine["token"]))
        assert command(monkeypatch, "watch", mine["link"], "--from-start") == 0
    rolled, _, after = capsys.readouterr().out.partition("red took back the last action with what came out.")
    assert "rolls 5" in rolled
    assert "The game was ended without a winner." in after


def test_a_running_game_is_followed_to_its_end(tmp_path: Path) -> None:
    """Also across a restart of the server."""
    port = free_port()
    file, settings = tmp_path / "h.db", Settings(port=port)
    link: list[str] = []
    with run_server(file, settings) as url:
        mine = new_table(url).json
        link.append(mine["watch"])
        watcher = subprocess.Popen(
            [*HEXHOLM, "watch", mine["watch"]], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert watcher.stdout is not None
        assert watcher.stdout.readline() == f"Table {mine['table']['id']}\n"
    with run_server(file, settings) as url:

        async def play() -> None:
            rng = random.Random(4)
            async with Client(url).join(mine["table"]["id"], mine["token"]) as table:
                await table.begin()
                await play_on(table, rng)

        asyncio.run(play())
        out, errors = watcher.communicate(timeout=30)
    assert watcher.returncode == 0, errors
    assert "the connection was lost and is back" in errors
    assert re.search(r"(Red|Blue|White|Orange)\s+wins", out) or "has won" in out, out[-800:]  # lines are wrapped


def test_the_health_of_a_server_is_told() -> None:
    with run_server() as url:
        assert ask(url, "GET", "/healthz").json["status"] == "ok"
        assert ask(url, "GET", "/readyz").json["status"] == "ready"
        assert ask(url, "HEAD", "/healthz").body == b""


def test_a_taken_database_is_named_before_anything_else(tmp_path: Path) -> None:
    with run_server(tmp_path / "h.db"):
        process = subprocess.run(
            [*HEXHOLM, "serve", "--db", str(tmp_path / "h.db"), "--port", "0"],
            check=False,
            capture_output=True,
            text=True,
            timeout=40,
        )
    assert process.returncode == 2
    assert f"in use by process {os.getpid()}" in process.stderr


@pytest.mark.skipif(os.name == "nt", reason="the browser of this test is a script for sh")
@pytest.mark.parametrize("screen", [":7", ""])
def test_serve_opens_a_browser_only_where_there_is_a_screen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, screen: str
) -> None:
    browser, opened = tmp_path / "browser", tmp_path / "opened"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}\n', encoding="utf-8")
    browser.chmod(0o755)
    monkeypatch.setenv("BROWSER", f"{browser} %s")
    monkeypatch.setenv("DISPLAY", screen)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    with served("--open", "--port", "0", "--db", str(tmp_path / "h.db")) as (_, url):
        for _ in range(600 if screen else 10):
            if opened.exists() and opened.read_text(encoding="utf-8"):
                break
            time.sleep(0.1)
        assert ask(url, "GET", "/healthz").status == 200
        assert not screen or opened.read_text(encoding="utf-8") == f"{url}\n"
    assert opened.exists() == bool(screen)


@pytest.mark.parametrize("browser", ["/nowhere/at/all %s", "false"])
def test_a_browser_that_does_not_start_harms_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, browser: str
) -> None:
    monkeypatch.setenv("BROWSER", browser)
    monkeypatch.setenv("DISPLAY", ":7")
    monkeypatch.setenv("PATH", str(tmp_path))  # no other browser is found either
    with served("--open", "--port", "0", "--db", str(tmp_path / "h.db")) as (process, url):
        time.sleep(0.3)
        assert ask(url, "GET", "/healthz").status == 200
        assert process.poll() is None
