"""How an assistant is told no: what was refused, by which rule, and what would be right; one text.

What people call themselves stands in quotation marks here too: a name cannot pass for a part of the refusal.
"""

from __future__ import annotations

from typing import Final

from ..wire.host_refusals import Declined, HostReason, Refusal, refusal_sentence
from ..wire.table_sentences import quote

NAMES_SOMEBODY: Final[tuple[HostReason, ...]] = ("kick_first", "seat_taken", "seat_reserved")
"""The refusals whose value `name` is what somebody calls themselves."""


def bad_call(text: str) -> Declined:
    """What a call itself refuses: a text for the assistant, with what could be done."""
    return Declined.because("bad_call", detail=text)


def refusal_text(refusal: Refusal) -> str:
    """What is refused before a table hears of it."""
    message = _message(refusal)
    return f"{message} ({refusal.rule})" if refusal.rule and refusal.rule not in message else message


def table_refusal_text(refusal: Refusal) -> str:
    """What a table refuses, with what is legal instead."""
    rule = f" ({refusal.rule}: look_up_rule tells more)" if refusal.rule else ""
    legal = f"\nLegal now, among others: {'; '.join(refusal.legal)}. legal_actions lists all." if refusal.legal else ""
    return f"Refused: {_message(refusal)}{rule}{legal}"


def _message(refusal: Refusal) -> str:
    """The sentence of a refusal, names of people as quotations."""
    for why in NAMES_SOMEBODY:
        if refusal.why == why:
            return refusal_sentence(why, {**refusal.values, "name": quote(refusal.values["name"])})
    return refusal.message
