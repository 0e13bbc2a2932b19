"""What is hidden from a seat makes no difference to anything it is sent; planted leaks are caught."""

from __future__ import annotations

from typing import Any

import pytest

from hexholm.game.events.kinds import ChoseDiscard, Drew, Stole
from hexholm.game.game import Record
from tests.helpers.marks import all_editions
from tests.rules.noninterference import Leak

from .noninterference import Sent, Table, play_pair, run

PAIRS = 100
"""Pairs that must truly differ in hands, and in cards, for each of five editions with 3 and 4 players: 1,000 in all."""


@pytest.mark.rule("INFO-01", "INFO-03", "INFO-06", "INFO-07")
@all_editions
@pytest.mark.parametrize("players", [3, 4])
def test_worlds_that_look_alike_send_the_same_bytes(edition: str, players: int) -> None:
    count = run(edition, players, PAIRS)
    print(count)
    assert count.hands >= PAIRS
    assert count.cards >= PAIRS


# --- planted leaks --------------------------------------------------------------------------------------------------


def caught(planted: Sent | None = None) -> None:
    """Some pair shows the leak."""
    for seed in range(60):
        try:
            play_pair("fifth", 4, seed, planted=planted)
        except Leak:
            return
    raise AssertionError("the leak was not noticed")


def shout(self: Any, color: str | None) -> Any:
    """The whole truth to everybody."""
    return self


@pytest.mark.parametrize("event", [Stole, Drew, ChoseDiscard])
def test_an_event_that_shows_its_hidden_side_is_caught(event: type, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event, "seen_by", shout)
    caught()


def test_a_record_that_is_not_copied_for_a_seat_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Record, "seen_by", shout)
    caught()


def test_a_refusal_that_looks_into_other_hands_is_caught() -> None:
    def leaky(table: Table, color: str | None) -> str:
        return str([str(table.game.why_not("buy", by=color)) for color in table.game.colors])

    caught(leaky)


def test_a_hash_of_the_true_position_is_caught() -> None:
    def leaky(table: Table, color: str | None) -> str:
        return str(hash(table.game))

    caught(leaky)


def test_without_a_leak_the_same_pairs_pass() -> None:
    assert sum(play_pair("fifth", 4, seed).compared for seed in range(6)) > 60
