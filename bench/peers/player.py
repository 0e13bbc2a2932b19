"""One of our players at one of its tables: it is asked as its own players are, and answers from its seat's view alone.

    from bench.peers.player import HexholmPlayer
    game = Game([HexholmPlayer(Color.RED, bot("easy", seed=1)), *three_others])

What its engine asks in one question and ours in two (where to move the robber, whom to rob) is asked twice, the second
time on our copy of the state after the first answer. What it asks in several questions and ours in one (a discard,
card by card there) is asked once and kept.

Its bots never answer an offer but with no, and two of them fall over when they are asked. So offers are not passed on:
an offer is answered at once as if everybody had said no, and the player is asked again, as at a table of people who do
not trade. Players whose factory has a switch `trades` are told so by `match.py` and do not even try.

An answer that its engine does not list is a *miss*: then the next best of the player's own thoughts is taken, or else a
plain move. Misses are counted by kind; there should be next to none.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from hexholm.arena.decision_times import Times
from hexholm.bots.protocol import Bot, choice_code
from hexholm.game.game import SeatView
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.encoding.structs import State
from hexholm.rules.errors import BadInput

from .answers import Key, discard_keys, key_of_action, key_of_code
from .catanatron_game import Shadow

MOST_OFFERS: Final = 4
"""So many offers in a row are listened to; then the player's next best is taken."""
PLAIN_MOVES: Final = ("ROLL", "END_TURN", "REJECT_TRADE", "CANCEL_TRADE")
"""What is done for a player without a usable answer, if it can be."""
TRADE_PROMPTS: Final = ("DECIDE_TRADE", "DECIDE_ACCEPTEES")


class HexholmPlayer:
    """A player in its engine: it has a color, and is asked to `decide`."""

    is_bot = True

    def __init__(self, color: Any, bot: Bot, compiled: bool | None = None) -> None:
        self.color, self.bot, self.compiled = color, bot, compiled
        self.times = Times()
        """How long the player thought, a question each; what the adapter needs comes on top."""
        self.misses: Counter[str] = Counter()
        self.offers = 0
        """Offers that were answered with no."""
        self.reset_state()

    def reset_state(self) -> None:
        """Forget the game: another one begins."""
        self.shadow: Shadow | None = None
        self._discards: deque[Key] = deque()

    def __repr__(self) -> str:
        return f"HexholmPlayer:{self.color.name}"

    def decide(self, game: Any, playable_actions: Sequence[Any]) -> Any:
        """One of the actions its engine offers."""
        prompt = game.state.current_prompt.name
        if prompt in TRADE_PROMPTS:
            return self._plain_move(playable_actions)
        if prompt != "DISCARD" and len(playable_actions) == 1:
            return playable_actions[0]
        shadow = self._follow(game)
        actions = {key_of_action(action, shadow.reader.island): action for action in playable_actions}
        if prompt == "DISCARD":
            return self._discard(shadow, actions)
        state = shadow.state()
        code = self._choose(shadow, state, lambda code: key_of_code(code) in actions)
        if code is None:
            return self._plain_move(playable_actions)
        if act.kind_of(code) == act.ROBBER:
            return self._robber_move(shadow, state, code, playable_actions)
        return actions[key_of_code(code)]

    def _follow(self, game: Any) -> Shadow:
        """Our state of this game, up to date."""
        if self.shadow is None or not self.shadow.follows(game):
            self.reset_state()
            self.shadow = Shadow(game, self.compiled)
        self.shadow.catch_up(game)
        return self.shadow

    # --- asking the player --------------------------------------------------------------------------------------------

    def _choose(self, shadow: Shadow, state: State, fits: Callable[[int], bool]) -> int | None:
        """The player's answer if it fits its engine's question; else its next best that does, or None."""
        seat = shadow.reader.seat_of[self.color]
        view = shadow.view(seat, state)
        for code in self._answers(view, seat):
            if fits(code):
                return code
            if not act.OFFER <= act.kind_of(code) <= act.COUNTER:
                self.misses[act.KIND_NAMES[act.kind_of(code)]] += 1
                break
        return next(filter(fits, self._thoughts(view, seat)), None)

    def _answers(self, view: SeatView, seat: int) -> Iterator[int]:
        """What the player says, asked again as long as it makes offers."""
        for _ in range(MOST_OFFERS):
            try:
                started_at = time.perf_counter_ns()
                choice: object = self.bot.choose(view)
                self.times.add(time.perf_counter_ns() - started_at)
                code = choice_code(choice, view.colors, seat)
            except Exception as error:  # whatever a player does, the game goes on
                self.misses[f"failed: {type(error).__name__}: {error}"] += 1
                return
            if act.OFFER <= act.kind_of(code) <= act.COUNTER:
                self.offers += 1
            yield code

    def _thoughts(self, view: SeatView, seat: int) -> Iterator[int]:
        """What else the player thought of, the best first."""
        explain = getattr(self.bot, "explain", None)
        for thought in (explain() or ()) if explain is not None else ():
            try:
                yield choice_code(getattr(thought, "action", thought), view.colors, seat)
            except BadInput:
                continue

    def _plain_move(self, playable: Sequence[Any]) -> Any:
        """A move for a player without an answer."""
        for name in PLAIN_MOVES:
            for action in playable:
                if action.action_type.name == name:
                    return action
        return playable[0]

    # --- decisions that are cut differently ---------------------------------------------------------------------------

    def _discard(self, shadow: Shadow, actions: dict[Key, Any]) -> Any:
        """The next card of the discard that the player has chosen."""
        if not self._discards:
            state = shadow.state()
            referee = shadow.referee(state)
            code = self._choose(shadow, state, lambda code: referee.judge(shadow.reader.seat_of[self.color], code) == 0)
            self._discards.extend([] if code is None else discard_keys(code))
        return actions[self._discards.popleft()] if self._discards else next(iter(actions.values()))

    def _robber_move(self, shadow: Shadow, state: State, code: int, playable: Sequence[Any]) -> Any:
        """The robber's move with its victim: the player is asked for one if there are several who have cards."""
        coordinate, seat = shadow.reader.island.coordinate_of[act.parameter_of(code)], shadow.reader.seat_of[self.color]
        moves = [action for action in playable if action.value[0] == coordinate]
        if len(moves) == 1:
            return moves[0]
        victims = {act.simple_action(act.STEAL, shadow.reader.seat_of[action.value[1]]): action for action in moves}
        referee = shadow.referee(state)
        referee.step(seat, code)
        answer = self._choose(shadow, referee.state, lambda code: code in victims)
        return moves[0] if answer is None else victims[answer]
