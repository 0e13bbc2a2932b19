"""How much one guest, one connection and one address may ask for; beyond it the answer is `too_much`.

A bucket holds so many tokens and gets some back every second; each request spends some. Nothing here looks at a
clock of its own: the time is given.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from time import monotonic
from typing import Final

UNLIMITED: Final = 10**9


@dataclass(frozen=True, slots=True)
class Rate:
    """`burst` at once, then `per_second`."""

    burst: float
    per_second: float


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a server. The defaults let people and quick programs play, and stop floods."""

    frame: int = 32 * 1024
    """Bytes of one message to the server."""
    body: int = 32 * 1024
    """Bytes of the body of a request."""
    connection: Rate = Rate(100, 25)
    """Commands on one socket."""
    guest: Rate = Rate(300, 75)
    """Commands of one guest, on all its sockets."""
    commands_of_address: Rate = Rate(1_000, 200)
    """Commands of all guests of one address: a school sends so many, not one who has a cookie for each socket."""
    commands_of_network: Rate = Rate(2_000, 400)
    requests: Rate = Rate(1_000, 200)
    """Requests of one address for whatever it is, pages and files of the client and `/healthz` among them."""
    reading: Rate = Rate(200, 50)
    """REST requests of one address."""
    writing: Rate = Rate(30, 2)
    """REST requests of one address that change something."""
    records: Rate = Rate(20, 2)
    """Records, replays, summaries, boards to look at, tables from storage, for one address: they are made afresh."""
    lookups: Rate = Rate(40, 4)
    """Searches in the rules by one address, and what assistants look up in them."""
    recovery: Rate = Rate(20, 1 / 10)
    """Texts without a mistake in spelling that one network may try, to recover a guest."""
    all_recovery: Rate = Rate(2_000, 50)
    """The same of all together: what storage can look up. Nobody guesses 130 bits, and nobody shuts others out."""
    reports: Rate = Rate(10, 1 / 60)
    """Reports of words from one network."""
    sockets_per_guest: int = 32
    sockets_per_address: int = 256
    sockets_per_network: int = 1_024
    sockets: int = 10_000
    sockets_reserved: int = 1_000
    """Beyond these, for people at games that go on: they come in when all others are taken."""
    tables_per_guest: int = 10
    """Tables that are not over."""
    tables_per_address: int = 100
    """Tables that are not over and were set up from one address since the start: a cookie is free, that is not."""
    tables_per_network: int = 300
    """The same for all addresses of one network: with IPv4 256 of them, with IPv6 all of one /48."""
    tables_playing_on: int = 10
    """Those of one network whose games go on when nobody is there: their bots think for nobody's eyes."""
    tables: int = 2_000
    """When there are so many, empty and abandoned ones make room."""
    tables_for_few: float = 0.1
    """The fraction of them that is kept for networks with few tables."""
    log_of_guest: Rate = Rate(4 * 1024 * 1024, 8 * 1024)
    """Bytes that commands of one guest may add to logs."""
    log_of_address: Rate = Rate(16 * 1024 * 1024, 32 * 1024)
    """The same of one address: one neighbor does not write all that a network may."""
    log_of_network: Rate = Rate(64 * 1024 * 1024, 128 * 1024)
    wait_from: float = 0.12
    """Seconds that a command would take when people at running games are told to come back later; others before."""
    greeting_seconds: float = 10
    """How long a new socket may keep silent."""
    sending_seconds: float = 15
    """How long one message may take to be taken."""
    patience: int = 200
    """Refusals for too much, or for what cannot be read, on one socket before it is closed."""

    @classmethod
    def none(cls) -> Limits:
        """No limits on how often: for a machine of one's own, benchmarks and tests. Sizes stay limited."""
        endless = Rate(UNLIMITED, UNLIMITED)
        return cls(
            connection=endless,
            guest=endless,
            commands_of_address=endless,
            commands_of_network=endless,
            requests=endless,
            reading=endless,
            writing=endless,
            records=endless,
            lookups=endless,
            reports=endless,
            recovery=endless,
            all_recovery=endless,
            sockets_per_guest=UNLIMITED,
            sockets_per_address=UNLIMITED,
            sockets_per_network=UNLIMITED,
            sockets=UNLIMITED,
            log_of_guest=endless,
            log_of_address=endless,
            log_of_network=endless,
            tables_per_guest=UNLIMITED,
            tables_per_address=UNLIMITED,
            tables_per_network=UNLIMITED,
            tables_playing_on=UNLIMITED,
            tables=UNLIMITED,
            wait_from=UNLIMITED,
            patience=UNLIMITED,
        )


class Bucket:
    """The tokens of one who asks."""

    __slots__ = ("rate", "since", "tokens")

    def __init__(self, rate: Rate, now: float) -> None:
        self.rate, self.tokens, self.since = rate, rate.burst, now

    def spend(self, now: float, cost: float = 1) -> bool:
        """Whether there is enough; if so it is spent."""
        self.tokens = min(self.rate.burst, self.tokens + (now - self.since) * self.rate.per_second)
        self.since = now
        if self.tokens < cost:
            return False
        self.tokens -= cost
        return True

    def give_back(self, cost: float) -> None:
        """What was spent for nothing."""
        self.tokens = min(self.rate.burst, self.tokens + cost)

    def is_full(self, now: float) -> bool:
        """Whether nothing would be lost by dropping it."""
        return self.tokens + (now - self.since) * self.rate.per_second >= self.rate.burst


class Buckets:
    """A bucket for each key; those that are full again are dropped, so that memory is bounded by the rate."""

    def __init__(self, rate: Rate, *, time: Callable[[], float] = monotonic, most: int = 10_000) -> None:
        self.rate, self._time, self._most = rate, time, most
        self._buckets: dict[Hashable, Bucket] = {}

    def spend(self, key: Hashable, cost: float = 1) -> bool:
        """Whether the key has enough left; if so it is spent."""
        now = self._time()
        bucket = self._buckets.get(key)
        if bucket is None:
            if len(self._buckets) >= self._most:
                self._drop_full(now)
            bucket = self._buckets[key] = Bucket(self.rate, now)
        return bucket.spend(now, cost)

    def give_back(self, key: Hashable, cost: float = 1) -> None:
        """What a key has spent for nothing."""
        if (bucket := self._buckets.get(key)) is not None:
            bucket.give_back(cost)

    def __len__(self) -> int:
        return len(self._buckets)

    def _drop_full(self, now: float) -> None:
        self._buckets = {key: bucket for key, bucket in self._buckets.items() if not bucket.is_full(now)}
        if len(self._buckets) >= self._most:  # a flood from everywhere: the oldest go
            for key in list(self._buckets)[: self._most // 2]:
                del self._buckets[key]


class Slots:
    """So many things at once for each key, and for all together."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._counts: Counter[Hashable] = Counter()
        self._total = 0

    def occupy(self, key: Hashable, extra: int = 0) -> bool:
        """Whether one was free, with so many more than usual; then it is no more."""
        if self._counts[key] >= self.most + extra:
            return False
        self._counts[key] += 1
        self._total += 1
        return True

    def count(self, key: Hashable) -> int:
        """How many are not free."""
        return self._counts.get(key, 0)

    def vacate(self, key: Hashable) -> None:
        """One is free again."""
        self._total -= 1
        self._counts[key] -= 1
        if self._counts[key] <= 0:
            del self._counts[key]

    def __len__(self) -> int:
        return self._total
