"""What a table is made of: its seats, its game, and what each pair of eyes was told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from hexholm.game.dealers import Dealer, Fresh
from hexholm.game.events import Event
from hexholm.game.game import Game, SeatView
from hexholm.rules.boards import Layout
from hexholm.rules.options import Options

from ..wire import messages as m
from ..wire.host_refusals import Refusal
from . import log
from .seats import Eyes, Seat, free_seats


@dataclass(slots=True)
class TableState:
    """What a table is made of. It is changed by :meth:`.table.Table.enter` alone; everybody else looks."""

    id: str
    dealer: Callable[[], Dealer] = Fresh
    opened: log.Opened = field(init=False)
    """How it was set up: the first entry of its log."""
    status: m.TableStatus | Literal["new"] = "new"
    seats: dict[str, Seat] = field(default_factory=dict)
    game: Game | None = None
    paused: bool = False
    pace: m.BotPace = "normal"
    wishes: dict[str, set[str]] = field(default_factory=lambda: {"pause": set(), "end": set()})
    reserved: dict[str, log.Reservation] = field(default_factory=dict)
    """Whom free seats are kept for, by colour."""
    reserved_until: float = 0.0
    kicked: set[str] = field(default_factory=set)
    """The guests who were kicked before the game; they do not sit down here again."""
    bot_seed: str = ""
    """What its bots draw from; a secret."""
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
    latest_events: tuple[Event, ...] = ()
    """What the latest entry brought about in the game."""
    moves: int = 0
    """How often the game went on or back: the number of what is asked about real dice and cards."""
    dealt_until: int = 0
    """So many steps the game had when the host last dealt a card: before that nothing is taken back."""

    @property
    def title(self) -> str:
        return self.opened.title

    @property
    def creator(self) -> str:
        """The guest who set it up."""
        return self.opened.creator

    @property
    def clock(self) -> float | None:
        """Seconds for a decision."""
        return self.opened.clock

    @property
    def ranges(self) -> bool:
        return self.opened.ranges

    @property
    def chance_source(self) -> m.ChanceSource:
        return self.opened.chance_source

    @property
    def lesson(self) -> str:
        return self.opened.lesson

    @property
    def colors(self) -> tuple[str, ...]:
        """The colours of the seats."""
        return tuple(self.seats)

    @property
    def free_seats(self) -> tuple[str, ...]:
        """Where nobody sits, by colour."""
        return free_seats(self.seats.values())

    def refuse_unknown_seat(self, color: str, why: str = "no_such_seat") -> Refusal | None:
        """The refusal of a seat that is not at this table, by one of its two reasons; None: it is."""
        return None if color in self.seats else Refusal.because(why, seat=color[:20], seats=self.colors)

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

    def forget_views(self) -> None:
        """Let go of the views of this moment: they are large, and made again when somebody looks."""
        self._views.clear()

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
            status="open" if self.status == "new" else self.status,
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
            chance=self.chance_source,
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

    def muted(self, eyes: Eyes) -> tuple[str, ...]:
        """The seats whose remarks a seat does not want to hear."""
        return () if eyes is None else tuple(color for color in self.seats if color in self.seats[eyes].muted)
