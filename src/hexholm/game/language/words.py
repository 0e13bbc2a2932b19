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

from hexholm.rules.editions import edition
from hexholm.rules.errors import BadInput
from hexholm.rules.names import RESOURCES
from hexholm.rules.options import Options
from hexholm.rules.queries import View

from ..events import Event, Prompt, prompt_of
from .languages import catalogue

WORD_SLOT: Final = re.compile(r"\{(\w+)(?::(\w+))?\}")
Form = Mapping[str, Any]


class Words:
    """The words of one language."""

    def __init__(self, language: str = "en") -> None:
        self.language = language
        self.catalogue = catalogue(language)

    def say(self, event: Event, options: Options, to: str | None = None) -> str:
        """An event as a sentence for the player of colour `to`, who is called "you"; None: for everybody."""
        values = {field.name: getattr(event, field.name) for field in fields(event)}  # type: ignore[arg-type]
        return self._sentence(self.catalogue["event"][event.name], values, options, to)

    def prompt(self, options: Options, view: View, seat: int | None, legal: Sequence[int] = ()) -> str:
        """What is asked of `seat` (None: the public) as a sentence; arguments as for `prompt_of`."""
        return self.ask(prompt_of(options, view, seat, legal), options)

    def ask(self, prompt: Prompt, options: Options) -> str:
        """A prompt as a sentence."""
        values = {field.name: getattr(prompt, field.name) for field in fields(prompt)}
        return self._sentence(self.catalogue["prompt"][prompt.ask], values, options, prompt.to)

    def refuse(self, name: str, values: Mapping[str, Any], options: Options, to: str | None = None) -> str:
        """A refusal as a sentence: its name in rules/core/refusals.py, and its parameter by the name of what it is.

        A seat is a colour, a price the cards, an offer its number, a phase its name. The refusals of a host have their
        words here too, under names of their own.
        """
        text = self.catalogue["refusal"].get(name) or self.catalogue.get("host", {}).get(name)
        if text is None:
            raise BadInput(f"there are no words for a refusal {name!r} in {self.catalogue['language']}")
        return self._sentence([{"text": text}], values, options, to)

    def _sentence(self, forms: Sequence[Form], values: Mapping[str, Any], options: Options, to: str | None) -> str:
        form = next(form for form in forms if all(_fits(values[key], v) for key, v in form.get("when", {}).items()))
        mine = to is not None and values.get(form.get("subject", "player")) == to
        speech = _Speech(self.catalogue, _terms(self.language, options.edition), form, values, to)
        text = speech.fill(form["you"] if mine and "you" in form else form["text"])
        return text[:1].upper() + text[1:]


def _fits(value: Any, wanted: Any) -> bool:
    """Whether a field has the value that a form asks for; false stands for None, no and empty, true for the rest."""
    return bool(value) is wanted if isinstance(wanted, bool) else bool(value == wanted)


@cache
def _terms(language: str, name: str) -> Mapping[str, str]:
    """The vocabulary of an edition, and what the language adds to it."""
    book, own = edition(name), catalogue(language)["terms"]
    return {"title": book.title, **book.words, **own["every"], **own.get(name, {})}


def resource_words(language: str, name: str) -> dict[str, str]:
    """What an edition calls the resources."""
    terms = _terms(language, name)
    return {kind: terms[kind] for kind in RESOURCES}


class _Speech:
    """One message being said: a form, the values for it, and to whom."""

    def __init__(
        self, words: Mapping[str, Any], terms: Mapping[str, str], form: Form, values: Mapping[str, Any], to: str | None
    ) -> None:
        self.words, self.terms, self.form, self.values, self.to = words, terms, form, values, to

    def fill(self, text: str, values: Mapping[str, Any] | None = None) -> str:
        """A template with its slots filled."""
        known = self.values if values is None else values

        def slot(found: re.Match[str]) -> str:
            name, how = found[1], found[2]
            if name in known:
                return self.phrase(name, known[name], how)
            return self.fill(self.terms[name], {})

        return WORD_SLOT.sub(slot, text)

    def phrase(self, name: str, value: Any, how: str | None) -> str:
        """A value as a part of a sentence."""
        if isinstance(value, Mapping):
            if name in self.form.get("each", {}):
                return self.row([self.share(name, who, it) for who, it in value.items()], how)
            each = self.words["cards"]["each"]
            kinds = [self.fill(each, {"n": n, "kind": kind}) for kind, n in value.items() if n]
            return self.row(kinds, how) or str(self.words["cards"]["none"])
        if isinstance(value, (tuple, list)):
            joint, inner = (how, None) if how in self.words["list"] else (None, how)
            return self.row([self.phrase(name, item, inner) for item in value], joint)
        if isinstance(value, int) and how is not None:
            noun = self.words["nouns"][how]
            return self.fill(noun["one"] if value == 1 else noun["other"], {"n": value})
        if isinstance(value, int):
            return str(value)
        assert isinstance(value, str), f"{name} is {value!r}, for which there are no words"
        known = {} if how == "text" else {**self.words["values"], **self.words["as"].get(how, {})}
        word = known.get("you" if value == self.to else value)
        return value if word is None else self.fill(word, {})

    def share(self, name: str, who: str, it: Any) -> str:
        """What a field says of one player."""
        mine = self.form.get("you_each", {}) if who == self.to else {}
        return self.fill(mine.get(name, self.form["each"][name]), {"who": who, "it": it})

    def row(self, parts: Sequence[str], how: str | None) -> str:
        """Parts in a row: `a, b and c`, or with semicolons throughout."""
        joints = self.words["list"]
        last = str(joints[how or "and"])
        between = last if how == "semicolon" else str(joints["comma"])
        return last.join([between.join(parts[:-1]), parts[-1]]) if len(parts) > 1 else "".join(parts)
