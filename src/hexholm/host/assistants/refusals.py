"""How an assistant is told no: what was refused, by which rule, and what would be right; one text.

What people call themselves stands in quotation marks here too: a name cannot pass for a part of the refusal.
"""

from __future__ import annotations

from typing import Final

from ..tables.hall import HallRefusal
from ..wire import messages as m
from ..wire.api import Declined
from ..wire.refusals import sentence
from ..wire.sentences import quote

NAMES_SOMEBODY: Final = ("kick_first", "seat_taken", "seat_reserved")
"""The refusals whose value `name` is what somebody calls themselves."""


class Refusal(Exception):
    """What cannot be done, and what could; the text is for the assistant."""


def refusal(no: Exception) -> Refusal:
    """What the hall, the desk or a reader refuses."""
    rule = getattr(no, "rule", None)
    message = _said(no) if isinstance(no, Declined | HallRefusal) else str(no)
    return Refusal(f"{message} ({rule})" if rule and rule not in message else message)


def refused(no: m.Refused) -> Refusal:
    """What a table refuses, with what is legal instead."""
    rule = f" ({no.rule}: look_up_rule tells more)" if no.rule else ""
    legal = f"\nLegal now, among others: {'; '.join(no.legal)}. legal_actions lists all." if no.legal else ""
    return Refusal(f"Refused: {_said(no)}{rule}{legal}")


def _said(no: m.Refused | Declined | HallRefusal) -> str:
    """The sentence of a refusal, names of people as quotations."""
    if no.why not in NAMES_SOMEBODY:
        return no.message
    return sentence(no.why, {**no.values, "name": quote(no.values["name"])})
