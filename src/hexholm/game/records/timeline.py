"""A whole game to step through: every moment, as any seat saw it, in any order.

    >>> import hexholm
    >>> from hexholm.game.records.timeline import Timeline
    >>> game = hexholm.Game(edition="fifth", setup="fixed", seed=7)
    >>> game.play("roll")
    <2 events: Rolled, Produced>
    >>> timeline = Timeline(game)
    >>> timeline.count, timeline.at(1).phase, timeline.at(2).phase
    (2, 'dice', 'main')
    >>> timeline.faces(2, "blue")[0]
    Rolled(player='red', dice=(3, 3), total=6)
    >>> timeline.truth(2).players["red"].hand
    Cards('1 brick 2 lumber 1 grain')

A *step* is one action of a player or one outcome of chance. Moment 0 is the beginning and moment n is after n steps, so
a game of n steps has n + 1 moments; what happened at moment 0 is how the game began. (The dealer that deals recorded
outcomes again is :class:`hexholm.Replay`; the statistics of a game are in :mod:`.summary`.)

A timeline stores only what a game stores already (:mod:`..history`): the state before every step and, every 32 steps,
what the seats have inferred. So opening an existing game costs nothing, opening a record costs replaying it once, and a
moment costs at most 31 steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from hexholm.older_names import with_older_names
from hexholm.rules.boards import Layout
from hexholm.rules.colors import Color, nobody_plays
from hexholm.rules.encoding.lanes import count
from hexholm.rules.encoding.structs import VICTORY_POINT, State
from hexholm.rules.errors import BadInput
from hexholm.rules.queries import add_card_points
from hexholm.rules.referee import Step
from hexholm.rules.setup.options import Options

from ..cards import Cards, DevelopmentCards, cards_data
from ..events import Event
from ..game import Game, Record, SeatView
from ..history import EventSequence
from ..result import Result

REFEREE: Final = "referee"
"""The eyes that see everything."""


class Turn(NamedTuple):
    """Where a turn begins: its first moment. The set-up is turn 0 and belongs to nobody."""

    turn: int
    step: int
    player: Color | None


@with_older_names(cards="development", chosen="chosen_discard", new="new_development")
@dataclass(frozen=True, slots=True)
class PlayerTruth:
    """Everything that one player holds, hidden or not."""

    hand: Cards
    development: DevelopmentCards
    """All development cards that were not played, new ones among them."""
    new_development: DevelopmentCards
    """Those bought on this turn, which cannot be played on it (DEV-04)."""
    chosen_discard: Cards
    """Cards of the hand that are chosen to be discarded while others still choose (SEVEN-05)."""
    points: int
    """With the hidden ones."""


@dataclass(frozen=True, slots=True)
class Truth:
    """What no seat sees whole, for the eyes of the referee; all the rest of a moment is in the view of the public."""

    players: dict[Color, PlayerTruth]
    supply: Cards
    deck: DevelopmentCards

    def as_dict(self) -> dict[str, Any]:
        """Plain data, fit for JSON; of cards only the kinds there are."""
        players = {
            color: {
                "hand": cards_data(truth.hand),
                "cards": cards_data(truth.development),
                "new": cards_data(truth.new_development),
                "chosen": cards_data(truth.chosen_discard),
                "points": truth.points,
            }
            for color, truth in self.players.items()
        }
        return {"players": players, "supply": cards_data(self.supply), "deck": cards_data(self.deck)}


class Timeline:
    """A game to step through, as it was when this object was made; playing on does not change it."""

    def __init__(self, game: Game | Record, *, compiled: bool | None = None) -> None:
        """`compiled`: how a record is played again; a game stays as it is.

        A seat's copy cannot be stepped through: raises BadRecord, as `record.game()` does.
        """
        if isinstance(game, Record):
            game = game.game(compiled=compiled)
        elif isinstance(game, Game):
            game = game.copy()
        else:
            raise BadInput(f"{game!r}: give a game or the record of one")
        self._game, self._steps = game, game.history.past_steps()
        self._final = game.referee.state.buffer.tobytes(), game.referee.open_offers.buffer.tobytes()

    # --- what there is ---------------------------------------------------------------------------------------

    @property
    def count(self) -> int:
        """How many steps there are; moments are counted from 0 to this."""
        return len(self._steps)

    @property
    def options(self) -> Options:
        return self._game.options

    @property
    def layout(self) -> Layout:
        return self._game.layout

    @property
    def colors(self) -> tuple[Color, ...]:
        return self._game.colors

    @property
    def names(self) -> tuple[str, ...]:
        return self._game.names

    @property
    def steps(self) -> tuple[Step, ...]:
        """Everything that has happened, as (seat, code); chance has seat -1."""
        return self._game.steps

    @property
    def result(self) -> Result | None:
        """How the game ended; None if it did not."""
        return self._game.result

    @cached_property
    def points(self) -> dict[Color, tuple[int, ...]]:
        """The points of every player at every moment, hidden ones included."""
        columns: Any = self._states  # the kernels take whole columns, too
        hidden = count(columns["development"], VICTORY_POINT)
        points: Any = add_card_points(columns["points"], hidden, columns["points_card"][:, None])
        return self._by_color(points)

    @cached_property
    def visible(self) -> dict[Color, tuple[int, ...]]:
        """The points of every player at every moment that lie on the table."""
        return self._by_color(self._states["points"])

    @cached_property
    def turns(self) -> tuple[Turn, ...]:
        """Where each turn begins. A game with placement or starting rolls has a turn 0, and that is nobody's."""
        numbers = self._states["turn_number"]
        starts = [0, *(np.flatnonzero(np.diff(numbers)) + 1)]
        active = self._states["active"]
        return tuple(
            Turn(int(numbers[moment]), int(moment), self.colors[active[moment]] if numbers[moment] else None)
            for moment in starts
        )

    # --- one moment ------------------------------------------------------------------------------------------

    def at(self, step: int) -> Game:
        """The game after so many steps, with its past and its dealer: a copy for you to look at or play on."""
        game = self._game.copy()
        if self._check_step(step) < self.count:
            game.rewind(step)
        return game

    def view(self, step: int, eyes: Color | None) -> SeatView:
        """What a player (None: the public) could know after so many steps; the referee has :meth:`truth`."""
        if self._check_eyes(eyes) == REFEREE:
            raise BadInput(f"the {REFEREE} has no view: truth(step) has all cards, view(step, None) the table")
        return self.at(step).view(eyes)

    def faces(self, step: int, eyes: Color | None) -> tuple[Event, ...]:
        """What happened at a step, as these eyes saw it; at 0 how the game began, at the last also how it stopped."""
        events = self._events(self._check_step(step))
        if self._check_eyes(eyes) == REFEREE:
            return events
        return tuple(face for event in events if (face := event.seen_by(eyes)) is not None)

    def truth(self, step: int) -> Truth:
        """All cards of all players after so many steps."""
        state = self.state(step)
        players = {
            color: PlayerTruth(
                Cards.of_lanes(state.hand[seat]),
                DevelopmentCards.of_lanes(state.development[seat]),
                DevelopmentCards.of_lanes(state.new_cards if seat == state.active else 0),
                Cards.of_lanes(state.discards[seat]),
                self.points[color][step],
            )
            for seat, color in enumerate(self.colors)
        }
        return Truth(players, Cards.of_lanes(state.supply), DevelopmentCards.of_lanes(state.deck))

    def state(self, step: int) -> State:
        """The core's own struct of the game after so many steps, to be read only."""
        return State(np.frombuffer(self._position_bytes(self._check_step(step))[0], np.uint8))

    # --- inside ----------------------------------------------------------------------------------------------

    def _events(self, step: int) -> tuple[Event, ...]:
        """What happened at a step, all of it."""
        opening = step == 0 and self._game.history.start is None
        last = tuple(self._game.events_since(self.count)) if step == self.count else ()
        steps: Sequence[Any] = self._steps[step - 1 : step] if step else ()
        return EventSequence(self.options, steps, self._position_bytes(step), opening=opening, last=last).events

    def _position_bytes(self, step: int) -> tuple[bytes, bytes]:
        return (self._steps[step].state, self._steps[step].open_offers) if step < self.count else self._final

    @cached_property
    def _states(self) -> npt.NDArray[Any]:
        """The states of all moments."""
        return np.frombuffer(b"".join([*(step.state for step in self._steps), self._final[0]]), State.dtype)

    def _by_color(self, numbers: npt.NDArray[Any]) -> dict[Color, tuple[int, ...]]:
        return {color: tuple(numbers[:, seat].tolist()) for seat, color in enumerate(self.colors)}

    def _check_step(self, step: int) -> int:
        if type(step) is not int or not 0 <= step <= self.count:
            raise BadInput(f"step {step!r}: give a whole number from 0 to {self.count}")
        return step

    def _check_eyes(self, eyes: Color | None) -> str | None:
        if eyes is not None and eyes != REFEREE and eyes not in self.colors:
            raise nobody_plays(eyes, self.colors, f"; None: the public, {REFEREE!r}: everything")
        return eyes

    def __len__(self) -> int:
        return self.count

    def __bool__(self) -> bool:
        return True  # also a game in which nothing has happened

    def __repr__(self) -> str:
        return f"<Timeline of {self._game!r}: {self.count} steps>"
