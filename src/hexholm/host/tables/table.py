"""A table: the authority over one game and its seats. It knows no sockets, no storage and no clock of its own.

Two steps make up everything that happens. `decide` looks at a command and says what would be written to the log and
what the sender is answered; it changes nothing. `enter` takes an entry that *has been stored*, changes the table and
returns what is now told to whom. So nobody is told what could still be lost, and a table read back from its log is the
same table. What is decided is worked out on a copy of the game, and that copy is what is entered: the rules run once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hexholm.game.action import CHANCE, split_speaker
from hexholm.game.game import Game
from hexholm.game.language.action_parser import AmbiguousAction
from hexholm.game.new_game import game_options
from hexholm.game.positions.position import position_hash
from hexholm.game.result import GameStopped
from hexholm.rules.boards import read_board
from hexholm.rules.errors import BadInput
from hexholm.rules.notation import UnreadableAction
from hexholm.rules.referee import IllegalAction

from ..wire import messages as m
from ..wire.host_refusals import Declined, Refusal
from ..wire.projection import project
from . import log, seat_commands
from .seats import Eyes, Guest, Seat
from .special import companion, lessons
from .state import TableState
from .table_decision import Decision, play_decision, refuse

HOST_DEALT: Final = (f"{CHANCE} stolen", f"{CHANCE} drawn")


class LogBroken(Exception):
    """A log that does not lead to the positions it names: written by another version, or damaged. Nothing is lost."""


@dataclass(slots=True)
class Table(TableState):
    """One table. Make it with an `Opened` entry; feed it entries in order."""

    def projection(self, eyes: Eyes) -> m.Projection | None:
        """The game through a pair of eyes, as data."""
        view = self.view(eyes)
        if view is None:
            return None
        shown = project(view, self.requests.get(eyes, 0), ranges=self.ranges, deadline=self.deadline(eyes))
        return shown if self.chance_source == "host" else companion.add_question(self, shown)

    # --- deciding ------------------------------------------------------------------------------------------------

    def decide(self, command: m.TableCommand, guest: Guest, chooser: log.Chooser = "person") -> Decision:
        """What a command would lead to; changes nothing."""
        match command:
            case m.Act():
                return self._act(command, guest, chooser)
            case m.Begin():
                return self._begin(guest)
            case m.Deal():
                return companion.deal(self, command, guest)
            case m.TakeBack():
                return companion.take_back(self, command, guest)
            case _:
                return seat_commands.decide_seat_command(self, command, guest)

    def why_not(self, action: str, guest: Guest) -> Refusal | None:
        """Why a seat may not play an action, from what it sees alone; None: it may. Raises Declined for no action."""
        view = self.view(guest.seat)
        if guest.seat is None:
            raise Declined.because("watching")
        own_action = _without_seat(action, guest.seat)
        own = self._cannot_act(guest.seat)
        if own is not None:
            return Refusal.because(own)
        assert view is not None, "a game that has not begun was refused"
        try:
            reason = view.why_not(own_action)
        except UnreadableAction as error:
            raise Declined.because("unreadable_action", detail=str(error)) from error
        except BadInput as error:
            raise Declined.because("cannot_be_played", detail=str(error)) from error
        return None if reason is None else Refusal.of_rules(reason, view.options)

    def _cannot_act(self, seat: str) -> str | None:
        """Why a seat can play nothing at all now, for reasons that are not the game's."""
        if self.game is None:
            return "not_begun"
        if self.status == "over":
            return "over"
        if self.paused:
            return "paused"
        return "resigned" if self.seats[seat].resigned else None

    def _act(self, command: m.Act, guest: Guest, chooser: log.Chooser) -> Decision:
        if guest.seat is None:
            return refuse("watching")
        own = self._cannot_act(guest.seat)
        if own is not None and not (own == "resigned" and chooser != "person"):
            return refuse(own)
        assert self.game is not None, "a game that has not begun was refused"
        if chooser == "person" and self.seats[guest.seat].bot is not None:
            return refuse("bot_plays")
        now = self.requests.get(guest.seat, 0)
        if command.request is not None and command.request != now:
            return refuse("question_closed", asked=command.request, now=now)
        after = self.game.copy()
        try:
            after.play(_without_seat(command.action, guest.seat), by=guest.seat)
        except Declined as no:
            return Decision(refusal=no.refusal)
        except UnreadableAction as no:
            return refuse("unreadable_action", detail=str(no))
        except AmbiguousAction as no:
            return refuse("two_meanings", detail=str(no))
        except IllegalAction as no:
            return Decision(refusal=Refusal.of_action(no, self.game.options))
        except (GameStopped, BadInput) as no:
            return refuse("cannot_be_played", detail=str(no))
        return play_decision(self.game, after, guest.seat, chooser)

    def _begin(self, guest: Guest) -> Decision:
        if no := seat_commands.refuse_unless_creator(self, guest):
            return no
        if self.status != "open":
            return refuse("begun_already")
        if self.free_seats:
            return refuse("seats_free", seats=self.free_seats)
        assert self._unplayed is not None
        after = self._unplayed.copy()
        if after.chance is not None:
            after.deal()  # as far as it is not told by people
        steps = tuple(log.log_step(after, seat, code) for seat, code in after.steps)
        return Decision((log.Began(steps=steps),), after=after)

    def new_entries(self, decision: Decision, now: float) -> list[log.LogEntry]:
        """A decision as the next entries of the log, to be stored and then entered; time never goes back in a log."""
        time = max(now, self.time)
        return [
            log.LogEntry(seq=self.seq + i, time=time, body=body, position_hash=decision.position_hash)
            for i, body in enumerate(decision.bodies, 1)
        ]

    # --- entering ------------------------------------------------------------------------------------------------

    def enter(self, entry: log.LogEntry, after: Game | None = None) -> dict[Eyes, list[m.Numbered | m.Now]]:
        """Take a stored entry; returns what is now told to whom.

        `after` is the game it leads to, where it was decided here and now; else what the entry says is played again,
        and must lead to the position that was stored with it.
        """
        if entry.seq != self.seq + 1:
            raise LogBroken(f"table {self.id}: entry {entry.seq} after {self.seq}")
        self.seq, self.time, self.latest_events = entry.seq, entry.time, ()
        if not isinstance(entry.body, log.Said):
            self._views.clear()
        told: dict[Eyes, list[m.Numbered | m.Now]] = {eyes: [] for eyes in self.eyes}
        body = entry.body
        match body:
            case log.Opened():
                self._open(body, entry.time)
                return {}
            case log.Began():
                self._play_on(body.steps, entry, told, after, opening=True)
            case log.Played():
                self._play_on(body.steps, entry, told, after)
            case log.Said():
                for eyes, heard in told.items():
                    if eyes is not None and body.seat in self.seats[eyes].muted:
                        continue
                    number = len(self._stream(eyes)) + 1
                    said = m.Chatted(number=number, time=entry.time, by=body.seat, text=body.text)
                    self._stream(eyes).append(said)
                    heard.append(said)
                return told
            case log.Muted():  # nobody else's business
                self._change(body)
                told = {body.by: []}
            case log.TookBack():
                self._take_back(body, after)
            case _:
                self._change(body)
        if self.status == "over" and self.ended is None:
            self.ended = entry.time
        if not isinstance(body, log.Played) or self.status == "over":  # the last move changes the table too
            what = "over" if isinstance(body, log.Played) else str(body.__struct_config__.tag)
            line = self.line()
            by = body.seat or None if isinstance(body, log.TookBack | log.Mistold) else None
            for eyes, heard in told.items():
                number, muted = len(self._stream(eyes)) + 1, self.muted(eyes)
                changed = m.Changed(number=number, time=entry.time, what=what, table=line, muted=muted, by=by)
                self._stream(eyes).append(changed)
                heard.append(changed)
        self._number_questions(entry.time)
        return told

    def _stream(self, eyes: Eyes) -> list[m.Numbered]:
        return self.streams.setdefault(eyes, [])

    def _open(self, body: log.Opened, time: float) -> None:
        chosen = game_options(**body.options)
        layout = read_board(body.board)
        dealer = lessons.lesson_dealer(body.lesson, self.dealer())
        if body.chance_source != "host":
            dealer = companion.PeopleDealer(body.chance_source, dealer, lambda color: self.seats[color].bot is not None)
        self._unplayed = Game.unplayed(chosen, layout, dealer=dealer)
        self.seats = {color: Seat(color) for color in chosen.colors}
        self.opened, self.status, self.pace, self.created, self.version = body, "open", body.pace, time, body.version
        self.bot_seed = body.bot_seed or self.id  # older logs have none
        self.reserved, self.reserved_until = dict(body.reserved), body.reserved_until

    def _play_on(
        self,
        steps: tuple[str, ...],
        entry: log.LogEntry,
        told: dict[Eyes, list[m.Numbered | m.Now]],
        after: Game | None,
        *,
        opening: bool = False,
    ) -> None:
        game = self._unplayed if opening else self.game
        assert game is not None
        before = None if opening else game.step_count
        if after is None:
            game.repeat(log.read_log_step(text, self.colors) for text in steps)
            if entry.position_hash is not None and position_hash(game.position()) != entry.position_hash:
                why = "the position after it is not the one that was stored"
                raise LogBroken(f"table {self.id}, entry {entry.seq}: {why}")
        else:
            game = after
        self.game = game
        if opening:
            self._unplayed, self.status = None, "playing"
        self.moves += 1
        body = entry.body
        by_host = isinstance(body, log.Played) and (self.chance_source == "dice" or body.by == "bot")
        if by_host and any(step.startswith(HOST_DEALT) for step in steps):
            self.dealt_until = game.step_count
        self.latest_events = game.past(before).events
        events = [(event, event.as_dict()) for event in self.latest_events]
        for eyes, heard in told.items():
            seen = [(event, data, event.seen_by(eyes)) for event, data in events]
            faces = tuple(data if face is event else face.as_dict() for event, data, face in seen if face is not None)
            if faces:
                message = m.Told(number=len(self._stream(eyes)) + 1, time=entry.time, events=faces)
                self._stream(eyes).append(message)
                heard.append(message)
        if game.over:
            self.status = "over"

    def _change(self, body: log.EntryBody) -> None:
        match body:
            case log.Seated():
                self._reseat(Seat(body.seat, body.who, body.name, body.guest, body.bot))
                self.kicked |= {body.kicked} - {""}
            case log.Wished():
                (self.wishes[body.what].add if body.on else self.wishes[body.what].discard)(body.seat)
            case log.Paused():
                self.paused = body.on
                self.wishes["pause"].clear()
                if body.on:
                    self._paused_since = self.time
                else:
                    self._stand_still(self.time - self._paused_since)
            case log.Left():
                seat = self.seats[body.seat]
                seat.away, seat.resigned = body.away, body.resigned
                seat.bot_name = body.bot if body.away or body.resigned else None
            case log.Ended():
                if self.game is not None:  # else it never began
                    self.game.cut(body.how, body.note)
                self.status = "over"
                self.paused = False
            case log.Restarted():
                self.version = body.version
                if not self.paused:  # else the pause takes longer
                    self._stand_still(body.seconds)
            case log.Muted():
                muted = self.seats[body.by].muted
                (muted.add if body.on else muted.discard)(body.seat)
            case log.Silenced():
                self.seats[body.seat].silenced = body.on
            case log.Renamed():
                self.seats[body.seat].name = body.name
            case log.Paced():
                self.pace = body.pace
            case log.Freed():
                self.reserved = {}
            case log.Followed():
                self.rematch = body.table

    def _take_back(self, body: log.TookBack, after: Game | None) -> None:
        assert self.game is not None
        self.game = companion.before_last_action(self.game) if after is None else after
        self.moves += 1
        if self.game.step_count != body.left:
            raise LogBroken(f"table {self.id}: {self.game.step_count} steps are left, not {body.left}")

    def _stand_still(self, seconds: float) -> None:
        """So many seconds do not count for the clocks; new time for everybody could be had by pausing again."""
        self.asked_since = {eyes: since + seconds for eyes, since in self.asked_since.items()}

    def _reseat(self, seat: Seat) -> None:
        """Somebody else sits there now: who mutes whom begins anew."""
        if seat.kind == "person" and self.seats[seat.color].guest == seat.guest:
            seat.muted, seat.silenced = self.seats[seat.color].muted, self.seats[seat.color].silenced
        else:
            for other in self.seats.values():
                other.muted.discard(seat.color)
        self.seats[seat.color] = seat
        self.reserved = {color: kept for color, kept in self.reserved.items() if kept.guest != seat.guest}

    def _number_questions(self, time: float) -> None:
        """Number the questions: a new number when what a seat is asked has changed, by its own view."""
        if self.game is None:
            return
        for eyes in self.seats:  # nothing is asked of the public
            view = self.view(eyes)
            assert view is not None
            question = (view.question, view.legal_actions.codes)
            if self._questions.get(eyes) != question:
                self._questions[eyes] = question
                self.requests[eyes] = self.requests.get(eyes, 0) + 1
            known = view.facts
            asked = self.status == "playing" and view.asked
            moment = (known.turn_number, known.active, known.phase)
            if not asked:
                self.asked_since.pop(eyes, None)
            elif eyes not in self.asked_since or self._moments.get(eyes) != moment:
                self.asked_since[eyes] = (
                    time  # a new turn or phase, new time; trading and building back and forth is none
                )
            self._moments[eyes] = moment


def _without_seat(action: str, seat: str) -> str:
    """An action without the name of its seat before it. Raises Declined where that is the name of another."""
    speaker, own_action = split_speaker(action) or (seat, action)
    if speaker != seat:
        raise Declined.because("not_your_seat", other=speaker)
    return own_action
