"""The host serves the browser client: its page at every address, files that browsers keep, a word where it lacks."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from hexholm.host.web import static_files
from hexholm.host.web.static_files import ADDRESSES, accepts_gzip, matches_tag

from ..servers import ask, run_server

pytestmark = pytest.mark.waits

PAGE = b'<!doctype html><script type="module" src="/assets/index-abc.js"></script>'
SCRIPT = b"console.log('a table');" * 200
ICON = b"<svg xmlns='http://www.w3.org/2000/svg'/>"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small client in place of the real one."""
    static_folder = tmp_path / "static"
    (static_folder / "assets").mkdir(parents=True)
    (static_folder / "index.html").write_bytes(PAGE)
    (static_folder / "icon.svg").write_bytes(ICON)
    (static_folder / "assets/index-abc.js").write_bytes(SCRIPT)
    (tmp_path / "secret").write_bytes(b"secret")
    monkeypatch.setattr(static_files, "FOLDER", static_folder)
    return static_folder


@pytest.fixture
def client_url(folder: Path) -> Iterator[str]:
    with run_server() as server_url:
        yield server_url


@pytest.mark.parametrize("address", [route.replace("{table:str}", "abc") for route in ADDRESSES])
def test_every_address_of_the_client_answers_with_its_page(client_url: str, address: str) -> None:
    answer = ask(client_url, "GET", address)
    assert (answer.status, answer.body) == (200, PAGE)
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert answer.headers["Cache-Control"] == "no-cache"


def test_the_page_may_run_scripts_and_styles_of_its_own_server_only(client_url: str) -> None:
    policy = ask(client_url, "GET", "/").headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "script-src 'self';" in policy
    assert "style-src 'self';" in policy
    assert "unsafe" not in policy


def test_a_file_with_a_digest_in_its_name_is_kept_for_good(client_url: str) -> None:
    answer = ask(client_url, "GET", "/assets/index-abc.js")
    assert (answer.status, answer.body) == (200, SCRIPT)
    assert answer.headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert "immutable" in answer.headers["Cache-Control"]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert "Content-Security-Policy" not in answer.headers  # it would say nothing of a script, and come with each
    missing = ask(client_url, "GET", "/assets/none.js").headers
    assert "Content-Security-Policy" in missing
    assert missing["X-Frame-Options"] == "DENY"


def test_a_file_with_a_plain_name_is_asked_for_again(client_url: str) -> None:
    answer = ask(client_url, "GET", "/icon.svg")
    assert (answer.status, answer.body) == (200, ICON)
    assert answer.headers["Content-Type"] == "image/svg+xml"
    assert answer.headers["Cache-Control"] == "no-cache"


def test_those_who_can_read_it_get_files_compressed(client_url: str) -> None:
    packed = ask(client_url, "GET", "/assets/index-abc.js", Accept_Encoding="gzip, br")
    assert packed.headers["Content-Encoding"] == "gzip"
    assert len(packed.body) < len(SCRIPT) / 5
    assert gzip.decompress(packed.body) == SCRIPT
    plain = ask(client_url, "GET", "/assets/index-abc.js", Accept_Encoding="identity")
    assert "Content-Encoding" not in plain.headers
    assert plain.headers["Vary"] == packed.headers["Vary"] == "Accept-Encoding"
    assert plain.headers["ETag"] != packed.headers["ETag"]


def test_what_the_build_compressed_better_is_sent_to_those_who_can_read_it(folder: Path) -> None:
    better = b"as small as it gets"  # the host does not look into it
    (folder / "assets/index-abc.js.br").write_bytes(better)
    with run_server() as client_url:
        answer = ask(client_url, "GET", "/assets/index-abc.js", Accept_Encoding="gzip, deflate, br")
        assert (answer.headers["Content-Encoding"], answer.body) == ("br", better)
        assert answer.headers["Content-Type"] == "text/javascript; charset=utf-8"
        other_answer = ask(client_url, "GET", "/assets/index-abc.js", Accept_Encoding="gzip, deflate")
        assert (other_answer.headers["Content-Encoding"], gzip.decompress(other_answer.body)) == ("gzip", SCRIPT)
        assert len({answer.headers["ETag"], other_answer.headers["ETag"]}) == 2
        assert ask(client_url, "GET", "/assets/index-abc.js.br").status == 404


@pytest.mark.parametrize("path", ["/", "/t/abc", "/assets/index-abc.js", "/icon.svg"])
def test_what_a_browser_has_already_is_not_sent_again(client_url: str, path: str) -> None:
    tag = ask(client_url, "GET", path).headers["ETag"]
    second_answer = ask(client_url, "GET", path, If_None_Match=f'"other", W/{tag}')
    assert (second_answer.status, second_answer.body, second_answer.headers["ETag"]) == (304, b"", tag)
    assert ask(client_url, "GET", path, If_None_Match='"other"').status == 200


def test_a_head_request_gets_no_body(client_url: str) -> None:
    answer = ask(client_url, "HEAD", "/")
    assert (answer.status, answer.body, answer.headers["Content-Length"]) == (200, b"", str(len(PAGE)))


@pytest.mark.parametrize(
    "path", ["/assets/none.js", "/assets/../../secret", "/assets/%2e%2e/%2e%2e/secret", "/..%2fsecret", "/secret"]
)
def test_nothing_outside_the_client_is_served(client_url: str, path: str) -> None:
    answer = ask(client_url, "GET", path)
    assert (answer.status, answer.code) == (404, "not_found")


def test_a_person_at_a_wrong_address_gets_the_page_and_a_program_an_error(client_url: str) -> None:
    person = ask(client_url, "GET", "/no/such/page", Accept="text/html,*/*")
    assert (person.status, person.body) == (404, PAGE)
    program = ask(client_url, "GET", "/no/such/page")
    assert (program.status, program.code) == (404, "not_found")
    interface = ask(client_url, "GET", "/api/nosuch", Accept="text/html,*/*")
    assert (interface.status, interface.code) == (404, "not_found")
    posted = ask(client_url, "POST", "/no/such/page", {}, Accept="text/html")
    assert (posted.status, posted.code) == (404, "not_found")


def test_a_new_build_is_served_without_a_restart(client_url: str, folder: Path) -> None:
    assert ask(client_url, "GET", "/").body == PAGE
    (folder / "assets/index-def.js").write_bytes(b"2")
    (folder / "index.html").write_bytes(PAGE.replace(b"abc", b"def"))
    os.utime(folder / "index.html", (1, 1))
    assert b"def" in ask(client_url, "GET", "/").body
    assert ask(client_url, "GET", "/assets/index-def.js").body == b"2"


def test_without_the_client_a_page_says_how_to_build_it(folder: Path) -> None:
    (folder / "index.html").unlink()
    with run_server() as client_url:
        answer = ask(client_url, "GET", "/t/abc")
        assert answer.status == 200
        assert answer.headers["Content-Type"].startswith("text/html")
        assert b"make web" in answer.body
        assert b"<script" not in answer.body
        assert "script-src 'none'" in answer.headers["Content-Security-Policy"]
        assert ask(client_url, "GET", "/assets/index-abc.js").status == 404
        assert ask(client_url, "GET", "/api/tables").status == 200


@pytest.mark.parametrize(
    "header, takes",
    [
        ("gzip", True),
        ("br, GZIP;q=0.5", True),
        ("*", True),
        ("", False),
        ("br", False),
        ("gzip;q=0", False),
        ("gzip; q=0.0", False),
    ],
)
def test_only_those_who_say_so_take_gzip(header: str, takes: bool) -> None:
    assert accepts_gzip(header) is takes


def test_a_tag_is_compared_as_browsers_send_it() -> None:
    assert matches_tag('W/"a"', '"a"')
    assert matches_tag('"b", "a"', '"a"')
    assert matches_tag("*", '"a"')
    assert not matches_tag('"ab"', '"a"')
    assert not matches_tag("", '"a"')
