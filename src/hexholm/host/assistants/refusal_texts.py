"""How an assistant is told no: what was refused, by which rule, and what would be right; one text.

What people call themselves stands in quotation marks here too: a name cannot pass for a part of the refusal.
"""

from __future__ import annotations

from typing import Final

from ..wire.host_refusals import Declined, Refusal, sentence
from ..wire.sentences import quote

NAMES_SOMEBODY: Final = ("kick_first", "seat_taken", "seat_reserved")
"""The refusals whose value `name` is what somebody calls themselves."""


def bad_call(text: str) -> Declined:
    """What a call itself refuses: a text for the assistant, with what could be done."""
    return Declined.because("bad_call", detail=text)


def refusal_text(no: Refusal) -> str:
    """What is refused before a table hears of it."""
    message = _message(no)
    return f"{message} ({no.rule})" if no.rule and no.rule not in message else message


def table_refusal_text(no: Refusal) -> str:
    """What a table refuses, with what is legal instead."""
    rule = f" ({no.rule}: look_up_rule tells more)" if no.rule else ""
    legal = f"\nLegal now, among others: {'; '.join(no.legal)}. legal_actions lists all." if no.legal else ""
    return f"Refused: {_message(no)}{rule}{legal}"


def _message(no: Refusal) -> str:
    """The sentence of a refusal, names of people as quotations."""
    if no.why not in NAMES_SOMEBODY:
        return no.message
    return sentence(no.why, {**no.values, "name": quote(no.values["name"])})
