"""Resuming: whenever and however a tournament is killed, going on gives what an undisturbed one gives."""

from __future__ import annotations

import contextlib
import json
import os
import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from hexholm.arena import Listeners, run_job, tournament
from hexholm.arena.entrants import entrants, load_factory
from hexholm.arena.fingerprints import unknown_line
from hexholm.arena.journal import BadJournal, Goal, Journal, _write, manifest_of
from hexholm.arena.match import TournamentJob
from hexholm.arena.results import TournamentResult
from hexholm.arena.runners.base import Games, Serial
from hexholm.bots.program import ProgramKind
from hexholm.game.game import Record
from hexholm.game.records.export import read_any
from hexholm.rules.boards import layout_for
from hexholm.rules.errors import BadInput
from hexholm.rules.setup.options import check_options
from tests.arena import players as odd

from .scenes import without_times

PLAYERS = ["easy", "random", "random", "random"]
TWELVE_GAMES: dict[str, Any] = {"games": 12, "seed": 5, "points_to_win": 3}


def kept_goal(file: Path) -> Goal:
    with Journal.take_up(file) as journal:
        return journal.goal


class Killed(BaseException):
    """The end of the process."""


class Mortal(Serial):
    """Plays in an order of its own and dies after some games."""

    def __init__(self, games: int, seed: int) -> None:
        self.games, self.rng = games, random.Random(seed)
        self.numbers: list[int] = []

    def run(self, job: TournamentJob, numbers: Iterable[int]) -> Games:
        numbers_left = list(numbers)
        self.rng.shuffle(numbers_left)
        for number in numbers_left:
            if len(self.numbers) == self.games:
                raise Killed
            self.numbers.append(number)
            yield job.play(number)


def test_a_tournament_killed_at_random_points_loses_and_repeats_nothing(tmp_path: Path) -> None:
    expected = without_times(tournament(PLAYERS, **TWELVE_GAMES))
    rng = random.Random(1)
    for round_ in range(4):
        file, records = tmp_path / f"{round_}.jsonl", tmp_path / f"{round_}-games.jsonl"
        numbers_played, result = list[int](), None
        while result is None:
            runner = Mortal(rng.randrange(1, 6), rng.getrandbits(32))
            with contextlib.suppress(Killed):
                result = tournament(PLAYERS, runner=runner, resume=file, records=records, **TWELVE_GAMES)
            numbers_played += runner.numbers
            for path in (file, records):  # the machine stops in the middle of a line
                if result is None and rng.random() < 0.5:
                    with path.open("ab") as stream:
                        stream.write(b'{"game":3,"seats":[0,'[: rng.randrange(1, 20)])
        assert sorted(numbers_played) == list(range(12)), "each game was played once"
        assert without_times(result) == expected
        rounds = sorted(int(record.tags["Round"]) for record in read_any(records) if isinstance(record, Record))
        assert rounds == list(range(1, 13)), "each game was recorded once"


def test_a_game_whose_line_was_cut_is_played_again(tmp_path: Path) -> None:
    file, records = tmp_path / "t.jsonl", tmp_path / "games.jsonl"
    tournament(PLAYERS, resume=file, records=records, **TWELVE_GAMES)
    for cut in (3, 40):
        data = file.read_bytes()
        file.write_bytes(data[:-cut])
        runner = Mortal(99, 0)
        tournament(PLAYERS, runner=runner, resume=file, records=records, **TWELVE_GAMES)
        assert len(runner.numbers) == 1
        assert file.read_bytes().count(b"\n") == 13
        assert len(list(read_any(records))) == 12


def test_a_finished_tournament_is_only_summed_up_and_a_longer_one_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "t.jsonl"
    tournament(PLAYERS, resume=file, **TWELVE_GAMES)
    runner = Mortal(0, 0)
    assert tournament(PLAYERS, runner=runner, resume=file, **TWELVE_GAMES).played == 0
    runner = Mortal(99, 0)
    longer = tournament(PLAYERS, runner=runner, resume=file, **{**TWELVE_GAMES, "games": 16})
    assert sorted(runner.numbers) == [12, 13, 14, 15]
    assert without_times(longer) == without_times(tournament(PLAYERS, **{**TWELVE_GAMES, "games": 16}))


def test_how_many_games_are_wanted_last_is_kept(tmp_path: Path) -> None:
    file, test = tmp_path / "t.jsonl", (0.25, 0.5)
    tournament(PLAYERS, resume=file, **{**TWELVE_GAMES, "games": 2})
    with contextlib.suppress(Killed):
        tournament(PLAYERS, runner=Mortal(1, 0), resume=file, sprt=test, **TWELVE_GAMES)
    assert kept_goal(file) == {"games": 12, "sprt": list(test)}
    assert file.read_text().splitlines()[3] == '{"games":12,"sprt":[0.25,0.5]}'
    short = tournament(PLAYERS, runner=Mortal(0, 0), resume=file, **{**TWELVE_GAMES, "games": 2})
    assert (short.games, short.left_out) == (2, 1)
    assert kept_goal(file)["games"] == 12, "who only sums up wants nothing else"
    with contextlib.suppress(Killed):
        tournament(PLAYERS, runner=Mortal(0, 0), resume=file, **TWELVE_GAMES)
    assert kept_goal(file)["sprt"] is None
    with file.open("ab") as stream:
        stream.write(b'{"games":40')
    assert kept_goal(file)["games"] == 12, "half a line"
    assert tournament(PLAYERS, resume=file, **TWELVE_GAMES).games == 12


def test_a_tournament_that_is_refused_or_breaks_at_once_leaves_no_new_file(tmp_path: Path) -> None:
    file, records = tmp_path / "t.jsonl", tmp_path / "games.jsonl"
    cannot = [odd.Impossible, "random", "random"]
    with pytest.raises(BadInput, match="cannot be made"):
        tournament(cannot, resume=file, records=records, **TWELVE_GAMES)  # type: ignore[arg-type]
    with pytest.raises(BadJournal, match="cannot write"):
        tournament(PLAYERS, resume=file, records=tmp_path / "nowhere" / "games.jsonl", **TWELVE_GAMES)
    assert list(tmp_path.iterdir()) == []
    tournament(PLAYERS, resume=file, **{**TWELVE_GAMES, "games": 1})
    content = file.read_bytes()
    with pytest.raises(BadJournal, match="was begun without records"):
        tournament(PLAYERS, resume=file, records=records, **TWELVE_GAMES)
    assert file.read_bytes() == content


def test_from_another_folder_it_says_where_the_tournament_was_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.py").write_text(MINE.format("a"))
    (tmp_path / "other").mkdir()
    names, few = ["mine.py:Mine", "random", "random"], {**TWELVE_GAMES, "games": 1}
    monkeypatch.chdir(tmp_path)
    tournament(names, resume="t.jsonl", records="games.jsonl", **few)
    monkeypatch.chdir(tmp_path / "other")
    load_factory.cache_clear()
    with pytest.raises(BadJournal, match=f"begin anew; the tournament was begun in {tmp_path}$"):
        tournament(names, resume="../t.jsonl", records="games.jsonl", **TWELVE_GAMES)
    monkeypatch.chdir(tmp_path)
    tournament(names, resume="bare.jsonl", **few)
    monkeypatch.chdir(tmp_path / "other")
    load_factory.cache_clear()
    message = f"there is no file mine.py in {tmp_path}/other, the folder in which it is run"
    with pytest.raises(BadInput, match=f"^{message}; the tournament was begun in {tmp_path}$"):
        tournament(names, resume="../bare.jsonl", **TWELVE_GAMES)
    assert tournament(names, resume="../bare.jsonl", **few).games == 1, "to sum it up no player is needed"


@pytest.mark.parametrize(
    "change, told",
    [
        ({"seed": 6}, "seed 5 there, 6 here"),
        ({"cap": 50}, "cap 1000 there, 50 here"),
        ({"points_to_win": 4}, "points_to_win 3 there, 4 here$"),
        ({"points_to_win": None}, "points_to_win 3 there, none here$"),
        ({"friendly_robber": True, "seed": 6}, "seed 5 there, 6 here; friendly_robber no there, yes here$"),
        ({"edition": "fifth"}, "edition sixth there, fifth here"),
        ({"board": layout_for(check_options(), 0)}, ".*; board none there, Beginners' board here"),
    ],
)
def test_another_tournament_is_not_mixed_in(tmp_path: Path, change: dict[str, Any], told: str) -> None:
    file = tmp_path / "t.jsonl"
    tournament(PLAYERS, resume=file, **{**TWELVE_GAMES, "games": 1})
    with pytest.raises(BadJournal, match=f"holds another tournament: {told}"):
        tournament(PLAYERS, resume=file, **{**TWELVE_GAMES, **change})
    with pytest.raises(BadJournal, match="players easy random random random there, easy easy random random here"):
        tournament(["easy", "easy", "random", "random"], resume=file, **TWELVE_GAMES)


def test_files_that_hold_something_else_are_left_alone(tmp_path: Path) -> None:
    file, letter = tmp_path / "t.jsonl", tmp_path / "letter.jsonl"
    for text in ("Dear aunt,\n", "Dear aunt", "{}\n"):
        file.write_text(text)
        with pytest.raises(BadJournal, match="holds no tournament"):
            tournament(PLAYERS, resume=file, **TWELVE_GAMES)
        assert file.read_text() == text
    file.unlink()
    letter.write_text("Dear aunt,\n")
    with pytest.raises(BadJournal, match="holds something else: name another file for the records"):
        tournament(PLAYERS, resume=file, records=letter, **TWELVE_GAMES)
    assert letter.read_text() == "Dear aunt,\n"


def test_a_line_in_the_middle_that_is_no_game_is_told(tmp_path: Path) -> None:
    file = tmp_path / "t.jsonl"
    tournament(PLAYERS, resume=file, **{**TWELVE_GAMES, "games": 2})
    first, *games = file.read_text().splitlines()
    file.write_text("\n".join([first, "{}", *games, ""]))
    with pytest.raises(BadJournal, match="line 2 is no game"):
        tournament(PLAYERS, resume=file, **TWELVE_GAMES)


def test_records_that_were_lost_are_not_passed_over(tmp_path: Path) -> None:
    file, records = tmp_path / "t.jsonl", tmp_path / "games.jsonl"
    tournament(PLAYERS, resume=file, records=records, **{**TWELVE_GAMES, "games": 2})
    records.write_bytes(records.read_bytes()[:-1])
    with pytest.raises(BadJournal, match="lacks games that"):
        tournament(PLAYERS, resume=file, records=records, **TWELVE_GAMES)
    bare = tmp_path / "bare.jsonl"
    tournament(PLAYERS, resume=bare, **{**TWELVE_GAMES, "games": 2})
    with pytest.raises(BadJournal, match="was begun without records"):
        tournament(PLAYERS, resume=bare, records=tmp_path / "late.jsonl", **TWELVE_GAMES)


def test_two_tournaments_do_not_write_into_one_file(tmp_path: Path) -> None:
    file = tmp_path / "t.jsonl"
    tournament(PLAYERS, resume=file, **{**TWELVE_GAMES, "games": 1})
    with Journal.take_up(file), pytest.raises(BadJournal, match="another tournament is writing into it"):
        tournament(PLAYERS, resume=file, **TWELVE_GAMES)


def test_the_manifest_says_all_that_is_needed_to_go_on(tmp_path: Path) -> None:
    file = tmp_path / "t.jsonl"
    tournament(PLAYERS, resume=file, edition="fifth", cap=70, **{**TWELVE_GAMES, "games": 1})
    with Journal.take_up(file) as journal:
        job = journal.job
    assert [entrant.label for entrant in job.entrants] == PLAYERS
    assert (job.seed, job.cap, job.options.edition, job.options.points_to_win) == (5, 70, "fifth", 3)
    assert json.loads(file.read_text().splitlines()[1])["game"] == 0


def test_a_tournament_taken_up_goes_on_from_its_file_alone(tmp_path: Path) -> None:
    file, records = tmp_path / "t.jsonl", tmp_path / "games.jsonl"
    tournament(PLAYERS, resume=file, records=records, **{**TWELVE_GAMES, "games": 2})
    with Journal.take_up(file) as journal:
        result = run_job(journal.job, 4, resume=journal, records=tmp_path / "other.jsonl")
    assert (result.games, result.played, result.records) == (4, 2, str(records)), "where the others are"
    assert len(records.read_text().splitlines()) == 4
    assert kept_goal(file)["games"] == 4
    with pytest.raises(BadInput, match="choose 1 to"), Journal.take_up(file) as journal:
        run_job(journal.job, 0, resume=journal)
    with pytest.raises(BadJournal, match="there is no such file"):
        Journal.take_up(tmp_path / "nowhere.jsonl")
    assert not (tmp_path / "nowhere.jsonl").exists()
    file.write_text('{"format":"hexholm-tour')
    with pytest.raises(BadJournal, match="holds no tournament"):
        Journal.take_up(file)
    assert file.read_text() == '{"format":"hexholm-tour', "a first line that was cut off is left alone"


def test_faults_are_kept_too(tmp_path: Path) -> None:
    file, names = tmp_path / "t.jsonl", [odd.Cheeky, "random", "random", "random"]
    first = tournament(names, resume=file, **TWELVE_GAMES)  # type: ignore[arg-type]
    again = tournament(names, resume=file, **TWELVE_GAMES)  # type: ignore[arg-type]
    assert again.played == 0
    assert again.row("Cheeky").faults == first.row("Cheeky").faults
    assert again.row("Cheeky").faults["illegal"] > 0
    assert again.faults == first.faults


# --- players that change ----------------------------------------------------------------------------------------------

MINE = """
from hexholm.bots.shipped.random_player import Random

class Mine(Random):
    version = "{}"
"""


class Mended:
    """A player in a file that is written anew from time to time, and a tournament of it."""

    def __init__(self, folder: Path) -> None:
        self.player, self.file = folder / "mine.py", folder / "t.jsonl"

    def play(
        self, version: str, games: int, unknown: list[list[str]] | None = None
    ) -> tuple[TournamentResult, list[dict[str, int]]]:
        """Go on with it; the result, and what is said before the first game."""
        self.player.write_text(MINE.format(version))
        load_factory.cache_clear()  # as in the new process that it would be
        changes: list[dict[str, int]] = []
        job = TournamentJob(
            entrants([f"{self.player}:Mine", *PLAYERS[1:]]), check_options(setup="variable", points_to_win=3), 5
        )
        labels_told = [] if unknown is None else unknown
        heard = Listeners(changed=changes.append, unknown=labels_told.append)
        return run_job(job, games, resume=self.file, listeners=heard), changes


def test_a_player_that_has_changed_is_told_before_the_first_game_and_in_the_result(tmp_path: Path) -> None:
    mended = Mended(tmp_path)
    result, changes = mended.play("a", 2)
    assert (result.changed, result.as_dict()["changed"], changes) == ({}, [], [])
    result, changes = mended.play("b", 2)
    assert (result.changed, changes) == ({}, []), "nothing was left to play: all games are those of one version"
    result, changes = mended.play("b", 3)
    assert (result.changed, result.as_dict()["changed"], changes) == ({"Mine": 2}, ["Mine"], [{"Mine": 2}])
    assert (result.games, result.played) == (3, 1)
    assert mended.play("b", 2)[0].changed == {}, "of these games all are those of the first version"
    assert mended.play("b", 3)[0].changed == {"Mine": 2}


@pytest.mark.parametrize("versions", ["aba", "abb", "abc"])
def test_that_a_player_has_changed_is_not_forgotten(tmp_path: Path, versions: str) -> None:
    mended = Mended(tmp_path)
    runs = [mended.play(version, games) for games, version in enumerate(versions, start=1)]
    assert [(result.changed, changes) for result, changes in runs] == [({}, []), *[({"Mine": 1}, [{"Mine": 1}])] * 2]
    result, changes = mended.play("z", 3)
    assert (result.changed, changes) == ({"Mine": 1}, []), "whoever only sums up is told too, and by the result alone"


def test_a_player_that_was_mended_before_its_first_game_was_over_has_not_changed(tmp_path: Path) -> None:
    mended = Mended(tmp_path)
    mended.play("a", 1)
    mended.file.write_bytes(mended.file.read_bytes().splitlines(keepends=True)[0])
    for games, version in ((1, "b"), (2, "b")):
        result, changes = mended.play(version, games)
        assert (result.changed, changes) == ({}, [])


def test_a_journal_from_before_fingerprints_goes_on_and_notes_them_from_then_on(tmp_path: Path) -> None:
    mended = Mended(tmp_path)
    mended.play("a", 1)
    manifest, *games = mended.file.read_text().splitlines()
    old = json.loads(manifest)
    assert old.pop("made_of").keys() == {"Mine", "random"}
    mended.file.write_text("\n".join([json.dumps(old), *games, ""]))
    assert mended.play("b", 2)[0].changed == {}
    assert mended.play("c", 3)[0].changed == {"Mine": 2}


OLD = {"Mine": "0123456789abcdef", "random": "fedcba9876543210"}
"""Digests as they were before they had a version: of file names and sources."""


def test_a_journal_with_fingerprints_of_another_version_goes_on_and_that_is_said_once(tmp_path: Path) -> None:
    mended, labels_told = Mended(tmp_path), list[list[str]]()
    mended.play("a", 1)
    manifest, *games = mended.file.read_text().splitlines()
    mended.file.write_text("\n".join([json.dumps(json.loads(manifest) | {"made_of": OLD}), *games, ""]))
    runs = [mended.play(version, games, labels_told) for version, games in (("b", 1), ("b", 2), ("b", 3), ("c", 4))]
    assert labels_told == [["Mine", "random"]], "not where nothing was left to play, and not again"
    assert [result.changed for result, _ in runs] == [{}, {}, {}, {"Mine": 3}]
    assert unknown_line(labels_told[0]) == (
        "another version of Hexholm began this tournament: whether Mine, random changed cannot be told"
    )


def test_two_programs_of_one_name_are_not_the_same_player(tmp_path: Path) -> None:
    file = tmp_path / "t.jsonl"
    jobs = [
        TournamentJob(entrants([ProgramKind("mine", (word,)), "random", "random"]), check_options(players=3), 0)
        for word in "ab"
    ]
    Journal(file, manifest_of(jobs[0], 1, None, None)).close()
    with pytest.raises(BadJournal, match=r"holds another tournament: players not the same$"):
        Journal(file, manifest_of(jobs[1], 1, None, None))


def test_a_folder_or_a_device_keeps_no_tournament(tmp_path: Path) -> None:
    for file in (tmp_path, Path(os.devnull)):
        with pytest.raises(BadJournal, match="it is no plain file"):
            tournament(PLAYERS, resume=file, **TWELVE_GAMES)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full disk at hand")
def test_a_full_disk_is_told_with_the_file() -> None:
    with Path("/dev/full").open("ab", buffering=0) as stream, pytest.raises(OSError, match="/dev/full"):
        _write(stream, "{}")
