"""Bots that behave badly, for the processes of a BotPool, which find them here by name."""

from __future__ import annotations

import os
import time

from hexholm.host.bot_pool.bot_pool import BotChoice, BotQuestion, choose


def sleepy(question: BotQuestion) -> BotChoice:
    """Never comes to an end, but for a seed."""
    if question.seed != "quick":
        time.sleep(60)
    return choose(question)


def crashing(question: BotQuestion) -> BotChoice:
    """Takes its process with it, but for a seed."""
    if question.seed != "quick":
        os._exit(3)
    return choose(question)


def raising(question: BotQuestion) -> BotChoice:
    """Has a fault."""
    raise ArithmeticError(question.seed)


def proud(question: BotQuestion) -> BotChoice:
    """Fails whenever a strong player is asked, in the way its seed names."""
    if question.bot_name == "easy":
        return choose(question)
    if question.seed == "crash":
        os._exit(3)
    if question.seed == "hang":
        time.sleep(60)
    raise ArithmeticError(question.seed)


def counting(question: BotQuestion) -> BotChoice:
    """Its process and seed, after a moment's thought."""
    until = time.monotonic() + 0.05
    while time.monotonic() < until:
        pass
    return BotChoice(f"{os.getpid()} {question.seed}")
