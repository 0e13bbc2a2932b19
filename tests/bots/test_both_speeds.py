"""Interpreted and compiled, the players think the same to the last bit."""

from __future__ import annotations

from collections import Counter
from copy import deepcopy

import pytest

from hexholm.bots.protocol import Effort
from hexholm.bots.shipped.compiled import Expert, Hard, Medium
from hexholm.game.game import SeatView

from .scenes import RULES, TALK, Moment, moments


class Narrow(Hard):
    """Tries two actions in two worlds: interpreted, each playout takes about half a second."""

    most_tried = 2
    most_behind = 1.0

    def __init__(self, seed: int | str = 0) -> None:
        super().__init__(seed, Effort(steps=2))


class NarrowExpert(Expert):
    """The same with trade in the worlds, one round ahead: there is more to think about in a round."""

    most_tried = 2
    most_behind = 1.0
    rounds = opening_rounds = 1

    def __init__(self, seed: int | str = 0) -> None:
        super().__init__(seed, Effort(steps=2))


def plainly(bot: Medium) -> Medium:
    """The same player with the same memory, interpreted."""
    twin = deepcopy(bot)
    twin._compiled = False
    return twin


class Compared:
    """Asks an interpreted twin the same question, where that is worth its time."""

    def __init__(self) -> None:
        self.twins: list[Medium] = []
        self.decision_counts: Counter[tuple[str, str]] = Counter()
        self.compared = 0

    def before(self, _: SeatView, bot: Medium) -> None:
        self.twins = [plainly(bot)]

    def after(self, moment: Moment, *, anyway: bool = False) -> None:
        kind = moment.view.phase, moment.action.kind
        self.decision_counts[kind] += 1
        if self.decision_counts[kind] > 2 and not anyway:
            return
        (twin,), bot = self.twins, moment.bot
        assert isinstance(bot, Medium)
        assert twin.choose(moment.view) == moment.code
        assert twin._mind == bot._mind  # all bytes: what was weighed, the values, the scratch on the way
        self.compared += 1


@pytest.mark.parametrize("number", range(len(RULES)))
def test_interpreted_and_compiled_it_thinks_the_same_to_the_last_bit(number: int) -> None:
    twins = Compared()
    for i, moment in enumerate(moments(number, before=twins.before, **RULES[number])):
        twins.after(moment, anyway=i % 29 == 0)
    assert twins.compared >= 25
    assert {phase for phase, _ in twins.decision_counts} >= {"settlement", "road", "roll", "main", "robber"}


def test_both_speeds_agree_about_every_kind_of_decision() -> None:
    twins = Compared()
    expected_kinds = {
        *(("main", kind) for kind in ("road", "settlement", "city", "buy", "supply", "knight", "monopoly", "end")),
        *(("main", kind) for kind in ("year-of-plenty", "road-building", *TALK, "reject")),
        *(("free road", "road"), ("discard", "discard"), ("victim", "steal"), ("robber", "robber"), ("roll", "knight")),
    }
    for seed in range(20):
        for moment in moments(100 + seed, before=twins.before, **RULES[seed % 3]):
            twins.after(moment)
        if expected_kinds <= set(twins.decision_counts):
            return
    pytest.fail(f"never seen: {expected_kinds - set(twins.decision_counts)}")


@pytest.mark.parametrize("make", [Narrow, NarrowExpert])
def test_searching_is_the_same_at_both_speeds_too(make: type[Narrow | NarrowExpert]) -> None:
    tried = 0
    twins = Compared()
    for moment in moments(5, make, twins.before, edition="sixth", players=3):
        (twin,), bot = twins.twins, moment.bot
        assert isinstance(twin, make)
        assert isinstance(bot, make)
        if bot._world_mind == twin._world_mind or moment.view.turn < 12 * tried + 1:
            continue  # there was nothing to search, or it comes too soon after the last
        twins.after(moment, anyway=True)
        assert twin._world_mind == bot._world_mind
        tried += 1
        if tried == 3:
            return
    pytest.fail("there were too few positions to search")
