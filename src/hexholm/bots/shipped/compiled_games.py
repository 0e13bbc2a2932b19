"""Whole games among compiled players, at full speed: for fitting, for measuring, for large tournaments of theirs.

The games are those that the players play one decision at a time; a test compares the records.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from hexholm.rules.boards import Layout, layout_for
from hexholm.rules.compilation.kernels import fast
from hexholm.rules.encoding.structs import SEATS, Belief, OpenOffers, Scratch, State
from hexholm.rules.initial_state import full_deck, new_state
from hexholm.rules.random_numbers import key_for
from hexholm.rules.referee import Step
from hexholm.rules.setup.options import Options

from ..kernels import whole_games
from ..kernels.feature_numbers import FEATURES
from ..kernels.lookahead import COPIES
from ..kernels.mind import HIDDEN_UNITS, Mind
from ..protocol import MOST_BOT_TURNS

Net = npt.NDArray[np.float64]
MOST_STEPS = 20_000
MOST_POSITIONS = 64


@dataclass(frozen=True)
class WholeGame:
    """A game that was played in one compiled call."""

    state: State
    steps: list[Step]
    decisions: int
    faults: int
    """Decisions that were not legal; there are none."""

    @property
    def winner(self) -> int:
        """The seat that has won; below 0: nobody, it was capped."""
        return self.state.winner


class WholeGames:
    """Buffers for one game at a time, used again and again."""

    def __init__(self, compiled: bool = True) -> None:
        self._play: Any = fast().bot_game if compiled else whole_games.bot_game
        self._structs = [OpenOffers(), Belief(), State(), Scratch()]
        self._copies = np.zeros((COPIES, State.size), np.uint8)
        self._mind = Mind()
        self._memory = np.zeros((SEATS, whole_games.MEMORY_SIZE), np.int64)
        self._steps = np.zeros((MOST_STEPS, 2), np.int64)
        self._counts = np.zeros(3, np.int64)
        self.positions = np.zeros((MOST_POSITIONS, SEATS, FEATURES), np.float32)
        """Of the last game: positions in numbers, by seat."""
        self.eyes = np.zeros(MOST_POSITIONS, np.int64)
        """And who looked at them."""
        self.n_positions = 0

    def play(
        self, options: Options, seed: int, nets: Net, seats: Sequence[int], *, board: Layout | None = None,
        cap: int = MOST_BOT_TURNS, heat: int = 0, samples: int = 0,
    ) -> WholeGame:  # fmt: skip
        """Play a game; `seats`: which row of `nets` judges for each seat, plus how it trades, from bit TRADER_BIT on.

        `heat`: in so many of 1000 decisions something else is tried that is nearly as good. `samples`: after so many of
        1000 a position is kept.
        """
        state = new_state(options, board or layout_for(options, seed))
        self._structs[0].buffer[:] = 0
        self._memory[:] = 0
        self._memory[:, whole_games.TURN] = -1
        self._mind.buffer[:] = 0
        n = self._play(
            state.buffer, *(struct.buffer for struct in self._structs), self._copies, self._mind.buffer,
            nets.reshape(len(nets), -1, HIDDEN_UNITS), np.array(seats, np.int64), self._memory, self._steps,
            self.positions, self.eyes, key_for(seed, "play"), full_deck(options.edition_data), cap, heat, samples,
            self._counts,
        )  # fmt: skip
        self.n_positions, decisions, faults = map(int, self._counts)
        return WholeGame(state, [Step(int(seat), int(code)) for seat, code in self._steps[:n]], decisions, faults)
