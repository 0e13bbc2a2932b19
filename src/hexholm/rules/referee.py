"""The referee: one game with all its hidden facts, asked and moved by text or code.

This is the full truth. Whatever serves a player gets a view (`referee.view(seat)`), never the referee. The friendly
`Game` of the room above is built on it.

    >>> from hexholm.rules.referee import Referee
    >>> referee = Referee.new(edition="fifth", setup="fixed")
    >>> referee.play("red", "roll")
    >>> referee.deal("dice 4 6")
    >>> referee.hand("red")
    {'brick': 0, 'lumber': 2, 'wool': 0, 'grain': 1, 'ore': 1}
"""

from __future__ import annotations

import threading
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from hexholm.older_names import with_older_names

from . import notation
from .boards import Layout, layout_for
from .colors import AnySeat, Color, SeatNumber, nobody_plays
from .compilation import mode
from .compilation.kernels import fast
from .core import entry_points
from .core.nature import odds_of_outcome, odds_total
from .encoding import action_codes as act
from .encoding.lanes import unpack
from .encoding.phases import PHASES
from .encoding.structs import CARD_KINDS, NATURE, RESOURCES, SEATS, Belief, OpenOffers, Scratch, Sight, State, View
from .errors import BadInput
from .initial_state import new_state
from .reasons import IllegalAction, Reason, reason_of
from .setup.editions import edition
from .setup.options import Options, check_options

USUAL_ROOM = 4096  # legal actions; more room is made when a large hand can be discarded in more ways


class Step(NamedTuple):
    """One thing that was done: an action of a seat, or an outcome of chance, whose seat is NATURE."""

    seat: SeatNumber
    code: int


class KernelBuffers(threading.local):
    """What the kernels work in, a set for each thread; nothing is kept in them between two calls."""

    def __init__(self) -> None:
        self.before, self.scratch = State(), Scratch()
        self.codes: np.ndarray[Any, np.dtype[np.int64]] = np.zeros(USUAL_ROOM, np.int64)


buffers = KernelBuffers()


@with_older_names(bank="supply", cards="development", read="action_code", say="action_text", talk="open_offers")
class PositionJudge:
    """A position and the rules in force: whoever asks is told what is legal, and why not; nothing is played here."""

    def __init__(self, options: Options, layout: Layout, state: State, open_offers: OpenOffers, compiled: bool) -> None:
        self.options, self.layout, self.compiled = options, layout, compiled
        self.state, self.open_offers = state, open_offers

    @property
    def _core(self) -> entry_points.RuleEntryPoints:
        core: entry_points.RuleEntryPoints = fast() if self.compiled else entry_points
        return core

    # --- who, what -------------------------------------------------------------------------------------------

    @property
    def colors(self) -> tuple[Color, ...]:
        """The colors of the players, in the order of the seats."""
        return self.options.colors

    def seat(self, who: AnySeat) -> SeatNumber:
        """A seat by number or color."""
        if isinstance(who, str) and who in self.colors:
            return self.colors.index(who)
        if isinstance(who, int) and not isinstance(who, bool) and 0 <= who < len(self.colors):
            return who
        raise nobody_plays(who, self.colors, f", or 0 to {len(self.colors) - 1}")

    @property
    def phase(self) -> str:
        """The name of the phase, one of `rules.names.PHASES`."""
        return PHASES[self.state.phase].name

    def to_act(self) -> list[SeatNumber]:
        """The seats that must act; empty if chance is pending or the game is over."""
        bits = self._core.do_to_act(self.state.buffer, self.open_offers.buffer)
        return [seat for seat in range(self.state.players) if (bits >> seat) & 1]

    def action_code(self, action: int | str, who: AnySeat | None = None) -> int:
        """An action code from a code or a text; `who` acts."""
        if not isinstance(action, str):
            return action
        return notation.read_action(action, self.colors, None if who is None else self.seat(who))

    def action_text(self, code: int) -> str:
        """The canonical text of an action code (docs/formats/actions.md)."""
        return notation.action_text(int(code), self.colors)

    # --- what may be done ------------------------------------------------------------------------------------

    def legal(self, who: AnySeat) -> list[int]:
        """All legal actions of a seat except offers and counter-offers."""
        seat = self.seat(who)
        while True:
            codes = buffers.codes
            n = self._core.do_list(self.state.buffer, self.open_offers.buffer, buffers.scratch.buffer, seat, codes)
            if n <= len(codes):
                legal: list[int] = codes[:n].tolist()
                return legal
            buffers.codes = np.zeros(2 * n, np.int64)

    def why_not(self, who: AnySeat, action: int | str) -> Reason | None:
        """None if the action is legal now, else why not; the referee takes all hands into account."""
        verdict = self.judge(self.seat(who), self.action_code(action, who))
        return self.reason(verdict) if verdict else None

    def judge(self, seat: SeatNumber, code: int) -> int:
        """The verdict on an action of a seat, or of NATURE: 0 if it is legal, else a code of refusals.py."""
        return int(self._core.do_judge(self.state.buffer, self.open_offers.buffer, seat, code))

    def why_not_for_seat(self, who: AnySeat, action: int | str) -> Reason | None:
        """Like :meth:`why_not`, but only what the seat may know before it tries: no hidden cards of its partners."""
        verdict = self._core.do_judge_for_seat(
            self.state.buffer, self.open_offers.buffer, self.seat(who), self.action_code(action, who)
        )
        return self.reason(verdict) if verdict else None

    def reason(self, verdict: int) -> Reason:
        """The reason for a verdict other than LEGAL."""
        return reason_of(verdict, self.options)


class Referee(PositionJudge):
    """A game in full, compiled or interpreted (:func:`.compilation.mode.may_compile`)."""

    def __init__(self, options: Options, layout: Layout, state: State, compiled: bool | None = None) -> None:
        super().__init__(options, layout, state, OpenOffers(), mode.may_compile(compiled))
        if self.compiled:
            mode.compile_notices.announce(entry_points.ENTRY_NAMES)  # before the compiler is loaded
        self._belief: Belief | None = None

    @classmethod
    def new(
        cls, layout: Layout | None = None, board_seed: int = 0, compiled: bool | None = None, **options: Any
    ) -> Referee:
        """A new game; keywords as for :func:`hexholm.rules.setup.options.check_options`."""
        checked_options = check_options(**options)
        used_layout = layout or layout_for(checked_options, board_seed)
        return cls(checked_options, used_layout, new_state(checked_options, used_layout), compiled)

    @property
    def belief(self) -> Belief:
        """What each seat can infer: made when it is first needed, for it is most of what a game takes of memory."""
        if self._belief is None:
            self._belief = Belief()
            self.start_belief()
        return self._belief

    @belief.setter
    def belief(self, belief: Belief) -> None:
        self._belief = belief

    def start_belief(self) -> None:
        """Assume that everybody knows all cards: at the beginning of a game, or in a position set up by hand."""
        self._core.do_start_belief(self.belief.buffer, self.state.buffer)

    # --- acting ----------------------------------------------------------------------------------------------

    def play(self, who: AnySeat, action: int | str) -> None:
        """Carry out an action of a seat; raises IllegalAction and changes nothing if it is not legal."""
        self.step(self.seat(who), self.action_code(action, who))

    def deal(self, outcome: int | str) -> None:
        """Carry out an action of Nature: dice, a stolen card, a drawn card."""
        code = self.action_code(outcome)
        if not act.DICE <= act.kind_of(code) <= act.DRAWN:
            raise BadInput(f"{self.action_text(code)} is a player's action, not an outcome of chance")
        self.step(NATURE, code)

    def step(self, seat: SeatNumber, code: int) -> None:
        """Carry out an action of a seat, or of NATURE, by number; raises IllegalAction if it is not legal."""
        verdict = self._core.do_step(
            self.state.buffer,
            self.open_offers.buffer,
            self.belief.buffer,
            buffers.before.buffer,
            buffers.scratch.buffer,
            seat,
            code,
        )
        if verdict:
            raise IllegalAction(self.action_text(code), self.reason(verdict))

    def chance(self) -> dict[int, Fraction]:
        """The possible outcomes of pending chance, with their odds; empty if none is pending."""
        all_odds = odds_total(self.state)
        if not all_odds:
            return {}
        return {code: Fraction(n, all_odds) for code in act.OUTCOME_CODES if (n := odds_of_outcome(self.state, code))}

    def view(self, who: AnySeat | None) -> View:
        """What a seat may know; None: the public."""
        view = View()
        self._core.do_view(
            self.state.buffer,
            self.open_offers.buffer,
            self.belief.buffer,
            buffers.scratch.buffer,
            view.buffer,
            SEATS if who is None else self.seat(who),
        )
        return view

    def sight(self, who: AnySeat | None) -> Sight:
        """What a seat sees, without what it can infer: a cheaper :meth:`view` if you look often."""
        sight = Sight()
        observer = SEATS if who is None else self.seat(who)
        self._core.do_sight(self.state.buffer, self.open_offers.buffer, buffers.scratch.buffer, sight.buffer, observer)
        return sight

    # --- looking ---------------------------------------------------------------------------------------------

    def hand(self, who: AnySeat) -> dict[str, int]:
        """Resource cards of a seat."""
        return dict(zip(RESOURCES, unpack(self.state.hand[self.seat(who)]), strict=True))

    def development(self, who: AnySeat) -> dict[str, int]:
        """Development cards in a seat's hand."""
        return dict(zip(CARD_KINDS, unpack(self.state.development[self.seat(who)]), strict=True))

    def supply(self) -> dict[str, int]:
        """Resource cards in the supply."""
        return dict(zip(RESOURCES, unpack(self.state.supply), strict=True))

    def points(self, who: AnySeat) -> int:
        """Public points of a seat."""
        return self.state.points[self.seat(who)]

    @property
    def winner(self) -> int | None:
        """The seat that has won, if any."""
        return self.state.winner if self.state.winner >= 0 else None

    def copy(self) -> Referee:
        """An independent game in the same position."""
        duplicate = Referee.__new__(Referee)
        duplicate.options, duplicate.layout, duplicate.compiled = self.options, self.layout, self.compiled
        duplicate.state, duplicate.open_offers = self.state.copy(), self.open_offers.copy()
        duplicate._belief = None if self._belief is None else self._belief.copy()
        return duplicate

    def __repr__(self) -> str:
        title = edition(self.options.edition).title
        return f"<Referee {title}, {self.state.players} players, turn {self.state.turn_number}, {self.phase}>"


def _use_once(compiled: bool | None) -> None:
    referee = Referee.new(first=0, compiled=mode.runs_compiled(compiled))
    code = referee.legal(0)[0]
    referee.view(0), referee.sight(0), referee.to_act(), referee.why_not(0, code), referee.why_not_for_seat(0, code)
    referee.step(0, code)


mode.register(mode.RULES_PART, _use_once, entry_points.ENTRY_NAMES)
