"""The games of `hexholm play` in files and in a real terminal: kept, resumed, left; and what is refused."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hexholm.bots.shipped.easy import Easy
from hexholm.cli.at_table.saved_games import (
    OPPONENT,
    file_of_game,
    replay_command,
    resume_command,
    resume_game,
    write_whole,
)
from hexholm.cli.at_table.story import seen_events
from hexholm.cli.at_table.terminal_game import LAST_LINES, PersonLeft
from hexholm.cli.shared.files import BadCall
from hexholm.game.dealers import Seeded
from hexholm.game.game import Game

from .terminal import PATIENCE, PLAY, Terminal
from .typed_games import new_game, seat_person, type_lines

pytestmark = pytest.mark.waits

# --- records ---------------------------------------------------------------------------------------------------------


def test_the_record_is_written_after_every_action_and_can_be_resumed(tmp_path: Path) -> None:
    game = new_game(setup="fixed", seed=6)
    file = tmp_path / "game.hexholm"
    terminal_game, person = seat_person(tmp_path, game, [])
    step_counts: list[int] = []

    def line() -> str:
        step_counts.append(len(Game.from_record(file.read_text(encoding="utf-8")).steps))
        assert step_counts[-1] == len(game.steps)
        if len(step_counts) == 12:
            raise EOFError
        return Easy("me").choose(game.view("red")).text

    person.next_line = line
    with pytest.raises(PersonLeft):
        terminal_game.play()
    assert step_counts == sorted(set(step_counts))
    assert list(tmp_path.iterdir()) == [file]  # nothing is left beside it
    resumed, me = resume_game(str(file), 6, None)
    assert me == "red"
    assert resumed == game
    assert resumed.names == game.names
    assert resumed.dealer == Seeded(6)
    last = seat_person(tmp_path, resumed, [])[0].last_lines().split("\n")
    assert len(last) == LAST_LINES
    assert "\n".join(last) in seat_person(tmp_path, resumed, [])[0].screen.story.tell(seen_events(resumed, me))
    with pytest.raises(BadCall, match="the players are"):
        resume_game(str(file), 6, "green")


def test_a_record_without_a_person_needs_a_seat(tmp_path: Path) -> None:
    file = tmp_path / "bots"
    file.write_text(Game(seed=1).record().text(), encoding="utf-8")
    with pytest.raises(BadCall, match="does not say which seat is yours"):
        resume_game(str(file), 1, None)
    assert resume_game(str(file), 1, "Blue")[1] == "blue"


def test_a_copy_can_be_saved(tmp_path: Path) -> None:
    copy = tmp_path / "copy.hexholm"
    person = type_lines(tmp_path, new_game(setup="fixed"), f"save {copy}", "save", f"save {tmp_path}/none/x")
    assert f"Saved: {copy}" in person.text
    assert Game.from_record(copy.read_text(encoding="utf-8")).steps == new_game(setup="fixed").steps
    assert "there is no folder" in person.words


def test_a_full_disk_is_said_once_and_the_game_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, text: str) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("hexholm.cli.at_table.terminal_game.write_whole", full)
    game = new_game(setup="fixed")
    terminal_game, person = seat_person(tmp_path, game, ["roll", "hand"])
    with pytest.raises(PersonLeft):
        terminal_game.play()
    assert person.text.count("No space left on device") == 1
    assert game.actions
    assert not terminal_game.saved


def test_a_link_stays_a_link_and_a_pipe_a_pipe(tmp_path: Path) -> None:
    file, link, pipe = tmp_path / "file", tmp_path / "link", tmp_path / "pipe"
    link.symlink_to(file)
    write_whole(link, "one")
    assert link.is_symlink()
    assert file.read_text(encoding="utf-8") == "one"
    if not hasattr(os, "mkfifo"):
        return
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_whole(pipe, "two")
    assert os.read(reader, 10) == b"two"
    os.close(reader)
    assert pipe.is_fifo()


def test_games_are_kept_in_a_folder_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEXHOLM_DATA", str(tmp_path / "data"))
    first = file_of_game(None)
    assert first.parent == tmp_path / "data" / "games"
    assert first.suffix == ".hexholm"
    first.touch()
    assert file_of_game(None) != first
    assert file_of_game(str(tmp_path / "mine")) == tmp_path / "mine"
    with pytest.raises(BadCall, match="no folder"):
        file_of_game(str(tmp_path / "none" / "x"))


def test_a_file_with_something_in_it_is_never_written_over(tmp_path: Path) -> None:
    game, page, empty = tmp_path / "my game", tmp_path / "page", tmp_path / "empty"
    game.write_text(new_game(setup="fixed").record().text(), encoding="utf-8")
    page.write_text("# A page\n", encoding="utf-8")
    empty.touch()
    with pytest.raises(BadCall, match=r"my game holds a game already: go on with --resume '.*', or name another file"):
        file_of_game(str(game))
    with pytest.raises(BadCall, match="page is there already and holds no game: name another file"):
        file_of_game(str(page))
    with pytest.raises(BadCall, match="holds no game: name"):
        file_of_game(str(page), str(game))
    assert file_of_game(str(empty)) == empty
    assert file_of_game(str(game), str(game)) == game
    assert file_of_game(None, str(game)) == game


def test_the_record_says_which_seats_a_person_played(tmp_path: Path) -> None:
    file = tmp_path / "game"
    file.write_text(new_game(setup="fixed", names=["Ada", *[OPPONENT] * 3]).record().text(), encoding="utf-8")
    game, me = resume_game(str(file), 1, "white")
    assert me == "white"
    assert game.names == ("Ada", OPPONENT, "Ada", OPPONENT)
    assert resume_game(str(file), 1, "white", "Bob")[0].names == ("Ada", OPPONENT, "Bob", OPPONENT)
    assert resume_game(str(file), 1, None, "Bob")[0].names == ("Bob", *[OPPONENT] * 3)
    file.write_text(game.record().text(), encoding="utf-8")
    with pytest.raises(BadCall, match="add --seat and one of red, white"):
        resume_game(str(file), 1, None)
    file.write_text(new_game(setup="fixed", names=[OPPONENT] * 4).record().text(), encoding="utf-8")
    assert resume_game(str(file), 1, "blue")[0].names == (OPPONENT, "person", OPPONENT, OPPONENT)


def test_what_cannot_be_resumed_is_one_line(tmp_path: Path) -> None:
    game, file = new_game(setup="fixed"), tmp_path / "file"
    finished_game = new_game(setup="fixed")
    finished_game.stop("agreed")
    for text, says in (
        ("# A page\n", "file holds no game"),
        ("", "file holds no game"),
        (game.record().to_json(), "convert .*file --out file.hexholm"),
        (game.record().text() + "\n" + game.record().text(), "holds 2 games; only a file with one game"),
        (finished_game.record().text(), "that game is over; to read it: .*hexholm replay"),
    ):
        file.write_text(text, encoding="utf-8")
        with pytest.raises(BadCall, match=says):
            resume_game(str(file), 1, None)


def test_the_way_to_go_on_keeps_what_it_was_called_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "bin" / "hexholm"
    script.parent.mkdir()
    script.touch(mode=0o755)
    monkeypatch.setattr(sys, "argv", [str(script)])
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", "/nowhere")
    path = Path("my game")
    assert resume_command(path, None, None) == "bin/hexholm play --resume 'my game'"
    assert resume_command(path, "Blue", 7) == "bin/hexholm play --resume 'my game' --seat blue --seed 7"
    assert replay_command(path) == "bin/hexholm replay 'my game'"
    monkeypatch.chdir(script.parent)
    assert replay_command(path) == "./hexholm replay 'my game'"
    monkeypatch.setenv("PATH", str(script.parent))
    assert replay_command(path) == "hexholm replay 'my game'"
    monkeypatch.setattr(sys, "argv", ["/somewhere/__main__.py"])
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    assert replay_command(path) == "../python -m hexholm replay 'my game'"


# --- in a real terminal ----------------------------------------------------------------------------------------------


def test_a_person_plays_quits_and_resumes(tmp_path: Path) -> None:
    record = str(tmp_path / "game.hexholm")
    terminal = Terminal("--seed", "3", "--setup", "fixed", "--name", "Ada", "--record", record)
    terminal.until()
    assert "Ada, you play red against three simple players: blue, white, orange." in terminal.output
    assert "Roll the dice" in terminal.output or "offers" in terminal.output
    for _ in range(10):
        question = terminal.output.rpartition("\n\n")[2]
        if "Roll the dice" in question:
            terminal.type("roll")
        elif "discard" in question or "Move the robber" in question or "Steal" in question:
            terminal.type("?")
            terminal.type("1")
        elif "offers" in question:
            terminal.type("no")
        else:
            terminal.type("offer 1 ore for 1 wool")
            terminal.type("end")
    assert re.search(r"city C3n \(B2se\): .* \([A-Z]+-\d\d\)\.", " ".join(terminal.type("why city C3n").split()))
    farewell = terminal.type("quit")
    (command,) = re.findall(r"To go on with this game:\n  (.*)\n", farewell)
    assert command.endswith(f"hexholm play --resume {record} --seed 3")
    assert shutil.which(command.split()[0])  # it can be called as it is told
    assert terminal.end() == 0
    assert "Traceback" not in terminal.output
    assert "\x1b" not in terminal.output
    assert "seed" not in Path(record).read_text(encoding="utf-8").lower()
    steps = len(Game.from_record(Path(record).read_text(encoding="utf-8")).steps)
    assert steps > 10
    resumed = Terminal("--resume", record, "--seed", "3")
    resumed.until()
    assert "Ada, you play red" in resumed.output
    story = resumed.output.partition("you play red")[2].partition("+")[0]  # before the board
    assert "red" in story or "You" in story
    assert "Taken back: " in resumed.type("undo")
    resumed.type("quit")
    assert resumed.end() == 0


def left_by(leave: Callable[[Terminal], object], record: Path) -> Terminal:
    """A table that is left in some way; once more if that came just while the terminal was being prepared."""
    terminal = Terminal("--seed", "3", "--record", str(record))
    terminal.until()
    for _ in range(10):
        leave(terminal)
        with contextlib.suppress(subprocess.TimeoutExpired):
            terminal.process.wait(3)
            break
    return terminal


@pytest.mark.parametrize(
    "leave, code",
    [
        (lambda terminal: terminal.process.send_signal(signal.SIGINT), 130),
        (lambda terminal: os.write(terminal.our_end, b"\x04"), 0),
    ],
    ids=["ctrl-c", "end of input"],
)
def test_a_game_can_be_left_at_any_time(tmp_path: Path, leave: Callable[[Terminal], object], code: int) -> None:
    terminal = left_by(leave, tmp_path / "game")
    assert terminal.end() == code
    assert re.search(
        rf"To go on with this game:\n  .*hexholm play --resume {tmp_path}/game --seed 3\n", terminal.output
    )
    assert "Traceback" not in terminal.output
    assert (tmp_path / "game").exists()


def test_the_first_question_comes_before_anything_is_compiled(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    terminal = Terminal("--seed", "3", "--record", str(tmp_path / "game"), HEXHOLM_CACHE=str(cache))
    terminal.until()
    compiled = [path for path in cache.rglob("*") if path.is_file()]
    terminal.type("quit")
    terminal.end()
    assert not compiled


# --- the command line ------------------------------------------------------------------------------------------------


def test_without_a_terminal_it_says_what_would_work() -> None:
    for flags in ([], ["--watch"]):
        process = subprocess.run(
            [*PLAY, *flags], check=False, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE
        )
        assert process.returncode == 2
        assert re.fullmatch(r"hexholm: play needs a terminal, [^\n]+hexholm play --plain\n", process.stderr)
        assert process.stdout == ""


@pytest.mark.parametrize("redirection", ["<&-", ">&-", "<&- >&-"])
@pytest.mark.parametrize("flags", ["", "--watch", "--plain --file -"])
def test_closed_streams_are_one_line(redirection: str, flags: str) -> None:
    if redirection == ">&-" and "--plain" in flags:
        return  # nothing is wrong with that: standard input is open
    call = ["/bin/sh", "-c", f"{shlex.join(PLAY)} {flags} {redirection}"]
    process = subprocess.run(call, check=False, stderr=subprocess.PIPE, text=True, timeout=PATIENCE)
    assert process.returncode == 2
    assert re.fullmatch(r"hexholm: [^\n]+\n", process.stderr)


@pytest.mark.parametrize(
    "arguments, says",
    [
        (["--seat", "green"], "--seat green: the players are red, blue, white, orange"),
        (["--name", "simple player"], "that is what the others are called"),
        (["--resume", "no such file"], "cannot read no such file"),
        (["--resume", "x", "--edition", "zip"], "--resume and --edition: the record says what is played"),
        (["--resume", "x", "--players", "3"], "--resume and --players: the record says what is played"),
        (["--file", "-"], "--file -: standard input is what you type"),
        (["--resume", "-"], "--resume -: standard input is what you type"),
        (["--record", "none/x"], "there is no folder none"),
        (["--record", "-"], "--record -: standard output shows the game; name a file"),
        (["--speed", "2"], "--speed is for watching: add --watch"),
        (["--watch", "--seat", "red"], "--watch and --seat: you only watch"),
        (["--plain", "--name", "Ada"], "--plain and --name: you only watch"),
        (["--watch", "--resume", "x", "--map", "3"], "--resume and --map: the record says what is played"),
    ],
)
def test_what_does_not_go_together_is_refused(arguments: list[str], says: str) -> None:
    terminal = Terminal(*arguments)
    assert terminal.end() == 2
    assert says in " ".join(terminal.output.split())
    assert "Traceback" not in terminal.output
