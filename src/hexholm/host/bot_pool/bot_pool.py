"""Bots think here, in processes of their own: the event loop has tables to serve.

A bot is asked with a view of its seat and what it has offered, nothing else; it is made anew for every question,
so no memory is lost when a process or the whole host begins again. A table asks one thing at a time, and where more
ask than there are processes, those are served first whose owner has used least of them (:mod:`.fair_turns`). Players
who are given time to think never have all processes: one is left for those who need but a moment. Whoever thinks too
long, fails or crashes is replaced for that decision by the simplest player, and should that fail too by
`default_action`; a process that hangs is ended and a new one takes its place.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import pickle
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Literal, NamedTuple, Protocol, get_args

from hexholm.bots import TABLE_BOTS, NoSuchBot, bot, bot_kind, default_code, text_of
from hexholm.bots.memory import PastOffer, remind_bot
from hexholm.bots.protocol import choice_code
from hexholm.game.game import SeatView
from hexholm.rules.notation import action_text

from .fair_turns import NO_OWNER, BotOwner, FairTurns

logger = logging.getLogger("hexholm.host")

SUBSTITUTE_BOT: Final = TABLE_BOTS[0]
"""The simplest bot: it plays for people who are away, and for a bot that fails."""
DECISION_LIMIT: Final = 10.0
"""Seconds for a decision, beyond those that a player is given to think."""
PROCESS_START_LIMIT: Final = 120.0
"""Seconds for a process to come up, on a machine that is busy or must still compile."""

BotFailure = Literal["slow", "crashed", "failed"]
"""Why a bot gave no answer: it took too long, its process died, it raised an error."""
BOT_FAILURES: Final[tuple[BotFailure, ...]] = get_args(BotFailure)


@dataclass(frozen=True, slots=True)
class BotQuestion:
    """What a bot is asked. All it is given is what its seat knows."""

    bot_name: str
    seed: str
    view: SeatView
    offers: tuple[PastOffer, ...] = ()
    """The own offers of this turn, and those of earlier ones that came to nothing, oldest first."""
    owner: BotOwner = NO_OWNER
    """For whom it thinks, so that thinking time is shared fairly; the bot is not told."""


class BotChoice(NamedTuple):
    """What was chosen for a bot."""

    action: str
    """Its text."""
    weak: bool = False
    """Below the strength of the bot that was asked: it could not search yet, or another chose for it."""


class Bots(Protocol):
    """Whoever answers for bots."""

    errors: Counter[BotFailure]

    async def answer(self, question: BotQuestion) -> BotChoice:
        """An action; always one, whatever happens to the bot."""
        ...

    async def close(self) -> None:
        """End all processes."""
        ...


def default_action(view: SeatView) -> str:
    """A plain legal move: roll, end the turn, refuse an offer, else the first thing that can be done."""
    return text_of(default_code(view), view.colors)


def choose(question: BotQuestion) -> BotChoice:
    """What a bot does, decided here and now; raises BadInput if it answers with what is no action."""
    chosen_bot = bot(question.bot_name, question.seed)
    remind_bot(chosen_bot, question.offers)
    view = question.view
    action = action_text(choice_code(chosen_bot.choose(view), view.colors, view.facts.observer), view.colors)
    return BotChoice(action, bool(getattr(chosen_bot, "held_back", False)))


def thinking_seconds(bot_name: str) -> float:
    """Seconds that a player is given to think about a decision; 0: it needs no more than a moment, or is no more."""
    try:
        usual = bot_kind(bot_name).usual
    except NoSuchBot:  # the log of a table may be older than the players there are
        return 0.0
    return 0.0 if usual is None or usual.seconds is None else usual.seconds


def simpler_question(question: BotQuestion) -> BotQuestion | None:
    """The same question for the simplest player; None if it was asked already."""
    return None if question.bot_name == SUBSTITUTE_BOT else replace(question, bot_name=SUBSTITUTE_BOT)


def report_failure(
    errors: Counter[BotFailure], failure: BotFailure, question: BotQuestion, error: BaseException
) -> None:
    """Count and log that a bot gave no answer; its words are not logged, they could tell what it holds."""
    errors[failure] += 1
    instead = "a plain move" if simpler_question(question) is None else SUBSTITUTE_BOT
    logger.error("the bot %s %s (%s): %s instead", question.bot_name, failure, type(error).__name__, instead)


class Died(Exception):
    """The process of a bot is gone."""


class Failed(Exception):
    """A bot has raised an error; the name of its kind."""


LENGTH: Final = 8


def pack_message(body: bytes) -> bytes:
    """A message for the pipe between a host and its bots: its length, then itself.

    A question is a pickle, an answer is JSON: a bot may have been written by somebody else.
    """
    return len(body).to_bytes(LENGTH, "big") + body


class BotsAtOnce:
    """Thinks in the event loop itself: for tests, and for a host of a table or two."""

    def __init__(self) -> None:
        self.errors: Counter[BotFailure] = Counter()

    async def answer(self, question: BotQuestion) -> BotChoice:
        """An action."""
        try:
            return choose(question)
        except (Exception, SystemExit) as error:
            report_failure(self.errors, "failed", question, error)
        easier = simpler_question(question)
        action = default_action(question.view) if easier is None else (await self.answer(easier)).action
        return BotChoice(action, weak=True)

    async def close(self) -> None:
        """Nothing to end."""


class BotPool:
    """Thinks in a few processes. Belongs to one event loop; a process starts when it is first needed."""

    def __init__(
        self,
        *,
        workers: int | None = None,
        limit: float = DECISION_LIMIT,
        choose: Callable[[BotQuestion], BotChoice] = choose,
    ) -> None:
        count = max(2, (os.cpu_count() or 2) - 1) if workers is None else workers
        self.limit = limit
        self.choose = choose
        self.errors: Counter[BotFailure] = Counter()
        """How often each failure happened."""
        self.thoughts = 0
        self._workers = [_Worker() for _ in range(count)]
        self._free = list(self._workers)  # the last one that was used goes first: it is warm
        self._turns = FairTurns(count, max(1, count - 1))

    async def answer(self, question: BotQuestion) -> BotChoice:
        """An action; waits for its turn, then at most `limit` seconds beside what the player is given."""
        choice = await self._ask(question)
        if choice is not None:
            return choice
        if (easier := simpler_question(question)) is not None:
            choice = await self._ask(easier)
        return BotChoice(default_action(question.view) if choice is None else choice.action, weak=True)

    async def _ask(self, question: BotQuestion) -> BotChoice | None:
        """What a bot answers; None if it does not."""
        async with self._turns.turn(question.owner, thinking_seconds(question.bot_name)):
            return await self._ask_free_worker(question)

    async def _ask_free_worker(self, question: BotQuestion) -> BotChoice | None:
        """The same, from a process that is free."""
        worker = self._free.pop()
        try:
            choice = await worker.ask(self.choose, question, self.limit + thinking_seconds(question.bot_name))
        except TimeoutError as error:
            report_failure(self.errors, "slow", question, error)
            await worker.end()
        except Died as error:
            report_failure(self.errors, "crashed", question, error)
            await worker.end()
        except Exception as error:
            report_failure(self.errors, "failed", question, error)
        except BaseException:  # nobody waits for the answer any more, but the process still thinks
            await worker.end()
            raise
        else:
            self.thoughts += 1
            return choice
        finally:
            self._free.append(worker)
        return None

    async def close(self) -> None:
        """End all processes, at once."""
        for worker in self._workers:
            await worker.end()


class _Worker:
    """One process, which can be ended without harm to the others."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None

    async def ask(self, choose: Callable[[BotQuestion], BotChoice], question: BotQuestion, limit: float) -> BotChoice:
        """What the bot does; raises TimeoutError, Died, or Failed if the bot did."""
        if self._process is None:
            async with asyncio.timeout(PROCESS_START_LIMIT):
                self._process = await asyncio.create_subprocess_exec(
                    *(sys.executable, "-m", "hexholm.host.bot_pool.worker"),
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                    stderr=asyncio.subprocess.DEVNULL,  # what a bot prints could tell what it holds
                )
                await self._receive()  # it is there
        async with asyncio.timeout(limit):
            return BotChoice(*await self._send((choose, replace(question, owner=NO_OWNER))))

    async def _send(self, request: tuple[Callable[[BotQuestion], BotChoice], BotQuestion]) -> tuple[str, bool]:
        process = self._process
        assert process is not None
        assert process.stdin is not None
        try:
            process.stdin.write(pack_message(pickle.dumps(request)))
            await process.stdin.drain()
        except ConnectionError as error:
            raise Died from error
        return await self._receive()

    async def _receive(self) -> tuple[str, bool]:
        assert self._process is not None
        assert self._process.stdout is not None
        try:
            size = int.from_bytes(await self._process.stdout.readexactly(LENGTH), "big")
            went_well, text, weak = json.loads(await self._process.stdout.readexactly(size))
        except asyncio.IncompleteReadError as error:
            raise Died from error
        if not went_well:
            raise Failed(text)
        return str(text), bool(weak)

    async def end(self) -> None:
        """End the process, whatever it does; the next question starts a new one."""
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
