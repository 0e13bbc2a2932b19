"""Events, prompts and refusals in words: one catalogue for each language, in the vocabulary of each edition.

    >>> from hexholm.game.events import Stole
    >>> from hexholm.game.language.words import Words
    >>> from hexholm.rules.setup.options import check_options
    >>> words, event = Words("en"), Stole(player="red", victim="blue", card="grain")
    >>> words.say(event, check_options(edition="fifth"))
    'Red steals 1 grain from blue.'
    >>> words.say(event, check_options(edition="sixth"), to="red")
    'You steal 1 wheat from blue.'
    >>> Words("de").refuse("not_your_supply_trade", {"seat": "blue"}, check_options(edition="summary"))
    'Mit der Bank darf nur tauschen, wer am Zug ist: Blau.'

The catalogue (rules/language/data/en.toml) says at its head how a message is written; a client written in something
else than Python needs no more than that, and tests/game/data/words_cases.json to see that it says the same. Whoever is
shown words is given the event's face first (`event.seen_by`): words hide nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from hexholm.rules.colors import Color, SeatNumber
from hexholm.rules.language.languages import word_catalogue
from hexholm.rules.language.refusal_sentences import say_refusal
from hexholm.rules.language.sentences import say_message
from hexholm.rules.queries import View
from hexholm.rules.setup.options import Options

from ..events import Event, Prompt, prompt_of


class Words:
    """The words of one language."""

    def __init__(self, language: str = "en") -> None:
        self.language = language
        self.catalogue = word_catalogue(language)

    def say(self, event: Event, options: Options, to: Color | None = None) -> str:
        """An event as a sentence for the player of color `to`, who is called "you"; None: for everybody."""
        values = {field.name: getattr(event, field.name) for field in fields(event)}  # type: ignore[arg-type]
        return say_message(self.language, self.catalogue["event"][event.name], values, options.edition, to)

    def prompt(self, options: Options, view: View, seat: SeatNumber | None, legal: Sequence[int] = ()) -> str:
        """What is asked of `seat` (None: the public) as a sentence; arguments as for `prompt_of`."""
        return self.ask(prompt_of(options, view, seat, legal), options)

    def ask(self, prompt: Prompt, options: Options) -> str:
        """A prompt as a sentence."""
        values = {field.name: getattr(prompt, field.name) for field in fields(prompt)}
        return say_message(self.language, self.catalogue["prompt"][prompt.ask], values, options.edition, prompt.to)

    def refuse(self, name: str, values: Mapping[str, Any], options: Options, to: Color | None = None) -> str:
        """A refusal of the rules or of a host as a sentence; see `rules/language/refusal_sentences.py`."""
        return say_refusal(name, values, options.edition, self.language, to)
