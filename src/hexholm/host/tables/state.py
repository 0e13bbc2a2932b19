"""What a table is made of: its seats, its game, and what each pair of eyes was told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal
from weakref import WeakValueDictionary

from hexholm.game.dealers import Dealer, SystemRandom
from hexholm.game.events import Event
from hexholm.game.game import Game, SeatView
from hexholm.rules.boards import Layout
from hexholm.rules.colors import Color
from hexholm.rules.setup.options import Options

from ..table_literals import BotPace, TableStatus, Wish
from ..wire import messages
from ..wire.host_refusals import HostReason, Refusal
from . import log
from .fair_dice import FairDice
from .seats import Eyes, Seat, check_color, free_seats
from .table_decision import why_first_of
from .table_terms import Reservation


@dataclass(slots=True)
class EyesState:
    """What a table keeps for one pair of eyes."""

    stream: list[messages.Numbered] = field(default_factory=list)
    """All numbered messages that these eyes were told."""
    question_number: int = 0
    """The number of what the seat is asked; 0: it was never asked."""
    asked_since: float | None = None
    """Since when its clock counts; None: it is not asked."""
    asked_at: float | None = None
    """When it was asked; pauses do not move that."""
    asked_for: object = None
    """What the seat was asked last, to tell whether that has changed."""
    turn_and_phase: object = None
    """In which it was asked last."""


@dataclass(slots=True)
class TableState:
    """What a table is made of. It is changed by :meth:`.table.Table.enter` alone; everybody else looks."""

    id: str
    make_dealer: Callable[[], Dealer] = SystemRandom
    dice_key: bytes | None = field(default=None, repr=False)
    """The host's part of the dice, a secret until the game is over; None: they have no proof."""
    opening: log.Opened = field(init=False)
    """How it was set up, the first entry of its log: its terms, who did it."""
    _unplayed: Game = field(init=False)
    """What is played here, before its first step."""
    game: Game | None = None
    """The game, once it has begun; a table that was ended before has none."""
    status: TableStatus | Literal["new"] = "new"
    seats: dict[Color, Seat] = field(default_factory=dict)
    paused: bool = False
    waiting: bool = False
    """Nobody is there: clocks and bots stand still."""
    pace: BotPace = "normal"
    wishes: dict[Wish, set[Color]] = field(default_factory=lambda: {"pause": set(), "end": set()})
    reservations: dict[Color, Reservation] = field(default_factory=dict)
    """Whom free seats are kept for, by color."""
    reserved_until: float = 0.0
    kicked_guest_ids: set[str] = field(default_factory=set)
    """The guests who were kicked before the game; they do not sit down here again."""
    bot_seed: str = ""
    """What its bots draw from; a secret."""
    fair_dice: FairDice = field(init=False)
    created: float = 0.0
    ended: float | None = None
    rematch: str | None = None
    seq: int = 0
    time: float = 0.0
    version: str = ""
    """Of the program that wrote the latest entries of the log."""
    shown_asked_since: dict[Color, float] = field(default_factory=dict)
    """Since when others see that a seat is waited for; its own question can end before, behind their backs."""
    by_eyes: dict[Eyes, EyesState] = field(default_factory=dict)
    """What is kept for each of the seats and for the public."""
    _views: WeakValueDictionary[Eyes, SeatView] = field(default_factory=WeakValueDictionary)
    """Of the game as it is now, as long as somebody holds them: they are large, for they remember what was worked out
    from them. Who changes the game begins this anew."""
    _paused_since: float = 0.0
    latest_events: tuple[Event, ...] = ()
    """What the latest entry brought about in the game."""
    spectators_silenced: bool = False
    spectator_remarks: int = 0
    """How many things those who watch have said."""
    moves: int = 0
    """How often the game went on or back: the number of what is asked about real dice and cards."""
    dealt_until: int = 0
    """So many steps the game had when the host last dealt a card: before that nothing is taken back."""
    acted_colors: set[Color] = field(default_factory=set)
    """The seats whose people have acted themselves."""
    has_weak_bots: bool = False
    """Whether a bot that sits here has played below its strength."""

    @property
    def begun_game(self) -> Game:
        """The game, where it is known to have begun."""
        assert self.game is not None, f"the game of table {self.id} has not begun"
        return self.game

    @property
    def creator_id(self) -> str:
        """The guest who set it up."""
        return self.opening.creator_id

    @property
    def is_discarding(self) -> bool:
        """Whether discards are chosen, in secret until the last one is in."""
        return self.game is not None and self.game.phase == "discard"

    @property
    def waits_for_people(self) -> bool:
        """Whether the game waits when nobody is there; those with a real board sit at it."""
        return not self.opening.is_board_real and not self.opening.plays_on

    @property
    def colors(self) -> tuple[Color, ...]:
        """The colors of the seats."""
        return tuple(self.seats)

    @property
    def names_by_color(self) -> dict[Color, str]:
        """Who sits where; a seat without a name is called by its color."""
        return {seat.color: seat.name or seat.color for seat in self.seats.values()}

    @property
    def free_seats(self) -> tuple[Color, ...]:
        """Where nobody sits, by color."""
        return free_seats(self.seats.values())

    def find_seat(self, color: Color, why_not: HostReason = "no_such_seat") -> Seat:
        """A seat by a color that somebody named. Raises Declined, by one of two reasons, if it is not at this table."""
        check_color(color, self.colors, why_not)
        return self.seats[color]

    def sits(self, guest_id: str, color: Color) -> bool:
        """Whether a guest sits on a seat."""
        seat = self.seats.get(color)
        return seat is not None and seat.sitter == "person" and seat.guest_id == guest_id

    def seat_of(self, guest_id: str) -> Color | None:
        """The color of the seat of a guest; None: it has none."""
        return next((color for color in self.seats if self.sits(guest_id, color)), None)

    @property
    def eyes(self) -> tuple[Eyes, ...]:
        """All who look: the seats and the public."""
        return (*self.seats, None)

    @property
    def board(self) -> Layout:
        """The board, also before the game has begun."""
        return self._unplayed.layout

    @property
    def edition(self) -> str:
        """The edition that is played."""
        return self.options.edition

    @property
    def options(self) -> Options:
        """What is played by: the edition, what its book leaves to choose, and house rules."""
        return self._unplayed.options

    def view(self, eyes: Eyes) -> SeatView | None:
        """The game through a pair of eyes, without odds unless the table shows ranges; None before it began."""
        if self.game is None:
            return None
        view = self._views.get(eyes)
        if view is None:
            view = self._views[eyes] = self.game.view(eyes) if self.opening.ranges else self.game.glance(eyes)
        return view

    def deadline(self, eyes: Eyes) -> float | None:
        """When the clock of a seat runs out; None: it does not run."""
        asked_since = self.by_eyes[eyes].asked_since
        if self.opening.clock is None or self.paused or self.waiting or self.status != "playing" or asked_since is None:
            return None
        if eyes is not None and self.seats[eyes].is_away_without_bot:
            return None
        return asked_since + self.opening.clock

    def dice_line(self, eyes: Eyes) -> messages.DiceLine | None:
        """How the dice can be checked. The key of a game that is over is part of its record: it is told to the seats.

        With it, others could work out from what they have seen which cards were drawn and stolen.
        """
        return self.fair_dice.line(show_key=self.shows_dice_key and eyes is not None)

    @property
    def shows_dice_key(self) -> bool:
        """Whether the game is over, and in a way that leaves nothing hidden in it."""
        result = None if self.game is None else self.game.result
        return self.status == "over" and result is not None and result.how != "abandoned"

    def why_cannot_act(self, eyes: Eyes, *, despite_pause: bool = False, for_person: bool = True) -> Refusal | None:
        """Why nothing at all can be done in the game now, for reasons that are not the game's.

        A seat that has resigned can still be played by others, and `despite_pause` that which a pause is for is done.
        """
        return why_first_of(
            ("not_begun", self.game is None),
            ("over", self.status == "over"),
            ("paused", self.paused and not despite_pause),
            ("resigned", eyes is not None and self.seats[eyes].resigned and for_person),
        )

    def asked_colors(self) -> tuple[Color, ...]:
        """The seats that are asked now, as they themselves see it."""
        if self.game is None or self.status != "playing" or self.paused:
            return ()
        return self.game.to_act

    def muted(self, eyes: Eyes) -> tuple[Color, ...]:
        """The seats whose remarks a seat does not want to hear."""
        return () if eyes is None else tuple(color for color in (*self.seats, "") if color in self.seats[eyes].muted)
