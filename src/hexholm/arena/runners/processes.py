"""Games on several cores: processes that are started once and get the numbers of games over a pipe.

A process that dies, by a crash in compiled code or by the hand of somebody, is replaced and its games are played again;
a game that ends several processes is given up with an error. The processes do not outlive this one.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import traceback
from collections import Counter, deque
from collections.abc import Iterable
from multiprocessing.connection import Connection, wait
from typing import Any, Final

from hexholm.rules.compilation import mode
from hexholm.rules.errors import BadInput

from ..match import BotFailed, FinishedGame, TournamentJob
from .base import MOST_PROCESSES, GameBroke, Games, ProcessEnded

READY: Final = "ready"
GAMES_AHEAD: Final = 2
"""So many games a process is given at a time: it need not wait for the next one."""
PASSED_ON_ERRORS: Final = (BadInput, BotFailed)
"""What is told as it was raised; anything else is a fault, with its traceback."""


class Pool:
    """Games in `workers` processes."""

    name = "pool"

    def __init__(self, workers: int) -> None:
        self.workers = workers

    def run(self, job: TournamentJob, numbers: Iterable[int]) -> Games:
        """Play these games; each is yielded when it is over."""
        source, retries = iter(numbers), deque[int]()
        tries: Counter[int] = Counter()
        workers: list[_GameProcess] = []

        def next_number() -> int | None:
            return retries.popleft() if retries else next(source, None)

        try:
            while True:
                while len(workers) < self.workers and (number := next_number()) is not None:
                    workers.append(_GameProcess(job))
                    workers[-1].give(number)
                for worker in workers:
                    while len(worker.games) < GAMES_AHEAD and (number := next_number()) is not None:
                        worker.give(number)
                busy = [worker for worker in workers if worker.games]
                if not busy:
                    return
                for pipe in wait([worker.pipe for worker in busy]):
                    worker = next(process for process in busy if process.pipe is pipe)
                    try:
                        reply = worker.pipe.recv()
                    except (EOFError, OSError):
                        workers.remove(worker)
                        worker.end()
                        broken_game = worker.games[0]
                        tries[broken_game] += 1
                        if tries[broken_game] == MOST_PROCESSES:
                            raise _give_up_error(broken_game, worker) from None
                        retries.extend(worker.games)
                        continue
                    if reply == READY:
                        worker.ready = True
                        continue
                    if isinstance(reply, BaseException):
                        raise reply
                    worker.games.remove(reply.number)
                    yield reply
        finally:
            for worker in workers:
                worker.end()


def _give_up_error(game: int, worker: _GameProcess) -> GameBroke:
    """After too many tries; a process that was never ready has not even come to its game."""
    if worker.ready:
        return ProcessEnded(
            f"game {game + 1} has ended {MOST_PROCESSES} processes, the last {_exit_text(worker.code)}", game
        )
    return GameBroke(
        f"{MOST_PROCESSES} processes have ended before they were ready, the last {_exit_text(worker.code)}; a script of"
        " your own must begin its tournament under `if __name__ == '__main__':`"
    )


def _exit_text(code: int | None) -> str:
    return f"with code {code}" if code is None or code >= 0 else f"by signal {-code}"


class _GameProcess:
    def __init__(self, job: TournamentJob) -> None:
        context = multiprocessing.get_context("spawn")  # a forked child would inherit threads' locks
        self.pipe: Connection[Any, Any]
        self.pipe, child_pipe = context.Pipe()
        self._process = context.Process(target=_work, args=(child_pipe, job), daemon=True)
        self._process.start()
        child_pipe.close()
        self.games: list[int] = []
        self.ready = False

    @property
    def code(self) -> int | None:
        return self._process.exitcode

    def give(self, number: int) -> None:
        self.games.append(number)
        try:
            self.pipe.send(number)
        except OSError:  # it has died, which is seen when it is listened to
            return

    def end(self) -> None:
        self.pipe.close()
        self._process.terminate()
        self._process.join(2)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()


def _work(pipe: Connection[Any, Any], job: TournamentJob) -> None:
    """What a process does: play what it is told until nobody listens."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one that gives the games
    signal.signal(signal.SIGTERM, lambda *_: _leave())
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with_parent, args=(parent,), daemon=True).start()
    mode.compile_elsewhere()
    os.dup2(2, 1)  # also what a player prints by other ways than Python's: standard output is for the result
    try:
        pipe.send(READY)
        while True:
            pipe.send(_play_one(job, pipe.recv()))
    except (EOFError, OSError):
        _leave()


def _play_one(job: TournamentJob, number: int) -> FinishedGame | BaseException:
    try:
        return job.play(number)
    except PASSED_ON_ERRORS as error:
        return error
    except Exception:
        return GameBroke(f"game {number + 1}:\n{traceback.format_exc()}")


def _end_with_parent(parent: multiprocessing.process.BaseProcess) -> None:
    parent.join()
    _leave()


def _leave() -> None:
    """End now, and with it the programs that play."""
    from hexholm.bots.program import end_all

    end_all(patience=0)
    os._exit(0)
