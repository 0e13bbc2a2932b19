"""`python -m hexholm.warm`: every room's part is there, each can be used, and the time of each is told."""

from __future__ import annotations

import pytest

from hexholm import warm
from hexholm.bots import TABLE_BOTS
from hexholm.host.web.operations.compiled_rules import COMPILED
from hexholm.rules.compilation import mode

EVERY = warm.every_part()


def test_every_room_has_its_part() -> None:
    rooms = {"rules", "simulation", "perft", "batch", "game", "wire", *(f"player:{name}" for name in TABLE_BOTS)}
    assert set(EVERY) == rooms
    assert set(COMPILED) < rooms


@pytest.mark.parametrize("part", ["rules", "simulation", "perft", "game", "wire", "player:random", "player:easy"])
def test_a_part_can_be_used_interpreted_too(part: str) -> None:
    mode.use_once([part], compiled=False)


def test_the_command_compiles_all_parts_or_those_named_and_tells_the_time_of_each(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    parts_seen: list[tuple[str, bool | None]] = []
    monkeypatch.setattr(mode, "_parts", {})
    for part in EVERY:
        mode.register(part, lambda compiled, part=part: parts_seen.append((part, compiled)))  # type: ignore[misc]
    warm.main([])
    assert parts_seen == [(part, True) for part in EVERY]
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [line[0] for line in lines] == [*EVERY, "all"]
    assert all(line[2] == "s" and float(line[1]) >= 0 for line in lines)
    parts_seen.clear()
    warm.main(["wire", "rules"])
    assert parts_seen == [("wire", True), ("rules", True)]


def test_a_part_that_is_not_there_is_named_with_those_that_are(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        warm.main(["rules", "stairs"])
    output = capsys.readouterr().err
    assert "there is no part stairs" in output
    assert "player:expert" in output
