"""A batch of games for learning, with numpy arrays for input and output.

    batch = Batch(4096, seed=7, edition="sixth", setup="variable")
    masks, seats = batch.masks, batch.seats          # uint8[n, 299], int8[n]; updated in place
    batch.step(actions)                              # int32[n], numbers of act_v1 below 299
    batch.ended                                      # int8[n]: winner of a game that just ended, -1 running, -2 refused

Games that end restart at once. The arrays are updated in place and never replaced.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from .compilation import mode
from .compilation.kernels import fast
from .core.drivers import batch_steps as _kernels  # noqa: F401  # registers its kernels
from .core.drivers.playout import AS_TEMPLATE, ROTATE
from .encoding.action_numbers import SOLO_ACTIONS
from .encoding.structs import Scratch, State
from .errors import BadInput
from .random_numbers import key_for
from .setup.options import check_options
from .simulate import Simulation


class Batch:
    """`n` games side by side; `jobs` threads share them."""

    def __init__(self, n: int, seed: int = 0, jobs: int = 1, **options: Any) -> None:
        if n < 1 or jobs < 1:
            raise BadInput("a batch needs at least one game and one thread")
        self.options = check_options(**options)
        simulation = Simulation(self.options, seed)  # boards and starters as a simulation has them
        self.modes, self.boards, self.template = simulation.modes, simulation.boards, simulation.template
        self.first = ROTATE if simulation.rotates else AS_TEMPLATE
        self.states: npt.NDArray[np.uint8] = np.zeros((n, State.size), np.uint8)
        self.keys = np.array([key_for(seed, "batch", i) for i in range(n)], np.int64)
        self.counts = np.zeros((n, 2), np.int64)
        self.counts[:, 1] = -1
        self.masks: npt.NDArray[np.uint8] = np.zeros((n, SOLO_ACTIONS), np.uint8)
        self.seats: npt.NDArray[np.int8] = np.zeros(n, np.int8)
        self.ended: npt.NDArray[np.int8] = np.zeros(n, np.int8)
        self._edges = [n * j // jobs for j in range(jobs + 1)]
        self._buffers = [(self.boards.copy(), Scratch().buffer) for _ in range(jobs)]
        self._pool = ThreadPoolExecutor(jobs) if jobs > 1 else None
        mode.compile_notices.announce(["batch_step"])  # before the compiler is loaded, which takes a while
        self.step(np.full(n, -1, np.int32))

    def step(self, actions: npt.NDArray[np.int32]) -> int:
        """Take one action in every game (-1 restarts it); returns how many games ended."""
        if actions.shape != self.seats.shape or actions.dtype != np.int32:
            raise BadInput(f"actions must be int32[{len(self.seats)}], not {actions.dtype}{list(actions.shape)}")
        if actions.min() < -1 or actions.max() >= SOLO_ACTIONS:
            raise BadInput(f"actions are numbers from 0 to {SOLO_ACTIONS - 1}, or -1 to restart a game")
        kernel = fast().batch_step

        def step_part(j: int) -> int:
            boards, scratch = self._buffers[j]
            chance_buffers = (self.keys, self.counts, self.modes, self.first)
            results = (self.masks, self.seats, self.ended)
            low, high = self._edges[j], self._edges[j + 1]
            return int(
                kernel(self.states, self.template, boards, scratch, *chance_buffers, actions, *results, low, high)
            )

        if self._pool is None:
            return step_part(0)
        return sum(self._pool.map(step_part, range(len(self._buffers))))

    def choose_random(self, actions: npt.NDArray[np.int32], step: int) -> None:
        """Fill `actions` with uniformly random legal numbers."""
        fast().choose_random(self.masks, actions, self.keys, step, 0, len(actions))


def _use_once(_compiled: bool | None) -> None:
    """A batch is always compiled."""
    batch = Batch(1, setup="variable")
    batch.choose_random(np.zeros(1, np.int32), 0)


mode.register("batch", _use_once, ["batch_step", "choose_random"])
