"""One game in the arena: the same as a `Game`, whatever players do it goes on, and faults are told."""

from __future__ import annotations

import json
import re
import signal
from dataclasses import replace
from pathlib import Path

import pytest

from hexholm.arena.entrants import entrants
from hexholm.arena.match import MOST_OFFERS_PER_TURN, BotFailed, Fault, FinishedGame, TournamentJob
from hexholm.bots import bot
from hexholm.game.game import Game, Record
from hexholm.game.records.verify import verify
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.errors import BadInput
from hexholm.rules.setup.options import check_options
from tests.arena import players as odd
from tests.helpers.marks import all_editions

SHORT = {"edition": "sixth", "setup": "variable", "points_to_win": 4}


def short_job(*names: object, **options: object) -> TournamentJob:
    option_values = {**SHORT, "players": len(names), **options}
    return TournamentJob(entrants(names), check_options(**option_values), seed=3, keeps_records=True)  # type: ignore[arg-type]


def as_games_go(job: TournamentJob, number: int) -> Game:
    """The same match, played on a `Game` in the plainest way."""
    planned = job.schedule.game(number)
    option_values = replace(job.options, first=planned.starter).as_dict()
    game = Game(seed=planned.seed, **option_values)
    seats = zip(planned.entrants_by_seat, planned.bot_seeds, strict=True)
    bots = [job.entrants[entrant_index].make(seed) for entrant_index, seed in seats]
    while not game.over:
        order = [game.colors[(game.colors.index(game.active) + i) % len(bots)] for i in range(1, len(bots) + 1)]
        color = next(color for color in order if color in game.to_act)
        game.play(bots[game.colors.index(color)].choose(game.view(color)), by=color)
    return game


@all_editions
def test_a_game_is_the_one_that_a_game_would_be(edition: str) -> None:
    job = short_job("easy", "random", "easy", "random", edition=edition, points_to_win=5)
    finished = job.play(2)
    game = as_games_go(job, 2)
    record = Record.from_json(finished.record)
    assert record.steps == game.steps
    assert (finished.points, finished.turns, finished.winner) == (
        game.points,
        game.turn,
        game.colors.index(game.winner or ""),
    )
    assert verify(record).ok
    assert record.names == tuple(job.entrants[entrant_index].label for entrant_index in finished.entrants_by_seat)
    assert record.tags == {"Tournament": "seed 3", "Round": "3"}


def test_a_game_can_be_played_on_a_fixed_board_by_three() -> None:
    job = short_job("easy", "random", "random", setup="fixed")
    assert {job.play(number).starter for number in range(0, 9, 3)} == {0, 1, 2}


def test_the_same_match_is_the_same_game_and_its_line_reads_back() -> None:
    job = short_job("easy", "random", "random", "random")
    first, again = job.play(1), job.play(1)
    assert first.record == again.record
    read_back = FinishedGame.of_dict(first.as_dict())
    assert read_back == replace(first, record="")
    assert first.decisions == sum(seat >= 0 for seat, _ in Record.from_json(first.record).steps)


def test_a_game_without_end_is_capped() -> None:
    job = replace(short_job("random", "random", "random", "random", points_to_win=20), cap=12)
    game = job.play(0)
    assert (game.winner, game.turns) == (-1, 12)
    result = Record.from_json(game.record).result
    assert result is not None
    assert (result.how, result.winner) == ("capped", None)


def test_a_player_that_raises_loses_its_decision_and_the_game_goes_on() -> None:
    game = short_job(odd.Raising, "random", "random", "random").play(0)
    assert game.winner >= 0
    assert game.faults["Raising", "failed"] > 3
    (fault,) = game.fault_samples
    assert fault.message == "ArithmeticError: seven is not eight"
    assert fault.times == game.faults["Raising", "failed"]
    assert re.fullmatch(
        r"Raising, game 1, turn \d+: failed: ArithmeticError: seven is not eight \(players\.py, line \d+\); \d+ times",
        str(fault),
    )
    assert FinishedGame.of_dict(json.loads(json.dumps(game.as_dict()))).fault_samples == game.fault_samples


BAD = """import json


class Bad:
    def __init__(self, seed):
        pass

    def choose(self, view):
        return self.looked_up(view)

    def looked_up(self, view):
        return json.loads("no JSON")
"""


def test_a_fault_says_where_in_the_players_own_file_it_is_not_in_a_library(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(BAD)
    (fault,) = replace(short_job(f"{tmp_path}/bad.py:Bad", "random", "random"), cap=5).play(0).fault_samples
    assert fault.where == "bad.py, line 12"
    with pytest.raises(BotFailed, match=r"failed: JSONDecodeError: .* \(bad\.py, line 12\)$"):
        replace(short_job(f"{tmp_path}/bad.py:Bad", "random", "random"), strict=True).play(0)


def test_a_line_of_an_older_file_reads_too() -> None:
    line = short_job("random", "random", "random").play(0).as_dict() | {"told": [["Bad", "failed", 3, "KeyError: 10"]]}
    assert FinishedGame.of_dict(line).fault_samples == (Fault("Bad", "failed", 0, 3, "KeyError: 10"),)


def test_a_player_that_exits_loses_its_decision_and_what_it_prints_is_no_result(
    capsys: pytest.CaptureFixture[str],
) -> None:
    game = short_job(odd.Leaving, "random", "random", "random").play(0)
    assert game.winner >= 0
    assert game.fault_samples[0].message == "SystemExit: 4"
    output = capsys.readouterr()
    assert (output.out, output.err.splitlines()[0]) == ("", "a word to standard output")


def test_ctrl_c_while_a_player_thinks_is_no_fault_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(odd.Leaving, "choose", interrupted)
    with pytest.raises(KeyboardInterrupt):
        short_job(odd.Leaving, "random", "random", "random").play(0)


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="there are no such signals on Windows")
def test_what_a_signal_raises_while_a_player_thinks_is_no_fault_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """So a test's own limit of time ends a tournament."""

    def limit(*_: object) -> None:
        raise odd.Sudden

    def alarmed(*_: object) -> int:
        signal.raise_signal(signal.SIGALRM)
        return 0

    monkeypatch.setattr(odd.Leaving, "choose", alarmed)
    before = signal.signal(signal.SIGALRM, limit)
    try:
        with pytest.raises(odd.Sudden):
            short_job(odd.Leaving, "random", "random", "random").play(0)
    finally:
        signal.signal(signal.SIGALRM, before)


def test_a_player_that_raises_what_is_no_exception_loses_its_decision_too() -> None:
    game = short_job(odd.Cancelled, "random", "random", "random").play(0)
    assert game.winner >= 0
    assert set(game.faults) == {("Cancelled", "failed")}
    assert {fault.message for fault in game.fault_samples} <= {"CancelledError", "GeneratorExit", "Sudden"}
    assert len(game.fault_samples) > 1


def test_a_player_that_answers_nonsense_loses_its_decisions() -> None:
    game = short_job(odd.Cheeky, "easy", "easy", "easy").play(0)
    assert set(game.faults) == {("Cheeky", "illegal"), ("Cheeky", "unreadable")}
    assert "city A1n" in game.fault_samples[0].message
    assert "cannot read 'please'" in game.fault_samples[1].message
    assert verify(Record.from_json(game.record)).ok


def test_whatever_a_player_answers_it_loses_no_more_than_that_decision() -> None:
    game = short_job(odd.Wrong, "random", "random", "random").play(0)
    assert game.winner >= 0
    assert game.faults == {("Wrong", "unreadable"): len(odd.ANSWERS) + 1}
    assert [fault.kind for fault in game.fault_samples] == ["unreadable"] * 3
    assert game.fault_samples[0].message.startswith(odd.ANSWERS[0][1])
    with pytest.raises(BotFailed, match="Wrong, game 1, turn 0: unreadable: an Action with to="):
        replace(short_job(odd.Wrong, "random", "random", "random"), strict=True).play(0)


def test_a_player_that_cannot_say_what_is_wrong_loses_its_decision() -> None:
    game = short_job(odd.Mute, "random", "random", "random").play(0)
    assert game.winner >= 0
    assert {fault.message for fault in game.fault_samples} <= {"Speechless", "ArithmeticError: half a character: ?"}
    assert set(game.faults) == {("Mute", "failed")}


def test_the_plain_move_is_legal_whatever_a_player_did_to_its_view() -> None:
    game = replace(short_job(odd.Spoiling, "random", "random", "random"), cap=20).play(0)
    assert set(game.faults) == {("Spoiling", "unreadable")}
    assert verify(Record.from_json(game.record)).ok


@pytest.mark.parametrize(
    ("who", "message"),
    [
        (odd.Clinging, "in close(): OSError: the notebook is gone"),
        (odd.Storming, "in close(): SystemExit: 5"),
        (odd.Torn, "in close(): CancelledError"),
    ],
)
def test_a_player_that_cannot_close_its_game_is_told_and_the_game_counts(who: type, message: str) -> None:
    before = odd.Closing.closed
    game = short_job(who, odd.Closing, odd.Closing, odd.Closing).play(0)
    assert game.winner >= 0
    assert game.faults == {(who.__name__, "failed"): 1}
    assert [(fault.kind, fault.turn, fault.message) for fault in game.fault_samples] == [
        ("failed", game.turns, message)
    ]
    assert odd.Closing.closed == before + 3
    strict = replace(short_job(who, odd.Closing, odd.Closing, odd.Closing), strict=True)
    with pytest.raises(BotFailed, match=rf"{who.__name__}, game 1, turn \d+: failed: in close\(\)"):
        strict.play(0)
    assert odd.Closing.closed == before + 6


def test_a_game_that_breaks_is_closed_too_and_says_why_it_broke() -> None:
    before = odd.Closing.closed
    with pytest.raises(BotFailed, match="Cheeky, game 1, turn 0: illegal: city A1n"):
        replace(short_job(odd.Cheeky, odd.Clinging, odd.Closing, odd.Closing), strict=True).play(0)
    assert odd.Closing.closed == before + 2


def test_a_game_that_cannot_begin_leaves_no_player_open(monkeypatch: pytest.MonkeyPatch) -> None:
    job = short_job(odd.Closing, odd.Closing, odd.Closing, odd.Impossible)
    last = next(number for number in range(4) if job.schedule.game(number).entrants_by_seat[3] == 3)
    n_made, n_closed = odd.Closing.made, odd.Closing.closed
    with pytest.raises(BadInput, match="Impossible cannot be made"):
        job.play(last)
    assert (odd.Closing.made, odd.Closing.closed) == (n_made + 3, n_closed + 3)
    monkeypatch.setattr("hexholm.arena.match.new_state", lambda *_: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        short_job(odd.Closing, odd.Closing, odd.Closing).play(0)
    assert odd.Closing.made - n_made == odd.Closing.closed - n_closed


def test_a_player_that_is_tried_out_before_the_games_is_closed() -> None:
    n_made, n_closed = odd.Closing.made, odd.Closing.closed
    for player in (odd.Closing, odd.Clinging, odd.Torn):
        short_job(player, "random", "random").entrants[0].check()
    assert (odd.Closing.made, odd.Closing.closed) == (n_made + 1, n_closed + 1)


def test_offers_without_end_are_not_listened_to() -> None:
    game = short_job(odd.Chatty, "easy", "easy", "easy").play(0)
    assert game.winner >= 0
    assert game.faults["Chatty", "chatter"] > 0
    steps = Record.from_json(game.record).steps
    in_a_row, most = 0, 0
    for seat, code in steps:
        if seat >= 0 and act.kind_of(code) == act.END:
            in_a_row = 0
        in_a_row += act.kind_of(code) == act.OFFER
        most = max(most, in_a_row)
    assert most == MOST_OFFERS_PER_TURN


def test_a_strict_game_ends_with_the_first_fault() -> None:
    job = replace(short_job(odd.Cheeky, "easy", "easy", "easy"), strict=True)
    with pytest.raises(BotFailed, match="Cheeky, game 1, turn 0: illegal: city A1n"):
        job.play(0)


def test_a_trade_that_cannot_be_is_refused_or_taken_back_and_is_no_fault() -> None:
    """TRADE-10: that the partner holds the cards no more is seen only when they are to change hands."""
    assert act.decline_instead(act.simple_action(act.ACCEPT, 3)) == act.simple_action(act.REJECT, 3)
    assert act.decline_instead(act.confirm_action(2, 1)) == act.simple_action(act.WITHDRAW, 2)


def test_a_player_by_name_is_the_one_of_the_registry() -> None:
    job = short_job("easy", "easy", "easy", "easy")
    seed = job.schedule.game(0).bot_seeds[0]
    game = Game(seed=1, first=0)
    assert job.entrants[0].make(seed).choose(game.view("red")) == bot("easy", seed).choose(game.view("red"))
