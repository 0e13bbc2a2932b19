"""`hexholm play`: a person against simple players, typing what they do."""

from __future__ import annotations

import contextlib
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hexholm.cli.files import BadCall
from hexholm.cli.play import NO_TERMINAL, OPPONENT, Left, Table, kept_at, resumed, write
from hexholm.cli.simple_player import SimplePlayer
from hexholm.cli.typed import understood
from hexholm.game.action import Action
from hexholm.game.cards import Cards
from hexholm.game.dealers import Scripted, Seeded
from hexholm.game.game import Game
from hexholm.rules.core.lanes import pack_named
from hexholm.rules.core.layout import RESOURCES
from hexholm.rules.editions import EDITIONS
from hexholm.rules.errors import BadInput

PLAY = [sys.executable, "-m", "hexholm", "play"]
PATIENCE = 60.0  # seconds, for everything that waits


class Person:
    """Types lines, or asks a simple player what to type; keeps what was said."""

    def __init__(self, lines: Iterable[str] = ()) -> None:
        self.lines: Iterator[str] = iter(lines)
        self.heard: list[str] = []
        self.then: Callable[[], str] | None = None

    def ask(self, prompt: str) -> str:
        for line in self.lines:
            self.heard.append(prompt + line)
            return line
        if self.then is None:
            raise EOFError
        line = self.then()
        self.heard.append(prompt + line)
        return line

    @property
    def text(self) -> str:
        return "\n".join(self.heard)

    @property
    def words(self) -> str:
        return " ".join(self.text.split())


def seated(tmp_path: Path, game: Game, lines: Iterable[str], *, color: bool = False) -> tuple[Table, Person]:
    """Red at a table, with these lines to type."""
    person = Person(lines)
    table = Table(game, "red", tmp_path / "game.hexholm", 5, ask=person.ask, say=person.heard.append, color=color)
    return table, person


def typed(tmp_path: Path, game: Game, *lines: str) -> Person:
    """What red is told for these lines; then the input ends."""
    table, person = seated(tmp_path, game, lines)
    with pytest.raises(Left) as left:
        table.play()
    assert left.value.code == 0
    return person


def new_game(**options: object) -> Game:
    names = ["person", *[OPPONENT] * 3]
    return Game(**{"seed": 3, "first": 0, "names": names, **options})  # type: ignore[arg-type]


def at_main(hands: dict[str, str], edition: str = "sixth", **dev: object) -> Game:
    """A game on the fixed board in the middle of red's turn, with these hands."""
    game = Game(edition=edition, setup="fixed", first=0, seed=2)
    game.play("roll")
    assert game.phase == "main"
    state = game.referee.state
    for seat, color in enumerate(game.colors):
        state.hand[seat] = pack_named(dict(Cards(hands.get(color, ""))), RESOURCES)
    held = [Cards.of_lanes(state.hand[seat]) for seat in range(4)]
    state.bank = pack_named({kind: 19 - sum(hand[kind] for hand in held) for kind in RESOURCES}, RESOURCES)
    names = ["person", *[OPPONENT] * 3]
    return Game.at(game.options, game.layout, state, dealer=Seeded(4), names=names)


WORDS = (
    *(
        "? why board hand players offers log undo save rules help quit red blue yes no build play a card to all for 1 2"
    ).split(),
    *("#1 #9 : ore wool wood lumber b2 b3/se c3n road settlement city roll end offer counter accept confirm").split(),
    *("supply monopoly invention year of plenty knight discard steal waive withdraw road building r s e o w b").split(),
)
VIEWS = [
    new_game(setup="fixed").view("red"),
    new_game().view("red"),
    at_main({"red": "2 ore 1 wool", "blue": "1 brick"}).view("red"),
]


# --- what is shown and understood ------------------------------------------------------------------------------------


def test_the_board_the_question_and_the_hand_are_shown(tmp_path: Path) -> None:
    told = typed(tmp_path, new_game(setup="fixed"))
    assert "Roll the dice." in told.text
    assert "Hand: " in told.text
    assert "mountains" in told.text
    assert "# corner with a port" in told.words
    assert "   orange       2      3" in told.text
    assert max(map(len, told.text.splitlines())) <= 80
    assert "\x1b" not in told.text


def test_colours_are_used_only_when_they_are_wanted(tmp_path: Path) -> None:
    table, person = seated(tmp_path, new_game(setup="fixed"), [], color=True)
    with pytest.raises(Left):
        table.play()
    assert "\x1b[91mred\x1b[0m" in person.text
    assert "\x1b[1mRoll the dice.\x1b[0m" in person.text


def test_nothing_typed_does_nothing(tmp_path: Path) -> None:
    game = new_game(setup="fixed")
    steps = game.steps
    told = typed(tmp_path, game, "", "   ")
    assert game.steps == steps
    assert told.text.count("Roll the dice.") == 3


def test_what_others_did_is_told_before_the_next_question(tmp_path: Path) -> None:
    told = typed(tmp_path, new_game(setup="fixed", seed=6), "roll", "end", *["no"] * 9)
    assert re.search(r"You roll \d+ \(\d and \d\)\.", told.words)
    for turn, color in ((2, "Blue"), (3, "White"), (4, "Orange")):
        assert re.search(rf"\n  {turn} {color} rolls \d+", "\n" + told.text)


@pytest.mark.parametrize(
    "line", ["road B3/se", "ROAD b3/SE", "road  b3 / se", "build road b3/se", "ro B3/se", "red road B3/se"]
)
def test_an_action_is_understood_in_many_spellings(tmp_path: Path, line: str) -> None:
    game = new_game()
    told = typed(tmp_path, game, "settlement B3s", line)
    assert "You place a road at B3/se" in told.words


def test_a_number_picks_from_the_list_that_was_shown(tmp_path: Path) -> None:
    told = typed(tmp_path, new_game(), "settlement B3s", "2", "?", "9", "2")
    assert "type ? first" in told.text
    assert "The list goes from 1 to 3." in told.text
    assert "road            1 B3/se   2 B3/sw   3 C3/e" in told.text
    assert "You place a road at B3/sw" in told.words


def test_a_question_mark_explains_a_kind_of_action_and_why_there_is_none(tmp_path: Path) -> None:
    told = typed(tmp_path, at_main({"red": "1 brick 1 lumber"}), "? road", "? city", "? offer", "?")
    assert "road C3/ne: a road on a side; it costs 1 brick, 1 wood." in told.words
    assert "Not now: you cannot pay for it: it costs 2 wheat 3 ore (BUILD-01)." in told.words
    assert "offer 1 ore : 1 wool to all:" in told.words
    assert re.search(r"\n   end +\d+  end your turn", told.text)


def test_why_says_why_not_with_the_rule(tmp_path: Path) -> None:
    game = at_main({"red": "3 ore 2 grain"})
    site = game.view("red").settlements()[0]
    told = typed(tmp_path, game, "why city C3n", f"why city {site}", "why", "why end")
    assert "a city can only replace a settlement of yours (CITY-01)." in told.words
    assert f"city {site.lower()}: nothing is against it, you may do that." in told.text
    assert "as in: why city C3n." in told.text


def test_a_refused_action_says_why_and_what_is_legal_and_loses_nothing(tmp_path: Path) -> None:
    game = new_game(setup="fixed")
    steps = game.steps
    told = typed(tmp_path, game, "end", "road C3/ne", "offer 1 ore : 1 wool", "city C3", "nonsense")
    assert "end: the turn cannot end before the roll (PHASE-03). You may: roll" in told.words
    assert "trade with players comes after the roll (TRADE-01)" in told.words
    assert "'c3' is no corner" in told.words
    assert "I do not understand 'nonsense'." in told.words
    assert game.steps == steps


def test_a_word_with_two_meanings_is_asked_back(tmp_path: Path) -> None:
    told = typed(tmp_path, new_game(setup="fixed"), "h", "blue roll")
    assert "'h' could be hand or help: write a little more." in told.text
    assert "You play red, not blue." in told.text


def test_commands_show_the_table(tmp_path: Path) -> None:
    lines = ["board", "hand", "players", "offers", "log", "log all", "help", "rules ROAD-03"]
    told = typed(tmp_path, at_main({"red": "2 ore", "blue": "1 brick 2 wool"}), *lines)
    assert told.text.count("mountains") >= 6
    assert "development card  1 wool, 1 wheat, 1 ore" in told.text
    assert "blue    1 brick, 2 wool" in told.text
    assert "No offer is open." in told.text
    assert "undo     take back your last action" in told.text
    assert "It must touch an own road, settlement or city." in told.words
    assert max(map(len, told.text.splitlines())) <= 80


def test_the_words_are_those_of_the_edition(tmp_path: Path) -> None:
    game = at_main({"black": "1 lumber 2 grain"}, edition="zip")
    person = Person(["?", "why road C3/ne", "supply 4 ore for 1 lumber"])
    table = Table(game, "black", tmp_path / "game", 1, ask=person.ask, say=person.heard.append)
    with pytest.raises(Left):
        table.play()
    assert "Tray: 1 wood, 2 wheat" in person.text
    assert "lumber" not in person.text.replace("supply 4 ore for 1 lumber", "")


def test_a_discard_is_asked_for_with_its_size(tmp_path: Path) -> None:
    game = new_game(setup="fixed")
    state = game.referee.state
    state.bank += state.hand[0]
    state.hand[0] = pack_named({"wool": 6, "ore": 3}, RESOURCES)
    state.bank -= state.hand[0]
    game = Game.at(game.options, game.layout, state, dealer=Scripted(["dice 3 4"]), names=game.names)
    told = typed(tmp_path, game, "roll", "discard 2 wool", "? discard", "discard 3 wool 1 ore")
    assert "Choose 4 cards to give back." in told.text
    assert "discard exactly 4 of the cards you hold (SEVEN-04)" in told.words
    assert "You discard 3 wool and 1 ore" in told.words
    assert "Move the robber." in told.text


@given(st.text(max_size=40) | st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join))
@settings(max_examples=300, deadline=None)
def test_whatever_is_typed_is_understood_or_asked_back(line: str) -> None:
    for view in VIEWS:
        with contextlib.suppress(BadInput):
            typed_line = understood(line, view)
            if typed_line.what == "do":
                view.why_not(typed_line.rest)


# --- trade -----------------------------------------------------------------------------------------------------------


def test_an_offer_to_several_is_confirmed_with_one_who_said_yes(tmp_path: Path) -> None:
    hands = {"red": "2 grain", "blue": "3 ore 1 grain 1 wool", "white": "3 ore 1 grain 1 wool"}
    told = typed(tmp_path, at_main(hands), "offer 1 grain for 1 wool", "confirm", "confirm white", "hand")
    assert "Blue says yes to offer 1. White says yes to offer 1." in told.words
    assert "confirm blue, confirm white" in told.text
    assert "Say with whom: confirm #1 blue or confirm #1 white." in told.text
    assert "You give white 1 wheat for 1 wool." in told.words
    assert "Hand: 1 wool, 1 wheat" in told.text


def test_an_offer_to_one_is_exchanged_at_once(tmp_path: Path) -> None:
    hands = {"red": "2 grain", "blue": "3 ore 1 grain 1 wool"}
    told = typed(tmp_path, at_main(hands), "offer 1 grain : 1 wool to blue")
    assert "You give blue 1 wheat for 1 wool." in told.words


def test_a_counter_offer_can_be_accepted_with_yes(tmp_path: Path) -> None:
    hands = {"red": "1 grain 1 brick", "blue": "3 ore 1 grain 2 wool"}
    told = typed(tmp_path, at_main(hands), "offer 1 brick : 1 wool to blue", "offers", "yes")
    assert "blue offers 1 wool for 1 wheat to you" in told.words
    assert "Blue offers 1 wool for your 1 wheat" in told.words
    assert "counter 1 wheat for 2 wool" in told.text
    assert re.search(r"[Bb]lue gives you 1 wool for 1 wheat", told.words)


def test_a_refused_offer_and_a_withdrawn_one(tmp_path: Path) -> None:
    told = typed(tmp_path, at_main({"red": "1 brick"}), "offer 1 brick : 1 wool to blue white", "withdraw", "accept")
    assert "nobody accepts it" in told.words
    assert "You have no open offer." in told.text
    assert "No offer is open that you could answer." in told.text


def offered_to_red(tmp_path: Path, *lines: str) -> tuple[Game, Person]:
    """Blue on turn with an offer to red."""
    game = at_main({"red": "2 grain", "blue": "3 ore 1 grain 1 wool"})
    game.play("end")
    state = game.referee.state
    hands = [state.hand[seat] for seat in range(4)]
    game.play("roll")
    for seat, hand in enumerate(hands):
        state.hand[seat] = hand
    state.bank = pack_named({kind: 19 - sum(Cards.of_lanes(h)[kind] for h in hands) for kind in RESOURCES}, RESOURCES)
    assert game.phase == "main"
    game = Game.at(game.options, game.layout, state, dealer=Seeded(4), names=game.names)
    return game, typed(tmp_path, game, *lines)


def test_the_person_is_asked_before_a_simple_player_goes_on(tmp_path: Path) -> None:
    game, told = offered_to_red(tmp_path, "yes")
    assert "Blue offers 1 wool for your 1 wheat." in told.words
    assert re.search(r"[Bb]lue gives you 1 wool for 1 wheat", told.words)
    assert Action.of("blue offer 1 wool : 1 grain to red") in game.actions


def test_the_person_can_counter_or_propose_when_asked(tmp_path: Path) -> None:
    game, told = offered_to_red(tmp_path, "counter 1 grain for 1 ore", *["no"] * 3)
    assert "You decline offer 1 and offer 1 wheat for 1 ore" in told.words.replace("you decline", "You decline")
    game, told = offered_to_red(tmp_path, "offer 1 grain for 2 ore", "no", *["no"] * 3)
    assert any(action.kind == "offer" and action.by == "red" and action.to == ("blue",) for action in game.actions)
    assert not any(action.kind == "offer" and action.by == "red" and len(action.to) > 1 for action in game.actions)


# --- undo, record, resume --------------------------------------------------------------------------------------------


def test_undo_goes_back_to_the_last_own_decision_and_the_dice_fall_the_same(tmp_path: Path) -> None:
    told = typed(tmp_path, new_game(setup="fixed", seed=9), "undo", "roll", "undo", "roll", "undo", "roll")
    assert "There is nothing to take back" in told.text
    assert told.text.count("Taken back: roll") == 2
    rolls = re.findall(r"You roll (\d+ \(\d and \d\))", told.words)
    assert len(rolls) == 3
    assert len(set(rolls)) == 1


def test_undo_takes_back_what_the_others_did_since(tmp_path: Path) -> None:
    game = new_game(setup="fixed", seed=6)
    table, person = seated(tmp_path, game, ["roll"])
    with pytest.raises(Left):
        table.play()
    before = game.copy()
    person.lines = iter(["end"])
    with pytest.raises(Left):
        table.play()
    assert game.turn > 1
    after = game.copy()
    person.lines = iter(["undo"])
    with pytest.raises(Left):
        table.play()
    assert game == before
    person.lines = iter(["end"])
    with pytest.raises(Left):
        table.play()
    assert game == after  # the same dice, and the others, reminded of what they had said, do the same


def test_the_record_is_written_after_every_action_and_can_be_resumed(tmp_path: Path) -> None:
    game = new_game(setup="fixed", seed=6)
    file = tmp_path / "game.hexholm"
    table, person = seated(tmp_path, game, [])
    kept: list[int] = []

    def line() -> str:
        kept.append(len(Game.from_record(file.read_text(encoding="utf-8")).steps))
        assert kept[-1] == len(game.steps)
        if len(kept) == 12:
            raise EOFError
        return SimplePlayer("me").choose(game.view("red")).text

    person.then = line
    with pytest.raises(Left):
        table.play()
    assert kept == sorted(set(kept))
    assert list(tmp_path.iterdir()) == [file]  # nothing is left beside it
    again, me = resumed(str(file), 6, None)
    assert me == "red"
    assert again == game
    assert again.names == game.names
    assert again.dealer == Seeded(6)
    with pytest.raises(BadCall, match="the players are"):
        resumed(str(file), 6, "green")


def test_a_record_without_a_person_needs_a_seat(tmp_path: Path) -> None:
    file = tmp_path / "bots"
    file.write_text(Game(seed=1).record().text(), encoding="utf-8")
    with pytest.raises(BadCall, match="does not say which seat is yours"):
        resumed(str(file), 1, None)
    assert resumed(str(file), 1, "Blue")[1] == "blue"


def test_a_copy_can_be_saved(tmp_path: Path) -> None:
    copy = tmp_path / "copy.hexholm"
    told = typed(tmp_path, new_game(setup="fixed"), f"save {copy}", "save", f"save {tmp_path}/none/x")
    assert f"Saved: {copy}" in told.text
    assert Game.from_record(copy.read_text(encoding="utf-8")).steps == new_game(setup="fixed").steps
    assert "there is no folder" in told.words


def test_a_full_disk_is_said_once_and_the_game_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, text: str) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("hexholm.cli.play.write", full)
    game = new_game(setup="fixed")
    table, person = seated(tmp_path, game, ["roll", "hand"])
    with pytest.raises(Left):
        table.play()
    assert person.text.count("No space left on device") == 1
    assert game.actions
    assert not table.saved


def test_a_link_stays_a_link_and_a_pipe_a_pipe(tmp_path: Path) -> None:
    file, link, pipe = tmp_path / "file", tmp_path / "link", tmp_path / "pipe"
    link.symlink_to(file)
    write(link, "one")
    assert link.is_symlink()
    assert file.read_text(encoding="utf-8") == "one"
    if not hasattr(os, "mkfifo"):
        return
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write(pipe, "two")
    assert os.read(reader, 10) == b"two"
    os.close(reader)
    assert pipe.is_fifo()


def test_games_are_kept_in_a_folder_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEXHOLM_DATA", str(tmp_path / "data"))
    first = kept_at(None)
    assert first.parent == tmp_path / "data" / "games"
    assert first.suffix == ".hexholm"
    first.touch()
    assert kept_at(None) != first
    assert kept_at(str(tmp_path / "mine")) == tmp_path / "mine"
    with pytest.raises(BadCall, match="no folder"):
        kept_at(str(tmp_path / "none" / "x"))


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_whole_game_can_be_played(tmp_path: Path, edition: str) -> None:
    game = Game(edition=edition, seed=8, names=["person", *[OPPONENT] * 3], points_to_win=6)
    me = game.colors[0]
    person = Person()
    helper = SimplePlayer("me")
    person.then = lambda: helper.choose(game.view(me)).text
    Table(game, me, tmp_path / "game", 8, ask=person.ask, say=person.heard.append).play()
    assert game.winner is not None
    assert ("You win with" if game.winner == me else f"{game.winner.capitalize()} wins with") in person.words
    assert "its record:" in person.text
    assert max(map(len, person.text.replace(str(tmp_path), "").splitlines())) <= 80


# --- in a real terminal ----------------------------------------------------------------------------------------------


class Terminal:
    """A program in a pseudo-terminal; whatever waits ends after PATIENCE."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        pty = pytest.importorskip("pty", reason="no pseudo-terminals here")
        self.ours, theirs = pty.openpty()
        self.process = subprocess.Popen(
            [*PLAY, *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={**os.environ, "TERM": "xterm", "NO_COLOR": "1", **environment},
            start_new_session=True,
        )
        os.close(theirs)
        self.told = ""

    def until(self, pattern: str = r"\w+> $") -> str:
        """What is told until the pattern shows, or until the end."""
        end, start = time.monotonic() + PATIENCE, len(self.told)
        while not re.search(pattern, self.told[start:]):
            if time.monotonic() > end:
                self.process.kill()
                self.process.wait()
                pytest.fail(f"no {pattern!r} in: {self.told[-1000:]}")
            ready, _, _ = select.select([self.ours], [], [], 0.2)
            try:
                part = os.read(self.ours, 65536) if ready else b""
            except OSError:  # the other end is closed
                break
            self.told += part.decode(errors="replace").replace("\r\n", "\n")
            if not part and self.process.poll() is not None:
                break
        return self.told[start:]

    def type(self, line: str) -> str:
        os.write(self.ours, f"{line}\n".encode())
        return self.until(r"\w+> $|To go on with this game.*\n")

    def end(self) -> int:
        self.until("there is no such text")
        code = self.process.wait(PATIENCE)
        os.close(self.ours)
        return code


def test_a_person_plays_quits_and_resumes(tmp_path: Path) -> None:
    record = str(tmp_path / "game.hexholm")
    table = Terminal("--seed", "3", "--setup", "fixed", "--name", "Ada", "--record", record)
    table.until()
    assert "Ada, you play red against three simple players: blue, white, orange." in table.told
    assert "Roll the dice" in table.told or "offers" in table.told
    for _ in range(10):
        asked = table.told.rpartition("\n\n")[2]
        if "Roll the dice" in asked:
            table.type("roll")
        elif "give back" in asked or "Move the robber" in asked or "Steal" in asked:
            table.type("?")
            table.type("1")
        elif "offers" in asked:
            table.type("no")
        else:
            table.type("offer 1 ore for 1 wool")
            table.type("end")
    assert re.search(r"city c3n: .* \([A-Z]+-\d\d\)\.", " ".join(table.type("why city C3n").split()))
    said = table.type("quit")
    assert f"To go on with this game: hexholm play --resume {record} --seed 3\n" in said
    assert table.end() == 0
    assert "Traceback" not in table.told
    assert "\x1b" not in table.told
    assert "seed" not in Path(record).read_text(encoding="utf-8").lower()
    steps = len(Game.from_record(Path(record).read_text(encoding="utf-8")).steps)
    assert steps > 10
    again = Terminal("--resume", record, "--seed", "3")
    again.until()
    assert "Ada, you play red" in again.told
    assert "Taken back: " in again.type("undo")
    again.type("quit")
    assert again.end() == 0


def left_by(way: Callable[[Terminal], object], record: Path) -> Terminal:
    """A table that is left in some way; once more if that came just while the terminal was being prepared."""
    table = Terminal("--seed", "3", "--record", str(record))
    table.until()
    for _ in range(10):
        way(table)
        with contextlib.suppress(subprocess.TimeoutExpired):
            table.process.wait(3)
            break
    return table


@pytest.mark.parametrize(
    "way, code",
    [
        (lambda table: table.process.send_signal(signal.SIGINT), 130),
        (lambda table: os.write(table.ours, b"\x04"), 0),
    ],
    ids=["ctrl-c", "end of input"],
)
def test_a_game_can_be_left_at_any_time(tmp_path: Path, way: Callable[[Terminal], object], code: int) -> None:
    table = left_by(way, tmp_path / "game")
    assert table.end() == code
    assert f"To go on with this game: hexholm play --resume {tmp_path / 'game'} --seed 3" in table.told
    assert "Traceback" not in table.told
    assert (tmp_path / "game").exists()


def test_the_first_question_comes_at_once(tmp_path: Path) -> None:
    table = Terminal("--seed", "3", "--record", str(tmp_path / "game"))
    began = time.monotonic()
    table.until()
    took = time.monotonic() - began
    table.type("quit")
    table.end()
    assert took < 10  # about one second on a quiet machine; this is for busy ones


# --- the command line ------------------------------------------------------------------------------------------------


def test_without_a_terminal_it_says_so_and_that_is_no_error() -> None:
    for more in ([], ["--watch"]):
        done = subprocess.run([*PLAY, *more], stdin=subprocess.DEVNULL, check=True, capture_output=True, text=True)
        assert done.stdout == NO_TERMINAL + "\n"
        assert done.stderr == ""


@pytest.mark.parametrize(
    "arguments, says",
    [
        (["--seat", "green"], "--seat green: the players are red, blue, white, orange"),
        (["--name", "simple player"], "that is what the others are called"),
        (["--resume", "no such file"], "cannot read no such file"),
        (["--resume", "x", "--edition", "zip"], "--resume and --edition: the record says what is played"),
        (["--resume", "x", "--players", "3"], "--resume and --players: the record says what is played"),
        (["--file", "-"], "--file -: standard input is what you type"),
        (["--record", "none/x"], "there is no folder none"),
    ],
)
def test_what_does_not_go_together_is_refused(arguments: list[str], says: str) -> None:
    table = Terminal(*arguments)
    assert table.end() == 2
    assert says in " ".join(table.told.split())
    assert "Traceback" not in table.told
