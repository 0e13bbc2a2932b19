"""A program in any language as a player: JSON lines over its standard input and output (docs/how-to/write-a-bot.md).

    hexholm tournament mine easy easy easy --program 'mine=node bot.js'

A program is asked as every player is: with what its seat may know. One that is late, dies or talks nonsense costs its
seat that decision and nothing more: :class:`Program` raises :class:`~.faults.BotFault`, whoever runs the game plays
a plain move instead and reports it, and the program is started anew. Commands come from the command line and from local
files (:func:`read_programs`); nothing that comes over a network names one.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import queue
import shlex
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

import hexholm
from hexholm.game.game import SeatView
from hexholm.game.views.view_data import view_data
from hexholm.rules.errors import BadInput

from .faults import BotFault
from .memory import OfferHistory
from .protocol import Effort

PROGRAM_PROTOCOL: Final = "hexholm-bot-1"
PROGRAM_LIMIT: Final = 5.0
"""Seconds for a decision, unless said otherwise."""
HELLO_LIMIT: Final = 20.0
"""Seconds for a program to come up and say hello."""
MOST_STARTS: Final = 4
"""So often a program is started for one seat of a game; then it is given up for that game."""
LONGEST_REPLY: Final = 65_536
"""Bytes of a line that is read from a program."""
MOST_LINES_WAITING: Final = 256
"""Lines of a program that wait to be read; it waits too when there are more."""
MOST_UNREAD: Final = 64
"""Messages that a program may leave unread before it is ended: more than enough for one that answers."""
MOST_REMARKS: Final = 5
"""Lines of its standard error that a report shows."""
LAST_OF_A_PLAYER: Final = ("left", "owes", "ranges")
"""The fields that this protocol puts at the end of what is seen of a player."""


@dataclass(frozen=True)
class ProgramKind:
    """A program as a player of a name: `make(seed)` is a seat's own."""

    name: str
    command: tuple[str, ...]
    limit: float = PROGRAM_LIMIT
    """Seconds for a decision."""
    summary: str = ""
    """What it is, in one line."""

    def make(self, seed: int | str = 0, effort: Effort | None = None) -> Program:
        """A bot for one seat of one game. Its program starts with the first question."""
        return Program(self, seed, effort)

    def try_out(self) -> None:
        """Start the program once and end it again; raises BadInput if it does not say hello."""
        try:
            process = _Process(self)
        except BotFault as error:
            raise BadInput(f"player {self.name}: {error}") from None
        process.end()


def program_kind(
    name: str, command: str | Sequence[str], limit: float = PROGRAM_LIMIT, summary: str = ""
) -> ProgramKind:
    """A program as a player; a command that is one text is split as a shell would, but no shell runs it."""
    try:
        words = shlex.split(command) if isinstance(command, str) else [str(word) for word in command]
    except ValueError as error:
        raise BadInput(f"program {name}: {command!r} cannot be split into words: {error}") from None
    if not words:
        raise BadInput(f"program {name}: name the command, as in {name}=node bot.js")
    if not name or not name.replace("-", "").replace("_", "").isalnum():
        raise BadInput(f"program {name!r}: a player's name has letters, digits, - and _")
    if type(limit) not in (int, float) or not 0 < limit <= 3600:
        raise BadInput(f"program {name}: limit {limit!r}: give the seconds for a decision, up to 3600")
    return ProgramKind(name, tuple(words), float(limit), summary)


def read_programs(file: str | Path) -> dict[str, ProgramKind]:
    """The programs of a TOML file, by name.

    [programs.mine]
    command = "node bot.js"     # or a list of words
    limit = 2.0                 # seconds for a decision; 5 if not said
    line = "mine, in JavaScript"
    """
    import tomllib

    try:
        data = tomllib.loads(Path(file).read_text(encoding="utf-8"))
    except OSError as error:
        raise BadInput(f"cannot read {file}: {error.strerror or error}") from None
    except ValueError as error:
        raise BadInput(f"{file}: this is no TOML: {error}") from None
    tables = data.get("programs")
    if not isinstance(tables, Mapping) or set(data) != {"programs"}:
        raise BadInput(f"{file}: write a table [programs.NAME] for each program, and nothing else")
    kinds = {}
    for name, table in tables.items():
        keys = {"command", "limit", "line"}
        if not isinstance(table, Mapping) or "command" not in table or not set(table) <= keys:
            raise BadInput(f"{file}: [programs.{name}] has command, and if you like limit and line")
        kinds[name] = program_kind(
            name, table["command"], table.get("limit", PROGRAM_LIMIT), str(table.get("line", ""))
        )
    return kinds


class Program:
    """The bot of one seat in one game, thinking in a process of its own."""

    def __init__(self, kind: ProgramKind, seed: int | str = 0, effort: Effort | None = None) -> None:
        self._kind, self._seed, self._effort = kind, seed, effort
        effort_seconds = 0.0 if effort is None else effort.seconds or 0.0
        self._limit = max(kind.limit, 1.5 * effort_seconds + 1) if effort_seconds else kind.limit
        self._process: _Process | None = None
        self._starts = 0
        self._last_fault_kind = "died"
        """The kind of its last fault: if it is given up, that is why."""
        self._offer_history = OfferHistory()

    def choose(self, view: SeatView) -> str:
        """The text of what the program does; raises BotFault if it does not say so in time."""
        self._offer_history.observe(view)
        try:
            if self._process is None:
                self._process = self._ready_process(view)
            text = self._process.ask(view, self._limit)
        except BotFault as error:
            self._last_fault_kind = error.kind
            if error.kind != "nonsense" and self._process is not None:
                self._process.end()
                self._process = None
            raise
        self._offer_history.remember_choice(view, text)
        return text

    def close(self) -> None:
        """The game is over; a program that is well may go on with another."""
        process, self._process = self._process, None
        if process is not None:
            _idle.setdefault(self._kind, []).append(process)

    def _ready_process(self, view: SeatView) -> _Process:
        """A process that knows which game it is in."""
        idle_processes = _idle.get(self._kind)
        if idle_processes:
            process = idle_processes.pop()
        else:
            if self._starts == MOST_STARTS:
                raise BotFault(self._last_fault_kind, f"given up for this game after {MOST_STARTS} starts")
            self._starts += 1
            process = _Process(self._kind)
        try:
            process.say(self._game_message(view))
        except BotFault:
            process.end()
            raise
        return process

    def _game_message(self, view: SeatView) -> dict[str, Any]:
        effort = self._effort
        return {
            "type": "game",
            "seat": view.seat,
            "colors": view.colors,
            "seed": self._seed,
            "effort": None if effort is None else {"steps": effort.steps, "seconds": effort.seconds},
            "limit": self._limit,
            "options": view.options.as_dict(),
            "board": {key: value for key, value in view.layout.as_dict().items() if key in ("hexes", "harbors")},
            "said": [
                {"turn": offer.turn, "action": offer.text, "answers": offer.to or None}
                for offer in self._offer_history.offers
            ],
        }


class _Process:
    """A running program that has said hello.

    What it says and what it is told pass through threads, so that neither a program that does not read nor one that
    does not stop talking can hold anybody up.
    """

    def __init__(self, kind: ProgramKind) -> None:
        self._number = 0
        self._has_answered = False
        self._lines_heard: queue.Queue[bytes | None] = queue.Queue(MOST_LINES_WAITING)
        self._lines_to_send: queue.Queue[bytes | None] = queue.Queue(MOST_UNREAD)
        self._remarks: deque[str] = deque(maxlen=MOST_REMARKS)
        self._ended = threading.Event()
        try:
            self._child = subprocess.Popen(  # noqa: S603  # a command of the user's own
                kind.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,  # Ctrl-C is for us: we end it ourselves
            )
        except OSError as error:
            reason = (
                "there is no such program" if isinstance(error, FileNotFoundError) else error.strerror or str(error)
            )
            raise BotFault("died", f"cannot start {kind.command[0]}: {reason}") from None
        _running.add(self)
        streams = self._child.stdin, self._child.stdout, self._child.stderr
        for thread_body, stream in zip((self._write, self._read, self._listen), streams, strict=True):
            assert stream is not None
            threading.Thread(target=thread_body, args=(stream,), daemon=True).start()
        try:
            self._greet()
        except BotFault:
            self.end()
            raise

    def _greet(self) -> None:
        self.say({"type": "hello", "protocol": PROGRAM_PROTOCOL, "hexholm": hexholm.__version__})
        answer = self._next_answer(time.monotonic() + HELLO_LIMIT, "say hello", HELLO_LIMIT)
        if answer.get("type") != "hello" or answer.get("protocol") != PROGRAM_PROTOCOL:
            expected = json.dumps({"type": "hello", "protocol": PROGRAM_PROTOCOL})
            raise BotFault("nonsense", f"said {_quote(answer)} instead of {expected}")

    def say(self, message: Mapping[str, Any]) -> None:
        """Tell the program something; raises BotFault if it does not listen."""
        try:
            self._lines_to_send.put_nowait(
                json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
            )
        except queue.Full:
            raise BotFault("slow", f"has left {MOST_UNREAD} messages unread{self._remarks_text()}") from None

    def ask(self, view: SeatView, limit: float) -> str:
        self._number += 1
        self.say(
            {
                "type": "choose",
                "id": self._number,
                "ask": view.prompt_text(),
                "legal": view.legal_actions.texts,
                "view": program_view(view),
                "text": view.text(),
            }
        )
        deadline = time.monotonic() + limit
        while time.monotonic() < deadline:  # whatever there is to read: one that talks without end is late too
            answer = self._next_answer(deadline, "answer", limit)
            self._has_answered = True
            number = answer.get("id")
            if type(number) is int and number < self._number:
                continue  # an answer that comes too late
            action = answer.get("action")
            if number != self._number or not isinstance(action, str):
                expected = json.dumps({"id": self._number, "action": view.legal_actions.texts[0]})
                raise BotFault("nonsense", f"said {_quote(answer)}; answer as in {expected}")
            return action
        raise self._late_fault("answer", limit)

    def _next_answer(self, deadline: float, task: str, limit: float) -> dict[str, Any]:
        """The next line that it says, as data."""
        try:
            line = self._lines_heard.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            raise self._late_fault(task, limit) from None
        if line is None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._child.wait(1)
            time.sleep(0.01)  # its last words may still be on their way
            raise BotFault("died", f"{_exit_text(self._child.poll())}{self._remarks_text()}")
        try:
            data = json.loads(line)
        except (ValueError, RecursionError):
            data = None
        if not isinstance(data, dict):
            raise BotFault(
                "nonsense", f"said {_quote(line)}: standard output is for lines of JSON, remarks go to standard error"
            )
        return data

    def _late_fault(self, task: str, limit: float) -> BotFault:
        # most languages keep back what goes into a pipe
        hint = "" if self._has_answered else "; did it flush its output?"
        return BotFault("slow", f"did not {task} within {limit:g} s{hint}{self._remarks_text()}")

    def _remarks_text(self) -> str:
        return f"; its last remarks: {' / '.join(self._remarks)}" if self._remarks else ""

    # --- in threads ------------------------------------------------------------------------------------------

    def _write(self, stream: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError), stream:
            while (line := self._lines_to_send.get()) is not None:
                stream.write(line)
                stream.flush()

    def _read(self, stream: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError), stream:
            while line := stream.readline(LONGEST_REPLY):
                self._hear(line)
        self._hear(None)

    def _hear(self, line: bytes | None) -> None:
        while not self._ended.is_set():
            with contextlib.suppress(queue.Full):
                self._lines_heard.put(line, timeout=0.5)
                return

    def _listen(self, stream: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError), stream:
            while line := stream.readline(LONGEST_REPLY):
                if text := line.decode("utf-8", "replace").strip():
                    self._remarks.append(text[:200])

    def end(self, patience: float = 0.0) -> None:
        """End the program: by closing its standard input, and if that does not help within `patience`, by force."""
        _running.discard(self)
        self._ended.set()
        with contextlib.suppress(queue.Full):  # then it does not read, and the pipe breaks when it is ended
            self._lines_to_send.put_nowait(None)
        if patience:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._child.wait(patience)
        if hasattr(os, "killpg"):  # with all that it has started itself
            with contextlib.suppress(OSError):
                os.killpg(self._child.pid, signal.SIGKILL)
        self._child.kill()
        self._child.wait()


def program_view(view: SeatView) -> dict[str, Any]:
    """What a seat knows, as hosts send it, with what it can infer of the other hands."""
    data = view_data(view, ranges=True)
    return {**data, "players": [_with_last(row, LAST_OF_A_PLAYER) for row in data["players"]]}


def _with_last(row: Mapping[str, object], last_keys: Sequence[str]) -> dict[str, object]:
    return {key: row[key] for key in sorted(row, key=lambda key: last_keys.index(key) if key in last_keys else -1)}


def _exit_text(code: int | None) -> str:
    return f"ended with code {code}" if code is None or code >= 0 else f"was killed (signal {-code})"


def _quote(reply: bytes | dict[str, Any]) -> str:
    text = reply.decode("utf-8", "replace") if isinstance(reply, bytes) else json.dumps(reply)
    return repr(text.strip() if len(text) < 80 else f"{text.strip()[:76]} ...")


_running: set[_Process] = set()
_idle: dict[ProgramKind, list[_Process]] = {}
"""Programs that have finished a game and wait for another, in this process."""


def end_idle(kinds: Iterable[ProgramKind], patience: float = 0.5) -> None:
    """End the programs of these kinds that wait for another game: there is none."""
    for kind in kinds:
        for process in _idle.pop(kind, ()):
            process.end(patience)


def end_all(patience: float = 0.5) -> None:
    """End all programs that run."""
    _idle.clear()
    for process in tuple(_running):
        process.end(patience)


atexit.register(end_all)
