"""Times of decisions: they add up, and know their quantiles."""

from __future__ import annotations

import pytest

from hexholm.arena.decision_times import Times


def test_times_add_up_and_know_their_quantiles() -> None:
    times = Times()
    for milliseconds in range(1, 1001):
        times.add(milliseconds * 1_000_000)
    for share in (0.01, 0.5, 0.99, 1.0):
        assert times.quantile(share) == pytest.approx(1000 * share, rel=0.05)
    both = Times.of_list(times.as_list())
    assert both == times
    both.update(times)
    assert both.total == 2000
    assert both.quantile(0.5) == times.quantile(0.5)
    assert Times().quantile(0.5) is None
