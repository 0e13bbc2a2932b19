"""What is hidden from a guest changes no byte that the guest is sent (`in_hall.py` says how)."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import msgspec
import pytest

from hexholm.host.tables import log
from hexholm.host.tables.seats import Eyes, Guest
from hexholm.host.tables.special import companion
from hexholm.host.tables.table import Table
from hexholm.host.tables.table_decision import Decision
from hexholm.host.wire import messages as m
from hexholm.host.wire.host_refusals import Refusal
from tests.host.noninterference.in_hall import run
from tests.rules.noninterference import Leak

PROJECTION = Table.projection
WHY_NOT = Table.why_not
QUESTION, DEAL = companion.chance_question, companion.deal


@pytest.mark.rule("INFO-01", "INFO-03", "INFO-06", "INFO-07")
def test_hidden_cards_change_no_byte_that_a_guest_is_sent() -> None:
    count = asyncio.run(run(4))
    print(count)
    assert count.compared > 100
    assert count.typed > 0


def leak_in_the_projection(table: Table, eyes: Eyes) -> m.Projection | None:
    found = PROJECTION(table, eyes)
    if found is None or table.game is None:
        return found
    hands = [table.game.referee.state.hand[seat] for seat in range(len(table.colors))]
    return msgspec.structs.replace(found, view={**found.view, "sum": sum(hands[:2])})


def leak_in_the_request(table: Table, eyes: Eyes) -> m.Projection | None:
    found = PROJECTION(table, eyes)
    if found is None or table.game is None:
        return found
    return msgspec.structs.replace(found, request=int(table.game.referee.state.deck % 1009))


@pytest.mark.parametrize("leak", [leak_in_the_projection, leak_in_the_request])
def test_a_planted_leak_is_caught(leak: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Table, "projection", leak)
    with pytest.raises(Leak):
        asyncio.run(run(4))


def leak_in_the_question(table: Table, eyes: Eyes) -> m.Question | None:
    """A thief who is offered only what the victim has sees its whole hand."""
    found = QUESTION(table, eyes)
    if found is None or table.game is None or table.game.chance is None or found.kind == "dice":
        return found
    return msgspec.structs.replace(found, outcomes=tuple(action.text for action in table.game.chance.odds))


def leak_in_what_was_told(table: Table, command: m.Deal, guest: Guest) -> Decision:
    """A card that cannot be, refused to its owner; everybody hears of which."""
    found = DEAL(table, command, guest)
    if not any(isinstance(body, log.Mistold) for body in found.bodies):
        return found
    return Decision((*found.bodies, log.Said(seat=guest.seat or "", text=command.outcome)))


@pytest.mark.parametrize(
    ("name", "leak"),
    [("chance_question", leak_in_the_question), ("deal", leak_in_what_was_told)],
    ids=["question", "told"],
)
def test_a_leak_at_a_companion_table_is_caught(name: str, leak: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(companion, name, leak)
    with pytest.raises(Leak):
        asyncio.run(run(8, chances=["people"]))


def leak_in_the_reason(table: Table, action: str, guest: Guest) -> Refusal | None:
    found = WHY_NOT(table, action, guest)
    if found is None or table.game is None:
        return found
    return replace(found, values={"cards": sum(table.game.referee.state.cards[seat] for seat in (0, 1))})


def test_a_reason_that_knows_too_much_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Table, "why_not", leak_in_the_reason)
    with pytest.raises(Leak, match="why not"):
        asyncio.run(run(4))
