"""The stand-ins for casual players of `bench/casual.py` are who they say they are."""

from __future__ import annotations

import pytest

from bench.casual import Casual, Casual0, Casual25
from hexholm.bots.shipped.compiled import Medium
from hexholm.bots.shipped.easy import Easy

from .scenes import moments


@pytest.mark.parametrize(("make", "often"), [(Casual0, 0.0), (Casual25, 0.25), (Casual, 0.5)])
def test_a_stand_in_is_medium_as_often_as_it_says(
    make: type[Casual], often: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    deciders: list[type] = []
    for kind in (Easy, Medium):
        monkeypatch.setattr(kind, "choose", lambda self, _view: deciders.append(type(self)))
    bot, view = make(1), object()
    for _ in range(1000):
        bot.choose(view)  # type: ignore[arg-type]  # nobody looks at it
    assert deciders.count(Medium) / len(deciders) == pytest.approx(often, abs=0.03)


def test_one_that_is_never_medium_plays_as_easy_does() -> None:
    games = [[code for *_, code in moments(3, make, edition="sixth", players=3)] for make in (Easy, Casual0)]
    assert games[0] == games[1]
