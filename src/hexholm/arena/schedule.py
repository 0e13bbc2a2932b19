"""Who sits where in which game: blocks of games on one board with the same dice, every player once in every seat.

    >>> from hexholm.arena.schedule import Schedule
    >>> plan = Schedule(entrant_count=4, seats=4, seed=5)
    >>> [plan.game(number).entrants_by_seat for number in range(4)]
    [(0, 1, 2, 3), (1, 2, 3, 0), (2, 3, 0, 1), (3, 0, 1, 2)]
    >>> plan.game(0).seed == plan.game(3).seed != plan.game(4).seed
    True

A block has as many games as a table has seats. All of them share the board, the dice of every turn, the order of the
development cards, and the seat that begins; from game to game everybody moves up one seat. The next block has a new
board and another order around the table, until all orders have been; if there are more entrants than seats, blocks
also take turns in who plays.

A game is a pure function of the seed and its number. So it does not matter which machine plays it or when, a longer
tournament begins with the games of a shorter one, and what was played need not be played again.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations
from typing import Final

from hexholm.rules.errors import BadInput, OptionMention, OptionMessage
from hexholm.rules.random_numbers import key_for

SEED_BITS: Final = 48
"""Seeds fit into the numbers that any language reads from JSON."""
MOST_ENTRANTS: Final = 32


@dataclass(frozen=True, slots=True)
class ScheduledGame:
    """One game to be played."""

    number: int
    """From 0."""
    block: int
    seed: int
    """Of the board, the dice and the cards: the same in all games of a block, as `hexholm.Game(seed=...)` takes it."""
    starter: int
    """The seat that begins."""
    entrants_by_seat: tuple[int, ...]
    """Which entrant sits where."""
    bot_seeds: tuple[int, ...]
    """For the player in each seat; an entrant has the same in all games of a block."""


@dataclass(frozen=True)
class Schedule:
    """All games that so many entrants can play at tables of so many `seats`, in their order; it has no end."""

    entrant_count: int
    seats: int
    seed: int

    def __post_init__(self) -> None:
        if self.entrant_count < self.seats:
            advice = f" for {self.seats} seats: name at least {self.seats}"
            raise BadInput(OptionMessage(OptionMention.player_count(self.entrant_count), advice))
        if self.entrant_count > MOST_ENTRANTS:
            raise BadInput(f"{self.entrant_count} players: name at most {MOST_ENTRANTS}")

    @cached_property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """Those who can meet at a table."""
        return tuple(combinations(range(self.entrant_count), self.seats))

    @cached_property
    def orders(self) -> tuple[tuple[int, ...], ...]:
        """The orders around a table, by place in the group: who sits first does not matter, for all seats are tried."""
        return tuple((0, *later_places) for later_places in permutations(range(1, self.seats)))

    def game(self, number: int) -> ScheduledGame:
        """Game `number`, from 0."""
        block, turn = divmod(number, self.seats)
        group = self.groups[block % len(self.groups)]
        order = self.orders[block // len(self.groups) % len(self.orders)]
        entrants_by_seat = tuple(group[order[(seat + turn) % self.seats]] for seat in range(self.seats))
        return ScheduledGame(
            number=number,
            block=block,
            seed=derive_seed(self.seed, "tournament", block),
            starter=block % self.seats,
            entrants_by_seat=entrants_by_seat,
            bot_seeds=tuple(derive_seed(self.seed, f"player {entrant}", block) for entrant in entrants_by_seat),
        )

    @property
    def meeting(self) -> int:
        """After so many games all groups have met equally often."""
        return len(self.groups) * self.seats


def derive_seed(seed: int, purpose: str, index: int) -> int:
    """A seed for one purpose: it follows from the seed of the tournament and never from who plays the game."""
    return key_for(seed, purpose, index) & (1 << SEED_BITS) - 1
