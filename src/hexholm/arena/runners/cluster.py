"""Games on a Ray cluster, or on a Ray of one's own on this machine (`pip install 'hexholm[cluster]'`).

Games travel in batches of about a second. When a machine of the cluster is lost, its batches are given out anew, as
often as it takes. When a mere process ends, its games are played again one by one, for one of them may have ended it:
a game that ends several processes is given up with an error, as in a pool. A batch is told whole or not at all, so a
game is yielded once, however often it was played. Hexholm, and players of your own, must be installed on all machines.
"""

from __future__ import annotations

import os
import socket
import time
from collections import Counter, deque
from collections.abc import Iterable
from itertools import islice
from typing import Any, Final

from hexholm.rules.errors import BadInput, MissingExtra

from ..match import BotFailed, FinishedGame, TournamentJob
from .base import MOST_PROCESSES, GameBroke, Games, ProcessEnded

BATCH_SECONDS: Final = 1.0
MOST_IN_BATCH: Final = 256
"""Games of a batch."""


class RayRunner:
    """Games as tasks of Ray. `most`: so many batches at a time; 0: as many as there are cores."""

    name = "ray"

    def __init__(self, address: str | None = None, most: int = 0) -> None:
        self.address, self.most = address, most
        self.workers = most
        """As many as there are now; 0: not known yet."""

    def run(self, job: TournamentJob, numbers: Iterable[int]) -> Games:
        """Play these games; each is yielded once, when its batch is over."""
        ray = import_ray()
        is_own = not ray.is_initialized()
        if is_own:
            self._connect(ray)
        try:
            yield from self._run(ray, job, numbers)
        finally:
            if is_own:
                ray.shutdown()

    def _connect(self, ray: Any) -> None:
        if self.address is not None:
            _must_answer(self.address)
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        quiet: dict[str, Any] = {"logging_level": "ERROR", "log_to_driver": False}
        try:
            if self.address is not None:
                ray.init(address=self.address, **quiet)
            else:
                ray.init(address="local", num_cpus=self.most or None, include_dashboard=False, **quiet)
        except (ConnectionError, ValueError) as error:
            raise BadInput(f"no Ray cluster at {self.address}: {' '.join(str(error).split())}") from error

    def _run(self, ray: Any, job: TournamentJob, numbers: Iterable[int]) -> Games:
        source, retries = iter(numbers), deque[list[int]]()
        shared_job, play = ray.put(job), ray.remote(num_cpus=1, max_retries=0)(play_batch)
        batches: dict[Any, list[int]] = {}
        processes_ended: Counter[int] = Counter()
        size = 1
        try:
            while True:
                while len(batches) < self._batch_room(ray):
                    batch = retries.popleft() if retries else list(islice(source, size))
                    if not batch:
                        break
                    batches[play.remote(shared_job, batch)] = batch
                if not batches:
                    return
                finished, _ = ray.wait(list(batches), num_returns=1, timeout=5.0)
                for ref in finished:
                    batch = batches.pop(ref)
                    try:
                        games, seconds = ray.get(ref)
                    except ray.exceptions.RayTaskError as error:
                        raise _cause_of(error) from None
                    except (ray.exceptions.NodeDiedError, ray.exceptions.LocalRayletDiedError):
                        retries.append(batch)
                        continue
                    except ray.exceptions.RayError as error:  # the process is gone, or its answer
                        if len(batch) == 1:
                            processes_ended[batch[0]] += 1
                            if processes_ended[batch[0]] == MOST_PROCESSES:
                                message = f"game {batch[0] + 1} has ended {MOST_PROCESSES} processes; Ray says: {error}"
                                raise ProcessEnded(message, batch[0]) from error
                        retries.extend([number] for number in batch)
                        continue
                    size = _next_size(size, len(batch), seconds)
                    yield from games
        finally:
            for ref in batches:
                ray.cancel(ref, force=True)

    def _batch_room(self, ray: Any) -> int:
        """How many batches to have under way: one for each core of the cluster, as it is now, and some to spare."""
        self.workers = self.most or int(ray.cluster_resources().get("CPU", 1))
        return self.workers + max(1, self.workers // 2)


def _must_answer(address: str) -> None:
    """Refuse an address where nobody listens; Ray itself would go on trying for minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon or not port.isdecimal():  # "auto", or a name that Ray understands
        return
    try:
        socket.create_connection((host, int(port)), timeout=10).close()
    except (OSError, OverflowError) as error:
        raise BadInput(f"no Ray cluster at {address}: {error}") from None


def play_batch(job: TournamentJob, numbers: list[int]) -> tuple[list[FinishedGame], float]:
    """The games of a batch, and how long they took."""
    started_at = time.perf_counter()
    return [job.play(number) for number in numbers], time.perf_counter() - started_at


def _next_size(size: int, n: int, seconds: float) -> int:
    """Batches of about a second; they grow slowly, for the first games are slow."""
    games_per_batch = int(n * BATCH_SECONDS / max(seconds, 1e-3))
    return max(1, min(games_per_batch, 2 * size, MOST_IN_BATCH))


def _cause_of(error: Any) -> BaseException:
    cause = getattr(error, "cause", None)
    if isinstance(cause, BadInput | BotFailed):
        return cause
    return GameBroke(str(error))


def import_ray() -> Any:
    """Ray; raises :class:`~hexholm.rules.errors.MissingExtra` if it is not there."""
    try:
        import ray
    except ImportError as error:
        raise MissingExtra("the runner ray needs one more package: pip install 'hexholm[cluster]'") from error
    return ray
