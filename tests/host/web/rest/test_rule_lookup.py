"""The almanac over REST: what the room `almanac` says, for every edition and language, and nothing else."""

from __future__ import annotations

import gzip
from itertools import product

import msgspec
import pytest

from hexholm.almanac import Almanac
from hexholm.game.language.languages import LANGUAGES
from hexholm.host.wire import api
from hexholm.host.wire import messages as m
from hexholm.host.wire.host_refusals import HOST_REFUSALS
from hexholm.rules.editions import EDITIONS
from hexholm.rules.options import check_options

from ...servers import ask, hear, new_table, socket

BOOKS = list(product(EDITIONS, LANGUAGES))


def entry(url: str, name: str, **how: str) -> api.RuleEntry:
    query = "&".join(f"{key}={value}" for key, value in how.items())
    return msgspec.json.decode(ask(url, "GET", f"/api/rules/entries/{name}?{query}").body, type=api.RuleEntry)


@pytest.mark.parametrize("edition, language", BOOKS)
def test_the_contents_name_every_entry_in_the_words_of_the_edition(url: str, edition: str, language: str) -> None:
    answer = ask(url, "GET", f"/api/rules?edition={edition}&language={language}")
    found = msgspec.json.decode(answer.body, type=api.RuleContents)
    book = Almanac(edition, language)
    listed = [(one.name, one.title) for group in found.groups for one in group.entries]
    assert listed == [(one.name, one.title) for one in book.entries()]
    assert found.editions[edition] == book.title
    assert found.rules == book.explained()
    assert found.words == book.terms


@pytest.mark.parametrize("edition, language", BOOKS)
def test_every_entry_comes_whole(url: str, edition: str, language: str) -> None:
    for one in Almanac(edition, language).entries():
        found = entry(url, one.name, edition=edition, language=language)
        assert found == msgspec.convert(one.as_dict(), api.RuleEntry)


def test_an_entry_is_found_by_its_title_in_any_edition_too(url: str) -> None:
    assert entry(url, "Longest%20Route", edition="fifth").name == "longest-road"
    assert entry(url, "longest-road", edition="fifth").title == "Longest Road"


def test_a_search_finds_what_the_almanac_finds(url: str) -> None:
    found = ask(url, "GET", "/api/rules/search?text=tied%20road&edition=fifth&limit=3").json["hits"]
    assert [hit["entry"] for hit in found] == [hit.entry for hit in Almanac("fifth").search("tied road", 3)]
    assert found[0]["entry"] == "longest-road"
    assert found[0]["rules"] == ["LROAD-08"]
    assert ask(url, "GET", "/api/rules/search").json == {"hits": []}


def test_two_editions_stand_side_by_side(url: str) -> None:
    found = ask(url, "GET", "/api/rules/compare?editions=fifth,zip&language=de").json
    assert list(found["editions"]) == ["fifth", "zip"]
    roads = next(row for row in found["rows"] if row["key"] == "road_limit")
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
        ("?language=fr", "not_readable", "bad_choice"),
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
    asked = {"edition": "fifth", "players": 3, "phases": "combined", **house}
    for language in LANGUAGES:
        made = new_table(url, options=asked, seats={}, seat="blue").json["table"]
        book = Almanac("fifth", language, check_options(**asked))
        found = entry(url, "ending-the-game", table=made["id"], language=language, edition="zip")
        assert found == msgspec.convert(book.entry("ending-the-game").as_dict(), api.RuleEntry)
        assert "12" in str(found.blocks[0])
        contents = ask(url, "GET", f"/api/rules?table={made['id']}&language={language}").json
        assert contents["edition"] == "fifth"
        search = f"/api/rules/search?text=12&table={made['id']}&language={language}&limit=50"
        assert "ending-the-game" in {hit["entry"] for hit in ask(url, "GET", search).json["hits"]}
        assert ask(url, "GET", f"/api/rules/examples/discard.svg?table={made['id']}").status == 404
    assert ask(url, "GET", "/api/rules?table=nowhere").status == 404


def test_a_refusal_of_the_host_leads_to_an_entry_where_one_explains_it(url: str) -> None:
    known = Almanac("fifth").explained()
    named = {why: said.rule for why, said in HOST_REFUSALS.items() if said.rule}
    assert set(named.values()) <= set(known)
    begin = ask(url, "POST", "/api/tables", {"name": "Ann", "options": {"edition": "fifth"}, "begin": True})
    assert begin.json["error"]["why"] == "begin_needs_bots"
    assert begin.json["error"]["rule"] == named["begin_needs_bots"] == "COMP-12"
    made = new_table(url, seats={}).json
    with socket(url, made["table"]["id"], made["token"]) as line:
        line.send('{"type":"begin","id":"1"}')
        assert hear(line, m.Refused).rule == "COMP-12"
