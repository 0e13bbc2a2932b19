"""Writes a folder of data as the program of today leaves it, to be kept for the tests of all later versions.

    python -m tools.older_versions tests/older_versions/NAME

Do so when a version is released, or before something is changed that old data could mind; NAME is the version or the
commit. Nothing is ever written into a folder that is there: old data is only added to.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import re
import select
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from websockets.exceptions import ConnectionClosed

import hexholm as package
from hexholm.rules.setup.editions import EDITIONS
from tests.older_versions.guests import HEXHOLM, Seat, call_tool, hexholm, serve
from tests.older_versions.house import SUMMARY, House, choose_action, summary_facts, table_facts

COLORS = ("red", "blue", "white", "orange")


# --- a database -------------------------------------------------------------------------------------------------------


def bots_game(house: House) -> None:
    """Bots alone, to the end."""
    seats = {"red": "medium", "blue": "easy", "white": "easy", "orange": "random"}
    title = house.new("finished", sit=False, begin=True, pace="fast", options={"edition": "sixth"}, seats=seats)
    with house.join(title, None) as screen:
        screen.until(lambda: screen.over)


def running_game(house: House) -> None:
    """Two people and two bots; they have talked, and an offer waits for an answer."""
    options = {"edition": "fifth", "first": 0}
    seats = {"white": "easy", "orange": "easy"}
    title = house.new("running", options=options, seats=seats, board_seed=5, ranges=True)
    house.take(title, "blue", "Bob")
    with house.join_all(title, "red", "blue") as (ann, bob):
        ann.do("begin")
        ann.do("say", text="Viel Glück! 🎲", id="kept-1")
        bob.do("say", text="thanks <b>Ann</b>")
        bob.do("rename", name="Robert")
        ann.do("pace", pace="fast")
        house.play(ann, bob, turns=12)
        while (seat := house.play(ann, bob, turns=12)) is not ann:
            seat.act("end")
        bob.catch_up()
        give, take = next(
            (own_kind, other_kind)
            for own_kind in ann.view["hand"]
            for other_kind in bob.view["hand"]
            if own_kind != other_kind
        )
        ann.act(f"offer 1 {give} : 1 {take} to blue")
        bob.until(lambda: bool(bob.view["offers"]))
        bob.do("say", text="let me think")
        bob.do("mute", seat="red")
        ann.do("say", text="you have all the time you need")
    call_tool(house.url, "write_notes", **seat_arguments(house, title, "red"), text="Bob wants " + give)


def paused_game(house: House) -> None:
    """Three at a table with house rules; paused, and one would rather end it."""
    rules = {"points_to_win": 12, "hand_limit": 9, "friendly_robber": True, "balanced_dice": True}
    options = {"edition": "summary", "players": 3, "first": "roll", **rules}
    title = house.new("paused", options=options, seats={"white": "easy"}, pace="slow")
    house.take(title, "blue", "Bob")
    with house.join_all(title, "red", "blue") as (ann, bob):
        ann.do("begin")
        house.play(ann, bob, turns=4)
        bob.do("away")
        bob.do("back")
        bob.do("end")
        ann.do("pause")


def clock_game(house: House, board: Path) -> None:
    """One against bots on a board of their own, with an hour for each decision."""
    seats = dict.fromkeys(COLORS[1:], "easy")
    text = board.read_text(encoding="utf-8")
    title = house.new("clock", "Cid", options={"edition": "sixth"}, seats=seats, board=text, clock=3600)
    with house.join(title, "red") as cid:
        cid.do("begin")
        house.play(cid, turns=8)


def companion_game(house: House) -> None:
    """Real dice and cards told in by people; a mistake was taken back, and the next roll is to be told."""
    options = {"edition": "fifth", "first": 0}
    title = house.new("companion", sit=False, chance="people", options=options)
    for color in COLORS:
        house.take(title, color, color.title())
    with house.join_all(title, None, *COLORS) as (screen, *seats):
        screen.do("begin")
        screen.do("silence", seat="orange")
        taken_back = False
        while True:
            for seat in (screen, *seats):
                seat.catch_up()
            teller = next((seat_or_screen for seat_or_screen in (*seats, screen) if seat_or_screen.chance), None)
            if teller is None:
                seat = house.next_seat(*seats)
                seat.send("act", action=choose_action(seat.legal, house.pick))
            elif teller.chance["kind"] != "dice":
                tell(teller, house.pick)
            elif screen.view["turn"] > 12 and taken_back:
                return
            else:
                tell(screen, house.pick)
                if not taken_back and screen.view["turn"] > 2:
                    screen.do("take_back", number=len(screen.messages))
                    taken_back = True


def tell(seat: Seat, pick: random.Random) -> None:
    """What came out; when somebody names a card that it cannot be, all hear of that."""
    assert seat.chance is not None
    dice_outcome, number = [f"dice {pick.randint(1, 6)} {pick.randint(1, 6)}"], seat.chance["number"]
    for outcome in seat.chance.get("outcomes", dice_outcome):
        seat.do("deal", outcome=outcome, number=number)
        if seat.messages[-1].get("what") != "mistold":
            return


def dice_game(house: House) -> None:
    """Real dice, and bots whose cards the host keeps."""
    seats = dict.fromkeys(COLORS[1:], "easy")
    title = house.new("dice", chance="dice", options={"edition": "threed", "first": 0}, seats=seats)
    with house.join(title, "red") as ann:
        ann.do("begin")
        while ann.chance is None or ann.view["turn"] < 9:
            if ann.chance:
                tell(ann, house.pick)
            elif ann.asked:
                ann.send("act", action=choose_action(ann.legal, house.pick))
            else:
                time.sleep(0.02)
            ann.catch_up()


def lesson_game(house: House) -> None:
    """The first game, after two turns as the hints lead to them."""
    title = house.new("lesson", "Dora", lesson="first-game", options={"edition": "sixth"})
    with house.join(title, "red") as dora:
        for action in ("roll", "road B2/e", "end", "roll", "settlement B2se", "end"):
            while house.next_seat(dora).view["active"] != "red":
                dora.act(next(text for text in dora.legal if text.startswith("reject")))
            dora.act(action)
        while house.next_seat(dora).view["active"] != "red":
            dora.act(next(text for text in dora.legal if text.startswith("reject")))


def zip_game(house: House) -> None:
    """A game of Zip! on one of its maps."""
    options = {"edition": "zip", "players": 3, "map": 7}
    seats = {"blue": "easy", "green": "easy"}
    title = house.new("zip", options=options, seats=seats, seat="black")
    with house.join(title, "black") as ann:
        ann.do("begin")
        house.play(ann, turns=6)


def won_game(house: House) -> None:
    """A short game that one of two people gave up; it was won, and another is to follow."""
    options = {"edition": "fifth", "points_to_win": 4, "first": 0, "setup": "fixed"}
    title = house.new("won", options=options, seats={"white": "easy", "orange": "medium"})
    house.take(title, "blue", "Bob")
    with house.join_all(title, "red", "blue") as (ann, bob):
        ann.do("begin")
        house.play(ann, bob, turns=3)
        bob.do("resign")
        house.play(ann)
        ann.do("say", text="gg")
    rematch_id = house.guest("Ann").post(f"/api/tables/{house.tables[title]['id']}/rematch")["table"]
    house.tables["rematch"] = {"id": rematch_id, "creator": "Ann", "seats": {}, "tokens": {}}


def agreed_game(house: House) -> None:
    """A game that was ended without a winner."""
    options = {"edition": "threed", "players": 3, "first": 0}
    title = house.new("agreed", "Cid", options=options, seats={"blue": "easy", "white": "easy"})
    with house.join(title, "red") as cid:
        cid.do("begin")
        house.play(cid, turns=2)
        cid.do("end")


def lobby_table(house: House) -> None:
    """A table that waits for more people."""
    options = {"edition": "sixth", "harbors": "frame_shuffle"}
    title = house.new("lobby", seats={"white": "hard"}, clock=60, options=options)
    house.take(title, "blue", "Bob")
    house.take(title, "orange", "Cid")
    with house.join_all(title, "red", "orange") as (ann, cid):
        ann.do("kick", seat="blue")
        with contextlib.suppress(ConnectionClosed):
            cid.do("leave")
    for color in ("blue", "orange"):  # what opened these seats opens them no more
        del house.tables[title]["tokens"][color]


def seat_arguments(house: House, title: str, color: str) -> dict[str, str]:
    """How an assistant says where it sits."""
    table = house.tables[title]
    return {"table": table["id"], "token": table["tokens"][color]}


def write_database(folder: Path) -> dict[str, Any]:
    """Fill a database by playing, and say what is in it."""
    file = folder / "hexholm.db"
    with serve(file) as url:
        house = House(url)
        for fill in (
            bots_game,
            running_game,
            paused_game,
            companion_game,
            dice_game,
            lesson_game,
            zip_game,
            won_game,
            agreed_game,
            lobby_table,
        ):
            fill(house)
            print(f"  {fill.__name__}", flush=True)
        clock_game(house, folder / "board.toml")
        facts_by_title = table_facts(house)
        for title in ("finished", "won", "agreed"):
            table = house.tables[title]
            _, record = house.guest(table["creator"]).ask("GET", f"/api/tables/{table['id']}/record")
            (folder / "tables").mkdir(exist_ok=True)
            (folder / "tables" / f"{title}.hexholm").write_bytes(record)
        cookies = {name: guest.cookie for name, guest in house.people.items()}
    with contextlib.closing(sqlite3.connect(file)) as database:
        for title, table in house.tables.items():
            entries = database.execute("SELECT state_hash FROM entry WHERE table_id = ? ORDER BY seq", (table["id"],))
            hashes = [state for (state,) in entries if state is not None]
            facts_by_title[title] |= {"state_hash": hashes[-1] if hashes else None, "positions": len(hashes)}
    keys = {"tables": house.tables, "cookies": cookies}
    (folder / "tokens.json").write_text(json.dumps(keys, indent=1) + "\n", encoding="utf-8")
    for leftover in ("hexholm.log", "hexholm.db.lock"):
        (folder / leftover).unlink(missing_ok=True)
    return facts_by_title


# --- games in a terminal ----------------------------------------------------------------------------------------------


def play_in_terminal(folder: Path, *arguments: str, moves: int) -> None:
    """A game of `hexholm play`: so many times a person does something that is legal, then quits."""
    import pty

    our_end, their_end = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "NO_COLOR": "1", "HEXHOLM_INTERPRETED": "1"}
    process = subprocess.Popen(
        [*HEXHOLM, "play", *arguments], stdin=their_end, stdout=their_end, stderr=their_end, env=environment, cwd=folder
    )
    os.close(their_end)
    pick, output, line, end = random.Random(17), "", "", time.monotonic() + 300
    while process.poll() is None and time.monotonic() < end:
        ready, _, _ = select.select([our_end], [], [], 0.3)
        with contextlib.suppress(OSError):
            output += os.read(our_end, 65536).decode(errors="replace") if ready else ""
        if ready or not re.search(r"\w+> $", output):
            continue
        numbers = re.findall(r"\b(\d+)\) ", output) if line == "?" else []  # what may be done, as ? lists it
        line = pick.choice(numbers) if numbers else "?" if moves else "quit"
        moves, output = moves - bool(numbers), ""
        os.write(our_end, f"{line}\n".encode())
    process.kill()
    os.close(our_end)
    assert process.wait() == 0


# --- tournaments ------------------------------------------------------------------------------------------------------


def interrupt_tournament(folder: Path, games: int, *arguments: str) -> None:
    """A tournament that is ended by Ctrl-C after some games."""
    file = folder / "interrupted.jsonl"
    hear = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    command = [sys.executable, "-c", f"{hear}; from hexholm.cli import main; main()", "tournament", *arguments]
    process = subprocess.Popen(command, cwd=folder)
    while not file.exists() or file.read_bytes().count(b"\n") <= games:
        assert process.poll() is None
        time.sleep(0.002)
    process.send_signal(signal.SIGINT)
    assert process.wait() == 130


def write_tournaments(folder: Path) -> dict[str, Any]:
    """A finished tournament and one that was interrupted; with compiled rules, since `hard` takes minutes without."""
    whole = "hard medium easy random --seats 3 --games 12 --seed 17 --runner serial --resume tournament.jsonl --json"
    process = subprocess.run([*HEXHOLM, "tournament", *whole.split()], cwd=folder, check=True, capture_output=True)
    interrupted_words = "hard@8 medium easy random --seats 3 --games 12 --seed 18 --points-to-win 4 --runner serial"
    files = "--records interrupted-games.jsonl --resume interrupted.jsonl"
    interrupt_tournament(folder, 10, *interrupted_words.split(), *files.split())
    result = json.loads(process.stdout)
    result_keys = ("games", "seed", "capped", "wins_by_order", "mean_turns", "mean_decisions")
    players = [{key: row[key] for key in ("name", "seat_games", "wins", "mean_points")} for row in result["players"]]
    first, *games = map(json.loads, (folder / "interrupted.jsonl").read_text(encoding="utf-8").splitlines())
    wins = Counter(first["players"][game["seats"][game["winner"]]]["label"] for game in games)
    return {
        "tournament.jsonl": {**{key: result[key] for key in result_keys}, "players": players},
        "interrupted.jsonl": {"games": len(games), "planned": first["games"], "wins": wins},
    }


# --- records, positions, boards ---------------------------------------------------------------------------------------


def write_records(folder: Path) -> None:
    """Games of every edition, with trade, as they were and as a seat saw them; a position, a view, a board."""
    with tempfile.TemporaryDirectory() as aside:
        texts = []
        for edition in EDITIONS:
            file = Path(aside) / f"{edition}.jsonl"
            short = ("--points-to-win", "5") if edition != "fifth" else ()  # random players take long
            hexholm("simulate", "--games", "1", "--seed", "9", "--edition", edition, *short, "--records", file)
            texts.append(file.read_text(encoding="utf-8"))
        (folder / "records.jsonl").write_text("".join(texts), encoding="utf-8")
    hexholm("convert", "records.jsonl", "--out", "records.hexholm", cwd=folder)
    players = ["medium"] * 4
    trade = ("--games", "1", "--seed", "9", "--runner", "serial", "--records", "trade.jsonl")
    hexholm("tournament", *players, *trade, cwd=folder)
    hexholm("convert", "trade.jsonl", "--out", "trade.hexholm", cwd=folder)
    hexholm("convert", "trade.jsonl", "--seat", "blue", "--out", "seat.hexholm", cwd=folder)
    hexholm("convert", "trade.jsonl", "--public", "--out", "public.jsonl", cwd=folder)
    position = json.loads(hexholm("show", "trade.jsonl", "--turn", "25", "--json", cwd=folder))
    (folder / "position.txt").write_text(position["position"] + "\n", encoding="utf-8")
    hexholm("convert", "position.txt", "--seat", "blue", "--out", "view.txt", cwd=folder)
    hexholm("board", "--edition", "threed", "--seed", "4", "--out", "board.toml", cwd=folder)


def write_play(folder: Path) -> None:
    """A game that a person left in the middle, and one that was played to its end."""
    (folder / "play").mkdir()
    fixed = ("--seed", "3", "--setup", "fixed", "--name", "Ada")
    play_in_terminal(folder, *fixed, "--record", "play/running.hexholm", moves=25)
    short = ("--seed", "4", "--edition", "fifth", "--points-to-win", "5", "--level", "easy")
    play_in_terminal(folder, *short, "--record", "play/finished.hexholm", moves=10_000)


def write(folder: Path) -> None:
    """Everything, first in a folder aside: what is written names the folder in which it was begun."""
    assert not folder.exists(), f"{folder} is there already"
    print(f"the program is that in {Path(package.__file__).parent}")
    with tempfile.TemporaryDirectory(prefix="hexholm-") as aside:
        work_folder = Path(aside)
        write_records(work_folder)
        write_play(work_folder)
        facts_by_key = {f"tables/{title}": facts for title, facts in write_database(work_folder).items()}
        facts_by_key |= {f"tournaments/{file}": facts for file, facts in write_tournaments(work_folder).items()}
        files = ("records.jsonl", "trade.jsonl", "interrupted-games.jsonl", "play/finished.hexholm")
        facts_by_key |= {
            f"games/{file}": summary_facts(hexholm("replay", work_folder / file, *SUMMARY)) for file in files
        }
        lines = [f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in facts_by_key.items()]
        (work_folder / "expected.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
        shutil.copytree(work_folder, folder)


def main(argv: Sequence[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.older_versions", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("folder", type=Path, help="a new folder in tests/older_versions")
    write(parser.parse_args(argv).folder)


if __name__ == "__main__":
    main()
