"""The process in which bots think: `python -m hexholm.host.bot_pool.worker`, started by a :class:`~.bot_pool.BotPool`.

Questions come on stdin and answers go out on stdout, as :func:`~.bot_pool.pack_message` writes them; what a bot itself
prints goes nowhere. When the host is gone, so is this process, whatever it was thinking about. It is a program of its
own and no child of `multiprocessing`, which would run the host's main program a second time.
"""

from __future__ import annotations

import json
import os
import pickle
import queue
import signal
import sys
import threading
from typing import Any, BinaryIO

from hexholm.rules.compilation import mode

from .bot_pool import LENGTH, BotChoice, pack_message


def answer_questions() -> None:
    """Answer questions until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the host
    mode.compile_elsewhere()
    mode.hurry()
    answers = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    questions: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(
        target=_read_questions, args=(sys.stdin.buffer, questions), daemon=True
    ).start()  # also while it loads
    _load_players()
    _write_answer(answers, True, "ready")
    while True:
        try:
            choose, question = pickle.loads(questions.get())  # noqa: S301  # of our own host
            choice: BotChoice = choose(question)
        except Exception as error:
            _write_answer(answers, False, type(error).__name__)
        else:
            _write_answer(answers, True, *choice)


def _read_questions(stdin: BinaryIO, questions: queue.SimpleQueue[Any]) -> None:
    """Take questions in; at the end of them the host is gone."""
    while size := stdin.read(LENGTH):
        questions.put(stdin.read(int.from_bytes(size, "big")))
    os._exit(0)


def _write_answer(answers: BinaryIO, went_well: bool, text: str, weak: bool = False) -> None:
    answers.write(pack_message(json.dumps((went_well, text, weak)).encode()))
    answers.flush()


def _load_players() -> None:
    """Use what thinking needs once: the first question must not pay for it."""
    from hexholm.bots.registry import part_of
    from hexholm.bots.shipped_bots import TABLE_BOTS

    mode.use_once(map(part_of, TABLE_BOTS))


if __name__ == "__main__":
    answer_questions()
