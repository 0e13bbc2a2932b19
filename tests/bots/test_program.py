"""Programs as players: what they are told, and that no broken one stops a game, hangs it, or goes unreported."""

from __future__ import annotations

import contextlib
import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import hatch_build
from hexholm.arena import tournament
from hexholm.arena.results import TournamentResult
from hexholm.bots import program as programs
from hexholm.bots.faults import BotFault
from hexholm.bots.memory import OfferHistory, PastOffer
from hexholm.bots.program import ProgramKind, end_all, program_kind, program_view, read_programs
from hexholm.bots.protocol import Effort
from hexholm.game.action import Action
from hexholm.game.game import Game
from hexholm.game.views.view_data import view_data
from hexholm.rules.errors import BadInput

from .programs import gone, odd

pytestmark = pytest.mark.waits

ROOT = Path(__file__).parents[2]
LIMIT = 0.5 if sys.platform != "win32" else 2.0


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    yield
    end_all(patience=0)


def played(kind: ProgramKind, games: int = 1) -> TournamentResult:
    return tournament([kind, "random", "random"], games=games, seed=4, points_to_win=3, cap=60)


def test_a_good_program_plays_whole_games_in_one_process(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    result = played(odd("pid", str(pids)), games=2)
    assert result.row("pid").faults == {}
    lines = [line.split() for line in pids.read_text().splitlines()]
    assert len({pid for pid, _ in lines}) == 1
    assert [int(number) for _, number in lines] == list(range(1, len(lines) + 1))
    assert gone({int(pid) for pid, _ in lines})


@pytest.mark.parametrize("raised", [KeyboardInterrupt, ZeroDivisionError])
def test_a_tournament_that_is_stopped_or_breaks_ends_its_programs(tmp_path: Path, raised: type[BaseException]) -> None:
    def on_progress(_: object) -> None:
        raise raised

    pids = tmp_path / "pids"
    with contextlib.suppress(ZeroDivisionError):
        tournament([odd("pid", str(pids)), "random", "random"], games=2, points_to_win=3, on_progress=on_progress)
    assert gone({int(line.split()[0]) for line in pids.read_text().splitlines()})


@pytest.mark.parametrize(
    "mode, kind, says",
    [
        pytest.param(
            *("killed", "died", "was killed (signal 9)"),
            marks=pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals on Windows"),
        ),
        ("dies", "died", "ended with code 139; its last remarks: Segmentation fault"),
        ("chatty", "nonsense", "said 'thinking ...': standard output is for lines of JSON"),
        ("riddle", "nonsense", '"action": 42'),
        ("list", "nonsense", "said '[1, 2, 3]'"),
        ("long", "nonsense", "yyyy ..."),
        ("bytes", "nonsense", "standard output is for lines of JSON"),
        ("cheat", "illegal", "city A1n"),
    ],
)
def test_a_program_that_dies_or_talks_nonsense_loses_moves_and_no_game_stops(mode: str, kind: str, says: str) -> None:
    result = played(odd(mode))
    assert result.games == 1
    assert result.row(mode).faults[kind] > 0
    assert any(says in fault.message for fault in result.faults if fault.kind == kind), result.faults


@pytest.mark.parametrize("mode", ["hangs", "child", "flood"])
def test_a_program_that_hangs_is_ended_with_its_children_and_begun_again(mode: str) -> None:
    result = played(odd(mode, limit=LIMIT))
    row = result.row(mode)
    assert set(row.faults) == {"slow"}  # also those that it loses when it is given up in the end
    assert row.faults["slow"] > programs.MOST_STARTS
    assert any(fault.message == f"did not answer within {LIMIT:g} s" for fault in result.faults)
    assert "given up for this game after 4 starts" in str(result.faults)


def test_an_answer_that_comes_too_late_is_not_taken_for_another() -> None:
    """The process is ended when it is late, so its answer cannot arrive; one that is not ended is told apart by id."""
    kind = odd("late", limit=0.3)
    bot = kind.make(1)
    game = Game(seed=1, first=0)
    view = game.view("red")
    bot.choose(view)
    bot.choose(view)
    with pytest.raises(BotFault, match="did not answer within"):
        bot.choose(view)
    assert bot.choose(view) == view.legal_actions.texts[-1]


def test_the_hint_to_a_wrong_answer_is_a_legal_one() -> None:
    bot, view = odd("riddle").make(1), Game(seed=1, first=0).view("red")
    assert "roll" not in view.legal_actions.texts
    with pytest.raises(BotFault) as error:
        bot.choose(view)
    hint = json.loads(str(error.value).partition("answer as in ")[2])
    assert hint["id"] == 1
    assert hint["action"] in view.legal_actions.texts


def test_a_program_that_does_not_read_cannot_hold_anybody_up() -> None:
    result = played(odd("deaf"))
    assert result.row("deaf").faults["nonsense"] > 10


def test_what_a_program_does_not_read_is_not_piled_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "MOST_UNREAD", 12)
    result = played(odd("deaf"))
    assert result.row("deaf").faults["slow"] > 0
    assert "has left 12 messages unread" in str(result.faults)


@pytest.mark.parametrize("flushes", ["", "hello"])
def test_a_program_that_keeps_back_what_it_says_is_asked_whether_it_flushes(
    flushes: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    monkeypatch.setattr(programs, "HELLO_LIMIT", 20.0 if flushes else 1.0)
    code = (
        "import json, sys\n"
        "for heard in map(json.loads, sys.stdin):\n"
        "    if heard['type'] == 'hello':\n"
        f"        print(json.dumps(heard), flush={bool(flushes)})\n"
        "    if heard['type'] == 'choose':\n"
        "        print(json.dumps({'id': heard['id'], 'action': heard['legal'][0]}))\n"
    )
    bot = program_kind("mine", [sys.executable, "-S", "-c", code], LIMIT).make(1)
    what = f"answer within {LIMIT:g} s" if flushes else "say hello within 1 s"
    with pytest.raises(BotFault, match=rf"^did not {what}; did it flush its output\?$"):
        bot.choose(Game(seed=1, first=0).view("red"))


def test_a_flood_of_late_answers_does_not_make_a_program_less_late() -> None:
    """The third question is the one that it floods, for ever: who reads all of it first never comes back."""
    bot, view = odd("flood", limit=LIMIT).make(1), Game(seed=1, first=0).view("red")
    bot.choose(view)
    bot.choose(view)
    with pytest.raises(BotFault, match="did not answer within"):
        bot.choose(view)


@pytest.mark.parametrize(
    "mode, says",
    [
        ("dumb", "did not say hello within"),
        ("gone", "ended with code 3; its last remarks: no licence key found"),
        ("stranger", "instead of"),
    ],
)
def test_a_program_that_does_not_say_hello_is_refused_before_the_first_game(
    mode: str, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(programs, "HELLO_LIMIT", 1.0 if mode == "dumb" else 20.0)
    with pytest.raises(BadInput, match=f"player {mode}: .*{says}"):
        played(odd(mode))


def test_a_command_that_is_not_there_is_told() -> None:
    with pytest.raises(BadInput, match="player mine: cannot start no-such-thing: there is no such program"):
        played(program_kind("mine", "no-such-thing --fast"))


def test_ended_programs_are_gone() -> None:
    kind = odd("good")
    bot = kind.make(1)
    bot.choose(Game(seed=1, first=0).view("red"))
    process = bot._process
    assert process is not None
    pid = process._child.pid
    bot.close()
    end_all()
    assert gone({pid})


def test_a_program_is_told_what_the_seat_knows_and_nothing_more(monkeypatch: pytest.MonkeyPatch) -> None:
    messages: list[dict[str, Any]] = []
    answer = {"type": "hello", "protocol": programs.PROGRAM_PROTOCOL, "id": 1, "action": "roll"}
    monkeypatch.setattr(programs._Process, "say", lambda _, message: messages.append(message))
    monkeypatch.setattr(programs._Process, "_next_answer", lambda *_: answer)
    game = Game(edition="fifth", setup="fixed", seed=3)
    bot = odd("good").make(77, Effort(steps=40))
    assert bot.choose(game.view("red")) == "roll"
    hello, game_message, question = messages
    assert hello == {"type": "hello", "protocol": "hexholm-bot-1", "hexholm": hello["hexholm"]}
    assert (game_message["type"], game_message["seat"], game_message["seed"], game_message["effort"]) == (
        "game",
        "red",
        77,
        {"steps": 40, "seconds": None},
    )
    assert game_message["board"]["hexes"]["C3"] == [game.layout.terrain("C3"), game.layout.number("C3")]
    assert (question["type"], question["id"], question["legal"]) == ("choose", 1, ["roll"])
    assert question["text"] == game.view("red").text()
    assert question["view"]["players"][1]["hand"] == 3
    assert "seed" not in question


OFFER = "offer 1 grain : 1 ore to blue"


def test_a_program_that_is_begun_again_is_told_what_it_has_offered() -> None:
    game = Game(edition="fifth", setup="fixed", seed=3)
    game.play("roll")
    bot = odd("offers", OFFER).make(1)
    assert bot.choose(game.view("red")) == OFFER
    game.play(OFFER)
    game.play("reject #1", by="blue")
    with pytest.raises(BotFault, match="ended with code 1"):
        bot.choose(game.view("red"))
    assert json.loads(bot.choose(game.view("red"))) == [{"turn": 1, "action": OFFER, "answers": None}]


@pytest.mark.parametrize("answer, later", [("reject #1", [OFFER]), ("accept #1", [])])
def test_of_earlier_turns_what_came_to_nothing_is_told(answer: str, later: list[str]) -> None:
    game, history = Game(edition="fifth", setup="fixed", seed=3), OfferHistory()
    game.play("roll")
    for action in (OFFER, "end"):
        view = game.view("red")
        history.observe(view)
        history.remember_choice(view, Action.of(action).code(game.colors))
        game.play(action)
        if action == OFFER:
            game.play(answer, by="blue")
            history.observe(game.view("red"))
            assert [offer.text for offer in history.offers] == [OFFER]
    history.observe(game.view("red"))
    assert [offer.text for offer in history.offers] == later


def test_whose_offer_was_countered_is_told() -> None:
    game, history = Game(edition="fifth", setup="fixed", seed=3), OfferHistory()
    game.play("roll")
    game.play(OFFER)
    view = game.view("blue")
    history.observe(view)
    history.remember_choice(view, Action.of("counter #1 1 ore : 2 grain").code(game.colors))
    assert history.offers == [PastOffer(1, "counter #1 1 ore : 2 grain", "red")]


def test_the_view_is_the_one_that_hosts_send() -> None:
    from hexholm.bots import bot

    game = Game(seed=8, first=0)
    bots = {color: bot("easy", color) for color in game.colors}
    for _ in range(250):
        waiting_colors = [color for color in game.to_act if color != game.active]
        color = waiting_colors[0] if waiting_colors else game.active
        view = game.view(color)
        assert program_view(view) == view_data(view, ranges=True)
        game.play(bots[color].choose(view), by=color)


def test_programs_come_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "programs.toml"
    file.write_text(
        '[programs.mine]\ncommand = "node my bot.js"\nlimit = 2\nline = "mine"\n'
        '[programs.other]\ncommand = ["./bot", "--quick one"]\n'
    )
    kinds = read_programs(file)
    assert kinds["mine"] == ProgramKind("mine", ("node", "my", "bot.js"), 2.0, "mine")
    assert kinds["other"] == ProgramKind("other", ("./bot", "--quick one"), programs.PROGRAM_LIMIT)


@pytest.mark.parametrize(
    "text, says",
    [
        ("programs = 3\n", r"write a table \[programs.NAME\]"),
        ("[other]\n", r"write a table \[programs.NAME\]"),
        ("[programs.a]\nlimit = 3\n", r"\[programs.a\] has command"),
        ('[programs.a]\ncommand = "x"\nspeed = 3\n', r"\[programs.a\] has command"),
        ('[programs.a]\ncommand = ""\n', "name the command"),
        ('[programs.a]\ncommand = "x"\nlimit = 0\n', "give the seconds for a decision"),
        ('[programs."a b"]\ncommand = "x"\n', "a player's name has letters"),
        ("[programs.a\n", "this is no TOML"),
        ('[programs.a]\ncommand = "don\'t"\n', "cannot be split into words"),
    ],
)
def test_a_file_with_a_fault_says_which(tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "programs.toml"
    file.write_text(text)
    with pytest.raises(BadInput, match=says):
        read_programs(file)
    with pytest.raises(BadInput, match="cannot read"):
        read_programs(tmp_path / "nowhere.toml")


def test_the_example_in_javascript_beats_random_players_without_a_fault() -> None:
    node = shutil.which("node") or str(hatch_build.node()[0] / "node")
    kind = program_kind("builder", [node, str(ROOT / "examples" / "bot.js")])
    result = tournament([kind, "random", "random", "random"], games=12, seed=5, points_to_win=6)
    assert result.row("builder").faults == {}
    assert result.row("builder").wins > 6


def test_no_table_on_the_web_can_start_a_program() -> None:
    """The module is not even loaded by a host."""
    import subprocess

    code = "import sys, hexholm.host.tables.hall.hall, hexholm.host.web.server, hexholm.host.bot_pool.bot_pool as t\n"
    code += "from hexholm.bots import bot; bot('easy'); print('hexholm.bots.program' in sys.modules)"
    process = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert process.stdout == "False\n"
