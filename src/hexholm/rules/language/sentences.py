"""How a message of a catalogue is said: a form is chosen, its slots are filled, in the words of an edition.

`data/en.toml` says at its head how a message is written.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

from ..colors import Color
from ..encoding.structs import RESOURCES
from ..setup.editions import edition
from .languages import word_catalogue

WORD_SLOT: Final = re.compile(r"\{(\w+)(?::(\w+))?\}")
Form = Mapping[str, Any]


def say_message(
    language: str, forms: Sequence[Form], values: Mapping[str, Any], edition_name: str, to: Color | None = None
) -> str:
    """The form that fits the values as a sentence, for the player of color `to`, who is called "you"."""
    form = next(
        form for form in forms if all(_fits(values[key], condition) for key, condition in form.get("when", {}).items())
    )
    to_subject = to is not None and values.get(form.get("subject", "player")) == to
    speech = _Speech(word_catalogue(language), edition_terms(language, edition_name), form, values, to)
    text = speech.fill(form["you"] if to_subject and "you" in form else form["text"])
    return text[:1].upper() + text[1:]


def fill_text(language: str, text: str, values: Mapping[str, Any], edition_name: str, to: Color | None = None) -> str:
    """A text with its slots filled, its first letter as it is."""
    return _Speech(word_catalogue(language), edition_terms(language, edition_name), {}, values, to).fill(text)


def fill_words(text: str, edition_name: str, language: str = "en") -> str:
    """A text with words of an edition in its slots; a slot with a capital takes the word with one: `{Setup}`."""
    terms = edition_terms(language, edition_name)

    def word(match: re.Match[str]) -> str:
        name = match[1]
        small = name[:1].lower() + name[1:]
        text = fill_words(terms[small], edition_name, language)
        return text if small == name else text[:1].upper() + text[1:]

    return WORD_SLOT.sub(word, text)


def _fits(value: Any, condition: Any) -> bool:
    """Whether a field has the value that a form asks for; false stands for None, no and empty, true for the rest."""
    return bool(value) is condition if isinstance(condition, bool) else bool(value == condition)


@cache
def edition_terms(language: str, edition_name: str) -> Mapping[str, str]:
    """The vocabulary of an edition, and what the language adds to it."""
    edition_data, language_terms = edition(edition_name), word_catalogue(language)["terms"]
    return {
        "title": edition_data.title,
        **edition_data.words,
        **language_terms["every"],
        **language_terms.get(edition_name, {}),
    }


def resource_words(language: str, edition_name: str) -> dict[str, str]:
    """What an edition calls the resources."""
    terms = edition_terms(language, edition_name)
    return {kind: terms[kind] for kind in RESOURCES}


class _Speech:
    """One message being said: a form, the values for it, and to whom."""

    def __init__(
        self,
        language_catalogue: Mapping[str, Any],
        terms: Mapping[str, str],
        form: Form,
        values: Mapping[str, Any],
        to: Color | None,
    ) -> None:
        self.catalogue, self.terms, self.form, self.values, self.to = language_catalogue, terms, form, values, to

    def fill(self, text: str, values: Mapping[str, Any] | None = None) -> str:
        """A template with its slots filled."""
        slot_values = self.values if values is None else values

        def slot(match: re.Match[str]) -> str:
            name, style = match[1], match[2]
            if name in slot_values:
                return self.phrase(name, slot_values[name], style)
            return self.fill(self.terms[name], {})

        return WORD_SLOT.sub(slot, text)

    def phrase(self, name: str, value: Any, style: str | None) -> str:
        """A value as a part of a sentence."""
        if isinstance(value, Mapping):
            if name in self.form.get("each", {}):
                return self.row([self.share(name, color, amount) for color, amount in value.items()], style)
            template = self.catalogue["cards"]["each"]
            kinds = [self.fill(template, {"n": n, "kind": kind}) for kind, n in value.items() if n]
            return self.row(kinds, style) or str(self.catalogue["cards"]["none"])
        if isinstance(value, (tuple, list)):
            joint, inner = (style, None) if style in self.catalogue["list"] else (None, style)
            return self.row([self.phrase(name, item, inner) for item in value], joint)
        if isinstance(value, int) and style is not None:
            noun = self.catalogue["nouns"][style]
            return self.fill(noun["one"] if value == 1 else noun["other"], {"n": value})
        if isinstance(value, int):
            return str(value)
        assert isinstance(value, str), f"{name} is {value!r}, for which there are no words"
        translations = {} if style == "text" else {**self.catalogue["values"], **self.catalogue["as"].get(style, {})}
        word = translations.get("you" if value == self.to else value)
        return value if word is None else self.fill(word, {})

    def share(self, name: str, color: Color, amount: Any) -> str:
        """What a field says of one player."""
        own_templates = self.form.get("you_each", {}) if color == self.to else {}
        return self.fill(own_templates.get(name, self.form["each"][name]), {"who": color, "it": amount})

    def row(self, parts: Sequence[str], style: str | None) -> str:
        """Parts in a row: `a and b`; `a, b, and c` as the language joins three; or with semicolons throughout."""
        joints, joint = self.catalogue["list"], style or "and"
        last = str(joints[joint] if joint == "semicolon" or len(parts) < 3 else joints[f"last_{joint}"])
        between = last if joint == "semicolon" else str(joints["comma"])
        return last.join([between.join(parts[:-1]), parts[-1]]) if len(parts) > 1 else "".join(parts)
