"""An open offer, as all see it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hexholm.older_names import with_older_names
from hexholm.rules.colors import Color

from ..cards import Cards


@with_older_names(take="want")
@dataclass(frozen=True, slots=True)
class Offer:
    """An open offer. `yes` and `no`: who has answered so."""

    number: int
    by: Color
    give: Cards
    want: Cards
    to: tuple[Color, ...]
    yes: tuple[Color, ...] = ()
    no: tuple[Color, ...] = ()

    def __str__(self) -> str:
        return self.in_words({})

    def in_words(self, words: Mapping[str, str]) -> str:
        """The offer in an edition's words."""
        answer_texts = [
            f"{word}: {', '.join(colors)}" for word, colors in (("yes", self.yes), ("no", self.no)) if colors
        ]
        answers = f" ({'; '.join(answer_texts)})" if answer_texts else ""
        give, want = self.give.in_words(words), self.want.in_words(words)
        return f"#{self.number} {self.by} gives {give} for {want} to {', '.join(self.to)}{answers}"
