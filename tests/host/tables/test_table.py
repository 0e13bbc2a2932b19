"""The table, transport-free: what it decides, what it tells, and that its log is the truth."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

import hexholm
from hexholm.host.tables import log
from hexholm.host.tables.log import read_log_step
from hexholm.host.tables.seat_commands import sit_down
from hexholm.host.tables.seats import Guest
from hexholm.host.tables.table import LogBroken, Table
from hexholm.host.tables.table_decision import Decision
from hexholm.host.wire import messages as m
from hexholm.host.wire.host_refusals import Refusal
from hexholm.rules.boards import layout_for
from tests.marks import all_editions

PEOPLE = ("ann", "bob", "cid", "dan")


class TableStory:
    """One table with its log in memory, and everything it has told."""

    def __init__(self, dealer: Any = None, clock: float | None = None, **options: Any) -> None:
        self.table = Table("t1", dealer=dealer or hexholm.Fresh)
        self.log: list[log.LogEntry] = []
        self.told: dict[str | None, list[Any]] = {}
        self.now, self.count = 1000.0, 0
        chosen = hexholm.options(**{"edition": "fifth", "first": 0, **options})
        board = layout_for(chosen, 5).to_toml()
        opened = log.Opened(title="a game", creator="ann", options=chosen.as_dict(), board=board, clock=clock)
        self.store(Decision((opened,)))
        for color, guest in zip(self.table.colors, PEOPLE, strict=False):
            decision = sit_down(self.table, color, guest, guest.title())
            self.store(decision)

    def store(self, decision: Decision) -> None:
        """Write to the log, then tell."""
        for body in decision.bodies:
            self.now += 1
            written = log.LogEntry(
                seq=len(self.log) + 1, time=self.now, body=body, position_hash=decision.position_hash
            )
            entry = log.read_row(log.entry_row(written))
            assert entry == written
            self.log.append(entry)
            for eyes, messages in self.table.enter(entry).items():
                self.told.setdefault(eyes, []).extend(messages)

    def send(self, seat: str | None, command: m.TableCommand, guest: str | None = None) -> Refusal | None:
        """A command of a seat, or of somebody without one."""
        who = guest or (self.table.seats[seat].guest if seat else "eve")
        decision = self.table.decide(command, Guest(who, seat))
        assert (decision.refusal is None) == bool(decision.bodies)
        self.store(decision)
        return decision.refusal

    def act(self, seat: str | None, action: str, request: int | None = None) -> Refusal | None:
        """An action of a seat."""
        self.count += 1
        return self.send(seat, m.Act(id=f"c{self.count}", action=action, request=request))

    def begin(self) -> TableStory:
        """The creator begins."""
        assert self.send(self.table.colors[0], m.Begin(id="begin")) is None
        return self

    def play(self, steps: int, seed: int = 0) -> TableStory:
        """Random actions, as the seats see them."""
        pick = random.Random(seed)
        for _ in range(steps):
            seats = self.table.to_decide()
            if not seats:
                break
            seat = pick.choice(seats)
            projection = self.table.projection(seat)
            assert projection is not None
            refusal = self.act(seat, pick.choice(projection.legal), projection.request)
            assert refusal is None or refusal.rule == "TRADE-10"
        return self


def test_a_table_is_opened_filled_and_begun_by_its_creator() -> None:
    hall = TableStory()
    assert hall.table.line().status == "open"
    refusal = hall.send("blue", m.Begin(id="1"))
    assert refusal is not None
    assert refusal.code == "not_allowed"
    hall.begin()
    assert hall.table.line().status == "playing"
    assert hall.table.to_decide() == ("red",)
    assert hall.told["blue"][-1].what == "began"


def test_a_free_seat_stops_the_beginning_and_a_bot_fills_it() -> None:
    hall = TableStory()
    hall.send("red", m.Kick(id="1", seat="orange"))
    refusal = hall.send("red", m.Begin(id="2"))
    assert refusal is not None
    assert "orange" in refusal.message
    assert hall.send("red", m.Put(id="3", seat="orange", bot="easy")) is None
    hall.begin()
    assert hall.table.seats["orange"].bot == "easy"


def test_nobody_plays_two_colours() -> None:
    hall = TableStory()
    hall.send("red", m.Kick(id="1", seat="orange"))
    decision = sit_down(hall.table, "orange", "bob", "Bob again")
    assert decision.refusal is not None
    assert "already" in decision.refusal.message


def test_refusals_say_what_kind_of_no_it_is_and_change_nothing() -> None:
    hall = TableStory().begin()
    before = len(hall.log)
    cases = [
        ("red", "dance", "not_readable"),
        ("red", "roll", "not_legal"),
        ("blue", "settlement C3n", "not_legal"),
        (None, "settlement C3n", "not_allowed"),
    ]
    for seat, action, code in cases:
        refusal = hall.act(seat, action)
        assert refusal is not None
        assert refusal.code == code, refusal
    refusal = hall.act("red", "roll")
    assert refusal is not None
    assert refusal.rule == "SETUP-21"
    assert "settlement A1n" in refusal.legal
    assert len(hall.log) == before


def test_an_answer_to_a_closed_question_is_refused_with_the_number_of_the_open_one() -> None:
    hall = TableStory().begin()
    projection = hall.table.projection("red")
    assert projection is not None
    assert hall.act("red", "settlement C3n", projection.request) is None
    refusal = hall.act("red", "road C3/ne", projection.request)
    assert refusal is not None
    assert refusal.code == "closed"
    assert hall.act("red", "road C3/ne", projection.request + 1) is None


@all_editions
def test_a_table_read_back_from_its_log_is_the_same_table(edition: str) -> None:
    hall = TableStory(edition=edition, points_to_win=4).begin().play(400)
    again = Table("t1")
    for entry in hall.log:
        again.enter(entry)
    assert again.game == hall.table.game
    assert again.line() == hall.table.line()
    assert again.requests == hall.table.requests
    assert again.streams == hall.table.streams
    for eyes in hall.table.eyes:
        assert again.projection(eyes) == hall.table.projection(eyes)


def test_a_table_that_goes_on_from_what_it_decided_is_the_one_its_log_leads_to() -> None:
    hall = TableStory(points_to_win=4).begin()
    going_on = Table("t1", dealer=hexholm.Fresh)
    for entry in hall.log:
        going_on.enter(entry)
    pick = random.Random(4)
    for number in range(200):
        seats = going_on.to_decide()
        if not seats:
            break
        seat = pick.choice(seats)
        view, game = going_on.view(seat), going_on.game
        assert view is not None
        command = m.Act(id=str(number), action=pick.choice(view.legal_actions.texts))
        first, decision = (going_on.decide(command, Guest(going_on.seats[seat].guest, seat)) for _ in range(2))
        assert first.bodies[0].steps[0] == decision.bodies[0].steps[0]  # type: ignore[union-attr]
        hall.store(decision)  # as it is read from the log
        going_on.enter(hall.log[-1])
        assert going_on.game is game, "it stays one and the same"
    assert going_on.game == hall.table.game
    assert going_on.requests == hall.table.requests
    assert going_on.streams == hall.table.streams
    for eyes in hall.table.eyes:
        assert going_on.projection(eyes) == hall.table.projection(eyes)


def test_a_log_that_leads_elsewhere_is_not_believed() -> None:
    hall = TableStory().begin().play(30)
    at = next(i for i, entry in enumerate(hall.log) if isinstance(entry.body, log.Played))
    again = Table("t1")
    for entry in hall.log[:at]:
        again.enter(entry)
    with pytest.raises(LogBroken, match="not the one that was stored"):
        again.enter(msgspec.structs.replace(hall.log[at], position_hash="0" * 16))
    with pytest.raises(LogBroken, match="entry 5 after"):
        Table("t1").enter(msgspec.structs.replace(hall.log[0], seq=5))


def test_each_pair_of_eyes_counts_its_messages_without_a_gap() -> None:
    hall = TableStory(hand_limit=2).begin().play(250, seed=3)
    for eyes in hall.table.eyes:
        numbers = [message.number for message in hall.table.streams[eyes]]
        assert numbers == list(range(1, len(numbers) + 1))


def test_chat_reaches_everybody_and_watchers_cannot_speak() -> None:
    hall = TableStory().begin()
    assert hall.send("blue", m.Say(id="1", text="  hello\n there ")) is None
    assert hall.told[None][-1].text == "hello there"
    refusal = hall.send(None, m.Say(id="2", text="psst"))
    assert refusal is not None
    refusal = hall.send("blue", m.Say(id="3", text="x" * 600))
    assert refusal is not None
    assert refusal.code == "too_much"


def test_a_pause_needs_all_people_or_the_creator() -> None:
    hall = TableStory(clock=60).begin()
    before = hall.table.deadline("red")
    assert before is not None
    for seat in ("blue", "white"):
        assert hall.send(seat, m.Pause(id=seat)) is None
        assert not hall.table.paused
    assert hall.table.line().wishes == {"pause": ("blue", "white")}
    assert hall.send("red", m.Pause(id="r")) is None
    assert hall.table.paused
    assert hall.table.deadline("red") is None
    began = hall.now
    refusal = hall.act("red", "settlement C3n")
    assert refusal is not None
    assert refusal.code == "stopped"
    assert hall.send("orange", m.Resume(id="o")) is None
    assert hall.table.deadline("red") == before + hall.now - began


def test_who_is_away_is_played_for_and_comes_back_at_any_moment() -> None:
    hall = TableStory().begin()
    assert hall.send("red", m.Away(id="1")) is None
    assert hall.table.seats["red"].bot == "easy"
    refusal = hall.act("red", "settlement C3n")
    assert refusal is not None
    assert "come back first" in refusal.message
    decision = hall.table.decide(m.Act(id="b", action="settlement C3n"), Guest("", "red"), chooser="bot")
    hall.store(decision)
    assert hall.send("red", m.Back(id="2")) is None
    assert hall.act("red", "road C3/ne") is None
    assert hall.send("blue", m.Resign(id="3")) is None
    refusal = hall.send("blue", m.Back(id="4"))
    assert refusal is not None
    assert hall.table.seats["blue"].bot == "easy"


def test_an_agreed_end_ends_the_game_for_all() -> None:
    hall = TableStory().begin().play(20)
    for seat in ("blue", "white", "orange"):
        hall.send(seat, m.End(id=seat))
    assert hall.table.line().status == "playing"
    hall.send("red", m.End(id="r"))
    assert hall.table.line().status == "over"
    projection = hall.table.projection("blue")
    assert projection is not None
    assert projection.legal == ()
    assert projection.view["over"]
    refusal = hall.act("red", "roll")
    assert refusal is not None
    assert refusal.code == "stopped"


def test_nobody_can_agree_with_oneself_to_end_a_game_while_the_others_are_away() -> None:
    hall = TableStory().begin().play(20)
    for seat in ("red", "white", "orange"):
        assert hall.send(seat, m.Away(id=f"away {seat}")) is None
    assert hall.send("blue", m.End(id="1")) is None
    assert hall.table.line().status == "playing"
    for seat in ("white", "orange"):
        assert hall.send(seat, m.Back(id=f"back {seat}")) is None
        assert hall.send(seat, m.End(id=f"end {seat}")) is None
    assert hall.table.line().status == "playing", "red is still away, and was not asked"
    assert hall.send("red", m.Resign(id="2")) is None
    assert hall.send("blue", m.End(id="3", on=False)) is None
    assert hall.send("blue", m.End(id="4")) is None
    assert hall.table.line().status == "over", "who has resigned need not agree"


def test_a_pause_needs_only_those_who_are_there() -> None:
    hall = TableStory().begin().play(20)
    for seat in ("red", "white", "orange"):
        assert hall.send(seat, m.Away(id=f"away {seat}")) is None
    assert hall.send("blue", m.Pause(id="1")) is None
    assert hall.table.paused


def test_downtime_does_not_eat_into_the_clock() -> None:
    hall = TableStory(clock=60).begin()
    before = hall.table.deadline("red")
    assert before is not None
    hall.store(Decision((log.Restarted(seconds=3600),)))
    assert hall.table.deadline("red") == before + 3600


def test_steps_are_read_as_they_are_spelled() -> None:
    assert read_log_step("chance dice 3 4", ("red", "blue"))[0] == -1
    assert read_log_step("blue end", ("red", "blue"))[0] == 1


def test_every_phase_has_its_own_time_and_trading_wins_none() -> None:
    hall = TableStory(clock=60, dealer=lambda: hexholm.Scripted(["dice 1 1"] * 9)).begin()
    hall.act("red", "settlement C3n")
    after_settlement = hall.table.deadline("red")
    hall.act("red", "road C3/ne")
    assert after_settlement == hall.now - 1 + 60
    assert hall.table.deadline("red") is None
    assert hall.table.deadline("blue") == hall.now + 60
    hall.play(14)
    seat = hall.table.to_decide()[0]
    hall.act(seat, "roll")
    running = hall.table.deadline(seat)
    assert running == hall.now + 60
    hand = hall.table.view(seat)
    assert hand is not None
    held = next(kind for kind, n in hand.hand.items() if n)
    wanted = next(kind for kind in hexholm.Cards.kinds if kind != held)
    others = " ".join(color for color in hall.table.colors if color != seat)
    assert hall.act(seat, f"offer 1 {held} : 1 {wanted} to {others}") is None
    assert hall.act(seat, "withdraw #1") is None
    assert hall.table.deadline(seat) == running
