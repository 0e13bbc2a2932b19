"""What older versions of the program have written is read, shown and gone on with by this one.

Each folder beside this file holds what one version left behind; its README says what is in it. These folders are never
edited, only added to (`tools/older_versions.py`). Everything here goes through the command line, REST and sockets, as
users do.
"""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import hexholm as package
from hexholm.cli import main
from tests.cli.terminal import run_in_terminal

from .guests import Guest, Seat, call_tool, hexholm, serve
from .house import SUMMARY, House, summary_facts, table_facts

VERSIONS = sorted(path.parent for path in Path(__file__).parent.glob("*/expected.json"))
Command = Callable[..., str]
RECORDS = ("records.jsonl", "trade.hexholm", "seat.hexholm", "public.jsonl", "interrupted-games.jsonl")
pytestmark = pytest.mark.waits
TABLES = ("finished", "won", "agreed")


def test_the_older_versions_are_there() -> None:
    assert "778415e" in [path.name for path in VERSIONS]


@pytest.fixture(scope="module", params=VERSIONS, ids=lambda path: path.name)
def old(request: pytest.FixtureRequest) -> Path:
    """The folder of a version."""
    folder: Path = request.param
    return folder


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Run a command that goes well in this process, with interpreted rules: what it prints."""
    monkeypatch.setenv("HEXHOLM_INTERPRETED", "1")

    def run(*arguments: str | Path) -> str:
        monkeypatch.setattr(sys, "argv", ["hexholm", *map(str, arguments)])
        with pytest.raises(SystemExit) as exit_info:
            main()
        output = capsys.readouterr()
        assert exit_info.value.code == 0, output
        return output.out

    return run


@pytest.fixture(scope="module")
def expected(old: Path) -> dict[str, Any]:
    """What that version said of its data."""
    facts: dict[str, Any] = json.loads((old / "expected.json").read_text(encoding="utf-8"))
    return facts


def differences(current: Any, earlier: Any, path: str = "") -> Iterator[str]:
    """What is not as it was; something new is no difference."""
    if isinstance(earlier, dict) and isinstance(current, dict):
        for key, value in earlier.items():
            yield from differences(current.get(key), value, f"{path}/{key}")
    elif isinstance(earlier, list) and isinstance(current, list) and len(earlier) == len(current):
        for n, (inner, earlier_inner) in enumerate(zip(current, earlier, strict=True)):
            yield from differences(inner, earlier_inner, f"{path}/{n}")
    elif current != earlier:
        yield f"{path}: {current!r} and not {earlier!r}"


# --- a database -------------------------------------------------------------------------------------------------------


@dataclass
class Opened:
    """An old database that a server of today has opened."""

    file: Path
    house: House
    facts: dict[str, Any]
    """All that was to be seen before anybody did anything."""
    cookies: dict[str, str]

    @property
    def url(self) -> str:
        return self.house.url

    def creator(self, title: str) -> Guest:
        """Whose table it is, by the cookie of then."""
        return self.house.guest(self.house.tables[title]["creator"])

    def path(self, title: str) -> str:
        return f"/api/tables/{self.house.tables[title]['id']}"


def copied(old: Path, folder: Path) -> Path:
    """A copy of the database and of the key of its cookies, which nobody else may read."""
    file = folder / "hexholm.db"
    for name in ("hexholm.db", "hexholm.db.secret"):
        shutil.copyfile(old / name, folder / name)
        (folder / name).chmod(0o600)
    return file


def keys_of(old: Path) -> dict[str, Any]:
    keys: dict[str, Any] = json.loads((old / "tokens.json").read_text(encoding="utf-8"))
    return keys


@contextlib.contextmanager
def opened_again(old: Path, file: Path) -> Iterator[House]:
    keys = keys_of(old)
    with serve(file) as url:
        people = {name: Guest(url, name, cookie) for name, cookie in keys["cookies"].items()}
        yield House(url, people, keys["tables"])


@pytest.fixture(scope="module")
def opened(old: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    """A server with the old database, after `hexholm upgrade`."""
    file = copied(old, tmp_path_factory.mktemp("old"))
    hexholm("upgrade", "--db", file)
    # who sits at a table with others is away after two minutes, and a bot would answer the offer
    with opened_again(old, file) as house, house.join_all("running", "red", "blue"):
        yield Opened(file, house, table_facts(house), keys_of(old)["cookies"])


def test_every_table_is_there_as_it_was(opened: Opened, expected: dict[str, Any]) -> None:
    expected_facts = {
        key.removeprefix("tables/"): facts for key, facts in expected.items() if key.startswith("tables/")
    }
    assert opened.facts.keys() == expected_facts.keys()
    for title, facts in expected_facts.items():
        current_facts = opened.facts[title]
        for eyes, expected_eyes in facts["eyes"].items():  # since then it was told that the server was down
            if eyes == "public":  # those who watch are no longer told what seats say
                assert current_facts["eyes"][eyes]["messages"] <= expected_eyes.pop("messages") + 2
                continue
            messages = current_facts["eyes"][eyes].get("heard", [])
            assert len(messages) == current_facts["eyes"][eyes]["messages"] or "heard" not in expected_eyes
            current_facts["eyes"][eyes]["heard"] = messages[: expected_eyes["messages"]]
            current_facts["eyes"][eyes]["messages"] = min(
                expected_eyes["messages"], current_facts["eyes"][eyes]["messages"]
            )
        for seat in facts["table"]["seats"]:
            seat.pop("reserved", None)  # seats are kept for some minutes only
        assert list(differences(current_facts, {k: facts[k] for k in facts if k in current_facts}, title)) == []


def test_no_log_is_broken(opened: Opened, expected: dict[str, Any]) -> None:
    """A table whose positions are not those of its log would not be shown; and nothing of the log was written anew."""
    assert "cannot be read" not in opened.file.with_suffix(".log").read_text(encoding="utf-8")
    with contextlib.closing(sqlite3.connect(opened.file)) as database:
        for title, table in opened.house.tables.items():
            facts = expected[f"tables/{title}"]
            entries = database.execute("SELECT state_hash FROM entry WHERE table_id = ? ORDER BY seq", (table["id"],))
            hashes = [state for (state,) in entries if state is not None][: facts["positions"]]
            assert (hashes[-1:] or [None])[0] == facts["state_hash"]
            assert len(hashes) == facts["positions"]


def test_the_records_of_finished_tables_are_the_same(opened: Opened, old: Path) -> None:
    for title in TABLES:
        status, record = opened.creator(title).ask("GET", f"{opened.path(title)}/record")
        assert (status, record) == (200, (old / "tables" / f"{title}.hexholm").read_bytes())
        status, _ = opened.creator(title).ask("GET", f"{opened.path(title)}/record?form=json")
        assert status == 200


def test_finished_games_are_looked_at_step_by_step(opened: Opened, expected: dict[str, Any]) -> None:
    for title in TABLES:
        facts, onlooker = expected[f"tables/{title}"], opened.creator(title)
        steps = facts["replay"]["steps"]
        for eyes in ("red", "public", "referee"):
            views = onlooker.get(f"{opened.path(title)}/replay/views?eyes={eyes}&from={steps - 3}&to={steps}")["views"]
            assert len(views) == 4
            points = {player["color"]: player["points"] for player in views[-1]["players"]}
            assert points["red"] <= facts["replay"]["result"]["points"]["red"]


def test_old_links_lead_somewhere(opened: Opened) -> None:
    stranger = Guest(opened.url)
    for title, table in opened.house.tables.items():
        name = table["id"]
        parts = [f"/api/tables/{name}", f"/api/tables/{name}/board.svg"]
        for page in (f"/t/{name}", f"/replay/{name}", *parts):
            assert opened.creator(title).ask("GET", page)[0] == 200, (title, page)
        for part in parts:  # what is over belongs to those who sat there
            assert stranger.ask("GET", part)[0] == (403 if title in TABLES else 200), (title, part)
    assert stranger.get("/api/tables") == {"tables": [], "total": 0}  # all of them are unlisted
    won = opened.house.tables["won"]
    output = hexholm("watch", f"{opened.url}/t/{won['id']}#seat={won['tokens']['red']}", "--from-start")
    assert "win" in output


def test_old_links_to_finished_games_can_be_kept_open(old: Path, tmp_path: Path) -> None:
    file = copied(old, tmp_path)
    hexholm("upgrade", "--db", file)
    hexholm("upgrade", "--db", file, "--keep-public")  # also later than the upgrade itself
    with opened_again(old, file) as house:
        stranger = Guest(house.url)
        paths = {title: f"/api/tables/{house.tables[title]['id']}" for title in TABLES}
        for title, path in paths.items():
            for part in ("", "/replay", "/summary", "/record"):
                assert stranger.ask("GET", path + part)[0] == 200, (title, part)
        creator = house.guest(house.tables["won"]["creator"])
        assert creator.get(f"{paths['won']}/share") == {"shown": False, "public": True}
        assert creator.ask("DELETE", f"{paths['won']}/share")[0] == 200
        assert [stranger.ask("GET", f"{path}/record")[0] for path in paths.values()].count(403) == 1


def test_a_guest_is_known_by_the_old_cookie(opened: Opened) -> None:
    for name, guest in opened.house.people.items():
        me = guest.get("/api/me")
        own_titles = {
            title for title, table in opened.house.tables.items() if name in (table["creator"], *people(table))
        }
        ids = {opened.house.tables[title]["id"] for title in own_titles}
        assert me["name"] == name
        assert {row["table"]["id"] for row in me["tables"]} == ids
        assert guest.cookie == opened.cookies[name]


def test_a_guest_of_before_is_deleted_and_its_games_stay_as_they_were(old: Path, tmp_path: Path) -> None:
    """Before names and words lay in the logs; the upgrade has moved them, so that they can go."""

    def moves(guest: Guest) -> dict[str, str]:
        """What the records of the games that are over hold, but for names."""
        ids = [row["table"]["id"] for row in guest.get("/api/me")["tables"] if row["table"].get("scores")]
        records = {table_id: guest.ask("GET", f"/api/tables/{table_id}/record")[1].decode() for table_id in ids}
        names = r'\[(?:Red|Blue|White|Orange) ".*\n'
        return {table_id: re.sub(names, "", record) for table_id, record in records.items()}

    file = copied(old, tmp_path)
    with opened_again(old, file) as house:
        ann, bob = house.guest("Ann"), house.guest("Bob")
        kept = ann.get("/api/me/export")
        assert kept["name"] == "Ann"
        assert {text["kind"] for text in kept["texts"]} >= {"name", "title"}
        before = moves(bob)
        assert before
        assert ann.ask("DELETE", "/api/me?confirm=delete")[0] == 200
        after = moves(bob)  # one more ends: Bob had asked for that, and nobody else is left to agree
        assert {table_id: after[table_id] for table_id in before} == before
        seats = [seat for row in bob.get("/api/me")["tables"] for seat in row["table"]["seats"]]
        assert "Ann" not in {seat.get("name") for seat in seats}
    with contextlib.closing(sqlite3.connect(file)) as connection:
        texts = connection.execute("SELECT count(*) FROM personal_text WHERE text = 'Ann'").fetchone()
        bodies = connection.execute("SELECT count(*) FROM entry WHERE body LIKE '%\"Ann\"%'").fetchone()
    assert (texts, bodies) == ((0,), (0,))


def people(table: dict[str, Any]) -> list[str]:
    """Who holds a seat still."""
    return [name for color, name in table["seats"].items() if color in table["tokens"]]


def test_what_an_assistant_noted_is_there(opened: Opened) -> None:
    table = opened.house.tables["running"]
    assert "Bob wants" in call_tool(opened.url, "read_notes", table=table["id"], token=table["tokens"]["red"])


def test_a_clock_stood_still_while_nobody_served(opened: Opened) -> None:
    table = opened.house.tables["clock"]
    with opened.house.join("clock", "red") as red:  # where nobody is, the game waits and no clock runs
        red.until(lambda: not red.state.get("waiting"))
        projection = Guest(opened.url).get(opened.path("clock"), table["tokens"]["red"])["projection"]
    assert 3000 < projection["deadline"] - time.time() <= 3600


def test_the_offer_is_still_open_and_can_be_accepted(opened: Opened) -> None:
    with opened.house.join_all("running", "red", "blue") as (ann, bob):
        (offer,) = bob.view["offers"]
        hand_before = bob.view["hand"]
        bob.act("accept #1")
        ann.until(lambda: not ann.view["offers"])
        for kind, sign in ((next(iter(offer["give"])), 1), (next(iter(offer["take"])), -1)):
            assert bob.view["hand"].get(kind, 0) == hand_before.get(kind, 0) + sign
        ann.do("say", text="danke")
        turn = ann.view["turn"]
        ann.act("end")
        assert ann.view["turn"] == turn + 1


def test_a_command_of_before_is_answered_as_then(opened: Opened, expected: dict[str, Any]) -> None:
    messages = expected["tables/running"]["eyes"]["red"]["heard"]
    (number,) = [
        message["number"] for message in messages if message["type"] == "chatted" and message["text"].startswith("Viel")
    ]
    with opened.house.join("running", "red") as ann:
        count_before = len(ann.messages)
        assert ann.do("say", text="Viel Glück! 🎲", id="kept-1")["number"] == number
        ann.catch_up()
        assert [message["type"] for message in ann.messages[count_before:]].count("chatted") == 0


@pytest.mark.parametrize("title", ["paused", "clock", "lesson", "zip", "dice", "companion"])
def test_a_game_goes_on(opened: Opened, title: str) -> None:
    with contextlib.ExitStack() as stack:
        seats = [stack.enter_context(opened.house.join(title, color)) for color in opened.house.tables[title]["tokens"]]
        if title == "paused":
            assert seats[0].state["paused"]
            seats[0].do("resume")
        teller = next((seat for seat in seats if seat.chance), None)
        if teller is not None and teller.chance is not None:
            teller.do("deal", outcome="dice 1 2", number=teller.chance["number"])
            assert any(event["event"] == "rolled" for event in teller.messages[-1]["events"])
        else:
            seat = opened.house.next_seat(*seats)
            count_before = len(seat.messages)
            seat.act(seat.legal[0])
            assert len(seat.messages) > count_before


def test_the_lobby_is_open(opened: Opened) -> None:
    eve, path = Guest(opened.url), opened.path("lobby")
    for color in ("blue", "orange"):
        token = eve.post(f"{path}/seats/{color}", name="Eve")["token"]
        with Seat(eve, opened.house.tables["lobby"]["id"], token) as seat:
            assert seat.state["status"] == "open"
        if color == "blue":
            eve = Guest(opened.url)
    with opened.house.join("lobby", "red") as ann:
        ann.do("begin")
        assert ann.state["status"] == "playing"


def test_what_was_played_on_is_there_after_the_next_start(old: Path, tmp_path: Path) -> None:
    file = copied(old, tmp_path)
    with opened_again(old, file) as house, house.join("zip", "black") as ann:
        ann.do("say", text="later")
        ann.act(ann.legal[0])
        numbers = [message["number"] for message in ann.messages]
        last_message = ann.messages[-1]
    with opened_again(old, file) as house, house.join("zip", "black") as ann:
        assert ann.messages[len(numbers) - 1] == last_message
        assert "later" in [message.get("text") for message in ann.messages]


# --- games in a terminal ----------------------------------------------------------------------------------------------


def test_a_saved_game_is_gone_on_with(old: Path, tmp_path: Path) -> None:
    file = shutil.copy(old / "play" / "running.hexholm", tmp_path)
    game_before = package.Game.from_record(Path(file).read_text(encoding="utf-8"), compiled=False)
    keys = [("red> ", "?\n"), ("red> ", "1\n"), ("red> ", "quit\n")]
    output = run_in_terminal(["play", "--resume", str(file), "--seed", "3"], keys, NO_COLOR="1")
    assert "Ada, you play red against three simple players: blue, white, orange." in output
    game_after = package.Game.from_record(Path(file).read_text(encoding="utf-8"), compiled=False)
    assert game_after.steps[: len(game_before.steps)] == game_before.steps
    assert len(game_after.steps) > len(game_before.steps)
    assert game_after.names == game_before.names


def test_a_saved_game_that_is_over_is_told_again(
    command: Command, old: Path, expected: dict[str, Any], tmp_path: Path
) -> None:
    file = Path(shutil.copy(old / "play" / "finished.hexholm", tmp_path))
    assert "that game is over" in run_in_terminal(["play", "--resume", str(file)], code=2)
    (facts,) = expected["games/play/finished.hexholm"]
    output = command("replay", file)
    assert facts["winner"] in output.lower() or "You win" in output
    assert summary_facts(command("replay", file, *SUMMARY)) == [facts]


# --- tournaments ------------------------------------------------------------------------------------------------------


def test_a_finished_tournament_has_the_same_result(
    command: Command, old: Path, expected: dict[str, Any], tmp_path: Path
) -> None:
    file = Path(shutil.copy(old / "tournament.jsonl", tmp_path))
    result = json.loads(command("tournament", "--resume", file, "--runner", "serial", "--json"))
    assert list(differences(result, expected["tournaments/tournament.jsonl"])) == []
    assert result["played"] == 0
    assert file.read_bytes() == (old / "tournament.jsonl").read_bytes()


def test_an_interrupted_tournament_is_played_to_its_end(
    command: Command, old: Path, expected: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # the records lie beside the journal
    file, games = (Path(shutil.copy(old / f"interrupted{end}.jsonl", tmp_path)) for end in ("", "-games"))
    facts = expected["tournaments/interrupted.jsonl"]
    result = json.loads(command("tournament", "--resume", file, "--runner", "serial", "--json"))
    assert (result["games"], result["played"]) == (facts["planned"], facts["planned"] - facts["games"])
    assert file.read_bytes().startswith((old / "interrupted.jsonl").read_bytes())
    assert games.read_bytes().startswith((old / "interrupted-games.jsonl").read_bytes())
    wins = {row["name"]: row["wins"] for row in result["players"]}
    assert sum(wins.values()) == facts["planned"]
    assert all(wins[name] >= wins_before for name, wins_before in facts["wins"].items())
    assert len(games.read_text(encoding="utf-8").splitlines()) == facts["planned"]
    command("replay", games, "--verify")


# --- records, positions, boards ---------------------------------------------------------------------------------------


def test_all_records_are_true(command: Command, old: Path) -> None:
    for file in (*(old / name for name in RECORDS), *(old / "tables").iterdir(), *(old / "play").iterdir()):
        command("replay", file, "--verify")


def test_what_came_of_the_games_is_the_same(command: Command, old: Path, expected: dict[str, Any]) -> None:
    for file in ("records.jsonl", "trade.jsonl", "interrupted-games.jsonl"):
        assert (
            list(differences(summary_facts(command("replay", old / file, *SUMMARY)), expected[f"games/{file}"], file))
            == []
        )


@pytest.mark.parametrize(
    "arguments, same",
    [
        ("records.jsonl --to text", "records.hexholm"),
        ("records.hexholm --to jsonl", "records.jsonl"),
        ("trade.jsonl --to text", "trade.hexholm"),
        ("trade.hexholm --to jsonl", "trade.jsonl"),
        ("trade.jsonl --to text --seat blue", "seat.hexholm"),
        ("trade.hexholm --to jsonl --public", "public.jsonl"),
        ("seat.hexholm --to text", "seat.hexholm"),
        ("public.jsonl --to jsonl", "public.jsonl"),
        ("position.txt", "position.txt"),
        ("position.txt --seat blue", "view.txt"),
        ("view.txt", "view.txt"),
        ("board.toml", "board.toml"),
    ],
)
def test_everything_is_written_as_it_was(command: Command, old: Path, arguments: str, same: str) -> None:
    file, *flags = arguments.split()
    assert command("convert", old / file, *flags) == (old / same).read_text(encoding="utf-8")


def test_positions_and_views_are_shown(command: Command, old: Path) -> None:
    position = json.loads(command("show", old / "position.txt", "--json"))
    view = json.loads(command("show", old / "view.txt", "--json"))
    assert (position["turn"], position["active"]) == (view["turn"], view["active"])
    assert position["position"] + "\n" == (old / "position.txt").read_text(encoding="utf-8")
    assert package.Game.from_position(position["position"], compiled=False).position() == position["position"]
