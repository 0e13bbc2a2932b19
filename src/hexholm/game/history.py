"""What happened in a game, and the way back.

Before every step the state and the offers are kept as bytes (about 850 a step). What the seats have inferred is larger,
so it is kept every 32 steps, and taking back replays from there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, overload

import numpy as np

from hexholm.rules.core.encoding.structs import Belief, State, Talk
from hexholm.rules.errors import BadInput
from hexholm.rules.names import NATURE
from hexholm.rules.options import Options
from hexholm.rules.referee import Referee

if TYPE_CHECKING:
    from .events import Event

EVERY: Final = 32
PackedBelief = tuple[np.ndarray[Any, Any], ...]


class PastStep(NamedTuple):
    """One action and the position before it."""

    seat: int
    code: int
    state: bytes
    talk: bytes
    outcomes: int
    counted: int


class History:
    """The steps of a game."""

    __slots__ = ("_beliefs", "_pairs", "_steps", "comments", "start")

    def __init__(self) -> None:
        self._steps: list[PastStep] = []
        self._pairs: list[tuple[int, int]] = []  # (seat, code) of each: asked for with every command of a table
        self._beliefs: dict[int, PackedBelief] = {}
        self.comments: dict[int, list[str]] = {}
        self.start: tuple[bytes, bytes, PackedBelief] | None = None
        """Where a game began that was set up by hand; None: at the beginning."""

    @classmethod
    def starting_at(cls, referee: Referee, start: tuple[bytes, bytes, PackedBelief] | None = None) -> History:
        """The empty history of a game that begins in the referee's position, or in a kept one."""
        new = cls()
        if start is None:
            start = referee.state.buffer.tobytes(), referee.talk.buffer.tobytes(), pack_belief(referee.belief)
        else:
            put_back(referee, start[0], start[1])
            unpack_belief(start[2], referee.belief)
        new.start = start
        return new

    def __len__(self) -> int:
        return len(self._steps)

    def same_start(self, other: History) -> bool:
        """Whether two games began alike, also in what the seats knew."""
        if self.start is None or other.start is None:
            return self.start is other.start
        mine, yours = self.start, other.start
        return mine[:2] == yours[:2] and all(map(np.array_equal, mine[2], yours[2]))

    def steps(self) -> tuple[tuple[int, int], ...]:
        return tuple(self._pairs)

    def past_steps(self) -> tuple[PastStep, ...]:
        """All steps, each with the position before it."""
        return tuple(self._steps)

    def steps_since(self, count: int) -> list[tuple[int, int]]:
        """(seat, code) of the steps after so many."""
        return self._pairs[count:]

    def remember(self, referee: Referee, seat: int, code: int, outcomes: int, counted: int) -> None:
        """Note a step that is about to be made."""
        if len(self._steps) % EVERY == 0:
            self._beliefs[len(self._steps)] = pack_belief(referee.belief)
        state, talk = referee.state.buffer.tobytes(), referee.talk.buffer.tobytes()
        self._steps.append(PastStep(seat, code, state, talk, outcomes, counted))
        self._pairs.append((seat, code))

    def forget_last(self, referee: Referee) -> None:
        """The step was not made: put everything back."""
        at = len(self._steps) - 1
        if (
            referee.state.buffer.tobytes() != self._steps[at].state
            or referee.talk.buffer.tobytes() != self._steps[at].talk
        ):
            self.back_to(at, referee)  # it was interrupted in the middle
        else:
            self._steps.pop()
            self._pairs.pop()

    def step(self, at: int) -> tuple[int, int]:
        return self._pairs[at]

    def last_decision(self) -> int | None:
        """The place of the last action of a player."""
        for at in reversed(range(len(self._steps))):
            if self._steps[at].seat != NATURE:
                return at
        return None

    def back_to(self, at: int, referee: Referee) -> tuple[int, int]:
        """Put the referee back to before step `at`; returns the counts of outcomes there."""
        target = self._steps[at]
        base = at - at % EVERY
        again = referee.copy()  # beside the game, so that an interruption leaves it as it was
        put_back(again, self._steps[base].state, self._steps[base].talk)
        unpack_belief(self._beliefs[base], again.belief)
        for step in self._steps[base:at]:
            again.step(step.seat, step.code)
        put_back(referee, target.state, target.talk)
        referee.belief.buffer[:] = again.belief.buffer
        del self._steps[at:], self._pairs[at:]
        for later in [place for place in self._beliefs if place > at]:
            del self._beliefs[later]
        for later in [place for place in self.comments if place > at]:
            del self.comments[later]
        return target.outcomes, target.counted

    def copy(self) -> History:
        """Independent; the kept bytes are shared."""
        twin = History()
        twin._steps, twin._pairs = self._steps.copy(), self._pairs.copy()
        twin._beliefs, twin.start = self._beliefs.copy(), self.start
        twin.comments = {at: texts.copy() for at, texts in self.comments.items()}
        return twin

    def past(self, since: int | None, referee: Referee, last: tuple[Event, ...] = ()) -> Past:
        """What happened from step `since` on (None: from the very beginning), and at `last`."""
        after = referee.state.buffer.tobytes(), referee.talk.buffer.tobytes()
        opening = since is None and self.start is None
        return Past(referee.options, self._steps[since:], after, opening=opening, last=last)


class Past(Sequence["Event"]):
    """What happened in a game since some step: a sequence of events, worked out when it is looked at."""

    __slots__ = ("_after", "_events", "_last", "_opening", "_options", "_steps")

    def __init__(
        self,
        options: Options,
        steps: Sequence[PastStep],
        after: tuple[bytes, bytes],
        *,
        opening: bool,
        last: tuple[Event, ...] = (),
    ) -> None:
        self._options, self._steps, self._after, self._opening, self._last = options, steps, after, opening, last
        self._events: tuple[Event, ...] | None = None

    @property
    def events(self) -> tuple[Event, ...]:
        """The events, in order."""
        if self._events is None:
            from .events import events_of, opening_events

            found: list[Event] = []
            then = [_structs(step.state, step.talk) for step in self._steps] + [_structs(*self._after)]
            if self._opening:
                found += opening_events(self._options, then[0][0])
            for step, (state, talk), (after, talk_after) in zip(self._steps, then, then[1:], strict=False):
                found += events_of(self._options, state, after, talk, talk_after, step.seat, step.code)
            self._events = (*found, *self._last)
        return self._events

    def seen_by(self, seat: str | None) -> list[Event]:
        """The faces of the events for a seat (None: for the public); what it is not told is left out."""
        if seat is not None and seat not in self._options.colors:
            raise BadInput(
                f"nobody plays {seat!r}; the players are {', '.join(self._options.colors)}; None: the public"
            )
        return [face for event in self.events if (face := event.seen_by(seat)) is not None]

    @overload
    def __getitem__(self, at: int) -> Event: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Event, ...]: ...
    def __getitem__(self, at: int | slice) -> Event | tuple[Event, ...]:
        return self.events[at]

    def __len__(self) -> int:
        return len(self.events)

    def __eq__(self, other: object) -> bool:
        return self.events == other.events if isinstance(other, Past) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # events hold what cannot be hashed

    def __repr__(self) -> str:
        return f"<{len(self)} event{'' if len(self) == 1 else 's'}: {', '.join(type(e).__name__ for e in self)}>"


# --- keeping ---------------------------------------------------------------------------------------------------------


def pack_belief(belief: Belief) -> PackedBelief:
    """The used part of a belief."""
    b = belief.buffer.view(Belief.dtype)[0]
    worlds, hands = int(b["worlds"].max()), int(b["card_hands"].max())
    return (
        b["weight"][:, :worlds].copy(),
        b["hand"][:, :worlds].copy(),
        *(b[name][:, :hands].copy() for name in ("card_old", "card_new", "card_ways")),
        *(b[name].copy() for name in ("worlds", "card_hands", "capped", "card_capped")),
    )


def unpack_belief(kept: PackedBelief, belief: Belief) -> None:
    """Put a kept belief back."""
    b = belief.buffer.view(Belief.dtype)[0]
    worlds, hands = kept[0].shape[1], kept[2].shape[1]
    b["weight"][:, :worlds], b["hand"][:, :worlds] = kept[0], kept[1]
    for name, part in zip(("card_old", "card_new", "card_ways"), kept[2:5], strict=True):
        b[name][:, :hands] = part
    for name, part in zip(("worlds", "card_hands", "capped", "card_capped"), kept[5:], strict=True):
        b[name][:] = part


def put_back(referee: Referee, state: bytes, talk: bytes) -> None:
    """Put a kept position before the referee."""
    referee.state.buffer[:] = np.frombuffer(state, np.uint8)
    referee.talk.buffer[:] = np.frombuffer(talk, np.uint8)


def _structs(state: bytes, talk: bytes) -> tuple[State, Talk]:
    return State(np.frombuffer(state, np.uint8)), Talk(np.frombuffer(talk, np.uint8))
