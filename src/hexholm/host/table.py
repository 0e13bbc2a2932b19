"""A table: the authority over one game and its seats. It knows no sockets, no storage and no clock of its own.

Two steps make up everything that happens. `decide` looks at a command and says what would be written to the log and
what the sender is answered; it changes nothing. `enter` takes an entry that *has been stored*, changes the table and
returns what is now told to whom. So nobody is told what could still be lost, and a table read back from its log is the
same table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

from hexholm.game.action import CHANCE, Action
from hexholm.game.beginning import options as game_options
from hexholm.game.cleaning import clean
from hexholm.game.dealers import Dealer, Fresh
from hexholm.game.game import Game, GameStopped
from hexholm.game.meaning import AmbiguousAction
from hexholm.game.position import position_hash
from hexholm.game.seat_view import SeatView
from hexholm.rules.boards import Layout, read_board
from hexholm.rules.core.layout import NATURE
from hexholm.rules.errors import BadInput
from hexholm.rules.notation import UnreadableAction
from hexholm.rules.referee import IllegalAction

from . import log
from . import messages as m
from .projection import project, prompt_for

Eyes = str | None
"""Whose eyes: a colour, or None for the public."""
SAID_LEGAL: Final = 12  # legal actions that a refusal lists


class LogBroken(Exception):
    """A log that does not lead to the positions it names: written by another version, or damaged. Nothing is lost."""


@dataclass(frozen=True, slots=True)
class Guest:
    """Who sends a command: a guest, and the seat it holds, if any."""

    id: str
    seat: Eyes = None


@dataclass(slots=True)
class Seat:
    """Who sits there."""

    color: str
    kind: str = "empty"
    name: str = ""
    guest: str = ""
    player: str | None = None
    away: bool = False
    resigned: bool = False

    def line(self) -> m.SeatLine:
        """What everybody may know."""
        return m.SeatLine(
            color=self.color,
            kind=self.kind,  # type: ignore[arg-type]  # one of three words
            name=self.name,
            player=self.player,
            away=self.away,
            resigned=self.resigned,
        )

    @property
    def bot(self) -> str | None:
        """The bot that decides here now, if one does."""
        return self.player if self.kind == "bot" or self.away or self.resigned else None


@dataclass(frozen=True, slots=True)
class Decision:
    """What a command leads to: entries to store, and the answer once they are; or a refusal and no entries."""

    bodies: tuple[log.Bodies, ...] = ()
    states: tuple[str | None, ...] = ()
    refusal: m.Refused | None = None


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
    wishes: dict[str, set[str]] = field(default_factory=lambda: {"pause": set(), "end": set()})
    seq: int = 0
    time: float = 0.0
    streams: dict[Eyes, list[m.Numbered]] = field(default_factory=dict)
    requests: dict[Eyes, int] = field(default_factory=dict)
    asked_since: dict[Eyes, float] = field(default_factory=dict)
    _questions: dict[Eyes, object] = field(default_factory=dict)
    _moments: dict[Eyes, object] = field(default_factory=dict)
    _unplayed: Game | None = None
    _views: dict[Eyes, SeatView] = field(default_factory=dict)
    """Of this moment, made when somebody looks; a view remembers what was worked out from it."""

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

    def view(self, eyes: Eyes) -> SeatView | None:
        """The game through a pair of eyes; None before it began."""
        if self.game is None:
            return None
        if eyes not in self._views:
            self._views[eyes] = self.game.view(eyes)
        return self._views[eyes]

    def projection(self, eyes: Eyes) -> m.Projection | None:
        """The game through a pair of eyes, as data."""
        view = self.view(eyes)
        if view is None:
            return None
        return project(view, self.requests.get(eyes, 0), ranges=self.ranges, deadline=self.deadline(eyes))

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
        return m.TableLine(
            id=self.id,
            status="open" if self.status == "new" else self.status,  # type: ignore[arg-type]
            title=self.title,
            edition=game.edition,
            options=game.options.as_dict(),
            seats=tuple(seat.line() for seat in self.seats.values()),
            creator=creators[0] if creators else "",
            paused=self.paused,
            clock=self.clock,
            wishes={what: tuple(c for c in self.seats if c in who) for what, who in self.wishes.items() if who},
        )

    def to_decide(self) -> tuple[str, ...]:
        """The seats that are asked now, as they themselves see it."""
        if self.game is None or self.status != "playing" or self.paused:
            return ()
        return self.game.to_act

    # --- deciding ------------------------------------------------------------------------------------------------

    def decide(self, command: m.Commands, guest: Guest, by: str = "person") -> Decision:
        """What a command would lead to; changes nothing."""
        if len(command.id) > m.LONGEST_ID:
            return self._no(command, "too_much", f"an id has at most {m.LONGEST_ID} characters")
        match command:
            case m.Act():
                return self._act(command, guest, by)
            case m.Say():
                return self._say(command, guest)
            case m.Begin():
                return self._begin(command, guest)
            case m.Put():
                return self._put(command, guest)
            case m.Kick():
                return self._kick(command, guest)
            case m.Pause() | m.End():
                return self._wish(command, guest)
            case m.Resume():
                if not self.paused:
                    return self._no(command, "not_allowed", "the game is not paused")
                if guest.seat is None:
                    return self._no(command, "not_allowed", "only those at the table can go on with the game")
                return Decision((log.Paused(on=False, by=guest.seat),), (None,))
            case m.Away() | m.Back() | m.Resign():
                return self._leave(command, guest)

    def _no(self, command: m.Command, code: str, message: str, **more: object) -> Decision:
        return Decision(refusal=m.Refused(id=command.id, code=code, message=message, **more))  # type: ignore[arg-type]

    def _act(self, command: m.Act, guest: Guest, by: str) -> Decision:
        if guest.seat is None:
            return self._no(command, "not_allowed", "those who watch cannot act; take a seat")
        if self.game is None:
            return self._no(command, "not_allowed", "the game has not begun")
        if self.status == "over":
            return self._no(command, "stopped", "the game is over")
        if self.paused:
            return self._no(command, "stopped", "the game is paused")
        seat = self.seats[guest.seat]
        if by == "person" and seat.bot is not None:
            why = "you have resigned" if seat.resigned else "a bot plays for you; come back first"
            return self._no(command, "not_allowed", why)
        now = self.requests.get(guest.seat, 0)
        if command.request is not None and command.request != now:
            return self._no(command, "closed", f"question {command.request} is closed; the one asked now is {now}")
        trial, before = self.game.copy(), len(self.game.steps)
        try:
            trial.play(command.action, by=guest.seat)
        except UnreadableAction as no:
            return self._no(command, "not_readable", str(no))
        except AmbiguousAction as no:
            return self._no(command, "two_meanings", str(no))
        except IllegalAction as no:
            legal = tuple(str(action) for action in no.legal[:SAID_LEGAL])
            return self._no(command, "not_legal", no.reason.text, rule=no.reason.rule, legal=legal)
        except (GameStopped, BadInput) as no:
            return self._no(command, "not_allowed", str(no))
        steps = tuple(spelled(trial, seat, code) for seat, code in trial.steps[before:])
        played = log.Played(seat=guest.seat, steps=steps, by=by)  # type: ignore[arg-type]
        return Decision((played,), (position_hash(trial.position()),))

    def _say(self, command: m.Say, guest: Guest) -> Decision:
        if guest.seat is None:
            return self._no(command, "not_allowed", "those who watch cannot speak at the table")
        text = clean(command.text)
        if not text:
            return self._no(command, "not_readable", "there is nothing to say")
        if len(text) > m.LONGEST_TEXT:
            return self._no(command, "too_much", f"say it in at most {m.LONGEST_TEXT} characters")
        return Decision((log.Said(seat=guest.seat, text=text),), (None,))

    def _creator_only(self, command: m.Command, guest: Guest) -> Decision | None:
        if guest.id != self.creator:
            return self._no(command, "not_allowed", "only the one who set up the table can do that")
        return None

    def _begin(self, command: m.Begin, guest: Guest) -> Decision:
        if no := self._creator_only(command, guest):
            return no
        if self.status != "open":
            return self._no(command, "not_allowed", "the game has begun already")
        free = [seat.color for seat in self.seats.values() if seat.kind == "empty"]
        if free:
            return self._no(
                command, "not_allowed", f"seats are still free: {', '.join(free)}; put a bot there, or wait"
            )
        assert self._unplayed is not None
        trial = self._unplayed.copy()
        while trial.chance is not None:
            trial.deal()
        steps = tuple(spelled(trial, seat, code) for seat, code in trial.steps)
        return Decision((log.Began(steps=steps),), (position_hash(trial.position()),))

    def _seat(self, command: m.Put | m.Kick) -> Seat | Decision:
        if command.seat not in self.seats:
            return self._no(command, "not_readable", f"no seat {command.seat!r} here; they are {', '.join(self.seats)}")
        return self.seats[command.seat]

    def _put(self, command: m.Put, guest: Guest) -> Decision:
        if no := self._creator_only(command, guest):
            return no
        seat = self._seat(command)
        if isinstance(seat, Decision):
            return seat
        if self.status != "open":
            return self._no(command, "not_allowed", "the game has begun; kick the player, and a bot goes on")
        if seat.kind == "person":
            return self._no(command, "not_allowed", f"{seat.name} sits there; kick them first")
        if command.player is None:
            return Decision((log.Seated(seat=seat.color, who="empty"),), (None,))
        name = clean(command.player)
        return Decision((log.Seated(seat=seat.color, who="bot", name=name, player=name),), (None,))

    def sit(self, seat: str, guest: str, name: str) -> Decision:
        """What taking a free seat leads to; the host has looked at tokens and limits before."""
        command = m.Put(id="", seat=seat)
        found = self._seat(command)
        if isinstance(found, Decision):
            return found
        if any(other.guest == guest for other in self.seats.values() if other.color != seat):
            return self._no(command, "not_allowed", "you hold a seat at this table already")  # nobody plays two colours
        if found.kind == "person" and found.guest != guest:
            return self._no(command, "not_allowed", f"{found.name} sits there already")
        if self.status != "open" and not (found.kind == "bot" and self.status == "playing"):
            return self._no(command, "not_allowed", "the game has begun without you; you can watch")
        if self.status == "playing":
            return self._no(command, "not_allowed", "a bot plays there; in a running game seats stay as they are")
        return Decision((log.Seated(seat=seat, who="person", name=clean(name) or seat, guest=guest),), (None,))

    def _kick(self, command: m.Kick, guest: Guest) -> Decision:
        if no := self._creator_only(command, guest):
            return no
        seat = self._seat(command)
        if isinstance(seat, Decision):
            return seat
        if seat.kind != "person" or seat.guest == guest.id:
            return self._no(command, "not_allowed", "there is nobody else to kick on that seat")
        if self.status == "open":
            return Decision((log.Seated(seat=seat.color, who="empty"),), (None,))
        name = seat.player or STAND_IN
        return Decision((log.Seated(seat=seat.color, who="bot", name=name, player=name),), (None,))

    def _wish(self, command: m.Pause | m.End, guest: Guest) -> Decision:
        what = "pause" if isinstance(command, m.Pause) else "end"
        if self.status != "playing":
            return self._no(command, "not_allowed", "no game is going on")
        if what == "pause" and self.paused:
            return self._no(command, "not_allowed", "the game is paused already")
        if guest.seat is None and guest.id != self.creator:
            return self._no(command, "not_allowed", "only those at the table can ask for that")
        people = {seat.color for seat in self.seats.values() if seat.kind == "person" and seat.bot is None}
        agreed = self.wishes[what] | ({guest.seat} if guest.seat else set())
        bodies: list[log.Bodies] = []
        if guest.seat and guest.seat not in self.wishes[what]:
            bodies.append(log.Wished(seat=guest.seat, what=what))  # type: ignore[arg-type]
        if guest.id == self.creator or people <= agreed:
            done = log.Paused(on=True, by=guest.seat or "") if what == "pause" else log.Ended(how="agreed")
            bodies.append(done)
        if not bodies:
            return self._no(command, "not_allowed", "you have asked for that already; the others have not agreed yet")
        return Decision(tuple(bodies), (None,) * len(bodies))

    def _leave(self, command: m.Away | m.Back | m.Resign, guest: Guest) -> Decision:
        if guest.seat is None:
            return self._no(command, "not_allowed", "you have no seat here")
        seat = self.seats[guest.seat]
        if seat.resigned:
            return self._no(command, "not_allowed", "you have resigned")
        if isinstance(command, m.Back):
            if not seat.away:
                return self._no(command, "not_allowed", "you are not away")
            return Decision((log.Left(seat=seat.color, away=False),), (None,))
        if self.status != "playing":
            return self._no(command, "not_allowed", "no game is going on")
        resigned = isinstance(command, m.Resign)
        if seat.away and not resigned:
            return self._no(command, "not_allowed", "you are away already")
        return Decision((log.Left(seat=seat.color, away=True, player=STAND_IN, resigned=resigned),), (None,))

    # --- entering ------------------------------------------------------------------------------------------------

    def enter(self, entry: log.Entry) -> dict[Eyes, list[m.Numbered | m.Now]]:
        """Take a stored entry; returns what is now told to whom."""
        if entry.seq != self.seq + 1:
            raise LogBroken(f"table {self.id}: entry {entry.seq} after {self.seq}")
        self.seq, self.time = entry.seq, entry.time
        self._views.clear()
        told: dict[Eyes, list[m.Numbered | m.Now]] = {eyes: [] for eyes in self.eyes}
        body = entry.body
        match body:
            case log.Opened():
                self._opened(body)
                return {}
            case log.Began():
                self._play_on(body.steps, entry, told, opening=True)
            case log.Played():
                self._play_on(body.steps, entry, told)
            case log.Said():
                for eyes, heard in told.items():
                    number = len(self._stream(eyes)) + 1
                    said = m.Chatted(number=number, time=entry.time, by=body.seat, text=body.text)
                    self._stream(eyes).append(said)
                    heard.append(said)
                return told
            case _:
                self._changed(body)
        if not isinstance(body, log.Played):
            what, line = str(body.__struct_config__.tag), self.line()
            for eyes, heard in told.items():
                changed = m.Changed(number=len(self._stream(eyes)) + 1, time=entry.time, what=what, table=line)
                self._stream(eyes).append(changed)
                heard.append(changed)
        self._ask(entry.time)
        return told

    def _stream(self, eyes: Eyes) -> list[m.Numbered]:
        return self.streams.setdefault(eyes, [])

    def _opened(self, body: log.Opened) -> None:
        chosen = game_options(**body.options)
        layout = read_board(body.board)
        self._unplayed = Game.unplayed(chosen, layout, dealer=self.dealer())
        self.seats = {color: Seat(color) for color in chosen.colors}
        self.status, self.title, self.creator = "open", body.title, body.creator
        self.clock, self.ranges = body.clock, body.ranges

    def _play_on(
        self,
        steps: Iterable[str],
        entry: log.Entry,
        told: dict[Eyes, list[m.Numbered | m.Now]],
        *,
        opening: bool = False,
    ) -> None:
        if opening:
            assert self._unplayed is not None
            self.game, self._unplayed, self.status = self._unplayed, None, "playing"
        game = self.game
        assert game is not None
        before = None if opening else len(game.steps)
        game.repeat(read_step(text, self.colors) for text in steps)
        if entry.state is not None and position_hash(game.position()) != entry.state:
            raise LogBroken(f"table {self.id}, entry {entry.seq}: the position after it is not the one that was stored")
        past = game.past(before)
        for eyes, heard in told.items():
            faces = tuple(face.as_dict() for face in past.seen_by(eyes))
            if faces:
                message = m.Told(number=len(self._stream(eyes)) + 1, time=entry.time, events=faces)
                self._stream(eyes).append(message)
                heard.append(message)
        if game.over:
            self.status = "over"

    def _changed(self, body: log.Bodies) -> None:
        match body:
            case log.Seated():
                self.seats[body.seat] = Seat(body.seat, body.who, body.name, body.guest, body.player)
            case log.Wished():
                (self.wishes[body.what].add if body.on else self.wishes[body.what].discard)(body.seat)
            case log.Paused():
                self.paused = body.on
                self.wishes["pause"].clear()
                if not body.on:
                    self.asked_since = dict.fromkeys(self.asked_since, self.time)  # a pause gives everybody new time
            case log.Left():
                seat = self.seats[body.seat]
                seat.away, seat.resigned = body.away, body.resigned
                seat.player = body.player if body.away or body.resigned else None
            case log.Ended():
                assert self.game is not None
                self.game.cut(body.how, body.note)
                self.status = "over"
                self.paused = False
            case log.Restarted():
                self.asked_since = {eyes: since + body.seconds for eyes, since in self.asked_since.items()}

    def _ask(self, time: float) -> None:
        """Number the questions: a new number when what a seat is asked has changed, by its own view."""
        if self.game is None:
            return
        for eyes in self.eyes:
            view = self.view(eyes)
            assert view is not None
            question = (prompt_for(view), view.legal_actions.codes)
            if self._questions.get(eyes) != question:
                self._questions[eyes] = question
                self.requests[eyes] = self.requests.get(eyes, 0) + 1
            asked = eyes is not None and eyes in view.to_act and self.status == "playing"
            moment = (view.turn, view.active, view.phase)
            if not asked:
                self.asked_since.pop(eyes, None)
            elif eyes not in self.asked_since or self._moments.get(eyes) != moment:
                self.asked_since[eyes] = (
                    time  # a new turn or phase, new time; trading and building back and forth is none
                )
            self._moments[eyes] = moment


STAND_IN: Final = "easy"
"""The bot that plays for people who are away."""


def spelled(game: Game, seat: int, code: int) -> str:
    """A step as the log writes it: who, and the action."""
    who = CHANCE if seat == NATURE else game.colors[seat]
    return f"{who} {game.referee.say(code)}"


def read_step(text: str, colors: tuple[str, ...]) -> tuple[int, int]:
    """A step from the log."""
    who, _, action = text.partition(" ")
    seat = NATURE if who == CHANCE else colors.index(who)
    return seat, Action.of(action).code(colors)
