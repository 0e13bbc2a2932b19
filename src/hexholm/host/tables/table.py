"""A table: the authority over one game and its seats. It knows no sockets, no storage and no clock of its own.

Two steps make up everything that happens. `decide` looks at a command and says what would be written to the log and
what the sender is answered; it changes nothing. `enter` takes an entry that *has been stored*, changes the table and
returns what is now told to whom. So nobody is told what could still be lost, and a table read back from its log is the
same table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from hexholm.game.action import CHANCE, spoken
from hexholm.game.dealers import Dealer, Fresh
from hexholm.game.game import Game, GameStopped
from hexholm.game.language.parsing import AmbiguousAction
from hexholm.game.new_game import options as game_options
from hexholm.game.positions.position import position_hash
from hexholm.game.views.seat_knowledge import SeatView
from hexholm.rules.boards import Layout, read_board
from hexholm.rules.errors import BadInput
from hexholm.rules.notation import UnreadableAction
from hexholm.rules.options import Options
from hexholm.rules.referee import IllegalAction

from ..wire import messages as m
from ..wire.projection import project
from ..wire.refusals import refused, values_of
from . import log
from . import seat_commands as manners
from .model import Decision, Eyes, Guest, Seat
from .seat_commands import STAND_IN
from .special import companion, lessons

__all__ = ["STAND_IN", "Decision", "Eyes", "Guest", "LogBroken", "Seat", "Table"]

HOST_DEALT: Final = (f"{CHANCE} stolen", f"{CHANCE} drawn")
SAID_LEGAL: Final = 12  # legal actions that a refusal lists


class LogBroken(Exception):
    """A log that does not lead to the positions it names: written by another version, or damaged. Nothing is lost."""


@dataclass(slots=True)
class Table:
    """One table. Make it with an `Opened` entry; feed it entries in order."""

    id: str
    dealer: Callable[[], Dealer] = Fresh
    status: str = "new"
    title: str = ""
    creator: str = ""
    seats: dict[str, Seat] = field(default_factory=dict)
    game: Game | None = None
    paused: bool = False
    clock: float | None = None
    ranges: bool = False
    pace: m.Speed = "normal"
    chance: m.Chance = "host"
    lesson: str = ""
    wishes: dict[str, set[str]] = field(default_factory=lambda: {"pause": set(), "end": set()})
    reserved: dict[str, log.Kept] = field(default_factory=dict)
    """Whom free seats are kept for, by colour."""
    reserved_until: float = 0.0
    kicked: set[str] = field(default_factory=set)
    """The guests who were kicked before the game; they do not sit down here again."""
    own_board: bool = False
    taste: str = ""
    """What its bots take their moods from; a secret."""
    created: float = 0.0
    ended: float | None = None
    rematch: str | None = None
    seq: int = 0
    time: float = 0.0
    version: str = ""
    """Of the program that wrote the latest entries of the log."""
    streams: dict[Eyes, list[m.Numbered]] = field(default_factory=dict)
    requests: dict[Eyes, int] = field(default_factory=dict)
    asked_since: dict[Eyes, float] = field(default_factory=dict)
    _questions: dict[Eyes, object] = field(default_factory=dict)
    _moments: dict[Eyes, object] = field(default_factory=dict)
    _paused_since: float = 0.0
    _unplayed: Game | None = None
    _views: dict[Eyes, SeatView] = field(default_factory=dict)
    """Of this moment, made when somebody looks; a view remembers what was worked out from it."""
    moves: int = 0
    """How often the game went on or back: the number of what is asked about real dice and cards."""
    dealt_until: int = 0
    """So many steps the game had when the host last dealt a card: before that nothing is taken back."""
    _ahead: tuple[log.Played, tuple[tuple[int, int], ...]] | None = None
    """What was decided last, and its steps by their numbers."""

    # --- looking -------------------------------------------------------------------------------------------------

    @property
    def colors(self) -> tuple[str, ...]:
        """The colours of the seats."""
        return tuple(self.seats)

    @property
    def eyes(self) -> tuple[Eyes, ...]:
        """All who look: the seats and the public."""
        return (*self.seats, None)

    @property
    def board(self) -> Layout:
        """The board, also before the game has begun."""
        game = self.game or self._unplayed
        assert game is not None, "a table is opened before it is looked at"
        return game.layout

    @property
    def edition(self) -> str:
        """The edition that is played."""
        return self.options.edition

    @property
    def options(self) -> Options:
        """What is played by: the edition, what its book leaves to choose, and house rules."""
        game = self.game or self._unplayed
        assert game is not None, "a table is opened before it is looked at"
        return game.options

    def view(self, eyes: Eyes) -> SeatView | None:
        """The game through a pair of eyes, without odds unless the table shows ranges; None before it began."""
        if self.game is None:
            return None
        if eyes not in self._views:
            self._views[eyes] = self.game.view(eyes) if self.ranges else self.game.glance(eyes)
        return self._views[eyes]

    def look_away(self) -> None:
        """Let go of the views of this moment: they are large, and made again when somebody looks."""
        self._views.clear()

    def projection(self, eyes: Eyes) -> m.Projection | None:
        """The game through a pair of eyes, as data."""
        view = self.view(eyes)
        if view is None:
            return None
        shown = project(view, self.requests.get(eyes, 0), ranges=self.ranges, deadline=self.deadline(eyes))
        return shown if self.chance == "host" else companion.shown(self, shown)

    def deadline(self, eyes: Eyes) -> float | None:
        """When the clock of a seat runs out; None: it does not run."""
        if (
            self.clock is None
            or self.paused
            or eyes is None
            or self.status != "playing"
            or eyes not in self.asked_since
        ):
            return None
        return self.asked_since[eyes] + self.clock

    def line(self) -> m.TableLine:
        """What everybody may know of the table."""
        game = self.game or self._unplayed
        assert game is not None
        creators = [seat.color for seat in self.seats.values() if seat.guest and seat.guest == self.creator]
        over = self.game is not None and self.status == "over"
        return m.TableLine(
            id=self.id,
            status="open" if self.status == "new" else self.status,  # type: ignore[arg-type]
            title=self.title,
            edition=game.edition,
            options=game.options.as_dict(),
            seats=tuple(
                seat.line(self.reserved[color].name if color in self.reserved else "")
                for color, seat in self.seats.items()
            ),
            creator=creators[0] if creators else "",
            paused=self.paused,
            clock=self.clock,
            pace=self.pace,
            chance=self.chance,
            lesson=self.lesson,
            wishes={what: tuple(c for c in self.seats if c in who) for what, who in self.wishes.items() if who},
            created=self.created,
            ended=self.ended,
            winner=game.winner if over else None,
            scores=dict(zip(self.colors, game.points, strict=True)) if over else None,
            rematch=self.rematch,
        )

    def to_decide(self) -> tuple[str, ...]:
        """The seats that are asked now, as they themselves see it."""
        if self.game is None or self.status != "playing" or self.paused:
            return ()
        return self.game.to_act

    # --- deciding ------------------------------------------------------------------------------------------------

    def decide(self, command: m.Commands, guest: Guest, by: str = "person") -> Decision:
        """What a command would lead to; changes nothing."""
        match command:
            case m.Act():
                return self._act(command, guest, by)
            case m.Begin():
                return self._begin(command, guest)
            case m.Deal():
                return companion.deal(self, command, guest)
            case m.TakeBack():
                return companion.take_back(self, command, guest)
            case _:
                return manners.decide(self, command, guest)

    def _no(self, command: m.Command, why: str, **values: Any) -> Decision:
        return Decision(refusal=refused(command.id, why, **values))

    def because(self, command: m.Why, guest: Guest) -> m.Because | m.Refused:
        """Whether a seat may play an action and if not why not, from what it sees alone."""
        view = self.view(guest.seat)
        if guest.seat is None:
            return refused(command.id, "watching")
        foreign = self._foreign(command, guest.seat)
        if foreign is not None:
            return foreign
        own = self._cannot_act(guest.seat)
        if own is not None:
            no = refused(command.id, own)
            return m.Because(id=command.id, legal=False, message=no.message, why=no.why, rule=no.rule)
        assert view is not None, "a game that has not begun was refused"
        try:
            reason = view.why_not(command.action)
        except UnreadableAction as error:
            return refused(command.id, "unreadable_action", detail=str(error))
        except BadInput as error:
            return refused(command.id, "cannot_be_played", detail=str(error))
        if reason is None:
            return m.Because(id=command.id, legal=True)
        values = values_of(reason, view.options)
        return m.Because(
            id=command.id, legal=False, rule=reason.rule, message=reason.text, why=reason.name, values=values
        )

    def _foreign(self, command: m.Act | m.Why, seat: str) -> m.Refused | None:
        """The refusal of an action that begins with the name of another seat."""
        said = spoken(command.action)
        if said is None or said[0] == seat:
            return None
        return refused(command.id, "not_your_seat", other=said[0])

    def _cannot_act(self, seat: str) -> str | None:
        """Why a seat can play nothing at all now, for reasons that are not the game's."""
        if self.game is None:
            return "not_begun"
        if self.status == "over":
            return "over"
        if self.paused:
            return "paused"
        return "resigned" if self.seats[seat].resigned else None

    def _act(self, command: m.Act, guest: Guest, by: str) -> Decision:
        if guest.seat is None:
            return self._no(command, "watching")
        own = self._cannot_act(guest.seat)
        if own is not None and not (own == "resigned" and by != "person"):
            return self._no(command, own)
        assert self.game is not None, "a game that has not begun was refused"
        if by == "person" and self.seats[guest.seat].bot is not None:
            return self._no(command, "bot_plays")
        now = self.requests.get(guest.seat, 0)
        if command.request is not None and command.request != now:
            return self._no(command, "question_closed", asked=command.request, now=now)
        foreign = self._foreign(command, guest.seat)
        if foreign is not None:
            return Decision(refusal=foreign)
        trial = self.game.trial()
        try:
            trial.play(command.action, by=guest.seat)
        except UnreadableAction as no:
            return self._no(command, "unreadable_action", detail=str(no))
        except AmbiguousAction as no:
            return self._no(command, "two_meanings", detail=str(no))
        except IllegalAction as no:
            return Decision(refusal=self._illegal(command, no))
        except (GameStopped, BadInput) as no:
            return self._no(command, "cannot_be_played", detail=str(no))
        return self.tried(trial, guest.seat, by)

    def tried(self, trial: Game, seat: str, by: str = "person") -> Decision:
        """What would be written down when `seat` does what was tried."""
        steps = tuple(log.spelled(trial, actor, code) for actor, code in trial.steps)
        played = log.Played(seat=seat, steps=steps, by=by)  # type: ignore[arg-type]
        self._ahead = played, trial.steps  # they need not be read again once that is stored
        return Decision((played,), (position_hash(trial.position()),))

    def _illegal(self, command: m.Act, no: IllegalAction) -> m.Refused:
        assert self.game is not None
        return m.Refused(
            id=command.id,
            code="not_legal",
            message=no.reason.text,
            rule=no.reason.rule,
            legal=tuple(str(action) for action in no.legal[:SAID_LEGAL]),
            why=no.reason.name,
            values=values_of(no.reason, self.game.options),
        )

    def _begin(self, command: m.Begin, guest: Guest) -> Decision:
        if no := manners.creator_only(self, command, guest):
            return no
        if self.status != "open":
            return self._no(command, "begun_already")
        free = [seat.color for seat in self.seats.values() if seat.kind == "empty"]
        if free:
            return self._no(command, "seats_free", seats=tuple(free))
        assert self._unplayed is not None
        trial = self._unplayed.copy()
        if trial.chance is not None:
            trial.deal()  # as far as it is not told by people
        steps = tuple(log.spelled(trial, seat, code) for seat, code in trial.steps)
        return Decision((log.Began(steps=steps),), (position_hash(trial.position()),))

    # --- entering ------------------------------------------------------------------------------------------------

    def enter(self, entry: log.Entry) -> dict[Eyes, list[m.Numbered | m.Now]]:
        """Take a stored entry; returns what is now told to whom."""
        if entry.seq != self.seq + 1:
            raise LogBroken(f"table {self.id}: entry {entry.seq} after {self.seq}")
        self.seq, self.time = entry.seq, entry.time
        if not isinstance(entry.body, log.Said):
            self._views.clear()
        told: dict[Eyes, list[m.Numbered | m.Now]] = {eyes: [] for eyes in self.eyes}
        body = entry.body
        match body:
            case log.Opened():
                self._opened(body, entry.time)
                return {}
            case log.Began():
                self._play_on(body.steps, entry, told, opening=True)
            case log.Played():
                self._play_on(body.steps, entry, told)
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
                self._changed(body)
                told = {body.by: []}
            case _:
                self._changed(body)
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
        self._ask(entry.time)
        return told

    def _stream(self, eyes: Eyes) -> list[m.Numbered]:
        return self.streams.setdefault(eyes, [])

    def muted(self, eyes: Eyes) -> tuple[str, ...]:
        """The seats whose remarks a seat does not want to hear."""
        return () if eyes is None else tuple(color for color in self.seats if color in self.seats[eyes].muted)

    def _opened(self, body: log.Opened, time: float) -> None:
        chosen = game_options(**body.options)
        layout = read_board(body.board)
        dealer = lessons.dealer(body.lesson, self.dealer())
        if body.chance != "host":
            dealer = companion.ByPeople(body.chance, dealer, lambda color: self.seats[color].bot is not None)
        self._unplayed = Game.unplayed(chosen, layout, dealer=dealer)
        self.seats = {color: Seat(color) for color in chosen.colors}
        self.status, self.title, self.creator = "open", body.title, body.creator
        self.clock, self.ranges, self.pace, self.chance = body.clock, body.ranges, body.pace, body.chance
        self.lesson, self.taste = body.lesson, body.taste or self.id  # older logs have no taste
        self.own_board, self.created, self.version = body.own_board, time, body.version
        self.reserved, self.reserved_until = dict(body.reserved), body.reserved_until

    def _play_on(
        self,
        steps: tuple[str, ...],
        entry: log.Entry,
        told: dict[Eyes, list[m.Numbered | m.Now]],
        *,
        opening: bool = False,
    ) -> None:
        if opening:
            assert self._unplayed is not None
            self.game, self._unplayed, self.status = self._unplayed, None, "playing"
        game, ahead, self._ahead = self.game, self._ahead, None
        assert game is not None
        before = None if opening else game.step_count
        if ahead is not None and ahead[0] is entry.body:
            game.repeat(ahead[1])  # it was tried when it was decided, and the position of that was stored
        else:
            game.repeat(log.read_step(text, self.colors) for text in steps)
            if entry.state is not None and position_hash(game.position()) != entry.state:
                why = "the position after it is not the one that was stored"
                raise LogBroken(f"table {self.id}, entry {entry.seq}: {why}")
        self.moves += 1
        body = entry.body
        by_host = isinstance(body, log.Played) and (self.chance == "dice" or body.by == "bot")
        if by_host and any(step.startswith(HOST_DEALT) for step in steps):
            self.dealt_until = game.step_count
        events = [(event, event.as_dict()) for event in game.past(before).events]
        for eyes, heard in told.items():
            seen = [(event, data, event.seen_by(eyes)) for event, data in events]
            faces = tuple(data if face is event else face.as_dict() for event, data, face in seen if face is not None)
            if faces:
                message = m.Told(number=len(self._stream(eyes)) + 1, time=entry.time, events=faces)
                self._stream(eyes).append(message)
                heard.append(message)
        if game.over:
            self.status = "over"

    def _changed(self, body: log.Bodies) -> None:
        match body:
            case log.Seated():
                self._reseat(Seat(body.seat, body.who, body.name, body.guest, body.player))
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
                seat.player = body.player if body.away or body.resigned else None
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
            case log.TookBack():
                self._take_back(body)
            case log.Freed():
                self.reserved = {}
            case log.Followed():
                self.rematch = body.table

    def _take_back(self, body: log.TookBack) -> None:
        assert self.game is not None
        self.game.become(companion.back(self.game))
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

    def _ask(self, time: float) -> None:
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
            asked = self.status == "playing" and known.to_act >> known.observer & 1
            moment = (known.turn_number, known.turn, known.phase)
            if not asked:
                self.asked_since.pop(eyes, None)
            elif eyes not in self.asked_since or self._moments.get(eyes) != moment:
                self.asked_since[eyes] = (
                    time  # a new turn or phase, new time; trading and building back and forth is none
                )
            self._moments[eyes] = moment
