"""How sure a share of wins is: intervals that know that games on one board are not independent, and a sequential test.

    >>> from hexholm.arena.intervals import BlockScore, interval
    >>> blocks = [BlockScore(wins, games=4, seat_games=4) for wins in (0, 1, 2, 3, 0, 0)] * 20
    >>> share, low, high = interval(blocks)
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

from hexholm.rules.errors import BadInput

LEVEL: Final = 0.95
SUPPOSED: Final = 8
"""A sequential test begins as if it had seen so many blocks that differ as independent games do."""
MOST_STAKED: Final = 0.9
"""So much of what it has it stakes on a block at most: who stakes all of it loses it for good."""


class BlockScore(NamedTuple):
    """What a player did in the games of one block."""

    wins: int
    games: int
    """Games in which it sat at the table."""
    seat_games: int
    """The same, counted once for each of its seats."""


def interval(blocks: Sequence[BlockScore], level: float = LEVEL) -> tuple[float, float, float]:
    """The share of wins by seat-games with the interval around it; 0 to 1 if there is nothing to go by."""
    blocks = [block for block in blocks if block.games]
    wins, games, seat_games = (sum(column) for column in zip(*blocks, strict=True)) if blocks else (0, 0, 0)
    if not games:
        return 0.0, 0.0, 1.0
    chance, k, seats = wins / games, len(blocks), seat_games / games
    n = independent(blocks, chance)
    z = student(0.5 + level / 2, k - 1) if k > 1 and n < games else NormalDist().inv_cdf(0.5 + level / 2)
    middle = (chance + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(chance * (1 - chance) / n + z * z / (4 * n * n))
    low, high = max(0.0, min(chance, middle - half)), min(1.0, max(chance, middle + half))
    return chance / seats, low / seats, high / seats


def independent(blocks: Sequence[BlockScore], chance: float) -> float:
    """As many independent games as would tell the chance to win as well as these blocks do."""
    games, k = sum(block.games for block in blocks), len(blocks)
    if k < 2:
        return 1.0  # all on one board: nothing is known of how boards differ
    alone = chance * (1 - chance) / games
    spread = k / (k - 1) * sum((block.wins - chance * block.games) ** 2 for block in blocks) / games**2
    return games * alone / spread if spread > alone else float(games)


def student(level: float, freedom: int) -> float:
    """The quantile of Student's distribution: Hill's expansion (1970), exact for 1 and 2 degrees of freedom."""
    if freedom == 1:
        return math.tan(math.pi * (level - 0.5))
    if freedom == 2:
        return (2 * level - 1) * math.sqrt(2 / (4 * level * (1 - level)))
    z, v = float(NormalDist().inv_cdf(level)), freedom
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / float(v) ** (i + 1) for i, term in enumerate(terms))


# --- the sequential test ----------------------------------------------------------------------------------------------

SprtVerdict = Literal["low", "high", "open"]


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
            said = f"sprt {self.low:g} {self.high:g}"
            raise BadInput(f"{said}: give two shares of wins, the lower one first, as in 0.25 0.3")

    @property
    def bound(self) -> float:
        """Where the ratio decides: from it on for `high`, from its negative on for `low`."""
        return -math.log(self.error)

    def ratios(self, blocks: Iterable[BlockScore]) -> Iterator[float]:
        """Of what the bet against `low` has made, the logarithm, less that of the other; after each block played in.

        A block is taken when the ratio after it is asked for, not before: blocks may come as they are played.
        """
        gap, middle = self.high - self.low, (self.low + self.high) / 2
        k, mean, squares = 0, 0.0, 0.0
        up = down = 0.0  # logarithms of what the bets against `low` and against `high` have made
        for block in blocks:
            if not block.seat_games:
                continue
            alone = middle * (1 - middle) / block.seat_games  # the variance if seats were independent
            spread = (SUPPOSED * alone + squares) / (SUPPOSED + max(0, k - 1))
            stake = gap / (spread + gap * gap)  # about what grows fastest if the other of both is true
            share = block.wins / block.seat_games
            up += math.log1p(min(stake, MOST_STAKED / self.low) * (share - self.low))
            down += math.log1p(min(stake, MOST_STAKED / (1 - self.high)) * (self.high - share))
            k += 1
            off = share - mean
            mean += off / k
            squares += off * (share - mean)
            yield max(up, 0.0) - max(down, 0.0)

    def says(self, ratio: float) -> SprtVerdict:
        """What a ratio decides; whoever asks after each block must stop when it does."""
        return "high" if ratio >= self.bound else "low" if ratio <= -self.bound else "open"
