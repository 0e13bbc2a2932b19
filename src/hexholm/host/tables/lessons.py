"""Lessons: a game that teaches by playing. The host fixes the table and deals a script; the page gives the hints.

The first game is played on the beginners' board. The dice of its first rounds are written down here, and chosen so that
a learner who follows the hints meets everything in turn: a road, a settlement, a trade with the supply, an offer that a
bot accepts, a seven, a development card, a city. Dice are counted by turns and everything else by what is there, so a
learner may do anything else at any time. The seed of the bots is written down too, and play alike each time.
After the script the dice are as at any table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hexholm.game.dealers import Chance, Dealer, NoOutcome, Outcome, Seeded
from hexholm.game.new_game import game_options
from hexholm.rules.errors import BadInput
from hexholm.rules.setup.editions import EDITIONS, FIXED, edition

from ..wire.api import NewTable
from .table_settings import TableSettings
from .table_terms import TableTerms

BEGINNERS: Final = "beginner"
SEAT: Final = 0
"""The learner's, who begins."""
LEFT_TO_CHOOSE: Final = ("name", "title", "lesson", "options", "key", "begin")
"""Of the keys of `NewTable`."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """What is written down for a lesson."""

    dice: tuple[str, ...]
    """By turn: that of the learner and those of the three bots, round by round."""
    card: str
    """The first development card that the learner draws."""
    steals: tuple[str, ...]
    """What the learner steals: the first of these that the victim has."""
    bot_seed: str
    bot_name: str = "easy"
    seed: int = 1
    """Of what is left to chance beside that, while the script goes on."""


LESSONS: Final = {
    "first-game": Lesson(
        dice=(
            *("2 4", "4 5", "1 1", "1 3"),
            *("5 1", "6 6", "3 3", "2 1"),
            *("4 2", "5 6", "3 5", "6 6"),
            *("4 5", "2 2", "4 1", "6 6"),
            *("3 4", "6 3", "1 2", "5 4"),
            *("1 5", "4 6", "5 5", "2 6"),
            *("4 2", "5 4", "6 4", "2 3"),
            *("6 3", "3 1", "5 5", "2 4"),
        ),
        card="year-of-plenty",
        steals=("wool", "brick", "lumber", "grain", "ore"),  # no ore: the city must not come before the card
        bot_seed="first game 11",
    )
}


@dataclass(frozen=True, slots=True)
class LessonDealer:
    """Deals the script of a lesson, then what another dealer deals."""

    lesson: Lesson
    next_dealer: Dealer

    def deal(self, chance: Chance) -> Outcome | None:
        """The outcome that is written down, as far as one is and can be."""
        turn, learners_turn = chance.state.turn_number - 1, chance.state.active == SEAT
        if not 0 <= turn < len(self.lesson.dice):
            return self.next_dealer.deal(chance)
        outcomes: tuple[str, ...] = ()
        if chance.kind == "dice":
            outcomes = (self.lesson.dice[turn],)
        elif learners_turn and chance.kind == "stolen":
            outcomes = self.lesson.steals
        elif learners_turn and not chance.state.development[SEAT] and not chance.state.played[SEAT]:
            outcomes = (self.lesson.card,)
        for outcome in outcomes:
            try:
                return chance.check(f"{chance.kind} {outcome}")
            except NoOutcome:
                continue
        return Seeded(self.lesson.seed).deal(chance)


def lesson_dealer(name: str, next_dealer: Dealer) -> Dealer:
    """Who deals at a table with a lesson; a lesson that is no more in the house, or none, changes nothing."""
    lesson = LESSONS.get(name)
    return next_dealer if lesson is None else LessonDealer(lesson, next_dealer)


def lessons_of_edition(edition_name: str) -> tuple[str, ...]:
    """The lessons that can be had in an edition: those with the beginners' board."""
    return tuple(LESSONS) if edition(edition_name).fixed_board == BEGINNERS else ()


def lesson_settings(new_table: NewTable) -> TableSettings:
    """A table with a lesson as it is set up; raises BadInput if something is asked for that the lesson decides."""
    lesson = LESSONS[new_table.lesson]
    plain = type(new_table)(name=new_table.name)
    keys = zip(new_table.__struct_fields__, new_table.__struct_encode_fields__, strict=True)
    fixed = [(name, key) for name, key in keys if key not in LEFT_TO_CHOOSE]
    decided = [key for name, key in fixed if getattr(new_table, name) != getattr(plain, name)]
    decided += [f"options.{name}" for name in new_table.options if name != "edition"]
    if decided:
        raise BadInput(
            f"lesson {new_table.lesson!r} decides {', '.join(decided)} itself; "
            "give name, title, options.edition and key only"
        )
    options = game_options(**new_table.options, players=4, setup=FIXED, first=SEAT)
    if new_table.lesson not in lessons_of_edition(options.edition):
        names = ", ".join(name for name in EDITIONS if new_table.lesson in lessons_of_edition(name))
        raise BadInput(
            f"lesson {new_table.lesson!r} is played on the beginners' board; choose one of the editions {names}"
        )
    learner, *other_colors = options.colors
    return TableSettings(
        terms=TableTerms(title=new_table.title, lesson=new_table.lesson),
        options=options,
        bots=dict.fromkeys(other_colors, lesson.bot_name),
        creator_color=learner,
        creator_name=new_table.name,
        begin=True,
    )
