"""A guest decides over what is kept of it: it moves to another device, gets a copy, is deleted."""

from __future__ import annotations

import asyncio
import io
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from hexholm.host.storage.repositories import guest_data
from hexholm.host.storage.repositories.assistant_notes import AssistantNotes
from hexholm.host.storage.values import guest_mark
from hexholm.host.web.admission.identity import Identity
from hexholm.host.web.admission.limits import Limits, Rate
from hexholm.host.web.admission.recovery_text import new_secret, recovery_text
from hexholm.host.web.operations.server_log import new_logger
from hexholm.host.web.operations.settings import Settings
from hexholm.host.web.rest.own_data import ONCE_SECONDS
from hexholm.host.wire import api, guest_api, messages

from ...halls import Clock
from ...open_server import OpenServer, in_server
from ...servers import BOTS, OPTIONS, Answer, ask, hear, new_table, open_socket, run_server, say

pytestmark = pytest.mark.waits

NAME, WORDS = "Rumpelstilz", "mulberry marmalade"


def made(url: str, cookie: str, kind: str = "lasting") -> guest_api.NewRecovery:
    answer = ask(url, "POST", "/api/me/recoveries", {"kind": kind}, Cookie=cookie)
    assert answer.status == 201, answer.body
    return msgspec.json.decode(answer.body, type=guest_api.NewRecovery)


def recover(url: str, text: str, cookie: str = "", **more: Any) -> Answer:
    return ask(url, "POST", "/api/me/recover", {"text": text, **more}, Cookie=cookie)


def why(answer: Answer) -> str:
    assert answer.code
    return str(answer.json["error"]["why"])


def own_tables(url: str, cookie: str) -> list[str]:
    return [own_table["table"]["id"] for own_table in ask(url, "GET", "/api/me", Cookie=cookie).json["tables"]]


# --- to another device ------------------------------------------------------------------------------------------------


def test_another_device_gets_the_tables_and_the_seats(url: str) -> None:
    table = new_table(url)
    recovery = made(url, table.cookie)
    assert recovery.expires is None
    assert re.fullmatch(r"(?:[0-9A-Z]{4}-){6}[0-9A-Z]{4}", recovery.text)
    assert recovery.link.endswith(f"/me#recover={recovery.text}")
    assert recovery.picture.startswith("data:image/svg+xml")
    for text in (recovery.text, recovery.link, recovery.text.lower().replace("-", " ")):
        answer = recover(url, text)
        assert answer.status == 201
        assert answer.json == {"name": "Ann", "tables": 1}
        assert answer.cookie == table.cookie
    cookie, table_id = recover(url, recovery.text).cookie, table.json["table"]["id"]
    assert own_tables(url, cookie) == [table_id]
    token = ask(url, "POST", f"/api/me/tables/{table_id}/token", {}, Cookie=cookie).json["token"]
    with open_socket(url, table_id, token) as line:
        assert hear(line, messages.Hello).color == "red"
    listed = ask(url, "GET", "/api/me/recoveries", Cookie=cookie)
    assert [line.get("expires") for line in listed.json["recoveries"]] == [None]
    assert recovery.text not in listed.body.decode()


def test_a_text_that_was_taken_back_recovers_nobody(url: str) -> None:
    cookie = new_table(url).cookie
    texts = [made(url, cookie).text for _ in range(2)]
    assert ask(url, "DELETE", "/api/me/recoveries", Cookie=cookie).json == {"recoveries": []}
    assert [why(recover(url, text)) for text in texts] == ["recovery_unknown"] * 2
    assert ask(url, "GET", "/api/me/recoveries", Cookie=cookie).json == {"recoveries": []}


def test_nobody_without_a_cookie_has_anything(url: str) -> None:
    for method, path, body in (
        ("GET", "/api/me/recoveries", None),
        ("POST", "/api/me/recoveries", {}),
        ("DELETE", "/api/me/recoveries", None),
        ("GET", "/api/me/export", None),
        ("DELETE", "/api/me?confirm=delete", None),
    ):
        assert why(ask(url, method, path, body)) == "no_cookie"


def test_pages_of_others_get_nothing_done(url: str) -> None:
    cookie = new_table(url).cookie
    text = made(url, cookie).text
    foreign = {"Origin": "https://elsewhere.example", "Cookie": cookie}
    for method, path, body in (
        ("POST", "/api/me/recoveries", {}),
        ("POST", "/api/me/recover", {"text": text}),
        ("DELETE", "/api/me/recoveries", None),
        ("DELETE", "/api/me?confirm=delete", None),
    ):
        assert why(ask(url, method, path, body, **foreign)) == "unknown_origin"
    assert len(own_tables(url, cookie)) == 1


def test_a_wrong_text_is_answered_alike_whatever_it_comes_near_to(url: str) -> None:
    cookie = new_table(url).cookie
    used, known = made(url, cookie, "once").text, made(url, cookie).text
    assert recover(url, used).status == 201
    never = made(url, cookie).text
    ask(url, "DELETE", "/api/me/recoveries", Cookie=cookie)
    answers = [recover(url, text).body for text in (used, known, never, known)]
    assert len(set(answers)) == 1
    wrong = known[:-1] + ("0" if known[-1] != "0" else "1")
    assert why(recover(url, wrong)) == why(recover(url, "what?")) == "recovery_misspelled"


def test_whoever_has_tables_of_its_own_here_is_asked_first_and_nothing_is_used_up(url: str) -> None:
    anns, bobs = new_table(url), new_table(url, name="Bob")
    text = made(url, anns.cookie, "once").text
    assert why(recover(url, text, bobs.cookie)) == "another_guest_here"
    assert recover(url, text, bobs.cookie, replace=True).cookie == anns.cookie
    assert own_tables(url, bobs.cookie) == [bobs.json["table"]["id"]], "which stay with the guest it was"
    idle = ask(url, "POST", f"/api/tables/{bobs.json['table']['id']}/seats/red", {"name": "Cid"})
    assert idle.status == 403  # a cookie is given for a seat; one without anything is simply replaced
    again = made(url, anns.cookie, "once").text
    assert recover(url, again, anns.cookie).status == 201, "to be oneself again is no harm"


def contents(folder: Path) -> dict[str, bytes]:
    """What is in the files of a database."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


async def table_of(server: OpenServer, name: str = "Ann", **more: Any) -> Answer:
    body = {"name": name, "options": OPTIONS, "seats": BOTS, **more}
    return await server.ask("POST", "/api/tables", body)


def test_a_link_to_be_opened_at_once_works_once_and_not_for_long() -> None:
    clock = Clock()

    async def story(server: OpenServer) -> None:
        cookie = (await table_of(server)).cookie

        async def once() -> tuple[str, float]:
            answer = await server.ask("POST", "/api/me/recoveries", {"kind": "once"}, Cookie=cookie)
            return answer.json["text"], answer.json["expires"]

        text, expires = await once()
        assert expires == clock.time + ONCE_SECONDS
        assert (await server.ask("POST", "/api/me/recover", {"text": text})).status == 201
        assert why(await server.ask("POST", "/api/me/recover", {"text": text})) == "recovery_unknown"
        text, _ = await once()
        clock.time += ONCE_SECONDS + 1
        assert (await server.ask("GET", "/api/me/recoveries", Cookie=cookie)).json == {"recoveries": []}
        assert why(await server.ask("POST", "/api/me/recover", {"text": text})) == "recovery_unknown"

    in_server(story, now=clock)


def test_few_texts_can_be_tried_by_one_network_and_mistakes_in_spelling_cost_nothing() -> None:
    tight = replace(Limits.none(), recovery=Rate(3, 0), all_recovery=Rate(5, 0))

    async def story(server: OpenServer) -> None:
        async def tried(address: str, text: str = "") -> str:
            body = {"text": text or recovery_text(new_secret())}
            return why(await server.ask("POST", "/api/me/recover", body, X_Forwarded_For=address))

        for number in range(1, 9):
            assert await tried(f"192.0.2.{number}", "0") == "recovery_misspelled"
        first = [await tried(f"192.0.2.{number}") for number in range(1, 5)]
        assert first == ["recovery_unknown"] * 3 + ["too_much_at_once"]
        others = [await tried(f"192.0.{number}.1") for number in range(3, 6)]
        assert others == ["recovery_unknown"] * 2 + ["too_much_at_once"]

    in_server(story, settings=Settings(limits=tight, proxies=("127.0.0.1",)))


def test_the_usual_limit_lets_a_person_try_and_no_program() -> None:
    assert Limits().recovery.burst <= 20
    assert Limits().recovery.per_second <= 1 / 10
    # many networks that try at their limit leave the house what others need
    assert Limits().all_recovery.burst >= 100 * Limits().recovery.burst
    assert Limits().all_recovery.per_second >= 100 * Limits().recovery.per_second


def test_no_secret_gets_into_the_log_the_figures_or_an_address(tmp_path: Path) -> None:
    written = io.StringIO()

    async def story(server: OpenServer) -> None:
        cookie = (await table_of(server)).cookie
        answer = await server.ask("POST", "/api/me/recoveries", {}, Cookie=cookie)
        text = answer.json["text"]
        await server.ask("POST", "/api/me/recover", {"text": text})
        await server.ask("POST", "/api/me/recover", {"text": text.lower()[:-1]})
        figures = (await server.ask("GET", "/metrics")).body.decode()
        assert "/api/me/recover" in figures
        plain = text.replace("-", "")
        for where in (written.getvalue(), figures):
            assert text not in where
            assert plain not in where
            assert text.lower()[:-1] not in where
        assert "guest recovered" in written.getvalue()
        assert answer.headers["Cache-Control"] == "no-store"
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        for content in contents(tmp_path).values():
            assert plain.encode() not in content
            assert text.encode() not in content

    in_server(story, tmp_path / "h.db", logger=new_logger(written, as_json=True))


def test_over_tls_the_cookie_is_taken_from_this_host_alone() -> None:
    async def story(server: OpenServer) -> None:
        cookie = (await table_of(server)).cookie
        answer = await server.ask("POST", "/api/me/recoveries", {}, Cookie=cookie)
        assert answer.json["link"].startswith("https://play.example.org/me#recover=")
        recovered = await server.ask("POST", "/api/me/recover", {"text": answer.json["text"]})
        assert recovered.cookie.startswith(f"{api.HOST_COOKIE}=")
        assert "; Secure" in recovered.headers["Set-Cookie"]

    in_server(story, settings=Settings(limits=Limits.none(), public_url="https://play.example.org"))


# --- all that is kept -------------------------------------------------------------------------------------------------


def party(url: str) -> tuple[Answer, Answer, str]:
    """Ann and Bob play, both have said something: the table of Ann, the seat of Bob, its id."""
    anns = new_table(url, name=NAME, title=f"{NAME} plays", seats={"white": "easy", "orange": "easy"})
    table_id = anns.json["table"]["id"]
    bobs = ask(url, "POST", f"/api/tables/{table_id}/seats/blue", {"name": "Bobby"})
    for answer, text in ((anns, WORDS), (bobs, "cherry compote")):
        with open_socket(url, table_id, answer.json["token"]) as line:
            hear(line, messages.Hello)
            assert isinstance(say(line, messages.Say(id="say", text=text)), messages.Done)
    with open_socket(url, table_id, anns.json["token"]) as line:
        hear(line, messages.Hello)
        assert isinstance(say(line, messages.Begin(id="begin")), messages.Done)
    return anns, bobs, table_id


def test_an_export_has_all_of_a_guest_and_nothing_of_others(url: str) -> None:
    anns, bobs, table_id = party(url)
    text = made(url, anns.cookie).text
    answer = ask(url, "GET", "/api/me/export", Cookie=anns.cookie)
    assert answer.status == 200
    assert answer.headers["Content-Disposition"] == 'attachment; filename="hexholm-me.json"'
    assert answer.headers["Cache-Control"] == "no-store"
    kept = answer.json
    guest_id = anns.cookie.partition("=")[2].split(".")[1]
    assert (kept["format"], kept["name"], kept["mark"]) == ("hexholm guest 1", NAME, guest_mark(guest_id))
    assert [(table["table"], table["seat"], table["creator"]) for table in kept["tables"]] == [(table_id, "red", True)]
    assert kept["tables"][0]["record"] == f"{url}/api/tables/{table_id}/record"
    assert {(own["kind"], own["text"]) for own in kept["texts"]} == {
        ("title", f"{NAME} plays"),
        ("name", NAME),
        ("text", WORDS),
    }
    assert (kept["seat_tokens"], len(kept["recoveries"])) == (1, 1)
    whole = answer.body.decode()
    of_others = ["cherry", "Bobby", bobs.json["token"], bobs.cookie.partition("=")[2]]
    secrets = [guest_id, anns.json["token"], text, text.replace("-", ""), anns.cookie.partition("=")[2]]
    for hidden in (*of_others, *secrets, "lumber", "ore", "hand", "dice_key"):
        assert hidden not in whole
    bobs_export = ask(url, "GET", "/api/me/export", Cookie=bobs.cookie).body.decode()
    assert "cherry compote" in bobs_export
    assert NAME not in bobs_export
    assert WORDS not in bobs_export


def chunks(body: bytes) -> list[bytes]:
    """The pieces of an answer of which nobody knew the length (RFC 9112, 7.1)."""
    pieces = []
    while body:
        size, _, rest = body.partition(b"\r\n")
        pieces.append(rest[: int(size, 16)])
        body = rest[int(size, 16) + 2 :]
    return pieces


def test_an_export_of_many_tables_is_sent_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever has very many tables does not hold up the loop: no piece is longer than a page of rows."""
    monkeypatch.setattr(guest_data, "EXPORTED_AT_ONCE", 2)

    async def story(server: OpenServer) -> None:
        first = await table_of(server)
        for _ in range(4):
            await server.ask(
                "POST", "/api/tables", {"name": "Ann", "options": OPTIONS, "seats": BOTS}, Cookie=first.cookie
            )
        answer = await server.ask("GET", "/api/me/export", Cookie=first.cookie)
        pieces = chunks(answer.body)
        kept = msgspec.json.decode(b"".join(pieces))
        assert len({table["table"] for table in kept["tables"]}) == len(kept["tables"]) == 5
        assert all(table["record"].endswith(f"/api/tables/{table['table']}/record") for table in kept["tables"])
        assert max(piece.count(b'"record":') for piece in pieces) == 2

    in_server(story)


def test_exports_are_counted_like_records() -> None:
    tight = replace(Limits.none(), records=Rate(1, 0))

    async def story(server: OpenServer) -> None:
        cookie = (await table_of(server)).cookie
        answers = [await server.ask("GET", "/api/me/export", Cookie=cookie) for _ in range(2)]
        assert [answer.status for answer in answers] == [200, 429]

    in_server(story, settings=Settings(limits=tight))


# --- deleting ---------------------------------------------------------------------------------------------------------


def test_nothing_is_deleted_without_a_word_that_says_so(url: str) -> None:
    cookie = new_table(url).cookie
    assert why(ask(url, "DELETE", "/api/me", Cookie=cookie)) == "deletion_not_confirmed"
    assert why(ask(url, "DELETE", "/api/me?confirm=yes", Cookie=cookie)) == "bad_choice"
    assert len(own_tables(url, cookie)) == 1


@pytest.fixture
def own_url() -> Iterator[str]:
    """A server on which nobody has been."""
    with run_server() as server_url:
        yield server_url


def test_a_deleted_guest_is_found_nowhere_and_its_cookie_is_nobodys(own_url: str) -> None:
    url = own_url
    anns, bobs, table_id = party(url)
    text = made(url, anns.cookie).text
    with open_socket(url, table_id, bobs.json["token"]) as looking:
        hear(looking, messages.Hello)
        answer = ask(url, "DELETE", "/api/me?confirm=delete", Cookie=anns.cookie)
        assert answer.json == {"tables": 1}
        cookies = answer.headers.get_all("Set-Cookie", [])
        assert all("Max-Age=0" in cookie for cookie in cookies)
        assert {cookie.partition("=")[0] for cookie in cookies} == {api.COOKIE, api.HOST_COOKIE}
    assert own_tables(url, anns.cookie) == []
    assert why(ask(url, "DELETE", "/api/me?confirm=delete", Cookie=anns.cookie)) == "no_cookie"
    assert why(recover(url, text)) == "recovery_unknown"
    assert ask(url, "GET", f"/api/tables/{table_id}", Authorization=f"Bearer {anns.json['token']}").status == 403
    for path in (f"/api/tables/{table_id}", "/api/tables", f"/api/tables/{table_id}/record"):
        shown = ask(url, "GET", path, Authorization=f"Bearer {bobs.json['token']}")
        assert shown.status == 200
        assert NAME not in shown.body.decode()
    with open_socket(url, table_id, bobs.json["token"], since=0) as line:
        hello = hear(line, messages.Hello)
        told = [hear(line, *messages.TableMessage.__args__) for _ in range(hello.number)]
        assert [message.text for message in told if isinstance(message, messages.Chatted)] == ["", "cherry compote"]
        assert NAME not in repr((hello, told))
        anns_seat, bobs_seat = hello.table.seats[:2]
        assert (anns_seat.kind, anns_seat.name, anns_seat.bot_name, anns_seat.resigned) == ("person", "", "easy", True)
        assert bobs_seat.name == "Bobby"
    assert ask(url, "POST", "/api/tables", {"name": "Ann", "options": OPTIONS}, Cookie=anns.cookie).cookie != ""


def test_whoever_set_up_a_table_with_a_key_does_not_become_the_deleted_guest_again(url: str) -> None:
    first = new_table(url, key="k" * 20)
    assert ask(url, "DELETE", "/api/me?confirm=delete", Cookie=first.cookie).status == 200
    second = new_table(url, key="k" * 20)
    assert second.cookie not in ("", first.cookie)
    assert own_tables(url, second.cookie) == [second.json["table"]["id"]]


def test_the_whole_database_has_nothing_of_a_deleted_guest(tmp_path: Path) -> None:
    """All files of it, once the server was stopped and started again; and the log of the server never had any."""
    written = io.StringIO()
    cookies: list[str] = []

    def found() -> list[str]:
        files = contents(tmp_path).items()
        return [name for name, content in files if any(text.encode() in content for text in (NAME, WORDS))]

    async def before(server: OpenServer) -> None:
        anns, _, _ = await asyncio.to_thread(party, server.url)
        cookies.append(anns.cookie)
        assert found()
        guest_id = cookies[0].split(".")[1]
        await AssistantNotes(server.hall.services.storage).write(anns.json["table"]["id"], guest_id, WORDS)
        answer = await server.ask("DELETE", "/api/me?confirm=delete", Cookie=anns.cookie)
        assert answer.status == 200

    async def after(server: OpenServer) -> None:
        assert found() == []
        assert (await server.ask("GET", "/api/me", Cookie=cookies[0])).json == {"name": "", "tables": []}
        assert NAME not in (await server.ask("GET", "/api/tables")).body.decode()

    logger = new_logger(written, as_json=True)
    for story in (before, after):
        in_server(story, tmp_path / "h.db", logger=logger, identity=Identity(b"k" * 32))
    assert found() == []
    assert NAME not in written.getvalue()
    assert WORDS not in written.getvalue()
    assert "guest deleted" in written.getvalue()


@pytest.mark.parametrize("path", ["/api/me/recoveries", "/api/me/recover"])
def test_bodies_that_are_none_are_refused(url: str, path: str) -> None:
    cookie = new_table(url).cookie
    assert ask(url, "POST", path, b"{", Cookie=cookie, Content_Type="application/json").status == 400
    assert ask(url, "POST", path, b"{}", Cookie=cookie, Content_Type="text/plain").status == 415
    assert ask(url, "POST", path, {"kind": "x", "text": 5}, Cookie=cookie).status == 400
    assert ask(url, "POST", path, {"kind": "once", "text": "0" * 500}, Cookie=cookie).status == 400
