"""How sure a share of wins is: intervals that know that games on one board are not independent, and a sequential test.

    >>> from hexholm.arena.intervals import BlockScore, win_interval
    >>> blocks = [BlockScore(wins, games=4, seat_games=4) for wins in (0, 1, 2, 3, 0, 0)] * 20
    >>> share, low, high = win_interval(blocks)
    >>> f"{share:.3f} from {low:.3f} to {high:.3f}"
    '0.250 from 0.201 to 0.306'

The unit is the block: games on the same board with the same dice. The chance to win a game is estimated by the sum of
wins over the sum of games, its variance is the one of a ratio of sums over blocks. The interval is Wilson's for as many
independent games as have this variance, with Student's distribution for the few blocks it was estimated from; blocks
that differ less than independent games would do not make it narrower than these. It stays within 0 and 1 and does not
shrink to nothing where everything was won. (Dean and Pagano 2015 and Franco et al. 2019 compare such intervals.) A
player on several seats of a table can win but once; its share, wins by seat-games, follows from the chance to win a
game.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final, Literal, NamedTuple

from hexholm.rules.errors import BadInput, OptionMention, OptionMessage

CONFIDENCE: Final = 0.95
PRIOR_BLOCKS: Final = 8
"""A sequential test begins as if it had seen so many blocks that differ as independent games do."""
LARGEST_STAKE: Final = 0.9
"""So much of what it has it stakes on a block at most: who stakes all of it loses it for good."""


class BlockScore(NamedTuple):
    """What a player did in the games of one block."""

    wins: int
    games: int
    """Games in which it sat at the table."""
    seat_games: int
    """The same, counted once for each of its seats."""


def win_interval(blocks: Sequence[BlockScore], confidence: float = CONFIDENCE) -> tuple[float, float, float]:
    """The share of wins by seat-games with the interval around it; 0 to 1 if there is nothing to go by."""
    blocks = [block for block in blocks if block.games]
    wins, games, seat_games = (sum(column) for column in zip(*blocks, strict=True)) if blocks else (0, 0, 0)
    if not games:
        return 0.0, 0.0, 1.0
    win_rate, n_blocks, seats = wins / games, len(blocks), seat_games / games
    n = independent_games(blocks, win_rate)
    z = (
        student_quantile(0.5 + confidence / 2, n_blocks - 1)
        if n_blocks > 1 and n < games
        else NormalDist().inv_cdf(0.5 + confidence / 2)
    )
    middle = (win_rate + z * z / (2 * n)) / (1 + z * z / n)
    half_width = z / (1 + z * z / n) * math.sqrt(win_rate * (1 - win_rate) / n + z * z / (4 * n * n))
    low, high = max(0.0, min(win_rate, middle - half_width)), min(1.0, max(win_rate, middle + half_width))
    return win_rate / seats, low / seats, high / seats


def independent_games(blocks: Sequence[BlockScore], win_rate: float) -> float:
    """As many independent games as would tell the chance to win as well as these blocks do."""
    games, n_blocks = sum(block.games for block in blocks), len(blocks)
    if n_blocks < 2:
        return 1.0  # all on one board: nothing is known of how boards differ
    independent_variance = win_rate * (1 - win_rate) / games
    variance = (
        n_blocks / (n_blocks - 1) * sum((block.wins - win_rate * block.games) ** 2 for block in blocks) / games**2
    )
    return games * independent_variance / variance if variance > independent_variance else float(games)


def student_quantile(quantile: float, freedom: int) -> float:
    """The quantile of Student's distribution: Hill's expansion (1970), exact for 1 and 2 degrees of freedom."""
    if freedom == 1:
        return math.tan(math.pi * (quantile - 0.5))
    if freedom == 2:
        return (2 * quantile - 1) * math.sqrt(2 / (4 * quantile * (1 - quantile)))
    z, v = float(NormalDist().inv_cdf(quantile)), freedom
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / float(v) ** (i + 1) for i, term in enumerate(terms))


# --- the sequential test ----------------------------------------------------------------------------------------------

SprtConclusion = Literal["low", "high", "open"]


@dataclass(frozen=True)
class Sprt:
    """Whether a player's share of wins is `low` or `high`, decided as soon as the games allow it.

    As Wald's test (1945) it looks after every block, but it supposes nothing about how games of a block hang together.
    Two bets go on, block after block: one against `low`, which gains by many wins, one against `high`. What is staked
    follows from the blocks before. If the share is truly `low`, or less, nobody makes money of betting against it: that
    the bet ever reaches 20 times what it began with has a chance of at most 1 in 20 (Ville 1939). So each error has at
    most the chance `error`. No variance has to be right for that: it only says how much to stake, for the test to be
    short. (Waudby-Smith and Ramdas 2024 have such tests.)
    """

    low: float
    high: float
    error: float = 0.05

    def __post_init__(self) -> None:
        if not 0 < self.low < self.high < 1:
            advice = f" {self.high:g}: give two shares of wins, the lower one first, as in 0.25 0.3"
            raise BadInput(OptionMessage(OptionMention.given("sprt", f"{self.low:g}"), advice))

    @property
    def bound(self) -> float:
        """Where the ratio decides: from it on for `high`, from its negative on for `low`."""
        return -math.log(self.error)

    def log_ratios(self, blocks: Iterable[BlockScore]) -> Iterator[float]:
        """Of what the bet against `low` has made, the logarithm, less that of the other; after each block played in.

        A block is taken when the ratio after it is asked for, not before: blocks may come as they are played.
        """
        gap, middle = self.high - self.low, (self.low + self.high) / 2
        n_blocks, mean, square_sum = 0, 0.0, 0.0
        # logarithms of what the bets against `low` and against `high` have made
        log_against_low = log_against_high = 0.0
        for block in blocks:
            if not block.seat_games:
                continue
            independent_variance = middle * (1 - middle) / block.seat_games  # the variance if seats were independent
            variance = (PRIOR_BLOCKS * independent_variance + square_sum) / (PRIOR_BLOCKS + max(0, n_blocks - 1))
            stake = gap / (variance + gap * gap)  # about what grows fastest if the other of both is true
            share = block.wins / block.seat_games
            log_against_low += math.log1p(min(stake, LARGEST_STAKE / self.low) * (share - self.low))
            log_against_high += math.log1p(min(stake, LARGEST_STAKE / (1 - self.high)) * (self.high - share))
            n_blocks += 1
            deviation = share - mean
            mean += deviation / n_blocks
            square_sum += deviation * (share - mean)
            yield max(log_against_low, 0.0) - max(log_against_high, 0.0)

    def conclude(self, ratio: float) -> SprtConclusion:
        """What a ratio decides; whoever asks after each block must stop when it does."""
        return "high" if ratio >= self.bound else "low" if ratio <= -self.bound else "open"
