"""A game in play: the position, all that happened, who deals; what is legal, play by text, chance, take back, copy.

A game never rests on chance: after an action its dealer decides dice and cards at once (:mod:`.dealers`). What leads
out of it, to views, records, texts and pictures, has :class:`hexholm.game.game.Game`.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self

from hexholm.older_names import with_older_names
from hexholm.rules.boards import Layout, layout_for
from hexholm.rules.colors import AnySeat, Color, SeatNumber
from hexholm.rules.compilation import mode
from hexholm.rules.encoding.phases import OVER, is_chance_phase
from hexholm.rules.encoding.structs import NATURE, Belief, OpenOffers, State
from hexholm.rules.errors import BadInput
from hexholm.rules.initial_state import new_state
from hexholm.rules.queries import draws_used, total_points
from hexholm.rules.reasons import IllegalAction, Reason
from hexholm.rules.referee import Referee, Step
from hexholm.rules.setup.options import Options

from .action import Action, AnyAction, actor_name
from .dealers import Chance, Dealer, NoOutcome, Seeded, SystemRandom
from .events import Stopped
from .history import EventSequence, History, StartPosition
from .language.action_parser import read_typed_action
from .language.clean_text import clean
from .legal_actions import LegalActions
from .new_game import game_options, names_for
from .result import STOPS, GameStopped, Result, Stop, stop_reason


@with_older_names(cut="stop", past="events_since")
class GameBase:
    """A game as it is played: the rules in force, the board, the position, all that happened, who deals.

    :class:`hexholm.game.game.Game` adds the ways out of it. There are two classes because a text of a game is made from
    one (:mod:`.descriptions`) and `Game` offers that text: what reads a game must not import what leads to it.
    """

    def __init__(
        self,
        edition: str | None = None,
        players: int | None = None,
        setup: str | None = None,
        seed: int | None = None,
        *,
        first: int | str | None = None,
        board: Layout | None = None,
        dealer: Dealer | None = None,
        names: Sequence[str] = (),
        compiled: bool | None = None,
        **more: Any,
    ) -> None:
        """Begin a game.

        `seed` names the board and, with keys of its own, the dice and cards; without one both are fresh. Who can guess
        the seed knows the dice: where that matters give `dealer=hexholm.SystemRandom()`, or no seed. `first` is the
        color or number of the seat that begins, or "roll"; without it the edition's rule decides where chance does,
        else seat 1. `board` is a board of your own. `more`: the other options, among them colors, phases, harbors,
        numbers, map, ages, two_players and the house rules (:func:`hexholm.options`).
        """
        options = game_options(edition, players, setup, first=first, board=board, **more)
        self._begin_anew(options, seed, board, dealer, names, compiled)

    @classmethod
    def with_options(
        cls,
        options: Options,
        seed: int | None = None,
        *,
        board: Layout | None = None,
        dealer: Dealer | None = None,
        names: Sequence[str] = (),
        compiled: bool | None = None,
    ) -> Self:
        """A new game with options that were already checked; everything else as in the constructor."""
        game = cls.__new__(cls)
        game._begin_anew(options, seed, board, dealer, names, compiled)
        return game

    def _begin_anew(
        self,
        options: Options,
        seed: int | None,
        board: Layout | None,
        dealer: Dealer | None,
        names: Sequence[str],
        compiled: bool | None,
    ) -> None:
        if seed is not None and type(seed) is not int:
            raise BadInput(f"seed {seed!r}: give a whole number")
        layout = board or layout_for(options, secrets.randbits(62) if seed is None else seed)
        if dealer is None:
            dealer = SystemRandom() if seed is None else Seeded(seed)
        if not callable(getattr(dealer, "deal", None)):
            raise BadInput(f"dealer {dealer!r}: give something with a method deal(chance), such as hexholm.Seeded(7)")
        self._begin(options, layout, dealer, names, compiled, seed)
        self._deal_chance()

    def _begin(
        self,
        options: Options,
        layout: Layout,
        dealer: Dealer,
        names: Sequence[str],
        compiled: bool | None,
        seed: int | None = None,
        state: State | None = None,
    ) -> None:
        layout = layout.without_seed()
        self.seed = seed
        self.dealer: Dealer = dealer
        self.names = names_for(names, options)
        self._compiled_wish = compiled
        self.referee = Referee(options, layout, state or new_state(options, layout), mode.runs_compiled(compiled))
        self._history = History()
        self._outcomes = self._draws = 0
        self._stop_result: Result | None = None

    @classmethod
    def at(
        cls,
        options: Options,
        layout: Layout,
        state: State,
        open_offers: OpenOffers | None = None,
        belief: Belief | None = None,
        *,
        dealer: Dealer | None = None,
        names: Sequence[str] = (),
        compiled: bool | None = None,
    ) -> Self:
        """A game from a position, without a past.

        Without `belief`, everybody is assumed to know all cards. Pending chance stays pending until `deal()`.
        """
        game = cls.__new__(cls)
        game._begin(options, layout, dealer or SystemRandom(), names, compiled, state=state.copy())
        if open_offers is not None:
            game.referee.open_offers.buffer[:] = open_offers.buffer
        if belief is not None:
            game.referee.belief.buffer[:] = belief.buffer
        game._history = History.starting_at(game.referee)
        return game

    @classmethod
    def unplayed(
        cls,
        options: Options,
        layout: Layout,
        *,
        dealer: Dealer | None = None,
        names: Sequence[str] = (),
        compiled: bool | None = None,
    ) -> Self:
        """A game at its very beginning, before its dealer is asked for anything; then :meth:`repeat` known steps."""
        game = cls.__new__(cls)
        game._begin(options, layout, dealer or SystemRandom(), names, compiled)
        return game

    # --- what there is ---------------------------------------------------------------------------------------

    @property
    def options(self) -> Options:
        """The rules in force."""
        return self.referee.options

    @property
    def edition(self) -> str:
        """The name of the edition."""
        return self.referee.options.edition

    @property
    def layout(self) -> Layout:
        """The board: hexes, number tokens, harbors."""
        return self.referee.layout

    @property
    def colors(self) -> tuple[Color, ...]:
        """The players' colors, by seat."""
        return self.referee.options.colors

    @property
    def phase(self) -> str:
        """The name of the phase (docs/reference/phases.md)."""
        return self.referee.phase

    @property
    def turn(self) -> int:
        """The number of the turn; 0 in the set-up."""
        return int(self.referee.state.turn_number)

    @property
    def active(self) -> Color:
        """Whose turn it is."""
        return self.colors[self.referee.state.active]

    @property
    def first(self) -> Color | None:
        """The first player; None until the dice have decided it."""
        first = self.referee.state.first
        return self.colors[first] if first >= 0 else None

    @property
    def over(self) -> bool:
        """Whether the game has ended, with or without a winner."""
        return self._stop_result is not None or self.referee.state.phase == OVER

    @property
    def winner(self) -> Color | None:
        """Who has won."""
        winner = self.referee.winner
        return None if winner is None else self.colors[winner]

    @property
    def result(self) -> Result | None:
        """How the game ended; None if it has not ended."""
        if self._stop_result is not None:
            return self._stop_result
        return Result("won", self.winner, self.points) if self.winner is not None else None

    @property
    def points(self) -> tuple[int, ...]:
        """Points by seat, hidden ones included."""
        state = self.referee.state
        return tuple(total_points(state, seat) for seat in range(state.players))

    @property
    def steps(self) -> tuple[Step, ...]:
        """Everything that has happened, as (seat, code); chance has seat -1."""
        return self._history.steps()

    def steps_since(self, step_count: int) -> list[Step]:
        """The steps after so many steps, as (seat, code)."""
        return self._history.steps_since(step_count)

    @property
    def step_count(self) -> int:
        """How many steps there have been."""
        return len(self._history)

    @property
    def actions(self) -> tuple[Action, ...]:
        """Everything that has happened, as actions."""
        return tuple(Action.of_code(code, self.colors, actor_name(seat, self.colors)) for seat, code in self.steps)

    @property
    def comments(self) -> dict[int, tuple[str, ...]]:
        """The comments, by the number of steps that had happened."""
        return {moment: tuple(texts) for moment, texts in sorted(self._history.comments.items())}

    # --- what may be done ------------------------------------------------------------------------------------

    @property
    def to_act(self) -> tuple[Color, ...]:
        """The players who must act now; none while chance is pending or when the game is over."""
        if self._stop_result is not None:
            return ()
        return tuple(self.colors[seat] for seat in self.referee.to_act())

    @property
    def legal_actions(self) -> LegalActions:
        """What every seat may do now, as far as it may know; :class:`LegalActions` says what is legal but not listed.

        Players who do not have to act may have actions too: they can change their answer to an offer. A listed `accept`
        or `confirm` can still be refused if the partner no longer holds the cards (TRADE-10); `why_not` knows.
        """
        seats = () if self._stop_result is not None else range(len(self.colors))
        return LegalActions(self.colors, {seat: self.referee.legal(seat) for seat in seats})

    def why_not(self, action: AnyAction, by: AnySeat | None = None) -> Reason | None:
        """None if the action is legal now, else the reason with its rule; this takes hidden cards into account."""
        seat, code = read_typed_action(self.referee, action, by)
        if self._stop_result is not None:
            return stop_reason(self.options)
        return self.referee.why_not(seat, code)

    def play(self, action: AnyAction, by: AnySeat | None = None) -> EventSequence:
        """Carry out an action and the chance that follows; returns what happened as a sequence of events.

        `by` says who acts if that is not clear. Raises UnreadableAction, AmbiguousAction or IllegalAction without
        changing anything. Raises NoOutcome if the dealer has no possible outcome: the action stands, and the
        game waits for `deal`.
        """
        if self._stop_result is not None:
            raise self._stopped_error()
        seat, code = read_typed_action(self.referee, action, by)
        since = len(self._history)
        try:
            self._carry_out(seat, code)
        except IllegalAction as error:
            alternatives = {seat: [option for option in self.referee.legal(seat) if option != code]}
            raise IllegalAction(error.action_text, error.reason, LegalActions(self.colors, alternatives)) from None
        self._deal_chance()
        return self.events_since(since)

    def _carry_out(self, seat: SeatNumber, code: int) -> None:
        self._choose_speed()
        referee = self.referee
        self._history.remember(referee, seat, code, self._outcomes, self._draws)
        try:
            referee.step(seat, code)
        except BaseException:  # a refusal, or an interruption in the middle: nothing has happened
            self._history.drop_last(referee)
            raise
        mode.count_toward_compiling(referee.compiled)

    # --- chance ----------------------------------------------------------------------------------------------

    @property
    def chance(self) -> Chance | None:
        """What the dealer has to decide now; None if the game is not waiting for it."""
        state = self.referee.state
        if self._stop_result is not None or not is_chance_phase(state.phase):
            return None
        return Chance(state, self.colors, self._outcomes, self._draws)

    def deal(self, outcome: AnyAction | None = None) -> EventSequence:
        """Decide pending chance by hand, or ask the dealer again; returns what happened."""
        pending_chance, since = self.chance, len(self._history)
        if pending_chance is None:
            raise NoOutcome(
                "nothing is left to chance now" + (f"; {' and '.join(self.to_act)} may act" * (not self.over))
            )
        if outcome is not None:
            self._apply_outcome(pending_chance.check(outcome))
        self._deal_chance()
        return self.events_since(since)

    def _deal_chance(self) -> None:
        """Let the dealer decide as long as chance is pending."""
        state = self.referee.state
        while is_chance_phase(state.phase):
            pending_chance = Chance(state, self.colors, self._outcomes, self._draws)
            answer = self.dealer.deal(pending_chance)
            if answer is None:
                return  # not yet
            self._apply_outcome(pending_chance.check(answer))

    def _apply_outcome(self, code: int) -> None:
        phase = self.referee.state.phase
        self._carry_out(NATURE, code)
        self._outcomes += 1
        self._draws += draws_used(phase)

    # --- time ------------------------------------------------------------------------------------------------

    @property
    def history(self) -> History:
        """The steps with the positions before them; read only."""
        return self._history

    def rewind(self, step: int) -> None:
        """Go back to the moment after so many steps, fewer than there were; this takes back a stop, too."""
        self._stop_result = None
        self._outcomes, self._draws = self._history.back_to(step, self.referee)

    def undo(self) -> Action | None:
        """Take back the last action of a player, with the chance that followed, and return it; or take back a stop."""
        if self._stop_result is not None:
            self._stop_result = None
            return None
        index = self._history.last_decision()
        if index is None:
            raise BadInput("there is nothing to take back: nobody has acted yet")
        seat, code = self._history.step(index)
        self.rewind(index)
        return Action.of_code(code, self.colors, self.colors[seat])

    def stop(self, how: Stop, note: str = "") -> Result:
        """Stop the game before anybody has won: "agreed", "abandoned" or "capped"."""
        if how not in STOPS:
            raise BadInput(f"a game can be stopped as {', '.join(STOPS)}, not as {how!r}")
        if self.over:
            raise GameStopped(f"the game is over already: {self.result}")
        self._stop_result = Result(how, None, self.points, clean(note))
        return self._stop_result

    def _stopped_error(self) -> GameStopped:
        assert self._stop_result is not None
        note = f" ({self._stop_result.note})" if self._stop_result.note else ""
        return GameStopped(f"the game was {self._stop_result.how}{note}; undo() goes back to before that")

    def comment(self, text: str) -> None:
        """Add a comment at this point; the record keeps it."""
        if remark := clean(text):
            self._history.comments.setdefault(len(self._history), []).append(remark)

    @property
    def events(self) -> EventSequence:
        """Everything that has happened, as events; `game.events.seen_by("blue")` is what blue saw of them."""
        return self.events_since()

    def events_since(self, step_count: int | None = None) -> EventSequence:
        """The events after so many steps; None: all events, including how the game began."""
        stop_result = self._stop_result
        stop_events = (
            () if stop_result is None or stop_result.how == "won" else (Stopped(stop_result.how, stop_result.note),)
        )
        return self._history.events_since(step_count, self.referee, stop_events)

    def copy(self) -> Self:
        """An independent game in the same position, with the same past and dealer."""
        duplicate = type(self).__new__(type(self))
        duplicate.__dict__.update(self.__dict__)
        duplicate.referee, duplicate._history = self.referee.copy(), self._history.copy()
        return duplicate

    __copy__ = copy

    def __deepcopy__(self, memo: Any) -> Self:
        return self.copy()

    # --- sameness --------------------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        """The same rules, board, position and past; who deals does not count."""
        if not isinstance(other, GameBase):
            return NotImplemented
        own_referee, other_referee = self.referee, other.referee
        return (
            self.options == other.options
            and self.layout == other.layout
            and own_referee.state == other_referee.state
            and own_referee.open_offers == other_referee.open_offers
            and self.steps == other.steps
            and self._history.has_same_start(other._history)
            and self._stop_result == other._stop_result
        )

    def __hash__(self) -> int:
        """Of the present position: a game in a set or a dict must not be played on."""
        return hash(
            (self.options.edition, self.referee.state.buffer.tobytes(), self.referee.open_offers.buffer.tobytes())
        )

    def __getstate__(self) -> dict[str, Any]:
        attributes = {name: self.__dict__[name] for name in ("seed", "dealer", "names")}
        return attributes | {  # under the names that pickles of before have
            "_mode": self._compiled_wish,
            "_cut": self._stop_result,
            "options": self.options,
            "layout": self.layout,
            "steps": self.steps,
            "comments": self.comments,
            "start": self._history.start,
        }

    def __setstate__(self, data: dict[str, Any]) -> None:
        start = data["start"]
        self._begin(
            data["options"],
            data["layout"],
            data["dealer"],
            data["names"],
            data["_mode"],
            data["seed"],
            state=None if start is None else State(),
        )
        if start is not None:
            self._history = History.starting_at(self.referee, StartPosition(*start))
        self.repeat(data["steps"], data["comments"])
        self._stop_result = data["_cut"]

    def repeat(self, steps: Iterable[Step], comments: Mapping[int, Sequence[str]] | None = None) -> None:
        """Play recorded steps, including chance, without asking the dealer; `comments` as in :attr:`comments`."""
        for seat, code in steps:
            if seat == NATURE:
                self._apply_outcome(code)
            else:
                self._carry_out(seat, code)
        for moment, texts in (comments or {}).items():
            self._history.comments.setdefault(moment, []).extend(texts)

    def _choose_speed(self) -> None:
        """Let the game go on compiled, if that is ready by now."""
        if self._compiled_wish is None and not self.referee.compiled:
            self.referee.compiled = mode.runs_compiled(None)
