"""What happened in a game, and the way back.

Before every step the state and the offers are kept as bytes (about 850 a step). What the seats have inferred is larger,
so it is kept every 32 steps, and taking back replays from there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, overload

import numpy as np

from hexholm.rules.colors import Color, SeatNumber, nobody_plays
from hexholm.rules.encoding.structs import Belief, OpenOffers, State
from hexholm.rules.names import NATURE
from hexholm.rules.referee import Referee, Step
from hexholm.rules.setup.options import Options

if TYPE_CHECKING:
    from .events import Event

BELIEF_INTERVAL: Final = 32
PackedBelief = tuple[np.ndarray[Any, Any], ...]


class StartPosition(NamedTuple):
    """A position that a game began in: state, open offers and what the seats knew."""

    state: bytes
    open_offers: bytes
    belief: PackedBelief


class PastStep(NamedTuple):
    """One action and the position before it."""

    seat: SeatNumber
    code: int
    state: bytes
    open_offers: bytes
    outcomes: int
    draws: int


class History:
    """The steps of a game."""

    __slots__ = ("_beliefs", "_past_steps", "_steps", "comments", "start")

    def __init__(self) -> None:
        self._past_steps: list[PastStep] = []
        self._steps: list[Step] = []  # of the same length: asked for with every command of a table
        self._beliefs: dict[int, PackedBelief] = {}
        self.comments: dict[int, list[str]] = {}
        self.start: StartPosition | None = None
        """Where a game began that was set up by hand; None: at the beginning."""

    @classmethod
    def starting_at(cls, referee: Referee, start: StartPosition | None = None) -> History:
        """The empty history of a game that begins in the referee's position, or in a kept one."""
        history = cls()
        if start is None:
            state, open_offers = referee.state.buffer.tobytes(), referee.open_offers.buffer.tobytes()
            start = StartPosition(state, open_offers, pack_belief(referee.belief))
        else:
            put_back(referee, start.state, start.open_offers)
            unpack_belief(start.belief, referee.belief)
        history.start = start
        return history

    def __len__(self) -> int:
        return len(self._past_steps)

    def has_same_start(self, other: History) -> bool:
        """Whether two games began alike, also in what the seats knew."""
        if self.start is None or other.start is None:
            return self.start is other.start
        own_start, other_start = self.start, other.start
        return (own_start.state, own_start.open_offers) == (other_start.state, other_start.open_offers) and all(
            map(np.array_equal, own_start.belief, other_start.belief)
        )

    def steps(self) -> tuple[Step, ...]:
        return tuple(self._steps)

    def past_steps(self) -> tuple[PastStep, ...]:
        """All steps, each with the position before it."""
        return tuple(self._past_steps)

    def steps_since(self, step_count: int) -> list[Step]:
        """The steps after so many."""
        return self._steps[step_count:]

    def remember(self, referee: Referee, seat: SeatNumber, code: int, outcomes: int, draws: int) -> None:
        """Note a step that is about to be made."""
        if len(self._past_steps) % BELIEF_INTERVAL == 0:
            self._beliefs[len(self._past_steps)] = pack_belief(referee.belief)
        state, open_offers = referee.state.buffer.tobytes(), referee.open_offers.buffer.tobytes()
        self._past_steps.append(PastStep(seat, code, state, open_offers, outcomes, draws))
        self._steps.append(Step(seat, code))

    def drop_last(self, referee: Referee) -> None:
        """The step was not made: put everything back."""
        index = len(self._past_steps) - 1
        if (
            referee.state.buffer.tobytes() != self._past_steps[index].state
            or referee.open_offers.buffer.tobytes() != self._past_steps[index].open_offers
        ):
            self.back_to(index, referee)  # it was interrupted in the middle
        else:
            self._past_steps.pop()
            self._steps.pop()

    def step(self, index: int) -> Step:
        return self._steps[index]

    def last_decision(self) -> int | None:
        """The place of the last action of a player."""
        for index in reversed(range(len(self._past_steps))):
            if self._past_steps[index].seat != NATURE:
                return index
        return None

    def back_to(self, index: int, referee: Referee) -> tuple[int, int]:
        """Put the referee back to before step `index`; returns the counts of outcomes there."""
        target = self._past_steps[index]
        base = index - index % BELIEF_INTERVAL
        copied = referee.copy()  # beside the game, so that an interruption leaves it as it was
        put_back(copied, self._past_steps[base].state, self._past_steps[base].open_offers)
        unpack_belief(self._beliefs[base], copied.belief)
        for step in self._past_steps[base:index]:
            copied.step(step.seat, step.code)
        put_back(referee, target.state, target.open_offers)
        referee.belief.buffer[:] = copied.belief.buffer
        del self._past_steps[index:], self._steps[index:]
        for stale in [step for step in self._beliefs if step > index]:
            del self._beliefs[stale]
        for stale in [moment for moment in self.comments if moment > index]:
            del self.comments[stale]
        return target.outcomes, target.draws

    def copy(self) -> History:
        """Independent; the kept bytes are shared."""
        duplicate = History()
        duplicate._past_steps, duplicate._steps = self._past_steps.copy(), self._steps.copy()
        duplicate._beliefs, duplicate.start = self._beliefs.copy(), self.start
        duplicate.comments = {moment: texts.copy() for moment, texts in self.comments.items()}
        return duplicate

    def events_since(self, step_count: int | None, referee: Referee, last: tuple[Event, ...] = ()) -> EventSequence:
        """What happened from step `step_count` on (None: from the very beginning), and at `last`."""
        final = referee.state.buffer.tobytes(), referee.open_offers.buffer.tobytes()
        opening = step_count is None and self.start is None
        return EventSequence(referee.options, self._past_steps[step_count:], final, opening=opening, last=last)


class EventSequence(Sequence["Event"]):
    """What happened in a game since some step: a sequence of events, worked out when it is looked at."""

    __slots__ = ("_events", "_final", "_last", "_opening", "_options", "_steps")

    def __init__(
        self,
        options: Options,
        steps: Sequence[PastStep],
        final: tuple[bytes, bytes],
        *,
        opening: bool,
        last: tuple[Event, ...] = (),
    ) -> None:
        self._options, self._steps, self._final, self._opening, self._last = options, steps, final, opening, last
        self._events: tuple[Event, ...] | None = None

    @property
    def events(self) -> tuple[Event, ...]:
        """The events, in order."""
        if self._events is None:
            from .events import events_of, opening_events

            events: list[Event] = []
            positions = [_structs(step.state, step.open_offers) for step in self._steps] + [_structs(*self._final)]
            if self._opening:
                events += opening_events(self._options, positions[0][0])
            for step, (state, offers_before), (after, offers_after) in zip(
                self._steps, positions, positions[1:], strict=False
            ):
                events += events_of(self._options, state, after, offers_before, offers_after, step.seat, step.code)
            self._events = (*events, *self._last)
        return self._events

    def seen_by(self, color: Color | None) -> list[Event]:
        """The faces of the events for a seat (None: for the public); what it is not told is left out."""
        if color is not None and color not in self._options.colors:
            raise nobody_plays(color, self._options.colors, "; None: the public")
        return [face for event in self.events if (face := event.seen_by(color)) is not None]

    @overload
    def __getitem__(self, index: int) -> Event: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Event, ...]: ...
    def __getitem__(self, index: int | slice) -> Event | tuple[Event, ...]:
        return self.events[index]

    def __len__(self) -> int:
        return len(self.events)

    def __eq__(self, other: object) -> bool:
        return self.events == other.events if isinstance(other, EventSequence) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # events hold what cannot be hashed

    def __repr__(self) -> str:
        return f"<{len(self)} event{'' if len(self) == 1 else 's'}: {', '.join(type(e).__name__ for e in self)}>"


# --- keeping ---------------------------------------------------------------------------------------------------------


def pack_belief(belief: Belief) -> PackedBelief:
    """The used part of a belief."""
    fields = belief.buffer.view(Belief.dtype)[0]
    worlds, hands = int(fields["worlds"].max()), int(fields["card_hands"].max())
    return (
        fields["weight"][:, :worlds].copy(),
        fields["hand"][:, :worlds].copy(),
        *(fields[name][:, :hands].copy() for name in ("card_old", "card_new", "card_ways")),
        *(fields[name].copy() for name in ("worlds", "card_hands", "capped", "card_capped")),
    )


def unpack_belief(packed: PackedBelief, belief: Belief) -> None:
    """Put a kept belief back."""
    fields = belief.buffer.view(Belief.dtype)[0]
    worlds, hands = packed[0].shape[1], packed[2].shape[1]
    fields["weight"][:, :worlds], fields["hand"][:, :worlds] = packed[0], packed[1]
    for name, part in zip(("card_old", "card_new", "card_ways"), packed[2:5], strict=True):
        fields[name][:, :hands] = part
    for name, part in zip(("worlds", "card_hands", "capped", "card_capped"), packed[5:], strict=True):
        fields[name][:] = part


def put_back(referee: Referee, state: bytes, open_offers: bytes) -> None:
    """Put a kept position before the referee."""
    referee.state.buffer[:] = np.frombuffer(state, np.uint8)
    referee.open_offers.buffer[:] = np.frombuffer(open_offers, np.uint8)


def _structs(state: bytes, open_offers: bytes) -> tuple[State, OpenOffers]:
    return State(np.frombuffer(state, np.uint8)), OpenOffers(np.frombuffer(open_offers, np.uint8))
