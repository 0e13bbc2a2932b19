"""Files of many games: text, JSON lines, Parquet."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from hexholm.game.game import Game, Record
from hexholm.game.record_format.steps import BadRecord
from hexholm.game.records.export import GAME_COLUMNS, STEP_COLUMNS, read_any, write_jsonl, write_parquet, write_text
from hexholm.rules.errors import MissingExtra

from .sample_records import random_game, simulated_record


@cache
def some() -> tuple[Record, ...]:
    """A game that was won, one with offers, its copy, one of which only the set-up is known."""
    trading = Record.of(random_game(3, 120))
    won = simulated_record(3, 1, edition="zip", setup="fixed", points_to_win=4)
    return won, trading, trading.seen_by("public"), Game(edition="sixth", seed=1, names=["Ä", "b", "c", "d"]).record()


def test_text_and_json_lines_come_back_from_files(tmp_path: Path) -> None:
    assert write_text(some(), tmp_path / "games.txt") == 4
    assert write_jsonl(some(), tmp_path / "games.jsonl") == 4
    for name in ("games.txt", "games.jsonl"):
        path = tmp_path / name
        assert tuple(read_any(path)) == some()
        assert tuple(read_any(str(path))) == some()
        assert tuple(read_any(path.read_text(encoding="utf-8"))) == some()
        assert tuple(read_any("\ufeff\n" + path.read_text(encoding="utf-8"))) == some()


def test_a_line_of_json_has_its_keys_in_order_and_its_version_first() -> None:
    lines = [record.to_json() for record in some()]
    assert not any("\n" in line for line in lines)
    keys = {tuple(json.loads(line)) for line in lines}
    assert len(keys) == 1
    assert keys.pop()[:3] == ("format", "seen_by", "options")
    assert all(line.startswith('{"format":"hexholm-record-1",') for line in lines)


def test_bad_games_are_told_with_number_and_line_and_the_rest_is_read(tmp_path: Path) -> None:
    good = some()[0]
    lines = [good.to_json(), "", "{}", good.to_json(), "nonsense"]
    games = list(read_any("\n".join(lines)))
    assert games[0] == games[2] == good
    assert [str(game) for game in games if isinstance(game, BadRecord)] == [
        "game 2: line 3: format is missing; it is 'hexholm-record-1'",
        "game 4: line 5: this is no JSON from column 1 on (Expecting value)",
    ]
    (cut,) = [game for game in read_any(f"{good.to_json()}\n{good.to_json()[:3000]}\n") if isinstance(game, BadRecord)]
    assert str(cut) == "game 2: line 2: the JSON is cut short after column 3000; a game is one whole line"
    assert list(read_any("\n \n")) == []
    with pytest.raises(BadRecord, match="No such file"):
        list(read_any(tmp_path / "nothing.txt"))
    (tmp_path / "latin.txt").write_bytes(b"[Edition \xff]")
    with pytest.raises(BadRecord, match="not UTF-8 text"):
        list(read_any(tmp_path / "latin.txt"))


def test_parquet_tables_hold_games_and_steps(tmp_path: Path) -> None:
    from pyarrow import parquet  # type: ignore[import-untyped]

    paths = write_parquet(some(), tmp_path / "tables.parquet")
    assert [path.name for path in paths] == ["tables.parquet", "tables.steps.parquet"]
    assert sorted(tmp_path.iterdir()) == sorted(paths)
    games, steps = (parquet.read_table(path) for path in paths)
    assert (games.column_names, steps.column_names) == (list(GAME_COLUMNS), list(STEP_COLUMNS))
    assert games.num_rows == 4
    assert steps.num_rows == sum(map(len, some()))
    won = some()[0]
    assert won.result is not None
    row = games.to_pylist()[0]
    assert (row["winner"], row["points"], row["turns"]) == (won.result.winner, list(won.result.points), won.turns)
    assert (row["result"], row["starter"], row["final"]) == ("won", won.first, won.final)
    assert json.loads(row["options"])["points_to_win"] == 4
    assert games.to_pylist()[2]["seen_by"] == "public"
    rows = [row for row in steps.to_pylist() if row["game"] == 0]
    texts = [row["text"] if row["player"] is None else f"{row['player']} {row['text']}" for row in rows]
    assert tuple(texts) == won.texts
    assert {row["kind"] for row in rows if row["seat"] == -1} >= {"dice"}
    assert rows[-1]["turn"] == won.turns
    assert all((row["outcome"] is not None) == (row["seat"] == -1) for row in rows)


def test_parquet_tables_are_whole_or_not_there(tmp_path: Path) -> None:
    paths = write_parquet(some()[:1], tmp_path / "tables.parquet")
    before = [path.read_bytes() for path in paths]

    def stopped() -> Iterator[Record]:
        yield some()[0]
        raise KeyboardInterrupt

    for place in (tmp_path / "tables.parquet", tmp_path / "others"):
        with pytest.raises(KeyboardInterrupt):
            write_parquet(stopped(), place)
    assert sorted(tmp_path.iterdir()) == sorted(paths)
    assert [path.read_bytes() for path in paths] == before


def test_without_the_extra_parquet_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"pip install 'hexholm\[data\]'"):
        write_parquet(some(), tmp_path)
