"""What is hidden from a guest changes no byte that the guest is sent (`in_hall.py` says how)."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import msgspec
import pytest

from hexholm.host.tables import companion, log
from hexholm.host.tables.fair_dice import FairDice
from hexholm.host.tables.seats import Eyes, Guest
from hexholm.host.tables.table import Table
from hexholm.host.tables.table_decision import Decision
from hexholm.host.wire import messages
from hexholm.host.wire.host_refusals import Refusal
from tests.host.noninterference.in_hall import run
from tests.rules.noninterference import Leak

pytestmark = pytest.mark.waits

LINE = FairDice.line
PROJECTION = Table.projection
WHY_NOT = Table.why_not
QUESTION, DEAL = companion.chance_question, companion.decide_deal


@pytest.mark.rule("INFO-01", "INFO-03", "INFO-06", "INFO-07")
def test_hidden_cards_change_no_byte_that_a_guest_is_sent() -> None:
    count = asyncio.run(run(4))
    print(count)
    assert count.compared > 100
    assert count.typed > 0
    assert count.proved > 0
    assert count.rated > 0
    assert count.returned > 5


def leak_in_the_projection(table: Table, eyes: Eyes) -> messages.Projection | None:
    original = PROJECTION(table, eyes)
    if original is None or table.game is None:
        return original
    hands = [table.game.referee.state.hand[seat] for seat in range(len(table.colors))]
    return msgspec.structs.replace(original, view={**original.view, "sum": sum(hands[:2])})


def leak_in_the_request(table: Table, eyes: Eyes) -> messages.Projection | None:
    original = PROJECTION(table, eyes)
    if original is None or table.game is None:
        return original
    return msgspec.structs.replace(original, question_number=int(table.game.referee.state.deck % 1009))


@pytest.mark.parametrize("leak", [leak_in_the_projection, leak_in_the_request])
def test_a_planted_leak_is_caught(leak: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Table, "projection", leak)
    with pytest.raises(Leak):
        asyncio.run(run(4))


def leak_in_the_dice(dice: FairDice, *, show_key: bool) -> messages.DiceLine | None:
    """A bit of the key, where only the commitment may be told."""
    line = LINE(dice, show_key=show_key)
    if line is None or dice.key is None or not dice.dice_words:
        return line
    return msgspec.structs.replace(line, promises={**line.promises, "bit": str(dice.key[0] >> 6)})


def test_a_leak_of_the_key_of_the_dice_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FairDice, "line", leak_in_the_dice)
    with pytest.raises(Leak, match="word_opened"):
        asyncio.run(run(4))


def leak_in_the_question(table: Table, eyes: Eyes) -> messages.ChanceQuestion | None:
    """A thief who is offered only what the victim has sees its whole hand."""
    original = QUESTION(table, eyes)
    if original is None or table.game is None or table.game.chance is None or original.kind == "dice":
        return original
    return msgspec.structs.replace(original, outcomes=tuple(action.text for action in table.game.chance.odds))


def leak_in_what_was_told(table: Table, command: messages.Deal, guest: Guest) -> Decision:
    """A card that cannot be, refused to its owner; everybody hears of which."""
    original = DEAL(table, command, guest)
    if not any(isinstance(body, log.Mistold) for body in original.bodies):
        return original
    return Decision((*original.bodies, log.Said(color=guest.color or "", text=command.outcome)))


@pytest.mark.parametrize(
    ("name", "leak"),
    [("chance_question", leak_in_the_question), ("decide_deal", leak_in_what_was_told)],
    ids=["question", "told"],
)
def test_a_leak_at_a_companion_table_is_caught(name: str, leak: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(companion, name, leak)
    with pytest.raises(Leak):
        asyncio.run(run(8, chances=["people"]))


def leak_in_the_reason(table: Table, action: str, guest: Guest) -> Refusal | None:
    original = WHY_NOT(table, action, guest)
    if original is None or table.game is None:
        return original
    return replace(original, values={"cards": sum(table.game.referee.state.development[seat] for seat in (0, 1))})


def test_a_reason_that_knows_too_much_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Table, "why_not", leak_in_the_reason)
    with pytest.raises(Leak, match="why not"):
        asyncio.run(run(4))
