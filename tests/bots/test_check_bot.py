"""`check_bot` lets good players pass and finds every kind of bad one."""

from __future__ import annotations

import gc
import itertools
import random
import re
import sys
from typing import Any, ClassVar

import pytest

from hexholm.bots.easy import Easy
from hexholm.bots.program import end_all
from hexholm.bots.random_player import Random
from hexholm.game.action import Action
from hexholm.game.seat_view import SeatView
from hexholm.rules.core import actions as act
from hexholm.rules.core.lanes import total
from hexholm.rules.errors import BadInput
from hexholm.rules.referee import Referee
from hexholm.testing import BadBot, Report, check_bot
from tests.arena.players import Chatty, Cheeky, Leaving
from tests.bots.test_program import odd

QUICK: dict[str, Any] = {"editions": ["sixth"], "games": 2, "points_to_win": 5, "opponent": "random"}


def failed(factory: Any, **given: Any) -> Report:
    with pytest.raises(BadBot) as found:
        check_bot(factory, **{**QUICK, **given})
    return found.value.report


@pytest.mark.parametrize("factory", [Easy, Random, "medium", "hard@2"])
def test_the_shipped_players_pass(factory: Any) -> None:
    report = check_bot(factory, **{**QUICK, "editions": ["zip", "fifth"]})
    assert report.games == 4
    assert report.decisions > 100
    assert report.worlds > 20
    assert "all is well" in str(report)


def test_a_program_can_be_checked_too() -> None:
    assert check_bot(odd("good"), **{**QUICK, "games": 1}).ok
    end_all(patience=0)


def test_illegal_and_unreadable_answers_are_found() -> None:
    report = failed(Cheeky)
    assert set(report.faults) == {"legal"}
    assert "NOT as it should be" in str(report)
    assert "illegal on turn 0: city A1n" in str(report)
    for check in ("repeatable", "alone", "honest", "anew"):
        assert re.search(rf"^  {check} +not tried$", str(report), re.MULTILINE)
    data = report.as_dict()
    assert [row["passed"] for row in data["checks"]] == [False, None, None, None, True, None]
    assert data["checks"][0]["detail"].startswith("sixth: illegal on turn 0: city A1n")


def test_offers_without_end_are_found() -> None:
    assert any("chatter" in line for line in failed(Chatty).faults["legal"])


class Unseeded(Random):
    """Draws from a generator of its own that nobody seeded."""

    def choose(self, view: SeatView) -> int:
        return random.SystemRandom().choice(view.legal_actions.codes)


def test_a_player_that_does_not_repeat_itself_is_found() -> None:
    report = failed(Unseeded)
    assert set(report.faults) == {"repeatable"}
    assert [row["name"] for row in report.as_dict()["checks"] if row["passed"] is None] == ["alone", "honest", "anew"]


def test_a_player_that_exits_is_found_and_what_it_prints_is_no_report(capsys: pytest.CaptureFixture[str]) -> None:
    assert any(": SystemExit: 4" in line for line in failed(Leaving).faults["legal"])
    assert capsys.readouterr().out == ""


def test_a_player_that_cannot_be_made_is_told() -> None:
    with pytest.raises(BadInput, match=r"Impossible cannot be made: Impossible\(seed=\d+\) raised ZeroDivisionError"):
        check_bot("tests.arena.players:Impossible", **QUICK)


class Gossip(Random):
    """Its seats know from each other what they hold."""

    known: ClassVar[dict[str, int]] = {}

    def choose(self, view: SeatView) -> int:
        if view.turn == 0:
            self.known.clear()  # so that a second game goes like the first
        self.known[view.seat or ""] = total(view.facts.hand[view.facts.observer])
        codes = view.legal_actions.codes
        return codes[sum(self.known.values()) % len(codes)]


def test_seats_that_share_a_memory_are_found() -> None:
    assert set(failed(Gossip).faults) & {"alone", "repeatable", "honest"}


class Peeping(Random):
    """Looks for the referee in the memory of the process, and through him into the others' hands."""

    def choose(self, view: SeatView) -> int:
        if not 12 <= view.turn <= 30 or len(view.legal_actions) == 1:  # it takes a while
            return super().choose(view)
        tables = [one for one in gc.get_objects() if type(one) is Referee]
        peeped = sum(total(one.state.hand[seat]) * (seat + 1) for one in tables for seat in range(3))
        peeped += sum(one.state.hand[seat] & 7 for one in tables for seat in range(3))
        codes = view.legal_actions.codes
        return codes[peeped % len(codes)]


def test_a_player_that_looks_into_the_game_is_found() -> None:
    assert set(failed(Peeping).faults) & {"alone", "honest"}


class Climbing(Random):
    """Climbs up the stack to the game that called it."""

    def choose(self, view: SeatView) -> int:
        codes = view.legal_actions.codes
        for depth in itertools.count(1):
            try:
                frame = sys._getframe(depth)
            except ValueError:
                return super().choose(view)
            for value in (*frame.f_locals.values(), getattr(frame.f_locals.get("self"), "referee", None)):
                referee = getattr(value, "referee", value)
                if type(referee) is Referee:
                    return codes[sum(referee.state.hand[seat] % 1009 for seat in range(4)) % len(codes)]
        raise AssertionError


def test_a_player_that_climbs_up_the_stack_is_found() -> None:
    assert set(failed(Climbing).faults) & {"alone", "honest"}


class Scribbling(Random):
    """Writes into its view."""

    def choose(self, view: SeatView) -> int:
        chosen = super().choose(view)
        view.raw.points[0] = 9
        return chosen


def test_a_player_that_spoils_its_view_is_found() -> None:
    assert "it wrote into its view" in failed(Scribbling).faults["harmless"][0]


class Forgetful(Random):
    """Makes one offer in its life, and cannot be reminded of it."""

    remind = None  # type: ignore[assignment]
    offered = False

    def choose(self, view: SeatView) -> int:
        code = super().choose(view)
        if self.offered or code & 31 == act.OFFER:
            self.offered = True
            return code
        give = next((kind for kind, n in view.hand.items() if n), None)
        if give is None or act.END not in view.legal_actions.codes or view.offers:
            return code
        others = [color for color in view.colors if color != view.seat]
        offer = Action.of(f"offer 1 {give} : 1 {'ore' if give != 'ore' else 'wool'} to {others[0]}")
        if view.why_not(offer) is not None:
            return code
        self.offered = True
        return offer.code(view.colors)


def test_a_player_that_offers_for_ever_when_made_anew_is_found() -> None:
    report = failed(Forgetful, games=1)
    assert set(report.faults) == {"anew"}
    assert "chatter" in report.faults["anew"][0]


def test_the_report_has_figures_of_speed() -> None:
    report = check_bot(Random, **{**QUICK, "games": 1})
    assert 0 < report.quantile(0.5) <= report.quantile(0.99) <= report.quantile(1.0)
    assert "median" in str(report)


def test_a_report_can_be_had_without_raising() -> None:
    assert not check_bot(Cheeky, raises=False, **QUICK).ok
