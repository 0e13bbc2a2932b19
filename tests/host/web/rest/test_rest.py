"""REST for the browser: what can be chosen, one's own tables, lists, another game, replays and summaries."""

from __future__ import annotations

import asyncio
import dataclasses
import gzip
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

import hexholm
from hexholm.bots import TABLE_BOTS, bot_kind
from hexholm.bots.fairness import fairness
from hexholm.game.records.summary import summarize
from hexholm.game.records.timeline import Timeline
from hexholm.game.views.view_data import view_data
from hexholm.host.client import Client, Declined
from hexholm.host.table_literals import ChanceSource
from hexholm.host.web.operations import compiled_rules
from hexholm.host.web.rest.board_preview import FAIR_TRIES
from hexholm.host.web.rest.editions import ELSEWHERE, option_lines
from hexholm.host.wire import api, messages
from hexholm.host.wire.boards import board_line
from hexholm.host.wire.description.openapi import openapi_document
from hexholm.rules.boards import read_board
from hexholm.rules.compilation import kernel_cache, mode
from hexholm.rules.compilation import kernels as compiled
from hexholm.rules.setup.editions import EDITIONS, edition
from hexholm.rules.setup.options import BadOptions, Options, check_options

from ...servers import BOTS, Answer, ask, hear, new_table, open_socket, run_server, say

pytestmark = pytest.mark.waits


def begun(url: str, **more: Any) -> tuple[str, str, str]:
    """A game of Ann's against three bots: table, token, cookie."""
    answer = new_table(url, **more)
    table, token = answer.json["table"]["id"], answer.json["token"]
    with open_socket(url, table, token, additional_headers={"Cookie": answer.cookie}) as line:
        assert isinstance(say(line, messages.Begin(id="begin")), messages.Done)
    return table, token, answer.cookie


def finished(url: str, **more: Any) -> tuple[str, str, str]:
    """A game that was ended by agreement after some turns."""
    table, token, cookie = begun(url, **{"options": {"edition": "fifth", "first": 0}, **more})

    async def play() -> None:
        async with Client(url).join(table, token) as line:
            count = 0
            async for now in line.questions():
                await line.act(now.legal[0])
                count += 1
                if count == 12:
                    break
            await line.send(messages.End(id="end"))

    asyncio.run(play())
    return table, token, cookie


# --- what can be chosen -----------------------------------------------------------------------------------------------


def test_the_editions_tell_a_form_for_a_new_table_all_it_needs(url: str) -> None:
    editions = msgspec.json.decode(ask(url, "GET", "/api/editions").body, type=api.EditionList)
    assert [(bot.name, bot.line) for bot in editions.bots] == [(name, bot_kind(name).summary) for name in TABLE_BOTS]
    lines = {line.name: line for line in editions.editions}
    fifth = lines["fifth"]
    assert fifth.costs["card"] == {"ore": 1, "wool": 1, "grain": 1}
    assert fifth.costs["city"] == {"ore": 3, "grain": 2}
    assert fifth.pieces == {"road": 15, "settlement": 5, "city": 4}
    assert lines["zip"].pieces["road"] is None
    assert sum(fifth.deck.values()) == 25
    assert fifth.supply == dict.fromkeys(("brick", "lumber", "wool", "grain", "ore"), 19)
    assert (fifth.hand_limit, fifth.setups, fifth.players) == (7, ("fixed", "variable"), (3, 4))


def test_what_is_said_to_go_with_real_dice_and_cards_is_what_is_accepted(url: str) -> None:
    editions = msgspec.json.decode(ask(url, "GET", "/api/editions").body, type=api.EditionList)
    assert [chance_line.name for chance_line in editions.chances] == list(get_args(ChanceSource))
    options: dict[str, Any] = {"edition": "fifth"}
    for chance_line in editions.chances:
        for more, fits in (
            ({}, True),
            ({"clock": 60}, chance_line.clock),
            ({"seats": {"blue": "easy"}}, chance_line.bots),
            ({"options": {**options, "balanced_dice": True}}, "balanced_dice" not in chance_line.without),
        ):
            new_table_body = {"name": "Ann", "options": options, "chance": chance_line.name, **more}
            assert ask(url, "POST", "/api/tables", new_table_body).status == (201 if fits else 409), (
                chance_line.name,
                more,
            )


def test_the_house_rule_for_fewer_players_says_for_how_many(url: str) -> None:
    line = next(option_line for option_line in option_lines(edition("fifth")) if option_line.player_count)
    few = {"edition": "fifth", "players": line.player_count}
    assert ask(url, "POST", "/api/tables", {"name": "Ann", "options": few}).status == 409
    assert ask(url, "POST", "/api/tables", {"name": "Ann", "options": {**few, line.name: True}}).status == 201


def test_every_option_has_its_line_or_its_place_elsewhere() -> None:
    names = {field.name for field in dataclasses.fields(Options)}
    offered = {line.name for name in EDITIONS for line in option_lines(edition(name))}
    assert offered | ELSEWHERE == names
    assert not offered & ELSEWHERE


@pytest.mark.parametrize("name", EDITIONS)
def test_every_choice_that_is_offered_can_be_made_and_nothing_beyond_it(name: str) -> None:
    for line in option_lines(edition(name)):
        options: dict[str, Any] = {"edition": name, "setup": line.setup or "variable"}
        values: list[Any] = list(line.choices)
        if line.kind == "bool":
            values += [True, False]
        if line.kind == "int":
            assert line.low is not None
            assert line.high is not None
            values += [line.low, line.high]
            for beyond in (line.low - 1, line.high + 1):
                with pytest.raises(BadOptions):
                    check_options(**options, **{line.name: beyond})
        for value in values:
            check_options(**options, **{line.name: value})
        if line.default is not None:
            assert check_options(**options, **{line.name: line.default}) == check_options(**options)
        assert line.house_rule == any(
            line.name.replace("_", " ").split()[0] in rule for rule in _house_rules(options, line)
        )


def _house_rules(options: dict[str, Any], line: api.OptionLine) -> list[str]:
    """The house rules that are in force when the option is used."""
    value = True if line.kind == "bool" else line.low if line.kind == "int" else line.choices[0]
    more = {"players": 2} if line.name == "two_players" else {}
    rules = check_options(**options, **more, **{line.name: value}).house_rules()
    return [rule.replace("2 players", "two") for rule in rules]


def test_the_editions_come_small_to_those_who_can_read_that(url: str) -> None:
    plain = ask(url, "GET", "/api/editions")
    packed = ask(url, "GET", "/api/editions", Accept_Encoding="gzip")
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.body) == plain.body
    assert 4 * len(packed.body) < len(plain.body)


def test_a_board_can_be_looked_at_before_the_table_is_set_up(url: str) -> None:
    query = "/api/boards/preview?edition=fifth&setup=variable&numbers=random&players=3&seed=7"
    board = msgspec.json.decode(ask(url, "GET", query).body, type=api.BoardAnswer)
    layout = read_board(board.toml)
    assert board.board == board_line(layout, "fifth")
    assert "seed" not in board.toml
    same_board = msgspec.json.decode(ask(url, "GET", query).body, type=api.BoardAnswer)
    other_board = msgspec.json.decode(ask(url, "GET", query.replace("seed=7", "seed=8")).body, type=api.BoardAnswer)
    assert board == same_board
    assert board.board != other_board.board
    options = {"edition": "fifth", "setup": "variable", "numbers": "random", "players": 3}
    answer = new_table(url, options=options, board_seed=board.seed, seats={})
    with open_socket(url, answer.json["table"]["id"]) as line:
        assert hear(line, messages.Hello).board == board.board


@pytest.mark.parametrize(
    ("edition", "colors"), [("fifth", ["blue", "white", "orange"]), ("sixth", ["red", "blue", "orange"])]
)
def test_a_board_tells_the_seats_that_a_table_with_it_has(url: str, edition: str, colors: list[str]) -> None:
    query = f"/api/boards/preview?edition={edition}&setup=fixed&players=3"
    assert ask(url, "GET", query).json["colors"] == colors
    answer = new_table(url, options={"edition": edition, "setup": "fixed", "players": 3}, seats={})
    assert [seat["color"] for seat in answer.json["table"]["seats"]] == colors


def test_a_board_without_a_seed_is_a_new_one_and_its_seed_is_told(url: str) -> None:
    first, second = (ask(url, "GET", "/api/boards/preview").json for _ in range(2))
    assert first["board"] != second["board"]
    assert ask(url, "GET", f"/api/boards/preview?seed={first['seed']}").json["board"] == first["board"]
    first = ask(url, "GET", "/api/boards/preview?edition=zip&map=3").json
    assert first["board"] == ask(url, "GET", "/api/boards/preview?edition=zip&map=3&seed=9").json["board"]


def test_a_printed_map_is_named_by_its_number_and_no_other_board_is(url: str) -> None:
    path = "/api/boards/preview?seed=9&edition="
    assert ask(url, "GET", f"{path}zip&map=23").json["map"] == 23
    assert ask(url, "GET", f"{path}zip&setup=fixed").json["map"] == 1
    drawn_board = ask(url, "GET", f"{path}zip").json
    assert ask(url, "GET", f"{path}zip&map={drawn_board['map']}").json["board"] == drawn_board["board"]
    assert "map" not in ask(url, "GET", f"{path}sixth").json


def test_a_fair_board_is_the_fairest_of_many_and_its_seed_sets_up_the_table(url: str) -> None:
    query = "/api/boards/preview?edition=fifth&players=3"
    fair_answer = msgspec.json.decode(ask(url, "GET", f"{query}&seed=7&fair=true").body, type=api.BoardAnswer)
    assert fair_answer == msgspec.json.decode(ask(url, "GET", f"{query}&seed=7&fair=true").body, type=api.BoardAnswer)
    assert fair_answer.fairness is not None
    assert fair_answer.fairness.tried == FAIR_TRIES
    assert [part.name for part in fair_answer.fairness.parts] == ["seats", "resources", "corners", "regions"]
    judged = fairness(read_board(fair_answer.toml), 3)
    assert fair_answer.fairness.score == judged.score
    assert [part.values for part in fair_answer.fairness.parts] == [part.values for part in judged.parts]
    assert "seed" not in fair_answer.toml
    plain = msgspec.json.decode(
        ask(url, "GET", f"{query}&seed={fair_answer.seed}&fair=false").body, type=api.BoardAnswer
    )
    assert (plain.board, plain.fairness) == (fair_answer.board, None)


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("fair=perhaps", "true or false"),
        ("fair=true&edition=zip&map=7", "one board"),
        ("fair=true&setup=fixed", "one board"),
        ("fair=true&seed=-1", "seed"),
        ("edition=seventh", "there is no edition"),
        ("players=9", "players"),
        ("numbers=upside-down", "numbers"),
        ("colour=red", "no option 'colour'"),
        ("seed=-1", "seed"),
        ("seed=99999999999999999999", "seed"),
        ("map=7&edition=fifth", "only edition zip"),
        ("setup=fixed&setup=odd", "odd"),
    ],
)
def test_a_board_that_cannot_be_is_refused_in_the_one_shape(url: str, query: str, says: str) -> None:
    answer = ask(url, "GET", f"/api/boards/preview?{query}")
    assert (answer.status, answer.code) == (400, "not_readable")
    assert says in answer.json["error"]["message"]


def test_the_figures_say_how_much_is_compiled(url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def figures() -> tuple[bool, float]:
        statistics = ask(url, "GET", "/api/statistics").json
        return statistics["warming"], statistics["compiled"]

    monkeypatch.setattr(compiled_rules, "_done", False)
    monkeypatch.setenv("HEXHOLM_CACHE", str(tmp_path))  # nothing is compiled there
    monkeypatch.setenv("HEXHOLM_INTERPRETED", "1")
    assert figures() == (False, 1.0)  # nothing is to be compiled
    monkeypatch.delenv("HEXHOLM_INTERPRETED")
    assert figures() == (True, 0.0)
    kernels = sorted(
        {
            kernel
            for name in ("do_step", "bot_decide")
            for kernel in compiled.kernels_within(*compiled.kernels_named(name))
        },
        key=lambda kernel: kernel.__name__,
    )
    for kernel in kernels:
        kernel_cache.write_code(f"{kernel.__name__}-{compiled.kernel_digest(kernel)}-0", b"")
    warming, share = figures()
    assert warming
    assert 0 < share < 1
    monkeypatch.setattr(mode, "kept_kernels", EveryKernel)
    assert figures() == (False, 1.0)


class EveryKernel:
    """A cache that has everything."""

    def __contains__(self, kernel: object) -> bool:
        return True


class Compiler:
    """A compiler that ends at once with this code."""

    def __init__(self, code: int) -> None:
        self.code = code

    async def wait(self) -> int:
        return self.code


@pytest.mark.parametrize(("share", "loaded"), [(1.0, [True] * 3), (0.9, [])])
def test_when_the_rules_are_compiled_games_that_go_on_change_over(
    monkeypatch: pytest.MonkeyPatch, share: float, loaded: list[bool]
) -> None:
    modes: list[bool | None] = []
    monkeypatch.setattr(mode, "_parts", {})
    for part in compiled_rules.LOADED:
        mode.register(part, modes.append)
    monkeypatch.delenv("HEXHOLM_INTERPRETED", raising=False)
    monkeypatch.setattr(mode.process_mode, "rules_ready", False)
    monkeypatch.setattr(mode, "share_kept", lambda _parts: share)
    asyncio.run(compiled_rules._load_when_compiled([Compiler(0), Compiler(-15)]))  # type: ignore[list-item]
    assert modes == loaded
    assert (mode.process_mode.rules_ready is None) == bool(loaded)


# --- the guest in the cookie ------------------------------------------------------------------------------------------


def mine(url: str, cookie: str, query: str = "") -> list[tuple[str, str | None, bool]]:
    me = msgspec.json.decode(ask(url, "GET", f"/api/me{query}", Cookie=cookie).body, type=api.Me)
    return [(own_table.table.id, own_table.color, own_table.is_creator) for own_table in me.tables]


def test_a_guest_finds_its_tables_again_newest_first_and_no_token_is_told(url: str) -> None:
    over, token, cookie = finished(url)
    second = ask(url, "POST", "/api/tables", {"name": "Ann", "sit": False}, Cookie=cookie).json["table"]["id"]
    bobs = new_table(url, name="Bob", seats={})
    table = bobs.json["table"]["id"]
    color = bobs.json["table"]["seats"][1]["color"]
    answer = ask(url, "POST", f"/api/tables/{table}/seats/{color}", {"name": "Anna"}, Cookie=cookie)
    assert answer.status == 201
    assert mine(url, cookie) == [(table, color, False), (second, None, True), (over, "red", True)]
    assert mine(url, cookie, "?limit=1") == [(table, color, False)]
    listed = ask(url, "GET", "/api/me", Cookie=cookie)
    assert listed.json["name"] == "Anna"
    before = listed.json["tables"][0]["table"]["created"]
    assert [name for name, _, _ in mine(url, cookie, f"?before={before}")] == [second, over]
    assert token not in listed.body.decode()
    assert answer.json["token"] not in listed.body.decode()
    assert mine(url, "") == mine(url, cookie[:-1] + "x") == []
    assert (table, bobs.json["seat"], True) in mine(url, bobs.cookie)


def test_the_tables_of_a_guest_are_found_after_a_restart(tmp_path: Any) -> None:
    with run_server(tmp_path / "h.db") as url:
        table, _, cookie = finished(url)
        other_table, _, _ = begun(url, visibility="open")
    with run_server(tmp_path / "h.db") as url:
        assert mine(url, cookie) == [(table, "red", True)]
        assert ask(url, "GET", "/api/me", Cookie=cookie).json["tables"][0]["table"]["scores"]
        assert [line["id"] for line in ask(url, "GET", "/api/tables?status=playing").json["tables"]] == [other_table]


def test_one_more_token_opens_the_same_seat_and_needs_the_cookie(url: str) -> None:
    table, token, cookie = begun(url)
    path = f"/api/me/tables/{table}/token"
    answer = ask(url, "POST", path, b"", Cookie=cookie)
    assert answer.status == 201
    assert answer.json["link"].endswith(f"/t/{table}#seat={answer.json['token']}")
    with open_socket(url, table, token) as old_line, open_socket(url, table, answer.json["token"]) as new_line:
        assert hear(old_line, messages.Hello).color == hear(new_line, messages.Hello).color == "red"
        assert isinstance(say(old_line, messages.Say(id="1", text="one")), messages.Done)
        assert isinstance(say(new_line, messages.Say(id="2", text="two")), messages.Done)
    with open_socket(url, table, token, since=0) as line:
        assert [hear(line, messages.Chatted).text for _ in range(2)] == ["one", "two"]
    strangers = (ask(url, "POST", path, b""), ask(url, "POST", path, b"", Cookie=new_table(url).cookie))
    assert [(answer.status, answer.json["error"]["why"]) for answer in strangers] == [
        (403, "no_cookie"),
        (403, "no_seat_of_yours"),
    ]
    assert ask(url, "POST", "/api/me/tables/nosuchtable/token", b"", Cookie=cookie).code == "not_found"


def test_who_leaves_is_told_that_it_is_done_before_the_line_ends(url: str) -> None:
    answer = new_table(url)
    table, token = answer.json["table"]["id"], answer.json["token"]
    with open_socket(url, table, token) as line:
        assert isinstance(say(line, messages.Leave(id="1")), messages.Done)
    with open_socket(url, table, token) as line:
        assert hear(line, messages.Refused).why == "wrong_token"
    assert ask(url, "GET", f"/api/tables/{table}").json["table"]["seats"][0]["kind"] == "empty"


def test_over_a_socket_a_seat_asks_why_not_and_hears_who_is_there(url: str) -> None:
    created = new_table(url, options={"edition": "fifth", "first": 0, "setup": "fixed"}).json

    async def story() -> None:
        async with (
            Client(url).join(created["table"]["id"], created["token"]) as red,
            Client(url).join(created["table"]["id"]) as watcher,
            asyncio.timeout(20),
        ):
            await red.until(lambda joined: joined.present == messages.Present(seats=("red",), watching=1))
            assert watcher.present == red.present
            assert (await red.why("roll")).why == "not_begun"
            await red.begin()
            await red.until(lambda joined: joined.projection is not None)
            assert (await red.why("roll")).legal
            answer = await red.why("city C3n")
            assert (answer.legal, answer.why, answer.rule) == (False, "before_roll", "PHASE-09")
            with pytest.raises(Declined) as error:
                await red.why("dance")
            assert error.value.refusal.code == "not_readable"
            with pytest.raises(Declined, match="you are watching"):
                await watcher.why("roll")

    asyncio.run(story())


# --- lists ------------------------------------------------------------------------------------------------------------


def test_the_lobby_lists_open_tables_page_by_page_and_no_game_that_is_over() -> None:
    with run_server() as url:
        finished(url, visibility="open")
        new_table(url)
        begun(url, visibility="unlisted")
        tables = [new_table(url, visibility="open").json["table"]["id"] for _ in range(3)]
        going_on = begun(url, visibility="open")[0]

        def listed(query: str) -> tuple[list[str], int]:
            listing = ask(url, "GET", f"/api/tables?{query}").json
            return [line["id"] for line in listing["tables"]], listing["total"]

        assert listed("status=open") == (tables[::-1], 3)
        assert listed("status=open&limit=2") == (tables[:0:-1], 3)
        last = ask(url, "GET", "/api/tables?status=open&limit=2").json["tables"][-1]["created"]
        assert listed(f"status=open&limit=2&before={last}") == ([tables[0]], 3)
        assert listed("status=playing") == ([going_on], 1)
        assert listed("") == ([going_on, *tables[::-1]], 4)
        assert listed("status=over") == ([], 0)
        for wrong in ("before=yesterday", "before=nan", "before=-1", "limit=0"):
            assert ask(url, "GET", f"/api/tables?{wrong}").code == "not_readable"


# --- another game -----------------------------------------------------------------------------------------------------


def test_a_rematch_is_one_table_for_all_who_ask(url: str) -> None:
    table, _, cookie = finished(url)
    path = f"/api/tables/{table}/rematch"
    answer = ask(url, "POST", path, b"", Cookie=cookie)
    assert answer.status == 201
    assert ask(url, "POST", path, b"", Cookie=cookie).json == answer.json
    next_id = answer.json["table"]
    assert ask(url, "GET", f"/api/tables/{table}", Cookie=cookie).json["table"]["rematch"] == next_id
    seats = ask(url, "GET", f"/api/tables/{next_id}").json["table"]["seats"]
    assert [(seat["kind"], seat.get("reserved", "")) for seat in seats] == [("empty", "Ann"), *[("bot", "")] * 3]
    stranger = new_table(url).cookie
    refusal = ask(url, "POST", f"/api/tables/{next_id}/seats/red", {"name": "Eve"}, Cookie=stranger)
    assert (refusal.status, refusal.json["error"]["why"]) == (403, "seat_reserved")
    assert ask(url, "POST", path, b"").json["error"]["why"] == "no_cookie"
    assert ask(url, "POST", path, b"", Cookie=stranger).json["error"]["why"] == "not_shown"
    mine = ask(url, "POST", f"/api/tables/{next_id}/seats/red", {"name": "Ann"}, Cookie=cookie)
    assert mine.status == 201
    going_on = begun(url)
    early = ask(url, "POST", f"/api/tables/{going_on[0]}/rematch", b"", Cookie=going_on[2])
    assert (early.status, early.json["error"]["why"]) == (409, "not_over")


# --- replays and summaries --------------------------------------------------------------------------------------------


def recorded(url: str, table: str, cookie: str) -> hexholm.Game:
    return hexholm.Game.from_record(ask(url, "GET", f"/api/tables/{table}/record", Cookie=cookie).body.decode())


@pytest.fixture(scope="module")
def over(url: str) -> tuple[str, str, hexholm.Game]:
    """A finished table, the cookie of whose it is, and its game."""
    table, _, cookie = finished(url)
    return table, cookie, recorded(url, table, cookie)


@pytest.mark.parametrize("eyes", ["public", "red", "blue", "referee"])
def test_a_finished_game_is_replayed_through_any_eyes(url: str, over: tuple[str, str, hexholm.Game], eyes: str) -> None:
    table, cookie, game = over
    replay, color = Timeline(game), None if eyes == "public" else eyes
    received = msgspec.json.decode(
        ask(url, "GET", f"/api/tables/{table}/replay?eyes={eyes}", Cookie=cookie).body, type=api.ReplayAnswer
    )
    assert received.steps == replay.count == len(received.events) - 1
    assert received.colors == game.colors
    assert received.names["red"] == "Ann"
    assert received.board == board_line(game.layout, game.edition)
    assert [(turn.turn, turn.step, turn.player) for turn in received.turns] == list(replay.turns)
    for step in (0, 1, received.steps // 2, received.steps):
        faces = [face.as_dict() for face in replay.faces(step, color)]
        assert list(received.events[step]) == msgspec.json.decode(msgspec.json.encode(faces))
    assert received.points["red"] == (replay.points if color in ("red", "referee") else replay.visible)["red"]
    assert received.points["blue"] == (replay.points if color in ("blue", "referee") else replay.visible)["blue"]
    assert (received.result["how"], received.result["winner"]) == ("agreed", None)
    query = f"/api/tables/{table}/replay/views?eyes={eyes}&from=1&to=5"
    views = msgspec.json.decode(ask(url, "GET", query, Cookie=cookie).body, type=api.ReplayViews).views
    assert len(views) == 5
    view = view_data(replay.view(3, None if color == "referee" else color))
    same = msgspec.json.decode(msgspec.json.encode(view))
    assert {name: views[2][name] for name in same} == same
    assert ("truth" in views[2]) == (eyes == "referee")
    if eyes == "referee":
        assert views[2]["truth"] == msgspec.json.decode(msgspec.json.encode(replay.truth(3).as_dict()))


def test_views_are_given_a_hundred_at_a_time(url: str, over: tuple[str, str, hexholm.Game]) -> None:
    table, cookie, game = over
    last = len(game.steps)

    def views(query: str) -> Answer:
        return ask(url, "GET", f"/api/tables/{table}/replay/views?{query}", Cookie=cookie)

    assert len(views("").json["views"]) == min(100, last + 1)
    assert len(views(f"from={last}").json["views"]) == 1
    assert views(f"from={last + 1}").code == "not_readable"
    assert views("from=5&to=4").code == "not_readable"
    assert views(f"to={last + 1}").code == "not_readable"
    if last >= 100:
        assert views("from=0&to=100").code == "too_large"
    assert views("eyes=pink").code == "not_readable"


def test_a_finished_game_is_summed_up(url: str, over: tuple[str, str, hexholm.Game]) -> None:
    table, cookie, game = over
    summary = ask(url, "GET", f"/api/tables/{table}/summary", Cookie=cookie).json
    assert summary == msgspec.json.decode(msgspec.json.encode(summarize(game).as_dict()))


@pytest.mark.parametrize("what", ["replay", "replay?eyes=referee", "replay/views?eyes=blue", "summary"])
def test_nothing_of_a_game_that_goes_on_is_replayed(url: str, what: str) -> None:
    table, token, cookie = begun(url)
    for headers in ({}, {"Authorization": f"Bearer {token}"}, {"Cookie": cookie}):
        answer = ask(url, "GET", f"/api/tables/{table}/{what}", None, **headers)
        assert (answer.status, answer.json["error"]["why"]) == (409, "not_over")
    waiting = new_table(url, seats={**BOTS}).json["table"]["id"]
    assert ask(url, "GET", f"/api/tables/{waiting}/{what}").status == 409
    assert ask(url, "GET", f"/api/tables/nosuchtable/{what}").status == 404


# --- the document -----------------------------------------------------------------------------------------------------


def test_every_path_that_is_served_is_in_the_document() -> None:
    from hexholm.host.web.rest.rest_routes import RestRoutes
    from hexholm.host.web.server import ROUTED

    parts: list[Any] = [part(None) for part in ROUTED if issubclass(part, RestRoutes)]  # type: ignore[arg-type]
    served = {
        (route.path.replace(":str", ""), method.lower())
        for part in parts
        for route in part.routes()
        for method in route.methods
        if method != "HEAD"
    }
    written = {(path, method) for path, methods in openapi_document()["paths"].items() for method in methods}
    assert served == written
