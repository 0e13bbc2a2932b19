"""`check_bot` lets good players pass and finds every kind of bad one."""

from __future__ import annotations

import contextlib
import gc
import itertools
import random
import re
import signal
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any, ClassVar, cast

import pytest

from hexholm.bots.protocol import Thought
from hexholm.bots.shipped.compiled import Hard
from hexholm.bots.shipped.easy import Easy
from hexholm.bots.shipped.random_player import Random
from hexholm.game.action import Action
from hexholm.game.game import SeatView
from hexholm.rules.compilation import mode
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.encoding.lanes import count_cards
from hexholm.rules.errors import BadInput
from hexholm.rules.referee import Referee
from hexholm.testing import BadBot, Report, check_bot
from hexholm.testing.watched_bot import TooLong, call_within
from tests.arena.players import Cancelled, Chatty, Cheeky, Clinging, Closing, Leaving, Storming

from .programs import gone, odd

pytestmark = pytest.mark.waits

SHORT_CHECK: dict[str, Any] = {"editions": ["sixth"], "games": 2, "points_to_win": 5, "opponent": "random"}


@pytest.fixture(autouse=True, scope="module")
def _little_memory() -> Iterator[None]:
    """`check_bot` collects garbage after each game; without this it would look through all that other tests loaded."""
    gc.freeze()
    yield
    gc.unfreeze()


def failed(factory: Any, **options: Any) -> Report:
    with pytest.raises(BadBot) as error:
        check_bot(factory, **{**SHORT_CHECK, **options})
    return error.value.report


@pytest.mark.parametrize("factory", [Easy, Random, "medium", "hard@2"])
def test_the_shipped_players_pass(factory: Any) -> None:
    report = check_bot(factory, **{**SHORT_CHECK, "editions": ["zip", "fifth"]})
    assert report.games == 4
    assert report.decisions > 100
    assert report.worlds > 20
    assert "all is well" in str(report)


def test_a_program_can_be_checked_too_and_does_not_outlive_that(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    assert check_bot(odd("pid", str(pids)), **{**SHORT_CHECK, "games": 1}).ok
    assert gone({int(line.split()[0]) for line in pids.read_text().splitlines()})


def test_illegal_and_unreadable_answers_are_found() -> None:
    report = failed(Cheeky)
    assert set(report.faults) == {"legal"}
    assert "NOT as it should be" in str(report)
    assert "illegal on turn 0: city A1n" in str(report)
    assert "unreadable on turn 0: cannot read 'please'" in str(report)  # as a tournament says
    assert "UnreadableAction" not in str(report)
    for check in ("repeatable", "alone", "honest", "anew", "variants", "explains"):
        assert re.search(rf"^  {check} +not tried: its answers have to be legal first$", str(report), re.MULTILINE)
    data = report.as_dict()
    assert [row["passed"] for row in data["checks"]] == [False, None, None, None, True, None, None, None]
    assert data["checks"][0]["detail"].startswith("sixth: illegal on turn 0: city A1n")


class Muttering(Random):
    """Cannot be understood when it is made in the middle of a game."""

    awake = False

    def choose(self, view: SeatView) -> Any:
        if view.turn > 0 and not self.awake:
            return "please"
        self.awake = True
        return super().choose(view)


def test_an_unreadable_answer_of_one_made_anew_is_called_so() -> None:
    report = failed(Muttering)
    assert set(report.faults) == {"anew"}
    assert report.faults["anew"][0].startswith("unreadable on turn 1: cannot read 'please'")


def test_offers_without_end_are_found() -> None:
    assert any("chatter" in line for line in failed(Chatty).faults["legal"])


class Unseeded(Random):
    """Draws from a generator of its own that nobody seeded."""

    explain = None  # type: ignore[assignment]

    def choose(self, view: SeatView) -> int:
        return random.SystemRandom().choice(view.legal_actions.codes)


def test_a_player_that_does_not_repeat_itself_is_found() -> None:
    report = failed(Unseeded)
    assert set(report.faults) == {"repeatable"}
    untried = [row["name"] for row in report.as_dict()["checks"] if row["passed"] is None]
    assert untried == ["alone", "honest", "anew", "explains"]
    assert report.checks()["repeatable"][1][-1].startswith("the same seed must play the same game")
    assert report.checks()["alone"] == (None, ["not tried: it has to be repeatable first"])


def test_a_player_that_exits_is_found_and_what_it_prints_is_no_report(capsys: pytest.CaptureFixture[str]) -> None:
    assert any(": SystemExit: 4" in line for line in failed(Leaving).faults["legal"])
    assert capsys.readouterr().out == ""


def test_a_player_that_raises_what_is_no_exception_is_found() -> None:
    assert "failed on turn 0: CancelledError" in failed(Cancelled).faults["legal"][0]


class Unexplained(Closing):
    """Says nothing of why."""

    explain = None  # type: ignore[assignment]


@pytest.mark.parametrize("who", [Closing, Unexplained])
def test_all_that_were_made_are_closed(who: type[Closing]) -> None:
    n_made, n_closed = who.made, who.closed
    assert check_bot(who, **SHORT_CHECK).ok
    assert who.made - n_made == who.closed - n_closed > 8


def test_a_player_that_cannot_be_made_is_told() -> None:
    with pytest.raises(BadInput, match=r"Impossible cannot be made: Impossible\(seed=\d+\) raised ZeroDivisionError"):
        check_bot("tests.arena.players:Impossible", **SHORT_CHECK)


class Gossip(Random):
    """Its seats know from each other what they hold."""

    choices: ClassVar[dict[str, int]] = {}

    def choose(self, view: SeatView) -> int:
        if view.turn == 0:
            self.choices.clear()  # so that a second game goes like the first
        self.choices[view.seat or ""] = count_cards(view.facts.hand[view.facts.observer])
        codes = view.legal_actions.codes
        return codes[sum(self.choices.values()) % len(codes)]


def test_seats_that_share_a_memory_are_found() -> None:
    assert set(failed(Gossip).faults) & {"alone", "repeatable", "honest"}


class Peeping(Random):
    """Looks for the referee in the memory of the process, and through him into the others' hands."""

    def choose(self, view: SeatView) -> int:
        if not 12 <= view.turn <= 30 or len(view.legal_actions) == 1:  # it takes a while
            return super().choose(view)
        referees = [referee for referee in gc.get_objects() if type(referee) is Referee]
        peeped = sum(count_cards(referee.state.hand[seat]) * (seat + 1) for referee in referees for seat in range(3))
        peeped += sum(referee.state.hand[seat] & 7 for referee in referees for seat in range(3))
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
        action = super().choose(view)
        view.raw.points[0] = 9
        return action


def test_a_player_that_spoils_its_view_is_found() -> None:
    assert "it wrote into its view" in failed(Scribbling).faults["harmless"][0]


class Forgetful(Random):
    """Makes one offer in its life, and cannot be reminded of it."""

    remind = None  # type: ignore[assignment]
    explain = None  # type: ignore[assignment]
    has_offered = False

    def choose(self, view: SeatView) -> int:
        code = super().choose(view)
        if self.has_offered or act.kind_of(code) == act.OFFER:
            self.has_offered = True
            return code
        give = next((kind for kind, n in view.hand.items() if n), None)
        if give is None or act.END not in view.legal_actions.codes or view.offers:
            return code
        opponents = [color for color in view.colors if color != view.seat]
        offer = Action.of(f"offer 1 {give} : 1 {'ore' if give != 'ore' else 'wool'} to {opponents[0]}")
        if view.why_not(offer) is not None:
            return code
        self.has_offered = True
        return offer.code(view.colors)


def test_a_player_that_offers_for_ever_when_made_anew_is_found() -> None:
    report = failed(Forgetful, games=1)
    assert set(report.faults) == {"anew"}
    assert "chatter" in report.faults["anew"][0]


class AtThree(Random):
    """Has never heard that two can play."""

    def choose(self, view: SeatView) -> int:
        if len(view.colors) < 3:
            raise IndexError("we are too few")
        return super().choose(view)


class ByTheBook(Random):
    """Has never heard of house rules."""

    def choose(self, view: SeatView) -> int:
        if view.options.friendly_robber or view.options.balanced_dice:
            raise KeyError("friendly")
        return super().choose(view)


@pytest.mark.parametrize(
    ("who", "says"),
    [
        (AtThree, "two players: failed on turn 0: IndexError: we are too few"),
        (ByTheBook, "house rules: failed on turn 0: KeyError: 'friendly'"),
    ],
)
def test_a_player_that_cannot_play_a_variant_is_found(who: type, says: str) -> None:
    report = failed(who, games=1)
    assert set(report.faults) == {"variants"}
    assert re.fullmatch(rf"{says} \(test_check_bot.py, line \d+\)", report.faults["variants"][0])


class Explaining(Random):
    """Explains itself in one way or another."""

    thoughts: ClassVar[Any] = None
    last: ClassVar[Any] = None

    def choose(self, view: SeatView) -> int:
        code = super().choose(view)
        type(self).last = Action.of_code(code, view.colors)
        return code

    def explain(self) -> Any:
        return type(self).thoughts(self.last)


@pytest.mark.parametrize(
    ("thoughts", "says"),
    [
        (lambda _: 1 // 0, "explain(): ZeroDivisionError: "),
        (lambda _: sys.exit(2), "explain(): SystemExit: 2"),
        (lambda _: None, "explain(): it gave a NoneType, not a list of Thought"),
        (lambda _: [], "explain(): it had no thought about "),
        (lambda last: [(last, 0.5)], "explain(): a tuple among its thoughts is no Thought"),
        (lambda last: [Thought(last, 0.5), Thought(last, 1.5)], "explain(): a chance of 1.5; it is from 0 to 1"),
        (lambda last: [Thought(last, float("nan"))], "explain(): a chance of nan; it is from 0 to 1"),
        (lambda last: [Thought(last, cast("Any", "half"))], "explain(): TypeError: "),
        (lambda last: [Thought(last, 0.5), Thought(cast("Any", None), 0.5)], "UnreadableAction: None is no action"),
        (lambda last: [Thought(Action.of("buy"), 0.5), Thought(last, 0.5)], "but its first thought is about buy"),
    ],
)
def test_a_player_that_cannot_explain_itself_is_found(thoughts: Any, says: str) -> None:
    Explaining.thoughts = staticmethod(thoughts)
    report = failed(Explaining, games=1)
    assert set(report.faults) == {"explains"}
    assert says in report.faults["explains"][0]


class Silent(Random):
    """Never says why."""

    explain = None  # type: ignore[assignment]


def test_a_player_that_explains_itself_passes_and_one_that_does_not_has_not_tried() -> None:
    Explaining.thoughts = staticmethod(lambda last: [Thought(last, 1)])
    report = check_bot(Explaining, **{**SHORT_CHECK, "games": 1})
    assert report.explanations == 9
    assert "explains     9 times it said why" in str(report)
    assert check_bot(Silent, **{**SHORT_CHECK, "games": 1}).checks()["explains"] == (
        None,
        ["not tried: it has no explain()"],
    )


@pytest.mark.parametrize(("who", "says"), [(Clinging, "OSError: the notebook is gone"), (Storming, "SystemExit: 5")])
def test_a_player_that_fails_when_it_is_closed_is_found(who: type, says: str) -> None:
    report = failed(who)
    assert set(report.faults) == {"legal"}
    assert re.fullmatch(
        rf"sixth: failed on turn \d+: in close\(\): {says} \(players.py, line \d+\)", report.faults["legal"][0]
    )


class Fickle(Random):
    """Fails when it is closed for the third time: after the games, when it is alone."""

    closed = 0

    def close(self) -> None:
        type(self).closed += 1
        if self.closed > 2:
            raise OSError("the notebook is gone")


def test_a_player_that_fails_when_it_is_closed_later_is_found_too() -> None:
    Fickle.closed = 0
    report = failed(Fickle, games=1)
    assert report.faults["alone"] == ["sixth: in close(): OSError: the notebook is gone"]


class Lost(Random):
    """Does not come back, in what its name says."""

    where = "choose"

    def __init__(self, seed: int | str = 0) -> None:
        super().__init__(seed)
        self._wander("init", 0)

    def choose(self, view: SeatView) -> int:
        self._wander("choose", view.turn)
        return super().choose(view)

    def explain(self) -> list[Thought]:
        self._wander("explain", 9)
        return super().explain()

    def close(self) -> None:
        self._wander("close", 9)

    def _wander(self, where: str, turn: int) -> None:
        lost_at = time.monotonic()
        while where == self.where and (turn > 3 or where == "init"):
            with contextlib.suppress(Exception):  # what stops it must be no Exception
                time.sleep(1 if turn % 2 else 0)
            if time.monotonic() > lost_at + 300:
                pytest.fail("it was waited for")


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there are no such signals on Windows")
@pytest.mark.parametrize(
    ("where", "check", "says"),
    [
        ("choose", "legal", r"sixth, turn \d+: choose\(\) did not come back within 2 s"),
        ("close", "legal", r"sixth, turn \d+: close\(\) did not come back within 2 s"),
        ("init", "legal", r"the factory did not come back within 2 s"),
        ("explain", "explains", r"sixth, turn \d+, [a-z -]+: explain\(\) did not come back within 2 s"),
    ],
)
def test_a_player_that_does_not_come_back_is_not_waited_for(
    where: str, check: str, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Lost, "where", where)
    handler_before = signal.getsignal(signal.SIGALRM)
    report = failed(Lost, limit=2.0)
    assert list(report.faults) == [check]
    assert re.fullmatch(says, report.faults[check][0])
    assert signal.getsignal(signal.SIGALRM) == handler_before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


@pytest.fixture
def alarms() -> Iterator[list[float]]:
    """When an alarm of somebody else went off; the clock of a test's own limit is such a one."""
    heard: list[float] = []
    before = signal.signal(signal.SIGALRM, lambda *_: heard.append(time.monotonic()))
    yield heard
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there are no such signals on Windows")
def test_alarms_of_others_stay_set(alarms: list[float]) -> None:
    started_at = time.monotonic()
    signal.setitimer(signal.ITIMER_REAL, 500, 7)
    assert check_bot(Random, **{**SHORT_CHECK, "games": 1}).ok
    seconds_left, interval = signal.getitimer(signal.ITIMER_REAL)
    assert 500 - (time.monotonic() - started_at) == pytest.approx(seconds_left, abs=60)
    assert (interval, alarms) == (7, [])


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there are no such signals on Windows")
def test_an_alarm_of_others_that_was_due_meanwhile_comes_right_after(alarms: list[float]) -> None:
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    call_within(60, "sleep", lambda: time.sleep(0.2))
    came_back = time.monotonic()
    while not alarms and time.monotonic() < came_back + 20:
        time.sleep(0.001)
    assert alarms
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    with pytest.raises(TooLong):
        call_within(0.1, "sleep", lambda: time.sleep(60))
    assert signal.getitimer(signal.ITIMER_REAL)[1] == 0


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there are no such signals on Windows")
def test_whenever_the_alarm_comes_it_is_off_in_the_end(alarms: list[float]) -> None:
    """Also between the end of what is watched and the switching off: on every line of `call_within` it comes once."""
    signal.setitimer(signal.ITIMER_REAL, 500)
    before, traced = signal.getsignal(signal.SIGALRM), sys.gettrace()
    at = line = late = 0

    def trace(frame: FrameType, event: str, _: object) -> Any:
        nonlocal line
        if frame.f_code is not call_within.__code__:
            return None
        if event == "line":
            line += 1
            if line == at:
                signal.raise_signal(signal.SIGALRM)
        return trace

    while True:
        at, line = at + 1, 0
        sys.settrace(trace)
        try:
            call_within(100, "nothing", lambda: None)
        except TooLong:
            late += 1
        finally:
            sys.settrace(traced)
        assert signal.getsignal(signal.SIGALRM) is before
        assert 400 < signal.getitimer(signal.ITIMER_REAL)[0] < 500
        if line < at:
            break
    assert at > 15
    assert 2 <= late <= 5
    assert alarms  # before and after it is for them


class Cold(Hard):
    """Has to compile what it is made of before it can answer, and that takes a while."""

    compiled = False

    def choose(self, view: SeatView) -> int:
        time.sleep(0 if self.compiled else 60)
        return view.legal_actions.codes[-1]

    explain = None  # type: ignore[assignment]


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there are no such signals on Windows")
def test_what_has_to_be_compiled_is_compiled_before_the_clock_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    def use_once(parts: Iterable[str], compiled: bool | None) -> None:
        assert (set(parts), compiled) == ({"rules", "player:hard", "player:random"}, True)
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
        monkeypatch.setattr(Cold, "compiled", True)

    monkeypatch.delenv("HEXHOLM_INTERPRETED", raising=False)
    monkeypatch.setattr(mode, "use_once", use_once)
    assert check_bot(Cold, limit=20, **{**SHORT_CHECK, "games": 1}).ok


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there are no such signals on Windows")
def test_a_file_that_does_not_come_back_is_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "endless.py").write_text("import time\ntime.sleep(60)\n")
    report = failed(f"{tmp_path / 'endless.py'}:Mine", limit=0.3)
    assert report.faults == {"legal": ["the factory did not come back within 0.3 s"]}


class Deafened(Random):
    """Catches whatever is raised in it."""

    def choose(self, view: SeatView) -> int:
        with contextlib.suppress(BaseException):
            time.sleep(60 if view.turn > 3 else 0)
        return super().choose(view)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there are no such signals on Windows")
def test_a_player_that_catches_everything_is_late_all_the_same() -> None:
    assert "choose() did not come back within 0.3 s" in failed(Deafened, limit=0.3).faults["legal"][0]


def test_in_another_thread_there_is_no_limit_and_the_check_goes_on() -> None:
    reports: list[Report] = []
    slow = threading.Thread(target=lambda: reports.append(check_bot(Random, limit=1e-9, **{**SHORT_CHECK, "games": 1})))
    slow.start()
    slow.join()
    assert reports[0].ok


@pytest.mark.parametrize("limit", [0, -1, float("nan"), float("inf")])
def test_a_limit_is_a_number_of_seconds(limit: float) -> None:
    with pytest.raises(BadInput, match="give a number of seconds above 0"):
        check_bot(Random, limit=limit)


class Stubborn(Random):
    """Says one wrong thing, over and over."""

    def choose(self, view: SeatView) -> Any:
        raise ValueError(f"{view.seat}: there is nothing here that I would like to do, not now and not later either")


def test_a_fault_that_comes_again_is_told_once_with_its_number_and_folded() -> None:
    report = failed(Stubborn)
    assert len(report.faults["legal"]) == 1
    (line,) = report.checks()["legal"][1]
    assert re.search(r"\(test_check_bot\.py, line \d+\); \d{2,} times$", line)
    assert max(map(len, str(report).splitlines())) <= 79
    assert "speed        not tried: nothing was answered" in str(report)


def test_the_report_has_figures_of_speed() -> None:
    report = check_bot(Random, **{**SHORT_CHECK, "games": 1})
    assert 0 < report.quantile(0.5) <= report.quantile(0.99) <= report.quantile(1.0)
    assert "median" in str(report)


def test_a_report_can_be_had_without_raising() -> None:
    assert not check_bot(Cheeky, raises=False, **SHORT_CHECK).ok
