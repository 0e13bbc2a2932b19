"""Why something is refused, in words: the one place where the sentence of a refusal is made.

>>> from hexholm.rules.language.refusal_sentences import refusal_clause, say_refusal
>>> say_refusal("cannot_pay", {"price": {"grain": 2, "ore": 3}}, "sixth")
'You cannot pay for that: it costs 2 wheat and 3 ore.'
>>> refusal_clause("rolled_already", {}, "fifth")
'the dice have already been rolled this turn'
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..colors import Color
from ..errors import BadInput
from .languages import word_catalogue
from .sentences import fill_text, say_message


def say_refusal(
    name: str, values: Mapping[str, Any], edition_name: str, language: str = "en", to: Color | None = None
) -> str:
    """A refusal as a sentence: its name in `encoding/refusals.py`, and its parameter by the name of what it is.

    A seat is a color, a price the cards, an offer its number, a phase its name. The refusals of a host have their words
    in the catalogues too, under names of their own.
    """
    return say_message(language, [{"text": _template(name, language)}], values, edition_name, to)


def refusal_clause(name: str, values: Mapping[str, Any], edition_name: str) -> str:
    """The English sentence of a refusal as a part of another sentence, without a capital and a full stop."""
    text = _template(name, "en").removesuffix(".")
    return fill_text("en", text[:1].lower() + text[1:], values, edition_name)


def phase_clause(phase: str, edition_name: str) -> str:
    """What is due in a phase, in English: `roll the dice, or play one development card first`."""
    return fill_text("en", "{phase:phase}", {"phase": phase}, edition_name)


def _template(name: str, language: str) -> str:
    catalogue = word_catalogue(language)
    text = catalogue["refusal"].get(name) or catalogue.get("host", {}).get(name)
    if text is None:
        raise BadInput(f"there are no words for a refusal {name!r} in {catalogue['language']}")
    return str(text)
