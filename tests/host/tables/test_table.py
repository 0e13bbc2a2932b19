"""The table, transport-free: what it decides, what it tells, and that its log is the truth."""

from __future__ import annotations

import random
import weakref
from typing import Any

import msgspec
import pytest

import hexholm
from hexholm.host.tables import log
from hexholm.host.tables.log import read_log_step
from hexholm.host.tables.seat_commands import decide_taking_seat
from hexholm.host.tables.seats import Guest
from hexholm.host.tables.table import LogBroken, Table
from hexholm.host.tables.table_decision import Decision
from hexholm.host.wire import messages
from hexholm.host.wire.host_refusals import Declined, Refusal
from hexholm.rules.boards import layout_for
from hexholm.rules.referee import Referee
from tests.helpers.marks import all_editions

PEOPLE = ("ann", "bob", "cid", "dan")


class TableStory:
    """One table with its log in memory, and everything it has told."""

    def __init__(self, make_dealer: Any = None, clock: float | None = None, **options: Any) -> None:
        self.table = Table("t1", make_dealer=make_dealer or hexholm.SystemRandom)
        self.log: list[log.LogEntry] = []
        self.messages_by_eyes: dict[str | None, list[Any]] = {}
        self.now, self.count = 1000.0, 0
        all_options = hexholm.options(**{"edition": "fifth", "first": 0, **options})
        board = layout_for(all_options, 5).to_toml()
        opened = log.Opened(title="a game", creator_id="ann", options=all_options.as_dict(), board=board, clock=clock)
        self.store(Decision((opened,)))
        for color, guest in zip(self.table.colors, PEOPLE, strict=False):
            decision = decide_taking_seat(self.table, color, guest, guest.title())
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
            for eyes, new_messages in self.table.enter(entry).messages_by_eyes.items():
                self.messages_by_eyes.setdefault(eyes, []).extend(new_messages)

    def send(self, color: str | None, command: messages.TableCommand, guest: str | None = None) -> Refusal | None:
        """A command of a seat, or of somebody without one."""
        guest_id = guest or (self.table.seats[color].guest_id if color else "eve")
        try:
            decision = self.table.decide(command, Guest(guest_id, color), looking=frozenset(self.table.colors))
        except Declined as error:
            return error.refusal
        assert decision.bodies
        self.store(decision)
        return None

    def act(self, color: str | None, action: str, request: int | None = None) -> Refusal | None:
        """An action of a seat."""
        self.count += 1
        return self.send(color, messages.Act(id=f"c{self.count}", action=action, question_number=request))

    def begin(self) -> TableStory:
        """The creator begins."""
        assert self.send(self.table.colors[0], messages.Begin(id="begin")) is None
        return self

    def play(self, steps: int, seed: int = 0) -> TableStory:
        """Random actions, as the seats see them."""
        pick = random.Random(seed)
        for _ in range(steps):
            asked_colors = self.table.asked_colors()
            if not asked_colors:
                break
            color = pick.choice(asked_colors)
            projection = self.table.projection(color)
            assert projection is not None
            refusal = self.act(color, pick.choice(projection.legal), projection.question_number)
            assert refusal is None or refusal.rule == "TRADE-10"
        return self


def test_a_table_is_opened_filled_and_begun_by_its_creator() -> None:
    hall = TableStory()
    assert hall.table.line().status == "open"
    refusal = hall.send("blue", messages.Begin(id="1"))
    assert refusal is not None
    assert refusal.code == "not_allowed"
    hall.begin()
    assert hall.table.line().status == "playing"
    assert hall.table.asked_colors() == ("red",)
    assert hall.messages_by_eyes["blue"][-1].what == "began"


def test_a_free_seat_stops_the_beginning_and_a_bot_fills_it() -> None:
    hall = TableStory()
    hall.send("red", messages.Kick(id="1", color="orange"))
    refusal = hall.send("red", messages.Begin(id="2"))
    assert refusal is not None
    assert "orange" in refusal.message
    assert hall.send("red", messages.SeatBot(id="3", color="orange", bot_name="easy")) is None
    hall.begin()
    assert hall.table.seats["orange"].bot_name == "easy"


def test_nobody_plays_two_colors() -> None:
    hall = TableStory()
    hall.send("red", messages.Kick(id="1", color="orange"))
    with pytest.raises(Declined, match="already"):
        decide_taking_seat(hall.table, "orange", "bob", "Bob again")


def test_refusals_say_what_kind_of_no_it_is_and_change_nothing() -> None:
    hall = TableStory().begin()
    before = len(hall.log)
    cases = [
        ("red", "dance", "not_readable"),
        ("red", "roll", "not_legal"),
        ("blue", "settlement C3n", "not_legal"),
        (None, "settlement C3n", "not_allowed"),
    ]
    for color, action, code in cases:
        refusal = hall.act(color, action)
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
    assert hall.act("red", "settlement C3n", projection.question_number) is None
    refusal = hall.act("red", "road C3/ne", projection.question_number)
    assert refusal is not None
    assert refusal.code == "closed"
    assert hall.act("red", "road C3/ne", projection.question_number + 1) is None


@all_editions
def test_a_table_read_back_from_its_log_is_the_same_table(edition: str) -> None:
    hall = TableStory(edition=edition, points_to_win=4).begin().play(400)
    copy = Table("t1")
    for entry in hall.log:
        copy.enter(entry)
    assert copy.game == hall.table.game
    assert copy.line() == hall.table.line()
    for eyes in hall.table.eyes:
        assert copy.by_eyes[eyes].question_number == hall.table.by_eyes[eyes].question_number
        assert copy.by_eyes[eyes].stream == hall.table.by_eyes[eyes].stream
        assert copy.projection(eyes) == hall.table.projection(eyes)


def test_a_table_that_goes_on_from_what_it_decided_is_the_one_its_log_leads_to() -> None:
    hall = TableStory(points_to_win=4).begin()
    going_on = Table("t1", make_dealer=hexholm.SystemRandom)
    for entry in hall.log:
        going_on.enter(entry)
    pick = random.Random(4)
    for number in range(200):
        asked_colors = going_on.asked_colors()
        if not asked_colors:
            break
        color = pick.choice(asked_colors)
        view, game = going_on.view(color), going_on.game
        assert view is not None
        command = messages.Act(id=str(number), action=pick.choice(view.legal_actions.texts))
        guest = Guest(going_on.seats[color].guest_id, color)
        first, decision = (going_on.decide(command, guest, looking=frozenset()) for _ in range(2))
        assert first.bodies[0].steps[0] == decision.bodies[0].steps[0]  # type: ignore[union-attr]
        hall.store(decision)  # as it is read from the log
        going_on.enter(hall.log[-1])
        assert going_on.game is game, "it stays one and the same"
    assert going_on.game == hall.table.game
    for eyes in hall.table.eyes:
        assert going_on.by_eyes[eyes].question_number == hall.table.by_eyes[eyes].question_number
        assert going_on.by_eyes[eyes].stream == hall.table.by_eyes[eyes].stream
        assert going_on.projection(eyes) == hall.table.projection(eyes)


def test_the_rules_carry_out_a_command_once(monkeypatch: pytest.MonkeyPatch) -> None:
    hall, codes, step = TableStory().begin(), list[int](), Referee.step

    def counted(referee: Referee, seat: int, code: int) -> None:
        codes.append(code)
        step(referee, seat, code)

    monkeypatch.setattr(Referee, "step", counted)
    decision = hall.table.decide(
        messages.Act(id="1", action="settlement C3n"), Guest("ann", "red"), looking=frozenset()
    )
    (entry,) = hall.table.new_entries(decision, hall.now)
    hall.table.enter(entry, decision)
    assert len(codes) == 1


def test_a_view_is_kept_as_long_as_somebody_holds_it_and_the_game_stands_still() -> None:
    hall = TableStory().begin()
    before = hall.table.view("red")
    assert hall.table.view("red") is before
    assert hall.act("red", "settlement C3n") is None
    after = hall.table.view("red")
    assert after is not None
    assert before is not None
    assert (len(before.settlements("red")), len(after.settlements("red"))) == (0, 1)
    let_go = weakref.ref(after)
    del after
    assert let_go() is None


def test_what_an_entry_leads_to_holds_the_views_that_were_made_for_it() -> None:
    hall = TableStory().begin()
    decision = hall.table.decide(
        messages.Act(id="1", action="settlement C3n"), Guest("ann", "red"), looking=frozenset()
    )
    (entry,) = hall.table.new_entries(decision, hall.now)
    entered = hall.table.enter(entry, decision)
    assert {view.seat for view in entered.views} == set(hall.table.colors)
    assert all(hall.table.view(view.seat) is view for view in entered.views)


def test_a_log_that_leads_elsewhere_is_not_believed() -> None:
    hall = TableStory().begin().play(30)
    at = next(i for i, entry in enumerate(hall.log) if isinstance(entry.body, log.Played))
    copy = Table("t1")
    for entry in hall.log[:at]:
        copy.enter(entry)
    with pytest.raises(LogBroken, match="not the one that was stored"):
        copy.enter(msgspec.structs.replace(hall.log[at], position_hash="0" * 16))
    with pytest.raises(LogBroken, match="entry 5 after"):
        Table("t1").enter(msgspec.structs.replace(hall.log[0], seq=5))


def test_each_pair_of_eyes_counts_its_messages_without_a_gap() -> None:
    hall = TableStory(hand_limit=2).begin().play(250, seed=3)
    for eyes in hall.table.eyes:
        numbers = [message.number for message in hall.table.by_eyes[eyes].stream]
        assert numbers == list(range(1, len(numbers) + 1))


def test_chat_reaches_all_seats_and_watchers_neither_hear_nor_speak() -> None:
    hall = TableStory().begin()
    told_before = list(hall.messages_by_eyes[None])
    assert hall.send("blue", messages.Say(id="1", text="  hello\n there ")) is None
    assert {hall.messages_by_eyes[color][-1].text for color in ("red", "blue", "white")} == {"hello there"}
    assert hall.messages_by_eyes[None] == told_before
    refusal = hall.send(None, messages.Say(id="2", text="psst"))
    assert refusal is not None
    refusal = hall.send("blue", messages.Say(id="3", text="x" * 600))
    assert refusal is not None
    assert refusal.code == "too_much"


def test_a_pause_needs_all_people() -> None:
    hall = TableStory(clock=60).begin()
    before = hall.table.deadline("red")
    assert before is not None
    for color in ("blue", "white"):
        assert hall.send(color, messages.Pause(id=color)) is None
        assert not hall.table.paused
    assert hall.send("red", messages.Pause(id="r")) is None, "the word of the creator counts as every other"
    line = hall.table.line()
    assert (line.paused, line.wishes, line.missing) == (
        False,
        {"pause": ("red", "blue", "white")},
        {"pause": ("orange",)},
    )
    assert hall.send("orange", messages.Pause(id="o1")) is None
    assert hall.table.paused
    assert hall.table.deadline("red") is None
    began = hall.now
    refusal = hall.act("red", "settlement C3n")
    assert refusal is not None
    assert refusal.code == "stopped"
    assert hall.send("orange", messages.Resume(id="o")) is None
    assert hall.table.deadline("red") == before + hall.now - began


def test_who_does_not_look_when_a_game_goes_on_is_away() -> None:
    hall = TableStory().begin()
    for color in hall.table.colors:
        assert hall.send(color, messages.Pause(id=color)) is None
    decision = hall.table.decide(messages.Resume(id="1"), Guest("ann", "red"), looking={"red", "blue", None})
    absent = tuple(log.AwayChanged(color=color, away=True) for color in ("white", "orange"))
    assert decision.bodies == (log.Paused(on=False, by="red"), *absent)


def test_who_is_away_is_played_for_and_comes_back_at_any_moment() -> None:
    hall = TableStory().begin()
    assert hall.send("red", messages.Away(id="1")) is None
    assert hall.table.seats["red"].bot_name == "easy"
    refusal = hall.act("red", "settlement C3n")
    assert refusal is not None
    assert "come back first" in refusal.message
    decision = hall.table.decide(
        messages.Act(id="b", action="settlement C3n"), Guest("", "red"), looking=frozenset(), chooser="bot"
    )
    hall.store(decision)
    assert hall.send("red", messages.Back(id="2")) is None
    assert hall.act("red", "road C3/ne") is None
    assert hall.send("blue", messages.Resign(id="3")) is None
    refusal = hall.send("blue", messages.Back(id="4"))
    assert refusal is not None
    assert hall.table.seats["blue"].bot_name == "easy"


def test_an_agreed_end_ends_the_game_for_all() -> None:
    hall = TableStory().begin().play(20)
    for color in ("blue", "white", "orange"):
        hall.send(color, messages.End(id=color))
    assert hall.table.line().status == "playing"
    hall.send("red", messages.End(id="r"))
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
    for color in ("red", "white", "orange"):
        assert hall.send(color, messages.Away(id=f"away {color}")) is None
    assert hall.send("blue", messages.End(id="1")) is None
    assert hall.table.line().status == "playing"
    for color in ("white", "orange"):
        assert hall.send(color, messages.Back(id=f"back {color}")) is None
        assert hall.send(color, messages.End(id=f"end {color}")) is None
    assert hall.table.line().status == "playing", "red is still away, and was not asked"
    assert hall.table.line().missing == {"end": ("red",)}
    assert hall.send("red", messages.Resign(id="2")) is None
    assert hall.table.line().status == "over", "who has resigned need not agree"


def test_a_pause_needs_only_those_who_are_there() -> None:
    hall = TableStory().begin().play(20)
    for color in ("red", "white", "orange"):
        assert hall.send(color, messages.Away(id=f"away {color}")) is None
    assert hall.send("blue", messages.Pause(id="1")) is None
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
    hall = TableStory(clock=60, make_dealer=lambda: hexholm.Scripted(["dice 1 1"] * 9)).begin()
    hall.act("red", "settlement C3n")
    after_settlement = hall.table.deadline("red")
    hall.act("red", "road C3/ne")
    assert after_settlement == hall.now - 1 + 60
    assert hall.table.deadline("red") is None
    assert hall.table.deadline("blue") == hall.now + 60
    hall.play(14)
    active_color = hall.table.asked_colors()[0]
    hall.act(active_color, "roll")
    running = hall.table.deadline(active_color)
    assert running == hall.now + 60
    hand = hall.table.view(active_color)
    assert hand is not None
    held = next(kind for kind, n in hand.hand.items() if n)
    wanted = next(kind for kind in hexholm.Cards.kinds if kind != held)
    other_colors = " ".join(color for color in hall.table.colors if color != active_color)
    assert hall.act(active_color, f"offer 1 {held} : 1 {wanted} to {other_colors}") is None
    assert hall.act(active_color, "withdraw #1") is None
    assert hall.table.deadline(active_color) == running
