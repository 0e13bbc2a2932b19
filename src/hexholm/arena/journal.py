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
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Final, NotRequired, Self, TypedDict, cast

import hexholm
from hexholm.rules.boards import read_board
from hexholm.rules.errors import BadInput
from hexholm.rules.setup.options import check_options

from .entrants import Entrant, ManifestEntrant
from .fingerprints import are_comparable, fingerprints_of
from .match import FinishedGame, TournamentJob

JOURNAL_FORMAT: Final = "hexholm-tournament-1"
CHANGEABLE_KEYS: Final = ("folder", "games", "hexholm", "made_of", "records", "sprt")
"""What may be said otherwise when a tournament goes on."""


class BadJournal(BadInput):
    """A file that no tournament can go on with."""


class Goal(TypedDict):
    """How many games are wanted, and the sequential test that may end them earlier."""

    games: int
    sprt: NotRequired[list[float] | None]


class JournalManifest(Goal):
    """The first line of any journal: what a file says of itself before its games."""

    format: str
    hexholm: str
    """The version that began the file."""
    players: list[ManifestEntrant]
    made_of: NotRequired[dict[str, str]]
    """Fingerprints by label; older files do not say them."""
    seed: int
    records: str | None
    """The file of whole games."""


class Manifest(JournalManifest):
    """The first line of a tournament: all that is needed to go on with it."""

    options: dict[str, Any]
    board: str | None
    """As TOML; None: each game has its own."""
    cap: int
    folder: NotRequired[str]
    """Where the tournament was begun; older files do not say it."""


def manifest_of(job: TournamentJob, games: int, sprt: tuple[float, float] | None, records: str | None) -> Manifest:
    """What is played, as the first line says it."""
    return {
        "format": JOURNAL_FORMAT,
        "hexholm": hexholm.__version__,
        "players": [entrant.as_manifest() for entrant in job.entrants],
        "made_of": fingerprints_of(job.entrants),
        "games": games,
        "seed": job.seed,
        "options": job.options.as_dict(),
        "board": None if job.board is None else job.board.to_toml(),
        "cap": job.cap,
        "sprt": None if sprt is None else list(sprt),
        "records": records,
        "folder": str(Path.cwd()),
    }


def _job_of(manifest: Manifest) -> TournamentJob:
    """What was played there."""
    try:
        return TournamentJob(
            entrants=tuple(map(Entrant.from_manifest, manifest["players"])),
            options=check_options(**manifest["options"]),
            seed=manifest["seed"],
            board=None if manifest["board"] is None else read_board(manifest["board"]),
            cap=manifest["cap"],
        )
    except (KeyError, TypeError) as error:
        raise BadJournal(f"the first line of the tournament lacks something: {error}") from None


class Journal:
    """An open journal: `games` holds those that are in it, `add` writes one more. Use it in a `with`.

    The file is read once, here: what is played, how many games are wanted and where their records are is asked of the
    journal (`job`, `goal`, `records`).
    """

    manifest: JournalManifest
    goal: Goal
    """What is wanted now."""

    def __init__(self, file: str | Path, manifest: JournalManifest | None) -> None:
        """Begin a tournament in this file, or go on with the same one; with whatever is there if `manifest` is None."""
        self.file = Path(file)
        self.games: dict[int, FinishedGame] = {}
        self.changed: dict[str, int] = {}
        """Players of whom more than one version has played: after how many games the first change came."""
        self._changes: dict[str, list[int]] = {}  # by label: after how many games each change came
        self._digests: dict[str, str] = {}  # digests of those who play from here on
        self._last_digests: dict[str, str] = {}  # of those who played the last game
        self._unwritten_digests: dict[str, str] = {}  # of those of whom the file says something else, or nothing
        self.folder = ""
        """Where the tournament was begun, if it was not now."""
        self._written_goal: Goal | None = None  # as the file says it
        self._records: IO[bytes] | None = None
        self._records_end = 0
        self._new_files: list[Path] = []  # files that were not there before
        exists = self.file.exists()
        if not exists and manifest is None:
            raise BadJournal(f"cannot read {file}: there is no such file")
        if exists and not self.file.is_file():  # a device may have no end when it is read
            raise BadJournal(f"cannot write {file}: it is no plain file; name another")
        try:
            self._stream = self.file.open("ab", buffering=0)
        except OSError as error:
            raise BadJournal(f"cannot write {file}: {error.strerror or error}") from None
        try:
            self._lock()
            self._new_files += [] if exists else [self.file]
            self._read(manifest)
            self._open_records()
        except BaseException:
            self.discard()
            raise

    @classmethod
    def take_up(cls, file: str | Path) -> Self:
        """Go on with the tournament in this file, whatever is played there."""
        return cls(file, None)

    @cached_property
    def job(self) -> TournamentJob:
        """What is played."""
        return _job_of(cast("Manifest", self.manifest))

    @property
    def records(self) -> str | None:
        """The file of whole games."""
        return self.manifest.get("records")

    def aim_at(self, games: int, sprt: tuple[float, float] | None, records: str | None) -> None:
        """Want so many games of a tournament that was taken up; the file of records stays the one it was begun with."""
        self._check_records(records)
        self.goal = {"games": games, "sprt": None if sprt is None else list(sprt)}

    def go_on(self) -> None:
        """Games are about to be played: keep how many are wanted by now, for whoever takes the file up again."""
        if self.goal != self._written_goal:
            _write(self._stream, json.dumps(self.goal, separators=(",", ":")))
            self._written_goal = self.goal

    def add(self, game: FinishedGame) -> None:
        """Write a finished game down."""
        if self._unwritten_digests:
            _write(self._stream, json.dumps({"made_of": self._unwritten_digests}, separators=(",", ":")))
            self._unwritten_digests = {}
        line = game.as_dict()
        if self._records is not None:
            self._records_end += _write(self._records, game.record)
            line["records"] = self._records_end
            game.record = ""
        _write(self._stream, json.dumps(line, separators=(",", ":")))
        self._count(game)

    def changed_within(self, numbers: Iterable[int]) -> dict[str, int]:
        """`changed`, of those of whom more than one version has played these games."""
        games = set(numbers)
        # they stand in the order in which they were played
        places = {number: n for n, number in enumerate(self.games)}
        changes = {}
        for label, ends in self._changes.items():
            versions = {sum(places[number] >= end for end in ends) for number in games}
            if len(versions) > 1:
                changes[label] = self.changed[label]
        return changes

    def coming_changes(self) -> dict[str, int]:
        """`changed`, as it will be when another game is played."""
        return {label: len(self.games) for label in self._changed_labels()} | self.changed

    def unknown_labels(self) -> list[str]:
        """Of whom it cannot be told whether they have changed: another version of Hexholm played the last game."""
        earlier = self._last_digests
        return [
            label for label, digest in self._digests.items() if not are_comparable(earlier.get(label, digest), digest)
        ]

    def _changed_labels(self) -> list[str]:
        """Who is made of something else than when the last game was played."""
        earlier = self._last_digests
        return [
            label
            for label, digest in self._digests.items()
            if earlier.get(label, digest) != digest and are_comparable(earlier[label], digest)
        ]

    def _count(self, game: FinishedGame) -> None:
        for label in self._changed_labels():
            self._changes.setdefault(label, []).append(len(self.games))
        self.changed = self.coming_changes()
        self._last_digests |= self._digests
        self.games[game.number] = game

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

    def _read(self, manifest: JournalManifest | None) -> None:
        """Read what is there, drop half a line at the end; write the first line if there is none."""
        data = self.file.read_bytes()
        whole_lines = data[: data.rfind(b"\n") + 1]
        first_line, *lines = whole_lines.splitlines() or [b""]
        stored_manifest = _read_manifest_line(first_line, self.file) if first_line or manifest is None else None
        if len(whole_lines) != len(data):
            if not whole_lines and not data.startswith(b"{"):
                raise BadJournal(f"{self.file} is there already and holds no tournament: name another file")
            self._stream.truncate(len(whole_lines))
        self.manifest = manifest or cast("JournalManifest", stored_manifest)
        digests_now = fingerprints_of(self.job.entrants) if manifest is None else manifest.get("made_of", {})
        self.goal = self._written_goal = _goal_in(self.manifest)
        if stored_manifest is None:
            _write(self._stream, json.dumps(self.manifest, separators=(",", ":")))
            self._digests = digests_now
            return
        if manifest is not None:
            self._check_same_tournament(stored_manifest)
        self._written_goal = _goal_in(stored_manifest)
        self.folder = str(stored_manifest.get("folder", ""))  # older files do not say it
        self._digests = dict(stored_manifest.get("made_of", {}))  # older files do not say it
        for number, line in enumerate(lines, start=2):
            try:
                data = json.loads(line)
                if "made_of" in data:
                    self._digests |= data["made_of"]
                    continue
                if "games" in data:
                    self._written_goal = _goal_in(data)
                    continue
                game = FinishedGame.of_dict(data)
                self._records_end = data.get("records", self._records_end)
            except (ValueError, KeyError, TypeError, AttributeError):
                raise BadJournal(f"{self.file}: line {number} is no game; take it out, or begin anew") from None
            self._count(game)
        if manifest is None:
            self.goal = self._written_goal
        self._unwritten_digests = {
            label: digest for label, digest in digests_now.items() if self._digests.get(label) != digest
        }
        self._digests |= digests_now

    def _check_same_tournament(self, stored_manifest: JournalManifest) -> None:
        """Raises BadJournal where the file holds another tournament than the one that is to go on."""
        own_manifest = json.loads(
            json.dumps({key: value for key, value in self.manifest.items() if key not in CHANGEABLE_KEYS})
        )
        differences = list(_find_differences({key: stored_manifest.get(key) for key in own_manifest}, own_manifest))
        if differences:
            raise BadJournal(f"{self.file} holds another tournament: {'; '.join(differences)}")
        wanted_records, self.manifest["records"] = self.records, stored_manifest.get("records")
        self._check_records(wanted_records)

    def _check_records(self, wanted_records: str | None) -> None:
        """Raises BadJournal where records are wanted of a tournament that was begun without."""
        if wanted_records is not None and self.records is None:
            raise BadJournal(f"{self.file} was begun without records: they would lack the games played until now")

    def _open_records(self) -> None:
        """The file of whole games, cut to those that have a line."""
        file = self.records
        if file is None:
            return
        path, end = Path(file), self._records_end
        try:
            size = path.stat().st_size if path.exists() else 0
            if size < end:
                raise BadJournal(
                    f"{file} lacks games that {self.file} counts; put it back, or begin anew{self.origin_note()}"
                )
            if size and not self.games and not self._looks_like_records(path):
                raise BadJournal(f"{file} is there already and holds something else: name another file for the records")
            is_new = not path.exists()
            self._records = path.open("ab", buffering=0)
            self._new_files += [path] if is_new else []
            self._records.truncate(end)
        except OSError as error:
            raise BadJournal(f"cannot write {file}: {error.strerror or error}") from None

    @staticmethod
    def _looks_like_records(path: Path) -> bool:
        with path.open("rb") as stream:
            return stream.read(40).startswith(b'{"format":"hexholm-record-')

    def close(self) -> None:
        """Leave the files."""
        for stream in (self._stream, self._records):
            if stream is not None:
                stream.close()

    def origin_note(self) -> str:
        """A word on where the tournament was begun, if not here: then what is said by paths is there, too."""
        folder = self.folder
        return f"; the tournament was begun in {folder}" if folder and folder != str(Path.cwd()) else ""

    def discard(self) -> None:
        """Nothing came of the tournament: leave no file behind that was not there before."""
        self.close()
        for path in self._new_files if not self.games else ():
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
        self, error_type: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _read_manifest_line(line: bytes, file: str | Path) -> Manifest:
    try:
        manifest = json.loads(line)
    except ValueError:
        manifest = None
    if not isinstance(manifest, dict) or manifest.get("format") != JOURNAL_FORMAT:
        raise BadJournal(f"{file} holds no tournament: its first line is not that of a {JOURNAL_FORMAT}")
    return cast("Manifest", manifest)


def _goal_in(data: Goal) -> Goal:
    """The goal that a manifest or a later line says."""
    sprt = data.get("sprt")
    return {"games": data["games"], "sprt": None if sprt is None else list(sprt)}


def _write(stream: IO[bytes], line: str) -> int:
    """A line at one stroke; how long it is."""
    data = memoryview(line.encode() + b"\n")
    size = len(data)
    while data:
        try:
            data = data[stream.write(data) :]
        except OSError as error:  # a full disk does not say of itself which file it is about
            raise OSError(error.errno, error.strerror, str(stream.name)) from error
    return size


def _find_differences(stored: Mapping[str, object], own: Mapping[str, object]) -> Iterator[str]:
    """What is said otherwise here, in words; of options only those that differ."""
    for key in {**own, **stored}:
        old, new = stored.get(key), own.get(key)
        if isinstance(old, dict) and isinstance(new, dict):
            yield from _find_differences(old, new)
        elif old != new:
            old_text, new_text = _value_text(old), _value_text(new)
            yield f"{key} {old_text} there, {new_text} here" if old_text != new_text else f"{key} not the same"


def _value_text(value: object) -> str:
    if value is None or isinstance(value, bool):
        return {None: "none", True: "yes", False: "no"}[value]
    if isinstance(value, str):
        return str(tomllib.loads(value).get("name", "without a name")) if "\n" in value else value  # a board, or a word
    if isinstance(value, list) and all(isinstance(row, dict) and "label" in row for row in value):
        return " ".join(row["label"] for row in value)
    text = json.dumps(value)
    return text if len(text) <= 200 else f"{text[:196]} ..."
