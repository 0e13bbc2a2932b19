"""The server over real sockets: who is let in, what is refused and how, what is told."""

from __future__ import annotations

import io
import stat
from dataclasses import replace
from http.cookies import SimpleCookie
from pathlib import Path
from socket import create_connection
from typing import Any

import msgspec
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from hexholm.game.game import Record
from hexholm.host.web.admission import identity
from hexholm.host.web.admission.identity import (
    LONGEST_COOKIES,
    BadSecret,
    Identity,
    bearer_token,
    cookie_value,
    read_key_beside,
)
from hexholm.host.web.error_fields import error_fields
from hexholm.host.web.operations.server_log import new_logger
from hexholm.host.web.operations.settings import BadSettings, Settings
from hexholm.host.wire import messages
from hexholm.host.wire.api import COOKIE, HOST_COOKIE
from hexholm.host.wire.messages import Hello

from ..servers import ask, hear, new_table, open_socket, read_to_close_code, run_server, say
from .played_tables import new_table_as, play_for_a_while

pytestmark = pytest.mark.waits

HEADERS = {
    "Content-Security-Policy": "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


# --- who is let in ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/", "/healthz", "/readyz", "/api/tables", "/nowhere", "/t/nosuchtable", "/metrics"])
def test_every_answer_tells_browsers_to_be_strict(url: str, path: str) -> None:
    answer = ask(url, "GET", path)
    for name, value in HEADERS.items():
        assert value in answer.headers[name]
    assert "Server" not in answer.headers
    assert "unsafe" not in answer.headers["Content-Security-Policy"]


def test_the_server_answers_only_to_names_of_its_own(url: str) -> None:
    answer = ask(url, "GET", "/api/tables", Host="evil.example")
    assert (answer.status, answer.code) == (421, "not_allowed")
    assert ask(url, "GET", "/api/tables", Host="localhost").status == 200
    assert ask(url, "GET", "/api/tables", Host="[::1]:99").status == 200
    assert ask(url, "GET", "/api/tables", Host="evil.example:80:80").status == 421


@pytest.mark.parametrize("origin", ["http://evil", "null", "file://", "http://127.0.0.1:1", "https://[", ""])
def test_pages_of_other_sites_are_refused_at_the_door(url: str, origin: str) -> None:
    answer = ask(url, "GET", "/healthz", Origin=origin)
    assert (answer.status, answer.code) == (403, "not_allowed")
    answer = ask(url, "POST", "/api/tables", {"name": "Eve"}, Origin=origin)
    assert (answer.status, answer.code) == (403, "not_allowed")


def test_a_socket_of_another_site_is_refused_in_the_same_shape(url: str) -> None:
    table = new_table(url).json["table"]["id"]
    with pytest.raises(InvalidStatus) as error, open_socket(url, table, origin="http://evil"):
        pass
    assert error.value.response.status_code == 403
    assert msgspec.json.decode(error.value.response.body or b"")["error"]["code"] == "not_allowed"
    with open_socket(url, table, origin=url) as line:
        assert isinstance(hear(line), Hello)


@pytest.mark.parametrize(
    "host, path, origin, status, code",
    [
        ("127.0.0.1", "/ws/nope", None, 404, "not_found"),
        ("127.0.0.1", "/", None, 404, "not_found"),
        ("127.0.0.1", "/api/tables", None, 404, "not_found"),
        ("127.0.0.1", "/ws/tables/x", "http://evil", 403, "not_allowed"),
        ("evil.example", "/ws/tables/x", None, 421, "not_allowed"),
    ],
)
def test_a_socket_that_is_refused_has_the_one_shape_and_is_no_error_in_the_log(
    host: str, path: str, origin: Any, status: int, code: str
) -> None:
    stream = io.StringIO()
    with run_server(logger=new_logger(stream, as_json=True)) as url:
        port = int(url.rpartition(":")[2])
        way = create_connection(("127.0.0.1", port))
        with pytest.raises(InvalidStatus) as error, connect(f"ws://{host}:{port}{path}", sock=way, origin=origin):
            pass
        answer = error.value.response
        assert (answer.status_code, msgspec.json.decode(answer.body or b"")["error"]["code"]) == (status, code)
        assert answer.headers["Content-Type"] == "application/json"
        for name, value in HEADERS.items():
            assert value in answer.headers[name]
        assert ask(url, "GET", "/healthz").status == 200
    levels = {line["level"] for line in map(msgspec.json.decode, stream.getvalue().splitlines())}
    assert "info" in levels
    assert levels <= {"info", "warning"}, stream.getvalue()


def test_an_allowed_site_may_use_the_server_and_a_public_url_is_its_own() -> None:
    settings = Settings(
        port=0, public_url="https://play.example.org/", origins=("https://friends.example:443",), hosts=("Other.Name",)
    )
    with run_server(settings=settings) as url:
        friend = ask(url, "GET", "/api/tables", Origin="https://friends.example")
        assert friend.headers["Access-Control-Allow-Origin"] == "https://friends.example"
        assert "Mcp-Session-Id" in friend.headers["Access-Control-Allow-Headers"]  # an assistant in a browser
        assert friend.headers["Access-Control-Expose-Headers"] == "Mcp-Session-Id"
        assert ask(url, "OPTIONS", "/api/tables", Origin="https://friends.example").status == 204
        own = {"Host": "play.example.org", "Origin": "https://play.example.org"}
        response = ask(url, "POST", "/api/tables", {"name": "Ann"}, **own)
        assert response.json["watch"].startswith("https://play.example.org/t/")
        assert response.headers["Set-Cookie"].startswith("__Host-hexholm_guest=")
        assert "; Path=/; " in response.headers["Set-Cookie"]
        assert "; Secure" in response.headers["Set-Cookie"]
        assert "max-age" in response.headers["Strict-Transport-Security"]
        assert ask(url, "GET", "/api/tables", Host="other.name").status == 200
        assert ask(url, "GET", "/api/tables", Origin="http://play.example.org").status == 403


@pytest.mark.parametrize("name", ["play.example.org", "PLAY.example.org", "play.example.org.", "play.example.org:8000"])
def test_where_guests_come_over_tls_a_page_of_the_same_name_without_it_is_refused(name: str) -> None:
    settings = Settings(port=0, public_url="https://play.example.org", hosts=("other.name",))
    with run_server(settings=settings) as url:
        response = ask(url, "POST", "/api/tables", {"name": "Ann"}, Host=name, Origin=f"http://{name}")
        assert (response.status, response.json["error"]["why"]) == (403, "unknown_origin")
        for yes in (f"https://{name}", "https://play.example.org"):
            assert ask(url, "GET", "/api/tables", Host=name, Origin=yes).status == 200
        assert ask(url, "GET", "/api/tables", Host="other.name", Origin="http://other.name").status == 200
        host = url.removeprefix("http://")
        assert ask(url, "GET", "/api/tables", Host=host, Origin=url).status == 200  # on the machine itself
    with run_server(settings=replace(settings, origins=(f"http://{name}",))) as url:
        assert ask(url, "GET", "/api/tables", Host=name, Origin=f"http://{name.lower()}").status == 200


@pytest.mark.parametrize("wrong", ["play.example.org", "ftp://a", "https://a/path", "https://u:p@a", "https://a:x"])
def test_a_public_url_that_cannot_be_one_is_refused(wrong: str) -> None:
    with pytest.raises(BadSettings):
        Settings(public_url=wrong)


# --- errors -----------------------------------------------------------------------------------------------------------

BIG = b'{"name": "' + b"a" * 40_000 + b'"}'


JSON = {"Content-Type": "application/json"}


@pytest.mark.parametrize(
    "method, path, body, headers, status, code",
    [
        ("GET", "/nowhere", None, {}, 404, "not_found"),
        ("DELETE", "/api/tables", None, {}, 405, "not_allowed"),
        ("GET", "/api/tables/nosuchtable", None, {}, 404, "not_found"),
        ("GET", f"/api/tables/{'x' * 300}", None, {}, 404, "not_found"),
        ("GET", "/api/tables?status=lost", None, {}, 400, "not_readable"),
        ("GET", "/api/tables?limit=0", None, {}, 400, "not_readable"),
        ("GET", "/api/tables?limit=%C2%B2", None, {}, 400, "not_readable"),
        ("POST", "/api/tables", b"{", JSON, 400, "not_readable"),
        ("POST", "/api/tables", b"\xff\xfe", JSON, 400, "not_readable"),
        ("POST", "/api/tables", b"[" * 30_000, JSON, 400, "not_readable"),
        ("POST", "/api/tables", b'{"name":"a","options":' + b'{"a":' * 6_000, JSON, 400, "not_readable"),
        ("POST", "/api/tables", BIG, JSON, 413, "too_large"),
        ("POST", "/api/tables", b"name=Eve", {}, 415, "not_readable"),
        ("POST", "/api/tables", {"name": ""}, {}, 400, "not_readable"),
        ("POST", "/api/tables", {"name": "A", "colour": 1}, {}, 400, "not_readable"),
        ("POST", "/api/tables", {"name": "A", "options": {"edition": "tenth"}}, {}, 409, "not_allowed"),
        ("POST", "/api/tables", {"name": "A", "options": {"edition": []}}, {}, 409, "not_allowed"),
        ("POST", "/api/tables", {"name": "A", "options": {"board": "x"}}, {}, 409, "not_allowed"),
        ("POST", "/api/tables", {"name": "A", "board": "name = 3"}, {}, 409, "not_allowed"),
        ("POST", "/api/tables", {"name": "A", "seats": {"blue": "genius"}}, {}, 409, "not_allowed"),
        ("POST", "/api/tables", {"name": "A", "seat": "pink"}, {}, 409, "not_allowed"),
        ("POST", "/api/tables/nosuchtable/seats/red", {"name": "A"}, {}, 404, "not_found"),
    ],
)
def test_every_refusal_of_rest_has_the_one_shape(
    url: str, method: str, path: str, body: Any, headers: dict[str, str], status: int, code: str
) -> None:
    answer = ask(url, method, path, body, **headers)
    assert (answer.status, answer.code) == (status, code)


def test_refused_options_name_their_rule(url: str) -> None:
    answer = ask(url, "POST", "/api/tables", {"name": "A", "options": {"points_to_win": 99}})
    assert answer.status == 409
    assert answer.json["error"]["rule"] == "WIN-01"


# --- who you are ------------------------------------------------------------------------------------------------------


def test_a_guest_is_known_again_by_its_cookie_and_a_forger_is_a_stranger(url: str) -> None:
    response = new_table(url)
    assert all(word in response.headers["Set-Cookie"] for word in ("HttpOnly", "SameSite=Lax", "Path=/"))
    table = response.json["table"]["id"]
    own: dict[str, Any] = {"additional_headers": {"Cookie": response.cookie}}
    guest, dot, signature = response.cookie.rpartition(".")
    forged: dict[str, Any] = {"additional_headers": {"Cookie": f"{guest}{dot}{'A' * len(signature)}"}}
    with open_socket(url, table, **forged) as line:
        answer = say(line, messages.Begin(id="1"))
        assert isinstance(answer, messages.Refused)
        assert answer.code == "not_allowed"
    with open_socket(url, table, **own) as line:
        assert isinstance(say(line, messages.Begin(id="1")), messages.Done)
    assert "Set-Cookie" not in new_table_as(url, response.cookie).headers
    assert (
        "Set-Cookie" in new_table_as(url, response.cookie[:-1] + ("A" if response.cookie[-1] != "A" else "B")).headers
    )


def test_a_token_that_was_not_given_out_opens_nothing(url: str) -> None:
    mine = new_table(url).json
    other_token = new_table(url).json["token"]
    for token in ("forged", other_token, mine["token"][:-1], "ä" * 20, ""):
        with open_socket(url, mine["table"]["id"], token) as line:
            refused = hear(line)
            assert isinstance(refused, messages.Refused)
            assert refused.code == "not_allowed"
            assert read_to_close_code(line) == 4403
    path = f"/api/tables/{mine['table']['id']}"
    assert ask(url, "GET", path, Authorization=f"Bearer {other_token}").code == "not_allowed"
    assert ask(url, "GET", path, Authorization="Basic abc").code == "not_readable"


def test_a_seat_is_taken_once_and_commands_count_only_for_the_own_seat(url: str) -> None:
    response = new_table(url, seats={"white": "easy", "orange": "easy"})
    table = response.json["table"]["id"]
    bob = ask(url, "POST", f"/api/tables/{table}/seats/blue", {"name": "Bob"})
    assert bob.status == 201
    assert bob.json["link"].endswith(f"/t/{table}#seat={bob.json['token']}")
    assert ask(url, "POST", f"/api/tables/{table}/seats/blue", {"name": "Eve"}).code == "not_allowed"
    assert ask(url, "POST", f"/api/tables/{table}/seats/pink", {"name": "Eve"}).code == "not_found"
    with open_socket(url, table, response.json["token"]) as ann, open_socket(url, table, bob.json["token"]) as line:
        assert isinstance(say(line, messages.Kick(id="1", color="red")), messages.Refused)
        assert isinstance(say(ann, messages.Begin(id="1")), messages.Done)
        path = f"/api/tables/{table}"
        legal = ask(url, "GET", path, Authorization=f"Bearer {response.json['token']}").json["projection"]["legal"]
        stolen = say(line, messages.Act(id="2", action=legal[0]))
        assert isinstance(stolen, messages.Refused)
        assert stolen.code == "not_legal"
        with open_socket(url, table) as watcher:
            refused = say(watcher, messages.Act(id="3", action=legal[0]))
            assert isinstance(refused, messages.Refused)
            assert refused.code == "not_allowed"
        assert isinstance(say(ann, messages.Act(id="2", action=legal[0])), messages.Done)


def test_who_is_kicked_is_cut_off_and_the_token_opens_nothing_more(url: str) -> None:
    response = new_table(url, seats={})
    table = response.json["table"]["id"]
    bob = ask(url, "POST", f"/api/tables/{table}/seats/blue", {"name": "Bob"}).json
    with open_socket(url, table, response.json["token"]) as ann, open_socket(url, table, bob["token"]) as line:
        hear(line, Hello)
        assert isinstance(say(ann, messages.Kick(id="1", color="blue")), messages.Done)
        assert read_to_close_code(line) == 4403
    with open_socket(url, table, bob["token"]) as line:
        assert hear(line).code == "not_allowed"


def test_the_key_is_kept_for_its_owner_alone(tmp_path: Path) -> None:
    key = read_key_beside(tmp_path / "h.db")
    file = tmp_path / "h.db.secret"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert read_key_beside(tmp_path / "h.db") == key
    with pytest.MonkeyPatch.context() as full_disk:
        full_disk.setattr(identity, "_write_key", lambda _path: pytest.fail("a draft is written first"))
        assert read_key_beside(tmp_path / "h.db") == key
    assert [path.name for path in tmp_path.iterdir()] == ["h.db.secret"]
    file.chmod(0o644)
    with pytest.raises(BadSecret, match="chmod 600"):
        read_key_beside(tmp_path / "h.db")
    file.chmod(0o600)
    file.write_bytes(b"short")
    with pytest.raises(BadSecret, match="no key"):
        read_key_beside(tmp_path / "h.db")


def test_over_tls_a_cookie_that_a_neighbor_can_plant_is_nobody() -> None:
    """A sibling under the same domain may be a guest here too, and give its own plain cookie to all browsers."""
    own = {"Host": "play.example.org", "Origin": "https://play.example.org"}
    with run_server(settings=Settings(port=0, public_url="https://play.example.org")) as url:
        answer = ask(url, "POST", "/api/me", {"name": "Ann"}, **own)
        name, _, value = answer.cookie.partition("=")
        assert name == HOST_COOKIE
        assert ask(url, "GET", "/api/me", Cookie=f"{HOST_COOKIE}={value}", **own).json["name"] == "Ann"
        assert ask(url, "GET", "/api/me", Cookie=f"{COOKIE}={value}", **own).json["name"] == ""
        again = ask(url, "POST", "/api/me", {"name": "Bob"}, Cookie=f"{COOKIE}={value}", **own)
        assert again.cookie.startswith(f"{HOST_COOKIE}=")  # a guest of its own
        assert value not in again.cookie


def test_a_cookie_is_believed_only_under_the_key_that_signed_it() -> None:
    first, second = Identity(), Identity()
    value = first.cookie_of(first.new_guest_id())
    assert first.guest_id_of_cookie(value) == value.split(".")[1]
    assert second.guest_id_of_cookie(value) is None
    assert all(
        first.guest_id_of_cookie(wrong) is None for wrong in (None, "", value + "A", value[:-1], "1.." + value[-43:])
    )
    assert cookie_value(f"a=1; hexholm_guest={value}; b=2", secure=False) == value
    assert cookie_value(f'hexholm_guest="{value}"', secure=False) == value
    assert cookie_value("a=\x00; hexholm_guest", secure=False) == ""
    assert cookie_value("not_hexholm_guest=1; other=hexholm_guest", secure=False) is None
    both = "hexholm_guest=plain; __Host-hexholm_guest=ours"
    assert cookie_value(both, secure=True) == "ours"
    assert cookie_value(both, secure=False) == "plain"
    assert cookie_value("hexholm_guest=a-neighbor's", secure=True) is None
    assert bearer_token("bearer abc") == "abc"
    assert bearer_token("Bearer a b") is None


def test_a_cookie_header_is_read_in_one_go_and_a_huge_one_not_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reader of the library takes seconds for a header of backslashes, and would run before any limit."""
    monkeypatch.setattr(SimpleCookie, "load", lambda *_: pytest.fail("the library's reader was asked"))
    assert cookie_value('hexholm_guest="' + "\\\\" * 1000 + '"', secure=False) == "\\\\" * 1000
    assert cookie_value("a=1;" * LONGEST_COOKIES + "hexholm_guest=1", secure=False) is None


# --- what is told -----------------------------------------------------------------------------------------------------


def test_a_running_game_is_recorded_only_as_it_was_seen_and_a_finished_one_whole(url: str) -> None:
    mine = new_table(url).json
    path = f"/api/tables/{mine['table']['id']}/record"
    early = ask(url, "GET", path)
    assert (early.status, early.code) == (409, "closed")
    table, token, _ = play_for_a_while(url, 60)
    path = f"/api/tables/{table}/record"
    public = Record.read(ask(url, "GET", path).body.decode())
    own = Record.read(ask(url, "GET", path, Authorization=f"Bearer {token}").body.decode())
    assert public.eyes == "public"
    assert own.eyes == "red"
    assert public.names[0] == "Ann"
    with open_socket(url, table, token) as line:
        assert isinstance(say(line, messages.End(id="end")), messages.Done)
    assert ask(url, "GET", path).json["error"]["why"] == "not_shown"
    whole = ask(url, "GET", path, Authorization=f"Bearer {token}")
    assert Record.read(whole.body.decode()).eyes is None
    assert whole.headers["Content-Type"].startswith("text/plain")
    as_json = ask(url, "GET", f"{path}?form=json", Authorization=f"Bearer {token}")
    assert Record.from_json(as_json.body.decode()).eyes is None


def test_a_table_is_shown_through_the_eyes_of_the_one_who_asks(url: str) -> None:
    table, token, _ = play_for_a_while(url, 30)
    public = ask(url, "GET", f"/api/tables/{table}").json
    own = ask(url, "GET", f"/api/tables/{table}", Authorization=f"Bearer {token}").json
    assert "hand" not in public["projection"]["view"]
    assert "hand" in own["projection"]["view"]
    assert "[" in own["board"]


def test_the_figures_count_and_name_nobody(url: str) -> None:
    table, token, _ = play_for_a_while(url, 10)
    text = ask(url, "GET", "/metrics").body.decode()
    for name in ("hexholm_commands_total", 'hexholm_tables{status="playing"}', "hexholm_sockets ", "hexholm_storage"):
        assert name in text
    assert table not in text
    assert token not in text
    figures = ask(url, "GET", "/api/statistics").json
    assert set(figures["tables"]) == {"open", "playing"}


def test_open_tables_are_counted_before_and_after_a_restart_alike(tmp_path: Path) -> None:
    def tables(url: str) -> Any:
        assert b'status="over"' not in ask(url, "GET", "/metrics").body  # those in memory alone would be no figure
        return ask(url, "GET", "/api/statistics").json["tables"]

    with run_server(tmp_path / "h.db") as url:
        new_table(url, visibility="open")
        new_table(url)  # which nobody is told of
        created = new_table(url, begin=True, visibility="open").json
        assert tables(url) == {"open": 1, "playing": 1}
        with open_socket(url, created["table"]["id"], created["token"]) as line:
            assert isinstance(say(line, messages.End(id="e")), messages.Done)
        assert tables(url) == {"open": 1, "playing": 0}
    with run_server(tmp_path / "h.db") as url:
        assert tables(url) == {"open": 1, "playing": 0}


def test_the_log_tells_what_happened_and_no_secret(tmp_path: Path) -> None:
    stream = io.StringIO()
    with run_server(tmp_path / "h.db", logger=new_logger(stream, as_json=True)) as url:
        response = new_table(url)
        token, table = response.json["token"], response.json["table"]["id"]
        with open_socket(url, table, token, additional_headers={"Cookie": response.cookie}) as line:
            say(line, messages.Begin(id="1"))
        ask(url, "GET", f"/api/tables/{table}?token={token}", Authorization=f"Bearer {token}")
        ask(url, "GET", "/", Origin="http://evil\x1b[2J")
        ask(url, "GET", "/api/tables/%1b%0a")
    lines = [msgspec.json.decode(line) for line in stream.getvalue().splitlines()]
    assert {"serving", "table set up", "socket opened", "socket closed", "turned away", "stopped"} <= {
        line["event"] for line in lines
    }
    secret = response.cookie.rpartition(".")[2]
    guest = response.cookie.split(".")[1]
    for word in (token, secret, guest, "\x1b"):
        assert word not in stream.getvalue()


def test_an_accident_is_logged_without_its_message() -> None:
    stream = io.StringIO()
    try:
        raise ValueError("red holds 3 ore")
    except ValueError as error:
        new_logger(stream, as_json=True).error("failed", said="a\nb", hand="abc", **error_fields(error))
    assert "ValueError" in stream.getvalue()
    assert "test_server.py" in stream.getvalue()
    assert "ore" not in stream.getvalue()
    assert "abc" not in stream.getvalue()
    assert stream.getvalue().count("\n") == 1
