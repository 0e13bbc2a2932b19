"""Random numbers by counting: outcome k of stream s is a pure function of (key, s, k).

SplitMix64 (Steele, Lea, Flood 2014) read at a place instead of in order. Key and counters lie beside a game, never
inside it or in a view. Interpreted and compiled draws agree bit for bit.
"""

from __future__ import annotations

import hashlib
from typing import Final

from .compilation.kernels import inline, wrapping_plus, wrapping_times

# Streams: each outcome belongs to one, with a count of its own (nature.decide_outcome).
STREAM_BOARD, STREAM_DICE, STREAM_THEFT, STREAM_CARDS, STREAM_START, STREAM_POLICY = range(6)
STREAM_RESTART, STREAM_CHOICE = 6, 7  # of a batch: keys of the games that follow, random actions

# The constants of SplitMix64, as signed 64-bit numbers.
_STEP: Final = 0x9E3779B97F4A7C15 - (1 << 64)
_MIX_A: Final = 0xBF58476D1CE4E5B9 - (1 << 64)
_MIX_B: Final = 0x94D049BB133111EB - (1 << 64)


@inline
def draw_bits(key: int, stream: int, k: int) -> int:
    """32 random bits: number `k` of a stream under a key."""
    z = wrapping_plus(key, wrapping_times((stream << 40) + k, _STEP))
    z = wrapping_times(z ^ (z >> 30) & 0x3FFFFFFFF, _MIX_A)
    z = wrapping_times(z ^ (z >> 27) & 0x1FFFFFFFFF, _MIX_B)
    return (z >> 32) & 0xFFFFFFFF ^ (z >> 63) & 1


@inline
def draw_below(n: int, key: int, stream: int, k: int) -> int:
    """A random integer in 0..n-1; the bias is below n / 2**32."""
    return (draw_bits(key, stream, k) * n) >> 32


def key_for(seed: int, purpose: str, index: int = 0) -> int:
    """The key for one purpose under a seed, a signed 64-bit number; it does not lead back to the seed."""
    return int.from_bytes(key_bytes(seed, purpose, index, 1), "little", signed=True)


def key_bytes(seed: int, purpose: str, start: int, n: int) -> bytes:
    """The keys of `n` indices from `start` on, as :func:`key_for` gives them: 8 bytes each, the lowest first."""
    prefix = hashlib.blake2b(f"hexholm:{purpose}:{seed}:".encode(), digest_size=8)
    digests = []
    for index in range(start, start + n):
        digest = prefix.copy()
        digest.update(b"%d" % index)
        digests.append(digest.digest())
    return b"".join(digests)
