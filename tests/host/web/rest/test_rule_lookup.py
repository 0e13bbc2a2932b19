"""The almanac over REST: what the room `almanac` says, for every edition and language, and nothing else."""

from __future__ import annotations

import asyncio
import gzip
from dataclasses import replace
from itertools import product

import msgspec
import pytest

from hexholm.almanac import Almanac
from hexholm.host.web.admission.costly_queue import MOST_QUEUED
from hexholm.host.web.admission.limits import Limits, Rate
from hexholm.host.web.operations.settings import Settings
from hexholm.host.wire import api, messages
from hexholm.host.wire.host_refusals import HOST_REFUSALS
from hexholm.rules.language.languages import LANGUAGES
from hexholm.rules.setup.editions import EDITIONS
from hexholm.rules.setup.options import check_options

from ...open_server import OpenServer, in_server
from ...servers import Answer, ask, hear, new_table, open_socket

pytestmark = pytest.mark.waits

BOOKS = list(product(EDITIONS, LANGUAGES))


def entry(url: str, name: str, **how: str) -> api.RuleEntry:
    query = "&".join(f"{key}={value}" for key, value in how.items())
    return msgspec.json.decode(ask(url, "GET", f"/api/rules/entries/{name}?{query}").body, type=api.RuleEntry)


@pytest.mark.parametrize("edition, language", BOOKS)
def test_the_contents_name_every_entry_in_the_words_of_the_edition(url: str, edition: str, language: str) -> None:
    answer = ask(url, "GET", f"/api/rules?edition={edition}&language={language}")
    contents = msgspec.json.decode(answer.body, type=api.RuleContents)
    book = Almanac(edition, language)
    listed = [(entry_line.name, entry_line.title) for group in contents.groups for entry_line in group.entries]
    assert listed == [(entry_line.name, entry_line.title) for entry_line in book.entries()]
    assert contents.editions[edition] == book.title
    assert contents.rules == book.entries_by_rule()
    assert contents.words == book.link_targets


@pytest.mark.parametrize("edition, language", BOOKS)
def test_every_entry_comes_whole(url: str, edition: str, language: str) -> None:
    for almanac_entry in Almanac(edition, language).entries():
        entry_data = entry(url, almanac_entry.name, edition=edition, language=language)
        assert entry_data == msgspec.convert(almanac_entry.as_dict(), api.RuleEntry)


def test_an_entry_is_found_by_its_title_in_any_edition_too(url: str) -> None:
    assert entry(url, "Longest%20Route", edition="fifth").name == "longest-road"
    assert entry(url, "longest-road", edition="fifth").title == "Longest Road"


def test_a_search_finds_what_the_almanac_finds(url: str) -> None:
    hits = ask(url, "GET", "/api/rules/search?text=tied%20road&edition=fifth&limit=3").json["hits"]
    assert [hit["entry"] for hit in hits] == [hit.entry for hit in Almanac("fifth").search("tied road", 3)]
    assert hits[0]["entry"] == "longest-road"
    assert hits[0]["rules"] == ["LROAD-08"]
    assert ask(url, "GET", "/api/rules/search").json == {"hits": []}


def test_two_editions_stand_side_by_side(url: str) -> None:
    comparison = ask(url, "GET", "/api/rules/compare?editions=fifth,zip&language=de").json
    assert list(comparison["editions"]) == ["fifth", "zip"]
    roads = next(row for row in comparison["rows"] if row["key"] == "road_limit")
    assert (roads["values"]["fifth"], roads["same"]) == ("15", False)
    assert roads["values"]["zip"] != "15"
    assert len(ask(url, "GET", "/api/rules/compare").json["editions"]) == len(EDITIONS)


def test_every_worked_example_is_drawn(url: str) -> None:
    named = [block.name for name in Almanac("zip").names for block in entry(url, name, edition="zip").blocks
             if isinstance(block, api.RuleExample)]  # fmt: skip
    assert "broken" in named
    for name in set(named):
        picture = ask(url, "GET", f"/api/rules/examples/{name}.svg?edition=zip&theme=dark")
        assert picture.headers["Content-Type"] == "image/svg+xml"
        assert picture.body.startswith(b"<svg")


@pytest.mark.parametrize("path", ["", "/entries/robber", "/search?text=robber", "/compare", "/examples/rob.svg"])
def test_all_of_it_may_be_kept_and_comes_compressed(url: str, path: str) -> None:
    plain, packed = (ask(url, "GET", f"/api/rules{path}", Accept_Encoding=how) for how in ("identity", "gzip"))
    assert plain.headers["Cache-Control"].startswith("public, max-age=")
    assert gzip.decompress(packed.body) == plain.body
    assert len(packed.body) < len(plain.body)


@pytest.mark.parametrize(
    "path, code, why",
    [
        ("?edition=seventh", "not_readable", "bad_choice"),
        ("?language=xx", "not_readable", "bad_choice"),
        ("/entries/nosuch", "not_found", "no_such_entry"),
        ("/entries/map-pad?edition=fifth", "not_found", "no_such_entry"),
        ("/compare?editions=fifth,seventh", "not_readable", "bad_choice"),
        ("/search?text=road&limit=0", "not_readable", "bad_number"),
        ("/examples/nosuch.svg", "not_found", "no_such_address"),
        ("/examples/rob.svg?theme=neon", "not_readable", "bad_choice"),
    ],
)
def test_what_is_not_there_is_refused_in_the_one_shape(url: str, path: str, code: str, why: str) -> None:
    problem = ask(url, "GET", f"/api/rules{path}").json["error"]
    assert (problem["code"], problem["why"]) == (code, why)


def test_a_name_that_is_nearly_right_is_told_what_is_near(url: str) -> None:
    assert "longest-road" in ask(url, "GET", "/api/rules/entries/longest-rode").json["error"]["message"]


def test_beside_a_table_the_almanac_speaks_of_what_the_table_plays_by(url: str) -> None:
    house = {"points_to_win": 12, "hand_limit": 9, "friendly_robber": True, "balanced_dice": True}
    options = {"edition": "fifth", "players": 3, "phases": "combined", **house}
    for language in LANGUAGES:
        table = new_table(url, options=options, seats={}, seat="blue").json["table"]
        book = Almanac("fifth", language, check_options(**options))
        entry_data = entry(url, "ending-the-game", table=table["id"], language=language, edition="zip")
        assert entry_data == msgspec.convert(book.entry("ending-the-game").as_dict(), api.RuleEntry)
        assert "12" in str(entry_data.blocks[0])
        contents = ask(url, "GET", f"/api/rules?table={table['id']}&language={language}").json
        assert contents["edition"] == "fifth"
        search = f"/api/rules/search?text=12&table={table['id']}&language={language}&limit=50"
        assert "ending-the-game" in {hit["entry"] for hit in ask(url, "GET", search).json["hits"]}
        assert ask(url, "GET", f"/api/rules/examples/discard.svg?table={table['id']}").status == 404
    assert ask(url, "GET", "/api/rules?table=nowhere").status == 404


def test_a_refusal_of_the_host_leads_to_an_entry_where_one_explains_it(url: str) -> None:
    explained = Almanac("fifth").entries_by_rule()
    named = {why: refusal.rule for why, refusal in HOST_REFUSALS.items() if refusal.rule}
    assert set(named.values()) <= set(explained)
    begin = ask(url, "POST", "/api/tables", {"name": "Ann", "options": {"edition": "fifth"}, "begin": True})
    assert begin.json["error"]["why"] == "begin_needs_bots"
    assert begin.json["error"]["rule"] == named["begin_needs_bots"] == "COMP-12"
    created = new_table(url, seats={}).json
    with open_socket(url, created["table"]["id"], created["token"]) as line:
        line.send('{"type":"begin","id":"1"}')
        assert hear(line, messages.Refused).rule == "COMP-12"


def test_what_a_table_plays_by_is_for_those_who_may_look_at_it(url: str) -> None:
    created = new_table(url, watchable=False, begin=True)
    table, token, cookie = created.json["table"]["id"], created.json["token"], created.cookie
    for path in ("", "/entries/robber", "/search?text=robber", "/examples/discard.svg"):
        asked = f"/api/rules{path}{'&' if '?' in path else '?'}table={table}"
        answer = ask(url, "GET", asked)
        assert (answer.status, answer.json["error"]["why"]) == (403, "not_watchable"), path
        for how in ({"Cookie": cookie}, {"Authorization": f"Bearer {token}"}):
            answer = ask(url, "GET", asked, **how)
            assert answer.status == 200, path
            assert answer.headers["Cache-Control"].startswith("private"), path


def test_searches_are_counted_and_few_wait_for_each_other() -> None:
    async def counted(server: OpenServer) -> None:
        async def why(path: str) -> str:
            answer = await server.ask("GET", f"/api/rules{path}")
            return "" if answer.status == 200 else str(answer.json["error"]["why"])

        assert [await why("/search?text=robber") for _ in range(2)] == ["", ""]
        assert await why("/entries/robbr") == "no_such_entry"
        assert [await why(path) for path in ("/search?text=road", "/entries/nothing")] == ["too_much_at_once"] * 2
        assert [await why(path) for path in ("", "/entries/robber")] == ["", ""]  # those are kept

    async def queued(server: OpenServer) -> None:
        context = server.app.context
        async with context.almanac_queue.turn("elsewhere"):
            waiting = [asyncio.create_task(server.ask("GET", "/api/rules/search?text=road")) for _ in range(40)]
            done, still = set[asyncio.Task[Answer]](), set(waiting)
            while len(still) > MOST_QUEUED:
                answered, still = await asyncio.wait(still, timeout=60, return_when=asyncio.FIRST_COMPLETED)
                assert answered
                done |= answered
            assert {answer.result().json["error"]["why"] for answer in done} == {"busy"}
            assert len(still) == MOST_QUEUED
        assert {(await answer).status for answer in still} == {200}

    in_server(counted, settings=Settings(limits=replace(Limits.none(), lookups=Rate(3, 0))))
    in_server(queued, settings=Settings(limits=Limits.none()))
