"""How an assistant is told no: what was refused, by which rule, and what would be right; one text."""

from __future__ import annotations

from .. import messages as m
from ..api import Declined
from ..hall import HallRefusal


class Refusal(Exception):
    """What cannot be done, and what could; the text is for the assistant."""


def refusal(no: Exception) -> Refusal:
    """What the hall, the desk or a reader refuses."""
    rule = getattr(no, "rule", None)
    message = no.message if isinstance(no, Declined | HallRefusal) else str(no)
    return Refusal(f"{message} ({rule})" if rule and rule not in message else message)


def refused(no: m.Refused) -> Refusal:
    """What a table refuses, with what is legal instead."""
    rule = f" ({no.rule}: look_up_rule tells more)" if no.rule else ""
    legal = f"\nLegal now, among others: {'; '.join(no.legal)}. legal_actions lists all." if no.legal else ""
    return Refusal(f"Refused: {no.message}{rule}{legal}")
