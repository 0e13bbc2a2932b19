"""The file that a tournament is kept in: a line that says what is played, then a line for every finished game.

Lines are only ever added, each by one stroke. Whenever the tournament is stopped, by Ctrl-C, a crash or a lost machine,
the file holds whole games; half a line at its end is dropped when it is opened again. So no game is lost and none is
played twice. Whole records go to a file of their own, the game before its line: what stands there beyond the last line
is dropped too. Where another version of a player goes on, a line before its first game says so; where more games are
wanted than at first, another says how many. docs/how-to/tournament.md describes the lines.
"""

from __future__ import annotations

import contextlib
import json
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Final, Self

import hexholm
from hexholm.rules.boards import read_board
from hexholm.rules.errors import BadInput
from hexholm.rules.options import check_options

from .entrants import Entrant
from .fingerprints import comparable, fingerprints
from .match import FinishedGame, TournamentJob

JOURNAL_FORMAT: Final = "hexholm-tournament-1"
FREE: Final = ("folder", "games", "hexholm", "made_of", "records", "sprt")
"""What may be said otherwise when a tournament goes on."""


class BadJournal(BadInput):
    """A file that no tournament can go on with."""


def manifest_of(
    job: TournamentJob, games: int, sprt: tuple[float, float] | None, records: str | None
) -> dict[str, Any]:
    """What is played, as the first line says it."""
    return {
        "format": JOURNAL_FORMAT,
        "hexholm": hexholm.__version__,
        "players": [one.words for one in job.entrants],
        "made_of": fingerprints(job.entrants),
        "games": games,
        "seed": job.seed,
        "options": job.options.as_dict(),
        "board": None if job.board is None else job.board.to_toml(),
        "cap": job.cap,
        "sprt": None if sprt is None else list(sprt),
        "records": records,
        "folder": str(Path.cwd()),
    }


def read_manifest(file: str | Path) -> dict[str, Any]:
    """The first line of a file, as data, with what was wanted last: a tournament may be longer than it was at first."""
    try:
        with Path(file).open("rb") as stream:
            found = _manifest(stream.readline(), file)
            for line in stream:
                if line.startswith(b'{"games":'):
                    with contextlib.suppress(ValueError):  # half a line; any other fault is told by who goes on
                        found |= json.loads(line)
            return found
    except OSError as wrong:
        raise BadJournal(f"cannot read {file}: {wrong.strerror or wrong}") from None


def job_of(manifest: dict[str, Any]) -> TournamentJob:
    """What was played there."""
    try:
        return TournamentJob(
            entrants=tuple(map(Entrant.of_words, manifest["players"])),
            options=check_options(**manifest["options"]),
            seed=manifest["seed"],
            board=None if manifest["board"] is None else read_board(manifest["board"]),
            cap=manifest["cap"],
        )
    except (KeyError, TypeError) as wrong:
        raise BadJournal(f"the first line of the tournament lacks something: {wrong}") from None


class Journal:
    """An open journal: `games` holds those that are in it, `add` writes one more. Use it in a `with`."""

    def __init__(self, file: str | Path, manifest: dict[str, Any]) -> None:
        """Begin a tournament in this file, or go on with the one that is in it."""
        self.file, self.manifest = Path(file), manifest
        self.games: dict[int, FinishedGame] = {}
        self.changed: dict[str, int] = {}
        """Players of whom more than one version has played: after how many games the first change came."""
        self._changes: dict[str, list[int]] = {}  # by label: after how many games each change came
        self._made_of: dict[str, str] = {}  # digests of those who play from here on
        self._played_by: dict[str, str] = {}  # of those who played the last game
        self._unsaid: dict[str, str] = {}  # of those of whom the file says something else, or nothing
        self.folder = ""
        """Where the tournament was begun, if it was not now."""
        self._wanted = _wanted(manifest)  # how many games, as the file says it
        self._records: IO[bytes] | None = None
        self._records_end = 0
        self._new: list[Path] = []  # files that were not there before
        there = self.file.exists()
        if there and not self.file.is_file():  # a device may have no end when it is read
            raise BadJournal(f"cannot write {file}: it is no plain file; name another")
        try:
            self._stream = self.file.open("ab", buffering=0)
        except OSError as wrong:
            raise BadJournal(f"cannot write {file}: {wrong.strerror or wrong}") from None
        try:
            self._lock()
            self._new += [] if there else [self.file]
            self._take_up()
            self._open_records()
        except BaseException:
            self.forget()
            raise

    def go_on(self) -> None:
        """Games are about to be played: keep how many are wanted by now, for whoever takes the file up again."""
        wanted = _wanted(self.manifest)
        if wanted != self._wanted:
            _write(self._stream, json.dumps(wanted, separators=(",", ":")))
            self._wanted = wanted

    def add(self, played: FinishedGame) -> None:
        """Write a finished game down."""
        if self._unsaid:
            _write(self._stream, json.dumps({"made_of": self._unsaid}, separators=(",", ":")))
            self._unsaid = {}
        line = played.as_dict()
        if self._records is not None:
            self._records_end += _write(self._records, played.record)
            line["records"] = self._records_end
            played.record = ""
        _write(self._stream, json.dumps(line, separators=(",", ":")))
        self._count(played)

    def changed_within(self, numbers: Iterable[int]) -> dict[str, int]:
        """`changed`, of those of whom more than one version has played these games."""
        games = set(numbers)
        place = {number: n for n, number in enumerate(self.games)}  # they stand in the order in which they were played
        found = {}
        for label, ends in self._changes.items():
            versions = {sum(place[number] >= end for end in ends) for number in games}
            if len(versions) > 1:
                found[label] = self.changed[label]
        return found

    def changing(self) -> dict[str, int]:
        """`changed`, as it will be when another game is played."""
        return {label: len(self.games) for label in self._others()} | self.changed

    def unknown(self) -> list[str]:
        """Of whom it cannot be told whether they have changed: another version of Hexholm played the last game."""
        before = self._played_by
        return [label for label, now in self._made_of.items() if not comparable(before.get(label, now), now)]

    def _others(self) -> list[str]:
        """Who is made of something else than when the last game was played."""
        before = self._played_by
        return [
            label
            for label, now in self._made_of.items()
            if before.get(label, now) != now and comparable(before[label], now)
        ]

    def _count(self, played: FinishedGame) -> None:
        for label in self._others():
            self._changes.setdefault(label, []).append(len(self.games))
        self.changed = self.changing()
        self._played_by |= self._made_of
        self.games[played.number] = played

    def _lock(self) -> None:
        """Two tournaments must not write into one file."""
        try:
            import fcntl
        except ImportError:  # Windows: whoever starts it twice is on their own
            return
        try:
            fcntl.flock(self._stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise BadJournal(f"{self.file}: another tournament is writing into it right now") from None

    def _take_up(self) -> None:
        """Read what is there, drop half a line at the end; write the first line if there is none."""
        data = self.file.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        if len(whole) != len(data):
            if not whole and not data.startswith(b"{"):
                raise BadJournal(f"{self.file} is there already and holds no tournament: name another file")
            self._stream.truncate(len(whole))
        first, *lines = whole.splitlines() or [b""]
        now = self.manifest.get("made_of", {})
        if not first:
            _write(self._stream, json.dumps(self.manifest, separators=(",", ":")))
            self._made_of = now
            return
        there = _manifest(first, self.file)
        self._agree(there)
        self._wanted = _wanted(there)
        self.folder = str(there.get("folder", ""))  # older files do not say it
        self._made_of = dict(there.get("made_of", {}))  # older files do not say it
        for number, line in enumerate(lines, start=2):
            try:
                told = json.loads(line)
                if "made_of" in told:
                    self._made_of |= told["made_of"]
                    continue
                if "games" in told:
                    self._wanted = _wanted(told)
                    continue
                played = FinishedGame.of_dict(told)
                self._records_end = told.get("records", self._records_end)
            except (ValueError, KeyError, TypeError, AttributeError):
                raise BadJournal(f"{self.file}: line {number} is no game; take it out, or begin anew") from None
            self._count(played)
        self._unsaid = {label: one for label, one in now.items() if self._made_of.get(label) != one}
        self._made_of |= now

    def _agree(self, there: dict[str, Any]) -> None:
        """Refuse to mix tournaments."""
        here = json.loads(json.dumps({key: value for key, value in self.manifest.items() if key not in FREE}))
        others = list(_differences({key: there.get(key) for key in here}, here))
        if others:
            raise BadJournal(f"{self.file} holds another tournament: {'; '.join(others)}")
        records = there.get("records")
        if self.manifest["records"] != records:
            if records is None and self.manifest["records"] is not None:
                raise BadJournal(f"{self.file} was begun without records: they would lack the games played until now")
            self.manifest["records"] = records

    def _open_records(self) -> None:
        """The file of whole games, cut to those that have a line."""
        file = self.manifest["records"]
        if file is None:
            return
        path, end = Path(file), self._records_end
        try:
            size = path.stat().st_size if path.exists() else 0
            if size < end:
                raise BadJournal(
                    f"{file} lacks games that {self.file} counts; put it back, or begin anew{self.elsewhere()}"
                )
            if size and not self.games and not self._looks_like_records(path):
                raise BadJournal(f"{file} is there already and holds something else: name another file for the records")
            new = not path.exists()
            self._records = path.open("ab", buffering=0)
            self._new += [path] if new else []
            self._records.truncate(end)
        except OSError as wrong:
            raise BadJournal(f"cannot write {file}: {wrong.strerror or wrong}") from None

    @staticmethod
    def _looks_like_records(path: Path) -> bool:
        with path.open("rb") as stream:
            return stream.read(40).startswith(b'{"format":"hexholm-record-')

    def close(self) -> None:
        """Leave the files."""
        for stream in (self._stream, self._records):
            if stream is not None:
                stream.close()

    def elsewhere(self) -> str:
        """A word on where the tournament was begun, if not here: then what is said by paths is there, too."""
        begun = self.folder
        return f"; the tournament was begun in {begun}" if begun and begun != str(Path.cwd()) else ""

    def forget(self) -> None:
        """Nothing came of the tournament: leave no file behind that was not there before."""
        self.close()
        for path in self._new if not self.games else ():
            with contextlib.suppress(OSError):
                path.unlink()

    def remove(self) -> None:
        """The tournament is over, and nobody asked for this file."""
        self.close()
        with contextlib.suppress(OSError):
            self.file.unlink()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _manifest(line: bytes, file: str | Path) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except ValueError:
        found = None
    if not isinstance(found, dict) or found.get("format") != JOURNAL_FORMAT:
        raise BadJournal(f"{file} holds no tournament: its first line is not that of a {JOURNAL_FORMAT}")
    return found


def _wanted(said: dict[str, Any]) -> dict[str, Any]:
    """How many games are wanted, and the sequential test that may end them earlier."""
    return {"games": said["games"], "sprt": None if said.get("sprt") is None else list(said["sprt"])}


def _write(stream: IO[bytes], line: str) -> int:
    """A line at one stroke; how long it is."""
    data = memoryview(line.encode() + b"\n")
    size = len(data)
    while data:
        try:
            data = data[stream.write(data) :]
        except OSError as wrong:  # a full disk does not say of itself which file it is about
            raise OSError(wrong.errno, wrong.strerror, str(stream.name)) from wrong
    return size


def _differences(there: dict[str, Any], here: dict[str, Any]) -> Iterator[str]:
    """What is said otherwise here, in words; of options only those that differ."""
    for key in {**here, **there}:
        old, new = there.get(key), here.get(key)
        if isinstance(old, dict) and isinstance(new, dict):
            yield from _differences(old, new)
        elif old != new:
            one, other = _value_text(old), _value_text(new)
            yield f"{key} {one} there, {other} here" if one != other else f"{key} not the same"


def _value_text(value: object) -> str:
    if value is None or isinstance(value, bool):
        return {None: "none", True: "yes", False: "no"}[value]
    if isinstance(value, str):
        return str(tomllib.loads(value).get("name", "without a name")) if "\n" in value else value  # a board, or a word
    if isinstance(value, list) and all(isinstance(one, dict) and "label" in one for one in value):
        return " ".join(one["label"] for one in value)
    said = json.dumps(value)
    return said if len(said) <= 200 else f"{said[:196]} ..."
