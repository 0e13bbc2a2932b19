"""Events, prompts and refusals in words: one catalogue for each language, in the vocabulary of each edition.

    >>> from hexholm.game.events import Stole
    >>> from hexholm.game.language.words import Words
    >>> from hexholm.rules.options import check_options
    >>> words, event = Words("en"), Stole(player="red", victim="blue", card="grain")
    >>> words.say(event, check_options(edition="fifth"))
    'Red steals 1 grain from blue.'
    >>> words.say(event, check_options(edition="sixth"), to="red")
    'You steal 1 wheat from blue.'
    >>> Words("de").refuse("not_your_supply_trade", {"seat": "blue"}, check_options(edition="summary"))
    'Mit der Bank darf nur tauschen, wer am Zug ist: Blau.'

The catalogue (data/en.toml) says at its head how a message is written; a client written in something else than Python
needs no more than that, and tests/game/data/words_cases.json to see that it says the same. Whoever is shown words is
given the event's face first (`event.seen_by`): words hide nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields
from functools import cache
from typing import Any, Final

from hexholm.rules.colors import Color, SeatNumber
from hexholm.rules.editions import edition
from hexholm.rules.errors import BadInput
from hexholm.rules.names import RESOURCES
from hexholm.rules.options import Options
from hexholm.rules.queries import View

from ..events import Event, Prompt, prompt_of
from .languages import word_catalogue

WORD_SLOT: Final = re.compile(r"\{(\w+)(?::(\w+))?\}")
Form = Mapping[str, Any]


class Words:
    """The words of one language."""

    def __init__(self, language: str = "en") -> None:
        self.language = language
        self.catalogue = word_catalogue(language)

    def say(self, event: Event, options: Options, to: Color | None = None) -> str:
        """An event as a sentence for the player of color `to`, who is called "you"; None: for everybody."""
        values = {field.name: getattr(event, field.name) for field in fields(event)}  # type: ignore[arg-type]
        return self._sentence(self.catalogue["event"][event.name], values, options, to)

    def prompt(self, options: Options, view: View, seat: SeatNumber | None, legal: Sequence[int] = ()) -> str:
        """What is asked of `seat` (None: the public) as a sentence; arguments as for `prompt_of`."""
        return self.ask(prompt_of(options, view, seat, legal), options)

    def ask(self, prompt: Prompt, options: Options) -> str:
        """A prompt as a sentence."""
        values = {field.name: getattr(prompt, field.name) for field in fields(prompt)}
        return self._sentence(self.catalogue["prompt"][prompt.ask], values, options, prompt.to)

    def refuse(self, name: str, values: Mapping[str, Any], options: Options, to: Color | None = None) -> str:
        """A refusal as a sentence: its name in rules/encoding/refusals.py, and its parameter by the name of what it is.

        A seat is a color, a price the cards, an offer its number, a phase its name. The refusals of a host have their
        words here too, under names of their own.
        """
        text = self.catalogue["refusal"].get(name) or self.catalogue.get("host", {}).get(name)
        if text is None:
            raise BadInput(f"there are no words for a refusal {name!r} in {self.catalogue['language']}")
        return self._sentence([{"text": text}], values, options, to)

    def _sentence(self, forms: Sequence[Form], values: Mapping[str, Any], options: Options, to: Color | None) -> str:
        form = next(
            form
            for form in forms
            if all(_fits(values[key], condition) for key, condition in form.get("when", {}).items())
        )
        to_subject = to is not None and values.get(form.get("subject", "player")) == to
        speech = _Speech(self.catalogue, _terms(self.language, options.edition), form, values, to)
        text = speech.fill(form["you"] if to_subject and "you" in form else form["text"])
        return text[:1].upper() + text[1:]


def _fits(value: Any, condition: Any) -> bool:
    """Whether a field has the value that a form asks for; false stands for None, no and empty, true for the rest."""
    return bool(value) is condition if isinstance(condition, bool) else bool(value == condition)


@cache
def _terms(language: str, edition_name: str) -> Mapping[str, str]:
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
    terms = _terms(language, edition_name)
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
        """Parts in a row: `a, b and c`, or with semicolons throughout."""
        joints = self.catalogue["list"]
        last = str(joints[style or "and"])
        between = last if style == "semicolon" else str(joints["comma"])
        return last.join([between.join(parts[:-1]), parts[-1]]) if len(parts) > 1 else "".join(parts)
