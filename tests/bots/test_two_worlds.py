"""The count of worlds that look alike: it covers all editions, and finds a player that sees more than its seat."""

from __future__ import annotations

import re

import pytest

from hexholm.bots.shipped_bots import SHIPPED
from hexholm.rules.setup.editions import EDITIONS
from hexholm.testing import check_bot
from tests.bots.scenes import LABELS
from tests.bots.two_worlds import main

LINE = re.compile(r"(\S+): (\d+) worlds, (\d+) decisions in (\d+) games of 5 editions, (\d+) differences")


def test_players_choose_the_same_in_worlds_that_look_alike(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["random", "easy", "--worlds", "20"], points_to_win=4) == 0
    lines = [LINE.fullmatch(line) for line in capsys.readouterr().out.splitlines()]
    assert [line and line[1] for line in lines] == ["random", "easy"]
    for line in lines:
        assert line is not None
        worlds, decisions, games, differences = map(int, line.groups()[1:])
        assert 20 <= worlds <= decisions
        assert games % 5 == 0
        assert differences == 0


@pytest.mark.parametrize("edition", [edition for edition in EDITIONS if edition != "fifth"])
@pytest.mark.parametrize("who", ["hard@2", "expert@2"])
def test_players_that_search_do_so_in_every_edition(who: str, edition: str) -> None:
    """The fifth is in test_compiled_players.py, with more worlds."""
    report = check_bot(who, editions=[edition], games=2)
    assert report.worlds > 10
    assert report.checks()["honest"][0]


def test_a_player_that_sees_more_than_its_seat_is_found(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tests.bots.test_check_bot:Climbing", "--worlds", "5"], points_to_win=5) == 1
    output = capsys.readouterr()
    assert "NOT as it should be" in output.err
    line = LINE.fullmatch(output.out.strip())
    assert line is not None
    assert int(line[5]) > 0


def test_all_shipped_players_are_counted() -> None:
    assert [label.partition("@")[0] for label in LABELS] == list(SHIPPED)
