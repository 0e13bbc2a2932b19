"""A table: the authority over one game and its seats. It knows no sockets, no storage and no clock of its own.

Two steps make up everything that happens. `decide` looks at a command and says what would be written to the log, or
raises Declined; it changes nothing, nor do `decide_restart` and its like, for what is no command. `enter` takes an
entry that *has been stored*, changes the table and returns what is now told to whom. So nobody is told what could still
be lost, and a table read back from its log is the same table. What is decided is worked out on a copy of the game, and
that copy is what is entered: the rules run once. What a table begins with is decided before it is there: `opening.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final, NamedTuple, assert_never
from weakref import WeakValueDictionary

from msgspec.structs import replace

from hexholm import __version__
from hexholm.game.game import Game, SeatView
from hexholm.game.new_game import game_options
from hexholm.game.positions.position import position_hash
from hexholm.game.result import GameStopped, Stop
from hexholm.rules.boards import read_written_board
from hexholm.rules.colors import Color
from hexholm.rules.errors import BadInput
from hexholm.rules.names import KIND_NAMES, kind_of
from hexholm.rules.reasons import IllegalAction

from ..wire import messages
from ..wire.host_refusals import Declined, Refusal
from ..wire.projection import project
from . import companion, fair_dice, lessons, log, seat_commands
from .own_action import OwnAction, read_own_action
from .rated_games import check_enough_people
from .seats import Eyes, Guest, Seat
from .state import EyesState, TableState
from .table_decision import Decision, play_decision
from .table_line import table_line

CARDS_DEALT: Final = ("stolen", "drawn")


class LogBroken(Exception):
    """A log that does not lead to the positions it names: written by another version, or damaged. Nothing is lost."""


class EntryOutcome(NamedTuple):
    """What an entry leads to."""

    messages_by_eyes: Mapping[Eyes, Sequence[messages.Numbered]]
    """What is now told to whom."""
    views: tuple[SeatView, ...] = ()
    """Of the game after it, made on the way: who holds this need not have them made again."""


@dataclass(slots=True)
class Table(TableState):
    """One table. Make it with an `Opened` entry; feed it entries in order.

    Here it decides and enters; how it was set up, who is there and how it stands is in `state.py`, inherited.
    """

    _line: messages.TableLine | None = None
    """What lists say of it, as it is now; None: an entry has changed it since anybody asked."""

    def line(self) -> messages.TableLine:
        """What everybody may know of the table; made once for all who ask, until an entry changes it."""
        if self._line is None:
            self._line = table_line(self)
        return self._line

    def line_for(self, eyes: Eyes, *, is_insider: bool = False) -> messages.TableLine:
        """What a pair of eyes may know of the table: of an unlisted one, only insiders learn what follows."""
        line = self.line()
        if is_insider or eyes is not None or line.rematch is None or self.opening.visibility == "open":
            return line
        return replace(line, rematch=None)

    def projection(self, eyes: Eyes) -> messages.Projection | None:
        """The game through a pair of eyes, as data."""
        view = self.view(eyes)
        if view is None:
            return None
        projection = project(
            view, self.by_eyes[eyes].question_number, ranges=self.opening.ranges, deadline=self.deadline(eyes)
        )
        return companion.add_question(self, projection) if self.opening.is_board_real else projection

    # --- deciding ------------------------------------------------------------------------------------------------

    def decide(
        self,
        command: messages.TableCommand,
        guest: Guest,
        *,
        looking: AbstractSet[Eyes],
        chooser: log.Chooser = "person",
        own_action: OwnAction | None = None,
    ) -> Decision:
        """What a command would lead to, where these eyes look; changes nothing. Raises Declined.

        `own_action` is the action of an `Act`, for whoever has read it already.
        """
        match command:
            case messages.Act():
                return self._act(command, guest, chooser, own_action)
            case messages.Begin():
                return self._begin(guest)
            case messages.Deal():
                return companion.decide_deal(self, command, guest)
            case messages.TakeBack():
                return companion.decide_take_back(self, command, guest)
            case messages.PromiseWord():
                return fair_dice.decide_promise(self.fair_dice, command, guest, is_open=self.status == "open")
            case messages.OpenWord():
                is_open = self.status == "open"
                return fair_dice.decide_word(self.fair_dice, command, guest, self.id, is_open=is_open)
            case messages.Resume():
                return seat_commands.decide_resumption(self, guest, looking)
            case _:
                return seat_commands.decide_seat_command(self, command, guest)

    def decide_restart(self, seconds: float) -> Decision:
        """What it leads to that the host was down for so long."""
        return Decision((log.Restarted(seconds=seconds, version=__version__),))

    def decide_rematch(self, next_id: str) -> Decision:
        """What it leads to that another table follows this one."""
        return Decision((log.Rematched(table_id=next_id),))

    def decide_freeing(self) -> Decision:
        """What it leads to that seats were kept for long enough."""
        return Decision((log.Freed(),))

    def decide_waiting(self, *, on: bool) -> Decision:
        """What it leads to that nobody is there any more, or somebody is again."""
        return Decision((log.Waited(on=on),))

    def decide_stop(self, how: Stop, note: str) -> Decision:
        """What it leads to that the host ends the game."""
        return Decision((log.Ended(how=how, note=note),))

    def why_not(self, action: str, guest: Guest) -> Refusal | None:
        """Why a seat may not play an action, from what it sees alone; None: it may. Raises Declined for no action."""
        if guest.color is None:
            raise Declined.because("watching")
        refusal = self.why_cannot_act(guest.color)
        if refusal is not None:
            return refusal
        code = read_own_action(action, guest.color, self.colors).checked_code()
        view = self.view(guest.color)
        assert view is not None, "a game that has not begun was refused"
        try:
            reason = view.why_not(code)
        except BadInput as error:
            raise Declined.because("cannot_be_played", detail=str(error)) from error
        return None if reason is None else Refusal.of_rules(reason)

    def _act(self, command: messages.Act, guest: Guest, chooser: log.Chooser, own_action: OwnAction | None) -> Decision:
        if guest.color is None:
            raise Declined.because("watching")
        refusal = self.why_cannot_act(guest.color, for_person=chooser == "person")
        if refusal is not None:
            raise Declined(refusal)
        game = self.begun_game
        seat = self.seats[guest.color]
        # Who is away is back when all discards are in, and chooses nevertheless while a bot stands in.
        may_choose = seat.sitter == "person" and self.is_discarding
        if chooser == "person" and seat.bot_name is not None and not may_choose:
            raise Declined.because("bot_plays")
        current_number = self.by_eyes[guest.color].question_number
        if command.question_number is not None and command.question_number != current_number:
            raise Declined.because("question_closed", asked=command.question_number, now=current_number)
        code = (own_action or read_own_action(command.action, guest.color, self.colors)).checked_code()
        after = game.copy()
        try:
            after.play(code, by=guest.color)
        except IllegalAction as error:
            raise Declined(Refusal.of_action(error)) from error
        except (GameStopped, BadInput) as error:
            raise Declined.because("cannot_be_played", detail=str(error)) from error
        return play_decision(game, after, guest.color, chooser)

    def _begin(self, guest: Guest) -> Decision:
        seat_commands.check_creator(self, guest)
        if self.status != "open":
            raise Declined.because("begun_already")
        if self.free_seats:
            raise Declined.because("seats_free", seats=self.free_seats)
        check_enough_people(self)
        if self.fair_dice.open_until is not None:
            raise Declined.because("begun_already")
        if self.fair_dice.promises:
            return Decision((log.WordsAsked(),))
        return self.decide_first_draw()

    def decide_first_draw(self) -> Decision:
        """How the game begins, with the starting rolls; all words for the dice that are not open count as empty."""
        after = self._game_to_begin()
        if after.chance is not None:
            after.deal()  # as far as it is not told by people
        steps = tuple(log.log_step(after, seat, code) for seat, code in after.steps)
        return Decision((log.Began(steps=steps),), after=after)

    def _game_to_begin(self) -> Game:
        game = self._unplayed.copy()
        dealer = self.fair_dice.dealer(self.id)
        if dealer is not None:
            game.dealer = dealer
        return game

    def new_entries(self, decision: Decision, now: float) -> list[log.LogEntry]:
        """A decision as the next entries of the log, to be stored and then entered; time never goes back in a log."""
        time = max(now, self.time)
        return [
            log.LogEntry(seq=self.seq + i, time=time, body=body, position_hash=decision.position_hash)
            for i, body in enumerate(decision.bodies, 1)
        ]

    # --- entering ------------------------------------------------------------------------------------------------

    def enter(self, entry: log.LogEntry, decision: Decision | None = None) -> EntryOutcome:
        """Take a stored entry; returns what is now told to whom.

        `decision` is what it comes from, if that was made here and now: its game takes the place of the
        one that is there. Else what the entry says is played again, and must lead to the position that was stored.
        """
        if entry.seq != self.seq + 1:
            raise LogBroken(f"table {self.id}: entry {entry.seq} after {self.seq}")
        self.seq, self.time, self.latest_events = entry.seq, entry.time, ()
        after, unplayed = (None, None) if decision is None else (decision.after, decision.unplayed)
        if not entry.body.keeps_views:
            self._views = WeakValueDictionary()
        messages_by_eyes: dict[Eyes, list[messages.Numbered]] = {eyes: [] for eyes in self.eyes}
        body = entry.body
        match body:
            case log.Opened():
                self._open(body, entry.time, unplayed)
                self._line = None
                return EntryOutcome({})
            case log.Began():
                self._enter_steps(body.steps, entry, messages_by_eyes, after, begins=True)
            case log.Played():
                self._enter_steps(body.steps, entry, messages_by_eyes, after)
            case log.Said():
                self.spectator_remarks += not body.color
                for eyes, own_messages in messages_by_eyes.items():
                    if not self._hears(eyes, body.color):
                        continue
                    stream = self.by_eyes[eyes].stream
                    remark = messages.Chatted(
                        number=len(stream) + 1, time=entry.time, by=body.color, text=body.text, spectator=body.name
                    )
                    stream.append(remark)
                    own_messages.append(remark)
                return EntryOutcome(messages_by_eyes)
            case log.Muted():  # nobody else's business
                self._enter_change(body)
                messages_by_eyes = {body.by: []}
            case log.TookBack():
                self._take_back(body, after)
            case _:
                self._enter_change(body)
        if self.status == "over" and self.ended is None:
            self.ended, self.waiting = entry.time, False
        if not isinstance(body, log.Played) or self.status == "over":  # the last move changes the table too
            self._line = None
            what = "over" if isinstance(body, log.Played) else body.tag
            dice = {eyes: self.dice_line(eyes) for eyes in messages_by_eyes}
            for eyes, own_messages in messages_by_eyes.items():
                stream, muted = self.by_eyes[eyes].stream, self.muted(eyes)
                number = len(stream) + 1
                change = messages.Changed(
                    number=number,
                    time=entry.time,
                    what=what,
                    table=self.line_for(eyes),
                    muted=muted,
                    by=body.told_color,
                    dice=dice[eyes],
                )
                stream.append(change)
                own_messages.append(change)
        return EntryOutcome(messages_by_eyes, self._number_questions(entry.time))

    def _hears(self, eyes: Eyes, speaker: Color) -> bool:
        """Whether a pair of eyes is told what a seat says, or ("") one who watches."""
        return self.opening.spectators_speak if eyes is None else speaker not in self.seats[eyes].muted

    def _open(self, body: log.Opened, time: float, unplayed: Game | None) -> None:
        options = game_options(**body.options) if unplayed is None else unplayed.options
        layout = read_written_board(body.board) if unplayed is None else unplayed.layout
        dealer = lessons.lesson_dealer(body.lesson, self.make_dealer())
        if body.is_board_real:
            dealer = companion.PeopleDealer(
                body.chance_source, dealer, lambda color: self.seats[color].bot_name is not None
            )
        self._unplayed = Game.unplayed(options, layout, dealer=dealer)
        self.seats = {color: Seat(color) for color in options.colors}
        self.by_eyes = {eyes: EyesState() for eyes in self.eyes}
        self.opening, self.status, self.pace, self.created, self.version = body, "open", body.pace, time, body.version
        self.bot_seed = body.bot_seed or self.id  # older logs have none
        # Without a name: whoever it was kept for was deleted.
        self.reservations = {color: reservation for color, reservation in body.reserved.items() if reservation.name}
        self.reserved_until = body.reserved_until
        self.fair_dice = fair_dice.FairDice(body.dice_commitment, self.dice_key)

    def _enter_steps(
        self,
        steps: tuple[str, ...],
        entry: log.LogEntry,
        messages_by_eyes: dict[Eyes, list[messages.Numbered]],
        after: Game | None,
        *,
        begins: bool = False,
    ) -> None:
        assert begins == (self.game is None), "a game begins once, and before it is played"
        game = self._game_to_begin() if self.game is None else self.game
        before = None if begins else game.step_count
        if after is None:
            game.repeat(log.read_log_step(text, self.colors) for text in steps)
            if entry.position_hash is not None and position_hash(game.position()) != entry.position_hash:
                why = "the position after it is not the one that was stored"
                raise LogBroken(f"table {self.id}, entry {entry.seq}: {why}")
        else:
            game = after
        self.game = game
        if begins:
            self.status = "playing"
        self.moves += 1
        body = entry.body
        if isinstance(body, log.Played):
            self.has_weak_bots |= body.weak
            if body.chooser == "person":
                self.acted_colors.add(body.color)
        by_host = isinstance(body, log.Played) and (self.opening.chance_source == "dice" or body.chooser == "bot")
        if by_host and any(KIND_NAMES[kind_of(code)] in CARDS_DEALT for _, code in game.steps_since(before or 0)):
            self.dealt_until = game.step_count
        self.latest_events = game.events_since(before).events
        events = [(event, event.as_dict()) for event in self.latest_events]
        is_hidden = any(event.hidden for event in self.latest_events)
        faces = tuple(data for _, data in events)  # all that happened, which mostly everybody sees
        for eyes, own_messages in messages_by_eyes.items():
            if is_hidden:
                seen = [(event, data, event.seen_by(eyes)) for event, data in events]
                faces = tuple(
                    data if face is event else face.as_dict() for event, data, face in seen if face is not None
                )
            if faces:
                stream = self.by_eyes[eyes].stream
                message = messages.Told(number=len(stream) + 1, time=entry.time, events=faces)
                stream.append(message)
                own_messages.append(message)
        if game.over:
            self.status = "over"

    def _enter_change(self, body: log.EntryBody) -> None:
        match body:
            case log.Seated():
                self._reseat(Seat(body.color, body.sitter, body.name, body.guest_id, body.bot_name))
                if self.status == "open" and not body.keeps_words:
                    self._drop_dice_words(body.color)
                self.kicked_guest_ids |= {body.kicked} - {""}
            case log.Wished():
                (self.wishes[body.what].add if body.on else self.wishes[body.what].discard)(body.color)
            case log.Paused():
                self.paused = body.on
                self.wishes["pause"].clear()
                if body.on:
                    self._paused_since = self.time
                else:
                    self._shift_clocks(self.time - self._paused_since)
            case log.Waited():
                self.waiting = body.on
                if not body.on:
                    self._restart_clocks()
            case log.AwayChanged():
                self._change_presence(self.seats[body.color], body)
            case log.LongGone():
                self.seats[body.color].long_gone = True
            case log.KickWished():
                wishing = self.seats[body.color].kick_wishes
                (wishing.add if body.on else wishing.discard)(body.by)
            case log.Ended():
                if self.game is not None:  # else it never began
                    self.game.stop(body.how, body.note)
                self.status = "over"
                self.paused = False
            case log.Restarted():
                self.version = body.version
                if not self.paused:  # else the pause takes longer
                    self._shift_clocks(body.seconds)
                for seat in self.seats.values():
                    seat.away_since += body.seconds
                if self.fair_dice.open_until is not None and self.status == "open":
                    self.fair_dice.open_until += body.seconds
            case log.Muted():
                muted = self.seats[body.by].muted
                (muted.add if body.on else muted.discard)(body.color)
            case log.Silenced():
                if body.color:
                    self.seats[body.color].silenced = body.on
                else:
                    self.spectators_silenced = body.on
            case log.Renamed():
                self.seats[body.color].name = body.name
            case log.Paced():
                self.pace = body.pace
            case log.Freed():
                self.reservations = {}
            case log.Rematched():
                self.rematch = body.table_id
            case log.Promised():
                self.fair_dice.promises[body.color] = body.promise
            case log.WordsAsked():
                self.fair_dice.open_until = self.time + fair_dice.DICE_WORDS_PATIENCE
            case log.WordOpened():
                self.fair_dice.dice_words[body.color] = body.word
            case log.Mistold():
                pass  # it is told, and changes nothing
            case log.Opened() | log.Began() | log.Played() | log.Said() | log.TookBack():
                raise AssertionError("these are entered apart")
            case _:
                assert_never(body)

    def _drop_dice_words(self, color: Color) -> None:
        """Somebody else sits there now.

        In older logs also while words were opened; then the game did not begin after all.
        """
        if self.fair_dice.open_until is None:
            self.fair_dice.promises.pop(color, None)
        else:
            self.fair_dice.drop_dice_words()

    def _take_back(self, body: log.TookBack, after: Game | None) -> None:
        self.game = game = companion.before_last_action(self.begun_game) if after is None else after
        self.moves += 1
        if game.step_count != body.steps_left:
            raise LogBroken(f"table {self.id}: {game.step_count} steps are left, not {body.steps_left}")

    def _shift_clocks(self, seconds: float) -> None:
        """So many seconds do not count for the clocks; new time for everybody could be had by pausing again."""
        for eyes_state in self.by_eyes.values():
            if eyes_state.asked_since is not None:
                eyes_state.asked_since += seconds

    def _restart_clocks(self) -> None:
        """All have their whole time again: nobody was there, and nobody gains by it what another one loses."""
        for eyes_state in self.by_eyes.values():
            if eyes_state.asked_since is not None:
                eyes_state.asked_since = self.time
        self.shown_asked_since = dict.fromkeys(self.shown_asked_since, self.time)

    def _change_presence(self, seat: Seat, body: log.AwayChanged) -> None:
        own_state = self.by_eyes[seat.color]
        if seat.is_away_without_bot and not body.away and own_state.asked_since is not None:
            own_state.asked_since = self.time  # its clock stood still
        if body.away and not seat.away:
            seat.away_since = self.time
        seat.away, seat.resigned = body.away, body.resigned
        seat.bot_name = body.bot_name if body.away or body.resigned else None
        if not body.away:
            seat.long_gone = False
        seat.kick_wishes.clear()
        if body.resigned:
            self._drop_wishes(seat.color)

    def _drop_wishes(self, color: Color) -> None:
        """Nobody plays there any more who could want something."""
        for wishing in (*self.wishes.values(), *(seat.kick_wishes for seat in self.seats.values())):
            wishing.discard(color)

    def _reseat(self, seat: Seat) -> None:
        """Somebody else sits there now: who mutes whom begins anew."""
        self._drop_wishes(seat.color)
        if seat.sitter == "person" and self.seats[seat.color].guest_id == seat.guest_id:
            seat.muted, seat.silenced = self.seats[seat.color].muted, self.seats[seat.color].silenced
        else:
            for other_seat in self.seats.values():
                other_seat.muted.discard(seat.color)
        self.seats[seat.color] = seat
        self.reservations = {
            color: reservation
            for color, reservation in self.reservations.items()
            if reservation.guest_id != seat.guest_id
        }

    def _number_questions(self, time: float) -> tuple[SeatView, ...]:
        """Number the questions: a new number when what a seat is asked has changed, by its own view. The views."""
        views: list[SeatView] = []
        awaited = 0  # as bits, as those see it who are not asked themselves
        if self.game is None:
            return ()
        for eyes in self.seats:  # nothing is asked of the public
            view = self.view(eyes)
            assert view is not None
            views.append(view)
            own_state = self.by_eyes[eyes]
            asked_for = (view.current_prompt, view.legal_actions.codes)
            if own_state.asked_for != asked_for:
                own_state.asked_for = asked_for
                own_state.question_number += 1
            facts = view.facts
            awaited |= facts.to_act & ~(1 << facts.observer)
            is_asked = self.status == "playing" and view.asked
            turn_and_phase = (facts.turn_number, facts.active, facts.phase)
            if not is_asked:
                own_state.asked_since = own_state.asked_at = None
            elif own_state.asked_since is None or own_state.turn_and_phase != turn_and_phase:
                own_state.asked_since = time  # a new turn or phase, new time; trading back and forth is none
                own_state.asked_at = time
            own_state.turn_and_phase = turn_and_phase
        self.shown_asked_since = {
            color: self.shown_asked_since.get(color, time) for i, color in enumerate(self.seats) if awaited >> i & 1
        }
        return tuple(views)
